// emit-events: digits of manifolds that no step has a use for are taken off, so that snapshots need not keep them.
//
// The next step makes its manifolds anew; of the last ones it reads impulses, tangents and features, and of the points
// only where they about were, to match features that have changed (narrow/manifold.ts). Points and normals are kept for
// what is drawn and told, touches and loads for what is told and for rolling: to a 17 millionth of a metre, and to the
// seven digits of f32.
//
// In and out: PAIR_POINT, PAIR_NORMAL, PAIR_HIT, PAIR_LOAD of active pairs with points.

import {
  ACTIVE_COUNT,
  ACTIVE_LIST,
  PAIR_HIT,
  PAIR_LOAD,
  PAIR_NORMAL,
  PAIR_POINT,
  PAIR_POINTS,
} from '../../../state/layout';
import { row4 } from '../math/boxes';
import { cell, column, getI32 } from '../memory';

/** Steps of points and gaps to a metre, and of unit vectors: exact beyond 5e8 m, too. */
const POINT_STEPS: f64 = 16_777_216;
export const NORMAL_STEPS: f64 = 17_179_869_184;

export function roundManifolds(): void {
  const list = column(ACTIVE_LIST);
  const points = column(PAIR_POINTS);
  for (let i = cell(ACTIVE_COUNT) - 1; i >= 0; i--) {
    const pair = getI32(list, i);
    const count = getI32(points, pair);
    if (count <= 0) continue;
    const from = column(PAIR_POINT) + ((<usize>pair) << 7);
    roundPairs(from, from + ((<usize>count) << 5), POINT_STEPS);
    const normal = row4(PAIR_NORMAL, pair);
    roundPairs(normal, normal + 32, NORMAL_STEPS);
    shorten(row4(PAIR_HIT, pair), 3);
    shorten(column(PAIR_LOAD) + ((<usize>pair) << 3), 1);
  }
}

function roundPairs(from: usize, end: usize, steps: f64): void {
  const up = f64x2.splat(steps);
  const down = f64x2.splat(1 / steps);
  for (let at = from; at < end; at += 16) v128.store(at, f64x2.mul(f64x2.nearest(f64x2.mul(v128.load(at), up)), down));
}

function shorten(at: usize, count: i32): void {
  for (let k = 0; k < count; k++, at += 8) store<f64>(at, <f64>(<f32>load<f64>(at)));
}
