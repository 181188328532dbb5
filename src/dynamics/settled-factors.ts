// Kept factors of settled islands: found by the island's bodies, in the arena so that a snapshot has them.
//
// In: an island whose bodies have been slow for a while. Out: the address of a factor block as state/settled-layout.ts
// lays it out, its pattern (order of elimination, fill) made here, its numbers by the kernels. The symbolic step
// foretells the cost: what is too dear is refused, and remembered as refused.

import { allocate, blockSize, release } from '../core/arena';
import type { DeadRanges } from '../core/packed-arena';
import { dissectionOrder } from '../math/dissection-order';
import * as L from '../state/layout';
import {
  BLOCK_BYTES,
  FACTOR_BLOCKS,
  FACTOR_BODIES,
  FACTOR_CONTACTS,
  FACTOR_DIAGONAL,
  FACTOR_DONE,
  FACTOR_HEAD,
  FACTOR_LAST,
  FACTOR_LOWER,
  FACTOR_MADE,
  FACTOR_PRODUCTS,
  FACTOR_ROWS,
  FACTOR_SLOTS,
  FACTOR_STARTS,
  FACTOR_STIFFNESS,
} from '../state/settled-layout';
import type { Engine } from './engine';

/** Most bodies that are put in order in one step. */
const MOST_BODIES = 6000;
/**
 * Most blocks of 288 bytes below the diagonal, twice: two triangular solves pass through all of them. A pyramid of base
 * 100, 5050 boxes, has 83 396.
 */
const MOST_BLOCKS = 120_000;
/** Most block products of a factorisation: some 30 ns each, spread over steps. That pyramid takes 1.5 million. */
const MOST_PRODUCTS = 3_000_000;

/** Entries looked at before giving up. */
const PROBES = 8;
/** Entries looked at per step for release, and the steps after which an unused one is given back. */
const RELEASED_A_STEP = 4;
const STALE_AFTER = 60;

/**
 * Penalty of a new factor in units of 1/λ [-]. First steps of arches of 25, 101 and 501 stones take 62,
 * more than 300 and more than 300 iterations with 100, 12, 22 and more than 160 with 10 000, and 10, 11 and
 * 14 with this; from 100 million on rounding costs more than it gains. Where loads have to find new ways,
 * or contacts slide, less is better.
 */
export const STIFFEST = 1_000_000;

/** SETTLED_ADDRESS of an island whose factor would be too dear, and of one where it would be while the island moves. */
export const REFUSED = -1;
export const REFUSED_IN_MOTION = -2;

/** Entry of an island in the table, its own or a free one made its own; −1 if there is no room. Counts calm steps. */
export function findSettledEntry(engine: Engine, key: number, bodies: number): number {
  const { arena, tables } = engine;
  const { settled } = tables;
  const step = arena.i32[L.STEP_INDEX >> 2];
  const mask = settled.capacity - 1;
  let free = -1;
  for (let k = 0; k < PROBES; k++) {
    const entry = (key + k) & mask;
    if (settled.key[entry] === key && settled.bodies[entry] === bodies) {
      settled.calm[entry] = settled.step[entry] >= step - 1 ? settled.calm[entry] + 1 : 1;
      settled.step[entry] = step;
      return entry;
    }
    if (free < 0 && (settled.key[entry] === 0 || settled.step[entry] < step - 1)) free = entry;
  }
  if (free < 0) return -1;
  dropFactor(engine, free);
  settled.key[free] = key;
  settled.bodies[free] = bodies;
  settled.step[free] = step;
  settled.calm[free] = 1;
  settled.until[free] = 0;
  settled.failures[free] = 0;
  return free;
}

/** Gives back the memory of an entry. */
export function dropFactor(engine: Engine, entry: number): void {
  const { settled } = engine.tables;
  const start = Math.min(settled.address[entry], settled.next[entry]);
  if (settled.bytes[entry] > 0) release(engine.arena, start, settled.bytes[entry]);
  settled.bytes[entry] = 0;
  settled.address[entry] = 0;
  settled.next[entry] = 0;
  settled.making[entry] = 0;
}

