// Restitution of an island that is solved exactly: speeds to be reached, and the energy that is left.
//
// Newton's rule, u_N after = −e u_N before, keeps the energy of a frictionless impact at e = 1 and loses some at e <
// 1, for any number of contacts at once. But what a contact has before is not all its speed at the start of the step
// (a load acts, a gap is open still, a corner turns into the ground). So the impulses of the rebounding contacts are
// scaled by one factor near 1, such that the energy at the end is what it should be: that of the start, and the work of
// the loads along the way, less what the law says is lost. Where that is not enough all impulses are scaled down by
// another. Impulses alone are scaled, so momentum and angular momentum are kept. Where several bodies pass a blow on
// nothing is scaled, since that would press together what lies on what rebounds: where the law wins energy there (it
// may, for more than one contact) all rebounds are made slower, and it is solved anew. Spins and inertias are those of
// the start of the step: what they become by its turn is motion/carry-spin.ts's, which keeps their energy.
//
// Energies are those that free flight by symplectic Euler keeps: with the velocity v + a dt/2 in place of v.
// In: assembled contacts with their motion solved; out: b of the kept velocities, then the velocities themselves.

import { LOSSLESS_REST } from '../core/engine-constants';
import { rotateVector, unrotateVector } from '../math/quaternion';
import { multiplyTensor } from '../mechanics/rigid';
import {
  PAIR_RESTITUTION,
  PAIR_SURFACE_ACROSS,
  PAIR_SURFACE_ALONG,
  POINT_GAP,
  pairPointAt,
} from '../state/contact-places';
import { EXACT_SLACK, FAST_TURN, UNREACHED } from '../state/exact-solve';
import * as L from '../state/layout';
import type { AssembledContacts } from './assemble-contacts';
import type { Engine } from './engine';

/** Restitution from which the threshold is lowered, down to 0 at 1: what never comes to rest is not brought to rest. */
const LIVELY = 0.8;
/** A rebound is at least this fast, to be one [m/s]. */
const SLOWEST = 1e-9;
/** Energy of an island that is won, and none of rounding [-]; of its rebounds so much is left then. */
const LEAST_WIN = 1e-6;
const WEAKER = 0.85;
/** Bounds of the factor: outside, a glancing impact would have to make up for what it did not cause. */
const LEAST_FACTOR = 0.5;
const MOST_FACTOR = 3;

// Of each body of the island: what it would be without impulses (velocity, angular momentum, energy of its
// spin), and momenta by the contacts at rest (0) and by those that rebound (1): linear, angular. Momenta
// become velocities in their place.
const LINEAR_FREE = 0;
const ANGULAR_FREE = 3;
const LINEAR_0 = 6;
const ANGULAR_0 = 9;
const LINEAR_1 = 12;
const ANGULAR_1 = 15;
const FREE_ENERGY = 18;
const ROW = 19;
const ANGULAR_PARTS = [ANGULAR_FREE, ANGULAR_0, ANGULAR_1] as const;
let rows = new Float64Array(0);
/** Row of each body slot of the island. */
let rowOf = new Int32Array(0);
/**
 * Of each contact: speed after it, 0 where it does not rebound; those after and before it
 * that energies are made of [m/s].
 */
let rebounds = new Float64Array(0);

const vector = new Float64Array(3);
const spin = new Float64Array(3);
const normal = new Float64Array(3);
const across = new Float64Array(3);

/** Marks the contacts that rebound, before the island's motion is written. True if there are any. */
export function findRebounds(engine: Engine, a: AssembledContacts): boolean {
  const n = a.touchCount;
  if (rebounds.length < 3 * n) rebounds = new Float64Array(6 * n);
  let isAny = false;
  for (let c = 0; c < n; c++) {
    rebounds[3 * c] = 0;
    if (a.r[3 * c] > 0 && markRebound(engine, a, c)) isAny = true;
  }
  return isAny;
}

/** Whether a contact of the island in hand rebounds. */
export function isRebounding(c: number): boolean {
  return rebounds[3 * c] > 0;
}

