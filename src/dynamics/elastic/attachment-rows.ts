// Attachments: a node held at a point of a body or of the world, or at another node (ball), or within a distance of it
// (rope).
//
// Slots with a free list; the node is counted from the rod's first, so that nothing changes when ranges move.

import { freeSlot, takeSlot } from '../../core/slots';
import type { JointRows } from '../../solvers/admm/joint-rows';
import { GIVE_FREQUENCY, GIVE_RATIO, GIVE_STRENGTH, LONGEST, OTHER_NODE } from '../../state/attachment-places';
import * as L from '../../state/layout';
import type { Tables } from '../../state/tables';
import type { Engine } from '../engine';
import { touchStrand } from './touch-strands';

export interface AttachmentDefinition {
  entity: number;
  rod: number;
  /** Counted from the rod's first node. */
  node: number;
  /** Body slot, −1 the world. */
  body: number;
  /** In the frame of the body's centre of mass, or the world's [m]. */
  point: ArrayLike<number>;
  /** Longest distance [m], 0 for a ball joint. */
  length: number;
  /** Of its spring [Hz], [-]; frequency 0 or none: stiff. */
  frequency?: number;
  ratio?: number;
  /** Force at which it breaks [N]; none: never. */
  strength?: number;
  /** Slot and node of another rod or mesh that it is joined to, in the place of a body and a point. */
  other?: { rod: number; node: number };
}

/** The node that an attachment holds, its row. */
export function heldNode({ attachments, rods }: Tables, a: number): number {
  return rods.nodeStart[attachments.rod[a]] + attachments.node[a];
}

/** The node that it is joined to, −1: a body or the world. */
export function otherNode({ attachments, rods }: Tables, a: number): number {
  const rod = attachments.other[2 * a];
  return rod < 0 ? -1 : rods.nodeStart[rod] + attachments.other[2 * a + OTHER_NODE];
}

/** Source of a row of the elastic solve that is no attachment's. */
export const NO_SOURCE = -1;

/** Source of a row that has the attachment's other node for its own: what pulls there pushes here. */
export function reversedSource(attachment: number): number {
  return NO_SOURCE - 1 - attachment;
}

/** Adds the impulses of rows to the attachments that they are of. */
export function storeImpulses({ attachments }: Tables, rows: JointRows, source: Int32Array): void {
  for (let i = 0; i < rows.count; i++) {
    if (source[i] === NO_SOURCE) continue;
    const isReversed = source[i] < NO_SOURCE;
    const at = 4 * (isReversed ? reversedSource(source[i]) : source[i]);
    const push = isReversed ? -rows.impulse[i] : rows.impulse[i];
    for (let k = 0; k < 3; k++) attachments.impulse[at + k] += push * rows.direction[4 * i + k];
  }
}

/** Makes an attachment; returns its slot. */
export function createAttachment(engine: Engine, definition: AttachmentDefinition): number {
  const { arena, tables } = engine;
  tables.control.attachments.ensure(arena.i32[L.ATTACHMENT_COUNT >> 2] + 1);
  const { attachments } = tables;
  const cells = { header: arena.i32, free: L.ATTACHMENT_FREE >> 2, count: L.ATTACHMENT_COUNT >> 2 };
  const slot = takeSlot(cells, attachments.next);
  const { frequency = 0, ratio = 0, strength = Number.POSITIVE_INFINITY } = definition;
  attachments.flags[slot] =
    L.ATTACHMENT_ALIVE | (definition.length > 0 ? L.ATTACHMENT_ROPE : 0) | (frequency > 0 ? L.ATTACHMENT_SPRING : 0);
  attachments.entity[slot] = definition.entity;
  attachments.rod[slot] = definition.rod;
  attachments.node[slot] = definition.node;
  attachments.body[slot] = definition.body;
  for (let k = 0; k < 3; k++) attachments.point[4 * slot + k] = definition.point[k];
  attachments.point[4 * slot + LONGEST] = definition.length;
  attachments.impulse.fill(0, 4 * slot, 4 * slot + 4);
  attachments.give.fill(0, 4 * slot, 4 * slot + 4);
  attachments.give[4 * slot + GIVE_FREQUENCY] = frequency;
  attachments.give[4 * slot + GIVE_RATIO] = ratio;
  attachments.give[4 * slot + GIVE_STRENGTH] = strength;
  attachments.next[slot] = -1;
  attachments.other[2 * slot] = definition.other?.rod ?? -1;
  attachments.other[2 * slot + OTHER_NODE] = definition.other?.node ?? -1;
  touchJoined(engine, slot);
  return slot;
}

