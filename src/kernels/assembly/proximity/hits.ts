// The contacts that a call finds, and those of the last step: kept, sorted by feature, matched, written.
//
// In: hits in the order of the walk; the contact table as the last step left it. Out: the table anew, ordered by
// feature (low, then high), each row with the force of the same feature, or failing that of one that slid over from
// a neighbouring edge. With APPEND rows stay where they are and only features not yet there are added behind them.
// Feature: low = edge of side A (its first node); high = edge of side B and an impact bit, or collider, place and
// BODY_BIT. Both name rows that stay while no rod is removed.

import { NODE_CONTACT_FORCE, NODE_CONTACT_KEY, NODE_CONTACT_NORMAL, NODE_CONTACT_WEIGHT } from '../../../state/layout';
import { CROSSING_BYTES, CROSSING_EDGE_A, CROSSING_EDGE_B } from '../../../state/rod-layout';
import { column, copy32, get, getI32, put, setI32 } from '../memory';
import { lendMemory } from '../threads/fork';
import {
  append,
  HIT,
  hitCapacity,
  hitForces,
  hitOrder,
  hitStart,
  hits,
  lendHits,
  nodes,
  oldCount,
  oldOrder,
  oldStart,
  oldUsed,
} from './work';

/** Bit of `high`: a second contact of two edges, where they will meet. */
export const IMPACT_BIT: i32 = 1;
/** Further contacts of two edges that turn while they slide: impacts one to this many more, numbered above this bit. */
export const AGAIN_BITS: i32 = 27;
export const AGAIN_MOST: i32 = 7;
/** The edge of side B, shifted by one, in `high`. */
export const EDGE_MASK: i32 = (1 << AGAIN_BITS) - 2;
/** Bit of `high`: side B is a body. Below it collider << PLACE_BITS | place on the edge. */
export const BODY_BIT: i32 = 1 << 30;
export const PLACE_BITS: i32 = 3;

// Fields of a hit. (High must follow low, as in NODE_CONTACT_KEY.)
export const LOW: usize = 0;
export const HIGH: usize = 4;
const SOURCE: usize = 8; // row of the old contact that it continues, −1 none
export const PLACE_S: usize = 16;
export const PLACE_T: usize = 24;
export const NORMAL: usize = 32;
export const GAP: usize = 56;
export const TIME: usize = 64;
export const POINT: usize = 72; // on the body, from its centre of mass, world axes (3 × f64)

/** Hits found, also those that had no room. */
export let hitCount: i32 = 0;
/** Whether they lie in the order of their features, each once, as those of pairs are found. */
let inOrder: bool = false;

/** Address of a hit. */
export function hitAt(i: i32): usize {
  return hits + <usize>i * HIT;
}

// ── The last step ────────────────────────────────

/**
 * Sorts row numbers 0..count−1 by low, then high, into `order`; afterwards start[low] is where those of an edge
 * begin. `low` is the address of row 0's low (−1: left out), its high follows; rows are `stride` bytes apart.
 */
function sortByFeature(start: usize, order: usize, low: usize, stride: usize, count: i32): void {
  memory.fill(start, 0, (<usize>(nodes + 2)) << 2);
  let inOrder = true;
  let before: i64 = -1;
  for (let row = 0; row < count; row++) {
    const edge = load<i32>(low + <usize>row * stride);
    if (edge >= 0 && edge < nodes) setI32(start, edge + 2, getI32(start, edge + 2) + 1);
    else inOrder = false;
    const key = ((<i64>edge) << 32) | <i64>load<u32>(low + <usize>row * stride, 4);
    inOrder = inOrder && key > before;
    before = key;
  }
  for (let i = 2; i < nodes + 2; i++) setI32(start, i, getI32(start, i) + getI32(start, i - 1));
  if (inOrder) {
    // Often so: contacts of pairs are made in order, and so was the table.
    for (let i = 0; i < nodes + 1; i++) setI32(start, i, getI32(start, i + 1));
    for (let row = 0; row < count; row++) setI32(order, row, row);
    return;
  }
  for (let row = 0; row < count; row++) {
    const edge = load<i32>(low + <usize>row * stride);
    if (edge < 0 || edge >= nodes) continue;
    const at = getI32(start, edge + 1);
    setI32(start, edge + 1, at + 1);
    setI32(order, at, row);
  }
  // An edge has a handful: insertion.
  for (let edge = 0; edge < nodes; edge++) {
    const first = getI32(start, edge);
    const last = getI32(start, edge + 1);
    for (let i = first + 1; i < last; i++) {
      const row = getI32(order, i);
      const high = load<i32>(low + <usize>row * stride, 4);
      let at = i;
      while (at > first && load<i32>(low + <usize>getI32(order, at - 1) * stride, 4) > high) {
        setI32(order, at, getI32(order, at - 1));
        at--;
      }
      setI32(order, at, row);
    }
  }
}

