// Joints between bodies, or of a body with the world, as entities.

import { addEntity, entityExists, hasComponent, removeEntity } from 'bitecs';
import { written } from '../components/columns';
import { refuse, requireFinite, requireFlag, requireVector } from '../src/core/errors';
import { createJoint, frameOnBody, frameOnEntity, touchJoint } from '../src/dynamics/joints/joint-table';
import { jointSolver } from '../src/dynamics/joints/solve-joints';
import { multiplyQuaternion, normalizeQuaternion, unrotateVector } from '../src/math/quaternion';
import { jointAxisAt } from '../src/state/joint-places';
import { JOINT_TYPES } from '../src/state/joint-types';
import * as L from '../src/state/layout';
import { addSafely } from './ecs-changes';
import { ensureRow } from './entities';
import { isGoing, noteBirth } from './entity-lives';
import { currentAxes, jointModule, meshGear, renewModes, showJoint } from './joint-entities';
import {
  AXIS_NAMES,
  type AxisName,
  changeAxis,
  type JointAxis,
  type JointFrame,
  type JointSpec,
  modesOf,
  readJointNumbers,
  requireWay,
  turnToAxis,
  unitVector,
} from './joint-spec';
import { type Physics, refuseEntity, requirePhysics } from './physics';
import { slotOf } from './rigid-body';
import { requireBody } from './rod-spec';
import { addModules } from './step-modules';
import { warnOfDegrees, warnOfLargeAngle, warnOnce } from './warnings';

/**
 * Makes the systems of joints known to a world.
 * @internal
 */
export function enableJoints({ internal }: Physics): void {
  addModules(internal, [jointModule]);
  internal.engine.joints ??= jointSolver;
}

/**
 * Joins body `a` to body `b` or to the world and returns the joint's entity, with Joint: its columns may be watched
 * and, where they say so, written. The two bodies do not touch each other unless `collide`. The joint ends with
 * removeJoint, or when one of its bodies is removed; one that breaks gets the tag Broken. Throws UsageError.
 */
export function addJoint(physics: Physics, spec: JointSpec): number {
  const where = 'addJoint';
  requirePhysics(physics, where);
  if (typeof spec !== 'object' || spec === null) refuse(where, 'spec must be an object', spec);
  if (!JOINT_TYPES.includes(spec.type)) refuse(where, `type must be one of ${JOINT_TYPES.join(', ')}`, spec.type);
  if (spec.a === undefined) refuse(where, 'a must be the entity of a rigid body of this world', spec.a);
  const moving = requireBody(physics, where, 'a', spec.a);
  const other = requireBody(physics, where, 'b', spec.b === 0 ? undefined : spec.b);
  if (moving === other) refuse(where, 'b must be another body, not a', other);
  const slotA = slotOf(physics, moving, where);
  const slotB = other === 0 ? -1 : slotOf(physics, other, where);
  const collides = requireFlag(where, 'collide', spec.collide ?? false);
  const isGear = spec.type === 'gear' || spec.type === 'rack';
  if (isGear && other === 0) refuse(where, `b must be the entity of the other body of a ${spec.type} joint`, spec.b);
  const { frame, reach } = readFrames(physics, where, spec, slotB, slotA);
  const numbers = readJointNumbers(where, spec, reach);
  warnOfAngles(physics, where, numbers.axes, true);
  const { world, internal, components } = physics;
  enableJoints(physics);

  const eid = addEntity(world);
  noteBirth(physics, eid);
  // The row comes last: an observer may remove the entity, or bodies.
  if (!addSafely(world, eid, components.Joint)) return eid;
  ensureRow(physics, eid);
  const { Joint } = components;
  const columns = written(Joint);
  columns.type[eid] = JOINT_TYPES.indexOf(spec.type);
  columns.entityA[eid] = moving;
  columns.entityB[eid] = other;
  const make = () => {
    const bodyB = internal.slotOf[moving] ?? -1;
    const bodyA = other === 0 ? -1 : (internal.slotOf[other] ?? -1);
    if (bodyB < 0 || (other !== 0 && bodyA < 0)) {
      internal.notes.push(`Joint of entity ${eid}: one of its bodies is gone; no joint made`);
      return;
    }
    const slot = createJoint(internal.engine, { ...numbers, entity: eid, bodyA, bodyB, frame, collides });
    if (isGear) meshGear(internal.engine, slot);
    internal.joints.slotOf[eid] = slot;
    showJoint(physics, slot, eid);
    const { flags } = internal.engine.tables.bodies;
    if (!((flags[bodyB] | (bodyA < 0 ? 0 : flags[bodyA])) & L.BODY_DYNAMIC)) {
      const text = `joint ${eid} joins what no force moves: it has no effect until one of its bodies is dynamic`;
      warnOnce(physics, 'joint of what no force moves', text);
    }
  };
  // Within a step islands stand as they are: it counts from the next one.
  if (internal.stepping) internal.joints.pending.set(eid, make);
  else make();
  return eid;
}

