// Snapshot and restore: the memory's used range, and what a game may write beside it.
// Exact: rollback repeats bit for bit.
//
// A restore is no event: observers of the world are silent meanwhile, and what happened to entities is returned.

import { written } from '../components/columns';
import { noteMotion } from '../src/collision/queries';
import { refuse, refuseAs } from '../src/core/errors';
import { settleSettings } from '../src/dynamics/engine';
import { isPlain, type KeptMemory, type RareMemory } from '../src/dynamics/kept-memory';
import { isKeptMemory, keepMemory } from '../src/dynamics/memory-image';
import { copyMemory, packMemory, putMemory } from '../src/dynamics/plain-memory';
import * as L from '../src/state/layout';
import { forgetShapeRows } from '../src/state/shape-rows';
import { stampShape } from '../src/state/shape-stamps';
import { copyOutList } from './copy-out';
import { freeNumbers, largestNumber, orderFreeNumbers, withoutObservers } from './ecs-changes';
import { differingContacts, showContacts, unnoteShown } from './emit-events';
import { flushEntities } from './entities';
import { interpolate } from './interpolate';
import { MESH_NAMES } from './mesh-families';
import { type Physics, requireBetweenSteps, requirePhysics } from './physics';
import { relistQuarantined } from './report-step';
import {
  addBodiless,
  bodilessOf,
  entitiesOf,
  isUnderWay,
  presentRows,
  type Rows,
  renumberRows,
  restoreEntities,
  rowsOf,
} from './restore-entities';
import { copyShapeBook, isSameBook, type ShapeBook } from './shape-book';
import { type Kind, kindBit, type RestoreReport, type Snapshot } from './snapshot-types';
import { keepBodyColumns, keepColumns, putBodyColumns, putColumns, shareArray } from './state-columns';
import { hasModule } from './step-modules';

const OTHER_KINDS = [
  ...(['Rod', 'Groom', 'Attachment', 'Joint'] as const),
  ...MESH_NAMES,
  ...(['Character', 'Vehicle', 'Wheel'] as const),
] as const;

/**
 * An exact copy of the state, for `restoreSnapshot`, in the room of `spent`, which cannot be put back any more. Throws
 * UsageError inside a step.
 */
export function takeSnapshot(physics: Physics, spent: Snapshot | null = null): Snapshot {
  const where = 'physics.snapshot';
  requirePhysics(physics, where);
  requireBetweenSteps(physics, where);
  if (spent !== null && !(spent.bytes instanceof Uint8Array))
    refuse(where, 'spent must be a snapshot that is not needed any more', spent);
  flushEntities(physics);
  const { engine, clock } = physics.internal;
  const freed = spent !== null && isStillPlain(spent) && origins.get(spent)?.world === clock ? spent.changes.length : 0;
  const shared = engine.rare.kept;
  const plain = copyMemory(engine, MOST_PLAIN / 4, spent);
  const rows = rowsOf(physics, false);
  const snapshot = keepState(physics, plain ?? keepMemory(engine, false), rows);
  origins.set(snapshot, { world: clock, population: populationOf(rows, snapshot.bodiless) });
  if (plain) {
    const isSharedAnew = plain.rare !== null && plain.rare !== shared;
    packOldest(physics, snapshot, (isSharedAnew ? plain.rare.bytes.length : 0) - freed);
  }
  return snapshot;
}

/** A snapshot for a file: it shares nothing with others. */
export function takeWhole(physics: Physics, where: string): Snapshot {
  requirePhysics(physics, where);
  requireBetweenSteps(physics, where);
  flushEntities(physics);
  return keepState(physics, keepMemory(physics.internal.engine, true), rowsOf(physics, false));
}

/** Plain copies of a world that may be about, with what they share; of more the oldest are packed [B]. */
const MOST_PLAIN = 64 * 2 ** 20;

/** Plain snapshots that are listed before it is looked which of them are about. */
const MOST_LISTED = 256;

