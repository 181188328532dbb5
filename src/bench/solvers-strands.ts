// Tables of `stiction bench solvers` on problems of strands: local solvers in block Gauss–Seidel at a tolerance of
// 1e-6 (Daviet, Bertails-Descoubes, Boissieux 2011, Table 2), and outer loops on the full form (Daviet 2020, Table 3).

import { solveFullForm } from '../solvers/admm/full-form';
import { defaultAdmmOptions } from '../solvers/admm/options';
import { solveAlartCurnier } from '../solvers/comparators/alart-curnier';
import { pyramidError, solvePyramid } from '../solvers/comparators/pyramid';
import { type ContactProblem, contactScale, velocityOf, velocityScale } from '../solvers/contact-problem';
import { sweepBlock } from '../solvers/gauss-seidel';
import { solveBracketed } from '../solvers/local/bracketed';
import { solveEnumerative } from '../solvers/local/enumerative';
import { type LocalSolver, localError } from '../solvers/local/local-solver';
import { solveNewton } from '../solvers/local/newton';
import { residualOf } from '../solvers/residual';
import { solveFullFormProblem } from '../solvers/solve-full-form';
import { condenseProblem } from '../solvers/sparse-form';
import { sweepFreezing } from '../solvers/sweep-local';
import {
  captureStrandProblems,
  type StrandProblem,
  type StrandProblemSize,
  type StrandWorldName,
} from './strand-problems';

/** Residual that counts as solved, relative to the largest |b|, as in the paper. */
const TOLERANCE = 1e-6;
const SWEEP_LIMIT = 1000;
const CHECK_INTERVAL = 5;
/** Error of a local answer above which it counts as failed, and from which on the fail-safe is called [-]. */
const LOCAL_TOLERANCE = 1e-6;
/** δ∞ of Daviet 2020 [m], its iterations a step, and where we give up. */
const DELTA = 1e-5;
const PAPER_ITERATIONS = 25;
const OUTER_LIMIT = 1000;

/** How much is measured. */
export interface StrandBenchSize extends StrandProblemSize {
  /** Every so many problems of hair are solved by outer loops, too. */
  outerEvery: number;
  /** Default: all. */
  worlds?: readonly StrandWorldName[];
}

export interface StrandLocalRow {
  solver: string;
  /** Calls of the fail-safe, local answers that missed their tolerance, problems over tolerance [%]. */
  failSafe: number | null;
  failed: number;
  over: number;
  /** Mean number of sweeps, and mean time [ms]. */
  sweeps: number;
  milliseconds: number;
}

export interface OuterRow {
  solver: string;
  problems: number;
  /** After 25 iterations: median δ∞ [mm], median residual [m/s], mean time [ms]. */
  delta: number;
  residual: number;
  milliseconds: number;
  /** To δ∞ <= 0.01 mm: problems that got there [%], mean iterations and time of all, those cut off included. */
  reached: number;
  iterations: number;
  reachedMilliseconds: number;
}

export interface StrandBenchResult {
  problems: Record<StrandWorldName, number>;
  contacts: { median: number; largest: number };
  locals: StrandLocalRow[];
  outer: OuterRow[];
}

interface LocalEntry {
  name: string;
  solve: LocalSolver;
  /** Enumeration where the answer is not good enough. */
  isSafe: boolean;
  /** Judged by its own law. */
  isPyramid: boolean;
}

const entry = (name: string, solve: LocalSolver, isSafe = false, isPyramid = false): LocalEntry => ({
  name,
  solve,
  isSafe,
  isPyramid,
});

const LOCALS: readonly LocalEntry[] = [
  entry('4sides', solvePyramid, false, true),
  entry('PAC (Alart–Curnier)', solveAlartCurnier),
  entry('MFB (newton)', solveNewton),
  entry('Enum (enumerative)', solveEnumerative),
  entry('4sides + Enum', solvePyramid, true),
  entry('PAC + Enum', solveAlartCurnier, true),
  entry('MFB + Enum', solveNewton, true),
  entry('bracketed (ours)', solveBracketed),
];

interface Counts {
  calls: number;
  failSafe: number;
  failed: number;
}

const second = new Float64Array(3);

