/**
 * LDU factors of a square, generally unsymmetric matrix in profile (skyline) storage, with single
 * rows and columns switched on and off in place.
 *
 * A = L D U, L and U unit triangular. Row i of L and column i of U are kept as one run each, from
 * the first column that can be nonzero (`first[i]`) to the diagonal: no fill ever leaves this
 * envelope, so the cost of everything is that of a banded matrix where the graph is a chain (stacks,
 * arches) and never worse than dense. A position that is not `live` is an identity row and column.
 * Switching one on or off is a bordering at that place and a rank-one change of what follows
 * (Bennett 1965, written row by row so that all loops run over contiguous memory): O(k·bandwidth),
 * at most O(k²). The order of elimination therefore never degrades, however many rows come and go.
 *
 * No row interchanges: meant for matrices with a dominant positive definite part. A pivot smaller
 * than `pivotFloor` is replaced by it and counted in `weakPivots`; the caller refines or re-factors.
 *
 * Limits: the structure of the profile is symmetric; O(profile) memory, two numbers per entry.
 */

/** A factor. All numbers live in one caller-owned array, so that it can be kept and copied. */
export interface ProfileLu {
  /** Number of rows. */
  size: number;
  /** First column inside the envelope of each row. */
  first: Int32Array;
  /** Offset of each row's run within `lower` and `upper`. */
  start: Int32Array;
  /** 1 where the row takes part, 0 where it is an identity row. */
  live: Int32Array;
  /** Holds the strictly lower, strictly upper and diagonal parts at the three offsets below. */
  values: Float64Array;
  lowerAt: number;
  upperAt: number;
  diagonalAt: number;
  /** Smallest pivot accepted, by absolute value. */
  pivotFloor: number;
  /** Pivots that had to be replaced since the last fresh factorisation. */
  weakPivots: number;
  /** Work rows of `size` numbers. */
  x: Float64Array;
  y: Float64Array;
  beta: Float64Array;
  gamma: Float64Array;
}

/** An empty factor whose arrays the caller puts in place with `bindProfile`. */
export function createProfileLu(): ProfileLu {
  const f = new Float64Array(0);
  const i = new Int32Array(0);
  return {
    size: 0,
    first: i,
    start: i,
    live: i,
    values: f,
    lowerAt: 0,
    upperAt: 0,
    diagonalAt: 0,
    pivotFloor: 1e-14,
    weakPivots: 0,
    x: f,
    y: f,
    beta: f,
    gamma: f,
  };
}

/** Fills `start` from `first`; returns the number of entries of one triangle. */
export function layoutProfile(start: Int32Array, first: Int32Array, size: number): number {
  let total = 0;
  for (let i = 0; i < size; i++) {
    start[i] = total;
    total += i - first[i];
  }
  return total;
}

/** How many numbers `values` needs for a triangle of `entries` and `size` rows. */
export function profileValueCount(entries: number, size: number): number {
  return 2 * entries + size;
}

/** Points the factor at its numbers: `entries` lower, `entries` upper and `size` diagonal ones from `at`. */
export function placeProfileValues(lu: ProfileLu, values: Float64Array, at: number, entries: number): void {
  lu.values = values;
  lu.lowerAt = at;
  lu.upperAt = at + entries;
  lu.diagonalAt = at + 2 * entries;
}

/** Empties the factor: every row an identity row. */
export function clearProfile(lu: ProfileLu): void {
  const { values, lowerAt, diagonalAt, size } = lu;
  values.fill(0, lowerAt, diagonalAt);
  values.fill(1, diagonalAt, diagonalAt + size);
  lu.live.fill(0, 0, size);
  lu.weakPivots = 0;
}

function acceptPivot(lu: ProfileLu, pivot: number): number {
  const floor = lu.pivotFloor;
  if (pivot > floor || pivot < -floor) return pivot;
  lu.weakPivots++;
  return floor;
}

