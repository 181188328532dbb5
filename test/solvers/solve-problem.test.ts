import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { solveContactNewton } from '../../src/solvers/contact-newton';
import { type ContactProblem, contactProblemFromDense, velocityScale } from '../../src/solvers/contact-problem';
import { findKinematicConflict } from '../../src/solvers/kinematic-conflict';
import { residualOf } from '../../src/solvers/residual';
import { PROBLEM_SOLVERS, type SolveOptions, solveProblem } from '../../src/solvers/solve-problem';
import { condenseProblem, contactProblemFromSparse, operatorEntries } from '../../src/solvers/sparse-form';
import { bySuite, longTest } from '../setup/suite';
import { naturalMapOf } from '../validation/friction-problems';
import { assembleScene, createRandom, stackOfBoxes } from './assemble-scenes';

function solve(problem: ContactProblem, options: Partial<SolveOptions> = {}, start = 0) {
  const r = new Float64Array(3 * problem.contactCount).fill(start);
  const u = new Float64Array(r.length);
  const report = solveProblem(problem, r, u, options);
  return { report, r, u };
}

/** A problem made around an answer: random W = Jᵀ J of the rank given, a lawful (u, r), b = u − W r. */
function problemWithAnswer(
  n: number,
  rank: number,
  seed: number,
  muRange = 0.8,
): { problem: ContactProblem; r: number[]; u: number[] } {
  const random = createRandom(seed);
  const side = 3 * n;
  const J = Array.from({ length: rank }, () => Array.from({ length: side }, () => 2 * random() - 1));
  const W: number[] = [];
  for (let i = 0; i < side; i++)
    for (let j = 0; j < side; j++) W.push(J.reduce((sum, row) => sum + row[i] * row[j], 0));
  const mu: number[] = [];
  const r: number[] = [];
  const u: number[] = [];
  for (let c = 0; c < n; c++) {
    const m = 0.1 + muRange * random();
    mu.push(m);
    const kind = random();
    const x = 2 * random() - 1;
    const y = 2 * random() - 1;
    const length = Math.hypot(x, y);
    const load = 0.5 + random();
    if (kind < 0.3) {
      r.push(0, 0, 0);
      u.push(random(), x, y);
    } else if (kind < 0.65) {
      const part = (0.9 * random() * m * load) / length;
      r.push(load, part * x, part * y);
      u.push(0, 0, 0);
    } else {
      r.push(load, (m * load * x) / length, (m * load * y) / length);
      u.push(0, -x * random(), -y * random());
      // Both tangents by one factor.
      u[u.length - 1] = (u[u.length - 2] / x) * y;
    }
  }
  const b = u.map((v, i) => v - W.slice(i * side, (i + 1) * side).reduce((sum, w, j) => sum + w * r[j], 0));
  return { problem: contactProblemFromDense(W, b, mu), r, u };
}

