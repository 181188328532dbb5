// From the joints of an island to blocks of its contact problem, behind the contacts.
//
// A joint has six axes, three along and three about those of its frame (mechanics/joint/frames). Of each kind
// there may be three blocks: what holds or limits (0 linear, 1 angular), motors (2, 3), friction (4, 5); row i of
// a block is axis i of its three. Rows along an axis act on both bodies at the place of B, so that no moment is
// left over while the places are apart.
//
// Targets are those of a step that ends where it should (SHAKE): u = −(e + bend)/h, with the error e at the start
// of the step and what the motion bends off its tangent within it, found by refine-joints. So joints are exact at
// the end of a step, and a velocity that was right is not bent down: a pendulum keeps its energy. What e adds is
// taken back from the kept velocity.

import { RELAX_SPEED } from '../../core/engine-constants';
import { createJointPose, type JointPose, turningDirection } from '../../mechanics/joint/frames';
import { LAW_BILATERAL, LAW_BOUNDED } from '../../solvers/row-law';
import { jointAxisAt, jointImpulseAt } from '../../state/joint-places';
import * as L from '../../state/layout';
import { LARGEST_FREQUENCY, LARGEST_MOTOR } from '../../state/limits';
import { type AssembledContacts, beginAssembly, createAssembledContacts, finishAssembly } from '../assemble-contacts';
import type { Engine } from '../engine';
import { hasLoops } from './loops';
import { leaveTurns, measureJoint, measureLinear } from './measure-joint';
import { stiffenBodies } from './stiffen-bodies';

/** Blocks that a joint may have, and rows of them. */
const JOINT_BLOCKS = 6;

/** Bits of usedRows for the rows about the axes of a joint. */
const ANGULAR_ROWS = 0o707070;

const TWO_PI = 2 * Math.PI;

/** What a row is for. */
const HOLDS = 1;
const DRIVES = 2;

/** The blocks of an island with what their targets are made of; three numbers a block. */
export interface JointRows {
  contacts: AssembledContacts;
  /** Slot and kind of block of each, from the first block of a joint on. */
  joint: Int32Array;
  block: Int32Array;
  /** Axis error or gap for a row that is held, else what the row aims at is in `aim`. */
  role: Uint8Array;
  /** Target of the velocity that moves the bodies, and of the one that they keep, without what bends [m/s]. */
  aim: Float64Array;
  kept: Float64Array;
  /** Softness [1/kg]. */
  soft: Float64Array;
  /** How far the axis of a row that holds is from its bound, or place [m, rad]. */
  error: Float64Array;
  low: Float64Array;
  high: Float64Array;
  /** Whether recovery is worth a solve of its own. */
  isRecovering: boolean;
  /** The fastest of it [m/s, rad/s], 0 where none is. */
  recovery: number;
  /** What joints in loops cannot do together of their targets [m/s, rad/s]. */
  missed: number;
  sets: Int32Array;
  relaxed: Float64Array;
  /** Motion under trial: as BODY_MOTION. */
  motion: Float64Array;
  u: Float64Array;
  /** Where each row's axis stands at the end of the step, by the last refinement. */
  end: Float64Array;
}

export function createJointRows(): JointRows {
  return {
    contacts: createAssembledContacts(),
    isRecovering: false,
    recovery: 0,
    missed: 0,
    motion: new Float64Array(0),
    ...rowArrays(0),
  };
}

function rowArrays(blocks: number) {
  return {
    joint: new Int32Array(blocks),
    block: new Int32Array(blocks),
    role: new Uint8Array(3 * blocks),
    aim: new Float64Array(3 * blocks),
    kept: new Float64Array(3 * blocks),
    soft: new Float64Array(3 * blocks),
    error: new Float64Array(3 * blocks),
    low: new Float64Array(3 * blocks),
    high: new Float64Array(3 * blocks),
    sets: new Int32Array(blocks),
    relaxed: new Float64Array(3 * blocks),
    u: new Float64Array(3 * blocks),
    end: new Float64Array(3 * blocks),
  };
}

