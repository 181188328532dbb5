// Static triangle meshes: a box tree, neighbours and active edges, written as one record into the arena.
//
// In: vertices and counter-clockwise triangles (normals look outwards). Out: the MESH record of records.ts.
// Triangles are stored in tree order, so each leaf is a range. Vertices at exactly the same place count as one
// for the neighbours (seams of texture coordinates must not become borders). An edge is active when bodies may
// touch it with a normal of its own: convex by more than about 1°, at a border, or shared by more than two
// triangles. Triangles without area are left out.

import { type Arena, allocate } from '../core/arena';
import { refuse, refuseAs } from '../core/errors';
import * as R from './records';

/** Most triangles in a leaf of the tree: fewer make it deep, more make each visit slow. */
const LEAF_TRIANGLES = 4;
/** cos 1°: flatter edges are part of a smooth surface, and normals of their own there are felt as bumps. */
const COSINE_OF_FLAT = 0.9998476951563913;
/** Triangles thinner than this (height over longest side) have no usable normal. */
const THINNEST = 1e-12;

/** A mesh prepared for collision. Triangles are in tree order. */
export interface MeshData {
  /** x y z per vertex [m]. */
  readonly vertices: Float64Array;
  /** a b c and active-edge bits (1 ab, 2 bc, 4 ca) per triangle. */
  readonly triangles: Int32Array;
  /** Triangle across ab, bc, ca, −1 none. */
  readonly neighbors: Int32Array;
  /** Min and max per node [m], depth first. */
  readonly nodeBoxes: Float64Array;
  /** Per node: first triangle or −1 (inner node), number of triangles or index of the right child. */
  readonly nodeLinks: Int32Array;
}

/**
 * Prepares a mesh.
 * @param vertices x y z per vertex [m]
 * @param triangles three vertex indices per triangle, counter-clockwise seen from the side that pushes out
 * @throws UsageError when an index does not exist, a number is not finite or no triangle has area
 */
export function buildMesh(vertices: ArrayLike<number>, triangles: ArrayLike<number>, where = 'buildMesh'): MeshData {
  const points = Float64Array.from(vertices);
  checkMesh(where, points, triangles);
  const solid = keepSolidTriangles(points, triangles);
  if (solid.length === 0) refuseAs(where, 'mesh must have a triangle with area', `${triangles.length / 3} without`);
  const tree = buildTree(points, solid);
  const ordered = new Int32Array(tree.order.length * 4);
  tree.order.forEach((t, k) => {
    ordered.set(solid.subarray(3 * t, 3 * t + 3), 4 * k);
  });
  const neighbors = findNeighbors(points, ordered);
  markActiveEdges(points, ordered, neighbors);
  return {
    vertices: points,
    triangles: ordered,
    neighbors,
    nodeBoxes: Float64Array.from(tree.boxes),
    nodeLinks: Int32Array.from(tree.links),
  };
}

/** Writes the record of a mesh into the arena and returns its address. Vertices and triangles as in `buildMesh`. */
export function writeMesh(
  arena: Arena,
  vertices: ArrayLike<number>,
  triangles: ArrayLike<number>,
  where = 'writeMesh',
): number {
  return writeMeshData(arena, buildMesh(vertices, triangles, where));
}

/** Writes the record of a prepared mesh into the arena and returns its address. */
function writeMeshData(arena: Arena, mesh: MeshData): number {
  const vertexBytes = mesh.vertices.length * 8;
  const nodeCount = mesh.nodeLinks.length / 2;
  const nodes = R.MESH_HEADER + vertexBytes;
  const triangles = nodes + nodeCount * R.MESH_NODE_BYTES;
  const neighbors = triangles + mesh.triangles.length * 4;
  const bytes = neighbors + mesh.neighbors.length * 4;
  const address = allocate(arena, bytes);
  const i32 = new Int32Array(arena.memory.buffer, address);
  const f64 = new Float64Array(arena.memory.buffer, address);
  i32[R.MESH_VERTEX_COUNT >> 2] = mesh.vertices.length / 3;
  i32[R.MESH_TRIANGLE_COUNT >> 2] = mesh.triangles.length / 4;
  i32[R.MESH_NODE_COUNT >> 2] = nodeCount;
  i32[R.MESH_VERTICES >> 2] = R.MESH_HEADER;
  i32[R.MESH_NODES >> 2] = nodes;
  i32[R.MESH_TRIANGLES >> 2] = triangles;
  i32[R.MESH_NEIGHBORS >> 2] = neighbors;
  i32[R.MESH_BYTES >> 2] = bytes;
  f64.set(mesh.vertices, R.MESH_HEADER >> 3);
  for (let n = 0; n < nodeCount; n++) {
    const at = nodes + n * R.MESH_NODE_BYTES;
    f64.set(mesh.nodeBoxes.subarray(6 * n, 6 * n + 6), at >> 3);
    i32.set(mesh.nodeLinks.subarray(2 * n, 2 * n + 2), (at + 48) >> 2);
  }
  i32.set(mesh.triangles, triangles >> 2);
  i32.set(mesh.neighbors, neighbors >> 2);
  return address;
}

