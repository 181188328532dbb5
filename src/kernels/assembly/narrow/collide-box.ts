// Box against box: separating axes, clipping of the incident face, edge on edge.
//
// In: two box colliders. Out: the pair's manifold, with contacts up to `contactDistance` apart. The axis of
// the last step is remembered in PAIR_CACHE and tested first, and it stays until another is better by a
// margin: two axes of equal depth do not take turns. Faces are preferred to edges by the same margin, because
// a face gives a whole contact area where an edge gives one point.
//
// Separating axes: Gottschalk, Lin and Manocha 1996 (OBBTree), section 5. Here each axis gives its signed
// separation, so that the largest is the contact normal when boxes are near as well as when they overlap.
//
// Points: every corner of the incident face inside the reference face, every crossing of their outlines, and
// every corner of the reference face inside the incident one. Each is found on its own, not by cutting a
// polygon down side after side: coincident outlines (blocks of an arch) then lose no corner to rounding.

import { COLLIDER_SHAPE, PAIR_CACHE, SHAPE_PARAMETER } from '../../../state/layout';
import { column, copy24, getF64, getI32 } from '../memory';
import { addClosestEdges, addEdgesAlong, closestX, closestY, closestZ } from '../shapes/polytope-closest';
import {
  AXES_A,
  AXES_B,
  addLocalCandidate,
  edgeFeature,
  loadFrames,
  ORIGIN_A,
  ORIGIN_B,
  SHIFT_AB,
  SHIFT_BA,
  TURN_AB,
  TURN_BA,
} from '../shapes/polytope-frame';
import { viewBox } from '../shapes/polytope-view';
import { addFaceCandidates, CORNER, faceEdge, incidentAxis, incidentEdge, incidentFacing, takeUpTo } from './box-faces';
import {
  clearCandidates,
  commitManifold,
  contactDistance,
  contactReach,
  countCandidates,
  lowestCandidate,
  maySwing,
  setClearance,
} from './manifold';

/** Margin between axes, in the smallest half extent of both boxes: less flickers, more keeps a wrong normal. */
const AXIS_MARGIN: f64 = 1e-3;
/** An edge axis must also beat a face's penetration by this share of it. */
const EDGE_SHARE: f64 = 0.05;
/** Edges nearer to parallel than this sine (squared) make no axis; the faces beside them do. */
const PARALLEL_SQUARED: f64 = 1e-6;
/** Parallel edges this near, in the smallest half extent, meet in a corner; less would jump between the faces. */
const CORNER_MARGIN: f64 = 0.02;
/** Faces with a cosine above this lie flat on each other and are no corner. */
const PARALLEL_FACES: f64 = 0.9999;
/** A face whose normal is within 45° of the contact's is the one that a swing may meet. */
const SWING_COSINE: f64 = 0.7;

// |R(i, j)|, half extents of A and B.
const ABSOLUTE: usize = memory.data(72, 16);
const HALF_A: usize = memory.data(24, 16);
const HALF_B: usize = memory.data(24, 16);

/** Bit of PAIR_CACHE: last step an edge met a parallel edge. */
const IN_CORNER: i32 = 32;

let distance: f64 = 0;
// Smallest half extent of both boxes, the unit of the margins [m].
let extent: f64 = 0;
let inCorner: bool = false;

/** Contacts of two boxes; a and b are colliders. */
export function collideBoxBox(pair: i32, a: i32, b: i32): void {
  clearCandidates();
  distance = contactDistance(a, b);
  takeUpTo(contactReach, 1, -Infinity);
  loadFrames(a, b);
  loadHalf(HALF_A, a);
  loadHalf(HALF_B, b);
  for (let k = 0; k < 9; k++) store<f64>(ABSOLUTE + ((<usize>k) << 3), Math.abs(getF64(TURN_AB, k)));
  const cache = column(PAIR_CACHE) + ((<usize>pair) << 4);
  const last = load<i32>(cache);
  inCorner = (last & IN_CORNER) != 0;
  const axis = chooseAxis((last & (IN_CORNER - 1)) - 1);
  if (axis < 0) {
    store<i32>(cache, -axis);
    setClearance(separation(-1 - axis));
    commitManifold(pair, 0, 1, 0);
    return;
  }
  if (axis < 6) {
    faceContact(pair, axis, true);
  } else {
    inCorner = false;
    edgeContact(pair, axis);
  }
  store<i32>(cache, (axis + 1) | (inCorner ? IN_CORNER : 0));
}

