// Strands do not go through each other, whatever the solve left undone.
//
// In: the velocities that the step ends with. Out: NODE_PREDICTED, changed where two edges would go through each other.
// The solve sees contacts as planes at given places of two edges; edges that whirl round each other by many radii
// within a step, or are pressed together harder than the iterations could answer, can slip past those. What a detection
// along the final velocities finds is kept from meeting where it would meet: with n and the places s, t of that moment,
//
//   n · (x_a(s) − x_b(t)) ≥ h   after the step,
//
// J v ≥ c for short, by impulses in the friction cone, all constraints found so far in turn; then the detection looks
// again. Where these would tear a single node out of its strand they move its neighbours along, less the farther:
// what M⁻¹ Jᵀ λ changes spreads along the strand by F = (1 − θ M⁻¹ L)ᵏ, L the Laplacian of its free
// nodes. F M⁻¹ is symmetric, and a pair gives way alike in all directions: its law has a closed answer, each push is
// a projection in one metric, and going round (C. Hildreth, "A quadratic programming procedure", 1957) ends where all
// are met: it can, since h is never more than what standing still to each other gives. And 1ᵀ L = 0: momentum stays
// what it is. Held nodes stay as they are.

import {
  createStrandCrossings,
  findStrandCrossings,
  MEETING_DISTANCE,
  MEETING_S,
  MEETING_T,
  type StrandCrossings,
  type StrandDetectionParts,
} from '../../collision/strands';
import { NEAR } from '../../core/elastic-constants';
import * as L from '../../state/layout';
import * as M from '../../state/material-places';
import type { Engine } from '../engine';
import { STILL } from './near-contacts';

/** Detections at most, and sweeps over all constraints after each. */
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

// Numbers of a constraint beside its pulls: what the way must be [m] and what may be missed of it [m], mobility [1/kg],
// coefficient of friction.
const MISSED = 1;
const MOBILITY = 2;
const FRICTION = 3;
const NEED = 4;

/** Work memory; one a world. */
export interface Apart {
  readonly crossings: StrandCrossings;
  /** Of each constraint NEED numbers, and F M⁻¹ Jᵀ of the nodes of either side [1/kg]. */
  needs: Float64Array;
  pulls: Float64Array;
  /** NODE_PREDICTED as the solve left it. */
  solved: Float64Array;
}

export function createApart(): Apart {
  const none = new Float64Array(0);
  return { crossings: createStrandCrossings(), needs: none, pulls: none, solved: none };
}

