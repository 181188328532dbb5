// The motion that contacts leave to their bodies, roughly: normal impulses alone, one manifold after the other.
//
// In: manifolds, BODY_MOTION and velocities (the two differ in a free spin's mean and end). Out: both, of the bodies
// pushed, put back as they were by `endPushing`. Only what foresee-contacts looks along is corrected here; the solvers
// decide what really happens.

import {
  AWAKE_COUNT,
  BODY_ANGULAR_VELOCITY,
  BODY_AWAKE_INDEX,
  BODY_COUNT,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_INVERSE_INERTIA,
  BODY_INVERSE_MASS,
  BODY_LINEAR_VELOCITY,
  BODY_MOTION,
  BODY_POSITION,
  BODY_VELOCITY_CHANGE,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_NORMAL,
  PAIR_POINT,
  PAIR_POINTS,
  TIME_STEP,
} from '../../../state/layout';
import { row4 } from '../math/boxes';
import { dot3 } from '../math/vector';
import { cell, column, copy32, getF64, getI32, parameter, setI32 } from '../memory';
import { motionOf } from './sweep-pair';

/** Gauss-Seidel rounds over the points of a manifold. */
const ROUNDS: i32 = 4;
/** A saved motion, velocity and spin: 16 f64, and the body. */
const SAVED_BYTES: usize = 144;

const IMPULSES: usize = memory.data(4 * 8, 16);

let saved: usize = 0;
let savedCount: i32 = 0;
let isSaved: usize = 0; // i32 per body

/** Bytes that `beginPushing` needs. */
export function pushScratchSize(): i32 {
  return cell(AWAKE_COUNT) * <i32>SAVED_BYTES + (cell(BODY_COUNT) << 2) + 32;
}

export function beginPushing(scratch: usize): void {
  saved = scratch;
  savedCount = 0;
  isSaved = scratch + <usize>cell(AWAKE_COUNT) * SAVED_BYTES;
  memory.fill(isSaved, 0, (<usize>cell(BODY_COUNT)) << 2);
}

/** Gives all bodies back the motion that predict-motion gave them. */
export function endPushing(): void {
  for (let i = 0; i < savedCount; i++) {
    const from = saved + <usize>i * SAVED_BYTES;
    const body = load<i32>(from, 128);
    const motion = column(BODY_MOTION) + ((<usize>body) << 6);
    copy32(motion, from);
    copy32(motion + 32, from + 32);
    copy32(row4(BODY_LINEAR_VELOCITY, body), from + 64);
    copy32(row4(BODY_ANGULAR_VELOCITY, body), from + 96);
  }
}

/** Is it a body that contacts move? */
export function isYielding(body: i32): bool {
  return (getI32(column(BODY_FLAGS), body) & BODY_DYNAMIC) != 0 && getI32(column(BODY_AWAKE_INDEX), body) >= 0;
}

function save(body: i32): void {
  if (getI32(isSaved, body) != 0) return;
  setI32(isSaved, body, 1);
  const to = saved + <usize>savedCount * SAVED_BYTES;
  savedCount++;
  const motion = column(BODY_MOTION) + ((<usize>body) << 6);
  copy32(to, motion);
  copy32(to + 32, motion + 32);
  copy32(to + 64, row4(BODY_LINEAR_VELOCITY, body));
  copy32(to + 96, row4(BODY_ANGULAR_VELOCITY, body));
  store<i32>(to, body, 128);
}

/** Has the body's motion been changed already? */
export function isPushed(body: i32): bool {
  return getI32(isSaved, body) != 0;
}

/** Lets a body go on as it did before the step: what it rests on takes up its weight. */
export function hold(body: i32): void {
  save(body);
  const change = column(BODY_VELOCITY_CHANGE) + ((<usize>body) << 6);
  const motion = column(BODY_MOTION) + ((<usize>body) << 6);
  const linear = row4(BODY_LINEAR_VELOCITY, body);
  const angular = row4(BODY_ANGULAR_VELOCITY, body);
  for (let x: usize = 0; x < 24; x += 8) {
    const v = load<f64>(change + x);
    const w = load<f64>(change + x, 32);
    store<f64>(motion + x, load<f64>(motion + x) - v);
    store<f64>(motion + x, load<f64>(motion + x, 32) - w, 32);
    store<f64>(linear + x, load<f64>(linear + x) - v);
    store<f64>(angular + x, load<f64>(angular + x) - w);
  }
}

