import { expect, test } from 'vitest';
import { allocate, createArena } from '../../src/core/arena';
import { createKernelScratch } from '../../src/core/scratch';
import { ADMM_WORK_ADDRESS, ADMM_WORK_SIZE } from '../../src/state/layout';
import { ARENA_LAYOUT } from '../../src/state/tables';

const CELLS = { address: ADMM_WORK_ADDRESS, size: ADMM_WORK_SIZE };

test('a block keeps what it holds where it is asked to, wherever it has to move', () => {
  const arena = createArena(ARENA_LAYOUT);
  const scratch = createKernelScratch(arena, CELLS);
  let bytes = 1000;
  let at = scratch.address(bytes);
  for (let k = 0; k < bytes; k++) arena.u8[at + k] = k % 251;
  let moves = 0;
  for (let round = 0; round < 6; round++) {
    // What comes behind it keeps it from growing in place.
    allocate(arena, 5000);
    bytes = 3 * scratch.size();
    const next = scratch.address(bytes, true);
    if (next !== at) moves++;
    at = next;
    for (let k = 0; k < 1000; k++) expect(arena.u8[at + k]).toBe(k % 251);
    expect(scratch.size()).toBeGreaterThanOrEqual(bytes);
  }
  expect(moves).toBeGreaterThan(3);
  expect(scratch.highWater()).toBe(bytes);
});

test('a block that is large enough stays where it is', () => {
  const arena = createArena(ARENA_LAYOUT);
  const scratch = createKernelScratch(arena, CELLS);
  const at = scratch.address(200_000);
  expect(at % 64).toBe(0);
  expect(scratch.address(100)).toBe(at);
  expect(scratch.address(200_000, true)).toBe(at);
});
