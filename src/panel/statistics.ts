// Numbers about times: quantiles, histograms, and how a time grows with a count. All in [ms]; pure functions.

/** How the times of a stage spread [ms]. */
export interface Spread {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Of values[0 .. count), by nearest rank: each quantile is a value that occurred. Sorts them in place. */
export function spreadOf(values: Float64Array, count: number): Spread {
  if (count === 0) return { count, mean: 0, p50: 0, p95: 0, p99: 0, max: 0 };
  const sorted = values.subarray(0, count).sort(); // typed arrays: by number
  const rank = (share: number) => sorted[Math.max(Math.ceil(share * count) - 1, 0)];
  let sum = 0;
  for (const value of sorted) sum += value;
  return { count, mean: sum / count, p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), max: sorted[count - 1] };
}

/** Bars of a histogram: two for each doubling, from 1 µs; the first has all that is shorter, the last all longer. */
export const BAR_COUNT = 40;

/** Lower end of a bar [ms]. */
export function barStart(bar: number): number {
  let start = bar % 2 === 0 ? 0.001 : 0.001 * Math.SQRT2;
  for (let doubling = 2; doubling <= bar; doubling += 2) start *= 2;
  return start;
}

const STARTS = Float64Array.from({ length: BAR_COUNT }, (_, bar) => barStart(bar));

/** Counts values[0 .. count) into `bars`. */
export function fillHistogram(bars: Float64Array, values: Float64Array, count: number): void {
  bars.fill(0);
  for (let i = 0; i < count; i++) {
    let bar = BAR_COUNT - 1;
    while (bar > 0 && values[i] < STARTS[bar]) bar--;
    bars[bar]++;
  }
}

/** What a count costs: time = fixed + each × count [ms]. */
export interface Cost {
  readonly fixed: number;
  readonly each: number;
  /** Whether the count varied enough to tell the two apart; otherwise all of the time is put down to the count. */
  readonly isFitted: boolean;
}

/** Steps that took so many times the median say nothing of the count: compilation, garbage. */
const OUTLIER = 4;
/** Least and greatest count must differ by this factor for a line to say anything. */
const LEAST_RATIO = 1.5;

/**
 * Least squares through times[0 .. all) over the counts of the same steps, outliers left out; null where nothing was
 * counted.
 */
export function costOf(allItems: Float64Array, allTimes: Float64Array, all: number): Cost | null {
  const longest = OUTLIER * spreadOf(allTimes.slice(0, all), all).p50;
  const items = allItems.subarray(0, all).filter((_, i) => allTimes[i] <= longest);
  const times = allTimes.subarray(0, all).filter((time) => time <= longest);
  const count = times.length;
  let [sumItems, sumTimes, least, most] = [0, 0, Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < count; i++) {
    sumItems += items[i];
    sumTimes += times[i];
    least = Math.min(least, items[i]);
    most = Math.max(most, items[i]);
  }
  if (!(sumItems > 0)) return null;
  const proportional = { fixed: 0, each: sumTimes / sumItems, isFitted: false };
  if (most < LEAST_RATIO * least) return proportional;
  let [together, square] = [0, 0];
  for (let i = 0; i < count; i++) {
    together += (items[i] - sumItems / count) * (times[i] - sumTimes / count);
    square += (items[i] - sumItems / count) ** 2;
  }
  const each = together / square;
  const fixed = (sumTimes - each * sumItems) / count;
  return each > 0 && fixed >= 0 ? { fixed, each, isFitted: true } : proportional;
}

/** How many fit in a budget [ms]. */
export function fitting({ fixed, each }: Cost, budget: number): number {
  return each > 0 ? Math.max(Math.floor((budget - fixed) / each), 0) : 0;
}
