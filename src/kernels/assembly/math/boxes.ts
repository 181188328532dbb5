// World poses of colliders and the boxes that hold them.
//
// In: body poses and velocities, shapes. Out: COLLIDER_POSITION, COLLIDER_ROTATION, COLLIDER_BOX, COLLIDER_PATH.
// The box of a shape at rest is tight (exact for every kind but meshes and large hulls, whose local bounds are
// rotated). The box of a collider is that box extended by the motion of the coming step, so that contacts with
// what lies in the way are made before it is passed, and by half the speculative distance.
// Limits: coordinates are cut at 1e12 m, planes at 1e6 m around the world's origin.

import { PLANE_REACH } from '../../../core/engine-constants';
import {
  BODY_ANGULAR_VELOCITY,
  BODY_LINEAR_VELOCITY,
  BODY_POSITION,
  BODY_ROTATION,
  COLLIDER_BOX,
  COLLIDER_LOCAL_POSITION,
  COLLIDER_LOCAL_ROTATION,
  COLLIDER_PATH,
  COLLIDER_POSITION,
  COLLIDER_ROTATION,
  COLLIDER_SHAPE,
  HULL_VERTEX_COUNT,
  HULL_VERTICES,
  RIMMED_KINDS,
  ROUND_KINDS,
  SHAPE_BOX,
  SHAPE_BOX_KIND,
  SHAPE_CAPSULE,
  SHAPE_CYLINDER,
  SHAPE_DATA,
  SHAPE_HULL,
  SHAPE_KIND,
  SHAPE_PARAMETER,
  SHAPE_PLANE,
  SHAPE_SPHERE,
  SPECULATIVE_DISTANCE,
  TIME_STEP,
} from '../../../state/layout';
import { column, copyWords, getI32, parameter } from '../memory';
import { isOneOf } from '../shapes/kinds';
import { clamp, sqr } from './vector';

/** Coordinates are cut here [m], so that areas of boxes stay finite. */
const FARTHEST: f64 = 1e12;
/** Hulls with more vertices use their rotated local bounds: a looser box is then cheaper than a walk. */
const HULL_WALK: i32 = 64;

/** Byte size of a row of four f64, and of a box. */
const ROW4: usize = 32;
export const BOX_BYTES: usize = 48;

const NEW_BOX: usize = memory.data(48);
const OLD_POSE: usize = memory.data(64);

/** Address of a row of a column of four f64. */
export function row4(columnCell: i32, row: i32): usize {
  return column(columnCell) + <usize>row * ROW4;
}

/** Address of a row of a column of boxes. */
export function boxRow(columnCell: i32, row: i32): usize {
  return column(columnCell) + <usize>row * BOX_BYTES;
}

/** World pose of a collider from its body's pose, into `position` and `rotation` (rows of four f64). */
export function placeCollider(collider: i32, body: i32, position: usize, rotation: usize): void {
  placeAt(collider, row4(BODY_POSITION, body), row4(BODY_ROTATION, body), position, rotation);
}

/** The same from the pose `p`, `q` of its body's centre of mass. */
export function placeAt(collider: i32, p: usize, q: usize, position: usize, rotation: usize): void {
  const l = row4(COLLIDER_LOCAL_POSITION, collider);
  const m = row4(COLLIDER_LOCAL_ROTATION, collider);
  const qx = load<f64>(q);
  const qy = load<f64>(q, 8);
  const qz = load<f64>(q, 16);
  const qw = load<f64>(q, 24);
  const lx = load<f64>(l);
  const ly = load<f64>(l, 8);
  const lz = load<f64>(l, 16);
  // R l = l + 2 (w (q × l) + q × (q × l))
  const cx = 2 * (qy * lz - qz * ly);
  const cy = 2 * (qz * lx - qx * lz);
  const cz = 2 * (qx * ly - qy * lx);
  store<f64>(position, load<f64>(p) + lx + qw * cx + qy * cz - qz * cy);
  store<f64>(position, load<f64>(p, 8) + ly + qw * cy + qz * cx - qx * cz, 8);
  store<f64>(position, load<f64>(p, 16) + lz + qw * cz + qx * cy - qy * cx, 16);
  const mx = load<f64>(m);
  const my = load<f64>(m, 8);
  const mz = load<f64>(m, 16);
  const mw = load<f64>(m, 24);
  store<f64>(rotation, qw * mx + qx * mw + qy * mz - qz * my);
  store<f64>(rotation, qw * my - qx * mz + qy * mw + qz * mx, 8);
  store<f64>(rotation, qw * mz + qx * my - qy * mx + qz * mw, 16);
  store<f64>(rotation, qw * mw - qx * mx - qy * my - qz * mz, 24);
}

