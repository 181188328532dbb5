// What is in the way of a character: the colliders about it, each where it will be at the end of the step.
//
// In: the tables, the capsule, how far it may get. Out: `touches`, what is within a distance of the capsule at a place,
// and `sweep`, how far it gets along a way. Kinematic bodies stand where their target or their velocity takes them,
// dynamic ones where theirs does; one that comes towards the character, by the share of it that its mass has of both.
// Limits: bodies reach that place at once, so that what moves by more than the capsule's radius in a step may pass it.
//
// Ways are gone by conservative advancement as in collision/shape-queries.

import { asked, enterBounds, placeCollider, setWay, triangle, visitTriangles } from '../../collision/asked-collider';
import { type Convex, createConvex, extentAlong, supportCore, turnConvex } from '../../collision/convex';
import { measureCores, separation } from '../../collision/convex-distance';
import { measureOverlap, overlap } from '../../collision/penetration';
import { overlapBox, type QueryContext } from '../../collision/queries';
import { bodyPoseAfter, POSE_TURN } from '../../mechanics/body-pose';
import { ANGULAR, HALF_HEIGHT } from '../../state/contact-places';
import * as L from '../../state/layout';
import { isMesh } from '../../state/shape-traits';
import type { Engine } from '../engine';

/** Gap that is kept to everything [m]: rounding and what turns meanwhile have room in it. */
export const SKIN = 0.02;
/** What is nearer than the gap kept and this is touched [m]. */
export const TOUCH = 1e-4;
/** A touch that a way leads along may come nearer by this share of the gap kept. */
const GRAZE = 0.5;
const ENOUGH = 1e-6;
const LOOKS = 60;
/** Most touches that are looked at. */
const MOST_TOUCHES = 48;

/** The capsule that asks; its position counts from `origin`. */
export const capsule: Convex = createConvex();
/** Where the frame of the question lies in the world [m]. */
export const origin = new Float64Array(3);

/** What the capsule touches. */
export const touches = {
  count: 0,
  /** Unit, from the obstacle to the capsule. */
  normal: new Float64Array(3 * MOST_TOUCHES),
  /** On the obstacle, in the frame [m]. */
  point: new Float64Array(3 * MOST_TOUCHES),
  /** [m] */
  gap: new Float64Array(MOST_TOUCHES),
  /** Row of the obstacle in `near`. */
  obstacle: new Int32Array(MOST_TOUCHES),
};

/** Obstacles about: collider, body, and the pose of the body at the end of the step. */
export const near = {
  count: 0,
  collider: new Int32Array(64),
  body: new Int32Array(64),
  pose: new Float64Array(8 * 64),
};

/** Where a way ended. */
export const hit = { obstacle: -1, normal: new Float64Array(3), point: new Float64Array(3) };

const found: number[] = [];
const low = new Float64Array(3);
const high = new Float64Array(3);
const pose = new Float64Array(8);
const STILL = new Float64Array(3);

let engineOf: Engine;
let ownBody = -1;

function roomFor(count: number): void {
  if (count <= near.collider.length) return;
  const size = 2 * count;
  near.collider = new Int32Array(size);
  near.body = new Int32Array(size);
  near.pose = new Float64Array(8 * size);
}

/**
 * Takes the capsule of a body in hand where it is, and finds what is within `reach` [m] of it.
 * @param share of the motion of a dynamic body that comes nearer; by body slot
 */
