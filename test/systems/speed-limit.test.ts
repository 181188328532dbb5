// No solver moves a body faster than bodies move (1000 m/s; of 500 rad/s free turns make some more), whatever joints
// demand of it.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random';
import { addJoint, addRigidBody, createPhysics, JOINT_TYPES } from '../../src/index';

test('joints that nothing can hold throw no body beyond the limits', () => {
  const random = createRandom(3301200);
  const near = (size: number) => [0, 0, 0].map(() => size * (random() - 0.5));
  for (let round = 0; round < 30; round++) {
    const physics = createPhysics(createWorld());
    const bodies = [0, 1, 2].map((k) => {
      const spin = { velocity: near(20), angularVelocity: near(900) };
      const type = k === 0 ? 'kinematic' : 'dynamic';
      return addRigidBody(physics, { type, shape: { box: [0.5, 0.2, 0.3] }, position: near(10), ...spin });
    });
    for (let k = 0; k < 4; k++) {
      const type = JOINT_TYPES[Math.floor(random() * JOINT_TYPES.length)];
      const [a, b] = k % 2 === 0 ? [bodies[0], bodies[1]] : [bodies[1], bodies[2]];
      addJoint(physics, { type, a, b, axis: near(1), ...('distance rope'.includes(type) ? { length: 2 } : {}) });
    }
    const { linear, angular } = physics.components.Velocity;
    for (let step = 0; step < 60; step++) {
      physics.step();
      for (const eid of bodies.slice(1)) {
        const where = `round ${round}, step ${step}`;
        expect(Math.hypot(linear.x[eid], linear.y[eid], linear.z[eid]), where).toBeLessThan(1000.001);
        expect(Math.hypot(angular.x[eid], angular.y[eid], angular.z[eid]), where).toBeLessThan(1000);
      }
    }
    expect(physics.report.quarantined).toEqual([]);
    physics.dispose();
  }
});
