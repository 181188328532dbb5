// Which candidates can touch within the step: four pairs at once in f32.
//
// In: pairs of strand-candidates. Out, at first: rows of proximity/near, with places, distance and the length that the
// edges lie beside each other, good to about 1e-6 of an edge: enough to tell which of several neighbouring edges
// reports a contact, and where; normal and gap there are formed in f64 (proximity/pairs). In a further look along other
// velocities: pairs that may meet, straight to strand-pairs.
// Coordinates are differences taken in f64, so precision does not depend on where the edges are. A pair is dropped when
// by more than rounding can explain its distance exceeds radii, margin and motion, or when it is not near and stays
// apart along the line of its closest points; not-a-number is kept. A further look (SEARCH_APPEND) has the same places
// and other velocities: only what moves by more than the margin of the first look can be new. Closest points as in
// proximity/segments, but with half vectors and places from −1 to 1 about the middles.

import {
  DEEP,
  DEEPER,
  DISTANCE_ROUNDING,
  DISTANCE_SLACK,
  HALF_PULL,
  LEAST_HALF_PULL,
  NO_AREA,
  PULL_EXCESS,
  PULL_SINE,
  STRONGEST_PULL,
} from '../../../core/elastic-constants';
import { clamp4, differ4, dot4, joinHigh, joinLow, mixHigh, mixLow } from '../math/vector';
import { forkRanges, RANGE_STRAND_FILTER, RANGE_STRAND_MOVED } from '../threads/fork';
import { CLOSE, candidateAt, candidateCount, EDGE_BITS, gatherFlagged, listedUpTo } from './candidates';
import { recordError } from './field';
import { beginHitRange, endHitRange, joinHits, lendRanges, sortOld } from './hits';
import { CONTACT_SHARE, CROSSING_SHARE, dropApart, leastApart } from './kept-apart';
import { beginNearRange, endNearRange, joinNear, keepPair, lendNear } from './near';
import { beginMeeting, meetCrossing, meetMoved } from './pairs';
import { append, bendOf, continuous, HALF, keptApart, meanOf, nearShare, RECORD, records } from './work';

/** Under the squares of lengths and areas: an edge without length has place 0. */
const NOTHING: f32 = 1e-30;

/** A pair this near, as a share of the contact distance, is looked at in every further look. */
const CLOSE_SHARE: f32 = 0.5;
/** Near pairs that move by less than this share of the contact distance are not watched (proximity/pairs). */
const SLOW: f32 = 0.4999;
/** As HIT_SHARE of proximity/segments, and a little more. */
const HIT_SLACK: f32 = 1.0102;

/** Pairs of a further look that wait for each other. */
const QUEUE: usize = memory.data(1056, 16);
const QUEUE_PAIRS: i32 = 128;
/** Distances of those that were added last. */
const APART: usize = memory.data(528, 16);
/** Results of four. */
const OUT: usize = memory.data(96, 16);

/** Whether only what goes through each other is asked for. */
let crossing: bool = false;

/** Tests all candidates for edges that would go through each other; `fresh`: their boxes were all made for this. */
export function testCrossings(fresh: bool): void {
  crossing = true;
  if (fresh) testCandidates();
  else testSome(0, candidateCount, true);
  crossing = false;
}

/** The same of the candidates that have flags or are close. */
export function testFlaggedCrossings(): void {
  crossing = true;
  testFlagged();
  crossing = false;
}

/** Candidates that a thread takes at a time: some 0.1 ms. */
const GRAIN: i32 = 4096;
/** The same where few of them have flags. */
const FLAG_GRAIN: i32 = 16384;

/** Tests all candidates: what is near goes to proximity/near. */
export function testNear(): void {
  if (ASC_FEATURE_THREADS && candidateCount >= 2 * GRAIN && lendNear(candidateCount)) {
    forkRanges(RANGE_STRAND_FILTER, candidateCount, GRAIN, 0);
    joinNear(candidateCount);
  } else testCandidates();
}

/** The candidates `begin` to `end` of testNear. */
export function testNearRange(begin: i32, end: i32): void {
  beginNearRange(begin, end);
  testListed(begin, end);
  endNearRange(begin, end);
}

/** Tests all candidates. */
export function testCandidates(): void {
  testListed(0, candidateCount);
}

/** Tests the candidates `begin` to `end`, of which nothing is known, and keeps how far they are apart. */
function testListed(begin: i32, end: i32): void {
  let at = candidateAt(begin);
  let apart = keptApart + ((<usize>begin) << 2);
  const last = candidateAt(end);
  for (; at + 32 <= last; at += 32, apart += 16) testFour(at, 15, apart);
  if (at == last) return;

  // The next range's candidates lie behind the last ones.
  v128.store(APART, f32x4.splat(0));
  memory.copy(QUEUE, at, last - at);
  testRest(QUEUE, QUEUE + (last - at), APART);
  memory.copy(at, QUEUE, last - at);
  memory.copy(apart, APART, (last - at) >> 1);
}

