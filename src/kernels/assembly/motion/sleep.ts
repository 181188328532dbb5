// wake-touched and update-sleep: islands at rest leave the simulation as units, and come back when touched.
//
// A body's timer (BODY_DAMPING[3]) counts how long both its speeds have been below the limits, and so has its
// displacement, which recovery of overlaps adds to. An island sleeps when all its timers have passed SLEEP_DELAY, none
// of its bodies is BODY_NEVER_SLEEPS, and no kinematic body that moves touches it. Its bodies are linked in a ring
// (BODY_NEXT), their pairs keep manifold and impulses, and BODY_ISLAND holds the slot of its first. Nothing here or
// elsewhere visits sleeping bodies in a step. Bodies that were solved with strands (BODY_TIED) sleep with them:
// dynamics/elastic/sleep.ts asks mayIslandSleep and mayBodySleep, and calls restBody.
//
// WAKE_LIST and SLEEP_LIST are appended to; who mirrors them empties them, at least once a step.
//
// A kinematic body is in AWAKE_LIST only while it moves; it leaves when its velocity is zero.

import { CONE_SHARE, SLIP_SPEED } from '../../../core/engine-constants';
import {
  ACTIVE_COUNT,
  ACTIVE_LIST,
  AWAKE_COUNT,
  AWAKE_LIST,
  AXIS_BITS,
  AXIS_FREQUENCY,
  AXIS_NUMBERS,
  AXIS_RATIO,
  AXIS_SOFT,
  BODY_ANGULAR_VELOCITY,
  BODY_ASLEEP,
  BODY_COUNT,
  BODY_DAMPING,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_HAS_TARGET,
  BODY_ISLAND,
  BODY_KINEMATIC,
  BODY_LINEAR_VELOCITY,
  BODY_MOTION,
  BODY_NEVER_SLEEPS,
  BODY_NEXT,
  BODY_POSITION,
  BODY_PREVIOUS_POSITION,
  BODY_QUARANTINED,
  BODY_TIED,
  BODY_VELOCITY_CHANGE,
  ISLAND_BODIES,
  ISLAND_BODY_COUNT,
  ISLAND_BODY_START,
  ISLAND_COUNT,
  ISLAND_JOINT_COUNT,
  ISLAND_JOINT_START,
  ISLAND_JOINTS,
  ISLAND_PAIR_COUNT,
  ISLAND_PAIR_START,
  ISLAND_PAIRS,
  JOINT_ALIVE,
  JOINT_AXES,
  JOINT_BODY,
  JOINT_BROKEN,
  JOINT_COUNT,
  JOINT_FLAGS,
  JOINT_FRAME,
  JOINT_MODES,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_DISABLED,
  PAIR_FLAGS,
  PAIR_IMPULSE,
  PAIR_MATERIAL,
  PAIR_NORMAL,
  PAIR_POINT,
  PAIR_POINTS,
  PAIR_SENSOR,
  SLEEP_ANGULAR,
  SLEEP_COUNT,
  SLEEP_DELAY,
  SLEEP_ENABLED,
  SLEEP_LINEAR,
  SLEEP_LIST,
  SPECULATIVE_DISTANCE,
  TIME_STEP,
  WAKE_COUNT,
  WAKE_LIST,
} from '../../../state/layout';
import { cell, column, getF64, getI32, parameter, setF64, setI32 } from '../memory';
import { appendBody, enterAwakeList, leaveAwakeList } from './awake';
import { predictBody } from './motion';

/** A gap within this share of the speculative distance counts as touching. */
const TOUCH_SHARE: f64 = 0.05;
/** A lone body may sleep only if a step changes its speed by less than this share of SLEEP_LINEAR: it does not fall. */
const FALL_SHARE: f64 = 1e-3;
/** Way that a spring may have left to creep [m, rad], and a speed at which it does not [m/s, rad/s]. */
const CREEP: f64 = 2e-4;
const STILL: f64 = 1e-6;

/**
 * Wakes every sleeping island that an awake dynamic body or a moving kinematic one touches, or will within the
 * step. Woken bodies get their free velocity at once and their pairs, with last manifolds and impulses, take part
 * in this step; they are appended to WAKE_LIST.
 */
