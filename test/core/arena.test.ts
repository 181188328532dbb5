import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Arena,
  allocate,
  copiedAt,
  copyArena,
  createArena,
  eachFreeBlock,
  release,
  restoreArena,
  usedBytes,
} from '../../src/core/arena';
import { createKernelScratch, packScratch } from '../../src/core/scratch';
import { freeSlot, takeSlot } from '../../src/core/slots';
import { createTable, f64, i32 } from '../../src/core/table';

const layout = { header: 1024, headerEnd: 4096, base: 65536, top: 3840, free: 3848 };
const make = (bytes?: number): Arena => createArena(layout, bytes);

test('blocks are aligned, zeroed and never overlap, whatever is taken and given back', () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 40_000 }), fc.integer({ min: 30_000, max: 400_000 }));
  // Which of the live blocks is given back, if any, before one is taken.
  const step = fc.tuple(size, fc.option(fc.nat()));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const arena = make(65536);
      const live: [number, number][] = [];
      const give = (which: number) => {
        const [[address, bytes]] = live.splice(which % live.length, 1);
        arena.u8.fill(0xff, address, address + bytes);
        release(arena, address, bytes);
      };
      for (const [bytes, given] of steps) {
        if (given !== null && live.length > 0) give(given);
        const address = allocate(arena, bytes);
        expect(address % 64).toBe(0);
        expect(address).toBeGreaterThanOrEqual(layout.base);
        expect(address + bytes).toBeLessThanOrEqual(usedBytes(arena));
        expect(arena.u8.subarray(address, address + bytes).every((x) => x === 0)).toBe(true);
        for (const [other, size] of live) expect(address + bytes <= other || other + size <= address).toBe(true);
        live.push([address, bytes]);
      }
    }),
    { numRuns: 50 },
  );
});

test('large blocks take no more than they ask for, join when given back, and leave the top', () => {
  const arena = make();
  const bytes = 100_000;
  const page = 4096;
  const blocks = Array.from({ length: 4 }, () => allocate(arena, bytes));
  const top = usedBytes(arena);
  expect(top - layout.base).toBe(4 * Math.ceil(bytes / page) * page);
  release(arena, blocks[0], bytes);
  release(arena, blocks[2], bytes);
  release(arena, blocks[1], bytes);
  // Three neighbours are one hole.
  const whole = allocate(arena, 3 * bytes);
  expect(whole).toBeGreaterThanOrEqual(blocks[0]);
  expect(usedBytes(arena)).toBe(top);
  release(arena, whole, 3 * bytes);
  release(arena, blocks[3], bytes);
  expect(usedBytes(arena)).toBe(layout.base);
});

test('a block given back is handed out again before the arena grows', () => {
  const arena = make();
  const address = allocate(arena, 1000);
  const top = usedBytes(arena);
  release(arena, address, 1000);
  expect(allocate(arena, 900)).toBe(address);
  expect(usedBytes(arena)).toBe(top);
});

test('what is left of a slab when the next one is begun is handed out again, and is among the free blocks', () => {
  const arena = make();
  // The slab has 65536 B: beside the first block there is no room for another.
  const [first, second] = [allocate(arena, 32768), allocate(arena, 100)];
  allocate(arena, 32768);
  let free = 0;
  eachFreeBlock(arena, 64, (_address, bytes) => {
    free += bytes;
  });
  expect(usedBytes(arena) - layout.base).toBe(2 * 65536);
  expect(free).toBe(2 * 65536 - 2 * 32768 - 128);
  const again = allocate(arena, 16384);
  expect(again).toBeGreaterThan(second);
  expect(again).toBeLessThan(first + 65536);
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
  // The last block of the memory grows in place.
  expect(large).toBe(first);
});

test('kernel scratch finds its block also when handing it out remakes the views', () => {
  const arena = make(65536);
  const scratch = createKernelScratch(arena, { address: 3984, size: 3988 });
  const address = scratch.address(5e6);
  expect(address).toBe(layout.base);
  expect(scratch.size()).toBe(5e6);
  expect(usedBytes(arena)).toBeGreaterThanOrEqual(address + 5e6);
});

