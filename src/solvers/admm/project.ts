/**
 * Algorithm 3 of Daviet 2020: projection of p on the feasible set, matrix-free Gauss–Seidel in world axes.
 *
 *   W p = W p⁰ + Bᵀ r,   u = B p + k,   (u_c, r_c) obeys Signorini–Coulomb
 *
 * Each contact keeps r̄_c = s_c r_c. It takes its own force out of its velocity, u* = u − r̄, makes u* obey the
 * law (three cases, exact because S_cc = s_c I), and gives the difference to its nodes at once. Contacts with
 * rigid bodies are not isotropic and go through a general local solver (body-contacts.ts).
 *
 * Extensions, each a switch or a number per contact: cohesion (§6.3.1), compliance through a virtual slack whose
 * velocity is r/w_slack and needs no room (§6.3.2), sleeping contacts (§6.3.3).
 */
import type { LocalSolver } from '../local/local-solver';
import { addBodyVelocity, prepareBodyContact, pushBodies, solveBodyContact } from './body-contacts';
import {
  type AdmmContacts,
  type AdmmProblem,
  CONTACT_BILATERAL,
  CONTACT_MU,
  CONTACT_PULL,
  CONTACT_SCALE,
} from './problem';

const u = new Float64Array(3);
const change = new Float64Array(3);

/**
 * s_c and γ_c,j of the contacts from `first` on; r̄ is scaled so that r stays what it was with the s of last time.
 * Call it once per contact and W. A contact that nothing can move (s = 0) gets no force.
 */
export function prepareContacts(problem: AdmmProblem, first: number): void {
  const { contacts, inverseWeight } = problem;
  const { node, coefficient, force, gamma, body, slack, blockOf } = contacts;
  if (first === 0) contacts.blockCount = 0;
  for (let c = first; c < contacts.count; c++) {
    const four = 4 * c;
    let s = slack[c];
    for (let k = four; k < four + 4; k++) s += coefficient[k] * coefficient[k] * inverseWeight[node[k]];
    blockOf[c] = -1;
    if (body[2 * c] >= 0 || body[2 * c + 1] >= 0) s = prepareBodyContact(problem, c, s);
    const inverse = s > 0 ? 1 / s : 0;
    for (let k = four; k < four + 4; k++) gamma[k] = coefficient[k] * inverseWeight[node[k]] * inverse;
    const before = force[four + CONTACT_SCALE];
    const keep = before > 0 ? s / before : 0;
    for (let k = four; k < four + 3; k++) force[k] *= keep;
    force[four + CONTACT_SCALE] = s;
    contacts.asleep[c] = 0;
  }
}

/** p += W⁻¹ Bᵀ r for all contacts from `first` on, less their cohesion: line (1) of Algorithm 3 with §6.3.1. */
export function applyForces(problem: AdmmProblem, p: Float64Array, first: number, cohesion: boolean): void {
  const { contacts } = problem;
  const { force, normal, offset } = contacts;
  for (let c = first; c < contacts.count; c++) {
    const four = 4 * c;
    const s = force[four + CONTACT_SCALE];
    if (!(s > 0)) continue;
    const pull = cohesion ? s * offset[four + CONTACT_PULL] : 0;
    const x = force[four] - pull * normal[four];
    const y = force[four + 1] - pull * normal[four + 1];
    const z = force[four + 2] - pull * normal[four + 2];
    if (x !== 0 || y !== 0 || z !== 0) push(problem, p, c, x, y, z);
  }
}

/** p += γ times the change of r̄ (three numbers). */
function push(problem: AdmmProblem, p: Float64Array, c: number, x: number, y: number, z: number): void {
  const { node, gamma, force, blockOf } = problem.contacts;
  const four = 4 * c;
  for (let k = four; k < four + 4; k++) {
    const g = gamma[k];
    if (g === 0) continue;
    const j = node[k];
    p[j] += g * x;
    p[j + 1] += g * y;
    p[j + 2] += g * z;
  }
  if (blockOf[c] >= 0) {
    const inverse = 1 / force[four + CONTACT_SCALE];
    pushBodies(problem, p, c, inverse * x, inverse * y, inverse * z);
  }
}

/** Settings of one projection. */
export interface SweepOptions {
  /** Gauss–Seidel sweeps. */
  sweeps: number;
  /** Changes of r̄ below this put the contact to sleep [m/s]; 0: none sleeps. */
  sleepBelow: number;
  /** Sweeps that it sleeps. */
  sleepSweeps: number;
  /** Four-sided pyramid in place of the cone, where a contact is isotropic. */
  isPyramid?: boolean;
  /** For contacts with bodies. */
  local: LocalSolver;
}

