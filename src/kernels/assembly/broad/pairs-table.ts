// The pair table: slots, the hash that finds them, the chains of every collider, and the list of active ones.
//
// A pair of colliders owns one slot, with a mesh four (further ones through PAIR_NEXT, not in the hash). Where the
// game may give each point its own material (BODY_MODIFIES), three more for every one of these follow in the chain:
// find-contacts leaves them empty, modify-contacts moves points there (dynamics/split-manifolds).
// PAIR_LINK chains the pairs of each collider, so that waking, sleeping and removing cost what the body has,
// never the whole table. A removed slot stays readable (its contact entity is still wanted by END_LIST) until
// `freePairs` at the end of the step.
// Hash: open addressing, linear probing, and deletion by shifting back (D. Knuth, The Art of Computer
// Programming 3, 6.4, algorithm R), so there are no deleted marks and it never wears out.

import {
  ACTIVE_COUNT,
  ACTIVE_LIST,
  BODY_AWAKE_INDEX,
  BODY_COLLIDER,
  BODY_FLAGS,
  BODY_MODIFIES,
  BODY_SURFACE,
  COLLIDER_BODY,
  COLLIDER_FLAGS,
  COLLIDER_FRICTION_RULE,
  COLLIDER_MATERIAL,
  COLLIDER_NEXT,
  COLLIDER_PAIR,
  COLLIDER_RESTITUTION_RULE,
  COLLIDER_SENSOR,
  END_COUNT,
  END_LIST,
  HASH_MASK,
  HASH_USED,
  PAIR_ACTIVE_INDEX,
  PAIR_ALIVE,
  PAIR_APPROACH,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_CACHE,
  PAIR_CAPACITY,
  PAIR_COLLIDER_A,
  PAIR_COLLIDER_B,
  PAIR_COUNT,
  PAIR_ENTITY,
  PAIR_EXTRA,
  PAIR_FEATURE,
  PAIR_FLAGS,
  PAIR_FREE,
  PAIR_HASH,
  PAIR_HIT,
  PAIR_IMPULSE,
  PAIR_ISLAND,
  PAIR_LINK,
  PAIR_LOAD,
  PAIR_MATERIAL,
  PAIR_MODIFIED,
  PAIR_NEXT,
  PAIR_NORMAL,
  PAIR_PENDING,
  PAIR_POINT,
  PAIR_POINTS,
  PAIR_REPORTED,
  PAIR_SENSOR,
  PAIR_SURFACE,
  PAIR_TANGENT,
  RULE_MAXIMUM,
  TRIANGLE_KINDS,
} from '../../../state/layout';
import { cell, column, getI32, setCell, setI32 } from '../memory';
import { combine, strongerRule } from '../narrow/combine';
import { isOneOf, kindOf } from '../shapes/kinds';

/** Manifolds of a pair with a mesh: one and three further ones. */
const MESH_SLOTS: i32 = 4;
/** Slots a manifold may be split into, one a point. */
const SPLIT_SLOTS: i32 = 4;

// ── Hash ───────────────────────────────────

/**
 * Mixes two collider slots into a cell of the hash (finaliser constants of A. Appleby's MurmurHash3, public domain).
 */
function homeCell(a: i32, b: i32): i32 {
  let h = (<u32>a * 0x9e3779b1) ^ (<u32>b * 0x85ebca6b);
  h ^= h >> 16;
  h *= 0x85ebca6b;
  h ^= h >> 13;
  h *= 0xc2b2ae35;
  h ^= h >> 16;
  return <i32>(h & <u32>cell(HASH_MASK));
}

/** Slot of the pair (a, b) in the pair's own order, −1 none. */
export function lookUpPair(a: i32, b: i32): i32 {
  const hash = column(PAIR_HASH);
  const mask = cell(HASH_MASK);
  let i = homeCell(a, b);
  let pair = getI32(hash, i) - 1;
  while (pair >= 0) {
    if (getI32(column(PAIR_COLLIDER_A), pair) == a && getI32(column(PAIR_COLLIDER_B), pair) == b) return pair;
    i = (i + 1) & mask;
    pair = getI32(hash, i) - 1;
  }
  return -1;
}

function enterHash(pair: i32): void {
  const hash = column(PAIR_HASH);
  const mask = cell(HASH_MASK);
  let i = homeCell(getI32(column(PAIR_COLLIDER_A), pair), getI32(column(PAIR_COLLIDER_B), pair));
  while (getI32(hash, i) != 0) i = (i + 1) & mask;
  setI32(hash, i, pair + 1);
  setCell(HASH_USED, cell(HASH_USED) + 1);
}

