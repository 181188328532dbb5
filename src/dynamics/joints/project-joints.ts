// Joints of bodies that turn fast, put together again at the end of the step.
//
// Refinements (refine-joints) bend the motion by rows of where the step began. What a hit sets spinning by a third of a
// radian and more in a step they do not reach, and joints would be left open. So the bodies are moved, once their
// velocities are done, to the nearest poses by mass at which the bilateral rows hold: Newton steps with the rows of
// where the bodies have come to. They are a part of the motion and none of the velocity, so nothing is thrown.
// Rejected: smaller steps for such islands, whose contacts would have to be found anew in each.
//
// In: BODY_MOTION of the island's bodies, its rows. Out: BODY_MOTION, errors of its joints.

import { POSE_TURN } from '../../mechanics/body-pose';
import { createJointPose } from '../../mechanics/joint/frames';
import { turnTensor } from '../../mechanics/rigid';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import { endPoses, moveBodies, moveBody, moveOn, storeMotion } from './end-poses';
import { bends, type JointRows, writeArms } from './joint-rows';
import { measureEnd } from './measure-end';
import { storeErrors } from './refine-joints';
import { countRows, openRows, writeRows, writeTargets } from './sparse-rows';

/** Error that is worth a projection, and the one that ends it [m, rad]. */
const OPEN = 2e-5;
const CLOSED = 1e-6;
const STEPS = 8;
/**
 * Errors up to which the factor of the step is tried first [m, rad], its steps at most, and the share of an error that
 * one of them may leave: with more, the bodies have turned too far for it.
 */
const NEAR_ERROR = 0.1;
const NEAR_STEPS = 3;
const NEAR_LEFT = 0.2;
/** How well such a step meets its targets, relative to the largest [-]. */
const NEAR_ENOUGH = 1e-3;
/** Share of the error that three steps may leave, and one: with more, the joints contradict each other. */
const LEFT = 0.5;
const MOST = 4;
/** Errors of which none is put right in one step [m, rad]. */
const FARTHEST = 2;

const pose = createJointPose();
const values = new Float64Array(6);
let kept = new Float64Array(0);
let inertias = new Float64Array(0);

/** Motion under trial that the last refinement of a motion which is made has looked at, as BODY_MOTION. */
let tried: Float64Array = new Float64Array(0);
/** By body slot: 1 where BODY_MOTION has become another than that. */
let isOther = new Uint8Array(0);

/** Keeps the motion under trial in `rows`, of which `rows.end` tells where it ends. */
export function keepTrial(rows: JointRows): void {
  [tried, rows.motion] = [rows.motion, tried];
}

/**
 * Brings the bilateral rows of an island where they should be at the end of the step, and stores the errors that its
 * joints then have. Rows and their blocks are overwritten: nothing may need them after.
 */
export function projectJoints(engine: Engine, island: number, rows: JointRows): void {
  if (contradicts(engine, rows)) storeErrors(engine, rows);
  else closeJoints(engine, island, rows);
}

/** Whether joints contradict each other: they are where they can be. */
function contradicts({ settings }: Engine, rows: JointRows): boolean {
  return settings.timeStep * rows.missed > OPEN;
}

/**
 * The same of an island whose trial was kept and whose sparse solve is open still at `scratch`. `isPlaced`: whether the
 * end poses of its bodies are those of that motion.
 */
export function projectTrial(
  engine: Engine,
  island: number,
  rows: JointRows,
  isPlaced: boolean,
  scratch: number,
): void {
  if (contradicts(engine, rows)) {
    storeErrors(engine, rows);
    return;
  }
  const miss = measureTrial(engine, island, rows, tried, isPlaced);
  if (miss <= OPEN) {
    storeErrors(engine, rows);
    return;
  }
  if (!(miss < NEAR_ERROR && holdsAlone(rows))) {
    closeJoints(engine, island, rows);
    return;
  }
  // What the bodies have turned too far for goes on with factors of where they have come to.
  if (closeByFactor(engine, island, rows, scratch, miss) > OPEN && projectPoses(engine, island, rows)) {
    measureRows(engine, rows, false);
  }
  storeEnds(engine, island);
  storeErrors(engine, rows);
}

/** Whether all bilateral rows hold something: a motor without limits is one that does not. */
function holdsAlone(rows: JointRows): boolean {
  const { problem, touchCount } = rows.contacts;
  for (let row = 3 * touchCount; row < 3 * problem.contactCount; row++) {
    if (rows.low[row] !== Number.NEGATIVE_INFINITY || rows.high[row] !== Number.POSITIVE_INFINITY) continue;
    if (!bends(rows, row)) return false;
  }
  return true;
}

/**
 * Brings the end poses nearer to where the joints hold by Newton steps with rows and factor of where the step began: no
 * others are made. What turns by θ within the step leaves about θ of an error in each. Returns the error that is left
 * of `error`, that of the targets in b [m, rad].
 */
