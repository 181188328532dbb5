// What the hinges of a shell have to do with the plate that they stand for.
//
// Discrete Shells (Grinspun et al. 2003) gives each hinge an energy of its own; averaging them to a shape operator by
// triangles (Gingold et al. 2004) is right for some meshes and up to twice too stiff in twist for others. Here they
// are what the method of Hellan, Herrmann and Johnson makes of a plate whose deflection is linear over each triangle
// (Comodi 1989; for shells with dihedral angles Neunteufel and Schöberl 2019): the moments M are constant over each
// triangle, their part m across an edge, normal to it, is one number for both its triangles, 0 on the border, and
//
//   E = max over m of  Σ_hinges l m (θ − θ₀) − ½ Σ_triangles A M:C:M
//   C: M = (1 + ν)/(1 − ν²) M − ν/(1 − ν²) tr M I
//
// (over D). It is the plate of Morley with the rotations of its edges minimised out, right on any mesh. So the
// moments of the hinges are the solution of S (m l) = θ − θ₀, S the sum over triangles of
// A Mᵢ:C:Mⱼ/(lᵢ lⱼ), where Mᵢ is the moment with mᵢ = 1 and nothing across the two other edges:
// −sym(eⱼ eₖᵀ) lᵢ²/(2 A)², eⱼ and eₖ those.
//
// Kept in the tables over 3, as moments are over D/3: an edge's own entry of S and the entries between the edges of a
// triangle; 0 on the border. And what the Hessian takes for an edge, for S⁻¹ is dense: of each triangle's part of S
// the inverse's sums of magnitudes by rows bound it from above, one number a hinge, and hinges side by side add up as
// springs in a row do.

import { POISSON_RATIO } from '../../state/material-places';
import { HINGE_STIFFNESS, OPPOSITE_SECOND, TRIANGLE_AREA, TRIANGLE_BETWEEN } from '../../state/mesh-places';
import type { Tables } from '../../state/tables';

/** Edges of a triangle in its plane, x and y, and their products. */
const edge = new Float64Array(6);
const gram = new Float64Array(9);
/** A triangle's part of S. */
const part = new Float64Array(9);

/** The edges of a triangle from its rest shape to `edge` [m]. */
function measureEdges(rest: Float64Array, at: number): void {
  const [a, b, c, d] = [rest[at], rest[at + 1], rest[at + 2], rest[at + 3]];
  const determinant = a * d - b * c;
  // Corners 0, u, v: columns of the inverse.
  const [ux, uy, vx, vy] = [d / determinant, -c / determinant, -b / determinant, a / determinant];
  edge.set([ux, uy, vx - ux, vy - uy, -vx, -vy]);
}

/** A triangle's part of S over 3 to `part` [1]. */
function measurePart(rest: Float64Array, at: number, poisson: number): void {
  measureEdges(rest, at);
  const area = rest[at + TRIANGLE_AREA];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      gram[3 * i + j] = edge[2 * i] * edge[2 * j] + edge[2 * i + 1] * edge[2 * j + 1];
    }
  }
  // M₀ = −sym(e₁ e₂ᵀ) l₀²/(2 A)²: products of two are those of the four edges in them.
  const scale = 1 / (16 * area * area * area * 3 * (1 - poisson * poisson));
  for (let i = 0; i < 3; i++) {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    for (let l = 0; l < 3; l++) {
      const [p, q] = [(l + 1) % 3, (l + 2) % 3];
      const product = 0.5 * (gram[3 * j + p] * gram[3 * k + q] + gram[3 * j + q] * gram[3 * k + p]);
      const traces = gram[3 * j + k] * gram[3 * p + q];
      const lengths = Math.sqrt(gram[4 * i] * gram[4 * l]);
      part[3 * i + l] = scale * lengths * ((1 + poisson) * product - poisson * traces);
    }
  }
}

/** The inverse's sum of magnitudes of row `i` of `part`, of those of its rows that are hinges. */
function boundOf(i: number, isHinge: readonly boolean[]): number {
  const [j, k] = [(i + 1) % 3, (i + 2) % 3];
  const own = part[4 * i];
  if (!isHinge[j] && !isHinge[k]) return 1 / own;
  const [a, b, c] = [part[3 * i + j], part[3 * i + k], part[3 * j + k]];
  if (!isHinge[k]) return (part[4 * j] + Math.abs(a)) / (own * part[4 * j] - a * a);
  if (!isHinge[j]) return (part[4 * k] + Math.abs(b)) / (own * part[4 * k] - b * b);
  const first = part[4 * j] * part[4 * k] - c * c;
  const second = b * c - a * part[4 * k];
  const third = a * c - b * part[4 * j];
  return (Math.abs(first) + Math.abs(second) + Math.abs(third)) / (own * first + a * second + b * third);
}

/**
 * Writes lanes 5 to 7 of TRIANGLE_REST, 2 and 3 of MESH_EDGE_REST of a shell, from its rest shape and its Poisson's
 * ratio.
 */
export function writeHingeCompliance(tables: Tables, object: number): void {
  const { strands, rods, triangles, meshEdges } = tables;
  const poisson = rods.extra[4 * strands.rod[object] + POISSON_RATIO];
  const [start, edges] = strands.meshEdges.subarray(2 * object, 2 * object + 2);
  for (let e = start; e < start + edges; e++) meshEdges.rest.fill(0, 4 * e + 2, 4 * e + 4);
  const [first, count] = strands.triangles.subarray(2 * object, 2 * object + 2);
  for (let t = first; t < first + count; t++) {
    measurePart(triangles.rest, 8 * t, poisson);
    const rows = [0, 1, 2].map((k) => 4 * triangles.edge[4 * t + k]);
    const isHinge = rows.map((row) => meshEdges.node[row + OPPOSITE_SECOND] >= 0);
    for (let k = 0; k < 3; k++) {
      const next = (k + 1) % 3;
      triangles.rest[8 * t + TRIANGLE_BETWEEN + k] = isHinge[k] && isHinge[next] ? part[3 * k + next] : 0;
      if (!isHinge[k]) continue;
      meshEdges.rest[rows[k] + 2] += part[4 * k];
      meshEdges.rest[rows[k] + 3] += 1 / boundOf(k, isHinge);
    }
  }
  for (let e = start; e < start + edges; e++) {
    if (meshEdges.rest[4 * e + HINGE_STIFFNESS] > 0)
      meshEdges.rest[4 * e + HINGE_STIFFNESS] = 1 / meshEdges.rest[4 * e + HINGE_STIFFNESS];
  }
}
