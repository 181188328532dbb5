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
