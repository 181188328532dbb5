// What the bends of joints may do: a target that follows a turn is a velocity, and takes work to reach.
//
// Where bodies turn by a radian and more in a step, what a turn bends has little to do with where the step ends, and
// solves for it throw the bodies. So what holds is given no more work than a motion of the island's own speeds bends.

import type { Engine } from '../engine';
import { bends, type JointRows } from './joint-rows';

/** Joints that miss their places by more turn too fast to be followed [m, rad]. */
export const FARTHEST = 0.3;
/**
 * Joints do no work, but for what bends and recovers: not more than this share of what the island moves at, and of
 * what all of it would have at such a speed [m/s].
 */
const MOST_WORK = 1;
const SLOW = 0.3;
const SLOW_RECOVERING = 1;

/**
 * Whether what holds does more work by the impulses r, whose velocities along the rows are in `rows.u`, than motion
 * bends. `isMade`: the bodies make that motion.
 */
export function worksTooMuch(
  engine: Engine,
  island: number,
  rows: JointRows,
  r: Float64Array,
  isMade: boolean,
): boolean {
  const speed = isMade && rows.isRecovering ? SLOW_RECOVERING : SLOW;
  return !(workOfJoints(rows, r) <= mostWork(engine, island, speed));
}

/** Work of what holds, by the impulses r, [J]. */
function workOfJoints(rows: JointRows, r: Float64Array): number {
  const { contacts, u } = rows;
  let work = 0;
  for (let row = 3 * contacts.touchCount; row < 3 * contacts.problem.contactCount; row++) {
    if (bends(rows, row)) work += 0.5 * r[row] * (contacts.free[row] + u[row]);
  }
  return work;
}

/** Work that what holds may do on the island: it moves about its mean, or all of it at `speed` [m/s]. */
function mostWork({ tables }: Engine, island: number, speed: number): number {
  const { bodies } = tables;
  const start = bodies.islandBodyStart[island];
  let [mass, square, x, y, z] = [0, 0, 0, 0, 0];
  for (let i = start; i < start + bodies.islandBodyCount[island]; i++) {
    const at = 4 * bodies.islandBodies[i];
    const m = 1 / bodies.inverseMass[bodies.islandBodies[i]];
    const v = bodies.linearVelocity;
    mass += m;
    square += m * (v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);
    x += m * v[at];
    y += m * v[at + 1];
    z += m * v[at + 2];
  }
  const inner = Math.max(0, square - (x * x + y * y + z * z) / mass);
  return 0.5 * (MOST_WORK * inner + mass * speed * speed);
}
