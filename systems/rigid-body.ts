// The calls a game makes on rigid bodies. All check their input and throw UsageError: where, expected, got.

import { addEntity, entityExists, hasComponent, removeEntity } from 'bitecs';
import { written } from '../components/columns';
import { noteMotion } from '../src/collision/queries';
import {
  refuse,
  refuseAs,
  refuseKey,
  requireBits,
  requireFinite,
  requireFlag,
  requireNonNegative,
  requirePositive,
  requireVector,
} from '../src/core/errors';
import {
  disturbBody,
  FARTHEST,
  forgetMotion,
  isReachable,
  limitVelocity,
  readPose,
  setBodySurface,
  wakeBody as wakeSlot,
  writePose,
  writeTarget,
} from '../src/dynamics/bodies';
import { type ShapeSpec, STATIC_NAMES } from '../src/geometry/shapes';
import { normalizeQuaternion, rotateVector, unrotateVector } from '../src/math/quaternion';
import { lockedInverse, multiplyTensor } from '../src/mechanics/rigid';
import { COMBINE_RULES, type CombineRule, numberOfRule } from '../src/state/combine-rules';
import * as L from '../src/state/layout';
import {
  isGravityScale,
  LARGEST_GRAVITY_SCALE,
  LARGEST_INERTIA,
  LARGEST_MASS,
  LARGEST_OFFSET,
  LARGEST_PUSH,
  SMALLEST_INERTIA,
  SMALLEST_MASS,
  within,
} from '../src/state/limits';
import { copyOutBody, copyOutSurface, pushMoved } from './copy-out';
import { addSafely } from './ecs-changes';
import { makePending } from './entities';
import { isGoing, noteBirth } from './entity-lives';
import { type Physics, refuseEntity, requirePhysics } from './physics';
import { findShape, pinShape, shapeOf, unpinShape } from './shapes';
import { missingPart } from './waiting-bodies';
import { tellLimited, tellPlaced, warnOfDegrees, warnOnce } from './warnings';

/** Numbers x y z, or x y z w: an array or a typed array. */
export type Vector = ArrayLike<number>;

export interface RigidBodySpec {
  /** Default 'dynamic'. */
  type?: 'dynamic' | 'static' | 'kinematic';
  /** A shape, or the id that createShape gave. */
  shape: ShapeSpec | number;
  /** Position of the entity's frame [m]. Default the origin. */
  position?: Vector;
  /** Rotation as a quaternion x y z w, normalised here. Default none. */
  rotation?: Vector;
  /** Velocity of the centre of mass [m/s]. */
  velocity?: Vector;
  /** Spin, world axes [rad/s]. */
  angularVelocity?: Vector;
  /** [kg]. Default density × volume. */
  mass?: number;
  /** About the body's axes through its centre of mass [kg·m²]. Default the shape's for the body's mass. */
  inertia?: Vector;
  /** Centre of mass in the entity's frame [m]; inertia counts about it. Default the shape's. */
  centerOfMass?: Vector;
  /** World axes x, y, z about which the body does not turn, whatever acts on it. Default none. */
  lockRotation?: readonly [boolean, boolean, boolean];
  /** [kg/m³]. Default 1000. */
  density?: number;
  /** Coulomb coefficient [-]; of a pair the geometric mean counts unless a rule says else. Default 0.6. */
  friction?: number;
  /** 0..1; of a pair the larger one counts unless a rule says else. Default 0. */
  restitution?: number;
  /**
   * How friction combines with the other body's. Of two rules the stronger counts: maximum, multiply, minimum,
   * average, geometric-mean, from strong to weak. Default none: the other's rule, without one the geometric mean.
   */
  combineFriction?: CombineRule;
  /** The same for restitution; without any rule the larger counts. */
  combineRestitution?: CombineRule;
  /**
   * Torque against rolling over the normal force [m]: a ball of radius R comes to rest, and stands on slopes up to
   * tan θ = rollingFriction / R. Combined as friction is: both bodies need some unless a rule says else. Default 0.
   */
  rollingFriction?: number;
  /** The same against spinning about the contact's normal [m]. Default 0. */
  spinningFriction?: number;
  /**
   * Velocity of the body's surface over the body, in its own axes [m/s]: a conveyor belt. What is along a contact's
   * normal does nothing. Default none.
   */
  surfaceVelocity?: Vector;
  /** Show its contacts to `physics.modifyContacts` every step. Default false. */
  modifyContacts?: boolean;
  /**
   * Follow it on its way through each step, so that it goes through nothing. What goes farther in a step than its
   * thinnest half is followed in any case. Default false.
   */
  continuous?: boolean;
  /** [1/s]. Default 0. */
  linearDamping?: number;
  /** [1/s]. Default 0. */
  angularDamping?: number;
  /** Default 1. */
  gravityScale?: number;
  /** Layers the collider is in, 16 bits. Default 1. */
  layers?: number;
  /** Layers it collides with, 16 bits. Default all. */
  mask?: number;
  /** Touches are reported, nothing is pushed. Default false. */
  sensor?: boolean;
  /** Default true. */
  canSleep?: boolean;
}

