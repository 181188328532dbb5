// Algorithm 3: the projection on the feasible set, against Gauss–Seidel on the assembled problem.
import { expect, test } from 'vitest';
import { applyForces, prepareContacts, sweepContacts } from '../../src/solvers/admm/project';
import { velocityOf } from '../../src/solvers/contact-problem';
import { naturalMap } from '../../src/solvers/coulomb-law';
import { createGaussSeidelReport, defaultGaussSeidelOptions, solveGaussSeidel } from '../../src/solvers/gauss-seidel';
import { solveBracketed } from '../../src/solvers/local/bracketed';
import { createScratch } from '../../src/solvers/scratch';
import { impulsesOf, randomProjection, reduceProjection } from './admm-scenes';

const options = { sweeps: 1, sleepBelow: 0, sleepSweeps: 0, isPyramid: false, local: solveBracketed };

test('random contact sets are projected to a natural map of 1e-8 and to the velocities of Gauss–Seidel', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const problem = randomProjection(24, 10 + 2 * seed, seed);
    const { reduced, frames } = reduceProjection(problem);
    const p = new Float64Array(problem.elasticCount);
    for (let i = 0; i < p.length; i++) p[i] = problem.f[i] * problem.inverseWeight[i];
    prepareContacts(problem, 0);
    applyForces(problem, p, 0, false);
    sweepContacts(problem, p, { ...options, sweeps: 3000 });
    const r = impulsesOf(problem, frames);
    const u = new Float64Array(r.length);
    velocityOf(u, reduced, r);
    expect(naturalMap(reduced, r, u, new Float64Array(3))).toBeLessThan(1e-8);

    const other = new Float64Array(r.length);
    const v = new Float64Array(r.length);
    const own = { ...defaultGaussSeidelOptions, tolerance: 1e-12, sweepLimit: 20_000 };
    solveGaussSeidel(reduced, other, createScratch(), own, createGaussSeidelReport());
    velocityOf(v, reduced, other);
    for (let i = 0; i < u.length; i++) expect(u[i]).toBeCloseTo(v[i], 6);
  }
});

test('p is always W⁻¹(f + Bᵀ r), however the sweeps were cut', () => {
  const problem = randomProjection(20, 30, 5);
  const p = new Float64Array(problem.elasticCount);
  for (let i = 0; i < p.length; i++) p[i] = problem.f[i] * problem.inverseWeight[i];
  prepareContacts(problem, 0);
  sweepContacts(problem, p, { ...options, sweeps: 2 });
  const again = new Float64Array(p.length);
  for (let i = 0; i < p.length; i++) again[i] = problem.f[i] * problem.inverseWeight[i];
  applyForces(problem, again, 0, false);
  for (let i = 0; i < p.length; i++) expect(p[i]).toBeCloseTo(again[i], 12);
});

test('a warm start from the answer is left where it is', () => {
  const problem = randomProjection(20, 25, 9);
  const start = new Float64Array(problem.elasticCount);
  for (let i = 0; i < start.length; i++) start[i] = problem.f[i] * problem.inverseWeight[i];
  const p = start.slice();
  prepareContacts(problem, 0);
  sweepContacts(problem, p, { ...options, sweeps: 3000 });
  const q = start.slice();
  // Weights change between steps: r stays, s r does not.
  for (let i = 0; i < start.length; i++) {
    problem.weight[i] *= 2;
    problem.inverseWeight[i] /= 2;
    q[i] = (2 * p[i] + start[i] - p[i]) / 2;
  }
  prepareContacts(problem, 0);
  applyForces(problem, q, 0, false);
  for (let i = 0; i < p.length; i++) expect(q[i]).toBeCloseTo(p[i], 9);
});

test('contacts that have converged sleep: most of the work goes, the answer stays', () => {
  const run = (sleepBelow: number) => {
    const problem = randomProjection(60, 80, 3);
    const p = new Float64Array(problem.elasticCount);
    for (let i = 0; i < p.length; i++) p[i] = problem.f[i] * problem.inverseWeight[i];
    prepareContacts(problem, 0);
    const solved = sweepContacts(problem, p, { ...options, sweeps: 200, sleepBelow, sleepSweeps: 10 });
    return { p, solved };
  };
  const all = run(0);
  const few = run(1e-7);
  expect(all.solved).toBe(200 * 80);
  expect(few.solved).toBeLessThan(all.solved / 2);
  for (let i = 0; i < all.p.length; i++) expect(Math.abs(few.p[i] - all.p[i])).toBeLessThan(1e-4);
});
