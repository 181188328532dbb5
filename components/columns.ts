// Columns indexed by entity id: plain typed arrays on plain objects, made per world.
//
// A column that must grow is replaced inside its object (bitECS knows a component by the object, so membership
// is kept): read columns through the component each time, never keep the array.

/** A component with typed-array leaves, at any depth. */
export type ColumnTree = { [key: string]: Float64Array | Int32Array | ColumnTree };

export interface ColumnSet {
  /** Entity ids below this have a row in every column. */
  capacity: number;
  /** Makes sure that entity `eid` has a row. */
  ensure(eid: number): void;
}

type Leaf = { owner: ColumnTree; key: string };

function collect(tree: ColumnTree, leaves: Leaf[]): void {
  for (const key of Object.keys(tree)) {
    const value = tree[key];
    if (ArrayBuffer.isView(value)) leaves.push({ owner: tree, key });
    else collect(value as ColumnTree, leaves);
  }
}

/** Manages the growth of all columns of `components` together. */
export function createColumnSet(components: ColumnTree[], capacity: number): ColumnSet {
  const leaves: Leaf[] = [];
  for (const component of components) collect(component, leaves);
  const set: ColumnSet = {
    capacity: 0,
    ensure(eid) {
      if (eid < set.capacity) return;
      let next = Math.max(set.capacity, capacity);
      while (next <= eid) next *= 2;
      for (const { owner, key } of leaves) {
        const old = owner[key] as Float64Array | Int32Array;
        const grown = old instanceof Float64Array ? new Float64Array(next) : new Int32Array(next);
        grown.set(old);
        owner[key] = grown;
      }
      set.capacity = next;
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

export const real = () => new Float64Array(0);
export const whole = () => new Int32Array(0);
export const vector = () => ({ x: real(), y: real(), z: real() });
export const quaternion = () => ({ x: real(), y: real(), z: real(), w: real() });
