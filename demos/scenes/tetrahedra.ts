// Meshes of tetrahedra by formula, for scenes with elastic solids: boxes, rings, balls.

import type { Quat, Vec3 } from './demo-scene';

/** Corners of a cell by 4x + 2y + z: six tetrahedra about the diagonal. */
export const CELL: readonly Quat[] = [
  [0, 4, 6, 7],
  [0, 6, 2, 7],
  [0, 2, 3, 7],
  [0, 3, 1, 7],
  [0, 1, 5, 7],
  [0, 5, 4, 7],
];

export interface TetrahedronFile {
  vertices: Vec3[];
  tetrahedra: Quat[];
}

/**
 * A grid of cells whose corners `place` puts somewhere, by their shares 0 to 1 along each axis; with `isRing` the last
 * corners along x are the first.
 */
export function gridOfTetrahedra(
  cells: Vec3,
  place: (share: Vec3, corner: Vec3) => Vec3,
  isRing = false,
): TetrahedronFile {
  const [nx, ny, nz] = cells;
  const columns = isRing ? nx : nx + 1;
  const number = (i: number, j: number, k: number) => ((i % columns) * (ny + 1) + j) * (nz + 1) + k;
  const vertices: Vec3[] = [];
  const tetrahedra: Quat[] = [];
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j <= ny; j++) {
      for (let k = 0; k <= nz; k++) {
        vertices.push(place([i / nx, j / ny, k / nz], [i, j, k]));
        if (i === nx || j === ny || k === nz) continue;
        for (const corners of CELL) {
          tetrahedra.push(corners.map((c) => number(i + (c >> 2), j + ((c >> 1) & 1), k + (c & 1))) as Quat);
        }
      }
    }
  }
  return { vertices, tetrahedra };
}

/** A box about the origin. */
export function tetrahedronBox(size: Vec3, cells: Vec3): TetrahedronFile {
  return gridOfTetrahedra(cells, (share) => share.map((x, k) => size[k] * (x - 0.5)) as Vec3);
}

/** A ring about the y axis: `radius` to the middle of its square section of `thick` [m]. */
export function tetrahedronRing(radius: number, thick: Vec3, cells: Vec3): TetrahedronFile {
  return gridOfTetrahedra(
    cells,
    ([u, v, w]) => {
      const angle = -2 * Math.PI * u;
      const away = radius + thick[2] * (w - 0.5);
      return [away * Math.cos(angle), thick[1] * (v - 0.5), away * Math.sin(angle)];
    },
    true,
  );
}

/** How round a ball is: 1 would flatten the elements along the edges of its cube. */
const ROUND = 0.9;

/** A ball about the origin from a cube of `cells` an edge. */
export function tetrahedronBall(radius: number, cells: number): TetrahedronFile {
  return gridOfTetrahedra([cells, cells, cells], (share) => {
    const p = share.map((x) => 2 * x - 1);
    const [x, y, z] = p.map((a) => a * a);
    const round = [
      p[0] * Math.sqrt(1 - y / 2 - z / 2 + (y * z) / 3),
      p[1] * Math.sqrt(1 - z / 2 - x / 2 + (z * x) / 3),
      p[2] * Math.sqrt(1 - x / 2 - y / 2 + (x * y) / 3),
    ];
    return p.map((a, k) => radius * (ROUND * round[k] + (1 - ROUND) * 0.75 * a)) as Vec3;
  });
}
