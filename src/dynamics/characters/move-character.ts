// One step of a character: a capsule that walks, falls, climbs steps and rides on what it stands on.
//
// In: what it is asked to do, the tables, its row of the actors. Out: the kinematic target of its body, the row, forces
// on what it pushes and stands on. The capsule keeps SKIN from everything. On the ground the nearest move that all
// touches allow is looked for with height counting little, so that it keeps its speed over ground uphill and downhill,
// and what is too steep is a wall; in the air it is the plain one.
//
// Order: ride with the ground; walk or fall along the touches (slide); what stops it and is no higher than a step is
// climbed; what leaves it in the air less than a step above ground brings it down; then look what it stands on.

import { supportCore } from '../../collision/convex';
import { castRay, createRayHit, type QueryContext } from '../../collision/queries';
import { multiplyQuaternion, normalizeQuaternion, rotateVector, unrotateVector } from '../../math/quaternion';
import { cosine, sine } from '../../math/trigonometry';
import { bodyPoseAfter, POSE_TURN } from '../../mechanics/body-pose';
import * as L from '../../state/layout';
import { limitLength, wakeBody } from '../bodies';
import type { Engine } from '../engine';
import { findFooting, footing, isElasticBelow, leaveFooting } from './elastic-footing';
import { CARRIED, firstShare, isSettled, limitAcross, nextShare, RISE, riseOf, SHARE } from './loose-ground';
import { addPlane, nearestMove } from './nearest-move';
import {
  capsule,
  findTouches,
  hit,
  isDropped,
  near,
  origin,
  SKIN,
  sweep,
  TOUCH,
  takeObstacles,
  touches,
} from './obstacles';
import { beginPushes, giveWeight, notePush, pushBodies } from './push-bodies';
import { allow, beginPlanes, planes, takePlanes } from './touch-planes';
import { brace, braced } from './yield-to-elastic';

/** What a character is asked to do in a step, and what it is; one object a world, filled for each. */
export interface CharacterOrder {
  /** Velocity over the ground [m/s]; what points up of it does not count. */
  readonly move: Float64Array;
  /** Speed off the ground [m/s], 0 none; counts on the ground alone. */
  jump: number;
  /** Change of velocity by what hits it [m/s]. */
  readonly push: Float64Array;
  /** Cosine of the steepest ground that it stands on. */
  leastUp: number;
  /** [m] */
  stepHeight: number;
  /** How fast it gets to the velocity asked for on the ground, and in the air [m/s²]. */
  acceleration: number;
  airAcceleration: number;
  /** [kg] */
  mass: number;
  /** Most force on what is in its way [N]. */
  pushForce: number;
  gravityScale: number;
}

/** An order to stand still. */
export function createCharacterOrder(): CharacterOrder {
  return {
    move: new Float64Array(3),
    jump: 0,
    push: new Float64Array(3),
    leastUp: 0.7,
    stepHeight: 0.3,
    acceleration: Number.POSITIVE_INFINITY,
    airAcceleration: 10,
    mass: 70,
    pushForce: 200,
    gravityScale: 1,
  };
}

/** Turns of the walk in a step: touches met one after the other. */
const TURNS = 6;
/** Less way than this that is left is no reason to climb [m]. */
const LEAST_STEP = 1e-3;
/** Ground is looked for this much beyond the gap kept [m]. */
const GROUND = 2e-3;
/** Speed upwards that a push along the ground gives, as a share of it. */
const KNOCK = 0.25;
/** Farther than this it is not thrown in a step. */
const MOST_REACH = 20;

const up = new Float64Array(3);
const velocity = new Float64Array(3);
const wish = new Float64Array(3);
const relative = new Float64Array(3);
const carried = new Float64Array(3);
const groundVelocity = new Float64Array(3);
const left = new Float64Array(3);
const move = new Float64Array(3);
const before = new Float64Array(3);
const best = new Float64Array(3);
const way = new Float64Array(3);
const pull = new Float64Array(3);
const vector = new Float64Array(3);
const turn = new Float64Array(4);
const pose = new Float64Array(8);
const probe = createRayHit();