describe('one door to all solvers', () => {
  it('auto solves random problems that have an answer, of full rank and of half of it', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const n = 1 + (seed % 8);
      const { problem, r: known } = problemWithAnswer(
        n,
        seed % 2 === 0 ? 3 * n + 3 : Math.max(3, Math.ceil(1.5 * n)),
        seed,
      );
      expect(naturalMapOf(problem, known)).toBeLessThan(1e-12);
      const { report, r } = solve(problem);
      expect([seed, report.status]).toEqual([seed, 'converged']);
      expect(naturalMapOf(problem, r)).toBeLessThan(1e-6);
    }
  });

  it.each(PROBLEM_SOLVERS)('%s reports the residual it reached, of the r it returns', (solver) => {
    const problem = assembleScene(stackOfBoxes(3, 1));
    const { report, r, u } = solve(problem, { solver });
    const again = new Float64Array(u.length);
    expect(report.residual).toBe(residualOf(again, problem, r));
    expect(Array.from(u)).toEqual(Array.from(again));
    expect(report.status).toBe('converged');
    expect(report.residual).toBeLessThanOrEqual(1e-10 * Math.min(1, velocityScale(problem)));
    expect(report.iterations).toBe(report.stages.reduce((sum, stage) => sum + stage.iterations, 0));
  });

  it.each(PROBLEM_SOLVERS)(
    '%s keeps to any limit of iterations and never returns worse than it began with',
    (solver) => {
      const problem = assembleScene(stackOfBoxes(8, 1000));
      const start = residualOf(
        new Float64Array(3 * problem.contactCount),
        problem,
        new Float64Array(3 * problem.contactCount),
      );
      for (const iterationLimit of [0, 1, 2, 3, 7, 25, 59, 60, 61, 100]) {
        const { report } = solve(problem, { solver, iterationLimit });
        expect(report.iterations).toBeLessThanOrEqual(iterationLimit);
        expect(report.residual).toBeLessThanOrEqual(start);
      }
    },
  );

  longTest('never gives a worse answer for more iterations, through all stages of problems of low rank', () => {
    const limits = [20, 60, 61, 90, 130, 170, 250, 300, 330, 400, 420, 520, 700, 1000, 1500];
    let stages = 0;
    for (let seed = 1; seed <= bySuite(10, 24); seed++) {
      const { problem } = problemWithAnswer(14, 8, seed, 1.9);
      let last = Number.POSITIVE_INFINITY;
      for (const iterationLimit of limits) {
        const { report } = solve(problem, { iterationLimit });
        expect([seed, iterationLimit, report.residual <= last]).toEqual([seed, iterationLimit, true]);
        last = report.residual;
        stages = Math.max(stages, report.stages.length);
        if (report.status === 'converged') break;
      }
    }
    expect(stages).toBeGreaterThan(2);
  });

  it('auto pivots a stack of 200 boxes, 800 contacts of rank 1200, in a few passes', () => {
    const { report } = solve(assembleScene(stackOfBoxes(200, 1)));
    expect(report.status).toBe('converged');
    expect(report.stages.map((stage) => stage.solver)).toEqual(['dantzig']);
    expect(report.iterations).toBeLessThan(60);
  });

  it('takes a start that is an answer as it is, and one that is no number as zero', () => {
    const problem = assembleScene(stackOfBoxes(3, 1));
    const first = solve(problem);
    const r = first.r.slice();
    const report = solveProblem(problem, r, new Float64Array(r.length), {});
    expect(report).toMatchObject({ status: 'converged', iterations: 0, stages: [] });
    expect(Array.from(r)).toEqual(Array.from(first.r));
    expect(solve(problem, {}, Number.NaN).report.status).toBe('converged');
  });

  it('gives the same bits every time', () => {
    const problem = assembleScene(stackOfBoxes(5, 10));
    expect(Array.from(solve(problem).r)).toEqual(Array.from(solve(problem).r));
  });
});

describe('newton on all contacts', () => {
  it('ends quadratically where the answer is near and regular', () => {
    const { problem, r: known } = problemWithAnswer(5, 18, 12);
    const r = Float64Array.from(known, (x) => x * 1.01);
    const report = solveContactNewton(problem, r, 1e-13, 30);
    expect(report.iterations).toBeLessThan(12);
    expect(report.residual).toBeLessThan(1e-12);
  });

  longTest('rescues a part of the problems of low rank and high friction that all others leave', () => {
    let called = 0;
    let rescued = 0;
    for (let seed = 1; seed <= bySuite(60, 160); seed++) {
      const { problem } = problemWithAnswer(14, 8, seed, 1.9);
      const { report } = solve(problem);
      if (!report.stages.some((stage) => stage.solver === 'newton')) continue;
      called++;
      if (report.status === 'converged') rescued++;
    }
    expect(called).toBeGreaterThan(0);
    expect(called).toBeLessThan(bySuite(24, 60));
    expect(rescued / called).toBeGreaterThan(1 / 3);
  });

  it('keeps joints, smooth contacts and dead ones, and its limit', () => {
    const side = 12;
    const W = new Array(side * side).fill(0);
    for (let i = 0; i < 9; i++) W[(side + 1) * i] = 2;
    const b = [1, 2, 3, -1, 5, 5, -1, 3, 4, 0.1, 0, 0];
    const problem = contactProblemFromDense(W, b, [0.5, 0, 0.5, 0.5], [1, 0, 0, 0]);
    const r = new Float64Array(side);
    const report = solveContactNewton(problem, r, 1e-12, 60);
    expect(report.residual).toBeLessThan(1e-12);
    [-0.5, -1, -1.5, 0.5, 0, 0, 0.5, -0.15, -0.2, 0, 0, 0].forEach((expected, i) => {
      expect(r[i]).toBeCloseTo(expected, 10);
    });
    expect(solveContactNewton(problem, new Float64Array(side), 0, 3).iterations).toBeLessThanOrEqual(3);
  });
});

