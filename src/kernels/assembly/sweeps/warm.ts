// A warm start that throws bodies about is not used: which islands of the sweeps begin without one.
//
// Impulses of the last step fit this one as long as the contacts are the same. Where some are gone, those left no
// longer balance: under a boulder, or in a closing wall, that was worth hundreds of metres a second to the light body
// between, more than the sweeps can take back in a step. An exact warm start brings nothing about that is faster than
// what the bodies already have, or what moves into them; so an island where it does starts from nothing.
//
// In: packed bodies after the warm start, with PUSH = −(free velocity). Out: impulses of
// those islands 0, velocities as free.

import { BODY_ISLAND } from '../../../state/layout';
import { column, getI32 } from '../memory';
import * as S from './layout';

/**
 * So many times faster than the fastest before, and so much [m/s, rad/s], may a body of
 * an island be after the warm start.
 */
const MOST_GAIN: f32 = 2;
const LEAST_SPEED: f32 = 0.5;
const LEAST_SPIN: f32 = 5;

/**
 * Bytes an island needs of `table`: largest free speed and spin, largest speed and spin after the warm start, squared.
 */
export const WARM_BYTES: i32 = 16;

/**
 * Whether the warm start of some island is no good: then its impulses are dropped, and all
 * bodies have their free velocities.
 */
export function dropBadStarts(
  list: usize,
  listEnd: usize,
  bodies: usize,
  bodiesEnd: usize,
  table: usize,
  islands: i32,
): bool {
  memory.fill(table, 0, <usize>(islands * WARM_BYTES));
  const island = column(BODY_ISLAND);
  let driven: f32 = 0;
  let driver: f32 = 0;
  for (let b = bodies + 2 * S.BODY_BYTES; b < bodiesEnd; b += S.BODY_BYTES) {
    if (load<f32>(b, S.INVERSE_MASS) == 0) {
      driven = max(driven, square(b, S.V));
      driver = max(driver, square(b, S.W));
      continue;
    }
    const row = table + <usize>(getI32(island, load<i32>(b, S.SLOT)) * WARM_BYTES);
    store<f32>(row, max(load<f32>(row), square(b, S.PUSH_V)));
    store<f32>(row, max(load<f32>(row, 4), square(b, S.PUSH_W)), 4);
    store<f32>(row, max(load<f32>(row, 8), square(b, S.V)), 8);
    store<f32>(row, max(load<f32>(row, 12), square(b, S.W)), 12);
  }
  let isAny = false;
  for (let row = table; row < table + <usize>(islands * WARM_BYTES); row += WARM_BYTES) {
    const speed = MOST_GAIN * sqrt(max(load<f32>(row), driven)) + LEAST_SPEED;
    const spin = MOST_GAIN * sqrt(max(load<f32>(row, 4), driver)) + LEAST_SPIN;
    // Not a number counts as too fast.
    const isGood = load<f32>(row, 8) <= speed * speed && load<f32>(row, 12) <= spin * spin;
    store<i32>(row, isGood ? 0 : 1);
    if (!isGood) isAny = true;
  }
  if (!isAny) return false;
  for (let row = list; row < listEnd; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) {
      for (let lane = m; lane < m + 16; lane += 4) {
        if (load<usize>(lane, S.Q_IMPULSE) == 0 || !isBad(table, load<i32>(lane, S.Q_ISLAND))) continue;
        store<f32>(lane, 0, S.Q_R_N);
        store<f32>(lane, 0, S.Q_R_1);
        store<f32>(lane, 0, S.Q_R_2);
      }
    } else if (isBad(table, load<i32>(m, S.ISLAND))) {
      v128.store(m, f32x4.splat(0), S.R_N);
      v128.store(m, f32x4.splat(0), S.R_1);
      v128.store(m, f32x4.splat(0), S.R_2);
    }
  }
  for (let b = bodies + 2 * S.BODY_BYTES; b < bodiesEnd; b += S.BODY_BYTES) {
    v128.store(b, f32x4.neg(v128.load(b, S.PUSH_V)), S.V);
    v128.store(b, f32x4.neg(v128.load(b, S.PUSH_W)), S.W);
  }
  return true;
}

function isBad(table: usize, island: i32): bool {
  return load<i32>(table + <usize>(island * WARM_BYTES)) != 0;
}

function square(body: usize, at: usize): f32 {
  const v = v128.load(body + at);
  const s = f32x4.mul(v, v);
  return f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2);
}
