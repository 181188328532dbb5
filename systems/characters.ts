// Characters: kinematic capsules that walk. The calls, and their part in a step.
//
// A game without addCharacter carries none of this.

import { hasComponent } from 'bitecs';
import { written } from '../components/columns';
import { refuse, refuseKey, requireNonNegative, requirePositive } from '../src/core/errors';
import { footingOf } from '../src/dynamics/characters/elastic-footing';
import {
  type CharacterOrder,
  createCharacterOrder,
  hasRoom,
  moveCharacter,
} from '../src/dynamics/characters/move-character';
import { createWalkers } from '../src/dynamics/characters/yield-to-elastic';
import { cosine } from '../src/math/trigonometry';
import { HALF_HEIGHT } from '../src/state/contact-places';
import * as L from '../src/state/layout';
import { LARGEST_GRAVITY_SCALE, LARGEST_MASS, SMALLEST_MASS, within } from '../src/state/limits';
import { addActor, enableActors, forEachActor } from './actors';
import { addSafely } from './ecs-changes';
import { ensureRow } from './entities';
import { type Physics, requirePhysics, type StepModule } from './physics';
import { addRigidBody, slotOf, type Vector } from './rigid-body';
import { shapeAt } from './shape-book';
import { findShape, pinShape } from './shapes';
import { tellIgnored } from './warnings';

export interface CharacterSpec {
  /** Where its feet are [m]; the entity's frame stands there. Default the origin. */
  position?: Vector;
  /** Its own y axis is up: a quaternion x y z w. Default not turned. */
  rotation?: Vector;
  /** Of the capsule [m]. Default 0.3. */
  radius?: number;
  /** From feet to crown [m], at least twice the radius. Default 1.8. */
  height?: number;
  /** The same when it crouches [m]. Default 0.6 of the height. */
  crouchHeight?: number;
  /** Steepest ground that it stands on and walks up [rad], below π/2. Default 0.87 (50°). */
  maxSlope?: number;
  /** Highest step that it climbs, and drop that it follows without falling [m]. Default 0.4. */
  stepHeight?: number;
  /** [kg]; its weight on what it stands on. Default 70. */
  mass?: number;
  /** Most force on what is in its way [N]; 0: it pushes nothing. Default 300. */
  pushForce?: number;
  /** To the velocity asked for, on the ground [m/s²]. Default infinite: at once. */
  acceleration?: number;
  /** The same in the air [m/s²]; without a move asked for it flies on. Default 10. */
  airAcceleration?: number;
  /** Default 1. */
  gravityScale?: number;
  /** Layers and mask as of a body. */
  layers?: number;
  mask?: number;
}

const KEYS = [
  ...['position', 'rotation', 'radius', 'height', 'crouchHeight', 'maxSlope', 'stepHeight', 'mass', 'pushForce'],
  ...['acceleration', 'airAcceleration', 'gravityScale', 'layers', 'mask'],
];

const RIGHT_ANGLE = 1.5707963267948966;

/** A number >= 0 that may be infinite. */
function requireRate(where: string, name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0) return value;
  return refuse(where, `${name} must be >= 0 [m/s²]`, value);
}

function requireSlope(where: string, value: unknown): number {
  const slope = requirePositive(where, 'maxSlope', value, 'rad');
  if (slope >= RIGHT_ANGLE) refuse(where, 'maxSlope must be below π/2 [rad] (50° are 0.87)', value);
  return slope;
}

/** A capsule over the feet. */
function capsuleOf(radius: number, height: number) {
  // A ball is a capsule without length; the table wants one above 0.
  const half = Math.max(height / 2 - radius, 1e-3 * radius);
  return { compound: [{ shape: { capsule: [radius, half] as [number, number] }, position: [0, half + radius, 0] }] };
}

/**
 * Makes characters known to a world before it has any: for `loadGame` and `restore` of what has some.
 */
export function enableCharacters(physics: Physics): void {
  requirePhysics(physics, 'enableCharacters');
  enableActors(physics, characterModule);
  const { engine, queries } = physics.internal;
  engine.walkers ??= createWalkers(engine, queries);
}

/**
 * Adds a character and returns its entity: a kinematic capsule (Transform, Velocity, RigidBody, Collider, Material,
 * Kinematic) with Character, whose columns say where it shall go and what it found. It stands on slopes, climbs steps,
 * follows the floor, rides on platforms and conveyors, pushes with a force that has a limit, and is pushed by what is
 * kinematic and, as their masses are, by what is dynamic. Ends with removeRigidBody. Throws UsageError.
 */
