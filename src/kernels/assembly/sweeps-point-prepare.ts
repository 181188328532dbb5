// Packs a manifold of one point for the sweeps (sweeps-point.ts).
//
// In: a pair with one point, the packed records of its bodies. Out: the point's record (sweeps-layout.ts).

import {
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_IMPULSE,
  PAIR_ISLAND,
  PAIR_MATERIAL,
  PAIR_NORMAL,
  PAIR_POINT,
  PAIR_TANGENT,
} from '../../state/layout';
import { column, getI32 } from './memory';
import * as S from './sweeps-layout';
import { loadVector, storeArm } from './sweeps-prepare';
import { relativeLinear } from './sweeps-relative';
import { addMul, crossLanes, mulColumns, splat0, splat1, splat2, splatSum, sumLanes } from './vector';

/** Fills the record `m` for `pair`; `a`, `b` are the bodies' records, `share` what part of a step's impulse a substep carries. */
export function preparePoint(m: usize, pair: i32, a: usize, b: usize, share: f64): void {
  store<i32>(m, pair, S.PAIR);
  store<i32>(m, getI32(column(PAIR_ISLAND), pair), S.ISLAND);
  const n = loadVector(column(PAIR_NORMAL) + ((<usize>pair) << 5));
  const t = loadVector(column(PAIR_TANGENT) + ((<usize>pair) << 5));
  const s = crossLanes(n, t);
  v128.store(m, n, S.NORMAL);
  v128.store(m, t, S.POINT_TANGENT);
  const point = column(PAIR_POINT) + ((<usize>pair) << 7);
  const xy = v128.load(point);
  const z = v128.load64_zero(point, 16);
  storeArm(m + S.ARM_A, getI32(column(PAIR_BODY_A), pair), xy, z);
  storeArm(m + S.ARM_B, getI32(column(PAIR_BODY_B), pair), xy, z);

  // Response to unit impulses along the normal and the tangents: with c = arm × d and w = J c of each body,
  // d · K d' = d · d' / m + c · w', K n = n / m + w × arm.
  const armA = v128.load(m, S.ARM_A);
  const armB = v128.load(m, S.ARM_B);
  const nA = crossLanes(armA, n);
  const nB = crossLanes(armB, n);
  const tA = crossLanes(armA, t);
  const tB = crossLanes(armB, t);
  const sA = crossLanes(armA, s);
  const sB = crossLanes(armB, s);
  const spinA = turnBy(a, nA);
  const spinB = turnBy(b, nB);
  const firstA = turnBy(a, tA);
  const firstB = turnBy(b, tB);
  const plane = sumLanes(
    addMul(f32x4.mul(tA, firstA), tB, firstB),
    addMul(f32x4.mul(sA, firstA), sB, firstB),
    addMul(f32x4.mul(sA, turnBy(a, sA)), sB, turnBy(b, sB)),
  );
  const inverseMass = load<f32>(a, S.INVERSE_MASS) + load<f32>(b, S.INVERSE_MASS);
  const k11 = inverseMass + f32x4.extract_lane(plane, 0);
  const k12 = f32x4.extract_lane(plane, 1);
  const k22 = inverseMass + f32x4.extract_lane(plane, 2);
  const turning = f32x4.add(crossLanes(spinA, armA), crossLanes(spinB, armB));
  const along = splatSum(f32x4.mul(turning, n));
  const normal = inverseMass + f32x4.extract_lane(along, 0);
  v128.store(m, f32x4.sub(turning, f32x4.mul(n, along)), S.POINT_COUPLING);
  store<f32>(m, 1 / normal, S.POINT_INVERSE);
  store<f32>(m, (normal + k11 + k22) / 3, S.POINT_SCALE);

  // Minus the inverse in the plane, t (·) tᵀ, as columns; the projected step is below the inverse of the largest eigenvalue.
  const d = f32x4.splat(-1 / (k11 * k22 - k12 * k12));
  const first = f32x4.mul(d, f32x4.sub(f32x4.mul(t, f32x4.splat(k22)), f32x4.mul(s, f32x4.splat(k12))));
  const second = f32x4.mul(d, f32x4.sub(f32x4.mul(s, f32x4.splat(k11)), f32x4.mul(t, f32x4.splat(k12))));
  v128.store(m, addMul(f32x4.mul(t, splat0(first)), s, splat0(second)), S.POINT_PLANE);
  v128.store(m, addMul(f32x4.mul(t, splat1(first)), s, splat1(second)), S.POINT_PLANE + 16);
  v128.store(m, addMul(f32x4.mul(t, splat2(first)), s, splat2(second)), S.POINT_PLANE + 32);
  store<f32>(m, 1 / (max<f32>(k11, k22) + abs<f32>(k12)), S.POINT_STEP);

  // Material, and the impulses of the last step.
  const material = column(PAIR_MATERIAL) + ((<usize>pair) << 5);
  const restitution = <f32>load<f64>(material, 8);
  store<f32>(m, <f32>load<f64>(material), S.POINT_MU);
  store<f32>(m, restitution, S.POINT_RESTITUTION);
  store<i32>(m, restitution > 0 ? 1 : 0, S.HAS_BOUNCE);
  v128.store(m, inPlane(t, s, load<f64>(material, 16), load<f64>(material, 24)), S.POINT_SURFACE);
  const impulse = column(PAIR_IMPULSE) + ((<usize>pair) << 7);
  store<f32>(m, <f32>(load<f64>(impulse) * share), S.POINT_NORMAL);
  v128.store(m, inPlane(t, s, load<f64>(impulse, 8) * share, load<f64>(impulse, 16) * share), S.POINT_FRICTION);
  store<f32>(m, <f32>load<f64>(point, 24), S.POINT_GAP);
  store<f32>(m, 0, S.POINT_HEAVIEST);
  const approach = f32x4.extract_lane(splatSum(f32x4.mul(n, relativeLinear(m, a, b))), 0);
  store<f32>(m, approach, S.POINT_APPROACH);
  store<f64>(impulse, <f64>approach, 24);
}

/** Writes the point's impulses back, as of a whole step of `substeps`, for the next warm start. */
export function keepPoint(m: usize, substeps: i32): void {
  const to = column(PAIR_IMPULSE) + ((<usize>load<i32>(m, S.PAIR)) << 7);
  const t = v128.load(m, S.POINT_TANGENT);
  const s = crossLanes(v128.load(m, S.NORMAL), t);
  const rT = v128.load(m, S.POINT_FRICTION);
  store<f64>(to, <f64>load<f32>(m, S.POINT_NORMAL) * substeps);
  store<f64>(to, <f64>f32x4.extract_lane(splatSum(f32x4.mul(rT, t)), 0) * substeps, 8);
  store<f64>(to, <f64>f32x4.extract_lane(splatSum(f32x4.mul(rT, s)), 0) * substeps, 16);
}

/** Spin of a body by the angular impulse c. */
function turnBy(body: usize, c: v128): v128 {
  return mulColumns(v128.load(body, S.IX), v128.load(body, S.IY), v128.load(body, S.IZ), c);
}

/** x t + y s. */
function inPlane(t: v128, s: v128, x: f64, y: f64): v128 {
  return addMul(f32x4.mul(t, f32x4.splat(<f32>x)), s, f32x4.splat(<f32>y));
}
