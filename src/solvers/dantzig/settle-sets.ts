/**
 * Outer passes: solve the clamped system of the current sets, move every contact that breaks its
 * set's inequality, re-aim every friction against its sliding, until the residual says Coulomb.
 *
 * One pass is one Newton step on the equations of the sets. With last step's sets and impulses it is
 * the whole solve; from nearby sets it ends in a few passes. It may cycle: then it says so, and the
 * pivoting of `drive-to-zero` takes over.
 */

import { OPEN, SLIDE, STICK } from '../../core/contact-law-constants';
import { type ContactProblem, contactScale, velocityOf } from '../contact-problem';
import { solveBracketed } from '../local/bracketed';
import { residualAt } from '../residual';
import {
  alignRows,
  LAW_BILATERAL,
  LAW_BOUNDED,
  ROW_SETS,
  revisedRow,
  rowState,
  setOfRows,
  withRowState,
} from '../row-law';
import { buildFactor, clampedError, clampedStep, matchFactor } from './clamped-factor';
import { type DantzigWork, HELD_NONE, HELD_SLIDE } from './work';

/** Passes without a better residual or fewer violations after which the sets count as cycling. */
const STALL_LIMIT = 5;

/**
 * Added to the diagonal while many contacts still change sets [-]. Undamped, redundant sliding rows
 * send the step anywhere. Measured on 260 stacks hit hard, arches and random piles: 0.01 leaves half as
 * many to pivoting as no damping; 0.1 and 0.0001 are no better than none.
 */
const DAMPING = 0.01;

/** Passes from which on damping is used: with more than a FEW contacts changing, and with any. */
const DAMPED_FROM = 2;
const DAMPED_LATE = 5;
const FEW = 2;

/** How stale held friction directions may be: at first, and once passes converge badly. */
const COARSE = 0.01;
const FINE = 1e-9;

/** Counts of a solve, shared by its stages. */
export interface PassCounts {
  outerPasses: number;
  factorRebuilds: number;
  factorUpdates: number;
  pivots: number;
  cycles: number;
  rays: number;
}

/** Keeps r and its sets if it is the best seen; returns its residual [m/s]. u must belong to r. */
export function keepBest(problem: ContactProblem, work: DantzigWork, r: Float64Array): number {
  const residual = residualAt(problem, r, work.u);
  if (residual < work.bestResidual) {
    work.bestResidual = residual;
    const n = problem.contactCount;
    for (let i = 0; i < 3 * n; i++) work.best[i] = r[i];
    for (let c = 0; c < n; c++) work.bestSets[c] = work.sets[c];
  }
  return residual;
}

/** Puts r and the sets back to the best seen, and u with them. */
export function returnToBest(problem: ContactProblem, work: DantzigWork, r: Float64Array): void {
  const n = problem.contactCount;
  for (let i = 0; i < 3 * n; i++) r[i] = work.best[i];
  for (let c = 0; c < n; c++) work.sets[c] = work.bestSets[c];
  alignFriction(problem, work, r);
  velocityOf(work.u, problem, r);
}

/** Makes r obey its sets: zero where open, inside the cone where stuck, on it where sliding. */
export function alignFriction(problem: ContactProblem, work: DantzigWork, r: Float64Array): void {
  const { sets, direction } = work;
  const { mu, contactCount, law } = problem;
  for (let c = 0; c < contactCount; c++) {
    const at = 3 * c;
    // Between two immovable bodies no impulse does anything.
    const isDead = contactScale(problem, c) === 0;
    if (law && law[c] === LAW_BILATERAL && !isDead) {
      sets[c] = STICK;
      continue;
    }
    if (law && law[c] === LAW_BOUNDED && !isDead) {
      if (sets[c] < ROW_SETS) sets[c] = setOfRows(problem, r, c);
      alignRows(problem, r, c, sets[c]);
      continue;
    }
    if (isDead) sets[c] = OPEN;
    if (sets[c] !== OPEN && mu[c] === 0) sets[c] = SLIDE;
    if (sets[c] !== OPEN && !(r[at] > 0)) r[at] = 0;
    if (sets[c] === OPEN || r[at] === 0) {
      if (sets[c] === OPEN) r[at] = 0;
      r[at + 1] = 0;
      r[at + 2] = 0;
      continue;
    }
    const length = Math.sqrt(r[at + 1] * r[at + 1] + r[at + 2] * r[at + 2]);
    const limit = mu[c] * r[at];
    if (sets[c] === SLIDE && length > 0) aim(direction, c, r[at + 1], r[at + 2], length);
    if (sets[c] === SLIDE) {
      r[at + 1] = limit * direction[2 * c];
      r[at + 2] = limit * direction[2 * c + 1];
    } else if (length > limit) {
      r[at + 1] *= limit / length;
      r[at + 2] *= limit / length;
    }
  }
}

