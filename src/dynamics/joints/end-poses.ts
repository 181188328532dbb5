// Where the bodies of an island would be at the end of the step, by a motion under trial.

import { multiplyQuaternion } from '../../math/quaternion';
import { arctangent, cosine, nearestAngle, sine } from '../../math/trigonometry';
import { ANGULAR } from '../../state/contact-places';
import type { Engine } from '../engine';

/** Position and rotation by body slot, four numbers each; of the bodies that were moved last. */
export const endPoses = { position: new Float64Array(0), rotation: new Float64Array(0) };

const turn = new Float64Array(4);

/**
 * Moves the island's bodies by `motion` (as BODY_MOTION) from where the step began, and those that are driven and held
 * by its joints by their own.
 */
export function moveBodies(engine: Engine, island: number, motion: Float64Array): void {
  const { bodies, joints } = engine.tables;
  if (endPoses.position.length < 4 * bodies.capacity) {
    endPoses.position = new Float64Array(4 * bodies.capacity);
    endPoses.rotation = new Float64Array(4 * bodies.capacity);
  }
  const start = bodies.islandBodyStart[island];
  const end = start + bodies.islandBodyCount[island];
  for (let i = start; i < end; i++) moveBody(engine, motion, bodies.islandBodies[i]);
  for (let i = 0; i < bodies.islandJointCount[island]; i++) {
    const joint = joints.islandJoints[bodies.islandJointStart[island] + i];
    for (let k = 0; k < 2; k++) {
      const body = joints.body[2 * joint + k];
      if (body >= 0 && bodies.inverseMass[body] === 0) moveBody(engine, bodies.motion, body);
    }
  }
}

/** Moves one body by `motion` from where the step began. */
export function moveBody(engine: Engine, motion: Float64Array, body: number): void {
  const { bodies } = engine.tables;
  const { position, rotation } = endPoses;
  const at = 4 * body;
  const m = 8 * body;
  // A driven body that stands still may hold the motion of an earlier step.
  const isStill = bodies.awakeIndex[body] < 0;
  const h = isStill ? 0 : engine.settings.timeStep;
  position[at] = bodies.position[at] + h * motion[m];
  position[at + 1] = bodies.position[at + 1] + h * motion[m + 1];
  position[at + 2] = bodies.position[at + 2] + h * motion[m + 2];
  writeTurn(h * motion[m + 4], h * motion[m + 5], h * motion[m + 6]);
  multiplyQuaternion(rotation, at, turn, 0, bodies.rotation, at);
}

/** Moves a body on by a velocity (linear, angular: six numbers at `from`) over the time of a step. */
export function moveOn(engine: Engine, body: number, velocity: Float64Array, from: number): void {
  const { position, rotation } = endPoses;
  const h = engine.settings.timeStep;
  const at = 4 * body;
  for (let k = 0; k < 3; k++) position[at + k] += h * velocity[from + k];
  writeTurn(h * velocity[from + 3], h * velocity[from + 4], h * velocity[from + 5]);
  multiplyQuaternion(rotation, at, turn, 0, rotation, at);
}

/** Writes the motion that takes a body from where the step began to its end pose into BODY_MOTION. */
export function storeMotion(engine: Engine, body: number): void {
  const { position, rotation, motion } = engine.tables.bodies;
  const h = engine.settings.timeStep;
  const at = 4 * body;
  for (let k = 0; k < 3; k++) motion[8 * body + k] = (endPoses.position[at + k] - position[at + k]) / h;
  // q(end) · conjugate of q(start), and the whole turns of the motion that it was.
  conjugate[3] = rotation[at + 3];
  for (let k = 0; k < 3; k++) conjugate[k] = -rotation[at + k];
  multiplyQuaternion(turn, 0, endPoses.rotation, at, conjugate, 0);
  const [x, y, z, w] = turn;
  const length = Math.sqrt(x * x + y * y + z * z);
  const sign = w < 0 ? -1 : 1;
  const m = 8 * body + ANGULAR;
  if (length > 1e-12) {
    const [wx, wy, wz] = [motion[m], motion[m + 1], motion[m + 2]];
    const short = 2 * sign * arctangent(length, sign * w);
    const angle = nearestAngle(short, (h * (x * wx + y * wy + z * wz)) / length);
    const scale = angle / (length * h);
    motion[m] = scale * x;
    motion[m + 1] = scale * y;
    motion[m + 2] = scale * z;
    return;
  }
  // Back where it was: by no turn, or by whole ones about the axis that it had.
  const spin = h * Math.sqrt(motion[m] ** 2 + motion[m + 1] ** 2 + motion[m + 2] ** 2);
  const share = spin > Math.PI ? nearestAngle(0, spin) / spin : 0;
  for (let k = m; k < m + 3; k++) motion[k] *= share;
}

const conjugate = new Float64Array(4);

/** The turn by a rotation vector [rad]. */
function writeTurn(x: number, y: number, z: number): void {
  const angle = Math.sqrt(x * x + y * y + z * z);
  const s = angle > 1e-9 ? sine(angle / 2) / angle : 0.5;
  turn[0] = s * x;
  turn[1] = s * y;
  turn[2] = s * z;
  turn[3] = angle > 1e-9 ? cosine(angle / 2) : 1;
}
