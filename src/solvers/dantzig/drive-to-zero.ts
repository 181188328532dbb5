/**
 * Dantzig's algorithm with friction (Baraff 1994, §§4–6) at velocity level, three-dimensional.
 *
 * The sets: open = NC; stick = C and C_F; slide = C and NC_F, entered with the direction that the
 * friction had then (§5.6). The paper freezes that direction; here it turns with the sliding velocity
 * while other contacts are driven (the turning row of `clamped-factor`). Both were measured, on 260
 * stacks hit hard, arches and random piles: frozen directions cycled on one in ten, since a contact
 * that stops sliding still has a cross velocity then; turning ones hardly do.
 *
 * A clamped row may carry an offset, a velocity still to be driven to zero; all other conditions hold.
 * Each step solves the clamped system for the direction that takes all offsets to zero at once, and
 * goes as far as no condition breaks:
 *   a normal impulse reaches zero            → open
 *   a stuck friction meets the cone (eq. 23) → slide
 *   a sliding speed reaches zero             → stick
 *   an open contact's velocity reaches zero  → clamped
 * When no offset is left, the open contact with the most negative velocity is clamped with that
 * velocity as its offset. Driving normal and friction of a contact together halves the pivots, and
 * offsets (instead of one driven index) let the paper's "give up for now" be a plain release: the
 * contact's impulse is dropped and what that does to others is driven away again.
 *
 * A contact that changes sets again and again in steps of size zero is given up for now; too many of
 * these are reported as cycling. A normal that does not yield to its own impulse (pivot <= 0, dynamic
 * friction only: the unbounded ray of §6) is clamped as stick instead, the impulsive answer, and counted.
 */

import { OPEN, SLIDE, STICK } from '../../core/contact-law-constants';
import { type ContactProblem, contactScale, multiplyOperator, velocityOf } from '../contact-problem';
import { solveBracketed } from '../local/bracketed';
import {
  AT_LOW,
  alignRows,
  LAW_BILATERAL,
  LAW_BOUNDED,
  ROW_FREE,
  ROW_SETS,
  revisedRow,
  rowState,
  withRowState,
} from '../row-law';
import { buildFactor, clampedError, clampedStep, matchFactor, switchContact } from './clamped-factor';
import { alignFriction, applyStep, keepBest, type PassCounts } from './settle-sets';
import type { DantzigWork } from './work';

/** Set changes of one contact without progress in between before it is given up for now. */
const ALTERNATION_LIMIT = 2;

/** Mark of a contact given up for now. */
const ABANDONED = 1 << 20;

/** Smaller root t in [0, 1] of ‖r_T + t dr_T‖ = mu (r_N + t dr_N) for r inside and r + dr outside. */
export function coneCrossing(
  rN: number,
  r1: number,
  r2: number,
  dN: number,
  d1: number,
  d2: number,
  mu: number,
): number {
  // a t² + 2 h t + c = 0 with c <= 0 inside
  const m = mu * mu;
  const a = d1 * d1 + d2 * d2 - m * dN * dN;
  const h = r1 * d1 + r2 * d2 - m * rN * dN;
  const c = r1 * r1 + r2 * r2 - m * rN * rN;
  // On the cone already: out at once, or in first and out at the other root.
  if (c >= -1e-14 * (m * rN * rN)) return h < 0 && a > 0 ? Math.min(1, (-2 * h) / a) : h < 0 ? 1 : 0;
  const disc = h * h - a * c;
  if (disc < 0) return 1;
  const root = Math.sqrt(disc);
  // Stable form; with c < 0 exactly one root is positive for a > 0, and for a < 0 the smaller one counts.
  const t = h + root > 0 ? -c / (h + root) : a !== 0 ? (-h + root) / a : 1;
  return t >= 0 && t <= 1 ? t : 1;
}

/** 'inexact': no condition is left to drive, but the residual is above the tolerance. */
export type DriveEnding = 'solved' | 'inexact' | 'cycling' | 'iteration-limit';

/** Residual over the slack of the conditions up to which an answer counts as one: both sides of a law may use it up. */
const RESIDUAL_SHARE = 10;

/**
 * Pivots from r and sets in `work` until every condition holds to `slack` [m/s].
 * Returns 'solved' only if the residual says so too; r and work.sets hold where it ended.
 */
