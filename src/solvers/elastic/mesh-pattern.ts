/**
 * The pattern of A of an object with a mesh, and of its factor, in an order of elimination that keeps the fill low:
 * made once for a mesh, for kernels/assembly/mesh (state/mesh-layout.ts says how it is laid out).
 *
 * Nodes of a triangle or tetrahedron are neighbours; nodes across the edge of a hinge have a block in A, but in L only
 * where `hinges` says so: they would double its blocks (kernels/assembly/mesh/factor.ts).
 */

import { dissectionOrder } from '../../math/dissection-order';
import { minimumDegreeOrder } from '../../math/sparse-order';

/** Elements of an object; nodes count from its first. */
export interface MeshElements {
  readonly nodes: number;
  /** Three nodes each. */
  readonly triangles: Int32Array;
  /** Four each: the edge, and the node opposite in its two triangles, −1 on the border. */
  readonly edges: Int32Array;
  /** `elementNodes` each: four corners, or those and the middles of their edges. */
  readonly tetrahedra: Int32Array;
  readonly elementNodes: 4 | 10;
}

export interface MeshPattern {
  readonly nodes: number;
  /** Place of each node in the order of elimination, its row; node of each row. */
  readonly rowOf: Int32Array;
  readonly nodeOf: Int32Array;
  /** A below its diagonal, by columns; rows rise. */
  readonly start: Int32Array;
  readonly row: Int32Array;
  /** Block of L of each block of A, −1 none. */
  readonly toFactor: Int32Array;
  /** L below its diagonal, likewise. */
  readonly factorStart: Int32Array;
  readonly factorRow: Int32Array;
  /**
   * Blocks of A of the pairs 01 12 20 of each triangle; 01 02 03 12 13 23 of each edge (−1 where it is no hinge), of
   * each tetrahedron, all pairs likewise where it has ten nodes.
   */
  readonly triangleSlot: Int32Array;
  readonly edgeSlot: Int32Array;
  readonly tetrahedronSlot: Int32Array;
  /** Row of every node of each tetrahedron. */
  readonly tetrahedronRow: Int32Array;
}

/** Nodes up to which the order is by minimum degree. */
const MOST_BY_DEGREE = 20_000;

const TRIANGLE_PAIRS = [0, 1, 1, 2, 2, 0];
const PAIRS = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3];
const QUADRATIC_PAIRS = Array.from({ length: 10 }, (_, a) =>
  Array.from({ length: 9 - a }, (_, k) => [a, a + 1 + k]),
).flat(2);

/** Analyses a mesh. `hinges`: nodes across a hinge have a block in L. */
export function createMeshPattern(mesh: MeshElements, hinges: boolean): MeshPattern {
  const { nodes, triangles, edges, tetrahedra, elementNodes } = mesh;
  const elementPairs = elementNodes === 10 ? QUADRATIC_PAIRS : PAIRS;

  const near = listNeighbours(nodes, (add) => {
    addPairs(triangles, 3, TRIANGLE_PAIRS, add);
    addPairs(tetrahedra, elementNodes, elementPairs, add);
    if (hinges) addPairs(edges, 4, PAIRS, add);
  });

  const all = listNeighbours(nodes, (add) => {
    addPairs(triangles, 3, TRIANGLE_PAIRS, add);
    addPairs(tetrahedra, elementNodes, elementPairs, add);
    addPairs(edges, 4, PAIRS, add);
  });
  const nodeOf = new Int32Array(nodes);

  // A surface cut along lines has a third more blocks than by minimum degree, which takes too long where there are very
  // many nodes.
  if (nodes <= MOST_BY_DEGREE) minimumDegreeOrder(nodeOf, nodes, near.start, near.column);
  else dissectionOrder(nodeOf, nodes, near.start, near.column, placesOf(near, nodes));
  const rowOf = new Int32Array(nodes);
  for (let row = 0; row < nodes; row++) rowOf[nodeOf[row]] = row;
  const [start, row] = lowerPart(all, rowOf, nodeOf);
  const [factorStart, factorRow] = fillIn(near, rowOf, nodeOf);
  const toFactor = new Int32Array(row.length).fill(-1);
  for (let j = 0; j < nodes; j++) {
    for (let p = start[j]; p < start[j + 1]; p++)
      toFactor[p] = find(factorRow, factorStart[j], factorStart[j + 1], row[p]);
  }

  const slots = (list: Int32Array, width: number, pairs: number[]) => {
    const out = new Int32Array((pairs.length / 2) * (list.length / width)).fill(-1);
    for (let e = 0, to = 0; e < list.length; e += width, to += pairs.length / 2) {
      if (!isFull(list, e, width)) continue;
      for (let k = 0; k < pairs.length; k += 2) {
        const a = rowOf[list[e + pairs[k]]];
        const b = rowOf[list[e + pairs[k + 1]]];
        const j = Math.min(a, b);
        out[to + k / 2] = find(row, start[j], start[j + 1], Math.max(a, b));
      }
    }
    return out;
  };

  return {
    nodes,
    rowOf,
    nodeOf,
    start,
    row,
    toFactor,
    factorStart,
    factorRow,
    triangleSlot: slots(triangles, 3, TRIANGLE_PAIRS),
    edgeSlot: slots(edges, 4, PAIRS),
    tetrahedronSlot: slots(tetrahedra, elementNodes, elementPairs),
    tetrahedronRow: tetrahedra.map((node) => rowOf[node]),
  };
}

