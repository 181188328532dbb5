// copy-in: spawned and removed entities, and what the game wrote to columns → tables.
//
// All bodies are looked at in every step, sleeping and static ones too (some 30 ns
// each): a write acts in the next step.
// Rejected: a sixteenth of the resting ones a step. Forces written to a sleeper in each frame were then added up.

import { hasComponent } from 'bitecs';
import {
  disturbBody,
  FARTHEST,
  isReachable,
  readPose,
  setBodySurface,
  wakeBody,
  writePose,
} from '../src/dynamics/bodies';
import { ANGULAR_DAMPING, GRAVITY_OF_BODY } from '../src/state/contact-places';
import * as L from '../src/state/layout';
import { isGravityScale, LARGEST_GRAVITY_SCALE, LARGEST_PUSH, within } from '../src/state/limits';
import { copyOutBody, copyOutSurface, pushMoved } from './copy-out';
import { flushEntities } from './entities';
import { readProperties } from './live-columns';
import { MIRROR_ROTATION, MIRROR_SPIN, MIRROR_STRIDE, MIRROR_VELOCITY } from './mirror';
import type { Physics, Step } from './physics';
import { takeVelocity } from './take-velocity';
import { tellWaiting } from './waiting-bodies';
import { tellIdle, tellIgnored, tellPlaced, tellUnused, warnOfDegrees, warnOnce } from './warnings';

const position = new Float64Array(3);
const rotation = new Float64Array(4);

let resting = new Int32Array(64);

export function copyIn({ physics }: Step): void {
  flushEntities(physics);
  tellIdle(physics);
  tellWaiting(physics);
  readBodies(physics);
  const { notes, engine } = physics.internal;
  const { limits } = physics.report;
  limits.length = 0;
  for (const module of physics.internal.modules) module.copyIn?.(physics);
  for (let i = 0; i < notes.length; i++) limits.push(notes[i]);
  notes.length = 0;
  engine.arena.i32[L.STEP_INDEX >> 2] = physics.stepCount;
}

/** What systems of the game wrote between copy-in and predict-motion acts in this step. */
export function copyInLate(physics: Physics): void {
  const { names } = physics.schedule;
  if (names[names.indexOf('copy-in') + 1] !== 'predict-motion') readBodies(physics);
}

/** Takes over what the game wrote to the columns of all bodies. */
function readBodies(physics: Physics): void {
  const { arena, tables } = physics.internal.engine;
  const { bodies } = tables;
  // Listed before anything wakes: what a write wakes has writes of its own.
  const count = arena.i32[L.BODY_COUNT >> 2];
  if (resting.length < count) resting = new Int32Array(2 * count);
  const { flags, awakeIndex } = bodies;
  let n = 0;
  for (let slot = 0; slot < count; slot++) {
    if (flags[slot] & L.BODY_ALIVE && awakeIndex[slot] < 0) resting[n++] = slot;
  }
  const awake = arena.i32[L.AWAKE_COUNT >> 2];
  readColumns(physics, bodies.awakeList, awake);
  readProperties(physics, bodies.awakeList, awake);
  readColumns(physics, resting, n);
  readProperties(physics, resting, n);
  // What has another shape now is made anew.
  if (physics.internal.changed.length > 0) flushEntities(physics);
}

