/**
 * Nested dissection of a sparse symmetric matrix whose nodes have places: an order of elimination in O(n log n).
 *
 * A set of nodes is cut in two at the middle of its longest side; those of one half that touch the other part them, and
 * come last (George 1973). Sets of a few nodes are put in order by minimum degree. Near-planar graphs of bodies (walls,
 * pyramids, arches) keep about the fill of minimum degree, which takes a hundred times as long for a thousand of them.
 */

import { minimumDegreeOrder } from './sparse-order';

/** Sets of at most so many nodes are not cut. */
const LEAF = 128;

/**
 * Writes the order of elimination: order[place] = node. `start` and `column` are compressed rows of the pattern, both
 * triangles, repeats allowed; `places` has three coordinates for each node.
 */
export function dissectionOrder(
  order: Int32Array,
  size: number,
  start: ArrayLike<number>,
  column: ArrayLike<number>,
  places: Float64Array,
): void {
  const graph: Graph = { start, column, places, mark: new Int32Array(size).fill(-1), stamp: 0 };
  const nodes = new Int32Array(size);
  for (let i = 0; i < size; i++) nodes[i] = i;
  dissect(graph, nodes, order, 0);
}

interface Graph {
  readonly start: ArrayLike<number>;
  readonly column: ArrayLike<number>;
  readonly places: Float64Array;
  /** Which half of which cut a node belongs to, or its number in a leaf. */
  readonly mark: Int32Array;
  stamp: number;
}

/** Writes the order of `nodes` from order[first] on. */
function dissect(graph: Graph, nodes: Int32Array, order: Int32Array, first: number): void {
  if (nodes.length <= LEAF) {
    orderLeaf(graph, nodes, order, first);
    return;
  }
  sortAlongLongest(graph.places, nodes);
  const middle = nodes.length >> 1;
  const low = nodes.subarray(0, middle);
  const high = nodes.subarray(middle);
  const [lowMark, highMark] = [graph.stamp++, graph.stamp++];
  for (const i of low) graph.mark[i] = lowMark;
  for (const i of high) graph.mark[i] = highMark;

  // The smaller of both borders parts the halves.
  const lowBorder = borderOf(graph, low, highMark);
  const highBorder = borderOf(graph, high, lowMark);
  const isLow = lowBorder.length < highBorder.length;
  const border = isLow ? lowBorder : highBorder;
  for (const i of border) graph.mark[i] = -1;
  const inside = (half: Int32Array, mark: number) => half.filter((i) => graph.mark[i] === mark);
  const lowInside = isLow ? inside(low, lowMark) : low.slice();
  const highInside = isLow ? high.slice() : inside(high, highMark);
  dissect(graph, lowInside, order, first);
  dissect(graph, highInside, order, first + lowInside.length);
  order.set(border, first + lowInside.length + highInside.length);
}

/** Sorts nodes along the side on which they reach farthest; ties by number. */
function sortAlongLongest(places: Float64Array, nodes: Int32Array): void {
  let axis = 0;
  let longest = -1;
  for (let k = 0; k < 3; k++) {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (const i of nodes) {
      least = Math.min(least, places[3 * i + k]);
      most = Math.max(most, places[3 * i + k]);
    }
    if (most - least > longest) {
      longest = most - least;
      axis = k;
    }
  }
  nodes.sort((a, b) => places[3 * a + axis] - places[3 * b + axis] || a - b);
}

/** Nodes with a neighbour that has the mark. */
function borderOf({ start, column, mark }: Graph, nodes: Int32Array, other: number): Int32Array {
  return nodes.filter((i) => {
    for (let k = start[i]; k < start[i + 1]; k++) if (mark[column[k]] === other) return true;
    return false;
  });
}

/** A few nodes by minimum degree, among themselves. */
function orderLeaf(graph: Graph, nodes: Int32Array, order: Int32Array, first: number): void {
  const n = nodes.length;
  const { start, column, mark } = graph;
  // Numbers from the stamp on: no other set has them.
  const base = graph.stamp;
  graph.stamp += n;
  for (let i = 0; i < n; i++) mark[nodes[i]] = base + i;
  const starts = new Int32Array(n + 1);
  const columns: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let k = start[nodes[i]]; k < start[nodes[i] + 1]; k++) {
      const j = mark[column[k]] - base;
      if (j >= 0 && j < n && j !== i && !columns.includes(j, starts[i])) columns.push(j);
    }
    starts[i + 1] = columns.length;
  }
  const inLeaf = new Int32Array(n);
  minimumDegreeOrder(inLeaf, n, starts, columns);
  for (let i = 0; i < n; i++) order[first + i] = nodes[inLeaf[i]];
}

/**
 * Places for the dissection that follow from the mesh alone, so that the order is the same whenever it is made: how
 * many edges a node is away from three nodes far from each other.
 */
export function placesByDistance(nodes: number, start: ArrayLike<number>, column: ArrayLike<number>): Float64Array {
  const places = new Float64Array(3 * nodes);
  const distance = new Int32Array(nodes);
  const nearest = new Int32Array(nodes).fill(nodes);
  const queue = new Int32Array(nodes);
  let from = 0;
  for (let k = 0; k < 4; k++) {
    distance.fill(-1);
    distance[from] = 0;
    queue[0] = from;
    let end = 1;
    for (let at = 0; at < end; at++) {
      const i = queue[at];
      for (let p = start[i]; p < start[i + 1]; p++) {
        if (distance[column[p]] >= 0) continue;
        distance[column[p]] = distance[i] + 1;
        queue[end++] = column[p];
      }
    }
    // The first round only finds a node at the rim.
    let farthest = 0;
    for (let i = 0; i < nodes; i++) {
      const away = distance[i] < 0 ? nodes : distance[i];
      if (k > 0) places[3 * i + k - 1] = away;
      nearest[i] = k > 0 ? Math.min(nearest[i], away) : away;
      if (nearest[i] > nearest[farthest]) farthest = i;
    }
    from = farthest;
    if (k === 0) nearest.fill(nodes);
  }
  return places;
}
