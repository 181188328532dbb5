// Least overlap or greatest separation of a box or hull (slot A) and a triangle (slot B), by separating axes.
//
// In: slots of support.ts. Out: the kind of axis; its direction A → B is set as the normal of collide-generic;
// for two edges the contact is added by `tryEdgeContact`. Axes: the triangle's normal (front side only), the
// faces of A, and those pairs of edges whose arcs on the sphere of directions cross (Gregorius 2013, "The
// separating axis test between convex polyhedra"); a triangle's edge has the half circle from N over its
// outward side to −N. The triangle's normal is preferred by a small margin, then faces of A.

import { clamp, dot3 } from '../math/vector';
import {
  edgeCount,
  edgeFace,
  edgeVertex,
  extent,
  faceCount,
  faceOffset,
  faceX,
  faceY,
  faceZ,
  readFace,
  SLOT_A,
  SLOT_B,
  slotCorner,
  sx,
  sy,
  sz,
} from '../shapes/support';
import { addContact } from '../shapes/support-contact';
import { setNormal } from './collide-generic';

export const POLYTOPE_NONE: i32 = 0;
export const POLYTOPE_TRIANGLE: i32 = 1;
export const POLYTOPE_FACE: i32 = 2;
export const POLYTOPE_EDGE: i32 = 3;

/** Margin for the better kind of axis, as a share of A's half height over the triangle. */
const PREFER: f64 = 0.01;
/** Edges at a smaller sine count as parallel: their faces tell more. */
const PARALLEL_SINE: f64 = 1e-3;
/** First feature id of edge on edge; above all ids that belong to A alone. */
const EDGE_FEATURE: i32 = 0x100000;

// The best pair of edges: edge of A, edge of the triangle, unit direction A → B, separation.
let edgeA: i32 = 0;
let edgeB: i32 = 0;
let edgeX: f64 = 0;
let edgeY: f64 = 0;
let edgeZ: f64 = 0;
let edgeApart: f64 = 0;

/** Finds the axis; (tx, ty, tz) = the triangle's normal. POLYTOPE_NONE when they are farther apart than `limit`. */
export function separatePolytope(tx: f64, ty: f64, tz: f64, limit: f64): i32 {
  const offset = dot3(tx, ty, tz, slotCorner(SLOT_B, 0, 0), slotCorner(SLOT_B, 0, 1), slotCorner(SLOT_B, 0, 2));
  const below = extent(SLOT_A, -tx, -ty, -tz);
  const apart = -below - offset;
  const margin = PREFER * 0.5 * (below + extent(SLOT_A, tx, ty, tz));
  // Faces of A: height of the triangle's lowest corner.
  let face = 0;
  let faceApart = -Infinity;
  const faces = faceCount(SLOT_A);
  for (let f = 0; f < faces; f++) {
    readFace(SLOT_A, f);
    const h0 = cornerHeight(0);
    const h1 = cornerHeight(1);
    const h2 = cornerHeight(2);
    const low = Math.min(h0, Math.min(h1, h2)) - faceOffset;
    if (low > faceApart) {
      faceApart = low;
      face = f;
    }
  }
  if (faceApart > limit) return POLYTOPE_NONE;
  findEdges(tx, ty, tz);
  if (edgeApart > limit) return POLYTOPE_NONE;
  if (apart >= Math.max(faceApart, edgeApart) - margin) return POLYTOPE_TRIANGLE;
  if (faceApart >= edgeApart - margin) {
    readFace(SLOT_A, face);
    setNormal(faceX, faceY, faceZ);
    return POLYTOPE_FACE;
  }
  setNormal(edgeX, edgeY, edgeZ);
  return POLYTOPE_EDGE;
}

function cornerHeight(k: i32): f64 {
  return dot3(faceX, faceY, faceZ, slotCorner(SLOT_B, k, 0), slotCorner(SLOT_B, k, 1), slotCorner(SLOT_B, k, 2));
}

function findEdges(tx: f64, ty: f64, tz: f64): void {
  edgeApart = -Infinity;
  const count = edgeCount(SLOT_A);
  for (let k = 0; k < 3; k++) {
    edgeVertex(SLOT_B, k, 0);
    const bx = sx;
    const by = sy;
    const bz = sz;
    edgeVertex(SLOT_B, k, 1);
    const fx = sx - bx;
    const fy = sy - by;
    const fz = sz - bz;
    const length = Math.sqrt(dot3(fx, fy, fz, fx, fy, fz));
    // Outward side of the edge: f × N.
    const ox = fy * tz - fz * ty;
    const oy = fz * tx - fx * tz;
    const oz = fx * ty - fy * tx;
    for (let i = 0; i < count; i++) {
      readFace(SLOT_A, edgeFace(SLOT_A, i, 0));
      const px = faceX;
      const py = faceY;
      const pz = faceZ;
      readFace(SLOT_A, edgeFace(SLOT_A, i, 1));
      const p = dot3(px, py, pz, fx, fy, fz);
      const q = dot3(faceX, faceY, faceZ, fx, fy, fz);
      // Nearly parallel edges have p and q near zero.
      if (!(p * q < 0) || Math.abs(p - q) < PARALLEL_SINE * length) continue;
      // Where the arc between A's two faces crosses the plane of the triangle edge's half circle.
      const a = Math.abs(q);
      const b = Math.abs(p);
      let x = a * px + b * faceX;
      let y = a * py + b * faceY;
      let z = a * pz + b * faceZ;
      if (dot3(x, y, z, ox, oy, oz) >= 0) continue;
      const size = Math.sqrt(dot3(x, y, z, x, y, z));
      x /= size;
      y /= size;
      z /= size;
      edgeVertex(SLOT_A, i, 0);
      const apart = dot3(x, y, z, bx - sx, by - sy, bz - sz);
      if (apart <= edgeApart) continue;
      edgeApart = apart;
      edgeA = i;
      edgeB = k;
      edgeX = x;
      edgeY = y;
      edgeZ = z;
    }
  }
}

/** Adds the contact between the two edges that `separatePolytope` found. */
export function tryEdgeContact(): void {
  edgeVertex(SLOT_A, edgeA, 0);
  const ax = sx;
  const ay = sy;
  const az = sz;
  edgeVertex(SLOT_A, edgeA, 1);
  const ex = sx - ax;
  const ey = sy - ay;
  const ez = sz - az;
  edgeVertex(SLOT_B, edgeB, 0);
  const bx = sx;
  const by = sy;
  const bz = sz;
  edgeVertex(SLOT_B, edgeB, 1);
  const fx = sx - bx;
  const fy = sy - by;
  const fz = sz - bz;
  const ee = dot3(ex, ey, ez, ex, ey, ez);
  const ff = dot3(fx, fy, fz, fx, fy, fz);
  const ef = dot3(ex, ey, ez, fx, fy, fz);
  const dx = bx - ax;
  const dy = by - ay;
  const dz = bz - az;
  const ed = dot3(ex, ey, ez, dx, dy, dz);
  const fd = dot3(fx, fy, fz, dx, dy, dz);
  const s = clamp((ed * ff - fd * ef) / (ee * ff - ef * ef), 0, 1);
  const t = clamp((s * ef - fd) / ff, 0, 1);
  addContact(
    0.5 * (ax + s * ex + bx + t * fx),
    0.5 * (ay + s * ey + by + t * fy),
    0.5 * (az + s * ez + bz + t * fz),
    edgeApart,
    EDGE_FEATURE + 4 * edgeA + edgeB,
    0,
  );
}
