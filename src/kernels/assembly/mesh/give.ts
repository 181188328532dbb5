// How far each node of an object with a mesh gives way to a push at it alone: the trace of its block of (L Lᵀ)⁻¹,
// all of the mesh behind it.
//
// Takahashi's equations (Erisman, Tinney 1975), Z = (M D Mᵀ)⁻¹ on the pattern of M = L C⁻¹, from the last
// column to the first: Z_ij = −Σ_k Z_ik M_kj, Z_jj = D_j⁻¹ − Σ_k Z_kjᵀ M_kj, D_j⁻¹ = C_j⁻ᵀ C_j⁻¹.
// The pivots alone, which would cost nothing, say how far a node gives way while those after it are held: where bending
// is stiff that is a small part, another one from node to node.

import { NODE_MASS } from '../../../state/layout';
import {
  BLOCK32,
  M_FACTOR,
  M_FIRST,
  M_GIVE,
  M_HEAD,
  M_L_ROW,
  M_L_START,
  M_MAP,
  M_NODE_OF,
  M_NODES,
  M_PIVOT,
  M_S,
  M_WEIGHTED,
  M_WEIGHTED_PIVOT,
  PIVOT,
} from '../../../state/mesh-layout';
import { splat0, splat1, splat2 } from '../math/vector';
import { column } from '../memory';
import { at, combine, sum3, sumColumns } from './blocks';

/** Writes GIVE from the factor of A; takes the place of the factor of A + W. */
export function findGive(record: usize): void {
  const n = <usize>load<i32>(record, M_NODES);
  const factor = at(record, M_FACTOR);
  const inverse = at(record, M_WEIGHTED);
  const diagonals = at(record, M_WEIGHTED_PIVOT);
  const starts = at(record, M_L_START);
  const rows = at(record, M_L_ROW);
  const map = at(record, M_MAP);
  const scratch = at(record, M_S);
  const shared = at(record, M_HEAD);
  memory.fill(map, 0xff, n << 2);
  for (let j = n; j-- > 0; ) {
    const from = <usize>load<i32>(starts + (j << 2));
    const end = <usize>load<i32>(starts + (j << 2), 4);
    memory.fill(inverse + from * BLOCK32, 0, (end - from) * BLOCK32);
    for (let p = from; p < end; p++) store<i32>(map + ((<usize>load<i32>(rows + (p << 2))) << 2), <i32>p);
    // Its blocks are numbered as those of L.
    const own = scratch - from * BLOCK32;
    takeColumn(own, factor, at(record, M_PIVOT) + j * PIVOT, from, end);
    for (let q = from; q < end; q++) {
      const k = <usize>load<i32>(rows + (q << 2));
      const last = <usize>load<i32>(starts + (k << 2), 4);
      const first = <usize>load<i32>(starts + (k << 2));
      const common = listCommon(rows, map, shared, first, last);
      deductInverse(own, inverse, shared, common, diagonals + k * PIVOT, q);
    }
    for (let p = from; p < end; p++) store<i32>(map + ((<usize>load<i32>(rows + (p << 2))) << 2), -1);
    closeColumn(record, own, j, from, end);
  }
}

/**
 * Lists the entries `first` to `last` of a column whose rows are in `map`, and their places there, two i32 each (there
 * is room in HEAD and NEXT, which lies behind it); returns where the list ends. Three entries of five are not in it, in
 * no order that a processor could guess: so all are written, and the place moves on where one counts.
 */
function listCommon(rows: usize, map: usize, shared: usize, first: usize, last: usize): usize {
  let next = shared;
  for (let p = first; p < last; p++) {
    const to = load<i32>(map + ((<usize>load<i32>(rows + (p << 2))) << 2));
    store<i32>(next, <i32>p);
    store<i32>(next, to, 4);
    next += to >= 0 ? 8 : 0;
  }
  return next;
}

/** What column k of Z, its entries from `shared` to `end`, has in column j, whose entry of row k is q. */
function deductInverse(factor: usize, inverse: usize, shared: usize, end: usize, diagonal: usize, q: usize): void {
  const zero = f32x4.splat(0);
  const own = factor + q * BLOCK32;
  const l0 = v128.load(own);
  const l1 = v128.load(own, 16);
  const l2 = v128.load(own, 32);
  const x0 = splat0(l0);
  const y0 = splat1(l0);
  const w0 = splat2(l0);
  const x1 = splat0(l1);
  const y1 = splat1(l1);
  const w1 = splat2(l1);
  const x2 = splat0(l2);
  const y2 = splat1(l2);
  const w2 = splat2(l2);
  let a = v128.load(diagonal);
  let b = v128.load(diagonal, 16);
  let c = v128.load(diagonal, 32);
  let s0 = sum3(a, b, c, x0, y0, w0);
  let s1 = sum3(a, b, c, x1, y1, w1);
  let s2 = sum3(a, b, c, x2, y2, w2);
  for (; shared < end; shared += 8) {
    const to = load<i32>(shared, 4);
    const z = inverse + <usize>load<i32>(shared) * BLOCK32;
    a = v128.load(z);
    b = v128.load(z, 16);
    c = v128.load(z, 32);
    const out = inverse + <usize>to * BLOCK32;
    v128.store(out, f32x4.sub(v128.load(out), sum3(a, b, c, x0, y0, w0)));
    v128.store(out, f32x4.sub(v128.load(out, 16), sum3(a, b, c, x1, y1, w1)), 16);
    v128.store(out, f32x4.sub(v128.load(out, 32), sum3(a, b, c, x2, y2, w2)), 32);
    // Its transpose.
    const low01 = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
    const low23 = v128.shuffle<f32>(c, zero, 0, 4, 1, 5);
    const high01 = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
    const high23 = v128.shuffle<f32>(c, zero, 2, 6, 3, 7);
    const t0 = v128.shuffle<f32>(low01, low23, 0, 1, 4, 5);
    const t1 = v128.shuffle<f32>(low01, low23, 2, 3, 6, 7);
    const t2 = v128.shuffle<f32>(high01, high23, 0, 1, 4, 5);
    const other = factor + <usize>to * BLOCK32;
    const m0 = v128.load(other);
    const m1 = v128.load(other, 16);
    const m2 = v128.load(other, 32);
    s0 = f32x4.add(s0, sum3(t0, t1, t2, splat0(m0), splat1(m0), splat2(m0)));
    s1 = f32x4.add(s1, sum3(t0, t1, t2, splat0(m1), splat1(m1), splat2(m1)));
    s2 = f32x4.add(s2, sum3(t0, t1, t2, splat0(m2), splat1(m2), splat2(m2)));
  }
  const out = inverse + q * BLOCK32;
  v128.store(out, f32x4.sub(v128.load(out), s0));
  v128.store(out, f32x4.sub(v128.load(out, 16), s1), 16);
  v128.store(out, f32x4.sub(v128.load(out, 32), s2), 32);
}

