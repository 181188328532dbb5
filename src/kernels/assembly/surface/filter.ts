// Which pairs of leaves can matter in the step: one edge against four, one point against four triangles, in f32.
//
// In: records of leaves (leaf-records.ts), a leaf and the bits of those of a block whose boxes overlap its own. Out:
// the bits of those that pairs.ts must measure. Nothing is dropped that it would not drop itself:
// - Heights along any direction g bound the distance of two hulls from below, now and, since ways are straight, over
//   the step by those at its start and at its end. g is the line of the closest points, found in f32; what rounding
//   does to it makes the bound worse, never wrong. Rounding of the heights is `doubt`: places less their origin and
//   displacements less their mean are good to COORDINATE_ROUNDING of the extent of all (`error`, many times half a unit
//   in the last place), their differences and products here to some 10 units of their own, and none is longer than that
//   extent; four times `error` is twice as much, and what strays from the mean is rounded by itself.
// - The motion of one beyond the other is at most the sum of the middles' difference and half of the ends'.
// - Near edges are dropped where the closest points of their lines lie beyond an end by more than rounding can do
//   (s₀ = (d c + b e)/area, t₀ = (a e + b d)/area of half vectors u, v and w from middle to middle; numerators are
//   of fourth degree, and with no vector longer than R and each good to ε they are good to R³ (12 ε + 28 units R)),
//   or where they are parallel: points answer for those.
// Not-a-number is kept.

import { DEEP, DEEPER, DISTANCE_SLACK, HIT_SLACK } from '../../../core/elastic-constants';
import { clamp4, differ4, dot4 } from '../math/vector';
import { error } from '../proximity/field';
import { continuous, nearShare } from '../proximity/work';
import { leastApart } from './boxes';
import {
  BEND,
  CORNER,
  HALF,
  MEAN,
  MIDDLE,
  MOVED,
  NODE,
  nodeRecord,
  OBJECT,
  RADIUS,
  ROD,
  SIDE_B,
  SIDE_C,
  STRAY,
  WAY,
  WAY_B,
  WAY_C,
} from './leaf-records';
import {
  anyJoined,
  append,
  bitsOf,
  EDGE_RECORD,
  edgeRecords,
  isMoved,
  OBJECT_ASLEEP,
  OBJECT_SELF,
  objectOf,
  radiusOf,
  TRIANGLE_RECORD,
  triangleRecords,
} from './work';

/** Under squares and areas. */
const NOTHING: f32 = 1e-30;
/** Less than half: near pairs that move by less are not watched (pairs.ts). */
const SLOW: f32 = 0.4999;
/** Rounding of a displacement, of what it is beyond the mean [-]. */
const STRAY_ROUNDING: f32 = 2e-6;
/** Sine below which edges are parallel (pairs.ts: 10⁻³), less rounding. */
const PARALLEL: f32 = 0.99e-3;
/** Rounding of the places' numerators, over R⁴, and of a cross product, over both lengths [-]. */
const PLACE_ROUNDING: f32 = 2e-6;
const CROSS_ROUNDING: f32 = 5e-7;

let crossing: bool = false;
/** Rounding of any coordinate or height of the question [m]. */
let rounding: v128 = f32x4.splat(0);
/** Most that a distance may be that counts as near, over both radii; motion over both radii that matters at all. */
let nearest: v128 = f32x4.splat(0);
let stillest: v128 = f32x4.splat(0);

/** Least distance of what was dropped [m], for noteApart. */
let leastDropped: v128 = f32x4.splat(0);

/** Begins a detection; `isCrossing`: only what would go through each other is asked for. */
export function beginFilter(isCrossing: bool): void {
  crossing = isCrossing;
  rounding = f32x4.splat((append ? 8 : 4) * <f32>error);
  nearest = f32x4.splat(<f32>((1 + nearShare) * DISTANCE_SLACK));
  stillest = f32x4.splat(min(SLOW, <f32>(0.999 * nearShare)));
  leastDropped = f32x4.splat(Infinity);
}

/** Bounds the distances of all that was dropped from below [m]. */
export function leastOfDropped(): f64 {
  const a = f32x4.pmin(leastDropped, v128.shuffle<f32>(leastDropped, leastDropped, 2, 3, 0, 1));
  return <f64>min(f32x4.extract_lane(a, 0), f32x4.extract_lane(a, 1));
}

/** −1 in the lanes of the same object where its parts may not meet. */
function selfless(object: i32, others: v128): v128 {
  if ((bitsOf(object) & (OBJECT_SELF | OBJECT_ASLEEP)) == OBJECT_SELF) return i32x4.splat(0);
  return i32x4.eq(others, i32x4.splat(object));
}

