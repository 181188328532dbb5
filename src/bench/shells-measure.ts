// What the sheets of `stiction bench shells` are judged by, from their positions alone.

import type { BenchSheet } from './shells-worlds';

/** What this process has taken of processors so far, whatever else the machine does [ms]. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Value below which a share of the values lie. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted.length === 0 ? Number.NaN : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

/** Lengthening of the edges along warp and weft [%]. */
export function stretchOf({ edges, lengths }: BenchSheet, points: ArrayLike<number>) {
  const strains = new Float64Array(lengths.length);
  for (let e = 0; e < lengths.length; e++) {
    const [a, b] = [3 * edges[2 * e], 3 * edges[2 * e + 1]];
    const [x, y, z] = [points[a] - points[b], points[a + 1] - points[b + 1], points[a + 2] - points[b + 2]];
    strains[e] = 100 * (Math.sqrt(x * x + y * y + z * z) / lengths[e] - 1);
  }
  return {
    most: quantile(strains, 1),
    p99: quantile(strains, 0.99),
    mean: strains.reduce((s, x) => s + x, 0) / strains.length,
  };
}

/** Mean of one coordinate. */
export function meanOf(points: ArrayLike<number>, axis: number): number {
  let sum = 0;
  for (let k = axis; k < points.length; k += 3) sum += points[k];
  return sum / (points.length / 3);
}

/**
 * Largest of `depth` over vertices, middles of edges and middles of triangles: a bare middle surface under something.
 */
export function deepest(
  points: ArrayLike<number>,
  triangles: ArrayLike<number>,
  depth: (x: number, y: number, z: number) => number,
): number {
  let most = Number.NEGATIVE_INFINITY;
  const look = (a: number, b: number, c: number, n: number) => {
    const mean = (k: number) => (points[3 * a + k] + points[3 * b + k] + points[3 * c + k]) / n;
    most = Math.max(most, depth(mean(0), mean(1), mean(2)));
  };
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    look(a, b, c, 3);
    for (const [p, q] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      for (let k = 0; k < 3; k++) middle[k] = (points[3 * p + k] + points[3 * q + k]) / 2;
      most = Math.max(most, depth(middle[0], middle[1], middle[2]));
    }
  }
  for (let v = 0; v < points.length; v += 3) most = Math.max(most, depth(points[v], points[v + 1], points[v + 2]));
  return most;
}

const middle = [0, 0, 0];

export interface Crossings {
  /** Edges through triangles of their own sheet that share no vertex with them. */
  own: number;
  /** Of another sheet. */
  mutual: number;
}

/** Counts edges that go through triangles. A grid of cells keeps the pairs few. */
export function countCrossings(
  meshes: readonly { points: ArrayLike<number>; triangles: ArrayLike<number> }[],
): Crossings {
  const points: number[] = [];
  const triangles: number[] = [];
  const owner: number[] = [];

  meshes.forEach((mesh, m) => {
    const first = points.length / 3;
    for (let k = 0; k < mesh.points.length; k++) points.push(mesh.points[k]);
    for (let t = 0; t < mesh.triangles.length; t++) triangles.push(mesh.triangles[t] + first);
    for (let t = 0; t < mesh.triangles.length; t += 3) owner.push(m);
  });
  const edges = edgesOf(triangles, points.length / 3);
  const cell = 1.5 * meanLength(points, edges);
  const grid = new Map<number, number[]>();

  const visit = (vertices: readonly number[], use: (key: number) => void) => {
    const low = [0, 1, 2].map((k) => Math.floor(Math.min(...vertices.map((v) => points[3 * v + k])) / cell));
    const high = [0, 1, 2].map((k) => Math.floor(Math.max(...vertices.map((v) => points[3 * v + k])) / cell));
    for (let i = low[0]; i <= high[0]; i++)
      for (let j = low[1]; j <= high[1]; j++) for (let k = low[2]; k <= high[2]; k++) use((i * 4093 + j) * 4093 + k);
  };

  for (let t = 0; t < triangles.length; t += 3) {
    visit(triangles.slice(t, t + 3), (key) => {
      const list = grid.get(key);
      if (list) list.push(t);
      else grid.set(key, [t]);
    });
  }

  const found: Crossings = { own: 0, mutual: 0 };
  const seen = new Int32Array(triangles.length / 3).fill(-1);

  for (let e = 0; e < edges.length; e += 3) {
    const [p, q] = [edges[e], edges[e + 1]];
    visit([p, q], (key) => {
      for (const t of grid.get(key) ?? []) {
        if (seen[t / 3] === e) continue;
        seen[t / 3] = e;
        const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
        if (p === a || p === b || p === c || q === a || q === b || q === c) continue;
        if (!pierces(points, p, q, a, b, c)) continue;
        if (owner[t / 3] === owner[edges[e + 2]]) found.own++;
        else found.mutual++;
      }
    });
  }

  return found;
}

/** Ends and a triangle of each edge. */
function edgesOf(triangles: readonly number[], count: number): number[] {
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
      const key = Math.min(a, b) * count + Math.max(a, b);
      if (seen.has(key)) continue;
      seen.add(key);
      edges.push(a, b, t / 3);
    }
  }
  return edges;
}

function meanLength(points: readonly number[], edges: readonly number[]): number {
  let sum = 0;
  for (let e = 0; e < edges.length; e += 3) {
    const [a, b] = [3 * edges[e], 3 * edges[e + 1]];
    sum += Math.hypot(points[a] - points[b], points[a + 1] - points[b + 1], points[a + 2] - points[b + 2]);
  }
  return sum / (edges.length / 3);
}

/** Whether the segment p q goes through the triangle a b c: by the signs of five volumes. */
function pierces(x: readonly number[], p: number, q: number, a: number, b: number, c: number): boolean {
  const above = volume(x, p, a, b, c) > 0;
  if (above === volume(x, q, a, b, c) > 0) return false;
  const first = volume(x, p, q, a, b) > 0;
  return first === volume(x, p, q, b, c) > 0 && first === volume(x, p, q, c, a) > 0;
}

/** Six times the volume of the tetrahedron. */
function volume(x: readonly number[], a: number, b: number, c: number, d: number): number {
  const u = [x[3 * b] - x[3 * a], x[3 * b + 1] - x[3 * a + 1], x[3 * b + 2] - x[3 * a + 2]];
  const v = [x[3 * c] - x[3 * a], x[3 * c + 1] - x[3 * a + 1], x[3 * c + 2] - x[3 * a + 2]];
  const w = [x[3 * d] - x[3 * a], x[3 * d + 1] - x[3 * a + 1], x[3 * d + 2] - x[3 * a + 2]];
  return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}
