// Hull against hull, and box against hull (a box is seen as a hull record).
//
// In: two colliders that are boxes or hulls. Out: the pair's manifold, with contacts up to `contactDistance`
// apart. The axis comes from polytope-axis (remembered in PAIR_CACHE); then, as for boxes: every corner of the
// incident face inside the reference face, every crossing of their outlines, every corner of the reference face
// inside the incident one; and the deepest vertex, should it belong to none of these. Each point is found on
// its own, so coincident outlines (blocks of an arch) lose no corner to rounding.

import {
  COLLIDER_SHAPE,
  HULL_EDGE_COUNT,
  HULL_EDGES,
  HULL_FACE_COUNT,
  HULL_FACE_START,
  HULL_INDICES,
  HULL_PLANES,
  HULL_VERTICES,
  PAIR_CACHE,
  SHAPE_BOX,
} from '../../../state/layout';
import { column, getI32 } from '../memory';
import {
  AXIS_EDGES,
  AXIS_FACE_B,
  axisFound,
  axisSupport,
  chooseAxis,
  edgeNormalX,
  edgeNormalY,
  edgeNormalZ,
  edgeSeparation,
  faceSeparation,
  moveInto,
  preferEdges,
  turnInto,
} from '../shapes/polytope-axis';
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
  VERTEX_OF_A,
  VERTEX_OF_B,
  worldComponent,
} from '../shapes/polytope-frame';
import { recordPart, viewPolytope } from '../shapes/polytope-view';
import {
  clearCandidates,
  commitManifold,
  contactDistance,
  contactReach,
  countCandidates,
  lowestCandidate,
  maySwing,
  thinnestHalf,
} from './manifold';

/** A separated corner this far beside the reference face (in the smallest half extent) is met by an edge instead. */
const BESIDE_MARGIN: f64 = 0.02;
/** A face whose normal is within 45° of the contact's is the one that a swing may meet. */
const SWING_COSINE: f64 = 0.7;
/** Rounding of coordinates in the reference face, relative to the sizes. */
const ROUNDING: f64 = 1e-14;
/**
 * A corner this far beyond an outline, relative to the sizes, counts as on it: as for boxes. With no more than rounding
 * the corners of blocks whose outlines coincide came and went (one of 2008 points of an arch of 501 stones).
 */
const OUTLINE: f64 = 1e-9;
/** A side that falls by so many times that from end to end is steep; it would leap by the reciprocal of its length. */
const STEEP: f64 = 1e6;
/** Incident faces steeper than this cosine have no usable height over the reference face's corners. */
const STEEPEST: f64 = 1e-6;

/** Most corners of a face that are looked at; of a face with more, every second one. */
const CORNER_LIMIT: i32 = 128;

// Incident corners seen from the reference: x y z and gap. Outward side planes of the reference face.
const INCIDENT: usize = memory.data(128 * 32, 16);
const SIDES: usize = memory.data(128 * 32, 16);
const SUPPORT: usize = memory.data(24, 16);
const OTHER_NORMAL: usize = memory.data(24, 16);

let distance: f64 = 0;
// Gaps up to which points over a face are taken, what they are multiplied with, and at least are [m]: see addSwing.
let reach: f64 = 0;
let slant: f64 = 1;
let floor: f64 = -Infinity;
let extent: f64 = 0;
let recordA: usize = 0;
let recordB: usize = 0;
// Reference face: frame, normal, offset.
let axes: usize = 0;
let origin: usize = 0;
let normalX: f64 = 0;
let normalY: f64 = 0;
let normalZ: f64 = 0;
let offset: f64 = 0;
let rounding: f64 = 0;
let outline: f64 = 0;

