// Thin sticks that hang from a carriage: friction at their ends must not drive them faster and faster.

import { createWorld } from 'bitecs';
import { expect, it } from 'vitest';
import { addJoint, addRigidBody, createPhysics } from '../../src';

it('a carriage with hanging sticks that drives into a post wins no speed by it', () => {
  for (const [speed, spin, radius] of [[30, 0, 0.01]]) {
    const physics = createPhysics(createWorld());
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    addRigidBody(physics, { type: 'static', shape: { box: [0.1, 1.5, 0.1] }, position: [2, 1.5, 0] });
    const velocity = [speed, 0, 0];
    const carriage = addRigidBody(physics, {
      shape: { box: [0.4, 0.1, 0.3] },
      mass: 20,
      position: [0, 2, 0],
      velocity,
    });
    const sticks = [-0.25, 0, 0.25].map((x) => {
      const position = [x, 2 - 0.1 - 0.3 - radius, 0];
      const shape = { capsule: [radius, 0.3] as const };
      const stick = addRigidBody(physics, { shape, mass: 0.5, position, velocity, angularVelocity: [0, spin, 0] });
      addJoint(physics, { type: 'ball', a: stick, b: carriage, anchor: [x, 1.9, 0] });
      return stick;
    });
    const { x, y, z } = physics.components.Velocity.linear;
    let fastest = 0;
    for (let step = 0; step < 120; step++) {
      physics.step();
      for (const eid of [carriage, ...sticks]) fastest = Math.max(fastest, Math.hypot(x[eid], y[eid], z[eid]));
    }
    expect([speed, spin, radius, fastest < 3 * speed + 10 || fastest]).toEqual([speed, spin, radius, true]);
  }
});