/**
 * Lanes to be dropped: `start` and `end` bound the distance now and at the end, `distance` is what it is about now,
 * `beyond` is −1 in lanes that make no contact even if they are near.
 */
function judge(start: v128, end: v128, distance: v128, motion: v128, radii: v128, doubt: v128, beyond: v128): v128 {
  const high = f32x4.add(distance, doubt);
  const most = f32x4.add(f32x4.mul(radii, nearest), doubt);
  const isFar = f32x4.gt(start, most);
  // The distance that a meeting is about.
  const target = crossing
    ? f32x4.mul(f32x4.pmin(high, f32x4.mul(radii, f32x4.splat(<f32>DEEP))), f32x4.splat(<f32>DEEPER))
    : v128.bitselect(radii, f32x4.mul(high, f32x4.splat(0.5)), f32x4.gt(high, radii));
  const safe = f32x4.add(f32x4.mul(target, f32x4.splat(<f32>HIT_SLACK)), doubt);
  const isClear = v128.and(f32x4.gt(start, safe), f32x4.gt(end, safe));
  const wanted = crossing ? target : radii;
  const left = f32x4.sub(start, f32x4.add(f32x4.mul(wanted, f32x4.splat(<f32>DISTANCE_SLACK)), doubt));
  const isSlow = f32x4.gt(left, motion);
  if (!continuous) return v128.and(isFar, isSlow);
  const isOut = v128.or(isClear, isSlow);
  if (crossing) return isOut;
  const isHeld = f32x4.lt(f32x4.add(high, doubt), f32x4.mul(radii, f32x4.splat(<f32>(1 + nearShare))));
  const slow = v128.bitselect(f32x4.splat(SLOW), stillest, isHeld);
  const isStill = v128.or(isOut, f32x4.lt(motion, f32x4.mul(radii, slow)));
  return append ? isStill : v128.and(isStill, v128.or(isFar, beyond));
}

/**
 * Bits of `mask` that are dropped. In a first look their distances are noted; where nodes are joined, what comes nearer
 * than anything before is measured instead, for it may be the joint.
 */
function drop(lanes: v128, start: v128, mask: i32): i32 {
  if (append || crossing) return i32x4.bitmask(lanes) & mask;
  if (anyJoined) lanes = v128.andnot(lanes, f32x4.lt(start, f32x4.splat(<f32>leastApart)));
  lanes = v128.and(lanes, i32x4.ne(v128.and(i32x4.splat(mask), i32x4(1, 2, 4, 8)), i32x4.splat(0)));
  leastDropped = f32x4.pmin(leastDropped, v128.bitselect(start, f32x4.splat(Infinity), lanes));
  return i32x4.bitmask(lanes);
}

// ── Edges ──────────────────────────────────

