// The pairs that foresee-contacts has in hand: what is known of each.
//
// In: scratch. Out: entries, found by pair; whether a pair has been decided.

import { SLACK_SHARE } from '../../../core/engine-constants';
import {
  ACTIVE_COUNT,
  ACTIVE_LIST,
  BODY_COLLIDER,
  BODY_COUNT,
  BODY_FLAGS,
  BODY_QUARANTINED,
  BODY_VELOCITY_CHANGE,
  COLLIDER_NEXT,
  COLLIDER_PAIR,
  PAIR_ACTIVE_INDEX,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_COLLIDER_A,
  PAIR_COLLIDER_B,
  PAIR_COUNT,
  PAIR_DISABLED,
  PAIR_EXTRA,
  PAIR_FLAGS,
  PAIR_MODIFIED,
  PAIR_NEXT,
  PAIR_POINT,
  PAIR_POINTS,
  PAIR_SENSOR,
  PAIR_TOUCHING,
  SPECULATIVE_DISTANCE,
  TIME_STEP,
} from '../../../state/layout';
import { nextKey } from '../broad/pairs-table';
import { cell, column, getF64, getI32, parameter, setI32 } from '../memory';
import { hold, isPushed, isYielding, separationSpeed } from './push';
import { NO_TOUCH, radiusOf } from './sweep-pair';

const SIZE_SHARE: f64 = 1e-3;
/** Speculative distance above which slack grows no more [m]. */
const MOST_SPECULATION: f64 = 0.02;

// What is known of a pair in hand: to be looked at; its contacts count; nothing will
// touch; a neighbour has all it could.
export const OPEN: i32 = 0;
export const DECIDED: i32 = 1;
export const PASSED: i32 = 2;
export const CLEARED: i32 = 3;

/**
 * Most pairs of two bodies that yield, of a group that hangs together by contacts: in a heap that is hit all over, the
 * others keep the contacts of the step's start. Pairs with what does not yield are always looked at.
 */
const MOST_IN_GROUP: i32 = 48;

// A pair in hand: slot, state (i32), share of the step at which it touches, speed at
// which it came (f64), last push (i32).
const ENTRY: usize = 32;

let entryOf: usize = 0; // i32 per pair: its entry + 1, 0 none, −1 left out
let entries: usize = 0;
let queue: usize = 0; // i32 entries, a binary heap
/** Pairs in hand. */
export let entryCount: i32 = 0;
/** Pairs that their group has no room for. */
export let leftOut: i32 = 0;
/** Entries of two bodies that yield. */
let mutual: i32 = 0;

// Groups, made only when there are more of those than one group may have.
let isGrouped: bool = false;
let groupOf: usize = 0; // i32 per body: another body of its group, or itself
let sizes: usize = 0; // i32 per body: entries of the group that it stands for

/** Bytes that `beginEntries` needs. */
export function entryScratchSize(): i32 {
  return cell(ACTIVE_COUNT) * (<i32>ENTRY + 4) + (cell(PAIR_COUNT) << 2) + (cell(BODY_COUNT) << 3) + 16;
}

export function beginEntries(scratch: usize): void {
  entries = scratch;
  queue = scratch + <usize>cell(ACTIVE_COUNT) * ENTRY;
  entryOf = queue + ((<usize>cell(ACTIVE_COUNT)) << 2);
  groupOf = entryOf + ((<usize>cell(PAIR_COUNT)) << 2);
  sizes = groupOf + ((<usize>cell(BODY_COUNT)) << 2);
  entryCount = 0;
  leftOut = 0;
  mutual = 0;
  isGrouped = false;
  memory.fill(entryOf, 0, (<usize>cell(PAIR_COUNT)) << 2);
}

function entry(i: i32): usize {
  return entries + <usize>i * ENTRY;
}

export function pairOf(i: i32): i32 {
  return load<i32>(entry(i));
}

export function stateOf(i: i32): i32 {
  return load<i32>(entry(i), 4);
}

export function setState(i: i32, state: i32): void {
  store<i32>(entry(i), state, 4);
}

/** Share of the step after which the pair of entry i touches. */
export function touchOf(i: i32): f64 {
  return load<f64>(entry(i), 8);
}

export function setTouch(i: i32, t: f64): void {
  store<f64>(entry(i), t, 8);
}

/** `pushedAt` of an entry whose contacts have not pushed, or have to once more. */
export const NOT_PUSHED: i32 = -1;

/** The stir (foresee.ts) up to which entry i knows what its bodies were pushed. */
export function pushedAt(i: i32): i32 {
  return load<i32>(entry(i), 24);
}

export function setPushed(i: i32, stir: i32): void {
  store<i32>(entry(i), stir, 24);
}

let queued: i32 = 0;

/** Makes a queue of the open entries that touch. */
export function queueTouches(): void {
  queued = 0;
  for (let i = 0; i < entryCount; i++) if (stateOf(i) == OPEN && touchOf(i) <= 1) setI32(queue, queued++, i);
  for (let at = (queued >> 1) - 1; at >= 0; at--) sinkInQueue(at);
}

