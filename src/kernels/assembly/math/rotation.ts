// Rotations for the motion kernels: matrix of a quaternion, exponential map, world inertia. f64.
//
// Results that are more than one number are left in module variables, valid until the next call.

import { getF64, setF64 } from '../memory';

/** Rotation matrix of the last `loadRotation`, rows. */
export let r00: f64 = 1;
export let r01: f64 = 0;
export let r02: f64 = 0;
export let r10: f64 = 0;
export let r11: f64 = 1;
export let r12: f64 = 0;
export let r20: f64 = 0;
export let r21: f64 = 0;
export let r22: f64 = 1;

/** Makes the matrix of the unit quaternion (x y z w) at row `body` of the column `rotation`. */
export function loadRotation(rotation: usize, body: i32): void {
  const x = getF64(rotation, body * 4);
  const y = getF64(rotation, body * 4 + 1);
  const z = getF64(rotation, body * 4 + 2);
  const w = getF64(rotation, body * 4 + 3);
  r00 = 1 - 2 * (y * y + z * z);
  r01 = 2 * (x * y - w * z);
  r02 = 2 * (x * z + w * y);
  r10 = 2 * (x * y + w * z);
  r11 = 1 - 2 * (x * x + z * z);
  r12 = 2 * (y * z - w * x);
  r20 = 2 * (x * z - w * y);
  r21 = 2 * (y * z + w * x);
  r22 = 1 - 2 * (x * x + y * y);
}

/** World tensor R·L·Rᵀ of the loaded rotation and the local one at `from`; both xx yy zz xy xz yz. */
export function turnTensor(to: usize, from: usize): void {
  const xx = load<f64>(from);
  const yy = load<f64>(from, 8);
  const zz = load<f64>(from, 16);
  const xy = load<f64>(from, 24);
  const xz = load<f64>(from, 32);
  const yz = load<f64>(from, 40);
  const a00 = r00 * xx + r01 * xy + r02 * xz;
  const a01 = r00 * xy + r01 * yy + r02 * yz;
  const a02 = r00 * xz + r01 * yz + r02 * zz;
  const a10 = r10 * xx + r11 * xy + r12 * xz;
  const a11 = r10 * xy + r11 * yy + r12 * yz;
  const a12 = r10 * xz + r11 * yz + r12 * zz;
  const a20 = r20 * xx + r21 * xy + r22 * xz;
  const a21 = r20 * xy + r21 * yy + r22 * yz;
  const a22 = r20 * xz + r21 * yz + r22 * zz;
  store<f64>(to, a00 * r00 + a01 * r01 + a02 * r02);
  store<f64>(to, a10 * r10 + a11 * r11 + a12 * r12, 8);
  store<f64>(to, a20 * r20 + a21 * r21 + a22 * r22, 16);
  store<f64>(to, a00 * r10 + a01 * r11 + a02 * r12, 24);
  store<f64>(to, a00 * r20 + a01 * r21 + a02 * r22, 32);
  store<f64>(to, a10 * r20 + a11 * r21 + a12 * r22, 40);
}

/** Quaternion of the last `expRotation`. */
export let ex: f64 = 0;
export let ey: f64 = 0;
export let ez: f64 = 0;
export let ew: f64 = 1;

/** Unit quaternion of the rotation vector (x, y, z) [rad]. */
export function expRotation(x: f64, y: f64, z: f64): void {
  const square = 0.25 * (x * x + y * y + z * z);
  let s: f64;
  if (square < 0.0625) {
    // Series of sin a / a and cos a for a <= 1/4: the first left-out term is below 1e-16.
    s =
      1 -
      square *
        (1.0 / 6.0) *
        (1 -
          square *
            (1.0 / 20.0) *
            (1 - square * (1.0 / 42.0) * (1 - square * (1.0 / 72.0) * (1 - square * (1.0 / 110.0)))));
    ew =
      1 -
      square *
        (1.0 / 2.0) *
        (1 -
          square *
            (1.0 / 12.0) *
            (1 - square * (1.0 / 30.0) * (1 - square * (1.0 / 56.0) * (1 - square * (1.0 / 90.0)))));
  } else {
    const a = sqrt(square);
    s = NativeMath.sin(a) / a;
    ew = NativeMath.cos(a);
  }
  s *= 0.5;
  ex = s * x;
  ey = s * y;
  ez = s * z;
}

/** Turns the quaternion at row `body` by the last `expRotation` in world axes, and normalises it. */
export function turnRotation(rotation: usize, body: i32): void {
  const at = body * 4;
  const x = getF64(rotation, at);
  const y = getF64(rotation, at + 1);
  const z = getF64(rotation, at + 2);
  const w = getF64(rotation, at + 3);
  const nx = ew * x + ex * w + ey * z - ez * y;
  const ny = ew * y + ey * w + ez * x - ex * z;
  const nz = ew * z + ez * w + ex * y - ey * x;
  const nw = ew * w - ex * x - ey * y - ez * z;
  const scale = 1 / sqrt(nx * nx + ny * ny + nz * nz + nw * nw);
  setF64(rotation, at, nx * scale);
  setF64(rotation, at + 1, ny * scale);
  setF64(rotation, at + 2, nz * scale);
  setF64(rotation, at + 3, nw * scale);
}

/** Rotates (x, y, z) by the last `expRotation`, result in vx, vy, vz; `sign` −1 rotates back. */
export function rotateByExp(x: f64, y: f64, z: f64, sign: f64): void {
  const ax = ex * sign;
  const ay = ey * sign;
  const az = ez * sign;
  const cx = 2 * (ay * z - az * y);
  const cy = 2 * (az * x - ax * z);
  const cz = 2 * (ax * y - ay * x);
  vx = x + ew * cx + ay * cz - az * cy;
  vy = y + ew * cy + az * cx - ax * cz;
  vz = z + ew * cz + ax * cy - ay * cx;
}

/** Vector of the last `rotateByExp` or `rotationBetween`. */
export let vx: f64 = 0;
export let vy: f64 = 0;
export let vz: f64 = 0;

/** Rotation vector [rad] (world axes, at most π long) from the quaternion at `from` to that at `to`: in vx, vy, vz. */
export function rotationBetween(from: usize, to: usize): void {
  const ax = load<f64>(from);
  const ay = load<f64>(from, 8);
  const az = load<f64>(from, 16);
  const aw = load<f64>(from, 24);
  const bx = load<f64>(to);
  const by = load<f64>(to, 8);
  const bz = load<f64>(to, 16);
  const bw = load<f64>(to, 24);
  // b · conjugate(a); the shorter way round has w >= 0.
  let x = -bw * ax + bx * aw - by * az + bz * ay;
  let y = -bw * ay + by * aw - bz * ax + bx * az;
  let z = -bw * az + bz * aw - bx * ay + by * ax;
  let w = bw * aw + bx * ax + by * ay + bz * az;
  if (w < 0) {
    x = -x;
    y = -y;
    z = -z;
    w = -w;
  }
  const s = sqrt(x * x + y * y + z * z);
  const scale = s < 1e-12 ? 2 : (2 * NativeMath.atan2(s, w)) / s;
  vx = x * scale;
  vy = y * scale;
  vz = z * scale;
}
