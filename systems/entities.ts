// Keeps the engine's bodies in step with the ECS, through observers: entities that get or lose RigidBody, tags
// that change. Plain addComponent and removeEntity by the game work as well as addRigidBody and removeRigidBody.
//
// Observers only take notes; bodies are made and destroyed at copy-in, so anything may be added or removed at
// any time, in callbacks too.

import { entityExists, hasComponent, observe, onAdd, onRemove } from 'bitecs';
import { written } from '../components/columns';
import { noteMotion } from '../src/collision/queries';
import { createBody, destroyBody, FARTHEST, isReachable, wakeBody } from '../src/dynamics/bodies';
import type { ShapeHandle } from '../src/geometry/shapes';
import { isRuleNumber } from '../src/state/combine-rules';
import { ANGULAR_DAMPING, COLLIDER_RESTITUTION, GRAVITY_OF_BODY } from '../src/state/contact-places';
import * as L from '../src/state/layout';
import { isGravityScale } from '../src/state/limits';
import { copyOutBody, pushMoved } from './copy-out';
import { setTag, throwWaiting } from './ecs-changes';
import { forgetContact, forgetShown } from './emit-events';
import { isLeaving, noteArrival, noteLeaving, observeLives } from './entity-lives';
import { readInertiaColumns, readOffsetColumns, readRolling, usableFriction, usableMass } from './live-columns';
import { ensureMirror, MIRROR_STRIDE, mirrorProperties } from './mirror';
import { observeJoints } from './observe-joints';
import { observeRods } from './observe-rods';
import type { Physics } from './physics';
import { relistQuarantined } from './report-step';
import { hasPendingRods } from './rod-state';
import { shapeAt } from './shape-book';
import { noteSleepTag, observeSleepTags, setSleepTag, tellSlept } from './sleep-tags';
import { takeVelocity } from './take-velocity';
import { missingPart, noteCompleted, waitForParts } from './waiting-bodies';
import { tellIgnored, tellUnused } from './warnings';

/** Subscribes; to be called before the world has content (bitECS reports nothing that was there before). */
export function observeEntities(physics: Physics): void {
  const { world, components, internal } = physics;
  const { Transform, Interpolated, Velocity, RigidBody, Collider, Material, Contact } = components;
  const { Static, Kinematic, Sensor } = components;
  const on = (unsubscribe: () => void) => internal.unobserve.push(unsubscribe);
  const fresh = (eid: number) => ensureRow(physics, eid);

  for (const pose of [Transform, Interpolated]) {
    on(
      observe(world, onAdd(pose), (eid: number) => {
        fresh(eid);
        const { position, rotation } = written(pose);
        position.x[eid] = position.y[eid] = position.z[eid] = 0;
        rotation.x[eid] = rotation.y[eid] = rotation.z[eid] = 0;
        rotation.w[eid] = 1;
      }),
    );
  }

  on(
    observe(world, onAdd(Velocity), (eid: number) => {
      fresh(eid);
      const { linear, angular } = Velocity;
      linear.x[eid] = linear.y[eid] = linear.z[eid] = angular.x[eid] = angular.y[eid] = angular.z[eid] = 0;
    }),
  );

  on(
    observe(world, onAdd(Collider), (eid: number) => {
      fresh(eid);
      internal.collided.push(eid);
      Collider.shape[eid] = 0;
      Collider.layers[eid] = 1;
      Collider.mask[eid] = 0xffff;
    }),
  );

  on(
    observe(world, onAdd(Material), (eid: number) => {
      fresh(eid);
      Material.friction[eid] = 0.6;
      Material.restitution[eid] = 0;
      Material.density[eid] = 1000;
      Material.combineFriction[eid] = Material.combineRestitution[eid] = 0;
      Material.rollingFriction[eid] = Material.spinningFriction[eid] = 0;
    }),
  );

  on(
    observe(world, onAdd(RigidBody), (eid: number) => {
      fresh(eid);
      const { force, torque, surfaceVelocity: surface } = RigidBody;
      const { inertia, centerOffset } = RigidBody;
      RigidBody.mass[eid] = RigidBody.linearDamping[eid] = RigidBody.angularDamping[eid] = 0;
      inertia.x[eid] = inertia.y[eid] = inertia.z[eid] = RigidBody.lockRotation[eid] = 0;
      centerOffset.x[eid] = centerOffset.y[eid] = centerOffset.z[eid] = 0;
      RigidBody.gravityScale[eid] = 1;
      RigidBody.canSleep[eid] = 1;
      force.x[eid] = force.y[eid] = force.z[eid] = torque.x[eid] = torque.y[eid] = torque.z[eid] = 0;
      surface.x[eid] = surface.y[eid] = surface.z[eid] = RigidBody.modifyContacts[eid] = 0;
      RigidBody.continuous[eid] = 0;
      noteArrival(physics, eid, 'RigidBody');
      internal.spawned.push(eid);
    }),
  );

  on(
    observe(world, onRemove(RigidBody), (eid: number) => {
      noteLeaving(physics, eid, 'RigidBody');
      const slot = internal.slotOf[eid] ?? -1;
      if (slot < 0) return;
      // The id may be given out again at once: the body must not be found through it any more.
      internal.slotOf[eid] = -1;
      internal.engine.tables.bodies.entity[slot] = 0;
      internal.removed.push({ slot, entity: eid });
    }),
  );

  for (const tag of [Static, Kinematic, Sensor]) {
    for (const event of [onAdd, onRemove]) {
      on(
        observe(world, event(tag), (eid: number) => {
          if (hasComponent(world, eid, RigidBody)) internal.changed.push(eid);
        }),
      );
    }
  }

  observeSleepTags(physics);
  on(observe(world, onRemove(Contact), (eid: number) => forgetContact(physics, eid)));
  observeRods(physics);
  observeLives(physics);
  observeJoints(physics);
}

