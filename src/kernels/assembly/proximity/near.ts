// Pairs of edges near each other: kept by the walk, three edges of a strand at a time.
//
// In: pairs that the test of proximity/lanes kept, edge after edge of a strand. Out: rows of the edge that is met and
// of those before and behind it along the strand, each ordered by second edge: neighbours along either strand are found
// at once, and contacts made in this order need no sorting. An edge is met as soon as the rows of the one behind it are
// there, while they are still in the cache; then those of the one before it go.

import { joinHigh, joinLow, mixHigh, mixLow } from '../math/vector';
import { OUT } from './lanes';

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

/** Rows kept now, also those that had no room. */
let nearCount: i32 = 0;
/** Most rows that have had no room at a time. */
export let nearMissing: i32 = 0;
/** Where they go, and how many have room there; three more may be written behind. */
let rows: usize = 0;
let room: i32 = 0;

// Where the rows of the edge before, of the one that is met, of the one behind begin, and where these end.
let beforeStart: i32 = 0;
export let ownStart: i32 = 0;
export let ownEnd: i32 = 0;
let behindEnd: i32 = 0;

/** Begins a walk; rows go to `address`, where `most` have room. */
export function beginNear(address: usize, most: i32): void {
  rows = address;
  room = most;
  nearMissing = 0;
  beginNearStrand();
}

/** Begins a strand: nothing is near its first edge along it. */
export function beginNearStrand(): void {
  nearCount = beforeStart = ownStart = ownEnd = behindEnd = 0;
}

/**
 * All rows of an edge are kept: it is the one behind now, and the one before it may be met. Called once more behind the
 * last edge of a strand.
 */
export function turnToNext(): void {
  if (nearCount > room) {
    // The detection is made again with more room: nothing of it is met.
    nearMissing = max(nearMissing, nearCount - room);
    beginNearStrand();
    return;
  }
  beforeStart = ownStart;
  ownStart = ownEnd;
  ownEnd = behindEnd;
  behindEnd = nearCount;
  if (nearCount <= room >> 1 || beforeStart == 0) return;

  // Back to the start of the room.
  memory.copy(rows, nearRow(beforeStart), <usize>(nearCount - beforeStart) * ROW);
  ownStart -= beforeStart;
  ownEnd -= beforeStart;
  behindEnd -= beforeStart;
  nearCount -= beforeStart;
  beforeStart = 0;
}

/** Row number `i`. */
export function nearRow(i: i32): usize {
  return rows + <usize>i * ROW;
}

/** Second edge of row number `i`. */
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

/** Row of the edge before (`step` −1) or behind (1) the one that is met with edge b, 0 none. */
export function findNear(step: i32, b: i32): usize {
  const end = step < 0 ? ownStart : behindEnd;
  for (let i = step < 0 ? beforeStart : ownEnd; i < end; i++) if (nearOther(i) == b) return nearRow(i);
  return 0;
}
