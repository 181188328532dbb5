// One point in a sweep: normal impulse, then friction on the disc, in world axes.
//
// Four manifolds of five in a pile of mixed shapes have a single point, and a fifth of those are speculative and
// carry nothing. They need none of the block solves of sweeps-solve.ts, whose law this is:
//   r_N ← max(r_N − (u_N + rest) / K_NN, 0),
//   r_T ← r_T − K_TT⁻¹ u_T where that lies in the disc ‖r_T‖ ≤ mu r_N, else P_disc(r_T − s u_T).
// Plane vectors are kept as world vectors, so that impulses need no change of axes.

import * as S from './sweeps-layout';
import { INVERSE_MASS, IX, IY, IZ, V, W } from './sweeps-layout';
import { closing, fastest, recovery, relativeLinear, relativeMoved, slack } from './sweeps-relative';
import { addMul, crossLanes, mulColumns, splatSum } from './vector';

/** Adds the impulse `f` (world) at the point to both bodies' velocities, those at V + set. */
function applyForce(m: usize, a: usize, b: usize, f: v128, set: usize): void {
  const onB = crossLanes(v128.load(m, S.ARM_B), f);
  const onA = crossLanes(v128.load(m, S.ARM_A), f);
  const spinB = mulColumns(v128.load(b, IX), v128.load(b, IY), v128.load(b, IZ), onB);
  const spinA = mulColumns(v128.load(a, IX), v128.load(a, IY), v128.load(a, IZ), onA);
  const toB = load<usize>(m, S.WRITE_B) + set;
  const toA = load<usize>(m, S.WRITE_A) + set;
  v128.store(toB, addMul(v128.load(b + set, V), f, v128.load32_splat(b, INVERSE_MASS)), V);
  v128.store(toB, f32x4.add(v128.load(b + set, W), spinB), W);
  v128.store(toA, f32x4.sub(v128.load(a + set, V), f32x4.mul(f, v128.load32_splat(a, INVERSE_MASS))), V);
  v128.store(toA, f32x4.sub(v128.load(a + set, W), spinA), W);
}

/** Applies the impulses that the point starts with. */
export function warmStartPoint(m: usize): void {
  const n = v128.load(m, S.NORMAL);
  const f = addMul(v128.load(m, S.POINT_FRICTION), n, v128.load32_splat(m, S.POINT_NORMAL));
  applyForce(m, load<usize>(m, S.READ_A), load<usize>(m, S.READ_B), f, 0);
}

/** Solves the point for the target at POINT_REST. */
export function solvePoint(m: usize): void {
  const a = load<usize>(m, S.READ_A);
  const b = load<usize>(m, S.READ_B);
  const n = v128.load(m, S.NORMAL);
  const u = relativeLinear(m, a, b);

  // Normal part. A point that neither carries nor is asked to has no friction either.
  const uN = splatSum(f32x4.mul(n, u));
  const rN = v128.load32_splat(m, S.POINT_NORMAL);
  const target = f32x4.add(uN, v128.load32_splat(m, S.POINT_REST));
  const zero = f32x4.splat(0);
  const newN = f32x4.pmax(zero, f32x4.sub(rN, f32x4.mul(target, v128.load32_splat(m, S.POINT_INVERSE))));
  if (!v128.any_true(v128.or(newN, rN))) return;
  const change = f32x4.sub(newN, rN);

  // Friction.
  let uT = f32x4.sub(f32x4.sub(u, f32x4.mul(n, uN)), v128.load(m, S.POINT_SURFACE));
  uT = addMul(uT, v128.load(m, S.POINT_COUPLING), change);
  const limit = f32x4.mul(newN, v128.load32_splat(m, S.POINT_MU));
  const limitSquare = f32x4.mul(limit, limit);
  const rT = v128.load(m, S.POINT_FRICTION);
  let newT = f32x4.add(
    rT,
    mulColumns(v128.load(m, S.POINT_PLANE), v128.load(m, S.POINT_PLANE + 16), v128.load(m, S.POINT_PLANE + 32), uT),
  );
  if (v128.any_true(f32x4.gt(splatSum(f32x4.mul(newT, newT)), limitSquare))) {
    newT = f32x4.sub(rT, f32x4.mul(uT, v128.load32_splat(m, S.POINT_STEP)));
    const square = splatSum(f32x4.mul(newT, newT));
    if (v128.any_true(f32x4.gt(square, limitSquare))) {
      newT = f32x4.mul(newT, f32x4.div(limit, f32x4.sqrt(square)));
    }
  }
  v128.store32_lane(m, newN, 0, S.POINT_NORMAL);
  v128.store(m, newT, S.POINT_FRICTION);
  applyForce(m, a, b, addMul(f32x4.sub(newT, rT), n, change), 0);
}

