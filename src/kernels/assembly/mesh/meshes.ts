// Shells and solids: the implicit step of one object, and the solves that the contact solver asks for.
//
// Order of use within a step, with the object's record (state/mesh-layout.ts), which the caller keeps until the end of
// the step:
//   meshGive      solids, where GIVE is not known: how far nodes give way
//   meshPredict   A, factored; velocities without contacts
//   meshWeigh     contact weights of the nodes; the factor of A + W
//   meshSolve     x = A⁻¹ b or (A + W)⁻¹ b, as often as wanted

import { BARE_WEIGHT, MOST_SHARE, SHARE_PER_NODE } from '../../../core/elastic-constants';
import { KIND_SHELL, KIND_SOLID, NODE_DUAL, NODE_REST, NODE_VELOCITY, STEP_INDEX } from '../../../state/layout';
import {
  FROM_MULTIPLE,
  FROM_ZERO,
  M_BASE,
  M_FIRST,
  M_GIVE,
  M_HAS_GIVE,
  M_HELD,
  M_HELD_VELOCITY,
  M_KIND,
  M_NODE_OF,
  M_NODES,
  M_R,
  M_RIGHT,
  M_WEIGHT,
  M_X,
} from '../../../state/mesh-layout';
import { REST_GIVE, REST_GIVE_STEP } from '../../../state/node-places';
import { cell, column } from '../memory';
import { assembleMesh } from './assemble';
import { at, ROW64 } from './blocks';
import { factorMesh } from './factor';
import { findGive } from './give';
import { handDown, rideAlong, sumRiderShares, weighRiders } from './riders';
import { solveConjugate } from './solve';
import { takeAtRest } from './tetrahedra';

/** Error of velocities without contacts, as a share of the largest change in the step [-], and in any case [m/s]. */
const PREDICTED_SHARE: f32 = 1e-4;
const PREDICTED_LEAST: f32 = 1e-7;
/**
 * Steps that one answer for how far the nodes of a shell give way does for: it only scales the penalty of the contact
 * solver, and finding it takes as long as two factors. A cloth of 2500 vertices over a ball took 11.9 rounds a step
 * with 1, 12.1 with 4, 14.2 with 8; a cape 19.4, 20.2 and 22.1.
 */
const GIVE_STEPS: f64 = 4;
/** Iterations at most. */
const MOST_ITERATIONS: i32 = 60;

/**
 * How far the nodes of a solid give way, in its shape at rest: turning changes nothing of it, and what deforms changes
 * it little, so that one answer does for as long as material and what is held stay. Takes the place of A and factors.
 */
export function meshGive(record: usize): void {
  takeAtRest(true);
  assembleMesh(record, 0, column(NODE_VELOCITY));
  takeAtRest(false);
  factorMesh(record, false);
  findGive(record);
  store<i32>(record, 1, M_HAS_GIVE);
}

/**
 * Assembles A of the object at its state, or at `guess` (f64×4 a node of the tables), factors it and writes the
 * velocities without contacts to `out`, f64×4 a node of the tables. Returns 1 where they are no numbers.
 */
export function meshPredict(record: usize, guess: usize, out: usize): i32 {
  assembleMesh(record, guess, guess == 0 ? column(NODE_VELOCITY) : guess);
  factorMesh(record, false);
  // What a solid gives is that of its shape at rest, and holds for longer than a step (meshGive).
  if (load<i32>(record, M_KIND) != KIND_SOLID) store<i32>(record, 0, M_HAS_GIVE);
  const n = <usize>load<i32>(record, M_NODES);
  const right = at(record, M_RIGHT);
  const r = at(record, M_R);
  for (let i: usize = 0; i < n; i++) {
    const xy = f32x4.demote_f64x2_zero(v128.load(right + (i << ROW64)));
    const zw = f32x4.demote_f64x2_zero(v128.load(right + (i << ROW64), 16));
    v128.store(r + (i << 4), v128.shuffle<f32>(xy, zw, 0, 1, 4, 5));
  }
  const left = solveConjugate(record, false, FROM_ZERO, PREDICTED_LEAST, PREDICTED_SHARE, MOST_ITERATIONS);
  const first = <usize>load<i32>(record, M_FIRST);
  const nodeOf = at(record, M_NODE_OF);
  const x = at(record, M_X);
  const own = at(record, M_BASE);
  let sum = <f64>(left - left);
  const held = at(record, M_HELD);
  for (let i: usize = 0; i < n; i++) {
    const place = <usize>load<i32>(nodeOf + (i << 2));
    const node = (first + place) << ROW64;
    // What is held is where it is held, to the last digit.
    const isHeld = load<u8>(held + place) != 0;
    for (let k: usize = 0; k < 24; k += 8) {
      let v = load<f64>(own + (i << ROW64) + k) + <f64>load<f32>(x + (i << 4) + (k >> 1));
      if (isHeld) v = load<f64>(at(record, M_HELD_VELOCITY) + 24 * place + k);
      sum += v - v;
      store<f64>(out + node + k, v);
    }
    store<f64>(out + node, 0, 24);
  }
  return sum == 0 ? 0 : 1;
}

/**
 * Contact weights of the object's nodes, `weights` one f32 a node of the tables [kg], as rodWeigh: w = share · 3/trace
 * of (A⁻¹)_jj, as the factor has it; 0 where the node is held or marked as bare. Then the factor of
 * A + W.
 */
