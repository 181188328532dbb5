/**
 * Stick where W is singular: is there an r in the cone with W r = −b?
 *
 * W = L Lᵀ by pivoted elimination, on non-dimensional data. Rank 2: the solutions are a line, and a
 * line cuts the cone ‖r_T‖ <= mu r_N where a quadratic is negative. Rank 1: they are a plane
 * v·r = γ, and the cone reaches all values of one sign, or of both, of v·r.
 */

const low = new Float64Array(9);
const order = new Int32Array(3);
const kernel = new Float64Array(3);

/**
 * r := such an impulse; false when there is none within rounding. W is positive semidefinite with
 * W_NN > 0, its pivots below `tiny` counting as zero. The caller checks the answer.
 */
export function stickSingular(r: Float64Array, W: Float64Array, b: Float64Array, mu: number, tiny: number): boolean {
  const rank = eliminate(W, tiny);
  r.fill(0);
  if (rank === 3) {
    solveLeading(r, b, 3);
    return isInCone(r, mu);
  }
  if (rank === 1) return cutPlane(r, W, b, mu);

  // A particular solution with nothing on the last pivot, and the kernel with one there.
  solveLeading(r, b, 2);
  const last = order[2];
  kernel.fill(0);
  kernel[last] = 1;
  // Lᵀ's leading 2×2 part k = −(its last column), from below.
  const [i, j] = [order[0], order[1]];
  kernel[j] = -low[3 * last + 1] / low[3 * j + 1];
  kernel[i] = -(low[3 * last] + low[3 * j] * kernel[j]) / low[3 * i];
  return cutLine(r, kernel, mu);
}

/** Pivoted Cholesky; row i of L at low[3i…], columns in the order of the pivots. Returns the rank. */
function eliminate(W: Float64Array, tiny: number): number {
  low.fill(0);
  order[0] = 0;
  order[1] = 1;
  order[2] = 2;
  for (let k = 0; k < 3; k++) {
    let at = k;
    let pivot = -1;
    for (let m = k; m < 3; m++) {
      const i = order[m];
      let value = W[4 * i];
      for (let e = 0; e < k; e++) value -= low[3 * i + e] * low[3 * i + e];
      if (value > pivot) {
        pivot = value;
        at = m;
      }
    }
    if (!(pivot > tiny)) return k;
    const i = order[at];
    order[at] = order[k];
    order[k] = i;
    low[3 * i + k] = Math.sqrt(pivot);
    for (let m = k + 1; m < 3; m++) {
      const j = order[m];
      let value = W[3 * j + i];
      for (let e = 0; e < k; e++) value -= low[3 * j + e] * low[3 * i + e];
      low[3 * j + k] = value / low[3 * i + k];
    }
  }
  return 3;
}

/** r of the first `rank` pivots := the solution of their rows of W r = −b. */
function solveLeading(r: Float64Array, b: Float64Array, rank: number): void {
  for (let k = 0; k < rank; k++) {
    const i = order[k];
    let value = -b[i];
    for (let e = 0; e < k; e++) value -= low[3 * i + e] * kernel[e];
    kernel[k] = value / low[3 * i + k];
  }
  for (let k = rank - 1; k >= 0; k--) {
    const i = order[k];
    let value = kernel[k];
    for (let m = k + 1; m < rank; m++) value -= low[3 * order[m] + k] * r[order[m]];
    r[i] = value / low[3 * i + k];
  }
}

function isInCone(r: Float64Array, mu: number): boolean {
  return Math.sqrt(r[1] * r[1] + r[2] * r[2]) <= mu * r[0];
}

/** Moves r along the direction k into the cone, if the line meets it. */
function cutLine(r: Float64Array, k: Float64Array, mu: number): boolean {
  if (isInCone(r, mu)) return true;
  // h(t) = ‖r_T + t k_T‖² − mu²(r_N + t k_N)² = a t² + 2 h t + c
  const m = mu * mu;
  const a = k[1] * k[1] + k[2] * k[2] - m * k[0] * k[0];
  const half = r[1] * k[1] + r[2] * k[2] - m * r[0] * k[0];
  const c = r[1] * r[1] + r[2] * r[2] - m * r[0] * r[0];
  const disc = half * half - a * c;
  let t: number;
  if (a > 0) {
    // Negative between the roots: deepest in the middle.
    if (disc < 0) return false;
    t = -half / a;
  } else if (a === 0) {
    if (half === 0) return false;
    t = -c / (2 * half);
    t += half > 0 ? -Math.abs(t) : Math.abs(t);
  } else {
    // The direction itself lies in a cone: far enough along it, on the side of positive normals.
    const root = Math.sqrt(Math.max(disc, 0));
    const sign = k[0] > 0 ? 1 : -1;
    t = sign > 0 ? Math.max((-half - root) / a, (-half + root) / a) : Math.min((-half - root) / a, (-half + root) / a);
    t += sign * 1e-9 * (1 + Math.abs(t));
  }
  for (let i = 0; i < 3; i++) r[i] += t * k[i];
  return isInCone(r, mu);
}

/** W = v vᵀ up to scale: r with v·r = γ inside the cone, along the cone's extreme direction for v. */
function cutPlane(r: Float64Array, W: Float64Array, b: Float64Array, mu: number): boolean {
  // The row of the normal is v times v_N > 0; γ from the normal row too.
  const slide = Math.sqrt(W[1] * W[1] + W[2] * W[2]);
  const target = -b[0];
  // Largest v·r over the cone with r_N = 1; target > 0 because b_N < 0.
  const reach = W[0] + mu * slide;
  const n = target / reach;
  r[0] = n;
  r[1] = slide > 0 ? (mu * n * W[1]) / slide : 0;
  r[2] = slide > 0 ? (mu * n * W[2]) / slide : 0;
  return true;
}
