// Preconditioners of a band matrix for mprgp, all by the active set: the complete
// factor, and the common ones to compare.
//
// All but the first three are a product (I + L̃) D (I + L̃ᵀ) in band storage, applied by filtered substitution:
//   active-set Cholesky           the complete factor
//   incomplete Cholesky entries where A has some; a pivot below a quarter of the diagonal becomes the diagonal modified
//   incomplete Cholesky the same, dropped fill taken off the diagonal by the share 0.97 SSOR L̃ =
//   ω·tril(A)·diag(A)⁻¹, D = diag(A)/(ω (2 − ω)), ω = 1.2
// Weighted Jacobi: two sweeps with ω = 0.5.

import { solveFiltered } from './active-set-cholesky';
import { factorBanded } from './banded-ldl';
import type { FacePreconditioner } from './mprgp';

/** By name, as tables and charts call them. */
export const BAND_PRECONDITIONERS = {
  none: createIdentity,
  diagonal: createDiagonal,
  'weighted-jacobi': createWeightedJacobi,
  ssor: createSsor,
  'incomplete-cholesky': () => createIncompleteCholesky(0),
  'modified-incomplete-cholesky': () => createIncompleteCholesky(MODIFIED),
  'active-set-cholesky': createActiveSetCholesky,
} as const;

export type BandPreconditionerName = keyof typeof BAND_PRECONDITIONERS;

const SSOR_WEIGHT = 1.2;
const JACOBI_WEIGHT = 0.5;
const JACOBI_SWEEPS = 2;
const MODIFIED = 0.97;
/** Smallest pivot of an incomplete factor, of the diagonal [1]. Smaller: entries without bound after a breakdown. */
const SMALLEST_PIVOT = 0.25;
/** Below this share of the diagonal a pivot of the complete factor is rounding [1]. */
const LOST_PIVOT = 1e-15;

function createIdentity(): FacePreconditioner {
  let n = 0;
  return {
    prepare(_A, size) {
      n = size;
    },
    apply(z, r, active) {
      for (let i = 0; i < n; i++) z[i] = active[i] === 0 ? r[i] : 0;
    },
  };
}

function createDiagonal(): FacePreconditioner {
  let inverse = new Float64Array(0);
  let n = 0;
  return {
    prepare(A, size, halfBandwidth) {
      n = size;
      if (inverse.length < size) inverse = new Float64Array(size);
      for (let i = 0; i < size; i++) inverse[i] = 1 / A[(halfBandwidth + 1) * i];
    },
    apply(z, r, active) {
      for (let i = 0; i < n; i++) z[i] = active[i] === 0 ? inverse[i] * r[i] : 0;
    },
  };
}

function createWeightedJacobi(): FacePreconditioner {
  let matrix: Float64Array = new Float64Array(0);
  let n = 0;
  let half = 0;
  let rest = new Float64Array(0);
  return {
    prepare(A, size, halfBandwidth) {
      matrix = A;
      n = size;
      half = halfBandwidth;
      if (rest.length < size) rest = new Float64Array(size);
    },
    apply(z, r, active) {
      const width = half + 1;
      for (let i = 0; i < n; i++) z[i] = active[i] === 0 ? (JACOBI_WEIGHT * r[i]) / matrix[width * i] : 0;
      for (let sweep = 1; sweep < JACOBI_SWEEPS; sweep++) {
        for (let i = 0; i < n; i++) rest[i] = r[i];
        for (let i = 0; i < n; i++) {
          rest[i] -= matrix[width * i] * z[i];
          for (let k = Math.min(i, half); k > 0; k--) {
            const entry = matrix[width * i + k];
            rest[i] -= entry * z[i - k];
            rest[i - k] -= entry * z[i];
          }
        }
        for (let i = 0; i < n; i++) if (active[i] === 0) z[i] += (JACOBI_WEIGHT * rest[i]) / matrix[width * i];
      }
    },
  };
}

/** A preconditioner by a factor L D Lᵀ in band storage. */
function createFactored(
  factorise: (out: Float64Array, A: Float64Array, size: number, halfBandwidth: number) => void,
): FacePreconditioner {
  let factor = new Float64Array(0);
  let n = 0;
  let half = 0;
  return {
    prepare(A, size, halfBandwidth) {
      n = size;
      half = halfBandwidth;
      const length = size * (halfBandwidth + 1);
      if (factor.length < length) factor = new Float64Array(length);
      factorise(factor, A, size, halfBandwidth);
    },
    apply(z, r, active) {
      solveFiltered(z, factor, n, half, r, active);
    },
  };
}

function createSsor(): FacePreconditioner {
  return createFactored((out, A, size, halfBandwidth) => {
    const width = halfBandwidth + 1;
    for (let i = 0; i < size; i++) {
      out[width * i] = A[width * i] / (SSOR_WEIGHT * (2 - SSOR_WEIGHT));
      for (let k = Math.min(i, halfBandwidth); k > 0; k--) {
        out[width * i + k] = (SSOR_WEIGHT * A[width * i + k]) / A[width * (i - k)];
      }
    }
  });
}

/** The complete factor. A pivot lost to rounding becomes a small share of the diagonal: still positive, less exact. */
export function createActiveSetCholesky(): FacePreconditioner {
  const complete: Completeness = { sparse: false, modified: 0, smallest: LOST_PIVOT, instead: LOST_PIVOT };
  return createFactored((out, A, size, halfBandwidth) => {
    const length = size * (halfBandwidth + 1);
    for (let i = 0; i < length; i++) out[i] = A[i];
    if (factorBanded(out, 0, size, halfBandwidth) >= 0) factorWithin(out, A, size, halfBandwidth, complete);
  });
}

function createIncompleteCholesky(modified: number): FacePreconditioner {
  const incomplete: Completeness = { sparse: true, modified, smallest: SMALLEST_PIVOT, instead: 1 };
  return createFactored((out, A, size, halfBandwidth) => factorWithin(out, A, size, halfBandwidth, incomplete));
}

interface Completeness {
  /** Keeps A's own entries only. */
  readonly sparse: boolean;
  /** Share of the dropped fill that is taken off the diagonal [1]. */
  readonly modified: number;
  /** A pivot below this share of A's diagonal becomes the share `instead` of it [1]. */
  readonly smallest: number;
  readonly instead: number;
}

/** out = L D Lᵀ of A, right-looking by columns. */
function factorWithin(
  out: Float64Array,
  A: Float64Array,
  size: number,
  halfBandwidth: number,
  { sparse, modified, smallest, instead }: Completeness,
): void {
  const width = halfBandwidth + 1;
  for (let i = 0; i < size * width; i++) out[i] = A[i];
  for (let j = 0; j < size; j++) {
    if (!(out[width * j] > smallest * A[width * j])) out[width * j] = instead * A[width * j];
    const pivot = out[width * j];
    const last = Math.min(size - 1, j + halfBandwidth);
    for (let i = j + 1; i <= last; i++) {
      const first = out[width * i + i - j];
      if (first === 0) continue;
      for (let m = j + 1; m <= i; m++) {
        const fill = (first * out[width * m + m - j]) / pivot;
        const at = width * i + i - m;
        if (!sparse || A[at] !== 0) out[at] -= fill;
        else {
          out[width * i] -= modified * fill;
          out[width * m] -= modified * fill;
        }
      }
    }
    for (let i = j + 1; i <= last; i++) out[width * i + i - j] /= pivot;
  }
}
