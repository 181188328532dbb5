// The problems that LMGC90, Siconos and others wrote, judged by the natural map of their collection.

import { describe, expect, it } from 'vitest';
import { PROBLEM_SOLVERS, type ProblemSolver, solveProblem } from '../../src/solvers/solve-problem';
import { isLong } from '../fuzz/rounds';
import { bySuite, longTest } from '../setup/suite';
import { loadProblem, naturalMapOf, problemNames } from './friction-problems';

const GOOD = 1e-6;

/**
 * Where u is not unique: 23 contacts on one body (rank 51 of 69), friction that jams in more than one way. The
 * published answer and ours both satisfy the law to 1e-12 and differ by 0.5 % in u.
 */
const SEVERAL: readonly string[] = ['OneObject-i1028-138'];

/** Time grows faster than size: larger ones are of the long suite, but for `auto`. */
const LARGEST = bySuite(40, Number.POSITIVE_INFINITY);

function solve(name: string, solver: ProblemSolver, iterationLimit = 5000) {
  const published = loadProblem(name);
  const r = new Float64Array(3 * published.problem.contactCount);
  const u = new Float64Array(r.length);
  const report = solveProblem(published.problem, r, u, { solver, iterationLimit });
  return { ...published, r, u, published, report, error: naturalMapOf(published.problem, r) };
}

describe('the published friction problems', () => {
  it('are sixteen, and their published solutions are solutions', () => {
    expect(problemNames.length).toBe(16);
    for (const name of problemNames) {
      const { problem, r } = loadProblem(name);
      expect([name, naturalMapOf(problem, r) < 1e-8]).toEqual([name, true]);
    }
  });

  it.each(problemNames)('%s: auto brings it to 1e-6, with the published velocities', (name) => {
    const { report, error, u, r, published } = solve(name, 'auto');
    expect(report.status).toBe('converged');
    expect(error).toBeLessThan(GOOD);
    if (SEVERAL.includes(name)) return;
    let scale = 0;
    let worst = 0;
    published.u.forEach((expected, i) => {
      scale = Math.max(scale, Math.abs(expected), Math.abs(published.problem.b[i]));
      worst = Math.max(worst, Math.abs(u[i] - expected));
    });
    expect(worst / scale).toBeLessThan(1e-6);
    if (published.rank < r.length) return;
    let largest = 0;
    let miss = 0;
    published.r.forEach((expected, i) => {
      largest = Math.max(largest, Math.abs(expected));
      miss = Math.max(miss, Math.abs(r[i] - expected));
    });
    expect(miss / largest).toBeLessThan(1e-5);
  });

  // Pivots alone, from empty sets: solvers/drive-to-zero.test.ts.
  it('are all solved by passes over the sets', () => {
    for (const name of problemNames) {
      if (loadProblem(name).problem.contactCount > LARGEST) continue;
      expect([name, solve(name, 'dantzig').error < GOOD]).toEqual([name, true]);
    }
  });

  it('are all solved by splitting alone', () => {
    for (const name of problemNames) {
      if (loadProblem(name).problem.contactCount > LARGEST) continue;
      expect([name, solve(name, 'contact-admm', 1000).error < GOOD]).toEqual([name, true]);
    }
  });

  longTest('are solved by plain hybrid Gauss–Seidel but for one stack of rank 78 of 156', () => {
    const missed = problemNames.filter((name) => !(solve(name, 'gauss-seidel', 2000).error < GOOD));
    expect(missed).toEqual(['BoxesStack1-i100000-32']);
  });

  // Capped for time alone: the larger three end in the first passes over the sets.
  it.each(PROBLEM_SOLVERS)('%s: more iterations never give a worse answer', (solver) => {
    const all = [1, 2, 3, 5, 6, 7, 9, 11, 14, 17, 18, 25, 33, 47, 60, 61, 90, 130, 200];
    const limits = all.filter((_, k) => k % (isLong ? 1 : bySuite(6, 3)) === 0);
    for (const name of problemNames) {
      const { problem } = loadProblem(name);
      if (problem.contactCount > (isLong ? 60 : bySuite(12, 40))) continue;
      let last = Number.POSITIVE_INFINITY;
      for (const iterationLimit of limits) {
        const r = new Float64Array(3 * problem.contactCount);
        const { residual, status } = solveProblem(problem, r, new Float64Array(r.length), { solver, iterationLimit });
        expect([name, iterationLimit, residual <= last]).toEqual([name, iterationLimit, true]);
        last = residual;
        if (status === 'converged') break;
      }
    }
  });
});
