// Contacts of the tables to groups of four and back: the start and the end of a solve.
//
// In: nodeContacts, W of the rows, velocities without contacts (f64×4 a node). Out: groups, and forces, velocities and
// λ in the tables. Twin of dynamics/elastic/collect-contacts.ts. Rows that touch a body of the problem are left out
// here: their local problem is not isotropic, and TypeScript packs them as records.
//
// Velocities: v₀ without contacts (f64), δ₀ = A⁻¹ Bᵀ r of last step's forces, δ of
// the solve: v = v₀ + δ₀ + δ.

import {
  CORRECTION_OF_EDGE,
  HARMLESS_OF_RADIUS,
  RECOVERY_OF_EDGE,
  STRAND_RECOVERY,
  TIED_REACH,
} from '../../../core/elastic-constants';
import {
  BODY_ANGULAR_VELOCITY,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_LINEAR_VELOCITY,
  COLLIDER_BODY,
  ELASTIC_PAPER,
  KIND_ROD,
  NODE_CONTACT_ARM,
  NODE_CONTACT_ASLEEP,
  NODE_CONTACT_COUNT,
  NODE_CONTACT_DRIFT,
  NODE_CONTACT_FORCE,
  NODE_CONTACT_KEY,
  NODE_CONTACT_MATERIAL,
  NODE_CONTACT_NODE,
  NODE_CONTACT_NORMAL,
  NODE_CONTACT_SIDE,
  NODE_CONTACT_WEIGHT,
  NODE_COUNT,
  NODE_DUAL,
  NODE_POSITION,
  NODE_REST,
  NODE_STRAND,
  OBJECT_TRIANGLES,
  PRIMITIVE_BODY,
  PRIMITIVE_EDGE,
  RECOVERY_RATE,
  RECOVERY_SPEED,
  ROD_PARAMETER,
  STRAND_COUNT,
  STRAND_FIRST,
  STRAND_KIND,
  STRAND_NODES,
  STRAND_ROD,
  TIME_STEP,
  TRIANGLE_NODE,
} from '../../../state/layout';
import { cell, clear32, column, getF64, getI32, parameter } from '../memory';
import { bodyPart, pushRecords, shareOf } from './admm';
import { cohesionShare } from './cohesion';
import {
  beginGroups,
  placeContact,
  placeNodes,
  pushGroups,
  restOf,
  restOfLane,
  sharesOf,
  velocitiesOfGroup,
} from './groups';
import {
  at,
  BLOCKS,
  CONTACTS,
  DELTA,
  DUAL,
  DUAL_START,
  G_FORCE,
  G_GAMMA,
  G_MU,
  G_NORMAL,
  G_OFFSET,
  G_S,
  G_SLACK,
  G_T,
  GROUP,
  GROUP_COUNT,
  GROUPS,
  LAST,
  ORDER,
  PROJECTED,
  R_OFFSET,
  RECORD,
  RECORDS,
  REST_PULL,
  REST_SCALE,
  RIGHT,
  ROWS,
  START,
  WEIGHT,
} from './layout';
import { isAsleep } from './sleep';

/** Velocities of the four contacts of a group: x, y, z, f32×4 each. */
const moved = memory.data(48);

/**
 * Groups of the table's rows from `first` on in which something is awake. `bodies`: i32 a body slot, its number in
 * the problem or −1; `excluded`: i32 a node, the body that it does not touch, below 0 none; `free`: v₀. Returns the
 * first row for which there was no room, or how many rows there are. Rows that touch a body of the problem, or can
 * have no force, get no lane; their force in the table becomes 0.
 */
