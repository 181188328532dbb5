// The ECS face: what a game reads and writes. One set per world (two worlds never share state).
//
// A write takes effect at the next step, whatever the column, or is told by settings.warn; what the engine alone writes
// is read-only in the types. What a step changed is there after it. SI units, y up.

import type { RodMaterial } from '../src/state/rod-material';
import type { ShellMaterial } from '../src/state/shell-material';
import type { SolidMaterial } from '../src/state/solid-material';
import { quaternion, type ResultColumn, type ResultIndices, real, vector, whole } from './columns';

export type Vector3Columns = { x: Float64Array; y: Float64Array; z: Float64Array };
export type QuaternionColumns = { x: Float64Array; y: Float64Array; z: Float64Array; w: Float64Array };

/** Vectors and quaternions that the engine writes and a game reads. */
export type Vector3Results = { readonly x: ResultColumn; readonly y: ResultColumn; readonly z: ResultColumn };
export type QuaternionResults = Vector3Results & { readonly w: ResultColumn };

/**
 * Material and ranges of a rod, or of the many strands of a groom. Numbers as in RodMaterial; a write counts from the
 * next step (radius and density are fixed). Strands and nodes of the entity are ranges of `physics.strands`.
 */
export type RodColumns = { [K in keyof RodMaterial]: Float64Array } & {
  readonly firstStrand: ResultIndices;
  readonly strandCount: ResultIndices;
  readonly firstNode: ResultIndices;
  readonly nodeCount: ResultIndices;
};

/**
 * Material of a shell, and its ranges of `physics.shells`. Numbers as in ShellMaterial; a write counts from the next
 * step (thickness and density are fixed).
 */
export type ShellColumns = { [K in keyof ShellMaterial]: Float64Array } & {
  readonly firstVertex: ResultIndices;
  readonly vertexCount: ResultIndices;
  readonly firstTriangle: ResultIndices;
  readonly triangleCount: ResultIndices;
};

/**
 * Material of an elastic solid, and its ranges of `physics.solids`. Numbers as in SolidMaterial; a write counts from
 * the next step (radius and density are fixed).
 */
export type SolidColumns = { [K in keyof SolidMaterial]: Float64Array } & {
  readonly firstVertex: ResultIndices;
  readonly vertexCount: ResultIndices;
  readonly firstTriangle: ResultIndices;
  readonly triangleCount: ResultIndices;
};

