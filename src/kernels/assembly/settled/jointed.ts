// solve-contacts, islands with joints: joints exactly on a sparse factor, contacts and limits by sweeps while they
// hold.
//
// What joints hold moves, and touches others in every step; so pattern and factor are made anew each time: that of
// bodies and bilateral rows, a tree for chains and ragdolls, has next to no fill. Contacts and bounded rows are
// swept with the responses that it gives them (settled/held.ts).
// Rejected: the splitting of settled.ts over contacts and rows alike. On ragdolls that fall it took 36 to 200
// iterations with any penalty, and with some of them did not converge.
//
// In: an island, its joint rows as dynamics/joints/sparse-rows.ts writes them. Out: as of settled.ts.

import {
  ISLAND_BODIES,
  ISLAND_BODY_COUNT,
  ISLAND_BODY_START,
  ISLAND_JOINT_COUNT,
  ISLAND_JOINT_START,
  ISLAND_JOINTS,
  ISLAND_PAIR_COUNT,
  JOINT_BODY,
} from '../../../state/layout';
import { column, getI32, setI32 } from '../memory';
import { openScratch, scratchTop, take } from '../scratch';
import { factorForest } from './factor';
import { finishBytes, openFinish } from './finish';
import { openSettled, settledScratchSize } from './gather';
import { gradientBytes } from './gradients';
import { attainTargets, holdJoints, markHeld, prepareHeld } from './held';
import * as S from './layout';
import { makePattern, patternBytes } from './pattern';
import { clearRows, linkRows } from './rows';
import { coldStartSettled, solveSettled, warmStartSettled } from './settled';

export { finishJointed } from './finish';
export { attainTargets, relieveJoints, softenJointed, sweepJointed } from './held';
export { reflectJointed } from './reflect';

/** Bodies at most that are factored: their order costs its square. Joints of more are solved by gradients. */
const MOST_BODIES: i32 = 4096;
/** Blocks below the diagonal at most for each body. */
const MOST_BLOCKS: i32 = 16;
/** Bytes at most for the columns of responses: some 290 bodies in one group that all touch something. */
const MOST_COLUMNS: f64 = 24e6;
/**
 * Penalties of bilateral rows in units of 1/λ [-]. Each step of holdJoints leaves the inverse of STIFF, times the
 * ratio of masses, of an error. Joints in a loop may contradict each other, a bridge pulled straight between two walls;
 * LOOPED is how hard they then pull at what is out of place: with ten times as much a straight bridge of 18 planks
 * threw its planks about. What loops can do together is found with that, and then held with the other: a bridge that
 * hangs by a sixth of a radian at its ends opened by 0.4 mm under a hundred times its planks with LOOPED for both.
 */
const STIFF: f64 = 1e7;
const LOOPED: f64 = 1e5;
/** Penalty of points: nothing here uses one. */
const UNUSED: f64 = 1;

/** Bodies that get an order and a factor: all of them or none. */
function factored(n: i32): i32 {
  return n > MOST_BODIES ? 0 : n;
}

function mostBlocks(n: i32): i32 {
  return min((n * (n - 1)) >> 1, MOST_BLOCKS * n);
}

/** Bytes of scratch for the island with `rows` joint rows, but for the columns of responses. */
export function jointedScratchSize(island: i32, rows: i32): i32 {
  const n = getI32(column(ISLAND_BODY_COUNT), island);
  const own = n * (16 + 2 * <i32>S.VELOCITY_BYTES) + rows * <i32>S.ROW_BYTES + gradientBytes(rows);
  const points = 4 * getI32(column(ISLAND_PAIR_COUNT), island) * <i32>S.POINT_BYTES;
  const most = factored(n);
  const blocks = mostBlocks(most);
  const factor = 2 * <i32>S.FACTOR_HEAD + 4 * (most + 1 + blocks) + 2 * <i32>S.BLOCK_BYTES * (most + blocks);
  return settledScratchSize(island) + own + points + factor + patternBytes(most) + finishBytes(n) + 1024;
}

/**
 * Takes the island into the scratch `h` of `bytes` (>= jointedScratchSize), with room for `rows` rows, which are
 * still to be written. Returns the bytes that it needs: if they are more, nothing is open; 0 where bodies and contacts
 * do not fit together.
 */
