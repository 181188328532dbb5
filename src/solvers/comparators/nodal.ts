/**
 * Node by node, after the solver of Li et al. 2018 for cloth whose contacts are at its nodes, as Daviet 2020 compares
 * with it (Table 1): Gauss–Seidel on A v = f + Hᵀ r itself, with the exact law at each contact of a node against
 * the block of A of the nodes that it joins,
 *
 *   v_i := A_ii⁻¹ (f_i + (Hᵀ r)_i − Σ_j A_ij v_j), then for each contact of node i
 *   W = Σ_k H_k A_kk⁻¹ H_kᵀ, r from u = H v + w and the law, v_k := v_k + A_kk⁻¹ H_kᵀ Δr.
 *
 * No contact operator is assembled. Theirs splits nodes until each has one contact; here a node takes its contacts in
 * turn, which is the same fixed point. A comparator for bench and lab: it allocates.
 */
import type { MixedProblem } from '../conjugate-residual/work';
import { sweepBlock } from '../gauss-seidel';
import { createHybrid } from '../local/hybrid';
import type { CompressedRows } from '../sparse-form';

export interface NodalOptions {
  /** Largest change of a velocity in a sweep that ends them [m/s]. */
  tolerance: number;
  /** Sweeps over the nodes at most [-]. */
  iterationLimit: number;
  onIteration?: (iterations: number) => void;
}

export interface NodalReport {
  status: 'converged' | 'iteration-limit';
  iterations: number;
}

/** Unknowns by threes: nodes where contacts act, what is left over by itself (size 1). */
interface Blocks {
  /** First unknown and size of each block. */
  first: number[];
  size: number[];
  /** Block of each unknown. */
  of: Int32Array;
  /** Inverse of each block of A, nine numbers. */
  inverse: Float64Array;
}

/** Of a contact: its blocks and the 3×3 part of H of each. */
interface NodalContact {
  blocks: number[];
  H: Float64Array[];
  W: Float64Array;
  isBilateral: boolean;
}

/** Solves from nothing into r, three impulses a contact [N·s]. `A` is the matrix of the problem's operator. */
export function solveNodal(
  problem: MixedProblem,
  A: CompressedRows,
  r: Float64Array,
  options: NodalOptions,
): NodalReport {
  const { operator, rows, f } = problem;
  const blocks = findBlocks(problem, A);
  const contacts = Array.from({ length: rows.count }, (_, c) => readContact(problem, blocks, c));
  const touching: number[][] = blocks.first.map(() => []);
  contacts.forEach(({ blocks: own }, c) => {
    for (const block of own) touching[block].push(c);
  });
  const v = new Float64Array(operator.size);
  const force = Float64Array.from(f);
  const before = new Float64Array(operator.size);
  const solve = createHybrid();
  const b = new Float64Array(3);
  r.fill(0);
  const report: NodalReport = { status: 'iteration-limit', iterations: 0 };

  while (report.iterations < options.iterationLimit) {
    before.set(v);

    for (let block = 0; block < blocks.first.length; block++) {
      relax(v, A, force, blocks, block);
      for (const c of touching[block]) {
        const { blocks: own, H, W, isBilateral } = contacts[c];
        for (let i = 0; i < 3; i++) {
          b[i] = rows.w[3 * c + i];
          for (let k = 0; k < own.length; k++) {
            for (let j = 0; j < blocks.size[own[k]]; j++) b[i] += H[k][3 * i + j] * v[blocks.first[own[k]] + j];
          }
          for (let j = 0; j < 3; j++) b[i] -= W[3 * i + j] * r[3 * c + j];
        }
        const [x, y, z] = r.subarray(3 * c, 3 * c + 3);
        if (isBilateral) sweepBlock(r, 3 * c, W, 0, b);
        else solve(r, 3 * c, W, 0, b, 0, rows.mu[c]);
        apply(v, force, blocks, contacts[c], [r[3 * c] - x, r[3 * c + 1] - y, r[3 * c + 2] - z]);
      }
    }

    report.iterations++;
    options.onIteration?.(report.iterations);
    let change = 0;
    for (let i = 0; i < v.length; i++) change = Math.max(change, Math.abs(v[i] - before[i]));
    if (change <= options.tolerance) {
      report.status = 'converged';
      break;
    }
  }

  return report;
}

