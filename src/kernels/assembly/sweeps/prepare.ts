// Packs one manifold of two to four points of the pair table for the sweeps: frame, arms, and the
// inverse systems of its block solves.
//
// In: a pair, the packed records of its bodies. Out: the manifold record (sweeps/layout.ts). Differences of
// positions are taken in f64; all else is f32 SIMD, relative to the bodies, so the distance from the origin costs
// no digits. An inverse that rounding spoils slows the sweeps down but does not move their fixed point.

import {
  BODY_POSITION,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_IMPULSE,
  PAIR_ISLAND,
  PAIR_MATERIAL,
  PAIR_NORMAL,
  PAIR_POINT,
  PAIR_POINTS,
  PAIR_TANGENT,
} from '../../../state/layout';
import { addMul, crossLanes, mulColumns, splat0, splat1, splat2, sumLanes } from '../math/vector';
import { column, getI32 } from '../memory';
import * as S from './layout';

/** Points nearer to a line than this share of their spread along it count as on it. */
const FLATNESS: f32 = 1e-3;
/** Points all within this of each other are one [m]. */
const SMALLEST_SPREAD: f32 = 1e-6;
/** A determinant below this share of the diagonal's product is none (f32 rounding; locked rotations). */
const SINGULAR: f32 = 1e-6;
/**
 * Turning a pair gives way less than this share of what moving it does: a locked rotation, and rounding of its axes.
 */
const LOCKED: f32 = 1e-10;
/** A determinant below this is rounding, and one over it overflows: bodies of 10⁹ tons. */
const LEAST_DETERMINANT: f32 = 1e-36;

// Response of the relative motion at the manifold to an impulse there, in its frame, as columns; sums over both
// bodies: linear to force (symmetric), angular to force, angular to torque (symmetric).
let v0: v128 = f32x4.splat(0);
let v1: v128 = f32x4.splat(0);
let v2: v128 = f32x4.splat(0);
let s0: v128 = f32x4.splat(0);
let s1: v128 = f32x4.splat(0);
let s2: v128 = f32x4.splat(0);
let j0: v128 = f32x4.splat(0);
let j1: v128 = f32x4.splat(0);
let j2: v128 = f32x4.splat(0);

/**
 * Fills the manifold record `m` for `pair`; `a`, `b` are the bodies' records, `share` what part of a
 * step's impulse a substep carries.
 */