let engineOf: Engine;
let queriesOf: QueryContext;
let order: CharacterOrder;
let dt = 0;
let ownBody = -1;
let isPressed = true;
/** Whether ground that forces move runs off under its feet. */
let slips = false;
/** What classify found: status, row of `touches` of the ground. */
const ground = { status: L.CHARACTER_IN_AIR, touch: -1 };

function dot(a: Float64Array, i: number, b: Float64Array, k = 0): number {
  return a[i] * b[k] + a[i + 1] * b[k + 1] + a[i + 2] * b[k + 2];
}

/** out = a without what points up. */
function flatten(out: Float64Array, a: Float64Array): void {
  const height = dot(a, 0, up);
  for (let k = 0; k < 3; k++) out[k] = a[k] - height * up[k];
}

function lengthOf(a: Float64Array): number {
  return Math.sqrt(dot(a, 0, a));
}

/** Share of a dynamic body's motion towards the character that it gives way to. */
function shareOf(body: number): number {
  const { bodies } = engineOf.tables;
  let towards = 0;
  for (let k = 0; k < 3; k++) {
    const apart = bodies.position[4 * ownBody + k] - bodies.position[4 * body + k];
    towards += apart * (bodies.linearVelocity[4 * body + k] - velocity[k]);
  }
  if (!(towards > 0)) return 1;
  const mass = 1 / bodies.inverseMass[body];
  return mass / (mass + order.mass);
}

/** Advances the character in row `actor` by one step. */
export function moveCharacter(engine: Engine, queries: QueryContext, actor: number, asked: CharacterOrder): void {
  const { arena, tables } = engine;
  const { bodies, actors } = tables;
  engineOf = engine;
  queriesOf = queries;
  order = asked;
  dt = arena.f64[L.TIME_STEP >> 3];
  ownBody = actors.body[actor];
  const row = L.ACTOR_NUMBERS * actor;
  const { state } = actors;
  const at = 4 * ownBody;
  vector[0] = vector[2] = 0;
  vector[1] = 1;
  rotateVector(up, 0, bodies.rotation, at, vector, 0);
  for (let k = 0; k < 3; k++) velocity[k] = state[row + L.CHARACTER_VELOCITY + k] + order.push[k];

  brace(state, row, up, dt, order);
  takePull();
  const wasStanding = rideGround(row);
  const fall = Math.abs(dt * dot(pull, 0, up));
  findFooting(engine, row, ownBody, up, velocity, { mass: order.mass, leastUp: order.leastUp, fall });
  const isStanding = planVelocity(row, wasStanding);
  for (let k = 0; k < 3; k++) move[k] = isStanding ? carried[k] + dt * relative[k] : dt * velocity[k];
  limitLength(move, 0, MOST_REACH);
  takeObstacles(engine, queries, ownBody, lengthOf(move) + order.stepHeight + 0.3, shareOf);
  beginPlanes(engine, up, order.leastUp, dt);
  beginPushes(engine, ownBody, order.mass, order.pushForce, dt);

  slide(move, isStanding);
  if (isStanding) {
    climb();
    stick();
  }
  findTouches(SKIN + GROUND);
  classify(wasStanding && !isStanding);
  settleVelocity(isStanding);
  keepGround(row, isStanding);
  pushBodies();
  place(row);
}

/** Takes gravity: `pull` [m/s²], and whether it presses feet to level ground no more aslant than to what bears. */
function takePull(): void {
  const { f64 } = engineOf.arena;
  for (let k = 0; k < 3; k++) pull[k] = order.gravityScale * f64[(L.GRAVITY >> 3) + k];
  isPressed = -dot(pull, 0, up) >= order.leastUp * lengthOf(pull);
}

