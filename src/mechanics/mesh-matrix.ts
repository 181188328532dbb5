// A of an object with a mesh in double precision: 3×3 blocks in compressed rows, analysed once per mesh, factored by
// LDLᵀ.

import { dissectionOrder, placesByDistance } from '../math/dissection-order';
import { analyseLdl, factorLdl, type SparseLdl, solveLdl } from '../math/sparse-ldl';

/** A column of node numbers: `count` rows from `first` on, `width` nodes each, `stride` numbers apart, default four. */
export interface Couplings {
  readonly column: Int32Array;
  readonly first: number;
  readonly count: number;
  readonly width: number;
  readonly stride?: number;
}

/** Matrix, factors and work of one object. Nodes count from the object's first. */
export interface MeshMatrix {
  readonly nodes: number;
  /** What the mesh was when it was analysed, to see whether it still is. */
  readonly mesh: Int32Array;
  /** Blocks of node i: blockStart[i] to blockStart[i + 1], columns rising. */
  readonly blockStart: Int32Array;
  readonly blockColumn: Int32Array;
  /** By row of the couplings, node, node: which block. Rows that name no node (−1) have none. */
  readonly slot: Int32Array;
  /**
   * Scalar entries, row by row: those of block p of node i in its row r are at 9·blockStart[i] +
   * 3·blocks·r + 3·(p − blockStart[i]).
   */
  readonly values: Float64Array;
  /** Factors of A, and of A + W. */
  readonly factor: SparseLdl;
  readonly weighted: SparseLdl;
  /** By node: 1 where its motion is prescribed; velocities there [m/s]. */
  readonly held: Uint8Array;
  readonly heldVelocity: Float64Array;
  /** Three numbers a node: right-hand sides, weights. */
  readonly x: Float64Array;
  /** Four numbers a node: positions that forces are taken at, and those that the last linearisation was made at [m]. */
  readonly at: Float64Array;
  readonly before: Float64Array;
}

/** Whether `matrix` is of this mesh. */
export function isOfMesh(matrix: MeshMatrix, couplings: readonly Couplings[], first: number, nodes: number): boolean {
  const { mesh } = matrix;
  if (matrix.nodes !== nodes) return false;
  let at = 0;
  for (const { column, first: from, count, width, stride = 4 } of couplings) {
    for (let row = from; row < from + count; row++) {
      for (let k = stride * row; k < stride * row + width; k++) {
        if (at >= mesh.length || mesh[at++] !== (column[k] < 0 ? -1 : column[k] - first)) return false;
      }
    }
  }
  return at === mesh.length;
}

/** Analyses a mesh: every two nodes that a row of the couplings names have a block. */
export function analyseMesh(couplings: readonly Couplings[], first: number, nodes: number): MeshMatrix {
  const mesh = listMesh(couplings, first);
  const rows = Array.from({ length: nodes }, (_, i) => new Set([i]));
  visitRows(couplings, mesh, (at, width) => {
    for (let a = 0; a < width; a++) for (let b = 0; b < width; b++) rows[mesh[at + a]].add(mesh[at + b]);
  });
  const blockStart = new Int32Array(nodes + 1);
  for (let i = 0; i < nodes; i++) blockStart[i + 1] = blockStart[i] + rows[i].size;
  const blockColumn = new Int32Array(blockStart[nodes]);
  for (let i = 0; i < nodes; i++) {
    blockColumn.set(
      [...rows[i]].sort((a, b) => a - b),
      blockStart[i],
    );
  }
  const slot: number[] = [];
  visitRows(couplings, mesh, (at, width) => {
    for (let a = 0; a < width; a++)
      for (let b = 0; b < width; b++) slot.push(findBlock(blockStart, blockColumn, mesh[at + a], mesh[at + b]));
  });

  const factor = analyse(blockStart, blockColumn);
  return {
    nodes,
    mesh,
    blockStart,
    blockColumn,
    slot: Int32Array.from(slot),
    values: new Float64Array(9 * blockColumn.length),
    factor,
    weighted: {
      ...factor,
      row: new Int32Array(factor.row.length),
      lower: new Float64Array(factor.lower.length),
      diagonal: new Float64Array(factor.size),
    },
    held: new Uint8Array(nodes),
    heldVelocity: new Float64Array(3 * nodes),
    x: new Float64Array(3 * nodes),
    at: new Float64Array(4 * nodes),
    before: new Float64Array(4 * nodes),
  };
}

function listMesh(couplings: readonly Couplings[], first: number): Int32Array {
  const mesh: number[] = [];
  for (const { column, first: from, count, width, stride = 4 } of couplings) {
    for (let row = from; row < from + count; row++) {
      for (let k = stride * row; k < stride * row + width; k++) mesh.push(column[k] < 0 ? -1 : column[k] - first);
    }
  }
  return Int32Array.from(mesh);
}

/** Visits the rows that name as many nodes as they have room for: their place in the list, their width. */
function visitRows(
  couplings: readonly Couplings[],
  mesh: Int32Array,
  visit: (at: number, width: number) => void,
): void {
  let at = 0;
  for (const { count, width } of couplings) {
    for (let row = 0; row < count; row++, at += width) if (isFull(mesh, at, width)) visit(at, width);
  }
}

/** Whether a row names a node in every place. */
function isFull(mesh: Int32Array, at: number, width: number): boolean {
  for (let k = at; k < at + width; k++) if (mesh[k] < 0) return false;
  return true;
}

