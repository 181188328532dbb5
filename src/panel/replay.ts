// Takes a step again: snapshots are kept of the last seconds; a step is repeated from the last one before it, and timed
// some times over. What is slow again lies in the state (contacts, islands, a solver); what is not was the machine's
// (garbage, compilation, another program).

import type { Physics, Snapshot } from '../index';
import { spreadOf } from './statistics';

/** Snapshots are at least this many steps apart, and as far as makes them cost no more a step than COST [ms]. */
const [APART, COST] = [60, 0.03];
/** Snapshots kept, and the bytes that all of them may have: so many at least. */
const [KEPT, BYTES] = [12, 64e6];
/** How often a step is repeated. */
const REPEATS = 5;

export interface Replay {
  /** `physics.stepCount` before the step that was repeated. */
  readonly number: number;
  /** Medians of the repeats [ms]: of each stage, and of the whole step. */
  readonly stages: ReadonlyMap<string, number>;
  readonly total: number;
  /** Whether all repeats ended in the same state. */
  readonly isSame: boolean;
}

export interface Replayer {
  /** Between steps, once a frame; takes a snapshot now and then, and returns what that took [ms]. */
  keep(): number;
  /** Why a step cannot be repeated; null if it can. */
  obstacle(number: number): string | null;
  /** Repeats the step before which `stepCount` was `number`; the world is afterwards as it was before. */
  repeat(number: number): Replay;
}

export function createReplayer(physics: Physics): Replayer {
  const kept: Snapshot[] = [];
  let apart = APART;
  let failure: string | null = null;

  const before = (number: number) => kept.findLast(({ stepCount }) => stepCount <= number);
  const timesOf = (names: readonly string[]) => names.map((name) => physics.profile.milliseconds(name));

  return {
    keep() {
      // Older than now only: games roll back.
      while (kept.length > 0 && kept[kept.length - 1].stepCount > physics.stepCount) kept.pop();
      const last = kept.at(-1);
      if (failure !== null || (last && physics.stepCount < last.stepCount + apart)) return 0;
      const begin = performance.now();
      try {
        const snapshot = physics.snapshot();
        kept.push(snapshot);
        // They stay for seconds.
        physics.packSnapshot(snapshot);
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
        kept.length = 0;
      }
      const cost = performance.now() - begin;
      apart = Math.max(APART, Math.ceil(cost / COST));
      const most = Math.min(KEPT, Math.max(2, Math.floor(BYTES / Math.max(physics.report.memoryBytes, 1))));
      while (kept.length > most) kept.shift();
      return cost;
    },

    obstacle(number) {
      if (failure !== null) return failure;
      return before(number) ? null : 'no snapshot is left from before it';
    },

    repeat(number) {
      const start = before(number);
      if (!start) throw new Error(`replay: no snapshot before step ${number}`);
      const now = physics.snapshot();
      const names = physics.profile.stages;
      const rounds: number[][] = [];
      const hashes = new Set<string>();
      try {
        physics.restore(start);
        while (physics.stepCount < number) physics.step();
        const ready = physics.snapshot();
        for (let round = 0; round < REPEATS; round++) {
          physics.restore(ready);
          physics.step();
          rounds.push([...timesOf(names), physics.profile.stepMilliseconds()]);
          hashes.add(physics.hash());
        }
      } finally {
        physics.restore(now);
      }
      const middle = (i: number) =>
        spreadOf(
          Float64Array.from(rounds, (round) => round[i]),
          REPEATS,
        ).p50;
      return {
        number,
        stages: new Map(names.map((name, i) => [name, middle(i)])),
        total: middle(names.length),
        isSame: hashes.size === 1,
      };
    },
  };
}
