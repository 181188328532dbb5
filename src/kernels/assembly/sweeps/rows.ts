// Order of the sweeps: manifolds upwards, single points four at a time in quads.
//
// In: pairs of the sweeps' islands, packed bodies. Out: a list of rows (record, number of points; a quad has 1), and
// where each pair's points go. Contacts that share no yielding body commute, so a point may join an earlier quad
// with a free lane as long as that lies behind every row with one of its two bodies: the sweep over the rows gives
// what the sweep over single contacts would.

import {
  BODY_DYNAMIC,
  BODY_FLAGS,
  GRAVITY,
  ISLAND_COUNT,
  ISLAND_PAIR_COUNT,
  ISLAND_PAIR_START,
  ISLAND_PAIRS,
  ISLAND_SOLVER,
  ISLAND_SWEEPS,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_POINT,
  PAIR_POINTS,
} from '../../../state/layout';
import { cell, column, getF64, getI32 } from '../memory';
import * as S from './layout';
import { clearQuad } from './quad-prepare';

/**
 * Quads that still take points; the oldest gives way. More fill better (0.9 of the lanes),
 * but take longer to look through.
 */
const OPEN_LIMIT: i32 = 16;
const OPEN_ROWS: usize = memory.data(OPEN_LIMIT * 4);
const OPEN_LANES: usize = memory.data(OPEN_LIMIT * 4);
let openCount = 0;

/**
 * Lists the pairs of all sweep islands: entries (pair, free cell) at `entries`, and at `to` (key, entry) upwards. `to`
 * needs twice the room.
 */
export function orderPairs(to: usize, entries: usize): void {
  const islands = cell(ISLAND_COUNT);
  const points = column(PAIR_POINT);
  const counts = column(PAIR_POINTS);
  const gx = load<f64>(GRAVITY);
  const gy = load<f64>(GRAVITY + 8);
  const gz = load<f64>(GRAVITY + 16);
  const length = sqrt(gx * gx + gy * gy + gz * gz);
  const scale = length > 0 ? -1 / length : 0;
  let total = 0;
  for (let k = 0; k < islands; k++) {
    if (getI32(column(ISLAND_SOLVER), k) != ISLAND_SWEEPS) continue;
    const start = getI32(column(ISLAND_PAIR_START), k);
    const count = getI32(column(ISLAND_PAIR_COUNT), k);
    for (let i = 0; i < count; i++) {
      const pair = getI32(column(ISLAND_PAIRS), start + i);
      const n = getI32(counts, pair);
      let height: f64 = 0;
      for (let j = 0; j < n; j++) {
        const at = pair * 16 + j * 4;
        height += gx * getF64(points, at) + gy * getF64(points, at + 1) + gz * getF64(points, at + 2);
      }
      // Floats as integers of the same order.
      const bits = reinterpret<i32>(<f32>((height * scale) / n));
      store<i32>(to + ((<usize>total) << 3), bits < 0 ? ~bits : bits | (1 << 31));
      store<i32>(to + ((<usize>total) << 3), total, 4);
      store<i32>(entries + ((<usize>total) << 3), pair);
      total++;
    }
  }
  const spare = to + ((<usize>total) << 3);
  // Heights to 16 bits of the float: some 0.4 %, and a stable sort, so rows of equal height keep their order.
  sortPass(to, spare, total, 16);
  sortPass(spare, to, total, 24);
}

const HISTOGRAM = memory.data(1024);

/** Stable radix pass over 8 bits of the key. */
function sortPass(from: usize, to: usize, count: i32, shift: i32): void {
  memory.fill(HISTOGRAM, 0, 1024);
  for (let i = 0; i < count; i++) {
    const digit = (load<u32>(from + ((<usize>i) << 3)) >> shift) & 255;
    store<i32>(HISTOGRAM + (digit << 2), load<i32>(HISTOGRAM + (digit << 2)) + 1);
  }
  let sum = 0;
  for (let k: usize = 0; k < 1024; k += 4) {
    const n = load<i32>(HISTOGRAM + k);
    store<i32>(HISTOGRAM + k, sum);
    sum += n;
  }
  for (let i = 0; i < count; i++) {
    const row = load<u64>(from + ((<usize>i) << 3));
    const digit = (<u32>row >> shift) & 255;
    const at = load<i32>(HISTOGRAM + (digit << 2));
    store<i32>(HISTOGRAM + (digit << 2), at + 1);
    store<u64>(to + ((<usize>at) << 3), row);
  }
}

