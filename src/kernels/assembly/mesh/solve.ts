// Solves with A or A + W of an object with a mesh: conjugate gradients in f32, preconditioned by its factor
// (factor.ts).
//
// Vectors are f32×4 a row, in the order of elimination. The preconditioned residual is about the error that is left, a
// velocity: its largest component decides when to stop.

import { KIND_SOLID } from '../../../state/layout';
import {
  BLOCK32,
  FROM_MULTIPLE,
  FROM_ZERO,
  M_A_ROW,
  M_A_START,
  M_BLOCK,
  M_FACTOR,
  M_ITERATIONS,
  M_KIND,
  M_L_ROW,
  M_L_START,
  M_NODES,
  M_P,
  M_PIVOT,
  M_Q,
  M_R,
  M_SUM,
  M_WEIGHT,
  M_WEIGHTED,
  M_WEIGHTED_PIVOT,
  M_X,
  M_Z,
  PIVOT,
  TRANSPOSED,
} from '../../../state/mesh-layout';
import { splat0, splat1, splat2 } from '../math/vector';
import { at, product, sumColumns } from './blocks';
import { multiplyRiders } from './riders';

/**
 * What the factor of a solid, which knows all of A, leaves of an error [-]: no iteration where that is little enough.
 */
const EXACT: f32 = 1e-3;

/** out := A x, or (A + W) x. */
function multiplyMesh(record: usize, weighted: bool, out: usize, x: usize): void {
  const n = <usize>load<i32>(record, M_NODES);
  const sums = at(record, M_SUM);
  const weight = at(record, M_WEIGHT);
  const zero = f32x4.splat(0);
  for (let i: usize = 0; i < n; i++) {
    const own = v128.load(x + (i << 4));
    const w = weighted ? f32x4.mul(v128.load(weight + (i << 4)), own) : zero;
    v128.store(out + (i << 4), f32x4.add(product(sums + i * BLOCK32, own), w));
  }
  const starts = at(record, M_A_START);
  const rows = at(record, M_A_ROW);
  let block = at(record, M_BLOCK);
  for (let j: usize = 0; j < n; j++) {
    let p = rows + ((<usize>load<i32>(starts + (j << 2))) << 2);
    const end = rows + ((<usize>load<i32>(starts + (j << 2), 4)) << 2);
    const own = v128.load(x + (j << 4));
    let s0 = zero;
    let s1 = zero;
    let s2 = zero;
    for (; p < end; p += 4) {
      const i = (<usize>load<i32>(p)) << 4;
      const d = f32x4.sub(own, v128.load(x + i));
      const a = v128.load(block);
      const b = v128.load(block, 16);
      const c = v128.load(block, 32);
      const push = f32x4.add(f32x4.add(f32x4.mul(a, splat0(d)), f32x4.mul(b, splat1(d))), f32x4.mul(c, splat2(d)));
      v128.store(out + i, f32x4.add(v128.load(out + i), push));
      s0 = f32x4.add(s0, f32x4.mul(a, d));
      s1 = f32x4.add(s1, f32x4.mul(b, d));
      s2 = f32x4.add(s2, f32x4.mul(c, d));
      block += BLOCK32;
    }
    v128.store(out + (j << 4), f32x4.sub(v128.load(out + (j << 4)), sumColumns(s0, s1, s2)));
  }
  if (weighted) multiplyRiders(record, out, x);
}

/** z := (L Lᵀ)⁻¹ r. */
function precondition(record: usize, weighted: bool, z: usize, r: usize): void {
  const n = <usize>load<i32>(record, M_NODES);
  const pivots = at(record, weighted ? M_WEIGHTED_PIVOT : M_PIVOT);
  const starts = at(record, M_L_START);
  const rows = at(record, M_L_ROW);
  memory.copy(z, r, n << 4);
  let block = at(record, weighted ? M_WEIGHTED : M_FACTOR);
  for (let j: usize = 0; j < n; j++) {
    let p = rows + ((<usize>load<i32>(starts + (j << 2))) << 2);
    const end = rows + ((<usize>load<i32>(starts + (j << 2), 4)) << 2);
    const own = product(pivots + j * PIVOT, v128.load(z + (j << 4)));
    v128.store(z + (j << 4), own);
    const x = splat0(own);
    const y = splat1(own);
    const w = splat2(own);
    for (; p < end; p += 4) {
      const to = z + ((<usize>load<i32>(p)) << 4);
      const push = f32x4.add(
        f32x4.add(f32x4.mul(v128.load(block), x), f32x4.mul(v128.load(block, 16), y)),
        f32x4.mul(v128.load(block, 32), w),
      );
      v128.store(to, f32x4.sub(v128.load(to), push));
      block += BLOCK32;
    }
  }
  const zero = f32x4.splat(0);
  for (let j = n; j-- > 0; ) {
    const p = (<usize>load<i32>(starts + (j << 2))) << 2;
    let q = (<usize>load<i32>(starts + (j << 2), 4)) << 2;
    let s0 = zero;
    let s1 = zero;
    let s2 = zero;
    while (q > p) {
      q -= 4;
      block -= BLOCK32;
      const x = v128.load(z + ((<usize>load<i32>(rows + q)) << 4));
      s0 = f32x4.add(s0, f32x4.mul(v128.load(block), x));
      s1 = f32x4.add(s1, f32x4.mul(v128.load(block, 16), x));
      s2 = f32x4.add(s2, f32x4.mul(v128.load(block, 32), x));
    }
    const own = f32x4.sub(v128.load(z + (j << 4)), sumColumns(s0, s1, s2));
    v128.store(z + (j << 4), product(pivots + j * PIVOT + TRANSPOSED, own));
  }
}

