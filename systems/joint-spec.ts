// What addJoint is told, checked and turned into the numbers of the table.

import {
  refuse,
  refuseAs,
  requireFinite,
  requireNonNegative,
  requirePositive,
  requireVector,
} from '../src/core/errors';
import type { JointType } from '../src/state/joint-types';
import * as L from '../src/state/layout';
import { LARGEST_MOTOR } from '../src/state/limits';
import type { Vector } from './rigid-body';
import { requireKnownKeys } from './rod-spec';

const KINDS: Readonly<Record<JointType, number>> = {
  fixed: L.JOINT_FIXED,
  ball: L.JOINT_BALL,
  hinge: L.JOINT_HINGE,
  slider: L.JOINT_SLIDER,
  cylindrical: L.JOINT_CYLINDRICAL,
  universal: L.JOINT_UNIVERSAL,
  distance: L.JOINT_DISTANCE,
  rope: L.JOINT_DISTANCE,
  'six-axis': L.JOINT_SIX_AXIS,
  gear: L.JOINT_GEAR,
  rack: L.JOINT_RACK,
};

export type AxisName = 'x' | 'y' | 'z' | 'rx' | 'ry' | 'rz';
export const AXIS_NAMES: readonly AxisName[] = ['x', 'y', 'z', 'rx', 'ry', 'rz'];

/** The axis that limits, motor and columns of a joint are about, by kind; −1 none. */
export const MAIN_AXIS: readonly number[] = [-1, 3, 3, 0, 0, 3, 0, -1, 3, 0];
/** The axis of a ball joint's cone. */
export const CONE_AXIS = 4;

export interface JointSpring {
  /** [Hz]: how often it would swing freely. Stable at any step. */
  frequency: number;
  /** 1: back without overshoot; 0: swings on. Default 1. */
  dampingRatio?: number;
}

export interface JointMotor {
  /** Aims at this speed [m/s, rad/s]; with a target the fastest it goes there. */
  velocity?: number;
  /** Aims at this place [m] or angle [rad] instead. */
  target?: number;
  /** Most it gives [N, N·m]. Default no limit. */
  maxForce?: number;
}

export interface JointAxis {
  limits?: 'locked' | 'free' | readonly [number, number];
  motor?: JointMotor;
  spring?: JointSpring;
  friction?: number;
}

export interface JointSpec {
  type: JointType;
  /** Entity of the body that the joint moves or holds. Places and angles are those of `a` seen from `b`. */
  a: number;
  /** Entity of the other body. Default the world. */
  b?: number;
  /** World place of the joint [m]. Default where `a` is. */
  anchor?: Vector;
  /** World places on `a` and on `b` where the two differ: distance, rope [m]. */
  anchors?: readonly [Vector, Vector];
  /** World direction about which, or along which, it moves; about which a ball joint twists. Default y. */
  axis?: Vector;
  /**
   * Second axis of a universal joint, fixed in `a` as `axis` is in `b`. Default one at a right angle. Of a gear and a
   * rack the axis of `b`; default `axis`, of a rack y.
   */
  axis2?: Vector;
  /**
   * Frames in the bodies' own axes instead of anchor and axis (x is the joint's axis), for `a`, then `b` or the world.
   */
  frames?: readonly [JointFrame, JointFrame];
  /** Hinge, universal, ball (its twist): [least, greatest angle, rad]. Slider, cylindrical: [m]. */
  limits?: readonly [number, number];
  /** Ball: the greatest angle between its axis in `a` and in `b` [rad]. */
  cone?: number;
  /** Distance: [m] or [least, greatest]; rope: the greatest. Default as far as the anchors are apart. */
  length?: number | readonly [number, number];
  /** Six-axis: 'locked' (default), 'free', limits, or more about each. */
  axes?: Partial<Record<AxisName, 'locked' | 'free' | readonly [number, number] | JointAxis>>;
  motor?: JointMotor;
  /** Makes what holds or limits soft; with a motor that has a target, that. */
  spring?: JointSpring;
  /** Dry friction: most it gives [N, N·m]. Default 0. */
  friction?: number;
  /** Force [N] and torque [N·m] at which it breaks. Default never. */
  breakForce?: number;
  breakTorque?: number;
  /**
   * Gear: `a` turns about `axis` by so much times what `b` turns about `axis2`; below 0 the other way round, as wheels
   * do that mesh from outside [-]. Rack: `a` moves along `axis` by so much for each radian that `b` turns, the pitch
   * radius of the pinion [m]. Axles are joints of their own, to what does not turn.
   */
  ratio?: number;
  /** Whether the two bodies touch each other. Default false. */
  collide?: boolean;
}

export interface JointFrame {
  /** [m] */
  position?: Vector;
  rotation?: Vector;
}

