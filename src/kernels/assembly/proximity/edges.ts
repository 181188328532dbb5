// Boxes and records of all edges of strands, for the tree.
//
// In: node positions and velocities. Out: per edge (named by its first node) a swept box, a small f32 record for quick
// refusals; per node the rest length from the strand's start.
// Boxes are swept by what is left of the motion when a common affine field is taken away: a head that flies at 20 m/s
// or turns must not sweep boxes of a third of a metre, for its hairs do not meet. Let d(x) = m + G x fit the nodes'
// displacements, x be their places half-way through the step and e = displacement −
// d(x). At time ½ + σ, |σ| ≤ ½,
//   x_a − x_b + σ (e_a − e_b) = (apart then) − σ G (x_a − x_b),
// so two edges within R of each other at any time have boxes over x ± ½ e that overlap once each is widened by
// its radius and ½ |G| |x_a − x_b|, where |x_a − x_b| ≤ (R + ½ |e_a| + ½ |e_b|) / (1 − ½ |G|).
// For further looks within the step boxes have a reserve: as long as no end's displacement is farther than that from
// the one that the box was made for, the box holds (a change δ shifts x by ½ δ and e by at most δ (1 + ½ |G|)).
// Coordinates are relative to the least corner and rounded outwards. Edges of quarantined strands, of strands that the
// device advances, and edges whose numbers are bad, have no box.

import { FARTHEST_COORDINATE } from '../../../core/elastic-constants';
import {
  KIND_ROD,
  NODE_REST,
  ROD_ALIVE,
  ROD_FLAGS,
  ROD_PARAMETER,
  ROD_SELF_CONTACT,
  STRAND_AWAY,
  STRAND_FIRST,
  STRAND_FLAGS,
  STRAND_KIND,
  STRAND_NODES,
  STRAND_QUARANTINED,
  STRAND_ROD,
} from '../../../state/layout';
import { isAsleep } from '../elastic/sleep';
import { splatSum } from '../math/vector';
import { column, getI32, setF64 } from '../memory';
import { clampedEdge } from './clamps';
import {
  error,
  fieldAlong,
  fieldX,
  fieldY,
  fieldZ,
  meanX,
  meanY,
  meanZ,
  measureAll,
  originX,
  originY,
  originZ,
  steepness,
} from './field';
import {
  arcs,
  BOX,
  boxed,
  boxes,
  continuous,
  dt,
  HALF,
  harmless,
  hasBox,
  LENGTH,
  looked,
  motions,
  nearShare,
  nodes,
  position,
  RADIUS,
  RECORD,
  records,
  reserveShare,
  strands,
  TRAIT,
  TRAIT_ASLEEP,
  TRAIT_CLAMPED,
  TRAIT_SELF,
  traits,
  velocity,
} from './work';

/** Component of a unit diagonal along an axis. */
const DIAGONAL: f32 = 0.57735027;
/** Reserve of a box beside its share of the radius: a share of what the field leaves of the motion. */
const RESERVE_OF_MOTION: f32 = 0.1;
/** Rounding of large displacements in f32. */
const MOTION_ROUNDING: f32 = 1e-6;

/** Whether the strand is a rod's and takes part. */
export function isStrandLive(strand: i32): bool {
  return getI32(column(STRAND_KIND), strand) == KIND_ROD && isObjectLive(strand);
}

/** Whether the elastic object takes part. */
export function isObjectLive(strand: i32): bool {
  if (getI32(column(STRAND_FLAGS), strand) & (STRAND_QUARANTINED | STRAND_AWAY)) return false;
  const rod = getI32(column(STRAND_ROD), strand);
  return rod >= 0 && (getI32(column(ROD_FLAGS), rod) & ROD_ALIVE) != 0;
}

// One node, relative to the origin, as (x, y) and (z, ·) in f64 and as lanes 0 1 2 in f32: start, displacement over
// the mean, and for the box the place half-way and half of what the field leaves of the displacement.
let placeXY: v128 = f64x2.splat(0);
let placeZ: f64 = 0;
let place: v128 = f32x4.splat(0);
let moved: v128 = f32x4.splat(0);
let middle: v128 = f32x4.splat(0);
let sweep: v128 = f32x4.splat(0);
// The same along the four diagonals.
let middleSlant: v128 = f32x4.splat(0);
let sweepSlant: v128 = f32x4.splat(0);
let sound: bool = false;

/** f32 lanes x y z 0 of (x, y) and z. */
function lanes(xy: v128, z: f64): v128 {
  return f32x4.replace_lane(f32x4.replace_lane(f32x4.demote_f64x2_zero(xy), 2, <f32>z), 3, 0);
}

/** Components along the diagonals (1 1 −1), (1 −1 1), (−1 1 1), (1 1 1), of unit length, of lanes x y z 0. */
function slants(v: v128): v128 {
  const whole = splatSum(v);
  const back = v128.shuffle<f32>(v, v, 2, 1, 0, 3);
  return f32x4.mul(f32x4.sub(whole, f32x4.add(back, back)), f32x4.splat(DIAGONAL));
}

