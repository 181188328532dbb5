// The segment grid: every pair of edges whose swept boxes overlap, once.
//
// In: boxes and size classes of strand-edges. Out: the queue of strand-candidates. The order of cells stays for further
// looks: an edge whose box was made anew leaves its cell for a list of loose ones behind the order, and is tried
// against the cells and that list.
// Levels: hair of 5 mm edges beside a rope of 1 m edges need cells of their own sizes. A level holds the edges of two
// neighbouring powers of two (and smaller ones where they are few); its cells are as large as its largest box along
// each axis, so an edge, filed under the cell of its least corner, can only meet edges filed one cell away. Within a
// level half of the neighbours are searched; against coarser levels all cells that the box can reach.
// Cells of a row are neighbours in the sorted order, so three cells are one range. The grid repeats itself
// (coordinates modulo powers of two), so it needs no bounds, and a box test refuses what only the repetition brought
// together; each level has two to four cells an edge. The counting sort keeps edges in the order of the node table:
// the pairs come in an order that only poses decide.

import { ROD_ALIVE, ROD_COUNT, ROD_FLAGS, ROD_LAYERS, ROD_SELF_CONTACT } from '../../../state/layout';
import { cell, column, getI32, setI32 } from '../memory';
import { forkRanges, RANGE_STRAND_WALK } from '../threads/fork';
import {
  areTooMany,
  beginCandidateRange,
  candidateCount,
  clearCandidates,
  endCandidateRange,
  forgetApart,
  joinCandidates,
  keepCandidates,
  lendCandidates,
  listQueue,
  queueEnd,
  takeQueue,
} from './candidates';
import { CLASSES, edgeCount, prepareEdges, writeBoxAnew } from './edges';
import { STRAY, strayCount } from './looks';
import {
  BLOCK,
  BOX,
  boxes,
  cellOf,
  flags,
  LEVELS,
  levelOf,
  looseRoom,
  nodes,
  sorted,
  sortedEdge,
  starts,
} from './work';

/** Cells are larger than the largest box by this, so that a box never reaches past the next cell by rounding. */
const CELL_SLACK: f64 = 1.0001;
/** Smaller edges join the next larger size when they are fewer than this share of it. */
const FEW: i32 = 8;

// Per level, 64 bytes: inverse cell sizes (3 × f64), bits of x, y, z (3 × i32), first cell, number of edges, spare.
const LEVEL: usize = memory.data(12 * 64, 16);
const LEVEL_OF_CLASS: usize = memory.data(256 * 4, 16);
// Largest box, least and greatest of the least corners of a level (3 × 4 × f32).
const EXTENT: usize = 48;
const EXTENTS: usize = memory.data(12 * 48, 16);

let levelCount: i32 = 0;
let cellCount: i32 = 0;
/** Edges that left their boxes and lie behind the order. */
export let looseCount: i32 = 0;

function levelAt(level: i32): usize {
  return LEVEL + ((<usize>level) << 6);
}

/** Makes all boxes and lists all pairs. */
export function findCandidates(): void {
  prepareEdges();
  clearCandidates();
  looseCount = 0;
  levelCount = 0;
  if (!canMeet()) return;
  chooseLevels();
  if (levelCount == 0) return;
  measureLevels();
  sortIntoCells();
  for (let level = 0; level < levelCount; level++) {
    walkAll(level);
    for (let coarser = level + 1; coarser < levelCount; coarser++) walkCoarser(level, coarser);
  }
  listQueue();
  forgetApart(0);
  // From now on places are asked for, not cells.
  for (let place = 0; place < edgeCount; place++) setI32(cellOf, getI32(sortedEdge, place), place);
}

/**
 * Makes the boxes of edges with STRAY anew and lists their pairs; false when there are
 * too many: all is to be done anew.
 */
