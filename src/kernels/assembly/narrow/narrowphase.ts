// find-contacts: one manifold of at most four points for every active pair.
//
// In: collider poses, shapes, the active list. Out: PAIR_POINTS, PAIR_NORMAL, PAIR_TANGENT, PAIR_POINT,
// PAIR_FEATURE, PAIR_IMPULSE (carried over by feature). The pair's colliders are ordered by shape kind
// (kind A <= kind B), so only half of the table of kinds exists. Normals point from A to B; a contact point
// is the middle between the two surfaces; gap = signed distance between them along the normal.

import {
  ACTIVE_COUNT,
  ACTIVE_LIST,
  BODY_AWAKE_INDEX,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BOUNDED_KINDS,
  COLLIDER_BODY,
  COLLIDER_BOX,
  COLLIDER_PATH,
  COLLIDER_POSITION,
  COLLIDER_SHAPE,
  ISLAND_PAIRS,
  JOINED_LIST,
  PAIR_ACTIVE_INDEX,
  PAIR_CACHE,
  PAIR_COLLIDER_A,
  PAIR_COLLIDER_B,
  PAIR_COUNT,
  PAIR_EXTRA,
  PAIR_FLAGS,
  PAIR_NEXT,
  PAIR_POINTS,
  PAIR_SENSOR,
  POINT_COUNT,
  SHAPE_KIND,
  SPECULATIVE_DISTANCE,
  TOUCHING_COUNT,
  TRIANGLE_KINDS,
} from '../../../state/layout';
import { row4 } from '../math/boxes';
import { cell, column, getI32, parameter, setCell, setI32 } from '../memory';
import { isOneOf } from '../shapes/kinds';
import { forkRanges, RANGE_MANIFOLDS } from '../threads/fork';
import { clearance, clearCandidates, commitManifold, setClearance, thinnestHalf } from './manifold';
import { collide } from './pair-kinds';

/** Contacts are made up to the speculative distance and what the pair may close; the rest is for rounding. */
const CLEARANCE_MARGIN: f64 = 1.001;
/** Most kinds of shapes, as bits. */
const KIND_BITS: i32 = 4;
/** A pair slot in a list entry, of which no memory holds more; above it the pair's kinds. */
const SLOT_BITS: i32 = 32 - 2 * KIND_BITS;
const SLOT_MASK: i32 = (1 << SLOT_BITS) - 1;
const GROUP_COUNT: i32 = 1 << (2 * KIND_BITS);
/** Centres this near, as a share of the thinner half extent, have no direction to part in; for a quick look, in [m]. */
const COINCIDENT_SHARE: f64 = 1e-4;
const COINCIDENT: f64 = 1e-3;
/** How far aside a collider is put then, as a share of its thinnest half extent. */
const ASIDE_SHARE: f64 = 1e-3;
/** Steps of a sequence that fills a cube evenly: powers of the root of x⁴ = x + 1. */
const SPREAD: usize = memory.data<f64>([0.8191725133961645, 0.6710436067037893, 0.5497004779019703]);
const GROUPS: usize = memory.data(GROUP_COUNT * 4, 16);

/** Runs the narrowphase on every active pair; counts touching pairs and points into the header. */
export function findContacts(): void {
  const active = cell(ACTIVE_COUNT);
  sortActive();
  const near = groupByKinds(findNear());
  if (ASC_FEATURE_THREADS && near >= 2 * GRAIN) {
    // Pairs with meshes take rows for further manifolds: one after the other.
    leavesMeshes = true;
    forkRanges(RANGE_MANIFOLDS, near, GRAIN, 0);
    leavesMeshes = false;
    collideListed(0, near, true);
  } else collideListed(0, near, false);
  const list = column(ACTIVE_LIST);
  const points = column(PAIR_POINTS);
  let touching = 0;
  let pointCount = 0;
  for (let i = 0; i < active; i++) {
    const n = getI32(points, getI32(list, i));
    touching += i32(n > 0);
    pointCount += n;
  }
  setCell(TOUCHING_COUNT, touching);
  setCell(POINT_COUNT, pointCount);
}

/** Pairs that a thread takes at a time: some 0.1 ms. */
const GRAIN: i32 = 128;
/** Whether pairs with meshes are left out. */
let leavesMeshes: bool = false;

/** Makes the manifolds of the listed pairs `begin` to `end`, on a thread. */
export function collideRange(begin: i32, end: i32): void {
  collideListed(begin, end, false);
}