/** Whether the contacts that are there are sorted by feature. */
let isSorted: bool = false;
/**
 * With APPEND: rows of the table that are in order as they are, all that the first detection of the step wrote; those
 * behind them are sorted apart.
 */
let runEnd: i32 = 0;

/**
 * Orders the contacts of the last step by feature; those whose edge is gone drop out. They stay in the table until
 * their forces have gone over. With APPEND they are sorted when one is asked for.
 */
export function readOld(): void {
  hitCount = 0;
  isSorted = !append;
  if (append) return;
  sortByFeature(oldStart, oldOrder, column(NODE_CONTACT_KEY), 16, oldCount);
  memory.fill(oldUsed, 0, oldCount);
}

/** Row of the contact with this feature, of the last step or (APPEND) of this one, −1 none. */
export function findOld(low: i32, high: i32): i32 {
  if (append) return findRow(low, high);
  const keys = column(NODE_CONTACT_KEY);
  const last = getI32(oldStart, low + 1);
  for (let i = getI32(oldStart, low); i < last; i++) {
    const row = getI32(oldOrder, i);
    if (getI32(keys, row * 4 + 1) == high) return row;
  }
  return -1;
}

/** Sorts the contacts that are there, if that has not been done: threads find them sorted. */
export function sortOld(): void {
  if (isSorted) return;
  isSorted = true;
  const keys = column(NODE_CONTACT_KEY);
  runEnd = 0;
  while (runEnd < oldCount && (runEnd == 0 || featureOf(rowAt(keys, runEnd)) > featureOf(rowAt(keys, runEnd - 1))))
    runEnd++;
  sortByFeature(oldStart, oldOrder, rowAt(keys, runEnd), 16, oldCount - runEnd);
}

/** Row of the column of keys. */
function rowAt(keys: usize, row: i32): usize {
  return keys + ((<usize>row) << 4);
}

function findRow(low: i32, high: i32): i32 {
  sortOld();
  const keys = column(NODE_CONTACT_KEY);
  const key = ((<i64>low) << 32) | <i64>(<u32>high);
  let first = 0;
  let end = runEnd;
  while (first < end) {
    const middle = (first + end) >> 1;
    if (featureOf(rowAt(keys, middle)) < key) first = middle + 1;
    else end = middle;
  }
  if (first < runEnd && featureOf(rowAt(keys, first)) == key) return first;

  const last = getI32(oldStart, low + 1);
  for (let i = getI32(oldStart, low); i < last; i++) {
    const row = runEnd + getI32(oldOrder, i);
    if (getI32(keys, row * 4 + 1) == high) return row;
  }
  return -1;
}

/** Component `i` of the normal (0..2) of the contact in a row of the table. */
export function normalOfRow(contact: i32, i: i32): f64 {
  return load<f64>(column(NODE_CONTACT_NORMAL) + ((<usize>contact) << 5) + ((<usize>i) << 3));
}

/** Place on side A (0) or B (1) of the contact in a row of the table. */
export function placeOfRow(contact: i32, side: i32): f64 {
  const row = column(NODE_CONTACT_WEIGHT) + ((<usize>contact) << 5);
  return side == 0 ? load<f64>(row, 8) : -load<f64>(row, 24);
}

// ── Hits ───────────────────────────────────

