// Sheets on bodies and on each other through the whole step: friction, gaps, and no crossing whatever the iterations.

import { expect, test } from 'vitest';
import { describeTangles, findSurfaceCrossings } from '../../../src/debug/surface-crossings';
import { addRigidBody } from '../../../src/index';
import * as L from '../../../src/state/layout';
import { addShellRows, gridMesh, type Mesh, shellDefinition } from '../../mechanics/shell/shell-world';
import { createRodWorld, type RodWorld } from '../strand-worlds';

const HALF = 0.0025;
const MU = 0.5;

function sheet(cells: number, side: number, height: number, turn = 0): Mesh {
  const { points, triangles } = gridMesh(cells, cells, side, side);
  const placed: number[] = [];
  for (let i = 0; i < points.length; i += 3) {
    const [x, z] = [points[i] - side / 2, points[i + 2] - side / 2];
    placed.push(Math.cos(turn) * x - Math.sin(turn) * z, height, Math.sin(turn) * x + Math.cos(turn) * z);
  }
  return { points: placed, triangles };
}

/** Cotton of 200 g/m². */
function addSheet(world: RodWorld, mesh: Mesh, velocity = [0, 0, 0]): number {
  const parameter = [HALF, 200e-3 / (2 * HALF), 1e4, 0, 1e5, 0, MU, 0];
  return addShellRows(world, shellDefinition(mesh, { selfContact: true, parameter, velocity }));
}

function addStatic(
  world: RodWorld,
  shape: Parameters<typeof addRigidBody>[1]['shape'],
  position: number[] = [0, 0, 0],
): void {
  addRigidBody(world.physics, { type: 'static', shape, position: position as [number, number, number], friction: MU });
}

/** Mean velocity of an object's nodes [m/s]. */
function meanVelocity({ tables }: RodWorld, slot: number): number[] {
  const first = tables.rods.nodeStart[slot];
  const count = tables.rods.nodeCount[slot];
  const sum = [0, 0, 0];
  for (let i = first; i < first + count; i++) for (let k = 0; k < 3; k++) sum[k] += tables.nodes.velocity[4 * i + k];
  return sum.map((x) => x / count);
}

test.each([
  ['on a plane', false],
  ['layer on layer', true],
])('a patch %s sticks at 0.99 of tan θ/μ and slides at 1.01', (_name, onLayer) => {
  const speeds = [0.99, 1.01].map((share) => {
    const angle = Math.atan(share * MU);
    const gravity: [number, number, number] = [9.81 * Math.sin(angle), -9.81 * Math.cos(angle), 0];
    const world = createRodWorld({ gravity, timeStep: 1 / 60, elastic: { iterations: 100, tolerance: 1e-7 } });
    addStatic(world, { plane: [0, 1, 0] });
    // What lies below is of the same friction, and heavier by its pins: it does not move.
    if (onLayer) {
      const lower = addSheet(world, sheet(4, 0.3, HALF));
      const { nodes, rods } = world.tables;
      for (let i = 0; i < rods.nodeCount[lower]; i++) nodes.mass[2 * (rods.nodeStart[lower] + i)] *= 1e6;
    }
    const slot = addSheet(world, sheet(4, 0.2, onLayer ? 3 * HALF : HALF, 0.3));
    for (let k = 0; k < 30; k++) world.physics.step();
    return meanVelocity(world, slot)[0];
  });
  expect(Math.abs(speeds[0])).toBeLessThan(2e-4);
  // g (sin θ − μ cos θ) for half a second: 22 mm/s.
  expect(speeds[1]).toBeGreaterThan(0.01);
  expect(speeds[1]).toBeLessThan(0.03);
});

test('a sheet at rest on a box keeps the sum of radii', () => {
  const world = createRodWorld({ gravity: [0, -9.81, 0], timeStep: 1 / 60 });
  addStatic(world, { box: [0.2, 0.1, 0.2] }, [0, -0.1, 0]);
  const slot = addSheet(world, sheet(6, 0.3, 1.5 * HALF));
  for (let k = 0; k < 60; k++) world.physics.step();
  const { nodes, rods } = world.tables;
  for (let i = rods.nodeStart[slot]; i < rods.nodeStart[slot] + rods.nodeCount[slot]; i++) {
    expect(nodes.position[4 * i + 1] / HALF).toBeGreaterThan(0.98);
    expect(nodes.position[4 * i + 1] / HALF).toBeLessThan(1.02);
  }
});

test.each([1, 4, 25])('sheets thrown on a ball and each other never cross, after %i iterations', (iterations) => {
  const world = createRodWorld({ gravity: [0, -9.81, 0], timeStep: 1 / 60, elastic: { iterations } });
  addStatic(world, { sphere: 0.1 });
  for (let s = 0; s < 3; s++) addSheet(world, sheet(6, 0.3, 0.12 + 0.05 * s, 0.7 * s), [0, -4 * s, 0]);
  const { arena } = world.physics.internal.engine;
  for (let k = 0; k < 25; k++) {
    world.physics.step();
    expect(findSurfaceCrossings(arena, world.tables), `step ${k}`).toEqual([]);
    const { position } = world.tables.nodes;
    for (let i = 0; i < arena.i32[L.NODE_COUNT >> 2]; i++) {
      expect(Math.hypot(position[4 * i], position[4 * i + 1], position[4 * i + 2])).toBeGreaterThan(0.1);
    }
  }
});

test('sheets that start through each other are reported, come apart, and do not fly', () => {
  const world = createRodWorld({ gravity: [0, 0, 0], timeStep: 1 / 60 });
  addSheet(world, sheet(4, 0.2, 0));
  const upright = sheet(4, 0.2, 0.013, 0.4);
  const { points } = upright;
  for (let i = 0; i < points.length; i += 3) [points[i], points[i + 1]] = [points[i + 1], points[i]];
  addSheet(world, upright);
  const { arena } = world.physics.internal.engine;
  const [line] = describeTangles(arena, world.tables);
  expect(line).toMatch(/^surfaces: \d+ edges of object \d \(entity 0\) through object \d \(entity 0\)$/);
  let fastest = 0;
  for (let k = 0; k < 30; k++) {
    world.physics.step();
    const { velocity } = world.tables.nodes;
    for (let i = 0; i < arena.i32[L.NODE_COUNT >> 2]; i++) {
      fastest = Math.max(fastest, Math.hypot(velocity[4 * i], velocity[4 * i + 1], velocity[4 * i + 2]));
    }
  }
  expect(fastest).toBeLessThan(2);
  expect(describeTangles(arena, world.tables)).toEqual([]);
});