/** Contacts of two boxes or hulls; a and b are colliders. */
export function collideHulls(pair: i32, a: i32, b: i32): void {
  clearCandidates();
  distance = contactDistance(a, b);
  reach = contactReach;
  slant = 1;
  floor = -Infinity;
  loadFrames(a, b);
  recordA = viewPolytope(0, a);
  recordB = viewPolytope(1, b);
  extent = Math.min(thinnestHalf(a), thinnestHalf(b));
  rounding = ROUNDING * (largestHalf(a) + largestHalf(b));
  outline = OUTLINE * (largestHalf(a) + largestHalf(b));
  const cache = column(PAIR_CACHE) + ((<usize>pair) << 4);
  const apart = chooseAxis(recordA, recordB, load<i32>(cache), extent, distance);
  const axis = axisFound();
  store<i32>(cache, axis);
  if (apart) commitManifold(pair, 0, 1, 0);
  else if ((axis & (7 << 28)) == AXIS_EDGES) edgeContact(pair, axis);
  else faceContact(pair, axis, true);
}

function largestHalf(collider: i32): f64 {
  const box = column(SHAPE_BOX) + <usize>getI32(column(COLLIDER_SHAPE), collider) * 48;
  const x = load<f64>(box, 24) - load<f64>(box);
  const y = load<f64>(box, 32) - load<f64>(box, 8);
  const z = load<f64>(box, 40) - load<f64>(box, 16);
  return 0.5 * Math.max(x, Math.max(y, z));
}

/** One point where two edges cross; if they do not cross within their lengths, the best face takes over. */
function edgeContact(pair: i32, axis: i32): void {
  const e = (axis >> 14) & 16383;
  const f = axis & 16383;
  const s = edgeSeparation(recordA, recordB, e, f);
  const x = edgeNormalX();
  const y = edgeNormalY();
  const z = edgeNormalZ();
  const nx = worldComponent(AXES_A, 0, x, y, z);
  const ny = worldComponent(AXES_A, 1, x, y, z);
  const nz = worldComponent(AXES_A, 2, x, y, z);
  addEdgesAlong(recordA, recordB, e, f, nx, ny, nz, distance);
  if (countCandidates() > 0 && Math.abs(lowestCandidate() - s) < 1e-6 * extent) {
    addSwing(nx, ny, nz);
    commitManifold(pair, nx, ny, nz);
    return;
  }
  clearCandidates();
  if (s > 0) nearContact(pair, s, nx, ny, nz);
  else faceContact(pair, bestFace(), false);
}

/** Face axis of largest separation, by testing all. */
function bestFace(): i32 {
  let best = -Infinity;
  let axis = 0;
  for (let side = 0; side < 2; side++) {
    const count = load<i32>((side == 1 ? recordB : recordA) + HULL_FACE_COUNT);
    for (let f = 0; f < count; f++) {
      const s = faceSeparation(side == 1, recordA, recordB, f);
      if (s > best) {
        best = s;
        axis = ((side + 1) << 28) | f;
      }
    }
  }
  return axis;
}

/** No face lies over the other: an edge or corner is nearest (or nothing is near enough). */
function nearContact(pair: i32, s: f64, nx: f64, ny: f64, nz: f64): void {
  const limit = Math.min(distance, lowestCandidate() - BESIDE_MARGIN * extent);
  if (addClosestEdges(recordA, recordB, nx, ny, nz, s, limit)) {
    addSwing(closestX(), closestY(), closestZ());
    commitManifold(pair, closestX(), closestY(), closestZ());
  } else commitManifold(pair, nx, ny, nz);
}

