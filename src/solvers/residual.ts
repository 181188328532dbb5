/**
 * The one error measure of all contact solvers [m/s].
 *
 * Per contact, λ = trace(W_cc)/3, r̂ = λ(mu r_N, r_T), û = (u_N + mu‖u_T‖, mu u_T): the law holds iff
 * r̂ and û are complementary in the self-dual cone, that is iff the Fischer–Burmeister function
 *
 *   f = r̂ + û − (r̂∘r̂ + û∘û)^½      (Jordan product of the second-order cone)
 *
 * vanishes (Daviet, Bertails-Descoubes, Boissieux 2011, §3). The residual is the largest ‖f‖. For
 * mu = 0 it is the scalar function on (λ r_N, u_N), and any tangential impulse counts in full.
 * A bilateral block counts ‖u‖, a bounded one how far λ r is from λ r − u cut off at its bounds.
 *
 * The square root is taken through the two eigenvalues of z = r̂∘r̂ + û∘û. The small one, z₀ − ‖z₁‖,
 * would lose half of the digits; it is formed as det z divided by the large one, with det z written
 * as a sum of squares, so that a perfect answer measures as rounding and not as its square root.
 */
import { type ContactProblem, contactScale, velocityOf } from './contact-problem';
import { boundedError, LAW_BILATERAL, LAW_BOUNDED } from './row-law';

/** λ, mu, r (3), u (3) in; ‖f‖ out. Numbers in an array: returned or passed one by one they would be boxed. */
const one = new Float64Array(9);

/** ‖f‖ of one contact on the self-dual cone [m/s]: normal and tangents of r from `rAt` on, of u from `uAt` on. */
export function frictionalError(
  scale: number,
  mu: number,
  r: ArrayLike<number>,
  rAt: number,
  u: ArrayLike<number>,
  uAt: number,
): number {
  one[0] = scale;
  one[1] = mu;
  for (let k = 0; k < 3; k++) {
    one[2 + k] = r[rAt + k];
    one[5 + k] = u[uAt + k];
  }
  measureOne();
  return one[8];
}

/** one[8] := ‖f‖ of the contact in `one`. */
function measureOne(): void {
  const scale = one[0];
  const mu = one[1];
  const rN = one[2];
  const rT1 = one[3];
  const rT2 = one[4];
  const uN = one[5];
  const uT1 = one[6];
  const uT2 = one[7];

  if (mu === 0) {
    const p = scale * rN;
    const f = p + uN - Math.sqrt(p * p + uN * uN);
    const t = scale * scale * (rT1 * rT1 + rT2 * rT2);
    one[8] = Math.sqrt(f * f + t);
    return;
  }

  const x0 = scale * mu * rN;
  const x1 = scale * rT1;
  const x2 = scale * rT2;
  const y0 = uN + mu * Math.sqrt(uT1 * uT1 + uT2 * uT2);
  const y1 = mu * uT1;
  const y2 = mu * uT2;
  const xx = x1 * x1 + x2 * x2;
  const yy = y1 * y1 + y2 * y2;

  // z = x∘x + y∘y
  const z0 = x0 * x0 + xx + y0 * y0 + yy;
  const z1 = 2 * (x0 * x1 + y0 * y1);
  const z2 = 2 * (x0 * x2 + y0 * y2);
  const large = z0 + Math.sqrt(z1 * z1 + z2 * z2);
  if (large === 0) {
    one[8] = 0;
    return;
  }

  // det z = (det x)² + (det y)² + 2[(x0y0 − x·y)² + ‖x0 y − y0 x‖² + (x × y)²]
  const xLength = Math.sqrt(xx);
  const yLength = Math.sqrt(yy);
  const detX = (x0 - xLength) * (x0 + xLength);
  const detY = (y0 - yLength) * (y0 + yLength);
  const inner = x0 * y0 - (x1 * y1 + x2 * y2);
  const skew1 = x0 * y1 - y0 * x1;
  const skew2 = x0 * y2 - y0 * x2;
  const cross = x1 * y2 - x2 * y1;
  const det = detX * detX + detY * detY + 2 * (inner * inner + skew1 * skew1 + skew2 * skew2 + cross * cross);
  const small = det / large;

  // z^½ = ((√large + √small)/2, z1/(√large + √small))
  const roots = Math.sqrt(large) + Math.sqrt(small);
  const f0 = x0 + y0 - 0.5 * roots;
  const f1 = x1 + y1 - z1 / roots;
  const f2 = x2 + y2 - z2 / roots;
  one[8] = Math.sqrt(f0 * f0 + f1 * f1 + f2 * f2);
}

/** Residual of r with the velocities u = W r + b already at hand [m/s]. */
export function residualAt(problem: ContactProblem, r: Float64Array, u: Float64Array): number {
  const { contactCount, mu, law } = problem;
  let worst = 0;
  for (let c = 0; c < contactCount; c++) {
    const at = 3 * c;
    if (law && law[c] === LAW_BILATERAL) {
      one[8] = Math.sqrt(u[at] * u[at] + u[at + 1] * u[at + 1] + u[at + 2] * u[at + 2]);
    } else if (law && law[c] === LAW_BOUNDED) {
      one[8] = boundedError(problem, c, contactScale(problem, c), r, u);
    } else {
      frictionalError(contactScale(problem, c), mu[c], r, at, u, at);
    }
    // A NaN must not pass for a perfect answer.
    if (Number.isNaN(one[8])) return Number.POSITIVE_INFINITY;
    if (one[8] > worst) worst = one[8];
  }
  return worst;
}

/** Residual of r [m/s]; u is filled with W r + b. */
export function residualOf(u: Float64Array, problem: ContactProblem, r: Float64Array): number {
  velocityOf(u, problem, r);
  return residualAt(problem, r, u);
}
