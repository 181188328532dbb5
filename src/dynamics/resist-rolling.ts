// Rolling and spinning friction: a torque impulse at every touch that resists them, before contacts are solved.
//
// A manifold with normal force N bears a moment of rolling |M_t| <= c N against the relative spin along its plane, and
// |M_n| <= s N against that about its normal (Johnson, Contact Mechanics, section 9). For the free velocities of the
// step, and the friction that would stop the contact point within its cone, the moment is found that would end the
// relative spin, and is cut to what the contact may bear: implicit, so a ball stops and does not turn back. It
// goes to the free velocities, and the contacts are solved as ever, by whatever solver: what stands needs no more of
// them than friction within the cone.
//
// In: islands of this step, free velocities, impulses of the last step. Out: free spin in BODY_ANGULAR_VELOCITY,
// BODY_VELOCITY_CHANGE and BODY_MOTION; PAIR_LOAD.
//
// N is what the last two steps have both borne, or the weight that presses on the contact in this one: a blow has no
// rolling friction, nor has what it is followed by.

import {
  ANGULAR,
  PAIR_SURFACE_ACROSS,
  PAIR_SURFACE_ALONG,
  POINT_GAP,
  pairPointAt,
  SPINNING_FRICTION,
} from '../state/contact-places';
import * as L from '../state/layout';
import type { Engine } from './engine';

/** Passes over all manifolds, in which those of one body settle. */
const PASSES = 8;
/** Share of 1/inertia below which nothing can turn [-]. */
const LOCKED = 1e-12;

/** Numbers a manifold: where things are in `rows`. */
const R = {
  /** Normal and two tangents. */
  FRAME: 0,
  /** Arms of A and B. */
  ARM_A: 9,
  ARM_B: 12,
  /** Speed of B's surface over A's along the tangents, for conveyors [m/s]. */
  SURFACE: 15,
  /** Largest rolling, spinning and friction impulse. */
  ROLLING: 17,
  SPINNING: 18,
  FRICTION: 19,
  /** Torque impulse so far, along the frame. */
  TORQUE: 20,
  /** 1 once the contact point was found to slide. */
  SLIDES: 23,
  /** Velocity of the contact point along the tangents by friction along them: 2×2, symmetric. */
  POINT: 24,
  /** Relative spin by friction: 3×2, along the frame. */
  COUPLING: 27,
  /** Relative spin by torque: 3×3 along the frame; xx yy zz xy xz yz. */
  SPIN: 33,
  STRIDE: 39,
} as const;

let rows = new Float64Array(64 * R.STRIDE);
let pairsOf = new Int32Array(64);
const arm = new Float64Array(6);
const turn = new Float64Array(6);
const spin = new Float64Array(3);
const slip = new Float64Array(2);
const added = new Float64Array(3);

/** Resists the rolling of all touches of this step's islands; nothing where no body asks for it. */
export function resistRolling(engine: Engine): void {
  const { arena, tables } = engine;
  if (arena.i32[L.ROLLING_BODY_COUNT >> 2] === 0) return;
  const { bodies, pairs } = tables;
  let count = 0;
  for (let island = 0; island < arena.i32[L.ISLAND_COUNT >> 2]; island++) {
    const start = bodies.islandPairStart[island];
    for (let i = start; i < start + bodies.islandPairCount[island]; i++) {
      if (writeManifold(engine, pairs.islandPairs[i], count)) count++;
    }
  }
  for (let pass = 0; pass < PASSES && count > 0; pass++) {
    for (let row = 0; row < count; row++) resist(engine, row);
  }
}

/** Two bodies' numbers by the rule of their friction; the product of two lengths is none, so it is their mean. */
function combine(rule: number, a: number, b: number): number {
  if (rule === L.RULE_MAXIMUM) return Math.max(a, b);
  if (rule === L.RULE_MINIMUM) return Math.min(a, b);
  return rule === L.RULE_AVERAGE ? 0.5 * (a + b) : Math.sqrt(a * b);
}

