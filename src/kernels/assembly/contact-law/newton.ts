// The local solver by nonsmooth Newton steps on the Fischer–Burmeister function, for f64 and f32. See
// solvers/local/newton and math/second-order-cone.

import { LOCAL_NEWTON_STEPS, MISSED, OPEN, SLIDE, STICK } from '../../../core/contact-law-constants';
import { get, put } from '../memory';
import { clearImpulse, length2, length3 } from './law';

// Nine or three numbers each, of either type.
const V = memory.data(72);
const B = memory.data(24);
const F = memory.data(24);
const JX = memory.data(72);
const JY = memory.data(72);
const J = memory.data(72);
const X = memory.data(24);
const Y = memory.data(24);
const NOW = memory.data(24);
const BEST = memory.data(24);
const STEP = memory.data(24);
const GRADIENT = memory.data(24);
const SPEED = memory.data(24);

/** Error at which Newton is done [-]: what rounding leaves within reach. */
function tolerance<T>(): T {
  return sizeof<T>() == 8 ? <T>1e-11 : <T>2e-6;
}

/** Newton from the r given. Returns OPEN, STICK, SLIDE, or MISSED with the best iterate in r. */
export function solveNewton<T>(r: usize, W: usize, b: usize, mu: T): i32 {
  const trace: T = get<T>(W, 0) + get<T>(W, 4) + get<T>(W, 8);
  if (!(get<T>(b, 0) < <T>0) || !(trace > <T>0)) {
    const isOpen = get<T>(b, 0) >= <T>0;
    clearImpulse<T>(r);
    return isOpen ? OPEN : MISSED;
  }
  if (mu == <T>0) {
    const wNN: T = get<T>(W, 0);
    put<T>(r, 0, wNN > <T>0 ? -get<T>(b, 0) / wNN : <T>0);
    put<T>(r, 1, <T>0);
    put<T>(r, 2, <T>0);
    return wNN > <T>0 ? SLIDE : MISSED;
  }
  // Non-dimensional data; r by size/scale.
  const size: T = length3<T>(get<T>(b, 0), get<T>(b, 1), get<T>(b, 2));
  const scale: T = trace / <T>3;
  const toUnit: T = scale / size;
  for (let i = 0; i < 9; i++) put<T>(V, i, get<T>(W, i) / scale);
  for (let i = 0; i < 3; i++) {
    put<T>(B, i, get<T>(b, i) / size);
    put<T>(NOW, i, get<T>(r, i) * toUnit);
  }

  let bestError: T = <T>Infinity;
  let isNear = false;
  for (let k = 0; k <= LOCAL_NEWTON_STEPS; k++) {
    frictionFunction<T>(mu, NOW, true);
    const error: T = length3<T>(get<T>(F, 0), get<T>(F, 1), get<T>(F, 2));
    if (error < bestError) {
      bestError = error;
      for (let i = 0; i < 3; i++) put<T>(BEST, i, get<T>(NOW, i));
    }
    // One step more than the tolerance asks for: it costs little and squares the error.
    if (isNear || error == <T>0 || !(error < <T>Infinity)) break;
    isNear = error <= tolerance<T>();
    for (let i = 0; i < 3; i++) {
      const g: T = get<T>(J, i) * get<T>(F, 0) + get<T>(J, 3 + i) * get<T>(F, 1) + get<T>(J, 6 + i) * get<T>(F, 2);
      put<T>(GRADIENT, i, g);
    }
    const descends = newtonStep<T>();
    for (let i = 0; i < 3; i++) {
      put<T>(NOW, i, get<T>(NOW, i) + (descends ? get<T>(STEP, i) : -get<T>(GRADIENT, i)));
    }
  }
  for (let i = 0; i < 3; i++) put<T>(r, i, get<T>(BEST, i) / toUnit);
  if (!(bestError <= tolerance<T>())) return MISSED;
  // Speeds and impulses below this count as none when the case is named.
  const nothing: T = sizeof<T>() == 8 ? <T>1e-9 : <T>1e-5;
  if (get<T>(BEST, 0) <= nothing) return OPEN;
  frictionFunction<T>(mu, BEST, false);
  return length2<T>(get<T>(SPEED, 1), get<T>(SPEED, 2)) <= nothing ? STICK : SLIDE;
}