/** Whether some body of the island turns so far in a step that its inertia along the world's axes changes. */
export function isTurning(engine: Engine, island: number): boolean {
  const { bodies } = engine.tables;
  const start = bodies.islandBodyStart[island];
  for (let i = start; i < start + bodies.islandBodyCount[island]; i++) {
    if (turnsBeyond(engine, bodies.islandBodies[i], FAST_TURN)) return true;
  }
  return false;
}

/** Whether a body turns by more than this angle in the step [rad]. */
function turnsBeyond({ tables, settings }: Engine, body: number, angle: number): boolean {
  const limit = angle / settings.timeStep;
  let square = 0;
  for (let k = 4 * body; k < 4 * body + 3; k++) square += tables.bodies.angularVelocity[k] ** 2;
  return square > limit * limit;
}

/**
 * Whether the energy of an island can be kept: not where a body is held about some axis,
 * which its inertia does not tell.
 */
export function turnsFreely(engine: Engine, island: number): boolean {
  const { bodies } = engine.tables;
  const start = bodies.islandBodyStart[island];
  for (let i = start; i < start + bodies.islandBodyCount[island]; i++) {
    if (bodies.flags[bodies.islandBodies[i]] & L.BODY_LOCKS) return false;
  }
  return true;
}

/** Notes the speeds of a contact that is reached in the step, if it was fast enough to rebound. */
function markRebound(engine: Engine, a: AssembledContacts, c: number): boolean {
  const { pairs, bodies } = engine.tables;
  const { timeStep, restitutionThreshold } = engine.settings;
  const e = pairs.material[4 * a.pair[c] + PAIR_RESTITUTION];
  if (!(e > 0)) return false;
  const load = linearChange(a, c, bodies.velocityChange);
  const before = a.free[3 * c] - normalSpeed(a, c, bodies.velocityChange);
  const threshold = restitutionThreshold * Math.min(1, (1 - e) / (1 - LIVELY));
  // Not faster than a load makes it in a step: it lies there.
  const slow = Math.max(threshold, e < 1 ? -load : -LOSSLESS_REST * load, 0);
  // A corner may turn into the ground in the step though it was leaving it.
  const speed = Math.min(before, a.free[3 * c] - load);
  if (!(speed < -slow || before > slow)) return false;
  const gap = Math.max(pairs.point[pairPointAt(a.pair[c], a.point[c]) + POINT_GAP], 0);
  rebounds[3 * c] = Math.max(reboundSpeed(Math.min(speed, 0), load, gap, timeStep, e), SLOWEST);
  // Half a step ahead, as above.
  const ahead = Math.max(-load, 0) / 2;
  rebounds[3 * c + 1] = Math.max(rebounds[3 * c] - ahead, 0);
  rebounds[3 * c + 2] = reboundSpeed(Math.min(speed, 0), load, gap, timeStep, 1) - ahead;
  return true;
}

/**
 * b of the velocity that the bodies keep, at the end of the step: gaps as they are then, no recovery, rebounds.
 * `bounces`: findRebounds found some. Returns whether any contact rebounds now: one that pressed nothing may have been
 * shut all the same, by a body that turns in the step, and is no less an impact.
 */
export function writeKeptTerms(engine: Engine, a: AssembledContacts, bounces: boolean): boolean {
  const { pairs, bodies } = engine.tables;
  const { timeStep } = engine.settings;
  const slack = EXACT_SLACK * engine.settings.speculativeDistance;
  const n = a.touchCount;
  let fastest = 0;
  for (let k = 0; k < 3 * n; k++) fastest = Math.max(fastest, Math.abs(a.free[k]));
  for (let c = 0; c < n; c++) {
    const gap = pairs.point[pairPointAt(a.pair[c], a.point[c]) + POINT_GAP];
    const left = gap + timeStep * normalSpeed(a, c, bodies.motion);
    // What pressed was shut by that solve; of a body that turns over in a step the mean spin tells of another way.
    const isShut = a.r[3 * c] > 0 && (turnsBeyond(engine, a.bodyA[c], 1) || turnsBeyond(engine, a.bodyB[c], 1));
    let w = Math.max(isShut ? Math.min(left, slack) : left, 0) / timeStep;
    // What is still open at the end of the step is the next step's: its plane is made anew
    // there, from where the bodies are.
    if (left > 0 && a.r[3 * c] === 0) w += UNREACHED * fastest;
    else if (rebounds[3 * c] > 0 || markRebound(engine, a, c)) {
      w = -rebounds[3 * c];
      bounces = true;
    }
    a.problem.b[3 * c] = a.free[3 * c] + w;
  }
  return bounces;
}

