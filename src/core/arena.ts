// The one memory: every piece of simulation state is a typed-array view of one WebAssembly.Memory.
//
// In: byte counts and table schemas. Out: addresses, and tables whose columns are typed arrays.
// Three promises follow (architecture, One memory): kernels work on the state without copying, a snapshot
// is one copy of the used range, and a state hash is one pass. All bookkeeping (free lists, top, column
// addresses, capacities) lies in the memory itself, so restoring the bytes restores everything.
//
// Small blocks are powers of two with one free list a size. Large ones are as large as asked for (whole pages of 4 kB),
// and what is given back joins its free neighbours, or lowers the top: a scratch that grows does so in place when it is
// the last, and what growing tables leave behind adds up to room for the next one. Rounding those up to powers of two,
// too, cost strands twice their memory. Growing the memory detaches every view, so tables remake theirs; nobody keeps a
// column across steps.

import { assert } from './assert';
import { UsageError } from './errors';

const PAGE = 65536;
/** Addresses are kept in signed cells of 32 bits. */
const LARGEST_MEMORY = 2 ** 31 - PAGE;
const SMALLEST_CLASS = 6; // 64 bytes, so that every block starts on a cache line
const LARGEST_CLASS = 15; // 32 kB
const UNIT = 4096;
/** Small blocks are cut from blocks of this size, so that few of them stand between large ones [B]. */
const SLAB = 65536;
// Cells after the heads of the powers of two: head of the large blocks; what is left of the last slab, from, to.
const LARGE = LARGEST_CLASS + 1;
const SLAB_FROM = LARGE + 1;
const SLAB_TO = LARGE + 2;

/** Where the arena keeps its own bookkeeping, in bytes. */
export interface ArenaLayout {
  /** First byte a snapshot copies. */
  header: number;
  /** End of the header: from here to `base` is the kernels' own, which no snapshot has. */
  headerEnd: number;
  /** First byte the arena hands out. */
  base: number;
  /** Cell (i32) of the first byte never handed out. */
  top: number;
  /** 32 cells (i32): heads of the free lists. */
  free: number;
}

export interface Arena {
  /** `moveArena` replaces it. */
  memory: WebAssembly.Memory;
  readonly layout: ArenaLayout;
  /** From here on the memory above the top is borrowed, until the top comes there; Infinity: none is [B]. */
  borrowed: number;
  /** Counts writes to what changes rarely (dynamics/rare-memory), and how often bytes were moved or replaced. */
  rareStamp: number;
  /** View of the whole memory as i32, remade when it grows; for cells and lists. */
  i32: Int32Array;
  /** View of the whole memory as f32, remade when it grows. */
  f32: Float32Array;
  /** View of the whole memory as f64, remade when it grows. */
  f64: Float64Array;
  /** View of the whole memory as bytes, remade when it grows. */
  u8: Uint8Array;
  /** Called after the views were remade. */
  readonly listeners: (() => void)[];
}

function reserve(initial: number): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial });
  } catch (cause) {
    const most = 'there must be memory for another world: a page of Chromium has room for 125 at a time';
    throw new UsageError(`createPhysics: ${most}; dispose of those that are not needed and let go of them`, { cause });
  }
}

/** Makes an empty arena of at least `bytes` [B]. */
export function createArena(layout: ArenaLayout, bytes = 4 * 1024 * 1024): Arena {
  const memory = reserve(Math.max(4, Math.ceil((layout.base + bytes) / PAGE)));
  const arena: Arena = {
    memory,
    layout,
    borrowed: Infinity,
    rareStamp: 0,
    i32: new Int32Array(memory.buffer),
    f32: new Float32Array(memory.buffer),
    f64: new Float64Array(memory.buffer),
    u8: new Uint8Array(memory.buffer),
    listeners: [],
  };
  arena.i32[layout.top >> 2] = layout.base;
  for (let k = 0; k < 32; k++) arena.i32[(layout.free >> 2) + k] = 0;
  return arena;
}

/** To be called by who writes to what changes rarely: dynamics/rare-memory. */
export function touchRare(arena: Arena): void {
  arena.rareStamp++;
}

/** Makes the views anew after the memory grew or its bytes were replaced. */
export function refreshArena(arena: Arena): void {
  touchRare(arena);
  const { buffer } = arena.memory;
  if (arena.u8.buffer !== buffer) {
    arena.i32 = new Int32Array(buffer);
    arena.f32 = new Float32Array(buffer);
    arena.f64 = new Float64Array(buffer);
    arena.u8 = new Uint8Array(buffer);
  }
  for (const listener of arena.listeners) listener();
}

