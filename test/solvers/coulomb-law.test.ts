import { describe, expect, it } from 'vitest';
import {
  contactProblemFromDense,
  contactScale,
  multiplyOperator,
  velocityOf,
  velocityScale,
} from '../../src/solvers/contact-problem';
import { naturalMap, projectOnCone } from '../../src/solvers/coulomb-law';
import { frictionalError, residualOf } from '../../src/solvers/residual';
import { assembleScene, createRandom, stackOfBoxes } from './assemble-scenes';

const eye = (n: number): number[] => Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0));

describe('contact problem', () => {
  it('multiplies blocks as the dense matrix does', () => {
    const random = createRandom(3);
    const n = 4;
    const W = Array.from({ length: 144 }, () => random() - 0.5);
    // Contacts 0 and 3 do not touch.
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        W[i * 12 + 9 + j] = 0;
        W[(9 + i) * 12 + j] = 0;
      }
    }
    const b = Array.from({ length: 12 }, () => random());
    const problem = contactProblemFromDense(W, b, [0.1, 0.2, 0.3, 0.4]);
    expect(problem.rowStart[n]).toBe(14);
    const r = Float64Array.from({ length: 12 }, () => random());
    const u = new Float64Array(12);
    const Wr = new Float64Array(12);
    velocityOf(u, problem, r);
    multiplyOperator(Wr, problem, r);
    for (let i = 0; i < 12; i++) {
      let sum = 0;
      for (let j = 0; j < 12; j++) sum += W[i * 12 + j] * r[j];
      expect(Wr[i]).toBeCloseTo(sum, 13);
      expect(u[i]).toBeCloseTo(sum + b[i], 13);
    }
    expect(contactScale(problem, 1)).toBeCloseTo((W[39] + W[52] + W[65]) / 3, 14);
    expect(velocityScale(problem)).toBe(Math.max(...b.map(Math.abs)));
  });

  it('refuses sizes that do not fit, saying what was expected', () => {
    expect(() => contactProblemFromDense(eye(3), [0, 0], [0.5])).toThrow(
      'contactProblemFromDense: b must have 3 entries, got 2',
    );
    expect(() => contactProblemFromDense(eye(2), [0, 0, 0], [0.5])).toThrow('W must have 9 entries, got 4');
  });

  it('is assembled symmetric, and of rank 6 per box', () => {
    const problem = assembleScene(stackOfBoxes(2, 10));
    const size = 3 * problem.contactCount;
    const dense = denseOf(problem, size);
    let worst = 0;
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) worst = Math.max(worst, Math.abs(dense[i][j] - dense[j][i]));
    }
    expect(worst).toBeLessThan(1e-14);
    expect(rankOf(dense)).toBe(12);
  });
});

function denseOf(problem: ReturnType<typeof assembleScene>, size: number): number[][] {
  const columns = Array.from({ length: size }, (_, j) => {
    const e = new Float64Array(size);
    e[j] = 1;
    const out = new Float64Array(size);
    multiplyOperator(out, problem, e);
    return out;
  });
  return Array.from({ length: size }, (_, i) => columns.map((column) => column[i]));
}

function rankOf(matrix: number[][]): number {
  const A = matrix.map((row) => [...row]);
  const n = A.length;
  let rank = 0;
  for (; rank < n; rank++) {
    let [p, q, top] = [rank, rank, 0];
    for (let i = rank; i < n; i++) {
      for (let j = rank; j < n; j++) if (Math.abs(A[i][j]) > top) [p, q, top] = [i, j, Math.abs(A[i][j])];
    }
    if (top < 1e-9) break;
    [A[rank], A[p]] = [A[p], A[rank]];
    for (const row of A) [row[rank], row[q]] = [row[q], row[rank]];
    for (let i = rank + 1; i < n; i++) {
      const f = A[i][rank] / A[rank][rank];
      for (let j = rank; j < n; j++) A[i][j] -= f * A[rank][j];
    }
  }
  return rank;
}

