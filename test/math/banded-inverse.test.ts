import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random';
import { inverseDiagonal } from '../../src/math/banded-inverse';
import { factorBanded, solveBanded } from '../../src/math/banded-ldl';

test.each([
  [1, 10],
  [5, 10],
  [11, 10],
  [60, 10],
  [40, 3],
  [7, 0],
])(
  'the diagonal of the inverse of %i unknowns, half-bandwidth %i, is what solves with unit vectors give',
  (n, half) => {
    for (let seed = 1; seed <= 5; seed++) {
      const random = createRandom(seed);
      const A = new Float64Array(5 + n * (half + 1)).fill(Number.NaN);
      for (let i = 0; i < n; i++) {
        for (let k = 0; k <= Math.min(i, half); k++)
          A[5 + (half + 1) * i + k] = k === 0 ? 2 * half + 1 : 2 * random() - 1;
      }
      expect(factorBanded(A, 5, n, half)).toBe(-1);
      const found = new Float64Array(n);
      inverseDiagonal(found, A, 5, n, half);
      for (let i = 0; i < n; i++) {
        const unit = new Float64Array(n);
        unit[i] = 1;
        solveBanded(A, 5, n, half, unit, 0);
        expect(Math.abs(found[i] - unit[i])).toBeLessThan(1e-14);
      }
    }
  },
);
