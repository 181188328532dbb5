// Spheres and capsules against each other and against boxes and hulls, all in closed form where one exists.
//
// In: two colliders (kind A <= kind B). Out: the pair's manifold.
// Sphere–polytope: deepest face when the centre is inside, else the closest point of the faces that see the
// centre (the closest point of a convex body lies on one of them). Capsule–polytope: if the lowest point of the
// axis projects into the face that separates best, that face is closest and its height is the distance; else
// the distance between axis and polytope (gjk.ts), and when the axis runs through the inside, least overlap
// (epa.ts, exact for a segment and a polytope).

import {
  COLLIDER_POSITION,
  COLLIDER_ROTATION,
  COLLIDER_SHAPE,
  HULL_FACE_COUNT,
  HULL_FACE_START,
  HULL_INDICES,
  HULL_PLANES,
  HULL_VERTICES,
  SHAPE_BOX_KIND,
  SHAPE_CAPSULE,
  SHAPE_PARAMETER,
  SHAPE_SPHERE,
} from '../../../state/layout';
import { clamp, dot3 } from '../math/vector';
import { column, getI32 } from '../memory';
import { kindOf } from '../shapes/kinds';
import {
  faceCount,
  faceOffset,
  faceX,
  faceY,
  faceZ,
  findFace,
  ox,
  oy,
  oz,
  placeA,
  placeB,
  readFace,
  SLOT_A,
  SLOT_B,
  separationAlong,
  slotAxis,
  slotData,
  slotKind,
  slotPosition,
  slotSize,
  toWorking,
} from '../shapes/support';
import {
  addContact,
  addFaceContacts,
  addLineContacts,
  commitContacts,
  contactCount,
  reachesDownTo,
  startContacts,
} from '../shapes/support-contact';
import { addPointContact, findCoreNormal, normalX, normalY, normalZ } from './collide-generic';
import {
  addCandidate,
  clearCandidates,
  commitManifold,
  contactDistance,
  contactReach,
  maySwing,
  setClearance,
} from './manifold';

/** Feature of the one contact of a sphere. */
const CENTER_FEATURE: i32 = 2;
/** First of the features of an axis's ends that a capsule may swing onto. */
const SWING_FEATURE: i32 = 3;
/** An end whose nearest direction is within 45° of the contact's may be swung onto. */
const SWING_COSINE: f64 = 0.7;
/** Two capsules whose axes enclose a smaller sine may touch at two points. */
const PARALLEL_SINE: f64 = 0.1;
/** A middle contact is added when the ends of near-parallel capsules are apart by more than this share of the radii. */
const MIDDLE_SHARE: f64 = 1e-3;
/** A capsule whose normal is within 3° of a face's lies on that face. */
const LYING_COSINE: f64 = 0.9986;
/** Contacts on a face that are higher than the nearest place by more than this share of the radius are beside it. */
const BESIDE_SHARE: f64 = 1e-3;
/** Relative accuracy to which two heights count as one. */
const SAME: f64 = 1e-9;

function parameterOf(collider: i32): usize {
  return column(SHAPE_PARAMETER) + ((<usize>getI32(column(COLLIDER_SHAPE), collider)) << 5);
}

// Half axis of a capsule in the world (zero for a sphere).
let axisX: f64 = 0;
let axisY: f64 = 0;
let axisZ: f64 = 0;

function readAxis(collider: i32): void {
  if (kindOf(collider) == SHAPE_SPHERE) {
    axisX = 0;
    axisY = 0;
    axisZ = 0;
    return;
  }
  const half = load<f64>(parameterOf(collider), 8);
  const q = column(COLLIDER_ROTATION) + ((<usize>collider) << 5);
  const x = load<f64>(q);
  const y = load<f64>(q, 8);
  const z = load<f64>(q, 16);
  const w = load<f64>(q, 24);
  axisX = 2 * half * (x * y - w * z);
  axisY = half * (1 - 2 * (x * x + z * z));
  axisZ = 2 * half * (y * z + w * x);
}

