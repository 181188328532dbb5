// Bodies and their colliders come and go: slots in the tables, mass properties, boxes, pairs.
//
// Everything here runs between steps (copy-in), never inside a kernel.

import { addColliderProxy, forEachPair } from '../collision/broadphase';
import { touchRare } from '../core/arena';
import { freeSlot, takeSlot } from '../core/slots';
import type { MassProperties } from '../geometry/mass-properties';
import type { PlacedShape, ShapeHandle } from '../geometry/shapes';
import { normalizeQuaternion, rotateVector, unrotateVector } from '../math/quaternion';
import { COLLIDER_RESTITUTION, GRAVITY_OF_BODY, SLEEP_TIMER, SPINNING_FRICTION } from '../state/contact-places';
import * as L from '../state/layout';
import { massWithin } from '../state/limits';
import { noteBody } from '../state/strand-changes';
import { touchStrandsOf } from './elastic/touch-strands';
import type { Engine } from './engine';

/** What a body is made from. Poses are of the entity's frame; all arrays are read, none kept. */
export interface BodyDefinition {
  entity: number;
  /** L.BODY_STATIC, L.BODY_KINEMATIC or L.BODY_DYNAMIC. */
  type: number;
  shape: ShapeHandle;
  /** Its id. */
  shapeId: number;
  /** Pose of the entity's frame [m], quaternion (need not be normalised). */
  position: ArrayLike<number>;
  rotation: ArrayLike<number>;
  /** [kg]; 0 = density × volume. */
  mass: number;
  /** [kg/m³] */
  density: number;
  /** About the body's axes through its centre of mass [kg·m²]; 0 0 0 = the shape's own. */
  inertia: ArrayLike<number>;
  /** From the shape's centre of mass to the body's, body axes [m]. */
  centerOffset: ArrayLike<number>;
  /** About which world axes it does not turn: bits 1 x, 2 y, 4 z. */
  lockRotation: number;
  friction: number;
  restitution: number;
  /** [m] */
  rollingFriction: number;
  spinningFriction: number;
  /** L.RULE_*, 0 none: how friction and restitution combine with the other's. */
  frictionRule: number;
  restitutionRule: number;
  /** Velocity of the surface over the body, body axes [m/s]. */
  surfaceVelocity: ArrayLike<number>;
  /** Show its contacts to the game's contact modifiers? */
  modifyContacts: boolean;
  /** Follow it on its way through each step, however slow it is? */
  continuous: boolean;
  layers: number;
  mask: number;
  sensor: boolean;
  canSleep: boolean;
}

const vector = new Float64Array(3);

/**
 * Farthest from the origin that a body may be put along an axis [m]. There a double still resolves 0.1 µm; much
 * farther out squares of distances, and speeds to get there, overflow and take the neighbours along.
 */
export const FARTHEST = 1e9;

/** Whether a body may be put there: three finite coordinates not too far out. */
export function isReachable(position: ArrayLike<number>): boolean {
  for (let k = 0; k < 3; k++) if (!(Math.abs(position[k]) <= FARTHEST)) return false;
  return true;
}

