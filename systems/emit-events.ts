// emit-events: contact entities begin and end, and show what the step did at each touch.

import { addEntity } from 'bitecs';
import { type ColumnSet, type ResultColumn, written } from '../components/columns';
import { measureHits } from '../src/dynamics/measure-hits';
import { mergeManifolds } from '../src/dynamics/split-manifolds';
import { HIT_SLID } from '../src/state/contact-places';
import * as L from '../src/state/layout';
import { addSafely, callGame, dropEntity, largestAfter } from './ecs-changes';
import { noteBirth, noteLeaving } from './entity-lives';
import type { Physics, Step } from './physics';

export function emitEvents({ physics }: Step): void {
  const { engine } = physics.internal;
  const { arena, tables, kernels } = engine;
  mergeManifolds(engine, physics.internal.modification.split);
  const touching = kernels.collectTouches();
  measureHits(engine, tables.pairs.joinedList, touching);
  kernels.roundManifolds();
  const ended = arena.i32[L.END_COUNT >> 2];
  for (let i = 0; i < ended; i++) endContact(physics, tables.pairs.endList[3 * i]);
  const begun = arena.i32[L.BEGIN_COUNT >> 2];
  // At once: to double the columns ten times took an eighth of a step in which 45 000 touches begin.
  if (begun > 0) physics.internal.columns.ensure(largestAfter(physics.world, begun));
  for (let i = 0; i < begun; i++) beginContact(physics, tables.pairs.beginList[i]);
  arena.i32[L.BEGIN_COUNT >> 2] = 0;
  arena.i32[L.END_COUNT >> 2] = 0;
  kernels.freePairs();
  forgetShown(physics);
  writeContacts(physics, tables.pairs.joinedList, touching);
  noteShown(physics, tables.pairs.joinedList, touching);
}

/** From here on columns of contacts may say something else than the tables: bodies come or go. */
export function forgetShown({ internal }: Physics): void {
  internal.shownContacts.round++;
}

/** These say what the tables say, until the next step or until bodies come or go. */
function noteShown({ internal }: Physics, list: Int32Array, count: number): void {
  const { shownContacts, engine } = internal;
  const { capacity } = engine.tables.pairs;
  if (shownContacts.rounds.length < capacity) shownContacts.rounds = new Float64Array(capacity);
  const { rounds, round } = shownContacts;
  for (let i = 0; i < count; i++) rounds[list[i]] = round;
}

/** What a restore writes over them is to be looked at. */
export function unnoteShown({ components, internal }: Physics, contacts: Int32Array): void {
  const { rounds } = internal.shownContacts;
  for (const eid of contacts) rounds[components.Contact.slot[eid]] = 0;
}

const single = new Int32Array(1);

/**
 * Makes the contact's entity, unless one of its bodies is gone; its columns are filled before onAdd(Contact) is told.
 */
function beginContact(physics: Physics, pair: number): void {
  const { engine, columns } = physics.internal;
  const { pairs, bodies } = engine.tables;
  // Of the bodies, not the colliders: an id that was given up in this step may belong to another entity by now.
  if (bodies.entity[pairs.bodyA[pair]] === 0 || bodies.entity[pairs.bodyB[pair]] === 0) return;
  const eid = addEntity(physics.world);
  columns.ensure(eid);
  noteBirth(physics, eid);
  pairs.entity[pair] = eid;
  single[0] = pair;
  nameContacts(physics, single, 1);
  writeContacts(physics, single, 1);
  callGame(physics, () => addSafely(physics.world, eid, physics.components.Contact));
}

/** Columns that stay as long as the contacts last. */
function nameContacts(physics: Physics, list: Int32Array, count: number): void {
  const { pairs, bodies } = physics.internal.engine.tables;
  const { slot, approachSpeed, entityA, entityB } = written(physics.components.Contact);
  const { entity, approach, bodyA, bodyB } = pairs;
  for (let i = 0; i < count; i++) {
    const pair = list[i];
    const eid = entity[pair];
    slot[eid] = pair;
    approachSpeed[eid] = approach[pair];
    entityA[eid] = bodies.entity[bodyA[pair]];
    entityB[eid] = bodies.entity[bodyB[pair]];
  }
}

/** Columns of all contact entities, as the tables have them. */
export function showContacts(physics: Physics): void {
  const { arena, tables } = physics.internal.engine;
  const { entity } = tables.pairs;
  const shown = new Int32Array(arena.i32[L.PAIR_COUNT >> 2]);
  let count = 0;
  for (let pair = 0; pair < shown.length; pair++) if (entity[pair] !== 0) shown[count++] = pair;
  nameContacts(physics, shown, count);
  writeContacts(physics, shown, count);
  forgetShown(physics);
  noteShown(physics, shown, count);
}

