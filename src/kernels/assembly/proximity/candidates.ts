// Candidates: pairs of edges whose boxes overlap and that filters let meet.
//
// In: pairs of an edge and edges of a leaf from the walk. Out: the list of pairs (a < b), good for all detections of a
// step, and beside each how far it is apart.
// Left out: pairs that filters forbid; edges of one strand that share a node, or lie so near along the strand that a
// curve no tighter than its own radius brings them within reach (else a rod thicker than its edges are long would
// collide with itself); edges that are both held by clamps, or both asleep.
// A pair may be listed twice when a box of its was made anew: its contacts are then one (proximity/hits).

import { TIGHTEST_BEND } from '../../../core/elastic-constants';
import { MISSING_STRAND_CANDIDATES, ROD_LAYERS } from '../../../state/layout';
import { column, getF64, getI32, setCell } from '../memory';
import { LEAF_BITS, LEAF_STRAND } from './leaves';
import {
  APART_BYTES,
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
  TRAIT,
  TRAIT_ASLEEP,
  TRAIT_CLAMPED,
  TRAIT_ROD,
  TRAIT_SELF,
  traits,
} from './work';

/** Bit of a listed pair's first edge: nearer than half the contact distance, always to be looked at. */
export const CLOSE: i32 = i32.MIN_VALUE;
export const EDGE_BITS: i32 = i32.MAX_VALUE;

/** What MISSING_STRAND_CANDIDATES says when there were more than MOST an edge, and the detection was given up. */
const TOO_MANY: i32 = -1;
/** A dense groom that whirls has thirty; with hundreds all sweeps through all, along velocities that mean nothing. */
const MOST: i32 = 120;
const MORE: i32 = 20000;

/** Pairs listed, also those that had no room. */
export let candidateCount: i32 = 0;

/** Where they go, where their distances go, and how many have room there; three more may be written behind. */
let list: usize = 0;
let apartList: usize = 0;
let room: i32 = 0;

/** Empties the list. */
export function clearCandidates(): void {
  keepCandidates(0);
}

/** Goes on with the list of the detection before, from its first `count` pairs on. */
export function keepCandidates(count: i32): void {
  candidateCount = count;
  list = candidates;
  apartList = keptApart;
  room = candidateRoom;
}

/** Lists pairs elsewhere from now on: a range of a walk has memory of its own. */
export function listAt(address: usize, apart: usize, most: i32): void {
  list = address;
  apartList = apart;
  room = most;
  candidateCount = 0;
}

/** Whether pairs have had no room. */
export function isListFull(): bool {
  return candidateCount > room;
}

/** Appends pairs that a range has listed. */
export function appendPairs(from: usize, apart: usize, count: i32): void {
  const taken = max(0, min(count, room - candidateCount));
  memory.copy(list + ((<usize>candidateCount) << 3), from, (<usize>taken) << 3);
  memory.copy(apartAt(candidateCount), apart, <usize>taken * APART_BYTES);
  candidateCount += count;
}

/** Lists edge a with those of four neighbours, from `first` on, that have bits in `mask`. */
export function addPairs(a: i32, first: i32, mask: i32): void {
  const at = candidateCount;
  candidateCount += popcnt(mask);
  if (at > room) return;
  // Each pair is written, and counted only when it is one: no branch to guess.
  let to = list + ((<usize>at) << 3);
  for (let lane = 0; lane < 4; lane++) {
    store<i32>(to, a);
    store<i32>(to, first + lane, 4);
    to += (<usize>((mask >> lane) & 1)) << 3;
  }
}

/** Pairs that are listed and have room. */
export function listedCount(): i32 {
  return min(candidateCount, room);
}

/** Pair number `i` of the list, and where its distance goes. */
export function listedAt(i: i32): usize {
  return list + ((<usize>i) << 3);
}

export function apartAt(i: i32): usize {
  return apartList + <usize>i * APART_BYTES;
}

/** A bound that keepApart of proximity/kept-apart has kept [m]. */
function readApart(at: usize): f32 {
  return reinterpret<f32>((<u32>load<u16>(at)) << 16);
}

/** Says that nothing is known of how far the pairs from number `from` on are apart. */
export function forgetApart(from: i32): void {
  const known = listedCount() - from;
  if (known > 0) memory.fill(apartAt(from), 0, <usize>known * APART_BYTES);
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

export function candidateAt(i: i32): usize {
  return candidates + ((<usize>i) << 3);
}

/** Of the edges of two leaves none may meet, all may, or each pair is to be asked. */
export const MEET_NONE: i32 = 0;
export const MEET_ALL: i32 = 1;
const MEET_SOME: i32 = 2;

/** Which of these is true of two leaves (rows of proximity/leaves). */
export function meetingOf(leafA: usize, leafB: usize): i32 {
  const common = load<i32>(leafA, LEAF_BITS) & load<i32>(leafB, LEAF_BITS);
  if ((common & (TRAIT_CLAMPED | TRAIT_ASLEEP)) != 0) return MEET_SOME;
  if (load<i32>(leafA, LEAF_STRAND) == load<i32>(leafB, LEAF_STRAND)) return MEET_SOME;
  const bits = load<i32>(leafB, LEAF_BITS);
  const rodA = load<i32>(leafA, LEAF_BITS) & TRAIT_ROD;
  const rodB = bits & TRAIT_ROD;
  if (rodA == rodB) return bits & TRAIT_SELF ? MEET_ALL : MEET_NONE;
  return doLayersMeet(rodA, rodB) ? MEET_ALL : MEET_NONE;
}

function doLayersMeet(rodA: i32, rodB: i32): bool {
  const layers = column(ROD_LAYERS);
  const layersA = getI32(layers, rodA);
  const layersB = getI32(layers, rodB);
  return ((layersA >>> 16) & layersB & 0xffff) != 0 && ((layersB >>> 16) & layersA & 0xffff) != 0;
}

/** Those of `mask` of the four edges from `first` on that lie behind edge a and may meet it. */
export function meetingLanes(a: i32, first: i32, mask: i32): i32 {
  let left = 0;
  for (let lane = 0; lane < 4; lane++) {
    const b = first + lane;
    if ((mask & (1 << lane)) != 0 && b > a && mayMeet(a, b)) left |= 1 << lane;
  }
  return left;
}

/** Whether the edges a < b may meet. */
export function mayMeet(a: i32, b: i32): bool {
  const traitA = traits + <usize>a * TRAIT;
  const traitB = traits + <usize>b * TRAIT;
  const bitsA = load<i32>(traitA, 4);
  const bitsB = load<i32>(traitB, 4);
  if ((bitsA & bitsB & (TRAIT_CLAMPED | TRAIT_ASLEEP)) != 0) return false;
  const rodA = bitsA & TRAIT_ROD;
  const rodB = bitsB & TRAIT_ROD;
  if (rodA != rodB) return doLayersMeet(rodA, rodB);
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
    store<f32>(apart + ((next - to) >> 1), readApart(keptApart + ((at - candidates) >> 3) * APART_BYTES));
    const wanted = i32(every) | <i32>load<u8>(flags + (a & EDGE_BITS)) | <i32>load<u8>(flags + b) | (a >>> 31);
    next += wanted != 0 ? 8 : 0;
  }
  listedUpTo = <i32>((at - candidates) >> 3);
  return next;
}

export let listedUpTo: i32 = 0;