/** The solver with its fail-safe. */
function withFailSafe({ solve, isSafe, isPyramid }: LocalEntry, counts: Counts | null): LocalSolver {
  if (!isSafe && !counts) return solve;
  return (r, rAt, W, wAt, b, bAt, mu) => {
    let state = solve(r, rAt, W, wAt, b, bAt, mu);
    let error = isPyramid ? 0 : localError(r, rAt, W, wAt, b, bAt, mu);
    if (isSafe && error > LOCAL_TOLERANCE) {
      if (counts) counts.failSafe++;
      const enumerated = solveEnumerative(second, 0, W, wAt, b, bAt, mu);
      const secondError = localError(second, 0, W, wAt, b, bAt, mu);
      if (secondError < error) {
        for (let i = 0; i < 3; i++) r[rAt + i] = second[i];
        state = enumerated;
        error = secondError;
      }
    }
    if (counts) {
      counts.calls++;
      if (error > LOCAL_TOLERANCE || (isPyramid && state < 0)) counts.failed++;
    }
    return state;
  };
}

/** Sweeps from zero to the tolerance; returns how many, and the residual. */
function sweepTo(problem: ContactProblem, local: LocalEntry, counts: Counts | null, limit: number): [number, number] {
  const n = problem.contactCount;
  const r = new Float64Array(3 * n);
  const u = new Float64Array(3 * n);
  const room = new Float64Array(3);
  const freezing = { sweeps: 0, threshold: 0, rest: new Int32Array(n), largest: 0, solved: 0, skipped: 0 };
  const solve = withFailSafe(local, counts);
  const target = TOLERANCE * velocityScale(problem);
  let residual = Number.POSITIVE_INFINITY;
  let sweeps = 0;
  while (sweeps < limit && residual > target) {
    sweepFreezing(problem, r, room, solve, sweepBlock, freezing);
    sweeps++;
    if (counts || (sweeps % CHECK_INTERVAL !== 0 && sweeps < limit)) continue;
    residual = local.isPyramid ? pyramidResidual(u, problem, r) : residualOf(u, problem, r);
  }
  return [sweeps, residual];
}

function pyramidResidual(u: Float64Array, problem: ContactProblem, r: Float64Array): number {
  velocityOf(u, problem, r);
  let worst = 0;
  for (let c = 0; c < problem.contactCount; c++) {
    let error: number;
    if (problem.law?.[c]) error = Math.max(...[0, 1, 2].map((i) => Math.abs(u[3 * c + i])));
    else error = pyramidError(contactScale(problem, c), problem.mu[c], r, u, 3 * c);
    worst = Math.max(worst, error);
  }
  return worst;
}

interface LocalSum extends Counts {
  over: number;
  sweeps: number;
  milliseconds: number;
}

interface OuterRun {
  delta: number;
  residual: number;
  milliseconds: number;
  iterations: number;
  isReached: boolean;
  reachedMilliseconds: number;
}

/** ADMM of Daviet 2020 with W of 6.2.6; `sleeping`: 6.3.3. */
function runAdmm({ file, timeStep }: StrandProblem, reduced: ContactProblem, sleeping: boolean): OuterRun {
  const r = new Float64Array(3 * file.contacts);
  const own = { ...defaultAdmmOptions, resting: false, sleeping };
  const start = performance.now();
  const short = solveFullForm(file, { ...own, iterations: PAPER_ITERATIONS, tolerance: 0 }, r);
  const middle = performance.now();
  const residual = residualOf(r.slice(), reduced, r);
  const again = performance.now();
  const long = solveFullForm(file, { ...own, iterations: OUTER_LIMIT, tolerance: DELTA / timeStep }, r);
  return {
    delta: short.delta * timeStep,
    residual,
    milliseconds: middle - start,
    iterations: long.iterations,
    isReached: long.status === 'converged',
    reachedMilliseconds: performance.now() - again,
  };
}

