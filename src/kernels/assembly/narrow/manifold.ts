// Candidates of a manifold, its reduction to at most four points, and matching to the last step's features.
//
// In: candidate points of one pair (any number), the pair's manifold of the last step. Out: PAIR_POINTS,
// PAIR_POINT, PAIR_FEATURE, PAIR_IMPULSE, PAIR_NORMAL, PAIR_TANGENT. PAIR_MATERIAL is left alone.
//
// Reduction keeps one of the deepest points and then, one by one, the points that add most to the area
// spanned in the contact plane. Where several would do, a point whose feature was kept last step wins by a
// small bonus, so that candidates of equal worth do not take turns. Impulses follow the feature id; a point
// with a new id takes those of the nearest old point that nobody claimed, if that is very near (a contact
// whose feature changed from "vertex" to "edge on edge" while the bodies hardly moved).
//
// Limits: 64 candidates; from the 65th on every second one of all, later ones too, is dropped (they come in polygon
// order, so the outline of a face with very many corners gets coarser all round), the deepest always stays.

import {
  BODY_ANGULAR_VELOCITY,
  BODY_LINEAR_VELOCITY,
  COLLIDER_BODY,
  COLLIDER_LOCAL_POSITION,
  COLLIDER_SHAPE,
  GRAVITY,
  PAIR_COLLIDER_A,
  PAIR_COLLIDER_B,
  PAIR_FEATURE,
  PAIR_IMPULSE,
  PAIR_NORMAL,
  PAIR_POINT,
  PAIR_POINTS,
  PAIR_TANGENT,
  SHAPE_BOX,
  SPECULATIVE_DISTANCE,
  TIME_STEP,
} from '../../../state/layout';
import { clear32, column, copy32, getI32, parameter, setI32 } from '../memory';

/** Most candidates of one manifold. */
const CANDIDATE_LIMIT: i32 = 64;
/** Largest speculative distance in radii of the smaller shape: a 1 cm cube must not feel ghosts 2 cm away. */
const SPECULATIVE_FRACTION: f64 = 0.1;
/** Points nearer than this, in radii of the smaller shape, are one point (rounding made two of it). */
const MERGE_FRACTION: f64 = 1e-6;
/** Depths that differ by less, in radii, count as equally deep; more would lose the deepest, less would flicker. */
const DEPTH_FRACTION: f64 = 1e-4;
/** An unmatched point takes the impulse of an old point within this many radii. More would mix up corners. */
const MATCH_FRACTION: f64 = 0.03;
/** Bonus on the squared distance or area of a candidate that was in the last manifold. */
const KEPT_BONUS: f64 = 1.1;
/** Below this length the old tangent lies along the new normal and a fresh one is made. */
const TANGENT_MINIMUM: f64 = 0.1;

/** A pair that closes less than this share of its smallest half extent in a step does not swing in it. */
const SWING_SHARE: f64 = 0.05;
/** And than this many times what a body at rest gains by gravity in a step [-]. */
const RESTING_WAYS: f64 = 3;

// Candidates: x y z gap, feature, slot of the same feature in the last manifold (−1 none), place in the plane.
const POINTS: usize = memory.data(64 * 32, 16);
const FEATURES: usize = memory.data(64 * 4, 16);
const KEPT: usize = memory.data(64 * 4, 16);
const PLANE: usize = memory.data(64 * 16, 16);
// The chosen candidates, and the last manifold.
const CHOSEN: usize = memory.data(4 * 4, 16);
const OLD_POINTS: usize = memory.data(4 * 32, 16);
const OLD_IMPULSES: usize = memory.data(4 * 32, 16);
const OLD_FEATURES: usize = memory.data(4 * 4, 16);

let candidateCount: i32 = 0;
// Of all candidates one in `stride` is kept, and the deepest, whose gap is `deepestGap`.
let offered: i32 = 0;
let stride: i32 = 1;
let deepestGap: f64 = Infinity;
/** Least distance of the shapes of a pair that is farther apart than `contactDistance` [m]; 0 unknown. */
export let clearance: f64 = 0;
let oldCount: i32 = 0;
// First tangent of the manifold being written.
let tangentX: f64 = 0;
let tangentY: f64 = 0;
let tangentZ: f64 = 0;

