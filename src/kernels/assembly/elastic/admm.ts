// The contact side of ADMM in f32 SIMD: Algorithm 3 of Daviet 2020 and the vector steps around it.
//
// Twin of solvers/admm/project.ts. Everything is an increment: v = vRef + δ, p = vRef + π, λ = λ₀ +
// ℓ, where vRef solves the elastic equations with last step's forces; offsets of contacts hold B vRef,
// formed in f64. So f32 only carries what this step's contacts change. Rows are f32×4: x y z and a spare
// lane that stays 0 where contacts write.
//
// λ₀ + ℓ = W⁻¹ Bᵀ r holds after every update: from the second projection on Algorithm 3's p = v − λ +
// W⁻¹ Bᵀ r begins at v, with nothing to add up. Work memory: see state/admm-layout.ts.

import { NODE_CONTACT_COUNT } from '../../../state/layout';
import { solveBracketed } from '../contact-law/bracketed';
import { splat0, splat1, splat2, splat3 } from '../math/vector';
import { cell } from '../memory';
import { listGroups, pushGroups, sweepGroups } from './groups';
import {
  at,
  B_ARM_A,
  B_ARM_B,
  B_FRAME,
  B_OPERATOR,
  B_ROW,
  B_SCALE,
  B_TURN_A,
  B_TURN_B,
  BLOCK,
  BLOCKS,
  BODY_ROWS,
  CONTACTS,
  DELTA,
  DUAL,
  DUAL_START,
  GROUP_ROOM,
  LIST,
  MOVING_ROWS,
  PROJECTED,
  R_BLOCK,
  R_FORCE,
  R_GAMMA,
  R_GIVE,
  R_MU,
  R_NODE,
  R_NORMAL,
  R_OFFSET,
  R_PULL,
  R_SHARE,
  RECORD,
  RECORDS,
  RIGHT,
  ROW_LEFT,
  ROWS,
  SETTLED,
  SOLVED,
  WEIGHT,
} from './layout';

const b3 = memory.data(16);
const r3 = memory.data(16);
const r0 = memory.data(16);

/** right := W (π + ℓ) over all rows. */
export function admmRight(work: usize): void {
  const rows = (<usize>load<i32>(work, ROWS)) << 4;
  const p = at(work, PROJECTED);
  const l = at(work, DUAL);
  const w = at(work, WEIGHT);
  const out = at(work, RIGHT);
  for (let i: usize = 0; i < rows; i += 16) {
    v128.store(out + i, f32x4.mul(v128.load(w + i), f32x4.add(v128.load(p + i), v128.load(l + i))));
  }
}

function sum3(a: v128): f32 {
  return f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1) + f32x4.extract_lane(a, 2);
}

/** π += γ change for the record's nodes, and its bodies. */
function push(record: usize, p: usize, blocks: usize, change: v128): void {
  const gamma = v128.load(record, R_GAMMA);
  const n0 = p + <usize>load<i32>(record, R_NODE);
  const n1 = p + <usize>load<i32>(record, R_NODE + 4);
  v128.store(n0, f32x4.add(v128.load(n0), f32x4.mul(splat0(gamma), change)));
  v128.store(n1, f32x4.add(v128.load(n1), f32x4.mul(splat1(gamma), change)));
  const n2 = p + <usize>load<i32>(record, R_NODE + 8);
  const n3 = p + <usize>load<i32>(record, R_NODE + 12);
  v128.store(n2, f32x4.add(v128.load(n2), f32x4.mul(splat2(gamma), change)));
  v128.store(n3, f32x4.add(v128.load(n3), f32x4.mul(splat3(gamma), change)));
  const block = load<i32>(record, R_BLOCK);
  if (block < 0) return;
  const at = blocks + <usize>block * BLOCK;
  const impulse = f32x4.div(change, f32x4.splat(load<f32>(at, B_SCALE)));
  pushBody(at + B_ARM_A, at + B_TURN_A, load<i32>(at, B_ROW), p, impulse, 1);
  pushBody(at + B_ARM_B, at + B_TURN_B, load<i32>(at, B_ROW + 4), p, impulse, -1);
}

