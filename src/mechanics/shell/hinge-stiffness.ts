// What the hinges of a shell have to do with the curvature of the plate that they stand for.
//
// Discrete Shells (Grinspun et al. 2003) gives each hinge an energy of its own, 3 l²/(A₀ + A₁) (θ −
// θ₀)²: right for a surface rolled up across its edges, but a strip whose squares are all cut the same way
// sags a fifth too far, for it may twist for nothing. So the energy is taken by triangles, of the shape
// operator averaged over each (Gingold et al. 2004): with t the normals of its edges in its plane and h, h′
// the heights of the triangles on both sides,
//
//   κ = Σ 2/(h + h′) (θ − θ₀) t tᵀ, E = ½ A D (ν (tr κ)² + (1 − ν) κ:κ) = ½ Σᵢⱼ
//   Kᵢⱼ (θ − θ₀)ᵢ (θ − θ₀)ⱼ, Kᵢⱼ = A D · 2/(h + h′)ᵢ · 2/(h + h′)ⱼ ·
//   (ν + (1 − ν) (tᵢ·tⱼ)²).
//
// Edges on the border do not bend.
//
// Stored over D/3: an edge's own entries of K (sum of its two triangles), those that couple two edges with the
// triangle, and the sum of the magnitudes of an edge's row. That bounds K from above: the Hessian takes it, and so
// couples the four nodes of each hinge only.

import type { Tables } from '../../state/tables';

/** Twice over the sum of heights at a triangle's edges, 0 on a border [1/m], and their normals in its plane. */
const bend = new Float64Array(3);
const normal = new Float64Array(6);

/** Edge `k` of a triangle in its rest shape: its normal to `normal`, returns the triangle's height over it [m]. */
function measureEdge(rest: Float64Array, triangle: number, k: number): number {
  const [a, b, c, d, area] = rest.subarray(8 * triangle, 8 * triangle + 5);
  const determinant = a * d - b * c;
  // Corners 0, u, v: columns of the inverse.
  const [ux, uy, vx, vy] = [d / determinant, -c / determinant, -b / determinant, a / determinant];
  const ex = k === 0 ? ux : k === 1 ? vx - ux : -vx;
  const ey = k === 0 ? uy : k === 1 ? vy - uy : -vy;
  const length = Math.sqrt(ex * ex + ey * ey);
  normal[2 * k] = -ey / length;
  normal[2 * k + 1] = ex / length;
  return (2 * area) / length;
}

/**
 * Writes lanes 5 to 7 of TRIANGLE_REST, 2 and 3 of MESH_EDGE_REST of a shell, from its rest shape and its Poisson's
 * ratio.
 */
export function writeHingeStiffness(tables: Tables, object: number): void {
  const { strands, rods, triangles, meshEdges } = tables;
  const poisson = rods.extra[4 * strands.rod[object] + 3];
  const [start, edges] = strands.meshEdges.subarray(2 * object, 2 * object + 2);
  for (let e = start; e < start + edges; e++) meshEdges.rest.fill(0, 4 * e + 2, 4 * e + 4);
  const [first, count] = strands.triangles.subarray(2 * object, 2 * object + 2);
  for (let t = first; t < first + count; t++) {
    const area = triangles.rest[8 * t + 4];
    for (let k = 0; k < 3; k++) {
      const edge = triangles.edge[4 * t + k];
      const height = measureEdge(triangles.rest, t, k);
      const sides = meshEdges.triangle.subarray(4 * edge, 4 * edge + 2);
      const other = sides[0] === t ? sides[1] : sides[0];
      // Twice the other's area over the same edge.
      bend[k] = other < 0 ? 0 : 2 / (height * (1 + triangles.rest[8 * other + 4] / area));
    }
    for (let k = 0; k < 3; k++) {
      const edge = 4 * triangles.edge[4 * t + k];
      for (let j = 0; j < 3; j++) {
        const cosine = normal[2 * k] * normal[2 * j] + normal[2 * k + 1] * normal[2 * j + 1];
        const entry = 3 * area * bend[k] * bend[j] * (poisson + (1 - poisson) * cosine * cosine);
        if (j === k) meshEdges.rest[edge + 2] += entry;
        if (j === (k + 1) % 3) triangles.rest[8 * t + 5 + k] = entry;
        meshEdges.rest[edge + 3] += entry < 0 ? -entry : entry;
      }
    }
  }
}
