/**
 * Local solver of the 2011 paper made safe: Newton, then enumeration where Newton misses its
 * tolerance, then the bracketed root, of whose answer the better is kept.
 *
 * Counters follow the paper's Table 2: how often the fail-safe was called, how often even the
 * last one missed. Newton starts from the r given, so that in sweeps it mostly needs a step or two.
 */
import { FAILURE, MISSED, NO_SOLUTION } from '../../core/contact-law-constants';
import { solveBracketed } from './bracketed';
import { solveEnumerative } from './enumerative';
import { type LocalSolver, localError } from './local-solver';
import { solveNewton } from './newton';

/** How a run of local solves went. Add up over as many calls as wanted; set to zero to start again. */
export interface LocalCounts {
  /** Local problems solved or tried. */
  calls: number;
  /** Newton missed: the enumerative solver was called. */
  enumerative: number;
  /** That missed too: the bracketed solver was called. */
  bracketed: number;
  /** Error left above FAILURE. */
  failures: number;
  /** Enumeration found no solution at all. */
  noSolution: number;
}

/** Error up to which the fail-safe's answer is taken without asking the next [-]. */
const GOOD = 1e-9;

/** All zero. */
export function createLocalCounts(): LocalCounts {
  return { calls: 0, enumerative: 0, bracketed: 0, failures: 0, noSolution: 0 };
}

const second = new Float64Array(3);
const third = new Float64Array(3);

/**
 * See LocalSolver; counts into `counts` when given. NO_SOLUTION with the best compromise in r where
 * enumeration says so and nothing else found an answer.
 */
export function createHybrid(counts: LocalCounts | null = null): LocalSolver {
  return (r, rAt, W, wAt, b, bAt, mu) => {
    if (counts) counts.calls++;
    let state = solveNewton(r, rAt, W, wAt, b, bAt, mu);
    if (state >= 0) return state;
    if (counts) counts.enumerative++;
    let error = localError(r, rAt, W, wAt, b, bAt, mu);
    const enumerated = solveEnumerative(second, 0, W, wAt, b, bAt, mu);
    const secondError = localError(second, 0, W, wAt, b, bAt, mu);
    if (secondError < error) {
      for (let i = 0; i < 3; i++) r[rAt + i] = second[i];
      error = secondError;
      state = enumerated;
    }
    if (enumerated >= 0 && error <= GOOD) return state < 0 ? enumerated : state;
    if (counts) counts.bracketed++;
    const bracketed = solveBracketed(third, 0, W, wAt, b, bAt, mu);
    const thirdError = localError(third, 0, W, wAt, b, bAt, mu);
    if (thirdError < error) {
      for (let i = 0; i < 3; i++) r[rAt + i] = third[i];
      error = thirdError;
      state = bracketed;
    }
    if (enumerated === NO_SOLUTION && error > GOOD) {
      if (counts) counts.noSolution++;
      if (counts && error > FAILURE) counts.failures++;
      return NO_SOLUTION;
    }
    if (counts && error > FAILURE) counts.failures++;
    return error > FAILURE ? MISSED : state < 0 ? bracketed : state;
  };
}
