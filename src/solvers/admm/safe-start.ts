/**
 * Forces that may not be trusted in full: those of the last step (contacts opened, moved, were just hit) and those of a
 * solve that was cut short (W is up to 25 times the inertia, and so may be an impulse after one iteration).
 *
 * Along r the elastic equations give v(α) = v₀ + α A⁻¹ Bᵀ r, and the dual energy ½ α² rᵀ S r + α
 * rᵀ (B v₀ + k) has its least value at α = −h₀ / (h₁ − h₀), h = Σ r_c · u_c at v₀ and at
 * v(1). With 0 <= α <= that value
 *
 *   ½ ‖v(α)‖²_A <= ½ ‖v₀‖²_A − α rᵀ k,
 *
 * so forces take energy away, but for what a recovery of penetration (bounded by its speed) puts in. At a solution
 * r · u = 0 and α = 1. Cones are scaled with their forces: α r obeys Coulomb's limit wherever r does.
 */
import { type AdmmProblem, CONTACT_BILATERAL, CONTACT_PULL, CONTACT_SCALE } from './problem';
import { contactVelocity } from './project';

const u = new Float64Array(3);

/** Σ r_c · u_c at velocities v [J]; `slackShare`: share of the forces that compliant contacts feel. */
export function contactWork(problem: AdmmProblem, v: Float64Array, slackShare: number, cohesion: boolean): number {
  const { contacts } = problem;
  const { force, normal, offset, slack, kind } = contacts;
  let sum = 0;
  for (let c = 0; c < contacts.count; c++) {
    const four = 4 * c;
    const s = force[four + CONTACT_SCALE];
    if (!(s > 0) || kind[c] === CONTACT_BILATERAL) continue;
    contactVelocity(u, problem, v, c);
    const without = slack[c] > 0 ? ((1 - slackShare) * slack[c]) / s : 0;
    const pull = cohesion ? offset[four + CONTACT_PULL] : 0;
    for (let k = four; k < four + 3; k++) {
      sum += (force[k] / s - pull * normal[k]) * (u[k - four] - without * force[k]);
    }
  }
  return sum;
}

/** α of the text above from Σ r · u without the forces and with all of them; 1 where there are none. */
export function safeShare(without: number, withAll: number): number {
  const gain = withAll - without;
  if (!(gain > 0)) return without < 0 || gain === 0 ? 1 : 0;
  return Math.max(0, Math.min(1, -without / gain));
}

/** Contact forces times `share`. */
export function scaleForces(problem: AdmmProblem, share: number): void {
  const { force, count } = problem.contacts;
  for (let c = 0; c < 4 * count; c += 4) for (let k = c; k < c + 3; k++) force[k] *= share;
}
