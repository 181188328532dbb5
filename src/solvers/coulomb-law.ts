/**
 * Signorini–Coulomb law of one contact: with û = u + mu‖u_T‖ e_N (De Saxcé's change of variable),
 *
 *   K_mu ∋ r  ⟂  û ∈ K_1/mu,   K_mu = { r : ‖r_T‖ <= mu r_N }.
 *
 * Three cases: open (r = 0, u_N >= 0), stick (u = 0, r in K_mu), slide (u_N = 0, ‖r_T‖ = mu r_N,
 * u_T opposite to r_T). Here: their names, the projection on the cone, and the natural map.
 */
import type { ContactProblem } from './contact-problem';
import { boundedError, LAW_BILATERAL, LAW_BOUNDED } from './row-law';

/** out := Euclidean projection of (rN, rT1, rT2) on the cone of aperture mu. Written at `at`. */
export function projectOnCone(out: Float64Array, at: number, rN: number, rT1: number, rT2: number, mu: number): void {
  const tangential = Math.sqrt(rT1 * rT1 + rT2 * rT2);
  let n = rN;
  let keep = 1;
  if (tangential > mu * rN) {
    n = (rN + mu * tangential) / (1 + mu * mu);
    // The polar cone, mu‖r_T‖ <= −r_N, goes to the tip.
    if (n <= 0) {
      n = 0;
      keep = 0;
    } else {
      keep = (mu * n) / tangential;
    }
  }
  out[at] = n;
  out[at + 1] = keep * rT1;
  out[at + 2] = keep * rT2;
}

/**
 * Natural map of the validation problems: ‖r − P_K(r − û)‖ / max(1, ‖b‖), norms over all contacts.
 * `u` must be W r + b; `work` has room for three numbers. Mixes r and u in their own units, as the
 * published comparison does; the engine's own measure is in `residual`.
 */
export function naturalMap(problem: ContactProblem, r: Float64Array, u: Float64Array, work: Float64Array): number {
  const { b, mu, contactCount, law } = problem;
  let miss = 0;
  let scale = 0;
  for (let c = 0; c < contactCount; c++) {
    const at = 3 * c;
    const m = mu[c];
    const slip = Math.sqrt(u[at + 1] * u[at + 1] + u[at + 2] * u[at + 2]);
    if (law && law[c] === LAW_BILATERAL) {
      miss += u[at] * u[at] + slip * slip;
    } else if (law && law[c] === LAW_BOUNDED) {
      miss += boundedError(problem, c, 1, r, u) ** 2;
    } else {
      projectOnCone(work, 0, r[at] - u[at] - m * slip, r[at + 1] - u[at + 1], r[at + 2] - u[at + 2], m);
      for (let i = 0; i < 3; i++) miss += (r[at + i] - work[i]) * (r[at + i] - work[i]);
    }
    for (let i = 0; i < 3; i++) scale += b[at + i] * b[at + i];
  }
  return Math.sqrt(miss) / Math.max(1, Math.sqrt(scale));
}
