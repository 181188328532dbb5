// Dragging a body: a soft, critically damped spring between the grabbed point and the pointer, scaled by the body's
// mass so that a card and an anvil feel alike. It is a system of the schedule like any a game would add.

import { applyForce, applyTorque, type Physics, type System, wakeBody } from '../../src/index';
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
  const local = [0, 0, 0]; // grabbed point in body axes
  let grip: Grip | null = null;
  const anchor: [number, number, number] = [0, 0, 0];
  const target: [number, number, number] = [0, 0, 0];
  const arm: [number, number, number] = [0, 0, 0];
  const force: [number, number, number] = [0, 0, 0];
  const torque: [number, number, number] = [0, 0, 0];

  function place(eid: number): void {
    const { position: p, rotation: r } = physics.components.Transform;
    rotate(arm, local, r.x[eid], r.y[eid], r.z[eid], r.w[eid]);
    anchor[0] = p.x[eid] + arm[0];
    anchor[1] = p.y[eid] + arm[1];
    anchor[2] = p.z[eid] + arm[2];
  }

  const drag: System = () => {
    if (entity === null) return;
    const { Velocity, RigidBody } = physics.components;
    const { linear: v, angular: w } = Velocity;
    const mass = RigidBody.mass[entity];
    if (!(mass > 0)) return;
    place(entity);
    const k = FREQUENCY * FREQUENCY * grab.strength;
    const c = 2 * FREQUENCY * Math.sqrt(grab.strength);
    const speed = [
      v.x[entity] + w.y[entity] * arm[2] - w.z[entity] * arm[1],
      v.y[entity] + w.z[entity] * arm[0] - w.x[entity] * arm[2],
      v.z[entity] + w.x[entity] * arm[1] - w.y[entity] * arm[0],
    ];
    let size = 0;
    for (let i = 0; i < 3; i++) {
      // The weight is carried as well, else everything would hang below the pointer.
      force[i] = k * (target[i] - anchor[i]) - c * speed[i] - physics.settings.gravity[i];
      size += force[i] * force[i];
    }
    const limit = STRONGEST * Math.max(grab.strength, 1);
    const share = mass * Math.min(1, limit / Math.sqrt(size + 1e-12));
    for (let i = 0; i < 3; i++) force[i] *= share;
    // A body's inertia is about mass · size²; the arm stands for the size.
    const inertia = mass * Math.max(0.02, arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]) * CALM;
    torque[0] = -inertia * w.x[entity];
    torque[1] = -inertia * w.y[entity];
    torque[2] = -inertia * w.z[entity];
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
      const { position: p, rotation: r } = physics.components.Transform;
      const offset = [point[0] - p.x[eid], point[1] - p.y[eid], point[2] - p.z[eid]];
      rotate(local, offset, -r.x[eid], -r.y[eid], -r.z[eid], r.w[eid]);
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

/** out = v turned by the unit quaternion (x, y, z, w). */
function rotate(out: number[], v: readonly number[], x: number, y: number, z: number, w: number): void {
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  out[0] = v[0] + w * tx + y * tz - z * ty;
  out[1] = v[1] + w * ty + z * tx - x * tz;
  out[2] = v[2] + w * tz + x * ty - y * tx;
}
