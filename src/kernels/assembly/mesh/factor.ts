// L D Lᵀ of A or A + W of an object with a mesh, f32, 3×3 blocks, column after column (left-looking).
//
// It is the preconditioner of solve.ts, exact but for rounding and for the corners of hinges: two nodes across an edge
// are no neighbours in the mesh, and with them as neighbours a factor has twice the blocks and takes four times as
// long. A hinge k g gᵀ with opposite nodes c and d is replaced by k g gᵀ + k u uᵀ, u = g_c at c and −g_d at d:
// that has no block (c, d), is positive definite as long as A is, and never less than A (M_EXTRA). Conjugate gradients
// see to the rest; cloth takes about ten iterations, where bending is ten times as stiff twice as many. Order and
// pattern: solvers/elastic/mesh-pattern.ts.

import {
  BLOCK32,
  BLOCK64,
  M_A_BLOCKS,
  M_A_TO_L,
  M_BLOCK,
  M_D,
  M_DIAGONAL,
  M_EXTRA,
  M_FACTOR,
  M_HEAD,
  M_L_BLOCKS,
  M_L_ROW,
  M_L_START,
  M_MAP,
  M_NEXT,
  M_NODES,
  M_PIVOT,
  M_PLACE,
  M_WEIGHT,
  M_WEIGHTED,
  M_WEIGHTED_PIVOT,
} from '../../../state/mesh-layout';
import { splat0, splat1, splat2 } from '../math/vector';
import { at, combine, invert, sum3 } from './blocks';

/** Rounding may leave a pivot this share of its diagonal too small [-]. */
const ROUNDING: f64 = 1e-6;

/** Factors A, or A + W where `weighted`; returns how many pivots were not positive. */
export function factorMesh(record: usize, weighted: bool): i32 {
  const n = load<i32>(record, M_NODES);
  const factor = at(record, weighted ? M_WEIGHTED : M_FACTOR);
  const pivots = at(record, weighted ? M_WEIGHTED_PIVOT : M_PIVOT);
  const start = at(record, M_L_START);
  const rows = at(record, M_L_ROW);
  const diagonal = at(record, M_D);
  const map = at(record, M_MAP);
  const head = at(record, M_HEAD);
  const next = at(record, M_NEXT);
  const place = at(record, M_PLACE);
  fillFactor(record, factor, weighted);
  memory.fill(head, 0xff, (<usize>n) << 2);
  let bad = 0;
  for (let j: usize = 0; j < <usize>n; j++) {
    const from = load<i32>(start + (j << 2));
    const end = load<i32>(start + (j << 2), 4);
    for (let p = from; p < end; p++) {
      store<i32>(map + ((<usize>load<i32>(rows + ((<usize>p) << 2))) << 2), p);
    }
    const d = diagonal + j * BLOCK32;
    let k = load<i32>(head + (j << 2));
    while (k >= 0) {
      const following = load<i32>(next + ((<usize>k) << 2));
      const first = load<i32>(place + ((<usize>k) << 2));
      const last = load<i32>(start + ((<usize>k) << 2), 4);
      deductColumn(factor, rows, map, diagonal + <usize>k * BLOCK32, d, first, last);
      if (first + 1 < last) hang(place, head, next, rows, k, first + 1);
      k = following;
    }
    if (!invert(pivots + j * BLOCK32, d)) bad++;
    scaleColumn(factor, pivots + j * BLOCK32, from, end);
    if (from < end) hang(place, head, next, rows, <i32>j, from);
  }
  return bad;
}

/** The next column that column k has a part in is that of its entry p. */
function hang(place: usize, head: usize, next: usize, rows: usize, k: i32, p: i32): void {
  const row = (<usize>load<i32>(rows + ((<usize>p) << 2))) << 2;
  store<i32>(place + ((<usize>k) << 2), p);
  store<i32>(next + ((<usize>k) << 2), load<i32>(head + row));
  store<i32>(head + row, k);
}

