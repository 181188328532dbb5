// Meshes of the tests: boxes of cells, each cut into six tetrahedra as validation/fem-beam.json cuts them.

import { measureRest, type SolidElements } from '../../../src/mechanics/solid/elements';
import { quadraticMesh } from '../../../src/mechanics/solid/quadratic-mesh';

/** A mesh with its rest shape; positions have four numbers a node. */
export interface TestMesh {
  readonly nodes: number;
  readonly rest: Float64Array;
  readonly elements: SolidElements;
}

/** Corners of the cube by 4x + 2y + z. */
const CELL = [
  [0, 1, 3, 7],
  [0, 1, 5, 7],
  [0, 2, 3, 7],
  [0, 2, 6, 7],
  [0, 4, 5, 7],
  [0, 4, 6, 7],
];

/** Vertices (three numbers each) and tetrahedra of a box of cells; `place` maps the unit cube into space. */
export function boxOfTetrahedra(
  cells: readonly [number, number, number],
  place: (u: number, v: number, w: number) => readonly [number, number, number],
): { vertices: Float64Array; tetrahedra: Int32Array } {
  const [nx, ny, nz] = cells;
  const vertices: number[] = [];
  const tetrahedra: number[] = [];
  const index = (i: number, j: number, k: number) => (i * (ny + 1) + j) * (nz + 1) + k;
  for (let i = 0; i <= nx; i++)
    for (let j = 0; j <= ny; j++) for (let k = 0; k <= nz; k++) vertices.push(...place(i / nx, j / ny, k / nz));
  for (let i = 0; i < nx; i++)
    for (let j = 0; j < ny; j++)
      for (let k = 0; k < nz; k++)
        for (const corners of CELL) {
          const t = corners.map((c) => index(i + (c >> 2), j + ((c >> 1) & 1), k + (c & 1)));
          tetrahedra.push(...(isPositive(vertices, t) ? t : [t[0], t[2], t[1], t[3]]));
        }
  return { vertices: Float64Array.from(vertices), tetrahedra: Int32Array.from(tetrahedra) };
}

function isPositive(x: number[], [a, b, c, d]: number[]): boolean {
  const [p, q, r] = [b, c, d].map((i) => [0, 1, 2].map((k) => x[3 * i + k] - x[3 * a + k]));
  const cross = [q[1] * r[2] - q[2] * r[1], q[2] * r[0] - q[0] * r[2], q[0] * r[1] - q[1] * r[0]];
  return p[0] * cross[0] + p[1] * cross[1] + p[2] * cross[2] > 0;
}

/** A box of cells as elements of an order. */
export function boxMesh(
  order: 1 | 2,
  cells: readonly [number, number, number],
  place: (u: number, v: number, w: number) => readonly [number, number, number] = (u, v, w) => [u, v, w],
): TestMesh {
  const box = boxOfTetrahedra(cells, place);
  const { vertices, nodes } =
    order === 1 ? { vertices: box.vertices, nodes: box.tetrahedra } : quadraticMesh(box.vertices, box.tetrahedra);
  const rest = new Float64Array((4 * vertices.length) / 3);
  for (let i = 0; i < vertices.length / 3; i++) for (let k = 0; k < 3; k++) rest[4 * i + k] = vertices[3 * i + k];
  return { nodes: rest.length / 4, rest, elements: measureRest(order, nodes, rest, 4) };
}
