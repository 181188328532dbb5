// Whether a strand in equilibrium stays there: the smallest eigenvalue of its stiffness, over its masses.
//
// The stiffness at the drawn shape has two parts. The one by the material is Gauss–Newton's, α, β, γ times the
// gradients' outer products, positive. The one by the internal forces (moments on second derivatives of curvatures and
// twist, tension over length across the edge) may be negative: that is buckling. Internal forces do not depend on
// stiffness (internal-forces.ts), so a larger factor on bending and twist always helps.
// Second derivatives: central differences of the exact gradients, frames carried along in time, symmetrised.
//
// Result: the least ω² of K φ = ω² M φ [1/s²]; negative where the strand leaves the shape by itself. Signs are
// certain: the number of negative pivots of K − σM is the number of eigenvalues below σ (Sylvester).

import { differentiateNode } from '../mechanics/rod/elements';
import { materialDirectors, putVector, transportDirector } from '../mechanics/rod/frames';
import type { StrandShape } from '../mechanics/rod/measure-strand';
import { TWIST } from '../state/node-places';
import { type DrawnStrand, NODE_GRADIENT } from './drawn-strand';
import type { StrandParameters } from './parameters';

const HALF = 10;
const WIDTH = HALF + 1;
const ELEMENT = 11;
/** Step of the differences, of an edge's length or of a radian [1]: truncation 1e-10, rounding 1e-11. */
const STEP = 1e-5;

/** Work area for strands of at most `most` nodes. */
export interface StabilityWork {
  /** Stiffness by internal forces, by material, and a factor; band storage of banded-ldl. */
  readonly geometric: Float64Array;
  readonly stiffness: Float64Array;
  readonly factor: Float64Array;
  readonly mass: Float64Array;
  readonly mode: Float64Array;
}

export function createStabilityWork(most: number): StabilityWork {
  const band = () => new Float64Array(4 * most * WIDTH);
  return {
    geometric: band(),
    stiffness: band(),
    factor: band(),
    mass: new Float64Array(4 * most),
    mode: new Float64Array(4 * most),
  };
}

/** Of three nodes: a node's element on its own. */
const three: StrandShape = {
  nodes: 3,
  position: new Float64Array(12),
  length: new Float64Array(3),
  tangent: new Float64Array(9),
  d1: new Float64Array(9),
  m1: new Float64Array(9),
  m2: new Float64Array(9),
  reference: new Float64Array(3),
  twist: new Float64Array(3),
};
const sums = new Float64Array(2 * ELEMENT);
const block = new Float64Array(ELEMENT * ELEMENT);
const coefficient = new Float64Array(5);

/**
 * Gradient of Σ coefficient_j κ_j + coefficient_4 m of inner node i, with its unknown `which`
 * moved by `step`; into sums[o ..].
 */
function movedGradient(o: number, drawn: DrawnStrand, i: number, which: number, step: number): void {
  const { position, length, tangent, d1, m1, m2 } = three;
  for (let node = 0; node < 3; node++) {
    for (let k = 0; k < 3; k++) position[4 * node + k] = drawn.points[3 * (i - 1 + node) + k];
    position[4 * node + TWIST] = 0;
  }
  position[which] += step;
  for (let edge = 0; edge < 2; edge++) {
    let square = 0;
    for (let k = 0; k < 3; k++) {
      tangent[3 * edge + k] = position[4 * edge + 4 + k] - position[4 * edge + k];
      square += tangent[3 * edge + k] ** 2;
    }
    length[edge] = Math.sqrt(square);
    for (let k = 0; k < 3; k++) tangent[3 * edge + k] /= length[edge];
    const at = 3 * (i - 1 + edge);
    putVector(d1, 3 * edge, transportDirector(drawn.m1, at, drawn.tangent, at, tangent, 3 * edge));
    materialDirectors(m1, m2, 3 * edge, d1, 3 * edge, tangent, position[4 * edge + TWIST]);
  }
  const { gradient } = differentiateNode(three, 1, 0.5 * (drawn.length[i - 1] + drawn.length[i]));
  for (let k = 0; k < ELEMENT; k++) {
    let sum = 0;
    for (let j = 0; j < 5; j++) sum += coefficient[j] * gradient[ELEMENT * j + k];
    sums[o + k] = sum;
  }
}