const KEYS = new Set([
  'type',
  'shape',
  'position',
  'rotation',
  'velocity',
  'angularVelocity',
  'mass',
  'inertia',
  'centerOfMass',
  'lockRotation',
  'density',
  'friction',
  'restitution',
  'combineFriction',
  'combineRestitution',
  'rollingFriction',
  'spinningFriction',
  'surfaceVelocity',
  'modifyContacts',
  'continuous',
  'linearDamping',
  'angularDamping',
  'gravityScale',
  'layers',
  'mask',
  'sensor',
  'canSleep',
]);

function requireRule(where: string, name: string, value: unknown): CombineRule | undefined {
  if (value === undefined || COMBINE_RULES.includes(value as CombineRule)) return value as CombineRule | undefined;
  return refuse(where, `${name} must be one of ${COMBINE_RULES.join(', ')}`, value);
}

/** Three flags as bits 1, 2 and 4. */
function requireLocks(where: string, value: unknown): number {
  const list = value as ArrayLike<unknown> | null;
  if (typeof list !== 'object' || list === null || list.length !== 3) {
    refuse(where, 'lockRotation must be three of true or false, for the axes x, y and z', value);
  }
  let bits = 0;
  for (let k = 0; k < 3; k++) if (requireFlag(where, `lockRotation[${k}]`, list[k])) bits |= 1 << k;
  return bits;
}

function requirePosition(where: string, value: unknown): number[] {
  const p = requireVector(where, 'position', value, 3, 'm');
  if (!isReachable(p)) refuse(where, `position must be within ±${FARTHEST} [m]`, p);
  return p;
}

/** A quaternion, normalised. */
function requireRotation(physics: Physics, where: string, value: unknown): Float64Array {
  const name = 'rotation';
  const q = Float64Array.from(requireVector(where, name, value, 4));
  if (q.every((x) => x === 0)) refuse(where, `${name} must not be zero`, value);
  if (physics?.internal) warnOfDegrees(physics, `${where}: rotation`, q);
  normalizeQuaternion(q, 0, q, 0);
  return q;
}

/** Mass [kg] (0: density × volume), inertia [kg·m²] and centre of mass [m] of what is to be made. */
function readMass(where: string, spec: RigidBodySpec) {
  const mass = spec.mass === undefined ? 0 : requirePositive(where, 'mass', spec.mass, 'kg');
  if (mass > LARGEST_MASS) refuse(where, `mass must be at most ${LARGEST_MASS} [kg] (or type static)`, mass);
  if (mass > 0 && mass < SMALLEST_MASS) refuse(where, `mass must be at least ${SMALLEST_MASS} [kg]`, mass);
  const inertia = spec.inertia === undefined ? null : requireVector(where, 'inertia', spec.inertia, 3, 'kg·m²');
  inertia?.forEach((n, k) => {
    requirePositive(where, `inertia[${k}]`, n, 'kg·m²');
    if (n < SMALLEST_INERTIA || n > LARGEST_INERTIA)
      refuse(where, `inertia[${k}] must be within ${SMALLEST_INERTIA}..${LARGEST_INERTIA} [kg·m²]`, n);
  });
  const center = spec.centerOfMass && requireVector(where, 'centerOfMass', spec.centerOfMass, 3, 'm');
  if (center?.some((x) => Math.abs(x) > LARGEST_OFFSET))
    refuse(where, `centerOfMass must be within ±${LARGEST_OFFSET} [m]`, spec.centerOfMass);
  return { mass, inertia, center };
}