/**
 * Packs the oldest plain snapshots that are about where there are too many with this one, which adds so many bytes
 * beside its own changes: what it is the first to share, less the memory of the one whose place it takes. Looked at is
 * only where there may be: to ask all of them took a thirtieth of a snapshot.
 */
function packOldest(physics: Physics, snapshot: Snapshot, added: number): void {
  const { internal } = physics;
  internal.plainBytes += snapshot.changes.length + added;
  if (internal.plainBytes <= MOST_PLAIN && internal.plain.length < MOST_LISTED) {
    internal.plain.push(new WeakRef(snapshot));
    return;
  }
  const plain = internal.plain.filter((at) => isStillPlain(at.deref()) && at.deref() !== snapshot);
  plain.push(new WeakRef(snapshot));
  let bytes = 0;
  let first = plain.length - 1;
  const shared = new Set<RareMemory>();
  for (; first >= 0; first--) {
    const { changes, rare } = plain[first].deref() as Snapshot;
    bytes += changes.length;
    if (rare && !shared.has(rare)) bytes += rare.bytes.length;
    if (rare) shared.add(rare);
    if (bytes > MOST_PLAIN) break;
  }
  for (const old of plain.splice(0, first + 1)) packSnapshot(physics, old.deref() as Snapshot);
  internal.plain = plain;
  internal.plainBytes = Math.min(bytes, MOST_PLAIN);
}

function isStillPlain(snapshot: Snapshot | undefined): boolean {
  return snapshot !== undefined && isPlain(snapshot) && snapshot.changes.length > 0;
}

/** Packs a snapshot, which says the same afterwards. Throws UsageError inside a step. */
export function packSnapshot(physics: Physics, snapshot: Snapshot): void {
  const where = 'physics.packSnapshot';
  requirePhysics(physics, where);
  requireBetweenSteps(physics, where);
  requireSnapshot(physics, snapshot, where);
  if (isPlain(snapshot)) Object.assign(snapshot, packMemory(physics.internal.engine, snapshot));
}

function keepState(physics: Physics, memory: KeptMemory, rows: Rows): Snapshot {
  const { internal } = physics;
  const bodiless = shareArray(physics, 'bodiless', bodilessOf(physics));
  return {
    ...memory,
    rods: internal.engine.arena.i32[L.ROD_COUNT >> 2],
    joints: internal.engine.arena.i32[L.JOINT_COUNT >> 2],
    time: internal.clock[0],
    stepCount: internal.stepCount,
    accumulator: internal.clock[1],
    shapes: keepShapes(physics),
    settings: settingsOf(physics),
    bodiless,
    bodies: keepBodyColumns(physics, entitiesOf(rows, 'RigidBody'), bodiless),
    contacts: keepContacts(physics),
    strands: OTHER_KINDS.map((kind) => keepColumns(physics, kind, entitiesOf(rows, kind))),
    shells: keepMeshes(physics),
    shown: { ...internal.rods.shown },
    free: shareArray(physics, 'free', freeNumbers(physics.world)),
    largest: largestNumber(physics.world),
    serial: ++internal.serial,
  };
}

function keepShapes({ internal }: Physics): ShapeBook {
  const { keptShapes, shapes } = internal;
  if (keptShapes === null || !isSameBook(keptShapes, shapes)) internal.keptShapes = copyShapeBook(shapes);
  return internal.keptShapes as ShapeBook;
}

/** Puts the state back, entities, columns and tags included. Throws UsageError, with nothing changed, if it cannot. */
export function restoreSnapshot(physics: Physics, snapshot: Snapshot): RestoreReport {
  const where = 'physics.restore';
  requirePhysics(physics, where);
  requireBetweenSteps(physics, where);
  requireSnapshot(physics, snapshot);
  if (isUnderWay(physics)) {
    refuseAs(where, 'must be called between changes', 'a call by an observer of an entity that comes or goes');
  }
  const isForeign = requireOrigin(physics, snapshot);
  // Another world counts its entities by itself; of ours none has come or gone.
  return applySnapshot(physics, snapshot, isForeign ? physics.internal.serial : snapshot.serial);
}

