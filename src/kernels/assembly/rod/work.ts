// Work memory of the strand kernels: strands sorted into groups of four, each group's
// factor, and scratch for one group.
//
// The block is the caller's (an arena block that lives through the step); nothing in it outlives the step. Its start:
//   WORK_*            cells, padded to 64 bytes (WORK_WEIGHTED: state/rod-layout)
//   group records     64 bytes each, see GROUP_*
//   factors of A      f32, group after group; those of A + W lie the same way in a block of their own
//   scratch           of the group that is worked on: A of two strands in f64, right-hand sides of its four
// A matrix is used up as soon as it is factored, while it is still in the cache: kept in f64 for all strands, matrices
// took 304 bytes a node and the time to write and read them.
// Strands of a group are the nearest in length; a shorter one is padded with idle nodes (identity rows). Free lanes at
// the end repeat the first strand: they compute and write the same values once more.
//
// Rows of a node in a matrix, columns left to right from the first that can be non-zero, the diagonal last:
//   x: 8 + 1, y: 9 + 1, z: 10 + 1 (from node i − 2), θ: 7 + 1 (from node i − 1): 38 values a node.

import {
  KIND_ROD,
  STRAND_ASLEEP,
  STRAND_COUNT,
  STRAND_FIRST,
  STRAND_FLAGS,
  STRAND_KIND,
  STRAND_NODES,
  STRAND_QUARANTINED,
} from '../../../state/layout';
import { cell, column, getI32 } from '../memory';

/** Where a node's rows start among its 38 values. */
export const ROW_X: usize = 0;
export const ROW_Y: usize = 9;
export const ROW_Z: usize = 19;
export const ROW_T: usize = 30;
const NODE_VALUES: usize = 38;
/** Bytes a node of a matrix of two strands (f64) or of a factor of four (f32). */
export const NODE_BYTES: usize = NODE_VALUES * 16;
/** Bytes a node of a right-hand side of two strands. */
export const RIGHT_BYTES: usize = 64;

/** i32: number of groups. */
export const WORK_GROUPS: usize = 0;
/** Address of the guess that the last rodPredict linearised at, or 0. */
export const WORK_GUESS: usize = 4;
/** Address of the first factor of A; bytes of all. */
export const WORK_FACTORS: usize = 8;
export const WORK_FACTOR_BYTES: usize = 12;
/** Address of the scratch: a matrix of two strands, as long as the longest group. */
export const WORK_MATRIX: usize = 20;
/**
 * Address of its other part, three times 64 bytes a node: right-hand sides of half 0, of
 * half 1 (f64), four strands' in f32.
 */
export const WORK_RIGHT: usize = 24;
const RECORDS: usize = 64;
const RECORD: usize = 64;
/** i32×4: strands of the lanes. */
export const GROUP_STRAND: usize = 0;
/** i32×4: their first nodes. */
export const GROUP_FIRST: usize = 16;
/** i32×4: their numbers of nodes. */
export const GROUP_COUNT: usize = 32;
/** i32: most nodes of a lane. */
export const GROUP_NODES: usize = 48;
/** i32: address of the factor of A. */
export const GROUP_FACTOR: usize = 52;
/** i32: strands whose matrix or velocity was no good. */
export const GROUP_BAD: usize = 56;

const LONGEST: i32 = 1024;
/**
 * Strands of each length, then where they start: for lengths up to LONGEST; longer ones count as LONGEST. All 0 but
 * within planStrands, which looks at those up to the longest strand alone.
 */
const counts = memory.data(1026 * 4);

function bucket(nodes: i32): i32 {
  return nodes < LONGEST ? nodes : LONGEST;
}

/** Whether the object is a strand of a rod or groom. */
export function isRod(strand: i32): bool {
  return getI32(column(STRAND_KIND), strand) == KIND_ROD;
}

function takesPart(strand: i32): bool {
  if (!isRod(strand)) return false;
  return (getI32(column(STRAND_FLAGS), strand) & (STRAND_QUARANTINED | STRAND_ASLEEP)) == 0;
}

/** Address of a group's record. */
export function groupRecord(work: usize, group: i32): usize {
  return work + RECORDS + <usize>group * RECORD;
}

