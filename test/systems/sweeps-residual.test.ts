// The residual of the sweeps is that of the problem they solved, not of the gaps that their velocities lead to.

import { expect, it } from 'vitest';
import { addRigidBody } from '../../src/index';
import { createGround } from '../validation/worlds';

it('balls that come down to the ground do not count with their speed', () => {
  const world = createGround(0.5, { solver: 'gauss-seidel' });
  for (let i = 0; i < 20; i++) {
    const position = [3 * i - 30, 2 + 0.01 * i, 0];
    addRigidBody(world.physics, { shape: { sphere: 0.5 }, position, velocity: [0, -3, 0], friction: 0.5 });
  }
  let swept = 0;
  for (let k = 0; k < 60; k++) {
    world.physics.step();
    const { residual, solvers } = world.physics.report;
    swept += solvers.sweeps.islands;
    expect(residual).toBeLessThan(1e-3);
  }
  expect(swept).toBeGreaterThan(0);
});
