// Edges of surfaces that go through triangles, and nodes of surfaces inside bodies; for tests, checks and bug hunts.
//
// In: tables. Out: pairs and nodes. The crossings are found with exact signs (math/orientation): a state is free of
// them or it is not. Pairs that may not touch (layers, masks, no self-contact) may cross and do not count.

import type { Arena } from '../core/arena';
import { goesThrough } from '../math/orientation';
import * as L from '../state/layout';
import { EDGE_OBJECT, TRIANGLE_OBJECT } from '../state/mesh-places';
import type { Tables } from '../state/tables';

/** A mesh edge and a triangle that it goes through: rows of their tables. */
export interface SurfaceCrossing {
  edge: number;
  triangle: number;
}

interface Box {
  row: number;
  low: [number, number, number];
  high: [number, number, number];
}

function boxOf({ nodes }: Tables, row: number, ...members: number[]): Box {
  const low: Box['low'] = [Infinity, Infinity, Infinity];
  const high: Box['high'] = [-Infinity, -Infinity, -Infinity];
  for (const node of members) {
    for (let k = 0; k < 3; k++) {
      const x = nodes.position[4 * node + k];
      low[k] = Math.min(low[k], x);
      high[k] = Math.max(high[k], x);
    }
  }
  return { row, low, high };
}

/** Whether two objects, or the parts of one, may touch. */
function mayTouch({ rods, strands }: Tables, a: number, b: number): boolean {
  const [x, y] = [rods.layers[strands.rod[a]], rods.layers[strands.rod[b]]];
  if (a === b) return (rods.flags[strands.rod[a]] & L.ROD_SELF_CONTACT) !== 0;
  return ((x >>> 16) & y & 0xffff) !== 0 && ((y >>> 16) & x & 0xffff) !== 0;
}

/** Every mesh edge that goes through a triangle of a surface that it may touch. */
export function findSurfaceCrossings(arena: Arena, tables: Tables): SurfaceCrossing[] {
  const { triangles, meshEdges, nodes } = tables;
  const faces: Box[] = [];
  for (let t = 0; t < arena.i32[L.TRIANGLE_COUNT >> 2]; t++) {
    faces.push(boxOf(tables, t, ...triangles.node.subarray(4 * t, 4 * t + 3)));
  }
  const edges: Box[] = [];
  for (let e = 0; e < arena.i32[L.MESH_EDGE_COUNT >> 2]; e++) {
    edges.push(boxOf(tables, e, ...meshEdges.node.subarray(4 * e, 4 * e + 2)));
  }
  faces.sort((a, b) => a.low[0] - b.low[0]);
  edges.sort((a, b) => a.low[0] - b.low[0]);

  // A sweep along x: the triangles that the edge at hand may still reach.
  const found: SurfaceCrossing[] = [];
  let open: Box[] = [];
  let next = 0;
  for (const edge of edges) {
    while (next < faces.length && faces[next].low[0] <= edge.high[0]) open.push(faces[next++]);
    open = open.filter((face) => face.high[0] >= edge.low[0]);
    for (const face of open) {
      if (face.low[0] > edge.high[0] || !overlap(face, edge, 1) || !overlap(face, edge, 2)) continue;
      const [a, b, c, object] = triangles.node.subarray(4 * face.row, 4 * face.row + 4);
      const [d, e] = meshEdges.node.subarray(4 * edge.row, 4 * edge.row + 2);
      if ([a, b, c].includes(d) || [a, b, c].includes(e)) continue;
      if (!mayTouch(tables, meshEdges.triangle[4 * edge.row + EDGE_OBJECT], object)) continue;
      if (goesThrough(nodes.position, d, e, a, b, c)) found.push({ edge: edge.row, triangle: face.row });
    }
  }
  return found.sort((a, b) => a.edge - b.edge || a.triangle - b.triangle);
}

function overlap(a: Box, b: Box, axis: number): boolean {
  return a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis];
}

/** One line for every object that is tangled: how many of its edges go through what; none where all is well. */
export function describeTangles(arena: Arena, tables: Tables): string[] {
  const { meshEdges, triangles, rods, strands } = tables;
  const counts = new Map<string, number>();
  const nameOf = (object: number): string => `object ${object} (entity ${rods.entity[strands.rod[object]]})`;
  for (const { edge, triangle } of findSurfaceCrossings(arena, tables)) {
    const own = meshEdges.triangle[4 * edge + EDGE_OBJECT];
    const other = triangles.node[4 * triangle + TRIANGLE_OBJECT];
    const pair = `${nameOf(own)} through ${nameOf(other)}`;
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return [...counts].map(([pair, count]) => `surfaces: ${count} edges of ${pair}`);
}
