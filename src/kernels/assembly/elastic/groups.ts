// Contacts four at a time: the sweeps of Algorithm 3 (Daviet 2020) on SIMD lanes.
//
// Contacts of a group share no node, so that they can be solved together and nothing is lost against one after the
// other. A contact goes, in the order of the table, to the first of OPEN open groups that holds none of its nodes;
// where there is none, the oldest of these groups stays part empty and makes room. Neighbours in the table are
// neighbours on a strand: a group's contacts come to rest together, and its nodes lie near each other. Contacts with
// bodies of the problem are records instead (admm.ts). Two kinds of groups: of edges of strands, whose second nodes lie
// behind the first (two rows and two shares a contact), and of any primitives (points, edges, triangles: four rows and
// four shares). Out: places for elastic/gather.ts to fill; forces and π. The layout: elastic/layout.ts, G_*.

import { splat0, splat1, splat2, splat3 } from '../math/vector';
import {
  at,
  G_A,
  G_B,
  G_FORCE,
  G_GAMMA,
  G_MU,
  G_NODE,
  G_NORMAL,
  G_OFFSET,
  G_S,
  G_SLACK,
  G_T,
  GROUP,
  GROUP_COUNT,
  GROUP_REST,
  GROUP_ROOM,
  GROUP_SHARES,
  GROUPS,
  KINDS,
  LIST,
  MOVING_ROWS,
  ORDER,
  PROJECTED,
  REST_PULL,
  RESTING_COUNT,
  RESTS,
  RIGHT,
  ROWS,
  SHARES,
  SOLVED,
} from './layout';

/** Groups that are open at a time: bits of a mask that each node has. */
const OPEN: i32 = 32;
/** Group in each place, −1 none; contacts that it holds. */
const openGroup = memory.data(32 * 4);
const openSize = memory.data(32 * 4);
/** Places whose group is of any primitives, and of edges: a bit each. */
let ofNodes: u32 = 0;
let ofEdges: u32 = 0;
let oldest: i32 = 0;
let idle: i32 = 0;

/** Address of what sweeps do not read of group `index` (REST_*). */
export function restOf(work: usize, index: usize): usize {
  return at(work, RESTS) + index * GROUP_REST;
}

/** The same of the lane that begins at `lane`: where its value is in the first four. */
export function restOfLane(work: usize, lane: usize): usize {
  const place = lane - at(work, GROUPS);
  const index = place / GROUP;
  return restOf(work, index) + (place - index * GROUP);
}

/** Closes all groups; the rows of RIGHT become the nodes' masks until the last contact has its place. */
export function beginGroups(work: usize): void {
  memory.fill(at(work, RIGHT), 0, (<usize>load<i32>(work, ROWS)) << 4);
  memory.fill(openGroup, 0xff, 4 * OPEN);
  memory.fill(openSize, 0, 4 * OPEN);
  ofNodes = 0;
  ofEdges = 0;
  oldest = 0;
  idle = (load<i32>(work, ROWS) - 1) << 4;
}

/** Clears the bit of place `slot` in the masks of the group's nodes. */
function closeGroup(work: usize, slot: i32): void {
  const masks = at(work, RIGHT);
  const index = <usize>load<i32>(openGroup + ((<usize>slot) << 2));
  const group = at(work, GROUPS) + index * GROUP;
  const keep = ~((<u32>1) << slot);
  const isEdges = load<u8>(at(work, KINDS) + index) == 0;
  const end: usize = isEdges ? <usize>G_B + 16 : <usize>G_NODE + 64;
  for (let k: usize = 0; k < end; k += 4) {
    const row = load<i32>(group + k);
    if (row == idle) continue;
    const mask = masks + <usize>row;
    store<u32>(mask, load<u32>(mask) & keep);
    if (isEdges) store<u32>(mask, load<u32>(mask, 16) & keep, 16);
  }
  ofNodes &= keep;
  ofEdges &= keep;
  store<i32>(openGroup + ((<usize>slot) << 2), -1);
}