/** Tests the candidates that have flags or are close: what may meet goes to proximity/hits. */
export function testMoved(): void {
  if (ASC_FEATURE_THREADS && candidateCount >= 2 * FLAG_GRAIN) {
    sortOld();
    if (lendRanges(candidateCount, candidateCount)) {
      forkRanges(RANGE_STRAND_MOVED, candidateCount, FLAG_GRAIN, 0);
      if (joinHits(candidateCount)) return;
      beginMeeting();
    }
  }
  testFlagged();
}

/** The candidates `begin` to `end` of testMoved. */
export function testMovedRange(begin: i32, end: i32): void {
  beginHitRange(begin, end, begin, end - begin);
  beginMeeting();
  testSome(begin, end, false);
  endHitRange(begin);
}

/** Tests the candidates that have flags or are close. */
function testFlagged(): void {
  testSome(0, candidateCount, false);
}

/** Tests the candidates `begin` to `end` that have flags or are close, or `every` one, unless they stay apart. */
function testSome(begin: i32, end: i32, every: bool): void {
  const share = crossing ? CROSSING_SHARE : CONTACT_SHARE;
  let next = QUEUE;
  let from = begin;
  while (from < end) {
    const gathered = gatherFlagged(from, end, every, next, APART, QUEUE_PAIRS - <i32>((next - QUEUE) >> 3));
    from = listedUpTo;
    next = dropApart(next, gathered, APART, share);
    let at = QUEUE;
    for (; at + 32 <= next; at += 32) testFour(at, 15, 0);

    // What is left, fewer than four, waits on.
    memory.copy(QUEUE, at, next - at);
    next -= at - QUEUE;
  }
  testRest(QUEUE, next, 0);
}

/** Tests fewer than four pairs; there is room for four. */
function testRest(at: usize, end: usize, apart: usize): void {
  const left = (end - at) >> 3;
  if (left == 0) return;
  for (let i = left; i < 4; i++) store<u64>(at + (i << 3), load<u64>(at));
  testFour(at, (1 << (<i32>left)) - 1, apart);
}

/** Lanes x y z of b's middle less a's, and the sum of their radii. */
function between(a: usize, b: usize): v128 {
  const xy = f64x2.sub(v128.load(b), v128.load(a));
  const rest = f64x2.sub(v128.load(b, 16), v128.xor(v128.load(a, 16), i64x2(0, i64.MIN_VALUE)));
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(xy), f32x4.demote_f64x2_zero(rest), 0, 1, 4, 5);
}