/** a · d, b · e, c · f of three numbers each. */
function dots(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128): v128 {
  return sumColumns(f32x4.mul(a, d), f32x4.mul(b, e), f32x4.mul(c, f));
}

/** Column of M = L C⁻¹. */
function takeColumn(to: usize, factor: usize, pivot: usize, from: usize, end: usize): void {
  const p0 = v128.load(pivot);
  const p1 = v128.load(pivot, 16);
  const p2 = v128.load(pivot, 32);
  for (let p = from; p < end; p++) {
    const block = factor + p * BLOCK32;
    const out = to + p * BLOCK32;
    const a = v128.load(block);
    const b = v128.load(block, 16);
    const c = v128.load(block, 32);
    v128.store(out, combine(a, b, c, p0));
    v128.store(out, combine(a, b, c, p1), 16);
    v128.store(out, combine(a, b, c, p2), 32);
  }
}

/** Z_jj, and what the node gives, which is no less than its pivot and no more than its mass. */
function closeColumn(record: usize, factor: usize, j: usize, from: usize, end: usize): void {
  const inverse = at(record, M_WEIGHTED);
  const pivot = at(record, M_PIVOT) + j * PIVOT;
  const out = at(record, M_WEIGHTED_PIVOT) + j * PIVOT;
  const zero = f32x4.splat(0);
  let s0 = zero;
  let s1 = zero;
  let s2 = zero;
  let s3 = zero;
  let s4 = zero;
  let s5 = zero;
  for (let p = from; p < end; p++) {
    const z = inverse + p * BLOCK32;
    const l = factor + p * BLOCK32;
    const l0 = v128.load(l);
    const l1 = v128.load(l, 16);
    const l2 = v128.load(l, 32);
    const z0 = v128.load(z);
    const z1 = v128.load(z, 16);
    s0 = f32x4.add(s0, f32x4.mul(z0, l0));
    s1 = f32x4.add(s1, f32x4.mul(z0, l1));
    s2 = f32x4.add(s2, f32x4.mul(z0, l2));
    s3 = f32x4.add(s3, f32x4.mul(z1, l1));
    s4 = f32x4.add(s4, f32x4.mul(z1, l2));
    s5 = f32x4.add(s5, f32x4.mul(v128.load(z, 32), l2));
  }
  // D⁻¹ = C⁻ᵀ C⁻¹.
  const p0 = v128.load(pivot);
  const p1 = v128.load(pivot, 16);
  const p2 = v128.load(pivot, 32);
  const row = f32x4.sub(dots(p0, p0, p0, p0, p1, p2), sumColumns(s0, s1, s2));
  const inner = dots(p1, p1, p2, p1, p2, p2);
  const rest = f32x4.sub(inner, sumColumns(s3, s4, s5));
  const xx = f32x4.extract_lane(row, 0);
  const xy = f32x4.extract_lane(row, 1);
  const xz = f32x4.extract_lane(row, 2);
  const yy = f32x4.extract_lane(rest, 0);
  const yz = f32x4.extract_lane(rest, 1);
  const zz = f32x4.extract_lane(rest, 2);
  const own = sumColumns(f32x4.mul(p0, p0), f32x4.mul(p1, p1), f32x4.mul(p2, p2));
  const least = f32x4.extract_lane(own, 0) + f32x4.extract_lane(own, 1) + f32x4.extract_lane(own, 2);
  v128.store(out, f32x4(xx, xy, xz, 0));
  v128.store(out, f32x4(xy, yy, yz, 0), 16);
  v128.store(out, f32x4(xz, yz, zz, 0), 32);
  const node = <usize>(load<i32>(record, M_FIRST) + load<i32>(at(record, M_NODE_OF) + (j << 2)));
  const most = <f32>(3 / load<f64>(column(NODE_MASS) + (node << 4)));
  store<f32>(at(record, M_GIVE) + (j << 2), max<f32>(least, min<f32>(most, xx + yy + zz)));
}
