// The way of a pair of colliders through the step: their poses on it, and when they first touch.
//
// In: two colliders, BODY_MOTION of their bodies. Out: the share of the step after which they touch, found by
// conservative advancement (Mirtich 1996, "Impulse-based dynamic simulation of rigid bodies", 2.3): the distance of
// the shapes divided by the most at which it can shrink is a time that passes without a touch. With an exact distance
// (edges and rims are not rounded) a near miss is a miss, however near.
// `placeAt` moves bodies and colliders in their tables; `closeSweep` puts them back bit for bit.
// `findSink` asks when they overlap by more than is allowed: a sheet that turns about the edge on which it lies, a coin
// that rolls on its rim, touch all the way and go no deeper. The shapes overlap by no more than along any axis: the
// one along which they were apart last will do, or the triangle's own.
// Limit: ADVANCES looks, beyond them, where few pairs are in hand, what is left of
// MORE_ADVANCES for all pairs of the step; a pair that has not been
// decided by then, turning fast and very near, counts as touching.

import {
  BODY_AWAKE_INDEX,
  BODY_FLAGS,
  BODY_MOTION,
  BODY_POSITION,
  BODY_ROTATION,
  BODY_STATIC,
  COLLIDER_BODY,
  COLLIDER_LOCAL_POSITION,
  COLLIDER_POSITION,
  COLLIDER_ROTATION,
  COLLIDER_SHAPE,
  ROUND_KINDS,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_KIND,
  SHAPE_PARAMETER,
  SHAPE_PLANE,
  SHAPE_SPHERE,
  TIME_STEP,
  TRIANGLE_KINDS,
} from '../../../state/layout';
import { placeCollider, row4 } from '../math/boxes';
import * as R from '../math/rotation';
import { dot3 } from '../math/vector';
import { column, copy32, getI32, parameter } from '../memory';
import { apartX, apartY, apartZ, coreDistance, gjkX, gjkY, gjkZ } from '../shapes/gjk';
import { isOneOf, kindOf } from '../shapes/kinds';
import {
  extent,
  faceX,
  faceY,
  faceZ,
  ox,
  oy,
  oz,
  placeA,
  placeB,
  readFace,
  SLOT_A,
  SLOT_B,
  separationAlong,
  sharpenCore,
  slotPosition,
  slotSize,
  toWorking,
  turnToWorking,
  turnToWorld,
} from '../shapes/support';
import { addToSweep, nextTriangle, startTriangles, useTriangle } from './sweep-mesh';

/** What `findTouch` gives for a pair that passes: more than any share of the step. */
export const NO_TOUCH: f64 = 2;
/** Looks at a pair on its way. */
const ADVANCES: i32 = 100;
/**
 * Further looks of a step, for the few pairs that need more: the most that was met is 400
 * (a cylinder past a spinning cone).
 */
const MORE_ADVANCES: i32 = 4000;
/** Nearer than this share of the smaller shape's radius is touching. */
export const TOUCH_SHARE: f64 = 1e-6;

// Poses as they were: body A's position and rotation, its collider's, then those of B.
const SAVED: usize = memory.data(8 * 32, 16);
const STILL: usize = memory.data(64, 16);

let moreAdvances: i32 = 0;
let mayGoOn: bool = false;
/** How fast the pair of the last `findTouch` comes together where its way is found to end, at most [m a step]. */
export let touchSpeed: f64 = 0;
let colliderA: i32 = 0;
let colliderB: i32 = 0;
let bodyA: i32 = 0;
let bodyB: i32 = 0;
let motionA: usize = 0;
let motionB: usize = 0;
/** Distance at which the pair counts as touching [m]. */
let touchDistance: f64 = 0;
/** Overlap that the search in hand allows [m]. */
let allowance: f64 = 0;
/** Balls and capsules: how deep they overlap is exact, too, unless their axes cross. */
let isRoundPair: bool = false;
/** Overlap of the pair at the start of the step, known of balls and capsules alone: else 0 [m]. */
export let startOverlap: f64 = 0;

/** Velocity with which a body moves through the step: linear, angular (4 + 4 f64); zeros for one that does not. */
export function motionOf(body: i32): usize {
  const moves = getI32(column(BODY_AWAKE_INDEX), body) >= 0 && (getI32(column(BODY_FLAGS), body) & BODY_STATIC) == 0;
  return moves ? column(BODY_MOTION) + ((<usize>body) << 6) : STILL;
}

/** Radius of the ball about a shape's box [m]. */
export function radiusOf(collider: i32): f64 {
  const box = column(SHAPE_BOX) + <usize>getI32(column(COLLIDER_SHAPE), collider) * 48;
  const x = load<f64>(box, 24) - load<f64>(box);
  const y = load<f64>(box, 32) - load<f64>(box, 8);
  const z = load<f64>(box, 40) - load<f64>(box, 16);
  return 0.5 * sqrt(dot3(x, y, z, x, y, z));
}

