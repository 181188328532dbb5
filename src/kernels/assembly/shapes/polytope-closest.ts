// Nearest points of two separated polytopes where no face lies over the other: an edge or a corner is nearest.
//
// In: hull records of A and B (frames from polytope-frame), a separating axis and its separation. Out: one
// candidate, or two at the ends of the common part of parallel edges, and the true separating direction.
// When a face was nearest, its own clipping has found it; what remains is a pair of edges (a corner is the end
// of one). Pairs that the axis shows to be farther than the best so far are passed over unseen.
//
// Nearest points of segments: the usual clamped solution, Ericson 2005, Real-Time Collision Detection, 5.1.9.

import { HULL_EDGE_COUNT, HULL_EDGES, HULL_VERTEX_COUNT, HULL_VERTICES } from '../../../state/layout';
import { clamp } from '../math/vector';
import { getI32 } from '../memory';
import { clearCandidates } from '../narrow/manifold';
import {
  AXES_A,
  addLocalCandidate,
  edgeFeature,
  ORIGIN_A,
  SHIFT_AB,
  TURN_AB,
  VERTEX_OF_A,
  VERTEX_OF_B,
  worldComponent,
} from './polytope-frame';
import { recordPart } from './polytope-view';

/** Edges nearer to parallel than this sine (squared) touch along a line: two points. */
const PARALLEL_SQUARED: f64 = 1e-6;
/** Edges that lie along each other win over a pair of equal distance by this share of their length: two points. */
const PARALLEL_BONUS: f64 = 1e-9;
/** Below this distance, relative to the points' own coordinates, rounding decides the direction: the axis is kept. */
const DIRECTION_MINIMUM: f64 = 1e-8;
/** A common part of parallel edges shorter than this share of the edge is one point. */
const OVERLAP_MINIMUM: f64 = 1e-6;

// Ends of the edge of B under test, in A's frame.
const EDGE_B: usize = memory.data(48, 16);

let normalX: f64 = 0;
let normalY: f64 = 0;
let normalZ: f64 = 0;

// Where along the two edges the nearest points lie, 0..1.
let alongA: f64 = 0;
let alongB: f64 = 0;
// What the pair under test gains for lying along each other [m].
let bonus: f64 = 0;

/** Normal that belongs to what `addClosestEdges` found. */
export function closestX(): f64 {
  return normalX;
}

export function closestY(): f64 {
  return normalY;
}

export function closestZ(): f64 {
  return normalZ;
}

/** Projection of local point p on a local direction. */
function project(p: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z;
}

/** Component k of a world vector in the frame with the given axes. */
function localComponent(axes: usize, k: usize, x: f64, y: f64, z: f64): f64 {
  return project(axes + k * 24, x, y, z);
}

/** Point of B's frame at p seen from A. */
function seenFromA(out: usize, p: usize): void {
  for (let k: usize = 0; k < 3; k++) {
    const row = TURN_AB + k * 24;
    store<f64>(
      out + (k << 3),
      load<f64>(SHIFT_AB + (k << 3)) + project(p, load<f64>(row), load<f64>(row, 8), load<f64>(row, 16)),
    );
  }
}

/**
 * Finds the nearest edges within `distance`; their points replace the candidates. False when there are none.
 * Direction n (world, A → B) separates the records by s [m].
 */
export function addClosestEdges(a: usize, b: usize, nx: f64, ny: f64, nz: f64, s: f64, distance: f64): bool {
  const mx = localComponent(AXES_A, 0, nx, ny, nz);
  const my = localComponent(AXES_A, 1, nx, ny, nz);
  const mz = localComponent(AXES_A, 2, nx, ny, nz);
  const verticesA = recordPart(a, HULL_VERTICES);
  const verticesB = recordPart(b, HULL_VERTICES);
  const edgesA = recordPart(a, HULL_EDGES);
  const edgesB = recordPart(b, HULL_EDGES);
  const countA = load<i32>(a + HULL_EDGE_COUNT);
  const countB = load<i32>(b + HULL_EDGE_COUNT);
  let front = -Infinity;
  for (let v = 0; v < load<i32>(a + HULL_VERTEX_COUNT); v++) {
    front = Math.max(front, project(verticesA + <usize>v * 24, mx, my, mz));
  }
  let best = distance;
  let bestWorth = distance;
  let bestA = -1;
  let bestB = -1;
  for (let e = 0; e < countA; e++) {
    const p = verticesA + <usize>getI32(edgesA, 4 * e) * 24;
    const q = verticesA + <usize>getI32(edgesA, 4 * e + 1) * 24;
    const reachA = Math.max(project(p, mx, my, mz), project(q, mx, my, mz));
    if (s + front - reachA > best * (1 + PARALLEL_BONUS)) continue;
    for (let f = 0; f < countB; f++) {
      loadEdgeB(verticesB, edgesB, f);
      const reachB = Math.min(project(EDGE_B, mx, my, mz), project(EDGE_B + 24, mx, my, mz));
      if (reachB - reachA > best * (1 + PARALLEL_BONUS)) continue;
      const d = segmentDistance(p, q);
      const worth = d - bonus;
      if (d <= distance && (worth < bestWorth || bestA < 0)) {
        best = d;
        bestWorth = worth;
        bestA = e;
        bestB = f;
      }
    }
  }
  if (bestA < 0) return false;
  clearCandidates();
  const p = verticesA + <usize>getI32(edgesA, 4 * bestA) * 24;
  const q = verticesA + <usize>getI32(edgesA, 4 * bestA + 1) * 24;
  loadEdgeB(verticesB, edgesB, bestB);
  segmentDistance(p, q);
  chooseNormal(p, q, best, mx, my, mz);
  addEdgePair(p, q, edgesA + ((<usize>bestA) << 4), edgesB + ((<usize>bestB) << 4), bestA, bestB, distance);
  const lx = normalX;
  const ly = normalY;
  const lz = normalZ;
  normalX = worldComponent(AXES_A, 0, lx, ly, lz);
  normalY = worldComponent(AXES_A, 1, lx, ly, lz);
  normalZ = worldComponent(AXES_A, 2, lx, ly, lz);
  return true;
}