function pushBody(arm: usize, turn: usize, row: i32, p: usize, impulse: v128, sign: f32): void {
  if (row < 0) return;
  const v = p + <usize>row;
  const light = f32x4.splat(sign * load<f32>(arm, 12));
  v128.store(v, f32x4.add(v128.load(v), f32x4.mul(light, impulse)));
  const x = sign * f32x4.extract_lane(impulse, 0);
  const y = sign * f32x4.extract_lane(impulse, 1);
  const z = sign * f32x4.extract_lane(impulse, 2);
  for (let k: usize = 0; k < 3; k++) {
    const t = turn + 12 * k;
    const w = v + 16 + (k << 2);
    store<f32>(w, load<f32>(w) + load<f32>(t) * x + load<f32>(t, 4) * y + load<f32>(t, 8) * z);
  }
}

/** Velocity of a body's point. */
function bodyVelocity(arm: usize, row: i32, p: usize): v128 {
  if (row < 0) return f32x4.splat(0);
  const v = p + <usize>row;
  const ax = load<f32>(arm);
  const ay = load<f32>(arm, 4);
  const az = load<f32>(arm, 8);
  const wx = load<f32>(v, 16);
  const wy = load<f32>(v, 20);
  const wz = load<f32>(v, 24);
  return f32x4(
    load<f32>(v) + wy * az - wz * ay,
    load<f32>(v, 4) + wz * ax - wx * az,
    load<f32>(v, 8) + wx * ay - wy * ax,
    0,
  );
}

/** Σ b p of the record's nodes. */
export function shareOf(record: usize, p: usize): v128 {
  const share = v128.load(record, R_SHARE);
  const a = f32x4.add(
    f32x4.mul(splat0(share), v128.load(p + <usize>load<i32>(record, R_NODE))),
    f32x4.mul(splat1(share), v128.load(p + <usize>load<i32>(record, R_NODE + 4))),
  );
  const b = f32x4.add(
    f32x4.mul(splat2(share), v128.load(p + <usize>load<i32>(record, R_NODE + 8))),
    f32x4.mul(splat3(share), v128.load(p + <usize>load<i32>(record, R_NODE + 12))),
  );
  return f32x4.add(a, b);
}

/** Velocity of the record's point on its bodies, A less B; 0 where it has none. */
export function bodyPart(record: usize, p: usize, blocks: usize): v128 {
  const block = load<i32>(record, R_BLOCK);
  if (block < 0) return f32x4.splat(0);
  const at = blocks + <usize>block * BLOCK;
  return f32x4.sub(
    bodyVelocity(at + B_ARM_A, load<i32>(at, B_ROW), p),
    bodyVelocity(at + B_ARM_B, load<i32>(at, B_ROW + 4), p),
  );
}

/** Change of s r of a contact with bodies at velocity u. */
function solveBlock(block: usize, u: v128, force: v128, mu: f32): v128 {
  const s = load<f32>(block, B_SCALE);
  for (let i: usize = 0; i < 3; i++) {
    const row = block + B_FRAME + 12 * i;
    const x = load<f32>(row);
    const y = load<f32>(row, 4);
    const z = load<f32>(row, 8);
    store<f32>(
      b3 + (i << 2),
      x * f32x4.extract_lane(u, 0) + y * f32x4.extract_lane(u, 1) + z * f32x4.extract_lane(u, 2),
    );
    const r =
      (x * f32x4.extract_lane(force, 0) + y * f32x4.extract_lane(force, 1) + z * f32x4.extract_lane(force, 2)) / s;
    store<f32>(r0 + (i << 2), r);
  }
  for (let i: usize = 0; i < 3; i++) {
    const row = block + B_OPERATOR + 12 * i;
    const own =
      load<f32>(row) * load<f32>(r0) + load<f32>(row, 4) * load<f32>(r0, 4) + load<f32>(row, 8) * load<f32>(r0, 8);
    store<f32>(b3 + (i << 2), load<f32>(b3 + (i << 2)) - own);
  }
  solveBracketed<f32, f32>(r3, block + B_OPERATOR, b3, mu);
  const c0 = s * (load<f32>(r3) - load<f32>(r0));
  const c1 = s * (load<f32>(r3, 4) - load<f32>(r0, 4));
  const c2 = s * (load<f32>(r3, 8) - load<f32>(r0, 8));
  const f = block + B_FRAME;
  return f32x4(
    load<f32>(f) * c0 + load<f32>(f, 12) * c1 + load<f32>(f, 24) * c2,
    load<f32>(f, 4) * c0 + load<f32>(f, 16) * c1 + load<f32>(f, 28) * c2,
    load<f32>(f, 8) * c0 + load<f32>(f, 20) * c1 + load<f32>(f, 32) * c2,
    0,
  );
}

