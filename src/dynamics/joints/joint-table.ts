// Joints come and go: their rows, the chains of each body's joints, and what they wake.

import { freeSlot, takeSlot } from '../../core/slots';
import { multiplyQuaternion, normalizeQuaternion, unrotateVector } from '../../math/quaternion';
import { STRENGTH_TORQUE } from '../../state/contact-places';
import { jointAxisAt, jointFrameAt, jointImpulseAt } from '../../state/joint-places';
import * as L from '../../state/layout';
import { wakeBody } from '../bodies';
import type { Engine } from '../engine';

/** A joint as the table keeps it. */
export interface JointDefinition {
  entity: number;
  kind: number;
  /** Body slots, −1 the world. */
  bodyA: number;
  bodyB: number;
  /**
   * Place (3 + 1) and rotation (4) of the joint's frame at each end, in the frame of the centre of mass or the world's.
   */
  frame: Float64Array;
  modes: number;
  axes: Float64Array;
  collides: boolean;
  breakForce: number;
  breakTorque: number;
}

const slots = (engine: Engine) => ({
  header: engine.arena.i32,
  free: L.JOINT_FREE >> 2,
  count: L.JOINT_COUNT >> 2,
});

/** Makes a joint; its bodies wake. Returns its slot. */
export function createJoint(engine: Engine, definition: JointDefinition): number {
  const { arena, tables } = engine;
  tables.control.joints.ensure(arena.i32[L.JOINT_COUNT >> 2] + 1);
  const { joints } = tables;
  const joint = takeSlot(slots(engine), joints.next);
  joints.flags[joint] = L.JOINT_ALIVE | (definition.collides ? L.JOINT_COLLIDES : 0);
  joints.entity[joint] = definition.entity;
  joints.kind[joint] = definition.kind;
  joints.body[2 * joint] = definition.bodyA;
  joints.body[2 * joint + 1] = definition.bodyB;
  joints.modes[joint] = definition.modes;
  joints.frame.set(definition.frame, jointFrameAt(joint, 0));
  joints.axes.set(definition.axes, jointAxisAt(joint, 0));
  joints.value.fill(0, 6 * joint, 6 * joint + 6);
  joints.bend.fill(0, 6 * joint, 6 * joint + 6);
  joints.impulse.fill(0, jointImpulseAt(joint, 0), jointImpulseAt(joint + 1, 0));
  joints.reaction.fill(0, 8 * joint, 8 * joint + 8);
  joints.strength[2 * joint] = definition.breakForce;
  joints.strength[2 * joint + STRENGTH_TORQUE] = definition.breakTorque;
  joints.link[2 * joint] = joints.link[2 * joint + 1] = -1;
  for (let end = 0; end < 2; end++) chain(engine, joint, end);
  touchJoint(engine, joint);
  refreshPairs(engine, joint);
  return joint;
}

/** Puts an end of a joint into the chain of its body. */
function chain(engine: Engine, joint: number, end: number): void {
  const { bodies, joints } = engine.tables;
  const body = joints.body[2 * joint + end];
  if (body < 0) return;
  joints.link[2 * joint + end] = bodies.joint[body];
  bodies.joint[body] = 2 * joint + end;
  bodies.flags[body] |= L.BODY_JOINED;
}

function unchain(engine: Engine, joint: number, end: number): void {
  const { bodies, joints } = engine.tables;
  const body = joints.body[2 * joint + end];
  const key = 2 * joint + end;
  if (body < 0) return;
  if (bodies.joint[body] === key) bodies.joint[body] = joints.link[key];
  else {
    for (let at = bodies.joint[body]; at >= 0; at = joints.link[at]) {
      if (joints.link[at] === key) joints.link[at] = joints.link[key];
    }
  }
  joints.link[key] = -1;
  if (bodies.joint[body] < 0) bodies.flags[body] &= ~L.BODY_JOINED;
}

/** Takes a joint out; its bodies wake, and may touch again. */
export function destroyJoint(engine: Engine, joint: number): void {
  const { joints } = engine.tables;
  if (!(joints.flags[joint] & L.JOINT_ALIVE)) return;
  touchJoint(engine, joint);
  refreshPairs(engine, joint);
  for (let end = 0; end < 2; end++) unchain(engine, joint, end);
  joints.flags[joint] = 0;
  joints.entity[joint] = 0;
  joints.body[2 * joint] = joints.body[2 * joint + 1] = -1;
  freeSlot(slots(engine), joints.next, joint);
}