/** Adds the ends of the common part of two parallel edges, with gaps along the world direction n. */
export function addEdgesAlong(
  a: usize,
  b: usize,
  edgeA: i32,
  edgeB: i32,
  nx: f64,
  ny: f64,
  nz: f64,
  distance: f64,
): void {
  const edge = recordPart(a, HULL_EDGES) + ((<usize>edgeA) << 4);
  const other = recordPart(b, HULL_EDGES) + ((<usize>edgeB) << 4);
  const p = recordPart(a, HULL_VERTICES) + <usize>load<i32>(edge) * 24;
  const q = recordPart(a, HULL_VERTICES) + <usize>load<i32>(edge, 4) * 24;
  loadEdgeB(recordPart(b, HULL_VERTICES), recordPart(b, HULL_EDGES), edgeB);
  normalX = localComponent(AXES_A, 0, nx, ny, nz);
  normalY = localComponent(AXES_A, 1, nx, ny, nz);
  normalZ = localComponent(AXES_A, 2, nx, ny, nz);
  segmentDistance(p, q);
  addEdgePair(p, q, edge, other, edgeA, edgeB, distance);
}

function loadEdgeB(vertices: usize, edges: usize, f: i32): void {
  seenFromA(EDGE_B, vertices + <usize>getI32(edges, 4 * f) * 24);
  seenFromA(EDGE_B + 24, vertices + <usize>getI32(edges, 4 * f + 1) * 24);
}

/** Direction between the nearest points in A's frame, or the axis m where they coincide. */
function chooseNormal(p: usize, q: usize, d: f64, mx: f64, my: f64, mz: f64): void {
  normalX = mx;
  normalY = my;
  normalZ = mz;
  const size = Math.abs(load<f64>(p)) + Math.abs(load<f64>(p, 8)) + Math.abs(load<f64>(p, 16));
  if (!(d > DIRECTION_MINIMUM * size)) return;
  normalX = (between(EDGE_B, EDGE_B + 24, alongB, 0) - between(p, q, alongA, 0)) / d;
  normalY = (between(EDGE_B, EDGE_B + 24, alongB, 8) - between(p, q, alongA, 8)) / d;
  normalZ = (between(EDGE_B, EDGE_B + 24, alongB, 16) - between(p, q, alongA, 16)) / d;
}

/** Component (byte offset 0, 8, 16) of the point a share t of the way from p to q. */
function between(p: usize, q: usize, t: f64, component: usize): f64 {
  const from = load<f64>(p + component);
  return from + t * (load<f64>(q + component) - from);
}

