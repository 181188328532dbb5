// Dragging a body: a soft, critically damped spring between the grabbed point and the pointer, scaled by the body's
// mass so that a card and an anvil feel alike. It is a system of the schedule like any a game would add.

import { quat, vec3 } from 'gl-matrix';
import {
  applyForce,
  applyTorque,
  type Physics,
  readAngularVelocity,
  readPosition,
  readRotation,
  readVelocity,
  type System,
  wakeBody,
} from '../../src/index';
import type { Grip } from './grip';

/** Stiffness of the spring as the frequency of a unit mass [rad/s]; the damping is critical. */
const FREQUENCY = 9;
/** Most acceleration the pointer gives [m/s²]: enough to lift, too little to tear a pile apart in one frame. */
const STRONGEST = 150;
/** Share of spin taken away [1/s]: a hanging body comes to rest. */
const CALM = 1.5;

export interface Grab {
  /** The entity held, or null. */
  readonly entity: number | null;
  /** Whether anything is held. */
  readonly active: boolean;
  /** Grabbed point on what is held, world [m]; valid while there is something. */
  readonly anchor: readonly [number, number, number];
  /** Where the pointer wants it [m]. */
  readonly target: readonly [number, number, number];
  /** How strongly it pulls, 1 = as described. */
  strength: number;
  hold(entity: number, point: ArrayLike<number>): void;
  /** Holds something that drags itself along, such as strands: it is told where the pointer is through `target`. */
  holdGrip(make: (target: readonly [number, number, number]) => Grip | null, point: readonly number[]): void;
  aim(x: number, y: number, z: number): void;
  release(): void;
}

/** Adds the system `drag-body` to the schedule. */
export function createGrab(physics: Physics): Grab {
  let entity: number | null = null;
  // Of plain numbers: a Float32Array would shake what is far from the origin.
  const local: vec3 = [0, 0, 0]; // grabbed point in body axes
  let grip: Grip | null = null;
  const anchor: [number, number, number] = [0, 0, 0];
  const target: [number, number, number] = [0, 0, 0];
  const arm: vec3 = [0, 0, 0];
  const force: vec3 = [0, 0, 0];
  const torque: vec3 = [0, 0, 0];
  const position: vec3 = [0, 0, 0];
  const rotation: quat = [0, 0, 0, 1];
  const speed: vec3 = [0, 0, 0];
  const linear: vec3 = [0, 0, 0];
  const spin: vec3 = [0, 0, 0];

  function place(eid: number): void {
    vec3.transformQuat(arm, local, readRotation(physics, eid, rotation));
    vec3.add(anchor, readPosition(physics, eid, position), arm);
  }

  const drag: System = () => {
    if (entity === null) return;
    const mass = physics.components.RigidBody.mass[entity];
    if (!(mass > 0)) return;
    place(entity);
    const k = FREQUENCY * FREQUENCY * grab.strength;
    const c = 2 * FREQUENCY * Math.sqrt(grab.strength);
    readAngularVelocity(physics, entity, spin);
    vec3.add(speed, readVelocity(physics, entity, linear), vec3.cross(speed, spin, arm));
    vec3.scale(force, vec3.subtract(force, target, anchor), k);
    vec3.scaleAndAdd(force, force, speed, -c);
    // The weight is carried as well, else everything would hang below the pointer.
    const { gravity } = physics.settings;
    vec3.subtract(force, force, [gravity[0], gravity[1], gravity[2]]);
    const limit = STRONGEST * Math.max(grab.strength, 1);
    vec3.scale(force, force, mass * Math.min(1, limit / Math.max(vec3.length(force), 1e-6)));
    // A body's inertia is about mass · size²; the arm stands for the size.
    vec3.scale(torque, spin, -mass * Math.max(0.02, vec3.squaredLength(arm)) * CALM);
    wakeBody(physics, entity);
    applyForce(physics, entity, force, anchor);
    applyTorque(physics, entity, torque);
  };
  physics.schedule.before('copy-in', drag, 'drag-body');

  const grab: Grab = {
    get entity() {
      return entity;
    },
    get active() {
      return entity !== null || grip !== null;
    },
    get anchor() {
      return grip ? grip.anchor : anchor;
    },
    target,
    strength: 1,
    hold(eid, point) {
      vec3.subtract(local, [point[0], point[1], point[2]], readPosition(physics, eid, position));
      quat.conjugate(rotation, readRotation(physics, eid, rotation));
      vec3.transformQuat(local, local, rotation);
      entity = eid;
      place(eid);
      grab.aim(point[0], point[1], point[2]);
      wakeBody(physics, eid);
    },
    holdGrip(make, point) {
      grab.aim(point[0], point[1], point[2]);
      grip = make(target);
    },
    aim(x, y, z) {
      target[0] = x;
      target[1] = y;
      target[2] = z;
    },
    release() {
      entity = null;
      grip?.release();
      grip = null;
    },
  };
  return grab;
}
