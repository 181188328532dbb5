// Swept boxes of the nodes, and the leaves of the three trees.
//
// In: the question, objects. Out: boxes of nodes (those of edges and triangles are unions of them), lists of leaves,
// trees. Boxes are swept by what is left of the motion when a common field d(x) = m + G x is taken away
// (proximity/field; the head of proximity/edges derives how wide they must be): a cape on a shoulder that dashes or
// turns does not sweep boxes of its way. The widening there is for two points, and half of it linear in each: the union
// of two nodes' boxes holds every point between. A further look within the step keeps the field of the first: any field
// is good.

import { DEEP, DEEPER, FARTHEST_COORDINATE, HIT_SHARE } from '../../../core/elastic-constants';
import {
  KIND_ROD,
  MESH_EDGE_NODE,
  MESH_EDGE_TRIANGLE,
  STRAND_COUNT,
  STRAND_FIRST,
  STRAND_KIND,
  STRAND_NODES,
  TRIANGLE_NODE,
} from '../../../state/layout';
import { cell, column, getI32, setI32 } from '../memory';
import {
  error,
  fieldAlong,
  fieldX,
  fieldY,
  fieldZ,
  meanX,
  meanY,
  meanZ,
  measureAll,
  originX,
  originY,
  originZ,
  steepness,
} from '../proximity/field';
import { continuous, dt, nearShare, position, velocity } from '../proximity/work';
import { openGates } from './gates';
import { nodeRecord, writeRecords } from './leaf-records';
import { leaveSpread } from './spread';
import { addLeaf, beginLeaves, EDGES, makeTree, POINTS, TRIANGLES } from './tree';
import {
  append,
  bitsOf,
  boxOfObject,
  edgeBlocks,
  edgeGates,
  edgeLeaves,
  edgeTotal,
  fanStart,
  isMoved,
  layersOf,
  mayMeet,
  movedCount,
  nodeBoxes,
  nodeTotal,
  OBJECT_ASLEEP,
  OBJECT_LIVE,
  OBJECT_SELF,
  OBJECT_SURFACE,
  pointBlocks,
  pointGates,
  pointLeaves,
  radiusOf,
  triangleBlocks,
  triangleGates,
  triangleLeaves,
  triangleTotal,
} from './work';

/** Rounding of large displacements in f32. */
const MOTION_ROUNDING: f64 = 1e-6;
const LEAST: f64 = 1e-30;
/**
 * Instead of the motion of nodes that are not to be looked at in a further look: two of them together are below
 * UNMOVED_PAIR [m].
 */
const UNMOVED: f32 = -1e30;
const UNMOVED_PAIR: f64 = -1.5e30;
/** Least distance of anything that makes a detection clear, over the contact distance [-]. */
const CLEAR: f64 = 0.9;
/** In a further look the extent of all may have grown beyond what the first measured. */
const FURTHER_ROUNDING: f64 = 2;

/** Whether any two primitives may meet, and rods among them. */
export let anyPair: bool = false;
let withRods: bool = false;
/** Whether parts of an object may not touch each other. */
let anySelfless: bool = false;

/** Farthest that a node moves beyond the mean of all [m]; least radius [m]; sum of all places, to know them again. */
export let mostStray: f64 = 0;
let leastRadius: f64 = 0;
let mostRadius: f64 = 0;
let places: f64 = 0;
/** Least distance of two primitives that may meet as the last first look found it [m], and the places it looked at. */
export let leastApart: f64 = 0;
let placesApart: f64 = NaN;

/** Says how far apart two primitives are that may meet. */
export function noteApart(distance: f64): void {
  leastApart = min(leastApart, distance);
}

/** Pairs that move, beside the mean, by less than this together are passed over [m]; −1: none. */
export let slowest: f64 = -1;
/** The same, where pairs move by less than this beside each other [m]. */
export let slowestBeside: f64 = -1;

/**
 * Whether pairs of which nothing is to be looked at are passed over in the trees, instead of those that are slow: where
 * that is most.
 */
let movedOnly: bool = false;

/**
 * Whether this first look left everything at the contact distance or beyond it but for what closes by less than half
 * of that, given that it found no contact.
 */
