// find-pairs: which colliders are near enough to need a manifold.
//
// In: poses and velocities of awake bodies, colliders marked COLLIDER_MOVED, bodies marked BODY_MOVED.
// Out: collider poses and boxes, the tree, the pair table and its active list.
// Only leaves that moved in the tree are queried, and only their pairs can be new or stale, so what sleeps or
// rests inside its fat box costs next to nothing. Pairs come in the order of MOVED_LIST and of the walk through the
// tree: it depends on the history of the world, never on addresses or capacities.
// When a table is full, nothing more is changed: the need is counted in MISSING_NODES or MISSING_PAIRS, MOVED_LIST
// is kept, and the next call, after the table grew, goes on where this one stopped.

import {
  ACTIVE_COUNT,
  ACTIVE_LIST,
  AWAKE_COUNT,
  AWAKE_LIST,
  BODY_ASLEEP,
  BODY_AWAKE_INDEX,
  BODY_COLLIDER,
  BODY_COUNT,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_JOINED,
  BODY_JOINT,
  BODY_KINEMATIC,
  BODY_MOVED,
  BODY_QUARANTINED,
  COLLIDER_ALIVE,
  COLLIDER_BODY,
  COLLIDER_COUNT,
  COLLIDER_FLAGS,
  COLLIDER_LAYERS,
  COLLIDER_LISTED,
  COLLIDER_MOVED,
  COLLIDER_NEXT,
  COLLIDER_NODE,
  COLLIDER_PAIR,
  COLLIDER_SENSOR,
  COLLIDER_SHAPE,
  HASH_MASK,
  JOINT_BODY,
  JOINT_BROKEN,
  JOINT_COLLIDES,
  JOINT_FLAGS,
  JOINT_LINK,
  MISSING_NODES,
  MISSING_PAIRS,
  MOVED_COUNT,
  MOVED_LIST,
  PAIR_ALIVE,
  PAIR_COLLIDER_A,
  PAIR_COLLIDER_B,
  PAIR_COUNT,
  PAIR_EXTRA,
  PAIR_FLAGS,
  PAIR_LINK,
  PAIR_SENSOR,
  SHAPE_KIND,
  TREE_BOX,
  TREE_CHILD,
  TREE_COLLIDER,
  TREE_ROOT,
} from '../../../state/layout';
import { BOX_BYTES, refreshCollider } from '../math/boxes';
import { cell, column, getI32, setCell, setI32 } from '../memory';
import { wakeWithinStep } from '../motion/sleep';
import { createPair, lookUpPair, rebuildPairHash, removePair, slotsFor } from './pairs-table';
import { boxesOverlap, followLeaf, nodeBox, plantLeaf, removeColliderProxy, STACK_ENTRIES } from './tree';

const STACK: usize = memory.data(2048); // STACK_ENTRIES i32

/** The tree had no room in this call. */
let treeFull: bool = false;
/** A collider of a body that is not awake moved: inactive pairs may be stale too. */
let restingMoved: bool = false;

/**
 * Updates boxes, tree and pairs. Complete when MISSING_NODES and MISSING_PAIRS are 0;
 * else grow the tables and call again.
 */
export function findPairs(): void {
  setCell(MISSING_NODES, 0);
  setCell(MISSING_PAIRS, 0);
  const mask = cell(HASH_MASK);
  if ((mask & (mask + 1)) != 0) rebuildPairHash();
  refreshProxies();
  if (treeFull) {
    countMissingNodes();
    return;
  }
  removeStalePairs();
  createNewPairs();
  if (cell(MISSING_PAIRS) != 0) return;
  wakeVisited();
  clearMovedList();
}

/**
 * Wakes the sleepers into whose boxes a static or resting kinematic collider came: a new, teleported or changed one.
 */
function wakeVisited(): void {
  const moved = column(MOVED_LIST);
  const count = cell(MOVED_COUNT);
  const links = column(PAIR_LINK);
  for (let i = 0; i < count; i++) {
    const collider = getI32(moved, i);
    const body = getI32(column(COLLIDER_BODY), collider);
    if (getI32(column(BODY_FLAGS), body) & BODY_DYNAMIC || getI32(column(BODY_AWAKE_INDEX), body) >= 0) continue;
    for (let key = getI32(column(COLLIDER_PAIR), collider); key >= 0; key = getI32(links, key * 2)) {
      const pair = key >> 1;
      if (getI32(column(PAIR_FLAGS), pair) & PAIR_SENSOR) continue;
      const other = getI32(column(key & 1 ? PAIR_COLLIDER_A : PAIR_COLLIDER_B), pair);
      const sleeper = getI32(column(COLLIDER_BODY), other);
      if (getI32(column(BODY_FLAGS), sleeper) & BODY_ASLEEP) wakeWithinStep(sleeper);
    }
  }
}