function aim(direction: Float64Array, c: number, x: number, y: number, length: number): void {
  direction[2 * c] = x / length;
  direction[2 * c + 1] = y / length;
}

/** r := r + share step, and the friction of sliding contacts turned with it, back onto the cone. */
export function applyStep(problem: ContactProblem, work: DantzigWork, r: Float64Array, share = 1): void {
  const { step, held, direction } = work;
  const { mu, contactCount } = problem;
  for (let c = 0; c < contactCount; c++) {
    if (held[c] === HELD_NONE) continue;
    const at = 3 * c;
    r[at] += share * step[at];
    r[at + 1] += share * step[at + 1];
    r[at + 2] += share * step[at + 2];
    if (held[c] !== HELD_SLIDE || r[at] <= 0) continue;
    const length = Math.sqrt(r[at + 1] * r[at + 1] + r[at + 2] * r[at + 2]);
    if (length === 0) continue;
    aim(direction, c, r[at + 1], r[at + 2], length);
    r[at + 1] = mu[c] * r[at] * direction[2 * c];
    r[at + 2] = mu[c] * r[at] * direction[2 * c + 1];
  }
}

/**
 * Moves every contact that breaks its set by more than `slack` [m/s] to another one and puts its r
 * where that set wants it. A contact that slides slower than `eager` [m/s] is tried as stick, once: where all
 * friction is at its limit and nothing slides (a stack shoved as one) passes would only creep up on that.
 * Returns how many moved.
 */
function reviseSets(problem: ContactProblem, work: DantzigWork, r: Float64Array, slack: number, eager: number): number {
  const { sets, u, direction, scale, scaleAt, local, count } = work;
  const { mu, contactCount, law, diagonal, values } = problem;
  let moved = 0;

  for (let c = 0; c < contactCount; c++) {
    if (law && law[c] === LAW_BILATERAL) continue;
    const at = 3 * c;
    const set = sets[c];
    if (law && law[c] === LAW_BOUNDED) {
      if (set >= ROW_SETS && reviseRows(problem, work, r, c, slack)) moved++;
      continue;
    }

    if (set === OPEN) {
      if (u[at] >= -slack) continue;
      // A closing contact starts as it would alone: stuck, or sliding against its own friction.
      for (let i = 0; i < 3; i++) local[3 + i] = u[at + i];
      sets[c] = solveBracketed(local, 0, values, 9 * diagonal[c], local, 3, mu[c]);
      // Between two immovable bodies nothing can be done.
      if (sets[c] === OPEN) continue;
      const length = Math.sqrt(local[1] * local[1] + local[2] * local[2]);
      if (length > 0) aim(direction, c, local[1], local[2], length);
      moved++;
      continue;
    }

    // λ r is compared with velocities.
    const s = scale[scaleAt + c];
    const impulseSlack = slack * s * s;

    if (r[at] < -impulseSlack) {
      sets[c] = OPEN;
      r[at] = 0;
      r[at + 1] = 0;
      r[at + 2] = 0;
      moved++;
    } else if (set === STICK) {
      const length = Math.sqrt(r[at + 1] * r[at + 1] + r[at + 2] * r[at + 2]);
      const limit = mu[c] * Math.max(r[at], 0);
      if (length <= limit + impulseSlack) continue;
      sets[c] = SLIDE;
      aim(direction, c, r[at + 1], r[at + 2], length);
      r[at + 1] = limit * direction[2 * c];
      r[at + 2] = limit * direction[2 * c + 1];
      moved++;
    } else if (mu[c] > 0) {
      const speed = -(u[at + 1] * direction[2 * c] + u[at + 2] * direction[2 * c + 1]);
      if (speed >= -slack && (speed >= eager || count[c]++ > 0)) continue;
      sets[c] = STICK;
      moved++;
    }
  }

  return moved;
}

