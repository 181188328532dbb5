// A body is put somewhere else at once, and what hangs on it alone goes along: a character that
// respawns keeps its hair as it was.
//
// In: the pose of the body's centre of mass before and after. Strands that are clamped or joined to the body, and to
// nothing else, are moved with it as if they were part of it: places and directors, velocities relative to it, contacts
// among themselves. A strand that something else holds, too, stays where it is. A game may also animate a head by
// writing its pose every step: what it can have reached by moving is motion, and hair sways.

import { multiplyQuaternion, normalizeQuaternion, rotateVector } from '../../math/quaternion';
import { SIDE_COLLIDER, SIDE_OBJECT_B } from '../../state/contact-places';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import { heldNode, otherNode } from './attachment-rows';

const CLAMPS = [L.STRAND_CLAMP_START, L.STRAND_CLAMP_END] as const;

/** How strands hang on the body. */
const BY_BODY = 1;
const BY_OTHERS = 2;

/** What is faster than this has not moved there [m/s, rad/s]. */
const [FASTEST, FASTEST_TURN] = [20, 60];

const turn = new Float64Array(4);
const vector = new Float64Array(3);

/**
 * Moves strands with a body that was at pose `from`; returns which. To be called when its pose is written;
 * `mayBeMotion`: unless it is so near that its clamps had better follow.
 */
export function moveStrandsOf(
  engine: Engine,
  body: number,
  from: Float64Array,
  mayBeMotion: boolean,
): readonly number[] {
  const { arena, tables } = engine;
  const { strands, bodies } = tables;
  const holds = findHolds(engine, body);
  const moved: number[] = [];
  if (!holds.includes(BY_BODY)) return moved;
  // q' q⁻¹
  for (let k = 0; k < 4; k++) turn[k] = k < 3 ? -from[3 + k] : from[6];
  multiplyQuaternion(turn, 0, bodies.rotation, 4 * body, turn, 0);
  normalizeQuaternion(turn, 0, turn, 0);
  if (mayBeMotion && isMotion(engine, holds, body, from)) return moved;
  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
    if (holds[s] !== BY_BODY || strands.flags[s] & L.STRAND_QUARANTINED) continue;
    for (let i = strands.first[s]; i < strands.first[s] + strands.nodes[s]; i++) moveNode(engine, body, from, i);
    if (strands.kind[s] === L.KIND_SHELL) strands.flags[s] |= L.STRAND_TANGLED;
    moved.push(s);
  }
  turnContacts(engine, holds, body);
  return moved;
}

/** Whether a body may have come from pose `from` within a step, by no more than a strand that hangs on it is long. */
function isMotion({ arena, tables, settings }: Engine, holds: Uint8Array, body: number, from: Float64Array): boolean {
  const { strands, bodies, nodes } = tables;
  const { timeStep } = settings;
  for (let k = 0; k < 3; k++) vector[k] = bodies.position[4 * body + k] - from[k];
  const way = lengthOf(vector);
  // A turn by its chord, twice the sine of its half.
  if (way > FASTEST * timeStep || 2 * lengthOf(turn) > FASTEST_TURN * timeStep) return false;
  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
    if (holds[s] !== BY_BODY) continue;
    let length = 0;
    for (let n = strands.first[s]; n < strands.first[s] + strands.nodes[s] - 1; n++) length += nodes.rest[8 * n];
    if (length >= way) return true;
  }
  return false;
}

const lengthOf = (x: Float64Array): number => Math.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);

/** By strand: BY_BODY, BY_OTHERS, both or 0. */
function findHolds({ arena, tables }: Engine, body: number): Uint8Array {
  const { strands, attachments, nodes } = tables;
  const holds = new Uint8Array(arena.i32[L.STRAND_COUNT >> 2]);
  const note = (strand: number, holder: number) => {
    holds[strand] |= holder === body ? BY_BODY : BY_OTHERS;
  };
  for (let s = 0; s < holds.length; s++) {
    for (let end = 0; end < 2; end++) if (strands.flags[s] & CLAMPS[end]) note(s, strands.attach[2 * s + end]);
  }
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (!(attachments.flags[a] & L.ATTACHMENT_ALIVE)) continue;
    note(nodes.strand[heldNode(tables, a)], attachments.body[a]);
    const other = otherNode(tables, a);
    if (other >= 0) note(nodes.strand[other], -1);
  }
  return holds;
}

function moveNode({ tables }: Engine, body: number, from: Float64Array, node: number): void {
  const { position, previous, velocity, frame, dual } = tables.nodes;
  const { position: center, linearVelocity: v, angularVelocity: w } = tables.bodies;
  const [n, b] = [4 * node, 4 * body];
  const spin = (k: number) => {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    return w[b + i] * vector[j] - w[b + j] * vector[i];
  };
  for (let k = 0; k < 3; k++) vector[k] = previous[n + k] - from[k];
  rotateVector(vector, 0, turn, 0, vector, 0);
  for (let k = 0; k < 3; k++) previous[n + k] = center[b + k] + vector[k];
  for (let k = 0; k < 3; k++) vector[k] = position[n + k] - from[k];
  for (let k = 0; k < 3; k++) velocity[n + k] -= v[b + k] + spin(k);
  rotateVector(vector, 0, turn, 0, vector, 0);
  rotateVector(velocity, n, turn, 0, velocity, n);
  for (let k = 0; k < 3; k++) velocity[n + k] += v[b + k] + spin(k);
  for (let k = 0; k < 3; k++) position[n + k] = center[b + k] + vector[k];
  rotateVector(frame, n, turn, 0, frame, n);
  rotateVector(dual, n, turn, 0, dual, n);
}

/** Contacts of what moved go along where both sides did; the others end. */
function turnContacts({ arena, tables }: Engine, holds: Uint8Array, body: number): void {
  const { nodeContacts: t, colliders } = tables;
  for (let c = 0; c < arena.i32[L.NODE_CONTACT_COUNT >> 2]; c++) {
    const four = 4 * c;
    const other = t.side[four + SIDE_OBJECT_B];
    const isMoved = holds[t.side[four]] === BY_BODY;
    const isOtherMoved = other >= 0 ? holds[other] === BY_BODY : colliders.body[t.side[four + SIDE_COLLIDER]] === body;
    if (isMoved && isOtherMoved)
      for (const column of [t.normal, t.force, t.arm]) rotateVector(column, four, turn, 0, column, four);
    else if (isMoved || isOtherMoved) t.force.fill(0, four, four + 4);
  }
}