/** F, and J if asked for, at r; leaves u in SPEED. */
function frictionFunction<T>(mu: T, r: usize, withJacobian: bool): void {
  const r0: T = get<T>(r, 0);
  const r1: T = get<T>(r, 1);
  const r2: T = get<T>(r, 2);
  for (let i = 0; i < 3; i++) {
    const u: T = get<T>(B, i) + get<T>(V, 3 * i) * r0 + get<T>(V, 3 * i + 1) * r1 + get<T>(V, 3 * i + 2) * r2;
    put<T>(SPEED, i, u);
  }
  const u1: T = get<T>(SPEED, 1);
  const u2: T = get<T>(SPEED, 2);
  const slip: T = length2<T>(u1, u2);
  put<T>(X, 0, mu * r0);
  put<T>(X, 1, r1);
  put<T>(X, 2, r2);
  put<T>(Y, 0, get<T>(SPEED, 0) + mu * slip);
  put<T>(Y, 1, mu * u1);
  put<T>(Y, 2, mu * u2);
  fischerBurmeister<T>(withJacobian);
  if (!withJacobian) return;
  const d1: T = slip > <T>0 ? (mu * u1) / slip : <T>0;
  const d2: T = slip > <T>0 ? (mu * u2) / slip : <T>0;
  for (let i = 0; i < 3; i++) {
    const j0: T = get<T>(JY, 3 * i);
    const j1: T = j0 * d1 + get<T>(JY, 3 * i + 1) * mu;
    const j2: T = j0 * d2 + get<T>(JY, 3 * i + 2) * mu;
    for (let k = 0; k < 3; k++) {
      const own: T = get<T>(JX, 3 * i + k) * (k == 0 ? mu : <T>1);
      put<T>(J, 3 * i + k, j0 * get<T>(V, k) + j1 * get<T>(V, 3 + k) + j2 * get<T>(V, 6 + k) + own);
    }
  }
}

/** F := f(X, Y), and JX, JY := one element of its generalised Jacobian. */
function fischerBurmeister<T>(withJacobian: bool): void {
  const x0: T = get<T>(X, 0);
  const x1: T = get<T>(X, 1);
  const x2: T = get<T>(X, 2);
  const y0: T = get<T>(Y, 0);
  const y1: T = get<T>(Y, 1);
  const y2: T = get<T>(Y, 2);
  const xx: T = x1 * x1 + x2 * x2;
  const yy: T = y1 * y1 + y2 * y2;
  const z0: T = x0 * x0 + xx + y0 * y0 + yy;
  const z1: T = <T>2 * (x0 * x1 + y0 * y1);
  const z2: T = <T>2 * (x0 * x2 + y0 * y2);
  const large: T = z0 + length2<T>(z1, z2);
  if (!(large > <T>0)) {
    for (let i = 0; i < 3; i++) put<T>(F, i, get<T>(X, i) + get<T>(Y, i));
    const value: T = <T>1 - <T>Math.SQRT1_2;
    setDiagonal<T>(JX, value);
    setDiagonal<T>(JY, value);
    return;
  }
  const xLength: T = sqrt<T>(xx);
  const yLength: T = sqrt<T>(yy);
  const detX: T = (x0 - xLength) * (x0 + xLength);
  const detY: T = (y0 - yLength) * (y0 + yLength);
  const inner: T = x0 * y0 - (x1 * y1 + x2 * y2);
  const skew1: T = x0 * y1 - y0 * x1;
  const skew2: T = x0 * y2 - y0 * x2;
  const cross: T = x1 * y2 - x2 * y1;
  const det: T = detX * detX + detY * detY + <T>2 * (inner * inner + skew1 * skew1 + skew2 * skew2 + cross * cross);
  const rootLarge: T = sqrt<T>(large);
  const rootSmall: T = sqrt<T>(det / large);
  const roots: T = rootLarge + rootSmall;
  const s0: T = <T>0.5 * roots;
  const s1: T = z1 / roots;
  const s2: T = z2 / roots;
  put<T>(F, 0, x0 + y0 - s0);
  put<T>(F, 1, x1 + y1 - s1);
  put<T>(F, 2, x2 + y2 - s2);
  if (!withJacobian) return;
  // An eigenvalue below this part of the other counts as zero.
  const flat: T = sizeof<T>() == 8 ? <T>1e-30 : <T>1e-13;
  if (det <= flat * large * large) {
    const length: T = length2<T>(x0, y0);
    setDiagonal<T>(JX, <T>1 - x0 / length);
    setDiagonal<T>(JY, <T>1 - y0 / length);
    return;
  }
  const detS: T = rootLarge * rootSmall;
  subtractQuotient<T>(JX, s0, s1, s2, detS, x0, x1, x2);
  subtractQuotient<T>(JY, s0, s1, s2, detS, y0, y1, y2);
}