function loadHalf(out: usize, collider: i32): void {
  copy24(out, column(SHAPE_PARAMETER) + ((<usize>getI32(column(COLLIDER_SHAPE), collider)) << 5));
}

/** Signed separation of the boxes along axis 0..2 (faces of A), 3..5 (faces of B), 6..14 (edge i × edge j). */
function separation(axis: i32): f64 {
  if (axis < 3) {
    return (
      Math.abs(getF64(SHIFT_AB, axis)) -
      getF64(HALF_A, axis) -
      getF64(HALF_B, 0) * getF64(ABSOLUTE, 3 * axis) -
      getF64(HALF_B, 1) * getF64(ABSOLUTE, 3 * axis + 1) -
      getF64(HALF_B, 2) * getF64(ABSOLUTE, 3 * axis + 2)
    );
  }
  if (axis < 6) {
    const j = axis - 3;
    return (
      Math.abs(getF64(SHIFT_BA, j)) -
      getF64(HALF_B, j) -
      getF64(HALF_A, 0) * getF64(ABSOLUTE, j) -
      getF64(HALF_A, 1) * getF64(ABSOLUTE, j + 3) -
      getF64(HALF_A, 2) * getF64(ABSOLUTE, j + 6)
    );
  }
  return edgeSeparation((axis - 6) / 3, (axis - 6) % 3, -Infinity);
}

/** Separation along (axis i of A) × (axis j of B); −∞ when they are parallel or it is not above `least`. */
function edgeSeparation(i: i32, j: i32, least: f64): f64 {
  const i1 = i == 2 ? 0 : i + 1;
  const i2 = i == 0 ? 2 : i - 1;
  const j1 = j == 2 ? 0 : j + 1;
  const j2 = j == 0 ? 2 : j - 1;
  const p = getF64(TURN_AB, 3 * i1 + j);
  const q = getF64(TURN_AB, 3 * i2 + j);
  // Not yet divided by the axis's length √(p² + q²) ≤ 1, which moves a negative value further down.
  const raw =
    Math.abs(getF64(SHIFT_AB, i2) * p - getF64(SHIFT_AB, i1) * q) -
    getF64(HALF_A, i1) * Math.abs(q) -
    getF64(HALF_A, i2) * Math.abs(p) -
    getF64(HALF_B, j1) * getF64(ABSOLUTE, 3 * i + j2) -
    getF64(HALF_B, j2) * getF64(ABSOLUTE, 3 * i + j1);
  if (raw <= least && raw <= 0) return -Infinity;
  const squared = p * p + q * q;
  return squared < PARALLEL_SQUARED ? -Infinity : raw / Math.sqrt(squared);
}

/** The contact axis, or −1 − axis for an axis that keeps the boxes farther apart than the contact distance. */
function chooseAxis(kept: i32): i32 {
  const last = kept >= 0 ? separation(kept) : -Infinity;
  if (last > distance) return -1 - kept;
  extent = getF64(HALF_A, 0);
  for (let k = 1; k < 3; k++) extent = Math.min(extent, getF64(HALF_A, k));
  for (let k = 0; k < 3; k++) extent = Math.min(extent, getF64(HALF_B, k));
  const margin = AXIS_MARGIN * extent;
  // Faces. Those of B must be a little better, or rounding would choose between two boxes that lie flat.
  let face = 0;
  let best = -Infinity;
  for (let axis = 0; axis < 6; axis++) {
    const s = separation(axis);
    if (s > distance) return -1 - axis;
    if (s > best + (axis < 3 ? 0 : 0.1 * margin)) {
      best = s;
      face = axis;
    }
  }
  if (kept >= 0 && kept < 6 && last > best - margin) {
    best = last;
    face = kept;
  }
  // Edges; twice the margin is needed to leave a face, once the margin to stay on an edge.
  const threshold = best + margin + EDGE_SHARE * Math.max(0, -best);
  let edge = -1;
  let edgeBest = threshold + margin;
  if (kept >= 6 && last > threshold) {
    edge = kept;
    edgeBest = last + margin;
  }
  for (let axis = 6; axis < 15; axis++) {
    const s = edgeSeparation((axis - 6) / 3, (axis - 6) % 3, edgeBest);
    if (s > distance) return -1 - axis;
    if (s > edgeBest) {
      edgeBest = s;
      edge = axis;
    }
  }
  return edge >= 0 ? edge : face;
}

