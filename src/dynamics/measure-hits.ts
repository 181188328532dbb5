// How hard a touch was: the impulse of the whole step, for sounds and damage.
//
// Exact solves and the splitting store it, and sweeps the sum of their substeps; elsewhere it is that of the solve.
// Out: PAIR_HIT, of all points together, and whether any of them slid.

import { CONE_SHARE } from '../core/engine-constants';
import { HIT_SLID, pairPointAt } from '../state/contact-places';
import * as L from '../state/layout';
import type { Engine } from './engine';

/** Completes PAIR_HIT of the first `count` pairs of `list`. */
export function measureHits({ tables }: Engine, list: Int32Array, count: number): void {
  const { pairs, bodies } = tables;
  const { hit, impulse, island, material, points } = pairs;
  for (let i = 0; i < count; i++) {
    const pair = list[i];
    const solver = island[pair] < 0 ? L.ISLAND_NONE : bodies.islandSolver[island[pair]];
    if (solver === L.ISLAND_DANTZIG) continue;
    const at = 4 * pair;
    const friction = material[at];
    const isStored = solver === L.ISLAND_SWEEPS || solver === L.ISLAND_SETTLED || solver === L.ISLAND_FEW;
    if (!isStored) hit.fill(0, at, at + 3);
    let slides = 0;
    for (let k = pairPointAt(pair, 0); k < pairPointAt(pair, points[pair]); k += 4) {
      if (!isStored) for (let x = 0; x < 3; x++) hit[at + x] += impulse[k + x];
      if (isSliding(impulse, k, friction)) slides = 1;
    }
    // A hit by sweeps may be over before the last substep, whose impulses these were.
    hit[at + HIT_SLID] = slides === 1 || isSliding(hit, at, friction) ? 1 : 0;
  }
}

/** Does an impulse (normal, tangents) at `at` lie on its friction cone? */
export function isSliding(impulse: Float64Array, at: number, friction: number): boolean {
  const n = impulse[at];
  const x = impulse[at + 1];
  const y = impulse[at + 2];
  return n > 0 && x * x + y * y > CONE_SHARE * friction * friction * n * n;
}
