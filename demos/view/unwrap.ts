// Where a texture lies on a body: along the two axes that a face sees least of, the longer one first, as the grain of
// planks runs.

import type { Geometry } from './geometry';

/** Neighbouring faces show other parts of the texture, by these shares of a tile. */
const APART = [0.37, 0.61];

/**
 * A mesh with places in a texture of which a tile is `tile` wide [m]; what two faces share that look along different
 * axes is there twice.
 */
export function unwrap(mesh: Geometry, tile: number): Geometry {
  const { positions: p, normals, shades, parts, indices } = mesh;
  const axes = [0, 1, 2].sort((a, b) => extent(p, b) - extent(p, a));
  const corners: number[] = [];
  const known = new Map<number, number>();
  const uvs: number[] = [];
  const out = indices.map((vertex, i) => {
    const first = i - (i % 3);
    const facing = axisOf(p, indices[first], indices[first + 1], indices[first + 2]);
    const key = 3 * vertex + facing;
    const found = known.get(key);
    if (found !== undefined) return found;
    const [u, v] = axes.filter((axis) => axis !== facing);
    uvs.push(p[3 * vertex + u] / tile + APART[0] * facing, p[3 * vertex + v] / tile + APART[1] * facing);
    known.set(key, corners.length);
    return corners.push(vertex) - 1;
  });
  const three = (of: Float32Array) =>
    Float32Array.from(corners.flatMap((k) => [of[3 * k], of[3 * k + 1], of[3 * k + 2]]));
  return {
    positions: three(p),
    normals: three(normals),
    indices: out,
    uvs: Float32Array.from(uvs),
    shades: shades && Float32Array.from(corners, (k) => shades[k]),
    parts: parts && Uint16Array.from(corners, (k) => parts[k]),
  };
}

function extent(p: Float32Array, axis: number): number {
  let [low, high] = [Infinity, -Infinity];
  for (let i = axis; i < p.length; i += 3) [low, high] = [Math.min(low, p[i]), Math.max(high, p[i])];
  return high - low;
}

/** The axis along which a triangle looks. */
function axisOf(p: Float32Array, a: number, b: number, c: number): number {
  const side = (end: number, i: number) => p[3 * end + i] - p[3 * a + i];
  const sizes = [0, 1, 2].map((i) => {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    return Math.abs(side(b, j) * side(c, k) - side(b, k) * side(c, j));
  });
  // A little of a lead, so that rounding decides nothing.
  return sizes[1] > 1.001 * sizes[0] && sizes[1] >= sizes[2] ? 1 : sizes[2] > 1.001 * sizes[0] ? 2 : 0;
}
