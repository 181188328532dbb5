// Columns indexed by entity id: plain typed arrays on plain objects, made per world.
//
// A column that must grow is replaced inside its object (bitECS knows a component by the object, so membership
// is kept): read columns through the component each time, never keep the array.

/** A column that the engine writes and a game reads: the compiler refuses writes. */
export type ResultColumn = Readonly<Float64Array>;
export type ResultIndices = Readonly<Int32Array>;

type Written<T> = {
  [K in keyof T]: T[K] extends Float64Array ? Float64Array : T[K] extends Int32Array ? Int32Array : Written<T[K]>;
};

/** The columns of a component as the engine itself writes them. */
export function written<T extends object>(component: T): Written<T> {
  return component as Written<T>;
}

/** A component with typed-array leaves, at any depth. */
export type ColumnTree = { [key: string]: Float64Array | Int32Array | ColumnTree };

/** Zeroes an entity's row in all columns of a component. */
export function clearRow(tree: ColumnTree, eid: number): void {
  for (const column of Object.values(tree)) {
    if (ArrayBuffer.isView(column)) (column as Float64Array)[eid] = 0;
    else clearRow(column as ColumnTree, eid);
  }
}

export interface ColumnSet {
  /** Entity ids below this have a row in every column. */
  capacity: number;
  /** Makes sure that entity `eid` has a row. */
  ensure(eid: number): void;
  /**
   * Name of a column whose array from before the last growth has been written since, or null. Looks at one array a
   * call, at each one for a few rounds, then lets go of it. Of growth beyond 8192 rows nothing is kept.
   */
  findStaleWrite(): string | null;
}

type Leaf = { owner: ColumnTree; key: string; name: string };

/** An array that has been replaced, and what it held then. */
type Outgrown = { name: string; array: Column; kept: Column; looks: number };

type Column = Float64Array | Int32Array;

/** How often each replaced array is looked at before it is let go. */
const LOOKS = 3;

/**
 * Rows of a replaced array that is looked at: who writes to one has done so before, and larger ones, with their copies,
 * are held for seconds.
 */
const MOST_WATCHED = 4096;

function collect(tree: ColumnTree, prefix: string, leaves: Leaf[]): void {
  for (const key of Object.keys(tree)) {
    const value = tree[key];
    const name = `${prefix}${key}`;
    if (ArrayBuffer.isView(value)) leaves.push({ owner: tree, key, name });
    else collect(value as ColumnTree, `${name}.`, leaves);
  }
}

/** Manages the growth of all columns of `components` (by name) together. */
export function createColumnSet(components: ColumnTree, capacity: number): ColumnSet {
  const leaves: Leaf[] = [];
  collect(components, '', leaves);
  const outgrown: Outgrown[] = [];
  const set: ColumnSet = {
    capacity: 0,
    ensure(eid) {
      if (eid < set.capacity) return;
      let next = Math.max(set.capacity, capacity);
      while (next <= eid) next *= 2;
      outgrown.length = 0;
      for (const { owner, key, name } of leaves) {
        const old = owner[key] as Column;
        const grown = old instanceof Float64Array ? new Float64Array(next) : new Int32Array(next);
        grown.set(old);
        owner[key] = grown;
        if (old.length > 0 && old.length <= MOST_WATCHED)
          outgrown.push({ name, array: old, kept: old.slice(), looks: LOOKS });
      }
      set.capacity = next;
    },
    findStaleWrite() {
      const entry = outgrown.shift();
      if (entry === undefined) return null;
      const { name, array, kept } = entry;
      for (let i = 0; i < array.length; i++) if (!Object.is(array[i], kept[i])) return name;
      if (--entry.looks > 0) outgrown.push(entry);
      return null;
    },
  };
  set.ensure(0);
  return set;
}

/** Gives up the arrays of a component that no entity has any more. */
export function emptyColumns(tree: ColumnTree): void {
  for (const key of Object.keys(tree)) {
    const value = tree[key];
    if (value instanceof Float64Array) tree[key] = new Float64Array(0);
    else if (value instanceof Int32Array) tree[key] = new Int32Array(0);
    else emptyColumns(value);
  }
}

/**
 * Gives all columns of some components one memory, with the rows of entities `first` to `last`: each begins as many
 * rows further on as there are of these, so that theirs lie side by side, and what a column has before them belongs to
 * others. Columns reach up to the highest entity number; of the many physics of a world, one after another, each would
 * else keep rows for all entities before.
 */
export function foldColumns(trees: readonly ColumnTree[], first: number, last: number): void {
  const leaves: Leaf[] = [];
  for (const tree of trees) collect(tree, '', leaves);
  const rows = last + 1 - first;
  for (const type of [Float64Array, Int32Array]) {
    const own = leaves.filter(({ owner, key }) => owner[key] instanceof type && (owner[key] as Column).length > last);
    const { BYTES_PER_ELEMENT: bytes } = type;
    const memory = new ArrayBuffer(bytes * (first + rows * own.length));
    own.forEach(({ owner, key }, k) => {
      const folded = new type(memory, bytes * rows * k, last + 1);
      folded.set((owner[key] as Column).subarray(first, last + 1), first);
      owner[key] = folded;
    });
  }
}

export const real = () => new Float64Array(0);
export const whole = () => new Int32Array(0);
export const vector = () => ({ x: real(), y: real(), z: real() });
export const quaternion = () => ({ x: real(), y: real(), z: real(), w: real() });