function leaveHash(pair: i32): void {
  const hash = column(PAIR_HASH);
  const mask = cell(HASH_MASK);
  let hole = homeCell(getI32(column(PAIR_COLLIDER_A), pair), getI32(column(PAIR_COLLIDER_B), pair));
  while (getI32(hash, hole) != pair + 1) hole = (hole + 1) & mask;
  // An entry behind the hole moves into it unless its home lies cyclically in (hole, entry].
  for (let i = (hole + 1) & mask; getI32(hash, i) != 0; i = (i + 1) & mask) {
    const other = getI32(hash, i) - 1;
    const home = homeCell(getI32(column(PAIR_COLLIDER_A), other), getI32(column(PAIR_COLLIDER_B), other));
    if (((i - home) & mask) >= ((i - hole) & mask)) {
      setI32(hash, hole, other + 1);
      hole = i;
    }
  }
  setI32(hash, hole, 0);
  setCell(HASH_USED, cell(HASH_USED) - 1);
}

/**
 * Sizes the hash to the pair table (largest power of two that fits four cells a slot) and fills it
 * anew. Call after the table grew.
 */
export function rebuildPairHash(): void {
  const cells = cell(PAIR_CAPACITY) * 4;
  const size = 1 << (31 - clz(cells));
  setCell(HASH_MASK, size - 1);
  setCell(HASH_USED, 0);
  memory.fill(column(PAIR_HASH), 0, (<usize>cells) << 2);
  const count = cell(PAIR_COUNT);
  for (let pair = 0; pair < count; pair++) {
    if ((getI32(column(PAIR_FLAGS), pair) & (PAIR_ALIVE | PAIR_EXTRA)) == PAIR_ALIVE) enterHash(pair);
  }
}

// ── Chains of a collider's pairs ───────────────────────────

/** Key that follows `key` (2·slot + side) in its chain, −1 none. */
export function nextKey(key: i32): i32 {
  return getI32(column(PAIR_LINK), key * 2);
}

function chainPair(key: i32, collider: i32): void {
  const links = column(PAIR_LINK);
  const heads = column(COLLIDER_PAIR);
  const head = getI32(heads, collider);
  setI32(links, key * 2, head);
  setI32(links, key * 2 + 1, -1);
  if (head >= 0) setI32(links, head * 2 + 1, key);
  setI32(heads, collider, key);
}

function unchainPair(key: i32, collider: i32): void {
  const links = column(PAIR_LINK);
  const next = getI32(links, key * 2);
  const previous = getI32(links, key * 2 + 1);
  if (next >= 0) setI32(links, next * 2 + 1, previous);
  if (previous >= 0) setI32(links, previous * 2, next);
  else setI32(column(COLLIDER_PAIR), collider, next);
}

// ── The active list ───────────────────────────────

function enlist(slot: i32): void {
  const count = cell(ACTIVE_COUNT);
  setI32(column(ACTIVE_LIST), count, slot);
  setI32(column(PAIR_ACTIVE_INDEX), slot, count);
  setCell(ACTIVE_COUNT, count + 1);
}

function delist(slot: i32): void {
  const indices = column(PAIR_ACTIVE_INDEX);
  const list = column(ACTIVE_LIST);
  const at = getI32(indices, slot);
  if (at < 0) return;
  const last = cell(ACTIVE_COUNT) - 1;
  const moved = getI32(list, last);
  setI32(list, at, moved);
  setI32(indices, moved, at);
  setI32(indices, slot, -1);
  setCell(ACTIVE_COUNT, last);
}

/** Puts a pair, with its further manifolds, into or out of the active list. */
function setActive(pair: i32, active: bool): void {
  for (let slot = pair; slot >= 0; slot = getI32(column(PAIR_NEXT), slot)) {
    if (!active) delist(slot);
    else if (getI32(column(PAIR_ACTIVE_INDEX), slot) < 0) enlist(slot);
  }
}

/** Puts every pair of a body into the active list. Call when it woke (is in AWAKE_LIST). */
export function activateBody(body: i32): void {
  const next = column(COLLIDER_NEXT);
  for (let collider = getI32(column(BODY_COLLIDER), body); collider >= 0; collider = getI32(next, collider)) {
    for (let key = getI32(column(COLLIDER_PAIR), collider); key >= 0; key = nextKey(key)) {
      setActive(key >> 1, true);
    }
  }
}

