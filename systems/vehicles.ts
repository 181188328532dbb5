// Vehicles: a chassis on wheels that feel for the ground by a ray or a ball. The calls, and their part in a step.
//
// A wheel is a joint of the chassis with the ground that the step moves along: its place is where the tyre meets the
// ground, x along the wheel and z across it, all axes free, motors on these two, limited by the friction of the tyre.
// Ground that forces move is the joint's other body, so that the tyre drives both in one solve: what bore the force of
// the step before was driven on without end where it was lighter than the car. All other ground is the world, moving.
// So rolling, braking and cornering are rows of the exact solve: a parked car stands, however steep, up to the angle of
// friction. Both limits share one cone: what one direction bore in the last step is not there for the other. The
// suspension is a spring and damper between chassis and ground along the ground's normal, implicit in its own step.
//
// Tracks are wheels that roll as their side does: of a side's engine each takes its own part.
//
// Limits: the friction of a tyre does not depend on its slip; a wheel has no inertia of its own.

import { entityExists, hasComponent } from 'bitecs';
import { written } from '../components/columns';
import {
  refuse,
  requireFinite,
  requireFlag,
  requireNonNegative,
  requirePositive,
  requireVector,
} from '../src/core/errors';
import { wakeBody } from '../src/dynamics/bodies';
import { addArc } from '../src/dynamics/follow-turns';
import { rotateVector } from '../src/math/quaternion';
import { cosine, sine } from '../src/math/trigonometry';
import { GRAVITY_OF_BODY } from '../src/state/contact-places';
import * as L from '../src/state/layout';
import { addActor, enableActors, forEachActor } from './actors';
import { addSafely, dropEntity } from './ecs-changes';
import { ensureRow } from './entities';
import { renewModes } from './joint-entities';
import { addJoint, enableJoints } from './joints';
import { type Physics, requirePhysics, type StepModule } from './physics';
import { castRay, castRayAll } from './queries';
import { slotOf, type Vector } from './rigid-body';
import { castShape, castShapeAll } from './shape-queries';
import { tellIgnored } from './warnings';
import {
  ACROSS,
  AHEAD,
  bearNothing,
  driveAxis,
  joinGround,
  lastForce,
  leaveGround,
  OFF,
  placeJoint,
} from './wheel-joint';

export interface WheelSpec {
  /** Where its suspension begins, in the chassis' frame [m]; it goes along the chassis' −y from there. */
  mount: Vector;
  /** [m]. Default 0.35. */
  radius?: number;
  /** How far the suspension lets it down from the mount [m]. Default 0.3. */
  travel?: number;
  /** Of the suspension under the wheel's share of the mass [Hz], and its damping ratio. Default 1.8 and 0.6. */
  frequency?: number;
  damping?: number;
  /** Coulomb coefficient of the tyre [-]. Default 1. */
  friction?: number;
  /** Farthest that `steer` turns it [rad]; below 0: the other way. Default 0. */
  maxSteer?: number;
  /** Force of the engine at full throttle, of the brake, of the handbrake [N]. Default 0, 4000 and 0. */
  driveForce?: number;
  brakeForce?: number;
  handbrakeForce?: number;
  /** Resistance to rolling as a share of the load [-]. Default 0.015. */
  rolling?: number;
  /** Wheels of the same number are joined by the anti-roll bar. Default none. */
  axle?: number;
}

export interface VehicleSpec {
  /** Entity of a dynamic body. */
  chassis: number;
  wheels: readonly WheelSpec[];
  /** The way that it looks, in its own frame. Default [0, 0, 1]. */
  forward?: Vector;
  /** Stiffness of the anti-roll bars [N/m]. Default 0. */
  antiRoll?: number;
  /** At which the engine pushes no more [m/s]. Default 50. */
  topSpeed?: number;
  /** Whether wheels feel for the ground with a ball of their radius, not with a ray. Default false. */
  shapeCast?: boolean;
  /**
   * Whether its wheels are those of two tracks, one on each side: `steer` is added to the throttle of the right one and
   * taken from that of the left. Alone it turns the vehicle where it stands. Default false.
   */
  tracked?: boolean;
}

