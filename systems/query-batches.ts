// Many rays in one call, over typed arrays: for eyes, guns, sensors of agents.

import * as query from '../src/collision/queries';
import { refuse } from '../src/core/errors';
import type { Physics } from './physics';
import { castRayAll, entityOf, filterOf, prepare, type QueryOptions } from './queries';

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
    if (!query.castRay(context, origin, direction, farthest, hit, filter)) continue;
    const entity = entityOf(physics, hit.collider);
    if (entity === 0) {
      // Removed in this step: the ray goes on through it.
      const next = castRayAll(physics, origin, direction, farthest, options)[0];
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
