// No body leaves a driven one many times faster than that moves, whatever solver its island had.
//
// The exact solvers refuse such an answer and leave the island to the sweeps, whose few rounds mostly share what
// cannot be had; not always. What is taken away is in the residual: contacts are violated by that much.

import * as L from '../state/layout';
import type { Engine } from './engine';

/** Speed that driven bodies can give those of each island of this step [m/s]: Infinity where nothing drives it. */
let caps = new Float64Array(0);

/** Before velocities are solved. Returns how many islands have a limit. */
export function noteCaps({ kernels, tables }: Engine, islands: number): number {
  if (caps.length < islands) caps = new Float64Array(2 * islands);
  const { islandSolver } = tables.bodies;
  let found = 0;
  for (let island = 0; island < islands; island++) {
    const isElastic = islandSolver[island] === L.ISLAND_ELASTIC;
    caps[island] = Number.POSITIVE_INFINITY;
    // Asked first, by a whole number: engines box a real one at every return.
    if (isElastic || kernels.isDrivenIsland(island) === 0) continue;
    caps[island] = kernels.speedCapOf(island);
    found++;
  }
  return found;
}

/** Limit of an island in this step [m/s]. */
export function capOf(island: number): number {
  return caps[island];
}

/** Slows bodies above the limit of their island down to it, and says so in its residual. */
export function limitDriven({ tables }: Engine, islands: number): void {
  const { bodies } = tables;
  const { islandBodies, islandBodyStart, islandBodyCount, islandJointCount, islandResidual } = bodies;
  const { linearVelocity, angularVelocity } = bodies;
  for (let island = 0; island < islands; island++) {
    const cap = caps[island];
    // Motors have limits of their own, and joints must hold.
    if (cap === Number.POSITIVE_INFINITY || islandJointCount[island] > 0) continue;
    const start = islandBodyStart[island];
    for (let i = start; i < start + islandBodyCount[island]; i++) {
      const at = 4 * islandBodies[i];
      let square = 0;
      for (let k = at; k < at + 3; k++) square += linearVelocity[k] * linearVelocity[k];
      const speed = Math.sqrt(square);
      if (speed <= cap) continue;
      const share = cap / speed;
      for (let k = at; k < at + 3; k++) {
        linearVelocity[k] *= share;
        angularVelocity[k] *= share;
      }
      islandResidual[island] = Math.max(islandResidual[island], speed - cap);
    }
  }
}