/** The Gauss–Seidel loop: p and r̄ are updated in place. Returns how many contacts were solved in all. */
export function sweepContacts(problem: AdmmProblem, p: Float64Array, options: SweepOptions): number {
  const { contacts } = problem;
  const { count, force, blockOf, asleep, leftOut, kind } = contacts;
  const { sleepBelow, sleepSweeps, local } = options;
  const limit = sleepBelow * sleepBelow;
  if (sleepBelow > 0) asleep.fill(0, 0, count);
  let solved = 0;
  for (let sweep = 0; sweep < options.sweeps; sweep++) {
    for (let c = 0; c < count; c++) {
      if (leftOut[c] === 1) continue;
      if (sleepBelow > 0 && asleep[c] > 0) {
        asleep[c]--;
        continue;
      }
      const four = 4 * c;
      if (!(force[four + CONTACT_SCALE] > 0)) continue;
      solved++;
      contactVelocity(u, problem, p, c);
      if (blockOf[c] >= 0) solveBodyContact(change, contacts, c, u, local);
      else if (kind[c] === CONTACT_BILATERAL) for (let k = 0; k < 3; k++) change[k] = -u[k];
      else if (options.isPyramid) solvePyramidContact(change, contacts, four);
      else solveIsotropicContact(change, contacts, four);
      force[four] += change[0];
      force[four + 1] += change[1];
      force[four + 2] += change[2];
      push(problem, p, c, change[0], change[1], change[2]);
      if (sleepBelow > 0 && change[0] * change[0] + change[1] * change[1] + change[2] * change[2] < limit) {
        asleep[c] = sleepSweeps;
      }
    }
  }
  return solved;
}

/** out (three numbers) := u of contact c [m/s], world axes. */
export function contactVelocity(out: Float64Array, problem: AdmmProblem, p: Float64Array, c: number): void {
  const { node, coefficient, offset, force, slack, blockOf } = problem.contacts;
  const four = 4 * c;
  // The slack's own velocity is r/w_slack.
  const give = slack[c] > 0 ? slack[c] / force[four + CONTACT_SCALE] : 0;
  let x = offset[four] + give * force[four];
  let y = offset[four + 1] + give * force[four + 1];
  let z = offset[four + 2] + give * force[four + 2];
  for (let k = four; k < four + 4; k++) {
    const share = coefficient[k];
    const j = node[k];
    x += share * p[j];
    y += share * p[j + 1];
    z += share * p[j + 2];
  }
  out[0] = x;
  out[1] = y;
  out[2] = z;
  if (blockOf[c] >= 0) addBodyVelocity(out, problem, p, c);
}

/** change := u* − u with u* = u − r̄ made to obey the law, the heart of Algorithm 3. */
function solveIsotropicContact(out: Float64Array, contacts: AdmmContacts, four: number): void {
  const { normal, force } = contacts;
  const nx = normal[four];
  const ny = normal[four + 1];
  const nz = normal[four + 2];
  let x = u[0] - force[four];
  let y = u[1] - force[four + 1];
  let z = u[2] - force[four + 2];
  const un = x * nx + y * ny + z * nz;
  if (un < 0) {
    x -= un * nx;
    y -= un * ny;
    z -= un * nz;
    const slip = Math.sqrt(x * x + y * y + z * z);
    const limit = -normal[four + CONTACT_MU] * un;
    const keep = slip <= limit ? 0 : 1 - limit / slip;
    x *= keep;
    y *= keep;
    z *= keep;
  }
  out[0] = x - u[0];
  out[1] = y - u[1];
  out[2] = z - u[2];
}

/**
 * The same with each axis of the tangent plane limited on its own, |r₁| and |r₂| <= μ r_n (Otaduy et al. 2009):
 * the four-sided pyramid. Kept to show what it does to a motion; nothing else uses it.
 */
function solvePyramidContact(out: Float64Array, contacts: AdmmContacts, four: number): void {
  const { normal, force } = contacts;
  const nx = normal[four];
  const ny = normal[four + 1];
  const nz = normal[four + 2];
  let x = u[0] - force[four];
  let y = u[1] - force[four + 1];
  let z = u[2] - force[four + 2];
  const un = x * nx + y * ny + z * nz;

  if (un < 0) {
    const limit = -normal[four + CONTACT_MU] * un;
    // First axis: across the normal and the coordinate axis farthest from it.
    const least = Math.min(Math.abs(nx), Math.abs(ny), Math.abs(nz));
    let ax = 0;
    let ay = -nz;
    let az = ny;
    if (Math.abs(nz) === least) {
      ax = ny;
      ay = -nx;
      az = 0;
    } else if (Math.abs(ny) === least) {
      ax = -nz;
      ay = 0;
      az = nx;
    }
    const scale = 1 / Math.sqrt(ax * ax + ay * ay + az * az);
    ax *= scale;
    ay *= scale;
    az *= scale;
    const bx = ny * az - nz * ay;
    const by = nz * ax - nx * az;
    const bz = nx * ay - ny * ax;
    const a = shrink(x * ax + y * ay + z * az, limit);
    const b = shrink(x * bx + y * by + z * bz, limit);
    x = a * ax + b * bx;
    y = a * ay + b * by;
    z = a * az + b * bz;
  }

  out[0] = x - u[0];
  out[1] = y - u[1];
  out[2] = z - u[2];
}

function shrink(value: number, limit: number): number {
  return value > limit ? value - limit : value < -limit ? value + limit : 0;
}
