/**
 * One door to the solvers that work on the full form of a problem, A v = f + Hᵀ r, u = H v + w: for problem files and
 * for comparing solvers. Whatever a solver thinks of its answer, it is judged by the one residual of the reduced
 * problem, and the best r that was judged is returned. Allocates; not for the step.
 */
import { solveFullForm as solveByAdmm } from './admm/full-form';
import { defaultAdmmOptions } from './admm/options';
import { defaultNestedOptions, solveNested } from './comparators/nested-relaxation';
import { solveNodal } from './comparators/nodal';
import { solveStaggered } from './comparators/staggered-projections';
import { readMixedProblem } from './conjugate-residual/full-form';
import { admit } from './conjugate-residual/merit';
import { defaultConjugateResidualOptions, PRECONDITIONERS, type Preconditioner } from './conjugate-residual/options';
import {
  type ConjugateResidualReport,
  createConjugateResidualReport,
  solveConjugateResidual,
} from './conjugate-residual/solve';
import { createWork, resizeWork } from './conjugate-residual/work';
import { type ContactProblem, velocityScale } from './contact-problem';
import { createLocalCounts } from './local/hybrid';
import { residualOf } from './residual';
import {
  defaultSolveOptions,
  type FullFormSolver,
  judgeSolvable,
  type SolveOptions,
  type SolveReport,
} from './solve-problem';
import { compressRows, condenseProblem, type SparseEntries } from './sparse-form';

/** A problem in full form. */
export interface FullForm {
  readonly contacts: number;
  readonly mu: ArrayLike<number>;
  readonly bilateral: ArrayLike<number> | null;
  readonly A: SparseEntries;
  readonly f: ArrayLike<number>;
  readonly H: SparseEntries;
  readonly w: ArrayLike<number>;
}

/** All names. */
export const FULL_FORM_SOLVERS: readonly FullFormSolver[] = [
  'admm',
  'conjugate-residual',
  'staggered-active-set',
  'staggered-conjugate-residual',
  'nested-relaxation',
  'nodal',
];

export interface FullFormOptions extends Pick<SolveOptions, 'tolerance' | 'iterationLimit' | 'onIteration'> {
  solver: FullFormSolver;
  /** Of conjugate-residual. */
  preconditioner: Preconditioner;
}

export interface FullFormReport extends SolveReport {
  /** What conjugate-residual itself measures: the last of its runs. */
  conjugateResidual: ConjugateResidualReport | null;
}

/** Sweeps an iteration of ADMM: files want the answer, not the frame rate. */
const SWEEPS = 20;
/** Runs of conjugate residuals at most, each with a tenth of the tolerances of the one before. */
const RUNS = 8;
/** Smallest ε₁ [-]. */
const LEAST_TOLERANCE = 1e-15;
/** Share of the target that active rows and changes of contacts may be off by [-]. */
const CONSTRAINT_SHARE = 0.1;

/** State of one call. */
interface Run {
  file: FullForm;
  reduced: ContactProblem;
  target: number;
  limit: number;
  /** The r that is judged, the best so far, and W r + b. */
  r: Float64Array;
  best: Float64Array;
  u: Float64Array;
  options: FullFormOptions;
  report: FullFormReport;
}

/**
 * Solves from zero. r and u, three numbers per contact [N·s], [m/s], are filled; `reduced` is the file condensed.
 * Throws UsageError for an H or A that a solver cannot take.
 */
export function solveFullFormProblem(
  file: FullForm,
  reduced: ContactProblem,
  r: Float64Array,
  u: Float64Array,
  options: Partial<FullFormOptions> & Pick<FullFormOptions, 'solver'>,
): FullFormReport {
  const all: FullFormOptions = {
    solver: options.solver,
    tolerance: options.tolerance ?? defaultSolveOptions.tolerance,
    iterationLimit: options.iterationLimit ?? defaultSolveOptions.iterationLimit,
    preconditioner: options.preconditioner ?? PRECONDITIONERS[0],
    onIteration: options.onIteration,
  };

  const scale = velocityScale(reduced);
  r.fill(0);

  const run: Run = {
    file,
    reduced,
    target: Math.max(all.tolerance * Math.min(1, scale), 1e-13 * scale),
    limit: Math.max(0, Math.floor(all.iterationLimit)),
    r,
    best: r.slice(),
    u,
    options: all,
    report: {
      status: 'iteration-limit',
      iterations: 0,
      residual: residualOf(u, reduced, r),
      stages: [],
      impossibleContact: null,
      local: createLocalCounts(),
      conjugateResidual: null,
    },
  };

  const { report } = run;
  tell(run, 'start', 0);

  if (report.residual > run.target && run.limit > 0) {
    if (all.solver === 'admm') runAdmm(run);
    else if (all.solver === 'conjugate-residual') runConjugateResidual(run);
    else if (all.solver === 'nested-relaxation') runNested(run);
    else if (all.solver === 'nodal') runNodal(run);
    else runStaggered(run, all.solver === 'staggered-active-set');
    report.stages.push({ solver: all.solver, iterations: report.iterations, pivots: 0, residual: report.residual });
    tell(run, all.solver, report.iterations);
  }

  r.set(run.best);
  report.residual = residualOf(u, reduced, r);
  if (report.residual <= run.target) report.status = 'converged';
  else judgeSolvable(reduced, report);
  return report;
}