/** Sets how far the node may be from its point [m]; 0 a ball joint. */
export function setAttachmentLength(engine: Engine, slot: number, length: number): void {
  const { attachments } = engine.tables;
  attachments.point[4 * slot + LONGEST] = length;
  attachments.flags[slot] =
    length > 0 ? attachments.flags[slot] | L.ATTACHMENT_ROPE : attachments.flags[slot] & ~L.ATTACHMENT_ROPE;
  touchJoined(engine, slot);
}

/** Sets a number of its spring, or its strength (GIVE_*). */
export function setAttachmentGive(engine: Engine, slot: number, place: number, value: number): void {
  const { attachments } = engine.tables;
  attachments.give[4 * slot + place] = value;
  const isSoft = attachments.give[4 * slot + GIVE_FREQUENCY] > 0;
  attachments.flags[slot] = isSoft
    ? attachments.flags[slot] | L.ATTACHMENT_SPRING
    : attachments.flags[slot] & ~L.ATTACHMENT_SPRING;
  touchJoined(engine, slot);
}

/** It ends by itself: it holds nothing any more. Its row stays, its impulse until the step after. */
export function breakAttachment(engine: Engine, slot: number): void {
  const { attachments } = engine.tables;
  touchJoined(engine, slot);
  attachments.flags[slot] = (attachments.flags[slot] & ~L.ATTACHMENT_ALIVE) | L.ATTACHMENT_BROKEN;
}

/** Whether a row is an attachment's, though it may be broken. */
export function isAttachment({ attachments }: Tables, slot: number): boolean {
  return (attachments.flags[slot] & (L.ATTACHMENT_ALIVE | L.ATTACHMENT_BROKEN)) !== 0;
}

/** The strands of an attachment wake, and with them what they hold. */
function touchJoined({ tables }: Engine, slot: number): void {
  const { nodes } = tables;
  touchStrand(tables, nodes.strand[heldNode(tables, slot)]);
  const other = otherNode(tables, slot);
  if (other >= 0) touchStrand(tables, nodes.strand[other]);
}

/** Gives an attachment's slot back. */
export function freeAttachment(engine: Engine, slot: number): void {
  const { arena, tables } = engine;
  const { attachments } = tables;
  touchJoined(engine, slot);
  attachments.flags[slot] = 0;
  attachments.entity[slot] = 0;
  attachments.rod[slot] = -1;
  attachments.other.fill(-1, 2 * slot, 2 * slot + 2);
  freeSlot({ header: arena.i32, free: L.ATTACHMENT_FREE >> 2, count: L.ATTACHMENT_COUNT >> 2 }, attachments.next, slot);
}

/** The body goes, and with it what hangs on it. Returns the entities of these attachments. */
export function dropAttachmentsOf(engine: Engine, body: number): number[] {
  const { arena, tables } = engine;
  const { attachments } = tables;
  const entities: number[] = [];
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (!isAttachment(tables, a) || attachments.body[a] !== body) continue;
    if (attachments.entity[a] !== 0) entities.push(attachments.entity[a]);
    freeAttachment(engine, a);
  }
  return entities;
}

/** The body got another slot and its centre of mass moved by `shift` in its own axes: what hangs on it goes along. */
export function rebaseAttachments({ arena, tables }: Engine, from: number, to: number, shift: ArrayLike<number>): void {
  const { attachments } = tables;
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (!isAttachment(tables, a) || attachments.body[a] !== from) continue;
    attachments.body[a] = to;
    for (let k = 0; k < 3; k++) attachments.point[4 * a + k] -= shift[k];
  }
}
