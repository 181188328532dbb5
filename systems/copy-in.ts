// copy-in: spawned and removed entities, and what the game wrote to columns → tables.
//
// Awake bodies are looked at every step. Of all others an eighth a step, so that thousands of sleeping bodies
// cost next to nothing: a raw column write to a sleeping or static entity is noticed within eight steps, while
// teleport, setVelocity, applyForce … act at the next step.

import { disturbBody, setBodyMass, wakeBody, writePose } from '../src/dynamics/bodies';
import * as L from '../src/state/layout';
import { copyOutBody, pushMoved } from './copy-out';
import { flushEntities } from './entities';
import { poseChanged, velocityChanged } from './mirror';
import type { Physics, Step } from './physics';

/** Share of the resting bodies looked at per step: 1/8. */
const RESTING_TURNS = 8;

const position = new Float64Array(3);
const rotation = new Float64Array(4);

export function copyIn({ physics }: Step): void {
  flushEntities(physics);
  const { engine } = physics.internal;
  const { arena, tables } = engine;
  const { bodies } = tables;
  physics.report.limits.length = 0;
  const awake = arena.i32[L.AWAKE_COUNT >> 2];
  for (let i = 0; i < awake; i++) readColumns(physics, bodies.awakeList[i]);
  const count = arena.i32[L.BODY_COUNT >> 2];
  const window = Math.ceil(count / RESTING_TURNS);
  const first = (physics.stepCount % RESTING_TURNS) * window;
  for (let slot = first; slot < Math.min(count, first + window); slot++) {
    if (bodies.flags[slot] & L.BODY_ALIVE && bodies.awakeIndex[slot] < 0) readColumns(physics, slot);
  }
  arena.i32[L.STEP_INDEX >> 2] = physics.stepCount;
}

/** Takes over what the game wrote to one entity's columns. */
function readColumns(physics: Physics, slot: number): void {
  const { engine, mirror } = physics.internal;
  const { bodies } = engine.tables;
  const eid = bodies.entity[slot];
  if (eid === 0 || bodies.flags[slot] & L.BODY_QUARANTINED) return;
  const { RigidBody } = physics.components;

  const moved = poseChanged(physics.components, mirror, eid) && readPoseColumns(physics, slot, eid);
  const pushed = velocityChanged(physics.components, mirror, eid) && readVelocityColumns(physics, slot, eid);
  if (moved || pushed) copyOutBody(physics, slot);
  takeForce(physics, slot, eid);
  const damping = 4 * slot;
  bodies.damping[damping] = atLeastZero(RigidBody.linearDamping[eid]);
  bodies.damping[damping + 1] = atLeastZero(RigidBody.angularDamping[eid]);
  if (Number.isFinite(RigidBody.gravityScale[eid])) bodies.damping[damping + 2] = RigidBody.gravityScale[eid];
  const mass = RigidBody.mass[eid];
  if (bodies.flags[slot] & L.BODY_DYNAMIC && mass > 0 && 1 / mass !== bodies.inverseMass[slot]) {
    setBodyMass(engine, slot, mass);
  }
}

/** A pose set by the game; what is not finite is refused and the body goes on. */
function readPoseColumns(physics: Physics, slot: number, eid: number): boolean {
  const { engine } = physics.internal;
  const { position: p, rotation: q } = physics.components.Transform;
  position[0] = p.x[eid];
  position[1] = p.y[eid];
  position[2] = p.z[eid];
  rotation[0] = q.x[eid];
  rotation[1] = q.y[eid];
  rotation[2] = q.z[eid];
  rotation[3] = q.w[eid];
  if (finite(position) && finite(rotation) && rotation.some((x) => x !== 0)) {
    writePose(engine, slot, position, rotation);
    disturbBody(engine, slot);
    pushMoved(physics, eid);
  } else {
    physics.report.limits.push(`Transform of entity ${eid}: must be finite with a rotation that is not zero; ignored`);
  }
  return true;
}

/** A velocity set by the game. */
function readVelocityColumns(physics: Physics, slot: number, eid: number): boolean {
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
    wakeBody(engine, slot);
  } else {
    physics.report.limits.push(`Velocity of entity ${eid}: must be finite; ignored`);
  }
  return true;
}

/** Force and torque columns are added to the body and cleared. */
function takeForce(physics: Physics, slot: number, eid: number): void {
  const { force: f, torque: t } = physics.components.RigidBody;
  if (f.x[eid] === 0 && f.y[eid] === 0 && f.z[eid] === 0 && t.x[eid] === 0 && t.y[eid] === 0 && t.z[eid] === 0) return;
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
