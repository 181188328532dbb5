// Whether a point, a sphere or an axis-aligned box overlaps a shape, exactly, for every kind.
//
// Point and sphere: distance of a point from the shape. Box: separating axes for triangles (T. Akenine-Möller,
// "Fast 3D triangle-box overlap testing", 2001), and for convex shapes Minkowski portal refinement (G. Snethen,
// "XenoCollide", Game Programming Gems 7, 2008), which needs only support points. Shapes are closed: touching counts
// (for the box up to rounding, about 1e-9 of the sizes).
//
// In: frame (queries-frame), query in world space. Out: whether they overlap. A mesh is a surface without an inside.

import {
  HULL_EDGE_COUNT,
  HULL_EDGES,
  HULL_FACE_COUNT,
  HULL_FACE_START,
  HULL_INDICES,
  HULL_PLANES,
  HULL_VERTEX_COUNT,
  HULL_VERTICES,
  MESH_NODE_BYTES,
  MESH_NODE_COUNT,
  MESH_NODES,
  MESH_TRIANGLES,
  MESH_VERTICES,
  SHAPE_BOX_KIND,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HULL,
  SHAPE_PLANE,
  SHAPE_SPHERE,
  TRIANGLE_KINDS,
} from '../../../state/layout';
import { clamp, dot3, sqr } from '../math/vector';
import { getI32, setI32 } from '../memory';
import { farthestCorner } from '../shapes/hull-scan';
import { isOneOf } from '../shapes/kinds';
import {
  FRAME_POSITION,
  kind,
  m00,
  m01,
  m02,
  m10,
  m11,
  m12,
  m20,
  m21,
  m22,
  moveToLocal,
  moveToWorld,
  record,
  size0,
  size1,
  size2,
  turnToLocal,
  tx,
  ty,
  tz,
} from './frame';
import { segmentDistance, sphereMeetsMesh } from './mesh';

/** Whether the sphere (a point for radius 0) shares a point with the shape of the frame. */
export function sphereMeetsShape(wx: f64, wy: f64, wz: f64, radius: f64): bool {
  moveToLocal(wx, wy, wz);
  const x = tx;
  const y = ty;
  const z = tz;
  if (kind == SHAPE_SPHERE) return x * x + y * y + z * z <= sqr(size0 + radius);
  if (kind == SHAPE_CAPSULE) return x * x + sqr(y - clamp(y, -size1, size1)) + z * z <= sqr(size0 + radius);
  if (kind == SHAPE_PLANE) return size0 * x + size1 * y + size2 * z <= radius;
  if (isOneOf(kind, TRIANGLE_KINDS)) return sphereMeetsMesh(record, x, y, z, radius);
  if (kind == SHAPE_HULL) return hullDistance(x, y, z) <= sqr(radius);
  if (kind == SHAPE_BOX_KIND) {
    const ex = x - clamp(x, -size0, size0);
    const ey = y - clamp(y, -size1, size1);
    const ez = z - clamp(z, -size2, size2);
    return ex * ex + ey * ey + ez * ez <= sqr(radius);
  }
  // Round about y: a question in the half-plane (ρ, y).
  const rho = sqrt(x * x + z * z);
  if (kind == SHAPE_CYLINDER) {
    return sqr(max(0.0, rho - size0)) + sqr(y - clamp(y, -size1, size1)) <= sqr(radius);
  }
  return coneDistance(rho, y) <= sqr(radius);
}

/** Squared distance of (ρ, y) from the triangle (0, h), (r, −h), (0, −h) of a cone's cross-section [m²]. */
function coneDistance(rho: f64, y: f64): f64 {
  const height = 2 * size1;
  // Above the slanted side by its outward normal (2h, r) / slant.
  const above = height * rho + size0 * (y - size1);
  if (above <= 0 && y >= -size1) return 0;
  const base = sqr(max(0.0, rho - size0)) + sqr(y + size1);
  if (above <= 0) return base;
  const t = clamp((rho * size0 + (size1 - y) * height) / (size0 * size0 + height * height), 0, 1);
  const side = sqr(rho - t * size0) + sqr(y - size1 + t * height);
  return y < -size1 ? min(base, side) : side;
}

