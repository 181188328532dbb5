// Rays, and nearest points, on strands, sheets and solids: closed forms for segments and triangles with a radius.
//
// In: primitives (elastic-primitives.ts), a ray or a point. Out: hits, one an object at most. What is nearer to a
// primitive than its radius is inside; of a solid also what its surface encloses, which a way from there to any of its
// triangles tells: the first that it meets is met from behind. Nothing of the simulation is written.

import { nearestOnTriangle } from '../math/nearest-points';
import { normalOf } from './convex';
import { cornersOf, type ElasticPrimitives, type FilledObject, radiusOf, visitPrimitives } from './elastic-primitives';
import { createWay } from './way';

/** Where something met an object. */
export interface ElasticHit {
  /** Row of the strands, and the primitive met; −1 none. */
  object: number;
  primitive: number;
  /** As of a ShapeHit. */
  distance: number;
  depth: number;
  readonly point: Float64Array;
  readonly normal: Float64Array;
}

/** Which objects a question sees. */
export type Counts = (object: number) => boolean;

/** Hits so far, one an object, or only the first of all. */
export interface ElasticHits {
  readonly list: ElasticHit[];
  readonly all: boolean;
}

function createElasticHit(object: number): ElasticHit {
  const [point, normal] = [new Float64Array(3), new Float64Array(3)];
  return { object, primitive: -1, distance: Number.POSITIVE_INFINITY, depth: 0, point, normal };
}

export function createElasticHits(all: boolean): ElasticHits {
  return { list: [], all };
}

/** The hit that one of this object would replace, if there is any. */
export function hitOf({ list, all }: ElasticHits, object: number): ElasticHit | undefined {
  return all ? list.find((hit) => hit.object === object) : list[0];
}

/** Takes a hit if it is earlier than that of its object, or as early and deeper; place from `origin` on. */
export function takeHit(
  hits: ElasticHits,
  object: number,
  primitive: number,
  { distance, depth, point, normal }: Pick<ElasticHit, 'distance' | 'depth' | 'point' | 'normal'>,
  origin: ArrayLike<number>,
): void {
  let hit = hitOf(hits, object);
  if (!hit) {
    hit = createElasticHit(object);
    hits.list.push(hit);
  } else if (!(distance < hit.distance || (distance === hit.distance && depth > hit.depth))) return;
  hit.object = object;
  hit.primitive = primitive;
  hit.distance = distance;
  hit.depth = depth;
  for (let k = 0; k < 3; k++) {
    hit.point[k] = origin[k] + point[k];
    hit.normal[k] = normal[k];
  }
}

/** Nearest first, equal distances by object. */
export function sortHits({ list }: ElasticHits): ElasticHit[] {
  return list.sort((a, b) => a.distance - b.distance || a.object - b.object);
}

/** Corners of the primitive in hand from the question's origin on, then a point. */
const corners = new Float64Array(12);
const weights = new Float64Array(3);
/** What the last look at a primitive found, place from the question's origin on. */
export const found = { distance: 0, depth: 0, point: new Float64Array(3), normal: new Float64Array(3) };
const face = new Float64Array(3);
const way = createWay();
/** What rounding leaves of coordinates, as a share. */
const ROUNDING = 1e-14;

function dot(a: ArrayLike<number>, i: number, b: ArrayLike<number>, k: number): number {
  return a[i] * b[k] + a[i + 1] * b[k + 1] + a[i + 2] * b[k + 2];
}

/** Weights of a primitive's corners at its point nearest to `point`, three numbers, the last 0 of an edge. */
export function nearestWeights(
  primitives: ElasticPrimitives,
  primitive: number,
  point: ArrayLike<number>,
): Float64Array {
  const count = cornersOf(primitives, primitive, point, corners);
  // The point is the origin here.
  corners.fill(0, 9, 12);
  if (count === 3) return nearestOnTriangle(weights, 0, corners, 9, 0);
  let length = 0;
  let along = 0;
  for (let k = 0; k < 3; k++) {
    const edge = corners[3 + k] - corners[k];
    length += edge * edge;
    along -= corners[k] * edge;
  }
  const share = length > 0 ? Math.max(0, Math.min(1, along / length)) : 0;
  weights[0] = 1 - share;
  weights[1] = share;
  weights[2] = 0;
  return weights;
}