/** Makes vehicles known to a world before it has any: for `loadGame` and `restore` of what has some. */
export function enableVehicles(physics: Physics): void {
  requirePhysics(physics, 'enableVehicles');
  enableJoints(physics);
  enableActors(physics, vehicleModule);
}

const NUMBERS = ['radius', 'travel', 'frequency', 'damping', 'friction', 'driveForce', 'brakeForce'] as const;
const MORE = ['handbrakeForce', 'rolling'] as const;
const DEFAULTS: Record<(typeof NUMBERS)[number] | (typeof MORE)[number], number> = {
  radius: 0.35,
  travel: 0.3,
  frequency: 1.8,
  damping: 0.6,
  friction: 1,
  driveForce: 0,
  brakeForce: 4000,
  handbrakeForce: 0,
  rolling: 0.015,
};
const ALL = [...NUMBERS, ...MORE];

/**
 * Puts wheels under a body and returns their entities, in the order given. The chassis' entity gets Vehicle (throttle,
 * steer, brake, handbrake), each wheel is an entity with Wheel and Joint. They end with the chassis, or with its
 * Vehicle. Throws UsageError.
 */
export function addVehicle(physics: Physics, spec: VehicleSpec): number[] {
  const where = 'addVehicle';
  requirePhysics(physics, where);
  if (typeof spec !== 'object' || spec === null) refuse(where, 'spec must be an object', spec);
  const { chassis, wheels } = spec;
  const body = slotOf(physics, chassis, where, 'chassis');
  const { world, components, internal } = physics;
  if (!(internal.engine.tables.bodies.flags[body] & L.BODY_DYNAMIC)) {
    refuse(where, 'chassis must be the entity of a dynamic body', chassis);
  }
  if (hasComponent(world, chassis, components.Vehicle)) refuse(where, 'chassis must have no wheels yet', chassis);
  if (!Array.isArray(wheels) || wheels.length === 0)
    refuse(where, 'wheels must be a list of one wheel or more', wheels);
  const forward = unitOf(where, spec.forward ?? [0, 0, 1]);
  const antiRoll = requireNonNegative(where, 'antiRoll', spec.antiRoll ?? 0, 'N/m');
  const topSpeed = requirePositive(where, 'topSpeed', spec.topSpeed ?? 50, 'm/s');
  const isShape = requireFlag(where, 'shapeCast', spec.shapeCast ?? false);
  const isTracked = requireFlag(where, 'tracked', spec.tracked ?? false);
  const read = wheels.map((wheel, i) => readWheel(where, `wheels[${i}]`, wheel));
  enableVehicles(physics);

  ensureRow(physics, chassis);
  if (!addSafely(world, chassis, components.Vehicle)) return [];
  const Vehicle = written(components.Vehicle);
  Vehicle.antiRoll[chassis] = antiRoll;
  Vehicle.topSpeed[chassis] = topSpeed;
  [Vehicle.forward.x[chassis], Vehicle.forward.y[chassis], Vehicle.forward.z[chassis]] = forward;
  addActor(physics, 'Vehicle', chassis, body);
  return read.map(({ mount, numbers, maxSteer, axle }) => {
    const free = { x: 'free', y: 'free', z: 'free', rx: 'free', ry: 'free', rz: 'free' } as const;
    const eid = addJoint(physics, { type: 'six-axis', a: chassis, axes: free, collide: true });
    // An observer may remove what it sees added.
    if (!entityExists(world, eid) || !addSafely(world, eid, components.Wheel)) return eid;
    ensureRow(physics, eid);
    const Wheel = written(components.Wheel);
    for (const name of ALL) Wheel[name][eid] = numbers[name];
    Wheel.maxSteer[eid] = maxSteer;
    Wheel.axle[eid] = axle;
    Wheel.cast[eid] = isShape ? 1 : 0;
    Wheel.track[eid] = isTracked ? Math.sign(mount[0] * forward[2] - mount[2] * forward[0]) : 0;
    Wheel.vehicle[eid] = chassis;
    [Wheel.mount.x[eid], Wheel.mount.y[eid], Wheel.mount.z[eid]] = mount;
    const row = addActor(physics, 'Wheel', eid, slotOf(physics, chassis, where));
    const { state } = internal.engine.tables.actors;
    state[L.ACTOR_NUMBERS * row + L.WHEEL_GROUND] = state[L.ACTOR_NUMBERS * row + L.WHEEL_DISTANCE] = -1;
    return eid;
  });
}