/** Begins with a step: its further looks are there again. */
export function beginSweeps(): void {
  moreAdvances = MORE_ADVANCES;
}

/**
 * Whether the next pairs may use them. Not in a crowd: there a pair that turns past another
 * is thrown against it by the rest.
 */
export function allowMore(allowed: bool): void {
  mayGoOn = allowed;
}

/** Begins with a pair; every `openSweep` needs its `closeSweep`. */
export function openSweep(a: i32, b: i32): void {
  colliderA = a;
  colliderB = b;
  bodyA = getI32(column(COLLIDER_BODY), a);
  bodyB = getI32(column(COLLIDER_BODY), b);
  motionA = motionOf(bodyA);
  motionB = motionOf(bodyB);
  touchDistance = TOUCH_SHARE * min(radiusOf(a), radiusOf(b));
  isRoundPair = isOneOf(kindOf(a), ROUND_KINDS) && isOneOf(kindOf(b), ROUND_KINDS);
  copySide(0, bodyA, a, false);
  copySide(128, bodyB, b, false);
}

/** Puts bodies and colliders back where they were. */
export function closeSweep(): void {
  copySide(0, bodyA, colliderA, true);
  copySide(128, bodyB, colliderB, true);
}

function copySide(at: usize, body: i32, collider: i32, back: bool): void {
  copyRow(at, row4(BODY_POSITION, body), back);
  copyRow(at + 32, row4(BODY_ROTATION, body), back);
  copyRow(at + 64, row4(COLLIDER_POSITION, collider), back);
  copyRow(at + 96, row4(COLLIDER_ROTATION, collider), back);
}

function copyRow(at: usize, row: usize, back: bool): void {
  if (back) copy32(row, SAVED + at);
  else copy32(SAVED + at, row);
}

/** Moves the pair to where it is after the share `t` of the step. */
export function placeAt(t: f64): void {
  closeSweep();
  if (t == 0) return;
  const time = t * parameter(TIME_STEP);
  moveSide(bodyA, colliderA, motionA, time);
  moveSide(bodyB, colliderB, motionB, time);
}

function moveSide(body: i32, collider: i32, motion: usize, time: f64): void {
  if (motion == STILL) return;
  const position = row4(BODY_POSITION, body);
  for (let k: usize = 0; k < 24; k += 8) {
    store<f64>(position + k, load<f64>(position + k) + time * load<f64>(motion + k));
  }
  R.expRotation(time * load<f64>(motion, 32), time * load<f64>(motion, 40), time * load<f64>(motion, 48));
  R.turnRotation(column(BODY_ROTATION), body);
  placeCollider(collider, body, row4(COLLIDER_POSITION, collider), row4(COLLIDER_ROTATION, collider));
}

/**
 * Share of the step after which the opened pair first touches, NO_TOUCH if it passes.
 * Leaves the pair anywhere on its way.
 */
export function findTouch(): f64 {
  return findSink(0);
}

/**
 * The same for where it first overlaps by more than `allowed` [m]; 0 where it does at the start, and for what is not
 * round where it touches there.
 */
export function findSink(allowed: f64): f64 {
  allowance = allowed;
  const kind = kindOf(colliderB);
  if (!isOneOf(kind, TRIANGLE_KINDS)) return advance(kind, NO_TOUCH);
  // The first touch of all triangles on the way.
  placeAt(0);
  placeB(colliderB);
  placeA(colliderA);
  startTriangles(turnReach());
  addToSweep();
  placeAt(1);
  placeB(colliderB);
  placeA(colliderA);
  addToSweep();
  let first = NO_TOUCH;
  while (nextTriangle()) first = min(first, advance(kind, first));
  return first;
}

/** Sum of what the turns of both bodies move any point of the shapes at most in the step [m]. */
function turnReach(): f64 {
  return turnOf(colliderA, motionA) + turnOf(colliderB, motionB);
}

function turnOf(collider: i32, motion: usize): f64 {
  const squared = dot3(
    load<f64>(motion, 32),
    load<f64>(motion, 40),
    load<f64>(motion, 48),
    load<f64>(motion, 32),
    load<f64>(motion, 40),
    load<f64>(motion, 48),
  );
  return squared == 0 ? 0 : sqrt(squared) * armOf(collider) * parameter(TIME_STEP);
}

