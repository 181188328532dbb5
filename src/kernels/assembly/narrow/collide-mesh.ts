// Convex shapes against a static triangle mesh (always B).
//
// In: collider A, collider B with a MESH record. Out: up to four manifolds, one per normal (collide-mesh-set).
// One-sided: triangles push towards their normal (counter-clockwise). A body whose centre has gone further
// behind a triangle's plane than the contact distance, or which lies behind it whole, is not touched, so
// nothing is caught from behind, and nothing is let through that a step could not have carried through.
//
// Every near triangle gives contacts with a normal of its own: the triangle's, a face of the body, or one at an
// edge or corner of the triangle. Normals at edges and corners count only at active edges (convex or border) and
// only between the normals of the two faces; at inactive edges the triangle's own normal is
// taken instead, so that a body slides over a flat grid as over a plane. Points on the edge between two
// triangles of one plane are left out: they are no corners of the common patch.
//
// The contact distance grows with speed and covers ordinary falls; where contacts miss what changes its way within a
// step, motion/keep-outside.ts keeps centres in front.

import {
  MESH_NEIGHBORS,
  MESH_NODE_BYTES,
  MESH_NODES,
  MESH_TRIANGLES,
  MESH_VERTICES,
  SHAPE_BOX_KIND,
  SHAPE_CAPSULE,
  SHAPE_HULL,
  SHAPE_SPHERE,
} from '../../../state/layout';
import { clamp, dot3, sqr } from '../math/vector';
import {
  extent,
  innerRadius,
  placeA,
  placeB,
  placeTriangle,
  readFace,
  SLOT_A,
  SLOT_B,
  slotCorner,
  slotData,
  slotKind,
  slotPosition,
  slotSize,
} from '../shapes/support';
import {
  addContact,
  addFaceContacts,
  addLineContacts,
  CROSSING,
  contactAt,
  contactCount,
  startContacts,
} from '../shapes/support-contact';
import { INCIDENT, loadSegment, RIM, VERTEX_OF_B } from '../shapes/support-feature';
import {
  addPointContact,
  findConvexContacts,
  findCoreNormal,
  normalX,
  normalY,
  normalZ,
  setNormal,
} from './collide-generic';
import {
  POLYTOPE_EDGE,
  POLYTOPE_FACE,
  POLYTOPE_NONE,
  POLYTOPE_TRIANGLE,
  separatePolytope,
  tryEdgeContact,
} from './collide-mesh-polytope';
import { addToSet, clearSets, commitSets } from './collide-mesh-set';
import { contactDistance, setClearance, thinnestHalf } from './manifold';

/** Depth of the stack of the tree walk; a balanced tree of 10⁹ triangles needs 30. */
const STACK_LIMIT: i32 = 64;
/** Directions this near to a triangle's normal are its normal (0.8°). */
const FACE_COSINE: f64 = 0.9999;
/** Two triangles are one plane above this cosine. */
const FLAT_COSINE: f64 = 0.9999999;
/** Sine by which a direction may lean over the face beside an edge. */
const LEAN: f64 = 1e-3;
/** Sine by which a direction at a border may point behind the triangle. */
const BEHIND: f64 = 0.05;
/** Corners of a triangle whose heights differ by less than this share of its size touch together. */
const LEVEL_SHARE: f64 = 1e-3;
/** A sphere near an inactive edge touches the face when its direction is within this cosine of the normal (1.6°). */
const SMOOTH_COSINE: f64 = 0.9996;

/** Overlap up to this share of the body's height is shallow. */
const SHALLOW: f64 = 0.02;
/** Relative accuracy to which two heights count as one. */
const SAME: f64 = 1e-9;
/** Feature of the contact of A's centre. */
const CENTRE_FEATURE: i32 = 0x3fff;
/** Most triangles looked at round a corner, each way. */
const FAN_LIMIT: i32 = 64;

// What `judge` says of a direction.
const TURN: i32 = 0;
const ALLOW: i32 = 1;
const SKIP: i32 = 2;

const STACK: usize = memory.data(64 * 4, 16);

