// Strand contacts of the tables to records of admm.ts and back: the start and the end of a solve.
//
// In: strandContacts, W of the rows, velocities without contacts (f64×4 a node). Out: records, and forces, velocities and
// λ in the tables. Twin of dynamics/rods/collect-contacts.ts. Rows that touch a body of the problem are left inert here:
// their local problem is not isotropic, and TypeScript packs them among the records before.
//
// Velocities: v₀ without contacts (f64), δ₀ = A⁻¹ Bᵀ r of last step's forces, δ of the solve: v = v₀ + δ₀ + δ.

import {
  BODY_ANGULAR_VELOCITY,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_LINEAR_VELOCITY,
  NODE_COUNT,
  NODE_DUAL,
  NODE_POSITION,
  NODE_REST,
  NODE_STRAND,
  RECOVERY_RATE,
  RECOVERY_SPEED,
  ROD_PARAMETER,
  STRAND_CONTACT_ARM,
  STRAND_CONTACT_COUNT,
  STRAND_CONTACT_DRIFT,
  STRAND_CONTACT_FORCE,
  STRAND_CONTACT_MATERIAL,
  STRAND_CONTACT_NODE,
  STRAND_CONTACT_NORMAL,
  STRAND_CONTACT_SIDE,
  STRAND_CONTACT_WEIGHT,
  STRAND_FIRST,
  STRAND_NODES,
  STRAND_ROD,
  TIME_STEP,
} from '../../state/layout';
import { bodyPart, push, shareOf } from './admm';
import {
  at,
  BLOCKS,
  CONTACTS,
  DELTA,
  DUAL,
  DUAL_START,
  FIRST,
  LAST,
  PROJECTED,
  R_FORCE,
  R_GAMMA,
  R_NODE,
  R_NORMAL,
  R_OFFSET,
  R_PULL,
  R_REST,
  R_SHARE,
  RECORD,
  RECORDS,
  RIGHT,
  ROWS,
  START,
  WEIGHT,
} from './admm-layout';
import { frictionalError } from './local-law';
import { cell, column, getF64, getI32, parameter } from './memory';

/** Cohesion pulls up to this gap, as a share of the strand's radius; as in collect-contacts.ts. */
const COHESION_REACH: f64 = 0.5;

/** Fastest recovery of a penetration [m/s], and the farthest in a step, as a share of the edge; as in collect-contacts.ts. */
const STRAND_RECOVERY: f64 = 0.25;
const RECOVERY_OF_EDGE: f64 = 0.1;
/** Farthest that a step's velocities are put right in the end, as a share of the edge; as in reference-backend.ts. */
const CORRECTION_OF_EDGE: f64 = 0.1;
/** What is left as it is, as a share of the radius. */
const HARMLESS_OF_RADIUS: f64 = 0.5;

/**
 * Records of the table's rows from `first` on, behind the FIRST records that TypeScript packed. `bodies`: i32 a body
 * slot, its number in the problem or −1; `holders`: i32 a node, the body that holds it or −1; `free`: v₀.
 */
