// LDLᵀ of the matrices of two strands, computed in f64, kept in f32 for the solves.
//
// Up-looking by rows within the envelope (rod/work.ts): row r of L·D is v_j = A_rj − Σ_{m<j} v_m L_jm, then L_rj =
// v_j/D_j and D_r = A_rr − Σ v_j L_rj. Only the last two nodes' rows of L are needed:
// they go round in a small buffer.
//
// Why f64: a hair's axial stiffness is 3·10⁷ times its inertia, and in f32 the sum of both would lose the inertia.
// Once factored that is past: rounding an entry of L turns the stiff directions by 10⁻⁷, which costs nothing, and D
// keeps stiff and soft pivots apart. So the factor is rounded to f32 and the solves run on it four strands at a time.
//
// A factor's node: 38 values of four strands: rows as in the matrix, 1/D in place of the diagonal.

import { LANE, subMul } from './lanes';
import { NODE_BYTES, RIGHT_BYTES, ROW_T, ROW_X, ROW_Y, ROW_Z } from './work';

// L in f64 of the last three nodes, 1/D on the diagonal.
const ring = memory.data(3 * 38 * 16);
/** Rows of L of a node that does not exist. */
const none = memory.data(38 * 16);

function at(base: usize, k: usize): v128 {
  return v128.load(base + k * LANE);
}

function put(base: usize, k: usize, value: v128): void {
  v128.store(base + k * LANE, value);
}

/** An entry of the factor: in f64 for the rows that follow, in f32 for the solves. */
function keep(out: usize, narrow: usize, k: usize, value: v128): void {
  v128.store(out + k * LANE, value);
  v128.store64_lane(narrow + k * LANE, f32x4.demote_f64x2_zero(value), 0);
}

/**
 * Factors A + diag(weight) of `nodes` nodes. `weights`: one f64 of two strands a node, added to x, y, z; 0 for none.
 * `factor`: where half `half` (0, 1) of the f32 factor goes. `right`: the pair's right-hand side b (4 values a node) or
 * 0: it becomes L⁻¹ b, and D⁻¹ L⁻¹ b goes to `scaledRight`, f32, four strands a value: forces of a stretched
 * rod are too large beside its inertia to be halved in f32 before the stiff directions are taken out. Returns lanes
 * whose pivots were all positive: 1 + 2 both.
 */
export function factorPair(
  matrix: usize,
  nodes: i32,
  weights: usize,
  factor: usize,
  half: i32,
  right: usize,
  scaledRight: usize,
): i32 {
  memory.fill(none, 0, NODE_BYTES);
  let before2 = none;
  let before = none;
  let good = i64x2.splat(-1);
  const zero = f64x2.splat(0);
  for (let i = 0; i < nodes; i++) {
    const row = matrix + <usize>i * NODE_BYTES;
    const here = ring + <usize>(i % 3) * NODE_BYTES;
    const weight = weights == 0 ? f64x2.splat(0) : v128.load(weights + ((<usize>i) << 4));
    const out = factor + <usize>i * NODE_BYTES + ((<usize>half) << 3);
    const x = factorLong(here, out, row, ROW_X, 0, before2, before, weight);
    const y = factorLong(here, out, row, ROW_Y, 1, before2, before, weight);
    const z = factorLong(here, out, row, ROW_Z, 2, before2, before, weight);
    const t = factorTwist(here, out, row, before);
    // A NaN is not good either.
    const long = v128.and(v128.and(f64x2.gt(x, zero), f64x2.gt(y, zero)), f64x2.gt(z, zero));
    good = v128.and(good, v128.and(long, f64x2.gt(t, zero)));
    if (right != 0) {
      const y = right + <usize>i * RIGHT_BYTES;
      forward(here, y, scaledRight + <usize>i * RIGHT_BYTES + ((<usize>half) << 3), i);
    }
    before2 = before;
    before = here;
  }
  return i64x2.bitmask(good);
}

