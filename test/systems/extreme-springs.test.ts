// Springs at their ends: of any frequency that a number can be (too fast for squares is as good as stiff), and so much
// damped that they creep.

import { createWorld, hasComponent } from 'bitecs';
import { expect, test } from 'vitest';
import { addJoint, addRigidBody, addRod, attach, createPhysics } from '../../src/index';

// Before, the joint let go in silence, and the force on the rope was no number.
test.each([1e100, 1e200, 1e300])('a spring of %f Hz holds as a stiff joint does', (frequency) => {
  const physics = createPhysics(createWorld());
  const ball = addRigidBody(physics, { shape: { sphere: 0.3 }, position: [0, 1, 0] });
  const anchors = [
    [0, 1, 0],
    [0, 2, 0],
  ] as const;
  addJoint(physics, { type: 'distance', a: ball, anchors, length: 1, spring: { frequency } });
  const points = [0, 1, 2, 3].map((k) => [2 + 0.2 * k, 1, 0]);
  const rod = addRod(physics, { points, radius: 0.02, density: 500, youngModulus: 1e6 });
  const tie = attach(physics, { rod, node: 0, point: [2, 1, 0], spring: { frequency } });
  for (let k = 0; k < 60; k++) physics.step();
  expect(physics.components.Transform.position.y[ball]).toBeCloseTo(1, 6);
  expect(Math.abs(physics.components.Attachment.force.y[tie])).toBeLessThan(100);
});

// Before: 1.3 mm, 8 mm and 5 cm short of their sag g/ω².
test.each([5, 2, 0.5])('a spring of %f Hz and much damping ends its way before it sleeps', (frequency) => {
  const physics = createPhysics(createWorld());
  const ball = addRigidBody(physics, { shape: { sphere: 0.2 }, position: [0, 0, 0], mass: 7 });
  const spring = { frequency, dampingRatio: 5 };
  const slider = addJoint(physics, { type: 'slider', a: ball, axis: [0, 1, 0], limits: [0, 0], spring });
  const { Joint, Sleeping } = physics.components;
  for (let k = 0; k < 2400 && !hasComponent(physics.world, ball, Sleeping); k++) physics.step();
  expect(hasComponent(physics.world, ball, Sleeping)).toBe(true);
  expect(Math.abs(Joint.value[slider] + 9.81 / (2 * Math.PI * frequency) ** 2)).toBeLessThan(3e-4);
});
