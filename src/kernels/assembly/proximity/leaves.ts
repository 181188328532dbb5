// The tree over edges of strands: whose swept boxes overlap.
//
// In: boxes of proximity/edges. Out: by `reach…`, for a box, the branches, leaves and edges whose boxes overlap it.
// A leaf is four neighbouring edges of a strand, a branch up to four neighbouring leaves: strands are their own best
// order, so these levels need no sorting and pairs come ordered by edge. Above them branches are ordered along a space
// filling curve (G. M. Morton, 1966) of their middles and joined by fours up to a single block: its order is that of
// poses alone, and a detection costs the logarithm of how many there are, whatever their sizes: hair of 5 mm edges
// beside a rope of 1 m edges.
// A block has four boxes side by side: least x y z, greatest x y z, and the same along the four diagonals of proximity/
// edges, so that long slanting boxes stay apart. Edges without a box have one that nothing overlaps.
// Further looks: an edge whose box was made anew puts it in the place of the old one, and all that hold it grow.

import { STRAND_FIRST, STRAND_NODES } from '../../../state/layout';
import { overlap4 } from '../math/vector';
import { column, getI32, setI32 } from '../memory';
import { isStrandLive } from './edges';
import {
  BLOCK,
  BOX,
  boxes,
  branchBlocks,
  branchBoxes,
  branchKeys,
  branchLeaf,
  hasBox,
  leafBlocks,
  leafInfo,
  strandLeaf,
  strands,
  TRAIT,
  topBlocks,
  topPlace,
  traits,
} from './work';

/** Edges of a leaf; leaves of a branch, in edges. */
const LEAF_EDGES: i32 = 4;
const BRANCH_EDGES: i32 = 16;

// Of a leaf (leafInfo, 16 bytes): first edge, strand, traits of any of its edges, branch.
export const LEAF_EDGE: usize = 0;
export const LEAF_STRAND: usize = 4;
export const LEAF_BITS: usize = 8;
const LEAF_BRANCH: usize = 12;

export let leafCount: i32 = 0;
export let branchCount: i32 = 0;

/** First block of each level above the branches; behind the last level the number of all blocks. */
const LEVEL_FIRST: usize = memory.data(17 * 4, 16);
let levelCount: i32 = 0;

/** The box that is asked about: fourteen numbers, each in all four lanes. */
export const QUERY: usize = memory.data(224, 16);
/** A box as proximity/edges writes it. */
const ANEW: usize = memory.data(64, 16);
/** Blocks that wait in a walk from the top: at most three a level beside the one in hand. */
const STACK: usize = memory.data(256, 16);

export function leafBlock(leaf: i32): usize {
  return leafBlocks + <usize>leaf * BLOCK;
}

function branchBlock(branch: i32): usize {
  return branchBlocks + <usize>branch * BLOCK;
}

export function leafAt(leaf: i32): usize {
  return leafInfo + ((<usize>leaf) << 4);
}

/** First leaf of a branch; of the one behind the last: the number of leaves. */
export function firstLeafOf(branch: i32): i32 {
  return getI32(branchLeaf, branch);
}

// ── Boxes in blocks ──────────────────────

/** Boxes that nothing overlaps, and that add nothing to others. */
function emptyBlock(block: usize): void {
  const far = f32x4.splat(Infinity);
  const near = f32x4.splat(-Infinity);
  for (let k: usize = 0; k < 48; k += 16) {
    v128.store(block + k, far);
    v128.store(block + k, near, 48);
  }
  for (let k: usize = 96; k < 160; k += 16) {
    v128.store(block + k, far);
    v128.store(block + k, near, 64);
  }
}

function emptyBox(box: usize): void {
  v128.store(box, f32x4.splat(Infinity));
  v128.store(box, f32x4.splat(-Infinity), 16);
  v128.store(box, f32x4.splat(Infinity), 32);
  v128.store(box, f32x4.splat(-Infinity), 48);
}

/** Puts a box into a lane of a block. */
function putBox(block: usize, lane: i32, box: usize): void {
  const to = block + ((<usize>lane) << 2);
  for (let k: usize = 0; k < 3; k++) {
    store<f32>(to + (k << 4), load<f32>(box + (k << 2)));
    store<f32>(to + (k << 4), load<f32>(box + (k << 2), 16), 48);
  }
  for (let k: usize = 0; k < 4; k++) {
    store<f32>(to + (k << 4), load<f32>(box + (k << 2), 32), 96);
    store<f32>(to + (k << 4), load<f32>(box + (k << 2), 48), 160);
  }
}

