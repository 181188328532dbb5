// Triangles of a surface against one convex collider, in its frame (surface/body-shape).
//
// In: what was measured at their nodes and edges. Out: hits. A triangle over a ball has a contact where it is lower
// than its edges: over the shape's farthest point along the triangle's normal, on the side on which the triangle is.
// Over other shapes it has one at each of their corners that is near within it: a crate on one large triangle stands
// on its four corners.

import { HIT_SHARE, LOWER_SHARE, MOST_BOUNDS } from '../../../core/elastic-constants';
import { PRIMITIVE_TRIANGLE, SURFACE_PLACE_BITS, TRIANGLE_EDGE, TRIANGLE_NODE } from '../../../state/layout';
import { dot3 } from '../math/vector';
import { column, getF64 } from '../memory';
import { displacementOf, FINE, lx, ly, lz, margin, radius, toWorld } from '../proximity/body-edge';
import {
  cornerCount,
  gradX,
  gradY,
  gradZ,
  lowestOnEdge,
  lowestPlace,
  measure,
  support,
  supportX,
  supportY,
  supportZ,
  takeCorner as takeShapeCorner,
} from '../proximity/shape';
import { continuous } from '../proximity/work';
import {
  highOf,
  isHeld,
  keep,
  lowOf,
  MOTION,
  measuredAt,
  middleX,
  middleY,
  middleZ,
  PLACE,
  STILL_LOWER_SHARE,
  staysOver,
  tangentAt,
} from './body-shape';
import { findOld, findOldBetween, leanOfRow, NODES, WEIGHTS } from './hits';
import { edgeLows } from './work';

/** Least coefficient of a node for a place within a triangle. */
const WITHIN: f64 = 0.02;

/** Corners of the triangle (3 × f64 each), their displacements, the corners at a time. */
export const CORNERS: usize = memory.data(72, 16);
const MOVES: usize = memory.data(72, 16);
const NOW: usize = memory.data(72, 16);

// Coefficients of the lowest place within a triangle, its distance and the direction away from the shape.
let u0: f64 = 0;
let u1: f64 = 0;
let u2: f64 = 0;
export let within: f64 = 0;
let awayX: f64 = 0;
let awayY: f64 = 0;
let awayZ: f64 = 0;

export function lookAtTriangle(t: i32): void {
  const nodes = column(TRIANGLE_NODE) + ((<usize>t) << 4);
  const edges = column(TRIANGLE_EDGE) + ((<usize>t) << 4);
  const a = load<i32>(nodes);
  const b = load<i32>(nodes, 4);
  const c = load<i32>(nodes, 8);
  const rim = min(
    getF64(edgeLows, load<i32>(edges)),
    min(getF64(edgeLows, load<i32>(edges, 4)), getF64(edgeLows, load<i32>(edges, 8))),
  );
  const p = measuredAt(a);
  const q = measuredAt(b);
  const r = measuredAt(c);
  const motion = max(load<f64>(p, MOTION), max(load<f64>(q, MOTION), load<f64>(r, MOTION)));
  const limit = radius + max(margin, motion);
  const least = min(lowerBound(p, p, q, r), min(lowerBound(q, p, q, r), lowerBound(r, p, q, r)));
  if (min(rim, least) > limit && least > limit) return;
  const isRimNear = rim <= radius + margin;
  const low = lowOf(PRIMITIVE_TRIANGLE, t);
  const corners = cornerCount();
  const old = corners > 0 ? findOldBetween(low, highOf(0), highOf(LAST_PLACE)) : findOld(low, highOf(0));
  if (isRimNear && old < 0 && rim - least <= STILL_LOWER_SHARE * radius) return;
  if (isHeld(a) || isHeld(b) || isHeld(c)) return;
  takeCorner(0, a, p);
  takeCorner(24, b, q);
  takeCorner(48, c, r);
  if (corners > 0) {
    if (keepCorners(corners, low, a, b, c, rim, old)) return;
  } else if (findWithin(CORNERS, old) && within <= radius + margin) {
    if (rim - within > (old >= 0 ? -LOWER_SHARE : LOWER_SHARE) * radius) keepTriangle(low, 0, a, b, c, 0);
    return;
  }
  if (isRimNear || !continuous) return;
  if (triangleStaysOver(p, p, q, r) || triangleStaysOver(q, p, q, r) || triangleStaysOver(r, p, q, r)) return;
  const time = advanceTriangle();
  if (time < 1) keepTriangle(low, 0, a, b, c, time);
}

/** As `edgeStaysOver`, of the triangle whose corners were taken. */
function triangleStaysOver(from: usize, p: usize, q: usize, r: usize): bool {
  return cornerStaysOver(from, p, 0) && cornerStaysOver(from, q, 24) && cornerStaysOver(from, r, 48);
}

function cornerStaysOver(from: usize, node: usize, corner: usize): bool {
  const move = MOVES + corner;
  return staysOver(from, node, load<f64>(move), load<f64>(move, 8), load<f64>(move, 16));
}

