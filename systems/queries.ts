// Questions a game asks the world between steps: rays and overlaps, answered with entities.

import * as query from '../src/collision/queries';
import { flushEntities } from './entities';
import type { Physics } from './physics';
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

/** Bodies noted by the observers are made first, so that a query sees what was just added. */
function prepare(physics: Physics): query.QueryContext {
  if (physics.internal.spawned.length + physics.internal.removed.length > 0) flushEntities(physics);
  return physics.internal.queries;
}

function filterOf(physics: Physics, options: QueryOptions | undefined): query.QueryFilter {
  return {
    mask: options?.mask ?? 0xffff,
    sensors: options?.sensors ?? false,
    ignoreBody: options?.ignore === undefined ? -1 : (physics.internal.slotOf[options.ignore] ?? -1),
  };
}

function toHit(physics: Physics, from: query.RayHit): RayHit {
  return {
    entity: physics.internal.engine.tables.colliders.entity[from.collider],
    distance: from.distance,
    point: [from.point[0], from.point[1], from.point[2]],
    normal: [from.normal[0], from.normal[1], from.normal[2]],
  };
}

/**
 * First body that a ray hits, or null. `direction` of any length but 0; a ray from inside a solid hits it at 0.
 * Throws UsageError on wrong numbers.
 */
export function castRay(
  physics: Physics,
  origin: Vector,
  direction: Vector,
  maxDistance = Number.POSITIVE_INFINITY,
  options?: QueryOptions,
): RayHit | null {
  const context = prepare(physics);
  return query.castRay(context, origin, direction, maxDistance, hit, filterOf(physics, options))
    ? toHit(physics, hit)
    : null;
}

/** Every collider that a ray hits, nearest first. */
export function castRayAll(
  physics: Physics,
  origin: Vector,
  direction: Vector,
  maxDistance = Number.POSITIVE_INFINITY,
  options?: QueryOptions,
): RayHit[] {
  const count = query.castRayAll(prepare(physics), origin, direction, maxDistance, hits, filterOf(physics, options));
  return hits.slice(0, count).map((from) => toHit(physics, from));
}

function entitiesOf(physics: Physics, count: number): number[] {
  const { entity } = physics.internal.engine.tables.colliders;
  return [...new Set(found.slice(0, count).map((collider) => entity[collider]))];
}

/** Entities that share a point with an axis-aligned box [m]. */
export function overlapBox(physics: Physics, min: Vector, max: Vector, options?: QueryOptions): number[] {
  const count = query.overlapBox(prepare(physics), min, max, found, filterOf(physics, options));
  return entitiesOf(physics, count);
}

/** Entities that share a point with a ball [m]. */
export function overlapSphere(physics: Physics, center: Vector, radius: number, options?: QueryOptions): number[] {
  const count = query.overlapSphere(prepare(physics), center, radius, found, filterOf(physics, options));
  return entitiesOf(physics, count);
}

/** Entities that contain a point [m]; meshes contain none. */
export function overlapPoint(physics: Physics, point: Vector, options?: QueryOptions): number[] {
  return entitiesOf(physics, query.overlapPoint(prepare(physics), point, found, filterOf(physics, options)));
}
