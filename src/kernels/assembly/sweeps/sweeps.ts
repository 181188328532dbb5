// solve-contacts, sweeps: islands with many contacts, by projected Gauss-Seidel in substeps, f32 SIMD.
//
// In: islands whose ISLAND_SOLVER is ISLAND_SWEEPS, their free velocities and manifolds. Out: velocities, poses,
// PAIR_IMPULSE, PAIR_HIT, ISLAND_RESIDUAL. A step is cut into SUBSTEPS: free velocity, warm start, SWEEP_ITERATIONS
// double sweeps on the velocities, further ones over the rows that still change something (sweeps/further.ts), one
// recovery sweep, poses; restitution once at the end. Warm starting a further substep costs no sweep: what the contacts
// changed in a body's velocity in the last substep is added again as a whole.
//
// Single points are solved four at a time (sweeps/quad.ts); quads and manifolds of more points take their turns in one
// list ordered upwards (sweeps/rows.ts).
//
// A double sweep goes through the contacts upwards and back. Measured on a pyramid of 210 boxes: single sweeps in
// either order left it trembling (0.14 m/s), in alternating order they blew it up. The impulses are the integral
// part of a feedback from velocity error to impulse, and that loop is damped for every mode only when the sweep is
// a symmetric operator, as up-and-down is (eigenvalues s in (0, 1] give growth (1 − s)^½ < 1 a substep).
//
// Recovery of penetration acts on the velocities that move the poses and is then forgotten. In the velocity, and so
// in the warm start, it is a second integrator: with relaxation sweeps after it a column of 10 began to hop at a
// rate of 0.2 a step, because its slowest mode converges slower than that. Forgotten, it adds no energy at all.
// Rejected: one recovery sweep a step, in the last substep. Piles were solved 8 % faster and as well, but a planar
// pyramid half again slower: it lost its exact symmetry, and the numbers across its plane became subnormal, it seems.
// Where something overlaps deeply, contacts with what does not yield are recovered once more at the end.

import { SLACK_SHARE } from '../../../core/engine-constants';
import {
  AWAKE_COUNT,
  BODY_ANGULAR_VELOCITY,
  BODY_AWAKE_INDEX,
  BODY_COUNT,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_INVERSE_INERTIA,
  BODY_INVERSE_MASS,
  BODY_LINEAR_VELOCITY,
  BODY_MOTION,
  BODY_POSITION,
  BODY_ROTATION,
  BODY_VELOCITY_CHANGE,
  ISLAND_BODIES,
  ISLAND_BODY_COUNT,
  ISLAND_BODY_START,
  ISLAND_COUNT,
  ISLAND_PAIR_COUNT,
  ISLAND_PAIR_START,
  ISLAND_PAIRS,
  ISLAND_SOLVER,
  ISLAND_SWEEPS,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_HIT,
  PAIR_IMPULSE,
  PAIR_POINT,
  PAIR_POINTS,
  RECOVERY_RATE,
  RECOVERY_SPEED,
  SPECULATIVE_DISTANCE,
  SUBSTEPS,
  SWEEP_ITERATIONS,
  TIME_STEP,
} from '../../../state/layout';
import { addMul, crossLanes, splat3 } from '../math/vector';
import { cell, column, getF64, getI32, parameter, setF64, setI32 } from '../memory';
import { beginSweep, listRows, noticed, openRows, rowListSize, spent } from './active';
import { aimBounces } from './bounce';
import { solveRow, sweepActive, sweepMissed } from './further';
import { guessLoads } from './guess';
import * as S from './layout';
import { liftRows } from './lift';
import { prepareManifold } from './prepare';
import { noteQuad, recoverQuad, recoverQuadFrom, solveQuad, trackQuad, warmStartQuad } from './quad';
import { keepQuad, placePoint, prepareQuad, reportQuad } from './quad-prepare';
import { setSubstep } from './relative';
import { measureResiduals } from './residual';
import { orderPairs, scheduleRows } from './rows';
import { noteImpulse, recoverManifold, solveManifold, trackGaps, warmStart } from './solve';
import { dropBadStarts, WARM_BYTES } from './warm';