/**
 * Keeps a contact for each corner of the shape that is near within the triangle: what stands on it with a face stands
 * on all corners of this face. Returns whether there are any.
 */
function keepCorners(count: i32, low: i32, a: i32, b: i32, c: i32, rim: f64, old: i32): bool {
  if (!enterTriangle(CORNERS, old)) return false;
  let any = false;
  for (let i = 0; i < count; i++) {
    if (!takeShapeCorner(i, awayX, awayY, awayZ)) continue;
    projectSupport();
    // Where it bends over the corner, an edge that runs over the corner has a contact there.
    const least: f64 = rim - within > LOWER_SHARE * radius ? WITHIN : 0;
    if (within > radius + margin || !(u0 >= least && u1 >= least && u2 >= least)) continue;
    if (within < -radius && isFootOutside()) continue;
    keepTriangle(low, min(i, LAST_PLACE), a, b, c, 0);
    any = true;
  }
  return any;
}

/**
 * Whether the foot of the corner that was projected is outside the shape: then the corner is behind the triangle's
 * plane, which goes through the shape elsewhere, and not behind the triangle.
 */
function isFootOutside(): bool {
  return measure(ax + u1 * ux + u2 * vx, ay + u1 * uy + u2 * vy, az + u1 * uz + u2 * vz) > radius;
}

const LAST_PLACE: i32 = (1 << SURFACE_PLACE_BITS) - 1;

/** At one node, the mean of the three tangents: over the triangle it is nowhere lower than at its least node. */
export function lowerBound(at: usize, p: usize, q: usize, r: usize): f64 {
  return (tangentAt(at, p) + tangentAt(at, q) + tangentAt(at, r)) / 3;
}

export function takeCorner(at: usize, node: i32, measured: usize): void {
  v128.store(CORNERS + at, v128.load(measured, PLACE));
  store<f64>(CORNERS + at, load<f64>(measured, PLACE + 16), 16);
  displacementOf(node);
  store<f64>(MOVES + at, lx);
  store<f64>(MOVES + at, ly, 8);
  store<f64>(MOVES + at, lz, 16);
}

// The triangle that was entered: its first corner, the sides from there, twice its area.
let ax: f64 = 0;
let ay: f64 = 0;
let az: f64 = 0;
let ux: f64 = 0;
let uy: f64 = 0;
let uz: f64 = 0;
let vx: f64 = 0;
let vy: f64 = 0;
let vz: f64 = 0;
let area: f64 = 0;

/**
 * Enters a triangle and finds its direction away from the shape; false when it has no area. `old`: row of the last
 * step, whose side stays; −1: the side away from the shape's middle.
 */
function enterTriangle(rows: usize, old: i32): bool {
  ax = load<f64>(rows);
  ay = load<f64>(rows, 8);
  az = load<f64>(rows, 16);
  ux = load<f64>(rows, 24) - ax;
  uy = load<f64>(rows, 32) - ay;
  uz = load<f64>(rows, 40) - az;
  vx = load<f64>(rows, 48) - ax;
  vy = load<f64>(rows, 56) - ay;
  vz = load<f64>(rows, 64) - az;
  let nx = uy * vz - uz * vy;
  let ny = uz * vx - ux * vz;
  let nz = ux * vy - uy * vx;
  area = sqrt(dot3(nx, ny, nz, nx, ny, nz));
  if (!(area > 0)) return false;
  nx /= area;
  ny /= area;
  nz /= area;
  let side = dot3(ax - middleX, ay - middleY, az - middleZ, nx, ny, nz);
  if (old >= 0) {
    toWorld(nx, ny, nz);
    side = leanOfRow(old, lx, ly, lz);
  }
  const way: f64 = side < 0 ? -1 : 1;
  awayX = way * nx;
  awayY = way * ny;
  awayZ = way * nz;
  return true;
}

/** Finds the place within the triangle that is locally the lowest over the chosen shape, if there is one. */
export function findWithin(rows: usize, old: i32): bool {
  if (!enterTriangle(rows, old)) return false;
  support(awayX, awayY, awayZ);
  projectSupport();
  return u0 > WITHIN && u1 > WITHIN && u2 > WITHIN;
}

/** Coefficients of the foot of the farthest point; `within`: how far the triangle that was entered is above it. */
function projectSupport(): void {
  const wx = supportX - ax;
  const wy = supportY - ay;
  const wz = supportZ - az;
  within = -dot3(wx, wy, wz, awayX, awayY, awayZ);
  const uu = dot3(ux, uy, uz, ux, uy, uz);
  const uv = dot3(ux, uy, uz, vx, vy, vz);
  const vv = dot3(vx, vy, vz, vx, vy, vz);
  const wu = dot3(wx, wy, wz, ux, uy, uz);
  const wv = dot3(wx, wy, wz, vx, vy, vz);
  const scale = 1 / (area * area);
  u1 = (vv * wu - uv * wv) * scale;
  u2 = (uu * wv - uv * wu) * scale;
  u0 = 1 - u1 - u2;
}

