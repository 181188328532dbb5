// Points of one manifold with different materials: each group gets a slot of its own for the solve.
//
// The solvers know one friction, restitution and surface speed a manifold. A pair that the game may modify has
// spare slots behind those that find-contacts fills (kernels, pairs-table); points move there before the islands
// are built and come back with their impulses before touches are reported, so everybody else sees one manifold.

import { HIT_SLID, pairPointAt } from '../state/contact-places';
import * as L from '../state/layout';
import type { Engine } from './engine';

/** Which slots hold points of which, from split to merge; within one step only. */
export interface SplitManifolds {
  /** (manifold, spare slot) pairs. */
  list: Int32Array;
  count: number;
}

export function createSplitManifolds(): SplitManifolds {
  return { list: new Int32Array(64), count: 0 };
}

/** Spare slot `which` (0..2) of a manifold whose pair may be modified. */
export function findSpareSlot(engine: Engine, manifold: number, which: number): number {
  const { next } = engine.tables.pairs;
  const head = headOf(engine, manifold);
  let length = 0;
  let place = 0;
  for (let slot = head; slot >= 0; slot = next[slot], length++) if (slot === manifold) place = length;
  // One spare part in four is the manifolds', then three for the first of them, three for the second …
  let slot = head;
  for (let k = (length >> 2) + 3 * place + which; k > 0; k--) slot = next[slot];
  return slot;
}

/** First slot of the pair that a manifold belongs to. */
function headOf(engine: Engine, manifold: number): number {
  const { pairs, colliders } = engine.tables;
  if (!(pairs.flags[manifold] & L.PAIR_EXTRA)) return manifold;
  const a = pairs.colliderA[manifold];
  const b = pairs.colliderB[manifold];
  for (let key = colliders.pair[a]; key >= 0; key = pairs.link[2 * key]) {
    if (pairs.colliderA[key >> 1] === a && pairs.colliderB[key >> 1] === b) return key >> 1;
  }
  return manifold;
}

/** Makes an empty manifold with the frame of `from` in a spare slot and notes that it is to come back. */
export function openSpareSlot(engine: Engine, split: SplitManifolds, from: number, slot: number): void {
  const { pairs } = engine.tables;
  for (let k = 0; k < 4; k++) {
    pairs.normal[4 * slot + k] = pairs.normal[4 * from + k];
    pairs.tangent[4 * slot + k] = pairs.tangent[4 * from + k];
  }
  pairs.flags[slot] = (pairs.flags[slot] & ~L.PAIR_DISABLED) | L.PAIR_SPARE;
  pairs.points[slot] = 0;
  if (2 * split.count === split.list.length) {
    const grown = new Int32Array(4 * split.count);
    grown.set(split.list);
    split.list = grown;
  }
  split.list[2 * split.count] = from;
  split.list[2 * split.count + 1] = slot;
  split.count++;
}

/** Copies point `k` of one manifold, with its feature and impulse, to place `to` of another. */
export function copyPoint(engine: Engine, from: number, k: number, slot: number, to: number): void {
  const { point, impulse, feature } = engine.tables.pairs;
  const source = pairPointAt(from, k);
  const target = pairPointAt(slot, to);
  for (let x = 0; x < 4; x++) {
    point[target + x] = point[source + x];
    impulse[target + x] = impulse[source + x];
  }
  feature[4 * slot + to] = feature[4 * from + k];
}

/**
 * Brings all points back. The manifold's friction becomes the largest of its groups', so that "slides" is said of it
 * when what grips most does.
 */
export function mergeManifolds(engine: Engine, split: SplitManifolds): void {
  const { points, material, flags, hit } = engine.tables.pairs;
  for (let i = 0; i < split.count; i++) {
    const manifold = split.list[2 * i];
    const slot = split.list[2 * i + 1];
    const count = points[slot];
    points[slot] = 0;
    flags[slot] &= ~L.PAIR_SPARE;
    // The pair was removed meanwhile.
    if (!(flags[manifold] & L.PAIR_ALIVE)) continue;
    for (let k = 0; k < count; k++) copyPoint(engine, slot, k, manifold, points[manifold] + k);
    points[manifold] += count;
    for (let x = 0; x < 3; x++) hit[4 * manifold + x] += hit[4 * slot + x];
    const grip = material[4 * slot] - material[4 * manifold];
    if (grip >= 0)
      hit[4 * manifold + HIT_SLID] = Math.max(hit[4 * slot + HIT_SLID], grip > 0 ? 0 : hit[4 * manifold + HIT_SLID]);
    material[4 * manifold] = Math.max(material[4 * manifold], material[4 * slot]);
  }
  split.count = 0;
}
