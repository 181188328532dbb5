// Strand contacts in graph colours, four of a colour at a time: the sweeps of Algorithm 3 (Daviet 2020) on SIMD lanes.
//
// Contacts of a colour share no node, so any four of them can be solved together and nothing is lost against one after
// the other. Colours are given greedily in the order of the table, from a mask a node; a node has at most 64, what finds
// none left stays a record and is solved alone (admm.ts), as are contacts with bodies of the problem. Neighbours in the
// table are neighbours on a strand: a group's contacts come to rest together, and its nodes lie near each other.
//
// In and out: the records of admm.ts, which keep everything but the force while groups hold it (admmUngroup gives it
// back). A group: values of its four contacts side by side, see G_*; idle lanes point to the idle row and stay 0.

import {
  at,
  CONTACTS,
  FIRST,
  GROUP_COUNT,
  GROUP_ROOM,
  GROUPS,
  LIST,
  ORDER,
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
  SOLVED,
} from './admm-layout';

/** i32×4: byte offsets of node a; its neighbour lies behind it. Then the same of node b. */
const G_A: usize = 0;
const G_B: usize = 16;
/** f32×4: share of the second node of a, of b. */
const G_S: usize = 32;
const G_T: usize = 48;
/** Four times f32×4: γ of the nodes of each contact. */
const G_GAMMA: usize = 64;
/** Three times f32×4: normal; offset; s r. */
const G_NORMAL: usize = 128;
const G_OFFSET: usize = 176;
const G_FORCE: usize = 224;
/** f32×4: mu; slack/s. */
const G_MU: usize = 272;
const G_SLACK: usize = 288;
export const GROUP: usize = 304;

const COLOURS: usize = 64;
/** Contacts of each colour, then the place of its next one among the lanes. */
const places = memory.data(64 * 4);
const idleRecord = memory.data(128);

/**
 * Puts the records from `first` on into groups behind those there are. What gets no lane is marked −1 in the record and
 * stays; what never can have a force, too, with −2. The rows of RIGHT are used as scratch.
 */
export function admmGroup(work: usize, first: i32): void {
  const count = load<i32>(work, CONTACTS);
  const records = at(work, RECORDS);
  const start = max(first, load<i32>(work, FIRST));
  const before = load<i32>(work, GROUP_COUNT);
  const order = at(work, ORDER);
  colourRecords(work, start, count);
  // Where each colour's lanes start: a colour starts with a group of its own.
  let next = before << 2;
  for (let k: usize = 0; k < COLOURS << 2; k += 4) {
    const size = load<i32>(places + k);
    store<i32>(places + k, next);
    next = (next + size + 3) & ~3;
  }
  const end = min(next, load<i32>(work, GROUP_ROOM) << 2);
  memory.fill(order + ((<usize>before) << 4), 0xff, (<usize>(end - (before << 2))) << 2);
  for (let i = start; i < count; i++) {
    const record = records + <usize>i * RECORD;
    const colour = load<i32>(record, R_REST + 12);
    if (colour < 0) continue;
    const place = load<i32>(places + ((<usize>colour) << 2));
    store<i32>(places + ((<usize>colour) << 2), place + 1);
    if (place < end) store<i32>(order + ((<usize>place) << 2), i);
    else store<i32>(record, -1, R_REST + 12);
  }
  const groups = end >> 2;
  const idle = (load<i32>(work, ROWS) - 1) << 4;
  for (let k: usize = 0; k < 16; k += 4) store<i32>(idleRecord + k, idle);
  for (let g = before; g < groups; g++) writeGroup(work, <usize>g);
  store<i32>(work, groups, GROUP_COUNT);
}

