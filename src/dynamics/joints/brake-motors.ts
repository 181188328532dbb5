// Motors with a target and a limited force begin to brake in time.
//
// How fast a motor can brake is known to the solve alone: what hangs on it, what that rests on, what other motors do.
// So the step is first solved with each such motor at all its force both ways, the others as in the step before:
// half the difference is what it can do, the mean what loads it. From the distance d to the target, with a
// deceleration a to be had, it may go at the speed s from which it stops there: a step at s and steps at s − a h,
// s − 2 a h, … are s²/2a + s h/2 long, so s = a (√(h²/4 + 2 d/a) − h/2), and d/h at most.
//
// In: rows of an island with their targets. Out: targets of these motors. Limit: what can be had is that of
// this step. A load about an axis may turn round on the way (an arm that swings past the top), so it is counted
// against the motor whichever way it acts; of what else changes SURE stands for.

import { jointAxisAt } from '../../state/joint-places';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import { type JointRows, responseOf } from './joint-rows';

/** Share of the deceleration that is counted on, and of the motor's force that is at least [-]. */
const SURE = 0.8;
const LEAST = 0.05;
/** What a motor does in a step with this share of its force needs no look [-]. */
const EASY = 1e-4;
/** More motors than this in an island are tried all at once. */
const MANY = 4;

interface Motor {
  readonly row: number;
  /** Numbers of its axis in JOINT_AXES. */
  readonly at: number;
  readonly turns: boolean;
  /** Most impulse. */
  readonly most: number;
  /** Where it stands beyond its target, and how fast it moved along its axis before the step. */
  readonly error: number;
  readonly speed: number;
}

const NONE: Motor[] = [];

/** Solves with the bounds that are in `rows` and its problem, and writes the velocities along the rows to `rows.u`. */
export type Trial = () => void;

/** Writes the targets of the motors of an island that must brake in time; false where none needs a look. */
export function brakeMotors(engine: Engine, rows: JointRows, solve: Trial): boolean {
  const motors = findMotors(engine, rows);
  if (motors.length === 0) return false;
  const speeds = new Float64Array(2 * motors.length);
  const rounds = motors.length > MANY ? 1 : motors.length;
  for (let round = 0; round < rounds; round++) {
    for (let way = 0; way < 2; way++) {
      for (const [i, motor] of motors.entries()) {
        const brake = (motor.error > 0 ? motor.most : -motor.most) * (way === 0 ? 1 : -1);
        const isTried = rounds === 1 || i === round;
        // None at all would be no row.
        const held = rows.contacts.r[motor.row] || LEAST * brake;
        setBounds(rows, motor.row, isTried ? brake : held, isTried ? brake : held);
      }
      solve();
      for (const [i, { row }] of motors.entries()) {
        if (rounds === 1 || i === round) speeds[2 * i + way] = rows.u[row];
      }
    }
  }
  for (const [i, motor] of motors.entries()) {
    setBounds(rows, motor.row, -motor.most, motor.most);
    rows.aim[motor.row] = rows.kept[motor.row] = aimOf(engine, motor, speeds[2 * i], speeds[2 * i + 1]);
  }
  return true;
}

/** Velocity against which a motor's row is set, for the ones that braking and driving leave. */
function aimOf({ settings, tables }: Engine, motor: Motor, braked: number, driven: number): number {
  const h = settings.timeStep;
  const side = motor.error > 0 ? 1 : -1;
  const able = (side * (braked - driven)) / (2 * h);
  const load = side * ((braked + driven) / 2 - motor.speed);
  const least = motor.turns ? able - Math.abs(load) / h : able + load / h;
  const deceleration = Math.max(SURE * least, LEAST * able);
  if (!(deceleration > 0)) return 0;
  const distance = Math.abs(motor.error);
  const velocity = Math.abs(tables.joints.axes[motor.at + L.AXIS_VELOCITY]);
  const speed = deceleration * (Math.sqrt((h * h) / 4 + (2 * distance) / deceleration) - h / 2);
  return side * Math.min(speed, distance / h, velocity > 0 ? velocity : Number.POSITIVE_INFINITY);
}

/** The motors with a target, a limit and no spring that are not all but there. */
function findMotors(engine: Engine, rows: JointRows): Motor[] {
  const { joints } = engine.tables;
  const h = engine.settings.timeStep;
  const { contacts, block, joint, high } = rows;
  // Nothing is made where there is none: most islands, in every step.
  let motors = NONE;
  for (let row = 3 * contacts.touchCount; row < 3 * contacts.problem.contactCount; row++) {
    const c = Math.floor(row / 3);
    if (block[c] !== 2 && block[c] !== 3) continue;
    const axis = 3 * (block[c] - 2) + row - 3 * c;
    const mode = joints.modes[joint[c]] >> (L.AXIS_BITS * axis);
    if (!(mode & L.AXIS_AIMED) || mode & L.AXIS_SOFT || !Number.isFinite(high[row])) continue;
    const at = jointAxisAt(joint[c], axis);
    const error = joints.value[6 * joint[c] + axis] - joints.axes[at + L.AXIS_TARGET];
    const speed = speedBefore(engine, rows, row);
    const most = high[row];
    if (Math.abs(error) / h + Math.abs(speed) <= EASY * most * responseOf(engine, contacts, c, row - 3 * c)) continue;
    if (motors === NONE) motors = [];
    motors.push({ row, at, turns: axis > 2, most, error, speed });
  }
  return motors;
}

function setBounds({ low, high, contacts }: JointRows, row: number, least: number, most: number): void {
  contacts.problem.low[row] = low[row] = least;
  contacts.problem.high[row] = high[row] = most;
}

/** Velocity along a row that the bodies had before this step. */
function speedBefore({ tables }: Engine, { contacts: a }: JointRows, row: number): number {
  const { velocityChange, inverseMass } = tables.bodies;
  const c = Math.floor(row / 3);
  const [bodyA, bodyB] = [a.bodyA[c], a.bodyB[c]];
  let speed = a.free[row];
  for (let k = 0; k < 3; k++) {
    const along = 3 * row + k;
    if (inverseMass[bodyB] > 0) {
      const at = 8 * bodyB + k;
      speed -= a.frame[along] * velocityChange[at] + a.armB[along] * velocityChange[at + 4];
    }
    if (inverseMass[bodyA] > 0) {
      const at = 8 * bodyA + k;
      speed += a.frame[along] * velocityChange[at] + a.armA[along] * velocityChange[at + 4];
    }
  }
  return speed;
}