/** Makes sure that an entity has a row in every column. */
export function ensureRow({ internal }: Physics, eid: number): void {
  internal.columns.ensure(eid);
  const { capacity } = internal.columns;
  ensureMirror(internal.mirror, capacity);
  internal.slotOf = ensureSlots(internal.slotOf, eid, capacity);
  internal.rods.slotOf = ensureSlots(internal.rods.slotOf, eid, capacity);
  internal.rods.attachmentOf = ensureSlots(internal.rods.attachmentOf, eid, capacity);
  internal.joints.slotOf = ensureSlots(internal.joints.slotOf, eid, capacity);
}

function ensureSlots(slots: Int32Array, eid: number, capacity: number): Int32Array {
  if (eid < slots.length) return slots;
  const grown = new Int32Array(capacity).fill(-1);
  grown.set(slots);
  return grown;
}

/** Most rounds of changes that observers make while changes are made. */
const MOST_ROUNDS = 16;

/**
 * Makes and destroys the bodies that the observers noted since the last time. Between steps, or at copy-in. Between
 * steps nothing is left to be made, whatever observers change meanwhile: a snapshot does not have it.
 */
export function flushEntities(physics: Physics): void {
  const { internal } = physics;
  const { slept, stepping } = internal;
  let rounds = 0;
  do {
    makeChanges(physics);
    tellSlept(physics);
    if (stepping) return;
  } while ((hasPending(internal) || slept.length > 0) && ++rounds < MOST_ROUNDS);
  throwWaiting(physics);
}

/** Whether anything waits to be made or to be destroyed. */
function hasPending({ spawned, removed, changed, rods, joints }: Physics['internal']): boolean {
  const count = spawned.length + removed.length + changed.length + joints.removed.length + joints.pending.size;
  return count > 0 || hasPendingRods(rods);
}

function destroyRemoved(physics: Physics): void {
  const { internal } = physics;
  // Taken off the list first: an observer of a joint that goes may ask for what makes this happen again.
  for (const { slot, entity } of internal.removed.splice(0)) {
    for (const module of internal.modules) module.releaseFromBody?.(physics, slot);
    destroyBody(internal.engine, slot);
    dropSleepTag(physics, entity);
  }
}

function makeChanges(physics: Physics): void {
  const { internal } = physics;
  noteMotion(internal.queries);
  if (hasPending(internal)) forgetShown(physics);
  if (internal.removed.length > 0) destroyRemoved(physics);
  for (let i = 0; i < internal.changed.length; i++) rebuildBody(physics, internal.changed[i]);
  internal.changed.length = 0;
  noteCompleted(physics);
  spawnBodies(physics);
  for (const module of internal.modules) module.flush?.(physics);
  if (internal.engine.report.quarantined.length > 0) relistQuarantined(internal.engine);
}

/**
 * Makes the bodies that a call or a query is about to ask for. Inside a step only new ones: what was removed or
 * changed still stands in the islands of the step and waits for the next copy-in.
 */
export function makePending(physics: Physics): void {
  const { spawned, stepping, queries } = physics.internal;
  noteCompleted(physics);
  if (stepping) {
    if (spawned.length === 0) return;
    noteMotion(queries);
    forgetShown(physics);
    spawnBodies(physics);
  } else if (hasPending(physics.internal)) flushEntities(physics);
}

