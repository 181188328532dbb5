/**
 * Order of elimination: reverse Cuthill–McKee on the graph of contacts that share a body, so that
 * the factor of a chain of bodies (stack, arch, wall) is a narrow band. Ties by index: repeatable.
 *
 * In: block rows of a contact problem. Out: place of each contact and its inverse. O(blocks).
 */
import type { ContactProblem } from '../contact-problem';

/** Breadth-first walk from `root` writing contacts to queue[from…]; returns the end. Marks with `mark`. */
function walk(
  problem: ContactProblem,
  root: number,
  queue: Int32Array,
  from: number,
  seen: Int32Array,
  mark: number,
): number {
  const { rowStart, column } = problem;
  let head = from;
  let tail = from;
  queue[tail++] = root;
  seen[root] = mark;
  while (head < tail) {
    const c = queue[head++];
    const added = tail;
    for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
      const other = column[k];
      if (seen[other] === mark) continue;
      seen[other] = mark;
      // Insertion by degree: contacts of one face have equal degrees, so this is short.
      const degree = rowStart[other + 1] - rowStart[other];
      let at = tail++;
      while (at > added && rowStart[queue[at - 1] + 1] - rowStart[queue[at - 1]] > degree) {
        queue[at] = queue[at - 1];
        at--;
      }
      queue[at] = other;
    }
  }
  return tail;
}

/**
 * place[c] and contactAt[place] := the order. `seen` is work for one number per contact.
 */
export function orderContacts(
  place: Int32Array,
  contactAt: Int32Array,
  problem: ContactProblem,
  seen: Int32Array,
): void {
  const n = problem.contactCount;
  seen.fill(0, 0, n);
  let done = 0;
  for (let c = 0; c < n; c++) {
    if (seen[c] === 3) continue;
    // Two walks end near one tip of the component; the third, from there, is the order.
    let end = walk(problem, c, contactAt, done, seen, 1);
    end = walk(problem, contactAt[end - 1], contactAt, done, seen, 2);
    end = walk(problem, contactAt[end - 1], contactAt, done, seen, 3);
    done = end;
  }
  for (let i = 0, j = n - 1; i < j; i++, j--) {
    const swap = contactAt[i];
    contactAt[i] = contactAt[j];
    contactAt[j] = swap;
  }
  for (let i = 0; i < n; i++) place[contactAt[i]] = i;
}
