// Shapes that ask strands, sheets and solids: what they touch first on their way, what they overlap, and the way out.
//
// In: a shape (asking-shape.ts), primitives (elastic-primitives.ts). Out: hits, one an object at most. A primitive is
// met exactly, as a segment or triangle rounded by its radius (meet-piece.ts). Solids are left through the fronts of
// their triangles; what is deep in one by the nearest of them.

import { type AskingPart, type AskingShape, placeAsking } from './asking-shape';
import { createConvex, normalOf, setCorners, supportCore } from './convex';
import { cornersOf, type ElasticPrimitives, isFilled, radiusOf, visitPrimitives } from './elastic-primitives';
import {
  type Counts,
  createElasticHits,
  type ElasticHit,
  type ElasticHits,
  found,
  hitOf,
  isWithin,
  leaveFilled,
  sortHits,
  takeHit,
} from './elastic-queries';
import { along, best, castPart, leave, leavePlane, offer, ROUNDING, TOUCH_SHARE, touchDistance } from './meet-piece';
import { overlap } from './penetration';
import { createWay } from './way';

const piece = createConvex();
const corners = new Float64Array(9);
setCorners(piece, corners);
const front = new Float64Array(3);
const way = createWay();
const STILL = new Float64Array(3);

/** Takes a primitive in hand; returns the normal by which it is left, null: any. */
function takePiece(primitives: ElasticPrimitives, p: number, origin: ArrayLike<number>): Float64Array | null {
  const { tables, object } = primitives;
  piece.corners = cornersOf(primitives, p, origin, corners);
  piece.rounding = radiusOf(tables, object[p]);
  if (!isFilled(tables, object[p])) return null;
  normalOf(front, corners);
  return front;
}

/** The way of the shape's bounds. */
function setBounds({ box }: AskingShape, origin: ArrayLike<number>, direction: ArrayLike<number>): void {
  for (let k = 0; k < 3; k++) {
    way.low[k] = origin[k] + box[k];
    way.high[k] = origin[k] + box[3 + k];
    way.along[k] = direction[k];
  }
}

const middle = new Float64Array(3);

/** Offers the ways out of solids that hold a point of a part's core where it is placed. */
function leaveAllFilled(
  primitives: ElasticPrimitives,
  { convex }: AskingPart,
  origin: ArrayLike<number>,
  hits: ElasticHits,
  counts: Counts,
): void {
  for (const filled of primitives.filled) {
    if (!counts(filled.object)) continue;
    supportCore(convex, 1, 0, 0, middle, 0);
    for (let k = 0; k < 3; k++) middle[k] += origin[k];
    if (!isWithin(primitives, filled, middle)) continue;
    const p = leaveFilled(primitives, filled, middle);
    const surface = [0, 1, 2].map((k) => middle[k] - origin[k] + found.point[k]);
    begin(hits, filled.object, 0, Number.NEGATIVE_INFINITY);
    const normal = Float64Array.from(found.normal);
    const depth = leavePlane(convex, normal, along(normal, surface));
    offer(0, depth, overlap.normal, overlap.point);
    takeHit(hits, filled.object, p, best, origin);
  }
}

/** What beats the hit of this object so far: up to `limit` [m], and deeper than `least`. */
function begin(hits: ElasticHits, object: number, limit: number, least: number): void {
  const before = hitOf(hits, object);
  best.distance = before ? Math.min(before.distance, limit) : limit;
  best.depth = before ? before.depth : least;
}

/**
 * Objects that a shape touches on its way, each where it does first, nearest first.
 * @param origin where the shape's own frame starts [m]; `turnAsking` has turned the shape
 * @param direction unit
 * @param most farthest that counts [m]
 * @param all false: no more than the nearest
 */
export function castElasticShape(
  primitives: ElasticPrimitives,
  shape: AskingShape,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  most: number,
  all: boolean,
  counts: Counts,
): ElasticHit[] {
  const hits = createElasticHits(all);
  for (const part of shape.parts) {
    placeAsking(part, STILL, 0);
    leaveAllFilled(primitives, part, origin, hits, counts);
  }
  setBounds(shape, origin, direction);
  const enough = touchDistance(shape.reach, STILL);
  const away = Math.abs(origin[0]) + Math.abs(origin[1]) + Math.abs(origin[2]);
  const slack = (): number => enough + ROUNDING * away;
  const limit = all ? most : (hits.list[0]?.distance ?? most);
  visitPrimitives(primitives, way, limit, slack, counts, (p, enter) => {
    const object = primitives.object[p];
    const leaves = takePiece(primitives, p, origin);
    // Well before the bounds meet nothing does.
    const start = Math.max(0, enter - 0.01 * shape.reach - slack());
    for (const part of shape.parts) {
      begin(hits, object, most, -1);
      const { distance, depth } = best;
      castPart(part, piece, direction, start, enough, leaves);
      if (best.distance < distance || best.depth > depth) takeHit(hits, object, p, best, origin);
    }
    return all ? most : (hits.list[0]?.distance ?? most);
  });
  return sortHits(hits);
}

/**
 * Objects that the shape overlaps, each with its deepest overlap.
 * @param isClosed whether touching counts, else what is deeper than touching
 */
export function overlapElastic(
  primitives: ElasticPrimitives,
  shape: AskingShape,
  origin: ArrayLike<number>,
  isClosed: boolean,
  counts: Counts,
): ElasticHit[] {
  const hits = createElasticHits(true);
  const touch = TOUCH_SHARE * shape.reach;
  const least = isClosed ? -touch : touch;
  for (const part of shape.parts) {
    placeAsking(part, STILL, 0);
    leaveAllFilled(primitives, part, origin, hits, counts);
  }
  setBounds(shape, origin, STILL);
  const slack = (): number => Math.max(0, -least);
  visitPrimitives(primitives, way, 0, slack, counts, (p) => {
    const object = primitives.object[p];
    const leaves = takePiece(primitives, p, origin);
    for (const part of shape.parts) {
      begin(hits, object, 0, Number.NEGATIVE_INFINITY);
      const { depth } = best;
      offer(0, leave(part.convex, piece, leaves), overlap.normal, overlap.point);
      if (best.depth > depth && best.depth >= least) takeHit(hits, object, p, best, origin);
    }
    return 0;
  });
  return sortHits(hits);
}