export function driveToZero(
  problem: ContactProblem,
  work: DantzigWork,
  r: Float64Array,
  slack: number,
  pivotLimit: number,
  counts: PassCounts,
): DriveEnding {
  const { sets, u, step, change, count } = work;
  const { contactCount: n } = problem;
  const limit: Limit = { share: 1, contact: -1, set: OPEN };
  work.turnTolerance = 1e-9;
  work.damping = 0;
  alignFriction(problem, work, r);
  velocityOf(u, problem, r);
  buildFactor(problem, work, r);
  counts.factorRebuilds++;
  count.fill(0, 0, n);
  let givenUp = 0;
  let entered = 0;
  let refinements = 0;

  for (let pivot = 0; pivot < pivotLimit; pivot++) {
    counts.pivots++;
    if (pivot > 0) {
      const switched = matchFactor(problem, work, r);
      if (switched < 0) counts.factorRebuilds++;
      else counts.factorUpdates += switched;
    }
    clampedStep(problem, work);
    multiplyOperator(change, problem, step);

    findLimit(limit, problem, work, r, slack);
    const { share: t, contact: hit, set: hitSet } = limit;

    // `step` stays whole: where the friction of a contact at rest is heading is seen there even when t is 0.
    applyStep(problem, work, r, t);
    velocityOf(u, problem, r);

    if (hit < 0) {
      // All offsets are gone but for the epsilon of the factor, which a few repeats take out.
      if (clampedError(problem, work) > slack && ++refinements < 8) continue;
      refinements = 0;
      const residual = keepBest(problem, work, r);
      count.fill(0, 0, n);
      const entering = findWorstOpen(problem, work, slack);
      if (entering < 0) return residual <= RESIDUAL_SHARE * slack ? 'solved' : 'inexact';
      if (++entered > 3 * n + 8) return 'cycling';
      if (sets[entering] >= ROW_SETS) {
        moveRows(problem, work, r, entering, enteringRows(problem, work, entering, slack), counts);
        continue;
      }
      enterContact(problem, work, r, entering, counts);
      continue;
    }

    // The contact that set the limit changes sets, unless it keeps doing so on the spot.
    if (t > 1e-12) forgetAlternations(count, n);
    if (++count[hit] > ALTERNATION_LIMIT) {
      counts.cycles++;
      if (++givenUp > 2 * n + 8 || hitSet >= ROW_SETS) return 'cycling';
      giveUp(problem, work, r, hit, counts);
      continue;
    }
    moveContact(problem, work, r, hit, hitSet, counts);
  }
  return 'iteration-limit';
}

/** What ends a step: the share of it up to there, the contact whose condition breaks (−1 none), and its next set. */
interface Limit {
  share: number;
  contact: number;
  set: number;
}

function lower(limit: Limit, share: number, contact: number, set: number): void {
  if (!(share < limit.share)) return;
  limit.share = share;
  limit.contact = contact;
  limit.set = set;
}

/** Baraff's maxstep: the first condition to break on the way. */
function findLimit(limit: Limit, problem: ContactProblem, work: DantzigWork, r: Float64Array, slack: number): void {
  const { sets, u, change, count } = work;
  const { contactCount: n, law } = problem;
  limit.share = 1;
  limit.contact = -1;
  limit.set = OPEN;
  for (let c = 0; c < n; c++) {
    if (law && law[c] === LAW_BILATERAL) continue;
    if (law && law[c] === LAW_BOUNDED) {
      if (sets[c] < ROW_SETS) continue;
      const reach = reachOfRows(problem, work, r, c, slack);
      lower(limit, reach.share, c, reach.set);
      continue;
    }
    if (sets[c] !== OPEN) {
      limitClosed(limit, problem, work, r, c, slack);
      continue;
    }
    // Contacts not yet reached by the algorithm, already below zero, are left alone.
    const at = 3 * c;
    if (count[c] >= ABANDONED || u[at] < -slack || u[at] + change[at] >= -slack) continue;
    lower(limit, u[at] > 0 ? -u[at] / change[at] : 0, c, SLIDE);
  }
}