export function admmGather(work: usize, first: i32, bodies: usize, excluded: usize, free: usize): i32 {
  const count = cell(NODE_CONTACT_COUNT);
  const idle = (load<i32>(work, ROWS) - 1) << 4;
  const weight = at(work, WEIGHT);
  const dt = parameter(TIME_STEP);
  const soft = 1 / (dt * dt);
  const speedLimit = Math.min(STRAND_RECOVERY, parameter(RECOVERY_SPEED));
  if (first == 0) store<i32>(work, 0, GROUP_COUNT);
  beginGroups(work);
  for (let row = max(first, cell(NODE_CONTACT_ASLEEP)); row < count; row++) {
    const node = column(NODE_CONTACT_NODE) + ((<usize>row) << 4);
    const share = column(NODE_CONTACT_WEIGHT) + ((<usize>row) << 5);
    const side = column(NODE_CONTACT_SIDE) + ((<usize>row) << 4);
    const body = load<i32>(side, 12);
    const skip = (body >= 0 && getI32(bodies, body) >= 0) || isExcluded(excluded, node, share, side);
    // s, and what a push moves each node by.
    const g0 = pullOf(weight, node, share, 0);
    const g1 = pullOf(weight, node, share, 1);
    const g2 = pullOf(weight, node, share, 2);
    const g3 = pullOf(weight, node, share, 3);
    const slack = soft * getF64(column(NODE_CONTACT_MATERIAL), (row << 2) + 2);
    let s = slack;
    s += load<f64>(share) * g0 + load<f64>(share, 8) * g1;
    s += load<f64>(share, 16) * g2 + load<f64>(share, 24) * g3;
    if (skip || !(s > 0)) {
      clear32(column(NODE_CONTACT_FORCE) + ((<usize>row) << 5));
      continue;
    }
    const b = load<i32>(node, 8);
    const ofEdges = isOfEdges(row, node);
    const lane = ofEdges
      ? placeContact(work, row, load<i32>(node) << 4, b < 0 ? idle : b << 4)
      : placeNodes(work, row, node, share);
    if (lane == usize(-1)) return row;
    if (ofEdges) {
      store<f32>(lane, <f32>load<f64>(share, 8), G_S);
      store<f32>(lane, b < 0 ? 0 : -(<f32>load<f64>(share, 24)), G_T);
    }
    const corner = lane + 3 * (lane & 15);
    const inverse = 1 / s;
    store<f32>(corner, <f32>(g0 * inverse), G_GAMMA);
    store<f32>(corner, <f32>(g1 * inverse), G_GAMMA + 4);
    store<f32>(corner, <f32>(g2 * inverse), G_GAMMA + 8);
    store<f32>(corner, <f32>(g3 * inverse), G_GAMMA + 12);
    store<f32>(lane, <f32>(slack * inverse), G_SLACK);
    writeVectors(lane, restOfLane(work, lane), row, body, s, free, dt, speedLimit);
  }
  return count;
}

/** Whether both sides are edges, or side B a body, with nodes that are neighbours in the table: edges of strands. */
function isOfEdges(row: i32, node: usize): bool {
  const key = column(NODE_CONTACT_KEY) + ((<usize>row) << 4);
  const kind = load<i32>(key, 12);
  if (load<i32>(key, 8) != PRIMITIVE_EDGE || load<i32>(node, 4) != load<i32>(node) + 1) return false;
  return kind == PRIMITIVE_BODY || (kind == PRIMITIVE_EDGE && load<i32>(node, 12) == load<i32>(node, 8) + 1);
}

/** As in collect-contacts.ts. */
function isExcluded(excluded: usize, nodes: usize, shares: usize, side: usize): bool {
  const collider = load<i32>(side, 8);
  if (collider < 0) return false;
  const body = getI32(column(COLLIDER_BODY), collider);
  const least = load<i32>(side, 12) >= 0 ? 0 : leastShare(load<i32>(nodes));
  for (let j: usize = 0; j < 4; j++) {
    const node = load<i32>(nodes + (j << 2));
    const share = load<f64>(shares + (j << 3));
    if (node >= 0 && share != 0 && share >= least && getI32(excluded, node) == body) return true;
  }
  return false;
}

/** What of a contact a tied node must bear for it to be within TIED_REACH of it. */
function leastShare(node: i32): f64 {
  return 1 - (TIED_REACH * radiusAt(node)) / edgeAt(node);
}

/** b/w of a contact's node j: what the contact's unit push moves it by. */
function pullOf(weights: usize, nodes: usize, shares: usize, j: usize): f64 {
  const node = load<i32>(nodes + (j << 2));
  if (node < 0) return 0;
  const w = load<f32>(weights + ((<usize>node) << 4));
  return w > 0 ? load<f64>(shares + (j << 3)) / <f64>w : 0;
}

/** Length by which a node's part of a surface or strand bends and stretches [m]; none is known where it is 0. */
function edgeAt(node: i32): f64 {
  const length = load<f64>(column(NODE_REST) + ((<usize>node) << 6));
  return length > 0 ? length : Infinity;
}

