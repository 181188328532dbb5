// Small islands that stand: solved by the impulses of the step before as long as these are exact, and at once by
// pivoting where they are not.

import { describe, expect, it } from 'vitest';
import { addRigidBody, listIslands, removeRigidBody } from '../../src/index';
import { createArch, createGround, run, type TestWorld } from '../validation/worlds';
import { addColumn } from './settled-scenes';

const FALL = 9.81 / 60;

/** A column of ten unit boxes at rest. */
function createColumn(): TestWorld {
  const world = createGround(0.6, { sleeping: false });
  addColumn(world, 10);
  run(world, 1);
  return world;
}

function isResting({ physics }: TestWorld): boolean {
  const { dantzig } = physics.report.solvers;
  return dantzig.islands === 1 && dantzig.passes === 0 && dantzig.pivots === 0;
}

describe('a column at rest', () => {
  it('takes no pass in most steps, and stands as still as by passes', () => {
    const world = createColumn();
    const { physics, bodies } = world;
    const { Transform, Velocity } = physics.components;
    let resting = 0;
    for (let i = 0; i < 300; i++) {
      physics.step();
      if (isResting(world)) resting++;
      expect(physics.report.residual).toBeLessThanOrEqual(physics.settings.tolerance * FALL * 1.01);
      expect(listIslands(physics)[0].solver).toBe('dantzig');
    }
    expect(resting).toBeGreaterThan(240);
    bodies.forEach((eid, i) => {
      // The speed of each step is its own error: no body goes faster than the residual of the last some twenty steps.
      expect(Math.abs(Velocity.linear.y[eid])).toBeLessThan(1e-6);
      expect(Math.hypot(Transform.position.x[eid], Transform.position.z[eid])).toBeLessThan(1e-7);
      expect(Math.abs(Transform.position.y[eid] - 0.5 - i)).toBeLessThan(1e-6);
    });
  });

  it('is solved anew in the step in which a load changes', () => {
    const world = createColumn();
    const { physics, bodies } = world;
    const { RigidBody, Velocity } = physics.components;
    while (!isResting(world)) physics.step();
    const top = bodies[9];
    // 10 N beyond what friction holds of a box of 1000 kg.
    RigidBody.force.x[top] = 0.6 * 9810 + 10;
    physics.step();
    expect(isResting(world)).toBe(false);
    // It tips rather than slides: it moves, and by no more than the push gives.
    expect(Velocity.linear.x[top]).toBeGreaterThan(0);
    expect(Velocity.linear.x[top]).toBeLessThan((0.6 * 9810 + 10) / 1000 / 60);
  });

  it('falls when what it stands on is taken away', () => {
    const world = createColumn();
    const { physics, bodies } = world;
    while (!isResting(world)) physics.step();
    removeRigidBody(physics, bodies[0]);
    physics.step();
    for (const eid of bodies.slice(1)) expect(physics.components.Velocity.linear.y[eid]).toBeCloseTo(-FALL, 7);
  });

  it('goes on bit for bit from a snapshot taken while it rests', () => {
    const world = createColumn();
    const { physics } = world;
    while (!isResting(world)) physics.step();
    const snapshot = physics.snapshot();
    run(world, 1);
    const hash = physics.hash();
    physics.restore(snapshot);
    run(world, 1);
    expect(physics.hash()).toBe(hash);
  });
});

it('an arch takes no pass in nine of ten steps', () => {
  const world = createArch(0.2);
  run(world, 1);
  let resting = 0;
  for (let i = 0; i < 600; i++) {
    world.physics.step();
    if (isResting(world)) resting++;
  }
  expect(resting).toBeGreaterThan(540);
});

it('a body that slides slowly is never at rest: friction brakes it as the law says', () => {
  const world = createGround(0.5, { sleeping: false });
  const { physics } = world;
  const eid = addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5, 0], friction: 0.5 });
  run(world, 0.5);
  physics.components.Velocity.linear.x[eid] = 0.04;
  const before = physics.components.Transform.position.x[eid];
  physics.step();
  // μ g Δt = 0.08 m/s: it stops within the step, and where it stands stays.
  expect(physics.components.Velocity.linear.x[eid]).toBeCloseTo(0, 7);
  run(world, 0.5);
  expect(physics.components.Transform.position.x[eid]).toBeCloseTo(before, 7);
});

it('what can bounce is left to its solver while it moves', () => {
  const world = createGround(0.5, { sleeping: false, restitutionThreshold: 0.01 });
  const { physics } = world;
  const eid = addRigidBody(physics, { shape: { sphere: 0.5 }, position: [0, 0.5, 0], restitution: 0.5 });
  run(world, 0.5);
  expect(isResting(world)).toBe(true);
  physics.components.Velocity.linear.y[eid] = -0.04 - FALL;
  physics.step();
  expect(physics.components.Velocity.linear.y[eid]).toBeGreaterThan(0);
});
