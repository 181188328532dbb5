// Contacts of surfaces with each other and with rods: points against triangles, edges against edges.
//
// In: trees of tree.ts. Out: hits. Pairs of leaves whose swept boxes overlap are refused by what they share, by layers,
// by the distance of their middles; what is left is measured in f64.
//
// One closest feature, one contact. A point has a contact for each place of a surface that is locally the nearest: on
// an edge or at a corner of a triangle only where no neighbouring triangle comes nearer there, named after the first
// triangle at it. Two points that are nearest to each other touch once. Two edges touch where both are crossed between
// their ends, where no triangle beside them comes nearer, and unless the ends of one of them answer for it: contacts as
// points, as near and from the same side. Of layers that lie flat on each other points alone are left.
//
// The direction is that from the closest point of B to that of A at the start of the step, so it is from the side on
// which the primitives are: they never were through each other. Where they touch to within rounding it is the
// triangle's normal, or the cross product of the edges, on the side of the last step. What started crossed over keeps
// its side, with a gap as deep as the way home.

import {
  DEEP,
  DEEPER,
  HIT_SHARE,
  LOWER_SHARE,
  OTHER_SIDE,
  OWN_PLACE,
  SIDE_SINE_SQUARED,
} from '../../../core/elastic-constants';
import {
  MESH_EDGE_NODE,
  MESH_EDGE_TRIANGLE,
  NODE_PREVIOUS,
  PRIMITIVE_EDGE,
  PRIMITIVE_POINT,
  SURFACE_IMPACT,
  SURFACE_KIND_SHIFT,
  SURFACE_MARK,
  SURFACE_ROD,
  TRIANGLE_EDGE,
  TRIANGLE_NODE,
} from '../../../state/layout';
import { AT_NODE, INSIDE, ON_EDGE } from '../math/triangle';
import { dot3 } from '../math/vector';
import { column, getI32 } from '../memory';
import { continuous, dt, nearShare, velocity } from '../proximity/work';
import { anyPair, mostStray, noteApart, slowest, slowestBeside } from './boxes';
import {
  acrossBoth,
  advance,
  apart,
  apartX,
  apartY,
  apartZ,
  closest,
  heightAlong,
  hitTime,
  motion,
  region,
  shiftOfB,
  sineSquared,
  staysApart,
  takeEdges,
  takePoint,
  w0,
  w1,
  w2,
  w3,
} from './distance';
import { beginFilter, filterEdges, filterPoint, leastOfDropped } from './filter';
import { passAlike } from './gates';
import {
  addHit,
  chainHit,
  DISTANCE,
  findOld,
  firstHit,
  leanOfRow,
  NODES,
  NORMAL,
  nextHit,
  TIME,
  WEIGHTS,
} from './hits';
import { areCrossedOver, areTangled, isBehind, isPointFar, markTangled } from './inside';
import { firstTriangleAt, isInner, isOfSurface, isTip, leansIn } from './nearest';
import { beginResting, isRestingNear } from './resting';
import { listRow } from './rows';
import {
  askBlock,
  askGroup,
  blockAt,
  EDGES,
  isPassed,
  leafCount,
  listBlocks,
  overlapsAsked,
  overlapsOf,
  POINTS,
  passOver,
  TRIANGLES,
} from './tree';
import {
  append,
  areOne,
  edgeBlocks,
  edgeGates,
  edgeLeaves,
  fanStart,
  fans,
  isMoved,
  keepMarks,
  mayMeet,
  objectOf,
  pointBlocks,
  pointGates,
  pointLeaves,
  radiusOf,
  triangleBlocks,
  triangleGates,
  triangleLeaves,
} from './work';

/** Distance, as a share of the contact distance, under which a difference is no direction. */
const NO_DIRECTION: f64 = 1e-7;
/** Bounds until a crossing is certain: what slides along at a small part of the thickness needs many. */
const MANY_BOUNDS: i32 = 256;
/** Cosine above which the contact of an end is from the same side. */
const SAME_SIDE: f64 = 0.9;

