/**
 * The contact problem in reduced form, the only thing a solver sees:
 *
 *   u = W r + b,   (u_c, r_c) obeys Signorini–Coulomb with mu_c at every contact c,
 *
 * r an impulse [N·s], u a velocity [m/s], W = H A⁻¹ Hᵀ symmetric positive semidefinite [1/kg],
 * often of low rank. Contact c owns components 3c, 3c+1, 3c+2: normal, first and second tangent of an
 * orthonormal frame. Rows of joints come in blocks of three with another law: `row-law`.
 *
 * W is kept as rows of 3×3 blocks (row-major, nine numbers each), in compressed rows: block k of row
 * c, rowStart[c] <= k < rowStart[c+1], couples contact c with contact column[k]. Arrays may be larger
 * than the counts in use, so that an engine refills them every step without allocating.
 */

/** Reduced contact problem in flat arrays; lengths are capacities, counts say what is in use. */
export interface ContactProblem {
  /** Contacts in use. */
  contactCount: number;
  /** First block of each contact's row; contactCount + 1 entries in use. */
  rowStart: Int32Array;
  /** Contact that each block couples to. Each pair at most once per row, the diagonal always there. */
  column: Int32Array;
  /** Block number of the diagonal block of each contact. */
  diagonal: Int32Array;
  /** Nine numbers per block, row-major [1/kg]. */
  values: Float64Array;
  /** Velocity without impulses, three per contact [m/s]. */
  b: Float64Array;
  /** Friction coefficient per contact, >= 0 [-]. */
  mu: Float64Array;
  /** LAW_* of each block, null when all are Coulomb's. */
  law: Uint8Array | null;
  /** Bounds of the rows of bounded blocks, low <= 0 <= high, three per block [N·s]; read there only. */
  low: Float64Array;
  high: Float64Array;
}

const noBounds = new Float64Array(0);

/** Room for `contactCapacity` contacts and `blockCapacity` blocks; nothing in use yet. */
export function createContactProblem(contactCapacity: number, blockCapacity: number): ContactProblem {
  return {
    contactCount: 0,
    rowStart: new Int32Array(contactCapacity + 1),
    column: new Int32Array(blockCapacity),
    diagonal: new Int32Array(contactCapacity),
    values: new Float64Array(9 * blockCapacity),
    b: new Float64Array(3 * contactCapacity),
    mu: new Float64Array(contactCapacity),
    law: null,
    low: noBounds,
    high: noBounds,
  };
}

/**
 * Problem from a dense row-major W of side 3·contacts; blocks of zeros are left out.
 * For tests and files, not for the step. Throws on sizes that do not fit.
 */
export function contactProblemFromDense(
  W: ArrayLike<number>,
  b: ArrayLike<number>,
  mu: ArrayLike<number>,
  bilateral: ArrayLike<number> | null = null,
): ContactProblem {
  const n = mu.length;
  const side = 3 * n;
  if (b.length !== side) throw new Error(`contactProblemFromDense: b must have ${side} entries, got ${b.length}`);
  if (W.length !== side * side) {
    throw new Error(`contactProblemFromDense: W must have ${side * side} entries, got ${W.length}`);
  }
  const isKept = (i: number, j: number): boolean => {
    if (i === j) return true;
    for (let k = 0; k < 9; k++) if (W[(3 * i + ((k / 3) | 0)) * side + 3 * j + (k % 3)] !== 0) return true;
    return false;
  };
  let blockCount = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if (isKept(i, j)) blockCount++;
  const problem = createContactProblem(n, blockCount);
  problem.contactCount = n;
  let k = 0;
  for (let i = 0; i < n; i++) {
    problem.rowStart[i] = k;
    for (let j = 0; j < n; j++) {
      if (!isKept(i, j)) continue;
      if (i === j) problem.diagonal[i] = k;
      problem.column[k] = j;
      for (let e = 0; e < 9; e++) {
        problem.values[9 * k + e] = W[(3 * i + ((e / 3) | 0)) * side + 3 * j + (e % 3)];
      }
      k++;
    }
  }
  problem.rowStart[n] = k;
  problem.b.set(b);
  problem.mu.set(mu);
  if (bilateral) problem.law = Uint8Array.from(bilateral);
  return problem;
}

