// Stops bodies that move far where they first touch, if what they met would not have stopped them.
//
// In: poses before and after the motion of the step (BODY_PREVIOUS_POSITION, BODY_POSITION), the active pairs. Out:
// BODY_POSITION and BODY_ROTATION of bodies that would have gone into or through another. Contacts are solved on what
// is foreseen; what a blow sets spinning, or sweeps leave undone, may still take a body through a thin one. So every
// body that asks for it (BODY_CONTINUOUS), or goes farther in a step than its thinnest half, is followed on the way
// that it has really made, by conservative advancement (foresee/sweep-pair.ts). The first pair in time that would go on
// to overlap by more than SHALLOW of the thinner stops there (what is driven takes the other along), and has no
// further way; then the next. What joints hold to a body stops with it: a limb that stayed behind alone would open
// its joints by as much. Velocities are left alone but for
// what loads did in the rest of the step: the touch is a contact of the next step.
// Rejected: the limb alone, its joints shut by moving the others, to where nothing has looked what is in their way.
//
// Limits: what stops together was joined at the start and at the end of its way, and between them is but for what it
// turned by (dynamics/joints/shut-stopped.ts shuts it); pairs that touch at the start are those of the contacts, save
// balls and capsules; a body that was stopped is looked at, for the others, as if it had been there all the time;
// PASSES stops in a step.

import {
  ACTIVE_COUNT,
  ACTIVE_LIST,
  AWAKE_COUNT,
  AWAKE_LIST,
  BODY_ANGULAR_VELOCITY,
  BODY_AWAKE_INDEX,
  BODY_COLLIDER,
  BODY_CONTINUOUS,
  BODY_COUNT,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_INVERSE_MASS,
  BODY_JOINT,
  BODY_LINEAR_VELOCITY,
  BODY_LOCAL_INERTIA,
  BODY_MOTION,
  BODY_POSITION,
  BODY_PREVIOUS_POSITION,
  BODY_PREVIOUS_ROTATION,
  BODY_QUARANTINED,
  BODY_ROTATION,
  BODY_VELOCITY_CHANGE,
  BOUNDED_KINDS,
  COLLIDER_LOCAL_POSITION,
  COLLIDER_NEXT,
  COLLIDER_POSITION,
  COLLIDER_ROTATION,
  JOINT_BODY,
  JOINT_LINK,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_COLLIDER_A,
  PAIR_COLLIDER_B,
  PAIR_DISABLED,
  PAIR_EXTRA,
  PAIR_FLAGS,
  PAIR_MODIFIED,
  PAIR_SENSOR,
  ROUND_KINDS,
  TIME_STEP,
} from '../../../state/layout';
import {
  allowMore,
  beginSweeps,
  closeSweep,
  findSink,
  findTouch,
  motionOf,
  NO_TOUCH,
  openSweep,
  radiusOf,
  startOverlap,
  touchSpeed,
} from '../foresee/sweep-pair';
import { placeCollider, row4 } from '../math/boxes';
import * as R from '../math/rotation';
import { dot3 } from '../math/vector';
import { cell, column, copy32, getI32, parameter, setI32 } from '../memory';
import { thinnestHalf } from '../narrow/manifold';
import { isOneOf, kindOf } from '../shapes/kinds';
import { isActive, isHolding } from './islands';

/** Share of the thinnest half extent by which a pair may overlap at the end of the step: contacts part it [-]. */
const SHALLOW: f64 = 0.5;
/**
 * The same of balls and capsules, which a knock within the step turns onto ends that had no contact, and whose depth is
 * known where they overlap at the start, too [-].
 */
const ROUND_SHALLOW: f64 = 0.3;
/** What touches within this share of the step ... */
const SOON: f64 = 0.05;
/** ... goes on to an overlap of this share of the thinnest half extent: at the touch it would end its way again [-]. */
const DENT: f64 = 0.1;
/** Share of its spin that a body which is stopped keeps, at least, where it lies too high for its speed [-]. */
const LEAST_SLOWER: f64 = 0.98;
const ROUNDING: f64 = 1e-9;
/** Stops at most in a step. */
const PASSES: i32 = 64;
/** Position, rotation, motion. */
const POSE_BYTES: usize = 128;

