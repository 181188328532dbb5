// Questions a game asks with a shape, and the nearest point: answered with entities.

import { type AskingShape, askWithRows, askWithSpec, turnAsking } from '../src/collision/asking-shape';
import { nearElastic } from '../src/collision/elastic-queries';
import { castElasticShape, overlapElastic } from '../src/collision/elastic-shape-queries';
import type { QueryFilter } from '../src/collision/queries';
import * as query from '../src/collision/shape-queries';
import { refuse, requireVector } from '../src/core/errors';
import { checkShape, isStaticOnly, type ShapeSpec, STATIC_NAMES } from '../src/geometry/shapes';
import { answerOf, countsOf, primitivesOf } from './elastic-queries';
import type { ElasticFeature, Physics } from './physics';
import { entityOf, filterOf, prepare, type QueryOptions } from './queries';
import type { Vector } from './rigid-body';
import { shapeOf } from './shapes';
import { warnOfDegrees } from './warnings';

export interface ShapeCastOptions extends QueryOptions {
  /** How the shape is turned on its whole way: a quaternion x y z w, normalised here. Default not. */
  rotation?: Vector;
}

export interface ShapeCastHit {
  entity: number;
  /** That the shape moves until it touches [m]; 0 where it begins inside. */
  distance: number;
  /** How deep it begins inside, 0 where it touches later [m]. */
  depth: number;
  /** World point of the touch, on the entity's surface [m]. */
  point: [number, number, number];
  /** Unit normal of the touch, from the entity to the shape; where it begins inside, the shortest way out. */
  normal: [number, number, number];
  /** Of strands, sheets and solids: which part of them. */
  feature?: ElasticFeature;
}

/** Where a shape is. */
export interface ShapePose {
  /** Of the shape's own frame, world [m]. */
  position: Vector;
  /** Quaternion x y z w, normalised here. Default not turned. */
  rotation?: Vector;
}

export interface Penetration {
  entity: number;
  /** How far the shape must move along the normal to be free of the entity [m]. */
  depth: number;
  /** Unit direction of the shortest way out of the entity; of meshes and height fields through their fronts. */
  normal: [number, number, number];
  /** World point of the entity's surface, deepest in the shape [m]. */
  point: [number, number, number];
  /** Of strands, sheets and solids: which part of them. */
  feature?: ElasticFeature;
}

export interface ClosestPointOptions extends QueryOptions {
  /** What is farther away does not count [m]. Default infinite. */
  maxDistance?: number;
}

export interface ClosestPoint {
  entity: number;
  /** [m]; below 0 inside a solid: how deep. */
  distance: number;
  /** On the entity's surface, world [m]. */
  point: [number, number, number];
  /** Unit vector from the surface towards the asked point; inside a solid outwards. */
  normal: [number, number, number];
  /** Of strands, sheets and solids: which part of them. */
  feature?: ElasticFeature;
}

function vectorOf(v: ArrayLike<number>): [number, number, number] {
  return [v[0], v[1], v[2]];
}

/** @internal */
export function worldOf(physics: Physics, where: string): query.ShapeQueryWorld {
  const queries = prepare(physics, where);
  return { arena: queries.arena, tables: physics.internal.engine.tables, queries };
}

const NO_TURN = [0, 0, 0, 1];

/**
 * A shape that asks, checked and turned.
 * @internal
 */
export function asking(
  physics: Physics,
  where: string,
  shape: ShapeSpec | number,
  rotation: Vector = NO_TURN,
): AskingShape {
  const isSolid = `must be without ${STATIC_NAMES}`;
  let made: AskingShape;
  if (typeof shape === 'number') {
    const { parts, staticOnly } = shapeOf(physics, shape, where);
    if (staticOnly) refuse(where, `shape ${isSolid}`, shape);
    made = askWithRows(physics.internal.queries.arena, physics.internal.engine.tables, parts);
  } else {
    const spec = checkShape(where, 'shape', shape);
    if (isStaticOnly(spec)) refuse(where, `shape ${isSolid}`, shape);
    made = askWithSpec(spec);
  }
  if (requireVector(where, 'rotation', rotation, 4).every((x) => x === 0)) {
    refuse(where, 'rotation must not be zero', rotation);
  }
  warnOfDegrees(physics, `${where}: rotation`, rotation);
  turnAsking(made, rotation);
  return made;
}

