// The entities of a snapshot come back with their numbers; what was made since goes.
//
// In: which entity has which row in the tables as restored, and in those before. Nobody observes: a restore is no event.

import {
  addEntity,
  entityExists,
  getEntityComponents,
  hasComponent,
  query,
  removeComponent,
  removeEntity,
} from 'bitecs';
import * as L from '../src/state/layout';
import { addNumbered, addSafely, isBusy, isChanging } from './ecs-changes';
import { ensureRow } from './entities';
import type { Physics } from './physics';
import type { Kind, RestoreReport } from './snapshot-types';

/** Rows with entities: kind of each, by entity. */
export type Rows = Map<number, Kind>;

/** Who has a row in the tables, contacts included. */
export function rowsOf(physics: Physics): Rows {
  const { arena, tables } = physics.internal.engine;
  const { bodies, rods, attachments, joints, pairs } = tables;
  const rows: Rows = new Map();
  const count = (cell: number) => arena.i32[cell >> 2];
  for (let slot = 0; slot < count(L.BODY_COUNT); slot++) {
    if (bodies.flags[slot] & L.BODY_ALIVE && bodies.entity[slot] !== 0) rows.set(bodies.entity[slot], 'RigidBody');
  }
  for (let slot = 0; slot < count(L.ROD_COUNT); slot++) {
    if (!(rods.flags[slot] & L.ROD_ALIVE) || rods.entity[slot] === 0) continue;
    rows.set(rods.entity[slot], rods.flags[slot] & L.ROD_GROOM ? 'Groom' : 'Rod');
  }
  for (let slot = 0; slot < count(L.ATTACHMENT_COUNT); slot++) {
    if (attachments.flags[slot] & L.ATTACHMENT_ALIVE && attachments.entity[slot] !== 0) {
      rows.set(attachments.entity[slot], 'Attachment');
    }
  }
  for (let slot = 0; slot < count(L.JOINT_COUNT); slot++) {
    if (joints.flags[slot] & L.JOINT_ALIVE && joints.entity[slot] !== 0) rows.set(joints.entity[slot], 'Joint');
  }
  for (let pair = 0; pair < count(L.PAIR_COUNT); pair++) {
    // Also of a touch that has ended between steps: its entity goes with the next one.
    if (pairs.entity[pair] !== 0) rows.set(pairs.entity[pair], 'Contact');
  }
  return rows;
}

/** Entities with RigidBody for which no body could be made. */
export function bodilessOf({ world, components, internal }: Physics): Int32Array {
  const found = query(world, [components.RigidBody]).filter((eid) => (internal.slotOf[eid] ?? -1) < 0);
  return Int32Array.from(found).sort((a, b) => a - b);
}

/** Those, and who waits for a row or has none. */
export function presentRows(physics: Physics): Rows {
  const { internal, world, components } = physics;
  const rows = rowsOf(physics);
  for (const eid of query(world, [components.RigidBody])) rows.set(eid, 'RigidBody');
  for (const eid of internal.joints.pending.keys()) rows.set(eid, 'Joint');
  for (const [eid, { definition }] of internal.rods.pending) rows.set(eid, definition.isGroom ? 'Groom' : 'Rod');
  return rows;
}

/** Whether an observer of a change to an entity of ours is under way: bitECS would go on with it after a restore. */
export function isUnderWay(physics: Physics, present: Rows): boolean {
  const { world, components, internal } = physics;
  if (isBusy(world)) return true;
  for (const [eid, kind] of present) if (isChanging(world, eid, components[kind])) return true;
  for (const [eid, kind] of internal.leaving) {
    if (
      entityExists(world, eid) &&
      (hasComponent(world, eid, components[kind]) || isChanging(world, eid, components[kind]))
    )
      return true;
  }
  internal.leaving.clear();
  return false;
}

