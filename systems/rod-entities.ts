// Keeps the engine's rods in step with the ECS: components Rod, Groom and Attachment that come and go, material
// columns that the game writes, bodies that go while a clamp or attachment holds on to them.
//
// As for bodies, observers (observe-rods) only take notes. Rows are made and removed at copy-in, or by the next call
// between steps.

import type { RodColumns, ShellColumns, SolidColumns } from '../components/components';
import { dropAttachmentsOf, rebaseAttachments } from '../src/dynamics/elastic/attachment-rows';
import { leaveClampsInWorld, rebaseClamps } from '../src/dynamics/elastic/clamp-rows';
import { createRod, destroyRods } from '../src/dynamics/elastic/rows';
import { touchRod } from '../src/dynamics/elastic/touch-strands';
import { writeHingeCompliance } from '../src/mechanics/shell/hinge-compliance';
import { listAway, takeBack } from '../src/state/away-strands';
import * as L from '../src/state/layout';
import { expectMaterialNumber, type MaterialNumber } from '../src/state/material-number';
import { IS_WARPED } from '../src/state/material-places';
import { ROD_NUMBER_NAMES, ROD_NUMBERS } from '../src/state/rod-material';
import { strandChanges } from '../src/state/strand-changes';
import { copyInAttachments, copyOutAttachments, restoreAttachments } from './attachment-columns';
import { dropEntity, setTag } from './ecs-changes';
import { familyOfKind, MESH_FAMILIES } from './mesh-families';
import type { Physics } from './physics';
import { holdNode } from './pins';
import { hasPendingRods, type PendingRod, type PendingShell } from './rod-state';
import { kindOf, refreshShells } from './shell-columns';
import { isRodAsleep, noteSleepTag, setSleepTag } from './sleep-tags';
import { refreshStrands } from './strand-columns';
import { tellIgnored } from './warnings';

/** Makes and removes the rods noted since the last time. Bodies have been made before. */
export function flushRods(physics: Physics): void {
  if (!hasPendingRods(physics.internal.rods)) return;
  const { engine, rods: state } = physics.internal;
  const removed = state.removed.splice(0);
  for (const eid of state.unbroken.splice(0)) setTag(physics, eid, physics.components.Broken, false);
  if (removed.length > 0) {
    const slots = removed.map(({ slot }) => slot);
    removeEntities(physics, destroyRods(engine, slots));
    for (const { entity } of removed) setSleepTag(physics, entity, false);
  }
  for (const [eid, pending] of state.pending) spawnRod(physics, eid, pending);
  for (const eid of state.pending.keys()) noteSleepTag(physics, eid, false);
  state.pending.clear();
  for (const [eid, pending] of state.pendingShells) spawnShell(physics, eid, pending);
  for (const eid of state.pendingShells.keys()) noteSleepTag(physics, eid, false);
  state.pendingShells.clear();
  state.pendingNodes = 0;
  refreshStrands(physics);
  refreshShells(physics);
}

function spawnShell(physics: Physics, eid: number, { create, mesh, pins }: PendingShell): void {
  const { engine, rods: state } = physics.internal;
  const slot = create(engine);
  state.slotOf[eid] = slot;
  state.meshes.set(eid, mesh);
  for (const { node, body, point } of pins) {
    const holder = body === 0 ? -1 : (physics.internal.slotOf[body] ?? -1);
    if (body !== 0 && holder < 0) {
      physics.internal.notes.push(
        `${familyOfKind(mesh.kind)} of entity ${eid}: the body of a pin, entity ${body}, is gone; the ` +
          'pin is not made',
      );
    } else holdNode(physics, slot, node, holder, point);
  }
}

function spawnRod(physics: Physics, eid: number, pending: PendingRod): void {
  const { internal } = physics;
  const { definition } = pending;
  definition.attachStart = bodySlot(physics, eid, pending.attachStart);
  definition.attachEnd = bodySlot(physics, eid, pending.attachEnd);
  internal.rods.slotOf[eid] = createRod(internal.engine, definition);
}

function bodySlot(physics: Physics, eid: number, body: number): number {
  if (body === 0) return -1;
  const slot = physics.internal.slotOf[body] ?? -1;
  if (slot < 0) {
    physics.internal.notes.push(
      `Rod of entity ${eid}: its body, entity ${body}, is gone; the clamp stays in the world`,
    );
  }
  return slot;
}

