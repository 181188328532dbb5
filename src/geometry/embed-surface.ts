// A fine surface carried by a coarse one: each of its vertices is a place over a triangle.

/** Where the vertices of a surface are over the triangles of another. */
export interface Embedding {
  /** Three vertices of the coarse surface for each fine one, and their weights. */
  readonly corner: Int32Array;
  readonly weight: Float64Array;
  /** How far each is above the triangle, along its normal [m]. */
  readonly height: Float64Array;
}

const weights = new Float64Array(3);

/** Binds `fine` points to the nearest of the coarse surface's triangles; all points three numbers each [m]. */
export function embedSurface(
  fine: ArrayLike<number>,
  coarse: ArrayLike<number>,
  triangles: ArrayLike<number>,
): Embedding {
  const count = fine.length / 3;
  const corner = new Int32Array(3 * count);
  const weight = new Float64Array(3 * count);
  const height = new Float64Array(count);
  for (let v = 0; v < count; v++) {
    let nearest = Number.POSITIVE_INFINITY;
    for (let t = 0; t < triangles.length; t += 3) {
      const square = nearestPlace(fine, 3 * v, coarse, triangles, t);
      if (square >= nearest) continue;
      nearest = square;
      for (let k = 0; k < 3; k++) {
        corner[3 * v + k] = triangles[t + k];
        weight[3 * v + k] = weights[k];
      }
    }
    height[v] = heightOver(fine, 3 * v, coarse, corner, weight, 3 * v);
  }
  return { corner, weight, height };
}

/** Square of the distance of a point from a triangle; `weights` := the nearest place (Ericson 2005, section 5.1.5). */
function nearestPlace(
  p: ArrayLike<number>,
  at: number,
  x: ArrayLike<number>,
  triangles: ArrayLike<number>,
  t: number,
): number {
  const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
  let d1 = 0;
  let d2 = 0;
  let uu = 0;
  let uv = 0;
  let vv = 0;

  for (let k = 0; k < 3; k++) {
    const u = x[b + k] - x[a + k];
    const v = x[c + k] - x[a + k];
    const w = p[at + k] - x[a + k];
    d1 += u * w;
    d2 += v * w;
    uu += u * u;
    uv += u * v;
    vv += v * v;
  }

  const d3 = d1 - uu;
  const d4 = d2 - uv;
  const d5 = d1 - uv;
  const d6 = d2 - vv;
  const va = d3 * d6 - d5 * d4;
  const vb = d5 * d2 - d1 * d6;
  const vc = d1 * d4 - d3 * d2;
  let s = 0;
  let r = 0;

  if (d1 <= 0 && d2 <= 0) s = r = 0;
  else if (d3 >= 0 && d4 <= d3) s = 1;
  else if (vc <= 0 && d1 >= 0 && d3 <= 0) s = d1 / (d1 - d3);
  else if (d6 >= 0 && d5 <= d6) r = 1;
  else if (vb <= 0 && d2 >= 0 && d6 <= 0) r = d2 / (d2 - d6);
  else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    r = (d4 - d3) / (d4 - d3 + (d5 - d6));
    s = 1 - r;
  } else {
    s = vb / (va + vb + vc);
    r = vc / (va + vb + vc);
  }

  weights[0] = 1 - s - r;
  weights[1] = s;
  weights[2] = r;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    square += (p[at + k] - weights[0] * x[a + k] - weights[1] * x[b + k] - weights[2] * x[c + k]) ** 2;
  }
  return square;
}

function heightOver(
  p: ArrayLike<number>,
  at: number,
  x: ArrayLike<number>,
  corner: Int32Array,
  weight: Float64Array,
  w: number,
): number {
  const [a, b, c] = [3 * corner[w], 3 * corner[w + 1], 3 * corner[w + 2]];
  let along = 0;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    const n = (x[b + i] - x[a + i]) * (x[c + j] - x[a + j]) - (x[b + j] - x[a + j]) * (x[c + i] - x[a + i]);
    const over = p[at + k] - weight[w] * x[a + k] - weight[w + 1] * x[b + k] - weight[w + 2] * x[c + k];
    along += n * over;
    square += n * n;
  }
  return square > 0 ? along / Math.sqrt(square) : 0;
}