/** Makes a body at rest; the caller writes velocity and damping. Returns its slot. */
export function createBody(engine: Engine, definition: BodyDefinition): number {
  const { arena, tables } = engine;
  const { bodies, control } = tables;
  touchRare(arena);
  control.bodies.ensure(arena.i32[L.BODY_COUNT >> 2] + 1);
  const body = takeSlot({ header: arena.i32, free: L.BODY_FREE >> 2, count: L.BODY_COUNT >> 2 }, bodies.next);
  bodies.generation[body]++;
  bodies.flags[body] = L.BODY_ALIVE | definition.type | (definition.canSleep ? 0 : L.BODY_NEVER_SLEEPS);
  bodies.entity[body] = definition.entity;
  bodies.collider[body] = -1;
  bodies.awakeIndex[body] = -1;
  bodies.island[body] = -1;
  bodies.next[body] = -1;
  bodies.joint[body] = -1;
  bodies.sweptUntil[body] = 0;
  bodies.shape[body] = definition.shapeId;

  for (const column of [
    bodies.position,
    bodies.linearVelocity,
    bodies.angularVelocity,
    bodies.force,
    bodies.torque,
    bodies.damping,
    bodies.targetPosition,
    bodies.previousPosition,
    bodies.surfaceVelocity,
  ]) {
    column.fill(0, body * 4, body * 4 + 4);
  }

  bodies.targetRotation.fill(0, body * 4, body * 4 + 4);
  for (const column of [bodies.rotation, bodies.previousRotation]) {
    column.fill(0, body * 4, body * 4 + 4);
    column[body * 4 + 3] = 1;
  }
  bodies.pending.fill(0, body * 8, body * 8 + 8);
  bodies.velocityChange.fill(0, body * 8, body * 8 + 8);
  bodies.motion.fill(0, body * 8, body * 8 + 8);
  bodies.damping[body * 4 + GRAVITY_OF_BODY] = 1;
  writeMass(engine, body, definition);
  writePose(engine, body, definition.position, definition.rotation);
  forgetMotion(engine, body);
  setBodyLocks(engine, body, definition.lockRotation);
  if (definition.continuous) bodies.flags[body] |= L.BODY_CONTINUOUS;
  if (definition.rollingFriction > 0 || definition.spinningFriction > 0) markRolling(engine, body);
  if (definition.modifyContacts) markCustom(engine, body, L.BODY_MODIFIES);
  if (isNotZero(definition.surfaceVelocity)) {
    markCustom(engine, body, L.BODY_SURFACE);
    for (let k = 0; k < 3; k++) bodies.surfaceVelocity[4 * body + k] = definition.surfaceVelocity[k];
  }
  for (const part of definition.shape.parts) addCollider(engine, body, part, definition);
  if (definition.type === L.BODY_DYNAMIC) pushAwake(engine, body);
  engine.report.bodies++;
  return body;
}

function isNotZero(v: ArrayLike<number>): boolean {
  return v[0] !== 0 || v[1] !== 0 || v[2] !== 0;
}

/** Flags a body whose pairs prepare-contacts must look at. */
function markCustom(engine: Engine, body: number, flag: number): void {
  const { flags } = engine.tables.bodies;
  const isFirst = (flags[body] & (L.BODY_SURFACE | L.BODY_MODIFIES)) === 0;
  flags[body] |= flag;
  if (isFirst) engine.arena.i32[L.CUSTOM_BODY_COUNT >> 2]++;
}

/** Flags a body whose contacts may resist rolling. */
export function markRolling(engine: Engine, body: number): void {
  const { flags } = engine.tables.bodies;
  if (!(flags[body] & L.BODY_ROLLS)) engine.arena.i32[L.ROLLING_BODY_COUNT >> 2]++;
  flags[body] |= L.BODY_ROLLS;
}

/** Sets the velocity of a body's surface over the body [m/s], body axes; what lies on it wakes. */
export function setBodySurface(engine: Engine, body: number, velocity: ArrayLike<number>): void {
  const { bodies, colliders, pairs } = engine.tables;
  touchRare(engine.arena);
  for (let k = 0; k < 3; k++) bodies.surfaceVelocity[4 * body + k] = velocity[k];
  disturbBody(engine, body);
  if (bodies.flags[body] & L.BODY_SURFACE || !isNotZero(velocity)) return;
  markCustom(engine, body, L.BODY_SURFACE);
  for (let c = bodies.collider[body]; c >= 0; c = colliders.next[c]) {
    forEachPair(engine.tables, c, (pair) => {
      for (let slot = pair; slot >= 0; slot = pairs.next[slot]) pairs.flags[slot] |= L.PAIR_SURFACE;
    });
  }
}

/** Mass, centre and inertia from the shape or as given; only dynamic bodies have a finite mass. */
function writeMass(engine: Engine, body: number, definition: BodyDefinition): void {
  const { bodies } = engine.tables;
  const { volume, center } = definition.shape.mass;
  for (let k = 0; k < 3; k++) bodies.center[body * 4 + k] = center[k] + definition.centerOffset[k];
  bodies.center[body * 4 + 3] = 0;
  bodies.localInertia.fill(0, body * 8, body * 8 + 8);
  bodies.localInverseInertia.fill(0, body * 8, body * 8 + 8);
  bodies.inverseInertia.fill(0, body * 8, body * 8 + 8);
  bodies.inverseMass[body] = 0;
  if (definition.type !== L.BODY_DYNAMIC) return;
  const mass = definition.mass > 0 ? definition.mass : definition.density * volume;
  bodies.inverseMass[body] = 1 / massWithin(mass);
  setBodyInertia(engine, body, definition.shape.mass, definition.inertia);
}

/**
 * Inertia about the body's axes through its centre of mass [kg·m²]; 0 0 0: what the shape has about its
 * own centre, for the body's mass.
 */
