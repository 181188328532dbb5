// The parameters of a strand as one vector, interleaved along it, so that every matrix is banded.
//
// Per inner node i (and edge i): κ̄₀ κ̄₁ [κ̄₂ κ̄₃] [β] m̄ [γ] λ [α], λ = l̄/l: all of order one.
// With two curvatures κ̄₂ and κ̄₃ change with κ̄₀ and κ̄₁. The equations c (drawn-strand.ts) have
// 4 entries a node; the columns of node i touch 11 of them, from node i − 1 on, kept in 12. So JᵀJ couples nodes up
// to two apart; of the second only the entries of its curvatures and twist, which end at `twistFactor` (or `twist`):
// half-bandwidth 18, with the rest shape alone 10, with four curvatures 24 and 16. (Masses and Voronoi lengths are
// those of the drawn shape, as in the engine: a rest length acts on its edge alone.)

import type { EquilibriumBounds } from './bounds';
import { type DrawnStrand, NODE_GRADIENT } from './drawn-strand';
import type { StrandParameters } from './parameters';

/** What is optimised. */
export interface VectorLayout {
  /** Rest curvatures of a node: 2 as in the paper, or 4. */
  readonly curvatures: 2 | 4;
  /** Stiffness factors too, or the rest shape alone. */
  readonly stiffness: boolean;
  /** Entries a node. */
  readonly entries: number;
  readonly halfBandwidth: number;
  /** Places within a node's entries; −1 for none. */
  readonly bend: number;
  readonly twist: number;
  readonly twistFactor: number;
  readonly length: number;
  readonly stretchFactor: number;
}

export function createLayout(curvatures: 2 | 4, stiffness: boolean): VectorLayout {
  if (stiffness) {
    const c = curvatures;
    return {
      curvatures,
      stiffness,
      entries: c + 5,
      halfBandwidth: 3 * c + 12,
      bend: c,
      twist: c + 1,
      twistFactor: c + 2,
      length: c + 3,
      stretchFactor: c + 4,
    };
  }
  return {
    curvatures,
    stiffness,
    entries: curvatures + 2,
    halfBandwidth: 3 * curvatures + 4,
    bend: -1,
    twist: curvatures,
    twistFactor: -1,
    length: curvatures + 1,
    stretchFactor: -1,
  };
}

/** Equations that a node's columns touch. */
export const COLUMN = 12;
const ELEMENT = 11;

export function readVector(p: Float64Array, layout: VectorLayout, drawn: DrawnStrand, from: StrandParameters): void {
  for (let i = 1; i < drawn.nodes - 1; i++) {
    const at = layout.entries * (i - 1);
    for (let j = 0; j < layout.curvatures; j++) p[at + j] = from.restCurvature[4 * i + j];
    p[at + layout.twist] = from.restTwist[i];
    p[at + layout.length] = from.restLength[i] / drawn.length[i];
    if (!layout.stiffness) continue;
    p[at + layout.bend] = from.bendFactor[i];
    p[at + layout.twistFactor] = from.twistFactor[i];
    p[at + layout.stretchFactor] = from.stretchFactor[i];
  }
}

export function writeVector(to: StrandParameters, p: Float64Array, layout: VectorLayout, drawn: DrawnStrand): void {
  const { curvature, length } = drawn;
  for (let i = 1; i < drawn.nodes - 1; i++) {
    const at = layout.entries * (i - 1);
    for (let j = 0; j < 4; j++) {
      const paired = layout.curvatures === 2 && j > 1 ? curvature[4 * i + j] - curvature[4 * i + j - 2] : 0;
      to.restCurvature[4 * i + j] = p[at + (layout.curvatures === 2 ? j & 1 : j)] + paired;
    }
    to.restTwist[i] = p[at + layout.twist];
    to.restLength[i] = p[at + layout.length] * length[i];
    if (!layout.stiffness) continue;
    to.bendFactor[i] = p[at + layout.bend];
    to.twistFactor[i] = p[at + layout.twistFactor];
    to.stretchFactor[i] = p[at + layout.stretchFactor];
  }
}

/** Bounds of the vector, and its weights W. */
export function writeBounds(
  lower: Float64Array,
  upper: Float64Array,
  weight: Float64Array,
  layout: VectorLayout,
  drawn: DrawnStrand,
  bounds: EquilibriumBounds,
): void {
  for (let i = 1; i < drawn.nodes - 1; i++) {
    const at = layout.entries * (i - 1);
    const put = (place: number, low: number, high: number, cost: number) => {
      lower[at + place] = low;
      upper[at + place] = high;
      weight[at + place] = cost;
    };
    for (let j = 0; j < layout.curvatures; j++) {
      const drawnCurvature = drawn.curvature[4 * i + j];
      put(j, drawnCurvature - bounds.curvatureChange, drawnCurvature + bounds.curvatureChange, 1);
    }
    put(layout.twist, -bounds.twistChange, bounds.twistChange, 1);
    put(layout.length, bounds.shortest, bounds.longest, 1);
    if (!layout.stiffness) continue;
    put(layout.bend, bounds.softest, bounds.stiffest, bounds.stiffnessWeight);
    put(layout.twistFactor, bounds.softest, bounds.stiffest, bounds.stiffnessWeight);
    put(layout.stretchFactor, bounds.softest, bounds.stiffest, bounds.stiffnessWeight);
  }
}

