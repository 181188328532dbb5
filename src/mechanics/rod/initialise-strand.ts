// Rest shape, masses and first directors of a strand.
//
// The rest shape is any polyline: its own natural frame (space-parallel transport from a first director, hence no
// twist) measures the rest curvatures; the rest twist is 0. The current shape gets its own natural frame too, turned
// as a whole about the rod so that the bending energy is least: where both shapes agree,
// the rod starts without any stress.

import { arctangent, cosine, sine } from '../../math/trigonometry';
import * as L from '../../state/layout';
import { DENSITY, RADIUS } from '../../state/material-places';
import {
  BEND_FACTOR,
  REST_CURVATURE,
  REST_TWIST,
  REST_VORONOI,
  TWIST,
  TWIST_FACTOR,
  TWIST_INERTIA,
} from '../../state/node-places';
import type { StrandRest } from '../../state/strand-rest';
import type { Tables } from '../../state/tables';
import { nodeCurvatures } from './elements';
import { materialDirectors, normalTo, putVector, transportDirector } from './frames';
import { reserveShape, type StrandShape, shape } from './measure-strand';

/**
 * Shortest rest length, of the mean one [1]: a repeated point in a rest shape gets this,
 * so that no stiffness is infinite.
 */
const SHORTEST_REST = 1e-3;

const firstRest = new Float64Array(6);

/** Fills `shape` with tangents, lengths and natural frame of a polyline; `d1` of edge 0 is given in shape.d1. */
function naturalFrame(n: number): void {
  const { tangent, d1, m1, m2 } = shape;
  for (let i = 0; i < n - 1; i++) {
    if (i > 0) putVector(d1, 3 * i, transportDirector(d1, 3 * i - 3, tangent, 3 * i - 3, tangent, 3 * i));
    materialDirectors(m1, m2, 3 * i, d1, 3 * i, tangent, 0);
  }
}

/** Lengths and tangents of n points at `stride`; an edge without length takes its neighbour's direction. */
function measurePolyline(points: Float64Array, at: number, stride: number, n: number): void {
  reserveShape(n);
  const { tangent, length } = shape;
  let known = -1;
  for (let i = 0; i < n - 1; i++) {
    const p = at + stride * i;
    const x = points[p + stride] - points[p];
    const y = points[p + stride + 1] - points[p + 1];
    const z = points[p + stride + 2] - points[p + 2];
    length[i] = Math.sqrt(x * x + y * y + z * z);
    if (length[i] > 0) {
      tangent[3 * i] = x / length[i];
      tangent[3 * i + 1] = y / length[i];
      tangent[3 * i + 2] = z / length[i];
      if (known < 0) for (let e = 0; e < i; e++) for (let k = 0; k < 3; k++) tangent[3 * e + k] = tangent[3 * i + k];
      known = i;
    } else if (known >= 0) {
      for (let k = 0; k < 3; k++) tangent[3 * i + k] = tangent[3 * known + k];
    } else {
      tangent.set([1, 0, 0], 3 * i);
    }
  }
}

/**
 * `shape` of n points, 3 numbers each [m], at rest: their natural frame from the director
 * that a strand at rest begins with.
 */
export function naturalFrameOf(points: Float64Array, n: number): StrandShape {
  measurePolyline(points, 0, 3, n);
  normalTo(shape.d1, 0, shape.tangent, 0);
  naturalFrame(n);
  return shape;
}

/**
 * Sets what a strand keeps for life, and its first directors. In: the strands row, the rods row's parameters, current
 * NODE_POSITION x y z, and `rest`, 3 numbers a node [m] (the same array of points gives a rod that starts at rest).
 * Out: NODE_REST, NODE_MASS, NODE_FRAME, θ = 0 in NODE_POSITION, NODE_PREVIOUS = NODE_POSITION, NODE_STRAND.
 * Lengths of the current shape that differ from those of the rest shape are stretch. `given`, from its
 * entry `from` on, takes the place of what `rest` measures; its curvatures are those of a shape whose
 * own natural frame is kept unturned.
 */
