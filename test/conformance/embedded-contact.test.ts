// A fine surface that a coarse cage carries, and that touches in the cage's place: statics, friction, gaps, on both
// backends.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { findBrokenInvariants } from '../../src/debug/validate';
import { boundaryTriangles } from '../../src/geometry/tetrahedra';
import {
  addRigidBody,
  addSolid,
  createPhysics,
  type Physics,
  placeSolid,
  removeSolid,
  solidPositions,
} from '../../src/index';
import { riderCorner, riderShare } from '../../src/mechanics/solid/riders';
import * as L from '../../src/state/layout';
import { box } from '../mechanics/solid/solid-world';
import { bySuite } from '../setup/suite';

const G = 9.81;
const REACH = 0.002;

const world = (backend: 'wasm' | 'reference', gravity = [0, -G, 0]) =>
  createPhysics(createWorld(), { userTiming: false, sleeping: false, gravity, elastic: { backend } });

/** Half widths of the block that is seen, and of the cage around it [m]. */
const HALF = 0.1;
const WIDE = 0.12;
const DENSITY = 100;
const WEIGHT = DENSITY * (2 * WIDE) ** 3 * G;

const cube = (cells: number, center: readonly number[], half: number) =>
  box(
    [cells, cells, cells],
    center.map((x) => x - half),
    center.map((x) => x + half),
  );

/** A fine block in a cage of three cells a side that is 2 cm wider, over y = `low`. */
function addBlock(physics: Physics, low: number, over: object = {}) {
  const center = [0, low + HALF, 0];
  const cage = cube(3, center, WIDE);
  const fine = cube(4, center, HALF);
  const triangles = boundaryTriangles(Int32Array.from(fine.tetrahedra), 'test');
  return addSolid(physics, {
    ...{ vertices: cage.vertices, tetrahedra: cage.tetrahedra, youngModulus: 2e6, density: DENSITY, radius: REACH },
    ...{ surface: { vertices: fine.vertices, triangles }, collision: 'surface' as const, friction: 0.5, damping: 0.01 },
    ...over,
  });
}

/** Riders of an object: their rows. */
function ridersOf(physics: Physics, object: number): number[] {
  const { strands } = physics.internal.engine.tables;
  const end = strands.first[object] + strands.nodes[object];
  return Array.from({ length: strands.riders[object] }, (_, r) => end - strands.riders[object] + r);
}

/** Heights of an object's riders. */
const heights = (physics: Physics, object: number) =>
  ridersOf(physics, object).map((node) => physics.internal.engine.tables.nodes.position[4 * node + 1]);

/** Force of all contacts of elastic objects along an axis, on side A [N]. */
function contactForce(physics: Physics, axis: number): number {
  const { arena, tables, settings } = physics.internal.engine;
  const { force } = tables.nodeContacts;
  let sum = 0;
  for (let c = 0; c < arena.i32[L.NODE_CONTACT_COUNT >> 2]; c++) {
    if (force[4 * c + 3] > 0) sum += force[4 * c + axis] / force[4 * c + 3] / settings.timeStep;
  }
  return sum;
}

const run = (physics: Physics, steps: number) => {
  for (let k = 0; k < steps; k++) physics.step();
};

describe.each(bySuite<('wasm' | 'reference')[]>(['wasm'], ['wasm', 'reference']))('%s', (backend) => {
  test('the surface that is seen lies on the ground, not its cage, and bears the weight', () => {
    const physics = world(backend);
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    const solid = addBlock(physics, 0.004);
    run(physics, 90);
    expect(Math.abs(Math.min(...heights(physics, 0)) - REACH)).toBeLessThan(2e-5);
    // The cage is 2 cm wider.
    expect(Math.min(...solidPositions(physics, solid).filter((_, k) => k % 3 === 1))).toBeLessThan(-0.015);
    expect(Math.abs(contactForce(physics, 1) / WEIGHT - 1)).toBeLessThan(0.01);
    expect(physics.report.strands.quarantined).toBe(0);
  });

  test.each([
    ['sticks', 0.47],
    ['slides', 0.6],
  ] as const)('on a slope it %s as its surface says', (what, tan) => {
    const [sin, cos] = [tan, 1].map((x) => x / Math.hypot(tan, 1));
    const physics = world(backend, [G * sin, -G * cos, 0]);
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.5 });
    addBlock(physics, REACH);
    const x = () => {
      const { position } = physics.internal.engine.tables.nodes;
      const nodes = ridersOf(physics, 0);
      return nodes.reduce((sum, node) => sum + position[4 * node], 0) / nodes.length;
    };
    run(physics, 30);
    const [a] = [x()];
    run(physics, 30);
    const b = x();
    run(physics, 30);
    const c = x();
    // Within the tolerance of the solve, 0.01 mm a step.
    if (what === 'sticks') expect(Math.abs(c - b)).toBeLessThan(1e-3);
    else expect(Math.abs((c - 2 * b + a) / 0.25 / (G * (sin - 0.5 * cos)) - 1)).toBeLessThan(0.02);
  });

  test('two such blocks lie on each other, gap and load of the surfaces', () => {
    const physics = world(backend);
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    addBlock(physics, REACH);
    addBlock(physics, 2 * HALF + 3 * REACH + 0.001);
    run(physics, 90);
    const gap = Math.min(...heights(physics, 1)) - Math.max(...heights(physics, 0));
    expect(Math.abs(gap - 2 * REACH)).toBeLessThan(2e-4);
    expect(Math.abs(Math.min(...heights(physics, 0)) - REACH)).toBeLessThan(5e-5);
  });
});

