// The last part of integrate-motion: what the spins of the bodies have become by the turns of the step.
//
// Impulses act at the start of a step, on its geometry and on the spin that a body has there; then it
// turns. With L = R₀ I R₀ᵀ ω the angular momentum that the solvers leave, and R₁ the rotation to which the
// body has really come, the spin at the end is R₁ I⁻¹ R₁ᵀ L: angular momentum is kept, by free bodies the
// energy too (motion/free-spin.ts). What contacts, recovery of penetration or a stop on the way have turned
// otherwise than freely would have another energy by that rule, a thousandfold where a thin stick is laid
// across its spin. There the angular momentum is the nearest to L that has the energy which the solvers left:
// minimising |L' − L|² with ωᵀ I ω given is (I + λ) ω = R₁ᵀ L in body axes, λ by Newton's method on
// 1/√energy, which is concave: it converges from λ = 0.
//
// Rejected: to hand the solvers the spin at the end of the free turn, in world axes (it is seen with the wrong
// inertia: gains of energy without bound) or in body axes (a stick that turns by half a turn about its axis in a
// step shows them its tumbling reversed).
//
// In: BODY_ANGULAR_VELOCITY of the solvers, BODY_PREVIOUS_ROTATION, BODY_ROTATION. Out: BODY_ANGULAR_VELOCITY.

import {
  AWAKE_COUNT,
  AWAKE_LIST,
  BODY_ANGULAR_VELOCITY,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_LOCAL_INERTIA,
  BODY_LOCAL_INVERSE_INERTIA,
  BODY_LOCKS,
  BODY_PREVIOUS_ROTATION,
  BODY_ROTATION,
} from '../../../state/layout';
import { row4 } from '../math/boxes';
import * as R from '../math/rotation';
import { cell, column, getI32 } from '../memory';
import { isAnisotropic } from './free-spin';
import * as Locks from './locks';

/** Relative error of the energy that is none of rounding. */
const TOLERANCE: f64 = 1e-9;
const NEWTON_STEPS: i32 = 40;
/**
 * A spin is made faster by this at most, where too little energy is left [-]. Where that is not enough it turns with
 * the body: a thin stick whose axis leaves its angular momentum by half a radian would have lost nearly all.
 */
const MOST_GAIN: f64 = 1.25;

// Inertia of the body in hand and its angular momentum, in body axes; a spin.
let xx: f64 = 0;
let yy: f64 = 0;
let zz: f64 = 0;
let xy: f64 = 0;
let xz: f64 = 0;
let yz: f64 = 0;
let lx: f64 = 0;
let ly: f64 = 0;
let lz: f64 = 0;
let wx: f64 = 0;
let wy: f64 = 0;
let wz: f64 = 0;

/** Of all awake bodies, when their poses are those at the end of the step. */
export function carrySpins(): void {
  const list = column(AWAKE_LIST);
  const flags = column(BODY_FLAGS);
  for (let i = cell(AWAKE_COUNT) - 1; i >= 0; i--) {
    const body = getI32(list, i);
    const bits = getI32(flags, body);
    if (bits & BODY_DYNAMIC) carrySpin(body, bits & BODY_LOCKS);
  }
}

function carrySpin(body: i32, locks: i32): void {
  // With two locks or three the spin keeps by itself.
  if (popcnt(locks) > 1) return;
  const spin = row4(BODY_ANGULAR_VELOCITY, body);
  const x = load<f64>(spin);
  const y = load<f64>(spin, 8);
  const z = load<f64>(spin, 16);
  if (x == 0 && y == 0 && z == 0) return;
  const local = column(BODY_LOCAL_INERTIA) + ((<usize>body) << 6);
  if (!isAnisotropic(local)) return;
  if (memory.compare(row4(BODY_PREVIOUS_ROTATION, body), row4(BODY_ROTATION, body), 32) == 0) return;
  R.loadRotation(column(BODY_PREVIOUS_ROTATION), body);
  if (locks != 0) {
    Locks.turnLocked(local, locks, body, x, y, z);
    storeSpin(spin, Locks.wx, Locks.wy, Locks.wz);
    return;
  }
  loadInertia(local);

  // Energy (twice) and angular momentum after the impulses.
  wx = R.r00 * x + R.r10 * y + R.r20 * z;
  wy = R.r01 * x + R.r11 * y + R.r21 * z;
  wz = R.r02 * x + R.r12 * y + R.r22 * z;
  const ownX = wx;
  const ownY = wy;
  const ownZ = wz;
  multiplyInertia();
  const energy = wx * lx + wy * ly + wz * lz;
  if (!(energy > 0)) return;
  const px = R.r00 * lx + R.r01 * ly + R.r02 * lz;
  const py = R.r10 * lx + R.r11 * ly + R.r12 * lz;
  const pz = R.r20 * lx + R.r21 * ly + R.r22 * lz;

  // The same angular momentum in the axes at the end of the step.
  R.loadRotation(column(BODY_ROTATION), body);
  lx = R.r00 * px + R.r10 * py + R.r20 * pz;
  ly = R.r01 * px + R.r11 * py + R.r21 * pz;
  lz = R.r02 * px + R.r12 * py + R.r22 * pz;
  multiplyInverse(column(BODY_LOCAL_INVERSE_INERTIA) + ((<usize>body) << 6));
  const after = wx * lx + wy * ly + wz * lz;
  if (after > energy * (1 + TOLERANCE)) findNearest(energy);
  else if (after * MOST_GAIN * MOST_GAIN < energy) {
    wx = ownX;
    wy = ownY;
    wz = ownZ;
  } else if (after < energy * (1 - TOLERANCE)) scaleSpin(sqrt(energy / after));
  storeSpin(
    spin,
    R.r00 * wx + R.r01 * wy + R.r02 * wz,
    R.r10 * wx + R.r11 * wy + R.r12 * wz,
    R.r20 * wx + R.r21 * wy + R.r22 * wz,
  );
}