/** To be told of every pair that is seen to be too far apart, with a lower bound of the distance [m]. */
export function setClearance(distance: f64): void {
  clearance = distance;
}

/** Forgets the candidates; call before the first `addCandidate` of a pair. */
export function clearCandidates(): void {
  candidateCount = 0;
  offered = 0;
  stride = 1;
  deepestGap = Infinity;
}

/** Number of candidates added since `clearCandidates`. */
export function countCandidates(): i32 {
  return candidateCount;
}

/**
 * Whether the pair may close so much of `extent` [m] in the step that a single point would let it swing into the other.
 * What gravity gives in a step does not count: thin planks at rest would have points that come and go.
 */
export function maySwing(extent: f64): bool {
  const dt = parameter(TIME_STEP);
  const gx = load<f64>(GRAVITY);
  const gy = load<f64>(GRAVITY + 8);
  const gz = load<f64>(GRAVITY + 16);
  const resting = RESTING_WAYS * dt * dt * Math.sqrt(gx * gx + gy * gy + gz * gz);
  return contactWay > Math.max(SWING_SHARE * extent, resting);
}

/** Gap of the deepest candidate [m], +∞ when there is none. */
export function lowestCandidate(): f64 {
  let lowest = Infinity;
  for (let i = 0; i < candidateCount; i++) lowest = Math.min(lowest, gapOf(i));
  return lowest;
}

/**
 * Adds a candidate point: world position of the middle between the surfaces [m], gap [m], feature id (any i32, stable).
 */
export function addCandidate(x: f64, y: f64, z: f64, gap: f64, feature: i32): void {
  const isKept = offered++ % stride == 0 || gap < deepestGap;
  deepestGap = Math.min(deepestGap, gap);
  if (!isKept) return;
  if (candidateCount == CANDIDATE_LIMIT) thinCandidates();
  const point = POINTS + ((<usize>candidateCount) << 5);
  store<f64>(point, x);
  store<f64>(point, y, 8);
  store<f64>(point, z, 16);
  store<f64>(point, gap, 24);
  setI32(FEATURES, candidateCount, feature);
  candidateCount++;
}

/** Makes room: keeps every second candidate and the deepest, and from now on every second of those that come. */
function thinCandidates(): void {
  let deepest = 0;
  for (let i = 1; i < candidateCount; i++) if (gapOf(i) < gapOf(deepest)) deepest = i;
  let kept = 0;
  for (let i = 0; i < candidateCount; i++) {
    if (i != deepest && (i & 1) == 1) continue;
    copy32(POINTS + ((<usize>kept) << 5), POINTS + ((<usize>i) << 5));
    setI32(FEATURES, kept, getI32(FEATURES, i));
    kept++;
  }
  candidateCount = kept;
  stride *= 2;
}

function gapOf(i: i32): f64 {
  return load<f64>(POINTS + ((<usize>i) << 5), 24);
}

/** Squared radius of a collider's shape: half the diagonal of its local box [m²]. */
function radiusSquared(collider: i32): f64 {
  const box = column(SHAPE_BOX) + <usize>getI32(column(COLLIDER_SHAPE), collider) * 48;
  const x = load<f64>(box, 24) - load<f64>(box, 0);
  const y = load<f64>(box, 32) - load<f64>(box, 8);
  const z = load<f64>(box, 40) - load<f64>(box, 16);
  return (x * x + y * y + z * z) * 0.25;
}

/** Least half extent of the local box of a collider's shape [m]. */
export function thinnestHalf(collider: i32): f64 {
  const box = column(SHAPE_BOX) + <usize>getI32(column(COLLIDER_SHAPE), collider) * 48;
  const x = load<f64>(box, 24) - load<f64>(box, 0);
  const y = load<f64>(box, 32) - load<f64>(box, 8);
  const z = load<f64>(box, 40) - load<f64>(box, 16);
  return 0.5 * Math.min(x, Math.min(y, z));
}

/**
 * Gap up to which further points join a manifold that has one within the contact distance [m]; set by
 * contactDistance. A body that lands on a corner swings round it within the step, and its far side comes
 * down up to twice as fast as it did.
 */
export let contactReach: f64 = 0;
/** What the pair may close in the step [m]. */
let contactWay: f64 = 0;

