// Every pair of edges whose swept boxes overlap, once; of a first detection with what the test of proximity/lanes says.
//
// In: boxes and records of proximity/edges. Out: the list of proximity/candidates, ordered by edges, and of a first
// detection the hits of the pairs that are near (proximity/near, proximity/pairs). Each branch asks the tree
// (proximity/leaves) for the branches that it may meet, each of its leaves those for their leaves, each edge these for
// their edges, four at a time: what two neighbours ask in common is asked once.
// Further looks: an edge whose box was made anew asks the tree by itself.

import { ROD_ALIVE, ROD_COUNT, ROD_FLAGS, ROD_LAYERS, ROD_SELF_CONTACT } from '../../../state/layout';
import { overlap4 } from '../math/vector';
import { cell, column, get, getI32, put } from '../memory';
import { forkRanges, lendMemory, ownScratch, RANGE_STRAND_WALK } from '../threads/fork';
import {
  addPairs,
  apartAt,
  appendPairs,
  areTooMany,
  CLOSE,
  candidateCount,
  clearCandidates,
  forgetApart,
  isListFull,
  keepCandidates,
  listAt,
  listedAt,
  listedCount,
  MEET_ALL,
  MEET_NONE,
  mayMeet,
  meetingLanes,
  meetingOf,
} from './candidates';
import { prepareEdges, writeBoxAnew } from './edges';
import { beginHitRange, endHitRange, joinHits, placeRanges, RANGE_ROW } from './hits';
import { closeLanes, takeSideA, takeSideB, testLanes, writeFacts } from './lanes';
import {
  askBranch,
  askEdge,
  askLeaf,
  beginBranches,
  branchCount,
  buildTree,
  clearTree,
  countAsked,
  edgesIn,
  firstLeafOf,
  LEAF_EDGE,
  LEAF_STRAND,
  leafAt,
  leafBlock,
  leafCount,
  leafOf,
  leavesIn,
  nextBranch,
  QUERY,
  replaceBox,
} from './leaves';
import { STRAY, strayCount } from './looks';
import { beginNear, beginNearStrand, keepPairs, nearMissing, turnToNext } from './near';
import { beginMeeting, meetEdge } from './pairs';
import {
  APART_BYTES,
  candidateRoom,
  FACTS,
  facts,
  flags,
  HIT,
  hasBox,
  hitCapacity,
  LISTED,
  looseRoom,
  nearBytesOf,
  nearRoom,
  nearRows,
  nodes,
  walkListBytes,
  walkLists,
} from './work';

/** Edges that left their boxes since all were made. */
export let looseCount: i32 = 0;

/** Whether pairs are tested as soon as they are found, and met where they are near. */
let testing: bool = false;
/** Rows of near pairs that had no room in the last walk that tested. */
export let missingNear: i32 = 0;

/** Makes all boxes and lists all pairs; `tests`: and meets those that are near, after readOld of proximity/hits. */
export function findCandidates(tests: bool): void {
  prepareEdges();
  looseCount = 0;
  testing = tests;
  if (canMeet()) buildTree();
  else clearTree();
  if (tests) gatherFacts();
  if (!ASC_FEATURE_THREADS || branchCount < 2 * GRAIN || !walkShared()) {
    clearCandidates();
    if (tests) {
      beginNear(nearRows, nearRoom);
      beginMeeting();
    }
    walkBranches(0, branchCount);
    missingNear = tests ? nearMissing : 0;
  }
  if (!tests) forgetApart(0);
}

/**
 * Makes the boxes of edges with STRAY anew and lists their pairs; false when there are
 * too many: all is to be done anew.
 */
export function findStrays(): bool {
  keepCandidates(candidateCount);
  listedBefore = candidateCount;
  if (strayCount == 0 || branchCount == 0) return true;
  if (looseCount + strayCount > looseRoom) return false;
  looseCount += strayCount;
  for (let edge = 0; edge < nodes; edge++) {
    if (!isStray(edge)) continue;
    writeBoxAnew(edge, ANEW);
    replaceBox(edge, ANEW);
  }
  listStrays();
  return true;
}

