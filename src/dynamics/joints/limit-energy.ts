// The last word on jointed bodies: joints and contacts give an island no energy, but for what drives it.
//
// Joints that contradict what they touch (a game moves a bone of a doll under the ground) or each other, bodies that
// turn by radians in a step: such a step has no answer, and what a solve ends with may be a thousand times the energy
// that there was, more in every step. An island with so much gets its impulses only in part, all by one share: momentum
// is kept, joints stay open by more, which the report tells. What went well is not touched.
//
// In: velocities before a solve, and after it. Out: BODY_LINEAR_VELOCITY, BODY_ANGULAR_VELOCITY, BODY_MOTION, residual.

import { JOINT_SPEED } from '../../core/elastic-constants';
import { DRIVEN_GAIN } from '../../core/engine-constants';
import { rotationalEnergy } from '../../mechanics/rigid';
import { ANGULAR } from '../../state/contact-places';
import { jointFrameAt } from '../../state/joint-places';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import { shareWithin } from '../share-within';
import { bends, type JointRows } from './joint-rows';

/** Energy may grow to so many times what was there: where bodies turn far in a step, what bends does some work [-]. */
const ENERGY_GAIN = 1.05;

/**
 * So many times as fast as a body that is moved may an island become by it [-]. Its light limbs may still be some times
 * as fast as that.
 */
const MOVED_GAIN = 3;

/** Velocity and spin of the island's bodies before its solve, 8 numbers a body as in BODY_MOTION. */
let free = new Float64Array(0);
const spin = new Float64Array(3);

/** Keeps the velocities of an island before its solve. */
export function keepFree({ tables }: Engine, island: number): void {
  const { islandBodies, islandBodyStart, islandBodyCount, linearVelocity, angularVelocity } = tables.bodies;
  const count = islandBodyCount[island];
  if (free.length < 8 * count) free = new Float64Array(16 * count);
  for (let i = 0; i < count; i++) {
    const at = 4 * islandBodies[islandBodyStart[island] + i];
    for (let k = 0; k < 3; k++) {
      free[8 * i + k] = linearVelocity[at + k];
      free[8 * i + ANGULAR + k] = angularVelocity[at + k];
    }
  }
}

/** Kinetic energy of the island by its velocities times `solved` and those before times `before` [J]. */
function energyOf({ tables }: Engine, island: number, solved: number, before: number): number {
  const { bodies } = tables;
  const { islandBodies, islandBodyStart, islandBodyCount } = bodies;
  const { linearVelocity: v, angularVelocity: w, inverseMass, rotation, localInertia } = bodies;
  const start = islandBodyStart[island];
  let sum = 0;
  for (let i = 0; i < islandBodyCount[island]; i++) {
    const body = islandBodies[start + i];
    const k = 4 * body;
    const f = 8 * i;
    const x = solved * v[k] + before * free[f];
    const y = solved * v[k + 1] + before * free[f + 1];
    const z = solved * v[k + 2] + before * free[f + 2];
    for (let a = 0; a < 3; a++) spin[a] = solved * w[k + a] + before * free[f + ANGULAR + a];
    sum += (0.5 * (x * x + y * y + z * z)) / inverseMass[body];
    sum += rotationalEnergy(rotation, spin, localInertia, k, 8 * body);
  }
  return sum;
}

/** How far a body of the island may be from one that its joints hold, all of them stretched out [m]. */
function reachOf({ tables }: Engine, island: number, position: Float64Array, at: number): number {
  const { bodies, joints } = tables;
  let reach = 0;
  const first = bodies.islandBodyStart[island];
  for (let i = first; i < first + bodies.islandBodyCount[island]; i++) {
    reach = Math.max(reach, distanceOf(bodies.position, 4 * bodies.islandBodies[i], position, at));
  }
  // Joints that are open make no longer arms: what flies off would be taken for what drives.
  let arms = 0;
  const start = bodies.islandJointStart[island];
  for (let i = start; i < start + bodies.islandJointCount[island]; i++) {
    const joint = joints.islandJoints[i];
    if (!holdsPlace(joints.modes[joint])) return reach;
    for (const k of [jointFrameAt(joint, 0), jointFrameAt(joint, 1)]) arms += lengthAt(joints.frame, k);
  }
  return Math.min(reach, arms);
}

/** Whether a joint lets its places part along no axis. */
function holdsPlace(modes: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (((modes >> (L.AXIS_BITS * axis)) & L.AXIS_HOLD) !== L.AXIS_LOCKED) return false;
  }
  return true;
}

function distanceOf(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return Math.sqrt((a[i] - b[j]) ** 2 + (a[i + 1] - b[j + 1]) ** 2 + (a[i + 2] - b[j + 2]) ** 2);
}

