// Four single points in a sweep, a lane each: normal impulse, then friction on the disc.
//
// Four manifolds of five in a pile of mixed shapes have a single point, which obeys the law of sweeps/solve.ts simply:
//   r_N ← max(r_N − (u_N + rest) / K_NN, 0),
//   r_T ← r_T − K_TT⁻¹ u_T where that lies in the disc ‖r_T‖ ≤ mu r_N, else P_disc(r_T − s u_T).
// The four contacts of a record (a quad) share no yielding body, so solving them together is solving them in turn
// (sweeps/rows.ts sees to that). What A does is kept with its sign: its inverse mass and inertia are negative.
// Rejected: the two points of a line contact one by one as well. It saved 5 % of a pile's step, but a tower of ten
// layers on rollers crept by 8 mm in 10 s instead of 0.1.

import { addMul, joinHigh, joinLow, mixHigh, mixLow } from '../math/vector';
import { noteQuadSolved } from './active';
import * as S from './layout';
import { closing, fastest, recovery, slack } from './relative';

// Vectors of four lanes that functions return: module scratch.
/** Velocity of B against A at the points, world. */
let relativeX: v128 = f32x4.splat(0);
let relativeY: v128 = f32x4.splat(0);
let relativeZ: v128 = f32x4.splat(0);
let crossX: v128 = f32x4.splat(0);
let crossY: v128 = f32x4.splat(0);
let crossZ: v128 = f32x4.splat(0);

/** The row at offset `at` of the body whose address is at `lane`. */
function rowOf(lane: usize, at: usize): v128 {
  return v128.load(load<usize>(lane) + at);
}

/** cross := rows at `at` of the bodies listed at `list` × the arms at `arm`. */
function crossWithArms(list: usize, at: usize, arm: usize): void {
  const r0 = rowOf(list, at);
  const r1 = rowOf(list + 4, at);
  const r2 = rowOf(list + 8, at);
  const r3 = rowOf(list + 12, at);
  const low01 = mixLow(r0, r1);
  const low23 = mixLow(r2, r3);
  const x = joinLow(low01, low23);
  const y = joinHigh(low01, low23);
  const z = joinLow(mixHigh(r0, r1), mixHigh(r2, r3));
  const ax = v128.load(arm);
  const ay = v128.load(arm, 16);
  const az = v128.load(arm, 32);
  crossX = f32x4.sub(f32x4.mul(y, az), f32x4.mul(z, ay));
  crossY = f32x4.sub(f32x4.mul(z, ax), f32x4.mul(x, az));
  crossZ = f32x4.sub(f32x4.mul(x, ay), f32x4.mul(y, ax));
}

/**
 * relative := b − a + scale · (turn_B × arm_B − turn_A × arm_A) of the rows at
 * `linear` and `angular` of the bodies.
 */
export function relate(q: usize, linear: usize, angular: usize, scale: f32): void {
  crossWithArms(q + S.Q_READ_A, angular, q + S.Q_ARM_A);
  const x = crossX;
  const y = crossY;
  const z = crossZ;
  crossWithArms(q + S.Q_READ_B, angular, q + S.Q_ARM_B);
  const d0 = f32x4.sub(rowOf(q + S.Q_READ_B, linear), rowOf(q + S.Q_READ_A, linear));
  const d1 = f32x4.sub(rowOf(q + S.Q_READ_B + 4, linear), rowOf(q + S.Q_READ_A + 4, linear));
  const d2 = f32x4.sub(rowOf(q + S.Q_READ_B + 8, linear), rowOf(q + S.Q_READ_A + 8, linear));
  const d3 = f32x4.sub(rowOf(q + S.Q_READ_B + 12, linear), rowOf(q + S.Q_READ_A + 12, linear));
  const low01 = mixLow(d0, d1);
  const low23 = mixLow(d2, d3);
  const k = f32x4.splat(scale);
  relativeX = addMul(joinLow(low01, low23), f32x4.sub(crossX, x), k);
  relativeY = addMul(joinHigh(low01, low23), f32x4.sub(crossY, y), k);
  relativeZ = addMul(joinLow(mixHigh(d0, d1), mixHigh(d2, d3)), f32x4.sub(crossZ, z), k);
}

/** Sets the relative velocity of the points; of the velocities at V + set. */
export function relateQuad(q: usize, set: usize): void {
  relate(q, S.V + set, S.W + set, 1);
}

/** The relative vector along the direction whose rows are at `d`. */
export function along(d: usize): v128 {
  return addMul(addMul(f32x4.mul(v128.load(d), relativeX), v128.load(d, 16), relativeY), v128.load(d, 32), relativeZ);
}

/** The row of a velocity and of a spin to what body `lane` of the lists has, those at V + set. */
function addToBody(lane: usize, set: usize, v: v128, w: v128): void {
  const from = load<usize>(lane) + set;
  const to = load<usize>(lane, S.Q_WRITE_A - S.Q_READ_A) + set;
  v128.store(to, f32x4.add(v128.load(from, S.V), v), S.V);
  v128.store(to, f32x4.add(v128.load(from, S.W), w), S.W);
}