let poses: usize = 0; // POSE_BYTES per body: where it ends, and BODY_MOTION
let times: usize = 0; // f64 per active pair: when it must stop
let states: usize = 0; // i32 per body
let group: usize = 0; // i32 per body: those that stop together
/** Followed, stopped, and that by the last pass. */
const FAST: i32 = 1;
const STOPPED: i32 = 2;
const LAST: i32 = 4;

/** Bytes of scratch that stopAtTouch needs. */
export function stopScratchSize(): i32 {
  return cell(BODY_COUNT) * <i32>(POSE_BYTES + 8) + (cell(ACTIVE_COUNT) << 3) + 32;
}

/** Returns how many bodies were stopped. `scratch` has stopScratchSize() bytes, a multiple of 16. */
export function stopAtTouch(scratch: usize): i32 {
  poses = scratch;
  times = scratch + <usize>cell(BODY_COUNT) * POSE_BYTES;
  states = times + ((<usize>cell(ACTIVE_COUNT)) << 3);
  group = states + ((<usize>cell(BODY_COUNT)) << 2);
  if (!markFast()) return 0;
  rewind();
  beginSweeps();
  allowMore(true);
  findTimes(true);
  let stopped = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    const count = stopFirst();
    if (count == 0) break;
    stopped += count;
  }
  finish();
  return stopped;
}

/** Whether a body was stopped by the call of stopAtTouch before, in whose scratch it stands. */
export function isStopped(body: i32): bool {
  return (getI32(states, body) & STOPPED) != 0;
}

/** Marks the bodies that are to be followed; false if there are none. */
function markFast(): bool {
  const list = column(AWAKE_LIST);
  const flags = column(BODY_FLAGS);
  const dt = parameter(TIME_STEP);
  memory.fill(states, 0, (<usize>cell(BODY_COUNT)) << 2);
  let any = false;
  for (let i = cell(AWAKE_COUNT) - 1; i >= 0; i--) {
    const body = getI32(list, i);
    const bits = getI32(flags, body);
    if (bits & BODY_QUARANTINED) continue;
    const isAsked = (bits & BODY_CONTINUOUS) != 0;
    const from = row4(BODY_PREVIOUS_POSITION, body);
    const to = row4(BODY_POSITION, body);
    const x = load<f64>(to) - load<f64>(from);
    const y = load<f64>(to, 8) - load<f64>(from, 8);
    const z = load<f64>(to, 16) - load<f64>(from, 16);
    const motion = column(BODY_MOTION) + ((<usize>body) << 6);
    const wx = load<f64>(motion, 32);
    const wy = load<f64>(motion, 40);
    const wz = load<f64>(motion, 48);
    const way = sqrt(dot3(x, y, z, x, y, z));
    const turn = dt * sqrt(dot3(wx, wy, wz, wx, wy, wz));
    if (way == 0 && turn == 0) continue;
    for (let c = getI32(column(BODY_COLLIDER), body); c >= 0; c = getI32(column(COLLIDER_NEXT), c)) {
      if (!isAsked && way + turn * radiusOf(c) <= thinnestHalf(c)) continue;
      setI32(states, body, FAST);
      any = true;
      break;
    }
  }
  return any;
}

/** Puts all awake bodies back to where they were, with the motion that takes them to where they are. */
function rewind(): void {
  const list = column(AWAKE_LIST);
  const dt = parameter(TIME_STEP);
  for (let i = cell(AWAKE_COUNT) - 1; i >= 0; i--) {
    const body = getI32(list, i);
    const pose = poses + <usize>body * POSE_BYTES;
    const position = row4(BODY_POSITION, body);
    const rotation = row4(BODY_ROTATION, body);
    copy32(pose, position);
    copy32(pose + 32, rotation);
    const motion = column(BODY_MOTION) + ((<usize>body) << 6);
    copy32(pose + 64, motion);
    copy32(pose + 96, motion + 32);
    const before = row4(BODY_PREVIOUS_POSITION, body);
    for (let k: usize = 0; k < 24; k += 8) {
      store<f64>(motion + k, (load<f64>(position + k) - load<f64>(before + k)) / dt);
    }
    const wx = load<f64>(motion, 32);
    const wy = load<f64>(motion, 40);
    const wz = load<f64>(motion, 48);
    // Beyond half a turn the poses do not tell the way round.
    if (dot3(wx, wy, wz, wx, wy, wz) * dt * dt < 9) {
      R.rotationBetween(row4(BODY_PREVIOUS_ROTATION, body), rotation);
      store<f64>(motion, R.vx / dt, 32);
      store<f64>(motion, R.vy / dt, 40);
      store<f64>(motion, R.vz / dt, 48);
    }
    copy32(position, before);
    copy32(rotation, row4(BODY_PREVIOUS_ROTATION, body));
  }
}