/**
 * Gap up to which a point becomes a contact for this pair: speculative distance plus what
 * the pair may close this step [m].
 */
export function contactDistance(a: i32, b: i32): f64 {
  const squaredA = radiusSquared(a);
  const squaredB = radiusSquared(b);
  const bodies = column(COLLIDER_BODY);
  const bodyA = (<usize>getI32(bodies, a)) << 5;
  const bodyB = (<usize>getI32(bodies, b)) << 5;
  const linear = column(BODY_LINEAR_VELOCITY);
  const x = load<f64>(linear + bodyB) - load<f64>(linear + bodyA);
  const y = load<f64>(linear + bodyB, 8) - load<f64>(linear + bodyA, 8);
  const z = load<f64>(linear + bodyB, 16) - load<f64>(linear + bodyA, 16);
  const closing = Math.sqrt(x * x + y * y + z * z) + rimSpeed(a, bodyA, squaredA) + rimSpeed(b, bodyB, squaredB);
  const smaller = Math.sqrt(squaredA < squaredB ? squaredA : squaredB);
  const way = closing * parameter(TIME_STEP);
  const nearest = Math.min(parameter(SPECULATIVE_DISTANCE), SPECULATIVE_FRACTION * smaller) + way;
  contactWay = way;
  contactReach = nearest + way;
  return nearest;
}

/** Most that the spin of its body moves any point of a collider [m/s]. `row` = byte offset of the body. */
function rimSpeed(collider: i32, row: usize, radiusSquare: f64): f64 {
  const spin = column(BODY_ANGULAR_VELOCITY) + row;
  const x = load<f64>(spin);
  const y = load<f64>(spin, 8);
  const z = load<f64>(spin, 16);
  const squared = x * x + y * y + z * z;
  if (squared == 0) return 0;
  // Arm: collider's origin from the centre of mass, box centre from the origin (mostly neither), radius of the box.
  const local = column(COLLIDER_LOCAL_POSITION) + ((<usize>collider) << 5);
  const box = column(SHAPE_BOX) + <usize>getI32(column(COLLIDER_SHAPE), collider) * 48;
  const origin = squareOf(load<f64>(local), load<f64>(local, 8), load<f64>(local, 16));
  const middle = squareOf(
    load<f64>(box) + load<f64>(box, 24),
    load<f64>(box, 8) + load<f64>(box, 32),
    load<f64>(box, 16) + load<f64>(box, 40),
  );
  if (origin + middle == 0) return Math.sqrt(squared * radiusSquare);
  return Math.sqrt(squared) * (Math.sqrt(radiusSquare) + Math.sqrt(origin) + 0.5 * Math.sqrt(middle));
}

function squareOf(x: f64, y: f64, z: f64): f64 {
  return x * x + y * y + z * z;
}

/**
 * Reduces the candidates to at most four, carries impulses over by feature, writes the pair's manifold. Normal A → B.
 */
export function commitManifold(pair: i32, nx: f64, ny: f64, nz: f64): void {
  const points = column(PAIR_POINTS);
  if (candidateCount == 0) {
    setI32(points, pair, 0);
    return;
  }
  const row = <usize>pair;
  readOld(pair, getI32(points, pair));
  // Frame: the old tangent goes on, and the friction impulses with it, unless the normal turned by nearly 90°.
  const frame = column(PAIR_TANGENT) + (row << 5);
  const normal = column(PAIR_NORMAL) + (row << 5);
  const ox = load<f64>(frame);
  const oy = load<f64>(frame, 8);
  const oz = load<f64>(frame, 16);
  if (oldCount == 0 || !projectTangent(ox, oy, oz, nx, ny, nz)) {
    makeTangent(nx, ny, nz);
    if (oldCount > 0) turnImpulses(ox, oy, oz, normal, nx, ny, nz);
  }
  store<f64>(normal, nx);
  store<f64>(normal, ny, 8);
  store<f64>(normal, nz, 16);
  store<f64>(frame, tangentX);
  store<f64>(frame, tangentY, 8);
  store<f64>(frame, tangentZ, 16);
  if (candidateCount == 1 && oldCount <= 1) {
    setI32(points, pair, 1);
    writeSinglePoint(pair);
    return;
  }
  const sizeSquared = smallerRadiusSquared(pair);
  const count = candidateCount <= 4 ? dropTwins(sizeSquared) : reduce(sizeSquared, nx, ny, nz);
  setI32(points, pair, count);
  writePoints(pair, count, sizeSquared);
}

