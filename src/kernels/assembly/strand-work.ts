// What one call of strand detection works with: its question, and its scratch cut into arrays.
//
// In: the block that TypeScript hands in, counts in the header. Out: addresses that the other strand files read.
// Nothing here outlives the call; the contacts of the last step are read from their own table.

import {
  NODE_COUNT,
  NODE_POSITION,
  NODE_VELOCITY,
  STRAND_CONTACT_COUNT,
  STRAND_COUNT,
  STRAND_PAIR_ROOM,
  TIME_STEP,
} from '../../state/layout';
import { cell, column, parameter } from './memory';

/** Question bits: edges move along their velocities (continuous detection); contacts found before stay. */
export const CONTINUOUS: i32 = 1;
export const APPEND: i32 = 2;

/**
 * Bytes of an edge's box, f32 relative to the work's origin: min x y z, spare; max x y z, spare; least, then greatest
 * components along the four diagonals.
 */
export const BOX: usize = 64;
/**
 * Bytes of an edge's record: f64 middle x y z, radius; then f32 half vector, deviation from the mean displacement; mean
 * displacement, 0.
 */
export const RECORD: usize = 64;
/** Bytes of an edge's traits: f64 radius; i32 rod, strand; f32 length, spare. */
export const TRAIT: usize = 24;
/** Bytes of a hit; its fields are named in strand-hits. */
export const HIT: usize = 96;
/** Bytes of a contact of the last step: key low, key high, used, spare; force (4 × f64), normal (3 × f64). */
export const OLD: usize = 72;

/** Most levels of the grid. */
export const LEVELS: i32 = 12;
/** Least room for pairs. */
const LEAST_PAIRS: i32 = 64;
/** Least cells of a level. */
const LEAST_CELLS: i32 = 64;

export let nodes: i32 = 0;
export let strands: i32 = 0;
export let dt: f64 = 0;
export let velocity: usize = 0;
export let position: usize = 0;
export let continuous: bool = false;
export let append: bool = false;
/** Contacts are made up to this share of the sum of the radii. */
export let nearShare: f64 = 0;

export let boxes: usize = 0;
export let records: usize = 0;
export let traits: usize = 0;
/** f64 per node: rest length from the strand's start to the node [m]. */
export let arcs: usize = 0;
/** i32 per node: level of its edge in the grid, −1 none. */
export let levelOf: usize = 0;
/** i32 per node: cell of its edge within the level. */
export let cellOf: usize = 0;
/** Boxes, records and edges (i32) in the order of levels and cells. */
export let sorted: usize = 0;
export let sortedRecord: usize = 0;
export let sortedEdge: usize = 0;
/** i32 per cell + 1, level by level: first place in the order. */
export let starts: usize = 0;
/** Pairs of strand-near: rows, keys in order (u64), and per node (+ 1) where its own begin. */
export let nearRows: usize = 0;
export let nearKeys: usize = 0;
export let nearStart: usize = 0;
export let nearRoom: i32 = 0;
/** Contacts of the last step by key, and per node (+ 1) where its own begin. */
export let old: usize = 0;
export let oldStart: usize = 0;
export let oldCount: i32 = 0;
export let oldOrder: usize = 0;
export let hits: usize = 0;
export let hitStart: usize = 0;
export let hitOrder: usize = 0;
export let hitCapacity: i32 = 0;

let top: usize = 0;

function take(bytes: usize): usize {
  const at = top;
  top += (bytes + 63) & ~63;
  return at;
}

/** Most cells (and one more a level) of all levels for so many edges. */
function cellsFor(edges: i32): usize {
  return <usize>edges * 4 + <usize>(LEVELS * (LEAST_CELLS + 1));
}

function cut(start: usize, capacity: i32): usize {
  const n = <usize>cell(NODE_COUNT);
  const before = <usize>cell(STRAND_CONTACT_COUNT);
  const room = <usize>capacity;
  top = start;
  traits = take(n * TRAIT);
  arcs = take(n * 8);
  levelOf = take(n * 4);
  nearRoom = max(LEAST_PAIRS, cell(STRAND_PAIR_ROOM));
  nearKeys = take(<usize>nearRoom * 8);
  nearStart = take((n + 2) * 4);
  // Boxes and records are done with when they are sorted: pairs lie over them, and bodies use them anew after the pairs.
  const first = top;
  boxes = take(n * BOX);
  records = take(n * RECORD);
  const firstEnd = top;
  top = first;
  nearRows = take(<usize>nearRoom * 32);
  top = max(top, firstEnd);
  // The grid is done with when the pairs are found: old contacts and hits lie over it.
  const second = top;
  cellOf = take(n * 4);
  sorted = take(n * BOX);
  sortedRecord = take(n * RECORD);
  sortedEdge = take(n * 4);
  starts = take(cellsFor(<i32>n) * 4);
  const secondEnd = top;
  top = second;
  old = take(before * OLD);
  oldStart = take((n + 2) * 4);
  oldOrder = take(before * 4);
  hits = take(room * HIT);
  hitStart = take((n + 2) * 4);
  hitOrder = take(room * 4);
  top = max(top, secondEnd);
  return top - start;
}

/** Scratch for a call that may make `capacity` contacts [B]. */
export function strandScratchSize(capacity: i32): usize {
  return cut(0, capacity);
}

/** Takes the question; `velocities` is an address of rows of four f64 per node, 0 for the node table's own. */
export function beginWork(
  scratch: usize,
  capacity: i32,
  timeStep: f64,
  velocities: usize,
  share: f64,
  question: i32,
): void {
  cut(scratch, capacity);
  hitCapacity = capacity;
  nodes = cell(NODE_COUNT);
  strands = cell(STRAND_COUNT);
  oldCount = cell(STRAND_CONTACT_COUNT);
  dt = timeStep > 0 ? timeStep : parameter(TIME_STEP);
  position = column(NODE_POSITION);
  velocity = velocities == 0 ? column(NODE_VELOCITY) : velocities;
  nearShare = share;
  continuous = (question & CONTINUOUS) != 0;
  append = (question & APPEND) != 0;
}
