// Angles of joints count whole turns, slow or fast, forwards or back.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addJoint, addRigidBody, createPhysics } from '../../../src/index';

// 30 rad/s is half a radian a step, 120 a third of a turn, 400 more than a turn.
test.each([3, -30, 120, -120, 400])('a wheel of %d rad/s has turned by as much after a second', (speed) => {
  const physics = createPhysics(createWorld(), { userTiming: false, gravity: [0, 0, 0], sleeping: false });
  const wheel = addRigidBody(physics, {
    shape: { cylinder: [0.5, 0.1] },
    angularVelocity: [0, speed, 0],
  });
  const hinge = addJoint(physics, { type: 'hinge', a: wheel, axis: [0, 1, 0] });
  for (let k = 0; k < 60; k++) physics.step();
  expect(physics.components.Joint.value[hinge] / speed).toBeCloseTo(1, 6);
  expect(physics.components.Velocity.angular.y[wheel]).toBeCloseTo(speed, 6);
});

// No row asks for the angles of such a joint: its twist is kept from step to step all the same.
test.each([3, -30, 120, 400])(
  'a ball joint without limits has twisted by as much after a second at %d rad/s',
  (speed) => {
    const physics = createPhysics(createWorld(), { userTiming: false, gravity: [0, 0, 0], sleeping: false });
    const wheel = addRigidBody(physics, { shape: { cylinder: [0.5, 0.1] }, angularVelocity: [0, speed, 0] });
    const ball = addJoint(physics, { type: 'ball', a: wheel, axis: [0, 1, 0] });
    const { Joint } = physics.components;
    for (let k = 0; k < 30; k++) physics.step();
    expect(Joint.value[ball] / speed).toBeCloseTo(0.5, 6);
    // A limit that it gets on the way holds it where it has come to, many turns from where it began.
    const kept = physics.snapshot();
    Joint.limitLow[ball] = Joint.limitHigh[ball] = Joint.value[ball];
    for (let k = 0; k < 30; k++) physics.step();
    expect(Joint.value[ball] / speed).toBeCloseTo(0.5, 3);
    physics.restore(kept);
    for (let k = 0; k < 30; k++) physics.step();
    expect(Joint.value[ball] / speed).toBeCloseTo(1, 6);
  },
);

// A doll's elbow that was knocked round within a step (heaps dashed down at 15 m/s, one of 1200) stood two turns past
// its limit from then on: no limit could drive it back.
test('an angle that is counted a turn past its limits is taken back by it, and the joint stays where it is', () => {
  const physics = createPhysics(createWorld(), { userTiming: false, gravity: [0, 0, 0], sleeping: false });
  const arm = addRigidBody(physics, { shape: { box: [0.5, 0.1, 0.1] } });
  const hinge = addJoint(physics, { type: 'hinge', a: arm, axis: [0, 1, 0], limits: [-2.2, 0.1] });
  // More than a turn, of which degrees are suspected.
  const screw = addRigidBody(physics, { shape: { box: [0.5, 0.1, 0.1] }, position: [0, 3, 0] });
  const turns = addJoint(physics, { type: 'hinge', a: screw, axis: [0, 1, 0], limits: [-7, 7] });
  physics.step();
  const { value } = physics.internal.engine.tables.joints;
  for (let slot = 0; slot < 2; slot++) value[6 * slot + 3] += 2 * Math.PI;
  let fastest = 0;
  for (let k = 0; k < 60; k++) {
    physics.step();
    fastest = Math.max(fastest, Math.abs(physics.components.Velocity.angular.y[arm]));
  }
  expect(physics.components.Joint.value[hinge]).toBeCloseTo(0, 6);
  expect(fastest).toBeLessThan(1e-6);
  // Limits that leave more than a turn tell of none that is too many.
  expect(physics.components.Joint.value[turns]).toBeCloseTo(2 * Math.PI, 6);
});
