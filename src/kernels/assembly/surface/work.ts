// What the detection of contacts of surfaces works with: its question, and its scratch cut into arrays.
//
// Surfaces are the triangles, mesh edges and nodes of shells, and of the boundaries of solids. All of the block is good
// for one call. The question itself (nodes, velocities, step) is that of proximity/work, which detection of rods
// shares.

import {
  ATTACHMENT_ALIVE,
  ATTACHMENT_BODY,
  ATTACHMENT_COUNT,
  ATTACHMENT_FLAGS,
  ATTACHMENT_LOOSE,
  ATTACHMENT_NODE,
  ATTACHMENT_OTHER,
  ATTACHMENT_ROD,
  KIND_ROD,
  MESH_EDGE_COUNT,
  MESH_EDGE_NODE,
  MESH_EDGE_REST,
  NODE_CONTACT_COUNT,
  NODE_COUNT,
  NODE_STRAND,
  OBJECT_MESH_EDGES,
  OBJECT_TRIANGLES,
  ROD_FLAGS,
  ROD_LAYERS,
  ROD_NODE_START,
  ROD_PARAMETER,
  ROD_SELF_CONTACT,
  STRAND_COUNT,
  STRAND_KIND,
  STRAND_ROD,
  STRAND_ROOT,
  TRIANGLE_COUNT,
} from '../../../state/layout';
import { DETECT_APPEND, DETECT_CONTINUOUS, DETECT_RETRY } from '../../../state/rod-layout';
import { isAsleep } from '../elastic/sleep';
import { cell, column, getF64, getI32, put, setI32 } from '../memory';
import { isObjectLive } from '../proximity/edges';
import { dt, takeQuestion, velocity } from '../proximity/work';
import { openScratch, scratchTop, take } from '../scratch';

/** Bytes of a hit; its fields are named in surface/hits. */
export const HIT: usize = 192;
/** Bytes of a block of four boxes: f32×4 of least x, y, z, of greatest, of motion. */
export const BLOCK: usize = 112;
/** Bytes of a gate above blocks of leaves; its fields are named in gates.ts. */
export const GATE: usize = 128;
/** Bytes of a node's record, of those of four edges and of four triangles (leaf-records.ts). */
export const NODE_RECORD: usize = 32;
export const EDGE_RECORD: usize = 304;
export const TRIANGLE_RECORD: usize = 400;
/** Hits that proximity/mesh hands over at a time, and their bytes. */
export const LENT: i32 = 64;
const LENT_BYTES: usize = 96;

// Bits of an object; an object without OBJECT_LIVE takes no part.
export const OBJECT_LIVE: i32 = 1;
export const OBJECT_SURFACE: i32 = 2;
export const OBJECT_SELF: i32 = 4;
export const OBJECT_ASLEEP: i32 = 8;
const OBJECT_MARKED: i32 = 16;

/** Bytes of an object's record: f64 radius, f64 shortest edge at rest; i32 bits, material, layers, spare; its box. */
const OBJECT: usize = 64;

export let append: bool = false;
export let hitCapacity: i32 = 0;
export let nodeTotal: i32 = 0;
export let edgeTotal: i32 = 0;
export let triangleTotal: i32 = 0;
export let oldCount: i32 = 0;

// ── What outlives a call: the further looks of a step find it ─────────────────
/** f32×4 a node: displacement over the step when it was last looked at [m]. */
let looked: usize = 0;
/** u8 a node: whether it moves otherwise than then. */
let moved: usize = 0;
/** u8 an object: whether the last look for crossings found it to have a point inside another, or that in itself. */
let tangles: usize = 0;
/** Bytes at the start of the block that say which detection left it: the block may have moved since. */
const STAMP_BYTES: usize = 16;
/** Stamp of the detection whose block is good, 0 none; the last one that was given. */
let keptStamp: i32 = 0;
let lastStamp: i32 = 0;
let keptNodes: i32 = 0;
let keptStep: f64 = 0;
/** Whether nothing that moves as it was looked at comes near anything, so that nothing of that can cross. */
let keptClear: bool = false;
/** Nodes to be looked at. */
export let movedCount: i32 = 0;
/** Whether any two nodes are joined to each other. */
export let anyJoined: bool = false;

