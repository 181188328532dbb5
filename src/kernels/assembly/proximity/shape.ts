// Signed distance from a point to a shape in the shape's own frame, and the lowest point of an edge over it.
//
// In: a shape by `chooseShape` or a triangle by `chooseTriangle`. Out: distance (negative inside; triangles have no
// inside), gradient = unit normal away from the shape. The distance to a convex set is a convex function, so along an
// edge it has one lowest stretch, and the tangents at two places bracket both its place and, from below, its value
// (cutting planes, J. Kelley 1960, here in one dimension). One function for all shapes replaces a table of segment
// tests, works at any depth, and gives a certain lower bound, which refuses far edges after a look or two.

import {
  HULL_FACE_COUNT,
  HULL_FACE_START,
  HULL_INDICES,
  HULL_PLANES,
  HULL_VERTEX_COUNT,
  HULL_VERTICES,
  RIMMED_KINDS,
  ROUND_KINDS,
  SHAPE_BOX_KIND,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_DATA,
  SHAPE_HULL,
  SHAPE_KIND,
  SHAPE_PARAMETER,
  SHAPE_PLANE,
  SHAPE_SPHERE,
} from '../../../state/layout';
import { INSIDE, placeInTriangle, placeV, placeW } from '../math/triangle';
import { clamp, dot3 } from '../math/vector';
import { column, getI32 } from '../memory';
import { farthestCorner, heightOver, highestPlaneAt } from '../shapes/hull-scan';
import { isOneOf } from '../shapes/kinds';

/** Beside the SHAPE_* kinds. */
const TRIANGLE: i32 = 16;
/** Places looked at along an edge at most. */
const LOOKS: i32 = 40;

let kind: i32 = 0;
let p0: f64 = 0;
let p1: f64 = 0;
let p2: f64 = 0;
let record: usize = 0;
// Corners of the triangle (addresses of f64×3) and its unit normal.
let ta: usize = 0;
let tb: usize = 0;
let tc: usize = 0;
export let faceX: f64 = 0;
export let faceY: f64 = 1;
export let faceZ: f64 = 0;

/** Gradient of the distance that `measure` found. */
export let gradX: f64 = 0;
export let gradY: f64 = 1;
export let gradZ: f64 = 0;
/** Place of the lowest point that `lowestOnEdge` found, 0..1. */
export let lowestPlace: f64 = 0;

/** Chooses a shape other than a mesh. */
export function chooseShape(shape: i32): void {
  kind = getI32(column(SHAPE_KIND), shape);
  const size = column(SHAPE_PARAMETER) + ((<usize>shape) << 5);
  p0 = load<f64>(size);
  p1 = load<f64>(size, 8);
  p2 = load<f64>(size, 16);
  record = <usize>getI32(column(SHAPE_DATA), shape);
}

/** Chooses a triangle with corners at three addresses; false when it has no area. */
export function chooseTriangle(a: usize, b: usize, c: usize): bool {
  kind = TRIANGLE;
  ta = a;
  tb = b;
  tc = c;
  const ux = load<f64>(b) - load<f64>(a);
  const uy = load<f64>(b, 8) - load<f64>(a, 8);
  const uz = load<f64>(b, 16) - load<f64>(a, 16);
  const vx = load<f64>(c) - load<f64>(a);
  const vy = load<f64>(c, 8) - load<f64>(a, 8);
  const vz = load<f64>(c, 16) - load<f64>(a, 16);
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const area = sqrt(dot3(nx, ny, nz, nx, ny, nz));
  if (!(area > 1e-12 * (dot3(ux, uy, uz, ux, uy, uz) + dot3(vx, vy, vz, vx, vy, vz)))) return false;
  faceX = nx / area;
  faceY = ny / area;
  faceZ = nz / area;
  return true;
}

/** Height of a point over the plane of the triangle [m]. */
export function heightOverFace(x: f64, y: f64, z: f64): f64 {
  return dot3(x - load<f64>(ta), y - load<f64>(ta, 8), z - load<f64>(ta, 16), faceX, faceY, faceZ);
}

/** Whether the shape has flat faces on which an edge may lie; on balls and capsules none does. */
export function hasFaces(): bool {
  return !isOneOf(kind, ROUND_KINDS);
}

/** Puts back one that was measured before. */
export function setGradient(x: f64, y: f64, z: f64): void {
  gradX = x;
  gradY = y;
  gradZ = z;
}