/**
 * Takes from the queue the entry that touches first; of several the one at rest: it
 * keeps its body in front. −1: none.
 */
export function nextTouch(): i32 {
  if (queued == 0) return -1;
  const first = getI32(queue, 0);
  setI32(queue, 0, getI32(queue, --queued));
  sinkInQueue(0);
  return first;
}

/** Restores the order of the binary heap below place `at`. */
function sinkInQueue(at: i32): void {
  for (;;) {
    const left = 2 * at + 1;
    if (left >= queued) return;
    const right = left + 1;
    const child = right < queued && isBefore(getI32(queue, right), getI32(queue, left)) ? right : left;
    const i = getI32(queue, at);
    const j = getI32(queue, child);
    if (!isBefore(j, i)) return;
    setI32(queue, at, j);
    setI32(queue, child, i);
    at = child;
  }
}

function isBefore(i: i32, j: i32): bool {
  const difference = touchOf(i) - touchOf(j);
  if (difference != 0) return difference < 0;
  const calmer = approachOfEntry(i) - approachOfEntry(j);
  return calmer != 0 ? calmer > 0 : i < j;
}

/** Speed at which the pair of entry i parted before the step: below 0 it came nearer [m/s]. */
function approachOfEntry(i: i32): f64 {
  return load<f64>(entry(i), 16);
}

export function setApproach(i: i32, speed: f64): void {
  store<f64>(entry(i), speed, 16);
}

/** Do the contacts of a pair keep its bodies apart: those decided on, and those in touch? */
export function isHolding(pair: i32): bool {
  if (!isFit(pair) || !isSeen(pair)) return false;
  const i = getI32(entryOf, pair);
  if (i > 0 && stateOf(i - 1) == CLEARED) return false;
  return (i > 0 && stateOf(i - 1) == DECIDED) || isTouching(pair);
}

/** Has the game let the pair act already, if it is asked about it? It may yet disable what is new. */
function isSeen(pair: i32): bool {
  return (getI32(column(PAIR_FLAGS), pair) & (PAIR_MODIFIED | PAIR_TOUCHING)) != PAIR_MODIFIED;
}

/** Is a point of the pair as near as counts for touching? */
function isTouching(pair: i32): bool {
  const slack = slackOf(pair);
  for (let slot = pair; slot >= 0; slot = getI32(column(PAIR_NEXT), slot)) {
    const n = getI32(column(PAIR_POINTS), slot);
    for (let k = 0; k < n; k++) if (getF64(column(PAIR_POINT), 16 * slot + 4 * k + 3) <= slack) return true;
  }
  return false;
}

/** Is a point of the pair in touch now and at the end of the step, as the bodies move now? */
function isPressing(pair: i32): bool {
  const slack = slackOf(pair);
  const dt = parameter(TIME_STEP);
  for (let slot = pair; slot >= 0; slot = getI32(column(PAIR_NEXT), slot)) {
    const n = getI32(column(PAIR_POINTS), slot);
    for (let k = 0; k < n; k++) {
      const gap = getF64(column(PAIR_POINT), 16 * slot + 4 * k + 3);
      if (gap <= slack && gap + dt * separationSpeed(slot, k) <= slack) return true;
    }
  }
  return false;
}

/** Does the pair take part in the solve, as far as it is known: what the game disables counts as in the last step. */
export function isFit(pair: i32): bool {
  if (getI32(column(PAIR_FLAGS), pair) & (PAIR_SENSOR | PAIR_DISABLED)) return false;
  const flags = column(BODY_FLAGS);
  const a = getI32(column(PAIR_BODY_A), pair);
  const b = getI32(column(PAIR_BODY_B), pair);
  if ((getI32(flags, a) | getI32(flags, b)) & BODY_QUARANTINED) return false;
  return isYielding(a) || isYielding(b);
}

/** Tolerance for what is flush and what is still in touch [m]. */
export function slackOf(pair: i32): f64 {
  const a = radiusOf(getI32(column(PAIR_COLLIDER_A), pair));
  const b = radiusOf(getI32(column(PAIR_COLLIDER_B), pair));
  return min(SLACK_SHARE * min(parameter(SPECULATIVE_DISTANCE), MOST_SPECULATION), SIZE_SHARE * min(a, b));
}

/** Takes a pair in hand: of a mesh the slot of its first manifold. */
export function take(slot: i32): void {
  if (getI32(column(PAIR_FLAGS), slot) & PAIR_EXTRA || getI32(entryOf, slot) != 0) return;
  if (isMutual(slot) && !makeRoom(slot)) {
    setI32(entryOf, slot, -1);
    leftOut++;
    return;
  }
  store<i32>(entry(entryCount), slot);
  setPushed(entryCount, NOT_PUSHED);
  setState(entryCount, OPEN);
  setTouch(entryCount, NO_TOUCH);
  setApproach(entryCount, 0);
  setI32(entryOf, slot, ++entryCount);
}

