// One pair of edges whose swept boxes overlap: may they touch, do they, and where.
//
// In: the pairs of proximity/near, edge after edge. Out: hits (proximity/hits), ordered by feature: at most one where
// they are near now, and one where they will meet within the step if that is another place.
// Left out: second reports of one point by neighbouring edges.
// The normal keeps its side: an impact is found before the edges cross, and edges that crossed all the same (the
// solver stopped early) get the side of the last step back, with a gap as deep as the way home.

import {
  AT_END,
  CROSSING_SHARE,
  DEEP,
  DEEPER,
  DISOBEYED,
  END_OF_EDGE,
  END_OF_RADII,
  LONGER_BESIDE,
  OTHER_SIDE,
  OWN_PLACE,
  SIDE_SINE_SQUARED,
} from '../../../core/elastic-constants';
import { NODE_PREVIOUS } from '../../../state/layout';
import { column } from '../memory';
import { AGAIN_BITS, AGAIN_MOST, addCrossing, addHit, findOld, IMPACT_BIT, normalOfRow, placeOfRow } from './hits';
import {
  DISTANCE,
  EDGE_A,
  EDGE_B,
  findNear,
  BESIDE as LENGTH_BESIDE,
  MOTION,
  nearOther,
  nearRow,
  ownEnd,
  ownStart,
  PLACE_A,
  PLACE_B,
  SINE,
} from './near';
import {
  acrossEdges,
  advanceEdges,
  apart,
  apartX,
  apartY,
  apartZ,
  approachAlong,
  closestEdges,
  heightAfter,
  heightAlong,
  hitTime,
  lengthOfA,
  lengthOfB,
  loadA,
  loadB,
  loadMotions,
  placeS,
  placeT,
  sideAlong,
  sineSquared,
  staysApart,
  takeEdges,
} from './segments';
import { append, continuous, dt, LENGTH, nearShare, position, RADIUS, RECORD, records, velocity } from './work';

/** Bounds until that is certain: edges that slide along each other at a small part of their radii need many. */
const MANY_BOUNDS: i32 = 1024;
/** Distance of axes, as a share of the contact distance, under which their difference is no direction. */
const NO_DIRECTION: f64 = 1e-7;

let edgeA: i32 = 0;
let edgeB: i32 = 0;
let reach: f64 = 0;
let loadedA: i32 = 0;

/** To be called before the first pair of a call. */
export function beginMeeting(): void {
  loadedA = -1;
}

/** Meets the pairs of the edge that is to be met (proximity/near). */
export function meetEdge(): void {
  for (let i = ownStart; i < ownEnd; i++) meetPair(nearRow(i), i);
}

function meetPair(row: usize, key: i32): void {
  edgeA = load<i32>(row, EDGE_A);
  edgeB = load<i32>(row, EDGE_B);
  reach = radiusOf(edgeA) + radiusOf(edgeB);
  const motion = <f64>load<f32>(row, MOTION);
  const repeats = repeatsNeighbour(row, key);
  // Found by a neighbour already, and nothing moves far enough to meet elsewhere first.
  if (repeats && motion < min(0.5, nearShare) * reach) return;
  touch(motion, repeats, row);
}

/** Meets the pair a < b in a further look; `motion` bounds how much nearer they can come [m]. */
export function meetMoved(a: i32, b: i32, motion: f64): void {
  edgeA = a;
  edgeB = b;
  reach = radiusOf(a) + radiusOf(b);
  // What is near was found before.
  touch(motion, true, 0);
}

/** Keeps the pair a < b when the step would bring its edges through each other, or half of the way there. */
export function meetCrossing(a: i32, b: i32): void {
  edgeA = a;
  edgeB = b;
  reach = radiusOf(a) + radiusOf(b);
  if (edgeA != loadedA) loadA(nodeAt(position, edgeA));
  loadedA = edgeA;
  loadB(nodeAt(position, edgeB));
  const distance = closestEdges();
  if (!(distance > NO_DIRECTION * reach)) return;
  const target = DEEPER * min(distance, DEEP * reach);
  loadMotions(nodeAt(velocity, edgeA), nodeAt(velocity, edgeB), dt);
  if (staysApart(target) || !advanceEdges(target, MANY_BOUNDS)) return;
  addCrossing(a, b, apartX / apart, apartY / apart, apartZ / apart, distance, placeS, placeT);
}

function radiusOf(edge: i32): f64 {
  return load<f64>(records + <usize>edge * RECORD, RADIUS);
}

function nodeAt(rows: usize, node: i32): usize {
  return rows + ((<usize>node) << 5);
}

/**
 * Near now, or meeting within the step; `motion` bounds how much nearer the edges can come [m];
 * `row`: of proximity/near, 0 none.
 */