/** Judges run.r and keeps it if it is the best so far. */
function judge(run: Run): void {
  const residual = residualOf(run.u, run.reduced, run.r);
  if (!(residual < run.report.residual)) return;
  run.report.residual = residual;
  run.best.set(run.r);
}

function tell({ options, report }: Run, solver: FullFormSolver | 'start', iterations: number): void {
  options.onIteration?.({ solver, iterations, residual: report.residual });
}

/** Watching costs a product with W a look; nobody watching, none. */
function watch(run: Run, before: number, readImpulses: () => void): ((iterations: number) => void) | undefined {
  if (!run.options.onIteration) return undefined;
  return (iterations) => {
    readImpulses();
    judge(run);
    tell(run, run.options.solver, before + iterations);
  };
}

function runAdmm(run: Run): void {
  const { file, target, limit, r, report } = run;
  const own = { ...defaultAdmmOptions, iterations: limit, sweeps: SWEEPS, acceleration: true, sleeping: false };
  const admm = solveByAdmm(
    file,
    { ...own, tolerance: 0.1 * target },
    r,
    watch(run, 0, () => {}),
  );
  report.iterations = admm.iterations;
  report.local = admm.local;
  judge(run);
}

/**
 * Its own residual is of momentum, the target of velocities that A⁻¹ has had a hand in: where they differ, runs go
 * on from the answer with tighter tolerances.
 */
function runConjugateResidual(run: Run): void {
  const { file, target, limit, r, report } = run;
  const problem = readMixedProblem(file);
  const { operator, rows } = problem;
  const work = createWork();
  resizeWork(work, operator.size, rows.count);
  const own = createConjugateResidualReport();
  const options = {
    ...defaultConjugateResidualOptions,
    preconditioner: run.options.preconditioner,
    constraintTolerance: Math.min(defaultConjugateResidualOptions.constraintTolerance, CONSTRAINT_SHARE * target),
    tolerance: firstTolerance(file, operator.inverseDiagonal, target),
    iterationLimit: limit,
  };
  const take = () => {
    admit(problem, work);
    r.set(work.admissible.subarray(0, r.length));
  };
  report.conjugateResidual = own;
  for (let k = 0; k < RUNS && report.residual > target && report.iterations < limit; k++) {
    options.iterationLimit = limit - report.iterations;
    const before = report.residual;
    solveConjugateResidual(problem, work, options, own, watch(run, report.iterations, take));
    report.iterations += own.iterations;
    r.set(work.r.subarray(0, r.length));
    judge(run);
    if (own.status !== 'converged' && !(report.residual < 0.5 * before)) break;
    options.tolerance = Math.max(0.1 * options.tolerance, LEAST_TOLERANCE);
    options.constraintTolerance *= 0.3;
  }
}

/** The first tolerances are kept: where they do not suffice, more accurate programs do not help the turns. */
function runStaggered(run: Run, isActiveSet: boolean): void {
  const { file, target, limit, r, report } = run;
  const problem = readMixedProblem(file);
  const staggered = solveStaggered(problem, r, {
    isActiveSet,
    tolerance: 0.1 * firstTolerance(file, problem.operator.inverseDiagonal, target),
    rowTolerance: CONSTRAINT_SHARE * target,
    iterationLimit: limit,
    onIteration: watch(run, 0, () => {}),
  });
  report.iterations = staggered.iterations;
  judge(run);
}

function runNested(run: Run): void {
  const { file, target, limit, r, report } = run;
  const A = compressRows(file.A, true);
  const places = Int32Array.from({ length: file.A.rows }, (_, i) => i);
  const problem = readMixedProblem(file);
  const { inverseDiagonal } = problem.operator;
  const value = inverseDiagonal.map((give) => 1 / give);
  const D = { rows: file.A.rows, columns: file.A.rows, row: places, column: places, value };
  const nested = solveNested(problem, A, condenseProblem(D, problem.f, file.H, file.w, file.mu, file.bilateral), r, {
    ...defaultNestedOptions,
    tolerance: 0.01 * target,
    iterationLimit: limit,
    onIteration: watch(run, 0, () => {}),
  });
  report.iterations = nested.iterations;
  judge(run);
}

function runNodal(run: Run): void {
  const { file, target, limit, r, report } = run;
  const nodal = solveNodal(readMixedProblem(file), compressRows(file.A, true), r, {
    tolerance: 0.01 * target,
    iterationLimit: limit,
    onIteration: watch(run, 0, () => {}),
  });
  report.iterations = nodal.iterations;
  judge(run);
}

/**
 * ε₁ with which the momentum left moves no contact by more than the target, were it
 * alone: ‖R‖ √give <= target.
 */
function firstTolerance(file: FullForm, inverseDiagonal: Float64Array, target: number): number {
  let size = 0;
  for (let i = 0; i < inverseDiagonal.length; i++) size += inverseDiagonal[i] * file.f[i] * file.f[i];
  let give = 0;
  for (let i = 0; i < inverseDiagonal.length; i++) give = Math.max(give, inverseDiagonal[i]);
  const tolerance = target / Math.sqrt(give * size);
  return Number.isFinite(tolerance) ? Math.min(1e-4, Math.max(tolerance, LEAST_TOLERANCE)) : 1e-10;
}
