// Second and third table of `stiction bench solvers`: time to the accuracy that a published implementation reached, and
// pivoting against one Gaussian elimination.

import { OPEN } from '../core/contact-law-constants';
import { createBlockSweeps } from '../dynamics/block-sweeps';
import type { ContactProblem } from '../solvers/contact-problem';
import { velocityOf, velocityScale } from '../solvers/contact-problem';
import { naturalMap } from '../solvers/coulomb-law';
import { createDantzigReport, defaultDantzigOptions, solveDantzig } from '../solvers/dantzig';
import { driveToZero } from '../solvers/dantzig/drive-to-zero';
import { openWork } from '../solvers/dantzig/work';
import { createGaussSeidelReport, solveGaussSeidel } from '../solvers/gauss-seidel';
import { createScratch } from '../solvers/scratch';
import type { BatchProblem } from './solvers-problems';

/** so-bogus, quartic first with Newton polish: [ms], nat. Measured once, C++ -O3, one thread, on another day. */
const SO_BOGUS: Readonly<Record<string, readonly [number, number]>> = {
  'BoxesStack1-i100000-32': [20.61, 4e-5],
  'Capsules-i100-1090': [1.29, 2e-4],
  'Confeti-ex03-Fc3D-SBM': [0.93, 7e-6],
  'KaplasTower-i1061-4': [69.82, 3e-5],
  'LMGC_100_PR_PerioBox-i00361-60-03000': [10.3, 9e-4],
  weave10x10: [4.5, 2e-4],
};

export interface ReachRow {
  problem: string;
  contacts: number;
  engine: string;
  nat: number;
  /** Sweeps needed; null if the accuracy was not reached within the limit. */
  sweeps: number | null;
  milliseconds: number | null;
  reference: number;
  ratio: number | null;
}

const CHECK_INTERVAL = 10;

/**
 * Bracketed Gauss–Seidel from zero to the reference's nat in at most `sweepLimit` sweeps; looks at
 * the residual are part of the time.
 */
export function benchReach(batch: readonly BatchProblem[], sweepLimit: number, rounds: number): ReachRow[] {
  const kernels = createBlockSweeps();
  const rows: ReachRow[] = [];
  for (const { name, problem, published } of batch) {
    if (!published || !(name in SO_BOGUS)) continue;
    const [reference, nat] = SO_BOGUS[name];
    for (const engine of ['f64 TS', 'f64 kernel', 'f32 kernel']) {
      if (engine !== 'f64 TS') kernels.load(problem, engine === 'f64 kernel' ? 'f64' : 'f32');
      const sweep = (count: number, checkInterval: number): Float64Array => {
        const r = new Float64Array(3 * problem.contactCount);
        if (engine === 'f64 TS') {
          const options = { tolerance: 0, sweepLimit: count, checkInterval: checkInterval || count };
          scratch.reset();
          solveGaussSeidel(problem, r, scratch, options, createGaussSeidelReport());
        } else kernels.run(r, { sweepLimit: count, checkInterval, target: 0 });
        return r;
      };
      const needed = sweepsNeeded(sweepLimit, (sweeps) => natOf(problem, sweep(sweeps, 0)) <= nat);
      const row = { problem: name, contacts: problem.contactCount, engine, nat, reference };
      if (needed === null) {
        rows.push({ ...row, sweeps: null, milliseconds: null, ratio: null });
        continue;
      }
      const milliseconds = fastest(rounds, () => sweep(needed, CHECK_INTERVAL));
      rows.push({ ...row, sweeps: needed, milliseconds, ratio: milliseconds / reference });
    }
  }
  return rows;
}

const scratch = createScratch();

function natOf(problem: ContactProblem, r: Float64Array): number {
  const u = new Float64Array(r.length);
  velocityOf(u, problem, r);
  return naturalMap(problem, r, u, new Float64Array(3));
}

/** A number of sweeps that is enough, at most 10 % or five above the least. */
function sweepsNeeded(limit: number, isEnough: (sweeps: number) => boolean): number | null {
  for (let sweeps = 5; sweeps <= limit; sweeps = Math.max(sweeps + 5, 5 * Math.ceil((1.1 * sweeps) / 5))) {
    if (isEnough(sweeps)) return sweeps;
  }
  return null;
}

