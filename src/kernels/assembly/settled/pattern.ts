// Order of elimination and fill of an island's factor, made anew in each step: minimum degree on bits.
//
// In: bodies and joints of an island. Out: slots, starts and rows of a factor as layout.ts has them. Row i of the bits
// tells the neighbours of body i that are still there; to eliminate a body joins its row into those of its
// neighbours, a word of 64 at a time. Trees have no fill at all. Bodies that nothing connects are eliminated group
// after group.

import {
  BODY_DYNAMIC,
  BODY_FLAGS,
  ISLAND_BODIES,
  ISLAND_BODY_COUNT,
  ISLAND_BODY_START,
  ISLAND_JOINT_COUNT,
  ISLAND_JOINT_START,
  ISLAND_JOINTS,
  JOINT_BODY,
} from '../../../state/layout';
import { column, getI32, setI32 } from '../memory';

/** Bytes of the work space for n bodies: bits, degrees, places, bodies by groups. */
export function patternBytes(n: i32): i32 {
  return n * ((n + 63) >> 6) * 8 + 12 * n + 16;
}

// The graph at hand.
let bits: usize = 0;
let words: usize = 0;
let degrees: usize = 0;
let places: usize = 0;
let members: usize = 0;

/**
 * Fills `slots` (in the order of elimination), `starts` and `rows` (room for `limit`) by the joints, using `map`
 * (i32 of each body slot) and `work`, a multiple of 8; and `groups`: i32×2 of each column, first and number of the
 * columns connected with it. Returns the blocks below the diagonal, −1 if they are more than `limit`.
 */
export function makePattern(
  island: i32,
  map: usize,
  work: usize,
  slots: usize,
  starts: usize,
  rows: usize,
  limit: i32,
  groups: usize,
): i32 {
  const n = getI32(column(ISLAND_BODY_COUNT), island);
  const bodies = column(ISLAND_BODIES) + ((<usize>getI32(column(ISLAND_BODY_START), island)) << 2);
  beginPattern(n, work);
  for (let i = 0; i < n; i++) setI32(map, getI32(bodies, i), i);
  joinJoints(island, map);
  const blocks = orderPattern(n, slots, starts, rows, limit, groups);
  if (blocks < 0) return -1;
  for (let i = 0; i < n; i++) setI32(slots, i, getI32(bodies, getI32(slots, i)));
  return blocks;
}

/** Begins a graph of n bodies that nothing connects, in `work` (patternBytes). */
export function beginPattern(n: i32, work: usize): void {
  words = <usize>((n + 63) >> 6);
  bits = work;
  degrees = bits + ((<usize>n * words) << 3);
  places = degrees + ((<usize>n) << 2);
  members = places + ((<usize>n) << 2);
  memory.fill(bits, 0, (<usize>n * words) << 3);
}

/** Connects two bodies of the graph. */
export function joinPattern(i: i32, j: i32): void {
  setBit(i, j);
  setBit(j, i);
}

/**
 * Fills `order` with the n bodies of the graph in the order of elimination, and the rest as makePattern does. What the
 * blocks need more than `limit` is left out: −1.
 */
export function orderPattern(n: i32, order: usize, starts: usize, rows: usize, limit: i32, groups: usize): i32 {
  for (let i = 0; i < n; i++) setI32(degrees, i, degreeOf(i));
  for (let i = 0; i < n; i++) setI32(places, i, -1);

  let blocks = 0;
  let listed = 0;
  let done = 0;
  for (let i = 0; i < n; i++) {
    if (getI32(places, i) != -1) continue;
    const first = listed;
    listed = listGroup(i, listed);
    while (done < listed) {
      const next = leastOf(first, listed);
      setI32(order, done, next);
      setI32(starts, done, blocks);
      setI32(places, next, done);
      setI32(groups, 2 * done, first);
      setI32(groups, 2 * done + 1, listed - first);
      done++;
      if (blocks + getI32(degrees, next) > limit) return -1;
      blocks = eliminate(next, rows, blocks);
    }
  }
  setI32(starts, n, blocks);

  // From bodies to places, upwards.
  for (let j = 0; j < n; j++) {
    const first = getI32(starts, j);
    const end = getI32(starts, j + 1);
    for (let k = first; k < end; k++) {
      const place = getI32(places, getI32(rows, k));
      let at = k;
      for (; at > first && getI32(rows, at - 1) > place; at--) setI32(rows, at, getI32(rows, at - 1));
      setI32(rows, at, place);
    }
  }
  return blocks;
}