/**
 * First time at which the triangle is within a radius of the shape at a place within it; 1 or more: not in this step.
 */
export function advanceTriangle(): f64 {
  let time: f64 = 0;
  for (let i = 0; i < MOST_BOUNDS; i++) {
    for (let k: usize = 0; k < 72; k += 8) {
      store<f64>(NOW + k, load<f64>(CORNERS + k) + time * load<f64>(MOVES + k));
    }
    if (findWithin(NOW, -1)) {
      if (within <= radius * (1 + HIT_SHARE)) return time;
      time += waitAlong(awayX, awayY, awayZ, within);
    } else {
      const f = lowestOnRim();
      // Its edges and nodes have contacts of their own there.
      if (f <= radius * (1 + HIT_SHARE)) return 2;
      const x = at(24 * rimEdge) + rimPlace * (at(24 * rimNext) - at(24 * rimEdge));
      const y = at(24 * rimEdge + 8) + rimPlace * (at(24 * rimNext + 8) - at(24 * rimEdge + 8));
      const z = at(24 * rimEdge + 16) + rimPlace * (at(24 * rimNext + 16) - at(24 * rimEdge + 16));
      time += waitUnder(rimX, rimY, rimZ, f, x, y, z);
    }
    if (time >= 1) return time;
  }
  return findWithin(NOW, -1) ? time : 2;
}

function at(k: usize): f64 {
  return load<f64>(NOW + k);
}

let rimEdge: usize = 0;
let rimNext: usize = 0;
let rimPlace: f64 = 0;
let rimX: f64 = 0;
let rimY: f64 = 0;
let rimZ: f64 = 0;

/** Least distance of the edges of NOW. */
function lowestOnRim(): f64 {
  let least = Infinity;
  for (let k: usize = 0; k < 3; k++) {
    const next: usize = k == 2 ? 0 : k + 1;
    const x = at(24 * k);
    const y = at(24 * k + 8);
    const z = at(24 * k + 16);
    const tolerance = FINE * radius;
    const f = lowestOnEdge(x, y, z, at(24 * next) - x, at(24 * next + 8) - y, at(24 * next + 16) - z, tolerance, least);
    if (f >= least) continue;
    least = f;
    rimEdge = k;
    rimNext = next;
    rimPlace = lowestPlace;
    rimX = gradX;
    rimY = gradY;
    rimZ = gradZ;
  }
  return least;
}

/** Time until a corner, all of them `height` over the shape along n, can be within a radius of it. */
function waitAlong(nx: f64, ny: f64, nz: f64, height: f64): f64 {
  let wait: f64 = 2;
  for (let k: usize = 0; k < 72; k += 24) {
    const rate = dot3(load<f64>(MOVES + k), load<f64>(MOVES + k, 8), load<f64>(MOVES + k, 16), nx, ny, nz);
    if (rate < 0) wait = min(wait, (height - radius) / -rate);
  }
  return wait;
}

/** The same over the plane with gradient n that lies f under x y z: a convex shape lies under it. */
function waitUnder(nx: f64, ny: f64, nz: f64, f: f64, x: f64, y: f64, z: f64): f64 {
  let wait: f64 = 2;
  for (let k: usize = 0; k < 72; k += 24) {
    const height = f + dot3(at(k) - x, at(k + 8) - y, at(k + 16) - z, nx, ny, nz);
    const rate = dot3(load<f64>(MOVES + k), load<f64>(MOVES + k, 8), load<f64>(MOVES + k, 16), nx, ny, nz);
    if (rate < 0) wait = min(wait, max(height - radius, 0.0) / -rate);
  }
  return max(wait, LEAST_WAIT);
}

/** Least part of the step that passes from bound to bound where the plane cuts the triangle and says nothing. */
const LEAST_WAIT: f64 = 1e-3;

function mixed(rows: usize, k: usize): f64 {
  return u0 * load<f64>(rows + k) + u1 * load<f64>(rows + k, 24) + u2 * load<f64>(rows + k, 48);
}

function keepTriangle(low: i32, place: i32, a: i32, b: i32, c: i32, time: f64): void {
  const hit = keep(
    low,
    place,
    mixed(CORNERS, 0),
    mixed(CORNERS, 8),
    mixed(CORNERS, 16),
    mixed(MOVES, 0),
    mixed(MOVES, 8),
    mixed(MOVES, 16),
    awayX,
    awayY,
    awayZ,
    within,
    time,
  );
  if (hit == 0) return;
  store<i32>(hit, a, NODES);
  store<i32>(hit, b, NODES + 4);
  store<i32>(hit, c, NODES + 8);
  store<f64>(hit, u0, WEIGHTS);
  store<f64>(hit, u1, WEIGHTS + 8);
  store<f64>(hit, u2, WEIGHTS + 16);
}