/** Stiffness by the internal forces that `p` gives on the drawn shape; once a strand, for they stay. */
export function writeGeometricStiffness(work: StabilityWork, drawn: DrawnStrand, p: StrandParameters): void {
  const K = work.geometric;
  const n = drawn.nodes;
  K.fill(0, 0, 4 * n * WIDTH);
  for (let i = 0; i < n - 1; i++) {
    const strain = drawn.length[i] / p.restLength[i] - 1;
    const across = (drawn.stretch * p.stretchFactor[i] * strain) / drawn.length[i];
    addEdge(K, drawn, i, 0, across);
    if (i > 0) addBentNode(K, drawn, p, i);
  }
}

/** Moments of node i on the second derivatives of its curvatures and twist. */
function addBentNode(K: Float64Array, drawn: DrawnStrand, p: StrandParameters, i: number): void {
  const voronoi = 0.5 * (drawn.length[i - 1] + drawn.length[i]);
  const bend = (0.5 * drawn.bend * p.bendFactor[i]) / voronoi;
  let largest = 0;
  for (let j = 0; j < 4; j++) {
    coefficient[j] = bend * (drawn.curvature[4 * i + j] - p.restCurvature[4 * i + j]);
    largest = Math.max(largest, Math.abs(coefficient[j]));
  }
  coefficient[4] = -((drawn.twist * p.twistFactor[i]) / voronoi) * p.restTwist[i];
  if (largest === 0 && coefficient[4] === 0) return;
  for (let column = 0; column < ELEMENT; column++) {
    const turn = column === 3 || column === 7;
    const step = turn ? STEP : STEP * (column < 6 ? drawn.length[i - 1] : drawn.length[i]);
    movedGradient(0, drawn, i, column, step);
    movedGradient(ELEMENT, drawn, i, column, -step);
    for (let k = 0; k < ELEMENT; k++) block[ELEMENT * k + column] = (sums[k] - sums[ELEMENT + k]) / (2 * step);
  }
  const first = 4 * (i - 1);
  for (let k = 0; k < ELEMENT; k++) {
    for (let m = 0; m <= k; m++) {
      K[WIDTH * (first + k) + k - m] += 0.5 * (block[ELEMENT * k + m] + block[ELEMENT * m + k]);
    }
  }
}

/** K += along t tᵀ + across (I − t tᵀ) of edge i. */
function addEdge(K: Float64Array, drawn: DrawnStrand, i: number, along: number, across: number): void {
  const t = drawn.tangent;
  const first = 4 * i;
  for (let k = 0; k < 3; k++) {
    for (let m = 0; m < 3; m++) {
      const entry = (along - across) * t[3 * i + k] * t[3 * i + m] + (k === m ? across : 0);
      if (m <= k) {
        K[WIDTH * (first + k) + k - m] += entry;
        K[WIDTH * (first + 4 + k) + k - m] += entry;
      }
      K[WIDTH * (first + 4 + k) + 4 + k - m] -= entry;
    }
  }
}

/** The whole stiffness and the masses: the material's part for `p` on top of the internal forces'. */
export function writeStiffness(work: StabilityWork, drawn: DrawnStrand, p: StrandParameters): void {
  const K = work.stiffness;
  const n = drawn.nodes;
  for (let k = 0; k < 4 * n * WIDTH; k++) K[k] = work.geometric[k];
  for (let i = 0; i < n - 1; i++) {
    addEdge(K, drawn, i, (drawn.stretch * p.stretchFactor[i]) / p.restLength[i], 0);
    if (i === 0) continue;
    const voronoi = 0.5 * (drawn.length[i - 1] + drawn.length[i]);
    const first = 4 * (i - 1);
    for (let j = 0; j < 5; j++) {
      const weight = j < 4 ? 0.5 * drawn.bend * p.bendFactor[i] : drawn.twist * p.twistFactor[i];
      const g = NODE_GRADIENT * i + ELEMENT * j;
      for (let k = 0; k < ELEMENT; k++) {
        const scaled = (weight / voronoi) * drawn.gradient[g + k];
        for (let m = 0; m <= k; m++) K[WIDTH * (first + k) + k - m] += scaled * drawn.gradient[g + m];
      }
    }
  }

  // Masses; held unknowns get a row of their own, which takes no part.
  for (let i = 0; i < 4 * n; i++) {
    const node = i >> 2;
    const turning = (i & 3) === 3;
    const edge = node < n - 1 ? drawn.length[node] : 0;
    work.mass[i] = turning ? drawn.gyration * drawn.lineDensity * edge : drawn.mass[node];
    for (let k = Math.min(i, HALF); k > 0; k--) {
      if (drawn.scale[i] === 0 || drawn.scale[i - k] === 0) K[WIDTH * i + k] = 0;
    }
    if (drawn.scale[i] !== 0) continue;
    K[WIDTH * i] = 1;
    work.mass[i] = 0;
  }
}

