/**
 * Block Gauss–Seidel on the assembled W: contact by contact, the exact cone by a local solver of
 * choice (Daviet, Bertails-Descoubes, Boissieux 2011, §6), the bracketed one unless told otherwise.
 *
 * In: a contact problem and a start r; out: the best r seen, its residual, sweeps used. Bilateral
 * contacts are solved as 3×3 blocks. Converges slowly on rank-deficient stacks (hundreds of sweeps);
 * it is the reference for small problems and the one fallback of the pivoting solver. With another
 * local solver or contact freezing asked for, the sweeps are those of `sweep-local`.
 */
import { hasAbsurdImpulses } from './absurd-impulses';
import { type ContactProblem, contactVelocityOf, velocityScale } from './contact-problem';
import { solveBracketed } from './local/bracketed';
import { chooseLocal, type LocalSolverName } from './local/choose-local';
import { createLocalCounts, type LocalCounts } from './local/hybrid';
import { residualOf } from './residual';
import { LAW_BILATERAL, LAW_BOUNDED, setOfRows, solveBounded } from './row-law';
import type { Scratch } from './scratch';
import { type Freezing, sweepFreezing } from './sweep-local';

export interface GaussSeidelOptions {
  /** Residual to reach, relative to the largest |b| [-]. Too small: all sweeps are used. */
  tolerance: number;
  /** Sweeps at most [-]. */
  sweepLimit: number;
  /** Sweeps between two looks at the residual [-]; a look costs about one sweep. */
  checkInterval: number;
  /** Solver of one contact, default bracketed. */
  local?: LocalSolverName;
  /** Sweeps that a quiet contact is left alone [-], default 0: no freezing. Many: slower convergence at the end. */
  freezeSweeps?: number;
  /** Change that counts as quiet, relative to the largest of the sweep before [-], default 0.01. */
  freezeThreshold?: number;
  /**
   * Looks after each of the first sweeps, believes no absurd impulses and ends at a look, so that a larger limit never
   * gives a worse answer; default false: the last look is at the limit.
   */
  isMonotone?: boolean;
  /** Ends when the residual does not fall to `giveUpShare` [-] of itself in so many sweeps [-]; default: never. */
  giveUpInterval?: number;
  giveUpShare?: number;
  /** Told at every look: sweeps so far, best residual [m/s]. */
  onCheck?: (sweeps: number, residual: number) => void;
}

export const defaultGaussSeidelOptions: GaussSeidelOptions = { tolerance: 1e-8, sweepLimit: 300, checkInterval: 8 };

export interface GaussSeidelReport {
  status: 'solved' | 'iteration-limit';
  sweeps: number;
  /** Residual of the r returned [m/s]. */
  residual: number;
  /** Contacts solved and, frozen, left out; the plain sweeps do not count. */
  solvedContacts: number;
  frozenContacts: number;
  /** What the hybrid local solver needed. */
  local: LocalCounts;
}

/** Room for one report. */
export function createGaussSeidelReport(): GaussSeidelReport {
  return {
    status: 'solved',
    sweeps: 0,
    residual: 0,
    solvedContacts: 0,
    frozenContacts: 0,
    local: createLocalCounts(),
  };
}

/** r (three numbers at rAt) := −W⁻¹ b for one 3×3 symmetric block, by elimination with a small floor. */
export function sweepBlock(r: Float64Array, rAt: number, W: Float64Array, wAt: number, b: Float64Array): void {
  const floor = 1e-14 * (W[wAt] + W[wAt + 4] + W[wAt + 8]);
  if (floor === 0) return;
  const d0 = W[wAt] + floor;
  const l1 = W[wAt + 3] / d0;
  const l2 = W[wAt + 6] / d0;
  const d1 = W[wAt + 4] - l1 * W[wAt + 1] + floor;
  const m12 = W[wAt + 5] - l1 * W[wAt + 2];
  const l3 = m12 / d1;
  const d2 = W[wAt + 8] - l2 * W[wAt + 2] - l3 * m12 + floor;
  const y1 = -b[1] + l1 * b[0];
  const y2 = -b[2] + l2 * b[0] - l3 * y1;
  const r2 = y2 / d2;
  const r1 = (y1 - m12 * r2) / d1;
  r[rAt] = (-b[0] - W[wAt + 1] * r1 - W[wAt + 2] * r2) / d0;
  r[rAt + 1] = r1;
  r[rAt + 2] = r2;
}

