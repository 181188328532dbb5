// Stretch, bending and twist of one edge or node: energies, gradients and the parts of the stiffness matrix.
//
// Discrete Elastic Rods (Bergou et al. 2008, 2010; Takahashi and Batty 2025, III) with a round section of radius r:
//   stretch  ½ k_s A (|e|/l̄ − 1)² l̄ on edges, A = π r²
//   bending  ½ EI/(l̄₀ + l̄₁) |κ − κ̄|² on inner nodes, EI = E π r⁴/4, with the four curvatures
//            κ = (κb·m2⁰, −κb·m1⁰, κb·m2¹, −κb·m1¹), κb = 2 t0 × t1/(1 + t0·t1), directors of
//            both edges (averaged directors, with two curvatures, are not unit vectors and lose bending stiffness)
//   twist    ½ GJ/ℓ (m − m̄)² on inner nodes, GJ = G π r⁴/2, ℓ = (l̄₀ + l̄₁)/2
// A node's element sees eleven unknowns: x₀ θ₀ x₁ θ₁ x₂, in the strand's own order. Bending and twist take
// the Gauss–Newton matrix (first derivatives only), stretch its exact one with the negative part left out: both
// positive semi-definite by construction.
//
// Limits: an edge shorter than 1e-2 of its node's Voronoi length bends as if it had that length, and a corner sharper
// than 1 + t0·t1 = 1e-6 (0.1° short of folded back) as if it had that angle: the
// gradient is exact only outside these.

import { SHARPEST_CORNER, SHORTEST_EDGE } from '../../core/elastic-constants';
import { RADIUS, SHEAR_MODULUS, STRETCH_MODULUS, YOUNG_MODULUS } from '../../state/material-places';
import { REST_CURVATURE, REST_TWIST, REST_VORONOI } from '../../state/node-places';
import type { StrandShape } from './measure-strand';

/** Unknowns of a node's element. */
export const ELEMENT = 11;

/** Stiffnesses of a round section. */
export interface Section {
  /** k_s A [N]. */
  stretch: number;
  /** E I [N·m²]. */
  bend: number;
  /** G J [N·m²]. */
  twist: number;
}

/** out = stiffnesses from a row of ROD_PARAMETER. */
export function readSection(out: Section, parameter: Float64Array, at: number): Section {
  const area = Math.PI * parameter[at + RADIUS] * parameter[at + RADIUS];
  const moment = (area * parameter[at + RADIUS] * parameter[at + RADIUS]) / 4;
  out.stretch = parameter[at + STRETCH_MODULUS] * area;
  out.bend = parameter[at + YOUNG_MODULUS] * moment;
  out.twist = parameter[at + SHEAR_MODULUS] * 2 * moment;
  return out;
}

/** Curvatures of one node and their first derivatives; filled by `differentiateNode`. */
export interface NodeElement {
  /** The four curvatures [1]. */
  curvature: Float64Array;
  /** Their gradients, and the twist's as a fifth: 5 × 11 [1/m, 1/rad]. */
  gradient: Float64Array;
}

/** The one work area for elements. */
export const element: NodeElement = { curvature: new Float64Array(4), gradient: new Float64Array(5 * ELEMENT) };

const binormal = new Float64Array(3);

/** κb of inner node i, into `binormal`; returns 1 + t0·t1, bounded from below. */
function curvatureBinormal(shape: StrandShape, i: number): number {
  const t = shape.tangent;
  const a = 3 * i - 3;
  const b = 3 * i;
  const chi = Math.max(1 + t[a] * t[b] + t[a + 1] * t[b + 1] + t[a + 2] * t[b + 2], SHARPEST_CORNER);
  binormal[0] = (2 * (t[a + 1] * t[b + 2] - t[a + 2] * t[b + 1])) / chi;
  binormal[1] = (2 * (t[a + 2] * t[b] - t[a] * t[b + 2])) / chi;
  binormal[2] = (2 * (t[a] * t[b + 1] - t[a + 1] * t[b])) / chi;
  return chi;
}

function dotBinormal(d: Float64Array, at: number): number {
  return binormal[0] * d[at] + binormal[1] * d[at + 1] + binormal[2] * d[at + 2];
}

