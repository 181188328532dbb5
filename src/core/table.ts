// Tables: structure-of-arrays over the arena. A schema says each column's type, stride and the header cell
// that holds its address; the table object has one typed array per column, remade whenever it may have moved.

import { type Arena, allocate, blockSize, release, touchRare } from './arena';

export interface ColumnSpec<A extends Int32Array | Float64Array> {
  readonly type: 'i32' | 'f64';
  /** Header cell (byte address) where kernels find the column's address. */
  readonly cell: number;
  /** Numbers per row. */
  readonly stride: number;
  /** Value of rows never written. */
  readonly fill: number;
  /** Type of the view; never set. */
  readonly array?: A;
}

/** A column of 32-bit integers. */
export function i32(cell: number, stride = 1, fill = 0): ColumnSpec<Int32Array> {
  return { type: 'i32', cell, stride, fill };
}

/** A column of 64-bit floats. */
export function f64(cell: number, stride = 1, fill = 0): ColumnSpec<Float64Array> {
  return { type: 'f64', cell, stride, fill };
}

export type Schema = Readonly<Record<string, ColumnSpec<Int32Array> | ColumnSpec<Float64Array>>>;

/** The columns of a schema as typed arrays, and how many rows they have room for. */
export type Table<S extends Schema> = {
  -readonly [K in keyof S]: S[K] extends ColumnSpec<infer A> ? A : never;
} & { capacity: number };

/** A table's own bookkeeping, beside its columns. */
export interface TableControl {
  /** Makes room for at least `rows`; existing rows keep their values, new ones get the column's fill. */
  ensure(rows: number): void;
  /** Moves columns down to where there is room by now. */
  pack(): void;
  /** Adds to `out` first byte and end of the rows from `rows` on, of every column, to the end of its block. */
  spareRanges(rows: number, out: number[]): void;
  /** Gives the rows from `rows` on the columns' fill. */
  clearSpare(rows: number): void;
}

const BYTES = { i32: 4, f64: 8 } as const;
const ARRAYS = { i32: Int32Array, f64: Float64Array } as const;

/**
 * Makes a table of `rows` rows. `capacityCell` is the header cell that holds its capacity. It grows by doubling, or
 * where whole groups of rows come at once (`isTight`) to what is asked for, by an eighth at least. Its columns are
 * remade after every growth of the memory: read them afresh, never keep them.
 */
export function createTable<S extends Schema>(
  arena: Arena,
  schema: S,
  capacityCell: number,
  rows: number,
  isTight = false,
): [Table<S>, TableControl] {
  const names = Object.keys(schema);
  const table = { capacity: 0 } as Record<string, unknown>;
  const cells = Int32Array.from(names, (name) => schema[name].cell >> 2);
  const rowBytes = Int32Array.from(names, (name) => BYTES[schema[name].type] * schema[name].stride);

  // Where the views are: after a restore mostly nothing has moved, and to ask them all took a twentieth of it.
  const addresses = new Int32Array(names.length);
  let last: ArrayBufferLike | null = null;

  const refresh = () => {
    const { buffer } = arena.memory;
    const { i32 } = arena;
    const capacity = i32[capacityCell >> 2];
    const isMoved = buffer !== last || capacity !== table.capacity;
    for (let k = 0; k < cells.length; k++) {
      const address = i32[cells[k]];
      if (!isMoved && addresses[k] === address) continue;
      const { type, stride } = schema[names[k]];
      table[names[k]] = new ARRAYS[type](buffer, address, capacity * stride);
      addresses[k] = address;
    }
    table.capacity = capacity;
    last = buffer;
  };

  const resize = (capacity: number) => {
    try {
      moveColumns(capacity);
    } finally {
      // Also where memory ran out: columns that have moved are long enough for the rows there are.
      refresh();
    }
  };

  const moveColumns = (capacity: number) => {
    touchRare(arena);
    const before = arena.i32[capacityCell >> 2];
    for (const name of names) {
      const { type, cell, stride, fill } = schema[name];
      const bytes = BYTES[type] * stride;
      const address = allocate(arena, capacity * bytes);
      const old = arena.i32[cell >> 2];
      if (before > 0) {
        arena.u8.copyWithin(address, old, old + before * bytes);
        release(arena, old, before * bytes);
      }
      if (fill !== 0) {
        const view = type === 'i32' ? arena.i32 : arena.f64;
        const first = address / BYTES[type];
        view.fill(fill, first + before * stride, first + capacity * stride);
      }
      arena.i32[cell >> 2] = address;
    }
    arena.i32[capacityCell >> 2] = capacity;
  };

  arena.i32[capacityCell >> 2] = 0;
  resize(rows);
  arena.listeners.push(refresh);

  return [
    table as Table<S>,
    {
      ensure(wanted) {
        let capacity = table.capacity as number;
        if (wanted <= capacity) return;
        if (isTight) capacity = Math.max(wanted, Math.ceil(1.125 * capacity));
        else while (capacity < wanted) capacity *= 2;
        resize(capacity);
      },
      pack() {
        touchRare(arena);
        for (const name of names) {
          const { type, cell, stride } = schema[name];
          const bytes = BYTES[type] * stride * (table.capacity as number);
          const old = arena.i32[cell >> 2];
          const address = allocate(arena, bytes, true);
          if (address < old) arena.u8.copyWithin(address, old, old + bytes);
          release(arena, Math.max(address, old), bytes);
          arena.i32[cell >> 2] = Math.min(address, old);
        }
        refresh();
      },
      spareRanges: (rows, out) =>
        cells.forEach((cell, k) => {
          addSpare(out, arena.i32[cell], rowBytes[k], rows, table.capacity as number);
        }),
      clearSpare(rows) {
        for (const name of names) (table[name] as Int32Array).fill(schema[name].fill, schema[name].stride * rows);
      },
    },
  ];
}

/** Adds the rest of a column's block from row `rows` on. */
function addSpare(out: number[], address: number, rowBytes: number, rows: number, capacity: number): void {
  out.push(address + rowBytes * rows, address + blockSize(rowBytes * capacity));
}