export function wakeTouched(): void {
  if (cell(AWAKE_COUNT) == 0 || !isAnyAsleep()) return;
  const points = column(PAIR_POINTS);
  const pairFlags = column(PAIR_FLAGS);
  const bodyA = column(PAIR_BODY_A);
  const bodyB = column(PAIR_BODY_B);
  const flags = column(BODY_FLAGS);
  // The list grows while rings wake: their pairs are looked at in their turn.
  for (let i = 0; i < cell(ACTIVE_COUNT); i++) {
    const pair = getI32(column(ACTIVE_LIST), i);
    if (getI32(points, pair) == 0 || getI32(pairFlags, pair) & (PAIR_SENSOR | PAIR_DISABLED)) continue;
    const a = getI32(bodyA, pair);
    const b = getI32(bodyB, pair);
    if (!((getI32(flags, a) ^ getI32(flags, b)) & BODY_ASLEEP)) continue;
    const sleeper = getI32(flags, a) & BODY_ASLEEP ? a : b;
    if (!isMoving(sleeper == a ? b : a)) continue;
    if (!isReached(pair, a, b)) continue;
    wakeWithinStep(sleeper);
  }
  wakeJoined();
}

/** Joints wake what they hold; a chain of joints wakes in one go, since it sleeps in one ring. */
function wakeJoined(): void {
  const joints = cell(JOINT_COUNT);
  const flags = column(BODY_FLAGS);
  for (let joint = 0; joint < joints; joint++) {
    if ((getI32(column(JOINT_FLAGS), joint) & (JOINT_ALIVE | JOINT_BROKEN)) != JOINT_ALIVE) continue;
    const a = getI32(column(JOINT_BODY), 2 * joint);
    const b = getI32(column(JOINT_BODY), 2 * joint + 1);
    if (a < 0 || b < 0 || !((getI32(flags, a) ^ getI32(flags, b)) & BODY_ASLEEP)) continue;
    const sleeper = getI32(flags, a) & BODY_ASLEEP ? a : b;
    if (isMoving(sleeper == a ? b : a)) wakeWithinStep(sleeper);
  }
}

function isAnyAsleep(): bool {
  const flags = column(BODY_FLAGS);
  const count = cell(BODY_COUNT);
  for (let body = 0; body < count; body++) if (getI32(flags, body) & BODY_ASLEEP) return true;
  return false;
}

/** An awake dynamic body, or a kinematic one with a velocity; never a quarantined one. */
function isMoving(body: i32): bool {
  const bits = getI32(column(BODY_FLAGS), body);
  if (bits & BODY_QUARANTINED) return false;
  if (bits & BODY_DYNAMIC) return (bits & BODY_ASLEEP) == 0;
  return (bits & BODY_KINEMATIC) != 0 && hasVelocity(body);
}

function hasVelocity(body: i32): bool {
  return squareOf(column(BODY_LINEAR_VELOCITY), body) + squareOf(column(BODY_ANGULAR_VELOCITY), body) > 0;
}

function squareOf(base: usize, body: i32): f64 {
  const x = getF64(base, body * 4);
  const y = getF64(base, body * 4 + 1);
  const z = getF64(base, body * 4 + 2);
  return x * x + y * y + z * z;
}

/** Whether some point of the pair touches, or closes its gap within this step. */
function isReached(pair: i32, a: i32, b: i32): bool {
  const slack = TOUCH_SHARE * parameter(SPECULATIVE_DISTANCE);
  const dt = parameter(TIME_STEP);
  const count = getI32(column(PAIR_POINTS), pair);
  const point = column(PAIR_POINT);
  for (let k = 0; k < count; k++) {
    const at = pair * 16 + k * 4;
    const gap = getF64(point, at + 3);
    if (gap <= slack) return true;
    const closing = normalSpeed(pair, a, point, at) - normalSpeed(pair, b, point, at);
    if (gap - closing * dt <= slack) return true;
  }
  return false;
}

