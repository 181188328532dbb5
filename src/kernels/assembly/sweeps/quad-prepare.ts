// Packs single points for the sweeps (sweeps/quad.ts): what the tables say of each, then the response of four at once.
//
// In: points of the pair table, the packed records of their bodies. Out: the quads' records (sweeps/layout.ts).
// Differences of positions are taken in f64.

import {
  BODY_POSITION,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_HIT,
  PAIR_IMPULSE,
  PAIR_ISLAND,
  PAIR_MATERIAL,
  PAIR_NORMAL,
  PAIR_POINT,
  PAIR_TANGENT,
} from '../../../state/layout';
import { addMul, joinHigh, joinLow, mixHigh, mixLow } from '../math/vector';
import { column, getI32 } from '../memory';
import * as S from './layout';
import { along, relateQuad } from './quad';

/** An empty record: lanes without a point read the resting world and write to the sink. */
export function clearQuad(q: usize, world: usize, sink: usize): void {
  memory.fill(q, 0, S.QUAD_BYTES);
  v128.store(q, i32x4.splat(<i32>world), S.Q_READ_A);
  v128.store(q, i32x4.splat(<i32>world), S.Q_READ_B);
  v128.store(q, i32x4.splat(<i32>sink), S.Q_WRITE_A);
  v128.store(q, i32x4.splat(<i32>sink), S.Q_WRITE_B);
}

/**
 * Fills a lane (the record's address + 4 · lane) with the point of `pair`; `share` is what part of a
 * step's impulse a substep carries.
 */
export function placePoint(lane: usize, pair: i32, share: f64): void {
  const row = (<usize>pair) << 5;
  const normal = column(PAIR_NORMAL) + row;
  const tangent = column(PAIR_TANGENT) + row;
  const point = column(PAIR_POINT) + (row << 2);
  const a = column(BODY_POSITION) + ((<usize>getI32(column(PAIR_BODY_A), pair)) << 5);
  const b = column(BODY_POSITION) + ((<usize>getI32(column(PAIR_BODY_B), pair)) << 5);
  for (let axis: usize = 0; axis < 3; axis++) {
    const from = axis << 3;
    const to = lane + (axis << 4);
    store<f32>(to, <f32>load<f64>(normal + from), S.Q_NORMAL);
    store<f32>(to, <f32>load<f64>(tangent + from), S.Q_TANGENT_1);
    store<f32>(to, <f32>(load<f64>(point + from) - load<f64>(a + from)), S.Q_ARM_A);
    store<f32>(to, <f32>(load<f64>(point + from) - load<f64>(b + from)), S.Q_ARM_B);
  }
  store<f32>(lane, <f32>load<f64>(point, 24), S.Q_GAP);
  const impulse = column(PAIR_IMPULSE) + (row << 2);
  store<usize>(lane, impulse, S.Q_IMPULSE);
  store<f32>(lane, <f32>(load<f64>(impulse) * share), S.Q_R_N);
  store<f32>(lane, <f32>(load<f64>(impulse, 8) * share), S.Q_R_1);
  store<f32>(lane, <f32>(load<f64>(impulse, 16) * share), S.Q_R_2);
  const material = column(PAIR_MATERIAL) + row;
  store<f32>(lane, <f32>load<f64>(material), S.Q_MU);
  store<f32>(lane, <f32>load<f64>(material, 8), S.Q_RESTITUTION);
  store<f32>(lane, <f32>load<f64>(material, 16), S.Q_SURFACE_1);
  store<f32>(lane, <f32>load<f64>(material, 24), S.Q_SURFACE_2);
  store<i32>(lane, getI32(column(PAIR_ISLAND), pair), S.Q_ISLAND);
}