function unitOf(where: string, value: unknown): number[] {
  const v = requireVector(where, 'forward', value, 3);
  const length = Math.sqrt(v[0] ** 2 + v[2] ** 2);
  if (!(length > 1e-6) || Math.abs(v[1]) > 1e-6 * length) {
    refuse(where, 'forward must be across the y axis of the chassis, and not zero', value);
  }
  return [v[0] / length, 0, v[2] / length];
}

function readWheel(where: string, name: string, wheel: WheelSpec) {
  if (typeof wheel !== 'object' || wheel === null) refuse(where, `${name} must be an object`, wheel);
  const mount = requireVector(where, `${name}.mount`, wheel.mount, 3, 'm');
  const numbers = { ...DEFAULTS };
  for (const key of ALL) {
    const given = wheel[key] ?? DEFAULTS[key];
    const isSize = key === 'radius' || key === 'travel' || key === 'frequency';
    numbers[key] = (isSize ? requirePositive : requireNonNegative)(where, `${name}.${key}`, given);
  }
  const maxSteer = requireFinite(where, `${name}.maxSteer`, wheel.maxSteer ?? 0, 'rad');
  const axle = wheel.axle ?? -1;
  if (!Number.isInteger(axle)) refuse(where, `${name}.axle must be a whole number`, axle);
  return { mount, numbers, maxSteer, axle };
}

const up = new Float64Array(3);
const ahead = new Float64Array(3);
const across = new Float64Array(3);
const mount = new Float64Array(3);
const point = new Float64Array(3);
const normal = new Float64Array(3);
const speed = new Float64Array(3);
const own = new Float64Array(3);
const local = new Float64Array(3);
const turn = new Float64Array(4);
const NO_COMPRESSION = -1;

const cross = (out: Float64Array, a: Float64Array, b: Float64Array) => {
  const [x, y, z] = a;
  const [u, v, w] = b;
  out[0] = y * w - z * v;
  out[1] = z * u - x * w;
  out[2] = x * v - y * u;
};

const dot = (a: Float64Array, b: Float64Array) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** out = velocity of a body at a world point [m/s]; −1: none. */
function velocityAt(out: Float64Array, physics: Physics, body: number): void {
  if (body < 0) {
    out.fill(0);
    return;
  }
  const { position, linearVelocity: v, angularVelocity: w } = physics.internal.engine.tables.bodies;
  const at = 4 * body;
  const [x, y, z] = [point[0] - position[at], point[1] - position[at + 1], point[2] - position[at + 2]];
  out[0] = v[at] + w[at + 1] * z - w[at + 2] * y;
  out[1] = v[at + 1] + w[at + 2] * x - w[at] * z;
  out[2] = v[at + 2] + w[at] * y - w[at + 1] * x;
}

