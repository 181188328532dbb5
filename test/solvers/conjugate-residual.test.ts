// Conjugate residuals on elastic blocks and on single nodes with known answers; agreement with the solvers of the
// reduced form.
import { expect, test } from 'vitest';
import { elasticBlockProblem, elasticPyramid, RUBBER } from '../../src/bench/elastic-blocks';
import { UsageError } from '../../src/core/errors';
import type { FullProblem } from '../../src/scene/problem-types';
import { readMixedProblem } from '../../src/solvers/conjugate-residual/full-form';
import { defaultConjugateResidualOptions } from '../../src/solvers/conjugate-residual/options';
import { createConjugateResidualReport, solveConjugateResidual } from '../../src/solvers/conjugate-residual/solve';
import { createWork, resizeWork } from '../../src/solvers/conjugate-residual/work';
import { type FullFormOptions, solveFullFormProblem } from '../../src/solvers/solve-full-form';
import { solveProblem } from '../../src/solvers/solve-problem';
import { condenseProblem } from '../../src/solvers/sparse-form';

function reduce(file: FullProblem) {
  return condenseProblem(file.A, file.f, file.H, file.w, file.mu, file.bilateral);
}

function solve(file: FullProblem, options: Partial<FullFormOptions> = {}) {
  const r = new Float64Array(3 * file.contacts);
  const u = new Float64Array(r.length);
  const report = solveFullFormProblem(file, reduce(file), r, u, { solver: 'conjugate-residual', ...options });
  return { r, u, report };
}

/** One node of unit mass with velocity f and one row block a contact: frames with the normal along y, or as given. */
function node(f: number[], mu: number[], w: number[], frames?: number[][], bilateral?: number[]): FullProblem {
  const n = mu.length;
  const plain = [0, 1, 0, 1, 0, 0, 0, 0, 1];
  const row: number[] = [];
  const column: number[] = [];
  const value: number[] = [];
  for (let c = 0; c < n; c++) {
    (frames?.[c] ?? plain).forEach((x, k) => {
      row.push(3 * c + Math.floor(k / 3));
      column.push(k % 3);
      value.push(x);
    });
  }
  const three = Int32Array.of(0, 1, 2);
  return {
    version: 1,
    form: 'full',
    contacts: n,
    mu: Float64Array.from(mu),
    bilateral: bilateral ? Uint8Array.from(bilateral) : null,
    A: { rows: 3, columns: 3, row: three, column: three, value: Float64Array.of(1, 1, 1) },
    f: Float64Array.from(f),
    H: {
      rows: 3 * n,
      columns: 3,
      row: Int32Array.from(row),
      column: Int32Array.from(column),
      value: Float64Array.from(value),
    },
    w: Float64Array.from(w),
  };
}

/**
 * A block of 2 × 1 × 2 cells on the ground, gravity along (cos, sin) of a heading in the plane, `pull` of the load.
 */
function inclined(pull: number, heading = 0, mu = 0.5): FullProblem {
  const [x, z] = [Math.cos(heading), Math.sin(heading)];
  const g = 9.81 / Math.sqrt(1 + pull * pull);
  return elasticBlockProblem([{ cells: [2, 1, 2], origin: [0, 0, 0] }], {
    ...RUBBER,
    friction: mu,
    gravity: [g * pull * x, -g, g * pull * z],
  });
}

/** Impulses of all contacts together: normal, x, z. */
function total(r: Float64Array): number[] {
  const sum = [0, 0, 0];
  for (let i = 0; i < r.length; i++) sum[i % 3] += r[i];
  return sum;
}

/**
 * Mean velocity along the slope after 2/3 s from rest [m/s]: steps of implicit Euler, the last answer as the next
 * start.
 */