/** Makes a box of a lane of a block hold another one, too. */
function growLane(block: usize, lane: i32, box: usize): void {
  const to = block + ((<usize>lane) << 2);
  for (let k: usize = 0; k < 3; k++) {
    const at = to + (k << 4);
    store<f32>(at, min(load<f32>(at), load<f32>(box + (k << 2))));
    store<f32>(at, max(load<f32>(at, 48), load<f32>(box + (k << 2), 16)), 48);
  }
  for (let k: usize = 0; k < 4; k++) {
    const at = to + (k << 4);
    store<f32>(at, min(load<f32>(at, 96), load<f32>(box + (k << 2), 32)), 96);
    store<f32>(at, max(load<f32>(at, 160), load<f32>(box + (k << 2), 48)), 160);
  }
}

function joinBox(box: usize, other: usize): void {
  v128.store(box, f32x4.pmin(v128.load(box), v128.load(other)));
  v128.store(box, f32x4.pmax(v128.load(box, 16), v128.load(other, 16)), 16);
  v128.store(box, f32x4.pmin(v128.load(box, 32), v128.load(other, 32)), 32);
  v128.store(box, f32x4.pmax(v128.load(box, 48), v128.load(other, 48)), 48);
}

/** Takes a lane of a block as the box that is asked about. */
function askLane(block: usize, lane: i32): void {
  const from = block + ((<usize>lane) << 2);
  for (let k: usize = 0; k < BLOCK; k += 16) v128.store(QUERY + k, v128.load32_splat(from + k));
}

export function askBranch(branch: i32): void {
  const box = branchBoxes + ((<usize>branch) << 6);
  for (let k: usize = 0; k < 3; k++) {
    v128.store(QUERY + (k << 4), v128.load32_splat(box + (k << 2)));
    v128.store(QUERY + (k << 4), v128.load32_splat(box + (k << 2), 16), 48);
  }
  for (let k: usize = 0; k < 4; k++) {
    v128.store(QUERY + (k << 4), v128.load32_splat(box + (k << 2), 32), 96);
    v128.store(QUERY + (k << 4), v128.load32_splat(box + (k << 2), 48), 160);
  }
}

export function askLeaf(branch: i32, place: i32): void {
  askLane(branchBlock(branch), place);
}

export function askEdge(leaf: i32, lane: i32): void {
  askLane(leafBlock(leaf), lane);
}

/** Blocks that were looked at since the tree was built; on the caller's thread. */
let asked: i32 = 0;

/** How many blocks of four boxes the last detection looked at: what it cost, counted. */
export function strandBlocksAsked(): i32 {
  return asked;
}

/** Counts blocks that a walk has looked at by itself. */
export function countAsked(blocks: i32): void {
  asked += blocks;
}

/** Bits of the edges of a leaf that the box overlaps; bits of the leaves of a branch. */
export function edgesIn(leaf: i32): i32 {
  asked++;
  return overlap4(QUERY, leafBlock(leaf));
}

export function leavesIn(branch: i32): i32 {
  asked++;
  return overlap4(QUERY, branchBlock(branch));
}

// ── Building ──────────────────────

/** Builds the tree over all boxes. */
export function buildTree(): void {
  clearTree();
  for (let strand = 0; strand < strands; strand++) {
    setI32(strandLeaf, strand, leafCount);
    if (!isStrandLive(strand)) continue;
    const first = getI32(column(STRAND_FIRST), strand);
    const last = first + getI32(column(STRAND_NODES), strand) - 1;
    for (let start = first; start < last; start += BRANCH_EDGES)
      addBranch(strand, start, min(start + BRANCH_EDGES, last));
  }
  setI32(branchLeaf, branchCount, leafCount);
  sortBranches();
  joinBranches();
}

/** A tree of nothing. */
export function clearTree(): void {
  leafCount = 0;
  branchCount = 0;
  levelCount = 0;
  asked = 0;
}

/** The edges `start` to `stop` of a strand. */
function addBranch(strand: i32, start: i32, stop: i32): void {
  const branch = branchCount++;
  const block = branchBlock(branch);
  const whole = branchBoxes + ((<usize>branch) << 6);
  setI32(branchLeaf, branch, leafCount);
  emptyBlock(block);
  emptyBox(whole);
  for (let first = start; first < stop; first += LEAF_EDGES) {
    addLeaf(strand, first, min(first + LEAF_EDGES, stop), branch);
    putBox(block, (first - start) >> 2, ANEW);
    joinBox(whole, ANEW);
  }
}