/** Frames at `b`, then `a`, as the table has them, and how far their places are apart [m]. */
function readFrames(
  physics: Physics,
  where: string,
  spec: JointSpec,
  bodyB: number,
  bodyA: number,
): { frame: Float64Array; reach: number } {
  const { engine } = physics.internal;
  const { bodies } = engine.tables;
  const frame = new Float64Array(16);
  if (spec.frames !== undefined) {
    for (const key of ['anchor', 'anchors', 'axis', 'axis2'] as const) {
      if (spec[key] !== undefined) refuse(where, `${key} must not be given with frames`, spec[key]);
    }
    if (!Array.isArray(spec.frames) || spec.frames.length !== 2)
      refuse(where, 'frames must be two frames', spec.frames);
    frameOnEntity(engine, frame, 0, bodyB, readFrame(physics, where, 'frames[1]', spec.frames[1]));
    frameOnEntity(engine, frame, 8, bodyA, readFrame(physics, where, 'frames[0]', spec.frames[0]));
    return { frame, reach: 0 };
  }
  const home = bodies.position.slice(4 * bodyA, 4 * bodyA + 3);
  let onA: ArrayLike<number> = home;
  const isGear = spec.type === 'gear' || spec.type === 'rack';
  let onB: ArrayLike<number> = isGear ? bodies.position.slice(4 * bodyB, 4 * bodyB + 3) : home;
  if (spec.anchors !== undefined) {
    if (spec.anchor !== undefined) refuse(where, 'anchor must not be given with anchors', spec.anchor);
    if (!Array.isArray(spec.anchors) || spec.anchors.length !== 2)
      refuse(where, 'anchors must be two places', spec.anchors);
    onA = requireVector(where, 'anchors[0]', spec.anchors[0], 3, 'm');
    onB = requireVector(where, 'anchors[1]', spec.anchors[1], 3, 'm');
  } else if (spec.anchor !== undefined) onA = onB = requireVector(where, 'anchor', spec.anchor, 3, 'm');
  const isPlain = spec.axis === undefined && spec.type === 'six-axis';
  const turn = isPlain ? Float64Array.of(0, 0, 0, 1) : turnToAxis(where, 'axis', spec.axis ?? [0, 1, 0]);
  if (spec.type === 'universal' && spec.axis2 !== undefined) turnAbout(where, turn, spec);
  const world = new Float64Array(8);
  const second = spec.axis2 ?? (spec.type === 'gear' ? spec.axis : undefined) ?? [0, 1, 0];
  world.set(isGear ? turnToAxis(where, 'axis2', second) : turn, 4);
  world.set(Float64Array.from(onB), 0);
  frameOnBody(engine, frame, 0, bodyB, world);
  world.set(turn, 4);
  world.set(Float64Array.from(onA), 0);
  frameOnBody(engine, frame, 8, bodyA, world);
  if (isGear) frame[L.FRAME_RATIO] = requireRatio(where, spec.ratio);
  let square = 0;
  for (let k = 0; k < 3; k++) square += (onA[k] - onB[k]) ** 2;
  return { frame, reach: Math.sqrt(square) };
}

/** Limits in degrees; of a new joint targets, too: those of others may grow, turn by turn. */
function warnOfAngles(physics: Physics, where: string, axes: Float64Array, isNew: boolean): void {
  for (let axis = 3; axis < 6; axis++) {
    const at = L.AXIS_NUMBERS * axis;
    warnOfLargeAngle(physics, `${where}: a limit`, axes[at + L.AXIS_LOW]);
    warnOfLargeAngle(physics, `${where}: a limit`, axes[at + L.AXIS_HIGH]);
    if (isNew) warnOfLargeAngle(physics, `${where}: motor.target`, axes[at + L.AXIS_TARGET]);
  }
}

