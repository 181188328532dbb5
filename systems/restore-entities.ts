// The entities of a snapshot come back with their numbers; what was made since goes.
//
// In: which entity has which rows in the tables as restored, and in those before: one entity may be a body and a rod,
// too. Nobody observes: a restore is no event.

import {
  addEntity,
  entityExists,
  getEntityComponents,
  hasComponent,
  query,
  removeComponent,
  removeEntity,
} from 'bitecs';
import { isAttachment } from '../src/dynamics/elastic/attachment-rows';
import * as L from '../src/state/layout';
import { addNumbered, addSafely, isBusy } from './ecs-changes';
import { ensureRow } from './entities';
import { noteDeath } from './entity-lives';
import { familyOfKind, MESH_NAMES } from './mesh-families';
import type { Physics } from './physics';
import { KINDS, type Kind, kindBit, type RestoreReport } from './snapshot-types';

/** Kinds of the entities that have rows. */
export interface Rows {
  /** Each entity once, in the order of its first row. */
  readonly entities: number[];
  /** Bits of the kinds, by entity. */
  readonly kinds: Uint16Array;
  /** Bits of the kinds that there are. */
  readonly all: number;
}

const [BODY, ROD, GROOM, ATTACHMENT, CONTACT, JOINT] = (
  ['RigidBody', 'Rod', 'Groom', 'Attachment', 'Contact', 'Joint'] as const
).map(kindBit);
const [CHARACTER, VEHICLE, WHEEL] = (['Character', 'Vehicle', 'Wheel'] as const).map(kindBit);
/** Kinds that carry the tag Sleeping. */
const SLEEPERS = MESH_NAMES.reduce((bits, name) => bits | kindBit(name), BODY | ROD | GROOM);

/** Who has a row in the tables, contacts included unless these do not matter: they are many. */
export function rowsOf({ internal }: Physics, withContacts = true): Rows {
  const { arena, tables } = internal.engine;
  const { bodies, rods, strands, attachments, joints, actors, pairs } = tables;
  const rows: Rows = { entities: [], kinds: new Uint16Array(internal.columns.capacity), all: 0 };
  const count = (cell: number) => arena.i32[cell >> 2];
  const alive = bodies.entity.slice(0, count(L.BODY_COUNT));
  for (let slot = 0; slot < alive.length; slot++) if (!(bodies.flags[slot] & L.BODY_ALIVE)) alive[slot] = 0;
  addKinds(rows, alive, BODY);
  for (let slot = 0; slot < count(L.ROD_COUNT); slot++) {
    if (!(rods.flags[slot] & L.ROD_ALIVE)) continue;
    const mesh = familyOfKind(strands.kind[rods.strandStart[slot]]);
    const strand = rods.flags[slot] & L.ROD_GROOM ? GROOM : ROD;
    addKind(rows, rods.entity[slot], mesh === null ? strand : kindBit(mesh));
  }
  for (let slot = 0; slot < count(L.ATTACHMENT_COUNT); slot++) {
    if (isAttachment(tables, slot)) addKind(rows, attachments.entity[slot], ATTACHMENT);
  }
  for (let slot = 0; slot < count(L.JOINT_COUNT); slot++) {
    if (joints.flags[slot] & L.JOINT_ALIVE) addKind(rows, joints.entity[slot], JOINT);
  }
  for (let slot = 0; slot < count(L.ACTOR_COUNT); slot++) {
    const flags = actors.flags[slot];
    if (!(flags & L.ACTOR_ALIVE)) continue;
    const kind = flags & L.ACTOR_CHARACTER ? CHARACTER : flags & L.ACTOR_WHEEL ? WHEEL : VEHICLE;
    addKind(rows, actors.entity[slot], kind);
  }
  // Also of a touch that has ended between steps: its entity goes with the next one.
  if (withContacts) addKinds(rows, pairs.entity.subarray(0, count(L.PAIR_COUNT)), CONTACT);
  return rows;
}

/** As addKind for each: these are many. */
function addKinds(rows: Rows, entity: Int32Array, kind: number): void {
  const { entities, kinds } = rows;
  for (let i = 0; i < entity.length; i++) {
    const eid = entity[i];
    if (eid === 0) continue;
    if (eid >= kinds.length || rows.kinds !== kinds) {
      addKind(rows, eid, kind);
      continue;
    }
    if (kinds[eid] === 0) entities.push(eid);
    kinds[eid] |= kind;
  }
  if (entity.length > 0) (rows as { all: number }).all |= kind;
}

