// Bodies that lie deep inside others for many steps: told in report.limits.
//
// What begins at one place parts by as much as recovery allows a step, and meets what parts beside it: a crowd takes
// seconds. A heap that lands overlaps deeply for moments, too; told is what lasts.

import { BOX_HIGH, POINT_GAP, pairPointAt } from '../state/contact-places';
import * as L from '../state/layout';
import { isBounded } from '../state/shape-traits';
import type { Engine } from './engine';

/** Overlap that is looked at [m], and that which is deep, as a share of the thinner body's thinnest half extent. */
const LEAST = 1e-3;
const TOLD_SHARE = 0.5;
/** Steps in a row in which some bodies overlap deeply before it is told: half a second at 60 Hz. */
const STEPS = 30;
const UNTOLD = L.PAIR_SENSOR | L.PAIR_DISABLED;

/** Steps in a row so far; of the report only, so no part of the state. */
const steps = new WeakMap<Engine, number>();

/** Looks at the contacts of this step. */
export function tellOverlaps(engine: Engine): void {
  const { arena, settings, tables } = engine;
  const before = steps.get(engine) ?? 0;
  let count = 0;
  if (-arena.f64[L.DEEPEST_GAP >> 3] > LEAST) {
    const worst = findDeepest(engine, null);
    if (worst >= 0) {
      count = before + 1;
      if (count > STEPS) {
        const { entity } = tables.bodies;
        const { bodyA, bodyB } = tables.pairs;
        const bodies = new Set<number>();
        findDeepest(engine, bodies);
        engine.report.limits.push(
          `recoverySpeed (${settings.recoverySpeed}): ${bodies.size} bodies lie up to ` +
            `${depthOf(engine, worst).toPrecision(2)} m deep inside others, deepest entities ${entity[bodyA[worst]]} ` +
            `and ${entity[bodyB[worst]]}, for ${count} steps in a row now: begin them apart, or let them part faster`,
        );
      }
    }
  }
  if (count !== before) steps.set(engine, count);
}

/** The pair that overlaps most of those that do deeply, −1 if none does; their dynamic bodies go to `into`. */
function findDeepest(engine: Engine, into: Set<number> | null): number {
  const { arena, tables } = engine;
  const { activeList, points, flags, bodyA, bodyB, colliderA, colliderB } = tables.pairs;
  let worst = -1;
  let deepest = 0;
  for (let i = 0; i < arena.i32[L.ACTIVE_COUNT >> 2]; i++) {
    const pair = activeList[i];
    if (points[pair] === 0 || flags[pair] & UNTOLD) continue;
    const depth = depthOf(engine, pair);
    if (!(depth > LEAST)) continue;
    const thin = Math.min(thinnestHalf(engine, colliderA[pair]), thinnestHalf(engine, colliderB[pair]));
    if (!(depth > TOLD_SHARE * thin)) continue;
    if (depth > deepest) {
      deepest = depth;
      worst = pair;
    }
    for (const body of into ? [bodyA[pair], bodyB[pair]] : []) {
      if (tables.bodies.flags[body] & L.BODY_DYNAMIC) into?.add(body);
    }
  }
  return worst;
}

/** Overlap of a pair at its deepest point [m]. */
function depthOf({ tables }: Engine, pair: number): number {
  const { point, points } = tables.pairs;
  let least = 0;
  for (let k = 0; k < points[pair]; k++) least = Math.min(least, point[pairPointAt(pair, k) + POINT_GAP]);
  return -least;
}

/** Half the least edge of a collider's own box [m]; of a mesh or a half-space, that of what lies in it counts. */
function thinnestHalf({ tables }: Engine, collider: number): number {
  const shape = tables.colliders.shape[collider];
  const { box, kind } = tables.shapes;
  if (!isBounded(kind[shape])) return Number.POSITIVE_INFINITY;
  const b = 6 * shape;
  return (
    0.5 * Math.min(box[b + BOX_HIGH] - box[b], box[b + BOX_HIGH + 1] - box[b + 1], box[b + BOX_HIGH + 2] - box[b + 2])
  );
}