/** A colour for each record, in R_REST + 12; sizes of the colours to `places`. */
function colourRecords(work: usize, first: i32, count: i32): void {
  const masks = at(work, RIGHT);
  const records = at(work, RECORDS);
  memory.fill(masks, 0, (<usize>load<i32>(work, ROWS)) << 4);
  memory.fill(places, 0, 4 * COLOURS);
  const idle = masks + ((<usize>(load<i32>(work, ROWS) - 1)) << 4);
  for (let i = first; i < count; i++) {
    const record = records + <usize>i * RECORD;
    if (!(load<f32>(record, R_PULL + 12) > 0)) {
      store<i32>(record, -2, R_REST + 12);
      continue;
    }
    const a = masks + <usize>load<i32>(record, R_NODE);
    const b = masks + <usize>load<i32>(record, R_NODE + 4);
    const c = masks + <usize>load<i32>(record, R_NODE + 8);
    const d = masks + <usize>load<i32>(record, R_NODE + 12);
    const taken = load<u64>(a) | load<u64>(b) | load<u64>(c) | load<u64>(d);
    // The idle row takes part in all contacts and none.
    const bit = <u64>ctz(~taken);
    if (bit >= <u64>COLOURS) {
      store<i32>(record, -1, R_REST + 12);
      continue;
    }
    const mark = (<u64>1) << bit;
    store<u64>(a, load<u64>(a) | mark);
    store<u64>(b, load<u64>(b) | mark);
    store<u64>(c, load<u64>(c) | mark);
    store<u64>(d, load<u64>(d) | mark);
    store<u64>(idle, 0);
    store<i32>(record, <i32>bit, R_REST + 12);
    const size = places + ((<usize>bit) << 2);
    store<i32>(size, load<i32>(size) + 1);
  }
}

/** The lane's record; an idle one has none. */
function laneRecord(work: usize, order: usize, lane: usize): usize {
  const i = load<i32>(order + (lane << 2));
  return i < 0 ? idleRecord : at(work, RECORDS) + <usize>i * RECORD;
}

function writeGroup(work: usize, g: usize): void {
  const order = at(work, ORDER) + (g << 4);
  const group = at(work, GROUPS) + g * GROUP;
  const idle = load<i32>(idleRecord);
  for (let lane: usize = 0; lane < 4; lane++) {
    const record = laneRecord(work, order, lane);
    const to = group + (lane << 2);
    const a = load<i32>(record, R_NODE);
    const a1 = load<i32>(record, R_NODE + 4);
    const b = load<i32>(record, R_NODE + 8);
    const b1 = load<i32>(record, R_NODE + 12);
    store<i32>(to, firstOf(a, a1, idle), G_A);
    store<i32>(to, firstOf(b, b1, idle), G_B);
    store<f32>(to, load<f32>(record, R_SHARE + 4), G_S);
    store<f32>(to, -load<f32>(record, R_SHARE + 12), G_T);
    v128.store(group + (lane << 4), v128.load(record, R_GAMMA), G_GAMMA);
    store<f32>(to, load<f32>(record, R_REST), G_MU);
    store<f32>(to, load<f32>(record, R_REST + 4), G_SLACK);
  }
  const r0 = laneRecord(work, order, 0);
  const r1 = laneRecord(work, order, 1);
  const r2 = laneRecord(work, order, 2);
  const r3 = laneRecord(work, order, 3);
  turnIn(group + G_NORMAL, r0 + R_NORMAL, r1 + R_NORMAL, r2 + R_NORMAL, r3 + R_NORMAL);
  turnIn(group + G_OFFSET, r0 + R_OFFSET, r1 + R_OFFSET, r2 + R_OFFSET, r3 + R_OFFSET);
  turnIn(group + G_FORCE, r0 + R_FORCE, r1 + R_FORCE, r2 + R_FORCE, r3 + R_FORCE);
}

/** Row of an edge's first node: an end without share was left idle in the record. */
function firstOf(node: i32, next: i32, idle: i32): i32 {
  if (node != idle) return node;
  return next == idle ? idle : next - 16;
}

/** x, y and z of four vectors, side by side. */
function turnIn(out: usize, a: usize, b: usize, c: usize, d: usize): void {
  const s0 = v128.load(a);
  const s1 = v128.load(b);
  const s2 = v128.load(c);
  const s3 = v128.load(d);
  const low01 = v128.shuffle<f32>(s0, s1, 0, 4, 1, 5);
  const low23 = v128.shuffle<f32>(s2, s3, 0, 4, 1, 5);
  const high01 = v128.shuffle<f32>(s0, s1, 2, 6, 3, 7);
  const high23 = v128.shuffle<f32>(s2, s3, 2, 6, 3, 7);
  v128.store(out, v128.shuffle<f32>(low01, low23, 0, 1, 4, 5));
  v128.store(out, v128.shuffle<f32>(low01, low23, 2, 3, 6, 7), 16);
  v128.store(out, v128.shuffle<f32>(high01, high23, 0, 1, 4, 5), 32);
}