/**
 * Factors in place: on entry the three parts hold A (live rows only, the rest zero with unit
 * diagonal), on return L, U and D. `symmetric` says that A is, and halves the work.
 */
export function factorProfile(lu: ProfileLu, symmetric: boolean): void {
  const { size, first, start, live, values, lowerAt, upperAt, diagonalAt } = lu;
  lu.weakPivots = 0;
  for (let i = 0; i < size; i++) {
    if (live[i] === 0) continue;
    const from = first[i];
    const rowI = lowerAt + start[i] - from;
    const colI = upperAt + start[i] - from;
    // The run of row i becomes w = l·d, that of column i becomes z = d·u, one entry after the other.
    for (let j = from; j < i; j++) {
      if (live[j] === 0) continue;
      const fromJ = first[j];
      const rowJ = lowerAt + start[j] - fromJ;
      const colJ = upperAt + start[j] - fromJ;
      let w = values[rowI + j];
      if (symmetric) {
        for (let k = Math.max(from, fromJ); k < j; k++) w -= values[rowI + k] * values[colJ + k];
        values[rowI + j] = w;
      } else {
        let z = values[colI + j];
        for (let k = Math.max(from, fromJ); k < j; k++) {
          w -= values[rowI + k] * values[colJ + k];
          z -= values[colI + k] * values[rowJ + k];
        }
        values[rowI + j] = w;
        values[colI + j] = z;
      }
    }
    let pivot = values[diagonalAt + i];
    for (let j = from; j < i; j++) {
      if (live[j] === 0) continue;
      const w = values[rowI + j];
      const u = (symmetric ? w : values[colI + j]) / values[diagonalAt + j];
      pivot -= w * u;
      values[colI + j] = u;
      values[rowI + j] = symmetric ? u : w / values[diagonalAt + j];
    }
    values[diagonalAt + i] = acceptPivot(lu, pivot);
  }
}

/** x := A⁻¹ x over the live rows; entries of the others need not be set, and come back as 0. */
export function solveProfile(lu: ProfileLu, x: Float64Array): void {
  const { size, first, start, live, values, lowerAt, upperAt, diagonalAt } = lu;
  for (let i = 0; i < size; i++) {
    if (live[i] === 0) {
      // Runs go over these, too: zero times what an earlier solve left here may be NaN.
      x[i] = 0;
      continue;
    }
    const from = first[i];
    const row = lowerAt + start[i] - from;
    let sum = x[i];
    for (let j = from; j < i; j++) sum -= values[row + j] * x[j];
    x[i] = sum;
  }
  for (let i = size - 1; i >= 0; i--) {
    if (live[i] === 0) continue;
    x[i] /= values[diagonalAt + i];
  }
  for (let i = size - 1; i >= 0; i--) {
    if (live[i] === 0) continue;
    const from = first[i];
    const col = upperAt + start[i] - from;
    const xi = x[i];
    if (xi === 0) continue;
    for (let j = from; j < i; j++) x[j] -= values[col + j] * xi;
  }
}

/** A := A + sigma·x·yᵀ on the live rows from `from` on; x and y (lu.x, lu.y) are used up. */
function addRankOne(lu: ProfileLu, from: number, sigma: number): void {
  const { size, first, start, live, values, lowerAt, upperAt, diagonalAt, x, y, beta, gamma } = lu;
  // Nothing changes before the first nonzero of x or y.
  let begin = from;
  while (begin < size && (live[begin] === 0 || (x[begin] === 0 && y[begin] === 0))) begin++;
  let scale = sigma;
  for (let i = begin; i < size; i++) {
    if (live[i] === 0) {
      beta[i] = 0;
      gamma[i] = 0;
      x[i] = 0;
      y[i] = 0;
      continue;
    }
    const run = start[i] - first[i];
    const row = lowerAt + run;
    const col = upperAt + run;
    let xi = x[i];
    let yi = y[i];
    for (let j = Math.max(first[i], begin); j < i; j++) {
      const l = values[row + j];
      const u = values[col + j];
      xi -= x[j] * l;
      yi -= y[j] * u;
      values[row + j] = l + beta[j] * xi;
      values[col + j] = u + gamma[j] * yi;
    }
    x[i] = xi;
    y[i] = yi;
    const old = values[diagonalAt + i];
    const now = acceptPivot(lu, old + scale * xi * yi);
    values[diagonalAt + i] = now;
    beta[i] = (scale * yi) / now;
    gamma[i] = (scale * xi) / now;
    scale = (scale * old) / now;
  }
}

