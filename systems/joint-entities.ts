// Keeps the engine's joints in step with the ECS: entities that come and go, columns that the game writes, bodies that
// go or are made anew under a joint, joints that break.

import { written } from '../components/columns';
import type { Engine } from '../src/dynamics/engine';
import { breakJoint, destroyJoint, jointsOfBody, rebaseJoints, touchJoint } from '../src/dynamics/joints/joint-table';
import { keepTwist, measureJoint, storeTurns } from '../src/dynamics/joints/measure-joint';
import { createJointPose } from '../src/mechanics/joint/frames';
import { REACTION_APART, REACTION_TORQUE, REACTION_TURNED, STRENGTH_TORQUE } from '../src/state/contact-places';
import { jointAxisAt } from '../src/state/joint-places';
import * as L from '../src/state/layout';
import { LARGEST_MOTOR } from '../src/state/limits';
import { dropEntity, setTag } from './ecs-changes';
import { CONE_AXIS, MAIN_AXIS, modesOf } from './joint-spec';
import type { Physics, StepModule } from './physics';
import { tellIgnored, warnOfLargeAngle } from './warnings';

const pose = createJointPose();
const values = new Float64Array(6);

/** Makes and removes the joints noted since the last time. Bodies have been made before. */
function flushJoints(physics: Physics): void {
  const { joints: state, engine } = physics.internal;
  if (state.removed.length === 0 && state.pending.size === 0) return;
  for (const { slot, entity } of state.removed.splice(0)) {
    if (engine.tables.joints.entity[slot] === 0) destroyJoint(engine, slot);
    setTag(physics, entity, physics.components.Broken, false);
  }
  for (const [eid, make] of [...state.pending]) {
    state.pending.delete(eid);
    make();
  }
}

/** A body is about to go: its joints go too, and the report says so. */
function releaseFromBody(physics: Physics, slot: number): void {
  const { joints: state, engine, notes } = physics.internal;
  const entities: number[] = [];
  for (const joint of jointsOfBody(engine, slot)) {
    const eid = engine.tables.joints.entity[joint];
    destroyJoint(engine, joint);
    if (eid === 0) continue;
    state.slotOf[eid] = -1;
    entities.push(eid);
    notes.push(`Joint of entity ${eid}: one of its bodies was removed; the joint is removed, too`);
  }
  for (const eid of entities) dropEntity(physics, eid);
}

function holdersOf(physics: Physics, slot: number): readonly number[] {
  return jointsOfBody(physics.internal.engine, slot);
}

/** A body was made anew in slot `to`, −1 when it could not be; its centre of mass was at `center`. */
function followBody(physics: Physics, from: number, to: number, center: Float64Array, joints: readonly number[]): void {
  const { engine } = physics.internal;
  if (to < 0) {
    for (const joint of joints) {
      const eid = engine.tables.joints.entity[joint];
      destroyJoint(engine, joint);
      if (eid !== 0) dropEntity(physics, eid);
    }
    return;
  }
  const shift = new Float64Array(3);
  for (let k = 0; k < 3; k++) shift[k] = engine.tables.bodies.center[4 * to + k] - center[k];
  rebaseJoints(engine, joints, from, to, shift);
}

/** Columns by which a game changes a joint, in the numbers of its main axis; those of a joint as a whole apart. */
const LIVE = [
  ['limitLow', L.AXIS_LOW],
  ['limitHigh', L.AXIS_HIGH],
  ['motorVelocity', L.AXIS_VELOCITY],
  ['motorTarget', L.AXIS_TARGET],
  ['motorForce', L.AXIS_FORCE],
  ['springFrequency', L.AXIS_FREQUENCY],
  ['springDamping', L.AXIS_RATIO],
  ['friction', L.AXIS_FRICTION],
] as const;

const STRENGTHS = ['breakForce', 'breakTorque'] as const;

/** The columns of LIVE: by name for each joint they took most of the time. */
const live: Float64Array[] = [];

