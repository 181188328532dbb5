// Candidates: pairs of edges whose boxes overlap and that filters let meet.
//
// In: pairs of boxes from the grid, in a queue. Out: the list of pairs (a < b), good for all searches of a step.
// Left out: pairs that filters forbid; edges of one strand that share a node, or lie so near along the strand that a
// curve no tighter than its own radius brings them within reach (else a rod thicker than its edges are long would
// collide with itself); edges that are both held by clamps, or both asleep.
// A pair may be listed twice when a box of its was made anew: its contacts are then one (proximity/hits).

import { TIGHTEST_BEND } from '../../../core/elastic-constants';
import { MISSING_STRAND_CANDIDATES, ROD_LAYERS } from '../../../state/layout';
import { column, get, getF64, getI32, put, setCell } from '../memory';
import { lendMemory } from '../threads/fork';
import {
  arcs,
  candidateRoom,
  candidates,
  continuous,
  flags,
  keptApart,
  nearShare,
  nodes,
  RADIUS,
  RECORD,
  records,
  sortedEdge,
  TRAIT,
  TRAIT_ASLEEP,
  TRAIT_CLAMPED,
  TRAIT_ROD,
  TRAIT_SELF,
  traits,
} from './work';

// Pairs that wait: two places in the grid's order (2 × i32).
const QUEUE: usize = memory.data(2080, 16);
/** When the queue is longer than this it is emptied: four more pairs, and one that does not count, fit behind it. */
const FULL: usize = 2032;

/** Bit of a listed pair's first edge: nearer than half the contact distance, always to be looked at. */
export const CLOSE: i32 = i32.MIN_VALUE;
export const EDGE_BITS: i32 = i32.MAX_VALUE;

/** What MISSING_STRAND_CANDIDATES says when there were more than MOST an edge, and the search was given up. */
const TOO_MANY: i32 = -1;
/** A dense groom that whirls has thirty; with hundreds all sweeps through all, along velocities that mean nothing. */
const MOST: i32 = 120;
const MORE: i32 = 20000;

/** Pairs listed, also those that had no room. */
export let candidateCount: i32 = 0;
/** Where the next pair is to be written. */
export let queueEnd: usize = QUEUE;

/** Where they go, and how many have room there. */
let list: usize = 0;
let room: i32 = 0;

/** Empties the list. */
export function clearCandidates(): void {
  listAt(candidates, candidateRoom);
}

/** Goes on with the list of the search before. */
export function keepCandidates(): void {
  list = candidates;
  room = candidateRoom;
}

function listAt(address: usize, most: i32): void {
  list = address;
  room = most;
  candidateCount = 0;
  queueEnd = QUEUE;
}

// Ranges of places keep their pairs in memory of their own: so many a place, and by the range's first place how many
// pairs there are and where the next range begins.
const MOST_OF_PLACE: i32 = 64;
let rangeLists: usize = 0;
let ranges: usize = 0;

/** Makes room for the pairs of so many places; what waits is listed before. False: there is no memory. */
export function lendCandidates(places: i32): bool {
  listQueue();
  rangeLists = lendMemory(<usize>places * (8 * MOST_OF_PLACE + 8));
  ranges = rangeLists + <usize>places * (8 * MOST_OF_PLACE);
  return rangeLists != 0;
}

/** Begins a range of places. */
export function beginCandidateRange(begin: i32, end: i32): void {
  listAt(rangeLists + <usize>begin * (8 * MOST_OF_PLACE), (end - begin) * MOST_OF_PLACE);
}

/** Ends it. */
export function endCandidateRange(begin: i32, end: i32): void {
  listQueue();
  put<i32>(ranges, 2 * begin, candidateCount);
  put<i32>(ranges, 2 * begin + 1, end);
}

/** Appends the pairs of all ranges to the `before` that were there; false, and nothing is, if one had no room. */
export function joinCandidates(places: i32, before: i32): bool {
  listAt(candidates, candidateRoom);
  candidateCount = before;
  for (let begin = 0; begin < places; ) {
    const end = get<i32>(ranges, 2 * begin + 1);
    if (get<i32>(ranges, 2 * begin) > (end - begin) * MOST_OF_PLACE) return false;
    begin = end;
  }
  for (let begin = 0; begin < places; begin = get<i32>(ranges, 2 * begin + 1)) {
    const found = get<i32>(ranges, 2 * begin);
    const taken = max(0, min(found, room - candidateCount));
    memory.copy(candidateAt(candidateCount), rangeLists + <usize>begin * (8 * MOST_OF_PLACE), (<usize>taken) << 3);
    candidateCount += found;
  }
  return true;
}

