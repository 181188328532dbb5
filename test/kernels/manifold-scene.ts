// A small world for narrowphase tests: colliders with given poses, one pair, and its manifold read back.

import { expect } from 'vitest';
import { createArena } from '../../src/core/arena';
import { instantiateKernels } from '../../src/kernels/kernels';
import { createShape } from '../../src/state/create-shape';
import * as L from '../../src/state/layout';
import { ARENA_LAYOUT, createTables } from '../../src/state/tables';

export type Vector = [number, number, number];
export type Quaternion = [number, number, number, number];

export interface Manifold {
  normal: Vector;
  tangent: Vector;
  points: { position: Vector; gap: number; feature: number; impulse: number[] }[];
}

/** Rotation by `angle` [rad] about a unit axis. */
export function turn(axis: Vector, angle: number): Quaternion {
  const s = Math.sin(angle / 2);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

/** Hamilton product: first b, then a. */
export function multiply(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

/** Rotates v by q. */
export function rotate(q: Quaternion, v: ArrayLike<number>): Vector {
  const [x, y, z, w] = q;
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1],
    v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}

/** The eight corners of a box. */
export function boxCorners([x, y, z]: Vector): Vector[] {
  return Array.from({ length: 8 }, (_, v) => [v & 1 ? x : -x, v & 2 ? y : -y, v & 4 ? z : -z]);
}

/** An empty world with gravity off, 60 Hz and a speculative distance of 2 cm. */
export function createScene() {
  const arena = createArena(ARENA_LAYOUT);
  const tables = createTables(arena);
  const kernels = instantiateKernels(arena.memory);
  arena.f64[L.TIME_STEP >> 3] = 1 / 60;
  arena.f64[L.SPECULATIVE_DISTANCE >> 3] = 0.02;
  let colliders = 0;

  /** Adds a body with one collider of the given shape row; returns both their slot. */
  const addCollider = (shape: number, position: Vector, rotation: Quaternion = [0, 0, 0, 1]) => {
    const slot = colliders++;
    tables.colliders.shape[slot] = shape;
    tables.colliders.body[slot] = slot;
    tables.colliders.flags[slot] = L.COLLIDER_ALIVE;
    tables.bodies.flags[slot] = L.BODY_ALIVE | L.BODY_DYNAMIC;
    place(slot, position, rotation);
    return slot;
  };
  const place = (slot: number, position: Vector, rotation: Quaternion = [0, 0, 0, 1]) => {
    tables.colliders.position.set([...position, 0], slot * 4);
    tables.colliders.rotation.set(rotation, slot * 4);
    tables.bodies.position.set([...position, 0], slot * 4);
    tables.bodies.rotation.set(rotation, slot * 4);
  };
  /** Adds a collider with a box shape. */
  const addBox = (half: Vector, position: Vector, rotation?: Quaternion) =>
    addCollider(createShape(arena, tables, { box: half }).parts[0].shape, position, rotation);
  /** Adds a collider with the hull of the points, which must have its centre of mass at the origin. */
  const addHull = (points: ArrayLike<number>[], position: Vector, rotation?: Quaternion) =>
    addCollider(createShape(arena, tables, { hull: points as Vector[] }).parts[0].shape, position, rotation);
  /** Makes a pair the only active one. */
  const pairUp = (a: number, b: number, pair = 0) => {
    tables.pairs.colliderA[pair] = a;
    tables.pairs.colliderB[pair] = b;
    tables.pairs.bodyA[pair] = a;
    tables.pairs.bodyB[pair] = b;
    tables.pairs.flags[pair] = L.PAIR_ALIVE;
    tables.pairs.activeList[0] = pair;
    arena.i32[L.ACTIVE_COUNT >> 2] = 1;
    arena.i32[L.PAIR_COUNT >> 2] = Math.max(arena.i32[L.PAIR_COUNT >> 2], pair + 1);
  };
  const read = (pair = 0): Manifold => {
    const { pairs } = tables;
    const take = (column: Float64Array, at: number, n: number) => Array.from(column.slice(at, at + n));
    return {
      normal: take(pairs.normal, pair * 4, 3) as Vector,
      tangent: take(pairs.tangent, pair * 4, 3) as Vector,
      points: Array.from({ length: pairs.points[pair] }, (_, k) => ({
        position: take(pairs.point, pair * 16 + 4 * k, 3) as Vector,
        gap: pairs.point[pair * 16 + 4 * k + 3],
        feature: pairs.feature[pair * 4 + k],
        impulse: take(pairs.impulse, pair * 16 + 4 * k, 4),
      })),
    };
  };
  /** Runs the narrowphase and reads the manifold of the pair. */
  const collide = (pair = 0) => {
    kernels.findContacts();
    return read(pair);
  };
  /** Forgets manifold and cache of a pair. */
  const forget = (pair = 0) => {
    tables.pairs.points[pair] = 0;
    tables.pairs.cache.fill(0, pair * 4, pair * 4 + 4);
  };
  return { arena, tables, kernels, addCollider, addBox, addHull, place, pairUp, collide, read, forget };
}

let shared: ReturnType<typeof createScene> | null = null;

/** Manifold of two boxes without history. */
export function collideBoxes(
  halfA: Vector,
  positionA: Vector,
  rotationA: Quaternion,
  halfB: Vector,
  positionB: Vector,
  rotationB: Quaternion,
): Manifold {
  if (!shared) {
    shared = createScene();
    shared.pairUp(shared.addBox([1, 1, 1], [0, 0, 0]), shared.addBox([2, 2, 2], [0, 0, 0]));
  }
  const { shapes } = shared.tables;
  [halfA, halfB].forEach((half, row) => {
    shapes.parameter.set(half, row * 4);
    shapes.box.set([-half[0], -half[1], -half[2], ...half], row * 6);
  });
  shared.place(0, positionA, rotationA);
  shared.place(1, positionB, rotationB);
  shared.forget();
  return shared.collide();
}

/** Manifold of two hulls without history; the points have their centre of mass at the origin. */
export function collideHulls(
  pointsA: ArrayLike<number>[],
  positionA: Vector,
  rotationA: Quaternion,
  pointsB: ArrayLike<number>[],
  positionB: Vector,
  rotationB: Quaternion,
): Manifold {
  const scene = createScene();
  scene.pairUp(scene.addHull(pointsA, positionA, rotationA), scene.addHull(pointsB, positionB, rotationB));
  return scene.collide();
}

export const IDENTITY: Quaternion = [0, 0, 0, 1];

/** Distance of a point from a box [m], 0 inside. */
function pointBoxDistance(p: ArrayLike<number>, half: Vector, position: Vector, rotation: Quaternion): number {
  const inverse: Quaternion = [-rotation[0], -rotation[1], -rotation[2], rotation[3]];
  const local = rotate(inverse, [p[0] - position[0], p[1] - position[1], p[2] - position[2]]);
  return Math.hypot(...local.map((x, k) => Math.max(0, Math.abs(x) - half[k])));
}

/** Distance of two segments [m], by trying the interior solution and all four ends. */
export function segmentDistance(p: Vector, q: Vector, r: Vector, s: Vector): number {
  const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const toSegment = (x: Vector, a: Vector, b: Vector) => {
    const d = minus(b, a);
    const t = Math.min(1, Math.max(0, dot(minus(x, a), d) / dot(d, d)));
    return Math.hypot(x[0] - a[0] - t * d[0], x[1] - a[1] - t * d[1], x[2] - a[2] - t * d[2]);
  };
  let best = Math.min(toSegment(p, r, s), toSegment(q, r, s), toSegment(r, p, q), toSegment(s, p, q));
  const [u, v, w] = [minus(q, p), minus(s, r), minus(p, r)];
  const determinant = dot(u, u) * dot(v, v) - dot(u, v) ** 2;
  if (determinant > 1e-12) {
    const a = (dot(u, v) * dot(v, w) - dot(v, v) * dot(u, w)) / determinant;
    const b = (dot(u, u) * dot(v, w) - dot(u, v) * dot(u, w)) / determinant;
    if (a >= 0 && a <= 1 && b >= 0 && b <= 1) {
      best = Math.min(best, Math.hypot(...w.map((x, k) => x + a * u[k] - b * v[k])));
    }
  }
  return best;
}

/** Largest signed separation of two boxes along the fifteen axes [m], by their reach along each. */
export function bestSeparation(
  halfA: Vector,
  positionA: Vector,
  rotationA: Quaternion,
  halfB: Vector,
  positionB: Vector,
  rotationB: Quaternion,
): number {
  const unit: Vector[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const a = unit.map((e) => rotate(rotationA, e));
  const b = unit.map((e) => rotate(rotationB, e));
  const between = positionB.map((x, k) => x - positionA[k]) as Vector;
  const cross = (u: Vector, v: Vector): Vector => [
    u[1] * v[2] - u[2] * v[1],
    u[2] * v[0] - u[0] * v[2],
    u[0] * v[1] - u[1] * v[0],
  ];
  const dot = (u: Vector, v: Vector) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  let best = Number.NEGATIVE_INFINITY;
  for (const axis of [...a, ...b, ...a.flatMap((u) => b.map((v) => cross(u, v)))]) {
    const length = Math.hypot(...axis);
    if (length < 1e-3) continue;
    const reach = (half: Vector, axes: Vector[]) =>
      half.reduce((sum, h, k) => sum + (h * Math.abs(dot(axis, axes[k]))) / length, 0);
    best = Math.max(best, Math.abs(dot(axis, between)) / length - reach(halfA, a) - reach(halfB, b));
  }
  return best;
}

/** Distance of two boxes [m] by brute force (corners against boxes, edges against edges); 0 when they overlap. */
export function boxBoxDistance(
  halfA: Vector,
  positionA: Vector,
  rotationA: Quaternion,
  halfB: Vector,
  positionB: Vector,
  rotationB: Quaternion,
): number {
  const place = (half: Vector, position: Vector, rotation: Quaternion) =>
    boxCorners(half).map((v) => rotate(rotation, v).map((x, k) => x + position[k]) as Vector);
  const a = place(halfA, positionA, rotationA);
  const b = place(halfB, positionB, rotationB);
  if (bestSeparation(halfA, positionA, rotationA, halfB, positionB, rotationB) <= 0) return 0;
  let best = Number.POSITIVE_INFINITY;
  for (const p of a) best = Math.min(best, pointBoxDistance(p, halfB, positionB, rotationB));
  for (const p of b) best = Math.min(best, pointBoxDistance(p, halfA, positionA, rotationA));
  for (let i = 0; i < 8; i++) {
    for (let k = 1; k < 8; k *= 2) {
      if (i & k) continue;
      for (let j = 0; j < 8; j++) {
        for (let l = 1; l < 8; l *= 2) {
          if (!(j & l)) best = Math.min(best, segmentDistance(a[i], a[i | k], b[j], b[j | l]));
        }
      }
    }
  }
  return best;
}

/** Each point's two ends, half a gap along the normal to either side, must lie on (or in) their box. */
export function expectConsistent(
  m: Manifold,
  halfA: Vector,
  positionA: Vector,
  rotationA: Quaternion,
  halfB: Vector,
  positionB: Vector,
  rotationB: Quaternion,
): void {
  expect(Math.hypot(...m.normal)).toBeCloseTo(1, 12);
  expect(Math.hypot(...m.tangent)).toBeCloseTo(1, 12);
  expect(m.normal[0] * m.tangent[0] + m.normal[1] * m.tangent[1] + m.normal[2] * m.tangent[2]).toBeCloseTo(0, 12);
  for (const { position, gap } of m.points) {
    const end = (side: number) => position.map((x, k) => x + side * 0.5 * gap * m.normal[k]);
    expect(pointBoxDistance(end(-1), halfA, positionA, rotationA)).toBeLessThan(1e-9);
    expect(pointBoxDistance(end(1), halfB, positionB, rotationB)).toBeLessThan(1e-9);
  }
}