/**
 * Adds an entity with Transform, Velocity, RigidBody, Collider, Material (and tags) and returns its id.
 * Throws UsageError on wrong input, before anything is added.
 */
export function addRigidBody(physics: Physics, spec: RigidBodySpec): number {
  const where = 'addRigidBody';
  requirePhysics(physics, where);
  if (typeof spec !== 'object' || spec === null) refuse(where, 'spec must be an object', spec);
  for (const key of Object.keys(spec)) if (!KEYS.has(key)) refuseKey(where, key, KEYS);
  const type = spec.type ?? 'dynamic';
  if (!['dynamic', 'static', 'kinematic'].includes(type))
    refuse(where, 'type must be dynamic, static or kinematic', type);
  const position = requirePosition(where, spec.position ?? [0, 0, 0]);
  const rotation = requireRotation(physics, where, spec.rotation ?? [0, 0, 0, 1]);
  const velocity = requireVector(where, 'velocity', spec.velocity ?? [0, 0, 0], 3, 'm/s');
  const spin = requireVector(where, 'angularVelocity', spec.angularVelocity ?? [0, 0, 0], 3, 'rad/s');
  const { mass, inertia, center } = readMass(where, spec);
  const locks = requireLocks(where, spec.lockRotation ?? [false, false, false]);
  const density = requirePositive(where, 'density', spec.density ?? 1000, 'kg/m³');
  const friction = requireNonNegative(where, 'friction', spec.friction ?? 0.6);
  const restitution = requireNonNegative(where, 'restitution', spec.restitution ?? 0);
  if (restitution > 1) refuse(where, 'restitution must be 0..1', restitution);
  const rollingFriction = requireNonNegative(where, 'rollingFriction', spec.rollingFriction ?? 0, 'm');
  const spinningFriction = requireNonNegative(where, 'spinningFriction', spec.spinningFriction ?? 0, 'm');
  const frictionRule = requireRule(where, 'combineFriction', spec.combineFriction);
  const restitutionRule = requireRule(where, 'combineRestitution', spec.combineRestitution);
  const surface = requireVector(where, 'surfaceVelocity', spec.surfaceVelocity ?? [0, 0, 0], 3, 'm/s');
  const modifyContacts = requireFlag(where, 'modifyContacts', spec.modifyContacts ?? false);
  const continuous = requireFlag(where, 'continuous', spec.continuous ?? false);
  const linearDamping = requireNonNegative(where, 'linearDamping', spec.linearDamping ?? 0, '1/s');
  const angularDamping = requireNonNegative(where, 'angularDamping', spec.angularDamping ?? 0, '1/s');
  const gravityScale = requireFinite(where, 'gravityScale', spec.gravityScale ?? 1);
  if (!isGravityScale(gravityScale))
    refuse(where, `gravityScale must be within ±${LARGEST_GRAVITY_SCALE}`, gravityScale);
  const layers = requireBits(where, 'layers', spec.layers ?? 1);
  const mask = requireBits(where, 'mask', spec.mask ?? 0xffff);
  if (layers === 0 && mask !== 0) {
    const text = `${where}: layers 0 is no layer, so that nothing touches the body; layers are bits: 1, 2, 4, 8 …`;
    warnOnce(physics, 'no layer', `${text} (mask: 0, too, where that is meant)`);
  }
  const sensor = requireFlag(where, 'sensor', spec.sensor ?? false);
  const canSleep = requireFlag(where, 'canSleep', spec.canSleep ?? true);
  const shape = typeof spec.shape === 'number' ? spec.shape : findShape(physics, spec.shape, where);
  const handle = shapeOf(physics, shape, where);
  if (handle.staticOnly && type !== 'static') refuseAs(where, `${STATIC_NAMES} must be on bodies of type static`, type);

  const { world, components } = physics;
  const { Transform, Interpolated, Velocity, RigidBody, Collider, Material, Static, Kinematic, Sensor } = components;
  const eid = addEntity(world);
  noteBirth(physics, eid);
  const parts: object[] = [Transform, Interpolated, Velocity, Collider, Material];
  if (sensor) parts.unshift(Sensor);
  if (type !== 'dynamic') parts.unshift(type === 'static' ? Static : Kinematic);

  // Observers may make other shapes: this one must not be taken for unused meanwhile.
  pinShape(physics, shape);

  try {
    // An observer may remove the entity: then there is no more to write to.
    for (const component of parts) if (!addSafely(world, eid, component)) return eid;
  } finally {
    unpinShape(physics, shape);
  }
  [Transform.position.x[eid], Transform.position.y[eid], Transform.position.z[eid]] = position;
  const turn = Transform.rotation;
  [turn.x[eid], turn.y[eid], turn.z[eid], turn.w[eid]] = rotation;
  const shown = written(Interpolated);
  [shown.position.x[eid], shown.position.y[eid], shown.position.z[eid]] = position;
  [shown.rotation.x[eid], shown.rotation.y[eid], shown.rotation.z[eid], shown.rotation.w[eid]] = rotation;
  [Velocity.linear.x[eid], Velocity.linear.y[eid], Velocity.linear.z[eid]] = velocity;
  [Velocity.angular.x[eid], Velocity.angular.y[eid], Velocity.angular.z[eid]] = spin;
  Collider.shape[eid] = shape;
  Collider.layers[eid] = layers;
  Collider.mask[eid] = mask;
  Material.friction[eid] = friction;
  Material.restitution[eid] = restitution;
  Material.density[eid] = density;
  Material.combineFriction[eid] = numberOfRule(frictionRule);
  Material.combineRestitution[eid] = numberOfRule(restitutionRule);
  Material.rollingFriction[eid] = rollingFriction;
  Material.spinningFriction[eid] = spinningFriction;

  // Last, so that a game's onAdd(RigidBody) sees the whole entity.
  if (!addSafely(world, eid, RigidBody)) return eid;
  RigidBody.mass[eid] = mass;
  RigidBody.linearDamping[eid] = linearDamping;
  RigidBody.angularDamping[eid] = angularDamping;
  RigidBody.gravityScale[eid] = gravityScale;
  RigidBody.canSleep[eid] = canSleep ? 1 : 0;
  if (inertia) [RigidBody.inertia.x[eid], RigidBody.inertia.y[eid], RigidBody.inertia.z[eid]] = inertia;
  if (center) {
    const offset = center.map((x, k) => x - handle.mass.center[k]);
    [RigidBody.centerOffset.x[eid], RigidBody.centerOffset.y[eid], RigidBody.centerOffset.z[eid]] = offset;
  }
  RigidBody.lockRotation[eid] = locks;
  const { surfaceVelocity } = RigidBody;
  [surfaceVelocity.x[eid], surfaceVelocity.y[eid], surfaceVelocity.z[eid]] = surface;
  RigidBody.modifyContacts[eid] = modifyContacts ? 1 : 0;
  RigidBody.continuous[eid] = continuous ? 1 : 0;
  return eid;
}

