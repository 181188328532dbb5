// The nearest positive semi-definite matrix of a symmetric 3×3 one, by cyclic Jacobi rotations.

const SWEEPS = 10;

const a = new Float64Array(9);
const v = new Float64Array(9);

/** A (nine numbers by rows, symmetric) := A without its negative eigenvalues. */
export function projectSemiDefinite3(A: Float64Array): void {
  if (isPositive(A)) return;
  for (let k = 0; k < 9; k++) {
    a[k] = A[k];
    v[k] = k % 4 === 0 ? 1 : 0;
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    rotate(0, 1);
    rotate(0, 2);
    rotate(1, 2);
    const off = Math.abs(a[1]) + Math.abs(a[2]) + Math.abs(a[5]);
    if (!(off > 1e-16 * (Math.abs(a[0]) + Math.abs(a[4]) + Math.abs(a[8])))) break;
  }
  A.fill(0);
  for (let j = 0; j < 3; j++) {
    const value = a[4 * j];
    if (!(value > 0)) continue;
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) A[3 * r + c] += value * v[3 * r + j] * v[3 * c + j];
  }
}

/** Whether all leading minors are positive. */
function isPositive(A: Float64Array): boolean {
  const minor = A[0] * A[4] - A[1] * A[1];
  const whole =
    A[0] * (A[4] * A[8] - A[5] * A[5]) - A[1] * (A[1] * A[8] - A[5] * A[2]) + A[2] * (A[1] * A[5] - A[4] * A[2]);
  return A[0] > 0 && minor > 0 && whole > 0;
}

/** Brings entry (p, q) of a to zero; v collects the rotations. */
function rotate(p: number, q: number): void {
  const off = a[3 * p + q];
  if (off === 0) return;
  const zeta = (a[4 * q] - a[4 * p]) / (2 * off);
  const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const cosine = 1 / Math.sqrt(1 + t * t);
  const sine = cosine * t;
  for (let k = 0; k < 3; k++) {
    const x = a[3 * k + p];
    a[3 * k + p] = cosine * x - sine * a[3 * k + q];
    a[3 * k + q] = sine * x + cosine * a[3 * k + q];
  }
  for (let k = 0; k < 3; k++) {
    const x = a[3 * p + k];
    a[3 * p + k] = cosine * x - sine * a[3 * q + k];
    a[3 * q + k] = sine * x + cosine * a[3 * q + k];
    const y = v[3 * k + p];
    v[3 * k + p] = cosine * y - sine * v[3 * k + q];
    v[3 * k + q] = sine * y + cosine * v[3 * k + q];
  }
}