/** Gives back motions, and to the bodies that were not stopped where they end, bit for bit. */
function finish(): void {
  const list = column(AWAKE_LIST);
  for (let i = cell(AWAKE_COUNT) - 1; i >= 0; i--) {
    const body = getI32(list, i);
    const pose = poses + <usize>body * POSE_BYTES;
    const motion = column(BODY_MOTION) + ((<usize>body) << 6);
    copy32(motion, pose + 64);
    copy32(motion + 32, pose + 96);
    if (getI32(states, body) & STOPPED) {
      // Colliders stay where the step began: keep-outside reads the way from there.
      copy32(pose, row4(BODY_POSITION, body));
      copy32(pose + 32, row4(BODY_ROTATION, body));
      copy32(row4(BODY_POSITION, body), row4(BODY_PREVIOUS_POSITION, body));
      copy32(row4(BODY_ROTATION, body), row4(BODY_PREVIOUS_ROTATION, body));
      moveColliders(body);
    }
    copy32(row4(BODY_POSITION, body), pose);
    copy32(row4(BODY_ROTATION, body), pose + 32);
  }
}

/** Times of all pairs, or of those whose bodies the last pass stopped. */
function findTimes(ofAll: bool): void {
  const list = column(ACTIVE_LIST);
  for (let i = cell(ACTIVE_COUNT) - 1; i >= 0; i--) {
    const pair = getI32(list, i);
    const a = getI32(column(PAIR_BODY_A), pair);
    const b = getI32(column(PAIR_BODY_B), pair);
    if (!ofAll && ((getI32(states, a) | getI32(states, b)) & LAST) == 0) continue;
    store<f64>(times + ((<usize>i) << 3), isFollowed(pair) ? whenStopped(pair) : NO_TOUCH);
  }
}

/** Stops the pair that touches first of all that must; returns how many bodies that were. */
function stopFirst(): i32 {
  let first = NO_TOUCH;
  let found = -1;
  for (let i = cell(ACTIVE_COUNT) - 1; i >= 0; i--) {
    const t = load<f64>(times + ((<usize>i) << 3));
    if (t >= first) continue;
    first = t;
    found = getI32(column(ACTIVE_LIST), i);
  }
  if (found < 0) return 0;
  const a = getI32(column(PAIR_BODY_A), found);
  const b = getI32(column(PAIR_BODY_B), found);
  let stopped = 0;
  if (isFree(a) && isFree(b)) stopped = stopGroup(a, -1, first) + stopGroup(b, -1, first);
  else stopped = isFree(a) ? stopGroup(a, b, first) : stopGroup(b, a, first);
  findTimes(false);
  const list = column(AWAKE_LIST);
  for (let i = cell(AWAKE_COUNT) - 1; i >= 0; i--) {
    const body = getI32(list, i);
    setI32(states, body, getI32(states, body) & ~LAST);
  }
  return stopped;
}

function isFree(body: i32): bool {
  return (getI32(column(BODY_FLAGS), body) & BODY_DYNAMIC) != 0 && getI32(column(BODY_AWAKE_INDEX), body) >= 0;
}