/**
 * Removes the entity and its body. Allowed at any time; an entity already gone is left alone. Throws UsageError for one
 * that has no RigidBody.
 */
export function removeRigidBody(physics: Physics, eid: number): void {
  requirePhysics(physics, 'removeRigidBody');
  requireEntity('removeRigidBody', eid);
  if (!entityExists(physics.world, eid) || isGoing(physics, eid)) return;
  if (!hasComponent(physics.world, eid, physics.components.RigidBody))
    refuse('removeRigidBody', 'entity must be a rigid body of this world', eid);
  removeEntity(physics.world, eid);
}

function requireEntity(where: string, eid: unknown, name = 'entity'): void {
  if (typeof eid !== 'number' || !Number.isInteger(eid)) refuse(where, `${name} must be an entity id`, eid);
}

/** Body slot of an entity, `name` as errors call it; bodies that wait to be made are made first. */
export function slotOf(physics: Physics, eid: number, where: string, name = 'entity'): number {
  requirePhysics(physics, where);
  requireEntity(where, eid, name);
  makePending(physics);
  const slot = physics.internal.slotOf[eid] ?? -1;
  if (slot >= 0) return slot;
  const missing = missingPart(physics, eid);
  if (missing) refuse(where, `${name} must have a body, and ${missing}`, eid);
  return refuseEntity(physics, where, `${name} must be a rigid body of this world`, eid);
}

