// Joint rows between their blocks and the scratch of the sparse solve (kernels/assembly/settled/jointed.ts).

import * as R from '../../state/joint-row-layout';
import type { Engine } from '../engine';
import type { JointRows } from './joint-rows';

/** Whether a row of a block may bear anything. */
function isBearing(rows: JointRows, row: number): boolean {
  return rows.low[row] !== 0 || rows.high[row] !== 0;
}

function isBilateral(rows: JointRows, row: number): boolean {
  return rows.low[row] === Number.NEGATIVE_INFINITY && rows.high[row] === Number.POSITIVE_INFINITY;
}

/** Whether a row may bear no more than so much, or in one direction only. */
export function hasBounds(rows: JointRows): boolean {
  for (let row = 3 * rows.contacts.touchCount; row < 3 * rows.contacts.problem.contactCount; row++) {
    if (isBearing(rows, row) && !isBilateral(rows, row)) return true;
  }
  return false;
}

/** Rows that the scratch needs. */
export function countRows(rows: JointRows): number {
  let count = 0;
  const { problem, touchCount } = rows.contacts;
  for (let row = 3 * touchCount; row < 3 * problem.contactCount; row++) if (isBearing(rows, row)) count++;
  return count;
}

/**
 * Opens the scratch of an island for so many rows: its address, 0 if it cannot be. What was in it is lost.
 */
export function openRows({ kernels, kernelScratch }: Engine, island: number, count: number): number {
  const least = kernels.jointedScratchSize(island, count);
  let scratch = kernelScratch.address(least);
  const need = kernels.openJointed(island, scratch, count, kernelScratch.size());
  if (need === 0) return 0;
  if (need > kernelScratch.size()) {
    scratch = kernelScratch.address(need);
    kernels.openJointed(island, scratch, count, need);
  }
  return scratch;
}

/**
 * Writes the rows of the joints to `address`, with the impulses of the last step; of bilateral rows if `keepsAll`.
 * Targets come with writeTargets.
 */
export function writeRows(engine: Engine, rows: JointRows, address: number, keepsAll: boolean): void {
  const { f64, i32 } = engine.arena;
  const { joints } = engine.tables;
  const a = rows.contacts;
  let at = address;
  for (let c = a.touchCount; c < a.problem.contactCount; c++) {
    const joint = rows.joint[c];
    for (let row = 3 * c; row < 3 * c + 3; row++) {
      if (!isBearing(rows, row)) continue;
      i32[(at + R.ROW_BODY_A) >> 2] = joints.body[2 * joint];
      i32[(at + R.ROW_BODY_B) >> 2] = joints.body[2 * joint + 1];
      copyThree(f64, (at + R.ROW_D) >> 3, a.frame, 3 * row);
      copyThree(f64, (at + R.ROW_TURN_A) >> 3, a.armA, 3 * row);
      copyThree(f64, (at + R.ROW_TURN_B) >> 3, a.armB, 3 * row);
      f64[(at + R.ROW_SOFT) >> 3] = rows.soft[row];
      f64[(at + R.ROW_LOW) >> 3] = rows.low[row];
      f64[(at + R.ROW_HIGH) >> 3] = rows.high[row];
      // What is bilateral is solved at once, and where joints contradict each other must not add up from step to step.
      f64[(at + R.ROW_IMPULSE) >> 3] = isBilateral(rows, row) && !keepsAll ? 0 : a.r[row];
      at += R.ROW_BYTES;
    }
  }
}

function copyThree(to: Float64Array, at: number, from: Float64Array, fromAt: number): void {
  to[at] = from[fromAt];
  to[at + 1] = from[fromAt + 1];
  to[at + 2] = from[fromAt + 2];
}

/** Bounds of the rows at `address`, where they have changed. */
export function writeBounds(engine: Engine, rows: JointRows, address: number): void {
  const { f64 } = engine.arena;
  let at = address >> 3;
  for (let row = 0; row < 3 * rows.contacts.problem.contactCount; row++) {
    if (!isBearing(rows, row)) continue;
    f64[at + (R.ROW_LOW >> 3)] = rows.low[row];
    f64[at + (R.ROW_HIGH >> 3)] = rows.high[row];
    at += R.ROW_BYTES >> 3;
  }
}

/** Targets of the rows at `address`: what b has beyond the velocity without impulses. */
export function writeTargets(engine: Engine, rows: JointRows, address: number): void {
  const { f64 } = engine.arena;
  const { problem, free, touchCount } = rows.contacts;
  let at = (address + R.ROW_TARGET) >> 3;
  for (let row = 3 * touchCount; row < 3 * problem.contactCount; row++) {
    if (!isBearing(rows, row)) continue;
    f64[at] = problem.b[row] - free[row];
    at += R.ROW_BYTES >> 3;
  }
}

/** Impulses of the rows at `address`. */
export function readImpulses(engine: Engine, rows: JointRows, address: number, r: Float64Array): void {
  const { f64 } = engine.arena;
  let at = (address + R.ROW_IMPULSE) >> 3;
  for (let row = 3 * rows.contacts.touchCount; row < 3 * rows.contacts.problem.contactCount; row++) {
    r[row] = 0;
    if (!isBearing(rows, row)) continue;
    r[row] = f64[at];
    at += R.ROW_BYTES >> 3;
  }
}
