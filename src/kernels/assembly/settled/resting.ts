// Islands that stand on the impulses of the step before: whether these solve this step too, and if so, its velocities.
//
// In: an island in the tables. Out: BODY_MOTION, velocities, ISLAND_RESIDUAL; impulses stay what they are. The residual
// is measured afresh, by the one measure and with the gaps as they are, so what is kept is as exact as what a solve to
// the same tolerance would find: a pass over the contacts takes the place of their matrix and its factor.

import { RELAX_SPEED } from '../../../core/engine-constants';
import {
  BODY_ANGULAR_VELOCITY,
  BODY_FLAGS,
  BODY_LINEAR_VELOCITY,
  BODY_RESTED,
  BODY_VELOCITY_CHANGE,
  ISLAND_BODIES,
  ISLAND_BODY_COUNT,
  ISLAND_BODY_START,
  PAIR_IMPULSE,
  PAIR_MATERIAL,
  PAIR_POINT,
  TIME_STEP,
  TOLERANCE,
} from '../../../state/layout';
import { column, getI32, parameter, setI32 } from '../memory';
import { openExact, settledKey } from './gather';
import { lawPass } from './law';
import * as S from './layout';
import { keepSettled, normalSpeed, warmStartSettled, writeMotion } from './settled';

/** Faster than this, what can bounce is for a solver [m/s]. */
const STILL_SPEED: f64 = 1e-9;

/**
 * Whether the island, its bodies slower than `speed` [m/s, rad/s] at the start of the step, is solved by the impulses
 * of the step before, to TOLERANCE times its largest free velocity, `share` of it in the step after a solve; then it is
 * done. Not where velocities to move with and to keep differ: where a penetration is being parted, something lands, or
 * may bounce.
 */
export function restsOnItsImpulses(island: i32, h: usize, speed: f64, share: f64): bool {
  let rests = settledKey(island, speed) != 0 && openExact(island, h) && isQuiet(h);
  if (rests) rests = isSolved(h, (hasRested(island) ? 1 : share) * parameter(TOLERANCE));
  noteRest(island, rests);
  if (rests) {
    writeMotion(h);
    keepSettled(h);
  }
  return rests;
}

function isSolved(h: usize, tolerance: f64): bool {
  warmStartSettled(h);
  const residual = lawPass(h, false);
  store<f64>(h, residual, S.RESIDUAL);
  return residual <= tolerance * load<f64>(h, S.SCALE);
}

/** Whether all bodies of the island did in the step before. */
function hasRested(island: i32): bool {
  const start = getI32(column(ISLAND_BODY_START), island);
  const count = getI32(column(ISLAND_BODY_COUNT), island);
  for (let i = start; i < start + count; i++) {
    if ((getI32(column(BODY_FLAGS), getI32(column(ISLAND_BODIES), i)) & BODY_RESTED) == 0) return false;
  }
  return true;
}

function noteRest(island: i32, rests: bool): void {
  const start = getI32(column(ISLAND_BODY_START), island);
  const count = getI32(column(ISLAND_BODY_COUNT), island);
  for (let i = start; i < start + count; i++) {
    const body = getI32(column(ISLAND_BODIES), i);
    const bits = getI32(column(BODY_FLAGS), body) & ~BODY_RESTED;
    setI32(column(BODY_FLAGS), body, rests ? bits | BODY_RESTED : bits);
  }
}

/** Whether no penetration is being parted, no point that presses is still open, and none that can bounce moves. */
function isQuiet(h: usize): bool {
  if (load<i32>(h, S.IS_RECOVERING)) return false;
  const open = RELAX_SPEED * parameter(TIME_STEP);
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    const pair = <usize>load<i32>(m, S.PAIR);
    const canBounce = load<f64>(column(PAIR_MATERIAL) + (pair << 5), 8) > 0;
    const count = load<i32>(m, S.COUNT);
    for (let k: usize = 0; k < <usize>count; k++) {
      const at = (pair << 7) + (k << 5);
      if (!(load<f64>(column(PAIR_IMPULSE) + at) > 0)) continue;
      if (load<f64>(column(PAIR_POINT) + at, 24) > open) return false;
      if (canBounce && !(abs(speedBefore(h, m, m + (k << 3))) <= STILL_SPEED)) return false;
    }
  }
  return true;
}

/** Normal speed of B over A at the start of the step [m/s]. */
function speedBefore(h: usize, m: usize, lane: usize): f64 {
  const info = load<usize>(h, S.INFO);
  const a = <usize>load<i32>(info + <usize>load<i32>(m, S.BODY_A) * S.INFO_BYTES, S.SLOT);
  const b = <usize>load<i32>(info + <usize>load<i32>(m, S.BODY_B) * S.INFO_BYTES, S.SLOT);
  const v = column(BODY_LINEAR_VELOCITY);
  const w = column(BODY_ANGULAR_VELOCITY);
  const change = column(BODY_VELOCITY_CHANGE);
  const from = change + (a << 6);
  const to = change + (b << 6);
  const free = normalSpeed(m, lane, v + (a << 5), w + (a << 5), v + (b << 5), w + (b << 5));
  return free - normalSpeed(m, lane, from, from + 32, to, to + 32);
}
