// Questions to the world: rays and overlaps.
//
// In: points, directions and filters in world space. Out: colliders, with distance, point and normal for rays.
// Shapes are met exactly, where they are now. Nothing of the simulation is written, so asking never changes what
// happens. Limits: a mesh is a surface (rays hit it from both sides, it contains no point); a ray that starts
// inside a solid, or leaves its surface, hits it at distance 0 with the normal against the ray.

import type { Arena } from '../core/arena';
import {
  OVERLAP_PAGE,
  RAY_BYTES,
  RAY_COLLIDER,
  RAY_DISTANCE,
  RAY_NORMAL,
  RAY_PAGE,
  RAY_POINT,
} from '../core/engine-constants';
import { refuse, requireNonNegative, requireVector } from '../core/errors';
import type { QueryExports } from '../kernels/exports';
import type { ElasticPrimitives } from './elastic-primitives';

/** What queries work on. */
export interface QueryContext {
  readonly arena: Arena;
  readonly kernels: QueryExports;
  /** Bodies moved, came or went since the last query. */
  stale: boolean;
  /** Grows whenever anything did, elastic objects included. */
  age: number;
  /** Made by the first query that sees elastic objects. */
  elastic: ElasticPrimitives | null;
}

/** Which colliders a query sees. */
export interface QueryFilter {
  /** Layers that count, 16 bits. Default all. */
  mask?: number;
  /** Whether sensors count. Default false. */
  sensors?: boolean;
  /** A body that does not count (the one that asks), its slot. Default none. */
  ignoreBody?: number;
}

/** Where a ray met a collider. Make one with `createRayHit` and use it again and again. */
export interface RayHit {
  /** Collider slot, −1 none. */
  collider: number;
  /** From the ray's origin [m]. */
  distance: number;
  /** World point [m], 3 numbers. */
  readonly point: Float64Array;
  /** Unit normal of the surface, world axes, outwards (against the ray on meshes and from inside solids). */
  readonly normal: Float64Array;
}

/** The context of queries into one world. */
export function createQueryContext(arena: Arena, kernels: QueryExports): QueryContext {
  return { arena, kernels, stale: true, age: 0, elastic: null };
}

/** Something moved, came or went: to be called after a step, a teleport, a restored snapshot. */
export function noteMotion(context: QueryContext): void {
  context.stale = true;
  context.age++;
}

/** An empty hit, for `castRay` to fill. */
export function createRayHit(): RayHit {
  return { collider: -1, distance: Number.POSITIVE_INFINITY, point: new Float64Array(3), normal: new Float64Array(3) };
}

/**
 * First collider that a ray hits.
 * @param origin start, world [m]
 * @param direction any length but 0
 * @param maxDistance farthest hit that counts [m], may be infinite
 * @param out filled when something is hit, else only its collider is set to −1
 * @returns whether something was hit
 * @throws UsageError when a number is not finite, the direction is (nearly) 0 or the distance negative
 */
export function castRay(
  context: QueryContext,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  maxDistance: number,
  out: RayHit,
  filter?: QueryFilter,
): boolean {
  const length = checkRay('castRay', origin, direction, maxDistance);
  prepare(context);
  const collider = context.kernels.castRay(
    origin[0],
    origin[1],
    origin[2],
    direction[0] / length,
    direction[1] / length,
    direction[2] / length,
    maxDistance,
    packFilter(filter),
    filter?.ignoreBody ?? -1,
  );
  out.collider = collider;
  if (collider < 0) return false;
  readHit(context, 0, out);
  return true;
}

/**
 * Every collider that a ray hits (each once, where it is met first), nearest first, equal distances by collider.
 * @param out hits are written to its first elements, which are made where missing; the array is never shortened
 * @returns how many there are
 * @throws UsageError as `castRay`
 */
export function castRayAll(
  context: QueryContext,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  maxDistance: number,
  out: RayHit[],
  filter?: QueryFilter,
): number {
  const length = checkRay('castRayAll', origin, direction, maxDistance);
  prepare(context);
  let total = 1;
  for (let first = 0; first < total; first += RAY_PAGE) {
    total = context.kernels.castRayAll(
      origin[0],
      origin[1],
      origin[2],
      direction[0] / length,
      direction[1] / length,
      direction[2] / length,
      maxDistance,
      packFilter(filter),
      filter?.ignoreBody ?? -1,
      first,
    );
    for (let k = first; k < Math.min(total, first + RAY_PAGE); k++) {
      if (k === out.length) out.push(createRayHit());
      readHit(context, k - first, out[k]);
    }
  }
  // Insertion sort in place: hits are few, and the walk brings them nearly in order.
  for (let i = 1; i < total; i++) {
    const hit = out[i];
    let k = i;
    for (; k > 0 && comesAfter(out[k - 1], hit); k--) out[k] = out[k - 1];
    out[k] = hit;
  }
  return total;
}

