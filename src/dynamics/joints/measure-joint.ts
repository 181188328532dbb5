// Where the axes of a joint stand, whole turns counted.
//
// Poses tell angles but for whole turns. Where a step turns an axis by less than half a turn, the angle nearest to
// that before is right; beyond, the one nearest to where the motion of the bodies takes it:
// φ(end) ≈ φ(start) + h d·(ω_B − ω_A), d the direction of the axis (gears, racks: each axle by its own spin).
// JOINT_VALUE is where the axes stood at the start of a step; after one of such turns, at its end (storeTurns).

import { multiplyQuaternion } from '../../math/quaternion';
import { nearestAngle } from '../../math/trigonometry';
import {
  createJointPose,
  type JointPose,
  measureAxes,
  measurePlaces,
  measureTwist,
  placeFrame,
  placeOrigin,
  turningDirection,
  writeAxes,
} from '../../mechanics/joint/frames';
import { ANGULAR } from '../../state/contact-places';
import { jointAxisAt, jointFrameAt } from '../../state/joint-places';
import * as L from '../../state/layout';
import type { Engine } from '../engine';

/** Poses of bodies by slot, four numbers each. */
interface BodyPoses {
  readonly position: Float64Array;
  readonly rotation: Float64Array;
}

/** Turn in a step up to which the nearest angle is taken [rad]. */
const NEAR_TURN = Math.PI / 2;
const TWO_PI = 2 * Math.PI;

const spin = new Float64Array(3);
const direction = new Float64Array(3);
const stored = createJointPose();
const values = new Float64Array(6);

/**
 * Writes both frames of a joint in the world, for bodies at the given poses, and where its six axes stand then.
 * `motion`: what brought the bodies there within a step (as BODY_MOTION), null if they are where JOINT_VALUE says.
 */
export function measureJoint(
  engine: Engine,
  joint: number,
  { position, rotation }: BodyPoses,
  motion: Float64Array | null,
  out: JointPose,
  axes: Float64Array,
): void {
  placeJoint(engine, out, joint, position, rotation);
  measureAxes(axes, 0, engine.tables.joints.kind[joint], out);
  countTurns(engine, joint, motion, out, axes);
}

/**
 * The same of axes 0..2 alone, for joints that hold no other and are no distance, gear or rack: of `out` the places and
 * the axes of A, of `axes` three numbers. A doll's ball joints are asked for no more, and angles are most of the cost.
 */
export function measureLinear(
  engine: Engine,
  joint: number,
  { position, rotation }: BodyPoses,
  out: JointPose,
  axes: Float64Array,
): void {
  const { body, frame } = engine.tables.joints;
  const b = body[2 * joint + 1];
  placeSideA(engine, out, joint, position, rotation);
  if (b < 0) placeStill(out.placeB, out.turnB, frame, jointFrameAt(joint, 1));
  else placeOrigin(out.placeB, frame, jointFrameAt(joint, 1), position, rotation, 4 * b);
  measurePlaces(axes, 0, out);
}

/**
 * Takes an axis that has gone more than half a turn past its limits back by whole turns, where these leave it less than
 * one: a knock that no limit bore took it round within a step, and the limit would drive it all the way back. Before
 * the axes of a joint are kept.
 */
export function leaveTurns({ tables }: Engine, joint: number, values: Float64Array): void {
  const { kind, modes, axes } = tables.joints;
  if (kind[joint] >= L.JOINT_GEAR) return;
  for (let axis = 3; axis < 5; axis++) {
    if (!isTurning(kind[joint], axis)) continue;
    if (((modes[joint] >> (L.AXIS_BITS * axis)) & L.AXIS_HOLD) !== L.AXIS_LIMITED) continue;
    const low = axes[jointAxisAt(joint, axis) + L.AXIS_LOW];
    const high = axes[jointAxisAt(joint, axis) + L.AXIS_HIGH];
    if (!(high - low < TWO_PI)) continue;
    const over = Math.max(values[axis] - high, 0) + Math.min(values[axis] - low, 0);
    if (Math.abs(over) > Math.PI) values[axis] -= TWO_PI * Math.round(over / TWO_PI);
  }
}

/**
 * Twist of a ball joint as its bodies are now, whole turns counted [rad]. It is kept: steps measure no angles of balls
 * that have no row about an axis.
 */
export function keepTwist({ tables }: Engine, joint: number): number {
  const { bodies, joints } = tables;
  turnEnd(stored.turnA, joints, 2 * joint, bodies.rotation);
  turnEnd(stored.turnB, joints, 2 * joint + 1, bodies.rotation);
  const at = 6 * joint + 3;
  joints.value[at] = nearestAngle(measureTwist(stored.turnA, stored.turnB), joints.value[at]);
  return joints.value[at];
}

/** Rotation of the frame at an end, 2 joint + 0 or 1, in the world. */
function turnEnd(
  out: Float64Array,
  { body, frame }: Engine['tables']['joints'],
  end: number,
  rotation: Float64Array,
): void {
  const at = jointFrameAt(end >> 1, end & 1) + 4;
  if (body[end] < 0) for (let k = 0; k < 4; k++) out[k] = frame[at + k];
  else multiplyQuaternion(out, 0, rotation, 4 * body[end], frame, at);
}

