// Where each rod and groom of a world with a device is advanced: there, or on wasm, and why.
//
// In: what was asked for (`backend` of addRod and addGroom), clamps, joints, bodies. Out: rods that should change
// sides, and a reason for each that is not on the device. The device hears of bodies two steps late: a rod that carries
// a body, or that a body must feel at once, is never there.

import { CLAMP_JOINTS } from '../src/core/elastic-constants';
import { rouse } from '../src/dynamics/elastic/sleep';
import { touchRod } from '../src/dynamics/elastic/touch-strands';
import type { Engine } from '../src/dynamics/engine';
import { GIVE_STRENGTH } from '../src/state/attachment-places';
import { isAway } from '../src/state/away-strands';
import * as L from '../src/state/layout';
import type { Tables } from '../src/state/tables';

/** What of `backend: 'auto'` goes to the device. */
export type AutoRods = 'grooms' | 'all';

/** A body of at least this many times the mass of what is clamped to it may feel it late [-]. */
const HEAVY = 20;
const CLAMPS = [L.STRAND_CLAMP_START, L.STRAND_CLAMP_END] as const;

export interface RodPlacement {
  /** Slots of rods to be sent to the device, awake; of rods there that should be on wasm. */
  readonly going: readonly number[];
  readonly leaving: readonly number[];
  /** Why a rod is to be on wasm; null: it is to be on the device. */
  reasonOf(rod: number): string | null;
  /**
   * Looks at all rods anew. `note`: told once of each that leaves the device without having been asked to, and of each
   * of backend 'webgpu' that is on wasm all the same, anew with another reason.
   */
  update(engine: Engine, note: (line: string) => void): void;
}

export function createRodPlacement(auto: AutoRods): RodPlacement {
  let reasons: (string | null)[] = [];
  const going: number[] = [];
  const leaving: number[] = [];
  return {
    going,
    leaving,
    reasonOf: (rod) => reasons[rod] ?? null,
    update(engine, note) {
      const { arena, tables } = engine;
      const { rods } = tables;
      going.length = leaving.length = 0;
      const before = reasons;
      reasons = findReasons(engine, auto);
      for (let rod = 0; rod < arena.i32[L.ROD_COUNT >> 2]; rod++) {
        if (!(rods.flags[rod] & L.ROD_ALIVE)) continue;
        const isThere = isAway(tables, rod);
        const reason = reasons[rod];
        if (reason === null) {
          if (!isThere) going.push(rod);
          continue;
        }
        if (isThere) leaving.push(rod);
        if (reason === before[rod]) continue;
        const name = `rod (entity ${rods.entity[rod]})`;
        if (isThere && before[rod] === null) note(`${name} goes from WebGPU to wasm: ${reason}`);
        else if (rods.flags[rod] & L.ROD_ON_WEBGPU) note(`${name} of backend 'webgpu' is on wasm: ${reason}`);
      }
      for (const rod of going) touchRod(tables, rod);
      if (going.length > 0) rouse(engine, false);
    },
  };
}

/** Why each rod, by its slot, is not for the device; null where it is. */
function findReasons({ arena, tables }: Engine, auto: AutoRods): (string | null)[] {
  const { rods } = tables;
  const reasons: (string | null)[] = [];
  for (let rod = 0; rod < arena.i32[L.ROD_COUNT >> 2]; rod++) {
    const flags = rods.flags[rod];
    const isTaken = auto === 'all' || (flags & (L.ROD_GROOM | L.ROD_ON_WEBGPU)) !== 0;
    reasons[rod] = null;
    if (flags & L.ROD_ON_WASM) reasons[rod] = "its backend is 'wasm'";
    else if (!isTaken) reasons[rod] = "single rods of backend 'auto' stay there";
  }
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    const { flags, rod } = tables.attachments;
    if (!(flags[a] & L.ATTACHMENT_ALIVE)) continue;
    const ends = [rod[a], tables.attachments.other[2 * a]];
    for (const end of ends) if (end >= 0) reasons[end] ??= findJointReason(tables, a);
  }
  const hanging = weighHanging(arena.i32[L.ROD_COUNT >> 2], tables, reasons);
  for (let rod = 0; rod < arena.i32[L.ROD_COUNT >> 2]; rod++) {
    if (rods.flags[rod] & L.ROD_ALIVE) reasons[rod] ??= findClampReason(tables, rod, hanging);
  }
  return reasons;
}

