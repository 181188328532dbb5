import { expect, test } from 'vitest';
import { angularMomentum, rotationalEnergy, turnFreely } from '../../src/mechanics/rigid';
import * as L from '../../src/state/layout';
import { longTest } from '../setup/suite';
import { addBox, type BoxWorld, createBoxWorld, turn } from './helpers/box-world';

const step = (world: BoxWorld) => {
  world.kernels.predictMotion();
  world.kernels.integrateMotion();
  world.kernels.carrySpins();
};

const row = (column: Float64Array, body: number, stride = 4) => column.subarray(body * stride, body * stride + stride);

test('a thrown body follows symplectic Euler exactly and remembers its pose before the step', () => {
  const world = createBoxWorld();
  const body = addBox(world, { position: [1, 2, 3], velocity: [3, 4, 0] });
  for (let k = 0; k < 60; k++) step(world);
  const t = world.tables.bodies;
  // y = y0 + v n dt − g dt² n(n+1)/2
  expect(t.position[body * 4]).toBeCloseTo(4, 12);
  expect(t.position[body * 4 + 1]).toBeCloseTo(2 + 4 - (9.81 / 3600) * ((60 * 61) / 2), 10);
  expect(t.linearVelocity[body * 4 + 1]).toBeCloseTo(4 - 9.81, 10);
  expect(t.previousPosition[body * 4]).toBeCloseTo(4 - 3 / 60, 12);
  expect(t.velocityChange[body * 8 + 1]).toBeCloseTo(-9.81 / 60, 12);
});

test('force, torque, damping and gravity scale act as written, and forces last one step', () => {
  const world = createBoxWorld();
  const body = addBox(world, { mass: 2 });
  const t = world.tables.bodies;
  const dt = 1 / 60;
  t.damping.set([0.5, 0.25, 2, 0], body * 4);
  t.force.set([6, 0, 0], body * 4);
  t.torque.set([0, 0, 3], body * 4);
  step(world);
  const inertia = (2 * (0.25 + 0.25)) / 3;
  expect(t.linearVelocity[body * 4]).toBeCloseTo((dt * 3) / (1 + dt * 0.5), 14);
  expect(t.linearVelocity[body * 4 + 1]).toBeCloseTo((-dt * 2 * 9.81) / (1 + dt * 0.5), 14);
  expect(t.angularVelocity[body * 4 + 2]).toBeCloseTo((dt * 3) / inertia / (1 + dt * 0.25), 14);
  const [before, spun] = [t.linearVelocity[body * 4], t.angularVelocity[body * 4 + 2]];
  step(world);
  expect(t.linearVelocity[body * 4]).toBeCloseTo(before / (1 + dt * 0.5), 14);
  expect(t.angularVelocity[body * 4 + 2]).toBeCloseTo(spun / (1 + dt * 0.25), 14);
});

test('a constant spin turns by exactly ω t', () => {
  const world = createBoxWorld();
  world.arena.f64[(L.GRAVITY + 8) >> 3] = 0;
  const body = addBox(world, { spin: [0, 40, 0], half: [0.1, 0.3, 0.2] });
  for (let k = 0; k < 60; k++) step(world);
  const q = row(world.tables.bodies.rotation, body);
  const angle = 40 / 2;
  expect(Math.abs(q[1] * Math.sin(angle) + q[3] * Math.cos(angle))).toBeCloseTo(1, 10);
  expect(Math.hypot(...q)).toBeCloseTo(1, 14);
});

test('gyroscopy agrees with the f64 twin, keeps momentum and energy, flips what spins about its middle axis', () => {
  const world = createBoxWorld();
  world.arena.f64[(L.GRAVITY + 8) >> 3] = 0;
  const body = addBox(world, { half: [0.1, 0.2, 0.4], mass: 3, rotation: [0.5, 0.5, 0.5, 0.5] });
  const t = world.tables.bodies;
  const inertia = row(t.localInertia, body, 8);
  const inverse = row(t.localInverseInertia, body, 8);
  const spin = turn([0.5, 0.5, 0.5, 0.5], [0.01, 8, 0.02]);
  t.angularVelocity.set(spin, body * 4);
  const twinRotation = Float64Array.from([0.5, 0.5, 0.5, 0.5]);
  const twinSpin = Float64Array.from(spin);
  const [before, after] = [new Float64Array(3), new Float64Array(3)];
  angularMomentum(before, twinRotation, twinSpin, inertia);
  const energy = rotationalEnergy(twinRotation, twinSpin, inertia);
  let [flips, sign, worst] = [0, 1, 0];
  for (let k = 0; k < 600; k++) {
    step(world);
    if (k < 120) {
      turnFreely(twinRotation, twinSpin, inertia, inverse, 1 / 60);
      for (let d = 0; d < 3; d++) expect(t.angularVelocity[body * 4 + d]).toBeCloseTo(twinSpin[d], 7);
    }
    const q = row(t.rotation, body);
    const w = turn([-q[0], -q[1], -q[2], q[3]], [...row(t.angularVelocity, body)]);
    if (w[1] * sign < -4) {
      sign = -sign;
      flips++;
    }
    worst = Math.max(worst, Math.abs(rotationalEnergy(q, row(t.angularVelocity, body), inertia) / energy - 1));
  }
  angularMomentum(after, row(t.rotation, body), row(t.angularVelocity, body), inertia);
  for (let d = 0; d < 3; d++) expect(after[d]).toBeCloseTo(before[d], 9);
  expect(flips).toBeGreaterThanOrEqual(3);
  expect(worst).toBeLessThan(1e-10);
});

