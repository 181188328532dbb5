// Blocks of 3×3 and rows of vectors: what matrices of meshes are made of. The layout: state/mesh-layout.ts. What inner
// loops call is inlined.

import { M_FIRST, M_ROW_OF } from '../../../state/mesh-layout';
import { joinHigh, joinLow, mixHigh, mixLow, splat0, splat1, splat2 } from '../math/vector';

/** An address in a record. */
// @ts-expect-error: decorator
@inline
export function at(record: usize, field: usize): usize {
  return <usize>load<i32>(record + field);
}

/** Bytes of a row of f64×4 and of f32×4, as shifts. */
export const ROW64: usize = 5;

/** B x, B of three columns of f32×4. */
// @ts-expect-error: decorator
@inline
export function product(block: usize, x: v128): v128 {
  const a = f32x4.mul(v128.load(block), splat0(x));
  const b = f32x4.mul(v128.load(block, 16), splat1(x));
  return f32x4.add(f32x4.add(a, b), f32x4.mul(v128.load(block, 32), splat2(x)));
}

/** x, y, z and 0 := the sums of the first three lanes of a, b and c. */
// @ts-expect-error: decorator
@inline
export function sumColumns(a: v128, b: v128, c: v128): v128 {
  const zero = f32x4.splat(0);
  const low01 = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  const low23 = v128.shuffle<f32>(c, zero, 0, 4, 1, 5);
  const high01 = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const high23 = v128.shuffle<f32>(c, zero, 2, 6, 3, 7);
  const x = v128.shuffle<f32>(low01, low23, 0, 1, 4, 5);
  const y = v128.shuffle<f32>(low01, low23, 2, 3, 6, 7);
  return f32x4.add(f32x4.add(x, y), v128.shuffle<f32>(high01, high23, 0, 1, 4, 5));
}

/** An f64 block as f32. */
// @ts-expect-error: decorator
@inline
export function narrow(to: usize, from: usize): void {
  v128.store(to, narrowColumn(v128.load(from), v128.load(from, 16)));
  v128.store(to, narrowColumn(v128.load(from, 32), v128.load(from, 48)), 16);
  v128.store(to, narrowColumn(v128.load(from, 64), v128.load(from, 80)), 32);
}

// @ts-expect-error: decorator
@inline
function narrowColumn(xy: v128, zw: v128): v128 {
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(xy), f32x4.demote_f64x2_zero(zw), 0, 1, 4, 5);
}

/** to −= from, f64 blocks. */
// @ts-expect-error: decorator
@inline
export function deductBlock(to: usize, from: usize): void {
  v128.store(to, f64x2.sub(v128.load(to), v128.load(from)));
  v128.store(to, f64x2.sub(v128.load(to, 16), v128.load(from, 16)), 16);
  v128.store(to, f64x2.sub(v128.load(to, 32), v128.load(from, 32)), 32);
  v128.store(to, f64x2.sub(v128.load(to, 48), v128.load(from, 48)), 48);
  v128.store(to, f64x2.sub(v128.load(to, 64), v128.load(from, 64)), 64);
  v128.store(to, f64x2.sub(v128.load(to, 80), v128.load(from, 80)), 80);
}

/** to −= the transpose of `from`, f64 blocks. */
// @ts-expect-error: decorator
@inline
export function deductTransposedBlock(to: usize, from: usize): void {
  const a = v128.load(from);
  const b = v128.load(from, 32);
  const c = v128.load(from, 64);
  v128.store(to, f64x2.sub(v128.load(to), v128.shuffle<f64>(a, b, 0, 2)));
  v128.store(to, f64x2.sub(v128.load(to, 16), v128.load64_zero(from, 64)), 16);
  v128.store(to, f64x2.sub(v128.load(to, 32), v128.shuffle<f64>(a, b, 1, 3)), 32);
  v128.store(to, f64x2.sub(v128.load(to, 48), f64x2(f64x2.extract_lane(c, 1), 0)), 48);
  v128.store(to, f64x2.sub(v128.load(to, 64), f64x2(load<f64>(from, 16), load<f64>(from, 48))), 64);
  v128.store(to, f64x2.sub(v128.load(to, 80), v128.load64_zero(from, 80)), 80);
}

/** b of a row −= (x, y, z). */
// @ts-expect-error: decorator
@inline
export function deductRow(right: usize, row: usize, x: f64, y: f64, z: f64): void {
  const to = right + (row << ROW64);
  v128.store(to, f64x2.sub(v128.load(to), f64x2(x, y)));
  store<f64>(to, load<f64>(to, 16) - z, 16);
}

/** Number `k` of a row. */
// @ts-expect-error: decorator
@inline
export function part(rows: usize, row: usize, k: usize): f64 {
  return load<f64>(rows + (row << ROW64) + k);
}

/** a + s x + t y */
// @ts-expect-error: decorator
@inline
export function sum2(a: v128, s: v128, x: v128, t: v128, y: v128): v128 {
  return f64x2.add(a, f64x2.add(f64x2.mul(s, x), f64x2.mul(t, y)));
}