export function initialiseStrand(
  tables: Tables,
  strand: number,
  rest: Float64Array,
  given: StrandRest | null = null,
  from = 0,
): void {
  const nodes = tables.nodes;
  const first = tables.strands.first[strand];
  const n = tables.strands.nodes[strand];
  const p = 8 * tables.strands.rod[strand];
  const radius = tables.rods.parameter[p + RADIUS];
  const density = tables.rods.parameter[p + DENSITY];

  naturalFrameOf(rest, n);
  let total = 0;
  for (let i = 0; i < n - 1; i++) total += shape.length[i];
  const shortest = total > 0 ? (SHORTEST_REST * total) / (n - 1) : radius;
  const lineDensity = density * Math.PI * radius * radius;
  for (let i = 0; i < n; i++) {
    const node = first + i;
    const r = 8 * node;
    const before = i > 0 ? nodes.rest[r - 8] : 0;
    const after = i < n - 1 ? Math.max(shape.length[i], shortest) : 0;
    nodes.rest.fill(0, r, r + 8);
    nodes.rest[r] = after;
    nodes.rest[r + REST_VORONOI] = 0.5 * (before + after);
    if (i > 0 && i < n - 1) nodeCurvatures(nodes.rest, r + 2, shape, i);
    nodes.mass[2 * node] = lineDensity * nodes.rest[r + REST_VORONOI];
    // Solid cylinder about its axis.
    nodes.mass[2 * node + TWIST_INERTIA] = 0.5 * radius * radius * lineDensity * after;
    nodes.strand[node] = strand;
    nodes.stiffness.fill(1, 4 * node, 4 * node + 3);
  }
  if (given) varyStrand(tables, strand, given, from);
  for (let k = 0; k < 3; k++) {
    firstRest[k] = shape.tangent[k];
    firstRest[3 + k] = shape.d1[k];
  }

  // The current shape's natural frame, started from the rest shape's first director.
  measurePolyline(nodes.position, 4 * first, 4, n);
  putVector(shape.d1, 0, transportDirector(firstRest, 3, firstRest, 0, shape.tangent, 0));
  naturalFrame(n);
  const turn = given?.curvatures ? 0 : bestTurn(nodes.rest, nodes.stiffness, first, n);
  const c = cosine(turn);
  const s = sine(turn);
  for (let i = 0; i < n; i++) {
    const at = 4 * (first + i);
    nodes.frame.fill(0, at, at + 4);
    if (i < n - 1) for (let k = 0; k < 3; k++) nodes.frame[at + k] = c * shape.m1[3 * i + k] + s * shape.m2[3 * i + k];
    nodes.position[at + TWIST] = 0;
    for (let k = 0; k < 4; k++) nodes.previous[at + k] = nodes.position[at + k];
  }
}

/** Rest shape and stiffness as given, node by node. */
function varyStrand({ strands, nodes }: Tables, strand: number, given: StrandRest, from: number): void {
  const { lengths, curvatures, twists, stretchFactors, bendFactors, twistFactors } = given;
  const first = strands.first[strand];
  const n = strands.nodes[strand];
  const { rest, stiffness } = nodes;
  for (let i = 0; i < n; i++) {
    const at = from + i;
    const r = 8 * (first + i);
    const s = 4 * (first + i);
    if (i < n - 1) {
      if (lengths) rest[r] = lengths[at];
      if (stretchFactors) stiffness[s] = stretchFactors[at];
    }
    if (i === 0 || i === n - 1) continue;
    if (curvatures) for (let k = 0; k < 4; k++) rest[r + REST_CURVATURE + k] = curvatures[4 * at + k];
    if (twists) rest[r + REST_TWIST] = twists[at];
    if (bendFactors) stiffness[s + BEND_FACTOR] = bendFactors[at];
    if (twistFactors) stiffness[s + TWIST_FACTOR] = twistFactors[at];
  }
  if (stretchFactors || bendFactors || twistFactors) strands.flags[strand] |= L.STRAND_VARIES;
}

/**
 * Angle by which the whole natural frame must turn so that Σ β |κ − κ̄|²/(2ℓ) is least [rad]: turning by φ
 * turns each pair (κ₀, κ₁) by −φ, so φ is the argument of Σ κ κ̄* over the pairs as complex numbers.
 */
function bestTurn(rest: Float64Array, stiffness: Float64Array, first: number, n: number): number {
  let along = 0;
  let across = 0;
  for (let i = 1; i < n - 1; i++) {
    const r = 8 * (first + i);
    nodeCurvatures(now, 0, shape, i);
    for (let j = 0; j < 4; j += 2) {
      const weight = stiffness[4 * (first + i) + BEND_FACTOR] / rest[r + REST_VORONOI];
      along += weight * (now[j] * rest[r + REST_CURVATURE + j] + now[j + 1] * rest[r + REST_CURVATURE + j + 1]);
      across += weight * (now[j + 1] * rest[r + REST_CURVATURE + j] - now[j] * rest[r + REST_CURVATURE + j + 1]);
    }
  }
  return arctangent(across, along);
}

const now = new Float64Array(4);