/** Keeps a contact; places on A and B, normal from B to A, gap [m], time of impact (0..1 of the step). */
export function addHit(low: i32, high: i32, s: f64, t: f64, nx: f64, ny: f64, nz: f64, gap: f64, time: f64): void {
  if (append && findOld(low, high) >= 0) return;
  const i = hitCount++;
  if (i >= hitCapacity) return;
  const at = hitAt(i);
  store<i32>(at, low, LOW);
  store<i32>(at, high, HIGH);
  store<i32>(at, -1, SOURCE);
  store<f64>(at, s, PLACE_S);
  store<f64>(at, t, PLACE_T);
  store<f64>(at, nx, NORMAL);
  store<f64>(at, ny, NORMAL + 8);
  store<f64>(at, nz, NORMAL + 16);
  store<f64>(at, gap, GAP);
  store<f64>(at, time, TIME);
}

/** Where the hit that `addHit` kept last keeps its point on the body (3 × f64); 0 when it had no room. */
export function hitPoint(count: i32): usize {
  return hitCount > count && hitCount <= hitCapacity ? hitAt(hitCount - 1) + POINT : 0;
}

// Ranges keep their hits in memory of their own: by the range's first thing the number of its first hit, how many
// there are, how many have room, and where the next range begins.
let rangeHits: usize = 0;
let ranges: usize = 0;
let ownHits: usize = 0;
let ownCapacity: i32 = 0;
let ownCount: i32 = 0;

/** Bytes that say of a range by its first thing where its hits are. */
export const RANGE_ROW: usize = 16;

/** Makes room for the hits of ranges of so many things: so many in all. False: there is no memory. */
export function lendRanges(things: i32, count: i32): bool {
  const address = lendMemory(<usize>things * RANGE_ROW + <usize>count * HIT);
  if (address != 0) placeRanges(address, things);
  return address != 0;
}

/** Places the rows of ranges of so many things, and behind them their hits. */
export function placeRanges(address: usize, things: i32): void {
  ownHits = hits;
  ownCapacity = hitCapacity;
  ownCount = hitCount;
  ranges = address;
  rangeHits = address + <usize>things * RANGE_ROW;
}

/** Begins a range whose first hit has number `first`, with room for `most`. */
export function beginHitRange(begin: i32, end: i32, first: i32, most: i32): void {
  put<i32>(ranges, 4 * begin, first);
  put<i32>(ranges, 4 * begin + 2, most);
  put<i32>(ranges, 4 * begin + 3, end);
  lendHits(rangeHits + <usize>first * HIT, most);
  hitCount = 0;
}

/** Ends it. */
export function endHitRange(begin: i32): void {
  put<i32>(ranges, 4 * begin + 1, hitCount);
}

/** Appends the hits of all ranges to those that were there; false, and none is, if one had no room. */
export function joinHits(things: i32): bool {
  lendHits(ownHits, ownCapacity);
  hitCount = ownCount;
  for (let begin = 0; begin < things; begin = get<i32>(ranges, 4 * begin + 3))
    if (get<i32>(ranges, 4 * begin + 1) > get<i32>(ranges, 4 * begin + 2)) return false;
  for (let begin = 0; begin < things; begin = get<i32>(ranges, 4 * begin + 3)) {
    const found = get<i32>(ranges, 4 * begin + 1);
    const taken = max(0, min(found, hitCapacity - hitCount));
    const from = rangeHits + <usize>get<i32>(ranges, 4 * begin) * HIT;
    memory.copy(hitAt(hitCount), from, <usize>taken * HIT);
    hitCount += found;
  }
  return true;
}

/** Orders the hits by feature. */
export function sortHits(): void {
  inOrder = true;
  for (let i = 1; i < hitCount && inOrder; i++) inOrder = featureOf(hitAt(i)) > featureOf(hitAt(i - 1));
  if (!inOrder) sortByFeature(hitStart, hitOrder, hits + LOW, HIT, hitCount);
}

/** Low and high of a row that begins with them, low first. */
function featureOf(row: usize): i64 {
  return ((<i64>load<i32>(row, LOW)) << 32) | <i64>load<u32>(row, HIGH);
}

/**
 * Takes hits that repeat the one before out of the order of features (a pair of edges was listed twice); returns how
 * many there are then. After matchHits.
 */
export function dropRepeated(): i32 {
  if (inOrder) return hitCount;
  let count = 0;
  for (let i = 0; i < hitCount; i++) {
    const place = getI32(hitOrder, i);
    if (count > 0 && load<u64>(hitAt(getI32(hitOrder, count - 1))) == load<u64>(hitAt(place))) continue;
    setI32(hitOrder, count++, place);
  }
  return count;
}

