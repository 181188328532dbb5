// Distance of two convex shapes: Gilbert, Johnson, Keerthi 1988, "A fast procedure for computing the distance between
// complex objects in three-dimensional space", on the cores of convex.ts.
//
// In: two shapes in one frame. Out: `separation`. Where the cores overlap the distance is 0, and the depth is a
// question to penetration.ts. The gap along the direction found is a lower bound of the distance even where round
// shapes make the search stop early, so that a caller who advances by it never passes a touch.

import { type Convex, supportCore } from './convex';

const ITERATIONS = 80;
/** Relative gain in squared distance at which the search stops. */
const TOLERANCE = 1e-13;
/** Cores nearer than this share of the largest coordinate overlap. */
const OVERLAP = 1e-14;

/** What the last `measureCores` found. */
export const separation = {
  /** Between the cores [m], 0 where they overlap. */
  distance: 0,
  /** Lower bound of it: extent of the free space along the normal [m]. */
  gap: 0,
  /** Unit normal from B to A; only where the distance is above 0. */
  normal: new Float64Array(3),
  /** Nearest points of the cores. */
  onA: new Float64Array(3),
  onB: new Float64Array(3),
};

// Points of A − B, and the points of A they come from; weights of the nearest point.
const w = new Float64Array(12);
const a = new Float64Array(12);
const weight = new Float64Array(4);
const keptW = new Float64Array(12);
const keptA = new Float64Array(12);
const bestW = new Float64Array(9);
const bestA = new Float64Array(9);
const bestWeight = new Float64Array(3);
const v = new Float64Array(3);
const b = new Float64Array(3);
let size = 0;

function dot(p: Float64Array, i: number, q: Float64Array, k: number): number {
  return p[i] * q[k] + p[i + 1] * q[k + 1] + p[i + 2] * q[k + 2];
}

function keep(to: number, from: number): void {
  w.copyWithin(3 * to, 3 * from, 3 * from + 3);
  a.copyWithin(3 * to, 3 * from, 3 * from + 3);
}

function keepOne(i: number): number {
  keep(0, i);
  weight[0] = 1;
  size = 1;
  return size;
}

/** Keeps points i < j; t is the weight of j. */
function keepTwo(i: number, j: number, t: number): number {
  keep(0, i);
  keep(1, j);
  weight[0] = 1 - t;
  weight[1] = t;
  size = 2;
  return size;
}

function nearestOnSegment(): void {
  let length = 0;
  let along = 0;
  for (let k = 0; k < 3; k++) {
    const u = w[3 + k] - w[k];
    length += u * u;
    along -= w[k] * u;
  }
  if (along <= 0 || length === 0) keepOne(0);
  else if (along >= length) keepOne(1);
  else keepTwo(0, 1, along / length);
}

const u = new Float64Array(3);
const s = new Float64Array(3);
const n = new Float64Array(3);

function cross(out: Float64Array, p: Float64Array, i: number, q: Float64Array, k: number): void {
  out[0] = p[i + 1] * q[k + 2] - p[i + 2] * q[k + 1];
  out[1] = p[i + 2] * q[k] - p[i] * q[k + 2];
  out[2] = p[i] * q[k + 1] - p[i + 1] * q[k];
}

const area = new Float64Array(3);

/** Volume of the normal and two points: area of their triangle with the origin, times |n|. */
function areaOf(i: number, k: number): number {
  cross(area, w, i, w, k);
  return dot(n, 0, area, 0);
}

/** Reduces the triangle of points 0, 1, 2 to what is nearest: Ericson, Real-Time Collision Detection, 5.1.5. */
function nearestOnTriangle(): number {
  for (let k = 0; k < 3; k++) {
    u[k] = w[3 + k] - w[k];
    s[k] = w[6 + k] - w[k];
  }
  const d1 = -dot(u, 0, w, 0);
  const d2 = -dot(s, 0, w, 0);
  if (d1 <= 0 && d2 <= 0) return keepOne(0);
  const d3 = -dot(u, 0, w, 3);
  const d4 = -dot(s, 0, w, 3);
  if (d3 >= 0 && d4 <= d3) return keepOne(1);
  const d5 = -dot(u, 0, w, 6);
  const d6 = -dot(s, 0, w, 6);
  if (d6 >= 0 && d5 <= d6) return keepOne(2);
  // Areas by the normal, not by products of the d's: those cancel when the origin is near.
  cross(n, u, 0, s, 0);
  const vc = areaOf(0, 3);
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return keepTwo(0, 1, d1 / (d1 - d3));
  const vb = areaOf(6, 0);
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return keepTwo(0, 2, d2 / (d2 - d6));
  const va = areaOf(3, 6);
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return keepTwo(1, 2, (d4 - d3) / (d4 - d3 + (d5 - d6)));
  const sum = va + vb + vc;
  if (!(sum > 0)) return keepTwo(0, 1, 0.5);
  weight[0] = va / sum;
  weight[1] = vb / sum;
  weight[2] = vc / sum;
  size = 3;
  return size;
}