/** Bits of the edges of block `block`, among those of `mask`, that edge `leaf` must be measured with. */
export function filterEdges(leaf: i32, block: i32, mask: i32): i32 {
  const a = edgeRecords + <usize>(leaf >> 2) * EDGE_RECORD + ((<usize>(leaf & 3)) << 2);
  const b = edgeRecords + <usize>block * EDGE_RECORD;
  // What shares a node, what nobody asked for.
  const a0 = v128.load32_splat(a, NODE);
  const a1 = v128.load32_splat(a, NODE + 16);
  const b0 = v128.load(b, NODE);
  const b1 = v128.load(b, NODE + 16);
  let out = v128.or(
    v128.or(i32x4.eq(a0, b0), i32x4.eq(a0, b1)),
    v128.or(i32x4.eq(a1, b0), v128.or(i32x4.eq(a1, b1), selfless(load<i32>(a, OBJECT), v128.load(b, OBJECT)))),
  );
  if (append) out = v128.or(out, v128.not(v128.or(v128.load32_splat(a, MOVED), v128.load(b, MOVED))));
  mask &= ~i32x4.bitmask(out);
  if (mask == 0) return 0;
  const mx = f32x4.sub(v128.load(b, MEAN), v128.load32_splat(a, MEAN));
  const my = f32x4.sub(v128.load(b, MEAN + 16), v128.load32_splat(a, MEAN + 16));
  const mz = f32x4.sub(v128.load(b, MEAN + 32), v128.load32_splat(a, MEAN + 32));
  const kx = v128.load32_splat(a, BEND);
  const ky = v128.load32_splat(a, BEND + 16);
  const kz = v128.load32_splat(a, BEND + 32);
  const lx = v128.load(b, BEND);
  const ly = v128.load(b, BEND + 16);
  const lz = v128.load(b, BEND + 32);
  const strays = f32x4.add(v128.load32_splat(a, STRAY), v128.load(b, STRAY));
  const doubt = f32x4.add(rounding, f32x4.mul(strays, f32x4.splat(STRAY_ROUNDING)));
  const bends = f32x4.add(f32x4.sqrt(dot4(kx, ky, kz, kx, ky, kz)), f32x4.sqrt(dot4(lx, ly, lz, lx, ly, lz)));
  const motion = f32x4.add(f32x4.add(f32x4.sqrt(dot4(mx, my, mz, mx, my, mz)), bends), doubt);
  const radii = f32x4.add(v128.load32_splat(a, RADIUS), v128.load(b, RADIUS));

  if (append && continuous && !crossing) {
    mask &= ~i32x4.bitmask(f32x4.lt(motion, f32x4.mul(radii, stillest)));
    if (mask == 0) return 0;
  }
  const ux = v128.load32_splat(a, HALF);
  const uy = v128.load32_splat(a, HALF + 16);
  const uz = v128.load32_splat(a, HALF + 32);
  const vx = v128.load(b, HALF);
  const vy = v128.load(b, HALF + 16);
  const vz = v128.load(b, HALF + 32);
  const wx = f32x4.sub(v128.load(b, MIDDLE), v128.load32_splat(a, MIDDLE));
  const wy = f32x4.sub(v128.load(b, MIDDLE + 16), v128.load32_splat(a, MIDDLE + 16));
  const wz = f32x4.sub(v128.load(b, MIDDLE + 32), v128.load32_splat(a, MIDDLE + 32));
  // Closest points at m + s u and m' + t v, s and t from −1 to 1; the vector between them.
  const one = f32x4.splat(1);
  const minus = f32x4.splat(-1);
  const tiny = f32x4.splat(NOTHING);
  const aa = f32x4.pmax(dot4(ux, uy, uz, ux, uy, uz), tiny);
  const cc = f32x4.pmax(dot4(vx, vy, vz, vx, vy, vz), tiny);
  const bb = dot4(ux, uy, uz, vx, vy, vz);
  const d = dot4(ux, uy, uz, wx, wy, wz);
  const e = f32x4.neg(dot4(vx, vy, vz, wx, wy, wz));
  const nx = differ4(uy, vz, uz, vy);
  const ny = differ4(uz, vx, ux, vz);
  const nz = differ4(ux, vy, uy, vx);
  const area = dot4(nx, ny, nz, nx, ny, nz);
  const top = f32x4.add(f32x4.mul(d, cc), f32x4.mul(bb, e));
  const first = clamp4(f32x4.div(top, f32x4.pmax(area, tiny)), minus, one);
  const t = clamp4(f32x4.div(f32x4.add(f32x4.mul(bb, first), e), cc), minus, one);
  const s = clamp4(f32x4.div(f32x4.add(f32x4.mul(bb, t), d), aa), minus, one);
  const gx = f32x4.sub(differ4(s, ux, t, vx), wx);
  const gy = f32x4.sub(differ4(s, uy, t, vy), wy);
  const gz = f32x4.sub(differ4(s, uz, t, vz), wz);
  const distance = f32x4.sqrt(dot4(gx, gy, gz, gx, gy, gz));
  const inverse = f32x4.div(one, f32x4.pmax(distance, tiny));
  const start = f32x4.mul(
    f32x4.sub(
      f32x4.neg(dot4(gx, gy, gz, wx, wy, wz)),
      f32x4.add(f32x4.abs(dot4(gx, gy, gz, ux, uy, uz)), f32x4.abs(dot4(gx, gy, gz, vx, vy, vz))),
    ),
    inverse,
  );
  const end = f32x4.mul(
    f32x4.sub(
      f32x4.neg(dot4(gx, gy, gz, f32x4.add(wx, mx), f32x4.add(wy, my), f32x4.add(wz, mz))),
      f32x4.add(
        f32x4.abs(dot4(gx, gy, gz, f32x4.add(ux, kx), f32x4.add(uy, ky), f32x4.add(uz, kz))),
        f32x4.abs(dot4(gx, gy, gz, f32x4.add(vx, lx), f32x4.add(vy, ly), f32x4.add(vz, lz))),
      ),
    ),
    inverse,
  );
  let beyond = i32x4.splat(0);

  if (!append && !crossing) {
    const ww = dot4(wx, wy, wz, wx, wy, wz);
    const square = f32x4.pmax(ww, f32x4.pmax(aa, cc));
    const size = f32x4.sqrt(square);
    const slack = f32x4.mul(
      f32x4.mul(square, size),
      f32x4.add(f32x4.mul(rounding, f32x4.splat(3)), f32x4.mul(size, f32x4.splat(PLACE_ROUNDING))),
    );
    const most = f32x4.add(area, slack);
    const other = f32x4.add(f32x4.mul(e, aa), f32x4.mul(bb, d));
    const long = f32x4.sqrt(aa);
    const wide = f32x4.sqrt(cc);
    const blur = f32x4.add(
      f32x4.mul(rounding, f32x4.add(long, wide)),
      f32x4.mul(f32x4.mul(long, wide), f32x4.splat(CROSS_ROUNDING)),
    );
    const isParallel = f32x4.lt(
      f32x4.add(f32x4.sqrt(area), blur),
      f32x4.mul(f32x4.mul(long, wide), f32x4.splat(PARALLEL)),
    );
    const isOut = v128.or(f32x4.gt(f32x4.abs(top), most), f32x4.gt(f32x4.abs(other), most));
    beyond = v128.andnot(v128.or(isParallel, isOut), v128.or(v128.load32_splat(a, ROD), v128.load(b, ROD)));
  }
  return mask & ~drop(judge(start, end, distance, motion, radii, doubt, beyond), start, mask);
}

