// First table of `stiction bench solvers`: block Gauss–Seidel with each local solver, in JavaScript and in kernels,
// on a batch of problems (Daviet, Bertails-Descoubes, Boissieux 2011, Table 2).

import { FAILURE } from '../core/contact-law-constants';
import { type BlockSweeps, createBlockSweeps } from '../dynamics/block-sweeps';
import { type ContactProblem, velocityScale } from '../solvers/contact-problem';
import { createGaussSeidelReport, defaultGaussSeidelOptions, solveGaussSeidel } from '../solvers/gauss-seidel';
import { chooseLocal, type LocalSolverName } from '../solvers/local/choose-local';
import { createLocalCounts, type LocalCounts } from '../solvers/local/hybrid';
import { type LocalSolver, localError } from '../solvers/local/local-solver';
import { residualOf } from '../solvers/residual';
import { createScratch } from '../solvers/scratch';
import { sweepFreezing } from '../solvers/sweep-local';
import type { BatchProblem } from './solvers-problems';

export type Engine = 'f64 TS' | 'f64 kernel' | 'f32 kernel';
export const ENGINES: readonly Engine[] = ['f64 TS', 'f64 kernel', 'f32 kernel'];

/** Our names, and those of the table. */
export const LOCALS: readonly (readonly [LocalSolverName, string])[] = [
  ['isotropic', 'isotropic-approximate'],
  ['newton', 'newton'],
  ['enumerative', 'enumerative'],
  ['hybrid', 'newton+enumerative'],
  ['bracketed', 'bracketed'],
];

/** Residual that counts as solved, relative to the largest |b| [-]: what f32 can be asked for, too. */
export const TOLERANCE = 1e-3;

export interface LocalRow {
  solver: string;
  engine: Engine;
  /** Local calls in which newton missed, and in which enumeration missed too [%]; null where there is no fail-safe. */
  failSafe: number | null;
  lastFailSafe: number | null;
  /** Local answers with an error above 1e-3 [%]; null for a solver that does not try to solve. */
  failed: number | null;
  /** Problems whose residual stayed above the tolerance [%]. */
  over: number;
  /** Mean number of sweeps, those of unsolved problems included. */
  sweeps: number;
  /** Mean time of the sweeps [ms]. */
  milliseconds: number;
}

const CHECK_INTERVAL = 5;

/** One row a local solver and engine. */
export function benchLocals(
  batch: readonly BatchProblem[],
  sweepLimit: number,
  progress: (text: string) => void,
): LocalRow[] {
  const kernels = createBlockSweeps();
  const rows: LocalRow[] = [];

  for (const [local, solver] of LOCALS) {
    for (const engine of ENGINES) {
      progress(`${solver}, ${engine}`);
      const counts = createLocalCounts();
      let over = 0;
      let sweeps = 0;
      let milliseconds = 0;
      for (const { problem } of batch) {
        const run =
          engine === 'f64 TS'
            ? sweepScript(problem, local, sweepLimit, counts)
            : sweepKernel(kernels, problem, local, engine, sweepLimit, counts);
        const u = new Float64Array(run.r.length);
        if (!(residualOf(u, problem, run.r) <= TOLERANCE * velocityScale(problem))) over++;
        sweeps += run.sweeps;
        milliseconds += run.milliseconds;
      }
      const isHybrid = local === 'hybrid';
      const percent = (part: number) => (100 * part) / Math.max(1, counts.calls);
      rows.push({
        solver,
        engine,
        failSafe: isHybrid ? percent(counts.enumerative) : null,
        lastFailSafe: isHybrid ? percent(counts.bracketed) : null,
        failed: local === 'isotropic' ? null : percent(counts.failures),
        over: (100 * over) / batch.length,
        sweeps: sweeps / batch.length,
        milliseconds: milliseconds / batch.length,
      });
    }
  }

  progress('');
  return rows;
}

interface Run {
  r: Float64Array;
  sweeps: number;
  milliseconds: number;
}

const scratch = createScratch();

/** Sweeps in JavaScript, timed; then the same number once more to count. */
function sweepScript(problem: ContactProblem, local: LocalSolverName, sweepLimit: number, counts: LocalCounts): Run {
  const r = new Float64Array(3 * problem.contactCount);
  const report = createGaussSeidelReport();
  const own = { ...defaultGaussSeidelOptions, tolerance: TOLERANCE, sweepLimit, local };
  scratch.reset();
  const start = performance.now();
  solveGaussSeidel(problem, r, scratch, { ...own, checkInterval: CHECK_INTERVAL }, report);
  const milliseconds = performance.now() - start;
  followSweeps(problem, countingSolver(local, counts), report.sweeps);
  return { r, sweeps: report.sweeps, milliseconds };
}

/** Sweeps from zero with a local solver of the caller's; no look at the residual. */
export function followSweeps(problem: ContactProblem, solve: LocalSolver, sweeps: number): void {
  const n = problem.contactCount;
  const r = new Float64Array(3 * n);
  const freezing = { sweeps: 0, threshold: 0, rest: new Int32Array(n), largest: 0, solved: 0, skipped: 0 };
  const unilateral = { ...problem, law: null };
  const local = new Float64Array(3);
  for (let k = 0; k < sweeps; k++) sweepFreezing(unilateral, r, local, solve, () => {}, freezing);
}

function countingSolver(local: LocalSolverName, counts: LocalCounts): LocalSolver {
  // The hybrid counts its calls and failures itself, not quite by the same measure: ours for all.
  const own = createLocalCounts();
  const solve = chooseLocal(local, own);
  return (r, rAt, W, wAt, b, bAt, mu) => {
    const { enumerative, bracketed } = own;
    const state = solve(r, rAt, W, wAt, b, bAt, mu);
    counts.calls++;
    counts.enumerative += own.enumerative - enumerative;
    counts.bracketed += own.bracketed - bracketed;
    if (localError(r, rAt, W, wAt, b, bAt, mu) > FAILURE) counts.failures++;
    return state;
  };
}

function sweepKernel(
  kernels: BlockSweeps,
  problem: ContactProblem,
  local: LocalSolverName,
  engine: Engine,
  sweepLimit: number,
  counts: LocalCounts,
): Run {
  const r = new Float64Array(3 * problem.contactCount);
  kernels.load(problem, engine === 'f64 kernel' ? 'f64' : 'f32');
  const target = TOLERANCE * velocityScale(problem);
  const start = performance.now();
  const { sweeps } = kernels.run(r, { local, sweepLimit, checkInterval: CHECK_INTERVAL, target });
  const milliseconds = performance.now() - start;
  const again = new Float64Array(r.length);
  const counted = kernels.run(again, { local, sweepLimit: sweeps, checkInterval: 0, target: 0, counted: true });
  for (const key of ['calls', 'enumerative', 'bracketed', 'failures', 'noSolution'] as const) {
    counts[key] += counted.local[key];
  }
  return { r, sweeps, milliseconds };
}