function smallerRadiusSquared(pair: i32): f64 {
  return Math.min(
    radiusSquared(getI32(column(PAIR_COLLIDER_A), pair)),
    radiusSquared(getI32(column(PAIR_COLLIDER_B), pair)),
  );
}

/** What the general way comes to when there is one candidate and at most one old point. */
function writeSinglePoint(pair: i32): void {
  const row = <usize>pair;
  const impulse = column(PAIR_IMPULSE) + (row << 7);
  const feature = getI32(FEATURES, 0);
  const isKept =
    oldCount == 1 &&
    (getI32(OLD_FEATURES, 0) == feature ||
      distanceSquared(OLD_POINTS, POINTS) < MATCH_FRACTION * MATCH_FRACTION * smallerRadiusSquared(pair));
  copy32(column(PAIR_POINT) + (row << 7), POINTS);
  store<i32>(column(PAIR_FEATURE) + (row << 4), feature);
  if (isKept) copy32(impulse, OLD_IMPULSES);
  else clear32(impulse);
}

/** Copies the last manifold aside, because its rows are written over. */
function readOld(pair: i32, count: i32): void {
  oldCount = count;
  if (count == 0) return;
  const row = <usize>pair;
  const points = column(PAIR_POINT) + (row << 7);
  const impulses = column(PAIR_IMPULSE) + (row << 7);
  for (let k: usize = 0; k < (<usize>count) << 5; k += 32) {
    copy32(OLD_POINTS + k, points + k);
    copy32(OLD_IMPULSES + k, impulses + k);
  }
  v128.store(OLD_FEATURES, v128.load(column(PAIR_FEATURE) + (row << 4)));
}

/** Tangent := the old one made orthogonal to the normal; false when hardly anything is left of it. */
function projectTangent(ox: f64, oy: f64, oz: f64, nx: f64, ny: f64, nz: f64): bool {
  const along = ox * nx + oy * ny + oz * nz;
  const x = ox - along * nx;
  const y = oy - along * ny;
  const z = oz - along * nz;
  const squared = x * x + y * y + z * z;
  if (!(squared > TANGENT_MINIMUM * TANGENT_MINIMUM)) return false;
  const scale = 1 / Math.sqrt(squared);
  tangentX = x * scale;
  tangentY = y * scale;
  tangentZ = z * scale;
  return true;
}

/** A first tangent without history: Duff et al. 2017, Building an Orthonormal Basis, Revisited (JCGT 6, 1). */
function makeTangent(nx: f64, ny: f64, nz: f64): void {
  const sign = nz >= 0 ? 1.0 : -1.0;
  const a = -1 / (sign + nz);
  tangentX = 1 + sign * nx * nx * a;
  tangentY = sign * nx * ny * a;
  tangentZ = -sign * nx;
}

/** Old friction impulses, as vectors in the world, measured in the new frame; used when the frame starts afresh. */
function turnImpulses(ox: f64, oy: f64, oz: f64, normal: usize, nx: f64, ny: f64, nz: f64): void {
  const mx = load<f64>(normal);
  const my = load<f64>(normal, 8);
  const mz = load<f64>(normal, 16);
  const px = my * oz - mz * oy;
  const py = mz * ox - mx * oz;
  const pz = mx * oy - my * ox;
  const qx = ny * tangentZ - nz * tangentY;
  const qy = nz * tangentX - nx * tangentZ;
  const qz = nx * tangentY - ny * tangentX;
  for (let k = 0; k < oldCount; k++) {
    const impulse = OLD_IMPULSES + ((<usize>k) << 5);
    const first = load<f64>(impulse, 8);
    const second = load<f64>(impulse, 16);
    const x = ox * first + px * second;
    const y = oy * first + py * second;
    const z = oz * first + pz * second;
    store<f64>(impulse, x * tangentX + y * tangentY + z * tangentZ, 8);
    store<f64>(impulse, x * qx + y * qy + z * qz, 16);
  }
}