function touch(motion: f64, repeats: bool, row: usize): void {
  if (edgeA != loadedA) loadA(nodeAt(position, edgeA));
  loadedA = edgeA;
  loadB(nodeAt(position, edgeB));
  const distance =
    row == 0
      ? closestEdges()
      : takeEdges(<f64>load<f32>(row, PLACE_A), <f64>load<f32>(row, PLACE_B), <f64>load<f32>(row, SINE));
  const gap = distance - reach;
  const margin = nearShare * reach;
  if (gap > max(margin, motion)) return;
  let near = gap <= margin;
  const s = placeS;
  const t = placeT;
  if (!near && !continuous) {
    loadMotions(nodeAt(velocity, edgeA), nodeAt(velocity, edgeB), dt);
    near = gap + max(-reach, approachAlong(apartX / distance, apartY / distance, apartZ / distance)) <= margin;
  }
  if (near) {
    if (!repeats) addNear(distance);
    // Nothing moves far enough to meet elsewhere first.
    if (motion < 0.5 * reach) return;
  }
  if (!continuous) return;
  // Edges within reach of each other already can still cross elsewhere: they are watched at half their distance.
  const target = gap > 0 ? reach : 0.5 * distance;
  if (!(target > NO_DIRECTION * reach) || distance - target > motion) return;
  loadMotions(nodeAt(velocity, edgeA), nodeAt(velocity, edgeB), dt);
  if (staysApart(target) || !advanceEdges(target)) return;
  const isSame = near && isThere(s, t);
  // The contact there answers for it.
  if (!append && isSame) return;
  const high = append ? touchAgain(target, distance, near, isSame) : (edgeB << 1) | (near ? IMPACT_BIT : 0);
  if (high < 0) return;
  const nx = apartX / apart;
  const ny = apartY / apart;
  const nz = apartZ / apart;
  const height = heightAlong(nx, ny, nz) - reach;
  addHit(edgeA, high, placeS, placeT, nx, ny, nz, height, hitTime);
}

/**
 * In a further look, of edges that come within `target`: the feature of the contact that the pair gets, with the clock
 * where it is to be; −1 none. Velocities that obey the contacts of the pair and still bring the edges half as near
 * slide round one (over a node, onto the neighbouring edge), or turn while they slide, and would cross.
 */
function touchAgain(target: f64, distance: f64, near: bool, isSame: bool): i32 {
  const high = freeFeature(near, isSame);
  if (high < 0 || !isAnswered) return high;
  const half = 0.5 * min(distance, reach);
  if (half < target && (staysApart(half) || !advanceEdges(half))) return -1;
  // Where they would cross is worth more than where they come near: fewer such contacts are needed.
  if (!staysApart(CROSSING_SHARE * half) && advanceEdges(CROSSING_SHARE * half)) return high;
  // A neighbour's contact may not be obeyed yet: beside it nothing less counts.
  const isBesideOne = high == ((edgeB << 1) | IMPACT_BIT) && findOld(edgeA, edgeB << 1) < 0;
  if (isBesideOne) return -1;
  advanceEdges(min(half, target));
  return high;
}

/** Whether the present places are those of a contact at s and t. */
function isThere(s: f64, t: f64): bool {
  const away = OWN_PLACE * reach;
  return abs(placeS - s) * lengthOfA() <= away && abs(placeT - t) * lengthOfB() <= away;
}

/** Whether one of the pair's contacts in the table is at the present places. */
let isAnswered: bool = false;

/**
 * Feature for one more contact of the pair; −1: its contacts in the table are not obeyed yet, or there are enough.
 */