/** Adds the impulses f (world) to the four bodies listed at `list`, with the response at `mass` and `inertia`. */
function applyToSide(
  list: usize,
  set: usize,
  arm: usize,
  mass: usize,
  inertia: usize,
  fx: v128,
  fy: v128,
  fz: v128,
): void {
  const ax = v128.load(arm);
  const ay = v128.load(arm, 16);
  const az = v128.load(arm, 32);
  const cx = f32x4.sub(f32x4.mul(ay, fz), f32x4.mul(az, fy));
  const cy = f32x4.sub(f32x4.mul(az, fx), f32x4.mul(ax, fz));
  const cz = f32x4.sub(f32x4.mul(ax, fy), f32x4.mul(ay, fx));
  const xy = v128.load(inertia, 48);
  const xz = v128.load(inertia, 64);
  const yz = v128.load(inertia, 80);
  const wx = addMul(addMul(f32x4.mul(v128.load(inertia), cx), xy, cy), xz, cz);
  const wy = addMul(addMul(f32x4.mul(v128.load(inertia, 16), cy), xy, cx), yz, cz);
  const wz = addMul(addMul(f32x4.mul(v128.load(inertia, 32), cz), xz, cx), yz, cy);
  const m = v128.load(mass);
  const vx = f32x4.mul(fx, m);
  const vy = f32x4.mul(fy, m);
  const vz = f32x4.mul(fz, m);
  const zero = f32x4.splat(0);
  const v01 = mixLow(vx, vy);
  const v23 = mixHigh(vx, vy);
  const w01 = mixLow(wx, wy);
  const w23 = mixHigh(wx, wy);
  const vz01 = mixLow(vz, zero);
  const vz23 = mixHigh(vz, zero);
  const wz01 = mixLow(wz, zero);
  const wz23 = mixHigh(wz, zero);
  addToBody(list, set, joinLow(v01, vz01), joinLow(w01, wz01));
  addToBody(list + 4, set, joinHigh(v01, vz01), joinHigh(w01, wz01));
  addToBody(list + 8, set, joinLow(v23, vz23), joinLow(w23, wz23));
  addToBody(list + 12, set, joinHigh(v23, vz23), joinHigh(w23, wz23));
}

function applyForces(q: usize, set: usize, fx: v128, fy: v128, fz: v128): void {
  applyToSide(q + S.Q_READ_A, set, q + S.Q_ARM_A, q + S.Q_MASS_A, q + S.Q_INERTIA_A, fx, fy, fz);
  applyToSide(q + S.Q_READ_B, set, q + S.Q_ARM_B, q + S.Q_MASS_B, q + S.Q_INERTIA_B, fx, fy, fz);
}

/** Applies impulses along the normals. */
function applyNormal(q: usize, set: usize, f: v128): void {
  const x = f32x4.mul(f, v128.load(q, S.Q_NORMAL));
  const y = f32x4.mul(f, v128.load(q, S.Q_NORMAL + 16));
  const z = f32x4.mul(f, v128.load(q, S.Q_NORMAL + 32));
  applyForces(q, set, x, y, z);
}

/** Applies impulses in the frames. */
function applyFrame(q: usize, f: v128, f1: v128, f2: v128): void {
  const n = q + S.Q_NORMAL;
  const t = q + S.Q_TANGENT_1;
  const s = q + S.Q_TANGENT_2;
  const x = addMul(addMul(f32x4.mul(f, v128.load(n)), f1, v128.load(t)), f2, v128.load(s));
  const y = addMul(addMul(f32x4.mul(f, v128.load(n, 16)), f1, v128.load(t, 16)), f2, v128.load(s, 16));
  const z = addMul(addMul(f32x4.mul(f, v128.load(n, 32)), f1, v128.load(t, 32)), f2, v128.load(s, 32));
  applyForces(q, 0, x, y, z);
}

/** Applies the impulses that the points start with. */
export function warmStartQuad(q: usize): void {
  const rN = v128.load(q, S.Q_R_N);
  if (!v128.any_true(rN)) return;
  applyFrame(q, rN, v128.load(q, S.Q_R_1), v128.load(q, S.Q_R_2));
}

