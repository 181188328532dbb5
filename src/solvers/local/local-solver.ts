/**
 * What all solvers of one contact share: u = W r + b, W a symmetric positive semidefinite 3×3 block.
 *
 * Each takes r both as start and as answer and says in which case of the law it ended, or that it did
 * not get there. Errors are compared without dimensions: W by the mean of its diagonal, b by its norm.
 */
import { frictionalError } from '../residual';

/**
 * r (three numbers at rAt) := the answer from the start found there [N·s]; W nine numbers at wAt
 * [1/kg], b three numbers at bAt [m/s], mu >= 0. r, W and b must not overlap.
 * Returns OPEN, STICK, SLIDE, MISSED or NO_SOLUTION.
 */
export type LocalSolver = (
  r: Float64Array,
  rAt: number,
  W: Float64Array,
  wAt: number,
  b: Float64Array,
  bAt: number,
  mu: number,
) => number;

/** u of the contact in hand [m/s]. */
const velocity = new Float64Array(3);

/** Fischer–Burmeister error of r over ‖b‖, with W scaled by its mean diagonal [-]; 0 where b is. */
export function localError(
  r: Float64Array,
  rAt: number,
  W: Float64Array,
  wAt: number,
  b: Float64Array,
  bAt: number,
  mu: number,
): number {
  const b0 = b[bAt];
  const b1 = b[bAt + 1];
  const b2 = b[bAt + 2];
  const size = Math.sqrt(b0 * b0 + b1 * b1 + b2 * b2);
  if (size === 0) return 0;
  const r0 = r[rAt];
  const r1 = r[rAt + 1];
  const r2 = r[rAt + 2];
  const scale = (W[wAt] + W[wAt + 4] + W[wAt + 8]) / 3;
  velocity[0] = b0 + W[wAt] * r0 + W[wAt + 1] * r1 + W[wAt + 2] * r2;
  velocity[1] = b1 + W[wAt + 3] * r0 + W[wAt + 4] * r1 + W[wAt + 5] * r2;
  velocity[2] = b2 + W[wAt + 6] * r0 + W[wAt + 7] * r1 + W[wAt + 8] * r2;
  const error = frictionalError(scale, mu, r, rAt, velocity, 0) / size;
  return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
}
