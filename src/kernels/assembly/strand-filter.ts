// Which pairs of edges with overlapping boxes can touch within the step: four pairs at once in f32.
//
// In: pairs of boxes from the grid, in a queue. Out: rows of strand-near, with places, distance and the length that
// the edges lie beside each other, good to about 1e-6 of an edge: enough to tell which of several neighbouring edges
// reports a contact, while the contact itself is found again in f64 (strand-pairs).
// Coordinates are differences taken in f64, so precision does not depend on where the edges are. A pair is dropped when
// its distance exceeds radii, margin and motion by more than rounding can explain; not-a-number is kept.
// A further look within a step (APPEND) has the same places and other velocities: only what moves by more than the
// margin of the first look can be new.
// Closest points as in strand-segments, but with half vectors and places from −1 to 1 about the middles.

import { getI32 } from './memory';
import { recordError } from './strand-edges';
import { keepPair } from './strand-near';
import { append, BOX, continuous, nearShare, sorted, sortedEdge, sortedRecord } from './strand-work';
import { clamp4, differ4, dot4, joinHigh, joinLow, mixHigh, mixLow } from './vector';

/** Square of the sine below which edges are pulled towards the middle of their common part, and how strongly. */
const PULL_SINE: f32 = 1e-4;
/** Strength as in strand-segments, for half vectors. */
const PULL: f32 = 0.0025;
const STRONGEST_PULL: f32 = 0.01;
/** Least pull where edges are parallel: what f32 needs. It raises the square of a distance by no more than EXCESS. */
const LEAST_PULL: f32 = 1e-6;
const EXCESS: f32 = 8e-6;
/** Under the squares of lengths and areas: an edge without length has place 0. */
const NOTHING: f32 = 1e-30;
const NO_AREA: f32 = 1e-37;
/** Rounding of a distance, as a share of the limit and of the distance of the middles. */
const LIMIT_SLACK: f32 = 1.0005;
const ROUNDING: f32 = 2e-5;

/** Pairs that a caller may add to the queue at a time. */
export const QUEUE_ROOM: usize = 256;

// Pairs that wait (addresses of their boxes in the grid's order), and results of four.
const QUEUE: usize = memory.data(4096, 16);
const OUT: usize = memory.data(96, 16);
/** Above this address the queue is emptied: QUEUE_ROOM pairs fit behind it, and one more that does not count. */
const FULL: usize = 1536;

/** Where the next pair is to be written. */
export let queueEnd: usize = 0;

export function beginPairs(): void {
  queueEnd = QUEUE;
}

/** Says how far the queue was filled; tests what waits when it is full. */
export function takeQueue(end: usize): void {
  queueEnd = end;
  if (end <= QUEUE + FULL) return;
  let at = QUEUE;
  for (; at + 32 <= end; at += 32) testFour(at, 15);
  // What is left, fewer than four, waits on.
  queueEnd = QUEUE + end - at;
  memory.copy(QUEUE, at, end - at);
}

/** Tests the pairs that still wait. */
export function finishPairs(): void {
  let at = QUEUE;
  for (; at + 32 <= queueEnd; at += 32) testFour(at, 15);
  const left = (queueEnd - at) >> 3;
  if (left == 0) return;
  for (let i = left; i < 4; i++) store<u64>(at + (i << 3), load<u64>(at));
  testFour(at, (1 << (<i32>left)) - 1);
}

/** Record of the edge whose box in the order of the grid is there: both are 64 bytes. */
function recordOf(box: usize): usize {
  return sortedRecord + (box - sorted);
}

/** Lanes x y z of b's middle less a's, and the sum of their radii. */
function between(a: usize, b: usize): v128 {
  const xy = f64x2.sub(v128.load(b), v128.load(a));
  const rest = f64x2.sub(v128.load(b, 16), v128.xor(v128.load(a, 16), i64x2(0, i64.MIN_VALUE)));
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(xy), f32x4.demote_f64x2_zero(rest), 0, 1, 4, 5);
}

