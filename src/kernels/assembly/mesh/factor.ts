// Block Cholesky factor L Lᵀ of A or A + W of an object with a mesh, f32, 3×3 blocks, column after column
// (left-looking).
//
// It is the preconditioner of solve.ts, exact but for rounding and for the corners of hinges: two nodes across an edge
// are no neighbours in the mesh, and with them as neighbours a factor has twice the blocks and takes four times as
// long. A hinge k g gᵀ with opposite nodes c and d is replaced by k g gᵀ + k u uᵀ, u = g_c at c and −g_d at d:
// that has no block (c, d), is positive definite as long as A is, and never less than A (M_EXTRA). Conjugate gradients
// see to the rest; cloth takes about ten iterations, where bending is ten times as stiff twice as many. Order and
// pattern: solvers/elastic/mesh-pattern.ts.
//
// A sheet is 10⁴ to 10⁷ times as stiff in its plane as across it, where often its masses alone resist. Two things
// keep f32 from losing what is across:
// - Diagonal blocks are not updated: sums of rows are, S_i −= L_ik C_k⁻¹ S_k, and a diagonal block is made of its
//   row's sum and the blocks beside it when its turn comes, in f64 (for M-matrices: Alfa, Xue, Ye, Math. Comp. 71,
//   2002). What rounding leaves then acts on differences of neighbours alone, not on the sheet as a whole.
// - L_ik is B_ik C_k⁻ᵀ by substitution, D_k = C_k C_kᵀ: with B_ik D_k⁻¹, D_k nearly singular, errors are
//   (k/m)^½ times as large (Higham, Accuracy and Stability of Numerical Algorithms, 13.3.2).

import {
  BLOCK32,
  BLOCK64,
  M_A_BLOCKS,
  M_A_TO_L,
  M_BLOCK,
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
  M_ROW_SUM,
  M_S,
  M_WEIGHT,
  M_WEIGHTED,
  M_WEIGHTED_PIVOT,
  PIVOT,
} from '../../../state/mesh-layout';
import { splat0, splat1, splat2 } from '../math/vector';
import { at, combine, sum3 } from './blocks';
import { addRiders } from './riders';

/** Pivots below this share of their diagonal are rounding [-]. */
const ROUNDING: f64 = 1e-9;

/** C of a column: below its diagonal, and one over its diagonal. */
let c10: f64 = 0;
let c20: f64 = 0;
let c21: f64 = 0;
let r0: f64 = 0;
let r1: f64 = 0;
let r2: f64 = 0;

/** Factors A, or A + W where `weighted`; returns how many pivots were not positive. */
export function factorMesh(record: usize, weighted: bool): i32 {
  const n = load<i32>(record, M_NODES);
  const factor = at(record, weighted ? M_WEIGHTED : M_FACTOR);
  const pivots = at(record, weighted ? M_WEIGHTED_PIVOT : M_PIVOT);
  const start = at(record, M_L_START);
  const rows = at(record, M_L_ROW);
  const sums = at(record, M_S);
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
    // Where the column's blocks are, by row.
    let block = factor + <usize>from * BLOCK32;
    for (let p = from; p < end; p++, block += BLOCK32) {
      store<usize>(map + ((<usize>load<i32>(rows + ((<usize>p) << 2))) << 2), block);
    }
    const sum = sums + j * BLOCK32;
    let k = load<i32>(head + (j << 2));
    while (k >= 0) {
      const following = load<i32>(next + ((<usize>k) << 2));
      const first = load<i32>(place + ((<usize>k) << 2));
      const last = load<i32>(start + ((<usize>k) << 2), 4);
      deductColumn(factor, rows, map, sums + <usize>k * BLOCK32, sum, first, last);
      if (first + 1 < last) hang(place, head, next, rows, k, first + 1);
      k = following;
    }
    bad += takePivot(pivots + j * PIVOT, sum, factor, from, end);
    scaleColumn(factor, from, end);
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

/** L := A's blocks below the diagonal, 0 where there is none; S := sums of rows and what belongs to them. */
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
  const sums = at(record, M_S);
  for (let i: usize = 0; i < n; i++) {
    const a = at(record, M_ROW_SUM) + i * BLOCK64;
    const b = at(record, M_EXTRA) + i * BLOCK64;
    const w: f64 = weighted ? <f64>load<f32>(at(record, M_WEIGHT) + (i << 4)) : 0;
    const out = sums + i * BLOCK32;
    for (let c: usize = 0; c < 3; c++) {
      const low = f64x2.add(v128.load(a + (c << 5)), v128.load(b + (c << 5)));
      const high = f64x2.add(v128.load(a + (c << 5), 16), v128.load(b + (c << 5), 16));
      const column = v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
      v128.store(out + (c << 4), column);
      store<f32>(out + 20 * c, <f32>(load<f64>(a + 40 * c) + load<f64>(b + 40 * c) + w));
    }
  }
  if (weighted) addRiders(record, factor);
}