/** The components of one world. */
export interface Components {
  /** Pose of the entity's own frame: position [m], rotation as a unit quaternion. */
  readonly Transform: { position: Vector3Columns; rotation: QuaternionColumns };
  /** Pose between the last two steps, for rendering; written by `physics.interpolate()`. */
  readonly Interpolated: { readonly position: Vector3Results; readonly rotation: QuaternionResults };
  /** Velocity of the centre of mass [m/s] and spin [rad/s], world axes. */
  readonly Velocity: { linear: Vector3Columns; angular: Vector3Columns };
  /**
   * Makes the entity a rigid body. mass [kg], at most 1e12, 0 = density × volume (filled in at the next step); inertia
   * about the body's axes through its centre of mass [kg·m²], 0 = the shape's for that mass; centerOffset [m] from
   * the shape's centre of mass to the body's, in its axes; lockRotation: world axes about which it does not turn, bits
   * 1 x, 2 y, 4 z; damping [1/s]; gravityScale [-]; canSleep 0 or 1; force [N] and torque [N·m] on the centre of mass
   * for the next step, then cleared; surfaceVelocity [m/s] of the surface over the body, in the body's axes (a conveyor
   * belt); modifyContacts 0 or 1: show its contacts to `physics.modifyContacts`; continuous 0 or 1: follow it on its
   * way through each step, however slow it is, so that it goes through nothing.
   */
  readonly RigidBody: {
    mass: Float64Array;
    inertia: Vector3Columns;
    centerOffset: Vector3Columns;
    lockRotation: Int32Array;
    linearDamping: Float64Array;
    angularDamping: Float64Array;
    gravityScale: Float64Array;
    canSleep: Int32Array;
    force: Vector3Columns;
    torque: Vector3Columns;
    surfaceVelocity: Vector3Columns;
    modifyContacts: Int32Array;
    continuous: Int32Array;
  };
  /**
   * Shape (id from createShape; another one makes the body anew in place) and filter: a pair collides when each one's
   * mask has a layer of the other (16 bits each).
   */
  readonly Collider: { shape: Int32Array; layers: Int32Array; mask: Int32Array };
  /**
   * friction [-], at most 1000; restitution 0..1 [-]; density [kg/m³], which counts where mass is 0. Of a pair:
   * geometric mean of friction, larger restitution, unless a material names another rule: 0 none, 1 geometric mean,
   * 2 average, 3 minimum, 4 product, 5 maximum; of two rules the larger number counts. rollingFriction,
   * spinningFriction [m], combined as friction is: torques against rolling and spinning, over the normal force.
   */
  readonly Material: {
    friction: Float64Array;
    restitution: Float64Array;
    density: Float64Array;
    combineFriction: Int32Array;
    combineRestitution: Int32Array;
    rollingFriction: Float64Array;
    spinningFriction: Float64Array;
  };
  /**
   * One entity per pair of colliders that touch, as long as the touch lasts: onAdd(Contact) = began,
   * onRemove(Contact) = ended. normal is a unit vector from A to B; impulses of the whole of the last step, restitution
   * included, summed over the points [N·s]; approachSpeed along the normal just before the step in which the touch
   * began, of the fastest point [m/s]: with normalImpulse what a sound's loudness goes by, both known in onAdd. (Bodies
   * solved with strands, by `contact-admm`, or by sweeps in the last substep of a step may share a hit with the next
   * step: approachSpeed has all of it.) sliding 1 where a point slips; slot = row of the pair table.
   */
  readonly Contact: {
    readonly entityA: ResultIndices;
    readonly entityB: ResultIndices;
    readonly pointCount: ResultIndices;
    readonly normal: Vector3Results;
    readonly normalImpulse: ResultColumn;
    readonly frictionImpulse: ResultColumn;
    readonly approachSpeed: ResultColumn;
    readonly sliding: ResultIndices;
    readonly slot: ResultIndices;
  };
  /** One elastic rod, made by addRod. */
  readonly Rod: RodColumns;
  /** Many strands of one material as one entity, made by addGroom. */
  readonly Groom: RodColumns;
  /** A surface such as cloth, made by addShell. */
  readonly Shell: ShellColumns;
  /** An elastic solid such as jelly or rubber, made by addSolid. */
  readonly Solid: SolidColumns;
  /**
   * A node of a rod, or a vertex of a shell or solid (`rod` is its entity), held at a point of a body (0 the world),
   * made by attach: `node` counted from the first one's, `length` the longest distance of a rope [m], 0 for a ball
   * joint; springFrequency [Hz], 0 stiff, springDamping ratio [-]; breakForce [N], Infinity never. A game may write
   * these at any time. Impulse [N·s] and force [N] of the last step on the node; of one that broke (tag Broken) those
   * that broke it after that step, 0 from the next one on.
   */
  readonly Attachment: {
    readonly rod: ResultIndices;
    readonly node: ResultIndices;
    readonly body: ResultIndices;
    length: Float64Array;
    /** Entity and node that it is joined to in the place of a body, 0: none. */
    readonly other: ResultIndices;
    readonly otherNode: ResultIndices;
    springFrequency: Float64Array;
    springDamping: Float64Array;
    breakForce: Float64Array;
    readonly impulse: Vector3Results;
    readonly force: Vector3Results;
  };
  /**
   * A joint, made by addJoint: entityA moves against entityB (0 the world). type: place in JOINT_TYPES. What a game
   * may write acts in the next step: limits [m, rad], ±Infinity none (of a ball joint its twist), cone [rad];
   * motorVelocity [m/s, rad/s], motorTarget [m, rad], NaN none, motorForce 0 switches the motor off [N, N·m];
   * springFrequency [Hz], 0 stiff, springDamping ratio [-]; friction [N, N·m]; breakForce [N], breakTorque [N·m].
   * What a step writes: value, where it stands along or about its axis [m, rad]; force and torque on entityA at the
   * joint, world axes [N, N·m], of a Broken one 0 from the step after; error, how far it is from obeying [m] (turns
   * count in rad). Of a six-axis joint setJointAxis and readJointAxis do the same for each axis.
   */
  readonly Joint: {
    readonly type: ResultIndices;
    readonly entityA: ResultIndices;
    readonly entityB: ResultIndices;
    limitLow: Float64Array;
    limitHigh: Float64Array;
    cone: Float64Array;
    motorVelocity: Float64Array;
    motorTarget: Float64Array;
    motorForce: Float64Array;
    springFrequency: Float64Array;
    springDamping: Float64Array;
    friction: Float64Array;
    breakForce: Float64Array;
    breakTorque: Float64Array;
    readonly value: ResultColumn;
    readonly force: Vector3Results;
    readonly torque: Vector3Results;
    readonly error: ResultColumn;
  };
  /**
   * A character, made by addCharacter on an entity with a kinematic capsule. What a game writes acts in the next step:
   * move, velocity over the ground [m/s]; jump, speed off the ground [m/s], taken and cleared, without effect in the
   * air; push, change of velocity [m/s], taken and cleared; crouch 0 or 1; maxSlope [rad]; stepHeight [m]; acceleration
   * and airAcceleration [m/s²]; mass [kg]; pushForce [N]; gravityScale [-]. What a step writes: velocity [m/s]; status
   * 0 in the air, 1 standing, 2 sliding down what is too steep; ground, the entity it stands on or touches, 0 none, and
   * its normal; isCrouched 0 or 1 (it stays down while there is no room to rise). standing and crouching: its shapes.
   */
  readonly Character: {
    move: Vector3Columns;
    jump: Float64Array;
    push: Vector3Columns;
    crouch: Int32Array;
    maxSlope: Float64Array;
    stepHeight: Float64Array;
    acceleration: Float64Array;
    airAcceleration: Float64Array;
    mass: Float64Array;
    pushForce: Float64Array;
    gravityScale: Float64Array;
    readonly velocity: Vector3Results;
    readonly status: ResultIndices;
    readonly ground: ResultIndices;
    readonly groundNormal: Vector3Results;
    readonly isCrouched: ResultIndices;
    readonly standing: ResultIndices;
    readonly crouching: ResultIndices;
  };
  /**
   * A vehicle, made by addVehicle on the entity of its chassis. What a game writes acts in the next step: throttle and
   * steer −1..1, brake and handbrake 0..1; antiRoll, stiffness between the two wheels of an axle [N/m]; topSpeed
   * [m/s]. forward: axis of the chassis. What a step writes: speed along it [m/s].
   */
  readonly Vehicle: {
    throttle: Float64Array;
    steer: Float64Array;
    brake: Float64Array;
    handbrake: Float64Array;
    antiRoll: Float64Array;
    topSpeed: Float64Array;
    readonly forward: Vector3Results;
    readonly speed: ResultColumn;
  };
  /**
   * A wheel of a vehicle, an entity of its own with a Joint, whose force is that of the tyre. What a game writes acts
   * in the next step: radius, travel [m]; frequency [Hz] and damping ratio of the suspension; friction; maxSteer [rad];
   * driveForce, brakeForce, handbrakeForce [N]; rolling, share of the load [-]. What a step writes: ground, the entity
   * that it stands on, 0 none; compression [m] and load [N] of the suspension; steering and angle [rad], center [m] for
   * drawing. vehicle: its chassis; mount: where its suspension begins, in the frame of the chassis [m]; axle; cast: 0 a
   * ray, 1 a ball; track: 1 of the left, −1 of the right one, 0 on none.
   */
  readonly Wheel: {
    radius: Float64Array;
    travel: Float64Array;
    frequency: Float64Array;
    damping: Float64Array;
    friction: Float64Array;
    maxSteer: Float64Array;
    driveForce: Float64Array;
    brakeForce: Float64Array;
    handbrakeForce: Float64Array;
    rolling: Float64Array;
    readonly vehicle: ResultIndices;
    readonly mount: Vector3Results;
    readonly axle: ResultIndices;
    readonly cast: ResultIndices;
    readonly track: ResultIndices;
    readonly ground: ResultIndices;
    readonly compression: ResultColumn;
    readonly load: ResultColumn;
    readonly steering: ResultColumn;
    readonly angle: ResultColumn;
    readonly center: Vector3Results;
  };
  /** Tag, set by the engine: a joint that broke. It holds nothing any more and waits to be removed. */
  readonly Broken: Record<string, never>;
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
      inertia: vector(),
      centerOffset: vector(),
      lockRotation: whole(),
      linearDamping: real(),
      angularDamping: real(),
      gravityScale: real(),
      canSleep: whole(),
      force: vector(),
      torque: vector(),
      surfaceVelocity: vector(),
      modifyContacts: whole(),
      continuous: whole(),
    },
    Collider: { shape: whole(), layers: whole(), mask: whole() },
    Material: {
      friction: real(),
      restitution: real(),
      density: real(),
      combineFriction: whole(),
      combineRestitution: whole(),
      rollingFriction: real(),
      spinningFriction: real(),
    },
    Contact: {
      entityA: whole(),
      entityB: whole(),
      pointCount: whole(),
      normal: vector(),
      normalImpulse: real(),
      frictionImpulse: real(),
      approachSpeed: real(),
      sliding: whole(),
      slot: whole(),
    },
    Rod: rodColumns(),
    Groom: rodColumns(),
    Shell: shellColumns(),
    Solid: solidColumns(),
    Attachment: {
      rod: whole(),
      node: whole(),
      body: whole(),
      length: real(),
      other: whole(),
      otherNode: whole(),
      springFrequency: real(),
      springDamping: real(),
      breakForce: real(),
      impulse: vector(),
      force: vector(),
    },
    Joint: jointColumns(),
    Character: characterColumns(),
    Vehicle: vehicleColumns(),
    Wheel: wheelColumns(),
    Broken: {},
    Static: {},
    Kinematic: {},
    Sleeping: {},
    Sensor: {},
  };
}