// ── What is good for one call ────────────────────────────
let objects: usize = 0;
/** i32 a node: body that holds it, −1 none, −2 the world. */
let holders: usize = 0;
/** i32 a node: another that it is joined to, or itself; at the end of the way the first of all that are one. */
let joined: usize = 0;
/** f32×8 a node: box over the step, least x y z and 1 (0: it has none), greatest and motion beyond the mean. */
export let nodeBoxes: usize = 0;
/** Mesh edges at each node: i32 a node + 1, where its own begin; rows. */
export let fanStart: usize = 0;
export let fans: usize = 0;
/** First hit of each node as a point, −1 none. */
export let nodeHits: usize = 0;
/** Keys and numbers to be sorted, twice. */
export let keys: usize = 0;
export let keysOther: usize = 0;
export let order: usize = 0;
export let orderOther: usize = 0;
/** Leaves of the trees of points, edges, triangles, and their blocks. */
export let pointLeaves: usize = 0;
export let edgeLeaves: usize = 0;
export let triangleLeaves: usize = 0;
export let pointBlocks: usize = 0;
export let edgeBlocks: usize = 0;
export let triangleBlocks: usize = 0;
/** Gates above the leaves of each. */
export let pointGates: usize = 0;
export let edgeGates: usize = 0;
export let triangleGates: usize = 0;
/** i32 an object: its rank among those that are sorted. */
export let ranks: usize = 0;
export let objectTotal: i32 = 0;
/** Blocks of leaves that a walk found (tree.ts). */
export let listed: usize = 0;
/** Records of nodes, and of the leaves of edges and triangles (leaf-records.ts). */
export let nodeRecords: usize = 0;
export let edgeRecords: usize = 0;
export let triangleRecords: usize = 0;
/** Of a collider: nodes and edges that have been looked at (i32), what was measured there. */
export let nodeStamps: usize = 0;
export let edgeStamps: usize = 0;
/**
 * 64 bytes a node: distance, its gradient and place (collider's frame), longest displacement seen from the body, f64
 * each (body-shape.ts); before that, what is near it at rest (resting.ts).
 */
export let nodeMeasures: usize = 0;
/** f64 an edge: its least distance. */
export let edgeLows: usize = 0;
/** Boxes around groups of triangles, as those of nodes. */
export let groupBoxes: usize = 0;
/** Rows of the table with contacts of surfaces, in order of their features; which of them are taken (u8). */
export let oldKeys: usize = 0;
export let oldRows: usize = 0;
export let oldTaken: usize = 0;
export let hits: usize = 0;
export let hitKeys: usize = 0;
export let hitOrder: usize = 0;
export let lent: usize = 0;

/** Blocks of a tree with so many leaves. */
function blocksOf(leaves: usize): usize {
  let blocks: usize = 2;
  for (let count = (leaves + 3) >> 2; ; count = (count + 3) >> 2) {
    blocks += count;
    if (count <= 1) break;
  }
  return blocks;
}

function takeBlocks(leaves: usize): usize {
  return take(blocksOf(leaves) * BLOCK);
}

function takeGates(leaves: usize): usize {
  return take(blocksOf((leaves + 3) >> 2) * GATE);
}