/**
 * Rows that the further sweeps of a step may solve, in numbers of all rows: what they cost at most. Falling pile of
 * 1000, share of steps with a residual up to 2 % of the largest free velocity: none 0.16, 16 (and twice the tolerance)
 * 0.46, 32 0.79, 96 0.81. Over-relaxed by 1.3 they did no better.
 */
const FURTHER_SWEEPS: i32 = 24;
/** The same where they have momentum. */
const CARRIED_SWEEPS: i32 = 32;
/** What the substeps before the last may spend of the further sweeps: the velocities of the last one are kept. */
const EARLIER_SHARE: f32 = 0.3;
/** What is spent of them when the last substep turns to the rows that still miss the law. */
const CHANGED_SHARE: f32 = 0.4;

// Addresses and counts of one call.
let bodies: usize = 0;
let bodyCount = 0;
// (record, number of points) of every manifold, 1 for four single points, in the order of the sweeps
let list: usize = 0;
let listEnd: usize = 0;
let warmTable: usize = 0; // a row an island, for dropBadStarts
let furtherRows: i32 = 0;
let carries: bool = false; // further sweeps have momentum
let isOverlapping: bool = false; // something overlaps by more than what is spared
let isDeep: bool = false; // something overlaps by more than the speculative distance

/** Bytes of scratch that solveSweeps needs for the islands as chosen now. */
export function sweepScratchSize(): i32 {
  countPairs();
  const gathered = (cell(AWAKE_COUNT) + 2) * <i32>S.BODY_BYTES + cell(BODY_COUNT) * 4;
  const listed = rowListSize(pairCount, cell(AWAKE_COUNT) + 2);
  return gathered + pairCount * 32 + recordBytes + cell(ISLAND_COUNT) * WARM_BYTES + listed + 64;
}

// What countRows finds.
let pairCount = 0;
let recordBytes = 0;

/** Counts the pairs of the sweeps, and the bytes of their records at most: a point may need a quad of its own. */
function countPairs(): void {
  const points = column(PAIR_POINTS);
  const pairs = column(ISLAND_PAIRS);
  const islands = cell(ISLAND_COUNT);
  pairCount = 0;
  recordBytes = 0;
  for (let k = 0; k < islands; k++) {
    if (getI32(column(ISLAND_SOLVER), k) != ISLAND_SWEEPS) continue;
    const start = getI32(column(ISLAND_PAIR_START), k);
    const count = getI32(column(ISLAND_PAIR_COUNT), k);
    pairCount += count;
    for (let i = start; i < start + count; i++) {
      recordBytes += <i32>(getI32(points, getI32(pairs, i)) == 1 ? S.QUAD_BYTES : S.MANIFOLD_BYTES);
    }
  }
}

/**
 * Solves all islands of the sweeps and moves their bodies. `scratch` has `bytes` (>=
 * sweepScratchSize()), a multiple of 16. `mayCarry`: further sweeps may have momentum, where
 * nothing bounces: Newton's law of restitution would win energy by it.
 */