export function admmGather(work: usize, first: i32, bodies: usize, holders: usize, free: usize): void {
  const count = cell(STRAND_CONTACT_COUNT);
  const before = load<i32>(work, FIRST);
  const idle = (load<i32>(work, ROWS) - 1) << 4;
  const weight = at(work, WEIGHT);
  const records = at(work, RECORDS) + <usize>before * RECORD;
  const dt = parameter(TIME_STEP);
  const rate = parameter(RECOVERY_RATE) / dt;
  const speedLimit = Math.min(STRAND_RECOVERY, parameter(RECOVERY_SPEED));
  const zero = f32x4.splat(0);
  for (let row = first; row < count; row++) {
    const record = records + <usize>row * RECORD;
    const node = column(STRAND_CONTACT_NODE) + ((<usize>row) << 4);
    const four = row << 2;
    const a = load<i32>(node);
    const b = load<i32>(node, 8);
    const body = b < 0 ? getI32(column(STRAND_CONTACT_SIDE), four + 1) : -1;
    let skip = false;
    if (body >= 0) {
      skip = getI32(bodies, body) >= 0 || getI32(holders, a) == body || getI32(holders, a + 1) == body;
    }
    store<i32>(record, -1, R_REST + 8);
    store<i32>(record, 0, R_REST + 12);
    // s and what each node weighs in it.
    let s: f64 = getF64(column(STRAND_CONTACT_MATERIAL), four + 2) / (dt * dt);
    for (let k: usize = 0; k < 4; k++) {
      const n = load<i32>(node + (k << 2));
      const w = n < 0 ? <f64>0 : <f64>load<f32>(weight + ((<usize>n) << 4));
      const share = n < 0 || skip ? <f64>0 : getF64(column(STRAND_CONTACT_WEIGHT), four + <i32>k);
      const pull = w > 0 ? share / w : 0;
      s += share * pull;
      store<i32>(record + (k << 2), share == 0 ? idle : n << 4, R_NODE);
      store<f32>(record + (k << 2), <f32>share, R_SHARE);
      store<f32>(record + (k << 2), <f32>pull, R_GAMMA);
    }
    if (skip || !(s > 0)) {
      for (let k: usize = R_SHARE; k < RECORD; k += 16) if (k != R_REST) v128.store(record + k, zero);
      for (let k: usize = 0; k < 4; k++) store<i32>(record + (k << 2), idle, R_NODE);
      store<f32>(record, 0, R_REST);
      store<f32>(record, 0, R_REST + 4);
      continue;
    }
    v128.store(record, f32x4.mul(v128.load(record, R_GAMMA), f32x4.splat(<f32>(1 / s))), R_GAMMA);
    writeVectors(record, row, body, s, free, dt, rate, speedLimit);
  }
  store<i32>(work, before + count, CONTACTS);
}

/** Normal, offset, force, cohesion, mu, slack. */
function writeVectors(
  record: usize,
  row: i32,
  body: i32,
  s: f64,
  free: usize,
  dt: f64,
  rate: f64,
  speedLimit: f64,
): void {
  const node = column(STRAND_CONTACT_NODE) + ((<usize>row) << 4);
  const normal = column(STRAND_CONTACT_NORMAL) + ((<usize>row) << 5);
  const force = column(STRAND_CONTACT_FORCE) + ((<usize>row) << 5);
  const material = column(STRAND_CONTACT_MATERIAL) + ((<usize>row) << 5);
  const gap = load<f64>(normal, 24);
  const rest = column(NODE_REST);
  const other = load<i32>(node, 8);
  let edge = load<f64>(rest + ((<usize>load<i32>(node)) << 6));
  if (other >= 0) edge = Math.min(edge, load<f64>(rest + ((<usize>other) << 6)));
  const speed = gap > 0 ? gap / dt : Math.max(rate * gap, -Math.min(speedLimit, (RECOVERY_OF_EDGE * edge) / dt));
  const last = load<f64>(force, 24);
  const keep = last > 0 ? s / last : 0;
  const rod = getI32(column(STRAND_ROD), getI32(column(NODE_STRAND), load<i32>(node)));
  const radius = getF64(column(ROD_PARAMETER), rod << 3);
  const pull = gap <= COHESION_REACH * radius ? s * load<f64>(material, 8) * dt : 0;
  const drift = column(STRAND_CONTACT_DRIFT) + ((<usize>row) << 5);
  const weights = column(STRAND_CONTACT_WEIGHT) + ((<usize>row) << 5);
  const along = f64x2.splat(speed);
  // x y, then z and a lane of no use.
  let low = f64x2.add(v128.load(drift), f64x2.mul(along, v128.load(normal)));
  let high = f64x2.add(v128.load(drift, 16), f64x2.mul(along, v128.load(normal, 16)));
  for (let j: usize = 0; j < 4; j++) {
    const at = load<i32>(node + (j << 2));
    if (at < 0) continue;
    const share = v128.load64_splat(weights + (j << 3));
    const v = free + ((<usize>at) << 5);
    low = f64x2.add(low, f64x2.mul(share, v128.load(v)));
    high = f64x2.add(high, f64x2.mul(share, v128.load(v, 16)));
  }
  const n = narrow(v128.load(normal), v128.load(normal, 16));
  v128.store(record, n, R_NORMAL);
  v128.store(record, narrow(low, high), R_OFFSET);
  const kept = f64x2.splat(keep);
  v128.store(record, narrow(f64x2.mul(kept, v128.load(force)), f64x2.mul(kept, v128.load(force, 16))), R_FORCE);
  // The lane of no use in the sweeps keeps s.
  v128.store(record, f32x4.replace_lane(f32x4.mul(f32x4.splat(<f32>pull), n), 3, <f32>s), R_PULL);
  store<f32>(record, <f32>load<f64>(material), R_REST);
  store<f32>(record, <f32>(load<f64>(material, 16) / (dt * dt) / s), R_REST + 4);
  if (body >= 0 && getI32(column(BODY_FLAGS), body) & BODY_DYNAMIC) passBody(record, row, body);
}

