// Friction problems in kernels: the same sweeps as in JavaScript, in f64 to rounding and in f32 as far as it goes.

import { describe, expect, it } from 'vitest';
import { createBlockSweeps } from '../../src/dynamics/block-sweeps';
import { contactProblemFromDense, velocityOf, velocityScale } from '../../src/solvers/contact-problem';
import { createGaussSeidelReport, solveGaussSeidel } from '../../src/solvers/gauss-seidel';
import { LOCAL_SOLVERS } from '../../src/solvers/local/choose-local';
import { residualOf } from '../../src/solvers/residual';
import { createScratch } from '../../src/solvers/scratch';
import { loadProblem, naturalMapOf } from '../validation/friction-problems';

const kernels = createBlockSweeps();
const capsules = loadProblem('Capsules-i100-1090').problem;

/** Sweeps in JavaScript, from zero. */
function sweepScript(problem: typeof capsules, sweepLimit: number, local: (typeof LOCAL_SOLVERS)[number]) {
  const r = new Float64Array(3 * problem.contactCount);
  const options = { tolerance: 0, sweepLimit, checkInterval: 1, local };
  solveGaussSeidel(problem, r, createScratch(), options, createGaussSeidelReport());
  return r;
}

function sweepKernel(
  problem: typeof capsules,
  arithmetic: 'f64' | 'f32',
  sweepLimit: number,
  local: (typeof LOCAL_SOLVERS)[number],
) {
  const r = new Float64Array(3 * problem.contactCount);
  kernels.load(problem, arithmetic);
  const report = kernels.run(r, { local, sweepLimit, checkInterval: 1, target: 0 });
  return { r, report };
}

/** Largest difference over the largest number. */
function difference(a: Float64Array, b: Float64Array): number {
  let largest = 0;
  let miss = 0;
  a.forEach((x, i) => {
    largest = Math.max(largest, Math.abs(x));
    miss = Math.max(miss, Math.abs(x - b[i]));
  });
  return miss / largest;
}

describe('block Gauss–Seidel in kernels', () => {
  it.each(LOCAL_SOLVERS)('with %s does the sweeps of the JavaScript one', (local) => {
    const script = sweepScript(capsules, 6, local);
    const { r, report } = sweepKernel(capsules, 'f64', 6, local);
    expect(report.sweeps).toBe(6);
    expect(difference(script, r)).toBeLessThan(1e-9);
    const single = sweepKernel(capsules, 'f32', 6, local);
    expect(difference(script, single.r)).toBeLessThan(1e-3);
  });

  it('reports the residual of the r it returns, and the best one', () => {
    const { r, report } = sweepKernel(capsules, 'f64', 40, 'bracketed');
    const u = new Float64Array(r.length);
    expect(report.residual).toBeCloseTo(residualOf(u, capsules, r), 12);
    const more = sweepKernel(capsules, 'f64', 80, 'bracketed');
    expect(more.report.residual).toBeLessThanOrEqual(report.residual);
  });

  it('stops at the target', () => {
    const r = new Float64Array(3 * capsules.contactCount);
    kernels.load(capsules, 'f32');
    const target = 1e-3 * velocityScale(capsules);
    const report = kernels.run(r, { sweepLimit: 1000, checkInterval: 5, target });
    expect(report.sweeps).toBeLessThan(500);
    expect(report.sweeps % 5).toBe(0);
    expect(residualOf(new Float64Array(r.length), capsules, r)).toBeLessThanOrEqual(1.01 * target);
  });

  it('leaves quiet contacts alone when asked to, and comes to the same velocities', () => {
    const { problem } = loadProblem('weave10x10');
    kernels.load(problem, 'f64');
    const run = (freezeSweeps: number) => {
      const r = new Float64Array(3 * problem.contactCount);
      const report = kernels.run(r, { sweepLimit: 400, checkInterval: 0, target: 0, freezeSweeps });
      return { r, report };
    };
    const plain = run(0);
    const frozen = run(10);
    expect(plain.report.skipped).toBe(0);
    expect(frozen.report.skipped).toBeGreaterThan(1000);
    expect(naturalMapOf(problem, frozen.r)).toBeLessThan(1e-5);
    expect(difference(plain.r, frozen.r)).toBeLessThan(1e-3);
  });

  it('counts calls, fail-safes and failures of the local solver', () => {
    const r = new Float64Array(3 * capsules.contactCount);
    kernels.load(capsules, 'f64');
    const options = { sweepLimit: 3, checkInterval: 0, target: 0 };
    const { local } = kernels.run(r, { ...options, local: 'hybrid', counted: true });
    expect(local.calls).toBe(3 * capsules.contactCount);
    expect(local.failures).toBe(0);
    r.fill(0);
    const approximate = kernels.run(r, { ...options, local: 'isotropic', counted: true });
    expect(approximate.local.failures).toBeGreaterThan(0);
  });

  it.each(['f64', 'f32'] as const)('keeps bilateral contacts at rest and infinite mu stuck in %s', (arithmetic) => {
    // Two contacts of coupled unit masses, driven sideways; both answers follow from u = 0.
    const W = new Float64Array(36);
    for (let i = 0; i < 3; i++) {
      W[7 * i] = 2;
      W[7 * (i + 3)] = 2;
      W[6 * i + i + 3] = 1;
      W[6 * (i + 3) + i] = 1;
    }
    const b = [1, 2, 3, -1, 4, -2];
    const problem = contactProblemFromDense(W, b, [0, Number.POSITIVE_INFINITY], [1, 0]);
    kernels.load(problem, arithmetic);
    const r = new Float64Array(6);
    kernels.run(r, { sweepLimit: 100, checkInterval: 0, target: 0 });
    const u = new Float64Array(6);
    velocityOf(u, problem, r);
    for (const speed of u) expect(Math.abs(speed)).toBeLessThan(arithmetic === 'f64' ? 1e-12 : 5e-5);
    // W⁻¹ of [[2, 1], [1, 2]] is [[2, −1], [−1, 2]]/3.
    expect(r[0]).toBeCloseTo(-(2 * b[0] - b[3]) / 3, 4);
    expect(r[4]).toBeCloseTo(-(2 * b[4] - b[1]) / 3, 4);
  });

  it('says that numbers which are not finite have no residual', () => {
    const problem = contactProblemFromDense(Float64Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1]), [-1, Number.NaN, 0], [0.5]);
    kernels.load(problem, 'f64');
    const report = kernels.run(new Float64Array(3), { sweepLimit: 5, checkInterval: 1, target: 0 });
    expect(report.sweeps).toBe(5);
    expect(report.residual).toBe(Number.POSITIVE_INFINITY);
  });

  it('takes problems of any size one after the other', () => {
    const kaplas = loadProblem('KaplasTower-i1061-4').problem;
    const first = sweepKernel(capsules, 'f64', 5, 'bracketed').r;
    expect(naturalMapOf(kaplas, sweepKernel(kaplas, 'f64', 5, 'bracketed').r)).toBeGreaterThan(0);
    expect(sweepKernel(capsules, 'f64', 5, 'bracketed').r).toEqual(first);
  });
});