/** Whether a manifold bears a moment in this step; its row is written then. */
function writeManifold(engine: Engine, pair: number, count: number): boolean {
  const { pairs, bodies, colliders } = engine.tables;
  const a = pairs.colliderA[pair];
  const b = pairs.colliderB[pair];
  const ruleA = (colliders.flags[a] >> L.COLLIDER_FRICTION_RULE) & L.COLLIDER_RULE_MASK;
  const ruleB = (colliders.flags[b] >> L.COLLIDER_FRICTION_RULE) & L.COLLIDER_RULE_MASK;
  const rule = Math.max(ruleA, ruleB);
  const rolling = combine(rule, colliders.rolling[2 * a], colliders.rolling[2 * b]);

  const spinning = combine(
    rule,
    colliders.rolling[2 * a + SPINNING_FRICTION],
    colliders.rolling[2 * b + SPINNING_FRICTION],
  );
  if (rolling === 0 && spinning === 0) return false;

  if (rows.length < (count + 1) * R.STRIDE) {
    const longer = new Float64Array(2 * rows.length);
    longer.set(rows);
    rows = longer;
    const more = new Int32Array(2 * pairsOf.length);
    more.set(pairsOf);
    pairsOf = more;
  }

  const at = count * R.STRIDE;
  rows.fill(0, at, at + R.STRIDE);
  pairsOf[count] = pair;
  for (let k = 0; k < 3; k++) {
    rows[at + k] = pairs.normal[4 * pair + k];
    rows[at + 3 + k] = pairs.tangent[4 * pair + k];
  }
  cross(rows, at + 6, at, at + 3);
  placeArms(engine, pair, at);
  writeOperator(engine, at, bodies.inverseMass[pairs.bodyA[pair]] + bodies.inverseMass[pairs.bodyB[pair]], pair);
  const load = loadOf(engine, pair, at);
  if (!(load > 0)) return false;
  rows[at + R.ROLLING] = rolling * load;
  rows[at + R.SPINNING] = spinning * load;
  rows[at + R.FRICTION] = pairs.material[4 * pair] * load;
  rows[at + R.SURFACE] = pairs.material[4 * pair + PAIR_SURFACE_ALONG];
  rows[at + R.SURFACE + 1] = pairs.material[4 * pair + PAIR_SURFACE_ACROSS];
  return true;
}

function cross(m: Float64Array, to: number, a: number, b: number): void {
  m[to] = m[a + 1] * m[b + 2] - m[a + 2] * m[b + 1];
  m[to + 1] = m[a + 2] * m[b] - m[a] * m[b + 2];
  m[to + 2] = m[a] * m[b + 1] - m[a + 1] * m[b];
}

/** Arms to where the contact's load is: the mean of its points, by the impulses of the last step if there are some. */
function placeArms({ tables }: Engine, pair: number, at: number): void {
  const { pairs, bodies } = tables;
  const points = pairs.points[pair];
  let sum = 0;
  for (let k = 0; k < points; k++) sum += pairs.impulse[pairPointAt(pair, k)];
  for (let k = 0; k < points; k++) {
    const share = sum > 0 ? pairs.impulse[pairPointAt(pair, k)] / sum : 1 / points;
    for (let x = 0; x < 3; x++) rows[at + R.ARM_A + x] += share * pairs.point[pairPointAt(pair, k) + x];
  }
  for (let x = 0; x < 3; x++) {
    rows[at + R.ARM_B + x] = rows[at + R.ARM_A + x] - bodies.position[4 * pairs.bodyB[pair] + x];
    rows[at + R.ARM_A + x] -= bodies.position[4 * pairs.bodyA[pair] + x];
  }
}

/** out = I⁻¹ v of a body, 0 for what does not turn by torques. */
function turnBody({ tables }: Engine, body: number, out: Float64Array, to: number, v: Float64Array, at: number): void {
  const { inverseMass, inverseInertia: I } = tables.bodies;
  const k = 8 * body;
  const isFree = inverseMass[body] > 0 ? 1 : 0;
  const x = isFree * v[at];
  const y = isFree * v[at + 1];
  const z = isFree * v[at + 2];
  out[to] = I[k] * x + I[k + 3] * y + I[k + 4] * z;
  out[to + 1] = I[k + 3] * x + I[k + 1] * y + I[k + 5] * z;
  out[to + 2] = I[k + 4] * x + I[k + 5] * y + I[k + 2] * z;
}

