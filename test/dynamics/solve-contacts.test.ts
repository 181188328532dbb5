// `solver: 'dantzig'` where it finds no answer: counts bound what a step may take, and the report tells.

import { expect, test } from 'vitest';
import { addRigidBody } from '../../src/index';
import { createGround } from '../validation/worlds';

test('five boxes jammed between walls take a bounded number of pivots a step, and the report tells', () => {
  const { physics } = createGround(0.6, { solver: 'dantzig' });
  const wall = { box: [0.5, 3, 3] } as const;
  addRigidBody(physics, { type: 'static', shape: wall, position: [3, 3, 0] });
  addRigidBody(physics, { type: 'kinematic', shape: wall, position: [-5, 3, 0], velocity: [20, 0, 0] });
  for (let i = 0; i < 5; i++) {
    addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [1.2 * i - 2.4, 0.5, 0] });
  }
  const told = new Set<string>();
  for (let k = 0; k < 30; k++) {
    physics.step();
    const { passes, pivots } = physics.report.solvers.dantzig;
    // Two solves at most: of what moves the bodies, and of what they keep. The last stage may end its pass.
    expect(passes + pivots, `step ${k}`).toBeLessThan(2 * 140);
    for (const limit of physics.report.limits) if (/found no answer/.test(limit)) told.add(limit);
  }
  expect(told.size).toBeGreaterThan(0);
});
