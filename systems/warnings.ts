// What a game most likely did not mean, told once a world and kind of mistake, with the remedy.
//
// Nothing here changes what the engine does. Columns are written far from where they are read, so a value that has no
// effect is told here and in `report.limits`; calls with wrong input throw where they are made.

import { entityExists, hasComponent } from 'bitecs';
import { forEachPair } from '../src/collision/broadphase';
import { clock } from '../src/core/profile';
import { flatTriples, type ShapeKinds } from '../src/geometry/shapes';
import * as L from '../src/state/layout';
import type { Physics } from './physics';

/** Numbers of a unit quaternion are at most 1; unnormalised ones written by hand are not much larger. */
const LARGEST_QUATERNION = 4;

/** A frame longer than this is a pause, or milliseconds [s]. */
const LONG_FRAME = 2;

/** No solid that keeps its form is softer [Pa]. */
const SMALLEST_MODULUS = 20;

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

/** What `advance` was given so far. */
export interface Frames {
  /** Long frames in a row. */
  longFrames: number;
  /** All frames together [s]. */
  given: number;
  /** The clock before the first [ms]. */
  readonly since: number;
}

/**
 * Milliseconds where seconds are expected: a pause is one long frame, and no longer than the clock says. The clock is
 * asked in a long frame only, and nothing but this text hangs on it.
 */
export function tellLongFrame(physics: Physics, frameSeconds: number, frames: Frames): void {
  frames.given += frameSeconds;
  if (frameSeconds < LONG_FRAME) {
    frames.longFrames = 0;
    return;
  }
  const passed = (clock() - frames.since) / 1000;
  const isEarly = frames.given > 2 * passed + LONG_FRAME;
  if (frames.longFrames++ === 0 && !isEarly) return;
  const when = isEarly ? `only ${passed.toFixed(1)} s after createPhysics` : 'after another long frame';
  const text = `physics.advance: frameSeconds must be seconds, got ${frameSeconds} ${when}`;
  warnOnce(physics, 'milliseconds', `${text}; were milliseconds meant? advance(milliseconds / 1000)`);
}

/** Larger angles are told, unless they are written as so many quarter turns [rad]. */
const LARGEST_ANGLE = 2 * Math.PI;

/** Degrees where a joint expects radians: more than a turn, and no whole number of quarter turns. */
export function warnOfLargeAngle(physics: Physics, what: string, angle: number): void {
  if (!(Math.abs(angle) > LARGEST_ANGLE && Math.abs(angle) < Number.POSITIVE_INFINITY)) return;
  const quarters = angle / (Math.PI / 2);
  if (Math.abs(quarters - Math.round(quarters)) < 1e-6) return;
  const text = `${what} is ${angle} rad, more than a turn; were degrees meant? Angles are in radians`;
  warnOnce(physics, 'joint in degrees', `${text}: degrees × π / 180`);
}

/** A modulus of elasticity that only other units than Pa explain. */
export function warnOfModulus(physics: Physics, where: string, modulus: number): void {
  if (modulus >= SMALLEST_MODULUS) return;
  const text = `${where}: youngModulus must be in Pa, got ${modulus} (soft jelly has some 1000, rubber 1e6)`;
  warnOnce(physics, 'modulus', `${text}; were GPa meant? × 1e9`);
}

/** A solid that its own weight, density times gravity times height, crushes: points x y z [m]. */
export function warnOfWeight(
  physics: Physics,
  where: string,
  { density, youngModulus, gravityScale }: { density: number; youngModulus: number; gravityScale: number },
  points: Float64Array,
): void {
  const gravity = physics.internal.engine.arena.f64.subarray(L.GRAVITY >> 3, (L.GRAVITY >> 3) + 3);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = 0; k < points.length; k += 3) {
    const fall = gravity[0] * points[k] + gravity[1] * points[k + 1] + gravity[2] * points[k + 2];
    low = Math.min(low, fall);
    high = Math.max(high, fall);
  }
  const pressure = density * Math.abs(gravityScale) * (high - low);
  if (!(youngModulus < pressure) || youngModulus < SMALLEST_MODULUS) return;
  const [got, own] = [youngModulus, pressure].map((x) => Number(x.toPrecision(3)));
  const text = `${where}: youngModulus should be above the solid's own weight over its foot, ${own} Pa, got ${got}`;
  warnOnce(physics, 'weight', `${text}: its inside sinks through the ground`);
}

/** A body that no force moves, and that is put somewhere else in step after step while something lies on it. */
export function tellPlaced(physics: Physics, slot: number, eid: number): void {
  const { engine, placed, warned } = physics.internal;
  const { bodies, colliders, pairs } = engine.tables;
  const flags = bodies.flags[slot];
  if (flags & L.BODY_DYNAMIC || warned.has('placed')) return;
  const last = placed.get(eid);
  placed.set(eid, physics.stepCount);
  if (last !== physics.stepCount - 1) return;
  let isTouched = false;
  for (let c = bodies.collider[slot]; c >= 0; c = colliders.next[c]) {
    forEachPair(engine.tables, c, (pair, other) => {
      if (pairs.entity[pair] !== 0 && bodies.flags[colliders.body[other]] & L.BODY_DYNAMIC) isTouched = true;
    });
  }
  if (!isTouched) return;
  const isStatic = (flags & L.BODY_STATIC) !== 0;
  const text = `entity ${eid} is ${isStatic ? 'static' : 'kinematic'} and is put somewhere else in step after step`;
  const remedy = `${isStatic ? 'make it kinematic and use' : 'use'} setKinematicTarget`;
  warnOnce(physics, 'placed', `${text}: what touches it is neither taken along nor pushed; ${remedy}`);
}

/** A change of velocity is cut off at the most that bodies have. `before`: what was asked for, v and ω. */
export function tellLimited(physics: Physics, slot: number, eid: number, where: string, before: Float64Array): void {
  const { linearVelocity: v, angularVelocity: w } = physics.internal.engine.tables.bodies;
  for (let k = 0; k < 3; k++) {
    if (v[4 * slot + k] === before[k] && w[4 * slot + k] === before[3 + k]) continue;
    const text = `${where}: entity ${eid} would be faster than bodies may be, 1000 m/s and 500 rad/s, which is taken`;
    warnOnce(physics, 'too fast', `${text}; are units m/s, rad/s, N·s and N·m·s?`);
    return;
  }
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
  tellGravity(physics);
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

/** `settings.gravity` shows what counts, and is not read. */
function tellGravity(physics: Physics): void {
  const { arena, settings } = physics.internal.engine;
  const gravity = settings.gravity as Float64Array;
  for (let k = 0; k < 3; k++) {
    const counts = arena.f64[(L.GRAVITY >> 3) + k];
    if (Object.is(gravity[k], counts)) continue;
    gravity[k] = counts;
    warnOnce(physics, 'gravity', 'settings.gravity was written, which has no effect; use physics.setGravity');
  }
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