/** Whether an element names a node in every place. */
function isFull(list: Int32Array, at: number, width: number): boolean {
  for (let k = at; k < at + width; k++) if (list[k] < 0) return false;
  return true;
}

function addPairs(list: Int32Array, width: number, pairs: number[], add: (a: number, b: number) => void): void {
  for (let e = 0; e < list.length; e += width) {
    if (!isFull(list, e, width)) continue;
    for (let k = 0; k < pairs.length; k += 2) add(list[e + pairs[k]], list[e + pairs[k + 1]]);
  }
}

/** Neighbours of each node in compressed rows, rising, without repeats. */
interface Neighbours {
  readonly start: Int32Array;
  readonly column: Int32Array;
}

function listNeighbours(nodes: number, visit: (add: (a: number, b: number) => void) => void): Neighbours {
  const count = new Int32Array(nodes + 1);
  visit((a, b) => {
    count[a + 1]++;
    count[b + 1]++;
  });
  for (let i = 0; i < nodes; i++) count[i + 1] += count[i];
  const all = new Int32Array(count[nodes]);
  const next = count.slice();
  visit((a, b) => {
    all[next[a]++] = b;
    all[next[b]++] = a;
  });
  const start = new Int32Array(nodes + 1);
  let size = 0;
  for (let i = 0; i < nodes; i++) {
    const own = all.subarray(count[i], count[i + 1]).sort((a, b) => a - b);
    let last = -1;
    for (const j of own) {
      if (j !== last && j !== i) all[size++] = j;
      last = j;
    }
    start[i + 1] = size;
  }
  return { start, column: all.slice(0, size) };
}

/**
 * Places for the dissection that follow from the mesh alone: how many edges a node is away from three nodes far from
 * each other. Nodes that cannot be reached are farthest.
 */
function placesOf({ start, column }: Neighbours, nodes: number): Float64Array {
  const places = new Float64Array(3 * nodes);
  const away = new Int32Array(nodes);
  const sum = new Float64Array(nodes);
  const queue = new Int32Array(nodes);
  let from = 0;
  for (let k = -1; k < 3; k++) {
    away.fill(-1);
    away[from] = 0;
    queue[0] = from;
    for (let at = 0, end = 1; at < end; at++) {
      const i = queue[at];
      for (let p = start[i]; p < start[i + 1]; p++) {
        if (away[column[p]] >= 0) continue;
        away[column[p]] = away[i] + 1;
        queue[end++] = column[p];
      }
    }
    for (let i = 0; i < nodes; i++) {
      const far = away[i] < 0 ? nodes : away[i];
      if (k < 0) sum[i] = far;
      else {
        places[3 * i + k] = far;
        // The first is where the search began at random: it counts no more.
        sum[i] = k === 0 ? far : sum[i] + far - 0.5 * Math.abs(places[3 * i] - far);
      }
    }
    for (let i = 0; i < nodes; i++) if (sum[i] > sum[from]) from = i;
  }
  return places;
}

/** Blocks below the diagonal, by columns of the order. */
function lowerPart({ start, column }: Neighbours, rowOf: Int32Array, nodeOf: Int32Array): [Int32Array, Int32Array] {
  const nodes = nodeOf.length;
  const from = new Int32Array(nodes + 1);
  const rows: number[] = [];
  for (let j = 0; j < nodes; j++) {
    const own: number[] = [];
    for (let p = start[nodeOf[j]]; p < start[nodeOf[j] + 1]; p++) if (rowOf[column[p]] > j) own.push(rowOf[column[p]]);
    own.sort((a, b) => a - b);
    for (const i of own) rows.push(i);
    from[j + 1] = rows.length;
  }
  return [from, Int32Array.from(rows)];
}

/** Columns of L: those of A, and what the columns that they are the first below hand on (George, Liu 1981, 5.2). */
function fillIn(near: Neighbours, rowOf: Int32Array, nodeOf: Int32Array): [Int32Array, Int32Array] {
  const nodes = nodeOf.length;
  const { start, column } = near;
  const columns: Int32Array[] = [];
  const children: number[][] = Array.from({ length: nodes }, () => []);
  const mark = new Int32Array(nodes).fill(-1);
  const from = new Int32Array(nodes + 1);
  for (let j = 0; j < nodes; j++) {
    const own: number[] = [];
    const add = (i: number) => {
      if (i <= j || mark[i] === j) return;
      mark[i] = j;
      own.push(i);
    };
    for (let p = start[nodeOf[j]]; p < start[nodeOf[j] + 1]; p++) add(rowOf[column[p]]);
    for (const child of children[j]) for (const i of columns[child]) add(i);
    const sorted = Int32Array.from(own).sort((a, b) => a - b);
    columns.push(sorted);
    if (sorted.length > 0) children[sorted[0]].push(j);
    from[j + 1] = from[j] + sorted.length;
  }
  const rows = new Int32Array(from[nodes]);
  for (let j = 0; j < nodes; j++) rows.set(columns[j], from[j]);
  return [from, rows];
}

/** Place of a number among those that rise from `from` to `end`, −1 none. */
function find(rows: Int32Array, from: number, end: number, row: number): number {
  let low = from;
  let high = end - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (rows[middle] === row) return middle;
    if (rows[middle] < row) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
