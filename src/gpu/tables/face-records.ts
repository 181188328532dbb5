// Triangles of hulls and meshes as the device has them: a box tree over them, and their corners.
//
// In: the record of a shape in the arena. Out: words; first the nodes, depth first, eight each: least corner,
// greatest corner (f32), first triangle or NOTHING (inner), number of triangles or place of the second child; then
// the corners, nine f32 a triangle, in the order of the leaves. A mesh's own tree is taken over; a hull's faces
// are cut into fans and halved as mesh-data.ts does. Exact triangles rather than a grid of distances: a grid has
// to be finer than a hair for a corner to stay a corner (a mesh of 20 m in 48 samples a side: 40 cm), and takes
// longer to fill than the tree to walk.

import type { Arena } from '../../core/arena';
import * as L from '../../state/layout';

export interface FaceRecord {
  readonly words: Uint32Array<ArrayBuffer>;
  /** Word at which the corners begin. */
  readonly corners: number;
}

const NODE_WORDS = 8;
const CORNER_WORDS = 9;
const NOTHING = 0xffffffff;
const LEAF_TRIANGLES = 4;

/** The record of a mesh at an address of the arena. */
export function packMesh({ f64, i32 }: Arena, record: number): FaceRecord {
  const at = (field: number) => record + i32[(record + field) >> 2];
  const nodeCount = i32[(record + L.MESH_NODE_COUNT) >> 2];
  const count = i32[(record + L.MESH_TRIANGLE_COUNT) >> 2];
  const vertices = at(L.MESH_VERTICES) / 8;
  const triangles = at(L.MESH_TRIANGLES) / 4;
  const corners = NODE_WORDS * nodeCount;
  const words = new Uint32Array(corners + CORNER_WORDS * count);
  const reals = new Float32Array(words.buffer);
  for (let node = 0; node < nodeCount; node++) {
    const from = at(L.MESH_NODES) + node * L.MESH_NODE_BYTES;
    writeBox(reals, NODE_WORDS * node, f64.subarray(from / 8, from / 8 + 6));
    words.set([i32[from / 4 + 12], i32[from / 4 + 13]], NODE_WORDS * node + 6);
  }
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) {
      const vertex = vertices + 3 * i32[triangles + 4 * t + k];
      reals.set(f64.subarray(vertex, vertex + 3), corners + CORNER_WORDS * t + 3 * k);
    }
  }
  return { words, corners };
}

/** The record of a hull at an address of the arena. */
export function packHull({ f64, i32 }: Arena, record: number): FaceRecord {
  const at = (field: number) => record + i32[(record + field) >> 2];
  const vertices = at(L.HULL_VERTICES) / 8;
  const starts = at(L.HULL_FACE_START) / 4;
  const indices = at(L.HULL_INDICES) / 4;
  const triangles: Float64Array[] = [];
  for (let f = 0; f < i32[(record + L.HULL_FACE_COUNT) >> 2]; f++) {
    const corner = (k: number) => {
      const vertex = vertices + 3 * i32[indices + k];
      return f64.subarray(vertex, vertex + 3);
    };
    for (let k = i32[starts + f] + 1; k + 1 < i32[starts + f + 1]; k++) {
      triangles.push(Float64Array.of(...corner(i32[starts + f]), ...corner(k), ...corner(k + 1)));
    }
  }
  const nodes: number[][] = [];
  const order: Float64Array[] = [];
  split(triangles);
  const corners = NODE_WORDS * nodes.length;
  const words = new Uint32Array(corners + CORNER_WORDS * order.length);
  const reals = new Float32Array(words.buffer);
  nodes.forEach(([first, second, ...box], node) => {
    writeBox(reals, NODE_WORDS * node, box);
    words.set([first, second], NODE_WORDS * node + 6);
  });
  order.forEach((triangle, t) => {
    reals.set(triangle, corners + CORNER_WORDS * t);
  });
  return { words, corners };

  /** Halves along the axis in which the boxes' middles spread most. */
  function split(list: Float64Array[]): void {
    const box = boxOf(list);
    const node = nodes.push([NOTHING, 0, ...box]) - 1;
    if (list.length <= LEAF_TRIANGLES) {
      nodes[node][0] = order.length;
      nodes[node][1] = list.length;
      order.push(...list);
      return;
    }
    const middle = (t: Float64Array, k: number) =>
      Math.min(t[k], t[3 + k], t[6 + k]) + Math.max(t[k], t[3 + k], t[6 + k]);
    const spread = [0, 1, 2].map((k) => {
      const middles = list.map((t) => middle(t, k));
      return Math.max(...middles) - Math.min(...middles);
    });
    const axis = spread.indexOf(Math.max(...spread));
    const sorted = list.slice().sort((s, t) => middle(s, axis) - middle(t, axis));
    split(sorted.slice(0, sorted.length >> 1));
    nodes[node][1] = nodes.length;
    split(sorted.slice(sorted.length >> 1));
  }
}

function boxOf(triangles: readonly Float64Array[]): number[] {
  const box = [1, 1, 1, -1, -1, -1].map((sign) => sign * Number.MAX_VALUE);
  for (const triangle of triangles) {
    for (let k = 0; k < 9; k++) {
      box[k % 3] = Math.min(box[k % 3], triangle[k]);
      box[3 + (k % 3)] = Math.max(box[3 + (k % 3)], triangle[k]);
    }
  }
  return box;
}

/** A box, rounded outwards. */
function writeBox(reals: Float32Array, to: number, box: ArrayLike<number>): void {
  for (let k = 0; k < 6; k++) reals[to + k] = box[k] + (k < 3 ? -1e-7 : 1e-7) * Math.abs(box[k]);
}