export function isClear(): bool {
  return leastRadius == mostRadius && leastApart >= 2 * CLEAR * leastRadius;
}

/** How far the box of a node reaches beyond its motion, over its radius [-]. */
let reachShare: f64 = 0;

/**
 * What crosses comes nearer than DEEPER · DEEP of the contact distance, a tenth of what contacts are looked for at.
 * The insides of solids ask for all that is near (inside.ts).
 */
function measureReach(isCrossing: bool, isForInsides: bool): void {
  reachShare = isCrossing && !isForInsides ? DEEPER * DEEP * (1 + 2 * HIT_SHARE) : 1 + nearShare;
}

/**
 * In a further look contacts come of what closes more than half of the contact distance, or all that lies beyond what
 * counts as near; crossings of what closes half of its distance.
 */
function measureSlowest(isCrossing: bool): void {
  slowest = -1;
  if (isCrossing && places == placesApart) slowest = 0.4999 * leastApart;
  if (append && !isCrossing) slowest = 1.999 * leastRadius * min(nearShare, 0.5);
}

/**
 * Makes boxes and trees of all that takes part; `isCrossing`: to ask for crossings; `isForInsides`:
 * instead, to ask what has points inside solids.
 */
export function prepareBoxes(isCrossing: bool, isForInsides: bool): void {
  if (!append) measureAll();
  measureReach(isCrossing, isForInsides);
  chooseWhatMeets();
  mostStray = places = mostRadius = 0;
  leastRadius = Infinity;
  movedOnly = append && 2 * movedCount < nodeTotal && !isForInsides;
  const objects = cell(STRAND_COUNT);
  for (let object = 0; object < objects; object++) {
    const bits = bitsOf(object);
    if ((bits & OBJECT_LIVE) == 0 || ((bits & OBJECT_SURFACE) == 0 && !withRods)) continue;
    const first = getI32(column(STRAND_FIRST), object);
    const end = first + getI32(column(STRAND_NODES), object);
    const radius = radiusOf(object);
    leastRadius = min(leastRadius, radius);
    mostRadius = max(mostRadius, radius);
    for (let node = first; node < end; node++) boxNode(node, radius);
    boxObject(object, first, end);
  }
  if (continuous && !isForInsides && leaveSpread(objects, isCrossing)) chooseWhatMeets();
  beginLeaves(TRIANGLES);
  beginLeaves(POINTS);
  beginLeaves(EDGES);
  if (!isCrossing && !append) {
    leastApart = 2 * leastRadius;
    placesApart = places;
  }
  measureSlowest(isCrossing);
  if (2 * mostStray < slowest) anyPair = false;
  slowestBeside = slowest;
  if (movedOnly) slowest = UNMOVED_PAIR;
  if (!anyPair) return;
  nearObject = -1;
  if (movedOnly) boundMoved();
  openGates(slowestBeside > 0 || anySelfless);
  listTriangles();
  listPoints();
  if (!isForInsides) listEdges();
  makeTree(TRIANGLES, triangleLeaves, triangleBlocks, triangleGates, 3, column(TRIANGLE_NODE));
  makeTree(POINTS, pointLeaves, pointBlocks, pointGates, 1, 0);
  if (isForInsides) return;
  makeTree(EDGES, edgeLeaves, edgeBlocks, edgeGates, 2, column(MESH_EDGE_NODE));
  writeRecords();
}

