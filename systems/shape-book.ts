// The shapes of a world and their ids: state, kept and put back with snapshots.

import type { Engine } from '../src/dynamics/engine';
import type { ShapeHandle } from '../src/geometry/shapes';

// An id: place + 1 in the low bits, uses of the place above.
export const PLACE_BITS = 20;
export const PLACE = 2 ** PLACE_BITS - 1;
export const MOST_USES = 2 ** (31 - PLACE_BITS);

/** What may be made before unused shapes are looked for, beside as much as there is [pages of 4 kB]. */
export const SLACK = 256;

/** Shapes of a world by the place in their ids. */
export interface ShapeBook {
  /** Null where a place is free. */
  handles: (ShapeHandle | null)[];
  /** How often the place was used before. */
  uses: number[];
  /** Calls of createShape that removeShape has not taken back. */
  pins: number[];
  /** Ids of simple shapes by their description. */
  ids: Map<string, number>;
  /** What was made since unused shapes were last looked for [pages of 4 kB, at least one a shape]. */
  made: number;
  /** What may be made before they are looked for again [the same]. */
  due: number;
}

export function createShapeBook(): ShapeBook {
  return { handles: [], uses: [], pins: [], ids: new Map(), made: 0, due: SLACK };
}

/** A copy that later shapes do not change. */
export function copyShapeBook({ handles, uses, pins, ids, made, due }: ShapeBook): ShapeBook {
  return { handles: handles.slice(), uses: uses.slice(), pins: pins.slice(), ids: new Map(ids), made, due };
}

/** Whether two books say the same. */
export function isSameBook(a: ShapeBook, b: ShapeBook): boolean {
  const isSame = (p: readonly unknown[], q: readonly unknown[]) =>
    p.length === q.length && p.every((value, k) => value === q[k]);
  if (a.made !== b.made || a.due !== b.due || a.ids.size !== b.ids.size) return false;
  if (!isSame(a.handles, b.handles) || !isSame(a.uses, b.uses) || !isSame(a.pins, b.pins)) return false;
  for (const [text, id] of a.ids) if (b.ids.get(text) !== id) return false;
  return true;
}

/** The shape with this id, if there is one. */
export function shapeAt({ shapes }: { readonly shapes: ShapeBook }, id: number): ShapeHandle | null {
  const place = (id & PLACE) - 1;
  return shapes.uses[place] === id >> PLACE_BITS ? (shapes.handles[place] ?? null) : null;
}

/** The shape of a body there is. */
export function shapeOfBody(
  { shapes, engine }: { readonly shapes: ShapeBook; readonly engine: Engine },
  slot: number,
): ShapeHandle {
  return shapes.handles[(engine.tables.bodies.shape[slot] & PLACE) - 1] as ShapeHandle;
}
