// predict-motion and integrate-motion: free velocities before the contacts are solved, poses after.
//
// In: awake bodies, forces, kinematic targets, gravity, time step. Out: BODY_LINEAR/ANGULAR_VELOCITY (free
// velocity), BODY_VELOCITY_CHANGE (what was added), BODY_MOTION (velocity that moves the pose), BODY_INVERSE_INERTIA,
// previous poses; then the new poses and the list of bodies whose numbers went bad.
//
// Linear motion is symplectic Euler: v += dt·a, x += dt·v. So is rotation: torques and impulses change the spin
// at the start of the step, then the body turns, freely with its angular momentum and energy kept
// (motion/free-spin.ts), and motion/carry-spin.ts finds the spin at the end.
//
// Kinematic bodies: a target gives the velocity that reaches it in one step, and the pose is set to it exactly.
// In the next step without a target that velocity is dropped; a velocity the user wrote himself stays
// (it differs from BODY_VELOCITY_CHANGE, where the target's velocity is noted).

import {
  AWAKE_COUNT,
  AWAKE_LIST,
  BODY_ANGULAR_VELOCITY,
  BODY_AWAKE_INDEX,
  BODY_DAMPING,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_FORCE,
  BODY_HAS_TARGET,
  BODY_INVERSE_INERTIA,
  BODY_INVERSE_MASS,
  BODY_ISLAND,
  BODY_KINEMATIC,
  BODY_LINEAR_VELOCITY,
  BODY_LOCAL_INERTIA,
  BODY_LOCAL_INVERSE_INERTIA,
  BODY_LOCK_X,
  BODY_LOCK_Y,
  BODY_LOCK_Z,
  BODY_LOCKS,
  BODY_MOTION,
  BODY_POSITION,
  BODY_PREVIOUS_POSITION,
  BODY_PREVIOUS_ROTATION,
  BODY_QUARANTINED,
  BODY_ROTATION,
  BODY_TARGET_POSITION,
  BODY_TARGET_ROTATION,
  BODY_TORQUE,
  BODY_VELOCITY_CHANGE,
  GRAVITY,
  ISLAND_BODIES,
  ISLAND_BODY_COUNT,
  ISLAND_BODY_START,
  ISLAND_SOLVER,
  ISLAND_SWEEPS,
  MAXIMUM_SPEED,
  MAXIMUM_SPIN,
  QUARANTINE_COUNT,
  QUARANTINE_LIST,
  TIME_STEP,
} from '../../../state/layout';
import * as R from '../math/rotation';
import { cell, clear32, column, copy32, getF64, getI32, parameter, setCell, setF64, setI32 } from '../memory';
import { leaveAwakeList } from './awake';
import * as Spin from './free-spin';
import * as Locks from './locks';

/** Free velocities of all awake bodies; empties the quarantine list first. */
export function predictMotion(): void {
  setCell(QUARANTINE_COUNT, 0);
  const list = column(AWAKE_LIST);
  // Backwards: a quarantined body leaves the list by swapping with its last entry.
  for (let i = cell(AWAKE_COUNT) - 1; i >= 0; i--) predictBody(getI32(list, i));
}

/** Free velocity of one awake body; also for bodies woken in the middle of a step. */
export function predictBody(body: i32): void {
  if (isBad(body)) {
    quarantine(body);
    return;
  }
  copy32(row(BODY_PREVIOUS_POSITION, body, 32), row(BODY_POSITION, body, 32));
  copy32(row(BODY_PREVIOUS_ROTATION, body, 32), row(BODY_ROTATION, body, 32));
  const flags = getI32(column(BODY_FLAGS), body);
  if (flags & BODY_DYNAMIC) predictDynamic(body);
  else if (flags & BODY_KINEMATIC) predictKinematic(body, flags);
  // Finite numbers may overflow together (a huge force); no other body must get to see that.
  if (isMotionBad(body)) quarantine(body);
}

function isMotionBad(body: i32): bool {
  const motion = row(BODY_MOTION, body, 64);
  let sum: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) {
    const v = load<f64>(motion + k);
    const w = load<f64>(motion + k, 32);
    sum += v - v + (w - w);
  }
  return !(sum == 0);
}

// Free spin of the body in hand: module scratch.
let wx: f64 = 0;
let wy: f64 = 0;
let wz: f64 = 0;