/** Of a contact that sticks or slides: it opens, slides, or comes to rest. */
function limitClosed(
  limit: Limit,
  { mu }: ContactProblem,
  { sets, u, step, change, direction, scale, scaleAt }: DantzigWork,
  r: Float64Array,
  c: number,
  slack: number,
): void {
  const at = 3 * c;
  const s = scale[scaleAt + c];
  const impulseSlack = slack * s * s;
  const endN = r[at] + step[at];
  if (endN < -impulseSlack) lower(limit, r[at] > 0 ? -r[at] / step[at] : 0, c, OPEN);
  if (mu[c] === 0) return;
  if (sets[c] === STICK) {
    const end1 = r[at + 1] + step[at + 1];
    const end2 = r[at + 2] + step[at + 2];
    if (Math.sqrt(end1 * end1 + end2 * end2) <= mu[c] * Math.max(endN, 0) + impulseSlack) return;
    const reach = coneCrossing(r[at], r[at + 1], r[at + 2], step[at], step[at + 1], step[at + 2], mu[c]);
    lower(limit, reach, c, SLIDE);
  } else {
    const speed = -(u[at + 1] * direction[2 * c] + u[at + 2] * direction[2 * c + 1]);
    const gain = -(change[at + 1] * direction[2 * c] + change[at + 2] * direction[2 * c + 1]);
    if (speed + gain >= -slack) return;
    lower(limit, speed > 0 ? -speed / gain : 0, c, STICK);
  }
}

/** Closes a contact as it would be alone. */
function enterContact(
  problem: ContactProblem,
  work: DantzigWork,
  r: Float64Array,
  c: number,
  counts: PassCounts,
): void {
  const { u, local } = work;
  const { diagonal, values, mu } = problem;
  for (let i = 0; i < 3; i++) local[3 + i] = u[3 * c + i];
  const set = solveBracketed(local, 0, values, 9 * diagonal[c], local, 3, mu[c]);
  clampContact(problem, work, r, c, { set, d1: local[1], d2: local[2] }, counts);
}

/** Progress was made: alternations count anew, contacts given up stay so until the offsets are gone. */
function forgetAlternations(count: Int32Array, n: number): void {
  for (let c = 0; c < n; c++) if (count[c] < ABANDONED) count[c] = 0;
}

/** Drops a contact's impulse and leaves its conditions alone until the others hold. */
function giveUp(problem: ContactProblem, work: DantzigWork, r: Float64Array, c: number, counts: PassCounts): void {
  work.count[c] = ABANDONED;
  work.sets[c] = OPEN;
  for (let i = 0; i < 3; i++) r[3 * c + i] = 0;
  switchContact(problem, work, r, c);
  counts.factorUpdates++;
  velocityOf(work.u, problem, r);
}

/** Changes the set of a contact that has reached the border of its own. */
function moveContact(
  problem: ContactProblem,
  work: DantzigWork,
  r: Float64Array,
  c: number,
  set: number,
  counts: PassCounts,
): void {
  const { sets, u, step } = work;
  const at = 3 * c;
  if (set >= ROW_SETS) {
    moveRows(problem, work, r, c, set, counts);
  } else if (set === OPEN) {
    sets[c] = OPEN;
    r[at] = 0;
    r[at + 1] = 0;
    r[at + 2] = 0;
    switchContact(problem, work, r, c);
    counts.factorUpdates++;
  } else if (sets[c] === OPEN) {
    // It closes with the tangential velocity that it has: friction opposes that.
    const next = problem.mu[c] > 0 && isSlow(u, at) ? STICK : SLIDE;
    clampContact(problem, work, r, c, { set: next, d1: -u[at + 1], d2: -u[at + 2] }, counts);
  } else if (set === SLIDE) {
    const atRest = r[at + 1] === 0 && r[at + 2] === 0;
    const way = atRest ? step : r;
    clampContact(problem, work, r, c, { set: SLIDE, d1: way[at + 1], d2: way[at + 2] }, counts);
  } else {
    clampContact(problem, work, r, c, { set: STICK, d1: 0, d2: 0 }, counts);
  }
}

/** Tangential velocity too small to have a direction. */
function isSlow(u: Float64Array, at: number): boolean {
  return Math.abs(u[at + 1]) + Math.abs(u[at + 2]) < 1e-12;
}