longTest('a plank keeps energy and momentum through 10^5 steps of up to two radians each', () => {
  for (const [spin, dt] of [
    [[20, 0.2, 20], 1 / 60],
    [[30, 1, 40], 1 / 60],
    [[-40, 20, 50], 1 / 30],
  ] as const) {
    const world = createBoxWorld();
    world.arena.f64[(L.GRAVITY + 8) >> 3] = 0;
    world.arena.f64[L.TIME_STEP >> 3] = dt;
    const body = addBox(world, { half: [1, 0.05, 0.3], spin: [...spin] });
    const t = world.tables.bodies;
    const inertia = row(t.localInertia, body, 8);
    const [before, after] = [new Float64Array(3), new Float64Array(3)];
    angularMomentum(before, [0, 0, 0, 1], spin, inertia);
    const energy = rotationalEnergy([0, 0, 0, 1], spin, inertia);
    for (let k = 0; k < 100_000; k++) step(world);
    expect(rotationalEnergy(row(t.rotation, body), row(t.angularVelocity, body), inertia) / energy).toBeCloseTo(1, 8);
    angularMomentum(after, row(t.rotation, body), row(t.angularVelocity, body), inertia);
    for (let d = 0; d < 3; d++) expect(Math.abs(after[d] - before[d])).toBeLessThan(1e-8 * Math.hypot(...before));
  }
});

test('an unstable spin far too fast for the step stays bounded and wins no energy', () => {
  const world = createBoxWorld();
  world.arena.f64[(L.GRAVITY + 8) >> 3] = 0;
  const body = addBox(world, { half: [0.02, 0.2, 0.4], spin: [100, 300, 200] });
  const t = world.tables.bodies;
  const inertia = row(t.localInertia, body, 8);
  const energy = rotationalEnergy([0, 0, 0, 1], [100, 300, 200], inertia);
  for (let k = 0; k < 300; k++) {
    step(world);
    expect(Math.hypot(...row(t.angularVelocity, body).subarray(0, 3))).toBeLessThan(500.001);
    expect(rotationalEnergy(row(t.rotation, body), row(t.angularVelocity, body), inertia)).toBeLessThan(1.05 * energy);
  }
});

test('speeds are limited', () => {
  const world = createBoxWorld();
  const body = addBox(world, { velocity: [3000, 4000, 0], spin: [0, 0, 4000] });
  world.arena.f64[(L.GRAVITY + 8) >> 3] = 0;
  step(world);
  const t = world.tables.bodies;
  expect(t.linearVelocity[body * 4]).toBeCloseTo(600, 9);
  expect(t.linearVelocity[body * 4 + 1]).toBeCloseTo(800, 9);
  expect(t.angularVelocity[body * 4 + 2]).toBeCloseTo(500, 9);
});

test('a kinematic body reaches its target exactly, then stops; a velocity of its own it keeps', () => {
  const world = createBoxWorld();
  const body = addBox(world, { kinematic: true });
  const t = world.tables.bodies;
  const half = 0.6;
  t.targetPosition.set([0.5, -0.25, 1], body * 4);
  t.targetRotation.set([0, Math.sin(half), 0, Math.cos(half)], body * 4);
  t.flags[body] |= L.BODY_HAS_TARGET;
  world.kernels.predictMotion();
  expect(t.linearVelocity[body * 4]).toBeCloseTo(30, 10);
  expect(t.angularVelocity[body * 4 + 1]).toBeCloseTo(1.2 * 60, 9);
  world.kernels.integrateMotion();
  expect([...row(t.position, body).subarray(0, 3)]).toEqual([0.5, -0.25, 1]);
  expect(t.rotation[body * 4 + 1]).toBeCloseTo(Math.sin(half), 15);
  expect(t.flags[body] & L.BODY_HAS_TARGET).toBe(0);
  step(world);
  expect([...row(t.position, body).subarray(0, 3)]).toEqual([0.5, -0.25, 1]);
  expect(t.linearVelocity[body * 4]).toBe(0);
  t.linearVelocity.set([0, 6, 0], body * 4);
  step(world);
  step(world);
  expect(t.position[body * 4 + 1]).toBeCloseTo(-0.05, 12);
});

test('a body whose numbers go bad is stopped at its last good pose and reported; the others go on', () => {
  const world = createBoxWorld();
  const bad = addBox(world, { position: [1, 2, 3] });
  const huge = addBox(world, { position: [5, 0, 0] });
  const good = addBox(world, { position: [0, 5, 0] });
  step(world);
  const t = world.tables.bodies;
  const last = [...row(t.position, bad)];
  t.linearVelocity[bad * 4] = Number.NaN;
  t.force[huge * 4] = 1e308;
  t.inverseMass[huge] = 1e30;
  step(world);
  expect(world.arena.i32[L.QUARANTINE_COUNT >> 2]).toBe(2);
  expect([...t.quarantineList.subarray(0, 2)].sort((a, b) => a - b)).toEqual([bad, huge]);
  expect([...row(t.position, bad)]).toEqual(last);
  expect(t.linearVelocity[bad * 4]).toBe(0);
  expect(t.flags[bad] & L.BODY_QUARANTINED).not.toBe(0);
  expect(t.awakeIndex[bad]).toBe(-1);
  expect(world.arena.i32[L.AWAKE_COUNT >> 2]).toBe(1);
  expect(t.linearVelocity[good * 4 + 1]).toBeCloseTo((-9.81 * 2) / 60, 12);
  step(world);
  expect(world.arena.i32[L.QUARANTINE_COUNT >> 2]).toBe(0);
});
