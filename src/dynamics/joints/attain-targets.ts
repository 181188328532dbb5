// Joints in loops may say the same twice (a door on two hinges), or contradict each other (two that hold one body
// in two places): what their rows aim at is brought to what they can do together, the least squares of it.
//
// With W of the rows that hold, Λ the mean of its diagonal over each block and t their targets, rows can do
// t' = W (W + εΛ)⁻¹ t; t − t' = εΛ (W + εΛ)⁻¹ t they cannot: then W r = −(H v + t') has an answer of a
// bounded size, however W is short of rank.
//
// Where targets cannot be met, steps of Gauss and Newton towards the least squares need not come nearer: an error
// e that is left bends the pose's squares by e κ, with the curvature κ of the row, against which ε is the damping of
// Levenberg and Marquardt (Nocedal and Wright 2006, section 10.3). So there ε is e κ. Directions that only
// bad alignment holds (a door whose hinges are a millimetre out of line) would then be held at once by all that joints
// bear; they are left free, by the same filter over H v + t as a whole.

import { factorBanded, solveBanded } from '../../math/banded-ldl';
import { contactScale } from '../../solvers/contact-problem';
import { REACTION_APART, REACTION_TURNED } from '../../state/contact-places';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import { bends, type JointRows } from './joint-rows';

/** Damping while joints agree [-]: ten micrometres that they miss are a hundred of what their masses weigh. */
const AGREEING = 1e-5;
/** Damping per error and curvature, and at most [-]. */
const CAUTION = 4;
const MOST = 0.25;
/** Errors times curvatures below this are those of a step [-]. */
export const CONFLICT = 1e-5;
/**
 * Of the motion: damping is the square of this times errors and curvatures, as the response of a direction that is held
 * by a tilt of so much is; at most so much.
 */
const TILT = 12;
const MOST_TILT = 0.01;
/** Filters in a row, of targets and of the motion: what is held well is held to ε to this power. */
const TARGET_FILTERS = 2;
const MOTION_FILTERS = 8;
/** Further filters where joints agree: after one a loop misses a hundred-thousandth of what it aims at. */
const FURTHER_FILTERS = 2;
/** Motors without a limit count so many times less than what holds [-]. */
const DRIVEN = 1e3;
/** Joints that are farther than this from where they hold are looked at more closely [m, rad]. */
const OPEN = 0.01;
/** Rows that are brought together at most: their factor costs the cube. */
const MOST_ROWS = 192;

let used = new Int32Array(0);
let rootOf = new Float64Array(0);
let curve = new Float64Array(0);
let operator = new Float64Array(0);
let factor = new Float64Array(0);
let own = new Float64Array(0);
let left = new Float64Array(0);
/** Row of the set of each row of the problem, −1 none. */
let placeOf = new Int32Array(0);

/** Whether the rows that hold are few enough. */
export function isAttainable(engine: Engine, island: number): boolean {
  return 6 * engine.tables.bodies.islandJointCount[island] <= MOST_ROWS;
}

/**
 * Whether joints of the island were so far from where they hold in the last step [m, rad] that they may disagree.
 */
export function isOpen({ tables }: Engine, island: number, far = OPEN): boolean {
  const { bodies, joints } = tables;
  const start = bodies.islandJointStart[island];
  for (let i = start; i < start + bodies.islandJointCount[island]; i++) {
    const at = 8 * joints.islandJoints[i];
    if (joints.reaction[at + REACTION_APART] > far || joints.reaction[at + REACTION_TURNED] > far) return true;
  }
  return false;
}

/** Whether a row holds its axis where it is now, at a bound or altogether, or drives it with all force there is. */
function isHeld(rows: JointRows, row: number): boolean {
  if (rows.soft[row] > 0) return false;
  if (!bends(rows, row)) return rows.low[row] === Number.NEGATIVE_INFINITY;
  if (rows.low[row] === Number.NEGATIVE_INFINITY) return rows.high[row] > 0 || rows.aim[row] >= 0;
  return rows.low[row] === 0 && rows.high[row] > 0 && rows.aim[row] <= 0;
}

