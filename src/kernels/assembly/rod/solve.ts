// Triangular solves of four strands at a time, f32: the inner loop of the contact solve.
//
// L D Lᵀ x = b with the factor of rod/factor.ts. Forward, row by row, with the last two nodes' y in registers; then x
// = y/D and backward by columns of Lᵀ, which are again rows of L: each x takes its share off the ten unknowns before
// it, which wait in registers. So both passes read the factor once, in order.
//
// Right-hand sides and solutions are f32×4 a node (x y z θ), by node of the tables; four strands are turned into
// lanes on the way in and back on the way out. Strands shorter than their group read zeros and write nowhere.

import { GROUP_COUNT, GROUP_FIRST, GROUP_NODES, NODE_BYTES } from './work';

/** Zeros for strands that have ended, and a place for what they would write. */
const idle = memory.data(16);
const dump = memory.data(16);

/** a − b·c */
function less(a: v128, b: v128, at: usize, k: usize): v128 {
  return f32x4.sub(a, f32x4.mul(b, v128.load(at + (k << 4))));
}

/** Row of node i of a lane. */
function nodeAt(base: usize, first: i32, count: i32, i: i32, otherwise: usize): usize {
  return i < count ? base + ((<usize>(first + i)) << 4) : otherwise;
}

/**
 * Solves the four strands of a group with the factor at `factor`: right-hand sides at `right`, solutions to `out`
 * (f32×4 a node of the tables; out may be right). `work`: 64 bytes a node of the group.
 */
export function solveGroup(record: usize, factor: usize, work: usize, right: usize, out: usize): void {
  const nodes = load<i32>(record, GROUP_NODES);
  const f0 = load<i32>(record, GROUP_FIRST);
  const f1 = load<i32>(record, GROUP_FIRST + 4);
  const f2 = load<i32>(record, GROUP_FIRST + 8);
  const f3 = load<i32>(record, GROUP_FIRST + 12);
  forward(record, factor, nodes, right, work, f0, f1, f2, f3);
  backward(record, factor, nodes, work, out, f0, f1, f2, f3);
}

/**
 * work = D⁻¹ L⁻¹ b: four lanes a value, four values a node. f0..f3: first rows of the four strands in `right`.
 */
function forward(
  record: usize,
  factor: usize,
  nodes: i32,
  right: usize,
  work: usize,
  f0: i32,
  f1: i32,
  f2: i32,
  f3: i32,
): void {
  const n0 = load<i32>(record, GROUP_COUNT);
  const n1 = load<i32>(record, GROUP_COUNT + 4);
  const n2 = load<i32>(record, GROUP_COUNT + 8);
  const n3 = load<i32>(record, GROUP_COUNT + 12);
  // Forward: y of node i − 2 (a), of node i − 1 (b), of node i (c).
  let a0 = f32x4.splat(0);
  let a1 = a0;
  let a2 = a0;
  let a3 = a0;
  let b0 = a0;
  let b1 = a0;
  let b2 = a0;
  let b3 = a0;

  for (let i = 0; i < nodes; i++) {
    const L = factor + <usize>i * NODE_BYTES;
    // Four strands' x y z θ to lanes of x, of y, of z, of θ.
    const s0 = v128.load(nodeAt(right, f0, n0, i, idle));
    const s1 = v128.load(nodeAt(right, f1, n1, i, idle));
    const s2 = v128.load(nodeAt(right, f2, n2, i, idle));
    const s3 = v128.load(nodeAt(right, f3, n3, i, idle));
    const low01 = v128.shuffle<f32>(s0, s1, 0, 4, 1, 5);
    const low23 = v128.shuffle<f32>(s2, s3, 0, 4, 1, 5);
    const high01 = v128.shuffle<f32>(s0, s1, 2, 6, 3, 7);
    const high23 = v128.shuffle<f32>(s2, s3, 2, 6, 3, 7);
    let c0 = v128.shuffle<f32>(low01, low23, 0, 1, 4, 5);
    let c1 = v128.shuffle<f32>(low01, low23, 2, 3, 6, 7);
    let c2 = v128.shuffle<f32>(high01, high23, 0, 1, 4, 5);
    let c3 = v128.shuffle<f32>(high01, high23, 2, 3, 6, 7);
    c0 = less(c0, a0, L, 0);
    c0 = less(c0, a1, L, 1);
    c0 = less(c0, a2, L, 2);
    c0 = less(c0, a3, L, 3);
    c0 = less(c0, b0, L, 4);
    c0 = less(c0, b1, L, 5);
    c0 = less(c0, b2, L, 6);
    c0 = less(c0, b3, L, 7);
    c1 = less(c1, a0, L, 9);
    c1 = less(c1, a1, L, 10);
    c1 = less(c1, a2, L, 11);
    c1 = less(c1, a3, L, 12);
    c1 = less(c1, b0, L, 13);
    c1 = less(c1, b1, L, 14);
    c1 = less(c1, b2, L, 15);
    c1 = less(c1, b3, L, 16);
    c1 = less(c1, c0, L, 17);
    c2 = less(c2, a0, L, 19);
    c2 = less(c2, a1, L, 20);
    c2 = less(c2, a2, L, 21);
    c2 = less(c2, a3, L, 22);
    c2 = less(c2, b0, L, 23);
    c2 = less(c2, b1, L, 24);
    c2 = less(c2, b2, L, 25);
    c2 = less(c2, b3, L, 26);
    c2 = less(c2, c0, L, 27);
    c2 = less(c2, c1, L, 28);
    c3 = less(c3, b0, L, 30);
    c3 = less(c3, b1, L, 31);
    c3 = less(c3, b2, L, 32);
    c3 = less(c3, b3, L, 33);
    c3 = less(c3, c0, L, 34);
    c3 = less(c3, c1, L, 35);
    c3 = less(c3, c2, L, 36);
    const at = work + ((<usize>i) << 6);
    v128.store(at, f32x4.mul(c0, v128.load(L, 8 * 16)));
    v128.store(at, f32x4.mul(c1, v128.load(L, 18 * 16)), 16);
    v128.store(at, f32x4.mul(c2, v128.load(L, 29 * 16)), 32);
    v128.store(at, f32x4.mul(c3, v128.load(L, 37 * 16)), 48);
    a0 = b0;
    a1 = b1;
    a2 = b2;
    a3 = b3;
    b0 = c0;
    b1 = c1;
    b2 = c2;
    b3 = c3;
  }
}