const pose = createJointPose();
const values = new Float64Array(6);
const direction = new Float64Array(3);

/** AXIS_* bits of an axis. */
function modeOf(modes: number, axis: number): number {
  return (modes >> (L.AXIS_BITS * axis)) & ((1 << L.AXIS_BITS) - 1);
}

/** Fills `rows` with the joints of an island, behind its contacts if `touches`, and with W of all blocks. */
export function assembleJoints(engine: Engine, island: number, rows: JointRows, touches: boolean): void {
  assembleRows(engine, island, rows, touches, touches);
  const { contacts: a } = rows;
  const { problem } = a;
  for (let c = a.touchCount; c < problem.contactCount; c++) for (let i = 0; i < 3; i++) writeTurns(engine, a, c, i);
  finishAssembly(engine, a);
  for (let c = a.touchCount; c < problem.contactCount; c++) {
    for (let i = 0; i < 3; i++) problem.values[9 * problem.diagonal[c] + 4 * i] += rows.soft[3 * c + i];
  }
}

/** The same without W, and turns that only W takes. `stiffens`: not where velocities are final, after strands. */
export function assembleRows(
  engine: Engine,
  island: number,
  rows: JointRows,
  touches: boolean,
  stiffens: boolean,
): void {
  const { tables, arena } = engine;
  // What stands for the world: a row that was never used, all zeros.
  const world = arena.i32[L.BODY_COUNT >> 2];
  tables.control.bodies.ensure(world + 1);
  const { bodies, joints } = tables;
  const start = bodies.islandJointStart[island];
  const count = bodies.islandJointCount[island];
  if (stiffens) stiffenBodies(engine, island);
  const a = rows.contacts;
  const most = JOINT_BLOCKS * count;
  beginAssembly(engine, island, a, most, touches);
  const capacity = a.touchCount + most;
  if (rows.joint.length < capacity) Object.assign(rows, rowArrays(2 * capacity));
  const { problem } = a;
  if (!problem.law || problem.law.length < a.pair.length) {
    problem.law = new Uint8Array(a.pair.length);
    problem.low = new Float64Array(3 * a.pair.length);
    problem.high = new Float64Array(3 * a.pair.length);
  }
  problem.law.fill(0, 0, a.touchCount);
  rows.isRecovering = false;
  rows.recovery = 0;
  rows.missed = 0;
  for (let i = start; i < start + count; i++) addJoint(engine, rows, joints.islandJoints[i], world);
  slowRecovery(engine, island, rows);
}

/**
 * Joints in a loop that are farther open than recovery can be fast come back by one share of their errors: each as fast
 * as it may, a body between two places that contradict each other would not come to rest where the squares are least.
 */
function slowRecovery(engine: Engine, island: number, rows: JointRows): void {
  const { recoveryRate, recoverySpeed, timeStep } = engine.settings;
  const { problem, touchCount } = rows.contacts;
  if (rows.recovery < recoverySpeed || recoverySpeed === 0) return;
  let largest = 0;
  for (let row = 3 * touchCount; row < 3 * problem.contactCount; row++) {
    if (isComingBack(rows, row)) largest = Math.max(largest, Math.abs(rows.error[row]));
  }
  const rate = recoverySpeed / largest;
  if (!(rate < recoveryRate / timeStep) || !hasLoops(engine, island)) return;
  for (let row = 3 * touchCount; row < 3 * problem.contactCount; row++) {
    if (isComingBack(rows, row)) aimBack(rows, row, rate * rows.error[row]);
  }
}

/** Whether a row that holds recovers from an error. */
function isComingBack(rows: JointRows, row: number): boolean {
  return bends(rows, row) && !isInside(rows, row);
}

/** Whether a limit has not been reached yet. */
function isInside(rows: JointRows, row: number): boolean {
  return (rows.low[row] === 0 && rows.error[row] > 0) || (rows.high[row] === 0 && rows.error[row] < 0);
}