/** Squared distance of a local point from a hull [m²], 0 inside: faces whose prism holds it, else edges. */
function hullDistance(x: f64, y: f64, z: f64): f64 {
  const faces = load<i32>(record + HULL_FACE_COUNT);
  const starts = record + load<i32>(record + HULL_FACE_START);
  const indices = record + load<i32>(record + HULL_INDICES);
  let plane = record + load<i32>(record + HULL_PLANES);
  let inside = true;
  let best = Infinity;
  for (let f = 0; f < faces; f++, plane += 32) {
    const nx = load<f64>(plane);
    const ny = load<f64>(plane, 8);
    const nz = load<f64>(plane, 16);
    const gap = dot3(nx, ny, nz, x, y, z) - load<f64>(plane, 24);
    if (gap <= 0) continue;
    inside = false;
    const end = getI32(starts, f + 1);
    let before = hullVertex(getI32(indices, end - 1));
    let over = true;
    for (let i = getI32(starts, f); i < end && over; i++) {
      const vertex = hullVertex(getI32(indices, i));
      const ex = load<f64>(vertex) - load<f64>(before);
      const ey = load<f64>(vertex, 8) - load<f64>(before, 8);
      const ez = load<f64>(vertex, 16) - load<f64>(before, 16);
      const px = x - load<f64>(before);
      const py = y - load<f64>(before, 8);
      const pz = z - load<f64>(before, 16);
      over = dot3(nx, ny, nz, ey * pz - ez * py, ez * px - ex * pz, ex * py - ey * px) >= 0;
      before = vertex;
    }
    if (over) best = min(best, gap * gap);
  }
  if (inside) return 0;
  const edges = load<i32>(record + HULL_EDGE_COUNT);
  const list = record + load<i32>(record + HULL_EDGES);
  for (let e = 0; e < edges; e++) {
    const a = hullVertex(getI32(list, e * 4));
    const b = hullVertex(getI32(list, e * 4 + 1));
    best = min(best, segmentDistance(a, b, x, y, z));
  }
  return best;
}

function hullVertex(vertex: i32): usize {
  return record + load<i32>(record + HULL_VERTICES) + <usize>vertex * 24;
}

// ── Boxes ──────────────────────────────────

// The query box in world space: centre and half extents.
let bx: f64 = 0;
let by: f64 = 0;
let bz: f64 = 0;
let hx: f64 = 0;
let hy: f64 = 0;
let hz: f64 = 0;

/** Whether the axis-aligned world box (min, max) at `box` shares a point with the shape of the frame. */
export function boxMeetsShape(box: usize): bool {
  bx = 0.5 * (load<f64>(box) + load<f64>(box, 24));
  by = 0.5 * (load<f64>(box, 8) + load<f64>(box, 32));
  bz = 0.5 * (load<f64>(box, 16) + load<f64>(box, 40));
  hx = load<f64>(box, 24) - bx;
  hy = load<f64>(box, 32) - by;
  hz = load<f64>(box, 40) - bz;
  if (kind == SHAPE_SPHERE) {
    const x = load<f64>(FRAME_POSITION) - bx;
    const y = load<f64>(FRAME_POSITION, 8) - by;
    const z = load<f64>(FRAME_POSITION, 16) - bz;
    return sqr(max(0.0, abs(x) - hx)) + sqr(max(0.0, abs(y) - hy)) + sqr(max(0.0, abs(z) - hz)) <= sqr(size0);
  }
  if (kind == SHAPE_PLANE) {
    moveToLocal(bx, by, bz);
    const depth = -(size0 * tx + size1 * ty + size2 * tz);
    const nx = m00 * size0 + m01 * size1 + m02 * size2;
    const ny = m10 * size0 + m11 * size1 + m12 * size2;
    const nz = m20 * size0 + m21 * size1 + m22 * size2;
    return depth + abs(nx) * hx + abs(ny) * hy + abs(nz) * hz >= 0;
  }
  if (isOneOf(kind, TRIANGLE_KINDS)) return boxMeetsMesh();
  return boxMeetsConvex();
}

// Support point of shape − box, world axes, relative to the box's centre.
let sx: f64 = 0;
let sy: f64 = 0;
let sz: f64 = 0;