function cut(start: usize, capacity: i32): usize {
  const n = <usize>cell(NODE_COUNT);
  const e = <usize>cell(MESH_EDGE_COUNT);
  const t = <usize>cell(TRIANGLE_COUNT);
  const before = <usize>cell(NODE_CONTACT_COUNT);
  const room = <usize>capacity;
  const leaves = max(n + e, t);
  openScratch(start);
  take(STAMP_BYTES);
  looked = take(n * 16);
  moved = take(n);
  tangles = take(<usize>cell(STRAND_COUNT));
  objects = take(<usize>cell(STRAND_COUNT) * OBJECT);
  holders = take(n * 4);
  joined = take(n * 4);
  nodeBoxes = take(n * 32);
  fanStart = take((n + 2) * 4);
  fans = take(e * 8);
  nodeHits = take(n * 4);
  const sorting = max(leaves, max(before, room));
  keys = take(sorting * 4);
  keysOther = take(sorting * 4);
  order = take(sorting * 4);
  orderOther = take(sorting * 4);
  pointLeaves = take(n * 4 + 16);
  edgeLeaves = take((n + e) * 4 + 16);
  triangleLeaves = take(t * 4 + 16);
  pointBlocks = takeBlocks(n);
  edgeBlocks = takeBlocks(n + e);
  triangleBlocks = takeBlocks(t);
  pointGates = takeGates(n);
  edgeGates = takeGates(n + e);
  triangleGates = takeGates(t);
  ranks = take(<usize>cell(STRAND_COUNT) * 4);
  listed = take(leaves + 16);
  nodeRecords = take(n * NODE_RECORD);
  edgeRecords = take(((n + e + 3) >> 2) * EDGE_RECORD);
  triangleRecords = take(((t + 3) >> 2) * TRIANGLE_RECORD);
  nodeStamps = take(n * 4);
  edgeStamps = take(e * 4);
  nodeMeasures = take(n * 64);
  edgeLows = take(e * 8);
  groupBoxes = take(((t >> 5) + 1) * 32);
  oldKeys = take(before * 8);
  oldRows = take(before * 4);
  oldTaken = take(before);
  hits = take(room * HIT);
  hitKeys = take(room * 8);
  hitOrder = take(room * 4);
  lent = take(<usize>LENT * LENT_BYTES);
  return scratchTop - start;
}

/** Scratch for a call that may find `capacity` contacts [B]. */
export function surfaceScratchSize(capacity: i32): usize {
  return cut(0, capacity);
}

/** Takes the question; arguments as those of findSurfaceContacts. */
export function beginSurfaces(
  scratch: usize,
  capacity: i32,
  timeStep: f64,
  velocities: usize,
  share: f64,
  question: i32,
  still: f64,
): void {
  cut(scratch, capacity);
  append = (question & DETECT_APPEND) != 0;
  hitCapacity = capacity;
  nodeTotal = cell(NODE_COUNT);
  edgeTotal = cell(MESH_EDGE_COUNT);
  triangleTotal = cell(TRIANGLE_COUNT);
  objectTotal = cell(STRAND_COUNT);
  oldCount = cell(NODE_CONTACT_COUNT);
  takeQuestion(timeStep, velocities, share, question & DETECT_CONTINUOUS);
  readObjects();
  // A look that is made again with more room has marked its nodes.
  if ((question & DETECT_RETRY) == 0) {
    wasKept = isKept(scratch) && keptNodes == nodeTotal && keptStep == dt;
    lookAtNodes(append && wasKept, still);
  }
  // What is kept is good again when the call has come to its end.
  keptStamp = 0;
}

/** Whether the block held what the last detection left when this one began. */
export let wasKept: bool = false;

/** Whether the block holds what the last detection left. */
function isKept(scratch: usize): bool {
  return keptStamp != 0 && load<i32>(scratch) == keptStamp;
}

/**
 * Says that what was looked at in this call need not be again before it moves otherwise; `isClear`: nor for crossings.
 */
export function keepLooked(scratch: usize, isClear: bool): void {
  keptClear = isClear;
  keptStamp = ++lastStamp;
  store<i32>(scratch, keptStamp);
  keptNodes = nodeTotal;
  keptStep = dt;
}

/** Whether only what moves otherwise than it was looked at can cross anything. */
export function wasClear(scratch: usize): bool {
  return keptClear && isKept(scratch);
}

/**
 * Marks the nodes to be looked at: all, or in a further look those whose displacement changed by more than the share
 * `still` of their radius.
 */