let reach: f64 = 0;
/** Whether only what would go through each other is asked for. */
let crossing: bool = false;
/** Whether points inside other solids are all that is asked for. */
let marking: bool = false;

/** Pairs with overlapping boxes that are looked at: so many, and so many for each leaf. */
const MOST_PAIRS: i32 = 200000;
const MOST_OF_LEAF: i32 = 400;

let looked: i32 = 0;
let most: i32 = 0;

/** Pairs with overlapping boxes that the last detection looked at: what it cost, counted. */
export function surfacePairsLooked(): i32 {
  return looked;
}

function beginPairs(): void {
  beginResting();
  looked = 0;
  most = MOST_PAIRS + MOST_OF_LEAF * (leafCount(POINTS) + leafCount(EDGES));
  // In one that is not continuous boxes overlap where things are, and that is what there is.
  if (!continuous) most = i32.MAX_VALUE;
}

/** Finds all contacts of surfaces with surfaces and rods; false: far too many boxes overlap. */
export function findPairContacts(): bool {
  looked = 0;
  if (!anyPair) return true;
  beginPairs();
  beginFilter(crossing);
  passOver(slowest);
  passAlike(slowestBeside, mostStray);
  walkPoints();
  walkEdges();
  if (!append && !crossing) noteApart(leastOfDropped());
  return looked <= most;
}

/** Marks the objects that have points inside solids, and those solids; boxes are made for it. */
export function markInsides(): void {
  crossing = true;
  marking = true;
  passOver(-1);
  passAlike(-1, 0);
  beginPairs();
  if (anyPair) walkPoints();
  marking = false;
  crossing = false;
  keepMarks();
}

/**
 * Lists the pairs that would go through each other within the step (surface/crossings); false: far too many boxes
 * overlap.
 */
export function findPairCrossings(): bool {
  crossing = true;
  const isAll = findPairContacts();
  crossing = false;
  return isAll;
}

/** Lists the pair at hand if the step would bring it through each other, or half of the way there. */
function watch(distance: f64): void {
  const target = DEEPER * min(distance, DEEP * reach);
  if (!(target > NO_DIRECTION * reach) || distance - target > motion) return;
  if (!staysApart(target) && advance(target, MANY_BOUNDS)) listRow(n0, n1, n2, n3, -1);
}

// ── Points and triangles ─────────────────────────────

function walkPoints(): void {
  const count = leafCount(POINTS);
  let found = 0;
  for (let block = 0; block << 2 < count && looked <= most; block++) {
    if ((block & 3) == 0) {
      askGroup(POINTS, pointBlocks, pointGates, block >> 2);
      found = listBlocks(TRIANGLES, triangleBlocks, triangleGates, 0);
    }
    if (found == 0) continue;
    askBlock(pointBlocks, block);
    for (let i = 0; i < found; i++) {
      const other = blockAt(i);
      if (overlapsAsked(triangleBlocks, other) == 0 || isPassed(pointGates, block, triangleGates, other)) continue;
      meetPoints(block, min(4 * block + 4, count), other);
    }
  }
}

/** The points of a block, up to leaf `end`, and the triangles of another. */
function meetPoints(block: i32, end: i32, other: i32): void {
  for (let leaf = 4 * block; leaf < end; leaf++) {
    let mask = overlapsOf(pointBlocks, leaf, triangleBlocks, other);
    if (mask == 0) continue;
    looked += <i32>popcnt(mask);
    const p = getI32(pointLeaves, leaf);
    if (!marking) mask = filterPoint(p, other, mask);
    for (; mask != 0; mask &= mask - 1) meetPoint(p, getI32(triangleLeaves, 4 * other + <i32>ctz(mask)));
  }
}

let pairP: i32 = 0;
let pairT: i32 = 0;
let node0: i32 = 0;
let node1: i32 = 0;
let node2: i32 = 0;

