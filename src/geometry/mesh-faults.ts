// What is wrong with a triangle mesh as a surface, by the index of its triangle or vertex.

import { findMeshEdges } from './mesh-edges';

/** A triangle or vertex, and what was expected of it. */
export interface MeshFault {
  readonly kind: 'triangles' | 'vertices';
  readonly index: number;
  readonly expectation: string;
  readonly got: unknown;
}

/** Heights of triangles below this share of their longest edge are none. */
const FLAT = 1e-6;

/**
 * The first fault of a surface: `triangles` three vertices each, `points` three numbers each [m]; null: there is none.
 * Indices have been checked to be whole and in range.
 */
export function findMeshFault(points: ArrayLike<number>, triangles: ArrayLike<number>): MeshFault | null {
  const seen = new Map<string, number>();
  const used = new Uint8Array(points.length / 3);
  const faces = triangles.length / 3;
  for (let t = 0; t < faces; t++) {
    const corners = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]];
    const fault = (expectation: string, got: unknown): MeshFault => ({ kind: 'triangles', index: t, expectation, got });
    if (new Set(corners).size < 3) return fault('must have 3 different vertices', corners);
    const name = [...corners].sort((a, b) => a - b).join(' ');
    const twin = seen.get(name);
    if (twin !== undefined) return fault(`must not have the vertices of triangles[${twin}]`, corners);
    seen.set(name, t);
    for (const corner of corners) used[corner] = 1;
    const share = flatness(points, corners);
    if (!(share > FLAT)) return fault('must enclose area', `a height of ${share} of its longest edge`);
  }
  const edges = findMeshEdges(triangles);
  if (edges.crowded.length > 0) {
    const t = edges.crowded[0];
    return {
      kind: 'triangles',
      index: t,
      expectation: 'must not be the third triangle at an edge',
      got: [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]],
    };
  }
  if (edges.unwound.length > 0) {
    const t = edges.unwound[0];
    return {
      kind: 'triangles',
      index: t,
      expectation: 'must be wound the same way as its neighbour',
      got: [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]],
    };
  }
  const idle = used.indexOf(0);
  if (idle >= 0) return { kind: 'vertices', index: idle, expectation: 'must belong to a triangle', got: 'none' };
  return null;
}

/** Least height of a triangle over its longest edge [1]. */
function flatness(x: ArrayLike<number>, [i, j, k]: number[]): number {
  let longest = 0;
  let square = 0;
  for (const [p, q] of [
    [i, j],
    [j, k],
    [k, i],
  ]) {
    let length = 0;
    for (let d = 0; d < 3; d++) length += (x[3 * q + d] - x[3 * p + d]) ** 2;
    longest = Math.max(longest, length);
  }
  for (let d = 0; d < 3; d++) {
    const [a, b] = [(d + 1) % 3, (d + 2) % 3];
    const n =
      (x[3 * j + a] - x[3 * i + a]) * (x[3 * k + b] - x[3 * i + b]) -
      (x[3 * j + b] - x[3 * i + b]) * (x[3 * k + a] - x[3 * i + a]);
    square += n * n;
  }
  return longest > 0 ? Math.sqrt(square) / longest : 0;
}