function predictDynamic(body: i32): void {
  const dt = parameter(TIME_STEP);
  const at = body * 4;
  const linear = column(BODY_LINEAR_VELOCITY);
  const angular = column(BODY_ANGULAR_VELOCITY);
  const force = column(BODY_FORCE);
  const torque = column(BODY_TORQUE);
  const damping = column(BODY_DAMPING);
  const change = row(BODY_VELOCITY_CHANGE, body, 64);
  const motion = row(BODY_MOTION, body, 64);
  const inertia = row(BODY_INVERSE_INERTIA, body, 64);

  R.loadRotation(column(BODY_ROTATION), body);
  const local = row(BODY_LOCAL_INERTIA, body, 64);
  const locks = getI32(column(BODY_FLAGS), body) & BODY_LOCKS;
  if (locks == 0) R.turnTensor(inertia, row(BODY_LOCAL_INVERSE_INERTIA, body, 64));
  else Locks.lockTensor(inertia, local, locks);

  const scale = getF64(damping, at + 2);
  const inverseMass = getF64(column(BODY_INVERSE_MASS), body);
  const slow = 1 / (1 + dt * getF64(damping, at));
  const vx = getF64(linear, at);
  const vy = getF64(linear, at + 1);
  const vz = getF64(linear, at + 2);
  let ux = (vx + dt * (scale * load<f64>(GRAVITY) + inverseMass * getF64(force, at))) * slow;
  let uy = (vy + dt * (scale * load<f64>(GRAVITY + 8) + inverseMass * getF64(force, at + 1))) * slow;
  let uz = (vz + dt * (scale * load<f64>(GRAVITY + 16) + inverseMass * getF64(force, at + 2))) * slow;
  const speed = ux * ux + uy * uy + uz * uz;
  const limit = parameter(MAXIMUM_SPEED);

  if (speed > limit * limit) {
    const k = limit / sqrt(speed);
    ux *= k;
    uy *= k;
    uz *= k;
  }

  // Spin about a locked axis was written by the game: it is none of the step's changes, which
  // sweeps would take over in parts.
  const sx = locks & BODY_LOCK_X ? 0 : getF64(angular, at);
  const sy = locks & BODY_LOCK_Y ? 0 : getF64(angular, at + 1);
  const sz = locks & BODY_LOCK_Z ? 0 : getF64(angular, at + 2);
  const tx = dt * getF64(torque, at);
  const ty = dt * getF64(torque, at + 1);
  const tz = dt * getF64(torque, at + 2);
  wx = sx + load<f64>(inertia) * tx + load<f64>(inertia, 24) * ty + load<f64>(inertia, 32) * tz;
  wy = sy + load<f64>(inertia, 24) * tx + load<f64>(inertia, 8) * ty + load<f64>(inertia, 40) * tz;
  wz = sz + load<f64>(inertia, 32) * tx + load<f64>(inertia, 40) * ty + load<f64>(inertia, 16) * tz;
  clampSpin();
  const slowSpin = 1 / (1 + dt * getF64(damping, at + 1));
  wx *= slowSpin;
  wy *= slowSpin;
  wz *= slowSpin;
  store<f64>(motion, wx, 32);
  store<f64>(motion, wy, 40);
  store<f64>(motion, wz, 48);
  const isTurning = wx * wx + wy * wy + wz * wz > 1e-12;
  if (isTurning && locks == 0 && Spin.isAnisotropic(local)) {
    predictTurn(dt, local, row(BODY_LOCAL_INVERSE_INERTIA, body, 64), motion);
  }

  setF64(linear, at, ux);
  setF64(linear, at + 1, uy);
  setF64(linear, at + 2, uz);
  setF64(angular, at, wx);
  setF64(angular, at + 1, wy);
  setF64(angular, at + 2, wz);
  store<f64>(change, ux - vx);
  store<f64>(change, uy - vy, 8);
  store<f64>(change, uz - vz, 16);
  store<f64>(change, wx - sx, 32);
  store<f64>(change, wy - sy, 40);
  store<f64>(change, wz - sz, 48);
  store<f64>(motion, ux);
  store<f64>(motion, uy, 8);
  store<f64>(motion, uz, 16);
  clear32(force + ((<usize>at) << 3));
  clear32(torque + ((<usize>at) << 3));
}

/** Turn of a step below which a body's mean spin is that at its start [rad]. */
const SMALL_TURN: f64 = 0.01;

/**
 * Mean spin of the bodies of an island for the spins that its contacts leave them: those that freely turning bodies
 * have from there, and not the sum of what they had before and the change. For BODY_MOTION with impulses, while the
 * velocities have none yet.
 */
