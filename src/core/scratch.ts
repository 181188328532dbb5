// Step scratch: named, short-lived arrays from the arena; empty at the end of a step, high-water mark reported.
//
// One bump region. When it is too small the surplus is served by extra blocks for the rest of the step and
// the region is made larger at the end, so a step is never interrupted and never loses anything.

import { type Arena, allocate, release } from './arena';
import { assert } from './assert';

/** A bump allocator of typed arrays; `reset` takes everything back. */
export interface Scratch {
  /** `count` f64, uninitialised. Valid until the memory grows or the scratch is reset. */
  f64(count: number): Float64Array;
  /** `count` i32, uninitialised. */
  i32(count: number): Int32Array;
  /** Address [B] of `bytes` uninitialised bytes, a multiple of 16, for kernels. */
  address(bytes: number): number;
  /** Makes room for `bytes` more in one region, so that arrays taken next cannot be detached by each other. */
  reserve(bytes: number): void;
  /** Takes everything back. */
  reset(): void;
  /** Most bytes ever in use at once [B]. */
  highWater(): number;
}

/** Scratch over the arena. `cells` = header cells (i32) of the region's address and size [B]. */
export function createScratch(arena: Arena, cells: { address: number; size: number }, bytes = 65536): Scratch {
  const extra: [number, number][] = [];
  let used = 0;
  let surplus = 0;
  let high = 0;
  const region = () => arena.i32[cells.address >> 2];
  const size = () => arena.i32[cells.size >> 2];
  arena.i32[cells.address >> 2] = allocate(arena, bytes);
  arena.i32[cells.size >> 2] = bytes;
  const address = (wanted: number): number => {
    const need = (wanted + 15) & ~15;
    if (used + need <= size()) {
      used += need;
      high = Math.max(high, used + surplus);
      return region() + used - need;
    }
    surplus += need;
    high = Math.max(high, used + surplus);
    const block = allocate(arena, need);
    extra.push([block, need]);
    return block;
  };
  return {
    address,
    reserve(bytes) {
      if (used + bytes <= size()) return;
      assert(used === 0 && extra.length === 0, 'scratch reserved while in use');
      let next = size();
      while (next < bytes) next *= 2;
      release(arena, region(), size());
      // Released first, allocated second: the address cell must not point at a freed block in between.
      const block = allocate(arena, next);
      arena.i32[cells.address >> 2] = block;
      arena.i32[cells.size >> 2] = next;
    },
    // Allocating first and viewing second: the first may grow the memory and detach views.
    f64(count) {
      const at = address(count * 8);
      return new Float64Array(arena.memory.buffer, at, count);
    },
    i32(count) {
      const at = address(count * 4);
      return new Int32Array(arena.memory.buffer, at, count);
    },
    reset() {
      used = 0;
      if (extra.length === 0) return;
      for (const [block, length] of extra) release(arena, block, length);
      extra.length = 0;
      surplus = 0;
      let next = size();
      while (next < high) next *= 2;
      assert(next > size(), 'scratch grew without need');
      release(arena, region(), size());
      arena.i32[cells.address >> 2] = allocate(arena, next);
      arena.i32[cells.size >> 2] = next;
    },
    highWater: () => high,
  };
}