/**
 * Speed after an impact [m/s], so that each peak is e² as high as the last.
 *
 * Stepping v' = v − g dt, y' = y + v' dt conserves v²/2 + g y − (g dt/2) v, not the energy itself: Newton's rule
 * on the velocities of the grid would lose v dt of height a bounce (6 % at 5 m/s). With the normal velocity u before
 * the step, its change −g dt in the step and the gap still open, that invariant is scaled by e².
 */
function reboundSpeed(u: number, change: number, gap: number, timeStep: number, e: number): number {
  const fall = Math.min(change, 0);
  const twice = u * u + fall * u - (2 * fall * gap) / timeStep;
  const c = -fall / 2;
  return c + Math.sqrt(c * c + e * e * twice);
}

/** Notes what the bodies would do without impulses; to be called while BODY_MOTION holds the free motion. */
export function noteFree(engine: Engine, island: number): void {
  const { bodies } = engine.tables;
  const count = bodies.islandBodyCount[island];
  if (rows.length < ROW * count) rows = new Float64Array(2 * ROW * count);
  if (rowOf.length < bodies.capacity) rowOf = new Int32Array(bodies.capacity);
  for (let i = 0; i < count; i++) {
    const body = bodies.islandBodies[bodies.islandBodyStart[island] + i];
    const row = ROW * i;
    rowOf[body] = row;
    const at = 4 * body;
    unrotateVector(spin, 0, bodies.rotation, at, bodies.angularVelocity, at);
    multiplyTensor(vector, 0, bodies.localInertia, 8 * body, spin, 0);
    rows[row + FREE_ENERGY] = (spin[0] * vector[0] + spin[1] * vector[1] + spin[2] * vector[2]) / 2;
    rotateVector(rows, row + ANGULAR_FREE, bodies.rotation, at, vector, 0);
    for (let k = 0; k < 3; k++) rows[row + LINEAR_FREE + k] = bodies.linearVelocity[4 * body + k];
  }
}

/**
 * Velocities after the contacts: those in the tables, to which the impulses `r` were applied, are replaced by those of
 * the right energy; where nothing rebounds (`bounces`), of no more than that. `r` becomes the impulses that do it: what
 * acts between bodies keeps their momentum, and what pushes along a normal changes no speed across. Nothing is done
 * where something drives the island: a moving wall does work.
 */
export function conserveEnergy(
  engine: Engine,
  island: number,
  a: AssembledContacts,
  r: Float64Array,
  bounces: boolean,
): void {
  const { bodies } = engine.tables;
  const loss = lostEnergy(engine, a, r);
  if (!(loss >= 0)) return;
  gatherMomenta(engine, island, a, r);
  const started = measureEnergies(engine, island);
  let wanted = started - (bounces ? loss : 0);
  let factor = 1;
  const law = energies.reduce(sum, 0);
  // Scaled impulses of rebounds alone would press together what lies on what rebounds.
  if (law <= started && bounces && isPassedOn(engine, island, a, r)) wanted = Math.max(wanted, law);
  else factor = reboundFactor(wanted, bounces);
  const share = commonFactor(wanted, factor);
  const start = bodies.islandBodyStart[island];
  const end = start + bodies.islandBodyCount[island];
  for (let i = start; i < end; i++) {
    const body = bodies.islandBodies[i];
    const row = rowOf[body];
    for (let k = 0; k < 3; k++) {
      const v = rows[row + LINEAR_0 + k] + factor * rows[row + LINEAR_1 + k];
      const w = rows[row + ANGULAR_0 + k] + factor * rows[row + ANGULAR_1 + k];
      bodies.linearVelocity[4 * body + k] = rows[row + LINEAR_FREE + k] + share * v;
      bodies.angularVelocity[4 * body + k] = rows[row + ANGULAR_FREE + k] + share * w;
    }
  }
  for (let c = 0; c < a.problem.contactCount; c++) {
    const scale = rebounds[3 * c] > 0 ? share * factor : share;
    for (let d = 0; d < 3; d++) r[3 * c + d] *= scale;
  }
  if (end - start === 1) settleAccount(engine, bodies.islandBodies[start], a, r, started);
}