/**
 * A force, impulse or moment; what is beyond all measure counts as LARGEST_PUSH, and the body as fast as one may be.
 */
function requirePush(where: string, name: string, value: unknown, unit: string): number[] {
  return requireVector(where, name, value, 3, unit).map((x) => within(x, LARGEST_PUSH));
}

/** A point on which something acts; one farther out than a body may be counts as the nearest that is not. */
function requirePoint(where: string, value: unknown): number[] {
  return requireVector(where, 'point', value, 3, 'm').map((x) => within(x, FARTHEST));
}

/** Characters are kinematic, and moved by their own columns alone. */
function isCharacter({ world, components }: Physics, eid: number): boolean {
  return hasComponent(world, eid, components.Character);
}

/** Forces and impulses move dynamic bodies only. */
function tellUnmoved(physics: Physics, eid: number, slot: number, where: string): void {
  const flags = physics.internal.engine.tables.bodies.flags[slot];
  if (flags & L.BODY_DYNAMIC) return;
  const type = isCharacter(physics, eid) ? 'a character' : flags & L.BODY_STATIC ? 'static' : 'kinematic';
  const remedy = {
    'a character': 'write Character.move, jump or push',
    static: 'make it dynamic, or use teleport',
    kinematic: 'use setKinematicTarget or setVelocity',
  }[type];
  warnOnce(physics, `${where} ${type}`, `${where}: entity ${eid} is ${type} and does not move by it; ${remedy}`);
}

/** Adds a force [N], world axes, for the next step, at a world point [m] or the centre of mass. */
export function applyForce(physics: Physics, eid: number, force: Vector, point?: Vector): void {
  const where = 'applyForce';
  const f = requirePush(where, 'force', force, 'N');
  const p = point === undefined ? null : requirePoint(where, point);
  const slot = slotOf(physics, eid, where);
  tellUnmoved(physics, eid, slot, where);
  const { engine } = physics.internal;
  const { bodies } = engine.tables;
  for (let k = 0; k < 3; k++) bodies.force[4 * slot + k] += f[k];
  if (p) addMoment(bodies.torque, 4 * slot, bodies.position, 4 * slot, p, f);
  wakeSlot(engine, slot);
}

/** out += (p − x) × f. */
function addMoment(out: Float64Array, o: number, x: Float64Array, xo: number, p: number[], f: number[]): void {
  const rx = p[0] - x[xo];
  const ry = p[1] - x[xo + 1];
  const rz = p[2] - x[xo + 2];
  out[o] += ry * f[2] - rz * f[1];
  out[o + 1] += rz * f[0] - rx * f[2];
  out[o + 2] += rx * f[1] - ry * f[0];
}

/** Adds a torque [N·m], world axes, for the next step. */
export function applyTorque(physics: Physics, eid: number, torque: Vector): void {
  const t = requirePush('applyTorque', 'torque', torque, 'N·m');
  const slot = slotOf(physics, eid, 'applyTorque');
  tellUnmoved(physics, eid, slot, 'applyTorque');
  const { engine } = physics.internal;
  for (let k = 0; k < 3; k++) engine.tables.bodies.torque[4 * slot + k] += t[k];
  wakeSlot(engine, slot);
}

const moment = new Float64Array(3);
const lockedTensor = new Float64Array(6);

/** Changes the velocity at once by an impulse [N·s], world axes, at a world point [m] or the centre of mass. */
export function applyImpulse(physics: Physics, eid: number, impulse: Vector, point?: Vector): void {
  const where = 'applyImpulse';
  const j = requirePush(where, 'impulse', impulse, 'N·s');
  const p = point === undefined ? null : requirePoint(where, point);
  const slot = slotOf(physics, eid, where);
  tellUnmoved(physics, eid, slot, where);
  const { bodies } = physics.internal.engine.tables;
  for (let k = 0; k < 3; k++) {
    bodies.linearVelocity[4 * slot + k] += within(j[k] * bodies.inverseMass[slot], LARGEST_PUSH);
  }
  if (p) {
    moment.fill(0);
    addMoment(moment, 0, bodies.position, 4 * slot, p, j);
    turnBody(physics, slot);
  }
  stateWritten(physics, eid, slot, where);
}

