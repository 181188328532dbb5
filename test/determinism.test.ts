// Determinism: the same scene gives the same bits on repeat, after snapshot and restore, and on every machine.

import { createWorld, entityExists } from 'bitecs';
import { expect, test } from 'vitest';
import { addRigidBody, createPhysics, type Physics, removeRigidBody, type ShapeSpec } from '../src/index';
import { bySuite, longTest } from './setup/suite';

/** A small busy world: boxes, balls and capsules tumbling into each other, with late arrivals and removals. */
function build(): { physics: Physics; run(steps: number): void } {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const bodies: number[] = [];
  for (let i = 0; i < 60; i++) {
    const shapes: ShapeSpec[] = [{ box: [0.3, 0.2, 0.4] }, { sphere: 0.3 }, { capsule: [0.2, 0.25] }];
    const shape = shapes[i % 3];
    const position = [((i * 7) % 5) * 0.5 - 1, 0.5 + 0.6 * i, ((i * 3) % 4) * 0.5 - 1];
    bodies.push(addRigidBody(physics, { shape, position, rotation: [0.1 * (i % 7), 0.2, 0.05 * i, 1], friction: 0.5 }));
  }
  // Scripted by the step's number, so that a restored run meets the same arrivals and removals.
  physics.schedule.before('copy-in', ({ physics: { stepCount } }) => {
    if (stepCount === 50) removeRigidBody(physics, bodies[10]);
  });
  return {
    physics,
    run(steps) {
      for (let i = 0; i < steps; i++) physics.step();
    },
  };
}

/**
 * Golden hashes of the world above after some steps. They change whenever the simulation's arithmetic does: if that
 * was meant, put the new values here and say so in the changelog; Node and Chromium must agree on them.
 */
const GOLDEN = { 120: '04cf417e525a0d0b', 300: '49f90a5b7e600f6f' };

test('the golden hash has not changed', () => {
  const { physics, run } = build();
  let count = 0;
  for (const [steps, hash] of Object.entries(GOLDEN).slice(0, bySuite(1, 2))) {
    run(+steps - count);
    count = +steps;
    expect(physics.hash(), `other bits than before after ${steps} steps; see GOLDEN`).toBe(hash);
  }
});

// So does the next test, at one step of the run.
longTest('a repeated run gives the same bits', () => {
  const hashes = [0, 1].map(() => {
    const { physics, run } = build();
    const seen: string[] = [];
    for (let i = 0; i < 4; i++) {
      run(25);
      seen.push(physics.hash());
    }
    return seen;
  });
  expect(hashes[0]).toEqual(hashes[1]);
});

test('a restored run repeats bit for bit, and so does the run that the snapshot was taken from', () => {
  const straight = build();
  straight.run(120);
  const { physics, run } = build();
  run(45);
  const snapshot = physics.snapshot();
  const before = physics.hash();
  run(75);
  expect(physics.hash()).toBe(straight.physics.hash());
  for (let again = 0; again < 2; again++) {
    physics.restore(snapshot);
    expect(physics.hash()).toBe(before);
    expect(physics.stepCount).toBe(45);
    run(75);
    expect(physics.hash()).toBe(straight.physics.hash());
  }
});

test('restoring takes back bodies that came later, and brings back one that is gone', () => {
  const { physics, run } = build();
  run(20);
  const snapshot = physics.snapshot();
  addRigidBody(physics, { shape: { sphere: 1 }, position: [0, 50, 0] });
  run(5);
  physics.restore(snapshot);
  run(1);
  expect(physics.report.bodies).toBe(61);
  run(60);
  const { returned } = physics.restore(snapshot);
  expect(returned.length).toBe(1);
  expect(entityExists(physics.world, returned[0])).toBe(true);
});

test('the last digit of one position changes the hash', () => {
  const a = build();
  const b = build();
  a.run(1);
  b.run(1);
  expect(a.physics.hash()).toBe(b.physics.hash());
  const { bodies } = b.physics.internal.engine.tables;
  bodies.position[8] += 2 ** -50;
  expect(a.physics.hash()).not.toBe(b.physics.hash());
});
