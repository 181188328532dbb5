// Contact points from two supporting features: the reference feature is flat and square to the normal
// (polygon or disc), the other one is clipped by it; or two lines side by side; or one point.
//
// In: slots of support.ts, reference slot and its outward unit normal N, greatest gap. Out: a list of contacts
// in the working frame (middle between the surfaces, gap along N, feature id, mask of triangle edges).
// Discs are exact: their corners are rim points inside the polygon, polygon corners inside the disc, and the
// crossings of both outlines. A standing disc has its rim points at fixed places of its own, a tilted one
// counts them from its deepest point.

import { dot3, sqr } from '../math/vector';
import { copyWords } from '../memory';
import { addCandidate, clearCandidates, commitManifold } from '../narrow/manifold';
import {
  faceIndex,
  faceX,
  faceY,
  faceZ,
  findFace,
  ox,
  oy,
  oz,
  SLOT_A,
  SLOT_B,
  slotKind,
  TRIANGLE,
  toWorld,
  turnToWorld,
} from './support';
import {
  axisX,
  axisY,
  axisZ,
  CLIPPED,
  discRadius,
  discX,
  discY,
  discZ,
  firstX,
  firstY,
  firstZ,
  INCIDENT,
  isCap,
  isPolytope,
  loadDisc,
  loadPolygon,
  loadSegment,
  POLYGON_LIMIT,
  putVertex,
  REFERENCE,
  RIM,
  secondX,
  secondY,
  secondZ,
  sideRadius,
  VERTEX_BYTES,
} from './support-feature';

const CONTACT_LIMIT = 48;
/** Two discs or a disc and a face count as parallel below this slope: rim points stay at fixed places. */
const STANDING_SLOPE: f64 = 1e-3;
/** A disc reaching beyond another by less than this share of its radius counts as inside: equal stacked discs. */
const RIM_SHARE: f64 = 1e-3;
/** Lines at a smaller sine lie side by side and touch at two points. */
const PARALLEL_SINE: f64 = 0.05;
/** A corner outside a side plane by less than this share of the side's length is inside. */
const CLIP_SHARE: f64 = 1e-9;
/** First id of crossings of two outlines. */
export const CROSSING: i32 = 0x10000;

const CONTACTS: usize = memory.data(48 * 40, 16);
let count: i32 = 0;
let limit: f64 = 0;
let nearLimit: f64 = 0;

/**
 * Empties the list; contacts with a gap above `greatest` [m] are not taken, nor any when none is up to `nearest` [m].
 */
export function startContacts(nearest: f64, greatest: f64 = nearest): void {
  count = 0;
  nearLimit = nearest;
  limit = greatest;
}

export function contactCount(): i32 {
  return count;
}

/** Address of contact `i`: x y z gap (f64), feature, mask (i32). */
export function contactAt(i: i32): usize {
  return CONTACTS + <usize>i * 40;
}

/** Whether a contact has a gap up to `lowest` [m]. */
export function reachesDownTo(lowest: f64): bool {
  for (let i = 0; i < count; i++) if (load<f64>(contactAt(i), 24) <= lowest) return true;
  return false;
}

/** Adds a contact if it is near enough. */
export function addContact(x: f64, y: f64, z: f64, gap: f64, feature: i32, mask: i32): void {
  if (!(gap <= limit) || count == CONTACT_LIMIT) return;
  const at = contactAt(count++);
  store<f64>(at, x);
  store<f64>(at, y, 8);
  store<f64>(at, z, 16);
  store<f64>(at, gap, 24);
  store<i32>(at, feature, 32);
  store<i32>(at, mask, 36);
}

/** Makes the list the manifold of `pair`; (nx, ny, nz) is the unit normal A → B in the working frame. */
export function commitContacts(pair: i32, nx: f64, ny: f64, nz: f64): void {
  clearCandidates();
  let isNear = limit == nearLimit;
  for (let i = 0; i < count && !isNear; i++) isNear = load<f64>(contactAt(i), 24) <= nearLimit;
  if (!isNear) count = 0;
  for (let i = 0; i < count; i++) {
    const p = contactAt(i);
    toWorld(load<f64>(p), load<f64>(p, 8), load<f64>(p, 16));
    addCandidate(ox, oy, oz, load<f64>(p, 24), load<i32>(p, 32));
  }
  turnToWorld(nx, ny, nz);
  commitManifold(pair, ox, oy, oz);
}

