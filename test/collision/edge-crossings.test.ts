// Edges that go through triangles, found alike whichever way a mesh lies.

import { expect, test } from 'vitest';
import { findEdgeCrossings } from '../../src/collision/edge-crossings';
import type { Arena } from '../../src/core/arena';
import { STRAND_COUNT } from '../../src/state/layout';
import type { Tables } from '../../src/state/tables';

type Point = readonly [number, number, number];

/** Meshes as objects of tables, of what the detection reads. */
function objects(meshes: readonly { points: readonly Point[]; triangles: readonly Point[] }[]) {
  const rows = { position: [] as number[], triangle: [] as number[], edge: [] as number[], owner: [] as number[] };
  const strands = {
    triangles: [] as number[],
    meshEdges: [] as number[],
    first: [] as number[],
    nodes: [] as number[],
  };
  meshes.forEach(({ points, triangles }, object) => {
    const first = rows.position.length / 4;
    strands.first.push(first);
    strands.nodes.push(points.length);
    for (const point of points) rows.position.push(...point, 0);
    strands.triangles.push(rows.triangle.length / 4, triangles.length);
    const edges = new Map<string, [number, number]>();
    for (const corners of triangles) {
      rows.triangle.push(...corners.map((n) => first + n), object);
      for (let k = 0; k < 3; k++) {
        const [a, b] = [corners[k], corners[(k + 1) % 3]].sort((x, y) => x - y);
        edges.set(`${a} ${b}`, [a, b]);
      }
    }
    strands.meshEdges.push(rows.edge.length / 4, edges.size);
    for (const [a, b] of edges.values()) {
      rows.edge.push(first + a, first + b, 0, 0);
      rows.owner.push(0, 0, object, 0);
    }
  });
  const i32 = new Int32Array((STRAND_COUNT >> 2) + 1);
  i32[STRAND_COUNT >> 2] = meshes.length;
  const numbers = Object.entries(strands).map(([name, list]) => [name, Int32Array.from(list)]);
  const tables = {
    strands: Object.fromEntries(numbers),
    nodes: { position: Float64Array.from(rows.position) },
    triangles: { node: Int32Array.from(rows.triangle) },
    meshEdges: { node: Int32Array.from(rows.edge), triangle: Int32Array.from(rows.owner) },
  };
  return { arena: { i32 } as unknown as Arena, tables: tables as unknown as Tables, count: meshes.length };
}

function crossingsOf({ arena, tables, count }: ReturnType<typeof objects>): number[] {
  return findEdgeCrossings(arena, tables, new Uint8Array(count).fill(1), (a, b) => a !== b);
}

/** Axes in turn, so that a mesh lies another way. */
const turned = ([x, y, z]: Point, times: number): Point =>
  [[x, y, z] as const, [z, x, y] as const, [y, z, x] as const][times];

function grid(n: number, times: number) {
  const points: Point[] = [];
  const triangles: Point[] = [];
  for (let i = 0; i <= n; i++) for (let j = 0; j <= n; j++) points.push(turned([0, i / n, j / n], times));
  const at = (i: number, j: number) => i * (n + 1) + j;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      triangles.push([at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
    }
  }
  return { points, triangles };
}

test('a triangle put through a grid crosses the same rows whichever way the two lie', () => {
  const found = [0, 1, 2].map((times) => {
    const corners = [
      [-0.2, 0.3, 0.32],
      [0.3, 0.34, 0.31],
      [0.25, 0.71, 0.62],
    ] as const;
    const spike = { points: corners.map((corner) => turned(corner, times)), triangles: [[0, 1, 2]] as const };
    return crossingsOf(objects([grid(6, times), spike]));
  });
  expect(found[0].length).toBeGreaterThan(4);
  expect(found[1]).toEqual(found[0]);
  expect(found[2]).toEqual(found[0]);
});
