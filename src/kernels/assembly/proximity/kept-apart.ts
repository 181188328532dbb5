// Which candidates of a further look their motion cannot bring together, by how far the first detection found them
// apart.
//
// In: pairs with a lower bound D of their distance at the start of the step (leastApart, kept beside the candidates; 0:
// unknown), displacements of the nodes. Out: the pairs that may meet. A pair is dropped when D > M + share × (sum of
// the radii), M the largest of the four differences of the displacements of an end of A and an end of B: points of the
// two edges move apart by a mean of those four (bilinear in their places), so at time τ of the step the edges are at
// least D − τ M apart.
//
// Nothing is lost, bit for bit. What a further look keeps, it keeps only after `advanceEdges(target)` in f64, where
// target is at most the sum of the radii (contacts), DEEP × DEEPER of it (crossings). For a dropped pair the heights
// along the direction of the closest points at τ = 0 exceed target by M, so the first bound of the advancement is the
// whole step, and there is no hit. `share` is 2 % above target / radii, which covers what the f64 directions are off,
// and hits that count HIT_SHARE early.
//
// Rounding, with u = 2⁻²⁴ that of f32:
// - D is what the filter claims when it refuses a pair: distance × DISTANCE_SLACK + far + slack covers the rounding of
//   √(square − excess). The four operations from there err by 4 u √ at most; APART_ROUNDING takes away 16 u.
// - A displacement is rounded once: each component of a difference of two errs by 2 u × farthest and u of itself, its
//   length by 3.5 u × farthest < MOTION_ERROR and, with squares, sum and root, 5 u of itself < M_SLACK − 1.
// - Of D what is kept is its upper half, smaller by less than a 128th.

import { DEEP, DEEPER, DISTANCE_SLACK } from '../../../core/elastic-constants';
import { dot4, joinHigh, joinLow, mixHigh, mixLow } from '../math/vector';
import { EDGE_BITS } from './candidates';
import { recordError } from './field';
import { farthest } from './looks';
import { motions } from './work';

const APART_ROUNDING: f32 = 1e-6;
const M_SLACK: f32 = 1.0001;
/** As a share of the largest component of a displacement. */
const MOTION_ERROR: f32 = 3e-7;
/** What is kept apart from, as a share of the sum of the radii: contacts, crossings. */
export const CONTACT_SHARE: f32 = 1.02;
export const CROSSING_SHARE: f32 = <f32>(1.02 * DEEP * DEEPER);

/** Lower bound of four distances [m] by what the filter has of them; below zero: nothing is known. */
export function leastApart(square: v128, excess: v128, far: v128, slack: v128): v128 {
  const root = f32x4.sqrt(f32x4.pmax(f32x4.sub(square, excess), f32x4.splat(0)));
  const apart = f32x4.sub(f32x4.mul(root, f32x4.splat(1 - APART_ROUNDING)), f32x4.add(far, slack));
  return f32x4.mul(apart, f32x4.splat(1 / <f32>DISTANCE_SLACK));
}

/**
 * Keeps four such bounds, APART_BYTES bytes each: the upper half of an f32, which is no larger. (What is no number
 * stays that: arithmetic sets the uppermost bit of its fraction.)
 */
export function keepApart(at: usize, bounds: v128): void {
  v128.store64_lane(at, i8x16.shuffle(bounds, bounds, 2, 3, 6, 7, 10, 11, 14, 15, 2, 3, 6, 7, 10, 11, 14, 15), 0);
}

// Lanes: four edges. Displacements of an end, and the radii.
let x: v128 = f32x4.splat(0);
let y: v128 = f32x4.splat(0);
let z: v128 = f32x4.splat(0);
let radius: v128 = f32x4.splat(0);

function takeEnds(a: usize, b: usize, c: usize, d: usize): void {
  const p = v128.load(a);
  const q = v128.load(b);
  const r = v128.load(c);
  const o = v128.load(d);
  const low = mixLow(p, q);
  const lowOther = mixLow(r, o);
  const high = mixHigh(p, q);
  const highOther = mixHigh(r, o);
  x = joinLow(low, lowOther);
  y = joinHigh(low, lowOther);
  z = joinLow(high, highOther);
  radius = joinHigh(high, highOther);
}

function squareFrom(ax: v128, ay: v128, az: v128): v128 {
  const dx = f32x4.sub(x, ax);
  const dy = f32x4.sub(y, ay);
  const dz = f32x4.sub(z, az);
  return dot4(dx, dy, dz, dx, dy, dz);
}

/** Address of the displacement of an edge's first end. */
function motionAt(edge: i32): usize {
  return motions + ((<usize>edge) << 4);
}

/** Bits of those of four pairs, `apart` each at least, that may come within `share` of the sum of their radii. */
function mayMeet(pairs: usize, apart: v128, share: f32): i32 {
  const a0 = motionAt(load<i32>(pairs) & EDGE_BITS);
  const a1 = motionAt(load<i32>(pairs, 8) & EDGE_BITS);
  const a2 = motionAt(load<i32>(pairs, 16) & EDGE_BITS);
  const a3 = motionAt(load<i32>(pairs, 24) & EDGE_BITS);
  const b0 = motionAt(load<i32>(pairs, 4));
  const b1 = motionAt(load<i32>(pairs, 12));
  const b2 = motionAt(load<i32>(pairs, 20));
  const b3 = motionAt(load<i32>(pairs, 28));
  takeEnds(a0, a1, a2, a3);
  const ax = x;
  const ay = y;
  const az = z;
  const radiusA = radius;
  takeEnds(a0 + 16, a1 + 16, a2 + 16, a3 + 16);
  const cx = x;
  const cy = y;
  const cz = z;
  takeEnds(b0, b1, b2, b3);
  const radii = f32x4.add(radiusA, radius);
  let square = f32x4.pmax(squareFrom(ax, ay, az), squareFrom(cx, cy, cz));
  takeEnds(b0 + 16, b1 + 16, b2 + 16, b3 + 16);
  square = f32x4.pmax(square, f32x4.pmax(squareFrom(ax, ay, az), squareFrom(cx, cy, cz)));
  const motion = f32x4.add(
    f32x4.mul(f32x4.sqrt(square), f32x4.splat(M_SLACK)),
    f32x4.splat(recordError + MOTION_ERROR * farthest),
  );
  // What is not a number may meet.
  const stays = f32x4.gt(apart, f32x4.add(motion, f32x4.mul(radii, f32x4.splat(share))));
  return ~i32x4.bitmask(stays) & 15;
}

/**
 * Drops the pairs in `from` to `end` that stay apart, the others keep their order; `apart`: a distance a pair. Returns
 * the new end. Up to three pairs and distances behind the end are overwritten.
 */
export function dropApart(from: usize, end: usize, apart: usize, share: f32): usize {
  let next = from;
  for (let behind = end; behind < from + ((end - from + 31) & ~31); behind += 8) store<u64>(behind, load<u64>(from));
  for (let at = from; at < end; at += 32, apart += 16) {
    let mask = mayMeet(at, v128.load(apart), share);
    const left = (end - at) >> 3;
    if (left < 4) mask &= (1 << (<i32>left)) - 1;

    // Each pair is written, and counted only when it is wanted: no branch to guess.
    for (let k: usize = 0; k < 32; k += 8) {
      store<u64>(next, load<u64>(at + k));
      next += (<usize>(mask & 1)) << 3;
      mask >>= 1;
    }
  }
  return next;
}
