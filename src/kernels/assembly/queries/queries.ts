// Questions to the world between steps: what does a ray hit, what overlaps a point, a sphere or a box.
//
// In: the tree, body poses. Out: records at `queryResults()`: for rays distance [m], point, normal (7 × f64) and the
// collider (i32 at byte 56), 64 bytes each; for overlaps collider slots (i32).
// Queries write nothing of the simulation, so a game may ask as much as it likes without changing what happens.
// The leaves hold the poses of the last find-pairs with the motion expected then; `prepareQueries` finds the
// colliders that are no longer where their leaf says (hit hard, teleported, new), and these are tried one by one.
// More results than a page holds are fetched by calling again with `first` = results already read: the walk is the
// same each time.

import {
  OVERLAP_PAGE,
  RAY_BYTES,
  RAY_COLLIDER,
  RAY_DISTANCE,
  RAY_NORMAL,
  RAY_PAGE,
  RAY_POINT,
} from '../../../core/engine-constants';
import {
  AWAKE_COUNT,
  AWAKE_LIST,
  BODY_COLLIDER,
  BODY_COUNT,
  BODY_FLAGS,
  BODY_MOVED,
  COLLIDER_ALIVE,
  COLLIDER_BODY,
  COLLIDER_COUNT,
  COLLIDER_FLAGS,
  COLLIDER_LAYERS,
  COLLIDER_MOVED,
  COLLIDER_NEXT,
  COLLIDER_NODE,
  COLLIDER_SENSOR,
  TREE_CHILD,
  TREE_COLLIDER,
  TREE_ROOT,
} from '../../../state/layout';
import { boxesOverlap, boxHolds, nodeBox, STACK_ENTRIES } from '../broad/tree';
import { boundShape, isSound } from '../math/boxes';
import { cell, column, getI32, setI32 } from '../memory';
import { enterFrame, FRAME_POSITION, FRAME_ROTATION, shape } from './frame';
import { rayMeetsBox } from './mesh';
import { boxMeetsShape, sphereMeetsShape } from './overlap';
import { hitDistance, hitNormalX, hitNormalY, hitNormalZ, rayMeetsShape } from './ray';

const RESULTS: usize = memory.data(2048, 16);
const STACK: usize = memory.data(2048);
const BOX: usize = memory.data(48);

/** Bit of `filter` above the sixteen of the mask: sensors count, too. */
const WITH_SENSORS: i32 = 1 << 16;

// Colliders outside their leaves, kept until the next `prepareQueries`; beyond the list's length every collider is
// tried. This is the one thing kept between calls: a cache, made anew from the tables whenever they changed.
const LOOSE: usize = memory.data(1024);
const LOOSE_ENTRIES: i32 = 256;
let looseCount: i32 = 0;

// The question of this call.
let layerMask: i32 = 0;
let withSensors: bool = false;
let ignoredBody: i32 = -1;
let ox: f64 = 0;
let oy: f64 = 0;
let oz: f64 = 0;
let dx: f64 = 0;
let dy: f64 = 0;
let dz: f64 = 0;
let radius: f64 = 0;

/** Address of the results of the last query. */
export function queryResults(): usize {
  return RESULTS;
}

/**
 * Finds the colliders that left their leaves. Call before a query when bodies have moved,
 * come or gone since the last call.
 */
export function prepareQueries(): void {
  looseCount = 0;
  const list = column(AWAKE_LIST);
  const awake = cell(AWAKE_COUNT);
  for (let i = 0; i < awake; i++) noteLoose(getI32(list, i));
  const bodyFlags = column(BODY_FLAGS);
  const bodies = cell(BODY_COUNT);
  for (let body = 0; body < bodies; body++) if (getI32(bodyFlags, body) & BODY_MOVED) noteLoose(body);
  const colliderFlags = column(COLLIDER_FLAGS);
  const colliders = cell(COLLIDER_COUNT);
  for (let collider = 0; collider < colliders; collider++) {
    const flags = getI32(colliderFlags, collider);
    if ((flags & (COLLIDER_MOVED | COLLIDER_ALIVE)) == (COLLIDER_MOVED | COLLIDER_ALIVE)) noteIfOutside(collider);
  }
}

function noteLoose(body: i32): void {
  const next = column(COLLIDER_NEXT);
  for (let collider = getI32(column(BODY_COLLIDER), body); collider >= 0; collider = getI32(next, collider)) {
    noteIfOutside(collider);
  }
}

function noteIfOutside(collider: i32): void {
  enterFrame(collider);
  boundShape(shape, FRAME_POSITION, FRAME_ROTATION, BOX);
  const leaf = getI32(column(COLLIDER_NODE), collider);
  // A body whose numbers went bad is found nowhere new.
  if (!isSound(BOX) || (leaf >= 0 && boxHolds(nodeBox(leaf), BOX, 0)) || isLoose(collider)) return;
  if (looseCount < LOOSE_ENTRIES) setI32(LOOSE, looseCount, collider);
  looseCount++;
}

