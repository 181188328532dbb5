/**
 * Exact Coulomb friction for small islands: passes over the sets, and Dantzig pivoting (Baraff 1994) at velocity level.
 *
 * A pass solves all contacts by their sets at once and then moves every one that breaks its set: Newton's method, and
 * all that most islands need. Pivoting moves one contact at a time and keeps every condition on the way. Reports count
 * the two apart. Stages, each only if the one before has not met the tolerance, the best iterate always kept:
 *  1. last step's impulses and sets (for a cold start: those of a few Gauss–Seidel sweeps) are taken
 *     as they are, and passes of `settle-sets` correct them, if need be from better guesses twice;
 *  2. `drive-to-zero` pivots from the best sets, then passes re-aim the frictions;
 *  3. the same from empty sets;
 *  4. one fallback: Gauss–Seidel from the best iterate, then a last try of the passes from its sets.
 *
 * Singular W (four corners of a face: 12 rows of rank 6) is the normal case. Two ways were weighed.
 * Leaving rows out whose velocity is zero already keeps the basis at the rank, but which rows are
 * left out changes with the last digit, four corners take turns carrying the load, and a corner
 * without load has no friction to hold with. Taken instead: a relative epsilon on the diagonal, so
 * that every set of rows can be clamped, the load spreads evenly and the sets stay the same from step to
 * step; since the factor only ever produces corrections to r, measured with the true W, epsilon
 * costs accuracy nowhere: one or two passes take it out.
 *
 * The factor works on a profile in reverse Cuthill–McKee order, changed by row and column where few
 * contacts move; kept in the caller's cache, it serves the next step, and the second solve of the same
 * step, as it is.
 */

import { OPEN, STICK } from '../core/contact-law-constants';
import { type ContactProblem, contactScale, velocityOf, velocityScale } from './contact-problem';
import { projectOnCone } from './coulomb-law';
import { driveToZero } from './dantzig/drive-to-zero';
import { alignFriction, type PassCounts, returnToBest, settleSets } from './dantzig/settle-sets';
import { closeWork, type DantzigCache, type DantzigWork, openWork } from './dantzig/work';
import {
  createGaussSeidelReport,
  defaultGaussSeidelOptions,
  type GaussSeidelOptions,
  solveGaussSeidel,
  sweepContacts,
} from './gauss-seidel';
import { residualAt } from './residual';
import { LAW_BOUNDED, LAW_COULOMB, ROW_SETS, setOfRows } from './row-law';
import type { Scratch } from './scratch';

export { type DantzigCache, dantzigCacheSize, dantzigCacheUsed } from './dantzig/work';

export interface DantzigOptions {
  /** Residual to reach, relative to the largest |b| [-]. Larger creeps; below 1e-12 rounding decides. */
  tolerance: number;
  /**
   * Residual that is good enough where passes end with it, relative to the largest |b| [-]; default: the tolerance.
   * What they miss by rounding is then not pivoted for.
   */
  enough?: number;
  /**
   * Epsilon on the diagonal of the scaled W [-]. Larger: more passes. Smaller: the last digits of b, divided by
   * epsilon, wander through r where W is singular until sets flip: a resting arch of 15 stones needed 27 000
   * pivots in 600 steps with 1e-9 and none with 1e-6.
   */
  epsilon: number;
  /** Outer passes per stage at most [-]. */
  passLimit: number;
  /**
   * Pivots at most, per contact and start [-]. Smaller: more often the fallback; larger: longer hitches. From empty
   * sets shoved stacks need up to 10, arches of 15 stones up to 30. 0 with no fallback sweeps: passes only.
   */
  pivotLimit: number;
  /**
   * Passes and pivots at most, in all [-]; default: no limit. It cuts the stages off and changes nothing before, so
   * that a larger one never gives a worse answer.
   */
  stepLimit?: number;
  /** Gauss–Seidel sweeps that guess the sets of a cold start [-]. */
  guessSweeps: number;
  /** Rounds of more and more sweeps, each followed by passes, before pivoting [-]. */
  guessRounds: number;
  /** Sweeps of the fallback at most [-]; 0 switches it off. */
  fallbackSweeps: number;
  /** Told after every pass over the sets: passes and pivots so far, best residual [m/s]. */
  onCheck?: (steps: number, residual: number) => void;
}

export const defaultDantzigOptions: DantzigOptions = {
  tolerance: 1e-8,
  epsilon: 1e-6,
  passLimit: 30,
  pivotLimit: 50,
  guessSweeps: 4,
  guessRounds: 2,
  fallbackSweeps: 100,
};

export interface DantzigReport extends PassCounts {
  /** 'solved' if the tolerance was met, by whichever stage; else why pivoting stopped. */
  status: 'solved' | 'inexact' | 'cycling' | 'unbounded' | 'iteration-limit' | 'not-finite';
  /** Residual of the r returned [m/s]. */
  residual: number;
  /** Whether Gauss–Seidel was called for help, and its sweeps. */
  fallback: boolean;
  fallbackSweeps: number;
}

