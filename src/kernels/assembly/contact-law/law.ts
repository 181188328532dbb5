// What the local solvers of one contact share, for f64 and f32: u = W r + b, nine numbers W (row-major), b and r three.
//
// They are the solvers of src/solvers/local, written once over the type of number T; the heads there tell the methods
// and their sources, here only what differs. Addresses are bytes; r, W and b must not overlap.

import { get, put } from '../memory';

/** Error up to which a fail-safe's answer is taken without asking the next [-]. */
export function goodError<T>(): f64 {
  return sizeof<T>() == 8 ? 1e-9 : 1e-5;
}

/** ‖x‖ of two numbers. */
export function length2<T>(x: T, y: T): T {
  return sqrt<T>(x * x + y * y);
}

/** ‖x‖ of three numbers. */
export function length3<T>(x: T, y: T, z: T): T {
  return sqrt<T>(x * x + y * y + z * z);
}

/** r := 0. */
export function clearImpulse<T>(r: usize): void {
  for (let i = 0; i < 3; i++) put<T>(r, i, <T>0);
}

/**
 * Fischer–Burmeister error of one contact on the self-dual cone [m/s]; see solvers/residual. In f64 for either type.
 */
export function frictionalError(scale: f64, mu: f64, rN: f64, rT1: f64, rT2: f64, uN: f64, uT1: f64, uT2: f64): f64 {
  const x0 = scale * mu * rN;
  const x1 = scale * rT1;
  const x2 = scale * rT2;
  if (mu == 0) {
    const p = scale * rN;
    const f = p + uN - sqrt<f64>(p * p + uN * uN);
    return sqrt<f64>(f * f + x1 * x1 + x2 * x2);
  }
  const y0 = uN + mu * sqrt<f64>(uT1 * uT1 + uT2 * uT2);
  const y1 = mu * uT1;
  const y2 = mu * uT2;
  const xx = x1 * x1 + x2 * x2;
  const yy = y1 * y1 + y2 * y2;
  const z0 = x0 * x0 + xx + y0 * y0 + yy;
  const z1 = 2 * (x0 * x1 + y0 * y1);
  const z2 = 2 * (x0 * x2 + y0 * y2);
  const large = z0 + sqrt<f64>(z1 * z1 + z2 * z2);
  if (large == 0) return 0;
  const xLength = sqrt<f64>(xx);
  const yLength = sqrt<f64>(yy);
  const detX = (x0 - xLength) * (x0 + xLength);
  const detY = (y0 - yLength) * (y0 + yLength);
  const inner = x0 * y0 - (x1 * y1 + x2 * y2);
  const skew1 = x0 * y1 - y0 * x1;
  const skew2 = x0 * y2 - y0 * x2;
  const cross = x1 * y2 - x2 * y1;
  const det = detX * detX + detY * detY + 2 * (inner * inner + skew1 * skew1 + skew2 * skew2 + cross * cross);
  const roots = sqrt<f64>(large) + sqrt<f64>(det / large);
  const f0 = x0 + y0 - 0.5 * roots;
  const f1 = x1 + y1 - z1 / roots;
  const f2 = x2 + y2 - z2 / roots;
  return sqrt<f64>(f0 * f0 + f1 * f1 + f2 * f2);
}

/** Error of r over ‖b‖, with W scaled by its mean diagonal [-]; 0 where b is, infinite where it is no number. */
export function localError<T>(r: usize, W: usize, b: usize, mu: T): f64 {
  const b0 = <f64>get<T>(b, 0);
  const b1 = <f64>get<T>(b, 1);
  const b2 = <f64>get<T>(b, 2);
  const size = sqrt<f64>(b0 * b0 + b1 * b1 + b2 * b2);
  if (size == 0) return 0;
  const r0 = <f64>get<T>(r, 0);
  const r1 = <f64>get<T>(r, 1);
  const r2 = <f64>get<T>(r, 2);
  const w0 = <f64>get<T>(W, 0);
  const w4 = <f64>get<T>(W, 4);
  const w8 = <f64>get<T>(W, 8);
  const u0 = b0 + w0 * r0 + <f64>get<T>(W, 1) * r1 + <f64>get<T>(W, 2) * r2;
  const u1 = b1 + <f64>get<T>(W, 3) * r0 + w4 * r1 + <f64>get<T>(W, 5) * r2;
  const u2 = b2 + <f64>get<T>(W, 6) * r0 + <f64>get<T>(W, 7) * r1 + w8 * r2;
  const error = frictionalError((w0 + w4 + w8) / 3, <f64>mu, r0, r1, r2, u0, u1, u2) / size;
  return error >= 0 ? error : Infinity;
}
