// The last word on a strand's velocities: contacts that do not restitute make nothing fast.
//
// Contact forces slow things down or hand velocities on. A solve that was cut short far from its answer (a head that
// jerks, strands wedged where they have no room) can still leave a strand many times faster than anything that
// takes part, and one such step tears it; or it stretches one that hardly can. Out: such strands, and too fast nodes of
// sheets and solids each for itself, go only part of the way from their velocities without contacts, and start the next
// step without forces. What comes well out of a solve is not touched.

import { LIMIT_BESIDE, LIMIT_LONGER, LIMIT_MEETING, LIMIT_TIMES } from '../../core/elastic-constants';
import { SIDE_BODY, SIDE_OBJECT_B } from '../../state/contact-places';
import * as L from '../../state/layout';
import { DUAL_WEIGHT } from '../../state/node-places';
import type { Engine } from '../engine';
import type { ElasticContacts } from './collect-contacts';
import type { StepNotes } from './step-notes';
import { quarantineStrand } from './store-solution';
import { strandKernelsOf } from './strand-kernels';

/** Strands that would be faster than this without contacts have gone bad [m/s]; f32 still holds the squares. */
const FASTEST = 1e9;

/** Quarantines strands whose velocities without contacts (NODE_PREDICTED) are no velocities any more. */
export function quarantineRunaways(engine: Engine): void {
  if (strandKernelsOf(engine).rodFastest() <= FASTEST * FASTEST) return;
  const { arena, tables } = engine;
  const { strands, nodes } = tables;
  for (let strand = 0; strand < arena.i32[L.STRAND_COUNT >> 2]; strand++) {
    if (strands.flags[strand] & L.STRAND_QUARANTINED) continue;
    const start = 4 * strands.first[strand];
    let square = 0;
    for (let i = start; i < start + 4 * strands.nodes[strand]; i += 4) {
      square = Math.max(square, squareAt(nodes.predicted, i));
    }
    if (!(square <= FASTEST * FASTEST)) quarantineStrand(engine, strand);
  }
}

/** What the velocities without contacts say; one a world, good for one step. */
export interface FreeMotion {
  /** Fastest node, body or moving surface [m/s]. */
  fastest: number;
  /** Of each strand: fastest, without contacts, relative to what it meets [m/s]. */
  meeting: Float64Array;
}

export function createFreeMotion(): FreeMotion {
  return { fastest: 0, meeting: new Float64Array(0) };
}

/**
 * Keeps the velocities without contacts. To be called before the solve, when contacts are found and bodies gathered.
 */
export function noteFreeMotion(engine: Engine, notes: StepNotes, motion: FreeMotion, e: ElasticContacts): void {
  motion.fastest = Math.sqrt(strandKernelsOf(engine).rodKeepFree(notes.free));
  const { linearVelocity, angularVelocity, localInertia, inverseMass } = engine.tables.bodies;
  for (let i = 0; i < e.bodyCount; i++) {
    const body = e.bodies[i];
    // The farthest point of an even body is within √5 of its radius of gyration.
    const largest = Math.max(localInertia[8 * body], localInertia[8 * body + 1], localInertia[8 * body + 2]);
    const reach = Math.sqrt(5 * largest * inverseMass[body]);
    const speed =
      Math.sqrt(squareAt(linearVelocity, 4 * body)) + reach * Math.sqrt(squareAt(angularVelocity, 4 * body));
    motion.fastest = Math.max(motion.fastest, speed);
  }
}

function squareAt(v: Float64Array, i: number): number {
  return v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2];
}

/**
 * Shortens what contacts did to what came out too fast or too long (NODE_PREDICTED). Returns how many there were:
 * objects as a whole, and nodes of others by themselves.
 */
