// Four pairs of edges at once in f32: how near they are, where, and whether they can meet within the step.
//
// In: pairs, of one edge with four others or from anywhere, a lane each. Out: bits of the lanes that may touch; their
// places, distances, lengths beside each other, sines and motions in OUT.
// Coordinates are differences taken in f64, so precision does not depend on where the edges are. A pair is dropped when
// by more than rounding can explain its distance exceeds radii, margin and motion, or when it is not near and stays
// apart along the line of its closest points; not-a-number is kept. A further look (DETECT_APPEND) has the same places
// and other velocities: only what moves by more than the margin of the first look can be new. Closest points as in
// proximity/segments, but with half vectors and places from −1 to 1 about the middles.

import {
  DEEP,
  DEEPER,
  DISTANCE_ROUNDING,
  DISTANCE_SLACK,
  HALF_PULL,
  HIT_SLACK,
  LEAST_HALF_PULL,
  NO_AREA,
  PULL_EXCESS,
  PULL_SINE,
  STRONGEST_PULL,
} from '../../../core/elastic-constants';
import { between4, clamp4, differ4, dot4, storeColumns } from '../math/vector';
import { recordError } from './field';
import { keepApart, leastApart } from './kept-apart';
import { append, bendOf, continuous, HALF, meanOf, nearShare, RECORD, records } from './work';

// What is known of an edge (FACTS bytes): middle x y z and radius (f64); half vector and its square; mean displacement
// of its ends and the length of what follows; half of what the second end moves beyond the first and the inverse of
// the square.
const ALONG: usize = 32;
const MEAN: usize = 48;
const BENDING: usize = 64;

// The same of four edges, a lane each (f32×4), but for middles and radii.
const HALVES: usize = 0;
const SQUARE: usize = 48;
const MEANS: usize = 64;
const BEND: usize = 112;
const BENDS: usize = 128;
const INVERSE: usize = 176;

/** Under the squares of lengths and areas: an edge without length has place 0. */
const NOTHING: f32 = 1e-30;
/** A pair this near, as a share of the contact distance, is looked at in every further look. */
const CLOSE_SHARE: f32 = 0.5;
/** Near pairs that move by less than this share of the contact distance are not watched (proximity/pairs). */
const SLOW: f32 = 0.4999;

/** What testLanes found: six times f32×4, in the order of a row of proximity/near. */
export const OUT: usize = memory.data(96, 16);
export const OUT_MOTION: usize = OUT + 80;
/** Bits of the lanes nearer than half the contact distance, of those that are left. */
export let closeLanes: i32 = 0;

/** Writes what is known of an edge. */
export function writeFacts(to: usize, edge: i32): void {
  const record = records + <usize>edge * RECORD;
  v128.store(to, v128.load(record));
  v128.store(to, v128.load(record, 16), 16);
  const along = v128.load(record, HALF);
  const bend = bendOf(edge);
  const square = squareOf(along);
  // As pmax has it: not-a-number stays.
  const least = square < NOTHING ? NOTHING : square;
  v128.store(to, f32x4.replace_lane(along, 3, least), ALONG);
  v128.store(to, f32x4.replace_lane(meanOf(edge), 3, sqrt(squareOf(bend))), MEAN);
  v128.store(to, f32x4.replace_lane(bend, 3, 1 / least), BENDING);
}

/** Square of the length of lanes x y z. */
function squareOf(v: v128): f32 {
  const s = f32x4.mul(v, v);
  return f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2);
}

/** The two sides of four pairs; middle of B less that of A, x y z, and sum of the radii (f32×4 each). */
const SIDE_A: usize = memory.data(192, 16);
const SIDE_B: usize = memory.data(192, 16);
const BETWEEN: usize = memory.data(64, 16);

function fillSide(side: usize, p: usize, q: usize, r: usize, o: usize): void {
  for (let k: usize = 0; k < 3; k++) {
    const at = ALONG + (k << 4);
    storeColumns(side + (k << 6), v128.load(p + at), v128.load(q + at), v128.load(r + at), v128.load(o + at));
  }
}

/** z and radius of an edge with the radius negative. */
function restOf(a: usize): v128 {
  return v128.xor(v128.load(a, 16), i64x2(0, i64.MIN_VALUE));
}

/** Takes the edge of these facts as side A of the next pairs. */
export function takeSideA(a: usize): void {
  for (let k: usize = 0; k < 192; k += 16) v128.store(SIDE_A + k, v128.load32_splat(a + ALONG + (k >> 2)));
}

