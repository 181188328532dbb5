/**
 * The local solvers by name, as sweeps call them, and the isotropic step as one of them.
 */

import { FAILURE, NO_SOLUTION } from '../../core/contact-law-constants';
import { solveBracketed } from './bracketed';
import { solveEnumerative } from './enumerative';
import { createHybrid, type LocalCounts } from './hybrid';
import { solveIsotropic } from './isotropic';
import { type LocalSolver, localError } from './local-solver';
import { solveNewton } from './newton';

export type LocalSolverName = 'hybrid' | 'bracketed' | 'newton' | 'enumerative' | 'isotropic';

/** All names, the default of the paper first. */
export const LOCAL_SOLVERS: readonly LocalSolverName[] = ['hybrid', 'bracketed', 'newton', 'enumerative', 'isotropic'];

/** The solver of that name; it counts into `counts`. */
export function chooseLocal(name: LocalSolverName, counts: LocalCounts | null): LocalSolver {
  switch (name) {
    case 'hybrid':
      return createHybrid(counts);
    case 'newton':
      return counted(solveNewton, counts);
    case 'enumerative':
      return counted(solveEnumerative, counts);
    case 'isotropic':
      return counted(stepIsotropic, counts);
    default:
      return counted(solveBracketed, counts);
  }
}

/** Counts calls, and those that missed with an error left above FAILURE. */
function counted(solve: LocalSolver, counts: LocalCounts | null): LocalSolver {
  if (!counts) return solve;
  return (r, rAt, W, wAt, b, bAt, mu) => {
    const state = solve(r, rAt, W, wAt, b, bAt, mu);
    counts.calls++;
    if (state === NO_SOLUTION) counts.noSolution++;
    if (state < 0 && localError(r, rAt, W, wAt, b, bAt, mu) > FAILURE) counts.failures++;
    return state;
  };
}

const shifted = new Float64Array(3);

/**
 * One relaxation instead of a solve: W replaced by s·I, s >= its largest eigenvalue, around the r given.
 * Its fixed point obeys the law exactly; in between it is only an approximation. See LocalSolver.
 */
export function stepIsotropic(
  r: Float64Array,
  rAt: number,
  W: Float64Array,
  wAt: number,
  b: Float64Array,
  bAt: number,
  mu: number,
): number {
  // Gershgorin's bound, or the trace where that is smaller.
  let s = 0;
  for (let i = 0; i < 3; i++) {
    const row = wAt + 3 * i;
    s = Math.max(s, Math.abs(W[row]) + Math.abs(W[row + 1]) + Math.abs(W[row + 2]));
  }
  s = Math.min(s, W[wAt] + W[wAt + 4] + W[wAt + 8]);
  if (!(s > 0)) {
    r.fill(0, rAt, rAt + 3);
    return 0;
  }
  for (let i = 0; i < 3; i++) {
    const row = wAt + 3 * i;
    shifted[i] = b[bAt + i] + W[row] * r[rAt] + W[row + 1] * r[rAt + 1] + W[row + 2] * r[rAt + 2] - s * r[rAt + i];
  }
  return solveIsotropic(r, rAt, s, shifted, 0, mu);
}
