// Rods come and go: rows of the tables of rods, strands and nodes.
//
// In: a checked definition (bodies as slots). Out: the rod's slot. Rows of strands and nodes are dense ranges in the
// order of creation; removal moves the later ones down, λ and all other state with them. Contacts of removed strands
// are dropped, those of the others follow their nodes, so that the next step still finds their forces.
// Everything here runs between steps (copy-in), never inside a kernel.

import { freeSlot, takeSlot } from '../../core/slots';
import { initialiseStrand } from '../../mechanics/rod/initialise-strand';
import { isAway, takeBack } from '../../state/away-strands';
import * as L from '../../state/layout';
import { noteBirth, noteRows } from '../../state/strand-changes';
import type { StrandRest } from '../../state/strand-rest';
import type { Tables } from '../../state/tables';
import type { Engine } from '../engine';
import { freeAttachment } from './attachment-rows';
import { holdEnd } from './clamp-rows';
import { rouse } from './sleep';
import { touchRod } from './touch-strands';

/** What a rod or groom is made from; arrays are read, none kept. */
/** Where a rod is to be advanced. */
export type RodBackend = 'auto' | 'wasm' | 'webgpu';

const BACKEND_FLAGS = { auto: 0, wasm: L.ROD_ON_WASM, webgpu: L.ROD_ON_WEBGPU } as const;

export interface RodDefinition {
  entity: number;
  isGroom: boolean;
  selfContact: boolean;
  canSleep: boolean;
  /** Where a world with a device advances it. Default 'auto'. */
  backend?: RodBackend;
  layers: number;
  mask: number;
  /** As ROD_PARAMETER: radius, density, young, shear, stretch modulus, damping, friction, cohesion. */
  parameter: ArrayLike<number>;
  /** As ROD_EXTRA: gravity scale, air drag, compliance. */
  extra: ArrayLike<number>;
  /** Nodes of each strand. */
  counts: ArrayLike<number>;
  /** Where the nodes are: three numbers each, strand after strand [m]. */
  points: ArrayLike<number>;
  /** The shape without stress, likewise. */
  rest: ArrayLike<number>;
  /** Of every node [m/s]. */
  velocity: ArrayLike<number>;
  clampStart: boolean;
  clampEnd: boolean;
  /** Body slot that the clamp follows, −1 the world. */
  attachStart: number;
  attachEnd: number;
  /** Angle of each edge's material beyond the twist-free state [rad], one number a node (the last of a strand idle). */
  twist: ArrayLike<number> | null;
  /** The same in the shape without stress. */
  restTwist: ArrayLike<number> | null;
  /** Rest shape and stiffness along the strands, instead of what `rest` measures. */
  along: StrandRest | null;
}

type Column = Int32Array | Float64Array;

/** All columns of a table but those named, with their strides: whatever a row holds moves with it. */
function columnsOf(table: object, ...but: string[]): [Column, number][] {
  const { capacity, ...columns } = table as Record<string, Column> & { capacity: number };
  return Object.entries(columns)
    .filter(([name]) => !but.includes(name))
    .map(([, column]) => [column, column.length / capacity]);
}

