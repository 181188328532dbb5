// The axis of least overlap (or largest separation) of two hull records: faces of A, faces of B, pairs of edges.
//
// In: records, frames (polytope-frame), the axis of the last step. Out: an axis, its separation, and whether it
// keeps the hulls apart. Only edge pairs whose arcs cross on the sphere of normals can be an axis (Gregorius
// 2013, The Separating Axis Test between Convex Polyhedra, GDC). Two cheap bounds spare most of the work: any
// vertex of the other hull bounds a face's separation from above, and both faces of an edge bound the edge's.
// So a settled pair costs one full face test and a dot product for each other face and edge.

import {
  HULL_EDGE_COUNT,
  HULL_EDGES,
  HULL_FACE_COUNT,
  HULL_PLANES,
  HULL_VERTEX_COUNT,
  HULL_VERTICES,
} from '../../../state/layout';
import { getF64 } from '../memory';
import { SHIFT_AB, SHIFT_BA, TURN_AB, TURN_BA } from './polytope-frame';
import { recordPart } from './polytope-view';

/** Kinds of axes; the mark kept between steps is kind | numbers, 0 for none. */
const AXIS_FACE_A: i32 = 1 << 28;
export const AXIS_FACE_B: i32 = 2 << 28;
export const AXIS_EDGES: i32 = 3 << 28;

/** Margin between axes, in the smallest half extent of both: less flickers, more keeps a wrong normal. */
const AXIS_MARGIN: f64 = 1e-3;
/** An edge axis must also beat a face's penetration by this share of it. */
const EDGE_SHARE: f64 = 0.05;
/** Edges nearer to parallel than this sine (squared) make no axis; the faces beside them do. */
const PARALLEL_SQUARED: f64 = 1e-6;
/** Edges of a hull of 256 vertices. */
const EDGE_LIMIT: i32 = 762;

// Edges of A that may still be an axis.
const SURVIVORS: usize = memory.data(762 * 2, 16);
// Witness vertices: one of B seen from A, one of A seen from B.
const WITNESS_B: usize = memory.data(24, 16);
const WITNESS_A: usize = memory.data(24, 16);
// Normals of the two faces of an edge of B, its direction and first end, seen from A.
const NORMAL_LEFT: usize = memory.data(24, 16);
const NORMAL_RIGHT: usize = memory.data(24, 16);
const DIRECTION: usize = memory.data(24, 16);
const START: usize = memory.data(24, 16);

let recordA: usize = 0;
let recordB: usize = 0;
let supportVertex: i32 = 0;
let foundAxis: i32 = 0;
let foundSeparation: f64 = 0;
let apart: bool = false;
// Unit direction of the last edge pair in A's frame, from A to B.
let edgeX: f64 = 0;
let edgeY: f64 = 0;
let edgeZ: f64 = 0;

/** The axis `chooseAxis` found: kind | numbers. */
export function axisFound(): i32 {
  return foundAxis;
}

/** Vertex of the other hull that the last `faceSeparation` found lowest. */
export function axisSupport(): i32 {
  return supportVertex;
}

/** Normal of the edge pair of the last `edgeSeparation`, in A's frame. */
export function edgeNormalX(): f64 {
  return edgeX;
}

export function edgeNormalY(): f64 {
  return edgeY;
}

export function edgeNormalZ(): f64 {
  return edgeZ;
}

function dot(p: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z;
}

/** Out := turn · v, the direction v of the other frame in this one. */
export function turnInto(out: usize, turn: usize, v: usize): void {
  const x = load<f64>(v);
  const y = load<f64>(v, 8);
  const z = load<f64>(v, 16);
  store<f64>(out, dot(turn, x, y, z));
  store<f64>(out, dot(turn + 24, x, y, z), 8);
  store<f64>(out, dot(turn + 48, x, y, z), 16);
}

/** Out := turn · v + shift, the point v of the other frame in this one. */
export function moveInto(out: usize, turn: usize, shift: usize, v: usize): void {
  turnInto(out, turn, v);
  for (let k = 0; k < 3; k++) store<f64>(out + ((<usize>k) << 3), getF64(out, k) + getF64(shift, k));
}