/** x y and z of two pairs of f64 as f32×4, its last lane 0. */
function narrow(low: v128, high: v128): v128 {
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 2);
}

/** A body met in the middle of a solve goes on as it would without the strand, for this step. */
function passBody(record: usize, row: i32, body: i32): void {
  const arm = column(STRAND_CONTACT_ARM) + ((<usize>row) << 5);
  const v = column(BODY_LINEAR_VELOCITY) + ((<usize>body) << 5);
  const w = column(BODY_ANGULAR_VELOCITY) + ((<usize>body) << 5);
  for (let k: usize = 0; k < 3; k++) {
    const i: usize = ((k + 1) % 3) << 3;
    const j: usize = ((k + 2) % 3) << 3;
    const u = load<f64>(v + (k << 3)) + load<f64>(w + i) * load<f64>(arm + j) - load<f64>(w + j) * load<f64>(arm + i);
    store<f32>(record + (k << 2), load<f32>(record + (k << 2), R_OFFSET) - <f32>u, R_OFFSET);
  }
}

/** rows := W⁻¹ Bᵀ r of all records, less cohesion; right := W rows = Bᵀ r (bodies: M⁻¹ Bᵀ r). */
function spreadForces(work: usize, rows: usize): void {
  const size = (<usize>load<i32>(work, ROWS)) << 4;
  const w = at(work, WEIGHT);
  const out = at(work, RIGHT);
  const blocks = at(work, BLOCKS);
  memory.fill(rows, 0, size);
  const records = at(work, RECORDS);
  const end = records + <usize>load<i32>(work, CONTACTS) * RECORD;
  for (let record = records; record < end; record += RECORD) {
    const pull = f32x4.replace_lane(v128.load(record, R_PULL), 3, 0);
    push(record, rows, blocks, f32x4.sub(v128.load(record, R_FORCE), pull));
  }
  for (let i: usize = 0; i < size; i += 16) v128.store(out + i, f32x4.mul(v128.load(w + i), v128.load(rows + i)));
}

/** λ₀ := W⁻¹ Bᵀ r, right := Bᵀ r; bodies' rows of δ₀. The strands' rows of δ₀ are to be solved for next. */
export function admmStart(work: usize): void {
  spreadForces(work, at(work, DUAL_START));
}

/** Forces of the end for the residual: right := Bᵀ r, through the rows of last δ. */
export function admmEnd(work: usize): void {
  spreadForces(work, at(work, LAST));
}