/** Has a row come back at a speed, which the bodies keep only where it is next to none. */
function aimBack(rows: JointRows, row: number, speed: number): void {
  rows.aim[row] = speed;
  rows.kept[row] = Math.abs(speed) > RELAX_SPEED ? 0 : speed;
}

function addJoint(engine: Engine, rows: JointRows, joint: number, world: number): void {
  const { bodies, joints } = engine.tables;
  const used = usedRows(engine, joint);
  // Without angles, which cost most, where no row is about an axis: the twist is kept at the end of steps (keepTwist).
  if (joints.kind[joint] === L.JOINT_BALL && (used & ANGULAR_ROWS) === 0) {
    measureLinear(engine, joint, bodies, pose, values);
    for (let axis = 0; axis < 3; axis++) joints.value[6 * joint + axis] = values[axis];
  } else {
    measureJoint(engine, joint, bodies, null, pose, values);
    leaveTurns(engine, joint, values);
    joints.value.set(values, 6 * joint);
  }
  for (let block = 0; block < JOINT_BLOCKS; block++) {
    const own = (used >> (3 * block)) & 7;
    if (own !== 0) addBlock(engine, rows, joint, block, own, world);
  }
}

/** Bit 3 block + i of row i of each block that a joint has: it holds, drives or rubs along that axis. */
function usedRows({ tables }: Engine, joint: number): number {
  const { kind, modes, axes } = tables.joints;
  const count = kind[joint] === L.JOINT_DISTANCE ? 1 : 6;
  let used = 0;
  for (let axis = 0; axis < count; axis++) {
    // Of two blocks that follow each other the first is of places, the second of turns.
    const bit = 1 << axis;
    const mode = modeOf(modes[joint], axis);
    if ((mode & L.AXIS_HOLD) !== L.AXIS_FREE) used |= bit;
    if (mode & (L.AXIS_DRIVEN | L.AXIS_AIMED)) used |= bit << 6;
    if (axes[jointAxisAt(joint, axis) + L.AXIS_FRICTION] > 0) used |= bit << 12;
  }
  return used;
}

/** Adds a block with those of its rows that have a bit in `used`. */
function addBlock(engine: Engine, rows: JointRows, joint: number, block: number, used: number, world: number): void {
  const { joints } = engine.tables;
  const a = rows.contacts;
  const c = a.problem.contactCount++;
  rows.joint[c] = joint;
  rows.block[c] = block;
  a.pair[c] = -1 - joint;
  a.point[c] = block;
  const bodyA = joints.body[2 * joint];
  const bodyB = joints.body[2 * joint + 1];
  a.bodyA[c] = bodyA < 0 ? world : bodyA;
  a.bodyB[c] = bodyB < 0 ? world : bodyB;
  a.problem.mu[c] = 0;
  let isBilateral = true;
  for (let i = 0; i < 3; i++) {
    const row = 3 * c + i;
    rows.role[row] = 0;
    rows.aim[row] = rows.kept[row] = rows.soft[row] = rows.error[row] = rows.low[row] = rows.high[row] = 0;
    const axis = 3 * (block & 1) + i;
    if (used & (1 << i)) {
      writeDirection(engine, a, c, i, joint, axis);
      writeTargets(engine, rows, row, joint, block, axis);
      const low = rows.low[row];
      const high = rows.high[row];
      a.r[row] = Math.min(Math.max(joints.impulse[jointImpulseAt(joint, block) + i], low), high);
      if (low !== Number.NEGATIVE_INFINITY || high !== Number.POSITIVE_INFINITY) isBilateral = false;
    } else {
      for (let k = 3 * row; k < 3 * row + 3; k++) a.frame[k] = a.armA[k] = a.armB[k] = 0;
      a.free[row] = a.r[row] = 0;
      isBilateral = false;
    }
    a.problem.low[row] = rows.low[row];
    a.problem.high[row] = rows.high[row];
  }
  (a.problem.law as Uint8Array)[c] = isBilateral ? LAW_BILATERAL : LAW_BOUNDED;
}