let mesh: usize = 0;
let vertices: usize = 0;
let triangle: i32 = 0;
let record: usize = 0; // of the triangle: a b c, active bits
let limit: f64 = 0;
/** At least the radius of the ball about A's centre that is inside A [m]. */
let innerBound: f64 = 0;
// The triangle's normal, and the height of A's centre over it.
let tx: f64 = 0;
let ty: f64 = 1;
let tz: f64 = 0;
let height: f64 = 0;

function corner(k: i32): usize {
  return vertices + <usize>load<i32>(record + ((<usize>k) << 2)) * 24;
}

/** Any convex collider A against the mesh B. */
export function collideMesh(pair: i32, a: i32, b: i32): void {
  limit = contactDistance(a, b);
  placeB(b);
  placeA(a);
  mesh = slotData(SLOT_B);
  vertices = mesh + <usize>load<i32>(mesh, MESH_VERTICES);
  clearSets();
  innerBound = thinnestHalf(a);
  const minX = -extent(SLOT_A, -1, 0, 0) - limit;
  const minY = -extent(SLOT_A, 0, -1, 0) - limit;
  const minZ = -extent(SLOT_A, 0, 0, -1) - limit;
  const maxX = extent(SLOT_A, 1, 0, 0) + limit;
  const maxY = extent(SLOT_A, 0, 1, 0) + limit;
  const maxZ = extent(SLOT_A, 0, 0, 1) + limit;
  const nodes = mesh + <usize>load<i32>(mesh, MESH_NODES);
  let depth = 1;
  store<i32>(STACK, 0);
  while (depth > 0) {
    depth--;
    const index = load<i32>(STACK + ((<usize>depth) << 2));
    const node = nodes + <usize>index * MESH_NODE_BYTES;
    if (
      load<f64>(node) > maxX ||
      load<f64>(node, 8) > maxY ||
      load<f64>(node, 16) > maxZ ||
      load<f64>(node, 24) < minX ||
      load<f64>(node, 32) < minY ||
      load<f64>(node, 40) < minZ
    ) {
      continue;
    }
    const first = load<i32>(node, 48);
    const link = load<i32>(node, 52);
    if (first >= 0) {
      for (let t = first; t < first + link; t++) collideTriangle(t);
    } else if (depth + 2 <= STACK_LIMIT) {
      store<i32>(STACK + ((<usize>depth) << 2), link);
      store<i32>(STACK + ((<usize>depth) << 2), index + 1, 4);
      depth += 2;
    }
  }
  // What one triangle said of its distance is no bound for the others.
  setClearance(0);
  commitSets(pair);
}

function collideTriangle(t: i32): void {
  triangle = t;
  record = mesh + <usize>load<i32>(mesh, MESH_TRIANGLES) + ((<usize>t) << 4);
  if (!placeTriangle(corner(0), corner(1), corner(2))) return;
  readTriangle();
  // Too high, or behind it whole, or too far behind.
  const offset = dot3(tx, ty, tz, slotCorner(SLOT_B, 0, 0), slotCorner(SLOT_B, 0, 1), slotCorner(SLOT_B, 0, 2));
  height = dot3(tx, ty, tz, slotPosition(SLOT_A, 0), slotPosition(SLOT_A, 1), slotPosition(SLOT_A, 2)) - offset;
  const lowest = -extent(SLOT_A, -tx, -ty, -tz) - offset;
  const highest = extent(SLOT_A, tx, ty, tz) - offset;
  if (lowest > limit || highest < 0) return;
  startContacts(limit);
  const kind = slotKind(SLOT_A);
  let face = false;
  if (kind == SHAPE_SPHERE) {
    touchSphere();
  } else if (standsOn(lowest, highest)) {
    face = true;
  } else if (kind == SHAPE_CAPSULE) {
    face = touchCapsule();
  } else if (kind == SHAPE_BOX_KIND || kind == SHAPE_HULL) {
    face = touchPolytope();
  } else {
    face = touchRound();
  }
  for (let i = 0; i < contactCount(); i++) {
    const p = contactAt(i);
    if (face && insidePatch(load<i32>(p, 36))) continue;
    addToSet(
      normalX,
      normalY,
      normalZ,
      load<f64>(p),
      load<f64>(p, 8),
      load<f64>(p, 16),
      load<f64>(p, 24),
      featureOf(load<i32>(p, 32)),
    );
  }
  if (kind != SHAPE_SPHERE && height >= 0 && height < 0.5 * innerBound) holdCentre();
}