function prepareNode(node: i32, radius: f64): void {
  const p = position + ((<usize>node) << 5);
  const v = velocity + ((<usize>node) << 5);
  const atXY = v128.load(p);
  const atZ = load<f64>(p, 16);
  const speedXY = v128.load(v);
  const speedZ = load<f64>(v, 16);
  const far = f64x2.splat(FARTHEST_COORDINATE);
  const near = v128.and(f64x2.lt(f64x2.abs(atXY), far), f64x2.lt(f64x2.abs(speedXY), far));
  sound = i64x2.all_true(near) && abs(atZ) < FARTHEST_COORDINATE && abs(speedZ) < FARTHEST_COORDINATE;
  const half = f64x2.splat(0.5);
  const wayXY = f64x2.mul(speedXY, f64x2.splat(dt));
  const wayZ = dt * speedZ;
  placeXY = f64x2.sub(atXY, f64x2.replace_lane(f64x2.splat(originX), 1, originY));
  placeZ = atZ - originZ;
  place = lanes(placeXY, placeZ);
  let leftXY = f64x2.sub(wayXY, f64x2.replace_lane(f64x2.splat(meanX), 1, meanY));
  let leftZ = wayZ - meanZ;
  if (!continuous) {
    // Only what may close within the reach of one radius counts, from where the nodes are.
    const square = f64x2.mul(leftXY, leftXY);
    const length = sqrt(1e-300 + f64x2.extract_lane(square, 0) + f64x2.extract_lane(square, 1) + leftZ * leftZ);
    const shrink = min(1.0, radius / length);
    leftXY = f64x2.mul(leftXY, f64x2.splat(shrink));
    leftZ *= shrink;
    moved = lanes(leftXY, leftZ);
    middle = place;
    middleSlant = slants(middle);
    sweep = f32x4.abs(moved);
    sweepSlant = f32x4.abs(slants(moved));
    return;
  }
  moved = lanes(leftXY, leftZ);
  const middleXY = f64x2.add(placeXY, f64x2.mul(half, wayXY));
  const middleZ = placeZ + 0.5 * wayZ;
  middle = lanes(middleXY, middleZ);
  if (steepness > 0) {
    const x = f64x2.extract_lane(middleXY, 0) - fieldX;
    const y = f64x2.extract_lane(middleXY, 1) - fieldY;
    const z = middleZ - fieldZ;
    leftXY = f64x2.sub(leftXY, f64x2.replace_lane(f64x2.splat(fieldAlong(0, x, y, z)), 1, fieldAlong(24, x, y, z)));
    leftZ -= fieldAlong(48, x, y, z);
  }
  const left = lanes(f64x2.mul(half, leftXY), 0.5 * leftZ);
  middleSlant = slants(middle);
  sweep = f32x4.abs(left);
  sweepSlant = f32x4.abs(slants(left));
}

// The node before: what `prepareNode` says of it.
let middleBefore: v128 = f32x4.splat(0);
let sweepBefore: v128 = f32x4.splat(0);
let middleSlantBefore: v128 = f32x4.splat(0);
let sweepSlantBefore: v128 = f32x4.splat(0);
let movedBefore: v128 = f32x4.splat(0);

function keepBefore(): void {
  middleBefore = middle;
  sweepBefore = sweep;
  middleSlantBefore = middleSlant;
  sweepSlantBefore = sweepSlant;
  movedBefore = moved;
}

/** How far the displacement of the node just prepared may change [m]. */
function reserveOf(radius: f64): f32 {
  return continuous ? <f32>(reserveShare * radius) + RESERVE_OF_MOTION * lengthOf(sweep) : 0;
}

