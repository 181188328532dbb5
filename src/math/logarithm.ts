// Natural logarithm that is the same in every engine: additions, multiplications and divisions only.

import { LN2_HIGH, LN2_LOW } from '../core/number-constants';

const SQRT_HALF = Math.SQRT1_2;

const bits = new DataView(new ArrayBuffer(8));

/**
 * ln x to within two units in the last place; −∞ at 0, NaN below. x = 2^k m with m in [√½, √2);
 * with s = (m − 1)/(m + 1), ln m = 2 artanh s = 2 (s + s³/3 + s⁵/5 + …), where s² < 0.0295:
 * eleven terms reach the last place.
 */
export function logarithm(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;

  // Mantissa and exponent.
  let k = 0;
  if (x < 2.2250738585072014e-308) {
    x *= 18014398509481984;
    k = -54;
  }
  bits.setFloat64(0, x);
  const high = bits.getUint32(0);
  k += (high >>> 20) - 1022;
  bits.setUint32(0, (high & 0x000fffff) | 0x3fe00000);
  let m = bits.getFloat64(0);
  if (m < SQRT_HALF) {
    m *= 2;
    k--;
  }

  // 2 artanh s by its series.
  const s = (m - 1) / (m + 1);
  const z = s * s;
  let sum = 1 / 21;
  for (let n = 19; n >= 3; n -= 2) sum = 1 / n + z * sum;
  return k * LN2_HIGH + (2 * s + (2 * s * z * sum + k * LN2_LOW));
}