/** Is one of the pair's bodies fast, and one still on its way? */
function isFollowed(pair: i32): bool {
  if (getI32(column(PAIR_FLAGS), pair) & (PAIR_EXTRA | PAIR_SENSOR | PAIR_DISABLED | PAIR_MODIFIED)) return false;
  const a = getI32(column(PAIR_BODY_A), pair);
  const b = getI32(column(PAIR_BODY_B), pair);
  const stateA = getI32(states, a);
  const stateB = getI32(states, b);
  if (((stateA | stateB) & FAST) == 0) return false;
  return (isFree(a) && (stateA & STOPPED) == 0) || (isFree(b) && (stateB & STOPPED) == 0);
}

/** Share of the step after which the pair must stop, NO_TOUCH if it need not. */
function whenStopped(pair: i32): f64 {
  const a = getI32(column(PAIR_COLLIDER_A), pair);
  const b = getI32(column(PAIR_COLLIDER_B), pair);
  let thin = thinnestHalf(a);
  if (isOneOf(kindOf(b), BOUNDED_KINDS)) thin = min(thin, thinnestHalf(b));
  const isRound = isOneOf(kindOf(a), ROUND_KINDS) && isOneOf(kindOf(b), ROUND_KINDS);
  let allowed = (isRound ? ROUND_SHALLOW : SHALLOW) * thin;
  if (wayOf(pair) <= (isRound ? DENT * thin : allowed)) return NO_TOUCH;
  openSweep(a, b);
  let end = NO_TOUCH;
  let t = isRound ? findTouch() : 0;
  // What lies deep already goes no deeper.
  if (isRound && t == 0) allowed = max(allowed, startOverlap + DENT * thin);
  const sunk = findSink(allowed);
  if (sunk > 0 && sunk <= 1) {
    t = findTouch();
    // What it touches all the way, from the start or nearly, has made its contacts: where it ends there is a new one.
    if (t < 1 && (1 - t) * touchSpeed > allowed - startOverlap) {
      end = t < SOON ? findSink(startOverlap + DENT * thin) : t;
    }
  }
  closeSweep();
  return end;
}

/** Most that any points of the pair move against each other in the step [m]. */
function wayOf(pair: i32): f64 {
  const a = motionOf(getI32(column(PAIR_BODY_A), pair));
  const b = motionOf(getI32(column(PAIR_BODY_B), pair));
  const x = load<f64>(b) - load<f64>(a);
  const y = load<f64>(b, 8) - load<f64>(a, 8);
  const z = load<f64>(b, 16) - load<f64>(a, 16);
  const c = getI32(column(PAIR_COLLIDER_A), pair);
  const d = getI32(column(PAIR_COLLIDER_B), pair);
  const turns = spinOf(a) * reachOf(c) + (spinOf(b) == 0 ? 0 : spinOf(b) * reachOf(d));
  return parameter(TIME_STEP) * (sqrt(dot3(x, y, z, x, y, z)) + turns);
}

function spinOf(motion: usize): f64 {
  const x = load<f64>(motion, 32);
  const y = load<f64>(motion, 40);
  const z = load<f64>(motion, 48);
  return sqrt(dot3(x, y, z, x, y, z));
}

/** A length about as far as points of a collider lie from what they turn about. */
function reachOf(collider: i32): f64 {
  const local = row4(COLLIDER_LOCAL_POSITION, collider);
  const x = load<f64>(local);
  const y = load<f64>(local, 8);
  const z = load<f64>(local, 16);
  return sqrt(dot3(x, y, z, x, y, z)) + 2 * radiusOf(collider);
}

/**
 * Ends the way of a body and of what joints hold to it after the share `t` of the step, at `driven` if that is not
 * −1; how many bodies had not ended before.
 */
function stopGroup(body: i32, driven: i32, t: f64): i32 {
  let stopped = stopOne(body, driven, t);
  if (stopped == 0) return 0;
  setI32(group, 0, body);
  for (let i = 0; i < stopped; i++) {
    for (let at = getI32(column(BODY_JOINT), getI32(group, i)); at >= 0; at = getI32(column(JOINT_LINK), at)) {
      const other = getI32(column(JOINT_BODY), at ^ 1);
      if (other < 0 || !isFree(other) || !isActive(at >> 1) || !isHolding(at >> 1)) continue;
      if (stopOne(other, driven, t) != 0) setI32(group, stopped++, other);
    }
  }
  return stopped;
}