/** Whether nothing but our components is on the entity. */
function isOurs(physics: Physics, eid: number): boolean {
  const ours = new Set<object>(Object.values(physics.components));
  return getEntityComponents(physics.world, eid).every((component) => ours.has(component));
}

/** Whether the entity that has this number now was made after `serial`. */
function isMadeSince({ internal }: Physics, eid: number, serial: number): boolean {
  return (internal.births.get(eid) ?? 0) > serial;
}

/**
 * Brings entities to the `wanted` rows from the `present` ones; `serial` as it was at the snapshot; null: of another
 * world, every entity gets a new number. Without observers.
 */
export function restoreEntities(physics: Physics, present: Rows, wanted: Rows, given: number | null): RestoreReport {
  const { world, components, internal } = physics;
  const serial = given ?? internal.serial;
  const removed: number[] = [];
  const returned: number[] = [];
  const renumbered = new Map<number, number>();

  const leaving = [...present].filter(([eid, kind]) => wanted.get(eid) !== kind || isMadeSince(physics, eid, serial));
  for (const [eid, kind] of leaving) {
    if (!entityExists(world, eid)) continue;
    if (kind !== 'Contact') removed.push(eid);
    if (kind === 'Contact' || (isMadeSince(physics, eid, serial) && isOurs(physics, eid))) {
      removeEntity(world, eid);
      internal.deaths.set(eid, ++internal.serial);
      continue;
    }
    for (const part of [components[kind], components.Sleeping])
      if (hasComponent(world, eid, part)) removeComponent(world, eid, part);
  }
  for (const { entity } of [...internal.removed, ...internal.rods.removed]) {
    if (entityExists(world, entity) && hasComponent(world, entity, components.Sleeping)) {
      removeComponent(world, entity, components.Sleeping);
    }
  }

  // Free numbers first: those that are taken by now must not take another's.
  const taken: [number, Kind][] = [];
  const complete = (eid: number, kind: Kind) => {
    ensureRow(physics, eid);
    if (hasComponent(world, eid, components[kind])) return;
    if (kind !== 'Contact') returned.push(eid);
    for (const part of kind === 'RigidBody' ? bodyParts(physics) : [components[kind]]) addSafely(world, eid, part);
  };
  for (const [eid, kind] of wanted) {
    // What is left of an entity made since, without the component that it was made for.
    if (!present.has(eid) && isMadeSince(physics, eid, serial) && entityExists(world, eid) && isOurs(physics, eid)) {
      removeEntity(world, eid);
    }
    const isFree = !entityExists(world, eid);
    const isOthers = !isFree && !hasComponent(world, eid, components[kind]) && (internal.deaths.get(eid) ?? 0) > serial;
    if (given === null || isOthers) {
      taken.push([eid, kind]);
      continue;
    }
    if (isFree) {
      internal.births.set(addNumbered(world, eid), serial);
      internal.deaths.delete(eid);
    }
    complete(eid, kind);
  }
  for (const [eid, kind] of taken) {
    const now = addEntity(world);
    internal.births.set(now, serial);
    internal.deaths.delete(now);
    renumbered.set(eid, now);
    complete(now, kind);
  }
  return { removed: removed.filter((eid) => !returned.includes(eid)), returned, renumbered };
}

function bodyParts({ components }: Physics): object[] {
  const { Transform, Interpolated, Velocity, Collider, Material, RigidBody } = components;
  return [Transform, Interpolated, Velocity, Collider, Material, RigidBody];
}

/** Writes the new numbers to the tables. */
export function renumberRows(physics: Physics, renumbered: ReadonlyMap<number, number>): void {
  if (renumbered.size === 0) return;
  const { bodies, colliders, rods, attachments, joints, pairs } = physics.internal.engine.tables;
  for (const { entity } of [bodies, colliders, rods, attachments, joints, pairs]) {
    for (let row = 0; row < entity.length; row++) entity[row] = renumbered.get(entity[row]) ?? entity[row];
  }
}