/**
 * Takes of b of the rows that hold what they can do together. For islands with loops; W and b are written. Returns by
 * how much they contradict each other, at least the `conflict` that the step had before [-].
 */
export function attainTargets(engine: Engine, rows: JointRows, isKept: boolean, before: number): number {
  const count = gatherRows(engine, rows);
  rows.missed = 0;
  if (count === 0) return before;
  const { problem } = rows.contacts;

  // What is aimed at beyond the motion of the bodies.
  for (let i = 0; i < count; i++) left[i] = (problem.b[used[i]] - own[used[i]]) / rootOf[i];
  filter(count, AGREEING, 1);
  const conflict = Math.max(conflictOf(engine, rows, count), before);
  if (conflict > CONFLICT) {
    if (!isKept) slowDown(engine, rows, count);
    for (let i = 0; i < count; i++) left[i] = (problem.b[used[i]] - own[used[i]]) / rootOf[i];
    filter(count, Math.min(CAUTION * conflict, MOST), TARGET_FILTERS);
  } else filterAgain(count, AGREEING, FURTHER_FILTERS);
  takeLeft(rows, count);
  if (conflict > CONFLICT) {
    for (let i = 0; i < count; i++) left[i] = own[used[i]] / rootOf[i];
    filter(count, Math.min(TILT * TILT * conflict * conflict, MOST_TILT), MOTION_FILTERS);
    takeLeft(rows, count);
  }
  return conflict;
}

/** Takes what is left off b. */
function takeLeft(rows: JointRows, count: number): void {
  for (let i = 0; i < count; i++) {
    const missed = left[i] * rootOf[i];
    rows.contacts.problem.b[used[i]] -= missed;
    rows.missed = Math.max(rows.missed, Math.abs(missed));
  }
}

/** Errors that are too large to recover from at once are made smaller by one factor, not each by its own. */
function slowDown(engine: Engine, rows: JointRows, count: number): void {
  const { timeStep, recoveryRate, recoverySpeed } = engine.settings;
  const { b } = rows.contacts.problem;
  const rate = recoveryRate / timeStep;
  let fastest = recoverySpeed;
  for (let i = 0; i < count; i++) fastest = Math.max(fastest, rate * Math.abs(rows.error[used[i]]));
  const share = (rate * recoverySpeed) / fastest;
  for (let i = 0; i < count; i++) {
    if (bends(rows, used[i])) b[used[i]] += share * rows.error[used[i]] - rows.aim[used[i]];
  }
}

/** The rows that hold, with W of them, scaled, and H v of the bodies that they move; returns their number. */
function gatherRows(engine: Engine, rows: JointRows): number {
  const { problem, touchCount } = rows.contacts;
  const { values, diagonal, rowStart, column } = problem;
  const n = problem.contactCount;
  makeRoom(3 * n);
  let count = 0;
  for (let row = 3 * touchCount; row < 3 * n; row++) {
    const c = Math.floor(row / 3);
    placeOf[row] = -1;
    if (!(values[9 * diagonal[c] + 4 * (row - 3 * c)] > 0) || !isHeld(rows, row)) continue;
    // Of the block, so that it is one whichever way its axes lie.
    const response = scaleOf(engine, rows, c);
    placeOf[row] = count;
    used[count] = row;
    const holds = bends(rows, row);
    rootOf[count] = Math.sqrt(holds ? response : DRIVEN * response);
    curve[count++] = holds ? curvatureOf(engine, rows, row, response) : 0;
    own[row] = speedOfBodies(engine, rows, row);
  }
  if (operator.length < count * count) {
    operator = new Float64Array(2 * count * count);
    factor = new Float64Array(2 * count * count);
  }
  operator.fill(0, 0, count * count);
  for (let i = 0; i < count; i++) {
    const c = Math.floor(used[i] / 3);
    for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
      if (column[k] < touchCount) continue;
      for (let j = 0; j < 3; j++) {
        const other = placeOf[3 * column[k] + j];
        // By rows from the diagonal to the left, as factorBanded has them.
        if (other < 0 || other > i) continue;
        const w = values[9 * k + 3 * (used[i] - 3 * c) + j];
        operator[count * i + i - other] = w / (rootOf[i] * rootOf[other]);
      }
    }
  }
  return count;
}