/** Adds a force at `point` to a dynamic body. */
function pushBody(physics: Physics, body: number, direction: Float64Array, newtons: number): void {
  const { engine } = physics.internal;
  const { bodies } = engine.tables;
  if (body < 0 || !(bodies.flags[body] & L.BODY_DYNAMIC)) return;
  const at = 4 * body;
  for (let k = 0; k < 3; k++) {
    local[k] = point[k] - bodies.position[at + k];
    bodies.force[at + k] += newtons * direction[k];
  }
  cross(local, local, direction);
  for (let k = 0; k < 3; k++) bodies.torque[at + k] += newtons * local[k];
  // What is awake may fall asleep under a load that does not change.
  if (bodies.flags[body] & L.BODY_ASLEEP) wakeBody(engine, body);
}

function clamp(physics: Physics, name: string, eid: number, value: number, low: number): number {
  if (value >= low && value <= 1) return value;
  tellIgnored(physics, `Vehicle.${name}`, eid, `must be ${low}..1; what is nearest is taken, or 0`, value);
  return value > 1 ? 1 : value < low ? low : 0;
}

/** A number of a wheel that the game may have written; beyond MOST products of them overflow. */
function atLeastZero(value: number): number {
  return value >= 0 && value < Number.POSITIVE_INFINITY ? Math.min(value, MOST) : 0;
}

const MOST = 1e12;

/** What the wheel stands on: distance along the suspension, `point` and `normal`; its body, −1 none. */
function findGround(physics: Physics, eid: number, chassis: number): { body: number; distance: number } {
  const { Wheel, Collider } = physics.components;
  const radius = Math.max(1e-3, atLeastZero(Wheel.radius[eid]));
  const travel = atLeastZero(Wheel.travel[eid]);
  const options = { ignore: chassis, mask: Collider.mask[chassis] & 0xffff };
  // Numbers that only this package writes, and that a game may have spoilt.
  const isUnit = Math.abs(dot(ahead, ahead) - 1) < 0.01;
  if (!mount.every(Number.isFinite) || !isUnit) return { body: -1, distance: -1 };
  const down = [-up[0], -up[1], -up[2]];
  const isShape = Wheel.cast[eid] === 1;
  let hit = isShape
    ? castShape(physics, { sphere: radius }, mount, down, travel, options)
    : castRay(physics, mount, down, travel + radius, options);
  // As with contacts each must be in the mask of the other; a query asks for one of the two.
  const bears = ({ entity }: { entity: number }) => (Collider.mask[entity] & Collider.layers[chassis] & 0xffff) !== 0;
  if (hit !== null && !bears(hit)) {
    const all = isShape
      ? castShapeAll(physics, { sphere: radius }, mount, down, travel, options)
      : castRayAll(physics, mount, down, travel + radius, options);
    hit = all.find(bears) ?? null;
  }
  if (hit === null) return { body: -1, distance: -1 };
  point.set(hit.point);
  normal.set(hit.normal);
  // What is steeper than the wheel can stand on is a wall.
  if (dot(normal, up) < 0.2) return { body: -1, distance: -1 };
  return { body: physics.internal.slotOf[hit.entity], distance: hit.distance + (isShape ? radius : 0) };
}