/**
 * Takes what column k, from its block `first` on, has in the column of that block's row off it: L_ik L_jkᵀ of all
 * rows i below, and from the sum of row j L_jk C_k⁻¹ S_k (`own`).
 */
function deductColumn(factor: usize, rows: usize, map: usize, own: usize, sum: usize, first: i32, last: i32): void {
  const beside = factor + <usize>first * BLOCK32;
  const l0 = v128.load(beside);
  const l1 = v128.load(beside, 16);
  const l2 = v128.load(beside, 32);
  v128.store(sum, f32x4.sub(v128.load(sum), combine(l0, l1, l2, v128.load(own))));
  v128.store(sum, f32x4.sub(v128.load(sum, 16), combine(l0, l1, l2, v128.load(own, 16))), 16);
  v128.store(sum, f32x4.sub(v128.load(sum, 32), combine(l0, l1, l2, v128.load(own, 32))), 32);
  const s00 = splat0(l0);
  const s01 = splat0(l1);
  const s02 = splat0(l2);
  const s10 = splat1(l0);
  const s11 = splat1(l1);
  const s12 = splat1(l2);
  const s20 = splat2(l0);
  const s21 = splat2(l1);
  const s22 = splat2(l2);
  const end = rows + ((<usize>last) << 2);
  let from = beside + BLOCK32;
  for (let p = rows + ((<usize>first + 1) << 2); p < end; p += 4, from += BLOCK32) {
    const out = load<usize>(map + ((<usize>load<i32>(p)) << 2));
    const a = v128.load(from);
    const b = v128.load(from, 16);
    const c = v128.load(from, 32);
    v128.store(out, f32x4.sub(v128.load(out), sum3(a, b, c, s00, s01, s02)));
    v128.store(out, f32x4.sub(v128.load(out, 16), sum3(a, b, c, s10, s11, s12)), 16);
    v128.store(out, f32x4.sub(v128.load(out, 32), sum3(a, b, c, s20, s21, s22)), 32);
  }
}

/**
 * D of a column is its row's sum less what stands beside it, which is what stands below it; C of it, C⁻¹ and C⁻ᵀ
 * to `pivot`, and to `sum` C⁻¹ S. Returns how many of the three pivots were not positive: they resist as their
 * diagonal.
 */
