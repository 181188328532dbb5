// The contacts of surfaces that a call finds: kept, ordered by feature, matched with those of the last step, written.
//
// Features (state/layout.ts, SURFACE_*): low names the primitive of side A, high that of side B or a collider; both
// have bit 31, which no feature of rods has. Rows lie behind those of rods. A point's hits are chained, for edges that
// ask whether their ends are answered for.

import { DEEP_SOFTNESS } from '../../../core/elastic-constants';
import {
  NODE_CONTACT_ARM,
  NODE_CONTACT_COUNT,
  NODE_CONTACT_DRIFT,
  NODE_CONTACT_FORCE,
  NODE_CONTACT_KEY,
  NODE_CONTACT_MATERIAL,
  NODE_CONTACT_NODE,
  NODE_CONTACT_NORMAL,
  NODE_CONTACT_SIDE,
  NODE_CONTACT_WEIGHT,
  NODE_MASS,
  OBJECT_TETRAHEDRA,
  ROD_EXTRA,
  ROD_PARAMETER,
  STRAND_NODES,
  SURFACE_BODY,
  SURFACE_KIND_SHIFT,
} from '../../../state/layout';
import { cell, clear32, column, copy24, copy32, getF64, getI32, setCell, setI32 } from '../memory';
import { writeBodySide } from '../proximity/contacts';
import { dt } from '../proximity/work';
import { sortKeys } from './tree';
import {
  append,
  HIT,
  hitCapacity,
  hitKeys,
  hitOrder,
  hits,
  keys,
  materialOf,
  nodeHits,
  nodeTotal,
  objectOf,
  oldCount,
  oldKeys,
  oldRows,
  oldTaken,
  order,
  radiusOf,
} from './work';

// Fields of a hit.
const LOW: usize = 0;
const HIGH: usize = 4;
const SOURCE: usize = 8; // row of the table that it continues, −1 none
const NEXT: usize = 12; // next hit of the same point
export const NODES: usize = 16; // i32×4
export const WEIGHTS: usize = 32; // f64×4
export const NORMAL: usize = 64; // f64×3
const GAP: usize = 88;
export const TIME: usize = 96;
export const DISTANCE: usize = 104; // when it was found: now, or at the time of the impact [m]
export const POINT: usize = 112; // on the body, from its centre of mass, world axes (3 × f64)
export const COLLIDER: usize = 136; // −1 none
const FORCE: usize = 144; // f64×4

/** Hits found, also those that had no room. */
export let hitCount: i32 = 0;

function hitAt(i: i32): usize {
  return hits + <usize>i * HIT;
}

/** Both as one number: low, which is below zero, orders first. */
function keyOf(low: i32, high: i32): i64 {
  return ((<i64>low) << 32) | (<i64>high & 0xffffffff);
}

// ── The last step ────────────────────────────────

let oldTotal: i32 = 0;

/** Sorts the table's rows of surfaces by feature. */
export function readOld(): void {
  hitCount = 0;
  oldTotal = 0;
  const rows = column(NODE_CONTACT_KEY);
  let count = 0;
  for (let row = 0; row < oldCount; row++) {
    const low = getI32(rows, 4 * row);
    if (low >= 0) continue;
    store<u32>(keys + ((<usize>count) << 2), <u32>low);
    setI32(order, count++, row);
  }
  sortKeys(count, 3);
  for (let i = 0; i < count; i++) {
    const row = getI32(order, i);
    const key = keyOf(getI32(rows, 4 * row), getI32(rows, 4 * row + 1));
    let at = i;
    while (at > 0 && load<i64>(oldKeys + ((<usize>(at - 1)) << 3)) > key) {
      store<i64>(oldKeys + ((<usize>at) << 3), load<i64>(oldKeys + ((<usize>(at - 1)) << 3)));
      setI32(oldRows, at, getI32(oldRows, at - 1));
      at--;
    }
    store<i64>(oldKeys + ((<usize>at) << 3), key);
    setI32(oldRows, at, row);
  }
  oldTotal = count;
  memory.fill(oldTaken, 0, <usize>count);
  for (let node = 0; node < nodeTotal; node++) setI32(nodeHits, node, -1);
}

