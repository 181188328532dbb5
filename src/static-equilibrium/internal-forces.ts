// The internal forces of a strand in equilibrium: a cantilever is statically determinate.
//
// A strand clamped at its start and free at its end has as many equations, 4 (n − 2), as internal forces when the two
// curvature pairs of a node carry the same moment (the paper's 2-D rest curvatures): a tension an edge, two bending
// moments and a twisting moment a node. So loads and drawn shape alone fix them, whatever the stiffness, and they
// follow from the tip to the root by a system of four unknowns a node: those of node i (and edge i) balance θ of
// edge i and node i + 1. With both ends clamped there are more unknowns than equations, and only
// augmented-lagrangian.ts applies.
//
//   force of node i on its element: Σ_{j<2} moment_j (∇κ_j + ∇κ_{j+2}) + torque ∇m, moment_j
//   = ½ EI β/ℓ (κ̄_j − κ_j)

import { TWIST } from '../state/node-places';
import type { DrawnStrand } from './drawn-strand';
import { NODE_GRADIENT } from './drawn-strand';

/** Internal forces by node (edge i with node i). */
export interface InternalForces {
  /** Tension of edge i [N]. */
  readonly tension: Float64Array;
  /** Two bending moments of node i [N·m]. */
  readonly moment: Float64Array;
  /** Twisting moment of node i [N·m]. */
  readonly torque: Float64Array;
}

export function createInternalForces(nodes: number): InternalForces {
  return {
    tension: new Float64Array(nodes),
    moment: new Float64Array(2 * nodes),
    torque: new Float64Array(nodes),
  };
}

/** Four equations by four unknowns and the right-hand side, rows of five. */
const system = new Float64Array(20);
const ROW = 5;
/** Of a row, after its four coefficients. */
const RIGHT = 4;
/** A pivot below this leaves an unknown open [1]: a strand folded back on itself. */
const SINGULAR = 1e-12;
let left = new Float64Array(0);

/** Fills `out` for a strand whose end is free. Returns −1, or the node at which the system has no solution. */
export function findInternalForces(out: InternalForces, drawn: DrawnStrand): number {
  const n = drawn.nodes;
  if (left.length < 4 * n) left = new Float64Array(4 * n);
  for (let k = 0; k < 4 * n; k++) left[k] = drawn.load[k];
  for (let i = n - 2; i > 0; i--) {
    writeSystem(drawn, i);
    if (!solveFour()) return i;
    const edge = drawn.length[i];
    out.moment[2 * i] = system[RIGHT] * edge;
    out.moment[2 * i + 1] = system[ROW + RIGHT] * edge;
    out.torque[i] = system[2 * ROW + RIGHT] * edge;
    out.tension[i] = system[3 * ROW + RIGHT];
    pass(out, drawn, i);
  }
  out.tension[0] = 0;
  return -1;
}

/** Unknowns: moments and torque over the edge, tension [N]. Rows: torque over the edge, three forces. */
function writeSystem(drawn: DrawnStrand, i: number): void {
  const { gradient, tangent, length } = drawn;
  const g = NODE_GRADIENT * i;
  const edge = length[i];
  for (let row = 0; row < 4; row++) {
    // Row 0 is θ of the edge (unknown 7 of the element), rows 1 to 3 the node after it (8 to 10).
    const unit = row === 0 ? 1 : edge;
    const at = g + 7 + row;
    system[ROW * row] = (gradient[at] + gradient[at + 22]) * unit;
    system[ROW * row + 1] = (gradient[at + 11] + gradient[at + 33]) * unit;
    system[ROW * row + 2] = gradient[at + 44] * unit;
    system[ROW * row + 3] = row === 0 ? 0 : -tangent[3 * i + row - 1];
    system[ROW * row + RIGHT] = row === 0 ? -left[4 * i + TWIST] / edge : -left[4 * i + 4 + row - 1];
  }
}

/** Gauss's elimination with row pivots; the solution replaces the last column. */
function solveFour(): boolean {
  for (let k = 0; k < 4; k++) {
    let best = k;
    for (let row = k + 1; row < 4; row++) {
      if (Math.abs(system[ROW * row + k]) > Math.abs(system[ROW * best + k])) best = row;
    }
    if (!(Math.abs(system[ROW * best + k]) > SINGULAR)) return false;
    for (let m = k; m < ROW; m++) {
      const kept = system[ROW * k + m];
      system[ROW * k + m] = system[ROW * best + m];
      system[ROW * best + m] = kept;
    }
    for (let row = 0; row < 4; row++) {
      if (row === k) continue;
      const factor = system[ROW * row + k] / system[ROW * k + k];
      for (let m = k; m < ROW; m++) system[ROW * row + m] -= factor * system[ROW * k + m];
    }
  }
  for (let k = 0; k < 4; k++) system[ROW * k + RIGHT] /= system[ROW * k + k];
  return true;
}

/** Adds what node i and edge i do to all their unknowns. */
function pass(forces: InternalForces, { gradient, tangent }: DrawnStrand, i: number): void {
  const g = NODE_GRADIENT * i;
  const a = forces.moment[2 * i];
  const b = forces.moment[2 * i + 1];
  const torque = forces.torque[i];
  for (let k = 0; k < 11; k++) {
    const at = g + k;
    const bend = a * (gradient[at] + gradient[at + 22]) + b * (gradient[at + 11] + gradient[at + 33]);
    left[4 * i - 4 + k] += bend + torque * gradient[at + 44];
  }
  for (let k = 0; k < 3; k++) {
    left[4 * i + k] += forces.tension[i] * tangent[3 * i + k];
    left[4 * i + 4 + k] -= forces.tension[i] * tangent[3 * i + k];
  }
}