function takePivot(pivot: usize, sum: usize, factor: usize, from: i32, end: i32): i32 {
  const none = f64x2.splat(0);
  let a = none;
  let b = none;
  let c = none;
  let a2 = none;
  let b2 = none;
  let c2 = none;

  const last = factor + <usize>end * BLOCK32;
  for (let block = factor + <usize>from * BLOCK32; block < last; block += BLOCK32) {
    const x = v128.load(block);
    const y = v128.load(block, 16);
    const z = v128.load(block, 32);
    a = f64x2.add(a, f64x2.promote_low_f32x4(x));
    b = f64x2.add(b, f64x2.promote_low_f32x4(y));
    c = f64x2.add(c, f64x2.promote_low_f32x4(z));
    a2 = f64x2.add(a2, f64x2.promote_low_f32x4(v128.shuffle<f32>(x, x, 2, 3, 2, 3)));
    b2 = f64x2.add(b2, f64x2.promote_low_f32x4(v128.shuffle<f32>(y, y, 2, 3, 2, 3)));
    c2 = f64x2.add(c2, f64x2.promote_low_f32x4(v128.shuffle<f32>(z, z, 2, 3, 2, 3)));
  }
  const sxx = <f64>load<f32>(sum);
  const syx = <f64>load<f32>(sum, 4);
  const szx = <f64>load<f32>(sum, 8);
  const sxy = <f64>load<f32>(sum, 16);
  const syy = <f64>load<f32>(sum, 20);
  const szy = <f64>load<f32>(sum, 24);
  const sxz = <f64>load<f32>(sum, 32);
  const syz = <f64>load<f32>(sum, 36);
  const szz = <f64>load<f32>(sum, 40);
  const xx = sxx - f64x2.extract_lane(a, 0);
  const yy = syy - f64x2.extract_lane(b, 1);
  const zz = szz - f64x2.extract_lane(c2, 0);
  const xy = 0.5 * (syx + sxy - f64x2.extract_lane(a, 1) - f64x2.extract_lane(b, 0));
  const xz = 0.5 * (szx + sxz - f64x2.extract_lane(a2, 0) - f64x2.extract_lane(c, 0));
  const yz = 0.5 * (szy + syz - f64x2.extract_lane(b2, 0) - f64x2.extract_lane(c, 1));
  let bad = 0;
  let d = xx;

  if (!(d > 0)) {
    d = max<f64>(abs<f64>(xx), 1e-30);
    bad++;
  }
  r0 = 1 / sqrt<f64>(d);
  c10 = xy * r0;
  c20 = xz * r0;
  d = yy - c10 * c10;

  if (!(d > ROUNDING * yy)) {
    d = max<f64>(abs<f64>(yy), 1e-30);
    bad++;
  }
  r1 = 1 / sqrt<f64>(d);
  c21 = (yz - c20 * c10) * r1;
  d = zz - c20 * c20 - c21 * c21;

  if (!(d > ROUNDING * zz)) {
    d = max<f64>(abs<f64>(zz), 1e-30);
    bad++;
  }
  r2 = 1 / sqrt<f64>(d);
  const i10 = -c10 * r0 * r1;
  const i21 = -c21 * r1 * r2;
  const i20 = -(c20 * r0 + c21 * i10) * r2;
  v128.store(pivot, f32x4(<f32>r0, <f32>i10, <f32>i20, 0));
  v128.store(pivot, f32x4(0, <f32>r1, <f32>i21, 0), 16);
  v128.store(pivot, f32x4(0, 0, <f32>r2, 0), 32);
  v128.store(pivot, f32x4(<f32>r0, 0, 0, 0), 48);
  v128.store(pivot, f32x4(<f32>i10, <f32>r1, 0, 0), 64);
  v128.store(pivot, f32x4(<f32>i20, <f32>i21, <f32>r2, 0), 80);
  storeReduced(sum, sxx, syx, szx);
  storeReduced(sum + 16, sxy, syy, szy);
  storeReduced(sum + 32, sxz, syz, szz);
  return bad;
}

/** C⁻¹ (x, y, z) by substitution. */
function storeReduced(to: usize, x: f64, y: f64, z: f64): void {
  const a = x * r0;
  const b = (y - c10 * a) * r1;
  v128.store(to, f32x4(<f32>a, <f32>b, <f32>((z - c20 * a - c21 * b) * r2), 0));
}

/** L_ij := B_ij C_j⁻ᵀ of a column, by substitution. */
function scaleColumn(factor: usize, from: i32, end: i32): void {
  const s10 = f32x4.splat(<f32>c10);
  const s20 = f32x4.splat(<f32>c20);
  const s21 = f32x4.splat(<f32>c21);
  const s0 = f32x4.splat(<f32>r0);
  const s1 = f32x4.splat(<f32>r1);
  const s2 = f32x4.splat(<f32>r2);
  const last = factor + <usize>end * BLOCK32;
  for (let block = factor + <usize>from * BLOCK32; block < last; block += BLOCK32) {
    const a = f32x4.mul(v128.load(block), s0);
    const b = f32x4.mul(f32x4.sub(v128.load(block, 16), f32x4.mul(a, s10)), s1);
    const c = f32x4.sub(f32x4.sub(v128.load(block, 32), f32x4.mul(a, s20)), f32x4.mul(b, s21));
    v128.store(block, a);
    v128.store(block, b, 16);
    v128.store(block, f32x4.mul(c, s2), 32);
  }
}