/** Bytes of work memory that the present strands need at most. */
export function rodWorkSize(): i32 {
  const strands = cell(STRAND_COUNT);
  const lengths = column(STRAND_NODES);
  let longest = 0;
  let nodes = 0;
  let long = 0;
  for (let s = 0; s < strands; s++) {
    if (!isRod(s)) continue;
    const n = getI32(lengths, s);
    nodes += n;
    if (n > longest) longest = n;
    if (n > LONGEST) long += 4;
  }
  // Sorted by length, a group's padding is at most the growth of length to the next group: in all at most 3·longest,
  // and free lanes add at most three more of the longest.
  const lanes = nodes + 8 * longest + long * longest;
  const groups = (strands >> 2) + 1;
  const factors = <usize>lanes * (NODE_BYTES >> 2);
  return <i32>(RECORDS + <usize>groups * RECORD + factors + <usize>longest * (NODE_BYTES + 3 * RIGHT_BYTES));
}

/** Sorts the strands into groups; quarantined ones and those that sleep are left out. Returns the number of groups. */
export function planStrands(work: usize): i32 {
  const strands = cell(STRAND_COUNT);
  const lengths = column(STRAND_NODES);
  const firsts = column(STRAND_FIRST);

  // How many strands there are of each length, then where each length begins.
  let total = 0;
  let most = 0;
  for (let s = 0; s < strands; s++) {
    if (!takesPart(s)) continue;
    const length = bucket(getI32(lengths, s));
    const at = counts + ((<usize>(length + 1)) << 2);
    store<i32>(at, load<i32>(at) + 1);
    most = max(most, length);
    total++;
  }
  const countBytes = (<usize>(most + 2)) << 2;
  for (let k: usize = 4; k < countBytes; k += 4) {
    store<i32>(counts + k, load<i32>(counts + k) + load<i32>(counts + k - 4));
  }

  // Place of each strand in the order of length; the order of the table within a length.
  for (let s = 0; s < strands; s++) {
    if (!takesPart(s)) continue;
    const n = getI32(lengths, s);
    const at = counts + ((<usize>bucket(n)) << 2);
    const place = load<i32>(at);
    store<i32>(at, place + 1);
    const lane = groupRecord(work, place >> 2) + ((<usize>(place & 3)) << 2);
    store<i32>(lane, s, GROUP_STRAND);
    store<i32>(lane, getI32(firsts, s), GROUP_FIRST);
    store<i32>(lane, n, GROUP_COUNT);
  }

  // The last group is filled up with its first strand.
  memory.fill(counts, 0, countBytes);
  const groups = (total + 3) >> 2;
  for (let place = total; place < groups << 2; place++) {
    const record = groupRecord(work, place >> 2);
    const lane = record + ((<usize>(place & 3)) << 2);
    store<i32>(lane, load<i32>(record, GROUP_STRAND), GROUP_STRAND);
    store<i32>(lane, load<i32>(record, GROUP_FIRST), GROUP_FIRST);
    store<i32>(lane, load<i32>(record, GROUP_COUNT), GROUP_COUNT);
  }

  // Memory of the factors, one group after the other, and of the one matrix that all use.
  let at = groupRecord(work, groups);
  store<i32>(work, <i32>at, WORK_FACTORS);
  let longest = 0;
  for (let g = 0; g < groups; g++) {
    const record = groupRecord(work, g);
    let nodes = 0;
    for (let lane: usize = 0; lane < 16; lane += 4) nodes = max(nodes, load<i32>(record + lane, GROUP_COUNT));
    longest = max(longest, nodes);
    store<i32>(record, nodes, GROUP_NODES);
    store<i32>(record, <i32>at, GROUP_FACTOR);
    at += <usize>nodes * NODE_BYTES;
  }
  store<i32>(work, <i32>at - load<i32>(work, WORK_FACTORS), WORK_FACTOR_BYTES);
  store<i32>(work, <i32>at, WORK_MATRIX);
  store<i32>(work, <i32>(at + <usize>longest * NODE_BYTES), WORK_RIGHT);
  store<i32>(work, groups, WORK_GROUPS);
  return groups;
}
