// The elastic equations of objects with a mesh in double precision, whatever their elements: A, A + W and their
// factors.
//
//   A = M + (dt·damping + dt²) K (+ drag),   f = M v + dt (F(q) + M g) + dt² K v_k   (as
// mechanics/rod/assemble-strand.ts has it)
//
// A kind adds its elements, in the order of its couplings. Vectors have four numbers a node, the fourth idle.

import { sparseInverseDiagonal } from '../math/sparse-inverse';
import { STRAND_QUARANTINED } from '../state/layout';
import { DAMPING, GRAVITY_SCALE } from '../state/material-places';
import type { Tables } from '../state/tables';
import type { ElasticStep, ObjectSystem } from './elastic-kind';
import {
  addDiagonal,
  addProduct,
  addScaled,
  analyseMesh,
  type Couplings,
  factorMesh,
  factorWeighted,
  holdNodes,
  isOfMesh,
  type MeshMatrix,
  solveMesh,
} from './mesh-matrix';
import { prescribePins } from './pins';
import {
  crowdOfRiders,
  firstRider,
  giveOfRider,
  handDown,
  ownNodes,
  rideAlong,
  riderCorner,
  riderShare,
} from './solid/riders';

/** One object's part in a step. */
export interface MeshStep {
  readonly tables: Tables;
  readonly object: number;
  readonly matrix: MeshMatrix;
  /** Right-hand side: four numbers a node of the object from `from` on. */
  readonly f: Float64Array;
  readonly from: number;
  /** [s] */
  readonly dt: number;
  /** Factor of K in A, dt² + dt·damping [s²]. */
  readonly stiffness: number;
  readonly step: ElasticStep;
}

/** What a kind of elements is to the equations. */
export interface MeshElements {
  /** What couples nodes, in the order in which `addElastic` adds it. */
  couplings(tables: Tables, object: number): Couplings[];
  /** A += stiffness·K, f += dt·F at `matrix.at`; nodes count from the object's first. */
  addElastic(of: MeshStep): void;
  /** A and f of what else acts on the elements: air. */
  addOutside?(of: MeshStep): void;
}

/** An empty system; one a world. */
export function createMeshSystem(elements: MeshElements): ObjectSystem {
  const matrices: MeshMatrix[] = [];
  const inverse = { diagonal: new Float64Array(0) };

  const matrixOf = (tables: Tables, object: number): MeshMatrix => {
    const couplings = elements.couplings(tables, object);
    const { first } = tables.strands;
    const nodes = ownNodes(tables, object);
    const found = matrices[object];
    if (found && isOfMesh(found, couplings, first[object], nodes)) return found;
    matrices[object] = analyseMesh(couplings, first[object], nodes);
    return matrices[object];
  };

  const fill = (
    tables: Tables,
    object: number,
    step: ElasticStep,
    guess: Float64Array | null,
    f: Float64Array,
  ): MeshMatrix => {
    const matrix = matrixOf(tables, object);
    fillMatrix(elements, { matrix, tables, object, step, f }, guess);
    return matrix;
  };

  return {
    resize() {},
    assemble: (tables, object, step, guess, f) => factorMesh(fill(tables, object, step, guess, f)),
    rightHandSide(out, tables, object, step) {
      fill(tables, object, step, null, out);
    },

    solve(x, tables, object, isWeighted) {
      handDown(x, tables, object, matrices[object].held);
      solveMesh(matrices[object], x, 4 * tables.strands.first[object], isWeighted);
      rideAlong(x, tables, object);
    },

    multiply(out, x, tables, object) {
      const from = 4 * tables.strands.first[object];
      const size = 4 * tables.strands.nodes[object];
      out.fill(0, from, from + size);
      addProduct(matrices[object], out, from, 1, x.subarray(from, from + size));
    },

    give(out, tables, object) {
      const { nodes, factor } = matrices[object];
      if (inverse.diagonal.length < 3 * nodes) inverse.diagonal = new Float64Array(6 * nodes);
      const d = inverse.diagonal;
      sparseInverseDiagonal(d, factor);
      const first = tables.strands.first[object];
      for (let i = 0; i < nodes; i++) out[first + i] = (d[3 * i] + d[3 * i + 1] + d[3 * i + 2]) / 3;
      giveRiders(out, tables, object);
    },

    block(out, tables, object, node) {
      const { blockStart, blockColumn, values } = matrices[object];
      const isRider = node >= firstRider(tables, object);
      const i = isRider ? riderCorner(tables, node, 0) : node - tables.strands.first[object];
      const blocks = blockStart[i + 1] - blockStart[i];
      const p = blockColumn.indexOf(i, blockStart[i]) - blockStart[i];
      for (let r = 0; r < 3; r++) {
        for (let k = 0; k < 3; k++) out[3 * r + k] = values[9 * blockStart[i] + 3 * blocks * r + 3 * p + k];
      }
    },

    weigh(weight, tables, object) {
      const riders = tables.strands.riders[object] > 0 ? riderBlocks(matrices[object], weight, tables, object) : null;
      factorWeighted(matrices[object], weight, 4 * tables.strands.first[object], riders);
    },
    isHeld: (tables, object, node) => isHeldNode(matrices[object].held, tables, object, node),
  };
}