/** Contacts of a face (axis 0..2 of A, 3..5 of B) with the other box's face that looks most against it. */
function faceContact(pair: i32, axis: i32, orEdges: bool): void {
  const ofB = axis >= 3;
  const i = ofB ? axis - 3 : axis;
  const axes = ofB ? AXES_B : AXES_A;
  const shift = ofB ? SHIFT_BA : SHIFT_AB;
  const turn = ofB ? TURN_BA : TURN_AB;
  const half = ofB ? HALF_B : HALF_A;
  const otherHalf = ofB ? HALF_A : HALF_B;
  const side = getF64(shift, i) >= 0 ? 1.0 : -1.0;
  addFaceCandidates(ofB, i, side, axes, ofB ? ORIGIN_B : ORIGIN_A, shift, turn, half, otherHalf);
  if (lowestCandidate() > distance) clearCandidates();
  const s = ofB ? -side : side;
  const nx = s * getF64(axes, 3 * i);
  const ny = s * getF64(axes, 3 * i + 1);
  const nz = s * getF64(axes, 3 * i + 2);
  const margin = CORNER_MARGIN * extent;
  if (meetInCorner(pair, ofB, i, side, axes, turn, half, inCorner ? 2 * margin : margin)) {
    inCorner = true;
    return;
  }
  inCorner = false;
  const gap = separation(axis);
  // The deepest corner lies well beside the face: then an edge pair is better, though by less than the margin.
  if (orEdges && gap <= 0 && lowestCandidate() > gap + margin) {
    const edge = bestEdge(gap);
    if (edge >= 0) {
      clearCandidates();
      edgeContact(pair, edge);
      return;
    }
  }
  if (countCandidates() == 0 || (gap > margin && !lowestIsOver(margin))) nearContact(pair, gap, nx, ny, nz, margin);
  else commitManifold(pair, nx, ny, nz);
}

/** Whether the incident corner nearest to the reference face lies over it (within the margin). */
function lowestIsOver(margin: f64): bool {
  const lowest = lowestGap() + margin;
  for (let k = 0; k < 4; k++) {
    const corner = CORNER + ((<usize>k) << 5);
    if (load<f64>(corner, 16) <= lowest && load<i32>(corner, 24) == 0) return true;
  }
  return false;
}

function lowestGap(): f64 {
  let lowest = Infinity;
  for (let k = 0; k < 4; k++) lowest = Math.min(lowest, load<f64>(CORNER + ((<usize>k) << 5), 16));
  return lowest;
}

/**
 * An edge that meets a parallel edge (two leaning cards): the faces beside them have all the same depth, and
 * each would be a lopsided normal. The contact law allows every direction that both corners have in common;
 * the middle one is taken, so that mirrored bodies get a mirrored contact. False when this is no such case.
 */