/**
 * J = ∂c/∂p by columns: entry r of column k of node i, at [12·(entries·(i − 1) + k) + r],
 * belongs to equation 4 (i − 1) + r.
 */
export function writeJacobian(J: Float64Array, layout: VectorLayout, drawn: DrawnStrand, p: StrandParameters): void {
  const n = drawn.nodes;
  J.fill(0, 0, COLUMN * layout.entries * (n - 2));
  for (let i = 1; i < n - 1; i++) {
    const first = COLUMN * layout.entries * (i - 1);
    const place = (k: number) => first + COLUMN * k;
    writeNodeColumns(J, place, layout, drawn, p, i);
    writeEdgeColumns(J, place, layout, drawn, p, i);

    // From forces to equations.
    for (let k = 0; k < layout.entries; k++) {
      for (let r = 0; r < COLUMN && 4 * (i - 1) + r < 4 * n; r++) {
        J[first + COLUMN * k + r] *= drawn.scale[4 * (i - 1) + r];
      }
    }
  }
}

function writeNodeColumns(
  J: Float64Array,
  place: (k: number) => number,
  layout: VectorLayout,
  drawn: DrawnStrand,
  p: StrandParameters,
  i: number,
): void {
  const { gradient } = drawn;
  const g = NODE_GRADIENT * i;
  const voronoi = 0.5 * (drawn.length[i - 1] + drawn.length[i]);
  const bend = (0.5 * drawn.bend) / voronoi;
  const twist = drawn.twist / voronoi;
  for (let k = 0; k < ELEMENT; k++) {
    let force = 0;
    for (let j = 0; j < 4; j++) {
      const slope = bend * gradient[g + ELEMENT * j + k];
      force += (p.restCurvature[4 * i + j] - drawn.curvature[4 * i + j]) * slope;
      J[place(layout.curvatures === 2 ? j & 1 : j) + k] += p.bendFactor[i] * slope;
    }
    const turn = gradient[g + 4 * ELEMENT + k];
    J[place(layout.twist) + k] = p.twistFactor[i] * twist * turn;
    if (layout.stiffness) {
      J[place(layout.bend) + k] = force;
      J[place(layout.twistFactor) + k] = twist * p.restTwist[i] * turn;
    }
  }
}

/** Stretch of edge i. */
function writeEdgeColumns(
  J: Float64Array,
  place: (k: number) => number,
  layout: VectorLayout,
  drawn: DrawnStrand,
  p: StrandParameters,
  i: number,
): void {
  const length = drawn.length[i];
  const ratio = p.restLength[i] / length;
  const slope = (-drawn.stretch * p.stretchFactor[i]) / (ratio * ratio);
  for (let k = 0; k < 3; k++) {
    const t = drawn.tangent[3 * i + k];
    J[place(layout.length) + 4 + k] += slope * t;
    J[place(layout.length) + 8 + k] -= slope * t;
    if (!layout.stiffness) continue;
    const tension = drawn.stretch * (1 / ratio - 1);
    J[place(layout.stretchFactor) + 4 + k] = tension * t;
    J[place(layout.stretchFactor) + 8 + k] = -tension * t;
  }
}

/** out = Jᵀ y. */
export function multiplyTransposed(
  out: Float64Array,
  J: Float64Array,
  layout: VectorLayout,
  nodes: number,
  y: Float64Array,
): void {
  for (let i = 1; i < nodes - 1; i++) {
    for (let k = 0; k < layout.entries; k++) {
      const column = layout.entries * (i - 1) + k;
      let sum = 0;
      const last = Math.min(COLUMN, 4 * (nodes - i + 1));
      for (let r = 0; r < last; r++) sum += J[COLUMN * column + r] * y[4 * (i - 1) + r];
      out[column] = sum;
    }
  }
}

/** A = diag(weight) + rho Jᵀ J, lower band storage. */
export function writeNormalMatrix(
  A: Float64Array,
  J: Float64Array,
  layout: VectorLayout,
  nodes: number,
  weight: Float64Array,
  rho: number,
): void {
  const m = layout.entries;
  const width = layout.halfBandwidth + 1;
  A.fill(0, 0, width * m * (nodes - 2));
  for (let i = 0; i < nodes - 2; i++) {
    for (let k = 0; k < m; k++) {
      const row = m * i + k;
      const at = COLUMN * row;
      for (let d = 0; d <= 2 && d <= i; d++) {
        // Entry r of this column meets entry r + 4 d of one d nodes before.
        const last = COLUMN - 4 * d;
        const from = m * (i - d);
        for (let other = Math.max(from, row - layout.halfBandwidth); other < from + m && other <= row; other++) {
          const before = COLUMN * other + 4 * d;
          let sum = 0;
          for (let r = 0; r < last; r++) sum += J[at + r] * J[before + r];
          A[width * row + row - other] = rho * sum;
        }
      }
      A[width * row] += weight[row];
    }
  }
}
