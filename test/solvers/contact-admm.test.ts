import { describe, expect, it } from 'vitest';
import { analyseLdl, factorLdl, solveLdl } from '../../src/math/sparse-ldl';
import { minimumDegreeOrder } from '../../src/math/sparse-order';
import { createContactAdmmReport, defaultContactAdmmOptions, solveContactAdmm } from '../../src/solvers/contact-admm';
import { type ContactProblem, contactProblemFromDense } from '../../src/solvers/contact-problem';
import { residualOf } from '../../src/solvers/residual';
import { assembleScene, createRandom, stackOfBoxes } from './assemble-scenes';

/** Compressed rows of a dense matrix, zeros left out. */
function sparse(dense: number[][]) {
  const start = [0];
  const column: number[] = [];
  const values: number[] = [];
  for (const row of dense) {
    row.forEach((x, j) => {
      if (x === 0) return;
      column.push(j);
      values.push(x);
    });
    start.push(column.length);
  }
  return { start, column, values };
}

/** A sparse positive definite matrix of random pattern. */
function randomSpd(size: number, links: number, seed: number): number[][] {
  const random = createRandom(seed);
  const A = Array.from({ length: size }, (_, i) => Array.from({ length: size }, (__, j) => (i === j ? 1e-3 : 0)));
  for (let k = 0; k < links; k++) {
    const i = Math.floor(random() * size);
    const j = Math.floor(random() * size);
    const x = 2 * random() - 1;
    // (e_i + x e_j)(e_i + x e_j)ᵀ
    A[i][i] += 1;
    A[j][j] += x * x;
    A[i][j] += x;
    A[j][i] += x;
  }
  return A;
}

describe('sparse factor', () => {
  it('solves as the dense matrix asks, in any order, with a shift on the diagonal', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const size = 5 + seed;
      const A = randomSpd(size, 2 * size, seed);
      const { start, column, values } = sparse(A);
      const order = new Int32Array(size);
      minimumDegreeOrder(order, size, start, column);
      expect([...order].sort((a, b) => a - b)).toEqual(A.map((_, i) => i));
      const ldl = analyseLdl(size, start, column, order)!;
      const shift = A.map((_, i) => i / size);
      for (const given of [null, shift]) {
        expect(factorLdl(ldl, values, given)).toBe(-1);
        const x = Float64Array.from({ length: size }, (_, i) => Math.sin(i + seed));
        const wanted = x.slice();
        solveLdl(ldl, x);
        for (let i = 0; i < size; i++) {
          const back = A[i].reduce((sum, a, j) => sum + a * x[j], given ? given[i] * x[i] : 0);
          expect(Math.abs(back - wanted[i])).toBeLessThan(1e-9);
        }
      }
    }
  });

  it('has no fill on a tree, where a bad order has all of it', () => {
    // A star: eliminating the hub first fills everything.
    const size = 30;
    const A = Array.from({ length: size }, (_, i) =>
      Array.from({ length: size }, (__, j) => (i === j ? size : i === 0 || j === 0 ? -1 : 0)),
    );
    const { start, column } = sparse(A);
    const order = new Int32Array(size);
    minimumDegreeOrder(order, size, start, column);
    expect(analyseLdl(size, start, column, order)!.row.length).toBe(size - 1);
    const plain = Int32Array.from({ length: size }, (_, i) => i);
    expect(analyseLdl(size, start, column, plain)!.row.length).toBe((size * (size - 1)) / 2);
    expect(analyseLdl(size, start, column, plain, 100)).toBeNull();
  });

  it('names the row whose pivot is not positive', () => {
    const { start, column, values } = sparse([
      [1, 2, 0],
      [2, 1, 0],
      [0, 0, 1],
    ]);
    const ldl = analyseLdl(3, start, column, Int32Array.of(0, 1, 2))!;
    expect(factorLdl(ldl, values, null)).toBe(1);
    expect(factorLdl(ldl, values, [5, 5, 5])).toBe(-1);
  });
});

describe('contact-admm', () => {
  const solve = (problem: ContactProblem, options: Partial<typeof defaultContactAdmmOptions> = {}) => {
    const report = createContactAdmmReport();
    const r = new Float64Array(3 * problem.contactCount);
    solveContactAdmm(problem, r, { ...defaultContactAdmmOptions, ...options }, report);
    return { report, r, residual: residualOf(new Float64Array(r.length), problem, r) };
  };

  it('holds stacks of boxes on singular W in tens of iterations', () => {
    for (const height of [1, 5, 10]) {
      const { report, residual } = solve(assembleScene(stackOfBoxes(height, 1)));
      expect(report.status).toBe('solved');
      expect(report.iterations).toBeLessThan(150);
      expect(report.residual).toBe(residual);
    }
  });

  it('holds a stack whose top is a thousand times heavier', () => {
    const { report } = solve(assembleScene(stackOfBoxes(10, 1000)));
    expect(report.status).toBe('solved');
  });

  it('does not mind the units of W and b', () => {
    const W = [15, -1, -2, -1, 14, 1, -2, 1, 16];
    for (const [mass, speed] of [
      [1, 1],
      [1e-7, 1e4],
      [1e9, 1e-6],
    ]) {
      const problem = contactProblemFromDense(
        W.map((x) => x * mass),
        [-speed, 2 * speed, 3 * speed],
        [0.1],
      );
      const { report, r } = solve(problem);
      expect(report.status).toBe('solved');
      expect(Math.hypot(r[1], r[2]) / r[0]).toBeCloseTo(0.1, 6);
    }
  });

  it('keeps bilateral contacts at rest and leaves dead ones alone', () => {
    const W = new Array(81).fill(0);
    for (let i = 0; i < 6; i++) W[10 * i] = 1;
    W[3] = 0.5;
    W[27] = 0.5;
    const problem = contactProblemFromDense(W, [1, -2, 3, -1, 0, 0, 0, 0, 0], [0.5, 0.5, 0.5], [1, 0, 0]);
    const { report, r } = solve(problem);
    expect(report.status).toBe('solved');
    expect(r[1]).toBeCloseTo(2, 6);
    expect(r[2]).toBeCloseTo(-3, 6);
    expect(1 + r[0] + 0.5 * r[3]).toBeCloseTo(0, 6);
    expect([r[6], r[7], r[8]]).toEqual([0, 0, 0]);
  });

  it('never exceeds its iterations, returns the best iterate, and says when W cannot be factored', () => {
    const problem = assembleScene(stackOfBoxes(10, 1000));
    let last = Number.POSITIVE_INFINITY;
    for (const iterationLimit of [0, 1, 5, 20, 130]) {
      const { report, residual } = solve(problem, { iterationLimit });
      expect(report.iterations).toBeLessThanOrEqual(iterationLimit);
      expect(residual).toBeLessThanOrEqual(last);
      last = residual;
    }
    const wrong = contactProblemFromDense([1, 0, 0, 0, -9, 0, 0, 0, 9], [-1, 1, 1], [0.5]);
    expect(solve(wrong).report.status).toBe('not-positive');
  });
});