export function setBodyInertia(engine: Engine, body: number, own: MassProperties, given: ArrayLike<number>): void {
  const { bodies } = engine.tables;
  const isGiven = isNotZero(given);
  bodies.flags[body] = isGiven ? bodies.flags[body] | L.BODY_OWN_INERTIA : bodies.flags[body] & ~L.BODY_OWN_INERTIA;
  if (bodies.inverseMass[body] === 0) return;
  touchRare(engine.arena);
  // The shape's is kept per unit of volume-mass (density 1): scaled to the mass.
  const scale = 1 / (bodies.inverseMass[body] * own.volume);
  for (let k = 0; k < 6; k++) {
    bodies.localInertia[body * 8 + k] = isGiven ? (k < 3 ? given[k] : 0) : own.inertia[k] * scale;
  }
  invertSymmetric(bodies.localInverseInertia, bodies.localInertia, body * 8);
}

/** Moves a body's centre of mass to a point of the entity's frame [m]; the entity stays, and moves on, as it did. */
export function setBodyCenter(engine: Engine, body: number, center: ArrayLike<number>): void {
  const { bodies, colliders } = engine.tables;
  const at = 4 * body;
  touchRare(engine.arena);
  for (let k = 0; k < 3; k++) vector[k] = center[k] - bodies.center[at + k];
  const { joints } = engine.tables;
  for (let key = bodies.joint[body]; key >= 0; key = joints.link[key]) {
    for (let k = 0; k < 3; k++) joints.frame[8 * key + k] -= vector[k];
  }
  for (let c = bodies.collider[body]; c >= 0; c = colliders.next[c]) {
    for (let k = 0; k < 3; k++) colliders.localPosition[4 * c + k] -= vector[k];
  }
  for (let k = 0; k < 3; k++) bodies.center[at + k] = center[k];
  rotateVector(vector, 0, bodies.previousRotation, at, vector, 0);
  for (let k = 0; k < 3; k++) bodies.previousPosition[at + k] += vector[k];
  unrotateVector(vector, 0, bodies.previousRotation, at, vector, 0);
  rotateVector(vector, 0, bodies.rotation, at, vector, 0);
  const [x, y, z] = vector;
  const w = bodies.angularVelocity;
  bodies.linearVelocity[at] += w[at + 1] * z - w[at + 2] * y;
  bodies.linearVelocity[at + 1] += w[at + 2] * x - w[at] * z;
  bodies.linearVelocity[at + 2] += w[at] * y - w[at + 1] * x;
  for (let k = 0; k < 3; k++) bodies.position[at + k] += vector[k];
  bodies.flags[body] |= L.BODY_MOVED;
}

/** Locks the spin about world axes: bits 1 x, 2 y, 4 z. */
export function setBodyLocks(engine: Engine, body: number, axes: number): void {
  const { flags } = engine.tables.bodies;
  flags[body] = (flags[body] & ~L.BODY_LOCKS) | ((axes & 7) << L.BODY_LOCK_SHIFT);
}

/** Changes a dynamic body's mass [kg]; its inertia is scaled with it, unless the game gave one. */
export function setBodyMass(engine: Engine, body: number, mass: number): void {
  const { bodies } = engine.tables;
  touchRare(engine.arena);
  const factor = mass * bodies.inverseMass[body];
  bodies.inverseMass[body] = 1 / mass;
  if (bodies.flags[body] & L.BODY_OWN_INERTIA) return;
  for (let k = 8 * body; k < 8 * body + 6; k++) {
    bodies.localInertia[k] *= factor;
    bodies.localInverseInertia[k] /= factor;
  }
}

/** out = inverse of the symmetric matrix xx yy zz xy xz yz at the same offset. */
function invertSymmetric(out: Float64Array, m: Float64Array, at: number): void {
  const [xx, yy, zz, xy, xz, yz] = [m[at], m[at + 1], m[at + 2], m[at + 3], m[at + 4], m[at + 5]];
  const cx = yy * zz - yz * yz;
  const cy = xz * yz - xy * zz;
  const cz = xy * yz - yy * xz;
  const inverse = 1 / (xx * cx + xy * cy + xz * cz);
  out[at] = cx * inverse;
  out[at + 1] = (xx * zz - xz * xz) * inverse;
  out[at + 2] = (xx * yy - xy * xy) * inverse;
  out[at + 3] = cy * inverse;
  out[at + 4] = cz * inverse;
  out[at + 5] = (xy * xz - xx * yz) * inverse;
}