/** Recovery of one point: as recoverManifold. */
export function recoverPoint(m: usize): void {
  const a = load<usize>(m, S.READ_A);
  const b = load<usize>(m, S.READ_B);
  const n = v128.load(m, S.NORMAL);
  const uN = splatSum(f32x4.mul(n, relativeLinear(m, a + S.TO_MOTION, b + S.TO_MOTION)));
  const target = f32x4.add(uN, v128.load32_splat(m, S.POINT_BIAS));
  const rN = v128.load32_splat(m, S.POINT_NORMAL);
  const zero = f32x4.splat(0);
  const newN = f32x4.pmax(zero, f32x4.sub(rN, f32x4.mul(target, v128.load32_splat(m, S.POINT_INVERSE))));
  if (!v128.any_true(v128.or(newN, rN))) return;
  applyForce(m, a, b, f32x4.mul(n, f32x4.sub(newN, rN)), S.TO_MOTION);
}

/**
 * Gap now, and targets from it. Unlike in trackGaps a turn θ moves the point by θ × arm, not along the circle: most
 * such points are under balls and capsules, which roll over them without rising by r (1 − cos θ).
 */
export function trackPoint(m: usize): void {
  const a = load<usize>(m, S.READ_A);
  const b = load<usize>(m, S.READ_B);
  // For the quaternion of a small turn, θ = 2 (x, y, z).
  const turned = f32x4.sub(
    crossLanes(v128.load(b, S.TURNED), v128.load(m, S.ARM_B)),
    crossLanes(v128.load(a, S.TURNED), v128.load(m, S.ARM_A)),
  );
  const moved = addMul(relativeMoved(a, b), turned, f32x4.splat(2));
  const opened = splatSum(f32x4.mul(v128.load(m, S.NORMAL), moved));
  const gap = load<f32>(m, S.POINT_GAP) + f32x4.extract_lane(opened, 0);
  const beyond: f32 = closing * max<f32>(gap - slack, 0);
  store<f32>(m, beyond, S.POINT_REST);
  store<f32>(m, max<f32>(recovery * min<f32>(gap, slack), -fastest) + beyond, S.POINT_BIAS);
}

/** Notes the largest normal impulse of the step. */
export function notePoint(m: usize): void {
  store<f32>(m, max<f32>(load<f32>(m, S.POINT_HEAVIEST), load<f32>(m, S.POINT_NORMAL)), S.POINT_HEAVIEST);
}

/** Bounce of one point: as bounceManifold. */
export function bouncePoint(m: usize, threshold: f32): void {
  const approach = load<f32>(m, S.POINT_APPROACH);
  if (approach >= -threshold || load<f32>(m, S.POINT_HEAVIEST) <= 0) return;
  const a = load<usize>(m, S.READ_A);
  const b = load<usize>(m, S.READ_B);
  const n = v128.load(m, S.NORMAL);
  const uN = f32x4.extract_lane(splatSum(f32x4.mul(n, relativeLinear(m, a, b))), 0);
  const target = uN + load<f32>(m, S.POINT_REST) + approach * load<f32>(m, S.POINT_RESTITUTION);
  const rN = load<f32>(m, S.POINT_NORMAL);
  const newN = max<f32>(rN - target * load<f32>(m, S.POINT_INVERSE), 0);
  store<f32>(m, newN, S.POINT_NORMAL);
  applyForce(m, a, b, f32x4.mul(n, f32x4.splat(newN - rN)), 0);
}