const KEYS = [
  'type',
  'a',
  'b',
  'anchor',
  'anchors',
  'axis',
  'axis2',
  'frames',
  'limits',
  'cone',
  'length',
  'axes',
  'motor',
  'spring',
  'friction',
  'breakForce',
  'breakTorque',
  'collide',
  'ratio',
];

/** Numbers of the table that a spec asks for, frames apart. */
export interface JointNumbers {
  kind: number;
  modes: number;
  axes: Float64Array;
  breakForce: number;
  breakTorque: number;
}

/** Checks a spec; `reach` is how far its anchors are apart [m]. Throws UsageError. */
export function readJointNumbers(where: string, spec: JointSpec, reach: number): JointNumbers {
  requireKnownKeys(where, spec, KEYS);
  const kind = KINDS[spec.type];
  const axes = new Float64Array(48);
  const holds = defaultHolds(spec.type);
  for (let axis = 0; axis < 6; axis++) {
    axes[L.AXIS_NUMBERS * axis + L.AXIS_LOW] = Number.NEGATIVE_INFINITY;
    axes[L.AXIS_NUMBERS * axis + L.AXIS_HIGH] = Number.POSITIVE_INFINITY;
    axes[L.AXIS_NUMBERS * axis + L.AXIS_TARGET] = Number.NaN;
  }
  const main = MAIN_AXIS[kind];
  refuseMisplaced(where, spec, main);
  if (spec.limits !== undefined) setLimits(where, 'limits', axes, holds, main, spec.limits);
  if (spec.cone !== undefined) {
    const cone = requirePositive(where, 'cone', spec.cone, 'rad');
    if (cone > Math.PI) refuse(where, 'cone must be at most π [rad] (45° are 0.785)', cone);
    setLimits(where, 'cone', axes, holds, CONE_AXIS, [Number.NEGATIVE_INFINITY, cone]);
  }
  if (kind === L.JOINT_DISTANCE) setLength(where, spec, axes, holds, reach);
  if (spec.motor !== undefined) setMotor(where, 'motor', axes, holds, main, spec.motor);
  if (spec.spring !== undefined) {
    const spring = readSpring(where, 'spring', spec.spring);
    const locked = main < 0 ? [0, 1, 2, 3, 4, 5] : kind === L.JOINT_BALL ? [main, CONE_AXIS] : [main];
    for (const axis of locked) setSpring(axes, axis, spring);
  }
  if (spec.friction !== undefined) {
    const friction = requireNonNegative(where, 'friction', spec.friction, 'N or N·m');
    const rubbing = kind === L.JOINT_BALL ? [3, 4, 5] : kind === L.JOINT_UNIVERSAL ? [3, 4] : [main];
    for (const axis of rubbing) axes[L.AXIS_NUMBERS * axis + L.AXIS_FRICTION] = friction;
  }
  for (const [name, given] of Object.entries(spec.axes ?? {})) readAxis(where, name, given, axes, holds);
  requireWay(where, axes, holds);
  return {
    kind,
    axes,
    modes: modesOf(axes, holds),
    breakForce: readStrength(where, 'breakForce', spec.breakForce, 'N'),
    breakTorque: readStrength(where, 'breakTorque', spec.breakTorque, 'N·m'),
  };
}

