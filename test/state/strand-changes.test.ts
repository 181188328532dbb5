// Notes of what a game changed in the tables of strands, and stamps of shapes, for copies elsewhere.

import { expect, test } from 'vitest';
import { createArena } from '../../src/core/arena';
import { shapeStamp, stampShape } from '../../src/state/shape-stamps';
import { noteBirth, noteBody, notePlaced, noteRows, strandChanges, strandRows } from '../../src/state/strand-changes';
import { ARENA_LAYOUT, createTables } from '../../src/state/tables';

test('rows have another number after births, removals and restores; a slot used again another birth', () => {
  const tables = createTables(createArena(ARENA_LAYOUT));
  const seen = [strandRows(tables)];
  noteBirth(tables, 3);
  seen.push(strandRows(tables));
  const { births } = strandChanges(tables);
  const first = births[3];
  noteRows(tables);
  seen.push(strandRows(tables));
  noteBirth(tables, 3);
  seen.push(strandRows(tables));
  strandChanges(tables).restored++;
  seen.push(strandRows(tables));
  expect(new Set(seen).size).toBe(5);
  expect(births[3]).not.toBe(first);
  noteBody(tables);
  expect(strandRows(tables)).toBe(seen[4]);
  expect(strandChanges(tables).bodies).toBe(1);
});

test('placed clamps are listed only while somebody empties the list; worlds have notes of their own', () => {
  const [tables, others] = [1, 2].map(() => createTables(createArena(ARENA_LAYOUT)));
  notePlaced(tables, 5);
  expect(strandChanges(tables).placed).toBeNull();
  strandChanges(tables).placed = [];
  notePlaced(tables, 5);
  notePlaced(tables, 7);
  expect(strandChanges(tables).placed).toEqual([5, 7]);
  expect(strandChanges(others).placed).toBeNull();
});

test('a row of the shapes has another stamp each time it holds another shape', () => {
  const tables = createTables(createArena(ARENA_LAYOUT));
  expect(shapeStamp(tables, 4)).toBe(0);
  const stamps = [0, 1, 2].map(() => {
    stampShape(tables, 4);
    return shapeStamp(tables, 4);
  });
  expect(new Set(stamps).size).toBe(3);
  expect(shapeStamp(tables, 5)).toBe(0);
});
