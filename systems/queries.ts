// Questions a game asks the world between steps: rays and overlaps, answered with entities.

import * as query from '../src/collision/queries';
import { refuse, requireBits, requireFlag } from '../src/core/errors';
import { makePending } from './entities';
import { type Physics, requirePhysics } from './physics';
import type { Vector } from './rigid-body';

export interface RayHit {
  entity: number;
  /** From the origin [m]. */
  distance: number;
  /** World point [m]. */
  point: [number, number, number];
  /** Unit normal of the surface, outwards. */
  normal: [number, number, number];
}

export interface QueryOptions {
  /** Layers that count, 16 bits. Default all. */
  mask?: number;
  /** Whether sensors count. Default false. */
  sensors?: boolean;
  /** An entity that does not count (the one that asks). */
  ignore?: number;
}

const hit = query.createRayHit();
const hits: query.RayHit[] = [];
const found: number[] = [];

/**
 * Bodies noted by the observers are made first, so that a query sees what was just added.
 * @internal
 */
export function prepare(physics: Physics, where: string): query.QueryContext {
  requirePhysics(physics, where);
  makePending(physics);
  return physics.internal.queries;
}

/** @internal */
export function filterOf(physics: Physics, where: string, options: QueryOptions = {}): query.QueryFilter {
  if (typeof options !== 'object' || options === null) refuse(where, 'options must be an object', options);
  const { mask = 0xffff, sensors = false, ignore } = options;
  requireBits(where, 'options.mask', mask);
  requireFlag(where, 'options.sensors', sensors);
  if (ignore !== undefined && !Number.isInteger(ignore)) refuse(where, 'options.ignore must be an entity', ignore);
  return { mask, sensors, ignoreBody: ignore === undefined ? -1 : (physics.internal.slotOf[ignore] ?? -1) };
}

/**
 * Entity of a collider; 0 where its body was removed in this step, and still stands in it.
 * @internal
 */
export function entityOf({ internal }: Physics, collider: number): number {
  const { colliders, bodies } = internal.engine.tables;
  return bodies.entity[colliders.body[collider]];
}

function toHit(physics: Physics, from: query.RayHit): RayHit {
  return {
    entity: entityOf(physics, from.collider),
    distance: from.distance,
    point: [from.point[0], from.point[1], from.point[2]],
    normal: [from.normal[0], from.normal[1], from.normal[2]],
  };
}

/**
 * First body that a ray hits, or null. `origin` and `maxDistance` in [m]; `direction` of any length but 0; a ray from
 * inside a solid hits it at 0. Throws UsageError on wrong numbers.
 */
export function castRay(
  physics: Physics,
  origin: Vector,
  direction: Vector,
  maxDistance = Number.POSITIVE_INFINITY,
  options?: QueryOptions,
): RayHit | null {
  const context = prepare(physics, 'castRay');
  const filter = filterOf(physics, 'castRay', options);
  if (!query.castRay(context, origin, direction, maxDistance, hit, filter)) return null;
  if (entityOf(physics, hit.collider) !== 0) return toHit(physics, hit);
  // Removed in this step: the ray goes on through it.
  return castRayAll(physics, origin, direction, maxDistance, options)[0] ?? null;
}

/** Every collider that a ray hits, nearest first; otherwise as `castRay`. */
export function castRayAll(
  physics: Physics,
  origin: Vector,
  direction: Vector,
  maxDistance = Number.POSITIVE_INFINITY,
  options?: QueryOptions,
): RayHit[] {
  const context = prepare(physics, 'castRayAll');
  const filter = filterOf(physics, 'castRayAll', options);
  const count = query.castRayAll(context, origin, direction, maxDistance, hits, filter);
  return hits
    .slice(0, count)
    .filter(({ collider }) => entityOf(physics, collider) !== 0)
    .map((from) => toHit(physics, from));
}

function entitiesOf(physics: Physics, count: number): number[] {
  const entities = new Set(found.slice(0, count).map((collider) => entityOf(physics, collider)));
  entities.delete(0);
  return [...entities];
}

/** Entities that share a point with an axis-aligned box [m]. Throws UsageError on wrong numbers. */
export function overlapBox(physics: Physics, min: Vector, max: Vector, options?: QueryOptions): number[] {
  const context = prepare(physics, 'overlapBox');
  return entitiesOf(physics, query.overlapBox(context, min, max, found, filterOf(physics, 'overlapBox', options)));
}

/** Entities that share a point with a ball [m]. Throws UsageError on wrong numbers. */
export function overlapSphere(physics: Physics, center: Vector, radius: number, options?: QueryOptions): number[] {
  const context = prepare(physics, 'overlapSphere');
  const filter = filterOf(physics, 'overlapSphere', options);
  return entitiesOf(physics, query.overlapSphere(context, center, radius, found, filter));
}

/** Entities that contain a point [m]; meshes contain none. Throws UsageError on wrong numbers. */
export function overlapPoint(physics: Physics, point: Vector, options?: QueryOptions): number[] {
  const context = prepare(physics, 'overlapPoint');
  return entitiesOf(physics, query.overlapPoint(context, point, found, filterOf(physics, 'overlapPoint', options)));
}
