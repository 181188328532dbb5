// Scratch that kernels may use within one step: one block of the arena, empty at the end of a step.
//
// TypeScript solvers borrow their scratch from a pool of ordinary arrays instead (solvers/scratch): a view of
// the arena detaches when the memory grows in the middle of a solve, and a fresh view a solve is garbage.

import { type Arena, allocate, release } from './arena';

/** One growable block for kernels. */
export interface KernelScratch {
  /** Address [B] of at least `bytes` uninitialised bytes, a multiple of 64; valid until the next call. */
  address(bytes: number): number;
  /** Size of the block at present [B]. */
  size(): number;
  /** Most ever asked for [B]. */
  highWater(): number;
}

/** `cells` = header cells (i32) that hold the block's address and size. */
export function createKernelScratch(arena: Arena, cells: { address: number; size: number }): KernelScratch {
  let high = 0;
  return {
    address(bytes) {
      high = Math.max(high, bytes);
      const have = arena.i32[cells.size >> 2];
      if (bytes > have) {
        if (have > 0) release(arena, arena.i32[cells.address >> 2], have);
        let next = Math.max(65536, have);
        while (next < bytes) next *= 2;
        const block = allocate(arena, next);
        arena.i32[cells.address >> 2] = block;
        arena.i32[cells.size >> 2] = next;
      }
      return arena.i32[cells.address >> 2];
    },
    size: () => arena.i32[cells.size >> 2],
    highWater: () => high,
  };
}
