// Interpolated poses for rendering: between the last two steps, moved entities only.

import { written } from '../components/columns';
import { rotateVector } from '../src/math/quaternion';
import type { BodyTable } from '../src/state/tables';
import { makePending } from './entities';
import { showMirror } from './mirror';
import type { Physics } from './physics';
import { interpolateShells } from './shell-columns';
import { interpolateStrands } from './strand-columns';

const pose = new Float64Array(8);
const offset = new Float64Array(3);

/** Writes the Interpolated columns of the entities in `physics.moved` at `alpha` in 0..1. */
export function interpolate(physics: Physics, alpha: number): void {
  // What was added since the last step is drawn where it is.
  makePending(physics);
  const { engine, moved, slotOf, mirror } = physics.internal;
  const { bodies } = engine.tables;
  const { position, rotation } = written(physics.components.Interpolated);
  const a = Math.min(1, Math.max(0, alpha));
  for (let i = 0; i < moved.count; i++) {
    const eid = moved.entities[i];
    const slot = slotOf[eid] ?? -1;
    if (slot < 0) continue;
    const at = 4 * slot;
    if (isStill(bodies, at)) {
      // To the bit where it stands: rounding must not tell a body that has stopped from one that is listed as moved.
      showMirror(physics.components.Interpolated, mirror.values, eid);
      continue;
    }
    let dot = 0;
    for (let k = 0; k < 4; k++) dot += bodies.previousRotation[at + k] * bodies.rotation[at + k];
    // Normalised linear interpolation on the shorter way: between two steps the angle is small.
    const from = dot < 0 ? a - 1 : 1 - a;
    let norm = 0;
    for (let k = 0; k < 4; k++) {
      pose[k] = bodies.previousPosition[at + k] * (1 - a) + bodies.position[at + k] * a;
      pose[4 + k] = bodies.previousRotation[at + k] * from + bodies.rotation[at + k] * a;
      norm += pose[4 + k] * pose[4 + k];
    }
    const scale = 1 / Math.sqrt(norm);
    for (let k = 4; k < 8; k++) pose[k] *= scale;
    rotateVector(offset, 0, pose, 4, bodies.center, at);
    position.x[eid] = pose[0] - offset[0];
    position.y[eid] = pose[1] - offset[1];
    position.z[eid] = pose[2] - offset[2];
    rotation.x[eid] = pose[4];
    rotation.y[eid] = pose[5];
    rotation.z[eid] = pose[6];
    rotation.w[eid] = pose[7];
  }
  interpolateStrands(physics, a);
  interpolateShells(physics, a);
}

/** Whether the body whose rows of four begin `at` has one pose at both ends of the step. */
function isStill({ position, rotation, previousPosition, previousRotation }: BodyTable, at: number): boolean {
  for (let k = at; k < at + 4; k++) {
    if (previousPosition[k] !== position[k] || previousRotation[k] !== rotation[k]) return false;
  }
  return true;
}
