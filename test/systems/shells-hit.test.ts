// What a fast body hits: a sheet gives no energy, and lets nothing through.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { measureEnergy } from '../../src/cli/energy';
import { findSurfaceCrossings } from '../../src/debug/surface-crossings';
import { addRigidBody, addShell, createPhysics, shellPositions } from '../../src/index';
import { gridMesh } from '../mechanics/shell/shell-world';

const CELLS = 12;
const SIDE = 1.2;

/** A ball of 1 kg that flies down at a sheet of 0.46 kg, 1 m above the origin, which is pinned all round or free. */
function throwBall(speed: number, height: number, { isPinned = true, hasGround = false } = {}) {
  const physics = createPhysics(createWorld(), hasGround ? {} : { gravity: [0, 0, 0] });
  if (hasGround) addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.6 });
  const { points, triangles } = gridMesh(CELLS, CELLS, SIDE, SIDE);
  const vertices = Array.from({ length: points.length / 3 }, (_, i) => [
    points[3 * i] - SIDE / 2,
    1,
    points[3 * i + 2] - SIDE / 2,
  ]);
  const isRim = ([x, , z]: number[]) => Math.max(Math.abs(x), Math.abs(z)) > SIDE / 2 - 1e-6;
  const sheet = addShell(physics, {
    vertices,
    triangles: Array.from({ length: triangles.length / 3 }, (_, t) => triangles.slice(3 * t, 3 * t + 3)),
    thickness: 0.004,
    density: 80,
    stretchModulus: 2e6,
    bendingModulus: 5e4,
    damping: 0.003,
    friction: 0.4,
    pins: isPinned ? vertices.flatMap((at, i) => (isRim(at) ? [i] : [])) : [],
  });
  const ball = addRigidBody(physics, {
    shape: { sphere: 0.15 },
    mass: 1,
    position: [0.03, height, 0.02],
    velocity: [0, -speed, 0],
    continuous: hasGround,
  });
  const { engine } = physics.internal;
  const energy = () => {
    const { kinetic, elastic } = measureEnergy(engine);
    return kinetic + elastic;
  };
  const heights = () => shellPositions(physics, sheet).filter((_, i) => i % 3 === 1);
  const momentum = () => {
    const { nodes, bodies, strands } = engine.tables;
    let sum = bodies.linearVelocity[1] / bodies.inverseMass[0];
    for (let n = 0; n < strands.nodes[0]; n++) sum += nodes.mass[2 * n] * nodes.velocity[4 * n + 1];
    return sum;
  };
  const { position } = physics.components.Transform;
  const aside = () => Math.max(Math.abs(position.x[ball]), Math.abs(position.z[ball]));
  return { physics, energy, heights, momentum, ball: () => position.y[ball], aside };
}

/** Contacts that cost a step some 50 ms; a sheet drawn out for metres came to 7600. */
const MANY = 1500;

describe.each([50, 100, 150, 200])('a ball at %d m/s', (speed) => {
  test.each([1.4, 1.5, 1.8])('has no more energy, with the sheet that it hits, from %d m', (height) => {
    const { physics, energy, heights, ball } = throwBall(speed, height);
    const brought = 0.5 * speed * speed;
    let told = 0;
    for (let k = 0; k < 20; k++) {
      physics.step();
      expect(physics.report.strands.contacts, `step ${k}`).toBeLessThan(MANY);
      if (physics.report.limits.some((line) => line.includes('both got only part of their motion'))) told++;
      expect(energy(), `step ${k}`).toBeLessThan(1.01 * brought);
      expect(Math.min(...heights()), `step ${k}`).toBeGreaterThan(0);
    }
    expect(told).toBeGreaterThan(0);
    expect(ball()).toBeGreaterThan(1);
  });
});

test.each([50, 100, 150])('a free sheet is taken along by a ball at %d m/s', (speed) => {
  const { physics, energy, momentum } = throwBall(speed, 1.5, { isPinned: false });
  for (let k = 0; k < 20; k++) {
    physics.step();
    expect(energy(), `step ${k}`).toBeLessThan(1.01 * 0.5 * speed * speed);
    expect(Math.abs(momentum() / -speed - 1), `step ${k}`).toBeLessThan(0.03);
  }
});

test('with the ground below balls do not get through the sheet', () => {
  const through: string[] = [];
  for (const speed of [20, 30, 40, 50, 60, 100]) {
    for (const height of [1.4, 1.5, 1.6, 1.7]) {
      const { physics, heights, ball, aside } = throwBall(speed, height, { hasGround: true });
      let isThrough = false;
      // A ball may roll off over the rim.
      for (let k = 0; k < 60; k++) {
        physics.step();
        if (ball() < Math.min(...heights()) && aside() < 0.9 * (SIDE / 2)) isThrough = true;
      }
      if (isThrough) through.push(`${speed} m/s from ${height} m`);
    }
  }
  expect(through).toEqual([]);
});

test('a flag that a turning beam slaps does not go through itself', () => {
  const physics = createPhysics(createWorld(), { timeStep: 1 / 120 });
  const { points, triangles } = gridMesh(16, 16, 1, 1);
  const vertices = Array.from({ length: points.length / 3 }, (_, i) => [
    0,
    1.2 + (points[3 * i] - 0.5),
    points[3 * i + 2] - 0.5,
  ]);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.5 });
  addShell(physics, {
    vertices,
    triangles: Array.from({ length: triangles.length / 3 }, (_, t) => triangles.slice(3 * t, 3 * t + 3)),
    thickness: 0.006,
    density: 200,
    stretchModulus: 1e6,
    bendingModulus: 3e4,
    damping: 0.003,
    friction: 0.4,
    pins: vertices.flatMap(([, , z], i) => (z < -0.5 + 1e-6 ? [i] : [])),
  });
  const beam = addRigidBody(physics, {
    type: 'kinematic',
    shape: { box: [0.05, 0.05, 0.4] },
    position: [-0.6, 1.2, 0.1],
    friction: 0.4,
  });
  const { linear, angular } = physics.components.Velocity;
  const { arena, tables } = physics.internal.engine;
  let crossings = 0;
  for (let step = 0; step < 192; step++) {
    linear.x[beam] = 8 * Math.cos((9 * step) / 120);
    angular.y[beam] = 6;
    physics.step();
    crossings += findSurfaceCrossings(arena, tables).length;
  }
  expect(crossings).toBe(0);
});