/** Pairs that were listed before those of the edges with STRAY. */
let listedBefore: i32 = 0;

/** Lists the pairs of the edges with STRAY, whose boxes are made. */
function listStrays(): void {
  for (let edge = 0; edge < nodes && !areTooMany(); edge++) if (isStray(edge)) findOthers(edge);
  forgetApart(listedBefore);
}

/** Lists them once more, where some have had no room. */
export function listStraysAgain(): void {
  keepCandidates(listedBefore);
  listStrays();
}

/** A box that was made anew. */
const ANEW: usize = memory.data(64, 16);

function isStray(edge: i32): bool {
  return (<i32>load<u8>(flags + edge) & STRAY) != 0;
}

/** Lists the pairs of an edge whose box was made anew. */
function findOthers(edge: i32): void {
  const leaf = leafOf(edge);
  askEdge(leaf, edge - load<i32>(leafAt(leaf), LEAF_EDGE));
  beginBranches();
  for (let branch = nextBranch(); branch >= 0; branch = nextBranch()) {
    const base = firstLeafOf(branch);
    for (let leaves = leavesIn(branch); leaves != 0; leaves &= leaves - 1) {
      const other = base + ctz(leaves);
      const first = load<i32>(leafAt(other), LEAF_EDGE);
      for (let lanes = edgesIn(other); lanes != 0; lanes &= lanes - 1) {
        const b = first + ctz(lanes);
        // Of two of them the first one lists the pair.
        if (b == edge || (b < edge && isStray(b)) || !mayMeet(min(edge, b), max(edge, b))) continue;
        addPairs(min(edge, b), max(edge, b), 1);
      }
    }
  }
}

/** Whether any two edges may meet, by flags and layers: hair that touches bodies only needs no tree. */
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

/** Writes what the test needs of all edges. */
function gatherFacts(): void {
  for (let edge = 0; edge < nodes; edge++) if (load<u8>(hasBox + edge) != 0) writeFacts(factsOf(edge), edge);
}

function factsOf(edge: i32): usize {
  return facts + <usize>edge * FACTS;
}

// ── Branches, leaves, edges ──────────────────────

/** Lists the pairs of the branches `begin` to `end` with those behind them. */
function walkBranches(begin: i32, end: i32): void {
  const marks = ownScratch != 0 ? ownScratch + nearBytes() : walkLists;
  const words = (branchCount + 63) >> 6;
  const list = marks + ((<usize>words) << 3);
  memory.fill(marks, 0, (<usize>words) << 3);
  let strand = -1;
  for (let branch = begin; branch < end && !isOver(); branch++) {
    const first = firstLeafOf(branch);
    const own = load<i32>(leafAt(first), LEAF_STRAND);
    if (testing && own != strand) {
      meetLast();
      beginNearStrand();
    }
    strand = own;
    markBranches(branch, marks);
    const last = firstLeafOf(branch + 1);
    for (let leaf = first; leaf < last; leaf++) {
      askLeaf(branch, leaf - first);
      walkLeaf(leaf, list, listLeaves(leaf, list, marks));
    }
    unmarkBranches(marks);
  }
  if (testing) meetLast();
}

/** Meets the last edge of a strand. */
function meetLast(): void {
  turnToNext();
  meetEdge();
}

function isOver(): bool {
  return areTooMany() || (ownList && (isListFull() || nearMissing > 0));
}

// Words in which branches are marked.
let firstWord: i32 = 0;
let lastWord: i32 = 0;

/** Marks the branches from this one on that it may meet: by their numbers, the tree gives them in its own order. */
function markBranches(branch: i32, marks: usize): void {
  firstWord = branch >> 6;
  lastWord = firstWord;
  askBranch(branch);
  beginBranches();
  for (let other = nextBranch(); other >= 0; other = nextBranch()) {
    if (other < branch) continue;
    const word = marks + ((<usize>(other >> 6)) << 3);
    store<u64>(word, load<u64>(word) | ((<u64>1) << (other & 63)));
    lastWord = max(lastWord, other >> 6);
  }
}

