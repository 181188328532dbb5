// build-islands: groups of dynamic bodies linked by contacts and joints, which can be solved apart.
//
// In: active pairs with points, joints, body flags. Out: the island columns, BODY_ISLAND, PAIR_ISLAND, ISLAND_BODIES,
// ISLAND_PAIRS, ISLAND_JOINTS. Union-find with path halving whose parents lie in BODY_ISLAND itself; the smaller slot
// is the root, so parents always have smaller slots and islands come out sorted by first body slot. Pairs keep the
// order of the active list. Static and kinematic bodies join nothing; a body without contact and joint has island −1.

import {
  ACTIVE_COUNT,
  ACTIVE_LIST,
  AWAKE_COUNT,
  AWAKE_LIST,
  AXIS_BITS,
  AXIS_HOLD,
  AXIS_LOCKED,
  AXIS_SOFT,
  BODY_AWAKE_INDEX,
  BODY_COUNT,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_ISLAND,
  BODY_QUARANTINED,
  ISLAND_BODIES,
  ISLAND_BODY_COUNT,
  ISLAND_BODY_START,
  ISLAND_COUNT,
  ISLAND_JOINT_COUNT,
  ISLAND_JOINT_START,
  ISLAND_JOINTS,
  ISLAND_NONE,
  ISLAND_PAIR_COUNT,
  ISLAND_PAIR_START,
  ISLAND_PAIRS,
  ISLAND_POINT_COUNT,
  ISLAND_RESIDUAL,
  ISLAND_SOLVER,
  JOINED_LIST,
  JOINT_ALIVE,
  JOINT_BODY,
  JOINT_BROKEN,
  JOINT_COUNT,
  JOINT_DISTANCE,
  JOINT_FLAGS,
  JOINT_KIND,
  JOINT_MODES,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_DISABLED,
  PAIR_FLAGS,
  PAIR_IMPULSE,
  PAIR_ISLAND,
  PAIR_POINT,
  PAIR_POINTS,
  PAIR_SENSOR,
  TIME_STEP,
} from '../../../state/layout';
import { separationSpeed } from '../foresee/push';
import { cell, column, getF64, getI32, parameter, setCell, setF64, setI32 } from '../memory';

/** Islands of this step. Contacts with a sleeping body that was not woken are left out: they carry nothing yet. */
export function buildIslands(): void {
  setCell(ISLAND_COUNT, 0);
  const awakeCount = cell(AWAKE_COUNT);
  if (awakeCount == 0) return;
  const awake = column(AWAKE_LIST);
  const island = column(BODY_ISLAND);
  for (let i = 0; i < awakeCount; i++) setI32(island, getI32(awake, i), -1);
  const joined = joinPairs();
  const jointed = joinJoints();
  if (joined + jointed == 0) return;
  const count = numberIslands();
  setCell(ISLAND_COUNT, count);
  groupBodies(count);
  groupPairs(count, joined);
  if (cell(JOINT_COUNT) > 0) groupJoints(count);
}

/**
 * Lists the pairs that take part in the solve in JOINED_LIST; all others get
 * PAIR_ISLAND −1. Returns how many take part.
 */
function joinPairs(): i32 {
  const list = column(ACTIVE_LIST);
  const count = cell(ACTIVE_COUNT);
  const points = column(PAIR_POINTS);
  const pairFlags = column(PAIR_FLAGS);
  const bodyA = column(PAIR_BODY_A);
  const bodyB = column(PAIR_BODY_B);
  const flags = column(BODY_FLAGS);
  const awakeIndex = column(BODY_AWAKE_INDEX);
  const pairIsland = column(PAIR_ISLAND);
  const island = column(BODY_ISLAND);
  const joinedList = column(JOINED_LIST);
  let joined = 0;
  for (let i = 0; i < count; i++) {
    const pair = getI32(list, i);
    setI32(pairIsland, pair, -1);
    if (getI32(points, pair) == 0 || getI32(pairFlags, pair) & (PAIR_SENSOR | PAIR_DISABLED)) continue;
    const a = getI32(bodyA, pair);
    const b = getI32(bodyB, pair);
    const flagsA = getI32(flags, a);
    const flagsB = getI32(flags, b);
    if ((flagsA | flagsB) & BODY_QUARANTINED) continue;
    const isDynamicA = flagsA & BODY_DYNAMIC;
    const isDynamicB = flagsB & BODY_DYNAMIC;
    if ((isDynamicA | isDynamicB) == 0) continue;
    if (isDynamicA && getI32(awakeIndex, a) < 0) continue;
    if (isDynamicB && getI32(awakeIndex, b) < 0) continue;
    setI32(joinedList, joined++, pair);
    if (isDynamicA && getI32(island, a) < 0) setI32(island, a, a);
    if (isDynamicB && getI32(island, b) < 0) setI32(island, b, b);
    if (isDynamicA && isDynamicB) unite(island, a, b);
  }
  return joined;
}