/** Height of the other hull's lowest vertex above face f of this one. */
export function faceSeparation(ofB: bool, a: usize, b: usize, f: i32): f64 {
  const plane = recordPart(ofB ? b : a, HULL_PLANES) + ((<usize>f) << 5);
  const other = ofB ? a : b;
  const shift = ofB ? SHIFT_BA : SHIFT_AB;
  // Rows of the opposite turn are this frame's axes in the other frame.
  const back = ofB ? TURN_AB : TURN_BA;
  const nx = load<f64>(plane);
  const ny = load<f64>(plane, 8);
  const nz = load<f64>(plane, 16);
  const x = dot(back, nx, ny, nz);
  const y = dot(back + 24, nx, ny, nz);
  const z = dot(back + 48, nx, ny, nz);
  let vertex = recordPart(other, HULL_VERTICES);
  const count = load<i32>(other + HULL_VERTEX_COUNT);
  let lowest = Infinity;
  for (let v = 0; v < count; v++, vertex += 24) {
    const height = dot(vertex, x, y, z);
    if (height < lowest) {
      lowest = height;
      supportVertex = v;
    }
  }
  return lowest + dot(shift, nx, ny, nz) - load<f64>(plane, 24);
}

/** Notes where the other hull's support vertex lies in this one's frame. */
function noteWitness(ofB: bool): void {
  const vertex = recordPart(ofB ? recordA : recordB, HULL_VERTICES) + <usize>supportVertex * 24;
  moveInto(ofB ? WITNESS_A : WITNESS_B, ofB ? TURN_BA : TURN_AB, ofB ? SHIFT_BA : SHIFT_AB, vertex);
}

/** Tests the faces of one hull; only what beats `foundSeparation` by the margin counts. */
function searchFaces(ofB: bool, margin: f64, distance: f64): void {
  const record = ofB ? recordB : recordA;
  const witness = ofB ? WITNESS_A : WITNESS_B;
  const count = load<i32>(record + HULL_FACE_COUNT);
  let plane = recordPart(record, HULL_PLANES);
  for (let f = 0; f < count; f++, plane += 32) {
    const bound = dot(plane, load<f64>(witness), load<f64>(witness, 8), load<f64>(witness, 16)) - load<f64>(plane, 24);
    if (bound <= foundSeparation + margin) continue;
    const s = faceSeparation(ofB, recordA, recordB, f);
    if (s <= foundSeparation + margin) continue;
    foundSeparation = s;
    foundAxis = (ofB ? AXIS_FACE_B : AXIS_FACE_A) | f;
    noteWitness(ofB);
    if (s > distance) {
      apart = true;
      return;
    }
  }
}

/** Face of this hull that looks most towards the other's origin, the first guess without history. */
function guessFace(ofB: bool): i32 {
  const record = ofB ? recordB : recordA;
  const shift = ofB ? SHIFT_BA : SHIFT_AB;
  const count = load<i32>(record + HULL_FACE_COUNT);
  let plane = recordPart(record, HULL_PLANES);
  let best = -Infinity;
  let face = 0;
  for (let f = 0; f < count; f++, plane += 32) {
    const height = dot(plane, load<f64>(shift), load<f64>(shift, 8), load<f64>(shift, 16)) - load<f64>(plane, 24);
    if (height > best) {
      best = height;
      face = f;
    }
  }
  return face;
}

/** Whether a kept mark names faces or edges that the records have (a collider may have got another shape). */
function isAxis(mark: i32): bool {
  const kind = mark & (7 << 28);
  if (kind == AXIS_FACE_A) return (mark & 0xfffffff) < load<i32>(recordA + HULL_FACE_COUNT);
  if (kind == AXIS_FACE_B) return (mark & 0xfffffff) < load<i32>(recordB + HULL_FACE_COUNT);
  const inA = ((mark >> 14) & 16383) < load<i32>(recordA + HULL_EDGE_COUNT);
  return kind == AXIS_EDGES && inA && (mark & 16383) < load<i32>(recordB + HULL_EDGE_COUNT);
}

/**
 * Finds the contact axis of records a and b. `kept` = axis of the last step or 0, `extent` = smallest half
 * extent of both [m]. True when the hulls are farther apart than `distance` along the axis found.
 */
