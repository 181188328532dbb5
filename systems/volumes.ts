// Explosions, and volumes in which bodies swim, are blown, or fall another way. Each is a system before predict-motion.
//
// A volume is made by code, not kept in snapshots: add it again after loadGame. What it does depends on where bodies
// are alone, so that a restored run repeats.

import { hasComponent } from 'bitecs';
import { distanceToBody } from '../src/collision/shape-queries';
import {
  refuse,
  requireBits,
  requireFinite,
  requireNonNegative,
  requirePositive,
  requireVector,
} from '../src/core/errors';
import { wakeBody } from '../src/dynamics/bodies';
import { rotateVector } from '../src/math/quaternion';
import { BOX_HIGH, GRAVITY_OF_BODY } from '../src/state/contact-places';
import * as L from '../src/state/layout';
import { type Physics, requirePhysics } from './physics';
import { overlapBox, overlapSphere } from './queries';
import { applyImpulse, type Vector } from './rigid-body';
import { shapeAt } from './shape-book';
import { worldOf } from './shape-queries';

export interface ExplosionOptions {
  /** What is farther away feels nothing [m]. */
  radius: number;
  /** On what is at the centre [N·s]; it falls to 0 at the radius. */
  impulse: number;
  /** Added to the direction upwards, as a share. Default 0. */
  lift?: number;
  /** Layers that feel it. Default all. */
  mask?: number;
}

/** Pushes what is near away from a point, at once; characters as their mass. Returns who felt it. Throws UsageError. */
export function explode(physics: Physics, center: Vector, options: ExplosionOptions): number[] {
  const where = 'explode';
  requirePhysics(physics, where);
  const at = requireVector(where, 'center', center, 3, 'm');
  if (typeof options !== 'object' || options === null) refuse(where, 'options must be an object', options);
  const radius = requirePositive(where, 'radius', options.radius, 'm');
  const impulse = requireFinite(where, 'impulse', options.impulse, 'N·s');
  const lift = requireFinite(where, 'lift', options.lift ?? 0);
  const mask = requireBits(where, 'mask', options.mask ?? 0xffff);
  const { internal, components, world } = physics;
  const asked = worldOf(physics, where);
  const felt = overlapSphere(physics, at, radius, { mask }).sort((a, b) => a - b);
  const { bodies } = internal.engine.tables;
  return felt.filter((eid) => {
    const slot = internal.slotOf[eid] ?? -1;
    const isCharacter = hasComponent(world, eid, components.Character);
    if (slot < 0 || !(bodies.flags[slot] & L.BODY_DYNAMIC || isCharacter)) return false;
    const away = [0, 1, 2].map((k) => bodies.position[4 * slot + k] - at[k]);
    const distance = Math.sqrt(away[0] ** 2 + away[1] ** 2 + away[2] ** 2);
    // By its nearest point: what is large is reached sooner than its middle.
    const near = Math.max(0, distanceToBody(asked, slot, at, radius));
    const size = impulse * Math.max(0, 1 - near / radius);
    const unit = distance > 1e-9 ? away.map((x) => x / distance) : [0, 1, 0];
    unit[1] += lift;
    const push = unit.map((x) => size * x);
    if (isCharacter) {
      const { push: column, mass } = components.Character;
      const kilograms = mass[eid] > 0 ? mass[eid] : 70;
      column.x[eid] += push[0] / kilograms;
      column.y[eid] += push[1] / kilograms;
      column.z[eid] += push[2] / kilograms;
    } else applyImpulse(physics, eid, push);
    return true;
  });
}

/** Where a volume is: a box along the axes, or a ball [m]. */
export type Region =
  | { readonly min: Vector; readonly max: Vector }
  | { readonly center: Vector; readonly radius: number };

interface Place {
  min: number[];
  max: number[];
  center: number[] | null;
  radius: number;
}

