// Whether exact impulses throw bodies about: an answer that is not worth having.
//
// A body in a closing wall, or wedged, has no answer, or one of enormous speeds: two faces that are nearly
// parallel squeeze it out a thousand times faster than they move. Such an island is left to the sweeps, whose few
// rounds share what cannot be had.

import { WILD_GAIN, WILD_SPEED } from '../core/engine-constants';
import { velocityOf } from '../solvers/contact-problem';
import type { AssembledContacts } from './assemble-contacts';

let velocity = new Float64Array(0);

/**
 * Whether contacts part, or slide, more than five times faster by the impulses `r` than they meet without any, or
 * faster than two bodies as fast as `cap` [m/s] (speedCapOf).
 */
export function isWildAnswer(a: AssembledContacts, r: Float64Array, cap = Number.POSITIVE_INFINITY): boolean {
  const { problem, free } = a;
  const n = a.touchCount;
  let fastest = 0;
  // What joints are driven at counts as motion.
  for (let k = 3 * n; k < 3 * problem.contactCount; k++) fastest = Math.max(fastest, Math.abs(problem.b[k]));
  for (let k = 0; k < 3 * n; k++) fastest = Math.max(fastest, Math.abs(free[k]));
  const limit = Math.min(WILD_GAIN * fastest + WILD_SPEED, 2 * cap);
  // Mostly no impulse alone would do that.
  let largest = 0;
  for (let c = 0; c < n; c++) {
    largest = Math.max(largest, r[3 * c] * problem.values[9 * problem.diagonal[c]]);
  }
  if (largest <= limit) return false;
  const size = 3 * problem.contactCount;
  if (velocity.length < size) velocity = new Float64Array(2 * size);
  velocityOf(velocity, problem, r);
  for (let k = 0; k < 3 * n; k++) {
    if (!(Math.abs(velocity[k] - problem.b[k] + free[k]) <= limit)) return true;
  }
  return false;
}
