// find-contacts, at its end: how fast the bodies come together that do not touch yet, for those that will.
//
// In: manifolds, velocities with what loads add in the step. Out: PAIR_APPROACH of all pairs that do not touch, by the
// velocities before the step; PAIR_HIT emptied.

import {
  ACTIVE_COUNT,
  ACTIVE_LIST,
  BODY_ANGULAR_VELOCITY,
  BODY_LINEAR_VELOCITY,
  BODY_POSITION,
  BODY_VELOCITY_CHANGE,
  PAIR_APPROACH,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_FLAGS,
  PAIR_HIT,
  PAIR_NORMAL,
  PAIR_POINT,
  PAIR_POINTS,
  PAIR_SENSOR,
  PAIR_TOUCHING,
} from '../../../state/layout';
import { isYielding } from '../foresee/push';
import { row4 } from '../math/boxes';
import { dot3 } from '../math/vector';
import { cell, clear32, column, getI32, setF64 } from '../memory';

/** Measures all active pairs with points. */
export function measureApproaches(): void {
  const list = column(ACTIVE_LIST);
  const count = cell(ACTIVE_COUNT);
  for (let i = 0; i < count; i++) {
    const pair = getI32(list, i);
    if (getI32(column(PAIR_POINTS), pair) == 0) continue;
    clear32(row4(PAIR_HIT, pair));
    const flags = getI32(column(PAIR_FLAGS), pair);
    if ((flags & PAIR_TOUCHING) == 0) setF64(column(PAIR_APPROACH), pair, flags & PAIR_SENSOR ? 0 : approachOf(pair));
  }
}

/** Approach of the fastest point along the normal [m/s], 0 where none comes nearer. */
function approachOf(pair: i32): f64 {
  const n = row4(PAIR_NORMAL, pair);
  const points = column(PAIR_POINT) + ((<usize>pair) << 7);
  const a = getI32(column(PAIR_BODY_A), pair);
  const b = getI32(column(PAIR_BODY_B), pair);
  let fastest: f64 = 0;
  for (let k = getI32(column(PAIR_POINTS), pair) - 1; k >= 0; k--) {
    const point = points + ((<usize>k) << 5);
    fastest = max(fastest, speedAlong(a, point, n) - speedAlong(b, point, n));
  }
  return fastest;
}

/** Speed of a body's point along n before the step [m/s]. */
function speedAlong(body: i32, point: usize, n: usize): f64 {
  const center = row4(BODY_POSITION, body);
  const v = row4(BODY_LINEAR_VELOCITY, body);
  const w = row4(BODY_ANGULAR_VELOCITY, body);
  const change = column(BODY_VELOCITY_CHANGE) + ((<usize>body) << 6);
  const share: f64 = isYielding(body) ? 1 : 0;
  const wx = load<f64>(w) - share * load<f64>(change, 32);
  const wy = load<f64>(w, 8) - share * load<f64>(change, 40);
  const wz = load<f64>(w, 16) - share * load<f64>(change, 48);
  const x = load<f64>(point) - load<f64>(center);
  const y = load<f64>(point, 8) - load<f64>(center, 8);
  const z = load<f64>(point, 16) - load<f64>(center, 16);
  return dot3(
    load<f64>(v) - share * load<f64>(change) + wy * z - wz * y,
    load<f64>(v, 8) - share * load<f64>(change, 8) + wz * x - wx * z,
    load<f64>(v, 16) - share * load<f64>(change, 16) + wx * y - wy * x,
    load<f64>(n),
    load<f64>(n, 8),
    load<f64>(n, 16),
  );
}