export function chooseAxis(a: usize, b: usize, kept: i32, extent: f64, distance: f64): bool {
  recordA = a;
  recordB = b;
  apart = false;
  const margin = AXIS_MARGIN * extent;
  const kind = isAxis(kept) ? kept & (7 << 28) : 0;
  let keptSeparation = -Infinity;
  if (kind == AXIS_EDGES) {
    keptSeparation = edgeSeparation(a, b, (kept >> 14) & 16383, kept & 16383);
  } else if (kind != 0) {
    keptSeparation = faceSeparation(kind == AXIS_FACE_B, a, b, kept & 0xfffffff);
  }
  if (keptSeparation > distance) {
    foundAxis = kept;
    foundSeparation = keptSeparation;
    return true;
  }
  // Faces; each hull's witness starts at the best guess.
  const faceA = kind == AXIS_FACE_A ? kept & 0xfffffff : guessFace(false);
  foundAxis = AXIS_FACE_A | faceA;
  foundSeparation = faceSeparation(false, a, b, faceA);
  noteWitness(false);
  if (foundSeparation > distance) return true;
  searchFaces(false, 0, distance);
  if (apart) return true;
  const faceB = kind == AXIS_FACE_B ? kept & 0xfffffff : guessFace(true);
  const s = faceSeparation(true, a, b, faceB);
  noteWitness(true);
  if (s > foundSeparation + 0.1 * margin) {
    foundSeparation = s;
    foundAxis = AXIS_FACE_B | faceB;
    if (s > distance) return true;
  }
  searchFaces(true, 0.1 * margin, distance);
  if (apart) return true;
  if (kind != 0 && kind != AXIS_EDGES && keptSeparation > foundSeparation - margin) {
    foundSeparation = keptSeparation;
    foundAxis = kept;
  }
  // Edges; twice the margin is needed to leave a face, once the margin to stay on an edge.
  const threshold = foundSeparation + margin + EDGE_SHARE * Math.max(0, -foundSeparation);
  let best = threshold + margin;
  if (kind == AXIS_EDGES && keptSeparation > threshold) {
    foundSeparation = keptSeparation;
    foundAxis = kept;
    best = keptSeparation + margin;
  }
  return searchEdges(best, distance);
}

/** Whether an edge with these faces may have a separation above `least`, seen from a witness of the other hull. */
function mayBeat(left: usize, right: usize, start: usize, witness: usize, least: f64): bool {
  const x = load<f64>(witness) - load<f64>(start);
  const y = load<f64>(witness, 8) - load<f64>(start, 8);
  const z = load<f64>(witness, 16) - load<f64>(start, 16);
  const highest = Math.max(dot(left, x, y, z), dot(right, x, y, z));
  // A normal between two unit normals is their positive combination divided by a length of at most their sum's
  // weights: a negative height only gets lower, a positive one may get higher.
  return least <= 0 ? highest > least : highest > 0 && x * x + y * y + z * z > least * least;
}

/**
 * Looks for a pair of edges that beats the axis of the last `chooseAxis` at all, its margin waived; true when
 * `axisFound` is now one. For a face whose nearest vertex does not lie over it: then it cannot be the best.
 */
export function preferEdges(): bool {
  const before = foundAxis;
  searchEdges(foundSeparation, Infinity);
  return foundAxis != before;
}

function searchEdges(least: f64, distance: f64): bool {
  const verticesA = recordPart(recordA, HULL_VERTICES);
  const verticesB = recordPart(recordB, HULL_VERTICES);
  const planesA = recordPart(recordA, HULL_PLANES);
  const planesB = recordPart(recordB, HULL_PLANES);
  const edgesA = recordPart(recordA, HULL_EDGES);
  const edgesB = recordPart(recordB, HULL_EDGES);
  const countA = min(load<i32>(recordA + HULL_EDGE_COUNT), EDGE_LIMIT);
  const countB = load<i32>(recordB + HULL_EDGE_COUNT);
  let survivors = 0;
  for (let e = 0; e < countA; e++) {
    const edge = edgesA + ((<usize>e) << 4);
    const left = planesA + ((<usize>load<i32>(edge, 8)) << 5);
    const right = planesA + ((<usize>load<i32>(edge, 12)) << 5);
    const start = verticesA + <usize>load<i32>(edge) * 24;
    if (!mayBeat(left, right, start, WITNESS_B, least)) continue;
    store<u16>(SURVIVORS + ((<usize>survivors) << 1), <u16>e);
    survivors++;
  }
  if (survivors == 0) return false;
  let best = least;
  for (let f = 0; f < countB; f++) {
    const edge = edgesB + ((<usize>f) << 4);
    const left = planesB + ((<usize>load<i32>(edge, 8)) << 5);
    const right = planesB + ((<usize>load<i32>(edge, 12)) << 5);
    const start = verticesB + <usize>load<i32>(edge) * 24;
    if (!mayBeat(left, right, start, WITNESS_A, best)) continue;
    turnInto(NORMAL_LEFT, TURN_AB, left);
    turnInto(NORMAL_RIGHT, TURN_AB, right);
    loadEdgeOfB(start, verticesB + <usize>load<i32>(edge, 4) * 24);
    for (let k = 0; k < survivors; k++) {
      const e = <i32>load<u16>(SURVIVORS + ((<usize>k) << 1));
      if (!arcsCross(planesA, verticesA, edgesA + ((<usize>e) << 4))) continue;
      const s = pairSeparation(planesA, verticesA, edgesA + ((<usize>e) << 4));
      if (s <= best) continue;
      best = s;
      foundSeparation = s;
      foundAxis = AXIS_EDGES | (e << 14) | f;
      if (s > distance) return true;
    }
  }
  return false;
}

