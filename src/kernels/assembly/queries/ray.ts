// Where a ray meets a shape, exactly, for every kind.
//
// A convex shape is an intersection of half-spaces and of one round side, so a ray meets it in one interval
// (M. Cyrus, J. Beck, "Generalized two- and three-dimensional clipping", 1978): each part cuts the interval, and the
// part that cuts its start gives the normal. Shapes are closed: touching counts, so tangent rays hit. The ray starts
// from its point nearest to the shape's centre, not from its origin, so far origins cost no digits.
//
// In: frame (queries-frame), ray in world space. Out: hitDistance, hitX.. (world point), hitNormalX.. (world).
// A ray that starts inside a solid, or on its surface going out, hits at distance 0 with the normal against the ray.

import {
  HULL_FACE_COUNT,
  HULL_PLANES,
  SHAPE_BOX_KIND,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HULL,
  SHAPE_PLANE,
  SHAPE_SPHERE,
  TRIANGLE_KINDS,
} from '../../../state/layout';
import { clamp, sqr } from '../math/vector';
import { isOneOf } from '../shapes/kinds';
import { kind, moveToLocal, record, size0, size1, size2, turnToLocal, turnToWorld, tx, ty, tz } from './frame';
import { meshNormalX, meshNormalY, meshNormalZ, rayEntersMesh, rayMeetsMesh } from './mesh';

export let hitDistance: f64 = 0;
export let hitNormalX: f64 = 0;
export let hitNormalY: f64 = 0;
export let hitNormalZ: f64 = 0;

// The ray in the shape's frame.
let ox: f64 = 0;
let oy: f64 = 0;
let oz: f64 = 0;
let dx: f64 = 0;
let dy: f64 = 0;
let dz: f64 = 0;
// The interval inside, and the outward normal where it starts.
let enter: f64 = 0;
let exit: f64 = 0;
let nx: f64 = 0;
let ny: f64 = 0;
let nz: f64 = 0;

/**
 * Whether the ray origin (wx, wy, wz) + t (ux, uy, uz), unit direction, 0 ≤ t ≤ `farthest` [m], meets the shape of
 * the frame; then hitDistance and hitNormal say where first.
 */
export function rayMeetsShape(wx: f64, wy: f64, wz: f64, ux: f64, uy: f64, uz: f64, farthest: f64): bool {
  return meetShape(wx, wy, wz, ux, uy, uz, farthest, false);
}

/** As rayMeetsShape, but only where the ray goes in: not from inside a solid, nor through the back of a triangle. */
export function rayEntersShape(wx: f64, wy: f64, wz: f64, ux: f64, uy: f64, uz: f64, farthest: f64): bool {
  return meetShape(wx, wy, wz, ux, uy, uz, farthest, true);
}

function meetShape(wx: f64, wy: f64, wz: f64, ux: f64, uy: f64, uz: f64, farthest: f64, goesIn: bool): bool {
  moveToLocal(wx, wy, wz);
  ox = tx;
  oy = ty;
  oz = tz;
  turnToLocal(ux, uy, uz);
  dx = tx;
  dy = ty;
  dz = tz;
  if (isOneOf(kind, TRIANGLE_KINDS)) {
    const t = goesIn
      ? rayEntersMesh(record, ox, oy, oz, dx, dy, dz, farthest)
      : rayMeetsMesh(record, ox, oy, oz, dx, dy, dz, farthest);
    if (t < 0) return false;
    hitDistance = t;
    turnToWorld(meshNormalX, meshNormalY, meshNormalZ);
    keepNormal();
    return true;
  }
  // From here on t counts from the ray's point nearest to the centre.
  const shift = -(ox * dx + oy * dy + oz * dz);
  ox += shift * dx;
  oy += shift * dy;
  oz += shift * dz;
  enter = -Infinity;
  exit = Infinity;
  if (kind == SHAPE_SPHERE) cutSphere(0);
  else if (kind == SHAPE_CAPSULE) cutCapsule();
  else if (kind == SHAPE_CYLINDER) cutCylinder();
  else if (kind == SHAPE_CONE) cutCone();
  else if (kind == SHAPE_PLANE) cutHalfSpace(size0, size1, size2, 0);
  else if (kind == SHAPE_BOX_KIND) cutBox();
  else if (kind == SHAPE_HULL) cutHull();
  if (!(enter <= exit) || shift + exit < 0 || shift + enter > farthest) return false;
  if (shift + enter < 0) {
    if (goesIn) return false;
    hitDistance = 0;
    hitNormalX = -ux;
    hitNormalY = -uy;
    hitNormalZ = -uz;
    return true;
  }
  hitDistance = shift + enter;
  turnToWorld(nx, ny, nz);
  keepNormal();
  return true;
}

function keepNormal(): void {
  hitNormalX = tx;
  hitNormalY = ty;
  hitNormalZ = tz;
}

function cutEmpty(): void {
  enter = Infinity;
  exit = -Infinity;
}

/** Cuts by n·x ≤ d, n of unit length. */
function cutHalfSpace(ax: f64, ay: f64, az: f64, d: f64): void {
  const speed = ax * dx + ay * dy + az * dz;
  const room = d - (ax * ox + ay * oy + az * oz);
  if (speed == 0) {
    if (room < 0) cutEmpty();
    return;
  }
  const t = room / speed;
  if (speed < 0) {
    if (t > enter) {
      enter = t;
      nx = ax;
      ny = ay;
      nz = az;
    }
  } else if (t < exit) {
    exit = t;
  }
}