/** Chooses all of at most four candidates but for coincident ones, of which the deeper stays; returns how many. */
function dropTwins(sizeSquared: f64): i32 {
  const limit = MERGE_FRACTION * MERGE_FRACTION * sizeSquared;
  let count = 0;
  for (let i = 0; i < candidateCount; i++) {
    let twin = -1;
    for (let k = 0; k < count; k++) {
      if (distanceSquared(POINTS + ((<usize>getI32(CHOSEN, k)) << 5), POINTS + ((<usize>i) << 5)) <= limit) twin = k;
    }
    if (twin < 0) setI32(CHOSEN, count++, i);
    else if (gapOf(i) < gapOf(getI32(CHOSEN, twin))) setI32(CHOSEN, twin, i);
  }
  return count;
}

function distanceSquared(p: usize, q: usize): f64 {
  const x = load<f64>(p) - load<f64>(q);
  const y = load<f64>(p, 8) - load<f64>(q, 8);
  const z = load<f64>(p, 16) - load<f64>(q, 16);
  return x * x + y * y + z * z;
}

// Coordinates in the contact plane, relative to the middle of the candidates.
function planeX(i: i32): f64 {
  return load<f64>(PLANE + ((<usize>i) << 4));
}

function planeY(i: i32): f64 {
  return load<f64>(PLANE + ((<usize>i) << 4), 8);
}

/** Weight of a candidate: the bonus if its feature was in the last manifold. */
function weight(i: i32): f64 {
  return getI32(KEPT, i) >= 0 ? KEPT_BONUS : 1.0;
}

/** Twice the signed area of the triangle i, j, k in the contact plane. */
function area(i: i32, j: i32, k: i32): f64 {
  const x = planeX(i);
  const y = planeY(i);
  return (planeX(j) - x) * (planeY(k) - y) - (planeX(k) - x) * (planeY(j) - y);
}

/** Chooses four of more than four candidates: one of the deepest, then by area; returns how many (collinear: two). */
function reduce(sizeSquared: f64, nx: f64, ny: f64, nz: f64): i32 {
  placeInPlane(nx, ny, nz);
  const size = Math.sqrt(sizeSquared);
  const merge = MERGE_FRACTION * size;
  // First: of those as deep as the deepest, the one farthest from the middle (an inner one would be wasted).
  let deepest = gapOf(0);
  for (let i = 1; i < candidateCount; i++) deepest = Math.min(deepest, gapOf(i));
  const depthLimit = deepest + DEPTH_FRACTION * size;
  let first = -1;
  let best: f64 = 0;

  for (let i = 0; i < candidateCount; i++) {
    if (gapOf(i) > depthLimit) continue;
    const worth = (planeX(i) * planeX(i) + planeY(i) * planeY(i)) * weight(i);
    if (first < 0 || worth > best * (1 + MERGE_FRACTION)) {
      best = worth;
      first = i;
    }
  }
  setI32(CHOSEN, 0, first);
  // Second: farthest from the first.
  let second = -1;
  best = merge * merge;

  for (let i = 0; i < candidateCount; i++) {
    const x = planeX(i) - planeX(first);
    const y = planeY(i) - planeY(first);
    const worth = (x * x + y * y) * weight(i);
    if (worth > best * (1 + MERGE_FRACTION)) {
      best = worth;
      second = i;
    }
  }
  if (second < 0) return 1;
  setI32(CHOSEN, 1, second);
  // Third: largest triangle.
  let third = -1;
  const least = merge * Math.sqrt(best);
  best = least;

  for (let i = 0; i < candidateCount; i++) {
    const worth = Math.abs(area(first, second, i)) * weight(i);
    if (worth > best * (1 + MERGE_FRACTION)) {
      best = worth;
      third = i;
    }
  }
  if (third < 0) return 2;
  setI32(CHOSEN, 2, third);
  // Fourth: adds most beyond any side of the triangle.
  let fourth = -1;
  const sign = area(first, second, third) > 0 ? 1.0 : -1.0;
  best = least;

  for (let i = 0; i < candidateCount; i++) {
    const beyond = Math.max(
      -sign * area(first, second, i),
      Math.max(-sign * area(second, third, i), -sign * area(third, first, i)),
    );
    const worth = beyond * weight(i);
    if (worth > best * (1 + MERGE_FRACTION)) {
      best = worth;
      fourth = i;
    }
  }
  if (fourth < 0) return 3;
  setI32(CHOSEN, 3, fourth);
  return 4;
}