/** Which objects may meet, by flags and layers: cloth alone on bodies needs no trees of points and edges. */
function chooseWhatMeets(): void {
  anyPair = false;
  anySelfless = false;
  withRods = false;
  const objects = cell(STRAND_COUNT);
  let surfaces = 0;
  let layers = 0;
  let masks = 0;
  for (let object = 0; object < objects; object++) {
    const bits = bitsOf(object);
    if ((bits & (OBJECT_LIVE | OBJECT_SURFACE)) != (OBJECT_LIVE | OBJECT_SURFACE)) continue;
    if (bits & OBJECT_SELF) anyPair = true;
    if ((bits & (OBJECT_SELF | OBJECT_ASLEEP)) != OBJECT_SELF) anySelfless = true;
    surfaces++;
    layers |= layersOf(object) & 0xffff;
    masks |= layersOf(object) >>> 16;
  }
  if (surfaces > 1 && (layers & masks) != 0) anyPair = true;
  for (let object = 0; object < objects && !withRods; object++) {
    if ((bitsOf(object) & (OBJECT_LIVE | OBJECT_SURFACE)) != OBJECT_LIVE) continue;
    const filter = layersOf(object);
    withRods = surfaces > 0 && (filter & masks & 0xffff) != 0 && ((filter >>> 16) & layers) != 0;
  }
  anyPair = anyPair || withRods;
}

function boxNode(node: i32, radius: f64): void {
  const p = position + ((<usize>node) << 5);
  const v = velocity + ((<usize>node) << 5);
  const x = load<f64>(p);
  const y = load<f64>(p, 8);
  const z = load<f64>(p, 16);
  const dx = dt * load<f64>(v);
  const dy = dt * load<f64>(v, 8);
  const dz = dt * load<f64>(v, 16);
  const far = FARTHEST_COORDINATE;
  const to = nodeBoxes + ((<usize>node) << 5);
  const isSound = abs(x) < far && abs(y) < far && abs(z) < far && abs(dx) < far && abs(dy) < far && abs(dz) < far;

  if (!isSound) {
    v128.store(to, f32x4.splat(0));
    v128.store(to, f32x4.splat(0), 16);
    return;
  }
  places += x + 1.25 * y + 1.5 * z;
  const reach = radius * reachShare;
  let mx = x - originX;
  let my = y - originY;
  let mz = z - originZ;
  let ex = dx - meanX;
  let ey = dy - meanY;
  let ez = dz - meanZ;
  const total = abs(ex) + abs(ey) + abs(ez);
  const strayed = <f32>(sqrt(ex * ex + ey * ey + ez * ez) * (1 + MOTION_ROUNDING) + LEAST);
  mostStray = max(mostStray, <f64>strayed);
  const record = nodeRecord(node);
  v128.store(record, lanes(mx, my, mz, 0));
  v128.store(record, lanes(ex, ey, ez, strayed), 16);
  let wide = reach;

  if (continuous) {
    mx += 0.5 * dx;
    my += 0.5 * dy;
    mz += 0.5 * dz;
    if (steepness > 0) {
      const fx = mx - fieldX;
      const fy = my - fieldY;
      const fz = mz - fieldZ;
      ex -= fieldAlong(0, fx, fy, fz);
      ey -= fieldAlong(24, fx, fy, fz);
      ez -= fieldAlong(48, fx, fy, fz);
    }
    ex *= 0.5;
    ey *= 0.5;
    ez *= 0.5;
    const growth = (0.5 * steepness) / (1 - 0.5 * steepness);
    wide += growth * (reach + sqrt(ex * ex + ey * ey + ez * ez));
  } else {
    // Only what may close within the reach of one radius counts.
    const shrink = min(1.0, radius / sqrt(1e-300 + ex * ex + ey * ey + ez * ez));
    ex *= shrink;
    ey *= shrink;
    ez *= shrink;
  }
  wide += (append ? FURTHER_ROUNDING : 1) * error + MOTION_ROUNDING * (total + abs(mx) + abs(my) + abs(mz));
  ex = abs(ex) + wide;
  ey = abs(ey) + wide;
  ez = abs(ez) + wide;
  v128.store(to, lanes(mx - ex, my - ey, mz - ez, 1));
  v128.store(to, lanes(mx + ex, my + ey, mz + ez, movedOnly && !isMoved(node) ? UNMOVED : strayed), 16);
}

function lanes(x: f64, y: f64, z: f64, w: f32): v128 {
  return f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(<f32>x), 1, <f32>y), 2, <f32>z), 3, w);
}

// ── What is near another object ───────────────────────────