/** Keeps the whole turns of the step that is done. */
export function storeTurns(engine: Engine, joint: number): void {
  const { bodies, joints } = engine.tables;
  const kind = joints.kind[joint];
  for (let axis = 3; axis < 6; axis++) {
    if (!isTurning(kind, axis) || !isFast(engine, joint, axis, bodies.motion)) continue;
    measureJoint(engine, joint, bodies, bodies.motion, stored, values);
    leaveTurns(engine, joint, values);
    joints.value.set(values, 6 * joint);
    return;
  }
}

function placeJoint(
  engine: Engine,
  out: JointPose,
  joint: number,
  position: Float64Array,
  rotation: Float64Array,
): void {
  const { body, frame } = engine.tables.joints;
  const b = body[2 * joint + 1];
  placeSideA(engine, out, joint, position, rotation);
  if (b < 0) placeStill(out.placeB, out.turnB, frame, jointFrameAt(joint, 1));
  else placeFrame(out.placeB, out.turnB, frame, jointFrameAt(joint, 1), position, rotation, 4 * b);
  writeAxes(out.axesB, out.turnB);
  out.ratio = frame[jointFrameAt(joint, 0) + L.FRAME_RATIO];
}

/** The frame of end A, and its axes. */
function placeSideA(
  engine: Engine,
  out: JointPose,
  joint: number,
  position: Float64Array,
  rotation: Float64Array,
): void {
  const { body, frame } = engine.tables.joints;
  const a = body[2 * joint];
  if (a < 0) placeStill(out.placeA, out.turnA, frame, jointFrameAt(joint, 0));
  else placeFrame(out.placeA, out.turnA, frame, jointFrameAt(joint, 0), position, rotation, 4 * a);
  writeAxes(out.axesA, out.turnA);
}

function placeStill(place: Float64Array, turn: Float64Array, frame: Float64Array, at: number): void {
  for (let k = 0; k < 3; k++) place[k] = frame[at + k];
  for (let k = 0; k < 4; k++) turn[k] = frame[at + 4 + k];
}

/** Whether an axis counts whole turns. */
function isTurning(kind: number, axis: number): boolean {
  if (kind >= L.JOINT_GEAR) return axis === 4 || (axis === 5 && kind === L.JOINT_GEAR);
  return axis === 3 ? kind !== L.JOINT_FIXED && kind !== L.JOINT_DISTANCE : axis === 4 && kind === L.JOINT_UNIVERSAL;
}

/** Counts whole turns of measured axes, from what is known of the joint; combines those of gears. */
function countTurns(
  engine: Engine,
  joint: number,
  motion: Float64Array | null,
  pose: JointPose,
  axes: Float64Array,
): void {
  const { kind: kinds, value } = engine.tables.joints;
  const kind = kinds[joint];
  for (let axis = 3; axis < 6; axis++) {
    if (!isTurning(kind, axis)) continue;
    let near = value[6 * joint + axis];
    if (motion && isFast(engine, joint, axis, motion)) near += turnOf(kind, axis, pose);
    axes[axis] = nearestAngle(axes[axis], near);
  }
  if (kind >= L.JOINT_GEAR) axes[kind === L.JOINT_GEAR ? 3 : 0] = axes[5] - pose.ratio * axes[4];
}

/** Whether the bodies turn too far in a step for the nearest angle; writes by how much to `spin` [rad]. */
function isFast(engine: Engine, joint: number, axis: number, motion: Float64Array): boolean {
  const { body, kind } = engine.tables.joints;
  const isGear = kind[joint] >= L.JOINT_GEAR;
  spin[0] = spin[1] = spin[2] = 0;
  if (!isGear || axis === 5) addSpin(engine, body[2 * joint + 1], motion, 1);
  if (!isGear || axis === 4) addSpin(engine, body[2 * joint], motion, isGear ? 1 : -1);
  return spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2] > NEAR_TURN * NEAR_TURN;
}

/** Adds sign · h ω of a body under `motion`; driven ones move by their own. */
function addSpin({ settings, tables }: Engine, body: number, motion: Float64Array, sign: number): void {
  const { bodies } = tables;
  if (body < 0 || bodies.awakeIndex[body] < 0) return;
  const from = bodies.inverseMass[body] === 0 ? bodies.motion : motion;
  const turn = sign * settings.timeStep;
  for (let k = 0; k < 3; k++) spin[k] += turn * from[8 * body + ANGULAR + k];
}

/** By how much an axis turns in the step by `spin` [rad]. */
function turnOf(kind: number, axis: number, pose: JointPose): number {
  let d: Float64Array = direction;
  if (kind >= L.JOINT_GEAR) d = axis === 4 ? pose.axesA : pose.axesB;
  else turningDirection(direction, 0, kind, axis, pose);
  return spin[0] * d[0] + spin[1] * d[1] + spin[2] * d[2];
}
