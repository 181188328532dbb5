// copy-out: moved slots → columns. Awake bodies and those that fell asleep in this step; nothing else is touched.

import { written } from '../components/columns';
import type { Components } from '../components/components';
import { forgetMotion } from '../src/dynamics/bodies';
import * as L from '../src/state/layout';
import { MIRROR_ROTATION, MIRROR_SPIN, MIRROR_STRIDE, MIRROR_VELOCITY, showMirror } from './mirror';
import type { Physics, Step } from './physics';
import { setSleepTag } from './sleep-tags';

const single = new Int32Array(1);

/** Writes one body's pose and velocity to its entity's columns. */
export function copyOutBody(physics: Physics, slot: number): void {
  single[0] = slot;
  copyOutBodies(physics, single, 1, false);
}

/**
 * Writes the poses and velocities of `count` bodies; with `keepWrites` but for those columns that the game
 * has written to since they were last: they wait for the next step. Columns are looked up once: the loop
 * is the whole cost of a step's end.
 */
function copyOutBodies(physics: Physics, slots: Int32Array, count: number, keepWrites: boolean): void {
  const { engine, mirror } = physics.internal;
  const { entity, position, rotation, center, linearVelocity, angularVelocity } = engine.tables.bodies;
  const { x: px, y: py, z: pz } = physics.components.Transform.position;
  const { x: qx, y: qy, z: qz, w: qw } = physics.components.Transform.rotation;
  const { x: vx, y: vy, z: vz } = physics.components.Velocity.linear;
  const { x: wx, y: wy, z: wz } = physics.components.Velocity.angular;
  const { values } = mirror;

  for (let i = 0; i < count; i++) {
    const slot = slots[i];
    const eid = entity[slot];
    if (eid === 0) continue;
    const at = 4 * slot;
    const m = MIRROR_STRIDE * eid;
    const a = rotation[at];
    const b = rotation[at + 1];
    const c = rotation[at + 2];
    const d = rotation[at + 3];

    // The entity's frame lies −R·centre from the centre of mass.
    const x = center[at];
    const y = center[at + 1];
    const z = center[at + 2];
    const tx = 2 * (b * z - c * y);
    const ty = 2 * (c * x - a * z);
    const tz = 2 * (a * y - b * x);
    const ox = position[at] - (x + d * tx + b * tz - c * ty);
    const oy = position[at + 1] - (y + d * ty + c * tx - a * tz);
    const oz = position[at + 2] - (z + d * tz + a * ty - b * tx);
    if (!keepWrites || px[eid] === values[m]) px[eid] = ox;
    if (!keepWrites || py[eid] === values[m + 1]) py[eid] = oy;
    if (!keepWrites || pz[eid] === values[m + 2]) pz[eid] = oz;
    if (!keepWrites || qx[eid] === values[m + MIRROR_ROTATION]) qx[eid] = a;
    if (!keepWrites || qy[eid] === values[m + MIRROR_ROTATION + 1]) qy[eid] = b;
    if (!keepWrites || qz[eid] === values[m + MIRROR_ROTATION + 2]) qz[eid] = c;
    if (!keepWrites || qw[eid] === values[m + MIRROR_ROTATION + 3]) qw[eid] = d;
    if (!keepWrites || vx[eid] === values[m + MIRROR_VELOCITY]) vx[eid] = linearVelocity[at];
    if (!keepWrites || vy[eid] === values[m + MIRROR_VELOCITY + 1]) vy[eid] = linearVelocity[at + 1];
    if (!keepWrites || vz[eid] === values[m + MIRROR_VELOCITY + 2]) vz[eid] = linearVelocity[at + 2];
    if (!keepWrites || wx[eid] === values[m + MIRROR_SPIN]) wx[eid] = angularVelocity[at];
    if (!keepWrites || wy[eid] === values[m + MIRROR_SPIN + 1]) wy[eid] = angularVelocity[at + 1];
    if (!keepWrites || wz[eid] === values[m + MIRROR_SPIN + 2]) wz[eid] = angularVelocity[at + 2];
    values[m] = ox;
    values[m + 1] = oy;
    values[m + 2] = oz;
    values[m + MIRROR_ROTATION] = a;
    values[m + MIRROR_ROTATION + 1] = b;
    values[m + MIRROR_ROTATION + 2] = c;
    values[m + MIRROR_ROTATION + 3] = d;
    values[m + MIRROR_VELOCITY] = linearVelocity[at];
    values[m + MIRROR_VELOCITY + 1] = linearVelocity[at + 1];
    values[m + MIRROR_VELOCITY + 2] = linearVelocity[at + 2];
    values[m + MIRROR_SPIN] = angularVelocity[at];
    values[m + MIRROR_SPIN + 1] = angularVelocity[at + 1];
    values[m + MIRROR_SPIN + 2] = angularVelocity[at + 2];
  }
}