export function addCharacter(physics: Physics, spec: CharacterSpec = {}): number {
  const where = 'addCharacter';
  requirePhysics(physics, where);
  if (typeof spec !== 'object' || spec === null) refuse(where, 'spec must be an object', spec);
  for (const key of Object.keys(spec)) {
    if (!KEYS.includes(key)) refuseKey(where, key, KEYS);
  }
  const radius = requirePositive(where, 'radius', spec.radius ?? 0.3, 'm');
  const height = requirePositive(where, 'height', spec.height ?? 1.8, 'm');
  const low = requirePositive(where, 'crouchHeight', spec.crouchHeight ?? Math.max(0.6 * height, 2 * radius), 'm');
  if (height < 2 * radius) refuse(where, `height must be at least twice the radius, ${2 * radius} [m]`, height);
  if (low < 2 * radius || low > height) {
    refuse(where, `crouchHeight must be between twice the radius and the height, ${2 * radius}..${height} [m]`, low);
  }
  const maxSlope = requireSlope(where, spec.maxSlope ?? 0.87);
  const stepHeight = requireNonNegative(where, 'stepHeight', spec.stepHeight ?? Math.min(0.4, height / 3), 'm');
  if (stepHeight > height) refuse(where, `stepHeight must be at most the height, ${height} [m]`, stepHeight);
  const mass = requirePositive(where, 'mass', spec.mass ?? 70, 'kg');
  if (mass < SMALLEST_MASS || mass > LARGEST_MASS) {
    refuse(where, `mass must be at least ${SMALLEST_MASS} and at most ${LARGEST_MASS} [kg]`, mass);
  }
  const pushForce = requireNonNegative(where, 'pushForce', spec.pushForce ?? 300, 'N');
  const acceleration = requireRate(where, 'acceleration', spec.acceleration ?? Number.POSITIVE_INFINITY);
  const airAcceleration = requireRate(where, 'airAcceleration', spec.airAcceleration ?? 10);
  const gravityScale = spec.gravityScale ?? 1;
  if (!Number.isFinite(gravityScale)) refuse(where, 'gravityScale must be finite', gravityScale);
  const standing = findShape(physics, capsuleOf(radius, height), where);
  pinShape(physics, standing);
  const crouching = findShape(physics, capsuleOf(radius, low), where);
  pinShape(physics, crouching);
  const { position, rotation, layers, mask } = spec;

  const eid = addRigidBody(physics, {
    type: 'kinematic',
    shape: standing,
    friction: 0,
    ...(position !== undefined && { position }),
    ...(rotation !== undefined && { rotation }),
    ...(layers !== undefined && { layers }),
    ...(mask !== undefined && { mask }),
  });

  enableCharacters(physics);
  const { Character } = physics.components;
  if (!addSafely(physics.world, eid, Character)) return eid;
  ensureRow(physics, eid);
  if (!hasComponent(physics.world, eid, physics.components.RigidBody)) return eid;
  Character.maxSlope[eid] = maxSlope;
  Character.stepHeight[eid] = stepHeight;
  Character.acceleration[eid] = acceleration;
  Character.airAcceleration[eid] = airAcceleration;
  Character.mass[eid] = mass;
  Character.pushForce[eid] = pushForce;
  Character.gravityScale[eid] = gravityScale;
  const results = written(Character);
  results.standing[eid] = standing;
  results.crouching[eid] = crouching;
  const row = addActor(physics, 'Character', eid, slotOf(physics, eid, where));
  physics.internal.engine.tables.actors.state[L.ACTOR_NUMBERS * row + L.CHARACTER_GROUND] = -1;
  return eid;
}

const order: CharacterOrder = createCharacterOrder();

