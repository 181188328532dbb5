// Meshes of tetrahedra: their shapes' quality, their boundary, and what is wrong with one.

import { UsageError } from '../core/errors';

/** What `measureTetrahedra` finds. */
export interface TetrahedronQuality {
  /** Sum of the volumes [m³]. */
  readonly volume: number;
  /** Tetrahedra of volume ≤ 0, in rising order. */
  readonly inverted: readonly number[];
  /** Smallest mean ratio, of all with a volume > 0, and whose it is; 1: regular. */
  readonly leastRatio: number;
  readonly worst: number;
  /** Mean of the mean ratios [-]. */
  readonly meanRatio: number;
}

/**
 * Volume of the tetrahedron with these corners [m³]; negative where corner d is not on the side that a, b, c turn left
 * around.
 */
function tetrahedronVolume(vertices: ArrayLike<number>, a: number, b: number, c: number, d: number): number {
  const [o, p, q, r] = [3 * a, 3 * b, 3 * c, 3 * d];
  const [ux, uy, uz] = [0, 1, 2].map((k) => vertices[p + k] - vertices[o + k]);
  const [vx, vy, vz] = [0, 1, 2].map((k) => vertices[q + k] - vertices[o + k]);
  const [wx, wy, wz] = [0, 1, 2].map((k) => vertices[r + k] - vertices[o + k]);
  return (ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx)) / 6;
}

/** Sum of the squares of a tetrahedron’s edges [m²]. */
function edgeSquares(vertices: ArrayLike<number>, corners: ArrayLike<number>, at: number): number {
  let sum = 0;
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < i; j++) {
      for (let k = 0; k < 3; k++) {
        const d = vertices[3 * corners[at + i] + k] - vertices[3 * corners[at + j] + k];
        sum += d * d;
      }
    }
  }
  return sum;
}

/** ∛x for x ≥ 0 by Newton's method: the same in every engine. */
function cubeRoot(x: number): number {
  if (!(x > 0)) return 0;
  let scale = 1;
  while (x < 0.125) {
    x *= 8;
    scale /= 2;
  }
  while (x > 1) {
    x /= 8;
    scale *= 2;
  }
  let y = 0.5 + 0.5 * x;
  for (let k = 0; k < 7; k++) y = (2 * y + x / (y * y)) / 3;
  return scale * y;
}

/**
 * Mean ratio 12 (3 V)^⅔ / Σ edge² of the tetrahedron at `at` in `tetrahedra`: 1 for a regular one, 0 without volume
 * [-].
 */
export function meanRatio(vertices: ArrayLike<number>, tetrahedra: ArrayLike<number>, at: number): number {
  const [a, b, c, d] = [0, 1, 2, 3].map((k) => tetrahedra[at + k]);
  const root = cubeRoot(3 * tetrahedronVolume(vertices, a, b, c, d));
  const squares = edgeSquares(vertices, tetrahedra, at);
  return squares > 0 ? (12 * root * root) / squares : 0;
}

/** Measures every tetrahedron: three numbers a vertex, four corners a tetrahedron. */
export function measureTetrahedra(vertices: ArrayLike<number>, tetrahedra: ArrayLike<number>): TetrahedronQuality {
  const inverted: number[] = [];
  let [volume, leastRatio, worst, sum] = [0, Number.POSITIVE_INFINITY, -1, 0];
  const count = tetrahedra.length / 4;
  for (let t = 0; t < count; t++) {
    const [a, b, c, d] = [0, 1, 2, 3].map((k) => tetrahedra[4 * t + k]);
    const own = tetrahedronVolume(vertices, a, b, c, d);
    volume += own;
    if (!(own > 0)) {
      inverted.push(t);
      continue;
    }
    const ratio = meanRatio(vertices, tetrahedra, 4 * t);
    sum += ratio;
    if (ratio < leastRatio) [leastRatio, worst] = [ratio, t];
  }
  return { volume, inverted, leastRatio: worst < 0 ? 0 : leastRatio, worst, meanRatio: sum / Math.max(1, count) };
}

/** Corners of the face across from each corner, counter-clockwise seen from outside. */
const FACES = [
  [1, 2, 3],
  [0, 3, 2],
  [0, 1, 3],
  [0, 2, 1],
] as const;