// ── Boxes and tree ───────────────────────────────

/** Brings boxes and leaves of everything that may have moved up to date, and lists the leaves to be queried. */
function refreshProxies(): void {
  treeFull = false;
  const list = column(AWAKE_LIST);
  const awake = cell(AWAKE_COUNT);
  for (let i = 0; i < awake && !treeFull; i++) refreshBody(getI32(list, i), false);

  // Teleported bodies, awake or not: sixteen flags at a time, since nearly always there are none.
  // (Every column ends on a multiple of 64 bytes, so reading past the last row is safe.)
  const bodyFlags = column(BODY_FLAGS);
  const bodies = cell(BODY_COUNT);
  for (let i = 0; i < bodies && !treeFull; i += 16) {
    if (!anyFlag(bodyFlags, i, BODY_MOVED)) continue;
    for (let body = i; body < min(i + 16, bodies) && !treeFull; body++) {
      const flags = getI32(bodyFlags, body);
      if ((flags & BODY_MOVED) == 0) continue;
      refreshBody(body, true);
      if (!treeFull) setI32(bodyFlags, body, flags & ~BODY_MOVED);
    }
  }
  // New and changed colliders.
  const colliderFlags = column(COLLIDER_FLAGS);
  const bodyOf = column(COLLIDER_BODY);
  const colliders = cell(COLLIDER_COUNT);
  for (let i = 0; i < colliders && !treeFull; i += 16) {
    if (!anyFlag(colliderFlags, i, COLLIDER_MOVED)) continue;
    for (let collider = i; collider < min(i + 16, colliders) && !treeFull; collider++) {
      const flags = getI32(colliderFlags, collider);
      if ((flags & (COLLIDER_MOVED | COLLIDER_ALIVE)) != (COLLIDER_MOVED | COLLIDER_ALIVE)) continue;
      refreshProxy(collider, getI32(bodyOf, collider), true);
    }
  }
}

/** Whether any of sixteen flag words from row `first` has the bit. */
function anyFlag(base: usize, first: i32, bit: i32): bool {
  const at = base + ((<usize>first) << 2);
  const all = v128.or(v128.or(v128.load(at), v128.load(at, 16)), v128.or(v128.load(at, 32), v128.load(at, 48)));
  return v128.any_true(v128.and(all, i32x4.splat(bit)));
}

function refreshBody(body: i32, forced: bool): void {
  const next = column(COLLIDER_NEXT);
  for (let collider = getI32(column(BODY_COLLIDER), body); collider >= 0; collider = getI32(next, collider)) {
    if (treeFull) return;
    refreshProxy(collider, body, forced);
  }
}

/** Pose, box and leaf of one collider. `forced`: query it even if its leaf stays. */
function refreshProxy(collider: i32, body: i32, forced: bool): void {
  // A body whose numbers went bad keeps its last box and makes no pairs.
  if (getI32(column(BODY_FLAGS), body) & BODY_QUARANTINED) return;
  if (!refreshCollider(collider, body)) return;
  let changed = forced;
  if (getI32(column(COLLIDER_NODE), collider) < 0) {
    if (!plantLeaf(collider)) {
      treeFull = true;
      return;
    }
    changed = true;
  } else if (followLeaf(collider)) {
    changed = true;
  }
  if (changed) listMoved(collider);
}

/** Lists a collider for querying, once, and takes its mark away. */
function listMoved(collider: i32): void {
  const flags = getI32(column(COLLIDER_FLAGS), collider);
  setI32(column(COLLIDER_FLAGS), collider, (flags & ~COLLIDER_MOVED) | COLLIDER_LISTED);
  if (flags & COLLIDER_LISTED) return;
  const count = cell(MOVED_COUNT);
  setI32(column(MOVED_LIST), count, collider);
  setCell(MOVED_COUNT, count + 1);
}

