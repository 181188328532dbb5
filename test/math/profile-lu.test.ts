import { describe, expect, it } from 'vitest';
import {
  activateRow,
  clearProfile,
  createProfileLu,
  deactivateRow,
  factorProfile,
  layoutProfile,
  type ProfileLu,
  placeProfileValues,
  profileValueCount,
  solveProfile,
} from '../../src/math/profile-lu';
import { createRandom } from '../solvers/assemble-scenes';

/** Random matrix inside a random symmetric profile, dominated by its diagonal but unsymmetric. */
function randomMatrix(size: number, seed: number, isSymmetric: boolean): { A: number[][]; first: Int32Array } {
  const random = createRandom(seed);
  const first = new Int32Array(size);
  const A = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (let i = 0; i < size; i++) {
    first[i] = Math.max(0, i - Math.floor(random() * 8));
    for (let j = first[i]; j < i; j++) {
      A[i][j] = random() - 0.5;
      A[j][i] = isSymmetric ? A[i][j] : random() - 0.5;
    }
    A[i][i] = 4 + random();
  }
  return { A, first };
}

function emptyFactor(size: number, first: Int32Array): ProfileLu {
  const lu = createProfileLu();
  lu.size = size;
  lu.first = first;
  lu.start = new Int32Array(size);
  lu.live = new Int32Array(size);
  for (const name of ['x', 'y', 'beta', 'gamma'] as const) lu[name] = new Float64Array(size);
  const entries = layoutProfile(lu.start, first, size);
  placeProfileValues(lu, new Float64Array(profileValueCount(entries, size)), 0, entries);
  clearProfile(lu);
  return lu;
}

function factorDense(A: number[][], first: Int32Array, live: boolean[], isSymmetric: boolean): ProfileLu {
  const size = A.length;
  const lu = emptyFactor(size, first);
  for (let i = 0; i < size; i++) {
    if (!live[i]) continue;
    lu.live[i] = 1;
    lu.values[lu.diagonalAt + i] = A[i][i];
    for (let j = first[i]; j < i; j++) {
      if (!live[j]) continue;
      lu.values[lu.lowerAt + lu.start[i] + j - first[i]] = A[i][j];
      lu.values[lu.upperAt + lu.start[i] + j - first[i]] = A[j][i];
    }
  }
  factorProfile(lu, isSymmetric);
  return lu;
}

/** Largest |A x − b| over the live rows for the x that the factor gives. */
function solveError(lu: ProfileLu, A: number[][], live: boolean[]): number {
  const size = A.length;
  const b = Float64Array.from({ length: size }, (_, i) => (live[i] ? 1 + 0.1 * i : 0));
  const x = b.slice();
  solveProfile(lu, x);
  let worst = 0;
  for (let i = 0; i < size; i++) {
    if (!live[i]) continue;
    let sum = -b[i];
    for (let j = 0; j < size; j++) if (live[j]) sum += A[i][j] * x[j];
    worst = Math.max(worst, Math.abs(sum));
  }
  return worst;
}

describe('profile factor', () => {
  it.each([true, false])('solves the live rows of a matrix (symmetric: %s)', (isSymmetric) => {
    for (let seed = 1; seed < 20; seed++) {
      const size = 3 + seed;
      const { A, first } = randomMatrix(size, seed, isSymmetric);
      const live = A.map((_, i) => (i + seed) % 4 !== 0);
      expect(solveError(factorDense(A, first, live, isSymmetric), A, live)).toBeLessThan(1e-12);
    }
  });

  it('equals a fresh factorisation after rows have come and gone in any order', () => {
    const random = createRandom(99);
    for (let seed = 1; seed < 12; seed++) {
      const size = 8 + 2 * seed;
      const { A, first } = randomMatrix(size, seed, false);
      const lu = emptyFactor(size, first);
      const live = new Array<boolean>(size).fill(false);
      for (let change = 0; change < 5 * size; change++) {
        const k = Math.floor(random() * size);
        if (live[k]) {
          deactivateRow(lu, k);
        } else {
          const row = Float64Array.from(A[k], (v, j) => (live[j] ? v : 0));
          const column = Float64Array.from(A, (r, j) => (live[j] ? r[k] : 0));
          activateRow(lu, k, row, column, A[k][k]);
        }
        live[k] = !live[k];
      }
      const fresh = factorDense(A, first, live, false);
      const numbers = profileValueCount(lu.upperAt, size);
      let worst = 0;
      for (let i = 0; i < numbers; i++) worst = Math.max(worst, Math.abs(lu.values[i] - fresh.values[i]));
      expect(worst).toBeLessThan(1e-11);
      expect(Array.from(lu.live)).toEqual(live.map(Number));
    }
  });

  it('returns the Schur complement of a new row', () => {
    const lu = emptyFactor(2, Int32Array.from([0, 0]));
    expect(activateRow(lu, 1, Float64Array.of(0, 0), Float64Array.of(0, 0), 3)).toBe(3);
    // [[2, 1], [4, 3]] bordered from below: 2 is first in the order, its Schur complement alone is 2.
    expect(activateRow(lu, 0, Float64Array.of(0, 1), Float64Array.of(0, 4), 2)).toBe(2);
    expect(lu.values[lu.diagonalAt + 1]).toBeCloseTo(3 - (4 * 1) / 2, 14);
  });

  it('replaces and counts a pivot that vanishes', () => {
    const singular = [
      [1, 1],
      [1, 1],
    ];
    const lu = factorDense(singular, Int32Array.from([0, 0]), [true, true], true);
    expect(lu.weakPivots).toBe(1);
    const x = Float64Array.of(1, 1);
    solveProfile(lu, x);
    expect(x[0] + x[1]).toBeCloseTo(1, 12);
  });
});
