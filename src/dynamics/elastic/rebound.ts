// Restitution of bodies that are solved with strands. (Strands themselves have none.)

import { ANGULAR, PAIR_RESTITUTION, POINT_GAP } from '../../state/contact-places';
import * as L from '../../state/layout';
import type { Engine } from '../engine';

/**
 * Speed at which the sides of a point of a manifold part when it is hit faster than the threshold [m/s], 0: no bounce.
 * `at`: place of the point in PAIR_POINT.
 *
 * The rigid solver lands a body before it bounces, in two solves (solve-contacts.ts). Here is one: the body
 * turns back where the step began, at gap y, and is as fast as it would be there after the bounce, by the
 * invariant that stepping v' = v − g dt, y' = y + v' dt conserves, 2E = v² − g dt v + 2 g y, which is scaled by
 * e². With y' = y + v dt and f = −g dt:
 *   v² − f v − 2 f y/dt = e² 2E.
 */
export function reboundSpeed(engine: Engine, pair: number, at: number): number {
  const { pairs, bodies } = engine.tables;
  const { timeStep, restitutionThreshold } = engine.settings;
  const restitution = pairs.material[4 * pair + PAIR_RESTITUTION];
  if (!(restitution > 0)) return 0;
  let free = 0;
  let change = 0;
  for (let side = 0; side < 2; side++) {
    const body = side === 0 ? pairs.bodyA[pair] : pairs.bodyB[pair];
    const sign = side === 0 ? -1 : 1;
    const { linearVelocity, angularVelocity, velocityChange } = bodies;
    free += sign * speedAlong(engine, at, body, linearVelocity, 4 * body, angularVelocity, 4 * body);
    change += sign * speedAlong(engine, at, body, velocityChange, 8 * body, velocityChange, 8 * body + ANGULAR);
  }
  const before = free - change;
  const gap = pairs.point[at + POINT_GAP];
  if (before >= -restitutionThreshold || gap + timeStep * free >= 0) return 0;
  const fall = Math.min(change, 0);
  const height = Math.max(gap, 0) / timeStep;
  const energy = before * before + fall * before - 2 * fall * height;
  const inside = fall * fall + 4 * (restitution * restitution * energy + 2 * fall * height);
  return inside > 0 ? Math.max(0, 0.5 * (fall + Math.sqrt(inside))) : 0;
}

/** Along the pair's normal: velocity v (from i) and spin w (from j) of the point as a part of the body [m/s]. */
function speedAlong(
  { tables }: Engine,
  at: number,
  body: number,
  v: Float64Array,
  i: number,
  w: Float64Array,
  j: number,
): number {
  const { normal, point } = tables.pairs;
  const { position, flags } = tables.bodies;
  if (flags[body] & L.BODY_STATIC) return 0;
  const [x, y, z] = [0, 1, 2].map((k) => point[at + k] - position[4 * body + k]);
  const n = 4 * (at >> 4);
  return (
    normal[n] * (v[i] + w[j + 1] * z - w[j + 2] * y) +
    normal[n + 1] * (v[i + 1] + w[j + 2] * x - w[j] * z) +
    normal[n + 2] * (v[i + 2] + w[j] * y - w[j + 1] * x)
  );
}