/** Row i of H: directions and arms, and the velocity along it without impulses. */
function writeDirection(engine: Engine, a: AssembledContacts, c: number, i: number, joint: number, axis: number): void {
  const { bodies, joints } = engine.tables;
  const { frame, armA, armB } = a;
  writeArms(a, c, axis, joints.kind[joint], pose, bodies.position);
  const { linearVelocity: v, angularVelocity: w } = bodies;
  const row = 9 * c + 3 * i;
  const A = 4 * a.bodyA[c];
  const B = 4 * a.bodyB[c];
  let u = frame[row] * (v[B] - v[A]);
  u += armB[row] * w[B] - armA[row] * w[A];
  u += frame[row + 1] * (v[B + 1] - v[A + 1]);
  u += armB[row + 1] * w[B + 1] - armA[row + 1] * w[A + 1];
  u += frame[row + 2] * (v[B + 2] - v[A + 2]);
  u += armB[row + 2] * w[B + 2] - armA[row + 2] * w[A + 2];
  a.free[3 * c + i] = u;
}

/** I⁻¹ times the arms of row i of block c. */
function writeTurns(engine: Engine, a: AssembledContacts, c: number, i: number): void {
  const { inverseInertia } = engine.tables.bodies;
  const row = 9 * c + 3 * i;
  writeTurn(a.turnA, a.armA, row, inverseInertia, 8 * a.bodyA[c]);
  writeTurn(a.turnB, a.armB, row, inverseInertia, 8 * a.bodyB[c]);
}

function writeTurn(turn: Float64Array, arm: Float64Array, row: number, m: Float64Array, I: number): void {
  const ax = arm[row];
  const ay = arm[row + 1];
  const az = arm[row + 2];
  turn[row] = m[I] * ax + m[I + 3] * ay + m[I + 4] * az;
  turn[row + 1] = m[I + 3] * ax + m[I + 1] * ay + m[I + 5] * az;
  turn[row + 2] = m[I + 4] * ax + m[I + 5] * ay + m[I + 2] * az;
}

/** Direction and arms of the row of an axis in block c, for frames at `at` and centres of mass at `position`. */
export function writeArms(
  a: AssembledContacts,
  c: number,
  axis: number,
  kind: number,
  at: JointPose,
  position: Float64Array,
): void {
  const row = 9 * c + 3 * (axis % 3);
  const isLinear = axis < 3;
  if (isLinear && kind !== L.JOINT_DISTANCE && kind < L.JOINT_GEAR) {
    writeLine(a, c, axis, at, position);
    return;
  }
  if (kind >= L.JOINT_GEAR) {
    // What turns on its own axle: the force on the teeth is borne there.
    for (let k = 0; k < 3; k++) {
      a.frame[row + k] = isLinear ? at.axesB[k] : 0;
      a.armA[row + k] = at.ratio * at.axesA[k];
      a.armB[row + k] = isLinear ? 0 : at.axesB[k];
    }
    return;
  }
  if (isLinear) alongDistance(at);
  else turningDirection(direction, 0, kind, axis, at);
  const dx = direction[0];
  const dy = direction[1];
  const dz = direction[2];
  a.frame[row] = isLinear ? dx : 0;
  a.frame[row + 1] = isLinear ? dy : 0;
  a.frame[row + 2] = isLinear ? dz : 0;
  if (isLinear) {
    writeArm(a.armA, row, at.placeB, position, 4 * a.bodyA[c]);
    writeArm(a.armB, row, at.placeB, position, 4 * a.bodyB[c]);
    return;
  }
  a.armA[row] = a.armB[row] = dx;
  a.armA[row + 1] = a.armB[row + 1] = dy;
  a.armA[row + 2] = a.armB[row + 2] = dz;
}