/** Writes min and max of centre ± half extents, cut at FARTHEST; NaN stays NaN. */
function storeBox(box: usize, cx: f64, cy: f64, cz: f64, hx: f64, hy: f64, hz: f64): void {
  store<f64>(box, clamp(cx - hx, -FARTHEST, FARTHEST));
  store<f64>(box, clamp(cy - hy, -FARTHEST, FARTHEST), 8);
  store<f64>(box, clamp(cz - hz, -FARTHEST, FARTHEST), 16);
  store<f64>(box, clamp(cx + hx, -FARTHEST, FARTHEST), 24);
  store<f64>(box, clamp(cy + hy, -FARTHEST, FARTHEST), 32);
  store<f64>(box, clamp(cz + hz, -FARTHEST, FARTHEST), 40);
}

/** Tight world box (min, max) of a shape at a pose, into `box`. */
export function boundShape(shape: i32, position: usize, rotation: usize, box: usize): void {
  const kind = getI32(column(SHAPE_KIND), shape);
  const size = row4(SHAPE_PARAMETER, shape);
  const px = load<f64>(position);
  const py = load<f64>(position, 8);
  const pz = load<f64>(position, 16);
  const r = load<f64>(size);

  if (kind == SHAPE_SPHERE) {
    storeBox(box, px, py, pz, r, r, r);
    return;
  }
  const x = load<f64>(rotation);
  const y = load<f64>(rotation, 8);
  const z = load<f64>(rotation, 16);
  const w = load<f64>(rotation, 24);
  // The second column of the rotation matrix is the shape's own y axis, on which round shapes are built.
  const m01 = 2 * (x * y - w * z);
  const m11 = 1 - 2 * (x * x + z * z);
  const m21 = 2 * (y * z + w * x);
  const half = load<f64>(size, 8);

  if (kind == SHAPE_CAPSULE) {
    storeBox(box, px, py, pz, abs(m01) * half + r, abs(m11) * half + r, abs(m21) * half + r);
    return;
  }

  if (isOneOf(kind, RIMMED_KINDS)) {
    // A disc of radius r across the unit axis a reaches r √(1 − a_i²) along coordinate i.
    const sx = r * sqrt(sqr(m11) + sqr(m21));
    const sy = r * sqrt(sqr(m01) + sqr(m21));
    const sz = r * sqrt(sqr(m01) + sqr(m11));
    if (kind == SHAPE_CYLINDER) {
      storeBox(box, px, py, pz, abs(m01) * half + sx, abs(m11) * half + sy, abs(m21) * half + sz);
      return;
    }
    // Apex at +half, disc at −half: the box is not centred.
    const ax = m01 * half;
    const ay = m11 * half;
    const az = m21 * half;
    store<f64>(box, px + min(ax, -ax - sx));
    store<f64>(box, py + min(ay, -ay - sy), 8);
    store<f64>(box, pz + min(az, -az - sz), 16);
    store<f64>(box, px + max(ax, sx - ax), 24);
    store<f64>(box, py + max(ay, sy - ay), 32);
    store<f64>(box, pz + max(az, sz - az), 40);
    return;
  }
  const m00 = 1 - 2 * (y * y + z * z);
  const m10 = 2 * (x * y + w * z);
  const m20 = 2 * (x * z - w * y);
  const m02 = 2 * (x * z + w * y);
  const m12 = 2 * (y * z - w * x);
  const m22 = 1 - 2 * (x * x + y * y);

  if (kind == SHAPE_PLANE) {
    boundPlane(
      box,
      m00 * r + m01 * half + m02 * load<f64>(size, 16),
      m10 * r + m11 * half + m12 * load<f64>(size, 16),
      m20 * r + m21 * half + m22 * load<f64>(size, 16),
      px,
      py,
      pz,
    );
    return;
  }

  if (kind == SHAPE_HULL) {
    const record = <usize>getI32(column(SHAPE_DATA), shape);
    const count = load<i32>(record + HULL_VERTEX_COUNT);
    if (count <= HULL_WALK) {
      let vertex = record + load<i32>(record + HULL_VERTICES);
      let lowX: f64 = Infinity;
      let lowY: f64 = Infinity;
      let lowZ: f64 = Infinity;
      let highX: f64 = -Infinity;
      let highY: f64 = -Infinity;
      let highZ: f64 = -Infinity;
      for (let i = 0; i < count; i++, vertex += 24) {
        const vx = load<f64>(vertex);
        const vy = load<f64>(vertex, 8);
        const vz = load<f64>(vertex, 16);
        const wx = m00 * vx + m01 * vy + m02 * vz;
        const wy = m10 * vx + m11 * vy + m12 * vz;
        const wz = m20 * vx + m21 * vy + m22 * vz;
        lowX = min(lowX, wx);
        lowY = min(lowY, wy);
        lowZ = min(lowZ, wz);
        highX = max(highX, wx);
        highY = max(highY, wy);
        highZ = max(highZ, wz);
      }
      store<f64>(box, px + lowX);
      store<f64>(box, py + lowY, 8);
      store<f64>(box, pz + lowZ, 16);
      store<f64>(box, px + highX, 24);
      store<f64>(box, py + highY, 32);
      store<f64>(box, pz + highZ, 40);
      return;
    }
  }
  // Boxes are centred; meshes and large hulls use the centre and half extents of their local bounds.
  let cx: f64 = 0;
  let cy: f64 = 0;
  let cz: f64 = 0;
  let hx = r;
  let hy = half;
  let hz = load<f64>(size, 16);

  if (kind != SHAPE_BOX_KIND) {
    const bounds = boxRow(SHAPE_BOX, shape);
    cx = 0.5 * (load<f64>(bounds) + load<f64>(bounds, 24));
    cy = 0.5 * (load<f64>(bounds, 8) + load<f64>(bounds, 32));
    cz = 0.5 * (load<f64>(bounds, 16) + load<f64>(bounds, 40));
    hx = load<f64>(bounds, 24) - cx;
    hy = load<f64>(bounds, 32) - cy;
    hz = load<f64>(bounds, 40) - cz;
  }
  storeBox(
    box,
    px + m00 * cx + m01 * cy + m02 * cz,
    py + m10 * cx + m11 * cy + m12 * cz,
    pz + m20 * cx + m21 * cy + m22 * cz,
    abs(m00) * hx + abs(m01) * hy + abs(m02) * hz,
    abs(m10) * hx + abs(m11) * hy + abs(m12) * hz,
    abs(m20) * hx + abs(m21) * hy + abs(m22) * hz,
  );
}

