// How deep two convex shapes overlap, and the shortest way out: the expanding polytope (G. van den Bergen, "Proximity
// queries and penetration depth computation on 3D game objects", 2001) on the cores, or, where only the roundings
// overlap, what the distance of the cores leaves of them.
//
// In: two shapes of convex.ts in one frame. Out: `overlap`. A difference of cores without volume (crossing segments,
// a point in a triangle) is left across it.

import { type Convex, supportCore } from './convex';
import { measureCores, separation } from './convex-distance';

/** Faces may grow for so long; what is round is then left by a way that is not always the shortest. */
const EXPANSIONS = 64;
/** Gain at which the search stops, as a share of the largest coordinate. */
const ENOUGH = 1e-10;
/** Differences thinner than this share of their size have no volume. */
const FLAT = 1e-10;

/** What the last `measureOverlap` found. */
export const overlap = {
  /** How far A must move to be free of B [m]; below 0: their distance. */
  depth: 0,
  /** Unit direction in which A gets out, or away, the soonest. */
  normal: new Float64Array(3),
  /** Point of B's surface that is deepest in A, or nearest to it. */
  point: new Float64Array(3),
};

type Triple = readonly [number, number, number];

/** A point of A − B and the point of A it comes from. */
interface Vertex {
  readonly w: Triple;
  readonly a: Triple;
}

interface Face {
  readonly corners: readonly [Vertex, Vertex, Vertex];
  readonly normal: Triple;
  /** Of its plane from the origin [m]. */
  readonly distance: number;
}

const pointA = new Float64Array(3);
const pointB = new Float64Array(3);