function addKind(rows: Rows, eid: number, kind: number): void {
  if (eid === 0) return;
  if (eid >= rows.kinds.length) {
    // Of a saved game: the columns have not grown to its numbers.
    const grown = new Uint16Array(2 * eid);
    grown.set(rows.kinds);
    (rows as { kinds: Uint16Array }).kinds = grown;
  }
  if (rows.kinds[eid] === 0) rows.entities.push(eid);
  rows.kinds[eid] |= kind;
  (rows as { all: number }).all |= kind;
}

/** Entities that are to have a component though no row tells of them. */
export function addBodiless(rows: Rows, entities: ArrayLike<number>): void {
  // Nearly all have a body.
  for (let i = 0; i < entities.length; i++) if (!(rows.kinds[entities[i]] & BODY)) addKind(rows, entities[i], BODY);
}

const NOBODY = new Int32Array(0);

/** Entities of a kind. */
export function entitiesOf({ entities, kinds, all }: Rows, kind: Kind): Int32Array {
  const bit = kindBit(kind);
  if ((all & bit) === 0) return NOBODY;
  let count = 0;
  const found = new Int32Array(entities.length);
  for (let i = 0; i < entities.length; i++) if (kinds[entities[i]] & bit) found[count++] = entities[i];
  return found.slice(0, count);
}

/** Entities with RigidBody for which no body could be made. */
export function bodilessOf({ world, components, internal }: Physics): Int32Array {
  const bodies = query(world, [components.RigidBody]);
  const { slotOf } = internal;
  const found: number[] = [];
  for (let i = 0; i < bodies.length; i++) if (!(slotOf[bodies[i]] >= 0)) found.push(bodies[i]);
  return found.length === 0 ? NOBODY : Int32Array.from(found).sort((a, b) => a - b);
}

/** Those, and who waits for a row or has none. */
export function presentRows(physics: Physics): Rows {
  const { internal, world, components } = physics;
  const rows = rowsOf(physics);
  addBodiless(rows, query(world, [components.RigidBody]));
  for (const [eid, { definition }] of internal.rods.pending) addKind(rows, eid, definition.isGroom ? GROOM : ROD);
  for (const [eid, { mesh }] of internal.rods.pendingShells)
    addKind(rows, eid, kindBit(familyOfKind(mesh.kind) as Kind));
  for (const eid of internal.joints.pending.keys()) addKind(rows, eid, JOINT);
  return rows;
}

/**
 * Whether a change of ours, or the removal of an entity of ours, is under way: an observer of it asks, and bitECS would
 * go on with it after a restore. A component that the game adds or takes off by itself leaves a whole world either way.
 */
export function isUnderWay({ world, components, internal }: Physics): boolean {
  if (isBusy(world)) return true;
  for (const [eid, kinds] of internal.leaving) {
    if (!entityExists(world, eid)) continue;
    // While an entity is being removed its components are still there.
    for (const kind of KINDS) if (kinds & kindBit(kind) && hasComponent(world, eid, components[kind])) return true;
  }
  internal.leaving.clear();
  return false;
}

/**
 * Brings entities to the `wanted` rows from the `present` ones; `serial` as it was at the snapshot; null: of another
 * world, every entity gets a new number. Without observers.
 */
export function restoreEntities(physics: Physics, present: Rows, wanted: Rows, given: number | null): RestoreReport {
  const serial = given ?? physics.internal.serial;
  const removed = takeAway(physics, present, wanted, serial);
  const { returned, renumbered } = bringBack(physics, present, wanted, given, serial);
  return { removed: [...removed].filter((eid) => !returned.has(eid)), returned: [...returned], renumbered };
}

/**
 * Removes entities made since, and kinds that an entity did not have at the snapshot, from `present`
 * too. Returns what is told of it.
 */