/** Takes over what the game wrote to the columns of `count` bodies. Columns are looked up once, for the loop's sake. */
function readColumns(physics: Physics, slots: Int32Array, count: number): void {
  if (count === 0) return;
  const { engine, mirror } = physics.internal;
  const { entity, flags, damping } = engine.tables.bodies;
  const { Transform, Velocity, RigidBody } = physics.components;
  const { x: px, y: py, z: pz } = Transform.position;
  const { x: qx, y: qy, z: qz, w: qw } = Transform.rotation;
  const { x: vx, y: vy, z: vz } = Velocity.linear;
  const { x: wx, y: wy, z: wz } = Velocity.angular;
  const { x: fx, y: fy, z: fz } = RigidBody.force;
  const { x: tx, y: ty, z: tz } = RigidBody.torque;
  const { linearDamping, angularDamping, gravityScale } = RigidBody;
  const { x: sx, y: sy, z: sz } = RigidBody.surfaceVelocity;
  const { surfaceVelocity } = engine.tables.bodies;
  const { values } = mirror;

  // Backwards: waking a body by a write puts others at the end of the awake list, never under the cursor.
  for (let i = count - 1; i >= 0; i--) {
    const slot = slots[i];
    const eid = entity[slot];
    if (eid === 0 || flags[slot] & L.BODY_QUARANTINED) continue;
    const m = MIRROR_STRIDE * eid;

    const isMoved =
      px[eid] !== values[m] ||
      py[eid] !== values[m + 1] ||
      pz[eid] !== values[m + 2] ||
      qx[eid] !== values[m + MIRROR_ROTATION] ||
      qy[eid] !== values[m + MIRROR_ROTATION + 1] ||
      qz[eid] !== values[m + MIRROR_ROTATION + 2] ||
      qw[eid] !== values[m + MIRROR_ROTATION + 3];

    const isPushed =
      vx[eid] !== values[m + MIRROR_VELOCITY] ||
      vy[eid] !== values[m + MIRROR_VELOCITY + 1] ||
      vz[eid] !== values[m + MIRROR_VELOCITY + 2] ||
      wx[eid] !== values[m + MIRROR_SPIN] ||
      wy[eid] !== values[m + MIRROR_SPIN + 1] ||
      wz[eid] !== values[m + MIRROR_SPIN + 2];

    if (isMoved) readPoseColumns(physics, slot, eid);
    if (isPushed) readVelocityColumns(physics, slot, eid);
    if (isMoved || isPushed) copyOutBody(physics, slot);
    const isForced = fx[eid] !== 0 || fy[eid] !== 0 || fz[eid] !== 0 || tx[eid] !== 0 || ty[eid] !== 0 || tz[eid] !== 0;
    if (isForced) takeForce(physics, slot, eid);
    const s = 4 * slot;
    if (linearDamping[eid] !== damping[s] || angularDamping[eid] !== damping[s + ANGULAR_DAMPING])
      readDamping(physics, slot, eid);
    if (gravityScale[eid] !== damping[s + GRAVITY_OF_BODY]) readGravityScale(physics, slot, eid);
    if (sx[eid] !== surfaceVelocity[s] || sy[eid] !== surfaceVelocity[s + 1] || sz[eid] !== surfaceVelocity[s + 2]) {
      readSurfaceColumns(physics, slot, eid);
    }
  }
}

/** Damping set by the game; what is no damping is none. */
function readDamping(physics: Physics, slot: number, eid: number): void {
  const { damping } = physics.internal.engine.tables.bodies;
  for (const [k, name] of [[0, 'linearDamping'] as const, [1, 'angularDamping'] as const]) {
    const column = physics.components.RigidBody[name];
    const value = column[eid];
    if (value === damping[4 * slot + k]) continue;
    column[eid] = damping[4 * slot + k] = atLeastZero(value);
    if (column[eid] === value) tellUnused(physics, `RigidBody.${name}`, eid, slot, value);
    else tellIgnored(physics, `RigidBody.${name}`, eid, 'must be >= 0 [1/s]; 0 is taken', value);
  }
}

function readGravityScale(physics: Physics, slot: number, eid: number): void {
  const { engine } = physics.internal;
  const { damping } = engine.tables.bodies;
  const { gravityScale } = physics.components.RigidBody;
  const scale = gravityScale[eid];
  if (!isGravityScale(scale)) {
    const expectation = `must be within ±${LARGEST_GRAVITY_SCALE}; the one before stays`;
    tellIgnored(physics, 'RigidBody.gravityScale', eid, expectation, scale);
    gravityScale[eid] = damping[4 * slot + GRAVITY_OF_BODY];
    return;
  }
  damping[4 * slot + GRAVITY_OF_BODY] = scale;
  tellUnused(physics, 'RigidBody.gravityScale', eid, slot, scale);
  // What it rests on carries another load now.
  wakeBody(engine, slot);
}

/** A surface velocity set by the game; what is not finite is refused. */
function readSurfaceColumns(physics: Physics, slot: number, eid: number): void {
  const { engine } = physics.internal;
  const { surfaceVelocity: s } = physics.components.RigidBody;
  position[0] = s.x[eid];
  position[1] = s.y[eid];
  position[2] = s.z[eid];
  if (finite(position)) {
    setBodySurface(engine, slot, position);
    return;
  }
  tellIgnored(physics, 'RigidBody.surfaceVelocity', eid, 'must be finite; the one before stays', position.join(' '));
  copyOutSurface(physics, slot);
}