export function prepareManifold(m: usize, pair: i32, a: usize, b: usize, share: f64): void {
  const count = getI32(column(PAIR_POINTS), pair);
  const zero = f32x4.splat(0);
  store<i32>(m, pair, S.PAIR);
  store<i32>(m, getI32(column(PAIR_ISLAND), pair), S.ISLAND);
  store<i32>(m, 0, S.IS_SINGULAR);
  store<i32>(m, count, S.COUNT);
  v128.store(m, zero, S.TOTAL_N);
  v128.store(m, zero, S.TOTAL_1);
  v128.store(m, zero, S.TOTAL_2);

  // Frame: columns, and their transpose.
  const n = loadVector(column(PAIR_NORMAL) + ((<usize>pair) << 5));
  const t = loadVector(column(PAIR_TANGENT) + ((<usize>pair) << 5));
  const s = crossLanes(n, t);
  v128.store(m, n, S.NORMAL);
  v128.store(m, t, S.TANGENT_1);
  v128.store(m, s, S.TANGENT_2);
  const nt = v128.shuffle<f32>(n, t, 0, 4, 1, 5);
  const s0s1 = v128.shuffle<f32>(s, zero, 0, 4, 1, 5);
  const rowX = v128.shuffle<f32>(nt, s0s1, 0, 1, 4, 5);
  const rowY = v128.shuffle<f32>(nt, s0s1, 2, 3, 6, 7);
  const rowZ = v128.shuffle<f32>(v128.shuffle<f32>(n, t, 2, 6, 2, 6), s, 0, 1, 6, 7);
  v128.store(m, rowX, S.ROW_X);
  v128.store(m, rowY, S.ROW_Y);
  v128.store(m, rowZ, S.ROW_Z);

  // Mean of the points, arms, places in the tangent plane.
  const points = column(PAIR_POINT) + ((<usize>pair) << 7);
  let meanXY = v128.load(points);
  let meanZ = v128.load(points, 16);

  for (let k = 1; k < count; k++) {
    meanXY = f64x2.add(meanXY, v128.load(points + ((<usize>k) << 5)));
    meanZ = f64x2.add(meanZ, v128.load(points + ((<usize>k) << 5), 16));
  }
  const part = f64x2.splat(1.0 / <f64>count);
  meanXY = f64x2.mul(meanXY, part);
  meanZ = f64x2.replace_lane(f64x2.mul(meanZ, part), 1, 0);
  v0 = zero;
  v1 = zero;
  v2 = zero;
  s0 = zero;
  s1 = zero;
  s2 = zero;
  j0 = zero;
  j1 = zero;
  j2 = zero;
  storeArm(m + S.ARM_A, getI32(column(PAIR_BODY_A), pair), meanXY, meanZ);
  storeArm(m + S.ARM_B, getI32(column(PAIR_BODY_B), pair), meanXY, meanZ);
  if (load<f32>(a, S.INVERSE_MASS) > 0) addBody(m, v128.load(m, S.ARM_A), a);
  if (load<f32>(b, S.INVERSE_MASS) > 0) addBody(m, v128.load(m, S.ARM_B), b);

  // Points and impulses, from one row per point to one lane per point. Lanes without a point are 0.
  const impulses = column(PAIR_IMPULSE) + ((<usize>pair) << 7);
  v128.store(m, zero, S.X);
  v128.store(m, zero, S.Y);
  v128.store(m, zero, S.GAP);
  v128.store(m, zero, S.MASK);
  v128.store(m, zero, S.R_N);
  v128.store(m, zero, S.R_1);
  v128.store(m, zero, S.R_2);

  for (let k = 0; k < count; k++) {
    const row = (<usize>k) << 5;
    const d = joinRow(f64x2.sub(v128.load(points + row), meanXY), f64x2.sub(v128.load(points + row, 16), meanZ));
    const place = mulColumns(rowX, rowY, rowZ, d);
    const lane = m + ((<usize>k) << 2);
    v128.store_lane<f32>(lane, place, 1, S.X);
    v128.store_lane<f32>(lane, place, 2, S.Y);
    v128.store_lane<f32>(lane, d, 3, S.GAP);
    store<i32>(lane, -1, S.MASK);
    store<f32>(lane, <f32>(load<f64>(impulses + row) * share), S.R_N);
    store<f32>(lane, <f32>(load<f64>(impulses + row, 8) * share), S.R_1);
    store<f32>(lane, <f32>(load<f64>(impulses + row, 16) * share), S.R_2);
  }

  v128.store(m, v128.shuffle<f32>(v0, s0, 1, 2, 4, 7), S.COUPLING);
  v128.store(m, v128.shuffle<f32>(v128.shuffle<f32>(s1, s2, 1, 5, 3, 3), j1, 0, 1, 4, 7), S.COUPLING + 16);
  v128.store(m, v128.shuffle<f32>(v128.shuffle<f32>(s1, s2, 2, 6, 3, 3), j2, 0, 1, 4, 7), S.COUPLING + 32);
  const x = v128.load(m, S.X);
  const y = v128.load(m, S.Y);
  const moments = sumLanes(f32x4.mul(x, x), f32x4.mul(y, y), f32x4.mul(x, y));
  prepareNormal(m, count, x, y, moments);
  preparePlane(m, count, pair, x, y, moments);
  storeApproach(m, a, b);
}

/** Three f64 as lanes 0 1 2, lane 3 = 0. */
function loadVector(from: usize): v128 {
  return v128.shuffle<f32>(
    f32x4.demote_f64x2_zero(v128.load(from)),
    f32x4.demote_f64x2_zero(v128.load64_zero(from, 16)),
    0,
    1,
    4,
    5,
  );
}

function joinRow(xy: v128, zw: v128): v128 {
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(xy), f32x4.demote_f64x2_zero(zw), 0, 1, 4, 5);
}

/** The arm from a body's centre of mass to the place given as two f64x2. */
function storeArm(arm: usize, body: i32, meanXY: v128, meanZ: v128): void {
  const position = column(BODY_POSITION) + ((<usize>body) << 5);
  const r = joinRow(f64x2.sub(meanXY, v128.load(position)), f64x2.sub(meanZ, v128.load64_zero(position, 16)));
  v128.store(arm, r);
}