/** Gives back the memory of a few entries that nobody uses any more. */
export function releaseStaleSettled(engine: Engine): void {
  const { arena, tables } = engine;
  const { settled } = tables;
  const step = arena.i32[L.STEP_INDEX >> 2];
  for (let k = 0; k < RELEASED_A_STEP; k++) {
    const entry = (step * RELEASED_A_STEP + k) & (settled.capacity - 1);
    if (settled.key[entry] === 0 || settled.step[entry] >= step - STALE_AFTER) continue;
    dropFactor(engine, entry);
    settled.key[entry] = 0;
  }
}

/**
 * Adds to `out` (first byte, end) the numbers of factors that nobody reads before they are assembled: only patterns
 * count there.
 */
export function addDeadSettled(engine: Engine, out: DeadRanges): void {
  const { settled } = engine.tables;
  const { i32 } = engine.arena;
  const add = (address: number, bytes: number) => {
    out.push(i32[(address + FACTOR_DIAGONAL) >> 2], address + bytes);
  };
  for (let entry = 0; entry < settled.capacity; entry++) {
    const bytes = settled.bytes[entry];
    const one = bytes / 2;
    if (one === 0) continue;
    const start = Math.min(settled.address[entry], settled.next[entry]);
    out.push(start + bytes, start + blockSize(bytes));
    const isMade = factorProgress(engine, settled.address[entry]) === settled.bodies[entry];
    const isBegun = settled.making[entry] !== 0 && factorProgress(engine, settled.next[entry]) >= 0;
    if (!isMade) add(settled.address[entry], one);
    if (!isBegun) add(settled.next[entry], one);
  }
}

/** Columns of a factor that are final; −1 when its matrix is to be assembled, its number of bodies when complete. */
export function factorProgress(engine: Engine, address: number): number {
  return engine.arena.i32[(address + FACTOR_DONE) >> 2];
}

/** Uses the factor that was being made, and makes the other one anew when the time comes. */
export function exchangeFactors(engine: Engine, entry: number): void {
  const { settled } = engine.tables;
  const made = settled.next[entry];
  settled.next[entry] = settled.address[entry];
  settled.address[entry] = made;
  const { i32 } = engine.arena;
  i32[(made + FACTOR_LAST) >> 2] = 1;
  i32[(made + FACTOR_MADE) >> 2] = i32[L.STEP_INDEX >> 2];
}

/** Has a factor assembled afresh. */
export function outdateFactor(engine: Engine, address: number): void {
  engine.arena.i32[(address + FACTOR_DONE) >> 2] = -1;
}

/** Hash of the contacts that a factor was assembled from. */
export function factorContacts(engine: Engine, address: number): number {
  return engine.arena.i32[(address + FACTOR_CONTACTS) >> 2];
}

/** Penalty that a factor is made with, or to be made with, in units of 1/λ [-]. */
export function factorStiffness(engine: Engine, address: number): number {
  return engine.arena.i32[(address + FACTOR_STIFFNESS) >> 2];
}

export function setStiffness(engine: Engine, address: number, stiffness: number): void {
  engine.arena.i32[(address + FACTOR_STIFFNESS) >> 2] = stiffness;
}

/** Blocks below the diagonal of a factor. */
export function factorBlocks(engine: Engine, address: number): number {
  return engine.arena.i32[(address + FACTOR_BLOCKS) >> 2];
}

/** Block products that a factorisation takes. */
export function factorProducts(engine: Engine, address: number): number {
  return engine.arena.i32[(address + FACTOR_PRODUCTS) >> 2];
}

/** Iterations of the last solve with a factor. */
export function lastIterations(engine: Engine, address: number): number {
  return engine.arena.i32[(address + FACTOR_LAST) >> 2];
}

export function noteIterations(engine: Engine, address: number, iterations: number): void {
  engine.arena.i32[(address + FACTOR_LAST) >> 2] = iterations;
}

/** Steps since a factor was completed. */
export function factorAge(engine: Engine, address: number): number {
  const { i32 } = engine.arena;
  return i32[L.STEP_INDEX >> 2] - i32[(address + FACTOR_MADE) >> 2];
}

