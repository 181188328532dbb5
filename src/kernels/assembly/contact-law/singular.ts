// Stick where W is singular, for f64 and f32: an r in the cone with W r = −b. See solvers/local/stick-singular.

import { get, put } from '../memory';
import { length2 } from './law';

const LOW = memory.data(72);
const KERNEL = memory.data(24);
const ORDER = memory.data(12);

function order(k: i32): i32 {
  return load<i32>(ORDER + ((<usize>k) << 2));
}

function setOrder(k: i32, i: i32): void {
  store<i32>(ORDER + ((<usize>k) << 2), i);
}

/** r := such an impulse; false when there is none within rounding. Non-dimensional W with W_NN > 0. */
export function stickSingular<T>(r: usize, W: usize, b: usize, mu: T, tiny: T): bool {
  const rank = eliminate<T>(W, tiny);
  for (let i = 0; i < 3; i++) put<T>(r, i, <T>0);
  if (rank == 3) {
    solveLeading<T>(r, b, 3);
    return isInCone<T>(r, mu);
  }
  if (rank <= 1) return cutPlane<T>(r, W, b, mu);

  // A particular solution with nothing on the last pivot, and the kernel with one there.
  solveLeading<T>(r, b, 2);
  const last = order(2);
  const i = order(0);
  const j = order(1);
  for (let k = 0; k < 3; k++) put<T>(KERNEL, k, <T>0);
  put<T>(KERNEL, last, <T>1);
  const kj: T = -get<T>(LOW, 3 * last + 1) / get<T>(LOW, 3 * j + 1);
  put<T>(KERNEL, j, kj);
  put<T>(KERNEL, i, -(get<T>(LOW, 3 * last) + get<T>(LOW, 3 * j) * kj) / get<T>(LOW, 3 * i));
  return cutLine<T>(r, KERNEL, mu);
}

/** Pivoted Cholesky; row i of L at LOW[3i…], columns in the order of the pivots. Returns the rank. */
function eliminate<T>(W: usize, tiny: T): i32 {
  for (let i = 0; i < 9; i++) put<T>(LOW, i, <T>0);
  for (let k = 0; k < 3; k++) setOrder(k, k);
  for (let k = 0; k < 3; k++) {
    let at = k;
    let pivot: T = <T>-1;
    for (let m = k; m < 3; m++) {
      const i = order(m);
      let value: T = get<T>(W, 4 * i);
      for (let e = 0; e < k; e++) value -= get<T>(LOW, 3 * i + e) * get<T>(LOW, 3 * i + e);
      if (value > pivot) {
        pivot = value;
        at = m;
      }
    }
    if (!(pivot > tiny)) return k;
    const i = order(at);
    setOrder(at, order(k));
    setOrder(k, i);
    put<T>(LOW, 3 * i + k, sqrt<T>(pivot));
    for (let m = k + 1; m < 3; m++) {
      const j = order(m);
      let value: T = get<T>(W, 3 * j + i);
      for (let e = 0; e < k; e++) value -= get<T>(LOW, 3 * j + e) * get<T>(LOW, 3 * i + e);
      put<T>(LOW, 3 * j + k, value / get<T>(LOW, 3 * i + k));
    }
  }
  return 3;
}

/** r of the first `rank` pivots := the solution of their rows of W r = −b. */
function solveLeading<T>(r: usize, b: usize, rank: i32): void {
  for (let k = 0; k < rank; k++) {
    const i = order(k);
    let value: T = -get<T>(b, i);
    for (let e = 0; e < k; e++) value -= get<T>(LOW, 3 * i + e) * get<T>(KERNEL, e);
    put<T>(KERNEL, k, value / get<T>(LOW, 3 * i + k));
  }
  for (let k = rank - 1; k >= 0; k--) {
    const i = order(k);
    let value: T = get<T>(KERNEL, k);
    for (let m = k + 1; m < rank; m++) value -= get<T>(LOW, 3 * order(m) + k) * get<T>(r, order(m));
    put<T>(r, i, value / get<T>(LOW, 3 * i + k));
  }
}

function isInCone<T>(r: usize, mu: T): bool {
  return length2<T>(get<T>(r, 1), get<T>(r, 2)) <= mu * get<T>(r, 0);
}

/** Moves r along the direction k into the cone, if the line meets it. */
function cutLine<T>(r: usize, k: usize, mu: T): bool {
  if (isInCone<T>(r, mu)) return true;
  const r0: T = get<T>(r, 0);
  const r1: T = get<T>(r, 1);
  const r2: T = get<T>(r, 2);
  const k0: T = get<T>(k, 0);
  const k1: T = get<T>(k, 1);
  const k2: T = get<T>(k, 2);
  // h(t) = ‖r_T + t k_T‖² − mu²(r_N + t k_N)² = a t² + 2 h t + c
  const m: T = mu * mu;
  const a: T = k1 * k1 + k2 * k2 - m * k0 * k0;
  const half: T = r1 * k1 + r2 * k2 - m * r0 * k0;
  const c: T = r1 * r1 + r2 * r2 - m * r0 * r0;
  const disc: T = half * half - a * c;
  let t: T = <T>0;
  if (a > <T>0) {
    if (disc < <T>0) return false;
    t = -half / a;
  } else if (a == <T>0) {
    if (half == <T>0) return false;
    t = abs<T>(c / (<T>2 * half));
    if (half > <T>0) t = -c / (<T>2 * half) - t;
    else t = -c / (<T>2 * half) + t;
  } else {
    const root: T = sqrt<T>(max<T>(disc, <T>0));
    const plus: T = (-half + root) / a;
    const minus: T = (-half - root) / a;
    const sign: T = k0 > <T>0 ? <T>1 : <T>-1;
    t = k0 > <T>0 ? max<T>(plus, minus) : min<T>(plus, minus);
    t += sign * (sizeof<T>() == 8 ? <T>1e-9 : <T>1e-5) * (<T>1 + abs<T>(t));
  }
  put<T>(r, 0, r0 + t * k0);
  put<T>(r, 1, r1 + t * k1);
  put<T>(r, 2, r2 + t * k2);
  return isInCone<T>(r, mu);
}

/** W = v vᵀ up to scale: r with v·r = γ inside the cone, along the cone's extreme direction for v. */
function cutPlane<T>(r: usize, W: usize, b: usize, mu: T): bool {
  const w1: T = get<T>(W, 1);
  const w2: T = get<T>(W, 2);
  const side: T = length2<T>(w1, w2);
  const n: T = -get<T>(b, 0) / (get<T>(W, 0) + mu * side);
  put<T>(r, 0, n);
  put<T>(r, 1, side > <T>0 ? (mu * n * w1) / side : <T>0);
  put<T>(r, 2, side > <T>0 ? (mu * n * w2) / side : <T>0);
  return true;
}