/** Id of the crossing of edge `i` of the reference with the line between two vertices. */
function crossingId(p: usize, q: usize, i: i32): i32 {
  const a = load<i32>(p, 24);
  const b = load<i32>(q, 24);
  return CROSSING + ((min(a, b) * 0x9e5 + max(a, b) * 0x2b + i * 0x5bd) & 0xffff);
}

/**
 * Contacts of the face last found by `findFace` (or `readFace`) on slot `reference` with the other slot.
 * (nx, ny, nz) is the face's outward unit normal.
 */
export function addFaceContacts(reference: usize, nx: f64, ny: f64, nz: f64): void {
  const other = reference == SLOT_A ? SLOT_B : SLOT_A;
  const flat = isPolytope(reference);
  if (flat) {
    const corners = loadPolygon(reference, faceIndex, REFERENCE);
    if (isPolytope(other)) {
      findFace(other, -nx, -ny, -nz);
      clipPolygon(loadPolygon(other, faceIndex, INCIDENT), reference, corners, nx, ny, nz);
    } else if (isCap(other, -nx, -ny, -nz)) {
      loadDisc(other, -nx, -ny, -nz);
      meetDisc(REFERENCE, corners, nx, ny, nz, -nx, -ny, -nz);
    } else {
      loadSegment(other, -nx, -ny, -nz, INCIDENT);
      clipPolygon(2, reference, corners, nx, ny, nz);
    }
    return;
  }
  if (isPolytope(other)) {
    findFace(other, -nx, -ny, -nz);
    const corners = loadPolygon(other, faceIndex, INCIDENT);
    loadDisc(reference, nx, ny, nz);
    meetDisc(INCIDENT, corners, faceX, faceY, faceZ, nx, ny, nz);
  } else if (isCap(other, -nx, -ny, -nz)) {
    meetDiscs(reference, other, nx, ny, nz);
  } else {
    loadSegment(other, -nx, -ny, -nz, INCIDENT);
    loadDisc(reference, nx, ny, nz);
    clipByDisc(nx, ny, nz);
  }
}

/** Clips the `n` vertices of INCIDENT (2: a segment) by the sides of the polygon in REFERENCE. Sutherland–Hodgman. */
function clipPolygon(n: i32, reference: usize, corners: i32, nx: f64, ny: f64, nz: f64): void {
  let from = INCIDENT;
  let to = CLIPPED;
  const segment = n == 2;
  const ofTriangle = slotKind(reference) == TRIANGLE;

  for (let i = 0; i < corners && n > 0; i++) {
    const v = REFERENCE + ((<usize>i) << 5);
    const w = REFERENCE + ((<usize>(i + 1 == corners ? 0 : i + 1)) << 5);
    const vx = load<f64>(v);
    const vy = load<f64>(v, 8);
    const vz = load<f64>(v, 16);
    const ex = load<f64>(w) - vx;
    const ey = load<f64>(w, 8) - vy;
    const ez = load<f64>(w, 16) - vz;
    const length = Math.sqrt(dot3(ex, ey, ez, ex, ey, ez));
    if (length == 0) continue;
    // Outward normal of the side plane.
    const ox = (ey * nz - ez * ny) / length;
    const oy = (ez * nx - ex * nz) / length;
    const oz = (ex * ny - ey * nx) / length;
    const offset = dot3(ox, oy, oz, vx, vy, vz);
    const tolerance = CLIP_SHARE * length;
    const bit = ofTriangle ? 1 << i : 0;
    let kept = 0;
    const lines = segment ? n - 1 : n;
    for (let k = 0; k < n; k++) {
      const p = from + ((<usize>k) << 5);
      const dp = dot3(ox, oy, oz, load<f64>(p), load<f64>(p, 8), load<f64>(p, 16)) - offset;
      if (dp <= tolerance && kept < 2 * POLYGON_LIMIT) {
        copyWords(to + ((<usize>kept) << 5), p, VERTEX_BYTES);
        kept++;
      }
      if (k >= lines) continue;
      const q = from + ((<usize>(k + 1 == n ? 0 : k + 1)) << 5);
      const dq = dot3(ox, oy, oz, load<f64>(q), load<f64>(q, 8), load<f64>(q, 16)) - offset;
      if (dp <= tolerance == dq <= tolerance || kept >= 2 * POLYGON_LIMIT) continue;
      const t = dp / (dp - dq);
      putVertex(
        to,
        kept++,
        load<f64>(p) + t * (load<f64>(q) - load<f64>(p)),
        load<f64>(p, 8) + t * (load<f64>(q, 8) - load<f64>(p, 8)),
        load<f64>(p, 16) + t * (load<f64>(q, 16) - load<f64>(p, 16)),
        crossingId(p, q, i),
        (load<i32>(p, 28) & load<i32>(q, 28)) | bit,
      );
    }
    n = kept;
    const swap = from;
    from = to;
    to = swap;
  }
  // Heights over the reference plane; the contact is the middle between the vertex and its foot.
  const plane = dot3(nx, ny, nz, load<f64>(REFERENCE), load<f64>(REFERENCE, 8), load<f64>(REFERENCE, 16));

  for (let k = 0; k < n; k++) {
    const p = from + ((<usize>k) << 5);
    const x = load<f64>(p);
    const y = load<f64>(p, 8);
    const z = load<f64>(p, 16);
    const gap = dot3(nx, ny, nz, x, y, z) - plane;
    const half = 0.5 * gap;
    addContact(x - half * nx, y - half * ny, z - half * nz, gap, load<i32>(p, 24), load<i32>(p, 28));
  }
}