function addCollider(engine: Engine, body: number, part: PlacedShape, definition: BodyDefinition): void {
  const { arena, tables, kernels } = engine;
  tables.control.colliders.ensure(arena.i32[L.COLLIDER_COUNT >> 2] + 1);
  const { bodies, colliders } = tables;
  const cells = { header: arena.i32, free: L.COLLIDER_FREE >> 2, count: L.COLLIDER_COUNT >> 2 };
  const collider = takeSlot(cells, colliders.next);
  colliders.body[collider] = body;
  colliders.shape[collider] = part.shape;
  colliders.flags[collider] = L.COLLIDER_ALIVE | L.COLLIDER_MOVED | (definition.sensor ? L.COLLIDER_SENSOR : 0);
  colliders.flags[collider] |=
    (definition.frictionRule << L.COLLIDER_FRICTION_RULE) | (definition.restitutionRule << L.COLLIDER_RESTITUTION_RULE);
  colliders.layers[collider] = (definition.layers & 0xffff) | (definition.mask << 16);
  colliders.material[collider * 2] = definition.friction;
  colliders.material[collider * 2 + COLLIDER_RESTITUTION] = definition.restitution;
  colliders.rolling[collider * 2] = definition.rollingFriction;
  colliders.rolling[collider * 2 + SPINNING_FRICTION] = definition.spinningFriction;
  colliders.entity[collider] = definition.entity;
  colliders.node[collider] = -1;
  for (let k = 0; k < 3; k++) {
    colliders.localPosition[collider * 4 + k] = part.position[k] - bodies.center[body * 4 + k];
  }
  for (let k = 0; k < 4; k++) colliders.localRotation[collider * 4 + k] = part.rotation[k];
  colliders.next[collider] = bodies.collider[body];
  bodies.collider[body] = collider;
  addColliderProxy(tables, kernels, arena, collider);
}

/** Takes a body out of the world with its colliders and pairs; touches that were reported end. */
export function destroyBody(engine: Engine, body: number): void {
  const { arena, tables, kernels } = engine;
  const { bodies, colliders } = tables;
  wakeBody(engine, body);
  wakeNeighbors(engine, body);
  for (let collider = bodies.collider[body]; collider >= 0; ) {
    const next = colliders.next[collider];
    kernels.removeCollider(collider);
    colliders.flags[collider] = 0;
    freeSlot({ header: arena.i32, free: L.COLLIDER_FREE >> 2, count: L.COLLIDER_COUNT >> 2 }, colliders.next, collider);
    collider = next;
  }
  dropAwake(engine, body);
  engine.report.bodies--;
  if (bodies.flags[body] & (L.BODY_SURFACE | L.BODY_MODIFIES)) arena.i32[L.CUSTOM_BODY_COUNT >> 2]--;
  if (bodies.flags[body] & L.BODY_ROLLS) arena.i32[L.ROLLING_BODY_COUNT >> 2]--;
  bodies.flags[body] = 0;
  bodies.entity[body] = 0;
  noteBody(tables);
  freeSlot({ header: arena.i32, free: L.BODY_FREE >> 2, count: L.BODY_COUNT >> 2 }, bodies.next, body);
}

/** Wakes a body with its whole sleeping island; kinematic bodies that stand still are put on the list. */
export function wakeBody(engine: Engine, body: number): void {
  const { bodies } = engine.tables;
  const flags = bodies.flags[body];
  if (flags & L.BODY_STATIC) return;
  if (flags & L.BODY_ASLEEP) engine.kernels.wakeBody(body);
  else if (bodies.awakeIndex[body] < 0) {
    pushAwake(engine, body);
    engine.kernels.activateBody(body);
  }
  bodies.damping[body * 4 + SLEEP_TIMER] = 0;
}

/** Wakes everything that a body touches or nearly touches: it is about to lose, or has lost, its support. */
function wakeNeighbors(engine: Engine, body: number): void {
  const { bodies, colliders } = engine.tables;
  const found: number[] = [];
  for (let c = bodies.collider[body]; c >= 0; c = colliders.next[c]) {
    forEachPair(engine.tables, c, (_pair, other) => found.push(colliders.body[other]));
  }
  const { joints } = engine.tables;
  for (let key = bodies.joint[body]; key >= 0; key = joints.link[key]) {
    if (joints.body[key ^ 1] >= 0) found.push(joints.body[key ^ 1]);
  }
  for (const other of found) if (bodies.flags[other] & L.BODY_ASLEEP) wakeBody(engine, other);
  touchStrandsOf(engine, body);
}

