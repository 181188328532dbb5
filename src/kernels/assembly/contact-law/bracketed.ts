// The local solver that never fails, for f64 and f32: a bracketed scalar root. See solvers/local/bracketed.
//
// Two types: T, what r, W and b are stored in, and A, what is computed with. f32 throughout needs no other method, only
// another idea of what is nothing: the small eigenvalue of the tangential matrix, a difference of products, is not
// trusted below its rounding. Computing in f64 on f32 data costs a third more time and leaves only what f32 cannot
// write down: an impulse is rounded by 6e-8‖r‖, and as W is too, the velocity it makes by λ times that.

import { OPEN, SLIDE, STICK } from '../../../core/contact-law-constants';
import { get, put } from '../memory';
import { clearImpulse, length2, length3 } from './law';

/** r := the answer; the start is not used. Returns OPEN, STICK or SLIDE. */
export function solveBracketed<T, A>(r: usize, W: usize, b: usize, friction: T): i32 {
  const mu = <A>friction;
  const trace: A = <A>get<T>(W, 0) + <A>get<T>(W, 4) + <A>get<T>(W, 8);
  const bSize: A = length3<A>(<A>get<T>(b, 0), <A>get<T>(b, 1), <A>get<T>(b, 2));

  if (!(get<T>(b, 0) < <T>0) || !(trace > <A>0)) {
    clearImpulse<T>(r);
    return OPEN;
  }
  const tiny: A = sizeof<T>() == 8 ? <A>1e-14 : <A>1e-7;
  const wScale: A = <A>3 / trace;
  const bScale: A = <A>1 / bSize;
  const rScale: A = wScale * bSize;
  const wNN: A = max<A>(<A>get<T>(W, 0) * wScale, tiny);
  const w1: A = <A>get<T>(W, 1) * wScale;
  const w2: A = <A>get<T>(W, 2) * wScale;
  const bN: A = <A>get<T>(b, 0) * bScale;

  if (mu == <A>0) {
    put<T>(r, 0, <T>((-bN / wNN) * rScale));
    put<T>(r, 1, <T>0);
    put<T>(r, 2, <T>0);
    return SLIDE;
  }

  // Without the normal: (S + α) r_T = −c, r_N = −(b_N + w·r_T)/W_NN.
  const toN: A = <A>1 / wNN;
  const s11: A = <A>get<T>(W, 4) * wScale - w1 * w1 * toN;
  const s12: A = <A>get<T>(W, 5) * wScale - w1 * w2 * toN;
  const s22: A = <A>get<T>(W, 8) * wScale - w2 * w2 * toN;
  const c1: A = <A>get<T>(b, 1) * bScale - w1 * bN * toN;
  const c2: A = <A>get<T>(b, 2) * bScale - w2 * bN * toN;

  // Eigenvectors (p, q), (−q, p) of S from its half-difference and off-diagonal.
  const half: A = <A>0.5 * (s11 - s22);
  const swing: A = length2<A>(half, s12);
  const high: A = max<A>(<A>0.5 * (s11 + s22) + swing, tiny);
  const low: A = max<A>((s11 * s22 - s12 * s12) / high, tiny);
  let p: A = <A>1;
  let q: A = <A>0;

  if (swing > <A>0) {
    p = half >= <A>0 ? half + swing : s12;
    q = half >= <A>0 ? s12 : swing - half;
    const scale: A = <A>1 / length2<A>(p, q);
    p *= scale;
    q *= scale;
  }
  const cHigh: A = p * c1 + q * c2;
  const cLow: A = p * c2 - q * c1;
  const wHigh: A = p * w1 + q * w2;
  const wLow: A = p * w2 - q * w1;

  // Stick: α = 0.
  let tHigh: A = -cHigh / high;
  let tLow: A = -cLow / low;
  let n: A = -(bN + wHigh * tHigh + wLow * tLow) * toN;
  let state = STICK;
  let slip: A = length2<A>(tHigh, tLow);
  let start: A = <A>0;

  if (sizeof<T>() == 4 && slip <= mu * n && n + slip > <A>1e4) {
    // Stuck by an impulse that only rounding may have made possible, W in f32 being singular: a slide is preferred, if
    // one lies beyond what rounding can do to W.
    for (let shift: A = <A>1e-6; shift < <A>1e-2; shift *= <A>10) {
      const tHighNear: A = -cHigh / (high + shift);
      const tLowNear: A = -cLow / (low + shift);
      const nNear: A = -(bN + wHigh * tHighNear + wLow * tLowNear) * toN;
      const slipNear: A = length2<A>(tHighNear, tLowNear);
      if (slipNear <= mu * nNear) continue;
      start = shift;
      tHigh = tHighNear;
      tLow = tLowNear;
      n = nNear;
      slip = slipNear;
      break;
    }
  }

  if (slip > mu * n) {
    state = SLIDE;
    // Bracket the root by decades, from the size of S upwards.
    let below: A = start;
    let gBelow: A = slip - mu * n;
    let above: A = high;
    let gAbove: A = <A>0;
    for (let k = 0; k < 40; k++) {
      tHigh = -cHigh / (high + above);
      tLow = -cLow / (low + above);
      n = -(bN + wHigh * tHigh + wLow * tLow) * toN;
      slip = length2<A>(tHigh, tLow);
      gAbove = slip - mu * n;
      if (gAbove <= <A>0) break;
      below = above;
      gBelow = gAbove;
      above *= <A>10;
    }
    const close: A = sizeof<T>() == 8 ? <A>2e-16 : <A>1e-7;
    const good: A = sizeof<T>() == 8 ? <A>2e-16 : <A>6e-8;
    let side = 0;
    for (let k = 0; k < 100 && above - below > close * above; k++) {
      let alpha: A = <A>0.5 * (below + above);
      if (k % 3 != 2) {
        const chord: A = (below * gAbove - above * gBelow) / (gAbove - gBelow);
        if (chord > below && chord < above) alpha = chord;
      }
      if (alpha <= below || alpha >= above) break;
      // One division for both quotients.
      const dHigh: A = high + alpha;
      const dLow: A = low + alpha;
      const both: A = <A>-1 / (dHigh * dLow);
      tHigh = cHigh * dLow * both;
      tLow = cLow * dHigh * both;
      n = -(bN + wHigh * tHigh + wLow * tLow) * toN;
      slip = length2<A>(tHigh, tLow);
      const g: A = slip - mu * n;
      // Rounding decides the sign from here on.
      if (abs<A>(g) <= good * slip) break;
      if (g > <A>0) {
        below = alpha;
        gBelow = g;
        if (side == 1) gAbove *= <A>0.5;
        side = 1;
      } else {
        above = alpha;
        gAbove = g;
        if (side == -1) gBelow *= <A>0.5;
        side = -1;
      }
    }
  }
  let t1: A = p * tHigh - q * tLow;
  let t2: A = q * tHigh + p * tLow;

  if (state == SLIDE) {
    // Put the friction exactly on the cone.
    n = max<A>(n, <A>0);
    const onCone: A = slip > <A>0 ? (mu * n) / slip : <A>0;
    t1 *= onCone;
    t2 *= onCone;
  }
  put<T>(r, 0, <T>(n * rScale));
  put<T>(r, 1, <T>(t1 * rScale));
  put<T>(r, 2, <T>(t2 * rScale));
  return state;
}

