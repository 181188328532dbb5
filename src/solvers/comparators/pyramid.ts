/**
 * Comparator: one contact with the cone replaced by a pyramid of four sides (Otaduy et al. 2009), each tangent on its
 * own: |r_T1|, |r_T2| <= mu r_N, u_Ti = 0 within, against r_Ti at the bound. Solved row by row (projected
 * Gauss–Seidel) to rest. Friction is up to √2 too large, and not along the slip.
 */
import { MISSED, OPEN, SLIDE, STICK } from '../../core/contact-law-constants';

const TOLERANCE = 1e-11;
const ROUNDS = 200;

/** See LocalSolver. */
export function solvePyramid(
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
  const enough = (TOLERANCE * size) / scale;
  for (let round = 0; round < ROUNDS; round++) {
    let change = 0;
    for (let i = 0; i < 3; i++) {
      const row = wAt + 3 * i;
      if (!(W[row + i] > 0)) continue;
      const speed = b[bAt + i] + W[row] * r[rAt] + W[row + 1] * r[rAt + 1] + W[row + 2] * r[rAt + 2];
      const before = r[rAt + i];
      const wanted = before - speed / W[row + i];
      const limit = mu * r[rAt];
      r[rAt + i] = i === 0 ? Math.max(0, wanted) : Math.min(Math.max(wanted, -limit), limit);
      change = Math.max(change, Math.abs(r[rAt + i] - before));
    }
    if (change > enough) continue;
    const limit = mu * r[rAt] * (1 - 1e-9);
    if (r[rAt] === 0) return OPEN;
    return Math.max(Math.abs(r[rAt + 1]), Math.abs(r[rAt + 2])) < limit ? STICK : SLIDE;
  }
  return MISSED;
}

/** Error of an answer to the pyramid's law, row by row: |r − P(r − u/λ)| λ, P the clamp on its bounds [m/s]. */
export function pyramidError(
  scale: number,
  mu: number,
  r: ArrayLike<number>,
  u: ArrayLike<number>,
  at: number,
): number {
  if (!(scale > 0)) return Math.max(0, -u[at]);
  let worst = Math.abs(r[at] - Math.max(0, r[at] - u[at] / scale));
  const limit = mu * Math.max(0, r[at]);
  for (let i = at + 1; i < at + 3; i++) {
    worst = Math.max(worst, Math.abs(r[i] - Math.min(Math.max(r[i] - u[i] / scale, -limit), limit)));
  }
  return scale * worst;
}