/** Forces of the groups back to their records. */
export function admmUngroup(work: usize): void {
  const groups = at(work, GROUPS);
  const records = at(work, RECORDS);
  const order = at(work, ORDER);
  const lanes = (<usize>load<i32>(work, GROUP_COUNT)) << 2;
  for (let lane: usize = 0; lane < lanes; lane++) {
    const i = load<i32>(order + (lane << 2));
    if (i < 0) continue;
    const record = records + <usize>i * RECORD;
    const from = groups + (lane >> 2) * GROUP + ((lane & 3) << 2);
    store<f32>(record, load<f32>(from, G_FORCE), R_FORCE);
    store<f32>(record, load<f32>(from, G_FORCE + 16), R_FORCE + 4);
    store<f32>(record, load<f32>(from, G_FORCE + 32), R_FORCE + 8);
  }
}

/** Lists all groups as awake; returns how many there are. An entry: the group's number, and its contacts less one in the low bits. */
export function listGroups(work: usize): i32 {
  const groups = load<i32>(work, GROUP_COUNT);
  const list = at(work, LIST);
  const order = at(work, ORDER);
  for (let g: usize = 0; g < <usize>groups; g++) {
    const lanes = v128.load(order + (g << 4));
    const used = i32x4.bitmask(i32x4.ge_s(lanes, i32x4.splat(0)));
    store<i32>(list + (g << 2), ((<i32>g) << 2) | (popcnt(used) - 1));
  }
  return groups;
}

/** Velocity of a contact's edges, A less B. */
function edgesAt(group: usize, lane: usize, p: usize): v128 {
  const a = p + <usize>load<i32>(group + lane, G_A);
  const b = p + <usize>load<i32>(group + lane, G_B);
  const a0 = v128.load(a);
  const b0 = v128.load(b);
  const ua = f32x4.add(a0, f32x4.mul(v128.load32_splat(group + lane, G_S), f32x4.sub(v128.load(a, 16), a0)));
  const ub = f32x4.add(b0, f32x4.mul(v128.load32_splat(group + lane, G_T), f32x4.sub(v128.load(b, 16), b0)));
  return f32x4.sub(ua, ub);
}

/** π += γ change for the nodes of a contact. */
function pushEdges(group: usize, lane: usize, p: usize, change: v128): void {
  const a = p + <usize>load<i32>(group + lane, G_A);
  const b = p + <usize>load<i32>(group + lane, G_B);
  const gamma = group + (lane << 2);
  v128.store(a, f32x4.add(v128.load(a), f32x4.mul(v128.load32_splat(gamma, G_GAMMA), change)));
  v128.store(a, f32x4.add(v128.load(a, 16), f32x4.mul(v128.load32_splat(gamma, G_GAMMA + 4), change)), 16);
  v128.store(b, f32x4.add(v128.load(b), f32x4.mul(v128.load32_splat(gamma, G_GAMMA + 8), change)));
  v128.store(b, f32x4.add(v128.load(b, 16), f32x4.mul(v128.load32_splat(gamma, G_GAMMA + 12), change)), 16);
}

/**
 * One sweep over the groups listed as awake. Those where every change is below √`limit` [m/s] leave the list. Returns
 * the length of the list that is left.
 */