export function meshWeigh(record: usize, weights: usize, share: f32): void {
  const n = <usize>load<i32>(record, M_NODES);
  const first = <usize>load<i32>(record, M_FIRST);
  const nodeOf = at(record, M_NODE_OF);
  const held = at(record, M_HELD);
  if (load<i32>(record, M_HAS_GIVE) == 0) {
    const isShell = load<i32>(record, M_KIND) == KIND_SHELL;
    if (!isShell || !readGive(record)) {
      findGive(record);
      if (isShell) keepGive(record);
    }
    store<i32>(record, 1, M_HAS_GIVE);
  }
  const own = max<f32>(share, lastShare(record, share));
  for (let i: usize = 0; i < n; i++) {
    const node = <usize>load<i32>(nodeOf + (i << 2));
    const to = weights + ((first + node) << 2);
    let w: f32 = 0;
    if (load<f32>(to) != <f32>BARE_WEIGHT && load<u8>(held + node) == 0) w = (3 * own) / giveOf(record, i);
    store<f32>(to, w);
    v128.store(at(record, M_WEIGHT) + (i << 4), f32x4.replace_lane(f32x4.splat(w), 3, 0));
  }
  weighRiders(record, weights, own);
  factorMesh(record, true);
}

/** Address of NODE_REST of a row's node. */
function restOf(record: usize, row: usize): usize {
  return (
    column(NODE_REST) + ((<usize>(load<i32>(record, M_FIRST) + load<i32>(at(record, M_NODE_OF) + (row << 2)))) << 6)
  );
}

/** Keeps GIVE of a shell in the tables, with the step that it is of. */
function keepGive(record: usize): void {
  const n = <usize>load<i32>(record, M_NODES);
  store<f64>(column(NODE_REST) + ((<usize>load<i32>(record, M_FIRST)) << 6), cell(STEP_INDEX), 8 * REST_GIVE_STEP);
  for (let i: usize = 0; i < n; i++) store<f64>(restOf(record, i), giveOf(record, i), 8 * REST_GIVE);
}

/** Reads GIVE of a shell from the tables; false: it is not there, or of too long ago. */
function readGive(record: usize): bool {
  const first = column(NODE_REST) + ((<usize>load<i32>(record, M_FIRST)) << 6);
  const age = <f64>cell(STEP_INDEX) - load<f64>(first, 8 * REST_GIVE_STEP);
  if (!(load<f64>(first, 8 * REST_GIVE) > 0) || age < 0 || age >= GIVE_STEPS) return false;
  const n = <usize>load<i32>(record, M_NODES);
  for (let i: usize = 0; i < n; i++) {
    store<f32>(at(record, M_GIVE) + (i << 2), <f32>load<f64>(restOf(record, i), 8 * REST_GIVE));
  }
  return true;
}

/** How far a row gives way to a unit of impulse, about, times 3 [1/kg]. */
function giveOf(record: usize, row: usize): f32 {
  return load<f32>(at(record, M_GIVE) + (row << 2));
}

/** Sum of the riders' shares. */
const riderShares = memory.data(4);

/** Share of the object's resistance as its last step left it in the weights of its nodes. */
function lastShare(record: usize, least: f32): f32 {
  const n = <usize>load<i32>(record, M_NODES);
  const first = <usize>load<i32>(record, M_FIRST);
  const nodeOf = at(record, M_NODE_OF);
  store<f32>(riderShares, 0);
  let seen = <f32>sumRiderShares(record, riderShares);
  let sum = load<f32>(riderShares);
  for (let i: usize = 0; i < n; i++) {
    const node = first + <usize>load<i32>(nodeOf + (i << 2));
    const w = <f32>load<f64>(column(NODE_DUAL) + (node << ROW64), 24);
    if (!(w > 0)) continue;
    sum += (w * giveOf(record, i)) / 3;
    seen += 1;
  }
  if (seen == 0) return least;
  return min<f32>(min<f32>(<f32>MOST_SHARE, <f32>SHARE_PER_NODE * seen), sum / seen);
}

/**
 * Solves with A (`which` 0) or A + W (1): right-hand side at `right`, solution to `out`, f32×4 a node of the tables;
 * `out` may be `right`. `from`: where to begin, FROM_ZERO or with what is in `out`. Up to `tolerance` [m/s] or a
 * share `relative` of the largest. Held nodes come out as they are in `right`.
 */
export function meshSolve(
  record: usize,
  which: i32,
  right: usize,
  out: usize,
  from: i32,
  tolerance: f32,
  relative: f32,
  most: i32,
): void {
  const n = <usize>load<i32>(record, M_NODES);
  const first = <usize>load<i32>(record, M_FIRST);
  const nodeOf = at(record, M_NODE_OF);
  const held = at(record, M_HELD);
  const x = at(record, M_X);
  const r = at(record, M_R);
  for (let i: usize = 0; i < n; i++) {
    const node = (first + <usize>load<i32>(nodeOf + (i << 2))) << 4;
    v128.store(r + (i << 4), f32x4.replace_lane(v128.load(right + node), 3, 0));
    if (from == FROM_ZERO) continue;
    const isHeld = from == FROM_MULTIPLE && load<u8>(held + <usize>load<i32>(nodeOf + (i << 2))) != 0;
    v128.store(x + (i << 4), isHeld ? f32x4.splat(0) : f32x4.replace_lane(v128.load(out + node), 3, 0));
  }
  handDown(record, r, right);
  solveConjugate(record, which != 0, from, tolerance, relative, most);
  for (let i: usize = 0; i < n; i++) {
    v128.store(out + ((first + <usize>load<i32>(nodeOf + (i << 2))) << 4), v128.load(x + (i << 4)));
  }
  rideAlong(record, out, x);
}
