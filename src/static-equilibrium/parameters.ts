// The parameters of a strand that equilibrium is sought by, and the forces they give on the drawn shape.
//
// Per edge: rest length l̄, factor α on the stretch stiffness. Per inner node: rest curvatures κ̄ (4), rest twist
// m̄, factors β on the bending and γ on the twist stiffness. On the drawn shape, lengths l, curvatures κ, twist 0:
//   tension of an edge        k_s A α (l/l̄ − 1)
//   bending of a node         −½ EI β/ℓ Σ_j (κ_j − κ̄_j) ∇κ_j,   ℓ half of the two drawn lengths
//   twist of a node           −GJ γ/ℓ (0 − m̄) ∇m

import type { DrawnStrand } from './drawn-strand';
import { NODE_GRADIENT } from './drawn-strand';

/** Parameters of one or many strands, flat, by node: edge i with node i. */
export interface StrandParameters {
  /** l̄ [m]; the last entry of a strand is idle. */
  restLength: Float64Array;
  /** κ̄, 4 a node [1]. */
  restCurvature: Float64Array;
  /** m̄ [rad]. */
  restTwist: Float64Array;
  /** α, by edge [1]. */
  stretchFactor: Float64Array;
  /** β, by node [1]. */
  bendFactor: Float64Array;
  /** γ, by node [1]. */
  twistFactor: Float64Array;
}

/** Room for `nodes` nodes. */
export function createParameters(nodes: number): StrandParameters {
  return {
    restLength: new Float64Array(nodes),
    restCurvature: new Float64Array(4 * nodes),
    restTwist: new Float64Array(nodes),
    stretchFactor: new Float64Array(nodes),
    bendFactor: new Float64Array(nodes),
    twistFactor: new Float64Array(nodes),
  };
}

/** Copies those of the first `n` nodes. */
export function copyParameters(to: StrandParameters, from: StrandParameters, n: number): void {
  for (let i = 0; i < n; i++) {
    to.restLength[i] = from.restLength[i];
    for (let j = 4 * i; j < 4 * i + 4; j++) to.restCurvature[j] = from.restCurvature[j];
    to.restTwist[i] = from.restTwist[i];
    to.stretchFactor[i] = from.stretchFactor[i];
    to.bendFactor[i] = from.bendFactor[i];
    to.twistFactor[i] = from.twistFactor[i];
  }
}

/** The drawn shape as shape without stress, all factors 1: what sags. */
export function resetParameters(out: StrandParameters, drawn: DrawnStrand): void {
  const n = drawn.nodes;
  for (let i = 0; i < n; i++) {
    const inner = i > 0 && i < n - 1;
    out.restLength[i] = i < n - 1 ? drawn.length[i] : 0;
    for (let j = 4 * i; j < 4 * i + 4; j++) out.restCurvature[j] = inner ? drawn.curvature[j] : 0;
    out.restTwist[i] = 0;
    out.stretchFactor[i] = 1;
    out.bendFactor[i] = 1;
    out.twistFactor[i] = 1;
  }
}

/** f = all forces on the drawn shape, loads included, 4 a node [N, N·m]. */
export function addForces(f: Float64Array, drawn: DrawnStrand, p: StrandParameters): void {
  const n = drawn.nodes;
  for (let k = 0; k < 4 * n; k++) f[k] = drawn.load[k];
  for (let i = 0; i < n - 1; i++) {
    const tension = drawn.stretch * p.stretchFactor[i] * (drawn.length[i] / p.restLength[i] - 1);
    for (let k = 0; k < 3; k++) {
      const pull = tension * drawn.tangent[3 * i + k];
      f[4 * i + k] += pull;
      f[4 * i + 4 + k] -= pull;
    }
    if (i === 0) continue;
    const voronoi = 0.5 * (drawn.length[i - 1] + drawn.length[i]);
    const bend = (0.5 * drawn.bend * p.bendFactor[i]) / voronoi;
    const g = NODE_GRADIENT * i;
    for (let j = 0; j < 5; j++) {
      const weight =
        j < 4
          ? bend * (p.restCurvature[4 * i + j] - drawn.curvature[4 * i + j])
          : ((drawn.twist * p.twistFactor[i]) / voronoi) * p.restTwist[i];
      if (weight === 0) continue;
      const at = g + 11 * j;
      for (let k = 0; k < 11; k++) f[4 * i - 4 + k] += weight * drawn.gradient[at + k];
    }
  }
}

/** Largest force left on a free unknown: of the weight of its node, torques by the mean edge [1]. */
export function forceLeft(f: Float64Array, drawn: DrawnStrand): number {
  const n = drawn.nodes;
  let largest = 0;
  for (let i = 0; i < n; i++) {
    let square = 0;
    for (let k = 4 * i; k < 4 * i + 4; k++) {
      const c = f[k] * drawn.scale[k];
      square += c * c;
    }
    if (!(square <= largest)) largest = square;
  }
  return Math.sqrt(largest);
}