function creepOf(pull: number): number {
  const file = inclined(pull);
  const problem = readMixedProblem(file);
  const { operator, rows, f } = problem;
  const load = f.slice();
  const mass = f.map((_, i) => load[i - (i % 3) + 1] / load[1]);
  const unit =
    (RUBBER.density * 4 * RUBBER.cell ** 3) / mass.filter((_, i) => i % 3 === 0).reduce((sum, x) => sum + x, 0);
  const x = new Float64Array(operator.size);
  const strain = new Float64Array(operator.size);
  const work = createWork();
  resizeWork(work, operator.size, rows.count);
  const own = createConjugateResidualReport();
  for (let step = 0; step < 40; step++) {
    // f = M v + dt M g − dt K x, with dt K x = (A − M) x/dt.
    operator.multiply(strain, x);
    for (let i = 0; i < operator.size; i++) {
      const m = unit * mass[i];
      f[i] = load[i] + m * work.v[i] - (strain[i] - m * x[i]) / RUBBER.timeStep;
    }
    for (let c = 0; c < rows.count; c++) {
      for (let k = rows.start[c]; k < rows.start[c + 1]; k++) {
        if (rows.value[3 * k] !== 0) rows.w[3 * c] = x[rows.column[k]] / RUBBER.timeStep;
      }
    }
    solveConjugateResidual(problem, work, defaultConjugateResidualOptions, own);
    expect(own.status).toBe('converged');
    for (let i = 0; i < operator.size; i++) x[i] += RUBBER.timeStep * work.v[i];
  }
  let sum = 0;
  for (let i = 0; i < operator.size; i += 3) sum += work.v[i];
  return sum / (operator.size / 3);
}

test('an elastic block on an incline sticks at 0.99 of the friction angle and slides at 1.01', () => {
  expect(Math.abs(creepOf(0.99 * 0.5))).toBeLessThan(1e-4);
  // 40 steps of g (sin − mu cos), but for what it takes until the last corner has let go.
  const free = ((9.81 * 0.005) / Math.sqrt(1 + 0.505 ** 2)) * (40 / 60);
  const creep = creepOf(1.01 * 0.5);
  expect(creep).toBeGreaterThan(0.6 * free);
  expect(creep).toBeLessThan(1.1 * free);
});

test('friction is a cone: the same force in 36 headings to 0.1 %', () => {
  const size: number[] = [];
  for (let k = 0; k < 36; k++) {
    const heading = (k * Math.PI) / 18 + 0.01;
    const { r, report } = solve(node([2 * Math.cos(heading), -1, 2 * Math.sin(heading)], [0.4], [0, 0, 0]));
    expect(report.status).toBe('converged');
    const along = -r[1] * Math.cos(heading) - r[2] * Math.sin(heading);
    const across = -r[1] * Math.sin(heading) + r[2] * Math.cos(heading);
    expect(Math.abs(across)).toBeLessThan(1e-6);
    size.push(along);
  }
  for (const x of size) expect(Math.abs(x / 0.4 - 1)).toBeLessThan(1e-6);
  const block = [0, 0.3, 0.8, 1.9, 4].map((heading) => {
    const { r } = solve(inclined(1, heading), { tolerance: 1e-8 });
    const [normal, x, z] = total(r);
    return -(x * Math.cos(heading) + z * Math.sin(heading)) / normal;
  });
  for (const x of block) expect(Math.abs(x / 0.5 - 1)).toBeLessThan(1e-3);
});

test.each([
  ['sticking and sliding', { friction: 0.5, noise: 0.05 }],
  ['slippery', { friction: 0.05, noise: 0.2 }],
  ['without friction', { friction: 0, noise: 0.05 }],
  ['with contacts from both sides, near duplicates', { friction: 0.5, isTwoSided: true, timeStep: 0.004, noise: 0.05 }],
])('a pyramid of blocks, %s, is solved as by the exact solver', (_, options) => {
  const file = elasticPyramid(2, [2, 2, 2], options);
  const exact = new Float64Array(3 * file.contacts);
  const velocity = new Float64Array(exact.length);
  expect(solveProblem(reduce(file), exact, velocity).status).toBe('converged');
  for (const preconditioner of ['full', 'diagonal'] as const) {
    const { u, report } = solve(file, { preconditioner, tolerance: 1e-8 });
    expect(report.status).toBe('converged');
    expect(report.residual).toBeLessThanOrEqual(1e-8);
    expect(report.conjugateResidual?.constraintError).toBeLessThanOrEqual(1e-6);
    for (let i = 0; i < u.length; i++) expect(Math.abs(u[i] - velocity[i])).toBeLessThan(1e-6);
  }
});

