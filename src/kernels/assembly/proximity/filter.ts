// Which candidates may meet along other velocities: the further looks of a step, four pairs at a time.
//
// In: pairs of proximity/candidates and how far they are apart, flags of edges. Out: pairs that may meet, straight to
// proximity/pairs. Pairs wait in a queue until there are four: edges that move are scattered among the others.

import { forkRanges, RANGE_STRAND_MOVED } from '../threads/fork';
import { candidateAt, candidateCount, EDGE_BITS, gatherFlagged, listedUpTo } from './candidates';
import { beginHitRange, endHitRange, joinHits, lendRanges, sortOld } from './hits';
import { CONTACT_SHARE, CROSSING_SHARE, dropApart } from './kept-apart';
import { OUT_MOTION, takePairs, testLanes } from './lanes';
import { beginMeeting, meetCrossing, meetMoved } from './pairs';
import { APART_BYTES, keptApart } from './work';

/** Pairs of a further look that wait for each other. */
const QUEUE: usize = memory.data(1056, 16);
const QUEUE_PAIRS: i32 = 128;
/** Distances of those that were added last. */
const APART: usize = memory.data(528, 16);

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

/** Candidates that a thread takes at a time, where few of them have flags: some 0.1 ms. */
const FLAG_GRAIN: i32 = 16384;

/** Tests all candidates, of which nothing is known, and keeps how far they are apart. */
export function testCandidates(): void {
  const last = candidateAt(candidateCount);
  let at = candidateAt(0);
  let apart = keptApart;
  for (; at + 32 <= last; at += 32, apart += 4 * APART_BYTES) testFour(at, 15, apart);
  testRest(at, last, apart);
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

/** Tests four pairs of edges; bits of `mask`: which count; `apart`: where bounds of their distances go, 0 nowhere. */
function testFour(queue: usize, mask: i32, apart: usize): void {
  takePairs(
    load<i32>(queue) & EDGE_BITS,
    load<i32>(queue, 8) & EDGE_BITS,
    load<i32>(queue, 16) & EDGE_BITS,
    load<i32>(queue, 24) & EDGE_BITS,
    load<i32>(queue, 4),
    load<i32>(queue, 12),
    load<i32>(queue, 20),
    load<i32>(queue, 28),
  );
  mask = testLanes(mask, crossing, apart);
  for (let lane: usize = 0; mask != 0; lane += 4, queue += 8, mask >>= 1) {
    if ((mask & 1) == 0) continue;
    const a = load<i32>(queue) & EDGE_BITS;
    const b = load<i32>(queue, 4);
    if (crossing) meetCrossing(a, b);
    else meetMoved(a, b, <f64>load<f32>(OUT_MOTION + lane));
  }
}