function requireDistance(where: string, maxDistance: unknown): number {
  if (typeof maxDistance === 'number' && maxDistance >= 0) return maxDistance;
  return refuse(where, 'maxDistance must be >= 0 [m]', maxDistance);
}

function cast(
  physics: Physics,
  { where, all }: { where: string; all: boolean },
  shape: ShapeSpec | number,
  from: Vector,
  direction: Vector,
  maxDistance: number,
  options: ShapeCastOptions = {},
): ShapeCastHit[] {
  const world = worldOf(physics, where);
  const filter = filterOf(physics, where, options);
  const asks = asking(physics, where, shape, options.rotation);
  requireVector(where, 'from', from, 3, 'm');
  requireVector(where, 'direction', direction, 3);
  const length = Math.sqrt(direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2);
  if (!(length > 1e-150 && length < 1e150)) refuse(where, 'direction must have a length of 1e-150..1e150', direction);
  const most = requireDistance(where, maxDistance);
  const unit = [direction[0] / length, direction[1] / length, direction[2] / length];
  return castAsking(physics, world, asks, from, unit, { most, all, filter, options });
}

/** What a cast counts: up to where [m], all or the first, by which filter and options. */
interface CastLimits {
  readonly most: number;
  readonly all: boolean;
  readonly filter: QueryFilter;
  readonly options: QueryOptions;
}

/**
 * A cast whose input was checked; `unit`: its direction.
 * @internal
 */
export function castAsking(
  physics: Physics,
  world: query.ShapeQueryWorld,
  asks: AskingShape,
  from: ArrayLike<number>,
  unit: ArrayLike<number>,
  { most, all, filter, options }: CastLimits,
): ShapeCastHit[] {
  const counts = (collider: number): boolean => entityOf(physics, collider) !== 0;
  const hits: ShapeCastHit[] = query
    .castShape(world, asks, from, unit, { most, all, filter, counts })
    .map(({ collider, distance, depth, point, normal }) => ({
      entity: entityOf(physics, collider),
      distance,
      depth,
      point: vectorOf(point),
      normal: vectorOf(normal),
    }));
  if (!options.elastic) return hits;
  const limit = all || hits.length === 0 ? most : hits[0].distance;
  const which = countsOf(physics, options);
  for (const hit of castElasticShape(primitivesOf(physics), asks, from, unit, limit, all, which)) {
    hits.push(answerOf(physics, hit));
  }
  // At equal distances bodies come first: sorting keeps the order.
  return hits.sort((a, b) => a.distance - b.distance);
}

/**
 * First body that a shape touches as it moves from `from` along `direction` (of any length but 0), or null. `shape`: as
 * of a body, or an id of `createShape`, without planes, meshes and height fields; its own frame starts at `from` and
 * moves up to `maxDistance` [m]. A shape that begins inside a body hits it at 0; one that begins in touch, to 1e-9 of
 * its size, and leaves or slides along does not. Meshes are met from both sides. Throws UsageError on wrong numbers.
 */
export function castShape(
  physics: Physics,
  shape: ShapeSpec | number,
  from: Vector,
  direction: Vector,
  maxDistance = Number.POSITIVE_INFINITY,
  options?: ShapeCastOptions,
): ShapeCastHit | null {
  return cast(physics, { where: 'castShape', all: false }, shape, from, direction, maxDistance, options)[0] ?? null;
}

/** Every collider that a moving shape touches, nearest first; otherwise as `castShape`. */
export function castShapeAll(
  physics: Physics,
  shape: ShapeSpec | number,
  from: Vector,
  direction: Vector,
  maxDistance = Number.POSITIVE_INFINITY,
  options?: ShapeCastOptions,
): ShapeCastHit[] {
  return cast(physics, { where: 'castShapeAll', all: true }, shape, from, direction, maxDistance, options);
}