/** Ratio of a gear or rack: a number, not 0. */
function requireRatio(where: string, value: unknown): number {
  const ratio = requireFinite(where, 'ratio', value ?? 1, '- or m/rad');
  if (ratio === 0) refuse(where, 'ratio must not be 0', value);
  return ratio;
}

/** Turns a frame about its x until its y is the second axis of a universal joint. */
function turnAbout(where: string, turn: Float64Array, spec: JointSpec): void {
  const second = Float64Array.from(unitVector(where, 'axis2', spec.axis2));
  unrotateVector(second, 0, turn, 0, second, 0);
  if (Math.abs(second[0]) > 0.01) refuse(where, 'axis2 must be at a right angle to axis', spec.axis2);
  // Half the angle of (y, z), by the half-way vector.
  const length = Math.sqrt(second[1] * second[1] + second[2] * second[2]);
  const c = second[1] / length;
  const half = Float64Array.of(
    Math.sqrt(Math.max(0, (1 - c) / 2)) * (second[2] < 0 ? -1 : 1),
    0,
    0,
    Math.sqrt((1 + c) / 2),
  );
  multiplyQuaternion(turn, 0, turn.slice(), 0, half, 0);
  normalizeQuaternion(turn, 0, turn, 0);
}

function readFrame(physics: Physics, where: string, name: string, given: JointFrame): Float64Array {
  const frame = new Float64Array(8);
  frame.set(requireVector(where, `${name}.position`, given?.position ?? [0, 0, 0], 3, 'm'), 0);
  frame.set(requireVector(where, `${name}.rotation`, given?.rotation ?? [0, 0, 0, 1], 4), 4);
  if (frame.subarray(4).every((x) => x === 0)) refuse(where, `${name}.rotation must not be zero`, given.rotation);
  warnOfDegrees(physics, `${where}: ${name}.rotation`, frame.subarray(4));
  normalizeQuaternion(frame, 4, frame, 4);
  return frame;
}

/** Ends a joint. Allowed at any time; an entity already gone is left alone. */
export function removeJoint(physics: Physics, eid: number): void {
  const where = 'removeJoint';
  requirePhysics(physics, where);
  if (typeof eid !== 'number' || !Number.isInteger(eid)) refuse(where, 'entity must be an entity id', eid);
  if (!entityExists(physics.world, eid) || isGoing(physics, eid)) return;
  if (!hasComponent(physics.world, eid, physics.components.Joint))
    refuse(where, 'entity must be a joint of this world', eid);
  removeEntity(physics.world, eid);
}

function jointSlot(physics: Physics, eid: number, where: string): number {
  requirePhysics(physics, where);
  const slot = Number.isInteger(eid) ? (physics.internal.joints.slotOf[eid] ?? -1) : -1;
  if (slot < 0) refuseEntity(physics, where, 'entity must be a joint of this world', eid);
  return slot;
}

function axisOf(where: string, axis: AxisName): number {
  const index = AXIS_NAMES.indexOf(axis);
  if (index < 0) refuse(where, `axis must be one of ${AXIS_NAMES.join(', ')}`, axis);
  return index;
}

/**
 * Where an axis of a joint stands: how far `a` is along it [m], or turned about it [rad],
 * seen from `b`. Throws UsageError.
 */
export function readJointAxis(physics: Physics, eid: number, axis: AxisName): number {
  const where = 'readJointAxis';
  const slot = jointSlot(physics, eid, where);
  return currentAxes(physics.internal.engine, slot)[axisOf(where, axis)];
}

/** Changes limits, motor, spring or friction of one axis of a joint; what is not named stays. Throws UsageError. */
export function setJointAxis(physics: Physics, eid: number, axis: AxisName, change: JointAxis): void {
  const where = 'setJointAxis';
  const slot = jointSlot(physics, eid, where);
  const { engine } = physics.internal;
  const { axes, modes } = engine.tables.joints;
  const index = axisOf(where, axis);
  const changed = axes.slice(jointAxisAt(slot, 0), jointAxisAt(slot + 1, 0));
  const holds = AXIS_NAMES.map((_, k) => (modes[slot] >> (L.AXIS_BITS * k)) & L.AXIS_HOLD);
  changeAxis(where, index, change, changed, holds);
  requireWay(where, changed, holds);
  warnOfAngles(physics, where, changed, false);
  axes.set(changed, jointAxisAt(slot, 0));
  modes[slot] = modesOf(changed, holds);
  renewModes(engine, slot);
  showJoint(physics, slot, eid);
  touchJoint(engine, slot);
}