/** Numbers that are none leave the spin as it was. */
function storeSpin(to: usize, x: f64, y: f64, z: f64): void {
  const sum = x + y + z;
  if (sum - sum != 0) return;
  store<f64>(to, x);
  store<f64>(to, y, 8);
  store<f64>(to, z, 16);
}

/** The spin of the given energy (twice) whose angular momentum is nearest to the one in hand, which has more. */
function findNearest(energy: f64): void {
  let shift: f64 = 0;
  let square = energy;
  for (let k = 0; k < NEWTON_STEPS; k++) {
    // ω, and what a change of λ does to it: −(I + λ)⁻¹ ω.
    solveShifted(shift, lx, ly, lz);
    wx = sx;
    wy = sy;
    wz = sz;
    const ix = xx * wx + xy * wy + xz * wz;
    const iy = xy * wx + yy * wy + yz * wz;
    const iz = xz * wx + yz * wy + zz * wz;
    square = wx * ix + wy * iy + wz * iz;
    if (square <= energy * (1 + TOLERANCE)) break;
    solveShifted(shift, wx, wy, wz);
    const slope = sx * ix + sy * iy + sz * iz;
    shift += (square * (sqrt(square / energy) - 1)) / slope;
  }
  scaleSpin(sqrt(energy / square));
}

function scaleSpin(by: f64): void {
  wx *= by;
  wy *= by;
  wz *= by;
}

// Solution of solveShifted.
let sx: f64 = 0;
let sy: f64 = 0;
let sz: f64 = 0;

/** s = (I + shift)⁻¹ (x, y, z), by cofactors. */
function solveShifted(shift: f64, x: f64, y: f64, z: f64): void {
  const a = xx + shift;
  const b = yy + shift;
  const c = zz + shift;
  const ca = b * c - yz * yz;
  const cb = a * c - xz * xz;
  const cc = a * b - xy * xy;
  const cab = xz * yz - xy * c;
  const cac = xy * yz - xz * b;
  const cbc = xy * xz - yz * a;
  const scale = 1 / (a * ca + xy * cab + xz * cac);
  sx = scale * (ca * x + cab * y + cac * z);
  sy = scale * (cab * x + cb * y + cbc * z);
  sz = scale * (cac * x + cbc * y + cc * z);
}

function loadInertia(local: usize): void {
  xx = load<f64>(local);
  yy = load<f64>(local, 8);
  zz = load<f64>(local, 16);
  xy = load<f64>(local, 24);
  xz = load<f64>(local, 32);
  yz = load<f64>(local, 40);
}

/** l = I w. */
function multiplyInertia(): void {
  lx = xx * wx + xy * wy + xz * wz;
  ly = xy * wx + yy * wy + yz * wz;
  lz = xz * wx + yz * wy + zz * wz;
}

/** w = I⁻¹ l. */
function multiplyInverse(inverse: usize): void {
  const jxy = load<f64>(inverse, 24);
  const jxz = load<f64>(inverse, 32);
  const jyz = load<f64>(inverse, 40);
  wx = load<f64>(inverse) * lx + jxy * ly + jxz * lz;
  wy = jxy * lx + load<f64>(inverse, 8) * ly + jyz * lz;
  wz = jxz * lx + jyz * ly + load<f64>(inverse, 16) * lz;
}
