import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Arena, allocate, copyArena, createArena, release, restoreArena, usedBytes } from '../../src/core/arena';
import { createKernelScratch } from '../../src/core/scratch';
import { freeSlot, takeSlot } from '../../src/core/slots';
import { createTable, f64, i32 } from '../../src/core/table';

const layout = { header: 1024, base: 65536, top: 3840, free: 3848 };
const make = (bytes?: number): Arena => createArena(layout, bytes);

test('blocks are aligned, zeroed and never overlap, whatever is taken and given back', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 40_000 }), fc.boolean()), { maxLength: 60 }), (steps) => {
      const arena = make(65536);
      const live: [number, number][] = [];
      for (const [bytes, give] of steps) {
        if (give && live.length > 0) {
          const [address, size] = live.pop()!;
          arena.u8.fill(0xff, address, address + size);
          release(arena, address, size);
          continue;
        }
        const address = allocate(arena, bytes);
        expect(address % 64).toBe(0);
        expect(address).toBeGreaterThanOrEqual(layout.base);
        expect(arena.u8.subarray(address, address + bytes).every((x) => x === 0)).toBe(true);
        for (const [other, size] of live) expect(address + bytes <= other || other + size <= address).toBe(true);
        live.push([address, bytes]);
      }
    }),
    { numRuns: 50 },
  );
});

test('a block given back is handed out again before the arena grows', () => {
  const arena = make();
  const address = allocate(arena, 1000);
  const top = usedBytes(arena);
  release(arena, address, 1000);
  expect(allocate(arena, 900)).toBe(address);
  expect(usedBytes(arena)).toBe(top);
});

test('a table keeps its rows while it grows past the memory, and new rows have the fill', () => {
  const arena = make(65536);
  const [table, control] = createTable(arena, { id: i32(1500, 1, -1), place: f64(1504, 3) }, 1508, 4);
  for (let i = 0; i < 4; i++) {
    table.id[i] = i * 7;
    table.place.set([i, i + 0.5, -i], 3 * i);
  }
  control.ensure(50_000);
  expect(table.capacity).toBe(65536);
  expect(Array.from(table.id.subarray(0, 6))).toEqual([0, 7, 14, 21, -1, -1]);
  expect(Array.from(table.place.subarray(9, 15))).toEqual([3, 3.5, -3, 0, 0, 0]);
  expect(arena.i32[1500 >> 2]).toBe(table.id.byteOffset);
});

test('restoring a copy brings back every column, capacity and free list, also after growth', () => {
  const arena = make(65536);
  const [table, control] = createTable(arena, { value: f64(1504) }, 1508, 8);
  table.value.set([1, 2, 3, 4, 5, 6, 7, 8]);
  const copy = copyArena(arena);
  const next = allocate(arena, 100);
  control.ensure(1000);
  table.value.fill(9);
  restoreArena(arena, copy);
  expect(table.capacity).toBe(8);
  expect(Array.from(table.value)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(copyArena(arena)).toEqual(copy);
  expect(allocate(arena, 100)).toBe(next);
});

test('slots are reused last in, first out, and the lists live in the memory', () => {
  const header = new Int32Array([-1, 0]);
  const next = new Int32Array(8).fill(-1);
  const cells = { header, free: 0, count: 1 };
  expect([takeSlot(cells, next), takeSlot(cells, next), takeSlot(cells, next)]).toEqual([0, 1, 2]);
  freeSlot(cells, next, 0);
  freeSlot(cells, next, 2);
  expect([takeSlot(cells, next), takeSlot(cells, next), takeSlot(cells, next)]).toEqual([2, 0, 3]);
});

test('kernel scratch keeps its block while it is large enough and reports the most ever asked for', () => {
  const arena = make();
  const scratch = createKernelScratch(arena, { address: 3984, size: 3988 });
  const first = scratch.address(1000);
  expect(scratch.address(500)).toBe(first);
  const large = scratch.address(200_000);
  expect(scratch.size()).toBeGreaterThanOrEqual(200_000);
  expect(large % 64).toBe(0);
  expect(scratch.highWater()).toBe(200_000);
});
