// Momentum of the further sweeps: after a double sweep impulses and velocities go on the way that it took them.
//
// With x what a double sweep leaves, x' what the one before left, the next one begins at y = x + β (x − x'),
// β = k / (k + 3) for the k-th in a row (Nesterov 1983; up and back a sweep is a symmetric operator, which this
// needs). Velocities are linear in impulses, so that both are carried by the same share. Where the sweep led back
// from y, against x − x', k begins anew (O'Donoghue and Candès 2015, gradient scheme; measured in the momentum of
// the bodies' centres).
//
// In: rows and bodies as a double sweep left them. Out: the same carried on; rows called that this changed noticeably,
// and those that it took out of their cones.

import { callRow, noteManifoldSolved, noteQuadSolved } from './active';
import * as S from './layout';

/** Double sweeps in a row that went the same way. */
let count: f32 = 0;

/** Starts from what the rows (record, points) in [from, to) and the bodies in [bodies, end) have. */
export function beginMomentum(from: usize, to: usize, bodies: usize, end: usize): void {
  count = 0;
  for (let row = from; row < to; row += 8) {
    const impulse = impulseOf(row);
    const old = oldOf(row);
    v128.store(old, v128.load(impulse));
    v128.store(old, v128.load(impulse, 16), 16);
    v128.store(old, v128.load(impulse, 32), 32);
  }
  for (let b = bodies; b < end; b += S.BODY_BYTES) {
    const v = v128.load(b, S.V);
    v128.store(b, v, S.OLD_V);
    v128.store(b, v128.load(b, S.W), S.OLD_W);
    v128.store(b, v, S.MOTION_V);
  }
}

/** Carries on after a double sweep. */
export function carryOn(from: usize, to: usize, bodies: usize, end: usize): void {
  const first = bodies + 2 * S.BODY_BYTES;
  count = isLedBack(first, end) ? 0 : count + 1;
  const share = f32x4.splat(count / (count + 3));
  for (let b = first; b < end; b += S.BODY_BYTES) {
    const v = v128.load(b, S.V);
    const w = v128.load(b, S.W);
    const to = f32x4.add(v, f32x4.mul(share, f32x4.sub(v, v128.load(b, S.OLD_V))));
    v128.store(b, to, S.V);
    v128.store(b, to, S.MOTION_V);
    v128.store(b, f32x4.add(w, f32x4.mul(share, f32x4.sub(w, v128.load(b, S.OLD_W)))), S.W);
    v128.store(b, v, S.OLD_V);
    v128.store(b, w, S.OLD_W);
  }
  const zero = f32x4.splat(0);
  for (let row = from; row < to; row += 8) {
    const impulse = impulseOf(row);
    const old = oldOf(row);
    const n = v128.load(impulse);
    const t = v128.load(impulse, 16);
    const s = v128.load(impulse, 32);
    const byN = f32x4.mul(share, f32x4.sub(n, v128.load(old)));
    const byT = f32x4.mul(share, f32x4.sub(t, v128.load(old, 16)));
    const byS = f32x4.mul(share, f32x4.sub(s, v128.load(old, 32)));
    // Where momentum begins anew, too: impulses and velocities go from the same place.
    v128.store(old, n);
    v128.store(old, t, 16);
    v128.store(old, s, 32);
    if (!v128.any_true(v128.or(byN, v128.or(byT, byS)))) continue;
    const toN = f32x4.add(n, byN);
    v128.store(impulse, toN);
    v128.store(impulse, f32x4.add(t, byT), 16);
    v128.store(impulse, f32x4.add(s, byS), 32);
    // A row out of its cone is always solved once more.
    if (v128.any_true(f32x4.lt(toN, zero))) callRow(<i32>((row - from) >> 3));
    if (load<i32>(row, 4) == 1) noteQuadSolved(load<usize>(row), byN, byT, byS);
    else noteManifoldSolved(load<usize>(row), byN, byT, byS);
  }
}

/** Address of a row's impulses, normal ones first. */
function impulseOf(row: usize): usize {
  return load<usize>(row) + (load<i32>(row, 4) == 1 ? S.Q_R_N : S.R_N);
}

/** Address of the impulses that the double sweep before left to a row. */
function oldOf(row: usize): usize {
  return load<usize>(row) + (load<i32>(row, 4) == 1 ? S.Q_OLD_N : S.OLD_N);
}

/** Did the sweep turn round: is (y − x) · (x − x') above 0, in the bodies' momentum? MOTION_V holds y. */
function isLedBack(from: usize, to: usize): bool {
  let sum: f32 = 0;
  for (let b = from; b < to; b += S.BODY_BYTES) {
    const inverse = load<f32>(b, S.INVERSE_MASS);
    if (!(inverse > 0)) continue;
    const v = v128.load(b, S.V);
    const back = f32x4.mul(f32x4.sub(v128.load(b, S.MOTION_V), v), f32x4.sub(v, v128.load(b, S.OLD_V)));
    sum += (f32x4.extract_lane(back, 0) + f32x4.extract_lane(back, 1) + f32x4.extract_lane(back, 2)) / inverse;
  }
  return sum > 0;
}
