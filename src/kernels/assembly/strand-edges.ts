// Boxes and records of all edges of strands, for the grid.
//
// In: node positions and velocities. Out: per edge (named by its first node) a swept box, a small f32 record for quick
// refusals, its size class; per node the rest length from the strand's start.
// Boxes are swept by what is left of the motion when a common affine field is taken away: a head that flies at 20 m/s
// or turns must not sweep boxes of a third of a metre, for its hairs do not meet. Let d(x) = m + G x fit the nodes'
// displacements, x be their places half-way through the step and e = displacement − d(x). At time ½ + σ, |σ| ≤ ½,
//   x_a − x_b + σ (e_a − e_b) = (apart then) − σ G (x_a − x_b),
// so two edges within R of each other at any time have boxes over x ± ½ e that overlap once each is widened by
// its radius and ½ |G| |x_a − x_b|, where |x_a − x_b| ≤ (R + ½ |e_a| + ½ |e_b|) / (1 − ½ |G|).
// Coordinates are relative to the least corner and rounded outwards. Edges of quarantined strands, and edges whose
// numbers are bad, have no box.

import {
  NODE_REST,
  ROD_ALIVE,
  ROD_FLAGS,
  ROD_PARAMETER,
  STRAND_FIRST,
  STRAND_FLAGS,
  STRAND_NODES,
  STRAND_QUARANTINED,
  STRAND_ROD,
} from '../../state/layout';
import { column, getI32, setF64, setI32 } from './memory';
import {
  arcs,
  BOX,
  boxes,
  continuous,
  dt,
  levelOf,
  nearShare,
  nodes,
  position,
  RECORD,
  records,
  strands,
  TRAIT,
  traits,
  velocity,
} from './strand-work';
import { splatSum } from './vector';

/** Coordinates beyond this are taken for bad numbers [m]: their squares must fit into f32. */
const FARTHEST: f64 = 1e15;
/** Rounding of an f32 coordinate, as a share of the extent of all strands: six units in the last place. */
const ROUNDING: f64 = 8e-7;
/** Component of a unit diagonal along an axis. */
const DIAGONAL: f32 = 0.57735027;

/** Edges with a box. */
export let edgeCount: i32 = 0;
/** Number of edges by exponent of the largest side of their box. */
export const CLASSES: usize = memory.data(256 * 4, 16);
/** Absolute error of the records' coordinates [m]. */
export let recordError: f32 = 0;

/** Nodes that the field is fitted to. */
const SAMPLES: i32 = 512;
/** Largest norm of G: beyond it the widening would grow without bound. */
const STEEPEST: f64 = 0.7;

// Least corner, mean displacement of all sound nodes; the field's gradient about `fieldX..Z` [-] and its norm.
let originX: f64 = 0;
let originY: f64 = 0;
let originZ: f64 = 0;
let meanX: f64 = 0;
let meanY: f64 = 0;
let meanZ: f64 = 0;
let error: f64 = 0;
const FIELD: usize = memory.data(72, 16);
const MOMENTS: usize = memory.data(48, 16);
let fieldX: f64 = 0;
let fieldY: f64 = 0;
let fieldZ: f64 = 0;
let steepness: f64 = 0;

/** Whether the strand takes part. */
export function isStrandLive(strand: i32): bool {
  if (getI32(column(STRAND_FLAGS), strand) & STRAND_QUARANTINED) return false;
  const rod = getI32(column(STRAND_ROD), strand);
  return rod >= 0 && (getI32(column(ROD_FLAGS), rod) & ROD_ALIVE) != 0;
}

/** Whether a row of x y z has three ordinary numbers. */
function isSound(row: usize): bool {
  return abs(load<f64>(row)) < FARTHEST && abs(load<f64>(row, 8)) < FARTHEST && abs(load<f64>(row, 16)) < FARTHEST;
}

function measureAll(): void {
  let lowX = Infinity;
  let lowY = Infinity;
  let lowZ = Infinity;
  let highX = -Infinity;
  let highY = -Infinity;
  let highZ = -Infinity;
  let speed: f64 = 0;
  let count = 0;
  meanX = 0;
  meanY = 0;
  meanZ = 0;
  for (let i = 0; i < nodes; i++) {
    const p = position + ((<usize>i) << 5);
    const v = velocity + ((<usize>i) << 5);
    if (!isSound(p) || !isSound(v)) continue;
    const x = load<f64>(p);
    const y = load<f64>(p, 8);
    const z = load<f64>(p, 16);
    const vx = load<f64>(v);
    const vy = load<f64>(v, 8);
    const vz = load<f64>(v, 16);
    lowX = min(lowX, x);
    lowY = min(lowY, y);
    lowZ = min(lowZ, z);
    highX = max(highX, x);
    highY = max(highY, y);
    highZ = max(highZ, z);
    meanX += vx;
    meanY += vy;
    meanZ += vz;
    speed = max(speed, max(abs(vx), max(abs(vy), abs(vz))));
    count++;
  }
  const scale = count > 0 ? dt / <f64>count : 0;
  meanX *= scale;
  meanY *= scale;
  meanZ *= scale;
  originX = count > 0 ? lowX : 0;
  originY = count > 0 ? lowY : 0;
  originZ = count > 0 ? lowZ : 0;
  const extent = max(highX - lowX, max(highY - lowY, highZ - lowZ));
  error = count > 0 ? ROUNDING * (extent + 2 * dt * speed) : 0;
  recordError = <f32>error;
  fitField();
}

