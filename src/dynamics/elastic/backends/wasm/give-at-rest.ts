// How far the nodes of a shell give way to a push, in its shape without stress.
//
// There a push across the sheet meets masses and bending alone, one number a node: M + σ Σ k c cᵀ, c the changes
// of a hinge's angle by the heights of its nodes, σ = dt (dt + damping); what gives way within the sheet is little
// beside it. It holds for as long as material, masses and what is held stay; what tension adds is found in each step
// (kernels/assembly/mesh/meshes.ts). Folds are left out: for weights of contacts, which it is made for, a few times too
// much is good enough.
//
// Solved on the pattern of the shell's factor: what that has no place for is replaced as there
// (kernels/assembly/mesh/factor.ts).

import { sparseInverseDiagonal } from '../../../../math/sparse-inverse';
import { analyseLdl, factorLdl } from '../../../../math/sparse-ldl';
import { hingeStiffness } from '../../../../mechanics/shell/hinge';
import type { MeshPattern } from '../../../../solvers/elastic/mesh-pattern';
import { POISSON_RATIO, RADIUS, YOUNG_MODULUS } from '../../../../state/material-places';
import type { Tables } from '../../../../state/tables';

/** Pairs of a hinge's nodes, in the order of `edgeSlot`. */
const PAIRS = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3];

/** How far any node of a sheet gives way over the sheet as a whole, 1/mass; a rigid plate's corner does by 7 [-]. */
const BOARD = 30;

const derivative = new Float64Array(4);

/**
 * out[row] := three times how far the node of that row gives way to a unit of impulse [1/kg]; `held`: 1 for each node,
 * from the object's first, whose motion is prescribed; `stiffness`: σ [s²]. False: it is a board, of which that says
 * little.
 */
export function giveAtRest(
  out: Float32Array,
  tables: Tables,
  object: number,
  pattern: MeshPattern,
  held: Uint8Array,
  stiffness: number,
): boolean {
  const { nodes, nodeOf, start, toFactor } = pattern;
  const first = tables.strands.first[object];

  // Rows of the upper triangle: the diagonal, then what the factor has a place for.
  const rowStart = new Int32Array(nodes + 1);
  const entryOf = new Int32Array(toFactor.length).fill(-1);
  const column: number[] = [];
  for (let j = 0; j < nodes; j++) {
    column.push(j);
    for (let p = start[j]; p < start[j + 1]; p++) {
      if (toFactor[p] >= 0) entryOf[p] = column.push(pattern.row[p]) - 1;
    }
    rowStart[j + 1] = column.length;
  }
  const values = new Float64Array(column.length);
  let mass = 0;
  for (let j = 0; j < nodes; j++) {
    values[rowStart[j]] = tables.nodes.mass[2 * (first + nodeOf[j])];
    mass += values[rowStart[j]];
  }
  addHinges(values, { tables, object, pattern, held, rowStart, entryOf, stiffness });

  const order = Int32Array.from({ length: nodes }, (_, j) => j);
  const ldl = analyseLdl(nodes, rowStart, column, order, Number.POSITIVE_INFINITY)!;
  const diagonal = new Float64Array(nodes);
  // Masses and squares are positive definite; where rounding says no, each node is asked alone.
  if (factorLdl(ldl, values, null) < 0) sparseInverseDiagonal(diagonal, ldl);
  else for (let j = 0; j < nodes; j++) diagonal[j] = 1 / values[rowStart[j]];
  let most = 0;
  for (let j = 0; j < nodes; j++) {
    out[j] = diagonal[j];
    most = Math.max(most, diagonal[j]);
  }
  return most * mass > BOARD;
}

interface Sum {
  readonly tables: Tables;
  readonly object: number;
  readonly pattern: MeshPattern;
  readonly held: Uint8Array;
  readonly rowStart: Int32Array;
  readonly entryOf: Int32Array;
  readonly stiffness: number;
}

/** values += σ k c cᵀ of all hinges. */
function addHinges(values: Float64Array, sum: Sum): void {
  const { tables, object, pattern, held, rowStart, entryOf, stiffness } = sum;
  const { strands, meshEdges, rods } = tables;
  const slot = strands.rod[object];
  const at = 8 * slot;
  const poisson = rods.extra[4 * slot + POISSON_RATIO];
  const unit = stiffness * hingeStiffness(rods.parameter[at + YOUNG_MODULUS], rods.parameter[at + RADIUS], poisson);
  const first = strands.first[object];
  const from = strands.meshEdges[2 * object];
  for (let e = 0; e < strands.meshEdges[2 * object + 1]; e++) {
    const edge = 4 * (from + e);
    if (meshEdges.node[edge + 3] < 0) continue;
    deriveHinge(tables, from + e);
    const k = unit * meshEdges.rest[edge + 3];
    for (let i = 0; i < 4; i++) {
      const node = meshEdges.node[edge + i] - first;
      if (held[node]) derivative[i] = 0;
      values[rowStart[pattern.rowOf[node]]] += k * derivative[i] ** 2;
    }
    for (let pair = 0; pair < 6; pair++) {
      const [i, j] = [PAIRS[2 * pair], PAIRS[2 * pair + 1]];
      const entry = entryOf[pattern.edgeSlot[6 * e + pair]];
      if (entry >= 0) {
        values[entry] += k * derivative[i] * derivative[j];
        continue;
      }
      for (const opposite of [i, j]) {
        const row = pattern.rowOf[meshEdges.node[edge + opposite] - first];
        values[rowStart[row]] += k * derivative[opposite] ** 2;
      }
    }
  }
}

/** derivative := that of a flat hinge's angle by the heights of its nodes [rad/m]. */
function deriveHinge({ meshEdges, triangles }: Tables, edge: number): void {
  const [p, q] = meshEdges.node.subarray(4 * edge, 4 * edge + 2);
  const length = meshEdges.rest[4 * edge];
  derivative.fill(0);
  for (let side = 0; side < 2; side++) {
    const t = meshEdges.triangle[4 * edge + side];
    const far = meshEdges.node[4 * edge + 2 + side];
    // Squares of the two other sides, that at p less that at q.
    let difference = 0;
    for (let k = 0; k < 3; k++) {
      const a = triangles.node[4 * t + k];
      const b = triangles.node[4 * t + ((k + 1) % 3)];
      if (a !== far && b !== far) continue;
      const square = meshEdges.rest[4 * triangles.edge[4 * t + k]] ** 2;
      difference += a === p || b === p ? square : a === q || b === q ? -square : 0;
    }
    const overHeight = length / (2 * triangles.rest[8 * t + 4]);
    // Where the far node is along the edge, from p.
    const along = 0.5 + difference / (2 * length * length);
    derivative[0] -= (1 - along) * overHeight;
    derivative[1] -= along * overHeight;
    derivative[2 + side] += overHeight;
  }
}