/** Box of the part of the half-space n·x ≤ n·p that lies within PLANE_REACH of the world's origin. */
function boundPlane(box: usize, nx: f64, ny: f64, nz: f64, px: f64, py: f64, pz: f64): void {
  const d = nx * px + ny * py + nz * pz;
  storeBox(box, 0, 0, 0, PLANE_REACH, PLANE_REACH, PLANE_REACH);
  cutAxis(box, nx, d + PLANE_REACH * (abs(ny) + abs(nz)));
  cutAxis(box + 8, ny, d + PLANE_REACH * (abs(nx) + abs(nz)));
  cutAxis(box + 16, nz, d + PLANE_REACH * (abs(nx) + abs(ny)));
}

/** Cuts one coordinate of the box at `at` by n·x ≤ d, where d already allows for the other two coordinates. */
function cutAxis(at: usize, n: f64, d: f64): void {
  if (n > 0) store<f64>(at, max(-PLANE_REACH, min(PLANE_REACH, d / n)), 24);
  else if (n < 0) store<f64>(at, min(PLANE_REACH, max(-PLANE_REACH, d / n)));
}

/**
 * Extends a collider's tight box by its body's motion over the step: linear exactly, the turn by a bound.
 * A point at r from the centre of mass moves by at most |ω × r| t + ½ (|ω| t)² |r|; each coordinate of the
 * first term is bounded over the box.
 */
function extendByMotion(box: usize, body: i32, p: usize, shape: i32): void {
  const t = parameter(TIME_STEP);
  const v = row4(BODY_LINEAR_VELOCITY, body);
  const u = row4(BODY_ANGULAR_VELOCITY, body);
  const reach = 0.5 * parameter(SPECULATIVE_DISTANCE);
  const wx = abs(load<f64>(u)) * t;
  const wy = abs(load<f64>(u, 8)) * t;
  const wz = abs(load<f64>(u, 16)) * t;
  let ex = reach;
  let ey = reach;
  let ez = reach;
  if (wx + wy + wz > 0) {
    // A turn does not move the surface of a sphere about its centre, nor that of a capsule about its segment.
    const kind = getI32(column(SHAPE_KIND), shape);
    const skin = isOneOf(kind, ROUND_KINDS) ? load<f64>(row4(SHAPE_PARAMETER, shape)) : 0.0;
    const rx = max(load<f64>(box, 24) - load<f64>(p), load<f64>(p) - load<f64>(box)) - skin;
    const ry = max(load<f64>(box, 32) - load<f64>(p, 8), load<f64>(p, 8) - load<f64>(box, 8)) - skin;
    const rz = max(load<f64>(box, 40) - load<f64>(p, 16), load<f64>(p, 16) - load<f64>(box, 16)) - skin;
    const radius = sqrt(rx * rx + ry * ry + rz * rz);
    const curve = 0.5 * (wx * wx + wy * wy + wz * wz) * radius;
    // No turn moves a point by more than the diameter of its circle.
    ex += min(wy * rz + wz * ry + curve, 2 * radius);
    ey += min(wz * rx + wx * rz + curve, 2 * radius);
    ez += min(wx * ry + wy * rx + curve, 2 * radius);
  }
  const dx = load<f64>(v) * t;
  const dy = load<f64>(v, 8) * t;
  const dz = load<f64>(v, 16) * t;
  store<f64>(box, max(-FARTHEST, load<f64>(box) - ex + min(0.0, dx)));
  store<f64>(box, max(-FARTHEST, load<f64>(box, 8) - ey + min(0.0, dy)), 8);
  store<f64>(box, max(-FARTHEST, load<f64>(box, 16) - ez + min(0.0, dz)), 16);
  store<f64>(box, min(FARTHEST, load<f64>(box, 24) + ex + max(0.0, dx)), 24);
  store<f64>(box, min(FARTHEST, load<f64>(box, 32) + ey + max(0.0, dy)), 32);
  store<f64>(box, min(FARTHEST, load<f64>(box, 40) + ez + max(0.0, dz)), 40);
}