function loadEdgeOfB(from: usize, to: usize): void {
  moveInto(START, TURN_AB, SHIFT_AB, from);
  moveInto(DIRECTION, TURN_AB, SHIFT_AB, to);
  for (let k = 0; k < 3; k++) store<f64>(DIRECTION + ((<usize>k) << 3), getF64(DIRECTION, k) - getF64(START, k));
}

/** Whether the arc of an edge of A crosses the negated arc of the loaded edge of B on the sphere of normals. */
function arcsCross(planes: usize, vertices: usize, edge: usize): bool {
  const p = vertices + <usize>load<i32>(edge) * 24;
  const q = vertices + <usize>load<i32>(edge, 4) * 24;
  const x = load<f64>(q) - load<f64>(p);
  const y = load<f64>(q, 8) - load<f64>(p, 8);
  const z = load<f64>(q, 16) - load<f64>(p, 16);
  const left = dot(NORMAL_LEFT, x, y, z);
  if (left * dot(NORMAL_RIGHT, x, y, z) >= 0) return false;
  const u = load<f64>(DIRECTION);
  const v = load<f64>(DIRECTION, 8);
  const w = load<f64>(DIRECTION, 16);
  const right = dot(planes + ((<usize>load<i32>(edge, 12)) << 5), u, v, w);
  return dot(planes + ((<usize>load<i32>(edge, 8)) << 5), u, v, w) * right < 0 && left * right < 0;
}

/** Separation along the cross product of an edge of A and the loaded edge of B; sets the edge normal. */
function pairSeparation(planes: usize, vertices: usize, edge: usize): f64 {
  const p = vertices + <usize>load<i32>(edge) * 24;
  const q = vertices + <usize>load<i32>(edge, 4) * 24;
  const ux = load<f64>(q) - load<f64>(p);
  const uy = load<f64>(q, 8) - load<f64>(p, 8);
  const uz = load<f64>(q, 16) - load<f64>(p, 16);
  const wx = load<f64>(DIRECTION);
  const wy = load<f64>(DIRECTION, 8);
  const wz = load<f64>(DIRECTION, 16);
  const x = uy * wz - uz * wy;
  const y = uz * wx - ux * wz;
  const z = ux * wy - uy * wx;
  const squared = x * x + y * y + z * z;
  if (squared <= PARALLEL_SQUARED * (ux * ux + uy * uy + uz * uz) * (wx * wx + wy * wy + wz * wz)) return -Infinity;
  const left = planes + ((<usize>load<i32>(edge, 8)) << 5);
  const right = planes + ((<usize>load<i32>(edge, 12)) << 5);
  const outward = dot(left, x, y, z) + dot(right, x, y, z);
  const scale = (outward >= 0 ? 1.0 : -1.0) / Math.sqrt(squared);
  edgeX = x * scale;
  edgeY = y * scale;
  edgeZ = z * scale;
  return dot(START, edgeX, edgeY, edgeZ) - dot(p, edgeX, edgeY, edgeZ);
}

/**
 * Separation of records a and b along edge e of A × edge f of B, −∞ when that is no axis; sets the edge normal.
 */
export function edgeSeparation(a: usize, b: usize, e: i32, f: i32): f64 {
  const vertices = recordPart(b, HULL_VERTICES);
  const planes = recordPart(b, HULL_PLANES);
  const other = recordPart(b, HULL_EDGES) + ((<usize>f) << 4);
  turnInto(NORMAL_LEFT, TURN_AB, planes + ((<usize>load<i32>(other, 8)) << 5));
  turnInto(NORMAL_RIGHT, TURN_AB, planes + ((<usize>load<i32>(other, 12)) << 5));
  loadEdgeOfB(vertices + <usize>load<i32>(other) * 24, vertices + <usize>load<i32>(other, 4) * 24);
  const edge = recordPart(a, HULL_EDGES) + ((<usize>e) << 4);
  const planesA = recordPart(a, HULL_PLANES);
  const verticesA = recordPart(a, HULL_VERTICES);
  return arcsCross(planesA, verticesA, edge) ? pairSeparation(planesA, verticesA, edge) : -Infinity;
}