/** Farthest point of (shape − box) along a world direction, into sx sy sz. */
function support(dx: f64, dy: f64, dz: f64): void {
  turnToLocal(dx, dy, dz);
  supportShape(tx, ty, tz);
  sx = tx - bx + (dx > 0 ? hx : -hx);
  sy = ty - by + (dy > 0 ? hy : -hy);
  sz = tz - bz + (dz > 0 ? hz : -hz);
}

/** Farthest point of the shape along a local direction, as a world point in tx ty tz. */
function supportShape(x: f64, y: f64, z: f64): void {
  if (kind == SHAPE_BOX_KIND) {
    moveToWorld(x > 0 ? size0 : -size0, y > 0 ? size1 : -size1, z > 0 ? size2 : -size2);
  } else if (kind == SHAPE_HULL) {
    let _best = hullVertex(0);
    let _most = -Infinity;
    const best = farthestCorner(record, x, y, z);
    moveToWorld(load<f64>(best), load<f64>(best, 8), load<f64>(best, 16));
  } else if (kind == SHAPE_CAPSULE) {
    const scale = size0 / max(sqrt(x * x + y * y + z * z), 1e-300);
    moveToWorld(x * scale, y * scale + (y > 0 ? size1 : -size1), z * scale);
  } else {
    const rho = sqrt(x * x + z * z);
    const scale = rho > 0 ? size0 / rho : 0.0;
    if (kind == SHAPE_CONE && 2 * size1 * y >= size0 * rho) moveToWorld(0, size1, 0);
    else moveToWorld(x * scale, kind == SHAPE_CYLINDER && y > 0 ? size1 : -size1, z * scale);
  }
}

/** Refinements after which a portal counts as settled; curved shapes gain a digit or more in each few. */
const REFINEMENTS: i32 = 64;
/** A portal that a support point moves by less than this share of its distance is the surface. */
const SETTLED: f64 = 1e-10;

// Interior point v0 and the portal v1 v2 v3 of shape − box: 4 × (x y z).
const PORTAL: usize = memory.data(96);

function setPortal(k: i32, x: f64, y: f64, z: f64): void {
  const at = PORTAL + <usize>k * 24;
  store<f64>(at, x);
  store<f64>(at, y, 8);
  store<f64>(at, z, 16);
}

function portal(k: i32, i: usize): f64 {
  return load<f64>(PORTAL + <usize>k * 24 + i * 8);
}

function swapPortal(a: i32, b: i32): void {
  const x = portal(a, 0);
  const y = portal(a, 1);
  const z = portal(a, 2);
  setPortal(a, portal(b, 0), portal(b, 1), portal(b, 2));
  setPortal(b, x, y, z);
}

// A direction, written by `crossPortal`.
let nx: f64 = 0;
let ny: f64 = 0;
let nz: f64 = 0;

/** n = (v_a − v_c) × (v_b − v_c), unit; returns false when the three are in line. */
function crossPortal(a: i32, b: i32, c: i32): bool {
  const ux = portal(a, 0) - portal(c, 0);
  const uy = portal(a, 1) - portal(c, 1);
  const uz = portal(a, 2) - portal(c, 2);
  const wx = portal(b, 0) - portal(c, 0);
  const wy = portal(b, 1) - portal(c, 1);
  const wz = portal(b, 2) - portal(c, 2);
  nx = uy * wz - uz * wy;
  ny = uz * wx - ux * wz;
  nz = ux * wy - uy * wx;
  const length = sqrt(nx * nx + ny * ny + nz * nz);
  if (!(length > 1e-14 * (sqrt(dot3(ux, uy, uz, ux, uy, uz)) * sqrt(dot3(wx, wy, wz, wx, wy, wz))))) return false;
  nx /= length;
  ny /= length;
  nz /= length;
  return true;
}

function dotPortal(k: i32): f64 {
  return dot3(nx, ny, nz, portal(k, 0), portal(k, 1), portal(k, 2));
}

