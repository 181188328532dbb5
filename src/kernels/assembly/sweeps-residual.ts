// Residual of the sweeps' islands: the one error measure (solvers/residual.ts), four points at a time in f32.
//
// Per point r̂ = λ(mu r_N, r_T), û = (u_N + mu‖u_T‖, mu u_T), f = r̂ + û − (r̂∘r̂ + û∘û)^½; for mu = 0 the scalar
// function. The small eigenvalue under the root is formed from sums of squares, else f32 would lose half its digits.

import { ISLAND_RESIDUAL } from '../../state/layout';
import { column, getF64, setF64 } from './memory';
import {
  ISLAND,
  MASK,
  NORMAL,
  POINT_FRICTION,
  POINT_MU,
  POINT_NORMAL,
  POINT_REST,
  POINT_SCALE,
  POINT_SURFACE,
  POINT_TANGENT,
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
  W,
  X,
  Y,
} from './sweeps-layout';
import { relativeLinear } from './sweeps-relative';
import { addMul, crossLanes, mulColumns, splat0, splat1, splat2, splatSum, sumLanes } from './vector';

// Single points wait here until there are four of one island: x0 x1 x2 y0 y1 y2 of coneError, a lane each.
const WAITING = memory.data(96, 16);
let waiting: usize = 0;
let waitingIsland = 0;

/** Largest residual of each island of the listed manifolds, (record, points) in [from, to): into ISLAND_RESIDUAL [m/s]. */
export function measureResiduals(from: usize, to: usize): void {
  waiting = 0;
  for (let row = from; row < to; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) addPoint(m);
    else noteResidual(load<i32>(m, ISLAND), residualOf(m));
  }
  measureWaiting();
}

function noteResidual(island: i32, error: f64): void {
  const residuals = column(ISLAND_RESIDUAL);
  // A NaN must not pass for a perfect answer.
  if (!(error <= getF64(residuals, island))) setF64(residuals, island, error >= 0 ? error : Infinity);
}

/** Measures a single point, now or together with the next ones of its island. */
function addPoint(m: usize): void {
  const u = relativeLinear(m, load<usize>(m, READ_A), load<usize>(m, READ_B));
  const n = v128.load(m, NORMAL);
  const uN = f32x4.extract_lane(splatSum(f32x4.mul(n, u)), 0) + load<f32>(m, POINT_REST);
  const normal = load<f32>(m, POINT_NORMAL);
  // Neither impulse nor approach: exact.
  if (normal == 0 && uN >= 0) return;
  const island = load<i32>(m, ISLAND);
  const mu = load<f32>(m, POINT_MU);
  const scale = load<f32>(m, POINT_SCALE);
  const rN = scale * normal;
  if (mu == 0) {
    noteResidual(island, <f64>abs<f32>(rN + uN - sqrt<f32>(rN * rN + uN * uN)));
    return;
  }
  const t = v128.load(m, POINT_TANGENT);
  const s = crossLanes(n, t);
  const slip = f32x4.sub(u, v128.load(m, POINT_SURFACE));
  const rT = v128.load(m, POINT_FRICTION);
  const plane = sumLanes(f32x4.mul(t, rT), f32x4.mul(s, rT), f32x4.mul(t, slip));
  const u1 = f32x4.extract_lane(plane, 2);
  const u2 = f32x4.extract_lane(splatSum(f32x4.mul(s, slip)), 0);
  if (waiting == 16 || island != waitingIsland) measureWaiting();
  waitingIsland = island;
  const lane = WAITING + waiting;
  store<f32>(lane, mu * rN);
  store<f32>(lane, scale * f32x4.extract_lane(plane, 0), 16);
  store<f32>(lane, scale * f32x4.extract_lane(plane, 1), 32);
  store<f32>(lane, uN + mu * sqrt<f32>(u1 * u1 + u2 * u2), 48);
  store<f32>(lane, mu * u1, 64);
  store<f32>(lane, mu * u2, 80);
  waiting += 4;
}

function measureWaiting(): void {
  if (waiting == 0) return;
  // An empty lane repeats the first.
  for (; waiting < 16; waiting += 4) {
    for (let row = WAITING; row < WAITING + 96; row += 16) store<f32>(row + waiting, load<f32>(row));
  }
  const square = coneError(
    v128.load(WAITING),
    v128.load(WAITING, 16),
    v128.load(WAITING, 32),
    v128.load(WAITING, 48),
    v128.load(WAITING, 64),
    v128.load(WAITING, 80),
  );
  noteResidual(waitingIsland, sqrt<f64>(<f64>largestLane(square)));
  waiting = 0;
}

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
  const x1 = f32x4.mul(scale, v128.load(m, R_1));
  const x2 = f32x4.mul(scale, v128.load(m, R_2));
  let square: v128;
  if (f32x4.extract_lane(mu, 0) == 0) {
    const f = f32x4.sub(f32x4.add(rN, uN), f32x4.sqrt(lengthSquare(rN, uN)));
    square = f32x4.mul(f, f);
  } else {
    square = coneError(
      f32x4.mul(mu, rN),
      x1,
      x2,
      addMul(uN, mu, f32x4.sqrt(lengthSquare(u1, u2))),
      f32x4.mul(mu, u1),
      f32x4.mul(mu, u2),
    );
  }
  square = v128.and(square, v128.load(m, MASK));
  return sqrt<f64>(<f64>largestLane(square));
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
