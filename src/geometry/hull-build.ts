// Convex hull with polygon faces from points.
//
// In: points. Out: corners, faces (counter-clockwise from outside), planes, edges. Points inside the hull, on
// a face, on an edge or twice the same are dropped; triangles in one plane become one face (a box has six).
//
// Why not a library: quickhull3d 3.1.2 was tried on cubes of 27 points (corners, edges, faces, middle): with a
// jitter of 1e-12 or more it left 14 to 24 corners and 24 to 44 faces instead of 8 and 6, once a surface that
// breaks Euler's formula; its ES modules do not load in Node without a bundler, and it brings 16 packages, a
// logger among them. manifold-3d is a WebAssembly module beyond our whole size budget and starts asynchronously.
// Exact side tests are short, and make every input safe.
//
// Method: triangles of the exact hull, then faces by growing each from its largest triangle over neighbours
// within FLAT_TOLERANCE of its plane. Faces that come out wrong (not one outline, not convex) are grown again
// with a smaller tolerance. Limits: 256 corners; a body flatter than 5e-6 of its length is refused.

import { refuse, refuseAs, requireVector } from '../core/errors';
import { triangulateHull } from './hull-triangles';

/** Corners off a common plane by less than this share of the hull's length lie in it (32-bit models have 1e-7). */
const FLAT_TOLERANCE = 1e-6;
/** Thinner than this share of its length, a point set encloses no usable volume. */
const THINNEST = 5e-6;
/** Most corners of a hull; contact kernels stay correct up to here. */
const HULL_VERTEX_LIMIT = 256;

/** A convex polyhedron. */
export interface Hull {
  /** Corners [x, y, z] [m]. */
  readonly vertices: readonly (readonly number[])[];
  /** Corner numbers of each face, counter-clockwise from outside. */
  readonly faces: readonly (readonly number[])[];
  /** Outward unit normal and offset of each face: [nx, ny, nz, d] with n·x = d [m]. */
  readonly planes: readonly (readonly number[])[];
  /** Each edge once: [corner a, corner b, face left of a → b, face right of it]. */
  readonly edges: readonly (readonly number[])[];
}

/**
 * Builds the convex hull of points [x, y, z] [m].
 * @throws UsageError when the points do not enclose volume or the hull has more than 256 corners
 */
export function buildHull(corners: ArrayLike<ArrayLike<number>>, where = 'buildHull', name = 'hull'): Hull {
  const points = new Float64Array(corners.length * 3);
  for (let i = 0; i < corners.length; i++) {
    points.set(requireVector(where, `${name}[${i}]`, corners[i], 3, 'm'), 3 * i);
  }
  const { extent, low } = measure(points);
  const length = Math.max(...extent);
  const distinct = weld(points, FLAT_TOLERANCE * length);
  const simplex = distinct.length >= 12 ? findSimplex(distinct, length) : null;
  if (!simplex) {
    const count = points.length / 3;
    refuseAs(
      where,
      `${name} must enclose volume (four points that are not in one plane)`,
      `${count} points that do not`,
    );
  }
  const triangles = triangulateHull(distinct, simplex, orderByDistance(distinct, low, extent));
  for (let tolerance = FLAT_TOLERANCE; ; tolerance = tolerance > 1e-15 ? tolerance * 0.01 : 0) {
    const hull = mergeFaces(distinct, triangles, tolerance * length, length);
    if (hull) {
      const count = hull.vertices.length;
      if (count > HULL_VERTEX_LIMIT) refuse(where, `${name} must have at most ${HULL_VERTEX_LIMIT} corners`, count);
      return hull;
    }
    if (tolerance === 0) refuseAs(where, `${name} must enclose volume`, `${points.length / 3} points that hardly do`);
  }
}

function measure(points: Float64Array): { extent: number[]; low: number[] } {
  const low = [0, 1, 2].map(() => Number.POSITIVE_INFINITY);
  const high = [0, 1, 2].map(() => Number.NEGATIVE_INFINITY);
  for (let i = 0; i < points.length; i++) {
    low[i % 3] = Math.min(low[i % 3], points[i]);
    high[i % 3] = Math.max(high[i % 3], points[i]);
  }
  return { low, extent: low.map((x, k) => high[k] - x) };
}

