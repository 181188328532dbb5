// First guess for contacts without a history: loads handed down from the top.
//
// A sweep knows little of a stack that it meets for the first time: the upper boxes fall freely until the news of
// the ground reaches them, one contact a sweep. So resting contacts that have no impulse of the last step get one
// here: every body hands its weight, and what it carries, in equal parts to its supports, as pressure and
// friction. The guess only starts the sweeps; it does not move their fixed point. Contacts that are not at
// rest (falling, landing) get none.

import { GRAVITY, TIME_STEP } from '../../../state/layout';
import { addMul, crossLanes, mulColumns, splat0, splat1, splat2 } from '../math/vector';
import { parameter } from '../memory';
import * as S from './layout';

/** A contact carries weight when its normal is within about 70° of the vertical. */
const STEEPEST: f64 = 0.3;
/** A contact at rest approaches slower than gravity makes it in this many steps. */
const REST_STEPS: f64 = 2;

// Unit vector upwards.
let ux: f64 = 0;
let uy: f64 = 0;
let uz: f64 = 0;

/**
 * Guesses for the listed manifolds, (record, points) in [from, to), sorted upwards; bodies in [bodies, bodiesEnd); `h`
 * = substep [s], gaps up to `slack` [m] are none.
 */
export function guessLoads(from: usize, to: usize, bodies: usize, bodiesEnd: usize, h: f64, slack: f64): void {
  const gx = load<f64>(GRAVITY);
  const gy = load<f64>(GRAVITY + 8);
  const gz = load<f64>(GRAVITY + 16);
  const gravity = sqrt(gx * gx + gy * gy + gz * gz);
  if (gravity == 0) return;
  const restSpeed = REST_STEPS * gravity * parameter(TIME_STEP);

  // Which contacts have no force to begin with.
  let isAny = false;
  for (let row = from; row < to; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) {
      if (noteColdPoints(m, <f32>restSpeed, <f32>slack)) isAny = true;
      continue;
    }
    const isCold = isManifoldCold(m, restSpeed, slack);
    store<i32>(m, isCold ? 1 : 0, S.IS_COLD);
    if (isCold) isAny = true;
  }
  if (!isAny) return;

  // What each body weighs, and on how many of these it stands.
  ux = -gx / gravity;
  uy = -gy / gravity;
  uz = -gz / gravity;
  for (let b = bodies; b < bodiesEnd; b += S.BODY_BYTES) {
    const inverseMass = load<f32>(b, S.INVERSE_MASS);
    store<f32>(b, inverseMass > 0 ? <f32>(gravity * h) / inverseMass : 0, S.LOAD);
    store<f32>(b, 0, S.SUPPORTS);
  }
  for (let row = from; row < to; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) {
      for (let lane = m; lane < m + 16; lane += 4) if (load<i32>(lane, S.Q_IS_COLD)) countSupport(upperOfLane(lane));
    } else if (load<i32>(m, S.IS_COLD)) countSupport(upperBody(m));
  }

  // From the top down each hands its load to what it stands on.
  for (let row = to; row > from; ) {
    row -= 8;
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) {
      for (let lane = m + 12; lane >= m; lane -= 4) handDown(lane);
      continue;
    }
    if (!isNeeded(load<usize>(m, S.READ_A), load<usize>(m, S.READ_B))) continue;
    const upper = upperBody(m);
    if (upper == 0) continue;
    const lower = load<usize>(m, S.READ_A) == upper ? load<usize>(m, S.WRITE_B) : load<usize>(m, S.WRITE_A);
    let carried: f32 = 0;
    if (load<i32>(m, S.IS_COLD)) {
      carried = max<f32>(load<f32>(upper, S.LOAD), 0) / load<f32>(upper, S.SUPPORTS);
      if (carried > 0) {
        guessImpulse(m, upper, carried);
      }
    } else {
      for (let k: usize = 0; k < 16; k += 4) carried += load<f32>(m + k, S.R_N);
      carried *= <f32>abs(upwards(m));
      store<f32>(upper, load<f32>(upper, S.LOAD) - carried, S.LOAD);
    }
    store<f32>(lower, load<f32>(lower, S.LOAD) + carried, S.LOAD);
  }
}

/**
 * An upward impulse `load` on `upper` through the manifold: friction as far as it goes, and pressure below the centre
 * of mass of a body with one support.
 */
function guessImpulse(m: usize, upper: usize, load_: f32): void {
  const isB = load<usize>(m, S.READ_B) == upper;
  const up = f32x4.mul(f32x4(<f32>ux, <f32>uy, <f32>uz, 0), f32x4.splat(isB ? load_ : -load_));
  const force = mulColumns(v128.load(m, S.ROW_X), v128.load(m, S.ROW_Y), v128.load(m, S.ROW_Z), up);
  const normal = f32x4.extract_lane(force, 0);
  let f1 = f32x4.extract_lane(force, 1);
  let f2 = f32x4.extract_lane(force, 2);
  const most = load<f32>(m, S.SCALARS) * normal;
  const tangential = sqrt<f32>(f1 * f1 + f2 * f2);
  if (tangential > most) {
    f1 *= most / tangential;
    f2 *= most / tangential;
  }
  const even = f32x4.mul(v128.load(m, S.SPREAD), splat0(force));
  let pressure = even;
  if (load<f32>(upper, S.SUPPORTS) == 1) {
    // Torque that makes the impulse pass through the centre of mass: −arm × force, in the frame.
    const held = f32x4(normal, f1, f2, 0);
    const arm = isB ? v128.load(m, S.ARM_B) : v128.load(m, S.ARM_A);
    const r = mulColumns(v128.load(m, S.ROW_X), v128.load(m, S.ROW_Y), v128.load(m, S.ROW_Z), arm);
    const torque = crossLanes(held, r);
    pressure = addMul(
      addMul(even, v128.load(m, S.SPREAD + 16), splat1(torque)),
      v128.load(m, S.SPREAD + 32),
      splat2(torque),
    );
    if (v128.any_true(f32x4.lt(pressure, f32x4.splat(0)))) pressure = even;
  }
  v128.store(m, pressure, S.R_N);
  // Friction in proportion to the pressure: every point within its disc.
  const ratio = f32x4.mul(pressure, f32x4.splat(1 / normal));
  v128.store(m, f32x4.mul(ratio, f32x4.splat(f1)), S.R_1);
  v128.store(m, f32x4.mul(ratio, f32x4.splat(f2)), S.R_2);
}