/** Radius of the object of a node [m]. */
function radiusAt(node: i32): f64 {
  return getF64(column(ROD_PARAMETER), getI32(column(STRAND_ROD), getI32(column(NODE_STRAND), node)) << 3);
}

/** Normal, offset, force, cohesion, mu, s. */
function writeVectors(
  lane: usize,
  rest: usize,
  row: i32,
  body: i32,
  s: f64,
  free: usize,
  dt: f64,
  speedLimit: f64,
): void {
  const node = column(NODE_CONTACT_NODE) + ((<usize>row) << 4);
  const normal = column(NODE_CONTACT_NORMAL) + ((<usize>row) << 5);
  const force = column(NODE_CONTACT_FORCE) + ((<usize>row) << 5);
  const material = column(NODE_CONTACT_MATERIAL) + ((<usize>row) << 5);
  const gap = load<f64>(normal, 24);
  const isPair = getI32(column(NODE_CONTACT_SIDE), (row << 2) + 1) >= 0;
  let edge = edgeAt(load<i32>(node));
  if (isPair) {
    const sideA = getI32(column(NODE_CONTACT_KEY), (row << 2) + 2);
    edge = Math.min(edge, edgeAt(load<i32>(node + ((<usize>sideA) << 2))));
  }
  const deep = Math.max(parameter(RECOVERY_RATE) * gap, -Math.min(dt * speedLimit, RECOVERY_OF_EDGE * edge));
  const speed = (gap > 0 ? gap : deep) / dt;
  const last = load<f64>(force, 24);
  const keep = last > 0 ? s / last : 0;
  // Most have none.
  const cohesion = load<f64>(material, 8);
  const pull = cohesion == 0 ? 0 : s * cohesionShare(gap, radiusAt(load<i32>(node))) * cohesion * dt;
  const drift = column(NODE_CONTACT_DRIFT) + ((<usize>row) << 5);
  const weights = column(NODE_CONTACT_WEIGHT) + ((<usize>row) << 5);
  const along = f64x2.splat(speed);
  // x y, then z and an unused lane.
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
  writeVector(lane + G_NORMAL, v128.load(normal), v128.load(normal, 16));
  writeVector(lane + G_OFFSET, low, high);
  const kept = f64x2.splat(keep);
  writeVector(lane + G_FORCE, f64x2.mul(kept, v128.load(force)), f64x2.mul(kept, v128.load(force, 16)));
  store<f32>(lane, <f32>load<f64>(material), G_MU);
  store<f32>(rest, <f32>s, REST_SCALE);
  store<f32>(rest, <f32>pull, REST_PULL);
  if (body >= 0 && getI32(column(BODY_FLAGS), body) & BODY_DYNAMIC) passBody(lane, row, body);
}

/** x y and z of two pairs of f64 to a lane of three f32×4. */
function writeVector(lane: usize, low: v128, high: v128): void {
  const xy = f32x4.demote_f64x2_zero(low);
  v128.store32_lane(lane, xy, 0);
  v128.store32_lane(lane, xy, 1, 16);
  v128.store32_lane(lane, f32x4.demote_f64x2_zero(high), 0, 32);
}

/** A body met in the middle of a solve goes on as it would without the strand, for this step. */
function passBody(lane: usize, row: i32, body: i32): void {
  const arm = column(NODE_CONTACT_ARM) + ((<usize>row) << 5);
  const v = column(BODY_LINEAR_VELOCITY) + ((<usize>body) << 5);
  const w = column(BODY_ANGULAR_VELOCITY) + ((<usize>body) << 5);
  for (let k: usize = 0; k < 3; k++) {
    const i: usize = ((k + 1) % 3) << 3;
    const j: usize = ((k + 2) % 3) << 3;
    const u = load<f64>(v + (k << 3)) + load<f64>(w + i) * load<f64>(arm + j) - load<f64>(w + j) * load<f64>(arm + i);
    const offset = lane + G_OFFSET + (k << 4);
    store<f32>(offset, load<f32>(offset) - <f32>u);
  }
}

/** rows := W⁻¹ Bᵀ r, less cohesion; right := W rows = Bᵀ r (bodies: M⁻¹ Bᵀ r). */
function spreadForces(work: usize, rows: usize): void {
  const size = (<usize>load<i32>(work, ROWS)) << 4;
  const w = at(work, WEIGHT);
  const out = at(work, RIGHT);
  memory.fill(rows, 0, size);
  pushRecords(work, rows);
  pushGroups(work, rows, 0);
  for (let i: usize = 0; i < size; i += 16) v128.store(out + i, f32x4.mul(v128.load(w + i), v128.load(rows + i)));
}