/** What the entity of a slot has for a material. */
interface Material {
  /** In the order of ROD_PARAMETER (8), ROD_EXTRA (4), ROD_WEAVE; empty: a number that it has not. */
  readonly names: readonly string[];
  readonly numbers: Readonly<Record<string, MaterialNumber>>;
  /** The same of any model but the first (ROD_MODEL_SHIFT), where they differ. */
  readonly modelNumbers?: Readonly<Record<string, MaterialNumber>>;
  /** The first number in the rows over that in the column. */
  readonly share: number;
}

const ROD_MATERIAL: Material = { names: ROD_NUMBER_NAMES, numbers: ROD_NUMBERS, share: 1 };

function materialOf(physics: Physics, slot: number): Material {
  const family = familyOfKind(kindOf(physics, slot));
  return family === null ? ROD_MATERIAL : MESH_FAMILIES[family];
}

/** The columns that the entity of a slot has it in. */
function columnsOf(physics: Physics, slot: number): Record<string, Float64Array> {
  const { components } = physics;
  const family = familyOfKind(kindOf(physics, slot));
  if (family !== null) return numbersOf(components[family]);
  const isGroom = (physics.internal.engine.tables.rods.flags[slot] & L.ROD_GROOM) !== 0;
  return numbersOf(isGroom ? components.Groom : components.Rod);
}

function numbersOf(columns: RodColumns | ShellColumns | SolidColumns): Record<string, Float64Array> {
  return columns as unknown as Record<string, Float64Array>;
}

function removeEntities(physics: Physics, entities: readonly number[]): void {
  for (const eid of entities) dropEntity(physics, eid);
}

/** A body is about to go: its clamps stay in the world where they are, its attachments end. */
export function releaseFromBody(physics: Physics, slot: number): void {
  const { engine } = physics.internal;
  if (engine.arena.i32[L.STRAND_COUNT >> 2] === 0) return;
  leaveClampsInWorld(engine, slot);
  removeEntities(physics, dropAttachmentsOf(engine, slot));
}

/** A body was made anew: what hung on slot `from`, with its centre of mass at `center`, hangs on slot `to`. */
export function followBody(physics: Physics, from: number, to: number, center: Float64Array): void {
  const { engine } = physics.internal;
  if (engine.arena.i32[L.STRAND_COUNT >> 2] === 0) return;
  if (to < 0) {
    releaseFromBody(physics, from);
    return;
  }
  const shift = new Float64Array(3);
  for (let k = 0; k < 3; k++) shift[k] = engine.tables.bodies.center[4 * to + k] - center[k];
  rebaseClamps(engine, from, to, shift);
  rebaseAttachments(engine, from, to, shift);
}

/** Takes over the material columns of all rods. */
export function copyInRods(physics: Physics): void {
  const { arena, tables } = physics.internal.engine;
  const { rods } = tables;
  const count = arena.i32[L.ROD_COUNT >> 2];
  listed = null;
  for (let slot = 0; slot < count; slot++) {
    if (!(rods.flags[slot] & L.ROD_ALIVE)) continue;
    const eid = rods.entity[slot];
    if (eid !== 0) readMaterial(physics, eid, slot);
  }
  copyInAttachments(physics);
}

/** The first two, radius and density, are fixed: masses and lengths were made from them. */
const FIXED = 2;

/** Whose columns are listed, and these in the order of the numbers, null: a number that it has not. */
let listed: Record<string, Float64Array> | null = null;
const list: (Float64Array | null)[] = [];

/** Columns are looked up by name once for all objects that share them. */
function listColumns(columns: Record<string, Float64Array>, names: readonly string[]): void {
  if (columns === listed) return;
  listed = columns;
  list.length = names.length;
  for (let k = 0; k < names.length; k++) list[k] = names[k] === '' ? null : columns[names[k]];
}

function readMaterial(physics: Physics, eid: number, slot: number): void {
  const { names, share } = materialOf(physics, slot);
  const columns = columnsOf(physics, slot);
  const { parameter, extra, weave } = physics.internal.engine.tables.rods;
  for (let k = 0; k < names.length; k++) {
    listColumns(columns, names);
    const column = list[k];
    if (column === null) continue;
    const number = k < 8 ? parameter[8 * slot + k] : (k < 12 ? extra : weave)[4 * slot + (k & 3)];
    if ((k === 0 ? share : 1) * column[eid] !== number) readNumber(physics, eid, slot, k);
  }
}