/** Fills boxes, records, motions and arcs. */
export function prepareEdges(): void {
  measureAll();
  memory.fill(hasBox, 0, nodes);
  const firsts = column(STRAND_FIRST);
  const lengths = column(STRAND_NODES);
  const rods = column(STRAND_ROD);
  const rest = column(NODE_REST);
  const origin = f64x2.replace_lane(f64x2.splat(originX), 1, originY);
  for (let strand = 0; strand < strands; strand++) {
    const first = getI32(firsts, strand);
    const last = first + getI32(lengths, strand) - 1;
    if (!isStrandLive(strand)) continue;
    const rod = getI32(rods, strand);
    let bits = getI32(column(ROD_FLAGS), rod) & ROD_SELF_CONTACT ? rod | TRAIT_SELF : rod;
    if (isAsleep(strand)) bits |= TRAIT_ASLEEP;
    const radius = load<f64>(column(ROD_PARAMETER) + ((<usize>rod) << 6));
    let arc: f64 = 0;
    prepareNode(first, radius);
    let reserve = reserveOf(radius);
    keepNode(first, radius, reserve);
    for (let edge = first; edge < last; edge++) {
      const before = placeXY;
      const beforeZ = placeZ;
      const sound0 = sound;
      const reserve0 = reserve;
      keepBefore();
      prepareNode(edge + 1, radius);
      reserve = reserveOf(radius);
      keepNode(edge + 1, radius, reserve);
      const edgeXY = f64x2.sub(placeXY, before);
      const edgeZ = placeZ - beforeZ;
      setF64(arcs, edge, arc);
      const length = load<f64>(rest + ((<usize>edge) << 6));
      arc += length > 0 ? length : longOf(edgeXY, edgeZ);
      if (!sound0 || !sound) continue;
      const box = boxes + <usize>edge * BOX;
      writeBox(box, radius, max(reserve0, reserve));
      store<u8>(hasBox + edge, 1);
      // Middle in f64: coordinates of pairs are differences of these.
      const record = records + <usize>edge * RECORD;
      const middleXY = f64x2.mul(f64x2.add(before, placeXY), f64x2.splat(0.5));
      v128.store(record, f64x2.add(middleXY, origin));
      store<f64>(record, 0.5 * (beforeZ + placeZ) + originZ, 16);
      store<f64>(record, radius, RADIUS);
      const along = lanes(f64x2.mul(edgeXY, f64x2.splat(0.5)), 0.5 * edgeZ);
      v128.store(record, along, HALF);
      store<f32>(record, 2 * lengthOf(along), LENGTH);
      const trait = traits + <usize>edge * TRAIT;
      store<i32>(trait, strand);
      store<i32>(trait, clampedEdge(edge, strand) ? bits | TRAIT_CLAMPED : bits, 4);
    }
    setF64(arcs, last, arc);
  }
}

/** Keeps the displacement of the node just prepared; nodes with bad numbers are never looked at. */
function keepNode(node: i32, radius: f64, reserve: f32): void {
  const at = (<usize>node) << 4;
  const motion = f32x4.replace_lane(sound ? moved : f32x4.splat(0), 3, <f32>radius);
  const still = <f32>(harmless * radius);
  v128.store(motions + at, motion);
  v128.store(boxed + at, f32x4.replace_lane(motion, 3, sound ? reserve * reserve : <f32>Infinity));
  v128.store(looked + at, f32x4.replace_lane(motion, 3, sound ? still * still : <f32>Infinity));
}

/**
 * Makes the box of an edge anew, at `box`, for the present velocities. Its ends' own references stay: either may be
 * a reserve off, so the box gets twice as much.
 */
export function writeBoxAnew(edge: i32, box: usize): void {
  const radius = load<f64>(records + <usize>edge * RECORD, RADIUS);
  prepareNode(edge, radius);
  keepBefore();
  prepareNode(edge + 1, radius);
  const a = load<f32>(boxed + ((<usize>edge) << 4), 12);
  const b = load<f32>(boxed + ((<usize>edge) << 4), 28);
  writeBox(box, radius, 2 * sqrt(max(a, b)));
}

/** Length of (x, y) and z. */
function longOf(xy: v128, z: f64): f64 {
  const square = f64x2.mul(xy, xy);
  return sqrt(f64x2.extract_lane(square, 0) + f64x2.extract_lane(square, 1) + z * z);
}

/** Length of lanes 0 1 2. */
function lengthOf(v: v128): f32 {
  const a = f32x4.extract_lane(v, 0);
  const b = f32x4.extract_lane(v, 1);
  const c = f32x4.extract_lane(v, 2);
  return sqrt(a * a + b * b + c * c);
}

/** Box of the edge from the node before to the present one. */
function writeBox(box: usize, radius: f64, reserve: f32): void {
  const reach = <f32>(radius * (1 + nearShare));
  const steep = <f32>steepness;
  const growth = (<f32>0.5 * steep) / (1 - <f32>0.5 * steep);
  const most = max(lengthOf(sweepBefore), lengthOf(sweep));
  const far = max(lengthOf(movedBefore), lengthOf(moved));
  const stray = reserve * (1 + <f32>0.25 * steep + growth * (<f32>0.5 + <f32>0.25 * steep));
  const wide = reach + <f32>error + growth * reach + growth * most + stray + MOTION_ROUNDING * far;
  const around = f32x4.splat(wide);
  const low = f32x4.sub(f32x4.pmin(f32x4.sub(middleBefore, sweepBefore), f32x4.sub(middle, sweep)), around);
  const high = f32x4.add(f32x4.pmax(f32x4.add(middleBefore, sweepBefore), f32x4.add(middle, sweep)), around);
  v128.store(box, f32x4.replace_lane(low, 3, 0));
  v128.store(box, f32x4.replace_lane(high, 3, 0), 16);
  const slantLow = f32x4.pmin(f32x4.sub(middleSlantBefore, sweepSlantBefore), f32x4.sub(middleSlant, sweepSlant));
  const slantHigh = f32x4.pmax(f32x4.add(middleSlantBefore, sweepSlantBefore), f32x4.add(middleSlant, sweepSlant));
  v128.store(box, f32x4.sub(slantLow, around), 32);
  v128.store(box, f32x4.add(slantHigh, around), 48);
}