/** Points without those nearer than the tolerance to an earlier one (by coordinates). */
function weld(points: Float64Array, tolerance: number): Float64Array {
  const order = Array.from({ length: points.length / 3 }, (_, i) => i);
  order.sort((i, j) => points[3 * i] - points[3 * j] || i - j);
  const dropped = new Uint8Array(order.length);
  for (let s = 0; s < order.length; s++) {
    const i = order[s];
    if (dropped[i]) continue;
    for (let t = s + 1; t < order.length; t++) {
      const j = order[t];
      if (points[3 * j] - points[3 * i] > tolerance) break;
      const near =
        Math.abs(points[3 * j + 1] - points[3 * i + 1]) <= tolerance &&
        Math.abs(points[3 * j + 2] - points[3 * i + 2]) <= tolerance;
      if (near) dropped[j] = 1;
    }
  }
  const kept: number[] = [];
  for (let i = 0; i < order.length; i++)
    if (!dropped[i]) kept.push(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
  return Float64Array.from(kept);
}

/** Normal of the triangle, of length twice its area. */
function crossOf(p: Float64Array, a: number, b: number, c: number): [number, number, number] {
  const ux = p[3 * b] - p[3 * a];
  const uy = p[3 * b + 1] - p[3 * a + 1];
  const uz = p[3 * b + 2] - p[3 * a + 2];
  const vx = p[3 * c] - p[3 * a];
  const vy = p[3 * c + 1] - p[3 * a + 1];
  const vz = p[3 * c + 2] - p[3 * a + 2];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

function lengthOf(v: ArrayLike<number>): number {
  return Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/** Index of the point with the largest value, and that value. */
function farthest(count: number, value: (i: number) => number): [number, number] {
  let best = 0;
  for (let i = 1; i < count; i++) if (value(i) > value(best)) best = i;
  return [best, value(best)];
}

/** Four points spread wide, or null when all lie (nearly) in one plane. */
function findSimplex(p: Float64Array, length: number): [number, number, number, number] | null {
  const count = p.length / 3;
  const apart = (i: number, j: number) =>
    lengthOf([p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1], p[3 * i + 2] - p[3 * j + 2]]);
  const [a] = farthest(count, (i) => apart(i, 0));
  const [b, line] = farthest(count, (i) => apart(i, a));
  const [c, area] = farthest(count, (i) => lengthOf(crossOf(p, a, b, i)));
  if (!(area > THINNEST * length * line)) return null;
  const n = crossOf(p, a, b, c);
  const height = (i: number) =>
    Math.abs(
      n[0] * (p[3 * i] - p[3 * a]) + n[1] * (p[3 * i + 1] - p[3 * a + 1]) + n[2] * (p[3 * i + 2] - p[3 * a + 2]),
    );
  const [d, volume] = farthest(count, height);
  return volume > THINNEST * length * lengthOf(n) ? [a, b, c, d] : null;
}

/** Far points first: most of the others are then inside at once. */
function orderByDistance(p: Float64Array, low: number[], extent: number[]): number[] {
  const away = Array.from({ length: p.length / 3 }, (_, i) =>
    lengthOf([0, 1, 2].map((k) => p[3 * i + k] - low[k] - 0.5 * extent[k])),
  );
  return away.map((_, i) => i).sort((i, j) => away[j] - away[i] || i - j);
}

/** Polygon faces from triangles; null when the faces are not the outline of a convex body at this tolerance. */
function mergeFaces(p: Float64Array, triangles: number[], tolerance: number, length: number): Hull | null {
  const faceOf = growFaces(p, triangles, tolerance, length);
  const faceCount = Math.max(...faceOf) + 1;
  const loops = traceLoops(triangles, faceOf, faceCount, p.length / 3);
  if (!loops) return null;
  const number = new Map<number, number>();
  for (const loop of loops) for (const v of loop) if (!number.has(v)) number.set(v, -1);
  const used = [...number.keys()].sort((i, j) => i - j);
  used.forEach((v, k) => {
    number.set(v, k);
  });
  const vertices = used.map((v) => [p[3 * v], p[3 * v + 1], p[3 * v + 2]]);
  const faces = loops.map((loop) => loop.map((v) => number.get(v) as number));
  const edges = pairEdges(faces, used.length);
  if (!edges || used.length - edges.length + faces.length !== 2) return null;
  const planes = faces.map((face) => fitPlane(face.map((v) => vertices[v])));
  return isConvex(vertices, planes, 4 * tolerance + 1e-12 * length) ? { vertices, faces, planes, edges } : null;
}

/** Face number of each triangle: each face grows from its largest triangle over neighbours near its plane. */
function growFaces(p: Float64Array, triangles: number[], tolerance: number, length: number): Int32Array {
  const count = triangles.length / 3;
  const vertexCount = p.length / 3;
  const acrossEdge = new Map<number, number>();

  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) {
      acrossEdge.set(triangles[3 * t + k] * vertexCount + triangles[3 * t + ((k + 1) % 3)], t);
    }
  }
  const normals = Array.from({ length: count }, (_, t) =>
    crossOf(p, triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]),
  );
  const areas = normals.map(lengthOf);
  const order = areas.map((_, t) => t).sort((s, t) => areas[t] - areas[s] || s - t);
  const faceOf = new Int32Array(count).fill(-1);
  let faces = 0;

  for (const seed of order) {
    if (faceOf[seed] >= 0) continue;
    const n = normals[seed];
    const origin = triangles[3 * seed];

    const near = (v: number) =>
      Math.abs(
        n[0] * (p[3 * v] - p[3 * origin]) +
          n[1] * (p[3 * v + 1] - p[3 * origin + 1]) +
          n[2] * (p[3 * v + 2] - p[3 * origin + 2]),
      ) <=
      tolerance * areas[seed];

    faceOf[seed] = faces;
    const queue = [seed];

    for (let i = 0; i < queue.length; i++) {
      for (let k = 0; k < 3; k++) {
        const t = queue[i];
        const next = acrossEdge.get(triangles[3 * t + ((k + 1) % 3)] * vertexCount + triangles[3 * t + k]) as number;
        if (faceOf[next] >= 0) continue;
        const m = normals[next];
        // A sliver's own normal is noise; any other triangle must also look the same way.
        const looksAlike = n[0] * m[0] + n[1] * m[1] + n[2] * m[2] > 0;
        if (!near(triangles[3 * next]) || !near(triangles[3 * next + 1]) || !near(triangles[3 * next + 2])) continue;
        if (!looksAlike && areas[next] > tolerance * length) continue;
        faceOf[next] = faces;
        queue.push(next);
      }
    }

    faces++;
  }

  return faceOf;
}