/** A new group in place `slot`, all lanes idle; `kind` as in KINDS. */
function openAnew(work: usize, slot: i32, kind: i32): void {
  const count = load<i32>(work, GROUP_COUNT);
  store<i32>(work, count + 1, GROUP_COUNT);
  const group = at(work, GROUPS) + <usize>count * GROUP;
  for (let k: usize = 32; k < <usize>GROUP; k += 16) v128.store(group + k, i64x2.splat(0));
  const rest = restOf(work, <usize>count);
  for (let k: usize = 0; k < <usize>GROUP_REST; k += 16) v128.store(rest + k, i64x2.splat(0));
  v128.store(group, i32x4.splat(idle), G_A);
  v128.store(group, i32x4.splat(idle), G_B);
  if (kind != 0) {
    v128.store(group, i32x4.splat(idle), G_NODE + 32);
    v128.store(group, i32x4.splat(idle), G_NODE + 48);
    const shares = at(work, SHARES) + <usize>count * GROUP_SHARES;
    for (let k: usize = 0; k < <usize>GROUP_SHARES; k += 16) v128.store(shares + k, i64x2.splat(0));
    ofNodes |= (<u32>1) << slot;
  } else ofEdges |= (<u32>1) << slot;
  store<u8>(at(work, KINDS) + <usize>count, <u8>kind);
  v128.store(at(work, ORDER) + ((<usize>count) << 4), i32x4.splat(-1));
  store<i32>(openGroup + ((<usize>slot) << 2), count);
  store<i32>(openSize + ((<usize>slot) << 2), 0);
}

/**
 * A lane for row `row` of the table, whose edges begin at rows `a` and `b` (byte offsets; the idle row: none). Returns
 * its address, −1 when there is no room for another group. To be called between
 * beginGroups and the next use of RIGHT.
 */
export function placeContact(work: usize, row: i32, a: i32, b: i32): usize {
  const masks = at(work, RIGHT);
  const ma = masks + <usize>a;
  const mb = masks + <usize>b;
  let taken = ofNodes | load<u32>(ma) | load<u32>(ma, 16);
  if (b != idle) taken |= load<u32>(mb) | load<u32>(mb, 16);
  const slot = placeIn(work, taken, 0);
  if (slot < 0) return -1;
  const bit = (<u32>1) << slot;
  store<u32>(ma, load<u32>(ma) | bit);
  store<u32>(ma, load<u32>(ma, 16) | bit, 16);
  if (b != idle) {
    store<u32>(mb, load<u32>(mb) | bit);
    store<u32>(mb, load<u32>(mb, 16) | bit, 16);
  }
  const out = laneIn(work, slot);
  store<i32>(out, a, G_A);
  store<i32>(out, b, G_B);
  takeLane(work, slot, row);
  return out;
}

/** The same for any primitives: `nodes`, i32×4, and `shares`, f64×4, of the contact as the table has them. */
export function placeNodes(work: usize, row: i32, nodes: usize, shares: usize): usize {
  const masks = at(work, RIGHT);
  let taken = ofEdges;
  for (let j: usize = 0; j < 16; j += 4) {
    const node = load<i32>(nodes + j);
    if (node >= 0) taken |= load<u32>(masks + ((<usize>node) << 4));
  }
  const slot = placeIn(work, taken, 1);
  if (slot < 0) return -1;
  const bit = (<u32>1) << slot;
  const out = laneIn(work, slot);
  const corner = out + 3 * (out & 15);
  const place = (<usize>slot) << 2;
  const lane = (<usize>load<i32>(openSize + place)) << 4;
  const shared = at(work, SHARES) + <usize>load<i32>(openGroup + place) * GROUP_SHARES + lane;
  for (let j: usize = 0; j < 16; j += 4) {
    const node = load<i32>(nodes + j);
    if (node < 0) continue;
    const mask = masks + ((<usize>node) << 4);
    store<u32>(mask, load<u32>(mask) | bit);
    store<i32>(corner + j, node << 4, G_NODE);
    store<f32>(shared + j, <f32>load<f64>(shares + 2 * j));
  }
  takeLane(work, slot, row);
  return out;
}