export function takeObstacles(
  engine: Engine,
  queries: QueryContext,
  body: number,
  reach: number,
  share: (body: number) => number,
): void {
  const { arena, tables } = engine;
  const { bodies, colliders, shapes } = tables;
  engineOf = engine;
  ownBody = body;
  const own = bodies.collider[body];
  const row = colliders.shape[own];
  for (let k = 0; k < 3; k++) origin[k] = bodies.position[4 * body + k];
  capsule.kind = L.SHAPE_CAPSULE;
  capsule.size[0] = capsule.rounding = shapes.parameter[4 * row];
  capsule.size[1] = shapes.parameter[4 * row + HALF_HEIGHT];
  capsule.position.fill(0);
  turnConvex(capsule, bodies.rotation, 4 * body);

  for (let k = 0; k < 3; k++) {
    const half = Math.abs(capsule.turn[3 * k + 1]) * capsule.size[1] + capsule.rounding + reach;
    low[k] = origin[k] - half;
    high[k] = origin[k] + half;
  }
  const layers = colliders.layers[own];
  const count = overlapBox(queries, low, high, found, { mask: layers >>> 16, ignoreBody: body });

  // The order of the tree depends on its history; that of the slots does not.
  found.length = count;
  found.sort((a, b) => a - b);
  roomFor(count);
  near.count = 0;

  for (let i = 0; i < count; i++) {
    const collider = found[i];
    const other = colliders.body[collider];
    if (((colliders.layers[collider] >>> 16) & layers & 0xffff) === 0 || bodies.entity[other] === 0) continue;
    const at = near.count++;
    near.collider[at] = collider;
    near.body[at] = other;
    bodyPoseAfter(pose, tables, other, arena.f64[L.TIME_STEP >> 3], bodies);
    const s = bodies.flags[other] & L.BODY_DYNAMIC ? share(other) : 1;
    // A kinematic body without a target: what its last target made of its velocity is dropped in this step.
    const isLeft =
      (bodies.flags[other] & (L.BODY_KINEMATIC | L.BODY_HAS_TARGET)) === L.BODY_KINEMATIC && isDropped(other);
    if (s === 1 && !isLeft) near.pose.set(pose, 8 * at);
    else {
      for (let k = 0; k < 4; k++) {
        const from = bodies.position[4 * other + k];
        near.pose[8 * at + k] = isLeft ? from : from + s * (pose[k] - from);
        near.pose[8 * at + POSE_TURN + k] = bodies.rotation[4 * other + k];
      }
    }
  }
}

/** Whether the velocity of a kinematic body is the one by which it came to its last target (kernels: motion). */
export function isDropped(body: number): boolean {
  const { linearVelocity, angularVelocity, velocityChange } = engineOf.tables.bodies;
  for (let k = 0; k < 3; k++) {
    if (linearVelocity[4 * body + k] !== velocityChange[8 * body + k]) return false;
    if (angularVelocity[4 * body + k] !== velocityChange[8 * body + ANGULAR + k]) return false;
  }
  return true;
}

const between = { gap: 0, normal: new Float64Array(3), point: new Float64Array(3) };

/** Gap between the capsule and a convex piece, into `between`. */
function measure(piece: Convex): void {
  if (measureCores(capsule, piece) > 0) {
    between.gap = separation.gap - capsule.rounding - piece.rounding;
    for (let k = 0; k < 3; k++) {
      between.normal[k] = separation.normal[k];
      between.point[k] = separation.onB[k] + piece.rounding * separation.normal[k];
    }
    return;
  }
  between.gap = -measureOverlap(capsule, piece);
  between.normal.set(overlap.normal);
  between.point.set(overlap.point);
}

/** The same for a plane. */
function measurePlane(): void {
  const n = asked.size;
  let offset = 0;
  for (let k = 0; k < 3; k++) offset += n[k] * asked.position[k];
  between.gap = -extentAlong(capsule, -n[0], -n[1], -n[2]) - offset;
  supportCore(capsule, -n[0], -n[1], -n[2], between.point, 0);
  for (let k = 0; k < 3; k++) {
    between.normal[k] = n[k];
    between.point[k] -= (between.gap + capsule.rounding) * n[k];
  }
}

/** Takes an obstacle in hand where it will be. */
function takeNear(at: number): void {
  placeCollider(engineOf, near.collider[at], origin, near.pose, 8 * at, near.pose, 8 * at + POSE_TURN);
}

function noteTouch(obstacle: number): void {
  if (touches.count === MOST_TOUCHES) return;
  const at = touches.count++;
  touches.gap[at] = between.gap;
  touches.obstacle[at] = obstacle;
  // Two at one place: they go opposite ways.
  const turn = near.body[obstacle] > ownBody && isAtOnePlace() ? -1 : 1;
  for (let k = 0; k < 3; k++) touches.normal[3 * at + k] = turn * between.normal[k];
  touches.point.set(between.point, 3 * at);
}

function isAtOnePlace(): boolean {
  let apart = 0;
  for (let k = 0; k < 3; k++) apart += Math.abs(asked.position[k] - capsule.position[k]);
  return between.gap < 0 && asked.kind === L.SHAPE_CAPSULE && apart < 1e-9;
}

