// What a game writes to RigidBody, Collider and Material acts in the next step, whether the body sleeps or not.
//
// In: the columns of bodies. Out: rows of bodies, colliders and pairs; bodies that must be made anew (another shape,
// other contacts to be shown) are noted in `changed`. The tables are compared with the columns, so that what a restored
// snapshot brings back is no change.

import { forEachPair } from '../src/collision/broadphase';
import { touchRare } from '../src/core/arena';
import {
  disturbBody,
  markRolling,
  setBodyCenter,
  setBodyInertia,
  setBodyLocks,
  setBodyMass,
  wakeBody,
} from '../src/dynamics/bodies';
import type { Engine } from '../src/dynamics/engine';
import type { ShapeHandle } from '../src/geometry/shapes';
import { isRuleNumber } from '../src/state/combine-rules';
import { COLLIDER_RESTITUTION, SPINNING_FRICTION } from '../src/state/contact-places';
import * as L from '../src/state/layout';
import {
  LARGEST_FRICTION,
  LARGEST_INERTIA,
  LARGEST_MASS,
  LARGEST_OFFSET,
  massWithin,
  SMALLEST_INERTIA,
  SMALLEST_MASS,
} from '../src/state/limits';
import { MIRROR_DENSITY, MIRROR_MASS, MIRROR_STRIDE } from './mirror';
import type { Physics } from './physics';
import { PLACE, shapeAt, shapeOfBody } from './shape-book';
import { tellIgnored, tellUnused } from './warnings';

/** Compares the columns of `count` bodies with the tables; takes over what differs. */
export function readProperties(physics: Physics, slots: Int32Array, count: number): void {
  if (count === 0) return;
  const { bodies, colliders } = physics.internal.engine.tables;
  const { RigidBody, Collider, Material } = physics.components;
  const { friction, restitution, density, combineFriction, combineRestitution } = Material;
  const { rollingFriction, spinningFriction } = Material;
  const { values: seen } = physics.internal.mirror;
  const { layers: inLayers, mask } = Collider;
  const { mass, lockRotation, canSleep, modifyContacts, continuous } = RigidBody;
  const { x: ix, y: iy, z: iz } = RigidBody.inertia;
  const { x: cx, y: cy, z: cz } = RigidBody.centerOffset;
  const { entity, flags, collider, shape, center, localInertia, inverseMass } = bodies;
  const { handles } = physics.internal.shapes;
  const { material, rolling, flags: bits, layers } = colliders;

  for (let i = count - 1; i >= 0; i--) {
    const slot = slots[i];
    const eid = entity[slot];
    if (eid === 0 || flags[slot] & L.BODY_QUARANTINED) continue;
    const c = collider[slot];
    const rules = (combineFriction[eid] & 7) | ((combineRestitution[eid] & 7) << 3);

    if (
      friction[eid] !== material[2 * c] ||
      restitution[eid] !== material[2 * c + COLLIDER_RESTITUTION] ||
      rollingFriction[eid] !== rolling[2 * c] ||
      spinningFriction[eid] !== rolling[2 * c + SPINNING_FRICTION] ||
      rules !== ((bits[c] >> L.COLLIDER_FRICTION_RULE) & 63)
    ) {
      readMaterial(physics, slot, eid);
    }

    if ((inLayers[eid] | mask[eid]) & ~0xffff) trimLayers(physics, eid);
    if (((inLayers[eid] & 0xffff) | (mask[eid] << 16)) !== layers[c]) readLayers(physics, slot, eid);
    if (lockRotation[eid] !== (flags[slot] & L.BODY_LOCKS) >> L.BODY_LOCK_SHIFT) readLocks(physics, slot, eid);
    if ((canSleep[eid] === 0) !== ((flags[slot] & L.BODY_NEVER_SLEEPS) !== 0)) readSleep(physics, slot, eid);
    const d = MIRROR_STRIDE * eid + MIRROR_DENSITY;
    const isDense = density[eid] !== seen[d];
    const isDynamic = (flags[slot] & L.BODY_DYNAMIC) !== 0;
    if (isDynamic) {
      if (1 / mass[eid] !== inverseMass[slot]) readMass(physics, slot, eid);
    } else if (mass[eid] !== seen[d + 1] || ix[eid] + iy[eid] + iz[eid] !== seen[d + 2])
      readIdleMass(physics, slot, eid);
    if (isDense) readDensity(physics, slot, eid);
    const own = (handles[(shape[slot] & PLACE) - 1] as ShapeHandle).mass.center;
    const m = 4 * slot;
    if (cx[eid] + own[0] !== center[m] || cy[eid] + own[1] !== center[m + 1] || cz[eid] + own[2] !== center[m + 2]) {
      readCenter(physics, slot, eid);
    }
    const I = 8 * slot;
    const isGiven = (flags[slot] & L.BODY_OWN_INERTIA) !== 0;

    if (
      isDynamic &&
      (isGiven
        ? ix[eid] !== localInertia[I] || iy[eid] !== localInertia[I + 1] || iz[eid] !== localInertia[I + 2]
        : ix[eid] !== 0 || iy[eid] !== 0 || iz[eid] !== 0)
    ) {
      readInertia(physics, slot, eid);
    }

    if (Collider.shape[eid] !== shape[slot]) readShape(physics, slot, eid);
    if ((continuous[eid] !== 0) !== ((flags[slot] & L.BODY_CONTINUOUS) !== 0)) flags[slot] ^= L.BODY_CONTINUOUS;
    if ((modifyContacts[eid] !== 0) !== ((flags[slot] & L.BODY_MODIFIES) !== 0)) physics.internal.changed.push(eid);
  }
}