/** Response of the points once all lanes are filled; returns whether any bounces. */
export function prepareQuad(q: usize): bool {
  // Second tangent n × t.
  const nx = v128.load(q, S.Q_NORMAL);
  const ny = v128.load(q, S.Q_NORMAL + 16);
  const nz = v128.load(q, S.Q_NORMAL + 32);
  const tx = v128.load(q, S.Q_TANGENT_1);
  const ty = v128.load(q, S.Q_TANGENT_1 + 16);
  const tz = v128.load(q, S.Q_TANGENT_1 + 32);
  v128.store(q, f32x4.sub(f32x4.mul(ny, tz), f32x4.mul(nz, ty)), S.Q_TANGENT_2);
  v128.store(q, f32x4.sub(f32x4.mul(nz, tx), f32x4.mul(nx, tz)), S.Q_TANGENT_2 + 16);
  v128.store(q, f32x4.sub(f32x4.mul(nx, ty), f32x4.mul(ny, tx)), S.Q_TANGENT_2 + 32);

  const zero = f32x4.splat(0);
  kNN = zero;
  kN1 = zero;
  kN2 = zero;
  k11 = zero;
  k12 = zero;
  k22 = zero;
  addSide(q, S.Q_READ_A, S.Q_ARM_A, S.Q_MASS_A, S.Q_INERTIA_A, -1);
  addSide(q, S.Q_READ_B, S.Q_ARM_B, S.Q_MASS_B, S.Q_INERTIA_B, 1);
  const isPoint = i32x4.ne(v128.load(q, S.Q_IMPULSE), i32x4.splat(0));
  const one = f32x4.splat(1);
  v128.store(q, v128.and(isPoint, f32x4.div(one, kNN)), S.Q_INVERSE);
  v128.store(q, kN1, S.Q_COUPLING_1);
  v128.store(q, kN2, S.Q_COUPLING_2);
  v128.store(q, f32x4.mul(f32x4.add(f32x4.add(kNN, k11), k22), f32x4.splat(1.0 / 3.0)), S.Q_SCALE);
  const d = v128.and(isPoint, f32x4.div(f32x4.splat(-1), f32x4.sub(f32x4.mul(k11, k22), f32x4.mul(k12, k12))));
  v128.store(q, f32x4.mul(d, k22), S.Q_PLANE_11);
  v128.store(q, f32x4.neg(f32x4.mul(d, k12)), S.Q_PLANE_12);
  v128.store(q, f32x4.mul(d, k11), S.Q_PLANE_22);
  // Below the inverse of the largest eigenvalue.
  const row = f32x4.add(f32x4.max(k11, k22), f32x4.abs(k12));
  v128.store(q, v128.and(isPoint, f32x4.div(one, row)), S.Q_STEP);

  relateQuad(q, 0);
  v128.store(q, along(q + S.Q_NORMAL), S.Q_APPROACH);
  return v128.any_true(f32x4.gt(v128.load(q, S.Q_RESTITUTION), zero));
}

// Response at the points in their frames, sums over both bodies.
let kNN: v128 = f32x4.splat(0);
let kN1: v128 = f32x4.splat(0);
let kN2: v128 = f32x4.splat(0);
let k11: v128 = f32x4.splat(0);
let k12: v128 = f32x4.splat(0);
let k22: v128 = f32x4.splat(0);
// Inverse inertia of the four bodies of a side.
let xx: v128 = f32x4.splat(0);
let yy: v128 = f32x4.splat(0);
let zz: v128 = f32x4.splat(0);
let xy: v128 = f32x4.splat(0);
let xz: v128 = f32x4.splat(0);
let yz: v128 = f32x4.splat(0);
// Arm × direction.
let cx: v128 = f32x4.splat(0);
let cy: v128 = f32x4.splat(0);
let cz: v128 = f32x4.splat(0);

/**
 * Packs a side's masses with their sign, and adds its response d · K d' = d · d' / m + c · J c' with c = arm × d.
 */