describe('degenerate problems', () => {
  const eye = [1, 0, 0, 0, 1, 0, 0, 0, 1];

  it.each(PROBLEM_SOLVERS)('%s: no friction at all, and so much that nothing slides', (solver) => {
    const b = [-1, 2, 0];
    const smooth = solve(contactProblemFromDense(eye, b, [0]), { solver });
    expect(smooth.report.status).toBe('converged');
    expect(smooth.r[0]).toBeCloseTo(1, 9);
    expect(Math.abs(smooth.r[1]) + Math.abs(smooth.r[2])).toBe(0);
    for (const mu of [1e3, 1e300, Number.POSITIVE_INFINITY]) {
      const rough = solve(contactProblemFromDense(eye, b, [mu]), { solver, tolerance: 1e-8 });
      expect([mu, rough.report.status]).toEqual([mu, 'converged']);
      expect(rough.r[1]).toBeCloseTo(-2, 6);
    }
  });

  it.each(PROBLEM_SOLVERS)('%s: the same contact twice, the load shared or not', (solver) => {
    const W: number[] = [];
    for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) W.push(i % 3 === j % 3 ? 1 : 0);
    const { report, r, u } = solve(contactProblemFromDense(W, [-1, 3, 0, -1, 3, 0], [0.5, 0.5]), { solver });
    expect(report.status).toBe('converged');
    expect(r[0] + r[3]).toBeCloseTo(1, 8);
    expect(r[1] + r[4]).toBeCloseTo(-0.5, 8);
    expect(u[1]).toBeCloseTo(2.5, 8);
  });

  it('nothing to do: no velocity, all open, W of zeros without approach', () => {
    for (const [W, b] of [
      [eye, [0, 0, 0]],
      [eye, [1, 5, 5]],
      [new Array(9).fill(0), [0.5, 1, 1]],
    ]) {
      const { report, r } = solve(contactProblemFromDense(W, b, [0.5]));
      expect(report.status).toBe('converged');
      expect(Array.from(r)).toEqual([0, 0, 0]);
    }
  });

  it.each(PROBLEM_SOLVERS)('%s: closing walls and immovable normals have no solution, and it says so', (solver) => {
    const iterationLimit = 500;
    // One body between a floor that rises and a ceiling that sinks: opposite normals, both approaching.
    const W: number[] = [];
    const row = [1, 0, 0, -1, 0, 0];
    for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) W.push(i % 3 === 0 ? row[i] * row[j] : i === j ? 1 : 0);
    const squeezed = contactProblemFromDense(W, [-1, 0, 0, -0.5, 0, 0], [0.3, 0.3]);
    expect(findKinematicConflict(squeezed)).toBe(0);
    expect(solve(squeezed, { solver, iterationLimit }).report.status).toBe('no-solution');
    const fixed = contactProblemFromDense(new Array(9).fill(0), [-1, 0, 0], [0.3]);
    expect(solve(fixed, { solver, iterationLimit }).report.status).toBe('no-solution');
    // Friction that jams a single contact on a singular W.
    const v = [1, -2, 0];
    const jammed = contactProblemFromDense(
      v.flatMap((x) => v.map((y) => x * y)),
      [-1, -1, 0],
      [1],
    );
    const { report, r } = solve(jammed, { solver, iterationLimit });
    expect(report.status).toBe('no-solution');
    expect(r.every(Number.isFinite)).toBe(true);
  });

  it('is never said of problems that have one', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const n = 1 + (seed % 6);
      expect(findKinematicConflict(problemWithAnswer(n, Math.max(2, n), seed).problem)).toBe(-1);
    }
    expect(findKinematicConflict(assembleScene(stackOfBoxes(5, 1000)))).toBe(-1);
  });

  it('any numbers end within the limit, with a finite r', () => {
    const number = fc.oneof(
      fc.double({ min: -10, max: 10, noNaN: true }),
      fc.constantFrom(0, 1e-300, 1e300, -1e300, 1e-12),
    );
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 36, maxLength: 36 }),
        fc.array(number, { minLength: 6, maxLength: 6 }),
        fc.array(fc.constantFrom(0, 0.3, 2, 1e9, Number.POSITIVE_INFINITY), { minLength: 2, maxLength: 2 }),
        fc.constantFrom(...PROBLEM_SOLVERS),
        (W, b, mu, solver) => {
          const { report, r } = solve(contactProblemFromDense(W, b, mu), { solver, iterationLimit: 40 });
          expect(report.iterations).toBeLessThanOrEqual(40);
          expect(r.every(Number.isFinite)).toBe(true);
        },
      ),
      { numRuns: 300, seed: 3 },
    );
  });
});

