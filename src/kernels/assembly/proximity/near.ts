// Pairs of edges near each other: kept by the walk, in order of their edges.
//
// In: pairs that the test of proximity/lanes kept. Out: rows ordered by first edge, then second: neighbours along
// either strand are found at once, and contacts made in this order need no sorting.

import { joinHigh, joinLow, mixHigh, mixLow } from '../math/vector';
import { getI32, setI32 } from '../memory';
import { OUT } from './lanes';
import { nearRoom, nearRows, nearStart, nodes } from './work';

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
/** Where they go, and how many have room there; three more may be written behind. */
let rows: usize = 0;
let room: i32 = 0;

export function beginNear(): void {
  nearAt(nearRows, nearRoom);
}

/** Keeps pairs elsewhere from now on: a range of a walk has memory of its own. */
export function nearAt(address: usize, most: i32): void {
  rows = address;
  room = most;
  nearCount = 0;
}

/** Whether pairs have had no room. */
export function isNearFull(): bool {
  return nearCount > room;
}

/** Row of pair number `i` in their order. */
export function nearRow(i: i32): usize {
  return nearRows + <usize>i * ROW;
}

/** Second edge of pair number `i`. */
export function nearOther(i: i32): i32 {
  return load<i32>(nearRow(i), EDGE_B);
}

/** Keeps those of four pairs of edge a that have bits in `mask`, as the test left them; `pairs`: in the list. */
export function keepPairs(a: i32, pairs: usize, mask: i32): void {
  if (nearCount > room) {
    nearCount += popcnt(mask);
    return;
  }
  const edges = i32x4.splat(a);
  const others = v128.shuffle<i32>(v128.load(pairs), v128.load(pairs, 16), 1, 3, 5, 7);
  const s = v128.load(OUT);
  const t = v128.load(OUT, 16);
  const distance = v128.load(OUT, 32);
  const beside = v128.load(OUT, 48);
  const sine = v128.load(OUT, 64);
  const bound = v128.load(OUT, 80);
  let pair = mixLow(edges, others);
  let places = mixLow(s, t);
  let lengths = mixLow(distance, beside);
  let rest = mixLow(sine, bound);
  // Each row is written, and counted only when it is one: no branch to guess.
  let row = rows + <usize>nearCount * ROW;
  nearCount += popcnt(mask);
  v128.store(row, joinLow(pair, places));
  v128.store(row, joinLow(lengths, rest), 16);
  row += (<usize>(mask & 1)) << 5;
  v128.store(row, joinHigh(pair, places));
  v128.store(row, joinHigh(lengths, rest), 16);
  row += (<usize>((mask >> 1) & 1)) << 5;
  pair = mixHigh(edges, others);
  places = mixHigh(s, t);
  lengths = mixHigh(distance, beside);
  rest = mixHigh(sine, bound);
  v128.store(row, joinLow(pair, places));
  v128.store(row, joinLow(lengths, rest), 16);
  row += (<usize>((mask >> 2) & 1)) << 5;
  v128.store(row, joinHigh(pair, places));
  v128.store(row, joinHigh(lengths, rest), 16);
}

/** Appends rows that a range has kept. */
export function appendNear(from: usize, count: i32): void {
  const taken = max(0, min(count, room - nearCount));
  memory.copy(rows + <usize>nearCount * ROW, from, <usize>taken * ROW);
  nearCount += count;
}

/** Says where the pairs of each edge begin. */
export function orderNear(): void {
  const count = min(nearCount, nearRoom);
  let edge = 0;
  for (let i = 0; i < count; i++) {
    const a = load<i32>(nearRow(i), EDGE_A);
    while (edge <= a) setI32(nearStart, edge++, i);
  }
  while (edge < nodes + 2) setI32(nearStart, edge++, count);
}

/** Row of the pair a, b (a < b), 0 none. */
export function findNear(a: i32, b: i32): usize {
  if (a < 0 || a >= nodes) return 0;
  const end = getI32(nearStart, a + 1);
  for (let i = getI32(nearStart, a); i < end; i++) if (nearOther(i) == b) return nearRow(i);
  return 0;
}
