// What lands fast on an edge, a corner or an end swings round it within the step: it must
// not swing into what it landed on.

import { createWorld } from 'bitecs';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random';
import { addRigidBody, createPhysics, type ShapeSpec } from '../../src/index';
import { bySuite } from '../setup/suite';
import { axisAngle, multiply } from './worlds';

const SPEED = 13;
/** Most that a body of half a metre may get into another [m]; it moves by 0.22 m a step. */
const DEEPEST = 0.025;

const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [0.25 * x, 0.2 * y, 0.3 * z])));
const shapes: Record<string, ShapeSpec> = {
  box: { box: [0.25, 0.2, 0.3] },
  hull: { hull: corners },
  capsule: { capsule: [0.15, 0.3] },
};

/** Deepest overlap [m] after one body has landed on another that stands on the ground, turned and tilted at random. */
function landingDepth(shape: ShapeSpec, seed: number): number {
  const random = createRandom(seed);
  const physics = createPhysics(createWorld(), { sleeping: false, userTiming: false });
  const turned = (tilt: number) => {
    const axis = [random() - 0.5, 0, random() - 0.5];
    const length = Math.hypot(...axis);
    const lean = axisAngle(
      axis.map((x) => x / length),
      tilt * random(),
    );
    return multiply(lean, axisAngle([0, 1, 0], 6 * random()));
  };
  const lying = 'capsule' in shape ? axisAngle([0, 0, 1], Math.PI / 2) : [0, 0, 0, 1];
  addRigidBody(physics, { type: 'static', shape, position: [0, 0, 0], rotation: multiply(turned(0), lying) });
  const position = [0.2 * (random() - 0.5), 0.6 + 0.3 * random(), 0.2 * (random() - 0.5)];
  const rotation = multiply(turned(0.2), lying);
  addRigidBody(physics, { shape, position, rotation, velocity: [0, -SPEED, 0] });
  let deepest = 0;
  for (let k = 0; k < 8; k++) {
    physics.step();
    deepest = Math.max(deepest, physics.report.penetration);
  }
  return deepest;
}

describe('bodies that land at 13 m/s', () => {
  it.each(Object.keys(shapes).slice(bySuite(-1, 0)))('do not swing into what they land on: %s', (name) => {
    for (let seed = 1; seed <= 40; seed++) {
      expect(landingDepth(shapes[name], seed), `seed ${seed}`).toBeLessThan(DEEPEST);
    }
  });
});