/** Looks them up: once a step, and where `settings.warn` has stepped another world or added entities. */
function findColumns({ components: { Joint } }: Physics): void {
  for (let k = 0; k < LIVE.length; k++) live[k] = Joint[LIVE[k][0]];
}

/** Takes over what the game wrote to the columns of joints. */
function copyInJoints(physics: Physics): void {
  const { engine } = physics.internal;
  const { joints } = engine.tables;
  const count = engine.arena.i32[L.JOINT_COUNT >> 2];
  for (let slot = 0; slot < count; slot++) {
    const eid = joints.entity[slot];
    if (eid === 0 || !(joints.flags[slot] & L.JOINT_ALIVE)) continue;
    if (readLive(physics, slot, eid)) touchJoint(engine, slot);
  }
}

function readLive(physics: Physics, slot: number, eid: number): boolean {
  const { Joint } = physics.components;
  const { axes, kind, strength } = physics.internal.engine.tables.joints;
  const main = MAIN_AXIS[kind[slot]];
  let isChanged = false;
  if (live[0] !== Joint.limitLow) findColumns(physics);
  if (main >= 0) {
    const at = jointAxisAt(slot, main);
    for (let k = 0; k < LIVE.length; k++) {
      const [name, offset] = LIVE[k];
      const value = live[k][eid];
      if (Object.is(value, axes[at + offset])) continue;
      const expectation = expectNumber(name, value, axes[at + L.AXIS_LOW], mostOf(Joint.limitHigh[eid], axes, at));
      if (expectation === null) {
        axes[at + offset] = name === 'motorForce' ? Math.min(value, LARGEST_MOTOR) : value;
        if (main >= 3 && offset <= L.AXIS_HIGH) warnOfLargeAngle(physics, `Joint.${name} of entity ${eid}`, value);
        isChanged = true;
      } else tellIgnored(physics, `Joint.${name}`, eid, `${expectation}; the one before stays`, value);
      Joint[name][eid] = axes[at + offset];
      findColumns(physics);
    }
  }
  const cone = jointAxisAt(slot, CONE_AXIS) + L.AXIS_HIGH;
  if (kind[slot] === L.JOINT_BALL && Joint.cone[eid] !== axes[cone]) {
    if (Joint.cone[eid] > 0) {
      axes[cone] = Joint.cone[eid];
      warnOfLargeAngle(physics, `Joint.cone of entity ${eid}`, axes[cone]);
      isChanged = true;
    } else tellIgnored(physics, 'Joint.cone', eid, 'must be > 0 [rad]; the one before stays', Joint.cone[eid]);
    Joint.cone[eid] = axes[cone];
  }
  for (let k = 0; k < 2; k++) {
    const name = STRENGTHS[k];
    if (Joint[name][eid] === strength[2 * slot + k]) continue;
    if (Joint[name][eid] > 0) strength[2 * slot + k] = Joint[name][eid];
    else tellIgnored(physics, `Joint.${name}`, eid, 'must be > 0; the one before stays', Joint[name][eid]);
    Joint[name][eid] = strength[2 * slot + k];
  }
  if (isChanged) renewModes(physics.internal.engine, slot);
  return isChanged;
}

/** The upper limit that will hold: the one written, or where that is no number the one before. */
function mostOf(written: number, axes: Float64Array, at: number): number {
  return Number.isNaN(written) ? axes[at + L.AXIS_HIGH] : written;
}

/** `low`: the lower limit that holds by now; `high`: the upper one that is about to. */
function expectNumber(name: string, value: number, low: number, high: number): string | null {
  if (name === 'motorTarget')
    return value === Number.POSITIVE_INFINITY || value === -Infinity ? 'must be finite' : null;
  if (Number.isNaN(value)) return 'must be a number';
  if (name === 'limitLow' && value === Number.POSITIVE_INFINITY) return 'must be below infinity';
  if (name === 'limitLow') return value > high ? `must be at most limitHigh, ${high}` : null;
  if (name === 'limitHigh') return value < low ? `must be at least limitLow, ${low}` : null;
  if (name === 'motorVelocity') return Number.isFinite(value) ? null : 'must be finite';
  if (name === 'motorForce') return value >= 0 ? null : 'must be >= 0';
  return value >= 0 && value < Number.POSITIVE_INFINITY ? null : 'must be finite and >= 0';
}