/** Takes edges of these facts as side B of pairs with the one that takeSideA took. */
export function takeSideB(a: usize, b0: usize, b1: usize, b2: usize, b3: usize): void {
  fillSide(SIDE_B, b0, b1, b2, b3);
  const xy = v128.load(a);
  const rest = restOf(a);
  storeColumns(BETWEEN, between4(xy, rest, b0), between4(xy, rest, b1), between4(xy, rest, b2), between4(xy, rest, b3));
}

/** Takes four pairs of edges: edges a0 to a3, and of each of them the other one. */
export function takePairs(a0: i32, a1: i32, a2: i32, a3: i32, b0: i32, b1: i32, b2: i32, b3: i32): void {
  gatherSide(SIDE_A, a0, a1, a2, a3);
  gatherSide(SIDE_B, b0, b1, b2, b3);
  const p = recordOf(a0);
  const q = recordOf(a1);
  const r = recordOf(a2);
  const o = recordOf(a3);
  storeColumns(
    BETWEEN,
    between4(v128.load(p), restOf(p), recordOf(b0)),
    between4(v128.load(q), restOf(q), recordOf(b1)),
    between4(v128.load(r), restOf(r), recordOf(b2)),
    between4(v128.load(o), restOf(o), recordOf(b3)),
  );
}

function recordOf(edge: i32): usize {
  return records + <usize>edge * RECORD;
}

/** The facts of four edges, without writing them one by one. */
function gatherSide(side: usize, e0: i32, e1: i32, e2: i32, e3: i32): void {
  const tiny = f32x4.splat(NOTHING);
  storeColumns(side + MEANS, meanOf(e0), meanOf(e1), meanOf(e2), meanOf(e3));
  storeColumns(side + BENDS, bendOf(e0), bendOf(e1), bendOf(e2), bendOf(e3));
  v128.store(side, f32x4.sqrt(squares(side + BENDS)), BEND);
  storeColumns(
    side + HALVES,
    v128.load(recordOf(e0), HALF),
    v128.load(recordOf(e1), HALF),
    v128.load(recordOf(e2), HALF),
    v128.load(recordOf(e3), HALF),
  );
  const square = f32x4.pmax(squares(side + HALVES), tiny);
  v128.store(side, square, SQUARE);
  v128.store(side, f32x4.div(f32x4.splat(1), square), INVERSE);
}

/** Squares of the lengths of four vectors, their coordinates 16 bytes apart. */
function squares(at: usize): v128 {
  const x = v128.load(at);
  const y = v128.load(at, 16);
  const z = v128.load(at, 32);
  return dot4(x, y, z, x, y, z);
}

/**
 * Tests the pairs that were taken. `mask`: lanes that count; `crossing`: only what goes through each other is asked
 * for; `apart`: where bounds of the distances go (keepApart), 0 nowhere. Returns the lanes that are left, closeLanes
 * among them.
 */