/** One wheel in one step. */
function moveWheel(physics: Physics, row: number, eid: number): void {
  const { components, internal, settings } = physics;
  const { Wheel } = components;
  const { engine } = internal;
  const { actors, bodies } = engine.tables;
  const chassis = Wheel.vehicle[eid];
  const body = actors.body[row];
  const slot = internal.joints.slotOf[eid] ?? -1;
  if (slot < 0 || bodies.entity[body] !== chassis || bodies.flags[body] & L.BODY_QUARANTINED) return;
  const { state } = actors;
  const at = L.ACTOR_NUMBERS * row;
  const angle = aimWheel(physics, eid, chassis, body);
  const radius = Math.max(1e-3, atLeastZero(Wheel.radius[eid]));
  const travel = atLeastZero(Wheel.travel[eid]);
  const { body: ground, distance } = findGround(physics, eid, chassis);
  const braking = brakingOf(physics, eid, chassis);
  state[at + L.WHEEL_GROUND] = ground;
  if (bodies.flags[body] & L.BODY_ASLEEP) {
    if (isCalm(physics, at, eid, distance, angle, braking)) return;
    wakeBody(engine, body);
  }
  state[at + L.WHEEL_DISTANCE] = distance;
  state[at + L.WHEEL_STEERING] = angle;
  state[at + L.WHEEL_STOPPING] = braking;
  noteNumbers(physics, at, eid, chassis);
  const drop = distance < 0 ? travel : Math.max(0, distance - radius);
  for (let k = 0; k < 3; k++) state[at + L.WHEEL_CENTER + k] = mount[k] - drop * up[k];
  const compression = distance < 0 ? NO_COMPRESSION : travel + radius - distance;

  if (compression < 0) {
    state[at + L.WHEEL_COMPRESSION] = state[at + L.WHEEL_LOAD] = 0;
    bearNothing(engine, slot);
    renewModes(engine, slot);
    return;
  }

  state[at + L.WHEEL_COMPRESSION] = compression;

  // Along the ground, at right angles to each other.
  const into = dot(ahead, normal);
  for (let k = 0; k < 3; k++) ahead[k] -= into * normal[k];
  const length = Math.sqrt(dot(ahead, ahead));
  for (let k = 0; k < 3; k++) ahead[k] /= length;
  cross(across, ahead, normal);
  const bearing = ground >= 0 && bodies.flags[ground] & L.BODY_ALIVE ? ground : -1;
  velocityAt(own, physics, body);
  velocityAt(speed, physics, bearing);
  const rolling = dot(ahead, own) - dot(ahead, speed);
  const load = bearLoad(physics, row, eid, compression, drop);
  state[at + L.WHEEL_LOAD] = load;
  const isJoined = bearing >= 0 && (bodies.flags[bearing] & (L.BODY_DYNAMIC | L.BODY_QUARANTINED)) === L.BODY_DYNAMIC;
  pressGround(physics, slot, body, load, isJoined);

  // What turns carries it along an arc.
  if (bearing >= 0 && bodies.flags[bearing] & L.BODY_KINEMATIC) addArc(speed, engine, bearing, point);
  const joined = isJoined ? bearing : -1;
  // Its velocity is then in the joint's row.
  if (isJoined) speed.fill(0);
  gripGround(physics, slot, eid, load);
  joinGround(engine, slot, joined);
  placeJoint(engine, slot, { point, ahead, normal, across });
  renewModes(engine, slot);
  state[at + L.WHEEL_ANGLE] += (rolling / radius) * settings.timeStep;
}

/** The wheel's frame: `up` along the suspension, `ahead` as it is steered, `mount`. Returns how far it is steered. */
function aimWheel(physics: Physics, eid: number, chassis: number, body: number): number {
  const { Wheel, Vehicle } = physics.components;
  const { bodies } = physics.internal.engine.tables;
  const b = 4 * body;
  local[0] = local[2] = 0;
  local[1] = 1;
  rotateVector(up, 0, bodies.rotation, b, local, 0);
  const maxSteer = Wheel.maxSteer[eid];
  const steer = clamp(physics, 'steer', chassis, Vehicle.steer[chassis], -1);
  const angle = steer * (Number.isFinite(maxSteer) ? maxSteer : 0);
  turn[0] = turn[2] = 0;
  turn[1] = sine(0.5 * angle);
  turn[3] = cosine(0.5 * angle);
  const { forward } = Vehicle;
  local[0] = forward.x[chassis];
  local[1] = forward.y[chassis];
  local[2] = forward.z[chassis];
  rotateVector(local, 0, turn, 0, local, 0);
  rotateVector(ahead, 0, bodies.rotation, b, local, 0);
  const from = Wheel.mount;
  local[0] = from.x[eid] - bodies.center[b];
  local[1] = from.y[eid] - bodies.center[b + 1];
  local[2] = from.z[eid] - bodies.center[b + 2];
  rotateVector(mount, 0, bodies.rotation, b, local, 0);
  for (let k = 0; k < 3; k++) mount[k] += bodies.position[b + k];
  return angle;
}