export function openJointed(island: i32, h: usize, rows: i32, bytes: i32): i32 {
  const n = getI32(column(ISLAND_BODY_COUNT), island);
  const pairs = getI32(column(ISLAND_PAIR_COUNT), island);
  openScratch(h);
  take(<usize>settledScratchSize(island));
  const first = take(<usize>(rows * <i32>S.ROW_BYTES));
  const gradients = take(<usize>gradientBytes(rows));
  const groups = take(<usize>(8 * n));
  const columns = take(<usize>(4 * n));
  const points = take(<usize>(4 * pairs * <i32>S.POINT_BYTES));
  const before = take(<usize>n * S.VELOCITY_BYTES);
  const way = take(<usize>n * S.VELOCITY_BYTES);
  const slots = take(<usize>(4 * n));
  const finish = finishBytes(n) > 0 ? take(<usize>finishBytes(n)) : 0;
  const forest = takeFactors(island, h, slots, groups);
  let room: f64 = 0;
  if (forest == 0) {
    const list = column(ISLAND_BODIES) + ((<usize>getI32(column(ISLAND_BODY_START), island)) << 2);
    memory.copy(slots, list, (<usize>n) << 2);
  } else for (let i = 0; i < n; i++) room += <f64>(getI32(groups, 2 * i + 1) * <i32>S.BLOCK_BYTES);
  const need = <i32>(scratchTop - h) + <i32>max(min(room, MOST_COLUMNS), <f64>(n * <i32>S.BLOCK_BYTES)) + 64;
  if (need > bytes) return need;
  if (!openSettled(island, h, slots, UNUSED, true)) return 0;
  store<usize>(h, first, S.ROWS);
  store<usize>(h, first + <usize>rows * S.ROW_BYTES, S.ROWS_END);
  store<usize>(h, gradients, S.GRADIENTS);
  store<usize>(h, forest, S.FOREST);
  store<usize>(h, forest == 0 ? 0 : load<usize>(forest, S.FACTOR_NEXT), S.DAMPED);
  store<usize>(h, groups, S.GROUPS);
  store<usize>(h, columns, S.COLUMNS);
  store<usize>(h, points, S.POINTS);
  store<usize>(h, before, S.BEFORE);
  store<usize>(h, way, S.WAY);
  store<usize>(h, slots, S.SLOTS);
  store<usize>(h, scratchTop, S.HELD);
  store<f64>(h, 0, S.STALLED);
  openFinish(h, finish);
  return need;
}

/**
 * Order of the bodies (to `slots`, with `groups`), and room for the two factors of their joints. The address of the
 * first; 0 where they would cost too much.
 */
function takeFactors(island: i32, h: usize, slots: usize, groups: usize): usize {
  const n = factored(getI32(column(ISLAND_BODY_COUNT), island));
  if (n == 0) return 0;
  const blocks = mostBlocks(n);
  const work = take(<usize>patternBytes(n));
  const forest = take(<usize>(<i32>S.FACTOR_HEAD));
  const starts = take(<usize>(4 * (n + 1)));
  const list = take(<usize>(4 * blocks));
  const diagonal = take(<usize>(<i32>S.BLOCK_BYTES * n));
  const lower = take(<usize>(<i32>S.BLOCK_BYTES * blocks));
  const damped = take(<usize>(<i32>S.FACTOR_HEAD));
  const dampedDiagonal = take(<usize>(<i32>S.BLOCK_BYTES * n));
  const dampedLower = take(<usize>(<i32>S.BLOCK_BYTES * blocks));
  const count = makePattern(island, h + S.HEAD_BYTES, work, slots, starts, list, blocks, groups);
  if (count < 0) return 0;
  store<i32>(forest, n, S.FACTOR_BODIES);
  store<i32>(forest, count, S.FACTOR_BLOCKS);
  store<usize>(forest, slots, S.FACTOR_SLOTS);
  store<usize>(forest, starts, S.FACTOR_STARTS);
  store<usize>(forest, list, S.FACTOR_ROWS);
  store<usize>(forest, diagonal, S.FACTOR_DIAGONAL);
  store<usize>(forest, lower, S.FACTOR_LOWER);
  store<usize>(forest, damped, S.FACTOR_NEXT);
  memory.copy(damped, forest, S.FACTOR_HEAD);
  store<usize>(damped, dampedDiagonal, S.FACTOR_DIAGONAL);
  store<usize>(damped, dampedLower, S.FACTOR_LOWER);
  return forest;
}

/** Where the rows of the opened island are. */
export function jointedRows(h: usize): usize {
  return load<usize>(h, S.ROWS);
}

/** Velocities of the bodies: six numbers each. */
export function jointedVelocities(h: usize): usize {
  return load<usize>(h, S.VELOCITY);
}

/** Whether its joints are solved by conjugate gradients, from the impulses of the last step. */
export function isJointedLoose(h: usize): bool {
  return load<usize>(h, S.FOREST) == 0;
}

/** Body slots in the order of the velocities. */
export function jointedSlots(h: usize): usize {
  return load<usize>(h, S.SLOTS);
}

/**
 * Marks in COLUMNS, by the first body of each group, those with more joints than a tree has that hangs on one place.
 */
