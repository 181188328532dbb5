// Points of manifolds and their impulses for a plain copy, close together: columns have room for four a pair, and most
// pairs of a heap have none or one. Rows are halved as in snapshot/changes.ts: a line of 64 bytes has two points.
//
// In and out: PAIR_POINT, PAIR_IMPULSE of the used rows; PAIR_POINTS says how many each has, and must be back before
// points are put back.

import { LINE_BYTES } from '../../../core/engine-constants';
import { PAIR_COUNT, PAIR_IMPULSE, PAIR_POINT, PAIR_POINTS } from '../../../state/layout';
import { cell, column, getI32 } from '../memory';

/** Bytes that gatherPoints writes. */
export function pointBytes(): i32 {
  const points = column(PAIR_POINTS);
  let lines = 0;
  for (let pair = cell(PAIR_COUNT) - 1; pair >= 0; pair--) lines += linesOf(getI32(points, pair));
  return 2 * lines * LINE_BYTES;
}

function linesOf(points: i32): i32 {
  return i32(points > 0) + i32(points > 2);
}

/** Writes the lines that have points to `to`. */
export function gatherPoints(to: usize): void {
  movePoints(to, false);
}

/** Puts back what gatherPoints wrote; lines without points stay as they are. */
export function scatterPoints(from: usize): void {
  movePoints(from, true);
}

function movePoints(at: usize, isBack: bool): void {
  const points = column(PAIR_POINTS);
  let point = column(PAIR_POINT);
  let impulse = column(PAIR_IMPULSE);
  const count = cell(PAIR_COUNT);
  for (let pair = 0; pair < count; pair++, point += 2 * LINE_BYTES, impulse += 2 * LINE_BYTES) {
    const lines = linesOf(getI32(points, pair));
    for (let line = 0, next: usize = 0; line < lines; line++, next += LINE_BYTES, at += 2 * LINE_BYTES) {
      if (isBack) {
        copyLine(point + next, at);
        copyLine(impulse + next, at + LINE_BYTES);
      } else {
        copyLine(at, point + next);
        copyLine(at + LINE_BYTES, impulse + next);
      }
    }
  }
}

function copyLine(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
  v128.store(to, v128.load(from, 32), 32);
  v128.store(to, v128.load(from, 48), 48);
}