// Result of `velocityAt` [m/s].
export let atX: f64 = 0;
export let atY: f64 = 0;
export let atZ: f64 = 0;

/** Velocity of a body at the place `point` (three f64), as it moves now. */
export function velocityAt(body: i32, point: usize): void {
  const motion = motionOf(body);
  const center = row4(BODY_POSITION, body);
  const x = load<f64>(point) - load<f64>(center);
  const y = load<f64>(point, 8) - load<f64>(center, 8);
  const z = load<f64>(point, 16) - load<f64>(center, 16);
  const wx = load<f64>(motion, 32);
  const wy = load<f64>(motion, 40);
  const wz = load<f64>(motion, 48);
  atX = load<f64>(motion) + wy * z - wz * y;
  atY = load<f64>(motion, 8) + wz * x - wx * z;
  atZ = load<f64>(motion, 16) + wx * y - wy * x;
}

/**
 * Speed at which the bodies of a manifold part at its point k: as they move now, or as the
 * solvers see them if that is less [m/s].
 */
export function separationSpeed(slot: i32, k: i32): f64 {
  const point = column(PAIR_POINT) + ((<usize>slot) << 7) + ((<usize>k) << 5);
  const n = column(PAIR_NORMAL) + ((<usize>slot) << 5);
  const a = getI32(column(PAIR_BODY_A), slot);
  const b = getI32(column(PAIR_BODY_B), slot);
  const moved = pointSpeed(b, point, n, motionOf(b), 32) - pointSpeed(a, point, n, motionOf(a), 32);
  if (!isTurning(a) && !isTurning(b)) return moved;
  const solved = solvedSpeed(b, point, n) - solvedSpeed(a, point, n);
  return min(moved, solved);
}

/** Has the body a spin at the end of the step that is not its mean one? */
function isTurning(body: i32): bool {
  if (!isYielding(body)) return false;
  const mean = column(BODY_MOTION) + ((<usize>body) << 6) + 32;
  const end = row4(BODY_ANGULAR_VELOCITY, body);
  return (
    load<f64>(mean) != load<f64>(end) ||
    load<f64>(mean, 8) != load<f64>(end, 8) ||
    load<f64>(mean, 16) != load<f64>(end, 16)
  );
}

function solvedSpeed(body: i32, point: usize, n: usize): f64 {
  if (!isYielding(body)) return pointSpeed(body, point, n, motionOf(body), 32);
  const linear = row4(BODY_LINEAR_VELOCITY, body);
  return pointSpeed(body, point, n, linear, row4(BODY_ANGULAR_VELOCITY, body) - linear);
}

/** Normal component of a body's velocity at a point; `linear` = its velocity, `spin` bytes on its spin. */
function pointSpeed(body: i32, point: usize, n: usize, linear: usize, spin: usize): f64 {
  const center = row4(BODY_POSITION, body);
  const x = load<f64>(point) - load<f64>(center);
  const y = load<f64>(point, 8) - load<f64>(center, 8);
  const z = load<f64>(point, 16) - load<f64>(center, 16);
  const wx = load<f64>(linear + spin);
  const wy = load<f64>(linear + spin, 8);
  const wz = load<f64>(linear + spin, 16);
  return dot3(
    load<f64>(linear) + wy * z - wz * y,
    load<f64>(linear, 8) + wz * x - wx * z,
    load<f64>(linear, 16) + wx * y - wy * x,
    load<f64>(n),
    load<f64>(n, 8),
    load<f64>(n, 16),
  );
}

/**
 * Keeps the points of a manifold in front of their planes until the end of the step. Returns the largest change [m/s].
 */