/** A place whose bit is not in `taken`, with an open group of this kind; −1: there is no room for another. */
function placeIn(work: usize, taken: u32, kind: i32): i32 {
  let slot = <i32>ctz(~taken);
  if (slot >= OPEN) {
    slot = oldest;
    oldest = (oldest + 1) & (OPEN - 1);
    closeGroup(work, slot);
  }
  if (load<i32>(openGroup + ((<usize>slot) << 2)) < 0) {
    if (load<i32>(work, GROUP_COUNT) >= load<i32>(work, GROUP_ROOM)) return -1;
    openAnew(work, slot, kind);
  }
  return slot;
}

/** Address of the next lane of the group in a place. */
function laneIn(work: usize, slot: i32): usize {
  const place = (<usize>slot) << 2;
  return at(work, GROUPS) + <usize>load<i32>(openGroup + place) * GROUP + ((<usize>load<i32>(openSize + place)) << 2);
}

/** Gives that lane to row `row`; a full group is closed. */
function takeLane(work: usize, slot: i32, row: i32): void {
  const place = (<usize>slot) << 2;
  const group = <usize>load<i32>(openGroup + place);
  const lane = load<i32>(openSize + place);
  store<i32>(at(work, ORDER) + (group << 4) + ((<usize>lane) << 2), row);
  store<i32>(openSize + place, lane + 1);
  if (lane == 3) closeGroup(work, slot);
}

/**
 * Lists the groups that have a strand which does not rest, or one of the `bits` in a row, as awake; returns how many
 * there are. An entry: the group's number, the lanes that take no part, and how many do, less one, in the low bits.
 */
export function listGroups(work: usize, bits: i32): i32 {
  const groups = load<i32>(work, GROUP_COUNT);
  const list = at(work, LIST);
  const order = at(work, ORDER);
  const all = bits == 0 && load<i32>(work, RESTING_COUNT) == 0;
  let length: usize = 0;
  for (let g: usize = 0; g < <usize>groups; g++) {
    const lanes = v128.load(order + (g << 4));
    const used = i32x4.bitmask(i32x4.ge_s(lanes, i32x4.splat(0)));
    const awake = all || isMoving(work, g, bits);
    const out = all ? 0 : leftOut;
    // Where all lanes are left out nothing is awake, and the next entry takes the place of this one.
    const solved = max(1, popcnt(used & ~out)) - 1;
    store<i32>(list + (length << 2), ((<i32>g) << 6) | (out << 2) | solved);
    length += <usize>awake;
  }
  return <i32>length;
}

/** Lanes of the last group asked about that wait, or take part in other sweeps. */
let leftOut: i32 = 0;