/** How the ground moves in this step: `carried` [m], `groundVelocity`; whether the character stands on anything. */
function rideGround(row: number): boolean {
  const { bodies, actors } = engineOf.tables;
  const { state } = actors;
  carried.fill(0);
  groundVelocity.fill(0);
  turn.fill(0);
  turn[3] = 1;
  slips = false;
  if (state[row + L.CHARACTER_STATUS] !== L.CHARACTER_STANDING || !isPressed) return false;
  const body = state[row + L.CHARACTER_GROUND];
  if (body < 0) return true;
  const alive = bodies.flags[body] & L.BODY_ALIVE && bodies.generation[body] === state[row + L.CHARACTER_GROUND_AGE];
  if (!alive) return true;
  if (bodies.flags[body] & L.BODY_KINEMATIC && !(bodies.flags[body] & L.BODY_HAS_TARGET) && isDropped(body))
    return true;
  bodyPoseAfter(pose, engineOf.tables, body, dt, bodies);
  for (let k = 0; k < 3; k++) vector[k] = state[row + L.CHARACTER_POINT + k] - bodies.position[4 * body + k];
  unrotateVector(vector, 0, bodies.rotation, 4 * body, vector, 0);
  rotateVector(vector, 0, pose, 4, vector, 0);
  for (let k = 0; k < 3; k++) {
    carried[k] = vector[k] + pose[k] - state[row + L.CHARACTER_POINT + k];
    groundVelocity[k] = carried[k] / dt;
  }
  addSurfaceVelocity(body);
  if (bodies.flags[body] & L.BODY_DYNAMIC) rideLoose(row, body);
  // Feet that slip turn no more than they go along.
  if (slips) return true;
  // It turns with the ground about its own axis.
  const spin = 2 * dot(up, 0, turnOf(body));
  turn[3] = cosine(0.5 * spin);
  const s = sine(0.5 * spin);
  for (let k = 0; k < 3; k++) turn[k] = s * up[k];
  return true;
}

/** The same on what forces move, and what of the weight that bears in this step. */
function rideLoose(row: number, body: number): void {
  const { state } = engineOf.tables.actors;
  const fall = dt * dot(pull, 0, up);
  const sinking = (state[row + RISE] - riseOf(engineOf, body, state, row + L.CHARACTER_POINT, up)) / dt;
  const last = { share: state[row + SHARE], sinking, pull: -fall / dt };
  state[row + SHARE] = nextShare(engineOf, body, order.mass, last);
  slips = limitAcross(groundVelocity, up, { fall, before: state[row + CARRIED] });
  if (slips) for (let k = 0; k < 3; k++) carried[k] = dt * groundVelocity[k];
}

/** A conveyor carries what stands on it. */
function addSurfaceVelocity(body: number): void {
  const { bodies } = engineOf.tables;
  if (!(bodies.flags[body] & L.BODY_SURFACE)) return;
  rotateVector(vector, 0, bodies.rotation, 4 * body, bodies.surfaceVelocity, 4 * body);
  for (let k = 0; k < 3; k++) {
    carried[k] += dt * vector[k];
    groundVelocity[k] += vector[k];
  }
}

/** Half the turn of a body in this step, about world axes: small ones, as of platforms [rad]. */
function turnOf(body: number): Float64Array {
  const { rotation } = engineOf.tables.bodies;
  const at = 4 * body;
  for (let k = 0; k < 3; k++) turn[k] = -rotation[at + k];
  turn[3] = rotation[at + 3];
  multiplyQuaternion(turn, 0, pose, 4, turn, 0);
  const sign = turn[3] < 0 ? -1 : 1;
  for (let k = 0; k < 3; k++) vector[k] = sign * turn[k];
  return vector;
}