/** Contacts of a face of one hull with the face of the other that looks most against it; edges may take over. */
function faceContact(pair: i32, axis: i32, orEdges: bool): void {
  const ofB = (axis & (7 << 28)) == AXIS_FACE_B;
  const face = axis & 0xfffffff;
  const turn = ofB ? TURN_BA : TURN_AB;
  const shift = ofB ? SHIFT_BA : SHIFT_AB;
  const incident = ofB ? recordA : recordB;
  const s = faceSeparation(ofB, recordA, recordB, face);
  const support = axisSupport();
  const sides = addFaceCandidates(ofB, face);
  if (lowestCandidate() > distance) clearCandidates();
  const sign = ofB ? -1.0 : 1.0;
  const nx = sign * worldComponent(axes, 0, normalX, normalY, normalZ);
  const ny = sign * worldComponent(axes, 1, normalX, normalY, normalZ);
  const nz = sign * worldComponent(axes, 2, normalX, normalY, normalZ);
  if (lowestCandidate() > s + rounding) {
    // The nearest vertex is not among the points: over the face it is one, beside it an edge may be nearer.
    moveInto(SUPPORT, turn, shift, recordPart(incident, HULL_VERTICES) + <usize>support * 24);
    const feature = (ofB ? VERTEX_OF_A : VERTEX_OF_B) | support;
    const beside = heightBeside(sides, SUPPORT);
    // Well beside the face an edge pair is better, though by less than the margin.
    if (orEdges && s <= 0 && lowestCandidate() > s + BESIDE_MARGIN * extent && preferEdges()) {
      clearCandidates();
      edgeContact(pair, axisFound());
      return;
    }
    if (beside <= rounding || (s <= 0 && countCandidates() == 0)) {
      addOver(load<f64>(SUPPORT), load<f64>(SUPPORT, 8), load<f64>(SUPPORT, 16), s, feature);
    } else if (countCandidates() == 0 || (s > BESIDE_MARGIN * extent && beside > BESIDE_MARGIN * extent)) {
      nearContact(pair, s, nx, ny, nz);
      return;
    }
  }
  commitManifold(pair, nx, ny, nz);
}

/**
 * Points where a face of one hull and the face of the other that looks most against it lie
 * over each other; returns the sides.
 */
function addFaceCandidates(ofB: bool, face: i32): i32 {
  const reference = ofB ? recordB : recordA;
  const incident = ofB ? recordA : recordB;
  const turn = ofB ? TURN_BA : TURN_AB;
  axes = ofB ? AXES_B : AXES_A;
  origin = ofB ? ORIGIN_B : ORIGIN_A;
  const plane = recordPart(reference, HULL_PLANES) + ((<usize>face) << 5);
  normalX = load<f64>(plane);
  normalY = load<f64>(plane, 8);
  normalZ = load<f64>(plane, 16);
  offset = load<f64>(plane, 24);
  const sides = loadSides(reference, face);
  const facing = findIncident(incident, ofB ? TURN_AB : TURN_BA);
  const corners = loadIncident(incident, facing, turn, ofB ? SHIFT_BA : SHIFT_AB);
  turnInto(OTHER_NORMAL, turn, recordPart(incident, HULL_PLANES) + ((<usize>facing) << 5));
  clipIncident(ofB, reference, face, sides, incident, facing, corners);
  addReferenceCorners(ofB, reference, face, sides, corners);
  return sides;
}

/** As for boxes: what lies over the face that looks most along n, where hulls near by an edge or corner close fast. */
function addSwing(nx: f64, ny: f64, nz: f64): void {
  if (!maySwing(extent)) return;
  let cosine: f64 = 0;
  let face = 0;
  let ofB = false;
  for (let side = 0; side < 2; side++) {
    const record = side == 1 ? recordB : recordA;
    const frame = side == 1 ? AXES_B : AXES_A;
    const sign: f64 = side == 1 ? -1 : 1;
    const x = sign * along(frame, nx, ny, nz);
    const y = sign * along(frame + 24, nx, ny, nz);
    const z = sign * along(frame + 48, nx, ny, nz);
    const count = load<i32>(record + HULL_FACE_COUNT);
    let plane = recordPart(record, HULL_PLANES);
    for (let f = 0; f < count; f++, plane += 32) {
      const c = along(plane, x, y, z);
      if (c <= cosine) continue;
      cosine = c;
      face = f;
      ofB = side == 1;
    }
  }
  if (cosine < SWING_COSINE) return;
  floor = lowestCandidate();
  slant = 1 / cosine;
  reach = contactReach * cosine;
  addFaceCandidates(ofB, face);
}