function countMissingNodes(): void {
  let missing = 0;
  const colliders = cell(COLLIDER_COUNT);
  for (let collider = 0; collider < colliders; collider++) {
    if (!(getI32(column(COLLIDER_FLAGS), collider) & COLLIDER_ALIVE)) continue;
    if (getI32(column(COLLIDER_NODE), collider) < 0) missing += 2;
  }
  setCell(MISSING_NODES, missing);
}

function clearMovedList(): void {
  const list = column(MOVED_LIST);
  const flags = column(COLLIDER_FLAGS);
  const count = cell(MOVED_COUNT);
  for (let i = 0; i < count; i++) {
    const collider = getI32(list, i);
    setI32(flags, collider, getI32(flags, collider) & ~COLLIDER_LISTED);
  }
  setCell(MOVED_COUNT, 0);
}

// ── Pairs ──────────────────────────────────

/** Whether two colliders may make a pair at all. */
function mayPair(a: i32, b: i32): bool {
  const bodyOf = column(COLLIDER_BODY);
  const bodyA = getI32(bodyOf, a);
  const bodyB = getI32(bodyOf, b);
  if (bodyA == bodyB) return false;
  const layersA = getI32(column(COLLIDER_LAYERS), a);
  const layersB = getI32(column(COLLIDER_LAYERS), b);
  if (((layersA >>> 16) & layersB & 0xffff) == 0 || ((layersB >>> 16) & layersA & 0xffff) == 0) return false;
  const flagsA = getI32(column(BODY_FLAGS), bodyA);
  const flagsB = getI32(column(BODY_FLAGS), bodyB);
  if ((flagsA | flagsB) & BODY_QUARANTINED) return false;
  if (flagsA & flagsB & BODY_JOINED && areJoined(bodyA, bodyB)) return false;
  if ((flagsA | flagsB) & BODY_DYNAMIC) return true;
  // Without a dynamic body only a sensor has anything to say, and only if something can move.
  const sensor = (getI32(column(COLLIDER_FLAGS), a) | getI32(column(COLLIDER_FLAGS), b)) & COLLIDER_SENSOR;
  return sensor != 0 && ((flagsA | flagsB) & BODY_KINEMATIC) != 0;
}

/** Whether a joint holds two bodies that do not collide with what they are joined to. */
function areJoined(a: i32, b: i32): bool {
  const bodies = column(JOINT_BODY);
  for (let key = getI32(column(BODY_JOINT), a); key >= 0; key = getI32(column(JOINT_LINK), key)) {
    if (getI32(column(JOINT_FLAGS), key >> 1) & (JOINT_COLLIDES | JOINT_BROKEN)) continue;
    if (getI32(bodies, key ^ 1) == b) return true;
  }
  return false;
}

/** Whether collider a comes first in the pair: smaller shape kind, then smaller slot. */
function comesFirst(a: i32, b: i32): bool {
  const kinds = column(SHAPE_KIND);
  const shapes = column(COLLIDER_SHAPE);
  const kindA = getI32(kinds, getI32(shapes, a));
  const kindB = getI32(kinds, getI32(shapes, b));
  return kindA == kindB ? a < b : kindA < kindB;
}

/** Removes pairs of moved leaves whose fat boxes parted, or whose filters or nature changed. */
function removeStalePairs(): void {
  const moved = column(MOVED_LIST);
  const count = cell(MOVED_COUNT);
  if (count == 0) return;
  const awake = column(BODY_AWAKE_INDEX);
  const bodyOf = column(COLLIDER_BODY);
  restingMoved = false;
  for (let i = 0; i < count && !restingMoved; i++) {
    restingMoved = getI32(awake, getI32(bodyOf, getI32(moved, i))) < 0;
  }
  if (restingMoved) {
    const pairs = cell(PAIR_COUNT);
    for (let pair = 0; pair < pairs; pair++) removeIfStale(pair);
    return;
  }
  // Backwards: a removal fills the place from the end, with pairs that were already seen.
  const list = column(ACTIVE_LIST);
  for (let i = cell(ACTIVE_COUNT) - 1; i >= 0; i--) {
    if (i < cell(ACTIVE_COUNT)) removeIfStale(getI32(list, i));
  }
}

