// Shapes by id: what Collider.shape holds. Equal simple shapes share one id.

import { refuse } from '../src/core/errors';
import type { ShapeHandle, ShapeSpec } from '../src/geometry/shapes';
import { createShape as createShapeRows } from '../src/state/create-shape';
import type { Physics } from './physics';

/** Longest description that is looked up among the shapes there are [characters]. */
const SHARED_LENGTH = 400;

/**
 * Makes a shape and returns its id, for Collider.shape or a RigidBodySpec.
 * Throws UsageError (`createShape: shape.box[0] must be > 0 [m], got -1`).
 */
export function createShape(physics: Physics, spec: ShapeSpec, where = 'createShape'): number {
  const { shapes, shapeIds, engine } = physics.internal;
  const key = typeof spec === 'object' ? JSON.stringify(spec) : '';
  const known = key.length <= SHARED_LENGTH ? shapeIds.get(key) : undefined;
  if (known !== undefined) return known;
  const handle = createShapeRows(engine.arena, engine.tables, spec, where);
  shapes.push(handle);
  if (key.length <= SHARED_LENGTH) shapeIds.set(key, shapes.length);
  return shapes.length;
}

/** The shape with this id. */
export function shapeOf(physics: Physics, id: number, where: string): ShapeHandle {
  const handle = physics.internal.shapes[id - 1];
  if (!handle) refuse(where, 'shape must be a shape or an id from createShape', id);
  return handle;
}