// The farthest point of the shape that `support` found.
export let supportX: f64 = 0;
export let supportY: f64 = 0;
export let supportZ: f64 = 0;

function setSupport(x: f64, y: f64, z: f64): void {
  supportX = x;
  supportY = y;
  supportZ = z;
}

/** Finds the point of the shape that lies farthest along a unit direction; not for planes. */
export function support(x: f64, y: f64, z: f64): void {
  if (kind == SHAPE_SPHERE) {
    setSupport(p0 * x, p0 * y, p0 * z);
  } else if (kind == SHAPE_CAPSULE) {
    setSupport(p0 * x, p0 * y + copysign(p1, y), p0 * z);
  } else if (kind == SHAPE_BOX_KIND) {
    setSupport(copysign(p0, x), copysign(p1, y), copysign(p2, z));
  } else if (isOneOf(kind, RIMMED_KINDS)) {
    const out = sqrt(x * x + z * z);
    const share = out > 0 ? p0 / out : 0;
    // Apex or rim of a cone: whichever lies farther.
    if (kind == SHAPE_CONE && y * p1 >= p0 * out - y * p1) setSupport(0, p1, 0);
    else setSupport(share * x, kind == SHAPE_CONE ? -p1 : copysign(p1, y), share * z);
  } else if (kind == SHAPE_HULL) {
    const best = farthestCorner(record, x, y, z);
    setSupport(load<f64>(best), load<f64>(best, 8), load<f64>(best, 16));
  } else {
    let best = ta;
    let height = heightOf(ta, x, y, z);
    if (heightOf(tb, x, y, z) > height) {
      height = heightOf(tb, x, y, z);
      best = tb;
    }
    if (heightOf(tc, x, y, z) > height) best = tc;
    setSupport(load<f64>(best), load<f64>(best, 8), load<f64>(best, 16));
  }
}

/** Points that stand for the round rim of a base that lies flat. */
const RIM: i32 = 8;
/** Sines of the angle to a base: up to the first it lies flat, from the second on it has a lowest point besides. */
const FLAT_BASE: f64 = 0.02;
const TILTED_BASE: f64 = 0.002;

/**
 * How many points of the shape may bear a face that lies over it along a unit direction: corners of boxes and hulls,
 * ends of what is round; 0: it bears with its farthest point alone (balls). Not for planes and triangles.
 */
export function cornerCount(): i32 {
  if (kind == SHAPE_BOX_KIND) return 8;
  if (kind == SHAPE_CAPSULE) return 2;
  if (isOneOf(kind, RIMMED_KINDS)) return 2 + RIM;
  return kind == SHAPE_HULL ? load<i32>(record, HULL_VERTEX_COUNT) : 0;
}

/** Sets the farthest point to one of these corners; false where it does not bear along this direction. */
export function takeCorner(i: i32, x: f64, y: f64, z: f64): bool {
  if (kind == SHAPE_BOX_KIND) {
    setSupport(i & 1 ? p0 : -p0, i & 2 ? p1 : -p1, i & 4 ? p2 : -p2);
  } else if (kind == SHAPE_CAPSULE) {
    setSupport(p0 * x, p0 * y + (i == 0 ? p1 : -p1), p0 * z);
  } else if (kind == SHAPE_HULL) {
    const v = record + <usize>load<i32>(record, HULL_VERTICES) + <usize>i * 24;
    setSupport(load<f64>(v), load<f64>(v, 8), load<f64>(v, 16));
  } else {
    return takeTurnedCorner(i, x, y, z);
  }
  return true;
}

/** Of a cylinder or cone: the lowest point of either base, or a cone's tip (0, 1), then the rim of a flat base. */
function takeTurnedCorner(i: i32, x: f64, y: f64, z: f64): bool {
  const out = sqrt(x * x + z * z);
  const isCone = kind == SHAPE_CONE;
  if (i < 2) {
    if (isCone && i == 0) setSupport(0, p1, 0);
    else if (out < TILTED_BASE) return false;
    else setSupport((p0 * x) / out, i == 0 ? p1 : -p1, (p0 * z) / out);
    return true;
  }
  if (out > FLAT_BASE || (isCone && y > 0)) return false;
  // Corners of an octagon.
  const k = i - 2;
  const c = k & 1 ? p0 * Math.SQRT1_2 : p0;
  const along = (k & 3) == 3 ? -c : (k & 3) == 2 ? 0 : c;
  const across = (k & 3) == 0 ? 0 : c;
  const way: f64 = k & 4 ? -1 : 1;
  setSupport(way * along, copysign(p1, y), way * across);
  return true;
}