/**
 * Puts the arena, with all that is in its memory, on another one, at least as large; all tables remake their views.
 * What is the kernels' own there stays as it is.
 */
export function moveArena(arena: Arena, memory: WebAssembly.Memory): void {
  const { headerEnd, base } = arena.layout;
  const to = new Uint8Array(memory.buffer);
  to.set(arena.u8.subarray(0, headerEnd));
  to.set(arena.u8.subarray(base), base);
  arena.memory = memory;
  refreshArena(arena);
}

function sizeClass(bytes: number): number {
  return bytes <= 2 ** SMALLEST_CLASS ? SMALLEST_CLASS : 32 - Math.clz32(bytes - 1);
}

/** Bytes that a block takes: nobody reads or writes what it has beyond those that were asked for. */
export function blockSize(bytes: number): number {
  const k = sizeClass(bytes);
  return k <= LARGEST_CLASS ? 2 ** k : Math.ceil(bytes / UNIT) * UNIT;
}

/** Makes the memory reach to byte `end`; false where the machine, or the address of 32 bits, has no more. */
function grow({ memory }: Arena, end: number): boolean {
  try {
    memory.grow(Math.ceil((end - memory.buffer.byteLength) / PAGE));
    return true;
  } catch {
    return false;
  }
}

/** Makes sure that the memory reaches to byte `end`. Throws UsageError where it cannot. */
export function reachArena(arena: Arena, end: number): void {
  const have = arena.memory.buffer.byteLength;
  if (end <= have) return;
  // A quarter more than asked, so that many small growths do not each detach every view.
  const wanted = Math.min(Math.max(end, have * 1.25), LARGEST_MEMORY);
  if (end <= LARGEST_MEMORY && (grow(arena, wanted) || grow(arena, end))) {
    refreshArena(arena);
    return;
  }
  const mebibytes = (bytes: number) => Math.ceil(bytes / 2 ** 20);
  throw new UsageError(
    'physics: what a world holds (bodies, parts of compounds, pairs of them that are near, strands) must fit ' +
      'into its ' +
      `memory of ${mebibytes(LARGEST_MEMORY)} MiB, or what the machine gives of it (${mebibytes(have)} MiB so far), ` +
      `got ${mebibytes(end)} MiB`,
  );
}

/** Hands out a block of at least `bytes` [B], zeroed unless it `isRaw`; returns its address, a multiple of 64. */
export function allocate(arena: Arena, bytes: number, isRaw = false): number {
  const size = blockSize(bytes);
  const address = size > 2 ** LARGEST_CLASS ? takeLarge(arena, size) : takeSmall(arena, size);
  if (!isRaw) arena.u8.fill(0, address, address + size);
  return address;
}

/** Takes back a block that `allocate(arena, bytes)` handed out. */
export function release(arena: Arena, address: number, bytes: number): void {
  assert(address >= arena.layout.base && address % 64 === 0, `release of a wrong address ${address}`);
  const k = sizeClass(bytes);
  if (k > LARGEST_CLASS) {
    freeLarge(arena, address, blockSize(bytes));
    return;
  }
  const head = (arena.layout.free >> 2) + k;
  arena.i32[address >> 2] = arena.i32[head];
  arena.i32[head] = address;
}

/** The part of the memory above the top. */
function takeTop(arena: Arena, size: number): number {
  const address = arena.i32[arena.layout.top >> 2];
  reachArena(arena, address + size);
  arena.i32[arena.layout.top >> 2] = address + size;
  if (address + size > arena.borrowed) arena.borrowed = Infinity;
  return address;
}

function takeSmall(arena: Arena, size: number): number {
  const cells = arena.layout.free >> 2;
  const head = cells + sizeClass(size);
  const free = arena.i32[head];
  if (free !== 0) {
    arena.i32[head] = arena.i32[free >> 2];
    return free;
  }
  if (arena.i32[cells + SLAB_TO] - arena.i32[cells + SLAB_FROM] < size) {
    giveRest(arena);
    const slab = takeLarge(arena, SLAB);
    arena.i32[cells + SLAB_FROM] = slab;
    arena.i32[cells + SLAB_TO] = slab + SLAB;
  }
  const address = arena.i32[cells + SLAB_FROM];
  arena.i32[cells + SLAB_FROM] = address + size;
  return address;
}

