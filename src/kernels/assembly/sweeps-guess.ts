// First guess for contacts without a history: loads handed down from the top.
//
// A sweep knows little of a stack that it meets for the first time: the upper boxes fall freely until the news of
// the ground reaches them, one contact a sweep. So resting contacts that have no impulse of the last step get one
// here: every body hands its weight, and what it carries, in equal parts to its supports, as pressure and friction. The guess only starts
// the sweeps; it does not move their fixed point. Contacts that are not at rest (falling, landing) get none.

import { GRAVITY, TIME_STEP } from '../../state/layout';
import { parameter } from './memory';
import * as S from './sweeps-layout';
import { addMul, crossLanes, mulColumns, splat0, splat1, splat2, splatSum } from './vector';

/** A contact carries weight when its normal is within about 70° of the vertical. */
const STEEPEST: f64 = 0.3;
/** A contact at rest approaches slower than gravity makes it in this many steps. */
const REST_STEPS: f64 = 2;

// Unit vector upwards.
let ux: f64 = 0;
let uy: f64 = 0;
let uz: f64 = 0;

/** Guesses for the listed manifolds, (record, points) in [from, to), sorted upwards; bodies in [bodies, bodiesEnd); `h` = substep [s], gaps up to `slack` [m] are none. */
export function guessLoads(from: usize, to: usize, bodies: usize, bodiesEnd: usize, h: f64, slack: f64): void {
  const gx = load<f64>(GRAVITY);
  const gy = load<f64>(GRAVITY + 8);
  const gz = load<f64>(GRAVITY + 16);
  const gravity = sqrt(gx * gx + gy * gy + gz * gz);
  if (gravity == 0) return;
  const restSpeed = REST_STEPS * gravity * parameter(TIME_STEP);
  let isAny = false;
  for (let row = from; row < to; row += 8) {
    const m = load<usize>(row);
    const isCold = load<i32>(row, 4) == 1 ? isPointCold(m, restSpeed, slack) : isManifoldCold(m, restSpeed, slack);
    store<i32>(m, isCold ? 1 : 0, S.IS_COLD);
    if (isCold) isAny = true;
  }
  if (!isAny) return;
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
    if (load<i32>(m, S.IS_COLD) == 0) continue;
    const upper = upperBody(m);
    if (upper != 0) store<f32>(upper, load<f32>(upper, S.SUPPORTS) + 1, S.SUPPORTS);
  }
  for (let row = to; row > from; ) {
    row -= 8;
    const m = load<usize>(row);
    const isPoint = load<i32>(row, 4) == 1;
    const upper = upperBody(m);
    if (upper == 0) continue;
    const lower = load<usize>(m, S.READ_A) == upper ? load<usize>(m, S.WRITE_B) : load<usize>(m, S.WRITE_A);
    let carried: f32 = 0;
    if (load<i32>(m, S.IS_COLD)) {
      carried = max<f32>(load<f32>(upper, S.LOAD), 0) / load<f32>(upper, S.SUPPORTS);
      if (carried > 0) {
        if (isPoint) guessPoint(m, upper, carried);
        else guessImpulse(m, upper, carried);
      }
    } else {
      if (isPoint) carried = load<f32>(m, S.POINT_NORMAL);
      else for (let k: usize = 0; k < 16; k += 4) carried += load<f32>(m + k, S.R_N);
      carried *= <f32>abs(upwards(m));
      store<f32>(upper, load<f32>(upper, S.LOAD) - carried, S.LOAD);
    }
    store<f32>(lower, load<f32>(lower, S.LOAD) + carried, S.LOAD);
  }
}

/** An upward impulse `load` on `upper` through the manifold: friction as far as it goes, and pressure below the centre of mass of a body with one support. */
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

/** The same through a single point. */
function guessPoint(m: usize, upper: usize, load_: f32): void {
  const isB = load<usize>(m, S.READ_B) == upper;
  const up = f32x4.mul(f32x4(<f32>ux, <f32>uy, <f32>uz, 0), f32x4.splat(isB ? load_ : -load_));
  const n = v128.load(m, S.NORMAL);
  const along = splatSum(f32x4.mul(n, up));
  const normal = f32x4.extract_lane(along, 0);
  const friction = f32x4.sub(up, f32x4.mul(n, along));
  const most = load<f32>(m, S.POINT_MU) * normal;
  const tangential = sqrt<f32>(f32x4.extract_lane(splatSum(f32x4.mul(friction, friction)), 0));
  store<f32>(m, normal, S.POINT_NORMAL);
  v128.store(m, tangential > most ? f32x4.mul(friction, f32x4.splat(most / tangential)) : friction, S.POINT_FRICTION);
}

/** Whether the point touches at rest, but has no impulse of the last step. */
function isPointCold(m: usize, restSpeed: f64, slack: f64): bool {
  if (load<f32>(m, S.POINT_NORMAL) > 0 || <f64>load<f32>(m, S.POINT_GAP) > slack) return false;
  return <f64>abs(load<f32>(m, S.POINT_APPROACH)) <= restSpeed;
}

/** The same of a manifold of several points. */
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

/** How far the normal points upwards, −1..1. */
function upwards(m: usize): f64 {
  return ux * <f64>load<f32>(m, S.NORMAL) + uy * <f64>load<f32>(m, S.NORMAL + 4) + uz * <f64>load<f32>(m, S.NORMAL + 8);
}

/** Record of the body that rests on the other one and yields, 0 when none does. */
function upperBody(m: usize): usize {
  const up = upwards(m);
  if (abs(up) < STEEPEST) return 0;
  const upper = up > 0 ? load<usize>(m, S.READ_B) : load<usize>(m, S.READ_A);
  return load<f32>(upper, S.INVERSE_MASS) > 0 ? upper : 0;
}
