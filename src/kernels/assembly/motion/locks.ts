// Locked rotations: the spin of a body about some of the world's axes is 0, whatever acts on it.
//
// With P the projection on the free axes, impulses and torques change the spin by I_P⁻¹ = P (P I P)⁺ P (the
// inverse of the free block of the inertia, in world axes). All solvers use this tensor, so in all of them a locked
// axis gets 0 times a finite number: it stays locked to the last bit. Rejected: rows and columns of I⁻¹ set to 0,
// which is the inertia of a body that is held only once, by the lock of another axis.

import { BODY_LOCK_X, BODY_LOCK_Y, BODY_LOCK_Z, BODY_ROTATION } from '../../../state/layout';
import * as R from '../math/rotation';
import { column } from '../memory';

/** Inertia in world axes (xx yy zz xy xz yz), or its inverse. */
const TENSOR: usize = memory.data(48);

/**
 * World tensor `to` = inverse of the free block of the inertia `local` (body axes) for
 * the loaded rotation; 0 elsewhere.
 */
export function lockTensor(to: usize, local: usize, locks: i32): void {
  R.turnTensor(TENSOR, local);
  invertFree(to, TENSOR, locks);
}

/** The free block of a symmetric tensor inverted, 0 in the rows and columns of locked axes. */
function invertFree(to: usize, tensor: usize, locks: i32): void {
  const x = (locks & BODY_LOCK_X) == 0;
  const y = (locks & BODY_LOCK_Y) == 0;
  const z = (locks & BODY_LOCK_Z) == 0;
  // A locked axis turns alone, with an inertia of 1: what comes of it is left out.
  const xx = x ? load<f64>(tensor) : 1;
  const yy = y ? load<f64>(tensor, 8) : 1;
  const zz = z ? load<f64>(tensor, 16) : 1;
  const xy = x && y ? load<f64>(tensor, 24) : 0;
  const xz = x && z ? load<f64>(tensor, 32) : 0;
  const yz = y && z ? load<f64>(tensor, 40) : 0;
  const cx = yy * zz - yz * yz;
  const cy = xz * yz - xy * zz;
  const cz = xy * yz - yy * xz;
  const scale = 1 / (xx * cx + xy * cy + xz * cz);
  store<f64>(to, x ? cx * scale : 0);
  store<f64>(to, y ? (xx * zz - xz * xz) * scale : 0, 8);
  store<f64>(to, z ? (xx * yy - xy * xy) * scale : 0, 16);
  store<f64>(to, x && y ? cy * scale : 0, 24);
  store<f64>(to, x && z ? cz * scale : 0, 32);
  store<f64>(to, y && z ? (xy * xz - xx * yz) * scale : 0, 40);
}

/** Spin of the last `turnLocked` [rad/s]. */
export let wx: f64 = 0;
export let wy: f64 = 0;
export let wz: f64 = 0;

/**
 * Spin of a body with one locked axis after a turn, in world axes: from the spin (x, y, z) in the loaded rotation to
 * BODY_ROTATION. The lock's torque is about its axis only: the other two components of the angular momentum keep,
 * P I' ω' = P I ω, and so does the energy, to which ω' is scaled. With two locks the spin keeps by itself.
 */
export function turnLocked(local: usize, locks: i32, body: i32, x: f64, y: f64, z: f64): void {
  R.turnTensor(TENSOR, local);
  const lx = tensorRow(TENSOR, 0, 24, 32, x, y, z);
  const ly = tensorRow(TENSOR, 24, 8, 40, x, y, z);
  const lz = tensorRow(TENSOR, 32, 40, 16, x, y, z);
  R.loadRotation(column(BODY_ROTATION), body);
  lockTensor(TENSOR, local, locks);
  wx = tensorRow(TENSOR, 0, 24, 32, lx, ly, lz);
  wy = tensorRow(TENSOR, 24, 8, 40, lx, ly, lz);
  wz = tensorRow(TENSOR, 32, 40, 16, lx, ly, lz);
  const before = x * lx + y * ly + z * lz;
  const after = wx * lx + wy * ly + wz * lz;
  const keep = after > 0 ? sqrt(before / after) : 1;
  wx *= keep;
  wy *= keep;
  wz *= keep;
}

function tensorRow(tensor: usize, a: usize, b: usize, c: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(tensor + a) * x + load<f64>(tensor + b) * y + load<f64>(tensor + c) * z;
}
