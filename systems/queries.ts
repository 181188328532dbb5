// Questions a game asks the world between steps: rays and overlaps, answered with entities.

import * as query from '../src/collision/queries';
import { refuse, requireBits, requireFlag } from '../src/core/errors';
import { makePending } from './entities';
import { type ElasticFeature, type ElasticQueries, type Physics, requirePhysics } from './physics';
import type { Vector } from './rigid-body';
import { warnOnce } from './warnings';

export interface RayHit {
  entity: number;
  /** From the origin [m]. */
  distance: number;
  /** World point [m]. */
  point: [number, number, number];
  /** Unit normal of the surface, outwards. */
  normal: [number, number, number];
  /** Of strands, sheets and solids: which part of them. */
  feature?: ElasticFeature;
}

export interface QueryOptions {
  /** Layers that count, 16 bits. Default all. */
  mask?: number;
  /** Whether sensors count. Default false. */
  sensors?: boolean;
  /** An entity that does not count (the one that asks). */
  ignore?: number;
  /**
   * Whether rods, grooms, shells and solids count, each strand, sheet or solid as a collider does, at its thickness;
   * strands that a WebGPU device advances where they were when they last came back. Default false.
   */
  elastic?: boolean;
}

const OPTIONS = new Set(['mask', 'sensors', 'ignore', 'elastic', 'rotation', 'maxDistance']);

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
  for (const key in options) {
    if (OPTIONS.has(key)) continue;
    const known = 'mask, sensors, ignore, elastic (of shapes and nearest points also rotation, maxDistance)';
    warnOnce(physics, 'query option', `${where}: options.${key} is unknown and has no effect; known are ${known}`);
  }
  const { mask = 0xffff, sensors = false, ignore, elastic = false } = options;
  requireFlag(where, 'options.elastic', elastic);
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
  let first: RayHit | null = null;
  if (query.castRay(context, origin, direction, maxDistance, hit, filter)) {
    // Removed in this step: the ray goes on through it.
    if (entityOf(physics, hit.collider) === 0) {
      return castRayAll(physics, origin, direction, maxDistance, options)[0] ?? null;
    }
    first = toHit(physics, hit);
  }
  const most = first ? first.distance : maxDistance;
  const [nearer] = castElastic(physics, origin, direction, most, false, options);
  return nearer && !(first && first.distance <= nearer.distance) ? nearer : first;
}

/** What a ray meets of elastic objects, where they are asked for. */
function castElastic(
  physics: Physics,
  origin: Vector,
  direction: Vector,
  most: number,
  all: boolean,
  options: QueryOptions = {},
): RayHit[] {
  const asked = options.elastic ? elasticOf(physics) : null;
  if (!asked) return [];
  const length = Math.sqrt(direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2);
  const unit = [direction[0] / length, direction[1] / length, direction[2] / length];
  return asked
    .castRay(physics, origin, unit, most, all, options)
    .map(({ entity, distance, point, normal, feature }) => ({ entity, distance, point, normal, feature }));
}

/** Questions to what is elastic in this world, null where nothing ever was. */
function elasticOf({ internal }: Physics): ElasticQueries | null {
  for (const { queries } of internal.modules) if (queries) return queries;
  return null;
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
  const bodies = hits
    .slice(0, count)
    .filter(({ collider }) => entityOf(physics, collider) !== 0)
    .map((from) => toHit(physics, from));
  const others = castElastic(physics, origin, direction, maxDistance, true, options);
  return others.length > 0 ? [...bodies, ...others].sort((a, b) => a.distance - b.distance) : bodies;
}

function entitiesOf(physics: Physics, count: number): number[] {
  const entities = new Set(found.slice(0, count).map((collider) => entityOf(physics, collider)));
  entities.delete(0);
  return [...entities];
}

/**
 * Entities that share a point with an axis-aligned box [m]; not with `elastic`, for which `overlapShape` takes a box.
 * Throws UsageError on wrong numbers.
 */
export function overlapBox(physics: Physics, min: Vector, max: Vector, options?: QueryOptions): number[] {
  const context = prepare(physics, 'overlapBox');
  if (options?.elastic) refuse('overlapBox', 'options.elastic must be left out (overlapShape takes a box)', true);
  return entitiesOf(physics, query.overlapBox(context, min, max, found, filterOf(physics, 'overlapBox', options)));
}

/** Entities that share a point with a ball [m]. Throws UsageError on wrong numbers. */
export function overlapSphere(physics: Physics, center: Vector, radius: number, options?: QueryOptions): number[] {
  const context = prepare(physics, 'overlapSphere');
  const filter = filterOf(physics, 'overlapSphere', options);
  const bodies = entitiesOf(physics, query.overlapSphere(context, center, radius, found, filter));
  return withElastic(physics, bodies, center, radius, options);
}

function withElastic(
  physics: Physics,
  bodies: number[],
  center: Vector,
  radius: number,
  options: QueryOptions = {},
): number[] {
  const asked = options.elastic ? elasticOf(physics) : null;
  return asked ? [...bodies, ...new Set(asked.near(physics, center, radius, options))] : bodies;
}

/** Entities that contain a point [m]; meshes contain none. Throws UsageError on wrong numbers. */
export function overlapPoint(physics: Physics, point: Vector, options?: QueryOptions): number[] {
  const context = prepare(physics, 'overlapPoint');
  const filter = filterOf(physics, 'overlapPoint', options);
  return withElastic(
    physics,
    entitiesOf(physics, query.overlapPoint(context, point, found, filter)),
    point,
    0,
    options,
  );
}