/**
 * λ₀ := W⁻¹ Bᵀ r, right := Bᵀ r; bodies' rows of δ₀. The strands' rows of δ₀ are to be solved for next.
 */
export function admmStart(work: usize): void {
  spreadForces(work, at(work, DUAL_START));
}

/** Forces of the end for the residual: right := Bᵀ r, through the rows of last δ. */
export function admmEnd(work: usize): void {
  spreadForces(work, at(work, LAST));
}

/** Offsets += B δ₀: of the table's rows from `first` on, with 0 of the records, too. */
export function admmOffset(work: usize, first: i32): void {
  const rows = at(work, START);
  if (first == 0) {
    const blocks = at(work, BLOCKS);
    const records = at(work, RECORDS);
    const end = records + <usize>load<i32>(work, CONTACTS) * RECORD;
    for (let record = records; record < end; record += RECORD) {
      const change = f32x4.add(shareOf(record, rows), bodyPart(record, rows, blocks));
      const offset = f32x4.add(v128.load(record, R_OFFSET), change);
      v128.store(record, f32x4.replace_lane(offset, 3, 0), R_OFFSET);
    }
  }
  const groups = at(work, GROUPS);
  const order = at(work, ORDER);
  const from = i32x4.splat(first);
  for (let k: usize = 0; k < <usize>load<i32>(work, GROUP_COUNT); k++) {
    const counts = i32x4.ge_s(v128.load(order + (k << 4)), from);
    if (!v128.any_true(counts)) continue;
    const offset = groups + k * GROUP + G_OFFSET;
    velocitiesOfGroup(moved, groups + k * GROUP, rows, sharesOf(work, k));
    for (let i: usize = 0; i < 48; i += 16) {
      v128.store(offset + i, f32x4.add(v128.load(offset + i), v128.and(counts, v128.load(moved + i))));
    }
  }
}

/**
 * out := v₀ + δ₀ + δ of the nodes (f64×4), or with `projected` π where there is a weight: across the strand
 * only, and not farther than a share of the edge. π knows no elasticity, and what it stretched, where the solve was
 * cut short, would come back as speed. Twin of mechanics/rod/correct-strand.ts.
 */