export function testLanes(mask: i32, crossing: bool, apart: usize): i32 {
  // Mean displacements of the edges' ends and half their differences (relative motion, bends of the ways).
  const mx = f32x4.sub(v128.load(SIDE_B, MEANS), v128.load(SIDE_A, MEANS));
  const my = f32x4.sub(v128.load(SIDE_B, MEANS + 16), v128.load(SIDE_A, MEANS + 16));
  const mz = f32x4.sub(v128.load(SIDE_B, MEANS + 32), v128.load(SIDE_A, MEANS + 32));
  const bends = f32x4.add(v128.load(SIDE_A, BEND), v128.load(SIDE_B, BEND));
  const radii = v128.load(BETWEEN, 48);
  const slack = f32x4.splat(recordError);
  const motion = f32x4.add(
    f32x4.mul(f32x4.add(f32x4.sqrt(dot4(mx, my, mz, mx, my, mz)), bends), f32x4.splat(<f32>1.0001)),
    slack,
  );
  const further = append && continuous;

  if (further && !crossing) {
    const still = f32x4.lt(motion, f32x4.mul(radii, f32x4.splat(min(<f32>0.5, <f32>(0.99 * nearShare)))));
    mask &= ~i32x4.bitmask(still);
    if (mask == 0) return 0;
  }

  const ux = v128.load(SIDE_A, HALVES);
  const uy = v128.load(SIDE_A, HALVES + 16);
  const uz = v128.load(SIDE_A, HALVES + 32);
  const vx = v128.load(SIDE_B, HALVES);
  const vy = v128.load(SIDE_B, HALVES + 16);
  const vz = v128.load(SIDE_B, HALVES + 32);
  const wx = v128.load(BETWEEN);
  const wy = v128.load(BETWEEN, 16);
  const wz = v128.load(BETWEEN, 32);
  const one = f32x4.splat(1);
  const half = f32x4.splat(0.5);
  const minus = f32x4.splat(-1);
  const tiny = f32x4.splat(NOTHING);
  const a = v128.load(SIDE_A, SQUARE);
  const c = v128.load(SIDE_B, SQUARE);
  const b = dot4(ux, uy, uz, vx, vy, vz);
  const d = dot4(ux, uy, uz, wx, wy, wz);
  const e = f32x4.neg(dot4(vx, vy, vz, wx, wy, wz));
  const nx = differ4(uy, vz, uz, vy);
  const ny = differ4(uz, vx, ux, vz);
  const nz = differ4(ux, vy, uy, vx);
  const area = dot4(nx, ny, nz, nx, ny, nz);

  // Part of A beside B, its middle, and the point of B beside that.
  const absB = f32x4.abs(b);
  const inverse = v128.load(SIDE_A, INVERSE);
  const inverseC = v128.load(SIDE_B, INVERSE);
  const sine = f32x4.mul(f32x4.mul(area, inverse), inverseC);
  const from = clamp4(f32x4.mul(f32x4.sub(d, absB), inverse), minus, one);
  const to = clamp4(f32x4.mul(f32x4.add(d, absB), inverse), minus, one);
  const middle = f32x4.mul(f32x4.add(from, to), half);
  const beside = clamp4(f32x4.mul(f32x4.add(f32x4.mul(middle, b), e), inverseC), minus, one);
  let x = f32x4.sub(differ4(middle, ux, beside, vx), wx);
  let y = f32x4.sub(differ4(middle, uy, beside, vy), wy);
  let z = f32x4.sub(differ4(middle, uz, beside, vz), wz);

  // Near-parallel edges are pulled there.
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

  // Too far away?
  const square = dot4(x, y, z, x, y, z);
  const reach = f32x4.pmax(f32x4.mul(radii, f32x4.splat(<f32>(1 + nearShare))), f32x4.add(radii, motion));
  const far = f32x4.mul(
    f32x4.add(f32x4.add(f32x4.abs(wx), f32x4.abs(wy)), f32x4.abs(wz)),
    f32x4.splat(<f32>DISTANCE_ROUNDING),
  );
  const limit = f32x4.add(f32x4.mul(reach, f32x4.splat(<f32>DISTANCE_SLACK)), f32x4.add(far, slack));
  const excess = f32x4.mul(least, f32x4.splat(<f32>PULL_EXCESS));
  if (apart != 0) keepApart(apart, leastApart(square, excess, far, slack));
  mask &= ~i32x4.bitmask(f32x4.gt(f32x4.sub(square, excess), f32x4.mul(limit, limit)));
  if (mask == 0) return 0;
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
        f32x4.abs(
          dot4(
            x,
            y,
            z,
            f32x4.add(ux, v128.load(SIDE_A, BENDS)),
            f32x4.add(uy, v128.load(SIDE_A, BENDS + 16)),
            f32x4.add(uz, v128.load(SIDE_A, BENDS + 32)),
          ),
        ),
      ),
      f32x4.abs(
        dot4(
          x,
          y,
          z,
          f32x4.add(vx, v128.load(SIDE_B, BENDS)),
          f32x4.add(vy, v128.load(SIDE_B, BENDS + 16)),
          f32x4.add(vz, v128.load(SIDE_B, BENDS + 32)),
        ),
      ),
    );
    const doubt = f32x4.add(far, f32x4.add(slack, f32x4.mul(motion, f32x4.splat(<f32>DISTANCE_ROUNDING))));
    const safe = f32x4.add(f32x4.mul(target, f32x4.splat(<f32>HIT_SLACK)), doubt);
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
    if (mask == 0) return 0;
    // Nothing moves far enough to meet.
    bound = v128.andnot(motion, clear);
  }

  if (further) {
    v128.store(OUT_MOTION, motion);
    return mask;
  }
  v128.store(OUT, f32x4.add(half, f32x4.mul(s, half)));
  v128.store(OUT, f32x4.add(half, f32x4.mul(t, half)), 16);
  v128.store(OUT, distance, 32);
  v128.store(OUT, f32x4.mul(f32x4.sub(to, from), f32x4.sqrt(a)), 48);
  v128.store(OUT, sine, 64);
  v128.store(OUT, bound, 80);
  closeLanes = i32x4.bitmask(f32x4.lt(distance, f32x4.mul(radii, f32x4.splat(CLOSE_SHARE))));
  return mask;
}