function unmarkBranches(marks: usize): void {
  memory.fill(marks + ((<usize>firstWord) << 3), 0, (<usize>(lastWord - firstWord + 1)) << 3);
}

/** Lists the leaves of marked branches, from `leaf` on, that the one asked about may meet; returns the list's end. */
function listLeaves(leaf: i32, list: usize, marks: usize): usize {
  const own = leafAt(leaf);
  let next = list;
  for (let word = firstWord; word <= lastWord; word++) {
    for (let bits = load<u64>(marks + ((<usize>word) << 3)); bits != 0; bits &= bits - 1) {
      const branch = (word << 6) + <i32>ctz(bits);
      const base = firstLeafOf(branch);
      for (let lanes = leavesIn(branch); lanes != 0; lanes &= lanes - 1) {
        const other = base + ctz(lanes);
        if (other < leaf) continue;
        const info = leafAt(other);
        const meeting = meetingOf(own, info);
        if (meeting == MEET_NONE) continue;
        store<i32>(next, other);
        store<i32>(next, load<i32>(info, LEAF_EDGE), 4);
        store<i32>(next, meeting, 8);
        next += LISTED;
      }
    }
  }
  return next;
}

/** Lists the pairs of a leaf's edges with those of the leaves in the list. */
function walkLeaf(leaf: i32, list: usize, end: usize): void {
  const first = load<i32>(leafAt(leaf), LEAF_EDGE);
  for (let lane = 0; lane < 4; lane++) {
    const edge = first + lane;
    const before = candidateCount;
    askEdge(leaf, lane);
    for (let at = list; at < end; at += LISTED) {
      let mask = overlap4(QUERY, leafBlock(load<i32>(at)));
      if (mask == 0) continue;
      const base = load<i32>(at, 4);
      if (load<i32>(at, 8) != MEET_ALL) mask = meetingLanes(edge, base, mask);
      addPairs(edge, base, mask);
    }
    countAsked(<i32>((end - list) / LISTED));
    if (!testing) continue;
    if (candidateCount > before) testPairs(edge, before, listedCount());
    turnToNext();
    meetEdge();
  }
}

/** Tests the pairs number `begin` to `end` of an edge, four at a time; what is near goes to proximity/near. */
function testPairs(edge: i32, begin: i32, end: i32): void {
  const own = factsOf(edge);
  takeSideA(own);
  for (let i = begin; i < end; i += 4) {
    const pairs = listedAt(i);
    let mask = 15;
    // Behind the last pair it is tested again, and not counted.
    if (i + 4 > end) {
      mask = 15 >> (i + 4 - end);
      for (let k = end - i; k < 4; k++) store<i32>(pairs + ((<usize>k) << 3), load<i32>(pairs, 4), 4);
    }
    takeSideB(
      own,
      factsOf(load<i32>(pairs, 4)),
      factsOf(load<i32>(pairs, 12)),
      factsOf(load<i32>(pairs, 20)),
      factsOf(load<i32>(pairs, 28)),
    );
    const near = testLanes(mask, false, apartAt(i));
    if (near == 0) continue;
    keepPairs(edge, pairs, near);
    for (let close = near & closeLanes; close != 0; close &= close - 1)
      store<i32>(pairs + ((<usize>ctz(close)) << 3), edge | CLOSE);
  }
}

// ── Several threads ──────────────────────

/** Branches that a thread walks at a time: some 0.1 ms. */
const GRAIN: i32 = 16;
/** A range has room for so many times its share of what there is room for in all. */
const SHARE: i32 = 4;
const LEAST_SHARE: i32 = 256;
const LEAST_HITS: i32 = 64;

