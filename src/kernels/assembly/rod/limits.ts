// How fast strands are, before and after the solve: the loops over all nodes behind dynamics/elastic/limit-speeds.ts.
//
// In: NODE_PREDICTED, the strand contacts. Out: largest squares [m²/s²] (NaN where a number is none: a maximum keeps
// it), the velocities without contacts kept for the rest of the step, marks on strands and bodies. Quarantined strands
// and those that sleep have velocities of zero. All addresses in bytes; velocities f64×4 a node [m/s], [rad/s].

import {
  MESH_EDGE_NODE,
  MESH_EDGE_REST,
  NODE_CONTACT_ASLEEP,
  NODE_CONTACT_COUNT,
  NODE_CONTACT_DRIFT,
  NODE_CONTACT_SIDE,
  NODE_COUNT,
  NODE_DUAL,
  NODE_POSITION,
  NODE_PREDICTED,
  NODE_REST,
  OBJECT_MESH_EDGES,
  STRAND_COUNT,
  STRAND_FIRST,
  STRAND_NODES,
  TIME_STEP,
} from '../../../state/layout';
import { isAsleep } from '../elastic/sleep';
import { cell, column, getF64, getI32, parameter } from '../memory';
import { isRod } from './work';

/** Square of x y z of a row of four f64, in the first lane. */
function squareAt(row: usize): v128 {
  const low = v128.load(row);
  const high = v128.load64_zero(row, 16);
  const squares = f64x2.add(f64x2.mul(low, low), f64x2.mul(high, high));
  return f64x2.add(squares, v128.shuffle<f64>(squares, squares, 1, 0));
}

/** Largest square of a velocity of `rows` rows [m²/s²]; NaN where one is none. */
function fastest(velocities: usize, rows: i32): f64 {
  let most = f64x2.splat(0);
  let bad = f64x2.splat(0);
  const end = velocities + ((<usize>rows) << 5);
  for (let row = velocities; row < end; row += 32) {
    const square = squareAt(row);
    // A single instruction, which max is not, but it drops a NaN.
    most = f64x2.pmax(square, most);
    bad = v128.or(bad, f64x2.ne(square, square));
  }
  return v128.any_true(bad) ? NaN : f64x2.extract_lane(most, 0);
}

/** Largest square of NODE_PREDICTED [m²/s²]. */
export function rodFastest(): f64 {
  return fastest(column(NODE_PREDICTED), cell(NODE_COUNT));
}

/**
 * Keeps NODE_PREDICTED at `free`; returns its largest square, that of moving surfaces under contacts with it [m²/s²].
 */
export function rodKeepFree(free: usize): f64 {
  const nodes = cell(NODE_COUNT);
  memory.copy(free, column(NODE_PREDICTED), (<usize>nodes) << 5);
  const contacts = cell(NODE_CONTACT_COUNT);
  const side = column(NODE_CONTACT_SIDE);
  const drift = column(NODE_CONTACT_DRIFT);
  let most = fastest(free, nodes);
  for (let c = cell(NODE_CONTACT_ASLEEP); c < contacts; c++) {
    // Only bodies drift.
    if (getI32(side, (c << 2) + 1) >= 0) continue;
    most = max<f64>(most, f64x2.extract_lane(squareAt(drift + ((<usize>c) << 5)), 0));
  }
  return most;
}

/** Marks objects with contacts and bodies that awake ones touch, one byte each; what is marked already stays. */
export function rodTouched(objects: usize, bodies: usize): void {
  const contacts = cell(NODE_CONTACT_COUNT);
  for (let c = cell(NODE_CONTACT_ASLEEP); c < contacts; c++) {
    const side = column(NODE_CONTACT_SIDE) + ((<usize>c) << 4);
    const object = load<i32>(side);
    store<u8>(objects + <usize>object, 1);
    const other = load<i32>(side, 4);
    if (other >= 0) store<u8>(objects + <usize>other, 1);
    else if (!isAsleep(object)) {
      const body = load<i32>(side, 12);
      if (body >= 0) store<u8>(bodies + <usize>body, 1);
    }
  }
}