/** Adds a body's response: ω = J (r × f + τ), v = f/m + ω × r. */
function addBody(m: usize, arm: v128, body: usize): void {
  const rowX = v128.load(m, S.ROW_X);
  const rowY = v128.load(m, S.ROW_Y);
  const rowZ = v128.load(m, S.ROW_Z);
  const ix = v128.load(body, S.IX);
  const iy = v128.load(body, S.IY);
  const iz = v128.load(body, S.IZ);
  const r = mulColumns(rowX, rowY, rowZ, arm);
  const a0 = mulColumns(rowX, rowY, rowZ, mulColumns(ix, iy, iz, v128.load(m, S.NORMAL)));
  const a1 = mulColumns(rowX, rowY, rowZ, mulColumns(ix, iy, iz, v128.load(m, S.TANGENT_1)));
  const a2 = mulColumns(rowX, rowY, rowZ, mulColumns(ix, iy, iz, v128.load(m, S.TANGENT_2)));
  const r0 = splat0(r);
  const r1 = splat1(r);
  const r2 = splat2(r);
  // J (r × unit vectors), then that × r.
  const b0 = f32x4.sub(f32x4.mul(a1, r2), f32x4.mul(a2, r1));
  const b1 = f32x4.sub(f32x4.mul(a2, r0), f32x4.mul(a0, r2));
  const b2 = f32x4.sub(f32x4.mul(a0, r1), f32x4.mul(a1, r0));
  const inverseMass = v128.load32_zero(body, S.INVERSE_MASS);
  v0 = f32x4.add(v0, f32x4.add(inverseMass, crossLanes(b0, r)));
  v1 = f32x4.add(v1, f32x4.add(v128.shuffle<f32>(inverseMass, inverseMass, 1, 0, 2, 3), crossLanes(b1, r)));
  v2 = f32x4.add(v2, f32x4.add(v128.shuffle<f32>(inverseMass, inverseMass, 1, 2, 0, 3), crossLanes(b2, r)));
  s0 = f32x4.add(s0, b0);
  s1 = f32x4.add(s1, b1);
  s2 = f32x4.add(s2, b2);
  j0 = f32x4.add(j0, a0);
  j1 = f32x4.add(j1, a1);
  j2 = f32x4.add(j2, a2);
}

/** Spread of the points, inverse of the normal triple's response, and the points' own system. */
function prepareNormal(m: usize, count: i32, x: v128, y: v128, moments: v128): void {
  const mask = v128.load(m, S.MASK);
  const zero = f32x4.splat(0);
  // Columns of the triple's response: to F, M_1, M_2.
  const k0 = v128.shuffle<f32>(v0, s0, 0, 5, 6, 7);
  const k1 = v128.shuffle<f32>(s0, j1, 1, 5, 6, 7);
  const k2 = v128.shuffle<f32>(s0, j2, 2, 5, 6, 7);
  storePoints(m, mask, x, y, k0, k1, k2);
  v128.store(m, v128.and(mask, f32x4.splat(1 / <f32>count)), S.SPREAD);
  v128.store(m, zero, S.SPREAD + 16);
  v128.store(m, zero, S.SPREAD + 32);
  v128.store(m, zero, S.NORMAL_INVERSE);
  v128.store(m, zero, S.NORMAL_INVERSE + 16);
  v128.store(m, zero, S.NORMAL_INVERSE + 32);
  const xx = f32x4.extract_lane(moments, 0);
  const yy = f32x4.extract_lane(moments, 1);
  const xy = f32x4.extract_lane(moments, 2);
  const trace = xx + yy;
  const determinant = xx * yy - xy * xy;
  if (trace < SMALLEST_SPREAD * SMALLEST_SPREAD) {
    store<f32>(m, -1 / f32x4.extract_lane(k0, 0), S.NORMAL_INVERSE);
  } else if (determinant < FLATNESS * FLATNESS * trace * trace) {
    prepareLine(m, x, y, trace, k0, k1, k2);
  } else {
    // Least squares over the rows (1, y, −x).
    const d: f32 = 1 / determinant;
    v128.store(m, addMul(f32x4.mul(y, f32x4.splat(d * xx)), x, f32x4.splat(-d * xy)), S.SPREAD + 16);
    v128.store(m, addMul(f32x4.mul(y, f32x4.splat(d * xy)), x, f32x4.splat(-d * yy)), S.SPREAD + 32);
    const least = LOCKED * f32x4.extract_lane(k0, 0);
    const isLocked = f32x4.extract_lane(k1, 1) * yy < least || f32x4.extract_lane(k2, 2) * xx < least;
    if (isLocked || !storeInverse(m + S.NORMAL_INVERSE, k0, k1, k2)) store<i32>(m, 1, S.IS_SINGULAR);
  }
}