/** What is asked in the columns of an entity; numbers that are none are told and left out. */
function readOrder(physics: Physics, eid: number): void {
  const { Character } = physics.components;

  const finite = (name: string, value: number): number => {
    // Squares of more overflow; a move is cut long before.
    if (Number.isFinite(value)) return Math.min(Math.max(value, -1e100), 1e100);
    tellIgnored(physics, `Character.${name}`, eid, 'must be finite; 0 is taken', value);
    return 0;
  };

  const atLeast = (name: string, value: number, fallback: number): number => {
    if (value >= 0) return value;
    tellIgnored(physics, `Character.${name}`, eid, `must be >= 0; ${fallback} is taken`, value);
    return fallback;
  };
  const { move, push } = Character;
  order.move[0] = finite('move.x', move.x[eid]);
  order.move[1] = finite('move.y', move.y[eid]);
  order.move[2] = finite('move.z', move.z[eid]);
  order.push[0] = finite('push.x', push.x[eid]);
  order.push[1] = finite('push.y', push.y[eid]);
  order.push[2] = finite('push.z', push.z[eid]);
  order.jump = Math.max(0, finite('jump', Character.jump[eid]));
  push.x[eid] = push.y[eid] = push.z[eid] = Character.jump[eid] = 0;
  const slope = Character.maxSlope[eid];
  if (!(slope > 0 && slope < RIGHT_ANGLE)) {
    tellIgnored(physics, 'Character.maxSlope', eid, 'must be above 0 and below π/2 [rad]; 0.87 is taken', slope);
    Character.maxSlope[eid] = 0.87;
  }
  order.leastUp = cosine(Character.maxSlope[eid]) - 1e-9;
  order.stepHeight = Math.min(atLeast('stepHeight', Character.stepHeight[eid], 0), MOST_STEP);
  order.acceleration = atLeast('acceleration', Character.acceleration[eid], 0);
  order.airAcceleration = atLeast('airAcceleration', Character.airAcceleration[eid], 0);
  const mass = Character.mass[eid];
  const isMass = mass >= SMALLEST_MASS && mass <= LARGEST_MASS;
  if (!isMass) {
    const range = `must be at least ${SMALLEST_MASS} and at most ${LARGEST_MASS} [kg]; 70 is taken`;
    tellIgnored(physics, 'Character.mass', eid, range, mass);
  }
  order.mass = isMass ? mass : 70;
  order.pushForce = atLeast('pushForce', Character.pushForce[eid], 0);
  order.gravityScale = within(finite('gravityScale', Character.gravityScale[eid]), LARGEST_GRAVITY_SCALE);
}

/** Steps beyond this are no steps [m]. */
const MOST_STEP = 10;

/** Who wants to crouch, or to rise where there is room, gets another shape; its body is made anew in place. */
function copyIn(physics: Physics): void {
  const { components, internal } = physics;
  const { engine, queries } = internal;
  const { Character, Collider } = components;
  const { actors, bodies, colliders, shapes } = engine.tables;
  forEachActor(physics, 'Character', (row, eid) => {
    const crouches = Character.crouch[eid] !== 0;
    if (crouches === (Character.isCrouched[eid] !== 0)) return;
    const body = actors.body[row];
    if (!crouches) {
      const from = shapes.parameter[4 * colliders.shape[bodies.collider[body]] + HALF_HEIGHT];
      const to = shapeAt(internal, Character.standing[eid]);
      const half = to ? shapes.parameter[4 * to.parts[0].shape + HALF_HEIGHT] : from;
      if (!hasRoom(engine, queries, body, half)) return;
    }
    written(Character).isCrouched[eid] = crouches ? 1 : 0;
    Collider.shape[eid] = crouches ? Character.crouching[eid] : Character.standing[eid];
  });
}

/** Moves all characters, in the order of their rows: who comes later sees where those before will be. */
function prepare(physics: Physics): void {
  const { engine, queries } = physics.internal;
  const { actors, bodies } = engine.tables;
  forEachActor(physics, 'Character', (row, eid) => {
    const body = actors.body[row];
    if (bodies.entity[body] !== eid || bodies.flags[body] & L.BODY_QUARANTINED) return;
    readOrder(physics, eid);
    if (bodies.flags[body] & L.BODY_KINEMATIC) moveCharacter(engine, queries, row, order);
  });
  const {
    notes,
    engine: { report },
  } = physics.internal;
  if (notes.length > 0) for (const note of notes.splice(0)) report.limits.push(note);
}

const normal = new Float64Array(3);

/** Results to the columns. */
function show(physics: Physics): void {
  const { tables } = physics.internal.engine;
  const { actors, bodies } = tables;
  const { velocity, status, ground, groundNormal } = written(physics.components.Character);
  forEachActor(physics, 'Character', (row, eid) => {
    const at = L.ACTOR_NUMBERS * row;
    const { state } = actors;
    velocity.x[eid] = state[at];
    velocity.y[eid] = state[at + 1];
    velocity.z[eid] = state[at + 2];
    status[eid] = state[at + L.CHARACTER_STATUS];
    const body = state[at + L.CHARACTER_GROUND];
    ground[eid] = body < 0 ? 0 : bodies.entity[body];
    for (let k = 0; k < 3; k++) normal[k] = state[at + L.CHARACTER_NORMAL + k];
    const elastic = status[eid] === L.CHARACTER_STANDING ? 0 : footingOf(tables, at, normal);
    if (elastic !== 0) {
      status[eid] = L.CHARACTER_STANDING;
      ground[eid] = elastic;
    }
    groundNormal.x[eid] = normal[0];
    groundNormal.y[eid] = normal[1];
    groundNormal.z[eid] = normal[2];
  });
}

const characterModule: StepModule = { name: 'characters', copyIn, prepare, copyOut: show };