function jointColumns(): Components['Joint'] {
  return {
    type: whole(),
    entityA: whole(),
    entityB: whole(),
    limitLow: real(),
    limitHigh: real(),
    cone: real(),
    motorVelocity: real(),
    motorTarget: real(),
    motorForce: real(),
    springFrequency: real(),
    springDamping: real(),
    friction: real(),
    breakForce: real(),
    breakTorque: real(),
    value: real(),
    force: vector(),
    torque: vector(),
    error: real(),
  };
}

function characterColumns(): Components['Character'] {
  return {
    move: vector(),
    jump: real(),
    push: vector(),
    crouch: whole(),
    maxSlope: real(),
    stepHeight: real(),
    acceleration: real(),
    airAcceleration: real(),
    mass: real(),
    pushForce: real(),
    gravityScale: real(),
    velocity: vector(),
    status: whole(),
    ground: whole(),
    groundNormal: vector(),
    isCrouched: whole(),
    standing: whole(),
    crouching: whole(),
  };
}

function vehicleColumns(): Components['Vehicle'] {
  return {
    throttle: real(),
    steer: real(),
    brake: real(),
    handbrake: real(),
    antiRoll: real(),
    topSpeed: real(),
    forward: vector(),
    speed: real(),
  };
}

function wheelColumns(): Components['Wheel'] {
  return {
    radius: real(),
    travel: real(),
    frequency: real(),
    damping: real(),
    friction: real(),
    maxSteer: real(),
    driveForce: real(),
    brakeForce: real(),
    handbrakeForce: real(),
    rolling: real(),
    vehicle: whole(),
    mount: vector(),
    axle: whole(),
    cast: whole(),
    track: whole(),
    ground: whole(),
    compression: real(),
    load: real(),
    steering: real(),
    angle: real(),
    center: vector(),
  };
}

