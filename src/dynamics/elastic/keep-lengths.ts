// What turned in a step keeps its length: the end of a sheet's solve, before anything is kept apart.
//
// A step is linear: an edge that turns by φ in it comes out longer by φ²/2 than the solve thought, and nothing
// in that step resists. In: the velocities that the step ends with. Out: NODE_PREDICTED, where edges come out
// longer by SLACK than their linearisation had them or than at rest: pulled together along themselves, each by
// its nodes' masses, which changes no momentum (position-based dynamics, Müller et al. 2007, section 3.3, on
// these edges alone). What the load stretches is left alone, and so is what turns little: most steps change
// nothing. (Further Newton iterations overshoot without a search along their line; linearising where the step's
// first velocities lead costs what spins its momentum.) Where a shell has a limit of strain, no edge of it comes out
// longer than that, whatever the load.

import {
  ATTACHMENT_ALIVE,
  ATTACHMENT_COUNT,
  ATTACHMENT_LOOSE,
  KIND_SHELL,
  NODE_COUNT,
  STRAND_ASLEEP,
  STRAND_COUNT,
  STRAND_QUARANTINED,
} from '../../state/layout';
import { STRAIN_LIMIT } from '../../state/material-places';
import { RANGE_COUNT } from '../../state/node-places';
import type { Engine } from '../engine';
import { heldNode, otherNode } from './attachment-rows';

/**
 * Way that gravity alone moves a node in a step, over the length of an edge [-], from which on nothing is changed:
 * steps of a second look for an equilibrium, and what they throw about keeps no length.
 */
const LONG_STEP = 10;
/** Share of its rest length by which an edge may come out longer than its linearisation had it [-]. */
const SLACK = 0.02;
/** Sweeps over the edges of a sheet at most. */
const SWEEPS = 30;
/** Of a length, above what is wanted, that is no reason for another sweep [-]. */
const ENOUGH = 1e-4;

/** Work memory. */
interface Lengths {
  /** Longest that each edge of an object may come out [m]. */
  most: Float64Array;
  /** 1 for each node that something holds. */
  held: Uint8Array;
  /** One more than the last sweep in which each node was pulled. */
  pulled: Uint8Array;
}

const memories = new WeakMap<Engine, Lengths>();

/** Keeps the lengths of all shells; returns how many were changed. */
export function keepLengths(engine: Engine): number {
  const { arena, tables } = engine;
  const { strands } = tables;
  let lengths = memories.get(engine);
  if (!lengths) {
    lengths = { most: new Float64Array(0), held: new Uint8Array(0), pulled: new Uint8Array(0) };
    memories.set(engine, lengths);
  }
  markHeld(engine, lengths);
  let changed = 0;
  for (let object = 0; object < arena.i32[STRAND_COUNT >> 2]; object++) {
    if (strands.kind[object] !== KIND_SHELL || strands.flags[object] & (STRAND_QUARANTINED | STRAND_ASLEEP)) continue;
    if (!measure(engine, lengths, object)) continue;
    changed++;
    for (let sweep = 0; sweep < SWEEPS; sweep++) if (!pullTogether(engine, lengths, object, sweep)) break;
  }
  return changed;
}

function markHeld({ arena, tables }: Engine, lengths: Lengths): void {
  const { attachments } = tables;
  const count = arena.i32[NODE_COUNT >> 2];
  if (lengths.held.length < count) {
    lengths.held = new Uint8Array(2 * count);
    lengths.pulled = new Uint8Array(2 * count);
  }
  lengths.held.fill(0, 0, count);
  lengths.pulled.fill(0, 0, count);
  for (let a = 0; a < arena.i32[ATTACHMENT_COUNT >> 2]; a++) {
    if ((attachments.flags[a] & (ATTACHMENT_ALIVE | ATTACHMENT_LOOSE)) !== ATTACHMENT_ALIVE) continue;
    lengths.held[heldNode(tables, a)] = 1;
    const other = otherNode(tables, a);
    if (other >= 0) lengths.held[other] = 1;
  }
}

/**
 * Longest that the edges of an object may come out; returns whether any is to be pulled together. Most steps turn
 * nothing by much: a first pass asks only whether any edge comes out longer than any may.
 */
