/**
 * What one factorisation of a contact problem costs the pivoting solver, foreseen from its graph.
 */
import type { ContactProblem } from './contact-problem';
import { orderContacts } from './dantzig/order';

/** Entries of the factor that are allowed, 16 bytes each. */
const ENTRY_LIMIT = 30_000_000;

/** Multiplications of a fresh factor of all contacts stuck [-]; infinite when it would not fit into memory. */
export function predictPivotCost(problem: ContactProblem): number {
  const n = problem.contactCount;
  const place = new Int32Array(n);
  const contactAt = new Int32Array(n);
  orderContacts(place, contactAt, problem, new Int32Array(n));
  let cost = 0;
  let entries = 0;
  for (let c = 0; c < n; c++) {
    let first = place[c];
    for (let k = problem.rowStart[c]; k < problem.rowStart[c + 1]; k++) {
      first = Math.min(first, place[problem.column[k]]);
    }
    const width = 3 * (place[c] - first + 1);
    cost += 3 * width * width;
    entries += 3 * width;
  }
  return entries <= ENTRY_LIMIT ? cost : Number.POSITIVE_INFINITY;
}