export function findStrays(): bool {
  keepCandidates();
  if (strayCount == 0 || levelCount == 0) return true;
  if (looseCount + strayCount > looseRoom) return false;
  const first = edgeCount + looseCount;
  const before = candidateCount;
  for (let edge = 0; edge < nodes; edge++) {
    if ((<i32>load<u8>(flags + edge) & STRAY) == 0) continue;
    // Nothing overlaps the place that it leaves.
    const left = boxAt(getI32(cellOf, edge));
    for (let k: usize = 0; k < 48; k += 16) store<f32>(left + k, Infinity);
    const place = edgeCount + looseCount++;
    setI32(sortedEdge, place, edge);
    setI32(cellOf, edge, place);
    writeBoxAnew(edge, ANEW);
    placeBox(place, ANEW);
  }
  for (let place = first; place < edgeCount + looseCount && !areTooMany(); place++) {
    ask(place);
    for (let level = 0; level < levelCount; level++) scanCells(place, level);
    scan(place, edgeCount, place);
  }
  listQueue();
  forgetApart(before);
  return true;
}

/** Whether any two edges may meet, by flags and layers: hair that touches bodies only needs no grid. */
function canMeet(): bool {
  const rods = cell(ROD_COUNT);
  let alive = 0;
  let layers = 0;
  let masks = 0;
  for (let rod = 0; rod < rods; rod++) {
    const flags = getI32(column(ROD_FLAGS), rod);
    if ((flags & ROD_ALIVE) == 0) continue;
    if ((flags & ROD_SELF_CONTACT) != 0) return true;
    alive++;
    const filter = getI32(column(ROD_LAYERS), rod);
    layers |= filter & 0xffff;
    masks |= filter >>> 16;
  }
  return alive > 1 && (layers & masks) != 0;
}

/** Groups size classes into levels. */
function chooseLevels(): void {
  levelCount = 0;
  let first = -1;
  let held = 0;
  for (let size = 0; size < 256; size++) {
    const count = getI32(CLASSES, size);
    if (count > 0) {
      const fits = levelCount == LEVELS || (first >= 0 && (size <= first + 1 || held * FEW < count));
      if (!fits) {
        levelCount++;
        first = size;
        held = 0;
      }
      held += count;
    }
    setI32(LEVEL_OF_CLASS, size, levelCount - 1);
  }
}

/** Level of each edge; largest boxes, bounds and number of edges of each level; hence its cells. */
function measureLevels(): void {
  for (let level = 0; level < levelCount; level++) {
    const e = EXTENTS + <usize>level * EXTENT;
    v128.store(e, f32x4.splat(0));
    v128.store(e, f32x4.splat(Infinity), 16);
    v128.store(e, f32x4.splat(-Infinity), 32);
    store<i32>(levelAt(level), 0, 40);
  }
  for (let edge = 0; edge < nodes; edge++) {
    const size = getI32(levelOf, edge);
    if (size < 0) continue;
    const level = getI32(LEVEL_OF_CLASS, size);
    setI32(levelOf, edge, level);
    const box = boxes + <usize>edge * BOX;
    const e = EXTENTS + <usize>level * EXTENT;
    const low = v128.load(box);
    v128.store(e, f32x4.pmax(v128.load(e), f32x4.sub(v128.load(box, 16), low)));
    v128.store(e, f32x4.pmin(v128.load(e, 16), low), 16);
    v128.store(e, f32x4.pmax(v128.load(e, 32), low), 32);
    store<i32>(levelAt(level), load<i32>(levelAt(level), 40) + 1, 40);
  }
  cellCount = 0;
  for (let level = 0; level < levelCount; level++) sizeLevel(level);
}

/** Least power of two that is at least x, as bits. */
function bitsFor(x: f64): i32 {
  let bits = 2;
  while (bits < 20 && <f64>(1 << bits) < x) bits++;
  return bits;
}