function cutBox(): void {
  cutHalfSpace(1, 0, 0, size0);
  cutHalfSpace(-1, 0, 0, size0);
  cutHalfSpace(0, 1, 0, size1);
  cutHalfSpace(0, -1, 0, size1);
  cutHalfSpace(0, 0, 1, size2);
  cutHalfSpace(0, 0, -1, size2);
}

function cutHull(): void {
  const count = load<i32>(record + HULL_FACE_COUNT);
  let plane = record + load<i32>(record + HULL_PLANES);
  for (let i = 0; i < count; i++, plane += 32) {
    cutHalfSpace(load<f64>(plane), load<f64>(plane, 8), load<f64>(plane, 16), load<f64>(plane, 24));
  }
}

/** Interval in the sphere of radius size0 about (0, y, 0). */
function cutSphere(y: f64): void {
  // Foot of the perpendicular from the centre on the ray.
  const foot = dy * (y - oy) - ox * dx - oz * dz;
  const px = ox + foot * dx;
  const py = oy - y + foot * dy;
  const pz = oz + foot * dz;
  const rest = sqr(size0) - (px * px + py * py + pz * pz);
  if (rest < 0) {
    cutEmpty();
    return;
  }
  const half = sqrt(rest);
  enter = foot - half;
  exit = foot + half;
  nx = (px - half * dx) / size0;
  ny = (py - half * dy) / size0;
  nz = (pz - half * dz) / size0;
}

/** Interval in the endless cylinder of radius size0 about the y axis; no normal. */
function cutRoundSide(): void {
  const across = dx * dx + dz * dz;
  if (across < 1e-30) {
    if (ox * ox + oz * oz > sqr(size0)) cutEmpty();
    return;
  }
  // Distance of ray and axis by the cross product: no cancellation for tangent rays.
  const rest = sqr(size0) - sqr(ox * dz - oz * dx) / across;
  if (rest < 0) {
    cutEmpty();
    return;
  }
  const middle = -(ox * dx + oz * dz) / across;
  const half = sqrt(rest / across);
  enter = middle - half;
  exit = middle + half;
}

/** Union of the round side between the caps and of two spheres: convex, so its interval is their hull. */
function cutCapsule(): void {
  cutRoundSide();
  cutHalfSpace(0, 1, 0, size1);
  cutHalfSpace(0, -1, 0, size1);
  const solid = enter <= exit;
  let first = solid ? enter : Infinity;
  let last = solid ? exit : -Infinity;
  cutSphere(size1);
  first = min(first, enter);
  last = max(last, exit);
  cutSphere(-size1);
  enter = min(first, enter);
  exit = max(last, exit);
  // Outwards from the nearest point of the axis.
  const px = ox + enter * dx;
  const py = oy + enter * dy;
  const pz = oz + enter * dz;
  setUnitNormal(px, py - clamp(py, -size1, size1), pz);
}

function cutCylinder(): void {
  cutRoundSide();
  if (enter > exit) return;
  if (enter > -Infinity) setUnitNormal(ox + enter * dx, 0, oz + enter * dz);
  cutHalfSpace(0, 1, 0, size1);
  cutHalfSpace(0, -1, 0, size1);
}

/**
 * Cone with apex (0, h, 0) and base radius r at y = −h: ρ² ≤ k² (h − y)², k = r / 2h, and −h ≤ y ≤ h.
 * Along the ray the first is a t² + 2 b t + c ≤ 0, which holds in both nappes; the one below the apex is chosen.
 */
function cutCone(): void {
  const k = size0 / (2 * size1);
  const below = size1 - oy;
  const a = dx * dx + dz * dz - sqr(k * dy);
  const b = ox * dx + oz * dz + k * k * below * dy;
  const c = ox * ox + oz * oz - sqr(k * below);
  const rest = b * b - a * c;
  if (a > 0 && rest < 0) {
    cutEmpty();
    return;
  }
  const root = sqrt(max(rest, 0.0));
  const q = b > 0 ? -(b + root) : root - b;
  if (q == 0 && a == 0) {
    // Along a generator line of the cone's own slope.
    if (c > 0) {
      cutEmpty();
      return;
    }
  } else {
    const t1 = q == 0 ? 0.0 : c / q;
    // A ray along the slope meets the surface once; the other root lies at the end where a < 0 would have it.
    const t2 = a == 0 ? (q > 0 ? -Infinity : Infinity) : q / a;
    const low = min(t1, t2);
    const high = max(t1, t2);
    if (a > 0) {
      if (below - dy * 0.5 * (low + high) < 0) {
        cutEmpty();
        return;
      }
      enter = low;
      exit = high;
    } else if (dy > 0) {
      // Upwards: inside the lower nappe until its surface is passed; then outside up to the other nappe.
      exit = low;
    } else {
      enter = high;
    }
  }
  if (enter > -Infinity) {
    const y = below - enter * dy;
    setUnitNormal(ox + enter * dx, k * k * y, oz + enter * dz);
  }
  cutHalfSpace(0, 1, 0, size1);
  cutHalfSpace(0, -1, 0, size1);
}

/** Normal from any vector; the y axis for none (apex). */
function setUnitNormal(x: f64, y: f64, z: f64): void {
  const length = sqrt(x * x + y * y + z * z);
  nx = length > 0 ? x / length : 0;
  ny = length > 0 ? y / length : 1;
  nz = length > 0 ? z / length : 0;
}