function markLoops(h: usize): void {
  const n = load<i32>(h, S.BODIES);
  const island = load<i32>(h, S.ISLAND);
  const map = load<usize>(h, S.MAP);
  const groups = load<usize>(h, S.GROUPS);
  const columns = load<usize>(h, S.COLUMNS);
  memory.fill(columns, 0, (<usize>n) << 2);
  const start = getI32(column(ISLAND_JOINT_START), island);
  const end = start + getI32(column(ISLAND_JOINT_COUNT), island);
  for (let i = start; i < end; i++) {
    const joint = getI32(column(ISLAND_JOINTS), i);
    let body = n;
    for (let side = 0; side < 2 && body >= n; side++) {
      const slot = getI32(column(JOINT_BODY), 2 * joint + side);
      if (slot >= 0) body = getI32(map, slot);
    }
    if (body >= n) continue;
    const first = getI32(groups, 2 * body);
    setI32(columns, first, getI32(columns, first) + 1);
  }
  let hasLoops = 0;
  for (let i = 0; i < n; i++) {
    const first = getI32(groups, 2 * i);
    // The first of a group comes before the others.
    setI32(columns, i, first == i ? (getI32(columns, i) > getI32(groups, 2 * i + 1) ? 1 : 0) : getI32(columns, first));
    hasLoops |= getI32(columns, i);
  }
  store<i32>(h, hasLoops, S.HAS_LOOPS);
}

/** Penalties of the rows, which get the numbers of their bodies. */
function linkJoints(h: usize): void {
  if (load<usize>(h, S.FOREST) != 0) {
    markLoops(h);
    linkRows(h, STIFF, LOOPED);
    return;
  }
  // A net: its joints say some things twice.
  store<i32>(h, 0, S.HAS_LOOPS);
  memory.fill(load<usize>(h, S.COLUMNS), 0, (<usize>load<i32>(h, S.BODIES)) << 2);
  linkRows(h, LOOPED, LOOPED);
}

/** Factor of what loops can do together, where there are any. */
function factorLoops(h: usize): bool {
  return load<i32>(h, S.HAS_LOOPS) == 0 || factorForest(h, load<usize>(h, S.DAMPED), S.ROW_DAMPED);
}

/**
 * Starts an opened island whose rows are written, from the impulses of the last step if they are any good. False if
 * it cannot be.
 */
export function startJointed(h: usize): bool {
  linkJoints(h);
  const isLoose = load<usize>(h, S.FOREST) == 0;
  store<i32>(h, <f64>markHeld(h, <usize>MOST_COLUMNS) > MOST_COLUMNS || isLoose ? 1 : 0, S.IS_LOOSE);
  if (!prepareHeld(h) || !factorLoops(h)) return false;
  attainTargets(h);
  warmStartSettled(h);
  if (!isLoose) holdJoints(h, S.CLOSED_SHARE * load<f64>(h, S.SCALE));
  solveSettled(h, 0, 0, 0, 0, 0);
  // Impulses of an impact fit no other step.
  if (load<f64>(h, S.RESIDUAL) > load<f64>(h, S.SCALE)) coldStartSettled(h);
  return true;
}

/** Has contacts of an opened island that part no faster than `speed` [m/s] keep that: they are none to be relaxed. */
export function relaxJointed(h: usize, speed: f64): void {
  if (load<f64>(h, S.RECOVERY) <= speed) store<i32>(h, 0, S.IS_RECOVERING);
}

/**
 * Bilateral rows alone, of an opened island whose rows are written, from rest and without contacts: VELOCITY becomes
 * the least motion, by mass, that meets their targets. False if the joints have no factor.
 */
export function projectJointed(h: usize): bool {
  linkJoints(h);
  const forest = load<usize>(h, S.FOREST);
  if (forest != 0 && !factorForest(h, forest, S.ROW_RHO)) return false;
  if (!factorLoops(h)) return false;
  memory.fill(load<usize>(h, S.VELOCITY), 0, <usize>load<i32>(h, S.RECORDS) * S.VELOCITY_BYTES);
  memory.fill(load<usize>(h, S.PUSH), 0, <usize>load<i32>(h, S.RECORDS) * S.VELOCITY_BYTES);
  attainTargets(h);
  holdJoints(h, 0);
  return true;
}

/**
 * The same with rows and factor of a solve that is done, whose velocities and impulses are lost; `tolerance`: of the
 * targets [m/s].
 */
export function closeJointed(h: usize, tolerance: f64): void {
  memory.fill(load<usize>(h, S.VELOCITY), 0, <usize>load<i32>(h, S.RECORDS) * S.VELOCITY_BYTES);
  memory.fill(load<usize>(h, S.PUSH), 0, <usize>load<i32>(h, S.RECORDS) * S.VELOCITY_BYTES);
  clearRows(h);
  store<f64>(h, 0, S.STALLED);
  attainTargets(h);
  holdJoints(h, tolerance);
}
