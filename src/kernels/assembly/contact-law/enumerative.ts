// The local solver by enumeration of the three cases, for f64 and f32. See solvers/local/enumerative.

import { MISSED, NO_SOLUTION, OPEN, SLIDE, STICK } from '../../../core/contact-law-constants';
import { get, put } from '../memory';
import { clearImpulse, goodError, length2, length3, localError } from './law';
import { realRoots } from './quartic';
import { stickSingular } from './singular';

const V = memory.data(72);
const B = memory.data(24);
const QUARTIC = memory.data(40);
const ROOTS = memory.data(40);
const TRIAL = memory.data(24);
const BEST = memory.data(24);
/** One contact in the frame of the eigenvectors of its reduced tangential matrix; places below. */
const FRAME = memory.data(88);
const W_NN: i32 = 0;
const B_N: i32 = 1;
const MU: i32 = 2;
const P: i32 = 3;
const Q: i32 = 4;
const D1: i32 = 5;
const D2: i32 = 6;
const C1: i32 = 7;
const C2: i32 = 8;
const W1: i32 = 9;
const W2: i32 = 10;

/** Pivots below this part of the mean diagonal make W singular [-]. */
function singular<T>(): T {
  return sizeof<T>() == 8 ? <T>1e-12 : <T>1e-6;
}

/** All cases of one contact; the start is not used. */
export function solveEnumerative<T>(r: usize, W: usize, b: usize, mu: T): i32 {
  clearImpulse<T>(r);
  if (get<T>(b, 0) >= <T>0) return OPEN;
  const scale: T = (get<T>(W, 0) + get<T>(W, 4) + get<T>(W, 8)) / <T>3;
  const size: T = length3<T>(get<T>(b, 0), get<T>(b, 1), get<T>(b, 2));
  if (!(size > <T>0)) return MISSED;
  // A normal that nothing moves: no impulse stops b_N < 0.
  if (!(get<T>(W, 0) > singular<T>() * scale)) return NO_SOLUTION;
  const unit: T = size / scale;
  for (let i = 0; i < 9; i++) put<T>(V, i, get<T>(W, i) / scale);
  for (let i = 0; i < 3; i++) put<T>(B, i, get<T>(b, i) / size);
  if (mu == <T>0) {
    put<T>(r, 0, (-get<T>(B, 0) / get<T>(V, 0)) * unit);
    return SLIDE;
  }

  // Stick.
  openFrame<T>(mu);
  const isSingular = get<T>(FRAME, D2) <= singular<T>() * get<T>(V, 0);
  if (isSingular) {
    if (stickSingular<T>(TRIAL, V, B, mu, singular<T>()) && localError<T>(TRIAL, V, B, mu) <= goodError<T>()) {
      deliver<T>(r, TRIAL, unit);
      return STICK;
    }
  } else if (gapOf<T>(<T>0) <= <T>0) {
    impulseOf<T>(TRIAL, <T>0);
    deliver<T>(r, TRIAL, unit);
    return STICK;
  }

  // Slide: the quartic, its positive roots, each polished and checked.
  expandQuartic<T>();
  const count = realRoots<T>(ROOTS, QUARTIC, 4);
  let bestError: f64 = Infinity;
  for (let k = 0; k < count; k++) {
    const root: T = get<T>(ROOTS, k);
    if (!(root > <T>0)) continue;
    impulseOf<T>(TRIAL, polish<T>(root));
    if (!(get<T>(TRIAL, 0) > <T>0)) continue;
    const error = localError<T>(TRIAL, V, B, mu);
    if (error < bestError) {
      bestError = error;
      for (let i = 0; i < 3; i++) put<T>(BEST, i, get<T>(TRIAL, i));
      if (error <= goodError<T>()) break;
    }
  }
  if (bestError <= goodError<T>()) {
    deliver<T>(r, BEST, unit);
    return SLIDE;
  }
  if (isSingular) return NO_SOLUTION;
  if (bestError < Infinity) deliver<T>(r, BEST, unit);
  return MISSED;
}

function deliver<T>(r: usize, from: usize, unit: T): void {
  for (let i = 0; i < 3; i++) put<T>(r, i, get<T>(from, i) * unit);
}