const savedW = new Float64Array(12);
const savedA = new Float64Array(12);
const FACES = [1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2];

/** Reduces the tetrahedron; leaves all four points where the origin is inside. */
function nearestOnTetrahedron(): void {
  savedW.set(w);
  savedA.set(a);
  let bestSize = 0;
  let least = Number.POSITIVE_INFINITY;

  for (let f = 0; f < 4; f++) {
    for (let c = 0; c < 3; c++) {
      const from = 3 * FACES[3 * f + c];
      for (let k = 0; k < 3; k++) {
        w[3 * c + k] = savedW[from + k];
        a[3 * c + k] = savedA[from + k];
      }
    }

    for (let k = 0; k < 3; k++) {
      u[k] = w[3 + k] - w[k];
      s[k] = w[6 + k] - w[k];
    }
    cross(n, u, 0, s, 0);
    const origin = -dot(n, 0, w, 0);
    const inside = dot(n, 0, savedW, 3 * f) - dot(n, 0, w, 0);

    // A flat tetrahedron contains nothing: every face is looked at.
    const isFlat = inside * inside <= 1e-20 * dot(n, 0, n, 0) * dot(savedW, 3 * f, savedW, 3 * f);
    if (origin * inside > 0 && !isFlat) continue;
    nearestOnTriangle();
    placeNearest();
    const squared = dot(v, 0, v, 0);
    if (squared >= least) continue;
    least = squared;
    bestSize = size;
    for (let k = 0; k < 9; k++) {
      bestW[k] = w[k];
      bestA[k] = a[k];
    }
    for (let k = 0; k < 3; k++) bestWeight[k] = weight[k];
  }

  if (bestSize === 0) {
    w.set(savedW);
    a.set(savedA);
    size = 4;
    return;
  }
  w.set(bestW);
  a.set(bestA);
  weight.set(bestWeight);
  size = bestSize;
}

function placeNearest(): void {
  v.fill(0);
  for (let i = 0; i < size; i++) for (let k = 0; k < 3; k++) v[k] += weight[i] * w[3 * i + k];
}

/** Distance between the cores of two shapes, into `separation`. The search starts along their positions. */
export function measureCores(shapeA: Convex, shapeB: Convex): number {
  size = 0;
  for (let k = 0; k < 3; k++) v[k] = shapeA.position[k] - shapeB.position[k];
  if (dot(v, 0, v, 0) === 0) v[0] = 1;
  let squared = Number.POSITIVE_INFINITY;
  let scale = 0;

  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const at = 3 * size;
    supportCore(shapeA, -v[0], -v[1], -v[2], a, at);
    supportCore(shapeB, v[0], v[1], v[2], b, 0);
    for (let k = 0; k < 3; k++) w[at + k] = a[at + k] - b[k];
    scale = Math.max(scale, dot(w, at, w, at));

    if (size > 0) {
      const advance = dot(v, 0, w, at);
      if (squared - advance <= TOLERANCE * squared) break;
      let isKnown = false;
      for (let i = 0; i < size; i++) {
        let apart = 0;
        for (let k = 0; k < 3; k++) apart += (w[3 * i + k] - w[at + k]) ** 2;
        if (apart <= 1e-30 * scale) isKnown = true;
      }
      if (isKnown) break;
    }

    keptW.set(w);
    keptA.set(a);
    const [w0, w1, w2] = weight;
    const [v0, v1, v2] = v;
    const oldSize = size;
    size++;
    if (size === 1) keepOne(0);
    else if (size === 2) nearestOnSegment();
    else if (size === 3) nearestOnTriangle();
    else nearestOnTetrahedron();
    if (size === 4) return noDistance();
    placeNearest();
    const next = dot(v, 0, v, 0);
    if (next <= OVERLAP * OVERLAP * scale) return noDistance();

    if (next >= squared) {
      // Rounding has the last word: keep the better points.
      size = oldSize;
      w.set(keptW);
      a.set(keptA);
      weight[0] = w0;
      weight[1] = w1;
      weight[2] = w2;
      v[0] = v0;
      v[1] = v1;
      v[2] = v2;
      break;
    }

    squared = next;
  }

  const distance = Math.sqrt(squared);
  separation.distance = distance;

  // Of the direction that is returned, which may be newer than the last extent.
  supportCore(shapeA, -v[0], -v[1], -v[2], a, 9);
  supportCore(shapeB, v[0], v[1], v[2], b, 0);
  let gap = 0;
  for (let k = 0; k < 3; k++) gap += (v[k] * (a[9 + k] - b[k])) / distance;
  separation.gap = Math.min(gap, distance);
  const { normal, onA, onB } = separation;
  onA.fill(0);
  for (let i = 0; i < size; i++) for (let k = 0; k < 3; k++) onA[k] += weight[i] * a[3 * i + k];
  for (let k = 0; k < 3; k++) {
    normal[k] = v[k] / distance;
    onB[k] = onA[k] - v[k];
  }
  return distance;
}

function noDistance(): number {
  separation.distance = 0;
  separation.gap = 0;
  return 0;
}
