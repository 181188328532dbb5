/**
 * Contact problems from sparse matrices: the reduced form W, b as it is, the full form
 *
 *   A v = f + Hᵀ r,   u = H v + w      →      W = H A⁻¹ Hᵀ,   b = H A⁻¹ f + w
 *
 * condensed with a sparse factor P A Pᵀ = L D Lᵀ: row c of W is Y_c D⁻¹ Yᵀ with Y = (L⁻¹ P Hᵀ)ᵀ, whose
 * rows are as sparse as the paths of the elimination tree allow (for rigid bodies, six numbers a body).
 * For files; allocates.
 */
import { UsageError } from '../core/errors';
import { analyseLdl, factorLdl, type SparseLdl, solveLdl } from '../math/sparse-ldl';
import { minimumDegreeOrder } from '../math/sparse-order';
import { type ContactProblem, createContactProblem } from './contact-problem';

/** A sparse matrix by its entries; entries at the same place add up. */
export interface SparseEntries {
  rows: number;
  columns: number;
  row: ArrayLike<number>;
  column: ArrayLike<number>;
  value: ArrayLike<number>;
}

/** Compressed rows, columns ascending, each place once. */
export interface CompressedRows {
  start: Int32Array;
  column: Int32Array;
  value: Float64Array;
}

/** Blocks of W that are allowed: 72 bytes each. */
const BLOCK_LIMIT = 6_000_000;

/** Sorts entries into rows and adds up those at the same place; the diagonal is always there when asked for. */
export function compressRows(matrix: SparseEntries, withDiagonal: boolean): CompressedRows {
  const rows: Map<number, number>[] = [];
  for (let i = 0; i < matrix.rows; i++) rows.push(new Map(withDiagonal ? [[i, 0]] : []));
  for (let k = 0; k < matrix.value.length; k++) {
    const row = rows[matrix.row[k]];
    row.set(matrix.column[k], (row.get(matrix.column[k]) ?? 0) + matrix.value[k]);
  }
  const start = new Int32Array(matrix.rows + 1);
  for (let i = 0; i < matrix.rows; i++) start[i + 1] = start[i] + rows[i].size;
  const column = new Int32Array(start[matrix.rows]);
  const value = new Float64Array(start[matrix.rows]);
  for (let i = 0; i < matrix.rows; i++) {
    let at = start[i];
    for (const [j, x] of [...rows[i]].sort(([a], [b]) => a - b)) {
      column[at] = j;
      value[at++] = x;
    }
  }
  return { start, column, value };
}

/** Collects rows of 3×3 blocks one contact at a time. */
function createBlockRows(contacts: number) {
  const rows: { columns: number[]; values: Float64Array }[] = [];
  let blockCount = 0;

  return {
    /** Adds the next contact's blocks: column and row-major nine numbers each; the diagonal one is added if absent. */
    add(blocks: Map<number, Float64Array>): void {
      const c = rows.length;
      if (!blocks.has(c)) blocks.set(c, new Float64Array(9));
      const columns = [...blocks.keys()].sort((a, b) => a - b);
      blockCount += columns.length;
      if (blockCount > BLOCK_LIMIT) {
        throw new UsageError(
          `W: must couple at most ${BLOCK_LIMIT} pairs of contacts, got more within the first ${c + 1} contacts`,
        );
      }
      const values = new Float64Array(9 * columns.length);
      columns.forEach((j, k) => {
        values.set(blocks.get(j) as Float64Array, 9 * k);
      });
      rows.push({ columns, values });
    },

    finish(b: ArrayLike<number>, mu: ArrayLike<number>, bilateral: ArrayLike<number> | null): ContactProblem {
      const problem = createContactProblem(contacts, blockCount);
      problem.contactCount = contacts;
      let at = 0;
      rows.forEach(({ columns, values }, c) => {
        problem.rowStart[c] = at;
        for (const j of columns) {
          if (j === c) problem.diagonal[c] = at;
          problem.column[at++] = j;
        }
        problem.values.set(values, 9 * problem.rowStart[c]);
      });
      problem.rowStart[contacts] = at;
      problem.b.set(b);
      problem.mu.set(mu);
      problem.law = bilateral ? Uint8Array.from(bilateral) : null;
      return problem;
    },
  };
}

function blockAt(blocks: Map<number, Float64Array>, contact: number): Float64Array {
  let block = blocks.get(contact);
  if (!block) {
    block = new Float64Array(9);
    blocks.set(contact, block);
  }
  return block;
}

/** Problem from W (side 3·contacts) and b. Throws UsageError when W couples too many pairs. */
export function contactProblemFromSparse(
  W: SparseEntries,
  b: ArrayLike<number>,
  mu: ArrayLike<number>,
  bilateral: ArrayLike<number> | null = null,
): ContactProblem {
  const contacts = mu.length;
  const { start, column, value } = compressRows(W, false);
  const rows = createBlockRows(contacts);
  for (let c = 0; c < contacts; c++) {
    const blocks = new Map<number, Float64Array>();
    for (let i = 0; i < 3; i++) {
      for (let k = start[3 * c + i]; k < start[3 * c + i + 1]; k++) {
        const j = column[k];
        blockAt(blocks, (j / 3) | 0)[3 * i + (j % 3)] = value[k];
      }
    }
    rows.add(blocks);
  }
  return rows.finish(b, mu, bilateral);
}

/** Difference of A_ij and A_ji that still counts as rounding, relative to the larger of both and √(A_ii A_jj). */
const ASYMMETRY = 1e-6;

/**
 * Problem of the full form. Throws UsageError, saying which row, when A is not symmetric positive definite, its factor
 * too large, or W couples too many pairs.
 */