/** Whether a box has numbers only, and min ≤ max. */
export function isSound(box: usize): bool {
  return (
    load<f64>(box) <= load<f64>(box, 24) &&
    load<f64>(box, 8) <= load<f64>(box, 32) &&
    load<f64>(box, 16) <= load<f64>(box, 40)
  );
}

/**
 * Writes the collider's world pose and box from its body. Returns false, and leaves the old box in place, when
 * the body's numbers are bad: a NaN must never reach the tree.
 */
export function refreshCollider(collider: i32, body: i32): bool {
  const shape = getI32(column(COLLIDER_SHAPE), collider);
  const position = row4(COLLIDER_POSITION, collider);
  const rotation = row4(COLLIDER_ROTATION, collider);
  copyWords(OLD_POSE, position, ROW4);
  copyWords(OLD_POSE + ROW4, rotation, ROW4);
  placeCollider(collider, body, position, rotation);
  boundShape(shape, position, rotation, NEW_BOX);
  extendByMotion(NEW_BOX, body, row4(BODY_POSITION, body), shape);
  if (!isSound(NEW_BOX)) return false;
  copyWords(boxRow(COLLIDER_BOX, collider), NEW_BOX, BOX_BYTES);
  extendPath(collider, body, shape, position, rotation);
  return true;
}

/**
 * Path of the collider, in which no point of it moved farther than its origin and its turn carry it: by 2 r sin(θ/2)
 * <= 2 r ‖q' − q‖ for the turn θ from q to q'. A first path is 1: 0 is unknown.
 */
function extendPath(collider: i32, body: i32, shape: i32, position: usize, rotation: usize): void {
  const path = column(COLLIDER_PATH) + ((<usize>collider) << 4);
  const bounds = boxRow(SHAPE_BOX, shape);
  let moved: f64 = 0;
  let turned: f64 = sqr(load<f64>(rotation, 24) - load<f64>(OLD_POSE + ROW4, 24));
  for (let k: usize = 0; k < 24; k += 8) {
    moved += sqr(load<f64>(position + k) - load<f64>(OLD_POSE + k));
    turned += sqr(load<f64>(rotation + k) - load<f64>(OLD_POSE + ROW4 + k));
  }
  const radius = radiusOfBox(bounds);
  const last = load<f64>(path);
  const now = last == 0 ? 1 : last + sqrt(moved) + 2 * radius * sqrt(turned);
  store<f64>(path, now);
  store<f64>(path, pathAhead(now, collider, body, radius), 8);
}

/** About the origin [m]. */
function radiusOfBox(bounds: usize): f64 {
  let size: f64 = 0;
  let middle: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) {
    size += sqr(load<f64>(bounds + k, 24) - load<f64>(bounds + k));
    middle += sqr(load<f64>(bounds + k, 24) + load<f64>(bounds + k));
  }
  return 0.5 * (sqrt(size) + sqrt(middle));
}

/** What a path that is `now` long may be at the end of the step. */
function pathAhead(now: f64, collider: i32, body: i32, radius: f64): f64 {
  const v = row4(BODY_LINEAR_VELOCITY, body);
  const w = row4(BODY_ANGULAR_VELOCITY, body);
  const local = row4(COLLIDER_LOCAL_POSITION, collider);
  let speed: f64 = 0;
  let spin: f64 = 0;
  let arm: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) {
    speed += sqr(load<f64>(v + k));
    spin += sqr(load<f64>(w + k));
    arm += sqr(load<f64>(local + k));
  }
  return now + (sqrt(speed) + sqrt(spin) * (radius + sqrt(arm))) * parameter(TIME_STEP);
}
