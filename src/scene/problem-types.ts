// Friction problems of the file format, as plain data: the reduced form W, b or the full form A, f, H, w.

/** A sparse matrix by its entries; entries at the same place add up. */
export interface MatrixEntries {
  readonly rows: number;
  readonly columns: number;
  readonly row: Int32Array;
  readonly column: Int32Array;
  readonly value: Float64Array;
}

/** What both forms share. */
export interface ProblemHead {
  readonly version: 1;
  /** Contacts, at least one; each owns 3 consecutive rows: normal, first and second tangent. */
  readonly contacts: number;
  /** Friction coefficient per contact, >= 0 [-]. */
  readonly mu: Float64Array;
  /** 1 for contacts whose three rows are kept at u = 0; null when there are none. */
  readonly bilateral: Uint8Array | null;
}

/** u = W r + b. */
export interface ReducedProblem extends ProblemHead {
  readonly form: 'reduced';
  /** [1/kg] */
  readonly W: MatrixEntries;
  /** [m/s] */
  readonly b: Float64Array;
}

/** A v = f + Hᵀ r, u = H v + w. */
export interface FullProblem extends ProblemHead {
  readonly form: 'full';
  /** Symmetric positive definite [kg]. */
  readonly A: MatrixEntries;
  /** [N·s] */
  readonly f: Float64Array;
  readonly H: MatrixEntries;
  /** [m/s] */
  readonly w: Float64Array;
}

export type FrictionProblem = ReducedProblem | FullProblem;

/** Most contacts and matrix entries of a file; beyond them it is refused before anything is built. */
export interface ProblemLimits {
  contacts?: number;
  entries?: number;
}