/** Tests four pairs of the queue; bits of `mask`: which of them count. */
function testFour(queue: usize, mask: i32): void {
  const a0 = recordOf(load<usize>(queue));
  const b0 = recordOf(load<usize>(queue, 4));
  const a1 = recordOf(load<usize>(queue, 8));
  const b1 = recordOf(load<usize>(queue, 12));
  const a2 = recordOf(load<usize>(queue, 16));
  const b2 = recordOf(load<usize>(queue, 20));
  const a3 = recordOf(load<usize>(queue, 24));
  const b3 = recordOf(load<usize>(queue, 28));
  // Relative motion within the step.
  let p = f32x4.sub(v128.load(b0, 48), v128.load(a0, 48));
  let q = f32x4.sub(v128.load(b1, 48), v128.load(a1, 48));
  let r = f32x4.sub(v128.load(b2, 48), v128.load(a2, 48));
  let o = f32x4.sub(v128.load(b3, 48), v128.load(a3, 48));
  let low = mixLow(p, q);
  let lowOther = mixLow(r, o);
  const mx = joinLow(low, lowOther);
  const my = joinHigh(low, lowOther);
  const mz = joinLow(mixHigh(p, q), mixHigh(r, o));
  p = v128.load(a0, 32);
  q = v128.load(a1, 32);
  r = v128.load(a2, 32);
  o = v128.load(a3, 32);
  low = mixLow(p, q);
  lowOther = mixLow(r, o);
  let high = mixHigh(p, q);
  let highOther = mixHigh(r, o);
  const ux = joinLow(low, lowOther);
  const uy = joinHigh(low, lowOther);
  const uz = joinLow(high, highOther);
  const bendA = joinHigh(high, highOther);
  p = v128.load(b0, 32);
  q = v128.load(b1, 32);
  r = v128.load(b2, 32);
  o = v128.load(b3, 32);
  low = mixLow(p, q);
  lowOther = mixLow(r, o);
  high = mixHigh(p, q);
  highOther = mixHigh(r, o);
  const vx = joinLow(low, lowOther);
  const vy = joinHigh(low, lowOther);
  const vz = joinLow(high, highOther);
  const bendB = joinHigh(high, highOther);
  p = between(a0, b0);
  q = between(a1, b1);
  r = between(a2, b2);
  o = between(a3, b3);
  low = mixLow(p, q);
  lowOther = mixLow(r, o);
  high = mixHigh(p, q);
  highOther = mixHigh(r, o);
  const wx = joinLow(low, lowOther);
  const wy = joinHigh(low, lowOther);
  const wz = joinLow(high, highOther);
  const radii = joinHigh(high, highOther);
  const slack = f32x4.splat(recordError);
  const motion = f32x4.add(
    f32x4.mul(f32x4.add(f32x4.sqrt(dot4(mx, my, mz, mx, my, mz)), f32x4.add(bendA, bendB)), f32x4.splat(<f32>1.0001)),
    slack,
  );
  if (append && continuous) {
    const still = f32x4.lt(motion, f32x4.mul(radii, f32x4.splat(min(<f32>0.5, <f32>(0.99 * nearShare)))));
    mask &= ~i32x4.bitmask(still);
    if (mask == 0) return;
  }
  const one = f32x4.splat(1);
  const minus = f32x4.splat(-1);
  const tiny = f32x4.splat(NOTHING);
  const a = f32x4.pmax(dot4(ux, uy, uz, ux, uy, uz), tiny);
  const c = f32x4.pmax(dot4(vx, vy, vz, vx, vy, vz), tiny);
  const b = dot4(ux, uy, uz, vx, vy, vz);
  const d = dot4(ux, uy, uz, wx, wy, wz);
  const e = f32x4.neg(dot4(vx, vy, vz, wx, wy, wz));
  const nx = differ4(uy, vz, uz, vy);
  const ny = differ4(uz, vx, ux, vz);
  const nz = differ4(ux, vy, uy, vx);
  const area = dot4(nx, ny, nz, nx, ny, nz);
  // Part of A beside B, its middle, and the point of B beside that.
  const absB = f32x4.abs(b);
  const inverse = f32x4.div(one, a);
  const inverseC = f32x4.div(one, c);
  const sine = f32x4.mul(f32x4.mul(area, inverse), inverseC);
  const from = clamp4(f32x4.mul(f32x4.sub(d, absB), inverse), minus, one);
  const to = clamp4(f32x4.mul(f32x4.add(d, absB), inverse), minus, one);
  const middle = f32x4.mul(f32x4.add(from, to), f32x4.splat(0.5));
  const beside = clamp4(f32x4.mul(f32x4.add(f32x4.mul(middle, b), e), inverseC), minus, one);
  let x = f32x4.sub(differ4(middle, ux, beside, vx), wx);
  let y = f32x4.sub(differ4(middle, uy, beside, vy), wy);
  let z = f32x4.sub(differ4(middle, uz, beside, vz), wz);
  const apart = f32x4.mul(dot4(x, y, z, x, y, z), f32x4.splat(PULL));
  const least = f32x4.pmin(a, c);
  const fade = f32x4.pmax(f32x4.sub(one, f32x4.mul(sine, f32x4.splat(1 / PULL_SINE))), f32x4.splat(0));
  const pull = f32x4.mul(f32x4.mul(fade, fade), f32x4.pmin(apart, f32x4.mul(least, f32x4.splat(STRONGEST_PULL))));
  const trace = f32x4.mul(fade, f32x4.splat(LEAST_PULL));
  const pullA = f32x4.add(pull, f32x4.mul(trace, a));
  const pullC = f32x4.add(pull, f32x4.mul(trace, c));
  const along = f32x4.add(a, pullA);
  const across = f32x4.add(c, pullC);
  const first = f32x4.add(d, f32x4.mul(pullA, middle));
  const second = f32x4.add(e, f32x4.mul(pullC, beside));
  // (a + pullA)(c + pullC) − b², without cancellation.
  const determinant = f32x4.add(area, f32x4.add(f32x4.mul(a, pullC), f32x4.mul(across, pullA)));
  const top = f32x4.add(f32x4.mul(first, across), f32x4.mul(b, second));
  const open = clamp4(f32x4.div(top, f32x4.pmax(determinant, f32x4.splat(NO_AREA))), minus, one);
  const free = f32x4.div(f32x4.add(second, f32x4.mul(b, open)), across);
  const t = clamp4(free, minus, one);
  const held = clamp4(f32x4.div(f32x4.add(first, f32x4.mul(b, t)), along), minus, one);
  const s = v128.bitselect(open, held, f32x4.eq(t, free));
  x = f32x4.sub(differ4(s, ux, t, vx), wx);
  y = f32x4.sub(differ4(s, uy, t, vy), wy);
  z = f32x4.sub(differ4(s, uz, t, vz), wz);
  const square = dot4(x, y, z, x, y, z);
  const reach = f32x4.pmax(f32x4.mul(radii, f32x4.splat(<f32>(1 + nearShare))), f32x4.add(radii, motion));
  const far = f32x4.mul(f32x4.add(f32x4.add(f32x4.abs(wx), f32x4.abs(wy)), f32x4.abs(wz)), f32x4.splat(ROUNDING));
  const limit = f32x4.add(f32x4.mul(reach, f32x4.splat(LIMIT_SLACK)), f32x4.add(far, slack));
  const excess = f32x4.mul(least, f32x4.splat(EXCESS));
  mask &= ~i32x4.bitmask(f32x4.gt(f32x4.sub(square, excess), f32x4.mul(limit, limit)));
  if (mask == 0) return;
  const half = f32x4.splat(0.5);
  v128.store(OUT, f32x4.add(half, f32x4.mul(s, half)));
  v128.store(OUT, f32x4.add(half, f32x4.mul(t, half)), 16);
  v128.store(OUT, f32x4.sqrt(square), 32);
  v128.store(OUT, f32x4.mul(f32x4.sub(to, from), f32x4.sqrt(a)), 48);
  v128.store(OUT, sine, 64);
  v128.store(OUT, motion, 80);
  for (let lane: usize = 0; lane < 16; lane += 4) {
    if (mask & 1) {
      const first = (load<usize>(queue) - sorted) / BOX;
      const second = (load<usize>(queue, 4) - sorted) / BOX;
      keepPair(getI32(sortedEdge, <i32>first), getI32(sortedEdge, <i32>second), OUT + lane);
    }
    queue += 8;
    mask >>= 1;
  }
}
