/**
 * The laws that a block of three rows of a contact problem may obey.
 *
 *   coulomb     normal and two tangents of a contact: Signorini–Coulomb with mu (`coulomb-law`)
 *   bilateral   u = 0 in all three rows, by any impulse
 *   one-sided   r >= 0, u >= 0, r u = 0 (a limit, a rope): bounded with 0 and ∞
 *   bounded     each row by itself: low <= r <= high, and u = 0 inside, u >= 0 at low, u <= 0 at high (a motor,
 *               friction in a joint)
 *
 * One-sided has no number of its own: every solver would have the same branch twice. With −∞ and ∞ a bounded row
 * is bilateral, with 0 and 0 unused. Softness (springs) is a number on the diagonal of W.
 *
 * In solvers by sets a row is at its low bound, free, or at its high one; a block's set is ROW_SETS + Σ digit·3ⁱ.
 */
import type { ContactProblem } from './contact-problem';

export { LAW_BILATERAL } from '../core/contact-law-constants';

export const LAW_COULOMB = 0;
export const LAW_BOUNDED = 2;

/** First set of a bounded block; below it are those of contacts. */
export const ROW_SETS = 16;
export const AT_LOW = 0;
export const ROW_FREE = 1;
const AT_HIGH = 2;
/** 3ⁱ. */
const ROW_PLACE: readonly number[] = [1, 3, 9];

/** Rounds over the three rows of a block in a sweep [-]. */
const ROUNDS = 6;

/** Where row i of a set is: AT_LOW, ROW_FREE or AT_HIGH. */
export function rowState(set: number, i: number): number {
  return Math.floor((set - ROW_SETS) / ROW_PLACE[i]) % 3;
}

/** Set with row i somewhere else. */
export function withRowState(set: number, i: number, state: number): number {
  return set + (state - rowState(set, i)) * ROW_PLACE[i];
}

/** Set of impulses: at a bound where they have reached it. */
export function setOfRows(problem: ContactProblem, r: Float64Array, c: number): number {
  const { low, high } = problem;
  let set = ROW_SETS;
  for (let i = 0; i < 3; i++) {
    const row = 3 * c + i;
    set += ROW_PLACE[i] * (r[row] <= low[row] ? AT_LOW : r[row] >= high[row] ? AT_HIGH : ROW_FREE);
  }
  return set;
}

/** Bits of the rows of a set that are free. */
export function freeRows(set: number): number {
  let mask = 0;
  for (let i = 0; i < 3; i++) if (rowState(set, i) === ROW_FREE) mask |= 1 << i;
  return mask;
}

/** Makes r obey a set: on the bound where it is at one, between them where it is free. */
export function alignRows(problem: ContactProblem, r: Float64Array, c: number, set: number): void {
  const { low, high } = problem;
  for (let i = 0; i < 3; i++) {
    const row = 3 * c + i;
    const state = rowState(set, i);
    if (state === AT_LOW) r[row] = low[row];
    else if (state === AT_HIGH) r[row] = high[row];
    else r[row] = Math.min(Math.max(r[row], low[row]), high[row]);
  }
}

/**
 * Where a row must go that breaks its state by more than `slack` [m/s] (`impulseSlack` for its impulse), or the state
 * that it has. Rows whose bounds are one never become free.
 */
export function revisedRow(
  problem: ContactProblem,
  row: number,
  state: number,
  impulse: number,
  speed: number,
  slack: number,
  impulseSlack: number,
): number {
  const low = problem.low[row];
  const high = problem.high[row];
  if (state === ROW_FREE) {
    if (impulse < low - impulseSlack) return AT_LOW;
    return impulse > high + impulseSlack ? AT_HIGH : ROW_FREE;
  }
  if (low === high) return state;
  if (state === AT_LOW) return speed < -slack ? ROW_FREE : AT_LOW;
  return speed > slack ? ROW_FREE : AT_HIGH;
}

/** Error of a bounded block [m/s]: of each row, how far λ r is from where λ r − u is cut off by its bounds. */
export function boundedError(
  problem: ContactProblem,
  c: number,
  scale: number,
  r: Float64Array,
  u: Float64Array,
): number {
  const { low, high } = problem;
  if (scale === 0) return 0;
  let sum = 0;
  for (let row = 3 * c; row < 3 * c + 3; row++) {
    const own = scale * r[row];
    const cut = Math.min(Math.max(own - u[row], scale * low[row]), scale * high[row]);
    // An unbounded row: what rounding does to a large impulse is not its error.
    const miss = low[row] === Number.NEGATIVE_INFINITY && high[row] === Number.POSITIVE_INFINITY ? u[row] : own - cut;
    if (low[row] !== 0 || high[row] !== 0 || r[row] !== 0) sum += miss * miss;
  }
  return Math.sqrt(sum);
}

/** r (three numbers at rAt) of a bounded block alone: u = W r + b, by rounds over its rows from the r at hand. */
export function solveBounded(
  r: Float64Array,
  rAt: number,
  W: Float64Array,
  wAt: number,
  b: Float64Array,
  low: Float64Array,
  high: Float64Array,
): void {
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < 3; i++) {
      const own = W[wAt + 4 * i];
      const row = rAt + i;
      if (!(own > 0)) {
        r[row] = Math.min(Math.max(0, low[row]), high[row]);
        continue;
      }
      const at = wAt + 3 * i;
      const u = b[i] + W[at] * r[rAt] + W[at + 1] * r[rAt + 1] + W[at + 2] * r[rAt + 2];
      r[row] = Math.min(Math.max(r[row] - u / own, low[row]), high[row]);
    }
  }
}