function closeByFactor(engine: Engine, island: number, rows: JointRows, scratch: number, error: number): number {
  const { kernels } = engine;
  const at = kernels.jointedRows(scratch);
  for (let k = 0; k < NEAR_STEPS && error > CLOSED; k++) {
    keepPoses(engine, island, false);
    writeTargets(engine, rows, at);
    kernels.closeJointed(scratch, (NEAR_ENOUGH * error) / engine.settings.timeStep);
    moveAll(engine, island, scratch);
    const left = measureRows(engine, rows, false);
    if (!(left < error)) {
      keepPoses(engine, island, true);
      return measureRows(engine, rows, false);
    }
    if (left > NEAR_LEFT * error) return left;
    error = left;
  }
  return error;
}

/** The same, whatever the rows could not do together; errors are those of where the bodies are then. */
export function closeJoints(engine: Engine, island: number, rows: JointRows): void {
  moveBodies(engine, island, engine.tables.bodies.motion);
  if (projectPoses(engine, island, rows)) {
    storeEnds(engine, island);
    measureRows(engine, rows, false);
  }
  storeErrors(engine, rows);
}

/** Writes the motion that takes the island's bodies to their end poses. */
function storeEnds(engine: Engine, island: number): void {
  const { islandBodies, islandBodyStart, islandBodyCount } = engine.tables.bodies;
  const start = islandBodyStart[island];
  for (let i = start; i < start + islandBodyCount[island]; i++) storeMotion(engine, islandBodies[i]);
}

/**
 * What the bilateral rows miss, as their targets, and the largest of it [m, rad]: `rows.end` says so of what moves as
 * was tried, so that only joints of bodies that turn otherwise (a free turn is no sum of spins) are measured again.
 */
function measureTrial(engine: Engine, island: number, rows: JointRows, trial: Float64Array, isPlaced: boolean): number {
  const { bodies, joints } = engine.tables;
  const h = engine.settings.timeStep;
  noteOthers(engine, island, trial, isPlaced);
  const { problem, free, touchCount, bodyA, bodyB } = rows.contacts;
  let placed = -1;
  let worst = 0;
  for (let c = touchCount; c < problem.contactCount; c++) {
    if (rows.block[c] > 1) continue;
    const joint = rows.joint[c];
    const isSame = isOther[bodyA[c]] + isOther[bodyB[c]] === 0;
    if (!isSame && joint !== placed) {
      measureEnd(engine, rows, c, bodies.motion, pose, values);
      placed = joint;
    }
    for (let i = 0; i < 3; i++) {
      const row = 3 * c + i;
      if (!isHeld(rows, row)) continue;
      const axis = 3 * rows.block[c] + i;
      const miss = (isSame ? rows.end[row] : values[axis]) - joints.value[6 * joint + axis] + h * rows.aim[row];
      free[row] = 0;
      problem.b[row] = miss / h;
      if (Number.isNaN(miss)) return miss;
      worst = Math.max(worst, Math.abs(miss));
    }
  }
  return worst;
}

/** Notes which bodies move otherwise than was tried, and moves these; all of them where they are not placed. */
function noteOthers(engine: Engine, island: number, trial: Float64Array, isPlaced: boolean): void {
  const { bodies } = engine.tables;
  const { motion } = bodies;
  if (isOther.length < bodies.capacity) isOther = new Uint8Array(bodies.capacity);
  if (!isPlaced) moveBodies(engine, island, motion);
  const start = bodies.islandBodyStart[island];
  for (let i = start; i < start + bodies.islandBodyCount[island]; i++) {
    const body = bodies.islandBodies[i];
    let isSame = true;
    for (let k = 8 * body; k < 8 * body + 7; k++) if (motion[k] !== trial[k]) isSame = false;
    isOther[body] = isSame ? 0 : 1;
    if (!isSame && isPlaced) moveBody(engine, motion, body);
  }
}

/**
 * Brings the end poses of an island's bodies (end-poses), which are those of BODY_MOTION, to where its bilateral rows
 * hold. False if they do already, or cannot; then the poses are as they were.
 */
export function projectPoses(engine: Engine, island: number, rows: JointRows): boolean {
  const first = measureRows(engine, rows, true);
  if (!(first > OPEN && first < FARTHEST)) return false;
  keepBilateral(rows);
  keepPoses(engine, island, false);
  turnInertias(engine, island, false);
  let error = first;
  for (let k = 0; k < STEPS && error > CLOSED; k++) {
    if (!takeStep(engine, island, rows)) break;
    error = measureRows(engine, rows, true);
    // A gap is a large turn of a short body: only the third step is near enough to tell.
    if (!(error < (k < 2 ? MOST : LEFT) * first)) break;
  }
  turnInertias(engine, island, true);
  if (error < LEFT * first) return true;
  keepPoses(engine, island, true);
  measureRows(engine, rows, false);
  return false;
}