/** A face by its corners in rising order. */
function faceKey(a: number, b: number, c: number): string {
  const low = Math.min(a, b, c);
  const high = Math.max(a, b, c);
  return `${low},${a + b + c - low - high},${high}`;
}

/**
 * Triangles that belong to one tetrahedron only, counter-clockwise seen from outside, in the order of the tetrahedra.
 * Throws UsageError where three tetrahedra share a face.
 */
export function boundaryTriangles(tetrahedra: ArrayLike<number>, where = 'boundaryTriangles'): Int32Array {
  const owners = new Map<string, number>();
  const faceOf = (t: number, f: number) => FACES[f].map((k) => tetrahedra[4 * t + k]);
  for (let t = 0; t < tetrahedra.length / 4; t++) {
    for (let f = 0; f < 4; f++) {
      const [a, b, c] = faceOf(t, f);
      const key = faceKey(a, b, c);
      const owner = owners.get(key);
      if (owner === -1) throw new UsageError(`${where}: tetrahedra[${t}]: a third one at face ${a}, ${b}, ${c}`);
      owners.set(key, owner === undefined ? 4 * t + f : -1);
    }
  }
  const triangles: number[] = [];
  for (const owner of owners.values()) if (owner >= 0) triangles.push(...faceOf(owner >> 2, owner & 3));
  return Int32Array.from(triangles);
}

/**
 * Refuses a mesh that cannot be simulated: a corner that is not there or twice, a volume ≤ 0, a vertex without
 * tetrahedron, a face of three, parts without a face in common. Messages name the tetrahedron or vertex.
 */
export function checkTetrahedra(vertices: ArrayLike<number>, tetrahedra: ArrayLike<number>, where: string): void {
  const fail = (what: string): never => {
    throw new UsageError(`${where}: ${what}`);
  };
  const nodes = vertices.length / 3;
  const count = tetrahedra.length / 4;
  if (count < 1) fail('tetrahedra must not be empty');
  const used = new Uint8Array(nodes);
  for (let t = 0; t < count; t++) {
    const corners = [0, 1, 2, 3].map((k) => tetrahedra[4 * t + k]);
    for (const corner of corners) {
      if (!(Number.isInteger(corner) && corner >= 0 && corner < nodes))
        fail(`tetrahedra[${t}]: vertices must be 0..${nodes - 1}, got ${corner}`);
      used[corner] = 1;
    }
    if (new Set(corners).size < 4)
      fail(`tetrahedra[${t}]: must have four different vertices, got ${corners.join(', ')}`);
    const [a, b, c, d] = corners;
    const volume = tetrahedronVolume(vertices, a, b, c, d);
    const scale = edgeSquares(vertices, tetrahedra, 4 * t);
    // A volume that rounding alone could have made is none.
    if (!(volume > 1e-12 * scale * Math.sqrt(scale))) {
      const why = volume < 0 ? 'inverted: two of its vertices must change places' : 'flat';
      fail(`tetrahedra[${t}]: volume must be > 0 [m³], got ${volume} (${why})`);
    }
  }
  const unused = used.indexOf(0);
  if (unused >= 0) fail(`vertices[${unused}]: must belong to a tetrahedron, got none`);
  boundaryTriangles(tetrahedra, where);
  const stray = firstApart(tetrahedra);
  if (stray >= 0) fail(`tetrahedra[${stray}]: must be connected with tetrahedra[0] by faces, got a part of its own`);
}

/** The first tetrahedron that no chain of shared faces connects with the first one; −1: there is none. */
function firstApart(tetrahedra: ArrayLike<number>): number {
  const count = tetrahedra.length / 4;
  const parent = Int32Array.from({ length: count }, (_, t) => t);
  const root = (t: number): number => {
    while (parent[t] !== t) {
      parent[t] = parent[parent[t]];
      t = parent[t];
    }
    return t;
  };
  const open = new Map<string, number>();
  for (let t = 0; t < count; t++) {
    for (const face of FACES) {
      const [a, b, c] = face.map((k) => tetrahedra[4 * t + k]);
      const key = faceKey(a, b, c);
      const other = open.get(key);
      if (other === undefined) open.set(key, t);
      else parent[root(t)] = root(other);
    }
  }
  const first = root(0);
  for (let t = 1; t < count; t++) if (root(t) !== first) return t;
  return -1;
}