/** arm = r × d, of A and of B, for direction d of the frame. */
function crossArms(at: number, d: number): void {
  for (let side = 0; side < 2; side++) {
    const r = at + R.ARM_A + 3 * side;
    const f = at + R.FRAME + 3 * d;
    arm[3 * side] = rows[r + 1] * rows[f + 2] - rows[r + 2] * rows[f + 1];
    arm[3 * side + 1] = rows[r + 2] * rows[f] - rows[r] * rows[f + 2];
    arm[3 * side + 2] = rows[r] * rows[f + 1] - rows[r + 1] * rows[f];
  }
}

function along(d: number, at: number, v: Float64Array, from: number): number {
  const f = at + R.FRAME + 3 * d;
  return rows[f] * v[from] + rows[f + 1] * v[from + 1] + rows[f + 2] * v[from + 2];
}

function writeOperator(engine: Engine, at: number, inverseMass: number, pair: number): void {
  const { bodyA, bodyB } = engine.tables.pairs;
  const a = bodyA[pair];
  const b = bodyB[pair];
  for (let d = 1; d < 3; d++) {
    crossArms(at, d);
    turnBody(engine, a, turn, 0, arm, 0);
    turnBody(engine, b, turn, 3, arm, 3);
    for (let k = 0; k < 3; k++) {
      rows[at + R.COUPLING + 2 * k + d - 1] = along(k, at, turn, 0) + along(k, at, turn, 3);
    }
    for (let e = d; e < 3; e++) {
      crossArms(at, e);
      let mass = e === d ? inverseMass : 0;
      for (let k = 0; k < 6; k++) mass += arm[k] * turn[k];
      rows[at + R.POINT + (e === d ? d - 1 : 2)] = mass;
    }
  }
  for (let d = 0; d < 3; d++) {
    turnBody(engine, a, turn, 0, rows, at + 3 * d);
    turnBody(engine, b, turn, 3, rows, at + 3 * d);
    for (let e = d; e < 3; e++) {
      const k = e === d ? d : 2 + d + e;
      rows[at + R.SPIN + k] = along(e, at, turn, 0) + along(e, at, turn, 3);
    }
  }
}

/** Normal impulse that the contact is sure to bear in this step [N·s]; notes the last one's. */
function loadOf({ tables, settings }: Engine, pair: number, at: number): number {
  const { pairs, bodies } = tables;
  let last = 0;
  let gap = Number.POSITIVE_INFINITY;
  for (let k = pairPointAt(pair, 0); k < pairPointAt(pair, pairs.points[pair]); k += 4) {
    last += pairs.impulse[k];
    gap = Math.min(gap, pairs.point[k + POINT_GAP]);
  }
  const sustained = Math.min(last, pairs.load[pair]);
  pairs.load[pair] = last;
  const a = pairs.bodyA[pair];
  const b = pairs.bodyB[pair];
  const { linearVelocity: v, velocityChange: change, inverseMass } = bodies;
  let closing = 0;
  let pressing = 0;
  for (let k = 0; k < 3; k++) {
    const n = rows[at + k];
    closing -= n * (v[4 * b + k] - v[4 * a + k]);
    if (inverseMass[a] > 0) pressing += n * change[8 * a + k];
    if (inverseMass[b] > 0) pressing -= n * change[8 * b + k];
  }
  const weight = pressing / (inverseMass[a] + inverseMass[b]);
  return closing * settings.timeStep > gap ? Math.max(sustained, weight) : sustained;
}

/** Relative spin along the frame and velocity of the contact point along its tangents, as they are now. */
function measure({ tables }: Engine, at: number, pair: number): void {
  const { bodies, pairs } = tables;
  const a = 4 * pairs.bodyA[pair];
  const b = 4 * pairs.bodyB[pair];
  const { linearVelocity: v, angularVelocity: w } = bodies;
  for (let k = 0; k < 3; k++) turn[k] = w[b + k] - w[a + k];
  for (let d = 0; d < 3; d++) spin[d] = along(d, at, turn, 0);
  for (let d = 1; d < 3; d++) {
    crossArms(at, d);
    let speed = -rows[at + R.SURFACE + d - 1];
    for (let k = 0; k < 3; k++) {
      speed += rows[at + 3 * d + k] * (v[b + k] - v[a + k]) + arm[3 + k] * w[b + k] - arm[k] * w[a + k];
    }
    slip[d - 1] = speed;
  }
}