/** Shortens x y z of the velocities at this address to `most` [m/s]. */
export function rodLimitLook(velocities: usize, most: f64): void {
  const limit = most * most;
  const end = velocities + ((<usize>cell(NODE_COUNT)) << 5);
  for (let row = velocities; row < end; row += 32) {
    const square = f64x2.extract_lane(squareAt(row), 0);
    if (square <= limit) continue;
    const share = square < Infinity ? most / sqrt<f64>(square) : 0;
    for (let k: usize = 0; k < 24; k += 8) store<f64>(row + k, share > 0 ? load<f64>(row + k) * share : 0);
  }
}

/**
 * Marks the strands that limitSpeeds has to look at, one byte each: a node faster than `most` [m/s], or an
 * edge that contacts lengthened by more than the share `longer` of its rest length beyond what it has at
 * `free`. Returns how many there are.
 */
export function rodSuspects(free: usize, marks: usize, most: f64, longer: f64): i32 {
  const strands = cell(STRAND_COUNT);
  const solved = column(NODE_PREDICTED);
  const dual = column(NODE_DUAL);
  const position = column(NODE_POSITION);
  const rest = column(NODE_REST);
  const dt = f64x2.splat(parameter(TIME_STEP));
  let found = 0;
  for (let s = 0; s < strands; s++) {
    const first = (<usize>getI32(column(STRAND_FIRST), s)) << 5;
    const count = getI32(column(STRAND_NODES), s);
    let isGood = fastest(solved + first, count) <= most * most;
    const last = isRod(s) ? first + ((<usize>(count - 1)) << 5) : first;
    for (let at = first; at < last && isGood; at += 32) {
      // Without weight at either end the edge has met nothing.
      if (load<f64>(dual + at, 24) == 0 && load<f64>(dual + at, 56) == 0) continue;
      const length = load<f64>(rest + 2 * at);
      const now = edgeSquare(position + at, solved + at, 32, dt);
      const bound = (1 + longer) * length;
      if (now <= bound * bound) continue;
      const alone = sqrt<f64>(edgeSquare(position + at, free + at, 32, dt));
      isGood = sqrt<f64>(now) - max<f64>(length, alone) <= longer * length;
    }
    if (isGood && !isRod(s)) isGood = areEdgesShort(s, free, longer, dt);
    store<u8>(marks + <usize>s, isGood ? 0 : 1);
    if (!isGood) found++;
  }
  return found;
}

/** The same of the edges of an object's mesh. */
function areEdgesShort(object: i32, free: usize, longer: f64, dt: v128): bool {
  const solved = column(NODE_PREDICTED);
  const dual = column(NODE_DUAL);
  const position = column(NODE_POSITION);
  const begin = getI32(column(OBJECT_MESH_EDGES), 2 * object);
  const end = begin + getI32(column(OBJECT_MESH_EDGES), 2 * object + 1);
  for (let e = begin; e < end; e++) {
    const a = (<usize>getI32(column(MESH_EDGE_NODE), 4 * e)) << 5;
    const b = (<usize>getI32(column(MESH_EDGE_NODE), 4 * e + 1)) << 5;
    if (load<f64>(dual + a, 24) == 0 && load<f64>(dual + b, 24) == 0) continue;
    const length = getF64(column(MESH_EDGE_REST), 4 * e);
    const now = edgeSquare(position + a, solved + a, b - a, dt);
    const bound = (1 + longer) * length;
    if (now <= bound * bound) continue;
    const alone = sqrt<f64>(edgeSquare(position + a, free + a, b - a, dt));
    if (!(sqrt<f64>(now) - max<f64>(length, alone) <= longer * length)) return false;
  }
  return true;
}

/**
 * Square of an edge's length after a step at these velocities [m²]; its second node is so many bytes behind the first.
 */
function edgeSquare(x: usize, v: usize, next: usize, dt: v128): f64 {
  const low = f64x2.add(
    f64x2.sub(v128.load(x + next), v128.load(x)),
    f64x2.mul(dt, f64x2.sub(v128.load(v + next), v128.load(v))),
  );
  const high = f64x2.add(
    f64x2.sub(v128.load64_zero(x + next, 16), v128.load64_zero(x, 16)),
    f64x2.mul(dt, f64x2.sub(v128.load64_zero(v + next, 16), v128.load64_zero(v, 16))),
  );
  const squares = f64x2.add(f64x2.mul(low, low), f64x2.mul(high, high));
  return f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1);
}