/** Row x, y or z (c = 0, 1, 2) of a node: columns from two nodes before. Returns its pivot. */
function factorLong(
  here: usize,
  kept: usize,
  row: usize,
  r: usize,
  c: usize,
  p2: usize,
  p1: usize,
  weight: v128,
): v128 {
  const a = row + r * LANE;
  const out = here + r * LANE;
  const narrow = kept + r * LANE;
  // Columns of node i − 2.
  const v0 = at(a, 0);
  const v1 = subMul(at(a, 1), v0, at(p2, ROW_Y + 8));
  const v2 = subMul(subMul(at(a, 2), v0, at(p2, ROW_Z + 8)), v1, at(p2, ROW_Z + 9));
  let v3 = subMul(at(a, 3), v0, at(p2, ROW_T + 4));
  v3 = subMul(subMul(v3, v1, at(p2, ROW_T + 5)), v2, at(p2, ROW_T + 6));
  // Columns of node i − 1: their rows reach to node i − 2.
  let v4 = subMul(subMul(at(a, 4), v0, at(p1, ROW_X + 4)), v1, at(p1, ROW_X + 5));
  v4 = subMul(subMul(v4, v2, at(p1, ROW_X + 6)), v3, at(p1, ROW_X + 7));
  let v5 = subMul(subMul(at(a, 5), v0, at(p1, ROW_Y + 4)), v1, at(p1, ROW_Y + 5));
  v5 = subMul(subMul(v5, v2, at(p1, ROW_Y + 6)), v3, at(p1, ROW_Y + 7));
  v5 = subMul(v5, v4, at(p1, ROW_Y + 8));
  let v6 = subMul(subMul(at(a, 6), v0, at(p1, ROW_Z + 4)), v1, at(p1, ROW_Z + 5));
  v6 = subMul(subMul(v6, v2, at(p1, ROW_Z + 6)), v3, at(p1, ROW_Z + 7));
  v6 = subMul(subMul(v6, v4, at(p1, ROW_Z + 8)), v5, at(p1, ROW_Z + 9));
  let v7 = subMul(subMul(at(a, 7), v0, at(p1, ROW_T)), v1, at(p1, ROW_T + 1));
  v7 = subMul(subMul(v7, v2, at(p1, ROW_T + 2)), v3, at(p1, ROW_T + 3));
  v7 = subMul(subMul(v7, v4, at(p1, ROW_T + 4)), v5, at(p1, ROW_T + 5));
  v7 = subMul(v7, v6, at(p1, ROW_T + 6));
  // Columns of the node itself.
  let v8 = f64x2.splat(0);
  let v9 = f64x2.splat(0);
  if (c > 0) {
    v8 = inner(at(a, 8), here + ROW_X * LANE, v0, v1, v2, v3, v4, v5, v6, v7);
    if (c > 1) {
      v9 = inner(at(a, 9), here + ROW_Y * LANE, v0, v1, v2, v3, v4, v5, v6, v7);
      v9 = subMul(v9, v8, at(here, ROW_Y + 8));
    }
  }
  let pivot = f64x2.add(at(a, 8 + c), weight);
  pivot = scaled(out, narrow, 0, v0, at(p2, ROW_X + 8), pivot);
  pivot = scaled(out, narrow, 1, v1, at(p2, ROW_Y + 9), pivot);
  pivot = scaled(out, narrow, 2, v2, at(p2, ROW_Z + 10), pivot);
  pivot = scaled(out, narrow, 3, v3, at(p2, ROW_T + 7), pivot);
  pivot = scaled(out, narrow, 4, v4, at(p1, ROW_X + 8), pivot);
  pivot = scaled(out, narrow, 5, v5, at(p1, ROW_Y + 9), pivot);
  pivot = scaled(out, narrow, 6, v6, at(p1, ROW_Z + 10), pivot);
  pivot = scaled(out, narrow, 7, v7, at(p1, ROW_T + 7), pivot);
  if (c > 0) pivot = scaled(out, narrow, 8, v8, at(here, ROW_X + 8), pivot);
  if (c > 1) pivot = scaled(out, narrow, 9, v9, at(here, ROW_Y + 9), pivot);
  keep(out, narrow, 8 + c, f64x2.div(f64x2.splat(1), pivot));
  return pivot;
}

/** a − Σ v L over the eight columns before the node. */
function inner(
  a: v128,
  L: usize,
  v0: v128,
  v1: v128,
  v2: v128,
  v3: v128,
  v4: v128,
  v5: v128,
  v6: v128,
  v7: v128,
): v128 {
  const first = subMul(subMul(subMul(subMul(a, v0, at(L, 0)), v1, at(L, 1)), v2, at(L, 2)), v3, at(L, 3));
  return subMul(subMul(subMul(subMul(first, v4, at(L, 4)), v5, at(L, 5)), v6, at(L, 6)), v7, at(L, 7));
}

/** Writes L = v/D and returns what is left of the pivot. */
function scaled(out: usize, narrow: usize, k: usize, v: v128, inverse: v128, pivot: v128): v128 {
  const L = f64x2.mul(v, inverse);
  keep(out, narrow, k, L);
  return subMul(pivot, v, L);
}

