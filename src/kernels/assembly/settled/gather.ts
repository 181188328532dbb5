// One island taken from the tables into the scratch of the settled solver.
//
// In: island columns, bodies, manifolds, PAIR_IMPULSE of the last step. Out: records as in settled/layout.ts, with the
// velocity that the impulses of the last step give.

import { RELAX_SPEED, SLACK_SHARE } from '../../../core/engine-constants';
import { EXACT_SLACK } from '../../../state/exact-solve';
import {
  BODY_ANGULAR_VELOCITY,
  BODY_COUNT,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_INVERSE_INERTIA,
  BODY_INVERSE_MASS,
  BODY_KINEMATIC,
  BODY_LINEAR_VELOCITY,
  BODY_POSITION,
  BODY_VELOCITY_CHANGE,
  ISLAND_BODIES,
  ISLAND_BODY_COUNT,
  ISLAND_BODY_START,
  ISLAND_JOINT_COUNT,
  ISLAND_JOINT_START,
  ISLAND_JOINTS,
  ISLAND_PAIR_COUNT,
  ISLAND_PAIR_START,
  ISLAND_PAIRS,
  JOINT_BODY,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_FEATURE,
  PAIR_IMPULSE,
  PAIR_MATERIAL,
  PAIR_NORMAL,
  PAIR_POINT,
  PAIR_POINTS,
  PAIR_TANGENT,
  RECOVERY_RATE,
  RECOVERY_SPEED,
  SPECULATIVE_DISTANCE,
  TIME_STEP,
} from '../../../state/layout';
import { cell, column, copy24, copy48, getF64, getI32, parameter, setI32 } from '../memory';
import * as S from './layout';

/** Penalty of an open point that carries nothing, in units of 1/λ [-]: a stiff one would hold its bodies together. */
const OPEN_STIFFNESS: f64 = 1;

/** Bytes of scratch for the island. */
export function settledScratchSize(island: i32): i32 {
  const bodies = getI32(column(ISLAND_BODY_COUNT), island);
  const pairs = getI32(column(ISLAND_PAIR_COUNT), island);
  const records = recordsOf(island);
  const perRecord = 3 * <i32>S.VELOCITY_BYTES + <i32>S.INFO_BYTES;
  const fixed = <i32>S.HEAD_BYTES + cell(BODY_COUNT) * 4 + bodies * <i32>S.BLOCK_BYTES + 64;
  return fixed + records * perRecord + pairs * <i32>S.MANIFOLD_BYTES;
}

/** Bodies and the world; each pair and joint may bring a kinematic body of its own. */
function recordsOf(island: i32): i32 {
  const bodies = getI32(column(ISLAND_BODY_COUNT), island);
  const pairs = getI32(column(ISLAND_PAIR_COUNT), island);
  return bodies + pairs + getI32(column(ISLAND_JOINT_COUNT), island) + 1;
}

/**
 * A number for the island's set of bodies if all of them were slower than `speed` [m/s, rad/s] at the start of the
 * step, else 0. It does not depend on the order.
 */
export function settledKey(island: i32, speed: f64): i32 {
  const linear = column(BODY_LINEAR_VELOCITY);
  const angular = column(BODY_ANGULAR_VELOCITY);
  const change = column(BODY_VELOCITY_CHANGE);
  const start = getI32(column(ISLAND_BODY_START), island);
  const count = getI32(column(ISLAND_BODY_COUNT), island);
  const bodies = column(ISLAND_BODIES);
  let key = count * 0x9e3779b1;
  for (let i = 0; i < count; i++) {
    const body = getI32(bodies, start + i);
    key += mixBits(body + 1);
    for (let k = 0; k < 3; k++) {
      const v = getF64(linear, 4 * body + k) - getF64(change, 8 * body + k);
      const w = getF64(angular, 4 * body + k) - getF64(change, 8 * body + 4 + k);
      if (!(max(abs(v), abs(w)) <= speed)) return 0;
    }
  }
  return key | 1;
}