/** A gradient: s a + t b. */
// @ts-expect-error: decorator
@inline
export function setHinge(to: usize, s: f64, t: f64, ax: f64, ay: f64, az: f64, bx: f64, by: f64, bz: f64): void {
  store<f64>(to, s * ax + t * bx);
  store<f64>(to, s * ay + t * by, 8);
  store<f64>(to, s * az + t * bz, 16);
}

// @ts-expect-error: decorator
@inline
export function sum3(a: v128, b: v128, c: v128, x: v128, y: v128, z: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(a, x), f32x4.mul(b, y)), f32x4.mul(c, z));
}

// @ts-expect-error: decorator
@inline
export function combine(a: v128, b: v128, c: v128, by: v128): v128 {
  return sum3(a, b, c, splat0(by), splat1(by), splat2(by));
}

/** Row of a node of the tables. */
export function rowOf(record: usize, node: i32): usize {
  return <usize>load<i32>(at(record, M_ROW_OF) + ((<usize>(node - load<i32>(record, M_FIRST))) << 2));
}

/** a · b of three f64. */
export function dotOf(a: usize, b: usize): f64 {
  return load<f64>(a) * load<f64>(b) + load<f64>(a, 8) * load<f64>(b, 8) + load<f64>(a, 16) * load<f64>(b, 16);
}

/** block += scale · a bᵀ, f64. */
export function addOuter(block: usize, a: usize, b: usize, scale: f64): void {
  const xy = v128.load(a);
  const z = v128.load64_zero(a, 16);
  let s = f64x2.splat(scale * load<f64>(b));
  v128.store(block, f64x2.add(v128.load(block), f64x2.mul(xy, s)));
  v128.store(block, f64x2.add(v128.load(block, 16), f64x2.mul(z, s)), 16);
  s = f64x2.splat(scale * load<f64>(b, 8));
  v128.store(block, f64x2.add(v128.load(block, 32), f64x2.mul(xy, s)), 32);
  v128.store(block, f64x2.add(v128.load(block, 48), f64x2.mul(z, s)), 48);
  s = f64x2.splat(scale * load<f64>(b, 16));
  v128.store(block, f64x2.add(v128.load(block, 64), f64x2.mul(xy, s)), 64);
  v128.store(block, f64x2.add(v128.load(block, 80), f64x2.mul(z, s)), 80);
}

// @ts-expect-error: decorator
@inline
function addColumn(to: usize, column: v128): void {
  v128.store(to, f64x2.add(v128.load(to), f64x2.promote_low_f32x4(column)));
  const high = v128.shuffle<f32>(column, column, 2, 3, 2, 3);
  v128.store(to, f64x2.add(v128.load(to, 16), f64x2.promote_low_f32x4(high)), 16);
}

/** An f64 block += one of f32, or its transpose. */
// @ts-expect-error: decorator
@inline
export function addBlock(block: usize, from: usize, isUpright: bool): void {
  let a = v128.load(from);
  let b = v128.load(from, 16);
  let c = v128.load(from, 32);
  if (!isUpright) {
    const zero = f32x4.splat(0);
    const xy = mixLow(a, b);
    const z0 = mixLow(c, zero);
    const high = mixHigh(a, b);
    const z1 = mixHigh(c, zero);
    a = joinLow(xy, z0);
    b = joinHigh(xy, z0);
    c = joinLow(high, z1);
  }
  addColumn(block, a);
  addColumn(block + 32, b);
  addColumn(block + 64, c);
}

// ── Two f64 in a v128: 3×3 matrices are nine of them by rows ─────────────────

/** a x + b y + c z */
// @ts-expect-error: decorator
@inline
export function sum3Double(a: v128, b: v128, c: v128, x: v128, y: v128, z: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(a, x), f64x2.mul(b, y)), f64x2.mul(c, z));
}

/** Product of the columns at a and b. */
// @ts-expect-error: decorator
@inline
export function dotColumns(a: usize, b: usize): v128 {
  return sum3Double(
    v128.load(a),
    v128.load(a, 48),
    v128.load(a, 96),
    v128.load(b),
    v128.load(b, 48),
    v128.load(b, 96),
  );
}

/** a d − b c */
// @ts-expect-error: decorator
@inline
export function minorOf(a: v128, b: v128, c: v128, d: v128): v128 {
  return f64x2.sub(f64x2.mul(a, d), f64x2.mul(b, c));
}

/** The numbers at p and q := c p − s q, s p + c q. */
// @ts-expect-error: decorator
@inline
export function turnDouble(p: usize, q: usize, c: v128, s: v128): void {
  const x = v128.load(p);
  const y = v128.load(q);
  v128.store(p, f64x2.sub(f64x2.mul(c, x), f64x2.mul(s, y)));
  v128.store(q, f64x2.add(f64x2.mul(s, x), f64x2.mul(c, y)));
}

/** a x + b y, f32 */
// @ts-expect-error: decorator
@inline
export function sumTwo(a: v128, x: v128, b: v128, y: v128): v128 {
  return f32x4.add(f32x4.mul(a, x), f32x4.mul(b, y));
}
