// collect-touches: which touches began and ended this step.
//
// In: active pairs with their manifolds and impulses. Out: PAIR_TOUCHING, PAIR_REPORTED, BEGIN_LIST, END_LIST.
// A touch begins with a point that has no gap or carries an impulse, or did within the step, and lasts
// while some point is nearer than a small distance, so that a resting contact whose gap trembles about 0 is
// one touch. Sensors: by gap alone.

import {
  ACTIVE_COUNT,
  ACTIVE_LIST,
  BEGIN_COUNT,
  BEGIN_LIST,
  BODY_FLAGS,
  BODY_QUARANTINED,
  DEEPEST_GAP,
  END_COUNT,
  END_LIST,
  JOINED_LIST,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_COLLIDER_A,
  PAIR_COLLIDER_B,
  PAIR_DISABLED,
  PAIR_FLAGS,
  PAIR_HIT,
  PAIR_IMPULSE,
  PAIR_POINT,
  PAIR_POINTS,
  PAIR_REPORTED,
  PAIR_SENSOR,
  PAIR_TOUCHING,
  SPECULATIVE_DISTANCE,
} from '../../../state/layout';
import { cell, column, getF64, getI32, parameter, setCell, setI32 } from '../memory';

/** A gap below this share of the speculative distance is none: rounding of poses far from the origin. */
const BEGIN_SHARE: f64 = 1e-3;
/** A touch ends when all gaps exceed this share of the speculative distance and nothing is carried. */
const END_SHARE: f64 = 0.25;

/**
 * Updates the touch flags of all active pairs and appends the changes to BEGIN_LIST and END_LIST. Lists the pairs that
 * touch in JOINED_LIST (which build-islands needs no more) and returns how many.
 */
export function collectTouches(): i32 {
  const flags = column(PAIR_FLAGS);
  const list = column(JOINED_LIST);
  const count = findCandidates(list);
  let touching = 0;
  deepest = 0;
  let begun = cell(BEGIN_COUNT);
  let ended = cell(END_COUNT);
  for (let i = 0; i < count; i++) {
    const pair = getI32(list, i);
    const bits = getI32(flags, pair);
    const was = (bits & PAIR_TOUCHING) != 0;
    const is = isTouching(pair, bits, was);
    if (is) setI32(list, touching++, pair);
    if (is == was) continue;
    if (is) {
      setI32(flags, pair, bits | PAIR_TOUCHING | PAIR_REPORTED);
      setI32(column(BEGIN_LIST), begun++, pair);
    } else {
      setI32(flags, pair, bits & ~(PAIR_TOUCHING | PAIR_REPORTED));
      const row = column(END_LIST);
      setI32(row, ended * 3, pair);
      setI32(row, ended * 3 + 1, getI32(column(PAIR_COLLIDER_A), pair));
      setI32(row, ended * 3 + 2, getI32(column(PAIR_COLLIDER_B), pair));
      ended++;
    }
  }
  setCell(BEGIN_COUNT, begun);
  setCell(END_COUNT, ended);
  store<f64>(DEEPEST_GAP, deepest);
  return touching;
}

/** Lists the active pairs that touched or have points. */
function findCandidates(to: usize): i32 {
  const list = column(ACTIVE_LIST);
  const count = cell(ACTIVE_COUNT);
  const flags = column(PAIR_FLAGS);
  const points = column(PAIR_POINTS);
  let found = 0;
  for (let i = 0; i < count; i++) {
    const pair = getI32(list, i);
    setI32(to, found, pair);
    found += i32((getI32(points, pair) | (getI32(flags, pair) & PAIR_TOUCHING)) != 0);
  }
  return found;
}

/** Least gap of the pairs that isTouching was asked about [m]. */
let deepest: f64 = 0;

function isTouching(pair: i32, bits: i32, was: bool): bool {
  const points = getI32(column(PAIR_POINTS), pair);
  if (points == 0 || bits & PAIR_DISABLED) return false;
  const isSensor = (bits & PAIR_SENSOR) != 0;
  const point = column(PAIR_POINT) + ((<usize>pair) << 7);
  let least = load<f64>(point, 24);
  for (let k = 1; k < points; k++) least = min(least, getF64(point, k * 4 + 3));
  if (!isSensor) deepest = min(deepest, least);
  const bodies = column(BODY_FLAGS);
  const a = getI32(bodies, getI32(column(PAIR_BODY_A), pair));
  const b = getI32(bodies, getI32(column(PAIR_BODY_B), pair));
  if ((a | b) & BODY_QUARANTINED) return false;
  const limit = parameter(SPECULATIVE_DISTANCE) * (was ? END_SHARE : BEGIN_SHARE);
  if (least <= limit) return true;
  if (isSensor) return false;
  // What touched within the step may have left already.
  if (getF64(column(PAIR_HIT), 4 * pair) > 0) return true;
  const impulse = column(PAIR_IMPULSE) + ((<usize>pair) << 7);
  for (let k = 0; k < points; k++) if (getF64(impulse, k * 4) > 0) return true;
  return false;
}