export function limitSpeeds(engine: Engine, notes: StepNotes, motion: FreeMotion): number {
  const { arena, tables } = engine;
  const { strands, nodes, nodeContacts } = tables;
  const { predicted } = nodes;
  const strandCount = arena.i32[L.STRAND_COUNT >> 2];
  const most = LIMIT_TIMES * motion.fastest + LIMIT_BESIDE;
  if (strandKernelsOf(engine).rodSuspects(notes.free, notes.strands, most, LIMIT_LONGER) === 0) return 0;
  const limited = arena.u8.subarray(notes.strands, notes.strands + strandCount);
  const velocity = arena.f64.subarray(notes.free >> 3);
  measureMeeting(engine, motion, limited, velocity);
  const { fastest, meeting } = motion;
  let found = 0;
  slowed.clear();
  for (let strand = 0; strand < strandCount; strand++) {
    if (limited[strand] === 0) continue;
    const start = 4 * strands.first[strand];
    const end = start + 4 * strands.nodes[strand];
    let share = 1;
    if (strands.kind[strand] === L.KIND_ROD) {
      let square = 0;
      for (let i = start; i < end; i += 4) square = Math.max(square, squareAt(predicted, i));
      if (square > most * most) share = shareWithin(square, most, fastest);
    } else {
      slowNodes(tables, start, end, velocity, most, fastest);
    }
    const excess = lengthening(engine, strand, velocity, LIMIT_MEETING * engine.settings.timeStep * meeting[strand]);
    if (!(excess <= 1)) share = Math.min(share, 1 / excess);
    limited[strand] = share === 1 ? 0 : 1;
    if (share === 1) continue;
    found++;
    for (let i = start; i < end; i++) {
      predicted[i] = share > 0 ? velocity[i] + share * (predicted[i] - velocity[i]) : velocity[i];
    }
    nodes.dual.fill(0, start, end);
  }
  if (found + slowed.size === 0) return 0;
  for (let c = arena.i32[L.NODE_CONTACT_ASLEEP >> 2]; c < arena.i32[L.NODE_CONTACT_COUNT >> 2]; c++) {
    const other = nodeContacts.side[4 * c + SIDE_OBJECT_B];
    const isLimited = limited[nodeContacts.side[4 * c]] + (other < 0 ? 0 : limited[other]) > 0;
    if (isLimited || isOfSlowed(nodeContacts, c)) nodeContacts.force.fill(0, 4 * c, 4 * c + 4);
  }
  return found + slowed.size;
}

/** Nodes that were slowed by themselves; work memory. */
const slowed = new Set<number>();

function isOfSlowed({ node, weight }: Engine['tables']['nodeContacts'], c: number): boolean {
  if (slowed.size === 0) return false;
  for (let k = 4 * c; k < 4 * c + 4; k++) if (node[k] >= 0 && weight[k] !== 0 && slowed.has(node[k])) return true;
  return false;
}

/** |free + s (solved − free)| stays below `most` for this s, where |free| ≤ fastest; `square`: |solved|². */
function shareWithin(square: number, most: number, fastest: number): number {
  return (most - fastest) / (Math.sqrt(square) + fastest);
}

/**
 * Slows the nodes of a sheet or solid that are too fast, each for itself: all of it would lose, for the sake of one
 * corner that swings, what bears it elsewhere.
 */
function slowNodes(
  { nodes }: Engine['tables'],
  start: number,
  end: number,
  free: Float64Array,
  most: number,
  fastest: number,
): void {
  const { predicted, dual } = nodes;
  for (let i = start; i < end; i += 4) {
    const square = squareAt(predicted, i);
    if (square <= most * most) continue;
    slowed.add(i >> 2);
    const share = shareWithin(square, most, fastest);
    for (let k = i; k < i + 3; k++) predicted[k] = share > 0 ? free[k] + share * (predicted[k] - free[k]) : free[k];
    dual.fill(0, i, i + 4);
  }
}

/**
 * Shortens velocities in the middle of a solve (four f64 a node at `address`) to what limitSpeeds will let pass: else
 * the swept boxes of a solve that strays would meet everything, and the detection of contacts take seconds.
 */