/** What is left of the slab becomes free blocks: each as large as what lies behind it allows. */
function giveRest(arena: Arena): void {
  const { i32, layout } = arena;
  const cells = layout.free >> 2;
  const to = i32[cells + SLAB_TO];
  for (let at = i32[cells + SLAB_FROM]; at < to; ) {
    const k = 31 - Math.clz32(to - at);
    release(arena, at, 2 ** k);
    at += 2 ** k;
  }
  i32[cells + SLAB_FROM] = i32[cells + SLAB_TO] = 0;
}

// Free large blocks are a list in the order of their addresses: cell 0 the next one, cell 1 the size [B].

/** The front of the first free block that is large enough, else from the top: what is free gathers at the end. */
function takeLarge(arena: Arena, size: number): number {
  const { i32, layout } = arena;
  let before = (layout.free >> 2) + LARGE;
  for (let at = i32[before]; at !== 0; at = i32[before]) {
    const rest = i32[(at >> 2) + 1] - size;
    if (rest < 0) {
      before = at >> 2;
      continue;
    }
    const next = i32[at >> 2];
    if (rest === 0) i32[before] = next;
    else {
      i32[(at + size) >> 2] = next;
      i32[((at + size) >> 2) + 1] = rest;
      i32[before] = at + size;
    }
    return at;
  }
  return takeTop(arena, size);
}

function freeLarge({ i32, layout }: Arena, address: number, size: number): void {
  const head = (layout.free >> 2) + LARGE;
  // The list cells that lead to the block before, and to this one.
  let beforeLast = head;
  let last = head;
  for (let at = i32[last]; at !== 0 && at < address; at = i32[last]) {
    beforeLast = last;
    last = at >> 2;
  }
  let start = address;
  let end = address + size;
  let next = i32[last];
  if (next === end) {
    end += i32[(next >> 2) + 1];
    next = i32[next >> 2];
  }
  if (last !== head && 4 * last + i32[last + 1] === address) {
    start = 4 * last;
    last = beforeLast;
  }
  if (end === i32[layout.top >> 2]) {
    i32[layout.top >> 2] = start;
    i32[last] = next;
    return;
  }
  i32[start >> 2] = next;
  i32[(start >> 2) + 1] = end - start;
  i32[last] = start;
}

/**
 * Calls `each` with every block that is free below the top, the rest of the last slab included; of the small ones with
 * those of at least `least` bytes: a list leads all over the memory.
 */
export function eachFreeBlock(
  { i32, layout }: Arena,
  least: number,
  each: (address: number, size: number) => void,
): void {
  const cells = layout.free >> 2;
  for (let k = Math.max(SMALLEST_CLASS, sizeClass(least)); k <= LARGEST_CLASS; k++) {
    for (let at = i32[cells + k]; at !== 0; at = i32[at >> 2]) each(at, 2 ** k);
  }
  for (let at = i32[cells + LARGE]; at !== 0; at = i32[at >> 2]) each(at, i32[(at >> 2) + 1]);
  each(i32[cells + SLAB_FROM], i32[cells + SLAB_TO] - i32[cells + SLAB_FROM]);
}

/** Bytes in use, holes included [B]. */
export function usedBytes(arena: Arena): number {
  return arena.i32[arena.layout.top >> 2];
}

/** An exact copy of the header and of all that was handed out. */
export function copyArena(arena: Arena): Uint8Array {
  const { layout, u8 } = arena;
  const copy = new Uint8Array(copiedAt(layout, usedBytes(arena)));
  copy.set(u8.subarray(layout.header, layout.headerEnd));
  copy.set(u8.subarray(layout.base, usedBytes(arena)), copiedAt(layout, layout.base));
  return copy;
}

/**
 * Where `copyArena` puts the byte of an address in the header or from the base on; of the top: the length of the copy.
 */
export function copiedAt({ header, headerEnd, base }: ArenaLayout, address: number): number {
  return address - header - (address < base ? 0 : base - headerEnd);
}

/** Puts back what `copyArena` took; all tables remake their views. */
export function restoreArena(arena: Arena, bytes: Uint8Array): void {
  const { layout } = arena;
  const header = bytes.subarray(0, copiedAt(layout, layout.base));
  const rest = bytes.subarray(header.length);
  reachArena(arena, layout.base + rest.length);
  arena.u8.set(header, layout.header);
  arena.u8.set(rest, layout.base);
  if (layout.base + rest.length > arena.borrowed) arena.borrowed = Infinity;
  refreshArena(arena);
}