/** Largest component of a vector; NaN where one is none. */
function largest(x: usize, n: usize): f32 {
  let most = f32x4.splat(0);
  // As integers: a NaN stays.
  for (let i: usize = 0; i < n << 4; i += 16) most = i32x4.max_s(most, f32x4.abs(v128.load(x + i)));
  return max<f32>(max<f32>(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)), f32x4.extract_lane(most, 2));
}

function dot(a: usize, b: usize, n: usize): f64 {
  let low = f64x2.splat(0);
  let high = low;
  for (let i: usize = 0; i < n << 4; i += 16) {
    const product = f32x4.mul(v128.load(a + i), v128.load(b + i));
    low = f64x2.add(low, f64x2.promote_low_f32x4(product));
    high = f64x2.add(high, f64x2.promote_low_f32x4(v128.shuffle<f32>(product, product, 2, 3, 2, 3)));
  }
  const sum = f64x2.add(low, high);
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

/**
 * r −= A x, where the solve begins: at x as it is (FROM_LAST), or at its multiple that is nearest to the solution, by
 * energy.
 */
function beginAt(record: usize, weighted: bool, from: i32, n: usize): void {
  const x = at(record, M_X);
  const r = at(record, M_R);
  const q = at(record, M_Q);
  multiplyMesh(record, weighted, q, x);
  let by: f32 = 1;
  if (from == FROM_MULTIPLE) {
    const curvature = dot(x, q, n);
    by = curvature > 0 ? <f32>(dot(x, r, n) / curvature) : 0;
  }
  const scale = f32x4.splat(by);
  for (let i: usize = 0; i < n << 4; i += 16) {
    v128.store(x + i, f32x4.mul(scale, v128.load(x + i)));
    v128.store(r + i, f32x4.sub(v128.load(r + i), f32x4.mul(scale, v128.load(q + i))));
  }
}

/**
 * x := the solution for the right-hand side in R, which is used up, from where `from` says: until no component of the
 * error is likely to be above `tolerance` [m/s] or the share `relative` of the largest of x, or after `most`
 * iterations. Returns the largest component of the last preconditioned residual [m/s].
 */
export function solveConjugate(
  record: usize,
  weighted: bool,
  from: i32,
  tolerance: f32,
  relative: f32,
  most: i32,
): f32 {
  const n = <usize>load<i32>(record, M_NODES);
  const size = n << 4;
  const x = at(record, M_X);
  const r = at(record, M_R);
  const z = at(record, M_Z);
  const p = at(record, M_P);
  const q = at(record, M_Q);
  if (from == FROM_ZERO) memory.fill(x, 0, size);
  else beginAt(record, weighted, from, n);
  precondition(record, weighted, z, r);
  memory.copy(p, z, size);
  let left = largest(z, n);
  let rz = dot(r, z, n);
  let iteration = 0;
  const isExact = load<i32>(record, M_KIND) == KIND_SOLID;
  while (iteration < most && rz > 0) {
    let limit = tolerance;
    if (from != FROM_ZERO || iteration > 0) limit = max<f32>(limit, relative * largest(x, n));
    if (left <= limit) break;
    if (isExact && EXACT * left <= max<f32>(limit, relative * left)) {
      for (let i: usize = 0; i < size; i += 16) v128.store(x + i, f32x4.add(v128.load(x + i), v128.load(z + i)));
      left *= EXACT;
      break;
    }
    iteration++;
    multiplyMesh(record, weighted, q, p);
    const curvature = dot(p, q, n);
    if (!(curvature > 0)) break;
    const step = f32x4.splat(<f32>(rz / curvature));
    for (let i: usize = 0; i < size; i += 16) {
      v128.store(x + i, f32x4.add(v128.load(x + i), f32x4.mul(step, v128.load(p + i))));
      v128.store(r + i, f32x4.sub(v128.load(r + i), f32x4.mul(step, v128.load(q + i))));
    }
    precondition(record, weighted, z, r);
    left = largest(z, n);
    const now = dot(r, z, n);
    const share = f32x4.splat(<f32>(now / rz));
    rz = now;
    for (let i: usize = 0; i < size; i += 16) {
      v128.store(p + i, f32x4.add(v128.load(z + i), f32x4.mul(share, v128.load(p + i))));
    }
  }
  store<i32>(record, load<i32>(record, M_ITERATIONS) + iteration, M_ITERATIONS);
  return left;
}