function unite(island: usize, a: i32, b: i32): void {
  const rootA = findRoot(island, a);
  const rootB = findRoot(island, b);
  if (rootA < rootB) setI32(island, rootB, rootA);
  else setI32(island, rootA, rootB);
}

/**
 * Whether a joint takes part in this step: whole, and neither of its bodies quarantined or
 * asleep; one of them moves freely.
 */
export function isActive(joint: i32): bool {
  if ((getI32(column(JOINT_FLAGS), joint) & (JOINT_ALIVE | JOINT_BROKEN)) != JOINT_ALIVE) return false;
  const flags = column(BODY_FLAGS);
  let isAny = false;
  for (let end = 0; end < 2; end++) {
    const body = getI32(column(JOINT_BODY), 2 * joint + end);
    if (body < 0) continue;
    const bits = getI32(flags, body);
    if (bits & BODY_QUARANTINED) return false;
    if ((bits & BODY_DYNAMIC) == 0) continue;
    if (getI32(column(BODY_AWAKE_INDEX), body) < 0) return false;
    isAny = true;
  }
  return isAny;
}

/** Whether a joint holds its bodies along or about some axis, and not by a limit or spring alone. */
export function isHolding(joint: i32): bool {
  const modes = getI32(column(JOINT_MODES), joint);
  const axes = getI32(column(JOINT_KIND), joint) == JOINT_DISTANCE ? 1 : 6;
  for (let axis = 0; axis < axes; axis++) {
    if (((modes >> (AXIS_BITS * axis)) & (AXIS_HOLD | AXIS_SOFT)) == AXIS_LOCKED) return true;
  }
  return false;
}

/** Links the bodies of all active joints; returns how many there are. */
function joinJoints(): i32 {
  const count = cell(JOINT_COUNT);
  const island = column(BODY_ISLAND);
  let jointed = 0;
  for (let joint = 0; joint < count; joint++) {
    if (!isActive(joint)) continue;
    jointed++;
    const a = freeEnd(joint, 0);
    const b = freeEnd(joint, 1);
    if (a >= 0 && getI32(island, a) < 0) setI32(island, a, a);
    if (b >= 0 && getI32(island, b) < 0) setI32(island, b, b);
    if (a >= 0 && b >= 0) unite(island, a, b);
  }
  return jointed;
}

/** The dynamic body at an end of a joint, −1 when there is none. */
function freeEnd(joint: i32, end: i32): i32 {
  const body = getI32(column(JOINT_BODY), 2 * joint + end);
  return body >= 0 && getI32(column(BODY_FLAGS), body) & BODY_DYNAMIC ? body : -1;
}

function islandOfJoint(joint: i32): i32 {
  const a = freeEnd(joint, 0);
  return getI32(column(BODY_ISLAND), a >= 0 ? a : freeEnd(joint, 1));
}

function groupJoints(count: i32): void {
  const start = column(ISLAND_JOINT_START);
  const size = column(ISLAND_JOINT_COUNT);
  const list = column(ISLAND_JOINTS);
  const joints = cell(JOINT_COUNT);
  for (let joint = 0; joint < joints; joint++) {
    if (!isActive(joint)) continue;
    const k = islandOfJoint(joint);
    setI32(size, k, getI32(size, k) + 1);
  }
  prefix(start, size, count);
  for (let joint = 0; joint < joints; joint++) {
    if (!isActive(joint)) continue;
    const k = islandOfJoint(joint);
    const filled = getI32(size, k);
    setI32(list, getI32(start, k) + filled, joint);
    setI32(size, k, filled + 1);
  }
}

function findRoot(parent: usize, body: i32): i32 {
  let at = body;
  let up = getI32(parent, at);
  while (up != at) {
    const above = getI32(parent, up);
    setI32(parent, at, above);
    at = above;
    up = getI32(parent, at);
  }
  return at;
}