/** Address of the body slots in the order of a factor's columns. */
export function factorOrder(engine: Engine, address: number): number {
  return engine.arena.i32[(address + FACTOR_SLOTS) >> 2];
}

/**
 * Makes the pattern for the island's pairs as they touch now. False, and remembered, when it would be too dear: of an
 * island in motion where it has more than `most` blocks.
 */
export function analyseSettled(engine: Engine, island: number, entry: number, most = Infinity): boolean {
  const { arena, tables } = engine;
  const { bodies, settled } = tables;
  const first = bodies.islandBodyStart[island];
  const n = bodies.islandBodyCount[island];
  dropFactor(engine, entry);
  const pattern = n <= MOST_BODIES ? eliminate(engine, island, Math.min(most, MOST_BLOCKS)) : null;
  if (!pattern) {
    settled.address[entry] = n <= MOST_BODIES && most < MOST_BLOCKS ? REFUSED_IN_MOTION : REFUSED;
    return false;
  }
  const slots = Int32Array.from(pattern.order, (body) => bodies.islandBodies[first + body]);
  const lists = FACTOR_HEAD + 4 * (n + n + 1 + pattern.rows.length);
  const one = 64 * Math.ceil(lists / 64) + 64 * Math.ceil((BLOCK_BYTES * (n + pattern.rows.length)) / 64);
  // The tables' columns may move when the memory grows: written only after.
  const address = allocate(arena, 2 * one);
  writePattern(engine, address, slots, pattern);
  writePattern(engine, address + one, slots, pattern);
  settled.address[entry] = address;
  settled.next[entry] = address + one;
  settled.bytes[entry] = 2 * one;
  return true;
}

/** Head and lists of a factor at `address`; its numbers are still to come. */
function writePattern(engine: Engine, address: number, slots: Int32Array, { starts, rows, products }: Pattern): void {
  const { i32 } = engine.arena;
  const put = (cell: number, value: number) => {
    i32[(address + cell) >> 2] = value;
  };
  const n = slots.length;
  const startsAt = FACTOR_HEAD + 4 * n;
  const rowsAt = startsAt + 4 * (n + 1);
  const diagonalAt = 64 * Math.ceil((rowsAt + 4 * rows.length) / 64);
  put(FACTOR_BODIES, n);
  put(FACTOR_BLOCKS, rows.length);
  put(FACTOR_DONE, -1);
  put(FACTOR_PRODUCTS, products);
  put(FACTOR_STIFFNESS, STIFFEST);
  put(FACTOR_SLOTS, address + FACTOR_HEAD);
  put(FACTOR_STARTS, address + startsAt);
  put(FACTOR_ROWS, address + rowsAt);
  put(FACTOR_DIAGONAL, address + diagonalAt);
  put(FACTOR_LOWER, address + diagonalAt + BLOCK_BYTES * n);
  i32.set(slots, (address + FACTOR_HEAD) >> 2);
  i32.set(starts, (address + startsAt) >> 2);
  i32.set(rows, (address + rowsAt) >> 2);
}

interface Pattern {
  /** Body (place in the island) of each column. */
  order: Int32Array;
  /** First block of each column. */
  starts: Int32Array;
  /** Row of each block, upwards. */
  rows: Int32Array;
  /** Block products of a factorisation. */
  products: number;
}

