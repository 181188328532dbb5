// What keeps the energy of bounces keeps momentum, too, and brakes nothing that no contact can brake.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random';
import { addRigidBody, createPhysics } from '../../src/index';
import { bySuite } from '../setup/suite';

test.each(bySuite([20, 900], [0, 20, 200, 900]))(
  'two planks that spin and collide in free flight at %d m/s keep their momentum',
  (across) => {
    const random = createRandom(7);
    for (let round = 0; round < bySuite(12, 20); round++) {
      const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
      const planks = [-1, 1].map((side) =>
        addRigidBody(physics, {
          shape: { box: [0.5, 0.03, 0.1] },
          mass: 1,
          position: [0.62 * side, 0.05 * side, 0],
          velocity: [-3 * side, across, 0],
          angularVelocity: [60 * random() - 30, 60 * random() - 30, 60 * random() - 30],
          restitution: random(),
          friction: 0.5 * random(),
        }),
      );
      const { linear } = physics.components.Velocity;
      let met = false;
      for (let step = 0; step < 60; step++) {
        physics.step();
        met ||= physics.report.contacts > 0;
        for (const [axis, expected] of [
          ['x', 0],
          ['y', 2 * across],
          ['z', 0],
        ] as const) {
          const momentum = planks.reduce((sum, plank) => sum + linear[axis][plank], 0);
          expect(Math.abs(momentum - expected), `round ${round}, step ${step}`).toBeLessThan(1e-11 * (1 + across));
        }
      }
      expect(met).toBe(true);
      physics.dispose();
    }
  },
);

test.each([0, 0.3, 0.7, 1])('what tumbles over a plane without friction keeps its way, e = %f', (restitution) => {
  const random = createRandom(8);
  for (let round = 0; round < 12; round++) {
    const physics = createPhysics(createWorld());
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0 });
    const shape = round % 2 === 0 ? { box: [0.5, 0.03, 0.1] as const } : { cylinder: [0.3, 0.02] as const };
    const speed = 5 * 4 ** (round % 3);
    const plank = addRigidBody(physics, {
      shape,
      position: [0, 1, 0],
      velocity: [speed, -3 * random(), 0],
      angularVelocity: [60 * random() - 30, 60 * random() - 30, 60 * random() - 30],
      restitution,
      friction: 0,
    });
    for (let step = 0; step < 120; step++) physics.step();
    const { linear } = physics.components.Velocity;
    expect(Math.abs(linear.x[plank] / speed - 1), `round ${round}`).toBeLessThan(1e-12);
    expect(Math.abs(linear.z[plank]), `round ${round}`).toBeLessThan(1e-12 * speed);
    physics.dispose();
  }
});
