// The loop over islands: each stops by itself, waits for the others, and goes on where a look links it to another.

import { expect, test } from 'vitest';
import {
  addIsland,
  addObject,
  beginRound,
  createIslands,
  linkIslands,
  makeWhole,
  openIsland,
  resetIslands,
} from '../../../src/solvers/elastic/islands';
import { type LoopReport, runRounds } from '../../../src/solvers/elastic/loop';
import type { ContactSide, ElasticSide } from '../../../src/solvers/elastic/ports';
import { nextRound } from '../../../src/solvers/elastic/resting';

const settings = {
  ...{ sweeps: 5, acceleration: false, newCollisionsEvery: 5, resting: true, sleeping: true, sleepShare: 0.01 },
  ...{ geometricCorrection: false, isPaper: false },
};

/**
 * Islands of one object each, of which the first `going` go on from the start; `factors`: what a round leaves of the
 * error. Nothing is looked for but by `onLook`.
 */
function run(
  factors: number[],
  efforts: [number, number][],
  onLook: (islands: ReturnType<typeof createIslands>, look: number) => number,
  going = factors.length,
) {
  const islands = createIslands();
  resetIslands(islands, factors.length, 0);
  efforts.forEach(([iterations, sweeps], i) => {
    addIsland(islands, { iterations, sweeps, tolerance: 1e-3 }, i < going ? 'going' : 'idle');
    addObject(islands, i, i);
  });
  const errors = factors.map(() => 1);
  const rounds = factors.map(() => 0);
  let looks = 0;
  const elastic: ElasticSide = { solve: () => {}, moveAhead: () => {} };
  const contacts: ContactSide = {
    look: () => onLook(islands, looks++),
    project: () => 0,
    update() {
      for (let i = 0; i < islands.count; i++) {
        const island = islands.list[i];
        if (island.state !== 'going') continue;
        island.reached = 0;
        for (let object = island.first; object >= 0; object = islands.next[object]) {
          rounds[object]++;
          errors[object] *= factors[object];
          island.reached = Math.max(island.reached, errors[object]);
        }
      }
    },
    rouse: () => {},
    leave: () => {},
    movingCount: () => 1,
    restingCount: () => 0,
  };
  const report = { contactSolves: 0 } as LoopReport;
  runRounds(elastic, contacts, settings, { timeStep: 1, isSolved: true, looks: true, islands }, report);
  return { report, rounds, looks, islands };
}

test('each island takes the rounds that it takes alone, or waits when it is a tenth of its tolerance off', () => {
  const quick = run([0.1], [[25, 5]], () => 0);
  const slow = run([0.5], [[100, 40]], () => 0);
  const stuck = run([1], [[12, 5]], () => 0);
  expect([quick.rounds, slow.rounds, stuck.rounds]).toEqual([[4], [10], [12]]);
  const all = run(
    [0.1, 0.5, 1],
    [
      [25, 5],
      [100, 40],
      [12, 5],
    ],
    () => 0,
  );
  // Once nothing else goes on, what is done stops.
  expect(all.rounds).toEqual([5, 13, 12]);
  expect(all.report.sweeps).toBe(520);
  expect(all.looks).toBeGreaterThan(2);
  expect(all.report.iterations).toBe(13);
  expect(all.report.status).toBe('iteration-limit');
  expect(all.islands.list.map(({ state }) => state)).toEqual(['converged', 'converged', 'spent']);
});

test('what a look links goes on as one island, with the larger effort of the two', () => {
  const { rounds, islands, report } = run(
    [0.1, 0.5],
    [
      [25, 5],
      [100, 40],
    ],
    // The second look, in the tenth round, is the first that finds anything.
    (all, look) => {
      if (look !== 1) return 0;
      linkIslands(all, 0, 1);
      return 1;
    },
  );
  expect(islands.list[0]).toMatchObject({ state: 'converged', iterations: 100, sweeps: 40 });
  expect(islands.list[1]).toMatchObject({ state: 'idle', first: -1 });
  expect(rounds[0]).toBeGreaterThan(4);
  expect(rounds[1]).toBeGreaterThanOrEqual(10);
  expect(report.status).toBe('converged');
});

test('iterations bound the rounds of an object on average, however many idle things are met', () => {
  const count = 11;
  const efforts = Array.from({ length: count }, (): [number, number] => [25, 5]);
  const meet = (all: ReturnType<typeof createIslands>, look: number) => {
    if (look + 1 >= count) return 0;
    linkIslands(all, 0, look + 1);
    return 1;
  };
  const { rounds, report } = run(new Array(count).fill(1), efforts, meet, 1);
  expect(Math.max(...rounds)).toBe(rounds[0]);
  expect(rounds[0]).toBeGreaterThan(25);
  expect(rounds.reduce((sum, own) => sum + own, 0)).toBeLessThanOrEqual(25 * count);
  expect(report.iterations).toBeLessThanOrEqual(25);
});

test('what is met of many that touched nothing counts as one, and gets rounds where the other has none left', () => {
  const islands = createIslands();
  resetIslands(islands, 41, 0);
  const effort = { iterations: 100, sweeps: 5, tolerance: 1e-3 };
  addIsland(islands, effort, 'going');
  addIsland(islands, effort, 'idle');
  for (let object = 0; object < 41; object++) addObject(islands, object === 0 ? 0 : 1, object);
  for (const island of islands.list.slice(0, 2)) openIsland(island, 1, true, 0);
  const [{ rounds }, other] = islands.list;
  while (nextRound(rounds, 1, 1));
  while (nextRound(rounds, 1, 0));
  const { done, spent } = rounds;
  linkIslands(islands, 0, 1);
  expect(islands.list[0].rounds.spent).toBeCloseTo(spent / 2, 12);
  expect(islands.list[0].rounds.done).toBe(Math.floor(done / 2));
  expect(beginRound(islands.list[0], 2, 0)).toBe(true);
  expect(other.state).toBe('idle');
});

test('what a look finds after the last iteration is told as not converged, also where all is one island', () => {
  const islands = makeWhole(createIslands(), { iterations: 4, sweeps: 5, tolerance: 1e-3 });
  let error = 1;
  const elastic: ElasticSide = { solve: () => {}, moveAhead: () => {} };
  const contacts: ContactSide = {
    look: () => 1,
    project: () => 0,
    update() {
      error *= 0.1;
      islands.list[0].reached = error;
    },
    rouse: () => {},
    leave: () => {},
    movingCount: () => 1,
    restingCount: () => 0,
  };
  const report = { contactSolves: 0 } as LoopReport;
  runRounds(elastic, contacts, settings, { timeStep: 1, isSolved: true, looks: true, islands }, report);
  expect(report).toMatchObject({ status: 'iteration-limit', iterations: 4, added: 1 });
});
