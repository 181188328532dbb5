// Pairs of edges near each other: kept by proximity/filter, then in order of their edges.
//
// In: pairs that the filter kept. Out: rows, and lists of them by first edge, ordered by second: neighbours along
// either strand are found at once, and contacts made in this order need no sorting.

import { get, getI32, put, setI32 } from '../memory';
import { lendMemory } from '../threads/fork';
import { nearKeys, nearRoom, nearRows, nearStart, nodes } from './work';

// A row, 32 bytes: edges A < B (i32), then f32 places on A and B (0..1), distance of the axes, length of A beside B,
// square of the sine between them, bound on how much nearer they can come within the step [m].
export const EDGE_A: usize = 0;
export const EDGE_B: usize = 4;
export const PLACE_A: usize = 8;
export const PLACE_B: usize = 12;
export const DISTANCE: usize = 16;
export const BESIDE: usize = 20;
export const SINE: usize = 24;
export const MOTION: usize = 28;

/** Bytes of a row. */
const ROW: usize = 32;

/** Pairs found, also those that had no room. */
export let nearCount: i32 = 0;
/** Where they go, and how many have room there. */
let rows: usize = 0;
let room: i32 = 0;

export function beginNear(): void {
  nearCount = 0;
  rows = nearRows;
  room = nearRoom;
  memory.fill(nearStart, 0, (<usize>(nodes + 2)) << 2);
}

/** Row of the pair behind key number `i`. */
export function nearRow(i: i32): usize {
  return nearRows + ((<usize>load<u32>(nearKeys + ((<usize>i) << 3))) << 5);
}

/** Second edge of the pair behind key number `i`. */
export function nearOther(i: i32): i32 {
  return load<i32>(nearKeys + ((<usize>i) << 3), 4);
}

/** Keeps the pair a < b; `values`: six f32, 16 bytes apart, as the filter has them. */
export function keepPair(a: i32, b: i32, values: usize): void {
  const i = nearCount++;
  if (i >= room) return;
  // Of ranges the rows are counted when they are joined.
  if (!ASC_FEATURE_THREADS) setI32(nearStart, a + 2, getI32(nearStart, a + 2) + 1);
  const row = rows + <usize>i * ROW;
  store<i32>(row, a, EDGE_A);
  store<i32>(row, b, EDGE_B);
  store<f32>(row, load<f32>(values), PLACE_A);
  store<f32>(row, load<f32>(values, 16), PLACE_B);
  store<f32>(row, load<f32>(values, 32), DISTANCE);
  store<f32>(row, load<f32>(values, 48), BESIDE);
  store<f32>(row, load<f32>(values, 64), SINE);
  store<f32>(row, load<f32>(values, 80), MOTION);
}

// Ranges of candidates keep their pairs in memory of their own: a row a candidate, and by the range's first candidate
// how many pairs there are and where the next range begins.
let ranges: usize = 0;
let rangeRows: usize = 0;

/** Makes room for the pairs of so many candidates. False: there is no memory. */
export function lendNear(count: i32): bool {
  rangeRows = lendMemory(<usize>count * (ROW + 8));
  ranges = rangeRows + <usize>count * ROW;
  return rangeRows != 0;
}

/** Begins a range of candidates. */
export function beginNearRange(begin: i32, end: i32): void {
  nearCount = 0;
  rows = rangeRows + <usize>begin * ROW;
  room = end - begin;
}

/** Ends it. */
export function endNearRange(begin: i32, end: i32): void {
  put<i32>(ranges, 2 * begin, nearCount);
  put<i32>(ranges, 2 * begin + 1, end);
}

/** Puts the pairs of all ranges where they belong, in order. */
export function joinNear(count: i32): void {
  beginNear();
  for (let begin = 0; begin < count; begin = get<i32>(ranges, 2 * begin + 1)) {
    const found = get<i32>(ranges, 2 * begin);
    const taken = max(0, min(found, room - nearCount));
    memory.copy(rows + <usize>nearCount * ROW, rangeRows + <usize>begin * ROW, <usize>taken * ROW);
    nearCount += found;
  }
}

/** Lists the pairs by first edge, then second. To be called when all have room. */
export function sortNear(): void {
  if (ASC_FEATURE_THREADS) {
    for (let i = 0; i < nearCount; i++) {
      const edge = load<i32>(nearRows + <usize>i * ROW, EDGE_A);
      setI32(nearStart, edge + 2, getI32(nearStart, edge + 2) + 1);
    }
  }
  for (let i = 2; i < nodes + 2; i++) setI32(nearStart, i, getI32(nearStart, i) + getI32(nearStart, i - 1));
  for (let i = 0; i < nearCount; i++) {
    const row = nearRows + ((<usize>i) << 5);
    const edge = load<i32>(row, EDGE_A);
    const place = getI32(nearStart, edge + 1);
    setI32(nearStart, edge + 1, place + 1);
    store<u64>(nearKeys + ((<usize>place) << 3), ((<u64>load<u32>(row, EDGE_B)) << 32) | <u64>i);
  }
  // An edge has a handful: insertion.
  for (let edge = 0; edge < nodes; edge++) {
    const first = nearKeys + ((<usize>getI32(nearStart, edge)) << 3);
    const end = nearKeys + ((<usize>getI32(nearStart, edge + 1)) << 3);
    for (let i = first + 8; i < end; i += 8) {
      const key = load<u64>(i);
      let at = i;
      while (at > first && load<u64>(at - 8) > key) {
        store<u64>(at, load<u64>(at - 8));
        at -= 8;
      }
      store<u64>(at, key);
    }
  }
}

/** Row of the pair a, b (a < b), 0 none. */
export function findNear(a: i32, b: i32): usize {
  if (a < 0 || a >= nodes) return 0;
  const end = getI32(nearStart, a + 1);
  for (let i = getI32(nearStart, a); i < end; i++) if (nearOther(i) == b) return nearRow(i);
  return 0;
}