/** Row θ: columns from the node before. Returns its pivot. */
function factorTwist(here: usize, kept: usize, row: usize, p1: usize): v128 {
  const a = row + ROW_T * LANE;
  const out = here + ROW_T * LANE;
  const narrow = kept + ROW_T * LANE;
  const v0 = at(a, 0);
  const v1 = subMul(at(a, 1), v0, at(p1, ROW_Y + 8));
  const v2 = subMul(subMul(at(a, 2), v0, at(p1, ROW_Z + 8)), v1, at(p1, ROW_Z + 9));
  let v3 = subMul(subMul(at(a, 3), v0, at(p1, ROW_T + 4)), v1, at(p1, ROW_T + 5));
  v3 = subMul(v3, v2, at(p1, ROW_T + 6));
  const v4 = outer(at(a, 4), here + (ROW_X + 4) * LANE, v0, v1, v2, v3);
  const v5 = subMul(outer(at(a, 5), here + (ROW_Y + 4) * LANE, v0, v1, v2, v3), v4, at(here, ROW_Y + 8));
  let v6 = outer(at(a, 6), here + (ROW_Z + 4) * LANE, v0, v1, v2, v3);
  v6 = subMul(subMul(v6, v4, at(here, ROW_Z + 8)), v5, at(here, ROW_Z + 9));
  let pivot = at(a, 7);
  pivot = scaled(out, narrow, 0, v0, at(p1, ROW_X + 8), pivot);
  pivot = scaled(out, narrow, 1, v1, at(p1, ROW_Y + 9), pivot);
  pivot = scaled(out, narrow, 2, v2, at(p1, ROW_Z + 10), pivot);
  pivot = scaled(out, narrow, 3, v3, at(p1, ROW_T + 7), pivot);
  pivot = scaled(out, narrow, 4, v4, at(here, ROW_X + 8), pivot);
  pivot = scaled(out, narrow, 5, v5, at(here, ROW_Y + 9), pivot);
  pivot = scaled(out, narrow, 6, v6, at(here, ROW_Z + 10), pivot);
  keep(out, narrow, 7, f64x2.div(f64x2.splat(1), pivot));
  return pivot;
}

/** a − Σ v L over the four columns of the node before. */
function outer(a: v128, L: usize, v0: v128, v1: v128, v2: v128, v3: v128): v128 {
  return subMul(subMul(subMul(subMul(a, v0, at(L, 0)), v1, at(L, 1)), v2, at(L, 2)), v3, at(L, 3));
}

/** y = b − L y of node i in place (y of the nodes before stand before it), and y/D in f32 to lanes of `out`. */
function forward(here: usize, y: usize, out: usize, i: i32): void {
  // The rows of the first nodes have zeros for the nodes that do not exist, whose y must not be read.
  const a = i > 1 ? y - 2 * RIGHT_BYTES : none;
  const b = i > 0 ? y - RIGHT_BYTES : none;
  const y0 = forwardLong(at(y, 0), here + ROW_X * LANE, a, b);
  const y1 = subMul(forwardLong(at(y, 1), here + ROW_Y * LANE, a, b), y0, at(here, ROW_Y + 8));
  let y2 = forwardLong(at(y, 2), here + ROW_Z * LANE, a, b);
  y2 = subMul(subMul(y2, y0, at(here, ROW_Z + 8)), y1, at(here, ROW_Z + 9));
  let y3 = outer(at(y, 3), here + ROW_T * LANE, at(b, 0), at(b, 1), at(b, 2), at(b, 3));
  y3 = subMul(subMul(y3, y0, at(here, ROW_T + 4)), y1, at(here, ROW_T + 5));
  y3 = subMul(y3, y2, at(here, ROW_T + 6));
  finish(y, out, 0, y0, at(here, ROW_X + 8));
  finish(y, out, 1, y1, at(here, ROW_Y + 9));
  finish(y, out, 2, y2, at(here, ROW_Z + 10));
  finish(y, out, 3, y3, at(here, ROW_T + 7));
}

/** value − the row's eight entries before its node times y of the two nodes before. */
function forwardLong(value: v128, L: usize, a: usize, b: usize): v128 {
  const first = outer(value, L, at(a, 0), at(a, 1), at(a, 2), at(a, 3));
  return outer(first, L + 4 * LANE, at(b, 0), at(b, 1), at(b, 2), at(b, 3));
}

function finish(y: usize, out: usize, c: usize, value: v128, inverse: v128): void {
  put(y, c, value);
  v128.store64_lane(out + c * LANE, f32x4.demote_f64x2_zero(f64x2.mul(value, inverse)), 0);
}
