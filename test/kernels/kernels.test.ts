import { expect, test } from 'vitest';
import { createArena } from '../../src/core/arena';
import { instantiateKernels } from '../../src/kernels/kernels';
import * as L from '../../src/state/layout';
import { ARENA_LAYOUT, createTables } from '../../src/state/tables';

test('the engine room compiles, instantiates synchronously and runs on an empty world', () => {
  const arena = createArena(ARENA_LAYOUT);
  createTables(arena);
  const kernels = instantiateKernels(arena.memory);
  arena.i32[L.TOUCHING_COUNT >> 2] = 42;
  kernels.findContacts();
  expect(arena.i32[L.TOUCHING_COUNT >> 2]).toBe(0);
});