/** The same along an axis of A, as most rows are. */
function writeLine(
  { frame, armA, armB, bodyA, bodyB }: AssembledContacts,
  c: number,
  axis: number,
  { axesA, placeB }: JointPose,
  position: Float64Array,
): void {
  const row = 9 * c + 3 * axis;
  const A = 4 * bodyA[c];
  const B = 4 * bodyB[c];
  const dx = axesA[3 * axis];
  const dy = axesA[3 * axis + 1];
  const dz = axesA[3 * axis + 2];
  const ax = placeB[0] - position[A];
  const ay = placeB[1] - position[A + 1];
  const az = placeB[2] - position[A + 2];
  const bx = placeB[0] - position[B];
  const by = placeB[1] - position[B + 1];
  const bz = placeB[2] - position[B + 2];
  frame[row] = dx;
  frame[row + 1] = dy;
  frame[row + 2] = dz;
  armA[row] = ay * dz - az * dy;
  armA[row + 1] = az * dx - ax * dz;
  armA[row + 2] = ax * dy - ay * dx;
  armB[row] = by * dz - bz * dy;
  armB[row + 1] = bz * dx - bx * dz;
  armB[row + 2] = bx * dy - by * dx;
}

/** Arm of a force along `direction` d at a place on a body: (place − position) × d. */
function writeArm(arm: Float64Array, row: number, place: Float64Array, position: Float64Array, body: number): void {
  const dx = direction[0];
  const dy = direction[1];
  const dz = direction[2];
  const x = place[0] - position[body];
  const y = place[1] - position[body + 1];
  const z = place[2] - position[body + 2];
  arm[row] = y * dz - z * dy;
  arm[row + 1] = z * dx - x * dz;
  arm[row + 2] = x * dy - y * dx;
}

/** From the place of A to that of B. */
function alongDistance({ placeA, placeB }: JointPose): void {
  let square = 0;
  for (let k = 0; k < 3; k++) {
    direction[k] = placeB[k] - placeA[k];
    square += direction[k] * direction[k];
  }
  const length = Math.sqrt(square);
  if (length > 1e-9) for (let k = 0; k < 3; k++) direction[k] /= length;
  else direction.set([0, 1, 0]);
}

/** Diagonal of W for row i of block c [1/kg]; writes its turns. */
export function responseOf(engine: Engine, a: AssembledContacts, c: number, i: number): number {
  writeTurns(engine, a, c, i);
  const { inverseMass } = engine.tables.bodies;
  const row = 9 * c + 3 * i;
  let sum = 0;
  for (let k = row; k < row + 3; k++) {
    sum += a.frame[k] * a.frame[k] * (inverseMass[a.bodyA[c]] + inverseMass[a.bodyB[c]]);
    sum += a.armA[k] * a.turnA[k] + a.armB[k] * a.turnB[k];
  }
  return sum;
}

/** Bounds, softness and target velocities of a row. */
function writeTargets(engine: Engine, rows: JointRows, row: number, joint: number, block: number, axis: number): void {
  const { modes, axes } = engine.tables.joints;
  const h = engine.settings.timeStep;
  const at = jointAxisAt(joint, axis);
  const mode = modeOf(modes[joint], axis);
  const isSpring = (mode & L.AXIS_SOFT) !== 0;
  if (block >= 4) {
    rows.high[row] = h * axes[at + L.AXIS_FRICTION];
    rows.low[row] = -rows.high[row];
    return;
  }
  if (block >= 2) {
    rows.role[row] = DRIVES;
    const most = axes[at + L.AXIS_FORCE];
    rows.high[row] = most < LARGEST_MOTOR ? h * most : Number.POSITIVE_INFINITY;
    rows.low[row] = pushes(engine, joint, axis) ? 0 : -rows.high[row];
    writeMotor(engine, rows, row, at, mode, values[axis]);
    return;
  }

  // What holds or limits: its error, or the gap to the nearer bound.
  rows.role[row] = HOLDS;
  let error = values[axis];
  rows.low[row] = Number.NEGATIVE_INFINITY;
  rows.high[row] = Number.POSITIVE_INFINITY;
  if ((mode & L.AXIS_HOLD) === L.AXIS_LIMITED) {
    const low = axes[at + L.AXIS_LOW];
    const high = axes[at + L.AXIS_HIGH];
    const isLow = error - low <= high - error;
    error -= isLow ? low : high;
    if (low !== high && isLow) rows.low[row] = 0;
    if (low !== high && !isLow) rows.high[row] = 0;
    if (!Number.isFinite(error)) {
      rows.role[row] = 0;
      rows.low[row] = rows.high[row] = 0;
      return;
    }
  }
  rows.error[row] = error;
  const isAimed = (mode & (L.AXIS_AIMED | L.AXIS_DRIVEN)) !== 0;
  if (isInside(rows, row)) rows.aim[row] = rows.kept[row] = error / h;
  else if (isSpring && !isAimed) {
    rows.role[row] = DRIVES;
    rows.aim[row] = rows.kept[row] = springTerms(engine, rows, row, axes, at, error);
  } else {
    const { recoveryRate, recoverySpeed } = engine.settings;
    aimBack(rows, row, Math.min(Math.max((recoveryRate * error) / h, -recoverySpeed), recoverySpeed));
    const speed = Math.abs(rows.aim[row]);
    if (speed > RELAX_SPEED) {
      rows.isRecovering = true;
      rows.recovery = Math.max(rows.recovery, speed);
    }
  }
}