/** Do both bodies of the pair yield? */
export function isMutual(pair: i32): bool {
  return isYielding(getI32(column(PAIR_BODY_A), pair)) && isYielding(getI32(column(PAIR_BODY_B), pair));
}

/** Counts a pair of two bodies that yield; false if its group has as many as it may. */
function makeRoom(pair: i32): bool {
  if (!isGrouped && mutual < MOST_IN_GROUP) {
    mutual++;
    return true;
  }
  if (!isGrouped) findGroups();
  const group = findGroup(getI32(column(PAIR_BODY_A), pair));
  const size = getI32(sizes, group);
  if (size == MOST_IN_GROUP) return false;
  setI32(sizes, group, size + 1);
  return true;
}

/** Groups the bodies that hang together by contacts, and counts the entries that each group has so far. */
function findGroups(): void {
  isGrouped = true;
  const count = cell(BODY_COUNT);
  for (let body = 0; body < count; body++) setI32(groupOf, body, body);
  memory.fill(sizes, 0, (<usize>count) << 2);
  const list = column(ACTIVE_LIST);
  for (let i = cell(ACTIVE_COUNT) - 1; i >= 0; i--) {
    const pair = getI32(list, i);
    if (getI32(column(PAIR_POINTS), pair) == 0 || !isFit(pair) || !isMutual(pair)) continue;
    const a = findGroup(getI32(column(PAIR_BODY_A), pair));
    const b = findGroup(getI32(column(PAIR_BODY_B), pair));
    setI32(groupOf, max(a, b), min(a, b));
  }
  for (let i = 0; i < entryCount; i++) {
    if (!isMutual(pairOf(i))) continue;
    const group = findGroup(getI32(column(PAIR_BODY_A), pairOf(i)));
    setI32(sizes, group, getI32(sizes, group) + 1);
  }
}

/** The body that stands for the group of `body`; the way to it is halved. */
function findGroup(body: i32): i32 {
  while (getI32(groupOf, body) != body) {
    const over = getI32(groupOf, getI32(groupOf, body));
    setI32(groupOf, body, over);
    body = over;
  }
  return body;
}

/** Takes the pairs of a body that yields in hand, those with points. */
export function takeAround(body: i32): void {
  if (!isYielding(body)) return;
  for (let c = getI32(column(BODY_COLLIDER), body); c >= 0; c = getI32(column(COLLIDER_NEXT), c)) {
    for (let link = getI32(column(COLLIDER_PAIR), c); link >= 0; link = nextKey(link)) {
      const pair = link >> 1;
      if (getI32(column(PAIR_ACTIVE_INDEX), pair) >= 0 && hasPoints(pair) && isFit(pair)) take(pair);
    }
  }
}

/**
 * Holds the bodies of the pairs in hand that rest on something: their loads are not to be
 * followed. `most` = a large load [m/s].
 */
export function holdResting(most: f64): void {
  for (let i = 0; i < entryCount; i++) {
    holdBody(getI32(column(PAIR_BODY_A), pairOf(i)), most);
    holdBody(getI32(column(PAIR_BODY_B), pairOf(i)), most);
  }
}

function holdBody(body: i32, most: f64): void {
  if (!isYielding(body) || isPushed(body)) return;
  const change = column(BODY_VELOCITY_CHANGE) + ((<usize>body) << 6);
  let squared: f64 = 0;
  for (let x: usize = 0; x < 24; x += 8) squared += load<f64>(change + x) * load<f64>(change + x);
  if (squared > most * most) return;
  for (let c = getI32(column(BODY_COLLIDER), body); c >= 0; c = getI32(column(COLLIDER_NEXT), c)) {
    for (let link = getI32(column(COLLIDER_PAIR), c); link >= 0; link = nextKey(link)) {
      const pair = link >> 1;
      if (getI32(column(PAIR_ACTIVE_INDEX), pair) < 0 || !isFit(pair) || !isPressing(pair)) continue;
      hold(body);
      return;
    }
  }
}

/** The body's motion has changed: takes those without points in hand too, and opens those that passed. */
export function stirAround(body: i32): void {
  if (!isYielding(body)) return;
  for (let c = getI32(column(BODY_COLLIDER), body); c >= 0; c = getI32(column(COLLIDER_NEXT), c)) {
    for (let link = getI32(column(COLLIDER_PAIR), c); link >= 0; link = nextKey(link)) {
      const pair = link >> 1;
      if (getI32(column(PAIR_ACTIVE_INDEX), pair) < 0 || !isFit(pair)) continue;
      take(pair);
      const i = getI32(entryOf, pair) - 1;
      if (i >= 0 && stateOf(i) == PASSED) setState(i, OPEN);
    }
  }
}

/** Has the pair points in any of its manifolds? */
export function hasPoints(pair: i32): bool {
  for (let slot = pair; slot >= 0; slot = getI32(column(PAIR_NEXT), slot)) {
    if (getI32(column(PAIR_POINTS), slot) > 0) return true;
  }
  return false;
}
