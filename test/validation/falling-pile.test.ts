// A pile of mixed bodies that falls into a shaft: what the sweeps leave unsolved while it is hit.

import { createWorld } from 'bitecs';
import { expect, it } from 'vitest';
import { createRandom } from '../../src/core/random';
import { addRigidBody, createPhysics, type Physics, type ShapeSpec } from '../../src/index';
import { bySuite, longTest } from '../setup/suite';

const STEPS = 160;

/** 252 boxes, balls and capsules (times `scale`) in layers of nine, between four walls. */
function createPile(scale: number): Physics {
  const physics = createPhysics(createWorld(), { gravity: [0, -9.81 * scale, 0], sleeping: false, userTiming: false });
  const wall = (shape: number[], position: number[]) =>
    addRigidBody(physics, {
      type: 'static',
      shape: { box: shape.map((x) => x * scale) as [number, number, number] },
      position: position.map((x) => x * scale),
    });
  wall([4, 1, 4], [0, -1, 0]);
  for (const side of [-1, 1]) {
    wall([1, 30, 3.5], [2.5 * side, 30, 0]);
    wall([3.5, 30, 1], [0, 30, 2.5 * side]);
  }
  const random = createRandom(5);
  for (let i = 0; i < 252; i++) {
    const length = () => scale * (0.15 + 0.15 * random());
    const shapes: ShapeSpec[] = [
      { box: [length(), length(), length()] },
      { sphere: length() },
      { capsule: [0.7 * length(), length()] },
    ];
    const position = [(i % 3) - 1, 1 + 0.95 * Math.floor(i / 9), (Math.floor(i / 3) % 3) - 1].map(
      (x) => scale * (x + 0.05 * random()),
    );
    const angle = 6 * random();
    const rotation = [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];
    addRigidBody(physics, { shape: shapes[i % 3], position, rotation, friction: 0.5 });
  }
  return physics;
}

/** Largest speed in the world as the step begins to solve its contacts [m/s]. */
function freeSpeed({ internal }: Physics): number {
  const { bodies } = internal.engine.tables;
  let most = 0;
  for (let i = 0; i < 4 * 300; i += 4) {
    const v = bodies.linearVelocity;
    most = Math.max(most, Math.hypot(v[i], v[i + 1], v[i + 2]));
  }
  return most;
}

longTest.each(bySuite([1 / 50], [1, 1 / 50]))('leaves little of its speeds unsolved, at a scale of %f', (scale) => {
  const physics = createPile(scale);
  let free = 0;
  physics.schedule.before('solve-contacts', () => {
    free = freeSpeed(physics);
  });
  const left: number[] = [];
  let deepest = 0;
  let furthest = 0;
  for (let k = 0; k < STEPS; k++) {
    physics.step();
    left.push(physics.report.residual / free);
    furthest = Math.max(furthest, physics.report.solvers.sweeps.further);
    deepest = Math.max(deepest, physics.report.penetration / scale);
  }
  const sorted = left.sort((a, b) => a - b);
  // Without further sweeps 0.087 and 0.24, without their momentum 0.02 to 0.03 and 0.06 to 0.085, without a look at
  // what misses the law 0.009 and 0.02 to 0.03 (eight seeds).
  expect(sorted[STEPS / 2]).toBeLessThan(0.0155);
  expect(sorted[0.95 * STEPS]).toBeLessThan(0.02);
  // 0.05 to 0.1; where capsules that touched at the start of a step were not stopped 0.11 to 0.28 over eight seeds.
  expect(deepest).toBeLessThan(0.15);
  expect(furthest).toBeGreaterThan(1);
  expect(furthest).toBeLessThanOrEqual(33);
});

it('makes no factor for a pile in motion that it would then find too dear', () => {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0], sleeping: false, userTiming: false });
  const side = 10;
  // Balls that press on each other and go along together: one island, the same for as many steps as are looked at.
  for (let i = 0; i < side ** 3; i++) {
    const position = [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)].map((x) => 0.999 * x);
    addRigidBody(physics, { shape: { sphere: 0.5 }, position, velocity: [1, 0, 0] });
  }
  const sizes: number[] = [];
  for (let k = 0; k < 12; k++) {
    physics.step();
    sizes.push(physics.report.memoryBytes);
  }
  expect(physics.report.islands).toBe(1);
  expect(physics.report.points).toBeGreaterThan(2 * side ** 3);
  // Two factors of 1000 balls take 20 MB, and putting the balls in order some ten steps' time.
  expect(sizes[11]).toBeLessThan(1.2 * sizes[2]);
});
