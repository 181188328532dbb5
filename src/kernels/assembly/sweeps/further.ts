// Further sweeps of a substep: over the rows that still change something, then over those that still miss the law.
//
// In: the list of rows, calls (sweeps/active.ts), tolerances. Out: impulses and velocities.
// What is reported of a step is its largest residual, which a few contacts have: in a heap that is hit most rows are
// far below it, and sweeping all that change by a little is work which nobody sees. So the last substep sweeps what
// changes for a while, with momentum, and then only what misses too much; what a solved row changes is looked at again.
// Falling piles of 1000, four starts of 450 steps: 0.99 of the steps with a residual up to 2 % of the largest free
// velocity by 12.5 further sweeps, where sweeps of all that changes took 26 for 0.83.
// Rejected: a look at all rows after each double sweep; it cost as much as it spared.

import { answerCall, beginSweep, callAll, lastCalled, nextCalled, noticed, spendRow, spent } from './active';
import { beginMomentum, carryOn } from './momentum';
import { solveQuad } from './quad';
import { missesLaw } from './residual';
import { solveManifold } from './solve';

/** Momentum is for heaps of which more than this part of the rows still changes; what is left converges without. */
const CARRIED_SHIFT: i32 = 3;
/** A look at a residual costs this part of a solve, as a shift. */
const LOOK_SHIFT: i32 = 1;

/** Solves row `number` of those that begin at `list`. */
export function solveRow(list: usize, number: i32): void {
  const row = list + ((<usize>number) << 3);
  const m = load<usize>(row);
  answerCall(number);
  if (load<i32>(row, 4) == 1) solveQuad(m);
  else solveManifold(m);
}

/**
 * Further sweeps over the rows, (record, points) in [list, listEnd), whose bodies, in [bodies, end), still change, up
 * and down in turn, until `limit` rows were solved in this step. `carries`: they have momentum.
 */
export function sweepActive(list: usize, listEnd: usize, bodies: usize, end: usize, limit: i32, carries: bool): void {
  if (noticed == 0) return;
  const last = <i32>((listEnd - list) >> 3) - 1;
  if (carries) beginMomentum(list, listEnd, bodies, end);
  for (let isUp = true; noticed > 0 && spent < limit; isUp = !isUp) {
    beginSweep(true);
    let number = isUp ? nextCalled(0) : lastCalled(last);
    while (number >= 0) {
      spendRow();
      solveRow(list, number);
      number = isUp ? nextCalled(number + 1) : lastCalled(number - 1);
    }
    // The last double sweep of all is without, and leaves every row in its cone.
    if (carries && !isUp && noticed > last >> CARRIED_SHIFT && spent + 2 * last < limit) {
      carryOn(list, listEnd, bodies, end);
    }
  }
}

/**
 * Sweeps over the rows in [list, listEnd) that miss too much, until none does or, a look counting half, `limit` were
 * solved; a sweep that was begun is ended.
 */
export function sweepMissed(list: usize, listEnd: usize, limit: i32): void {
  const last = <i32>((listEnd - list) >> 3) - 1;
  let looks = 0;
  callAll();
  for (let isUp = true; spent + (looks >> LOOK_SHIFT) < limit; isUp = !isUp) {
    beginSweep(true);
    let number = isUp ? nextCalled(0) : lastCalled(last);
    if (number < 0) break;
    while (number >= 0) {
      looks++;
      if (missesLaw(list + ((<usize>number) << 3))) {
        spendRow();
        solveRow(list, number);
      } else answerCall(number);
      number = isUp ? nextCalled(number + 1) : lastCalled(number - 1);
    }
  }
}
