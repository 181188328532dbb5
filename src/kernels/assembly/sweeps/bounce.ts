// Bounces of the sweeps: the targets of the velocities that bodies keep.
//
// When the last substep has moved the bodies, all rows are swept once more. What landed rebounds by Newton's law; what
// touches may not approach, so that a blow goes on from body to body; what is apart is the next step's.

import { RESTITUTION_THRESHOLD } from '../../../state/layout';
import { splat3 } from '../math/vector';
import { parameter } from '../memory';
import * as S from './layout';
import { along, relate } from './quad';
import { APART, reboundLanes } from './relative';
import { writeTarget } from './solve';

/**
 * Turns the targets of all rows into those of the velocities that are kept: what landed rebounds, what touches may not
 * approach, what is apart may. A blow goes through as many bodies as sweeps pass it on to. False: nothing landed.
 */
export function aimBounces(list: usize, listEnd: usize): bool {
  const threshold = <f32>parameter(RESTITUTION_THRESHOLD);
  let isAny = false;
  for (let row = list; row < listEnd; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1 ? hasQuadLanded(m, threshold) : hasLanded(m, threshold)) isAny = true;
  }
  if (!isAny) return false;
  for (let row = list; row < listEnd; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) aimQuad(m, threshold);
    else aimManifold(m, threshold);
  }
  return true;
}

function landed(m: usize, threshold: f32): v128 {
  const isFast = f32x4.lt(v128.load(m, S.APPROACH), f32x4.splat(-threshold));
  return v128.and(isFast, f32x4.gt(v128.load(m, S.TOTAL_N), f32x4.splat(0)));
}

/** Whether a point with restitution landed faster than `threshold` [m/s]. */
function hasLanded(m: usize, threshold: f32): bool {
  return load<i32>(m, S.HAS_BOUNCE) != 0 && v128.any_true(landed(m, threshold));
}

/** Targets of the velocities that are kept, and no impulse of the last substep in the sum: it goes on from there. */
function aimManifold(m: usize, threshold: f32): void {
  const rest = v128.load(m, S.REST_LANES);
  const zero = f32x4.splat(0);
  const isApart = v128.and(f32x4.gt(rest, zero), f32x4.eq(v128.load(m, S.R_N), zero));
  let target = v128.bitselect(f32x4.splat(APART), rest, isApart);
  if (load<i32>(m, S.HAS_BOUNCE)) {
    const a = load<usize>(m, S.READ_A);
    const b = load<usize>(m, S.READ_B);
    const loads = f32x4.mul(v128.load(m, S.NORMAL), f32x4.sub(v128.load(b, S.FREE_V), v128.load(a, S.FREE_V)));
    const change = f32x4.splat(
      f32x4.extract_lane(loads, 0) + f32x4.extract_lane(loads, 1) + f32x4.extract_lane(loads, 2),
    );
    const restitution = splat3(v128.load(m, S.SURFACE));
    const speed = reboundLanes(v128.load(m, S.APPROACH), change, v128.load(m, S.GAP), restitution);
    target = v128.bitselect(f32x4.sub(rest, speed), target, landed(m, threshold));
  }
  writeTarget(m + S.REST, m, v128.and(v128.load(m, S.MASK), target));
  v128.store(m, f32x4.sub(v128.load(m, S.TOTAL_N), v128.load(m, S.R_N)), S.TOTAL_N);
  v128.store(m, f32x4.sub(v128.load(m, S.TOTAL_1), v128.load(m, S.R_1)), S.TOTAL_1);
  v128.store(m, f32x4.sub(v128.load(m, S.TOTAL_2), v128.load(m, S.R_2)), S.TOTAL_2);
}

function landedLanes(q: usize, threshold: f32): v128 {
  const zero = f32x4.splat(0);
  const isFast = f32x4.lt(v128.load(q, S.Q_APPROACH), f32x4.splat(-threshold));
  const bounces = f32x4.gt(v128.load(q, S.Q_RESTITUTION), zero);
  return v128.and(v128.and(isFast, bounces), f32x4.gt(v128.load(q, S.Q_TOTAL_N), zero));
}

/** As hasLanded. */
function hasQuadLanded(q: usize, threshold: f32): bool {
  return v128.any_true(landedLanes(q, threshold));
}

/** Targets of four points: as aimManifold. */
function aimQuad(q: usize, threshold: f32): void {
  relate(q, S.FREE_V, S.FREE_W, 1);
  const fall = along(q + S.Q_NORMAL);
  const speed = reboundLanes(v128.load(q, S.Q_APPROACH), fall, v128.load(q, S.Q_GAP), v128.load(q, S.Q_RESTITUTION));
  const rest = v128.load(q, S.Q_REST);
  const zero = f32x4.splat(0);
  const isApart = v128.and(f32x4.gt(rest, zero), f32x4.eq(v128.load(q, S.Q_R_N), zero));
  const target = v128.bitselect(f32x4.splat(APART), rest, isApart);
  v128.store(q, v128.bitselect(f32x4.sub(rest, speed), target, landedLanes(q, threshold)), S.Q_REST);
  v128.store(q, f32x4.sub(v128.load(q, S.Q_TOTAL_N), v128.load(q, S.Q_R_N)), S.Q_TOTAL_N);
  v128.store(q, f32x4.sub(v128.load(q, S.Q_TOTAL_1), v128.load(q, S.Q_R_1)), S.Q_TOTAL_1);
  v128.store(q, f32x4.sub(v128.load(q, S.Q_TOTAL_2), v128.load(q, S.Q_R_2)), S.Q_TOTAL_2);
}