// The pair being looked at: half axes u (A) and v (B), d = centre of B − centre of A, centre of A, radii.
let ux: f64 = 0;
let uy: f64 = 0;
let uz: f64 = 0;
let vx: f64 = 0;
let vy: f64 = 0;
let vz: f64 = 0;
let dx: f64 = 0;
let dy: f64 = 0;
let dz: f64 = 0;
let cx: f64 = 0;
let cy: f64 = 0;
let cz: f64 = 0;
let ra: f64 = 0;
let rb: f64 = 0;
// Unit normal found by `addAt`.
let nx: f64 = 0;
let ny: f64 = 1;
let nz: f64 = 0;

/** Gap between the surfaces at place s of A's axis and t of B's (−1..1); sets the normal when the points differ. */
function gapAt(s: f64, t: f64): f64 {
  const x = dx + t * vx - s * ux;
  const y = dy + t * vy - s * uy;
  const z = dz + t * vz - s * uz;
  const distance = Math.sqrt(dot3(x, y, z, x, y, z));
  if (distance > 1e-12 * (ra + rb)) {
    nx = x / distance;
    ny = y / distance;
    nz = z / distance;
  }
  return distance - ra - rb;
}

/** Candidate at place s of A's axis with the present normal. */
function addAt(s: f64, gap: f64, limit: f64, feature: i32): void {
  if (gap > limit) return;
  const reach = ra + 0.5 * gap;
  addCandidate(cx + s * ux + reach * nx, cy + s * uy + reach * ny, cz + s * uz + reach * nz, gap, feature);
}

/** Place on B's axis closest to place s on A's. */
function besideB(s: f64, vv: f64): f64 {
  if (vv == 0) return 0;
  return clamp(-dot3(vx, vy, vz, dx - s * ux, dy - s * uy, dz - s * uz) / vv, -1, 1);
}

/** Place on A's axis closest to place t on B's. */
function besideA(t: f64, uu: f64): f64 {
  if (uu == 0) return 0;
  return clamp(dot3(ux, uy, uz, dx + t * vx, dy + t * vy, dz + t * vz) / uu, -1, 1);
}

/** Adds the ends of the axes that a fast pair may swing into each other about its nearest point. */
function addSwing(gap: f64, vv: f64, uu: f64): void {
  const mx = nx;
  const my = ny;
  const mz = nz;
  for (let k = 0; k < 4; k++) {
    const end: f64 = (k & 1) == 0 ? -1 : 1;
    if ((k < 2 ? uu : vv) == 0) continue;
    const s = k < 2 ? end : besideA(end, uu);
    const t = k < 2 ? besideB(end, vv) : end;
    const there = gapAt(s, t);
    const cosine = mx * nx + my * ny + mz * nz;
    nx = mx;
    ny = my;
    nz = mz;
    if (cosine > SWING_COSINE) addAt(s, Math.max(gap, there), contactReach, SWING_FEATURE + k);
  }
}