function mixBits(x: i32): i32 {
  let k = <u32>x * 0x85ebca6b;
  k ^= k >> 15;
  k *= 0xc2b2ae35;
  return k ^ (k >> 13);
}

// Penalty of the points of the island at hand, in units of 1/λ [-], and whether the
// scratch is filled for the first time.
let stiffness: f64 = 0;
let isFresh: bool = false;
// A gap that may close faster is open [m/s].
let closedSpeed: f64 = 0;
// A gap or penetration up to this is none [m].
let slack: f64 = 0;

/** Fills the scratch `h` as openSettled does, in the island's own order and as its contacts are pivoted. */
export function openExact(island: i32, h: usize): bool {
  const start = getI32(column(ISLAND_BODY_START), island);
  slack = EXACT_SLACK * parameter(SPECULATIVE_DISTANCE);
  return fill(island, h, column(ISLAND_BODIES) + ((<usize>start) << 2), OPEN_STIFFNESS, true);
}

/**
 * Fills the scratch `h` (settledScratchSize, a multiple of 16), the bodies numbered by their place in `order` (slots),
 * with the penalty `stiff` in units of 1/λ. `fresh`: nothing is known yet of what carries, and no answer is kept.
 * False if the order does not list the island's bodies.
 */
export function openSettled(island: i32, h: usize, order: usize, stiff: f64, fresh: bool): bool {
  slack = SLACK_SHARE * parameter(SPECULATIVE_DISTANCE);
  return fill(island, h, order, stiff, fresh);
}

function fill(island: i32, h: usize, order: usize, stiff: f64, fresh: bool): bool {
  stiffness = stiff;
  isFresh = fresh;
  if (fresh) store<f64>(h, Infinity, S.BEST);
  const n = getI32(column(ISLAND_BODY_COUNT), island);
  const pairCount = getI32(column(ISLAND_PAIR_COUNT), island);
  const records = recordsOf(island);
  const map = h + S.HEAD_BYTES;
  const velocity = (map + ((<usize>cell(BODY_COUNT)) << 2) + 15) & ~15;
  const step = velocity + <usize>records * S.VELOCITY_BYTES;
  const push = step + <usize>records * S.VELOCITY_BYTES;
  const info = push + <usize>records * S.VELOCITY_BYTES;
  const manifolds = info + <usize>records * S.INFO_BYTES;
  store<i32>(h, n, S.BODIES);
  store<i32>(h, island, S.ISLAND);
  store<i32>(h, 0, S.IS_RECOVERING);
  store<f64>(h, 0, S.RECOVERY);
  store<usize>(h, map, S.MAP);
  store<usize>(h, velocity, S.VELOCITY);
  store<usize>(h, step, S.STEP);
  store<usize>(h, push, S.PUSH);
  store<usize>(h, info, S.INFO);
  store<usize>(h, manifolds, S.MANIFOLDS);
  store<usize>(h, manifolds + <usize>pairCount * S.MANIFOLD_BYTES, S.MANIFOLDS_END);
  store<usize>(h, manifolds + <usize>pairCount * S.MANIFOLD_BYTES, S.COLUMN);
  store<usize>(h, 0, S.ROWS);
  store<usize>(h, 0, S.ROWS_END);
  memory.fill(step, 0, <usize>(2 * records) * S.VELOCITY_BYTES);
  if (!openBodies(h, island, order)) return false;
  openFixed(h, island);
  return openManifolds(h, island);
}