/** u := W r + b over all contacts [m/s]. */
export function velocityOf(u: Float64Array, problem: ContactProblem, r: Float64Array): void {
  const n = problem.contactCount;
  const { rowStart, column, values, b } = problem;
  for (let c = 0; c < n; c++) {
    const end = rowStart[c + 1];
    let u0 = b[3 * c];
    let u1 = b[3 * c + 1];
    let u2 = b[3 * c + 2];
    for (let k = rowStart[c]; k < end; k++) {
      const at = 9 * k;
      const from = 3 * column[k];
      const r0 = r[from];
      const r1 = r[from + 1];
      const r2 = r[from + 2];
      u0 += values[at] * r0 + values[at + 1] * r1 + values[at + 2] * r2;
      u1 += values[at + 3] * r0 + values[at + 4] * r1 + values[at + 5] * r2;
      u2 += values[at + 6] * r0 + values[at + 7] * r1 + values[at + 8] * r2;
    }
    u[3 * c] = u0;
    u[3 * c + 1] = u1;
    u[3 * c + 2] = u2;
  }
}

/** out := W x over all contacts: velocityOf without b, so that small products keep their digits. */
export function multiplyOperator(out: Float64Array, problem: ContactProblem, x: Float64Array): void {
  const n = problem.contactCount;
  const { rowStart, column, values } = problem;
  for (let c = 0; c < n; c++) {
    const end = rowStart[c + 1];
    let u0 = 0;
    let u1 = 0;
    let u2 = 0;
    for (let k = rowStart[c]; k < end; k++) {
      const at = 9 * k;
      const from = 3 * column[k];
      const x0 = x[from];
      const x1 = x[from + 1];
      const x2 = x[from + 2];
      u0 += values[at] * x0 + values[at + 1] * x1 + values[at + 2] * x2;
      u1 += values[at + 3] * x0 + values[at + 4] * x1 + values[at + 5] * x2;
      u2 += values[at + 6] * x0 + values[at + 7] * x1 + values[at + 8] * x2;
    }
    out[3 * c] = u0;
    out[3 * c + 1] = u1;
    out[3 * c + 2] = u2;
  }
}

/** u (three numbers) := row c of W r + b [m/s]. */
export function contactVelocityOf(u: Float64Array, problem: ContactProblem, r: Float64Array, c: number): void {
  const { rowStart, column, values, b } = problem;
  let u0 = b[3 * c];
  let u1 = b[3 * c + 1];
  let u2 = b[3 * c + 2];
  const end = rowStart[c + 1];
  for (let k = rowStart[c]; k < end; k++) {
    const at = 9 * k;
    const from = 3 * column[k];
    const r0 = r[from];
    const r1 = r[from + 1];
    const r2 = r[from + 2];
    u0 += values[at] * r0 + values[at + 1] * r1 + values[at + 2] * r2;
    u1 += values[at + 3] * r0 + values[at + 4] * r1 + values[at + 5] * r2;
    u2 += values[at + 6] * r0 + values[at + 7] * r1 + values[at + 8] * r2;
  }
  u[0] = u0;
  u[1] = u1;
  u[2] = u2;
}

/** Mean of the diagonal of contact c's own block, the scale λ of its velocities [1/kg]. */
export function contactScale(problem: ContactProblem, c: number): number {
  const at = 9 * problem.diagonal[c];
  return (problem.values[at] + problem.values[at + 4] + problem.values[at + 8]) / 3;
}

/** Largest |b| component: the velocity scale of the problem [m/s]. */
export function velocityScale(problem: ContactProblem): number {
  const { b } = problem;
  const count = 3 * problem.contactCount;
  let scale = 0;
  for (let i = 0; i < count; i++) {
    const v = Math.abs(b[i]);
    if (v > scale) scale = v;
  }
  return scale;
}