// Rim points: cosine and sine of multiples of 45°; the even ones first, they suffice when all lie inside.
function rimCosine(k: i32): f64 {
  const diagonal = Math.SQRT1_2;
  return k == 0 ? 1 : k == 2 ? -1 : k == 1 || k == 3 ? 0 : k == 4 || k == 7 ? diagonal : -diagonal;
}

function rimSine(k: i32): f64 {
  const diagonal = Math.SQRT1_2;
  return k == 1 ? 1 : k == 3 ? -1 : k == 0 || k == 2 ? 0 : k <= 5 ? diagonal : -diagonal;
}

// Directions of rim points 0 and 1 in the disc's plane, as (first, second) coordinates.
let rimU: f64 = 1;
let rimV: f64 = 0;
let rimId: i32 = 0;

/** Chooses where the rim points lie, given the outward unit normal M of the plane that the disc meets. */
function aimRim(mx: f64, my: f64, mz: f64): void {
  const u = dot3(mx, my, mz, firstX, firstY, firstZ);
  const v = dot3(mx, my, mz, secondX, secondY, secondZ);
  const slope = Math.sqrt(u * u + v * v);
  if (slope < STANDING_SLOPE) {
    rimU = 1;
    rimV = 0;
    rimId = RIM;
  } else {
    rimU = -u / slope;
    rimV = -v / slope;
    rimId = RIM + 8;
  }
}

// The polygon in the disc's plane, relative to its centre: u, v, gap.
const FLAT: usize = memory.data(64 * 24, 16);

function flatU(i: i32): f64 {
  return load<f64>(FLAT + <usize>i * 24);
}

function flatV(i: i32): f64 {
  return load<f64>(FLAT + <usize>i * 24, 8);
}

function flatGap(i: i32): f64 {
  return load<f64>(FLAT + <usize>i * 24, 16);
}

// Direction from the disc to the other feature.
let towardX: f64 = 0;
let towardY: f64 = 0;
let towardZ: f64 = 0;

/** Adds the contact over the point (u, v) of the disc's plane. */
function addOnDisc(u: f64, v: f64, gap: f64, feature: i32, mask: i32): void {
  const half = 0.5 * gap;
  addContact(
    discX + u * firstX + v * secondX + half * towardX,
    discY + u * firstY + v * secondY + half * towardY,
    discZ + u * firstZ + v * secondZ + half * towardZ,
    gap,
    feature,
    mask,
  );
}

/**
 * The loaded disc and the polygon of `corners` vertices with outward unit normal M; u = unit direction from
 * disc to polygon. The polygon is projected along u on the disc's plane, where the disc is a circle.
 */
