// A half-space (always B) against every other shape.
//
// In: collider A of any convex kind, collider B a plane: SHAPE_PARAMETER holds its unit normal in its own
// axes, the material lies below it. Out: the pair's manifold; the normal A → B is the plane's turned round.
// Candidates: sphere and capsule their ends; box and hull the corners of their
// lowest face; a cylinder or cone its rim points:
// standing (slope under STANDING_SLOPE) four fixed ones 90° apart, so that ids and places stay; tilted the
// deepest one and those 90° and 180° from it; lying the two ends of its line (deepest of both rims, or apex).

import {
  HULL_VERTEX_COUNT,
  SHAPE_BOX_KIND,
  SHAPE_CAPSULE,
  SHAPE_CYLINDER,
  SHAPE_HULL,
  SHAPE_SPHERE,
} from '../../../state/layout';
import { dot3 } from '../math/vector';
import {
  alongAxis,
  faceIndex,
  findFace,
  placeA,
  placeB,
  placeBoxVertex,
  placeHullVertex,
  placePoint,
  SLOT_A,
  SLOT_B,
  slotData,
  slotKind,
  slotSize,
  sx,
  sy,
  sz,
} from '../shapes/support';
import { addContact, commitContacts, startContacts } from '../shapes/support-contact';
import { INCIDENT, isCap, loadPolygon, VERTEX_BYTES } from '../shapes/support-feature';
import { contactDistance } from './manifold';

/** Sine of the tilt under which a cap counts as standing on the plane. */
const STANDING_SLOPE: f64 = 1e-3;

let nx: f64 = 0;
let ny: f64 = 1;
let nz: f64 = 0;

/** Adds the surface point sx sy sz, moved towards the plane by `radius`. */
function addPoint(radius: f64, feature: i32): void {
  addPointAt(sx, sy, sz, radius, feature);
}

function addPointAt(x: f64, y: f64, z: f64, radius: f64, feature: i32): void {
  const gap = dot3(nx, ny, nz, x, y, z) - radius;
  const down = radius + 0.5 * gap;
  addContact(x - down * nx, y - down * ny, z - down * nz, gap, feature, 0);
}

/** Any shape against the half-space B. */
export function collidePlane(pair: i32, a: i32, b: i32): void {
  placeB(b);
  placeA(a);
  nx = slotSize(SLOT_B, 0);
  ny = slotSize(SLOT_B, 1);
  nz = slotSize(SLOT_B, 2);
  startContacts(contactDistance(a, b));
  const kind = slotKind(SLOT_A);
  if (kind == SHAPE_SPHERE) {
    placePoint(SLOT_A, 0, 0, 0);
    addPoint(slotSize(SLOT_A, 0), 0);
  } else if (kind == SHAPE_CAPSULE) {
    placePoint(SLOT_A, 0, -slotSize(SLOT_A, 1), 0);
    addPoint(slotSize(SLOT_A, 0), 0);
    placePoint(SLOT_A, 0, slotSize(SLOT_A, 1), 0);
    addPoint(slotSize(SLOT_A, 0), 1);
  } else if (kind == SHAPE_BOX_KIND) {
    // The lowest face: its opposite would only compete with it when the box is thin or fast.
    findFace(SLOT_A, -nx, -ny, -nz);
    const axis = faceIndex >> 1;
    const side = (faceIndex & 1) == 0 ? 1 : 0;
    for (let v = 0; v < 8; v++) {
      if (((v >> axis) & 1) != side) continue;
      placeBoxVertex(SLOT_A, v);
      addPoint(0, v);
    }
  } else if (kind == SHAPE_HULL) {
    addHullPoints();
  } else addRims(kind == SHAPE_CYLINDER);
  commitContacts(pair, -nx, -ny, -nz);
}

/**
 * Corners of a hull's lowest face, evenly thinned if it has very many, and its lowest vertex, which may belong to a
 * steeper face. (Of the whole lower half, the upper corners of a thin plate would compete with the lower ones.)
 */
function addHullPoints(): void {
  let lowest = 0;
  let height = Infinity;
  const count = load<i32>(slotData(SLOT_A), HULL_VERTEX_COUNT);
  for (let v = 0; v < count; v++) {
    placeHullVertex(SLOT_A, v);
    const h = dot3(nx, ny, nz, sx, sy, sz);
    if (h >= height) continue;
    height = h;
    lowest = v;
  }
  findFace(SLOT_A, -nx, -ny, -nz);
  const corners = loadPolygon(SLOT_A, faceIndex, INCIDENT);
  for (let i = 0; i < corners; i++) {
    const p = INCIDENT + <usize>i * VERTEX_BYTES;
    const v = load<i32>(p, 24);
    addPointAt(load<f64>(p), load<f64>(p, 8), load<f64>(p, 16), 0, v);
    if (v == lowest) lowest = -1;
  }
  if (lowest < 0) return;
  placeHullVertex(SLOT_A, lowest);
  addPoint(0, lowest);
}

/** Cylinder (two rims) or cone (rim below, apex above). */
function addRims(cylinder: bool): void {
  const r = slotSize(SLOT_A, 0);
  const half = slotSize(SLOT_A, 1);
  // The plane's normal in the shape's axes; the deepest rim direction is opposite to its radial part.
  const x = alongAxis(SLOT_A, 0, nx, ny, nz);
  const z = alongAxis(SLOT_A, 2, nx, ny, nz);
  const radial = Math.sqrt(x * x + z * z);
  const standing = radial < STANDING_SLOPE;
  const u = standing ? r : (-r * x) / radial;
  const v = standing ? 0 : (-r * z) / radial;
  const up = cylinder && alongAxis(SLOT_A, 1, nx, ny, nz) < 0;
  const lower = up ? half : -half;
  const id = (standing ? 0 : 4) + (up ? 16 : 0);
  placePoint(SLOT_A, u, lower, v);
  addPoint(0, id);
  const cap = isCap(SLOT_A, -nx, -ny, -nz);
  if (cap) {
    placePoint(SLOT_A, -v, lower, u);
    addPoint(0, id + 1);
    placePoint(SLOT_A, -u, lower, -v);
    addPoint(0, id + 2);
    placePoint(SLOT_A, v, lower, -u);
    addPoint(0, id + 3);
  }
  if (standing && cap) return;
  // The other end of the side line.
  if (cylinder) placePoint(SLOT_A, u, -lower, v);
  else placePoint(SLOT_A, 0, half, 0);
  addPoint(0, up ? 4 : 20);
}
