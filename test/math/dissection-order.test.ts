import { describe, expect, it } from 'vitest';
import { dissectionOrder } from '../../src/math/dissection-order';
import { minimumDegreeOrder } from '../../src/math/sparse-order';

interface Graph {
  size: number;
  start: Int32Array;
  column: Int32Array;
  places: Float64Array;
}

function graphOf(places: number[][], edges: number[][]): Graph {
  const size = places.length;
  const lists: number[][] = places.map(() => []);
  for (const [a, b] of edges) {
    lists[a].push(b);
    lists[b].push(a);
  }
  const start = new Int32Array(size + 1);
  lists.forEach((list, i) => {
    start[i + 1] = start[i] + list.length;
  });
  return { size, start, column: Int32Array.from(lists.flat()), places: Float64Array.from(places.flat()) };
}

/** A brick wall: every brick touches its neighbours beside, and two below. */
function wall(rows: number, length: number): Graph {
  const places: number[][] = [];
  const edges: number[][] = [];
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < length; x++) {
      places.push([x + 0.5 * (y & 1), y, 0]);
      const i = y * length + x;
      if (x > 0) edges.push([i, i - 1]);
      if (y > 0) edges.push([i, i - length]);
      const beside = x + ((y & 1) === 1 ? 1 : -1);
      if (y > 0 && beside >= 0 && beside < length) edges.push([i, i - length + beside - x]);
    }
  }
  return graphOf(places, edges);
}

/** Entries below the diagonal of the factor. */
function fillOf({ size, start, column }: Graph, order: Int32Array): number {
  const place = new Int32Array(size);
  order.forEach((node, k) => {
    place[node] = k;
  });
  const rows = Array.from({ length: size }, () => new Set<number>());
  let fill = 0;
  for (let k = 0; k < size; k++) {
    const node = order[k];
    for (let i = start[node]; i < start[node + 1]; i++) if (place[column[i]] > k) rows[k].add(place[column[i]]);
    fill += rows[k].size;
    const parent = Math.min(...rows[k]);
    for (const row of rows[k]) if (row !== parent) rows[parent].add(row);
  }
  return fill;
}

describe('nested dissection', () => {
  it('is an order of all nodes, the same each time', () => {
    const graph = wall(23, 17);
    const order = new Int32Array(graph.size);
    dissectionOrder(order, graph.size, graph.start, graph.column, graph.places);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: graph.size }, (_, i) => i));
    const again = new Int32Array(graph.size);
    dissectionOrder(again, graph.size, graph.start, graph.column, graph.places);
    expect(again).toEqual(order);
  });

  it.each([
    ['wall', wall(30, 40), 1.3],
    ['tower', wall(300, 3), 2],
    ['chain', wall(1, 500), 2],
  ])('fills a %s hardly more than minimum degree', (_, graph, share) => {
    const order = new Int32Array(graph.size);
    minimumDegreeOrder(order, graph.size, graph.start, graph.column);
    const least = fillOf(graph, order);
    dissectionOrder(order, graph.size, graph.start, graph.column, graph.places);
    expect(fillOf(graph, order)).toBeLessThan(share * least);
  });

  it('orders nodes that all lie in one place', () => {
    const graph = wall(12, 12);
    graph.places.fill(0);
    const order = new Int32Array(graph.size);
    dissectionOrder(order, graph.size, graph.start, graph.column, graph.places);
    expect(new Set(order).size).toBe(graph.size);
  });
});
