/**
 * Sparse LDLᵀ of a symmetric positive definite matrix, rows up-looking over the elimination tree.
 *
 * P A Pᵀ = L D Lᵀ, L unit lower triangular by columns, D diagonal. Analysed once per pattern (order,
 * tree, counts), factored again for every new set of values, without allocating. Row k of L is the
 * solution of a sparse triangular system whose pattern is what the nonzeros of column k of A reach in
 * the tree (Liu 1990).
 *
 * No pivoting beyond the given order: a pivot that is not positive stops the factorisation.
 */

/** Pattern, order and factor. Made by `analyseLdl`, filled by `factorLdl`. */
export interface SparseLdl {
  size: number;
  /** order[place] = row of A; place[row of A] = place. */
  order: Int32Array;
  place: Int32Array;
  /** Upper triangle of P A Pᵀ by columns: first entry, row, and which entry of A's values it is. */
  upperStart: Int32Array;
  upperRow: Int32Array;
  source: Int32Array;
  /** Elimination tree; -1 at roots. */
  parent: Int32Array;
  /** L by columns without its diagonal; `count` entries of each column are filled during a factorisation. */
  start: Int32Array;
  row: Int32Array;
  lower: Float64Array;
  count: Int32Array;
  diagonal: Float64Array;
  /** Work. */
  x: Float64Array;
  stack: Int32Array;
  flag: Int32Array;
}

/**
 * Analyses a symmetric pattern in compressed rows (both triangles present, the diagonal too) under an
 * order of elimination. Only the entries on or above the permuted diagonal are used later.
 * Null when L would have more than `entryLimit` entries (twelve bytes each).
 */
export function analyseLdl(
  size: number,
  start: ArrayLike<number>,
  column: ArrayLike<number>,
  order: Int32Array,
  entryLimit = 40_000_000,
): SparseLdl | null {
  const place = new Int32Array(size);
  for (let p = 0; p < size; p++) place[order[p]] = p;

  const upperStart = new Int32Array(size + 1);
  for (let i = 0; i < size; i++) {
    for (let k = start[i]; k < start[i + 1]; k++) if (place[i] <= place[column[k]]) upperStart[place[column[k]] + 1]++;
  }
  for (let p = 0; p < size; p++) upperStart[p + 1] += upperStart[p];
  const upperRow = new Int32Array(upperStart[size]);
  const source = new Int32Array(upperStart[size]);
  const fill = upperStart.slice(0, size);

  for (let i = 0; i < size; i++) {
    for (let k = start[i]; k < start[i + 1]; k++) {
      const p = place[column[k]];
      if (place[i] > p) continue;
      const at = fill[p]++;
      upperRow[at] = place[i];
      source[at] = k;
    }
  }

  // Tree and column counts: walk from every nonzero up to a node that this row has already met.
  const parent = new Int32Array(size).fill(-1);
  const flag = new Int32Array(size);
  const count = new Int32Array(size);

  for (let k = 0; k < size; k++) {
    flag[k] = k;
    for (let at = upperStart[k]; at < upperStart[k + 1]; at++) {
      for (let i = upperRow[at]; flag[i] !== k; i = parent[i]) {
        if (parent[i] < 0) parent[i] = k;
        count[i]++;
        flag[i] = k;
      }
    }
  }

  let total = 0;
  for (let k = 0; k < size; k++) total += count[k];
  if (total > entryLimit) return null;
  const columnStart = new Int32Array(size + 1);
  for (let k = 0; k < size; k++) columnStart[k + 1] = columnStart[k] + count[k];

  return {
    size,
    order,
    place,
    upperStart,
    upperRow,
    source,
    parent,
    start: columnStart,
    row: new Int32Array(columnStart[size]),
    lower: new Float64Array(columnStart[size]),
    count,
    diagonal: new Float64Array(size),
    x: new Float64Array(size),
    stack: new Int32Array(size),
    flag,
  };
}

/**
 * Factors the matrix of the analysed pattern with these values (in the order of its entries), plus
 * `shift[row]` on the diagonal when given. Returns -1, or the row of A whose pivot is not positive.
 */
export function factorLdl(ldl: SparseLdl, values: ArrayLike<number>, shift: ArrayLike<number> | null): number {
  const { size, order, upperStart, upperRow, source, parent, start, row, lower, count, diagonal, x, stack, flag } = ldl;
  count.fill(0);
  flag.fill(-1);

  for (let k = 0; k < size; k++) {
    // Pattern of row k of L, in an order that respects the tree, at the end of the stack.
    let top = size;
    let pivot = shift ? shift[order[k]] : 0;
    flag[k] = k;

    for (let at = upperStart[k]; at < upperStart[k + 1]; at++) {
      let i = upperRow[at];
      if (i === k) {
        pivot += values[source[at]];
        continue;
      }
      x[i] += values[source[at]];
      let depth = 0;
      for (; flag[i] !== k; i = parent[i]) {
        stack[depth++] = i;
        flag[i] = k;
      }
      while (depth > 0) stack[--top] = stack[--depth];
    }

    for (; top < size; top++) {
      const i = stack[top];
      const xi = x[i];
      x[i] = 0;
      const end = start[i] + count[i];
      for (let at = start[i]; at < end; at++) x[row[at]] -= lower[at] * xi;
      const l = xi / diagonal[i];
      pivot -= l * xi;
      row[end] = k;
      lower[end] = l;
      count[i]++;
    }

    if (!(pivot > 0)) {
      x.fill(0);
      return order[k];
    }
    diagonal[k] = pivot;
  }

  return -1;
}

/** x := A⁻¹ x, `size` numbers in place. */
export function solveLdl(ldl: SparseLdl, x: Float64Array): void {
  const { size, order, start, row, lower, diagonal, x: y } = ldl;
  for (let k = 0; k < size; k++) y[k] = x[order[k]];
  for (let k = 0; k < size; k++) {
    const yk = y[k];
    if (yk === 0) continue;
    const end = start[k + 1];
    for (let at = start[k]; at < end; at++) y[row[at]] -= lower[at] * yk;
  }
  for (let k = size - 1; k >= 0; k--) {
    let sum = y[k] / diagonal[k];
    const end = start[k + 1];
    for (let at = start[k]; at < end; at++) sum -= lower[at] * y[row[at]];
    y[k] = sum;
  }
  for (let k = 0; k < size; k++) x[order[k]] = y[k];
  y.fill(0);
}