/** Response of the points' normal velocities to each other's impulses: rows (1, y, −x) of the triple. */
function storePoints(m: usize, mask: v128, x: v128, y: v128, k0: v128, k1: v128, k2: v128): void {
  let diagonal = f32x4.splat(1);
  const p0 = pointColumn(x, y, k0, addMul(k0, k1, splat0(y)), k2, splat0(x));
  const p1 = pointColumn(x, y, k0, addMul(k0, k1, splat1(y)), k2, splat1(x));
  const p2 = pointColumn(x, y, k0, addMul(k0, k1, splat2(y)), k2, splat2(x));
  const x3 = v128.shuffle<f32>(x, x, 3, 3, 3, 3);
  const y3 = v128.shuffle<f32>(y, y, 3, 3, 3, 3);
  const p3 = pointColumn(x, y, k0, addMul(k0, k1, y3), k2, x3);
  v128.store(m, p0, S.DELASSUS);
  v128.store(m, p1, S.DELASSUS + 16);
  v128.store(m, p2, S.DELASSUS + 32);
  v128.store(m, p3, S.DELASSUS + 48);
  diagonal = v128.shuffle<f32>(
    v128.shuffle<f32>(p0, p1, 0, 5, 0, 5),
    v128.shuffle<f32>(p2, p3, 2, 7, 2, 7),
    0,
    1,
    4,
    5,
  );
  v128.store(m, v128.and(mask, f32x4.div(f32x4.splat(1), diagonal)), S.DIAGONAL);
  v128.store(m, diagonal, S.SCALE);
}

function pointColumn(x: v128, y: v128, k0: v128, partial: v128, k2: v128, xj: v128): v128 {
  const g = f32x4.sub(partial, f32x4.mul(k2, xj));
  return f32x4.sub(addMul(splat0(g), splat1(g), y), f32x4.mul(splat2(g), x));
}

/** Points on a line: two degrees of freedom, lift and tilt about the axis e across the line. */
function prepareLine(m: usize, x: v128, y: v128, trace: f32, k0: v128, k1: v128, k2: v128): void {
  // The direction of e: the point farthest from the mean; it is one of the outermost two.
  let ex: f32 = 0;
  let ey: f32 = 0;
  let far: f32 = -1;
  for (let k: usize = 0; k < 16; k += 4) {
    const px = load<f32>(m + k, S.X);
    const py = load<f32>(m + k, S.Y);
    if (px * px + py * py > far) {
      far = px * px + py * py;
      ex = py;
      ey = -px;
    }
  }
  const scale: f32 = 1 / sqrt(far);
  ex *= scale;
  ey *= scale;
  const s = f32x4.mul(f32x4.sub(f32x4.mul(y, f32x4.splat(ex)), f32x4.mul(x, f32x4.splat(ey))), f32x4.splat(1 / trace));
  v128.store(m, f32x4.mul(s, f32x4.splat(ex)), S.SPREAD + 16);
  v128.store(m, f32x4.mul(s, f32x4.splat(ey)), S.SPREAD + 32);
  const a = f32x4.extract_lane(k0, 0);
  const b = f32x4.extract_lane(k0, 1) * ex + f32x4.extract_lane(k0, 2) * ey;
  const c =
    f32x4.extract_lane(k1, 1) * ex * ex + 2 * f32x4.extract_lane(k1, 2) * ex * ey + f32x4.extract_lane(k2, 2) * ey * ey;
  const determinant = a * c - b * b;
  if (!(determinant > SINGULAR * a * c) || c * trace < LOCKED * a) {
    store<i32>(m, 1, S.IS_SINGULAR);
    return;
  }
  const d: f32 = -1 / determinant;
  v128.store(m, f32x4(d * c, -d * b * ex, -d * b * ey, 0), S.NORMAL_INVERSE);
  v128.store(m, f32x4(-d * b * ex, d * a * ex * ex, d * a * ex * ey, 0), S.NORMAL_INVERSE + 16);
  v128.store(m, f32x4(-d * b * ey, d * a * ex * ey, d * a * ey * ey, 0), S.NORMAL_INVERSE + 32);
}

/** Minus the inverse of the symmetric matrix with these columns; false when it has none. */
function storeInverse(at: usize, k0: v128, k1: v128, k2: v128): bool {
  const c0 = crossLanes(k1, k2);
  const c1 = crossLanes(k2, k0);
  const c2 = crossLanes(k0, k1);
  const product = f32x4.mul(k0, c0);
  const determinant = f32x4.extract_lane(product, 0) + f32x4.extract_lane(product, 1) + f32x4.extract_lane(product, 2);
  const diagonal = f32x4.extract_lane(k0, 0) * f32x4.extract_lane(k1, 1) * f32x4.extract_lane(k2, 2);
  if (!(determinant > SINGULAR * diagonal && determinant > LEAST_DETERMINANT)) return false;
  const d = f32x4.splat(-1 / determinant);
  v128.store(at, f32x4.mul(c0, d));
  v128.store(at, f32x4.mul(c1, d), 16);
  v128.store(at, f32x4.mul(c2, d), 32);
  return true;
}