/** Most by which the motion that contacts act on is slowed, or made faster, to that end [-]. */
const MOST_SLOWER = 0.5;
const MOST_FASTER = 0.5;

/**
 * Gives one body on frictionless contacts the energy that it should have [J]. A contact at rest leaves the least that
 * there may be: what the recovery of a penetration lifts is not paid by it (an end that turns into the ground in
 * every step: × 1.8 in 10^5 steps), and at e = 1 the law loses nothing where a contact is too slow to rebound.
 * Both are taken from, or given to, the motion that contacts act on, scaled by one factor: the velocity along their
 * normal n, and of the spin all but (n·L / n·I n) n. Momentum along the ground, and about n, is kept, and u_N of all
 * contacts scaled: what rests goes on resting. (Projection onto the energy: Hairer, Lubich and Wanner, Geometric
 * Numerical Integration, IV.4.)
 */
function settleAccount(engine: Engine, body: number, a: AssembledContacts, r: Float64Array, wanted: number): void {
  const { bodies, pairs } = engine.tables;
  normal.fill(0);
  let isLossless = true;
  for (let c = 0; c < a.problem.contactCount; c++) {
    // What moved the body, too: a penetration may be opened where nothing is to be stopped.
    const impulse = r[3 * c] + a.r[3 * c];
    if (impulse === 0) continue;
    if (a.problem.mu[c] > 0) return;
    if (pairs.material[4 * a.pair[c] + PAIR_RESTITUTION] < 1) isLossless = false;
    for (let k = 0; k < 3; k++) normal[k] += impulse * a.frame[9 * c + k];
  }
  const length = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  if (!(length > 0)) return;
  for (let k = 0; k < 3; k++) normal[k] /= length;

  // Energy with that motion larger by the share p: now + linear p + square p².
  const mass = 1 / bodies.inverseMass[body];
  const v = bodies.linearVelocity.subarray(4 * body, 4 * body + 3);
  const w = bodies.angularVelocity.subarray(4 * body, 4 * body + 3);
  const along = v[0] * normal[0] + v[1] * normal[1] + v[2] * normal[2];
  const about = spinEnergy(engine, body, w, normal) / spinEnergy(engine, body, normal, normal);
  for (let k = 0; k < 3; k++) across[k] = w[k] - about * normal[k];
  let now = spinEnergy(engine, body, w, w);
  let square = spinEnergy(engine, body, across, across);
  let linear = 2 * square;
  square += (mass * along * along) / 2;
  for (let k = 0; k < 3; k++) {
    const ahead = v[k] + bodies.velocityChange[8 * body + k] / 2;
    now += (mass * ahead * ahead) / 2;
    linear += mass * ahead * along * normal[k];
  }
  const excess = now - wanted;
  if (!(linear > 0) || !(square > 0) || (excess < 0 && !isLossless)) return;
  const root = Math.sqrt(Math.max(linear * linear - 4 * square * excess, 0));
  const share = Math.min(Math.max((root - linear) / (2 * square), -MOST_SLOWER), MOST_FASTER);
  for (let k = 0; k < 3; k++) {
    v[k] += share * along * normal[k];
    w[k] += share * across[k];
  }
}

