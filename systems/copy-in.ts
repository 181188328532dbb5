// copy-in: spawned and removed entities, and what the game wrote to columns → tables.
//
// All bodies are looked at in every step, sleeping and static ones too (some 30 ns each): a write acts in the next step.
// Rejected: a sixteenth of the resting ones a step. Forces written to a sleeper in each frame were then added up.

import {
  disturbBody,
  isReachable,
  limitVelocity,
  readPose,
  setBodyMass,
  setBodySurface,
  wakeBody,
  writePose,
} from '../src/dynamics/bodies';
import * as L from '../src/state/layout';
import { copyOutBody, copyOutSurface, pushMoved } from './copy-out';
import { flushEntities } from './entities';
import { MIRROR_STRIDE } from './mirror';
import type { Physics, Step } from './physics';

const position = new Float64Array(3);
const rotation = new Float64Array(4);

let resting = new Int32Array(64);

export function copyIn({ physics }: Step): void {
  flushEntities(physics);
  const { notes, engine } = physics.internal;
  const { arena, tables } = engine;
  const { bodies } = tables;
  const { limits } = physics.report;
  limits.length = 0;
  for (let i = 0; i < notes.length; i++) limits.push(notes[i]);
  notes.length = 0;
  readColumns(physics, bodies.awakeList, arena.i32[L.AWAKE_COUNT >> 2]);
  const count = arena.i32[L.BODY_COUNT >> 2];
  if (resting.length < count) resting = new Int32Array(2 * count);
  const { flags, awakeIndex } = bodies;
  let n = 0;
  for (let slot = 0; slot < count; slot++) {
    if (flags[slot] & L.BODY_ALIVE && awakeIndex[slot] < 0) resting[n++] = slot;
  }
  readColumns(physics, resting, n);
  physics.internal.rodSystems?.copyIn(physics);
  arena.i32[L.STEP_INDEX >> 2] = physics.stepCount;
}

/** Takes over what the game wrote to the columns of `count` bodies. Columns are looked up once, for the loop's sake. */
function readColumns(physics: Physics, slots: Int32Array, count: number): void {
  const { engine, mirror } = physics.internal;
  const { entity, flags, damping, inverseMass } = engine.tables.bodies;
  const { Transform, Velocity, RigidBody } = physics.components;
  const { x: px, y: py, z: pz } = Transform.position;
  const { x: qx, y: qy, z: qz, w: qw } = Transform.rotation;
  const { x: vx, y: vy, z: vz } = Velocity.linear;
  const { x: wx, y: wy, z: wz } = Velocity.angular;
  const { x: fx, y: fy, z: fz } = RigidBody.force;
  const { x: tx, y: ty, z: tz } = RigidBody.torque;
  const { linearDamping, angularDamping, gravityScale, mass } = RigidBody;
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
      qx[eid] !== values[m + 3] ||
      qy[eid] !== values[m + 4] ||
      qz[eid] !== values[m + 5] ||
      qw[eid] !== values[m + 6];
    const isPushed =
      vx[eid] !== values[m + 7] ||
      vy[eid] !== values[m + 8] ||
      vz[eid] !== values[m + 9] ||
      wx[eid] !== values[m + 10] ||
      wy[eid] !== values[m + 11] ||
      wz[eid] !== values[m + 12];
    if (isMoved) readPoseColumns(physics, slot, eid);
    if (isPushed) readVelocityColumns(physics, slot, eid);
    if (isMoved || isPushed) copyOutBody(physics, slot);
    const isForced = fx[eid] !== 0 || fy[eid] !== 0 || fz[eid] !== 0 || tx[eid] !== 0 || ty[eid] !== 0 || tz[eid] !== 0;
    if (isForced) takeForce(physics, slot, eid);
    damping[4 * slot] = atLeastZero(linearDamping[eid]);
    damping[4 * slot + 1] = atLeastZero(angularDamping[eid]);
    const isHeavier = flags[slot] & L.BODY_DYNAMIC && mass[eid] > 0 && 1 / mass[eid] !== inverseMass[slot];
    if (isHeavier) setBodyMass(engine, slot, mass[eid]);
    const scale = gravityScale[eid];
    const isLifted = scale !== damping[4 * slot + 2] && Number.isFinite(scale);
    if (isLifted) damping[4 * slot + 2] = scale;
    // What it rests on carries another load now.
    if (isHeavier || isLifted) wakeBody(engine, slot);
    const s = 4 * slot;
    if (sx[eid] !== surfaceVelocity[s] || sy[eid] !== surfaceVelocity[s + 1] || sz[eid] !== surfaceVelocity[s + 2]) {
      readSurfaceColumns(physics, slot, eid);
    }
  }
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
  physics.report.limits.push(`RigidBody.surfaceVelocity of entity ${eid}: must be finite; ignored`);
  copyOutSurface(physics, slot);
}

/** A pose set by the game; what is not finite is refused and the body goes on. */
function readPoseColumns(physics: Physics, slot: number, eid: number): void {
  const { engine, rodSystems } = physics.internal;
  const { position: p, rotation: q } = physics.components.Transform;
  position[0] = p.x[eid];
  position[1] = p.y[eid];
  position[2] = p.z[eid];
  rotation[0] = q.x[eid];
  rotation[1] = q.y[eid];
  rotation[2] = q.z[eid];
  rotation[3] = q.w[eid];
  if (isReachable(position) && finite(rotation) && rotation.some((x) => x !== 0)) {
    const from = readPose(engine, slot);
    writePose(engine, slot, position, rotation);
    rodSystems?.teleport(engine, slot, from, true);
    disturbBody(engine, slot);
    pushMoved(physics, eid);
  } else {
    physics.report.limits.push(`Transform of entity ${eid}: must be finite with a rotation that is not zero; ignored`);
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
  if (finite(position) && finite(rotation)) {
    for (let k = 0; k < 3; k++) {
      bodies.linearVelocity[4 * slot + k] = position[k];
      bodies.angularVelocity[4 * slot + k] = rotation[k];
    }
    limitVelocity(engine, slot);
    wakeBody(engine, slot);
  } else {
    physics.report.limits.push(`Velocity of entity ${eid}: must be finite; ignored`);
  }
}

/** Force and torque columns are added to the body and cleared. */
function takeForce(physics: Physics, slot: number, eid: number): void {
  const { force: f, torque: t } = physics.components.RigidBody;
  const { engine } = physics.internal;
  const { bodies } = engine.tables;
  const sum = f.x[eid] + f.y[eid] + f.z[eid] + t.x[eid] + t.y[eid] + t.z[eid];
  if (Number.isFinite(sum)) {
    const at = 4 * slot;
    bodies.force[at] += f.x[eid];
    bodies.force[at + 1] += f.y[eid];
    bodies.force[at + 2] += f.z[eid];
    bodies.torque[at] += t.x[eid];
    bodies.torque[at + 1] += t.y[eid];
    bodies.torque[at + 2] += t.z[eid];
    wakeBody(engine, slot);
  } else {
    physics.report.limits.push(`RigidBody.force of entity ${eid}: must be finite; ignored`);
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