function meetDisc(polygon: usize, corners: i32, mx: f64, my: f64, mz: f64, ux: f64, uy: f64, uz: f64): void {
  towardX = ux;
  towardY = uy;
  towardZ = uz;
  const lean = dot3(axisX, axisY, axisZ, ux, uy, uz);
  let turn: f64 = 0;

  for (let i = 0; i < corners; i++) {
    const p = polygon + ((<usize>i) << 5);
    const x = load<f64>(p) - discX;
    const y = load<f64>(p, 8) - discY;
    const z = load<f64>(p, 16) - discZ;
    const gap = dot3(axisX, axisY, axisZ, x, y, z) / lean;
    const at = FLAT + <usize>i * 24;
    store<f64>(at, dot3(firstX, firstY, firstZ, x - gap * ux, y - gap * uy, z - gap * uz));
    store<f64>(at, dot3(secondX, secondY, secondZ, x - gap * ux, y - gap * uy, z - gap * uz), 8);
    store<f64>(at, gap, 16);
  }

  for (let i = 0; i < corners; i++) {
    const j = i + 1 == corners ? 0 : i + 1;
    turn += flatU(i) * flatV(j) - flatU(j) * flatV(i);
  }
  const sense: f64 = turn < 0 ? -1 : 1;
  const r2 = discRadius * discRadius;

  // Corners inside the disc, and crossings of the sides with the circle.
  for (let i = 0; i < corners; i++) {
    const j = i + 1 == corners ? 0 : i + 1;
    const p = polygon + ((<usize>i) << 5);
    const q = polygon + ((<usize>j) << 5);
    const u = flatU(i);
    const v = flatV(i);
    const du = flatU(j) - u;
    const dv = flatV(j) - v;
    if (u * u + v * v <= r2) addOnDisc(u, v, flatGap(i), load<i32>(p, 24), load<i32>(p, 28));
    const a = du * du + dv * dv;
    const b = u * du + v * dv;
    const discriminant = b * b - a * (u * u + v * v - r2);
    if (!(discriminant > 0)) continue;
    const root = Math.sqrt(discriminant);
    const common = load<i32>(p, 28) & load<i32>(q, 28);
    for (let side = 0; side < 2; side++) {
      const t = ((side == 0 ? -root : root) - b) / a;
      if (t < 0 || t > 1) continue;
      const gap = flatGap(i) + t * (flatGap(j) - flatGap(i));
      addOnDisc(u + t * du, v + t * dv, gap, crossingId(p, q, side + 7), common);
    }
  }
  // Rim points inside the polygon: four when all are, else eight.
  aimRim(mx, my, mz);
  const steep = dot3(mx, my, mz, ux, uy, uz);
  if (!(steep < -0.02)) return;
  const plane = dot3(
    mx,
    my,
    mz,
    load<f64>(polygon) - discX,
    load<f64>(polygon, 8) - discY,
    load<f64>(polygon, 16) - discZ,
  );
  let last = 4;

  for (let k = 0; k < last; k++) {
    const c = discRadius * rimCosine(k);
    const s = discRadius * rimSine(k);
    const u = c * rimU - s * rimV;
    const v = c * rimV + s * rimU;
    let inside = true;
    for (let i = 0; i < corners && inside; i++) {
      const j = i + 1 == corners ? 0 : i + 1;
      const du = flatU(j) - flatU(i);
      const dv = flatV(j) - flatV(i);
      inside = sense * (du * (v - flatV(i)) - dv * (u - flatU(i))) >= 0;
    }
    if (!inside) {
      last = 8;
      continue;
    }
    const lift = u * dot3(mx, my, mz, firstX, firstY, firstZ) + v * dot3(mx, my, mz, secondX, secondY, secondZ);
    addOnDisc(u, v, (plane - lift) / steep, rimId + k, 0);
  }
}

// First disc of a pair of discs: centre, two unit vectors, radius.
const DISC: usize = memory.data(80, 16);