/**
 * The centre of A has nearly come to the triangle. The directions of least overlap may then all lead along the surface
 * (a knife) or out over an edge, and none holds the centre: half the ball inside A has a contact, too.
 */
function holdCentre(): void {
  const reach = 0.5 * innerRadius(SLOT_A);
  if (height >= reach) return;
  const x = slotPosition(SLOT_A, 0);
  const y = slotPosition(SLOT_A, 1);
  const z = slotPosition(SLOT_A, 2);
  if (!closestPoint(x, y, z)) return;
  const middle = 0.5 * (height + reach);
  addToSet(-tx, -ty, -tz, x - middle * tx, y - middle * ty, z - middle * tz, height - reach, CENTRE_FEATURE);
}

function readTriangle(): void {
  const p = corner(0);
  const q = corner(1);
  const r = corner(2);
  normalOf(p, q, r);
  tx = mx;
  ty = my;
  tz = mz;
}

// Result of `normalOf`.
let mx: f64 = 0;
let my: f64 = 0;
let mz: f64 = 0;

function normalOf(p: usize, q: usize, r: usize): void {
  const ux = load<f64>(q) - load<f64>(p);
  const uy = load<f64>(q, 8) - load<f64>(p, 8);
  const uz = load<f64>(q, 16) - load<f64>(p, 16);
  const vx = load<f64>(r) - load<f64>(p);
  const vy = load<f64>(r, 8) - load<f64>(p, 8);
  const vz = load<f64>(r, 16) - load<f64>(p, 16);
  mx = uy * vz - uz * vy;
  my = uz * vx - ux * vz;
  mz = ux * vy - uy * vx;
  const length = Math.sqrt(dot3(mx, my, mz, mx, my, mz));
  mx /= length;
  my /= length;
  mz /= length;
}

/**
 * Ids that persist: parts of A keep theirs on every triangle, corners of the mesh have one
 * each, the rest one per triangle.
 */
function featureOf(id: i32): i32 {
  if (id >= VERTEX_OF_B && id < CROSSING) {
    return 0x40000000 | load<i32>(record + ((<usize>(id - VERTEX_OF_B)) << 2));
  }
  if (id < RIM + 256) return id;
  return 0x20000000 | ((id * 0x1f + triangle * 0x3d1) & 0xfffffff);
}

/** Triangle across edge k, below 0 when there is none. Its normal goes to mx my mz. */
function readNeighbor(k: i32): i32 {
  const other = load<i32>(mesh + <usize>load<i32>(mesh, MESH_NEIGHBORS) + <usize>(triangle * 3 + k) * 4);
  if (other < 0) return -1;
  const at = mesh + <usize>load<i32>(mesh, MESH_TRIANGLES) + ((<usize>other) << 4);
  normalOf(
    vertices + <usize>load<i32>(at) * 24,
    vertices + <usize>load<i32>(at, 4) * 24,
    vertices + <usize>load<i32>(at, 8) * 24,
  );
  return other;
}

function isActive(k: i32): bool {
  return ((load<i32>(record, 12) >> k) & 1) != 0;
}

/** Whether a point on the edges of `mask` lies inside a flat patch: on one such edge, or at a corner between two. */
function insidePatch(mask: i32): bool {
  if (mask == 0) return false;
  for (let k = 0; k < 3; k++) {
    if (((mask >> k) & 1) == 0) continue;
    if (isActive(k) || readNeighbor(k) < 0 || dot3(tx, ty, tz, mx, my, mz) < FLAT_COSINE) return false;
  }
  return true;
}