/** Is the origin in shape − box? Portal refinement along the ray from an interior point to the origin. */
function boxMeetsConvex(): bool {
  // Interior point: centre of the shape minus centre of the box. (A hull's frame is its centre of mass or any point
  // the author chose; the mean of its vertices is inside for certain.)
  if (kind == SHAPE_HULL) {
    const count = load<i32>(record + HULL_VERTEX_COUNT);
    let mx: f64 = 0;
    let my: f64 = 0;
    let mz: f64 = 0;
    for (let i = 0; i < count; i++) {
      mx += load<f64>(hullVertex(i));
      my += load<f64>(hullVertex(i), 8);
      mz += load<f64>(hullVertex(i), 16);
    }
    moveToWorld(mx / count, my / count, mz / count);
  } else {
    moveToWorld(0, 0, 0);
  }
  setPortal(0, tx - bx, ty - by, tz - bz);
  const distance = sqrt(dot3(portal(0, 0), portal(0, 1), portal(0, 2), portal(0, 0), portal(0, 1), portal(0, 2)));
  if (distance == 0) return true;

  // First three support points, so that the ray v0 → origin passes through their triangle.
  nx = -portal(0, 0);
  ny = -portal(0, 1);
  nz = -portal(0, 2);
  support(nx, ny, nz);
  setPortal(1, sx, sy, sz);
  if (dotPortal(1) < 0) return false;
  if (!crossOrigin(1)) return true;
  support(nx, ny, nz);
  setPortal(2, sx, sy, sz);
  if (dotPortal(2) < 0) return false;
  if (!crossPortal(1, 2, 0)) return true;

  if (dotPortal(0) > 0) {
    swapPortal(1, 2);
    flip();
  }
  let found = false;

  for (let i = 0; i < REFINEMENTS && !found; i++) {
    support(nx, ny, nz);
    setPortal(3, sx, sy, sz);
    if (dotPortal(3) < 0) return false;
    // Origin outside the side (v1, v0, v3): v2 is replaced; outside (v3, v0, v2): v1 is.
    if (tripleOrigin(1, 3) < 0) {
      setPortal(2, sx, sy, sz);
    } else if (tripleOrigin(3, 2) < 0) {
      setPortal(1, sx, sy, sz);
    } else {
      found = true;
    }
    if (!found && !crossPortal(1, 2, 0)) return true;
  }

  // Refine until the origin is behind the portal (overlap), or a support plane has it outside (none).
  for (let i = 0; i < REFINEMENTS; i++) {
    if (!crossPortal(2, 3, 1)) return true;
    if (dotPortal(1) >= 0) return true;
    support(nx, ny, nz);
    const reach = dot3(nx, ny, nz, sx, sy, sz);
    if (reach < 0) return false;
    if (reach - dotPortal(1) <= SETTLED * distance) return false;
    const x = sx;
    const y = sy;
    const z = sz;
    // Which of the three smaller portals does the ray pass?  Sides through v4 and v0.
    const ux = y * portal(0, 2) - z * portal(0, 1);
    const uy = z * portal(0, 0) - x * portal(0, 2);
    const uz = x * portal(0, 1) - y * portal(0, 0);
    const side1 = dot3(ux, uy, uz, portal(1, 0), portal(1, 1), portal(1, 2));
    const side2 = dot3(ux, uy, uz, portal(2, 0), portal(2, 1), portal(2, 2));
    const side3 = dot3(ux, uy, uz, portal(3, 0), portal(3, 1), portal(3, 2));
    if (side1 > 0) setPortal(side2 > 0 ? 1 : 3, x, y, z);
    else setPortal(side3 > 0 ? 2 : 1, x, y, z);
  }
  return false;
}

/** n = v1 × v0; false when the origin lies on the line through both. */
function crossOrigin(k: i32): bool {
  nx = portal(k, 1) * portal(0, 2) - portal(k, 2) * portal(0, 1);
  ny = portal(k, 2) * portal(0, 0) - portal(k, 0) * portal(0, 2);
  nz = portal(k, 0) * portal(0, 1) - portal(k, 1) * portal(0, 0);
  const length = sqrt(nx * nx + ny * ny + nz * nz);
  const scale =
    sqrt(dot3(portal(k, 0), portal(k, 1), portal(k, 2), portal(k, 0), portal(k, 1), portal(k, 2))) *
    sqrt(dot3(portal(0, 0), portal(0, 1), portal(0, 2), portal(0, 0), portal(0, 1), portal(0, 2)));
  return length > 1e-14 * scale;
}

function flip(): void {
  nx = -nx;
  ny = -ny;
  nz = -nz;
}