/** Inverse of the plane triple's response, step of the projected friction, the residual's scale, and the material. */
function preparePlane(m: usize, count: i32, pair: i32, x: v128, y: v128, moments: v128): void {
  const material = column(PAIR_MATERIAL) + ((<usize>pair) << 5);
  const k0 = v128.shuffle<f32>(v1, s1, 1, 2, 4, 7);
  const k1 = v128.shuffle<f32>(v2, s2, 1, 2, 4, 7);
  const k2 = v128.shuffle<f32>(v128.shuffle<f32>(s1, s2, 0, 4, 3, 3), j0, 0, 1, 4, 7);
  const v11 = f32x4.extract_lane(k0, 0);
  const v12 = f32x4.extract_lane(k0, 1);
  const v22 = f32x4.extract_lane(k1, 1);
  const s01 = f32x4.extract_lane(k2, 0);
  const s02 = f32x4.extract_lane(k2, 1);
  const i00 = f32x4.extract_lane(k2, 2);
  // A third of the trace of each point's response; the normal part is there already.
  let plane = f32x4.add(f32x4.splat(v11 + v22), v128.load(m, S.SCALE));
  plane = addMul(addMul(plane, y, f32x4.splat(-2 * s01)), x, f32x4.splat(2 * s02));
  plane = addMul(plane, f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.splat(i00));
  v128.store(m, f32x4.mul(plane, f32x4.splat(1.0 / 3.0)), S.SCALE);
  // Rows of N^½ K N^½ bound its largest eigenvalue.
  const moment = f32x4.extract_lane(moments, 0) + f32x4.extract_lane(moments, 1);
  const n = <f32>count;
  const root = sqrt<f32>(n * moment);
  const row1 = n * (v11 + abs(v12)) + root * abs(s01);
  const row2 = n * (v22 + abs(v12)) + root * abs(s02);
  const row3 = root * (abs(s01) + abs(s02)) + moment * i00;
  const step: f32 = 1 / max(max(row1, row2), row3);
  const friction = <f32>load<f64>(material);
  const hasTwist = moment > SMALLEST_SPREAD * SMALLEST_SPREAD && i00 * moment > LOCKED * (v11 + v22);
  if (hasTwist && storeInverse(m + S.PLANE_INVERSE, k0, k1, k2)) {
    v128.store(m, f32x4(friction, 1 / moment, 0, step), S.SCALARS);
  } else {
    v128.store(m, f32x4(friction, 0, 0, step), S.SCALARS);
    const d: f32 = -1 / (v11 * v22 - v12 * v12);
    v128.store(m, f32x4(d * v22, -d * v12, 0, 0), S.PLANE_INVERSE);
    v128.store(m, f32x4(-d * v12, d * v11, 0, 0), S.PLANE_INVERSE + 16);
    v128.store(m, f32x4.splat(0), S.PLANE_INVERSE + 32);
  }
  const restitution = <f32>load<f64>(material, 8);
  v128.store(m, f32x4(<f32>load<f64>(material, 16), <f32>load<f64>(material, 24), 0, restitution), S.SURFACE);
  store<i32>(m, restitution > 0 ? 1 : 0, S.HAS_BOUNCE);
}

/** Normal velocities before the step. */
function storeApproach(m: usize, a: usize, b: usize): void {
  const atB = f32x4.add(v128.load(b, S.V), crossLanes(v128.load(b, S.W), v128.load(m, S.ARM_B)));
  const atA = f32x4.add(v128.load(a, S.V), crossLanes(v128.load(a, S.W), v128.load(m, S.ARM_A)));
  const spin = f32x4.sub(v128.load(b, S.W), v128.load(a, S.W));
  const sums = sumLanes(
    f32x4.mul(f32x4.sub(atB, atA), v128.load(m, S.NORMAL)),
    f32x4.mul(spin, v128.load(m, S.TANGENT_1)),
    f32x4.mul(spin, v128.load(m, S.TANGENT_2)),
  );
  const speed = f32x4.sub(
    addMul(splat0(sums), splat1(sums), v128.load(m, S.Y)),
    f32x4.mul(splat2(sums), v128.load(m, S.X)),
  );
  v128.store(m, speed, S.APPROACH);
}