function heightOf(at: usize, x: f64, y: f64, z: f64): f64 {
  return dot3(load<f64>(at), load<f64>(at, 8), load<f64>(at, 16), x, y, z);
}

/** Distance from the point to the shape [m]; sets the gradient. */
export function measure(x: f64, y: f64, z: f64): f64 {
  if (kind == SHAPE_SPHERE) return measureBall(x, y, z, p0);
  if (kind == SHAPE_CAPSULE) return measureBall(x, y - clamp(y, -p1, p1), z, p0);
  if (kind == SHAPE_BOX_KIND) return measureBox(x, y, z);
  if (kind == SHAPE_PLANE) {
    setGradient(p0, p1, p2);
    return p0 * x + p1 * y + p2 * z;
  }
  if (isOneOf(kind, RIMMED_KINDS)) return measureTurned(x, y, z);
  if (kind == SHAPE_HULL) return measureHull(x, y, z);
  return measureTriangle(x, y, z);
}

function measureBall(x: f64, y: f64, z: f64, radius: f64): f64 {
  const distance = sqrt(dot3(x, y, z, x, y, z));
  // At the very middle any direction across the axis is as good.
  if (distance > 1e-12 * radius) setGradient(x / distance, y / distance, z / distance);
  else setGradient(1, 0, 0);
  return distance - radius;
}

function measureBox(x: f64, y: f64, z: f64): f64 {
  const dx = abs(x) - p0;
  const dy = abs(y) - p1;
  const dz = abs(z) - p2;
  if (dx > 0 || dy > 0 || dz > 0) {
    const ex = max(dx, 0.0);
    const ey = max(dy, 0.0);
    const ez = max(dz, 0.0);
    const distance = sqrt(dot3(ex, ey, ez, ex, ey, ez));
    setGradient(copysign(ex / distance, x), copysign(ey / distance, y), copysign(ez / distance, z));
    return distance;
  }
  if (dx >= dy && dx >= dz) {
    setGradient(x < 0 ? -1 : 1, 0, 0);
    return dx;
  }
  if (dy >= dz) {
    setGradient(0, y < 0 ? -1 : 1, 0);
    return dy;
  }
  setGradient(0, 0, z < 0 ? -1 : 1);
  return dz;
}

/** Cylinder, cone (axis y): distance to the profile in the half-plane through the point. */
function measureTurned(x: f64, y: f64, z: f64): f64 {
  const out = sqrt(x * x + z * z);
  const ux = out > 0 ? x / out : 1;
  const uz = out > 0 ? z / out : 0;
  let radial: f64 = 0;
  let axial: f64 = 0;
  let distance: f64 = 0;
  if (kind == SHAPE_CYLINDER) {
    const side = out - p0;
    const cap = abs(y) - p1;
    const up: f64 = y < 0 ? -1 : 1;
    if (side > 0 && cap > 0) {
      distance = sqrt(side * side + cap * cap);
      radial = side / distance;
      axial = (up * cap) / distance;
    } else if (side >= cap) {
      distance = side;
      radial = 1;
    } else {
      distance = cap;
      axial = up;
    }
  } else {
    const height = 2 * p1;
    const slant = sqrt(p0 * p0 + height * height);
    const side = (out * height + (y - p1) * p0) / slant;
    const base = -p1 - y;
    // Place along the side from the rim (0) to the apex (1).
    const along = ((y + p1) * height - (out - p0) * p0) / (slant * slant);
    if (side <= 0 && base <= 0 ? side >= base : side > 0 && along >= 0 && along <= 1) {
      distance = side;
      radial = height / slant;
      axial = p0 / slant;
    } else if (base <= 0 ? side <= 0 : out <= p0) {
      distance = base;
      axial = -1;
    } else {
      const cornerR = along > 1 ? out : out - p0;
      const cornerY = along > 1 ? y - p1 : y + p1;
      distance = sqrt(cornerR * cornerR + cornerY * cornerY);
      radial = cornerR / distance;
      axial = cornerY / distance;
    }
  }
  setGradient(radial * ux, axial, radial * uz);
  return distance;
}

