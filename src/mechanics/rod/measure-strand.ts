// Shape of one strand at given positions: lengths, tangents, material directors, twist. What every energy is built on.
//
// In: NODE_POSITION (x y z θ), NODE_FRAME (d1 of the edges as NODE_POSITION has them, reference twist), NODE_REST,
// and optionally velocities: then the shape at NODE_POSITION + dt·v, its directors carried there from NODE_POSITION's.
// Out: `StrandShape`, one shared work area, good until the next call.

import { REFERENCE_TWIST, TWIST } from '../../state/node-places';
import type { Tables } from '../../state/tables';
import { edgeTangent, materialDirectors, putVector, referenceTwist, transportDirector } from './frames';

/** Work area: columns by node (edge i with node i), grown as needed and never given back. */
export interface StrandShape {
  nodes: number;
  /** x y z θ [m, rad]. */
  position: Float64Array;
  /** Length of edge i [m]. */
  length: Float64Array;
  /** Unit tangent of edge i. */
  tangent: Float64Array;
  /** Reference director of edge i. */
  d1: Float64Array;
  /** Material directors of edge i. */
  m1: Float64Array;
  m2: Float64Array;
  /** Reference twist at node i [rad]. */
  reference: Float64Array;
  /** Twist at node i, θ_i − θ_{i−1} + reference twist [rad]; 0 at the ends. */
  twist: Float64Array;
}

const FIELDS = [
  ['position', 4],
  ['length', 1],
  ['tangent', 3],
  ['d1', 3],
  ['m1', 3],
  ['m2', 3],
  ['reference', 1],
  ['twist', 1],
] as const;

/** The one work area; nothing of it survives the next `measureStrand`. */
export const shape: StrandShape = {
  nodes: 0,
  position: new Float64Array(0),
  length: new Float64Array(0),
  tangent: new Float64Array(0),
  d1: new Float64Array(0),
  m1: new Float64Array(0),
  m2: new Float64Array(0),
  reference: new Float64Array(0),
  twist: new Float64Array(0),
};

const before = new Float64Array(3);

/** Makes room for `nodes` nodes in the work area. */
export function reserveShape(nodes: number): void {
  if (shape.length.length < nodes) {
    const room = Math.max(64, 2 * nodes);
    for (const [name, stride] of FIELDS) shape[name] = new Float64Array(room * stride);
  }
  shape.nodes = nodes;
}

/**
 * Fills `shape` for `strand` at NODE_POSITION, or, where `velocity` (4 a node [m/s], [rad/s]) is given, at
 * NODE_POSITION + dt·velocity.
 */
export function measureStrand(tables: Tables, strand: number, velocity: Float64Array | null, dt: number): StrandShape {
  const nodes = tables.nodes;
  const first = tables.strands.first[strand];
  const n = tables.strands.nodes[strand];
  reserveShape(n);
  const { position, length, tangent, d1, m1, m2, reference, twist } = shape;
  for (let k = 0; k < 4 * n; k++) {
    position[k] = nodes.position[4 * first + k] + (velocity === null ? 0 : dt * velocity[k]);
  }
  for (let i = 0; i < n - 1; i++) {
    const node = first + i;
    length[i] = edgeTangent(tangent, 3 * i, position, 4 * i, 4 * i + 4, nodes, node);
    if (velocity === null) {
      for (let k = 0; k < 3; k++) d1[3 * i + k] = nodes.frame[4 * node + k];
    } else {
      edgeTangent(before, 0, nodes.position, 4 * node, 4 * node + 4, nodes, node);
      putVector(d1, 3 * i, transportDirector(nodes.frame, 4 * node, before, 0, tangent, 3 * i));
    }
    materialDirectors(m1, m2, 3 * i, d1, 3 * i, tangent, position[4 * i + TWIST]);
  }
  for (let i = 0; i < n; i++) {
    reference[i] = nodes.frame[4 * (first + i) + REFERENCE_TWIST];
    twist[i] = 0;
    if (i === 0 || i === n - 1) continue;
    if (velocity !== null) {
      reference[i] = referenceTwist(tangent, 3 * i - 3, 3 * i, d1, 3 * i - 3, 3 * i, reference[i]);
    }
    twist[i] = position[4 * i + TWIST] - position[4 * i - 1] + reference[i];
  }
  return shape;
}