/** Whether unit direction d (mesh → A) lies between the normals of the two faces at edge k. */
function fitsEdge(k: i32, dx: f64, dy: f64, dz: f64): bool {
  const p = corner(k);
  const q = corner(k == 2 ? 0 : k + 1);
  let ex = load<f64>(q) - load<f64>(p);
  let ey = load<f64>(q, 8) - load<f64>(p, 8);
  let ez = load<f64>(q, 16) - load<f64>(p, 16);
  const length = Math.sqrt(dot3(ex, ey, ez, ex, ey, ez));
  ex /= length;
  ey /= length;
  ez /= length;
  // Into this triangle: N × e; into the other: e × N'.
  if (dot3(ty * ez - tz * ey, tz * ex - tx * ez, tx * ey - ty * ex, dx, dy, dz) > LEAN) return false;
  if (readNeighbor(k) < 0) return dot3(tx, ty, tz, dx, dy, dz) > -BEHIND;
  return dot3(ey * mz - ez * my, ez * mx - ex * mz, ex * my - ey * mx, dx, dy, dz) <= LEAN;
}

/** What becomes of a contact whose direction (mesh → A) is d, not the triangle's normal. */
function judge(dx: f64, dy: f64, dz: f64): i32 {
  // The edge or corner that lies foremost along d.
  const h0 = dot3(dx, dy, dz, slotCorner(SLOT_B, 0, 0), slotCorner(SLOT_B, 0, 1), slotCorner(SLOT_B, 0, 2));
  const h1 = dot3(dx, dy, dz, slotCorner(SLOT_B, 1, 0), slotCorner(SLOT_B, 1, 1), slotCorner(SLOT_B, 1, 2));
  const h2 = dot3(dx, dy, dz, slotCorner(SLOT_B, 2, 0), slotCorner(SLOT_B, 2, 1), slotCorner(SLOT_B, 2, 2));
  const top = Math.max(h0, Math.max(h1, h2));
  const level = top - LEVEL_SHARE * (top - Math.min(h0, Math.min(h1, h2)));
  const front = (h0 >= level ? 1 : 0) | (h1 >= level ? 2 : 0) | (h2 >= level ? 4 : 0);
  if (front == 3) return judgeEdge(0, dx, dy, dz);
  if (front == 6) return judgeEdge(1, dx, dy, dz);
  if (front == 5) return judgeEdge(2, dx, dy, dz);
  if (front == 7) return TURN;
  return judgeCorner(front >> 1, dx, dy, dz);
}

function judgeEdge(k: i32, dx: f64, dy: f64, dz: f64): i32 {
  if (!isActive(k)) return TURN;
  return fitsEdge(k, dx, dy, dz) ? ALLOW : SKIP;
}

/** Corner i: the direction must lead away from every edge of the mesh that meets there. */
function judgeCorner(i: i32, dx: f64, dy: f64, dz: f64): i32 {
  const before = i == 0 ? 2 : i - 1;
  if (!isActive(i) && !isActive(before)) return TURN;
  if (fitsFan(i, dx, dy, dz)) return dot3(tx, ty, tz, dx, dy, dz) > -BEHIND ? ALLOW : SKIP;
  // At a convex edge the neighbour has the better contact; in a flat sheet this triangle's own face has.
  if ((isActive(i) && readNeighbor(i) >= 0) || (isActive(before) && readNeighbor(before) >= 0)) return SKIP;
  return TURN;
}

/** Whether d leans on none of the edges from corner i, in all triangles round it. */
function fitsFan(i: i32, dx: f64, dy: f64, dz: f64): bool {
  const apex = corner(i);
  const triangles = mesh + <usize>load<i32>(mesh, MESH_TRIANGLES);
  const neighbors = mesh + <usize>load<i32>(mesh, MESH_NEIGHBORS);
  // Round the corner across the edges that leave it, then, from the start, across those that arrive.
  for (let way = 0; way < 2; way++) {
    let t = triangle;
    let j = i;
    for (let step = 0; step < FAN_LIMIT; step++) {
      const at = triangles + ((<usize>t) << 4);
      const after = j == 2 ? 0 : j + 1;
      const before = j == 0 ? 2 : j - 1;
      if (leansOn(apex, load<i32>(at + ((<usize>(way == 0 ? after : before)) << 2)), dx, dy, dz)) return false;
      t = load<i32>(neighbors + <usize>(t * 3 + (way == 0 ? j : before)) * 4);
      if (t < 0) break;
      if (t == triangle) return true;
      j = cornerAt(triangles + ((<usize>t) << 4), apex);
      if (j < 0) break;
    }
  }
  return true;
}

