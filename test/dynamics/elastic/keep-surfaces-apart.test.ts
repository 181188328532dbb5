import { expect, test } from 'vitest';
import { findSurfaceContacts } from '../../../src/collision/surfaces';
import { findSurfaceCrossings } from '../../../src/debug/surface-crossings';
import { keepSurfacesApart } from '../../../src/dynamics/elastic/keep-surfaces-apart';
import type { Engine } from '../../../src/dynamics/engine';
import { instantiateStrandKernels } from '../../../src/kernels/strand-kernels';
import { instantiateSurfaceKernels } from '../../../src/kernels/surface-kernels';
import * as L from '../../../src/state/layout';
import { type Shape, sub, type Vector } from '../../kernels/generic-scene';
import { createRandom, putBody } from '../../kernels/strand-scene';
import {
  closestOnTriangle,
  createSurfaceScene,
  distance,
  placeMesh,
  type SurfaceScene,
} from '../../kernels/surface-scene';
import { gridMesh } from '../../mechanics/shell/shell-world';

const HALF = 0.004;
const STEP = 1 / 60;
const UPRIGHT: [Vector, Vector, Vector] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Ends steps with velocities as a solve might leave them; returns how many objects were slowed. */
function createEnding(scene: SurfaceScene) {
  const { arena, tables } = scene;
  const surfaces = instantiateSurfaceKernels(arena.memory);
  const kernels = instantiateStrandKernels(arena.memory);
  const engine = { arena, tables, settings: { timeStep: STEP } } as Engine;
  arena.f64[L.TIME_STEP >> 3] = STEP;
  return (velocityOf: (node: number) => Vector): number => {
    const { bodies, colliders } = tables;
    const count = arena.i32[L.NODE_COUNT >> 2];
    for (let body = 0; body < arena.i32[L.BODY_COUNT >> 2]; body++) {
      bodies.flags[body] |= L.BODY_MOVED;
      colliders.flags[body] |= L.COLLIDER_MOVED;
    }
    scene.kernels.findPairs();
    for (let node = 0; node < count; node++) tables.nodes.predicted.set([...velocityOf(node), 0], 4 * node);
    scene.find({ timeStep: STEP, velocities: arena.i32[L.NODE_PREDICTED >> 2] });
    const slowed = keepSurfacesApart(engine, new Int32Array(count).fill(-1), { arena, tables, kernels, surfaces });
    for (let i = 0; i < 4 * count; i++) tables.nodes.position[i] += STEP * tables.nodes.predicted[i];
    for (let body = 0; body < arena.i32[L.BODY_COUNT >> 2]; body++) {
      for (let k = 0; k < 3; k++) bodies.position[4 * body + k] += STEP * bodies.linearVelocity[4 * body + k];
    }
    return slowed;
  };
}

test('sheets that are thrown through each other and themselves never cross', () => {
  const scene = createSurfaceScene();
  for (let s = 0; s < 3; s++) {
    scene.addSurface(placeMesh(gridMesh(5, 5, 0.2, 0.2), UPRIGHT, [0.03 * s, 0.012 * s, 0.02 * s]), HALF);
  }
  const end = createEnding(scene);
  const random = createRandom(3);
  let slowed = 0;
  let moved = 0;
  for (let k = 0; k < 12; k++) {
    const before = scene.tables.nodes.position.slice();
    // Fast together, and each node up to 6 m/s (a tenth of a metre) by itself.
    const together: Vector = [20 * (random() - 0.5), 20 * (random() - 0.5), 20 * (random() - 0.5)];
    slowed += end(() => together.map((x) => x + 12 * (random() - 0.5)) as Vector);
    expect(findSurfaceCrossings(scene.arena, scene.tables), `step ${k}`).toEqual([]);
    for (let i = 0; i < 12; i++) moved += Math.abs(scene.tables.nodes.position[i] - before[i]);
  }
  expect(slowed).toBeGreaterThan(12);
  expect(moved).toBeGreaterThan(0.5);
});