// Energy of the island at the end of the step, with the impulses of set 0 scaled by s, those of set 1 by t [J]:
// ENERGY_FREE + s ENERGY_0 + t ENERGY_1 + s² ENERGY_00 + s t ENERGY_01 + t² ENERGY_11.
const ENERGY_FREE = 0;
const ENERGY_0 = 1;
const ENERGY_1 = 2;
const ENERGY_00 = 3;
const ENERGY_01 = 4;
const ENERGY_11 = 5;
const energies = new Float64Array(6);

/** Fills `energies`; returns the energy at the start of the step and the work of the loads along the way [J]. */
function measureEnergies(engine: Engine, island: number): number {
  const { bodies } = engine.tables;
  energies.fill(0);
  let started = 0;
  const start = bodies.islandBodyStart[island];
  const end = start + bodies.islandBodyCount[island];
  for (let i = start; i < end; i++) {
    const body = bodies.islandBodies[i];
    const row = rowOf[body];
    const mass = 1 / bodies.inverseMass[body];
    toVelocities(engine, body, row);
    started += rows[row + FREE_ENERGY];
    for (let k = row; k < row + 3; k++) {
      const change = bodies.velocityChange[8 * body + k - row];
      const before = rows[k + LINEAR_FREE] - change / 2;
      started += mass * ((before * before) / 2 + change * bodies.motion[8 * body + k - row]);
      const free = rows[k + LINEAR_FREE] + change / 2;
      const v0 = rows[k + LINEAR_0];
      const v1 = rows[k + LINEAR_1];
      energies[ENERGY_FREE] += (mass * free * free) / 2;
      energies[ENERGY_0] += mass * free * v0;
      energies[ENERGY_1] += mass * free * v1;
      energies[ENERGY_00] += (mass * v0 * v0) / 2;
      energies[ENERGY_01] += mass * v0 * v1;
      energies[ENERGY_11] += (mass * v1 * v1) / 2;
    }
    const [free, by0, by1] = [row + ANGULAR_FREE, row + ANGULAR_0, row + ANGULAR_1];
    energies[ENERGY_FREE] += turningEnergy(engine, body, free, free);
    energies[ENERGY_0] += 2 * turningEnergy(engine, body, free, by0);
    energies[ENERGY_1] += 2 * turningEnergy(engine, body, free, by1);
    energies[ENERGY_00] += turningEnergy(engine, body, by0, by0);
    energies[ENERGY_01] += 2 * turningEnergy(engine, body, by0, by1);
    energies[ENERGY_11] += turningEnergy(engine, body, by1, by1);
  }
  return started;
}

const sum = (a: number, b: number) => a + b;

/** Whether Newton's law wins energy with the impulses `r`: it may, where several bodies pass a blow on. */
export function winsByLaw(engine: Engine, island: number, a: AssembledContacts, r: Float64Array): boolean {
  if (!isPassedOn(engine, island, a, r)) return false;
  gatherMomenta(engine, island, a, r);
  const started = measureEnergies(engine, island);
  return energies.reduce(sum, 0) > started + LEAST_WIN * Math.abs(started);
}

/** Lets all rebounds of the island in hand end at a smaller speed. */
export function weakenRebounds(a: AssembledContacts): void {
  for (let c = 0; c < a.touchCount; c++) {
    rebounds[3 * c] *= WEAKER;
    rebounds[3 * c + 1] *= WEAKER;
  }
}

/** Whether several bodies share the blow: contacts at rest between them carry it on. */
function isPassedOn(engine: Engine, island: number, a: AssembledContacts, r: Float64Array): boolean {
  if (engine.tables.bodies.islandBodyCount[island] < 2) return false;
  for (let c = 0; c < a.problem.contactCount; c++) if (r[3 * c] !== 0 && !(rebounds[3 * c] > 0)) return true;
  return false;
}