/** Makes a rod; returns its slot. */
export function createRod(engine: Engine, definition: RodDefinition): number {
  const { arena, tables } = engine;
  const { counts } = definition;
  const firstStrand = arena.i32[L.STRAND_COUNT >> 2];
  const firstNode = arena.i32[L.NODE_COUNT >> 2];
  let nodeCount = 0;
  for (let s = 0; s < counts.length; s++) nodeCount += counts[s];
  tables.control.rods.ensure(arena.i32[L.ROD_COUNT >> 2] + 1);
  tables.control.strands.ensure(firstStrand + counts.length);
  tables.control.nodes.ensure(firstNode + nodeCount);

  const { rods } = tables;
  const cells = { header: arena.i32, free: L.ROD_FREE >> 2, count: L.ROD_COUNT >> 2 };
  const rod = takeSlot(cells, rods.next);
  rods.flags[rod] =
    L.ROD_ALIVE |
    (definition.selfContact ? L.ROD_SELF_CONTACT : 0) |
    (definition.isGroom ? L.ROD_GROOM : 0) |
    (definition.canSleep ? 0 : L.ROD_NEVER_SLEEPS) |
    BACKEND_FLAGS[definition.backend ?? 'auto'];
  rods.entity[rod] = definition.entity;
  rods.strandStart[rod] = firstStrand;
  rods.strandCount[rod] = counts.length;
  rods.nodeStart[rod] = firstNode;
  rods.nodeCount[rod] = nodeCount;
  rods.next[rod] = -1;
  rods.layers[rod] = (definition.layers & 0xffff) | (definition.mask << 16);
  for (let k = 0; k < 8; k++) rods.parameter[8 * rod + k] = definition.parameter[k];
  for (let k = 0; k < 3; k++) rods.extra[4 * rod + k] = definition.extra[k];
  rods.extra[4 * rod + 3] = 0;

  const { strands, nodes } = tables;
  const endStrand = firstStrand + counts.length;
  for (const [column, stride] of columnsOf(strands)) column.fill(0, stride * firstStrand, stride * endStrand);
  const endNode = firstNode + nodeCount;
  for (const [column, stride] of columnsOf(nodes)) column.fill(0, stride * firstNode, stride * endNode);

  // All counts first: the mechanics may look at whole tables.
  arena.i32[L.STRAND_COUNT >> 2] = endStrand;
  arena.i32[L.NODE_COUNT >> 2] = endNode;
  let node = firstNode;
  for (let s = 0; s < counts.length; s++) {
    createStrand(tables, rod, firstStrand + s, node, counts[s], definition, node - firstNode);
    node += counts[s];
  }
  noteBirth(tables, rod);
  return rod;
}

/** Writes the rows of one strand; `from` is its first node in the definition's arrays. */
function createStrand(
  tables: Tables,
  rod: number,
  strand: number,
  first: number,
  count: number,
  definition: RodDefinition,
  from: number,
): void {
  const { strands, nodes } = tables;
  const { points, rest, velocity, twist, restTwist, along } = definition;
  strands.rod[strand] = rod;
  strands.first[strand] = first;
  strands.nodes[strand] = count;
  strands.attach.fill(-1, 2 * strand, 2 * strand + 2);
  nodes.strand.fill(strand, first, first + count);
  const shape = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      shape[3 * i + k] = rest[3 * (from + i) + k];
      nodes.position[4 * (first + i) + k] = points[3 * (from + i) + k];
      nodes.velocity[4 * (first + i) + k] = velocity[k];
    }
  }
  initialiseStrand(tables, strand, shape, along, from);
  for (let i = 0; i < count - 1; i++) {
    if (twist) nodes.position[4 * (first + i) + 3] += twist[from + i];
    if (restTwist && i > 0) nodes.rest[8 * (first + i) + 6] += restTwist[from + i] - restTwist[from + i - 1];
  }
  for (let at = 4 * first; at < 4 * (first + count); at++) nodes.previous[at] = nodes.position[at];
  if (definition.clampStart) holdEnd(tables, strand, 0, definition.attachStart);
  if (definition.clampEnd) holdEnd(tables, strand, 1, definition.attachEnd);
}

/**
 * Takes rods out of the tables, all in one pass; their attachments go with them, and what sleeps with them wakes. Returns the entities of these
 * attachments.
 */