/** Takes every pair of a body without another awake body out of the active list. Call when it left AWAKE_LIST. */
export function deactivateBody(body: i32): void {
  const next = column(COLLIDER_NEXT);
  const awake = column(BODY_AWAKE_INDEX);
  for (let collider = getI32(column(BODY_COLLIDER), body); collider >= 0; collider = getI32(next, collider)) {
    for (let key = getI32(column(COLLIDER_PAIR), collider); key >= 0; key = nextKey(key)) {
      const other = getI32(column(key & 1 ? PAIR_BODY_A : PAIR_BODY_B), key >> 1);
      if (getI32(awake, other) < 0) setActive(key >> 1, false);
    }
  }
}

// ── Slots ──────────────────────────────────

/** An unused slot, −1 when the table is full. Freed slots first, so the order does not depend on the capacity. */
function takeSlot(): i32 {
  let slot = cell(PAIR_FREE);
  if (slot >= 0) {
    setCell(PAIR_FREE, getI32(column(PAIR_NEXT), slot));
    return slot;
  }
  slot = cell(PAIR_COUNT);
  if (slot >= cell(PAIR_CAPACITY)) return -1;
  setCell(PAIR_COUNT, slot + 1);
  return slot;
}

function giveSlot(slot: i32): void {
  setI32(column(PAIR_NEXT), slot, cell(PAIR_FREE));
  setCell(PAIR_FREE, slot);
}

function zeroRow(columnCell: i32, slot: i32, bytes: usize): void {
  memory.fill(column(columnCell) + <usize>slot * bytes, 0, bytes);
}

/** Fills a slot with a new, empty manifold. */
function clearSlot(slot: i32, a: i32, b: i32, flags: i32): void {
  const bodies = column(COLLIDER_BODY);
  setI32(column(PAIR_COLLIDER_A), slot, a);
  setI32(column(PAIR_COLLIDER_B), slot, b);
  setI32(column(PAIR_BODY_A), slot, getI32(bodies, a));
  setI32(column(PAIR_BODY_B), slot, getI32(bodies, b));
  setI32(column(PAIR_FLAGS), slot, flags);
  setI32(column(PAIR_POINTS), slot, 0);
  setI32(column(PAIR_ENTITY), slot, 0);
  setI32(column(PAIR_ACTIVE_INDEX), slot, -1);
  setI32(column(PAIR_NEXT), slot, -1);
  setI32(column(PAIR_ISLAND), slot, -1);
  zeroRow(PAIR_NORMAL, slot, 32);
  zeroRow(PAIR_TANGENT, slot, 32);
  zeroRow(PAIR_POINT, slot, 128);
  zeroRow(PAIR_IMPULSE, slot, 128);
  zeroRow(PAIR_HIT, slot, 32);
  zeroRow(PAIR_LOAD, slot, 8);
  zeroRow(PAIR_APPROACH, slot, 8);
  zeroRow(PAIR_FEATURE, slot, 16);
  zeroRow(PAIR_CACHE, slot, 16);
  memory.fill(column(PAIR_LINK) + ((<usize>slot) << 4), 0xff, 16);
  combineMaterial(slot);
}

/** Writes the pair's material from its colliders': friction and restitution by their rules, no surface speed. */
export function combineMaterial(pair: i32): void {
  const a = getI32(column(PAIR_COLLIDER_A), pair);
  const b = getI32(column(PAIR_COLLIDER_B), pair);
  const flags = column(COLLIDER_FLAGS);
  const flagsA = getI32(flags, a);
  const flagsB = getI32(flags, b);
  const material = column(COLLIDER_MATERIAL);
  const ma = material + ((<usize>a) << 4);
  const mb = material + ((<usize>b) << 4);
  const row = column(PAIR_MATERIAL) + ((<usize>pair) << 5);
  const frictionRule = strongerRule(flagsA >> COLLIDER_FRICTION_RULE, flagsB >> COLLIDER_FRICTION_RULE);
  const bounceRule = strongerRule(flagsA >> COLLIDER_RESTITUTION_RULE, flagsB >> COLLIDER_RESTITUTION_RULE);
  store<f64>(row, combine(frictionRule, load<f64>(ma), load<f64>(mb)));
  store<f64>(row, combine(bounceRule == 0 ? RULE_MAXIMUM : bounceRule, load<f64>(ma, 8), load<f64>(mb, 8)), 8);
  store<f64>(row, 0, 16);
  store<f64>(row, 0, 24);
}

/** Writes the materials of all pairs from their colliders', zeros to free rows. */
export function combineMaterials(): void {
  const flags = column(PAIR_FLAGS);
  const count = cell(PAIR_COUNT);
  for (let pair = 0; pair < count; pair++) {
    if (getI32(flags, pair) & PAIR_ALIVE) combineMaterial(pair);
    else zeroRow(PAIR_MATERIAL, pair, 32);
  }
}

