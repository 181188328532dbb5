// A fine surface carried by tetrahedra: each of its vertices has barycentric coordinates in one of them.

/** Where the vertices of a surface are in a mesh of tetrahedra. */
export interface VolumeEmbedding {
  /** Four corners for each vertex, and their weights, whose sum is 1; negative ones: it is outside. */
  readonly corner: Int32Array;
  readonly weight: Float64Array;
  /** The vertex farthest outside, −1 when none is, and how far that is in heights of its tetrahedron [-]. */
  readonly outermost: number;
  readonly outside: number;
}

const weights = new Float64Array(4);

/**
 * Binds `fine` points to the tetrahedra that they are in, else to the one that they are least outside of; points three
 * numbers each [m], tetrahedra four corners each, of volume > 0.
 */
export function embedInTetrahedra(
  fine: ArrayLike<number>,
  points: ArrayLike<number>,
  tetrahedra: ArrayLike<number>,
): VolumeEmbedding {
  const count = fine.length / 3;
  const corner = new Int32Array(4 * count);
  const weight = new Float64Array(4 * count);
  const grid = listByCell(points, tetrahedra);
  let outermost = -1;
  let outside = 0;

  for (let v = 0; v < count; v++) {
    let best = Number.NEGATIVE_INFINITY;
    const tryIn = (t: number) => {
      const least = placeIn(points, tetrahedra, t, fine, v);
      if (least <= best) return;
      best = least;
      for (let k = 0; k < 4; k++) {
        corner[4 * v + k] = tetrahedra[4 * t + k];
        weight[4 * v + k] = weights[k];
      }
    };
    // Those near it first: nearly all vertices are done with a few tetrahedra.
    const near = grid.at(fine, v);
    for (let i = near.start; i < near.end && best < 0; i++) tryIn(grid.listed[i]);
    for (let t = 0; t < tetrahedra.length / 4 && best < 0; t++) tryIn(t);
    if (-best > outside) {
      outside = -best;
      outermost = v;
    }
  }
  return { corner, weight, outermost, outside };
}

/** Tetrahedra by the cells of a grid that their boxes reach into. */
interface TetrahedronGrid {
  readonly listed: Int32Array;
  /** The part of `listed` that belongs to the cell which a vertex is in; empty outside of the grid. */
  at(fine: ArrayLike<number>, v: number): { readonly start: number; readonly end: number };
}

/** Lists tetrahedra by about as many cells as there are of them. */
function listByCell(points: ArrayLike<number>, tetrahedra: ArrayLike<number>): TetrahedronGrid {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];

  for (let i = 0; i < tetrahedra.length; i++) {
    for (let c = 0; c < 3; c++) {
      const x = points[3 * tetrahedra[i] + c];
      low[c] = Math.min(low[c], x);
      high[c] = Math.max(high[c], x);
    }
  }

  let side = 1;
  while ((side + 1) ** 3 <= tetrahedra.length / 4) side++;
  const scale = low.map((x, c) => (high[c] > x ? side / (high[c] - x) : 0));
  const cellOf = (x: number, c: number) => Math.min(side - 1, Math.max(0, Math.floor((x - low[c]) * scale[c])));

  const from = [0, 0, 0];
  const to = [0, 0, 0];

  /** Visits the cells that each tetrahedron's box reaches into. */
  const visit = (seen: (cell: number, t: number) => void) => {
    for (let t = 0; t < tetrahedra.length / 4; t++) {
      for (let c = 0; c < 3; c++) {
        const x = [0, 1, 2, 3].map((k) => points[3 * tetrahedra[4 * t + k] + c]);
        from[c] = cellOf(Math.min(...x), c);
        to[c] = cellOf(Math.max(...x), c);
      }
      for (let i = from[0]; i <= to[0]; i++)
        for (let j = from[1]; j <= to[1]; j++)
          for (let k = from[2]; k <= to[2]; k++) seen((i * side + j) * side + k, t);
    }
  };

  const starts = new Int32Array(side ** 3 + 1);
  visit((cell) => starts[cell + 1]++);
  for (let cell = 0; cell < side ** 3; cell++) starts[cell + 1] += starts[cell];
  const next = starts.slice();
  const listed = new Int32Array(starts[side ** 3]);
  visit((cell, t) => {
    listed[next[cell]++] = t;
  });
  const range = { start: 0, end: 0 };

  return {
    listed,
    at(fine, v) {
      range.start = range.end = 0;
      let cell = 0;
      for (let c = 0; c < 3; c++) {
        const x = fine[3 * v + c];
        if (!(x >= low[c] && x <= high[c])) return range;
        cell = cell * side + cellOf(x, c);
      }
      range.start = starts[cell];
      range.end = starts[cell + 1];
      return range;
    },
  };
}

/** `weights` := barycentric coordinates of a vertex in tetrahedron t; returns the least of them. */
function placeIn(
  x: ArrayLike<number>,
  tetrahedra: ArrayLike<number>,
  t: number,
  fine: ArrayLike<number>,
  v: number,
): number {
  const o = 3 * tetrahedra[4 * t];
  const a = 3 * tetrahedra[4 * t + 1];
  const b = 3 * tetrahedra[4 * t + 2];
  const c = 3 * tetrahedra[4 * t + 3];
  const [ux, uy, uz] = [x[a] - x[o], x[a + 1] - x[o + 1], x[a + 2] - x[o + 2]];
  const [vx, vy, vz] = [x[b] - x[o], x[b + 1] - x[o + 1], x[b + 2] - x[o + 2]];
  const [wx, wy, wz] = [x[c] - x[o], x[c + 1] - x[o + 1], x[c + 2] - x[o + 2]];
  const [px, py, pz] = [fine[3 * v] - x[o], fine[3 * v + 1] - x[o + 1], fine[3 * v + 2] - x[o + 2]];
  // Cramer's rule on [u v w] weights = p.
  const [nx, ny, nz] = [vy * wz - vz * wy, vz * wx - vx * wz, vx * wy - vy * wx];
  const determinant = ux * nx + uy * ny + uz * nz;
  weights[1] = (px * nx + py * ny + pz * nz) / determinant;
  weights[2] = (px * (wy * uz - wz * uy) + py * (wz * ux - wx * uz) + pz * (wx * uy - wy * ux)) / determinant;
  weights[3] = (px * (uy * vz - uz * vy) + py * (uz * vx - ux * vz) + pz * (ux * vy - uy * vx)) / determinant;
  weights[0] = 1 - weights[1] - weights[2] - weights[3];
  return Math.min(weights[0], weights[1], weights[2], weights[3]);
}