// Memory of all ranges: their hits (proximity/hits), pairs and distances; by the range's first branch how many pairs
// there are, how many near ones had no room, and where the next range begins.
let ownList: bool = false;
let pairShare: i32 = 0;
let hitShare: i32 = 0;
let rangePairs: usize = 0;
let rangeApart: usize = 0;
let rangeCounts: usize = 0;

/** Walks on all threads; false, and nothing is listed, if there is no memory, or a range had no room. */
function walkShared(): bool {
  const count = <usize>branchCount;
  pairShare = SHARE * (candidateRoom / branchCount) + LEAST_SHARE;
  hitShare = testing ? SHARE * (hitCapacity / branchCount) + LEAST_HITS : 0;
  const pairs = count * <usize>pairShare;
  const found = count * (<usize>hitShare * HIT + RANGE_ROW);
  const apartBytes = (pairs * APART_BYTES + 15) & ~15;
  const start = lendMemory(found + pairs * 8 + apartBytes + count * 12 + 64);
  if (start == 0) return false;
  if (testing) placeRanges(start, branchCount);
  rangePairs = start + found;
  rangeApart = rangePairs + pairs * 8;
  rangeCounts = rangeApart + apartBytes;
  ownList = true;
  forkRanges(RANGE_STRAND_WALK, branchCount, GRAIN, nearBytes() + walkListBytes(leafCount, branchCount));
  ownList = false;
  clearCandidates();
  return joinRanges();
}

/** The first branch from this one on that begins a strand. */
function strandFrom(branch: i32): i32 {
  if (branch == 0) return 0;
  for (; branch < branchCount; branch++) if (strandOf(branch) != strandOf(branch - 1)) break;
  return branch;
}

function strandOf(branch: i32): i32 {
  return load<i32>(leafAt(firstLeafOf(branch)), LEAF_STRAND);
}

/** Pairs of the branches `from` to `to` that have room; three more may be written behind. */
function pairsRoom(from: i32, to: i32): i32 {
  return max(0, (to - from) * pairShare - 4);
}

/** The strands that begin in the branches `begin` to `end`, on a thread. */
export function walkRange(begin: i32, end: i32): void {
  const from = strandFrom(begin);
  const to = strandFrom(end);
  const pair = <usize>from * <usize>pairShare;
  listAt(rangePairs + (pair << 3), rangeApart + pair * APART_BYTES, pairsRoom(from, to));
  if (testing) {
    beginHitRange(begin, end, from * hitShare, (to - from) * hitShare);
    beginNear(ownScratch != 0 ? ownScratch : nearRows, nearRoom);
    beginMeeting();
  }
  walkBranches(from, to);
  put<i32>(rangeCounts, 3 * begin, candidateCount);
  put<i32>(rangeCounts, 3 * begin + 1, testing ? nearMissing : 0);
  put<i32>(rangeCounts, 3 * begin + 2, end);
  if (testing) endHitRange(begin);
}

/** Bytes of a thread's own rows of near pairs, before its lists. */
function nearBytes(): usize {
  return testing ? nearBytesOf(nearRoom) : 0;
}

/** Takes what the ranges have found; false if one had no room for it. */
function joinRanges(): bool {
  missingNear = 0;
  for (let begin = 0; begin < branchCount; begin = get<i32>(rangeCounts, 3 * begin + 2)) {
    const room = pairsRoom(strandFrom(begin), strandFrom(get<i32>(rangeCounts, 3 * begin + 2)));
    if (get<i32>(rangeCounts, 3 * begin) > room) return false;
    missingNear = max(missingNear, get<i32>(rangeCounts, 3 * begin + 1));
  }
  if (testing && !joinHits(branchCount)) return false;
  for (let begin = 0; begin < branchCount; begin = get<i32>(rangeCounts, 3 * begin + 2)) {
    const pair = <usize>strandFrom(begin) * <usize>pairShare;
    appendPairs(rangePairs + (pair << 3), rangeApart + pair * APART_BYTES, get<i32>(rangeCounts, 3 * begin));
  }
  return true;
}