/** Outline of each face, without the points that only lie on an edge of two faces; null if one is not a single loop. */
function traceLoops(
  triangles: number[],
  faceOf: Int32Array,
  faceCount: number,
  vertexCount: number,
): number[][] | null {
  const facesAt: Set<number>[] = Array.from({ length: vertexCount }, () => new Set());
  const owner = new Map<number, number>();
  for (let i = 0; i < triangles.length; i++) {
    const t = Math.floor(i / 3);
    facesAt[triangles[i]].add(faceOf[t]);
    owner.set(triangles[i] * vertexCount + triangles[3 * t + ((i + 1) % 3)], faceOf[t]);
  }
  const next: Map<number, number>[] = Array.from({ length: faceCount }, () => new Map());
  for (let i = 0; i < triangles.length; i++) {
    const t = Math.floor(i / 3);
    const from = triangles[i];
    const to = triangles[3 * t + ((i + 1) % 3)];
    if (owner.get(to * vertexCount + from) === faceOf[t]) continue;
    if (next[faceOf[t]].has(from)) return null;
    next[faceOf[t]].set(from, to);
  }
  const loops: number[][] = [];
  for (const outline of next) {
    const loop: number[] = [];
    const start = Math.min(...outline.keys());
    let v = start;
    let steps = 0;
    do {
      if (facesAt[v].size > 2) loop.push(v);
      v = outline.get(v) as number;
      steps++;
    } while (v !== start && steps <= outline.size);
    if (steps !== outline.size || loop.length < 3) return null;
    loops.push(loop);
  }
  return loops;
}

/** Each edge once, with the faces on both sides; null when some edge is not shared by two faces. */
function pairEdges(faces: number[][], vertexCount: number): number[][] | null {
  const faceAt = new Map<number, number>();
  faces.forEach((loop, face) => {
    for (let k = 0; k < loop.length; k++) faceAt.set(loop[k] * vertexCount + loop[(k + 1) % loop.length], face);
  });
  const edges: number[][] = [];
  for (const [key, left] of faceAt) {
    const a = Math.floor(key / vertexCount);
    const b = key % vertexCount;
    const right = faceAt.get(b * vertexCount + a);
    if (right === undefined) return null;
    if (a < b) edges.push([a, b, left, right]);
  }
  const expected = faces.reduce((sum, loop) => sum + loop.length, 0);
  return faceAt.size === expected ? edges : null;
}

/** Plane of a polygon: along its area vector, through the mean of its corners. */
function fitPlane(loop: number[][]): number[] {
  const n = [0, 0, 0];
  const [first] = loop;
  const arm = (k: number, i: number) => loop[k][i] - first[i];
  for (let k = 1; k + 1 < loop.length; k++) {
    for (let i = 0; i < 3; i++) {
      const [u, v] = [(i + 1) % 3, (i + 2) % 3];
      n[i] += arm(k, u) * arm(k + 1, v) - arm(k, v) * arm(k + 1, u);
    }
  }
  const length = lengthOf(n);
  const [x, y, z] = n.map((c) => c / length);
  let above = 0;
  for (let k = 0; k < loop.length; k++) above += x * arm(k, 0) + y * arm(k, 1) + z * arm(k, 2);
  return [x, y, z, x * first[0] + y * first[1] + z * first[2] + above / loop.length];
}

function isConvex(vertices: number[][], planes: number[][], tolerance: number): boolean {
  return planes.every(([x, y, z, d]) => vertices.every((v) => x * v[0] + y * v[1] + z * v[2] - d <= tolerance));
}
