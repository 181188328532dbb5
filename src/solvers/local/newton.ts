/**
 * Local solver by nonsmooth Newton steps on the Fischer–Burmeister function of the second-order cone
 * (Daviet, Bertails-Descoubes, Boissieux 2011, §5.2 and appendix A):
 *
 *   f(r̂, û) = 0,   r̂ = (mu r_N, r_T),   û = (u_N + mu‖u_T‖, mu u_T),   u = W r + b,
 *
 * on non-dimensional data, from the r given. As in the paper there is no line search: a step that
 * does not descend, or none because the Jacobian is singular, is replaced by one along the
 * negative gradient, and the best iterate is returned. Fast near a solution; far from one, or where
 * the solution is degenerate (on the edge of two cases), it misses: `hybrid` is what to call then.
 *
 * The chain rule takes d‖u_T‖/du_T = 0 at u_T = 0, one of its generalised derivatives there.
 */
import { LOCAL_NEWTON_STEPS, MISSED, OPEN, SLIDE, STICK } from '../../core/contact-law-constants';
import { fischerBurmeister } from '../../math/second-order-cone';

/**
 * Error at which Newton is done [-]; quadratic steps overshoot it by far, rounding at
 * condition 1e8 does not reach below.
 */
const TOLERANCE = 1e-11;
/** Least cosine between a step and descent, the paper's σ. */
const DESCENT = 1e-3;
/** Speeds and impulses below this count as none when the case is named [-]. */
const NOTHING = 1e-9;

const V = new Float64Array(9);
const x = new Float64Array(3);
const y = new Float64Array(3);
const f = new Float64Array(3);
const Jx = new Float64Array(9);
const Jy = new Float64Array(9);
const J = new Float64Array(9);
const now = new Float64Array(3);
const best = new Float64Array(3);
const step = new Float64Array(3);
const gradient = new Float64Array(3);
const offset = new Float64Array(3);
const speed = new Float64Array(3);

/**
 * f, and J unless null, of mu > 0 at r: J = ∂f/∂r̂ diag(mu, 1, 1) + ∂f/∂û (dû/du) W. All without
 * dimensions; arrays of 3, 9, 9, 3 and 3 numbers. Leaves u in `u`.
 */
export function frictionFunction(
  value: Float64Array,
  jacobian: Float64Array | null,
  u: Float64Array,
  W: Float64Array,
  b: Float64Array,
  mu: number,
  r: Float64Array,
): void {
  for (let i = 0; i < 3; i++) u[i] = b[i] + W[3 * i] * r[0] + W[3 * i + 1] * r[1] + W[3 * i + 2] * r[2];
  const slip = Math.sqrt(u[1] * u[1] + u[2] * u[2]);
  x[0] = mu * r[0];
  x[1] = r[1];
  x[2] = r[2];
  y[0] = u[0] + mu * slip;
  y[1] = mu * u[1];
  y[2] = mu * u[2];
  if (!jacobian) {
    fischerBurmeister(value, null, null, x, y);
    return;
  }
  fischerBurmeister(value, Jx, Jy, x, y);
  const d1 = slip > 0 ? (mu * u[1]) / slip : 0;
  const d2 = slip > 0 ? (mu * u[2]) / slip : 0;
  for (let i = 0; i < 3; i++) {
    const j0 = Jy[3 * i];
    const j1 = j0 * d1 + Jy[3 * i + 1] * mu;
    const j2 = j0 * d2 + Jy[3 * i + 2] * mu;
    for (let k = 0; k < 3; k++) {
      jacobian[3 * i + k] = j0 * W[k] + j1 * W[3 + k] + j2 * W[6 + k] + Jx[3 * i + k] * (k === 0 ? mu : 1);
    }
  }
}

/** Newton on one contact; see LocalSolver. Closed contacts of mu = 0 are solved at once. */
export function solveNewton(
  r: Float64Array,
  rAt: number,
  W: Float64Array,
  wAt: number,
  b: Float64Array,
  bAt: number,
  mu: number,
): number {
  const trace = W[wAt] + W[wAt + 4] + W[wAt + 8];
  const size = Math.sqrt(b[bAt] * b[bAt] + b[bAt + 1] * b[bAt + 1] + b[bAt + 2] * b[bAt + 2]);
  if (!(b[bAt] < 0) || !(trace > 0)) {
    r.fill(0, rAt, rAt + 3);
    return b[bAt] >= 0 ? OPEN : MISSED;
  }
  if (mu === 0) {
    r[rAt] = W[wAt] > 0 ? -b[bAt] / W[wAt] : 0;
    r[rAt + 1] = 0;
    r[rAt + 2] = 0;
    return W[wAt] > 0 ? SLIDE : MISSED;
  }
  // Non-dimensional data; r by size/scale.
  const scale = trace / 3;
  const toUnit = scale / size;
  for (let i = 0; i < 9; i++) V[i] = W[wAt + i] / scale;
  for (let i = 0; i < 3; i++) {
    offset[i] = b[bAt + i] / size;
    now[i] = r[rAt + i] * toUnit;
  }

  let bestError = Number.POSITIVE_INFINITY;
  let isNear = false;
  for (let k = 0; k <= LOCAL_NEWTON_STEPS; k++) {
    frictionFunction(f, J, speed, V, offset, mu, now);
    const error = Math.sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    if (error < bestError) {
      bestError = error;
      best.set(now);
    }
    // One step more than the tolerance asks for: it costs little and squares the error.
    if (isNear || Number.isNaN(error)) break;
    isNear = error <= TOLERANCE;
    for (let i = 0; i < 3; i++) gradient[i] = J[i] * f[0] + J[3 + i] * f[1] + J[6 + i] * f[2];
    if (!newtonStep()) for (let i = 0; i < 3; i++) step[i] = -gradient[i];
    for (let i = 0; i < 3; i++) now[i] += step[i];
  }
  for (let i = 0; i < 3; i++) r[rAt + i] = best[i] / toUnit;
  if (!(bestError <= TOLERANCE)) return MISSED;
  if (best[0] <= NOTHING) return OPEN;
  frictionFunction(f, null, speed, V, offset, mu, best);
  return Math.sqrt(speed[1] * speed[1] + speed[2] * speed[2]) <= NOTHING ? STICK : SLIDE;
}

/** step := −J⁻¹ f; false when J is singular or the step does not descend. */
function newtonStep(): boolean {
  const c0 = J[4] * J[8] - J[5] * J[7];
  const c1 = J[5] * J[6] - J[3] * J[8];
  const c2 = J[3] * J[7] - J[4] * J[6];
  const det = J[0] * c0 + J[1] * c1 + J[2] * c2;
  if (det === 0) return false;
  step[0] = -(c0 * f[0] + (J[2] * J[7] - J[1] * J[8]) * f[1] + (J[1] * J[5] - J[2] * J[4]) * f[2]) / det;
  step[1] = -(c1 * f[0] + (J[0] * J[8] - J[2] * J[6]) * f[1] + (J[2] * J[3] - J[0] * J[5]) * f[2]) / det;
  step[2] = -(c2 * f[0] + (J[1] * J[6] - J[0] * J[7]) * f[1] + (J[0] * J[4] - J[1] * J[3]) * f[2]) / det;
  const along = step[0] * gradient[0] + step[1] * gradient[1] + step[2] * gradient[2];
  const stepSize = Math.sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
  const slope = Math.sqrt(gradient[0] * gradient[0] + gradient[1] * gradient[1] + gradient[2] * gradient[2]);
  return along <= -DESCENT * stepSize * slope;
}