/** Change of s r of an isotropic contact: the three cases. (µ < 0: no contact, but what holds at any force.) */
function solveIsotropic(u: v128, force: v128, normal: v128, mu: f32): v128 {
  let x = f32x4.sub(u, force);
  const un = sum3(f32x4.mul(x, normal));
  if (un < 0) {
    x = f32x4.sub(x, f32x4.mul(f32x4.splat(un), normal));
    const slip = sqrt<f32>(sum3(f32x4.mul(x, x)));
    const limit = -mu * un;
    x = f32x4.mul(x, f32x4.splat(slip <= limit ? 0 : 1 - limit / slip));
  }
  return f32x4.sub(x, u);
}

/**
 * π := δ − ℓ − λ₀ + W⁻¹ Bᵀ r (later on the relaxed velocities π + relaxation (δ − π), but for new
 * contacts), projected on the feasible set: `sweeps` sweeps. Changes below `sleepBelow` [m/s] put a contact (of a
 * group: all four) to sleep for `sleepSweeps` sweeps; 0: none sleeps. Returns the number of contacts solved. The
 * relaxed velocities are taken off ℓ; admmUpdate adds π.
 */
export function admmProject(work: usize, sweeps: i32, sleepBelow: f32, sleepSweeps: i32, relaxation: f32): i32 {
  admmBegin(work, relaxation);
  return admmSweep(work, sweeps, sleepBelow, sleepSweeps, 0);
}

/** The start of admmProject, of all that does not wait. */
export function admmBegin(work: usize, relaxation: f32): void {
  const p = at(work, PROJECTED);
  const settled = load<i32>(work, SETTLED);
  const size = (<usize>load<i32>(work, ROWS)) << 4;
  // What was found since the last projection has its force, if any, not in λ yet.
  if (settled < 0) {
    startProjection(work, p, size);
    pushRecords(work, p);
    pushGroups(work, p, 0);
  } else {
    relax(work, p, size, f32x4.splat(relaxation));
    if (settled < cell(NODE_CONTACT_COUNT)) pushGroups(work, p, settled);
  }
  store<i32>(work, cell(NODE_CONTACT_COUNT), SETTLED);
}

/** The sweeps of admmProject, over contacts that have one of the `bits` in a row; 0: over all that do not rest. */
export function admmSweep(work: usize, sweeps: i32, sleepBelow: f32, sleepSweeps: i32, bits: i32): i32 {
  store<i32>(work, 0, SOLVED);
  const limit = sleepBelow * sleepBelow;
  let awakeRecords = 0;
  let awake = 0;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    if (sweep % (sleepSweeps + 1) == 0) {
      awakeRecords = listRecords(work, bits);
      awake = listGroups(work, bits);
    }
    awakeRecords = sweepRecords(work, awakeRecords, limit);
    awake = sweepGroups(work, awake, limit);
  }
  return load<i32>(work, SOLVED);
}

/** Rows p += W⁻¹ Bᵀ r of the records, less cohesion. */
export function pushRecords(work: usize, p: usize): void {
  const records = at(work, RECORDS);
  const blocks = at(work, BLOCKS);
  const end = records + <usize>load<i32>(work, CONTACTS) * RECORD;
  for (let record = records; record < end; record += RECORD) {
    const pull = f32x4.replace_lane(v128.load(record, R_PULL), 3, 0);
    push(record, p, blocks, f32x4.sub(v128.load(record, R_FORCE), pull));
  }
}

/** π := δ − ℓ − λ₀ and ℓ −= δ, rows of `size` bytes in all. */
function startProjection(work: usize, p: usize, size: usize): void {
  const v = at(work, DELTA);
  const l = at(work, DUAL);
  const start = at(work, DUAL_START);
  for (let i: usize = 0; i < size; i += 16) {
    const now = v128.load(v + i);
    const dual = v128.load(l + i);
    v128.store(p + i, f32x4.sub(now, f32x4.add(dual, v128.load(start + i))));
    v128.store(l + i, f32x4.sub(dual, now));
  }
}