function findBlock(start: Int32Array, column: Int32Array, i: number, j: number): number {
  let low = start[i];
  let high = start[i + 1] - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (column[middle] < j) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Order, tree and counts of the scalar matrix. */
function analyse(blockStart: Int32Array, blockColumn: Int32Array): SparseLdl {
  const nodes = blockStart.length - 1;
  const byNode = new Int32Array(nodes);
  dissectionOrder(byNode, nodes, blockStart, blockColumn, placesByDistance(nodes, blockStart, blockColumn));
  const size = 3 * nodes;
  const order = new Int32Array(size);
  for (let p = 0; p < size; p++) order[p] = 3 * byNode[Math.floor(p / 3)] + (p % 3);
  const start = new Int32Array(size + 1);
  const column = new Int32Array(9 * blockColumn.length);
  for (let i = 0; i < nodes; i++) {
    const blocks = blockStart[i + 1] - blockStart[i];
    for (let r = 0; r < 3; r++) {
      start[3 * i + r] = 9 * blockStart[i] + 3 * blocks * r;
      for (let p = 0; p < blocks; p++) {
        for (let c = 0; c < 3; c++) column[start[3 * i + r] + 3 * p + c] = 3 * blockColumn[blockStart[i] + p] + c;
      }
    }
  }
  start[size] = column.length;
  return analyseLdl(size, start, column, order, Number.POSITIVE_INFINITY)!;
}

/** values += scale · an element's block matrix (3·width rows and columns, row by row) at `slot` of the couplings. */
export function addElement(m: MeshMatrix, slot: number, width: number, K: Float64Array, scale: number): void {
  const { blockStart, blockColumn, values } = m;
  for (let a = 0; a < width; a++) {
    // The row's node: that of its diagonal block.
    const i = blockColumn[m.slot[slot + width * a + a]];
    const stride = 3 * (blockStart[i + 1] - blockStart[i]);
    for (let b = 0; b < width; b++) {
      const to = 9 * blockStart[i] + 3 * (m.slot[slot + width * a + b] - blockStart[i]);
      const k = 9 * width * a + 3 * b;
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) values[to + stride * r + c] += scale * K[k + 3 * width * r + c];
      }
    }
  }
}

/** f += scale · A x, both four numbers a node, f from `from` on. */
export function addProduct(m: MeshMatrix, f: Float64Array, from: number, scale: number, x: Float64Array): void {
  const { nodes, blockStart, blockColumn, values } = m;
  for (let i = 0; i < nodes; i++) {
    const blocks = blockStart[i + 1] - blockStart[i];
    for (let r = 0; r < 3; r++) {
      let at = 9 * blockStart[i] + 3 * blocks * r;
      let sum = 0;
      for (let p = blockStart[i]; p < blockStart[i + 1]; p++) {
        for (let c = 0; c < 3; c++) sum += values[at++] * x[4 * blockColumn[p] + c];
      }
      f[from + 4 * i + r] += scale * sum;
    }
  }
}

/** Diagonal entries of a node: x += value. */
export function addDiagonal(m: MeshMatrix, node: number, value: number): void {
  addScaled(m.values, m, node, node, value);
}

/** values[i, j] += value · 1 of two nodes that have a block. */
export function addScaled(values: Float64Array, m: MeshMatrix, i: number, j: number, value: number): void {
  const { blockStart, blockColumn } = m;
  const p = findBlock(blockStart, blockColumn, i, j) - blockStart[i];
  const stride = 3 * (blockStart[i + 1] - blockStart[i]);
  for (let r = 0; r < 3; r++) values[9 * blockStart[i] + stride * r + 3 * p + r] += value;
}

/** Identity rows for held nodes; what they push on the others moves to f (four numbers a node, from `from` on). */
export function holdNodes(m: MeshMatrix, f: Float64Array, from: number): void {
  const { nodes, blockStart, blockColumn, values, held, heldVelocity } = m;
  for (let i = 0; i < nodes; i++) {
    const stride = 3 * (blockStart[i + 1] - blockStart[i]);
    for (let p = blockStart[i]; p < blockStart[i + 1]; p++) {
      const j = blockColumn[p];
      if (held[i] === 0 && held[j] === 0) continue;
      const at = 9 * blockStart[i] + 3 * (p - blockStart[i]);
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          const entry = at + stride * r + c;
          if (held[i] === 0) f[from + 4 * i + r] -= values[entry] * heldVelocity[3 * j + c];
          values[entry] = i === j && r === c ? 1 : 0;
        }
      }
    }
    if (held[i] === 1) for (let k = 0; k < 3; k++) f[from + 4 * i + k] = heldVelocity[3 * i + k];
  }
}

/** Factors A; false: it is no good. */
export function factorMesh(m: MeshMatrix): boolean {
  return factorLdl(m.factor, m.values, null) < 0;
}

/**
 * Factors A + W; `weight`: four numbers a node, from `from` on. Held nodes have none. `values`: entries in the place of
 * those of A.
 */
export function factorWeighted(
  m: MeshMatrix,
  weight: Float64Array,
  from: number,
  values: Float64Array | null = null,
): void {
  for (let i = 0; i < m.nodes; i++) {
    for (let k = 0; k < 3; k++) m.x[3 * i + k] = m.held[i] === 1 ? 0 : weight[from + 4 * i + k];
  }
  factorLdl(m.weighted, values ?? m.values, m.x);
}

/** x := A⁻¹ x or (A + W)⁻¹ x, four numbers a node from `from` on; the fourth stays. */
export function solveMesh(m: MeshMatrix, x: Float64Array, from: number, isWeighted: boolean): void {
  for (let i = 0; i < m.nodes; i++) for (let k = 0; k < 3; k++) m.x[3 * i + k] = x[from + 4 * i + k];
  solveLdl(isWeighted ? m.weighted : m.factor, m.x);
  for (let i = 0; i < m.nodes; i++) for (let k = 0; k < 3; k++) x[from + 4 * i + k] = m.x[3 * i + k];
}
