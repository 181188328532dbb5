// Torque-free turn of a rigid body over a step, in body axes: keeps its angular momentum L and its energy.
//
// A part of the step of length h turns the body by exp(h·m), so that in body axes L' =
// exp(−h·m) L, with the mean spin
// m = I⁻¹ (L + L')/2 found by Newton's method. |L| is kept whatever m is. The energy changes by m·(L' − L), which
// is 0 because a turn about m leaves the part of L along m as it is: kept as exactly as m is known. (Lie-group midpoint
// rule; Hairer, Lubich and Wanner, Geometric Numerical Integration, IV.8 and VII.5.)
//
// A step is cut into parts that turn by PART_TURN or less: there Newton's method is sure to converge, and fast. One
// part, the rule for any body that a player can follow, costs two or three solutions of a 3 × 3 system and no sine.
// Rejected: one part a step however far it turns (energy × 1.2 in 10^5 steps of 0.5 rad, × 4 at 0.8 rad: no solution
// was found); elliptic functions (exact, but 1/(I₁ − I₂) loses digits near symmetry, where most bodies are).
// In: inertia, spin in body axes. Out: the turn, in the variables below; the spin after it is motion/carry-spin.ts's.
// TypeScript twin, for one part: mechanics/rigid.ts.

import * as R from '../math/rotation';

/** Most that a part of a step may turn [rad]: expRotation needs no sine up to 0.5. */
const PART_TURN: f64 = 0.45;
/** Most parts of a step: enough for 500 rad/s at 1/30 s. Beyond, the body turns about its spin as it is. */
const MOST_PARTS: i32 = 64;
const NEWTON_STEPS: i32 = 12;
/**
 * Error of the mean spin, relative, at which Newton's method ends: 1e5 steps then change the energy by less than 1e-7.
 */
const TOLERANCE: f64 = 1e-13;
/** An error above this is none of rounding: no solution was found. */
const FAILED: f64 = 1e-6;

// Spin after the turn, in the axes after it.
let spinX: f64 = 0;
let spinY: f64 = 0;
let spinZ: f64 = 0;
// Rotation vector of the turn [rad], in the axes before or after it (it turns about itself).
export let turnX: f64 = 0;
export let turnY: f64 = 0;
export let turnZ: f64 = 0;

// Inertia and its inverse, body axes.
let xx: f64 = 0;
let yy: f64 = 0;
let zz: f64 = 0;
let xy: f64 = 0;
let xz: f64 = 0;
let yz: f64 = 0;
let inverse: usize = 0;

// Angular momentum in body axes, mean spin of a part.
let lx: f64 = 0;
let ly: f64 = 0;
let lz: f64 = 0;
let mx: f64 = 0;
let my: f64 = 0;
let mz: f64 = 0;
// Vector of multiplyInverse.
let ix: f64 = 0;
let iy: f64 = 0;
let iz: f64 = 0;

/**
 * Turns the body with inertia at `local`, inverse at `inverseAt`, spinning at (x, y, z)
 * in its own axes, freely for `dt`.
 */
export function turnFreely(dt: f64, local: usize, inverseAt: usize, x: f64, y: f64, z: f64): void {
  xx = load<f64>(local);
  yy = load<f64>(local, 8);
  zz = load<f64>(local, 16);
  xy = load<f64>(local, 24);
  xz = load<f64>(local, 32);
  yz = load<f64>(local, 40);
  inverse = inverseAt;
  spinX = x;
  spinY = y;
  spinZ = z;
  lx = xx * x + xy * y + xz * z;
  ly = xy * x + yy * y + yz * z;
  lz = xz * x + yz * y + zz * z;
  const parts = countParts(dt);
  if (parts > MOST_PARTS) {
    turnX = dt * x;
    turnY = dt * y;
    turnZ = dt * z;
    return;
  }
  if (parts == 1) {
    turnPart(dt);
    turnX = dt * mx;
    turnY = dt * my;
    turnZ = dt * mz;
    return;
  }
  turnInParts(dt, parts);
}

