// Joints of bodies that are solved together with strands, sheets and solids: rows of the elastic problem, so that what
// lies on a body sees what holds it. What these rows did there is taken off what the joints may do afterwards.

import type { BodyRow } from '../../solvers/admm/joint-rows';
import { IMPULSE_NUMBERS, jointImpulseAt } from '../../state/joint-places';
import type { Engine } from '../engine';
import { attainTargets, isAttainable } from './attain-targets';
import { assembleJoints, assembleRows, bends, type JointRows, writeJointTerms } from './joint-rows';
import { hasLoops } from './loops';

/** Impulses of joints in this step's elastic solve, by 18·joint + 3·block + axis; and the places of its rows. */
interface Shared {
  done: Float64Array;
  places: Int32Array;
  count: number;
  /** Fastest that motors and springs aim at [m/s], or [rad/s] on arms of a metre. */
  drive: number;
}

const shares = new WeakMap<Engine, Shared>();

const row: BodyRow = {
  bodies: new Int32Array(2),
  lever: new Float64Array(12),
  bias: 0,
  soft: 0,
  low: 0,
  high: 0,
};

function sharedOf(engine: Engine): Shared {
  let shared = shares.get(engine);
  if (!shared) {
    shared = { done: new Float64Array(0), places: new Int32Array(0), count: 0, drive: 0 };
    shares.set(engine, shared);
  }
  return shared;
}

/** Before the islands of a step give their rows. */
export function openShared(engine: Engine): void {
  const shared = sharedOf(engine);
  shared.count = 0;
  shared.drive = 0;
  const room = IMPULSE_NUMBERS * engine.tables.joints.kind.length;
  if (shared.done.length < room) shared.done = new Float64Array(room);
  else shared.done.fill(0);
}

/** Hands out the rows of an island's joints with slots of bodies, −1: the world. `take` may write to what it gets. */
export function giveRows(engine: Engine, island: number, rows: JointRows, take: (row: BodyRow) => void): void {
  const { joints } = engine.tables;
  const shared = sharedOf(engine);
  const h = engine.settings.timeStep;
  const isLooped = hasLoops(engine, island);
  const isAimed = isLooped && isAttainable(engine, island);
  if (isAimed) {
    assembleJoints(engine, island, rows, false);
    writeJointTerms(engine, rows, false);
    attainTargets(engine, rows, false, 0);
  } else assembleRows(engine, island, rows, false, false);
  const { problem, bodyA, bodyB, frame, armA, armB } = rows.contacts;
  for (let c = 0; c < problem.contactCount; c++) {
    const [slotA, slotB] = [joints.body[2 * rows.joint[c]], joints.body[2 * rows.joint[c] + 1]];
    for (let i = 0; i < 3; i++) {
      const at = 3 * c + i;
      row.low = rows.low[at];
      row.high = rows.high[at];
      if (row.low === 0 && row.high === 0) continue;
      row.bodies[0] = slotA < 0 ? -1 : bodyA[c];
      row.bodies[1] = slotB < 0 ? -1 : bodyB[c];
      row.bias = rows.aim[at];
      if (bends(rows, at)) {
        const holds = row.low === Number.NEGATIVE_INFINITY && row.high === Number.POSITIVE_INFINITY;
        // Rows of loops may contradict each other in what they aim at, and would pull at bodies without bound; that
        // none moves they can always do together, and it takes energy away only.
        if (holds && isLooped) row.bias = isAimed ? problem.b[at] - rows.contacts.free[at] : 0;
        else row.bias += joints.bend[6 * rows.joint[c] + 3 * (rows.block[c] & 1) + i] / h;
      }
      row.soft = rows.soft[at];
      if (row.soft > 0 || !bends(rows, at)) shared.drive = Math.max(shared.drive, Math.abs(row.bias));
      for (let k = 0; k < 3; k++) {
        row.lever[k] = -frame[3 * at + k];
        row.lever[3 + k] = -armA[3 * at + k];
        row.lever[6 + k] = frame[3 * at + k];
        row.lever[9 + k] = armB[3 * at + k];
      }
      take(row);
      if (shared.places.length <= shared.count) {
        const grown = new Int32Array(2 * shared.count + 64);
        grown.set(shared.places);
        shared.places = grown;
      }
      shared.places[shared.count++] = jointImpulseAt(rows.joint[c], rows.block[c]) + i;
    }
  }
}

/** What the rows did: in the order in which they were given, from place `first` of `impulse` on. */
export function noteShared(engine: Engine, impulse: Float64Array, first: number): void {
  const { done, places, count } = sharedOf(engine);
  for (let k = 0; k < count; k++) done[places[k]] = impulse[first + k];
}

/** Fastest that a motor or spring of the rows aims at [m/s]; about an axis [rad/s], on arms of a metre. */
export function driveOf(engine: Engine): number {
  return sharedOf(engine).drive;
}

/** The island's bodies were given only a share of what its rows did. */
export function easeShared(engine: Engine, island: number, share: number): void {
  const { done } = sharedOf(engine);
  const { islandJointStart, islandJointCount } = engine.tables.bodies;
  const { islandJoints } = engine.tables.joints;
  const end = islandJointStart[island] + islandJointCount[island];
  for (let i = islandJointStart[island]; i < end; i++) {
    const from = jointImpulseAt(islandJoints[i], 0);
    for (let k = from; k < from + IMPULSE_NUMBERS; k++) done[k] *= share;
  }
}

/** The island's joint rows, whose velocities have in them what was done: what is left to do. */
export function takeOffDone(engine: Engine, rows: JointRows): void {
  const { problem, r } = rows.contacts;
  for (let c = rows.contacts.touchCount; c < problem.contactCount; c++) {
    for (let i = 0; i < 3; i++) {
      const at = 3 * c + i;
      const done = doneOf(engine, rows, c, i);
      if (done === 0) continue;
      rows.low[at] -= done;
      rows.high[at] -= done;
      (problem.low as Float64Array)[at] = rows.low[at];
      (problem.high as Float64Array)[at] = rows.high[at];
      rows.aim[at] += rows.soft[at] * done;
      r[at] = Math.min(Math.max(r[at] - done, rows.low[at]), rows.high[at]);
    }
  }
}

/** Impulses of both: `total` = r and what was done before. */
export function addDone(engine: Engine, rows: JointRows, r: Float64Array, total: Float64Array): void {
  const { problem, touchCount } = rows.contacts;
  for (let c = touchCount; c < problem.contactCount; c++)
    for (let i = 0; i < 3; i++) total[3 * c + i] = r[3 * c + i] + doneOf(engine, rows, c, i);
}

function doneOf(engine: Engine, rows: JointRows, c: number, i: number): number {
  const { done } = sharedOf(engine);
  return done.length === 0 ? 0 : done[jointImpulseAt(rows.joint[c], rows.block[c]) + i];
}