function removeIfStale(pair: i32): void {
  if ((getI32(column(PAIR_FLAGS), pair) & (PAIR_ALIVE | PAIR_EXTRA)) != PAIR_ALIVE) return;
  const a = getI32(column(PAIR_COLLIDER_A), pair);
  const b = getI32(column(PAIR_COLLIDER_B), pair);
  const flags = column(COLLIDER_FLAGS);
  if (((getI32(flags, a) | getI32(flags, b)) & COLLIDER_LISTED) == 0) return;
  const nodes = column(COLLIDER_NODE);
  // A collider that became a sensor, or ceased to be one, gets a new pair.
  const sensor = ((getI32(flags, a) | getI32(flags, b)) & COLLIDER_SENSOR) != 0;
  const same = sensor == ((getI32(column(PAIR_FLAGS), pair) & PAIR_SENSOR) != 0);
  if (same && boxesOverlap(nodeBox(getI32(nodes, a)), nodeBox(getI32(nodes, b))) && mayPair(a, b)) return;
  removePair(pair);
}

/** Queries the tree for every listed leaf and makes the pairs that are not there yet. */
function createNewPairs(): void {
  const list = column(MOVED_LIST);
  const count = cell(MOVED_COUNT);
  for (let i = 0; i < count; i++) queryLeaf(getI32(list, i));
}

function queryLeaf(collider: i32): void {
  const box = nodeBox(getI32(column(COLLIDER_NODE), collider));
  const boxes = column(TREE_BOX);
  const children = column(TREE_CHILD);
  const flags = column(COLLIDER_FLAGS);
  const bodyOf = column(COLLIDER_BODY);
  const body = getI32(bodyOf, collider);
  let depth = 0;
  let node = cell(TREE_ROOT);
  while (true) {
    // Down the first children as long as boxes meet; the second ones wait.
    if (boxesOverlap(boxes + <usize>node * BOX_BYTES, box)) {
      const child = getI32(children, node * 2);
      if (child >= 0) {
        assert(depth < STACK_ENTRIES);
        setI32(STACK, depth++, getI32(children, node * 2 + 1));
        node = child;
        continue;
      }
      const other = getI32(column(TREE_COLLIDER), node);
      // Two listed leaves meet twice; the lower one makes the pair.
      const twice = other < collider && (getI32(flags, other) & COLLIDER_LISTED) != 0;
      if (!twice && getI32(bodyOf, other) != body && mayPair(collider, other)) {
        if (comesFirst(collider, other)) requirePair(collider, other);
        else requirePair(other, collider);
      }
    }
    if (depth == 0) return;
    node = getI32(STACK, --depth);
  }
}

/**
 * Makes a pair unless it is there. Once one found no room all later ones are only counted,
 * so that growth changes no order.
 */
function requirePair(a: i32, b: i32): void {
  if (lookUpPair(a, b) >= 0) return;
  const missing = cell(MISSING_PAIRS);
  if (missing > 0 || !createPair(a, b)) setCell(MISSING_PAIRS, missing + slotsFor(a, b));
}

// ── Colliders coming and going ───────────────────────────

/**
 * Pose, box and leaf of a new collider at once, for queries before the next step; its pairs come with the next
 * `findPairs`, which would also do all this itself. Returns false when the tree is full or the pose bad.
 */
export function addColliderProxy(collider: i32): bool {
  const body = getI32(column(COLLIDER_BODY), collider);
  setI32(column(COLLIDER_FLAGS), collider, getI32(column(COLLIDER_FLAGS), collider) | COLLIDER_MOVED);
  if (!refreshCollider(collider, body)) return false;
  if (getI32(column(COLLIDER_NODE), collider) >= 0) return true;
  return plantLeaf(collider);
}

/**
 * Removes a collider's leaf and all its pairs (touches that were reported go to END_LIST). The caller clears its row.
 */
export function removeCollider(collider: i32): void {
  for (let key = getI32(column(COLLIDER_PAIR), collider); key >= 0; ) {
    removePair(key >> 1);
    key = getI32(column(COLLIDER_PAIR), collider);
  }
  removeColliderProxy(collider);
  const flags = getI32(column(COLLIDER_FLAGS), collider);
  setI32(column(COLLIDER_FLAGS), collider, flags & ~(COLLIDER_MOVED | COLLIDER_LISTED));
  if ((flags & COLLIDER_LISTED) == 0) return;
  // Listed between steps only when a growth was not finished.
  const list = column(MOVED_LIST);
  const count = cell(MOVED_COUNT);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const other = getI32(list, i);
    if (other != collider) setI32(list, kept++, other);
  }
  setCell(MOVED_COUNT, kept);
}