/** Velocity for the step: on the ground into `relative` to it, else into `velocity`. Whether it stays on the ground. */
function planVelocity(row: number, wasStanding: boolean): boolean {
  const { state } = engineOf.tables.actors;
  flatten(wish, order.move);
  const rise = dot(order.push, 0, up);
  flatten(vector, order.push);
  // A knock lifts it off the ground, or its feet would take it up at once.
  const knock = KNOCK * lengthOf(vector);
  const jumps = order.jump > 0 || rise > 0 || knock > 0;
  if (wasStanding) {
    for (let k = 0; k < 3; k++) relative[k] = velocity[k] - groundVelocity[k];
    flatten(relative, relative);
    if (knock === 0) approach(relative, order.acceleration);
    if (!jumps) {
      // Along the ground, at the speed asked for over its plan.
      const height = dot(state, row + L.CHARACTER_NORMAL, up);
      if (height >= order.leastUp) {
        const climb = -dot(state, row + L.CHARACTER_NORMAL, relative) / height;
        for (let k = 0; k < 3; k++) relative[k] += climb * up[k];
      }
      return true;
    }
    const take = Math.max(order.jump, rise, knock);
    for (let k = 0; k < 3; k++) velocity[k] = relative[k] + groundVelocity[k] + take * up[k];
    return false;
  }
  if (footing.isBorne) {
    planOnElastic(row, knock === 0, jumps ? Math.max(order.jump, rise, knock) : 0);
    return false;
  }
  if (state[row + L.CHARACTER_STATUS] === L.CHARACTER_SLIDING) {
    // Nobody walks up what is too steep.
    flatten(vector, state.subarray(row + L.CHARACTER_NORMAL, row + L.CHARACTER_NORMAL + 3));
    const square = dot(vector, 0, vector);
    const into = square > 1e-12 ? Math.min(0, dot(vector, 0, wish) / square) : 0;
    for (let k = 0; k < 3; k++) wish[k] -= into * vector[k];
  }
  if (lengthOf(wish) > 0) {
    flatten(vector, velocity);
    for (let k = 0; k < 3; k++) {
      relative[k] = vector[k];
      velocity[k] -= vector[k];
    }
    approach(relative, order.airAcceleration);
    for (let k = 0; k < 3; k++) velocity[k] += relative[k];
  }
  addGravity();
  return false;
}

/** Velocity for the step of one that something elastic bears: it walks over that; `take` [m/s], above 0: off it. */
function planOnElastic(row: number, isWalking: boolean, take: number): void {
  // What is light runs off under the feet: a rope that snaps aside takes along by their friction.
  const before = engineOf.tables.actors.state[row + CARRIED];
  limitAcross(footing.velocity, up, { fall: dt * dot(pull, 0, up), before });
  const under = dot(footing.velocity, 0, up);
  const height = dot(velocity, 0, up);
  for (let k = 0; k < 3; k++) relative[k] = velocity[k] - footing.velocity[k];
  flatten(relative, relative);
  // Feet push off: nothing to lean against.
  braced.lean = 0;
  if (isWalking) approach(relative, order.acceleration);
  // What sinks under who lands on it takes nothing off a jump.
  const rise = take > 0 ? Math.max(height, Math.max(under, 0) + take) : height;
  for (let k = 0; k < 3; k++) velocity[k] = relative[k] + footing.velocity[k] + (rise - under) * up[k];
  if (take > 0) leaveFooting(engineOf.tables.actors.state, row);
  else addGravity();
}

function addGravity(): void {
  for (let k = 0; k < 3; k++) velocity[k] += dt * pull[k];
}

/** Brings a flat velocity nearer to the wish; towards what is elastic and pushes, by no more than the push force. */
function approach(flat: Float64Array, acceleration: number): void {
  const { away, lean } = braced;
  let square = 0;
  for (let k = 0; k < 3; k++) square += (wish[k] - lean * away[k] - flat[k]) ** 2;
  const distance = Math.sqrt(square);
  const most = acceleration * dt;
  const share = distance <= most ? 1 : most / distance;
  // Feet that are pushed back stop at once: from there on the push force drives.
  const least = Math.min(0, dot(away, 0, flat)) - braced.most;
  for (let k = 0; k < 3; k++) {
    const to = wish[k] - lean * away[k];
    flat[k] = share === 1 ? to : flat[k] + share * (to - flat[k]);
  }
  const missing = least - dot(away, 0, flat);
  if (missing > 0) for (let k = 0; k < 3; k++) flat[k] += missing * away[k];
}