export function solveSweeps(scratch: usize, bytes: i32, mayCarry: bool): void {
  assert(bytes >= sweepScratchSize());
  furtherRows = 0;
  gatherBodies(scratch);
  if (bodyCount == 0) return;
  const bounces = gatherManifolds(scratch);
  carries = mayCarry && !bounces;
  const dt = parameter(TIME_STEP);
  const substeps = cell(SUBSTEPS);
  const iterations = cell(SWEEP_ITERATIONS);
  const h = dt / substeps;
  const slack = SLACK_SHARE * parameter(SPECULATIVE_DISTANCE);
  setSubstep(<f32>h, substeps, <f32>(parameter(RECOVERY_RATE) / dt), <f32>parameter(RECOVERY_SPEED), <f32>slack);
  const end = bodies + <usize>bodyCount * S.BODY_BYTES;
  guessLoads(list, listEnd, bodies, bodies + <usize>bodyCount * S.BODY_BYTES, h, slack);
  openRows(list, listEnd, bodies, end, substeps, warmTable, cell(ISLAND_COUNT), carries);
  listRows(list, listEnd, bodies, end, warmTable + <usize>cell(ISLAND_COUNT) * WARM_BYTES);
  const further = <i32>((listEnd - list) >> 3) * (carries ? CARRIED_SWEEPS : FURTHER_SWEEPS);
  for (let step = 0; step < substeps; step++) {
    beginSubstep(step == 0);
    if (step == 0) startWarm();
    for (let k = 0; k < iterations; k++) {
      sweepUp(k == 0);
      sweepDown();
    }
    sweepActive(list, listEnd, bodies, end, furtherUpTo(step, substeps, further), carries);
    if (carries && step == substeps - 1 && noticed > 0) sweepMissed(list, listEnd, further);
    // For the gaps that this substep was solved for: those at its end are the next one's, and a body that has just come
    // down to a surface would count with its whole speed.
    if (step == substeps - 1) measureResiduals(list, listEnd);
    startMotion();
    recoverAll();
    if (isOverlapping) {
      liftRows(list, listEnd, bodies, end, <f32>slack);
      if (isDeep) recoverFromFixed();
    }
    moveBodies(<f32>h);
    noteAll();
  }
  furtherRows = spent;
  finishAll(substeps);
  if (bounces && aimBounces(list, listEnd)) {
    for (let k = 0; k < substeps * iterations; k++) {
      sweepUp(false);
      sweepDown();
    }
    sweepActive(list, listEnd, bodies, end, further + further / substeps, false);
    furtherRows = spent;
    measureResiduals(list, listEnd);
    noteAll();
  }
  reportAll();
  writeBodies();
}

/** Rows of all `further` ones that may be solved up to the end of a substep. */
function furtherUpTo(step: i32, substeps: i32, further: i32): i32 {
  if (!carries) return (step + 1) * (further / substeps);
  if (step == substeps - 1) return <i32>(CHANGED_SHARE * <f32>further);
  return ((step + 1) * <i32>(EARLIER_SHARE * <f32>further)) / (substeps - 1);
}

/** Rows that the further sweeps of the last step solved, as a share of all rows. */
export function furtherSweeps(): f64 {
  return listEnd > list ? <f64>furtherRows / <f64>((listEnd - list) >> 3) : 0;
}

function startWarm(): void {
  warmStartAll();
  const end = bodies + <usize>bodyCount * S.BODY_BYTES;
  if (dropBadStarts(list, listEnd, bodies, end, warmTable, cell(ISLAND_COUNT))) warmStartAll();
}

function warmStartAll(): void {
  for (let row = list; row < listEnd; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) warmStartQuad(m);
    else warmStart(m);
  }
}

/** `isFirst`: the first sweep of a substep measures the gaps. */
function sweepUp(isFirst: bool): void {
  beginSweep(false);
  for (let row = list; row < listEnd; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) {
      if (isFirst) trackQuad(m);
      solveQuad(m);
    } else {
      if (isFirst) trackGaps(m);
      solveManifold(m);
    }
  }
}

function sweepDown(): void {
  beginSweep(true);
  for (let number = <i32>((listEnd - list) >> 3) - 1; number >= 0; number--) solveRow(list, number);
}

function recoverAll(): void {
  for (let row = list; row < listEnd; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) recoverQuad(m);
    else recoverManifold(m);
  }
}

/** What does not yield has the last word: a heap whose bodies part does not push the lowest into the ground. */
function recoverFromFixed(): void {
  const sink = <i32>(bodies + S.BODY_BYTES);
  for (let row = list; row < listEnd; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) recoverQuadFrom(m, sink);
    else if (load<i32>(m, S.WRITE_A) == sink || load<i32>(m, S.WRITE_B) == sink) recoverManifold(m);
  }
}

