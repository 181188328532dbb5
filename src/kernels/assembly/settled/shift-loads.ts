// Loads that two contacts and a joint share in more ways than one, on the way to where one of them bears nothing.
//
// In: the last Newton step of finish.ts, in CHANGE of points and rows. Out: impulses and velocities.

import { lawPass, wrenchPass } from './law';
import * as S from './layout';
import { isBilateral } from './rows';
import { applyPush, resetVelocities } from './settled';

/** Times the residual that a step drawn out may leave. */
const DRAWN: f64 = 1.1;
/** Times a step that are not gone. */
const FAR: f64 = 1e6;
/** Share of its cone from the edge of which on a point does not slide yet. */
const INSIDE: f64 = 1e-6;

let drawn: f64 = 0;

/** Velocities afresh, by all impulses; with `clamps` these are first taken into their cones and bounds. */
export function sumUp(h: usize, clamps: bool): void {
  resetVelocities(h);
  wrenchPass(h, clamps);
  applyPush(h);
}

/**
 * Points that press where joints hold as well say the same twice, and what they ask differs by what gaps are rounded
 * to: steps then shift a load from one to another, by little in each, while velocities stay as they are. Goes on along
 * such a step, up to where the first point slides or bears nothing, or the first row comes to a bound. False where none
 * does, or where that leaves more than DRAWN times the residual `least`; then all is as it was but for rounding.
 */
export function drawOut(h: usize, least: f64): bool {
  let most = FAR;
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    for (let p = m, last = m + ((<usize>load<i32>(m, S.COUNT)) << 3); p < last; p += 8) most = min(most, wayOf(m, p));
  }
  const rowsEnd = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < rowsEnd; row += S.ROW_BYTES) {
    const change = load<f64>(row, S.ROW_CHANGE);
    if (isBilateral(row) || change == 0) continue;
    const bound = change < 0 ? load<f64>(row, S.ROW_LOW) : load<f64>(row, S.ROW_HIGH);
    const way = (bound - load<f64>(row, S.ROW_IMPULSE)) / change;
    if (way > 0) most = min(most, way);
  }
  if (!(most < FAR)) return false;
  shift(h, most);
  drawn = lawPass(h, false);
  if (drawn < DRAWN * least) return true;
  shift(h, -most);
  return false;
}

/** Residual that the last drawOut left. */
export function drawnResidual(): f64 {
  return drawn;
}

/** Adds `by` times the last step, and velocities afresh. */
function shift(h: usize, by: f64): void {
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    for (let i: usize = 0; i < 96; i += 8) {
      store<f64>(m + i, load<f64>(m + i, S.IMPULSE) + by * load<f64>(m + i, S.CHANGE), S.IMPULSE);
    }
    for (let p = m + ((<usize>load<i32>(m, S.COUNT)) << 3); p < m + 32; p += 8) {
      for (let i: usize = 0; i < 96; i += 32) store<f64>(p + i, 0, S.IMPULSE);
    }
  }
  const rowsEnd = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < rowsEnd; row += S.ROW_BYTES) {
    store<f64>(row, load<f64>(row, S.ROW_IMPULSE) + by * load<f64>(row, S.ROW_CHANGE), S.ROW_IMPULSE);
  }
  sumUp(h, false);
}

/** How many times the last step a point may go on until it slides, or bears nothing. */
function wayOf(m: usize, p: usize): f64 {
  const nx = load<f64>(m, S.NORMAL);
  const ny = load<f64>(m, S.NORMAL + 8);
  const nz = load<f64>(m, S.NORMAL + 16);
  const mu = load<f64>(m, S.MU);
  let rx = load<f64>(p, S.IMPULSE);
  let ry = load<f64>(p, S.IMPULSE + 32);
  let rz = load<f64>(p, S.IMPULSE + 64);
  let dx = load<f64>(p, S.CHANGE);
  let dy = load<f64>(p, S.CHANGE + 32);
  let dz = load<f64>(p, S.CHANGE + 64);
  const held = nx * rx + ny * ry + nz * rz;
  const change = nx * dx + ny * dy + nz * dz;
  if (!(held > 0)) return FAR;
  let way = change < 0 ? -held / change : FAR;
  rx -= nx * held;
  ry -= ny * held;
  rz -= nz * held;
  dx -= nx * change;
  dy -= ny * change;
  dz -= nz * change;
  const c = mu * mu * held * held - (rx * rx + ry * ry + rz * rz);
  if (!(c > INSIDE * mu * mu * held * held)) return way;
  const b = mu * mu * held * change - (rx * dx + ry * dy + rz * dz);
  const a = mu * mu * change * change - (dx * dx + dy * dy + dz * dz);
  const square = b * b - a * c;
  if (square < 0) return way;
  // The smaller of the roots ahead: c/q and q/a with q = −(b ± √).
  const q = b < 0 ? sqrt(square) - b : -(sqrt(square) + b);
  const first = c / q;
  const second = q / a;
  if (first > 0) way = min(way, first);
  if (second > 0) way = min(way, second);
  return way;
}