/** The edges `first` to `stop` of a strand; leaves the box that holds theirs in ANEW. */
function addLeaf(strand: i32, first: i32, stop: i32, branch: i32): void {
  const leaf = leafCount++;
  const block = leafBlock(leaf);
  let bits = 0;
  emptyBlock(block);
  emptyBox(ANEW);
  for (let edge = first; edge < stop; edge++) {
    if (load<u8>(hasBox + edge) == 0) continue;
    const box = boxes + <usize>edge * BOX;
    bits |= load<i32>(traits + <usize>edge * TRAIT, 4);
    putBox(block, edge - first, box);
    joinBox(ANEW, box);
  }
  const info = leafAt(leaf);
  store<i32>(info, first, LEAF_EDGE);
  store<i32>(info, strand, LEAF_STRAND);
  store<i32>(info, bits, LEAF_BITS);
  store<i32>(info, branch, LEAF_BRANCH);
}

/** Bits of a coordinate in the curve, of its three, and counters of a pass of the sort. */
const CURVE_BITS: i32 = 10;
const COUNTERS: usize = memory.data(1024 * 4, 16);
/** So many are sorted by insertion: three passes walk 1024 counters each, however few there are. */
const FEW_BRANCHES: i32 = 32;

/** Spreads ten bits to every third. */
function spread(x: u32): u32 {
  x = (x | (x << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}

/** Orders the branches along the curve: their numbers into the first half of branchKeys, 8 bytes each. */
function sortBranches(): void {
  let low = f32x4.splat(Infinity);
  let high = f32x4.splat(-Infinity);
  const half = f32x4.splat(0.5);
  for (let branch = 0; branch < branchCount; branch++) {
    const box = branchBoxes + ((<usize>branch) << 6);
    // Of a branch without boxes the middle is not a number.
    const middle = f32x4.mul(f32x4.add(v128.load(box), v128.load(box, 16)), half);
    low = f32x4.pmin(low, middle);
    high = f32x4.pmax(high, middle);
  }
  const cells = <f32>(1 << CURVE_BITS);
  const scale = f32x4.div(f32x4.splat(cells), f32x4.pmax(f32x4.sub(high, low), f32x4.splat(1e-30)));
  for (let branch = 0; branch < branchCount; branch++) {
    const box = branchBoxes + ((<usize>branch) << 6);
    const middle = f32x4.mul(f32x4.add(v128.load(box), v128.load(box, 16)), half);
    // Not-a-number becomes 0.
    const place = i32x4.trunc_sat_f32x4_u(f32x4.mul(f32x4.sub(middle, low), scale));
    const inside = i32x4.min_u(place, i32x4.splat((1 << CURVE_BITS) - 1));
    const x = spread(<u32>i32x4.extract_lane(inside, 0));
    const y = spread(<u32>i32x4.extract_lane(inside, 1));
    const z = spread(<u32>i32x4.extract_lane(inside, 2));
    store<u64>(branchKeys + ((<usize>branch) << 3), ((<u64>(x | (y << 1) | (z << 2))) << 32) | <u64>branch);
  }
  if (branchCount <= FEW_BRANCHES) {
    insertKeys();
    return;
  }
  const other = branchKeys + ((<usize>branchCount) << 3);
  sortPass(branchKeys, other, 32);
  sortPass(other, branchKeys, 42);
  sortPass(branchKeys, other, 52);
  memory.copy(branchKeys, other, (<usize>branchCount) << 3);
}

/** Sorts few keys by insertion, into the order that the passes give: theirs keep branches of one place in order. */
function insertKeys(): void {
  for (let i = 1; i < branchCount; i++) {
    const key = load<u64>(branchKeys + ((<usize>i) << 3));
    let at = branchKeys + ((<usize>i) << 3);
    for (; at > branchKeys && load<u64>(at - 8) > key; at -= 8) store<u64>(at, load<u64>(at - 8));
    store<u64>(at, key);
  }
}

/** Counting sort by ten bits of the keys. */
function sortPass(from: usize, to: usize, shift: u64): void {
  memory.fill(COUNTERS, 0, 4096);
  for (let i = 0; i < branchCount; i++) {
    const digit = <i32>((load<u64>(from + ((<usize>i) << 3)) >> shift) & 1023);
    setI32(COUNTERS, digit, getI32(COUNTERS, digit) + 1);
  }
  let total = 0;
  for (let digit = 0; digit < 1024; digit++) {
    const count = getI32(COUNTERS, digit);
    setI32(COUNTERS, digit, total);
    total += count;
  }
  for (let i = 0; i < branchCount; i++) {
    const key = load<u64>(from + ((<usize>i) << 3));
    const digit = <i32>((key >> shift) & 1023);
    const place = getI32(COUNTERS, digit);
    setI32(COUNTERS, digit, place + 1);
    store<u64>(to + ((<usize>place) << 3), key);
  }
}

function branchInOrder(place: i32): i32 {
  return load<i32>(branchKeys + ((<usize>place) << 3));
}

/** Joins branches in their order by fours, these again, up to one block. */
function joinBranches(): void {
  levelCount = 0;
  let first = 0;
  let count = branchCount;
  while (count > 0) {
    setI32(LEVEL_FIRST, levelCount, first);
    const blocks = (count + 3) >> 2;
    emptyBlock(topBlocks + <usize>(first + blocks - 1) * BLOCK);
    for (let i = 0; i < count; i++) {
      const block = topBlocks + <usize>(first + (i >> 2)) * BLOCK;
      if (levelCount == 0) {
        const branch = branchInOrder(i);
        setI32(topPlace, branch, i);
        putBox(block, i & 3, branchBoxes + ((<usize>branch) << 6));
      } else {
        boxOfBlock(topBlocks + <usize>(getI32(LEVEL_FIRST, levelCount - 1) + i) * BLOCK);
        putBox(block, i & 3, ANEW);
      }
    }
    levelCount++;
    first += blocks;
    count = blocks > 1 ? blocks : 0;
  }
  setI32(LEVEL_FIRST, levelCount, first);
}

function leastOf(v: v128): f32 {
  return min(
    min(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    min(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  );
}

function mostOf(v: v128): f32 {
  return max(
    max(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  );
}

/** The box that holds the four of a block, into ANEW. */
function boxOfBlock(block: usize): void {
  for (let k: usize = 0; k < 3; k++) {
    store<f32>(ANEW + (k << 2), leastOf(v128.load(block + (k << 4))));
    store<f32>(ANEW + (k << 2), mostOf(v128.load(block + (k << 4), 48)), 16);
  }
  for (let k: usize = 0; k < 4; k++) {
    store<f32>(ANEW + (k << 2), leastOf(v128.load(block + (k << 4), 96)), 32);
    store<f32>(ANEW + (k << 2), mostOf(v128.load(block + (k << 4), 160)), 48);
  }
}

// ── Further looks ──────────────────────

/** Leaf of an edge. */
export function leafOf(edge: i32): i32 {
  const strand = load<i32>(traits + <usize>edge * TRAIT);
  // Leaves begin every four edges, branches every four leaves.
  return getI32(strandLeaf, strand) + ((edge - getI32(column(STRAND_FIRST), strand)) >> 2);
}

/** Puts a box in the place of an edge's. */
export function replaceBox(edge: i32, box: usize): void {
  const leaf = leafOf(edge);
  const branch = load<i32>(leafAt(leaf), LEAF_BRANCH);
  putBox(leafBlock(leaf), edge - load<i32>(leafAt(leaf), LEAF_EDGE), box);
  growLane(branchBlock(branch), leaf - firstLeafOf(branch), box);
  joinBox(branchBoxes + ((<usize>branch) << 6), box);
  let place = getI32(topPlace, branch);
  for (let level = 0; level < levelCount; level++, place >>= 2)
    growLane(topBlocks + <usize>(getI32(LEVEL_FIRST, level) + (place >> 2)) * BLOCK, place & 3, box);
}

// ── Walking from the top ──────────────────────

let waiting: i32 = 0;
let level: i32 = 0;
let block: i32 = 0;
let lanes: i32 = 0;

/** Begins to ask for branches that overlap the box asked about. */
export function beginBranches(): void {
  waiting = 0;
  lanes = 0;
  if (levelCount == 0) return;
  level = levelCount - 1;
  block = 0;
  lanes = overlap4(QUERY, topBlocks + <usize>getI32(LEVEL_FIRST, level) * BLOCK);
}

/** The next branch that overlaps the box; −1: there is none left. */
export function nextBranch(): i32 {
  while (lanes != 0 || waiting > 0) {
    if (lanes == 0) {
      waiting--;
      const entry = getI32(STACK, 2 * waiting);
      level = entry & 31;
      lanes = entry >> 5;
      block = getI32(STACK, 2 * waiting + 1);
    }
    const place = (block << 2) + ctz(lanes);
    lanes &= lanes - 1;
    if (level == 0) return branchInOrder(place);
    asked++;
    const inner = overlap4(QUERY, topBlocks + <usize>(getI32(LEVEL_FIRST, level - 1) + place) * BLOCK);
    if (inner == 0) continue;
    if (lanes != 0) {
      setI32(STACK, 2 * waiting, level | (lanes << 5));
      setI32(STACK, 2 * waiting + 1, block);
      waiting++;
    }
    level--;
    block = place;
    lanes = inner;
  }
  return -1;
}
