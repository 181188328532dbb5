// Many questions in one call, over typed arrays: for eyes, guns, sensors of agents.

import { turnAsking } from '../src/collision/asking-shape';
import * as query from '../src/collision/queries';
import { refuse } from '../src/core/errors';
import type { ShapeSpec } from '../src/geometry/shapes';
import type { Physics } from './physics';
import { castRay, castRayAll, entityOf, filterOf, prepare, type QueryOptions } from './queries';
import { asking, castAsking, overlapAsking, type ShapeCastOptions, worldOf } from './shape-queries';

/** What rays hit, by the number of the ray; made by `createRayBatch`, to be used again and again. */
export interface RayBatch {
  /** 0 where a ray hits nothing. */
  readonly entity: Int32Array;
  /** From the ray's origin [m]; infinite where it hits nothing. */
  readonly distance: Float64Array;
  /** Three numbers a ray [m]; where it hits nothing they stay as they were. */
  readonly point: Float64Array;
  /** Three numbers a ray. */
  readonly normal: Float64Array;
}

/** Room for the answers to so many rays. Throws UsageError. */
export function createRayBatch(count: number): RayBatch {
  if (!Number.isInteger(count) || count < 0 || count > 1e7)
    refuse('createRayBatch', 'count must be 0..10000000', count);
  return {
    entity: new Int32Array(count),
    distance: new Float64Array(count),
    point: new Float64Array(3 * count),
    normal: new Float64Array(3 * count),
  };
}

const origin = new Float64Array(3);
const direction = new Float64Array(3);
const hit = query.createRayHit();

/**
 * Casts as many rays as `rays` has groups of seven numbers: origin (3) [m], direction (3) of any length but 0, greatest
 * distance [m]. Answers go into `out`; returns how many rays hit something. Otherwise as `castRay`. Throws UsageError
 * with the number of the ray (`castRays: rays[3]: …`).
 */
export function castRays(physics: Physics, rays: Float64Array, out: RayBatch, options?: QueryOptions): number {
  const where = 'castRays';
  const context = prepare(physics, where);
  const filter = filterOf(physics, where, options);
  if (!(rays instanceof Float64Array) || rays.length % 7 !== 0) {
    refuse(where, 'rays must be a Float64Array of seven numbers a ray', rays);
  }
  const count = rays.length / 7;
  if (!(out?.entity instanceof Int32Array) || out.entity.length < count) {
    refuse(where, `out must come from createRayBatch with room for ${count}`, out);
  }
  let found = 0;

  for (let i = 0; i < count; i++) {
    const at = 7 * i;
    for (let k = 0; k < 3; k++) {
      origin[k] = rays[at + k];
      direction[k] = rays[at + 3 + k];
    }
    const farthest = rays[at + 6];
    const isSound = origin.every(Number.isFinite) && direction.every(Number.isFinite) && farthest >= 0;
    const length = Math.sqrt(direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2);

    if (!isSound || !(length > 1e-150 && length < 1e150)) {
      refuse(
        where,
        `rays[${i}] must be finite, with a direction that is not 0 and a distance >= 0`,
        rays.slice(at, at + 7),
      );
    }

    out.entity[i] = 0;
    out.distance[i] = Number.POSITIVE_INFINITY;
    const isHit = query.castRay(context, origin, direction, farthest, hit, filter);
    if (!isHit && !options?.elastic) continue;
    const entity = isHit && !options?.elastic ? entityOf(physics, hit.collider) : 0;

    if (entity === 0) {
      // Removed in this step: the ray goes on through it; or more than bodies are asked for.
      const next = options?.elastic
        ? castRay(physics, origin, direction, farthest, options)
        : castRayAll(physics, origin, direction, farthest, options)[0];
      if (!next) continue;
      out.entity[i] = next.entity;
      out.distance[i] = next.distance;
      out.point.set(next.point, 3 * i);
      out.normal.set(next.normal, 3 * i);
    } else {
      out.entity[i] = entity;
      out.distance[i] = hit.distance;
      out.point.set(hit.point, 3 * i);
      out.normal.set(hit.normal, 3 * i);
    }

    found++;
  }

  return found;
}

/** Numbers of the batches, by what their groups are. */
function requireGroups(where: string, name: string, numbers: Float64Array, what: string): number {
  if (!(numbers instanceof Float64Array) || numbers.length % 7 !== 0) {
    refuse(where, `${name} must be a Float64Array of seven numbers a ${what}`, numbers);
  }
  for (let k = 0; k < numbers.length; k++) {
    const isEndless = k % 7 === 6 && numbers[k] === Number.POSITIVE_INFINITY;
    if (!Number.isFinite(numbers[k]) && !(what === 'cast' && isEndless)) {
      const at = 7 * Math.floor(k / 7);
      refuse(where, `${name}[${at / 7}] must be finite`, numbers.slice(at, at + 7));
    }
  }
  return numbers.length / 7;
}

