// Sweeps drawn out along what they have done so far: nonlinear conjugate gradients (Silcowitz, Niebe and Erleben
// 2010, "A nonsmooth nonlinear conjugate gradient method for interactive contact force problems", algorithm 1).
//
// What a sweep changes is the negative gradient of a step; how much smaller than the last one it is tells how far to go
// on along the direction of the sweeps before, and one that is larger starts anew. Velocities are linear in impulses
// while the joints hold, so that they are drawn out alike, and no impulse has to be applied again. Points leave their
// cones on the way; the next sweep takes them back, and the last one is not drawn out.
//
// In: impulses of points and bounded rows and velocities, before and after a sweep. Out: the same, drawn out.

import { copy48 } from '../memory';
import * as S from './layout';

/** Begins at the impulses and velocities at hand. */
export function beginAcceleration(h: usize): void {
  store<f64>(h, 0, S.SWEPT);
  noteSwept(h);
}

/** Keeps what a sweep starts from. */
function noteSwept(h: usize): void {
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    copy48(m + S.KEPT, m + S.IMPULSE);
    copy48(m + S.KEPT + 48, m + S.IMPULSE + 48);
  }
  for (let row = load<usize>(h, S.BOUNDED); row != 0; row = load<usize>(row, S.ROW_NEXT)) {
    store<f64>(row, load<f64>(row, S.ROW_IMPULSE), S.ROW_BEFORE);
  }
  const bytes = <usize>load<i32>(h, S.BODIES) * S.VELOCITY_BYTES;
  memory.copy(load<usize>(h, S.BEFORE), load<usize>(h, S.VELOCITY), bytes);
}

/** Draws a sweep out that changed impulses by `square`, its sum of impulses times velocities [J], and keeps the end. */
export function accelerate(h: usize, square: f64): void {
  const last = load<f64>(h, S.SWEPT);
  store<f64>(h, square, S.SWEPT);
  // The first sweep, or one that did more than that before: its own direction alone.
  const isNew = !(last > 0) || !(square < last);
  const share = isNew ? 0 : square / last;
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    drawOut(m + S.IMPULSE, m + S.KEPT, m + S.CHANGE, 96, share);
  }
  for (let row = load<usize>(h, S.BOUNDED); row != 0; row = load<usize>(row, S.ROW_NEXT)) {
    const way = share * (share == 0 ? 0 : load<f64>(row, S.ROW_CHANGE));
    const r = load<f64>(row, S.ROW_IMPULSE);
    store<f64>(row, way + (r - load<f64>(row, S.ROW_BEFORE)), S.ROW_CHANGE);
    store<f64>(row, r + way, S.ROW_IMPULSE);
    store<f64>(row, r + way, S.ROW_BEFORE);
  }
  const bytes = <usize>load<i32>(h, S.BODIES) * S.VELOCITY_BYTES;
  drawOut(load<usize>(h, S.VELOCITY), load<usize>(h, S.BEFORE), load<usize>(h, S.WAY), bytes, share);
}

/** way := share way + (now − before), now += share · (way of before), before := now. */
function drawOut(now: usize, before: usize, way: usize, bytes: usize, share: f64): void {
  const k = f64x2.splat(share);
  const zero = f64x2.splat(0);
  for (let i: usize = 0; i < bytes; i += 16) {
    const x = v128.load(now + i);
    const along = share == 0 ? zero : f64x2.mul(k, v128.load(way + i));
    v128.store(way + i, f64x2.add(along, f64x2.sub(x, v128.load(before + i))));
    const next = f64x2.add(x, along);
    v128.store(now + i, next);
    v128.store(before + i, next);
  }
}
