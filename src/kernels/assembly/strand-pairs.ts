// One pair of edges whose swept boxes overlap: may they touch, do they, and where.
//
// In: two edges from the grid. Out: hits (strand-hits): at most one where they are near now, and one where they
// will meet within the step if that is another place.
// Left out: pairs that filters forbid; edges of one strand that share a node, or lie so near along the strand that a
// curve no tighter than its own radius brings them within reach (else a rod thicker than its edges are long would
// collide with itself); edges that are both held by clamps; and second reports of one point by neighbouring edges.
// The normal keeps its side: an impact is found before the edges cross, and edges that crossed all the same (the
// solver stopped early) get the side of the last step back, with a gap as deep as the way home.

import { NODE_PREVIOUS, ROD_FLAGS, ROD_LAYERS, ROD_SELF_CONTACT } from '../../state/layout';
import { column, getF64, getI32 } from './memory';
import { clampedEdge } from './strand-clamps';
import { recordError } from './strand-edges';
import { addHit, findOld, IMPACT_BIT, oldNormal, oldPlace } from './strand-hits';
import {
  acrossEdges,
  advanceEdges,
  apart,
  apartX,
  apartY,
  apartZ,
  approachAlong,
  closestEdges,
  heightAlong,
  hitTime,
  lengthOfA,
  lengthOfB,
  loadA,
  loadB,
  overlapOfEdges,
  placeS,
  placeT,
  sideAlong,
  sineSquared,
} from './strand-segments';
import {
  append,
  arcs,
  continuous,
  dt,
  levelOf,
  nearShare,
  nodes,
  position,
  RECORD,
  records,
  velocity,
} from './strand-work';
import { crossLanes, sumLanes } from './vector';

/** Half the circumference over the diameter: arc between the ends of the tightest bend a tube can make, over its width. */
const TIGHTEST_BEND: f64 = 1.5707963267948966;
/** Square of the sine under which lines are not used to refuse a pair. */
const LINES_SINE: f32 = 1e-4;
/** A point this near to an edge's end, as a share of the contact distance and of the edge, is at the end. */
const END_OF_RADII: f64 = 0.1;
const END_OF_EDGE: f64 = 0.25;
/** Near-parallel edges leave a contact to a neighbour that lies beside the other edge for longer by this share of its length. */
const BESIDE: f64 = 0.1;
/** An impact this far from the near point (in contact distances, along either edge) is a contact of its own. */
const OWN_PLACE: f64 = 2;
/** Edges that enclose a smaller sine (10°) are near-parallel: they roll about each other freely, no side is kept. */
const SIDE_SINE_SQUARED: f64 = 0.03;
/** Cosine to the last normal under which the edges count as having changed sides. */
const OTHER_SIDE: f64 = -0.3;
/** Distance of axes, as a share of the contact distance, under which their difference is no direction. */
const NO_DIRECTION: f64 = 1e-7;

let edgeA: i32 = 0;
let edgeB: i32 = 0;
let reach: f64 = 0;

/** The grid's question: two edges and their records. */
export function meetEdges(first: i32, recordFirst: usize, second: i32, recordSecond: usize): void {
  const most = linesApart(recordFirst, recordSecond);
  if (most < 0) return;
  const ordered = first < second;
  const a = ordered ? first : second;
  const b = ordered ? second : first;
  const recordA = ordered ? recordFirst : recordSecond;
  const recordB = ordered ? recordSecond : recordFirst;
  reach = load<f64>(recordA, 56) + load<f64>(recordB, 56);
  if (!mayMeet(a, b, recordA, recordB)) return;
  edgeA = a;
  edgeB = b;
  loadA(nodeAt(position, a), nodeAt(velocity, a), dt);
  loadB(nodeAt(position, b), nodeAt(velocity, b), dt);
  touch(<f64>most);
}

function nodeAt(rows: usize, node: i32): usize {
  return rows + ((<usize>node) << 5);
}

/**
 * −1 when the lines through the edges stay farther apart than radii, margin and motion together; else a bound on how
 * much nearer the edges can come within the step [m].
 */
function linesApart(a: usize, b: usize): f32 {
  const u = v128.load(a, 16);
  const v = v128.load(b, 16);
  const w = f32x4.sub(v128.load(b), v128.load(a));
  const m = f32x4.sub(v128.load(b, 32), v128.load(a, 32));
  // Lane 3 of n is 0, that of m too; in u·u and v·v it only makes the test more careful.
  const n = crossLanes(u, v);
  const sums = sumLanes(f32x4.mul(n, n), f32x4.mul(w, n), f32x4.mul(m, m));
  const sizes = sumLanes(f32x4.mul(u, u), f32x4.mul(v, v), f32x4.abs(f32x4.replace_lane(w, 3, 0)));
  const nn = f32x4.extract_lane(sums, 0);
  const volume = f32x4.extract_lane(sums, 1);
  const motion = sqrt(f32x4.extract_lane(sums, 2)) + f32x4.extract_lane(u, 3) + f32x4.extract_lane(v, 3);
  const area = f32x4.extract_lane(sizes, 0) * f32x4.extract_lane(sizes, 1);
  const wide = load<f32>(a, 12) + load<f32>(b, 12) + motion + recordError + <f32>2e-5 * f32x4.extract_lane(sizes, 2);
  if (nn > LINES_SINE * area && volume * volume > wide * wide * nn * <f32>1.0001) return -1;
  return motion * <f32>1.0001 + recordError;
}

