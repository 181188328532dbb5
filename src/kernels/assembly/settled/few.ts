// Islands of up to four contacts, solved exactly at once: Newton's method on the law, in f64.
//
// In: an island in the tables, its impulses of the step before. Out: as settled.ts, with PAIR_IMPULSE, PAIR_HIT,
// BODY_MOTION, velocities and ISLAND_RESIDUAL; or nothing, where it is left to another solver: what may bounce, or
// turns far, has its energy corrected in TypeScript (dynamics/rebound.ts).
//
// Four contacts are twelve rows: their W is formed in full, and solved in few-law.ts.

import { LOSSLESS_REST, RELAX_SPEED } from '../../../core/engine-constants';
import { EXACT_SLACK, FAST_TURN, FEW_CONTACTS, UNREACHED } from '../../../state/exact-solve';
import {
  BODY_ANGULAR_VELOCITY,
  BODY_FLAGS,
  BODY_LOCAL_INERTIA,
  BODY_LOCKS,
  BODY_VELOCITY_CHANGE,
  ISLAND_BODIES,
  ISLAND_BODY_COUNT,
  ISLAND_BODY_START,
  ISLAND_PAIR_COUNT,
  ISLAND_PAIR_START,
  ISLAND_PAIRS,
  PAIR_MATERIAL,
  PAIR_POINT,
  PAIR_POINTS,
  PAIR_TANGENT,
  RECOVERY_RATE,
  RECOVERY_SPEED,
  RESTITUTION_THRESHOLD,
  SPECULATIVE_DISTANCE,
  TIME_STEP,
  TOLERANCE,
} from '../../../state/layout';
import { row4 } from '../math/boxes';
import { dot3 } from '../math/vector';
import { column, get, getI32, parameter, put } from '../memory';
import { speedCapOf } from '../motion/driven-speed';
import { isAnisotropic } from '../motion/free-spin';
import * as F from './few-law';
import { openExact } from './gather';
import { lawPass } from './law';
import * as S from './layout';
import {
  isWildSettled,
  keepSettled,
  normalSpeed,
  resetVelocities,
  storeImpulses,
  warmStartSettled,
  writeMotion,
} from './settled';

// Of each contact: address of its manifold, numbers of its bodies.
const MANIFOLD = memory.data(16);
const SIDES = memory.data(32);
// Six numbers a row: side A, then side B; what they do to the velocities.
const WRENCH = memory.data(1152);
const RESPONSE = memory.data(1152);
const FREE = memory.data(96);
const MOVED = memory.data(96);

// Why an island is left to another solver: it may bounce or turns far; no answer was found; it throws bodies about.
const LEFT: i32 = -1;
const MISSED: i32 = -2;
const WILD: i32 = -3;

let contacts: i32 = 0;

/**
 * Solves the island to TOLERANCE times its largest free velocity; bodies may be as fast as what drives them allows.
 * Returns the Newton steps taken, or LEFT, MISSED or WILD: then nothing was done. `h`: settledScratchSize.
 */
export function solveFew(island: i32, h: usize): i32 {
  if (!isFew(island) || turnsFar(island) || !openExact(island, h)) return LEFT;
  listContacts(h);
  if (mayRebound(h)) return LEFT;
  writeRows(h);
  const tolerance = parameter(TOLERANCE);
  const cap = speedCapOf(island);
  const isRecovering = setTargets();
  F.open();
  if (!F.solve(contacts, tolerance)) return MISSED;
  applyImpulses(h);
  if (isWildSettled(h, cap)) return WILD;
  let residual = lawPass(h, false);

  // The velocity that moves the bodies, and the one that they keep: nothing is written before both are found.
  const hasTwo = isRecovering || isLanding();
  if (hasTwo) {
    memory.copy(MOVED, F.R, 96);
    setKeptTargets(h);
    if (!F.solve(contacts, tolerance)) return MISSED;
    applyImpulses(h);
    if (isWildSettled(h, cap)) return WILD;
    residual = max(residual, lawPass(h, false));
    exchangeImpulses();
    applyImpulses(h);
  }
  store<f64>(h, residual, S.RESIDUAL);
  writeMotion(h);
  for (let m = load<usize>(h, S.MANIFOLDS); m < load<usize>(h, S.MANIFOLDS_END); m += S.MANIFOLD_BYTES) {
    storeImpulses(m);
  }
  if (hasTwo) {
    exchangeImpulses();
    applyImpulses(h);
  }
  keepSettled(h);
  return F.passes;
}

