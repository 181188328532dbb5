// Nets of joints whose factor would cost too much: conjugate gradients from the impulses of the last step.

import { createWorld } from 'bitecs';
import { expect } from 'vitest';
import { addJoint, addRigidBody, createPhysics, type Physics } from '../../src';
import * as L from '../../src/state/layout';
import { longTest } from '../setup/suite';

const SIDE = 8;
const X = [1, 0, 0] as const;
const GRAVITY = 9.81;

/** Balls joined to their neighbours in a lattice; `hang` joins each of the top layer to the world. */
function buildLattice(physics: Physics, hang: (ball: number, anchor: [number, number, number]) => void): number[] {
  const balls: number[] = [];
  for (let i = 0; i < SIDE ** 3; i++) {
    const [x, y, z] = [i % SIDE, Math.floor(i / SIDE) % SIDE, Math.floor(i / SIDE ** 2)];
    const ball = addRigidBody(physics, { shape: { sphere: 0.4 }, mass: 1, position: [x, -y, z] });
    const join = (step: number, anchor: [number, number, number]) =>
      addJoint(physics, { type: 'ball', a: ball, b: balls[i - step], anchor });
    if (x > 0) join(1, [x - 0.5, -y, z]);
    if (y > 0) join(SIDE, [x, 0.5 - y, z]);
    else hang(ball, [x, 0.5, z]);
    if (z > 0) join(SIDE ** 2, [x, -y, z - 0.5]);
    balls.push(ball);
  }
  return balls;
}

longTest('a lattice of 512 balls hangs still by the joints of its top layer, which bear its weight', () => {
  const physics = createPhysics(createWorld(), { sleeping: false, gravity: [0, -GRAVITY, 0] });
  const { Joint, Transform } = physics.components;
  const tops: number[] = [];
  const balls = buildLattice(physics, (ball, anchor) => {
    tops.push(addJoint(physics, { type: 'ball', a: ball, anchor }));
  });
  for (let k = 0; k < 20; k++) physics.step();
  expect(physics.report.solvers.contactAdmm.islands).toBe(1);
  expect(physics.report.joints.error).toBeLessThan(1e-4);
  const weight = GRAVITY * SIDE ** 3;
  expect(tops.reduce((sum, joint) => sum + Joint.force.y[joint], 0) / weight).toBeCloseTo(1, 3);
  const bottom = balls[SIDE * (SIDE - 1)];
  expect(Transform.position.y[bottom]).toBeCloseTo(1 - SIDE, 4);
  physics.dispose();
});

/** A net too dense for a factor, with hinges at their limits below it; its hash after two steps. */
function hashOfNet(poison: number): string {
  const physics = createPhysics(createWorld(), { sleeping: false });
  const { solvers } = physics.report;
  const motor = { velocity: 1, maxForce: 1 };
  buildLattice(physics, (ball, anchor) => addJoint(physics, { type: 'hinge', a: ball, anchor, axis: X, motor }));
  const { arena } = physics.internal.engine;
  for (let k = 0; k < 2; k++) {
    const at = arena.i32[L.KERNEL_SCRATCH_ADDRESS >> 2];
    arena.u8.fill(poison, at, at + arena.i32[L.KERNEL_SCRATCH_SIZE >> 2]);
    physics.step();
  }
  expect(solvers.contactAdmm.islands).toBe(1);
  const hash = physics.hash();
  physics.dispose();
  return hash;
}

longTest('what lies in memory that is borrowed changes nothing where a net has motors', () => {
  expect(hashOfNet(0xff)).toBe(hashOfNet(0));
});