/** Sphere or capsule against sphere or capsule. */
export function collideRounds(pair: i32, a: i32, b: i32): void {
  clearCandidates();
  const positions = column(COLLIDER_POSITION);
  const pa = positions + ((<usize>a) << 5);
  const pb = positions + ((<usize>b) << 5);
  cx = load<f64>(pa);
  cy = load<f64>(pa, 8);
  cz = load<f64>(pa, 16);
  dx = load<f64>(pb) - cx;
  dy = load<f64>(pb, 8) - cy;
  dz = load<f64>(pb, 16) - cz;
  ra = load<f64>(parameterOf(a));
  rb = load<f64>(parameterOf(b));
  const limit = contactDistance(a, b);
  readAxis(a);
  ux = axisX;
  uy = axisY;
  uz = axisZ;
  readAxis(b);
  vx = axisX;
  vy = axisY;
  vz = axisZ;
  // Without a direction of their own, coincident centres part across both axes, else upwards.
  nx = uy * vz - uz * vy;
  ny = uz * vx - ux * vz;
  nz = ux * vy - uy * vx;
  const uu = dot3(ux, uy, uz, ux, uy, uz);
  const vv = dot3(vx, vy, vz, vx, vy, vz);
  const uv = dot3(ux, uy, uz, vx, vy, vz);
  let area = dot3(nx, ny, nz, nx, ny, nz);
  const parallel = area <= PARALLEL_SINE * PARALLEL_SINE * uu * vv;

  if (area <= 1e-12 * uu * vv) {
    // Any direction across the longer axis.
    const lx = uu > vv ? ux : vx;
    const lz = uu > vv ? uz : vz;
    const level = lx * lx + lz * lz > 0.25 * Math.max(uu, vv);
    nx = level ? 0 : 1;
    ny = level ? 1 : 0;
    nz = 0;
    if (uu + vv > 0) {
      const along = level ? (uu > vv ? uy : vy) : lx;
      const share = along / Math.max(uu, vv);
      nx -= share * lx;
      ny -= share * (uu > vv ? uy : vy);
      nz -= share * lz;
    } else {
      nx = 0;
      ny = 1;
    }
    area = dot3(nx, ny, nz, nx, ny, nz);
  }
  const scale = 1 / Math.sqrt(area);
  nx *= scale;
  ny *= scale;
  nz *= scale;
  // Closest points of the two axes (Ericson 5.1.9), places from −1 to 1.
  const ud = dot3(ux, uy, uz, dx, dy, dz);
  const vd = dot3(vx, vy, vz, dx, dy, dz);
  const determinant = uu * vv - uv * uv;
  let s: f64 = 0;

  if (uu > 0) {
    if (determinant > 1e-12 * uu * vv) s = clamp((ud * vv - vd * uv) / determinant, -1, 1);
    else s = clamp(ud / uu, -1, 1);
  }
  let t = besideB(s, vv);
  if (uu > 0) s = clamp((ud + t * uv) / uu, -1, 1);
  if (determinant > 1e-12 * uu * vv) t = besideB(s, vv);
  const gap = gapAt(s, t);
  if (gap > limit) setClearance(gap);

  if (gap <= limit && parallel && uu > 0 && vv > 0) {
    // Common part of the two axes, in places of A: B's ends seen from A.
    const e0 = (ud - uv) / uu;
    const e1 = (ud + uv) / uu;
    const from = Math.max(-1, Math.min(e0, e1));
    const to = Math.min(1, Math.max(e0, e1));
    if (to - from > 1e-3) {
      const mx = nx;
      const my = ny;
      const mz = nz;
      const first = gapAt(from, besideB(from, vv));
      const second = gapAt(to, besideB(to, vv));
      nx = mx;
      ny = my;
      nz = mz;
      addAt(from, first, contactReach, 0);
      addAt(to, second, contactReach, 1);
      if (Math.min(first, second) - gap > MIDDLE_SHARE * (ra + rb)) addAt(s, gap, limit, CENTER_FEATURE);
    } else addAt(s, gap, limit, CENTER_FEATURE);
  } else {
    addAt(s, gap, limit, CENTER_FEATURE);
    if (gap <= limit && maySwing(Math.min(ra, rb))) addSwing(gap, vv, uu);
  }
  commitManifold(pair, nx, ny, nz);
}

/** Sphere or capsule against box or hull. */
export function collideRoundPolytope(pair: i32, a: i32, b: i32): void {
  const limit = contactDistance(a, b);
  startContacts(limit, contactReach);
  placeB(b);
  if (kindOf(a) == SHAPE_CAPSULE) {
    placeA(a);
    collideCapsule(pair, limit);
    return;
  }
  const p = column(COLLIDER_POSITION) + ((<usize>a) << 5);
  toWorking(load<f64>(p), load<f64>(p, 8), load<f64>(p, 16));
  const r = load<f64>(parameterOf(a));
  if (slotKind(SLOT_B) == SHAPE_BOX_KIND) closestOnBox();
  else closestOnHull(slotData(SLOT_B), r + limit);
  // Middle between the surfaces: from the centre towards B by the mean of radius and distance.
  if (distance - r > limit) setClearance(distance - r);
  const reach = 0.5 * (r + distance);
  addContact(ox - reach * nx, oy - reach * ny, oz - reach * nz, distance - r, CENTER_FEATURE, 0);
  commitContacts(pair, -nx, -ny, -nz);
}

