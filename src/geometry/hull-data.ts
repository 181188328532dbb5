// Writes a convex hull as a record of the shared memory map (records.ts), for the contact kernels.

import { type Arena, allocate } from '../core/arena';
import type { Hull } from './hull-build';
import * as R from './records';

/** The record as bytes, its vertices relative to `center` [m]. The same hull and centre give the same bytes. */
export function packHull(hull: Hull, center: ArrayLike<number>): Uint8Array {
  const corners = hull.faces.flat();
  const planes = R.HULL_HEADER + hull.vertices.length * 24;
  const faceStart = planes + hull.planes.length * 32;
  const indices = faceStart + (hull.faces.length + 1) * 4;
  const edges = indices + corners.length * 4;
  const bytes = (edges + hull.edges.length * 16 + 7) & ~7;
  const buffer = new ArrayBuffer(bytes);
  const i32 = new Int32Array(buffer);
  const f64 = new Float64Array(buffer);
  i32[R.HULL_VERTEX_COUNT >> 2] = hull.vertices.length;
  i32[R.HULL_FACE_COUNT >> 2] = hull.faces.length;
  i32[R.HULL_EDGE_COUNT >> 2] = hull.edges.length;
  i32[R.HULL_INDEX_COUNT >> 2] = corners.length;
  i32[R.HULL_VERTICES >> 2] = R.HULL_HEADER;
  i32[R.HULL_PLANES >> 2] = planes;
  i32[R.HULL_FACE_START >> 2] = faceStart;
  i32[R.HULL_INDICES >> 2] = indices;
  i32[R.HULL_EDGES >> 2] = edges;
  i32[R.HULL_BYTES >> 2] = bytes;
  const local = hull.vertices.map((v) => v.map((x, k) => x - center[k]));
  f64.set(local.flat(), R.HULL_HEADER >> 3);
  i32.set(corners, indices >> 2);
  i32.set(hull.edges.flat(), edges >> 2);
  let start = 0;
  hull.faces.forEach((face, f) => {
    i32[(faceStart >> 2) + f] = start;
    start += face.length;
    i32[(faceStart >> 2) + f + 1] = start;
    // Offset from the moved vertices, not from the old offset: no digits are lost far from the origin.
    const [x, y, z] = hull.planes[f];
    const sum = face.reduce((total, v) => total + x * local[v][0] + y * local[v][1] + z * local[v][2], 0);
    f64.set([x, y, z, sum / face.length], (planes >> 3) + 4 * f);
  });
  return new Uint8Array(buffer);
}

/** Writes the record of a hull into the arena, vertices relative to `center` [m]; returns its address. */
export function writeHull(arena: Arena, hull: Hull, center: ArrayLike<number>): number {
  const bytes = packHull(hull, center);
  const address = allocate(arena, bytes.length);
  arena.u8.set(bytes, address);
  return address;
}
