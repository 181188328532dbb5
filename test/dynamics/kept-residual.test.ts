// The residual that is reported is that of the velocities that bodies keep: a bounce that a solver did not find is in
// it, and what the bounces of others left.

import { afterEach, expect, it, vi } from 'vitest';
import { addJoint, addRigidBody, type Physics } from '../../src/index';
import { createGround, type TestWorld } from '../validation/worlds';

/** The first answer of a step is taken; what else is found in it is refused. */
const refusal = vi.hoisted(() => ({ isOn: false, taken: null as Float64Array | null }));
vi.mock('../../src/dynamics/wild-answer', () => ({
  isWildAnswer: (_: unknown, r: Float64Array) => {
    refusal.taken ??= r;
    return refusal.isOn && r !== refusal.taken;
  },
}));

afterEach(() => {
  refusal.isOn = false;
});

const SPEED = 4;
const RESTITUTION = 0.5;
/** ‖f‖ of the Fischer–Burmeister function on (x, y) is at least (2 − √2) of the smaller one. */
const LEAST = 2 - Math.SQRT2;

function addBall({ physics }: TestWorld, x: number, y: number, speed: number): number {
  const velocity = [0, -speed, 0];
  return addRigidBody(physics, {
    shape: { sphere: 0.5 },
    position: [x, y, 0],
    velocity,
    friction: 0,
    restitution: RESTITUTION,
  });
}

function speedOf(physics: Physics, ball: number): number {
  return physics.components.Velocity.linear.y[ball];
}

it('says of a bounce that was not found how much of it is missing, and nothing of one that was', () => {
  for (const isRefused of [false, true]) {
    const world = createGround(0, { solver: 'dantzig' });
    const ball = addBall(world, 0, 0.51, SPEED);
    refusal.taken = null;
    refusal.isOn = isRefused;
    world.physics.step();
    const { residual } = world.physics.report;
    // Only what the gap of 10 mm lets pass in a step is left.
    if (isRefused) expect(residual).toBeGreaterThan(LEAST * (RESTITUTION * SPEED - speedOf(world.physics, ball)) * 0.9);
    else expect(residual).toBeLessThan(1e-6);
    expect(world.physics.report.solvers.approximate).toBe(isRefused ? 1 : 0);
  }
});

it('says the same of bodies on joints', () => {
  for (const isRefused of [false, true]) {
    const world = createGround(0, { solver: 'dantzig' });
    const ball = addBall(world, 0, 0.51, SPEED);
    const other = addBall(world, 3, 2, SPEED);
    addJoint(world.physics, { type: 'fixed', a: ball, b: other });
    refusal.taken = null;
    refusal.isOn = isRefused;
    world.physics.step();
    const { residual } = world.physics.report;
    if (isRefused) expect(residual).toBeGreaterThan(1);
    else expect(residual).toBeLessThan(1e-6);
  }
});

it('says the same of islands solved by splitting', () => {
  for (const isRefused of [false, true]) {
    const world = createGround(0, { solver: 'contact-admm' });
    const ball = addBall(world, 0, 0.51, SPEED);
    const { engine } = world.physics.internal;
    const { kernels } = engine;
    let calls = 0;
    const isWildSettled = (scratch: number, cap: number) =>
      calls++ === 1 && isRefused ? 1 : kernels.isWildSettled(scratch, cap);

    Object.assign(engine, { kernels: { ...kernels, isWildSettled } });
    world.physics.step();
    expect(calls).toBeGreaterThan(1);
    const { residual } = world.physics.report;
    if (isRefused) expect(residual).toBeGreaterThan(LEAST * (RESTITUTION * SPEED - speedOf(world.physics, ball)) * 0.9);
    else expect(residual).toBeLessThan(1e-4);
  }
});

it('drives no body into the ground by the bounce of another one, by sweeps', () => {
  const world = createGround(0, { solver: 'gauss-seidel' });
  const low = addBall(world, 0, 0.5, 0);
  addBall(world, 0, 1.7, SPEED);
  for (let k = 0; k < 4; k++) {
    world.physics.step();
    // It was 1.48 m/s after one pass over the rebounds.
    expect(-speedOf(world.physics, low)).toBeLessThan(0.02);
    expect(world.physics.report.residual).toBeLessThan(0.02);
  }
});