/** Objects that are kept in mind at most; of more, all is listed. */
const MOST_NEAR: i32 = 64;
/** Addresses of their boxes. */
const nearBoxes = memory.data(64 * 4, 16);
let nearCount: i32 = 0;
/** The object they are near to, −1 none yet; whether it may touch itself, too. */
let nearObject: i32 = -1;
let nearAll: bool = false;

function boxObject(object: i32, first: i32, end: i32): void {
  let low = f32x4.splat(Infinity);
  let high = f32x4.splat(-Infinity);
  for (let node = first; node < end; node++) {
    const box = nodeBoxes + ((<usize>node) << 5);
    low = f32x4.pmin(low, v128.load(box));
    high = f32x4.pmax(high, v128.load(box, 16));
  }
  v128.store(boxOfObject(object), low);
  v128.store(boxOfObject(object), high, 16);
}

/** Whether two boxes overlap, three lanes each. */
function boxesMeet(low: v128, high: v128, box: usize): bool {
  const apart = v128.or(f32x4.gt(low, v128.load(box, 16)), f32x4.gt(v128.load(box), high));
  return (i32x4.bitmask(apart) & 7) == 0;
}

/** Lists the objects that `object` may meet and whose boxes overlap its own. */
function chooseNear(object: i32): void {
  nearObject = object;
  nearCount = 0;
  nearAll = (bitsOf(object) & OBJECT_SELF) != 0;
  const own = boxOfObject(object);
  const objects = cell(STRAND_COUNT);
  for (let other = 0; other < objects && !nearAll; other++) {
    const bits = bitsOf(other);
    if (other == object || (bits & OBJECT_LIVE) == 0 || ((bits & OBJECT_SURFACE) == 0 && !withRods)) continue;
    if (!mayMeet(object, other) || !boxesMeet(v128.load(own), v128.load(own, 16), boxOfObject(other))) continue;
    if (nearCount == MOST_NEAR) nearAll = true;
    else setI32(nearBoxes, nearCount++, <i32>boxOfObject(other));
  }
}

/** Whether a primitive of an object, with nodes a, b, c, is within the box of another one that it may meet. */
function isNearOthers(object: i32, a: i32, b: i32, c: i32): bool {
  if (object != nearObject) chooseNear(object);
  if (nearAll && !movedOnly) return true;
  const first = nodeBoxes + ((<usize>a) << 5);
  const second = nodeBoxes + ((<usize>b) << 5);
  const third = nodeBoxes + ((<usize>c) << 5);
  const low = f32x4.pmin(f32x4.pmin(v128.load(first), v128.load(second)), v128.load(third));
  const high = f32x4.pmax(f32x4.pmax(v128.load(first, 16), v128.load(second, 16)), v128.load(third, 16));
  if (movedOnly && !isNearMoved(low, high)) return false;
  if (nearAll) return true;
  for (let i = 0; i < nearCount; i++) if (boxesMeet(low, high, <usize>getI32(nearBoxes, i))) return true;
  return false;
}

// ── What is near what moves otherwise ───────────────────────

/** Boxes around the primitives of an object with a node that is to be looked at; the last is around those of many. */
const MOST_MOVED: i32 = 32;
const movedBoxes = memory.data(32 * 32, 16);
let movedBoxCount: i32 = 0;
let movedObject: i32 = -1;

/** Makes them: a primitive with such a node lies within the boxes of the edges there. */
function boundMoved(): void {
  movedBoxCount = 0;
  movedObject = -1;
  const rows = column(MESH_EDGE_NODE);
  for (let e = 0; e < edgeTotal; e++) {
    const a = getI32(rows, 4 * e);
    const b = getI32(rows, 4 * e + 1);
    if (isMoved(a) || isMoved(b)) growMoved(getI32(column(MESH_EDGE_TRIANGLE), 4 * e + 2), a, b);
  }
  if (!withRods) return;
  const objects = cell(STRAND_COUNT);
  for (let object = 0; object < objects; object++) {
    if (getI32(column(STRAND_KIND), object) != KIND_ROD || (bitsOf(object) & OBJECT_LIVE) == 0) continue;
    const first = getI32(column(STRAND_FIRST), object);
    const end = first + getI32(column(STRAND_NODES), object) - 1;
    for (let node = first; node < end; node++)
      if (isMoved(node) || isMoved(node + 1)) growMoved(object, node, node + 1);
  }
}

