// copy-out: moved slots → columns. Awake bodies and those that fell asleep in this step; nothing else is touched.

import { addComponent, hasComponent, removeComponent } from 'bitecs';
import { forgetMotion, readPose } from '../src/dynamics/bodies';
import * as L from '../src/state/layout';
import { writeQuaternion, writeVector } from './mirror';
import type { Physics, Step } from './physics';

const position = new Float64Array(3);
const rotation = new Float64Array(4);

/** Writes one body's pose and velocity to its entity's columns. */
export function copyOutBody(physics: Physics, slot: number): void {
  const { engine, mirror } = physics.internal;
  const { bodies } = engine.tables;
  const eid = bodies.entity[slot];
  const { Transform, Velocity } = physics.components;
  readPose(engine, slot, position, rotation);
  writeVector(Transform.position, mirror.position, eid, position, 0);
  writeQuaternion(Transform.rotation, mirror.rotation, eid, rotation, 0);
  writeVector(Velocity.linear, mirror.linear, eid, bodies.linearVelocity, 4 * slot);
  writeVector(Velocity.angular, mirror.angular, eid, bodies.angularVelocity, 4 * slot);
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
  const { engine } = physics.internal;
  const { arena, tables } = engine;
  const { bodies } = tables;
  settleInterpolated(physics);
  physics.internal.moved.count = 0;
  const awake = arena.i32[L.AWAKE_COUNT >> 2];
  for (let i = 0; i < awake; i++) copyOutMoved(physics, bodies.awakeList[i]);
  const asleep = arena.i32[L.SLEEP_COUNT >> 2];
  for (let i = 0; i < asleep; i++) {
    const slot = bodies.sleepList[i];
    // At rest: between the last two poses there is nothing left to interpolate.
    forgetMotion(engine, slot);
    copyOutMoved(physics, slot);
  }
  mirrorSleep(physics);
}

function copyOutMoved(physics: Physics, slot: number): void {
  const eid = physics.internal.engine.tables.bodies.entity[slot];
  if (eid === 0) return;
  copyOutBody(physics, slot);
  pushMoved(physics, eid);
}

/** Entities that moved in the step before stand at its end from now on, unless they move again. */
function settleInterpolated(physics: Physics): void {
  const { entities, count } = physics.internal.moved;
  const { position: to, rotation: turn } = physics.components.Interpolated;
  const { position: from, rotation: with_ } = physics.components.Transform;
  for (let i = 0; i < count; i++) {
    const eid = entities[i];
    to.x[eid] = from.x[eid];
    to.y[eid] = from.y[eid];
    to.z[eid] = from.z[eid];
    turn.x[eid] = with_.x[eid];
    turn.y[eid] = with_.y[eid];
    turn.z[eid] = with_.z[eid];
    turn.w[eid] = with_.w[eid];
  }
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
export function mirrorSleepTag(physics: Physics, slot: number): void {
  const { bodies } = physics.internal.engine.tables;
  const eid = bodies.entity[slot];
  if (eid === 0) return;
  const { Sleeping } = physics.components;
  const asleep = (bodies.flags[slot] & L.BODY_ASLEEP) !== 0;
  if (asleep === hasComponent(physics.world, eid, Sleeping)) return;
  if (asleep) addComponent(physics.world, eid, Sleeping);
  else removeComponent(physics.world, eid, Sleeping);
}
