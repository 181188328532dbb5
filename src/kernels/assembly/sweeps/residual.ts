// Residual of the sweeps' islands: the one error measure (solvers/residual.ts), four points at a time in f32.
//
// Per point r̂ = λ(mu r_N, r_T), û = (u_N + mu‖u_T‖, mu u_T), f = r̂ + û − (r̂∘r̂ +
// û∘û)^½; for mu = 0 the scalar function. The small eigenvalue under the root is formed from sums of
// squares, else f32 would lose half its digits.

import { ISLAND_RESIDUAL } from '../../../state/layout';
import { addMul, mulColumns, splat0, splat1, splat2 } from '../math/vector';
import { column, getF64, setF64 } from '../memory';
import {
  ISLAND,
  MASK,
  Q_IMPULSE,
  Q_ISLAND,
  Q_MU,
  Q_NORMAL,
  Q_R_1,
  Q_R_2,
  Q_R_N,
  Q_REST,
  Q_SCALE,
  Q_SURFACE_1,
  Q_SURFACE_2,
  Q_TANGENT_1,
  Q_TANGENT_2,
  Q_TOLERANCE,
  R_1,
  R_2,
  R_N,
  READ_A,
  READ_B,
  REST_LANES,
  ROW_X,
  ROW_Y,
  ROW_Z,
  SCALARS,
  SCALE,
  SURFACE,
  TOLERANCE,
  W,
  X,
  Y,
} from './layout';
import { along, relateQuad } from './quad';
import { relativeLinear } from './relative';

/** A residual that may remain, in tolerances of change: 0.015 of the island's largest free velocity [-]. */
const MISSED: f32 = 5;

/**
 * Largest residual of each island of the listed manifolds, (record, points) in [from, to): into ISLAND_RESIDUAL [m/s],
 * where more is not there already. For the targets that they were solved for last.
 */
export function measureResiduals(from: usize, to: usize): void {
  for (let row = from; row < to; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) noteQuadResidual(m);
    else noteResidual(load<i32>(m, ISLAND), residualOf(m));
  }
}

function noteResidual(island: i32, error: f64): void {
  const residuals = column(ISLAND_RESIDUAL);
  // A NaN must not pass for a perfect answer.
  if (!(error <= getF64(residuals, island))) setF64(residuals, island, error >= 0 ? error : Infinity);
}

/** Does a row, (record, points) at `row`, miss the law by more than may remain? Tolerances: sweeps/active.ts. */
export function missesLaw(row: usize): bool {
  const m = load<usize>(row);
  if (load<i32>(row, 4) != 1) return residualOf(m) > <f64>(MISSED * load<f32>(m, TOLERANCE));
  const most = f32x4.mul(f32x4.splat(MISSED), v128.load(m, Q_TOLERANCE));
  const isMissed = f32x4.gt(squaresOf(m), f32x4.mul(most, most));
  return v128.any_true(v128.and(isMissed, i32x4.ne(v128.load(m, Q_IMPULSE), i32x4.splat(0))));
}

/** Residuals of four single points, into their islands. */
function noteQuadResidual(q: usize): void {
  const square = squaresOf(q);
  if (!v128.any_true(square)) return;
  const islands = v128.load(q, Q_ISLAND);
  const first = i32x4.extract_lane(islands, 0);
  if (i32x4.all_true(i32x4.eq(islands, i32x4.splat(first)))) {
    noteResidual(first, sqrt<f64>(<f64>largestLane(square)));
    return;
  }
  v128.store(SQUARES, square);
  for (let lane: usize = 0; lane < 16; lane += 4) {
    if (load<i32>(q + lane, Q_IMPULSE))
      noteResidual(load<i32>(q + lane, Q_ISLAND), sqrt<f64>(<f64>load<f32>(SQUARES + lane)));
  }
}

/** Residuals of four single points, squared; of lanes without a point 0 or nonsense. */
function squaresOf(q: usize): v128 {
  relateQuad(q, 0);
  const zero = f32x4.splat(0);
  const normal = v128.load(q, Q_R_N);
  const uN = f32x4.add(along(q + Q_NORMAL), v128.load(q, Q_REST));
  // Neither impulse nor approach: exact.
  const isExact = v128.and(f32x4.eq(normal, zero), f32x4.ge(uN, zero));
  const isMeasured = v128.not(isExact);
  if (!v128.any_true(isMeasured)) return zero;
  const scale = v128.load(q, Q_SCALE);
  const rN = f32x4.mul(scale, normal);
  const r1 = f32x4.mul(scale, v128.load(q, Q_R_1));
  const r2 = f32x4.mul(scale, v128.load(q, Q_R_2));
  const u1 = f32x4.sub(along(q + Q_TANGENT_1), v128.load(q, Q_SURFACE_1));
  const u2 = f32x4.sub(along(q + Q_TANGENT_2), v128.load(q, Q_SURFACE_2));
  return v128.and(pointError(v128.load(q, Q_MU), rN, r1, r2, uN, u1, u2), isMeasured);
}

const SQUARES = memory.data(16, 16);

