// The memory's part of a snapshot: what has changed since a base, which many snapshots share.
//
// A base is a key (a packed copy), or a base before and the changes of one snapshot since. Its image lies in the memory
// itself, above all that is handed out, for kernels to compare with and to copy from. Changes are xors: an image goes
// along them to a later base, and back. It is a cache: where the arena grows into it, or a snapshot has another key, it
// is made anew. The base follows what happens, so that changes stay small; a new key comes when the way from the old
// one takes as much as a key.

import { type Arena, reachArena, refreshArena, usedBytes } from '../core/arena';
import {
  type DeadRange,
  imageArena,
  isPacked,
  liveRanges,
  packArena,
  packedTop,
  unpackArena,
} from '../core/packed-arena';
import { strandChanges } from '../state/strand-changes';
import { deadRanges } from './dead-memory';
import type { Engine } from './engine';
import type { Base, KeptMemory, MemoryImage } from './kept-memory';

/** The image and what the arena hands out have room to grow by this share. */
const SLACK = 1.25;
/** Changes of this share of the key are not worth the name. */
const MOST_CHANGES = 0.75;
/** Most snapshots that stand on one base, and most that its age may have cost, in parts of the least changes. */
const MOST_STANDING = 16;
const MOST_EXCESS = 0.5;
/** Most changes between a key and a base, in parts of the key. */
const MOST_WAY = 1;
/** Bytes that a kernel may write, or read, beyond the end. */
const MARGIN = 8192;

/** Larger worlds keep every snapshot whole: an image doubles the memory [B]. */
const MOST_IMAGED = 256 * 2 ** 20;

const NONE = new Uint8Array(0);

function lineUp(bytes: number): number {
  return 64 * Math.ceil(bytes / 64);
}

function headOf({ arena }: Engine): number {
  return arena.layout.headerEnd - arena.layout.header;
}

/** End of the image; scratch for lists and changes lies behind it. */
function endOf(engine: Engine): number {
  const { image } = engine;
  return image.at + headOf(engine) + image.size;
}

/** Whether the image of a base with this key is in the memory, as far as `top`. */
function holds({ arena, image }: Engine, key: Uint8Array, top: number): boolean {
  return image.key === key && arena.borrowed === image.at && top <= arena.layout.base + image.size;
}

/** Puts the image of a key above all that is in use, and that is to be. */
function layImage(engine: Engine, key: Uint8Array, top: number): void {
  const { arena, image } = engine;
  const { base } = arena.layout;
  const used = Math.max(usedBytes(arena), packedTop(arena, key), top);
  const keyEnd = lineUp(packedTop(arena, key)) - base;
  image.key = null;
  arena.borrowed = Infinity;
  image.size = lineUp(SLACK * (used - base));
  image.at = lineUp(base + SLACK * (used - base) + MARGIN);
  reachArena(arena, endOf(engine));
  imageArena(arena, key, image.at);
  const from = image.at + headOf(engine);
  arena.u8.fill(0, from + keyEnd, from + image.size);
  image.key = key;
  arena.borrowed = image.at;
  setBase(image, null);
}

function setBase(image: MemoryImage, base: Base | null): void {
  image.base = base;
  image.count = image.sum = 0;
  image.least = Infinity;
}

/** Brings the image to a base with the same key: back to where the ways part, and on from there. */
function moveImage(engine: Engine, to: Base | null): void {
  const { image } = engine;
  const onward: Base[] = [];
  let from = image.base;
  for (let at = to; at !== from; ) {
    if (from !== null && (at === null || from.depth >= at.depth)) {
      exchange(engine, from);
      from = from.before;
    } else if (at !== null) {
      onward.push(at);
      at = at.before;
    }
  }
  while (onward.length > 0) exchange(engine, onward.pop() as Base);
  if (image.base !== to) setBase(image, to);
}

/** Applies changes to the image, or takes them back. */
function exchange(engine: Engine, { live, changes }: Base): void {
  const from = writeRanges(engine, live, changes.length, true);
  engine.arena.u8.set(changes, from);
  engine.kernels.unpackChanges(endOf(engine), live.length >> 1, from);
}

/**
 * Writes the ranges for the kernels and makes room for `bytes` behind them; returns where that is. `isOfImage`: not the
 * memory's but the image's own.
 */
function writeRanges(engine: Engine, live: Int32Array, bytes: number, isOfImage = false): number {
  const { arena, image } = engine;
  const { header, headerEnd, base } = arena.layout;
  const ranges = endOf(engine);
  const room = lineUp(ranges + 8 * live.length);
  reachArena(arena, room + bytes + MARGIN);
  const { i32 } = arena;
  const { points, columns } = pointRows(engine);
  let cell = ranges >> 2;
  for (let k = 0; k < live.length; k += 2) {
    const from = live[k];
    const place = image.at + (from < headerEnd ? from - header : headOf(engine) + from - base);
    const first = isOfImage ? place : from;
    i32[cell] = first;
    i32[cell + 1] = first + live[k + 1] - from;
    i32[cell + 2] = place;
    const rows = columns.find(({ byteOffset, byteLength }) => from >= byteOffset && from < byteOffset + byteLength);
    i32[cell + 3] = rows ? points.byteOffset + ((from - rows.byteOffset) >> POINTS_PER_BYTE) : 0;
    cell += 4;
  }
  return room;
}