/** Offsets of records from `first` on += B δ₀. */
export function admmOffset(work: usize, first: i32): void {
  const rows = at(work, START);
  const blocks = at(work, BLOCKS);
  const records = at(work, RECORDS);
  const end = records + <usize>load<i32>(work, CONTACTS) * RECORD;
  for (let record = records + <usize>first * RECORD; record < end; record += RECORD) {
    const moved = f32x4.add(shareOf(record, rows), bodyPart(record, rows, blocks));
    const offset = f32x4.add(v128.load(record, R_OFFSET), moved);
    v128.store(record, f32x4.replace_lane(offset, 3, 0), R_OFFSET);
  }
}

/**
 * out := v₀ + δ₀ + δ of the nodes (f64×4), or with `projected` π where there is a weight: across the strand only, and not
 * farther than a share of the edge. π knows no elasticity, and what it stretched, where the solve was cut short, would
 * come back as speed. As in reference-backend.ts.
 */
export function admmVelocities(work: usize, free: usize, out: usize, projected: i32): void {
  const nodes = cell(NODE_COUNT);
  const start = at(work, START);
  const delta = at(work, DELTA);
  const p = at(work, PROJECTED);
  const w = at(work, WEIGHT);
  const rate = CORRECTION_OF_EDGE / parameter(TIME_STEP);
  for (let i = 0; i < nodes; i++) {
    const row = (<usize>i) << 4;
    let change = v128.load(delta + row);
    if (projected != 0 && load<f32>(w + row) > 0) {
      const jump = f32x4.sub(v128.load(p + row), change);
      change = f32x4.add(change, correctionOf(i, jump, rate));
    }
    const base = v128.load(start + row);
    const to = out + ((<usize>i) << 5);
    const from = free + ((<usize>i) << 5);
    const low = f64x2.add(f64x2.promote_low_f32x4(base), f64x2.promote_low_f32x4(change));
    v128.store(to, f64x2.add(v128.load(from), low));
    const high = f64x2.add(f64x2.promote_low_f32x4(upper(base)), f64x2.promote_low_f32x4(upper(change)));
    v128.store(to, f64x2.add(v128.load(from, 16), high), 16);
  }
}

/** Lanes 2 and 3 in the place of 0 and 1. */
function upper(v: v128): v128 {
  return i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15);
}

/** The part of a jump of node `i` across its strand, at most `rate` edges a second long; lane 3 is 0. */
function correctionOf(i: i32, jump: v128, rate: f64): v128 {
  const strand = getI32(column(NODE_STRAND), i);
  const first = getI32(column(STRAND_FIRST), strand);
  const last = first + getI32(column(STRAND_NODES), strand) - 1;
  const before = column(NODE_POSITION) + ((<usize>max(first, i - 1)) << 5);
  const after = column(NODE_POSITION) + ((<usize>min(last, i + 1)) << 5);
  const tx = load<f64>(after) - load<f64>(before);
  const ty = load<f64>(after, 8) - load<f64>(before, 8);
  const tz = load<f64>(after, 16) - load<f64>(before, 16);
  let x = <f64>f32x4.extract_lane(jump, 0);
  let y = <f64>f32x4.extract_lane(jump, 1);
  let z = <f64>f32x4.extract_lane(jump, 2);
  const length = tx * tx + ty * ty + tz * tz;
  const along = length > 0 ? (tx * x + ty * y + tz * z) / length : 0;
  x -= along * tx;
  y -= along * ty;
  z -= along * tz;
  const far = sqrt(x * x + y * y + z * z);
  const most = rate * load<f64>(column(NODE_REST) + ((<usize>min(i, last - 1)) << 6));
  const radius = getF64(column(ROD_PARAMETER), getI32(column(STRAND_ROD), strand) << 3);
  const over = far - (HARMLESS_OF_RADIUS * radius) / parameter(TIME_STEP);
  const share: f64 = over > 0 ? Math.min(over, most) / far : 0;
  return f32x4.replace_lane(
    f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(0), 0, <f32>(share * x)), 1, <f32>(share * y)),
    2,
    <f32>(share * z),
  );
}

