// What was last written to an entity's Transform and Velocity: a game's own write is recognised by the difference.

import { written } from '../components/columns';
import type { Components } from '../components/components';

/** Numbers a mirrored entity: position 3, rotation 4, linear 3, angular 3, density, mass, sum of the inertia. */
export const MIRROR_STRIDE = 16;
/** Those of Transform and Velocity. */
export const MIRROR_COUNT = 13;
/** Density, mass and inertia that have been looked at: only what a write without effect is told by. */
export const [MIRROR_DENSITY, MIRROR_MASS, MIRROR_INERTIA] = [13, 14, 15];

export interface Mirror {
  /** MIRROR_STRIDE numbers an entity id. */
  values: Float64Array;
}

export function createMirror(capacity: number): Mirror {
  return { values: new Float64Array(MIRROR_STRIDE * capacity) };
}

/** Makes sure that entity ids below `capacity` have a row. */
export function ensureMirror(mirror: Mirror, capacity: number): void {
  if (mirror.values.length >= MIRROR_STRIDE * capacity) return;
  const grown = new Float64Array(MIRROR_STRIDE * capacity);
  grown.set(mirror.values);
  mirror.values = grown;
}

/** Density, mass or inertia (MIRROR_DENSITY, MIRROR_MASS, MIRROR_INERTIA) as the columns have it. */
function propertyOf({ Material, RigidBody }: Components, which: number, eid: number): number {
  if (which === MIRROR_DENSITY) return Material.density[eid];
  if (which === MIRROR_MASS) return RigidBody.mass[eid];
  const { x, y, z } = RigidBody.inertia;
  return x[eid] + y[eid] + z[eid];
}

/** Density, mass and inertia as they are: from here on a change of either is a write. */
export function mirrorProperties(components: Components, { values }: Mirror, eid: number): void {
  for (let k = MIRROR_DENSITY; k <= MIRROR_INERTIA; k++)
    values[MIRROR_STRIDE * eid + k] = propertyOf(components, k, eid);
}

/** Writes to density, mass and inertia that no step has looked at: number in the list, which, value before. */
export function unreadProperties(components: Components, { values }: Mirror, entities: Int32Array): Float64Array {
  const unread: number[] = [];
  for (let i = 0; i < entities.length; i++) {
    for (let k = MIRROR_DENSITY; k <= MIRROR_INERTIA; k++) {
      const seen = values[MIRROR_STRIDE * entities[i] + k];
      if (!Object.is(seen, propertyOf(components, k, entities[i]))) unread.push(i, k, seen);
    }
  }
  return Float64Array.from(unread);
}

/** Columns as they are have been looked at, but for the `unread` writes. */
export function mirrorAll(components: Components, mirror: Mirror, entities: Int32Array, unread: Float64Array): void {
  for (const eid of entities) mirrorProperties(components, mirror, eid);
  for (let at = 0; at < unread.length; at += 3) {
    mirror.values[MIRROR_STRIDE * entities[unread[at]] + unread[at + 1]] = unread[at + 2];
  }
}

/**
 * Pose columns = the pose that was last written to the entity's Transform: what a game
 * writes there waits for the next step.
 */
export function showMirror(shown: Components['Interpolated'], values: Float64Array, eid: number): void {
  const { position, rotation } = written(shown);
  const m = MIRROR_STRIDE * eid;
  position.x[eid] = values[m];
  position.y[eid] = values[m + 1];
  position.z[eid] = values[m + 2];
  rotation.x[eid] = values[m + 3];
  rotation.y[eid] = values[m + 4];
  rotation.z[eid] = values[m + 5];
  rotation.w[eid] = values[m + 6];
}