function isHeld(rows: JointRows, row: number): boolean {
  return bends(rows, row) && rows.low[row] === Number.NEGATIVE_INFINITY && rows.high[row] === Number.POSITIVE_INFINITY;
}

/** Leaves the bilateral rows alone to bear anything. */
function keepBilateral(rows: JointRows): void {
  const { problem, touchCount } = rows.contacts;
  for (let row = 3 * touchCount; row < 3 * problem.contactCount; row++) {
    if (!isHeld(rows, row)) rows.low[row] = rows.high[row] = 0;
  }
}

/**
 * Writes the rows for the end poses: what each misses as its target, with `places` directions and arms, too. Returns
 * the largest miss [m, rad].
 */
function measureRows(engine: Engine, rows: JointRows, places: boolean): number {
  const { bodies, joints } = engine.tables;
  const h = engine.settings.timeStep;
  const { contacts } = rows;
  const { problem, free, touchCount } = contacts;
  const { position } = endPoses;
  let worst = 0;
  let placed = -1;
  for (let c = touchCount; c < problem.contactCount; c++) {
    if (rows.block[c] > 1) continue;
    const joint = rows.joint[c];
    const kind = joints.kind[joint];
    if (joint !== placed) {
      measureEnd(engine, rows, c, bodies.motion, pose, values);
      placed = joint;
    }
    for (let i = 0; i < 3; i++) {
      const row = 3 * c + i;
      const axis = 3 * rows.block[c] + i;
      const after = values[axis];
      if (bends(rows, row)) rows.end[row] = after;
      if (!isHeld(rows, row)) continue;
      const before = joints.value[6 * joint + axis];
      // What was out of place at the start comes back at its own pace.
      const miss = after - before + h * rows.aim[row];
      free[row] = 0;
      problem.b[row] = miss / h;
      if (places) writeArms(contacts, c, axis, kind, pose, position);
      if (Number.isNaN(miss)) return miss;
      worst = Math.max(worst, Math.abs(miss));
    }
  }
  return worst;
}

/** Moves the bodies by what the rows ask. False if there is no factor. */
function takeStep(engine: Engine, island: number, rows: JointRows): boolean {
  const { kernels } = engine;
  const scratch = openRows(engine, island, countRows(rows));
  if (scratch === 0) return false;
  const at = kernels.jointedRows(scratch);
  writeRows(engine, rows, at, false);
  writeTargets(engine, rows, at);
  if (kernels.projectJointed(scratch) === 0) return false;
  moveAll(engine, island, scratch);
  return true;
}

/** Moves the bodies of the island on by the velocities of the opened solve. */
function moveAll(engine: Engine, island: number, scratch: number): void {
  const { kernels, arena, tables } = engine;
  const velocities = kernels.jointedVelocities(scratch) >> 3;
  const slots = kernels.jointedSlots(scratch) >> 2;
  for (let i = 0; i < tables.bodies.islandBodyCount[island]; i++) {
    moveOn(engine, arena.i32[slots + i], arena.f64, velocities + 6 * i);
  }
}

/**
 * Turns the inverse inertia of the island's bodies to their end poses, or takes back what it was: what is nearest by
 * mass to where a stick has come to is another thing than what was nearest before it turned.
 */
function turnInertias({ tables }: Engine, island: number, isBack: boolean): void {
  const { bodies } = tables;
  const { inverseInertia, localInverseInertia, flags } = bodies;
  const start = bodies.islandBodyStart[island];
  const count = bodies.islandBodyCount[island];
  if (inertias.length < 6 * count) inertias = new Float64Array(12 * count);
  for (let i = 0; i < count; i++) {
    const body = bodies.islandBodies[start + i];
    const at = 8 * body;
    if (flags[body] & L.BODY_LOCKS) continue;
    for (let k = 0; k < 6; k++) {
      if (isBack) inverseInertia[at + k] = inertias[6 * i + k];
      else inertias[6 * i + k] = inverseInertia[at + k];
    }
    if (!isBack) turnTensor(inverseInertia, at, localInverseInertia, at, endPoses.rotation, 4 * body);
  }
}

/** Keeps the end poses of the island's bodies, or goes back to those that were kept. */
function keepPoses({ tables }: Engine, island: number, isBack: boolean): void {
  const { bodies } = tables;
  const { position, rotation } = endPoses;
  const start = bodies.islandBodyStart[island];
  const count = bodies.islandBodyCount[island];
  if (kept.length < 8 * count) kept = new Float64Array(16 * count);
  for (let i = 0; i < count; i++) {
    const at = 4 * bodies.islandBodies[start + i];
    for (let k = 0; k < 4; k++) {
      if (isBack) {
        position[at + k] = kept[8 * i + k];
        rotation[at + k] = kept[8 * i + POSE_TURN + k];
      } else {
        kept[8 * i + k] = position[at + k];
        kept[8 * i + POSE_TURN + k] = rotation[at + k];
      }
    }
  }
}
