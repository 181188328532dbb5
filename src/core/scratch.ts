// Scratch for kernels: one block of the arena, its contents good for one kernel call, or as long as its
// owner asks for them to be kept. (TypeScript solvers borrow
// ordinary arrays from solvers/scratch.)

import { type Arena, allocate, release } from './arena';
import type { TableControl } from './table';

const LEAST = 65536;

/** One growable block for kernels. */
export interface KernelScratch {
  /**
   * Address [B] of at least `bytes` bytes, a multiple of 64; valid until the next call. They are uninitialised unless
   * `keeps`: then what the block held is at its start, also where it had to move.
   */
  address(bytes: number, keeps?: boolean): number;
  /** Size of the block at present [B]. */
  size(): number;
  /** Most ever asked for [B]. */
  highWater(): number;
}

/** Header cells (i32) that hold a block's address and size. */
export interface ScratchCells {
  readonly address: number;
  readonly size: number;
}

/** `more`: what it gets beyond what is asked for when it grows, so that not every step places it anew [-]. */
export function createKernelScratch(arena: Arena, cells: ScratchCells, more = 1 / 8): KernelScratch {
  let high = 0;
  return {
    address(bytes, keeps = false) {
      high = Math.max(high, bytes);
      const have = arena.i32[cells.size >> 2];
      if (bytes > have) {
        const before = arena.i32[cells.address >> 2];
        if (have > 0 && !keeps) release(arena, before, have);
        // What grows once grows again.
        const next = Math.max(LEAST, have === 0 ? bytes : Math.ceil((1 + more) * bytes));
        // First the block: handing it out may remake the views.
        const block = allocate(arena, next, true);
        if (have > 0 && keeps) {
          arena.u8.copyWithin(block, before, before + have);
          release(arena, before, have);
        }
        arena.i32[cells.address >> 2] = block;
        arena.i32[cells.size >> 2] = next;
      }
      return arena.i32[cells.address >> 2];
    },
    size: () => arena.i32[cells.size >> 2],
    highWater: () => high,
  };
}

/**
 * Places blocks anew, as large as they are, one behind the other where it can be: the holes that growing left between
 * them are gone. `tables`, which stay, move down before. The blocks' contents are lost, so this is for a moment
 * at which none of them is in use.
 */
export function packScratch(arena: Arena, blocks: readonly ScratchCells[], tables: readonly TableControl[]): void {
  const { i32 } = arena;
  for (const { address, size } of blocks) if (i32[size >> 2] > 0) release(arena, i32[address >> 2], i32[size >> 2]);
  for (const table of tables) table.pack();
  for (const { address, size } of blocks) {
    if (arena.i32[size >> 2] === 0) continue;
    const block = allocate(arena, arena.i32[size >> 2], true);
    arena.i32[address >> 2] = block;
  }
}
