// Questions that a shape asks the world: what it touches first on its way, what it overlaps, and the way out.
//
// In: a shape (asking-shape.ts), where it is, its way, the filter of queries.ts. Out: hits. Candidates come from the
// tree by the kernels' overlapBox; each is then met exactly, by conservative advancement (Mirtich 1996, 2.3): a shape
// that only moves along comes nearer by no more than its speed along the normal of a plane between the two, so the gap
// at that plane divided by the speed is a way without a touch. As both are convex the gap is a convex function of the
// way, and this is Newton's method from the side from which it never passes the root.

import type { Arena } from '../core/arena';
import * as L from '../state/layout';
import type { Tables } from '../state/tables';
import { asked, enterBounds, setWay, takeCollider, triangle, triangleNormal, visitTriangles } from './asked-collider';
import { type AskingPart, type AskingShape, askWithPoint, placeAsking, turnAsking } from './asking-shape';
import { type Convex, extentAlong, supportCore } from './convex';
import { measureCores, separation } from './convex-distance';
import { measureOverlap, overlap } from './penetration';
import { overlapBox, overlapSphere, type QueryContext, type QueryFilter } from './queries';

/** Nearer than this share of the shape's reach is touching, and deeper is inside. */
const TOUCH_SHARE = 1e-9;
/** The same as a share of coordinates: what rounding leaves of them. */
const ROUNDING = 1e-14;
/** Looks at a pair on its way; a grazing pass of round shapes halves what is left with each. */
const LOOKS = 200;
/** First stretch of a way for which candidates are sought, in reaches of the shape; each next one is longer. */
const FIRST_STRETCH = 16;
const LONGER = 8;
/** No body is farther from the world's origin along an axis (dynamics/bodies.ts) [m]; ways end beyond. */
const FARTHEST = 4e9;

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

/** What a question needs to know of the world. */
export interface ShapeQueryWorld {
  readonly arena: Arena;
  readonly tables: Tables;
  readonly queries: QueryContext;
}

/** An empty hit. */
function createShapeHit(): ShapeHit {
  return { collider: -1, distance: 0, depth: 0, point: new Float64Array(3), normal: new Float64Array(3) };
}

const STILL = new Float64Array(3);
const min = new Float64Array(3);
const max = new Float64Array(3);
const found: number[] = [];
/** The best of the collider in hand. */
const best = createShapeHit();

function touchDistance(shape: AskingShape, way: number): number {
  const away = Math.abs(asked.position[0]) + Math.abs(asked.position[1]) + Math.abs(asked.position[2]);
  return TOUCH_SHARE * shape.reach + ROUNDING * (away + way);
}

/** Takes a hit of the collider in hand if it is earlier, or as early and deeper. */
function offer(t: number, depth: number, normal: ArrayLike<number>, point: ArrayLike<number>): void {
  if (!(t < best.distance || (t === best.distance && depth > best.depth))) return;
  best.distance = t;
  best.depth = depth;
  for (let k = 0; k < 3; k++) {
    best.normal[k] = normal[k];
    best.point[k] = point[k];
  }
}

function along(direction: ArrayLike<number>, normal: ArrayLike<number>): number {
  return direction[0] * normal[0] + direction[1] * normal[1] + direction[2] * normal[2];
}

const lastNormal = new Float64Array(3);
const touchPoint = new Float64Array(3);