/** Changes the spin at once by an angular impulse [N·m·s], world axes. */
export function applyAngularImpulse(physics: Physics, eid: number, impulse: Vector): void {
  moment.set(requirePush('applyAngularImpulse', 'impulse', impulse, 'N·m·s'));
  const slot = slotOf(physics, eid, 'applyAngularImpulse');
  tellUnmoved(physics, eid, slot, 'applyAngularImpulse');
  turnBody(physics, slot);
  stateWritten(physics, eid, slot, 'applyAngularImpulse');
}

/** ω += R I⁻¹ Rᵀ moment. */
function turnBody(physics: Physics, slot: number): void {
  const { bodies } = physics.internal.engine.tables;
  // Nothing turns what has no finite mass; an infinite moment times zero would be NaN.
  if (bodies.inverseMass[slot] === 0) return;
  const locks = bodies.flags[slot] & L.BODY_LOCKS;
  if (locks !== 0) {
    lockedInverse(lockedTensor, bodies.rotation, 4 * slot, bodies.localInertia, 8 * slot, locks >> L.BODY_LOCK_SHIFT);
    multiplyTensor(moment, 0, lockedTensor, 0, moment, 0);
    for (let k = 0; k < 3; k++) bodies.angularVelocity[4 * slot + k] += within(moment[k], LARGEST_PUSH);
    return;
  }
  unrotateVector(moment, 0, bodies.rotation, 4 * slot, moment, 0);
  const I = bodies.localInverseInertia;
  const at = 8 * slot;
  const [x, y, z] = moment;
  moment[0] = I[at] * x + I[at + 3] * y + I[at + 4] * z;
  moment[1] = I[at + 3] * x + I[at + 1] * y + I[at + 5] * z;
  moment[2] = I[at + 4] * x + I[at + 5] * y + I[at + 2] * z;
  rotateVector(moment, 0, bodies.rotation, 4 * slot, moment, 0);
  for (let k = 0; k < 3; k++) bodies.angularVelocity[4 * slot + k] += within(moment[k], LARGEST_PUSH);
}

const asked = new Float64Array(6);

function stateWritten(physics: Physics, eid: number, slot: number, where: string): void {
  noteMotion(physics.internal.queries);
  const { bodies } = physics.internal.engine.tables;
  for (let k = 0; k < 3; k++) {
    asked[k] = bodies.linearVelocity[4 * slot + k];
    asked[3 + k] = bodies.angularVelocity[4 * slot + k];
  }
  limitVelocity(physics.internal.engine, slot);
  tellLimited(physics, slot, eid, where, asked);
  wakeSlot(physics.internal.engine, slot);
  copyOutBody(physics, slot);
  pushMoved(physics, eid);
}

/**
 * Puts a body somewhere else at once, keeping its velocity; what it touched is forgotten at the next step. Rods,
 * grooms, shells and solids that hang on it alone go along as they are; bodies that joints tie to it do not: teleport
 * each one of a ragdoll. Writing its Transform does the same at the next step; hair then sways where the way is short
 * (20 m/s, 60 rad/s, no farther than it is long), as it does with `setKinematicTarget`.
 */
export function teleport(physics: Physics, eid: number, position: Vector, rotation?: Vector): void {
  const p = requirePosition('teleport', position);
  const q = rotation === undefined ? null : requireRotation(physics, 'teleport', rotation);
  const slot = slotOf(physics, eid, 'teleport');
  const { engine, modules } = physics.internal;
  const from = readPose(engine, slot);
  writePose(engine, slot, p, q ?? from.subarray(3));
  for (const module of modules) module.teleport?.(engine, slot, from, false);
  forgetMotion(engine, slot);
  disturbBody(engine, slot);
  tellPlaced(physics, slot, eid);
  stateWritten(physics, eid, slot, 'teleport');
}

