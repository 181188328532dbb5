// Statics of a solid by Newton's method: projected stiffness, sparse factor, step halved until the energy falls.

import { analyseLdl, factorLdl, solveLdl } from '../../../src/math/sparse-ldl';
import { minimumDegreeOrder } from '../../../src/math/sparse-order';
import { assembleElastic, solidPattern } from '../../../src/mechanics/solid/assemble-solid';
import type { SolidLaw } from '../../../src/mechanics/solid/stretch-energy';
import type { TestMesh } from './meshes';

export interface StaticResult {
  position: Float64Array;
  /** Elastic force on what holds each node: the gradient of the elastic energy, four numbers a node [N]. */
  gradient: Float64Array;
  iterations: number;
  /** Largest force left on a free unknown [N]. */
  residual: number;
}

/**
 * Rest position under `force` (four numbers a node [N]) with the unknowns 4·node + axis
 * of `held` where `start` has them.
 */
export function solveStatic(
  mesh: TestMesh,
  law: SolidLaw,
  held: ReadonlySet<number>,
  force: Float64Array,
  start: Float64Array = mesh.rest,
  options: { tolerance?: number; iterations?: number } = {},
): StaticResult {
  const { elements, nodes } = mesh;
  const pattern = solidPattern(elements, 0, nodes);
  const K = new Float64Array(9 * pattern.column.length);

  // The scalar pattern: rows of three, order of elimination by nodes.
  const scalarStart = new Int32Array(3 * nodes + 1);
  const columns: number[] = [];
  for (let i = 0; i < nodes; i++) {
    for (let r = 0; r < 3; r++) {
      for (let b = pattern.start[i]; b < pattern.start[i + 1]; b++)
        for (let c = 0; c < 3; c++) columns.push(3 * pattern.column[b] + c);
      scalarStart[3 * i + r + 1] = columns.length;
    }
  }
  const order = new Int32Array(nodes);
  minimumDegreeOrder(order, nodes, pattern.start, pattern.column);
  const scalarOrder = Int32Array.from({ length: 3 * nodes }, (_, p) => 3 * order[Math.floor(p / 3)] + (p % 3));
  const ldl = analyseLdl(3 * nodes, scalarStart, columns, scalarOrder)!;
  const values = new Float64Array(columns.length);
  const fixed = Uint8Array.from({ length: 3 * nodes }, (_, u) => (held.has(4 * Math.floor(u / 3) + (u % 3)) ? 1 : 0));

  const position = start.slice();
  const gradient = new Float64Array(4 * nodes);
  const x = new Float64Array(3 * nodes);
  const work = (at: Float64Array) => force.reduce((sum, f, k) => sum + f * at[k], 0);
  const { tolerance = 1e-8, iterations: most = 60 } = options;
  let scale = 0;
  for (let iteration = 0; ; iteration++) {
    K.fill(0);
    gradient.fill(0);
    const energy = assembleElastic(K, gradient, elements, pattern, position, law) - work(position);
    let residual = 0;
    for (let u = 0; u < 3 * nodes; u++) {
      const at = 4 * Math.floor(u / 3) + (u % 3);
      x[u] = fixed[u] ? 0 : force[at] - gradient[at];
      residual = Math.max(residual, Math.abs(x[u]));
      scale = Math.max(scale, Math.abs(gradient[at]), Math.abs(force[at]));
    }
    if (residual <= tolerance * scale || iteration === most) {
      return { position, gradient, iterations: iteration, residual };
    }
    for (let i = 0; i < nodes; i++) {
      for (let r = 0; r < 3; r++) {
        let at = scalarStart[3 * i + r];
        for (let b = pattern.start[i]; b < pattern.start[i + 1]; b++)
          for (let c = 0; c < 3; c++) {
            const column = 3 * pattern.column[b] + c;
            const isFixed = fixed[3 * i + r] || fixed[column];
            values[at++] = isFixed ? (column === 3 * i + r ? 1 : 0) : K[9 * b + 3 * r + c];
          }
      }
    }
    if (factorLdl(ldl, values, null) >= 0) throw new Error('the stiffness has no factor: what holds the solid?');
    const downhill = x.slice();
    solveLdl(ldl, x);
    const slope = x.reduce((sum, d, u) => sum + d * downhill[u], 0);
    for (let share = 1; ; share /= 2) {
      const trial = position.slice();
      for (let u = 0; u < 3 * nodes; u++) trial[4 * Math.floor(u / 3) + (u % 3)] += share * x[u];
      const next = assembleElastic(null, null, elements, pattern, trial, law) - work(trial);
      if (next <= energy - 1e-4 * share * slope + 1e-14 * Math.abs(energy) || share < 1e-6) {
        position.set(trial);
        break;
      }
    }
  }
}
