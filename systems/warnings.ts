// What a game most likely did not mean, told once a world and kind of mistake, with the remedy.
//
// Nothing here changes what the engine does. Columns are written far from where they are read, so a value that has no
// effect is told here and in `report.limits`; calls with wrong input throw where they are made.

import { entityExists, hasComponent } from 'bitecs';
import { flatTriples, type ShapeKinds } from '../src/geometry/shapes';
import * as L from '../src/state/layout';
import type { Physics } from './physics';

/** Numbers of a unit quaternion are at most 1; unnormalised ones written by hand are not much larger. */
const LARGEST_QUATERNION = 4;

/** A frame longer than this is a pause, or milliseconds [s]. */
const LONG_FRAME = 2;

/** Share of a mesh's area that must look along gravity for it to be suspect. */
const DOWNWARD_SHARE = 0.5;

/** Tells `text` by `settings.warn`, the first time that `kind` comes up in this world. */
export function warnOnce({ internal, settings }: Physics, kind: string, text: string): void {
  if (internal.warned.has(kind)) return;
  internal.warned.add(kind);
  if (settings.warn) settings.warn(`stiction: ${text}`);
}

/** A value in a column that has no effect: listed in the report of this step, and told once a column and reason. */
export function tellIgnored(physics: Physics, column: string, eid: number, expectation: string, got: unknown): void {
  const text = `${column} of entity ${eid}: ${expectation}, got ${String(got)}`;
  physics.internal.notes.push(text);
  warnOnce(
    physics,
    `${column}: ${expectation}`,
    `${text}. Columns are checked as a step begins; report.limits names every such value.`,
  );
}

/** A value in a column that counts for other bodies: what is static, or not dynamic. */
export function tellUnused(physics: Physics, column: string, eid: number, slot: number, got: unknown): void {
  const flags = physics.internal.engine.tables.bodies.flags[slot];
  if (flags & L.BODY_DYNAMIC) return;
  const type = flags & L.BODY_STATIC ? 'static' : 'kinematic';
  tellIgnored(physics, column, eid, `has no effect while the body is ${type}`, got);
}

/** Degrees for each axis where x y z w is expected. */
export function warnOfDegrees(physics: Physics, what: string, q: ArrayLike<number>): void {
  let largest = 0;
  for (let k = 0; k < 4; k++) largest = Math.max(largest, Math.abs(q[k]));
  if (largest <= LARGEST_QUATERNION) return;
  const text = `${what} must be a quaternion x y z w, got ${Array.from(q).join(', ')}; were degrees meant?`;
  warnOnce(physics, 'degrees', `${text} About y: [0, sin(angle / 2), 0, cos(angle / 2)], angle in radians`);
}

/**
 * Milliseconds where seconds are expected: every frame is long, where a pause is one. Returns the long frames in a row.
 */
export function tellLongFrame(physics: Physics, frameSeconds: number, longBefore: number): number {
  if (frameSeconds < LONG_FRAME) return 0;
  if (longBefore > 0) {
    const text = `physics.advance: frameSeconds must be seconds, got ${frameSeconds} after another long frame; `;
    warnOnce(physics, 'milliseconds', `${text}were milliseconds meant? advance(milliseconds / 1000)`);
  }
  return longBefore + 1;
}

/** What is there and does nothing: colliders without a body, modifiers that are shown no contact. */
export function tellIdle(physics: Physics): void {
  const { internal, world, components } = physics;
  const { collided, modification, engine } = internal;
  for (let i = 0; i < collided.length; i++) {
    const eid = collided[i];
    if (!entityExists(world, eid) || !hasComponent(world, eid, components.Collider)) continue;
    if (hasComponent(world, eid, components.RigidBody)) continue;
    const text = `entity ${eid} has Collider but no RigidBody, and so touches nothing`;
    warnOnce(
      physics,
      'Collider alone',
      `${text}; add RigidBody (and Static, if it shall not move), or use addRigidBody`,
    );
  }
  collided.length = 0;
  tellParted(physics);
  const stale = internal.columns.findStaleWrite();
  if (stale) {
    const text = `an array of ${stale} from before the columns grew was written, and nothing reads it`;
    warnOnce(physics, 'stale column', `${text}; read columns through the component each time`);
  }
  if (modification.modifiers.length === 0 || engine.report.contacts === 0) return;
  const { flags } = engine.tables.bodies;
  for (let slot = 0; slot < engine.arena.i32[L.BODY_COUNT >> 2]; slot++) if (flags[slot] & L.BODY_MODIFIES) return;
  const text = 'physics.modifyContacts: no body has modifyContacts, so no contact is shown';
  warnOnce(physics, 'modifiers', `${text}; set modifyContacts: true in addRigidBody, or RigidBody.modifyContacts to 1`);
}

/** Components taken off a body that it goes on with. */
function tellParted(physics: Physics): void {
  const { internal, world, components } = physics;
  const { parted } = internal;
  if (parted.length === 0) return;
  for (const name of ['Transform', 'Velocity', 'Material'] as const) {
    for (const eid of parted) {
      if (!entityExists(world, eid) || !hasComponent(world, eid, components.RigidBody)) continue;
      if (hasComponent(world, eid, components[name])) continue;
      const text = `removing ${name} from entity ${eid} has no effect while it has RigidBody`;
      warnOnce(physics, `without ${name}`, `${text}; remove RigidBody to take the body out`);
    }
  }
  parted.length = 0;
}

/** Triangles the wrong way round: a closed mesh inside out, or ground that looks down. */
export function warnOfWinding(physics: Physics, where: string, mesh: ShapeKinds['mesh']): void {
  const points = flatTriples(mesh.vertices);
  const triangles = flatTriples(mesh.triangles);
  const { gravity } = physics.settings;
  const sum = [0, 0, 0];
  let area = 0;
  let volume = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]];
    const [vx, vy, vz] = [points[c] - points[a], points[c + 1] - points[a + 1], points[c + 2] - points[a + 2]];
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (let k = 0; k < 3; k++) sum[k] += normal[k];
    area += Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
    volume += points[a] * normal[0] + points[a + 1] * normal[1] + points[a + 2] * normal[2];
  }
  const open = Math.sqrt(sum[0] ** 2 + sum[1] ** 2 + sum[2] ** 2);
  const pull = Math.sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2);
  const along = sum[0] * gravity[0] + sum[1] * gravity[1] + sum[2] * gravity[2];
  const isInsideOut = open < 1e-6 * area && volume < 0;
  if (!isInsideOut && !(open >= 1e-6 * area && along > DOWNWARD_SHARE * area * pull && pull > 0)) return;
  const what = isInsideOut
    ? 'the mesh is closed and its triangles look inwards'
    : 'most triangles of the mesh look down';
  const text = `${where}: ${what}: bodies are pushed to the side from which a triangle is counter-clockwise`;
  warnOnce(physics, 'winding', `${text}; unless that is meant, swap two corners of each triangle`);
}
