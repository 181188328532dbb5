// Better shapes for the worst tetrahedra of a mesh: their vertices move where the least mean ratio around them rises.
//
// A search over the six directions of the axes with shrinking steps (Freitag and Ollivier-Gooch 1997 optimise the same
// measure). No vertex goes farther than FARTHEST from where it was: the boundary, which the method moves too, keeps its
// shape.

import { meanRatio } from '../../geometry/tetrahedra';
import type { TetrahedronMesh } from '../../scene/meshes/mesh';

/** Farthest that a vertex moves, of the mean edge of its tetrahedra [-]. */
const FARTHEST = 0.2;
const PASSES = 12;
/** Steps of the search, of that way. */
const STEPS = [0.5, 0.25, 0.1, 0.04];

/** The mesh with tetrahedra below `wanted` improved as far as it goes. */
export function improveTetrahedra({ vertices, tetrahedra }: TetrahedronMesh, wanted: number): TetrahedronMesh {
  const x = vertices.slice();
  const around: number[][] = Array.from({ length: vertices.length / 3 }, () => []);
  for (let k = 0; k < tetrahedra.length; k++) around[tetrahedra[k]].push(4 * (k >> 2));
  const reach = around.map((own, i) => FARTHEST * meanEdge(vertices, tetrahedra, own, i));
  const leastAround = (i: number) => Math.min(...around[i].map((at) => meanRatio(x, tetrahedra, at)));

  const moveVertex = (i: number): boolean => {
    let least = leastAround(i);
    let moved = false;
    for (const step of STEPS) {
      for (let axis = 0; axis < 3; axis++) {
        for (const way of [-1, 1]) {
          const at = 3 * i + axis;
          const before = x[at];
          x[at] = before + way * step * reach[i];
          const next = Math.abs(x[at] - vertices[at]) <= reach[i] ? leastAround(i) : -1;
          if (next > least + 1e-6) [least, moved] = [next, true];
          else x[at] = before;
        }
      }
    }
    return moved;
  };

  for (let pass = 0; pass < PASSES; pass++) {
    let moved = false;
    for (let at = 0; at < tetrahedra.length; at += 4) {
      if (meanRatio(x, tetrahedra, at) >= wanted) continue;
      for (let k = 0; k < 4; k++) moved = moveVertex(tetrahedra[at + k]) || moved;
    }
    if (!moved) break;
  }
  return { vertices: x, tetrahedra };
}

/** Mean distance of a vertex from the others of its tetrahedra. */
function meanEdge(vertices: Float64Array, tetrahedra: Int32Array, own: readonly number[], i: number): number {
  let sum = 0;
  for (const at of own) {
    for (let k = 0; k < 4; k++) {
      const j = tetrahedra[at + k];
      sum += Math.hypot(...[0, 1, 2].map((c) => vertices[3 * j + c] - vertices[3 * i + c]));
    }
  }
  return sum / Math.max(1, 3 * own.length);
}