/** Writes a body's surface velocity to its entity's columns; only calls and restored snapshots change it. */
export function copyOutSurface(physics: Physics, slot: number): void {
  const { bodies } = physics.internal.engine.tables;
  const { x, y, z } = physics.components.RigidBody.surfaceVelocity;
  const eid = bodies.entity[slot];
  x[eid] = bodies.surfaceVelocity[4 * slot];
  y[eid] = bodies.surfaceVelocity[4 * slot + 1];
  z[eid] = bodies.surfaceVelocity[4 * slot + 2];
}

/** Adds an entity to the list of moved ones. */
export function pushMoved(physics: Physics, eid: number): void {
  const { moved } = physics.internal;
  if (moved.count === moved.entities.length) {
    const grown = new Int32Array(2 * moved.entities.length);
    grown.set(moved.entities);
    moved.entities = grown;
  }
  moved.entities[moved.count++] = eid;
}

export function copyOut({ physics }: Step): void {
  const { engine, moved } = physics.internal;
  const { arena, tables } = engine;
  const { bodies } = tables;
  settleInterpolated(physics);
  moved.count = 0;
  copyOutList(physics, bodies.awakeList, arena.i32[L.AWAKE_COUNT >> 2], true);
  const asleep = arena.i32[L.SLEEP_COUNT >> 2];
  // At rest: between the last two poses there is nothing left to interpolate.
  for (let i = 0; i < asleep; i++) forgetMotion(engine, bodies.sleepList[i]);
  copyOutList(physics, bodies.sleepList, asleep, true);
  // What was quarantined in this step stands still, too.
  copyOutList(physics, bodies.quarantineList, arena.i32[L.QUARANTINE_COUNT >> 2], true);
  mirrorSleep(physics);
  for (const module of physics.internal.modules) module.copyOut?.(physics);
}

/** Writes the poses and velocities of `count` bodies, as copyOutBodies does, and lists their entities as moved. */
export function copyOutList(physics: Physics, slots: Int32Array, count: number, keepWrites: boolean): void {
  if (count === 0) return;
  copyOutBodies(physics, slots, count, keepWrites);
  const { entity } = physics.internal.engine.tables.bodies;
  for (let i = 0; i < count; i++) {
    const eid = entity[slots[i]];
    if (eid !== 0) pushMoved(physics, eid);
  }
}

/** Entities that moved in the step before stand at its end from now on, unless they move again. */
function settleInterpolated({ internal, components }: Physics): void {
  const { moved, slotOf, engine, mirror } = internal;
  const { awakeIndex } = engine.tables.bodies;
  for (let i = 0; i < moved.count; i++) {
    const eid = moved.entities[i];
    const slot = slotOf[eid] ?? -1;
    if (slot < 0) {
      showTransform(components, eid);
      continue;
    }
    showMirror(components.Interpolated, mirror.values, eid);
    if (awakeIndex[slot] < 0) forgetMotion(engine, slot);
  }
}

/** An entity that has lost its body stands where its columns say. */
function showTransform({ Transform, Interpolated }: Components, eid: number): void {
  const { position, rotation } = written(Interpolated);
  for (const k of ['x', 'y', 'z'] as const) position[k][eid] = Transform.position[k][eid];
  for (const k of ['x', 'y', 'z', 'w'] as const) rotation[k][eid] = Transform.rotation[k][eid];
}

/** Tag Sleeping follows the engine's lists. A body may stand on both: its flag decides. */
function mirrorSleep(physics: Physics): void {
  const { arena, tables } = physics.internal.engine;
  const { bodies } = tables;
  for (let i = 0; i < arena.i32[L.SLEEP_COUNT >> 2]; i++) mirrorSleepTag(physics, bodies.sleepList[i]);
  for (let i = 0; i < arena.i32[L.WAKE_COUNT >> 2]; i++) mirrorSleepTag(physics, bodies.wakeList[i]);
  arena.i32[L.SLEEP_COUNT >> 2] = 0;
  arena.i32[L.WAKE_COUNT >> 2] = 0;
}

/** Sets or clears the Sleeping tag of a body's entity. */
function mirrorSleepTag(physics: Physics, slot: number): void {
  const { bodies } = physics.internal.engine.tables;
  const eid = bodies.entity[slot];
  if (eid === 0) return;
  setSleepTag(physics, eid, (bodies.flags[slot] & L.BODY_ASLEEP) !== 0);
}