function setDiagonal<T>(matrix: usize, value: T): void {
  for (let i = 0; i < 9; i++) put<T>(matrix, i, i % 4 == 0 ? value : <T>0);
}

/** matrix := I − L_s⁻¹ L_x, column by column. */
function subtractQuotient<T>(matrix: usize, s0: T, s1: T, s2: T, detS: T, x0: T, x1: T, x2: T): void {
  for (let column = 0; column < 3; column++) {
    const p0: T = column == 0 ? x0 : column == 1 ? x1 : x2;
    const p1: T = column == 0 ? x1 : column == 1 ? x0 : <T>0;
    const p2: T = column == 0 ? x2 : column == 2 ? x0 : <T>0;
    const q0: T = (s0 * p0 - s1 * p1 - s2 * p2) / detS;
    put<T>(matrix, column, (column == 0 ? <T>1 : <T>0) - q0);
    put<T>(matrix, 3 + column, (column == 1 ? <T>1 : <T>0) - (p1 - q0 * s1) / s0);
    put<T>(matrix, 6 + column, (column == 2 ? <T>1 : <T>0) - (p2 - q0 * s2) / s0);
  }
}

/** STEP := −J⁻¹ F; false when J is singular or the step does not descend. */
function newtonStep<T>(): bool {
  const j0: T = get<T>(J, 0);
  const j1: T = get<T>(J, 1);
  const j2: T = get<T>(J, 2);
  const j3: T = get<T>(J, 3);
  const j4: T = get<T>(J, 4);
  const j5: T = get<T>(J, 5);
  const j6: T = get<T>(J, 6);
  const j7: T = get<T>(J, 7);
  const j8: T = get<T>(J, 8);
  const f0: T = get<T>(F, 0);
  const f1: T = get<T>(F, 1);
  const f2: T = get<T>(F, 2);
  const c0: T = j4 * j8 - j5 * j7;
  const c1: T = j5 * j6 - j3 * j8;
  const c2: T = j3 * j7 - j4 * j6;
  const det: T = j0 * c0 + j1 * c1 + j2 * c2;
  if (det == <T>0) return false;
  const s0: T = -(c0 * f0 + (j2 * j7 - j1 * j8) * f1 + (j1 * j5 - j2 * j4) * f2) / det;
  const s1: T = -(c1 * f0 + (j0 * j8 - j2 * j6) * f1 + (j2 * j3 - j0 * j5) * f2) / det;
  const s2: T = -(c2 * f0 + (j1 * j6 - j0 * j7) * f1 + (j0 * j4 - j1 * j3) * f2) / det;
  put<T>(STEP, 0, s0);
  put<T>(STEP, 1, s1);
  put<T>(STEP, 2, s2);
  const g0: T = get<T>(GRADIENT, 0);
  const g1: T = get<T>(GRADIENT, 1);
  const g2: T = get<T>(GRADIENT, 2);
  // Least cosine between a step and descent, the paper's σ: 1e-3.
  return s0 * g0 + s1 * g1 + s2 * g2 <= <T>-1e-3 * length3<T>(s0, s1, s2) * length3<T>(g0, g1, g2);
}