function growMoved(object: i32, a: i32, b: i32): void {
  const first = nodeBoxes + ((<usize>a) << 5);
  const second = nodeBoxes + ((<usize>b) << 5);
  const low = f32x4.pmin(v128.load(first), v128.load(second));
  const high = f32x4.pmax(v128.load(first, 16), v128.load(second, 16));
  const isNew = object != movedObject && movedBoxCount < MOST_MOVED;
  if (isNew) movedBoxCount++;
  movedObject = object;
  const box = movedBoxes + ((<usize>(movedBoxCount - 1)) << 5);
  v128.store(box, isNew ? low : f32x4.pmin(v128.load(box), low));
  v128.store(box, isNew ? high : f32x4.pmax(v128.load(box, 16), high), 16);
}

function isNearMoved(low: v128, high: v128): bool {
  for (let i = 0; i < movedBoxCount; i++) if (boxesMeet(low, high, movedBoxes + ((<usize>i) << 5))) return true;
  return false;
}

/** Whether the node has a box. */
export function isBoxed(node: i32): bool {
  return load<f32>(nodeBoxes + ((<usize>node) << 5), 12) != 0;
}

function takesPart(object: i32): bool {
  return (bitsOf(object) & (OBJECT_LIVE | OBJECT_SURFACE)) == (OBJECT_LIVE | OBJECT_SURFACE);
}

function listTriangles(): void {
  const rows = column(TRIANGLE_NODE);
  for (let t = 0; t < triangleTotal; t++) {
    const object = getI32(rows, 4 * t + 3);
    if (!takesPart(object)) continue;
    const a = getI32(rows, 4 * t);
    const b = getI32(rows, 4 * t + 1);
    const c = getI32(rows, 4 * t + 2);
    if (!isBoxed(a) || !isBoxed(b) || !isBoxed(c) || !isNearOthers(object, a, b, c)) continue;
    addLeaf(TRIANGLES, triangleLeaves, t);
  }
}

function listPoints(): void {
  const objects = cell(STRAND_COUNT);
  for (let object = 0; object < objects; object++) {
    const isRod = getI32(column(STRAND_KIND), object) == KIND_ROD;
    if (isRod ? !withRods || (bitsOf(object) & OBJECT_LIVE) == 0 : !takesPart(object)) continue;
    const first = getI32(column(STRAND_FIRST), object);
    const end = first + getI32(column(STRAND_NODES), object);
    for (let node = first; node < end; node++) {
      // What is within a solid has no surface to touch with.
      if (!isRod && getI32(fanStart, node) == getI32(fanStart, node + 1)) continue;
      if (isBoxed(node) && isNearOthers(object, node, node, node)) addLeaf(POINTS, pointLeaves, node);
    }
  }
}

/** Mesh edges by their rows, then those of rods by ~ their first nodes. */
function listEdges(): void {
  const rows = column(MESH_EDGE_NODE);
  for (let e = 0; e < edgeTotal; e++) {
    const object = getI32(column(MESH_EDGE_TRIANGLE), 4 * e + 2);
    if (!takesPart(object)) continue;
    const a = getI32(rows, 4 * e);
    const b = getI32(rows, 4 * e + 1);
    if (isBoxed(a) && isBoxed(b) && isNearOthers(object, a, a, b)) addLeaf(EDGES, edgeLeaves, e);
  }
  if (!withRods) return;
  const objects = cell(STRAND_COUNT);
  for (let object = 0; object < objects; object++) {
    if (getI32(column(STRAND_KIND), object) != KIND_ROD || (bitsOf(object) & OBJECT_LIVE) == 0) continue;
    const first = getI32(column(STRAND_FIRST), object);
    const end = first + getI32(column(STRAND_NODES), object) - 1;
    for (let node = first; node < end; node++) {
      if (!isBoxed(node) || !isBoxed(node + 1) || !isNearOthers(object, node, node, node + 1)) continue;
      addLeaf(EDGES, edgeLeaves, ~node);
    }
  }
}