/** Turns parents into island numbers, in order of the first body slot; returns how many. */
function numberIslands(): i32 {
  const slots = cell(BODY_COUNT);
  const island = column(BODY_ISLAND);
  const awakeIndex = column(BODY_AWAKE_INDEX);
  let count = 0;
  for (let body = 0; body < slots; body++) {
    // Sleeping bodies keep their numbers.
    if (getI32(awakeIndex, body) < 0) continue;
    const parent = getI32(island, body);
    if (parent < 0) continue;
    // A parent has a smaller slot, so its number is already there.
    setI32(island, body, parent == body ? count++ : getI32(island, parent));
  }
  return count;
}

function groupBodies(count: i32): void {
  const start = column(ISLAND_BODY_START);
  const size = column(ISLAND_BODY_COUNT);
  const bodies = column(ISLAND_BODIES);
  const island = column(BODY_ISLAND);
  const awakeIndex = column(BODY_AWAKE_INDEX);
  for (let k = 0; k < count; k++) {
    setI32(size, k, 0);
    setI32(column(ISLAND_JOINT_COUNT), k, 0);
    setI32(column(ISLAND_SOLVER), k, ISLAND_NONE);
    setF64(column(ISLAND_RESIDUAL), k, 0);
  }
  const awake = column(AWAKE_LIST);
  const awakeCount = cell(AWAKE_COUNT);
  for (let i = 0; i < awakeCount; i++) {
    const k = getI32(island, getI32(awake, i));
    if (k >= 0) setI32(size, k, getI32(size, k) + 1);
  }
  prefix(start, size, count);
  const slots = cell(BODY_COUNT);
  for (let body = 0; body < slots; body++) {
    if (getI32(awakeIndex, body) < 0) continue;
    const k = getI32(island, body);
    if (k < 0) continue;
    const filled = getI32(size, k);
    setI32(bodies, getI32(start, k) + filled, body);
    setI32(size, k, filled + 1);
  }
}

function groupPairs(count: i32, joined: i32): void {
  const start = column(ISLAND_PAIR_START);
  const size = column(ISLAND_PAIR_COUNT);
  const pointCount = column(ISLAND_POINT_COUNT);
  const pairs = column(ISLAND_PAIRS);
  const island = column(BODY_ISLAND);
  const pairIsland = column(PAIR_ISLAND);
  const bodyA = column(PAIR_BODY_A);
  const bodyB = column(PAIR_BODY_B);
  const flags = column(BODY_FLAGS);
  const points = column(PAIR_POINTS);
  const list = column(JOINED_LIST);
  for (let k = 0; k < count; k++) {
    setI32(size, k, 0);
    setI32(pointCount, k, 0);
  }
  for (let i = 0; i < joined; i++) {
    const pair = getI32(list, i);
    const a = getI32(bodyA, pair);
    const k = getI32(island, getI32(flags, a) & BODY_DYNAMIC ? a : getI32(bodyB, pair));
    setI32(pairIsland, pair, k);
    setI32(size, k, getI32(size, k) + 1);
    setI32(pointCount, k, getI32(pointCount, k) + getI32(points, pair));
  }
  prefix(start, size, count);
  for (let i = 0; i < joined; i++) {
    const pair = getI32(list, i);
    const k = getI32(pairIsland, pair);
    const filled = getI32(size, k);
    setI32(pairs, getI32(start, k) + filled, pair);
    setI32(size, k, filled + 1);
  }
}

/** Ranges from sizes, and the sizes back to 0 for filling. */
function prefix(start: usize, size: usize, count: i32): void {
  let sum = 0;
  for (let k = 0; k < count; k++) {
    setI32(start, k, sum);
    sum += getI32(size, k);
    setI32(size, k, 0);
  }
}

/**
 * Does no contact of the island push, whatever solver would be asked: does every point keep in front of its plane as
 * the bodies move by themselves? Then the impulses carried over are forgotten.
 */
export function releaseIsland(island: i32): bool {
  const start = getI32(column(ISLAND_PAIR_START), island);
  const count = getI32(column(ISLAND_PAIR_COUNT), island);
  const pairs = column(ISLAND_PAIRS);
  const points = column(PAIR_POINTS);
  const dt = parameter(TIME_STEP);
  for (let i = start; i < start + count; i++) {
    const pair = getI32(pairs, i);
    const n = getI32(points, pair);
    for (let k = 0; k < n; k++) {
      if (getF64(column(PAIR_POINT), 16 * pair + 4 * k + 3) + dt * separationSpeed(pair, k) < 0) return false;
    }
  }
  for (let i = start; i < start + count; i++) {
    const impulses = column(PAIR_IMPULSE) + ((<usize>getI32(pairs, i)) << 7);
    for (let k = 0; k < 16; k++) if ((k & 3) != 3) setF64(impulses, k, 0);
  }
  return true;
}