// ── Points ──────────────────────────────────

/** The direction and its square, of the nearer of an edge's closest point and what was found before. */
let bestX: v128 = f32x4.splat(0);
let bestY: v128 = f32x4.splat(0);
let bestZ: v128 = f32x4.splat(0);
let best: v128 = f32x4.splat(0);
/** −1 where the point lies within the edges that were asked so far. */
let within: v128 = f32x4.splat(0);

/** Takes the edge from r (seen from its start, the point) along e in; n: the triangle's normal. */
function takeSide(rx: v128, ry: v128, rz: v128, ex: v128, ey: v128, ez: v128, nx: v128, ny: v128, nz: v128): void {
  const ee = f32x4.pmax(dot4(ex, ey, ez, ex, ey, ez), f32x4.splat(NOTHING));
  const t = clamp4(f32x4.div(dot4(rx, ry, rz, ex, ey, ez), ee), f32x4.splat(0), f32x4.splat(1));
  const x = f32x4.sub(rx, f32x4.mul(t, ex));
  const y = f32x4.sub(ry, f32x4.mul(t, ey));
  const z = f32x4.sub(rz, f32x4.mul(t, ez));
  const square = dot4(x, y, z, x, y, z);
  const nearer = f32x4.lt(square, best);
  bestX = v128.bitselect(x, bestX, nearer);
  bestY = v128.bitselect(y, bestY, nearer);
  bestZ = v128.bitselect(z, bestZ, nearer);
  best = v128.bitselect(square, best, nearer);
  const across = dot4(rx, ry, rz, differ4(ey, nz, ez, ny), differ4(ez, nx, ex, nz), differ4(ex, ny, ey, nx));
  within = v128.andnot(within, f32x4.gt(across, f32x4.splat(0)));
}

