// The careful end of a singular value decomposition, for one of two matrices in lanes of f64×2: singular values fall,
// the last has the sign of the determinant, U is a rotation whatever the rank. Twin of math/svd3.ts.

import { getF64, setF64 } from '../memory';

/** Below it, or this share of the largest, a singular value is 0 [-]. */
const LEAST: f64 = 1e-150;
const ROUNDED: f64 = 1e-15;

const B = memory.data(72, 16);
const V = memory.data(72, 16);
const S = memory.data(24, 16);

/** U holds F V on entry; `lane`: 0 or 8 [B]. */
export function completeRotation(U: usize, s: usize, rotation: usize, lane: usize): void {
  for (let k = 0; k < 9; k++) {
    setF64(B, k, load<f64>(U + ((<usize>k) << 4) + lane));
    setF64(V, k, load<f64>(rotation + ((<usize>k) << 4) + lane));
  }
  for (let p = 0; p < 3; p++) {
    setF64(
      S,
      p,
      getF64(B, p) * getF64(B, p) + getF64(B, 3 + p) * getF64(B, 3 + p) + getF64(B, 6 + p) * getF64(B, 6 + p),
    );
  }
  order(0, 1);
  order(0, 2);
  order(1, 2);
  finish(U + lane);
  for (let k = 0; k < 9; k++) store<f64>(rotation + ((<usize>k) << 4) + lane, getF64(V, k));
  for (let k = 0; k < 3; k++) store<f64>(s + ((<usize>k) << 4) + lane, getF64(S, k));
}

/** Puts the longer of columns p and q first; one turns over, so that V stays a rotation. */
function order(p: i32, q: i32): void {
  const t = getF64(S, p);
  if (!(t < getF64(S, q))) return;
  setF64(S, p, getF64(S, q));
  setF64(S, q, t);
  for (let k = 0; k < 9; k += 3) {
    const x = getF64(B, k + p);
    setF64(B, k + p, getF64(B, k + q));
    setF64(B, k + q, -x);
    const y = getF64(V, k + p);
    setF64(V, k + p, getF64(V, k + q));
    setF64(V, k + q, -y);
  }
}

/** U from B = U diag(s), rows 48 B apart; the third column is the cross product. */
function finish(U: usize): void {
  const s0 = sqrt<f64>(getF64(S, 0));
  setF64(S, 0, s0);
  const x = s0 > 0 ? getF64(B, 0) / s0 : 1;
  const y = s0 > 0 ? getF64(B, 3) / s0 : 0;
  const z = s0 > 0 ? getF64(B, 6) / s0 : 0;

  // The second, free of what rounding left along the first; of a matrix of rank one along an axis far from the first.
  let along = x * getF64(B, 1) + y * getF64(B, 4) + z * getF64(B, 7);
  let a = getF64(B, 1) - along * x;
  let b = getF64(B, 4) - along * y;
  let c = getF64(B, 7) - along * z;
  let square = a * a + b * b + c * c;
  const s1 = sqrt<f64>(square);
  setF64(S, 1, s1);
  if (s1 <= LEAST || s1 <= ROUNDED * s0) {
    const onX = abs<f64>(x);
    const onY = abs<f64>(y);
    const onZ = abs<f64>(z);
    const axis = onY <= onX && onY <= onZ ? 1 : onZ <= onX ? 2 : 0;
    along = axis == 0 ? x : axis == 1 ? y : z;
    a = (axis == 0 ? 1.0 : 0.0) - along * x;
    b = (axis == 1 ? 1.0 : 0.0) - along * y;
    c = (axis == 2 ? 1.0 : 0.0) - along * z;
    square = a * a + b * b + c * c;
  }
  const by = 1 / sqrt<f64>(square);
  a *= by;
  b *= by;
  c *= by;
  const u = y * c - z * b;
  const v = z * a - x * c;
  const w = x * b - y * a;
  setF64(S, 2, u * getF64(B, 2) + v * getF64(B, 5) + w * getF64(B, 8));
  store<f64>(U, x);
  store<f64>(U, y, 48);
  store<f64>(U, z, 96);
  store<f64>(U, a, 16);
  store<f64>(U, b, 64);
  store<f64>(U, c, 112);
  store<f64>(U, u, 32);
  store<f64>(U, v, 80);
  store<f64>(U, w, 128);
}
