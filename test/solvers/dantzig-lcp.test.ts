/** Without friction the problem is a linear complementarity problem: known and enumerated answers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ContactProblem, contactProblemFromDense, velocityOf } from '../../src/solvers/contact-problem';
import { solveCold } from './solve-cold';

/** Frictionless problem with normals coupled by A (n×n) and free tangents. */
function normalProblem(A: number[][], q: number[]): ContactProblem {
  const n = q.length;
  const side = 3 * n;
  const W = new Float64Array(side * side);
  const b = new Float64Array(side);
  for (let i = 0; i < n; i++) {
    b[3 * i] = q[i];
    W[(3 * i + 1) * (side + 1)] = 1;
    W[(3 * i + 2) * (side + 1)] = 1;
    for (let j = 0; j < n; j++) W[3 * i * side + 3 * j] = A[i][j];
  }
  return contactProblemFromDense(W, b, new Array(n).fill(0));
}

/** Solution of the square system by elimination with full pivoting of rows; null if singular. */
function solveDense(A: number[][], b: number[]): number[] | null {
  const n = b.length;
  const M = A.map((row, i) => [...row, b[i]]);
  for (let k = 0; k < n; k++) {
    let p = k;
    for (let i = k; i < n; i++) if (Math.abs(M[i][k]) > Math.abs(M[p][k])) p = i;
    if (Math.abs(M[p][k]) < 1e-10) return null;
    [M[k], M[p]] = [M[p], M[k]];
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const f = M[i][k] / M[k][k];
      for (let j = k; j <= n; j++) M[i][j] -= f * M[k][j];
    }
  }
  return M.map((row, i) => row[n] / row[i]);
}

/** w of the complementarity problem w = A z + q by trying every set of clamped rows. */
function enumerate(A: number[][], q: number[]): number[] | null {
  const n = q.length;
  for (let mask = 0; mask < 1 << n; mask++) {
    const set = [...Array(n).keys()].filter((i) => mask & (1 << i));
    const z = solveDense(
      set.map((i) => set.map((j) => A[i][j])),
      set.map((i) => -q[i]),
    );
    if (!z || z.some((v) => v < -1e-9)) continue;
    const w = q.map((v, i) => v + set.reduce((sum, j, k) => sum + A[i][j] * z[k], 0));
    if (w.every((v) => v > -1e-9)) return w;
  }
  return null;
}

describe('frictionless problems', () => {
  it('solves a problem of two contacts by hand', () => {
    // [[2, 1], [1, 2]] z + (−5, −6): z = (4/3, 7/3).
    const { r, report } = solveCold(
      normalProblem(
        [
          [2, 1],
          [1, 2],
        ],
        [-5, -6],
      ),
    );
    expect(report.status).toBe('solved');
    expect(r[0]).toBeCloseTo(4 / 3, 9);
    expect(r[3]).toBeCloseTo(7 / 3, 9);
  });

  it('opens the contact that another one lifts', () => {
    const problem = normalProblem(
      [
        [1, 2],
        [2, 5],
      ],
      [-1, -3],
    );
    const { r, sets } = solveCold(problem);
    // z = (0, 0.6): w = (0.2, 0).
    expect(Array.from(sets)).toEqual([0, 2]);
    expect(r[0]).toBe(0);
    expect(r[3]).toBeCloseTo(0.6, 9);
  });

  it('shares the load among redundant contacts', () => {
    const ones = Array.from({ length: 6 }, () => new Array(6).fill(1));
    const { r, u, report } = solveCold(normalProblem(ones, new Array(6).fill(-3)));
    expect(report.status).toBe('solved');
    for (let c = 0; c < 6; c++) {
      expect(u[3 * c]).toBeCloseTo(0, 8);
      expect(r[3 * c]).toBeCloseTo(0.5, 6);
    }
  });

  it('finds the velocities that enumeration finds, up to eight contacts of any rank', () => {
    const entry = fc.double({ min: -1, max: 1, noNaN: true }).map((v) => Math.round(v * 64) / 64);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }).chain((n) =>
          fc.record({
            G: fc
              .integer({ min: 1, max: n })
              .chain((rank) =>
                fc.array(fc.array(entry, { minLength: rank, maxLength: rank }), { minLength: n, maxLength: n }),
              ),
            x: fc.array(entry, { minLength: n, maxLength: n }),
            lift: fc.array(fc.constantFrom(0, 0, 0.5), { minLength: n, maxLength: n }),
          }),
        ),
        ({ G, x, lift }) => {
          const A = G.map((g) => G.map((h) => g.reduce((sum, v, k) => sum + v * h[k], 0)));
          // Contacts need mass of their own to be contacts at all.
          if (A.some((row, i) => row[i] < 0.05)) return;
          // q in the range of A, lifted: there is an answer, and its w is the only one.
          const q = A.map((row, i) => row.reduce((sum, v, j) => sum + v * x[j], 0) + lift[i]);
          const w = enumerate(A, q);
          if (!w) return;
          const problem = normalProblem(A, q);
          const { r, u, report } = solveCold(problem);
          expect(report.status).toBe('solved');
          velocityOf(u, problem, r);
          for (let i = 0; i < q.length; i++) expect(Math.abs(u[3 * i] - w[i])).toBeLessThan(1e-6);
        },
      ),
      { numRuns: 400, seed: 11 },
    );
  });

  it('holds bilateral rows by pulls as well as pushes', () => {
    // A bilateral contact pulled apart, coupled with a unilateral one resting on the same body.
    const W = [
      4, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1,
    ];
    const problem = contactProblemFromDense(W, [3, -1, 2, -1, 0, 0], [0, 0], [1, 0]);
    const { r, u, report } = solveCold(problem);
    expect(report.status).toBe('solved');
    for (let i = 0; i < 4; i++) expect(u[i]).toBeCloseTo(0, 9);
    // [[4, 1], [1, 2]] (a, c) = (−3, 1): a = −1, c = 1.
    expect(r[0]).toBeCloseTo(-1, 9);
    expect(r[3]).toBeCloseTo(1, 9);
    expect(r[1]).toBeCloseTo(1 / 3, 9);
    expect(r[2]).toBeCloseTo(-2 / 3, 9);
  });
});
