// Two machines with the same inputs, as netcode has it: one goes straight on, the other guesses wrong, goes back over
// and over, and plays on from what it kept, packed or plain, from its own snapshots or the other's. They stay the same
// to the bit, with the same entities.

import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../src/core/random';
import { findBrokenInvariants } from '../../src/debug/validate';
import type * as S from '../../src/index';
import { bySuite } from '../setup/suite';
import { worldFacts } from '../systems/world-facts';
import { ACTIONS, act, type Game, makeGame, watch } from './random-game';
import { isRareTold } from './rare-told';
import { rounds, seed } from './rounds';

const STEPS = bySuite(40, 90);
/** Steps that a snapshot is kept for. */
const WINDOW = 8;

const INPUTS = ACTIONS.filter((action) => action !== watch);

type Lists = Pick<Game, 'bodies' | 'rods' | 'shells' | 'solids' | 'ties' | 'joints' | 'walkers' | 'chassis'>;

function listsOf({ bodies, rods, shells, solids, ties, joints, walkers, chassis }: Lists): Lists {
  const copy = { bodies, rods, shells, solids, ties, joints, walkers, chassis };
  return Object.fromEntries(Object.entries(copy).map(([name, list]) => [name, list.slice()])) as unknown as Lists;
}

/** One step with the inputs of `step`, as the player gave them (`guess` 0) or as they were guessed. */
function play(game: Game, start: number, step: number, guess: number): void {
  game.random = createRandom(start + 1000 * step + 7 * guess);
  for (let n = Math.floor(3 * game.random()); n > 0; n--) act(game, INPUTS);
  game.physics.step();
}

interface Kept {
  readonly step: number;
  readonly lists: Lists;
  snapshot: S.Snapshot;
}

/** What is to be the same after each step. */
interface Told {
  readonly hash: string;
  readonly lists: Lists;
  readonly facts: string | null;
}

function look(game: Game, withFacts: boolean): Told {
  const facts = withFacts ? JSON.stringify(worldFacts(game.physics)) : null;
  return { hash: game.physics.hash(), lists: listsOf(game), facts };
}

function keep(game: Game, step: number, random: Random, spent: S.Snapshot | null): Kept {
  const snapshot = game.physics.snapshot(spent);
  if (random() < 0.2) game.physics.packSnapshot(snapshot);
  return { step, lists: listsOf(game), snapshot };
}

function goBack(game: Game, { lists, snapshot }: Kept): void {
  game.physics.restore(snapshot);
  Object.assign(game, listsOf(lists));
  const { arena, tables } = game.physics.internal.engine;
  expect(findBrokenInvariants(arena, tables)).toEqual([]);
  expect(isRareTold(game.physics)).toBe(true);
}

/** Plays on from `step`; the ring keeps each step before it is taken. Returns the snapshots. */
function straight(start: number): { told: Told[]; kept: Kept[] } {
  const game = makeGame(createRandom(start));
  const random = createRandom(start + 1);
  const told: Told[] = [];
  const kept: Kept[] = [];
  for (let step = 0; step < STEPS; step++) {
    kept.push(keep(game, step, random, null));
    play(game, start, step, 0);
    told.push(look(game, step % 10 === 0));
  }
  return { told, kept };
}

const WORLDS = rounds(bySuite(1, 2), 100);

test.each(Array.from({ length: WORLDS }, (_, k) => seed() + 10_000_000 * k))(
  'a peer that guesses and goes back has what the other has, seed %i',
  (start) => {
    const { told, kept } = straight(start);
    const game = makeGame(createRandom(start));
    const { physics } = game;
    const random = createRandom(start + 2);
    const ring: Kept[] = [];
    let foreign = 0;
    for (let step = 0; step < STEPS; ) {
      const spent = ring.length === WINDOW && random() < 0.8 ? (ring.shift() as Kept).snapshot : null;
      ring.push(keep(game, step, random, spent));
      if (random() < 0.25) {
        const guesses = 1 + Math.floor(4 * random());
        for (let k = 0; k < guesses; k++) play(game, start, step + k, 1 + Math.floor(3 * random()));
        if (random() < 0.3) physics.packSnapshot(ring[Math.floor(ring.length * random())].snapshot);
        goBack(game, ring[ring.length - 1]);
      }
      if (random() < 0.1) {
        // The other's moment in place of ours: between the steps that both have taken all entities are the same.
        if (random() < 0.5) physics.packSnapshot(ring[Math.floor(ring.length * random())].snapshot);
        goBack(game, kept[step]);
        foreign++;
      }
      play(game, start, step, 0);
      expect(look(game, step % 10 === 0), `step ${step}`).toEqual(told[step]);
      step++;
      if (random() < 0.15) {
        const at = Math.floor(ring.length * random());
        goBack(game, ring[at]);
        step = ring[at].step;
        ring.length = at;
      }
    }
    expect(foreign).toBeGreaterThan(0);
  },
);
