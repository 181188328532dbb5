// The memory's part of a snapshot as a plain copy: as quick to take and to put back as it can be, and large.
//
// In: what is not idle of the memory, in few large ranges. Out: the same bytes, one range after another, and behind
// them the manifolds, in an array that may be used again; what changes rarely is shared (dynamics/rare-memory).
// dynamics/memory-image packs the memory, at any later time, to a small part of this.
//
// Columns of points have room for four a pair, and most pairs of a heap have none or one: copied whole they were a
// third of a heap's bytes, and a copy takes as long as its bytes take to come.

import { reachArena, refreshArena, usedBytes } from '../core/arena';
import { LINE_BYTES } from '../core/engine-constants';
import { liveRanges } from '../core/packed-arena';
import { strandChanges } from '../state/strand-changes';
import { addBlock, idleRanges, reviveMemory, reviveRows } from './dead-memory';
import type { Engine } from './engine';
import { isPlain, type KeptMemory, rangeBytes } from './kept-memory';
import { keepMemory, restoreMemory } from './memory-image';
import { isRareThere, noteRare, putRare, shareRare } from './rare-memory';

/** What is idle for fewer lines of 64 bytes is copied: a range of its own costs more. */
const LEAST_IDLE = 16;
/** A new array has room to be used again for this much more than it is made for. */
const SLACK = 1.1;

const NONE = new Uint8Array(0);

/**
 * A plain copy, in the array of `spent` where that has room: it is no copy any more. Null where it would have more
 * than `most` bytes of its own; it shares up to three times that.
 */
export function copyMemory(engine: Engine, most: number, spent: KeptMemory | null): KeptMemory | null {
  const { arena, kernels } = engine;
  const { pairs } = engine.tables;
  const idle = idleRanges(engine);
  for (const column of [pairs.normal, pairs.tangent, pairs.feature, pairs.point, pairs.impulse]) {
    addBlock(idle, column);
  }
  const rare = shareRare(engine, 3 * most);
  if (rare) for (let k = 0; k < rare.ranges.length; k++) idle.push(rare.ranges[k]);
  const live = liveRanges(arena, idle, [], LEAST_IDLE);
  const points = kernels.manifoldBytes();
  const bytes = rangeBytes(live) + points;
  if (bytes > most) return null;
  const gathered = pointsAt(engine, points);
  kernels.gatherManifolds(gathered);
  const buffer = spent && isPlain(spent) ? spendMemory(spent) : null;
  const room = buffer && buffer.byteLength >= bytes ? buffer : new ArrayBuffer(Math.ceil(SLACK * bytes));
  const changes = new Uint8Array(room, 0, bytes);
  let at = 0;
  for (let k = 0; k < live.length; k += 2) {
    changes.set(arena.u8.subarray(live[k], live[k + 1]), at);
    at += live[k + 1] - live[k];
  }
  changes.set(arena.u8.subarray(gathered, gathered + points), at);
  return { bytes: NONE, base: null, live, changes, top: usedBytes(arena), points, rare };
}

/** Takes the array out of a plain copy: nothing can be put back from it any more. */
function spendMemory(spent: KeptMemory): ArrayBufferLike {
  const { buffer } = spent.changes;
  Object.assign(spent, { live: null, changes: NONE, rare: null });
  return buffer;
}

/** Puts back what copyMemory took; all tables remake their views. */
function putPlain(engine: Engine, { live, changes, top, rare }: KeptMemory): void {
  const { arena, kernels } = engine;
  const ranges = live as Int32Array;
  reachArena(arena, top);
  if (top > arena.borrowed) arena.borrowed = Infinity;
  if (rare && !isRareThere(engine, rare)) putRare(engine, rare);
  let at = 0;
  for (let k = 0; k < ranges.length; k += 2) {
    const bytes = ranges[k + 1] - ranges[k];
    arena.u8.set(changes.subarray(at, at + bytes), ranges[k]);
    at += bytes;
  }
  const points = pointsAt(engine, changes.length - at);
  arena.u8.set(changes.subarray(at), points);
  kernels.scatterManifolds(points);
  refreshArena(arena);
  noteRare(engine, rare);
  reviveRows(engine);
}

/** Where points may be gathered for a moment: above all that is handed out. */
function pointsAt({ arena }: Engine, bytes: number): number {
  const at = LINE_BYTES * Math.ceil(usedBytes(arena) / LINE_BYTES);
  reachArena(arena, at + bytes);
  if (at + bytes > arena.borrowed) arena.borrowed = Infinity;
  return at;
}

/** Puts the memory back, but for what was idle. */
export function putMemory(engine: Engine, kept: KeptMemory): void {
  strandChanges(engine.tables).restored++;
  if (isPlain(kept)) putPlain(engine, kept);
  else {
    restoreMemory(engine, kept);
    reviveMemory(engine);
  }
}

/** The same memory, packed. The world's own is put aside meanwhile. */
export function packMemory(engine: Engine, plain: KeptMemory): KeptMemory {
  const now = copyMemory(engine, Infinity, null) as KeptMemory;
  try {
    putPlain(engine, plain);
    return keepMemory(engine, false);
  } finally {
    putPlain(engine, now);
  }
}