export function turnMotions(island: i32): void {
  const start = getI32(column(ISLAND_BODY_START), island);
  const end = start + getI32(column(ISLAND_BODY_COUNT), island);
  const dt = parameter(TIME_STEP);
  for (let i = start; i < end; i++) {
    const body = getI32(column(ISLAND_BODIES), i);
    const motion = row(BODY_MOTION, body, 64);
    const free = row(BODY_ANGULAR_VELOCITY, body, 32);
    wx = load<f64>(free);
    wy = load<f64>(free, 8);
    wz = load<f64>(free, 16);
    if (!turnsFreely(body, max(squareOf(motion + 32), squareOf(free)))) continue;
    R.loadRotation(column(BODY_ROTATION), body);
    const inertia = row(BODY_LOCAL_INERTIA, body, 64);
    const inverse = row(BODY_LOCAL_INVERSE_INERTIA, body, 64);
    predictTurn(dt, inertia, inverse, MEAN - 32);
    const x = load<f64>(motion, 32) - load<f64>(MEAN);
    const y = load<f64>(motion, 40) - load<f64>(MEAN, 8);
    const z = load<f64>(motion, 48) - load<f64>(MEAN, 16);
    if (x == 0 && y == 0 && z == 0) continue;
    wx += x;
    wy += y;
    wz += z;
    predictTurn(dt, inertia, inverse, motion);
  }
}

const MEAN: usize = memory.data(32);

/** The same for one body, from the spin at `spin` that it shall begin to turn with. */
export function turnMotion(body: i32, spin: usize): void {
  wx = load<f64>(spin);
  wy = load<f64>(spin, 8);
  wz = load<f64>(spin, 16);
  if (!turnsFreely(body, squareOf(spin))) return;
  R.loadRotation(column(BODY_ROTATION), body);
  const inertia = row(BODY_LOCAL_INERTIA, body, 64);
  predictTurn(parameter(TIME_STEP), inertia, row(BODY_LOCAL_INVERSE_INERTIA, body, 64), row(BODY_MOTION, body, 64));
}

function turnsFreely(body: i32, square: f64): bool {
  if (!(square * parameter(TIME_STEP) * parameter(TIME_STEP) > SMALL_TURN * SMALL_TURN)) return false;
  const flags = getI32(column(BODY_FLAGS), body);
  if ((flags & BODY_DYNAMIC) == 0 || (flags & BODY_LOCKS) != 0) return false;
  return Spin.isAnisotropic(row(BODY_LOCAL_INERTIA, body, 64));
}

function squareOf(v: usize): f64 {
  return load<f64>(v) * load<f64>(v) + load<f64>(v, 8) * load<f64>(v, 8) + load<f64>(v, 16) * load<f64>(v, 16);
}

/** Torque-free turn over dt from the world spin in wx, wy, wz: writes the mean spin to `motion`. */
function predictTurn(dt: f64, local: usize, inverse: usize, motion: usize): void {
  const ax = R.r00 * wx + R.r10 * wy + R.r20 * wz;
  const ay = R.r01 * wx + R.r11 * wy + R.r21 * wz;
  const az = R.r02 * wx + R.r12 * wy + R.r22 * wz;
  Spin.turnFreely(dt, local, inverse, ax, ay, az);
  const mx = Spin.turnX / dt;
  const my = Spin.turnY / dt;
  const mz = Spin.turnZ / dt;
  store<f64>(motion, R.r00 * mx + R.r01 * my + R.r02 * mz, 32);
  store<f64>(motion, R.r10 * mx + R.r11 * my + R.r12 * mz, 40);
  store<f64>(motion, R.r20 * mx + R.r21 * my + R.r22 * mz, 48);
}

function clampSpin(): void {
  const limit = parameter(MAXIMUM_SPIN);
  const spin = wx * wx + wy * wy + wz * wz;
  if (spin <= limit * limit) return;
  const k = limit / sqrt(spin);
  wx *= k;
  wy *= k;
  wz *= k;
}

function predictKinematic(body: i32, flags: i32): void {
  const dt = parameter(TIME_STEP);
  const linear = row(BODY_LINEAR_VELOCITY, body, 32);
  const angular = row(BODY_ANGULAR_VELOCITY, body, 32);
  const change = row(BODY_VELOCITY_CHANGE, body, 64);
  const motion = row(BODY_MOTION, body, 64);
  if (flags & BODY_HAS_TARGET) {
    const from = row(BODY_POSITION, body, 32);
    const to = row(BODY_TARGET_POSITION, body, 32);
    for (let k: usize = 0; k < 24; k += 8) store<f64>(linear + k, (load<f64>(to + k) - load<f64>(from + k)) / dt);
    R.rotationBetween(row(BODY_ROTATION, body, 32), row(BODY_TARGET_ROTATION, body, 32));
    store<f64>(angular, R.vx / dt);
    store<f64>(angular, R.vy / dt, 8);
    store<f64>(angular, R.vz / dt, 16);
    memory.copy(change, linear, 24);
    memory.copy(change + 32, angular, 24);
  } else {
    if (memory.compare(change, linear, 24) == 0 && memory.compare(change + 32, angular, 24) == 0) {
      memory.fill(linear, 0, 24);
      memory.fill(angular, 0, 24);
    }
    memory.fill(change, 0, 64);
  }
  memory.copy(motion, linear, 24);
  memory.copy(motion + 32, angular, 24);
}