export function sweepGroups(work: usize, listed: i32, limit: f32): i32 {
  const groups = at(work, GROUPS);
  const list = at(work, LIST);
  const p = at(work, PROJECTED);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const still = f32x4.splat(limit);
  let awake: usize = 0;
  let solved = load<i32>(work, SOLVED);
  for (let k: usize = 0; k < <usize>listed; k++) {
    const entry = load<i32>(list + (k << 2));
    solved += (entry & 3) + 1;
    const g = groups + <usize>(entry >> 2) * GROUP;
    const s0 = edgesAt(g, 0, p);
    const s1 = edgesAt(g, 4, p);
    const s2 = edgesAt(g, 8, p);
    const s3 = edgesAt(g, 12, p);
    const low01 = v128.shuffle<f32>(s0, s1, 0, 4, 1, 5);
    const low23 = v128.shuffle<f32>(s2, s3, 0, 4, 1, 5);
    const high01 = v128.shuffle<f32>(s0, s1, 2, 6, 3, 7);
    const high23 = v128.shuffle<f32>(s2, s3, 2, 6, 3, 7);
    const fx = v128.load(g, G_FORCE);
    const fy = v128.load(g, G_FORCE + 16);
    const fz = v128.load(g, G_FORCE + 32);
    const nx = v128.load(g, G_NORMAL);
    const ny = v128.load(g, G_NORMAL + 16);
    const nz = v128.load(g, G_NORMAL + 32);
    const give = v128.load(g, G_SLACK);
    const ux = f32x4.add(
      f32x4.add(v128.load(g, G_OFFSET), f32x4.mul(give, fx)),
      v128.shuffle<f32>(low01, low23, 0, 1, 4, 5),
    );
    const uy = f32x4.add(
      f32x4.add(v128.load(g, G_OFFSET + 16), f32x4.mul(give, fy)),
      v128.shuffle<f32>(low01, low23, 2, 3, 6, 7),
    );
    const uz = f32x4.add(
      f32x4.add(v128.load(g, G_OFFSET + 32), f32x4.mul(give, fz)),
      v128.shuffle<f32>(high01, high23, 0, 1, 4, 5),
    );
    // The three cases: apart (nothing is taken off), stuck (everything), slipping (all but the excess of the slip).
    let x = f32x4.sub(ux, fx);
    let y = f32x4.sub(uy, fy);
    let z = f32x4.sub(uz, fz);
    const un = f32x4.add(f32x4.add(f32x4.mul(x, nx), f32x4.mul(y, ny)), f32x4.mul(z, nz));
    const pressed = f32x4.pmin(un, zero);
    x = f32x4.sub(x, f32x4.mul(pressed, nx));
    y = f32x4.sub(y, f32x4.mul(pressed, ny));
    z = f32x4.sub(z, f32x4.mul(pressed, nz));
    const most = f32x4.neg(f32x4.mul(v128.load(g, G_MU), pressed));
    const slip = f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z)));
    const left = v128.andnot(f32x4.sub(one, f32x4.div(most, slip)), f32x4.le(slip, most));
    x = f32x4.sub(f32x4.mul(x, left), ux);
    y = f32x4.sub(f32x4.mul(y, left), uy);
    z = f32x4.sub(f32x4.mul(z, left), uz);
    v128.store(g, f32x4.add(fx, x), G_FORCE);
    v128.store(g, f32x4.add(fy, y), G_FORCE + 16);
    v128.store(g, f32x4.add(fz, z), G_FORCE + 32);
    const low01b = v128.shuffle<f32>(x, y, 0, 4, 1, 5);
    const low23b = v128.shuffle<f32>(z, zero, 0, 4, 1, 5);
    const high01b = v128.shuffle<f32>(x, y, 2, 6, 3, 7);
    const high23b = v128.shuffle<f32>(z, zero, 2, 6, 3, 7);
    pushEdges(g, 0, p, v128.shuffle<f32>(low01b, low23b, 0, 1, 4, 5));
    pushEdges(g, 4, p, v128.shuffle<f32>(low01b, low23b, 2, 3, 6, 7));
    pushEdges(g, 8, p, v128.shuffle<f32>(high01b, high23b, 0, 1, 4, 5));
    pushEdges(g, 12, p, v128.shuffle<f32>(high01b, high23b, 2, 3, 6, 7));
    const square = f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
    store<i32>(list + (awake << 2), entry);
    awake += <usize>v128.any_true(f32x4.ge(square, still));
  }
  store<i32>(work, solved, SOLVED);
  return <i32>awake;
}