/** λ of the nodes, their weights for the next step (`weights`, one f32 a node), and s r of the table's rows, back to the tables. */
export function admmStore(work: usize, weights: usize): void {
  const nodes = <usize>cell(NODE_COUNT);
  const l = at(work, DUAL);
  const l0 = at(work, DUAL_START);
  const dual = column(NODE_DUAL);
  for (let i: usize = 0; i < nodes; i++) {
    const row = i << 4;
    for (let k: usize = 0; k < 12; k += 4) {
      store<f64>(dual + (i << 5) + 2 * k, <f64>load<f32>(l + row + k) + <f64>load<f32>(l0 + row + k));
    }
    store<f64>(dual + (i << 5), <f64>max<f32>(load<f32>(weights + (i << 2)), 0), 24);
  }
  const before = load<i32>(work, FIRST);
  const records = at(work, RECORDS) + <usize>before * RECORD;
  const count = <usize>(load<i32>(work, CONTACTS) - before);
  for (let row: usize = 0; row < count; row++) {
    const record = records + row * RECORD;
    const force = column(STRAND_CONTACT_FORCE) + (row << 5);
    for (let k: usize = 0; k < 3; k++) store<f64>(force + (k << 3), <f64>load<f32>(record + (k << 2), R_FORCE));
    store<f64>(force, <f64>load<f32>(record, R_PULL + 12), 24);
  }
}

/** Common residual of the table's rows at v₀ + `rows` [m/s]; rows as of A⁻¹ Bᵀ r. Scale: s of each contact. */
export function admmResidual(work: usize, rows: usize): f64 {
  const start = at(work, START);
  const before = load<i32>(work, FIRST);
  const records = at(work, RECORDS);
  const end = records + <usize>load<i32>(work, CONTACTS) * RECORD;
  let worst: f64 = 0;
  for (let record = records + <usize>before * RECORD; record < end; record += RECORD) {
    const s = load<f32>(record, R_PULL + 12);
    if (!(s > 0)) continue;
    const force = v128.load(record, R_FORCE);
    const give = f32x4.mul(f32x4.splat(load<f32>(record, R_REST + 4)), force);
    const moved = f32x4.sub(shareOf(record, rows), shareOf(record, start));
    const u = f32x4.add(f32x4.add(v128.load(record, R_OFFSET), give), moved);
    // Apart and without force: no error.
    if (!v128.any_true(f32x4.ne(force, f32x4.splat(0))) && dot(u, v128.load(record, R_NORMAL)) >= 0) continue;
    const error = errorOf(u, force, v128.load(record, R_NORMAL), load<f32>(record, R_REST), s);
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

function dot(a: v128, b: v128): f64 {
  const c = f32x4.mul(a, b);
  return <f64>f32x4.extract_lane(c, 0) + <f64>f32x4.extract_lane(c, 1) + <f64>f32x4.extract_lane(c, 2);
}

/** ‖f‖ with the friction force along the first tangent. */
function errorOf(u: v128, force: v128, normal: v128, mu: f32, s: f32): f64 {
  const scale = <f64>s;
  const rn = dot(force, normal) / scale;
  const un = dot(u, normal);
  const t = f32x4.sub(force, f32x4.mul(f32x4.splat(<f32>(rn * scale)), normal));
  const slip = f32x4.sub(u, f32x4.mul(f32x4.splat(<f32>un), normal));
  const friction = sqrt(dot(t, t));
  const speed = sqrt(dot(slip, slip));
  if (friction == 0) return frictionalError(scale, <f64>mu, rn, 0, 0, un, speed, 0);
  const along = dot(slip, t) / friction;
  const across = sqrt(max<f64>(0, speed * speed - along * along));
  return frictionalError(scale, <f64>mu, rn, friction / scale, 0, un, along, across);
}
