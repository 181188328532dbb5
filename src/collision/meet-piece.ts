// A part of a shape that asks meets one convex piece: a collider, a triangle of a mesh, edge or triangle of something
// elastic with its radius about it.
//
// By conservative advancement (Mirtich 1996, 2.3): a shape that only moves along comes nearer by no more than its speed
// along the normal of a plane between the two, so the gap at that plane divided by the speed is a way without a touch.
// As both are convex the gap is a convex function of the way, and this is Newton's method from the side from which it
// never passes the root.

import * as L from '../state/layout';
import { type AskingPart, placeAsking } from './asking-shape';
import { type Convex, extentAlong, supportCore } from './convex';
import { measureCores, separation } from './convex-distance';
import { measureOverlap, overlap } from './penetration';

/** Nearer than this share of the shape's reach is touching, and deeper is inside. */
export const TOUCH_SHARE = 1e-9;
/** The same as a share of coordinates: what rounding leaves of them. */
export const ROUNDING = 1e-14;
/** Looks at a pair on its way; a grazing pass of round shapes halves what is left with each. */
const LOOKS = 200;
/** Where a shape met a collider. */
export interface ShapeHit {
  collider: number;
  /** Along the way [m], 0 where it overlaps at the start; of `closest` the distance, below 0 inside. */
  distance: number;
  /** How deep the shape is in the collider where it is; 0 for a touch [m]. */
  depth: number;
  /** World point on the collider's surface [m]. */
  readonly point: Float64Array;
  /** Unit normal from the collider to the shape, world axes; where it is inside, the shortest way out. */
  readonly normal: Float64Array;
}

/** An empty hit. */
export function createShapeHit(): ShapeHit {
  return { collider: -1, distance: 0, depth: 0, point: new Float64Array(3), normal: new Float64Array(3) };
}

/** The best of the collider or elastic object in hand. */
export const best = createShapeHit();

/** Gap at which a shape of this reach touches what lies at `place` in the frame of the question [m]. */
export function touchDistance(reach: number, place: ArrayLike<number>): number {
  return TOUCH_SHARE * reach + ROUNDING * (Math.abs(place[0]) + Math.abs(place[1]) + Math.abs(place[2]));
}

/** Takes a hit of what is in hand if it is earlier, or as early and deeper. */
export function offer(t: number, depth: number, normal: ArrayLike<number>, point: ArrayLike<number>): void {
  if (!(t < best.distance || (t === best.distance && depth > best.depth))) return;
  best.distance = t;
  best.depth = depth;
  for (let k = 0; k < 3; k++) {
    best.normal[k] = normal[k];
    best.point[k] = point[k];
  }
}

export function along(direction: ArrayLike<number>, normal: ArrayLike<number>): number {
  return direction[0] * normal[0] + direction[1] * normal[1] + direction[2] * normal[2];
}

const lastNormal = new Float64Array(3);
export const touchPoint = new Float64Array(3);

/** Meets a part with a convex piece from `start` on [m]; `front`: of a triangle, the normal by which to leave it. */
export function castPart(
  part: AskingPart,
  piece: Convex,
  direction: ArrayLike<number>,
  start: number,
  enough: number,
  front: Float64Array | null,
): void {
  const { convex } = part;
  const rounding = convex.rounding + piece.rounding;
  let t = start;
  let isOnWay = false;

  for (let look = 0; look < LOOKS; look++) {
    placeAsking(part, direction, t);
    const distance = measureCores(convex, piece);
    const gap = separation.gap - rounding;

    if (distance > 0 && gap > enough) {
      const speed = -along(direction, separation.normal);
      if (!(speed > 0)) return;
      lastNormal.set(separation.normal);
      isOnWay = true;
      t += gap / speed;
      if (!(t <= best.distance)) return;
      continue;
    }

    if (!isOnWay) {
      beginInside(convex, piece, direction, start, enough, front);
      return;
    }

    if (distance === 0 || distance - rounding > 2 * enough) {
      // Undecided by rounding: the expanding polytope shows whether a plane is between them.
      const depth = measureOverlap(convex, piece);
      const speed = -along(direction, overlap.normal);
      if (depth < -enough) {
        if (!(speed > 0)) return;
        lastNormal.set(overlap.normal);
        t -= depth / speed;
        if (!(t <= best.distance)) return;
        continue;
      }
      if (convex.kind === L.SHAPE_SPHERE) {
        for (let k = 0; k < 3; k++) touchPoint[k] = convex.position[k] - convex.rounding * lastNormal[k];
      } else touchPoint.set(overlap.point);
    } else {
      // Between cores that are well apart the normal is exact here; else it is that of the plane it came up to.
      if (distance > 1e3 * enough) lastNormal.set(separation.normal);
      for (let k = 0; k < 3; k++) touchPoint[k] = separation.onB[k] + piece.rounding * lastNormal[k];
    }

    offer(t, 0, lastNormal, touchPoint);
    return;
  }

  placePointOf(convex, piece);
  offer(t, 0, lastNormal, touchPoint);
}

/** Point of the piece towards the shape along the last normal. */
function placePointOf(convex: Convex, piece: Convex): void {
  supportCore(convex, -lastNormal[0], -lastNormal[1], -lastNormal[2], touchPoint, 0);
  for (let k = 0; k < 3; k++) touchPoint[k] -= convex.rounding * lastNormal[k];
  if (piece.kind !== L.SHAPE_HULL && measureCores(convex, piece) > 0) {
    for (let k = 0; k < 3; k++) touchPoint[k] = separation.onB[k] + piece.rounding * separation.normal[k];
  }
}

/** What begins in touch, and leaves or slides, meets nothing. */
function beginInside(
  convex: Convex,
  piece: Convex,
  direction: ArrayLike<number>,
  t: number,
  enough: number,
  front: Float64Array | null,
): void {
  const depth = leave(convex, piece, front);
  if (depth <= 2 * enough && along(direction, overlap.normal) >= -1e-9) return;
  offer(t, depth > 2 * enough ? depth : 0, overlap.normal, overlap.point);
}

/** Depth of a shape in a piece, into `overlap`; of a triangle no way leads through its back. */
export function leave(convex: Convex, piece: Convex, front: Float64Array | null): number {
  const depth = measureOverlap(convex, piece);
  if (front === null || depth < 0 || along(front, overlap.normal) >= 0) return depth;
  return leavePlane(convex, front, along(front, cornerOf(piece)) + piece.rounding);
}

const corner = new Float64Array(3);

function cornerOf(piece: Convex): Float64Array {
  supportCore(piece, 1, 0, 0, corner, 0);
  return corner;
}

/** Depth of a shape behind the plane normal · x = offset, into `overlap`. */
export function leavePlane(convex: Convex, normal: Float64Array, offset: number): number {
  overlap.normal.set(normal);
  overlap.depth = offset + extentAlong(convex, -normal[0], -normal[1], -normal[2]);
  supportCore(convex, -normal[0], -normal[1], -normal[2], overlap.point, 0);
  // Of the shape's deepest point the foot on the plane.
  const deep = along(normal, overlap.point) - offset;
  for (let k = 0; k < 3; k++) overlap.point[k] -= deep * normal[k];
  return overlap.depth;
}
