/**
 * The operator W of a contact problem for the sparse factor: its rows one by one, the contacts in
 * minimum-degree order, three rows each.
 */
import { analyseLdl, type SparseLdl } from '../math/sparse-ldl';
import { minimumDegreeOrder } from '../math/sparse-order';
import type { ContactProblem } from './contact-problem';

/** Compressed rows of W; entry k is numbers[source[k]] of the problem's blocks, scaled. */
export interface OperatorEntries {
  start: Int32Array;
  column: Int32Array;
  source: Int32Array;
  values: Float64Array;
}

/** Pattern and symbolic factor of W; null when the factor would be too large. */
export function analyseOperator(problem: ContactProblem): { entries: OperatorEntries; ldl: SparseLdl } | null {
  const n = problem.contactCount;
  const { rowStart, column } = problem;
  const contactOrder = new Int32Array(n);
  minimumDegreeOrder(contactOrder, n, rowStart, column);
  const order = new Int32Array(3 * n);
  for (let k = 0; k < n; k++) for (let i = 0; i < 3; i++) order[3 * k + i] = 3 * contactOrder[k] + i;

  const count = 9 * rowStart[n];
  const entries: OperatorEntries = {
    start: new Int32Array(3 * n + 1),
    column: new Int32Array(count),
    source: new Int32Array(count),
    values: new Float64Array(count),
  };
  let at = 0;
  for (let c = 0; c < n; c++) {
    for (let i = 0; i < 3; i++) {
      entries.start[3 * c + i] = at;
      for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
        for (let j = 0; j < 3; j++) {
          entries.column[at] = 3 * column[k] + j;
          entries.source[at] = 9 * k + 3 * i + j;
          at++;
        }
      }
    }
  }
  entries.start[3 * n] = at;
  const ldl = analyseLdl(3 * n, entries.start, entries.column, order);
  return ldl ? { entries, ldl } : null;
}

/** values := the problem's W with row and column of contact c multiplied by scale[c]. */
export function scaleEntries(entries: OperatorEntries, problem: ContactProblem, scale: Float64Array): void {
  const { start, column, source, values } = entries;
  for (let row = 0; row < 3 * problem.contactCount; row++) {
    const own = scale[(row / 3) | 0];
    for (let k = start[row]; k < start[row + 1]; k++) {
      values[k] = own * scale[(column[k] / 3) | 0] * problem.values[source[k]];
    }
  }
}
