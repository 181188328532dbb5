// The arena's used part without what says nothing: ranges that are dead (free blocks, room that tables have not used,
// scratch) and cache lines of zeros. Else bit for bit.
//
// Packed: the header; how many runs; each run as kind and number of lines of 64 bytes; the lines of the runs that are
// copied. Dead ranges are left as they are by unpacking: nobody may read them before writing them.

import { type Arena, type ArenaLayout, copiedAt, eachFreeBlock, reachArena, refreshArena, usedBytes } from './arena';
import { LINE_BYTES } from './engine-constants';

/** Cells of 32 bits in a line. */
const CELLS = LINE_BYTES >> 2;

// Kinds of runs, in the low two bits.
const COPY = 0;
const ZERO = 1;
const DEAD = 2;

/** First byte and end of one range after another; only whole lines of them count. */
export type DeadRanges = number[];

/** Bytes of the packed header; where the runs begin. */
function headBytes(layout: ArenaLayout): number {
  return copiedAt(layout, layout.base);
}

/** Lines that the memory may have, and more. */
const MOST_LINES = 2 ** 26;

/**
 * Dead ranges and free blocks of at least `least` lines, in lines from the base on, ordered: MOST_LINES times the
 * first, and the end.
 */
function deadLines(arena: Arena, dead: DeadRanges, least = 1): Float64Array {
  const { base } = arena.layout;
  const lines: number[] = [];
  const add = (from: number, to: number) => {
    const first = Math.ceil((from - base) / LINE_BYTES);
    const end = Math.floor((to - base) / LINE_BYTES);
    if (end - first >= least) lines.push(MOST_LINES * first + end);
  };
  for (let k = 0; k < dead.length; k += 2) add(dead[k], dead[k + 1]);
  // The first line of a free block leads to the next one.
  eachFreeBlock(arena, LINE_BYTES * (least + 1), (address, size) => add(address + LINE_BYTES, address + size));
  // As numbers, in their own order: a comparison took a twentieth of a snapshot.
  return new Float64Array(lines).sort();
}

/**
 * The ranges of whole lines that are not dead, the header first: pairs of first address and end [B]. None goes on over
 * a cut; these are ordered. What is dead for less than `least` lines counts as live.
 */
export function liveRanges(arena: Arena, dead: DeadRanges, cuts: readonly number[], least = 1): Int32Array {
  const { base, header, headerEnd } = arena.layout;
  const lines = Math.ceil((usedBytes(arena) - base) / LINE_BYTES);
  const ranges: number[] = [header, headerEnd];
  const add = (first: number, end: number) => {
    if (end <= first) return;
    ranges.push(base + LINE_BYTES * first);
    // Where one column ends another may begin: no range is empty.
    for (const cut of cuts) if (cut > ranges[ranges.length - 1] && cut < base + LINE_BYTES * end) ranges.push(cut, cut);
    ranges.push(base + LINE_BYTES * end);
  };
  let at = 0;
  const packed = deadLines(arena, dead, least);
  for (let k = 0; k < packed.length; k++) {
    const first = Math.floor(packed[k] / MOST_LINES);
    add(at, Math.min(first, lines));
    at = Math.max(at, packed[k] - MOST_LINES * first);
  }
  add(at, lines);
  return new Int32Array(ranges);
}

/** The used part, packed; contents of the `dead` ranges are left out. */
export function packArena(arena: Arena, dead: DeadRanges): Uint8Array {
  const { layout, u8, i32 } = arena;
  const lines = Math.ceil((usedBytes(arena) - layout.base) / LINE_BYTES);
  const runs: number[] = [];
  let copied = 0;
  let at = 0;
  const scan = (end: number) => {
    while (at < end) {
      const first = at;
      const isZero = isZeroLine(i32, (layout.base >> 2) + CELLS * at);
      do at++;
      while (at < end && isZeroLine(i32, (layout.base >> 2) + CELLS * at) === isZero);
      runs.push(((at - first) << 2) | (isZero ? ZERO : COPY));
      if (!isZero) copied += at - first;
    }
  };
  for (const range of deadLines(arena, dead)) {
    scan(Math.min(Math.floor(range / MOST_LINES), lines));
    const end = Math.min(range % MOST_LINES, lines);
    if (end <= at) continue;
    runs.push(((end - at) << 2) | DEAD);
    at = end;
  }
  scan(lines);

  const head = headBytes(layout);
  const packed = new Uint8Array(head + 4 + 4 * runs.length + LINE_BYTES * copied);
  packed.set(u8.subarray(layout.header, layout.headerEnd));
  const cells = new Int32Array(packed.buffer, head, 1 + runs.length);
  cells[0] = runs.length;
  cells.set(runs, 1);
  const target = new Int32Array(packed.buffer);
  let to = (head + 4 + 4 * runs.length) >> 2;
  let from = layout.base >> 2;
  for (let i = 0; i < runs.length; i++) {
    const count = CELLS * (runs[i] >> 2);
    if ((runs[i] & 3) === COPY) {
      copyCells(target, to, i32, from, count);
      to += count;
    }
    from += count;
  }
  return packed;
}

