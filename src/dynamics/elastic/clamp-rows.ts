// Clamps: an end of a strand whose node, tangent and twist are prescribed, in the world or in a body's frame.
//
// STRAND_CLAMP holds the target: clamped node, its neighbour and the material director d1 of the edge between them.
// STRAND_CLAMP_REST keeps the edge and d1 as they were when the clamp was made, in world axes, so that a scripted
// pose turns them afresh every time and no rounding adds up.

import { rotateVector, unrotateVector } from '../../math/quaternion';
import { edgeTangent, materialDirectors } from '../../mechanics/rod/frames';
import { clampAt, clampRestAt } from '../../state/clamp-places';
import * as L from '../../state/layout';
import { CLAMP_BURIED, TWIST } from '../../state/node-places';
import { notePlaced, noteRows } from '../../state/strand-changes';
import type { Tables } from '../../state/tables';
import type { Engine } from '../engine';
import { touchStrand } from './touch-strands';

const CLAMP_BITS = [L.STRAND_CLAMP_START, L.STRAND_CLAMP_END] as const;

const tangent = new Float64Array(3);
const m1 = new Float64Array(3);
const m2 = new Float64Array(3);

/** Whether `end` (0 start, 1 end) of `strand` is clamped. */
export function isClamped({ strands }: Tables, strand: number, end: number): boolean {
  return (strands.flags[strand] & CLAMP_BITS[end]) !== 0;
}

/** Clamps `end` (0 start, 1 end) of `strand` where it is now; the clamp follows body slot `body`, −1 the world. */
export function holdEnd(tables: Tables, strand: number, end: number, body: number): void {
  const { strands, nodes } = tables;
  const first = strands.first[strand];
  const count = strands.nodes[strand];
  const clamped = end === 0 ? first : first + count - 1;
  const neighbour = end === 0 ? first + 1 : first + count - 2;
  const edge = Math.min(clamped, neighbour);
  const { position, frame } = nodes;
  edgeTangent(tangent, 0, position, 4 * edge, 4 * edge + 4, nodes, edge);
  materialDirectors(m1, m2, 0, frame, 4 * edge, tangent, position[4 * edge + TWIST]);
  const at = clampAt(strand, end);
  const rest = clampRestAt(strand, end);
  for (let k = 0; k < 3; k++) {
    strands.clamp[at + k] = position[4 * clamped + k];
    strands.clamp[at + 3 + k] = position[4 * neighbour + k];
    strands.clamp[at + 6 + k] = m1[k];
    strands.clampRest[rest + k] = position[4 * neighbour + k] - position[4 * clamped + k];
    strands.clampRest[rest + 3 + k] = m1[k];
  }
  // Which nodes the body hides is found out when contacts are looked for (kernels/assembly/proximity/clamps).
  strands.clamp[at + CLAMP_BURIED] = 0;
  strands.flags[strand] |= CLAMP_BITS[end];
  strands.attach[2 * strand + end] = body;
  noteRows(tables);
  touchStrand(tables, strand);
  if (body >= 0) intoBody(tables, strand, end, body);
}

/** Lets go of an end. */
export function releaseEnd(tables: Tables, strand: number, end: number): void {
  const { strands } = tables;
  noteRows(tables);
  touchStrand(tables, strand);
  strands.flags[strand] &= ~CLAMP_BITS[end];
  strands.attach[2 * strand + end] = -1;
}

/**
 * Says where a clamp held by the world shall be at the end of the next step: the clamped node at `position` [m], its
 * edge and director as when the clamp was made, turned by unit quaternion `rotation`.
 */
export function placeClamp(
  tables: Tables,
  strand: number,
  end: number,
  position: ArrayLike<number>,
  rotation: ArrayLike<number>,
): void {
  const { clamp, clampRest } = tables.strands;
  notePlaced(tables, strand);
  touchStrand(tables, strand);
  const at = clampAt(strand, end);
  const rest = clampRestAt(strand, end);
  rotateVector(clamp, at + 3, rotation, 0, clampRest, rest);
  rotateVector(clamp, at + 6, rotation, 0, clampRest, rest + 3);
  for (let k = 0; k < 3; k++) {
    clamp[at + k] = position[k];
    clamp[at + 3 + k] += position[k];
  }
}

/** The clamp's numbers from world axes to the frame of the body's centre of mass. */
function intoBody({ strands, bodies }: Tables, strand: number, end: number, body: number): void {
  const { clamp } = strands;
  const at = clampAt(strand, end);
  for (let k = 0; k < 6; k++) clamp[at + k] -= bodies.position[4 * body + (k % 3)];
  for (let k = 0; k < 9; k += 3) unrotateVector(clamp, at + k, bodies.rotation, 4 * body, clamp, at + k);
}

/** The clamp's numbers from the frame of the body's centre of mass to world axes. */
function outOfBody({ strands, bodies }: Tables, strand: number, end: number, body: number): void {
  const { clamp, clampRest } = strands;
  const at = clampAt(strand, end);
  const rest = clampRestAt(strand, end);
  for (let k = 0; k < 9; k += 3) rotateVector(clamp, at + k, bodies.rotation, 4 * body, clamp, at + k);
  for (let k = 0; k < 6; k++) clamp[at + k] += bodies.position[4 * body + (k % 3)];
  for (let k = 0; k < 3; k++) {
    clampRest[rest + k] = clamp[at + 3 + k] - clamp[at + k];
    clampRest[rest + 3 + k] = clamp[at + 6 + k];
  }
}

/** Calls `visit` for every clamped end that follows `body`. */
function forEachClampOn(engine: Engine, body: number, visit: (strand: number, end: number) => void): void {
  const { arena, tables } = engine;
  const { attach } = tables.strands;
  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
    for (let end = 0; end < 2; end++) if (attach[2 * s + end] === body) visit(s, end);
  }
}

/** The body goes: clamps that follow it stay in the world where they are. */
export function leaveClampsInWorld(engine: Engine, body: number): void {
  const { tables } = engine;
  forEachClampOn(engine, body, (strand, end) => {
    outOfBody(tables, strand, end, body);
    tables.strands.attach[2 * strand + end] = -1;
    noteRows(tables);
  });
}

/** The body got another slot and its centre of mass moved by `shift` in its own axes: its clamps go along. */
export function rebaseClamps(engine: Engine, from: number, to: number, shift: ArrayLike<number>): void {
  const { strands } = engine.tables;
  forEachClampOn(engine, from, (strand, end) => {
    noteRows(engine.tables);
    const at = clampAt(strand, end);
    for (let k = 0; k < 6; k++) strands.clamp[at + k] -= shift[k % 3];
    strands.attach[2 * strand + end] = to;
  });
}
