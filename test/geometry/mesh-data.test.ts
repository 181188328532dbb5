import { expect, test } from 'vitest';
import { createArena } from '../../src/core/arena';
import { buildMesh, type MeshData, writeMesh } from '../../src/geometry/mesh-data';
import * as R from '../../src/geometry/records';
import { ARENA_LAYOUT } from '../../src/state/tables';

/** A square of n × n cells in the x–z plane, two triangles each, normals up; heights by `height(x, z)`. */
function grid(n: number, height = (_x: number, _z: number) => 0): { vertices: number[]; triangles: number[] } {
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (let z = 0; z <= n; z++) for (let x = 0; x <= n; x++) vertices.push(x, height(x, z), z);
  for (let z = 0; z < n; z++) {
    for (let x = 0; x < n; x++) {
      const a = z * (n + 1) + x;
      triangles.push(a, a + n + 1, a + 1, a + 1, a + n + 1, a + n + 2);
    }
  }
  return { vertices, triangles };
}

/** Active edges as pairs of vertex places. */
function activeEdges(mesh: MeshData): string[] {
  const found: string[] = [];
  for (let t = 0; t < mesh.triangles.length; t += 4) {
    for (let k = 0; k < 3; k++) {
      if (!(mesh.triangles[t + 3] & (1 << k))) continue;
      const ends = [mesh.triangles[t + k], mesh.triangles[t + ((k + 1) % 3)]];
      found.push(
        ends
          .map((v) => mesh.vertices.slice(3 * v, 3 * v + 3).join())
          .sort()
          .join(' – '),
      );
    }
  }
  return found;
}

test('in a flat grid only the border is active, and every inner edge has its neighbour', () => {
  const { vertices, triangles } = grid(4);
  const mesh = buildMesh(vertices, triangles);
  expect(mesh.triangles).toHaveLength(32 * 4);
  expect(activeEdges(mesh)).toHaveLength(16);
  let open = 0;
  for (let t = 0; t < 32; t++) {
    for (let k = 0; k < 3; k++) {
      const other = mesh.neighbors[3 * t + k];
      if (other < 0) open++;
      else expect(Array.from(mesh.neighbors.slice(3 * other, 3 * other + 3))).toContain(t);
    }
  }
  expect(open).toBe(16);
});

test('a ridge is active, a valley and a bend of half a degree are not', () => {
  const inner = (height: (x: number) => number) => {
    const { vertices, triangles } = grid(2, (x) => height(x));
    return activeEdges(buildMesh(vertices, triangles)).filter((edge) => /^1,.* – 1,/.test(edge));
  };
  // Two cells along the fold, each edge seen from both sides.
  expect(inner((x) => -Math.abs(x - 1))).toHaveLength(4);
  expect(inner((x) => Math.abs(x - 1))).toHaveLength(0);
  expect(inner((x) => -Math.tan(Math.PI / 720) * Math.abs(x - 1))).toHaveLength(0);
  expect(inner((x) => -Math.tan(Math.PI / 90) * Math.abs(x - 1))).toHaveLength(4);
});

test('vertices at the same place are one for the neighbours', () => {
  const mesh = buildMesh([0, 0, 0, 1, 0, 0, 0, 0, -1, 1, 0, 0, 1, 0, -1, -0, 0, -1], [0, 1, 2, 3, 4, 5]);
  expect(Array.from(mesh.neighbors).filter((t) => t >= 0)).toHaveLength(2);
});

test('an edge of three triangles has no neighbour and is active for all', () => {
  const mesh = buildMesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1], [0, 1, 2, 1, 0, 3, 0, 1, 4]);
  expect(Array.from(mesh.neighbors)).toEqual(Array(9).fill(-1));
  expect(activeEdges(mesh)).toHaveLength(9);
});

test('triangles without area are left out', () => {
  const mesh = buildMesh([0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 0, 0], [0, 2, 1, 0, 1, 3, 1, 1, 2]);
  expect(mesh.triangles).toHaveLength(4);
  expect(() => buildMesh([0, 0, 0, 1, 0, 0, 2, 0, 0], [0, 1, 2])).toThrow(/must have a triangle with area, got/);
});

test('the tree holds every triangle once, in boxes that contain it, children in those of their parents', () => {
  const { vertices, triangles } = grid(9, (x, z) => Math.sin(x) * Math.cos(2 * z));
  const mesh = buildMesh(vertices, triangles);
  const seen = new Set<number>();
  const visit = (node: number, outer: ArrayLike<number>) => {
    const box = mesh.nodeBoxes.subarray(6 * node, 6 * node + 6);
    for (let k = 0; k < 3; k++) {
      expect(box[k]).toBeGreaterThanOrEqual(outer[k]);
      expect(box[k + 3]).toBeLessThanOrEqual(outer[k + 3]);
    }
    const [first, count] = mesh.nodeLinks.subarray(2 * node, 2 * node + 2);
    if (first < 0) {
      visit(node + 1, box);
      visit(count, box);
      return;
    }
    for (let t = first; t < first + count; t++) {
      expect(seen.has(t)).toBe(false);
      seen.add(t);
      for (const v of mesh.triangles.subarray(4 * t, 4 * t + 3)) {
        for (let k = 0; k < 3; k++) {
          expect(mesh.vertices[3 * v + k]).toBeGreaterThanOrEqual(box[k]);
          expect(mesh.vertices[3 * v + k]).toBeLessThanOrEqual(box[k + 3]);
        }
      }
    }
  };
  const inf = Number.POSITIVE_INFINITY;
  visit(0, [-inf, -inf, -inf, inf, inf, inf]);
  expect(seen.size).toBe(162);
});

test('the record in memory holds what was built', () => {
  const arena = createArena(ARENA_LAYOUT);
  const { vertices, triangles } = grid(3);
  const mesh = buildMesh(vertices, triangles);
  const address = writeMesh(arena, vertices, triangles);
  const cell = (offset: number) => arena.i32[(address + offset) >> 2];
  expect([cell(R.MESH_VERTEX_COUNT), cell(R.MESH_TRIANGLE_COUNT)]).toEqual([16, 18]);
  const f64 = (offset: number, n: number) => Array.from(arena.f64.slice((address + offset) >> 3).slice(0, n));
  const i32 = (offset: number, n: number) => Array.from(arena.i32.slice((address + offset) >> 2).slice(0, n));
  expect(f64(cell(R.MESH_VERTICES), 48)).toEqual(vertices);
  expect(i32(cell(R.MESH_TRIANGLES), 72)).toEqual(Array.from(mesh.triangles));
  expect(i32(cell(R.MESH_NEIGHBORS), 54)).toEqual(Array.from(mesh.neighbors));
  for (let n = 0; n < cell(R.MESH_NODE_COUNT); n++) {
    const at = cell(R.MESH_NODES) + n * R.MESH_NODE_BYTES;
    expect(f64(at, 6)).toEqual(Array.from(mesh.nodeBoxes.slice(6 * n, 6 * n + 6)));
    expect(i32(at + 48, 2)).toEqual(Array.from(mesh.nodeLinks.slice(2 * n, 2 * n + 2)));
  }
});

test('wrong input is refused with where, expected and got', () => {
  expect(() => buildMesh([0, 0, 0, 1, 0, 0, 0, 0, 1], [0, 1, 3])).toThrow(
    'buildMesh: triangles[2] must be a vertex index below 3, got 3',
  );
  expect(() => buildMesh([0, 0, Number.NaN], [])).toThrow(
    'buildMesh: vertices[2] must be a finite number [m], got NaN',
  );
});