function joinJoints(island: i32, map: usize): void {
  const start = getI32(column(ISLAND_JOINT_START), island);
  const end = start + getI32(column(ISLAND_JOINT_COUNT), island);
  for (let i = start; i < end; i++) {
    const joint = getI32(column(ISLAND_JOINTS), i);
    const a = getI32(column(JOINT_BODY), 2 * joint);
    const b = getI32(column(JOINT_BODY), 2 * joint + 1);
    if (a >= 0 && b >= 0) join(map, a, b);
  }
}

function join(map: usize, a: i32, b: i32): void {
  const flags = column(BODY_FLAGS);
  if ((getI32(flags, a) & getI32(flags, b) & BODY_DYNAMIC) == 0) return;
  joinPattern(getI32(map, a), getI32(map, b));
}

function setBit(i: i32, j: i32): void {
  const at = bits + ((<usize>i * words + <usize>(j >> 6)) << 3);
  store<u64>(at, load<u64>(at) | ((<u64>1) << (<u64>(j & 63))));
}

function clearBit(i: i32, j: i32): void {
  const at = bits + ((<usize>i * words + <usize>(j >> 6)) << 3);
  store<u64>(at, load<u64>(at) & ~((<u64>1) << (<u64>(j & 63))));
}

function degreeOf(i: i32): i32 {
  let degree: u64 = 0;
  const row = bits + ((<usize>i * words) << 3);
  for (let k: usize = 0; k < words << 3; k += 8) degree += popcnt<u64>(load<u64>(row + k));
  return <i32>degree;
}

/** Lists all that is connected with a body from `first` on; returns where the list ends. */
function listGroup(body: i32, first: i32): i32 {
  let end = first;
  setI32(members, end++, body);
  setI32(places, body, -2);
  for (let k = first; k < end; k++) {
    const row = bits + ((<usize>getI32(members, k) * words) << 3);
    for (let w: usize = 0; w < words; w++) {
      let word = load<u64>(row + (w << 3));
      while (word != 0) {
        const other = <i32>(w << 6) + <i32>ctz<u64>(word);
        word &= word - 1;
        if (getI32(places, other) != -1) continue;
        setI32(places, other, -2);
        setI32(members, end++, other);
      }
    }
  }
  return end;
}

/** Of the listed bodies the one of fewest neighbours that is still there; the first of equals. */
function leastOf(first: i32, end: i32): i32 {
  let least = -1;
  let fewest = i32.MAX_VALUE;
  for (let k = first; k < end; k++) {
    const i = getI32(members, k);
    const degree = getI32(degrees, i);
    if (degree >= 0 && degree < fewest) {
      fewest = degree;
      least = i;
    }
  }
  return least;
}

/**
 * Takes a body out: its neighbours, listed from `blocks` on, become neighbours of each other. Returns where the list
 * ends.
 */
function eliminate(body: i32, rows: usize, blocks: i32): i32 {
  const own = bits + ((<usize>body * words) << 3);
  const first = blocks;
  for (let w: usize = 0; w < words; w++) {
    let word = load<u64>(own + (w << 3));
    while (word != 0) {
      setI32(rows, blocks++, <i32>(w << 6) + <i32>ctz<u64>(word));
      word &= word - 1;
    }
  }
  for (let k = first; k < blocks; k++) {
    const i = getI32(rows, k);
    const row = bits + ((<usize>i * words) << 3);
    for (let w: usize = 0; w < words << 3; w += 8) store<u64>(row + w, load<u64>(row + w) | load<u64>(own + w));
    clearBit(i, i);
    clearBit(i, body);
    setI32(degrees, i, degreeOf(i));
  }
  setI32(degrees, body, -1);
  return blocks;
}
