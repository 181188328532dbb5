// Table 1 of Daviet 2020 made again: steps of Argus's model problems, each solved from nothing by ours (ADMM), node by
// node (Li et al. 2018) and by nested relaxation with the exact law (after Otaduy et al. 2009); what counts is ratios.

import { captureElasticProblem } from '../dynamics/elastic/capture-elastic';
import type { FullForm } from '../solvers/admm/full-form';
import { solveFullFormProblem } from '../solvers/solve-full-form';
import type { FullFormSolver } from '../solvers/solve-problem';
import { condenseProblem } from '../solvers/sparse-form';
import { ARGUS_WORLDS, createArgusWorld } from './argus-worlds';
import { processorTime, quantile } from './shells-measure';

/** How much is measured. */
export interface ArgusSize {
  /** Moments of each world. */
  moments: number;
  /** [s] */
  timeSteps: readonly number[];
  /** Residual to be reached [m/s], and iterations for it at most. */
  tolerance: number;
  iterationLimit: number;
}

export const FULL_ARGUS: ArgusSize = {
  moments: 3,
  timeSteps: [1 / 60, 1e-3],
  tolerance: 1e-4,
  iterationLimit: 500,
};

export interface ArgusRow {
  scene: string;
  timeStep: number;
  method: string;
  problems: number;
  /** Median of contacts. */
  contacts: number;
  /** Problems that reached the residual. */
  solved: number;
  /** Median of iterations and of milliseconds of a problem; and times ours, of the medians. */
  iterations: number;
  milliseconds: number;
  ratio: number;
  /** Largest residual that was left [m/s]. */
  residual: number;
}

const METHODS: readonly { label: string; solver: FullFormSolver }[] = [
  { label: 'ADMM (ours)', solver: 'admm' },
  { label: 'nodal', solver: 'nodal' },
  { label: 'nested relaxation', solver: 'nested-relaxation' },
];

/** Runs all rows. */
export function benchArgus(size: ArgusSize, progress: (text: string) => void): ArgusRow[] {
  const rows: ArgusRow[] = [];
  for (const timeStep of size.timeSteps) {
    for (const scene of ARGUS_WORLDS) {
      progress(`${scene}, ${(1000 * timeStep).toPrecision(3)} ms: running`);
      const files = capture(scene, timeStep, size.moments);
      let ours = Number.NaN;
      for (const { label, solver } of METHODS) {
        progress(`${scene}, ${(1000 * timeStep).toPrecision(3)} ms: ${label}`);
        const row = { scene, timeStep, method: label, ...solveAll(files, solver, size) };
        if (solver === 'admm') ours = row.milliseconds;
        rows.push({ ...row, ratio: row.milliseconds / ours });
      }
    }
  }
  progress('');
  return rows;
}

/** Problems of a world at so many moments, those without contacts left out. */
function capture(scene: (typeof ARGUS_WORLDS)[number], timeStep: number, moments: number): FullForm[] {
  const { physics, steps, advance } = createArgusWorld(scene, timeStep);
  const found: FullForm[] = [];
  physics.schedule.before('solve-contacts', () => {
    const step = physics.stepCount + 1;
    if (Math.floor((step * moments) / steps) === Math.floor(((step - 1) * moments) / steps)) return;
    const file = captureElasticProblem(physics.internal.engine);
    if (file && file.contacts > 0) found.push(file);
  });
  for (let k = 0; k < steps; k++) advance();
  physics.dispose();
  return found;
}

function solveAll(files: readonly FullForm[], solver: FullFormSolver, { tolerance, iterationLimit }: ArgusSize) {
  const [iterations, times]: number[][] = [[], []];
  let [solved, worst] = [0, 0];
  for (const file of files) {
    const reduced = condenseProblem(file.A, file.f, file.H, file.w, file.mu, file.bilateral);
    const r = new Float64Array(3 * file.contacts);
    const u = new Float64Array(r.length);
    const start = processorTime();
    const report = solveFullFormProblem(file, reduced, r, u, { solver, tolerance, iterationLimit });
    times.push(processorTime() - start);
    iterations.push(report.iterations);
    if (report.status === 'converged') solved++;
    worst = Math.max(worst, report.residual);
  }
  return {
    problems: files.length,
    contacts: quantile(
      files.map(({ contacts }) => contacts),
      0.5,
    ),
    solved,
    iterations: quantile(iterations, 0.5),
    milliseconds: quantile(times, 0.5),
    residual: worst,
  };
}
