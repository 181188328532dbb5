// Singular values of a 3×3 matrix between two rotations.
//
// F = U diag(s) Vᵀ, det U = det V = 1, s₀ ≥ s₁ ≥ |s₂|: where det F < 0 the smallest one is negative
// (Irving, Teran and Fedkiw 2004, section 5). One-sided Jacobi rotations of the columns: every singular value to its
// own last digits, also of a flattened matrix, which the way over the eigenvalues of FᵀF loses. Matrices by rows.

/** More than ever needed: five sweeps reach the last digit. */
const SWEEPS = 12;
/** Cosine between two columns that counts as a right angle [-]. */
const RIGHT_ANGLE = 1e-15;

const B = new Float64Array(9);

/** Writes U, s and V of F. Of a matrix that is not finite the result is not finite. */
export function rotationSvd(U: Float64Array, s: Float64Array, V: Float64Array, F: ArrayLike<number>): void {
  for (let k = 0; k < 9; k++) {
    B[k] = F[k];
    V[k] = k % 4 === 0 ? 1 : 0;
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const turned = [turn(V, 0, 1), turn(V, 0, 2), turn(V, 1, 2)];
    if (!turned[0] && !turned[1] && !turned[2]) break;
  }
  for (let p = 0; p < 3; p++) s[p] = B[p] * B[p] + B[3 + p] * B[3 + p] + B[6 + p] * B[6 + p];
  order(s, V, 0, 1);
  order(s, V, 0, 2);
  order(s, V, 1, 2);
  completeRotation(U, s);
}

/** Turns columns p and q of B = F V to a right angle; false: they are at one. */
function turn(V: Float64Array, p: number, q: number): boolean {
  let a = 0;
  let b = 0;
  let c = 0;
  for (let k = 0; k < 9; k += 3) {
    a += B[k + p] * B[k + p];
    b += B[k + q] * B[k + q];
    c += B[k + p] * B[k + q];
  }
  if (Math.abs(c) <= RIGHT_ANGLE * Math.sqrt(a * b)) return false;
  const zeta = (b - a) / (2 * c);
  const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const cosine = 1 / Math.sqrt(1 + t * t);
  const sine = cosine * t;
  for (let k = 0; k < 9; k += 3) {
    const x = B[k + p];
    B[k + p] = cosine * x - sine * B[k + q];
    B[k + q] = sine * x + cosine * B[k + q];
    const y = V[k + p];
    V[k + p] = cosine * y - sine * V[k + q];
    V[k + q] = sine * y + cosine * V[k + q];
  }
  return true;
}

/** Puts the longer of columns p and q first; a swap turns one over, so that V stays a rotation. */
function order(s: Float64Array, V: Float64Array, p: number, q: number): void {
  if (!(s[p] < s[q])) return;
  const t = s[p];
  s[p] = s[q];
  s[q] = t;
  for (let k = 0; k < 9; k += 3) {
    const x = B[k + p];
    B[k + p] = B[k + q];
    B[k + q] = -x;
    const y = V[k + p];
    V[k + p] = V[k + q];
    V[k + q] = -y;
  }
}

/** U from the columns of B = U diag(s): the third column is the cross product, whatever the sign of s₂. */
function completeRotation(U: Float64Array, s: Float64Array): void {
  // The first column; of the zero matrix the x axis.
  s[0] = Math.sqrt(s[0]);
  for (let k = 0; k < 3; k++) U[3 * k] = s[0] > 0 ? B[3 * k] / s[0] : k === 0 ? 1 : 0;

  // The second, free of what rounding left along the first; of a matrix of rank one the axis farthest from the first.
  let along = U[0] * B[1] + U[3] * B[4] + U[6] * B[7];
  let square = 0;
  for (let k = 0; k < 9; k += 3) {
    U[k + 1] = B[k + 1] - along * U[k];
    square += U[k + 1] * U[k + 1];
  }
  s[1] = Math.sqrt(square);
  if (s[1] <= 1e-150 || s[1] <= 1e-15 * s[0]) {
    const x = Math.abs(U[0]);
    const y = Math.abs(U[3]);
    const z = Math.abs(U[6]);
    const axis = y <= x && y <= z ? 3 : z <= x ? 6 : 0;
    along = U[axis];
    square = 0;
    for (let k = 0; k < 9; k += 3) {
      U[k + 1] = (k === axis ? 1 : 0) - along * U[k];
      square += U[k + 1] * U[k + 1];
    }
  }
  const scale = 1 / Math.sqrt(square);
  for (let k = 0; k < 9; k += 3) U[k + 1] *= scale;

  U[2] = U[3] * U[7] - U[6] * U[4];
  U[5] = U[6] * U[1] - U[0] * U[7];
  U[8] = U[0] * U[4] - U[3] * U[1];
  s[2] = U[2] * B[2] + U[5] * B[5] + U[8] * B[8];
}