test('packing scratch blocks removes the holes that their growth left', () => {
  const arena = make();
  const cells = [0, 1, 2].map((k) => ({ address: 1600 + 8 * k, size: 1604 + 8 * k }));
  const blocks = cells.map((pair) => createKernelScratch(arena, pair));
  for (const block of blocks) block.address(100_000);
  blocks[0].address(200_000);
  blocks[1].address(300_000);
  const total = blocks.reduce((sum, block) => sum + Math.ceil(block.size() / 4096) * 4096, 0);
  expect(usedBytes(arena) - layout.base).toBeGreaterThan(total);
  packScratch(arena, cells, []);
  expect(usedBytes(arena) - layout.base).toBe(total);
  const places = blocks.map((block) => [block.address(1), block.size()]).sort((a, b) => a[0] - b[0]);
  for (let k = 1; k < places.length; k++)
    expect(places[k][0]).toBeGreaterThanOrEqual(places[k - 1][0] + places[k - 1][1]);
});

test('packing moves tables down into the holes, with all their rows', () => {
  const arena = make();
  const scratch = createKernelScratch(arena, { address: 1600, size: 1604 });
  scratch.address(300_000);
  const [table, control] = createTable(arena, { id: i32(1500), place: f64(1504, 2) }, 1508, 10_000);
  table.id.forEach((_, row) => {
    table.id[row] = 3 * row;
    table.place[2 * row + 1] = row + 0.5;
  });
  scratch.address(500_000);
  const before = table.id.byteOffset;
  packScratch(arena, [{ address: 1600, size: 1604 }], [control]);
  expect(table.id.byteOffset).toBeLessThan(before);
  expect(arena.i32[1500 >> 2]).toBe(table.id.byteOffset);
  expect(table.id.every((id, row) => id === 3 * row && table.place[2 * row + 1] === row + 0.5)).toBe(true);
  expect(scratch.address(1)).toBeGreaterThan(table.place.byteOffset);
});

test('a tight table grows to what is asked for, by an eighth at least', () => {
  const arena = make();
  const [table, control] = createTable(arena, { id: i32(1500) }, 1508, 16, true);
  control.ensure(1000);
  expect(table.capacity).toBe(1000);
  table.id.set([7], 999);
  control.ensure(1001);
  expect([table.capacity, table.id[999]]).toEqual([1125, 7]);
});

test('a copy leaves out what belongs to the kernels, and putting it back does not touch that', () => {
  const arena = make();
  const block = allocate(arena, 64);
  arena.u8[layout.header + 8] = 1;
  arena.u8[layout.headerEnd] = 0xdd;
  arena.u8[block] = 3;
  const copy = copyArena(arena);
  expect(copy.length).toBe(copiedAt(layout, usedBytes(arena)));
  expect([copy[copiedAt(layout, layout.header + 8)], copy[copiedAt(layout, block)]]).toEqual([1, 3]);
  expect(copy.includes(0xdd)).toBe(false);
  arena.u8[layout.header + 8] = 11;
  arena.u8[layout.headerEnd] = 12;
  arena.u8[block] = 13;
  restoreArena(arena, copy);
  expect([arena.u8[layout.header + 8], arena.u8[layout.headerEnd], arena.u8[block]]).toEqual([1, 12, 3]);
});

test('memory that is not to be had is a UsageError that says how much, and the tables stay as they were', () => {
  const arena = make();
  expect(() => allocate(arena, 2 ** 31 - 4096)).toThrow(/^physics: what a world holds .* got 20\d\d MiB$/);
  const [table, control] = createTable(arena, { id: i32(1500), wide: i32(1504, 4096) }, 1508, 16);
  table.id.fill(7);
  const most = arena.memory.buffer.byteLength;
  expect(() => control.ensure(200_000)).toThrow('must fit into its memory of 2048 MiB');
  expect([table.capacity, table.id.length, arena.memory.buffer.byteLength >= most]).toEqual([16, 16, true]);
  expect(table.id.every((id) => id === 7)).toBe(true);
  expect(allocate(arena, 64)).toBeGreaterThan(0);
});