function nodeOfTriangle(t: i32, k: i32): i32 {
  return getI32(column(TRIANGLE_NODE), 4 * t + k);
}

function meetPoint(p: i32, t: i32): void {
  node0 = nodeOfTriangle(t, 0);
  node1 = nodeOfTriangle(t, 1);
  node2 = nodeOfTriangle(t, 2);
  if (areOne(p, node0) || areOne(p, node1) || areOne(p, node2)) return;
  if (append && !isMoved(p) && !isMoved(node0) && !isMoved(node1) && !isMoved(node2)) return;
  const objectA = objectOf(p);
  const objectB = nodeOfTriangle(t, 3);
  if (!mayMeet(objectA, objectB)) return;
  pairP = p;
  pairT = t;
  reach = radiusOf(objectA) + radiusOf(objectB);
  if (marking && isPointFar(p, node0, node1, node2, reach)) return;
  takePoint(p, node0, node1, node2);
  const distance = closest();
  const isWithin = objectA != objectB && region == INSIDE && isBehind(objectB, t, reach);
  if (marking) {
    if (isWithin) markTangled(objectA, objectB);
    return;
  }
  // What gets out is not to be kept from it.
  if (crossing && objectA != objectB && areTangled(objectA, objectB)) return;
  if (crossing) {
    n0 = p;
    n1 = node0;
    n2 = node1;
    n3 = node2;
    watch(distance);
    return;
  }
  noteApart(distance);
  const gap = distance - reach;
  const margin = nearShare * reach;
  if (gap > max(margin, motion)) return;
  if (isWithin) {
    if (gap <= margin && !append) addPoint(distance, true);
    return;
  }
  if (objectA == objectB && isRestingNear(objectA, reach, p, -1, t)) return;
  let near = gap <= margin;
  if (!near && !continuous) near = gap + max(-reach, approach()) <= margin;
  const v1 = w1;
  const v2 = w2;
  const v3 = w3;
  if (near) {
    if (!append && isNearestOfPoint()) addPoint(distance, false);
    if (motion < 0.5 * reach) return;
  }
  if (!continuous || !willMeet(distance, gap)) return;
  if (near && shiftOfB(v1, v2, v3) <= OWN_PLACE * reach) return;
  if (region != INSIDE && !isNamedHere()) return;
  addImpact(PRIMITIVE_POINT, p, t | (near ? SURFACE_IMPACT : 0));
}

/**
 * Component of the displacement of A over B at the present places along their direction, while the detection is not
 * continuous [m].
 */
function approach(): f64 {
  const x = apartX / apart;
  const y = apartY / apart;
  const z = apartZ / apart;
  return (
    dt *
    (alongVelocity(pairP, x, y, z) +
      w1 * alongVelocity(node0, x, y, z) +
      w2 * alongVelocity(node1, x, y, z) +
      w3 * alongVelocity(node2, x, y, z))
  );
}

function alongVelocity(node: i32, x: f64, y: f64, z: f64): f64 {
  const v = velocity + ((<usize>node) << 5);
  return dot3(load<f64>(v), load<f64>(v, 8), load<f64>(v, 16), x, y, z);
}

/** Whether the two come within reach in the step, or, where they are, within half of their distance. */
function willMeet(distance: f64, gap: f64): bool {
  const target = gap > 0 ? reach : 0.5 * distance;
  if (!(target > NO_DIRECTION * reach) || distance - target > motion) return false;
  return !staysApart(target) && advance(target);
}

/** Whether the triangle at hand is the first at the edge or corner on which the point lies. */
function isNamedHere(): bool {
  if (region >= AT_NODE) return firstTriangleAt(nodeOfTriangle(pairT, region - AT_NODE)) == pairT;
  const edge = getI32(column(TRIANGLE_EDGE), 4 * pairT + region - ON_EDGE);
  return getI32(column(MESH_EDGE_TRIANGLE), 4 * edge) == pairT;
}

