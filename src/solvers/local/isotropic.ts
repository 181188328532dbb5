/**
 * Local solver, u = s·r + b with one number s: exact in three cases (Daviet 2020, §5.2.2).
 * Contacts of equal masses without lever arms, and ADMM's per-contact step.
 */
import { OPEN, SLIDE, STICK } from '../../core/contact-law-constants';

/**
 * r (three numbers at rAt) := the answer; b three numbers at bAt [m/s], s > 0 [1/kg], mu >= 0.
 * Returns OPEN, STICK or SLIDE; borderline contacts stick, closed contacts of mu = 0 slide.
 */
export function solveIsotropic(
  r: Float64Array,
  rAt: number,
  s: number,
  b: Float64Array,
  bAt: number,
  mu: number,
): number {
  const bN = b[bAt];
  if (bN >= 0) {
    r[rAt] = 0;
    r[rAt + 1] = 0;
    r[rAt + 2] = 0;
    return OPEN;
  }
  const b1 = b[bAt + 1];
  const b2 = b[bAt + 2];
  const slip = Math.sqrt(b1 * b1 + b2 * b2);
  const sticks = mu > 0 && slip <= -mu * bN;
  const factor = sticks ? 1 : slip === 0 ? 0 : (-mu * bN) / slip;
  r[rAt] = -bN / s;
  r[rAt + 1] = (-factor * b1) / s;
  r[rAt + 2] = (-factor * b2) / s;
  return sticks ? STICK : SLIDE;
}