/** Bits of what the axes do, after their numbers changed; a free axis that got a limit is limited. */
export function renewModes(engine: Engine, slot: number): void {
  const { axes, kind, modes } = engine.tables.joints;
  const own = axes.subarray(jointAxisAt(slot, 0), jointAxisAt(slot + 1, 0));
  const holds: number[] = [];
  for (let axis = 0; axis < 6; axis++) {
    let hold = (modes[slot] >> (L.AXIS_BITS * axis)) & L.AXIS_HOLD;
    const at = L.AXIS_NUMBERS * axis;
    const isOpen =
      own[at + L.AXIS_LOW] === Number.NEGATIVE_INFINITY && own[at + L.AXIS_HIGH] === Number.POSITIVE_INFINITY;
    const isMain = axis === MAIN_AXIS[kind[slot]] || (kind[slot] === L.JOINT_BALL && axis === CONE_AXIS);
    if (isMain) hold = isOpen ? L.AXIS_FREE : L.AXIS_LIMITED;
    holds.push(hold);
  }
  modes[slot] = modesOf(own, holds);
}

/** Where the axes of a joint stand now, whole turns counted; six numbers, reused. */
export function currentAxes(engine: Engine, slot: number): Float64Array {
  const { bodies } = engine.tables;
  measureJoint(engine, slot, bodies, null, pose, values);
  return values;
}

/** A joint that is farther from where it holds than this is told of [m, rad]. */
const TOLD_ERROR = 0.01;

/** Names the joint that is farthest from where it holds, if that is worth telling. */
function tellOpen(physics: Physics): void {
  const { engine } = physics.internal;
  const { joints } = engine.tables;
  let worst = -1;
  let most = TOLD_ERROR;
  for (let slot = 0; slot < engine.arena.i32[L.JOINT_COUNT >> 2]; slot++) {
    if ((joints.flags[slot] & (L.JOINT_ALIVE | L.JOINT_BROKEN)) !== L.JOINT_ALIVE || joints.entity[slot] === 0)
      continue;
    const error = Math.max(joints.reaction[8 * slot + REACTION_APART], joints.reaction[8 * slot + REACTION_TURNED]);
    if (error <= most) continue;
    worst = slot;
    most = error;
  }
  if (worst < 0) return;
  const unit = joints.reaction[8 * worst + REACTION_APART] === most ? 'm' : 'rad';
  engine.report.limits.push(
    `joint ${joints.entity[worst]} is ${most.toPrecision(3)} ${unit} from where it should be: it was hit too hard ` +
      'for one step or, if it stays so, joints contradict each other or bear more than a million times what they join',
  );
}

/** Forces and places to the columns; what bore too much breaks now. */
function copyOutJoints(physics: Physics): void {
  const { engine } = physics.internal;
  const { joints } = engine.tables;
  const broken: number[] = [];
  const count = engine.arena.i32[L.JOINT_COUNT >> 2];
  for (let slot = 0; slot < count; slot++) {
    const flags = joints.flags[slot];
    if (!(flags & L.JOINT_ALIVE)) continue;
    const eid = joints.entity[slot];
    if (flags & L.JOINT_BROKEN) {
      // The force that broke it was told in that step: from then on it bears none.
      joints.reaction.fill(0, 8 * slot, 8 * slot + 8);
      if (eid !== 0) writeReaction(physics, slot, eid);
      continue;
    }
    storeTurns(engine, slot);
    if (eid !== 0) writeColumns(physics, slot, eid);
    if (!(flags & L.JOINT_BREAKS)) continue;
    breakJoint(engine, slot);
    engine.report.joints.broken++;
    if (eid !== 0) broken.push(eid);
  }
  if (engine.report.joints.error > TOLD_ERROR) tellOpen(physics);
  for (const eid of broken) setTag(physics, eid, physics.components.Broken, true);
}