describe('cone', () => {
  it('projects inside, on the side and past the tip', () => {
    const out = new Float64Array(3);
    projectOnCone(out, 0, 2, 0.5, 0.5, 0.5);
    expect(Array.from(out)).toEqual([2, 0.5, 0.5]);
    projectOnCone(out, 0, 0, 0, 2, 1);
    expect(Array.from(out)).toEqual([1, 0, 1]);
    projectOnCone(out, 0, -3, 1, 0, 0.5);
    expect(Array.from(out)).toEqual([0, 0, 0]);
    projectOnCone(out, 0, 1, 3, 4, 0);
    expect(Array.from(out)).toEqual([1, 0, 0]);
  });
});

describe('residual', () => {
  it('vanishes on stick, slide, open and borderline answers', () => {
    const cases: [number, number[], number[]][] = [
      [0.5, [2, 0.6, 0.8], [0, 0, 0]],
      [0.5, [2, 0.6, 0.8], [0, -1.2, -1.6]],
      [0.5, [0, 0, 0], [0.3, 5, -7]],
      [0.5, [0, 0, 0], [0, 5, -7]],
      [0.5, [0, 0, 0], [0, 0, 0]],
      [0, [3, 0, 0], [0, 4, 4]],
      [0, [0, 0, 0], [2, 4, 4]],
      [100, [1, 30, 40], [0, 0, 0]],
    ];
    for (const [mu, r, u] of cases) {
      expect(frictionalError(1.7, mu, r, 0, u, 0)).toBeLessThan(1e-14 * (1 + 1.7 * mu * 3));
    }
  });

  it('has the values of the formula worked by hand', () => {
    // mu = 0: |a + b − √(a² + b²)| with a = 2·3, b = 8
    expect(frictionalError(2, 0, [3, 0, 0], 0, [8, 0, 0], 0)).toBeCloseTo(4, 14);
    // Pure normal violation: x = 0, y = (−1, 0, 0): y − √(y∘y) = −2 along the axis.
    expect(frictionalError(1, 0.5, [0, 0, 0], 0, [-1, 0, 0], 0)).toBeCloseTo(2, 14);
    // Slip without friction impulse, mu = 1, λ = 1: x = (1, 0, 0), y = (1, 1, 0), z = (3, 2, 0):
    // √z = ((√5 + 1)/2, (√5 − 1)/2), f = (2 − (√5 + 1)/2, 1 − (√5 − 1)/2), both (3 − √5)/2.
    expect(frictionalError(1, 1, [1, 0, 0], 0, [0, 1, 0], 0)).toBeCloseTo(((3 - Math.sqrt(5)) / 2) * Math.SQRT2, 14);
    // Without friction, a tangential impulse is an error in full.
    expect(frictionalError(2, 0, [1, 0.3, 0.4], 0, [0, 0, 0], 0)).toBeCloseTo(1, 14);
  });

  it('measures a perfect borderline answer as rounding, not as its square root', () => {
    // On the cone with no slip: the small eigenvalue is zero.
    const error = frictionalError(1, 0.3, [10, 10 * 0.3 * 0.6, 10 * 0.3 * 0.8], 0, [0, 0, 0], 0);
    expect(error).toBeLessThan(1e-14);
  });

  it('is the largest error over contacts, ‖u‖ for bilateral ones, infinite for NaN', () => {
    const problem = contactProblemFromDense(eye(6), [0, 3, 4, -1, 0, 0], [0.5, 0.5], [1, 0]);
    const u = new Float64Array(6);
    expect(residualOf(u, problem, new Float64Array(6))).toBeCloseTo(5, 14);
    problem.b[4] = Number.NaN;
    expect(residualOf(u, problem, new Float64Array(6))).toBe(Number.POSITIVE_INFINITY);
  });

  it('and the natural map vanish together', () => {
    const problem = contactProblemFromDense(eye(3), [-1, 1, 3], [0.1]);
    const slip = Math.sqrt(10);
    const r = Float64Array.of(1, -0.1 / slip, -0.3 / slip);
    const u = new Float64Array(3);
    const work = new Float64Array(3);
    expect(residualOf(u, problem, r)).toBeLessThan(1e-15);
    expect(naturalMap(problem, r, u, work)).toBeLessThan(1e-15);
    r[1] = 0;
    expect(residualOf(u, problem, r)).toBeGreaterThan(1e-3);
    expect(naturalMap(problem, r, u, work)).toBeGreaterThan(1e-3);
  });
});