function deepestGap(pair: i32): f64 {
  const count = getI32(column(PAIR_POINTS), pair);
  const point = column(PAIR_POINT);
  let gap: f64 = 0;
  for (let k = 0; k < count; k++) gap = min(gap, getF64(point, 16 * pair + 4 * k + 3));
  return gap;
}

function noteAll(): void {
  for (let row = list; row < listEnd; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) noteQuad(m);
    else noteImpulse(m);
  }
}

/** Gaps at the end of the step, impulses for the next step. */
function finishAll(substeps: i32): void {
  for (let row = list; row < listEnd; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) {
      trackQuad(m);
      keepQuad(m, substeps);
    } else {
      trackGaps(m);
      keepImpulses(m, substeps);
    }
  }
}

/** Sums of the step, the bounces' too. */
function reportAll(): void {
  for (let row = list; row < listEnd; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) reportQuad(m);
    else reportManifold(m);
  }
}

function reportManifold(m: usize): void {
  const to = column(PAIR_HIT) + ((<usize>load<i32>(m, S.PAIR)) << 5);
  store<f64>(to, sumOfLanes(m + S.TOTAL_N));
  store<f64>(to, sumOfLanes(m + S.TOTAL_1), 8);
  store<f64>(to, sumOfLanes(m + S.TOTAL_2), 16);
}

function sumOfLanes(at: usize): f64 {
  return <f64>load<f32>(at) + <f64>load<f32>(at, 4) + <f64>load<f32>(at, 8) + <f64>load<f32>(at, 12);
}

/** Packs the bodies of all sweep islands; records 0 and 1 are the resting world and the sink for what it is told. */
function gatherBodies(scratch: usize): void {
  const map = scratch;
  bodies = (scratch + ((<usize>cell(BODY_COUNT)) << 2) + 15) & ~15;
  bodyCount = 2;
  memory.fill(bodies, 0, S.BODY_BYTES * 2);
  store<f32>(bodies, 1, S.TURNED + 12);
  const islands = cell(ISLAND_COUNT);
  const share = 1.0 / cell(SUBSTEPS);
  let any = false;
  for (let k = 0; k < islands; k++) {
    if (getI32(column(ISLAND_SOLVER), k) != ISLAND_SWEEPS) continue;
    any = true;
    const start = getI32(column(ISLAND_BODY_START), k);
    const count = getI32(column(ISLAND_BODY_COUNT), k);
    for (let i = 0; i < count; i++) packBody(map, getI32(column(ISLAND_BODIES), start + i), share);
  }
  if (!any) bodyCount = 0;
}

function packBody(map: usize, body: i32, share: f64): usize {
  const to = bodies + <usize>bodyCount * S.BODY_BYTES;
  setI32(map, body, bodyCount++);
  memory.fill(to, 0, S.BODY_BYTES);
  store<i32>(to, body, S.SLOT);
  store<f32>(to, 1, S.TURNED + 12);
  const linear = column(BODY_LINEAR_VELOCITY) + ((<usize>body) << 5);
  const angular = column(BODY_ANGULAR_VELOCITY) + ((<usize>body) << 5);
  const isDynamic = (getI32(column(BODY_FLAGS), body) & BODY_DYNAMIC) != 0;
  if (!isDynamic) {
    for (let k: usize = 0; k < 3; k++) {
      store<f32>(to + (k << 2), <f32>load<f64>(linear + (k << 3)), S.V);
      store<f32>(to + (k << 2), <f32>load<f64>(angular + (k << 3)), S.W);
    }
    return to;
  }
  const change = column(BODY_VELOCITY_CHANGE) + ((<usize>body) << 6);
  for (let k: usize = 0; k < 3; k++) {
    const dv = load<f64>(change + (k << 3));
    const dw = load<f64>(change + (k << 3), 32);
    store<f32>(to + (k << 2), <f32>(load<f64>(linear + (k << 3)) - dv), S.V);
    store<f32>(to + (k << 2), <f32>(load<f64>(angular + (k << 3)) - dw), S.W);
    store<f32>(to + (k << 2), <f32>(dv * share), S.FREE_V);
    store<f32>(to + (k << 2), <f32>(dw * share), S.FREE_W);
  }
  const inverse = column(BODY_INVERSE_INERTIA) + ((<usize>body) << 6);
  const xx = <f32>load<f64>(inverse);
  const yy = <f32>load<f64>(inverse, 8);
  const zz = <f32>load<f64>(inverse, 16);
  const xy = <f32>load<f64>(inverse, 24);
  const xz = <f32>load<f64>(inverse, 32);
  const yz = <f32>load<f64>(inverse, 40);
  v128.store(to, f32x4(xx, xy, xz, 0), S.IX);
  v128.store(to, f32x4(xy, yy, yz, 0), S.IY);
  v128.store(to, f32x4(xz, yz, zz, 0), S.IZ);
  store<f32>(to, <f32>getF64(column(BODY_INVERSE_MASS), body), S.INVERSE_MASS);
  return to;
}

