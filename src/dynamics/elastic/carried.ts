// Grooms on dynamic bodies: the body feels what it carries, and the cost grows with the number of strands.
//
// Such a strand's clamped unknowns move with the body, as on a kinematic one; the body's velocity v is found with
// them. With M the body's mass matrix, R(v) the impulse and moment that it gives the strands in the step (of all their
// clamps together) and S = dR/dv, 6×6,
//
//   M (v − v_free) = pending − R(v),   so   (M + S) Δv = pending − R(v₀) − M (v₀ − v_free),
//
// the Schur complement of all its strands: a strand touches the body through six numbers only, so S is a sum over
// strands, and six solves with all factors at once give its columns. R follows from the strands' momentum, R = Σ m (v
// − v_old) − outer impulses: the large elastic terms, which cancel in it, never appear. So far without contacts.
// What these change in R (hair that rests on a shoulder) is known after the solve; the body has it pending until the
// next step, which makes momentum exact and steady loads right, a step late.

import { ANGULAR } from '../../state/contact-places';
import * as L from '../../state/layout';
import { CARRY_MODES } from '../../state/rod-layout';
import type { Engine } from '../engine';
import { heldNode, otherNode } from './attachment-rows';
import { isClampJoint } from './collect-contacts';
import { strandKernelsOf } from './strand-kernels';

const CLAMPS = [L.STRAND_CLAMP_START, L.STRAND_CLAMP_END] as const;
const IDLE = L.STRAND_QUARANTINED | L.STRAND_ASLEEP;

/** Who carries what in this step; one a world. */
export interface Carried {
  /** Bodies that carry strands: slots. */
  readonly bodies: number[];
  /** By strand: number of its body in `bodies`, −1 none. */
  of: Int32Array;
  // Eight numbers a body each, reused.
  /** Impulse that it has felt so far in this step. */
  applied: Float64Array;
  /** R. */
  reaction: Float64Array;
  /** Columns of S. */
  readonly columns: Float64Array[];
  changes: Float64Array;
}

export function createCarried(): Carried {
  const none = new Float64Array(0);
  return { bodies: [], of: new Int32Array(0), applied: none, reaction: none, columns: [], changes: none };
}

/** A step begins: no body has felt anything. */
export function openCarried(carried: Carried): void {
  carried.bodies.length = 0;
  carried.applied.fill(0);
}

/** Finds the strands that awake dynamic bodies carry. Bodies that were found before in the step keep their numbers. */
export function findCarried(engine: Engine, carried: Carried): void {
  const { arena, tables } = engine;
  const { bodies } = tables;
  const count = arena.i32[L.STRAND_COUNT >> 2];
  if (carried.of.length < count) carried.of = new Int32Array(2 * count);
  for (let s = 0; s < count; s++) {
    carried.of[s] = -1;
    const body = carrierOf(engine, s);
    if (body < 0) continue;
    let number = carried.bodies.indexOf(body);
    if (number < 0) number = carried.bodies.push(body) - 1;
    carried.of[s] = number;
    bodies.flags[body] |= L.BODY_TIED;
  }
  const need = 8 * carried.bodies.length;
  if (carried.applied.length >= need) return;
  const more = new Float64Array(2 * need);
  more.set(carried.applied);
  carried.applied = more;
  carried.reaction = new Float64Array(2 * need);
  carried.changes = new Float64Array(2 * need);
  for (let k = 0; k < CARRY_MODES; k++) carried.columns[k] = new Float64Array(2 * need);
}

/** Body that carries a strand: all its clamps follow it, and they are no joints; −1 none. */
function carrierOf(engine: Engine, strand: number): number {
  const { strands, bodies } = engine.tables;
  // Most hang on the world, or on nothing.
  if (strands.attach[2 * strand] < 0 && strands.attach[2 * strand + 1] < 0) return -1;
  if (strands.flags[strand] & IDLE) return -1;
  let carrier = -1;
  for (let end = 0; end < 2; end++) {
    if (!(strands.flags[strand] & CLAMPS[end])) continue;
    const body = strands.attach[2 * strand + end];
    if (body < 0 || (carrier >= 0 && body !== carrier) || isClampJoint(engine, strand, end)) return -1;
    carrier = body;
  }
  if (carrier < 0) return -1;
  const bits = bodies.flags[carrier] & (L.BODY_DYNAMIC | L.BODY_ASLEEP | L.BODY_QUARANTINED);
  return bits === L.BODY_DYNAMIC && bodies.inverseMass[carrier] > 0 ? carrier : -1;
}