export function condenseProblem(
  A: SparseEntries,
  f: ArrayLike<number>,
  H: SparseEntries,
  w: ArrayLike<number>,
  mu: ArrayLike<number>,
  bilateral: ArrayLike<number> | null = null,
): ContactProblem {
  const contacts = mu.length;
  const ldl = factorMass(A);
  const jacobian = compressRows(H, false);

  const v = Float64Array.from(f);
  solveLdl(ldl, v);
  const b = Float64Array.from(w);
  for (let i = 0; i < 3 * contacts; i++) {
    for (let k = jacobian.start[i]; k < jacobian.start[i + 1]; k++) b[i] += jacobian.value[k] * v[jacobian.column[k]];
  }

  // Y by rows, and by columns: which rows of W meet in place k, with which number.
  const Y: { places: number[]; values: Float64Array }[] = [];
  const met: number[][] = Array.from({ length: ldl.size }, () => []);
  const numbers: number[][] = Array.from({ length: ldl.size }, () => []);
  for (let i = 0; i < 3 * contacts; i++) {
    const row = forwardRow(ldl, jacobian, i);
    Y.push(row);
    row.places.forEach((place, k) => {
      met[place].push(i);
      numbers[place].push(row.values[k]);
    });
  }
  const rows = createBlockRows(contacts);
  for (let c = 0; c < contacts; c++) {
    const blocks = new Map<number, Float64Array>();
    for (let i = 0; i < 3; i++) {
      const { places, values } = Y[3 * c + i];
      for (let k = 0; k < places.length; k++) {
        const place = places[k];
        const factor = values[k] / ldl.diagonal[place];
        const others = met[place];
        for (let m = 0; m < others.length; m++) {
          const j = others[m];
          blockAt(blocks, (j / 3) | 0)[3 * i + (j % 3)] += factor * numbers[place][m];
        }
      }
    }
    rows.add(blocks);
  }
  return rows.finish(b, mu, bilateral);
}

/** Throws UsageError, saying where, when a matrix in compressed rows is not symmetric but for rounding. */
export function requireSymmetric({ start, column, value }: CompressedRows, count: number): void {
  const entry = (i: number, j: number): number => {
    let low = start[i];
    let high = start[i + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (column[middle] < j) low = middle + 1;
      else high = middle;
    }
    return low < start[i + 1] && column[low] === j ? value[low] : 0;
  };
  for (let i = 0; i < count; i++) {
    for (let k = start[i]; k < start[i + 1]; k++) {
      const other = entry(column[k], i);
      const size = Math.max(
        Math.abs(value[k]),
        Math.abs(other),
        Math.sqrt(Math.abs(entry(i, i) * entry(column[k], column[k]))),
      );
      if (Math.abs(value[k] - other) > ASYMMETRY * size) {
        throw new UsageError(
          `A: must be symmetric: A[${column[k]}, ${i}] is ${other}, got ${value[k]} at [${i}, ${column[k]}]`,
        );
      }
    }
  }
}

/** Factor of a symmetric positive definite matrix. Throws UsageError where it is not one, or too large. */
export function factorMass(A: SparseEntries): SparseLdl {
  const compressed = compressRows(A, true);
  const { start, column, value } = compressed;
  requireSymmetric(compressed, A.rows);
  const order = new Int32Array(A.rows);
  minimumDegreeOrder(order, A.rows, start, column);
  const ldl = analyseLdl(A.rows, start, column, order);
  if (!ldl) throw new UsageError('A: must have a factor of at most 40000000 entries, got more');
  const bad = factorLdl(ldl, value, null);
  if (bad >= 0) throw new UsageError(`A: must be positive definite, got a pivot <= 0 in row ${bad}`);
  return ldl;
}

/** Row i of Y = (L⁻¹ P Hᵀ)ᵀ: the places it reaches in the tree, ascending, and its numbers there. */
function forwardRow(ldl: SparseLdl, H: CompressedRows, i: number): { places: number[]; values: Float64Array } {
  const { parent, place, start, row, lower, x, flag } = ldl;
  const places: number[] = [];
  // Stamps below those of the factorisation, one per row.
  const stamp = -2 - i;
  for (let k = H.start[i]; k < H.start[i + 1]; k++) {
    const first = place[H.column[k]];
    x[first] += H.value[k];
    for (let p = first; p >= 0 && flag[p] !== stamp; p = parent[p]) {
      flag[p] = stamp;
      places.push(p);
    }
  }
  places.sort((a, b) => a - b);
  const values = new Float64Array(places.length);
  places.forEach((p, k) => {
    const xp = x[p];
    values[k] = xp;
    x[p] = 0;
    for (let at = start[p]; at < start[p + 1]; at++) x[row[at]] -= lower[at] * xp;
  });
  return { places, values };
}

/** W of a problem by its entries, zeros left out: for writing it to a file. */
export function operatorEntries(problem: ContactProblem): SparseEntries & {
  row: Int32Array;
  column: Int32Array;
  value: Float64Array;
} {
  const { contactCount: n, rowStart, column, values } = problem;
  let count = 0;
  for (let k = 0; k < 9 * rowStart[n]; k++) if (values[k] !== 0) count++;
  const out = {
    rows: 3 * n,
    columns: 3 * n,
    row: new Int32Array(count),
    column: new Int32Array(count),
    value: new Float64Array(count),
  };
  let at = 0;
  for (let c = 0; c < n; c++) {
    for (let i = 0; i < 3; i++) {
      for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
        for (let j = 0; j < 3; j++) {
          const x = values[9 * k + 3 * i + j];
          if (x === 0) continue;
          out.row[at] = 3 * c + i;
          out.column[at] = 3 * column[k] + j;
          out.value[at++] = x;
        }
      }
    }
  }
  return out;
}