/** Throttle of a wheel: of its track, where it is on one. */
function throttleOf(physics: Physics, eid: number, chassis: number): number {
  const { Wheel, Vehicle } = physics.components;
  const throttle = clamp(physics, 'throttle', chassis, Vehicle.throttle[chassis], -1);
  const track = Wheel.track[eid];
  if (track === 0) return throttle;
  const own = throttle - track * clamp(physics, 'steer', chassis, Vehicle.steer[chassis], -1);
  return Math.min(1, Math.max(-1, own));
}

/** Force of its brakes [N]. */
function brakingOf(physics: Physics, eid: number, chassis: number): number {
  const { Wheel, Vehicle } = physics.components;
  const brake = clamp(physics, 'brake', chassis, Vehicle.brake[chassis], 0);
  const hand = clamp(physics, 'handbrake', chassis, Vehicle.handbrake[chassis], 0);
  return brake * atLeastZero(Wheel.brakeForce[eid]) + hand * atLeastZero(Wheel.handbrakeForce[eid]);
}

/** What suspension and anti-roll bar bear: spring and damper, implicit for the wheel's share of the mass [N]. */
function bearLoad(physics: Physics, row: number, eid: number, compression: number, drop: number): number {
  const { Wheel } = physics.components;
  const { engine } = physics.internal;
  const { actors, bodies } = engine.tables;
  const body = actors.body[row];
  const dt = physics.settings.timeStep;
  let closing = dot(normal, own) - dot(normal, speed);
  // Gravity of this step, too: at rest the spring bears the weight, no more and no less.
  const g = L.GRAVITY >> 3;
  const { f64 } = engine.arena;
  const fall = normal[0] * f64[g] + normal[1] * f64[g + 1] + normal[2] * f64[g + 2];
  closing += dt * bodies.damping[4 * body + GRAVITY_OF_BODY] * fall;
  const mass = 1 / (bodies.inverseMass[body] * fleet.count[body]);
  const omega = 2 * Math.PI * atLeastZero(Wheel.frequency[eid]);
  const stiffness = mass * omega * omega;
  const viscosity = 2 * mass * omega * atLeastZero(Wheel.damping[eid]);
  const pull = stiffness * compression - (viscosity + stiffness * dt) * closing;
  let load = pull / (1 + (dt * viscosity + dt * dt * stiffness) / mass);
  load += antiRoll(physics, row, eid, compression);
  // At its stop the suspension is stiff: what comes down is stopped in some steps, not let through.
  if (drop <= 0) load += Math.max(0, -closing) * (mass / dt) * 0.5;
  return Math.max(0, load);
}

/**
 * The suspension's load [N] on the chassis; on ground that forces move as a motor of the joint that pushes no harder.
 * What bears the ground is not known here. Where it stands the motor never gets as fast as it may be, and pushes by
 * the load; where it is free the motor pushes it off no faster than the chassis alone, by half as much again for wheels
 * at corners. As an outer force what is made for the mass of the chassis threw light ground by the ratio of the masses.
 */
function pressGround(physics: Physics, slot: number, body: number, load: number, isJoined: boolean): void {
  const { engine } = physics.internal;
  const { bodies } = engine.tables;
  const gain = physics.settings.timeStep * load * bodies.inverseMass[body] * fleet.count[body];
  driveAxis(engine, slot, OFF, dot(normal, own) - dot(normal, speed) + 1.5 * gain, isJoined ? load : 0);
  if (!isJoined) pushBody(physics, body, normal, load);
}