/** Fastest that bodies of an island may become by what is moved and holds or touches them, or by motors [m/s]. */
function driveOf(engine: Engine, island: number, rows: JointRows): number {
  const { bodies, pairs } = engine.tables;
  const { contacts: a } = rows;
  let fastest = 0;
  const noteMoved = (body: number): void => {
    if (body < 0 || (bodies.flags[body] & L.BODY_KINEMATIC) === 0) return;
    const [v, w] = [bodies.linearVelocity, bodies.angularVelocity].map((x) => lengthAt(x, 4 * body));
    const reached = v + (w > 0 ? w * reachOf(engine, island, bodies.position, 4 * body) : 0);
    fastest = Math.max(fastest, MOVED_GAIN * reached);
  };
  const start = bodies.islandPairStart[island];
  for (let i = start; i < start + bodies.islandPairCount[island]; i++) {
    const pair = pairs.islandPairs[i];
    if (pairs.points[pair] === 0) continue;
    noteMoved(pairs.bodyA[pair]);
    noteMoved(pairs.bodyB[pair]);
  }
  for (let c = a.touchCount; c < a.problem.contactCount; c++) {
    noteMoved(a.bodyA[c]);
    noteMoved(a.bodyB[c]);
    for (let row = 3 * c; row < 3 * c + 3; row++) {
      if (bends(rows, row) || rows.soft[row] > 0 || rows.kept[row] === 0) continue;
      const isTurning = (rows.block[c] & 1) === 1;
      const arm = isTurning ? reachOf(engine, island, bodies.position, 4 * a.bodyA[c]) : 1;
      fastest = Math.max(fastest, DRIVEN_GAIN * arm * Math.abs(rows.kept[row]));
    }
  }
  return fastest;
}

function lengthAt(v: Float64Array, i: number): number {
  return Math.sqrt(v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2]);
}

/** What springs of joints hold [J]: ½ c²/s of a row C v + c + s μ = 0. */
function springEnergy(rows: JointRows): number {
  let energy = 0;
  for (let row = 3 * rows.contacts.touchCount; row < 3 * rows.contacts.problem.contactCount; row++) {
    if (rows.soft[row] > 0) energy += (0.5 * rows.kept[row] * rows.kept[row]) / rows.soft[row];
  }
  return energy;
}

/** Takes back what a solve gave an island beyond the energy that was there. `rows`: as the solve left them. */
export function limitEnergy(engine: Engine, island: number, rows: JointRows): void {
  const { bodies } = engine.tables;
  const before = energyOf(engine, island, 0, 1);
  const solved = energyOf(engine, island, 1, 0);
  let mass = 0;
  const first = bodies.islandBodyStart[island];
  const count = bodies.islandBodyCount[island];
  for (let i = first; i < first + count; i++) mass += 1 / bodies.inverseMass[bodies.islandBodies[i]];
  // Mostly this alone says that there is nothing to do.
  const own = ENERGY_GAIN * before + 0.5 * mass * JOINT_SPEED * JOINT_SPEED;
  if (solved <= own) return;
  const speed = driveOf(engine, island, rows);
  const most = Math.max(own, 0.5 * mass * speed * speed) + springEnergy(rows);
  if (solved <= most) return;
  const share = shareWithin(before, solved, energyOf(engine, island, 1, -1), most);
  let lost = 0;
  const ease = (column: Float64Array, at: number, was: number): void => {
    const change = column[at] - was;
    column[at] = share > 0 ? was + share * change : was;
    lost = Math.max(lost, Number.isFinite(change) ? (1 - share) * Math.abs(change) : 0);
  };
  for (let i = 0; i < count; i++) {
    const body = bodies.islandBodies[first + i];
    for (let k = 0; k < 3; k++) {
      ease(bodies.linearVelocity, 4 * body + k, free[8 * i + k]);
      ease(bodies.angularVelocity, 4 * body + k, free[8 * i + ANGULAR + k]);
      ease(bodies.motion, 8 * body + k, free[8 * i + k]);
      ease(bodies.motion, 8 * body + ANGULAR + k, free[8 * i + ANGULAR + k]);
    }
  }
  bodies.islandResidual[island] = Math.max(bodies.islandResidual[island], lost);
  tellEased(engine, island);
}

/** What was told in the step at hand: the island named, how many, and where in `report.limits`. Of the report only. */
interface Told {
  readonly named: string;
  readonly at: number;
  islands: number;
  text: string;
}

const told = new WeakMap<Engine, Told>();

/** Tells of islands that kept part of their impulses only: all of a step in one line, which names the first. */
function tellEased(engine: Engine, island: number): void {
  const { limits } = engine.report;
  let line = told.get(engine);
  // What was told in an earlier step is gone from the report.
  if (!line || limits[line.at] !== line.text) {
    const { entity, islandBodies, islandBodyStart, islandBodyCount } = engine.tables.bodies;
    const first = entity[islandBodies[islandBodyStart[island]]];
    const named = `the island of entity ${first}, ${islandBodyCount[island]} bodies on joints,`;
    line = { named, at: limits.length, islands: 0, text: '' };
    told.set(engine, line);
  }
  line.islands++;
  const others = line.islands - 1;
  const isOne = others === 0;
  line.text =
    `${line.named} ${isOne ? '' : `and ${others} more `}got only part of ${isOne ? 'its' : 'their'} impulses, which ` +
    `would have given ${isOne ? 'it' : 'them'} energy: joints contradict each other or what the game moves, or ` +
    'bodies turn too far in a step; a smaller timeStep helps';
  limits[line.at] = line.text;
}
