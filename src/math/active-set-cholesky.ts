// One factor of a band matrix for every active set: filtered forward and backward substitution.
//
// A = L D Lᵀ is factored once. For the system in the face of a box, where some unknowns rest on their bounds, the
// rows and columns of those are left out of L while substituting (Takahashi and Batty 2025, equations 34 and 35):
//   (I + S L̃ S) y = S r,   w = D⁻¹ y,   (I + S L̃ᵀ S) z = S w,   S = 1 on free unknowns, else 0.
// With no bound active that is A⁻¹ r exactly; with some it is symmetric positive definite, as conjugate gradients
// need, and close to the inverse of the free part, at the cost of two substitutions and no new factor. Every factor of
// the form L D Lᵀ may be put in, incomplete ones too: see band-preconditioners.
//
// Band storage as in banded-ldl: lower triangle by rows, halfBandwidth + 1 numbers each,
// entry (i, i − k) at [width·i + k].

/** z = filtered inverse of the factor applied to r; 0 where `active` is not 0. z may be r. */
export function solveFiltered(
  z: Float64Array,
  factor: Float64Array,
  n: number,
  halfBandwidth: number,
  r: Float64Array,
  active: Int8Array,
): void {
  const width = halfBandwidth + 1;
  // Forward: a constrained unknown is 0, so the sums need not ask about the others.
  for (let i = 0; i < n; i++) {
    if (active[i] !== 0) {
      z[i] = 0;
      continue;
    }
    const row = width * i;
    const last = i < halfBandwidth ? i : halfBandwidth;
    let sum = r[i];
    for (let k = 1; k <= last; k++) sum -= factor[row + k] * z[i - k];
    z[i] = sum;
  }
  // Backward, by columns of Lᵀ: what a free unknown takes off the ones before it.
  for (let i = 0; i < n; i++) z[i] /= factor[width * i];
  for (let i = n - 1; i >= 0; i--) {
    if (active[i] !== 0) {
      z[i] = 0;
      continue;
    }
    const row = width * i;
    const x = z[i];
    const last = i < halfBandwidth ? i : halfBandwidth;
    for (let k = 1; k <= last; k++) z[i - k] -= factor[row + k] * x;
  }
}