describe('sparse forms', () => {
  const entries = (rows: number[][]) => {
    const out = {
      rows: rows.length,
      columns: rows[0].length,
      row: [] as number[],
      column: [] as number[],
      value: [] as number[],
    };
    rows.forEach((line, i) => {
      line.forEach((x, j) => {
        if (x === 0) return;
        out.row.push(i);
        out.column.push(j);
        out.value.push(x);
      });
    });
    return out;
  };

  it('condenses the full form to W = H A⁻¹ Hᵀ and b = H A⁻¹ f + w', () => {
    const random = createRandom(8);
    const m = 7;
    // Tridiagonal A, so that its inverse is full.
    const A = Array.from({ length: m }, (_, i) =>
      Array.from({ length: m }, (__, j) => (i === j ? 4 + i : Math.abs(i - j) === 1 ? -1.5 : 0)),
    );
    const H = Array.from({ length: 6 }, () => Array.from({ length: m }, () => (random() < 0.5 ? 2 * random() - 1 : 0)));
    const f = Array.from({ length: m }, () => random());
    const w = Array.from({ length: 6 }, () => random());
    const problem = condenseProblem(entries(A), f, entries(H), w, [0.3, 0.4]);
    // Check without an inverse: A Z = Hᵀ is solved by elimination here.
    const solveDense = (right: number[]) => {
      const M = A.map((row, i) => [...row, right[i]]);
      for (let k = 0; k < m; k++) {
        for (let i = k + 1; i < m; i++) {
          const factor = M[i][k] / M[k][k];
          for (let j = k; j <= m; j++) M[i][j] -= factor * M[k][j];
        }
      }
      const x = new Array(m).fill(0);
      for (let i = m - 1; i >= 0; i--) {
        x[i] = (M[i][m] - x.reduce((sum, v, j) => (j > i ? sum + M[i][j] * v : sum), 0)) / M[i][i];
      }
      return x;
    };
    const W = operatorEntries(problem);
    const dense = Array.from({ length: 6 }, () => new Array(6).fill(0));
    W.value.forEach((x, k) => {
      dense[W.row[k]][W.column[k]] = x;
    });
    const free = solveDense(f);
    for (let i = 0; i < 6; i++) {
      const z = solveDense(H[i]);
      for (let j = 0; j < 6; j++)
        expect(dense[i][j]).toBeCloseTo(
          H[j].reduce((sum, h, k) => sum + h * z[k], 0),
          12,
        );
      expect(problem.b[i]).toBeCloseTo(w[i] + H[i].reduce((sum, h, k) => sum + h * free[k], 0), 12);
    }
  });

  it('keeps bodies that share no contact apart', () => {
    const A = Array.from({ length: 6 }, (_, i) => Array.from({ length: 6 }, (__, j) => (i === j ? 2 : 0)));
    const H = A.map((row) => row.map((x) => x / 2));
    const problem = condenseProblem(entries(A), new Array(6).fill(0), entries(H), [-1, 0, 0, -1, 0, 0], [0.5, 0.5]);
    expect(problem.rowStart[2]).toBe(2);
    expect(solve(problem).r[0]).toBeCloseTo(2, 9);
  });

  it('writes W out and reads it back bit by bit, entries at the same place added', () => {
    const problem = assembleScene(stackOfBoxes(3, 1));
    const again = contactProblemFromSparse(
      operatorEntries(problem),
      problem.b.slice(0, 3 * problem.contactCount),
      problem.mu.slice(0, problem.contactCount),
    );
    const x = new Float64Array(3 * problem.contactCount).map((_, i) => 1 / (i + 1));
    const one = new Float64Array(x.length);
    const two = new Float64Array(x.length);
    residualOf(one, problem, x);
    residualOf(two, again, x);
    for (let i = 0; i < x.length; i++) expect(two[i]).toBeCloseTo(one[i], 12);
    const twice = contactProblemFromSparse(
      { rows: 3, columns: 3, row: [0, 1, 2, 0], column: [0, 1, 2, 0], value: [1, 1, 1, 2] },
      [-1, 0, 0],
      [0.5],
    );
    expect(twice.values[0]).toBe(3);
  });

  it('refuses an A that is not symmetric positive definite, saying where', () => {
    const H = entries([
      [1, 0],
      [0, 1],
      [1, 1],
    ]);
    const full = (A: number[][]) => () => condenseProblem(entries(A), [0, 0], H, [0, 0, 0], [0.5]);
    expect(
      full([
        [1, 2],
        [0, 1],
      ]),
    ).toThrow('A: must be symmetric');
    expect(
      full([
        [1, 2],
        [2, 1],
      ]),
    ).toThrow(/^A: must be positive definite, got a pivot <= 0 in row [01]$/);
  });
});
