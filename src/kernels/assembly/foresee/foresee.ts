// foresee-contacts: contacts as they will be when bodies touch, and only where they will.
//
// In: manifolds of find-contacts, BODY_MOTION. Out: the same manifolds; a pair that first touches within the step gets
// the one that it has then, carried back to the start of the step; points that nothing will touch are gone.
//
// A contact is a plane that its point must not cross. Made where the bodies are at the start of a step it is
// the boundary of the other body only while they move little: what flies past a corner crosses it without
// touching anything, and what slides over two flush boxes meets the side of the second one. So wherever a
// moving pair is about to cross such a plane:
// 1. the pair is followed through the step (foresee/sweep-pair.ts): it passes, or touches,
//    and then the plane is taken there;
// 2. pairs are decided in the order of their touches, each with the motion that those before it leave (`pushApart`: the
//    normal impulses alone), so that what a floor holds up is not followed into the floor, and what is stopped, or sent
//    on, is foreseen to meet others;
// 3. what lies wholly behind the plane of a contact decided before, and at rest beside it, is not touched by a body
//    that this contact keeps in front of the plane: the flush neighbour of a tile.
// Rejected: a second solve after looking at the first (each solver would need it, and the island may have changed).
// Limits: a bounce and friction change the motion only in the next step; PASSES for chains of touches within one.
// Of heaps that are hit all over, pairs of two bodies that yield keep the contacts of the step's start: slow
// ones, and those beyond what a group may have (told by the number returned). Flush neighbours count only where
// they are at rest beside each other.

import {
  ACTIVE_COUNT,
  ACTIVE_LIST,
  AWAKE_COUNT,
  AWAKE_LIST,
  BODY_ANGULAR_VELOCITY,
  BODY_COLLIDER,
  BODY_COUNT,
  BODY_LINEAR_VELOCITY,
  BODY_VELOCITY_CHANGE,
  COLLIDER_NEXT,
  COLLIDER_PAIR,
  COLLIDER_SHAPE,
  GRAVITY,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_COLLIDER_A,
  PAIR_COLLIDER_B,
  PAIR_FEATURE,
  PAIR_IMPULSE,
  PAIR_NEXT,
  PAIR_NORMAL,
  PAIR_POINT,
  PAIR_POINTS,
  POINT_COUNT,
  SHAPE_KIND,
  SPECULATIVE_DISTANCE,
  TIME_STEP,
  TOUCHING_COUNT,
  TRIANGLE_KINDS,
} from '../../../state/layout';
import { nextKey } from '../broad/pairs-table';
import { row4 } from '../math/boxes';
import { dot3 } from '../math/vector';
import { cell, column, copy32, getF64, getI32, parameter, setCell, setI32 } from '../memory';
import { collide } from '../narrow/pair-kinds';
import { isOneOf, kindOf } from '../shapes/kinds';
import { isBehindNeighbour } from './neighbour';
import {
  beginEntries,
  CLEARED,
  DECIDED,
  entryCount,
  entryScratchSize,
  hasPoints,
  holdResting,
  isFit,
  isMutual,
  leftOut,
  NOT_PUSHED,
  nextTouch,
  OPEN,
  PASSED,
  pairOf,
  pushedAt,
  queueTouches,
  setApproach,
  setPushed,
  setState,
  setTouch,
  slackOf,
  stateOf,
  stirAround,
  take,
  takeAround,
  touchOf,
} from './pairs';
import { beginPushing, endPushing, isYielding, pushApart, pushScratchSize, separationSpeed } from './push';
import {
  allowMore,
  beginSweeps,
  closeSweep,
  findTouch,
  motionOf,
  NO_TOUCH,
  openSweep,
  placeAt,
  radiusOf,
  TOUCH_SHARE,
} from './sweep-pair';

