// No body leaves a driven one many times faster than that moves, whatever solver its island had.
//
// The exact solvers refuse such an answer and leave the island to the sweeps, whose few rounds mostly share what
// cannot be had; not always. What is taken away is in the residual: contacts are violated by that much. Spin counts by
// its energy: of a capsule that lands it becomes speed.

import { unrotateVector } from '../math/quaternion';
import { multiplyTensor } from '../mechanics/rigid';
import * as L from '../state/layout';
import type { Engine } from './engine';

/** Speed that driven bodies can give those of each island of this step [m/s]: Infinity where nothing drives it. */
let caps = new Float64Array(0);

/** Before velocities are solved. Returns how many islands have a limit. */
export function noteCaps(engine: Engine, islands: number): number {
  const { kernels, tables } = engine;
  if (caps.length < islands) caps = new Float64Array(2 * islands);
  const { islandSolver, islandBodies, islandBodyStart, islandBodyCount } = tables.bodies;
  let found = 0;
  for (let island = 0; island < islands; island++) {
    const isElastic = islandSolver[island] === L.ISLAND_ELASTIC;
    caps[island] = Number.POSITIVE_INFINITY;
    // Asked first, by a whole number: engines box a real one at every return.
    if (isElastic || kernels.isDrivenIsland(island) === 0) continue;
    caps[island] = kernels.speedCapOf(island);
    const start = islandBodyStart[island];
    for (let i = start; i < start + islandBodyCount[island]; i++) {
      measureSpeed(engine, islandBodies[i]);
      if (speed[0] > caps[island]) caps[island] = speed[0];
    }
    found++;
  }
  return found;
}

const spin = new Float64Array(3);
const momentum = new Float64Array(3);
/** Speed at which a body that does not turn has as much energy, and its square: in an array, a number is boxed. */
const speed = new Float64Array(2);

function measureSpeed({ tables }: Engine, body: number): void {
  const { linearVelocity, angularVelocity, rotation, localInertia, inverseMass } = tables.bodies;
  unrotateVector(spin, 0, rotation, 4 * body, angularVelocity, 4 * body);
  multiplyTensor(momentum, 0, localInertia, 8 * body, spin, 0);
  speed[1] = 0;
  for (let k = 0; k < 3; k++) {
    const v = linearVelocity[4 * body + k];
    speed[1] += v * v + spin[k] * momentum[k] * inverseMass[body];
  }
  speed[0] = Math.sqrt(speed[1]);
}

/** Limit of an island in this step [m/s]. */
export function capOf(island: number): number {
  return caps[island];
}

/** Slows bodies above the limit of their island down to it, and says so in its residual. */
export function limitDriven(engine: Engine, islands: number): void {
  const { bodies } = engine.tables;
  const { islandBodies, islandBodyStart, islandBodyCount, islandJointCount, islandResidual } = bodies;
  const { linearVelocity, angularVelocity } = bodies;
  for (let island = 0; island < islands; island++) {
    const cap = caps[island];
    // Motors have limits of their own, and joints must hold.
    if (cap === Number.POSITIVE_INFINITY || islandJointCount[island] > 0) continue;
    const start = islandBodyStart[island];
    for (let i = start; i < start + islandBodyCount[island]; i++) {
      const at = 4 * islandBodies[i];
      measureSpeed(engine, islandBodies[i]);
      if (speed[0] <= cap) continue;
      const share = cap / speed[0];
      for (let k = at; k < at + 3; k++) {
        linearVelocity[k] *= share;
        angularVelocity[k] *= share;
      }
      islandResidual[island] = Math.max(islandResidual[island], speed[0] - cap);
    }
  }
}