test('ADMM and Gauss–Seidel give the same velocities', () => {
  const file = elasticPyramid(2, [2, 2, 2], { timeStep: 0.004, noise: 0.05 });
  const ours = solve(file, { tolerance: 1e-8 });
  const admm = solve(file, { solver: 'admm', tolerance: 1e-7 });
  expect(admm.report.residual).toBeLessThan(1e-4);
  const r = new Float64Array(3 * file.contacts);
  const u = new Float64Array(r.length);
  solveProblem(reduce(file), r, u, { solver: 'gauss-seidel', tolerance: 1e-8 });
  for (let i = 0; i < u.length; i++) {
    expect(Math.abs(ours.u[i] - u[i])).toBeLessThan(1e-6);
    expect(Math.abs(ours.u[i] - admm.u[i])).toBeLessThan(1e-3);
  }
});

test('Full takes less than a third of the iterations of Diag on blocks as soft as the paper’s', () => {
  let full = 0;
  let diagonal = 0;
  for (const isTwoSided of [false, true]) {
    const file = elasticPyramid(2, [3, 3, 3], { timeStep: 0.004, isTwoSided, noise: 0.05 });
    full += solve(file, { tolerance: 1e-6 }).report.iterations;
    diagonal += solve(file, { tolerance: 1e-6, preconditioner: 'diagonal' }).report.iterations;
  }
  expect(full).toBeGreaterThan(10);
  expect(full / diagonal).toBeLessThan(0.33);
});

// Directions that followed the velocity of contacts that had hardly begun to slip went round for ever here (4000
// iterations, residual 1e-3).
test('many contacts between sticking and sliding do not go to and fro', () => {
  const file = elasticPyramid(3, [3, 3, 3], { timeStep: 0.004, isTwoSided: true, noise: 0.05 });
  const { report } = solve(file, { tolerance: 1e-6 });
  expect(report.status).toBe('converged');
  expect(report.iterations).toBeLessThan(400);
});

test('exact duplicates of contacts change neither the answer nor, thanks to Z, the iterations by much', () => {
  const file = elasticPyramid(2, [2, 2, 2], { timeStep: 0.004, noise: 0.05 });
  const { H, contacts } = file;
  const copies = 8;
  const times = Array.from({ length: copies }, (_, k) => k);
  const shift = (list: ArrayLike<number>, by: number) => Array.from(list, (x) => x + by);
  const many: FullProblem = {
    ...file,
    contacts: copies * contacts,
    mu: new Float64Array(copies * contacts).fill(0.5),
    w: Float64Array.from(times.flatMap(() => [...file.w])),
    H: {
      rows: 3 * copies * contacts,
      columns: H.columns,
      row: Int32Array.from(times.flatMap((k) => shift(H.row, 3 * k * contacts))),
      column: Int32Array.from(times.flatMap(() => Array.from(H.column))),
      value: Float64Array.from(times.flatMap(() => Array.from(H.value))),
    },
  };
  const one = solve(file, { tolerance: 1e-7 });
  const repeated = solve(many, { tolerance: 1e-7 });
  expect(repeated.report.status).toBe('converged');
  expect(repeated.report.iterations).toBeLessThan(2.5 * one.report.iterations);
  for (let i = 0; i < one.u.length; i++) expect(Math.abs(repeated.u[i] - one.u[i])).toBeLessThan(1e-5);
});

