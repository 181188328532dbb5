// One manifold in a sweep: exact block solve of its normal part, then of its friction.
//
// Velocities are updated at once (Gauss-Seidel between manifolds). Inside a manifold the points are solved
// together. Fast way: the impulse that brings the normal triple exactly to its target, spread over the points by
// least squares; right when no point then pulls. Else projected Gauss-Seidel on the points' own 4 × 4 system.
// Friction likewise: the impulse that stops the plane triple, right when it lies in every point's disc
// ‖r_T‖ ≤ mu r_N; else a projected-gradient step r_T ← P_disc(r_T − s u_T) with one scalar s
// per manifold, below the inverse of the largest eigenvalue. Every fixed point is the
// Signorini–Coulomb law itself: discs, no pyramids.

import { addMul, crossLanes, mulColumns, splat0, splat1, splat2, splat3, sumLanes } from '../math/vector';
import { noteManifoldSolved } from './active';
import {
  ARM_A,
  ARM_B,
  BIAS,
  BIAS_LANES,
  COUNT,
  COUPLING,
  DELASSUS,
  DIAGONAL,
  GAP,
  INVERSE_MASS,
  IS_SINGULAR,
  IX,
  IY,
  IZ,
  MASK,
  NORMAL,
  NORMAL_INVERSE,
  PLANE_INVERSE,
  R_1,
  R_2,
  R_N,
  READ_A,
  READ_B,
  REST,
  REST_LANES,
  ROW_X,
  ROW_Y,
  ROW_Z,
  SCALARS,
  SPREAD,
  SURFACE,
  TANGENT_1,
  TANGENT_2,
  TO_MOTION,
  TOTAL_1,
  TOTAL_2,
  TOTAL_N,
  V,
  W,
  WRITE_A,
  WRITE_B,
  X,
  Y,
} from './layout';
import { closing, fastest, recovery, relativeLinear, relativeMoved, slack, turnBack } from './relative';

/** Rounds of Gauss-Seidel over the points where the fast way does not hold. */
const POINT_ROUNDS: i32 = 3;
/** Lanes may miss a planar target by this before the points are looked at one by one [m/s]. */
const WARP_TOLERANCE: f32 = 1e-5;

/** Adds the impulse with frame components `force`, `torque` to both bodies. */
function applyImpulse(m: usize, a: usize, b: usize, force: v128, torque: v128, set: usize = 0): void {
  const n = v128.load(m, NORMAL);
  const t1 = v128.load(m, TANGENT_1);
  const t2 = v128.load(m, TANGENT_2);
  const f = mulColumns(n, t1, t2, force);
  const t = mulColumns(n, t1, t2, torque);
  const onB = f32x4.add(t, crossLanes(v128.load(m, ARM_B), f));
  const onA = f32x4.add(t, crossLanes(v128.load(m, ARM_A), f));
  const toB = load<usize>(m, WRITE_B) + set;
  const toA = load<usize>(m, WRITE_A) + set;
  v128.store(toB, addMul(v128.load(b, V), f, v128.load32_splat(b - set, INVERSE_MASS)), V);
  v128.store(
    toB,
    f32x4.add(v128.load(b, W), mulColumns(v128.load(b - set, IX), v128.load(b - set, IY), v128.load(b - set, IZ), onB)),
    W,
  );
  v128.store(toA, f32x4.sub(v128.load(a, V), f32x4.mul(f, v128.load32_splat(a - set, INVERSE_MASS))), V);
  v128.store(
    toA,
    f32x4.sub(v128.load(a, W), mulColumns(v128.load(a - set, IX), v128.load(a - set, IY), v128.load(a - set, IZ), onA)),
    W,
  );
}

/** Applies the impulses that the manifold starts with. */
export function warmStart(m: usize): void {
  const x = v128.load(m, X);
  const y = v128.load(m, Y);
  const rn = v128.load(m, R_N);
  const r1 = v128.load(m, R_1);
  const r2 = v128.load(m, R_2);
  const force = sumLanes(rn, r1, r2);
  const torque = sumLanes(f32x4.sub(f32x4.mul(x, r2), f32x4.mul(y, r1)), f32x4.mul(y, rn), f32x4.neg(f32x4.mul(x, rn)));
  applyImpulse(m, load<usize>(m, READ_A), load<usize>(m, READ_B), force, torque);
}