/** L := A's blocks below the diagonal, 0 where there is none; D := its diagonal and what belongs to it. */
function fillFactor(record: usize, factor: usize, weighted: bool): void {
  const n = <usize>load<i32>(record, M_NODES);
  memory.fill(factor, 0, <usize>load<i32>(record, M_L_BLOCKS) * BLOCK32);
  const blocks = at(record, M_BLOCK);
  const to = at(record, M_A_TO_L);
  const count = <usize>load<i32>(record, M_A_BLOCKS);
  for (let p: usize = 0; p < count; p++) {
    const q = load<i32>(to + (p << 2));
    if (q < 0) continue;
    const out = factor + <usize>q * BLOCK32;
    const from = blocks + p * BLOCK32;
    v128.store(out, v128.load(from));
    v128.store(out, v128.load(from, 16), 16);
    v128.store(out, v128.load(from, 32), 32);
  }
  const diagonal = at(record, M_D);
  for (let i: usize = 0; i < n; i++) {
    const a = at(record, M_DIAGONAL) + i * BLOCK64;
    const b = at(record, M_EXTRA) + i * BLOCK64;
    const w: f64 = weighted ? <f64>load<f32>(at(record, M_WEIGHT) + (i << 4)) : 0;
    const out = diagonal + i * BLOCK32;
    for (let c: usize = 0; c < 3; c++) {
      const low = f64x2.add(v128.load(a + (c << 5)), v128.load(b + (c << 5)));
      const high = f64x2.add(v128.load(a + (c << 5), 16), v128.load(b + (c << 5), 16));
      const column = v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
      v128.store(out + (c << 4), column);
      const corner = out + 20 * c;
      const own = load<f64>(a + 40 * c) + load<f64>(b + 40 * c) + w;
      store<f32>(corner, <f32>(own * (1 + ROUNDING)));
    }
  }
}

/**
 * Takes what column k, from its block `first` on, has in the column of that block's row off it: L_ik D_k L_jkᵀ, i = j
 * (`target`) and all rows below.
 */
function deductColumn(factor: usize, rows: usize, map: usize, d: usize, target: usize, first: i32, last: i32): void {
  const own = factor + <usize>first * BLOCK32;
  const l0 = v128.load(own);
  const l1 = v128.load(own, 16);
  const l2 = v128.load(own, 32);
  // T = L_jk D_k by columns; its rows multiply from the right.
  const t0 = combine(l0, l1, l2, v128.load(d));
  const t1 = combine(l0, l1, l2, v128.load(d, 16));
  const t2 = combine(l0, l1, l2, v128.load(d, 32));
  const s00 = splat0(t0);
  const s01 = splat0(t1);
  const s02 = splat0(t2);
  const s10 = splat1(t0);
  const s11 = splat1(t1);
  const s12 = splat1(t2);
  const s20 = splat2(t0);
  const s21 = splat2(t1);
  const s22 = splat2(t2);
  v128.store(target, f32x4.sub(v128.load(target), sum3(l0, l1, l2, s00, s01, s02)));
  v128.store(target, f32x4.sub(v128.load(target, 16), sum3(l0, l1, l2, s10, s11, s12)), 16);
  v128.store(target, f32x4.sub(v128.load(target, 32), sum3(l0, l1, l2, s20, s21, s22)), 32);
  for (let p = <usize>first + 1; p < <usize>last; p++) {
    const from = factor + p * BLOCK32;
    const row = (<usize>load<i32>(rows + (p << 2))) << 2;
    const out = factor + <usize>load<i32>(map + row) * BLOCK32;
    const a = v128.load(from);
    const b = v128.load(from, 16);
    const c = v128.load(from, 32);
    v128.store(out, f32x4.sub(v128.load(out), sum3(a, b, c, s00, s01, s02)));
    v128.store(out, f32x4.sub(v128.load(out, 16), sum3(a, b, c, s10, s11, s12)), 16);
    v128.store(out, f32x4.sub(v128.load(out, 32), sum3(a, b, c, s20, s21, s22)), 32);
  }
}

/** L_ij := B_ij D_j⁻¹ of a column. */
function scaleColumn(factor: usize, pivot: usize, from: i32, end: i32): void {
  const d0 = v128.load(pivot);
  const d1 = v128.load(pivot, 16);
  const d2 = v128.load(pivot, 32);
  for (let p = <usize>from; p < <usize>end; p++) {
    const block = factor + p * BLOCK32;
    const a = v128.load(block);
    const b = v128.load(block, 16);
    const c = v128.load(block, 32);
    v128.store(block, combine(a, b, c, d0));
    v128.store(block, combine(a, b, c, d1), 16);
    v128.store(block, combine(a, b, c, d2), 32);
  }
}