test('bilateral rows hold whatever the force, and a contact that nothing moves is left alone', () => {
  const { u, r, report } = solve(node([3, -2, 1], [0, 0.5], [0, 0, 0, 1, 0, 0], undefined, [1, 0]));
  expect(report.status).toBe('converged');
  for (let i = 0; i < 3; i++) expect(Math.abs(u[i])).toBeLessThan(1e-9);
  expect(r[3]).toBe(0);
  const still = solve(node([0, 1, 0], [0.5], [0, 0, 0], [[0, 0, 0, 0, 0, 0, 0, 0, 0]]));
  expect(still.report.status).toBe('converged');
  expect(Array.from(still.r)).toEqual([0, 0, 0]);
});

test('rows that contradict each other end in a word, not in a worse answer', () => {
  // Two floors close on the node from both sides.
  const up = [0, 1, 0, 1, 0, 0, 0, 0, 1];
  const down = [0, -1, 0, 1, 0, 0, 0, 0, 1];
  const file = node([0, 0, 0], [0.5, 0.5], [-1, 0, 0, -1, 0, 0], [up, down]);
  const { report, r } = solve(file, { iterationLimit: 300 });
  expect(report.status).toBe('no-solution');
  expect(report.residual).toBeLessThanOrEqual(2);
  for (const x of r) expect(Number.isFinite(x)).toBe(true);
  // The solver alone sees a gradient that vanishes.
  const bilateral = node([0, 0, 0], [0, 0], [-1, 0, 0, 1, 0, 0], undefined, [1, 1]);
  const problem = readMixedProblem(bilateral);
  const work = createWork();
  resizeWork(work, 3, 2);
  const own = createConjugateResidualReport();
  for (const preconditioner of ['full', 'diagonal'] as const) {
    work.v.fill(0);
    work.r.fill(0);
    solveConjugateResidual(problem, work, { ...defaultConjugateResidualOptions, preconditioner }, own);
    expect(['local-minimum', 'stalled', 'iteration-limit']).toContain(own.status);
    expect(own.merit).toBeLessThanOrEqual(own.startMerit);
  }
});

test('cut off anywhere, the answer is never worse than the start', () => {
  const file = elasticPyramid(2, [2, 2, 2], { noise: 0.2 });
  const problem = readMixedProblem(file);
  const own = createConjugateResidualReport();
  for (const iterationLimit of [0, 1, 3, 10, 30, 100]) {
    const work = createWork();
    resizeWork(work, problem.operator.size, file.contacts);
    solveConjugateResidual(problem, work, { ...defaultConjugateResidualOptions, iterationLimit }, own);
    expect(own.merit).toBeLessThanOrEqual(own.startMerit);
    expect(own.iterations).toBeLessThanOrEqual(iterationLimit);
  }
});

test('the answer of a step is its own start: nothing is left to do', () => {
  const file = elasticPyramid(2, [2, 2, 2], { noise: 0.05 });
  const problem = readMixedProblem(file);
  const work = createWork();
  resizeWork(work, problem.operator.size, file.contacts);
  const own = createConjugateResidualReport();
  solveConjugateResidual(problem, work, defaultConjugateResidualOptions, own);
  expect(own.status).toBe('converged');
  const first = own.iterations;
  solveConjugateResidual(problem, work, { ...defaultConjugateResidualOptions, tolerance: 2e-8 }, own);
  expect(own.status).toBe('converged');
  expect(own.iterations).toBeLessThan(0.3 * first);
});

test('matrices that are no good are refused by name', () => {
  const file = node([0, 0, 0], [0.5], [0, 0, 0]);
  const negative = { ...file, A: { ...file.A, value: Float64Array.of(1, -1, 1) } };
  expect(() => readMixedProblem(negative)).toThrow(new UsageError('A: must be positive definite, got -1 at [1, 1]'));
  const skew = { ...file, A: { ...file.A, row: Int32Array.of(0, 1, 2, 0), column: Int32Array.of(0, 1, 2, 1) } };
  expect(() => readMixedProblem({ ...skew, A: { ...skew.A, value: Float64Array.of(1, 1, 1, 0.5) } })).toThrow(
    /^A: must be symmetric/,
  );
});
