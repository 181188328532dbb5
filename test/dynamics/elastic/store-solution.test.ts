// What the end of a solve leaves behind, object by object.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { forgetDuals } from '../../../src/dynamics/elastic/store-solution';
import { addRod, createPhysics, type Physics, removeRod, rodPositions } from '../../../src/index';
import { STRAND_ASLEEP } from '../../../src/state/layout';

function addLine(physics: Physics, count: number, z: number): number {
  const points = Array.from({ length: count }, (_, i) => [0.01 * i, 1, z]);
  return addRod(physics, { points, radius: 0.002, density: 1000, youngModulus: 1e7, clampStart: true });
}

test('λ of what is awake is forgotten, of what sleeps it is kept, whatever lies beside it', () => {
  const physics = createPhysics(createWorld(), { sleeping: false });
  const lengths = [3, 5, 4, 6, 3, 7];
  lengths.forEach((count, k) => void addLine(physics, count, k));
  physics.step();
  const { strands, nodes } = physics.internal.engine.tables;
  for (let asleep = 0; asleep < 2 ** lengths.length; asleep++) {
    nodes.dual.fill(1);
    lengths.forEach((_, s) => {
      if ((asleep >> s) & 1) strands.flags[s] |= STRAND_ASLEEP;
      else strands.flags[s] &= ~STRAND_ASLEEP;
    });
    forgetDuals(physics.internal.engine);
    lengths.forEach((count, s) => {
      const start = 4 * strands.first[s];
      const kept = Array(4 * count).fill((asleep >> s) & 1);
      expect([asleep, s, ...nodes.dual.subarray(start, start + 4 * count)]).toEqual([asleep, s, ...kept]);
    });
  }
});

test('strands are put in groups anew in every step: longer ones that have been there leave nothing behind', () => {
  const [alone, after] = [false, true].map((isAfter) => {
    const physics = createPhysics(createWorld(), { sleeping: false });
    const rods = [4, 9, 4].map((count, k) => addLine(physics, count, k));
    // Lengths from 1024 on are counted together.
    const longer = isAfter ? [30, 1100].map((count, k) => addLine(physics, count, 5 + k)) : [];
    for (let k = 0; k < 3; k++) physics.step();
    for (const rod of longer) removeRod(physics, rod);
    for (let k = 0; k < 3; k++) physics.step();
    return rods.flatMap((rod) => Array.from(rodPositions(physics, rod)));
  });
  expect(after).toEqual(alone);
});
