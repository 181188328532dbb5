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
  const boxes = boundTetrahedra(points, tetrahedra);
  let outermost = -1;
  let outside = 0;
  for (let v = 0; v < count; v++) {
    // Within a box first: nearly all vertices are done with a few tetrahedra.
    let best = Number.NEGATIVE_INFINITY;
    for (const isBounded of [true, false]) {
      if (best >= 0) break;
      for (let t = 0; t < tetrahedra.length / 4 && best < 0; t++) {
        if (isBounded && !isInBox(boxes, t, fine, v)) continue;
        const least = placeIn(points, tetrahedra, t, fine, v);
        if (least <= best) continue;
        best = least;
        for (let k = 0; k < 4; k++) {
          corner[4 * v + k] = tetrahedra[4 * t + k];
          weight[4 * v + k] = weights[k];
        }
      }
    }
    if (-best > outside) {
      outside = -best;
      outermost = v;
    }
  }
  return { corner, weight, outermost, outside };
}

/** Least and greatest coordinates of each tetrahedron, six numbers. */
function boundTetrahedra(points: ArrayLike<number>, tetrahedra: ArrayLike<number>): Float64Array {
  const boxes = new Float64Array((6 * tetrahedra.length) / 4);
  for (let t = 0; t < tetrahedra.length / 4; t++) {
    for (let c = 0; c < 3; c++) {
      const at = [0, 1, 2, 3].map((k) => points[3 * tetrahedra[4 * t + k] + c]);
      boxes[6 * t + c] = Math.min(...at);
      boxes[6 * t + 3 + c] = Math.max(...at);
    }
  }
  return boxes;
}

function isInBox(boxes: Float64Array, t: number, fine: ArrayLike<number>, v: number): boolean {
  for (let c = 0; c < 3; c++) {
    const x = fine[3 * v + c];
    if (x < boxes[6 * t + c] || x > boxes[6 * t + 3 + c]) return false;
  }
  return true;
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
