// Kept factors: the Dantzig solver's memory of an island from step to step, in the arena so that a snapshot has it.
//
// An island is recognised by a hash of its contacts (pairs and features, in order). A fixed open-addressing
// table: an entry not used in the last step is free for others. No place left only means nothing is kept.

import { allocate, blockSize, release } from '../core/arena';
import type { DeadRanges } from '../core/packed-arena';
import { type DantzigCache, dantzigCacheSize, dantzigCacheUsed } from '../solvers/dantzig';
import * as L from '../state/layout';
import type { AssembledContacts } from './assemble-contacts';
import type { Engine } from './engine';

/** Entries looked at before giving up. */
const PROBES = 8;
/** Most numbers a factor is given room for when the dense case would need more: long chains need far less. */
const PROFILE_ROW = 160;

const cache: DantzigCache = {
  f64: new Float64Array(0),
  f64At: 0,
  f64Length: 0,
  i32: new Int32Array(0),
  i32At: 0,
};

/** The kept factor of the island that `a` holds, valid or fresh; null if there is no room. One object, reused. */
export function keptFactor(engine: Engine, a: AssembledContacts): DantzigCache | null {
  const { arena, tables } = engine;
  const { factors, pairs } = tables;
  const count = a.problem.contactCount;
  let key = count;

  for (let c = 0; c < count; c++) {
    key = Math.imul(key ^ a.pair[c], 0x01000193);
    const feature = c < a.touchCount ? pairs.feature[4 * a.pair[c] + a.point[c]] : a.point[c] + 1000;
    key = Math.imul(key ^ feature, 0x01000193);
    key ^= key >>> 15;
  }
  key |= 1;
  const step = arena.i32[L.STEP_INDEX >> 2];
  const mask = factors.capacity - 1;
  let free = -1;

  for (let k = 0; k < PROBES; k++) {
    const entry = (key + k) & mask;
    if (factors.key[entry] === key && factors.contacts[entry] === count) {
      // Of an older step it is no factor: then snapshots need not have it.
      const isOld = factors.step[entry] < step - 1;
      const found = open(engine, entry, count, step);
      if (isOld) found.i32[found.i32At] = 0;
      return found;
    }
    if (free < 0 && (factors.key[entry] === 0 || factors.step[entry] < step - 1)) free = entry;
  }

  if (free < 0) return null;
  const need = bytesFor(count);

  if (factors.bytes[free] < need) {
    if (factors.bytes[free] > 0) release(arena, factors.address[free], factors.bytes[free]);
    // The table's columns may move when the memory grows: written only after.
    const address = allocate(arena, need);
    factors.address[free] = address;
    factors.bytes[free] = need;
  }

  factors.key[free] = key;
  factors.contacts[free] = count;
  const opened = open(engine, free, count, step);
  opened.i32[opened.i32At] = 0;
  return opened;
}

/** Entries looked at per step for release. */
const RELEASED_A_STEP = 8;
/** Steps after which the memory of an unused entry is given back. */
const STALE_AFTER = 60;

/** Gives back the memory of a few entries that nobody uses any more. */
export function releaseStaleFactors(engine: Engine): void {
  const { arena, tables } = engine;
  const { factors } = tables;
  const step = arena.i32[L.STEP_INDEX >> 2];
  for (let k = 0; k < RELEASED_A_STEP; k++) {
    const entry = (step * RELEASED_A_STEP + k) & (factors.capacity - 1);
    if (factors.bytes[entry] === 0 || factors.step[entry] >= step - STALE_AFTER) continue;
    release(arena, factors.address[entry], factors.bytes[entry]);
    factors.bytes[entry] = 0;
    factors.key[entry] = 0;
  }
}

/**
 * Adds to `out` what is dead of the blocks (first byte, end): all of a factor that was not used in the last step, else
 * what lies behind its numbers.
 */
export function addDeadFactors({ arena, tables }: Engine, out: DeadRanges): void {
  const { factors } = tables;
  for (let entry = 0; entry < factors.capacity; entry++) {
    if (factors.bytes[entry] === 0) continue;
    const from = factors.address[entry];
    const to = from + blockSize(factors.bytes[entry]);
    if (factors.step[entry] < arena.i32[L.STEP_INDEX >> 2]) {
      out.push(from, to);
      continue;
    }
    const count = factors.contacts[entry];
    const cells = from + 8 * realsFor(count);
    const isValid = arena.i32[cells >> 2] !== 0;
    const used = isValid ? dantzigCacheUsed(count, arena.i32[(cells >> 2) + 1]) : 0;
    out.push(from + 8 * used, cells, cells + 4 * dantzigCacheSize(count).i32, to);
  }
}

function realsFor(count: number): number {
  return Math.min(dantzigCacheSize(count).f64, Math.max(65536, 3 * count * PROFILE_ROW));
}

function bytesFor(count: number): number {
  return 8 * realsFor(count) + 4 * dantzigCacheSize(count).i32;
}

function open(engine: Engine, entry: number, count: number, step: number): DantzigCache {
  const { arena, tables } = engine;
  tables.factors.step[entry] = step;
  const address = tables.factors.address[entry];
  cache.f64 = arena.f64;
  cache.f64At = address >> 3;
  cache.f64Length = realsFor(count);
  cache.i32 = arena.i32;
  cache.i32At = (address + 8 * cache.f64Length) >> 2;
  return cache;
}
