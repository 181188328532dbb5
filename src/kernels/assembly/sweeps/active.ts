// Which rows of the sweeps still change anything: the further sweeps of a substep pass over those alone.
//
// In a heap that is hit, a few contacts need many sweeps and most need few. A row that changes its bodies by more than
// its island's tolerance calls all rows of these bodies, itself too; one that nobody has called since it was last
// solved would find nothing to do, and is not even looked at. A row behind the one that calls it still comes in the
// same sweep.
//
// In: packed rows and bodies with free velocities. Out: calls, a byte a row. What sweeps may cost is bounded by a
// count, never a clock.
// Rejected: stamps of bodies and rows to be compared: half of the sweeps' time went into rows with nothing to do.

import { BODY_ISLAND } from '../../../state/layout';
import { column, getI32 } from '../memory';
import * as S from './layout';

/** A change up to this share of the island's largest free velocity is not noticed [-]: a quarter of what may remain. */
const UNNOTICED: f32 = 5e-3;
/** The same where sweeps have momentum: several neighbours may each change a row by so much. */
const UNNOTICED_CARRIED: f32 = 3e-3;
let unnoticed: f32 = UNNOTICED;

/** A byte a row: 1 while it is called. Its end is rounded up to whole words. */
let calls: usize = 0;
let callsEnd: usize = 0;
let rowCount: usize = 0;
/** Whether the sweep at hand calls rows: not where another one of all rows follows. */
let isCalling: bool = false;
/** Rows of the sweep at hand that changed something noticeably. */
export let noticed: i32 = 0;
/** Rows that further sweeps of this step solved. */
export let spent: i32 = 0;

/**
 * Sets the tolerances of the listed rows, (record, points) in [from, to), from the free velocities that the bodies in
 * [bodies, end) have at the end of a step of `substeps`; `table` has two numbers for each of `islands`. `carries`: the
 * further sweeps have momentum.
 *
 * A lone contact has nobody to pass a change on to, and gets no further sweeps: swept alike, the errors of its substeps
 * cancel. With one more sweep in the first of them a box on a turntable crept inwards by 2 mm/s.
 */
export function openRows(
  from: usize,
  to: usize,
  bodies: usize,
  end: usize,
  substeps: i32,
  table: usize,
  islands: i32,
  carries: bool,
): void {
  spent = 0;
  unnoticed = carries ? UNNOTICED_CARRIED : UNNOTICED;
  memory.fill(table, 0, (<usize>islands) << 3);
  const island = column(BODY_ISLAND);
  const share = f32x4.splat(<f32>substeps);
  for (let b = bodies + 2 * S.BODY_BYTES; b < end; b += S.BODY_BYTES) {
    const home = getI32(island, load<i32>(b, S.SLOT));
    if (home < 0) continue;
    const v = f32x4.add(v128.load(b, S.V), f32x4.mul(v128.load(b, S.FREE_V), share));
    const vv = f32x4.mul(v, v);
    const square = f32x4.extract_lane(vv, 0) + f32x4.extract_lane(vv, 1) + f32x4.extract_lane(vv, 2);
    const row = table + ((<usize>home) << 3);
    store<f32>(row, max(load<f32>(row), square));
  }
  for (let row = from; row < to; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) {
      for (let lane = m; lane < m + 16; lane += 4) {
        if (load<usize>(lane, S.Q_IMPULSE) != 0) countContact(table, load<i32>(lane, S.Q_ISLAND));
      }
    } else countContact(table, load<i32>(m, S.ISLAND));
  }
  for (let row = from; row < to; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) {
      for (let lane = m; lane < m + 16; lane += 4) {
        if (load<usize>(lane, S.Q_IMPULSE) == 0) continue;
        store<f32>(lane, toleranceOf(table, load<i32>(lane, S.Q_ISLAND)), S.Q_TOLERANCE);
      }
    } else {
      v128.store(m, f32x4.splat(toleranceOf(table, load<i32>(m, S.ISLAND))), S.TOLERANCE);
    }
  }
}

function countContact(table: usize, island: i32): void {
  const row = table + ((<usize>island) << 3);
  store<i32>(row, load<i32>(row, 4) + 1, 4);
}

function toleranceOf(table: usize, island: i32): f32 {
  const row = table + ((<usize>island) << 3);
  return load<i32>(row, 4) > 1 ? unnoticed * sqrt(load<f32>(row)) : f32.MAX_VALUE;
}

/** Bytes that listRows needs a row: a call, and its number for each side of four points. */
const ROW_LISTED: i32 = 1 + 8 * 4;

/** Bytes that listRows needs for `pairs` pairs, each a row of its own at worst, and `bodies` records of bodies. */
export function rowListSize(pairs: i32, bodies: i32): i32 {
  return ROW_LISTED * pairs + 4 * bodies + 32;
}

/**
 * Lists the rows of every body in [bodies, end), of the rows in [from, to), in `room`: their number at ROWS, and the
 * numbers after it.
 */
