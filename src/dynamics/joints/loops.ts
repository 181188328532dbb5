// Whether joints close a loop: then they may say the same twice, or contradict each other.

import * as L from '../../state/layout';
import type { Engine } from '../engine';

let parents = new Int32Array(0);

/** Whether joints of the island hold in more than one way what would hang together without one of them. */
export function hasLoops({ tables, arena }: Engine, island: number): boolean {
  const { bodies, joints } = tables;
  const world = arena.i32[L.BODY_COUNT >> 2];
  const start = bodies.islandJointStart[island];
  const end = start + bodies.islandJointCount[island];
  if (parents.length <= world) parents = new Int32Array(2 * world + 2);
  parents[world] = world;
  for (let i = start; i < end; i++) {
    for (let side = 0; side < 2; side++) {
      const body = joints.body[2 * joints.islandJoints[i] + side];
      if (body >= 0) parents[body] = bodies.inverseMass[body] > 0 ? body : world;
    }
  }
  for (let i = start; i < end; i++) {
    const joint = joints.islandJoints[i];
    const a = findRoot(joints.body[2 * joint], world);
    const b = findRoot(joints.body[2 * joint + 1], world);
    if (a === b) return true;
    parents[a] = b;
  }
  return false;
}

function findRoot(body: number, world: number): number {
  let at = body < 0 ? world : body;
  while (parents[at] !== at) {
    parents[at] = parents[parents[at]];
    at = parents[at];
  }
  return at;
}
