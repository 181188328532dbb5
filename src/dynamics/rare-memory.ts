// The part of the memory that no step changes: masses, materials and places of colliders, and the records of hulls and
// meshes. Plain copies share one copy of it for as long as nothing writes there.
//
// In: `arena.rareStamp`, which goes up with every such write and whenever bytes move or are replaced. Out: ranges that
// a plain copy leaves out, with their bytes. Who writes to what rareRanges lists calls touchRare.
//
// What has changed since the snapshot before is copied with the rest, into its spent memory: a world in which
// bodies come with every step would else make a new copy each time.

import type { Arena } from '../core/arena';
import { LINE_BYTES } from '../core/engine-constants';
import { recordBytes } from '../state/create-shape';
import * as L from '../state/layout';
import type { Engine } from './engine';
import { type RareMemory, rangeBytes } from './kept-memory';

/** Ranges of fewer lines are not worth one of their own. */
const LEAST_LINES = 16;

function rareRanges({ arena, tables }: Engine): Int32Array {
  const { bodies, colliders, shapes } = tables;
  const count = arena.i32[L.BODY_COUNT >> 2];
  const parts = arena.i32[L.COLLIDER_COUNT >> 2];
  const ranges: number[] = [];
  const add = (from: number, to: number) => {
    const first = LINE_BYTES * Math.ceil(from / LINE_BYTES);
    const end = LINE_BYTES * Math.floor(to / LINE_BYTES);
    if (end - first >= LEAST_LINES * LINE_BYTES) ranges.push(first, end);
  };
  const addRows = ({ byteOffset }: Float64Array, stride: number, rows: number) =>
    add(byteOffset, byteOffset + 8 * stride * rows);
  addRows(bodies.localInertia, 8, count);
  addRows(bodies.localInverseInertia, 8, count);
  addRows(bodies.inverseMass, 1, count);
  addRows(bodies.center, 4, count);
  addRows(bodies.surfaceVelocity, 4, count);
  addRows(colliders.material, 2, parts);
  addRows(colliders.rolling, 2, parts);
  addRows(colliders.localPosition, 4, parts);
  addRows(colliders.localRotation, 4, parts);
  for (let row = 0; row < arena.i32[L.SHAPE_COUNT >> 2]; row++) {
    const bytes = recordBytes(arena, tables, row);
    if (bytes > 0) add(shapes.data[row], shapes.data[row] + bytes);
  }
  return Int32Array.from(ranges);
}

/** The copy that a snapshot may share, of no more than `most` bytes; null: it has to copy all. */
export function shareRare(engine: Engine, most: number): RareMemory | null {
  const { arena, rare } = engine;
  const stamp = arena.rareStamp;
  if (rare.kept !== null && rare.keptAt === stamp) return rare.kept;
  const isCalm = rare.seenAt === stamp;
  rare.seenAt = stamp;
  rare.kept = isCalm ? copyRare(engine, most) : null;
  rare.keptAt = stamp;
  return rare.kept;
}

function copyRare(engine: Engine, most: number): RareMemory | null {
  const ranges = rareRanges(engine);
  const size = rangeBytes(ranges);
  if (size === 0 || size > most) return null;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (let k = 0; k < ranges.length; k += 2) {
    bytes.set(engine.arena.u8.subarray(ranges[k], ranges[k + 1]), at);
    at += ranges[k + 1] - ranges[k];
  }
  return { ranges, bytes };
}

/** Whether the memory has what a snapshot shares: nothing has written to it since. */
export function isRareThere({ arena, rare }: Engine, shared: RareMemory): boolean {
  return rare.kept === shared && rare.keptAt === arena.rareStamp;
}

/** Puts back what a snapshot shares. */
export function putRare({ arena }: Engine, { ranges, bytes }: RareMemory): void {
  let at = 0;
  for (let k = 0; k < ranges.length; k += 2) {
    const size = ranges[k + 1] - ranges[k];
    arena.u8.set(bytes.subarray(at, at + size), ranges[k]);
    at += size;
  }
}

/** The memory is that of a snapshot that shares this. */
export function noteRare({ arena, rare }: Engine, shared: RareMemory | null): void {
  rare.kept = shared;
  rare.keptAt = rare.seenAt = arena.rareStamp;
}

/** Whether this may be such a copy, of a memory used up to `top`. */
export function isRareMemory({ layout }: Arena, shared: RareMemory, top: number): boolean {
  const { ranges, bytes } = shared;
  if (!(ranges instanceof Int32Array && bytes instanceof Uint8Array) || ranges.length % 2 !== 0) return false;
  for (let k = 0; k < ranges.length; k += 2) {
    const [from, to] = [ranges[k], ranges[k + 1]];
    if (from % LINE_BYTES !== 0 || to % LINE_BYTES !== 0 || from < layout.base || to <= from || to > top) return false;
  }
  return rangeBytes(ranges) === bytes.length;
}