/** Solves the points for the targets at Q_REST. */
export function solveQuad(q: usize): void {
  relateQuad(q, 0);
  const zero = f32x4.splat(0);
  // Normal part. Points that neither carry nor are asked to have no friction either.
  const rN = v128.load(q, S.Q_R_N);
  const target = f32x4.add(along(q + S.Q_NORMAL), v128.load(q, S.Q_REST));
  const newN = f32x4.pmax(zero, f32x4.sub(rN, f32x4.mul(target, v128.load(q, S.Q_INVERSE))));
  if (!v128.any_true(v128.or(newN, rN))) {
    noteQuadSolved(q, zero, zero, zero);
    return;
  }
  const change = f32x4.sub(newN, rN);

  // Friction.
  const u1 = f32x4.sub(
    addMul(along(q + S.Q_TANGENT_1), v128.load(q, S.Q_COUPLING_1), change),
    v128.load(q, S.Q_SURFACE_1),
  );
  const u2 = f32x4.sub(
    addMul(along(q + S.Q_TANGENT_2), v128.load(q, S.Q_COUPLING_2), change),
    v128.load(q, S.Q_SURFACE_2),
  );
  const limit = f32x4.mul(newN, v128.load(q, S.Q_MU));
  const limitSquare = f32x4.mul(limit, limit);
  const r1 = v128.load(q, S.Q_R_1);
  const r2 = v128.load(q, S.Q_R_2);
  const coupled = v128.load(q, S.Q_PLANE_12);
  let new1 = addMul(addMul(r1, v128.load(q, S.Q_PLANE_11), u1), coupled, u2);
  let new2 = addMul(addMul(r2, coupled, u1), v128.load(q, S.Q_PLANE_22), u2);
  const isBeyond = f32x4.gt(addMul(f32x4.mul(new1, new1), new2, new2), limitSquare);
  if (v128.any_true(isBeyond)) {
    const step = v128.load(q, S.Q_STEP);
    const s1 = f32x4.sub(r1, f32x4.mul(step, u1));
    const s2 = f32x4.sub(r2, f32x4.mul(step, u2));
    const square = addMul(f32x4.mul(s1, s1), s2, s2);
    const scale = v128.bitselect(f32x4.div(limit, f32x4.sqrt(square)), f32x4.splat(1), f32x4.gt(square, limitSquare));
    new1 = v128.bitselect(f32x4.mul(s1, scale), new1, isBeyond);
    new2 = v128.bitselect(f32x4.mul(s2, scale), new2, isBeyond);
  }
  v128.store(q, newN, S.Q_R_N);
  v128.store(q, new1, S.Q_R_1);
  v128.store(q, new2, S.Q_R_2);
  noteQuadSolved(q, change, f32x4.sub(new1, r1), f32x4.sub(new2, r2));
  applyFrame(q, change, f32x4.sub(new1, r1), f32x4.sub(new2, r2));
}

/** Recovery of four points: as recoverManifold. */
export function recoverQuad(q: usize): void {
  recoverLanes(q, i32x4.splat(-1));
}

/** The same for the lanes with a body that does not yield, whose changes go to `sink`. */
export function recoverQuadFrom(q: usize, sink: i32): void {
  const isFixedA = i32x4.eq(v128.load(q, S.Q_WRITE_A), i32x4.splat(sink));
  const isFixedB = i32x4.eq(v128.load(q, S.Q_WRITE_B), i32x4.splat(sink));
  recoverLanes(q, v128.or(isFixedA, isFixedB));
}

function recoverLanes(q: usize, lanes: v128): void {
  relateQuad(q, S.TO_MOTION);
  const rN = v128.load(q, S.Q_R_N);
  const target = f32x4.add(along(q + S.Q_NORMAL), v128.load(q, S.Q_BIAS));
  const newN = f32x4.pmax(f32x4.splat(0), f32x4.sub(rN, f32x4.mul(target, v128.load(q, S.Q_INVERSE))));
  if (!v128.any_true(v128.or(newN, rN))) return;
  applyNormal(q, S.TO_MOTION, v128.and(lanes, f32x4.sub(newN, rN)));
}

/**
 * Gaps now, and targets from them. Unlike in trackGaps a turn θ moves the point by θ × arm, not along the circle:
 * most such points are under balls and capsules, which roll over them without rising by r (1 − cos θ).
 */
export function trackQuad(q: usize): void {
  // For the quaternion of a small turn, θ = 2 (x, y, z).
  relate(q, S.MOVED, S.TURNED, 2);
  const gap = f32x4.add(v128.load(q, S.Q_GAP), along(q + S.Q_NORMAL));
  const free = f32x4.splat(slack);
  const beyond = f32x4.mul(f32x4.splat(closing), f32x4.max(f32x4.sub(gap, free), f32x4.splat(0)));
  const near = f32x4.mul(f32x4.splat(recovery), f32x4.min(gap, free));
  v128.store(q, beyond, S.Q_REST);
  v128.store(q, f32x4.add(f32x4.max(near, f32x4.splat(-fastest)), beyond), S.Q_BIAS);
}

/** Adds the impulses of a substep to those of the step. */
export function noteQuad(q: usize): void {
  v128.store(q, f32x4.add(v128.load(q, S.Q_TOTAL_N), v128.load(q, S.Q_R_N)), S.Q_TOTAL_N);
  v128.store(q, f32x4.add(v128.load(q, S.Q_TOTAL_1), v128.load(q, S.Q_R_1)), S.Q_TOTAL_1);
  v128.store(q, f32x4.add(v128.load(q, S.Q_TOTAL_2), v128.load(q, S.Q_R_2)), S.Q_TOTAL_2);
}