/** Lower bound of the distance, cheaper where the distance itself is dear. */
export function bound(x: f64, y: f64, z: f64): f64 {
  return kind == SHAPE_HULL ? highestPlane(x, y, z) : measure(x, y, z);
}

/** Greatest height over a plane of the hull; sets the gradient to its normal. */
function highestPlane(x: f64, y: f64, z: f64): f64 {
  const best = highestPlaneAt(record, x, y, z);
  setGradient(load<f64>(best), load<f64>(best, 8), load<f64>(best, 16));
  highest = best;
  return heightOver(best, x, y, z);
}

/** Plane that `highestPlane` found. */
let highest: usize = 0;

function measureHull(x: f64, y: f64, z: f64): f64 {
  const height = highestPlane(x, y, z);
  if (height <= 0) return height;
  const planes = record + <usize>load<i32>(record, HULL_PLANES);
  const count = load<i32>(record, HULL_FACE_COUNT);
  // The closest point lies on one of the faces that see the point: inside it, or on its rim. Near a face it mostly is
  // in the one that sees it best.
  squared = Infinity;
  if (isOverFace(<i32>((highest - planes) >> 5), highest, x, y, z)) return height;
  const others = isLowestSeenFrom(x, y, z) ? 0 : count;
  for (let f = 0; f < others; f++) {
    const plane = planes + ((<usize>f) << 5);
    if (plane == highest) continue;
    const h = heightOver(plane, x, y, z);
    if (h <= 0 || !isOverFace(f, plane, x, y, z)) continue;
    setGradient(load<f64>(plane), load<f64>(plane, 8), load<f64>(plane, 16));
    return h;
  }
  const distance = sqrt(squared);
  // Nearer than the plane only by rounding: the face's own normal is the better one.
  if (!(distance > height) || distance == Infinity) return height;
  setGradient(fromX / distance, fromY / distance, fromZ / distance);
  return distance;
}

/** Share of the distance by which another point of the hull may be nearer. */
const NEARER: f64 = 1e-9;

/** Whether no corner of the hull reaches over the plane across the way from the nearest point so far. */
function isLowestSeenFrom(x: f64, y: f64, z: f64): bool {
  const vertices = record + <usize>load<i32>(record, HULL_VERTICES);
  const end = vertices + <usize>load<i32>(record, HULL_VERTEX_COUNT) * 24;
  const most = dot3(x, y, z, fromX, fromY, fromZ) - squared * (1 - NEARER);
  for (let v = vertices; v < end; v += 24) {
    if (dot3(load<f64>(v), load<f64>(v, 8), load<f64>(v, 16), fromX, fromY, fromZ) > most) return false;
  }
  return true;
}

/** Least squared distance from the rims of the faces that `isOverFace` was asked of, and the way from there. */
let squared: f64 = 0;
let fromX: f64 = 0;
let fromY: f64 = 0;
let fromZ: f64 = 0;

/** Whether the point lies over the inside of a face that sees it; else the face's rim counts. */
function isOverFace(f: i32, plane: usize, x: f64, y: f64, z: f64): bool {
  const starts = record + <usize>load<i32>(record, HULL_FACE_START);
  const first = getI32(starts, f);
  const last = getI32(starts, f + 1);
  const nx = load<f64>(plane);
  const ny = load<f64>(plane, 8);
  const nz = load<f64>(plane, 16);
  let inside = true;
  for (let i = first; i < last; i++) {
    const p = hullVertex(i);
    const q = hullVertex(i + 1 == last ? first : i + 1);
    const ex = load<f64>(q) - load<f64>(p);
    const ey = load<f64>(q, 8) - load<f64>(p, 8);
    const ez = load<f64>(q, 16) - load<f64>(p, 16);
    const wx = x - load<f64>(p);
    const wy = y - load<f64>(p, 8);
    const wz = z - load<f64>(p, 16);
    if (dot3(ey * nz - ez * ny, ez * nx - ex * nz, ex * ny - ey * nx, wx, wy, wz) <= 0) continue;
    inside = false;
    const t = clamp(dot3(wx, wy, wz, ex, ey, ez) / dot3(ex, ey, ez, ex, ey, ez), 0, 1);
    const qx = wx - t * ex;
    const qy = wy - t * ey;
    const qz = wz - t * ez;
    const d = dot3(qx, qy, qz, qx, qy, qz);
    if (!(d < squared)) continue;
    squared = d;
    fromX = qx;
    fromY = qy;
    fromZ = qz;
  }
  return inside;
}

