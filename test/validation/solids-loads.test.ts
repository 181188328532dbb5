// Elastic blocks under loads, as users have them: what statics says of a column under a heavy crate, Coulomb's angle
// with the numbers that addSolid takes by itself.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { createJelly } from '../../src/bench/solids-worlds';
import { addRigidBody, addSolid, createPhysics, type Physics, solidPositions } from '../../src/index';
import { box } from '../mechanics/solid/solid-world';
import { bySuite } from '../setup/suite';

const G = 9.81;
/** Of the usual solid (0.5) on the usual body (0.6): the geometric mean. */
const FRICTION = Math.sqrt(0.5 * 0.6);

function steps(physics: Physics, count: number): void {
  for (let k = 0; k < count; k++) physics.step();
}

/** Mean height of the vertices of a block's lowest and highest layer. */
function layers(physics: Physics, eid: number): [number, number] {
  const heights = solidPositions(physics, eid)
    .filter((_, k) => k % 3 === 1)
    .sort();
  const [low, high] = [heights.slice(0, 4), heights.slice(-4)];
  return [low.reduce((a, b) => a + b) / 4, high.reduce((a, b) => a + b) / 4];
}

test.each(bySuite([], [100, 2000]))(
  'four blocks carry a crate of %i times the mass of one, and sag as statics says',
  (ratio) => {
    const [side, height, density, radius] = [0.5, 0.2, 100, 0.005];
    const mass = density * side * side * height;
    const area = side * side;
    // Under the crate alone a block becomes 4 % lower.
    const youngModulus = (ratio * mass * G) / area / 0.04;
    const physics = createPhysics(createWorld(), { sleeping: false, userTiming: false });
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    const blocks = [0, 1, 2, 3].map((i) => {
      const low = radius + i * (height + 2 * radius);
      const mesh = box([1, 1, 1], [-side / 2, low, -side / 2], [side / 2, low + height, side / 2]);
      const material = { youngModulus, poissonRatio: 0, density, radius, damping: 0.05 };
      return addSolid(physics, { vertices: mesh.vertices, tetrahedra: mesh.tetrahedra, ...material });
    });
    const crate = addRigidBody(physics, {
      shape: { box: [0.3, 0.2, 0.3] },
      position: [0, 4 * (height + 2 * radius) + 0.2, 0],
      mass: ratio * mass,
    });
    steps(physics, 150);
    // A bar without lateral strain: u = (F + m g / 2) h / (E A), each block under all that is above it.
    blocks.forEach((eid, i) => {
      const [low, high] = layers(physics, eid);
      const load = (ratio + 3 - i + 0.5) * mass * G;
      const sag = (load * height) / (youngModulus * area);
      expect((height - (high - low)) / sag).toBeGreaterThan(0.98);
      expect((height - (high - low)) / sag).toBeLessThan(1.02);
    });
    const { Transform, Velocity } = physics.components;
    expect(Math.abs(Velocity.linear.y[crate])).toBeLessThan(0.01);
    expect(Math.abs(Transform.rotation.w[crate])).toBeGreaterThan(0.99999);
    expect(physics.report.strands.quarantined).toBe(0);
  },
);

/** Acceleration of a block of the usual jelly over that of gravity along an incline with this share of μ [-]. */
function slide(share: number): number {
  const physics = createPhysics(createWorld(), { userTiming: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const mesh = box([2, 1, 2], [-0.25, 0.02, -0.25], [0.25, 0.22, 0.25]);
  const eid = addSolid(physics, { vertices: mesh.vertices, tetrahedra: mesh.tetrahedra });
  const mean = () => {
    const x = solidPositions(physics, eid).filter((_, k) => k % 3 === 0);
    return x.reduce((a, b) => a + b) / x.length;
  };
  const tangent = FRICTION * share;
  const cosine = 1 / Math.sqrt(1 + tangent * tangent);
  physics.setGravity([G * tangent * cosine, -G * cosine, 0]);
  steps(physics, 45);
  const places = [mean()];
  for (let k = 0; k < 2; k++) {
    steps(physics, 20);
    places.push(mean());
  }
  return (places[2] - 2 * places[1] + places[0]) / (20 / 60) ** 2 / (G * cosine);
}

test('a block of the usual jelly holds below the angle of friction, and slides as Coulomb says above it', () => {
  expect(Math.abs(slide(0.9))).toBeLessThan(2e-3);
  // tan θ − μ
  expect(slide(1.4) / (0.4 * FRICTION)).toBeCloseTo(1, 1);
});

test('a stack of ten elastic blocks comes to rest, sleeps, and moves no more', () => {
  const [edge, radius] = [0.1, 0.001];
  const physics = createPhysics(createWorld(), { userTiming: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const blocks = Array.from({ length: 10 }, (_, i) => {
    // Not quite on top of each other.
    const [x, y] = [0.003 * (((7 * i) % 3) - 1) - edge / 2, radius + i * (edge + 2.1 * radius)];
    const mesh = box([2, 2, 2], [x, y, -x - edge], [x + edge, y + edge, -x]);
    const material = { youngModulus: 1e7, radius };
    return addSolid(physics, { vertices: mesh.vertices, tetrahedra: mesh.tetrahedra, ...material });
  });
  const places = () => blocks.flatMap((eid) => [...solidPositions(physics, eid)]);
  for (let k = 0; k < 400 && physics.report.strands.asleep < 10; k++) physics.step();
  const before = places();
  steps(physics, 30);
  expect(Math.max(...places().map((x, k) => Math.abs(x - before[k])))).toBeLessThan(1e-5);
  expect(physics.report.strands.asleep).toBe(10);
  expect(solidPositions(physics, blocks[9])[1]).toBeGreaterThan(9 * edge);
});

test('a block under a plate of two thousand times its mass sags as statics says', () => {
  const [edge, radius, youngModulus] = [0.4, 0.005, 2e6];
  const physics = createPhysics(createWorld(), { sleeping: false, userTiming: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0 });
  const mesh = box([2, 2, 2], [-0.2, radius, -0.2], [0.2, radius + edge, 0.2]);
  const material = { youngModulus, poissonRatio: 0, density: 1 / edge ** 3, radius, friction: 0, damping: 0.02 };
  addSolid(physics, { vertices: mesh.vertices, tetrahedra: mesh.tetrahedra, ...material });
  const start = 2 * radius + edge + 0.2;
  const plate = addRigidBody(physics, {
    shape: { box: [0.25, 0.2, 0.25] },
    position: [0, start, 0],
    mass: 2000,
    friction: 0,
    lockRotation: [true, true, true],
  });
  steps(physics, 120);
  const sag = (start - physics.components.Transform.position.y[plate]) / ((2000 * G) / edge / youngModulus);
  expect(Math.abs(sag - 1)).toBeLessThan(0.02);
});

test('a heap of twenty cubes that lands on each other takes 55 iterations a step at most', () => {
  const { physics } = createJelly(5);
  const iterations: number[] = [];
  for (let step = 1; step <= 30; step++) {
    physics.step();
    if (step > 5) iterations.push(physics.report.strands.iterations);
  }
  // With the weights and sweeps of cloth 79.
  const mean = iterations.reduce((sum, count) => sum + count, 0) / iterations.length;
  expect(mean).toBeLessThan(55);
});