function mayMeet(a: i32, b: i32, recordA: usize, recordB: usize): bool {
  const rodA = load<i32>(recordA, 48);
  const rodB = load<i32>(recordB, 48);
  if (rodA != rodB) {
    const layers = column(ROD_LAYERS);
    const layersA = getI32(layers, rodA);
    const layersB = getI32(layers, rodB);
    if (((layersA >>> 16) & layersB & 0xffff) == 0 || ((layersB >>> 16) & layersA & 0xffff) == 0) return false;
  } else if ((getI32(column(ROD_FLAGS), rodA) & ROD_SELF_CONTACT) == 0) {
    return false;
  } else if (load<i32>(recordA, 52) == load<i32>(recordB, 52)) {
    if (b <= a + 1) return false;
    if (getF64(arcs, b) - getF64(arcs, a + 1) < (TIGHTEST_BEND + nearShare) * reach) return false;
  }
  return !(clampedEdge(a, load<i32>(recordA, 52)) && clampedEdge(b, load<i32>(recordB, 52)));
}

/** Near now, or meeting within the step; `motion` bounds how much nearer the edges can come [m]. */
function touch(motion: f64): void {
  const distance = closestEdges();
  const gap = distance - reach;
  const margin = nearShare * reach;
  if (gap > max(margin, motion)) return;
  let near = gap <= margin;
  const s = placeS;
  const t = placeT;
  if (!near && !continuous)
    near = gap + max(-reach, approachAlong(apartX / distance, apartY / distance, apartZ / distance)) <= margin;
  if (near) {
    addNear(distance);
    // Nothing moves far enough to meet elsewhere first.
    if (motion < 0.5 * reach) return;
  }
  if (!continuous) return;
  // Edges within reach of each other already can still cross elsewhere: they are watched at half their distance.
  const target = gap > 0 ? reach : 0.5 * distance;
  if (!(target > NO_DIRECTION * reach) || distance - target > motion || !advanceEdges(target)) return;
  const away = OWN_PLACE * reach;
  let known = near;
  if (near && abs(placeS - s) * lengthOfA() <= away && abs(placeT - t) * lengthOfB() <= away) return;
  if (append && !near) {
    const before = findOld(edgeA, edgeB << 1);
    known = before >= 0;
    if (
      known &&
      abs(placeS - oldPlace(before, 0)) * lengthOfA() <= away &&
      abs(placeT - oldPlace(before, 1)) * lengthOfB() <= away
    ) {
      return;
    }
  }
  const nx = apartX / apart;
  const ny = apartY / apart;
  const nz = apartZ / apart;
  const height = heightAlong(nx, ny, nz) - reach;
  addHit(edgeA, (edgeB << 1) | (known ? IMPACT_BIT : 0), placeS, placeT, nx, ny, nz, height, hitTime);
}

/** Contact at the closest points of the start. */
function addNear(distance: f64): void {
  const s = placeS;
  const t = placeT;
  let x = apartX;
  let y = apartY;
  let z = apartZ;
  let gap = distance - reach;
  const inside = s > 0 && s < 1 && t > 0 && t < 1;
  const across = sineSquared > SIDE_SINE_SQUARED;
  if (repeatsNeighbour(distance, s, t, across)) return;
  const key = edgeB << 1;
  const before = append ? -1 : findOld(edgeA, key);
  if (distance > NO_DIRECTION * reach) {
    x /= distance;
    y /= distance;
    z /= distance;
    if (before >= 0 && inside && across && distance < reach) {
      // Across two crossing edges there are two sides, and only passing through leads from one to the other.
      const side = sideAlong(x, y, z);
      const last = sideAlong(oldNormal(before, 0), oldNormal(before, 1), oldNormal(before, 2));
      const cosine = x * oldNormal(before, 0) + y * oldNormal(before, 1) + z * oldNormal(before, 2);
      if (side * last < 0 && cosine < OTHER_SIDE) {
        x = -x;
        y = -y;
        z = -z;
        gap = -distance - reach;
      }
    }
  } else {
    acrossEdges();
    x = apartX;
    y = apartY;
    z = apartZ;
    const lean =
      before >= 0
        ? x * oldNormal(before, 0) + y * oldNormal(before, 1) + z * oldNormal(before, 2)
        : cameFrom(s, t, x, y, z);
    if (lean < 0) {
      x = -x;
      y = -y;
      z = -z;
    }
  }
  addHit(edgeA, key, s, t, x, y, z, gap, 0);
}