/**
 * The world that a snapshot is of, by an object that each has of its own, and a number over the entities it had. Not
 * part of the snapshot: saved games know nothing of it.
 */
const origins = new WeakMap<Snapshot, { readonly world: object; readonly population: number }>();

/** A number over entities and what they are, contacts apart, which `kinds` may lack; in any order. */
function populationOf({ entities, kinds }: Rows, bodiless: ArrayLike<number>): number {
  const contact = kindBit('Contact');
  const body = kindBit('RigidBody');
  let sum = 0;
  const add = (eid: number, kind: number) => {
    if (kind !== 0) sum = (sum + Math.imul(Math.imul(eid, 0x9e3779b1) ^ kind, 0x85ebca6b)) | 0;
  };
  for (let i = 0; i < entities.length; i++) add(entities[i], kinds[entities[i]] & ~contact);
  for (let i = 0; i < bodiless.length; i++) if (!(kinds[bodiless[i]] & body)) add(bodiless[i], body);
  return sum;
}

/**
 * Whether a snapshot is of another world. Refuses it if that has other entities than this one: their numbers would be
 * mixed up.
 */
function requireOrigin(physics: Physics, snapshot: Snapshot): boolean {
  const origin = origins.get(snapshot);
  if (!origin || origin.world === physics.internal.clock) return false;
  flushEntities(physics);
  if (origin.population === populationOf(rowsOf(physics, false), bodilessOf(physics))) return true;
  const expectation = 'snapshot must be of this world, or of one with the same entities';
  const remedy = '(between worlds: saveGame and loadGame)';
  refuseAs('physics.restore', `${expectation} ${remedy}`, 'one of a world with other entities');
}

/**
 * Puts a checked snapshot in the place of what there is. What was made after `serial` goes; null: every entity gets a
 * new number.
 */
export function applySnapshot(physics: Physics, snapshot: Snapshot, serial: number | null): RestoreReport {
  const present = presentRows(physics);
  let report: RestoreReport = { returned: [], removed: [], renumbered: new Map() };
  withoutObservers(physics.world, () => {
    restoreTables(physics, snapshot);
    const wanted = rowsOf(physics);
    addBodiless(wanted, snapshot.bodiless);
    report = restoreEntities(physics, present, wanted, serial);
    if (serial !== null) orderFreeNumbers(physics.world, snapshot.free, snapshot.largest);
    forgetNotes(physics);
    renumberRows(physics, report.renumbered);
    // Mostly these rows are as they were wanted.
    const isAsWanted = report.renumbered.size === 0 && snapshot.bodiless.length === 0;
    showRows(physics, snapshot, report.renumbered, isAsWanted ? wanted : rowsOf(physics));
  });
  interpolate(physics, physics.alpha);
  return report;
}

function restoreTables({ internal }: Physics, snapshot: Snapshot): void {
  putMemory(internal.engine, snapshot);
  forgetShapeRows(internal.engine.tables);
  settleSettings(internal.engine);
  noteMotion(internal.queries);
  internal.clock[0] = snapshot.time;
  internal.stepCount = snapshot.stepCount;
  internal.clock[1] = snapshot.accumulator;
  const before = internal.shapes.handles;
  internal.shapes = copyShapeBook(snapshot.shapes);
  internal.shapes.handles.forEach((handle, place) => {
    if (handle === before[place]) return;
    for (const part of handle?.parts ?? []) stampShape(internal.engine.tables, part.shape);
  });
}

/** What the observers noted since concerns a state that is gone. */
function forgetNotes({ internal }: Physics): void {
  const { spawned, removed, changed, slept, rods, joints } = internal;
  joints.removed.length = 0;
  joints.pending.clear();
  spawned.length = removed.length = changed.length = slept.length = rods.removed.length = 0;
  rods.pending.clear();
  rods.pendingShells.clear();
  rods.pendingNodes = 0;
}