/** Whether the closest point is the nearest of its surroundings, and this pair the one to report it. */
function isNearestOfPoint(): bool {
  if (region == INSIDE) return true;
  if (!isNamedHere()) return false;
  if (region >= AT_NODE) {
    const corner = nodeOfTriangle(pairT, region - AT_NODE);
    if (!isTip(corner, apartX, apartY, apartZ)) return false;
    // Two points nearest to each other: the lower one reports, if it is asked at all.
    return !(corner < pairP && isTip(pairP, -apartX, -apartY, -apartZ) && isOfSurface(pairP));
  }
  const edge = getI32(column(TRIANGLE_EDGE), 4 * pairT + region - ON_EDGE);
  return !leansIn(edge, 0, apartX, apartY, apartZ) && !leansIn(edge, 1, apartX, apartY, apartZ);
}

/** Direction and signed distance of what lies `distance` apart now. */
let normalX: f64 = 0;
let normalY: f64 = 0;
let normalZ: f64 = 0;
let height: f64 = 0;

/**
 * Sets the direction from B to A; `inside`: both closest points lie within their primitives; `row`: of the last step,
 * −1 none.
 */
function direct(distance: f64, inside: bool, row: i32): void {
  height = distance;
  if (distance > NO_DIRECTION * reach) {
    normalX = apartX / distance;
    normalY = apartY / distance;
    normalZ = apartZ / distance;
    // Through a triangle, or across two crossing edges, there are two sides, and only passing through leads from one to
    // the other.
    if (row >= 0 && inside && distance < reach && leanOfRow(row, normalX, normalY, normalZ) < OTHER_SIDE) {
      normalX = -normalX;
      normalY = -normalY;
      normalZ = -normalZ;
      height = -distance;
    }
    return;
  }
  acrossBoth();
  normalX = apartX;
  normalY = apartY;
  normalZ = apartZ;
  const lean = row >= 0 ? leanOfRow(row, normalX, normalY, normalZ) : cameFrom();
  if (lean < 0) {
    normalX = -normalX;
    normalY = -normalY;
    normalZ = -normalZ;
  }
}

/** Nodes of the pair in the order of their coefficients. */
let n0: i32 = 0;
let n1: i32 = 0;
let n2: i32 = 0;
let n3: i32 = 0;

/** Height of A over B along the normal before the last step [m]. */
function cameFrom(): f64 {
  return w0 * before(n0) + w1 * before(n1) + w2 * before(n2) + w3 * before(n3);
}

function before(node: i32): f64 {
  const p = column(NODE_PREVIOUS) + ((<usize>node) << 5);
  return dot3(load<f64>(p), load<f64>(p, 8), load<f64>(p, 16), normalX, normalY, normalZ);
}

function lowOf(kind: i32, row: i32): i32 {
  return SURFACE_MARK | (kind << SURFACE_KIND_SHIFT) | row;
}

function fill(hit: usize): void {
  store<i32>(hit, n0, NODES);
  store<i32>(hit, n1, NODES + 4);
  store<i32>(hit, n2, NODES + 8);
  store<i32>(hit, n3, NODES + 12);
  store<f64>(hit, w0, WEIGHTS);
  store<f64>(hit, w1, WEIGHTS + 8);
  store<f64>(hit, w2, WEIGHTS + 16);
  store<f64>(hit, w3, WEIGHTS + 24);
}

/** `isWithin`: the point is inside the solid that the triangle belongs to. */
function addPoint(distance: f64, isWithin: bool): void {
  n0 = pairP;
  n1 = node0;
  n2 = node1;
  n3 = node2;
  const low = lowOf(PRIMITIVE_POINT, pairP);
  const high = SURFACE_MARK | pairT;
  if (isWithin) {
    normalX = -apartX / distance;
    normalY = -apartY / distance;
    normalZ = -apartZ / distance;
    height = -distance;
  } else direct(distance, region == INSIDE, findOld(low, high));
  const hit = addHit(low, high, normalX, normalY, normalZ, height - reach, distance, 0);
  if (hit == 0) return;
  fill(hit);
  chainHit(hit, pairP);
}

