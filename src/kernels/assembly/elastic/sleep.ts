// Strands at rest: which are calm, what of those that sleep has to wake, and how one is laid to rest. What sleeps
// together is decided in dynamics/elastic/sleep.ts.
//
// A strand that sleeps has STRAND_ASLEEP, velocities of zero, its λ and contact rows as they were, and a box. It is
// not predicted, solved or moved; detections meet it with what is awake only (proximity/candidates, proximity/bodies).

import {
  BODY_AWAKE_INDEX,
  NODE_FORCE,
  NODE_POSITION,
  NODE_PREDICTED,
  NODE_PREVIOUS,
  NODE_VELOCITY,
  ROD_FLAGS,
  ROD_NEVER_SLEEPS,
  ROD_PARAMETER,
  STRAND_ASLEEP,
  STRAND_ASLEEP_COUNT,
  STRAND_CALM,
  STRAND_COUNT,
  STRAND_FIRST,
  STRAND_FLAGS,
  STRAND_NODES,
  STRAND_QUARANTINED,
  STRAND_REST_BOX,
  STRAND_RING,
  STRAND_ROD,
  TIME_STEP,
} from '../../../state/layout';
import { cell, column, getF64, getI32, parameter, setCell, setF64, setI32 } from '../memory';

/** Contacts reach this far beyond the surface of a strand, in radii; more than near-contacts.ts makes any [-]. */
const REACH: f64 = 1;

export function isAsleep(strand: i32): bool {
  return (getI32(column(STRAND_FLAGS), strand) & STRAND_ASLEEP) != 0;
}

/** Whether the body may come to touch what does not move: an awake dynamic one, or a kinematic one that moves. */
export function isBodyAwake(body: i32): bool {
  return getI32(column(BODY_AWAKE_INDEX), body) >= 0;
}

/**
 * Advances the timers of awake strands by the step where every node is slower than `limit` [m/s], sets the others to 0;
 * returns how many have reached `delay` [s].
 */
export function rodCalm(limit: f64, delay: f64): i32 {
  const strands = cell(STRAND_COUNT);
  const dt = parameter(TIME_STEP);
  const calm = column(STRAND_CALM);
  let ripe = 0;
  for (let s = 0; s < strands; s++) {
    const flags = getI32(column(STRAND_FLAGS), s);
    if (flags & (STRAND_ASLEEP | STRAND_QUARANTINED)) continue;
    const isSlow =
      (getI32(column(ROD_FLAGS), getI32(column(STRAND_ROD), s)) & ROD_NEVER_SLEEPS) == 0 && isSlower(s, limit * limit);
    const time = isSlow ? getF64(calm, s) + dt : 0;
    setF64(calm, s, time);
    if (isSlow && time >= delay) ripe++;
  }
  return ripe;
}

function isSlower(strand: i32, limit: f64): bool {
  const first = column(NODE_VELOCITY) + ((<usize>getI32(column(STRAND_FIRST), strand)) << 5);
  const end = first + ((<usize>getI32(column(STRAND_NODES), strand)) << 5);
  for (let row = first; row < end; row += 32) {
    const x = load<f64>(row);
    const y = load<f64>(row, 8);
    const z = load<f64>(row, 16);
    if (!(x * x + y * y + z * z < limit)) return false;
  }
  return true;
}

/** Lays a strand to rest with its ring. */
export function rodRest(strand: i32, ring: i32, body: i32): void {
  const first = (<usize>getI32(column(STRAND_FIRST), strand)) << 5;
  const bytes = (<usize>getI32(column(STRAND_NODES), strand)) << 5;
  memory.fill(column(NODE_VELOCITY) + first, 0, bytes);
  memory.fill(column(NODE_PREDICTED) + first, 0, bytes);
  memory.copy(column(NODE_PREVIOUS) + first, column(NODE_POSITION) + first, bytes);
  const radius = load<f64>(column(ROD_PARAMETER) + ((<usize>getI32(column(STRAND_ROD), strand)) << 6));
  const box = column(STRAND_REST_BOX) + <usize>strand * 48;
  for (let k: usize = 0; k < 24; k += 8) {
    let low = Infinity;
    let high = -Infinity;
    for (let row = column(NODE_POSITION) + first; row < column(NODE_POSITION) + first + bytes; row += 32) {
      low = min(low, load<f64>(row + k));
      high = max(high, load<f64>(row + k));
    }
    store<f64>(box + k, low - radius * (1 + REACH));
    store<f64>(box + k, high + radius * (1 + REACH), 24);
  }
  setI32(column(STRAND_FLAGS), strand, getI32(column(STRAND_FLAGS), strand) | STRAND_ASLEEP);
  setI32(column(STRAND_RING), 2 * strand, ring);
  setI32(column(STRAND_RING), 2 * strand + 1, body);
  setCell(STRAND_ASLEEP_COUNT, cell(STRAND_ASLEEP_COUNT) + 1);
}

/** Clears STRAND_ASLEEP of strands with user forces. */
export function rodForced(): void {
  const strands = cell(STRAND_COUNT);
  for (let s = 0; s < strands; s++) {
    if (!isAsleep(s)) continue;
    const first = column(NODE_FORCE) + ((<usize>getI32(column(STRAND_FIRST), s)) << 5);
    const end = first + ((<usize>getI32(column(STRAND_NODES), s)) << 5);
    let any = i64x2.splat(0);
    for (let row = first; row < end; row += 16) any = v128.or(any, v128.load(row));
    if (v128.any_true(any)) setI32(column(STRAND_FLAGS), s, getI32(column(STRAND_FLAGS), s) & ~STRAND_ASLEEP);
  }
}