/** Bits of the triangles of block `block`, among those of `mask`, that point `node` must be measured with. */
export function filterPoint(node: i32, block: i32, mask: i32): i32 {
  const b = triangleRecords + <usize>block * TRIANGLE_RECORD;
  const own = i32x4.splat(node);
  const object = objectOf(node);
  let out = v128.or(
    v128.or(i32x4.eq(own, v128.load(b, NODE)), i32x4.eq(own, v128.load(b, NODE + 16))),
    v128.or(i32x4.eq(own, v128.load(b, NODE + 32)), selfless(object, v128.load(b, OBJECT))),
  );
  if (append && !isMoved(node)) out = v128.or(out, v128.not(v128.load(b, MOVED)));
  mask &= ~i32x4.bitmask(out);
  if (mask == 0) return 0;
  const record = nodeRecord(node);
  // Displacements beyond the point's, of the first corner and of the others.
  const mx = f32x4.sub(v128.load(b, WAY), v128.load32_splat(record, 16));
  const my = f32x4.sub(v128.load(b, WAY + 16), v128.load32_splat(record, 20));
  const mz = f32x4.sub(v128.load(b, WAY + 32), v128.load32_splat(record, 24));
  const kx = v128.load(b, WAY_B);
  const ky = v128.load(b, WAY_B + 16);
  const kz = v128.load(b, WAY_B + 32);
  const lx = v128.load(b, WAY_C);
  const ly = v128.load(b, WAY_C + 16);
  const lz = v128.load(b, WAY_C + 32);
  const strays = f32x4.add(v128.load32_splat(record, 28), v128.load(b, STRAY));
  const doubt = f32x4.add(rounding, f32x4.mul(strays, f32x4.splat(STRAY_ROUNDING)));
  const ox = f32x4.add(mx, kx);
  const oy = f32x4.add(my, ky);
  const oz = f32x4.add(mz, kz);
  const px = f32x4.add(mx, lx);
  const py = f32x4.add(my, ly);
  const pz = f32x4.add(mz, lz);
  const ways = f32x4.pmax(
    dot4(mx, my, mz, mx, my, mz),
    f32x4.pmax(dot4(ox, oy, oz, ox, oy, oz), dot4(px, py, pz, px, py, pz)),
  );
  const motion = f32x4.add(f32x4.sqrt(ways), doubt);
  const radii = f32x4.add(f32x4.splat(<f32>radiusOf(object)), v128.load(b, RADIUS));

  if (append && continuous && !crossing) {
    mask &= ~i32x4.bitmask(f32x4.lt(motion, f32x4.mul(radii, stillest)));
    if (mask == 0) return 0;
  }
  const ex = v128.load(b, SIDE_B);
  const ey = v128.load(b, SIDE_B + 16);
  const ez = v128.load(b, SIDE_B + 32);
  const fx = v128.load(b, SIDE_C);
  const fy = v128.load(b, SIDE_C + 16);
  const fz = v128.load(b, SIDE_C + 32);
  const qx = f32x4.sub(v128.load32_splat(record), v128.load(b, CORNER));
  const qy = f32x4.sub(v128.load32_splat(record, 4), v128.load(b, CORNER + 16));
  const qz = f32x4.sub(v128.load32_splat(record, 8), v128.load(b, CORNER + 32));
  const nx = differ4(ey, fz, ez, fy);
  const ny = differ4(ez, fx, ex, fz);
  const nz = differ4(ex, fy, ey, fx);
  // The vector from the closest point of the triangle.
  best = f32x4.splat(Infinity);
  within = i32x4.splat(-1);
  takeSide(qx, qy, qz, ex, ey, ez, nx, ny, nz);
  const rx = f32x4.sub(qx, ex);
  const ry = f32x4.sub(qy, ey);
  const rz = f32x4.sub(qz, ez);
  takeSide(rx, ry, rz, f32x4.sub(fx, ex), f32x4.sub(fy, ey), f32x4.sub(fz, ez), nx, ny, nz);
  const sx = f32x4.sub(qx, fx);
  const sy = f32x4.sub(qy, fy);
  const sz = f32x4.sub(qz, fz);
  takeSide(sx, sy, sz, f32x4.neg(fx), f32x4.neg(fy), f32x4.neg(fz), nx, ny, nz);
  const nn = f32x4.pmax(dot4(nx, ny, nz, nx, ny, nz), f32x4.splat(NOTHING));
  const up = f32x4.div(dot4(nx, ny, nz, qx, qy, qz), nn);
  const gx = v128.bitselect(f32x4.mul(up, nx), bestX, within);
  const gy = v128.bitselect(f32x4.mul(up, ny), bestY, within);
  const gz = v128.bitselect(f32x4.mul(up, nz), bestZ, within);
  const distance = f32x4.sqrt(dot4(gx, gy, gz, gx, gy, gz));
  const inverse = f32x4.div(f32x4.splat(1), f32x4.pmax(distance, f32x4.splat(NOTHING)));
  const zero = f32x4.splat(0);
  const start = f32x4.mul(
    f32x4.sub(
      dot4(gx, gy, gz, qx, qy, qz),
      f32x4.pmax(zero, f32x4.pmax(dot4(gx, gy, gz, ex, ey, ez), dot4(gx, gy, gz, fx, fy, fz))),
    ),
    inverse,
  );
  const atB = dot4(gx, gy, gz, f32x4.add(ex, kx), f32x4.add(ey, ky), f32x4.add(ez, kz));
  const atC = dot4(gx, gy, gz, f32x4.add(fx, lx), f32x4.add(fy, ly), f32x4.add(fz, lz));
  const end = f32x4.mul(
    f32x4.sub(
      dot4(gx, gy, gz, f32x4.sub(qx, mx), f32x4.sub(qy, my), f32x4.sub(qz, mz)),
      f32x4.pmax(zero, f32x4.pmax(atB, atC)),
    ),
    inverse,
  );
  return mask & ~drop(judge(start, end, distance, motion, radii, doubt, zero), start, mask);
}