/** Two caps. Parallel: the lens of two circles; else the other's rim as a polygon of sixteen corners. */
function meetDiscs(reference: usize, other: usize, nx: f64, ny: f64, nz: f64): void {
  loadDisc(other, -nx, -ny, -nz);
  const cx = discX;
  const cy = discY;
  const cz = discZ;
  const mx = axisX;
  const my = axisY;
  const mz = axisZ;
  const radius = discRadius;
  // Slope of the other disc against the normal.
  const tx = my * nz - mz * ny;
  const ty = mz * nx - mx * nz;
  const tz = mx * ny - my * nx;

  if (dot3(tx, ty, tz, tx, ty, tz) > STANDING_SLOPE * STANDING_SLOPE) {
    aimRim(nx, ny, nz);
    for (let k = 0; k < 16; k++) {
      const c = radius * fineCosine(k);
      const s = radius * fineCosine(k - 4);
      const u = c * rimU - s * rimV;
      const v = c * rimV + s * rimU;
      putVertex(
        INCIDENT,
        k,
        cx + u * firstX + v * secondX,
        cy + u * firstY + v * secondY,
        cz + u * firstZ + v * secondZ,
        RIM + 16 + k,
        0,
      );
    }
    loadDisc(reference, nx, ny, nz);
    meetDisc(INCIDENT, 16, mx, my, mz, nx, ny, nz);
    return;
  }
  store<f64>(DISC, firstX);
  store<f64>(DISC, firstY, 8);
  store<f64>(DISC, firstZ, 16);
  store<f64>(DISC, secondX, 24);
  store<f64>(DISC, secondY, 32);
  store<f64>(DISC, secondZ, 40);
  loadDisc(reference, nx, ny, nz);
  towardX = nx;
  towardY = ny;
  towardZ = nz;
  // Centre and axes of the other disc in the plane of the reference.
  const du = dot3(cx - discX, cy - discY, cz - discZ, firstX, firstY, firstZ);
  const dv = dot3(cx - discX, cy - discY, cz - discZ, secondX, secondY, secondZ);
  const height = dot3(cx - discX, cy - discY, cz - discZ, mx, my, mz);
  const steep = dot3(mx, my, mz, nx, ny, nz);
  const gu = dot3(mx, my, mz, firstX, firstY, firstZ);
  const gv = dot3(mx, my, mz, secondX, secondY, secondZ);
  const ou = dot3(load<f64>(DISC), load<f64>(DISC, 8), load<f64>(DISC, 16), firstX, firstY, firstZ);
  const ov = dot3(load<f64>(DISC), load<f64>(DISC, 8), load<f64>(DISC, 16), secondX, secondY, secondZ);
  const pu = dot3(load<f64>(DISC, 24), load<f64>(DISC, 32), load<f64>(DISC, 40), firstX, firstY, firstZ);
  const pv = dot3(load<f64>(DISC, 24), load<f64>(DISC, 32), load<f64>(DISC, 40), secondX, secondY, secondZ);
  const distance = Math.sqrt(du * du + dv * dv);
  const slack = RIM_SHARE * Math.min(radius, discRadius);
  const ownInside = distance + discRadius <= radius + slack;
  const otherInside = !ownInside && distance + radius <= discRadius + slack;
  const points = ownInside || otherInside ? 4 : 8;

  for (let k = 0; k < points; k++) {
    if (!otherInside) {
      const u = discRadius * rimCosine(k);
      const v = discRadius * rimSine(k);
      if (sqr(u - du) + sqr(v - dv) <= sqr(radius + slack)) {
        addOnDisc(u, v, (height - u * gu - v * gv) / steep, RIM + k, 0);
      }
    }
    if (!ownInside) {
      const c = radius * rimCosine(k);
      const s = radius * rimSine(k);
      const u = du + c * ou + s * pu;
      const v = dv + c * ov + s * pv;
      if (u * u + v * v <= sqr(discRadius + slack)) {
        addOnDisc(u, v, (height - u * gu - v * gv) / steep, RIM + 64 + k, 0);
      }
    }
  }
  if (ownInside || otherInside || distance == 0) return;
  // Corners of the lens: on the line of equal power of the two circles.
  const along = (distance * distance + discRadius * discRadius - radius * radius) / (2 * distance);
  const across = discRadius * discRadius - along * along;
  if (!(across > 0)) return;
  const half = Math.sqrt(across);

  for (let side = 0; side < 2; side++) {
    const s = side == 0 ? half : -half;
    const u = (du * along - dv * s) / distance;
    const v = (dv * along + du * s) / distance;
    addOnDisc(u, v, (height - u * gu - v * gv) / steep, RIM + 128 + side, 0);
  }
}

/** cos(k · 22.5°). */
function fineCosine(k: i32): f64 {
  const m = k & 15;
  const f = m > 8 ? 16 - m : m;
  const c = f > 4 ? 8 - f : f;
  const value = c == 0 ? 1 : c == 1 ? 0.9238795325112867 : c == 2 ? Math.SQRT1_2 : c == 3 ? 0.3826834323650898 : 0;
  return f > 4 ? -value : value;
}