/** Tests four pairs of edges; bits of `mask`: which count; `apart`: where bounds of their distances go, 0 nowhere. */
function testFour(queue: usize, mask: i32, apart: usize): void {
  const edgeA0 = load<i32>(queue) & EDGE_BITS;
  const edgeB0 = load<i32>(queue, 4);
  const edgeA1 = load<i32>(queue, 8) & EDGE_BITS;
  const edgeB1 = load<i32>(queue, 12);
  const edgeA2 = load<i32>(queue, 16) & EDGE_BITS;
  const edgeB2 = load<i32>(queue, 20);
  const edgeA3 = load<i32>(queue, 24) & EDGE_BITS;
  const edgeB3 = load<i32>(queue, 28);
  // Mean displacements of the edges' ends and half their differences (relative motion, bends of the ways).
  const half = f32x4.splat(0.5);
  let p = bendOf(edgeA0);
  let q = bendOf(edgeA1);
  let r = bendOf(edgeA2);
  let o = bendOf(edgeA3);
  let low = mixLow(p, q);
  let lowOther = mixLow(r, o);
  const kx = joinLow(low, lowOther);
  const ky = joinHigh(low, lowOther);
  const kz = joinLow(mixHigh(p, q), mixHigh(r, o));
  p = bendOf(edgeB0);
  q = bendOf(edgeB1);
  r = bendOf(edgeB2);
  o = bendOf(edgeB3);
  low = mixLow(p, q);
  lowOther = mixLow(r, o);
  const lx = joinLow(low, lowOther);
  const ly = joinHigh(low, lowOther);
  const lz = joinLow(mixHigh(p, q), mixHigh(r, o));
  p = f32x4.sub(meanOf(edgeB0), meanOf(edgeA0));
  q = f32x4.sub(meanOf(edgeB1), meanOf(edgeA1));
  r = f32x4.sub(meanOf(edgeB2), meanOf(edgeA2));
  o = f32x4.sub(meanOf(edgeB3), meanOf(edgeA3));
  low = mixLow(p, q);
  lowOther = mixLow(r, o);
  const mx = joinLow(low, lowOther);
  const my = joinHigh(low, lowOther);
  const mz = joinLow(mixHigh(p, q), mixHigh(r, o));
  const bends = f32x4.add(f32x4.sqrt(dot4(kx, ky, kz, kx, ky, kz)), f32x4.sqrt(dot4(lx, ly, lz, lx, ly, lz)));
  const a0 = records + <usize>edgeA0 * RECORD;
  const b0 = records + <usize>edgeB0 * RECORD;
  const a1 = records + <usize>edgeA1 * RECORD;
  const b1 = records + <usize>edgeB1 * RECORD;
  const a2 = records + <usize>edgeA2 * RECORD;
  const b2 = records + <usize>edgeB2 * RECORD;
  const a3 = records + <usize>edgeA3 * RECORD;
  const b3 = records + <usize>edgeB3 * RECORD;
  const further = append && continuous;
  p = v128.load(a0, HALF);
  q = v128.load(a1, HALF);
  r = v128.load(a2, HALF);
  o = v128.load(a3, HALF);
  low = mixLow(p, q);
  lowOther = mixLow(r, o);
  const ux = joinLow(low, lowOther);
  const uy = joinHigh(low, lowOther);
  const uz = joinLow(mixHigh(p, q), mixHigh(r, o));
  p = v128.load(b0, HALF);
  q = v128.load(b1, HALF);
  r = v128.load(b2, HALF);
  o = v128.load(b3, HALF);
  low = mixLow(p, q);
  lowOther = mixLow(r, o);
  const vx = joinLow(low, lowOther);
  const vy = joinHigh(low, lowOther);
  const vz = joinLow(mixHigh(p, q), mixHigh(r, o));
  p = between(a0, b0);
  q = between(a1, b1);
  r = between(a2, b2);
  o = between(a3, b3);
  low = mixLow(p, q);
  lowOther = mixLow(r, o);
  const high = mixHigh(p, q);
  const highOther = mixHigh(r, o);
  const wx = joinLow(low, lowOther);
  const wy = joinHigh(low, lowOther);
  const wz = joinLow(high, highOther);
  const radii = joinHigh(high, highOther);
  const slack = f32x4.splat(recordError);
  const motion = f32x4.add(
    f32x4.mul(f32x4.add(f32x4.sqrt(dot4(mx, my, mz, mx, my, mz)), bends), f32x4.splat(<f32>1.0001)),
    slack,
  );
  if (further && !crossing) {
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
  const away = f32x4.mul(dot4(x, y, z, x, y, z), f32x4.splat(<f32>HALF_PULL));
  const least = f32x4.pmin(a, c);
  const fade = f32x4.pmax(f32x4.sub(one, f32x4.mul(sine, f32x4.splat(1 / <f32>PULL_SINE))), f32x4.splat(0));
  const pull = f32x4.mul(f32x4.mul(fade, fade), f32x4.pmin(away, f32x4.mul(least, f32x4.splat(<f32>STRONGEST_PULL))));
  const trace = f32x4.mul(fade, f32x4.splat(<f32>LEAST_HALF_PULL));
  const pullA = f32x4.add(pull, f32x4.mul(trace, a));
  const pullC = f32x4.add(pull, f32x4.mul(trace, c));
  const along = f32x4.add(a, pullA);
  const across = f32x4.add(c, pullC);
  const first = f32x4.add(d, f32x4.mul(pullA, middle));
  const second = f32x4.add(e, f32x4.mul(pullC, beside));
  // (a + pullA)(c + pullC) − b², without cancellation.
  const determinant = f32x4.add(area, f32x4.add(f32x4.mul(a, pullC), f32x4.mul(across, pullA)));
  const top = f32x4.add(f32x4.mul(first, across), f32x4.mul(b, second));
  const open = clamp4(f32x4.div(top, f32x4.pmax(determinant, f32x4.splat(<f32>NO_AREA))), minus, one);
  const free = f32x4.div(f32x4.add(second, f32x4.mul(b, open)), across);
  const t = clamp4(free, minus, one);
  const held = clamp4(f32x4.div(f32x4.add(first, f32x4.mul(b, t)), along), minus, one);
  const s = v128.bitselect(open, held, f32x4.eq(t, free));
  x = f32x4.sub(differ4(s, ux, t, vx), wx);
  y = f32x4.sub(differ4(s, uy, t, vy), wy);
  z = f32x4.sub(differ4(s, uz, t, vz), wz);
  const square = dot4(x, y, z, x, y, z);
  const reach = f32x4.pmax(f32x4.mul(radii, f32x4.splat(<f32>(1 + nearShare))), f32x4.add(radii, motion));
  const far = f32x4.mul(
    f32x4.add(f32x4.add(f32x4.abs(wx), f32x4.abs(wy)), f32x4.abs(wz)),
    f32x4.splat(<f32>DISTANCE_ROUNDING),
  );
  const limit = f32x4.add(f32x4.mul(reach, f32x4.splat(<f32>DISTANCE_SLACK)), f32x4.add(far, slack));
  const excess = f32x4.mul(least, f32x4.splat(<f32>PULL_EXCESS));
  if (apart != 0) v128.store(apart, leastApart(square, excess, far, slack));
  mask &= ~i32x4.bitmask(f32x4.gt(f32x4.sub(square, excess), f32x4.mul(limit, limit)));
  if (mask == 0) return;
  const distance = f32x4.sqrt(square);
  let bound = motion;
  if (continuous) {
    // Heights of the ends along the line of the closest points when the step is over. Any direction gives a bound on
    // how near they come; only those that may come within `target` are of interest, and at first what is near already.
    const target = crossing
      ? f32x4.mul(f32x4.pmin(distance, f32x4.mul(radii, f32x4.splat(<f32>DEEP))), f32x4.splat(<f32>DEEPER))
      : v128.bitselect(radii, f32x4.mul(distance, half), f32x4.gt(distance, radii));
    const inverseDistance = f32x4.div(one, f32x4.pmax(distance, tiny));
    const apartLater = f32x4.sub(
      f32x4.sub(
        f32x4.neg(dot4(x, y, z, f32x4.add(wx, mx), f32x4.add(wy, my), f32x4.add(wz, mz))),
        f32x4.abs(dot4(x, y, z, f32x4.add(ux, kx), f32x4.add(uy, ky), f32x4.add(uz, kz))),
      ),
      f32x4.abs(dot4(x, y, z, f32x4.add(vx, lx), f32x4.add(vy, ly), f32x4.add(vz, lz))),
    );
    const doubt = f32x4.add(far, f32x4.add(slack, f32x4.mul(motion, f32x4.splat(<f32>DISTANCE_ROUNDING))));
    const safe = f32x4.add(f32x4.mul(target, f32x4.splat(HIT_SLACK)), doubt);
    const clear = v128.and(f32x4.gt(f32x4.mul(apartLater, inverseDistance), safe), f32x4.gt(distance, safe));
    const near = f32x4.le(
      distance,
      f32x4.add(f32x4.mul(radii, f32x4.splat(<f32>((1 + nearShare) * <f32>DISTANCE_SLACK))), doubt),
    );
    if (crossing) {
      mask &= ~i32x4.bitmask(clear);
    } else if (further) {
      // What is near was found before, and watched only if it moves.
      const held = f32x4.lt(f32x4.add(distance, doubt), f32x4.mul(radii, f32x4.splat(<f32>(1 + nearShare))));
      const slow = f32x4.lt(motion, f32x4.mul(radii, f32x4.splat(SLOW)));
      mask &= ~i32x4.bitmask(v128.or(clear, v128.and(held, slow)));
    } else {
      mask &= ~i32x4.bitmask(v128.andnot(clear, near));
    }
    if (mask == 0) return;
    // Nothing moves far enough to meet.
    bound = v128.andnot(motion, clear);
  }
  if (further) {
    v128.store(OUT, motion);
    for (let lane: usize = 0; lane < 16; lane += 4) {
      const a = load<i32>(queue) & EDGE_BITS;
      const b = load<i32>(queue, 4);
      if ((mask & 1) != 0 && crossing) meetCrossing(a, b);
      else if ((mask & 1) != 0) meetMoved(a, b, <f64>load<f32>(OUT + lane));
      queue += 8;
      mask >>= 1;
    }
    return;
  }
  v128.store(OUT, f32x4.add(half, f32x4.mul(s, half)));
  v128.store(OUT, f32x4.add(half, f32x4.mul(t, half)), 16);
  v128.store(OUT, distance, 32);
  v128.store(OUT, f32x4.mul(f32x4.sub(to, from), f32x4.sqrt(a)), 48);
  v128.store(OUT, sine, 64);
  v128.store(OUT, bound, 80);
  const close = i32x4.bitmask(f32x4.lt(distance, f32x4.mul(radii, f32x4.splat(CLOSE_SHARE))));
  for (let lane: usize = 0; lane < 4; lane++) {
    const bit = 1 << (<i32>lane);
    if (mask & bit) {
      const first = load<i32>(queue) & EDGE_BITS;
      keepPair(first, load<i32>(queue, 4), OUT + (lane << 2));
      if (close & bit) store<i32>(queue, first | CLOSE);
    }
    queue += 8;
  }
}