function addSide(q: usize, list: usize, arm: usize, mass: usize, inertia: usize, sign: f32): void {
  const b0 = load<usize>(q + list);
  const b1 = load<usize>(q + list, 4);
  const b2 = load<usize>(q + list, 8);
  const b3 = load<usize>(q + list, 12);
  const m = f32x4(
    load<f32>(b0, S.INVERSE_MASS),
    load<f32>(b1, S.INVERSE_MASS),
    load<f32>(b2, S.INVERSE_MASS),
    load<f32>(b3, S.INVERSE_MASS),
  );
  const signs = f32x4.splat(sign);
  v128.store(q + mass, f32x4.mul(m, signs));
  // Columns (xx xy xz), (xy yy yz), (xz yz zz) of the four.
  let r0 = v128.load(b0, S.IX);
  let r1 = v128.load(b1, S.IX);
  let r2 = v128.load(b2, S.IX);
  let r3 = v128.load(b3, S.IX);
  xx = joinLow(mixLow(r0, r1), mixLow(r2, r3));
  xy = joinHigh(mixLow(r0, r1), mixLow(r2, r3));
  xz = joinLow(mixHigh(r0, r1), mixHigh(r2, r3));
  r0 = v128.load(b0, S.IY);
  r1 = v128.load(b1, S.IY);
  r2 = v128.load(b2, S.IY);
  r3 = v128.load(b3, S.IY);
  yy = joinHigh(mixLow(r0, r1), mixLow(r2, r3));
  yz = joinLow(mixHigh(r0, r1), mixHigh(r2, r3));
  zz = joinLow(mixHigh(v128.load(b0, S.IZ), v128.load(b1, S.IZ)), mixHigh(v128.load(b2, S.IZ), v128.load(b3, S.IZ)));
  const to = q + inertia;
  v128.store(to, f32x4.mul(xx, signs));
  v128.store(to, f32x4.mul(yy, signs), 16);
  v128.store(to, f32x4.mul(zz, signs), 32);
  v128.store(to, f32x4.mul(xy, signs), 48);
  v128.store(to, f32x4.mul(xz, signs), 64);
  v128.store(to, f32x4.mul(yz, signs), 80);

  crossArm(q + arm, q + S.Q_TANGENT_2);
  const sx = cx;
  const sy = cy;
  const sz = cz;
  crossArm(q + arm, q + S.Q_TANGENT_1);
  const tx = cx;
  const ty = cy;
  const tz = cz;
  crossArm(q + arm, q + S.Q_NORMAL);
  // J c of the normal, then of the first tangent.
  let wx = turnX(cx, cy, cz);
  let wy = turnY(cx, cy, cz);
  let wz = turnZ(cx, cy, cz);
  kNN = f32x4.add(f32x4.add(kNN, m), dotOf(cx, cy, cz, wx, wy, wz));
  kN1 = f32x4.add(kN1, dotOf(tx, ty, tz, wx, wy, wz));
  kN2 = f32x4.add(kN2, dotOf(sx, sy, sz, wx, wy, wz));
  wx = turnX(tx, ty, tz);
  wy = turnY(tx, ty, tz);
  wz = turnZ(tx, ty, tz);
  k11 = f32x4.add(f32x4.add(k11, m), dotOf(tx, ty, tz, wx, wy, wz));
  k12 = f32x4.add(k12, dotOf(sx, sy, sz, wx, wy, wz));
  k22 = f32x4.add(f32x4.add(k22, m), dotOf(sx, sy, sz, turnX(sx, sy, sz), turnY(sx, sy, sz), turnZ(sx, sy, sz)));
}

function crossArm(arm: usize, d: usize): void {
  const ax = v128.load(arm);
  const ay = v128.load(arm, 16);
  const az = v128.load(arm, 32);
  const dx = v128.load(d);
  const dy = v128.load(d, 16);
  const dz = v128.load(d, 32);
  cx = f32x4.sub(f32x4.mul(ay, dz), f32x4.mul(az, dy));
  cy = f32x4.sub(f32x4.mul(az, dx), f32x4.mul(ax, dz));
  cz = f32x4.sub(f32x4.mul(ax, dy), f32x4.mul(ay, dx));
}

function turnX(x: v128, y: v128, z: v128): v128 {
  return addMul(addMul(f32x4.mul(xx, x), xy, y), xz, z);
}

function turnY(x: v128, y: v128, z: v128): v128 {
  return addMul(addMul(f32x4.mul(xy, x), yy, y), yz, z);
}

function turnZ(x: v128, y: v128, z: v128): v128 {
  return addMul(addMul(f32x4.mul(xz, x), yz, y), zz, z);
}

function dotOf(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return addMul(addMul(f32x4.mul(ax, bx), ay, by), az, bz);
}

/** Writes the points' impulses back, as of a whole step of `substeps`, for the next warm start. */
export function keepQuad(q: usize, substeps: i32): void {
  for (let lane = q; lane < q + 16; lane += 4) {
    const to = load<usize>(lane, S.Q_IMPULSE);
    if (to == 0) continue;
    store<f64>(to, <f64>load<f32>(lane, S.Q_R_N) * substeps);
    store<f64>(to, <f64>load<f32>(lane, S.Q_R_1) * substeps, 8);
    store<f64>(to, <f64>load<f32>(lane, S.Q_R_2) * substeps, 16);
  }
}

/** What the points did in the whole of the step, for PAIR_HIT. */
export function reportQuad(q: usize): void {
  for (let lane = q; lane < q + 16; lane += 4) {
    const impulse = load<usize>(lane, S.Q_IMPULSE);
    if (impulse == 0) continue;
    const to = column(PAIR_HIT) + ((impulse - column(PAIR_IMPULSE)) >> 2);
    store<f64>(to, <f64>load<f32>(lane, S.Q_TOTAL_N));
    store<f64>(to, <f64>load<f32>(lane, S.Q_TOTAL_1), 8);
    store<f64>(to, <f64>load<f32>(lane, S.Q_TOTAL_2), 16);
  }
}