/** The segment in INCIDENT over the loaded disc: its part inside the circle. */
function clipByDisc(nx: f64, ny: f64, nz: f64): void {
  const q = INCIDENT + 32;
  const x = load<f64>(INCIDENT) - discX;
  const y = load<f64>(INCIDENT, 8) - discY;
  const z = load<f64>(INCIDENT, 16) - discZ;
  const ex = load<f64>(q) - load<f64>(INCIDENT);
  const ey = load<f64>(q, 8) - load<f64>(INCIDENT, 8);
  const ez = load<f64>(q, 16) - load<f64>(INCIDENT, 16);
  const u = dot3(x, y, z, firstX, firstY, firstZ);
  const v = dot3(x, y, z, secondX, secondY, secondZ);
  const du = dot3(ex, ey, ez, firstX, firstY, firstZ);
  const dv = dot3(ex, ey, ez, secondX, secondY, secondZ);
  const a = du * du + dv * dv;
  const b = u * du + v * dv;
  const c = u * u + v * v - discRadius * discRadius;
  let from: f64 = 0;
  let to: f64 = 1;
  if (a > 0) {
    const discriminant = b * b - a * c;
    if (discriminant < 0) return;
    const root = Math.sqrt(discriminant);
    from = Math.max(0, (-b - root) / a);
    to = Math.min(1, (root - b) / a);
    if (from > to) return;
  } else if (c > 0) return;
  for (let side = 0; side < 2; side++) {
    const t = side == 0 ? from : to;
    const gap = dot3(x + t * ex, y + t * ey, z + t * ez, nx, ny, nz);
    const half = 0.5 * gap;
    addContact(
      load<f64>(INCIDENT) + t * ex - half * nx,
      load<f64>(INCIDENT, 8) + t * ey - half * ny,
      load<f64>(INCIDENT, 16) + t * ez - half * nz,
      gap,
      load<i32>(INCIDENT + ((<usize>side) << 5), 24),
      0,
    );
  }
}

/**
 * Two supporting lines that run side by side: two contacts at the ends of their common part. False, and no
 * contact, when the lines cross or do not overlap. n = unit direction A → B.
 */
export function addLineContacts(nx: f64, ny: f64, nz: f64): bool {
  if (isCap(SLOT_A, nx, ny, nz) || isCap(SLOT_B, -nx, -ny, -nz)) return false;
  loadSegment(SLOT_A, nx, ny, nz, REFERENCE);
  loadSegment(SLOT_B, -nx, -ny, -nz, INCIDENT);
  const ax = load<f64>(REFERENCE);
  const ay = load<f64>(REFERENCE, 8);
  const az = load<f64>(REFERENCE, 16);
  let ex = load<f64>(REFERENCE, 32) - ax;
  let ey = load<f64>(REFERENCE, 40) - ay;
  let ez = load<f64>(REFERENCE, 48) - az;
  const length = Math.sqrt(dot3(ex, ey, ez, ex, ey, ez));
  ex /= length;
  ey /= length;
  ez /= length;
  const bx = load<f64>(INCIDENT);
  const by = load<f64>(INCIDENT, 8);
  const bz = load<f64>(INCIDENT, 16);
  const fx = load<f64>(INCIDENT, 32) - bx;
  const fy = load<f64>(INCIDENT, 40) - by;
  const fz = load<f64>(INCIDENT, 48) - bz;
  const other = Math.sqrt(dot3(fx, fy, fz, fx, fy, fz));
  const run = dot3(ex, ey, ez, fx, fy, fz);
  if (!(Math.abs(run) > other * Math.sqrt(1 - PARALLEL_SINE * PARALLEL_SINE))) return false;
  // Places of B's ends along A.
  const b0 = dot3(bx - ax, by - ay, bz - az, ex, ey, ez);
  const b1 = b0 + run;
  const from = Math.max(0, Math.min(b0, b1));
  const to = Math.min(length, Math.max(b0, b1));
  if (!(to - from > 1e-3 * Math.min(length, other))) return false;
  const bend = sideRadius(SLOT_A) + sideRadius(SLOT_B);
  const mask = load<i32>(INCIDENT, 28) & load<i32>(INCIDENT, 60);
  for (let side = 0; side < 2; side++) {
    const s = side == 0 ? from : to;
    const t = (s - b0) / run;
    const px = ax + s * ex;
    const py = ay + s * ey;
    const pz = az + s * ez;
    const dx = bx + t * fx - px;
    const dy = by + t * fy - py;
    const dz = bz + t * fz - pz;
    let gap = dot3(dx, dy, dz, nx, ny, nz);
    // Where round sides lie beside each other their surfaces bend away: offset² / (2 · sum of radii).
    if (bend > 0) gap += Math.max(0, dot3(dx, dy, dz, dx, dy, dz) - gap * gap) / (2 * bend);
    addContact(px + 0.5 * dx, py + 0.5 * dy, pz + 0.5 * dz, gap, RIM + 256 + side, mask);
  }
  return true;
}