/** Fills PLANE and KEPT for all candidates. */
function placeInPlane(nx: f64, ny: f64, nz: f64): void {
  const qx = ny * tangentZ - nz * tangentY;
  const qy = nz * tangentX - nx * tangentZ;
  const qz = nx * tangentY - ny * tangentX;
  const ox = load<f64>(POINTS);
  const oy = load<f64>(POINTS, 8);
  const oz = load<f64>(POINTS, 16);
  let middleX: f64 = 0;
  let middleY: f64 = 0;
  for (let i = 0; i < candidateCount; i++) {
    const point = POINTS + ((<usize>i) << 5);
    const x = load<f64>(point) - ox;
    const y = load<f64>(point, 8) - oy;
    const z = load<f64>(point, 16) - oz;
    const u = x * tangentX + y * tangentY + z * tangentZ;
    const v = x * qx + y * qy + z * qz;
    store<f64>(PLANE + ((<usize>i) << 4), u);
    store<f64>(PLANE + ((<usize>i) << 4), v, 8);
    middleX += u;
    middleY += v;
    let kept = -1;
    for (let k = 0; k < oldCount; k++) if (getI32(OLD_FEATURES, k) == getI32(FEATURES, i)) kept = k;
    setI32(KEPT, i, kept);
  }
  middleX /= <f64>candidateCount;
  middleY /= <f64>candidateCount;
  for (let i = 0; i < candidateCount; i++) {
    store<f64>(PLANE + ((<usize>i) << 4), planeX(i) - middleX);
    store<f64>(PLANE + ((<usize>i) << 4), planeY(i) - middleY, 8);
  }
}

/** Writes the chosen points in candidate order, with the impulses of the old points they match. */
function writePoints(pair: i32, count: i32, sizeSquared: f64): void {
  const row = <usize>pair;
  const points = column(PAIR_POINT) + (row << 7);
  const features = column(PAIR_FEATURE) + (row << 4);
  const impulses = column(PAIR_IMPULSE) + (row << 7);
  sortChosen(count);
  for (let k = 0; k < count; k++) {
    const i = getI32(CHOSEN, k);
    copy32(points + ((<usize>k) << 5), POINTS + ((<usize>i) << 5));
    setI32(features, k, getI32(FEATURES, i));
  }
  // Same feature first, so that a near neighbour cannot take what belongs to another. Bits: taken, matched.
  let taken = 0;
  let matched = 0;
  for (let k = 0; k < count; k++) {
    const impulse = impulses + ((<usize>k) << 5);
    const feature = getI32(features, k);
    for (let o = 0; o < oldCount; o++) {
      if (getI32(OLD_FEATURES, o) != feature || (taken & (1 << o)) != 0) continue;
      copy32(impulse, OLD_IMPULSES + ((<usize>o) << 5));
      taken |= 1 << o;
      matched |= 1 << k;
      break;
    }
  }
  for (let k = 0; k < count; k++) {
    if ((matched & (1 << k)) != 0) continue;
    const impulse = impulses + ((<usize>k) << 5);
    let nearest = MATCH_FRACTION * MATCH_FRACTION * sizeSquared;
    let old = -1;
    for (let o = 0; o < oldCount; o++) {
      if ((taken & (1 << o)) != 0) continue;
      const squared = distanceSquared(OLD_POINTS + ((<usize>o) << 5), points + ((<usize>k) << 5));
      if (squared < nearest) {
        nearest = squared;
        old = o;
      }
    }
    if (old < 0) {
      clear32(impulse);
    } else {
      copy32(impulse, OLD_IMPULSES + ((<usize>old) << 5));
      taken |= 1 << old;
    }
  }
}

/** Ascending order of the at most four chosen indices: the order of points does not depend on their depths. */
function sortChosen(count: i32): void {
  for (let k = 1; k < count; k++) {
    const value = getI32(CHOSEN, k);
    let j = k - 1;
    while (j >= 0 && getI32(CHOSEN, j) > value) {
      setI32(CHOSEN, j + 1, getI32(CHOSEN, j));
      j--;
    }
    setI32(CHOSEN, j + 1, value);
  }
}