/** The part of a backend that says how carried strands answer. */
export interface Responder {
  /**
   * Writes to `out`, address of four f64 a node, NODE_PREDICTED as it would be if the velocities of the bodies that
   * carry strands changed by `changes`, eight numbers a body: for the strands that they carry, the rest is undefined.
   * Where `out` is NODE_PREDICTED, the solve goes on from there.
   */
  respond(engine: Engine, carried: Carried, changes: Float64Array, out: number): void;
}

const matrix = new Float64Array(CARRY_MODES * (CARRY_MODES + 1));
const push = new Float64Array(8);

/**
 * Gives the bodies the velocities that they have with what they carry, and NODE_PREDICTED those of the strands. To be
 * called when the strands are predicted at the bodies' present velocities; `work`: address of four f64 a node.
 */
export function carryStrands(engine: Engine, backend: Responder, carried: Carried, work: number): void {
  const { bodies, applied, reaction, columns, changes } = carried;
  const count = bodies.length;
  if (count === 0) return;
  const { arena } = engine;
  const { pending } = engine.tables.bodies;
  const predicted = () => arena.i32[L.NODE_PREDICTED >> 2];
  react(reaction, engine, carried, predicted());
  for (let k = 0; k < CARRY_MODES; k++) {
    changes.fill(0);
    for (let b = 0; b < count; b++) changes[8 * b + placeOf(k)] = 1;
    backend.respond(engine, carried, changes, work);
    react(columns[k], engine, carried, work);
    for (let i = 0; i < 8 * count; i++) columns[k][i] -= reaction[i];
  }
  changes.fill(0);
  for (let b = 0; b < count; b++) {
    const body = bodies[b];
    for (let i = 0; i < 8; i++) push[i] = pending[8 * body + i] - reaction[8 * b + i] - applied[8 * b + i];
    solveBody(engine, body, b, columns, changes);
    // What it felt: M Δv.
    for (let k = 0; k < CARRY_MODES; k++) {
      let felt = push[placeOf(k)];
      for (let j = 0; j < CARRY_MODES; j++) felt -= columns[j][8 * b + placeOf(k)] * changes[8 * b + placeOf(j)];
      applied[8 * b + placeOf(k)] += felt;
    }
  }
  backend.respond(engine, carried, changes, predicted());
  const { linearVelocity, angularVelocity, motion, velocityChange } = engine.tables.bodies;
  for (let b = 0; b < count; b++) {
    for (let k = 0; k < 4; k++) {
      linearVelocity[4 * bodies[b] + k] += changes[8 * b + k];
      angularVelocity[4 * bodies[b] + k] += changes[8 * b + ANGULAR + k];
    }
    for (let k = 0; k < 8; k++) {
      motion[8 * bodies[b] + k] += changes[8 * b + k];
      velocityChange[8 * bodies[b] + k] += changes[8 * b + k];
    }
  }
}

/** Mode k among eight numbers. */
function placeOf(k: number): number {
  return k < 3 ? k : k + 1;
}

/** out := R at velocities (four f64 a node). */
function react(out: Float64Array, engine: Engine, carried: Carried, velocities: number): void {
  out.fill(0);
  withSums(engine, carried, out, (of, at) => strandKernelsOf(engine).rodReact(of, velocities, at));
}

/** Calls a kernel with `carried.of` and sums in the one memory. */
function withSums(
  engine: Engine,
  carried: Carried,
  sums: Float64Array,
  call: (of: number, sums: number) => void,
): void {
  const { arena } = engine;
  const count = 8 * carried.bodies.length;
  const strands = arena.i32[L.STRAND_COUNT >> 2];
  const of = engine.kernelScratch.address(8 * Math.ceil(strands / 2) + 8 * count);
  const at = of + 8 * Math.ceil(strands / 2);
  arena.i32.set(carried.of.subarray(0, strands), of >> 2);
  arena.f64.set(sums.subarray(0, count), at >> 3);
  call(of, at);
  sums.set(arena.f64.subarray(at >> 3, (at >> 3) + count));
}

