// Strands that a device advances: nothing of a step on the CPU touches them, and they come back as they went.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addRod, createPhysics, rodPositions, rodVelocities } from '../../src/index';
import { countAway, isAway, listAway, sendAway, takeBack } from '../../src/state/away-strands';
import * as L from '../../src/state/layout';

test('a rod that is away rests in the tables while others fall, and falls on when it is back', () => {
  const physics = createPhysics(createWorld(), { userTiming: false });
  const [away, here] = [0, 1].map((x) =>
    addRod(physics, { points: [0, 1, 2].map((k) => [x, 1, 0.1 * k] as const), radius: 0.01, density: 1000 }),
  );
  for (let k = 0; k < 5; k++) physics.step();
  const { arena, tables } = physics.internal.engine;
  const state = (rod: number) => [...rodPositions(physics, rod), ...rodVelocities(physics, rod)];
  const before = state(away);
  const calm = state(here);
  sendAway(arena, tables, [0]);
  expect([listAway(arena, tables), countAway(arena, tables), isAway(tables, 1)]).toEqual([[0], 1, false]);
  for (let k = 0; k < 5; k++) physics.step();
  expect(state(away)).toEqual(before);
  const later = state(here);
  expect(later[1]).toBeLessThan(calm[1] - 0.01);
  takeBack(arena, tables, listAway(arena, tables));
  expect([listAway(arena, tables), arena.i32[L.STRAND_ASLEEP_COUNT >> 2]]).toEqual([[], 0]);
  for (let k = 0; k < 5; k++) physics.step();
  // It falls on as the other did after as many steps.
  state(away).forEach((x, k) => {
    if (k % 3 !== 0) expect(x, `number ${k}`).toBeCloseTo(later[k], 9);
  });
});