export function destroyRods(engine: Engine, slots: readonly number[]): number[] {
  const { arena, tables } = engine;
  const { rods, strands, attachments } = tables;
  noteRows(tables);
  takeBack(
    arena,
    tables,
    slots.filter((rod) => isAway(tables, rod)),
  );
  const isGone = new Uint8Array(rods.capacity);
  for (const rod of slots) {
    isGone[rod] = 1;
    touchRod(tables, rod);
  }
  rouse(engine, false);

  const entities: number[] = [];
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (!(attachments.flags[a] & L.ATTACHMENT_ALIVE) || !isGone[attachments.rod[a]]) continue;
    if (attachments.entity[a] !== 0) entities.push(attachments.entity[a]);
    freeAttachment(engine, a);
  }

  // Where each strand goes, −1 out.
  const strandCount = arena.i32[L.STRAND_COUNT >> 2];
  const newStrand = new Int32Array(strandCount).fill(-1);
  const newFirst = new Int32Array(strandCount);
  let keptStrands = 0;
  let keptNodes = 0;
  for (let s = 0; s < strandCount; s++) {
    if (isGone[strands.rod[s]]) continue;
    newStrand[s] = keptStrands++;
    newFirst[s] = keptNodes;
    keptNodes += strands.nodes[s];
  }

  moveContacts(engine, newStrand, newFirst);
  for (let rod = 0; rod < arena.i32[L.ROD_COUNT >> 2]; rod++) {
    if (!(rods.flags[rod] & L.ROD_ALIVE) || isGone[rod]) continue;
    const start = rods.strandStart[rod];
    rods.nodeStart[rod] = newFirst[start];
    rods.strandStart[rod] = newStrand[start];
  }
  moveRows(tables, newStrand, newFirst);
  arena.i32[L.STRAND_COUNT >> 2] = keptStrands;
  arena.i32[L.NODE_COUNT >> 2] = keptNodes;

  for (const rod of slots) {
    rods.flags[rod] = 0;
    rods.entity[rod] = 0;
    freeSlot({ header: arena.i32, free: L.ROD_FREE >> 2, count: L.ROD_COUNT >> 2 }, rods.next, rod);
  }
  return entities;
}

/** Moves the rows of the strands that stay; always downwards, so that nothing is overwritten before it is read. */
function moveRows({ strands, nodes }: Tables, newStrand: Int32Array, newFirst: Int32Array): void {
  const strandColumns = columnsOf(strands, 'first');
  const nodeColumns = columnsOf(nodes, 'strand');
  for (let s = 0; s < newStrand.length; s++) {
    const to = newStrand[s];
    if (to < 0 || to === s) continue;
    const first = strands.first[s];
    const count = strands.nodes[s];
    for (const [column, stride] of strandColumns) column.copyWithin(stride * to, stride * s, stride * (s + 1));
    for (const [column, stride] of nodeColumns) {
      column.copyWithin(stride * newFirst[s], stride * first, stride * (first + count));
    }
    strands.first[to] = newFirst[s];
    nodes.strand.fill(to, newFirst[s], newFirst[s] + count);
  }
}

/** Drops contacts of strands that go; the others follow their nodes, in the same order. */
function moveContacts({ arena, tables }: Engine, newStrand: Int32Array, newFirst: Int32Array): void {
  const { nodeContacts: contacts, strands, nodes } = tables;
  const { node, side, key } = contacts;
  const columns = columnsOf(contacts);
  /** New number of a node of an object that stays. */
  const moved = (old: number): number => {
    const strand = nodes.strand[old];
    return newFirst[strand] + old - strands.first[strand];
  };
  let kept = 0;
  let asleep = 0;
  const resting = arena.i32[L.NODE_CONTACT_ASLEEP >> 2];
  for (let c = 0; c < arena.i32[L.NODE_CONTACT_COUNT >> 2]; c++) {
    const a = newStrand[side[4 * c]];
    const b = side[4 * c + 1] < 0 ? -1 : newStrand[side[4 * c + 1]];
    if (a < 0 || (b < 0 && side[4 * c + 1] >= 0)) continue;
    for (const [column, stride] of columns) column.copyWithin(stride * kept, stride * c, stride * (c + 1));
    const row = 4 * kept;
    for (let k = row; k < row + 4; k++) if (node[k] >= 0) node[k] = moved(node[k]);
    side[row] = a;
    side[row + 1] = b;
    // The feature names the edges (kernels/assembly/proximity/hits.ts): low the one of A, high twice that of B plus a bit.
    if (key[row + 2] === L.PRIMITIVE_EDGE) key[row] = node[row];
    if (key[row + 3] === L.PRIMITIVE_EDGE) key[row + 1] = (node[row + 2] << 1) | (key[row + 1] & 1);
    kept++;
    if (c < resting) asleep++;
  }
  arena.i32[L.NODE_CONTACT_COUNT >> 2] = kept;
  arena.i32[L.NODE_CONTACT_ASLEEP >> 2] = asleep;
}