/** Bodies slower than this are at rest [m/s, rad/s]: between two of them a plane is the boundary well enough. */
const SLOW: f64 = 1e-3;
/** What moves less than this along another body in the step [m] touches where its contacts say. */
const STILL_WAY: f64 = 1e-6;
/** Rounding of a point that reaches its plane [m]. */
const REACH: f64 = 1e-12;
/** Contacts are made ahead by the speculative distance, and at most this share of the smaller radius (manifold.ts). */
const AHEAD_SHARE: f64 = 0.1;
/** A change of motion by more than this share of that is told to all pairs of a body. */
const STIR_SHARE: f64 = 0.05;
/** Looks at what the motion of the last look brings together; each carries a knock one body on. */
const PASSES: i32 = 8;
/** Rounds over what has been decided after each. */
const ROUNDS: i32 = 12;
/** More pairs in hand than this are a crowd. */
const CROWD: i32 = 64;
let moves: usize = 0; // i32 per body: 1 it moves
let stirredAt: usize = 0; // i32 per body: the last stir that sent it elsewhere
/** Bytes of scratch that foreseeContacts needs. */
export function foreseeScratchSize(): i32 {
  return (cell(BODY_COUNT) << 3) + 32 + entryScratchSize() + pushScratchSize();
}

/**
 * Looks ahead from the manifolds of find-contacts. `scratch` has foreseeScratchSize() bytes, a multiple of 16. Returns
 * how many pairs of large groups keep the contacts of the step's start unseen.
 */
export function foreseeContacts(scratch: usize): i32 {
  moves = scratch;
  if (!markMoving()) return 0;
  const active = cell(ACTIVE_COUNT);
  const list = column(ACTIVE_LIST);
  const points = column(PAIR_POINTS);
  const bodyA = column(PAIR_BODY_A);
  const bodyB = column(PAIR_BODY_B);
  let begun = false;
  for (let i = 0; i < active; i++) {
    const pair = getI32(list, i);
    if (getI32(points, pair) == 0) continue;
    const a = getI32(bodyA, pair);
    const b = getI32(bodyB, pair);
    if ((getI32(moves, a) | getI32(moves, b)) == 0) continue;
    if (!isFit(pair) || !isDoubtful(pair)) continue;
    if (!begun) {
      begun = true;
      stirs = 0;
      beginSweeps();
      stirredAt = scratch + ((<usize>cell(BODY_COUNT)) << 2);
      memory.fill(stirredAt, 0, (<usize>cell(BODY_COUNT)) << 2);
      const rest = (stirredAt + ((<usize>cell(BODY_COUNT)) << 2) + 15) & ~15;
      beginPushing(rest);
      beginEntries(rest + <usize>pushScratchSize());
    }
    take(pair);
    takeAround(a);
    takeAround(b);
  }
  if (!begun) return 0;
  holdResting(2 * stepOfGravity());
  decideAll();
  clearPassed();
  endPushing();
  countPoints();
  return leftOut;
}

/** What gravity adds to a velocity in a step [m/s]. */
function stepOfGravity(): f64 {
  const x = load<f64>(GRAVITY);
  const y = load<f64>(GRAVITY, 8);
  const z = load<f64>(GRAVITY, 16);
  return sqrt(dot3(x, y, z, x, y, z)) * parameter(TIME_STEP);
}

/** Marks the bodies that move faster than a step of gravity from rest explains; false if none does. */
function markMoving(): bool {
  const list = column(AWAKE_LIST);
  const linear = column(BODY_LINEAR_VELOCITY);
  const angular = column(BODY_ANGULAR_VELOCITY);
  const changes = column(BODY_VELOCITY_CHANGE);
  const fall = 2 * stepOfGravity() + SLOW;
  memory.fill(moves, 0, (<usize>cell(BODY_COUNT)) << 2);
  let any = 0;
  for (let i = cell(AWAKE_COUNT) - 1; i >= 0; i--) {
    const body = getI32(list, i);
    const v = linear + ((<usize>body) << 5);
    const w = angular + ((<usize>body) << 5);
    const change = changes + ((<usize>body) << 6);
    let speed: f64 = 0;
    let spin: f64 = 0;
    let pushed: f64 = 0;
    for (let k: usize = 0; k < 24; k += 8) {
      const dv = load<f64>(change + k);
      const dw = load<f64>(change + k, 32);
      const before = load<f64>(v + k) - dv;
      const turn = load<f64>(w + k) - dw;
      speed += before * before;
      spin += turn * turn;
      pushed += dv * dv + dw * dw;
    }
    const is = i32(speed > SLOW * SLOW) | i32(spin > SLOW * SLOW) | i32(pushed > fall * fall);
    setI32(moves, body, is);
    any |= is;
  }
  return any != 0;
}