/** Friction that counts: at most LARGEST_FRICTION; null for what is no friction. */
export function usableFriction(physics: Physics, eid: number, value: number): number | null {
  if (!(value >= 0)) return null;
  if (value > LARGEST_FRICTION) {
    const expectation = `more than ${LARGEST_FRICTION} holds no better, and is taken for that`;
    tellIgnored(physics, 'Material.friction', eid, expectation, value);
  }
  return Math.min(value, LARGEST_FRICTION);
}

/** Rolling or spinning friction from its column, where `otherwise` replaces what is none [m]. */
export function readRolling(
  physics: Physics,
  eid: number,
  name: 'rollingFriction' | 'spinningFriction',
  otherwise: number,
): number {
  const column = physics.components.Material[name];
  if (!(column[eid] >= 0 && column[eid] < Number.POSITIVE_INFINITY)) {
    tellIgnored(physics, `Material.${name}`, eid, `must be >= 0 and finite [m]; ${otherwise} is taken`, column[eid]);
    column[eid] = otherwise;
  }
  return column[eid];
}

function readMaterial(physics: Physics, slot: number, eid: number): void {
  const { engine } = physics.internal;
  const { bodies, colliders } = engine.tables;
  const { Material } = physics.components;
  const first = bodies.collider[slot];
  const friction = usableFriction(physics, eid, Material.friction[eid]);
  if (friction === null) {
    tellIgnored(physics, 'Material.friction', eid, 'must be >= 0; the one before stays', Material.friction[eid]);
  }
  Material.friction[eid] = friction ?? colliders.material[2 * first];
  if (!(Material.restitution[eid] >= 0 && Material.restitution[eid] <= 1)) {
    const expectation = 'must be 0..1; the one before stays';
    tellIgnored(physics, 'Material.restitution', eid, expectation, Material.restitution[eid]);
    Material.restitution[eid] = colliders.material[2 * first + COLLIDER_RESTITUTION];
  }
  for (const name of ['combineFriction', 'combineRestitution'] as const) {
    const rules = Material[name];
    if (isRuleNumber(rules[eid])) continue;
    const shift = name === 'combineFriction' ? L.COLLIDER_FRICTION_RULE : L.COLLIDER_RESTITUTION_RULE;
    tellIgnored(physics, `Material.${name}`, eid, 'must be 0 to 5; the one before stays', rules[eid]);
    rules[eid] = (colliders.flags[first] >> shift) & L.COLLIDER_RULE_MASK;
  }
  const rolling = readRolling(physics, eid, 'rollingFriction', colliders.rolling[2 * first]);
  const spinning = readRolling(physics, eid, 'spinningFriction', colliders.rolling[2 * first + SPINNING_FRICTION]);
  if (rolling > 0 || spinning > 0) markRolling(engine, slot);
  const rules =
    (Material.combineFriction[eid] << L.COLLIDER_FRICTION_RULE) |
    (Material.combineRestitution[eid] << L.COLLIDER_RESTITUTION_RULE);
  touchRare(engine.arena);
  for (let c = first; c >= 0; c = colliders.next[c]) {
    colliders.material[2 * c] = Material.friction[eid];
    colliders.material[2 * c + COLLIDER_RESTITUTION] = Material.restitution[eid];
    colliders.rolling[2 * c] = rolling;
    colliders.rolling[2 * c + SPINNING_FRICTION] = spinning;
    colliders.flags[c] = (colliders.flags[c] & ~(63 << L.COLLIDER_FRICTION_RULE)) | rules;
    combineMaterials(engine, c);
  }
  disturbBody(engine, slot);
}

