// Strands do not go through each other, whatever the solve left undone.
//
// In: the velocities that the step ends with. Out: NODE_PREDICTED, changed where two edges would go through each other. The
// solve sees contacts as planes at given places of two edges; edges that whirl round each other by many radii within a step, or are
// pressed together harder than the iterations could answer, can slip past those. What a search along the final
// velocities finds is kept from meeting where it would meet: with n and the places s, t of that moment,
//
//   n · (x_a(s) − x_b(t)) ≥ h   after the step,
//
// J v ≥ c for short, by impulses along n, all constraints found so far in turn; then the search looks again. Where these
// would tear a single node out of its strand they move its neighbours along, less the farther: what M⁻¹ Jᵀ λ changes spreads
// along the strand by F = (1 − θ M⁻¹ L)ᵏ, L the Laplacian of its free nodes. F M⁻¹ is symmetric, so each push is a projection on a
// half-space in one metric and going round (C. Hildreth, "A quadratic programming procedure", 1957) ends where all are met: it
// can, since h is never more than what standing still to each other gives. And 1ᵀ L = 0: momentum stays what it is.
// Held nodes stay as they are.

import {
  createStrandCrossings,
  findStrandCrossings,
  type StrandCrossings,
  type StrandDetectionParts,
} from '../../collision/strands';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import { NEAR, STILL } from './near-contacts';

/** Searches at most, and sweeps over all constraints after each. */
const ROUNDS = 10;
const SWEEPS = 20;
/** Pushes at most in a step, and more for each node: a wad that starts out all tangled must not take seconds. */
const PUSHES = 2000;
const MORE_PUSHES = 0.5;
/** h is the distance at the start of the step, but no more than this share of the contact distance. */
const HEIGHT = 0.25;
/** Share of h by which a constraint may be missed. */
const ENOUGH = 0.1;
/** θ and k of F; k is even. */
const SPREAD = 0.25;
const TIMES = 8;
/** Nodes that the ends of an edge move with. */
const SIDE = 2 + 2 * TIMES;

/** Work memory; one a world. */
export interface Apart {
  readonly crossings: StrandCrossings;
  /** NODE_PREDICTED as the solve left it. */
  solved: Float64Array;
}

export function createApart(): Apart {
  return { crossings: createStrandCrossings(), solved: new Float64Array(0) };
}

/** `holder`: of each node, the body that it is joined to, −1 none. Returns how many strands were held back. */
export function keepApart(engine: Engine, apart: Apart, holder: Int32Array, detection: StrandDetectionParts): number {
  const { arena, tables, settings } = engine;
  const { crossings } = apart;
  const nodeCount = arena.i32[L.NODE_COUNT >> 2];
  let left = PUSHES + MORE_PUSHES * nodeCount;
  const options = {
    timeStep: settings.timeStep,
    velocities: arena.i32[L.NODE_PREDICTED >> 2],
    near: NEAR,
    harmless: STILL,
  };
  crossings.count = 0;
  for (let round = 0; ; round++) {
    const before = crossings.count;
    findStrandCrossings(crossings, detection, options, round > 0);
    if (crossings.count === before) break;
    if (round === 0) remember(apart, tables.nodes.predicted.subarray(0, 4 * nodeCount));
    if (round === ROUNDS || left < 0) {
      giveUp(engine, apart, strandsOf(engine, crossings, before));
      break;
    }
    for (let sweep = 0; sweep < SWEEPS && left >= 0; sweep++) {
      let pushes = 0;
      for (let i = 0; i < crossings.count; i++) if (push(engine, crossings, i, holder)) pushes++;
      if (pushes === 0) break;
      left -= pushes;
    }
  }
  return strandsOf(engine, crossings, 0).size;
}

/** Strands of the pairs from `first` on. */
function strandsOf({ tables }: Engine, { count, edges }: StrandCrossings, first: number): Set<number> {
  const found = new Set<number>();
  for (let k = 2 * first; k < 2 * count; k++) found.add(tables.nodes.strand[edges[k]]);
  return found;
}

function remember(apart: Apart, predicted: Float64Array): void {
  if (apart.solved.length < predicted.length) apart.solved = new Float64Array(2 * predicted.length);
  apart.solved.set(predicted);
}