function checkMesh(where: string, points: Float64Array, triangles: ArrayLike<number>): void {
  if (points.length % 3 !== 0) refuse(where, 'vertices must be three numbers each', points.length);
  if (triangles.length % 3 !== 0) refuse(where, 'triangles must be three indices each', triangles.length);
  for (let i = 0; i < points.length; i++) {
    if (!Number.isFinite(points[i])) refuse(where, `vertices[${i}] must be a finite number [m]`, points[i]);
  }
  const count = points.length / 3;
  for (let i = 0; i < triangles.length; i++) {
    const vertex = triangles[i];
    if (!(Number.isInteger(vertex) && vertex >= 0 && vertex < count)) {
      refuse(where, `triangles[${i}] must be a vertex index below ${count}`, vertex);
    }
  }
}

/** Normal of triangle a b c, of length twice its area, into out; returns height over longest side. */
function triangleNormal(out: Float64Array, p: Float64Array, a: number, b: number, c: number): number {
  const ux = p[3 * b] - p[3 * a];
  const uy = p[3 * b + 1] - p[3 * a + 1];
  const uz = p[3 * b + 2] - p[3 * a + 2];
  const vx = p[3 * c] - p[3 * a];
  const vy = p[3 * c + 1] - p[3 * a + 1];
  const vz = p[3 * c + 2] - p[3 * a + 2];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
  const longest = Math.max(
    ux * ux + uy * uy + uz * uz,
    vx * vx + vy * vy + vz * vz,
    (ux - vx) ** 2 + (uy - vy) ** 2 + (uz - vz) ** 2,
  );
  return longest > 0 ? Math.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2) / longest : 0;
}

function keepSolidTriangles(points: Float64Array, triangles: ArrayLike<number>): Int32Array {
  const kept: number[] = [];
  const normal = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    if (triangleNormal(normal, points, a, b, c) > THINNEST) kept.push(a, b, c);
  }
  return Int32Array.from(kept);
}

/** A box tree: triangles in the order of its leaves; six and two numbers a node (MeshData). */
interface Tree {
  order: number[];
  boxes: number[];
  links: number[];
}

/** Median-split box tree over triangles (three indices each), nodes depth first, left child next to its parent. */
export function buildTree(points: Float64Array, triangles: Int32Array): Tree {
  const tree: Tree = { order: [], boxes: [], links: [] };
  const count = triangles.length / 3;
  const middles = new Float64Array(count * 3);
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [0, 1, 2].map((corner) => points[3 * triangles[3 * t + corner] + k]);
      middles[3 * t + k] = Math.min(a, b, c) + Math.max(a, b, c);
    }
  }
  split(
    tree,
    points,
    triangles,
    middles,
    Array.from({ length: count }, (_, t) => t),
  );
  return tree;
}

function split(tree: Tree, points: Float64Array, triangles: Int32Array, middles: Float64Array, list: number[]): void {
  const node = tree.links.length / 2;
  tree.links.push(-1, 0);
  tree.boxes.push(...boundTriangles(points, triangles, list));
  if (list.length <= LEAF_TRIANGLES) {
    tree.links[2 * node] = tree.order.length;
    tree.links[2 * node + 1] = list.length;
    tree.order.push(...list);
    return;
  }
  // Halves along the axis in which the middles spread most; equal ones by index, so that the tree is always the same.
  const spread = [0, 1, 2].map((k) => {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const t of list) {
      low = Math.min(low, middles[3 * t + k]);
      high = Math.max(high, middles[3 * t + k]);
    }
    return high - low;
  });
  const axis = spread[0] >= spread[1] && spread[0] >= spread[2] ? 0 : spread[1] >= spread[2] ? 1 : 2;
  const sorted = list.sort((s, t) => middles[3 * s + axis] - middles[3 * t + axis] || s - t);
  const half = sorted.length >> 1;
  split(tree, points, triangles, middles, sorted.slice(0, half));
  tree.links[2 * node + 1] = tree.links.length / 2;
  split(tree, points, triangles, middles, sorted.slice(half));
}

