// What the motion of a step bends off its tangent: where joints would be at its end, and the targets that
// bring them where they should be.

import { cosine, sine } from '../../math/trigonometry';
import { createJointPose, measureAxes } from '../../mechanics/joint/frames';
import { velocityOf } from '../../solvers/contact-problem';
import * as L from '../../state/layout';
import { applyImpulses } from '../assemble-contacts';
import type { Engine } from '../engine';
import { bends, isTurning, type JointRows, nearestAngle, placeJoint } from './joint-rows';

/** More than a step may bend of an angle [rad]. */
const FARTHEST_BEND = 0.3;

const pose = createJointPose();
const values = new Float64Array(6);
let position = new Float64Array(0);
let rotation = new Float64Array(0);

/** Motion under trial of the island's bodies if r were done, and not `done`. */
function tryMotion(engine: Engine, island: number, rows: JointRows, r: Float64Array, done: Float64Array | null): void {
  const { bodies } = engine.tables;
  const a = rows.contacts;
  if (rows.motion.length < 8 * bodies.capacity) rows.motion = new Float64Array(8 * bodies.capacity);
  const { motion } = rows;
  const start = bodies.islandBodyStart[island];
  const end = start + bodies.islandBodyCount[island];
  for (let i = start; i < end; i++) copyMotion(bodies.motion, motion, bodies.islandBodies[i]);
  applyImpulses(a, r, bodies.inverseMass, motion, motion, 8, 4);
  if (done) {
    for (let k = 0; k < 3 * a.problem.contactCount; k++) rows.u[k] = -done[k];
    applyImpulses(a, rows.u, bodies.inverseMass, motion, motion, 8, 4);
  }
}

/**
 * Poses at the end of the step of the island's bodies by the motion under trial, and of driven ones that its joints
 * hold.
 */
function moveBodies(engine: Engine, island: number, rows: JointRows): void {
  const { bodies, joints } = engine.tables;
  const { motion } = rows;
  if (position.length < 4 * bodies.capacity) {
    position = new Float64Array(4 * bodies.capacity);
    rotation = new Float64Array(4 * bodies.capacity);
  }
  const start = bodies.islandBodyStart[island];
  const end = start + bodies.islandBodyCount[island];
  for (let i = start; i < end; i++) moveBody(engine, motion, bodies.islandBodies[i]);
  for (let i = 0; i < bodies.islandJointCount[island]; i++) {
    const joint = joints.islandJoints[bodies.islandJointStart[island] + i];
    for (let k = 0; k < 2; k++) {
      const body = joints.body[2 * joint + k];
      if (body >= 0 && bodies.inverseMass[body] === 0) moveBody(engine, bodies.motion, body);
    }
  }
}

function copyMotion(from: Float64Array, to: Float64Array, body: number): void {
  for (let k = 8 * body; k < 8 * body + 8; k++) to[k] = from[k];
}

function moveBody(engine: Engine, motion: Float64Array, body: number): void {
  const { bodies } = engine.tables;
  const h = engine.settings.timeStep;
  const at = 4 * body;
  const m = 8 * body;
  // A driven body that stands still may hold the motion of an earlier step.
  const isStill = bodies.awakeIndex[body] < 0;
  const scale = isStill ? 0 : h;
  for (let k = 0; k < 3; k++) position[at + k] = bodies.position[at + k] + scale * motion[m + k];
  const x = scale * motion[m + 4];
  const y = scale * motion[m + 5];
  const z = scale * motion[m + 6];
  const angle = Math.sqrt(x * x + y * y + z * z);
  const s = angle > 1e-9 ? sine(angle / 2) / angle : 0.5;
  const w = angle > 1e-9 ? cosine(angle / 2) : 1;
  const [qx, qy, qz, qw] = [
    bodies.rotation[at],
    bodies.rotation[at + 1],
    bodies.rotation[at + 2],
    bodies.rotation[at + 3],
  ];
  rotation[at] = w * qx + s * (x * qw + y * qz - z * qy);
  rotation[at + 1] = w * qy + s * (y * qw + z * qx - x * qz);
  rotation[at + 2] = w * qz + s * (z * qw + x * qy - y * qx);
  rotation[at + 3] = w * qw - s * (x * qx + y * qy + z * qz);
}

/**
 * Writes JOINT_BEND for the impulses r of the last solve, whose targets are in b, and changes b with it. Returns by how
 * much the rows that carry something miss their places [m, rad]. `done`: impulses that BODY_MOTION has in it already;
 * then r is a motion that the bodies keep, but do not make.
 */