/** A pose set by the game; what is not finite is refused and the body goes on. */
function readPoseColumns(physics: Physics, slot: number, eid: number): void {
  const { engine, modules } = physics.internal;
  const { position: p, rotation: q } = physics.components.Transform;
  position[0] = p.x[eid];
  position[1] = p.y[eid];
  position[2] = p.z[eid];
  rotation[0] = q.x[eid];
  rotation[1] = q.y[eid];
  rotation[2] = q.z[eid];
  rotation[3] = q.w[eid];
  if (isReachable(position) && finite(rotation) && rotation.some((x) => x !== 0)) {
    warnOfDegrees(physics, `Transform.rotation of entity ${eid}`, rotation);
    const from = readPose(engine, slot);
    writePose(engine, slot, position, rotation);
    for (const module of modules) module.teleport?.(engine, slot, from, true);
    disturbBody(engine, slot);
    tellPlaced(physics, slot, eid);
    pushMoved(physics, eid);
  } else {
    const wanted = `must be finite, within ±${FARTHEST} m, with a rotation that is not zero; the one before stays`;
    tellIgnored(physics, 'Transform', eid, wanted, [...position, ...rotation].join(' '));
  }
}

/** A velocity set by the game. */
function readVelocityColumns(physics: Physics, slot: number, eid: number): void {
  const { engine } = physics.internal;
  const { bodies } = engine.tables;
  const { linear: v, angular: w } = physics.components.Velocity;
  position[0] = v.x[eid];
  position[1] = v.y[eid];
  position[2] = v.z[eid];
  rotation[0] = w.x[eid];
  rotation[1] = w.y[eid];
  rotation[2] = w.z[eid];
  rotation[3] = 0;
  if (bodies.flags[slot] & L.BODY_STATIC) {
    tellUnused(physics, 'Velocity', eid, slot, [...position, ...rotation.subarray(0, 3)].join(' '));
  } else if (hasComponent(physics.world, eid, physics.components.Character)) {
    const got = [...position, ...rotation.subarray(0, 3)].join(' ');
    tellIgnored(physics, 'Velocity', eid, 'has no effect on a character; write Character.move or push', got);
  } else if (finite(position) && finite(rotation)) {
    takeVelocity(physics, slot, eid, position, rotation);
    wakeBody(engine, slot);
  } else {
    const got = [...position, ...rotation.subarray(0, 3)].join(' ');
    tellIgnored(physics, 'Velocity', eid, 'must be finite; the one before stays', got);
  }
}

/** Force and torque columns are added to the body and cleared. */
function takeForce(physics: Physics, slot: number, eid: number): void {
  const { force: f, torque: t } = physics.components.RigidBody;
  const { engine } = physics.internal;
  const { bodies } = engine.tables;
  if (!(bodies.flags[slot] & L.BODY_DYNAMIC)) {
    const what = `force or torque on entity ${eid}, which is not dynamic, moves nothing`;
    warnOnce(physics, 'force on what is not dynamic', `${what}: remove its tag Static or Kinematic`);
  }
  const sum = f.x[eid] + f.y[eid] + f.z[eid] + t.x[eid] + t.y[eid] + t.z[eid];
  if (Number.isFinite(sum)) {
    const at = 4 * slot;
    bodies.force[at] += within(f.x[eid], LARGEST_PUSH);
    bodies.force[at + 1] += within(f.y[eid], LARGEST_PUSH);
    bodies.force[at + 2] += within(f.z[eid], LARGEST_PUSH);
    bodies.torque[at] += within(t.x[eid], LARGEST_PUSH);
    bodies.torque[at + 1] += within(t.y[eid], LARGEST_PUSH);
    bodies.torque[at + 2] += within(t.z[eid], LARGEST_PUSH);
    wakeBody(engine, slot);
  } else {
    tellIgnored(physics, 'RigidBody.force', eid, 'force and torque must be finite; they are left out', sum);
  }
  f.x[eid] = f.y[eid] = f.z[eid] = t.x[eid] = t.y[eid] = t.z[eid] = 0;
}

function finite(values: Float64Array): boolean {
  for (let k = 0; k < values.length; k++) if (!Number.isFinite(values[k])) return false;
  return true;
}

function atLeastZero(x: number): number {
  return x > 0 && x < Number.POSITIVE_INFINITY ? x : 0;
}