/**
 * Nearest point of a primitive's surface to a point that is outside, or within the solid whose surface it is; into
 * `found`, place from the point on.
 */
function nearOn(primitives: ElasticPrimitives, primitive: number, point: ArrayLike<number>, isWithin: boolean): number {
  const [u, v, w] = nearestWeights(primitives, primitive, point);
  const { tables, object, node } = primitives;
  const radius = radiusOf(tables, object[primitive]);
  let square = 0;
  for (let k = 0; k < 3; k++) {
    // From the nearest point of the core to the point asked about.
    found.normal[k] = -(u * corners[k] + v * corners[3 + k] + (w === 0 ? 0 : w * corners[6 + k]));
    square += found.normal[k] ** 2;
  }
  const distance = Math.sqrt(square);
  const outward = isWithin ? -1 : 1;
  found.point.set([-found.normal[0], -found.normal[1], -found.normal[2]]);
  if (distance > 0) for (let k = 0; k < 3; k++) found.normal[k] *= outward / distance;
  else if (node[3 * primitive + 2] >= 0) normalOf(found.normal, corners);
  else turnAcross(found.normal);
  for (let k = 0; k < 3; k++) found.point[k] += radius * found.normal[k];
  found.distance = isWithin ? -distance - radius : distance - radius;
  found.depth = Math.max(0, -found.distance);
  return found.distance;
}

/** A unit vector across the segment in hand. */
function turnAcross(out: Float64Array): void {
  const edge = [0, 1, 2].map((k) => corners[3 + k] - corners[k]);
  const least = edge.reduce((best, x, k) => (Math.abs(x) < Math.abs(edge[best]) ? k : best), 0);
  const axis = [0, 0, 0];
  axis[least] = 1;
  const cross = [
    edge[1] * axis[2] - edge[2] * axis[1],
    edge[2] * axis[0] - edge[0] * axis[2],
    edge[0] * axis[1] - edge[1] * axis[0],
  ];
  const length = Math.sqrt(dot(cross, 0, cross, 0));
  for (let k = 0; k < 3; k++) out[k] = length > 0 ? cross[k] / length : axis[k];
}

/** The way of a point that stands. */
function standAt(point: ArrayLike<number>): void {
  for (let k = 0; k < 3; k++) way.low[k] = way.high[k] = point[k];
  way.along.fill(0);
}

/** Whether a point is within the surface of an object of volume [m]. */
export function isWithin(primitives: ElasticPrimitives, filled: FilledObject, point: ArrayLike<number>): boolean {
  const { box } = primitives;
  const { first, end } = filled;
  const isInBox = [0, 0, 0, 0, 0, 0];
  for (let p = first; p < end; p++) {
    for (let k = 0; k < 3; k++) {
      if (box[6 * p + k] <= point[k]) isInBox[k] = 1;
      if (box[6 * p + 3 + k] >= point[k]) isInBox[3 + k] = 1;
    }
  }
  if (isInBox.includes(0)) return false;
  // Towards the middle of the first triangle that is not seen from its side: what is met first tells.
  for (let target = first; target < end; target++) {
    cornersOf(primitives, target, point, corners);
    normalOf(face, corners);
    const to = [0, 1, 2].map((k) => (corners[k] + corners[3 + k] + corners[6 + k]) / 3);
    const length = Math.sqrt(dot(to, 0, to, 0));
    if (!(Math.abs(dot(face, 0, to, 0)) > 1e-3 * length)) continue;
    let nearest = Number.POSITIVE_INFINITY;
    let isBehind = false;
    for (let p = first; p < end; p++) {
      const t = crossing(primitives, p, point, to);
      if (!(t < nearest)) continue;
      nearest = t;
      isBehind = dot(face, 0, to, 0) > 0;
    }
    return isBehind;
  }
  return false;
}

