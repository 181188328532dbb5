// Bodies that are solved with strands bounce as others do.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { addRigidBody, addRod, createPhysics, type Physics } from '../../../src/index';

const E = 0.8;

function makeWorld(backend: 'wasm' | 'reference'): Physics {
  const physics = createPhysics(createWorld(), { userTiming: false, sleeping: false, elastic: { backend } });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, restitution: E });
  return physics;
}

/** Heights above the ground of the first peaks after the ball is let go. */
function peaks(physics: Physics, ball: number, count: number, radius: number): number[] {
  const { y } = physics.components.Transform.position;
  const found: number[] = [];
  let [before, last] = [0, y[ball]];
  for (let i = 0; i < 900 && found.length < count; i++) {
    physics.step();
    const now = physics.components.Transform.position.y[ball];
    if (i > 1 && last >= before && now < last) found.push(last - radius);
    before = last;
    last = now;
  }
  return found;
}

describe.each(['wasm', 'reference'] as const)('%s', (backend) => {
  test('each peak of a ball with a thread on it is e² as high as the last', () => {
    const physics = makeWorld(backend);
    const ball = addRigidBody(physics, {
      shape: { sphere: 0.1 },
      position: [0, 2.1, 0],
      mass: 5,
      restitution: E,
      mask: 1,
    });
    // So light that it changes nothing.
    addRod(physics, {
      points: [0, 1, 2, 3].map((i) => [0.11 + 0.02 * i, 2.1, 0]),
      radius: 1e-4,
      density: 1000,
      attachStart: ball,
      layers: 2,
      mask: 2,
    });
    const heights = [2, ...peaks(physics, ball, 4, 0.1)];
    expect(heights).toHaveLength(5);
    for (let k = 1; k < heights.length; k++) {
      expect(Math.abs(heights[k] / heights[k - 1] / (E * E) - 1)).toBeLessThan(0.02);
    }
  });

  test('a body below the threshold, or without restitution, does not bounce', () => {
    const physics = makeWorld(backend);
    const box = addRigidBody(physics, {
      shape: { box: [0.2, 0.2, 0.2] },
      position: [0, 0.21, 0],
      restitution: E,
      mass: 3,
    });
    addRod(physics, {
      points: [0, 1, 2, 3].map((i) => [0.21 + 0.02 * i, 0.21, 0]),
      radius: 1e-4,
      density: 1000,
      attachStart: box,
      layers: 2,
      mask: 2,
    });
    let highest = 0;
    for (let i = 0; i < 60; i++) {
      physics.step();
      if (i > 10) highest = Math.max(highest, physics.components.Transform.position.y[box]);
    }
    expect(Math.abs(highest - 0.2)).toBeLessThan(1e-3);
  });
});
