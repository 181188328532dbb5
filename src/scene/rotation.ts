// Rotations as the scene file has them: four numbers of any length but zero, to unit quaternions.

import { normalizeQuaternion } from '../math/quaternion';
import type { Quadruple } from './scene-types';

/**
 * The unit quaternion along q. One whose length is right to the last digits is kept bit for bit, so that
 * reading what was written changes nothing. Safe for the largest and smallest numbers.
 */
export function normalizeRotation(q: Quadruple): Quadruple {
  const square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (Math.abs(square - 1) < 1e-14) return [q[0], q[1], q[2], q[3]];
  const unit = new Float64Array(4);
  normalizeQuaternion(unit, 0, q, 0);
  // Adding 0 turns -0, which JSON cannot hold, into 0.
  return [unit[0] + 0, unit[1] + 0, unit[2] + 0, unit[3] + 0];
}