/** π += relaxation (δ − π) where nothing rests, ℓ −= π; rows without weight follow δ. What waits stays. */
function relax(work: usize, p: usize, size: usize, relaxation: v128): void {
  const v = at(work, DELTA);
  const l = at(work, DUAL);
  const w = at(work, WEIGHT);
  const moving = at(work, MOVING_ROWS);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  for (let i: usize = 0; i < size; i += 16) {
    const flag = load<u8>(moving + (i >> 4));
    if (flag == <u8>ROW_LEFT) continue;
    const before = v128.load(p + i);
    const share = flag != 0 ? relaxation : zero;
    const by = v128.bitselect(share, one, f32x4.gt(v128.load(w + i), zero));
    const now = f32x4.add(before, f32x4.mul(by, f32x4.sub(v128.load(v + i), before)));
    v128.store(p + i, now);
    v128.store(l + i, f32x4.sub(v128.load(l + i), now));
  }
}

/**
 * Lists all records as awake, with `bits` those that have one of them in a row, behind the list of groups; returns how
 * many there are.
 */
function listRecords(work: usize, bits: i32): i32 {
  const count = load<i32>(work, CONTACTS);
  const list = recordList(work);
  let awake = 0;
  for (let c = 0; c < count; c++) {
    store<i32>(list + ((<usize>awake) << 2), c);
    awake += <i32>(bits == 0 || (flagsOf(work, at(work, RECORDS) + <usize>c * RECORD) & bits) != 0);
  }
  return awake;
}

/** The bits of a record's rows together. */
function flagsOf(work: usize, record: usize): i32 {
  const flags = at(work, MOVING_ROWS);
  let all = 0;
  for (let k: usize = 0; k < 16; k += 4) all |= load<u8>(flags + <usize>(load<i32>(record + k, R_NODE) >> 4));
  const block = load<i32>(record, R_BLOCK);
  if (block < 0) return all;
  const rows = at(work, BLOCKS) + <usize>block * BLOCK;
  for (let k: usize = 0; k < 8; k += 4) {
    const row = load<i32>(rows + k, B_ROW);
    if (row >= 0) all |= load<u8>(flags + <usize>(row >> 4));
  }
  return all;
}

function recordList(work: usize): usize {
  return at(work, LIST) + ((<usize>load<i32>(work, GROUP_ROOM)) << 2);
}

/** One sweep over the listed records; returns how many stay awake. */
function sweepRecords(work: usize, listed: i32, limit: f32): i32 {
  const p = at(work, PROJECTED);
  const records = at(work, RECORDS);
  const blocks = at(work, BLOCKS);
  const list = recordList(work);
  let awake: usize = 0;
  for (let k: usize = 0; k < <usize>listed; k++) {
    const c = load<i32>(list + (k << 2));
    const record = records + <usize>c * RECORD;
    const force = v128.load(record, R_FORCE);
    let u = f32x4.add(v128.load(record, R_OFFSET), f32x4.mul(f32x4.splat(load<f32>(record, R_GIVE)), force));
    u = f32x4.add(u, shareOf(record, p));
    u = f32x4.replace_lane(u, 3, 0);
    const block = load<i32>(record, R_BLOCK);
    const mu = load<f32>(record, R_MU);
    let change: v128;
    if (block >= 0) {
      const at = blocks + <usize>block * BLOCK;
      u = f32x4.add(u, bodyPart(record, p, blocks));
      change = solveBlock(at, u, force, mu);
    } else if (mu < 0) change = f32x4.neg(u);
    else change = solveIsotropic(u, force, v128.load(record, R_NORMAL), mu);
    v128.store(record, f32x4.add(force, change), R_FORCE);
    push(record, p, blocks, change);
    store<i32>(list + (awake << 2), c);
    if (!(sum3(f32x4.mul(change, change)) < limit)) awake++;
  }
  store<i32>(work, load<i32>(work, SOLVED) + listed, SOLVED);
  return <i32>awake;
}

/** δ of the bodies' rows that do not wait, or of `all` := w/(1 + w) (π + ℓ), w their weight over their mass (W). */
export function admmBodies(work: usize, all: bool): void {
  const rows = <usize>load<i32>(work, ROWS);
  const first = <usize>load<i32>(work, BODY_ROWS);
  const p = at(work, PROJECTED);
  const v = at(work, DELTA);
  const l = at(work, DUAL);
  const w = at(work, WEIGHT);
  const one = f32x4.splat(1);
  const flags = at(work, MOVING_ROWS);
  for (let i = first << 4; i < (rows - 1) << 4; i += 16) {
    if (!all && load<u8>(flags + (i >> 4)) == <u8>ROW_LEFT) continue;
    const weight = v128.load(w + i);
    const sum = f32x4.add(v128.load(p + i), v128.load(l + i));
    v128.store(v + i, f32x4.div(f32x4.mul(weight, sum), f32x4.add(one, weight)));
  }
}
