// Manifolds with points for a plain copy, close together: columns have room for four points a pair, and most pairs of a
// heap have none or one. Rows of points are halved as in snapshot/changes.ts: a line of 64 bytes has two.
//
// In and out: PAIR_NORMAL, PAIR_TANGENT, PAIR_FEATURE, PAIR_POINT, PAIR_IMPULSE of the used rows that have points, or a
// contact that is still shown. PAIR_POINTS and PAIR_ENTITY say which, and must be back before manifolds are put back.

import { LINE_BYTES } from '../../../core/engine-constants';
import {
  PAIR_COUNT,
  PAIR_ENTITY,
  PAIR_FEATURE,
  PAIR_IMPULSE,
  PAIR_NORMAL,
  PAIR_POINT,
  PAIR_POINTS,
  PAIR_TANGENT,
} from '../../../state/layout';
import { cell, column, copy32, getI32 } from '../memory';

/** Bytes of a manifold without its points: normal, tangent, features. */
const FRAME: i32 = 32 + 32 + 16;

/** Bytes that gatherManifolds writes. */
export function manifoldBytes(): i32 {
  const points = column(PAIR_POINTS);
  const entity = column(PAIR_ENTITY);
  let lines = 0;
  let frames = 0;
  for (let pair = cell(PAIR_COUNT) - 1; pair >= 0; pair--) {
    const count = getI32(points, pair);
    lines += linesOf(count);
    frames += i32((count | getI32(entity, pair)) != 0);
  }
  return 2 * lines * LINE_BYTES + frames * FRAME;
}

function linesOf(points: i32): i32 {
  return i32(points > 0) + i32(points > 2);
}

/** Writes manifolds that have points to `to`. */
export function gatherManifolds(to: usize): void {
  const points = column(PAIR_POINTS);
  const entity = column(PAIR_ENTITY);
  let normal = column(PAIR_NORMAL);
  let tangent = column(PAIR_TANGENT);
  let feature = column(PAIR_FEATURE);
  let point = column(PAIR_POINT);
  let impulse = column(PAIR_IMPULSE);
  const count = cell(PAIR_COUNT);
  for (let pair = 0; pair < count; pair++) {
    const own = getI32(points, pair);
    if ((own | getI32(entity, pair)) != 0) {
      copy32(to, normal);
      copy32(to + 32, tangent);
      v128.store(to, v128.load(feature), 64);
      to += FRAME;
      const lines = linesOf(own);
      for (let line = 0, next: usize = 0; line < lines; line++, next += LINE_BYTES, to += 2 * LINE_BYTES) {
        copyLine(to, point + next);
        copyLine(to + LINE_BYTES, impulse + next);
      }
    }
    normal += 32;
    tangent += 32;
    feature += 16;
    point += 2 * LINE_BYTES;
    impulse += 2 * LINE_BYTES;
  }
}

/** Puts back what gatherManifolds wrote; what it left out stays as it is. */
export function scatterManifolds(from: usize): void {
  const points = column(PAIR_POINTS);
  const entity = column(PAIR_ENTITY);
  let normal = column(PAIR_NORMAL);
  let tangent = column(PAIR_TANGENT);
  let feature = column(PAIR_FEATURE);
  let point = column(PAIR_POINT);
  let impulse = column(PAIR_IMPULSE);
  const count = cell(PAIR_COUNT);
  for (let pair = 0; pair < count; pair++) {
    const own = getI32(points, pair);
    if ((own | getI32(entity, pair)) != 0) {
      copy32(normal, from);
      copy32(tangent, from + 32);
      v128.store(feature, v128.load(from, 64));
      from += FRAME;
      const lines = linesOf(own);
      for (let line = 0, next: usize = 0; line < lines; line++, next += LINE_BYTES, from += 2 * LINE_BYTES) {
        copyLine(point + next, from);
        copyLine(impulse + next, from + LINE_BYTES);
      }
    }
    normal += 32;
    tangent += 32;
    feature += 16;
    point += 2 * LINE_BYTES;
    impulse += 2 * LINE_BYTES;
  }
}

function copyLine(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
  v128.store(to, v128.load(from, 32), 32);
  v128.store(to, v128.load(from, 48), 48);
}