/** A body was moved by hand: it wakes, and so does what it touched. */
export function disturbBody(engine: Engine, body: number): void {
  wakeBody(engine, body);
  wakeNeighbors(engine, body);
}

function pushAwake(engine: Engine, body: number): void {
  const { arena, tables } = engine;
  const count = arena.i32[L.AWAKE_COUNT >> 2];
  tables.bodies.awakeList[count] = body;
  tables.bodies.awakeIndex[body] = count;
  arena.i32[L.AWAKE_COUNT >> 2] = count + 1;
}

function dropAwake(engine: Engine, body: number): void {
  const { arena, tables } = engine;
  const { awakeIndex, awakeList } = tables.bodies;
  const at = awakeIndex[body];
  if (at < 0) return;
  const last = --arena.i32[L.AWAKE_COUNT >> 2];
  const moved = awakeList[last];
  awakeList[at] = moved;
  awakeIndex[moved] = at;
  awakeIndex[body] = -1;
}

/** Pose of a body's centre of mass: position (3), rotation (4). */
export function readPose({ tables }: Engine, body: number): Float64Array {
  const { position, rotation } = tables.bodies;
  return Float64Array.of(...position.subarray(4 * body, 4 * body + 3), ...rotation.subarray(4 * body, 4 * body + 4));
}

/** Writes the pose of the entity's frame; the body is moved there at once (its boxes at the next step). */
export function writePose(
  engine: Engine,
  body: number,
  position: ArrayLike<number>,
  rotation: ArrayLike<number>,
): void {
  const { bodies } = engine.tables;
  placeCenter(bodies.position, bodies.rotation, bodies.center, body, position, rotation);
  bodies.flags[body] |= L.BODY_MOVED;
  noteBody(engine.tables);
}

/** Row `body` of two columns = pose of the centre of mass when the entity's frame is at (position, rotation). */
function placeCenter(
  outPosition: Float64Array,
  outRotation: Float64Array,
  center: Float64Array,
  body: number,
  position: ArrayLike<number>,
  rotation: ArrayLike<number>,
): void {
  const at = 4 * body;
  normalizeQuaternion(outRotation, at, rotation, 0);
  rotateVector(vector, 0, outRotation, at, center, at);
  for (let k = 0; k < 3; k++) outPosition[at + k] = position[k] + vector[k];
}

/**
 * Shortens velocity and spin to what the engine moves a body with at most (MAXIMUM_SPEED, MAXIMUM_SPIN). To be called
 * when they were written by hand: predict-motion would do it too, but as a change of velocity in the step, which
 * the f32 sweeps cannot hold when it is huge.
 */
export function limitVelocity(engine: Engine, body: number): void {
  const { bodies } = engine.tables;
  limitLength(bodies.linearVelocity, 4 * body, engine.arena.f64[L.MAXIMUM_SPEED >> 3]);
  limitLength(bodies.angularVelocity, 4 * body, engine.arena.f64[L.MAXIMUM_SPIN >> 3]);
}

/** Shortens the vector to `limit`; what is not finite is left to quarantine. */
export function limitLength(v: Float64Array, at: number, limit: number): void {
  const largest = Math.max(Math.abs(v[at]), Math.abs(v[at + 1]), Math.abs(v[at + 2]));
  if (!(largest > limit / 2 && largest < Number.POSITIVE_INFINITY)) return;
  const [x, y, z] = [v[at] / largest, v[at + 1] / largest, v[at + 2] / largest];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length * largest <= limit) return;
  v[at] = (x / length) * limit;
  v[at + 1] = (y / length) * limit;
  v[at + 2] = (z / length) * limit;
}

/** The body has always been where it is: nothing to interpolate. */
export function forgetMotion(engine: Engine, body: number): void {
  const { bodies } = engine.tables;
  for (let k = 4 * body; k < 4 * body + 4; k++) {
    bodies.previousPosition[k] = bodies.position[k];
    bodies.previousRotation[k] = bodies.rotation[k];
  }
}

/** Sets where a kinematic body's frame shall be at the end of the next step. */
export function writeTarget(
  engine: Engine,
  body: number,
  position: ArrayLike<number>,
  rotation: ArrayLike<number>,
): void {
  const { bodies } = engine.tables;
  placeCenter(bodies.targetPosition, bodies.targetRotation, bodies.center, body, position, rotation);
  bodies.flags[body] |= L.BODY_HAS_TARGET;
  wakeBody(engine, body);
}