/** Where point + t · to goes through a triangle, t ≥ 0, else infinite; its normal into `face`. */
function crossing(primitives: ElasticPrimitives, p: number, point: ArrayLike<number>, to: ArrayLike<number>): number {
  cornersOf(primitives, p, point, corners);
  normalOf(face, corners);
  const speed = dot(face, 0, to, 0);
  const t = dot(face, 0, corners, 0) / speed;
  if (!(t >= 0) || !Number.isFinite(t)) return Number.POSITIVE_INFINITY;
  return isOver([t * to[0], t * to[1], t * to[2]]) ? t : Number.POSITIVE_INFINITY;
}

/** Whether a point of the plane of the triangle in hand is in it; its normal is in `face`. */
function isOver(q: ArrayLike<number>): boolean {
  for (let c = 0; c < 3; c++) {
    const [i, j] = [3 * c, 3 * ((c + 1) % 3)];
    const [ux, uy, uz] = [corners[j] - corners[i], corners[j + 1] - corners[i + 1], corners[j + 2] - corners[i + 2]];
    const [vx, vy, vz] = [q[0] - corners[i], q[1] - corners[i + 1], q[2] - corners[i + 2]];
    const side = face[0] * (uy * vz - uz * vy) + face[1] * (uz * vx - ux * vz) + face[2] * (ux * vy - uy * vx);
    // What passes between two triangles would miss both by rounding.
    if (side < -1e-12 * (ux * ux + uy * uy + uz * uz)) return false;
  }
  return true;
}

/** Where the ray from the question's origin enters the ball about an end of the segment in hand [m]. */
function enterBall(at: number, d: ArrayLike<number>, radius: number): number {
  const foot = dot(corners, at, d, 0);
  let apart = 0;
  for (let k = 0; k < 3; k++) apart += (corners[at + k] - foot * d[k]) ** 2;
  return apart > radius * radius ? Number.POSITIVE_INFINITY : foot - Math.sqrt(radius * radius - apart);
}

/** Where the ray enters the capsule about the corners at `i` and `k`; may be below 0: behind, or infinite. */
function enterCapsule(i: number, k: number, d: ArrayLike<number>, radius: number): number {
  const edge = [corners[k] - corners[i], corners[k + 1] - corners[i + 1], corners[k + 2] - corners[i + 2]];
  const length = dot(edge, 0, edge, 0);
  const speed = dot(edge, 0, d, 0);
  const across = length - speed * speed;
  const balls = (): number => Math.min(enterBall(i, d, radius), enterBall(k, d, radius));
  if (!(across > 1e-12 * length)) return balls();
  // From the ray's point nearest to the first end on: no digit is lost to where the ray begins.
  const foot = dot(corners, i, d, 0);
  const m = [0, 1, 2].map((c) => foot * d[c] - corners[i + c]);
  const along = dot(m, 0, edge, 0);
  const b = -along * speed;
  const c = length * (dot(m, 0, m, 0) - radius * radius) - along * along;
  const rest = b * b - across * c;
  if (rest < 0) return Number.POSITIVE_INFINITY;
  const t = (-b - Math.sqrt(rest)) / across;
  const place = along + t * speed;
  if (place >= 0 && place <= length) return foot + t;
  return enterBall(place < 0 ? i : k, d, radius);
}

/** Where a ray that starts outside enters a primitive, from its start on; infinite where it does not. */
function enterPrimitive(count: number, d: ArrayLike<number>, radius: number): number {
  let first = Number.POSITIVE_INFINITY;
  const offer = (t: number): void => {
    if (t >= 0 && t < first) first = t;
  };
  offer(enterCapsule(0, 3, d, radius));
  if (count === 2) return first;
  offer(enterCapsule(3, 6, d, radius));
  offer(enterCapsule(6, 0, d, radius));
  normalOf(face, corners);
  const speed = dot(face, 0, d, 0);
  const side = speed < 0 ? radius : -radius;
  const t = (dot(face, 0, corners, 0) + side) / speed;
  if (Number.isFinite(t) && isOver([0, 1, 2].map((k) => t * d[k] - side * face[k]))) offer(t);
  return first;
}