/** Fills SIDES with the outward planes through the edges of the reference face; returns their number. */
function loadSides(record: usize, face: i32): i32 {
  const vertices = recordPart(record, HULL_VERTICES);
  const starts = recordPart(record, HULL_FACE_START);
  const first = getI32(starts, face);
  const total = getI32(starts, face + 1) - first;
  const step = stepOf(total);
  const count = (total + step - 1) / step;
  const indices = recordPart(record, HULL_INDICES) + ((<usize>first) << 2);
  for (let k = 0; k < count; k++) {
    const p = vertices + <usize>getI32(indices, k * step) * 24;
    const q = vertices + <usize>getI32(indices, k + 1 == count ? 0 : (k + 1) * step) * 24;
    const x = load<f64>(q) - load<f64>(p);
    const y = load<f64>(q, 8) - load<f64>(p, 8);
    const z = load<f64>(q, 16) - load<f64>(p, 16);
    const mx = y * normalZ - z * normalY;
    const my = z * normalX - x * normalZ;
    const mz = x * normalY - y * normalX;
    const scale = 1 / Math.sqrt(mx * mx + my * my + mz * mz);
    const side = SIDES + ((<usize>k) << 5);
    store<f64>(side, mx * scale);
    store<f64>(side, my * scale, 8);
    store<f64>(side, mz * scale, 16);
    store<f64>(side, scale * (mx * load<f64>(p) + my * load<f64>(p, 8) + mz * load<f64>(p, 16)), 24);
  }
  return count;
}

/** Face of the other record most against the reference normal. `back` turns reference directions into its frame. */
function findIncident(record: usize, back: usize): i32 {
  const x = along(back, normalX, normalY, normalZ);
  const y = along(back + 24, normalX, normalY, normalZ);
  const z = along(back + 48, normalX, normalY, normalZ);
  const count = load<i32>(record + HULL_FACE_COUNT);
  let plane = recordPart(record, HULL_PLANES);
  let lowest = Infinity;
  let face = 0;
  for (let f = 0; f < count; f++, plane += 32) {
    const cosine = along(plane, x, y, z);
    if (cosine < lowest) {
      lowest = cosine;
      face = f;
    }
  }
  return face;
}

function along(p: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z;
}

/** Fills INCIDENT with the corners of the incident face; returns their number. */
function loadIncident(record: usize, face: i32, turn: usize, shift: usize): i32 {
  const vertices = recordPart(record, HULL_VERTICES);
  const starts = recordPart(record, HULL_FACE_START);
  const first = getI32(starts, face);
  const total = getI32(starts, face + 1) - first;
  const step = stepOf(total);
  const count = (total + step - 1) / step;
  const indices = recordPart(record, HULL_INDICES) + ((<usize>first) << 2);
  for (let k = 0; k < count; k++) {
    const corner = INCIDENT + ((<usize>k) << 5);
    moveInto(corner, turn, shift, vertices + <usize>getI32(indices, k * step) * 24);
    store<f64>(corner, along(corner, normalX, normalY, normalZ) - offset, 24);
  }
  return count;
}

/** Corners of a face from one that is looked at to the next. */
function stepOf(corners: i32): i32 {
  return corners > CORNER_LIMIT ? 2 : 1;
}

/** Vertex number of the corner k of a face that is looked at (cyclic). */
function faceVertex(record: usize, face: i32, k: i32): i32 {
  const starts = recordPart(record, HULL_FACE_START);
  const first = getI32(starts, face);
  const count = getI32(starts, face + 1) - first;
  const at = k * stepOf(count);
  return getI32(recordPart(record, HULL_INDICES), at >= count ? first : first + at);
}