function lookAtNodes(isFurther: bool, still: f64): void {
  movedCount = 0;
  for (let node = 0; node < nodeTotal; node++) {
    const v = velocity + ((<usize>node) << 5);
    const at = looked + ((<usize>node) << 4);
    const way = f64x2.mul(v128.load(v), f64x2.splat(dt));
    const now = v128.shuffle<f32>(f32x4.demote_f64x2_zero(way), f32x4.splat(<f32>(dt * load<f64>(v, 16))), 0, 1, 4, 4);
    if (isFurther) {
      const change = f32x4.sub(now, v128.load(at));
      const square = f32x4.mul(change, change);
      const sum = f32x4.extract_lane(square, 0) + f32x4.extract_lane(square, 1) + f32x4.extract_lane(square, 2);
      const most = <f32>(still * radiusOf(objectOf(node)));
      // Not-a-number is looked at.
      if (sum <= most * most) {
        store<u8>(moved + node, 0);
        continue;
      }
    }
    store<u8>(moved + node, 1);
    v128.store(at, now);
    movedCount++;
  }
}

/** Has all nodes looked at for the rest of the call. */
export function lookAtAll(): void {
  append = false;
}

/** Whether a node is to be looked at. */
export function isMoved(node: i32): bool {
  return load<u8>(moved + node) != 0;
}

function objectAt(object: i32): usize {
  return objects + <usize>object * OBJECT;
}

function readObjects(): void {
  const count = cell(STRAND_COUNT);
  for (let object = 0; object < count; object++) {
    const at = objectAt(object);
    const material = getI32(column(STRAND_ROD), object);
    const isSurface = getI32(column(OBJECT_TRIANGLES), 2 * object + 1) > 0;
    let bits = 0;
    if (isObjectLive(object) && (isSurface || getI32(column(STRAND_KIND), object) == KIND_ROD)) {
      bits = OBJECT_LIVE;
      if (isSurface) bits |= OBJECT_SURFACE;
      if (getI32(column(ROD_FLAGS), material) & ROD_SELF_CONTACT) bits |= OBJECT_SELF;
      if (isAsleep(object)) bits |= OBJECT_ASLEEP;
    }
    store<f64>(at, material >= 0 ? getF64(column(ROD_PARAMETER), material << 3) : 0);
    store<f64>(at, isSurface ? shortestEdge(object) : 0, 8);
    store<i32>(at, bits, 16);
    store<i32>(at, material, 20);
    store<i32>(at, material >= 0 ? getI32(column(ROD_LAYERS), material) : 0, 24);
  }
}

/** Shortest mesh edge of an object at rest [m]. */
function shortestEdge(object: i32): f64 {
  const rests = column(MESH_EDGE_REST);
  const first = getI32(column(OBJECT_MESH_EDGES), 2 * object);
  const end = first + getI32(column(OBJECT_MESH_EDGES), 2 * object + 1);
  let least = Infinity;
  for (let edge = first; edge < end; edge++) least = min(least, getF64(rests, edge << 2));
  return least;
}

/** Finds out which bodies hold which nodes, and which are joined to each other. */
export function readHolders(): void {
  for (let node = 0; node < nodeTotal; node++) {
    setI32(holders, node, -1);
    setI32(joined, node, node);
  }
  anyJoined = false;
  const count = cell(ATTACHMENT_COUNT);
  for (let a = 0; a < count; a++) {
    // What hangs on a rope or a spring touches.
    if ((getI32(column(ATTACHMENT_FLAGS), a) & (ATTACHMENT_ALIVE | ATTACHMENT_LOOSE)) != ATTACHMENT_ALIVE) continue;
    const node = getI32(column(ROD_NODE_START), getI32(column(ATTACHMENT_ROD), a)) + getI32(column(ATTACHMENT_NODE), a);
    if (node < 0 || node >= nodeTotal) continue;
    const rod = getI32(column(ATTACHMENT_OTHER), 2 * a);
    if (rod >= 0) {
      const other = getI32(column(ROD_NODE_START), rod) + getI32(column(ATTACHMENT_OTHER), 2 * a + 1);
      join(node, other);
      anyJoined = true;
      continue;
    }
    const body = getI32(column(ATTACHMENT_BODY), a);
    setI32(holders, node, body < 0 ? -2 : body);
  }
}

/** First of the nodes that are one with this one. */
function firstJoined(node: i32): i32 {
  let next = getI32(joined, node);
  while (next != node) {
    node = next;
    next = getI32(joined, node);
  }
  return node;
}

