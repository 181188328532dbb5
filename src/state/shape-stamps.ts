// Which rows of the shape table are new: for copies of their records that are kept elsewhere (WebGPU).
// Rows are used again, and so are the addresses of records. Not in the one memory: a restored snapshot
// must not bring back an old number.

import type { Tables } from './tables';

interface Stamps {
  count: number;
  readonly rows: number[];
}

const all = new WeakMap<Tables, Stamps>();

function stampsOf(tables: Tables): Stamps {
  let stamps = all.get(tables);
  if (!stamps) {
    stamps = { count: 0, rows: [] };
    all.set(tables, stamps);
  }
  return stamps;
}

/** The row holds another shape from now on. */
export function stampShape(tables: Tables, row: number): void {
  const stamps = stampsOf(tables);
  stamps.rows[row] = ++stamps.count;
}

/** Another number whenever the row holds another shape. */
export function shapeStamp(tables: Tables, row: number): number {
  return stampsOf(tables).rows[row] ?? 0;
}