/** (v_a × v_b) · v0 */
function tripleOrigin(a: i32, b: i32): f64 {
  return dot3(
    portal(a, 1) * portal(b, 2) - portal(a, 2) * portal(b, 1),
    portal(a, 2) * portal(b, 0) - portal(a, 0) * portal(b, 2),
    portal(a, 0) * portal(b, 1) - portal(a, 1) * portal(b, 0),
    portal(0, 0),
    portal(0, 1),
    portal(0, 2),
  );
}

// ── Box against mesh ───────────────────────────────

const STACK: usize = memory.data(256);
// Corners of a triangle in world axes, relative to the box's centre.
const CORNERS: usize = memory.data(72);

function boxMeetsMesh(): bool {
  if (load<i32>(record + MESH_NODE_COUNT) == 0) return false;
  // The query box in the mesh's frame, bounded.
  moveToLocal(bx, by, bz);
  const lx = tx;
  const ly = ty;
  const lz = tz;
  const ex = abs(m00) * hx + abs(m10) * hy + abs(m20) * hz;
  const ey = abs(m01) * hx + abs(m11) * hy + abs(m21) * hz;
  const ez = abs(m02) * hx + abs(m12) * hy + abs(m22) * hz;
  let depth = 0;
  let node = 0;
  while (true) {
    const at = record + load<i32>(record + MESH_NODES) + <usize>node * MESH_NODE_BYTES;
    const apart =
      load<f64>(at) > lx + ex ||
      load<f64>(at, 24) < lx - ex ||
      load<f64>(at, 8) > ly + ey ||
      load<f64>(at, 32) < ly - ey ||
      load<f64>(at, 16) > lz + ez ||
      load<f64>(at, 40) < lz - ez;
    if (!apart) {
      const first = load<i32>(at, 48);
      const second = load<i32>(at, 52);
      if (first < 0) {
        setI32(STACK, depth++, second);
        node++;
        continue;
      }
      for (let t = first; t < first + second; t++) if (boxMeetsTriangle(t)) return true;
    }
    if (depth == 0) return false;
    node = getI32(STACK, --depth);
  }
}

function boxMeetsTriangle(triangle: i32): bool {
  const triangles = record + load<i32>(record + MESH_TRIANGLES);
  const vertices = record + load<i32>(record + MESH_VERTICES);
  for (let k = 0; k < 3; k++) {
    const vertex = vertices + <usize>getI32(triangles, triangle * 4 + k) * 24;
    moveToWorld(load<f64>(vertex), load<f64>(vertex, 8), load<f64>(vertex, 16));
    const at = CORNERS + <usize>k * 24;
    store<f64>(at, tx - bx);
    store<f64>(at, ty - by, 8);
    store<f64>(at, tz - bz, 16);
  }
  if (apartAlong(1, 0, 0) || apartAlong(0, 1, 0) || apartAlong(0, 0, 1)) return false;
  for (let k = 0; k < 3; k++) {
    const a = CORNERS + <usize>k * 24;
    const b = CORNERS + <usize>((k + 1) % 3) * 24;
    const ux = load<f64>(b) - load<f64>(a);
    const uy = load<f64>(b, 8) - load<f64>(a, 8);
    const uz = load<f64>(b, 16) - load<f64>(a, 16);
    if (apartAlong(0, -uz, uy) || apartAlong(uz, 0, -ux) || apartAlong(-uy, ux, 0)) return false;
    if (k > 0) continue;
    const c = CORNERS + 48;
    const vx = load<f64>(c) - load<f64>(a);
    const vy = load<f64>(c, 8) - load<f64>(a, 8);
    const vz = load<f64>(c, 16) - load<f64>(a, 16);
    if (apartAlong(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx)) return false;
  }
  return true;
}

/** Whether an axis of any length separates the triangle from the box. */
function apartAlong(x: f64, y: f64, z: f64): bool {
  const a = dot3(load<f64>(CORNERS), load<f64>(CORNERS, 8), load<f64>(CORNERS, 16), x, y, z);
  const b = dot3(load<f64>(CORNERS, 24), load<f64>(CORNERS, 32), load<f64>(CORNERS, 40), x, y, z);
  const c = dot3(load<f64>(CORNERS, 48), load<f64>(CORNERS, 56), load<f64>(CORNERS, 64), x, y, z);
  const reach = abs(x) * hx + abs(y) * hy + abs(z) * hz;
  return min(a, min(b, c)) > reach || max(a, max(b, c)) < -reach;
}
