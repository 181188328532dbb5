// Questions that a shape asks the world: what it touches first on its way, what it overlaps, and the way out.
//
// In: a shape (asking-shape.ts), where it is, its way, the filter of queries.ts. Out: hits. Candidates come from the
// tree by the kernels' overlapBox; each is then met exactly (meet-piece.ts).

import type { Arena } from '../core/arena';
import * as L from '../state/layout';
import { isMesh } from '../state/shape-traits';
import type { Tables } from '../state/tables';
import { asked, enterBounds, setWay, takeCollider, triangle, triangleNormal, visitTriangles } from './asked-collider';
import { type AskingPart, type AskingShape, askWithPoint, placeAsking, turnAsking } from './asking-shape';
import {
  along,
  best,
  castPart,
  createShapeHit,
  leave,
  leavePlane,
  offer,
  ROUNDING,
  type ShapeHit,
  TOUCH_SHARE,
  touchDistance,
  touchPoint,
} from './meet-piece';
import { measureOverlap, overlap } from './penetration';
import { overlapBox, overlapSphere, type QueryContext, type QueryFilter } from './queries';

/** First stretch of a way for which candidates are sought, in reaches of the shape; each next one is longer. */
const FIRST_STRETCH = 16;
const LONGER = 8;
/** No body is farther from the world's origin along an axis (dynamics/bodies.ts) [m]; ways end beyond. */
const FARTHEST = 4e9;

/** What a question needs to know of the world. */
export interface ShapeQueryWorld {
  readonly arena: Arena;
  readonly tables: Tables;
  readonly queries: QueryContext;
}

const STILL = new Float64Array(3);
const min = new Float64Array(3);
const max = new Float64Array(3);
const found: number[] = [];

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
  const enough = touchDistance(shape.reach, asked.position);
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
    if (isMesh(asked.kind)) {
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
    if (isMesh(asked.kind)) {
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
  else if (!isMesh(asked.kind)) take(measureOverlap(convex, asked));
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
