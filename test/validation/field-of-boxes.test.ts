// One friction for a box alone and in a field of hundreds, whatever its size: at 0.998 of tan θ / mu it stands, and at
// 1.002 it slides as the closed form says.

import { createWorld } from 'bitecs';
import { expect, it } from 'vitest';
import { addRigidBody, createPhysics } from '../../src/index';
import { bySuite } from '../setup/suite';

const G = 9.81;
const ANGLE = 0.4; // [rad]
const COUNT = bySuite(140, 1000);
const STEPS = bySuite(60, 120);

/** Ways down a slope of tan θ = ratio · mu that boxes of `size` [m] have gone. */
function slide(size: number, friction: number): number[] {
  const gravity: [number, number, number] = [G * Math.sin(ANGLE), -G * Math.cos(ANGLE), 0];
  const physics = createPhysics(createWorld(), { sleeping: false, gravity });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction });
  const half = size / 2;
  const boxes = Array.from({ length: COUNT }, (_, i) =>
    addRigidBody(physics, {
      shape: { box: [half, half, half] },
      position: [3 * size * (i % 32), half, 3 * size * Math.floor(i / 32)],
      friction,
    }),
  );
  for (let k = 0; k < STEPS; k++) physics.step();
  return boxes.map((box, i) => physics.components.Transform.position.x[box] - 3 * size * (i % 32));
}

it.each([0.01, 1, 100])('boxes of %f m stand at 0.998 and slide at 1.002', (size) => {
  const still = slide(size, Math.tan(ANGLE) / 0.998);
  expect(Math.max(...still.map(Math.abs))).toBeLessThan(1e-9 * Math.max(1, size));

  const friction = Math.tan(ANGLE) / 1.002;
  const time = STEPS / 60;
  // Steps end with the velocity of their end: half a step more than the integral.
  const expected = (G * (Math.sin(ANGLE) - friction * Math.cos(ANGLE)) * time * (time + 1 / 60)) / 2;
  const ways = slide(size, friction);
  expect(Math.min(...ways) / expected).toBeGreaterThan(0.999);
  expect(Math.max(...ways) / expected).toBeLessThan(1.001);
});
