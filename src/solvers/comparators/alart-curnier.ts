/**
 * Comparator: one contact by pure Newton steps on the projection formula of Alart and Curnier, as hair was solved
 * before Daviet, Bertails-Descoubes and Boissieux 2011 (their PAC in Table 2):
 *
 *   r_N = max(0, r_N − u_N),   r_T = P(r_T − u_T),   u = W r + b,
 *
 * P the projection on the disk of radius mu max(0, r_N − u_N). Without dimensions, no line search; the best iterate
 * is returned, and MISSED where none is good.
 */
import { MISSED, OPEN, SLIDE, STICK } from '../../core/contact-law-constants';

/** Error at which it is done, and steps at most. */
const TOLERANCE = 1e-11;
const STEP_LIMIT = 40;

const V = new Float64Array(9);
const offset = new Float64Array(3);
const now = new Float64Array(3);
const best = new Float64Array(3);
const F = new Float64Array(3);
const J = new Float64Array(9);
const u = new Float64Array(3);

/** F and its Jacobian at `now`; returns ‖F‖ and, in J, dF/dr. */
function evaluate(mu: number): number {
  for (let i = 0; i < 3; i++) {
    u[i] = offset[i] + V[3 * i] * now[0] + V[3 * i + 1] * now[1] + V[3 * i + 2] * now[2];
  }
  const push = now[0] - u[0];
  const isPushed = push > 0;
  F[0] = isPushed ? u[0] : now[0];
  for (let j = 0; j < 3; j++) J[j] = isPushed ? V[j] : j === 0 ? 1 : 0;
  const radius = isPushed ? mu * push : 0;
  const [y1, y2] = [now[1] - u[1], now[2] - u[2]];
  const length = Math.sqrt(y1 * y1 + y2 * y2);
  if (length <= radius) {
    F[1] = u[1];
    F[2] = u[2];
    for (let j = 3; j < 9; j++) J[j] = V[j];
  } else {
    const [d1, d2] = [y1 / length, y2 / length];
    F[1] = now[1] - radius * d1;
    F[2] = now[2] - radius * d2;
    const share = radius / length;
    for (let j = 0; j < 3; j++) {
      const grown = isPushed ? mu * ((j === 0 ? 1 : 0) - V[j]) : 0;
      const [e1, e2] = [(j === 1 ? 1 : 0) - V[3 + j], (j === 2 ? 1 : 0) - V[6 + j]];
      const along = d1 * e1 + d2 * e2;
      J[3 + j] = (j === 1 ? 1 : 0) - grown * d1 - share * (e1 - along * d1);
      J[6 + j] = (j === 2 ? 1 : 0) - grown * d2 - share * (e2 - along * d2);
    }
  }
  return Math.sqrt(F[0] * F[0] + F[1] * F[1] + F[2] * F[2]);
}

/** now −= J⁻¹ F; false where J is singular. */
function takeStep(): boolean {
  const A = J[4] * J[8] - J[5] * J[7];
  const B = J[5] * J[6] - J[3] * J[8];
  const C = J[3] * J[7] - J[4] * J[6];
  const det = J[0] * A + J[1] * B + J[2] * C;
  if (!(Math.abs(det) > 1e-300)) return false;
  const D = J[2] * J[7] - J[1] * J[8];
  const E = J[0] * J[8] - J[2] * J[6];
  const G = J[1] * J[6] - J[0] * J[7];
  const H = J[1] * J[5] - J[2] * J[4];
  const K = J[2] * J[3] - J[0] * J[5];
  const M = J[0] * J[4] - J[1] * J[3];
  now[0] -= (A * F[0] + D * F[1] + H * F[2]) / det;
  now[1] -= (B * F[0] + E * F[1] + K * F[2]) / det;
  now[2] -= (C * F[0] + G * F[1] + M * F[2]) / det;
  return Number.isFinite(now[0] + now[1] + now[2]);
}

/** See LocalSolver. */
export function solveAlartCurnier(
  r: Float64Array,
  rAt: number,
  W: Float64Array,
  wAt: number,
  b: Float64Array,
  bAt: number,
  mu: number,
): number {
  const scale = (W[wAt] + W[wAt + 4] + W[wAt + 8]) / 3;
  const size = Math.sqrt(b[bAt] * b[bAt] + b[bAt + 1] * b[bAt + 1] + b[bAt + 2] * b[bAt + 2]);
  if (!(b[bAt] < 0) || !(scale > 0)) {
    r.fill(0, rAt, rAt + 3);
    return OPEN;
  }
  for (let i = 0; i < 9; i++) V[i] = W[wAt + i] / scale;
  for (let i = 0; i < 3; i++) {
    offset[i] = b[bAt + i] / size;
    now[i] = (r[rAt + i] * scale) / size;
  }
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < STEP_LIMIT; k++) {
    const error = evaluate(mu);
    if (error < least) {
      least = error;
      best.set(now);
    }
    if (error <= TOLERANCE || !takeStep()) break;
  }
  for (let i = 0; i < 3; i++) r[rAt + i] = (best[i] * size) / scale;
  if (!(least <= TOLERANCE)) return MISSED;
  const friction = Math.sqrt(best[1] * best[1] + best[2] * best[2]);
  return friction < mu * best[0] * (1 - 1e-9) ? STICK : SLIDE;
}