/** Who has which row, and columns and tags as they were. */
function showRows(physics: Physics, snapshot: Snapshot, renumbered: ReadonlyMap<number, number>, rows: Rows): void {
  const { internal } = physics;
  const { arena, tables, report } = internal.engine;
  const { bodies } = tables;
  internal.slotOf.fill(-1);
  internal.moved.count = 0;
  const slots = new Int32Array(arena.i32[L.BODY_COUNT >> 2]);
  let count = 0;
  for (let slot = 0; slot < slots.length; slot++) {
    if (!(bodies.flags[slot] & L.BODY_ALIVE)) continue;
    slots[count++] = slot;
    internal.slotOf[bodies.entity[slot]] = slot;
  }
  report.bodies = count;
  relistQuarantined(internal.engine);
  copyOutList(physics, slots, count, false);
  const bodiless = snapshot.bodiless.map((eid) => renumbered.get(eid) ?? eid);
  putBodyColumns(physics, entitiesOf(rows, 'RigidBody'), bodiless, snapshot.bodies);
  internal.waiting.clear();
  for (const eid of bodiless) internal.waiting.set(eid, physics.components.Collider.shape[eid]);
  putMeshes(physics, snapshot, renumbered);
  showContacts(physics);
  putContacts(physics, snapshot.contacts, renumbered);
  // Lists of contacts look at the columns of these.
  for (const module of internal.modules) module.restore?.(physics);
  internal.rods.shown = { ...snapshot.shown };
  OTHER_KINDS.forEach((kind, k) => {
    putColumns(physics, kind, entitiesOf(rows, kind), snapshot.strands[k]);
  });
  renumberColumns(physics, rows, renumbered);
}

/** The meshes of objects, for drawing and for vertices by their numbers; their kinds stand in the tables. */
function keepMeshes({ internal }: Physics): Snapshot['shells'] {
  return Array.from(internal.rods.meshes, ([entity, { kind, ...mesh }]) => ({ entity, ...mesh }));
}

function putMeshes({ internal }: Physics, { shells }: Snapshot, renumbered: ReadonlyMap<number, number>): void {
  const { arena, tables } = internal.engine;
  const { rods, strands } = tables;
  const { meshes } = internal.rods;
  const slots = new Map<number, number>();
  for (let slot = 0; slot < arena.i32[L.ROD_COUNT >> 2]; slot++) {
    if (rods.flags[slot] & L.ROD_ALIVE) slots.set(rods.entity[slot], slot);
  }
  meshes.clear();
  for (const { entity, map, triangles, embedding, volume } of shells) {
    const eid = renumbered.get(entity) ?? entity;
    meshes.set(eid, {
      kind: strands.kind[rods.strandStart[slots.get(eid) as number]],
      map: Int32Array.from(map),
      triangles: Uint32Array.from(triangles),
      embedding: embedding && { ...embedding, corner: Int32Array.from(embedding.corner) },
      volume: volume && { ...volume, corner: Int32Array.from(volume.corner) },
    });
  }
}

/**
 * Contacts whose columns say something else than the tables: they took no part in the last step, or have ended between
 * steps and their entities go with the next one.
 */
function keepContacts(physics: Physics): Snapshot['contacts'] {
  const entities = shareArray(physics, 'contacts', differingContacts(physics));
  return { entities, columns: keepColumns(physics, 'Contact', entities) };
}

function putContacts(physics: Physics, kept: Snapshot['contacts'], renumbered: ReadonlyMap<number, number>): void {
  const { entityA, entityB } = written(physics.components.Contact);
  const now = (eid: number) => renumbered.get(eid) ?? eid;
  const entities = kept.entities.map(now);
  unnoteShown(physics, entities);
  putColumns(physics, 'Contact', entities, kept.columns);
  if (renumbered.size === 0) return;
  for (const eid of entities) {
    entityA[eid] = now(entityA[eid]);
    entityB[eid] = now(entityB[eid]);
  }
}