/** Eliminates the normal and diagonalises what is left. */
function openFrame<T>(mu: T): void {
  const wNN: T = get<T>(V, 0);
  const v1: T = get<T>(V, 1);
  const v2: T = get<T>(V, 2);
  const bN: T = get<T>(B, 0);
  const s11: T = get<T>(V, 4) - (v1 * v1) / wNN;
  const s12: T = get<T>(V, 5) - (v1 * v2) / wNN;
  const s22: T = get<T>(V, 8) - (v2 * v2) / wNN;
  const c1: T = get<T>(B, 1) - (v1 * bN) / wNN;
  const c2: T = get<T>(B, 2) - (v2 * bN) / wNN;
  const half: T = <T>0.5 * (s11 - s22);
  const swing: T = length2<T>(half, s12);
  const high: T = max<T>(<T>0.5 * (s11 + s22) + swing, <T>0);
  let p: T = <T>1;
  let q: T = <T>0;
  if (swing > <T>0) {
    p = half >= <T>0 ? half + swing : s12;
    q = half >= <T>0 ? s12 : swing - half;
    const size: T = length2<T>(p, q);
    p /= size;
    q /= size;
  }
  put<T>(FRAME, W_NN, wNN);
  put<T>(FRAME, B_N, bN);
  put<T>(FRAME, MU, mu);
  put<T>(FRAME, P, p);
  put<T>(FRAME, Q, q);
  put<T>(FRAME, D1, high);
  put<T>(FRAME, D2, high > <T>0 ? max<T>((s11 * s22 - s12 * s12) / high, <T>0) : <T>0);
  put<T>(FRAME, C1, p * c1 + q * c2);
  put<T>(FRAME, C2, p * c2 - q * c1);
  put<T>(FRAME, W1, p * v1 + q * v2);
  put<T>(FRAME, W2, p * v2 - q * v1);
}

/** g(α) = ‖r_T‖ − mu r_N. */
function gapOf<T>(alpha: T): T {
  const t1: T = -get<T>(FRAME, C1) / (get<T>(FRAME, D1) + alpha);
  const t2: T = -get<T>(FRAME, C2) / (get<T>(FRAME, D2) + alpha);
  const n: T = get<T>(FRAME, B_N) + get<T>(FRAME, W1) * t1 + get<T>(FRAME, W2) * t2;
  return length2<T>(t1, t2) + (get<T>(FRAME, MU) * n) / get<T>(FRAME, W_NN);
}

/** dg/dα. */
function slopeOf<T>(alpha: T): T {
  const t1: T = -get<T>(FRAME, C1) / (get<T>(FRAME, D1) + alpha);
  const t2: T = -get<T>(FRAME, C2) / (get<T>(FRAME, D2) + alpha);
  const dt1: T = -t1 / (get<T>(FRAME, D1) + alpha);
  const dt2: T = -t2 / (get<T>(FRAME, D2) + alpha);
  const size: T = length2<T>(t1, t2);
  const n: T = get<T>(FRAME, W1) * dt1 + get<T>(FRAME, W2) * dt2;
  return (size > <T>0 ? (t1 * dt1 + t2 * dt2) / size : <T>0) + (get<T>(FRAME, MU) * n) / get<T>(FRAME, W_NN);
}

/** Newton steps on g from a root of the quartic, as long as they make |g| smaller. */
function polish<T>(root: T): T {
  let alpha: T = root;
  let gap: T = abs<T>(gapOf<T>(alpha));
  for (let k = 0; k < 20 && gap > <T>0; k++) {
    const next: T = alpha - gapOf<T>(alpha) / slopeOf<T>(alpha);
    if (!(next > <T>0)) break;
    const nextGap: T = abs<T>(gapOf<T>(next));
    if (!(nextGap < gap)) break;
    alpha = next;
    gap = nextGap;
  }
  return alpha;
}

/** r of the slide parameter α, back in the contact's own tangents. */
function impulseOf<T>(r: usize, alpha: T): void {
  const p: T = get<T>(FRAME, P);
  const q: T = get<T>(FRAME, Q);
  const t1: T = -get<T>(FRAME, C1) / (get<T>(FRAME, D1) + alpha);
  const t2: T = -get<T>(FRAME, C2) / (get<T>(FRAME, D2) + alpha);
  put<T>(r, 0, -(get<T>(FRAME, B_N) + get<T>(FRAME, W1) * t1 + get<T>(FRAME, W2) * t2) / get<T>(FRAME, W_NN));
  put<T>(r, 1, p * t1 - q * t2);
  put<T>(r, 2, q * t1 + p * t2);
}

/** Coefficients, lowest power first. */
function expandQuartic<T>(): void {
  const d1: T = get<T>(FRAME, D1);
  const d2: T = get<T>(FRAME, D2);
  const c1: T = get<T>(FRAME, C1);
  const c2: T = get<T>(FRAME, C2);
  const w1: T = get<T>(FRAME, W1);
  const w2: T = get<T>(FRAME, W2);
  const bN: T = get<T>(FRAME, B_N);
  const a: T = c1 * c1;
  const e: T = c2 * c2;
  const q0: T = bN * d1 * d2 - w1 * c1 * d2 - w2 * c2 * d1;
  const q1: T = bN * (d1 + d2) - w1 * c1 - w2 * c2;
  const ratio: T = get<T>(FRAME, MU) / get<T>(FRAME, W_NN);
  const m: T = ratio * ratio;
  put<T>(QUARTIC, 0, m * q0 * q0 - a * d2 * d2 - e * d1 * d1);
  put<T>(QUARTIC, 1, <T>2 * (m * q0 * q1 - a * d2 - e * d1));
  put<T>(QUARTIC, 2, m * (q1 * q1 + <T>2 * q0 * bN) - a - e);
  put<T>(QUARTIC, 3, <T>2 * m * q1 * bN);
  put<T>(QUARTIC, 4, m * bN * bN);
}