/**
 * Switches position k on. `row[j]` holds A_kj and `column[j]` holds A_jk for every live j (entries
 * outside the envelope are zero and not read), `pivotValue` is A_kk. Returns the new pivot of k
 * before any replacement: its Schur complement in the rows before it.
 */
export function activateRow(
  lu: ProfileLu,
  k: number,
  row: Float64Array,
  column: Float64Array,
  pivotValue: number,
): number {
  const { size, first, start, live, values, lowerAt, upperAt, diagonalAt, x, y } = lu;
  const from = first[k];
  const rowK = lowerAt + start[k] - from;
  const colK = upperAt + start[k] - from;

  // The runs before k, as in a fresh factorisation; w and z stay unscaled in the runs meanwhile.
  let pivot = pivotValue;

  for (let j = from; j < k; j++) {
    if (live[j] === 0) {
      values[rowK + j] = 0;
      values[colK + j] = 0;
      continue;
    }
    const fromJ = first[j];
    const rowJ = lowerAt + start[j] - fromJ;
    const colJ = upperAt + start[j] - fromJ;
    let w = row[j];
    let z = column[j];
    for (let i = Math.max(from, fromJ); i < j; i++) {
      w -= values[rowK + i] * values[colJ + i];
      z -= values[colK + i] * values[rowJ + i];
    }
    values[rowK + j] = w;
    values[colK + j] = z;
    pivot -= (w * z) / values[diagonalAt + j];
  }

  const d = acceptPivot(lu, pivot);

  // The runs after k: one entry each, and what they subtract from the rest is given back.
  for (let i = k + 1; i < size; i++) {
    x[i] = 0;
    y[i] = 0;
    if (live[i] === 0 || first[i] > k) continue;
    const rowI = lowerAt + start[i] - first[i];
    const colI = upperAt + start[i] - first[i];
    let l = column[i];
    let u = row[i];
    for (let j = Math.max(from, first[i]); j < k; j++) {
      l -= values[rowI + j] * values[colK + j];
      u -= values[rowK + j] * values[colI + j];
    }
    l /= d;
    u /= d;
    values[rowI + k] = l;
    values[colI + k] = u;
    x[i] = l;
    y[i] = u;
  }

  for (let j = from; j < k; j++) {
    values[rowK + j] /= values[diagonalAt + j];
    values[colK + j] /= values[diagonalAt + j];
  }
  values[diagonalAt + k] = d;
  live[k] = 1;
  addRankOne(lu, k + 1, -d);
  return pivot;
}

/** Switches position k off again: it becomes an identity row. */
export function deactivateRow(lu: ProfileLu, k: number): void {
  const { size, first, start, live, values, lowerAt, upperAt, diagonalAt, x, y } = lu;
  const d = values[diagonalAt + k];
  for (let i = k + 1; i < size; i++) {
    x[i] = 0;
    y[i] = 0;
    if (live[i] === 0 || first[i] > k) continue;
    const run = start[i] - first[i] + k;
    x[i] = values[lowerAt + run];
    y[i] = values[upperAt + run];
    values[lowerAt + run] = 0;
    values[upperAt + run] = 0;
  }
  const run = start[k];
  const length = k - first[k];
  values.fill(0, lowerAt + run, lowerAt + run + length);
  values.fill(0, upperAt + run, upperAt + run + length);
  values[diagonalAt + k] = 1;
  live[k] = 0;
  addRankOne(lu, k + 1, d);
}