/** Solves the manifold for the targets at REST. */
export function solveManifold(m: usize): void {
  const a = load<usize>(m, READ_A);
  const b = load<usize>(m, READ_B);
  const rowX = v128.load(m, ROW_X);
  const rowY = v128.load(m, ROW_Y);
  const rowZ = v128.load(m, ROW_Z);
  const linear = mulColumns(rowX, rowY, rowZ, relativeLinear(m, a, b));
  const angular = mulColumns(rowX, rowY, rowZ, f32x4.sub(v128.load(b, W), v128.load(a, W)));

  // Normal part.
  const target = v128.load(m, REST);
  const triple = f32x4.add(v128.shuffle<f32>(linear, angular, 0, 5, 6, 3), target);
  const rn = v128.load(m, R_N);
  let fn = mulColumns(
    v128.load(m, NORMAL_INVERSE),
    v128.load(m, NORMAL_INVERSE + 16),
    v128.load(m, NORMAL_INVERSE + 32),
    triple,
  );
  let newN = f32x4.add(rn, mulColumns(v128.load(m, SPREAD), v128.load(m, SPREAD + 16), v128.load(m, SPREAD + 32), fn));
  const zero = f32x4.splat(0);

  if (v128.any_true(f32x4.lt(newN, zero)) || f32x4.extract_lane(target, 3) != 0) {
    newN = solvePoints(m, rn, linear, angular, v128.load(m, REST_LANES));
    // What neither carries nor is asked to has no friction either.
    if (!v128.any_true(v128.or(newN, rn))) {
      noteManifoldSolved(m, zero, zero, zero);
      return;
    }
    const change = f32x4.sub(newN, rn);
    fn = sumLanes(change, f32x4.mul(v128.load(m, Y), change), f32x4.neg(f32x4.mul(v128.load(m, X), change)));
  }
  v128.store(m, newN, R_N);

  // Friction.
  const u = f32x4.add(
    f32x4.sub(v128.shuffle<f32>(linear, angular, 1, 2, 4, 3), v128.load(m, SURFACE)),
    mulColumns(v128.load(m, COUPLING), v128.load(m, COUPLING + 16), v128.load(m, COUPLING + 32), fn),
  );
  const scalars = v128.load(m, SCALARS);
  const x = v128.load(m, X);
  const y = v128.load(m, Y);
  const r1 = v128.load(m, R_1);
  const r2 = v128.load(m, R_2);
  const limit = f32x4.mul(newN, splat0(scalars));
  const limitSquare = f32x4.mul(limit, limit);
  let ft = mulColumns(
    v128.load(m, PLANE_INVERSE),
    v128.load(m, PLANE_INVERSE + 16),
    v128.load(m, PLANE_INVERSE + 32),
    u,
  );
  const share = v128.load(m, SPREAD);
  const twist = f32x4.mul(splat2(ft), splat1(scalars));
  let new1 = f32x4.sub(addMul(r1, share, splat0(ft)), f32x4.mul(y, twist));
  let new2 = addMul(addMul(r2, share, splat1(ft)), x, twist);

  if (v128.any_true(f32x4.gt(addMul(f32x4.mul(new1, new1), new2, new2), limitSquare))) {
    const s = splat3(scalars);
    const spin = splat2(u);
    new1 = f32x4.sub(r1, f32x4.mul(s, f32x4.sub(splat0(u), f32x4.mul(spin, y))));
    new2 = f32x4.sub(r2, f32x4.mul(s, addMul(splat1(u), spin, x)));
    const square = addMul(f32x4.mul(new1, new1), new2, new2);
    const scale = v128.bitselect(f32x4.div(limit, f32x4.sqrt(square)), f32x4.splat(1), f32x4.gt(square, limitSquare));
    new1 = f32x4.mul(new1, scale);
    new2 = f32x4.mul(new2, scale);
    const change1 = f32x4.sub(new1, r1);
    const change2 = f32x4.sub(new2, r2);
    ft = sumLanes(change1, change2, f32x4.sub(f32x4.mul(x, change2), f32x4.mul(y, change1)));
  }
  v128.store(m, new1, R_1);
  v128.store(m, new2, R_2);
  noteManifoldSolved(m, f32x4.sub(newN, rn), f32x4.sub(new1, r1), f32x4.sub(new2, r2));
  applyImpulse(m, a, b, v128.shuffle<f32>(fn, ft, 0, 4, 5, 3), v128.shuffle<f32>(fn, ft, 6, 1, 2, 3));
}