/** Most that a point of the shape lies from its body's centre of mass [m]; of a ball or capsule, of its core. */
function armOf(collider: i32): f64 {
  const local = row4(COLLIDER_LOCAL_POSITION, collider);
  const shape = getI32(column(COLLIDER_SHAPE), collider);
  const kind = getI32(column(SHAPE_KIND), shape);
  const x = load<f64>(local);
  const y = load<f64>(local, 8);
  const z = load<f64>(local, 16);
  const origin = sqrt(dot3(x, y, z, x, y, z));
  if (kind == SHAPE_SPHERE) return origin;
  if (kind == SHAPE_CAPSULE) return origin + load<f64>(row4(SHAPE_PARAMETER, shape), 8);
  const box = column(SHAPE_BOX) + <usize>shape * 48;
  const mx = max(-load<f64>(box), load<f64>(box, 24));
  const my = max(-load<f64>(box, 8), load<f64>(box, 32));
  const mz = max(-load<f64>(box, 16), load<f64>(box, 40));
  return origin + sqrt(dot3(mx, my, mz, mx, my, mz));
}

/** First touch of the pair (with a mesh: of A and the triangle in hand), NO_TOUCH if there is none before `latest`. */
function advance(kind: i32, latest: f64): f64 {
  const dt = parameter(TIME_STEP);
  const vx = dt * (load<f64>(motionB) - load<f64>(motionA));
  const vy = dt * (load<f64>(motionB, 8) - load<f64>(motionA, 8));
  const vz = dt * (load<f64>(motionB, 16) - load<f64>(motionA, 16));
  const reach = sqrt(dot3(vx, vy, vz, vx, vy, vz)) + turnReach();
  let t: f64 = 0;
  let speed: f64 = 0;
  wayX = wayY = wayZ = 0;
  for (let look = 0; look < ADVANCES || (mayGoOn && moreAdvances > 0); look++) {
    if (look >= ADVANCES) moreAdvances--;
    placeAt(t);
    // Farther apart than this they do not touch in what is left of the step, wherever their closest points are.
    const far = touchDistance + (min(1.0, latest) - t) * reach;
    let distance = measure(kind, far);
    if (distance > far) return NO_TOUCH;
    if (t == 0) startOverlap = isRoundPair ? max(0.0, -distance) : 0;
    if (allowance > 0 && (t > 0 || isRoundPair)) {
      if (distance <= touchDistance && !isRoundPair) distance = leastOverlap(kind, distance);
      distance += allowance;
    }
    // Velocity of B seen from A along the normal A → B: below 0 it comes nearer.
    turnToWorld(wayX, wayY, wayZ);
    const nx = ox;
    const ny = oy;
    const nz = oz;
    axisX = nx;
    axisY = ny;
    axisZ = nz;
    turnSpeed = 0;
    turnGrowth = 0;
    addTurn(SLOT_A, bodyA, colliderA, motionA, nx, ny, nz);
    if (kind == SHAPE_PLANE) turnSpeed += planeTurn();
    else addTurn(SLOT_B, bodyB, colliderB, motionB, -nx, -ny, -nz);
    // Distance is closed by speed · t + ½ growth · t² at most.
    speed = turnSpeed - dot3(nx, ny, nz, vx, vy, vz);
    if (distance <= touchDistance) break;
    if (turnGrowth == 0 && speed <= 0) return NO_TOUCH;
    t += (2 * distance) / (speed + sqrt(speed * speed + 2 * turnGrowth * distance));
    if (t > min(1.0, latest)) return NO_TOUCH;
  }
  touchSpeed = speed;
  return t;
}

// Most that points come along a normal by the turns of their bodies, in steps: speed [m], its growth [m].
let turnSpeed: f64 = 0;
let turnGrowth: f64 = 0;

/**
 * Adds what the turn of a body moves the slot's points along unit n: n·(ω × r) = (n ×
 * ω)·r now, and as r turns by at most
 * |ω| |r| t, it grows at most by |n × ω| |ω| |r|.
 */
function addTurn(slot: usize, body: i32, collider: i32, motion: usize, nx: f64, ny: f64, nz: f64): void {
  const dt = parameter(TIME_STEP);
  const wx = dt * load<f64>(motion, 32);
  const wy = dt * load<f64>(motion, 40);
  const wz = dt * load<f64>(motion, 48);
  const spin = sqrt(dot3(wx, wy, wz, wx, wy, wz));
  if (spin == 0) return;
  const dx = ny * wz - nz * wy;
  const dy = nz * wx - nx * wz;
  const dz = nx * wy - ny * wx;
  const across = sqrt(dot3(dx, dy, dz, dx, dy, dz));
  if (across == 0) return;
  turnToWorking(dx / across, dy / across, dz / across);
  const ex = ox;
  const ey = oy;
  const ez = oz;
  const center = row4(BODY_POSITION, body);
  toWorking(load<f64>(center), load<f64>(center, 8), load<f64>(center, 16));
  // The skin of a ball or a capsule does not move as it turns.
  turnSpeed += across * (extent(slot, ex, ey, ez) - skinOf(collider) - dot3(ex, ey, ez, ox, oy, oz));
  turnGrowth += across * spin * armOf(collider);
}