/** Whether any strand of a group's contacts does not rest, or has one of the `bits` in a row. */
function isMoving(work: usize, group: usize, bits: i32): bool {
  const rows = at(work, MOVING_ROWS);
  const nodes = at(work, GROUPS) + group * GROUP;
  const isEdges = load<u8>(at(work, KINDS) + group) == 0;
  const ends: usize = isEdges ? 2 : 4;
  let any: i32 = 0;
  leftOut = 0;
  for (let lane: usize = 0; lane < 4; lane++) {
    let flags: i32 = 0;
    for (let k: usize = 0; k < ends; k++) {
      const place = isEdges ? (k << 4) + (lane << 2) : <usize>G_NODE + (lane << 4) + (k << 2);
      flags |= load<u8>(rows + (<usize>load<i32>(nodes + place) >> 4));
    }
    any |= bits == 0 ? flags : flags & bits;
    if (bits != 0 && flags != 0 && (flags & bits) == 0) leftOut |= 1 << (<i32>lane);
  }
  return any != 0;
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

/** Velocity of a contact of any primitives, A less B: Σ b p of its nodes. */
function nodesAt(group: usize, lane: usize, p: usize, shares: usize): v128 {
  const corner = group + (lane << 2);
  const share = v128.load(shares + (lane << 2));
  const a = f32x4.add(
    f32x4.mul(splat0(share), v128.load(p + <usize>load<i32>(corner, G_NODE))),
    f32x4.mul(splat1(share), v128.load(p + <usize>load<i32>(corner, G_NODE + 4))),
  );
  const b = f32x4.add(
    f32x4.mul(splat2(share), v128.load(p + <usize>load<i32>(corner, G_NODE + 8))),
    f32x4.mul(splat3(share), v128.load(p + <usize>load<i32>(corner, G_NODE + 12))),
  );
  return f32x4.add(a, b);
}

/** Address of the shares of group `index`, 0 of one of strands' edges. */
export function sharesOf(work: usize, index: usize): usize {
  return load<u8>(at(work, KINDS) + index) == 0 ? 0 : at(work, SHARES) + index * GROUP_SHARES;
}

/** out (three times f32×4) := velocities of a group's contacts at rows p, A less B; `shares` as of sharesOf. */
export function velocitiesOfGroup(out: usize, group: usize, p: usize, shares: usize): void {
  const isEdges = shares == 0;
  const s0 = isEdges ? edgesAt(group, 0, p) : nodesAt(group, 0, p, shares);
  const s1 = isEdges ? edgesAt(group, 4, p) : nodesAt(group, 4, p, shares);
  const s2 = isEdges ? edgesAt(group, 8, p) : nodesAt(group, 8, p, shares);
  const s3 = isEdges ? edgesAt(group, 12, p) : nodesAt(group, 12, p, shares);
  const low01 = v128.shuffle<f32>(s0, s1, 0, 4, 1, 5);
  const low23 = v128.shuffle<f32>(s2, s3, 0, 4, 1, 5);
  const high01 = v128.shuffle<f32>(s0, s1, 2, 6, 3, 7);
  const high23 = v128.shuffle<f32>(s2, s3, 2, 6, 3, 7);
  v128.store(out, v128.shuffle<f32>(low01, low23, 0, 1, 4, 5));
  v128.store(out, v128.shuffle<f32>(low01, low23, 2, 3, 6, 7), 16);
  v128.store(out, v128.shuffle<f32>(high01, high23, 0, 1, 4, 5), 32);
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

/** The same for a contact of any primitives. */
function pushNodes(group: usize, lane: usize, p: usize, change: v128): void {
  const corner = group + (lane << 2);
  for (let j: usize = 0; j < 16; j += 4) {
    const node = p + <usize>load<i32>(corner + j, G_NODE);
    v128.store(node, f32x4.add(v128.load(node), f32x4.mul(v128.load32_splat(corner + j, G_GAMMA), change)));
  }
}

/** π += γ (x y z) for the nodes of a group's contacts. */
function pushGroup(group: usize, isEdges: bool, p: usize, x: v128, y: v128, z: v128): void {
  const zero = f32x4.splat(0);
  const low01 = v128.shuffle<f32>(x, y, 0, 4, 1, 5);
  const low23 = v128.shuffle<f32>(z, zero, 0, 4, 1, 5);
  const high01 = v128.shuffle<f32>(x, y, 2, 6, 3, 7);
  const high23 = v128.shuffle<f32>(z, zero, 2, 6, 3, 7);
  const c0 = v128.shuffle<f32>(low01, low23, 0, 1, 4, 5);
  const c1 = v128.shuffle<f32>(low01, low23, 2, 3, 6, 7);
  const c2 = v128.shuffle<f32>(high01, high23, 0, 1, 4, 5);
  const c3 = v128.shuffle<f32>(high01, high23, 2, 3, 6, 7);
  if (isEdges) {
    pushEdges(group, 0, p, c0);
    pushEdges(group, 4, p, c1);
    pushEdges(group, 8, p, c2);
    pushEdges(group, 12, p, c3);
  } else {
    pushNodes(group, 0, p, c0);
    pushNodes(group, 4, p, c1);
    pushNodes(group, 8, p, c2);
    pushNodes(group, 12, p, c3);
  }
}

/** Rows p += W⁻¹ Bᵀ r of the contacts in the table's rows from `first` on, less cohesion. */
export function pushGroups(work: usize, p: usize, first: i32): void {
  const groups = at(work, GROUPS);
  const order = at(work, ORDER);
  const count = <usize>load<i32>(work, GROUP_COUNT);
  const from = i32x4.splat(first);
  const kinds = at(work, KINDS);
  for (let k: usize = 0; k < count; k++) {
    const counts = i32x4.ge_s(v128.load(order + (k << 4)), from);
    if (!v128.any_true(counts)) continue;
    const g = groups + k * GROUP;
    const pull = v128.load(restOf(work, k), REST_PULL);
    const x = f32x4.sub(v128.load(g, G_FORCE), f32x4.mul(pull, v128.load(g, G_NORMAL)));
    const y = f32x4.sub(v128.load(g, G_FORCE + 16), f32x4.mul(pull, v128.load(g, G_NORMAL + 16)));
    const z = f32x4.sub(v128.load(g, G_FORCE + 32), f32x4.mul(pull, v128.load(g, G_NORMAL + 32)));
    pushGroup(g, load<u8>(kinds + k) == 0, p, v128.and(counts, x), v128.and(counts, y), v128.and(counts, z));
  }
}

/**
 * One sweep over the groups listed as awake. Those where every change is below √`limit` [m/s] leave the list. Returns
 * the length of the list that is left.
 */
export function sweepGroups(work: usize, listed: i32, limit: f32): i32 {
  const groups = at(work, GROUPS);
  const list = at(work, LIST);
  const kinds = at(work, KINDS);
  const shares = at(work, SHARES);
  const p = at(work, PROJECTED);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const still = f32x4.splat(limit);
  let awake: usize = 0;
  let solved = load<i32>(work, SOLVED);

  for (let k: usize = 0; k < <usize>listed; k++) {
    const entry = load<i32>(list + (k << 2));
    solved += (entry & 3) + 1;
    const index = <usize>(entry >> 6);
    const g = groups + index * GROUP;
    const isEdges = load<u8>(kinds + index) == 0;
    const shared = shares + index * GROUP_SHARES;
    const s0 = isEdges ? edgesAt(g, 0, p) : nodesAt(g, 0, p, shared);
    const s1 = isEdges ? edgesAt(g, 4, p) : nodesAt(g, 4, p, shared);
    const s2 = isEdges ? edgesAt(g, 8, p) : nodesAt(g, 8, p, shared);
    const s3 = isEdges ? edgesAt(g, 12, p) : nodesAt(g, 12, p, shared);
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
    if ((entry & 0x3c) != 0) {
      const out = i32x4.ne(v128.and(i32x4.splat(entry), i32x4(4, 8, 16, 32)), i32x4.splat(0));
      x = v128.andnot(x, out);
      y = v128.andnot(y, out);
      z = v128.andnot(z, out);
    }
    v128.store(g, f32x4.add(fx, x), G_FORCE);
    v128.store(g, f32x4.add(fy, y), G_FORCE + 16);
    v128.store(g, f32x4.add(fz, z), G_FORCE + 32);
    pushGroup(g, isEdges, p, x, y, z);
    const square = f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
    store<i32>(list + (awake << 2), entry);
    awake += <usize>v128.any_true(f32x4.ge(square, still));
  }
  store<i32>(work, solved, SOLVED);
  return <i32>awake;
}