function hullVertex(index: i32): usize {
  const v = getI32(record + <usize>load<i32>(record, HULL_INDICES), index);
  return record + <usize>load<i32>(record, HULL_VERTICES) + <usize>v * 24;
}

function measureTriangle(x: f64, y: f64, z: f64): f64 {
  const ax = load<f64>(ta);
  const ay = load<f64>(ta, 8);
  const az = load<f64>(ta, 16);
  const px = x - ax;
  const py = y - ay;
  const pz = z - az;
  if (placeInTriangle(ta, tb, tc, x, y, z) == INSIDE) {
    // The height itself, free of cancellation.
    const height = dot3(px, py, pz, faceX, faceY, faceZ);
    const side: f64 = height < 0 ? -1 : 1;
    setGradient(side * faceX, side * faceY, side * faceZ);
    return abs(height);
  }
  const qx = px - placeV * (load<f64>(tb) - ax) - placeW * (load<f64>(tc) - ax);
  const qy = py - placeV * (load<f64>(tb, 8) - ay) - placeW * (load<f64>(tc, 8) - ay);
  const qz = pz - placeV * (load<f64>(tb, 16) - az) - placeW * (load<f64>(tc, 16) - az);
  const distance = sqrt(dot3(qx, qy, qz, qx, qy, qz));
  if (distance > 0) setGradient(qx / distance, qy / distance, qz / distance);
  else setGradient(faceX, faceY, faceZ);
  return distance;
}

/**
 * Least distance from the edge p + s·e, 0 ≤ s ≤ 1, to the shape, within `tolerance` [m]; sets place and gradient
 * there. As soon as it is certain to be above `limit` a lower bound above `limit` is returned instead.
 */
export function lowestOnEdge(px: f64, py: f64, pz: f64, ex: f64, ey: f64, ez: f64, tolerance: f64, limit: f64): f64 {
  if (kind == SHAPE_SPHERE) {
    const ee = dot3(ex, ey, ez, ex, ey, ez);
    lowestPlace = ee > 0 ? clamp(-dot3(px, py, pz, ex, ey, ez) / ee, 0, 1) : 0;
    return measure(px + lowestPlace * ex, py + lowestPlace * ey, pz + lowestPlace * ez);
  }

  // One end is the lowest where the edge rises from it.
  lowestPlace = 0;
  let from: f64 = 0;
  let low = measure(px, py, pz);
  let lowSlope = dot3(gradX, gradY, gradZ, ex, ey, ez);
  if (lowSlope >= 0) return low;
  let x = gradX;
  let y = gradY;
  let z = gradZ;
  let best = low;
  let to: f64 = 1;
  let high = measure(px + ex, py + ey, pz + ez);
  let highSlope = dot3(gradX, gradY, gradZ, ex, ey, ez);
  if (highSlope <= 0) {
    lowestPlace = 1;
    return high;
  }

  if (high < best) {
    best = high;
    lowestPlace = 1;
    x = gradX;
    y = gradY;
    z = gradZ;
  }
  for (let look = 0; look < LOOKS; look++) {
    // Where the two tangents cross, no point of the edge is lower.
    const cut = (high - low + lowSlope * from - highSlope * to) / (lowSlope - highSlope);
    const bound = low + lowSlope * (cut - from);
    if (bound > limit) return bound;
    if (bound >= best - tolerance) break;

    // Tangents are right for edges and corners, the root of the slope for round shapes: in turn.
    const root = from - (lowSlope * (to - from)) / (highSlope - lowSlope);
    const s = clamp((look & 1) == 0 ? cut : root, from + 0.01 * (to - from), to - 0.01 * (to - from));
    const value = measure(px + s * ex, py + s * ey, pz + s * ez);
    const slope = dot3(gradX, gradY, gradZ, ex, ey, ez);
    if (value < best) {
      best = value;
      lowestPlace = s;
      x = gradX;
      y = gradY;
      z = gradZ;
    }

    // The lowest point lies where the slope changes its sign.
    if (slope < 0) {
      from = s;
      low = value;
      lowSlope = slope;
    } else {
      to = s;
      high = value;
      highSlope = slope;
    }
  }

  setGradient(x, y, z);
  return best;
}