/** Force or torque at which a joint breaks; undefined or Infinity: never. Throws UsageError. */
export function readStrength(where: string, name: string, value: number | undefined, unit: string): number {
  if (value === undefined || value === null || value === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  return requirePositive(where, name, value, unit);
}

/** What a type does with its axes before anything is said. */
function defaultHolds(type: JointType): number[] {
  // Each by itself: taken out of the namespace they would bring all of it into the game.
  const F = L.AXIS_FREE;
  const K = L.AXIS_LOCKED;
  switch (type) {
    case 'ball':
      return [K, K, K, F, F, F];
    case 'hinge':
      return [K, K, K, F, K, K];
    case 'slider':
      return [F, K, K, K, K, K];
    case 'cylindrical':
      return [F, K, K, F, K, K];
    case 'universal':
      return [K, K, K, F, F, K];
    case 'distance':
    case 'rope':
      return [K, F, F, F, F, F];
    case 'gear':
    case 'rack':
      return [F, F, F, F, F, F];
    default:
      return [K, K, K, K, K, K];
  }
}

/** Keys that mean nothing for a type are refused. */
function refuseMisplaced(where: string, spec: JointSpec, main: number): void {
  const { type } = spec;
  const only = (key: keyof JointSpec, isFit: boolean, expected: string) => {
    if (spec[key] !== undefined && !isFit) refuseAs(where, `${key} is for ${expected}`, `a joint of type ${type}`);
  };
  const isRod = type === 'distance' || type === 'rope';
  const isGear = type === 'gear' || type === 'rack';
  only('limits', main >= 0 && !isRod && !isGear, 'hinge, slider, cylindrical, universal and ball joints');
  only(
    'motor',
    main >= 0 && type !== 'rope' && type !== 'ball' && !isGear,
    'axes that move: hinge, slider, cylindrical, universal',
  );
  only('friction', main >= 0 && !isRod && !isGear, 'axes that move: hinge, slider, cylindrical, universal, ball');
  only('cone', type === 'ball', 'ball joints');
  only('length', isRod, 'distance joints and ropes');
  only('axes', type === 'six-axis', 'six-axis joints');
  only('axis2', type === 'universal' || isGear, 'universal joints, gears and racks');
  only('ratio', isGear, 'gears and racks');
  only('spring', !isGear, 'joints that hold or limit');
}

/** [least, greatest] with least <= greatest; infinite ones are none. */
function requireLimits(where: string, name: string, value: unknown): [number, number] {
  const isPair =
    Array.isArray(value) && value.length === 2 && value.every((x) => typeof x === 'number' && !Number.isNaN(x));
  if (!isPair) refuse(where, `${name} must be [least, greatest]`, value);
  const [low, high] = value as [number, number];
  if (low > high) refuse(where, `${name} must be [least, greatest], the first at most the second`, value);
  return [low, high];
}

function setLimits(
  where: string,
  name: string,
  axes: Float64Array,
  holds: number[],
  axis: number,
  value: unknown,
): void {
  const [low, high] = requireLimits(where, name, value);
  holds[axis] = L.AXIS_LIMITED;
  axes[L.AXIS_NUMBERS * axis + L.AXIS_LOW] = low;
  axes[L.AXIS_NUMBERS * axis + L.AXIS_HIGH] = high;
}

function setLength(where: string, spec: JointSpec, axes: Float64Array, holds: number[], reach: number): void {
  const { length, type } = spec;
  let [low, high] = [type === 'rope' ? Number.NEGATIVE_INFINITY : reach, reach];
  if (typeof length === 'number') {
    high = requirePositive(where, 'length', length, 'm');
    if (type !== 'rope') low = high;
  } else if (length !== undefined) {
    [low, high] = requireLimits(where, 'length', length);
    if (!(low >= 0)) refuse(where, 'length must be >= 0 [m]', length);
  }
  if (!(high > 0)) refuse(where, 'length must be > 0 [m], or the anchors must be apart', high);
  setLimits(where, 'length', axes, holds, 0, [low, high]);
}

function setMotor(
  where: string,
  name: string,
  axes: Float64Array,
  holds: readonly number[],
  axis: number,
  motor: JointMotor,
): void {
  requireKnownKeys(`${where}: ${name}`, motor, ['velocity', 'target', 'maxForce']);
  if (holds[axis] === L.AXIS_LOCKED) refuseAs(where, `${name} must be on an axis that moves`, 'a locked axis');
  if (motor.velocity === undefined && motor.target === undefined && motor.maxForce === undefined)
    refuse(where, `${name} must have a velocity, a target or a maxForce (alone: a brake of that force)`, motor);
  const { velocity = 0, target, maxForce = Number.POSITIVE_INFINITY } = motor;
  const at = L.AXIS_NUMBERS * axis;
  axes[at + L.AXIS_VELOCITY] = requireFinite(where, `${name}.velocity`, velocity, 'm/s or rad/s');
  if (target !== undefined) axes[at + L.AXIS_TARGET] = requireFinite(where, `${name}.target`, target, 'm or rad');
  if (!(maxForce >= 0)) refuse(where, `${name}.maxForce must be >= 0 [N or N·m]`, maxForce);
  axes[at + L.AXIS_FORCE] = Math.min(maxForce, LARGEST_MOTOR);
}

/** Throws UsageError for a motor that gives any force on an axis whose limits leave it no way. */
export function requireWay(where: string, axes: Float64Array, holds: readonly number[]): void {
  for (let axis = 0; axis < 6; axis++) {
    const at = L.AXIS_NUMBERS * axis;
    const [low, high] = [axes[at + L.AXIS_LOW], axes[at + L.AXIS_HIGH]];
    if (holds[axis] !== L.AXIS_LIMITED || low !== high || axes[at + L.AXIS_FREQUENCY] > 0) continue;
    if (axes[at + L.AXIS_FORCE] < LARGEST_MOTOR) continue;
    refuseAs(where, 'a motor without maxForce must be on an axis that may move', `limits [${low}, ${high}]`);
  }
}

/** Frequency [Hz] and damping ratio of a spring. Throws UsageError. */
export function readSpring(where: string, name: string, spring: JointSpring): [number, number] {
  requireKnownKeys(`${where}: ${name}`, spring, ['frequency', 'dampingRatio']);
  const frequency = requirePositive(where, `${name}.frequency`, spring.frequency, 'Hz');
  return [frequency, requireNonNegative(where, `${name}.dampingRatio`, spring.dampingRatio ?? 1)];
}

function setSpring(axes: Float64Array, axis: number, [frequency, ratio]: [number, number]): void {
  axes[L.AXIS_NUMBERS * axis + L.AXIS_FREQUENCY] = frequency;
  axes[L.AXIS_NUMBERS * axis + L.AXIS_RATIO] = ratio;
}

function readAxis(where: string, name: string, given: unknown, axes: Float64Array, holds: number[]): void {
  const axis = AXIS_NAMES.indexOf(name as AxisName);
  if (axis < 0) refuse(where, `axes must have keys of ${AXIS_NAMES.join(', ')}`, name);
  const isPlain = typeof given === 'string' || Array.isArray(given);
  const { limits, motor, spring, friction } = (isPlain ? { limits: given } : given) as JointAxis;
  if (!isPlain) requireKnownKeys(`${where}: axes.${name}`, given, ['limits', 'motor', 'spring', 'friction']);
  const hold = limits ?? (motor || friction !== undefined ? 'free' : 'locked');
  if (hold === 'free') holds[axis] = L.AXIS_FREE;
  else if (hold !== 'locked') setLimits(where, `axes.${name}`, axes, holds, axis, hold);
  if (motor !== undefined) setMotor(where, `axes.${name}.motor`, axes, holds, axis, motor);
  if (spring !== undefined) setSpring(axes, axis, readSpring(where, `axes.${name}.spring`, spring));
  if (friction !== undefined) {
    const most = requireNonNegative(where, `axes.${name}.friction`, friction, 'N or N·m');
    axes[L.AXIS_NUMBERS * axis + L.AXIS_FRICTION] = most;
  }
}

/**
 * Checks a change of one axis and writes it to `axes` and `holds`; a frequency or force of 0 takes spring or motor off.
 * Throws UsageError.
 */
export function changeAxis(where: string, axis: number, change: JointAxis, axes: Float64Array, holds: number[]): void {
  requireKnownKeys(where, change, ['limits', 'motor', 'spring', 'friction']);
  const { limits, motor, spring, friction } = change;
  const at = L.AXIS_NUMBERS * axis;
  if (limits === 'locked' || limits === 'free') {
    setLimits(where, 'limits', axes, holds, axis, [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
    holds[axis] = limits === 'locked' ? L.AXIS_LOCKED : L.AXIS_FREE;
  } else if (limits !== undefined) setLimits(where, 'limits', axes, holds, axis, limits);
  if (motor !== undefined) {
    axes[at + L.AXIS_TARGET] = Number.NaN;
    setMotor(where, 'motor', axes, motor?.maxForce === 0 ? FREE : holds, axis, motor);
  }
  if (spring?.frequency === 0) axes[at + L.AXIS_FREQUENCY] = 0;
  else if (spring !== undefined) setSpring(axes, axis, readSpring(where, 'spring', spring));
  if (friction !== undefined) {
    axes[at + L.AXIS_FRICTION] = requireNonNegative(where, 'friction', friction, 'N or N·m');
  }
}

const FREE: readonly number[] = new Array(6).fill(L.AXIS_FREE);

/** AXIS_* bits of all axes: what holds them, and the motors and springs that their numbers make. */
export function modesOf(axes: Float64Array, holds: readonly number[]): number {
  let modes = 0;
  for (let axis = 0; axis < 6; axis++) {
    const at = L.AXIS_NUMBERS * axis;
    let mode = holds[axis];
    if (axes[at + L.AXIS_FORCE] > 0) {
      mode |= Number.isNaN(axes[at + L.AXIS_TARGET]) ? L.AXIS_DRIVEN : L.AXIS_AIMED;
    }
    if (axes[at + L.AXIS_FREQUENCY] > 0) mode |= L.AXIS_SOFT;
    modes |= mode << (L.AXIS_BITS * axis);
  }
  return modes;
}

/** Quaternion that turns x to a direction; refuses one of no length. */
export function turnToAxis(where: string, name: string, value: unknown): Float64Array {
  const [x, y, z] = unitVector(where, name, value);
  // Half-way vector between x and the direction; straight back: half a turn about z.
  if (x < -1 + 1e-12) return Float64Array.of(0, 0, 1, 0);
  const w = 1 + x;
  const length = Math.sqrt(w * w + y * y + z * z);
  return Float64Array.of(0, -z / length, y / length, w / length);
}

/** Unit vector; refuses one of no length. */
export function unitVector(where: string, name: string, value: unknown): number[] {
  const v = requireVector(where, name, value, 3);
  const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (!(length > 1e-12)) refuse(where, `${name} must not be zero`, value);
  return v.map((x) => x / length);
}