const minus = (p: Triple, q: Triple): Triple => [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
const dot = (p: Triple, q: Triple): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const cross = (p: Triple, q: Triple): Triple => [
  p[1] * q[2] - p[2] * q[1],
  p[2] * q[0] - p[0] * q[2],
  p[0] * q[1] - p[1] * q[0],
];

function unit(p: Triple): Triple {
  const length = Math.sqrt(dot(p, p));
  return [p[0] / length, p[1] / length, p[2] / length];
}

/** Any unit vector across `p`. */
function across(p: Triple): Triple {
  const [x, y, z] = p.map(Math.abs);
  return unit(cross(p, x <= y && x <= z ? [1, 0, 0] : y <= z ? [0, 1, 0] : [0, 0, 1]));
}

/** Depth or distance of two shapes, into `overlap`; returns the depth [m]. */
export function measureOverlap(a: Convex, b: Convex): number {
  const rounding = a.rounding + b.rounding;
  // Only a plane between the cores shows that they are apart.
  if (measureCores(a, b) > 0 && separation.gap > 0) {
    overlap.depth = rounding - separation.distance;
    overlap.normal.set(separation.normal);
    placePoint(separation.onB, b.rounding);
    return overlap.depth;
  }
  expand(a, b);
  overlap.depth += rounding;
  return overlap.depth;
}

/** Point of B's surface: `from` on its core, and its rounding towards A. */
function placePoint(from: ArrayLike<number>, rounding: number): void {
  for (let k = 0; k < 3; k++) overlap.point[k] = from[k] + rounding * overlap.normal[k];
}

/** Point of A − B farthest along a direction. */
function findVertex(a: Convex, b: Convex, d: Triple): Vertex {
  supportCore(a, d[0], d[1], d[2], pointA, 0);
  supportCore(b, -d[0], -d[1], -d[2], pointB, 0);
  const from: Triple = [pointA[0], pointA[1], pointA[2]];
  return { w: minus(from, [pointB[0], pointB[1], pointB[2]]), a: from };
}

/** Of both ends of A − B along a direction the one farther from the plane through `origin`. */
function farEnd(a: Convex, b: Convex, d: Triple, origin: Triple): Vertex {
  const high = findVertex(a, b, d);
  const low = findVertex(a, b, [-d[0], -d[1], -d[2]]);
  return dot(minus(high.w, origin), d) >= -dot(minus(low.w, origin), d) ? high : low;
}

function expand(a: Convex, b: Convex): void {
  // Four corners of A − B that span a volume, or the space that it spans.
  let widest = 0;
  let p = findVertex(a, b, [1, 0, 0]);
  let q = p;
  let scale = 0;

  for (let k = 0; k < 3; k++) {
    const axis: Triple = [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0];
    const high = findVertex(a, b, axis);
    const low = findVertex(a, b, [-axis[0], -axis[1], -axis[2]]);
    const width = high.w[k] - low.w[k];
    scale = Math.max(scale, Math.abs(high.w[k]), Math.abs(low.w[k]), Math.abs(high.a[k]), Math.abs(low.a[k]));
    if (width <= widest) continue;
    widest = width;
    p = high;
    q = low;
  }

  const thin = FLAT * Math.max(scale, widest);
  if (widest <= thin) {
    leaveAcross(a, b, p, [0, 1, 0]);
    return;
  }
  const line = unit(minus(p.w, q.w));
  const side = across(line);
  const other = cross(line, side);
  let r = farEnd(a, b, side, p.w);
  let reach = Math.abs(dot(minus(r.w, p.w), side));
  const second = farEnd(a, b, other, p.w);
  if (Math.abs(dot(minus(second.w, p.w), other)) > reach) {
    r = second;
    reach = Math.abs(dot(minus(second.w, p.w), other));
  }
  if (reach <= thin) {
    leaveAcross(a, b, q, across(line));
    return;
  }
  const plane = unit(cross(minus(p.w, q.w), minus(r.w, q.w)));
  const t = farEnd(a, b, plane, p.w);
  if (Math.abs(dot(minus(t.w, p.w), plane)) <= thin) {
    leaveAcross(a, b, q, plane);
    return;
  }
  const middle: Triple = [0, 1, 2].map((k) => (p.w[k] + q.w[k] + r.w[k] + t.w[k]) / 4) as unknown as Triple;

  let faces = [makeFace(p, q, r), makeFace(p, q, t), makeFace(p, r, t), makeFace(q, r, t)].map((face) =>
    face !== null && dot(face.normal, middle) > face.distance
      ? makeFace(face.corners[0], face.corners[2], face.corners[1])
      : face,
  );

  for (let i = 0; ; i++) {
    let nearest = null;
    for (const face of faces) if (face && (!nearest || face.distance < nearest.distance)) nearest = face;
    if (!nearest) {
      leaveAcross(a, b, q, plane);
      return;
    }
    const next = findVertex(a, b, nearest.normal);
    if (i === EXPANSIONS || dot(next.w, nearest.normal) - nearest.distance <= ENOUGH * scale) {
      leaveThrough(b, nearest, dot(next.w, nearest.normal));
      return;
    }
    const grown = grow(faces, next, ENOUGH * ENOUGH * scale);
    if (!grown) {
      leaveThrough(b, nearest, dot(next.w, nearest.normal));
      return;
    }
    faces = grown;
  }
}

function makeFace(p: Vertex, q: Vertex, r: Vertex): Face | null {
  const n = cross(minus(q.w, p.w), minus(r.w, p.w));
  const length = Math.sqrt(dot(n, n));
  if (!(length > 0)) return null;
  const normal: Triple = [n[0] / length, n[1] / length, n[2] / length];
  return { corners: [p, q, r], normal, distance: dot(normal, p.w) };
}

/** The polytope with one more vertex; null where it sees no face, or only slivers would be made. */
function grow(faces: (Face | null)[], next: Vertex, slack: number): Face[] | null {
  const kept: Face[] = [];
  const rim: [Vertex, Vertex][] = [];
  for (const face of faces) {
    if (!face) continue;
    if (dot(face.normal, next.w) - face.distance <= slack) {
      kept.push(face);
      continue;
    }
    face.corners.forEach((from, k) => {
      const to = face.corners[(k + 1) % 3];
      // An edge of two faces that go is no rim.
      const twin = rim.findIndex((edge) => edge[0] === to && edge[1] === from);
      if (twin >= 0) rim.splice(twin, 1);
      else rim.push([from, to]);
    });
  }
  if (rim.length === 0) return null;
  for (const [from, to] of rim) {
    const face = makeFace(from, to, next);
    if (!face) return null;
    kept.push(face);
  }
  return kept;
}

/** A gets out against the normal of the nearest face of A − B. */
function leaveThrough(b: Convex, { corners, normal, distance }: Face, extent: number): void {
  // By the extent along the normal, which is out whether or not the search came to its end.
  overlap.depth = extent;
  for (let k = 0; k < 3; k++) overlap.normal[k] = -normal[k];
  // The face's point nearest to the origin, by weights of areas.
  const [p, q, r] = corners;
  const foot: Triple = [distance * normal[0], distance * normal[1], distance * normal[2]];
  const weigh = (i: Vertex, k: Vertex): number => dot(normal, cross(minus(i.w, foot), minus(k.w, foot)));
  const weights = [weigh(q, r), weigh(r, p), weigh(p, q)].map((x) => Math.max(0, x));
  const sum = weights[0] + weights[1] + weights[2] || 1;
  const onB = [0, 1, 2].map(
    (k) => (weights[0] * p.a[k] + weights[1] * q.a[k] + weights[2] * r.a[k]) / sum - distance * normal[k],
  );
  placePoint(onB, b.rounding);
}

/** A − B has no volume: A gets out across it, towards its own side of B, or upwards. */
function leaveAcross(a: Convex, b: Convex, some: Vertex, direction: Triple): void {
  const [x, y, z] = [0, 1, 2].map((k) => a.position[k] - b.position[k]);
  const side = x * direction[0] + y * direction[1] + z * direction[2] || direction[1];
  overlap.depth = 0;
  for (let k = 0; k < 3; k++) overlap.normal[k] = side < 0 ? -direction[k] : direction[k];
  placePoint(minus(some.a, some.w), b.rounding);
}
