// A floor of flush static boxes is a floor: what slides over it or is thrown at it goes on as over one large box.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import {
  addRigidBody,
  createPhysics,
  type Physics,
  type PhysicsSettings,
  type RigidBodySpec,
} from '../../src/index.js';
import { rounds, seed } from './rounds.js';

/** Largest share of its speed along the floor that a body may lose over the edges of tiles [-]. */
const LOSS = 0.005;

type Floor = (physics: Physics) => void;

const large: Floor = (physics) => {
  addRigidBody(physics, { type: 'static', shape: { box: [30, 0.5, 3] }, position: [0, -0.5, 0], friction: 0 });
};

const tiles: Floor = (physics) => {
  for (let x = -30; x < 30; x++) {
    for (let z = -1; z <= 1; z++) {
      const position = [x + 0.5, -0.5, z];
      addRigidBody(physics, { type: 'static', shape: { box: [0.5, 0.5, 0.5] }, position, friction: 0 });
    }
  }
};

const compound: Floor = (physics) => {
  const parts = [];
  for (let x = -30; x < 30; x++) {
    for (let z = -1; z <= 1; z++) {
      parts.push({ shape: { box: [0.5, 0.5, 0.5] as const }, position: [x + 0.5, -0.5, z] as const });
    }
  }
  addRigidBody(physics, { type: 'static', shape: { compound: parts }, friction: 0 });
};

/** Speed along the floor, and the greatest height, after `steps` steps. */
function cross(
  floor: Floor,
  spec: RigidBodySpec,
  steps: number,
  settings: PhysicsSettings,
): { speed: number; top: number } {
  const physics = createPhysics(createWorld(), { sleeping: false, ...settings });
  floor(physics);
  const body = addRigidBody(physics, { friction: 0, ...spec });
  const { Transform, Velocity } = physics.components;
  let top = 0;
  for (let i = 0; i < steps; i++) {
    physics.step();
    top = Math.max(top, Transform.position.y[body]);
  }
  const speed = Velocity.linear.x[body];
  physics.dispose();
  return { speed, top };
}

const bodies = [
  ['ball', { sphere: 0.2 }, 0.2],
  ['box', { box: [0.3, 0.1, 0.2] }, 0.1],
  ['cylinder', { cylinder: [0.3, 0.2] }, 0.2],
] as const;

describe.each(['auto', 'gauss-seidel'] as const)('flush tiles, solver %s', (solver) => {
  test.each(bodies)('a %s slides over them', (_name, shape, height) => {
    const random = createRandom(seed());
    for (let i = 0; i < rounds(4, 40); i++) {
      const v = 0.1 * 300 ** random();
      const spec = { shape, position: [-12 + random(), height, random() - 0.5], velocity: [v, 0, 0] };
      const steps = Math.min(120, Math.floor((20 / v) * 60));
      const { speed, top } = cross(i % 2 === 0 ? tiles : compound, spec, steps, { solver });
      expect(Math.abs(speed - v) / v, `${v} m/s`).toBeLessThan(LOSS);
      expect(top, `${v} m/s`).toBeLessThan(height + 1e-4);
    }
  });

  test.each([0, 0.5])('balls and boxes thrown at them go on, e = %f', (restitution) => {
    const random = createRandom(seed() + 1);
    for (let i = 0; i < rounds(8, 100); i++) {
      const shape = random() < 0.5 ? { sphere: 0.1 } : { box: [0.1, 0.1, 0.1] as const };
      const position = [-12 + random(), 0.5 + random(), random() - 0.5];
      const v = 2 + 13 * random();
      const spec = { shape, position, velocity: [v, -5 * random(), 0], restitution };
      const there = cross(tiles, spec, 60, { solver });
      expect(there.speed / cross(large, spec, 60, { solver }).speed, `${v} m/s`).toBeGreaterThan(1 - LOSS);
    }
  });
});

test('a step is no flush edge: a box stops at one of 1 cm', () => {
  const physics = createPhysics(createWorld(), { sleeping: false });
  large(physics);
  addRigidBody(physics, { type: 'static', shape: { box: [1, 0.01, 1] }, position: [2, 0, 0], friction: 0 });
  const shape = { box: [0.2, 0.2, 0.2] } as const;
  const body = addRigidBody(physics, { shape, position: [0, 0.2, 0], velocity: [0.5, 0, 0], friction: 0 });
  for (let i = 0; i < 240; i++) physics.step();
  expect(physics.components.Transform.position.x[body]).toBeLessThan(0.81);
});

test('nor is a ramp that begins in the floor: a fast box does not enter it', () => {
  const physics = createPhysics(createWorld(), { sleeping: false });
  large(physics);
  const ramp = {
    hull: [
      [0, -0.1, -1],
      [0, -0.1, 1],
      [0, 0, -1],
      [0, 0, 1],
      [3, 1, -1],
      [3, 1, 1],
      [3, -0.1, -1],
      [3, -0.1, 1],
    ],
  };
  addRigidBody(physics, { type: 'static', shape: ramp as never, position: [2, 0, 0], friction: 0 });
  const shape = { sphere: 0.1 };
  const body = addRigidBody(physics, { shape, position: [0, 0.1, 0], velocity: [10, 0, 0], friction: 0 });
  const { position } = physics.components.Transform;
  for (let i = 0; i < 60; i++) {
    physics.step();
    // Height over the slope of 1 in 3, less the radius.
    const over = (3 * position.y[body] - (position.x[body] - 2)) / Math.sqrt(10) - 0.1;
    if (position.x[body] > 2 && position.x[body] < 4.5) expect(over).toBeGreaterThan(-1e-3);
  }
});
