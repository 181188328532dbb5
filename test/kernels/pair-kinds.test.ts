// The table of pairs of shape kinds is whole: kernels read it without looking at its bounds.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as kinds from '../../src/state/shape-kinds';

const file = fileURLToPath(new URL('../../src/kernels/assembly/narrow/pair-kinds.ts', import.meta.url));
/** Rows of the table: entries, and the kind that the comment behind them names. */
const rows = [...readFileSync(file, 'utf8').matchAll(/^ {5,}((?:\w+, +)+)\/\/ (\w+)$/gm)].map(([, entries, name]) => ({
  name,
  entries: entries.match(/\w+/g)!,
}));
const NUMBERS: Record<string, number> = {
  sphere: kinds.SHAPE_SPHERE,
  capsule: kinds.SHAPE_CAPSULE,
  box: kinds.SHAPE_BOX_KIND,
  hull: kinds.SHAPE_HULL,
  cylinder: kinds.SHAPE_CYLINDER,
  cone: kinds.SHAPE_CONE,
  plane: kinds.SHAPE_PLANE,
  mesh: kinds.SHAPE_MESH,
};
const isIn = (kind: number, set: number) => ((set >> kind) & 1) === 1;

test('the table of pairs has a row and a column for every kind, in the order of their numbers', () => {
  expect(rows.map(({ name }) => NUMBERS[name])).toEqual(Array.from({ length: kinds.SHAPE_KIND_COUNT }, (_, k) => k));
  for (const { entries } of rows) expect(entries).toHaveLength(kinds.SHAPE_KIND_COUNT);
});

test('pairs that meet have a routine: those with a bounded shape, in the order of their kinds, and no others', () => {
  rows.forEach(({ entries }, a) => {
    entries.forEach((entry, b) => {
      expect(entry !== '__', `${a} and ${b}`).toBe(a <= b && isIn(a, kinds.BOUNDED_KINDS));
    });
  });
});