export function pushApart(slot: i32): f64 {
  const n = getI32(column(PAIR_POINTS), slot);
  const dt = parameter(TIME_STEP);
  const a = getI32(column(PAIR_BODY_A), slot);
  const b = getI32(column(PAIR_BODY_B), slot);
  for (let k = 0; k < n; k++) store<f64>(IMPULSES + ((<usize>k) << 3), 0);
  let most: f64 = 0;
  for (let round = 0; round < ROUNDS; round++) {
    let change: f64 = 0;
    for (let k = 0; k < n; k++) {
      const gap = max(0.0, getF64(column(PAIR_POINT), 16 * slot + 4 * k + 3));
      const error = separationSpeed(slot, k) + gap / dt;
      const old = getF64(IMPULSES, k);
      const response = responseOf(a, slot, k) + responseOf(b, slot, k);
      const impulse = max(0.0, old - error / response);
      if (impulse == old) continue;
      change = max(change, abs(impulse - old) * response);
      store<f64>(IMPULSES + ((<usize>k) << 3), impulse);
      apply(a, slot, k, old - impulse);
      apply(b, slot, k, impulse - old);
    }
    most = max(most, change);
    if (change < 1e-9) break;
  }
  return most;
}

// Arm × normal of `turnArm`, and what a unit impulse makes of it.
let ax: f64 = 0;
let ay: f64 = 0;
let az: f64 = 0;
let tx: f64 = 0;
let ty: f64 = 0;
let tz: f64 = 0;

function turnArm(body: i32, slot: i32, k: i32): void {
  const point = column(PAIR_POINT) + ((<usize>slot) << 7) + ((<usize>k) << 5);
  const n = column(PAIR_NORMAL) + ((<usize>slot) << 5);
  const center = row4(BODY_POSITION, body);
  const x = load<f64>(point) - load<f64>(center);
  const y = load<f64>(point, 8) - load<f64>(center, 8);
  const z = load<f64>(point, 16) - load<f64>(center, 16);
  ax = y * load<f64>(n, 16) - z * load<f64>(n, 8);
  ay = z * load<f64>(n) - x * load<f64>(n, 16);
  az = x * load<f64>(n, 8) - y * load<f64>(n);
  const inertia = column(BODY_INVERSE_INERTIA) + ((<usize>body) << 6);
  tx = load<f64>(inertia) * ax + load<f64>(inertia, 24) * ay + load<f64>(inertia, 32) * az;
  ty = load<f64>(inertia, 24) * ax + load<f64>(inertia, 8) * ay + load<f64>(inertia, 40) * az;
  tz = load<f64>(inertia, 32) * ax + load<f64>(inertia, 40) * ay + load<f64>(inertia, 16) * az;
}

function responseOf(body: i32, slot: i32, k: i32): f64 {
  if (!isYielding(body)) return 0;
  turnArm(body, slot, k);
  return getF64(column(BODY_INVERSE_MASS), body) + dot3(ax, ay, az, tx, ty, tz);
}

/** Gives a body the impulse `r` [N·s] along the normal. */
function apply(body: i32, slot: i32, k: i32, r: f64): void {
  if (!isYielding(body)) return;
  save(body);
  turnArm(body, slot, k);
  const n = column(PAIR_NORMAL) + ((<usize>slot) << 5);
  const push = r * getF64(column(BODY_INVERSE_MASS), body);
  const motion = column(BODY_MOTION) + ((<usize>body) << 6);
  pushVelocity(motion, motion + 32, n, push, r);
  pushVelocity(row4(BODY_LINEAR_VELOCITY, body), row4(BODY_ANGULAR_VELOCITY, body), n, push, r);
}

function pushVelocity(linear: usize, angular: usize, n: usize, push: f64, r: f64): void {
  for (let x: usize = 0; x < 24; x += 8) store<f64>(linear + x, load<f64>(linear + x) + push * load<f64>(n + x));
  store<f64>(angular, load<f64>(angular) + r * tx);
  store<f64>(angular, load<f64>(angular, 8) + r * ty, 8);
  store<f64>(angular, load<f64>(angular, 16) + r * tz, 16);
}