/** Columns of joints, characters and wheels name entities. */
function renumberColumns(physics: Physics, rows: Rows, renumbered: ReadonlyMap<number, number>): void {
  if (renumbered.size === 0) return;
  const Attachment = written(physics.components.Attachment);
  const { Joint, Character, Wheel } = physics.components;
  const renumber = (kind: Kind, columns: readonly Int32Array[]) => {
    for (const column of columns) {
      for (const eid of entitiesOf(rows, kind)) column[eid] = renumbered.get(column[eid]) ?? column[eid];
    }
  };
  renumber('Attachment', [Attachment.rod, Attachment.body, Attachment.other]);
  renumber('Joint', [written(Joint).entityA, written(Joint).entityB]);
  renumber('Character', [written(Character).ground]);
  renumber('Wheel', [written(Wheel).vehicle, written(Wheel).ground]);
}

/** Who else moves bodies, the module that does it, and the call that makes it known to a world. */
const ACTOR_MODULES = [
  ['Character', 'characters', 'enableCharacters'],
  ['Vehicle', 'vehicles', 'enableVehicles'],
] as const;

/** They are frozen. */
const settingsTexts = new WeakMap<object, string>();

/** Settings that change what happens, as text. Gravity is state (setGravity). */
function settingsOf({ settings }: Physics): string {
  const known = settingsTexts.get(settings);
  if (known !== undefined) return known;
  const { gravity, warn, userTiming, stageTimes, initialBodies, threads, ...rest } = settings;
  const text = JSON.stringify(rest);
  settingsTexts.set(settings, text);
  return text;
}

/** `: timeStep 0.0166, here 0.0083`, for people; empty where that cannot be told. */
function differingSettings(theirs: string, ours: string): string {
  try {
    const [them, us] = [JSON.parse(theirs), JSON.parse(ours)];
    const differing: string[] = [];
    const list = (a: Record<string, unknown>, b: Record<string, unknown>, prefix: string) => {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
        const [x, y] = [JSON.stringify(a[key]), JSON.stringify(b[key])];
        if (x !== y) differing.push(`${prefix}${key} ${x}, here ${y}`);
      }
    };
    list({ ...them, elastic: undefined }, { ...us, elastic: undefined }, '');
    list(them.elastic ?? {}, us.elastic ?? {}, 'elastic.');
    return differing.length > 0 ? `: ${differing.join('; ')}` : '';
  } catch {
    return '';
  }
}

/** Refuses what takeSnapshot did not make, and the snapshot of a world with other settings. */
export function requireSnapshot(physics: Physics, snapshot: Snapshot, where = 'physics.restore'): void {
  const { shapes, settings, bodies, strands, contacts, shells, time, stepCount, accumulator } = snapshot ?? {};
  if (
    !isKeptMemory(physics.internal.engine.arena, snapshot ?? {}) ||
    !Array.isArray(shapes?.handles) ||
    !(shapes.ids instanceof Map) ||
    !Array.isArray(bodies?.columns) ||
    !Array.isArray(strands) ||
    !ArrayBuffer.isView(contacts?.entities) ||
    !Array.isArray(shells) ||
    ![time, stepCount, accumulator].every(Number.isFinite)
  ) {
    refuse(where, 'snapshot must come from physics.snapshot(), and not have been handed back to it', snapshot);
  }
  if (settings !== settingsOf(physics)) {
    const others = differingSettings(settings, settingsOf(physics));
    refuseAs(where, 'snapshot must be of a world with the same settings', `others${others}`);
  }
  // Without their systems this world never had one.
  const { rods, joints } = snapshot;
  for (const [kind, name, call] of ACTOR_MODULES) {
    if (strands[OTHER_KINDS.indexOf(kind)]?.length > 0 && !hasModule(physics.internal, name)) {
      refuseAs(where, `${call} must be called before`, `one with ${name}`);
    }
  }
  if (joints > 0 && !hasModule(physics.internal, 'joints')) {
    refuseAs(where, 'snapshot must be of this world, which never had joints', 'one with joints');
  }
  if (rods > 0 && !hasModule(physics.internal, 'rods')) {
    refuseAs(where, 'snapshot must be of this world, which never had rods', 'one with rods');
  }
  if (shells.length > 0 && !hasModule(physics.internal, 'surfaces')) {
    refuseAs(where, 'snapshot must be of this world, which never had shells or solids', 'one with some');
  }
}