function largestLane(a: v128): f32 {
  const pairs = f32x4.max(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
  return f32x4.extract_lane(f32x4.max(pairs, v128.shuffle<f32>(pairs, pairs, 1, 0, 3, 2)), 0);
}

function residualOf(m: usize): f64 {
  const a = load<usize>(m, READ_A);
  const b = load<usize>(m, READ_B);
  const rowX = v128.load(m, ROW_X);
  const rowY = v128.load(m, ROW_Y);
  const rowZ = v128.load(m, ROW_Z);
  const linear = mulColumns(rowX, rowY, rowZ, relativeLinear(m, a, b));
  const angular = mulColumns(rowX, rowY, rowZ, f32x4.sub(v128.load(b, W), v128.load(a, W)));
  const x = v128.load(m, X);
  const y = v128.load(m, Y);
  const surface = v128.load(m, SURFACE);
  const mu = splat0(v128.load(m, SCALARS));
  const scale = v128.load(m, SCALE);
  let uN = f32x4.add(splat0(linear), v128.load(m, REST_LANES));
  uN = f32x4.sub(addMul(uN, splat1(angular), y), f32x4.mul(splat2(angular), x));
  const spin = splat0(angular);
  const u1 = f32x4.sub(f32x4.sub(splat1(linear), splat0(surface)), f32x4.mul(spin, y));
  const u2 = addMul(f32x4.sub(splat2(linear), splat1(surface)), spin, x);
  const rN = f32x4.mul(scale, v128.load(m, R_N));
  // Neither impulse nor approach: exact, however far from touching.
  const zero = f32x4.splat(0);
  const isExact = v128.and(f32x4.eq(rN, zero), f32x4.ge(uN, zero));
  const x1 = f32x4.mul(scale, v128.load(m, R_1));
  const x2 = f32x4.mul(scale, v128.load(m, R_2));
  let square = pointError(mu, rN, x1, x2, uN, u1, u2);
  square = v128.and(square, v128.andnot(v128.load(m, MASK), isExact));
  return sqrt<f64>(<f64>largestLane(square));
}

/** ‖f‖² of points with impulses r (times their scale) and velocities u. */
function pointError(mu: v128, rN: v128, r1: v128, r2: v128, uN: v128, u1: v128, u2: v128): v128 {
  const slip = f32x4.sqrt(lengthSquare(u1, u2));
  const cone = coneError(f32x4.mul(mu, rN), r1, r2, addMul(uN, mu, slip), f32x4.mul(mu, u1), f32x4.mul(mu, u2));
  const isSmooth = f32x4.eq(mu, f32x4.splat(0));
  if (!v128.any_true(isSmooth)) return cone;
  const f = f32x4.sub(f32x4.add(rN, uN), f32x4.sqrt(lengthSquare(rN, uN)));
  return v128.bitselect(f32x4.mul(f, f), cone, isSmooth);
}

function lengthSquare(a: v128, b: v128): v128 {
  return f32x4.add(f32x4.mul(a, a), f32x4.mul(b, b));
}

/** ‖x + y − (x∘x + y∘y)^½‖² on the second-order cone. */
function coneError(x0: v128, x1: v128, x2: v128, y0: v128, y1: v128, y2: v128): v128 {
  const two = f32x4.splat(2);
  const tiny = f32x4.splat(1e-30);
  const xx = lengthSquare(x1, x2);
  const yy = lengthSquare(y1, y2);
  const z0 = f32x4.add(f32x4.add(lengthSquare(x0, y0), xx), yy);
  const z1 = f32x4.mul(two, addMul(f32x4.mul(x0, x1), y0, y1));
  const z2 = f32x4.mul(two, addMul(f32x4.mul(x0, x2), y0, y2));
  const large = f32x4.add(f32x4.add(z0, f32x4.sqrt(lengthSquare(z1, z2))), tiny);
  const lengthX = f32x4.sqrt(xx);
  const lengthY = f32x4.sqrt(yy);
  const detX = f32x4.mul(f32x4.sub(x0, lengthX), f32x4.add(x0, lengthX));
  const detY = f32x4.mul(f32x4.sub(y0, lengthY), f32x4.add(y0, lengthY));
  const inner = f32x4.sub(f32x4.mul(x0, y0), addMul(f32x4.mul(x1, y1), x2, y2));
  const skew1 = f32x4.sub(f32x4.mul(x0, y1), f32x4.mul(y0, x1));
  const skew2 = f32x4.sub(f32x4.mul(x0, y2), f32x4.mul(y0, x2));
  const across = f32x4.sub(f32x4.mul(x1, y2), f32x4.mul(x2, y1));
  const mixed = f32x4.add(lengthSquare(inner, skew1), lengthSquare(skew2, across));
  const det = addMul(lengthSquare(detX, detY), two, mixed);
  const roots = f32x4.add(f32x4.sqrt(large), f32x4.sqrt(f32x4.div(det, large)));
  const f0 = f32x4.sub(f32x4.add(x0, y0), f32x4.mul(f32x4.splat(0.5), roots));
  const f1 = f32x4.sub(f32x4.add(x1, y1), f32x4.div(z1, roots));
  const f2 = f32x4.sub(f32x4.add(x2, y2), f32x4.div(z2, roots));
  return f32x4.add(lengthSquare(f0, f1), f32x4.mul(f2, f2));
}