/** Impulses ↔ MOVED. */
function exchangeImpulses(): void {
  for (let k = 0; k < 12; k++) {
    const r = get<f64>(F.R, k);
    put<f64>(F.R, k, get<f64>(MOVED, k));
    put<f64>(MOVED, k, r);
  }
}

function isFew(island: i32): bool {
  const start = getI32(column(ISLAND_PAIR_START), island);
  const end = start + getI32(column(ISLAND_PAIR_COUNT), island);
  let count = 0;
  for (let i = start; i < end; i++) count += getI32(column(PAIR_POINTS), getI32(column(ISLAND_PAIRS), i));
  return count > 0 && count <= FEW_CONTACTS;
}

/** Whether a body turns so far in the step that its inertia along the world's axes changes. */
function turnsFar(island: i32): bool {
  const start = getI32(column(ISLAND_BODY_START), island);
  const end = start + getI32(column(ISLAND_BODY_COUNT), island);
  const limit = FAST_TURN / parameter(TIME_STEP);
  for (let i = start; i < end; i++) {
    const body = getI32(column(ISLAND_BODIES), i);
    const w = row4(BODY_ANGULAR_VELOCITY, body);
    const x = load<f64>(w);
    const y = load<f64>(w, 8);
    const z = load<f64>(w, 16);
    if (x * x + y * y + z * z <= limit * limit || getI32(column(BODY_FLAGS), body) & BODY_LOCKS) continue;
    if (isAnisotropic(column(BODY_LOCAL_INERTIA) + ((<usize>body) << 6))) return true;
  }
  return false;
}

function listContacts(h: usize): void {
  contacts = 0;
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    const count = load<i32>(m, S.COUNT);
    for (let k = 0; k < count; k++) {
      put<usize>(MANIFOLD, contacts, m);
      put<usize>(F.LANE, contacts, m + ((<usize>k) << 3));
      put<f64>(F.FRICTION, contacts, load<f64>(m, S.MU));
      put<i32>(SIDES, 2 * contacts, load<i32>(m, S.BODY_A));
      put<i32>(SIDES, 2 * contacts + 1, load<i32>(m, S.BODY_B));
      contacts++;
    }
  }
}

function manifold(c: i32): usize {
  return get<usize>(MANIFOLD, c);
}

function lane(c: i32): usize {
  return get<usize>(F.LANE, c);
}

/** Row of the point of contact c in PAIR_POINT. */
function pointOf(c: i32): usize {
  const m = manifold(c);
  return column(PAIR_POINT) + ((<usize>load<i32>(m, S.PAIR)) << 7) + ((lane(c) - m) << 2);
}

function slotOf(h: usize, c: i32, side: i32): usize {
  return <usize>load<i32>(load<usize>(h, S.INFO) + <usize>get<i32>(SIDES, 2 * c + side) * S.INFO_BYTES, S.SLOT);
}

/** Whether a contact meets, or parts, fast enough to bounce if it can (markRebound of dynamics/rebound.ts). */
function mayRebound(h: usize): bool {
  const changes = column(BODY_VELOCITY_CHANGE);
  const velocity = load<usize>(h, S.VELOCITY);
  for (let c = 0; c < contacts; c++) {
    const m = manifold(c);
    const e = load<f64>(column(PAIR_MATERIAL) + ((<usize>load<i32>(m, S.PAIR)) << 5), 8);
    if (!(e > 0)) continue;
    const from = changes + (slotOf(h, c, 0) << 6);
    const to = changes + (slotOf(h, c, 1) << 6);
    const a = velocity + <usize>get<i32>(SIDES, 2 * c) * S.VELOCITY_BYTES;
    const b = velocity + <usize>get<i32>(SIDES, 2 * c + 1) * S.VELOCITY_BYTES;
    const free = normalSpeed(m, lane(c), a, a + 24, b, b + 24);
    const load0 = dot3(
      load<f64>(m, S.NORMAL),
      load<f64>(m, S.NORMAL + 8),
      load<f64>(m, S.NORMAL + 16),
      load<f64>(to) - load<f64>(from),
      load<f64>(to, 8) - load<f64>(from, 8),
      load<f64>(to, 16) - load<f64>(from, 16),
    );
    const before = free - normalSpeed(m, lane(c), from, from + 32, to, to + 32);
    const lively = min(1.0, 5 * (1 - e));
    const rest = e < 1 ? -load0 : -(<f64>LOSSLESS_REST) * load0;
    const slow = max(max(parameter(RESTITUTION_THRESHOLD) * lively, rest), 0.0);
    if (min(before, free - load0) < -slow || before > slow) return true;
  }
  return false;
}

