/**
 * Local solver by enumeration of the three cases (Daviet, Bertails-Descoubes, Boissieux 2011,
 * appendix B): open, stick, slide through the roots of a quartic; tells when there is no solution.
 *
 * Slide means (W + α diag(0,1,1)) r = −b with α > 0 and ‖r_T‖ = mu r_N. With the normal eliminated and
 * the remaining 2×2 matrix diagonalised (eigenvalues d₁, d₂), r_i = −c_i/(d_i + α), and the cone
 * condition times (d₁+α)²(d₂+α)² is
 *
 *   c₁²(d₂+α)² + c₂²(d₁+α)² = (mu/W_NN)² q(α)², q = b_N(d₁+α)(d₂+α) −
 *   w₁c₁(d₂+α) − w₂c₂(d₁+α),
 *
 * the paper's quartic up to a factor. It degenerates harmlessly where W is a multiple of I (c₂ = 0 or
 * d₁ = d₂, then it is a quadratic squared out): roots are found by monotone pieces, each is polished on
 * g(α) = ‖r_T‖ − mu r_N, which keeps its digits where the polynomial cancels, and then
 * checked against the law itself. Of several answers the one with the smallest α, nearest to stick,
 * is taken.
 *
 * A singular W is met in earnest: stick then asks whether the affine set of all r with W r = −b cuts the
 * cone. "No solution" is said only there: a positive definite W always has one, so that a miss
 * of all roots is the fault of rounding and reported as such.
 */

import { MISSED, NO_SOLUTION, OPEN, SLIDE, STICK } from '../../core/contact-law-constants';
import { realRoots } from '../../math/quartic';
import { localError } from './local-solver';
import { stickSingular } from './stick-singular';

/** Error up to which an answer counts as one [-]. */
const TOLERANCE = 1e-9;
/** Pivots below this part of the mean diagonal make W singular [-]. */
const SINGULAR = 1e-12;

const V = new Float64Array(9);
const offset = new Float64Array(3);
const quartic = new Float64Array(5);
const roots = new Float64Array(4);
const trial = new Float64Array(3);
const best = new Float64Array(3);

/** One contact in the frame of the eigenvectors of its reduced tangential matrix. */
interface Frame {
  wNN: number;
  bN: number;
  mu: number;
  p: number;
  q: number;
  d1: number;
  d2: number;
  c1: number;
  c2: number;
  w1: number;
  w2: number;
}

const frame: Frame = { wNN: 0, bN: 0, mu: 0, p: 1, q: 0, d1: 0, d2: 0, c1: 0, c2: 0, w1: 0, w2: 0 };

/** All cases of one contact; see LocalSolver. The start is not used. */
export function solveEnumerative(
  r: Float64Array,
  rAt: number,
  W: Float64Array,
  wAt: number,
  b: Float64Array,
  bAt: number,
  mu: number,
): number {
  r.fill(0, rAt, rAt + 3);
  if (b[bAt] >= 0) return OPEN;
  const scale = (W[wAt] + W[wAt + 4] + W[wAt + 8]) / 3;
  const size = Math.sqrt(b[bAt] * b[bAt] + b[bAt + 1] * b[bAt + 1] + b[bAt + 2] * b[bAt + 2]);
  if (!(size > 0)) return MISSED;
  // A normal that nothing moves: no impulse stops b_N < 0.
  if (!(W[wAt] > SINGULAR * scale)) return NO_SOLUTION;
  const unit = size / scale;
  for (let i = 0; i < 9; i++) V[i] = W[wAt + i] / scale;
  for (let i = 0; i < 3; i++) offset[i] = b[bAt + i] / size;
  if (mu === 0) {
    r[rAt] = (-offset[0] / V[0]) * unit;
    return SLIDE;
  }

  // Stick.
  openFrame(mu);
  const isSingular = frame.d2 <= SINGULAR * V[0];
  if (isSingular) {
    if (stickSingular(trial, V, offset, mu, SINGULAR) && localError(trial, 0, V, 0, offset, 0, mu) <= TOLERANCE) {
      deliver(r, rAt, trial, unit);
      return STICK;
    }
  } else if (gapOf(0) <= 0) {
    impulseOf(trial, 0);
    deliver(r, rAt, trial, unit);
    return STICK;
  }

  // Slide: the quartic, its positive roots, each polished and checked.
  expandQuartic();
  const count = realRoots(roots, quartic, 4);
  let bestError = Number.POSITIVE_INFINITY;
  for (let k = 0; k < count; k++) {
    if (!(roots[k] > 0)) continue;
    impulseOf(trial, polish(roots[k]));
    if (!(trial[0] > 0)) continue;
    const error = localError(trial, 0, V, 0, offset, 0, mu);
    if (error < bestError) {
      bestError = error;
      best.set(trial);
      if (error <= TOLERANCE) break;
    }
  }
  if (bestError <= TOLERANCE) {
    deliver(r, rAt, best, unit);
    return SLIDE;
  }
  if (isSingular) return NO_SOLUTION;
  if (bestError < Number.POSITIVE_INFINITY) deliver(r, rAt, best, unit);
  return MISSED;
}