function spawnBodies(physics: Physics): void {
  const { spawned } = physics.internal;
  // Adding missing components may call observers of the game that spawn more: the list may grow.
  for (let i = 0; i < spawned.length; i++) spawnBody(physics, spawned[i]);
  spawned.length = 0;
}

/** Reads all of an entity's columns again (shape, mass, material, tags) and makes its body anew in place. */
function rebuildBody(physics: Physics, eid: number): void {
  const { engine, slotOf, modules } = physics.internal;
  const slot = slotOf[eid] ?? -1;
  if (slot < 0) {
    spawnBody(physics, eid);
    return;
  }
  const center = engine.tables.bodies.center.slice(4 * slot, 4 * slot + 3);
  // With their modules: an observer of the game may add the first of a family, and so a module, in between.
  const holders = modules.map((module) => ({ module, held: module.holdersOf?.(physics, slot) ?? [] }));
  destroyBody(engine, slot);
  slotOf[eid] = -1;
  dropSleepTag(physics, eid);
  spawnBody(physics, eid);
  for (const { module, held } of holders) module.followBody?.(physics, slot, slotOf[eid], center, held);
}

/** A body is made awake; without a body nothing sleeps. */
function dropSleepTag(physics: Physics, eid: number): void {
  setSleepTag(physics, eid, false);
}

function spawnBody(physics: Physics, eid: number): void {
  const { world, components, internal } = physics;
  const { Transform, Velocity, RigidBody, Collider, Material } = components;
  const { engine, waiting } = internal;
  waiting.delete(eid);
  if (!entityExists(world, eid) || !hasComponent(world, eid, RigidBody) || internal.slotOf[eid] >= 0) return;

  // While an entity is being removed its components are still there: what its observers ask
  // for must not bring the body back.
  if (isLeaving(physics, eid, 'RigidBody')) return;
  for (const component of [Transform, components.Interpolated, Velocity, Material]) {
    setTag(physics, eid, component, true);
  }

  // An observer may have removed it meanwhile.
  if (!entityExists(world, eid) || !hasComponent(world, eid, RigidBody)) return;
  if (missingPart(physics, eid)) {
    waitForParts(physics, eid);
    return;
  }
  const shape = shapeAt(internal, Collider.shape[eid]) as ShapeHandle;

  const type = hasComponent(world, eid, components.Static)
    ? L.BODY_STATIC
    : hasComponent(world, eid, components.Kinematic)
      ? L.BODY_KINEMATIC
      : L.BODY_DYNAMIC;
  tellSpawnMaterial(physics, eid);
  readSpawnPose(physics, eid);
  readSpawnSurface(physics, eid);

  const slot = createBody(engine, {
    entity: eid,
    type,
    shape,
    shapeId: Collider.shape[eid],
    position,
    rotation,
    mass: usableMass(physics, eid, 'density × volume is taken') ?? 0,
    density: Material.density[eid] > 0 ? Material.density[eid] : 1000,
    inertia: [...readInertiaColumns(physics, eid)],
    centerOffset: [...readOffsetColumns(physics, eid)],
    lockRotation: RigidBody.lockRotation[eid],
    friction: usableFriction(physics, eid, Material.friction[eid]) ?? 0,
    restitution: Math.min(1, atLeast(Material.restitution[eid], 0, 0)),
    frictionRule: readRule(physics, eid, 'combineFriction'),
    restitutionRule: readRule(physics, eid, 'combineRestitution'),
    rollingFriction: readRolling(physics, eid, 'rollingFriction', 0),
    spinningFriction: readRolling(physics, eid, 'spinningFriction', 0),
    surfaceVelocity: surface,
    modifyContacts: RigidBody.modifyContacts[eid] !== 0,
    continuous: RigidBody.continuous[eid] !== 0,
    layers: Collider.layers[eid],
    mask: Collider.mask[eid],
    sensor: hasComponent(world, eid, components.Sensor),
    canSleep: RigidBody.canSleep[eid] !== 0,
  });

  const { bodies } = engine.tables;
  internal.slotOf[eid] = slot;
  if (type === L.BODY_DYNAMIC) RigidBody.mass[eid] = 1 / bodies.inverseMass[slot];
  else keepIdleNumbers(physics, eid, slot);
  mirrorProperties(components, internal.mirror, eid);

  // What was refused above; else the next step would find the columns different.
  const collider = bodies.collider[slot];
  Material.friction[eid] = engine.tables.colliders.material[2 * collider];
  Material.restitution[eid] = engine.tables.colliders.material[2 * collider + COLLIDER_RESTITUTION];
  writeSpawnVelocity(physics, eid, slot);
  noteSleepTag(physics, eid, false);
}

