// Pairs that are known to be too far apart are not looked at: nothing may come of it but time.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random';
import { addRigidBody, createPhysics, type Physics, teleport } from '../../src/index';
import * as L from '../../src/state/layout';
import { bySuite, longTest } from '../setup/suite';

const SHAPES = [
  { box: [0.3, 0.2, 0.4] },
  { sphere: 0.3 },
  { capsule: [0.2, 0.25] },
  { cylinder: [0.25, 0.3] },
  { cone: [0.3, 0.3] },
] as const;

function makePile(): { physics: Physics; bodies: number[] } {
  const random = createRandom(5);
  const physics = createPhysics(createWorld(), { sleeping: false });
  addRigidBody(physics, { type: 'static', shape: { box: [4, 1, 4] }, position: [0, -1, 0] });
  const bodies: number[] = [];
  for (let i = 0; i < 60; i++) {
    const turn = [random() - 0.5, random() - 0.5, random() - 0.5, 0.6];
    const length = Math.hypot(...turn);
    bodies.push(
      addRigidBody(physics, {
        shape: SHAPES[i % SHAPES.length],
        position: [((i % 4) - 1.5) * 0.8, 0.6 + Math.floor(i / 16) * 0.9, ((Math.floor(i / 4) % 4) - 1.5) * 0.8],
        rotation: turn.map((x) => x / length),
      }),
    );
  }
  return { physics, bodies };
}

/** Clearances of all pairs [m], with the paths of their colliders in them. */
function clearances(physics: Physics): Float64Array {
  const { cache } = physics.internal.engine.tables.pairs;
  return new Float64Array(cache.buffer, cache.byteOffset, cache.length / 2);
}

function countPassedOver(physics: Physics): number {
  const { arena, tables } = physics.internal.engine;
  const { pairs, colliders } = tables;
  const known = clearances(physics);
  let count = 0;
  for (let i = 0; i < arena.i32[L.ACTIVE_COUNT >> 2]; i++) {
    const pair = pairs.activeList[i];
    const reach = colliders.path[2 * pairs.colliderA[pair] + 1] + colliders.path[2 * pairs.colliderB[pair] + 1];
    if (known[2 * pair + 1] > reach + 1.001 * physics.settings.speculativeDistance) count++;
  }
  return count;
}

/** Of a pile that has begun to lie, and after one of its bodies was moved. */
const STEPS = bySuite(30, 120);

longTest('a pile goes the same way, bit for bit, whether its clearances are known or forgotten in every step', () => {
  const kept = makePile();
  const forgotten = makePile();
  let passedOver = 0;
  for (let step = 0; step < 2 * STEPS; step++) {
    for (const { physics, bodies } of [kept, forgotten]) {
      if (step === STEPS) teleport(physics, bodies[7], [0, 2.5, 0], [0, 0, 0, 1]);
      physics.step();
    }
    const known = clearances(forgotten.physics);
    for (let i = 1; i < known.length; i += 2) known[i] = 0;
    passedOver += countPassedOver(kept.physics);
    expect(kept.physics.hash(), `step ${step}`).toBe(forgotten.physics.hash());
  }
  expect(passedOver).toBeGreaterThan(1000);
});

test('a body that is moved by hand beside another one touches it in the same step', () => {
  const physics = createPhysics(createWorld(), { sleeping: false, gravity: [0, 0, 0] });
  addRigidBody(physics, { shape: { sphere: 0.5 }, position: [0, 0, 0] });
  const second = addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [1.03, 0, 0] });
  for (let step = 0; step < 5; step++) physics.step();
  expect(physics.report.points).toBe(0);
  teleport(physics, second, [0.99, 0, 0], [0, 0, 0, 1]);
  physics.step();
  expect(physics.report.points).toBe(1);
  expect(physics.report.penetration).toBeCloseTo(0.01, 12);
});