/** Address of hit number `i` in the order of features. */
export function orderedHit(i: i32): usize {
  return hitAt(inOrder ? i : getI32(hitOrder, i));
}

/** Force (4 × f64) that a hit starts with, 0 none. */
export function hitForce(hit: usize): usize {
  return load<i32>(hit, SOURCE) < 0 ? 0 : forceAt(hit);
}

/** Where the force of a hit waits for its row. */
function forceAt(hit: usize): usize {
  return hitForces + (((hit - hits) / HIT) << 5);
}

/** Begins to fill the rows of `lendHits`. */
export function beginHits(): void {
  hitCount = 0;
}

// ── Edges that would go through each other (proximity/crossing) ────────────────

/** Crossings found, also those that had no room. */
export let crossingCount: i32 = 0;

export function beginCrossings(): void {
  crossingCount = 0;
}

/** Keeps where edges a < b would meet: normal from B to A, places, their distance at the start of the step [m]. */
export function addCrossing(a: i32, b: i32, nx: f64, ny: f64, nz: f64, distance: f64, s: f64, t: f64): void {
  const i = crossingCount++;
  if (i >= hitCapacity) return;
  const row = hits + <usize>(CROSSING_BYTES * i);
  store<f64>(row, nx);
  store<f64>(row, ny, 8);
  store<f64>(row, nz, 16);
  store<f64>(row, distance, 24);
  store<f64>(row, s, 32);
  store<f64>(row, t, 40);
  store<i32>(row, a, CROSSING_EDGE_A);
  store<i32>(row, b, CROSSING_EDGE_B);
}

// ── Matching ─────────────────────────────────

/** Gives each hit the contact of the last step that it continues: same feature first, then a neighbour's. */
export function matchHits(): void {
  if (append || oldCount == 0) return;
  for (let i = 0; i < hitCount; i++) {
    const hit = orderedHit(i);
    claim(hit, load<i32>(hit, LOW), load<i32>(hit, HIGH));
  }
  for (let i = 0; i < hitCount; i++) {
    const hit = orderedHit(i);
    if (load<i32>(hit, SOURCE) < 0) claimNeighbour(hit);
  }
  // Rows are about to be written over.
  const force = column(NODE_CONTACT_FORCE);
  for (let i = 0; i < hitCount; i++) {
    const hit = hitAt(i);
    const source = load<i32>(hit, SOURCE);
    if (source >= 0) copy32(forceAt(hit), force + ((<usize>source) << 5));
  }
}

/** Takes an old contact over unless another hit has it, or it pushed the other way. */
function claim(hit: usize, low: i32, high: i32): bool {
  if (low < 0 || low >= nodes) return false;
  const contact = findOld(low, high);
  if (contact < 0) return false;
  if (load<u8>(oldUsed + contact) != 0) return false;
  const normal = column(NODE_CONTACT_NORMAL) + ((<usize>contact) << 5);
  let cosine: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) cosine += load<f64>(hit + k, NORMAL) * load<f64>(normal + k);
  if (!(cosine > 0)) return false;
  store<u8>(oldUsed + contact, 1);
  store<i32>(hit, contact, SOURCE);
  return true;
}

/** The point slid onto the next edge of A, of B, or of both; on a body also from an end of the edge to its inside. */
function claimNeighbour(hit: usize): void {
  const low = load<i32>(hit, LOW);
  const high = load<i32>(hit, HIGH);
  if (high & BODY_BIT) {
    const collider = high & -(1 << PLACE_BITS);
    for (let d = 0; d < 3; d++) {
      const edge = low + (d == 0 ? 0 : d == 1 ? -1 : 1);
      for (let place = 0; place < 1 << PLACE_BITS; place++) if (claim(hit, edge, collider | place)) return;
    }
    return;
  }
  const other = high & EDGE_MASK;
  if (claim(hit, low, high ^ IMPACT_BIT)) return;
  for (let d = -1; d < 2; d += 2) if (claim(hit, low + d, other) || claim(hit, low, other + 2 * d)) return;
  for (let d = -1; d < 2; d += 2) if (claim(hit, low + d, other + 2 * d) || claim(hit, low + d, other - 2 * d)) return;
}