function overlaps(
  physics: Physics,
  where: string,
  shape: ShapeSpec | number,
  pose: ShapePose,
  isClosed: boolean,
  options?: QueryOptions,
): Penetration[] {
  const world = worldOf(physics, where);
  const filter = filterOf(physics, where, options);
  if (typeof pose !== 'object' || pose === null) refuse(where, 'pose must be an object with a position', pose);
  const asks = asking(physics, where, shape, pose.rotation);
  requireVector(where, 'pose.position', pose.position, 3, 'm');
  return overlapAsking(physics, world, asks, pose.position, isClosed, { filter, options: options ?? {} });
}

/**
 * Overlaps of a shape whose input was checked, each part of an entity by itself.
 * @internal
 */
export function overlapAsking(
  physics: Physics,
  world: query.ShapeQueryWorld,
  asks: AskingShape,
  place: ArrayLike<number>,
  isClosed: boolean,
  { filter, options }: Pick<CastLimits, 'filter' | 'options'>,
): Penetration[] {
  const counts = (collider: number): boolean => entityOf(physics, collider) !== 0;
  const hits: Penetration[] = query
    .overlapShape(world, asks, place, isClosed, filter, counts)
    .map(({ collider, depth, point, normal }) => ({
      entity: entityOf(physics, collider),
      depth,
      normal: vectorOf(normal),
      point: vectorOf(point),
    }));
  if (!options.elastic) return hits;
  const which = countsOf(physics, options);
  for (const hit of overlapElastic(primitivesOf(physics), asks, place, isClosed, which)) {
    const { entity, depth, normal, point, feature } = answerOf(physics, hit);
    hits.push({ entity, depth, normal, point, feature });
  }
  return hits;
}

/**
 * Entities that share a point with a shape (see `castShape`); touching, to 1e-9 of its size, counts. Of a mesh, its
 * surface. Throws UsageError on wrong numbers.
 */
export function overlapShape(
  physics: Physics,
  shape: ShapeSpec | number,
  pose: ShapePose,
  options?: QueryOptions,
): number[] {
  return [...new Set(overlaps(physics, 'overlapShape', shape, pose, true, options).map(({ entity }) => entity))];
}

/**
 * Every entity that a shape is in, deepest first, with the shortest way out of it; of several parts or triangles of
 * one entity the deepest. Touching is not being in it. Where round shapes are deep in each other the way leads out, but
 * need not be the shortest. Throws UsageError on wrong numbers.
 */
export function penetration(
  physics: Physics,
  shape: ShapeSpec | number,
  pose: ShapePose,
  options?: QueryOptions,
): Penetration[] {
  const found = overlaps(physics, 'penetration', shape, pose, false, options);
  found.sort((a, b) => b.depth - a.depth || a.entity - b.entity);
  return found.filter(({ entity }, i) => found.findIndex((other) => other.entity === entity) === i);
}

/**
 * Nearest point on the surface of any body, or null where there is none within `options.maxDistance`. A body that holds
 * the point is nearer than all others. Throws UsageError on wrong numbers.
 */
export function closestPoint(physics: Physics, point: Vector, options: ClosestPointOptions = {}): ClosestPoint | null {
  const where = 'closestPoint';
  const world = worldOf(physics, where);
  const filter = filterOf(physics, where, options);
  requireVector(where, 'point', point, 3, 'm');
  const most = requireDistance(where, options.maxDistance ?? Number.POSITIVE_INFINITY);
  const hit = query.closestPoint(world, point, most, filter, (collider) => entityOf(physics, collider) !== 0);
  const reach = hit ? Math.min(most, Math.max(0, hit.distance)) : most;
  const which = countsOf(physics, options);
  const other = options.elastic ? nearElastic(primitivesOf(physics), point, reach, false, which)[0] : undefined;
  if (other && !(hit && hit.distance <= other.distance)) {
    const { entity, distance, point, normal, feature } = answerOf(physics, other);
    return { entity, distance, point, normal, feature };
  }
  if (!hit) return null;
  return {
    entity: entityOf(physics, hit.collider),
    distance: hit.distance,
    point: vectorOf(hit.point),
    normal: vectorOf(hit.normal),
  };
}