/** `holder`: of each node, the body that it is joined to, −1 none. Returns how many strands were to be pushed. */
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
    measure(engine, apart, holder, before);
    for (let sweep = 0; sweep < SWEEPS && left >= 0; sweep++) {
      let pushes = 0;
      for (let i = 0; i < crossings.count; i++) if (push(engine, apart, i)) pushes++;
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

type Tables = Engine['tables'];

const share = new Float64Array(4);
const u = new Float64Array(3);
const masses = new Float64Array(SIDE);
const flows = new Float64Array(SIDE + 1);

/** Shares of constraint `i` at its nodes a, a + 1, b, b + 1. */
function setShares({ meeting }: StrandCrossings, i: number): void {
  const s = meeting[8 * i + MEETING_S];
  const t = meeting[8 * i + MEETING_T];
  share[0] = 1 - s;
  share[1] = s;
  share[2] = t - 1;
  share[3] = -t;
}

/** Sum of `column` over the nodes of constraint `i` by its shares: relative place or velocity of its two points. */
function relative(out: Float64Array, crossings: StrandCrossings, i: number, column: Float64Array): void {
  setShares(crossings, i);
  const { edges } = crossings;
  out.fill(0);
  for (let k = 0; k < 4; k++) {
    const at = 4 * (edges[2 * i + (k >> 1)] + (k & 1));
    for (let d = 0; d < 3; d++) out[d] += share[k] * column[at + d];
  }
}

/** How far apart the points of constraint `i` are along its normal [m]. */
function distanceAlong(crossings: StrandCrossings, i: number, position: Float64Array): number {
  relative(u, crossings, i, position);
  let sum = 0;
  for (let d = 0; d < 3; d++) sum += u[d] * crossings.meeting[8 * i + d];
  return sum;
}

/** Needs and pulls of the constraints from `first` on: they stay for the step. */
function measure({ tables }: Engine, apart: Apart, holder: Int32Array, first: number): void {
  const { crossings } = apart;
  const { position, strand } = tables.nodes;
  const { parameter } = tables.rods;
  if (apart.needs.length < NEED * crossings.count) {
    apart.needs = lengthened(apart.needs, 2 * NEED * crossings.count);
    apart.pulls = lengthened(apart.pulls, 4 * SIDE * crossings.count);
  }
  const radius = (node: number) => parameter[8 * tables.strands.rod[strand[node]] + M.RADIUS];
  const friction = (node: number) => parameter[8 * tables.strands.rod[strand[node]] + M.FRICTION];
  for (let i = first; i < crossings.count; i++) {
    const [a, b] = [crossings.edges[2 * i], crossings.edges[2 * i + 1]];
    const before = distanceAlong(crossings, i, position);
    const height = Math.min(crossings.meeting[8 * i + MEETING_DISTANCE], HEIGHT * (radius(a) + radius(b)), before);
    const at = 2 * SIDE * i;
    apart.needs[NEED * i] = height - before;
    apart.needs[NEED * i + MISSED] = ENOUGH * Math.abs(height);
    apart.needs[NEED * i + FRICTION] = Math.sqrt(friction(a) * friction(b));
    apart.needs[NEED * i + MOBILITY] =
      pullOf(tables, holder, a, 0, apart.pulls.subarray(at, at + SIDE)) +
      pullOf(tables, holder, b, 2, apart.pulls.subarray(at + SIDE, at + 2 * SIDE));
  }
}

function lengthened(from: Float64Array, length: number): Float64Array {
  const to = new Float64Array(length);
  to.set(from);
  return to;
}

/**
 * Projects the relative velocity of a pair on what Coulomb's law lets it keep, where it does not go its way; whether it
 * did not. (With what it was given before taken off first, as in the solve, 22 hairs of 200 went through others in 60
 * steps of two iterations, not 5: what is given back here lets the next pair through.)
 */
function push({ tables, settings }: Engine, { crossings, needs, pulls }: Apart, i: number): boolean {
  const { predicted } = tables.nodes;
  const { meeting } = crossings;
  const normal = 8 * i;
  relative(u, crossings, i, predicted);
  let along = 0;
  for (let d = 0; d < 3; d++) along += u[d] * meeting[normal + d];
  const lacking = needs[NEED * i] - settings.timeStep * along;
  const mobility = needs[NEED * i + MOBILITY];
  if (lacking <= needs[NEED * i + MISSED] || !(mobility > 0)) return false;

  // The impulse times the mobility, in the cone: normal, then what brakes the slip.
  const pressed = lacking / settings.timeStep;
  let slip = 0;
  for (let d = 0; d < 3; d++) {
    u[d] -= along * meeting[normal + d];
    slip += u[d] * u[d];
  }
  slip = Math.sqrt(slip);
  const brake = slip > 0 ? Math.min((needs[NEED * i + FRICTION] * pressed) / slip, 1) : 0;
  for (let d = 0; d < 3; d++) u[d] = pressed * meeting[normal + d] - brake * u[d];
  for (let side = 0; side < 2; side++) {
    const first = crossings.edges[2 * i + side] - TIMES;
    for (let j = 0; j < SIDE; j++) {
      const pull = pulls[2 * SIDE * i + SIDE * side + j] / mobility;
      if (pull === 0) continue;
      for (let d = 0; d < 3; d++) predicted[4 * (first + j) + d] += pull * u[d];
    }
  }
  return true;
}

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
