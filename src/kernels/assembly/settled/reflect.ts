// Blows that go on through bodies which touch, as in Newton's cradle: what speed each contact is to have after them.
//
// Newton's rule for each contact by itself knows only those that approach when the step begins; the others would share
// the blow. So they are reflected one after another, as long as some approach: generalised reflections (Smith,
// Kaufman, Vouga, Tamstorf and Grinspun 2012, "Reflections on simultaneous impact", section 3), along the normals, with
// the responses that contacts have while joints hold. What speeds that leads to are the targets of the kept velocities.
// Where nothing goes on the targets stay as they are.
//
// Limit: contacts that approach at the same time are reflected in the order of the island, not as one.

import { UNREACHED } from '../../../state/exact-solve';
import { PAIR_MATERIAL, RESTITUTION_THRESHOLD } from '../../../state/layout';
import { column, parameter } from '../memory';
import { applyWrench, setWrench, speedAt, WRENCH } from './answers';
import { holdAfresh } from './held';
import * as S from './layout';
import { clearRows } from './rows';

/** Rounds over all contacts at most: what bounces to and fro between walls has no end. */
const ROUNDS: i32 = 64;

/** Sets TARGET of the points that a blow reaches, after moveSettled has set all; their impulses are as before. */
export function reflectJointed(h: usize, tolerance: f64): void {
  if (load<i32>(h, S.IS_LOOSE) != 0) return;
  const start = load<usize>(h, S.MANIFOLDS);
  const end = load<usize>(h, S.MANIFOLDS_END);
  const rowsEnd = load<usize>(h, S.ROWS_END);
  for (let m = start; m < end; m += S.MANIFOLD_BYTES) {
    memory.copy(m + S.KEPT, m + S.IMPULSE, 96);
    memory.fill(m + S.IMPULSE, 0, 96);
  }
  for (let row = load<usize>(h, S.ROWS); row < rowsEnd; row += S.ROW_BYTES) {
    store<f64>(row, load<f64>(row, S.ROW_IMPULSE), S.ROW_BEFORE);
  }
  clearRows(h);
  holdAfresh(h, tolerance);
  if (reflectAll(h)) aimReflected(h);
  for (let m = start; m < end; m += S.MANIFOLD_BYTES) memory.copy(m + S.IMPULSE, m + S.KEPT, 96);
  for (let row = load<usize>(h, S.ROWS); row < rowsEnd; row += S.ROW_BYTES) {
    store<f64>(row, load<f64>(row, S.ROW_BEFORE), S.ROW_IMPULSE);
  }
  holdAfresh(h, tolerance);
}

/** Targets of what was reflected; what is not reached in this step is left to the next one. */
function aimReflected(h: usize): void {
  const open = <f64>UNREACHED * load<f64>(h, S.SCALE);
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    for (let p = m, last = m + ((<usize>load<i32>(m, S.COUNT)) << 3); p < last; p += 8) {
      const approach = approachOf(h, m, p);
      if (load<f64>(p, S.CHANGE) > 0) store<f64>(p, -max(0, approach), S.TARGET);
      else if (isUnreached(m, p, approach)) store<f64>(p, load<f64>(p, S.TARGET) + open, S.TARGET);
    }
  }
}

/** Whether a point that bounces comes together only after this step. */
function isUnreached(m: usize, p: usize, approach: f64): bool {
  return approach < -parameter(RESTITUTION_THRESHOLD) && restitutionOf(m) > 0 && !isPressed(m, p);
}

function restitutionOf(m: usize): f64 {
  return load<f64>(column(PAIR_MATERIAL) + ((<usize>load<i32>(m, S.PAIR)) << 5), 8);
}

/**
 * Reflects until nothing approaches that is reached; whether the blow went on, or will. Impulses go to CHANGE.
 */
