// `stiction solve --solver admm`: Daviet's ADMM on a problem in full form, judged like the others by the reduced one.

import { UsageError } from '../core/errors';
import type { FrictionProblem } from '../scene/problem';
import { solveFullForm } from '../solvers/admm/full-form';
import { defaultAdmmOptions } from '../solvers/admm/options';
import { type ContactProblem, velocityScale } from '../solvers/contact-problem';
import { residualOf } from '../solvers/residual';
import { defaultSolveOptions, type SolveOptions } from '../solvers/solve-problem';

/** Sweeps an iteration: files want the answer, not the frame rate. */
const SWEEPS = 20;

/** As `SolveResult` of solve.ts. */
export interface AdmmAnswer {
  status: 'converged' | 'iteration-limit';
  iterations: number;
  /** [m/s] */
  residual: number;
  milliseconds: number;
  /** Three per contact, normal first [N·s], [m/s]. */
  r: number[];
  u: number[];
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
  const { tolerance, iterationLimit } = { ...defaultSolveOptions, ...options };
  const scale = velocityScale(problem);
  const target = Math.max(tolerance * Math.min(1, scale), 1e-13 * scale);
  const admm = {
    ...defaultAdmmOptions,
    iterations: iterationLimit,
    sweeps: SWEEPS,
    acceleration: true,
    sleeping: false,
  };
  const r = new Float64Array(3 * problem.contactCount);
  const u = new Float64Array(r.length);
  const start = performance.now();
  const { iterations } = solveFullForm(file, { ...admm, tolerance: 0.1 * target }, r);
  const milliseconds = performance.now() - start;
  const residual = residualOf(u, problem, r);
  const status = residual <= target ? 'converged' : 'iteration-limit';
  return { status, iterations, residual, milliseconds, r: Array.from(r), u: Array.from(u) };
}