/** Makes the manifolds of the listed pairs `begin` to `end`; `onlyMeshes`: of those that collideRange leaves out. */
function collideListed(begin: i32, end: i32, onlyMeshes: bool): void {
  const grouped = column(ISLAND_PAIRS);
  const colliderA = column(PAIR_COLLIDER_A);
  const colliderB = column(PAIR_COLLIDER_B);
  for (let i = begin; i < end; i++) {
    const entry = getI32(grouped, i);
    const pair = entry & SLOT_MASK;
    const kinds = entry >>> SLOT_BITS;
    const kindB = kinds & ((1 << KIND_BITS) - 1);
    if (ASC_FEATURE_THREADS && (isOneOf(kindB, TRIANGLE_KINDS) ? leavesMeshes : onlyMeshes)) continue;
    const a = getI32(colliderA, pair);
    const b = getI32(colliderB, pair);
    setClearance(0);
    collide(pair, a, b, kinds >> KIND_BITS, kindB);
    noteClearance(pair, a, b);
  }
}

/**
 * Lists the active pairs that may touch in JOINED_LIST, kinds above the slot; those whose boxes are apart lose their
 * points. Returns how many. Pairs that were farther apart than their colliders have moved since, and may move in this
 * step, are not looked at: exactly those of which nothing would come.
 */
function findNear(): i32 {
  const colliderA = column(PAIR_COLLIDER_A);
  const colliderB = column(PAIR_COLLIDER_B);
  const flags = column(PAIR_FLAGS);
  const points = column(PAIR_POINTS);
  const shapes = column(COLLIDER_SHAPE);
  const kinds = column(SHAPE_KIND);
  const boxes = column(COLLIDER_BOX);
  const next = column(PAIR_NEXT);
  const to = column(JOINED_LIST);
  const doubtful = column(ISLAND_PAIRS);
  const count = findDoubtful(doubtful);
  let near = 0;
  for (let i = 0; i < count; i++) {
    const pair = getI32(doubtful, i);
    // Further manifolds of a mesh pair are filled by the first one.
    if (getI32(flags, pair) & PAIR_EXTRA) continue;
    const a = getI32(colliderA, pair);
    const b = getI32(colliderB, pair);
    const kindA = getI32(kinds, getI32(shapes, a));
    const kindB = getI32(kinds, getI32(shapes, b));
    const isNear = boxesOverlap(boxes, a, b);
    if (isNear && isOneOf(kindB, BOUNDED_KINDS) && !(getI32(flags, pair) & PAIR_SENSOR)) partCoincident(a, b);
    setI32(to, near, pair | (((kindA << KIND_BITS) | kindB) << SLOT_BITS));
    near += i32(isNear);
    if (isNear) continue;
    setClearance(boxDistance(boxes, a, b) + parameter(SPECULATIVE_DISTANCE));
    noteClearance(pair, a, b);
    if (i32(getI32(points, pair) != 0) | i32(getI32(next, pair) >= 0)) {
      clearCandidates();
      commitManifold(pair, 0, 1, 0);
      for (let extra = getI32(next, pair); extra >= 0; extra = getI32(next, extra)) commitManifold(extra, 0, 1, 0);
    }
  }
  return near;
}

/**
 * Gives two colliders whose centres coincide a direction to part in, by a place in the step beside that of its body.
 * Each has its own: of a hundred boxes begun at one point every two would part along the same axis, into a row of a
 * hundred, where now they part to all sides.
 */
function partCoincident(a: i32, b: i32): void {
  const p = row4(COLLIDER_POSITION, a);
  const q = row4(COLLIDER_POSITION, b);
  const x = load<f64>(p) - load<f64>(q);
  if (!(abs(x) < COINCIDENT)) return;
  const y = load<f64>(p, 8) - load<f64>(q, 8);
  const z = load<f64>(p, 16) - load<f64>(q, 16);
  const near = COINCIDENT_SHARE * min(thinnestHalf(a), thinnestHalf(b));
  if (x * x + y * y + z * z > near * near) return;
  const moved = isPlacedAnew(a) ? a : b;
  if (!isPlacedAnew(moved)) return;
  const length = ASIDE_SHARE * thinnestHalf(moved);
  const place = row4(COLLIDER_POSITION, moved);
  for (let k: usize = 0; k < 24; k += 8) {
    const turn = <f64>(moved + 1) * load<f64>(SPREAD + k);
    store<f64>(place + k, load<f64>(place + k) + length * (2 * (turn - floor(turn)) - 1));
  }
}

/** Whether each step puts the collider where its body is. */
function isPlacedAnew(collider: i32): bool {
  const body = getI32(column(COLLIDER_BODY), collider);
  return (getI32(column(BODY_FLAGS), body) & BODY_DYNAMIC) != 0 && getI32(column(BODY_AWAKE_INDEX), body) >= 0;
}