/** Rows of H and M⁻¹Hᵀ, W, and H v of the free velocities, surfaces' speeds taken off. */
function writeRows(h: usize): void {
  for (let c = 0; c < contacts; c++) writeContact(h, c);
  const n = load<i32>(h, S.BODIES);
  for (let c = 0; c < contacts; c++) {
    for (let o = 0; o < contacts; o++) {
      const block = F.W + <usize>(4 * c + o) * 72;
      for (let i = 0; i < 9; i++) put<f64>(block, i, 0);
      for (let s = 0; s < 2; s++) {
        const body = get<i32>(SIDES, 2 * c + s);
        if (body >= n) continue;
        for (let t = 0; t < 2; t++) {
          if (get<i32>(SIDES, 2 * o + t) == body) addBlock(block, WRENCH + part(c, s), RESPONSE + part(o, t));
        }
      }
    }
  }
}

/** Offset of the three rows of a contact's side. */
function part(c: i32, side: i32): usize {
  return <usize>(2 * c + side) * 144;
}

function addBlock(block: usize, wrench: usize, response: usize): void {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      let sum: f64 = get<f64>(block, 3 * i + j);
      for (let k = 0; k < 6; k++) sum += get<f64>(wrench, 6 * i + k) * get<f64>(response, 6 * j + k);
      put<f64>(block, 3 * i + j, sum);
    }
  }
}

function writeContact(h: usize, c: i32): void {
  const m = manifold(c);
  const at = lane(c);
  const nx = load<f64>(m, S.NORMAL);
  const ny = load<f64>(m, S.NORMAL + 8);
  const nz = load<f64>(m, S.NORMAL + 16);
  const tangent = column(PAIR_TANGENT) + ((<usize>load<i32>(m, S.PAIR)) << 5);
  const tx = load<f64>(tangent);
  const ty = load<f64>(tangent, 8);
  const tz = load<f64>(tangent, 16);
  for (let d = 0; d < 3; d++) {
    const x = d == 0 ? nx : d == 1 ? tx : ny * tz - nz * ty;
    const y = d == 0 ? ny : d == 1 ? ty : nz * tx - nx * tz;
    const z = d == 0 ? nz : d == 1 ? tz : nx * ty - ny * tx;
    let free = -dot3(x, y, z, load<f64>(m, S.SURFACE), load<f64>(m, S.SURFACE + 8), load<f64>(m, S.SURFACE + 16));
    for (let side = 0; side < 2; side++) free += writeRow(h, c, side, d, x, y, z);
    put<f64>(FREE, 3 * c + d, free);
    const rx = load<f64>(at, S.IMPULSE);
    const ry = load<f64>(at, S.IMPULSE + 32);
    const rz = load<f64>(at, S.IMPULSE + 64);
    put<f64>(F.R, 3 * c + d, dot3(x, y, z, rx, ry, rz));
  }
}

/** One row of one side: its wrench, what that does to the body, and its part of H v. */
function writeRow(h: usize, c: i32, side: i32, d: i32, x: f64, y: f64, z: f64): f64 {
  const arm = lane(c) + (side ? S.ARM_B : S.ARM_A);
  const sign: f64 = side ? 1 : -1;
  const px = load<f64>(arm);
  const py = load<f64>(arm, 32);
  const pz = load<f64>(arm, 64);
  const wrench = WRENCH + part(c, side) + <usize>d * 48;
  put<f64>(wrench, 0, sign * x);
  put<f64>(wrench, 1, sign * y);
  put<f64>(wrench, 2, sign * z);
  put<f64>(wrench, 3, sign * (py * z - pz * y));
  put<f64>(wrench, 4, sign * (pz * x - px * z));
  put<f64>(wrench, 5, sign * (px * y - py * x));
  const body = <usize>get<i32>(SIDES, 2 * c + side);
  const info = load<usize>(h, S.INFO) + body * S.INFO_BYTES;
  const response = RESPONSE + part(c, side) + <usize>d * 48;
  const share = load<f64>(info, S.INVERSE_MASS);
  for (let k = 0; k < 3; k++) put<f64>(response, k, share * get<f64>(wrench, k));
  const ax = get<f64>(wrench, 3);
  const ay = get<f64>(wrench, 4);
  const az = get<f64>(wrench, 5);
  const inverse = info + S.INVERSE_INERTIA;
  put<f64>(response, 3, get<f64>(inverse, 0) * ax + get<f64>(inverse, 3) * ay + get<f64>(inverse, 4) * az);
  put<f64>(response, 4, get<f64>(inverse, 3) * ax + get<f64>(inverse, 1) * ay + get<f64>(inverse, 5) * az);
  put<f64>(response, 5, get<f64>(inverse, 4) * ax + get<f64>(inverse, 5) * ay + get<f64>(inverse, 2) * az);
  const v = load<usize>(h, S.VELOCITY) + body * S.VELOCITY_BYTES;
  let speed: f64 = 0;
  for (let k = 0; k < 6; k++) speed += get<f64>(wrench, k) * get<f64>(v, k);
  return speed;
}