/**
 * Objects that a ray meets, each where it does first, nearest first.
 * @param direction unit
 * @param most farthest that counts [m]
 * @param all false: no more than the nearest
 */
export function castElasticRay(
  primitives: ElasticPrimitives,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  most: number,
  all: boolean,
  counts: Counts,
): ElasticHit[] {
  const hits = createElasticHits(all);
  found.depth = 0;
  for (const filled of primitives.filled) {
    if (!counts(filled.object) || !isWithin(primitives, filled, origin)) continue;
    beginAt(direction);
    takeHit(hits, filled.object, filled.first, found, origin);
  }
  for (let k = 0; k < 3; k++) {
    way.low[k] = way.high[k] = origin[k];
    way.along[k] = direction[k];
  }
  const away = ROUNDING * (Math.abs(origin[0]) + Math.abs(origin[1]) + Math.abs(origin[2]));
  const slack = (): number => away;
  visitPrimitives(primitives, way, most, slack, counts, (p) => {
    const object = primitives.object[p];
    const before = hitOf(hits, object)?.distance ?? most;
    if (nearOn(primitives, p, origin, false) <= 0) beginAt(direction);
    else {
      const count = cornersOf(primitives, p, origin, corners);
      const t = enterPrimitive(count, direction, radiusOf(primitives.tables, object));
      if (!(Number.isFinite(t) && t <= before)) return all ? most : before;
      placeEntry(primitives, p, origin, direction, t);
    }
    takeHit(hits, object, p, found, origin);
    return all ? most : found.distance;
  });
  return sortHits(hits);
}

function beginAt(direction: ArrayLike<number>): void {
  found.distance = found.depth = 0;
  found.point.fill(0);
  for (let k = 0; k < 3; k++) found.normal[k] = -direction[k];
}

const entry = new Float64Array(3);

/** The hit where a ray enters a primitive, into `found`. */
function placeEntry(
  primitives: ElasticPrimitives,
  p: number,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  t: number,
): void {
  for (let k = 0; k < 3; k++) entry[k] = origin[k] + t * direction[k];
  nearOn(primitives, p, entry, false);
  found.distance = t;
  found.depth = 0;
  for (let k = 0; k < 3; k++) found.point[k] = t * direction[k];
}

/** Objects that hold a point and those within `most` [m] of it, each where it is nearest, distances below 0 inside. */
export function nearElastic(
  primitives: ElasticPrimitives,
  point: ArrayLike<number>,
  most: number,
  all: boolean,
  counts: Counts,
): ElasticHit[] {
  const hits = createElasticHits(all);
  const holders = new Set<number>();
  for (const filled of primitives.filled) {
    if (!counts(filled.object) || !isWithin(primitives, filled, point)) continue;
    holders.add(filled.object);
    takeHit(hits, filled.object, leaveFilled(primitives, filled, point), found, point);
  }
  // Boxes are widened by the distance that is still sought.
  let reach = most;
  standAt(point);
  const slack = (): number => reach;
  const which: Counts = (object) => !holders.has(object) && counts(object);
  visitPrimitives(primitives, way, 0, slack, which, (p) => {
    if (nearOn(primitives, p, point, false) <= most) takeHit(hits, primitives.object[p], p, found, point);
    if (!all) reach = Math.min(reach, Math.max(0, found.distance));
    return 0;
  });
  return sortHits(hits);
}

/** The primitive of its surface that is nearest to a point within; the way out into `found`. */
export function leaveFilled(
  primitives: ElasticPrimitives,
  { first, end }: FilledObject,
  point: ArrayLike<number>,
): number {
  let nearest = first;
  let distance = Number.NEGATIVE_INFINITY;
  for (let p = first; p < end; p++) {
    if (!(nearOn(primitives, p, point, true) > distance)) continue;
    distance = found.distance;
    nearest = p;
  }
  nearOn(primitives, nearest, point, true);
  return nearest;
}