/** Factor of the rebounding impulses that gives the wanted energy, as far as it is near 1. */
function reboundFactor(wanted: number, bounces: boolean): number {
  const square = energies[ENERGY_11];
  if (!bounces || !(square > 0)) return 1;
  const linear = energies[ENERGY_1] + energies[ENERGY_01];
  const constant = energies[ENERGY_FREE] + energies[ENERGY_0] + energies[ENERGY_00];
  const root = Math.max(linear * linear - 4 * square * (constant - wanted), 0);
  return Math.min(Math.max((-linear + Math.sqrt(root)) / (2 * square), LEAST_FACTOR), MOST_FACTOR);
}

/**
 * Factor ≤ 1 of all impulses where the energy is still too much (a needle turns over within the step): that which
 * gives the wanted energy, or the least that they can leave.
 */
function commonFactor(wanted: number, factor: number): number {
  const linear = energies[ENERGY_0] + factor * energies[ENERGY_1];
  const square = energies[ENERGY_00] + factor * (energies[ENERGY_01] + factor * energies[ENERGY_11]);
  const excess = energies[ENERGY_FREE] - wanted;
  if (!(excess + linear + square > 0) || !(square > 0)) return 1;
  const root = Math.max(linear * linear - 4 * square * excess, 0);
  return Math.min(Math.max((-linear + Math.sqrt(root)) / (2 * square), 0), 1);
}

/** Momenta that the impulses `r` give to each body, those of rebounding contacts apart. */
function gatherMomenta(engine: Engine, island: number, a: AssembledContacts, r: Float64Array): void {
  const { bodies } = engine.tables;
  const count = bodies.islandBodyCount[island];
  for (let row = 0; row < ROW * count; row += ROW) rows.fill(0, row + LINEAR_0, row + FREE_ENERGY);
  for (let c = 0; c < a.problem.contactCount; c++) {
    const set = rebounds[3 * c] > 0 ? LINEAR_1 : LINEAR_0;
    for (let side = 0; side < 2; side++) {
      const body = side === 0 ? a.bodyA[c] : a.bodyB[c];
      if (bodies.inverseMass[body] === 0) continue;
      const arm = side === 0 ? a.armA : a.armB;
      const sign = side === 0 ? -1 : 1;
      const to = rowOf[body] + set;
      for (let d = 0; d < 3; d++) {
        const impulse = sign * r[3 * c + d];
        for (let k = 0; k < 3; k++) {
          rows[to + k] += impulse * a.frame[9 * c + 3 * d + k];
          rows[to + 3 + k] += impulse * arm[9 * c + 3 * d + k];
        }
      }
    }
  }
}

/** Momenta of a row → velocities. */
function toVelocities(engine: Engine, body: number, row: number): void {
  const { inverseMass, localInverseInertia, rotation } = engine.tables.bodies;
  for (let k = row; k < row + 3; k++) {
    rows[k + LINEAR_0] *= inverseMass[body];
    rows[k + LINEAR_1] *= inverseMass[body];
  }
  for (const part of ANGULAR_PARTS) {
    unrotateVector(vector, 0, rotation, 4 * body, rows, row + part);
    multiplyTensor(spin, 0, localInverseInertia, 8 * body, vector, 0);
    rotateVector(rows, row + part, rotation, 4 * body, spin, 0);
  }
}

/** Half of ω I ω' for two spins of a body's row. */
function turningEnergy(engine: Engine, body: number, at: number, other: number): number {
  return spinEnergy(engine, body, rows, rows, at, other);
}

/** Half of ω I ω' for two spins in arrays, at offsets of them. */
function spinEnergy({ tables }: Engine, body: number, a: Float64Array, b: Float64Array, at = 0, other = 0): number {
  const { localInertia, rotation } = tables.bodies;
  unrotateVector(vector, 0, rotation, 4 * body, a, at);
  multiplyTensor(spin, 0, localInertia, 8 * body, vector, 0);
  unrotateVector(vector, 0, rotation, 4 * body, b, other);
  return (spin[0] * vector[0] + spin[1] * vector[1] + spin[2] * vector[2]) / 2;
}

