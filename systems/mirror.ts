// What was last written to an entity's Transform and Velocity: a game's own write is recognised by the difference.

import { written } from '../components/columns';
import type { Components } from '../components/components';

/** As Object.is, which costs more: zeros have signs, and what is not equal to itself is NaN. */
export function isSameNumber(a: number, b: number): boolean {
  return a === b ? a !== 0 || 1 / a === 1 / b : Number.isNaN(a) && Number.isNaN(b);
}

/** Numbers a mirrored entity: position 3, rotation 4, linear 3, angular 3, density, mass, sum of the inertia. */
export const MIRROR_STRIDE = 16;
/** Those of Transform and Velocity. */
export const MIRROR_COUNT = 13;
/** Where rotation and velocities begin. */
export const MIRROR_ROTATION = 3;
export const MIRROR_VELOCITY = 7;
export const MIRROR_SPIN = 10;
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

/** Density, mass and inertia as they are: from here on a change of either is a write. */
export function mirrorProperties(components: Components, mirror: Mirror, eid: number): void {
  single[0] = eid;
  mirrorAll(components, mirror, single, NOTHING);
}

const single = new Int32Array(1);
const NOTHING = new Float64Array(0);

/** Writes to density, mass and inertia that no step has looked at: number in the list, which, value before. */
export function unreadProperties(components: Components, { values }: Mirror, entities: Int32Array): Float64Array {
  const { density } = components.Material;
  const { mass, inertia } = components.RigidBody;
  const { x, y, z } = inertia;
  const unread: number[] = [];
  for (let i = 0; i < entities.length; i++) {
    const eid = entities[i];
    const at = MIRROR_STRIDE * eid;
    note(unread, i, MIRROR_DENSITY, values[at + MIRROR_DENSITY], density[eid]);
    note(unread, i, MIRROR_MASS, values[at + MIRROR_MASS], mass[eid]);
    note(unread, i, MIRROR_INERTIA, values[at + MIRROR_INERTIA], x[eid] + y[eid] + z[eid]);
  }
  return unread.length === 0 ? NOTHING : Float64Array.from(unread);
}

function note(unread: number[], i: number, which: number, seen: number, now: number): void {
  if (!isSameNumber(seen, now)) unread.push(i, which, seen);
}

/** Columns as they are have been looked at, but for the `unread` writes. */
export function mirrorAll(
  { Material, RigidBody }: Components,
  { values }: Mirror,
  entities: Int32Array,
  unread: Float64Array,
): void {
  const { density } = Material;
  const { mass, inertia } = RigidBody;
  const { x, y, z } = inertia;
  for (let i = 0; i < entities.length; i++) {
    const eid = entities[i];
    const at = MIRROR_STRIDE * eid;
    values[at + MIRROR_DENSITY] = density[eid];
    values[at + MIRROR_MASS] = mass[eid];
    values[at + MIRROR_INERTIA] = x[eid] + y[eid] + z[eid];
  }
  for (let at = 0; at < unread.length; at += 3)
    values[MIRROR_STRIDE * entities[unread[at]] + unread[at + 1]] = unread[at + 2];
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
  rotation.x[eid] = values[m + MIRROR_ROTATION];
  rotation.y[eid] = values[m + MIRROR_ROTATION + 1];
  rotation.z[eid] = values[m + MIRROR_ROTATION + 2];
  rotation.w[eid] = values[m + MIRROR_ROTATION + 3];
}
