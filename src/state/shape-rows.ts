// Rows of the shape table by what they hold: equal parts share one, and to search all of them for each part took
// minutes for a compound of 500 000.
//
// Derived from the table alone, and made anew from it where rows went or came otherwise than by createShape
// (forgetShapeRows): a run restored from a snapshot goes on with the same rows. Not in the one memory.

import type { Arena } from '../core/arena';
import * as L from './layout';
import { isMesh } from './shape-traits';
import type { Tables } from './tables';

interface ShapeRows {
  /** The last row with this hash of kind, bounds and parameters. */
  readonly last: Map<number, number>;
  /** Of each row, the one before it with the same hash, −1 for none. */
  readonly before: number[];
  /** Free rows, the lowest last. */
  readonly free: number[];
}

const all = new WeakMap<Tables, ShapeRows>();

// Six bounds and four parameters, and their bits.
const numbers = new Float64Array(10);
const bits = new Int32Array(numbers.buffer);

function hashOf(kind: number, box: ArrayLike<number>, parameter: ArrayLike<number>): number {
  // −0 counts as 0.
  for (let k = 0; k < 6; k++) numbers[k] = box[k] + 0;
  for (let k = 0; k < 4; k++) numbers[6 + k] = k < parameter.length ? parameter[k] + 0 : 0;
  let hash = kind;
  for (let k = 0; k < bits.length; k++) {
    // MurmurHash3's steps (A. Appleby, public domain).
    let word = Math.imul(bits[k], 0xcc9e2d51);
    word = Math.imul((word << 15) | (word >>> 17), 0x1b873593);
    hash ^= word;
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64;
  }
  return hash | 0;
}

function rowsOf(arena: Arena, tables: Tables): ShapeRows {
  const known = all.get(tables);
  if (known) return known;
  const rows: ShapeRows = { last: new Map(), before: [], free: [] };
  all.set(tables, rows);
  const count = arena.i32[L.SHAPE_COUNT >> 2];
  for (let row = count - 1; row >= 0; row--) if (tables.shapes.kind[row] === L.SHAPE_FREE) rows.free.push(row);
  for (let row = 0; row < count; row++) note(rows, tables, row);
  return rows;
}

function note({ last, before }: ShapeRows, { shapes }: Tables, row: number): void {
  const kind = shapes.kind[row];
  before[row] = -1;
  // Meshes are not compared.
  if (kind === L.SHAPE_FREE || isMesh(kind)) return;
  const box = shapes.box.subarray(6 * row, 6 * row + 6);
  const hash = hashOf(kind, box, shapes.parameter.subarray(4 * row, 4 * row + 4));
  before[row] = last.get(hash) ?? -1;
  last.set(hash, row);
}

/** The row that `is` says has a shape, of those that may by kind, bounds and parameters; −1: none has. */
export function findShapeRow(
  { arena, tables }: { readonly arena: Arena; readonly tables: Tables },
  kind: number,
  box: ArrayLike<number>,
  parameter: ArrayLike<number>,
  is: (row: number) => boolean,
): number {
  const { last, before } = rowsOf(arena, tables);
  let row = last.get(hashOf(kind, box, parameter)) ?? -1;
  while (row >= 0 && !is(row)) row = before[row];
  return row;
}

export function hasFreeRow(arena: Arena, tables: Tables): boolean {
  return rowsOf(arena, tables).free.length > 0;
}

/** Takes the lowest free row; −1 where there is none. */
export function takeFreeRow(arena: Arena, tables: Tables): number {
  return rowsOf(arena, tables).free.pop() ?? -1;
}

/** Notes what a row that was taken holds now. */
export function noteShapeRow(arena: Arena, tables: Tables, row: number): void {
  const known = all.get(tables);
  if (known) note(known, tables, row);
  else rowsOf(arena, tables);
}

/** Rows were freed, or the table was put back. */
export function forgetShapeRows(tables: Tables): void {
  all.delete(tables);
}