/**
 * Colliders that contain a point. Meshes contain none.
 * @param out collider slots are written to its first elements; the array is never shortened
 * @returns how many there are
 */
export function overlapPoint(
  context: QueryContext,
  point: ArrayLike<number>,
  out: number[],
  filter?: QueryFilter,
): number {
  requireVector('overlapPoint', 'point', point, 3, 'm');
  return collectSphere(context, point, 0, out, filter);
}

/**
 * Colliders that share a point with a ball. Exact for every shape; of a mesh, its surface counts.
 * @param radius [m]
 * @param out collider slots are written to its first elements; the array is never shortened
 * @returns how many there are
 */
export function overlapSphere(
  context: QueryContext,
  center: ArrayLike<number>,
  radius: number,
  out: number[],
  filter?: QueryFilter,
): number {
  requireVector('overlapSphere', 'center', center, 3, 'm');
  requireNonNegative('overlapSphere', 'radius', radius, 'm');
  return collectSphere(context, center, radius, out, filter);
}

/**
 * Colliders that share a point with an axis-aligned box, given by its least and greatest corner [m].
 * @param out collider slots are written to its first elements; the array is never shortened
 * @returns how many there are
 */
export function overlapBox(
  context: QueryContext,
  min: ArrayLike<number>,
  max: ArrayLike<number>,
  out: number[],
  filter?: QueryFilter,
): number {
  requireVector('overlapBox', 'min', min, 3, 'm');
  requireVector('overlapBox', 'max', max, 3, 'm');
  for (let k = 0; k < 3; k++) if (min[k] > max[k]) refuse('overlapBox', `max[${k}] must be >= ${min[k]} [m]`, max[k]);
  prepare(context);
  let total = 1;
  for (let first = 0; first < total; first += OVERLAP_PAGE) {
    total = context.kernels.overlapBox(
      min[0],
      min[1],
      min[2],
      max[0],
      max[1],
      max[2],
      packFilter(filter),
      filter?.ignoreBody ?? -1,
      first,
    );
    readColliders(context, first, total, out);
  }
  return total;
}

function collectSphere(
  context: QueryContext,
  center: ArrayLike<number>,
  radius: number,
  out: number[],
  filter?: QueryFilter,
): number {
  prepare(context);
  let total = 1;
  for (let first = 0; first < total; first += OVERLAP_PAGE) {
    total = context.kernels.overlapSphere(
      center[0],
      center[1],
      center[2],
      radius,
      packFilter(filter),
      filter?.ignoreBody ?? -1,
      first,
    );
    readColliders(context, first, total, out);
  }
  return total;
}

function prepare(context: QueryContext): void {
  if (!context.stale) return;
  context.kernels.prepareQueries();
  context.stale = false;
}

function packFilter(filter: QueryFilter | undefined): number {
  return ((filter?.mask ?? 0xffff) & 0xffff) | (filter?.sensors ? 1 << 16 : 0);
}

/** Length of the direction; refuses what no ray can be made of. */
function checkRay(where: string, origin: ArrayLike<number>, direction: ArrayLike<number>, maxDistance: number): number {
  requireVector(where, 'origin', origin, 3, 'm');
  requireVector(where, 'direction', direction, 3);
  if (typeof maxDistance !== 'number' || !(maxDistance >= 0))
    refuse(where, 'maxDistance must be >= 0 [m]', maxDistance);
  const length = Math.sqrt(direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2);
  if (!(length > 1e-150 && length < 1e150)) refuse(where, 'direction must have a length of 1e-150..1e150', direction);
  return length;
}

function readHit(context: QueryContext, row: number, out: RayHit): void {
  const { arena, kernels } = context;
  const at = kernels.queryResults() + row * RAY_BYTES;
  out.distance = arena.f64[(at + RAY_DISTANCE) >> 3];
  for (let k = 0; k < 3; k++) {
    out.point[k] = arena.f64[((at + RAY_POINT) >> 3) + k];
    out.normal[k] = arena.f64[((at + RAY_NORMAL) >> 3) + k];
  }
  out.collider = arena.i32[(at + RAY_COLLIDER) >> 2];
}

function readColliders(context: QueryContext, first: number, total: number, out: number[]): void {
  const at = context.kernels.queryResults() >> 2;
  for (let k = first; k < Math.min(total, first + OVERLAP_PAGE); k++) out[k] = context.arena.i32[at + k - first];
}

function comesAfter(a: RayHit, b: RayHit): boolean {
  return a.distance > b.distance || (a.distance === b.distance && a.collider > b.collider);
}