/** So many that each turns by PART_TURN or less, and that the spin's own direction does so in body axes. */
function countParts(dt: f64): i32 {
  multiplyInverse(ly * spinZ - lz * spinY, lz * spinX - lx * spinZ, lx * spinY - ly * spinX);
  const square = spinX * spinX + spinY * spinY + spinZ * spinZ;
  const rate = max(sqrt(square), sqrt((ix * ix + iy * iy + iz * iz) / square));
  return <i32>min(<f64>MOST_PARTS + 1, ceil((dt * rate) / PART_TURN));
}

function turnInParts(dt: f64, parts: i32): void {
  const h = dt / parts;
  // The turn so far, and the sum of the parts' rotation vectors: which winding the turn is of.
  let ax: f64 = 0;
  let ay: f64 = 0;
  let az: f64 = 0;
  let aw: f64 = 1;
  let sumX: f64 = 0;
  let sumY: f64 = 0;
  let sumZ: f64 = 0;
  for (let k = 0; k < parts; k++) {
    turnPart(h);
    R.expRotation(h * mx, h * my, h * mz);
    const bx = aw * R.ex + ax * R.ew + ay * R.ez - az * R.ey;
    const by = aw * R.ey - ax * R.ez + ay * R.ew + az * R.ex;
    const bz = aw * R.ez + ax * R.ey - ay * R.ex + az * R.ew;
    aw = aw * R.ew - ax * R.ex - ay * R.ey - az * R.ez;
    ax = bx;
    ay = by;
    az = bz;
    sumX += h * mx;
    sumY += h * my;
    sumZ += h * mz;
  }
  const s = sqrt(ax * ax + ay * ay + az * az);
  if (s < 1e-12) {
    turnX = sumX;
    turnY = sumY;
    turnZ = sumZ;
    return;
  }
  const angle = 2 * NativeMath.atan2(s, aw);
  const along = (sumX * ax + sumY * ay + sumZ * az) / s;
  const full = 2 * NativeMath.PI;
  const scale = (angle + full * nearest((along - angle) / full)) / s;
  turnX = scale * ax;
  turnY = scale * ay;
  turnZ = scale * az;
}

/** One part: leaves its mean spin in m, and turns L and the spin. */
function turnPart(h: f64): void {
  const ok = findMeanSpin(h);
  if (!ok) {
    // About the spin as it is: energy and |L| are kept all the same.
    mx = spinX;
    my = spinY;
    mz = spinZ;
    return;
  }
  R.expRotation(h * mx, h * my, h * mz);
  R.rotateByExp(lx, ly, lz, -1);
  lx = R.vx;
  ly = R.vy;
  lz = R.vz;
  multiplyInverse(lx, ly, lz);
  spinX = ix;
  spinY = iy;
  spinZ = iz;
}

