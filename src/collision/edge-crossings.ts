// Edges of surfaces that go through triangles, for steps: by boxes along the axis along which all of it is longest (a
// curtain has no width along one of them), with the signs of f64.
//
// In: tables, objects. Out: pairs of rows. What lies in one plane to within rounding does not count as going through
// (src/debug/surface-crossings decides that exactly; a step has no use for it).

import type { Arena } from '../core/arena';
import { BOX_HIGH } from '../state/contact-places';
import * as L from '../state/layout';
import { EDGE_OBJECT, TRIANGLE_OBJECT } from '../state/mesh-places';
import type { Tables } from '../state/tables';

/** Volumes below this share of the boxes' size are those of one plane [-]. */
const FLAT = 1e-12;

interface Boxes {
  readonly rows: Int32Array;
  /** Least and greatest x y z, by place in `rows`. */
  readonly box: Float64Array;
}

/** The axis along which the objects with `wanted` > 0 are longest. */
function longestAxis(arena: Arena, { strands, nodes }: Tables, wanted: Uint8Array): number {
  const extent = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let object = 0; object < arena.i32[L.STRAND_COUNT >> 2]; object++) {
      if (!wanted[object]) continue;
      const end = strands.first[object] + strands.nodes[object];
      for (let node = strands.first[object]; node < end; node++) {
        low = Math.min(low, nodes.position[4 * node + k]);
        high = Math.max(high, nodes.position[4 * node + k]);
      }
    }
    extent[k] = high - low;
  }
  return extent.indexOf(Math.max(...extent));
}

interface Wanted {
  readonly arena: Arena;
  readonly tables: Tables;
  readonly wanted: Uint8Array;
  readonly axis: number;
}

/** Rows of triangles or edges of the objects with `wanted` > 0, with their boxes, by their least place on the axis. */
function boxesOf(
  { arena, tables, wanted, axis }: Wanted,
  ranges: Int32Array,
  node: Int32Array,
  members: number,
): Boxes {
  const { position } = tables.nodes;
  const rows: number[] = [];
  for (let object = 0; object < arena.i32[L.STRAND_COUNT >> 2]; object++) {
    if (!wanted[object]) continue;
    for (let row = ranges[2 * object]; row < ranges[2 * object] + ranges[2 * object + 1]; row++) rows.push(row);
  }
  const least = (row: number) => {
    let x = Number.POSITIVE_INFINITY;
    for (let m = 0; m < members; m++) x = Math.min(x, position[4 * node[4 * row + m] + axis]);
    return x;
  };
  const keys = Float64Array.from(rows, least);
  const order = Int32Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b] || a - b);
  const box = new Float64Array(6 * rows.length);
  const sorted = new Int32Array(rows.length);
  order.forEach((place, i) => {
    sorted[i] = rows[place];
    for (let k = 0; k < 3; k++) {
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let m = 0; m < members; m++) {
        const x = position[4 * node[4 * sorted[i] + m] + k];
        low = Math.min(low, x);
        high = Math.max(high, x);
      }
      box[6 * i + k] = low;
      box[6 * i + 3 + k] = high;
    }
  });
  return { rows: sorted, box };
}

/**
 * Pairs of an edge and a triangle that it goes through, two numbers each, by edge and triangle. `mayMeet` says of two
 * objects whether that counts; objects with `wanted` 0 are left out.
 */
export function findEdgeCrossings(
  arena: Arena,
  tables: Tables,
  wanted: Uint8Array,
  mayMeet: (edgeOf: number, triangleOf: number) => boolean,
): number[] {
  const { triangles, meshEdges, strands, nodes } = tables;
  const axis = longestAxis(arena, tables, wanted);
  const those = { arena, tables, wanted, axis };
  const faces = boxesOf(those, strands.triangles, triangles.node, 3);
  const edges = boxesOf(those, strands.meshEdges, meshEdges.node, 2);
  const found: [number, number][] = [];
  const open: number[] = [];
  let next = 0;
  for (let e = 0; e < edges.rows.length; e++) {
    const row = edges.rows[e];
    const from = edges.box[6 * e + axis];
    while (next < faces.rows.length && faces.box[6 * next + axis] <= edges.box[6 * e + 3 + axis]) open.push(next++);
    let kept = 0;
    for (let i = 0; i < open.length; i++) {
      const f = open[i];
      // Edges come by their least place: what ends before this one meets none that follows.
      if (faces.box[6 * f + BOX_HIGH + axis] < from) continue;
      open[kept++] = f;
      if (!overlap(edges.box, 6 * e, faces.box, 6 * f)) continue;
      const face = faces.rows[f];
      if (!mayMeet(meshEdges.triangle[4 * row + EDGE_OBJECT], triangles.node[4 * face + TRIANGLE_OBJECT])) continue;
      if (pierces(nodes.position, meshEdges.node, 4 * row, triangles.node, 4 * face)) found.push([row, face]);
    }
    open.length = kept;
  }
  return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]).flat();
}

function overlap(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  for (let k = 0; k < 3; k++) if (a[i + k] > b[j + 3 + k] || b[j + k] > a[i + 3 + k]) return false;
  return true;
}

/** Six times the volume of a tetrahedron of rows of `p`; 0 where that is none to within rounding. */
function volume(p: Float64Array, ia: number, ib: number, ic: number, id: number): number {
  const [a, b, c, d] = [4 * ia, 4 * ib, 4 * ic, 4 * id];
  const ax = p[a] - p[d];
  const ay = p[a + 1] - p[d + 1];
  const az = p[a + 2] - p[d + 2];
  const bx = p[b] - p[d];
  const by = p[b + 1] - p[d + 1];
  const bz = p[b + 2] - p[d + 2];
  const cx = p[c] - p[d];
  const cy = p[c + 1] - p[d + 1];
  const cz = p[c + 2] - p[d + 2];
  const value = az * (bx * cy - cx * by) + bz * (cx * ay - ax * cy) + cz * (ax * by - bx * ay);
  const size = (ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz) * (cx * cx + cy * cy + cz * cz);
  return value * value > FLAT * FLAT * size ? value : 0;
}

/** Whether the edge at `e` of `ends` goes through the triangle at `t` of `corners`, sharing no node with it. */
function pierces(p: Float64Array, ends: Int32Array, e: number, corners: Int32Array, t: number): boolean {
  const [d, o] = [ends[e], ends[e + 1]];
  const [a, b, c] = [corners[t], corners[t + 1], corners[t + 2]];
  if (d === a || d === b || d === c || o === a || o === b || o === c) return false;
  if (!(volume(p, a, b, c, d) * volume(p, a, b, c, o) < 0)) return false;
  // Through an edge or corner counts, too: of meshes that lie alike, most goes through these.
  const [u, v, w] = [volume(p, d, o, a, b), volume(p, d, o, b, c), volume(p, d, o, c, a)];
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}
