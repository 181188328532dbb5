// The end of an ADMM iteration: λ, δ∞, and which strands rest.
//
// A strand rests when its own share of δ∞ is small while others are still far from done: it is not solved, its
// contacts with others that rest are left out, and π stays where it is but for what contacts with strands that move
// push. That widens ‖δ − π‖ again and ends its rest. Twin of the same in solvers/admm/sides.ts.

import { OBJECT_RESTLESS } from '../../../core/elastic-constants';
import { NODE_CONTACT_COUNT, NODE_CONTACT_SIDE, STRAND_COUNT, STRAND_FIRST, STRAND_NODES } from '../../../state/layout';
import { cell, column, getI32 } from '../memory';
import {
  at,
  BODY_ROWS,
  DELTA,
  DUAL,
  LAST,
  MOVING,
  MOVING_COUNT,
  MOVING_ROWS,
  PROJECTED,
  RESTING_COUNT,
  ROW_LEFT,
  ROWS,
  SUMS,
  WEIGHT,
} from './layout';

/** ‖δ − last δ‖∞ and ‖δ − π‖∞ of the last rows looked at [m/s], as lanes. */
const moved = memory.data(16);
const apart = memory.data(16);

/**
 * ℓ += π, after admmProject; returns ‖δ − last δ‖∞ + ‖δ − π‖∞ over rows with a weight [m/s],
 * and last δ := δ. (A spin counts as it is, in rad/s.) A strand whose own sum is below `rest` [m/s] rests; 0: none
 * does. `active`: a byte a strand.
 */
export function admmUpdate(work: usize, active: usize, rest: f32): f32 {
  const strands = cell(STRAND_COUNT);
  let mostMoved: f32 = 0;
  let mostApart: f32 = 0;
  let moving = 0;
  let resting = 0;
  for (let s = 0; s < strands; s++) {
    const first = getI32(column(STRAND_FIRST), s);
    const count = getI32(column(STRAND_NODES), s);
    updateRows(work, first, first + count);
    const ownMoved = largest(moved);
    const ownApart = largest(apart);
    mostMoved = max<f32>(mostMoved, ownMoved);
    mostApart = max<f32>(mostApart, ownApart);
    const kind = load<u8>(active + <usize>s);
    if (kind == 0) continue;
    const rests = kind != <u8>OBJECT_RESTLESS && ownMoved + ownApart < rest;
    setMoving(work, s, rests ? 0 : kind);
    if (rests) resting++;
    else moving++;
  }
  updateRows(work, load<i32>(work, BODY_ROWS), load<i32>(work, ROWS));
  store<i32>(work, moving, MOVING_COUNT);
  store<i32>(work, resting, RESTING_COUNT);
  return max<f32>(mostMoved, largest(moved)) + max<f32>(mostApart, largest(apart));
}

/**
 * The same of what does not wait, by islands: what each strand, and then each of `bodies`, has left to go goes to SUMS,
 * ‖δ − last δ‖∞ and ‖δ − π‖∞ [m/s]; who rests is not decided here.
 */
export function admmUpdateApart(work: usize, bodies: i32): void {
  const strands = cell(STRAND_COUNT);
  const flags = at(work, MOVING_ROWS);
  let out = at(work, SUMS);
  for (let s = 0; s < strands; s++, out += 8) {
    const first = getI32(column(STRAND_FIRST), s);
    if (load<u8>(flags + first) == <u8>ROW_LEFT) continue;
    updateRows(work, first, first + getI32(column(STRAND_NODES), s));
    tellRows(out);
  }
  const rows = load<i32>(work, BODY_ROWS);
  for (let body = 0; body < bodies; body++, out += 8) {
    const row = rows + 2 * body;
    if (load<u8>(flags + row) == <u8>ROW_LEFT) continue;
    updateRows(work, row, row + 2);
    tellRows(out);
  }
}

function tellRows(out: usize): void {
  store<f32>(out, largest(moved));
  store<f32>(out, largest(apart), 4);
}

function updateRows(work: usize, from: i32, to: i32): void {
  const p = at(work, PROJECTED);
  const v = at(work, DELTA);
  const l = at(work, DUAL);
  const w = at(work, WEIGHT);
  const last = at(work, LAST);
  const zero = f32x4.splat(0);
  let mostMoved = zero;
  let mostApart = zero;
  for (let i = (<usize>from) << 4; i < (<usize>to) << 4; i += 16) {
    const now = v128.load(v + i);
    const projected = v128.load(p + i);
    const counts = f32x4.gt(v128.load(w + i), zero);
    // Compared as integers: for what is not negative that is the same, a NaN stays, and it is a single instruction.
    mostMoved = i32x4.max_s(mostMoved, v128.and(counts, f32x4.abs(f32x4.sub(now, v128.load(last + i)))));
    mostApart = i32x4.max_s(mostApart, v128.and(counts, f32x4.abs(f32x4.sub(projected, now))));
    v128.store(last + i, now);
    // Rows without a weight have no λ.
    v128.store(l + i, v128.and(counts, f32x4.add(v128.load(l + i), projected)));
  }
  v128.store(moved, mostMoved);
  v128.store(apart, mostApart);
}

function largest(lanes: usize): f32 {
  return max<f32>(max<f32>(load<f32>(lanes), load<f32>(lanes, 4)), load<f32>(lanes, 8));
}

function setMoving(work: usize, strand: i32, value: u8): void {
  store<u8>(at(work, MOVING) + <usize>strand, value);
  const first = <usize>getI32(column(STRAND_FIRST), strand);
  memory.fill(at(work, MOVING_ROWS) + first, value, <usize>getI32(column(STRAND_NODES), strand));
}

/** No active strand rests from now on, until the next admmUpdate. */
export function admmRouse(work: usize, active: usize): void {
  const strands = cell(STRAND_COUNT);
  let moving = 0;
  for (let s = 0; s < strands; s++) {
    const kind = load<u8>(active + <usize>s);
    setMoving(work, s, kind);
    moving += <i32>(kind != 0);
  }
  // Bodies never rest; the last row is the idle one: it keeps no contact awake.
  const bodies = <usize>load<i32>(work, BODY_ROWS);
  const idle = <usize>load<i32>(work, ROWS) - 1;
  memory.fill(at(work, MOVING_ROWS) + bodies, 1, idle - bodies);
  store<u8>(at(work, MOVING_ROWS) + idle, 0);
  store<i32>(work, moving, MOVING_COUNT);
  store<i32>(work, 0, RESTING_COUNT);
}

/** Ends the rest of the strands of contacts in the table's rows from `first` on. */
export function admmRouseTouched(work: usize, first: i32): void {
  const sides = column(NODE_CONTACT_SIDE);
  const end = sides + ((<usize>cell(NODE_CONTACT_COUNT)) << 4);
  for (let side = sides + ((<usize>first) << 4); side < end; side += 16) {
    setMoving(work, load<i32>(side), 1);
    const other = load<i32>(side, 4);
    if (other >= 0) setMoving(work, other, 1);
  }
}