function isZeroLine(c: Int32Array, k: number): boolean {
  if ((c[k] | c[k + 1] | c[k + 2] | c[k + 3]) !== 0) return false;
  const second = c[k + 4] | c[k + 5] | c[k + 6] | c[k + 7];
  const third = c[k + 8] | c[k + 9] | c[k + 10] | c[k + 11];
  return (second | third | c[k + 12] | c[k + 13] | c[k + 14] | c[k + 15]) === 0;
}

/** Cells from which on a view and a copy of it cost less than the loop. */
const LONG_COPY = 256;

/** to[at …] = from[first …], as integers: no bit of a number is looked at. */
function copyCells(to: Int32Array, at: number, from: Int32Array, first: number, count: number): void {
  if (count >= LONG_COPY) to.set(from.subarray(first, first + count), at);
  else for (let k = 0; k < count; k++) to[at + k] = from[first + k];
}

/** The runs of what packArena made; null if it has no room for as many as it says. */
function runsOf(layout: ArenaLayout, packed: Uint8Array): Int32Array | null {
  const head = headBytes(layout);
  if (packed.length < head + 4) return null;
  const count = new DataView(packed.buffer, packed.byteOffset).getInt32(head, true);
  if (count < 0 || packed.length < head + 4 + 4 * count) return null;
  // A view of its own: what was read from a file may begin anywhere.
  return new Int32Array(packed.slice(head + 4, head + 4 + 4 * count).buffer);
}

function topOf(layout: ArenaLayout, packed: Uint8Array): number {
  return new DataView(packed.buffer, packed.byteOffset).getInt32(copiedAt(layout, layout.top), true);
}

/** Whether packArena may have made this: as long as its header and runs say. */
export function isPacked(layout: ArenaLayout, packed: Uint8Array): boolean {
  const runs = runsOf(layout, packed);
  if (!runs) return false;
  let lines = 0;
  let copied = 0;
  for (const run of runs) {
    if (run < 0 || (run & 3) > DEAD) return false;
    lines += run >> 2;
    if ((run & 3) === COPY) copied += run >> 2;
  }
  if (lines !== Math.ceil((topOf(layout, packed) - layout.base) / LINE_BYTES)) return false;
  return packed.length === headBytes(layout) + 4 + 4 * runs.length + LINE_BYTES * copied;
}

/** Puts back what packArena took, but for dead ranges; all tables remake their views. */
export function unpackArena(arena: Arena, packed: Uint8Array): void {
  const top = topOf(arena.layout, packed);
  reachArena(arena, top);
  if (top > arena.borrowed) arena.borrowed = Infinity;
  spread(arena, packed, arena.layout.header, arena.layout.base, false);
  refreshArena(arena);
}

/** Where the used part ended that was packed [B]. */
export function packedTop(arena: Arena, packed: Uint8Array): number {
  return topOf(arena.layout, packed);
}

/** Writes what packArena took to another place, the header before the rest: dead ranges are zeros there. */
export function imageArena(arena: Arena, packed: Uint8Array, address: number): void {
  spread(arena, packed, address, address + headBytes(arena.layout), true);
}

/** Writes the header to `head`, what the arena hands out from `base` on [B]. */
function spread({ layout, u8, i32 }: Arena, packed: Uint8Array, head: number, base: number, clearsDead: boolean): void {
  const runs = runsOf(layout, packed) as Int32Array;
  u8.set(packed.subarray(0, headBytes(layout)), head);
  // What was read from a file may begin anywhere.
  const { buffer, byteOffset } = (packed.byteOffset & 3) === 0 ? packed : packed.slice();
  const source = new Int32Array(buffer, byteOffset, packed.length >> 2);
  let from = (headBytes(layout) + 4 + 4 * runs.length) >> 2;
  let to = base >> 2;
  for (let i = 0; i < runs.length; i++) {
    const count = CELLS * (runs[i] >> 2);
    const kind = runs[i] & 3;
    if (kind === COPY) {
      copyCells(i32, to, source, from, count);
      from += count;
    } else if (kind === ZERO || clearsDead) i32.fill(0, to, to + count);
    to += count;
  }
}
