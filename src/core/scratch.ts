// Scratch for kernels: one block of the arena, its contents good for one kernel call. (TypeScript solvers borrow
// ordinary arrays from solvers/scratch.)

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