/** Response of a block by which its rows count: a distance is one row, and counts as each of the three of a place. */
function scaleOf(engine: Engine, rows: JointRows, c: number): number {
  const isDistance = engine.tables.joints.kind[rows.joint[c]] === L.JOINT_DISTANCE;
  return (isDistance ? 3 : 1) * contactScale(rows.contacts.problem, c);
}

function makeRoom(rows: number): void {
  if (placeOf.length >= rows) return;
  placeOf = new Int32Array(2 * rows);
  used = new Int32Array(2 * rows);
  rootOf = new Float64Array(2 * rows);
  curve = new Float64Array(2 * rows);
  own = new Float64Array(2 * rows);
  left = new Float64Array(2 * rows);
}

/** H v of a row without that of driven bodies. */
function speedOfBodies({ tables }: Engine, { contacts: a }: JointRows, row: number): number {
  const { inverseMass, linearVelocity, angularVelocity } = tables.bodies;
  const c = Math.floor(row / 3);
  let u = 0;
  for (let side = 0; side < 2; side++) {
    const body = side === 0 ? a.bodyA[c] : a.bodyB[c];
    if (inverseMass[body] === 0) continue;
    const arm = side === 0 ? a.armA : a.armB;
    const sign = side === 0 ? -1 : 1;
    for (let k = 0; k < 3; k++) {
      u +=
        sign * (a.frame[3 * row + k] * linearVelocity[4 * body + k] + arm[3 * row + k] * angularVelocity[4 * body + k]);
    }
  }
  return u;
}

/** By how much its axis bends with the square of the motion across, in units of its own response [1/m, 1]. */
function curvatureOf({ tables }: Engine, { contacts: a, joint }: JointRows, row: number, response: number): number {
  const { bodies, joints } = tables;
  const c = Math.floor(row / 3);
  if (joints.kind[joint[c]] === L.JOINT_DISTANCE) {
    const most = Math.max(bodies.inverseMass[a.bodyA[c]], bodies.inverseMass[a.bodyB[c]]);
    return most / (response * Math.max(joints.value[6 * joint[c]], 1e-6));
  }
  if ((a.point[c] & 1) === 1) return 1;
  let sum = 0;
  for (let side = 0; side < 2; side++) {
    const arm = side === 0 ? a.armA : a.armB;
    const turn = side === 0 ? a.turnA : a.turnB;
    // Of the three directions together: twice the square of the arm, and what turns it.
    let square = 0;
    let turned = 0;
    for (let k = 9 * c; k < 9 * c + 9; k++) {
      square += arm[k] * arm[k];
      turned += arm[k] * turn[k];
    }
    if (square > 0) sum += turned / Math.sqrt(square / 2);
  }
  return sum / response;
}

/** `left` := (ε (S + ε)⁻¹)ᵏ `left`, with S the scaled W. */
function filter(count: number, damping: number, times: number): void {
  for (let k = 0; k < count * count; k++) factor[k] = operator[k];
  for (let i = 0; i < count; i++) factor[count * i] += damping;
  factorBanded(factor, 0, count, count - 1);
  filterAgain(count, damping, times);
}

/** The same with the factor at hand. */
function filterAgain(count: number, damping: number, times: number): void {
  for (let k = 0; k < times; k++) {
    solveBanded(factor, 0, count, count - 1, left, 0);
    for (let i = 0; i < count; i++) left[i] *= damping;
  }
}

/** The largest error that is left times its curvature [-]. */
function conflictOf(engine: Engine, rows: JointRows, count: number): number {
  const h = engine.settings.timeStep;
  let worst = 0;
  for (let i = 0; i < count; i++) {
    // Of what moves apart by itself, as what cannot follow.
    const error = Math.max(h * Math.abs(left[i] * rootOf[i]), Math.abs(rows.error[used[i]]));
    worst = Math.max(worst, error * curve[i]);
  }
  return worst;
}