export function admmVelocities(work: usize, free: usize, out: usize, projected: i32): void {
  const nodes = cell(NODE_COUNT);
  const start = at(work, START);
  const delta = at(work, DELTA);
  const p = at(work, PROJECTED);
  const w = at(work, WEIGHT);
  const rate = CORRECTION_OF_EDGE / parameter(TIME_STEP);
  const isPaper = cell(ELASTIC_PAPER) != 0;
  if (projected != 0 && !isPaper) sumNormals(work);
  for (let i = 0; i < nodes; i++) {
    const row = (<usize>i) << 4;
    let change = v128.load(delta + row);
    if (projected != 0 && load<f32>(w + row) > 0) {
      const jump = f32x4.sub(v128.load(p + row), change);
      // By the paper's profile what obeys the contacts is the answer (Daviet 2020, 6.2.7).
      if (isPaper) change = f32x4.replace_lane(v128.load(p + row), 3, f32x4.extract_lane(change, 3));
      else change = f32x4.add(change, correctionOf(i, jump, rate, at(work, RIGHT)));
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

/** Normals of the vertices of all surfaces that are awake to the rows of RIGHT, of no particular length. */
function sumNormals(work: usize): void {
  const normals = at(work, RIGHT);
  const objects = cell(STRAND_COUNT);
  for (let object = 0; object < objects; object++) {
    if (getI32(column(STRAND_KIND), object) == KIND_ROD || isAsleep(object)) continue;
    const rows = normals + ((<usize>getI32(column(STRAND_FIRST), object)) << 4);
    memory.fill(rows, 0, (<usize>getI32(column(STRAND_NODES), object)) << 4);
    const first = getI32(column(OBJECT_TRIANGLES), 2 * object);
    const end = first + getI32(column(OBJECT_TRIANGLES), 2 * object + 1);
    for (let t = first; t < end; t++) {
      const nodes = column(TRIANGLE_NODE) + ((<usize>t) << 4);
      const a = column(NODE_POSITION) + ((<usize>load<i32>(nodes)) << 5);
      const b = column(NODE_POSITION) + ((<usize>load<i32>(nodes, 4)) << 5);
      const c = column(NODE_POSITION) + ((<usize>load<i32>(nodes, 8)) << 5);
      const ux = load<f64>(b) - load<f64>(a);
      const uy = load<f64>(b, 8) - load<f64>(a, 8);
      const uz = load<f64>(b, 16) - load<f64>(a, 16);
      const vx = load<f64>(c) - load<f64>(a);
      const vy = load<f64>(c, 8) - load<f64>(a, 8);
      const vz = load<f64>(c, 16) - load<f64>(a, 16);
      const n = f32x4(<f32>(uy * vz - uz * vy), <f32>(uz * vx - ux * vz), <f32>(ux * vy - uy * vx), 0);
      for (let k: usize = 0; k < 12; k += 4) {
        const to = normals + ((<usize>load<i32>(nodes + k)) << 4);
        v128.store(to, f32x4.add(v128.load(to), n));
      }
    }
  }
}

/** The part of a jump across a strand or along the normal of a surface, at most `rate` edges a second; lane 3 is 0. */
function correctionOf(i: i32, jump: v128, rate: f64, normals: usize): v128 {
  const strand = getI32(column(NODE_STRAND), i);
  if (getI32(column(STRAND_KIND), strand) != KIND_ROD) return alongNormal(i, strand, jump, rate, normals);
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

/** As mechanics/shell/correct-shell.ts. */
function alongNormal(i: i32, object: i32, jump: v128, rate: f64, normals: usize): v128 {
  const normal = v128.load(normals + ((<usize>i) << 4));
  const square = <f64>sumOf(f32x4.mul(normal, normal));
  const along = <f64>sumOf(f32x4.mul(normal, jump));
  const far = abs<f64>(along) / sqrt<f64>(square);
  const radius = getF64(column(ROD_PARAMETER), getI32(column(STRAND_ROD), object) << 3);
  const over = far - (HARMLESS_OF_RADIUS * radius) / parameter(TIME_STEP);
  // Also where there is no normal.
  if (!(over > 0)) return f32x4.splat(0);
  const share = Math.min(over, rate * load<f64>(column(NODE_REST) + ((<usize>i) << 6))) / far;
  return f32x4.mul(f32x4.splat(<f32>((share * along) / square)), normal);
}

function sumOf(a: v128): f32 {
  return f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1) + f32x4.extract_lane(a, 2);
}

/**
 * λ of the nodes, their weights for the next step (`weights`, one f32 a node), and s r of the
 * rows in groups, back to the tables.
 */
export function admmStore(work: usize, weights: usize): void {
  const nodes = <usize>cell(NODE_COUNT);
  const l = at(work, DUAL);
  const l0 = at(work, DUAL_START);
  const dual = column(NODE_DUAL);
  const owner = column(NODE_STRAND);
  for (let i: usize = 0; i < nodes; i++) {
    // What sleeps keeps its own until it wakes.
    if (isAsleep(getI32(owner, <i32>i))) continue;
    const row = i << 4;
    for (let k: usize = 0; k < 12; k += 4) {
      store<f64>(dual + (i << 5) + 2 * k, <f64>load<f32>(l + row + k) + <f64>load<f32>(l0 + row + k));
    }
    store<f64>(dual + (i << 5), <f64>max<f32>(load<f32>(weights + (i << 2)), 0), 24);
  }
  const groups = at(work, GROUPS);
  const order = at(work, ORDER);
  const lanes = (<usize>load<i32>(work, GROUP_COUNT)) << 2;
  for (let lane: usize = 0; lane < lanes; lane++) {
    const row = load<i32>(order + (lane << 2));
    if (row < 0) continue;
    const from = groups + (lane >> 2) * GROUP + ((lane & 3) << 2);
    const force = column(NODE_CONTACT_FORCE) + ((<usize>row) << 5);
    store<f64>(force, <f64>load<f32>(from, G_FORCE));
    store<f64>(force, <f64>load<f32>(from, G_FORCE + 16), 8);
    store<f64>(force, <f64>load<f32>(from, G_FORCE + 32), 16);
    store<f64>(force, <f64>load<f32>(restOf(work, lane >> 2) + ((lane & 3) << 2), REST_SCALE), 24);
  }
}