/** Finds what is within `distance` [m] of the capsule where it is, into `touches`. */
export function findTouches(distance: number): void {
  touches.count = 0;
  for (let i = 0; i < near.count; i++) {
    takeNear(i);
    if (asked.kind === L.SHAPE_PLANE) {
      measurePlane();
      if (between.gap <= distance) noteTouch(i);
      continue;
    }
    setWay(capsule, STILL);
    if (isMesh(asked.kind)) {
      visitTriangles(
        engineOf.arena,
        0,
        () => distance,
        () => {
          measure(triangle);
          if (between.gap <= distance) noteTouch(i);
          return 0;
        },
      );
    } else if (enterBounds(0, distance) === 0) {
      measure(asked);
      if (between.gap <= distance) noteTouch(i);
    }
  }
  dropFlush();
}

/** How far a point may be off a surface to lie in it [m]. */
const FLUSH = 1e-4;

/**
 * Leaves out edges that lie in a surface which is touched, too: those between the triangles of a floor, or the planks
 * of a bridge. What is nearest to them leans, though nothing is in the way.
 */
function dropFlush(): void {
  const { normal, point, gap, obstacle } = touches;
  let kept = 0;
  for (let i = 0; i < touches.count; i++) {
    let isFlush = false;
    for (let j = 0; j < touches.count && !isFlush; j++) {
      if (i === j || gap[j] > gap[i] || (gap[j] === gap[i] && j > i)) continue;
      let cosine = 0;
      let above = 0;
      for (let k = 0; k < 3; k++) {
        cosine += normal[3 * i + k] * normal[3 * j + k];
        above += normal[3 * j + k] * (point[3 * i + k] - point[3 * j + k]);
      }
      isFlush = cosine > 0.5 && above < FLUSH && above > -FLUSH;
    }
    flush[i] = isFlush ? 1 : 0;
  }
  for (let i = 0; i < touches.count; i++) {
    if (flush[i]) continue;
    gap[kept] = gap[i];
    obstacle[kept] = obstacle[i];
    normal.copyWithin(3 * kept, 3 * i, 3 * i + 3);
    point.copyWithin(3 * kept, 3 * i, 3 * i + 3);
    kept++;
  }
  touches.count = kept;
}

const flush = new Uint8Array(MOST_TOUCHES);
const start = new Float64Array(3);
const unit = new Float64Array(3);
let farthest = 0;

/** Advances towards a piece from where the way enters its bounds; null: a plane. */
function sweepPiece(piece: Convex | null, from: number, obstacle: number): void {
  let t = from;
  let stop = SKIN;
  for (let look = 0; look < LOOKS; look++) {
    for (let k = 0; k < 3; k++) capsule.position[k] = start[k] + t * unit[k];
    if (piece) measure(piece);
    else measurePlane();
    const { normal, gap } = between;
    const speed = -(unit[0] * normal[0] + unit[1] * normal[1] + unit[2] * normal[2]);
    if (!(speed > 1e-9)) return;
    // What is touched from the start has its say as a plane; a way along it must not be ended by it.
    if (look === 0 && gap <= SKIN + TOUCH) stop = GRAZE * Math.min(SKIN, Math.max(0, gap));
    if (gap <= stop + ENOUGH) {
      if (look === 0 && gap < 0 && speed < 1e-3) return;
      farthest = t;
      hit.obstacle = obstacle;
      hit.normal.set(normal);
      hit.point.set(between.point);
      return;
    }
    t += (gap - stop) / speed;
    if (!(t < farthest)) return;
  }
}

/** Moves the capsule along `way` [m] until something is in the way; returns the share of it that it got. */
export function sweep(way: Float64Array): number {
  const length = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
  hit.obstacle = -1;
  if (length < 1e-12) return 1;
  for (let k = 0; k < 3; k++) {
    start[k] = capsule.position[k];
    unit[k] = way[k] / length;
  }
  farthest = length;
  for (let i = 0; i < near.count; i++) {
    for (let k = 0; k < 3; k++) capsule.position[k] = start[k];
    takeNear(i);
    if (asked.kind === L.SHAPE_PLANE) {
      sweepPiece(null, 0, i);
      continue;
    }
    setWay(capsule, unit);
    if (isMesh(asked.kind)) {
      visitTriangles(
        engineOf.arena,
        farthest,
        () => SKIN + TOUCH,
        (enter) => {
          sweepPiece(triangle, Math.max(0, enter - SKIN), i);
          return farthest;
        },
      );
      continue;
    }
    const enter = enterBounds(farthest, SKIN + TOUCH);
    if (enter <= farthest) sweepPiece(asked, Math.max(0, enter - SKIN), i);
  }
  for (let k = 0; k < 3; k++) capsule.position[k] = start[k] + farthest * unit[k];
  return farthest / length;
}
