import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random';
import { factorBanded, solveBanded } from '../../src/math/banded-ldl';

/** A random band matrix made positive definite by a heavy diagonal, at an offset. */
function randomBand(n: number, half: number, seed: number): Float64Array {
  const random = createRandom(seed);
  const A = new Float64Array(5 + n * (half + 1)).fill(Number.NaN);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k <= Math.min(i, half); k++) A[5 + (half + 1) * i + k] = k === 0 ? 2 * half + 1 : 2 * random() - 1;
  }
  return A;
}

function multiply(A: Float64Array, n: number, half: number, x: Float64Array): Float64Array {
  const y = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k <= Math.min(i, half); k++) {
      const entry = A[5 + (half + 1) * i + k];
      y[i] += entry * x[i - k];
      if (k > 0) y[i - k] += entry * x[i];
    }
  }
  return y;
}

test.each([
  [1, 10],
  [5, 10],
  [11, 10],
  [60, 10],
  [40, 3],
  [7, 0],
])('factors and solves a random band of %i unknowns, half-bandwidth %i', (n, half) => {
  for (let seed = 1; seed <= 10; seed++) {
    const A = randomBand(n, half, seed);
    const x = Float64Array.from({ length: n }, (_, i) => Math.sin(3 * i + seed));
    const b = new Float64Array(n + 3);
    b.set(multiply(A, n, half, x), 3);
    expect(factorBanded(A, 5, n, half)).toBe(-1);
    solveBanded(A, 5, n, half, b, 3);
    for (let i = 0; i < n; i++) expect(b[3 + i]).toBeCloseTo(x[i], 12);
  }
});

test('says which pivot is not positive, and never divides by it', () => {
  const A = Float64Array.of(4, 0, 2, 2, -3, 1);
  expect(factorBanded(A, 0, 3, 1)).toBe(2);
  expect(factorBanded(Float64Array.of(0, 0, 1, 2), 0, 2, 1)).toBe(0);
  expect(factorBanded(Float64Array.of(1, 0, 1, 1), 0, 2, 1)).toBe(1);
  expect(factorBanded(Float64Array.of(1, 0, Number.NaN, 1), 0, 2, 1)).toBe(1);
});