/** Whether ground with this touch bears the character: flat enough, or the edge of something that is. */
function bears(normal: Float64Array, n: number, point: Float64Array, p: number): boolean {
  const height = dot(normal, n, up);
  if (height >= order.leastUp) return true;
  if (height < 0.02) return false;
  // Above the lower end of the capsule's axis it is no edge to stand on.
  const foot = dot(point, p, up) - dot(capsule.position, 0, up);
  if (foot > -capsule.size[1]) return false;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    vector[k] = normal[n + k] - height * up[k];
    square += vector[k] * vector[k];
  }
  const length = Math.sqrt(square);
  for (let k = 0; k < 3; k++) {
    way[k] = origin[k] + point[p + k] - (0.02 / length) * vector[k] + 0.05 * up[k];
    vector[k] = -up[k];
  }
  const mask = engineOf.tables.colliders.layers[engineOf.tables.bodies.collider[ownBody]] >>> 16;
  if (!castRay(queriesOf, way, vector, 0.1, probe, { mask, ignoreBody: ownBody })) return false;
  return probe.distance > 0 && dot(probe.normal, 0, up) >= order.leastUp;
}

/** Moves the capsule by `wanted` [m], along what it touches. */
function slide(wanted: Float64Array, isStanding: boolean): void {
  left.set(wanted);
  for (let k = 0; k < TURNS; k++) {
    findTouches(SKIN + TOUCH);
    for (let i = 0; i < touches.count; i++) notePush(i, left);
    allow(move, left, isStanding);
    if (lengthOf(move) < 1e-9) return;
    const share = sweep(move);
    if (share === 1) return;
    for (let c = 0; c < 3; c++) left[c] *= 1 - share;
  }
}

/** Goes up a step where a wall has stopped it, if there is ground to stand on. */
function climb(): void {
  if (order.stepHeight <= 0) return;
  // What is left of the way; where a wall takes all of it nothing is gained on top either.
  flatten(wish, relative);
  flatten(vector, capsule.position);
  for (let k = 0; k < 3; k++) wish[k] = dt * wish[k] - vector[k];
  flatten(vector, carried);
  for (let k = 0; k < 3; k++) wish[k] += vector[k];
  const forward = lengthOf(wish);
  if (forward < LEAST_STEP) return;
  best.set(capsule.position);
  for (let k = 0; k < 3; k++) way[k] = order.stepHeight * up[k];
  const lift = order.stepHeight * sweep(way);
  before.set(capsule.position);
  stepAlong(wish);
  let gained = 0;
  for (let k = 0; k < 3; k++) gained += (wish[k] / forward) * (capsule.position[k] - before[k]);
  if (lift > 1e-3 && gained > 0.5 * LEAST_STEP) {
    for (let k = 0; k < 3; k++) way[k] = -lift * up[k];
    sweep(way);
    // By the place that it would stand on: the capsule's round end would creep up what is higher.
    const rise = dot(hit.point, 0, up) - dot(best, 0, up) + capsule.size[1] + capsule.rounding + SKIN;
    if (hit.obstacle >= 0 && rise <= order.stepHeight + 1e-3 && bears(hit.normal, 0, hit.point, 0)) return;
  }
  capsule.position.set(best);
}

/** Moves along walls, without pushing anything. */
function stepAlong(wanted: Float64Array): void {
  findTouches(SKIN + TOUCH);
  allow(move, wanted, true);
  if (lengthOf(move) > 1e-9) sweep(move);
}

/** Comes down to ground that is no lower than a step. */
function stick(): void {
  findTouches(SKIN + TOUCH);
  for (let i = 0; i < touches.count; i++) {
    if (bears(touches.normal, 3 * i, touches.point, 3 * i)) return;
  }
  before.set(capsule.position);
  for (let k = 0; k < 3; k++) way[k] = -(order.stepHeight + TOUCH) * up[k];
  sweep(way);
  if (hit.obstacle >= 0 && bears(hit.normal, 0, hit.point, 0) && !isOverElastic()) return;
  capsule.position.set(before);
}