function takeAway(physics: Physics, present: Rows, wanted: Rows, serial: number): Set<number> {
  const { world, components, internal } = physics;
  const ours = new Set<object>(Object.values(components));
  const isOurs = (eid: number) => {
    const parts = getEntityComponents(world, eid);
    return parts.length > 0 && parts.every((part) => ours.has(part));
  };
  const removed = new Set<number>();
  const remove = (eid: number) => {
    removeEntity(world, eid);
    noteDeath(physics, eid);
  };

  const { births } = internal;
  const isAnyNew = internal.lastBirth > serial;
  for (const eid of present.entities) {
    const isNew = isAnyNew && (births.get(eid) ?? 0) > serial;
    const kinds = present.kinds[eid];
    const going = isNew ? kinds : kinds & ~wanted.kinds[eid];
    if (going === 0 || !entityExists(world, eid)) continue;
    if (going !== CONTACT) removed.add(eid);
    present.kinds[eid] &= ~going;
    if (going & CONTACT || (isNew && isOurs(eid))) {
      present.kinds[eid] = 0;
      remove(eid);
      continue;
    }
    for (const kind of KINDS) if (going & kindBit(kind)) strip(physics, eid, components[kind]);
    if (!(kinds & ~going & SLEEPERS)) strip(physics, eid, components.Sleeping);
  }
  // What is left of entities made since, without the component that they were made for.
  if (isAnyNew) {
    internal.lastBirth = 0;
    for (const [eid, birth] of births) {
      if (birth > serial && entityExists(world, eid) && isOurs(eid)) {
        removed.add(eid);
        present.kinds[eid] = 0;
        remove(eid);
      } else internal.lastBirth = Math.max(internal.lastBirth, birth);
    }
  }
  for (const { entity } of [...internal.removed, ...internal.rods.removed]) {
    if (!(present.kinds[entity] & SLEEPERS)) strip(physics, entity, components.Sleeping);
  }
  return removed;
}

function strip({ world }: Physics, eid: number, component: object): void {
  if (entityExists(world, eid) && hasComponent(world, eid, component)) removeComponent(world, eid, component);
}

/** Gives every wanted entity its number, or a new one where another entity has it by now, and its components. */
function bringBack(physics: Physics, present: Rows, wanted: Rows, given: number | null, serial: number) {
  const { world, components, internal } = physics;
  const returned = new Set<number>();
  const renumbered = new Map<number, number>();
  const complete = (eid: number, kinds: number) => {
    ensureRow(physics, eid);
    for (const kind of KINDS) {
      if (!(kinds & kindBit(kind)) || hasComponent(world, eid, components[kind])) continue;
      if (kind !== 'Contact') returned.add(eid);
      for (const part of kind === 'RigidBody' ? bodyParts(physics) : [components[kind]]) addSafely(world, eid, part);
    }
  };

  // An earlier snapshot has none of it: the next restore may have to take it away again.
  const bear = (eid: number) => {
    internal.births.set(eid, serial);
    internal.lastBirth = Math.max(internal.lastBirth, serial);
    internal.deaths.delete(eid);
  };

  // Free numbers first: those that are taken by now must not take another's.
  const taken: number[] = [];
  for (const eid of wanted.entities) {
    const kinds = wanted.kinds[eid];
    // Nothing has come of it or gone: nearly always.
    if (given !== null && present.kinds[eid] === kinds) continue;
    const isFree = !entityExists(world, eid);
    const has = (kind: Kind) => (kinds & kindBit(kind)) !== 0 && hasComponent(world, eid, components[kind]);
    const isOthers = !isFree && (internal.deaths.get(eid) ?? 0) > serial && !KINDS.some(has);
    if (given === null || isOthers) {
      taken.push(eid);
      continue;
    }
    if (isFree) bear(addNumbered(world, eid));
    complete(eid, kinds);
  }
  for (const eid of taken) {
    const now = addEntity(world);
    bear(now);
    renumbered.set(eid, now);
    complete(now, wanted.kinds[eid]);
  }
  return { returned, renumbered };
}

function bodyParts({ components }: Physics): object[] {
  const { Transform, Interpolated, Velocity, Collider, Material, RigidBody } = components;
  return [Transform, Interpolated, Velocity, Collider, Material, RigidBody];
}

/** Writes the new numbers to the tables. */
export function renumberRows(physics: Physics, renumbered: ReadonlyMap<number, number>): void {
  if (renumbered.size === 0) return;
  const { bodies, colliders, rods, attachments, joints, actors, pairs } = physics.internal.engine.tables;
  for (const { entity } of [bodies, colliders, rods, attachments, joints, actors, pairs]) {
    for (let row = 0; row < entity.length; row++) entity[row] = renumbered.get(entity[row]) ?? entity[row];
  }
}