function measure(engine: Engine, lengths: Lengths, object: number): boolean {
  const { tables, settings } = engine;
  const { strands, nodes, meshEdges, rods } = tables;
  const { position, predicted } = nodes;
  const { node, rest } = meshEdges;
  const limit = rods.weave[4 * strands.rod[object] + STRAIN_LIMIT];
  const { timeStep: dt, gravity: g } = settings;
  const first = strands.meshEdges[2 * object];
  const count = strands.meshEdges[2 * object + RANGE_COUNT];
  const way = dt * dt * Math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  const sure = 1 + (limit > 0 ? Math.min(SLACK, limit) : SLACK);
  let isAny = false;
  for (let at = 4 * first; at < 4 * (first + count); at += 4) {
    const own = rest[at];
    if (way > LONG_STEP * own) return false;
    const a = 4 * node[at];
    const b = 4 * node[at + 1];
    const x = position[b] - position[a] + dt * (predicted[b] - predicted[a]);
    const y = position[b + 1] - position[a + 1] + dt * (predicted[b + 1] - predicted[a + 1]);
    const z = position[b + 2] - position[a + 2] + dt * (predicted[b + 2] - predicted[a + 2]);
    if (x * x + y * y + z * z > sure * sure * own * own) isAny = true;
  }
  return isAny && bound(engine, lengths, object, limit);
}

/** Sets the longest that each edge of an object may come out; returns whether any comes out longer. */
function bound({ tables, settings }: Engine, lengths: Lengths, object: number, limit: number): boolean {
  const { strands, nodes, meshEdges } = tables;
  const { position, predicted } = nodes;
  const { node, rest } = meshEdges;
  const dt = settings.timeStep;
  const first = strands.meshEdges[2 * object];
  const count = strands.meshEdges[2 * object + RANGE_COUNT];
  if (lengths.most.length < count) lengths.most = new Float64Array(2 * count);
  const { most } = lengths;
  let isAny = false;
  for (let e = 0; e < count; e++) {
    const at = 4 * (first + e);
    const a = 4 * node[at];
    const b = 4 * node[at + 1];
    const nowX = position[b] - position[a];
    const nowY = position[b + 1] - position[a + 1];
    const nowZ = position[b + 2] - position[a + 2];
    const x = nowX + dt * (predicted[b] - predicted[a]);
    const y = nowY + dt * (predicted[b + 1] - predicted[a + 1]);
    const z = nowZ + dt * (predicted[b + 2] - predicted[a + 2]);
    const square = nowX * nowX + nowY * nowY + nowZ * nowZ;
    const along = square > 0 ? (nowX * x + nowY * y + nowZ * z) / Math.sqrt(square) : 0;
    most[e] = Math.max(along, rest[at]) + SLACK * rest[at];
    if (limit > 0) most[e] = Math.min(most[e], (1 + limit) * rest[at]);
    if (x * x + y * y + z * z > most[e] * most[e]) isAny = true;
  }
  return isAny;
}

/**
 * One sweep; returns whether any edge was too long. An edge whose ends have not moved since it was looked at is as it
 * was then.
 */
function pullTogether(
  { tables, settings }: Engine,
  { most, held, pulled }: Lengths,
  object: number,
  sweep: number,
): boolean {
  const { strands, nodes, meshEdges } = tables;
  const { position, predicted, mass } = nodes;
  const ends = meshEdges.node;
  const dt = settings.timeStep;
  const start = strands.meshEdges[2 * object];
  const count = strands.meshEdges[2 * object + RANGE_COUNT];
  const isBackwards = sweep % 2 === 1;
  let isAny = false;

  for (let k = 0; k < count; k++) {
    const e = isBackwards ? count - 1 - k : k;
    const i = ends[4 * (start + e)];
    const j = ends[4 * (start + e) + 1];
    if (pulled[i] < sweep && pulled[j] < sweep) continue;
    const a = 4 * i;
    const b = 4 * j;
    const x = position[b] - position[a] + dt * (predicted[b] - predicted[a]);
    const y = position[b + 1] - position[a + 1] + dt * (predicted[b + 1] - predicted[a + 1]);
    const z = position[b + 2] - position[a + 2] + dt * (predicted[b + 2] - predicted[a + 2]);
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > (1 + ENOUGH) * most[e])) continue;
    const p = held[i] ? 0 : 1 / mass[2 * i];
    const q = held[j] ? 0 : 1 / mass[2 * j];
    if (p + q === 0) continue;
    isAny = true;
    pulled[i] = pulled[j] = sweep + 1;
    const pull = (length - most[e]) / (length * dt * (p + q));
    predicted[a] += p * pull * x;
    predicted[a + 1] += p * pull * y;
    predicted[a + 2] += p * pull * z;
    predicted[b] -= q * pull * x;
    predicted[b + 1] -= q * pull * y;
    predicted[b + 2] -= q * pull * z;
  }

  return isAny;
}
