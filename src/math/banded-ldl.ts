// LDLᵀ of a symmetric positive definite band matrix, in place, for one strand at a time.
//
// Storage: lower triangle by rows, `halfBandwidth` + 1 numbers each: entry (i, i − k) at
// [offset + (halfBandwidth + 1)·i + k], k = 0..halfBandwidth. Entries left of column 0 are never read.
// After the factorisation the same places hold L (unit lower triangular; k ≥ 1) and D (k = 0).
// No pivoting: a strand's matrix is positive definite; a pivot that is not positive stops the factorisation.
// Cost: n·b²/2 multiplications to factor, 2·n·b to solve (b = half-bandwidth).

/**
 * Factors A = L D Lᵀ in place, up-looking by rows.
 * Returns −1, or the row whose pivot was not positive (or not a number); then the rows from it on are unfinished.
 */
export function factorBanded(A: Float64Array, offset: number, n: number, halfBandwidth: number): number {
  const width = halfBandwidth + 1;
  for (let i = 0; i < n; i++) {
    const row = offset + width * i;
    const first = Math.max(0, i - halfBandwidth);
    // Row i of L·D, left to right: (L D)_ij = A_ij − Σ_{m<j} (L D)_im L_jm.
    for (let j = first; j < i; j++) {
      const other = offset + width * j;
      let sum = A[row + i - j];
      for (let m = Math.max(first, j - halfBandwidth); m < j; m++) sum -= A[row + i - m] * A[other + j - m];
      A[row + i - j] = sum;
    }
    // Divide by D, and take what the row contributes off its own pivot.
    let pivot = A[row];
    for (let j = first; j < i; j++) {
      const scaled = A[row + i - j];
      const entry = scaled / A[offset + width * j];
      pivot -= entry * scaled;
      A[row + i - j] = entry;
    }
    if (!(pivot > 0)) return i;
    A[row] = pivot;
  }
  return -1;
}

/** Replaces b by the solution x of L D Lᵀ x = b, with the factor that `factorBanded` left in A. */
export function solveBanded(
  A: Float64Array,
  offset: number,
  n: number,
  halfBandwidth: number,
  b: Float64Array,
  bOffset: number,
): void {
  const width = halfBandwidth + 1;
  for (let i = 0; i < n; i++) {
    const row = offset + width * i;
    let sum = b[bOffset + i];
    for (let k = Math.min(i, halfBandwidth); k > 0; k--) sum -= A[row + k] * b[bOffset + i - k];
    b[bOffset + i] = sum;
  }
  for (let i = 0; i < n; i++) b[bOffset + i] /= A[offset + width * i];
  for (let i = n - 1; i >= 0; i--) {
    const row = offset + width * i;
    const x = b[bOffset + i];
    for (let k = Math.min(i, halfBandwidth); k > 0; k--) b[bOffset + i - k] -= A[row + k] * x;
  }
}

/** out := A x with A from its lower triangle, not factored; `at` is the place of both vectors' first number. */
export function multiplyBanded(
  out: Float64Array,
  A: Float64Array,
  n: number,
  halfBandwidth: number,
  x: Float64Array,
  offset = 0,
  at = 0,
): void {
  const width = halfBandwidth + 1;
  for (let i = 0; i < n; i++) {
    const row = offset + width * i;
    const own = x[at + i];
    let sum = A[row] * own;
    const last = i < halfBandwidth ? i : halfBandwidth;
    for (let k = 1; k <= last; k++) {
      const entry = A[row + k];
      sum += entry * x[at + i - k];
      out[at + i - k] += entry * own;
    }
    out[at + i] = sum;
  }
}