function skinOf(collider: i32): f64 {
  const shape = getI32(column(COLLIDER_SHAPE), collider);
  return isOneOf(getI32(column(SHAPE_KIND), shape), ROUND_KINDS) ? load<f64>(row4(SHAPE_PARAMETER, shape)) : 0.0;
}

/** Most that the turn of a half-space moves it at A in the step, wherever A is [m]. */
function planeTurn(): f64 {
  const a = row4(COLLIDER_POSITION, colliderA);
  const b = row4(BODY_POSITION, bodyB);
  const x = load<f64>(a) - load<f64>(b);
  const y = load<f64>(a, 8) - load<f64>(b, 8);
  const z = load<f64>(a, 16) - load<f64>(b, 16);
  const wx = load<f64>(motionB, 32);
  const wy = load<f64>(motionB, 40);
  const wz = load<f64>(motionB, 48);
  const spin = sqrt(dot3(wx, wy, wz, wx, wy, wz));
  return spin == 0 ? 0 : spin * parameter(TIME_STEP) * (sqrt(dot3(x, y, z, x, y, z)) + radiusOf(colliderA));
}

// Normal A → B of the last distance, working frame.
let wayX: f64 = 0;
let wayY: f64 = 0;
let wayZ: f64 = 0;
// The same in world coordinates.
let axisX: f64 = 0;
let axisY: f64 = 0;
let axisZ: f64 = 0;

/** Distance of the placed pair, below 0 where it overlaps, along the axis of the last look or of the triangle [m]. */
function leastOverlap(kind: i32, distance: f64): f64 {
  if (kind == SHAPE_PLANE) return distance;
  turnToWorking(axisX, axisY, axisZ);
  const found = alongWay(ox, oy, oz, -Infinity);
  if (!isOneOf(kind, TRIANGLE_KINDS)) return found;
  readFace(SLOT_B, 0);
  return alongWay(-faceX, -faceY, -faceZ, found);
}

/**
 * Distance where the pair is now, exact while they are apart, but not beyond `far`; at most 0 when they overlap: of
 * balls and capsules minus the depth.
 */
function measure(kind: i32, far: f64): f64 {
  placeB(colliderB);
  placeA(colliderA);
  if (kind == SHAPE_PLANE) {
    wayX = -slotSize(SLOT_B, 0);
    wayY = -slotSize(SLOT_B, 1);
    wayZ = -slotSize(SLOT_B, 2);
    return -extent(SLOT_A, wayX, wayY, wayZ);
  }
  if (isOneOf(kind, TRIANGLE_KINDS)) useTriangle();
  sharpenCore(SLOT_A);
  sharpenCore(SLOT_B);
  const x = slotPosition(SLOT_B, 0) - slotPosition(SLOT_A, 0);
  const y = slotPosition(SLOT_B, 1) - slotPosition(SLOT_A, 1);
  const z = slotPosition(SLOT_B, 2) - slotPosition(SLOT_A, 2);
  if (isRoundPair) return coreDistance(x, y, z, far) > 0 ? alongWay(gjkX, gjkY, gjkZ, -Infinity) : -allowance;
  const sharp = distanceFound(x, y, z, far);
  if (sharp > touchDistance) return sharp;
  // Rounding may close a flat simplex about the origin though the shapes are apart:
  // rounded cores are well conditioned.
  placeB(colliderB);
  placeA(colliderA);
  if (isOneOf(kind, TRIANGLE_KINDS)) useTriangle();
  return max(0.0, distanceFound(x, y, z, far));
}

/**
 * Distance of the slots along the direction in which a search for their closest points ends, or along the best one it
 * met, whichever shows more; 0 where none shows them apart.
 */
function distanceFound(x: f64, y: f64, z: f64, far: f64): f64 {
  let found: f64 = 0;
  if (coreDistance(x, y, z, far) > 0) found = alongWay(gjkX, gjkY, gjkZ, -Infinity);
  const length = sqrt(dot3(apartX, apartY, apartZ, apartX, apartY, apartZ));
  if (found > touchDistance || length == 0) return found;
  return alongWay(apartX / length, apartY / length, apartZ / length, found);
}

/** Separation along a unit direction, which becomes the way where it is more than `found`; the larger of both [m]. */
function alongWay(x: f64, y: f64, z: f64, found: f64): f64 {
  const separation = separationAlong(x, y, z);
  if (!(separation > found)) return found;
  wayX = x;
  wayY = y;
  wayZ = z;
  return separation;
}
