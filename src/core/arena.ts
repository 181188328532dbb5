// The one memory: every piece of simulation state is a typed-array view of one WebAssembly.Memory.
//
// In: byte counts and table schemas. Out: addresses, and tables whose columns are typed arrays.
// Three promises follow (architecture, One memory): kernels work on the state without copying, a snapshot
// is one copy of the used range, and a state hash is one pass. All bookkeeping (free lists, top, column
// addresses, capacities) lies in the memory itself, so restoring the bytes restores everything.
//
// Blocks are powers of two with one free list a size: a growing table leaves a hole that the next table
// uses. Growing the memory detaches every view, so tables remake theirs; nobody keeps a column across steps.

import { assert } from './assert';

const PAGE = 65536;
const SMALLEST_CLASS = 6; // 64 bytes, so that every block starts on a cache line

/** Where the arena keeps its own bookkeeping, in bytes. */
export interface ArenaLayout {
  /** First byte a snapshot copies. */
  header: number;
  /** First byte the arena hands out. */
  base: number;
  /** Cell (i32) of the first byte never handed out. */
  top: number;
  /** 32 cells (i32): heads of the free lists. */
  free: number;
}

export interface Arena {
  readonly memory: WebAssembly.Memory;
  readonly layout: ArenaLayout;
  /** View of the whole memory as i32, remade when it grows; for cells and lists. */
  i32: Int32Array;
  /** View of the whole memory as f64, remade when it grows. */
  f64: Float64Array;
  /** View of the whole memory as bytes, remade when it grows. */
  u8: Uint8Array;
  /** Called after the views were remade. */
  readonly listeners: (() => void)[];
}

/** Makes an empty arena of at least `bytes` [B]. */
export function createArena(layout: ArenaLayout, bytes = 4 * 1024 * 1024): Arena {
  const memory = new WebAssembly.Memory({ initial: Math.max(4, Math.ceil((layout.base + bytes) / PAGE)) });
  const arena: Arena = {
    memory,
    layout,
    i32: new Int32Array(memory.buffer),
    f64: new Float64Array(memory.buffer),
    u8: new Uint8Array(memory.buffer),
    listeners: [],
  };
  arena.i32[layout.top >> 2] = layout.base;
  for (let k = 0; k < 32; k++) arena.i32[(layout.free >> 2) + k] = 0;
  return arena;
}

/** Makes the views anew after the memory grew or its bytes were replaced. */
export function refreshArena(arena: Arena): void {
  arena.i32 = new Int32Array(arena.memory.buffer);
  arena.f64 = new Float64Array(arena.memory.buffer);
  arena.u8 = new Uint8Array(arena.memory.buffer);
  for (const listener of arena.listeners) listener();
}

function sizeClass(bytes: number): number {
  let k = SMALLEST_CLASS;
  while (2 ** k < bytes) k++;
  return k;
}

/** Makes sure that the memory reaches to byte `end`. */
function reach(arena: Arena, end: number): void {
  const have = arena.memory.buffer.byteLength;
  if (end <= have) return;
  // A quarter more than asked, so that many small growths do not each detach every view.
  arena.memory.grow(Math.ceil((Math.max(end, have * 1.25) - have) / PAGE));
  refreshArena(arena);
}

/** Hands out a zeroed block of at least `bytes` [B]; returns its address, a multiple of 64. */
export function allocate(arena: Arena, bytes: number): number {
  const k = sizeClass(bytes);
  const head = (arena.layout.free >> 2) + k;
  let address = arena.i32[head];
  if (address !== 0) {
    arena.i32[head] = arena.i32[address >> 2];
  } else {
    address = arena.i32[arena.layout.top >> 2];
    reach(arena, address + 2 ** k);
    arena.i32[arena.layout.top >> 2] = address + 2 ** k;
  }
  arena.u8.fill(0, address, address + 2 ** k);
  return address;
}

/** Takes back a block that `allocate(arena, bytes)` handed out. */
export function release(arena: Arena, address: number, bytes: number): void {
  assert(address >= arena.layout.base && address % 64 === 0, `release of a wrong address ${address}`);
  const head = (arena.layout.free >> 2) + sizeClass(bytes);
  arena.i32[address >> 2] = arena.i32[head];
  arena.i32[head] = address;
}

/** Bytes in use, holes included [B]. */
export function usedBytes(arena: Arena): number {
  return arena.i32[arena.layout.top >> 2];
}

/** An exact copy of the used range. */
export function copyArena(arena: Arena): Uint8Array {
  return arena.u8.slice(arena.layout.header, usedBytes(arena));
}

/** Puts back what `copyArena` took; all tables remake their views. */
export function restoreArena(arena: Arena, bytes: Uint8Array): void {
  reach(arena, arena.layout.header + bytes.length);
  arena.u8.set(bytes, arena.layout.header);
  refreshArena(arena);
}