/** Component along n of A's point over B's before the last step. */
function cameFrom(s: f64, t: f64, nx: f64, ny: f64, nz: f64): f64 {
  const rows = column(NODE_PREVIOUS);
  const a = nodeAt(rows, edgeA);
  const b = nodeAt(rows, edgeB);
  const x = (1 - s) * load<f64>(a) + s * load<f64>(a, 32) - (1 - t) * load<f64>(b) - t * load<f64>(b, 32);
  const y = (1 - s) * load<f64>(a, 8) + s * load<f64>(a, 40) - (1 - t) * load<f64>(b, 8) - t * load<f64>(b, 40);
  const z = (1 - s) * load<f64>(a, 16) + s * load<f64>(a, 48) - (1 - t) * load<f64>(b, 16) - t * load<f64>(b, 48);
  return x * nx + y * ny + z * nz;
}

/**
 * Whether a neighbouring edge reports the contact at places s, t instead: the edge before, when the point is where it
 * ends; for edges that cross, the neighbour at an end beyond which the strand comes nearer still; for near-parallel
 * ones, which need a contact an edge and not one at the very nearest point, the neighbour that lies beside the other
 * edge where this one only meets its end.
 */
function repeatsNeighbour(distance: f64, s: f64, t: f64, crossing: bool): bool {
  const lengthA = lengthOfA();
  const lengthB = lengthOfB();
  const endA = endOf(lengthA);
  const endB = endOf(lengthB);
  const overlap = crossing ? 0 : overlapOfEdges();
  let repeats = false;
  const stepA = s * lengthA <= endA ? -1 : s == 1 ? 1 : 0;
  const stepB = t * lengthB <= endB ? -1 : t == 1 ? 1 : 0;
  if (stepA != 0 && meetsNeighbour(edgeA + stepA, edgeA, edgeB)) {
    loadA(nodeAt(position, edgeA + stepA), nodeAt(velocity, edgeA + stepA), dt);
    const other = closestEdges();
    repeats = isSamePlace(stepA, placeS, lengthOfA(), endA, other, distance) && abs(placeT - t) * lengthB <= 2 * endB;
    if (crossing && stepB == 0) repeats = repeats || isNearerBeyond(stepA, placeS, lengthOfA(), other, distance);
    if (!crossing) repeats = repeats || isBeside(overlapOfEdges() - overlap, lengthA, other, distance);
    loadA(nodeAt(position, edgeA), nodeAt(velocity, edgeA), dt);
  }
  if (!repeats && stepB != 0 && meetsNeighbour(edgeB + stepB, edgeB, edgeA)) {
    loadB(nodeAt(position, edgeB + stepB), nodeAt(velocity, edgeB + stepB), dt);
    const other = closestEdges();
    repeats = isSamePlace(stepB, placeT, lengthOfB(), endB, other, distance) && abs(placeS - s) * lengthA <= 2 * endA;
    if (crossing && stepA == 0) repeats = repeats || isNearerBeyond(stepB, placeT, lengthOfB(), other, distance);
    if (!crossing) repeats = repeats || isBeside(overlapOfEdges() - overlap, lengthB, other, distance);
    loadB(nodeAt(position, edgeB), nodeAt(velocity, edgeB), dt);
  }
  return repeats;
}

/** Up to this far from its end a point is at the end [m]. */
function endOf(length: f64): f64 {
  return min(END_OF_RADII * reach, END_OF_EDGE * length);
}

/** The earlier neighbour has the same point, near its end: it is the one to report it. */
function isSamePlace(step: i32, place: f64, length: f64, end: f64, other: f64, distance: f64): bool {
  return (
    step < 0 &&
    other <= min(distance + end, (1 + nearShare) * reach) &&
    (1 - place) * length <= min(2 * end, END_OF_EDGE * length)
  );
}

/** The neighbour's point is nearer, and too far from the common node to be taken for a repetition of this one. */
function isNearerBeyond(step: i32, place: f64, length: f64, other: f64, distance: f64): bool {
  return other < distance && (step < 0 ? 1 - place : place) * length > endOf(length);
}

/** Of near-parallel edges the neighbour has much more of its length beside the other edge, at about the same distance. */
function isBeside(more: f64, length: f64, other: f64, distance: f64): bool {
  return more > BESIDE * length && other <= min(distance + BESIDE * reach, (1 + nearShare) * reach);
}

/** Whether `next` is an edge of the same strand as `edge`, takes part, and may meet `other`. */
function meetsNeighbour(next: i32, edge: i32, other: i32): bool {
  if (next < 0 || next >= nodes || next == other || getI32(levelOf, next) < 0) return false;
  const record = records + <usize>next * RECORD;
  if (load<i32>(record, 52) != load<i32>(records + <usize>edge * RECORD, 52)) return false;
  const a = min(next, other);
  const b = max(next, other);
  return mayMeet(a, b, records + <usize>a * RECORD, records + <usize>b * RECORD);
}
