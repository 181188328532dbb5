// The shape of a shell without stress: what its triangles and edges keep of it, and the masses of its nodes.
//
// A triangle keeps the inverse of its shape in its own plane (the deformation gradient is F = [x1 − x0, x2 − x0]
// Dm⁻¹, 3×2), an edge its length and the angle across it; both what bending needs (hinge-compliance.ts).

import * as L from '../../state/layout';
import { TRIANGLE_AREA } from '../../state/mesh-places';
import { RANGE_COUNT } from '../../state/node-places';
import type { Tables } from '../../state/tables';
import { hingeAngle } from './hinge';
import { writeHingeCompliance } from './hinge-compliance';

/**
 * Angles between neighbouring triangles in the shape without stress: none, or those of the positions it is made from.
 */
export type RestAngles = 'flat' | 'drawn';

/**
 * Writes TRIANGLE_REST and MESH_EDGE_REST of an object from the positions of its nodes
 * without stress, three numbers each [m]. A triangle's first axis is that of `warp` within it, or its first side.
 */
export function writeRestShape(
  tables: Tables,
  object: number,
  shape: ArrayLike<number>,
  angles: RestAngles,
  warp: ArrayLike<number> | null,
): void {
  const { strands, triangles, meshEdges } = tables;
  const first = strands.first[object];
  const start = strands.triangles[2 * object];
  for (let t = start; t < start + strands.triangles[2 * object + RANGE_COUNT]; t++) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * (triangles.node[4 * t + k] - first));
    const u = [0, 1, 2].map((k) => shape[b + k] - shape[a + k]);
    const v = [0, 1, 2].map((k) => shape[c + k] - shape[a + k]);
    // Dm = [[p, q], [0, r]] with the first axis along u.
    const p = Math.sqrt(dot(u, u));
    const q = dot(u, v) / p;
    const r = Math.sqrt(Math.max(0, dot(v, v) - q * q));
    triangles.rest.set([1 / p, -q / (p * r), 0, 1 / r, 0.5 * p * r, 0, 0, 0], 8 * t);
    if (warp) turnAxes(triangles.rest, 8 * t, u, v, warp);
  }
  const from = strands.meshEdges[2 * object];
  for (let e = from; e < from + strands.meshEdges[2 * object + RANGE_COUNT]; e++) {
    const nodes = meshEdges.node.subarray(4 * e, 4 * e + 4);
    let square = 0;
    for (let k = 0; k < 3; k++) square += (shape[3 * (nodes[1] - first) + k] - shape[3 * (nodes[0] - first) + k]) ** 2;
    const isHinge = nodes[3] >= 0;
    const angle = isHinge && angles === 'drawn' ? hingeAngle(shape, 3, nodes, first) : 0;
    meshEdges.rest.set([Math.sqrt(square), angle, 0, 0], 4 * e);
  }
  // The edges of a solid's boundary do not resist bending.
  if (strands.kind[object] === L.KIND_SHELL) writeHingeCompliance(tables, object);
}

/** Share of the warp that must lie in a triangle's plane for it to count there [-]. */
const LEAST_WARP = 1e-3;

/** Dm⁻¹ at `r` := Dm⁻¹ Rᵀ, from axes along the side u to those along the warp in the plane of u and v. */
function turnAxes(rest: Float64Array, r: number, u: number[], v: number[], warp: ArrayLike<number>): void {
  // First axis along u, second across it towards v.
  const p = Math.sqrt(dot(u, u));
  const e = u.map((x) => x / p);
  const up = dot(e, v);
  const across = v.map((x, k) => x - up * e[k]);
  const height = Math.sqrt(dot(across, across));
  const first = e[0] * warp[0] + e[1] * warp[1] + e[2] * warp[2];
  const second = (across[0] * warp[0] + across[1] * warp[1] + across[2] * warp[2]) / height;
  const length = Math.sqrt(first * first + second * second);
  if (!(length > LEAST_WARP)) return;
  const [c, s] = [first / length, second / length];
  for (let row = r; row < r + 4; row += 2) {
    const [x, y] = [rest[row], rest[row + 1]];
    rest[row] = c * x + s * y;
    rest[row + 1] = c * y - s * x;
  }
}

/**
 * Writes the nodes' masses, a third of each triangle's at each of its nodes [kg], and as their rest length the shortest
 * edge at them [m]. `areal`: mass per area [kg/m²].
 */
export function writeShellMasses(tables: Tables, object: number, areal: number): void {
  const { strands, nodes, triangles, meshEdges } = tables;
  const first = strands.first[object];
  const end = first + strands.nodes[object];
  nodes.mass.fill(0, 2 * first, 2 * end);
  for (let n = first; n < end; n++) nodes.rest[8 * n] = Number.POSITIVE_INFINITY;
  const start = strands.triangles[2 * object];
  for (let t = start; t < start + strands.triangles[2 * object + RANGE_COUNT]; t++) {
    const mass = (areal * triangles.rest[8 * t + TRIANGLE_AREA]) / 3;
    for (let k = 0; k < 3; k++) nodes.mass[2 * triangles.node[4 * t + k]] += mass;
  }
  const from = strands.meshEdges[2 * object];
  for (let e = from; e < from + strands.meshEdges[2 * object + RANGE_COUNT]; e++) {
    for (let k = 0; k < 2; k++) {
      const at = 8 * meshEdges.node[4 * e + k];
      nodes.rest[at] = Math.min(nodes.rest[at], meshEdges.rest[4 * e]);
    }
  }
}

function dot(a: number[], b: number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
