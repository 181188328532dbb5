/**
 * Whether impulses are so large that the residual measures rounding instead of the law: on a problem without
 * solution some iterations run away, and once b drowns in the last digit of W r everything looks solved.
 */
import { type ContactProblem, contactScale, velocityScale } from './contact-problem';

/**
 * λ‖r‖ over the largest |b| beyond which an iterate is not believed [-]; honest
 * ones stay below W's condition, 1e8.
 */
const BELIEVED = 1e12;

/** True when some λ_c‖r_c‖ is out of all proportion to the velocities b, or not a number. */
export function hasAbsurdImpulses(problem: ContactProblem, r: Float64Array): boolean {
  const limit = BELIEVED * velocityScale(problem);
  for (let c = 0; c < problem.contactCount; c++) {
    const at = 3 * c;
    const size = Math.abs(r[at]) + Math.abs(r[at + 1]) + Math.abs(r[at + 2]);
    if (!(contactScale(problem, c) * size <= limit)) return true;
  }
  return false;
}