/** A contact where `advance` found that the two meet. */
function addImpact(kind: i32, row: i32, high: i32): void {
  if (kind == PRIMITIVE_POINT) {
    n0 = pairP;
    n1 = node0;
    n2 = node1;
    n3 = node2;
  }
  const x = apartX / apart;
  const y = apartY / apart;
  const z = apartZ / apart;
  const hit = addHit(lowOf(kind, row), SURFACE_MARK | high, x, y, z, heightAlong(x, y, z) - reach, apart, hitTime);
  if (hit == 0) return;
  fill(hit);
  if (kind == PRIMITIVE_POINT) chainHit(hit, row);
}

// ── Edges ──────────────────────────────────

function walkEdges(): void {
  const count = leafCount(EDGES);
  let found = 0;
  for (let block = 0; block << 2 < count && looked <= most; block++) {
    if ((block & 3) == 0) {
      askGroup(EDGES, edgeBlocks, edgeGates, block >> 2);
      found = listBlocks(EDGES, edgeBlocks, edgeGates, block);
    }
    if (found == 0) continue;
    askBlock(edgeBlocks, block);
    for (let i = 0; i < found; i++) {
      const other = blockAt(i);
      if (other < block || overlapsAsked(edgeBlocks, other) == 0) continue;
      if (isPassed(edgeGates, block, edgeGates, other)) continue;
      meetBlocks(block, min(4 * block + 4, count), other);
    }
  }
}

/** The edges of a block, up to leaf `end`, and of another that is not before it. */
function meetBlocks(block: i32, end: i32, other: i32): void {
  for (let leaf = 4 * block; leaf < end; leaf++) {
    let mask = overlapsOf(edgeBlocks, leaf, edgeBlocks, other);
    if (other == block) mask &= 14 << (leaf & 3);
    if (mask == 0) continue;
    looked += <i32>popcnt(mask);
    mask = filterEdges(leaf, other, mask);
    const edge = getI32(edgeLeaves, leaf);
    for (; mask != 0; mask &= mask - 1) meetEdges(edge, getI32(edgeLeaves, 4 * other + <i32>ctz(mask)));
  }
}

let edgeA: i32 = 0;
let edgeB: i32 = 0;

/** Edges by their names in the tree; side A is the mesh edge of the lower row. */
function meetEdges(a: i32, b: i32): void {
  if (a < 0 && b < 0) return;
  if (a < 0 || (b >= 0 && b < a)) {
    const swap = a;
    a = b;
    b = swap;
  }
  const ends = column(MESH_EDGE_NODE);
  n0 = getI32(ends, 4 * a);
  n1 = getI32(ends, 4 * a + 1);
  n2 = b < 0 ? ~b : getI32(ends, 4 * b);
  n3 = b < 0 ? ~b + 1 : getI32(ends, 4 * b + 1);
  if (areOne(n0, n2) || areOne(n0, n3) || areOne(n1, n2) || areOne(n1, n3)) return;
  if (append && !isMoved(n0) && !isMoved(n1) && !isMoved(n2) && !isMoved(n3)) return;
  const objectA = objectOf(n0);
  const objectB = objectOf(n2);
  if (!mayMeet(objectA, objectB)) return;
  edgeA = a;
  edgeB = b;
  reach = radiusOf(objectA) + radiusOf(objectB);
  const margin = nearShare * reach;
  takeEdges(n0, n1, n2, n3);
  const limit = max(margin, motion) + reach;
  const distance = closest();
  // Edges of solids that started crossed over: points find the way out.
  if (distance <= limit && objectA != objectB && b >= 0 && areCrossedOver(objectA, objectB, a, b, reach)) return;
  if (crossing) {
    if (objectA == objectB || !areTangled(objectA, objectB)) watch(distance);
    return;
  }
  noteApart(distance);
  if (distance > limit) return;
  if (objectA == objectB && isRestingNear(objectA, reach, n0, n1, -1, n2, n3)) return;
  const gap = distance - reach;
  let near = gap <= margin;
  if (!near && !continuous) near = gap + max(-reach, approachOfEdges()) <= margin;
  const v2 = w2;
  const v3 = w3;
  const high = b < 0 ? SURFACE_ROD | ~b : b;
  if (near) {
    if (!append && isNearestOfEdges() && !isAnswered(distance, 0)) addEdges(distance, high);
    if (motion < 0.5 * reach) return;
  }
  if (!continuous || !willMeet(distance, gap)) return;
  if (near && shiftOfB(0, v2, v3) <= OWN_PLACE * reach) return;
  // Ends are points of their own, but a rod's have only triangles to meet.
  if ((edgeB < 0 ? region & 2 : region) != 0 || isAnswered(apart, hitTime)) return;
  addImpact(PRIMITIVE_EDGE, a, high | (near ? SURFACE_IMPACT : 0));
}