/** Packs and lists the manifolds in the order of the sweeps; returns whether any bounces. */
function gatherManifolds(scratch: usize): bool {
  const map = scratch;
  // Moving kinematic bodies get a record at their first contact.
  const islands = cell(ISLAND_COUNT);
  const flags = column(BODY_FLAGS);
  const share = 1.0 / cell(SUBSTEPS);
  const bodyA = column(PAIR_BODY_A);
  const bodyB = column(PAIR_BODY_B);
  const awake = column(BODY_AWAKE_INDEX);

  for (let pass = 0; pass < 2; pass++) {
    for (let k = 0; k < islands; k++) {
      if (getI32(column(ISLAND_SOLVER), k) != ISLAND_SWEEPS) continue;
      const start = getI32(column(ISLAND_PAIR_START), k);
      const count = getI32(column(ISLAND_PAIR_COUNT), k);
      for (let i = 0; i < count; i++) {
        const pair = getI32(column(ISLAND_PAIRS), start + i);
        for (let side = 0; side < 2; side++) {
          const body = getI32(side ? bodyB : bodyA, pair);
          if (getI32(flags, body) & BODY_DYNAMIC) continue;
          if (pass == 0) setI32(map, body, 0);
          else if (getI32(awake, body) >= 0 && getI32(map, body) == 0) packBody(map, body, share);
        }
      }
    }
  }
  // Records lie in the order of the sweeps, but are filled in that of the pairs, whose columns are then read forwards.
  countPairs();
  const order = (bodies + <usize>bodyCount * S.BODY_BYTES + 15) & ~15;
  const entries = order + ((<usize>pairCount) << 4);
  const entriesEnd = entries + ((<usize>pairCount) << 3);
  list = entriesEnd;
  orderPairs(order, entries);
  const records = (list + ((<usize>pairCount) << 3) + 15) & ~15;
  listEnd = scheduleRows(order, pairCount, entries, list, records, map, bodies);
  warmTable = (records + <usize>recordBytes + 15) & ~15;
  isDeep = false;
  isOverlapping = false;
  const shallow = -2 * SLACK_SHARE * parameter(SPECULATIVE_DISTANCE);
  const deep = -parameter(SPECULATIVE_DISTANCE);
  const points = column(PAIR_POINTS);
  let bounces = false;
  const sink = bodies + S.BODY_BYTES;

  for (let entry = entries; entry < entriesEnd; entry += 8) {
    const pair = load<i32>(entry);
    const m = load<usize>(entry, 4);
    const slotA = getI32(bodyA, pair);
    const slotB = getI32(bodyB, pair);
    const a = bodies + <usize>getI32(map, slotA) * S.BODY_BYTES;
    const b = bodies + <usize>getI32(map, slotB) * S.BODY_BYTES;
    const writeA = getI32(flags, slotA) & BODY_DYNAMIC ? a : sink;
    const writeB = getI32(flags, slotB) & BODY_DYNAMIC ? b : sink;
    const gap = deepestGap(pair);
    if (gap < shallow) isOverlapping = true;
    if (gap < deep) isDeep = true;
    if (getI32(points, pair) == 1) {
      placePoint(m, pair, share);
      store<usize>(m, a, S.Q_READ_A);
      store<usize>(m, b, S.Q_READ_B);
      store<usize>(m, writeA, S.Q_WRITE_A);
      store<usize>(m, writeB, S.Q_WRITE_B);
      continue;
    }
    prepareManifold(m, pair, a, b, share);
    store<usize>(m, a, S.READ_A);
    store<usize>(m, b, S.READ_B);
    store<usize>(m, writeA, S.WRITE_A);
    store<usize>(m, writeB, S.WRITE_B);
    if (load<i32>(m, S.HAS_BOUNCE)) bounces = true;
  }
  for (let row = list; row < listEnd; row += 8) {
    if (load<i32>(row, 4) == 1 && prepareQuad(load<usize>(row))) bounces = true;
  }
  return bounces;
}

