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
  /** Holds a body at a point in its own axes [m]; where that is to be, `aim` says. */
  hold(entity: number, arm: Readonly<vec3>): void;
  /** Holds something that drags itself along, such as strands: it is told where the pointer is through `target`. */
  holdGrip(make: (target: readonly [number, number, number]) => Grip | null, point: readonly number[]): void;
  aim(x: number, y: number, z: number): void;
  release(): void;
}

/**
 * A grab that does in another world what it does in the first, as far as that has the body: `twin` finds it there.
 * Grips of what is not a body are the first world's alone.
 */
export function pairGrabs(first: Grab, second: Grab, twin: (entity: number) => number | undefined): Grab {
  return {
    get entity() {
      return first.entity;
    },
    get active() {
      return first.active;
    },
    get anchor() {
      return first.anchor;
    },
    target: first.target,
    get strength() {
      return first.strength;
    },
    set strength(strength) {
      first.strength = second.strength = strength;
    },
    hold(entity, arm) {
      first.hold(entity, arm);
      const other = twin(entity);
      if (other !== undefined) second.hold(other, arm);
    },
    holdGrip: first.holdGrip,
    aim(x, y, z) {
      first.aim(x, y, z);
      second.aim(x, y, z);
    },
    release() {
      first.release();
      second.release();
    },
  };
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
    hold(eid, arm) {
      vec3.copy(local, arm);
      entity = eid;
      place(eid);
      grab.aim(...anchor);
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

/** A point of the world in the axes of a body [m]. */
export function toBodyAxes(physics: Physics, entity: number, point: Readonly<vec3>): vec3 {
  const arm = vec3.subtract([0, 0, 0], point, readPosition(physics, entity, [0, 0, 0]));
  const back = quat.conjugate([0, 0, 0, 1], readRotation(physics, entity, [0, 0, 0, 1]));
  return vec3.transformQuat(arm, arm, back);
}
