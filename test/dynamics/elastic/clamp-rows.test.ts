// Clamps keep their place in the world whatever becomes of the body that they follow.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { leaveClampsInWorld, placeClamp, rebaseClamps } from '../../../src/dynamics/elastic/clamp-rows';
import { addRigidBody, addRod, createPhysics } from '../../../src/index';
import { clampTarget } from '../../../src/mechanics/rod/clamps';

const HALF = Math.SQRT1_2;

/** A rod clamped at both ends to a body that is turned and out of the way. */
function clampedRod() {
  const physics = createPhysics(createWorld(), { userTiming: false, gravity: [0, 0, 0] });
  const body = addRigidBody(physics, { shape: { sphere: 0.1 }, position: [3, 1, -2], rotation: [0, HALF, 0, HALF] });
  const points = [0, 1, 2, 3, 4].map((k) => [0.1 * k, 0.02 * k * k, 0] as const);
  const rod = { points, radius: 0.01, density: 1000, youngModulus: 1e6, attachStart: body, attachEnd: body };
  addRod(physics, rod);
  physics.step();
  return physics.internal.engine;
}

/** Where a clamp holds its two nodes and the twist, the body at rest. */
function targets({ tables }: ReturnType<typeof clampedRod>): number[] {
  const out = new Float64Array(8);
  return ([0, 1] as const).flatMap((end) => {
    clampTarget(out, tables, 0, end, 0);
    return Array.from(out.subarray(0, 7));
  });
}

function expectSame(now: number[], before: number[]) {
  for (const [k, x] of now.entries()) expect(Math.abs(x - before[k]), `number ${k}`).toBeLessThan(1e-14);
}

test('a clamp stays where it is when its body goes, and can be placed from there', () => {
  const engine = clampedRod();
  const { strands } = engine.tables;
  const before = targets(engine);
  leaveClampsInWorld(engine, strands.attach[0]);
  expect(Array.from(strands.attach.subarray(0, 2))).toEqual([-1, -1]);
  expectSame(targets(engine), before);
  // Put back where it is without a turn.
  placeClamp(engine.tables, 0, 0, before.slice(0, 3), [0, 0, 0, 1]);
  expectSame(targets(engine), before);
  // A quarter about y: the edge turns with it.
  placeClamp(engine.tables, 0, 0, [1, 2, 3], [0, HALF, 0, HALF]);
  const turned = targets(engine);
  const edge = [4, 5, 6].map((k) => before[k] - before[k - 4]);
  expectSame(turned.slice(0, 3), [1, 2, 3]);
  expectSame(turned.slice(4, 7), [1 + edge[2], 2 + edge[1], 3 - edge[0]]);
});

test('a clamp stays where it is when the centre of its body moves', () => {
  const engine = clampedRod();
  const { strands, bodies } = engine.tables;
  const before = targets(engine);
  const slot = strands.attach[0];
  const shift = [0.1, -0.2, 0.3];
  rebaseClamps(engine, slot, slot, shift);
  // The body's own x is the world's −z, its z the world's x.
  bodies.position[4 * slot] += shift[2];
  bodies.position[4 * slot + 1] += shift[1];
  bodies.position[4 * slot + 2] -= shift[0];
  expectSame(targets(engine), before);
});