/** Takes over number k of a material, or says why not. */
function readNumber(physics: Physics, eid: number, slot: number, k: number): void {
  const material = materialOf(physics, slot);
  const columns = columnsOf(physics, slot);
  const { tables } = physics.internal.engine;
  const { rods } = tables;
  const model = (rods.flags[slot] >> L.ROD_MODEL_SHIFT) & 3;
  const numbers = (model > 0 ? material.modelNumbers : undefined) ?? material.numbers;
  const name = material.names[k];
  const table = k < 8 ? rods.parameter : k < 12 ? rods.extra : rods.weave;
  const at = k < 8 ? 8 * slot + k : 4 * slot + (k % 4);
  const value = columns[name][eid];
  const scale = k === 0 ? material.share : 1;
  // Without a warp each triangle has axes of its own: they would be woven in all directions.
  const isUnwoven = name === 'weftModulus' && rods.weave[4 * slot + IS_WARPED] === 0;
  const fixed = isUnwoven ? 'stays 0 where addShell was given neither weftModulus nor warp' : 'is fixed';
  const isFixed = k < FIXED || isUnwoven;
  const expectation = isFixed ? fixed : expectMaterialNumber(numbers[name], value);
  if (expectation === null) {
    table[at] = scale * value;
    if (name === 'poissonRatio') writeHingeCompliance(tables, rods.strandStart[slot]);
    strandChanges(tables).materials++;
    touchRod(tables, slot);
    return;
  }
  const label = familyOfKind(kindOf(physics, slot)) ?? 'Rod';
  tellIgnored(physics, `${label}.${name}`, eid, `${expectation}; the one before stays`, value);
  columns[name][eid] = table[at] / scale;
  // A game that is told may make what columns grow for.
  listed = null;
}

/** Forces of joints to their columns; user forces have done their work. */
export function copyOutRods(physics: Physics): void {
  copyOutAttachments(physics);
  clearForces(physics);
  mirrorSleep(physics, false);
}

export function clearForces({ internal }: Physics): void {
  const { arena, tables } = internal.engine;
  tables.nodes.force.fill(0, 0, 4 * arena.i32[L.NODE_COUNT >> 2]);
}

/** Tag Sleeping of rods and grooms: all their strands sleep. `isDeviceAsleep`: those that the device advances do. */
export function mirrorSleep(physics: Physics, isDeviceAsleep: boolean): void {
  const { engine, rods: state } = physics.internal;
  const { arena, tables } = engine;
  const asleep = arena.i32[L.STRAND_ASLEEP_COUNT >> 2];
  const rings = arena.i32[L.STRAND_RING_LAST >> 2];
  const { shown } = state;
  if (shown.asleep === asleep && shown.rings === rings && shown.isDeviceAsleep === isDeviceAsleep) return;
  Object.assign(shown, { asleep, rings, isDeviceAsleep });
  const { rods } = tables;
  for (let slot = 0; slot < arena.i32[L.ROD_COUNT >> 2]; slot++) {
    if (!(rods.flags[slot] & L.ROD_ALIVE) || rods.entity[slot] === 0) continue;
    setSleepTag(physics, rods.entity[slot], isRodAsleep(engine, slot, isDeviceAsleep));
  }
}

/** After the memory and its entities were restored: who has which row. */
export function restoreRods(physics: Physics): void {
  const { engine, rods: state } = physics.internal;
  const { arena, tables } = engine;
  takeBack(arena, tables, listAway(arena, tables));
  state.slotOf.fill(-1);
  for (let slot = 0; slot < arena.i32[L.ROD_COUNT >> 2]; slot++) {
    const eid = tables.rods.entity[slot];
    if (!(tables.rods.flags[slot] & L.ROD_ALIVE) || eid === 0) continue;
    state.slotOf[eid] = slot;
    showMaterial(physics, eid, slot);
  }
  restoreAttachments(physics);
  refreshStrands(physics);
  refreshShells(physics);
}

/** The material columns of a rod show its row again. */
function showMaterial(physics: Physics, eid: number, slot: number): void {
  const { rods } = physics.internal.engine.tables;
  const columns = columnsOf(physics, slot);
  const { names, share } = materialOf(physics, slot);
  names.forEach((name, k) => {
    if (name === '') return;
    const table = k < 12 ? rods.extra : rods.weave;
    const number = k < 8 ? rods.parameter[8 * slot + k] : table[4 * slot + (k % 4)];
    columns[name][eid] = k === 0 ? number / share : number;
  });
}
