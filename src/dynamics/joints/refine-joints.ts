// What the motion of a step bends off its tangent: where joints would be at its end, and the targets that
// bring them where they should be.

import { createJointPose } from '../../mechanics/joint/frames';
import { velocityOf } from '../../solvers/contact-problem';
import { jointAxisAt, jointImpulseAt } from '../../state/joint-places';
import * as L from '../../state/layout';
import { applyImpulses } from '../assemble-contacts';
import type { Engine } from '../engine';
import { moveBodies } from './end-poses';
import { bends, type JointRows } from './joint-rows';
import { measureEnd } from './measure-end';

/** More than a step may bend of an angle [rad]. */
const FARTHEST_BEND = 0.3;

const pose = createJointPose();
const values = new Float64Array(6);

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

function copyMotion(from: Float64Array, to: Float64Array, body: number): void {
  for (let k = 8 * body; k < 8 * body + 8; k++) to[k] = from[k];
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
  tryMotion(engine, island, rows, r, done);
  speedsOf(rows, r);
  return refineBends(engine, island, rows, r, done === null);
}

/** Velocities of the bodies along the rows of joints for the impulses r, to `rows.u`: softness and targets are none. */
export function speedsOf(rows: JointRows, r: Float64Array): void {
  const { problem, free, touchCount } = rows.contacts;
  velocityOf(rows.u, problem, r);
  for (let row = 3 * touchCount; row < 3 * problem.contactCount; row++) {
    rows.u[row] -= rows.soft[row] * r[row] + (problem.b[row] - free[row]);
  }
}

/**
 * The same for the motion under trial that is in `rows`, and its velocities along the rows in `u`. `isMade`: the
 * bodies make it.
 */
export function refineBends(engine: Engine, island: number, rows: JointRows, r: Float64Array, isMade: boolean): number {
  const { joints } = engine.tables;
  const h = engine.settings.timeStep;
  const { problem, touchCount } = rows.contacts;
  moveBodies(engine, island, rows.motion);
  let worst = 0;
  let placed = -1;
  for (let c = touchCount; c < problem.contactCount; c++) {
    if (rows.block[c] > 1) continue;
    const joint = rows.joint[c];
    if (joint !== placed) {
      measureEnd(engine, rows, c, rows.motion, pose, values);
      placed = joint;
    }
    for (let i = 0; i < 3; i++) {
      const row = 3 * c + i;
      if (!bends(rows, row)) continue;
      const axis = 3 * rows.block[c] + i;
      const before = joints.value[6 * joint + axis];
      const after = values[axis];
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
  const { problem, touchCount } = rows.contacts;
  for (let c = touchCount; c < problem.contactCount; c++) bend.fill(0, 6 * rows.joint[c], 6 * rows.joint[c] + 6);
}

/** Forces of the island's joints after a step with the impulses r; errors come with storeErrors. */
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
      joints.impulse.fill(0, jointImpulseAt(joint, 0), jointImpulseAt(joint + 1, 0));
    }
    const isLinear = (block & 1) === 0;
    const from = isLinear ? frame : armB;
    for (let i = 0; i < 3; i++) {
      const row = 3 * c + i;
      joints.impulse[jointImpulseAt(joint, block) + i] = impulses[row];
      if (r[row] === 0) continue;
      for (let k = 0; k < 3; k++) joints.reaction[to + (isLinear ? 0 : 4) + k] += (from[3 * row + k] * r[row]) / h;
    }
  }
}

/** Errors of the island's joints at the end of the step, where its rows are by the last look. */
export function storeErrors(engine: Engine, rows: JointRows): void {
  const { reaction } = engine.tables.joints;
  const { problem, touchCount } = rows.contacts;
  for (let c = touchCount; c < problem.contactCount; c++) {
    if (rows.block[c] > 1) continue;
    let error = 0;
    for (let i = 0; i < 3; i++) if (bends(rows, 3 * c + i)) error += endError(engine, rows, c, i) ** 2;
    reaction[8 * rows.joint[c] + (rows.block[c] === 0 ? 3 : 7)] = Math.sqrt(error);
  }
}

/** How far a row is from obeying its joint at the end of the step. */
function endError(engine: Engine, rows: JointRows, c: number, i: number): number {
  const { joints } = engine.tables;
  const row = 3 * c + i;
  const axis = 3 * rows.block[c] + i;
  const joint = rows.joint[c];
  const at = jointAxisAt(joint, axis);
  const mode = (joints.modes[joint] >> (L.AXIS_BITS * axis)) & L.AXIS_HOLD;
  const end = rows.end[row];
  if (mode !== L.AXIS_LIMITED) return end;
  return Math.max(joints.axes[at + L.AXIS_LOW] - end, end - joints.axes[at + L.AXIS_HIGH], 0);
}