/** The same for the rows of a bounded block; whether any moved. */
function reviseRows(problem: ContactProblem, work: DantzigWork, r: Float64Array, c: number, slack: number): boolean {
  const { sets, u, scale, scaleAt } = work;
  const s = scale[scaleAt + c];
  let set = sets[c];
  for (let i = 0; i < 3; i++) {
    const row = 3 * c + i;
    set = withRowState(set, i, revisedRow(problem, row, rowState(set, i), r[row], u[row], slack, slack * s * s));
  }
  if (set === sets[c]) return false;
  sets[c] = set;
  alignRows(problem, r, c, set);
  return true;
}

/**
 * Passes from the current r and sets (r obeying them) until the residual is at most `target` [m/s],
 * the sets cycle, or `passLimit` passes are used. Returns whether the target was met; the best
 * iterate is kept in `work` in any case.
 */
export function settleSets(
  problem: ContactProblem,
  work: DantzigWork,
  r: Float64Array,
  target: number,
  passLimit: number,
  counts: PassCounts,
  onCheck?: (steps: number, residual: number) => void,
): boolean {
  const { u } = work;
  // Once passes are made, one more is worth its price. A start is left alone only if it is better still: what is left
  // undone now adds up over the steps, and comes back as many sets changed at once.
  const fine = 0.01 * target;
  const good = 0.1 * fine;
  const slack = 0.1 * target;
  velocityOf(u, problem, r);
  let residual = keepBest(problem, work, r);
  let isPolished = false;
  let fewest = Number.POSITIVE_INFINITY;
  let stalled = 0;
  work.turnTolerance = COARSE;
  work.count.fill(0, 0, problem.contactCount);
  work.damping = 0;
  let moved = reviseSets(problem, work, r, slack, -slack);
  if (moved > 0) velocityOf(u, problem, r);
  for (let pass = 0; pass < passLimit; pass++) {
    if (moved === 0 && (residual <= (pass === 0 ? good : fine) || (residual <= target && isPolished))) return true;
    if (residual <= target) isPolished = true;
    counts.outerPasses++;

    // One Newton step on the sets as they are.
    work.damping = moved > (pass < DAMPED_LATE ? FEW : 0) && pass >= DAMPED_FROM ? DAMPING : 0;
    const switched = matchFactor(problem, work, r);
    if (switched < 0) counts.factorRebuilds++;
    else counts.factorUpdates += switched;
    const before = clampedError(problem, work);
    clampedStep(problem, work);
    applyStep(problem, work, r);
    velocityOf(u, problem, r);

    // A factor of last step's W is a preconditioner only: once it no longer serves, form it anew.
    if (!work.isFresh && clampedError(problem, work) > Math.max(0.1 * before, slack)) {
      buildFactor(problem, work, r);
      counts.factorRebuilds++;
      clampedStep(problem, work);
      applyStep(problem, work, r);
      velocityOf(u, problem, r);
    }

    const after = clampedError(problem, work);
    if (after > 0.1 * before) work.turnTolerance = FINE;

    // What the step has left undone in the clamped rows says nothing about sets.
    moved = reviseSets(problem, work, r, Math.max(slack, after), after > target ? after : -slack);
    if (moved > 0) velocityOf(u, problem, r);
    const known = work.bestResidual;
    residual = keepBest(problem, work, r);
    onCheck?.(counts.outerPasses + counts.pivots, work.bestResidual);
    if (residual < 0.7 * known || moved < fewest) stalled = 0;
    else if (++stalled > STALL_LIMIT) break;
    fewest = Math.min(fewest, moved);
  }
  return work.bestResidual <= target;
}
