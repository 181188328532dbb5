// The diagonal of the inverse of a sparse matrix from its factor, without the inverse (Takahashi, Fagan and Chin 1973).
//
// With A = L D Lᵀ, Z = A⁻¹ obeys Z = D⁻¹ L⁻¹ + (I − Lᵀ) Z. Read for the entries within the pattern of L,
// from the last column to the first, the unknown L⁻¹ drops out:
//
//   Z_ij = −Σ_m Z_im L_mj  (i > j),   Z_jj = 1/D_j − Σ_m Z_jm L_mj,   m in the pattern of column j
//
// and every Z_im that is asked for is within the pattern: rows of one column of L are all joined to each other.

import type { SparseLdl } from './sparse-ldl';

let values = new Float64Array(0);
let diagonal = new Float64Array(0);
let sums = new Float64Array(0);
let mark = new Int32Array(0);

/** out[row of A] := (A⁻¹) of that row and column, from a filled factor. Costs about twice what the factor does. */
export function sparseInverseDiagonal(out: Float64Array, ldl: SparseLdl): void {
  const { size, order, start, row, lower, diagonal: d } = ldl;
  if (values.length < lower.length) values = new Float64Array(lower.length);
  if (diagonal.length < size) {
    diagonal = new Float64Array(size);
    sums = new Float64Array(size);
    mark = new Int32Array(size);
  }
  mark.fill(-1, 0, size);
  for (let j = size - 1; j >= 0; j--) {
    const first = start[j];
    const end = start[j + 1];
    // Where the rows of this column are; sums gather Z L by row.
    for (let at = first; at < end; at++) {
      mark[row[at]] = at;
      sums[row[at]] = diagonal[row[at]] * lower[at];
    }
    for (let at = first; at < end; at++) {
      const m = row[at];
      const l = lower[at];
      for (let k = start[m]; k < start[m + 1]; k++) {
        const i = row[k];
        const here = mark[i];
        if (here < first) continue;
        sums[i] += values[k] * l;
        sums[m] += values[k] * lower[here];
      }
    }
    let own = 1 / d[j];
    for (let at = first; at < end; at++) {
      values[at] = -sums[row[at]];
      own -= values[at] * lower[at];
      mark[row[at]] = -1;
    }
    diagonal[j] = own;
    out[order[j]] = own;
  }
}
