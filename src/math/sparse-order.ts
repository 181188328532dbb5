/**
 * Minimum-degree order of a sparse symmetric matrix, so that its factor stays sparse.
 *
 * Quotient graph: an eliminated node becomes an element, the clique of its neighbours, kept as one list;
 * elements it touches are absorbed (George, Liu 1981). Degrees are exact, ties go to the lower index, so
 * the order is a pure function of the pattern. For analysis, not for hot loops: it allocates.
 */

/**
 * Writes the order of elimination: order[place] = node. `start` and `column` are compressed rows of the
 * pattern, both triangles, the diagonal allowed. O(nodes · size of the elements met).
 */
export function minimumDegreeOrder(
  order: Int32Array,
  size: number,
  start: ArrayLike<number>,
  column: ArrayLike<number>,
): void {
  const nodes: number[][] = [];
  const touched: number[][] = [];
  const members: (number[] | null)[] = [];
  const degree = new Int32Array(size);
  const isDone = new Uint8Array(size);
  const mark = new Int32Array(size).fill(-1);

  // Doubly linked buckets by degree.
  const head = new Int32Array(size + 1).fill(-1);
  const next = new Int32Array(size).fill(-1);
  const before = new Int32Array(size).fill(-1);

  const link = (i: number): void => {
    const d = degree[i];
    next[i] = head[d];
    before[i] = -1;
    if (head[d] >= 0) before[head[d]] = i;
    head[d] = i;
  };

  const unlink = (i: number): void => {
    if (before[i] >= 0) next[before[i]] = next[i];
    else head[degree[i]] = next[i];
    if (next[i] >= 0) before[next[i]] = before[i];
  };

  for (let i = 0; i < size; i++) {
    const list: number[] = [];
    for (let k = start[i]; k < start[i + 1]; k++) if (column[k] !== i) list.push(column[k]);
    nodes.push(list);
    touched.push([]);
    members.push(null);
    degree[i] = list.length;
  }

  // Linked backwards, so that the lowest index leads its bucket.
  for (let i = size - 1; i >= 0; i--) link(i);

  let stamp = 0;
  let least = 0;

  for (let place = 0; place < size; place++) {
    while (head[least] < 0) least++;
    const p = head[least];
    unlink(p);
    isDone[p] = 1;
    order[place] = p;

    // The new element: all neighbours, direct ones and through elements, which it absorbs.
    mark[p] = stamp;
    const clique: number[] = [];

    for (const i of nodes[p]) {
      if (isDone[i] || mark[i] === stamp) continue;
      mark[i] = stamp;
      clique.push(i);
    }

    for (const e of touched[p]) {
      for (const i of members[e] ?? []) {
        if (isDone[i] || mark[i] === stamp) continue;
        mark[i] = stamp;
        clique.push(i);
      }
      members[e] = null;
    }
    stamp++;
    members[p] = clique;
    nodes[p] = [];
    for (const i of clique) {
      // What the element covers needs no edge of its own.
      nodes[i] = nodes[i].filter((j) => !isDone[j] && mark[j] !== stamp - 1);
      touched[i] = touched[i].filter((e) => members[e] !== null);
      touched[i].push(p);
    }
    for (const i of clique) {
      unlink(i);
      let count = nodes[i].length;
      const seen = stamp++;
      mark[i] = seen;
      for (const j of nodes[i]) mark[j] = seen;
      for (const e of touched[i]) {
        for (const j of members[e] ?? []) {
          if (isDone[j] || mark[j] === seen) continue;
          mark[j] = seen;
          count++;
        }
      }
      degree[i] = count;
      link(i);
      if (count < least) least = count;
    }
  }
}