/** Newton's method on f(m) = 2 I m − L − exp(−h·m) L. False when it did not converge. */
function findMeanSpin(h: f64): bool {
  // Explicit midpoint: half a step of ω' = I⁻¹ (L × ω).
  multiplyInverse(ly * spinZ - lz * spinY, lz * spinX - lx * spinZ, lx * spinY - ly * spinX);
  mx = spinX + 0.5 * h * ix;
  my = spinY + 0.5 * h * iy;
  mz = spinZ + 0.5 * h * iz;
  let last: f64 = 1;

  for (let k = 0; k < NEWTON_STEPS; k++) {
    const tx = h * mx;
    const ty = h * my;
    const tz = h * mz;
    R.expRotation(tx, ty, tz);
    R.rotateByExp(lx, ly, lz, -1);
    const fx = 2 * (xx * mx + xy * my + xz * mz) - lx - R.vx;
    const fy = 2 * (xy * mx + yy * my + yz * mz) - ly - R.vy;
    const fz = 2 * (xz * mx + yz * my + zz * mz) - lz - R.vz;
    // Derivative: 2 I − h [y]× J, with y = exp(−h·m) L, s = h·y and J = 1 − c₁ [θ]× + c₂ [θ]×², θ =
    // h·m; then [y]× J = (1 − c₂ θ²) [y]× + c₂ (y × θ) θᵀ − c₁ (θ yᵀ − (y·θ) 1). The next
    // terms of c₁, c₂ do not count.
    const sx = h * R.vx;
    const sy = h * R.vy;
    const sz = h * R.vz;
    const square = tx * tx + ty * ty + tz * tz;
    const c1 = 0.5 - square * (1.0 / 24.0);
    const c2 = 1.0 / 6.0 - square * (1.0 / 120.0);
    const d = 1 - c2 * square;
    const gx = c2 * (sy * tz - sz * ty);
    const gy = c2 * (sz * tx - sx * tz);
    const gz = c2 * (sx * ty - sy * tx);
    const dot = c1 * (sx * tx + sy * ty + sz * tz);
    const j00 = 2 * xx - (gx * tx - c1 * tx * sx + dot);
    const j01 = 2 * xy - (-d * sz + gx * ty - c1 * tx * sy);
    const j02 = 2 * xz - (d * sy + gx * tz - c1 * tx * sz);
    const j10 = 2 * xy - (d * sz + gy * tx - c1 * ty * sx);
    const j11 = 2 * yy - (gy * ty - c1 * ty * sy + dot);
    const j12 = 2 * yz - (-d * sx + gy * tz - c1 * ty * sz);
    const j20 = 2 * xz - (-d * sy + gz * tx - c1 * tz * sx);
    const j21 = 2 * yz - (d * sx + gz * ty - c1 * tz * sy);
    const j22 = 2 * zz - (gz * tz - c1 * tz * sz + dot);
    const k0 = j11 * j22 - j12 * j21;
    const k1 = j12 * j20 - j10 * j22;
    const k2 = j10 * j21 - j11 * j20;
    const determinant = j00 * k0 + j01 * k1 + j02 * k2;
    if (!(abs(determinant) > 0)) return false;
    const e = 1 / determinant;
    const ex = e * (k0 * fx + (j02 * j21 - j01 * j22) * fy + (j01 * j12 - j02 * j11) * fz);
    const ey = e * (k1 * fx + (j00 * j22 - j02 * j20) * fy + (j02 * j10 - j00 * j12) * fz);
    const ez = e * (k2 * fx + (j01 * j20 - j00 * j21) * fy + (j00 * j11 - j01 * j10) * fz);
    mx -= ex;
    my -= ey;
    mz -= ez;
    // The error that is left: quadratic in this step, and what the derivative leaves out (about θ⁴/100 of it).
    const error = sqrt((ex * ex + ey * ey + ez * ez) / (mx * mx + my * my + mz * mz));
    const left = error * min(1.0, sqrt(square)) * (error + 0.01 * square * square);
    if (left < TOLERANCE) return true;
    // Rounding sets in: no better.
    if (error < FAILED && error > 0.5 * last) return true;
    last = error;
  }
  return last < FAILED;
}

/** (ix, iy, iz) = I⁻¹ (x, y, z). */
function multiplyInverse(x: f64, y: f64, z: f64): void {
  const jxy = load<f64>(inverse, 24);
  const jxz = load<f64>(inverse, 32);
  const jyz = load<f64>(inverse, 40);
  ix = load<f64>(inverse) * x + jxy * y + jxz * z;
  iy = jxy * x + load<f64>(inverse, 8) * y + jyz * z;
  iz = jxz * x + jyz * y + load<f64>(inverse, 16) * z;
}

/** A ball or cube has no gyroscopic term. */
export function isAnisotropic(local: usize): bool {
  const xx = load<f64>(local);
  const yy = load<f64>(local, 8);
  const zz = load<f64>(local, 16);
  const off = abs(load<f64>(local, 24)) + abs(load<f64>(local, 32)) + abs(load<f64>(local, 40));
  return abs(xx - yy) + abs(yy - zz) + off > 1e-6 * (xx + yy + zz);
}
