// Boxes seen as hull records, so that what is written for hulls serves boxes too.
//
// The record lies in static scratch and is filled for one call; its topology is constant. Vertex v has the sign
// bits of x, y, z; edge 4 k + s runs along axis k with the sign bits s of the two next axes; face 2 k + 1 looks
// along +k, face 2 k along −k. (Same numbers as the feature ids of collide-box.)

import {
  COLLIDER_SHAPE,
  HULL_EDGE_COUNT,
  HULL_EDGES,
  HULL_FACE_COUNT,
  HULL_FACE_START,
  HULL_INDEX_COUNT,
  HULL_INDICES,
  HULL_PLANES,
  HULL_VERTEX_COUNT,
  HULL_VERTICES,
  SHAPE_BOX_KIND,
  SHAPE_DATA,
  SHAPE_KIND,
  SHAPE_PARAMETER,
} from '../../../state/layout';
import { column, getF64, getI32 } from '../memory';

const FACE_START: usize = memory.data<i32>([0, 4, 8, 12, 16, 20, 24], 16);
const INDICES: usize = memory.data<i32>([4, 6, 2, 0, 1, 3, 7, 5, 1, 5, 4, 0, 2, 6, 7, 3, 2, 3, 1, 0, 4, 5, 7, 6], 16);
const EDGES: usize = memory.data<i32>(
  [
    0, 1, 2, 4, 2, 3, 4, 3, 4, 5, 5, 2, 6, 7, 3, 5, 0, 2, 4, 0, 4, 6, 0, 5, 1, 3, 1, 4, 5, 7, 5, 1, 0, 4, 0, 2, 1, 5, 2,
    1, 2, 6, 3, 0, 3, 7, 1, 3,
  ],
  16,
);
const VERTICES_AT: i32 = 64;
const PLANES_AT: i32 = 64 + 8 * 24;
const VIEWS: usize = memory.data(2 * (64 + 8 * 24 + 6 * 32), 16);
const VIEW_BYTES: usize = 64 + 8 * 24 + 6 * 32;

/** Hull record of a box with the three half extents at `half`; slot 0 or 1 (two boxes at a time). */
export function viewBox(slot: i32, half: usize): usize {
  const view = VIEWS + <usize>slot * VIEW_BYTES;
  store<i32>(view + HULL_VERTEX_COUNT, 8);
  store<i32>(view + HULL_FACE_COUNT, 6);
  store<i32>(view + HULL_EDGE_COUNT, 12);
  store<i32>(view + HULL_INDEX_COUNT, 24);
  store<i32>(view + HULL_VERTICES, VERTICES_AT);
  store<i32>(view + HULL_PLANES, PLANES_AT);
  store<i32>(view + HULL_FACE_START, <i32>(FACE_START - view));
  store<i32>(view + HULL_INDICES, <i32>(INDICES - view));
  store<i32>(view + HULL_EDGES, <i32>(EDGES - view));
  for (let v = 0; v < 8; v++) {
    const vertex = view + <usize>(VERTICES_AT + v * 24);
    for (let k = 0; k < 3; k++) {
      store<f64>(vertex + ((<usize>k) << 3), ((v >> k) & 1) == 1 ? getF64(half, k) : -getF64(half, k));
    }
  }
  for (let f = 0; f < 6; f++) {
    const plane = view + <usize>(PLANES_AT + f * 32);
    for (let k = 0; k < 3; k++) store<f64>(plane + ((<usize>k) << 3), k != f >> 1 ? 0.0 : (f & 1) == 1 ? 1.0 : -1.0);
    store<f64>(plane, getF64(half, f >> 1), 24);
  }
  return view;
}

/** Hull record of a collider that is a box or a hull. */
export function viewPolytope(slot: i32, collider: i32): usize {
  const shape = getI32(column(COLLIDER_SHAPE), collider);
  if (getI32(column(SHAPE_KIND), shape) == SHAPE_BOX_KIND) {
    return viewBox(slot, column(SHAPE_PARAMETER) + ((<usize>shape) << 5));
  }
  return <usize>getI32(column(SHAPE_DATA), shape);
}

/** Address of the part of a record whose offset lies in the given cell. */
export function recordPart(record: usize, offset: i32): usize {
  return record + <usize>load<i32>(record + <usize>offset);
}
