// The memory's part of a snapshot: what has changed since a base, which many snapshots share.
//
// A base is a key (a packed copy), or a base before and the changes of one snapshot since. Its image lies in the memory
// itself, above all that is handed out, for kernels to compare with and to copy from. Changes are xors: an image goes
// along them to a later base, and back. It is a cache: where the arena grows into it, or a snapshot has another key, it
// is made anew. The base follows what happens, so that changes stay small; a new key comes when the way from the old
// one takes as much as a key.

import { type Arena, reachArena, refreshArena, usedBytes } from '../core/arena';
import {
  type DeadRanges,
  imageArena,
  isPacked,
  liveRanges,
  packArena,
  packedTop,
  unpackArena,
} from '../core/packed-arena';
import * as L from '../state/layout';
import { deadRanges } from './dead-memory';
import type { Engine } from './engine';
import {
  type Base,
  createWear,
  isPlain,
  type KeptMemory,
  type MemoryImage,
  rangeBytes,
  type Wear,
} from './kept-memory';
import { isRareMemory } from './rare-memory';

/** The image and what the arena hands out have room to grow by this share. */
const SLACK = 1.25;
/** Changes of this share of the key are not worth the name. */
const MOST_CHANGES = 0.75;
/** Most snapshots that stand on one base, and most that its age may have cost, in parts of the least changes. */
const MOST_STANDING = 16;
const MOST_EXCESS = 0.5;
/** What the least changes are taken to be grow by so much with every base: they may have become more. */
const LEAST_GROWTH = 1.25;
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
  image.base = null;
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
  image.base = to;
}

/** Applies changes to the image, or takes them back. */
function exchange(engine: Engine, { live, changes }: Base): void {
  const from = writeRanges(engine, live, changes.length, 'image');
  engine.arena.u8.set(changes, from);
  engine.kernels.unpackChanges(endOf(engine), live.length >> 1, from);
}

/**
 * Writes the ranges for the kernels and makes room for `bytes` behind them; returns where that is. They are to be
 * packed, or unpacked once the header is what it was; `image`: the image's own, not the memory's.
 */
function writeRanges(engine: Engine, live: Int32Array, bytes: number, use: 'pack' | 'unpack' | 'image'): number {
  const { arena, image } = engine;
  const { header, headerEnd, base } = arena.layout;
  const ranges = endOf(engine);
  const room = lineUp(ranges + 8 * live.length);
  reachArena(arena, room + bytes + MARGIN);
  const { i32 } = arena;
  const [first, end] = pointColumns(arena, L.PAIR_POINT);
  const [second, secondEnd] = pointColumns(arena, L.PAIR_IMPULSE);
  const points = i32[L.PAIR_POINTS >> 2];
  let cell = ranges >> 2;
  for (let k = 0; k < live.length; k += 2) {
    const from = live[k];
    const place = image.at + (from < headerEnd ? from - header : headOf(engine) + from - base);
    const at = use === 'image' ? place : from;
    const rows = from >= first && from < end ? first : from >= second && from < secondEnd ? second : 0;
    // To be unpacked they must be behind the numbers of points.
    const isTold = rows > 0 && (use === 'pack' || (use === 'unpack' && points < from));
    i32[cell] = at;
    i32[cell + 1] = at + live[k + 1] - from;
    i32[cell + 2] = place;
    i32[cell + 3] = isTold ? points + ((from - rows) >> POINTS_PER_BYTE) : 0;
    cell += 4;
  }
  return room;
}

/** Where a column of four points a manifold begins and ends: those beyond a manifold's number say nothing. */
function pointColumns({ i32 }: Arena, cell: number): [first: number, end: number] {
  const first = i32[cell >> 2];
  return [first, first + POINT_ROW * i32[L.PAIR_CAPACITY >> 2]];
}

/** Bytes of a row of such a column. */
const POINT_ROW = 128;
/** Each has a count of 4 B. */
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
    return { bytes: packArena(arena, dead), base: null, live: null, changes: NONE, top, points: 0, rare: null };
  kernels.guessNumbers(0);
  try {
    const kept = changesOf(engine, dead, false);
    if (kept) return kept;
    const key = packArena(arena, dead);
    if (engine.image.key) engine.image.wears.set(key, nextWear(wearOf(engine.image, engine.image.key)));
    layImage(engine, key, top);
    return changesOf(engine, dead, true) as KeptMemory;
  } finally {
    kernels.guessNumbers(1);
  }
}

