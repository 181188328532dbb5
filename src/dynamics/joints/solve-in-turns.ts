// Contacts by sweeps, joints exactly, in turns: for islands whose one factor would be too dear.
//
// Joints of one mechanism touch few others, so that their own rows have a narrow profile whatever lies on it. The
// joints have the last word: they hold, and what is not yet settled is an error of the contacts.

import {
  type ContactProblem,
  contactVelocityOf,
  createContactProblem,
  velocityOf,
  velocityScale,
} from '../../solvers/contact-problem';
import { createDantzigReport, type DantzigOptions, defaultDantzigOptions, solveDantzig } from '../../solvers/dantzig';
import { sweepContacts } from '../../solvers/gauss-seidel';
import { residualAt } from '../../solvers/residual';
import { createScratch, type Scratch } from '../../solvers/scratch';

/** Turns at most, sweeps over all rows in each, and block products that they may cost: about 4 ms. */
const TURNS = 4;
const SWEEPS = 4;
const WORK = 200_000;

/** What the turns need beside the problem; reused. */
export interface Turns {
  readonly joints: ContactProblem;
  r: Float64Array;
  own: Float64Array;
  sets: Int32Array;
  readonly scratch: Scratch;
  readonly options: DantzigOptions;
}

export function createTurns(): Turns {
  return {
    joints: createContactProblem(0, 0),
    r: new Float64Array(0),
    own: new Float64Array(0),
    sets: new Int32Array(0),
    scratch: createScratch(),
    options: { ...defaultDantzigOptions, fallbackSweeps: 0, pivotLimit: 0, guessRounds: 0, passLimit: 16 },
  };
}

const report = createDantzigReport();

/** Solves from r in place; blocks from `first` on are joints. Returns the residual [m/s]. */
export function solveInTurns(
  turns: Turns,
  problem: ContactProblem,
  first: number,
  r: Float64Array,
  scratch: Scratch,
  tolerance: number,
): number {
  const n = problem.contactCount;
  const u = scratch.f64(3 * n);
  const local = scratch.f64(6);
  const best = scratch.f64(3 * n);
  const target = tolerance * velocityScale(problem);
  enterCones(problem, first, r);
  extractJoints(turns, problem, first);
  const blocks = problem.rowStart[n];
  const most = Math.max(2, Math.min(TURNS, Math.floor(WORK / (SWEEPS * blocks))));
  let bestResidual = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn <= most; turn++) {
    solveExtracted(turns, problem, first, r, tolerance);
    velocityOf(u, problem, r);
    const residual = residualAt(problem, r, u);
    if (residual < bestResidual) {
      bestResidual = residual;
      for (let i = 0; i < 3 * n; i++) best[i] = r[i];
    }
    if (residual <= target || turn === most) break;
    for (let k = 0; k < SWEEPS; k++) sweepContacts(problem, r, local, null);
  }
  for (let i = 0; i < 3 * n; i++) r[i] = best[i];
  return bestResidual;
}

/** What an unfinished solve left outside its cone goes to its edge: no answer may be, however little is known of it. */
function enterCones({ mu }: ContactProblem, contacts: number, r: Float64Array): void {
  for (let c = 0; c < contacts; c++) {
    const at = 3 * c;
    r[at] = Math.max(0, r[at]);
    const along = Math.sqrt(r[at + 1] * r[at + 1] + r[at + 2] * r[at + 2]);
    const limit = mu[c] * r[at];
    if (!(along > limit)) continue;
    r[at + 1] *= limit / along;
    r[at + 2] *= limit / along;
  }
}

/** The blocks from `first` on as a problem of their own; b is written by each solve. */
function extractJoints(turns: Turns, problem: ContactProblem, first: number): void {
  const { joints } = turns;
  const n = problem.contactCount - first;
  let count = 0;
  for (let c = first; c < problem.contactCount; c++) {
    for (let k = problem.rowStart[c]; k < problem.rowStart[c + 1]; k++) if (problem.column[k] >= first) count++;
  }
  if (joints.diagonal.length < n || joints.column.length < count) {
    Object.assign(joints, createContactProblem(2 * n, 2 * count));
    turns.r = new Float64Array(6 * n);
    turns.own = new Float64Array(6 * n);
    turns.sets = new Int32Array(2 * n);
  }
  joints.contactCount = n;
  joints.law = problem.law ? problem.law.subarray(first, first + n) : null;
  joints.low = problem.low.subarray(3 * first);
  joints.high = problem.high.subarray(3 * first);
  let at = 0;
  for (let c = 0; c < n; c++) {
    joints.rowStart[c] = at;
    joints.mu[c] = 0;
    for (let k = problem.rowStart[first + c]; k < problem.rowStart[first + c + 1]; k++) {
      const other = problem.column[k] - first;
      if (other < 0) continue;
      if (other === c) joints.diagonal[c] = at;
      joints.column[at] = other;
      for (let e = 0; e < 9; e++) joints.values[9 * at + e] = problem.values[9 * k + e];
      at++;
    }
  }
  joints.rowStart[n] = at;
  turns.sets.fill(0, 0, n);
}

/** Solves the joints exactly for what the contacts do now. */
function solveExtracted(
  turns: Turns,
  problem: ContactProblem,
  first: number,
  r: Float64Array,
  tolerance: number,
): void {
  const { joints, own, sets, scratch, options } = turns;
  const n = joints.contactCount;
  if (n === 0) return;
  for (let i = 0; i < 3 * n; i++) own[i] = r[3 * first + i];
  for (let i = 0; i < 3 * n; i++) r[3 * first + i] = 0;
  const b = joints.b.subarray(0, 3 * n);
  for (let c = 0; c < n; c++) {
    contactVelocityOf(velocity, problem, r, first + c);
    for (let i = 0; i < 3; i++) b[3 * c + i] = velocity[i];
  }
  options.tolerance = tolerance;
  scratch.reset();
  solveDantzig(joints, own, sets, null, scratch, options, report);
  for (let i = 0; i < 3 * n; i++) r[3 * first + i] = own[i];
}

const velocity = new Float64Array(3);