/** Is a plane of this manifold about to be crossed by a motion along it: by what passes, perhaps, or by what slides? */
function isDoubtful(pair: i32): bool {
  const n = getI32(column(PAIR_POINTS), pair);
  const points = column(PAIR_POINT) + ((<usize>pair) << 7);
  const dt = parameter(TIME_STEP);
  const gap = leastGap(pair);
  const slack = slackOf(pair);
  if (gap < -slack) return false;
  const isOpen = gap > touchGap(pair);
  for (let k = 0; k < n; k++) {
    const point = points + ((<usize>k) << 5);
    const end = load<f64>(point, 24) + dt * separationSpeed(pair, k);
    if (end >= (gap > 2 * slack ? 2 * slack : -REACH)) continue;
    // What is stopped so far from where it was going may be run into.
    if (approachOf(pair, k) < -SLOW && isStirring(pair, -end / dt, 1)) return true;
    if (isOpen ? wayAlong(pair, k) > (gap > slack ? STILL_WAY : slack) : approachOf(pair, k) < -SLOW) {
      return (gap > slack && wayAlong(pair, k) > aheadOf(pair)) || !isInHeap(pair);
    }
  }
  return false;
}

/** Do both bodies yield, and one of them touches others that yield? In a heap all but touching is touching. */
function isInHeap(pair: i32): bool {
  const a = getI32(column(PAIR_BODY_A), pair);
  const b = getI32(column(PAIR_BODY_B), pair);
  return isMutual(pair) && (isCrowded(a, pair) || isCrowded(b, pair));
}

function isCrowded(body: i32, but: i32): bool {
  for (let c = getI32(column(BODY_COLLIDER), body); c >= 0; c = getI32(column(COLLIDER_NEXT), c)) {
    for (let link = getI32(column(COLLIDER_PAIR), c); link >= 0; link = nextKey(link)) {
      const pair = link >> 1;
      if (pair != but && getI32(column(PAIR_POINTS), pair) > 0 && isFit(pair) && isMutual(pair)) return true;
    }
  }
  return false;
}

/** A gap up to which the pair is in touch [m]. */
function touchGap(pair: i32): f64 {
  return (
    TOUCH_SHARE * min(radiusOf(getI32(column(PAIR_COLLIDER_A), pair)), radiusOf(getI32(column(PAIR_COLLIDER_B), pair)))
  );
}

function leastGap(pair: i32): f64 {
  const n = getI32(column(PAIR_POINTS), pair);
  const points = column(PAIR_POINT) + ((<usize>pair) << 7);
  let least = Infinity;
  for (let k = 0; k < n; k++) least = min(least, getF64(points, 4 * k + 3));
  return least;
}

/** How far the two bodies move along the plane of point k in the step, or turn at it [m]. */
function wayAlong(pair: i32, k: i32): f64 {
  const a = motionOf(getI32(column(PAIR_BODY_A), pair));
  const b = motionOf(getI32(column(PAIR_BODY_B), pair));
  const n = column(PAIR_NORMAL) + ((<usize>pair) << 5);
  const x = load<f64>(b) - load<f64>(a);
  const y = load<f64>(b, 8) - load<f64>(a, 8);
  const z = load<f64>(b, 16) - load<f64>(a, 16);
  const along = dot3(x, y, z, load<f64>(n), load<f64>(n, 8), load<f64>(n, 16));
  const linear = sqrt(max(0.0, dot3(x, y, z, x, y, z) - along * along));
  const spin = spinOf(a) * radiusOf(getI32(column(PAIR_COLLIDER_A), pair));
  const other = spinOf(b);
  const turn = other == 0 ? 0 : other * radiusOf(getI32(column(PAIR_COLLIDER_B), pair));
  return parameter(TIME_STEP) * (linear + spin + turn);
}

