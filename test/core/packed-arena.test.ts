import { expect, test } from 'vitest';
import { allocate, copyArena, createArena, release } from '../../src/core/arena';
import { isPacked, packArena, unpackArena } from '../../src/core/packed-arena';
import { ARENA_LAYOUT } from '../../src/state/tables';

test('packing leaves out zeros and scratch, and unpacking gives back everything else bit for bit', () => {
  const arena = createArena(ARENA_LAYOUT);
  const [from, size] = [1024, 1028];
  const room = allocate(arena, 500_000);
  const scratch = allocate(arena, 100_000);
  const small = allocate(arena, 64);
  arena.u8[room + 70_001] = 7;
  arena.f64[(room + 200_000) >> 3] = -0;
  arena.u8[small + 63] = 9;
  arena.i32[from >> 2] = scratch;
  arena.i32[size >> 2] = 100_000;
  const clean = copyArena(arena);
  const packed = packArena(arena, [{ address: from, size }]);
  expect(packed.length).toBeLessThan(20_000);
  expect(isPacked(ARENA_LAYOUT, packed)).toBe(true);
  expect(isPacked(ARENA_LAYOUT, packed.subarray(0, packed.length - 1))).toBe(false);
  arena.u8.fill(0xff, scratch, scratch + 99_968);
  expect(packArena(arena, [{ address: from, size }])).toEqual(packed);
  // Everything changes, and grows.
  arena.u8.fill(3, room, room + 400_000);
  release(arena, small, 64);
  allocate(arena, 9_000_000);
  unpackArena(arena, packed);
  expect(copyArena(arena)).toEqual(clean);
  const other = createArena(ARENA_LAYOUT);
  unpackArena(other, packed);
  expect(copyArena(other)).toEqual(clean);
});