/** An end of a joint goes over to another body, −1 the world; what it leaves and what it comes to wake. */
export function rejoinJoint(engine: Engine, joint: number, end: number, body: number): void {
  const { joints } = engine.tables;
  if (joints.body[2 * joint + end] === body) return;
  const mayPart = !(joints.flags[joint] & L.JOINT_COLLIDES);
  touchJoint(engine, joint);
  if (mayPart) refreshPairs(engine, joint);
  unchain(engine, joint, end);
  joints.body[2 * joint + end] = body;
  chain(engine, joint, end);
  touchJoint(engine, joint);
  if (mayPart) refreshPairs(engine, joint);
}

/** A joint ends by itself: it holds nothing any more, and its row stays. */
export function breakJoint(engine: Engine, joint: number): void {
  const { joints } = engine.tables;
  joints.flags[joint] = (joints.flags[joint] & ~L.JOINT_BREAKS) | L.JOINT_BROKEN;
  joints.impulse.fill(0, jointImpulseAt(joint, 0), jointImpulseAt(joint + 1, 0));
  touchJoint(engine, joint);
  refreshPairs(engine, joint);
}

/** What a joint holds wakes. */
export function touchJoint(engine: Engine, joint: number): void {
  const { bodies, joints } = engine.tables;
  for (let end = 0; end < 2; end++) {
    const body = joints.body[2 * joint + end];
    if (body >= 0 && bodies.flags[body] & L.BODY_DYNAMIC) wakeBody(engine, body);
  }
}

/** Which of the two bodies' colliders may touch is looked at again. */
function refreshPairs({ tables }: Engine, joint: number): void {
  const { bodies, colliders, joints } = tables;
  const [a, b] = [joints.body[2 * joint], joints.body[2 * joint + 1]];
  if (a < 0 || b < 0) return;
  for (const body of [a, b]) {
    for (let c = bodies.collider[body]; c >= 0; c = colliders.next[c]) colliders.flags[c] |= L.COLLIDER_MOVED;
  }
}

/** Entities of the joints that hold a body. */
export function jointsOfBody(engine: Engine, body: number): number[] {
  const { bodies, joints } = engine.tables;
  const found: number[] = [];
  for (let key = bodies.joint[body]; key >= 0; key = joints.link[key]) found.push(key >> 1);
  return found;
}

/** A body was made anew in another slot, its centre of mass moved by `shift` in its axes: its joints go along. */
export function rebaseJoints(
  engine: Engine,
  from: readonly number[],
  body: number,
  to: number,
  shift: Float64Array,
): void {
  const { joints } = engine.tables;
  for (const joint of from) {
    for (let end = 0; end < 2; end++) {
      if (joints.body[2 * joint + end] !== body) continue;
      joints.body[2 * joint + end] = to;
      for (let k = 0; k < 3; k++) joints.frame[jointFrameAt(joint, end) + k] -= shift[k];
      chain(engine, joint, end);
    }
    touchJoint(engine, joint);
  }
}

/** World frame (place 3 + 1, rotation 4) → frame at an end, on the body's pose as it is; −1 the world. */
export function frameOnBody(engine: Engine, out: Float64Array, at: number, body: number, world: Float64Array): void {
  const { position, rotation } = engine.tables.bodies;
  out.set(world.subarray(0, 8), at);
  if (body < 0) return;
  for (let k = 0; k < 3; k++) out[at + k] -= position[4 * body + k];
  unrotateVector(out, at, rotation, 4 * body, out, at);
  const inverse = rotation.slice(4 * body, 4 * body + 4);
  for (let k = 0; k < 3; k++) inverse[k] = -inverse[k];
  multiplyQuaternion(out, at + 4, inverse, 0, world, 4);
  normalizeQuaternion(out, at + 4, out, at + 4);
}

/** The same for a frame given in the entity's own frame. */
export function frameOnEntity(engine: Engine, out: Float64Array, at: number, body: number, own: Float64Array): void {
  const { center } = engine.tables.bodies;
  out.set(own.subarray(0, 8), at);
  if (body >= 0) for (let k = 0; k < 3; k++) out[at + k] -= center[4 * body + k];
}
