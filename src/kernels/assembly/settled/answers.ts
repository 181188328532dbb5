// What a push on one body does to all that joints connect with it: columns of responses, and their products.
//
// In: GROUPS and COLUMNS of an opened island (settled/held.ts). Velocities and wrenches are six f64: linear, angular.

import * as S from './layout';
import { shortBytes } from './responses';

/** Wrench of the impulse at hand (linear, angular). */
export const WRENCH: usize = memory.data(48, 16);

export function groupFirst(h: usize, body: i32): i32 {
  return load<i32>(load<usize>(h, S.GROUPS) + ((<usize>body) << 3));
}

export function groupSize(h: usize, body: i32): i32 {
  return load<i32>(load<usize>(h, S.GROUPS) + ((<usize>body) << 3), 4);
}

/** Address of the columns of a body's group, 0 where it has none. */
export function columnsOf(h: usize, body: i32): usize {
  return load<usize>(load<usize>(h, S.COLUMNS) + ((<usize>body) << 2));
}

/** Velocity of `body` (six numbers at `to`, added) that WRENCH on body `on` makes. */
export function addAnswer(h: usize, to: usize, body: i32, on: i32): void {
  const size = <usize>groupSize(h, on) * S.VELOCITY_BYTES;
  const from = columnsOf(h, on) + <usize>(body - groupFirst(h, on)) * S.VELOCITY_BYTES;
  let x = v128.load(to);
  let y = v128.load(to, 16);
  let z = v128.load(to, 32);
  for (let k: usize = 0; k < 6; k++) {
    // Along an axis half of a wrench is nothing.
    if (load<f64>(WRENCH + (k << 3)) == 0) continue;
    const f = v128.load64_splat(WRENCH + (k << 3));
    const p = from + k * size;
    x = f64x2.add(x, f64x2.mul(f, v128.load(p)));
    y = f64x2.add(y, f64x2.mul(f, v128.load(p, 16)));
    z = f64x2.add(z, f64x2.mul(f, v128.load(p, 32)));
  }
  v128.store(to, x);
  v128.store(to, y, 16);
  v128.store(to, z, 32);
}

/** The same of the wrench at `wrench` for the whole group of body `on`, into the velocities, by short columns. */
export function applyWrench(h: usize, on: i32, wrench: usize): void {
  const bytes = shortBytes(groupSize(h, on));
  const w0 = f32x4.splat(<f32>load<f64>(wrench));
  const w1 = f32x4.splat(<f32>load<f64>(wrench, 8));
  const w2 = f32x4.splat(<f32>load<f64>(wrench, 16));
  const w3 = f32x4.splat(<f32>load<f64>(wrench, 24));
  const w4 = f32x4.splat(<f32>load<f64>(wrench, 32));
  const w5 = f32x4.splat(<f32>load<f64>(wrench, 40));
  let v = load<usize>(h, S.VELOCITY) + <usize>groupFirst(h, on) * S.VELOCITY_BYTES;
  const c0 = columnsOf(h, on);
  const c1 = c0 + bytes;
  const c2 = c1 + bytes;
  const c3 = c2 + bytes;
  const c4 = c3 + bytes;
  const c5 = c4 + bytes;
  for (let p: usize = 0; p < bytes; p += 16, v += 32) {
    const a = f32x4.add(f32x4.mul(w0, v128.load(c0 + p)), f32x4.mul(w1, v128.load(c1 + p)));
    const b = f32x4.add(f32x4.mul(w2, v128.load(c2 + p)), f32x4.mul(w3, v128.load(c3 + p)));
    const c = f32x4.add(f32x4.mul(w4, v128.load(c4 + p)), f32x4.mul(w5, v128.load(c5 + p)));
    const sum = f32x4.add(f32x4.add(a, b), c);
    v128.store(v, f64x2.add(v128.load(v), f64x2.promote_low_f32x4(sum)));
    const high = v128.shuffle<i64>(sum, sum, 1, 1);
    v128.store(v, f64x2.add(v128.load(v, 16), f64x2.promote_low_f32x4(high)), 16);
  }
}

/** WRENCH of an impulse at an arm. */
export function setWrench(arm: usize, x: f64, y: f64, z: f64): void {
  const ax = load<f64>(arm);
  const ay = load<f64>(arm, 32);
  const az = load<f64>(arm, 64);
  store<f64>(WRENCH, x);
  store<f64>(WRENCH, y, 8);
  store<f64>(WRENCH, z, 16);
  store<f64>(WRENCH, ay * z - az * y, 24);
  store<f64>(WRENCH, az * x - ax * z, 32);
  store<f64>(WRENCH, ax * y - ay * x, 40);
}

/** Component of v + ω × r (x, y or z at i of 0, 8, 16; the next two at j and k). */
export function speedAt(v: usize, arm: usize, i: usize, j: usize, k: usize): f64 {
  const turned = load<f64>(v + 24 + j) * load<f64>(arm + (k << 2)) - load<f64>(v + 24 + k) * load<f64>(arm + (j << 2));
  return load<f64>(v + i) + turned;
}

/** WRENCH of an impulse along a row, with TURN of one side. */
export function setRowWrench(row: usize, turn: usize, r: f64): void {
  for (let k: usize = 0; k < 24; k += 8) {
    store<f64>(WRENCH + k, r * load<f64>(row + k, S.ROW_D));
    store<f64>(WRENCH + k, r * load<f64>(row + turn + k), 24);
  }
}
