// The pairs that foresee-contacts has in hand: what is known of each.
//
// In: scratch. Out: entries, found by pair; whether a pair has been decided.

import {
  ACTIVE_COUNT,
  BODY_COLLIDER,
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
  PAIR_NEXT,
  PAIR_POINT,
  PAIR_POINTS,
  PAIR_SENSOR,
  SPECULATIVE_DISTANCE,
  TIME_STEP,
} from '../../../state/layout';
import { nextKey } from '../broad/pairs-table';
import { cell, column, getF64, getI32, parameter, setI32 } from '../memory';
import { hold, isPushed, isYielding, separationSpeed } from './push';
import { NO_TOUCH, radiusOf } from './sweep-pair';

/** A gap up to this share of the speculative distance, and of the smaller radius, is none. */
const SLACK_SHARE: f64 = 5e-3;
const SIZE_SHARE: f64 = 1e-3;
/** Speculative distance above which slack grows no more [m]. */
const MOST_SPECULATION: f64 = 0.02;

// What is known of a pair in hand: to be looked at; its contacts count; nothing will touch; a neighbour has all it could.
export const OPEN: i32 = 0;
export const DECIDED: i32 = 1;
export const PASSED: i32 = 2;
export const CLEARED: i32 = 3;

/** Most pairs in hand: in a heap that is hit all over, the others keep the contacts of the step's start. */
export const MOST_ENTRIES: i32 = 48;

// A pair in hand: slot, state (i32), share of the step at which it touches, speed at which it came (f64), spare.
const ENTRY: usize = 32;

let entryOf: usize = 0; // i32 per pair: its entry + 1, 0 none
let entries: usize = 0;
/** Pairs in hand. */
export let entryCount: i32 = 0;

/** Bytes that `beginEntries` needs. */
export function entryScratchSize(): i32 {
  return cell(ACTIVE_COUNT) * <i32>ENTRY + (cell(PAIR_COUNT) << 2) + 16;
}

export function beginEntries(scratch: usize): void {
  entries = scratch;
  entryOf = scratch + <usize>cell(ACTIVE_COUNT) * ENTRY;
  entryCount = 0;
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

/** Speed at which the pair of entry i parted before the step: below 0 it came nearer [m/s]. */
export function approachOfEntry(i: i32): f64 {
  return load<f64>(entry(i), 16);
}

export function setApproach(i: i32, speed: f64): void {
  store<f64>(entry(i), speed, 16);
}

/** Do the contacts of a pair keep its bodies apart: those decided on, and those in touch? */
export function isHolding(pair: i32): bool {
  const i = getI32(entryOf, pair);
  if (i != 0 && stateOf(i - 1) == CLEARED) return false;
  return (i != 0 && stateOf(i - 1) == DECIDED) || isTouching(pair);
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

/** Does the pair take part in the solve, as far as it is known? */
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
  if (entryCount == MOST_ENTRIES) return;
  store<i32>(entry(entryCount), slot);
  setState(entryCount, OPEN);
  setTouch(entryCount, NO_TOUCH);
  setApproach(entryCount, 0);
  setI32(entryOf, slot, ++entryCount);
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

/** Holds the bodies of the pairs in hand that rest on something: their loads are not to be followed. `most` = a large load [m/s]. */
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