export function limitLook(engine: Engine, { fastest }: FreeMotion, address: number): void {
  strandKernelsOf(engine).rodLimitLook(address, LIMIT_TIMES * fastest + LIMIT_BESIDE);
}

/** Fastest meeting at its contacts of each strand that is marked in `suspects`; `velocity`: without contacts. */
function measureMeeting(
  { arena, tables }: Engine,
  motion: FreeMotion,
  suspects: Uint8Array,
  velocity: Float64Array,
): void {
  const { nodeContacts: t, bodies } = tables;
  const strandCount = arena.i32[L.STRAND_COUNT >> 2];
  if (motion.meeting.length < strandCount) motion.meeting = new Float64Array(2 * strandCount);
  const { meeting } = motion;
  meeting.fill(0, 0, strandCount);
  for (let c = arena.i32[L.NODE_CONTACT_ASLEEP >> 2]; c < arena.i32[L.NODE_CONTACT_COUNT >> 2]; c++) {
    const four = 4 * c;
    const strand = t.side[four];
    const second = t.side[four + SIDE_OBJECT_B] < 0 ? strand : t.side[four + SIDE_OBJECT_B];
    if (suspects[strand] + suspects[second] === 0) continue;
    const body = t.side[four + SIDE_BODY];
    let square = 0;
    for (let k = 0; k < 3; k++) {
      let u = t.drift[four + k];
      for (let j = 0; j < 4; j++) {
        if (t.node[four + j] >= 0) u += t.weight[four + j] * velocity[4 * t.node[four + j] + k];
      }
      if (body >= 0) {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        u -= bodies.linearVelocity[4 * body + k];
        u -=
          bodies.angularVelocity[4 * body + i] * t.arm[four + j] -
          bodies.angularVelocity[4 * body + j] * t.arm[four + i];
      }
      square += u * u;
    }
    const speed = Math.sqrt(square);
    meeting[strand] = Math.max(meeting[strand], speed);
    meeting[second] = Math.max(meeting[second], speed);
  }
}

/** Largest ratio, over the edges of the object, of what contacts lengthen it by to what they may. */
function lengthening(engine: Engine, object: number, free: Float64Array, besides: number): number {
  const { strands, nodes, meshEdges } = engine.tables;
  let most = 0;
  if (strands.kind[object] === L.KIND_ROD) {
    const first = strands.first[object];
    for (let node = first; node < first + strands.nodes[object] - 1; node++) {
      most = Math.max(most, edgeLengthening(engine, node, node + 1, nodes.rest[8 * node], free, besides));
    }
    return most;
  }
  const [first, count] = strands.meshEdges.subarray(2 * object, 2 * object + 2);
  for (let e = first; e < first + count; e++) {
    const [a, b] = [meshEdges.node[4 * e], meshEdges.node[4 * e + 1]];
    most = Math.max(most, edgeLengthening(engine, a, b, meshEdges.rest[4 * e], free, besides));
  }
  return most;
}

function edgeLengthening(
  { tables, settings }: Engine,
  a: number,
  b: number,
  length: number,
  free: Float64Array,
  besides: number,
): number {
  const { position, predicted, dual } = tables.nodes;
  const dt = settings.timeStep;
  // Without weight at either end the edge has met nothing.
  if (dual[4 * a + DUAL_WEIGHT] === 0 && dual[4 * b + DUAL_WEIGHT] === 0) return 0;
  let solved = 0;
  let alone = 0;
  for (let k = 0; k < 3; k++) {
    const [i, j] = [4 * a + k, 4 * b + k];
    const d = position[j] - position[i];
    const s = d + dt * (predicted[j] - predicted[i]);
    const f = d + dt * (free[j] - free[i]);
    solved += s * s;
    alone += f * f;
  }
  return (Math.sqrt(solved) - Math.max(length, Math.sqrt(alone))) / (LIMIT_LONGER * length + besides);
}