/**
 * Free velocity of a substep plus what the contacts did in the last one. While it runs,
 * PUSH holds minus the free velocity.
 */
function beginSubstep(isFirst: bool): void {
  const end = bodies + <usize>bodyCount * S.BODY_BYTES;
  for (let b = bodies + 2 * S.BODY_BYTES; b < end; b += S.BODY_BYTES) {
    const v = v128.load(b, S.V);
    const w = v128.load(b, S.W);
    let pushV = f32x4.splat(0);
    let pushW = f32x4.splat(0);
    if (!isFirst) {
      pushV = f32x4.add(v, v128.load(b, S.PUSH_V));
      pushW = f32x4.add(w, v128.load(b, S.PUSH_W));
    }
    const freeV = f32x4.add(v, v128.load(b, S.FREE_V));
    const freeW = f32x4.add(w, v128.load(b, S.FREE_W));
    v128.store(b, f32x4.neg(freeV), S.PUSH_V);
    v128.store(b, f32x4.neg(freeW), S.PUSH_W);
    v128.store(b, f32x4.add(freeV, pushV), S.V);
    v128.store(b, f32x4.add(freeW, pushW), S.W);
  }
}

/** The poses move with the velocities, before recovery. */
function startMotion(): void {
  const end = bodies + <usize>bodyCount * S.BODY_BYTES;
  for (let b = bodies; b < end; b += S.BODY_BYTES) {
    v128.store(b, v128.load(b, S.V), S.MOTION_V);
    v128.store(b, v128.load(b, S.W), S.MOTION_W);
  }
}

/** Displacement and rotation of a substep. */
function moveBodies(h: f32): void {
  const step = f32x4.splat(h);
  const half: f32 = 0.5 * h;
  const end = bodies + <usize>bodyCount * S.BODY_BYTES;
  for (let b = bodies + 2 * S.BODY_BYTES; b < end; b += S.BODY_BYTES) {
    v128.store(b, addMul(v128.load(b, S.MOVED), v128.load(b, S.MOTION_V), step), S.MOVED);
    const w = v128.load(b, S.MOTION_W);
    const a = f32x4.mul(w, f32x4.splat(half));
    const aa = f32x4.mul(a, a);
    const x = f32x4.extract_lane(aa, 0) + f32x4.extract_lane(aa, 1) + f32x4.extract_lane(aa, 2);
    // sin a / a and cos a, to 1e-7 for a <= 1.
    const s: f32 = 1 - x * (1.0 / 6.0) * (1 - x * (1.0 / 20.0) * (1 - x * (1.0 / 42.0) * (1 - x * (1.0 / 72.0))));
    const c: f32 = 1 - x * 0.5 * (1 - x * (1.0 / 12.0) * (1 - x * (1.0 / 30.0) * (1 - x * (1.0 / 56.0))));
    // Product of quaternions: vector c·q + s·q₄·a + s·a × q, scalar c·q₄ − s·a·q.
    const q = v128.load(b, S.TURNED);
    const e = f32x4.replace_lane(f32x4.mul(a, f32x4.splat(s)), 3, 0);
    const eq = f32x4.mul(e, q);
    const scalar =
      c * f32x4.extract_lane(q, 3) -
      (f32x4.extract_lane(eq, 0) + f32x4.extract_lane(eq, 1) + f32x4.extract_lane(eq, 2));
    let vector = f32x4.add(f32x4.mul(q, f32x4.splat(c)), crossLanes(e, q));
    vector = addMul(vector, e, splat3(q));
    v128.store(b, f32x4.replace_lane(vector, 3, scalar), S.TURNED);
  }
}