// What scheduleRows works on.
let list: usize = 0;
let listEnd: usize = 0;
let record: usize = 0;

/**
 * Makes the list of rows at `to`, with records from `first` on, from the `total` ordered entries at `order`, and writes
 * into each entry where its pair goes: a manifold's record or a single point's lane. Returns the list's end. `map` =
 * index of each body's record from `bodies` on; 0 is the resting world, 1 the sink.
 */
export function scheduleRows(
  order: usize,
  total: i32,
  entries: usize,
  to: usize,
  first: usize,
  map: usize,
  bodies: usize,
): usize {
  const points = column(PAIR_POINTS);
  const bodyA = column(PAIR_BODY_A);
  const bodyB = column(PAIR_BODY_B);
  const flags = column(BODY_FLAGS);
  const world = bodies;
  const sink = bodies + S.BODY_BYTES;
  list = to;
  listEnd = to;
  record = first;
  openCount = 0;
  for (let from = order; from < order + ((<usize>total) << 3); from += 8) {
    const entry = entries + ((<usize>load<i32>(from, 4)) << 3);
    const pair = load<i32>(entry);
    const slotA = getI32(bodyA, pair);
    const slotB = getI32(bodyB, pair);
    // What does not yield joins nothing: the sink takes its row number, and forgets it.
    const a = getI32(flags, slotA) & BODY_DYNAMIC ? bodies + <usize>getI32(map, slotA) * S.BODY_BYTES : sink;
    const b = getI32(flags, slotB) & BODY_DYNAMIC ? bodies + <usize>getI32(map, slotB) * S.BODY_BYTES : sink;
    const count = getI32(points, pair);
    let row = 0;
    if (count > 1) {
      store<usize>(entry, record, 4);
      row = addRow(count, S.MANIFOLD_BYTES);
    } else {
      const behind = max(load<i32>(a, S.LAST_ROW), load<i32>(b, S.LAST_ROW));
      let open = 0;
      while (open < openCount && getI32(OPEN_ROWS, open) <= behind) open++;
      if (open == openCount) open = openQuad(world, sink);
      row = getI32(OPEN_ROWS, open);
      const lane = getI32(OPEN_LANES, open);
      store<usize>(entry, load<usize>(list + ((<usize>(row - 1)) << 3)) + ((<usize>lane) << 2), 4);
      if (lane == 3) closeQuad(open);
      else store<i32>(OPEN_LANES + ((<usize>open) << 2), lane + 1);
    }
    store<i32>(a, row, S.LAST_ROW);
    store<i32>(b, row, S.LAST_ROW);
    store<i32>(sink, 0, S.LAST_ROW);
  }
  return listEnd;
}

/** Appends a row of `count` points with the next record; returns its number, from 1 on. */
function addRow(count: i32, bytes: usize): i32 {
  store<usize>(listEnd, record);
  store<i32>(listEnd, count, 4);
  listEnd += 8;
  record += bytes;
  return <i32>((listEnd - list) >> 3);
}

/** A new row with an empty quad; returns its place among the open ones. */
function openQuad(world: usize, sink: usize): i32 {
  clearQuad(record, world, sink);
  const row = addRow(1, S.QUAD_BYTES);
  if (openCount == OPEN_LIMIT) closeQuad(0);
  store<i32>(OPEN_ROWS + ((<usize>openCount) << 2), row);
  store<i32>(OPEN_LANES + ((<usize>openCount) << 2), 0);
  return openCount++;
}

function closeQuad(open: i32): void {
  openCount--;
  for (let k = open; k < openCount; k++) {
    store<i32>(OPEN_ROWS + ((<usize>k) << 2), getI32(OPEN_ROWS, k + 1));
    store<i32>(OPEN_LANES + ((<usize>k) << 2), getI32(OPEN_LANES, k + 1));
  }
}