/** Number of eigenvalues ω² below `shift` [1/s²]. */
export function countBelow(work: StabilityWork, drawn: DrawnStrand, shift: number): number {
  const size = 4 * drawn.nodes;
  const { factor, stiffness, mass } = work;
  let negative = 0;
  for (let i = 0; i < size; i++) {
    const row = WIDTH * i;
    const first = Math.max(0, i - HALF);
    for (let j = first; j < i; j++) {
      const other = WIDTH * j;
      let sum = stiffness[row + i - j];
      for (let m = first; m < j; m++) sum -= factor[row + i - m] * factor[other + j - m];
      factor[row + i - j] = sum;
    }
    const diagonal = stiffness[row];
    let pivot = diagonal - shift * mass[i];
    for (let j = first; j < i; j++) {
      const scaled = factor[row + i - j];
      const entry = scaled / factor[WIDTH * j];
      pivot -= entry * scaled;
      factor[row + i - j] = entry;
    }
    // A pivot of exactly nothing would end the count: the least that rounding could have left.
    if (pivot === 0) pivot = 1e-16 * diagonal;
    if (!(pivot > 0)) negative++;
    factor[row] = pivot;
  }
  return negative;
}

/** The least ω² [1/s²], to a thousandth. */
export function leastEigenvalue(work: StabilityWork, drawn: DrawnStrand): number {
  if (countBelow(work, drawn, 0) === 0) return inverseIteration(work, drawn);
  // Below zero: by the sign counts alone.
  let high = 0;
  let low = -1;
  while (countBelow(work, drawn, low) > 0 && low > -1e30) {
    high = low;
    low *= 4;
  }
  for (let k = 0; k < 60 && high - low > 1e-3 * Math.abs(low); k++) {
    const middle = 0.5 * (low + high);
    if (countBelow(work, drawn, middle) > 0) high = middle;
    else low = middle;
  }
  return 0.5 * (low + high);
}

/** Of a positive definite stiffness, whose factor is there. */
function inverseIteration(work: StabilityWork, drawn: DrawnStrand): number {
  const size = 4 * drawn.nodes;
  const { factor, mass, mode } = work;
  for (let i = 0; i < size; i++) mode[i] = mass[i] === 0 ? 0 : 1 + 0.3 * ((i * 7) % 5);
  let value = Number.POSITIVE_INFINITY;
  for (let iteration = 0; iteration < 200; iteration++) {
    // mode = K⁻¹ M mode; the quotient of Rayleigh with the vector that went in.
    let square = 0;
    for (let i = 0; i < size; i++) {
      square += mass[i] * mode[i] * mode[i];
      mode[i] *= mass[i];
    }
    const norm = 1 / Math.sqrt(square);
    for (let i = 0; i < size; i++) mode[i] *= norm;
    let energy = 0;
    let mixed = 0;
    for (let i = 0; i < size; i++) {
      const row = WIDTH * i;
      let sum = mode[i];
      for (let k = Math.min(i, HALF); k > 0; k--) sum -= factor[row + k] * mode[i - k];
      mode[i] = sum;
    }
    for (let i = 0; i < size; i++) {
      energy += (mode[i] * mode[i]) / factor[WIDTH * i];
      mode[i] /= factor[WIDTH * i];
    }
    for (let i = size - 1; i >= 0; i--) {
      const row = WIDTH * i;
      const x = mode[i];
      mixed += mass[i] * x * x;
      for (let k = Math.min(i, HALF); k > 0; k--) mode[i - k] -= factor[row + k] * x;
    }
    // energy = xᵀK x and mixed = xᵀM x of the vector that came out.
    const next = energy / mixed;
    if (Math.abs(next - value) <= 1e-5 * next) return next;
    value = next;
  }
  return value;
}
