// How far each node gives way to a push, its whole strand behind it: the diagonal blocks
// of A⁻¹ of four strands at a time.
//
// Twin of math/banded-inverse.ts, which has the recurrence: from the last node to the first, the entries of Z = A⁻¹
// between a node and the two after it, from the factor that is there for the solves (rod/factor.ts, f32; weights need a
// few digits). Z of the eleven unknowns that a column of L reaches is kept in a window: x y z θ of the node, x y z θ
// of the next, x y z of the one after that.

import { LANE } from './lanes';
import { NODE_BYTES, ROW_T, ROW_X, ROW_Y, ROW_Z } from './work';

const SIZE: usize = 11;
const ROW: usize = 11 * 16;
/** Z of the window, row by row, and rows of L of nodes that do not exist. */
const window = memory.data(11 * 11 * 16);
const none = memory.data(38 * 16);

/** Trace of the block of x, y and z of every node, four lanes, f32×4 a node to `out` [1/kg]. `factor`: of A. */
export function inverseTraces(factor: usize, nodes: i32, out: usize): void {
  memory.fill(window, 0, SIZE * ROW);
  memory.fill(none, 0, NODE_BYTES);
  let after2 = none;
  let after = none;
  for (let i = nodes - 1; i >= 0; i--) {
    const here = factor + <usize>i * NODE_BYTES;
    advanceWindow();
    for (let c = 3; c >= 0; c--) writeColumn(<usize>c, here, after, after2);
    const xy = f32x4.add(v128.load(window), v128.load(window + ROW + 16));
    v128.store(out + ((<usize>i) << 4), f32x4.add(xy, v128.load(window + 2 * ROW + 32)));
    after2 = after;
    after = here;
  }
}

/** The node becomes the next one, x y z of the next one those of the one after it. */
function advanceWindow(): void {
  for (let r: usize = 7; r > 0; r--) {
    const from = window + (r - 1) * ROW;
    const to = window + (r + 3) * ROW;
    for (let k: usize = 7; k > 0; k--) v128.store(to + ((k + 3) << 4), v128.load(from + ((k - 1) << 4)));
  }
}

/** Entry k of a node's rows. */
function at(rows: usize, k: usize): v128 {
  return v128.load(rows + k * LANE);
}

/** Z between unknown c of the node and all that follow it in the window, then its own diagonal entry. */
function writeColumn(c: usize, here: usize, after: usize, after2: usize): void {
  const zero = f32x4.splat(0);
  const l1 = c < 1 ? at(here, ROW_Y + 8) : zero;
  const l2 = c < 2 ? at(here, ROW_Z + 8 + c) : zero;
  const l3 = c < 3 ? at(here, ROW_T + 4 + c) : zero;
  const l4 = at(after, ROW_X + 4 + c);
  const l5 = at(after, ROW_Y + 4 + c);
  const l6 = at(after, ROW_Z + 4 + c);
  const l7 = at(after, ROW_T + c);
  const l8 = at(after2, ROW_X + c);
  const l9 = at(after2, ROW_Y + c);
  const l10 = at(after2, ROW_Z + c);
  const own = window + c * ROW;
  for (let k = c + 1; k < SIZE; k++) {
    const z = f32x4.neg(product(window + k * ROW, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10));
    v128.store(window + k * ROW + (c << 4), z);
    v128.store(own + (k << 4), z);
  }
  const inverse = at(here, c == 0 ? ROW_X + 8 : c == 1 ? ROW_Y + 9 : c == 2 ? ROW_Z + 10 : ROW_T + 7);
  v128.store(own + (c << 4), f32x4.sub(inverse, product(own, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10)));
}

/** Σ Z L over the window but its first unknown. */
function product(
  row: usize,
  l1: v128,
  l2: v128,
  l3: v128,
  l4: v128,
  l5: v128,
  l6: v128,
  l7: v128,
  l8: v128,
  l9: v128,
  l10: v128,
): v128 {
  const a = f32x4.add(f32x4.mul(at(row, 1), l1), f32x4.mul(at(row, 2), l2));
  const b = f32x4.add(f32x4.mul(at(row, 3), l3), f32x4.mul(at(row, 4), l4));
  const c = f32x4.add(f32x4.mul(at(row, 5), l5), f32x4.mul(at(row, 6), l6));
  const d = f32x4.add(f32x4.mul(at(row, 7), l7), f32x4.mul(at(row, 8), l8));
  const e = f32x4.add(f32x4.mul(at(row, 9), l9), f32x4.mul(at(row, 10), l10));
  return f32x4.add(f32x4.add(f32x4.add(a, b), f32x4.add(c, d)), e);
}
