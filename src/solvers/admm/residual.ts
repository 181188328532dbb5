/**
 * The common residual of an elastic problem's forces [m/s], and the pieces to compute it afresh:
 * v of A v = f + Bᵀ r by the owner of A, then per contact the Fischer–Burmeister function of solvers/residual.ts.
 *
 * Its scale λ_c is s_c, the contact's compliance under W, not trace(W_cc)/3 of the full operator: that one would take
 * three solves of A per contact. It only weighs forces against velocities; where the law holds, both vanish.
 */
import { frictionalError } from '../residual';
import { type AdmmProblem, CONTACT_BILATERAL, CONTACT_MU, CONTACT_PULL, CONTACT_SCALE } from './problem';
import { contactVelocity } from './project';

const u = new Float64Array(3);

/**
 * out += Bᵀ r over all contacts, elastic unknowns [N·s]; bodies get M⁻¹ Bᵀ r
 * [m/s, rad/s]. Cohesion counts with r.
 */
export function addContactImpulses(out: Float64Array, problem: AdmmProblem, cohesion: boolean): void {
  const { contacts, elasticCount, bodyInverseMass, bodyInverseInertia: I } = problem;
  const { node, coefficient, normal, offset, force, body, arm } = contacts;
  for (let c = 0; c < contacts.count; c++) {
    const four = 4 * c;
    const s = force[four + CONTACT_SCALE];
    if (!(s > 0)) continue;
    const pull = cohesion ? offset[four + CONTACT_PULL] : 0;
    const x = force[four] / s - pull * normal[four];
    const y = force[four + 1] / s - pull * normal[four + 1];
    const z = force[four + 2] / s - pull * normal[four + 2];
    for (let k = four; k < four + 4; k++) {
      const share = coefficient[k];
      if (share === 0) continue;
      out[node[k]] += share * x;
      out[node[k] + 1] += share * y;
      out[node[k] + 2] += share * z;
    }
    for (let side = 0; side < 2; side++) {
      const b = body[2 * c + side];
      if (b < 0) continue;
      const sign = side === 0 ? 1 : -1;
      const at = elasticCount + 8 * b;
      const a = 8 * c + 4 * side;
      const m = sign * bodyInverseMass[b];
      out[at] += m * x;
      out[at + 1] += m * y;
      out[at + 2] += m * z;
      const tx = sign * (arm[a + 1] * z - arm[a + 2] * y);
      const ty = sign * (arm[a + 2] * x - arm[a] * z);
      const tz = sign * (arm[a] * y - arm[a + 1] * x);
      const i = 8 * b;
      out[at + 4] += I[i] * tx + I[i + 3] * ty + I[i + 4] * tz;
      out[at + 5] += I[i + 3] * tx + I[i + 1] * ty + I[i + 5] * tz;
      out[at + 6] += I[i + 4] * tx + I[i + 5] * ty + I[i + 2] * tz;
    }
  }
}

/** Largest error of all contacts at velocities `v` [m/s]; Infinity if a number is not finite. */
export function contactResidual(problem: AdmmProblem, v: Float64Array): number {
  const { contacts } = problem;
  const { normal, force, kind } = contacts;
  let worst = 0;
  for (let c = 0; c < contacts.count; c++) {
    const four = 4 * c;
    const s = force[four + CONTACT_SCALE];
    if (!(s > 0)) continue;
    contactVelocity(u, problem, v, c);
    let error: number;
    if (kind[c] === CONTACT_BILATERAL) error = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    else error = coulombError(s, normal, force, four);
    if (Number.isNaN(error)) return Number.POSITIVE_INFINITY;
    if (error > worst) worst = error;
  }
  return worst;
}

/** Force and velocity of a contact: normal, along the friction force, across it; the force has no part across. */
const seen = new Float64Array(6);

/** With the friction force along the first tangent. */
function coulombError(s: number, normal: Float64Array, force: Float64Array, at: number): number {
  const [nx, ny, nz, mu] = [normal[at], normal[at + 1], normal[at + 2], normal[at + CONTACT_MU]];
  const rn = (force[at] * nx + force[at + 1] * ny + force[at + 2] * nz) / s;
  let tx = force[at] / s - rn * nx;
  let ty = force[at + 1] / s - rn * ny;
  let tz = force[at + 2] / s - rn * nz;
  const friction = Math.sqrt(tx * tx + ty * ty + tz * tz);
  const un = u[0] * nx + u[1] * ny + u[2] * nz;
  const [sx, sy, sz] = [u[0] - un * nx, u[1] - un * ny, u[2] - un * nz];
  const slip = Math.sqrt(sx * sx + sy * sy + sz * sz);
  seen[0] = rn;
  seen[1] = friction;
  seen[3] = un;
  seen[4] = slip;
  seen[5] = 0;
  if (friction === 0) return frictionalError(s, mu, seen, 0, seen, 3);
  tx /= friction;
  ty /= friction;
  tz /= friction;
  const along = sx * tx + sy * ty + sz * tz;
  seen[4] = along;
  seen[5] = Math.sqrt(Math.max(0, slip * slip - along * along));
  return frictionalError(s, mu, seen, 0, seen, 3);
}
