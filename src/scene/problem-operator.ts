// What a contact operator W of a file must be: symmetric, with positive semidefinite 3×3 diagonal blocks.

import type { Problems } from './errors';
import type { MatrixEntries } from './problem-types';

/** Difference of W_ij and W_ji that still counts as rounding, relative to √(W_ii W_jj) and to the larger of both. */
const ASYMMETRY = 1e-6;
/** How negative a principal minor may be for rounding, relative to the product of its mean diagonal. */
const INDEFINITE = 1e-8;

/** Adds a problem per entry or block that is wrong. */
export function checkOperator(W: MatrixEntries, problems: Problems): void {
  const side = W.rows;
  // Summed by place; a key is exact below 2^53.
  const sums = new Map<number, number>();
  for (let k = 0; k < W.value.length; k++) {
    const key = W.row[k] * side + W.column[k];
    sums.set(key, (sums.get(key) ?? 0) + W.value[k]);
  }
  const at = (i: number, j: number): number => sums.get(i * side + j) ?? 0;
  for (let k = 0; k < W.value.length && !problems.full; k++) {
    const i = W.row[k];
    const j = W.column[k];
    const here = at(i, j);
    const there = at(j, i);
    const size = Math.max(Math.abs(here), Math.abs(there), Math.sqrt(Math.abs(at(i, i) * at(j, j))));
    if (Math.abs(here - there) > ASYMMETRY * size) {
      problems.add(['W', 'entries', k], `must be symmetric: W[${j}, ${i}] is ${there}, got ${here}`);
    }
    if (!Number.isFinite(here)) problems.add(['W', 'entries', k], `must add up to a finite number, got ${here}`);
  }
  for (let c = 0; c < side / 3 && !problems.full; c++) {
    const least = leastMinor((i, j) => at(3 * c + i, 3 * c + j));
    if (!(least >= -INDEFINITE)) {
      const what = Number.isNaN(least) ? 'numbers too large' : `a principal minor of ${least.toPrecision(3)}`;
      problems.add(['W'], `diagonal block of contact ${c} must be positive semidefinite, got ${what}`);
    }
  }
}

/** The least principal minor of a symmetric 3×3 block, each relative to its order's power of the mean diagonal. */
function leastMinor(w: (i: number, j: number) => number): number {
  const [a, b, c] = [w(0, 0), w(1, 1), w(2, 2)];
  const scale = (Math.abs(a) + Math.abs(b) + Math.abs(c)) / 3;
  const [d, e, f] = [w(0, 1) / 2 + w(1, 0) / 2, w(0, 2) / 2 + w(2, 0) / 2, w(1, 2) / 2 + w(2, 1) / 2];
  if (scale === 0) return d === 0 && e === 0 && f === 0 ? 0 : Number.NEGATIVE_INFINITY;
  const [x, y, z, p, q, r] = [a / scale, b / scale, c / scale, d / scale, e / scale, f / scale];
  const det = x * (y * z - r * r) - p * (p * z - r * q) + q * (p * r - y * q);
  return Math.min(x, y, z, x * y - p * p, x * z - q * q, y * z - r * r, det);
}