function spinOf(motion: usize): f64 {
  const x = load<f64>(motion, 32);
  const y = load<f64>(motion, 40);
  const z = load<f64>(motion, 48);
  return sqrt(dot3(x, y, z, x, y, z));
}

/** Normal velocity at point k before the step: gravity alone presses, but does not move, what rests [m/s]. */
function approachOf(pair: i32, k: i32): f64 {
  const changes = column(BODY_VELOCITY_CHANGE);
  const a = getI32(column(PAIR_BODY_A), pair);
  const b = getI32(column(PAIR_BODY_B), pair);
  const n = column(PAIR_NORMAL) + ((<usize>pair) << 5);
  let speed = separationSpeed(pair, k);
  for (let x: usize = 0; x < 24; x += 8) {
    const ofB = isYielding(b) ? load<f64>(changes + ((<usize>b) << 6) + x) : 0;
    const ofA = isYielding(a) ? load<f64>(changes + ((<usize>a) << 6) + x) : 0;
    speed -= load<f64>(n + x) * (ofB - ofA);
  }
  return speed;
}

/** Decides the pairs in hand, the first touch first, until no motion changes any more. */
function decideAll(): void {
  for (let pass = 0; pass < PASSES; pass++) {
    let open = 0;
    for (let i = 0; i < entryCount; i++) {
      if (stateOf(i) != OPEN) continue;
      setTouch(i, whenTouched(pairOf(i)));
      if (touchOf(i) > 1) setState(i, PASSED);
      else setApproach(i, approachOfPair(pairOf(i)));
      open++;
    }
    if (open == 0) break;
    queueTouches();
    for (let i = nextTouch(); i >= 0; i = nextTouch()) decide(i);
    // The motion that all of them leave together.
    for (let round = 0; round < ROUNDS; round++) {
      const before = stirs;
      for (let i = 0; i < entryCount; i++) if (stateOf(i) == DECIDED && isStirred(i)) push(i);
      if (stirs == before) break;
    }
  }
  // What comes near without crossing its plane may yet cross it, by rounding or friction.
  for (let i = 0; i < entryCount; i++) {
    if (stateOf(i) == PASSED && comesNear(pairOf(i)) && isBehindNeighbour(pairOf(i))) clearPair(pairOf(i));
  }
}

/** Looks at a pair whose touch is the next one, with the motion that those before it leave. */
function decide(i: i32): void {
  const pair = pairOf(i);
  const t = whenTouched(pair);
  setTouch(i, t);
  setState(i, PASSED);
  if (t > 1) return;
  if (isElsewhere(pair, t)) takeThere(pair, t);
  if (isBehindNeighbour(pair)) {
    clearPair(pair);
    setState(i, CLEARED);
    return;
  }
  setState(i, DECIDED);
  push(i);
  // Once more with what all of them leave.
  setPushed(i, NOT_PUSHED);
}

function approachOfPair(pair: i32): f64 {
  let least: f64 = 0;
  for (let slot = pair; slot >= 0; slot = getI32(column(PAIR_NEXT), slot)) {
    const n = getI32(column(PAIR_POINTS), slot);
    for (let k = 0; k < n; k++) least = min(least, approachOf(slot, k));
  }
  return least;
}

/** How far the pair that `whenTouched` followed moves along itself in the step [m]. */
let way: f64 = 0;

/**
 * Share of the step after which a pair touches: 0 if it does at its start, NO_TOUCH if it does not. A pair whose points
 * keep in front of their planes is not looked at.
 */