/** These strands, and all that they pushed or were pushed by, have what the solve gave them. */
function giveUp({ tables }: Engine, { crossings, solved }: Apart, given: Set<number>): void {
  const { predicted, strand } = tables.nodes;
  const pairs = Array.from({ length: crossings.count }, (_, i) => [
    strand[crossings.edges[2 * i]],
    strand[crossings.edges[2 * i + 1]],
  ]);
  for (let size = -1; size !== given.size; ) {
    size = given.size;
    for (const [a, b] of pairs) if (given.has(a) || given.has(b)) given.add(a).add(b);
  }
  for (const s of given) {
    const at = 4 * tables.strands.first[s];
    predicted.set(solved.subarray(at, at + 4 * tables.strands.nodes[s]), at);
  }
}

const share = new Float64Array(4);
const normal = new Float64Array(3);
/** F M⁻¹ Jᵀ of the nodes of each side [1/kg]; room for a step of F. */
const pulls = [new Float64Array(SIDE), new Float64Array(SIDE)];
const masses = new Float64Array(SIDE);
const flows = new Float64Array(SIDE + 1);

/** Pushes a pair apart until it keeps its height; whether that was needed. */
function push(
  { tables, settings }: Engine,
  { edges, meeting }: StrandCrossings,
  i: number,
  holder: Int32Array,
): boolean {
  const { position, predicted, strand } = tables.nodes;
  const { parameter } = tables.rods;
  const [a, b] = [edges[2 * i], edges[2 * i + 1]];
  const [s, t] = [meeting[8 * i + 4], meeting[8 * i + 5]];
  share.set([1 - s, s, t - 1, -t]);
  for (let d = 0; d < 3; d++) normal[d] = meeting[8 * i + d];
  let before = 0;
  let way = 0;
  for (let k = 0; k < 4; k++) {
    const at = 4 * (k < 2 ? a + k : b + k - 2);
    for (let d = 0; d < 3; d++) {
      before += share[k] * normal[d] * position[at + d];
      way += share[k] * normal[d] * settings.timeStep * predicted[at + d];
    }
  }
  const radius = (node: number) => parameter[8 * tables.strands.rod[strand[node]]];
  const height = Math.min(meeting[8 * i + 3], HEIGHT * (radius(a) + radius(b)), before);
  const lacking = height - before - way;
  if (lacking <= ENOUGH * Math.abs(height)) return false;
  const mobility = pullOf(tables, holder, a, 0, pulls[0]) + pullOf(tables, holder, b, 2, pulls[1]);
  if (!(mobility > 0)) return false;
  const impulse = lacking / (settings.timeStep * mobility);
  for (let j = 0; j < SIDE; j++) {
    for (const [edge, pull] of [[a, pulls[0]] as const, [b, pulls[1]] as const]) {
      if (pull[j] === 0) continue;
      const at = 4 * (edge - TIMES + j);
      for (let d = 0; d < 3; d++) predicted[at + d] += impulse * pull[j] * normal[d];
    }
  }
  return true;
}

type Tables = Engine['tables'];

/** F M⁻¹ Jᵀ of the side whose shares begin at `k`; its part of J F M⁻¹ Jᵀ [1/kg]. */
function pullOf(tables: Tables, holder: Int32Array, edge: number, k: number, pull: Float64Array): number {
  for (let j = 0; j < SIDE; j++) {
    const node = edge - TIMES + j;
    masses[j] = isFree(tables, holder, edge, node) ? tables.nodes.mass[2 * node] : 0;
    const part = j === TIMES || j === TIMES + 1 ? share[k + j - TIMES] : 0;
    pull[j] = masses[j] > 0 ? part / masses[j] : 0;
  }
  for (let time = 0; time < TIMES; time++) {
    for (let j = 1; j < SIDE; j++) flows[j] = SPREAD * Math.min(masses[j - 1], masses[j]) * (pull[j] - pull[j - 1]);
    for (let j = 0; j < SIDE; j++) if (masses[j] > 0) pull[j] += (flows[j + 1] - flows[j]) / masses[j];
  }
  return share[k] * pull[TIMES] + share[k + 1] * pull[TIMES + 1];
}

/** Whether a node is of the edge's strand and moved by contacts: not clamped, joined to a body or asleep. */
function isFree({ nodes, strands }: Tables, holder: Int32Array, edge: number, node: number): boolean {
  const strand = nodes.strand[edge];
  const place = node - strands.first[strand];
  const flags = strands.flags[strand];
  const count = strands.nodes[strand];
  if (place < 0 || place >= count || holder[node] >= 0 || flags & L.STRAND_ASLEEP) return false;
  return !((flags & L.STRAND_CLAMP_START && place < 2) || (flags & L.STRAND_CLAMP_END && place >= count - 2));
}