function approachOfEdges(): f64 {
  const x = apartX / apart;
  const y = apartY / apart;
  const z = apartZ / apart;
  return (
    dt *
    (w0 * alongVelocity(n0, x, y, z) +
      w1 * alongVelocity(n1, x, y, z) +
      w2 * alongVelocity(n2, x, y, z) +
      w3 * alongVelocity(n3, x, y, z))
  );
}

/** Whether the edges are nearest to each other between their ends, and no triangle beside them comes nearer. */
function isNearestOfEdges(): bool {
  if (edgeB < 0) {
    // A rod's edge between its ends; at a corner of the mesh the first edge there reports.
    if (region & 2) return false;
    if (region == 0) return !isInner(edgeA, n2, n3, -apartX, -apartY, -apartZ);
    const corner = w1 > 0.5 ? n1 : n0;
    return getI32(fans, getI32(fanStart, corner)) == edgeA && isTip(corner, -apartX, -apartY, -apartZ);
  }
  if (region != 0 || sineSquared < 1e-6) return false;
  return !isInner(edgeA, n2, n3, -apartX, -apartY, -apartZ) && !isInner(edgeB, n0, n1, apartX, apartY, apartZ);
}

/**
 * Whether both ends of one of the edges have contacts with the other object, no farther, no later, and from the same
 * side.
 */
function isAnswered(distance: f64, time: f64): bool {
  const objectA = objectOf(n0);
  const objectB = objectOf(n2);
  const x = apartX / apart;
  const y = apartY / apart;
  const z = apartZ / apart;
  const most = distance + LOWER_SHARE * reach;
  if (isPointAnswered(n0, objectB, x, y, z, most, time) && isPointAnswered(n1, objectB, x, y, z, most, time))
    return true;
  return isPointAnswered(n2, objectA, -x, -y, -z, most, time) && isPointAnswered(n3, objectA, -x, -y, -z, most, time);
}

function isPointAnswered(node: i32, other: i32, x: f64, y: f64, z: f64, most: f64, time: f64): bool {
  for (let hit = firstHit(node); hit != 0; hit = nextHit(hit)) {
    if (objectOf(load<i32>(hit, NODES + 4)) != other) continue;
    if (load<f64>(hit, DISTANCE) > most || load<f64>(hit, TIME) > time + HIT_SHARE) continue;
    const lean = x * load<f64>(hit, NORMAL) + y * load<f64>(hit, NORMAL + 8) + z * load<f64>(hit, NORMAL + 16);
    if (lean > SAME_SIDE) return true;
  }
  return false;
}

function addEdges(distance: f64, other: i32): void {
  const low = lowOf(PRIMITIVE_EDGE, edgeA);
  const high = SURFACE_MARK | other;
  direct(distance, region == 0 && sineSquared > SIDE_SINE_SQUARED, findOld(low, high));
  const hit = addHit(low, high, normalX, normalY, normalZ, height - reach, distance, 0);
  if (hit != 0) fill(hit);
}