function stopOne(body: i32, driven: i32, t: f64): i32 {
  if (driven < 0 || getI32(column(BODY_AWAKE_INDEX), driven) < 0) keepEnergy(body, t);
  return driven < 0 ? stop(body, t) : stopWith(body, driven, t);
}

/**
 * Gives a body that ends its way after the share `t` of the step the energy that symplectic Euler would have kept
 * on all of it: takes from its velocity what loads did in the rest; and where a blow has turned it round meanwhile,
 * so that it lies too high for its speed, a little of its spin. What rests on something has nothing of that to lose,
 * and what joints hold keeps the velocities that they agree on.
 */
function keepEnergy(body: i32, t: f64): void {
  if ((getI32(states, body) & STOPPED) != 0 || getI32(column(BODY_JOINT), body) >= 0) return;
  const change = column(BODY_VELOCITY_CHANGE) + ((<usize>body) << 6);
  const motion = column(BODY_MOTION) + ((<usize>body) << 6);
  const velocity = row4(BODY_LINEAR_VELOCITY, body);
  const x = load<f64>(change);
  const y = load<f64>(change, 8);
  const z = load<f64>(change, 16);
  const square = dot3(x, y, z, x, y, z);
  if (!(square > 0)) return;
  // |v + c/2 − s c|² = |v + c/2|² − 2 (1 − t) c·m, in units of |c|².
  const ahead = dot3(x, y, z, load<f64>(velocity), load<f64>(velocity, 8), load<f64>(velocity, 16)) / square + 0.5;
  const way = dot3(x, y, z, load<f64>(motion), load<f64>(motion, 8), load<f64>(motion, 16)) / square;
  const root = sqrt(max(ahead * ahead - 2 * (1 - t) * way, 0));
  // What fell freely may go on a little faster, too; what was pressed on its way rests on something.
  const fell = abs(way - (ahead - 0.5)) < ROUNDING;
  const share = min(max(ahead > 0 ? ahead - root : ahead + root, way > 0 || fell ? -1.0 : 0.0), 1.0);
  store<f64>(velocity, load<f64>(velocity) - share * x);
  store<f64>(velocity, load<f64>(velocity, 8) - share * y, 8);
  store<f64>(velocity, load<f64>(velocity, 16) - share * z, 16);
  const left = square * ((1 - t) * way + share * (0.5 * share - ahead));
  if (left > ROUNDING * square) slowSpin(body, left);
}

/** Takes an energy per mass [J/kg] from a body's spin, which stays LEAST_SLOWER of itself at least. */
function slowSpin(body: i32, energy: f64): void {
  const w = row4(BODY_ANGULAR_VELOCITY, body);
  R.loadRotation(column(BODY_PREVIOUS_ROTATION), body);
  const local = column(BODY_LOCAL_INERTIA) + ((<usize>body) << 6);
  const x = R.r00 * load<f64>(w) + R.r10 * load<f64>(w, 8) + R.r20 * load<f64>(w, 16);
  const y = R.r01 * load<f64>(w) + R.r11 * load<f64>(w, 8) + R.r21 * load<f64>(w, 16);
  const z = R.r02 * load<f64>(w) + R.r12 * load<f64>(w, 8) + R.r22 * load<f64>(w, 16);
  const lx = load<f64>(local) * x + load<f64>(local, 24) * y + load<f64>(local, 32) * z;
  const ly = load<f64>(local, 24) * x + load<f64>(local, 8) * y + load<f64>(local, 40) * z;
  const lz = load<f64>(local, 32) * x + load<f64>(local, 40) * y + load<f64>(local, 16) * z;
  const inverseMass = load<f64>(column(BODY_INVERSE_MASS) + ((<usize>body) << 3));
  const twice = inverseMass * dot3(x, y, z, lx, ly, lz);
  if (!(twice > 0)) return;
  const factor = max(sqrt(max(1 - (2 * energy) / twice, 0)), LEAST_SLOWER);
  for (let k: usize = 0; k < 24; k += 8) store<f64>(w + k, factor * load<f64>(w + k));
}