/** Fits G to the displacements of some nodes by least squares about their mean. */
function fitField(): void {
  memory.fill(FIELD, 0, 72);
  memory.fill(MOMENTS, 0, 48);
  steepness = 0;
  if (!continuous) return;
  const stride = max(1, nodes / SAMPLES);
  let count: f64 = 0;
  fieldX = 0;
  fieldY = 0;
  fieldZ = 0;
  for (let i = 0; i < nodes; i += stride) {
    const p = position + ((<usize>i) << 5);
    const v = velocity + ((<usize>i) << 5);
    if (!isSound(p) || !isSound(v)) continue;
    fieldX += load<f64>(p) - originX + 0.5 * dt * load<f64>(v);
    fieldY += load<f64>(p, 8) - originY + 0.5 * dt * load<f64>(v, 8);
    fieldZ += load<f64>(p, 16) - originZ + 0.5 * dt * load<f64>(v, 16);
    count++;
  }
  if (count < 4) return;
  fieldX /= count;
  fieldY /= count;
  fieldZ /= count;
  for (let i = 0; i < nodes; i += stride) {
    const p = position + ((<usize>i) << 5);
    const v = velocity + ((<usize>i) << 5);
    if (!isSound(p) || !isSound(v)) continue;
    const dx = dt * load<f64>(v);
    const dy = dt * load<f64>(v, 8);
    const dz = dt * load<f64>(v, 16);
    const x = load<f64>(p) - originX + 0.5 * dx - fieldX;
    const y = load<f64>(p, 8) - originY + 0.5 * dy - fieldY;
    const z = load<f64>(p, 16) - originZ + 0.5 * dz - fieldZ;
    add(MOMENTS, x * x);
    add(MOMENTS + 8, y * y);
    add(MOMENTS + 16, z * z);
    add(MOMENTS + 24, x * y);
    add(MOMENTS + 32, x * z);
    add(MOMENTS + 40, y * z);
    addRow(FIELD, dx, x, y, z);
    addRow(FIELD + 24, dy, x, y, z);
    addRow(FIELD + 48, dz, x, y, z);
  }
  // G = (Σ d xᵀ) (Σ x xᵀ)⁻¹; a little of the trace keeps flat and straight grooms solvable.
  const trace = load<f64>(MOMENTS) + load<f64>(MOMENTS, 8) + load<f64>(MOMENTS, 16);
  const a = load<f64>(MOMENTS) + 1e-6 * trace;
  const b = load<f64>(MOMENTS, 8) + 1e-6 * trace;
  const c = load<f64>(MOMENTS, 16) + 1e-6 * trace;
  const f = load<f64>(MOMENTS, 24);
  const g = load<f64>(MOMENTS, 32);
  const h = load<f64>(MOMENTS, 40);
  const ia = b * c - h * h;
  const ib = a * c - g * g;
  const ic = a * b - f * f;
  const iff = g * h - f * c;
  const ig = f * h - g * b;
  const ih = f * g - a * h;
  const determinant = a * ia + f * iff + g * ig;
  if (!(determinant > 0) || determinant == Infinity) {
    memory.fill(FIELD, 0, 72);
    return;
  }
  let norm: f64 = 0;
  for (let row: usize = 0; row < 72; row += 24) {
    const x = load<f64>(FIELD + row) / determinant;
    const y = load<f64>(FIELD + row, 8) / determinant;
    const z = load<f64>(FIELD + row, 16) / determinant;
    const gx = x * ia + y * iff + z * ig;
    const gy = x * iff + y * ib + z * ih;
    const gz = x * ig + y * ih + z * ic;
    store<f64>(FIELD + row, gx);
    store<f64>(FIELD + row, gy, 8);
    store<f64>(FIELD + row, gz, 16);
    norm += gx * gx + gy * gy + gz * gz;
  }
  // The Frobenius norm bounds the operator's.
  steepness = sqrt(norm);
  const shrink = steepness <= STEEPEST ? 1 : steepness < Infinity ? STEEPEST / steepness : 0;
  for (let i: usize = 0; i < 72; i += 8) store<f64>(FIELD + i, shrink * load<f64>(FIELD + i));
  steepness = min(steepness, STEEPEST);
}

function add(at: usize, value: f64): void {
  store<f64>(at, load<f64>(at) + value);
}

function addRow(at: usize, d: f64, x: f64, y: f64, z: f64): void {
  add(at, d * x);
  add(at + 8, d * y);
  add(at + 16, d * z);
}

/** Row of G times the place over the field's centre. */
function fieldAlong(row: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(FIELD + row) * x + load<f64>(FIELD + row, 8) * y + load<f64>(FIELD + row, 16) * z;
}

