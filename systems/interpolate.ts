// Interpolated poses for rendering: between the last two steps, moved entities only.

import { written } from '../components/columns';
import type { BodyTable } from '../src/state/tables';
import { makePending } from './entities';
import { showMirror } from './mirror';
import type { Physics } from './physics';
import { interpolateShells } from './shell-columns';
import { interpolateStrands } from './strand-columns';

/** Writes the Interpolated columns of the entities in `physics.moved` at `alpha` in 0..1. */
export function interpolate(physics: Physics, alpha: number): void {
  // What was added since the last step is drawn where it is.
  makePending(physics);
  const a = Math.min(1, Math.max(0, alpha));
  interpolateBodies(physics, a);
  interpolateStrands(physics, a);
  interpolateShells(physics, a);
}

/** Columns are looked up once, as in copy-out. */
function interpolateBodies(physics: Physics, a: number): void {
  const { engine, moved, slotOf, mirror } = physics.internal;
  const { bodies } = engine.tables;
  const { position: now, rotation: turned, previousPosition: before, previousRotation: turnedBefore, center } = bodies;
  const shown = physics.components.Interpolated;
  const { x: px, y: py, z: pz } = written(shown).position;
  const { x: qx, y: qy, z: qz, w: qw } = written(shown).rotation;
  const b = 1 - a;

  for (let i = 0; i < moved.count; i++) {
    const eid = moved.entities[i];
    const slot = slotOf[eid] ?? -1;
    if (slot < 0) continue;
    const at = 4 * slot;

    if (isStill(bodies, at)) {
      // To the bit where it stands: rounding must not tell a body that has stopped from one that is listed as moved.
      showMirror(shown, mirror.values, eid);
      continue;
    }
    const [k1, k2, k3] = [at + 1, at + 2, at + 3];

    const dot =
      turnedBefore[at] * turned[at] +
      turnedBefore[k1] * turned[k1] +
      turnedBefore[k2] * turned[k2] +
      turnedBefore[k3] * turned[k3];

    // Normalised linear interpolation on the shorter way: between two steps the angle is small.
    const from = dot < 0 ? -b : b;
    let x = turnedBefore[at] * from + turned[at] * a;
    let y = turnedBefore[k1] * from + turned[k1] * a;
    let z = turnedBefore[k2] * from + turned[k2] * a;
    let w = turnedBefore[k3] * from + turned[k3] * a;
    const scale = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
    x *= scale;
    y *= scale;
    z *= scale;
    w *= scale;

    // The entity's frame lies −R·centre from the centre of mass.
    const [cx, cy, cz] = [center[at], center[k1], center[k2]];
    const tx = 2 * (y * cz - z * cy);
    const ty = 2 * (z * cx - x * cz);
    const tz = 2 * (x * cy - y * cx);
    px[eid] = before[at] * b + now[at] * a - (cx + w * tx + y * tz - z * ty);
    py[eid] = before[k1] * b + now[k1] * a - (cy + w * ty + z * tx - x * tz);
    pz[eid] = before[k2] * b + now[k2] * a - (cz + w * tz + x * ty - y * tx);
    qx[eid] = x;
    qy[eid] = y;
    qz[eid] = z;
    qw[eid] = w;
  }
}

/** Whether the body whose rows of four begin `at` has one pose at both ends of the step. */
function isStill({ position, rotation, previousPosition, previousRotation }: BodyTable, at: number): boolean {
  for (let k = at; k < at + 4; k++) {
    if (previousPosition[k] !== position[k] || previousRotation[k] !== rotation[k]) return false;
  }
  return true;
}
