// Two strands at a time: a v128 holds the same f64 of two strands. Vectors are three v128 in a row (48 bytes).
//
// Lanes are read from and written to the tables one by one; everything between runs on both at once.
// (The functions are in vector.ts, where they can be inlined; here they go without their number.)

import { HALF_PI_HIGH, HALF_PI_LOW } from '../../../core/number-constants';
import { mul2 as mul, subMul2 as subMul } from '../math/vector';

export {
  accumulate2 as accumulate,
  add2 as add,
  addMul2 as addMul,
  addScaled2 as addScaled,
  cross2 as cross,
  deduct2 as deduct,
  dot2 as dot,
  gather2 as gather,
  invert2 as invert,
  mul2 as mul,
  part2 as part,
  scale2 as scale,
  scatter2 as scatter,
  setVector2 as setVector,
  sub2 as sub,
  subMul2 as subMul,
  subtract2 as subtract,
} from '../math/vector';

/** Bytes of one value, and of a vector, of two strands. */
export const LANE: usize = 16;
export const VECTOR: usize = 48;

/** out = (sine, cosine) of two angles [rad]; absolute error below 1e-15 while |angle| < 1e5. */
export function sineCosine(out: usize, angle: v128): void {
  const turns = f64x2.nearest(mul(angle, f64x2.splat(0.6366197723675814)));
  const x = subMul(subMul(angle, turns, f64x2.splat(HALF_PI_HIGH)), turns, f64x2.splat(HALF_PI_LOW));
  const y = mul(x, x);
  const one = f64x2.splat(1);
  // Taylor series in nested form, to x¹⁷ and x¹⁸.
  let s = subMul(one, y, f64x2.splat(1.0 / 272));
  s = subMul(one, mul(y, f64x2.splat(1.0 / 210)), s);
  s = subMul(one, mul(y, f64x2.splat(1.0 / 156)), s);
  s = subMul(one, mul(y, f64x2.splat(1.0 / 110)), s);
  s = subMul(one, mul(y, f64x2.splat(1.0 / 72)), s);
  s = subMul(one, mul(y, f64x2.splat(1.0 / 42)), s);
  s = subMul(one, mul(y, f64x2.splat(1.0 / 20)), s);
  s = subMul(one, mul(y, f64x2.splat(1.0 / 6)), s);
  s = mul(x, s);
  let c = subMul(one, y, f64x2.splat(1.0 / 306));
  c = subMul(one, mul(y, f64x2.splat(1.0 / 240)), c);
  c = subMul(one, mul(y, f64x2.splat(1.0 / 182)), c);
  c = subMul(one, mul(y, f64x2.splat(1.0 / 132)), c);
  c = subMul(one, mul(y, f64x2.splat(1.0 / 90)), c);
  c = subMul(one, mul(y, f64x2.splat(1.0 / 56)), c);
  c = subMul(one, mul(y, f64x2.splat(1.0 / 30)), c);
  c = subMul(one, mul(y, f64x2.splat(1.0 / 12)), c);
  c = subMul(one, mul(y, f64x2.splat(0.5)), c);
  // Quadrants: swap in odd ones, signs by the second bit.
  const quadrant = i64x2.extend_low_i32x4_s(i32x4.trunc_sat_f64x2_s_zero(turns));
  const odd = i64x2.neg(v128.and(quadrant, i64x2.splat(1)));
  const sineSign = i64x2.shl(v128.and(quadrant, i64x2.splat(2)), 62);
  const cosineSign = i64x2.shl(v128.and(i64x2.add(quadrant, i64x2.splat(1)), i64x2.splat(2)), 62);
  v128.store(out, v128.xor(v128.bitselect(c, s, odd), sineSign));
  v128.store(out, v128.xor(v128.bitselect(s, c, odd), cosineSign), 16);
}
