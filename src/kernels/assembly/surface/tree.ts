// Boxes of points, edges and triangles, and the trees over them that find which overlap.
//
// In: boxes of the nodes. Out: leaves in the order of a curve through space (G. Morton 1966), and above them blocks of
// four boxes whose unions are the boxes of the level above: four children are tested at once, and sixteen leaves that
// ask share one walk. Made afresh in every detection: the order follows from places alone, costs a tenth of what asking
// does, and stays good when cloth folds. A tree that follows the mesh would save the sorting and be worse where layers
// lie on layers.

import { getI32, setI32 } from '../memory';
import {
  arePassedOver,
  askUnion,
  beginUnion,
  gated,
  passedOver,
  storeUnion,
  uniteGate,
  uniteNode,
  uniteObject,
} from './gates';
import {
  BLOCK,
  GATE,
  keys,
  keysOther,
  listed,
  nodeBoxes,
  objectOf,
  objectTotal,
  order,
  orderOther,
  ranks,
} from './work';

/** Levels of a tree at most: 4^16 leaves. */
const LEVELS: i32 = 16;
/** Field of a block: how far its four move beyond the mean of all, at most [m]. */
const STRAY: usize = 96;
/** Nodes that wait in a walk at most: three a level, and the root. */
const STACK: usize = memory.data(1024);
const COUNTS: usize = memory.data(2048 * 4, 16);
/** Bits of a digit, and of a coordinate. */
const DIGIT: i32 = 10;
const CELLS: f32 = 1023;

export const POINTS: usize = memory.data(128, 16);
export const EDGES: usize = memory.data(128, 16);
export const TRIANGLES: usize = memory.data(128, 16);

export function leafCount(tree: usize): i32 {
  return load<i32>(tree);
}

function firstBlock(tree: usize, level: i32): i32 {
  return load<i32>(tree + ((<usize>level) << 2), 16);
}

function levelsOf(tree: usize): i32 {
  return load<i32>(tree, 4);
}

// Least and greatest corner of what is sorted.
let leastAll: v128 = f32x4.splat(0);
let scaleAll: v128 = f32x4.splat(0);

/** Starts a list of leaves. */
export function beginLeaves(tree: usize): void {
  store<i32>(tree, 0);
}

/** Adds a leaf to the list at `leaves`. */
export function addLeaf(tree: usize, leaves: usize, name: i32): void {
  const count = load<i32>(tree);
  setI32(leaves, count, name);
  store<i32>(tree, count + 1);
}

// ── Boxes ──────────────────────────────────

/** Box of the leaf that `boxPoint`, `boxEdge`, `boxTriangle` made. */
let least: v128 = f32x4.splat(0);
let greatest: v128 = f32x4.splat(0);

function nodeAt(node: i32): usize {
  return nodeBoxes + ((<usize>node) << 5);
}

function boxPoint(a: i32): void {
  least = v128.load(nodeAt(a));
  greatest = v128.load(nodeAt(a), 16);
}

function addNode(a: i32): void {
  least = f32x4.pmin(least, v128.load(nodeAt(a)));
  greatest = f32x4.pmax(greatest, v128.load(nodeAt(a), 16));
}

/** Box of a leaf with nodes at `nodes` (i32), as many as `count`. */
function boxLeaf(nodes: usize, count: i32): void {
  boxPoint(load<i32>(nodes));
  if (count > 1) addNode(load<i32>(nodes, 4));
  if (count > 2) addNode(load<i32>(nodes, 8));
}

/** Where the nodes of a leaf are written. */
const NODES: usize = memory.data(16, 16);

/**
 * Nodes of a leaf's primitive to NODES: a point is its node, an edge a row of `rows` or, below zero, ~ the first node
 * of a rod's.
 */
function readNodes(name: i32, count: i32, rows: usize): usize {
  if (count == 1 || name < 0) {
    const first = name < 0 ? ~name : name;
    store<i32>(NODES, first);
    store<i32>(NODES, first + 1, 4);
    return NODES;
  }
  return rows + ((<usize>name) << 4);
}

// ── Making a tree ────────────────────────────────