function sizeLevel(level: i32): void {
  const at = levelAt(level);
  const e = EXTENTS + <usize>level * EXTENT;
  const count = load<i32>(at, 40);
  for (let k: usize = 0; k < 3; k++) {
    const side = CELL_SLACK * max(<f64>load<f32>(e + k * 4), 1e-30);
    store<f64>(at + k * 8, 1 / side);
    const span = <f64>load<f32>(e + k * 4, 32) - <f64>load<f32>(e + k * 4, 16);
    store<i32>(at + k * 4, bitsFor(span / side + 3), 24);
  }
  // At most two to four cells an edge: the longest side is folded first.
  let room = 6;
  while (1 << room < 2 * count) room++;
  while (load<i32>(at, 24) + load<i32>(at, 28) + load<i32>(at, 32) > room) {
    let longest: usize = 0;
    for (let k: usize = 4; k < 12; k += 4) if (load<i32>(at + k, 24) > load<i32>(at + longest, 24)) longest = k;
    store<i32>(at + longest, load<i32>(at + longest, 24) - 1, 24);
  }
  store<i32>(at, cellCount, 36);
  cellCount += (1 << (load<i32>(at, 24) + load<i32>(at, 28) + load<i32>(at, 32))) + 1;
}

function cellCoordinate(at: usize, axis: usize, x: f32): i32 {
  // Beyond 2³⁰ cells neighbours cannot be told apart: the box test still can.
  return <i32>max(-1e9, min(1e9, floor(<f64>x * load<f64>(at + axis * 8))));
}

/** Counting sort by cell, levels one after the other. */
function sortIntoCells(): void {
  memory.fill(starts, 0, (<usize>cellCount) << 2);
  for (let edge = 0; edge < nodes; edge++) {
    const level = getI32(levelOf, edge);
    if (level < 0) continue;
    const at = levelAt(level);
    const box = boxes + <usize>edge * BOX;
    const bx = load<i32>(at, 24);
    const by = load<i32>(at, 28);
    const bz = load<i32>(at, 32);
    const x = cellCoordinate(at, 0, load<f32>(box)) & ((1 << bx) - 1);
    const y = cellCoordinate(at, 1, load<f32>(box, 4)) & ((1 << by) - 1);
    const z = cellCoordinate(at, 2, load<f32>(box, 8)) & ((1 << bz) - 1);
    const home = load<i32>(at, 36) + ((((z << by) | y) << bx) | x);
    setI32(cellOf, edge, home);
    setI32(starts, home, getI32(starts, home) + 1);
  }
  let total = 0;
  for (let i = 0; i < cellCount; i++) {
    const count = getI32(starts, i);
    setI32(starts, i, total);
    total += count;
  }
  for (let edge = 0; edge < nodes; edge++) {
    if (getI32(levelOf, edge) < 0) continue;
    const home = getI32(cellOf, edge);
    const place = getI32(starts, home);
    setI32(starts, home, place + 1);
    setI32(sortedEdge, place, edge);
    placeBox(place, boxes + <usize>edge * BOX);
  }
  // Filling moved every start to its end: move them back by one cell.
  for (let i = cellCount - 1; i > 0; i--) setI32(starts, i, getI32(starts, i - 1));
  setI32(starts, 0, 0);
}

// The box that is asked about: fourteen numbers, each in all four lanes.
const QUERY: usize = memory.data(224, 16);
/** A box that was made anew. */
const ANEW: usize = memory.data(64, 16);

/** Address of the first number of the box at a place; the others follow 16 bytes apart. */
function boxAt(place: i32): usize {
  return sorted + <usize>(place >> 2) * BLOCK + ((<usize>(place & 3)) << 2);
}

function placeBox(place: i32, box: usize): void {
  const to = boxAt(place);
  for (let k: usize = 0; k < 3; k++) {
    store<f32>(to + (k << 4), load<f32>(box + (k << 2)));
    store<f32>(to + (k << 4), load<f32>(box + (k << 2), 16), 48);
  }
  for (let k: usize = 0; k < 4; k++) {
    store<f32>(to + (k << 4), load<f32>(box + (k << 2), 32), 96);
    store<f32>(to + (k << 4), load<f32>(box + (k << 2), 48), 160);
  }
}