/** First place in the order whose key is not below. */
function placeOf(key: i64): i32 {
  let from = 0;
  let to = oldTotal;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (load<i64>(oldKeys + ((<usize>middle) << 3)) < key) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Row of the table with this feature, −1 none. */
export function findOld(low: i32, high: i32): i32 {
  const key = keyOf(low, high);
  const at = placeOf(key);
  return at < oldTotal && load<i64>(oldKeys + ((<usize>at) << 3)) == key ? getI32(oldRows, at) : -1;
}

/** First row of the table with this low feature and a high one from `from` to `to`, −1 none. */
export function findOldBetween(low: i32, from: i32, to: i32): i32 {
  const at = placeOf(keyOf(low, from));
  return at < oldTotal && load<i64>(oldKeys + ((<usize>at) << 3)) <= keyOf(low, to) ? getI32(oldRows, at) : -1;
}

/** Cosine between a direction and the normal of a row of the table. */
export function leanOfRow(row: i32, x: f64, y: f64, z: f64): f64 {
  const n = column(NODE_CONTACT_NORMAL) + ((<usize>row) << 5);
  return x * load<f64>(n) + y * load<f64>(n, 8) + z * load<f64>(n, 16);
}

// ── Hits ───────────────────────────────────

/**
 * Keeps a contact; returns its address, 0: no room, or (append) the table has it. Nodes, weights and point are the
 * caller's to write.
 */
export function addHit(low: i32, high: i32, nx: f64, ny: f64, nz: f64, gap: f64, distance: f64, time: f64): usize {
  if (append && findOld(low, high) >= 0) return 0;
  const i = hitCount++;
  if (i >= hitCapacity) return 0;
  const at = hitAt(i);
  store<i32>(at, low, LOW);
  store<i32>(at, high, HIGH);
  store<i32>(at, -1, SOURCE);
  store<i32>(at, -1, NEXT);
  store<f64>(at, nx, NORMAL);
  store<f64>(at, ny, NORMAL + 8);
  store<f64>(at, nz, NORMAL + 16);
  store<f64>(at, gap, GAP);
  store<f64>(at, distance, DISTANCE);
  store<f64>(at, time, TIME);
  store<i32>(at, -1, COLLIDER);
  v128.store(at, i32x4.splat(-1), NODES);
  clear32(at + WEIGHTS);
  return at;
}

/** Chains a hit to those of its point. */
export function chainHit(hit: usize, node: i32): void {
  store<i32>(hit, getI32(nodeHits, node), NEXT);
  setI32(nodeHits, node, <i32>((hit - hits) / HIT));
}

/** First hit of a point, 0 none. */
export function firstHit(node: i32): usize {
  const i = getI32(nodeHits, node);
  return i < 0 ? 0 : hitAt(i);
}

export function nextHit(hit: usize): usize {
  const i = load<i32>(hit, NEXT);
  return i < 0 ? 0 : hitAt(i);
}

// ── Matching ─────────────────────────────────

/**
 * Orders the hits by feature and gives each the contact that it continues: the same feature, else another of its side
 * A.
 */
export function matchHits(): void {
  for (let i = 0; i < hitCount; i++) {
    store<u32>(keys + ((<usize>i) << 2), load<u32>(hitAt(i), LOW));
    setI32(order, i, i);
  }
  sortKeys(hitCount, 3);
  for (let i = 0; i < hitCount; i++) {
    const name = getI32(order, i);
    const hit = hitAt(name);
    const key = keyOf(load<i32>(hit, LOW), load<i32>(hit, HIGH));
    let at = i;
    while (at > 0 && load<i64>(hitKeys + ((<usize>(at - 1)) << 3)) > key) {
      store<i64>(hitKeys + ((<usize>at) << 3), load<i64>(hitKeys + ((<usize>(at - 1)) << 3)));
      setI32(hitOrder, at, getI32(hitOrder, at - 1));
      at--;
    }
    store<i64>(hitKeys + ((<usize>at) << 3), key);
    setI32(hitOrder, at, name);
  }
  if (append || oldTotal == 0) return;
  for (let i = 0; i < hitCount; i++) {
    const at = placeOf(load<i64>(hitKeys + ((<usize>i) << 3)));
    if (at < oldTotal && load<i64>(oldKeys + ((<usize>at) << 3)) == load<i64>(hitKeys + ((<usize>i) << 3))) {
      claim(hitAt(getI32(hitOrder, i)), at, 0);
    }
  }
  for (let i = 0; i < hitCount; i++) {
    const hit = hitAt(getI32(hitOrder, i));
    if (load<i32>(hit, SOURCE) < 0) claimOther(hit);
  }
}

/** Takes an old contact over unless another hit has it, or it pushed another way. */
function claim(hit: usize, place: i32, least: f64): bool {
  if (load<u8>(oldTaken + place) != 0) return false;
  const row = getI32(oldRows, place);
  const lean = leanOfRow(row, load<f64>(hit, NORMAL), load<f64>(hit, NORMAL + 8), load<f64>(hit, NORMAL + 16));
  if (!(lean > least)) return false;
  store<u8>(oldTaken + place, 1);
  store<i32>(hit, row, SOURCE);
  copy32(hit + FORCE, column(NODE_CONTACT_FORCE) + ((<usize>row) << 5));
  return true;
}

/**
 * What slid on: the point onto the next triangle, the edge onto the next edge; on a body, another place of the same
 * primitive.
 */
function claimOther(hit: usize): void {
  const low = load<i32>(hit, LOW);
  const high = load<i32>(hit, HIGH);
  const to = placeOf(keyOf(low, -1));
  for (let at = placeOf(keyOf(low, 0)); at < to; at++) {
    const other = <i32>load<i64>(oldKeys + ((<usize>at) << 3));
    if ((other & SURFACE_BODY) != (high & SURFACE_BODY)) continue;
    if (claim(hit, at, SAME_WAY)) return;
  }
}

/** Cosine above which a contact of the same primitive is the same one that slid on. */
const SAME_WAY: f64 = 0.5;

// ── Rows ───────────────────────────────────

function row4(cell: i32, row: i32): usize {
  return column(cell) + ((<usize>row) << 5);
}

/**
 * Writes the hits behind the rows that the table has; there is room. A feature that was found twice is written once.
 */
export function writeHits(): void {
  let row = cell(NODE_CONTACT_COUNT);
  for (let i = 0; i < hitCount; i++) {
    if (i > 0 && load<i64>(hitKeys + ((<usize>i) << 3)) == load<i64>(hitKeys + ((<usize>(i - 1)) << 3))) continue;
    writeRow(row++, hitAt(getI32(hitOrder, i)));
  }
  setCell(NODE_CONTACT_COUNT, row);
}

/** Share of a solid's mass that counts as a node's where it is deep inside something. */
const SHARE_OF_SOLID: f64 = 1 / 32;

/**
 * Compliance of a contact that deep in a step of `dt`: as of rods (DEEP_SOFTNESS), with the mean mass of side A [m/N].
 * A solid bears its weight, and what lies on it, on a few nodes, and its insides hold it together: there a contact may
 * push with about the weight of the whole (60 steps a second), or it came to rest as deep as its corners can push; with
 * thirty times as much, solids that began right through each other or a wall were turned inside out in places.
 */
function giveOf(hit: usize, reach: f64): f64 {
  const depth = -load<f64>(hit, GAP) - reach;
  if (!(depth > 0)) return 0;
  const masses = column(NODE_MASS);
  let mass: f64 = 0;
  for (let k: usize = 0; k < 4; k++) {
    const weight = load<f64>(hit + (k << 3), WEIGHTS);
    if (weight > 0) mass += weight * getF64(masses, load<i32>(hit + (k << 2), NODES) << 1);
  }
  const object = objectOf(load<i32>(hit, NODES));
  if (load<i32>(column(OBJECT_TETRAHEDRA) + ((<usize>object) << 3), 4) > 0)
    mass *= max(1.0, SHARE_OF_SOLID * getI32(column(STRAND_NODES), object));
  return mass > 0 ? (DEEP_SOFTNESS * min(1.0, depth / reach) * dt * dt) / mass : 0;
}

function writeRow(row: i32, hit: usize): void {
  const low = load<i32>(hit, LOW);
  const high = load<i32>(hit, HIGH);
  const nodes = hit + NODES;
  v128.store(column(NODE_CONTACT_NODE) + ((<usize>row) << 4), v128.load(nodes));
  copy32(row4(NODE_CONTACT_WEIGHT, row), hit + WEIGHTS);
  const normal = row4(NODE_CONTACT_NORMAL, row);
  copy24(normal, hit + NORMAL);
  store<f64>(normal, load<f64>(hit, GAP), 24);
  if (load<i32>(hit, SOURCE) < 0) clear32(row4(NODE_CONTACT_FORCE, row));
  else copy32(row4(NODE_CONTACT_FORCE, row), hit + FORCE);
  clear32(row4(NODE_CONTACT_ARM, row));
  clear32(row4(NODE_CONTACT_DRIFT, row));
  const kind = (low >>> SURFACE_KIND_SHIFT) & 3;
  const isBody = (high & SURFACE_BODY) != 0;
  const key = column(NODE_CONTACT_KEY) + ((<usize>row) << 4);
  store<i32>(key, low);
  store<i32>(key, high, 4);
  store<i32>(key, kind, 8);
  store<i32>(key, isBody ? 0 : 4 - kind, 12);
  const objectA = objectOf(load<i32>(nodes));
  const side = column(NODE_CONTACT_SIDE) + ((<usize>row) << 4);
  store<i32>(side, objectA);
  store<i32>(side, -1, 4);
  store<i32>(side, -1, 8);
  store<i32>(side, -1, 12);
  const material = row4(NODE_CONTACT_MATERIAL, row);
  store<f64>(material, load<f64>(hit, TIME), 24);
  const rodA = materialOf(objectA);
  if (isBody) {
    const soft = giveOf(hit, 2 * radiusOf(objectA));
    writeBodySide(row, load<i32>(hit, COLLIDER), rodA, hit + POINT, hit + NORMAL, soft);
    return;
  }
  const objectB = objectOf(load<i32>(nodes + ((<usize>kind) << 2)));
  store<i32>(side, objectB, 4);
  // Friction and cohesion by geometric mean; the compliance of two equal surfaces is their own.
  const rodB = materialOf(objectB);
  const a = row8(rodA);
  const b = row8(rodB);
  store<f64>(material, sqrt(load<f64>(a, 48) * load<f64>(b, 48)));
  store<f64>(material, sqrt(load<f64>(a, 56) * load<f64>(b, 56)), 8);
  const give = 0.5 * (load<f64>(row4(ROD_EXTRA, rodA), 16) + load<f64>(row4(ROD_EXTRA, rodB), 16));
  store<f64>(material, give + giveOf(hit, radiusOf(objectA) + radiusOf(objectB)), 16);
}

function row8(material: i32): usize {
  return column(ROD_PARAMETER) + ((<usize>material) << 6);
}