/** Room for one report. */
export function createDantzigReport(): DantzigReport {
  return {
    status: 'solved',
    pivots: 0,
    outerPasses: 0,
    factorRebuilds: 0,
    factorUpdates: 0,
    cycles: 0,
    rays: 0,
    residual: 0,
    fallback: false,
    fallbackSweeps: 0,
  };
}

const fallbackReport = createGaussSeidelReport();
const fallbackOptions: GaussSeidelOptions = { ...defaultGaussSeidelOptions };

/**
 * Solves `problem` from the impulses r and sets of the last step, both overwritten with the answer.
 *
 * r: three per contact [N·s], zero or the last step's. sets: OPEN, STICK or SLIDE per contact, any
 * when unknown (contacts with an impulse count as stuck). cache: kept factor, or null. The caller
 * resets `scratch` between solves. A start that is not finite is replaced by zero; a problem
 * that is not finite is returned with r = 0 and status 'not-finite'.
 */
export function solveDantzig(
  problem: ContactProblem,
  r: Float64Array,
  sets: Int8Array | Int32Array,
  cache: DantzigCache | null,
  scratch: Scratch,
  options: DantzigOptions,
  report: DantzigReport,
): void {
  const n = problem.contactCount;
  report.status = 'solved';
  report.pivots = 0;
  report.outerPasses = 0;
  report.factorRebuilds = 0;
  report.factorUpdates = 0;
  report.cycles = 0;
  report.rays = 0;
  report.residual = 0;
  report.fallback = false;
  report.fallbackSweeps = 0;
  if (n === 0) return;

  const work = openWork(problem, cache, scratch, options.epsilon);
  work.direction.fill(0, 0, 2 * n);
  const target = options.tolerance * velocityScale(problem);
  if (!takeStart(problem, work, r, sets)) {
    r.fill(0, 0, 3 * n);
    sets.fill(OPEN, 0, n);
    if (cache) cache.i32[cache.i32At] = 0;
    report.status = 'not-finite';
    report.residual = Number.POSITIVE_INFINITY;
    return;
  }

  work.enough = Math.max(options.tolerance, options.enough ?? 0) * velocityScale(problem);
  const isDone = runStages(problem, work, r, target, scratch, options, report);
  returnBest(problem, work, r, sets);
  if (!isDone && putOnCones(problem, r)) {
    velocityOf(work.u, problem, r);
    work.bestResidual = residualAt(problem, r, work.u);
  }
  report.residual = work.bestResidual;
  if (isDone) report.status = 'solved';
  else if (report.status === 'solved') report.status = report.rays > 0 ? 'unbounded' : 'iteration-limit';
  closeWork(work, problem, cache);
}

/** The stages of the head comment; true once the target is met. */
function runStages(
  problem: ContactProblem,
  work: DantzigWork,
  r: Float64Array,
  target: number,
  scratch: Scratch,
  options: DantzigOptions,
  report: DantzigReport,
): boolean {
  const n = problem.contactCount;
  const { onCheck, stepLimit = Number.POSITIVE_INFINITY } = options;
  const stepsLeft = (): number => stepLimit - report.outerPasses - report.pivots;
  const settle = (): boolean =>
    settleSets(problem, work, r, target, Math.min(options.passLimit, stepsLeft()), report, onCheck);
  let isCold = true;
  for (let c = 0; c < n && isCold; c++) if (work.sets[c] !== OPEN && r[3 * c] !== 0) isCold = false;
  if (isCold) {
    guessSets(problem, work, r, options.guessSweeps);
    spreadLoad(problem, work, r);
  }
  if (settle()) return true;
  for (let k = 0; k < options.guessRounds; k++) {
    if (work.bestResidual <= work.enough || stepsLeft() <= 0) return false;
    returnToBest(problem, work, r);
    guessSets(problem, work, r, 4 * options.guessSweeps * (k + 1));
    if (settle()) return true;
  }

  if (work.bestResidual <= work.enough || (options.pivotLimit === 0 && options.fallbackSweeps === 0)) return false;
  const slack = 0.1 * target;
  const pivotLimit = options.pivotLimit * n + 20;
  for (let attempt = 0; attempt < 2; attempt++) {
    if (stepsLeft() <= 0) return false;
    if (attempt === 0) {
      returnToBest(problem, work, r);
    } else {
      r.fill(0, 0, 3 * n);
      work.sets.fill(OPEN, 0, n);
    }
    const ending = driveToZero(problem, work, r, slack, Math.min(pivotLimit, stepsLeft()), report);
    if (ending !== 'solved') report.status = ending;
    // Where a limit cut it off says nothing: a longer drive would not have looked there.
    if (stepsLeft() <= 0) return work.bestResidual <= target;
    alignFriction(problem, work, r);
    if (settle()) return true;
  }

  if (options.fallbackSweeps === 0 || stepsLeft() <= 0) return false;
  report.fallback = true;
  returnToBest(problem, work, r);
  fallbackOptions.tolerance = options.tolerance;
  fallbackOptions.sweepLimit = options.fallbackSweeps;
  solveGaussSeidel(problem, r, scratch, fallbackOptions, fallbackReport);
  report.fallbackSweeps = fallbackReport.sweeps;
  guessSets(problem, work, r, 1);
  return settle();
}