/** Speed along the pair's normal of the point of `body` at `point[at]` [m/s]. */
function normalSpeed(pair: i32, body: i32, point: usize, at: i32): f64 {
  const position = column(BODY_POSITION);
  const linear = column(BODY_LINEAR_VELOCITY);
  const angular = column(BODY_ANGULAR_VELOCITY);
  const normal = column(PAIR_NORMAL);
  const row = body * 4;
  const x = getF64(point, at) - getF64(position, row);
  const y = getF64(point, at + 1) - getF64(position, row + 1);
  const z = getF64(point, at + 2) - getF64(position, row + 2);
  const wx = getF64(angular, row);
  const wy = getF64(angular, row + 1);
  const wz = getF64(angular, row + 2);
  return (
    getF64(normal, pair * 4) * (getF64(linear, row) + wy * z - wz * y) +
    getF64(normal, pair * 4 + 1) * (getF64(linear, row + 1) + wz * x - wx * z) +
    getF64(normal, pair * 4 + 2) * (getF64(linear, row + 2) + wx * y - wy * x)
  );
}

/** Wakes a sleeping body's ring as `wakeBody`, and gives what woke its free velocity of this step. */
export function wakeWithinStep(body: i32): void {
  const before = cell(WAKE_COUNT);
  wakeBody(body);
  const after = cell(WAKE_COUNT);
  for (let k = before; k < after; k++) predictBody(getI32(column(WAKE_LIST), k));
}

/** Wakes a sleeping body and its whole ring, and appends them to WAKE_LIST; does nothing to a body that is awake. */
export function wakeBody(body: i32): void {
  const flags = column(BODY_FLAGS);
  const next = column(BODY_NEXT);
  if ((getI32(flags, body) & BODY_ASLEEP) == 0) return;
  let at = body;
  while (at >= 0 && getI32(flags, at) & BODY_ASLEEP) {
    const following = getI32(next, at);
    setI32(flags, at, getI32(flags, at) & ~BODY_ASLEEP);
    setI32(next, at, -1);
    setI32(column(BODY_ISLAND), at, -1);
    setF64(column(BODY_DAMPING), at * 4 + 3, 0);
    appendBody(WAKE_LIST, WAKE_COUNT, at);
    enterAwakeList(at);
    at = following;
  }
}

/** Advances the sleep timers and lets islands and lone bodies at rest fall asleep (SLEEP_LIST). Last but one stage. */
export function updateSleep(): void {
  dropStillKinematics();
  advanceTimers();
  if (cell(SLEEP_ENABLED) != 0) layToRest();
  forgetTies();
}

function layToRest(): void {
  const islands = cell(ISLAND_COUNT);
  for (let k = 0; k < islands; k++) if (!isTied(k) && mayIslandSleep(k)) sleepIsland(k);
  const list = column(AWAKE_LIST);
  for (let i = cell(AWAKE_COUNT) - 1; i >= 0; i--) {
    const body = getI32(list, i);
    if (getI32(column(BODY_ISLAND), body) < 0 && mayLoneBodySleep(body)) {
      restBody(body, body, body);
    }
  }
}

function forgetTies(): void {
  const list = column(AWAKE_LIST);
  const flags = column(BODY_FLAGS);
  for (let i = 0; i < cell(AWAKE_COUNT); i++) {
    const body = getI32(list, i);
    setI32(flags, body, getI32(flags, body) & ~BODY_TIED);
  }
}

function dropStillKinematics(): void {
  const list = column(AWAKE_LIST);
  const flags = column(BODY_FLAGS);
  for (let i = cell(AWAKE_COUNT) - 1; i >= 0; i--) {
    const body = getI32(list, i);
    const bits = getI32(flags, body);
    if ((bits & BODY_KINEMATIC) == 0 || (bits & BODY_HAS_TARGET) != 0 || hasVelocity(body)) continue;
    leaveAwakeList(body);
    // Its columns still show how it came here.
    appendBody(SLEEP_LIST, SLEEP_COUNT, body);
  }
}

function advanceTimers(): void {
  const list = column(AWAKE_LIST);
  const count = cell(AWAKE_COUNT);
  const dt = parameter(TIME_STEP);
  const linear = parameter(SLEEP_LINEAR);
  const angular = parameter(SLEEP_ANGULAR);
  const damping = column(BODY_DAMPING);
  for (let i = 0; i < count; i++) {
    const body = getI32(list, i);
    const isSlow =
      squareOf(column(BODY_LINEAR_VELOCITY), body) < linear * linear &&
      squareOf(column(BODY_ANGULAR_VELOCITY), body) < angular * angular &&
      squareOfDisplacement(body) < linear * linear * dt * dt;
    const calm = getF64(damping, body * 4 + 3);
    // What has counted long enough stands still: a snapshot has nothing to keep of it.
    const goesOn = !(calm > 0 && calm >= parameter(SLEEP_DELAY));
    setF64(damping, body * 4 + 3, isSlow ? calm + (goesOn ? dt : 0) : 0);
  }
}