test('what is pulled aside after a detection that found nothing does not cross', () => {
  const scene = createSurfaceScene();
  for (let s = 0; s < 2; s++) {
    scene.addSurface(placeMesh(gridMesh(5, 5, 0.2, 0.2), UPRIGHT, [0, 0.011 * s, 0]), HALF);
  }
  const { arena, tables } = scene;
  const surfaces = instantiateSurfaceKernels(arena.memory);
  const kernels = instantiateStrandKernels(arena.memory);
  const engine = { arena, tables, settings: { timeStep: STEP } } as Engine;
  arena.f64[L.TIME_STEP >> 3] = STEP;
  const { position, predicted } = tables.nodes;
  const count = arena.i32[L.NODE_COUNT >> 2];
  const velocities = arena.i32[L.NODE_PREDICTED >> 2];
  const start = position.slice();
  const random = createRandom(5);
  let clear = 0;
  let slowed = 0;
  for (let k = 0; k < 20; k++) {
    position.set(start);
    for (let i = 0; i < 4 * count; i++) predicted[i] = i % 4 === 3 ? 0 : (i % 4) + 0.02 * (random() - 0.5);
    clear += findSurfaceContacts({ arena, tables, kernels: surfaces }, { timeStep: STEP, velocities }) === 0 ? 1 : 0;
    // Some nodes, by up to a tenth of a metre.
    for (let i = 0; i < 4 * count; i++) if (i % 7 < k % 3 && i % 4 < 3) predicted[i] += 12 * (random() - 0.5);
    slowed += keepSurfacesApart(engine, new Int32Array(count).fill(-1), { arena, tables, kernels, surfaces });
    for (let i = 0; i < 4 * count; i++) position[i] += STEP * predicted[i];
    expect(findSurfaceCrossings(arena, tables), `step ${k}`).toEqual([]);
  }
  expect(clear).toBe(20);
  expect(slowed).toBeGreaterThan(10);
});

const BODIES: [string, Shape, (p: Vector) => number][] = [
  ['sphere', { kind: 'sphere', size: [0.06] }, (p) => Math.hypot(...p) - 0.06],
  [
    'capsule',
    { kind: 'capsule', size: [0.04, 0.05] },
    ([x, y, z]) => Math.hypot(x, Math.max(0, Math.abs(y) - 0.05), z) - 0.04,
  ],
  [
    'box',
    { kind: 'box', size: [0.05, 0.03, 0.04] },
    (p) => Math.max(...p.map((x, k) => Math.abs(x) - [0.05, 0.03, 0.04][k])),
  ],
];

test.each(BODIES)('a %s that dashes at 10 m/s does not get through a sheet', (_name, shape, toShape) => {
  const scene = createSurfaceScene();
  scene.addSurface(placeMesh(gridMesh(5, 5, 0.3, 0.3), UPRIGHT, [-0.15, 0.1, -0.15]), HALF);
  const body = putBody(scene, shape, [0, 0, 0], undefined, L.BODY_KINEMATIC);
  scene.tables.bodies.awakeIndex[body] = 0;
  const end = createEnding(scene);
  const random = createRandom(9);
  let slowed = 0;
  for (let k = 0; k < 16; k++) {
    const { bodies, triangles } = scene.tables;
    bodies.linearVelocity.set(k % 8 < 4 ? [10, 0, 0, 0] : [0, 10, 3, 0], 0);
    // The sheet as a solve left it that did nothing about the body: some of it comes along, some stays behind.
    slowed += end(() => [0.7 * bodies.linearVelocity[0] + 2 * (random() - 0.5), -2 * random(), 2 * (random() - 0.5)]);
    expect(findSurfaceCrossings(scene.arena, scene.tables)).toEqual([]);
    let least = Number.POSITIVE_INFINITY;
    const middle = Array.from(bodies.position.subarray(0, 3)) as Vector;
    for (let t = 0; t < scene.arena.i32[L.TRIANGLE_COUNT >> 2]; t++) {
      const corners = [0, 1, 2].map((i) => sub(scene.place(triangles.node[4 * t + i]), middle));
      for (let i = 0; i <= 8; i++) {
        for (let j = 0; i + j <= 8; j++) {
          const p = corners[0].map(
            (x, d) => x + (i / 8) * (corners[1][d] - x) + (j / 8) * (corners[2][d] - x),
          ) as Vector;
          least = Math.min(least, toShape(p));
        }
      }
    }
    expect(least, `step ${k}`).toBeGreaterThan(0);
  }
  expect(slowed).toBeGreaterThan(8);
});

