// Exponential that is the same in every engine: additions and multiplications only.

import { LN2_HIGH, LN2_LOW } from '../core/number-constants';

const INVERSE_LN2 = Math.LOG2E;

/**
 * e^x to within two units in the last place for |x| ≤ 700. x = k ln 2 + r with |r| ≤ ½ ln 2: fourteen terms of the
 * series of r reach the last place.
 */
export function exponentialOf(x: number): number {
  const k = Math.round(x * INVERSE_LN2);
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = 1;
  for (let n = 14; n >= 1; n--) sum = 1 + (r / n) * sum;
  for (let i = 0; i < k; i++) sum *= 2;
  for (let i = 0; i > k; i--) sum *= 0.5;
  return sum;
}
