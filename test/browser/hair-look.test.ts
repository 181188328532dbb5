// How hair is drawn, in numbers.

import { expect, test } from 'vitest';
import { drawnRadius, fourStops, hairsOfStrand, LOOK_NUMBERS, packLooks } from '../../demos/view/hair-look';

test('the fewer strands there are, the more hairs each is drawn as, within reason', () => {
  const drawn = [100, 500, 2000, 8000, 64_000].map((strands) => hairsOfStrand(strands));
  expect(drawn).toEqual([24, 20, 5, 1, 1]);
  expect([40, 500, 8000].map((strands) => hairsOfStrand(strands, 0.15))).toEqual([4, 3, 1]);
  expect(hairsOfStrand(0)).toBe(24);
});

test('many hairs are drawn thin, but none thinner than it is', () => {
  expect(drawnRadius(3e-4, 4e-5, 100)).toBe(3e-4);
  expect(drawnRadius(3e-4, 4e-5, 2000)).toBeCloseTo(1.5e-4, 9);
  expect(drawnRadius(3e-4, 4e-5, 1e6)).toBe(4e-5);
});

test('looks lie in the table at the number of their rod', () => {
  const colors = fourStops([
    [0, 0, 0],
    [1, 0.5, 0],
  ]);
  expect(colors.map((value) => Math.round(100 * value))).toEqual([0, 0, 0, 33, 17, 0, 67, 33, 0, 100, 50, 0]);
  const table = packLooks(new Map([[2, { colors, radius: 0.5, isRope: false, lock: 0.25 }]]));
  expect(table).toHaveLength(3 * LOOK_NUMBERS);
  expect(Array.from(table.subarray(0, 2 * LOOK_NUMBERS)).every((value) => value === 0)).toBe(true);
  const look = Array.from(table.subarray(2 * LOOK_NUMBERS));
  expect(look.slice(12)).toEqual([1, 0.5, 0, 0, 0.5, 0, 0.25, 0.25]);
});

test('the table tells the wet from the dry, and rope from both', () => {
  const colors = fourStops([[1, 1, 1]]);
  const kind = (isRope: boolean, wet?: number) =>
    packLooks(new Map([[0, { colors, radius: 1, isRope, wet, lock: 0 }]]))[17] + 0;
  expect([kind(false), kind(false, 0.5), kind(false, 1), kind(true)]).toEqual([0, -0.5, -1, 1]);
});
