// Friction problems for the public face: a problem read from a file, solved, with everything a plot asks for.

import { refuse, requireFinite, requirePositive } from '../src/core/errors';
import type { FrictionProblem } from '../src/scene/problem';
import { PRECONDITIONERS, type Preconditioner } from '../src/solvers/conjugate-residual/options';
import { LOCAL_SOLVERS, type LocalSolverName } from '../src/solvers/local/choose-local';
import type { LocalCounts } from '../src/solvers/local/hybrid';
import { FULL_FORM_SOLVERS, solveFullFormProblem } from '../src/solvers/solve-full-form';
import {
  defaultSolveOptions,
  type FullFormSolver,
  PROBLEM_SOLVERS,
  type ProblemSolver,
  type SolveProgress,
  type SolveReport,
  type SolveStage,
  solveProblem as solveContactProblem,
} from '../src/solvers/solve-problem';
import { condenseProblem, contactProblemFromSparse } from '../src/solvers/sparse-form';

export interface ProblemOptions {
  /**
   * Default 'auto': by residual (Dantzig pivoting, Gauss–Seidel, proximal steps, contact-space ADMM, Newton). `admm`
   * and `conjugate-residual` need the full form; so do `staggered-active-set`, `staggered-conjugate-residual` and
   * `nested-relaxation`, which are only there to compare with.
   */
  solver?: ProblemSolver | FullFormSolver;
  /** Of `conjugate-residual`. Default 'full'. */
  preconditioner?: Preconditioner;
  /** Solver of one contact in Gauss–Seidel sweeps. Default 'hybrid'. */
  local?: LocalSolverName;
  /** Residual to reach, in m/s and relative to the largest |b|, whichever is less. Default 1e-10. */
  tolerance?: number;
  /** Sweeps, passes and pivots, or splitting steps at most, in all. Default 5000. */
  iterationLimit?: number;
  /** Told the best residual as it falls; the object is written over each time. Sweeps: every fourth. */
  onIteration?: (progress: Readonly<SolveProgress>) => void;
}

export interface ProblemAnswer {
  status: SolveReport['status'];
  /** Of all stages. */
  iterations: number;
  /** Of the answer, with the full operator [m/s]. */
  residual: number;
  /** Impulses, three per contact, normal first [N·s]. */
  r: Float64Array;
  /** Velocities u = W r + b, likewise [m/s]. */
  u: Float64Array;
  /** Which solver did what, in order. */
  stages: SolveStage[];
  /** Of 'no-solution': the number, from 0, of a contact that asks for the impossible; else null. */
  impossibleContact: number | null;
  /** One-contact problems of the sweeps: calls, how often the fail-safe was asked (hybrid), failures. */
  local: LocalCounts;
}

/**
 * Solves a friction problem (from `readProblem`) from zero impulses. Never runs past its iteration limit; the status
 * says what was reached. Throws UsageError on wrong options and for matrices that are
 * no good (A not positive definite).
 */
export function solveProblem(problem: FrictionProblem, options: ProblemOptions = {}): ProblemAnswer {
  const where = 'solveProblem';
  if (typeof problem !== 'object' || problem === null || !['reduced', 'full'].includes(problem.form))
    refuse(where, 'problem must come from readProblem', problem);
  if (typeof options !== 'object' || options === null) refuse(where, 'options must be an object', options);
  const { solver, local, tolerance, iterationLimit } = {
    ...(defaultSolveOptions as typeof defaultSolveOptions & Pick<ProblemOptions, 'solver'>),
    ...dropUndefined(options),
  };
  const fullForm = FULL_FORM_SOLVERS.find((name) => name === solver);
  const plain = PROBLEM_SOLVERS.find((name) => name === solver);
  if (!plain && !fullForm)
    refuse(where, `solver must be one of ${[...PROBLEM_SOLVERS, ...FULL_FORM_SOLVERS].join(', ')}`, solver);
  if (fullForm && problem.form !== 'full') refuse(where, `problem must be in full form for ${solver}`, problem.form);
  const preconditioner = options.preconditioner ?? 'full';
  if (!PRECONDITIONERS.includes(preconditioner))
    refuse(where, `preconditioner must be one of ${PRECONDITIONERS.join(', ')}`, preconditioner);
  if (!LOCAL_SOLVERS.includes(local)) refuse(where, `local must be one of ${LOCAL_SOLVERS.join(', ')}`, local);
  requirePositive(where, 'tolerance', tolerance);
  if (requireFinite(where, 'iterationLimit', iterationLimit) < 0)
    refuse(where, 'iterationLimit must be >= 0', iterationLimit);
  const { onIteration } = options;
  if (onIteration !== undefined && typeof onIteration !== 'function')
    refuse(where, 'onIteration must be a function', onIteration);
  const { mu, bilateral } = problem;
  const contacts =
    problem.form === 'full'
      ? condenseProblem(problem.A, problem.f, problem.H, problem.w, mu, bilateral)
      : contactProblemFromSparse(problem.W, problem.b, mu, bilateral);
  const r = new Float64Array(3 * contacts.contactCount);
  const u = new Float64Array(r.length);
  const common = { tolerance, iterationLimit, onIteration };
  const report =
    fullForm && problem.form === 'full'
      ? solveFullFormProblem(problem, contacts, r, u, { ...common, solver: fullForm, preconditioner })
      : solveContactProblem(contacts, r, u, { ...common, solver: plain ?? 'auto', local });
  const { status, iterations, residual, stages, impossibleContact } = report;
  return { status, iterations, residual, r, u, stages, impossibleContact, local: report.local };
}

function dropUndefined<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
