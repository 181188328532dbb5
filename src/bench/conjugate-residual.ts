// `stiction bench conjugate-residual`: solvers of the full form on steps of elastic blocks, as the literature's Table
// 1.

import { cpus, loadavg } from 'node:os';
import type { Preconditioner } from '../solvers/conjugate-residual/options';
import { solveFullFormProblem } from '../solvers/solve-full-form';
import type { FullFormSolver } from '../solvers/solve-problem';
import { condenseProblem } from '../solvers/sparse-form';
import { elasticPyramid } from './elastic-blocks';

/** How much is measured. */
export interface ConjugateResidualBenchSize {
  /** Blocks in the lowest row of the pyramids, and cells along the edge of a block. */
  bases: readonly number[];
  cells: number;
  iterationLimit: number;
  /** Runs of each, of which the fastest counts. */
  rounds: number;
}

export const FULL_CONJUGATE_RESIDUAL: ConjugateResidualBenchSize = {
  bases: [2, 3, 4],
  cells: 3,
  iterationLimit: 3000,
  rounds: 3,
};
/** Some ten seconds. */
export const QUICK_CONJUGATE_RESIDUAL: ConjugateResidualBenchSize = {
  bases: [2],
  cells: 3,
  iterationLimit: 2000,
  rounds: 1,
};

export interface ConjugateResidualRow {
  scene: string;
  contacts: number;
  unknowns: number;
  method: string;
  /** Residual asked for [m/s]. */
  tolerance: number;
  status: string;
  iterations: number;
  residual: number;
  /** Largest error of an active row [m/s]; null for the others. */
  constraintError: number | null;
  milliseconds: number;
}

export interface ConjugateResidualBenchResult {
  date: string;
  node: string;
  machine: string;
  load: number[];
  rows: ConjugateResidualRow[];
  /** Iterations of the scenes that both solve, Full over Diag, by tolerance [-]. */
  ratios: { tolerance: number; ratio: number }[];
}

interface Method {
  label: string;
  solver: FullFormSolver;
  preconditioner?: Preconditioner;
}

const METHODS: readonly Method[] = [
  { label: 'CR (Full)', solver: 'conjugate-residual', preconditioner: 'full' },
  { label: 'CR (Diag)', solver: 'conjugate-residual', preconditioner: 'diagonal' },
  { label: 'ADMM', solver: 'admm' },
  { label: 'ICA', solver: 'nested-relaxation' },
  { label: 'SP (CR Diag)', solver: 'staggered-conjugate-residual' },
  { label: 'SP (active set)', solver: 'staggered-active-set' },
];

/** Time steps and moduli: the paper's, ten times as stiff, and a game's step. */
const SCENES: readonly { name: string; timeStep: number; youngModulus: number }[] = [
  { name: '1 ms, 5e5 Pa', timeStep: 1e-3, youngModulus: 5e5 },
  { name: '1 ms, 5e6 Pa', timeStep: 1e-3, youngModulus: 5e6 },
  { name: '16.7 ms, 5e5 Pa', timeStep: 1 / 60, youngModulus: 5e5 },
];

const TOLERANCES = [1e-3, 1e-6];

/** Runs all rows. */
export function benchConjugateResidual(
  { bases, cells, iterationLimit, rounds }: ConjugateResidualBenchSize,
  progress: (text: string) => void,
): ConjugateResidualBenchResult {
  const rows: ConjugateResidualRow[] = [];

  for (const base of bases) {
    for (const { name, timeStep, youngModulus } of SCENES) {
      const scene = `${(base * (base + 1)) / 2} blocks, ${name}`;
      const file = elasticPyramid(base, [cells, cells, cells], {
        timeStep,
        youngModulus,
        isTwoSided: true,
        noise: 0.05,
      });
      const reduced = condenseProblem(file.A, file.f, file.H, file.w, file.mu, file.bilateral);
      const facts = { scene, contacts: file.contacts, unknowns: file.A.rows };
      const r = new Float64Array(3 * file.contacts);
      const u = new Float64Array(r.length);
      for (const tolerance of TOLERANCES) {
        for (const { label, solver, preconditioner } of METHODS) {
          progress(`${scene}, ${label}, to ${tolerance}`);
          const run = () => {
            const start = performance.now();
            const report = solveFullFormProblem(file, reduced, r, u, {
              solver,
              preconditioner,
              tolerance,
              iterationLimit,
            });
            return { report, milliseconds: performance.now() - start };
          };
          let best = run();
          for (let k = 1; k < rounds; k++) {
            const again = run();
            if (again.milliseconds < best.milliseconds) best = again;
          }
          const { status, iterations, residual, conjugateResidual: own } = best.report;
          const { milliseconds } = best;
          const constraintError = own?.constraintError ?? null;
          rows.push({
            ...facts,
            method: label,
            tolerance,
            status,
            iterations,
            residual,
            constraintError,
            milliseconds,
          });
        }
      }
    }
  }

  progress('');
  const processors = cpus();

  return {
    date: new Date().toISOString(),
    node: process.version,
    machine: `${processors[0]?.model.trim() ?? 'unknown processor'}, ${processors.length} cores`,
    load: loadavg().map((x) => Math.round(100 * x) / 100),
    rows,
    ratios: TOLERANCES.map((tolerance) => ({ tolerance, ratio: ratioOf(rows, tolerance) })),
  };
}

/** Only of scenes that both solve. */
function ratioOf(rows: readonly ConjugateResidualRow[], tolerance: number): number {
  let [full, diagonal] = [0, 0];
  const asked = rows.filter((row) => row.tolerance === tolerance && row.status === 'converged');
  for (const { scene, iterations } of asked.filter(({ method }) => method === 'CR (Full)')) {
    const other = asked.find((row) => row.method === 'CR (Diag)' && row.scene === scene);
    if (!other) continue;
    full += iterations;
    diagonal += other.iterations;
  }
  return full / diagonal;
}