function openBodies(h: usize, island: i32, order: usize): bool {
  const n = load<i32>(h, S.BODIES);
  const map = load<usize>(h, S.MAP);
  const start = getI32(column(ISLAND_BODY_START), island);
  const bodies = column(ISLAND_BODIES);
  for (let i = 0; i < n; i++) setI32(map, getI32(bodies, start + i), -1);
  for (let i = 0; i < n; i++) {
    const slot = getI32(order, i);
    if (<u32>slot >= <u32>cell(BODY_COUNT)) return false;
    setI32(map, slot, i);
  }
  let fastest: f64 = 0;
  for (let i = 0; i < n; i++) {
    const slot = getI32(bodies, start + i);
    const number = getI32(map, slot);
    if (number < 0) return false;
    const square = writeBody(h, number, slot);
    fastest = max(fastest, square);
    const info = load<usize>(h, S.INFO) + <usize>number * S.INFO_BYTES;
    store<f64>(info, getF64(column(BODY_INVERSE_MASS), slot), S.INVERSE_MASS);
    copy48(info + S.INVERSE_INERTIA, column(BODY_INVERSE_INERTIA) + ((<usize>slot) << 6));
  }
  store<f64>(h, sqrt(fastest), S.SCALE);
  closedSpeed = S.CLOSED_SHARE * sqrt(fastest);
  return true;
}

/** Velocity of a body; returns the square of its speed [m²/s²]. */
function writeBody(h: usize, number: i32, slot: i32): f64 {
  const to = load<usize>(h, S.VELOCITY) + <usize>number * S.VELOCITY_BYTES;
  const v = column(BODY_LINEAR_VELOCITY) + ((<usize>slot) << 5);
  copy24(to, v);
  copy24(to + 24, column(BODY_ANGULAR_VELOCITY) + ((<usize>slot) << 5));
  const info = load<usize>(h, S.INFO) + <usize>number * S.INFO_BYTES;
  store<f64>(info, 0, S.INVERSE_MASS);
  for (let k: usize = 0; k < 48; k += 8) store<f64>(info + k, 0, S.INVERSE_INERTIA);
  store<i32>(info, slot, S.SLOT);
  return load<f64>(v) * load<f64>(v) + load<f64>(v, 8) * load<f64>(v, 8) + load<f64>(v, 16) * load<f64>(v, 16);
}

/** Numbers of the bodies that contacts do not move: one for all static ones, then each kinematic one. */
function openFixed(h: usize, island: i32): void {
  const map = load<usize>(h, S.MAP);
  const start = getI32(column(ISLAND_PAIR_START), island);
  const end = start + getI32(column(ISLAND_PAIR_COUNT), island);
  const firstJoint = getI32(column(ISLAND_JOINT_START), island);
  const lastJoint = firstJoint + getI32(column(ISLAND_JOINT_COUNT), island);
  worldSlot = -1;
  fixedRecords = load<i32>(h, S.BODIES) + 1;
  for (let pass = 0; pass < 2; pass++) {
    for (let i = start; i < end; i++) {
      const pair = getI32(column(ISLAND_PAIRS), i);
      openEnd(h, map, getI32(column(PAIR_BODY_A), pair), pass);
      openEnd(h, map, getI32(column(PAIR_BODY_B), pair), pass);
    }
    for (let i = firstJoint; i < lastJoint; i++) {
      const joint = getI32(column(ISLAND_JOINTS), i);
      for (let side = 0; side < 2; side++) {
        const slot = getI32(column(JOINT_BODY), 2 * joint + side);
        if (slot >= 0) openEnd(h, map, slot, pass);
      }
    }
  }
  const world = load<i32>(h, S.BODIES);
  if (worldSlot >= 0) writeBody(h, world, worldSlot);
  else if (lastJoint > firstJoint) {
    memory.fill(load<usize>(h, S.VELOCITY) + <usize>world * S.VELOCITY_BYTES, 0, S.VELOCITY_BYTES);
    memory.fill(load<usize>(h, S.INFO) + <usize>world * S.INFO_BYTES, 0, S.INFO_BYTES);
  }
  store<i32>(h, fixedRecords, S.RECORDS);
}

// What openEnd finds.
let worldSlot = -1;
let fixedRecords = 0;

