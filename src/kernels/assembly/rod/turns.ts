// Directors carried along a rod in time, one strand at a time, f64. TypeScript twin: mechanics/rod/frames.ts; the two
// agree to rounding (here with fewer divisions and roots).

import { OPPOSITE_TANGENTS } from '../../../core/elastic-constants';
import { HALF_PI } from '../../../core/number-constants';

const TURN: f64 = 6.283185307179586;
const TURN_INVERSE: f64 = 0.15915494309189535;

/**
 * out = d carried by the smallest rotation from unit tangent t0 to unit tangent t1,
 * unit and normal to t1. out may be d.
 */
export function carryDirector(out: usize, d: usize, t0: usize, t1: usize): void {
  const dx = load<f64>(d);
  const dy = load<f64>(d, 8);
  const dz = load<f64>(d, 16);
  const ax = load<f64>(t0);
  const ay = load<f64>(t0, 8);
  const az = load<f64>(t0, 16);
  const ux = load<f64>(t1);
  const uy = load<f64>(t1, 8);
  const uz = load<f64>(t1, 16);
  const bx = ay * uz - az * uy;
  const by = az * ux - ax * uz;
  const bz = ax * uy - ay * ux;
  const c = ax * ux + ay * uy + az * uz;
  let x = dx;
  let y = dy;
  let z = dz;
  if (1 + c > OPPOSITE_TANGENTS) {
    const s = (bx * dx + by * dy + bz * dz) / (1 + c);
    x = c * dx + by * dz - bz * dy + s * bx;
    y = c * dy + bz * dx - bx * dz + s * by;
    z = c * dz + bx * dy - by * dx + s * bz;
  }
  const along = x * ux + y * uy + z * uz;
  x -= along * ux;
  y -= along * uy;
  z -= along * uz;
  const square = x * x + y * y + z * z;
  if (square > 0) {
    const inverse = 1 / Math.sqrt(square);
    store<f64>(out, x * inverse);
    store<f64>(out, y * inverse, 8);
    store<f64>(out, z * inverse, 16);
  } else normalDirection(out, t1);
}

/** A unit vector normal to unit vector v: its cross product with the axis it is farthest from. */
export function normalDirection(out: usize, v: usize): void {
  const vx = load<f64>(v);
  const vy = load<f64>(v, 8);
  const vz = load<f64>(v, 16);
  const ax = Math.abs(vx);
  const ay = Math.abs(vy);
  const az = Math.abs(vz);
  let x: f64 = 0;
  let y: f64 = 0;
  let z: f64 = 0;
  if (ax <= ay && ax <= az) {
    y = vz;
    z = -vy;
  } else if (ay <= az) {
    x = -vz;
    z = vx;
  } else {
    x = vy;
    y = -vx;
  }
  const norm = Math.sqrt(x * x + y * y + z * z);
  store<f64>(out, x / norm);
  store<f64>(out, y / norm, 8);
  store<f64>(out, z / norm, 16);
}

/**
 * Angle about t1 from director d0 of the edge t0, carried over to t1, to director d1: of all turns the one nearest to
 * `last` [rad].
 */
export function turnBetween(d0: usize, t0: usize, d1: usize, t1: usize, last: f64): f64 {
  const ax = load<f64>(t0);
  const ay = load<f64>(t0, 8);
  const az = load<f64>(t0, 16);
  const ux = load<f64>(t1);
  const uy = load<f64>(t1, 8);
  const uz = load<f64>(t1, 16);
  const dx = load<f64>(d0);
  const dy = load<f64>(d0, 8);
  const dz = load<f64>(d0, 16);
  const bx = ay * uz - az * uy;
  const by = az * ux - ax * uz;
  const bz = ax * uy - ay * ux;
  const c = ax * ux + ay * uy + az * uz;
  // As carryDirector; its length does not matter to the angle.
  let fx = dx;
  let fy = dy;
  let fz = dz;
  if (1 + c > OPPOSITE_TANGENTS) {
    const s = (bx * dx + by * dy + bz * dz) / (1 + c);
    fx = c * dx + by * dz - bz * dy + s * bx;
    fy = c * dy + bz * dx - bx * dz + s * by;
    fz = c * dz + bx * dy - by * dx + s * bz;
  }
  const gx = load<f64>(d1);
  const gy = load<f64>(d1, 8);
  const gz = load<f64>(d1, 16);
  const sine = ux * (fy * gz - fz * gy) + uy * (fz * gx - fx * gz) + uz * (fx * gy - fy * gx);
  const angle = arctangent(sine, fx * gx + fy * gy + fz * gz);
  return angle + TURN * Math.floor((last - angle) * TURN_INVERSE + 0.5);
}

/** Below this six terms of the series are exact [-]: neighbouring edges hardly turn against each other. */
const SMALL: f64 = 0.03;

function arctangentOfUnit(x: f64): f64 {
  if (x < SMALL) {
    const y = x * x;
    return x * (1 - y * (1.0 / 3 - y * (1.0 / 5 - y * (1.0 / 7 - y * (1.0 / 9 - y * (1.0 / 11))))));
  }
  // The series converges fast below tan(π/16); two halvings of the angle bring any other there.
  let t = x;
  let halved: f64 = 1;
  if (x > 0.198) {
    t = x / (1 + Math.sqrt(1 + x * x));
    t = t / (1 + Math.sqrt(1 + t * t));
    halved = 4;
  }
  const y = t * t;
  // Even and odd powers of y apart: two short chains instead of a long one.
  const z = y * y;
  const even = 1 + z * (1.0 / 5 + z * (1.0 / 9 + z * (1.0 / 13 + z * (1.0 / 17 + z * (1.0 / 21)))));
  const odd = 1.0 / 3 + z * (1.0 / 7 + z * (1.0 / 11 + z * (1.0 / 15 + z * (1.0 / 19 + z * (1.0 / 23)))));
  return halved * t * (even - y * odd);
}

function arctangent(y: f64, x: f64): f64 {
  const a = Math.abs(x);
  const b = Math.abs(y);
  if (a == 0 && b == 0) return 0;
  let angle = b <= a ? arctangentOfUnit(b / a) : HALF_PI - arctangentOfUnit(a / b);
  if (x < 0) angle = 2 * HALF_PI - angle;
  return y < 0 ? -angle : angle;
}