/** Adds to a manifold's torque what would end its relative spin, as far as its load goes. */
function resist(engine: Engine, row: number): void {
  const at = row * R.STRIDE;
  const pair = pairsOf[row];
  measure(engine, at, pair);
  const xx = rows[at + R.POINT];
  const yy = rows[at + R.POINT + 1];
  const xy = rows[at + R.POINT + 2];
  const inverse = 1 / (xx * yy - xy * xy);
  let fx = -inverse * (yy * slip[0] - xy * slip[1]);
  let fy = -inverse * (xx * slip[1] - xy * slip[0]);
  const force = Math.sqrt(fx * fx + fy * fy);
  if (force > rows[at + R.FRICTION]) {
    rows[at + R.SLIDES] = 1;
    fx *= rows[at + R.FRICTION] / force;
    fy *= rows[at + R.FRICTION] / force;
  }
  const C = at + R.COUPLING;
  for (let d = 0; d < 3; d++) spin[d] += rows[C + 2 * d] * fx + rows[C + 2 * d + 1] * fy;
  const T = at + R.TORQUE;
  for (let d = 0; d < 3; d++) added[d] = -rows[T + d];
  resistRoll(at, inverse);
  const normal = rows[at + R.SPIN];
  if (normal > 0) {
    const limit = rows[at + R.SPINNING];
    rows[T] = Math.max(-limit, Math.min(limit, rows[T] - spin[0] / normal));
  }
  for (let d = 0; d < 3; d++) added[d] += rows[T + d];
  applyTorque(engine, at, pair, added);
}

/** The part along the tangents; where the contact point sticks, friction answers the torque. */
function resistRoll(at: number, inverse: number): void {
  const limit = rows[at + R.ROLLING];
  if (limit === 0) return;
  const D = at + R.SPIN;
  const C = at + R.COUPLING + 2;
  let sxx = rows[D + 1];
  let syy = rows[D + 2];
  let sxy = rows[D + 5];
  const free = sxx * syy - sxy * sxy;
  if (rows[at + R.SLIDES] === 0) {
    const a = rows[C];
    const b = rows[C + 1];
    const c = rows[C + 2];
    const d = rows[C + 3];
    const xx = rows[at + R.POINT] * inverse;
    const yy = rows[at + R.POINT + 1] * inverse;
    const xy = rows[at + R.POINT + 2] * inverse;
    sxx -= a * a * yy - 2 * a * b * xy + b * b * xx;
    syy -= c * c * yy - 2 * c * d * xy + d * d * xx;
    sxy -= a * c * yy - (a * d + b * c) * xy + b * d * xx;
  }
  const determinant = sxx * syy - sxy * sxy;
  if (!(determinant > LOCKED * (rows[D + 1] + rows[D + 2]) ** 2) || !(free > 0)) return;
  const T = at + R.TORQUE + 1;
  let x = rows[T] - (syy * spin[1] - sxy * spin[2]) / determinant;
  let y = rows[T + 1] - (sxx * spin[2] - sxy * spin[1]) / determinant;
  const length = Math.sqrt(x * x + y * y);
  if (length > limit) {
    x *= limit / length;
    y *= limit / length;
  }
  rows[T] = x;
  rows[T + 1] = y;
}

/** Gives both bodies a torque impulse along the frame. */
function applyTorque(engine: Engine, at: number, pair: number, torque: Float64Array): void {
  const { bodies, pairs } = engine.tables;
  for (let k = 0; k < 3; k++) {
    arm[k] = rows[at + k] * torque[0] + rows[at + 3 + k] * torque[1] + rows[at + 6 + k] * torque[2];
  }
  for (let side = 0; side < 2; side++) {
    const body = side === 0 ? pairs.bodyA[pair] : pairs.bodyB[pair];
    if (bodies.inverseMass[body] === 0) continue;
    turnBody(engine, body, turn, 0, arm, 0);
    for (let k = 0; k < 3; k++) {
      const change = side === 0 ? -turn[k] : turn[k];
      bodies.angularVelocity[4 * body + k] += change;
      bodies.velocityChange[8 * body + ANGULAR + k] += change;
      bodies.motion[8 * body + ANGULAR + k] += change;
    }
  }
}