/** Columns of four points a manifold, of which those beyond its number say nothing. */
function pointRows({ tables }: Engine): { points: Int32Array; columns: readonly Float64Array[] } {
  const { points, point, impulse } = tables.pairs;
  return { points, columns: [point, impulse] };
}

/** A row of 128 B has a count of 4 B. */
const POINTS_PER_BYTE = 5;

function isSame(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

/** The memory as it is; what is dead between two steps is left out. `isWhole`: as a key and nothing else. */
export function keepMemory(engine: Engine, isWhole: boolean): KeptMemory {
  const { arena, kernels } = engine;
  const dead = deadRanges(engine);
  const top = usedBytes(arena);
  if (isWhole || top > MOST_IMAGED)
    return { bytes: packArena(arena, dead), base: null, live: null, changes: NONE, top };
  kernels.guessNumbers(0);
  try {
    const kept = changesOf(engine, dead);
    if (kept) return kept;
    layImage(engine, packArena(arena, dead), top);
    return changesOf(engine, dead) as KeptMemory;
  } finally {
    kernels.guessNumbers(1);
  }
}

/** What differs from the base of the image; null where a new key is due. */
function changesOf(engine: Engine, dead: readonly DeadRange[]): KeptMemory | null {
  const { arena, image, kernels } = engine;
  const { key: bytes, base } = image;
  const top = usedBytes(arena);
  if (bytes === null || !holds(engine, bytes, top)) return null;
  const way = base?.sum ?? 0;
  if (way > MOST_WAY * bytes.length) return null;
  const cuts = pointRows(engine).columns.flatMap(({ byteOffset, byteLength }) => [byteOffset, byteOffset + byteLength]);
  cuts.sort((x, y) => x - y);
  const ranges = liveRanges(arena, dead, cuts);
  const live = isSame(ranges, image.live) ? image.live : ranges;
  image.live = live;
  const room = MARGIN + Math.ceil(MOST_CHANGES * bytes.length);
  const from = writeRanges(engine, live, room);
  const to = kernels.packChanges(endOf(engine), live.length >> 1, from, from + room);
  if (to === 0) return null;
  const changes = arena.u8.slice(from, to);
  image.count++;
  image.sum += changes.length;
  image.least = Math.min(image.least, changes.length);
  if (isWorn(image)) {
    const next = { before: base, depth: (base?.depth ?? -1) + 1, sum: way + changes.length, live, changes, top };
    exchange(engine, next);
    setBase(image, next);
  }
  return { bytes, base, live, changes, top };
}

/** Whether the base is to follow: it costs nothing, for the snapshot that it is moved to is there. */
function isWorn({ count, sum, least }: MemoryImage): boolean {
  return count >= MOST_STANDING || sum - count * least > MOST_EXCESS * least;
}

/** Puts the memory back, but for what was dead; all tables remake their views. */
export function restoreMemory(engine: Engine, { bytes, base, live, changes, top }: KeptMemory): void {
  const { arena, kernels } = engine;
  strandChanges(engine.tables).restored++;
  if (live === null) {
    unpackArena(arena, bytes);
    return;
  }
  let most = top;
  for (let at = base; at !== null; at = at.before) most = Math.max(most, at.top);
  if (!holds(engine, bytes, most)) layImage(engine, bytes, most);
  moveImage(engine, base);
  const from = writeRanges(engine, live, changes.length);
  arena.u8.set(changes, from);
  kernels.unpackChanges(endOf(engine), live.length >> 1, from);
  refreshArena(arena);
  kernels.guessNumbers(1);
}

/** Whether keepMemory may have made this. */
export function isKeptMemory({ layout }: Arena, { bytes, live, changes, top }: KeptMemory): boolean {
  if (!(bytes instanceof Uint8Array) || !isPacked(layout, bytes)) return false;
  if (live === null) return true;
  if (!(live instanceof Int32Array && changes instanceof Uint8Array) || live[0] !== layout.header) return false;
  for (let k = 0; k < live.length; k += 2) {
    if (live[k] % 64 !== 0 || live[k + 1] % 64 !== 0 || live[k + 1] <= live[k]) return false;
    if (k > 0 && (live[k] < layout.base || live[k] < live[k - 1] || live[k + 1] > top)) return false;
  }
  return live.length % 2 === 0;
}
