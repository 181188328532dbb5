// The joint of a wheel: between its chassis and what it stands on, where the tyre meets the ground.
//
// Ground that forces move is its other body: tyre and ground get the same impulse in the same solve. A force that the
// ground got one step late was multiplied by the ratio of the masses in each step, and drove light ground without end.
// Its load is a row of that solve, too, which pushes and never pulls. All other ground is the world.

import type { Engine } from '../src/dynamics/engine';
import { jointsOfBody, rejoinJoint } from '../src/dynamics/joints/joint-table';
import { multiplyQuaternion, normalizeQuaternion, unrotateVector } from '../src/math/quaternion';
import { placeFrame } from '../src/mechanics/joint/frames';
import { FRAME_TURN, jointAxisAt, jointFrameAt, jointImpulseAt } from '../src/state/joint-places';
import * as L from '../src/state/layout';
import type { Physics } from './physics';

const GROUND_END = 0;
const CHASSIS_END = 1;
/** Block of the rows of motors along axes in JOINT_IMPULSE. */
const MOTORS = 2;

/** Where a tyre meets the ground, in the world: three axes at right angles, `normal` off the ground. */
export interface TyrePlace {
  readonly point: Float64Array;
  readonly ahead: Float64Array;
  readonly normal: Float64Array;
  readonly across: Float64Array;
}

const turn = new Float64Array(4);
const back = new Float64Array(4);
const local = new Float64Array(3);

/** Joins a wheel to what it stands on, a dynamic body; −1: the world, or nothing. */
export function joinGround(engine: Engine, joint: number, body: number): void {
  const { bodies, joints } = engine.tables;
  const left = joints.body[2 * joint + GROUND_END];
  if (body < 0 && left >= 0) {
    // The place of the frame stays where it is when its numbers become those of the world.
    const at = jointFrameAt(joint, GROUND_END);
    placeFrame(local, turn, joints.frame, at, bodies.position, bodies.rotation, 4 * left);
    joints.frame.set(local, at);
    joints.frame.set(turn, at + FRAME_TURN);
  }
  rejoinJoint(engine, joint, GROUND_END, body);
  joints.flags[joint] = body < 0 ? joints.flags[joint] & ~L.JOINT_PUSHES : joints.flags[joint] | L.JOINT_PUSHES;
}

/** A wheel in the air bears nothing, and none of its grip is used where it comes down. */
export function bearNothing(engine: Engine, joint: number): void {
  const { impulse, reaction } = engine.tables.joints;
  for (const axis of [AHEAD, OFF, ACROSS]) driveAxis(engine, joint, axis, 0, 0);
  reaction.fill(0, 8 * joint, 8 * joint + 8);
  impulse[jointImpulseAt(joint, MOTORS) + OFF] = 0;
  joinGround(engine, joint, -1);
}

/**
 * What a wheel bore along an axis in its last step, `direction` this step's [N]. Its force on light ground has the
 * load, too, of which a normal that turns would make use of the grip: there it is that of the row.
 */
export function lastForce({ settings, tables }: Engine, joint: number, axis: number, direction: Float64Array): number {
  const { impulse, reaction } = tables.joints;
  const row = jointImpulseAt(joint, MOTORS);
  if (impulse[row + OFF] !== 0) return impulse[row + axis] / settings.timeStep;
  const r = 8 * joint;
  return direction[0] * reaction[r] + direction[1] * reaction[r + 1] + direction[2] * reaction[r + 2];
}

/** Axes of a wheel's joint: along the wheel, off the ground, across the wheel. */
export const AHEAD = 0;
export const OFF = 1;
export const ACROSS = 2;

/** Motor along an axis: aims at the chassis' velocity there [m/s], on the ground's, by `most` [N] or less. */
export function driveAxis({ tables }: Engine, joint: number, axis: number, velocity: number, most: number): void {
  const { axes } = tables.joints;
  const at = jointAxisAt(joint, axis);
  axes[at + L.AXIS_VELOCITY] = velocity;
  axes[at + L.AXIS_TARGET] = Number.NaN;
  axes[at + L.AXIS_FORCE] = most;
}

/** A body is about to go, or to be made anew: wheels on it are joined to what they stand on in the next step. */
export function leaveGround({ internal: { engine } }: Physics, body: number, isWheel: (eid: number) => boolean): void {
  const { body: bodyOf, entity } = engine.tables.joints;
  for (const joint of jointsOfBody(engine, body)) {
    if (bodyOf[2 * joint + GROUND_END] === body && isWheel(entity[joint])) joinGround(engine, joint, -1);
  }
}

/** The joint's frames at both its ends: at the place's point, x ahead, y along the normal, z across. */
export function placeJoint(engine: Engine, joint: number, place: TyrePlace): void {
  setTurn(place);
  placeEnd(engine, joint, GROUND_END, place.point);
  placeEnd(engine, joint, CHASSIS_END, place.point);
}

/** turn = rotation matrix with columns ahead, normal, across, as a quaternion (Shepperd 1978). */
function setTurn({ ahead: a, normal: b, across: c }: TyrePlace): void {
  const trace = a[0] + b[1] + c[2];
  const four = [trace, a[0] - b[1] - c[2], b[1] - a[0] - c[2], c[2] - a[0] - b[1]];
  let most = 0;
  for (let k = 1; k < 4; k++) if (four[k] > four[most]) most = k;
  const s = 0.5 * Math.sqrt(1 + four[most]);
  const q = 0.25 / s;
  if (most === 0) turn.set([(b[2] - c[1]) * q, (c[0] - a[2]) * q, (a[1] - b[0]) * q, s]);
  else if (most === 1) turn.set([s, (a[1] + b[0]) * q, (c[0] + a[2]) * q, (b[2] - c[1]) * q]);
  else if (most === 2) turn.set([(a[1] + b[0]) * q, s, (b[2] + c[1]) * q, (c[0] - a[2]) * q]);
  else turn.set([(c[0] + a[2]) * q, (b[2] + c[1]) * q, s, (a[1] - b[0]) * q]);
  normalizeQuaternion(turn, 0, turn, 0);
}

function placeEnd(engine: Engine, joint: number, end: number, point: Float64Array): void {
  const { bodies, joints } = engine.tables;
  const { frame } = joints;
  const at = jointFrameAt(joint, end);
  const body = joints.body[2 * joint + end];
  if (body < 0) {
    for (let k = 0; k < 3; k++) frame[at + k] = point[k];
    for (let k = 0; k < 4; k++) frame[at + FRAME_TURN + k] = turn[k];
    return;
  }
  for (let k = 0; k < 3; k++) local[k] = point[k] - bodies.position[4 * body + k];
  unrotateVector(frame, at, bodies.rotation, 4 * body, local, 0);
  for (let k = 0; k < 3; k++) back[k] = -bodies.rotation[4 * body + k];
  back[3] = bodies.rotation[4 * body + 3];
  multiplyQuaternion(frame, at + FRAME_TURN, back, 0, turn, 0);
}