/** The same for the point of a quad's lane: what its upper body hands to the lower one. */
function handDown(lane: usize): void {
  if (!isNeeded(load<usize>(lane, S.Q_READ_A), load<usize>(lane, S.Q_READ_B))) return;
  const upper = upperOfLane(lane);
  if (upper == 0) return;
  const isB = load<usize>(lane, S.Q_READ_B) == upper;
  const lower = load<usize>(lane + (isB ? S.Q_WRITE_A : S.Q_WRITE_B));
  let carried: f32 = 0;
  if (load<i32>(lane, S.Q_IS_COLD)) {
    carried = max<f32>(load<f32>(upper, S.LOAD), 0) / load<f32>(upper, S.SUPPORTS);
    if (carried > 0) guessPoint(lane, isB ? carried : -carried);
  } else {
    carried = load<f32>(lane, S.Q_R_N) * <f32>abs(upwardsAlong(lane + S.Q_NORMAL, 16));
    store<f32>(upper, load<f32>(upper, S.LOAD) - carried, S.LOAD);
  }
  store<f32>(lower, load<f32>(lower, S.LOAD) + carried, S.LOAD);
}

/** An upward impulse `load_` on B through a single point: friction as far as it goes. */
function guessPoint(lane: usize, load_: f32): void {
  const scale = <f64>load_;
  const normal = <f32>(scale * upwardsAlong(lane + S.Q_NORMAL, 16));
  const first = <f32>(scale * upwardsAlong(lane + S.Q_TANGENT_1, 16));
  const second = <f32>(scale * upwardsAlong(lane + S.Q_TANGENT_2, 16));
  const most = load<f32>(lane, S.Q_MU) * normal;
  const tangential = sqrt<f32>(first * first + second * second);
  const share: f32 = tangential > most ? most / tangential : 1;
  store<f32>(lane, normal, S.Q_R_N);
  store<f32>(lane, first * share, S.Q_R_1);
  store<f32>(lane, second * share, S.Q_R_2);
}

/** Whether one of the bodies stands on a cold contact: only then is its load asked for. */
function isNeeded(a: usize, b: usize): bool {
  return load<f32>(a, S.SUPPORTS) + load<f32>(b, S.SUPPORTS) > 0;
}

function countSupport(upper: usize): void {
  if (upper != 0) store<f32>(upper, load<f32>(upper, S.SUPPORTS) + 1, S.SUPPORTS);
}

/** Notes which points of a quad touch at rest, but have no impulse of the last step; returns whether any. */
function noteColdPoints(q: usize, restSpeed: f32, slack: f32): bool {
  const isLoaded = f32x4.gt(v128.load(q, S.Q_R_N), f32x4.splat(0));
  const isOpen = f32x4.gt(v128.load(q, S.Q_GAP), f32x4.splat(slack));
  const isFast = f32x4.gt(f32x4.abs(v128.load(q, S.Q_APPROACH)), f32x4.splat(restSpeed));
  const isPoint = i32x4.ne(v128.load(q, S.Q_IMPULSE), i32x4.splat(0));
  const isCold = v128.andnot(isPoint, v128.or(v128.or(isLoaded, isOpen), isFast));
  v128.store(q, isCold, S.Q_IS_COLD);
  return v128.any_true(isCold);
}

/** Whether the manifold touches at rest, but has no impulse of the last step. */
function isManifoldCold(m: usize, restSpeed: f64, slack: f64): bool {
  let isTouching = false;
  for (let k: usize = 0; k < 16; k += 4) {
    if (load<i32>(m + k, S.MASK) == 0) continue;
    if (load<f32>(m + k, S.R_N) > 0) return false;
    if (<f64>abs(load<f32>(m + k, S.APPROACH)) > restSpeed) return false;
    if (<f64>load<f32>(m + k, S.GAP) <= slack) isTouching = true;
  }
  return isTouching;
}

/** How far the vector at `d`, whose numbers are `stride` bytes apart, points upwards. */
function upwardsAlong(d: usize, stride: usize): f64 {
  return ux * <f64>load<f32>(d) + uy * <f64>load<f32>(d + stride) + uz * <f64>load<f32>(d + 2 * stride);
}

/** How far the normal points upwards, −1..1. */
function upwards(m: usize): f64 {
  return upwardsAlong(m + S.NORMAL, 4);
}

/** Record of the body that rests on the other one and yields, 0 when none does. */
function upperBody(m: usize): usize {
  return upperOf(upwards(m), load<usize>(m, S.READ_A), load<usize>(m, S.READ_B));
}

function upperOfLane(lane: usize): usize {
  const up = upwardsAlong(lane + S.Q_NORMAL, 16);
  return upperOf(up, load<usize>(lane, S.Q_READ_A), load<usize>(lane, S.Q_READ_B));
}

function upperOf(up: f64, a: usize, b: usize): usize {
  if (abs(up) < STEEPEST) return 0;
  const upper = up > 0 ? b : a;
  return load<f32>(upper, S.INVERSE_MASS) > 0 ? upper : 0;
}