function meetInCorner(
  pair: i32,
  ofB: bool,
  i: i32,
  side: f64,
  axes: usize,
  turn: usize,
  half: usize,
  margin: f64,
): bool {
  if (Math.abs(getF64(turn, 3 * i + incidentAxis)) > PARALLEL_FACES) return false;
  const iu = i == 2 ? 0 : i + 1;
  const iv = i == 0 ? 2 : i - 1;
  const jp = incidentAxis == 2 ? 0 : incidentAxis + 1;
  const jq = incidentAxis == 0 ? 2 : incidentAxis - 1;
  const limit = lowestGap() + margin;

  for (let k = 0; k < 4; k++) {
    const from = CORNER + ((<usize>k) << 5);
    const to = CORNER + ((<usize>((k + 1) & 3)) << 5);
    if (load<f64>(from, 16) > limit || load<f64>(to, 16) > limit) continue;
    for (let bound = 0; bound < 4; bound++) {
      const across: usize = bound < 2 ? 0 : 8;
      const im = bound < 2 ? iu : iv;
      const outward = (bound & 1) == 0 ? 1.0 : -1.0;
      const at = outward * getF64(half, im);
      if (Math.abs(load<f64>(from + across) - at) > margin || Math.abs(load<f64>(to + across) - at) > margin) continue;
      // Plane across the edge: x along the reference face's normal, y along the normal of the face beside it.
      const jm = (k & 1) == 0 ? jq : jp;
      const beside = k == 1 || k == 2 ? -1.0 : 1.0;
      const c1x = -incidentFacing * side * getF64(turn, 3 * i + incidentAxis);
      const c1y = -incidentFacing * outward * getF64(turn, 3 * im + incidentAxis);
      const c2x = beside * side * getF64(turn, 3 * i + jm);
      const c2y = beside * outward * getF64(turn, 3 * im + jm);
      if (Math.max(Math.max(c1x, c1y), Math.max(c2x, c2y)) > PARALLEL_FACES) return false;
      // Borders of the common directions: those of each corner's normals that the other corner has too.
      let x: f64 = 0;
      let y: f64 = 0;
      let borders = 0;
      if (c1x >= 0 && c2x >= 0) {
        x += 1;
        borders++;
      }
      if (c1y >= 0 && c2y >= 0) {
        y += 1;
        borders++;
      }
      if (c1x >= 0 && c1y >= 0) {
        x += c1x;
        y += c1y;
        borders++;
      }
      if (c2x >= 0 && c2y >= 0) {
        x += c2x;
        y += c2y;
        borders++;
      }
      if (borders != 2) return false;
      const scale = (ofB ? -1.0 : 1.0) / Math.sqrt(x * x + y * y);
      const alongNormal = side * x * scale;
      const alongSide = outward * y * scale;
      const nx = alongNormal * getF64(axes, 3 * i) + alongSide * getF64(axes, 3 * im);
      const ny = alongNormal * getF64(axes, 3 * i + 1) + alongSide * getF64(axes, 3 * im + 1);
      const nz = alongNormal * getF64(axes, 3 * i + 2) + alongSide * getF64(axes, 3 * im + 2);
      const edge = incidentEdge(k, jp, jq, incidentFacing > 0 ? 1 : 0);
      const other = faceEdge(bound, iu, iv, side > 0 ? 1 : 0);
      clearCandidates();
      addEdgesAlong(
        viewBox(0, HALF_A),
        viewBox(1, HALF_B),
        ofB ? edge : other,
        ofB ? other : edge,
        nx,
        ny,
        nz,
        distance,
      );
      commitManifold(pair, nx, ny, nz);
      return true;
    }
  }
  return false;
}

/** No face lies over the other: an edge or corner is nearest (or nothing is near enough). */
function nearContact(pair: i32, s: f64, nx: f64, ny: f64, nz: f64, margin: f64): void {
  // Points that face clipping found stay unless the edges are clearly nearer.
  const limit = Math.min(distance, lowestCandidate() - margin);
  if (addClosestEdges(viewBox(0, HALF_A), viewBox(1, HALF_B), nx, ny, nz, s, limit)) {
    addSwing(closestX(), closestY(), closestZ());
    commitManifold(pair, closestX(), closestY(), closestZ());
  } else {
    commitManifold(pair, nx, ny, nz);
  }
}

/**
 * Boxes near each other by an edge or corner, with normal n (world, A → B): where they close fast, adds what lies
 * over the face that looks most along n, so that they do not swing round the nearest point into each other.
 */
function addSwing(nx: f64, ny: f64, nz: f64): void {
  if (!maySwing(extent)) return;
  let axis = 0;
  let cosine: f64 = 0;
  for (let k = 0; k < 6; k++) {
    const a = (k < 3 ? AXES_A : AXES_B) + <usize>(k % 3) * 24;
    const c = Math.abs(load<f64>(a) * nx + load<f64>(a, 8) * ny + load<f64>(a, 16) * nz);
    if (c <= cosine) continue;
    cosine = c;
    axis = k;
  }
  if (cosine < SWING_COSINE) return;
  takeUpTo(contactReach * cosine, 1 / cosine, lowestCandidate());
  const ofB = axis >= 3;
  const i = ofB ? axis - 3 : axis;
  const shift = ofB ? SHIFT_BA : SHIFT_AB;
  const side = getF64(shift, i) >= 0 ? 1.0 : -1.0;
  const turn = ofB ? TURN_BA : TURN_AB;
  if (ofB) addFaceCandidates(true, i, side, AXES_B, ORIGIN_B, shift, turn, HALF_B, HALF_A);
  else addFaceCandidates(false, i, side, AXES_A, ORIGIN_A, shift, turn, HALF_A, HALF_B);
}