// One node, relative to the origin, as (x, y) and (z, ·) in f64 and as lanes 0 1 2 in f32: start, displacement over the
// mean, and for the box the place half-way and half of what the field leaves of the displacement.
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
  const far = f64x2.splat(FARTHEST);
  const near = v128.and(f64x2.lt(f64x2.abs(atXY), far), f64x2.lt(f64x2.abs(speedXY), far));
  sound = i64x2.all_true(near) && abs(atZ) < FARTHEST && abs(speedZ) < FARTHEST;
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

/** Fills boxes, records, classes and arcs. */
export function prepareEdges(): void {
  measureAll();
  memory.fill(CLASSES, 0, 256 * 4);
  edgeCount = 0;
  for (let i = 0; i < nodes; i++) setI32(levelOf, i, -1);
  const firsts = column(STRAND_FIRST);
  const lengths = column(STRAND_NODES);
  const rods = column(STRAND_ROD);
  const rest = column(NODE_REST);
  for (let strand = 0; strand < strands; strand++) {
    if (!isStrandLive(strand)) continue;
    const rod = getI32(rods, strand);
    const radius = load<f64>(column(ROD_PARAMETER) + ((<usize>rod) << 6));
    const first = getI32(firsts, strand);
    const last = first + getI32(lengths, strand) - 1;
    const reach = radius * (1 + nearShare);
    const growth = <f32>((0.5 * steepness) / (1 - 0.5 * steepness));
    const wide = <f32>(reach + error) + growth * <f32>reach;
    let arc: f64 = 0;
    prepareNode(first, radius);
    for (let edge = first; edge < last; edge++) {
      const before = placeXY;
      const beforeZ = placeZ;
      const moved0 = moved;
      const middle0 = middle;
      const sweep0 = sweep;
      const middleSlant0 = middleSlant;
      const sweepSlant0 = sweepSlant;
      const sound0 = sound;
      prepareNode(edge + 1, radius);
      const edgeXY = f64x2.sub(placeXY, before);
      const edgeZ = placeZ - beforeZ;
      setF64(arcs, edge, arc);
      const length = load<f64>(rest + ((<usize>edge) << 6));
      arc += length > 0 ? length : longOf(edgeXY, edgeZ);
      if (!sound0 || !sound) continue;
      const most = max(lengthOf(sweep0), lengthOf(sweep));
      const around = f32x4.splat(wide + growth * most);
      writeBox(edge, middle0, sweep0, around);
      const box = boxes + <usize>edge * BOX;
      const slantLow = f32x4.pmin(f32x4.sub(middleSlant0, sweepSlant0), f32x4.sub(middleSlant, sweepSlant));
      const slantHigh = f32x4.pmax(f32x4.add(middleSlant0, sweepSlant0), f32x4.add(middleSlant, sweepSlant));
      v128.store(box, f32x4.sub(slantLow, around), 32);
      v128.store(box, f32x4.add(slantHigh, around), 48);
      const record = records + <usize>edge * RECORD;
      const half = f32x4.splat(0.5);
      const bend = f32x4.mul(half, f32x4.sub(moved, moved0));
      // Middle in f64: coordinates of pairs are differences of these.
      const origin = f64x2.replace_lane(f64x2.splat(originX), 1, originY);
      const middleXY = f64x2.mul(f64x2.add(before, placeXY), f64x2.splat(0.5));
      v128.store(record, f64x2.add(middleXY, origin));
      store<f64>(record, 0.5 * (beforeZ + placeZ) + originZ, 16);
      store<f64>(record, radius, 24);
      const along = lanes(f64x2.mul(edgeXY, f64x2.splat(0.5)), 0.5 * edgeZ);
      v128.store(record, f32x4.replace_lane(along, 3, lengthOf(bend)), 32);
      v128.store(record, f32x4.replace_lane(f32x4.mul(half, f32x4.add(moved0, moved)), 3, 0), 48);
      const trait = traits + <usize>edge * TRAIT;
      store<f64>(trait, radius);
      store<i32>(trait, rod, 8);
      store<i32>(trait, strand, 12);
      store<f32>(trait, 2 * lengthOf(along), 16);
    }
    setF64(arcs, last, arc);
  }
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

/** Box of the edge from the node before (`middle0`, `sweep0`) to the present one, and its size class. */
function writeBox(edge: i32, middle0: v128, sweep0: v128, wide: v128): void {
  const low = f32x4.sub(f32x4.pmin(f32x4.sub(middle0, sweep0), f32x4.sub(middle, sweep)), wide);
  const high = f32x4.add(f32x4.pmax(f32x4.add(middle0, sweep0), f32x4.add(middle, sweep)), wide);
  const box = boxes + <usize>edge * BOX;
  v128.store(box, f32x4.replace_lane(low, 3, 0));
  v128.store(box, f32x4.replace_lane(high, 3, 0), 16);
  const sides = f32x4.sub(high, low);
  const side = max(f32x4.extract_lane(sides, 0), max(f32x4.extract_lane(sides, 1), f32x4.extract_lane(sides, 2)));
  const size = (reinterpret<i32>(side) >>> 23) & 255;
  setI32(CLASSES, size, getI32(CLASSES, size) + 1);
  setI32(levelOf, edge, size);
  edgeCount++;
}