/** Says that nothing is known of how far the pairs from number `from` on are apart. */
export function forgetApart(from: i32): void {
  const known = min(candidateCount, candidateRoom) - from;
  if (known > 0) memory.fill(keptApart + ((<usize>from) << 2), 0, (<usize>known) << 2);
}

/** Whether there are so many pairs that looking along the way of the step is pointless. */
export function areTooMany(): bool {
  return continuous && candidateCount > MOST * nodes + MORE;
}

/**
 * Whether all pairs have found room; says in MISSING_STRAND_CANDIDATES how many have not, or that there are too many.
 */
export function hasRoom(): bool {
  const missing = areTooMany() ? TOO_MANY : max(0, candidateCount - candidateRoom);
  setCell(MISSING_STRAND_CANDIDATES, missing);
  return missing == 0;
}

/** Says how far the queue was filled, by no more than four pairs; lists what waits when it is full. */
export function takeQueue(end: usize): void {
  queueEnd = end;
  if (end > QUEUE + FULL) listQueue();
}

/** Lists the pairs that still wait. */
export function listQueue(): void {
  for (let pair = QUEUE; pair < queueEnd; pair += 8) {
    const first = getI32(sortedEdge, load<i32>(pair));
    const second = getI32(sortedEdge, load<i32>(pair, 4));
    const a = min(first, second);
    const b = max(first, second);
    if (!mayMeet(a, b)) continue;
    const i = candidateCount++;
    if (i >= room) continue;
    const at = list + ((<usize>i) << 3);
    store<i32>(at, a);
    store<i32>(at, b, 4);
  }
  queueEnd = QUEUE;
}

export function candidateAt(i: i32): usize {
  return candidates + ((<usize>i) << 3);
}

function mayMeet(a: i32, b: i32): bool {
  const traitA = traits + <usize>a * TRAIT;
  const traitB = traits + <usize>b * TRAIT;
  const bitsA = load<i32>(traitA, 4);
  const bitsB = load<i32>(traitB, 4);
  if ((bitsA & bitsB & (TRAIT_CLAMPED | TRAIT_ASLEEP)) != 0) return false;
  const rodA = bitsA & TRAIT_ROD;
  const rodB = bitsB & TRAIT_ROD;
  if (rodA != rodB) {
    const layers = column(ROD_LAYERS);
    const layersA = getI32(layers, rodA);
    const layersB = getI32(layers, rodB);
    return ((layersA >>> 16) & layersB & 0xffff) != 0 && ((layersB >>> 16) & layersA & 0xffff) != 0;
  }
  if ((bitsA & TRAIT_SELF) == 0) return false;
  if (load<i32>(traitA) != load<i32>(traitB)) return true;
  if (b <= a + 1) return false;
  const reach = load<f64>(records + <usize>a * RECORD, RADIUS) + load<f64>(records + <usize>b * RECORD, RADIUS);
  return getF64(arcs, b) - getF64(arcs, a + 1) >= (TIGHTEST_BEND + nearShare) * reach;
}

/**
 * Copies the next pairs of the list, from number `from` to `until`, of which an edge has flags or that are close
 * (`every`: all), to `to`, no more than `room` of them, and how far they are apart to `apart`; returns the end of what
 * was written. `listedUpTo` says how far it came.
 */
export function gatherFlagged(from: i32, until: i32, every: bool, to: usize, apart: usize, room: i32): usize {
  const last = to + ((<usize>room) << 3);
  const end = candidateAt(until);
  let at = candidateAt(from);
  let next = to;
  // Each pair is written, and counted only when it is wanted: no branch to guess.
  for (; at < end && next < last; at += 8) {
    const a = load<i32>(at);
    const b = load<i32>(at, 4);
    store<u64>(next, load<u64>(at));
    store<f32>(apart + ((next - to) >> 1), load<f32>(keptApart + ((at - candidates) >> 1)));
    const wanted = i32(every) | <i32>load<u8>(flags + (a & EDGE_BITS)) | <i32>load<u8>(flags + b) | (a >>> 31);
    next += wanted != 0 ? 8 : 0;
  }
  listedUpTo = <i32>((at - candidates) >> 3);
  return next;
}

export let listedUpTo: i32 = 0;
