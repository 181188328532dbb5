// Supporting features of the two slots: the polygon, disc or segment of a shape that meets the other shape
// along a direction. Polygons and segments lie in buffers of vertices; the disc in module variables.
//
// A vertex is x y z (working frame), an id, and a mask: bit k says that the vertex lies on edge k of a
// triangle (collide-mesh drops points on edges inside a flat region). Ids: vertices of A from 0, of B from
// VERTEX_OF_B, rim points from RIM. Faces with more than POLYGON_LIMIT corners are thinned evenly.

import {
  HULL_FACE_START,
  HULL_INDICES,
  RIMMED_KINDS,
  SHAPE_BOX_KIND,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
} from '../../../state/layout';
import { isOneOf } from './kinds';
import {
  alongAxis,
  edgeCount,
  edgeVertex,
  placeBoxVertex,
  placeHullVertex,
  placePoint,
  SLOT_B,
  slotAxis,
  slotCorner,
  slotData,
  slotKind,
  slotSize,
  sx,
  sy,
  sz,
  TRIANGLE,
} from './support';

/** Most corners of a polygon; a clipped one may have twice as many. */
export const POLYGON_LIMIT: i32 = 32;
/** Bytes of a vertex: x y z (f64), id, mask (i32). */
export const VERTEX_BYTES: usize = 32;
export const VERTEX_OF_B: i32 = 0x8000;
export const RIM: i32 = 0x4000;

/** Polygon of the reference shape, of the other one, and a buffer to clip into. */
export const REFERENCE: usize = memory.data(32 * 32, 16);
export const INCIDENT: usize = memory.data(64 * 32, 16);
export const CLIPPED: usize = memory.data(64 * 32, 16);

/** Centre, outward axis, two unit vectors across it and radius of the disc read by `loadDisc`. */
export let discX: f64 = 0;
export let discY: f64 = 0;
export let discZ: f64 = 0;
export let axisX: f64 = 0;
export let axisY: f64 = 0;
export let axisZ: f64 = 0;
export let firstX: f64 = 0;
export let firstY: f64 = 0;
export let firstZ: f64 = 0;
export let secondX: f64 = 0;
export let secondY: f64 = 0;
export let secondZ: f64 = 0;
export let discRadius: f64 = 0;

/** Writes a vertex into a buffer. */
export function putVertex(buffer: usize, i: i32, x: f64, y: f64, z: f64, id: i32, mask: i32): void {
  const at = buffer + ((<usize>i) << 5);
  store<f64>(at, x);
  store<f64>(at, y, 8);
  store<f64>(at, z, 16);
  store<i32>(at, id, 24);
  store<i32>(at, mask, 28);
}

/** Id of the first vertex of a slot. */
function vertexBase(slot: usize): i32 {
  return slot == SLOT_B ? VERTEX_OF_B : 0;
}

/** Whether the feature along unit d is a polygon. */
export function isPolytope(slot: usize): bool {
  const kind = slotKind(slot);
  return kind != SHAPE_CAPSULE && !isOneOf(kind, RIMMED_KINDS);
}

/** Whether the feature of a cylinder or cone along unit d is its flat cap rather than its side. */
export function isCap(slot: usize, dx: f64, dy: f64, dz: f64): bool {
  const kind = slotKind(slot);
  if (!isOneOf(kind, RIMMED_KINDS)) return false;
  const y = alongAxis(slot, 1, dx, dy, dz);
  const radial = Math.sqrt(Math.max(0, 1 - y * y));
  if (kind == SHAPE_CYLINDER) return Math.abs(y) > radial;
  const r = slotSize(slot, 0);
  const height = 2 * slotSize(slot, 1);
  // Base against the side's normal (height, r) / slant in the plane of the axis.
  return -y * Math.sqrt(r * r + height * height) > height * radial + r * y;
}