/** Whether d points more along than away from the edge apex → vertex v. */
function leansOn(apex: usize, v: i32, dx: f64, dy: f64, dz: f64): bool {
  const q = vertices + <usize>v * 24;
  const ex = load<f64>(q) - load<f64>(apex);
  const ey = load<f64>(q, 8) - load<f64>(apex, 8);
  const ez = load<f64>(q, 16) - load<f64>(apex, 16);
  return dot3(ex, ey, ez, dx, dy, dz) > LEAN * Math.sqrt(dot3(ex, ey, ez, ex, ey, ez));
}

/** Which corner of the triangle at `at` lies at the same place as `apex` (numbers may differ at seams); −1 none. */
function cornerAt(at: usize, apex: usize): i32 {
  for (let j = 0; j < 3; j++) {
    const p = vertices + <usize>load<i32>(at + ((<usize>j) << 2)) * 24;
    if (
      load<f64>(p) == load<f64>(apex) &&
      load<f64>(p, 8) == load<f64>(apex, 8) &&
      load<f64>(p, 16) == load<f64>(apex, 16)
    ) {
      return j;
    }
  }
  return -1;
}

/** Contacts along the triangle's own normal. */
function touchFace(): bool {
  startContacts(limit);
  if (height < -limit) return false;
  readFace(SLOT_B, 0);
  addFaceContacts(SLOT_B, tx, ty, tz);
  setNormal(-tx, -ty, -tz);
  return true;
}

/**
 * The two cheap and common cases, in which the triangle's own normal is the answer: none of its edges is active,
 * or the body's lowest point over its plane lies over the triangle itself (and not deep in it). The
 * contacts are added; false when the case is another one, with no contact left in the list.
 */
function standsOn(lowest: f64, highest: f64): bool {
  if (load<i32>(record, 12) == 0) {
    touchFace();
    return true;
  }
  const size = highest - lowest;
  if (lowest > -SHALLOW * size && touchFace()) {
    for (let i = 0; i < contactCount(); i++) {
      if (load<f64>(contactAt(i), 24) <= lowest + SAME * size) return true;
    }
  }
  startContacts(limit);
  return false;
}

/** Closest point of the triangle to the point x y z: into cx cy cz. */
let cx: f64 = 0;
let cy: f64 = 0;
let cz: f64 = 0;
function closestPoint(x: f64, y: f64, z: f64): bool {
  let squared = Infinity;
  let inside = true;
  for (let k = 0; k < 3; k++) {
    const p = corner(k);
    const q = corner(k == 2 ? 0 : k + 1);
    const ex = load<f64>(q) - load<f64>(p);
    const ey = load<f64>(q, 8) - load<f64>(p, 8);
    const ez = load<f64>(q, 16) - load<f64>(p, 16);
    const dx = x - load<f64>(p);
    const dy = y - load<f64>(p, 8);
    const dz = z - load<f64>(p, 16);
    // On the outer side of this edge: the closest point may lie on it.
    if (dot3(ty * ez - tz * ey, tz * ex - tx * ez, tx * ey - ty * ex, dx, dy, dz) >= 0) continue;
    inside = false;
    const s = clamp(dot3(dx, dy, dz, ex, ey, ez) / dot3(ex, ey, ez, ex, ey, ez), 0, 1);
    const d = sqr(dx - s * ex) + sqr(dy - s * ey) + sqr(dz - s * ez);
    if (d >= squared) continue;
    squared = d;
    cx = load<f64>(p) + s * ex;
    cy = load<f64>(p, 8) + s * ey;
    cz = load<f64>(p, 16) + s * ez;
  }
  return inside;
}