/** What differs from the base of the image, which may be of this moment; null where a new key is due. */
function changesOf(engine: Engine, dead: DeadRanges, isOfNow: boolean): KeptMemory | null {
  const { arena, image, kernels } = engine;
  const { key: bytes, base } = image;
  const top = usedBytes(arena);
  if (bytes === null || !holds(engine, bytes, top)) return null;
  const wear = wearOf(image, bytes);
  const way = base?.sum ?? 0;
  if (way > MOST_WAY * bytes.length) return null;
  const cuts = [...pointColumns(arena, L.PAIR_POINT), ...pointColumns(arena, L.PAIR_IMPULSE)];
  cuts.sort((x, y) => x - y);
  const ranges = liveRanges(arena, dead, cuts);
  const live = isSame(ranges, image.live) ? image.live : ranges;
  image.live = live;
  const room = MARGIN + Math.ceil(MOST_CHANGES * bytes.length);
  const from = writeRanges(engine, live, room, 'pack');
  const to = kernels.packChanges(endOf(engine), live.length >> 1, from, from + room);
  if (to === 0) return null;
  const changes = arena.u8.slice(from, to);
  if (isOfNow) return { bytes, base, live, changes, top, points: 0, rare: null };
  wear.count++;
  wear.sum += changes.length;
  wear.least = Math.min(wear.least, changes.length);
  if (!isWorn(wear)) return { bytes, base, live, changes, top, points: 0, rare: null };
  const sum = way + changes.length;
  const next = { before: base, depth: (base?.depth ?? -1) + 1, sum, live, changes, top, wear: nextWear(wear) };
  exchange(engine, next);
  image.base = next;
  // It stands on itself: what comes back to it goes on from there.
  return { bytes, base: next, live, changes: NONE, top, points: 0, rare: null };
}

/** Of the base that the image of a key is brought to. */
function wearOf({ base, wears }: MemoryImage, key: Uint8Array): Wear {
  const known = base?.wear ?? wears.get(key);
  if (known) return known;
  const fresh = createWear();
  wears.set(key, fresh);
  return fresh;
}

/** A base may be made while something large changes: the snapshots before say what is usual. */
function nextWear({ least }: Wear): Wear {
  return createWear(LEAST_GROWTH * least);
}

/** Whether the base is to follow: it costs nothing, for the snapshot that it is moved to is there. */
function isWorn({ count, sum, least }: Wear): boolean {
  return count >= MOST_STANDING || sum - count * least > MOST_EXCESS * least;
}

/** Puts the memory back, but for what was dead; all tables remake their views. */
export function restoreMemory(engine: Engine, { bytes, base, live, changes, top }: KeptMemory): void {
  const { arena, kernels } = engine;
  if (live === null) {
    unpackArena(arena, bytes);
    return;
  }
  let most = top;
  for (let at = base; at !== null; at = at.before) most = Math.max(most, at.top);
  if (!holds(engine, bytes, most)) layImage(engine, bytes, most);
  moveImage(engine, base);
  // The header says where the numbers of points are.
  const room = Math.max(changes.length, masksOf(live));
  let from = writeRanges(engine, live, room, 'image');
  if (changes.length > 0) arena.u8.set(changes, from);
  else arena.u8.fill(0, from, from + room);
  const ranges = endOf(engine);
  arena.i32[ranges >> 2] = live[0];
  arena.i32[(ranges >> 2) + 1] = live[1];
  from = kernels.unpackChanges(ranges, 1, from);
  writeRanges(engine, live, room, 'unpack');
  kernels.unpackChanges(ranges + RANGE_BYTES, (live.length >> 1) - 1, from);
  refreshArena(arena);
  kernels.guessNumbers(1);
}

/** Bytes of a range as kernels read it. */
const RANGE_BYTES = 16;
/** Bytes of the memory that share four bytes of changes. */
const GROUP_BYTES = 2048;

/** Bytes of changes that change nothing. */
function masksOf(live: Int32Array): number {
  let groups = 0;
  for (let k = 0; k < live.length; k += 2) groups += Math.ceil((live[k + 1] - live[k]) / GROUP_BYTES);
  return 4 * groups;
}

/** Packed copies that have been looked at: many snapshots share one. */
const keys = new WeakSet<Uint8Array>();

/** Whether this may be a copy of such a memory, packed or plain. */
export function isKeptMemory(arena: Arena, kept: KeptMemory): boolean {
  const { layout } = arena;
  const { bytes, live, changes, top, points, rare } = kept;
  if (!(bytes instanceof Uint8Array)) return false;
  if (!isPlain(kept)) {
    if (!keys.has(bytes) && !isPacked(layout, bytes)) return false;
    keys.add(bytes);
    if (live === null) return true;
  }
  if (!(live instanceof Int32Array && changes instanceof Uint8Array) || live[0] !== layout.header) return false;
  for (let k = 0; k < live.length; k += 2) {
    if (live[k] % 64 !== 0 || live[k + 1] % 64 !== 0 || live[k + 1] <= live[k]) return false;
    if (k > 0 && (live[k] < layout.base || live[k] < live[k - 1] || live[k + 1] > top)) return false;
  }
  if (rare !== null && !isRareMemory(arena, rare, top)) return false;
  return live.length % 2 === 0 && (!isPlain(kept) || rangeBytes(live) + points === changes.length);
}