/** Meets a part with a convex piece from `start` on [m]; `front`: of a triangle, the normal by which to leave it. */
function castPart(
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
function leave(convex: Convex, piece: Convex, front: Float64Array | null): number {
  const depth = measureOverlap(convex, piece);
  if (front === null || depth < 0 || along(front, overlap.normal) >= 0) return depth;
  return leavePlane(convex, front, along(front, cornerOf(piece)));
}

const corner = new Float64Array(3);

function cornerOf(piece: Convex): Float64Array {
  supportCore(piece, 1, 0, 0, corner, 0);
  return corner;
}

/** Depth of a shape behind the plane normal · x = offset, into `overlap`. */
function leavePlane(convex: Convex, normal: Float64Array, offset: number): number {
  overlap.normal.set(normal);
  overlap.depth = offset + extentAlong(convex, -normal[0], -normal[1], -normal[2]);
  supportCore(convex, -normal[0], -normal[1], -normal[2], overlap.point, 0);
  // Of the shape's deepest point the foot on the plane.
  const deep = along(normal, overlap.point) - offset;
  for (let k = 0; k < 3; k++) overlap.point[k] -= deep * normal[k];
  return overlap.depth;
}

function castPlane(part: AskingPart, direction: ArrayLike<number>, enough: number): void {
  const normal = asked.size;
  const depth = leavePlane(part.convex, normal, along(normal, asked.position));
  const speed = -along(direction, normal);
  if (depth >= -enough) {
    if (depth > 2 * enough || speed > 1e-9) offer(0, depth > 2 * enough ? depth : 0, normal, overlap.point);
    return;
  }
  const t = -depth / speed;
  if (!(speed > 0) || !(t <= best.distance)) return;
  for (let k = 0; k < 3; k++) touchPoint[k] = overlap.point[k] + t * (direction[k] + speed * normal[k]);
  offer(t, 0, normal, touchPoint);
}

/** First touch of the shape with a collider within `limit` [m] into `best`; whether there is one. */
function castCollider(
  world: ShapeQueryWorld,
  shape: AskingShape,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  limit: number,
  collider: number,
): boolean {
  takeCollider(world, collider, origin);
  const enough = touchDistance(shape, 0);
  best.collider = -1;
  best.distance = limit;
  best.depth = -1;
  for (const part of shape.parts) {
    placeAsking(part, direction, 0);
    if (asked.kind === L.SHAPE_PLANE) {
      castPlane(part, direction, enough);
      continue;
    }
    setWay(part.convex, direction);
    // Well before the bounds meet nothing does.
    const begin = (enter: number): number => Math.max(0, enter - 0.01 * shape.reach);
    if (asked.kind === L.SHAPE_MESH) {
      visitTriangles(
        world.arena,
        best.distance,
        () => enough,
        (enter) => {
          castPart(part, triangle, direction, begin(enter), enough, triangleNormal);
          return best.distance;
        },
      );
      continue;
    }
    const enter = enterBounds(best.distance, enough);
    if (enter <= best.distance) castPart(part, asked, direction, begin(enter), enough, null);
  }
  if (best.depth < 0) return false;
  best.collider = collider;
  return true;
}

function copyHit(out: ShapeHit, origin: ArrayLike<number>): void {
  out.collider = best.collider;
  out.distance = best.distance;
  out.depth = best.depth;
  for (let k = 0; k < 3; k++) {
    out.point[k] = origin[k] + best.point[k];
    out.normal[k] = best.normal[k];
  }
}

/** Colliders that the bounds of the shape may meet between two places on its way, into `found`. */
function findCandidates(
  { queries }: ShapeQueryWorld,
  { box, reach }: AskingShape,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  from: number,
  to: number,
  filter: QueryFilter,
): number {
  for (let k = 0; k < 3; k++) {
    const a = origin[k] + from * direction[k];
    const b = origin[k] + to * direction[k];
    const slack = 1e-6 * reach + ROUNDING * Math.abs(b);
    min[k] = Math.min(a, b) + box[k] - slack;
    max[k] = Math.max(a, b) + box[3 + k] + slack;
  }
  return overlapBox(queries, min, max, found, filter);
}

function isEarlier(a: ShapeHit, b: ShapeHit): boolean {
  return a.distance !== b.distance ? a.distance < b.distance : a.collider < b.collider;
}

interface CastWanted {
  readonly most: number;
  readonly all: boolean;
  readonly filter: QueryFilter;
  readonly counts: (collider: number) => boolean;
}

/**
 * Colliders that a shape touches on its way, each where it does first, nearest first, equal distances by collider.
 * @param origin where the shape's own frame starts [m]; `turnAsking` has turned the shape
 * @param direction unit
 * @param wanted which touches: `most` the farthest that counts [m], `all` false: no more than the nearest, `counts`
 * which colliders to ask about beside the filter
 */
export function castShape(
  world: ShapeQueryWorld,
  shape: AskingShape,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  { most, all, filter, counts }: CastWanted,
): ShapeHit[] {
  const hits: ShapeHit[] = [];
  const seen = new Set<number>();
  const end = Math.min(most, FARTHEST);
  let limit = end;
  let from = 0;
  let stretch = Math.max(FIRST_STRETCH * shape.reach, 1);
  while (true) {
    const to = Math.min(from + stretch, end);
    const count = findCandidates(world, shape, origin, direction, from, to, filter);
    for (let i = 0; i < count; i++) {
      const collider = found[i];
      if (seen.has(collider)) continue;
      seen.add(collider);
      if (!counts(collider) || !castCollider(world, shape, origin, direction, limit, collider)) continue;
      if (!all && hits.length > 0) {
        if (!isEarlier(best, hits[0])) continue;
      } else hits.push(createShapeHit());
      copyHit(hits[hits.length - 1], origin);
      if (!all) limit = best.distance;
    }
    if (!(to < limit)) break;
    from = to;
    stretch *= LONGER;
  }
  return hits.sort((a, b) => (isEarlier(a, b) ? -1 : 1));
}

/** Deepest overlap of the shape with a collider into `best`, where it is as deep as `least` [m] at least. */
function overlapCollider(
  world: ShapeQueryWorld,
  shape: AskingShape,
  origin: ArrayLike<number>,
  least: number,
  collider: number,
): boolean {
  takeCollider(world, collider, origin);
  best.collider = collider;
  best.distance = 0;
  best.depth = Number.NEGATIVE_INFINITY;
  const slack = Math.max(0, -least);
  for (const part of shape.parts) {
    placeAsking(part, STILL, 0);
    if (asked.kind === L.SHAPE_PLANE) {
      const depth = leavePlane(part.convex, asked.size, along(asked.size, asked.position));
      offer(0, depth, overlap.normal, overlap.point);
      continue;
    }
    setWay(part.convex, STILL);
    if (asked.kind === L.SHAPE_MESH) {
      visitTriangles(
        world.arena,
        0,
        () => slack,
        () => {
          offer(0, leave(part.convex, triangle, triangleNormal), overlap.normal, overlap.point);
          return 0;
        },
      );
    } else if (enterBounds(0, slack) === 0) {
      offer(0, measureOverlap(part.convex, asked), overlap.normal, overlap.point);
    }
  }
  return best.depth >= least;
}

/**
 * Colliders that the shape overlaps, each with the deepest overlap of their parts, in the order of the tree.
 * @param isClosed whether touching counts, else what is deeper than touching
 */
export function overlapShape(
  world: ShapeQueryWorld,
  shape: AskingShape,
  origin: ArrayLike<number>,
  isClosed: boolean,
  filter: QueryFilter,
  counts: (collider: number) => boolean,
): ShapeHit[] {
  const hits: ShapeHit[] = [];
  const count = findCandidates(world, shape, origin, STILL, 0, 0, filter);
  const touch = TOUCH_SHARE * shape.reach;
  for (let i = 0; i < count; i++) {
    if (!counts(found[i]) || !overlapCollider(world, shape, origin, isClosed ? -touch : touch, found[i])) continue;
    hits.push(createShapeHit());
    copyHit(hits[hits.length - 1], origin);
  }
  return hits;
}

const pointShape = askWithPoint();
const NO_TURN = [0, 0, 0, 1];

/** Radius of the first ball in which the nearest collider is sought [m]; each next one is 8 times as large. */
const FIRST_BALL = 1;

/** Nearest point of any collider within `most` [m]; its distance is below 0 for one that holds the point. */
export function closestPoint(
  world: ShapeQueryWorld,
  point: ArrayLike<number>,
  most: number,
  filter: QueryFilter,
  counts: (collider: number) => boolean,
): ShapeHit | null {
  turnAsking(pointShape, NO_TURN);
  const hit = createShapeHit();
  for (let radius = Math.min(FIRST_BALL, most); ; radius = Math.min(radius * LONGER, most)) {
    const count = overlapSphere(world.queries, point, Math.min(radius, FARTHEST), found, filter);
    for (let i = 0; i < count; i++) {
      if (!counts(found[i])) continue;
      nearCollider(world, point, Math.min(radius, FARTHEST), found[i]);
      if (best.collider < 0) continue;
      // Nearest is least deep: of those that hold the point, the one that it is deepest in.
      if (hit.collider >= 0 && !isEarlier(best, hit)) continue;
      copyHit(hit, point);
    }
    if (hit.collider >= 0) return hit;
    if (radius >= most || radius >= FARTHEST) return null;
  }
}

/** Distance of a body's surface from a point [m], below 0 inside; infinite beyond `most`. */
export function distanceToBody(world: ShapeQueryWorld, body: number, point: ArrayLike<number>, most: number): number {
  const { bodies, colliders } = world.tables;
  turnAsking(pointShape, NO_TURN);
  let distance = Number.POSITIVE_INFINITY;
  for (let collider = bodies.collider[body]; collider >= 0; collider = colliders.next[collider]) {
    nearCollider(world, point, most, collider);
    if (best.collider >= 0) distance = Math.min(distance, best.distance);
  }
  return distance > most ? Number.POSITIVE_INFINITY : distance;
}

/** Nearest point of a collider within `radius` into `best`. */
function nearCollider(world: ShapeQueryWorld, point: ArrayLike<number>, radius: number, collider: number): void {
  takeCollider(world, collider, point);
  const { convex } = pointShape.parts[0];
  best.collider = -1;
  best.distance = Number.POSITIVE_INFINITY;
  best.depth = 0;
  let reach = radius * (1 + 1e-9);
  const take = (depth: number): void => {
    offer(-depth, Math.max(0, depth), overlap.normal, overlap.point);
    best.collider = collider;
  };
  if (asked.kind === L.SHAPE_PLANE) take(leavePlane(convex, asked.size, along(asked.size, asked.position)));
  else if (asked.kind !== L.SHAPE_MESH) take(measureOverlap(convex, asked));
  else {
    setWay(convex, STILL);
    // Boxes are widened by the radius that is still sought.
    const slack = (): number => reach;
    visitTriangles(world.arena, 0, slack, () => {
      take(measureOverlap(convex, triangle));
      reach = Math.min(reach, Math.max(0, best.distance));
      return 0;
    });
  }
}