/** Order and fill of the bodies' graph; null when the factor would be too dear, or have more than `most` blocks. */
function eliminate(engine: Engine, island: number, most: number): Pattern | null {
  const n = engine.tables.bodies.islandBodyCount[island];
  const { start, column } = joinBodies(engine, island);
  // Each two bodies that touch have a block, and blocks spread evenly over the columns have the fewest products: what
  // is too dear then is so in any order, and to look for one may take longer than the step.
  const joined = countJoined(n, start, column);
  if (joined > most || (joined * joined) / (2 * n) + 1.5 * joined > MOST_PRODUCTS) return null;
  const order = new Int32Array(n);
  dissectionOrder(order, n, start, column, placesOf(engine, island));
  const place = new Int32Array(n);
  for (let k = 0; k < n; k++) place[order[k]] = k;

  // A column's rows are its neighbours further on and the rows of the columns whose first row it is.
  const columns: Int32Array[] = [];
  const firstChild = new Int32Array(n).fill(-1);
  const nextChild = new Int32Array(n).fill(-1);
  const seen = new Int32Array(n).fill(-1);
  const list = new Int32Array(n);
  let blocks = 0;
  let products = 0;
  for (let j = 0; j < n; j++) {
    let count = 0;
    for (let k = start[order[j]]; k < start[order[j] + 1]; k++) {
      const row = place[column[k]];
      if (row <= j || seen[row] === j) continue;
      seen[row] = j;
      list[count++] = row;
    }
    for (let child = firstChild[j]; child >= 0; child = nextChild[child]) {
      for (const row of columns[child]) {
        if (row <= j || seen[row] === j) continue;
        seen[row] = j;
        list[count++] = row;
      }
    }
    const rows = list.slice(0, count).sort((a, b) => a - b);
    columns.push(rows);
    if (count > 0) {
      nextChild[j] = firstChild[rows[0]];
      firstChild[rows[0]] = j;
    }
    blocks += count;
    products += (count * (count + 3)) / 2;
    if (blocks > most || products > MOST_PRODUCTS) return null;
  }
  const starts = new Int32Array(n + 1);
  const rows = new Int32Array(blocks);
  for (let j = 0; j < n; j++) {
    rows.set(columns[j], starts[j]);
    starts[j + 1] = starts[j] + columns[j].length;
  }
  return { order, starts, rows, products };
}

/** Pairs of bodies that touch, each counted once. */
function countJoined(n: number, start: Int32Array, column: Int32Array): number {
  const seen = new Int32Array(n).fill(-1);
  let count = 0;
  for (let i = 0; i < n; i++) {
    for (let k = start[i]; k < start[i + 1]; k++) {
      if (column[k] < i || seen[column[k]] === i) continue;
      seen[column[k]] = i;
      count++;
    }
  }
  return count;
}

/** Where the bodies of an island are [m]. */
function placesOf({ tables }: Engine, island: number): Float64Array {
  const { bodies } = tables;
  const first = bodies.islandBodyStart[island];
  const n = bodies.islandBodyCount[island];
  const places = new Float64Array(3 * n);
  for (let i = 0; i < n; i++) {
    const at = 4 * bodies.islandBodies[first + i];
    for (let k = 0; k < 3; k++) places[3 * i + k] = bodies.position[at + k];
  }
  return places;
}

/** Compressed rows of the bodies' graph: who touches whom, each once or more often. */
function joinBodies(engine: Engine, island: number): { start: Int32Array; column: Int32Array } {
  const { bodies, pairs } = engine.tables;
  const first = bodies.islandBodyStart[island];
  const n = bodies.islandBodyCount[island];
  const place = new Map<number, number>();
  for (let i = 0; i < n; i++) place.set(bodies.islandBodies[first + i], i);
  const firstPair = bodies.islandPairStart[island];
  const count = bodies.islandPairCount[island];
  const ends = new Int32Array(2 * count);
  const start = new Int32Array(n + 1);
  let edges = 0;
  for (let i = firstPair; i < firstPair + count; i++) {
    const a = place.get(pairs.bodyA[pairs.islandPairs[i]]);
    const b = place.get(pairs.bodyB[pairs.islandPairs[i]]);
    if (a === undefined || b === undefined) continue;
    ends[2 * edges] = a;
    ends[2 * edges++ + 1] = b;
    start[a + 1]++;
    start[b + 1]++;
  }
  for (let i = 0; i < n; i++) start[i + 1] += start[i];
  const column = new Int32Array(2 * edges);
  const fill = start.slice(0, n);
  for (let k = 0; k < edges; k++) {
    const [a, b] = [ends[2 * k], ends[2 * k + 1]];
    column[fill[a]++] = b;
    column[fill[b]++] = a;
  }
  return { start, column };
}