function boundTriangles(points: Float64Array, triangles: Int32Array, list: number[]): number[] {
  const inf = Number.POSITIVE_INFINITY;
  const box = [inf, inf, inf, -inf, -inf, -inf];
  for (const t of list) {
    for (let corner = 0; corner < 3; corner++) {
      for (let k = 0; k < 3; k++) {
        const x = points[3 * triangles[3 * t + corner] + k];
        box[k] = Math.min(box[k], x);
        box[k + 3] = Math.max(box[k + 3], x);
      }
    }
  }
  return box;
}

/** For each vertex the first vertex at exactly the same place. */
function weld(points: Float64Array): Int32Array {
  const first = new Map<string, number>();
  const out = new Int32Array(points.length / 3);
  for (let v = 0; v < out.length; v++) {
    // Adding zero turns −0 into 0, which is the same place.
    const key = `${points[3 * v] + 0} ${points[3 * v + 1] + 0} ${points[3 * v + 2] + 0}`;
    const known = first.get(key);
    out[v] = known ?? v;
    if (known === undefined) first.set(key, v);
  }
  return out;
}

/** Triangle across each edge; −1 at borders and where an edge is not shared by exactly two opposite triangles. */
function findNeighbors(points: Float64Array, triangles: Int32Array): Int32Array {
  const same = weld(points);
  const count = triangles.length / 4;
  const vertexCount = points.length / 3;
  const halfEdges = new Map<number, number>();
  const key = (t: number, k: number, flip: boolean) => {
    const a = same[triangles[4 * t + k]];
    const b = same[triangles[4 * t + ((k + 1) % 3)]];
    return flip ? b * vertexCount + a : a * vertexCount + b;
  };
  // An edge used twice in the same direction belongs to more than two triangles (or to turned ones): marked −2.
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) {
      const edge = key(t, k, false);
      halfEdges.set(edge, halfEdges.has(edge) ? -2 : t);
    }
  }
  const neighbors = new Int32Array(count * 3).fill(-1);
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) {
      if (halfEdges.get(key(t, k, false)) === -2) continue;
      neighbors[3 * t + k] = Math.max(-1, halfEdges.get(key(t, k, true)) ?? -1);
    }
  }
  return neighbors;
}

/** Sets the active-edge bits: convex beyond 1°, or without a neighbour. */
function markActiveEdges(points: Float64Array, triangles: Int32Array, neighbors: Int32Array): void {
  const n = new Float64Array(3);
  const m = new Float64Array(3);
  for (let t = 0; t < triangles.length / 4; t++) {
    const [a, b, c] = triangles.subarray(4 * t, 4 * t + 3);
    triangleNormal(n, points, a, b, c);
    for (let k = 0; k < 3; k++) {
      const other = neighbors[3 * t + k];
      if (other >= 0) {
        const [d, e, f] = triangles.subarray(4 * other, 4 * other + 3);
        triangleNormal(m, points, d, e, f);
        const cosine =
          (n[0] * m[0] + n[1] * m[1] + n[2] * m[2]) /
          Math.sqrt((n[0] ** 2 + n[1] ** 2 + n[2] ** 2) * (m[0] ** 2 + m[1] ** 2 + m[2] ** 2));
        // Convex: the neighbour's middle lies below this triangle's plane.
        const below =
          n[0] * (points[3 * d] + points[3 * e] + points[3 * f] - 3 * points[3 * a]) +
          n[1] * (points[3 * d + 1] + points[3 * e + 1] + points[3 * f + 1] - 3 * points[3 * a + 1]) +
          n[2] * (points[3 * d + 2] + points[3 * e + 2] + points[3 * f + 2] - 3 * points[3 * a + 2]);
        if (cosine > COSINE_OF_FLAT || below >= 0) continue;
      }
      triangles[4 * t + 3] |= 1 << k;
    }
  }
}
