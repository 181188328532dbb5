// `stiction solve --solver conjugate-residual`: the mixed system of a problem in full form, judged by the reduced one.

import { UsageError } from '../core/errors';
import type { FrictionProblem } from '../scene/problem';
import type { Preconditioner } from '../solvers/conjugate-residual/options';
import type { ConjugateResidualReport } from '../solvers/conjugate-residual/solve';
import type { ContactProblem } from '../solvers/contact-problem';
import { solveFullFormProblem } from '../solvers/solve-full-form';
import type { SolveOptions } from '../solvers/solve-problem';
import { impossibleContactOf } from './solve-answer';

/** What the solver measures itself, of its last run. */
export type OwnMeasures = Pick<
  ConjugateResidualReport,
  'status' | 'restarts' | 'relativeResidual' | 'constraintError'
> & { preconditioner: Preconditioner };

/** As `SolveResult` of solve.ts. */
export interface ConjugateResidualAnswer {
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
  conjugateResidual?: OwnMeasures;
}

/**
 * Solves from zero and takes the time. `problem` is the file condensed. Throws UsageError for a file in reduced form.
 */
export function solveByConjugateResidual(
  file: FrictionProblem,
  problem: ContactProblem,
  { tolerance, iterationLimit }: Partial<SolveOptions>,
  preconditioner: Preconditioner,
): ConjugateResidualAnswer {
  const solver = 'conjugate-residual';
  if (file.form !== 'full') throw new UsageError(`form: must be full for --solver ${solver}, got reduced`);
  const r = new Float64Array(3 * problem.contactCount);
  const u = new Float64Array(r.length);
  const start = performance.now();
  const report = solveFullFormProblem(file, problem, r, u, { solver, preconditioner, tolerance, iterationLimit });
  const milliseconds = performance.now() - start;
  const { status, iterations, residual, conjugateResidual: own } = report;
  const answer = {
    status,
    iterations,
    residual,
    milliseconds,
    r: Array.from(r),
    u: Array.from(u),
    ...impossibleContactOf(report),
  };
  if (!own) return answer;
  const { restarts, relativeResidual, constraintError } = own;
  return {
    ...answer,
    conjugateResidual: { preconditioner, status: own.status, restarts, relativeResidual, constraintError },
  };
}
