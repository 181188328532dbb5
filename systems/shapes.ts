// Shapes by id: what Collider.shape holds. Equal simple shapes share one id.

import { refuse } from '../src/core/errors';
import { checkShape, type ShapeHandle, type ShapeSpec } from '../src/geometry/shapes';
import { createShape as createShapeRows } from '../src/state/create-shape';
import { type Physics, requirePhysics } from './physics';
import { warnOfWinding } from './warnings';

/** Most points of a hull or parts of a compound that is looked up among the shapes there are. */
const SHARED_COUNT = 16;

/** Small enough that writing it down costs less than making it again. */
function isSimple(spec: ShapeSpec): boolean {
  if (spec.mesh || spec.heightField) return false;
  if (spec.hull) return spec.hull.length <= SHARED_COUNT;
  return !spec.compound || (spec.compound.length <= SHARED_COUNT && spec.compound.every((p) => isSimple(p.shape)));
}

/** A typed array is written down as a list. */
const asList = (_key: string, value: unknown): unknown =>
  ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value;

/**
 * Makes a shape and returns its id, for Collider.shape or a RigidBodySpec.
 * Throws UsageError (`createShape: shape.box[0] must be > 0 [m], got -1`).
 */
export function createShape(physics: Physics, spec: ShapeSpec, where = 'createShape'): number {
  requirePhysics(physics, where);
  const { shapes, shapeIds, engine } = physics.internal;
  checkShape(where, 'shape', spec);
  const key = isSimple(spec) ? JSON.stringify(spec, asList) : '';
  const known = shapeIds.get(key);
  if (known !== undefined) return known;
  const handle = createShapeRows(engine.arena, engine.tables, spec, where);
  shapes.push(handle);
  if (spec.mesh) warnOfWinding(physics, where, spec.mesh);
  if (key !== '') shapeIds.set(key, shapes.length);
  return shapes.length;
}

/** The shape with this id. */
export function shapeOf(physics: Physics, id: number, where: string): ShapeHandle {
  const handle = physics.internal.shapes[id - 1];
  if (!handle) refuse(where, 'shape must be a shape or an id from createShape', id);
  return handle;
}