function isLoose(collider: i32): bool {
  const listed = min(looseCount, LOOSE_ENTRIES);
  for (let i = 0; i < listed; i++) if (getI32(LOOSE, i) == collider) return true;
  return false;
}

/** How many colliders are tried without the tree: the loose ones, or all. */
function untreedCount(): i32 {
  return looseCount > LOOSE_ENTRIES ? cell(COLLIDER_COUNT) : looseCount;
}

function untreedCollider(i: i32): i32 {
  return looseCount > LOOSE_ENTRIES ? i : getI32(LOOSE, i);
}

function setFilter(filter: i32, body: i32): void {
  layerMask = filter & 0xffff;
  withSensors = (filter & WITH_SENSORS) != 0;
  ignoredBody = body;
}

function passesFilter(collider: i32): bool {
  const flags = getI32(column(COLLIDER_FLAGS), collider);
  if ((flags & COLLIDER_ALIVE) == 0 || (!withSensors && (flags & COLLIDER_SENSOR) != 0)) return false;
  if ((getI32(column(COLLIDER_LAYERS), collider) & layerMask) == 0) return false;
  return getI32(column(COLLIDER_BODY), collider) != ignoredBody;
}

// ── Rays ───────────────────────────────────

function setRay(x: f64, y: f64, z: f64, ux: f64, uy: f64, uz: f64): void {
  ox = x;
  oy = y;
  oz = z;
  dx = ux;
  dy = uy;
  dz = uz;
}

function meetsRay(collider: i32, farthest: f64): bool {
  if (!passesFilter(collider)) return false;
  enterFrame(collider);
  return rayMeetsShape(ox, oy, oz, dx, dy, dz, farthest);
}

function writeHit(row: i32, collider: i32): void {
  const at = RESULTS + <usize>row * RAY_BYTES;
  store<f64>(at, hitDistance, RAY_DISTANCE);
  store<f64>(at, ox + hitDistance * dx, RAY_POINT);
  store<f64>(at, oy + hitDistance * dy, RAY_POINT + 8);
  store<f64>(at, oz + hitDistance * dz, RAY_POINT + 16);
  store<f64>(at, hitNormalX, RAY_NORMAL);
  store<f64>(at, hitNormalY, RAY_NORMAL + 8);
  store<f64>(at, hitNormalZ, RAY_NORMAL + 16);
  store<i32>(at, collider, RAY_COLLIDER);
}

/**
 * First collider that the ray origin + t · direction (unit), 0 ≤ t ≤ farthest [m], hits; −1 none. The hit is
 * record 0. Of several at the same distance the one with the lowest slot, so the answer does not depend on the tree.
 */
export function castRay(
  x: f64,
  y: f64,
  z: f64,
  ux: f64,
  uy: f64,
  uz: f64,
  farthest: f64,
  filter: i32,
  ignored: i32,
): i32 {
  setRay(x, y, z, ux, uy, uz);
  setFilter(filter, ignored);
  let best = -1;
  let reach = farthest;
  const untreed = untreedCount();
  for (let i = 0; i < untreed; i++) {
    const collider = untreedCollider(i);
    if (!meetsRay(collider, reach) || (best >= 0 && hitDistance == reach && collider > best)) continue;
    best = collider;
    reach = hitDistance;
    writeHit(0, collider);
  }
  if (looseCount > LOOSE_ENTRIES || cell(TREE_ROOT) < 0) return best;
  const children = column(TREE_CHILD);
  let depth = 0;
  let node = cell(TREE_ROOT);
  while (true) {
    if (rayMeetsBox(nodeBox(node), x, y, z, ux, uy, uz, reach) >= 0) {
      const b = getI32(children, node * 2);
      if (b >= 0) {
        // The nearer child first: what it yields shortens the ray for the other.
        const c = getI32(children, node * 2 + 1);
        const nearB = rayMeetsBox(nodeBox(b), x, y, z, ux, uy, uz, reach);
        const nearC = rayMeetsBox(nodeBox(c), x, y, z, ux, uy, uz, reach);
        const firstB = nearC < 0 || (nearB >= 0 && nearB <= nearC);
        assert(depth < STACK_ENTRIES);
        setI32(STACK, depth++, firstB ? c : b);
        node = firstB ? b : c;
        continue;
      }
      const collider = getI32(column(TREE_COLLIDER), node);
      const hit = meetsRay(collider, reach);
      if (hit && !(best >= 0 && hitDistance == reach && collider > best)) {
        best = collider;
        reach = hitDistance;
        writeHit(0, collider);
      }
    }
    if (depth == 0) return best;
    node = getI32(STACK, --depth);
  }
}