test('snapshots repeat, rows move, and a pinned cage carries its surface', () => {
  const physics = world('wasm');
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const first = addBlock(physics, 0.01, { pins: [0] });
  const second = addBlock(physics, 2 * HALF + 0.03);
  run(physics, 12);
  const { nodes, strands } = physics.internal.engine.tables;
  const offset = () => {
    let most = 0;
    for (let object = 0; object < strands.riders.length && strands.riders[object] > 0; object++) {
      for (const rider of ridersOf(physics, object)) {
        for (let k = 0; k < 3; k++) {
          let x = -nodes.position[4 * rider + k];
          for (let c = 0; c < 4; c++) {
            const corner = strands.first[object] + riderCorner(physics.internal.engine.tables, rider, c);
            x += riderShare(physics.internal.engine.tables, rider, c) * nodes.position[4 * corner + k];
          }
          most = Math.max(most, Math.abs(x));
        }
      }
    }
    return most;
  };
  expect(offset()).toBeLessThan(1e-14);
  const snapshot = physics.snapshot();
  run(physics, 12);
  const hash = physics.hash();
  physics.restore(snapshot);
  run(physics, 12);
  expect(physics.hash()).toBe(hash);
  removeSolid(physics, first);
  const { length } = solidPositions(physics, second);
  placeSolid(
    physics,
    second,
    [...solidPositions(physics, second)].map((x, k) => x + (k % 3 === 1 ? 0.5 : 0)),
  );
  expect(length).toBe(3 * 64);
  expect(offset()).toBeLessThan(1e-14);
  run(physics, 12);
  expect(offset()).toBeLessThan(1e-14);
  expect(findBrokenInvariants(physics.internal.engine.arena, physics.internal.engine.tables)).toEqual([]);
});

test('momentum is kept where such a block hits a free body', () => {
  const physics = world('wasm', [0, 0, 0]);
  addBlock(physics, 0, { velocity: [1, 0, 0] });
  const body = addRigidBody(physics, { shape: { sphere: 0.1 }, mass: 1, position: [0.26, 0.1, 0.01], friction: 0.5 });
  run(physics, 30);
  expect(physics.components.Velocity.linear.x[body]).toBeGreaterThan(0.5);
  const { strands, nodes } = physics.internal.engine.tables;
  let momentum = physics.components.Velocity.linear.x[body];
  for (let i = 0; i < strands.nodes[0]; i++) momentum += nodes.mass[2 * i] * nodes.velocity[4 * i];
  expect(momentum / (DENSITY * (2 * WIDE) ** 3)).toBeCloseTo(1, 3);
});

test('what cannot touch by its surface is refused with the reason', () => {
  const physics = world('wasm');
  const add = (over: object) => () => addBlock(physics, 0, over);
  expect(add({ collision: 'cage' })).toThrow(`addSolid: collision must be 'boundary' or 'surface', got "cage"`);
  expect(add({ surface: undefined })).toThrow(
    "addSolid: surface must be given with collision 'surface', got undefined",
  );
  expect(add({ elements: 'quadratic' })).toThrow(
    `addSolid: elements must be 'linear' with collision 'surface', got "quadratic"`,
  );
  const other = createPhysics(createWorld(), { elastic: { solver: 'conjugate-residual' } });
  expect(() => addBlock(other, 0)).toThrow(
    "addSolid: collision must be 'boundary' with elastic.solver 'conjugate-residual'",
  );
});
