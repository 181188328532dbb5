// Tetrahedra as finite elements: linear ones of four nodes, and quadratic ones of ten
// whose rest shape has straight edges.
//
// Both need the same of their rest shape: the gradients of the barycentric coordinates λ_i, which are the
// rows of the inverse of D = [X₁ − X₀, X₂ − X₀, X₃ − X₀] (∇λ₀ = −Σ the others), and the
// volume. Linear: N_i = λ_i, one point of integration.
// Quadratic: N_i = λ_i (2 λ_i − 1) and 4 λ_i λ_j for the middle of edge (i, j), four points of integration
// (Zienkiewicz and Taylor 2000, table 9.2).
//
// Linear tetrahedra lock: a cantilever of 20 × 2 × 2 cells of six bends 0.51 of what it should, at ν = 0.49 a
// tenth. Quadratic ones of the same cells bend 0.998 (ν = 0.3) and 0.96 (0.49):
// test/mechanics/solid/fem-values. Averaging the volume over nodes or patches (F-bar) would cure the second
// kind of locking only, and it is the first that a game sees.

import { QUADRATURE_CLOSE, QUADRATURE_FAR } from '../../core/elastic-constants';

/** Nodes of an element of each order (1, 2). */
export const ELEMENT_NODES = [0, 4, 10] as const;
/** Points of integration of an element of each order. */
export const ELEMENT_POINTS = [0, 1, 4] as const;
/** Corners at the ends of edge e, whose middle is node 4 + e. */
export const EDGE_ENDS: readonly (readonly [number, number])[] = [
  [0, 1],
  [1, 2],
  [0, 2],
  [0, 3],
  [1, 3],
  [2, 3],
];
/**
 * Mass of a node over that of a quadratic element: the diagonal of its mass matrix, scaled
 * (Hinton, Rock and Zienkiewicz 1976).
 */
const CORNER_SHARE = 1 / 36;
const MIDDLE_SHARE = 4 / 27;

/** Elements of one object. */
export interface SolidElements {
  readonly order: 1 | 2;
  readonly count: number;
  /** ELEMENT_NODES[order] an element. */
  readonly nodes: Int32Array;
  /** Number of the node whose position is the first of those handed in. */
  readonly origin: number;
  /**
   * REST_NUMBERS an element, as TETRAHEDRON_REST has them: the inverse of D by rows [1/m], the rest volume, > 0 [m³],
   * its plastic strain so far [-], spare.
   */
  readonly rest: Float64Array;
}

/** Numbers of an element's rest shape, and which of them are the volume and the plastic strain. */
export const REST_NUMBERS = 12;
export const REST_VOLUME = 9;
export const REST_STRAIN = 10;

/** ∂N/∂λ at the points of a quadratic element: by point, node, coordinate. */
const SLOPES = quadraticSlopes();

function quadraticSlopes(): Float64Array {
  const slopes = new Float64Array(4 * 10 * 4);
  for (let point = 0; point < 4; point++) {
    const at = (i: number) => (i === point ? QUADRATURE_CLOSE : QUADRATURE_FAR);
    for (let i = 0; i < 4; i++) slopes[40 * point + 5 * i] = 4 * at(i) - 1;
    for (let e = 0; e < 6; e++) {
      const [i, j] = EDGE_ENDS[e];
      slopes[40 * point + 16 + 4 * e + i] = 4 * at(j);
      slopes[40 * point + 16 + 4 * e + j] = 4 * at(i);
    }
  }
  return slopes;
}

/**
 * out[0 ..] = gradients of the shape functions of element e at a point of integration, three numbers a node [1/m].
 * The weight of the point is volume/ELEMENT_POINTS.
 */
export function shapeGradients(out: Float64Array, elements: SolidElements, e: number, point: number): void {
  const { order, rest } = elements;
  const r = REST_NUMBERS * e;
  for (let c = 0; c < 3; c++) {
    const x = rest[r + c];
    const y = rest[r + 3 + c];
    const z = rest[r + 6 + c];
    const w = -(x + y + z);
    if (order === 1) {
      out[c] = w;
      out[3 + c] = x;
      out[6 + c] = y;
      out[9 + c] = z;
      continue;
    }
    for (let i = 0; i < 10; i++) {
      const s = 40 * point + 4 * i;
      out[3 * i + c] = SLOPES[s] * w + SLOPES[s + 1] * x + SLOPES[s + 2] * y + SLOPES[s + 3] * z;
    }
  }
}

/**
 * out[REST_NUMBERS·e ..] = rest shape of the tetrahedra with these corners (four of `nodes` an element, every
 * `width`), numbered from `origin` on; `position` has `stride` numbers a node. A volume comes out negative where corner
 * 3 is on the wrong side of 0, 1, 2.
 */
export function writeRest(
  out: Float64Array,
  { nodes, width, origin }: { nodes: Int32Array; width: number; origin: number },
  position: ArrayLike<number>,
  stride: number,
): void {
  const d = new Float64Array(9);
  for (let e = 0; e < nodes.length / width; e++) {
    const o = stride * (nodes[width * e] - origin);
    for (let j = 0; j < 3; j++) {
      const p = stride * (nodes[width * e + 1 + j] - origin);
      for (let c = 0; c < 3; c++) d[3 * c + j] = position[p + c] - position[o + c];
    }
    const at = REST_NUMBERS * e;
    out[at + REST_VOLUME] = invert(out, at, d) / 6;
  }
}

/** Elements of nodes numbered from 0 on, with the rest shape that `position` is, `stride` numbers a node. */
export function measureRest(
  order: 1 | 2,
  nodes: Int32Array,
  position: ArrayLike<number>,
  stride: number,
): SolidElements {
  const width = ELEMENT_NODES[order];
  const count = nodes.length / width;
  const rest = new Float64Array(REST_NUMBERS * count);
  writeRest(rest, { nodes, width, origin: 0 }, position, stride);
  return { order, count, nodes, origin: 0, rest };
}

/** out[o ..] = d⁻¹; returns det d. */
function invert(out: Float64Array, o: number, d: Float64Array): number {
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      const [p, q] = [(c + 1) % 3, (c + 2) % 3];
      const [s, t] = [(r + 1) % 3, (r + 2) % 3];
      out[o + 3 * r + c] = d[3 * p + s] * d[3 * q + t] - d[3 * p + t] * d[3 * q + s];
    }
  }
  const determinant = d[0] * out[o] + d[1] * out[o + 3] + d[2] * out[o + 6];
  for (let k = 0; k < 9; k++) out[o + k] /= determinant;
  return determinant;
}

/** mass[stride · node] += the lumped mass of every element [kg], by the elements' own numbers. */
export function lumpMass(
  mass: Float64Array,
  stride: number,
  { order, count, nodes, rest }: SolidElements,
  density: number,
): void {
  const width = ELEMENT_NODES[order];
  for (let e = 0; e < count; e++) {
    for (let i = 0; i < width; i++) {
      const share = order === 1 ? 0.25 : i < 4 ? CORNER_SHARE : MIDDLE_SHARE;
      mass[stride * nodes[width * e + i]] += share * density * rest[REST_NUMBERS * e + REST_VOLUME];
    }
  }
}