/** out[o..o+3] = the four curvatures of inner node i. */
export function nodeCurvatures(out: Float64Array, o: number, shape: StrandShape, i: number): void {
  curvatureBinormal(shape, i);
  out[o] = dotBinormal(shape.m2, 3 * i - 3);
  out[o + 1] = -dotBinormal(shape.m1, 3 * i - 3);
  out[o + 2] = dotBinormal(shape.m2, 3 * i);
  out[o + 3] = -dotBinormal(shape.m1, 3 * i);
}

/**
 * Fills `element` for inner node i: curvatures, their gradients, the twist's gradient. `voronoi`: its Voronoi length
 * [m]. For a director d of either edge ∂(κb·d)/∂e₀ = (2 t1 × d − (κb·d)(t0 + t1))/(χ |e₀|)
 * and ∂(κb·d)/∂e₁ = (−2 t0 × d − (κb·d)(t0 + t1))/(χ |e₁|): the transport of d drops out,
 * for κb is normal to both tangents.
 */
export function differentiateNode(shape: StrandShape, i: number, voronoi: number): NodeElement {
  const { curvature, gradient } = element;
  const chi = curvatureBinormal(shape, i);
  const t = shape.tangent;
  const a = 3 * i - 3;
  const b = 3 * i;
  const length0 = Math.max(shape.length[i - 1], SHORTEST_EDGE * voronoi);
  const length1 = Math.max(shape.length[i], SHORTEST_EDGE * voronoi);

  for (let j = 0; j < 4; j++) {
    const sign = j & 1 ? -1 : 1;
    const director = j & 1 ? shape.m1 : shape.m2;
    const d = j < 2 ? a : b;
    const kappa = sign * dotBinormal(director, d);
    curvature[j] = kappa;
    for (let k = 0; k < 3; k++) {
      const next = k === 2 ? 0 : k + 1;
      const last = 3 - k - next;
      const pull = kappa * (t[a + k] + t[b + k]);
      const side0 = 2 * sign * (t[b + next] * director[d + last] - t[b + last] * director[d + next]);
      const side1 = 2 * sign * (t[a + next] * director[d + last] - t[a + last] * director[d + next]);
      const edge0 = (side0 - pull) / (chi * length0);
      const edge1 = (-side1 - pull) / (chi * length1);
      gradient[ELEMENT * j + k] = -edge0;
      gradient[ELEMENT * j + 4 + k] = edge0 - edge1;
      gradient[ELEMENT * j + 8 + k] = edge1;
    }
    gradient[ELEMENT * j + 3] = 0;
    gradient[ELEMENT * j + 7] = 0;
  }

  // Turning the directors: dm1 = m2 dθ, dm2 = −m1 dθ.
  gradient[3] = curvature[1];
  gradient[ELEMENT + 3] = -curvature[0];
  gradient[2 * ELEMENT + 7] = curvature[3];
  gradient[3 * ELEMENT + 7] = -curvature[2];

  // Twist: ∂m/∂e = κb/(2|e|), ∂m/∂θ₀ = −1, ∂m/∂θ₁ = 1.
  const g = 4 * ELEMENT;

  for (let k = 0; k < 3; k++) {
    const edge0 = binormal[k] / (2 * length0);
    const edge1 = binormal[k] / (2 * length1);
    gradient[g + k] = -edge0;
    gradient[g + 4 + k] = edge0 - edge1;
    gradient[g + 8 + k] = edge1;
  }

  gradient[g + 3] = -1;
  gradient[g + 7] = 1;
  return element;
}

/** Stretch energy of an edge [J]. */
export function stretchEnergy(section: Section, length: number, rest: number): number {
  const strain = length / rest - 1;
  return 0.5 * section.stretch * strain * strain * rest;
}

/** Tension of an edge [N]. */
export function stretchForce(section: Section, length: number, rest: number): number {
  return section.stretch * (length / rest - 1);
}

/**
 * Bending and twist energy of the node with rest row `rest` at `r`: c/2 |κ − κ̄|², ct/2 (m
 * − m̄)² [J], into out[0], out[1].
 */
export function nodeEnergy(
  out: Float64Array,
  section: Section,
  curvature: Float64Array,
  twist: number,
  rest: Float64Array,
  r: number,
): void {
  let square = 0;
  for (let j = 0; j < 4; j++) {
    const change = curvature[j] - rest[r + REST_CURVATURE + j];
    square += change * change;
  }
  const bent = twist - rest[r + REST_TWIST];
  out[0] = (section.bend / (4 * rest[r + REST_VORONOI])) * square;
  out[1] = (section.twist / (2 * rest[r + REST_VORONOI])) * bent * bent;
}