/** Columns of contacts that show numbers of the tables, as pairs of integers: these tell zeros by their signs. */
function shownBits({ components, internal }: Physics): readonly Int32Array[] {
  const { capacity } = internal.columns;
  const before = listed.get(internal.columns);
  if (before?.capacity === capacity) return before.bits;
  const { approachSpeed, normal, normalImpulse, frictionImpulse } = components.Contact;
  const bits = [approachSpeed, normal.x, normal.y, normal.z, normalImpulse, frictionImpulse].map(bitsOf);
  listed.set(internal.columns, { capacity, bits });
  return bits;
}

const listed = new WeakMap<ColumnSet, { readonly capacity: number; readonly bits: readonly Int32Array[] }>();

function bitsOf(column: ResultColumn): Int32Array {
  return new Int32Array(column.buffer, column.byteOffset, 2 * column.length);
}

/**
 * Contact entities that say something else than the tables. Those that the last step wrote need not be looked at (to
 * read them all was a tenth of a snapshot), unless `isWhole`.
 */
export function differingContacts(physics: Physics, isWhole = false): Int32Array {
  const { pointCount, slot, entityA, entityB, frictionImpulse, sliding } = physics.components.Contact;
  const [speed, nx, ny, nz, impulse, friction] = shownBits(physics);
  const { arena, tables } = physics.internal.engine;
  const { i32 } = arena;
  const { entity, points, normal, hit, approach, bodyA, bodyB } = tables.pairs;
  const [normalAt, hitAt, approachAt] = [normal, hit, approach].map(({ byteOffset }) => byteOffset >> 2);
  const bodies = tables.bodies.entity;
  const { rounds, round } = physics.internal.shownContacts;
  const differing: number[] = [];

  for (let pair = 0; pair < arena.i32[L.PAIR_COUNT >> 2]; pair++) {
    const eid = entity[pair];
    if (eid === 0 || (rounds[pair] === round && !isWhole)) continue;
    const low = 2 * eid;
    const high = low + 1;
    const n = normalAt + 8 * pair;
    const h = hitAt + 8 * pair;
    const a = approachAt + 2 * pair;
    const [y, z] = [hit[4 * pair + 1], hit[4 * pair + 2]];

    const isShown =
      slot[eid] === pair &&
      pointCount[eid] === points[pair] &&
      entityA[eid] === bodies[bodyA[pair]] &&
      entityB[eid] === bodies[bodyB[pair]] &&
      speed[low] === i32[a] &&
      speed[high] === i32[a + 1] &&
      nx[low] === i32[n] &&
      nx[high] === i32[n + 1] &&
      ny[low] === i32[n + 2] &&
      ny[high] === i32[n + 3] &&
      nz[low] === i32[n + 4] &&
      nz[high] === i32[n + 5] &&
      impulse[low] === i32[h] &&
      impulse[high] === i32[h + 1] &&
      sliding[eid] === hit[4 * pair + HIT_SLID] &&
      // A root has no sign.
      frictionImpulse[eid] === Math.sqrt(y * y + z * z) &&
      friction[high] >= 0;

    if (!isShown) differing.push(eid);
  }

  return Int32Array.from(differing);
}

function endContact(physics: Physics, pair: number): void {
  const { pairs } = physics.internal.engine.tables;
  const eid = pairs.entity[pair];
  if (eid === 0) return;
  pairs.entity[pair] = 0;
  dropEntity(physics, eid);
}

/** To be told of every onRemove(Contact): the game may have removed it, and its id may be given to another entity. */
export function forgetContact(physics: Physics, eid: number): void {
  noteLeaving(physics, eid, 'Contact');
  const { entity } = physics.internal.engine.tables.pairs;
  const pair = physics.components.Contact.slot[eid];
  if (entity[pair] === eid) entity[pair] = 0;
}

/** Columns of the contact entities of `count` pairs, from their manifolds. Looked up once, for the loop's sake. */
function writeContacts(physics: Physics, list: Int32Array, count: number): void {
  const Contact = written(physics.components.Contact);
  const { pointCount, normalImpulse, frictionImpulse, sliding } = Contact;
  const { x: nx, y: ny, z: nz } = Contact.normal;
  const { entity, points, normal, hit } = physics.internal.engine.tables.pairs;
  for (let i = 0; i < count; i++) {
    const pair = list[i];
    const eid = entity[pair];
    if (eid === 0) continue;
    const at = 4 * pair;
    pointCount[eid] = points[pair];
    nx[eid] = normal[at];
    ny[eid] = normal[at + 1];
    nz[eid] = normal[at + 2];
    normalImpulse[eid] = hit[at];
    frictionImpulse[eid] = Math.sqrt(hit[at + 1] * hit[at + 1] + hit[at + 2] * hit[at + 2]);
    sliding[eid] = hit[at + HIT_SLID];
  }
}