function shellColumns(): ShellColumns {
  return {
    thickness: real(),
    density: real(),
    bendingModulus: real(),
    shearModulus: real(),
    stretchModulus: real(),
    damping: real(),
    friction: real(),
    cohesion: real(),
    gravityScale: real(),
    airDrag: real(),
    compliance: real(),
    poissonRatio: real(),
    weftModulus: real(),
    strainLimit: real(),
    firstVertex: whole(),
    vertexCount: whole(),
    firstTriangle: whole(),
    triangleCount: whole(),
  };
}

function solidColumns(): SolidColumns {
  return {
    radius: real(),
    density: real(),
    youngModulus: real(),
    poissonRatio: real(),
    damping: real(),
    friction: real(),
    cohesion: real(),
    gravityScale: real(),
    compliance: real(),
    yieldStress: real(),
    creepTime: real(),
    plasticLimit: real(),
    firstVertex: whole(),
    vertexCount: whole(),
    firstTriangle: whole(),
    triangleCount: whole(),
  };
}

function rodColumns(): RodColumns {
  return {
    radius: real(),
    density: real(),
    youngModulus: real(),
    shearModulus: real(),
    stretchModulus: real(),
    damping: real(),
    friction: real(),
    cohesion: real(),
    gravityScale: real(),
    airDrag: real(),
    compliance: real(),
    firstStrand: whole(),
    strandCount: whole(),
    firstNode: whole(),
    nodeCount: whole(),
  };
}
