import { expect, test } from 'vitest';
import { allocate, createArena, release } from '../../src/core/arena';
import { isPacked, liveRanges, packArena, unpackArena } from '../../src/core/packed-arena';
import { ARENA_LAYOUT } from '../../src/state/tables';

test('packing leaves out zeros and scratch, and unpacking gives back everything else bit for bit', () => {
  const arena = createArena(ARENA_LAYOUT);
  const room = allocate(arena, 500_000);
  const scratch = allocate(arena, 100_000);
  const small = allocate(arena, 64);
  arena.u8[room + 70_001] = 7;
  arena.f64[(room + 200_000) >> 3] = -0;
  arena.u8[small + 63] = 9;
  const dead = [scratch, scratch + 99_968];
  const before = arena.u8.slice(room, room + 500_000);
  const packed = packArena(arena, dead);
  expect(packed.length).toBeLessThan(20_000);
  expect(isPacked(ARENA_LAYOUT, packed)).toBe(true);
  expect(isPacked(ARENA_LAYOUT, packed.subarray(0, packed.length - 1))).toBe(false);
  arena.u8.fill(0xff, scratch, scratch + 99_968);
  expect(Buffer.compare(packArena(arena, dead), packed)).toBe(0);
  // Everything changes, and grows.
  arena.u8.fill(3, room, room + 400_000);
  release(arena, small, 64);
  allocate(arena, 9_000_000);
  for (const into of [arena, createArena(ARENA_LAYOUT)]) {
    unpackArena(into, packed);
    // Whole arrays are compared as one number: a list of what differs would be a million lines.
    expect(Buffer.compare(packArena(into, dead), packed)).toBe(0);
    expect(Buffer.compare(into.u8.subarray(room, room + 500_000), before)).toBe(0);
    expect(into.u8[small + 63]).toBe(9);
  }
});

test('live ranges are cut where columns meet, and none is empty', () => {
  const arena = createArena(ARENA_LAYOUT);
  const first = allocate(arena, 32_768);
  const second = allocate(arena, 32_768);
  expect(second).toBe(first + 32_768);
  const { header, headerEnd } = ARENA_LAYOUT;
  const end = second + 32_768;
  const cuts = [first, second, second, end];
  expect([...liveRanges(arena, [first + 64, first + 128], cuts)]).toEqual([
    ...[header, headerEnd],
    ...[first, first + 64],
    ...[first + 128, second],
    ...[second, end],
  ]);
});