/** Takes the box at a place as the one that `scan` asks about. */
function ask(place: i32): void {
  const from = boxAt(place);
  for (let k: usize = 0; k < BLOCK; k += 16) v128.store(QUERY + k, v128.load32_splat(from + k));
}

/**
 * Tries the edge at place `me`, which `ask` took, against places from..to−1, four at a time. Boxes that
 * overlap may still be apart along a diagonal. What overlaps is written to the queue, and counted only
 * when it does: no branch to guess.
 */
function scan(me: i32, from: i32, to: i32): void {
  if (from >= to) return;
  const lowX = v128.load(QUERY);
  const lowY = v128.load(QUERY, 16);
  const lowZ = v128.load(QUERY, 32);
  const highX = v128.load(QUERY, 48);
  const highY = v128.load(QUERY, 64);
  const highZ = v128.load(QUERY, 80);
  for (let place = from & ~3; place < to; place += 4) {
    const at = sorted + <usize>(place >> 2) * BLOCK;
    const x = v128.or(f32x4.gt(lowX, v128.load(at, 48)), f32x4.gt(v128.load(at), highX));
    const y = v128.or(f32x4.gt(lowY, v128.load(at, 64)), f32x4.gt(v128.load(at, 16), highY));
    const z = v128.or(f32x4.gt(lowZ, v128.load(at, 80)), f32x4.gt(v128.load(at, 32), highZ));
    let outside = v128.or(v128.or(x, y), z);
    if (i32x4.all_true(outside)) continue;
    for (let k: usize = 96; k < 160; k += 16) {
      outside = v128.or(outside, f32x4.gt(v128.load(QUERY + k), v128.load(at + k, 64)));
      outside = v128.or(outside, f32x4.gt(v128.load(at + k), v128.load(QUERY + k, 64)));
    }
    let mask = ~i32x4.bitmask(outside) & 15;
    if (place < from) mask &= 15 << (from - place);
    if (place + 4 > to) mask &= 15 >> (place + 4 - to);
    let next = queueEnd;
    for (let lane = 0; lane < 4; lane++) {
      store<i32>(next, me);
      store<i32>(next, place + lane, 4);
      next += ((mask >> lane) & 1) << 3;
    }
    takeQueue(next);
  }
}

/** Cells x−1, x and, where the box reaches it, x+1 of a row. */
function scanRow(me: i32, row: i32, x: i32, mask: i32, reach: i32): void {
  if (x > 0 && x + reach <= mask) {
    scan(me, getI32(starts, row + x - 1), getI32(starts, row + x + 1 + reach));
    return;
  }
  for (let d = -1; d <= reach; d++) {
    const home = row + ((x + d) & mask);
    scan(me, getI32(starts, home), getI32(starts, home + 1));
  }
}

/** Places that a thread walks at a time: some 0.1 ms. */
const GRAIN: i32 = 512;
let walked: i32 = 0;

/** Pairs within a level. */
function walkAll(level: i32): void {
  const places = load<i32>(levelAt(level), 40);
  if (ASC_FEATURE_THREADS && places >= 2 * GRAIN && lendCandidates(places)) {
    walked = level;
    const before = candidateCount;
    forkRanges(RANGE_STRAND_WALK, places, GRAIN, 0);
    if (joinCandidates(places, before)) return;
  }
  walkLevel(level, 0, places);
}

/** The places `begin` to `end` of a level, on a thread. */
export function walkRange(begin: i32, end: i32): void {
  beginCandidateRange(begin, end);
  walkLevel(walked, begin, end);
  endCandidateRange(begin, end);
}

/**
 * Pairs of the places `begin` to `end` of a level within it: the rest of the own cell, the next cell, and four rows
 * ahead. What is filed ahead along an axis can only be met by a box that reaches over its own cell; what is filed
 * behind may itself reach over.
 */