/**
 * Energy that the contacts take in the step by the law [J], with the velocities in the tables for those after it: of a
 * rebound half the impulse × the speed lost, of all others what they brake. A contact that was opening and is pressed
 * shut by a blow from beyond it gives some back (a box that comes up from the ground, under a stack that comes down):
 * the ground's impulse works on what moved away from it. All together they give nothing. NaN where something drives
 * the island.
 */
function lostEnergy(engine: Engine, a: AssembledContacts, r: Float64Array): number {
  const { bodies, pairs } = engine.tables;
  let normal = 0;
  let braked = 0;
  for (let c = 0; c < a.problem.contactCount; c++) {
    // Also of what only moved the bodies: the loads' work along that way is part of the account.
    if (r[3 * c] === 0 && a.r[3 * c] === 0) continue;
    const material = 4 * a.pair[c];
    if (pairs.material[material + PAIR_SURFACE_ALONG] !== 0 || pairs.material[material + PAIR_SURFACE_ACROSS] !== 0)
      return Number.NaN;
    if (isDriven(engine, a.bodyA[c]) || isDriven(engine, a.bodyB[c])) return Number.NaN;
    if (r[3 * c] === 0) continue;
    let friction = 0;
    for (let d = 0; d < 3; d++) {
      const row = 3 * c + d;
      const free = a.free[row];
      const after = rowSpeed(a, row, bodies.linearVelocity, bodies.angularVelocity, 4, 0);
      const before = free - rowSpeed(a, row, bodies.velocityChange, bodies.velocityChange, 8, 4);
      if (d > 0) friction -= (r[row] * (after + before)) / 2;
      else if (rebounds[3 * c] > 0 && before <= 0) {
        const left = rebounds[3 * c + 1];
        const hit = rebounds[3 * c + 2];
        // Of the impulse, what the impact is worth: loads take part in it too.
        const share = Math.min(1, (left + hit) / (after - free));
        normal += ((hit - left) * r[row] * share) / 2;
      } else normal -= (r[row] * (after + (before > 0 ? free : before))) / 2;
    }
    braked += Math.max(0, friction);
  }
  return Math.max(0, normal) + braked;
}

/** Whether a body moves others without being moved. */
function isDriven(engine: Engine, body: number): boolean {
  const { inverseMass, linearVelocity: v, angularVelocity: w } = engine.tables.bodies;
  if (inverseMass[body] !== 0) return false;
  for (let k = 4 * body; k < 4 * body + 3; k++) if (v[k] !== 0 || w[k] !== 0) return true;
  return false;
}

/** Normal component of H v for velocities kept as linear, angular in rows of eight [m/s]. */
function normalSpeed(a: AssembledContacts, c: number, v: Float64Array): number {
  return rowSpeed(a, 3 * c, v, v, 8, 4);
}

/** Normal component of what loads add to the velocity of B over A, without what turns them [m/s]. */
function linearChange(a: AssembledContacts, c: number, change: Float64Array): number {
  let u = 0;
  for (let k = 0; k < 3; k++) u += a.frame[9 * c + k] * (change[8 * a.bodyB[c] + k] - change[8 * a.bodyA[c] + k]);
  return u;
}

/** Row of H v, for velocity columns of the given stride and offset of the spin [m/s]. */
export function rowSpeed(
  a: AssembledContacts,
  row: number,
  linear: Float64Array,
  angular: Float64Array,
  stride: number,
  offset: number,
): number {
  const c = Math.floor(row / 3);
  const A = stride * a.bodyA[c];
  const B = stride * a.bodyB[c];
  let u = 0;
  for (let k = 0; k < 3; k++) {
    const at = 3 * row + k;
    u += a.frame[at] * (linear[B + k] - linear[A + k]);
    u += a.armB[at] * angular[B + offset + k] - a.armA[at] * angular[A + offset + k];
  }
  return u;
}