function squareOfDisplacement(body: i32): f64 {
  const from = column(BODY_PREVIOUS_POSITION);
  const to = column(BODY_POSITION);
  const x = getF64(to, body * 4) - getF64(from, body * 4);
  const y = getF64(to, body * 4 + 1) - getF64(from, body * 4 + 1);
  const z = getF64(to, body * 4 + 2) - getF64(from, body * 4 + 2);
  return x * x + y * y + z * z;
}

function isTied(island: i32): bool {
  const bodies = column(ISLAND_BODIES);
  const start = getI32(column(ISLAND_BODY_START), island);
  const count = getI32(column(ISLAND_BODY_COUNT), island);
  for (let i = 0; i < count; i++) {
    if (getI32(column(BODY_FLAGS), getI32(bodies, start + i)) & BODY_TIED) return true;
  }
  return false;
}

/** Whether all bodies of an island, and its contacts, have been at rest for long enough. */
export function mayIslandSleep(island: i32): bool {
  const bodies = column(ISLAND_BODIES);
  const start = getI32(column(ISLAND_BODY_START), island);
  const count = getI32(column(ISLAND_BODY_COUNT), island);
  for (let i = 0; i < count; i++) if (!mayBodySleep(getI32(bodies, start + i))) return false;
  const pairs = column(ISLAND_PAIRS);
  const first = getI32(column(ISLAND_PAIR_START), island);
  const pairCount = getI32(column(ISLAND_PAIR_COUNT), island);
  for (let i = 0; i < pairCount; i++) {
    const pair = getI32(pairs, first + i);
    const a = getI32(column(PAIR_BODY_A), pair);
    const b = getI32(column(PAIR_BODY_B), pair);
    if (isMovingKinematic(a) || isMovingKinematic(b)) return false;
    if (isSlipping(pair, a, b)) return false;
  }
  if (cell(JOINT_COUNT) == 0) return true;
  const firstJoint = getI32(column(ISLAND_JOINT_START), island);
  const jointCount = getI32(column(ISLAND_JOINT_COUNT), island);
  for (let i = 0; i < jointCount; i++) {
    const joint = getI32(column(ISLAND_JOINTS), firstJoint + i);
    for (let end = 0; end < 2; end++) {
      const body = getI32(column(JOINT_BODY), 2 * joint + end);
      if (body >= 0 && isMovingKinematic(body)) return false;
    }
    if (isSpringCreeping(joint)) return false;
  }
  return true;
}

/**
 * Is a spring of much damping (ratio ζ > 1) on its way yet? It closes what is left exponentially, with the time
 * 2 ζ/ω: one of 0.5 Hz and ratio 5 that creeps at 10 mm/s has 32 mm to go.
 */
function isSpringCreeping(joint: i32): bool {
  const modes = getI32(column(JOINT_MODES), joint);
  for (let axis = 0; axis < 6; axis++) {
    if ((modes & (AXIS_SOFT << (AXIS_BITS * axis))) == 0) continue;
    const numbers = column(JOINT_AXES) + ((<usize>(48 * joint + AXIS_NUMBERS * axis)) << 3);
    const frequency = load<f64>(numbers + ((<usize>AXIS_FREQUENCY) << 3));
    const ratio = load<f64>(numbers + ((<usize>AXIS_RATIO) << 3));
    if (!(frequency > 0 && ratio > 1)) continue;
    const speed = fastestEnd(joint, axis < 3);
    if (speed > STILL && speed * ratio > CREEP * Math.PI * frequency) return true;
  }
  return false;
}

