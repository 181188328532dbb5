// Plastic flow of a solid's elements after a step: what was strained too far keeps a part of it.
//
// F = Fe Fp, multiplicative (Lee 1969; in films Irving, Teran and Fedkiw 2004, Bargteil et al. 2007): Fe alone is under
// stress. The rows of D⁻¹ that an element keeps of its rest shape (elements.ts) are the gradients ∇λ in the
// plastically deformed state, so Fe = Σ x_a ∇λ_aᵀ as ever.
// A flow by G, Fe → Fe G, writes ∇λ := Gᵀ ∇λ.
// Nothing else of the engine knows of plasticity, and the memory holds all of it.
//
// Yield (von Mises): q = √(3/2) |dev τ|, with Kirchhoff's stress τ_i = s_i ∂Ψ/∂s_i
// at the stretches s of Fe. Above the yield stress the deviator of ln s shrinks along itself until q is the yield
// stress (radial return), which changes no volume; with a creep time T only by the share 1 − e^(−dt/T) of that in
// a step (Perzyna's viscoplasticity). Each element counts its plastic strain √(2/3) |Δ dev ln s|; at the limit it is
// elastic again. Quadratic elements flow by the mean of F over their points.

import { exponentialOf } from '../../math/exponential';
import { logarithm } from '../../math/logarithm';
import { rotationSvd } from '../../math/svd3';
import {
  ELEMENT_NODES,
  ELEMENT_POINTS,
  REST_NUMBERS,
  REST_STRAIN,
  type SolidElements,
  shapeGradients,
} from './elements';
import { createStretchDerivatives, differentiateStretches, type SolidLaw } from './stretch-energy';

/** How a solid flows. */
export interface PlasticLaw {
  /** Von Mises stress that it bears [Pa], > 0. */
  yieldStress: number;
  /** Share of the excess that flows off in a step, 0 to 1. */
  share: number;
  /** Plastic strain at which an element flows no more [-]. */
  limit: number;
}

/** Least stretch of an element that flows [-]: flatter ones, and inverted ones, are on their way back first. */
const LEAST_STRETCH = 0.05;
/** Share of the yield stress to which the return finds it, and tries at most. */
const EXACT = 1e-9;
const TRIES = 30;

const F = new Float64Array(9);
const U = new Float64Array(9);
const V = new Float64Array(9);
const s = new Float64Array(3);
const shape = new Float64Array(30);
const derivatives = createStretchDerivatives();
/** Deviator of ln s, and the stretches on the way back. */
const deviator = new Float64Array(3);
const back = new Float64Array(3);
const flow = new Float64Array(3);

/** Lets elements flow; `position` has four numbers a node from their origin on. Returns the largest plastic strain. */
export function flowElements(
  elements: SolidElements,
  position: ArrayLike<number>,
  law: SolidLaw,
  plastic: PlasticLaw,
): number {
  let most = 0;
  for (let e = 0; e < elements.count; e++) {
    const spent = elements.rest[REST_NUMBERS * e + REST_STRAIN];
    if (spent >= plastic.limit) continue;
    meanDeformation(elements, e, position);
    rotationSvd(U, s, V, F);
    if (!(Math.min(s[0], s[1], s[2]) > LEAST_STRETCH)) continue;
    if (vonMises(law, s) <= (1 + EXACT) * plastic.yieldStress) continue;
    flowElement(elements, e, law, plastic, plastic.limit - spent);
    most = Math.max(most, elements.rest[REST_NUMBERS * e + REST_STRAIN] - spent);
  }
  return most;
}

/** F := mean of Σ x_a ∇N_aᵀ over the points of integration. */
function meanDeformation(elements: SolidElements, e: number, position: ArrayLike<number>): void {
  const width = ELEMENT_NODES[elements.order];
  const points = ELEMENT_POINTS[elements.order];
  F.fill(0);
  for (let q = 0; q < points; q++) {
    shapeGradients(shape, elements, e, q);
    for (let a = 0; a < width; a++) {
      const x = 4 * (elements.nodes[width * e + a] - elements.origin);
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) F[3 * r + c] += (position[x + r] * shape[3 * a + c]) / points;
      }
    }
  }
}

/** q = √(3/2) |dev τ| at stretches [Pa]. */
function vonMises(law: SolidLaw, stretches: Float64Array): number {
  differentiateStretches(derivatives, law, stretches);
  const { first } = derivatives;
  const x = stretches[0] * first[0];
  const y = stretches[1] * first[1];
  const z = stretches[2] * first[2];
  return Math.sqrt(0.5 * ((x - y) * (x - y) + (y - z) * (y - z) + (z - x) * (z - x)));
}

/** One element, whose decomposition is in U, s and V, by `most` plastic strain at most. */
function flowElement(
  elements: SolidElements,
  e: number,
  law: SolidLaw,
  { yieldStress, share }: PlasticLaw,
  most: number,
): void {
  const logs = [logarithm(s[0]), logarithm(s[1]), logarithm(s[2])];
  const mean = (logs[0] + logs[1] + logs[2]) / 3;
  let square = 0;
  for (let i = 0; i < 3; i++) {
    deviator[i] = logs[i] - mean;
    square += deviator[i] * deviator[i];
  }

  // Share of the deviator that is left.
  const size = Math.sqrt((2 / 3) * square);
  const kept = Math.max(1 - share * (1 - returnShare(law, yieldStress, mean)), 1 - most / size);
  for (let i = 0; i < 3; i++) flow[i] = exponentialOf((kept - 1) * deviator[i]);

  // ∇λ := V diag(flow) Vᵀ ∇λ.
  const { rest } = elements;
  const at = REST_NUMBERS * e;
  for (let row = at; row < at + 9; row += 3) {
    const [x, y, z] = [rest[row], rest[row + 1], rest[row + 2]];
    rest.fill(0, row, row + 3);
    for (let k = 0; k < 3; k++) {
      const along = flow[k] * (V[k] * x + V[3 + k] * y + V[6 + k] * z);
      for (let c = 0; c < 3; c++) rest[row + c] += along * V[3 * c + k];
    }
  }
  rest[at + REST_STRAIN] += (1 - kept) * size;
}

/** Share k of the deviator at which q is the yield stress: q rises with k, nearly in proportion. */
function returnShare(law: SolidLaw, yieldStress: number, mean: number): number {
  let low = 0;
  let high = 1;
  let k = 1;
  for (let n = 0; n < TRIES; n++) {
    for (let i = 0; i < 3; i++) back[i] = exponentialOf(mean + k * deviator[i]);
    const q = vonMises(law, back);
    if (Math.abs(q - yieldStress) <= EXACT * yieldStress) break;
    if (q > yieldStress) high = k;
    else low = k;
    const guess = (k * yieldStress) / q;
    k = guess > low && guess < high ? guess : 0.5 * (low + high);
  }
  return k;
}