/** Forgets the number of a body that is not dynamic (pass 0), or gives it one. */
function openEnd(h: usize, map: usize, slot: i32, pass: i32): void {
  const bits = getI32(column(BODY_FLAGS), slot);
  if (bits & BODY_DYNAMIC) return;
  if (pass == 0) setI32(map, slot, -1);
  else if (getI32(map, slot) < 0) {
    if (bits & BODY_KINEMATIC) {
      setI32(map, slot, fixedRecords);
      writeBody(h, fixedRecords++, slot);
    } else {
      setI32(map, slot, load<i32>(h, S.BODIES));
      worldSlot = slot;
    }
  }
}

function openManifolds(h: usize, island: i32): bool {
  const start = getI32(column(ISLAND_PAIR_START), island);
  const end = start + getI32(column(ISLAND_PAIR_COUNT), island);
  const pairs = column(ISLAND_PAIRS);
  let m = load<usize>(h, S.MANIFOLDS);
  let key = 0;
  for (let i = start; i < end; i++, m += S.MANIFOLD_BYTES) {
    const pair = getI32(pairs, i);
    writeManifold(h, m, pair);
    const count = getI32(column(PAIR_POINTS), pair);
    // Which points are open and carry nothing is of little weight in the factor, and changes
    // when boxes are all but parallel.
    for (let k = 0; k < count; k++) {
      if (isLoose(m, k)) continue;
      key += mixBits(pair * 31 + getI32(column(PAIR_FEATURE), pair * 4 + k));
    }
  }
  store<i32>(h, key, S.CONTACT_KEY);
  return true;
}

/** Whether point k of a manifold is open and carries nothing. */
function isLoose(m: usize, k: i32): bool {
  return load<f64>(m + ((<usize>k) << 3), S.TARGET) > closedSpeed && (load<i32>(m, S.CARRIES) & (1 << k)) == 0;
}

function writeManifold(h: usize, m: usize, pair: i32): void {
  const map = load<usize>(h, S.MAP);
  const slotA = getI32(column(PAIR_BODY_A), pair);
  const slotB = getI32(column(PAIR_BODY_B), pair);
  const a = getI32(map, slotA);
  const b = getI32(map, slotB);
  const count = getI32(column(PAIR_POINTS), pair);
  store<i32>(m, a, S.BODY_A);
  store<i32>(m, b, S.BODY_B);
  store<i32>(m, pair, S.PAIR);
  store<i32>(m, count, S.COUNT);
  store<i32>(m, count > 2 ? 32 : 16, S.LANES);
  const normal = column(PAIR_NORMAL) + ((<usize>pair) << 5);
  const tangent = column(PAIR_TANGENT) + ((<usize>pair) << 5);
  const material = column(PAIR_MATERIAL) + ((<usize>pair) << 5);
  copy24(m + S.NORMAL, normal);
  store<f64>(m, load<f64>(material), S.MU);
  const nx = load<f64>(normal);
  const ny = load<f64>(normal, 8);
  const nz = load<f64>(normal, 16);
  const tx = load<f64>(tangent);
  const ty = load<f64>(tangent, 8);
  const tz = load<f64>(tangent, 16);
  const sx = ny * tz - nz * ty;
  const sy = nz * tx - nx * tz;
  const sz = nx * ty - ny * tx;
  const surface1 = load<f64>(material, 16);
  const surface2 = load<f64>(material, 24);
  store<f64>(m, surface1 * tx + surface2 * sx, S.SURFACE);
  store<f64>(m, surface1 * ty + surface2 * sy, S.SURFACE + 8);
  store<f64>(m, surface1 * tz + surface2 * sz, S.SURFACE + 16);
  const centerA = column(BODY_POSITION) + ((<usize>slotA) << 5);
  const centerB = column(BODY_POSITION) + ((<usize>slotB) << 5);
  const infoA = load<usize>(h, S.INFO) + <usize>a * S.INFO_BYTES;
  const infoB = load<usize>(h, S.INFO) + <usize>b * S.INFO_BYTES;
  if (isFresh) store<i32>(m, 0, S.CARRIES);

  for (let k = 0; k < count; k++) {
    const lane = m + ((<usize>k) << 3);
    const from = (<usize>(pair * 16 + k * 4)) << 3;
    const point = column(PAIR_POINT) + from;
    const impulse = column(PAIR_IMPULSE) + from;
    for (let x: usize = 0; x < 3; x++) {
      const p = load<f64>(point + (x << 3));
      store<f64>(lane + (x << 5), p - load<f64>(centerA + (x << 3)), S.ARM_A);
      store<f64>(lane + (x << 5), p - load<f64>(centerB + (x << 3)), S.ARM_B);
    }
    store<f64>(lane, targetSpeed(h, load<f64>(point, 24)), S.TARGET);
    const rn = load<f64>(impulse);
    const r1 = load<f64>(impulse, 8);
    const r2 = load<f64>(impulse, 16);
    store<f64>(lane, rn * nx + r1 * tx + r2 * sx, S.IMPULSE);
    store<f64>(lane, rn * ny + r1 * ty + r2 * sy, S.IMPULSE + 32);
    store<f64>(lane, rn * nz + r1 * tz + r2 * sz, S.IMPULSE + 64);
    const lambda = (traceOf(lane + S.ARM_A, infoA) + traceOf(lane + S.ARM_B, infoB)) / 3;
    store<f64>(lane, lambda, S.LAMBDA);
    // What has landed stays within a hair of its slack, on either side.
    if (isFresh && rn * lambda > closedSpeed) store<i32>(m, load<i32>(m, S.CARRIES) | (1 << k), S.CARRIES);
    const own = isLoose(m, k) ? OPEN_STIFFNESS : stiffness;
    store<f64>(lane, own / lambda, S.RHO);
    store<f64>(lane, lambda / own, S.R);
  }

  // Empty lanes lie where the first point is and carry nothing.
  for (let k = count; k < 4; k++) {
    const lane = m + ((<usize>k) << 3);
    for (let x: usize = 0; x < 3; x++) {
      store<f64>(lane + (x << 5), load<f64>(m + (x << 5), S.ARM_A), S.ARM_A);
      store<f64>(lane + (x << 5), load<f64>(m + (x << 5), S.ARM_B), S.ARM_B);
      store<f64>(lane + (x << 5), 0, S.IMPULSE);
    }
    store<f64>(lane, 0, S.TARGET);
    store<f64>(lane, 0, S.LAMBDA);
    store<f64>(lane, 0, S.RHO);
    store<f64>(lane, 0, S.R);
  }
}