/**
 * One relaxation from the r given: W replaced by s·I, s >= its largest eigenvalue. See solvers/local/choose-local and
 * solvers/local/isotropic.
 */
export function stepIsotropic<T>(r: usize, W: usize, b: usize, mu: T): i32 {
  const r0: T = get<T>(r, 0);
  const r1: T = get<T>(r, 1);
  const r2: T = get<T>(r, 2);
  let s: T = <T>0;
  for (let i = 0; i < 3; i++) {
    s = max<T>(s, abs<T>(get<T>(W, 3 * i)) + abs<T>(get<T>(W, 3 * i + 1)) + abs<T>(get<T>(W, 3 * i + 2)));
  }
  s = min<T>(s, get<T>(W, 0) + get<T>(W, 4) + get<T>(W, 8));
  if (!(s > <T>0)) {
    clearImpulse<T>(r);
    return OPEN;
  }
  const bN: T = get<T>(b, 0) + get<T>(W, 0) * r0 + get<T>(W, 1) * r1 + get<T>(W, 2) * r2 - s * r0;
  const b1: T = get<T>(b, 1) + get<T>(W, 3) * r0 + get<T>(W, 4) * r1 + get<T>(W, 5) * r2 - s * r1;
  const b2: T = get<T>(b, 2) + get<T>(W, 6) * r0 + get<T>(W, 7) * r1 + get<T>(W, 8) * r2 - s * r2;
  if (bN >= <T>0) {
    clearImpulse<T>(r);
    return OPEN;
  }
  const slip: T = length2<T>(b1, b2);
  const sticks = mu > <T>0 && slip <= -mu * bN;
  const factor: T = sticks ? <T>1 : slip == <T>0 ? <T>0 : (-mu * bN) / slip;
  put<T>(r, 0, -bN / s);
  put<T>(r, 1, (-factor * b1) / s);
  put<T>(r, 2, (-factor * b2) / s);
  return sticks ? STICK : SLIDE;
}