export function refineJoints(
  engine: Engine,
  island: number,
  rows: JointRows,
  r: Float64Array,
  done: Float64Array | null = null,
): number {
  const { problem, free, touchCount } = rows.contacts;
  tryMotion(engine, island, rows, r, done);
  velocityOf(rows.u, problem, r);
  // Along the tangent they would move by u h, with u that of the bodies: softness and targets are no motion.
  for (let row = 3 * touchCount; row < 3 * problem.contactCount; row++) {
    rows.u[row] -= rows.soft[row] * r[row] + (problem.b[row] - free[row]);
  }
  return refineBends(engine, island, rows, r, done === null);
}

/**
 * The same for the motion under trial that is in `rows`, and its velocities along the rows in `u`. `isMade`: the
 * bodies make it.
 */
export function refineBends(engine: Engine, island: number, rows: JointRows, r: Float64Array, isMade: boolean): number {
  const { joints } = engine.tables;
  const h = engine.settings.timeStep;
  const { problem, touchCount } = rows.contacts;
  moveBodies(engine, island, rows);
  let worst = 0;
  let placed = -1;
  for (let c = touchCount; c < problem.contactCount; c++) {
    if (rows.block[c] > 1) continue;
    const joint = rows.joint[c];
    const kind = joints.kind[joint];
    if (joint !== placed) {
      placeJoint(engine, pose, joint, position, rotation);
      measureAxes(values, 0, kind, pose);
      placed = joint;
    }
    for (let i = 0; i < 3; i++) {
      const row = 3 * c + i;
      if (!bends(rows, row)) continue;
      const axis = 3 * rows.block[c] + i;
      const before = joints.value[6 * joint + axis];
      const after = isTurning(kind, axis) ? nearestAngle(values[axis], before) : values[axis];
      let bend = after - before - h * rows.u[row];
      if (isMade) rows.end[row] = after;
      if (!Number.isFinite(bend)) continue;
      // An angle that jumps (a limb folded back on its joint has no twist) is none to follow.
      if (axis >= 3 && (bend > FARTHEST_BEND || bend < -FARTHEST_BEND)) bend = 0;
      const change = bend - joints.bend[6 * joint + axis];
      joints.bend[6 * joint + axis] = bend;
      problem.b[row] += change / h;
      const carries = r[row] !== 0 || rows.low[row] === Number.NEGATIVE_INFINITY;
      if (carries) worst = Math.max(worst, Math.abs(change));
    }
  }
  return worst;
}

/** Forgets what bends. */
export function clearBends(engine: Engine, rows: JointRows): void {
  const { bend } = engine.tables.joints;
  for (let c = 0; c < rows.contacts.problem.contactCount; c++) bend.fill(0, 6 * rows.joint[c], 6 * rows.joint[c] + 6);
}

/** Forces and errors of the island's joints after a step with the impulses r, whose motion was refined last. */
export function storeReactions(engine: Engine, rows: JointRows, r: Float64Array, impulses: Float64Array): void {
  const { joints } = engine.tables;
  const h = engine.settings.timeStep;
  const { problem, frame, armB, touchCount } = rows.contacts;
  for (let c = touchCount; c < problem.contactCount; c++) {
    const joint = rows.joint[c];
    const block = rows.block[c];
    const to = 8 * joint;
    if (c === touchCount || joint !== rows.joint[c - 1]) {
      joints.reaction.fill(0, to, to + 8);
      joints.impulse.fill(0, 18 * joint, 18 * joint + 18);
    }
    const isLinear = (block & 1) === 0;
    const from = isLinear ? frame : armB;
    let error = 0;
    for (let i = 0; i < 3; i++) {
      const row = 3 * c + i;
      joints.impulse[18 * joint + 3 * block + i] = impulses[row];
      for (let k = 0; k < 3; k++) joints.reaction[to + (isLinear ? 0 : 4) + k] += (from[3 * row + k] * r[row]) / h;
      if (bends(rows, row)) error += endError(engine, rows, c, i) ** 2;
    }
    if (block < 2) joints.reaction[to + (isLinear ? 3 : 7)] = Math.sqrt(error);
  }
}

/** How far a row is from obeying its joint at the end of the step. */
function endError(engine: Engine, rows: JointRows, c: number, i: number): number {
  const { joints } = engine.tables;
  const row = 3 * c + i;
  const axis = 3 * rows.block[c] + i;
  const joint = rows.joint[c];
  const at = 48 * joint + L.AXIS_NUMBERS * axis;
  const mode = (joints.modes[joint] >> (L.AXIS_BITS * axis)) & L.AXIS_HOLD;
  const end = rows.end[row];
  if (mode !== L.AXIS_LIMITED) return end;
  return Math.max(joints.axes[at + L.AXIS_LOW] - end, end - joints.axes[at + L.AXIS_HIGH], 0);
}