/** Lists the active pairs that are not known to be too far apart. */
function findDoubtful(to: usize): i32 {
  const list = column(ACTIVE_LIST);
  const count = cell(ACTIVE_COUNT);
  const colliderA = column(PAIR_COLLIDER_A);
  const colliderB = column(PAIR_COLLIDER_B);
  const paths = column(COLLIDER_PATH);
  const cache = column(PAIR_CACHE);
  const reach = CLEARANCE_MARGIN * parameter(SPECULATIVE_DISTANCE);
  let doubtful = 0;
  for (let i = 0; i < count; i++) {
    const pair = getI32(list, i);
    const a = load<f64>(paths + ((<usize>getI32(colliderA, pair)) << 4), 8);
    const b = load<f64>(paths + ((<usize>getI32(colliderB, pair)) << 4), 8);
    setI32(to, doubtful, pair);
    doubtful += i32(!(load<f64>(cache + ((<usize>pair) << 4), 8) > a + b + reach));
  }
  return doubtful;
}

/** Remembers how far apart a pair is, and where its colliders were on their paths, or that it is not known. */
function noteClearance(pair: i32, a: i32, b: i32): void {
  const paths = column(COLLIDER_PATH);
  const pathA = load<f64>(paths + ((<usize>a) << 4));
  const pathB = load<f64>(paths + ((<usize>b) << 4));
  const isKnown = clearance > 0 && pathA > 0 && pathB > 0;
  store<f64>(column(PAIR_CACHE) + ((<usize>pair) << 4), isKnown ? clearance + pathA + pathB : 0, 8);
}

/**
 * Moves the `count` entries of JOINED_LIST to ISLAND_PAIRS, ordered by kinds: pairs of one kind in a row keep their
 * code and its branches in the processor's memory. (Both lists belong to build-islands, which comes later.)
 */
function groupByKinds(count: i32): i32 {
  const from = column(JOINED_LIST);
  const to = column(ISLAND_PAIRS);
  memory.fill(GROUPS, 0, GROUP_COUNT * 4);
  for (let i = 0; i < count; i++) {
    const group = getI32(from, i) >>> SLOT_BITS;
    setI32(GROUPS, group, getI32(GROUPS, group) + 1);
  }
  let start = 0;
  for (let group = 0; group < GROUP_COUNT; group++) {
    const size = getI32(GROUPS, group);
    setI32(GROUPS, group, start);
    start += size;
  }
  for (let i = 0; i < count; i++) {
    const entry = getI32(from, i);
    const group = entry >>> SLOT_BITS;
    const at = getI32(GROUPS, group);
    setI32(GROUPS, group, at + 1);
    setI32(to, at, entry);
  }
  return count;
}

/** Do the tight boxes (motion and speculative distance included) overlap? Pairs are kept by fat ones. */
function boxesOverlap(boxes: usize, a: i32, b: i32): bool {
  const p = boxes + <usize>(a * 48);
  const q = boxes + <usize>(b * 48);
  // Without branches: nobody can foretell which axis parts a pair.
  const apart = v128.or(f64x2.gt(v128.load(p), v128.load(q, 24)), f64x2.gt(v128.load(q), v128.load(p, 24)));
  const z = i32(load<f64>(p, 16) > load<f64>(q, 40)) | i32(load<f64>(q, 16) > load<f64>(p, 40));
  return (z | i32(v128.any_true(apart))) == 0;
}

/**
 * Distance of two boxes along an axis that parts them [m]; each has half the speculative distance, and motion, in it.
 */
function boxDistance(boxes: usize, a: i32, b: i32): f64 {
  const p = boxes + <usize>(a * 48);
  const q = boxes + <usize>(b * 48);
  let distance = -Infinity;
  for (let k: usize = 0; k < 24; k += 8) {
    distance = max(distance, max(load<f64>(p + k) - load<f64>(q + k, 24), load<f64>(q + k) - load<f64>(p + k, 24)));
  }
  return distance;
}

/**
 * Lists the active pairs by slot, so that the columns are read forwards: neighbours in a list that pairs leave by
 * swapping lie anywhere. Skipped when most pairs sleep.
 */
function sortActive(): void {
  const slots = cell(PAIR_COUNT);
  if (cell(ACTIVE_COUNT) * 4 < slots) return;
  const list = column(ACTIVE_LIST);
  const index = column(PAIR_ACTIVE_INDEX);
  let count = 0;
  for (let pair = 0; pair < slots; pair++) {
    if (getI32(index, pair) < 0) continue;
    setI32(list, count, pair);
    setI32(index, pair, count++);
  }
}