/** Whether the way down from `before` leads through something elastic. */
function isOverElastic(): boolean {
  const drop = dot(before, 0, up) - dot(capsule.position, 0, up);
  const radius = capsule.rounding;
  const low = capsule.size[1] + radius;
  for (let k = 0; k < 3; k++) vector[k] = origin[k] + capsule.position[k] - low * up[k];
  return isElasticBelow(engineOf, ownBody, vector, up, { drop, radius });
}

/** What the character stands on, into `ground`; one that has just left the ground by itself does not. */
function classify(isLeaving: boolean): void {
  ground.status = L.CHARACTER_IN_AIR;
  ground.touch = -1;
  const { normal, point } = touches;
  let most = 0.02;
  for (let i = 0; i < touches.count; i++) {
    const height = dot(normal, 3 * i, up);
    if (isLeaving && height > 0) {
      velocityAt(vector, i);
      let apart = 0;
      for (let k = 0; k < 3; k++) apart += normal[3 * i + k] * (velocity[k] - vector[k]);
      if (apart > 1e-6) continue;
    }
    const isBearing = height > 0 && isPressed && bears(normal, 3 * i, point, 3 * i);
    const rank = isBearing ? L.CHARACTER_STANDING : L.CHARACTER_SLIDING;
    const known = ground.status === L.CHARACTER_IN_AIR ? 3 : ground.status;
    if (height <= 0.02 || rank > known || (rank === known && height <= most)) continue;
    most = height;
    ground.status = rank;
    ground.touch = i;
  }
  if (ground.status !== L.CHARACTER_SLIDING) return;
  // Between slopes that leave no way down it stands, steep as they are.
  takePlanes(false, 2);
  planes.least.fill(0, 0, planes.count);
  const size = lengthOf(pull);
  for (let k = 0; k < 3; k++) vector[k] = size > 0 ? pull[k] / size : -up[k];
  if (isPressed && nearestMove(way, planes, vector) && lengthOf(way) < 1e-3) ground.status = L.CHARACTER_STANDING;
}

/** Velocity of the obstacle at a touch, as it moves in this step [m/s]. */
function velocityAt(out: Float64Array, touch: number): void {
  const { bodies } = engineOf.tables;
  const at = touches.obstacle[touch];
  const body = near.body[at];
  const rotations = near.pose;
  // The point where it was at the start of the step.
  for (let k = 0; k < 3; k++) out[k] = origin[k] + touches.point[3 * touch + k] - near.pose[8 * at + k];
  unrotateVector(out, 0, rotations, 8 * at + POSE_TURN, out, 0);
  rotateVector(out, 0, bodies.rotation, 4 * body, out, 0);
  for (let k = 0; k < 3; k++) {
    const start = out[k] + bodies.position[4 * body + k];
    out[k] = (origin[k] + touches.point[3 * touch + k] - start) / dt;
  }
}

/** The velocity that is left of the one asked for. */
function settleVelocity(isStanding: boolean): void {
  if (isStanding) for (let k = 0; k < 3; k++) velocity[k] = relative[k] + groundVelocity[k];
  planes.count = 0;
  const { normal } = touches;
  for (let i = 0; i < touches.count; i++) {
    if (touches.gap[i] > SKIN + GROUND) continue;
    velocityAt(vector, i);
    const bound = dot(normal, 3 * i, vector);
    const height = dot(normal, 3 * i, up);
    // On the ground walls stop what is flat of the velocity.
    if (isStanding && height > 0) {
      if (height >= order.leastUp || i === ground.touch) continue;
      const [x, y, z] = [0, 1, 2].map((k) => normal[3 * i + k] - height * up[k]);
      if (x * x + y * y + z * z > 2.5e-3) addPlane(planes, x, y, z, x * vector[0] + y * vector[1] + z * vector[2]);
    } else addPlane(planes, normal[3 * i], normal[3 * i + 1], normal[3 * i + 2], bound);
  }
  if (planes.count > 0 && !nearestMove(velocity, planes, velocity)) {
    for (let k = 0; k < 3; k++) velocity[k] = groundVelocity[k];
  }
  if (!isStanding || ground.status !== L.CHARACTER_STANDING) {
    // What walks off an edge falls from there: it is not thrown by the slope that it came up.
    if (!isStanding) return;
  }
  const height = dot(velocity, 0, up) - dot(groundVelocity, 0, up);
  for (let k = 0; k < 3; k++) velocity[k] -= height * up[k];
}