function whenTouched(pair: i32): f64 {
  const dt = parameter(TIME_STEP);
  let crosses = false;
  let known = false;
  way = 0;
  for (let slot = pair; slot >= 0; slot = getI32(column(PAIR_NEXT), slot)) {
    const n = getI32(column(PAIR_POINTS), slot);
    known = known || n > 0;
    const gap = leastGap(slot);
    for (let k = 0; k < n; k++) {
      if (getF64(column(PAIR_POINT), 16 * slot + 4 * k + 3) + dt * separationSpeed(slot, k) >= -REACH) continue;
      if (gap <= touchGap(slot)) return 0;
      crosses = true;
      way = max(way, wayAlong(slot, k));
    }
  }
  if (known && !crosses) return NO_TOUCH;
  // What is all but in touch, and moves no farther along the other, keeps the contacts of the start.
  if (known && way <= slackOf(pair) && leastOfChain(pair) <= slackOf(pair)) return 0;
  // Where one triangle is touched the others are left as they are.
  if (known && isMesh(pair) && leastOfChain(pair) <= touchGap(pair)) return 0;
  openSweep(getI32(column(PAIR_COLLIDER_A), pair), getI32(column(PAIR_COLLIDER_B), pair));
  allowMore(entryCount <= CROWD);
  const t = findTouch();
  closeSweep();
  return t;
}

/** Is the place of a touch after the share t of the step another one than that of the contacts of its start? */
function isElsewhere(pair: i32, t: f64): bool {
  if (t == 0) return false;
  const slack = slackOf(pair);
  return t * way > slack || leastOfChain(pair) > slack;
}

function isMesh(pair: i32): bool {
  return isOneOf(kindOf(getI32(column(PAIR_COLLIDER_B), pair)), TRIANGLE_KINDS);
}

function leastOfChain(pair: i32): f64 {
  let least = Infinity;
  for (let slot = pair; slot >= 0; slot = getI32(column(PAIR_NEXT), slot)) least = min(least, leastGap(slot));
  return least;
}

function collidePair(pair: i32): void {
  const a = getI32(column(PAIR_COLLIDER_A), pair);
  const b = getI32(column(PAIR_COLLIDER_B), pair);
  const kinds = column(SHAPE_KIND);
  const shapes = column(COLLIDER_SHAPE);
  collide(pair, a, b, getI32(kinds, getI32(shapes, a)), getI32(kinds, getI32(shapes, b)));
}

/** Gives the pair the contacts that it has after the share `t` of the step, as seen from its start. */
function takeThere(pair: i32, t: f64): void {
  openSweep(getI32(column(PAIR_COLLIDER_A), pair), getI32(column(PAIR_COLLIDER_B), pair));
  placeAt(t);
  collidePair(pair);
  closeSweep();
  if (!hasPoints(pair)) {
    collidePair(pair);
    return;
  }
  const time = t * parameter(TIME_STEP);
  const a = motionOf(getI32(column(PAIR_BODY_A), pair));
  const b = motionOf(getI32(column(PAIR_BODY_B), pair));
  const ofA = isYielding(getI32(column(PAIR_BODY_A), pair)) ? 1.0 : 0.0;
  const ofB = isYielding(getI32(column(PAIR_BODY_B), pair)) ? 1.0 : 0.0;
  const share = ofA / (ofA + ofB);
  for (let slot = pair; slot >= 0; slot = getI32(column(PAIR_NEXT), slot)) {
    const n = getI32(column(PAIR_POINTS), slot);
    for (let k = 0; k < n; k++) {
      // The arm on a body is that of the touch: the point goes back with the body,
      // between two that yield half with each.
      const point = column(PAIR_POINT) + ((<usize>slot) << 7) + ((<usize>k) << 5);
      for (let x: usize = 0; x < 24; x += 8) {
        const v = share * load<f64>(a + x) + (1 - share) * load<f64>(b + x);
        store<f64>(point + x, load<f64>(point + x) - time * v);
      }
      store<f64>(point, load<f64>(point, 24) - time * separationSpeed(slot, k), 24);
    }
  }
}

/** Pushes so far that have sent bodies towards others. */
let stirs: i32 = 0;

/** Has a body of the entry been sent elsewhere since the entry's contacts pushed it? */
function isStirred(i: i32): bool {
  const pair = pairOf(i);
  const a = getI32(stirredAt, getI32(column(PAIR_BODY_A), pair));
  const b = getI32(stirredAt, getI32(column(PAIR_BODY_B), pair));
  return max(a, b) > pushedAt(i);
}