function readRegion(where: string, region: Region): Place {
  if (typeof region !== 'object' || region === null) refuse(where, 'region must be a box or a ball', region);
  if ('radius' in region) {
    const center = requireVector(where, 'region.center', region.center, 3, 'm');
    const radius = requirePositive(where, 'region.radius', region.radius, 'm');
    return { min: center, max: center, center, radius };
  }
  const min = requireVector(where, 'region.min', region.min, 3, 'm');
  const max = requireVector(where, 'region.max', region.max, 3, 'm');
  for (let k = 0; k < 3; k++)
    if (!(min[k] < max[k])) refuse(where, `region.max[${k}] must be above ${min[k]} [m]`, max[k]);
  return { min, max, center: null, radius: 0 };
}

/** Dynamic bodies that a region meets, those that sleep too, by their numbers. */
function bodiesIn(physics: Physics, { min, max, center, radius }: Place, mask: number): number[] {
  const found = center ? overlapSphere(physics, center, radius, { mask }) : overlapBox(physics, min, max, { mask });
  const { slotOf, engine } = physics.internal;
  const { flags } = engine.tables.bodies;
  return found
    .map((eid) => slotOf[eid] ?? -1)
    .filter((slot) => slot >= 0 && (flags[slot] & L.BODY_DYNAMIC) !== 0)
    .sort((a, b) => a - b);
}

/**
 * Has `act` called in each step for every dynamic body in the region that is awake. What rests there wakes now, and
 * when the volume goes: the forces that it rests by are others then. Returns what takes the volume away.
 */
function addVolume(
  physics: Physics,
  place: Place,
  mask: number,
  name: string,
  act: (slot: number) => void,
): () => void {
  const { engine } = physics.internal;
  const wake = () => {
    for (const slot of bodiesIn(physics, place, mask)) wakeBody(engine, slot);
  };
  const run = () => {
    for (const slot of bodiesIn(physics, place, mask)) {
      if (!(engine.tables.bodies.flags[slot] & L.BODY_ASLEEP)) act(slot);
    }
  };
  wake();
  let end: (() => void) | null = physics.schedule.before('predict-motion', run, name);
  return () => {
    if (end === null) return;
    end();
    end = null;
    if (!physics.internal.disposed) wake();
  };
}

const arm = new Float64Array(3);
const point = new Float64Array(3);
const over = new Float64Array(3);

/** Adds a force at `point` to a body. */
function addForce(physics: Physics, slot: number, x: number, y: number, z: number): void {
  const { bodies } = physics.internal.engine.tables;
  const at = 4 * slot;
  for (let k = 0; k < 3; k++) arm[k] = point[k] - bodies.position[at + k];
  bodies.force[at] += x;
  bodies.force[at + 1] += y;
  bodies.force[at + 2] += z;
  bodies.torque[at] += arm[1] * z - arm[2] * y;
  bodies.torque[at + 1] += arm[2] * x - arm[0] * z;
  bodies.torque[at + 2] += arm[0] * y - arm[1] * x;
}

export interface WaterSpec {
  /** Its surface is the top of the box (y up) [m]. */
  region: { readonly min: Vector; readonly max: Vector };
  /** [kg/m³]. Default 1000. */
  density?: number;
  /** How fast what is under water comes to the speed of the water [1/s]. Default 1. */
  drag?: number;
  /** Velocity of the water [m/s]. Default none. */
  flow?: Vector;
  /** Layers that swim. Default all. */
  mask?: number;
}

/**
 * Water: bodies are lifted by the weight of what they displace, and slowed. Each is weighed in eight parts of its box
 * with its own volume, so that what floats rights itself. Returns a function that takes the water away. Throws
 * UsageError.
 */
export function addWater(physics: Physics, spec: WaterSpec): () => void {
  const where = 'addWater';
  requirePhysics(physics, where);
  if (typeof spec !== 'object' || spec === null) refuse(where, 'spec must be an object', spec);
  const place = readRegion(where, spec.region);
  if (place.center) refuse(where, 'region must be a box with min and max', spec.region);
  const density = requirePositive(where, 'density', spec.density ?? 1000, 'kg/m³');
  const drag = requireNonNegative(where, 'drag', spec.drag ?? 1, '1/s');
  const flow = requireVector(where, 'flow', spec.flow ?? [0, 0, 0], 3, 'm/s');
  const mask = requireBits(where, 'mask', spec.mask ?? 0xffff);
  const top = place.max[1];
  return addVolume(physics, place, mask, 'water', (slot) => swim(physics, slot, top, density, drag, flow));
}