/** Notes what it stands on; what can move bears its weight. */
function keepGround(row: number, isStanding: boolean): void {
  const { actors, bodies } = engineOf.tables;
  const { state } = actors;
  const body = ground.touch < 0 ? -1 : near.body[touches.obstacle[ground.touch]];
  const age = body < 0 ? 0 : bodies.generation[body];
  const isOther = state[row + L.CHARACTER_GROUND] !== body || state[row + L.CHARACTER_GROUND_AGE] !== age;
  const isNew = isOther || state[row + L.CHARACTER_STATUS] !== ground.status;
  state[row + L.CHARACTER_STATUS] = ground.status;
  state[row + L.CHARACTER_GROUND] = body;
  state[row + L.CHARACTER_GROUND_AGE] = age;
  for (let k = 0; k < 3; k++) {
    const isFound = ground.touch >= 0;
    state[row + L.CHARACTER_NORMAL + k] = isFound ? touches.normal[3 * ground.touch + k] : 0;
    state[row + L.CHARACTER_POINT + k] = isFound ? origin[k] + touches.point[3 * ground.touch + k] : 0;
    state[row + L.CHARACTER_VELOCITY + k] = velocity[k];
  }
  flatten(vector, isStanding ? groundVelocity : footing.isBorne ? footing.velocity : velocity);
  state[row + CARRIED] = lengthOf(vector);
  if (ground.status !== L.CHARACTER_STANDING || body < 0 || !(bodies.flags[body] & L.BODY_DYNAMIC)) {
    state[row + SHARE] = ground.status === L.CHARACTER_STANDING ? 1 : 0;
    return;
  }
  state[row + RISE] = riseOf(engineOf, body, state, row + L.CHARACTER_POINT, up);
  if (isNew || slips) state[row + SHARE] = firstShare(engineOf, body, state[row + SHARE], order.mass);
  const share = state[row + SHARE];
  giveWeight(body, state, row + L.CHARACTER_POINT, order.gravityScale * share, isNew || !isSettled(share));
}

/** The body's target: where the capsule got to, turned with the ground. */
function place(row: number): void {
  const { bodies } = engineOf.tables;
  const at = 4 * ownBody;
  const hasTurn = turn[3] !== 1 && row >= 0;
  let isMoved = hasTurn;
  for (let k = 0; k < 3; k++) isMoved ||= capsule.position[k] !== 0;
  if (!isMoved) return;
  for (let k = 0; k < 3; k++) bodies.targetPosition[at + k] = origin[k] + capsule.position[k];
  for (let k = 0; k < 4; k++) bodies.targetRotation[at + k] = bodies.rotation[at + k];
  if (hasTurn) {
    multiplyQuaternion(bodies.targetRotation, at, turn, 0, bodies.targetRotation, at);
    normalizeQuaternion(bodies.targetRotation, at, bodies.targetRotation, at);
  }
  bodies.flags[ownBody] |= L.BODY_HAS_TARGET;
  wakeBody(engineOf, ownBody);
}

/** Whether the capsule of `body` with this half height instead would be free, standing where it stands. */
export function hasRoom(engine: Engine, queries: QueryContext, body: number, half: number): boolean {
  ownBody = body;
  engineOf = engine;
  takeObstacles(engine, queries, body, 2 * half + SKIN, () => 1);
  const { rotation } = engine.tables.bodies;
  vector[0] = vector[2] = 0;
  vector[1] = 1;
  rotateVector(up, 0, rotation, 4 * body, vector, 0);
  const rise = half - capsule.size[1];
  for (let k = 0; k < 3; k++) capsule.position[k] = rise * up[k];
  capsule.size[1] = half;
  findTouches(0);
  supportCore(capsule, up[0], up[1], up[2], vector, 0);
  return touches.count === 0;
}