/**
 * Moves one shape along as many ways as `casts` has groups of seven numbers: from (3) [m], direction (3) of any length
 * but 0, greatest distance [m]. Answers go into `out`, from createRayBatch; returns how many touched something.
 * Otherwise as `castShape`. Throws UsageError with the number of the cast.
 */
export function castShapes(
  physics: Physics,
  shape: ShapeSpec | number,
  casts: Float64Array,
  out: RayBatch,
  options: ShapeCastOptions = {},
): number {
  const where = 'castShapes';
  const world = worldOf(physics, where);
  const filter = filterOf(physics, where, options);
  const asks = asking(physics, where, shape, options.rotation);
  const count = requireGroups(where, 'casts', casts, 'cast');
  if (!(out?.entity instanceof Int32Array) || out.entity.length < count) {
    refuse(where, `out must come from createRayBatch with room for ${count}`, out);
  }
  let found = 0;
  for (let i = 0; i < count; i++) {
    const at = 7 * i;
    const [x, y, z, dx, dy, dz, most] = casts.subarray(at, at + 7);
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(length > 1e-150 && length < 1e150 && most >= 0)) {
      const text = `casts[${i}] must have a direction that is not 0 and a distance >= 0`;
      refuse(where, text, casts.slice(at, at + 7));
    }
    const way = [dx / length, dy / length, dz / length];
    const [first] = castAsking(physics, world, asks, [x, y, z], way, { most, all: false, filter, options });
    out.entity[i] = first ? first.entity : 0;
    out.distance[i] = first ? first.distance : Number.POSITIVE_INFINITY;
    if (!first) continue;
    out.point.set(first.point, 3 * i);
    out.normal.set(first.normal, 3 * i);
    found++;
  }
  return found;
}

/** Who overlaps each place of a batch; `overlapShapes` makes its arrays larger where they are too small. */
export interface OverlapBatch {
  /** Entities of all places, one place after the other. */
  entity: Int32Array;
  /** Where those of each place begin in `entity`, and the end of the last. */
  start: Int32Array;
}

/** Room for the answers to so many places. Throws UsageError. */
export function createOverlapBatch(count: number): OverlapBatch {
  if (!Number.isInteger(count) || count < 0 || count > 1e7) {
    refuse('createOverlapBatch', 'count must be 0..10000000', count);
  }
  return { entity: new Int32Array(4 * count), start: new Int32Array(count + 1) };
}

/**
 * Puts one shape at as many places as `poses` has groups of seven numbers, position (3) [m] and rotation (4, a
 * quaternion x y z w), and writes who shares a point with it there into `out`. Returns how many entities those are,
 * each counted at every place. Otherwise as `overlapShape`. Throws UsageError with the number of the place.
 */
export function overlapShapes(
  physics: Physics,
  shape: ShapeSpec | number,
  poses: Float64Array,
  out: OverlapBatch,
  options: QueryOptions = {},
): number {
  const where = 'overlapShapes';
  const world = worldOf(physics, where);
  const filter = filterOf(physics, where, options);
  const asks = asking(physics, where, shape);
  const count = requireGroups(where, 'poses', poses, 'pose');
  if (!(out?.start instanceof Int32Array && out.entity instanceof Int32Array)) {
    refuse(where, 'out must come from createOverlapBatch', out);
  }
  if (out.start.length <= count) out.start = new Int32Array(count + 1);
  let total = 0;
  for (let i = 0; i < count; i++) {
    const at = 7 * i;
    const rotation = poses.subarray(at + 3, at + 7);
    if (rotation.every((x) => x === 0)) refuse(where, `poses[${i}] must have a rotation`, poses.slice(at, at + 7));
    turnAsking(asks, rotation);
    out.start[i] = total;
    const place = poses.subarray(at, at + 3);
    for (const { entity } of overlapAsking(physics, world, asks, place, true, { filter, options })) {
      if (out.entity.subarray(out.start[i], total).includes(entity)) continue;
      if (total === out.entity.length) {
        const wider = new Int32Array(2 * total + 16);
        wider.set(out.entity);
        out.entity = wider;
      }
      out.entity[total++] = entity;
    }
  }
  out.start[count] = total;
  return total;
}
