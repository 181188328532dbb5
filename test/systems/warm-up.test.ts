// physics.warmUp: what the first frame would wait for, and nothing else.

import { expect, it } from 'vitest';
import { addRigidBody, type Physics } from '../../src/index';
import * as L from '../../src/state/layout';
import { longTest } from '../setup/suite';
import { createGround } from '../validation/worlds';

function createHeap(): Physics {
  const { physics } = createGround(0.5);
  for (let i = 0; i < 30; i++)
    addRigidBody(physics, { shape: { box: [0.3, 0.3, 0.3] }, position: [0.01 * i, 1 + i, 0] });
  return physics;
}

longTest('makes the bodies that wait to be made, and changes no result', () => {
  const warm = createHeap();
  const cold = createHeap();
  const made = () => warm.internal.engine.arena.i32[L.BODY_COUNT >> 2];
  expect(made()).toBe(0);
  warm.warmUp();
  expect(made()).toBe(31);
  warm.warmUp();
  for (let k = 0; k < 40; k++) {
    warm.step();
    cold.step();
  }
  expect(warm.hash()).toBe(cold.hash());
});

it('is refused inside a step and after dispose', () => {
  const physics = createHeap();
  let error: unknown;
  physics.schedule.before('find-pairs', () => {
    try {
      physics.warmUp();
    } catch (thrown) {
      error = thrown;
    }
  });
  physics.step();
  expect(String(error)).toMatch('physics.warmUp');
  physics.dispose();
  expect(() => physics.warmUp()).toThrow('physics.warmUp');
});