/** Number of colliders the ray hits; records hold up to 32 of them from number `first` on, in the order of the walk. */
export function castRayAll(
  x: f64,
  y: f64,
  z: f64,
  ux: f64,
  uy: f64,
  uz: f64,
  farthest: f64,
  filter: i32,
  ignored: i32,
  first: i32,
): i32 {
  setRay(x, y, z, ux, uy, uz);
  setFilter(filter, ignored);
  let total = 0;
  const untreed = untreedCount();
  for (let i = 0; i < untreed; i++) {
    const collider = untreedCollider(i);
    if (!meetsRay(collider, farthest)) continue;
    if (total >= first && total < first + RAY_PAGE) writeHit(total - first, collider);
    total++;
  }
  if (looseCount > LOOSE_ENTRIES || cell(TREE_ROOT) < 0) return total;
  const children = column(TREE_CHILD);
  let depth = 0;
  let node = cell(TREE_ROOT);
  while (true) {
    if (rayMeetsBox(nodeBox(node), x, y, z, ux, uy, uz, farthest) >= 0) {
      const b = getI32(children, node * 2);
      if (b >= 0) {
        assert(depth < STACK_ENTRIES);
        setI32(STACK, depth++, getI32(children, node * 2 + 1));
        node = b;
        continue;
      }
      const collider = getI32(column(TREE_COLLIDER), node);
      if (!isLoose(collider) && meetsRay(collider, farthest)) {
        if (total >= first && total < first + RAY_PAGE) writeHit(total - first, collider);
        total++;
      }
    }
    if (depth == 0) return total;
    node = getI32(STACK, --depth);
  }
}

// ── Overlaps ─────────────────────────────────

/**
 * Number of colliders within `reach` [m] of a point (0: that contain it); results hold
 * up to 512 from number `first` on.
 */
export function overlapSphere(x: f64, y: f64, z: f64, reach: f64, filter: i32, ignored: i32, first: i32): i32 {
  setFilter(filter, ignored);
  ox = x;
  oy = y;
  oz = z;
  radius = reach;
  storeQueryBox(x - reach, y - reach, z - reach, x + reach, y + reach, z + reach);
  return collectOverlaps(true, first);
}

/**
 * Number of colliders that share a point with an axis-aligned box [m]; results hold up to 512 from number `first` on.
 */
export function overlapBox(
  minX: f64,
  minY: f64,
  minZ: f64,
  maxX: f64,
  maxY: f64,
  maxZ: f64,
  filter: i32,
  ignored: i32,
  first: i32,
): i32 {
  setFilter(filter, ignored);
  storeQueryBox(minX, minY, minZ, maxX, maxY, maxZ);
  return collectOverlaps(false, first);
}

function storeQueryBox(minX: f64, minY: f64, minZ: f64, maxX: f64, maxY: f64, maxZ: f64): void {
  store<f64>(BOX, minX);
  store<f64>(BOX, minY, 8);
  store<f64>(BOX, minZ, 16);
  store<f64>(BOX, maxX, 24);
  store<f64>(BOX, maxY, 32);
  store<f64>(BOX, maxZ, 40);
}

function overlaps(collider: i32, sphere: bool): bool {
  if (!passesFilter(collider)) return false;
  enterFrame(collider);
  return sphere ? sphereMeetsShape(ox, oy, oz, radius) : boxMeetsShape(BOX);
}

function collectOverlaps(sphere: bool, first: i32): i32 {
  let total = 0;
  const untreed = untreedCount();
  for (let i = 0; i < untreed; i++) {
    const collider = untreedCollider(i);
    if (!overlaps(collider, sphere)) continue;
    if (total >= first && total < first + OVERLAP_PAGE) setI32(RESULTS, total - first, collider);
    total++;
  }
  if (looseCount > LOOSE_ENTRIES || cell(TREE_ROOT) < 0) return total;
  const children = column(TREE_CHILD);
  let depth = 0;
  let node = cell(TREE_ROOT);
  while (true) {
    if (boxesOverlap(nodeBox(node), BOX)) {
      const child = getI32(children, node * 2);
      if (child >= 0) {
        assert(depth < STACK_ENTRIES);
        setI32(STACK, depth++, getI32(children, node * 2 + 1));
        node = child;
        continue;
      }
      const collider = getI32(column(TREE_COLLIDER), node);
      if (!isLoose(collider) && overlaps(collider, sphere)) {
        if (total >= first && total < first + OVERLAP_PAGE) setI32(RESULTS, total - first, collider);
        total++;
      }
    }
    if (depth == 0) return total;
    node = getI32(STACK, --depth);
  }
}