// Signed distance of the point ox oy oz from the polytope; nx ny nz = outward normal there.
let distance: f64 = 0;

function closestOnBox(): void {
  const hx = slotSize(SLOT_B, 0);
  const hy = slotSize(SLOT_B, 1);
  const hz = slotSize(SLOT_B, 2);
  const x = Math.abs(ox) - hx;
  const y = Math.abs(oy) - hy;
  const z = Math.abs(oz) - hz;
  nx = 0;
  ny = 0;
  nz = 0;
  if (x > 0 || y > 0 || z > 0) {
    const ex = Math.max(x, 0);
    const ey = Math.max(y, 0);
    const ez = Math.max(z, 0);
    distance = Math.sqrt(dot3(ex, ey, ez, ex, ey, ez));
    nx = ox < 0 ? -ex / distance : ex / distance;
    ny = oy < 0 ? -ey / distance : ey / distance;
    nz = oz < 0 ? -ez / distance : ez / distance;
  } else if (x >= y && x >= z) {
    distance = x;
    nx = ox < 0 ? -1 : 1;
  } else if (y >= z) {
    distance = y;
    ny = oy < 0 ? -1 : 1;
  } else {
    distance = z;
    nz = oz < 0 ? -1 : 1;
  }
}

/** As `closestOnBox` for the hull record; farther than `greatest` only a lower bound is found. */
function closestOnHull(hull: usize, greatest: f64): void {
  const planes = hull + <usize>load<i32>(hull, HULL_PLANES);
  const count = load<i32>(hull, HULL_FACE_COUNT);
  let best = 0;
  let height = -Infinity;

  for (let f = 0; f < count; f++) {
    const h = heightOver(planes + ((<usize>f) << 5));
    if (h > height) {
      height = h;
      best = f;
    }
  }
  setNormal(planes + ((<usize>best) << 5));
  distance = height;
  if (height <= 0 || height > greatest || insideFace(hull, best)) return;
  // Closest point over the edges of all faces that see the centre.
  let squared = Infinity;
  let px: f64 = 0;
  let py: f64 = 0;
  let pz: f64 = 0;

  for (let f = 0; f < count; f++) {
    if (heightOver(planes + ((<usize>f) << 5)) <= 0) continue;
    setNormal(planes + ((<usize>f) << 5));
    if (insideFace(hull, f)) {
      distance = heightOver(planes + ((<usize>f) << 5));
      return;
    }
    const first = faceStart(hull, f);
    const last = faceStart(hull, f + 1);
    for (let i = first; i < last; i++) {
      const p = faceVertex(hull, i);
      const q = faceVertex(hull, i + 1 == last ? first : i + 1);
      const ex = load<f64>(q) - load<f64>(p);
      const ey = load<f64>(q, 8) - load<f64>(p, 8);
      const ez = load<f64>(q, 16) - load<f64>(p, 16);
      const x = ox - load<f64>(p);
      const y = oy - load<f64>(p, 8);
      const z = oz - load<f64>(p, 16);
      const t = clamp(dot3(x, y, z, ex, ey, ez) / dot3(ex, ey, ez, ex, ey, ez), 0, 1);
      const qx = x - t * ex;
      const qy = y - t * ey;
      const qz = z - t * ez;
      const d = dot3(qx, qy, qz, qx, qy, qz);
      if (d < squared) {
        squared = d;
        px = qx;
        py = qy;
        pz = qz;
      }
    }
  }
  const length = Math.sqrt(squared);

  if (!(length > 1e-14 * greatest)) {
    setNormal(planes + ((<usize>best) << 5));
    return;
  }
  distance = length;
  nx = px / length;
  ny = py / length;
  nz = pz / length;
}

function heightOver(plane: usize): f64 {
  return load<f64>(plane) * ox + load<f64>(plane, 8) * oy + load<f64>(plane, 16) * oz - load<f64>(plane, 24);
}

function setNormal(plane: usize): void {
  nx = load<f64>(plane);
  ny = load<f64>(plane, 8);
  nz = load<f64>(plane, 16);
}