/** Moves the poses of all awake bodies but those in islands of the sweeps, which move in substeps. */
export function integrateMotion(): void {
  const dt = parameter(TIME_STEP);
  const list = column(AWAKE_LIST);
  const flags = column(BODY_FLAGS);
  const islands = column(BODY_ISLAND);
  const solvers = column(ISLAND_SOLVER);
  const rotation = column(BODY_ROTATION);
  for (let i = cell(AWAKE_COUNT) - 1; i >= 0; i--) {
    const body = getI32(list, i);
    const bits = getI32(flags, body);
    if (bits & BODY_HAS_TARGET) {
      memory.copy(row(BODY_POSITION, body, 32), row(BODY_TARGET_POSITION, body, 32), 24);
      memory.copy(rotation + ((<usize>body) << 5), row(BODY_TARGET_ROTATION, body, 32), 32);
      R.expRotation(0, 0, 0);
      R.turnRotation(rotation, body);
      setI32(flags, body, bits & ~BODY_HAS_TARGET);
    } else {
      const island = bits & BODY_DYNAMIC ? getI32(islands, body) : -1;
      if (island < 0 || getI32(solvers, island) != ISLAND_SWEEPS) {
        const position = row(BODY_POSITION, body, 32);
        const motion = row(BODY_MOTION, body, 64);
        for (let k: usize = 0; k < 24; k += 8) {
          store<f64>(position + k, load<f64>(position + k) + dt * load<f64>(motion + k));
        }
        R.expRotation(dt * load<f64>(motion, 32), dt * load<f64>(motion, 40), dt * load<f64>(motion, 48));
        R.turnRotation(rotation, body);
      }
    }
    if (isBad(body)) quarantine(body);
  }
}

/** Whether a number of the pose, velocity or force is NaN or infinite (x − x is 0 for finite x only). */
function isBad(body: i32): bool {
  const at = (<usize>body) << 5;
  let sum: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) {
    const v = load<f64>(column(BODY_LINEAR_VELOCITY) + at + k);
    const w = load<f64>(column(BODY_ANGULAR_VELOCITY) + at + k);
    const f = load<f64>(column(BODY_FORCE) + at + k);
    const t = load<f64>(column(BODY_TORQUE) + at + k);
    sum += v - v + (w - w) + (f - f) + (t - t);
  }
  return !(sum == 0) || isPoseBad(body);
}

function isPoseBad(body: i32): bool {
  const at = (<usize>body) << 5;
  let sum: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) {
    const p = load<f64>(column(BODY_POSITION) + at + k);
    sum += p - p;
  }
  for (let k: usize = 0; k < 32; k += 8) {
    const q = load<f64>(column(BODY_ROTATION) + at + k);
    sum += q - q;
  }
  return !(sum == 0);
}

/** Stops a body whose numbers went bad at its last good pose and takes it out of the simulation. */
function quarantine(body: i32): void {
  if (isPoseBad(body)) {
    memory.copy(row(BODY_POSITION, body, 32), row(BODY_PREVIOUS_POSITION, body, 32), 32);
    memory.copy(row(BODY_ROTATION, body, 32), row(BODY_PREVIOUS_ROTATION, body, 32), 32);
  }
  memory.fill(row(BODY_LINEAR_VELOCITY, body, 32), 0, 32);
  memory.fill(row(BODY_ANGULAR_VELOCITY, body, 32), 0, 32);
  memory.fill(row(BODY_FORCE, body, 32), 0, 32);
  memory.fill(row(BODY_TORQUE, body, 32), 0, 32);
  memory.fill(row(BODY_VELOCITY_CHANGE, body, 64), 0, 64);
  memory.fill(row(BODY_MOTION, body, 64), 0, 64);
  const rotation = row(BODY_ROTATION, body, 32);
  // A body that was never good has no previous rotation.
  if (load<f64>(rotation) == 0 && load<f64>(rotation, 8) == 0 && load<f64>(rotation, 16) == 0) {
    store<f64>(rotation, 1, 24);
  }
  const flags = column(BODY_FLAGS);
  setI32(flags, body, getI32(flags, body) | BODY_QUARANTINED);
  setI32(column(BODY_ISLAND), body, -1);
  const count = cell(QUARANTINE_COUNT);
  setI32(column(QUARANTINE_LIST), count, body);
  setCell(QUARANTINE_COUNT, count + 1);
  if (getI32(column(BODY_AWAKE_INDEX), body) >= 0) leaveAwakeList(body);
}

/** Address of a body's row in the column whose header cell is given. */
function row(cellOfColumn: i32, body: i32, bytes: i32): usize {
  return column(cellOfColumn) + <usize>(body * bytes);
}