function deliver(r: Float64Array, rAt: number, from: Float64Array, unit: number): void {
  for (let i = 0; i < 3; i++) r[rAt + i] = from[i] * unit;
}

/** Eliminates the normal from V and `offset` and diagonalises what is left. */
function openFrame(mu: number): void {
  const wNN = V[0];
  const s11 = V[4] - (V[1] * V[1]) / wNN;
  const s12 = V[5] - (V[1] * V[2]) / wNN;
  const s22 = V[8] - (V[2] * V[2]) / wNN;
  const c1 = offset[1] - (V[1] * offset[0]) / wNN;
  const c2 = offset[2] - (V[2] * offset[0]) / wNN;
  const half = 0.5 * (s11 - s22);
  const swing = Math.sqrt(half * half + s12 * s12);
  const high = Math.max(0.5 * (s11 + s22) + swing, 0);
  let p = 1;
  let q = 0;
  if (swing > 0) {
    p = half >= 0 ? half + swing : s12;
    q = half >= 0 ? s12 : swing - half;
    const length = Math.sqrt(p * p + q * q);
    p /= length;
    q /= length;
  }
  frame.wNN = wNN;
  frame.bN = offset[0];
  frame.mu = mu;
  frame.p = p;
  frame.q = q;
  frame.d1 = high;
  frame.d2 = high > 0 ? Math.max((s11 * s22 - s12 * s12) / high, 0) : 0;
  frame.c1 = p * c1 + q * c2;
  frame.c2 = p * c2 - q * c1;
  frame.w1 = p * V[1] + q * V[2];
  frame.w2 = p * V[2] - q * V[1];
}

/** g(α) = ‖r_T‖ − mu r_N. */
function gapOf(alpha: number): number {
  const { d1, d2, c1, c2, w1, w2, bN, wNN, mu } = frame;
  const t1 = -c1 / (d1 + alpha);
  const t2 = -c2 / (d2 + alpha);
  return Math.sqrt(t1 * t1 + t2 * t2) + (mu * (bN + w1 * t1 + w2 * t2)) / wNN;
}

/** dg/dα. */
function slopeOf(alpha: number): number {
  const { d1, d2, c1, c2, w1, w2, wNN, mu } = frame;
  const t1 = -c1 / (d1 + alpha);
  const t2 = -c2 / (d2 + alpha);
  const dt1 = -t1 / (d1 + alpha);
  const dt2 = -t2 / (d2 + alpha);
  const length = Math.sqrt(t1 * t1 + t2 * t2);
  return (length > 0 ? (t1 * dt1 + t2 * dt2) / length : 0) + (mu * (w1 * dt1 + w2 * dt2)) / wNN;
}

/** Newton steps on g from a root of the quartic, as long as they make |g| smaller. */
function polish(root: number): number {
  let alpha = root;
  let gap = Math.abs(gapOf(alpha));
  for (let k = 0; k < 20 && gap > 0; k++) {
    const next = alpha - gapOf(alpha) / slopeOf(alpha);
    if (!(next > 0)) break;
    const nextGap = Math.abs(gapOf(next));
    if (!(nextGap < gap)) break;
    alpha = next;
    gap = nextGap;
  }
  return alpha;
}

/** r of the slide parameter α, back in the contact's own tangents. */
function impulseOf(r: Float64Array, alpha: number): void {
  const { p, q, d1, d2, c1, c2, w1, w2, bN, wNN } = frame;
  const t1 = -c1 / (d1 + alpha);
  const t2 = -c2 / (d2 + alpha);
  r[0] = -(bN + w1 * t1 + w2 * t2) / wNN;
  r[1] = p * t1 - q * t2;
  r[2] = q * t1 + p * t2;
}

/** Coefficients, lowest power first. */
function expandQuartic(): void {
  const { d1, d2, c1, c2, w1, w2, bN, wNN, mu } = frame;
  const a = c1 * c1;
  const e = c2 * c2;
  // q(α) = q₀ + q₁α + b_N α²
  const q0 = bN * d1 * d2 - w1 * c1 * d2 - w2 * c2 * d1;
  const q1 = bN * (d1 + d2) - w1 * c1 - w2 * c2;
  const m = (mu / wNN) * (mu / wNN);
  quartic[0] = m * q0 * q0 - a * d2 * d2 - e * d1 * d1;
  quartic[1] = 2 * (m * q0 * q1 - a * d2 - e * d1);
  quartic[2] = m * (q1 * q1 + 2 * q0 * bN) - a - e;
  quartic[3] = 2 * m * q1 * bN;
  quartic[4] = m * bN * bN;
}