/** Bounds and targets of the rows along and across the wheel, for a load [N]. */
function gripGround(physics: Physics, slot: number, eid: number, load: number): void {
  const { Wheel, Vehicle } = physics.components;
  const { engine } = physics.internal;
  const chassis = Wheel.vehicle[eid];
  // What each direction bore in the last step is not there for the other.
  const grip = atLeastZero(Wheel.friction[eid]) * load;
  const alongLast = lastForce(engine, slot, AHEAD, ahead);
  const acrossLast = lastForce(engine, slot, ACROSS, across);
  const throttle = throttleOf(physics, eid, chassis);
  const stopping = brakingOf(physics, eid, chassis) + atLeastZero(Wheel.rolling[eid]) * load;
  const driving = throttle * atLeastZero(Wheel.driveForce[eid]);
  // The engine against the brake: the stronger one.
  const isDriven = Math.abs(driving) > stopping;
  const force = isDriven ? Math.abs(driving) - stopping : stopping - Math.abs(driving);
  const target = isDriven ? Math.sign(driving) * atLeastZero(Vehicle.topSpeed[chassis]) : 0;
  driveAxis(engine, slot, AHEAD, dot(speed, ahead) + target, Math.min(force, gripLeft(grip, acrossLast)));
  driveAxis(engine, slot, ACROSS, dot(speed, across), gripLeft(grip, alongLast));
}

/** What of the grip is left for one direction when the other takes `used` [N]. */
function gripLeft(grip: number, used: number): number {
  return Math.sqrt(Math.max(0.01 * grip * grip, grip * grip - used * used));
}

/** Whether a sleeping wheel stays so: no more is asked of it than in its last step, and the ground is where it was. */
function isCalm(
  { components, internal }: Physics,
  at: number,
  eid: number,
  distance: number,
  angle: number,
  braking: number,
): boolean {
  const { Wheel, Vehicle } = components;
  const { state } = internal.engine.tables.actors;
  const chassis = Wheel.vehicle[eid];
  // Both: where they cancel out on one track, they do not on the other.
  const isAsked = Vehicle.throttle[chassis] !== 0 || (Wheel.track[eid] !== 0 && Vehicle.steer[chassis] !== 0);
  if (isAsked || Math.abs(distance - state[at + L.WHEEL_DISTANCE]) >= 1e-4) return false;
  if (angle !== state[at + L.WHEEL_STEERING] || braking < state[at + L.WHEEL_STOPPING]) return false;
  const seen = at + L.WHEEL_SEEN;
  for (let k = 0; k < ALL.length; k++) if (Wheel[ALL[k]][eid] !== state[seen + k]) return false;
  return Vehicle.antiRoll[chassis] === state[seen + ALL.length];
}

function noteNumbers({ components, internal }: Physics, at: number, eid: number, chassis: number): void {
  const { state } = internal.engine.tables.actors;
  const seen = at + L.WHEEL_SEEN;
  for (let k = 0; k < ALL.length; k++) state[seen + k] = components.Wheel[ALL[k]][eid];
  state[seen + ALL.length] = components.Vehicle.antiRoll[chassis];
}

/** Wheels by body, noted once a step: how many, the last one's row, and from each row the one before. */
const fleet = { count: new Int32Array(0), last: new Int32Array(0), before: new Int32Array(0) };

function noteFleet(physics: Physics): void {
  const { actors, bodies } = physics.internal.engine.tables;
  if (fleet.count.length < bodies.capacity) {
    fleet.count = new Int32Array(bodies.capacity);
    fleet.last = new Int32Array(bodies.capacity);
  }
  forEachActor(physics, 'Wheel', (row) => {
    fleet.count[actors.body[row]] = 0;
    fleet.last[actors.body[row]] = -1;
  });
  forEachActor(physics, 'Wheel', (row) => {
    const body = actors.body[row];
    if (fleet.before.length <= row) {
      const before = new Int32Array(2 * row + 16);
      before.set(fleet.before);
      fleet.before = before;
    }
    fleet.count[body]++;
    fleet.before[row] = fleet.last[body];
    fleet.last[body] = row;
  });
}