function faceStart(hull: usize, face: i32): i32 {
  return load<i32>(hull + <usize>load<i32>(hull, HULL_FACE_START) + ((<usize>face) << 2));
}

function faceVertex(hull: usize, index: i32): usize {
  const v = load<i32>(hull + <usize>load<i32>(hull, HULL_INDICES) + ((<usize>index) << 2));
  return hull + <usize>load<i32>(hull, HULL_VERTICES) + <usize>v * 24;
}

/** Whether the point, moved along the normal nx ny nz of the face, falls into it. */
function insideFace(hull: usize, face: i32): bool {
  const first = faceStart(hull, face);
  const last = faceStart(hull, face + 1);
  for (let i = first; i < last; i++) {
    const p = faceVertex(hull, i);
    const q = faceVertex(hull, i + 1 == last ? first : i + 1);
    const ex = load<f64>(q) - load<f64>(p);
    const ey = load<f64>(q, 8) - load<f64>(p, 8);
    const ez = load<f64>(q, 16) - load<f64>(p, 16);
    const x = ox - load<f64>(p);
    const y = oy - load<f64>(p, 8);
    const z = oz - load<f64>(p, 16);
    if (dot3(ey * nz - ez * ny, ez * nx - ex * nz, ex * ny - ey * nx, x, y, z) > 0) return false;
  }
  return true;
}

/** Capsule in slot A, box or hull in slot B. */
function collideCapsule(pair: i32, limit: f64): void {
  const r = slotSize(SLOT_A, 0);
  const half = slotSize(SLOT_A, 1);
  const x = slotPosition(SLOT_A, 0);
  const y = slotPosition(SLOT_A, 1);
  const z = slotPosition(SLOT_A, 2);
  const ax = half * slotAxis(SLOT_A, 0, 1);
  const ay = half * slotAxis(SLOT_A, 1, 1);
  const az = half * slotAxis(SLOT_A, 2, 1);
  // Face over which the axis stays highest.
  const faces = faceCount(SLOT_B);
  let best = 0;
  let height = -Infinity;
  for (let f = 0; f < faces; f++) {
    readFace(SLOT_B, f);
    const h = dot3(faceX, faceY, faceZ, x, y, z) - faceOffset - Math.abs(dot3(faceX, faceY, faceZ, ax, ay, az));
    if (h > height) {
      height = h;
      best = f;
    }
  }
  if (height - r > limit) {
    setClearance(height - r);
    commitContacts(pair, 0, 1, 0);
    return;
  }
  if (height > 0 && lieOnFace(best, height - r + SAME * (r + half))) {
    commitContacts(pair, -faceX, -faceY, -faceZ);
    return;
  }
  startContacts(limit, contactReach);
  const apart = findCoreNormal(limit) - r;
  if (apart <= limit) {
    // Near a face's normal, or overlapping no more along a face's normal than along the best direction.
    const cosine = findFace(SLOT_B, -normalX, -normalY, -normalZ);
    const along = separationAlong(-faceX, -faceY, -faceZ);
    if ((cosine > LYING_COSINE || along >= apart - SAME * (r + half)) && along <= limit) {
      addFaceContacts(SLOT_B, faceX, faceY, faceZ);
      if (reachesDownTo(apart + BESIDE_SHARE * r)) {
        findFace(SLOT_B, -normalX, -normalY, -normalZ);
        commitContacts(pair, -faceX, -faceY, -faceZ);
        return;
      }
      // Its lowest end lies beside the face, on an edge of it: clipped away, what is left may not even touch.
      startContacts(limit, contactReach);
    }
    if (!addLineContacts(normalX, normalY, normalZ) || contactCount() == 0) addPointContact(apart);
  } else setClearance(separationAlong(normalX, normalY, normalZ));
  commitContacts(pair, normalX, normalY, normalZ);
}

/**
 * Contacts of the capsule lying on face `face` of B; false when its lowest part (gap up
 * to `lowest`) lies beside the face.
 */
function lieOnFace(face: i32, lowest: f64): bool {
  readFace(SLOT_B, face);
  addFaceContacts(SLOT_B, faceX, faceY, faceZ);
  return reachesDownTo(lowest);
}