function touchSphere(): void {
  const x = slotPosition(SLOT_A, 0);
  const y = slotPosition(SLOT_A, 1);
  const z = slotPosition(SLOT_A, 2);
  const r = slotSize(SLOT_A, 0);
  let distance = height;
  let dx = tx;
  let dy = ty;
  let dz = tz;
  if (!closestPoint(x, y, z)) {
    const ex = x - cx;
    const ey = y - cy;
    const ez = z - cz;
    const length = Math.sqrt(dot3(ex, ey, ez, ex, ey, ez));
    const cosine = length > 0 ? dot3(ex, ey, ez, tx, ty, tz) / length : 1;
    const verdict = cosine > FACE_COSINE ? TURN : judge(ex / length, ey / length, ez / length);
    if (verdict == SKIP || (verdict == TURN && cosine < SMOOTH_COSINE)) return;
    if (verdict == ALLOW) {
      distance = length;
      dx = ex / length;
      dy = ey / length;
      dz = ez / length;
    }
  } else if (height < -limit) return;
  setNormal(-dx, -dy, -dz);
  const reach = 0.5 * (r + distance);
  addContact(x - reach * dx, y - reach * dy, z - reach * dz, distance - r, 0, 0);
}

/** Capsule; true when the contacts lie along the triangle's normal. */
function touchCapsule(): bool {
  const apart = findCoreNormal(limit) - slotSize(SLOT_A, 0);
  if (apart > limit) return false;
  if (apart + slotSize(SLOT_A, 0) <= 0) return touchFace();
  const nx = normalX;
  const ny = normalY;
  const nz = normalZ;
  const cosine = -dot3(nx, ny, nz, tx, ty, tz);
  const verdict = cosine > FACE_COSINE ? TURN : judge(-nx, -ny, -nz);
  if (verdict == SKIP) return false;
  if (verdict == TURN) {
    const face = touchFace();
    if (contactCount() == 0 && cosine >= SMOOTH_COSINE && face) addLowerEnd();
    return face;
  }
  if (!addLineContacts(nx, ny, nz) || contactCount() == 0) addPointContact(apart);
  return false;
}

/** The lower end of the capsule on the triangle's plane: it stands beside an inactive edge, nearly over the face. */
function addLowerEnd(): void {
  loadSegment(SLOT_A, -tx, -ty, -tz, INCIDENT);
  const along =
    tx * (load<f64>(INCIDENT, 32) - load<f64>(INCIDENT)) +
    ty * (load<f64>(INCIDENT, 40) - load<f64>(INCIDENT, 8)) +
    tz * (load<f64>(INCIDENT, 48) - load<f64>(INCIDENT, 16));
  const end = along < 0 ? 1 : 0;
  const p = INCIDENT + ((<usize>end) << 5);
  const x = load<f64>(p);
  const y = load<f64>(p, 8);
  const z = load<f64>(p, 16);
  const gap = dot3(
    tx,
    ty,
    tz,
    x - slotCorner(SLOT_B, 0, 0),
    y - slotCorner(SLOT_B, 0, 1),
    z - slotCorner(SLOT_B, 0, 2),
  );
  const half = 0.5 * gap;
  addContact(x - half * tx, y - half * ty, z - half * tz, gap, end, 0);
}

/** Box or hull. */
function touchPolytope(): bool {
  const kind = separatePolytope(tx, ty, tz, limit);
  if (kind == POLYTOPE_NONE) return false;
  if (kind == POLYTOPE_TRIANGLE) return touchFace();
  const nx = normalX;
  const ny = normalY;
  const nz = normalZ;
  const verdict = -dot3(nx, ny, nz, tx, ty, tz) > FACE_COSINE ? TURN : judge(-nx, -ny, -nz);
  if (verdict == SKIP) return false;
  if (verdict == TURN) return touchFace();
  if (kind == POLYTOPE_EDGE) tryEdgeContact();
  else if (kind == POLYTOPE_FACE) addFaceContacts(SLOT_A, nx, ny, nz);
  return false;
}

/** Cylinder or cone. */
function touchRound(): bool {
  findConvexContacts(limit);
  if (contactCount() == 0) return false;
  const cosine = -dot3(normalX, normalY, normalZ, tx, ty, tz);
  const verdict = cosine > FACE_COSINE ? TURN : judge(-normalX, -normalY, -normalZ);
  if (verdict == SKIP) {
    startContacts(limit);
    return false;
  }
  return verdict == TURN ? touchFace() : false;
}