/** One point where an edge of A crosses an edge of B. */
function edgeContact(pair: i32, axis: i32): void {
  const i = (axis - 6) / 3;
  const j = (axis - 6) % 3;
  const i1 = i == 2 ? 0 : i + 1;
  const i2 = i == 0 ? 2 : i - 1;
  const j1 = j == 2 ? 0 : j + 1;
  const j2 = j == 0 ? 2 : j - 1;
  const p = getF64(TURN_AB, 3 * i1 + j);
  const q = getF64(TURN_AB, 3 * i2 + j);
  const squared = p * p + q * q;
  const side = getF64(SHIFT_AB, i2) * p - getF64(SHIFT_AB, i1) * q >= 0 ? 1.0 : -1.0;
  const scale = side / Math.sqrt(squared);

  // Normal in A's axes: (0, −q, p) in the order i, i1, i2.
  const n1 = -q * scale;
  const n2 = p * scale;
  const nx = axisComponent(0, i1, n1, i2, n2);
  const ny = axisComponent(1, i1, n1, i2, n2);
  const nz = axisComponent(2, i1, n1, i2, n2);

  // Middle of each edge; B's relative to A's, in A's axes.
  const a1 = n1 >= 0 ? getF64(HALF_A, i1) : -getF64(HALF_A, i1);
  const a2 = n2 >= 0 ? getF64(HALF_A, i2) : -getF64(HALF_A, i2);
  const facing1 = n1 * getF64(TURN_AB, 3 * i1 + j1) + n2 * getF64(TURN_AB, 3 * i2 + j1);
  const facing2 = n1 * getF64(TURN_AB, 3 * i1 + j2) + n2 * getF64(TURN_AB, 3 * i2 + j2);
  const b1 = facing1 >= 0 ? -getF64(HALF_B, j1) : getF64(HALF_B, j1);
  const b2 = facing2 >= 0 ? -getF64(HALF_B, j2) : getF64(HALF_B, j2);
  const d0 = getF64(SHIFT_AB, i) + b1 * getF64(TURN_AB, 3 * i + j1) + b2 * getF64(TURN_AB, 3 * i + j2);
  const d1 = getF64(SHIFT_AB, i1) + b1 * getF64(TURN_AB, 3 * i1 + j1) + b2 * getF64(TURN_AB, 3 * i1 + j2) - a1;
  const d2 = getF64(SHIFT_AB, i2) + b1 * getF64(TURN_AB, 3 * i2 + j1) + b2 * getF64(TURN_AB, 3 * i2 + j2) - a2;

  // Nearest points of the two lines: s along A's edge, t along B's.
  const cosine = getF64(TURN_AB, 3 * i + j);
  const alongB = d0 * cosine + d1 * p + d2 * q;
  const s = (d0 - cosine * alongB) / squared;
  const t = (cosine * d0 - alongB) / squared;
  const gap = edgeSeparation(i, j, -Infinity);
  if (Math.abs(s) > getF64(HALF_A, i) * (1 + 1e-9) || Math.abs(t) > getF64(HALF_B, j) * (1 + 1e-9)) {
    // The lines cross beyond the edges: an end of one of them is nearest, or the boxes overlap by a face.
    if (gap > 0) nearContact(pair, gap, nx, ny, nz, 0);
    else faceContact(pair, bestFace(), false);
    return;
  }

  // The contact is half-way between the two edges.
  const m0 = s;
  const m1 = a1 + 0.5 * gap * n1;
  const m2 = a2 + 0.5 * gap * n2;
  const edgeA = i * 4 + (a1 > 0 ? 1 : 0) + (a2 > 0 ? 2 : 0);
  const edgeB = j * 4 + (b1 > 0 ? 1 : 0) + (b2 > 0 ? 2 : 0);
  addLocalCandidate(
    AXES_A,
    ORIGIN_A,
    i == 0 ? m0 : i1 == 0 ? m1 : m2,
    i == 1 ? m0 : i1 == 1 ? m1 : m2,
    i == 2 ? m0 : i1 == 2 ? m1 : m2,
    gap,
    edgeFeature(edgeA, edgeB),
  );
  addSwing(nx, ny, nz);
  commitManifold(pair, nx, ny, nz);
}

/** Component k in the world of x along axis i and y along axis j of A. */
function axisComponent(k: i32, i: i32, x: f64, j: i32, y: f64): f64 {
  return getF64(AXES_A, 3 * i + k) * x + getF64(AXES_A, 3 * j + k) * y;
}

/** Edge axis of largest separation above `least`, −1 none. */
function bestEdge(least: f64): i32 {
  let best = least;
  let edge = -1;
  for (let axis = 6; axis < 15; axis++) {
    const s = separation(axis);
    if (s <= best) continue;
    best = s;
    edge = axis;
  }
  return edge;
}

function bestFace(): i32 {
  let face = 0;
  for (let axis = 1; axis < 6; axis++) if (separation(axis) > separation(face)) face = axis;
  return face;
}