/** Sets the velocity [m/s] and, if given, the spin [rad/s], world axes; at most 1000 m/s and 500 rad/s are kept. */
export function setVelocity(physics: Physics, eid: number, linear: Vector, angular?: Vector): void {
  const v = requireVector('setVelocity', 'linear', linear, 3, 'm/s');
  const w = angular === undefined ? null : requireVector('setVelocity', 'angular', angular, 3, 'rad/s');
  const slot = slotOf(physics, eid, 'setVelocity');
  const { bodies } = physics.internal.engine.tables;
  if (bodies.flags[slot] & L.BODY_STATIC || isCharacter(physics, eid)) {
    tellUnmoved(physics, eid, slot, 'setVelocity');
    return;
  }
  bodies.linearVelocity.set(v, 4 * slot);
  if (w) bodies.angularVelocity.set(w, 4 * slot);
  stateWritten(physics, eid, slot, 'setVelocity');
}

/**
 * Says where a kinematic body shall be at the end of the next step; it gets there exactly, pushing what is in
 * the way. Without a rotation it keeps its own. Throws UsageError if the body is not kinematic.
 */
export function setKinematicTarget(physics: Physics, eid: number, position: Vector, rotation?: Vector): void {
  const where = 'setKinematicTarget';
  const p = requirePosition(where, position);
  const q = rotation === undefined ? null : requireRotation(physics, where, rotation);
  const slot = slotOf(physics, eid, where);
  const { engine } = physics.internal;
  const { bodies } = engine.tables;
  if (!(bodies.flags[slot] & L.BODY_KINEMATIC))
    refuseAs(where, 'entity must be kinematic', `entity ${eid}, which is not`);
  if (isCharacter(physics, eid)) {
    tellUnmoved(physics, eid, slot, where);
    return;
  }
  tellLeap(physics, eid, slot, p);
  writeTarget(engine, slot, p, q ?? bodies.rotation.slice(4 * slot, 4 * slot + 4));
}

/** What goes farther in a step than a body may move is meant to be elsewhere, not to go there. */
function tellLeap(physics: Physics, eid: number, slot: number, target: ArrayLike<number>): void {
  const { engine } = physics.internal;
  const from = readPose(engine, slot);
  const way = Math.sqrt((target[0] - from[0]) ** 2 + (target[1] - from[1]) ** 2 + (target[2] - from[2]) ** 2);
  const speed = way / physics.settings.timeStep;
  if (!(speed > engine.arena.f64[L.MAXIMUM_SPEED >> 3])) return;
  const text = `setKinematicTarget: entity ${eid} would have to move at ${speed.toFixed(0)} m/s to be there in a step`;
  warnOnce(physics, 'leap', `${text}; to put it somewhere else use teleport`);
}

/**
 * Lets a body's surface run over the body at this velocity [m/s], in the body's own axes, from the next step on: a
 * conveyor belt. What lies on it wakes. Surfaces run at most 1000 m/s over each other.
 */
export function setSurfaceVelocity(physics: Physics, eid: number, velocity: Vector): void {
  const v = requireVector('setSurfaceVelocity', 'velocity', velocity, 3, 'm/s');
  const slot = slotOf(physics, eid, 'setSurfaceVelocity');
  setBodySurface(physics.internal.engine, slot, v);
  copyOutSurface(physics, slot);
}

/** Wakes a body and everything it rests with. */
export function wakeBody(physics: Physics, eid: number): void {
  const slot = slotOf(physics, eid, 'wakeBody');
  wakeSlot(physics.internal.engine, slot);
}

/**
 * Reads all of an entity's columns again (shape, mass, material, layers, tags) and makes its body anew in place, at
 * the next step or call that asks for it. Throws UsageError unless the entity has RigidBody.
 */
export function refreshBody(physics: Physics, eid: number): void {
  requirePhysics(physics, 'refreshBody');
  requireEntity('refreshBody', eid);
  if (!entityExists(physics.world, eid) || !hasComponent(physics.world, eid, physics.components.RigidBody)) {
    refuseEntity(physics, 'refreshBody', 'entity must have RigidBody', eid);
  }
  physics.internal.changed.push(eid);
}

/** Island of a body in the last step, 1 and up; 0 for none (no contact, static). Same number = touching. */
export function islandOf(physics: Physics, eid: number): number {
  const slot = slotOf(physics, eid, 'islandOf');
  return physics.internal.engine.tables.bodies.island[slot] + 1;
}
