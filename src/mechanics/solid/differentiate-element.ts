// Energy, gradient and Hessian of one element.
//
// Everything is a function of the stretches s of F = U diag(s) Vᵀ, so that in the frames U and V the second
// derivative of the energy falls apart (Stomakhin et al. 2012, technical document; Smith, de Goes and Kim 2019,
// "Analytic eigensystems for isotropic distortion energies", sections 4 and 5): a 3×3 block for the stretches
// themselves, and for each pair (i, j) the two eigenvalues (Ψ_i − Ψ_j)/(s_i − s_j) and (Ψ_i + Ψ_j)/(s_i + s_j),
// of the symmetric and the antisymmetric change of the pair. The derivative of the rotation is in there: it is no
// warped stiffness, whose force is not the gradient of an energy. Clamping the eigenvalues gives the nearest positive
// semi-definite Hessian at the point, at the price of one 3×3 eigenproblem.

import { projectSemiDefinite3 } from '../../math/semi-definite3';
import { rotationSvd } from '../../math/svd3';
import {
  ELEMENT_NODES,
  ELEMENT_POINTS,
  REST_NUMBERS,
  REST_VOLUME,
  type SolidElements,
  shapeGradients,
} from './elements';
import { createStretchDerivatives, differentiateStretches, type SolidLaw, stretchEnergy } from './stretch-energy';

/** Derivatives of an element's energy by its nodes' positions. */
export interface ElementDerivatives {
  /** Three numbers a node [N]. */
  readonly gradient: Float64Array;
  /** By node, node, then nine numbers by rows [N/m]. */
  readonly hessian: Float64Array;
}

/** How the Hessian is wanted: not at all, as it is, or positive semi-definite. */
export type HessianKind = 'none' | 'exact' | 'projected';

/** How the stress of a step's linearisation enters its stiffness against turning: see `seeTwist`. */
export interface SeenStress {
  /** Positions that the last linearisation was made at, as `position` [m]. */
  readonly before: ArrayLike<number>;
  /** Damping over the time step: the viscous stress is part of what was seen [-]. */
  readonly viscous: number;
}

/** Deformation gradient and what its decomposition says, at the point that was evaluated last. */
interface Point {
  readonly F: Float64Array;
  readonly U: Float64Array;
  readonly V: Float64Array;
  readonly s: Float64Array;
}

const createPoint = (): Point => ({
  F: new Float64Array(9),
  U: new Float64Array(9),
  V: new Float64Array(9),
  s: new Float64Array(3),
});
const point = createPoint();
const last = createPoint();
const seenStretch = new Float64Array(3);
const seenDerivatives = createStretchDerivatives();
const shape = new Float64Array(30);
const derivatives = createStretchDerivatives();
/** Shape gradients in the frame V. */
const turned = new Float64Array(30);
/** Of each pair: what multiplies its own entry of dF, and the transposed one. */
const own = new Float64Array(3);
const other = new Float64Array(3);
const block = new Float64Array(9);
const half = new Float64Array(9);

/** Room for the derivatives of one element of any order. */
export function createElementDerivatives(): ElementDerivatives {
  return { gradient: new Float64Array(30), hessian: new Float64Array(900) };
}

/**
 * Energy of element e [J]; `position` has four numbers a node from the elements' origin on. Writes the first
 * ELEMENT_NODES of `out`; with a null `out` the energy alone. `seen`: for the Hessian of a step that is linearised
 * once.
 */
export function differentiateElement(
  out: ElementDerivatives | null,
  elements: SolidElements,
  e: number,
  position: ArrayLike<number>,
  law: SolidLaw,
  kind: HessianKind,
  seen: SeenStress | null = null,
): number {
  const width = ELEMENT_NODES[elements.order];
  const points = ELEMENT_POINTS[elements.order];
  const weight = elements.rest[REST_NUMBERS * e + REST_VOLUME] / points;
  let energy = 0;
  if (out !== null) {
    out.gradient.fill(0, 0, 3 * width);
    if (kind !== 'none') out.hessian.fill(0, 0, 9 * width * width);
  }
  for (let q = 0; q < points; q++) {
    shapeGradients(shape, elements, e, q);
    deform(point, elements, width * e, width, position);
    energy += weight * stretchEnergy(law, point.s);
    if (out === null) continue;
    differentiateStretches(derivatives, law, point.s);
    turnGradients(width);
    addGradient(out.gradient, width, weight);
    if (kind === 'none') continue;
    if (kind === 'projected') projectPoint();
    if (seen !== null) seeTwist(elements, width * e, width, law, seen);
    addHessian(out.hessian, width, weight);
  }
  return energy;
}

/** F = Σ x_a ∇N_aᵀ and its decomposition. */
function deform(
  { F, U, V, s }: Point,
  { nodes, origin }: SolidElements,
  at: number,
  width: number,
  position: ArrayLike<number>,
): void {
  F.fill(0);
  for (let a = 0; a < width; a++) {
    const x = 4 * (nodes[at + a] - origin);
    for (let r = 0; r < 3; r++) {
      const p = position[x + r];
      F[3 * r] += p * shape[3 * a];
      F[3 * r + 1] += p * shape[3 * a + 1];
      F[3 * r + 2] += p * shape[3 * a + 2];
    }
  }
  rotationSvd(U, s, V, F);
}