/** out = L⁻ᵀ work; f0..f3: first rows of the four strands in `out`. */
export function backward(
  record: usize,
  factor: usize,
  nodes: i32,
  work: usize,
  out: usize,
  f0: i32,
  f1: i32,
  f2: i32,
  f3: i32,
): void {
  const n0 = load<i32>(record, GROUP_COUNT);
  const n1 = load<i32>(record, GROUP_COUNT + 4);
  const n2 = load<i32>(record, GROUP_COUNT + 8);
  const n3 = load<i32>(record, GROUP_COUNT + 12);
  // Backward: what later nodes take off node i (c), i − 1 (b), i − 2 (a).
  let a0 = f32x4.splat(0);
  let a1 = a0;
  let a2 = a0;
  let a3 = a0;
  let b0 = a0;
  let b1 = a0;
  let b2 = a0;
  let b3 = a0;
  let c0 = a0;
  let c1 = a0;
  let c2 = a0;
  let c3 = a0;

  for (let i = nodes - 1; i >= 0; i--) {
    const L = factor + <usize>i * NODE_BYTES;
    const at = work + ((<usize>i) << 6);
    c3 = f32x4.add(c3, v128.load(at, 48));
    c0 = less(c0, c3, L, 34);
    c1 = less(c1, c3, L, 35);
    c2 = less(c2, c3, L, 36);
    b0 = less(b0, c3, L, 30);
    b1 = less(b1, c3, L, 31);
    b2 = less(b2, c3, L, 32);
    b3 = less(b3, c3, L, 33);
    c2 = f32x4.add(c2, v128.load(at, 32));
    c0 = less(c0, c2, L, 27);
    c1 = less(c1, c2, L, 28);
    b0 = less(b0, c2, L, 23);
    b1 = less(b1, c2, L, 24);
    b2 = less(b2, c2, L, 25);
    b3 = less(b3, c2, L, 26);
    a0 = less(a0, c2, L, 19);
    a1 = less(a1, c2, L, 20);
    a2 = less(a2, c2, L, 21);
    a3 = less(a3, c2, L, 22);
    c1 = f32x4.add(c1, v128.load(at, 16));
    c0 = less(c0, c1, L, 17);
    b0 = less(b0, c1, L, 13);
    b1 = less(b1, c1, L, 14);
    b2 = less(b2, c1, L, 15);
    b3 = less(b3, c1, L, 16);
    a0 = less(a0, c1, L, 9);
    a1 = less(a1, c1, L, 10);
    a2 = less(a2, c1, L, 11);
    a3 = less(a3, c1, L, 12);
    c0 = f32x4.add(c0, v128.load(at));
    b0 = less(b0, c0, L, 4);
    b1 = less(b1, c0, L, 5);
    b2 = less(b2, c0, L, 6);
    b3 = less(b3, c0, L, 7);
    a0 = less(a0, c0, L, 0);
    a1 = less(a1, c0, L, 1);
    a2 = less(a2, c0, L, 2);
    a3 = less(a3, c0, L, 3);
    const low01 = v128.shuffle<f32>(c0, c1, 0, 4, 1, 5);
    const low23 = v128.shuffle<f32>(c2, c3, 0, 4, 1, 5);
    const high01 = v128.shuffle<f32>(c0, c1, 2, 6, 3, 7);
    const high23 = v128.shuffle<f32>(c2, c3, 2, 6, 3, 7);
    v128.store(nodeAt(out, f0, n0, i, dump), v128.shuffle<f32>(low01, low23, 0, 1, 4, 5));
    v128.store(nodeAt(out, f1, n1, i, dump), v128.shuffle<f32>(low01, low23, 2, 3, 6, 7));
    v128.store(nodeAt(out, f2, n2, i, dump), v128.shuffle<f32>(high01, high23, 0, 1, 4, 5));
    v128.store(nodeAt(out, f3, n3, i, dump), v128.shuffle<f32>(high01, high23, 2, 3, 6, 7));
    c0 = b0;
    c1 = b1;
    c2 = b2;
    c3 = b3;
    b0 = a0;
    b1 = a1;
    b2 = a2;
    b3 = a3;
    a0 = f32x4.splat(0);
    a1 = a0;
    a2 = a0;
    a3 = a0;
  }
}
