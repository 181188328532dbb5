// Triangles of hulls and meshes as the device has them: a box tree over them, and their corners.
//
// In: the record of a shape in the arena. Out: words; first the nodes, depth first, eight each: least corner,
// greatest corner (f32), first triangle or NOTHING (inner), number of triangles or place of the second child; then
// the corners, nine f32 a triangle, in the order of the leaves. A mesh's own tree is taken over; a hull's faces
// are cut into fans and get one of the same kind. Exact triangles rather than a grid of distances: a grid has
// to be finer than a hair for a corner to stay a corner (a mesh of 20 m in 48 samples a side: 40 cm), and takes
// longer to fill than the tree to walk.

import type { Arena } from '../../core/arena';
import { buildTree } from '../../geometry/mesh-data';
import * as L from '../../state/layout';
import { FACE_NODE_WORDS } from '../constants';

export interface FaceRecord {
  readonly words: Uint32Array<ArrayBuffer>;
  /** Word at which the corners begin. */
  readonly corners: number;
}

/** The record of a mesh at an address of the arena. */
export function packMesh({ f64, i32 }: Arena, record: number): FaceRecord {
  const at = (field: number) => record + i32[(record + field) >> 2];
  const points = f64.subarray(at(L.MESH_VERTICES) / 8);
  const rows = i32.subarray(at(L.MESH_TRIANGLES) / 4);
  const count = i32[(record + L.MESH_TRIANGLE_COUNT) >> 2];
  const corners = Array.from({ length: 3 * count }, (_, k) => rows[4 * Math.floor(k / 3) + (k % 3)]);
  const boxes: number[] = [];
  const links: number[] = [];
  for (let node = 0; node < i32[(record + L.MESH_NODE_COUNT) >> 2]; node++) {
    const from = at(L.MESH_NODES) + node * L.MESH_NODE_BYTES;
    boxes.push(...f64.subarray(from / 8, from / 8 + 6));
    links.push(i32[from / 4 + 12], i32[from / 4 + 13]);
  }
  return pack(points, corners, boxes, links);
}

/** The record of a hull at an address of the arena. */
export function packHull({ f64, i32 }: Arena, record: number): FaceRecord {
  const at = (field: number) => record + i32[(record + field) >> 2];
  const points = f64.subarray(at(L.HULL_VERTICES) / 8);
  const starts = at(L.HULL_FACE_START) / 4;
  const indices = at(L.HULL_INDICES) / 4;
  const fans: number[] = [];
  for (let f = 0; f < i32[(record + L.HULL_FACE_COUNT) >> 2]; f++) {
    const first = i32[starts + f];
    for (let k = first + 1; k + 1 < i32[starts + f + 1]; k++) {
      fans.push(i32[indices + first], i32[indices + k], i32[indices + k + 1]);
    }
  }
  const { order, boxes, links } = buildTree(points, Int32Array.from(fans));
  return pack(
    points,
    order.flatMap((t) => fans.slice(3 * t, 3 * t + 3)),
    boxes,
    links,
  );
}

/** `corners`: three indices of points a triangle, in the order of the leaves; six and two numbers a node. */
function pack(points: Float64Array, corners: number[], boxes: number[], links: number[]): FaceRecord {
  const nodeCount = links.length / 2;
  const start = FACE_NODE_WORDS * nodeCount;
  const words = new Uint32Array(start + 3 * corners.length);
  const reals = new Float32Array(words.buffer);
  for (let node = 0; node < nodeCount; node++) {
    // A box, rounded outwards.
    for (let k = 0; k < 6; k++) {
      const x = boxes[6 * node + k];
      reals[FACE_NODE_WORDS * node + k] = x + (k < 3 ? -1e-7 : 1e-7) * Math.abs(x);
    }
    // −1, of inner nodes, is NOTHING.
    words.set(links.slice(2 * node, 2 * node + 2), FACE_NODE_WORDS * node + 6);
  }
  corners.forEach((point, k) => {
    reals.set(points.subarray(3 * point, 3 * point + 3), start + 3 * k);
  });
  return { words, corners: start };
}