/** Puts a contact into stick or slide, friction along (d1, d2) in the latter. Without a direction it sticks. */
function clampContact(
  problem: ContactProblem,
  work: DantzigWork,
  r: Float64Array,
  c: number,
  { set, d1, d2 }: { set: number; d1: number; d2: number },
  counts: PassCounts,
): void {
  const { sets, direction } = work;
  const at = 3 * c;
  const length = Math.sqrt(d1 * d1 + d2 * d2);
  sets[c] = set === SLIDE && problem.mu[c] > 0 && length === 0 ? STICK : set;
  if (sets[c] === SLIDE && problem.mu[c] > 0) {
    direction[2 * c] = d1 / length;
    direction[2 * c + 1] = d2 / length;
    r[at + 1] = problem.mu[c] * r[at] * direction[2 * c];
    r[at + 2] = problem.mu[c] * r[at] * direction[2 * c + 1];
  }
  const pivot = switchContact(problem, work, r, c);
  counts.factorUpdates++;
  if (pivot > 0 || sets[c] !== SLIDE || problem.mu[c] === 0) return;
  counts.rays++;
  sets[c] = STICK;
  switchContact(problem, work, r, c);
  counts.factorUpdates++;
}

/** The open contact, or row at its bound, that closes fastest, −1 if none closes by more than `slack`. */
function findWorstOpen(problem: ContactProblem, work: DantzigWork, slack: number): number {
  const { sets, u } = work;
  let worst = -slack;
  let found = -1;
  for (let c = 0; c < problem.contactCount; c++) {
    if (sets[c] >= ROW_SETS) {
      for (let i = 0; i < 3; i++) {
        const speed = boundSpeed(problem, work, c, i);
        if (speed >= worst) continue;
        worst = speed;
        found = c;
      }
      continue;
    }
    if (sets[c] === OPEN && u[3 * c] < worst && contactScale(problem, c) > 0) {
      worst = u[3 * c];
      found = c;
    }
  }
  return found;
}

/** How fast a row moves off its bound, negative where that breaks it; 0 for a free one [m/s]. */
function boundSpeed(problem: ContactProblem, work: DantzigWork, c: number, i: number): number {
  const row = 3 * c + i;
  const state = rowState(work.sets[c], i);
  if (state === ROW_FREE || problem.low[row] === problem.high[row]) return 0;
  return state === AT_LOW ? work.u[row] : -work.u[row];
}

/** The set of a bounded block with the row freed that breaks its bound worst. */
function enteringRows(problem: ContactProblem, work: DantzigWork, c: number, slack: number): number {
  let worst = -slack;
  let set = work.sets[c];
  for (let i = 0; i < 3; i++) {
    const speed = boundSpeed(problem, work, c, i);
    if (speed >= worst) continue;
    worst = speed;
    set = withRowState(work.sets[c], i, ROW_FREE);
  }
  return set;
}

const rowsReach = { share: 1, set: 0 };

/**
 * The first row of a bounded block to break its state on the way, at which share of it, and
 * the set then. One object, reused.
 */
function reachOfRows(
  problem: ContactProblem,
  work: DantzigWork,
  r: Float64Array,
  c: number,
  slack: number,
): { share: number; set: number } {
  const { sets, u, step, change, scale, scaleAt } = work;
  const s = scale[scaleAt + c];
  rowsReach.share = 1;
  rowsReach.set = sets[c];
  for (let i = 0; i < 3; i++) {
    const row = 3 * c + i;
    const state = rowState(sets[c], i);
    const impulse = r[row] + step[row];
    const speed = u[row] + change[row];
    // Rows not yet reached by the algorithm, already breaking their bound, are left alone.
    if (state !== ROW_FREE && boundSpeed(problem, work, c, i) < -slack) continue;
    const next = revisedRow(problem, row, state, impulse, speed, slack, slack * s * s);
    if (next === state) continue;
    const bound = next === AT_LOW ? problem.low[row] : problem.high[row];
    const reach = state === ROW_FREE ? (bound - r[row]) / step[row] : -u[row] / change[row];
    const share = reach > 0 ? reach : 0;
    if (share >= rowsReach.share) continue;
    rowsReach.share = share;
    rowsReach.set = withRowState(sets[c], i, next);
  }
  return rowsReach;
}

/** Changes the set of a bounded block. */
function moveRows(
  problem: ContactProblem,
  work: DantzigWork,
  r: Float64Array,
  c: number,
  set: number,
  counts: PassCounts,
): void {
  work.sets[c] = set;
  alignRows(problem, r, c, set);
  switchContact(problem, work, r, c);
  counts.factorUpdates++;
  velocityOf(work.u, problem, r);
}