function freeFeature(near: bool, isSame: bool): i32 {
  isAnswered = isSame;
  const key = edgeB << 1;
  for (let i = 0; i < 2 + AGAIN_MOST; i++) {
    const high = i == 0 ? key : key | IMPACT_BIT | ((i - 1) << AGAIN_BITS);
    const row = findOld(edgeA, high);
    if (row < 0) {
      if (i == 0 && near) continue;
      return high;
    }
    const s = placeOfRow(row, 0);
    const t = placeOfRow(row, 1);
    const after = heightAfter(s, t, normalOfRow(row, 0), normalOfRow(row, 1), normalOfRow(row, 2));
    if (after < (1 - DISOBEYED) * (reach + min(0.0, normalOfRow(row, 3)))) return -1;
    isAnswered = isAnswered || isThere(s, t);
  }
  return -1;
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
  const key = edgeB << 1;
  const before = append ? -1 : findOld(edgeA, key);
  if (distance > NO_DIRECTION * reach) {
    x /= distance;
    y /= distance;
    z /= distance;
    if (before >= 0 && inside && across && distance < reach) {
      // Across two crossing edges there are two sides, and only passing through leads from one to the other.
      const side = sideAlong(x, y, z);
      const last = sideAlong(normalOfRow(before, 0), normalOfRow(before, 1), normalOfRow(before, 2));
      const cosine = x * normalOfRow(before, 0) + y * normalOfRow(before, 1) + z * normalOfRow(before, 2);
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
        ? x * normalOfRow(before, 0) + y * normalOfRow(before, 1) + z * normalOfRow(before, 2)
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
 * Whether a neighbouring edge reports the contact instead: the edge before, when the point is where it ends; for edges
 * that cross, the neighbour at an end beyond which the strand comes nearer still; for near-parallel ones, which need a
 * contact an edge and not one at the very nearest point, the neighbour that lies beside the other edge where this one
 * only meets its end.
 */
function repeatsNeighbour(row: usize, key: i32): bool {
  const s = <f64>load<f32>(row, PLACE_A);
  const t = <f64>load<f32>(row, PLACE_B);
  const lengthA = lengthOf(edgeA);
  const lengthB = lengthOf(edgeB);
  const endA = endOf(lengthA);
  const endB = endOf(lengthB);
  const stepA = stepFrom(s, lengthA, endA);
  const stepB = stepFrom(t, lengthB, endB);
  if ((stepA | stepB) == 0) return false;
  const crossing = <f64>load<f32>(row, SINE) > SIDE_SINE_SQUARED;
  if (stepA != 0) {
    const next = findNear(stepA, edgeB);
    if (next != 0) {
      const place = <f64>load<f32>(next, PLACE_A);
      const shift = abs(<f64>load<f32>(next, PLACE_B) - t) * lengthB;
      const length = lengthOf(edgeA + stepA);
      if (isSamePlace(row, next, stepA, place, length, endA) && shift <= 2 * endB) return true;
      if (crossing && stepB == 0 && isNearerBeyond(row, next, stepA, place, length)) return true;
      if (!crossing && isBeside(row, next, lengthA)) return true;
    }
  }
  if (stepB != 0) {
    // Its key is the one beside this.
    const beside = key + stepB;
    const inList = beside >= ownStart && beside < ownEnd;
    if (inList && nearOther(beside) == edgeB + stepB) {
      const next = nearRow(beside);
      const place = <f64>load<f32>(next, PLACE_B);
      const shift = abs(<f64>load<f32>(next, PLACE_A) - s) * lengthA;
      const length = lengthOf(edgeB + stepB);
      if (isSamePlace(row, next, stepB, place, length, endB) && shift <= 2 * endA) return true;
      if (crossing && stepA == 0 && isNearerBeyond(row, next, stepB, place, length)) return true;
      if (!crossing && isBeside(row, next, lengthB)) return true;
    }
  }
  return false;
}

function lengthOf(edge: i32): f64 {
  return <f64>load<f32>(records + <usize>edge * RECORD, LENGTH);
}

/** Up to this far from its end a point is at the end [m]. */
function endOf(length: f64): f64 {
  return min(END_OF_RADII * reach, END_OF_EDGE * length);
}

/** Towards the neighbour at whose node the place is, 0 none. */
function stepFrom(place: f64, length: f64, end: f64): i32 {
  return place * length <= end ? -1 : place >= AT_END ? 1 : 0;
}

/** The earlier neighbour has the same point, near its end: it is the one to report it. */
function isSamePlace(row: usize, next: usize, step: i32, place: f64, length: f64, end: f64): bool {
  return (
    step < 0 &&
    <f64>load<f32>(next, DISTANCE) <= min(<f64>load<f32>(row, DISTANCE) + end, (1 + nearShare) * reach) &&
    (1 - place) * length <= min(2 * end, END_OF_EDGE * length)
  );
}

/** The neighbour's point is nearer, and too far from the common node to be taken for a repetition of this one. */
function isNearerBeyond(row: usize, next: usize, step: i32, place: f64, length: f64): bool {
  return (
    load<f32>(next, DISTANCE) < load<f32>(row, DISTANCE) && (step < 0 ? 1 - place : place) * length > endOf(length)
  );
}

/**
 * Of near-parallel edges the neighbour has much more of its length beside the other edge, at about the same distance.
 */
function isBeside(row: usize, next: usize, length: f64): bool {
  const more = <f64>load<f32>(next, LENGTH_BESIDE) - <f64>load<f32>(row, LENGTH_BESIDE);
  const distance = <f64>load<f32>(row, DISTANCE);
  return (
    more > LONGER_BESIDE * length &&
    <f64>load<f32>(next, DISTANCE) <= min(distance + LONGER_BESIDE * reach, (1 + nearShare) * reach)
  );
}