/** A strip of 1.2 m over the ground, a ball that spins on one of its ends; all thrown down. */
function stripUnderBall(height: number) {
  const scene = createSurfaceScene();
  scene.addSurface(placeMesh(gridMesh(12, 2, 1.2, 0.2), UPRIGHT, [0, height, -0.1]), HALF);
  putBody(scene, { kind: 'plane', size: [0, 1, 0] });
  const ball = putBody(scene, { kind: 'sphere', size: [0.1] }, [0, height + 0.1 + HALF, 0], undefined, L.BODY_DYNAMIC);
  const { bodies } = scene.tables;
  bodies.awakeIndex[ball] = 0;
  bodies.linearVelocity.set([0, -1, 0], 4 * ball);
  bodies.angularVelocity.set([0, 0, -40], 4 * ball);
  bodies.motion.set([0, -1, 0, 0, 0, 0, -40], 8 * ball);
  const heights = () => Array.from({ length: scene.arena.i32[L.NODE_COUNT >> 2] }, (_, node) => scene.place(node)[1]);
  return { scene, heights, end: createEnding(scene) };
}

test('a ball that spins on one end of a sheet does not drive the other through the ground', () => {
  const { scene, heights, end } = stripUnderBall(0.02);
  for (let k = 0; k < 4; k++) {
    const before = heights();
    expect(end(() => [0, -3, 0])).toBe(1);
    heights().forEach((y, node) => {
      expect(y, `node ${node}`).toBeGreaterThan(0);
      // What lies under the ball goes down with it, nothing goes up, and nothing flies.
      if (scene.place(node)[0] > 0.15) expect(Math.abs(y - before[node])).toBeLessThan(3 * STEP);
    });
  }
});

test('what is inside a body goes no deeper', () => {
  const { scene, heights, end } = stripUnderBall(-0.3);
  scene.tables.bodies.position[5] = 5;
  const slide = 2;
  expect(end(() => [slide, -3, 0])).toBe(1);
  for (const y of heights()) expect(y).toBeGreaterThan(-0.3 - HALF);
  // It may come out.
  expect(end(() => [0, 3, 0])).toBe(0);
  for (const y of heights()) expect(y).toBeGreaterThan(-0.3 + 2 * STEP);
});

test('what does not cross is not slowed, however fast it slides', () => {
  const scene = createSurfaceScene();
  scene.addSurface(placeMesh(gridMesh(4, 4, 1, 1), UPRIGHT, [-0.5, 0, -0.5]), HALF);
  const first = scene.addSurface(placeMesh(gridMesh(3, 3, 0.2, 0.2), UPRIGHT, [-0.2, 2 * HALF, -0.1]), HALF);
  const end = createEnding(scene);
  // Ten times the thickness in a step.
  expect(end((node) => (node >= first ? [5, 0, 0] : [0, 0, 0]))).toBe(0);
  expect(scene.place(first)[0]).toBeCloseTo(-0.2 + 5 * STEP, 12);
});

test('exact signs tell what crosses from what touches', () => {
  const scene = createSurfaceScene();
  scene.addSurface({ points: [0, 0, 0, 0, 0, 1, 1, 0, 0], triangles: [0, 1, 2] }, HALF);
  const first = scene.addSurface(
    { points: [0.25, 1e-300, 0.25, 0.5, 1, 0.1, 0.2, 1, 0.3], triangles: [0, 1, 2] },
    HALF,
  );
  const count = () => findSurfaceCrossings(scene.arena, scene.tables).length;
  expect(count()).toBe(0);
  scene.setPositions(first, [[0.25, 0, 0.25]]);
  expect(count()).toBe(0);
  // By less than any product of coordinates shows in f64.
  scene.setPositions(first, [[0.25, -1e-300, 0.25]]);
  expect(count()).toBe(2);
  const corners: Vector[] = [0, 1, 2].map(scene.place);
  expect(distance(scene.place(first), closestOnTriangle(scene.place(first), corners))).toBeLessThan(1e-200);
});