/** Number of the edge between corners k and k + 1 of a face; a number of its own where a corner was left out. */
function faceEdge(record: usize, face: i32, k: i32): i32 {
  const a = faceVertex(record, face, k);
  const b = faceVertex(record, face, k + 1);
  const edges = recordPart(record, HULL_EDGES);
  const count = load<i32>(record + HULL_EDGE_COUNT);
  for (let e = 0; e < count; e++) {
    const from = getI32(edges, 4 * e);
    const to = getI32(edges, 4 * e + 1);
    if ((from == a && to == b) || (from == b && to == a)) return e;
  }
  return count + k;
}

/** Corners of the incident face over the reference face, and where its sides cross the reference outline. */
function clipIncident(
  ofB: bool,
  reference: usize,
  face: i32,
  sides: i32,
  incident: usize,
  facing: i32,
  corners: i32,
): void {
  for (let k = 0; k < corners; k++) {
    const from = INCIDENT + ((<usize>k) << 5);
    const to = INCIDENT + ((<usize>(k + 1 == corners ? 0 : k + 1)) << 5);

    // Part of the side inside all side planes (Cyrus and Beck 1978).
    let start: f64 = 0;
    let end: f64 = 1;
    let startSide = -1;
    let endSide = -1;
    for (let m = 0; m < sides; m++) {
      const side = SIDES + ((<usize>m) << 5);
      const before = heightOver(side, from);
      const after = heightOver(side, to);
      if (before > outline) {
        if (after > outline) {
          start = 2;
          break;
        }
        const t = crossingOf(before, after);
        if (t > start) {
          start = t;
          startSide = m;
        }
      } else if (after > outline) {
        const t = 1 - crossingOf(after, before);
        if (t < end) {
          end = t;
          endSide = m;
        }
      }
    }

    if (start > end) {
      // It passes a corner of the outline: by next to nothing it still has that corner, which no other side has.
      if (start > 1) continue;
      const t = isAlmostOver(sides, from, to, end) ? end : start;
      const crossed = t == end ? endSide : startSide;
      if (isAlmostOver(sides, from, to, t)) {
        addCrossing(ofB, from, to, t, faceEdge(incident, facing, k), faceEdge(reference, face, crossed));
      }
      continue;
    }

    // The corner where it ends is there by itself.
    if (start >= 1) continue;
    if (startSide < 0) {
      const feature = (ofB ? VERTEX_OF_A : VERTEX_OF_B) | faceVertex(incident, facing, k);
      addOver(load<f64>(from), load<f64>(from, 8), load<f64>(from, 16), load<f64>(from, 24), feature);
    } else {
      addCrossing(ofB, from, to, start, faceEdge(incident, facing, k), faceEdge(reference, face, startSide));
    }

    // And where it leaves the outline.
    if (endSide >= 0 && end > 0) {
      addCrossing(ofB, from, to, end, faceEdge(incident, facing, k), faceEdge(reference, face, endSide));
    }
  }
}

/**
 * Where a side crosses an outline, from its end `outside` to that `inside` (heights beyond it). One that runs along the
 * outline is crossed where it begins to count as outside, so that the crossing leaves its corner without a leap; one
 * that is steep at the outline itself.
 */
function crossingOf(outside: f64, inside: f64): f64 {
  const fall = outside - inside;
  return (outside - outline * min(1, (STEEP * outline) / fall)) / fall;
}

/** Whether the place t of a side lies over the reference face but for twice what counts as on its outline. */
function isAlmostOver(sides: i32, from: usize, to: usize, t: f64): bool {
  for (let m = 0; m < sides; m++) {
    const side = SIDES + ((<usize>m) << 5);
    const height = heightOver(side, from);
    if (height + t * (heightOver(side, to) - height) > 2 * outline) return false;
  }
  return true;
}

/** Height of a point beyond a side plane of the reference face. */
function heightOver(side: usize, p: usize): f64 {
  return along(side, load<f64>(p), load<f64>(p, 8), load<f64>(p, 16)) - load<f64>(side, 24);
}