/** Makes two nodes one, and all that are one with either. */
function join(a: i32, b: i32): void {
  const one = firstJoined(a);
  const other = firstJoined(b);
  setI32(joined, max(one, other), min(one, other));
}

/** Half thickness or radius [m]. */
export function radiusOf(object: i32): f64 {
  return load<f64>(objectAt(object));
}

export function shortestOf(object: i32): f64 {
  return load<f64>(objectAt(object), 8);
}

/** OBJECT_* bits. */
export function bitsOf(object: i32): i32 {
  return load<i32>(objectAt(object), 16);
}

export function materialOf(object: i32): i32 {
  return load<i32>(objectAt(object), 20);
}

export function layersOf(object: i32): i32 {
  return load<i32>(objectAt(object), 24);
}

/** Has an object not be asked for contacts with itself for the rest of the call. */
export function leaveSelf(object: i32): void {
  store<i32>(objectAt(object), bitsOf(object) & ~OBJECT_SELF, 16);
}

/** Marks an object for the rest of the call. */
export function mark(object: i32): void {
  store<i32>(objectAt(object), bitsOf(object) | OBJECT_MARKED, 16);
}

export function isMarked(object: i32): bool {
  return (bitsOf(object) & OBJECT_MARKED) != 0;
}

/** Keeps which objects are marked, and marks those again that were. */
export function keepMarks(): void {
  for (let object = 0; object < objectTotal; object++) store<u8>(tangles + object, isMarked(object) ? 1 : 0);
}

export function markAgain(): void {
  for (let object = 0; object < objectTotal; object++) if (load<u8>(tangles + object) != 0) mark(object);
}

/** Box around all of an object's nodes: f32×4 least corner, greatest corner. */
export function boxOfObject(object: i32): usize {
  return objectAt(object) + 32;
}

export function objectOf(node: i32): i32 {
  return getI32(column(NODE_STRAND), node);
}

/** Whether two nodes are one, or joined to each other: what is at them does not touch. */
export function areOne(a: i32, b: i32): bool {
  return a == b || (anyJoined && firstJoined(a) == firstJoined(b));
}

/** Body that holds the node, −1 none. */
export function holderOfNode(node: i32): i32 {
  return getI32(holders, node);
}

/** Whether an object is a strand that grows on the other, a solid: these do not touch. */
function growsOn(strand: i32, solid: i32): bool {
  const root = getI32(column(STRAND_ROOT), 4 * strand);
  return root != 0 && root - 1 == materialOf(solid);
}

/** Whether two objects, or the parts of one, may touch. */
export function mayMeet(a: i32, b: i32): bool {
  const bitsA = bitsOf(a);
  if (a == b) return (bitsA & (OBJECT_SELF | OBJECT_ASLEEP)) == OBJECT_SELF;
  if (bitsA & bitsOf(b) & OBJECT_ASLEEP) return false;
  if (growsOn(a, b) || growsOn(b, a)) return false;
  const layersA = layersOf(a);
  const layersB = layersOf(b);
  return ((layersA >>> 16) & layersB & 0xffff) != 0 && ((layersB >>> 16) & layersA & 0xffff) != 0;
}

/** Fills the lists of mesh edges at each node. */
export function makeFans(): void {
  const ends = column(MESH_EDGE_NODE);
  memory.fill(fanStart, 0, (<usize>nodeTotal + 2) << 2);
  for (let edge = 0; edge < edgeTotal; edge++) {
    for (let k = 0; k < 2; k++) {
      const at = getI32(ends, 4 * edge + k) + 2;
      setI32(fanStart, at, getI32(fanStart, at) + 1);
    }
  }
  for (let i = 2; i < nodeTotal + 2; i++) setI32(fanStart, i, getI32(fanStart, i) + getI32(fanStart, i - 1));
  for (let edge = 0; edge < edgeTotal; edge++) {
    for (let k = 0; k < 2; k++) {
      const node = getI32(ends, 4 * edge + k);
      const at = getI32(fanStart, node + 1);
      setI32(fanStart, node + 1, at + 1);
      put<i32>(fans, at, edge);
    }
  }
}
