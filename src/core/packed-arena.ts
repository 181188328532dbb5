// The arena's used part without what says nothing: cache lines of zeros (room that tables and factors have not used), and blocks
// that are good for one step. Else bit for bit.
//
// Packed: the header; a bit a line of 64 bytes, whether it is there; the lines that are.

import { type Arena, type ArenaLayout, copiedAt, reachArena, refreshArena, usedBytes } from './arena';
import type { ScratchCells } from './scratch';

const LINE = 64;

/** Bytes of the packed header, lines of an arena that ends at `top`, bytes of their bits. */
function sizes(layout: ArenaLayout, top: number): { head: number; lines: number; bits: number } {
  const lines = Math.ceil((top - layout.base) / LINE);
  return { head: copiedAt(layout, layout.base), lines, bits: Math.ceil(lines / 8) };
}

/** The used part, packed; contents of the `scratch` blocks are left out. */
export function packArena(arena: Arena, scratch: readonly ScratchCells[]): Uint8Array {
  const { layout, i32, u8 } = arena;
  const { head, lines, bits } = sizes(layout, usedBytes(arena));

  // Which lines say something.
  const isKept = new Uint8Array(8 * bits);
  for (let line = 0, at = layout.base >> 2; line < lines; line++, at += LINE >> 2) {
    let k = at;
    while (k < at + (LINE >> 2) && i32[k] === 0) k++;
    if (k < at + (LINE >> 2)) isKept[line] = 1;
  }
  for (const { address, size } of scratch) {
    const first = (i32[address >> 2] - layout.base) / LINE;
    if (i32[size >> 2] > 0) isKept.fill(0, first, first + Math.floor(i32[size >> 2] / LINE));
  }

  let kept = 0;
  for (let line = 0; line < lines; line++) kept += isKept[line];
  const packed = new Uint8Array(head + bits + LINE * kept);
  packed.set(u8.subarray(layout.header, layout.headerEnd));
  for (let line = 0; line < lines; line++) packed[head + (line >> 3)] |= isKept[line] << (line & 7);
  let to = head + bits;
  for (const [from, count] of runs(packed, head, lines)) {
    packed.set(u8.subarray(layout.base + LINE * from, layout.base + LINE * (from + count)), to);
    to += LINE * count;
  }
  return packed;
}

/** Lines that are there, as runs: first line, how many. */
function* runs(packed: Uint8Array, head: number, lines: number): Generator<[number, number]> {
  const isKept = (line: number) => (packed[head + (line >> 3)] >> (line & 7)) & 1;
  for (let line = 0; line < lines; ) {
    const from = line;
    while (line < lines && isKept(line)) line++;
    if (line > from) yield [from, line - from];
    while (line < lines && !isKept(line)) line++;
  }
}

/** Whether packArena may have made this: as long as its header and bits say. */
export function isPacked(layout: ArenaLayout, packed: Uint8Array): boolean {
  if (packed.length < copiedAt(layout, layout.base)) return false;
  const top = new DataView(packed.buffer, packed.byteOffset).getInt32(copiedAt(layout, layout.top), true);
  const { head, lines, bits } = sizes(layout, top);
  if (lines < 0 || packed.length < head + bits) return false;
  let kept = 0;
  for (const [, count] of runs(packed, head, lines)) kept += count;
  return packed.length === head + bits + LINE * kept;
}

/** Puts back what packArena took; all tables remake their views. */
export function unpackArena(arena: Arena, packed: Uint8Array): void {
  const { layout } = arena;
  const top = new DataView(packed.buffer, packed.byteOffset).getInt32(copiedAt(layout, layout.top), true);
  const { head, lines, bits } = sizes(layout, top);
  reachArena(arena, top);
  const { u8 } = arena;
  u8.set(packed.subarray(0, head), layout.header);
  u8.fill(0, layout.base, top);
  let at = head + bits;
  for (const [from, count] of runs(packed, head, lines)) {
    u8.set(packed.subarray(at, at + LINE * count), layout.base + LINE * from);
    at += LINE * count;
  }
  refreshArena(arena);
}