/**
 * Recovery: like the normal part of solveManifold, but on the velocities that move the poses (TO_MOTION), for the
 * targets at BIAS, from the impulses at hand, which are not changed: nothing of it stays in velocity or warm start.
 */
export function recoverManifold(m: usize): void {
  const a = load<usize>(m, READ_A) + TO_MOTION;
  const b = load<usize>(m, READ_B) + TO_MOTION;
  const rowX = v128.load(m, ROW_X);
  const rowY = v128.load(m, ROW_Y);
  const rowZ = v128.load(m, ROW_Z);
  const linear = mulColumns(rowX, rowY, rowZ, relativeLinear(m, a, b));
  const angular = mulColumns(rowX, rowY, rowZ, f32x4.sub(v128.load(b, W), v128.load(a, W)));
  const target = v128.load(m, BIAS);
  const triple = f32x4.add(v128.shuffle<f32>(linear, angular, 0, 5, 6, 3), target);
  const rn = v128.load(m, R_N);
  let fn = mulColumns(
    v128.load(m, NORMAL_INVERSE),
    v128.load(m, NORMAL_INVERSE + 16),
    v128.load(m, NORMAL_INVERSE + 32),
    triple,
  );
  const newN = f32x4.add(
    rn,
    mulColumns(v128.load(m, SPREAD), v128.load(m, SPREAD + 16), v128.load(m, SPREAD + 32), fn),
  );
  const zero = f32x4.splat(0);
  if (v128.any_true(f32x4.lt(newN, zero)) || f32x4.extract_lane(target, 3) != 0) {
    const points = solvePoints(m, rn, linear, angular, v128.load(m, BIAS_LANES));
    if (!v128.any_true(v128.or(points, rn))) return;
    const change = f32x4.sub(points, rn);
    fn = sumLanes(change, f32x4.mul(v128.load(m, Y), change), f32x4.neg(f32x4.mul(v128.load(m, X), change)));
  }
  const force = v128.shuffle<f32>(fn, zero, 0, 4, 5, 3);
  const torque = v128.shuffle<f32>(fn, zero, 4, 1, 2, 3);
  applyImpulse(m, a, b, force, torque, TO_MOTION);
}

/** Projected Gauss-Seidel over the points alone, from the impulses `rn`; returns the new ones. */
function solvePoints(m: usize, rn: v128, linear: v128, angular: v128, bias: v128): v128 {
  let w = f32x4.add(splat0(linear), bias);
  w = addMul(w, splat1(angular), v128.load(m, Y));
  w = f32x4.sub(w, f32x4.mul(splat2(angular), v128.load(m, X)));
  const isApproaching = v128.and(f32x4.lt(w, f32x4.splat(0)), v128.load(m, MASK));
  if (!v128.any_true(v128.or(rn, isApproaching))) return rn;
  const isPair = load<i32>(m, COUNT) == 2;
  const c0 = v128.load(m, DELASSUS);
  const c1 = v128.load(m, DELASSUS + 16);
  const c2 = v128.load(m, DELASSUS + 32);
  const c3 = v128.load(m, DELASSUS + 48);
  const inverse = v128.load(m, DIAGONAL);
  const i0 = f32x4.extract_lane(inverse, 0);
  const i1 = f32x4.extract_lane(inverse, 1);
  const i2 = f32x4.extract_lane(inverse, 2);
  const i3 = f32x4.extract_lane(inverse, 3);
  let r0 = f32x4.extract_lane(rn, 0);
  let r1 = f32x4.extract_lane(rn, 1);
  let r2 = f32x4.extract_lane(rn, 2);
  let r3 = f32x4.extract_lane(rn, 3);
  for (let k = 0; k < POINT_ROUNDS; k++) {
    let d = max<f32>(-f32x4.extract_lane(w, 0) * i0, -r0);
    r0 += d;
    w = addMul(w, c0, f32x4.splat(d));
    d = max<f32>(-f32x4.extract_lane(w, 1) * i1, -r1);
    r1 += d;
    w = addMul(w, c1, f32x4.splat(d));
    if (isPair) continue;
    d = max<f32>(-f32x4.extract_lane(w, 2) * i2, -r2);
    r2 += d;
    w = addMul(w, c2, f32x4.splat(d));
    d = max<f32>(-f32x4.extract_lane(w, 3) * i3, -r3);
    r3 += d;
    w = addMul(w, c3, f32x4.splat(d));
  }
  return f32x4(r0, r1, r2, r3);
}