/** Copies the start into the work arrays and makes it consistent; false if the problem is not finite. */
function takeStart(problem: ContactProblem, work: DantzigWork, r: Float64Array, sets: Int8Array | Int32Array): boolean {
  const n = problem.contactCount;
  let isStartFinite = true;
  for (let i = 0; i < 3 * n; i++) if (!Number.isFinite(r[i])) isStartFinite = false;
  if (!isStartFinite) r.fill(0, 0, 3 * n);
  for (let c = 0; c < n; c++) {
    const set = sets[c];
    // Bounded blocks: what has no set yet takes that of its impulses.
    if (problem.law && problem.law[c] === LAW_BOUNDED) work.sets[c] = set < ROW_SETS ? setOfRows(problem, r, c) : set;
    else work.sets[c] = set === OPEN && r[3 * c] > 0 ? STICK : set;
  }
  alignFriction(problem, work, r);
  velocityOf(work.u, problem, r);
  let isValid = true;
  for (let i = 0; i < 3 * n; i++) if (!Number.isFinite(work.u[i])) isValid = false;
  if (!isValid && isStartFinite) {
    r.fill(0, 0, 3 * n);
    velocityOf(work.u, problem, r);
    isValid = true;
    for (let i = 0; i < 3 * n; i++) if (!Number.isFinite(work.u[i])) isValid = false;
  }
  if (isValid) releaseSeparating(problem, work, r);
  return isValid;
}

/**
 * Opens the contacts of a warm start that part faster than their impulses could hold, u_N > λ r_N:
 * kept clamped beside others of their face they would ask for huge impulses first.
 */
function releaseSeparating(problem: ContactProblem, work: DantzigWork, r: Float64Array): void {
  const { sets, u } = work;
  let released = 0;
  for (let c = 0; c < problem.contactCount; c++) {
    if (sets[c] === OPEN || (problem.law && problem.law[c] !== LAW_COULOMB)) continue;
    if (u[3 * c] <= 0 || u[3 * c] <= contactScale(problem, c) * r[3 * c]) continue;
    sets[c] = OPEN;
    released++;
  }
  if (released === 0) return;
  alignFriction(problem, work, r);
}

/** A few sweeps from r, their local answers being the sets. */
function guessSets(problem: ContactProblem, work: DantzigWork, r: Float64Array, sweeps: number): void {
  for (let k = 0; k < sweeps; k++) sweepContacts(problem, r, work.local, work.sets);
  alignFriction(problem, work, r);
}

/**
 * Sweeps load the first contacts of a face and leave the rest at nothing. The sets of a cold start are
 * theirs, but contacts that only just do not touch or slide slowly, against the largest |b|, are tried
 * as stuck, and r starts from zero: the first pass then spreads the load evenly.
 */
function spreadLoad(problem: ContactProblem, work: DantzigWork, r: Float64Array): void {
  const n = problem.contactCount;
  velocityOf(work.u, problem, r);
  const near = 1e-3 * velocityScale(problem);
  const slow = 0.1 * velocityScale(problem);
  for (let c = 0; c < n; c++) {
    if (problem.law && problem.law[c] !== LAW_COULOMB) continue;
    if (work.sets[c] === OPEN) {
      if (work.u[3 * c] < near) work.sets[c] = STICK;
    } else if (Math.min(slipOf(work.u, c), slipOf(problem.b, c)) < slow) {
      work.sets[c] = STICK;
    }
  }
  r.fill(0, 0, 3 * n);
  alignFriction(problem, work, r);
}

/** Tangential speed of contact c [m/s]. */
function slipOf(u: Float64Array, c: number): number {
  return Math.sqrt(u[3 * c + 1] * u[3 * c + 1] + u[3 * c + 2] * u[3 * c + 2]);
}

/**
 * Impulses of an answer that misses its target may pull, or hold more than friction can: they are projected on their
 * cones, so that the caller gets forces that the law allows. Whether any was.
 */
function putOnCones({ contactCount, law, mu }: ContactProblem, r: Float64Array): boolean {
  let isChanged = false;
  for (let c = 0; c < contactCount; c++) {
    const at = 3 * c;
    if (law && law[c] !== LAW_COULOMB) continue;
    if (Math.sqrt(r[at + 1] * r[at + 1] + r[at + 2] * r[at + 2]) <= mu[c] * r[at] * (1 + ON_CONE)) continue;
    projectOnCone(r, at, r[at], r[at + 1], r[at + 2], mu[c]);
    isChanged = true;
  }
  return isChanged;
}

/** Part of its normal impulse by which rounding alone may leave the impulse of a sliding contact outside its cone. */
const ON_CONE = 1e-12;

/** r and sets := the best iterate. */
function returnBest(problem: ContactProblem, work: DantzigWork, r: Float64Array, sets: Int8Array | Int32Array): void {
  const n = problem.contactCount;
  for (let i = 0; i < 3 * n; i++) r[i] = work.best[i];
  for (let c = 0; c < n; c++) sets[c] = work.bestSets[c];
  velocityOf(work.u, problem, r);
  work.bestResidual = residualAt(problem, r, work.u);
}