/** Ends the way of a body after the share `t` of the step; 1 if it has not ended before. */
function stop(body: i32, t: f64): i32 {
  if (getI32(states, body) & STOPPED) return 0;
  const motion = column(BODY_MOTION) + ((<usize>body) << 6);
  moveOn(body, motion, t);
  for (let k: usize = 0; k < 24; k += 8) {
    store<f64>(motion + k, 0);
    store<f64>(motion + k, 0, 32);
  }
  setI32(states, body, getI32(states, body) | STOPPED | LAST);
  moveColliders(body);
  return 1;
}

/** The same at a body that stands still or is driven, and goes on: what touches it goes along. */
function stopWith(body: i32, driven: i32, t: f64): i32 {
  const isStopped = stop(body, t);
  if (isStopped == 0 || getI32(column(BODY_AWAKE_INDEX), driven) < 0) return isStopped;
  const motion = column(BODY_MOTION) + ((<usize>driven) << 6);
  const left = (1 - t) * parameter(TIME_STEP);
  const center = row4(BODY_PREVIOUS_POSITION, driven);
  const at = row4(BODY_POSITION, body);
  // About its centre at the touch, then with it.
  const cx = load<f64>(center) + t * parameter(TIME_STEP) * load<f64>(motion);
  const cy = load<f64>(center, 8) + t * parameter(TIME_STEP) * load<f64>(motion, 8);
  const cz = load<f64>(center, 16) + t * parameter(TIME_STEP) * load<f64>(motion, 16);
  const wx = left * load<f64>(motion, 32);
  const wy = left * load<f64>(motion, 40);
  const wz = left * load<f64>(motion, 48);
  R.expRotation(wx, wy, wz);
  R.turnRotation(column(BODY_ROTATION), body);
  store<f64>(ARM, load<f64>(at) - cx);
  store<f64>(ARM, load<f64>(at, 8) - cy, 8);
  store<f64>(ARM, load<f64>(at, 16) - cz, 16);
  turnArm(wx, wy, wz);
  store<f64>(at, cx + left * load<f64>(motion) + load<f64>(ARM));
  store<f64>(at, cy + left * load<f64>(motion, 8) + load<f64>(ARM, 8), 8);
  store<f64>(at, cz + left * load<f64>(motion, 16) + load<f64>(ARM, 16), 16);
  moveColliders(body);
  return isStopped;
}

const ARM: usize = memory.data(32, 16);

/** Turns ARM by a rotation vector (Rodrigues). */
function turnArm(x: f64, y: f64, z: f64): void {
  const angle = sqrt(dot3(x, y, z, x, y, z));
  if (angle < 1e-12) return;
  const nx = x / angle;
  const ny = y / angle;
  const nz = z / angle;
  const ax = load<f64>(ARM);
  const ay = load<f64>(ARM, 8);
  const az = load<f64>(ARM, 16);
  const c = NativeMath.cos(angle);
  const s = NativeMath.sin(angle);
  const d = (1 - c) * dot3(nx, ny, nz, ax, ay, az);
  store<f64>(ARM, c * ax + s * (ny * az - nz * ay) + d * nx);
  store<f64>(ARM, c * ay + s * (nz * ax - nx * az) + d * ny, 8);
  store<f64>(ARM, c * az + s * (nx * ay - ny * ax) + d * nz, 16);
}

function moveOn(body: i32, motion: usize, t: f64): void {
  const time = t * parameter(TIME_STEP);
  const position = row4(BODY_POSITION, body);
  for (let k: usize = 0; k < 24; k += 8) {
    store<f64>(position + k, load<f64>(position + k) + time * load<f64>(motion + k));
  }
  R.expRotation(time * load<f64>(motion, 32), time * load<f64>(motion, 40), time * load<f64>(motion, 48));
  R.turnRotation(column(BODY_ROTATION), body);
}

/** Colliders of a stopped body stand where it is, for the pairs that are still to be looked at. */
function moveColliders(body: i32): void {
  for (let c = getI32(column(BODY_COLLIDER), body); c >= 0; c = getI32(column(COLLIDER_NEXT), c)) {
    placeCollider(c, body, row4(COLLIDER_POSITION, c), row4(COLLIDER_ROTATION, c));
  }
}