function turnGradients(width: number): void {
  const { V } = point;
  for (let a = 0; a < 3 * width; a += 3) {
    for (let k = 0; k < 3; k++) turned[a + k] = V[k] * shape[a] + V[3 + k] * shape[a + 1] + V[6 + k] * shape[a + 2];
  }
}

/** gradient_a += weight · P ∇N_a, P = U diag(Ψ_i) Vᵀ. */
function addGradient(gradient: Float64Array, width: number, weight: number): void {
  const { U } = point;
  const { first } = derivatives;
  for (let a = 0; a < 3 * width; a += 3) {
    const x = weight * first[0] * turned[a];
    const y = weight * first[1] * turned[a + 1];
    const z = weight * first[2] * turned[a + 2];
    for (let r = 0; r < 3; r++) gradient[a + r] += U[3 * r] * x + U[3 * r + 1] * y + U[3 * r + 2] * z;
  }
}

/** Drops negative eigenvalues. */
function projectPoint(): void {
  projectSemiDefinite3(derivatives.second);
  for (let k = 0; k < 3; k++) {
    derivatives.difference[k] = Math.max(0, derivatives.difference[k]);
    derivatives.sum[k] = Math.max(0, derivatives.sum[k]);
  }
}

/**
 * Stiffness against turning, (Ψ_i + Ψ_j)/(s_i + s_j), from the stretches along the rotation R that the last
 * linearisation had: s_i (Uᵀ R V)_ii, and as much more as the viscous stress of their change is worth. What turns by
 * φ in a step that is linearised once comes out stretched by φ²/2; with the stress of that for a stiffness, stiff
 * bodies would hardly turn (as edges of rods and membranes: mechanics/rod/assemble-strand). Damping multiplies the
 * whole Hessian, but not this part of it.
 */
function seeTwist(
  elements: SolidElements,
  at: number,
  width: number,
  law: SolidLaw,
  { before, viscous }: SeenStress,
): void {
  deform(last, elements, at, width, before);
  const { U, V, s } = point;
  for (let i = 0; i < 3; i++) {
    let along = 0;
    let earlier = 0;
    for (let k = 0; k < 3; k++) {
      let left = 0;
      let right = 0;
      for (let c = 0; c < 9; c += 3) {
        left += U[c + i] * last.U[c + k];
        right += V[c + i] * last.V[c + k];
      }
      along += left * right;
      earlier += right * right * last.s[k];
    }
    seenStretch[i] = s[i] * along + viscous * (s[i] * along - earlier);
  }
  differentiateStretches(seenDerivatives, law, seenStretch);
  for (let k = 0; k < 3; k++) {
    derivatives.sum[k] = Math.max(0, Math.min(derivatives.sum[k], seenDerivatives.sum[k])) / (1 + viscous);
  }
}

/**
 * hessian_ab += weight · U M Uᵀ. In the frames: dP_ii = Σ_k second_ik dF_kk, and dP_ij = own dF_ij + other dF_ji
 * for each pair, with dF = (Uᵀ dx_b) h_bᵀ and h the turned gradients.
 */
function addHessian(hessian: Float64Array, width: number, weight: number): void {
  const { second, difference, sum } = derivatives;
  for (let k = 0; k < 3; k++) {
    own[k] = 0.5 * (difference[k] + sum[k]);
    other[k] = 0.5 * (difference[k] - sum[k]);
  }
  for (let a = 0; a < width; a++) {
    for (let b = a; b < width; b++) {
      const g = 3 * a;
      const h = 3 * b;
      for (let i = 0; i < 3; i++) {
        const j = (i + 1) % 3;
        const k = (i + 2) % 3;
        // Pair (i, j) is number k, pair (i, k) number j.
        const across = own[k] * turned[g + j] * turned[h + j] + own[j] * turned[g + k] * turned[h + k];
        block[4 * i] = second[4 * i] * turned[g + i] * turned[h + i] + across;
        block[3 * i + j] = second[3 * i + j] * turned[g + i] * turned[h + j] + other[k] * turned[g + j] * turned[h + i];
        block[3 * i + k] = second[3 * i + k] * turned[g + i] * turned[h + k] + other[j] * turned[g + k] * turned[h + i];
      }
      turnBlock(hessian, 9 * (width * a + b), 9 * (width * b + a), a === b, weight);
    }
  }
}

/** hessian[at] += weight · U block Uᵀ, and its transpose at `mirror`. */
function turnBlock(hessian: Float64Array, at: number, mirror: number, isDiagonal: boolean, weight: number): void {
  const { U } = point;
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      half[3 * r + c] = U[3 * r] * block[c] + U[3 * r + 1] * block[3 + c] + U[3 * r + 2] * block[6 + c];
    }
  }
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      const value = weight * (half[3 * r] * U[3 * c] + half[3 * r + 1] * U[3 * c + 1] + half[3 * r + 2] * U[3 * c + 2]);
      hessian[at + 3 * r + c] += value;
      if (!isDiagonal) hessian[mirror + 3 * c + r] += value;
    }
  }
}