/**
 * b of the velocity that moves the bodies (writeMotionTerms of solve-contacts.ts); true if recovery is worth relaxing.
 */
function setTargets(): bool {
  const dt = parameter(TIME_STEP);
  const slack = EXACT_SLACK * parameter(SPECULATIVE_DISTANCE);
  let isRecovering = false;
  for (let c = 0; c < contacts; c++) {
    const gap = load<f64>(pointOf(c), 24);
    // What stands and has come to an end of its slack is put back by half of it at once.
    const left = gap > 0 ? max(gap - 0.5 * slack, 0.0) : min(gap + 0.5 * slack, 0.0);
    const parted = max(max(left, parameter(RECOVERY_RATE) * left - slack), -parameter(RECOVERY_SPEED) * dt);
    const w = (left > 0 ? left : parted) / dt;
    if (w < -RELAX_SPEED) isRecovering = true;
    setTarget(c, w);
  }
  return isRecovering;
}

function setTarget(c: i32, w: f64): void {
  store<f64>(lane(c), w, S.TARGET);
  for (let d = 3 * c; d < 3 * c + 3; d++) put<f64>(F.OFFSET, d, get<f64>(FREE, d));
  put<f64>(F.OFFSET, 3 * c, get<f64>(FREE, 3 * c) + w);
}

/** Whether the motion closes a gap faster than matters: what lands has lost all its approach in this step. */
function isLanding(): bool {
  const open = RELAX_SPEED * parameter(TIME_STEP);
  for (let c = 0; c < contacts; c++) {
    if (get<f64>(F.R, 3 * c) > 0 && load<f64>(pointOf(c), 24) > open) return true;
  }
  return false;
}

/** b of the velocity that the bodies keep: gaps as they are at the end of the step, no recovery (rebound.ts). */
function setKeptTargets(h: usize): void {
  const dt = parameter(TIME_STEP);
  const velocity = load<usize>(h, S.VELOCITY);
  let fastest: f64 = 0;
  for (let k = 0; k < 3 * contacts; k++) fastest = max(fastest, abs(get<f64>(FREE, k)));
  for (let c = 0; c < contacts; c++) {
    const a = velocity + <usize>get<i32>(SIDES, 2 * c) * S.VELOCITY_BYTES;
    const b = velocity + <usize>get<i32>(SIDES, 2 * c + 1) * S.VELOCITY_BYTES;
    const left = load<f64>(pointOf(c), 24) + dt * normalSpeed(manifold(c), lane(c), a, a + 24, b, b + 24);
    // What is still open then is the next step's.
    const unreached = left > 0 && get<f64>(F.R, 3 * c) == 0;
    setTarget(c, max(left, 0.0) / dt + (unreached ? <f64>UNREACHED * fastest : 0.0));
  }
}

/** Impulses to the lanes, and the velocities that they give. */
function applyImpulses(h: usize): void {
  for (let c = 0; c < contacts; c++) {
    const at = lane(c);
    const rows = WRENCH + part(c, 1);
    for (let k = 0; k < 3; k++) {
      let sum: f64 = 0;
      for (let d = 0; d < 3; d++) sum += get<f64>(F.R, 3 * c + d) * get<f64>(rows, 6 * d + k);
      store<f64>(at + ((<usize>k) << 5), sum, S.IMPULSE);
    }
  }
  resetVelocities(h);
  warmStartSettled(h);
}
