/**
 * Conjugate residuals on problem files in full form, A v = f + Hᵀ r, u = H v + w. Allocates; not for the step.
 */
import { UsageError } from '../../core/errors';
import { compressRows, requireSymmetric, type SparseEntries } from '../sparse-form';
import { createSparseOperator } from './operator';
import { type ContactRows, createContactRows } from './rows';
import { findSimilarRows } from './similar-rows';
import type { MixedProblem } from './work';

/** A problem file in full form, as far as the solver needs it. */
export interface FullForm {
  readonly contacts: number;
  readonly mu: ArrayLike<number>;
  readonly bilateral: ArrayLike<number> | null;
  readonly A: SparseEntries;
  readonly f: ArrayLike<number>;
  readonly H: SparseEntries;
  readonly w: ArrayLike<number>;
}

/** Coefficients beyond this mean the same, a contact that never slides. */
const MU_LIMIT = 1e6;

/** The mixed problem of a file. Throws UsageError when A is not symmetric or has a diagonal entry <= 0. */
export function readMixedProblem(file: FullForm): MixedProblem {
  const A = compressRows(file.A, true);
  requireSymmetric(A, file.A.rows);
  const operator = createSparseOperator(file.A.rows, A.start, A.column, A.value);
  for (let i = 0; i < operator.size; i++) {
    const give = operator.inverseDiagonal[i];
    if (!(give > 0 && give < Number.POSITIVE_INFINITY)) {
      throw new UsageError(`A: must be positive definite, got ${1 / give} at [${i}, ${i}]`);
    }
  }
  const rows = readRows(file);
  return {
    operator,
    f: Float64Array.from(file.f),
    rows,
    similar: findSimilarRows(rows, operator.inverseDiagonal),
  };
}

function readRows({ H, w, mu, bilateral, contacts }: FullForm): ContactRows {
  const { start, column, value } = compressRows(H, false);
  const entries: { column: number; value: [number, number, number] }[][] = [];
  let count = 0;
  for (let c = 0; c < contacts; c++) {
    const own = new Map<number, [number, number, number]>();
    for (let i = 0; i < 3; i++) {
      for (let k = start[3 * c + i]; k < start[3 * c + i + 1]; k++) {
        if (value[k] === 0) continue;
        const three = own.get(column[k]) ?? [0, 0, 0];
        three[i] = value[k];
        own.set(column[k], three);
      }
    }
    const list = [...own].map(([j, three]) => ({ column: j, value: three }));
    entries.push(list.sort((a, b) => a.column - b.column));
    count += list.length;
  }
  const rows = createContactRows(contacts, count);
  rows.count = contacts;
  rows.w.set(w);
  for (let c = 0; c < contacts; c++) rows.mu[c] = Math.min(mu[c], MU_LIMIT);
  rows.bilateral = bilateral ? Uint8Array.from(bilateral) : null;
  let at = 0;
  entries.forEach((list, c) => {
    for (const entry of list) {
      rows.column[at] = entry.column;
      rows.value.set(entry.value, 3 * at++);
    }
    rows.start[c + 1] = at;
  });
  return rows;
}