/** Fastest that the place of a joint on one of its bodies may move [m/s], or that one turns [rad/s]. */
function fastestEnd(joint: i32, isLinear: bool): f64 {
  let fastest: f64 = 0;
  for (let end = 0; end < 2; end++) {
    const body = getI32(column(JOINT_BODY), 2 * joint + end);
    if (body < 0) continue;
    const spin = sqrt(squareOf(column(BODY_ANGULAR_VELOCITY), body));
    if (!isLinear) {
      fastest = max(fastest, spin);
      continue;
    }
    const arm = sqrt(squareOf(column(JOINT_FRAME), 4 * joint + 2 * end));
    fastest = max(fastest, sqrt(squareOf(column(BODY_LINEAR_VELOCITY), body)) + arm * spin);
  }
  return fastest;
}

/**
 * Does a contact slide while its bodies move? Such an island only gathers speed: a box on a slope a little steeper
 * than its friction angle would else fall asleep before it is as fast as SLEEP_LINEAR.
 */
function isSlipping(pair: i32, a: i32, b: i32): bool {
  const velocity = column(BODY_LINEAR_VELOCITY);
  if (squareOf(velocity, a) + squareOf(velocity, b) < SLIP_SPEED * SLIP_SPEED) return false;
  const impulse = column(PAIR_IMPULSE) + ((<usize>pair) << 7);
  const friction = getF64(column(PAIR_MATERIAL), pair * 4);
  const count = getI32(column(PAIR_POINTS), pair);
  for (let k: usize = 0; k < <usize>count; k++) {
    const point = impulse + (k << 5);
    const limit = friction * load<f64>(point);
    const x = load<f64>(point, 8);
    const y = load<f64>(point, 16);
    if (limit > 0 && x * x + y * y >= CONE_SHARE * limit * limit) return true;
  }
  return false;
}

function isMovingKinematic(body: i32): bool {
  return (getI32(column(BODY_FLAGS), body) & BODY_KINEMATIC) != 0 && hasVelocity(body);
}

/** Whether a body may sleep and has been slow for long enough. */
export function mayBodySleep(body: i32): bool {
  const bits = getI32(column(BODY_FLAGS), body);
  if (bits & (BODY_NEVER_SLEEPS | BODY_QUARANTINED | BODY_ASLEEP) || (bits & BODY_DYNAMIC) == 0) return false;
  const calm = getF64(column(BODY_DAMPING), body * 4 + 3);
  return calm > 0 && calm >= parameter(SLEEP_DELAY);
}

function mayLoneBodySleep(body: i32): bool {
  if (!mayBodySleep(body) || getI32(column(BODY_FLAGS), body) & BODY_TIED) return false;
  const change = column(BODY_VELOCITY_CHANGE) + ((<usize>body) << 6);
  const x = load<f64>(change);
  const y = load<f64>(change, 8);
  const z = load<f64>(change, 16);
  const limit = FALL_SHARE * parameter(SLEEP_LINEAR);
  return x * x + y * y + z * z <= limit * limit;
}

function sleepIsland(island: i32): void {
  const bodies = column(ISLAND_BODIES);
  const start = getI32(column(ISLAND_BODY_START), island);
  const count = getI32(column(ISLAND_BODY_COUNT), island);
  const first = getI32(bodies, start);
  for (let i = 0; i < count; i++) {
    const body = getI32(bodies, start + i);
    restBody(body, first, getI32(bodies, start + (i + 1 == count ? 0 : i + 1)));
  }
}

/** Puts a body to sleep in the ring that is named after body `ring`, before body `next` of it. */
export function restBody(body: i32, ring: i32, next: i32): void {
  const flags = column(BODY_FLAGS);
  setI32(flags, body, (getI32(flags, body) | BODY_ASLEEP) & ~BODY_TIED);
  setI32(column(BODY_ISLAND), body, ring);
  setI32(column(BODY_NEXT), body, next);
  memory.fill(column(BODY_LINEAR_VELOCITY) + ((<usize>body) << 5), 0, 32);
  memory.fill(column(BODY_ANGULAR_VELOCITY) + ((<usize>body) << 5), 0, 32);
  memory.fill(column(BODY_MOTION) + ((<usize>body) << 6), 0, 64);
  memory.fill(column(BODY_VELOCITY_CHANGE) + ((<usize>body) << 6), 0, 64);
  appendBody(SLEEP_LIST, SLEEP_COUNT, body);
  leaveAwakeList(body);
}
