// Rotations as the scene file has them: four numbers of any length but zero, to unit quaternions.

import type { Quadruple } from './scene-types';

/**
 * The unit quaternion along q. One whose length is right to the last digits is kept bit for bit, so that
 * reading what was written changes nothing. Safe for the largest and smallest numbers.
 */
export function normalizeRotation(q: Quadruple): Quadruple {
  const square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (Math.abs(square - 1) < 1e-14) return [q[0], q[1], q[2], q[3]];
  // Scaled by the largest entry first: the squares of very large or small entries leave the range of doubles.
  const scale = Math.max(Math.abs(q[0]), Math.abs(q[1]), Math.abs(q[2]), Math.abs(q[3]));
  const x = q[0] / scale;
  const y = q[1] / scale;
  const z = q[2] / scale;
  const w = q[3] / scale;
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  // Adding 0 turns -0, which JSON cannot hold, into 0.
  return [x / length + 0, y / length + 0, z / length + 0, w / length + 0];
}