/** One sweep over all contacts, in place. `local` has room for six numbers; sets may be null. */
export function sweepContacts(
  problem: ContactProblem,
  r: Float64Array,
  local: Float64Array,
  sets: Int8Array | Int32Array | null,
): void {
  const { contactCount, diagonal, values, mu, law } = problem;
  for (let c = 0; c < contactCount; c++) {
    const at = 3 * c;
    const block = 9 * diagonal[c];
    // Velocity without the contact's own impulse.
    contactVelocityOf(local, problem, r, c);
    const r0 = r[at];
    const r1 = r[at + 1];
    const r2 = r[at + 2];
    for (let i = 0; i < 3; i++) {
      const w = block + 3 * i;
      local[i] -= values[w] * r0 + values[w + 1] * r1 + values[w + 2] * r2;
    }
    if (law && law[c] === LAW_BILATERAL) {
      sweepBlock(r, at, values, block, local);
      if (sets) sets[c] = 1;
    } else if (law && law[c] === LAW_BOUNDED) {
      solveBounded(r, at, values, block, local, problem.low, problem.high);
      if (sets) sets[c] = setOfRows(problem, r, c);
    } else {
      const state = solveBracketed(r, at, values, block, local, 0, mu[c]);
      if (sets) sets[c] = state;
    }
  }
}

/** Solves from r in place, at most `sweepLimit` sweeps, and returns the best iterate in r. */
export function solveGaussSeidel(
  problem: ContactProblem,
  r: Float64Array,
  scratch: Scratch,
  options: GaussSeidelOptions,
  report: GaussSeidelReport,
): void {
  const count = 3 * problem.contactCount;
  const u = scratch.f64(count);
  const best = scratch.f64(count);
  const local = scratch.f64(6);
  const target = options.tolerance * velocityScale(problem);
  const localName = options.local ?? 'bracketed';
  const isPlain = localName === 'bracketed' && !options.freezeSweeps;
  const freezing = isPlain ? null : startFreezing(problem.contactCount, scratch, options);
  report.local = isPlain ? report.local : createLocalCounts();
  const solve = isPlain ? null : chooseLocal(localName, report.local);

  let bestResidual = residualOf(u, problem, r);
  for (let i = 0; i < count; i++) best[i] = r[i];
  let lastResidual = bestResidual;
  let sweeps = 0;
  const interval = Math.max(1, options.checkInterval);
  const isMonotone = options.isMonotone === true;
  const giveUpInterval = options.giveUpInterval ?? 0;
  const limit = isMonotone ? lastLook(options.sweepLimit, interval) : options.sweepLimit;
  while (sweeps < limit && bestResidual > target) {
    const until = Math.min(limit, sweeps + (isMonotone && sweeps < FIRST_LOOKS * interval ? 1 : interval));
    for (; sweeps < until; sweeps++) {
      if (freezing && solve) sweepFreezing(problem, r, local, solve, sweepBlock, freezing);
      else sweepContacts(problem, r, local, null);
    }
    const residual = residualOf(u, problem, r);
    if (residual < bestResidual && !(isMonotone && hasAbsurdImpulses(problem, r))) {
      bestResidual = residual;
      for (let i = 0; i < count; i++) best[i] = r[i];
    }
    options.onCheck?.(sweeps, bestResidual);
    if (giveUpInterval > 0 && sweeps % giveUpInterval === 0) {
      if (!(bestResidual <= (options.giveUpShare ?? 0) * lastResidual)) break;
      lastResidual = bestResidual;
    }
  }
  for (let i = 0; i < count; i++) r[i] = best[i];
  report.status = bestResidual <= target ? 'solved' : 'iteration-limit';
  report.sweeps = sweeps;
  report.residual = bestResidual;
  report.solvedContacts = freezing ? freezing.solved : 0;
  report.frozenContacts = freezing ? freezing.skipped : 0;
}

/** Intervals of sweeps of which each is looked at, in a monotone series. */
const FIRST_LOOKS = 4;

/** The last look of a monotone series within the limit: after each of the first sweeps, then every `interval`. */
function lastLook(sweepLimit: number, interval: number): number {
  return sweepLimit <= FIRST_LOOKS * interval ? sweepLimit : sweepLimit - (sweepLimit % interval);
}

function startFreezing(contactCount: number, scratch: Scratch, options: GaussSeidelOptions): Freezing {
  const rest = scratch.i32(contactCount);
  rest.fill(0, 0, contactCount);
  return {
    sweeps: options.freezeSweeps ?? 0,
    threshold: options.freezeThreshold ?? 0.01,
    rest,
    largest: 0,
    solved: 0,
    skipped: 0,
  };
}