/** Force of the bar between this wheel and the other one of its axle [N]. */
function antiRoll(physics: Physics, own: number, eid: number, compression: number): number {
  const { Wheel, Vehicle } = physics.components;
  if (Wheel.axle[eid] < 0) return 0;
  const { actors } = physics.internal.engine.tables;
  const stiffness = atLeastZero(Vehicle.antiRoll[Wheel.vehicle[eid]]);
  for (let row = fleet.last[actors.body[own]]; row >= 0; row = fleet.before[row]) {
    if (row === own || Wheel.axle[actors.entity[row]] !== Wheel.axle[eid]) continue;
    return stiffness * (compression - actors.state[L.ACTOR_NUMBERS * row + L.WHEEL_COMPRESSION]);
  }
  return 0;
}

function prepare(physics: Physics): void {
  noteFleet(physics);
  forEachActor(physics, 'Wheel', (row, eid) => moveWheel(physics, row, eid));
  const { notes, engine } = physics.internal;
  if (notes.length > 0) for (const note of notes.splice(0)) engine.report.limits.push(note);
}

/** Results to the columns. */
function show(physics: Physics): void {
  const { components, internal } = physics;
  const { actors, bodies } = internal.engine.tables;
  const Wheel = written(components.Wheel);
  const Vehicle = written(components.Vehicle);
  forEachActor(physics, 'Wheel', (row, eid) => {
    const at = L.ACTOR_NUMBERS * row;
    const { state } = actors;
    const ground = state[at + L.WHEEL_GROUND];
    Wheel.ground[eid] = ground < 0 ? 0 : bodies.entity[ground];
    Wheel.compression[eid] = state[at + L.WHEEL_COMPRESSION];
    Wheel.load[eid] = state[at + L.WHEEL_LOAD];
    Wheel.angle[eid] = state[at + L.WHEEL_ANGLE];
    Wheel.steering[eid] = state[at + L.WHEEL_STEERING];
    Wheel.center.x[eid] = state[at + L.WHEEL_CENTER];
    Wheel.center.y[eid] = state[at + L.WHEEL_CENTER + 1];
    Wheel.center.z[eid] = state[at + L.WHEEL_CENTER + 2];
  });
  forEachActor(physics, 'Vehicle', (row, eid) => {
    const b = 4 * actors.body[row];
    const { x, y, z } = Vehicle.forward;
    local[0] = x[eid];
    local[1] = y[eid];
    local[2] = z[eid];
    rotateVector(local, 0, bodies.rotation, b, local, 0);
    const v = bodies.linearVelocity;
    Vehicle.speed[eid] = local[0] * v[b] + local[1] * v[b + 1] + local[2] * v[b + 2];
  });
}

/** Wheels go with their chassis' Vehicle. */
function dropOrphans(physics: Physics): void {
  const { world, components } = physics;
  const orphans: number[] = [];
  forEachActor(physics, 'Wheel', (_, eid) => {
    const chassis = components.Wheel.vehicle[eid];
    if (!entityExists(world, chassis) || !hasComponent(world, chassis, components.Vehicle)) orphans.push(eid);
  });
  for (const eid of orphans) dropEntity(physics, eid);
}

/** What bears wheels goes, or is made anew: they stay, and with them their vehicle. */
function leaveWheels(physics: Physics, body: number): void {
  const { world, components } = physics;
  leaveGround(physics, body, (eid) => eid !== 0 && hasComponent(world, eid, components.Wheel));
}

const vehicleModule: StepModule = {
  name: 'vehicles',
  flush: dropOrphans,
  prepare,
  copyOut: show,
  releaseFromBody: leaveWheels,
  holdersOf(physics, body) {
    leaveWheels(physics, body);
    return [];
  },
};