function findBlocks({ operator, rows }: MixedProblem, A: CompressedRows): Blocks {
  const { size } = operator;
  const touched = new Uint8Array(size);
  for (let k = 0; k < rows.start[rows.count]; k++) touched[rows.column[k]] = 1;
  const blocks: Blocks = { first: [], size: [], of: new Int32Array(size), inverse: new Float64Array(9 * size) };
  for (let i = 0; i < size; ) {
    const isNode = touched[i] === 1 && i + 2 < size && touched[i + 1] === 1 && touched[i + 2] === 1;
    const block = blocks.first.length;
    const length = isNode ? 3 : 1;
    blocks.first.push(i);
    blocks.size.push(length);
    blocks.of.fill(block, i, i + length);
    invert(blocks, A, block);
    i += length;
  }
  return blocks;
}

function invert({ first, size, inverse }: Blocks, { start, column, value }: CompressedRows, block: number): void {
  const own = new Float64Array(9);
  const [from, length] = [first[block], size[block]];
  for (let i = 0; i < length; i++) {
    for (let k = start[from + i]; k < start[from + i + 1]; k++) {
      const j = column[k] - from;
      if (j >= 0 && j < length) own[3 * i + j] = value[k];
    }
  }
  for (let j = length; j < 3; j++) own[4 * j] = 1;
  for (let j = 0; j < 3; j++) {
    const unit = new Float64Array(3);
    unit[j] = -1;
    const x = new Float64Array(3);
    sweepBlock(x, 0, own, 0, unit);
    for (let i = 0; i < 3; i++) inverse[9 * block + 3 * i + j] = x[i];
  }
}

function readContact({ rows }: MixedProblem, { of, first, inverse }: Blocks, c: number): NodalContact {
  const parts = new Map<number, Float64Array>();
  for (let k = rows.start[c]; k < rows.start[c + 1]; k++) {
    const block = of[rows.column[k]];
    const H = parts.get(block) ?? new Float64Array(9);
    for (let i = 0; i < 3; i++) H[3 * i + rows.column[k] - first[block]] = rows.value[3 * k + i];
    parts.set(block, H);
  }
  const W = new Float64Array(9);
  for (const [block, H] of parts) {
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        for (let p = 0; p < 3; p++) {
          for (let q = 0; q < 3; q++) W[3 * i + j] += H[3 * i + p] * inverse[9 * block + 3 * p + q] * H[3 * j + q];
        }
      }
    }
  }
  return { blocks: [...parts.keys()], H: [...parts.values()], W, isBilateral: rows.bilateral?.[c] === 1 };
}

/** v_i := A_ii⁻¹ (force_i − Σ_j A_ij v_j) */
function relax(v: Float64Array, A: CompressedRows, force: Float64Array, blocks: Blocks, block: number): void {
  const [from, size] = [blocks.first[block], blocks.size[block]];
  const right = [0, 0, 0];
  for (let i = 0; i < size; i++) {
    right[i] = force[from + i];
    for (let k = A.start[from + i]; k < A.start[from + i + 1]; k++) {
      const j = A.column[k];
      if (j < from || j >= from + size) right[i] -= A.value[k] * v[j];
    }
  }
  for (let i = 0; i < size; i++) {
    v[from + i] = 0;
    for (let j = 0; j < size; j++) v[from + i] += blocks.inverse[9 * block + 3 * i + j] * right[j];
  }
}

/** A change of one contact's impulse: in the forces, and in the velocities of its nodes alone. */
function apply(
  v: Float64Array,
  force: Float64Array,
  { first, size, inverse }: Blocks,
  { blocks, H }: NodalContact,
  change: readonly number[],
): void {
  blocks.forEach((block, k) => {
    const push = [0, 0, 0];
    for (let j = 0; j < size[block]; j++) {
      for (let i = 0; i < 3; i++) push[j] += H[k][3 * i + j] * change[i];
      force[first[block] + j] += push[j];
    }
    for (let i = 0; i < size[block]; i++) {
      for (let j = 0; j < size[block]; j++) v[first[block] + i] += inverse[9 * block + 3 * i + j] * push[j];
    }
  });
}
