// The tables: columns that grow with their content, side by side in one memory.

import { expect, test } from 'vitest';
import { createArena } from '../../src/core/arena';
import * as L from '../../src/state/layout';
import { ARENA_LAYOUT, createTables, type Tables } from '../../src/state/tables';

/** All columns of all tables, as they lie now. */
function columnsOf(tables: Tables): [name: string, column: Int32Array | Float64Array][] {
  return Object.entries(tables).flatMap(([table, columns]) =>
    table === 'control'
      ? []
      : Object.entries(columns as Record<string, unknown>)
          .filter(([, column]) => ArrayBuffer.isView(column))
          .map(([name, column]): [string, Int32Array] => [`${table}.${name}`, column as Int32Array]),
  );
}

test('columns lie apart from each other, now and after every table has grown', () => {
  const arena = createArena(ARENA_LAYOUT);
  const tables = createTables(arena);
  for (const rows of [0, 100, 1000]) {
    for (const control of Object.values(tables.control)) control.ensure(rows);
    const columns = columnsOf(tables).sort(([, a], [, b]) => a.byteOffset - b.byteOffset);
    expect(columns.length).toBeGreaterThan(150);
    for (let k = 1; k < columns.length; k++) {
      const [before, a] = columns[k - 1];
      const [name, b] = columns[k];
      expect(b.byteOffset, `${name} after ${before}`).toBeGreaterThanOrEqual(a.byteOffset + a.byteLength);
    }
    expect(columns[0][1].byteOffset).toBeGreaterThanOrEqual(L.ARENA_BASE);
  }
});

test('a table that grows keeps its rows, gives new ones their fill, and tells kernels where its columns are', () => {
  const arena = createArena(ARENA_LAYOUT);
  const tables = createTables(arena);
  const before = tables.joints.capacity;
  for (let slot = 0; slot < before; slot++) {
    tables.joints.entity[slot] = 100 + slot;
    tables.joints.axes.fill(slot + 0.5, 48 * slot, 48 * slot + 48);
    tables.joints.body.fill(slot, 2 * slot, 2 * slot + 2);
  }
  tables.control.joints.ensure(before + 1);
  const { joints } = tables;
  expect(joints.capacity).toBeGreaterThan(before);
  for (let slot = 0; slot < before; slot++) {
    expect(joints.entity[slot]).toBe(100 + slot);
    expect([...joints.axes.subarray(48 * slot, 48 * slot + 48)]).toEqual(new Array(48).fill(slot + 0.5));
  }
  // A joint that was never made has no body at either end.
  expect([...joints.body.subarray(2 * before)].every((body) => body === -1)).toBe(true);
  expect(joints.axes.byteOffset).toBe(arena.i32[L.JOINT_AXES >> 2]);
  expect(arena.i32[L.JOINT_CAPACITY >> 2]).toBe(joints.capacity);
});

test('free lists start empty, and the hash of pairs is at most a quarter full', () => {
  const arena = createArena(ARENA_LAYOUT);
  const tables = createTables(arena, 64);
  const heads = [L.ROD_FREE, L.JOINT_FREE, L.ATTACHMENT_FREE, L.ACTOR_FREE, L.PAIR_FREE, L.TREE_FREE, L.TREE_ROOT];
  expect(heads.map((cell) => arena.i32[cell >> 2])).toEqual(heads.map(() => -1));
  expect(arena.i32[L.HASH_MASK >> 2] + 1).toBeGreaterThanOrEqual(4 * tables.pairs.capacity);
  expect(tables.pairs.hash.length).toBeGreaterThanOrEqual(arena.i32[L.HASH_MASK >> 2] + 1);
});