/** How far a point lies beside the reference face, negative over it. */
function heightBeside(sides: i32, p: usize): f64 {
  let highest = -Infinity;
  for (let m = 0; m < sides; m++) highest = Math.max(highest, heightOver(SIDES + ((<usize>m) << 5), p));
  return highest;
}

function addCrossing(ofB: bool, from: usize, to: usize, t: f64, edge: i32, other: i32): void {
  const x = load<f64>(from) + t * (load<f64>(to) - load<f64>(from));
  const y = load<f64>(from, 8) + t * (load<f64>(to, 8) - load<f64>(from, 8));
  const z = load<f64>(from, 16) + t * (load<f64>(to, 16) - load<f64>(from, 16));
  const gap = load<f64>(from, 24) + t * (load<f64>(to, 24) - load<f64>(from, 24));
  addOver(x, y, z, gap, ofB ? edgeFeature(edge, other) : edgeFeature(other, edge));
}

/** Adds a point of the incident hull, a gap above the reference face: the candidate lies half way between. */
function addOver(x: f64, y: f64, z: f64, gap: f64, feature: i32): void {
  if (!(gap <= reach)) return;
  const h = 0.5 * gap;
  const seen = Math.max(slant * gap, floor);
  addLocalCandidate(axes, origin, x - h * normalX, y - h * normalY, z - h * normalZ, seen, feature);
}

/** Corners of the reference face well inside the incident one (those on its outline were found above). */
function addReferenceCorners(ofB: bool, reference: usize, face: i32, sides: i32, corners: i32): void {
  const facing = along(OTHER_NORMAL, normalX, normalY, normalZ);
  if (facing > -STEEPEST) return;
  const vertices = recordPart(reference, HULL_VERTICES);
  for (let k = 0; k < sides; k++) {
    const number = faceVertex(reference, face, k);
    const v = vertices + <usize>number * 24;
    if (!isUnder(v, corners)) continue;
    // Height of the incident plane above the corner, along the reference normal.
    const x = load<f64>(INCIDENT) - load<f64>(v);
    const y = load<f64>(INCIDENT, 8) - load<f64>(v, 8);
    const z = load<f64>(INCIDENT, 16) - load<f64>(v, 16);
    const gap = along(OTHER_NORMAL, x, y, z) / facing;
    if (!(gap <= reach)) continue;
    const h = 0.5 * gap;
    addLocalCandidate(
      axes,
      origin,
      load<f64>(v) + h * normalX,
      load<f64>(v, 8) + h * normalY,
      load<f64>(v, 16) + h * normalZ,
      Math.max(slant * gap, floor),
      (ofB ? VERTEX_OF_B : VERTEX_OF_A) | number,
    );
  }
}

/** Whether a corner of the reference face lies strictly inside the incident face, seen along the normal. */
function isUnder(v: usize, corners: i32): bool {
  const limit = 0.25 * outline * outline;
  for (let k = 0; k < corners; k++) {
    const p = INCIDENT + ((<usize>k) << 5);
    const q = INCIDENT + ((<usize>(k + 1 == corners ? 0 : k + 1)) << 5);
    const x = load<f64>(q) - load<f64>(p);
    const y = load<f64>(q, 8) - load<f64>(p, 8);
    const z = load<f64>(q, 16) - load<f64>(p, 16);
    // Inward across the side: the incident face runs clockwise about the reference normal.
    const mx = y * normalZ - z * normalY;
    const my = z * normalX - x * normalZ;
    const mz = x * normalY - y * normalX;
    const inside =
      mx * (load<f64>(v) - load<f64>(p)) +
      my * (load<f64>(v, 8) - load<f64>(p, 8)) +
      mz * (load<f64>(v, 16) - load<f64>(p, 16));
    if (inside <= 0 || inside * inside <= limit * (mx * mx + my * my + mz * mz)) return false;
  }
  return true;
}