function swim(physics: Physics, slot: number, top: number, density: number, drag: number, flow: number[]): void {
  const { engine } = physics.internal;
  const { arena, tables } = engine;
  const { bodies, colliders, shapes } = tables;
  const handle = shapeAt(physics.internal, bodies.shape[slot]);
  if (!handle) return;
  let whole = 0;
  for (let c = bodies.collider[slot]; c >= 0; c = colliders.next[c]) whole += boxVolume(shapes.box, colliders.shape[c]);
  const gravity = L.GRAVITY >> 3;
  const mass = 1 / bodies.inverseMass[slot];
  const dt = physics.settings.timeStep;
  const { linearVelocity: v, angularVelocity: w } = bodies;
  const b = 4 * slot;

  for (let c = bodies.collider[slot]; c >= 0; c = colliders.next[c]) {
    const from = 6 * colliders.shape[c];
    const share = boxVolume(shapes.box, colliders.shape[c]) / whole;
    const volume = (handle.mass.volume * share) / 8;
    let thinnest = Number.POSITIVE_INFINITY;
    for (let k = from; k < from + 3; k++) thinnest = Math.min(thinnest, shapes.box[k + BOX_HIGH] - shapes.box[k]);
    const reach = Math.max(thinnest / 4, 1e-6);

    for (let corner = 0; corner < 8; corner++) {
      for (let k = 0; k < 3; k++) {
        const low = shapes.box[from + k];
        point[k] = low + ((corner >> k) & 1 ? 0.75 : 0.25) * (shapes.box[from + 3 + k] - low);
      }
      rotateVector(point, 0, colliders.localRotation, 4 * c, point, 0);
      for (let k = 0; k < 3; k++) point[k] += colliders.localPosition[4 * c + k];
      rotateVector(point, 0, bodies.rotation, b, point, 0);
      for (let k = 0; k < 3; k++) point[k] += bodies.position[b + k];
      const under = Math.max(0, Math.min(1, 0.5 + (top - point[1]) / (2 * reach)));
      if (under === 0) continue;
      for (let k = 0; k < 3; k++) arm[k] = point[k] - bodies.position[b + k];
      const slow = ((mass / 8) * share * under * drag) / (1 + dt * drag);
      const vx = v[b] + w[b + 1] * arm[2] - w[b + 2] * arm[1] - flow[0];
      const vy = v[b + 1] + w[b + 2] * arm[0] - w[b] * arm[2] - flow[1];
      const vz = v[b + 2] + w[b] * arm[1] - w[b + 1] * arm[0] - flow[2];
      const lift = -density * volume * under;
      addForce(
        physics,
        slot,
        lift * arena.f64[gravity] - slow * vx,
        lift * arena.f64[gravity + 1] - slow * vy,
        lift * arena.f64[gravity + 2] - slow * vz,
      );
    }
  }
}

/** Of a shape's own box [m³]. */
function boxVolume(box: Float64Array, shape: number): number {
  const at = 6 * shape;
  return (
    (box[at + BOX_HIGH] - box[at]) * (box[at + BOX_HIGH + 1] - box[at + 1]) * (box[at + BOX_HIGH + 2] - box[at + 2])
  );
}

export interface WindVolumeSpec {
  region: Region;
  /** Velocity of the air [m/s]. */
  velocity: Vector;
  /** Force by area and square of the speed over half the density of air: 1 as of a plate. Default 1. */
  drag?: number;
  mask?: number;
}

/** Half the density of air [kg/m³]. */
const HALF_AIR = 0.6;

/**
 * Air that moves: bodies in it are pushed by the square of its speed over them and the area of their bounds across it.
 * (Cloth has setWind.) Returns a function that ends it. Throws UsageError.
 */
