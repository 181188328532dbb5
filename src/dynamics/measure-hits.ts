// How hard a touch was: the normal impulse of the whole step, for sounds and damage.
//
// Exact solves store it (solve-contacts). Sweeps keep the impulses of their last substep only, as of a whole step, for the next
// warm start: right for what rests, an arbitrary part of a hit. There the impulse of a hit is taken from what it did: the normal
// velocity before the step, that after it, and the mass that one contact at the mean of the points would move. Exact
// for a body that touches one other; where more push at once it is an estimate.

import * as L from '../state/layout';
import type { Engine } from './engine';

/** Approaches slower than this are no hits [m/s]. */
const SLOWEST_HIT = 0.1;

/** Writes PAIR_HIT of the first `count` pairs of `list` that were not solved exactly. */
export function measureHits(engine: Engine, list: Int32Array, count: number): void {
  const { pairs, bodies } = engine.tables;
  for (let i = 0; i < count; i++) {
    const pair = list[i];
    const island = pairs.island[pair];
    const solver = island < 0 ? -1 : bodies.islandSolver[island];
    if (solver === L.ISLAND_DANTZIG) continue;
    if (solver === L.ISLAND_SWEEPS && approachSpeed(engine, pair) > SLOWEST_HIT) {
      pairs.hit[pair] = impulseOfHit(engine, pair);
      continue;
    }
    let sum = 0;
    for (let k = 0; k < pairs.points[pair]; k++) sum += pairs.impulse[16 * pair + 4 * k];
    pairs.hit[pair] = sum;
  }
}

/** How fast the two came together before the step, along the normal, at the fastest point [m/s]; 0 where they did not. */
export function approachSpeed({ tables }: Engine, pair: number): number {
  const { impulse, points, flags } = tables.pairs;
  if (flags[pair] & L.PAIR_SENSOR) return 0;
  let fastest = 0;
  for (let k = 0; k < points[pair]; k++) fastest = Math.max(fastest, -impulse[16 * pair + 4 * k + 3]);
  return fastest;
}

const arm = new Float64Array(3);
const point = new Float64Array(3);

/** Change of the normal velocity in the step over the response of the two bodies at the mean of the points [N·s]. */
function impulseOfHit({ tables }: Engine, pair: number): number {
  const { pairs, bodies } = tables;
  const n = pairs.points[pair];
  const at = 4 * pair;
  const [nx, ny, nz] = [pairs.normal[at], pairs.normal[at + 1], pairs.normal[at + 2]];
  point.fill(0);
  let before = 0;
  for (let k = 0; k < n; k++) {
    for (let x = 0; x < 3; x++) point[x] += pairs.point[16 * pair + 4 * k + x] / n;
    before += pairs.impulse[16 * pair + 4 * k + 3] / n;
  }
  let after = 0;
  let response = 0;
  for (let side = 0; side < 2; side++) {
    const body = side === 0 ? pairs.bodyA[pair] : pairs.bodyB[pair];
    const sign = side === 0 ? -1 : 1;
    for (let x = 0; x < 3; x++) arm[x] = point[x] - bodies.position[4 * body + x];
    const [ax, ay, az] = [arm[1] * nz - arm[2] * ny, arm[2] * nx - arm[0] * nz, arm[0] * ny - arm[1] * nx];
    const [v, w, I] = [bodies.linearVelocity, bodies.angularVelocity, bodies.inverseInertia];
    after += sign * (nx * v[4 * body] + ny * v[4 * body + 1] + nz * v[4 * body + 2]);
    after += sign * (ax * w[4 * body] + ay * w[4 * body + 1] + az * w[4 * body + 2]);
    const i = 8 * body;
    // What gravity and forces did in the step is none of the touch's.
    const d = bodies.velocityChange;
    if (bodies.inverseMass[body] > 0) {
      after -= sign * (nx * d[i] + ny * d[i + 1] + nz * d[i + 2] + ax * d[i + 4] + ay * d[i + 5] + az * d[i + 6]);
    }
    response += bodies.inverseMass[body];
    response += ax * ax * I[i] + ay * ay * I[i + 1] + az * az * I[i + 2];
    response += 2 * (ax * ay * I[i + 3] + ax * az * I[i + 4] + ay * az * I[i + 5]);
  }
  return response > 0 ? Math.max(0, (after - before) / response) : 0;
}
