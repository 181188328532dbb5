/**
 * Gauss–Seidel sweeps with any local solver and with contact freezing (Daviet, Bertails-Descoubes,
 * Boissieux 2011, §6.2).
 *
 * A contact whose impulse hardly changed, against the largest change of the last sweep, is left
 * alone for a number of sweeps: in a settled part of a stack nearly all are. Changes are compared
 * as velocities, λ_c‖Δr_c‖, so that heavy and light contacts count alike. Freezing never decides about
 * convergence: the residual is that of all contacts.
 */
import { type ContactProblem, contactScale, contactVelocityOf } from './contact-problem';
import type { LocalSolver } from './local/local-solver';
import { LAW_BILATERAL, LAW_BOUNDED, solveBounded } from './row-law';

/** What freezing keeps between sweeps. */
export interface Freezing {
  /** Sweeps for which a quiet contact is left alone [-]. 0 switches freezing off; many: stale contacts. */
  sweeps: number;
  /** Change below this part of the largest one counts as quiet [-]. Larger: more frozen, slower convergence. */
  threshold: number;
  /** Sweeps that each contact still rests. */
  rest: Int32Array;
  /** Largest λ‖Δr‖ of the sweep before [m/s]. */
  largest: number;
  /** Local problems solved and left out so far. */
  solved: number;
  skipped: number;
}

/** Solves one bilateral contact: r (three numbers at rAt) := −W⁻¹ b for a 3×3 symmetric block. */
export type BlockSolver = (r: Float64Array, rAt: number, W: Float64Array, wAt: number, b: Float64Array) => void;

/** One sweep over all contacts that do not rest, in place. `local` has room for three numbers. */
export function sweepFreezing(
  problem: ContactProblem,
  r: Float64Array,
  local: Float64Array,
  solve: LocalSolver,
  solveBlock: BlockSolver,
  freezing: Freezing,
): void {
  const { contactCount, diagonal, values, mu, law } = problem;
  const { rest } = freezing;
  const quiet = freezing.threshold * freezing.largest;
  let largest = 0;

  for (let c = 0; c < contactCount; c++) {
    if (rest[c] > 0) {
      rest[c]--;
      freezing.skipped++;
      continue;
    }
    const at = 3 * c;
    const block = 9 * diagonal[c];
    contactVelocityOf(local, problem, r, c);
    const r0 = r[at];
    const r1 = r[at + 1];
    const r2 = r[at + 2];
    for (let i = 0; i < 3; i++) {
      const w = block + 3 * i;
      local[i] -= values[w] * r0 + values[w + 1] * r1 + values[w + 2] * r2;
    }
    if (law && law[c] === LAW_BILATERAL) solveBlock(r, at, values, block, local);
    else if (law && law[c] === LAW_BOUNDED) solveBounded(r, at, values, block, local, problem.low, problem.high);
    else solve(r, at, values, block, local, 0, mu[c]);
    freezing.solved++;
    const d0 = r[at] - r0;
    const d1 = r[at + 1] - r1;
    const d2 = r[at + 2] - r2;
    const change = contactScale(problem, c) * Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2);
    if (change > largest) largest = change;
    if (freezing.sweeps > 0 && change <= quiet) rest[c] = freezing.sweeps;
  }

  // While all rest nothing changes; the last measure stays until they wake.
  if (largest > 0) freezing.largest = largest;
}
