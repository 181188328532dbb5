// Sheets for scenes with shells: grids of triangles, what they are made of, and what can be asked of where they went.

import { vec3 } from 'gl-matrix';
import { pointAt, type ShellFile, type Vec3 } from './demo-scene';

/** Vertices and triangles of a sheet; vertex (i, j) is number j · columns + i. */
export interface Sheet {
  columns: number;
  rows: number;
  vertices: Vec3[];
  triangles: Vec3[];
}

/**
 * A grid of vertices; `place(u, v)` with u, v in 0..1 says where [m]. Diagonals take turns, so that the sheet is no
 * stiffer one way than the other. Its front is where u, v and the front's normal are right-handed.
 */
export function sheet(columns: number, rows: number, place: (u: number, v: number) => Vec3): Sheet {
  const vertices: Vec3[] = [];
  const triangles: Vec3[] = [];
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      vertices.push(place(i / (columns - 1), j / (rows - 1)));
      if (i + 1 === columns || j + 1 === rows) continue;
      const a = j * columns + i;
      const [b, c] = [a + 1, a + columns];
      const d = c + 1;
      if ((i + j) % 2 === 0) triangles.push([a, b, d], [a, d, c]);
      else triangles.push([a, b, c], [b, d, c]);
    }
  }
  return { columns, rows, vertices, triangles };
}

/**
 * A disc in the plane y = 0 as rings about its middle, vertex 0; the last ring is its rim. Its front is up. With `hole`
 * it begins at that ring.
 */
export function disc(
  radius: number,
  rings: number,
  place: (x: number, z: number) => Vec3 = (x, z) => [x, 0, z],
  hole = 0,
) {
  const vertices: Vec3[] = [place(0, 0)];
  const triangles: Vec3[] = [];
  let inner = { first: 0, count: 1 };
  for (let ring = 1; ring <= rings; ring++) {
    const outer = { first: vertices.length, count: 6 * ring };
    for (let k = 0; k < outer.count; k++) {
      const angle = (2 * Math.PI * k) / outer.count;
      const r = (radius * ring) / rings;
      vertices.push(place(r * Math.cos(angle), -r * Math.sin(angle)));
    }
    // Six sectors: each has one triangle more on the outer side.
    for (let k = 0; k < outer.count; k++) {
      const sector = Math.floor(k / ring);
      const within = k - sector * ring;
      const on = (n: number) => inner.first + ((sector * (ring - 1) + n) % inner.count);
      const [a, b] = [outer.first + k, outer.first + ((k + 1) % outer.count)];
      triangles.push([on(within), a, b]);
      if (within + 1 < ring) triangles.push([on(within), b, on(within + 1)]);
    }
    inner = outer;
  }
  const cut = hole > 0 ? 1 + 3 * hole * (hole - 1) : 0; // vertices of the rings within
  return {
    vertices: vertices.slice(cut),
    triangles: triangles
      .filter((corners) => corners.every((v) => v >= cut))
      .map(([a, b, c]): Vec3 => [a - cut, b - cut, c - cut]),
    rim: Array.from({ length: inner.count }, (_, k) => inner.first - cut + k),
  };
}

/** What a sheet is made of, without its shape. */
type Fabric = Pick<
  ShellFile,
  'thickness' | 'density' | 'stretchModulus' | 'bendingModulus' | 'poissonRatio' | 'damping' | 'friction' | 'airDrag'
>;

/** Bending modulus that gives a sheet the bending stiffness D [N·m]: D = E h³ / 12 (1 − ν²). */
export function bendingModulus(stiffness: number, thickness: number, poissonRatio: number): number {
  return (12 * (1 - poissonRatio * poissonRatio) * stiffness) / thickness ** 3;
}

/**
 * Cloth by what is measured of it: mass [kg/m²], membrane stiffness E h [N/m], bending stiffness D [N·m]. `thickness`
 * [m] is that of contact: a coarse mesh takes more than the cloth has.
 */
export function fabric(
  mass: number,
  membrane: number,
  bending: number,
  thickness: number,
  rest: Pick<Fabric, 'damping' | 'friction' | 'airDrag'> = {},
): Fabric {
  const poissonRatio = 0.3;
  return {
    thickness,
    density: mass / thickness,
    stretchModulus: membrane / thickness,
    bendingModulus: bendingModulus(bending, thickness, poissonRatio),
    poissonRatio,
    ...rest,
  };
}

/** Lengths of the edges of all triangles over those at rest, shortest first. */
export function stretchesOf(triangles: readonly Vec3[], rest: ArrayLike<number>, now: ArrayLike<number>): Float64Array {
  const length = (points: ArrayLike<number>, a: number, b: number) =>
    vec3.distance(pointAt(points, 3 * a), pointAt(points, 3 * b));
  const sides = triangles.flatMap(([a, b, c]) => [
    [a, b],
    [b, c],
    [c, a],
  ]);
  return Float64Array.from(sides, ([p, q]) => length(now, p, q) / length(rest, p, q)).sort();
}

/** Longest edge over its rest length, and shortest. */
export function strainOf(
  triangles: readonly Vec3[],
  rest: ArrayLike<number>,
  now: ArrayLike<number>,
): [number, number] {
  const stretches = stretchesOf(triangles, rest, now);
  return [stretches[stretches.length - 1], stretches[0]];
}

/** Where the vertices of a grid lie flat [m], for its weave and print; `rowsOf` gives its rows by its columns. */
export function flatGrid(width: number, height: number, rowsOf: (columns: number) => number) {
  let columns = 2;
  return (vertex: number, vertexCount: number): readonly [number, number] => {
    if (columns * rowsOf(columns) !== vertexCount) columns = columnsOf(vertexCount, rowsOf);
    return [
      (width * (vertex % columns)) / (columns - 1),
      (height * Math.floor(vertex / columns)) / (rowsOf(columns) - 1),
    ];
  };
}

/** Columns of a grid of so many vertices, whose rows are `rowsOf` its columns. */
export function columnsOf(vertexCount: number, rowsOf: (columns: number) => number): number {
  let columns = 2;
  while (columns * rowsOf(columns) < vertexCount) columns++;
  return columns;
}