export function listRows(from: usize, to: usize, bodies: usize, end: usize, room: usize): void {
  rowCount = (to - from) >> 3;
  calls = (room + 7) & ~7;
  callsEnd = calls + ((rowCount + 7) & ~7);
  memory.fill(calls, 0, callsEnd - calls);

  // How many each body has, and so where its list begins.
  for (let b = bodies; b < end; b += S.BODY_BYTES) store<i32>(b, 0, S.ROWS);
  for (let row = from; row < to; row += 8) countRow(row);
  let at = callsEnd;
  for (let b = bodies; b < end; b += S.BODY_BYTES) {
    const count = <usize>load<i32>(b, S.ROWS);
    store<usize>(b, at, S.ROWS);
    store<i32>(at, 0);
    at += 4 + (count << 2);
  }
  for (let row = from; row < to; row += 8) enterRow(row, <i32>((row - from) >> 3));

  // What does not yield is the same for all, and calls nobody.
  store<i32>(load<usize>(bodies + S.BODY_BYTES, S.ROWS), 0);
}

function countRow(row: usize): void {
  const m = load<usize>(row);
  const isQuad = load<i32>(row, 4) == 1;
  const first = isQuad ? m + S.Q_WRITE_A : m + S.WRITE_A;
  const last = isQuad ? first + 32 : first + 8;
  for (let to = first; to < last; to += 4) {
    const body = load<usize>(to);
    store<i32>(body, load<i32>(body, S.ROWS) + 1, S.ROWS);
  }
}

function enterRow(row: usize, number: i32): void {
  const m = load<usize>(row);
  const isQuad = load<i32>(row, 4) == 1;
  const first = isQuad ? m + S.Q_WRITE_A : m + S.WRITE_A;
  const last = isQuad ? first + 32 : first + 8;
  for (let to = first; to < last; to += 4) {
    const listed = load<usize>(load<usize>(to), S.ROWS);
    const count = load<i32>(listed) + 1;
    store<i32>(listed, count);
    store<i32>(listed + ((<usize>count) << 2), number);
  }
}

/** Begins a sweep; `callsRows`: what it changes is for the sweeps after it to see. */
export function beginSweep(callsRows: bool): void {
  noticed = 0;
  isCalling = callsRows;
}

/** The first row called of those from number `first` on, −1 none. */
export function nextCalled(first: i32): i32 {
  let word = calls + (<usize>first & ~7);
  // Words are filled from their low end.
  let seen = (<u64>-1) << ((<u64>(first & 7)) << 3);
  for (; word < callsEnd; word += 8, seen = -1) {
    const called = load<u64>(word) & seen;
    if (called != 0) return <i32>(word - calls) + (<i32>ctz(called) >> 3);
  }
  return -1;
}

/** The last row called of those up to number `last`, −1 none. */
export function lastCalled(last: i32): i32 {
  if (last < 0) return -1;
  let word = calls + (<usize>last & ~7);
  let seen = <u64>-1 >> ((<u64>(7 - (last & 7))) << 3);
  for (; word >= calls; word -= 8, seen = -1) {
    const called = load<u64>(word) & seen;
    if (called != 0) return <i32>(word - calls) + ((63 - <i32>clz(called)) >> 3);
  }
  return -1;
}

/** Notes that row `number` is about to be solved: what was called is called no more. */
export function answerCall(number: i32): void {
  store<u8>(calls + <usize>number, 0);
}

/** Calls row `number`. */
export function callRow(number: i32): void {
  store<u8>(calls + <usize>number, 1);
}

/** Calls all rows. */
export function callAll(): void {
  memory.fill(calls, 1, rowCount);
}

/** Counts a row of a further sweep. */
export function spendRow(): void {
  spent++;
}

/** Calls the rows of a body. */
function callRows(body: usize): void {
  const listed = load<usize>(body, S.ROWS);
  const end = listed + ((<usize>load<i32>(listed)) << 2);
  for (let at = listed; at < end; at += 4) store<u8>(calls + load<usize>(at, 4), 1);
}

/** Notes whether a solve of the manifold changed its bodies noticeably: impulses by n, t, s (lanes). */
export function noteManifoldSolved(m: usize, n: v128, t: v128, s: v128): void {
  if (!isCalling) return;
  const most = f32x4.max(f32x4.abs(n), f32x4.max(f32x4.abs(t), f32x4.abs(s)));
  const isNoticed = f32x4.gt(f32x4.mul(most, v128.load(m, S.SCALE)), v128.load(m, S.TOLERANCE));
  if (!v128.any_true(isNoticed)) return;
  noticed++;
  // Its own change calls it back: friction and single points are not solved to the end at once.
  callRows(load<usize>(m, S.WRITE_A));
  callRows(load<usize>(m, S.WRITE_B));
}

/** The same for the four points of a quad. */
export function noteQuadSolved(q: usize, n: v128, t: v128, s: v128): void {
  if (!isCalling) return;
  const most = f32x4.max(f32x4.abs(n), f32x4.max(f32x4.abs(t), f32x4.abs(s)));
  const isNoticed = f32x4.gt(f32x4.mul(most, v128.load(q, S.Q_SCALE)), v128.load(q, S.Q_TOLERANCE));
  const lanes = i32x4.bitmask(isNoticed);
  if (lanes == 0) return;
  noticed++;
  for (let lane: usize = 0; lane < 4; lane++) {
    if (((lanes >> <i32>lane) & 1) == 0) continue;
    callRows(load<usize>(q + (lane << 2), S.Q_WRITE_A));
    callRows(load<usize>(q + (lane << 2), S.Q_WRITE_B));
  }
}