/** Impulses of the last substep, as of a whole step, for the next warm start. */
function keepImpulses(m: usize, substeps: i32): void {
  const pair = load<i32>(m, S.PAIR);
  const count = getI32(column(PAIR_POINTS), pair);
  const to = column(PAIR_IMPULSE) + ((<usize>pair) << 7);
  for (let k = 0; k < count; k++) {
    const lane = m + ((<usize>k) << 2);
    setF64(to, k * 4, <f64>load<f32>(lane, S.R_N) * substeps);
    setF64(to, k * 4 + 1, <f64>load<f32>(lane, S.R_1) * substeps);
    setF64(to, k * 4 + 2, <f64>load<f32>(lane, S.R_2) * substeps);
  }
}

/** Velocities and poses back to the tables, in f64. */
function writeBodies(): void {
  for (let i = 2; i < bodyCount; i++) {
    const from = bodies + <usize>i * S.BODY_BYTES;
    const body = load<i32>(from, S.SLOT);
    if ((getI32(column(BODY_FLAGS), body) & BODY_DYNAMIC) == 0) continue;
    const linear = column(BODY_LINEAR_VELOCITY) + ((<usize>body) << 5);
    const angular = column(BODY_ANGULAR_VELOCITY) + ((<usize>body) << 5);
    const position = column(BODY_POSITION) + ((<usize>body) << 5);
    const motion = column(BODY_MOTION) + ((<usize>body) << 6);
    for (let k: usize = 0; k < 3; k++) {
      const v = <f64>load<f32>(from + (k << 2), S.V);
      const w = <f64>load<f32>(from + (k << 2), S.W);
      store<f64>(linear + (k << 3), v);
      store<f64>(angular + (k << 3), w);
      store<f64>(motion + (k << 3), v);
      store<f64>(motion + (k << 3), w, 32);
      store<f64>(position + (k << 3), load<f64>(position + (k << 3)) + <f64>load<f32>(from + (k << 2), S.MOVED));
    }
    turnPose(column(BODY_ROTATION) + ((<usize>body) << 5), from + S.TURNED);
  }
}

/** Turns the quaternion at `rotation` (f64) by the one at `by` (f32) and normalises it. */
function turnPose(rotation: usize, by: usize): void {
  const ax = <f64>load<f32>(by);
  const ay = <f64>load<f32>(by, 4);
  const az = <f64>load<f32>(by, 8);
  const aw = <f64>load<f32>(by, 12);
  const x = load<f64>(rotation);
  const y = load<f64>(rotation, 8);
  const z = load<f64>(rotation, 16);
  const w = load<f64>(rotation, 24);
  const qx = aw * x + ax * w + ay * z - az * y;
  const qy = aw * y + ay * w + az * x - ax * z;
  const qz = aw * z + az * w + ax * y - ay * x;
  const qw = aw * w - ax * x - ay * y - az * z;
  const scale = 1 / sqrt(qx * qx + qy * qy + qz * qz + qw * qw);
  store<f64>(rotation, qx * scale);
  store<f64>(rotation, qy * scale, 8);
  store<f64>(rotation, qz * scale, 16);
  store<f64>(rotation, qw * scale, 24);
}
