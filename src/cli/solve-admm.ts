// `stiction solve --solver admm`: Daviet's ADMM on a problem in full form, judged like the others by the reduced one.

import { UsageError } from '../core/errors';
import type { FrictionProblem } from '../scene/problem';
import type { ContactProblem } from '../solvers/contact-problem';
import { solveFullFormProblem } from '../solvers/solve-full-form';
import type { SolveOptions } from '../solvers/solve-problem';
import { impossibleContactOf } from './solve-answer';

/** As `SolveResult` of solve.ts. */
export interface AdmmAnswer {
  status: 'converged' | 'iteration-limit' | 'no-solution';
  iterations: number;
  /** [m/s] */
  residual: number;
  milliseconds: number;
  /** Three per contact, normal first [N·s], [m/s]. */
  r: number[];
  u: number[];
  /** Of no-solution: a contact that asks for the impossible. */
  impossibleContact?: number;
}

/**
 * Solves from zero and takes the time. `problem` is the file condensed.
 * Throws UsageError for a file in reduced form and for an H that is not made of numbers times rotations.
 */
export function solveByAdmm(
  file: FrictionProblem,
  problem: ContactProblem,
  options: Partial<SolveOptions>,
): AdmmAnswer {
  if (file.form !== 'full') throw new UsageError('form: must be full for --solver admm, got reduced');
  const { tolerance, iterationLimit } = options;
  const r = new Float64Array(3 * problem.contactCount);
  const u = new Float64Array(r.length);
  const start = performance.now();
  const report = solveFullFormProblem(file, problem, r, u, { solver: 'admm', tolerance, iterationLimit });
  const milliseconds = performance.now() - start;
  const { status, iterations, residual } = report;
  const answer = { status, iterations, residual, milliseconds, r: Array.from(r), u: Array.from(u) };
  return { ...answer, ...impossibleContactOf(report) };
}
