// What the answers of all solvers of `stiction solve` have in common.

import type { SolveReport } from '../solvers/solve-problem';

/** The entry of an answer for the contact that shows that there is no solution, if there is one. */
export function impossibleContactOf({ impossibleContact }: SolveReport): { impossibleContact?: number } {
  return impossibleContact === null ? {} : { impossibleContact };
}
