import { expect, test } from 'vitest';
import { garbageOf } from '../../src/panel/outlook';
import { barStart, costOf, fillHistogram, fitting, spreadOf } from '../../src/panel/statistics';
import { verdictOf } from '../../src/panel/step-detail';

test('quantiles are values that occurred, by nearest rank', () => {
  const values = Float64Array.from({ length: 100 }, (_, i) => (i * 37) % 100); // 0 to 99, shuffled
  expect(spreadOf(values, 100)).toEqual({ count: 100, mean: 49.5, p50: 49, p95: 94, p99: 98, max: 99 });
  expect(spreadOf(Float64Array.of(3, 1), 2)).toMatchObject({ p50: 1, p95: 3, max: 3 });
  expect(spreadOf(values, 0)).toMatchObject({ count: 0, p50: 0, max: 0 });
});

test('a histogram has two bars for each doubling, and what lies outside in the first and last', () => {
  expect(barStart(4)).toBeCloseTo(0.004, 12);
  expect(barStart(5) / barStart(4)).toBeCloseTo(Math.SQRT2, 12);
  const bars = new Float64Array(40);
  fillHistogram(bars, Float64Array.of(0, 0.0041, 0.0055, 0.0057, 1e9), 5);
  expect([bars[0], bars[4], bars[5], bars[39]]).toEqual([1, 2, 1, 1]);
});

test('what fits in a budget: by a line where counts vary, else in proportion', () => {
  const items = Float64Array.from({ length: 50 }, (_, i) => 10 * (i + 1));
  const times = items.map((count) => 0.2 + 0.004 * count);
  const cost = costOf(items, times, 50);
  expect(cost?.isFitted).toBe(true);
  times[7] = 500; // compiled meanwhile
  expect(costOf(items, times, 50)?.fixed).toBeCloseTo(0.2, 9);
  expect(cost?.fixed).toBeCloseTo(0.2, 9);
  expect(fitting(cost!, 4.002)).toBe(950);
  const same = costOf(new Float64Array(50).fill(100), new Float64Array(50).fill(0.5), 50);
  expect(same).toEqual({ fixed: 0, each: 0.005, isFitted: false });
  expect(costOf(new Float64Array(50), times, 50)).toBe(null);
});

test('garbage is what a heap gains a second, a collection where it shrinks; readings go round in a ring', () => {
  const sizes = Float64Array.of(10, 30, 50, 20, 40); // by age: 50 20 40 10 30
  const times = Float64Array.of(3000, 4000, 0, 1000, 2000);
  expect(garbageOf(sizes, times, 7)).toEqual({ rate: 10, collections: 2 });
  expect(garbageOf(sizes, times, 1)).toEqual({ rate: 0, collections: 0 });
});

test('a slow step that is slow again lies in the state, one that is not was the machine', () => {
  expect(verdictOf(10, 1, 9, true)).toMatch(/it lies in the state/);
  expect(verdictOf(10, 1, 1.1, true)).toMatch(/not slow again/);
  expect(verdictOf(1.1, 1, 1.1, true)).not.toMatch(/slow again/);
  expect(verdictOf(10, 1, 9, false)).toMatch(/ended differently/);
});