/** Spreads ten bits three apart. */
function spread(x: u32): u32 {
  x = (x | (x << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}

function keyOfBox(): u32 {
  const middle = f32x4.mul(f32x4.sub(f32x4.add(least, greatest), leastAll), scaleAll);
  const cell = i32x4.trunc_sat_f32x4_s(f32x4.pmax(f32x4.splat(0), f32x4.pmin(f32x4.splat(CELLS), middle)));
  return (
    spread(<u32>i32x4.extract_lane(cell, 0)) |
    (spread(<u32>i32x4.extract_lane(cell, 1)) << 1) |
    (spread(<u32>i32x4.extract_lane(cell, 2)) << 2)
  );
}

/** Leaves of an object, in the mean, from which on they are kept together: blocks of one object can be passed over. */
const MANY_LEAVES: i32 = 64;

/** Puts the leaves in `order` object by object, those of each in the order that they have. */
function groupByObject(count: i32, nodes: i32, rows: usize): void {
  memory.fill(ranks, 0xff, (<usize>objectTotal) << 2);
  let objects = 0;
  for (let i = 0; i < count; i++) {
    const object = objectOf(load<i32>(readNodes(getI32(order, i), nodes, rows)));
    if (getI32(ranks, object) < 0) setI32(ranks, object, objects++);
    store<u32>(keys + ((<usize>i) << 2), <u32>getI32(ranks, object));
  }
  if (objects > 1 && objects * MANY_LEAVES <= count) sortKeys(count, objects < 1 << DIGIT ? 1 : 2);
}

/** Makes the gates above the blocks of four leaves (gates.ts). */
function gateLeaves(leaves: usize, gates: usize, count: i32, nodes: i32, rows: usize): void {
  for (let block = 0; block << 2 < ((count + 15) & ~15); block++) {
    beginUnion();
    const end = min(count, 4 * block + 4);
    for (let leaf = 4 * block; leaf < end; leaf++) {
      const own = readNodes(getI32(leaves, leaf), nodes, rows);
      uniteObject(objectOf(load<i32>(own)));
      for (let k = 0; k < nodes; k++) uniteNode(getI32(own, k));
    }
    storeUnion(gates, block);
  }
}

/**
 * Sorts the leaves of a tree by place and makes its blocks: leaves at `leaves` with `nodes` nodes each, rows of nodes
 * (i32×4) at `rows`; blocks go to `blocks`, gates of what is above the leaves to `gates`.
 */
export function makeTree(tree: usize, leaves: usize, blocks: usize, gates: usize, nodes: i32, rows: usize): void {
  const count = load<i32>(tree);
  // Twice the middles' range.
  let low = f32x4.splat(Infinity);
  let high = f32x4.splat(-Infinity);
  for (let i = 0; i < count; i++) {
    boxLeaf(readNodes(getI32(leaves, i), nodes, rows), nodes);
    const middle = f32x4.add(least, greatest);
    low = f32x4.pmin(low, middle);
    high = f32x4.pmax(high, middle);
  }
  leastAll = low;
  const range = f32x4.sub(high, low);
  const cells = f32x4.splat(CELLS);
  scaleAll = v128.and(f32x4.div(cells, range), f32x4.gt(range, f32x4.splat(0)));
  for (let i = 0; i < count; i++) {
    boxLeaf(readNodes(getI32(leaves, i), nodes, rows), nodes);
    store<u32>(keys + ((<usize>i) << 2), keyOfBox());
    setI32(order, i, getI32(leaves, i));
  }
  sortKeys(count, 3);
  if (gated && objectTotal > 1) groupByObject(count, nodes, rows);
  memory.copy(leaves, order, (<usize>count) << 2);
  if (gated) gateLeaves(leaves, gates, count, nodes, rows);
  // Levels, from the leaves up.
  let levels = 0;
  let first = 0;
  for (let members = count; levels < LEVELS; ) {
    store<i32>(tree + ((<usize>levels) << 2), first, 16);
    const four = (members + 3) >> 2;
    if (levels == 0) {
      for (let i = 0; i < four << 2; i++) {
        if (i < count) boxLeaf(readNodes(getI32(leaves, i), nodes, rows), nodes);
        else boxNothing();
        storeBox(blocks, i);
      }
    } else {
      const below = blocks + <usize>firstBlock(tree, levels - 1) * BLOCK;
      for (let i = 0; i < four << 2; i++) {
        if (i < members) uniteBlock(below + <usize>i * BLOCK);
        else boxNothing();
        storeBox(blocks + <usize>first * BLOCK, i);
      }
      if (gated && levels > 1) gateLevel(tree, gates, levels, members, four);
    }
    levels++;
    first += four;
    members = four;
    if (four <= 1) break;
  }
  store<i32>(tree, levels, 4);
}

/** Makes the gates of a level above the lowest that has any: of so many members, in `four` gates. */
function gateLevel(tree: usize, gates: usize, level: i32, members: i32, four: i32): void {
  const below = gateAt(tree, gates, level - 1, 0);
  const own = gateAt(tree, gates, level, 0);
  for (let i = 0; i < four << 2; i++) {
    if (i < members) uniteGate(below + <usize>i * GATE);
    else beginUnion();
    storeUnion(own, i);
  }
}

function gateAt(tree: usize, gates: usize, level: i32, block: i32): usize {
  return gates + <usize>(firstBlock(tree, level) - firstBlock(tree, 1) + block) * GATE;
}

function boxNothing(): void {
  least = f32x4.splat(Infinity);
  greatest = f32x4.splat(-Infinity);
}

function storeBox(blocks: usize, i: i32): void {
  const at = blocks + <usize>(i >> 2) * BLOCK + ((<usize>(i & 3)) << 2);
  v128.store32_lane(at, least, 0);
  v128.store32_lane(at, least, 1, 16);
  v128.store32_lane(at, least, 2, 32);
  v128.store32_lane(at, greatest, 0, 48);
  v128.store32_lane(at, greatest, 1, 64);
  v128.store32_lane(at, greatest, 2, 80);
  v128.store32_lane(at, greatest, 3, STRAY);
}

/** Least of four lanes, in all of them. */
function leastLane(a: v128): v128 {
  const b = f32x4.pmin(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
  return f32x4.pmin(b, v128.shuffle<f32>(b, b, 1, 0, 3, 2));
}

function greatestLane(a: v128): v128 {
  const b = f32x4.pmax(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
  return f32x4.pmax(b, v128.shuffle<f32>(b, b, 1, 0, 3, 2));
}

/** The box around the four of a block. */
function uniteBlock(block: usize): void {
  const x = leastLane(v128.load(block));
  const y = leastLane(v128.load(block, 16));
  const z = leastLane(v128.load(block, 32));
  least = v128.shuffle<f32>(v128.shuffle<f32>(x, y, 0, 4, 0, 4), z, 0, 1, 4, 4);
  const u = greatestLane(v128.load(block, 48));
  const v = greatestLane(v128.load(block, 64));
  const w = greatestLane(v128.load(block, 80));
  const h = greatestLane(v128.load(block, STRAY));
  greatest = v128.shuffle<f32>(v128.shuffle<f32>(u, v, 0, 4, 0, 4), v128.shuffle<f32>(w, h, 0, 4, 0, 4), 0, 1, 4, 5);
}

/** Sorts `keys` (u32) with `order` (i32), digit by digit from the last of `digits`; keeps the order of equals. */
export function sortKeys(count: i32, digits: i32): void {
  let from = keys;
  let to = keysOther;
  let names = order;
  let others = orderOther;
  for (let digit = 0; digit < digits; digit++) {
    const shift = digit * DIGIT;
    const mask: u32 = digit + 1 == digits ? 0xffffffff : (1 << DIGIT) - 1;
    memory.fill(COUNTS, 0, 2048 * 4);
    for (let i = 0; i < count; i++) {
      const d = <i32>((load<u32>(from + ((<usize>i) << 2)) >>> shift) & mask) & 2047;
      setI32(COUNTS, d, getI32(COUNTS, d) + 1);
    }
    let total = 0;
    for (let d = 0; d < 2048; d++) {
      const c = getI32(COUNTS, d);
      setI32(COUNTS, d, total);
      total += c;
    }
    for (let i = 0; i < count; i++) {
      const key = load<u32>(from + ((<usize>i) << 2));
      const d = <i32>((key >>> shift) & mask) & 2047;
      const place = getI32(COUNTS, d);
      setI32(COUNTS, d, place + 1);
      store<u32>(to + ((<usize>place) << 2), key);
      setI32(others, place, getI32(names, i));
    }
    let swap = from;
    from = to;
    to = swap;
    swap = names;
    names = others;
    others = swap;
  }
  if (from != keys) {
    memory.copy(keys, from, (<usize>count) << 2);
    memory.copy(order, names, (<usize>count) << 2);
  }
}

// ── Asking ──────────────────────────────────

// The box that is asked about, each number in all four lanes.
let askLowX: v128 = f32x4.splat(0);
let askLowY: v128 = f32x4.splat(0);
let askLowZ: v128 = f32x4.splat(0);
let askHighX: v128 = f32x4.splat(0);
let askHighY: v128 = f32x4.splat(0);
let askHighZ: v128 = f32x4.splat(0);

let askStray: v128 = f32x4.splat(0);
/** What moves by less together is passed over [m], in all lanes. */
let slow4: v128 = f32x4.splat(-1);

/** Says below which motion pairs are passed over, −1: none [m]. */
export function passOver(slowest: f64): void {
  slow4 = f32x4.splat(<f32>slowest);
}

/** Bits of the four boxes of a block that overlap the one asked about and move fast enough beside it. */
function overlaps(block: usize): i32 {
  const x = v128.or(f32x4.gt(askLowX, v128.load(block, 48)), f32x4.gt(v128.load(block), askHighX));
  const y = v128.or(f32x4.gt(askLowY, v128.load(block, 64)), f32x4.gt(v128.load(block, 16), askHighY));
  const z = v128.or(f32x4.gt(askLowZ, v128.load(block, 80)), f32x4.gt(v128.load(block, 32), askHighZ));
  const slow = f32x4.lt(f32x4.add(askStray, v128.load(block, STRAY)), slow4);
  return ~i32x4.bitmask(v128.or(v128.or(x, y), v128.or(z, slow))) & 15;
}

/** Bits of the leaves of block `block` that may meet what was asked about last. */
export function overlapsAsked(blocks: usize, block: i32): i32 {
  return overlaps(blocks + <usize>block * BLOCK);
}

/** Asks about block `block` of the leaves of a tree. */
export function askBlock(blocks: usize, block: i32): void {
  uniteBlock(blocks + <usize>block * BLOCK);
  ask();
}

/** Asks about four blocks of the leaves of a tree, from block 4 · `group` on. */
export function askGroup(tree: usize, blocks: usize, gates: usize, group: i32): void {
  const isAbove = levelsOf(tree) > 1;
  askBlock(blocks, isAbove ? firstBlock(tree, 1) + group : group);
  askGated = gated && isAbove;
  if (!askGated) return;
  uniteGate(gateAt(tree, gates, 1, group));
  askUnion();
}

/** Whether gates can be asked about it. */
let askGated: bool = false;

/** Whether block `block` of the leaves, of what was asked about, and block `other` need not be measured. */
export function isPassed(gates: usize, block: i32, others: usize, other: i32): bool {
  return askGated && arePassedOver(gates, block, others, other);
}

function ask(): void {
  askLowX = v128.shuffle<f32>(least, least, 0, 0, 0, 0);
  askLowY = v128.shuffle<f32>(least, least, 1, 1, 1, 1);
  askLowZ = v128.shuffle<f32>(least, least, 2, 2, 2, 2);
  askHighX = v128.shuffle<f32>(greatest, greatest, 0, 0, 0, 0);
  askHighY = v128.shuffle<f32>(greatest, greatest, 1, 1, 1, 1);
  askHighZ = v128.shuffle<f32>(greatest, greatest, 2, 2, 2, 2);
  askStray = v128.shuffle<f32>(greatest, greatest, 3, 3, 3, 3);
}

/**
 * Lists the leaves' blocks, from block `from` on, that may meet what was asked about, rising; returns how many there
 * are (blockAt).
 */
export function listBlocks(tree: usize, blocks: usize, gates: usize, from: i32): i32 {
  let count = 0;
  let waiting = 0;
  if (load<i32>(tree) > 0) {
    store<i32>(STACK, levelsOf(tree) - 1);
    store<i32>(STACK, 0, 4);
    waiting = 1;
  }
  while (waiting > 0) {
    waiting--;
    const level = load<i32>(STACK + ((<usize>waiting) << 3));
    const block = load<i32>(STACK + ((<usize>waiting) << 3), 4);
    if (level == 0) {
      setI32(listed, count++, block);
      continue;
    }
    let mask = overlaps(blocks + <usize>(firstBlock(tree, level) + block) * BLOCK);
    if (askGated && mask != 0) mask &= ~passedOver(gateAt(tree, gates, level, block));
    const width = 1 << (2 * (level - 1));
    for (let k = 3; k >= 0; k--) {
      if ((mask & (1 << k)) == 0) continue;
      const child = 4 * block + k;
      if ((child + 1) * width <= from) continue;
      store<i32>(STACK + ((<usize>waiting) << 3), level - 1);
      store<i32>(STACK + ((<usize>waiting) << 3), child, 4);
      waiting++;
    }
  }
  return count;
}

/** Number `i` of the blocks listed last. */
export function blockAt(i: i32): i32 {
  return getI32(listed, i);
}

/** Bits of the leaves of block `block` that overlap, and move against, leaf number `leaf` of the tree of `blocks`. */
export function overlapsOf(blocks: usize, leaf: i32, others: usize, block: i32): i32 {
  const at = blocks + <usize>(leaf >> 2) * BLOCK + ((<usize>(leaf & 3)) << 2);
  const other = others + <usize>block * BLOCK;
  const x = v128.or(
    f32x4.gt(v128.load32_splat(at), v128.load(other, 48)),
    f32x4.gt(v128.load(other), v128.load32_splat(at, 48)),
  );
  const y = v128.or(
    f32x4.gt(v128.load32_splat(at, 16), v128.load(other, 64)),
    f32x4.gt(v128.load(other, 16), v128.load32_splat(at, 64)),
  );
  const z = v128.or(
    f32x4.gt(v128.load32_splat(at, 32), v128.load(other, 80)),
    f32x4.gt(v128.load(other, 32), v128.load32_splat(at, 80)),
  );
  const slow = f32x4.lt(f32x4.add(v128.load32_splat(at, STRAY), v128.load(other, STRAY)), slow4);
  return ~i32x4.bitmask(v128.or(v128.or(x, y), v128.or(z, slow))) & 15;
}