/** Fastest of some rounds [ms]: what else the machine did is not ours to count. */
function fastest(rounds: number, work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let k = 0; k < rounds; k++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** Median, the upper one of two; NaN of nothing. */
function medianOf(values: readonly number[]): number {
  return values.slice().sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

export interface PivotRow {
  friction: boolean;
  /** 'passes, then pivots': the whole solver without sweeps to help; 'pivots alone': driven from empty sets. */
  method: 'passes, then pivots' | 'pivots alone';
  problems: number;
  /** Problems that were solved without one pivot, and problems not solved. */
  byPasses: number;
  unsolved: number;
  /** Median of passes over the sets, and of pivots, of a problem. */
  passes: number;
  pivots: number;
  /** Median and 90th percentile of time over that of one elimination of the same size. */
  median: number;
  p90: number;
  target: number;
}

const SMALLEST = 10;
const LARGEST = 150;

/** From nothing against one dense elimination: of side n without friction, 3n with. */
export function benchPivots(batch: readonly BatchProblem[], rounds: number): PivotRow[] {
  const fitting = batch.filter(({ problem: { contactCount: n } }) => n >= SMALLEST && n <= LARGEST);
  const eliminations = [false, true].map((friction) =>
    fitting.map(({ problem }) => eliminationTime(problem, friction ? 3 : 1, rounds)),
  );
  return [false, true].flatMap((friction) =>
    (['passes, then pivots', 'pivots alone'] as const).map((method) => {
      const runs = fitting.map(({ problem }) => {
        const own = friction ? problem : { ...problem, mu: new Float64Array(problem.mu.length) };
        return method === 'pivots alone' ? pivotAlone(own, rounds) : solveByPasses(own, rounds);
      });
      const ratios = runs.map(({ time }, i) => time / eliminations[+friction][i]).sort((a, b) => a - b);
      return {
        friction,
        method,
        problems: fitting.length,
        byPasses: runs.filter(({ isSolved, pivots }) => isSolved && pivots === 0).length,
        unsolved: runs.filter(({ isSolved }) => !isSolved).length,
        passes: medianOf(runs.map(({ passes }) => passes)),
        pivots: medianOf(runs.map(({ pivots }) => pivots)),
        median: medianOf(ratios),
        p90: ratios[Math.max(0, Math.ceil(0.9 * ratios.length) - 1)] ?? Number.NaN,
        target: friction ? 10 : 4,
      };
    }),
  );
}

interface PivotRun {
  isSolved: boolean;
  passes: number;
  pivots: number;
  /** [ms] */
  time: number;
}

function solveByPasses(problem: ContactProblem, rounds: number): PivotRun {
  const report = createDantzigReport();
  const n = problem.contactCount;
  const sets = new Int8Array(n);
  const options = { ...defaultDantzigOptions, fallbackSweeps: 0 };
  const time = fastest(rounds, () => {
    scratch.reset();
    sets.fill(0);
    solveDantzig(problem, new Float64Array(3 * n), sets, null, scratch, options, report);
  });
  return { isSolved: report.status === 'solved', passes: report.outerPasses, pivots: report.pivots, time };
}

/** The drive from empty sets, with the accuracy and the budget that the whole solver gives it. */
function pivotAlone(problem: ContactProblem, rounds: number): PivotRun {
  const n = problem.contactCount;
  const { epsilon, tolerance, pivotLimit } = defaultDantzigOptions;
  let ending = '';
  let pivots = 0;
  const time = fastest(rounds, () => {
    scratch.reset();
    const work = openWork(problem, null, scratch, epsilon);
    work.sets.fill(OPEN, 0, n);
    work.direction.fill(0, 0, 2 * n);
    const report = createDantzigReport();
    const slack = 0.1 * tolerance * velocityScale(problem);
    ending = driveToZero(problem, work, new Float64Array(3 * n), slack, pivotLimit * n + 20, report);
    pivots = report.pivots;
  });
  return { isSolved: ending === 'solved', passes: 0, pivots, time };
}

/** Time of one dense elimination with row exchanges and its back substitution [ms]; `rows` of each contact. */
function eliminationTime(problem: ContactProblem, rows: number, rounds: number): number {
  const side = rows * problem.contactCount;
  const dense = new Float64Array(side * side);
  const right = new Float64Array(side);
  for (let c = 0; c < problem.contactCount; c++) {
    for (let k = problem.rowStart[c]; k < problem.rowStart[c + 1]; k++) {
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < rows; j++) {
          dense[(rows * c + i) * side + rows * problem.column[k] + j] = problem.values[9 * k + 3 * i + j];
        }
      }
    }
    for (let i = 0; i < rows; i++) {
      right[rows * c + i] = -problem.b[3 * c + i];
      // Singular more often than not: a little on the diagonal, as pivoting puts there.
      dense[(rows * c + i) * (side + 1)] *= 1 + 1e-6;
    }
  }
  const A = new Float64Array(dense.length);
  const x = new Float64Array(side);
  return fastest(rounds, () => {
    A.set(dense);
    x.set(right);
    eliminate(A, x, side);
  });
}

/** x := A⁻¹ x by Gaussian elimination with row exchanges; A is overwritten. */
export function eliminate(A: Float64Array, x: Float64Array, side: number): void {
  for (let k = 0; k < side; k++) {
    let pivot = k;
    for (let i = k + 1; i < side; i++) if (Math.abs(A[i * side + k]) > Math.abs(A[pivot * side + k])) pivot = i;
    if (pivot !== k) {
      for (let j = k; j < side; j++) {
        const keep = A[k * side + j];
        A[k * side + j] = A[pivot * side + j];
        A[pivot * side + j] = keep;
      }
      const keep = x[k];
      x[k] = x[pivot];
      x[pivot] = keep;
    }
    const inverse = 1 / A[k * side + k];
    for (let i = k + 1; i < side; i++) {
      const factor = A[i * side + k] * inverse;
      const row = i * side;
      const from = k * side;
      for (let j = k + 1; j < side; j++) A[row + j] -= factor * A[from + j];
      x[i] -= factor * x[k];
    }
  }
  for (let k = side - 1; k >= 0; k--) {
    let sum = x[k];
    for (let j = k + 1; j < side; j++) sum -= A[k * side + j] * x[j];
    x[k] = sum / A[k * side + k];
  }
}