/** Δv of one body from (1 + M⁻¹ S) Δv = M⁻¹ push, by elimination with pivots, to its place in `out`. */
function solveBody(engine: Engine, body: number, b: number, columns: Float64Array[], out: Float64Array): void {
  const width = CARRY_MODES + 1;
  for (let j = 0; j < width; j++) {
    const from = j < CARRY_MODES ? columns[j] : push;
    const at = j < CARRY_MODES ? 8 * b : 0;
    for (let i = 0; i < CARRY_MODES; i++)
      matrix[width * i + j] = giveVelocity(engine, body, from, at, i) + (i === j ? 1 : 0);
  }
  for (let k = 0; k < CARRY_MODES; k++) {
    let best = k;
    for (let i = k + 1; i < CARRY_MODES; i++) {
      if (Math.abs(matrix[width * i + k]) > Math.abs(matrix[width * best + k])) best = i;
    }
    for (let j = 0; j < width; j++) {
      const held = matrix[width * k + j];
      matrix[width * k + j] = matrix[width * best + j];
      matrix[width * best + j] = held;
    }
    for (let i = k + 1; i < CARRY_MODES; i++) {
      const share = matrix[width * i + k] / matrix[width * k + k];
      for (let j = k; j < width; j++) matrix[width * i + j] -= share * matrix[width * k + j];
    }
  }
  for (let i = CARRY_MODES - 1; i >= 0; i--) {
    let sum = matrix[width * i + CARRY_MODES];
    for (let j = i + 1; j < CARRY_MODES; j++) sum -= matrix[width * i + j] * out[8 * b + placeOf(j)];
    const change = sum / matrix[width * i + i];
    out[8 * b + placeOf(i)] = Number.isFinite(change) ? change : 0;
  }
}

/** Component i of M⁻¹ p, p eight numbers from `at` on. */
function giveVelocity({ tables }: Engine, body: number, p: Float64Array, at: number, i: number): number {
  const { inverseMass, inverseInertia: I } = tables.bodies;
  if (i < 3) return inverseMass[body] * p[at + i];
  const [x, y, z] = [p[at + 4], p[at + 5], p[at + 6]];
  const t = 8 * body;
  if (i === 3) return I[t] * x + I[t + 3] * y + I[t + 4] * z;
  if (i === 4) return I[t + 3] * x + I[t + 1] * y + I[t + 5] * z;
  return I[t + 4] * x + I[t + 5] * y + I[t + 2] * z;
}

/**
 * After the solve (NODE_PREDICTED), while NODE_VELOCITY and user forces are as before:
 * what the bodies have not felt yet.
 */
export function settleCarried(engine: Engine, carried: Carried): void {
  const { bodies, applied } = carried;
  if (bodies.length === 0) return;
  const given = carried.reaction;
  react(given, engine, carried, engine.arena.i32[L.NODE_PREDICTED >> 2]);
  withSums(engine, carried, given, (of, at) => strandKernelsOf(engine).rodStruck(of, at));
  pullJoints(engine, carried, given);
  const { pending } = engine.tables.bodies;
  for (let b = 0; b < bodies.length; b++) {
    for (let k = 0; k < 8; k++) {
      const at = 8 * bodies[b] + k;
      const rest = pending[at] - given[8 * b + k] - applied[8 * b + k];
      pending[at] = Number.isFinite(rest) ? rest : 0;
    }
  }
}

/** given −= impulses of attachments on strands that are carried. */
function pullJoints({ arena, tables }: Engine, carried: Carried, given: Float64Array): void {
  const { attachments, nodes, bodies } = tables;
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (!(attachments.flags[a] & L.ATTACHMENT_ALIVE)) continue;
    const ends = [heldNode(tables, a), otherNode(tables, a)];
    for (let end = 0; end < 2; end++) {
      const node = ends[end];
      const b = node < 0 ? -1 : carried.of[nodes.strand[node]];
      if (b < 0) continue;
      const sign = end === 0 ? 1 : -1;
      for (let k = 0; k < 3; k++) {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        const arm = (x: number) => nodes.position[4 * node + x] - bodies.position[4 * carried.bodies[b] + x];
        const push = (x: number) => sign * attachments.impulse[4 * a + x];
        given[8 * b + k] -= push(k);
        given[8 * b + ANGULAR + k] -= arm(i) * push(j) - arm(j) * push(i);
      }
    }
  }
}