/** The nested relaxation with the exact cone; its δ is the change of a velocity over an iteration. */
function runNested({ file, timeStep }: StrandProblem, reduced: ContactProblem): OuterRun {
  const r = new Float64Array(3 * file.contacts);
  const u = r.slice();
  const solver = 'nested-relaxation';
  const start = performance.now();
  const short = solveFullFormProblem(file, reduced, r, u, {
    solver,
    tolerance: 1e-12,
    iterationLimit: PAPER_ITERATIONS,
  });
  const middle = performance.now();
  // It stops by its own change at a hundredth of the tolerance that is asked for.
  const tolerance = DELTA / timeStep;
  const long = solveFullFormProblem(file, reduced, r, u, { solver, tolerance, iterationLimit: OUTER_LIMIT });
  return {
    delta: Number.NaN,
    residual: short.residual,
    milliseconds: middle - start,
    iterations: long.iterations,
    isReached: long.residual <= tolerance,
    reachedMilliseconds: performance.now() - middle,
  };
}

const OUTER: Readonly<Record<string, (problem: StrandProblem, reduced: ContactProblem) => OuterRun>> = {
  ADMM: (problem, reduced) => runAdmm(problem, reduced, true),
  'ADMM, no sleep': (problem, reduced) => runAdmm(problem, reduced, false),
  'nested relaxation (NL-ICA)': runNested,
};

/** Both tables; problems are made, solved and dropped one by one. */
export function benchStrands(size: StrandBenchSize, progress: (text: string) => void): StrandBenchResult {
  const problems: Record<StrandWorldName, number> = { ponytail: 0, ball: 0, ropes: 0, knots: 0 };
  const contacts: number[] = [];
  const sums = LOCALS.map((): LocalSum => ({ calls: 0, failSafe: 0, failed: 0, over: 0, sweeps: 0, milliseconds: 0 }));
  const runs = Object.keys(OUTER).map((): OuterRun[] => []);
  let hair = 0;

  const take = (problem: StrandProblem): void => {
    const { file, world } = problem;
    const { A, f, H, w, mu, bilateral } = file;
    const reduced = condenseProblem(A, f, H, w, mu, bilateral);
    if (!(velocityScale(reduced) > 0)) return;
    problems[world]++;
    contacts.push(file.contacts);
    progress(`${problem.name}: ${file.contacts} contacts`);
    LOCALS.forEach((local, k) => {
      const sum = sums[k];
      const start = performance.now();
      const [sweeps, residual] = sweepTo(reduced, local, null, SWEEP_LIMIT);
      sum.milliseconds += performance.now() - start;
      sum.sweeps += sweeps;
      if (!(residual <= TOLERANCE * velocityScale(reduced))) sum.over++;
      sweepTo(reduced, local, sum, Math.min(sweeps, 50));
    });
    // Rigid bodies are not of the form that ADMM on files takes: hair alone.
    if ((world !== 'ponytail' && world !== 'ball') || hair++ % size.outerEvery !== 0) return;
    Object.values(OUTER).forEach((run, k) => {
      runs[k].push(run(problem, reduced));
    });
  };

  captureStrandProblems(size, progress, take, size.worlds);
  contacts.sort((a, b) => a - b);
  const count = Math.max(1, contacts.length);

  return {
    problems,
    contacts: { median: contacts[contacts.length >> 1] ?? 0, largest: contacts.at(-1) ?? 0 },
    locals: sums.map((sum, k) => ({
      solver: LOCALS[k].name,
      failSafe: LOCALS[k].isSafe ? (100 * sum.failSafe) / Math.max(1, sum.calls) : null,
      failed: (100 * sum.failed) / Math.max(1, sum.calls),
      over: (100 * sum.over) / count,
      sweeps: sum.sweeps / count,
      milliseconds: sum.milliseconds / count,
    })),
    outer: Object.keys(OUTER).map((solver, k) => summarise(solver, runs[k])),
  };
}

function summarise(solver: string, runs: readonly OuterRun[]): OuterRow {
  const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  const mean = (values: number[]): number => values.reduce((sum, x) => sum + x, 0) / Math.max(1, values.length);
  return {
    solver,
    problems: runs.length,
    delta: 1000 * median(runs.map(({ delta }) => delta)),
    residual: median(runs.map(({ residual }) => residual)),
    milliseconds: mean(runs.map(({ milliseconds }) => milliseconds)),
    reached: (100 * runs.filter(({ isReached }) => isReached).length) / Math.max(1, runs.length),
    iterations: mean(runs.map(({ iterations }) => iterations)),
    reachedMilliseconds: mean(runs.map(({ reachedMilliseconds }) => reachedMilliseconds)),
  };
}