/**
 * Gaps now, from the bodies' displacement since the step began (points fixed in the bodies,
 * normal fixed); targets from them.
 */
export function trackGaps(m: usize): void {
  const a = load<usize>(m, READ_A);
  const b = load<usize>(m, READ_B);
  const n = v128.load(m, NORMAL);
  const turnA = turnBack(a, n);
  const turnB = turnBack(b, n);
  const x = v128.load(m, X);
  const y = v128.load(m, Y);
  // Along n: the centres' displacement and what the arms add; along the tangents: what the place in the plane adds.
  const moved = relativeMoved(a, b);
  const rest = f32x4.add(
    f32x4.mul(moved, n),
    f32x4.sub(f32x4.mul(v128.load(m, ARM_B), turnB), f32x4.mul(v128.load(m, ARM_A), turnA)),
  );
  const turn = f32x4.sub(turnB, turnA);
  const sums = sumLanes(rest, f32x4.mul(turn, v128.load(m, TANGENT_1)), f32x4.mul(turn, v128.load(m, TANGENT_2)));
  let gap = f32x4.add(v128.load(m, GAP), splat0(sums));
  gap = addMul(addMul(gap, splat1(sums), x), splat2(sums), y);

  const zero = f32x4.splat(0);
  const beyond = f32x4.mul(f32x4.splat(closing), f32x4.max(f32x4.sub(gap, f32x4.splat(slack)), zero));
  const mask = v128.load(m, MASK);
  const near = f32x4.mul(f32x4.splat(recovery), f32x4.min(gap, f32x4.splat(slack)));
  writeTarget(m + BIAS, m, v128.and(mask, f32x4.add(f32x4.max(near, f32x4.splat(-fastest)), beyond)));
  writeTarget(m + REST, m, v128.and(mask, beyond));
}

/** Writes the lanes, the triple nearest to them, and whether that says all. */
export function writeTarget(at: usize, m: usize, lanes: v128): void {
  const triple = sumLanes(
    f32x4.mul(v128.load(m, SPREAD), lanes),
    f32x4.mul(v128.load(m, SPREAD + 16), lanes),
    f32x4.mul(v128.load(m, SPREAD + 32), lanes),
  );
  let miss = f32x4.sub(lanes, splat0(triple));
  miss = f32x4.sub(miss, f32x4.mul(splat1(triple), v128.load(m, Y)));
  miss = v128.and(v128.load(m, MASK), addMul(miss, splat2(triple), v128.load(m, X)));
  const isWarped =
    v128.any_true(f32x4.gt(f32x4.abs(miss), f32x4.splat(WARP_TOLERANCE))) || load<i32>(m, IS_SINGULAR) != 0;
  v128.store(at, f32x4.replace_lane(triple, 3, isWarped ? 1 : 0));
  v128.store(at, lanes, 16);
}

/** Adds the impulses of a substep to those of the step. */
export function noteImpulse(m: usize): void {
  v128.store(m, f32x4.add(v128.load(m, TOTAL_N), v128.load(m, R_N)), TOTAL_N);
  v128.store(m, f32x4.add(v128.load(m, TOTAL_1), v128.load(m, R_1)), TOTAL_1);
  v128.store(m, f32x4.add(v128.load(m, TOTAL_2), v128.load(m, R_2)), TOTAL_2);
}
