// Recovery of what overlaps under a load: bodies are lifted off what they rest on, upwards through the heap.
//
// One recovery sweep shares each push between the two bodies, so the lowest box of a column of 27 gained a hundredth
// of what it asked for in a step, and 11 mm at its foot took ten seconds. Here the lower body of a contact stands still
// for it, and the upper one moves by all that is missing: in one sweep upwards a column parts as a whole, whatever it
// weighs (shock propagation: Guendelman, Bridson and Fedkiw 2003, section 7, for positions alone). Bodies move straight
// up, along no wall, and do not turn. Like all recovery it acts on the velocities that move the poses and is then
// forgotten.
//
// In: rows in their order upwards, velocities that move the poses, targets of the recovery. Out: those velocities.

import { GRAVITY } from '../../../state/layout';
import { addMul, mulColumns, splat0, splat1, splat2 } from '../math/vector';
import * as S from './layout';
import { along, relateQuad } from './quad';
import { recovery, relativeLinear } from './relative';

/** A body rests on what is below it when the normal is within about 60° of the vertical. */
const STEEPEST: f32 = 0.5;

/** Unit vector upwards. */
let up: v128 = f32x4.splat(0);

/**
 * Lifts the bodies, those in [bodies, end), of the listed rows, (record, points) in [from, to); overlaps up to `spared`
 * [m] stay.
 */
export function liftRows(from: usize, to: usize, bodies: usize, end: usize, spared: f32): void {
  const gx = load<f64>(GRAVITY);
  const gy = load<f64>(GRAVITY + 8);
  const gz = load<f64>(GRAVITY + 16);
  const gravity = sqrt(gx * gx + gy * gy + gz * gz);
  if (gravity == 0) return;
  up = f32x4(<f32>(-gx / gravity), <f32>(-gy / gravity), <f32>(-gz / gravity), 0);
  const least = f32x4.splat(recovery * spared);
  for (let b = bodies; b < end; b += S.BODY_BYTES) store<i32>(b, 0, S.IS_LIFTED);
  for (let row = from; row < to; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) liftQuad(m, least);
    else liftManifold(m, least);
  }
}

/** What the motion along the normal misses at the worst point of a manifold, taken by its upper body. */
function liftManifold(m: usize, least: v128): void {
  const bias = v128.load(m, S.BIAS_LANES);
  const isOverlapping = v128.any_true(f32x4.lt(bias, f32x4.neg(least)));
  if (!isOverlapping && !isLifted(load<usize>(m, S.READ_A), load<usize>(m, S.READ_B))) return;
  const rise = sumOfThree(f32x4.mul(v128.load(m, S.NORMAL), up));
  if (abs(rise) < STEEPEST) return;
  const a = load<usize>(m, S.READ_A) + S.TO_MOTION;
  const b = load<usize>(m, S.READ_B) + S.TO_MOTION;
  const rowX = v128.load(m, S.ROW_X);
  const rowY = v128.load(m, S.ROW_Y);
  const rowZ = v128.load(m, S.ROW_Z);
  const linear = mulColumns(rowX, rowY, rowZ, relativeLinear(m, a, b));
  const angular = mulColumns(rowX, rowY, rowZ, f32x4.sub(v128.load(b, S.W), v128.load(a, S.W)));
  let speed = f32x4.add(splat0(linear), bias);
  speed = addMul(speed, splat1(angular), v128.load(m, S.Y));
  speed = f32x4.sub(speed, f32x4.mul(splat2(angular), v128.load(m, S.X)));
  const missing = v128.and(v128.load(m, S.MASK), f32x4.neg(f32x4.add(speed, least)));
  if (!v128.any_true(f32x4.gt(missing, f32x4.splat(0)))) return;
  const most = max(
    max(f32x4.extract_lane(missing, 0), f32x4.extract_lane(missing, 1)),
    max(f32x4.extract_lane(missing, 2), f32x4.extract_lane(missing, 3)),
  );
  lift(rise > 0 ? load<usize>(m, S.READ_B) : load<usize>(m, S.READ_A), most / abs(rise));
}

/** The same for four single points, which share no body that yields. */
function liftQuad(q: usize, least: v128): void {
  const bias = v128.load(q, S.Q_BIAS);
  let isAny = v128.any_true(f32x4.lt(bias, f32x4.neg(least)));
  for (let lane = q; lane < q + 16 && !isAny; lane += 4) {
    isAny = isLifted(load<usize>(lane, S.Q_READ_A), load<usize>(lane, S.Q_READ_B));
  }
  if (!isAny) return;
  relateQuad(q, S.TO_MOTION);
  const speed = f32x4.add(along(q + S.Q_NORMAL), bias);
  const isPoint = i32x4.ne(v128.load(q, S.Q_IMPULSE), i32x4.splat(0));
  const missing = v128.and(isPoint, f32x4.neg(f32x4.add(speed, least)));
  if (!v128.any_true(f32x4.gt(missing, f32x4.splat(0)))) return;
  liftLane(q, f32x4.extract_lane(missing, 0));
  liftLane(q + 4, f32x4.extract_lane(missing, 1));
  liftLane(q + 8, f32x4.extract_lane(missing, 2));
  liftLane(q + 12, f32x4.extract_lane(missing, 3));
}

function liftLane(lane: usize, missing: f32): void {
  if (!(missing > 0)) return;
  const rise =
    load<f32>(lane, S.Q_NORMAL) * f32x4.extract_lane(up, 0) +
    load<f32>(lane, S.Q_NORMAL + 16) * f32x4.extract_lane(up, 1) +
    load<f32>(lane, S.Q_NORMAL + 32) * f32x4.extract_lane(up, 2);
  if (abs(rise) < STEEPEST) return;
  lift(rise > 0 ? load<usize>(lane, S.Q_READ_B) : load<usize>(lane, S.Q_READ_A), missing / abs(rise));
}

/** Moves a body upwards, unless it does not yield. */
function lift(body: usize, speed: f32): void {
  if (load<f32>(body, S.INVERSE_MASS) == 0) return;
  v128.store(body, addMul(v128.load(body, S.MOTION_V), up, f32x4.splat(speed)), S.MOTION_V);
  store<i32>(body, 1, S.IS_LIFTED);
}

/** Whether a contact of these bodies has something new to miss. */
function isLifted(a: usize, b: usize): bool {
  return (load<i32>(a, S.IS_LIFTED) | load<i32>(b, S.IS_LIFTED)) != 0;
}

function sumOfThree(a: v128): f32 {
  return f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1) + f32x4.extract_lane(a, 2);
}