function reflectAll(h: usize): bool {
  const threshold = parameter(RESTITUTION_THRESHOLD);
  const start = load<usize>(h, S.MANIFOLDS);
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = start; m < end; m += S.MANIFOLD_BYTES) {
    for (let p = m; p < m + 32; p += 8) {
      const isFirst = p < m + ((<usize>load<i32>(m, S.COUNT)) << 3) && approachOf(h, m, p) < -threshold;
      // Negative: not reflected yet, and whether the blow begins here.
      store<f64>(p, isFirst ? -2 : -1, S.CHANGE);
    }
  }
  let goesOn = false;
  let isOver = false;
  for (let round = 0; round < ROUNDS && !isOver; round++) {
    isOver = true;
    let point = load<usize>(h, S.POINTS);
    for (let m = start; m < end; m += S.MANIFOLD_BYTES, point += 4 * S.POINT_BYTES) {
      const e = restitutionOf(m);
      if (!(e > 0)) continue;
      for (let k: usize = 0; k < <usize>load<i32>(m, S.COUNT); k++) {
        const p = m + (k << 3);
        const inverse = load<f64>(point + k * S.POINT_BYTES, S.POINT_NORMAL);
        const approach = approachOf(h, m, p);
        if (!(approach < -threshold) || inverse == 0 || !isPressed(m, p)) continue;
        isOver = false;
        if (load<f64>(p, S.CHANGE) == -1) goesOn = true;
        const r = -(1 + e) * approach * inverse;
        store<f64>(p, max(0, load<f64>(p, S.CHANGE)) + r, S.CHANGE);
        push(h, m, p, r);
      }
    }
  }
  for (let m = start; m < end; m += S.MANIFOLD_BYTES) {
    for (let p = m, last = m + ((<usize>load<i32>(m, S.COUNT)) << 3); p < last; p += 8) {
      if (isUnreached(m, p, approachOf(h, m, p))) goesOn = true;
    }
  }
  return goesOn;
}

/** Normal speed of B over A at a point [m/s]: below 0 they approach. */
function approachOf(h: usize, m: usize, p: usize): f64 {
  const velocity = load<usize>(h, S.VELOCITY);
  const a = velocity + <usize>load<i32>(m, S.BODY_A) * S.VELOCITY_BYTES;
  const b = velocity + <usize>load<i32>(m, S.BODY_B) * S.VELOCITY_BYTES;
  const x = speedAt(b, p + S.ARM_B, 0, 8, 16) - speedAt(a, p + S.ARM_A, 0, 8, 16);
  const y = speedAt(b, p + S.ARM_B, 8, 16, 0) - speedAt(a, p + S.ARM_A, 8, 16, 0);
  const z = speedAt(b, p + S.ARM_B, 16, 0, 8) - speedAt(a, p + S.ARM_A, 16, 0, 8);
  return load<f64>(m, S.NORMAL) * x + load<f64>(m, S.NORMAL + 8) * y + load<f64>(m, S.NORMAL + 16) * z;
}

/** Whether the point is reached in the step: it presses in the solve that moves the bodies. */
function isPressed(m: usize, p: usize): bool {
  const x = load<f64>(m, S.NORMAL) * load<f64>(p, S.KEPT);
  const y = load<f64>(m, S.NORMAL + 8) * load<f64>(p, S.KEPT + 32);
  return x + y + load<f64>(m, S.NORMAL + 16) * load<f64>(p, S.KEPT + 64) > 0;
}

/** An impulse along the normal, and what it does to all that joints connect with the two bodies. */
function push(h: usize, m: usize, p: usize, r: f64): void {
  const n = load<i32>(h, S.BODIES);
  const x = r * load<f64>(m, S.NORMAL);
  const y = r * load<f64>(m, S.NORMAL + 8);
  const z = r * load<f64>(m, S.NORMAL + 16);
  if (load<i32>(m, S.BODY_A) < n) {
    setWrench(p + S.ARM_A, -x, -y, -z);
    applyWrench(h, load<i32>(m, S.BODY_A), WRENCH);
  }
  if (load<i32>(m, S.BODY_B) < n) {
    setWrench(p + S.ARM_B, x, y, z);
    applyWrench(h, load<i32>(m, S.BODY_B), WRENCH);
  }
}