/** Whether the motor of an axis gives no force towards the low end. */
function pushes({ tables }: Engine, joint: number, axis: number): boolean {
  return axis === 1 && (tables.joints.flags[joint] & L.JOINT_PUSHES) !== 0;
}

function writeMotor(engine: Engine, rows: JointRows, row: number, at: number, mode: number, value: number): void {
  const { axes } = engine.tables.joints;
  const h = engine.settings.timeStep;
  const velocity = axes[at + L.AXIS_VELOCITY];
  let aim = -velocity;
  if (mode & L.AXIS_AIMED) {
    const error = value - axes[at + L.AXIS_TARGET];
    if (mode & L.AXIS_SOFT) aim = springTerms(engine, rows, row, axes, at, error);
    else {
      // At most as fast as the motor runs, where it says so.
      const most = velocity !== 0 ? Math.abs(velocity) : Number.POSITIVE_INFINITY;
      aim = Math.min(Math.max(error / h, -most), most);
    }
  }
  rows.aim[row] = rows.kept[row] = aim;
}

/**
 * Implicit spring and damper of a frequency and damping ratio for the mass that the row moves:
 * sets softness, returns the target.
 */
function springTerms(
  engine: Engine,
  rows: JointRows,
  row: number,
  axes: Float64Array,
  at: number,
  error: number,
): number {
  const h = engine.settings.timeStep;
  const response = responseOf(engine, rows.contacts, Math.floor(row / 3), row % 3);
  if (!(response > 0)) return 0;
  const omega = TWO_PI * Math.min(axes[at + L.AXIS_FREQUENCY], LARGEST_FREQUENCY);
  const stiffness = (omega * omega) / response;
  const damping = (2 * axes[at + L.AXIS_RATIO] * omega) / response;
  const both = damping + h * stiffness;
  if (!(both > 0)) {
    rows.low[row] = rows.high[row] = 0;
    return 0;
  }
  rows.soft[row] = 1 / (h * both);
  return (stiffness * error) / both;
}

/** Whether a row ends its step where it should, and so has a term for what bends. */
export function bends(rows: JointRows, row: number): boolean {
  return rows.role[row] === HOLDS;
}

/** b of the joints' rows: for the velocity that moves the bodies, or the one that they keep. */
export function writeJointTerms(engine: Engine, rows: JointRows, isKept: boolean): void {
  const { joints } = engine.tables;
  const h = engine.settings.timeStep;
  const { problem, free, touchCount } = rows.contacts;
  for (let c = touchCount; c < problem.contactCount; c++) {
    for (let i = 0; i < 3; i++) {
      const row = 3 * c + i;
      const bend = bends(rows, row) ? joints.bend[6 * rows.joint[c] + 3 * (rows.block[c] & 1) + i] / h : 0;
      problem.b[row] = free[row] + bend + (isKept ? rows.kept[row] : rows.aim[row]);
    }
  }
}