/** Material of all manifolds of a collider, from the two colliders of each. */
function combineMaterials(engine: Engine, collider: number): void {
  const { tables, kernels } = engine;
  forEachPair(tables, collider, (first) => {
    for (let pair = first; pair >= 0; pair = tables.pairs.next[pair]) kernels.combineMaterial(pair);
  });
}

/** Layers are 16 bits; all 32 set stand for all. */
function trimLayers(physics: Physics, eid: number): void {
  for (const name of ['layers', 'mask'] as const) {
    const column = physics.components.Collider[name];
    const given = column[eid];
    column[eid] = given & 0xffff;
    if (column[eid] === given || given === -1) continue;
    tellIgnored(physics, `Collider.${name}`, eid, 'must be 0..65535, 16 bits; higher bits have no effect', given);
  }
}

function readLayers(physics: Physics, slot: number, eid: number): void {
  const { engine } = physics.internal;
  const { bodies, colliders } = engine.tables;
  const { layers, mask } = physics.components.Collider;
  // While the pairs are there: what it touched may fall.
  disturbBody(engine, slot);
  for (let c = bodies.collider[slot]; c >= 0; c = colliders.next[c]) {
    colliders.layers[c] = (layers[eid] & 0xffff) | (mask[eid] << 16);
    colliders.flags[c] |= L.COLLIDER_MOVED;
  }
}

function readLocks(physics: Physics, slot: number, eid: number): void {
  const { engine } = physics.internal;
  const { lockRotation } = physics.components.RigidBody;
  if (lockRotation[eid] < 0 || lockRotation[eid] > 7) {
    const expectation = 'must be 0 to 7 (1 x, 2 y, 4 z); the one before stays';
    tellIgnored(physics, 'RigidBody.lockRotation', eid, expectation, lockRotation[eid]);
    lockRotation[eid] = (engine.tables.bodies.flags[slot] & L.BODY_LOCKS) >> L.BODY_LOCK_SHIFT;
    return;
  }
  setBodyLocks(engine, slot, lockRotation[eid]);
  tellUnused(physics, 'RigidBody.lockRotation', eid, slot, lockRotation[eid]);
  disturbBody(engine, slot);
}

function readSleep(physics: Physics, slot: number, eid: number): void {
  const { engine } = physics.internal;
  const { flags } = engine.tables.bodies;
  if (physics.components.RigidBody.canSleep[eid] !== 0) {
    flags[slot] &= ~L.BODY_NEVER_SLEEPS;
    return;
  }
  flags[slot] |= L.BODY_NEVER_SLEEPS;
  disturbBody(engine, slot);
}

/** Mass that counts, 0 for the shape's; null, and told, for what is none. `otherwise`: what counts then. */
export function usableMass(physics: Physics, eid: number, otherwise: string): number | null {
  const mass = physics.components.RigidBody.mass[eid];
  if (mass === 0 || (mass >= SMALLEST_MASS && mass <= LARGEST_MASS)) return mass;
  const range = `must be at least ${SMALLEST_MASS} and at most ${LARGEST_MASS} [kg]`;
  const expectation = `${range}; ${otherwise}; what shall not move is Static`;
  tellIgnored(physics, 'RigidBody.mass', eid, expectation, mass);
  return null;
}

function readMass(physics: Physics, slot: number, eid: number): void {
  const { engine } = physics.internal;
  const { bodies } = engine.tables;
  const { mass } = physics.components.RigidBody;
  const usable = usableMass(physics, eid, 'the one before stays');
  if (usable !== null) {
    const { density } = physics.components.Material;
    const { volume } = shapeOfBody(physics.internal, slot).mass;
    const own = (density[eid] > 0 ? density[eid] : 1000) * volume;
    if (usable === 0 && 1 / massWithin(own) === bodies.inverseMass[slot]) {
      const expectation = '0 is for density × volume, which it has already; what shall not move is Static';
      tellIgnored(physics, 'RigidBody.mass', eid, expectation, usable);
    }
    setBodyMass(engine, slot, usable > 0 ? usable : massWithin(own));
    wakeBody(engine, slot);
  }
  mass[eid] = 1 / bodies.inverseMass[slot];
}

/** Mass and inertia of what is not dynamic: they wait for the day that the body is. */
function readIdleMass(physics: Physics, slot: number, eid: number): void {
  const { mass } = physics.components.RigidBody;
  const at = MIRROR_STRIDE * eid + MIRROR_MASS;
  const { values } = physics.internal.mirror;
  if (usableMass(physics, eid, 'the one before stays') === null) mass[eid] = values[at];
  else if (mass[eid] !== values[at]) tellUnused(physics, 'RigidBody.mass', eid, slot, mass[eid]);
  values[at] = mass[eid];
  const [x, y, z] = readInertiaColumns(physics, eid);
  if (x + y + z !== values[at + 1]) tellUnused(physics, 'RigidBody.inertia', eid, slot, `${x} ${y} ${z}`);
  values[at + 1] = x + y + z;
}

