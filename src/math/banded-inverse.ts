// The diagonal of the inverse of a band matrix from its factor, without the inverse (Takahashi, Fagan and Chin 1973).
//
// With A = L D Lᵀ, Z = A⁻¹ obeys Z = D⁻¹ L⁻¹ + (I − Lᵀ) Z. Read for the entries within the band, from
// the last column to the first, the unknown L⁻¹ drops out:
//
//   Z_ij = −Σ_m Z_im L_mj  (i > j),   Z_jj = 1/D_j − Σ_m Z_jm L_mj,   m = j + 1 … j + halfBandwidth
//
// Storage as in banded-ldl.ts. Cost: n·b² multiplications, twice that of the factor.

let band = new Float64Array(0);

/** out[i] := (A⁻¹)_ii of a matrix of n rows, factored by `factorBanded` at `offset` of `A`; `out` from its start. */
export function inverseDiagonal(
  out: Float64Array,
  A: Float64Array,
  offset: number,
  n: number,
  halfBandwidth: number,
): void {
  const width = halfBandwidth + 1;
  if (band.length < width * n) band = new Float64Array(2 * width * n);
  const Z = band;
  for (let j = n - 1; j >= 0; j--) {
    const last = Math.min(n - 1, j + halfBandwidth);
    for (let i = last; i > j; i--) {
      let sum = 0;
      for (let m = j + 1; m <= last; m++) {
        const z = i > m ? Z[width * i + i - m] : Z[width * m + m - i];
        sum -= z * A[offset + width * m + m - j];
      }
      Z[width * i + i - j] = sum;
    }
    let diagonal = 1 / A[offset + width * j];
    for (let m = j + 1; m <= last; m++) diagonal -= Z[width * m + m - j] * A[offset + width * m + m - j];
    Z[width * j] = out[j] = diagonal;
  }
}