/** What has no effect on bodies that are not dynamic: the first step must not take it for a write. */
function keepIdleNumbers({ components, internal }: Physics, eid: number, slot: number): void {
  const { linearDamping, angularDamping, gravityScale } = components.RigidBody;
  const { damping } = internal.engine.tables.bodies;
  damping[4 * slot] = atLeast(linearDamping[eid], 0, 0);
  damping[4 * slot + ANGULAR_DAMPING] = atLeast(angularDamping[eid], 0, 0);
  if (isGravityScale(gravityScale[eid])) damping[4 * slot + GRAVITY_OF_BODY] = gravityScale[eid];
}

/** Tells what of the material is replaced by 0 or a default. */
function tellSpawnMaterial(physics: Physics, eid: number): void {
  const { friction, restitution, density } = physics.components.Material;
  if (!(friction[eid] >= 0)) tellIgnored(physics, 'Material.friction', eid, 'must be >= 0; 0 is taken', friction[eid]);
  if (!(restitution[eid] >= 0 && restitution[eid] <= 1)) {
    tellIgnored(physics, 'Material.restitution', eid, 'must be 0..1; the nearest is taken', restitution[eid]);
  }
  if (!(density[eid] > 0)) tellIgnored(physics, 'Material.density', eid, 'must be > 0; 1000 is taken', density[eid]);
}

const position = new Float64Array(3);
const rotation = new Float64Array(4);
const surface = new Float64Array(3);

/** Surface velocity from the columns; what is not finite becomes rest. */
function readSpawnSurface(physics: Physics, eid: number): void {
  const { x, y, z } = physics.components.RigidBody.surfaceVelocity;
  surface[0] = x[eid];
  surface[1] = y[eid];
  surface[2] = z[eid];
  if (surface.every(Number.isFinite)) return;
  const got = surface.join(' ');
  tellIgnored(physics, 'RigidBody.surfaceVelocity', eid, 'must be finite; 0 is taken', got);
  surface.fill(0);
}

/** Number of a combine rule from its column; an unknown one is none. */
function readRule(physics: Physics, eid: number, name: 'combineFriction' | 'combineRestitution'): number {
  const rule = physics.components.Material[name][eid];
  if (isRuleNumber(rule)) return rule;
  tellIgnored(physics, `Material.${name}`, eid, 'must be 0 to 5; the default is taken', rule);
  return 0;
}

/** First pose from the columns; what is not finite becomes the origin. */
function readSpawnPose(physics: Physics, eid: number): void {
  const { position: p, rotation: q } = physics.components.Transform;
  position.set([p.x[eid], p.y[eid], p.z[eid]]);
  rotation.set([q.x[eid], q.y[eid], q.z[eid], q.w[eid]]);
  if (isReachable(position) && rotation.every(Number.isFinite) && rotation.some((x) => x !== 0)) return;
  const expectation = `must be finite, within ±${FARTHEST} m, with a rotation that is not zero; the origin is taken`;
  tellIgnored(physics, 'Transform', eid, expectation, [...position, ...rotation].join(' '));
  position.fill(0);
  rotation.set([0, 0, 0, 1]);
}

/** First velocity from the columns; what is not finite becomes rest. */
function writeSpawnVelocity(physics: Physics, eid: number, slot: number): void {
  const { internal } = physics;
  const { linear: v, angular: w } = physics.components.Velocity;
  const { bodies } = internal.engine.tables;
  const velocity = [v.x[eid], v.y[eid], v.z[eid]];
  const spin = [w.x[eid], w.y[eid], w.z[eid]];
  if (bodies.flags[slot] & L.BODY_STATIC) {
    // What moved until it became static was not written.
    const { values } = internal.mirror;
    const last = MIRROR_STRIDE * eid + 7;
    if ([...velocity, ...spin].some((x, k) => x !== 0 && x !== values[last + k])) {
      tellUnused(physics, 'Velocity', eid, slot, [...velocity, ...spin].join(' '));
    }
  } else if ([...velocity, ...spin].every(Number.isFinite)) takeVelocity(physics, slot, eid, velocity, spin);
  else tellIgnored(physics, 'Velocity', eid, 'must be finite; 0 is taken', [...velocity, ...spin].join(' '));
  if (bodies.flags[slot] & L.BODY_KINEMATIC && [...velocity, ...spin].some((x) => x !== 0)) {
    wakeBody(internal.engine, slot);
  }
  copyOutBody(physics, slot);
  pushMoved(physics, eid);
}

function atLeast(x: number, least: number, otherwise: number): number {
  return x >= least && x < Number.POSITIVE_INFINITY ? x : otherwise;
}