/** Polygon of face `face` (numbers of `findFace`), counter-clockwise from outside; returns the corner count. */
export function loadPolygon(slot: usize, face: i32, buffer: usize): i32 {
  const kind = slotKind(slot);
  const base = vertexBase(slot);
  if (kind == TRIANGLE) {
    for (let k = 0; k < 3; k++) {
      const mask = (1 << k) | (1 << (k == 0 ? 2 : k - 1));
      putVertex(buffer, k, slotCorner(slot, k, 0), slotCorner(slot, k, 1), slotCorner(slot, k, 2), base + k, mask);
    }
    return 3;
  }
  if (kind == SHAPE_BOX_KIND) {
    const axis = face >> 1;
    const negative = (face & 1) != 0;
    const b = axis == 2 ? 0 : axis + 1;
    const c = axis == 0 ? 2 : axis - 1;
    for (let k = 0; k < 4; k++) {
      // Corners ++, −+, −−, +− of axes b and c run counter-clockwise about +axis.
      const corner = negative ? 3 - k : k;
      const onB = corner == 0 || corner == 3 ? 1 : 0;
      const onC = corner <= 1 ? 1 : 0;
      const v = ((negative ? 0 : 1) << axis) | (onB << b) | (onC << c);
      placeBoxVertex(slot, v);
      putVertex(buffer, k, sx, sy, sz, base + v, 0);
    }
    return 4;
  }
  const hull = slotData(slot);
  const starts = hull + <usize>load<i32>(hull, HULL_FACE_START) + ((<usize>face) << 2);
  const first = load<i32>(starts);
  const count = load<i32>(starts, 4) - first;
  const indices = hull + <usize>load<i32>(hull, HULL_INDICES) + ((<usize>first) << 2);
  const stride = (count + POLYGON_LIMIT - 1) / POLYGON_LIMIT;
  let corners = 0;
  for (let k = 0; k < count; k += stride) {
    const v = load<i32>(indices + ((<usize>k) << 2));
    placeHullVertex(slot, v);
    putVertex(buffer, corners++, sx, sy, sz, base + v, 0);
  }
  return corners;
}

/** Cap of a cylinder or cone on the side of d. */
export function loadDisc(slot: usize, dx: f64, dy: f64, dz: f64): void {
  const top = alongAxis(slot, 1, dx, dy, dz) >= 0 && slotKind(slot) == SHAPE_CYLINDER;
  const side: f64 = top ? 1 : -1;
  placePoint(slot, 0, side * slotSize(slot, 1), 0);
  discX = sx;
  discY = sy;
  discZ = sz;
  axisX = side * slotAxis(slot, 0, 1);
  axisY = side * slotAxis(slot, 1, 1);
  axisZ = side * slotAxis(slot, 2, 1);
  firstX = slotAxis(slot, 0, 0);
  firstY = slotAxis(slot, 1, 0);
  firstZ = slotAxis(slot, 2, 0);
  secondX = slotAxis(slot, 0, 2);
  secondY = slotAxis(slot, 1, 2);
  secondZ = slotAxis(slot, 2, 2);
  discRadius = slotSize(slot, 0);
}

/** Radius of the side across the axis where it rolls [m]; 0 for a straight edge of a polytope. */
export function sideRadius(slot: usize): f64 {
  return isPolytope(slot) ? 0 : slotSize(slot, 0);
}

/** Line of the surface that supports the shape along unit d: side line of a round shape, else the best edge. */
export function loadSegment(slot: usize, dx: f64, dy: f64, dz: f64, buffer: usize): void {
  const kind = slotKind(slot);
  const base = vertexBase(slot);
  if (kind == SHAPE_CAPSULE) {
    const r = slotSize(slot, 0);
    const half = slotSize(slot, 1);
    placePoint(slot, 0, -half, 0);
    putVertex(buffer, 0, sx + r * dx, sy + r * dy, sz + r * dz, base, 0);
    placePoint(slot, 0, half, 0);
    putVertex(buffer, 1, sx + r * dx, sy + r * dy, sz + r * dz, base + 1, 0);
    return;
  }
  if (isOneOf(kind, RIMMED_KINDS)) {
    const half = slotSize(slot, 1);
    let x = alongAxis(slot, 0, dx, dy, dz);
    let z = alongAxis(slot, 2, dx, dy, dz);
    const radial = Math.sqrt(x * x + z * z);
    const scale = radial > 1e-12 ? slotSize(slot, 0) / radial : 0;
    x = radial > 1e-12 ? x * scale : slotSize(slot, 0);
    z *= scale;
    placePoint(slot, x, -half, z);
    putVertex(buffer, 0, sx, sy, sz, base, 0);
    if (kind == SHAPE_CONE) placePoint(slot, 0, half, 0);
    else placePoint(slot, x, half, z);
    putVertex(buffer, 1, sx, sy, sz, base + 1, 0);
    return;
  }
  const count = edgeCount(slot);
  let best = 0;
  let reach = -Infinity;
  for (let i = 0; i < count; i++) {
    edgeVertex(slot, i, 0);
    let along = sx * dx + sy * dy + sz * dz;
    edgeVertex(slot, i, 1);
    along += sx * dx + sy * dy + sz * dz;
    if (along > reach) {
      reach = along;
      best = i;
    }
  }
  const mask = kind == TRIANGLE ? 1 << best : 0;
  const v = edgeVertex(slot, best, 0);
  putVertex(buffer, 0, sx, sy, sz, base + v, mask);
  const w = edgeVertex(slot, best, 1);
  putVertex(buffer, 1, sx, sy, sz, base + w, mask);
}
