// Where a body will be at the end of a step: what is held by it is held there.

import { normalizeQuaternion } from '../math/quaternion';
import { cosine, sine } from '../math/trigonometry';
import { BODY_HAS_TARGET, BODY_KINEMATIC, BODY_STATIC } from '../state/layout';
import type { Tables } from '../state/tables';
import type { BodyMotion } from './elastic-kind';

/** Of a pose, eight numbers, after the place and a spare one: its turn. */
export const POSE_TURN = 4;

const turn = new Float64Array(4);

/**
 * out = position (3 + spare) and rotation (4) of `body` at the end of a step of `dt` [s]: a kinematic target exactly,
 * else the pose moved on by its velocity.
 */
export function bodyPoseAfter(out: Float64Array, tables: Tables, body: number, dt: number, motion: BodyMotion): void {
  const b = tables.bodies;
  const flags = b.flags[body];
  const at = 4 * body;
  const target = (flags & BODY_KINEMATIC) !== 0 && (flags & BODY_HAS_TARGET) !== 0;
  const position = target ? b.targetPosition : b.position;
  const rotation = target ? b.targetRotation : b.rotation;
  for (let k = 0; k < 4; k++) {
    out[k] = position[at + k];
    out[4 + k] = rotation[at + k];
  }
  if (target || (flags & BODY_STATIC) !== 0) return;
  for (let k = 0; k < 3; k++) out[k] += dt * motion.linearVelocity[at + k];
  const wx = dt * motion.angularVelocity[at];
  const wy = dt * motion.angularVelocity[at + 1];
  const wz = dt * motion.angularVelocity[at + 2];
  const angle = Math.sqrt(wx * wx + wy * wy + wz * wz);
  if (angle === 0) return;
  const s = sine(0.5 * angle) / angle;
  const c = cosine(0.5 * angle);
  const [x, y, z, w] = [out[4], out[5], out[6], out[7]];
  turn[0] = c * x + s * (wx * w + wy * z - wz * y);
  turn[1] = c * y + s * (wy * w + wz * x - wx * z);
  turn[2] = c * z + s * (wz * w + wx * y - wy * x);
  turn[3] = c * w - s * (wx * x + wy * y + wz * z);
  normalizeQuaternion(out, 4, turn, 0);
}