/** What w asks of a gap: an open one may close but not be crossed, a penetration parts at a bounded rate. */
function targetSpeed(h: usize, gap: f64): f64 {
  const dt = parameter(TIME_STEP);
  if (gap >= -slack) return max(gap - slack, 0) / dt;
  const w = max((parameter(RECOVERY_RATE) * (gap + slack)) / dt, -parameter(RECOVERY_SPEED));
  if (w < -RELAX_SPEED) store<i32>(h, 1, S.IS_RECOVERING);
  if (-w > load<f64>(h, S.RECOVERY)) store<f64>(h, -w, S.RECOVERY);
  return w;
}

/** trace of P M⁻¹ Pᵀ: 3/m + |r|² tr I⁻¹ − rᵀ I⁻¹ r. */
function traceOf(arm: usize, info: usize): f64 {
  const x = load<f64>(arm);
  const y = load<f64>(arm, 32);
  const z = load<f64>(arm, 64);
  const xx = load<f64>(info, S.INVERSE_INERTIA);
  const yy = load<f64>(info, S.INVERSE_INERTIA + 8);
  const zz = load<f64>(info, S.INVERSE_INERTIA + 16);
  const xy = load<f64>(info, S.INVERSE_INERTIA + 24);
  const xz = load<f64>(info, S.INVERSE_INERTIA + 32);
  const yz = load<f64>(info, S.INVERSE_INERTIA + 40);
  const turned = xx * x * x + yy * y * y + zz * z * z + 2 * (xy * x * y + xz * x * z + yz * y * z);
  return 3 * load<f64>(info, S.INVERSE_MASS) + (x * x + y * y + z * z) * (xx + yy + zz) - turned;
}