/** Density is read where the mass is made from it: as the body is made, and where a mass of 0 is written. */
function readDensity(physics: Physics, slot: number, eid: number): void {
  const { engine, mirror } = physics.internal;
  const { flags } = engine.tables.bodies;
  const { density } = physics.components.Material;
  const at = MIRROR_STRIDE * eid + MIRROR_DENSITY;
  if (!(density[eid] > 0)) {
    tellIgnored(physics, 'Material.density', eid, 'must be > 0; the one before stays', density[eid]);
    density[eid] = mirror.values[at];
    return;
  }
  mirror.values[at] = density[eid];
  const own = massWithin(density[eid] * shapeOfBody(physics.internal, slot).mass.volume);
  if (!(flags[slot] & L.BODY_DYNAMIC)) tellUnused(physics, 'Material.density', eid, slot, density[eid]);
  else if (Math.abs(physics.components.RigidBody.mass[eid] - own) > 1e-9 * own) {
    const expectation = 'counts where RigidBody.mass is 0, and the mass is known: write 0 there for density × volume';
    tellIgnored(physics, 'Material.density', eid, expectation, density[eid]);
  }
}

const numbers = new Float64Array(3);

/** Inertia in the columns: three numbers > 0 [kg·m²], or 0 0 0 for the shape's own. */
export function readInertiaColumns(physics: Physics, eid: number): Float64Array {
  const { x, y, z } = physics.components.RigidBody.inertia;
  numbers.set([x[eid], y[eid], z[eid]]);
  const isUsable = (n: number) => n >= SMALLEST_INERTIA && n <= LARGEST_INERTIA;
  if (numbers.every((n) => n === 0) || numbers.every(isUsable)) return numbers;
  const range = `${SMALLEST_INERTIA}..${LARGEST_INERTIA} [kg·m²]`;
  const expectation = `must be three numbers of ${range}, or 0 for the shape’s own, which is taken`;
  tellIgnored(physics, 'RigidBody.inertia', eid, expectation, numbers.join(' '));
  x[eid] = y[eid] = z[eid] = 0;
  return numbers.fill(0);
}

function readInertia(physics: Physics, slot: number, eid: number): void {
  const { engine } = physics.internal;
  setBodyInertia(engine, slot, shapeOfBody(physics.internal, slot).mass, readInertiaColumns(physics, eid));
  wakeBody(engine, slot);
}

/** From the shape's centre of mass to the body's, in the columns [m]. */
export function readOffsetColumns(physics: Physics, eid: number): Float64Array {
  const { x, y, z } = physics.components.RigidBody.centerOffset;
  numbers.set([x[eid], y[eid], z[eid]]);
  if (numbers.every((n) => Math.abs(n) <= LARGEST_OFFSET)) return numbers;
  const expectation = `must be within ±${LARGEST_OFFSET} [m]; 0 is taken`;
  tellIgnored(physics, 'RigidBody.centerOffset', eid, expectation, numbers.join(' '));
  x[eid] = y[eid] = z[eid] = 0;
  return numbers.fill(0);
}

function readCenter(physics: Physics, slot: number, eid: number): void {
  const { engine, modules } = physics.internal;
  const { bodies } = engine.tables;
  const own = shapeOfBody(physics.internal, slot).mass.center;
  const before = bodies.center.slice(4 * slot, 4 * slot + 3);
  const center = readOffsetColumns(physics, eid).map((x, k) => x + own[k]);
  if (center.every((x, k) => x === before[k])) return;
  setBodyCenter(engine, slot, center);
  for (const module of modules) module.followBody?.(physics, slot, slot, before, []);
  disturbBody(engine, slot);
}

/** Another shape: the body is made anew in place, or keeps the one it has. */
function readShape(physics: Physics, slot: number, eid: number): void {
  const { engine, changed } = physics.internal;
  const { shape } = physics.components.Collider;
  const handle = shapeAt(physics.internal, shape[eid]);
  const { bodies } = engine.tables;
  const isStatic = (bodies.flags[slot] & L.BODY_STATIC) !== 0;
  if (handle && (isStatic || !handle.staticOnly)) {
    changed.push(eid);
    return;
  }
  const expectation = handle
    ? 'planes and meshes are for static bodies; the shape before stays'
    : 'must be an id from createShape; the shape before stays';
  tellIgnored(physics, 'Collider.shape', eid, expectation, shape[eid]);
  shape[eid] = bodies.shape[slot];
}