/** How many slots the pair (a, b) needs. */
export function slotsFor(a: i32, b: i32): i32 {
  const slots = isOneOf(kindOf(b), TRIANGLE_KINDS) ? MESH_SLOTS : 1;
  return bodyFlags(a, b) & BODY_MODIFIES ? slots * SPLIT_SLOTS : slots;
}

/** Flags that any of the two colliders' bodies has. */
function bodyFlags(a: i32, b: i32): i32 {
  const bodies = column(COLLIDER_BODY);
  const flags = column(BODY_FLAGS);
  return getI32(flags, getI32(bodies, a)) | getI32(flags, getI32(bodies, b));
}

/**
 * Makes the pair (a, b), which must be new and in the pair's own order. Returns false, with nothing
 * changed, when the table is full.
 */
export function createPair(a: i32, b: i32): bool {
  const wanted = slotsFor(a, b);
  // Taken in order and chained through PAIR_NEXT backwards, so that all can be handed back in reverse.
  let first = -1;
  let taken = -1;
  for (let k = 0; k < wanted; k++) {
    const slot = takeSlot();
    if (slot < 0) {
      while (taken >= 0) {
        const before = getI32(column(PAIR_NEXT), taken);
        giveSlot(taken);
        taken = before;
      }
      return false;
    }
    if (k == 0) first = slot;
    setI32(column(PAIR_NEXT), slot, taken);
    taken = slot;
  }
  const colliderFlags = column(COLLIDER_FLAGS);
  const sensor = (getI32(colliderFlags, a) | getI32(colliderFlags, b)) & COLLIDER_SENSOR;
  const custom = bodyFlags(a, b);
  const flags =
    PAIR_ALIVE |
    (sensor ? PAIR_SENSOR : 0) |
    (custom & BODY_SURFACE ? PAIR_SURFACE : 0) |
    (custom & BODY_MODIFIES ? PAIR_MODIFIED : 0);
  let following = -1;
  while (taken >= 0) {
    const before = getI32(column(PAIR_NEXT), taken);
    clearSlot(taken, a, b, taken == first ? flags : flags | PAIR_EXTRA);
    setI32(column(PAIR_NEXT), taken, following);
    following = taken;
    taken = before;
  }
  enterHash(first);
  chainPair(first * 2, a);
  chainPair(first * 2 + 1, b);
  const awake = column(BODY_AWAKE_INDEX);
  const bodyA = getI32(column(PAIR_BODY_A), first);
  const bodyB = getI32(column(PAIR_BODY_B), first);
  if (getI32(awake, bodyA) >= 0 || getI32(awake, bodyB) >= 0) setActive(first, true);
  return true;
}

/**
 * Removes a pair with its further manifolds; a touch that was reported goes to END_LIST. The slots
 * stay readable until `freePairs`.
 */
export function removePair(pair: i32): void {
  leaveHash(pair);
  unchainPair(pair * 2, getI32(column(PAIR_COLLIDER_A), pair));
  unchainPair(pair * 2 + 1, getI32(column(PAIR_COLLIDER_B), pair));
  for (let slot = pair; slot >= 0; ) {
    const next = getI32(column(PAIR_NEXT), slot);
    if (getI32(column(PAIR_FLAGS), slot) & PAIR_REPORTED) reportEnd(slot);
    delist(slot);
    setI32(column(PAIR_FLAGS), slot, 0);
    setI32(column(PAIR_POINTS), slot, 0);
    setI32(column(PAIR_NEXT), slot, cell(PAIR_PENDING));
    setCell(PAIR_PENDING, slot);
    slot = next;
  }
}

function reportEnd(slot: i32): void {
  const count = cell(END_COUNT);
  const row = column(END_LIST) + <usize>count * 12;
  store<i32>(row, slot);
  store<i32>(row, getI32(column(PAIR_COLLIDER_A), slot), 4);
  store<i32>(row, getI32(column(PAIR_COLLIDER_B), slot), 8);
  setCell(END_COUNT, count + 1);
}

/** Hands the slots of removed pairs back. Call once per step, when END_LIST has been read and emptied. */
export function freePairs(): void {
  for (let slot = cell(PAIR_PENDING); slot >= 0; ) {
    const next = getI32(column(PAIR_NEXT), slot);
    giveSlot(slot);
    slot = next;
  }
  setCell(PAIR_PENDING, -1);
}