export function addWindVolume(physics: Physics, spec: WindVolumeSpec): () => void {
  const where = 'addWindVolume';
  requirePhysics(physics, where);
  if (typeof spec !== 'object' || spec === null) refuse(where, 'spec must be an object', spec);
  const place = readRegion(where, spec.region);
  const air = requireVector(where, 'velocity', spec.velocity, 3, 'm/s');
  const drag = requireNonNegative(where, 'drag', spec.drag ?? 1);
  const mask = requireBits(where, 'mask', spec.mask ?? 0xffff);
  const { engine } = physics.internal;
  return addVolume(physics, place, mask, 'wind', (slot) => {
    const { bodies, colliders } = engine.tables;
    for (let k = 0; k < 3; k++) over[k] = air[k] - bodies.linearVelocity[4 * slot + k];
    const speed = Math.sqrt(over[0] ** 2 + over[1] ** 2 + over[2] ** 2);
    if (speed === 0) return;
    let area = 0;
    for (let c = bodies.collider[slot]; c >= 0; c = colliders.next[c]) {
      const at = 6 * c;
      const x = colliders.box[at + BOX_HIGH] - colliders.box[at];
      const y = colliders.box[at + BOX_HIGH + 1] - colliders.box[at + 1];
      const z = colliders.box[at + BOX_HIGH + 2] - colliders.box[at + 2];
      area += (Math.abs(over[0]) * y * z + Math.abs(over[1]) * x * z + Math.abs(over[2]) * x * y) / speed;
    }
    // No more in a step than brings it to the speed of the air.
    const most = 1 / (bodies.inverseMass[slot] * physics.settings.timeStep);
    const share = Math.min(HALF_AIR * drag * area * speed, most);
    for (let k = 0; k < 3; k++) bodies.force[4 * slot + k] += share * over[k];
  });
}

export interface GravityVolumeSpec {
  region: Region;
  /** What bodies in it fall with instead of the world's gravity [m/s²]. */
  gravity?: Vector;
  /** Or: towards this point, as of a planet, by `strength` [m/s²]. */
  towards?: Vector;
  strength?: number;
  mask?: number;
}

/** Another gravity for bodies whose centre is in a region. Returns a function that ends it. Throws UsageError. */
export function addGravityVolume(physics: Physics, spec: GravityVolumeSpec): () => void {
  const where = 'addGravityVolume';
  requirePhysics(physics, where);
  if (typeof spec !== 'object' || spec === null) refuse(where, 'spec must be an object', spec);
  const place = readRegion(where, spec.region);
  const mask = requireBits(where, 'mask', spec.mask ?? 0xffff);
  if ((spec.gravity === undefined) === (spec.towards === undefined)) {
    refuse(where, 'spec must have either gravity or towards', spec);
  }
  const fixed = spec.gravity && requireVector(where, 'gravity', spec.gravity, 3, 'm/s²');
  const center = spec.towards && requireVector(where, 'towards', spec.towards, 3, 'm');
  const strength = requireFinite(where, 'strength', spec.strength ?? 9.81, 'm/s²');
  const { engine } = physics.internal;
  return addVolume(physics, place, mask, 'gravity volume', (slot) => {
    const { bodies } = engine.tables;
    if (!isInside(place, bodies.position, 4 * slot)) return;
    const scale = bodies.damping[4 * slot + GRAVITY_OF_BODY] / bodies.inverseMass[slot];
    const own = fixed ?? towards(over, center as number[], bodies.position, 4 * slot, strength);
    for (let k = 0; k < 3; k++) {
      bodies.force[4 * slot + k] += scale * (own[k] - engine.arena.f64[(L.GRAVITY >> 3) + k]);
    }
  });
}

/** Into `out`: `strength` from a position towards the centre; none at it. */
function towards(
  out: Float64Array,
  center: number[],
  position: Float64Array,
  at: number,
  strength: number,
): Float64Array {
  for (let k = 0; k < 3; k++) out[k] = center[k] - position[at + k];
  const length = Math.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2);
  const scale = length > 1e-9 ? strength / length : 0;
  for (let k = 0; k < 3; k++) out[k] *= scale;
  return out;
}

function isInside({ min, max, center, radius }: Place, position: Float64Array, at: number): boolean {
  let square = 0;
  for (let k = 0; k < 3; k++) {
    if (center) square += (position[at + k] - center[k]) ** 2;
    else if (position[at + k] < min[k] || position[at + k] > max[k]) return false;
  }
  return square <= radius * radius;
}
