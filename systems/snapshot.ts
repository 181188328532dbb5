// Snapshot and restore: one copy of the memory's used range and a few counters. Exact: rollback repeats bit for bit.

import { entityExists, hasComponent, removeComponent, removeEntity } from 'bitecs';
import { copiedAt, copyArena, restoreArena } from '../src/core/arena';
import { refuse } from '../src/core/errors';
import * as L from '../src/state/layout';
import { copyOutBody, copyOutSurface, mirrorSleepTag, pushMoved } from './copy-out';
import { beginContact } from './emit-events';
import { flushEntities } from './entities';
import { type Physics, requireBetweenSteps, requirePhysics, type Snapshot } from './physics';

/** An exact copy of the state, for `restoreSnapshot`. Throws UsageError inside a step. */
export function takeSnapshot(physics: Physics): Snapshot {
  requirePhysics(physics, 'physics.snapshot');
  requireBetweenSteps(physics, 'physics.snapshot');
  flushEntities(physics);
  const { internal } = physics;
  return {
    bytes: copyArena(internal.engine.arena),
    time: internal.clock[0],
    stepCount: internal.stepCount,
    accumulator: internal.clock[1],
    shapes: internal.shapes.slice(),
    shapeIds: new Map(internal.shapeIds),
  };
}

/** Puts the state back; bodies, rods and attachments made since lose their component. Throws UsageError, with nothing changed, if it cannot. */
export function restoreSnapshot(physics: Physics, snapshot: Snapshot): void {
  requirePhysics(physics, 'physics.restore');
  requireBetweenSteps(physics, 'physics.restore');
  requireSnapshot(physics, snapshot);
  flushEntities(physics);
  const { internal, world, components } = physics;
  const { arena, tables } = internal.engine;
  requireEntities(physics, snapshot);
  const before = contactEntities(physics);
  const hadBody = Array.from(internal.slotOf.keys()).filter((eid) => internal.slotOf[eid] >= 0);

  restoreArena(arena, snapshot.bytes);
  internal.queries.stale = true;
  internal.clock[0] = snapshot.time;
  internal.stepCount = snapshot.stepCount;
  internal.clock[1] = snapshot.accumulator;
  internal.shapes = snapshot.shapes.slice();
  internal.shapeIds = new Map(snapshot.shapeIds);

  internal.slotOf.fill(-1);
  internal.moved.count = 0;
  const { bodies } = tables;
  internal.engine.report.bodies = 0;
  for (let slot = 0; slot < arena.i32[L.BODY_COUNT >> 2]; slot++) {
    if (!(bodies.flags[slot] & L.BODY_ALIVE)) continue;
    internal.engine.report.bodies++;
    const eid = bodies.entity[slot];
    internal.slotOf[eid] = slot;
    copyOutBody(physics, slot);
    copyOutSurface(physics, slot);
    mirrorSleepTag(physics, slot);
    pushMoved(physics, eid);
  }
  for (const eid of hadBody) {
    if (internal.slotOf[eid] < 0) removeComponent(world, eid, components.RigidBody);
  }
  internal.rodSystems?.restore(physics);
  restoreContacts(physics, before);
}

/** Refuses what takeSnapshot did not make, and the snapshot of a world with other settings. */
function requireSnapshot(physics: Physics, snapshot: Snapshot): void {
  const { bytes, shapes, shapeIds, time, stepCount, accumulator } = snapshot ?? {};
  const { layout } = physics.internal.engine.arena;
  const top = copiedAt(layout, L.ARENA_TOP);
  if (
    !(bytes instanceof Uint8Array) ||
    bytes.length < copiedAt(layout, L.ARENA_BASE) ||
    copiedAt(layout, new DataView(bytes.buffer, bytes.byteOffset).getInt32(top, true)) !== bytes.length ||
    !Array.isArray(shapes) ||
    !(shapeIds instanceof Map) ||
    ![time, stepCount, accumulator].every(Number.isFinite)
  ) {
    refuse('physics.restore', 'snapshot must come from physics.snapshot()', snapshot);
  }
  const { u8 } = physics.internal.engine.arena;
  for (let at = L.GRAVITY; at < L.MAXIMUM_SPIN + 8; at++) {
    if (u8[at] !== bytes[copiedAt(layout, at)]) {
      refuse('physics.restore', 'snapshot must be of a world with the same settings', 'one of other settings');
    }
  }
}

/** Refuses a snapshot with a body whose entity is gone, before anything is changed. */
function requireEntities(physics: Physics, snapshot: Snapshot): void {
  const { rodSystems, engine } = physics.internal;
  const { buffer, byteOffset } = snapshot.bytes;
  const at = (address: number) => byteOffset + copiedAt(engine.arena.layout, address);
  const cell = (address: number) => new Int32Array(buffer, at(address), 1)[0];
  const count = cell(L.BODY_COUNT);
  const view = (address: number, length = count) => new Int32Array(buffer, at(cell(address)), length);
  const flags = view(L.BODY_FLAGS);
  const entity = view(L.BODY_ENTITY);
  for (let slot = 0; slot < count; slot++) {
    if (!(flags[slot] & L.BODY_ALIVE)) continue;
    if (
      !entityExists(physics.world, entity[slot]) ||
      !hasComponent(physics.world, entity[slot], physics.components.RigidBody)
    ) {
      refuse(
        'physics.restore',
        'every body of the snapshot must still have its entity with RigidBody',
        `none for entity ${entity[slot]}`,
      );
    }
  }
  // Without the systems of rods this world never had one.
  const missing = rodSystems
    ? rodSystems.findMissing(physics, cell, view)
    : cell(L.ROD_COUNT) > 0 && 'rod was ever added';
  if (missing) {
    const expected = 'every rod and attachment of the snapshot must still have its entity with its component';
    refuse('physics.restore', expected, `no ${missing}`);
  }
}

function contactKey(physics: Physics, pair: number): string {
  const { pairs } = physics.internal.engine.tables;
  return `${pairs.colliderA[pair]} ${pairs.colliderB[pair]} ${pair}`;
}

/** Contact entities at present, by pair. */
function contactEntities(physics: Physics): Map<string, number> {
  const { arena, tables } = physics.internal.engine;
  const found = new Map<string, number>();
  for (let pair = 0; pair < arena.i32[L.PAIR_COUNT >> 2]; pair++) {
    const eid = tables.pairs.entity[pair];
    if (eid !== 0) found.set(contactKey(physics, pair), eid);
  }
  return found;
}

/** Contact entities follow the restored pairs: kept where the touch is the same, else removed and made. */
function restoreContacts(physics: Physics, before: Map<string, number>): void {
  const { arena, tables } = physics.internal.engine;
  const begun: number[] = [];
  for (let pair = 0; pair < arena.i32[L.PAIR_COUNT >> 2]; pair++) {
    if (!(tables.pairs.flags[pair] & L.PAIR_ALIVE) || tables.pairs.entity[pair] === 0) continue;
    const key = contactKey(physics, pair);
    const eid = before.get(key);
    tables.pairs.entity[pair] = 0;
    if (eid === undefined) begun.push(pair);
    else {
      tables.pairs.entity[pair] = eid;
      before.delete(key);
    }
  }
  for (const eid of before.values()) removeEntity(physics.world, eid);
  for (const pair of begun) beginContact(physics, pair);
}
