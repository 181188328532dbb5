// The ECS face: what a game reads and writes. One set per world (two worlds never share state).
//
// A write takes effect at the next step; what a step changed is there after it. SI units, y up.

import { quaternion, real, vector, whole } from './columns';

export type Vector3Columns = { x: Float64Array; y: Float64Array; z: Float64Array };
export type QuaternionColumns = { x: Float64Array; y: Float64Array; z: Float64Array; w: Float64Array };

/** The components of one world. */
export interface Components {
  /** Pose of the entity's own frame: position [m], rotation as a unit quaternion. */
  readonly Transform: { position: Vector3Columns; rotation: QuaternionColumns };
  /** Pose between the last two steps, for rendering; written by `physics.interpolate()`. */
  readonly Interpolated: { position: Vector3Columns; rotation: QuaternionColumns };
  /** Velocity of the centre of mass [m/s] and spin [rad/s], world axes. */
  readonly Velocity: { linear: Vector3Columns; angular: Vector3Columns };
  /**
   * Makes the entity a rigid body. mass [kg], 0 = density × volume (filled in at the next step); damping [1/s];
   * gravityScale [-]; canSleep 0 or 1; force [N] and torque [N·m] on the centre of mass for the next step, then cleared.
   */
  readonly RigidBody: {
    mass: Float64Array;
    linearDamping: Float64Array;
    angularDamping: Float64Array;
    gravityScale: Float64Array;
    canSleep: Int32Array;
    force: Vector3Columns;
    torque: Vector3Columns;
  };
  /** Shape (id from createShape) and filter: a pair collides when each one's mask has a layer of the other (16 bits each). */
  readonly Collider: { shape: Int32Array; layers: Int32Array; mask: Int32Array };
  /** friction [-], restitution 0..1 [-], density [kg/m³]. Of a pair: geometric mean of friction, larger restitution. */
  readonly Material: { friction: Float64Array; restitution: Float64Array; density: Float64Array };
  /**
   * One entity per pair of colliders that touch, as long as the touch lasts: onAdd(Contact) = began,
   * onRemove(Contact) = ended. normal is a unit vector from A to B; impulses of the last step, summed over the
   * points [N·s]; sliding 1 where a point slips; slot = row of the pair table.
   */
  readonly Contact: {
    entityA: Int32Array;
    entityB: Int32Array;
    pointCount: Int32Array;
    normal: Vector3Columns;
    normalImpulse: Float64Array;
    frictionImpulse: Float64Array;
    sliding: Int32Array;
    slot: Int32Array;
  };
  /** Tag: never moves. Add it before or after RigidBody. */
  readonly Static: Record<string, never>;
  /** Tag: moved by velocity or setKinematicTarget, pushes dynamic bodies, is pushed by nothing. */
  readonly Kinematic: Record<string, never>;
  /** Tag, set by the engine: asleep. */
  readonly Sleeping: Record<string, never>;
  /** Tag: touches are reported as Contact entities, nothing is pushed. */
  readonly Sensor: Record<string, never>;
}

/** Fresh components with empty columns. */
export function createComponents(): Components {
  return {
    Transform: { position: vector(), rotation: quaternion() },
    Interpolated: { position: vector(), rotation: quaternion() },
    Velocity: { linear: vector(), angular: vector() },
    RigidBody: {
      mass: real(),
      linearDamping: real(),
      angularDamping: real(),
      gravityScale: real(),
      canSleep: whole(),
      force: vector(),
      torque: vector(),
    },
    Collider: { shape: whole(), layers: whole(), mask: whole() },
    Material: { friction: real(), restitution: real(), density: real() },
    Contact: {
      entityA: whole(),
      entityB: whole(),
      pointCount: whole(),
      normal: vector(),
      normalImpulse: real(),
      frictionImpulse: real(),
      sliding: whole(),
      slot: whole(),
    },
    Static: {},
    Kinematic: {},
    Sleeping: {},
    Sensor: {},
  };
}