/** Distance of segment p q from the edge in EDGE_B; sets alongA and alongB. */
function segmentDistance(p: usize, q: usize): f64 {
  const ux = load<f64>(q) - load<f64>(p);
  const uy = load<f64>(q, 8) - load<f64>(p, 8);
  const uz = load<f64>(q, 16) - load<f64>(p, 16);
  const wx = load<f64>(EDGE_B, 24) - load<f64>(EDGE_B);
  const wy = load<f64>(EDGE_B, 32) - load<f64>(EDGE_B, 8);
  const wz = load<f64>(EDGE_B, 40) - load<f64>(EDGE_B, 16);
  const rx = load<f64>(p) - load<f64>(EDGE_B);
  const ry = load<f64>(p, 8) - load<f64>(EDGE_B, 8);
  const rz = load<f64>(p, 16) - load<f64>(EDGE_B, 16);
  const uu = ux * ux + uy * uy + uz * uz;
  const ww = wx * wx + wy * wy + wz * wz;
  const uw = ux * wx + uy * wy + uz * wz;
  const ur = ux * rx + uy * ry + uz * rz;
  const wr = wx * rx + wy * ry + wz * rz;
  const determinant = uu * ww - uw * uw;
  const crossing = determinant > PARALLEL_SQUARED * uu * ww;
  // Parallel edges that only end near each other (two corners of bodies turned alike) are one point as any other pair.
  const common = Math.min(1, Math.max(-ur, uw - ur) / uu) - Math.max(0, Math.min(-ur, uw - ur) / uu);
  bonus = crossing || common <= OVERLAP_MINIMUM ? 0.0 : PARALLEL_BONUS * Math.sqrt(uu);
  let s = crossing ? clamp((uw * wr - ur * ww) / determinant, 0, 1) : 0.0;
  let t = (uw * s + wr) / ww;
  if (t < 0 || t > 1) {
    t = clamp(t, 0, 1);
    s = clamp((uw * t - ur) / uu, 0, 1);
  }
  alongA = s;
  alongB = t;
  const x = rx + ux * s - wx * t;
  const y = ry + uy * s - wy * t;
  const z = rz + uz * s - wz * t;
  return Math.sqrt(x * x + y * y + z * z);
}

/** Adds the candidate, or both ends of the common part of parallel edges. */
function addEdgePair(p: usize, q: usize, a: usize, b: usize, edgeA: i32, edgeB: i32, distance: f64): void {
  const ux = load<f64>(q) - load<f64>(p);
  const uy = load<f64>(q, 8) - load<f64>(p, 8);
  const uz = load<f64>(q, 16) - load<f64>(p, 16);
  const wx = load<f64>(EDGE_B, 24) - load<f64>(EDGE_B);
  const wy = load<f64>(EDGE_B, 32) - load<f64>(EDGE_B, 8);
  const wz = load<f64>(EDGE_B, 40) - load<f64>(EDGE_B, 16);
  const uu = ux * ux + uy * uy + uz * uz;
  const ww = wx * wx + wy * wy + wz * wz;
  const uw = ux * wx + uy * wy + uz * wz;
  if (uu * ww - uw * uw <= PARALLEL_SQUARED * uu * ww) {
    const rx = load<f64>(p) - load<f64>(EDGE_B);
    const ry = load<f64>(p, 8) - load<f64>(EDGE_B, 8);
    const rz = load<f64>(p, 16) - load<f64>(EDGE_B, 16);
    // Ends of B's edge along A's, in order of A's direction.
    const ur = ux * rx + uy * ry + uz * rz;
    const low = -ur / uu + (uw < 0 ? uw / uu : 0);
    const high = -ur / uu + (uw < 0 ? 0 : uw / uu);
    const lowVertex = load<i32>(b + (uw < 0 ? 4 : 0));
    const highVertex = load<i32>(b + (uw < 0 ? 0 : 4));
    const start = Math.max(0, low);
    const end = Math.min(1, high);
    if (end - start > OVERLAP_MINIMUM) {
      const wr = wx * rx + wy * ry + wz * rz;
      const startFeature = low > 0 ? VERTEX_OF_B | lowVertex : VERTEX_OF_A | load<i32>(a);
      const endFeature = high < 1 ? VERTEX_OF_B | highVertex : VERTEX_OF_A | load<i32>(a, 4);
      addPoint(p, q, start, clamp((uw * start + wr) / ww, 0, 1), startFeature, distance);
      addPoint(p, q, end, clamp((uw * end + wr) / ww, 0, 1), endFeature, distance);
      return;
    }
  }
  const feature =
    alongA == 0 || alongA == 1
      ? VERTEX_OF_A | load<i32>(a + (alongA == 0 ? 0 : 4))
      : alongB == 0 || alongB == 1
        ? VERTEX_OF_B | load<i32>(b + (alongB == 0 ? 0 : 4))
        : edgeFeature(edgeA, edgeB);
  addPoint(p, q, alongA, alongB, feature, distance);
}

function addPoint(p: usize, q: usize, s: f64, t: f64, feature: i32, distance: f64): void {
  const ax = between(p, q, s, 0);
  const ay = between(p, q, s, 8);
  const az = between(p, q, s, 16);
  const bx = between(EDGE_B, EDGE_B + 24, t, 0);
  const by = between(EDGE_B, EDGE_B + 24, t, 8);
  const bz = between(EDGE_B, EDGE_B + 24, t, 16);
  const gap = (bx - ax) * normalX + (by - ay) * normalY + (bz - az) * normalZ;
  if (!(gap <= distance)) return;
  addLocalCandidate(AXES_A, ORIGIN_A, 0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * (az + bz), gap, feature);
}
