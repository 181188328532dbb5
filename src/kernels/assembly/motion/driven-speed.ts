// How fast contacts with driven bodies may make those that yield.
//
// A moving kinematic body that presses others has no limit of its own: a row of balls between it and a wall that
// stands exactly in line must buckle, and the lever of its links has no length at first. One ball that gives way
// alone by y shortens the row by y²/(2R): v h in the first step h asks for y = √(2 R v h), at 1 m/s and 60 Hz for
// 8 m/s, and each step's speed is what the next one starts from. All that can be had of a wall of that speed in
// statics or an impact is little more than its own; beyond DRIVEN_GAIN times that what is pressed overlaps for
// some steps instead, and is parted at the speed of recovery. Bodies that were faster before keep their speed.

import { DRIVEN_GAIN } from '../../../core/engine-constants';
import {
  BODY_ANGULAR_VELOCITY,
  BODY_AWAKE_INDEX,
  BODY_FLAGS,
  BODY_KINEMATIC,
  BODY_LINEAR_VELOCITY,
  BODY_POSITION,
  ISLAND_BODIES,
  ISLAND_BODY_COUNT,
  ISLAND_BODY_START,
  ISLAND_PAIR_COUNT,
  ISLAND_PAIR_START,
  ISLAND_PAIRS,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_POINTS,
} from '../../../state/layout';
import { row4 } from '../math/boxes';
import { dot3 } from '../math/vector';
import { column, getI32 } from '../memory';

/** Slower than this nothing drives [m/s]. */
const SLOWEST: f64 = 1e-3;
/** And no body is kept slower than this [m/s]: a step of free fall and more. */
const LEAST_CAP: f64 = 1;

/**
 * Speed that no body of an island may exceed at the end of the step [m/s], from the free velocities in the tables:
 * Infinity where nothing drives it.
 */
export function speedCapOf(island: i32): f64 {
  const driven = drivenSpeed(island);
  if (driven < SLOWEST) return Infinity;
  let square: f64 = 0;
  const first = getI32(column(ISLAND_BODY_START), island);
  const last = first + getI32(column(ISLAND_BODY_COUNT), island);
  for (let i = first; i < last; i++) {
    const v = row4(BODY_LINEAR_VELOCITY, getI32(column(ISLAND_BODIES), i));
    square = max(square, squareOf(v));
  }
  return max(max(DRIVEN_GAIN * driven, LEAST_CAP), sqrt(square));
}

/** Whether something drives the island, so that speedCapOf is finite. */
export function isDrivenIsland(island: i32): bool {
  return drivenSpeed(island) >= SLOWEST;
}

/** Fastest that a driven body is where it touches a body of the island [m/s]. */
function drivenSpeed(island: i32): f64 {
  const start = getI32(column(ISLAND_PAIR_START), island);
  const end = start + getI32(column(ISLAND_PAIR_COUNT), island);
  const pairs = column(ISLAND_PAIRS);
  let driven: f64 = 0;
  for (let i = start; i < end; i++) {
    const pair = getI32(pairs, i);
    if (getI32(column(PAIR_POINTS), pair) == 0) continue;
    const a = getI32(column(PAIR_BODY_A), pair);
    const b = getI32(column(PAIR_BODY_B), pair);
    if (isDriven(a)) driven = max(driven, speedAt(a, b));
    if (isDriven(b)) driven = max(driven, speedAt(b, a));
  }
  return driven;
}

function isDriven(body: i32): bool {
  return (getI32(column(BODY_FLAGS), body) & BODY_KINEMATIC) != 0 && getI32(column(BODY_AWAKE_INDEX), body) >= 0;
}

/** Fastest that a driven body is at the middle of another, or itself [m/s]. */
function speedAt(driven: i32, other: i32): f64 {
  const p = row4(BODY_POSITION, driven);
  const q = row4(BODY_POSITION, other);
  const x = load<f64>(q) - load<f64>(p);
  const y = load<f64>(q, 8) - load<f64>(p, 8);
  const z = load<f64>(q, 16) - load<f64>(p, 16);
  const spin = sqrt(squareOf(row4(BODY_ANGULAR_VELOCITY, driven)));
  return sqrt(squareOf(row4(BODY_LINEAR_VELOCITY, driven))) + spin * sqrt(dot3(x, y, z, x, y, z));
}

function squareOf(v: usize): f64 {
  return dot3(load<f64>(v), load<f64>(v, 8), load<f64>(v, 16), load<f64>(v), load<f64>(v, 8), load<f64>(v, 16));
}