/** Corrects the motion of the entry's bodies for its contacts, and stirs what a body now moves towards. */
function push(i: i32): void {
  const pair = pairOf(i);
  setPushed(i, stirs);
  let most: f64 = 0;
  for (let slot = pair; slot >= 0; slot = getI32(column(PAIR_NEXT), slot)) most = max(most, pushApart(slot));
  if (!isStirring(pair, most, STIR_SHARE)) return;
  stirs++;
  stir(getI32(column(PAIR_BODY_A), pair));
  stir(getI32(column(PAIR_BODY_B), pair));
}

function stir(body: i32): void {
  if (!isYielding(body)) return;
  setI32(stirredAt, body, stirs);
  stirAround(body);
}

/** Does a change of speed [m/s] carry a body of the pair as far as this share of what contacts are made ahead? */
function isStirring(pair: i32, change: f64, share: f64): bool {
  return change * parameter(TIME_STEP) > share * aheadOf(pair);
}

/** How far contacts of a pair at rest are made ahead [m]. */
function aheadOf(pair: i32): f64 {
  const a = radiusOf(getI32(column(PAIR_COLLIDER_A), pair));
  const b = radiusOf(getI32(column(PAIR_COLLIDER_B), pair));
  return min(parameter(SPECULATIVE_DISTANCE), AHEAD_SHARE * min(a, b));
}

function clearPair(pair: i32): void {
  for (let slot = pair; slot >= 0; slot = getI32(column(PAIR_NEXT), slot)) setI32(column(PAIR_POINTS), slot, 0);
}

/** Does a point of the pair end the step nearer to its plane than what counts as touching, and as much again? */
function comesNear(pair: i32): bool {
  const slack = 2 * slackOf(pair);
  const dt = parameter(TIME_STEP);
  for (let slot = pair; slot >= 0; slot = getI32(column(PAIR_NEXT), slot)) {
    const n = getI32(column(PAIR_POINTS), slot);
    for (let k = 0; k < n; k++) {
      if (getF64(column(PAIR_POINT), 16 * slot + 4 * k + 3) + dt * separationSpeed(slot, k) < slack) return true;
    }
  }
  return false;
}

/** Takes the points that would act without a touch from the pairs that pass, by the motion that all others leave. */
function clearPassed(): void {
  for (let i = 0; i < entryCount; i++) {
    const pair = pairOf(i);
    if (stateOf(i) != PASSED || !hasPoints(pair)) continue;
    const t = whenTouched(pair);
    if (t > 1) clearCrossing(pair);
    else if (isElsewhere(pair, t)) takeThere(pair, t);
  }
}

function clearCrossing(pair: i32): void {
  const dt = parameter(TIME_STEP);
  for (let slot = pair; slot >= 0; slot = getI32(column(PAIR_NEXT), slot)) {
    const n = getI32(column(PAIR_POINTS), slot);
    let kept = 0;
    for (let k = 0; k < n; k++) {
      const gap = getF64(column(PAIR_POINT), 16 * slot + 4 * k + 3);
      if (gap + dt * separationSpeed(slot, k) >= -REACH) copyPoint(slot, k, kept++);
    }
    setI32(column(PAIR_POINTS), slot, kept);
  }
}

function copyPoint(slot: i32, from: i32, to: i32): void {
  if (from == to) return;
  copy32(row4(PAIR_POINT, 4 * slot + to), row4(PAIR_POINT, 4 * slot + from));
  copy32(row4(PAIR_IMPULSE, 4 * slot + to), row4(PAIR_IMPULSE, 4 * slot + from));
  setI32(column(PAIR_FEATURE), 4 * slot + to, getI32(column(PAIR_FEATURE), 4 * slot + from));
}

function countPoints(): void {
  const list = column(ACTIVE_LIST);
  const points = column(PAIR_POINTS);
  const active = cell(ACTIVE_COUNT);
  let touching = 0;
  let total = 0;
  for (let i = 0; i < active; i++) {
    const n = getI32(points, getI32(list, i));
    touching += i32(n > 0);
    total += n;
  }
  setCell(TOUCHING_COUNT, touching);
  setCell(POINT_COUNT, total);
}
