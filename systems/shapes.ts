// Shapes by id: what Collider.shape holds. Equal simple shapes share one id.
//
// A shape is freed, with its rows and records, when nobody uses it: no body, no entity's Collider, and no createShape
// of the game's that removeShape has not taken back. Who uses what is looked up now and then, in proportion to what was
// made since, so nothing is counted that a callback, a column write or a restore could leave wrong. Ids carry how often
// their place was used before: an old one is refused, not taken for the shape that has its place now.

import { query } from 'bitecs';
import { refuse } from '../src/core/errors';
import { checkShape, isSurface, type ShapeHandle, type ShapeSpec } from '../src/geometry/shapes';
import { createShape as createShapeRows, freeShapeRows, shapeBytes } from '../src/state/create-shape';
import * as L from '../src/state/layout';
import { type Physics, requirePhysics } from './physics';
import { MOST_USES, PLACE, PLACE_BITS, type ShapeBook, SLACK, shapeAt } from './shape-book';
import { warnOfWinding } from './warnings';

const PAGE = 4096;

/** Most points of a hull or parts of a compound that is looked up among the shapes there are. */
const SHARED_COUNT = 16;

/** Small enough that writing it down costs less than making it again. */
function isSimple(spec: ShapeSpec): boolean {
  if (isSurface(spec)) return false;
  if (spec.hull) return spec.hull.length <= SHARED_COUNT;
  return !spec.compound || (spec.compound.length <= SHARED_COUNT && spec.compound.every((p) => isSimple(p.shape)));
}

/** A typed array is written down as a list. */
const asList = (_key: string, value: unknown): unknown =>
  ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value;

/**
 * Makes a shape and returns its id, for Collider.shape or a RigidBodySpec, as long as removeShape is not called for it
 * or anything uses it. Shapes that addRigidBody makes need no removeShape. Throws UsageError (`createShape:
 * shape.box[0] must be > 0 [m], got -1`).
 */
export function createShape(physics: Physics, spec: ShapeSpec): number {
  const id = findShape(physics, spec, 'createShape');
  pinShape(physics, id);
  return id;
}

/**
 * Lets go of a shape that createShape made (as often as it was made: equal shapes share an id). Its memory
 * is freed when no body and no Collider uses it any more; its id is good until then. Throws UsageError for
 * an id that createShape did not give.
 */
export function removeShape(physics: Physics, id: number): void {
  const where = 'removeShape';
  requirePhysics(physics, where);
  shapeOf(physics, id, where);
  if (physics.internal.shapes.pins[(id & PLACE) - 1] === 0) {
    refuse(where, 'shape must be an id from createShape that was not removed as often', id);
  }
  unpinShape(physics, id);
}

/**
 * The shape is not freed until unpinShape.
 * @internal
 */
export function pinShape({ internal }: Physics, id: number): void {
  internal.shapes.pins[(id & PLACE) - 1]++;
}

/**
 * Takes one pinShape back.
 * @internal
 */
export function unpinShape({ internal }: Physics, id: number): void {
  internal.shapes.pins[(id & PLACE) - 1]--;
}

/** Id of a shape, made where there is none that is equal; freed as soon as nobody uses it. */
export function findShape(physics: Physics, spec: ShapeSpec, where: string): number {
  requirePhysics(physics, where);
  const { shapes: book, engine } = physics.internal;
  checkShape(where, 'shape', spec);
  const key = isSimple(spec) ? JSON.stringify(spec, asList) : '';
  const known = book.ids.get(key);
  if (known !== undefined) return known;
  if (book.made >= book.due) freeShapes(physics);
  const handle = createShapeRows(engine.arena, engine.tables, spec, where);
  book.made += 1 + Math.floor(shapeBytes(engine.arena, engine.tables, handle) / PAGE);
  if (spec.mesh) warnOfWinding(physics, where, spec.mesh);
  const free = freePlacesOf(book).pop() ?? -1;
  const place = free >= 0 ? free : book.handles.length;
  if (place >= PLACE) refuse(where, `there must be at most ${PLACE} shapes`, place + 1);
  const uses = free >= 0 ? (book.uses[place] + 1) % MOST_USES : 0;
  book.handles[place] = handle;
  book.uses[place] = uses;
  book.pins[place] = 0;
  const id = uses * 2 ** PLACE_BITS + place + 1;
  if (key !== '') book.ids.set(key, id);
  return id;
}

/** Free places of a book, the lowest last: searched for once, not for each of 200 000 shapes. */
const freePlaces = new WeakMap<ShapeBook, number[]>();

function freePlacesOf(book: ShapeBook): number[] {
  let free = freePlaces.get(book);
  if (free) return free;
  free = [];
  for (let place = book.handles.length - 1; place >= 0; place--) if (book.handles[place] === null) free.push(place);
  freePlaces.set(book, free);
  return free;
}

/** Frees the shapes that nobody uses. */
function freeShapes({ world, components, internal }: Physics): void {
  const { shapes: book, engine } = internal;
  const { arena, tables } = engine;
  const { bodies } = tables;
  const isUsed = new Uint8Array(book.handles.length + 1);
  for (let slot = 0; slot < arena.i32[L.BODY_COUNT >> 2]; slot++) {
    if (bodies.flags[slot] & L.BODY_ALIVE) isUsed[bodies.shape[slot] & PLACE] = 1;
  }
  const { shape } = components.Collider;
  for (const eid of query(world, [components.Collider]))
    if (shapeAt(internal, shape[eid])) isUsed[shape[eid] & PLACE] = 1;
  const rows = new Set<number>();
  let left = 0;
  book.handles.forEach((handle, place) => {
    if (handle === null) return;
    if (isUsed[place + 1] === 0 && book.pins[place] === 0) {
      book.handles[place] = null;
      return;
    }
    left++;
    for (const part of handle.parts) rows.add(part.shape);
  });
  freePlaces.delete(book);
  book.made = 0;
  book.due = SLACK + left;
  for (const [key, id] of book.ids) if (!shapeAt(internal, id)) book.ids.delete(key);
  freeShapeRows(arena, tables, rows);
}

/**
 * The shape with this id.
 * @internal
 */
export function shapeOf({ internal }: Physics, id: number, where: string): ShapeHandle {
  const handle = Number.isInteger(id) ? shapeAt(internal, id) : null;
  if (!handle) refuse(where, 'shape must be a shape or an id from createShape', id);
  return handle;
}