/** Why the rod of a joint is not for the device, or null. */
function findJointReason({ attachments, bodies }: Tables, a: number): string | null {
  const body = attachments.body[a];
  const name = `its joint (entity ${attachments.entity[a]})`;
  if (attachments.other[2 * a] >= 0) return `${name} is to another rod or mesh`;
  if (attachments.flags[a] & L.ATTACHMENT_ROPE) return `${name} is a rope`;
  if (attachments.flags[a] & L.ATTACHMENT_SPRING) return `${name} is a spring`;
  if (attachments.give[4 * a + GIVE_STRENGTH] < Number.POSITIVE_INFINITY) return `${name} may break`;
  if (body >= 0 && bodies.flags[body] & L.BODY_DYNAMIC) return `${name} holds a body that moves freely`;
  return null;
}

/** Mass of the strands that are clamped to each body that moves freely, by slot [kg]. */
function weighHanging(rodCount: number, tables: Tables, reasons: readonly (string | null)[]): Map<number, number> {
  const { rods, nodes, strands } = tables;
  const hanging = new Map<number, number>();
  for (let rod = 0; rod < rodCount; rod++) {
    if (!(rods.flags[rod] & L.ROD_ALIVE) || reasons[rod] !== null || rods.strandCount[rod] > CLAMP_JOINTS) continue;
    forEachFreeClamp(tables, rod, (strand, body) => {
      let mass = 0;
      const first = strands.first[strand];
      for (let i = first; i < first + strands.nodes[strand]; i++) mass += nodes.mass[2 * i];
      hanging.set(body, (hanging.get(body) ?? 0) + mass);
    });
  }
  return hanging;
}

/**
 * Why a rod is not for the device for its clamps, or null. Of a groom they are felt together: that works with any body.
 */
function findClampReason(tables: Tables, rod: number, hanging: ReadonlyMap<number, number>): string | null {
  const { rods, strands, bodies } = tables;
  if (rods.strandCount[rod] > CLAMP_JOINTS) return null;
  let reason: string | null = null;
  forEachFreeClamp(tables, rod, (strand, body, end) => {
    const isHeldElsewhere =
      (strands.flags[strand] & CLAMPS[1 - end]) !== 0 && strands.attach[2 * strand + 1 - end] !== body;
    const isLight = HEAVY * (hanging.get(body) ?? 0) * bodies.inverseMass[body] > 1;
    const name = `its clamp holds a body that moves freely (entity ${bodies.entity[body]})`;
    if (isHeldElsewhere) reason ??= `${name} to something else`;
    else if (isLight) reason ??= `${name} and is not ${HEAVY} times as heavy`;
  });
  return reason;
}

/** Clamps of a rod on bodies that move freely. */
function forEachFreeClamp(
  { rods, strands, bodies }: Tables,
  rod: number,
  visit: (strand: number, body: number, end: number) => void,
): void {
  for (let strand = rods.strandStart[rod]; strand < rods.strandStart[rod] + rods.strandCount[rod]; strand++) {
    if (strands.flags[strand] & L.STRAND_QUARANTINED) continue;
    for (let end = 0; end < 2; end++) {
      const body = strands.attach[2 * strand + end];
      if (!(strands.flags[strand] & CLAMPS[end]) || body < 0) continue;
      if (bodies.flags[body] & L.BODY_DYNAMIC) visit(strand, body, end);
    }
  }
}
