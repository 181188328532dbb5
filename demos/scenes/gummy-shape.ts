// The shape of a gummy bear: a smooth union of balls, a coarse cage of tetrahedra that hugs it, to compute with, and
// the fine surface that the cage carries.

import { vec3 } from 'gl-matrix';
import { type Quat, unit, type Vec3 } from './demo-scene';

/** Keeps the whole surface above y = 0, so that no layer of the cage’s grid is there for a hair’s breadth of it. */
const LIFT = 0.012;

/** A part: a ball of radius r, a ball that is drawn out along a line, or one stretched along the axes [heights]. */
type Part = { from: Vec3; to?: Vec3; r: number; stretch?: Vec3 };

/** One side of what a bear has twice. */
const PAIRS: readonly Part[] = [
  { from: [0.145, 0.94, 0], r: 0.08 },
  { from: [0.2, 0.52, 0.08], to: [0.22, 0.4, 0.24], r: 0.085 },
  { from: [0.14, 0.12, 0.06], to: [0.17, 0.11, 0.28], r: 0.11 },
];
const PARTS: readonly Part[] = [
  { from: [0, 0.36, 0], r: 0.27, stretch: [1, 1.3, 0.9] },
  { from: [0, 0.78, 0.02], r: 0.205, stretch: [1.05, 0.95, 0.95] },
  { from: [0, 0.735, 0.2], r: 0.09 },
  ...PAIRS,
  ...PAIRS.map(({ from, to, r }) => ({ from: mirror(from), ...(to && { to: mirror(to) }), r })),
];
/** Width over which two parts run into each other [heights]. */
const BLEND = 0.045;
/** Cells of the grid that the surface is drawn from, along the height. */
const FINE = 22;
/** Share of a cell that a corner of the cage may move, and of its volume that a tetrahedron keeps at least. */
const MOST_MOVED = 0.9;
const LEAST_VOLUME = 0.12;

const ROUND: Vec3 = [1, 1, 1];

function mirror([x, y, z]: Vec3): Vec3 {
  return [-x, y, z];
}

/** Signed distance from the bear's surface, about [heights]: negative inside. */
function distance(p: Vec3): number {
  let sum = 0;
  for (const part of PARTS) sum += Math.exp(-distanceFrom(part, p) / BLEND);
  return -BLEND * Math.log(sum);
}

function distanceFrom({ from, to, r, stretch = ROUND }: Part, p: Vec3): number {
  const away: vec3 = [p[0] - from[0], p[1] - from[1] - LIFT, p[2] - from[2]];
  if (to) {
    const along = vec3.subtract([0, 0, 0], to, from);
    const share = Math.min(1, Math.max(0, vec3.dot(along, away) / vec3.squaredLength(along)));
    vec3.scaleAndAdd(away, away, along, -share);
  }
  return vec3.length(vec3.divide(away, away, stretch)) - r;
}

function gradient(p: Vec3): Vec3 {
  const h = 1e-3;
  return [0, 1, 2].map((k) => {
    const [a, b] = [[...p] as Vec3, [...p] as Vec3];
    a[k] += h;
    b[k] -= h;
    return (distance(a) - distance(b)) / (2 * h);
  }) as Vec3;
}

/** The next place on the surface `level` away from the bear's own [heights], seen from p. */
function onSurface(p: Vec3, level: number): Vec3 {
  const out: Vec3 = [...p];
  for (let i = 0; i < 4; i++) {
    const slope = gradient(out);
    const off = (distance(out) - level) / Math.max(1e-3, slope[0] ** 2 + slope[1] ** 2 + slope[2] ** 2);
    for (let k = 0; k < 3; k++) out[k] -= off * slope[k];
  }
  return out;
}

/** Numbers the corners of a grid as they are asked for. */
function createCorners(cell: number) {
  const numbers = new Map<string, number>();
  const places: Vec3[] = [];
  return {
    places,
    at(i: number, j: number, k: number): number {
      const key = `${i} ${j} ${k}`;
      const found = numbers.get(key) ?? places.length;
      if (found === places.length) {
        numbers.set(key, found);
        places.push([cell * i, cell * j, cell * k]);
      }
      return found;
    },
  };
}

/** Cells of a grid that the bear may be in, as [i, j, k] of their least corner. */
function* cellsAround(cell: number): Generator<Vec3> {
  const [wide, high] = [Math.ceil(0.5 / cell), Math.ceil(1.15 / cell)];
  for (let i = -wide; i < wide; i++) for (let j = -1; j < high; j++) for (let k = -wide; k < wide; k++) yield [i, j, k];
}

let drawn: { vertices: Vec3[]; triangles: Vec3[] } | null = null;