/** Whether a node's motion is prescribed: of a rider, that of all its corners. */
function isHeldNode(held: Uint8Array, tables: Tables, object: number, node: number): boolean {
  if (node < firstRider(tables, object)) return held[node - tables.strands.first[object]] === 1;
  for (let k = 0; k < 4; k++) if (held[riderCorner(tables, node, k)] === 0) return false;
  return true;
}

function giveRiders(out: Float64Array, tables: Tables, object: number): void {
  const { first, riders } = tables.strands;
  if (riders[object] === 0) return;
  const crowd = crowdOfRiders(tables, object);
  const from = firstRider(tables, object);
  const giveOf = (corner: number) => out[first[object] + corner];
  for (let r = 0; r < crowd.length; r++) out[from + r] = crowd[r] * giveOfRider(tables, from + r, giveOf);
}

/** Bᵀ W B of an object's riders as entries beside those of A: value by place. */
function riderBlocks(m: MeshMatrix, weight: Float64Array, tables: Tables, object: number): Float64Array {
  const values = Float64Array.from(m.values);
  const from = firstRider(tables, object);
  for (let rider = from; rider < from + tables.strands.riders[object]; rider++) {
    const w = weight[4 * rider];
    if (w === 0) continue;
    for (let a = 0; a < 4; a++) {
      const i = riderCorner(tables, rider, a);
      if (m.held[i] === 1) continue;
      for (let b = 0; b < 4; b++) {
        const j = riderCorner(tables, rider, b);
        const push = w * riderShare(tables, rider, a) * riderShare(tables, rider, b);
        if (m.held[j] === 0) addScaled(values, m, i, j, push);
      }
    }
  }
  return values;
}

interface Target {
  matrix: MeshMatrix;
  tables: Tables;
  object: number;
  step: ElasticStep;
  f: Float64Array;
}

function fillMatrix(
  elements: MeshElements,
  { matrix, tables, object, step, f }: Target,
  guess: Float64Array | null,
): void {
  const { strands, nodes, rods } = tables;
  const from = 4 * strands.first[object];
  const size = 4 * matrix.nodes;
  const riders = 4 * strands.riders[object];
  const slot = strands.rod[object];
  const dt = step.timeStep;
  matrix.values.fill(0);
  f.fill(0, from, from + size + riders);
  if (strands.flags[object] & STRAND_QUARANTINED) {
    for (let i = 0; i < matrix.nodes; i++) addDiagonal(matrix, i, 1);
    return;
  }
  const last = guess ? nodes.position : nodes.previous;
  for (let i = 0; i < size; i++) {
    matrix.at[i] = nodes.position[from + i] + (guess ? dt * guess[i] : 0);
    matrix.before[i] = last[from + i];
  }
  const stiffness = dt * (dt + rods.parameter[8 * slot + DAMPING]);
  const of = { tables, object, matrix, f, from, dt, stiffness, step };
  elements.addElastic(of);
  if (guess) addProduct(matrix, f, from, (dt * dt) / stiffness, guess);
  addInertia(of);
  elements.addOutside?.(of);
  prescribePins(matrix.held, matrix.heldVelocity, tables, object, step);
  holdNodes(matrix, f, from);
}

/** Masses, gravity, user forces. */
function addInertia({ tables, object, matrix, f, from, dt, step }: MeshStep): void {
  const { mass, velocity, force } = tables.nodes;
  const { first, rod } = tables.strands;
  const scale = dt * tables.rods.extra[4 * rod[object] + GRAVITY_SCALE];
  for (let i = 0; i < matrix.nodes; i++) {
    const node = first[object] + i;
    const m = mass[2 * node];
    addDiagonal(matrix, i, m);
    for (let k = 0; k < 3; k++) {
      f[from + 4 * i + k] += m * (velocity[4 * node + k] + scale * step.gravity[k]) + dt * force[4 * node + k];
    }
  }
}