function walkLevel(level: i32, begin: i32, end: i32): void {
  const at = levelAt(level);
  const base = load<i32>(at, 36);
  const bx = load<i32>(at, 24);
  const by = load<i32>(at, 28);
  const maskX = (1 << bx) - 1;
  const maskY = (1 << by) - 1;
  const maskZ = (1 << load<i32>(at, 32)) - 1;
  const first = getI32(starts, base);
  for (let i = first + begin; i < first + end && !areTooMany(); i++) {
    const box = boxAt(i);
    ask(i);
    const home = getI32(cellOf, getI32(sortedEdge, i)) - base;
    const x = home & maskX;
    const y = (home >> bx) & maskY;
    const z = home >> (bx + by);
    const aheadX = i32(reaches(at, 0, box));
    if (aheadX == 0) {
      scan(i, i + 1, getI32(starts, base + home + 1));
    } else if (x < maskX) {
      scan(i, i + 1, getI32(starts, base + home + 2));
    } else {
      scan(i, i + 1, getI32(starts, base + home + 1));
      scan(i, getI32(starts, base + home - x), getI32(starts, base + home - x + 1));
    }
    const up = (y + 1) & maskY;
    const aheadY = reaches(at, 1, box);
    if (aheadY) scanRow(i, base + (((z << by) | up) << bx), x, maskX, aheadX);
    if (!reaches(at, 2, box)) continue;
    const far = ((z + 1) & maskZ) << by;
    scanRow(i, base + ((far | ((y - 1) & maskY)) << bx), x, maskX, aheadX);
    scanRow(i, base + ((far | y) << bx), x, maskX, aheadX);
    if (aheadY) scanRow(i, base + ((far | up) << bx), x, maskX, aheadX);
  }
}

/** Whether the box reaches into the next cell along an axis. */
function reaches(at: usize, axis: usize, box: usize): bool {
  const inverse = load<f64>(at + axis * 8);
  return floor(<f64>load<f32>(box + axis * 16) * inverse) != floor(<f64>load<f32>(box + axis * 16, 48) * inverse);
}

/** Pairs of a level's edges with those of a coarser one. */
function walkCoarser(level: i32, coarser: i32): void {
  const mine = levelAt(level);
  const first = getI32(starts, load<i32>(mine, 36));
  const last = first + load<i32>(mine, 40);
  for (let i = first; i < last && !areTooMany(); i++) {
    ask(i);
    scanCells(i, coarser);
  }
}

/** Tries the edge at place `me`, which `ask` took, against all cells of a level that may hold a box it overlaps. */
function scanCells(me: i32, level: i32): void {
  const at = levelAt(level);
  const base = load<i32>(at, 36);
  const bx = load<i32>(at, 24);
  const by = load<i32>(at, 28);
  const maskX = (1 << bx) - 1;
  const maskY = (1 << by) - 1;
  const maskZ = (1 << load<i32>(at, 32)) - 1;
  const x0 = cellCoordinate(at, 0, load<f32>(QUERY)) - 1;
  const y0 = cellCoordinate(at, 1, load<f32>(QUERY, 16)) - 1;
  const z0 = cellCoordinate(at, 2, load<f32>(QUERY, 32)) - 1;
  // The grid repeats itself: never more than once around.
  const x1 = min(x0 + maskX, cellCoordinate(at, 0, load<f32>(QUERY, 48)));
  const y1 = min(y0 + maskY, cellCoordinate(at, 1, load<f32>(QUERY, 64)));
  const z1 = min(z0 + maskZ, cellCoordinate(at, 2, load<f32>(QUERY, 80)));
  for (let z = z0; z <= z1; z++) {
    for (let y = y0; y <= y1; y++) {
      const row = base + ((((z & maskZ) << by) | (y & maskY)) << bx);
      const left = x0 & maskX;
      const right = left + x1 - x0;
      // Neighbouring cells are one range, or two where the row repeats itself.
      scan(me, getI32(starts, row + left), getI32(starts, row + min(right, maskX) + 1));
      if (right > maskX) scan(me, getI32(starts, row), getI32(starts, row + right - maskX));
    }
  }
}