/** The surface: a point in each cell of a fine grid that it passes through (S. F. Gibson 1998), drawn onto it. */
function drawSurface(): { vertices: Vec3[]; triangles: Vec3[] } {
  const cell = 1 / FINE;
  const value = new Map<string, number>();
  const sample = (i: number, j: number, k: number): number => {
    const key = `${i} ${j} ${k}`;
    let found = value.get(key);
    if (found === undefined) {
      found = distance([cell * i, cell * j, cell * k]);
      value.set(key, found);
    }
    return found;
  };
  const middles = createCorners(cell);
  const middle = (i: number, j: number, k: number) => middles.at(i + 0.5, j + 0.5, k + 0.5);
  const triangles: Vec3[] = [];
  for (const [i, j, k] of cellsAround(cell)) {
    for (let axis = 0; axis < 3; axis++) {
      const end: Vec3 = [i, j, k];
      end[axis]++;
      const isIn = sample(i, j, k) < 0;
      if (isIn === sample(...end) < 0) continue;
      // The four cells around an edge through the surface.
      const around = [
        [-1, -1],
        [0, -1],
        [0, 0],
        [-1, 0],
      ].map(([u, v]) => {
        const at: Vec3 = [i, j, k];
        at[(axis + 1) % 3] += u;
        at[(axis + 2) % 3] += v;
        return middle(...at);
      });
      const [a, b, c, d] = isIn ? around : around.reverse();
      triangles.push([a, b, c], [a, c, d]);
    }
  }
  return { vertices: middles.places.map((place) => onSurface(place, 0)), triangles };
}

/** Corners of a cell by 4x + 2y + z as five tetrahedra: of an even cell, and its mirror image. */
const SPLITS: readonly (readonly Quat[])[] = [
  [
    [0, 4, 2, 1],
    [6, 2, 4, 7],
    [5, 1, 7, 4],
    [3, 7, 1, 2],
    [4, 2, 1, 7],
  ],
  [
    [4, 6, 0, 5],
    [2, 0, 6, 3],
    [1, 5, 0, 3],
    [7, 3, 6, 5],
    [0, 6, 3, 5],
  ],
];

/** The cells of a coarse grid that the surface is in, their outer corners moved towards `level` of it [heights]. */
function drawCage(cells: number, surface: readonly Vec3[], level: number): { vertices: Vec3[]; tetrahedra: Quat[] } {
  const cell = 1.06 / cells;
  // Symmetric in x: the grid has a plane there.
  const keyOf = (p: Vec3) => p.map((x) => Math.floor(x / cell)).join(' ');
  const used = new Set(surface.map(keyOf));
  const corners = createCorners(cell);
  const tetrahedra: Quat[] = [];
  const faces = new Map<string, number[]>();
  for (const [i, j, k] of cellsAround(cell)) {
    const isWithin = distance([cell * (i + 0.5), cell * (j + 0.5), cell * (k + 0.5)]) < 0;
    if (!isWithin && !used.has(`${i} ${j} ${k}`)) continue;
    for (const split of SPLITS[Math.abs(i + j + k) % 2]) {
      const tetrahedron = split.map((c) => corners.at(i + (c >> 2), j + ((c >> 1) & 1), k + (c & 1))) as Quat;
      tetrahedra.push(tetrahedron);
      for (let out = 0; out < 4; out++) {
        const face = tetrahedron.filter((_, at) => at !== out).sort((a, b) => a - b);
        if (!faces.delete(face.join())) faces.set(face.join(), face);
      }
    }
  }
  const vertices = corners.places;
  hug(vertices, tetrahedra, new Set([...faces.values()].flat()), { level, most: MOST_MOVED * cell });
  return { vertices, tetrahedra };
}

/** Moves outer corners towards the surface, as far as the tetrahedra around them keep their share of their volume. */
function hug(
  vertices: Vec3[],
  tetrahedra: readonly Quat[],
  outer: ReadonlySet<number>,
  { level, most }: { level: number; most: number },
): void {
  const full = tetrahedra.map((corners) => sixVolumes(vertices, corners));
  const around = vertices.map((_, v) => [...tetrahedra.keys()].filter((t) => tetrahedra[t].includes(v)));
  for (const v of outer) {
    const start = vertices[v];
    const way = vec3.subtract([0, 0, 0], onSurface(start, level), start) as Vec3;
    const length = vec3.length(way);
    const direction = length > 0 ? unit(way) : way;
    for (let share = Math.min(length, most); share > 0.05 * most; share *= 0.8) {
      vertices[v] = vec3.scaleAndAdd([0, 0, 0], start, direction, share) as Vec3;
      if (around[v].every((t) => sixVolumes(vertices, tetrahedra[t]) > LEAST_VOLUME * full[t])) break;
      vertices[v] = start;
    }
  }
}

function sixVolumes(vertices: readonly Vec3[], [a, b, c, d]: Quat): number {
  const [u, v, w] = [b, c, d].map((i) => vec3.subtract([0, 0, 0], vertices[i], vertices[a]));
  return vec3.dot(u, vec3.cross([0, 0, 0], v, w));
}

/**
 * A bear `height` [m] tall that sits about the y axis and looks along z: a cage of `cells` cells along its height, and
 * its surface. The cage keeps `reach` [m] below the surface where it can, so that what is drawn touches.
 */
export function gummyBear(height: number, cells: number, reach: number) {
  drawn ??= drawSurface();
  const surface = drawn;
  const cage = drawCage(cells, surface.vertices, -reach / height);
  const scaled = (places: readonly Vec3[]) => places.map((place) => place.map((x) => height * x) as Vec3);
  return {
    vertices: scaled(cage.vertices),
    tetrahedra: cage.tetrahedra,
    surface: { vertices: scaled(surface.vertices), triangles: surface.triangles },
  };
}