function writeColumns(physics: Physics, slot: number, eid: number): void {
  const { engine } = physics.internal;
  const { joints } = engine.tables;
  const Joint = written(physics.components.Joint);
  const main = MAIN_AXIS[joints.kind[slot]];
  if (joints.kind[slot] === L.JOINT_BALL) Joint.value[eid] = keepTwist(engine, slot);
  else if (main >= 0) Joint.value[eid] = currentAxes(engine, slot)[main];
  writeReaction(physics, slot, eid);
}

function writeReaction(physics: Physics, slot: number, eid: number): void {
  const { reaction } = physics.internal.engine.tables.joints;
  const Joint = written(physics.components.Joint);
  const at = 8 * slot;
  Joint.force.x[eid] = reaction[at];
  Joint.force.y[eid] = reaction[at + 1];
  Joint.force.z[eid] = reaction[at + 2];
  Joint.error[eid] = Math.max(reaction[at + REACTION_APART], reaction[at + REACTION_TURNED]);
  Joint.torque.x[eid] = reaction[at + REACTION_TORQUE];
  Joint.torque.y[eid] = reaction[at + REACTION_TORQUE + 1];
  Joint.torque.z[eid] = reaction[at + REACTION_TORQUE + 2];
}

/** Columns that a game writes, from a joint's row. */
export function showJoint(physics: Physics, slot: number, eid: number): void {
  const { joints } = physics.internal.engine.tables;
  const { Joint } = physics.components;
  const main = MAIN_AXIS[joints.kind[slot]];
  if (main >= 0) {
    for (const [name, offset] of LIVE) Joint[name][eid] = joints.axes[jointAxisAt(slot, main) + offset];
  }
  Joint.cone[eid] = joints.axes[jointAxisAt(slot, CONE_AXIS) + L.AXIS_HIGH];
  Joint.breakForce[eid] = joints.strength[2 * slot];
  Joint.breakTorque[eid] = joints.strength[2 * slot + STRENGTH_TORQUE];
  writeColumns(physics, slot, eid);
}

/** After the memory and its entities were restored: who has which row, and what is broken. */
function restoreJoints(physics: Physics): void {
  const { engine, joints: state } = physics.internal;
  const { joints } = engine.tables;
  state.slotOf.fill(-1);
  for (let slot = 0; slot < engine.arena.i32[L.JOINT_COUNT >> 2]; slot++) {
    const eid = joints.entity[slot];
    if (!(joints.flags[slot] & L.JOINT_ALIVE) || eid === 0) continue;
    state.slotOf[eid] = slot;
    setTag(physics, eid, physics.components.Broken, (joints.flags[slot] & L.JOINT_BROKEN) !== 0);
  }
}

/** Gears mesh as their wheels stand when the joint is made. */
export function meshGear(engine: Engine, slot: number): void {
  const { joints } = engine.tables;
  const main = MAIN_AXIS[joints.kind[slot]];
  const axes = currentAxes(engine, slot);
  joints.value.set(axes, 6 * slot);
  const at = jointAxisAt(slot, main);
  joints.axes[at + L.AXIS_LOW] = joints.axes[at + L.AXIS_HIGH] = axes[main];
  renewModes(engine, slot);
}

/** All that a world does for its joints between bodies, after its other families: wheels and rods have moved on. */
export const jointModule = {
  name: 'joints',
  comesLast: true,
  flush: flushJoints,
  releaseFromBody,
  holdersOf,
  followBody,
  copyIn: copyInJoints,
  copyOut: copyOutJoints,
  restore: restoreJoints,
} satisfies StepModule;
