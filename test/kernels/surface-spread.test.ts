// A sheet that is shown to be spread out (surface/spread) has no contact with itself, now or in the step: with and
// without its places in the plane the same is found, to the bit.

import { expect, test } from 'vitest';
import { findSurfaceCrossings } from '../../src/collision/surfaces';
import * as L from '../../src/state/layout';
import { REST_HEIGHT } from '../../src/state/node-places';
import { SURFACE_ROW_COLLIDER, SURFACE_ROW_NUMBERS } from '../../src/state/rod-layout';
import { gridMesh } from '../mechanics/shell/shell-world';
import { bySuite } from '../setup/suite';
import type { Vector } from './generic-scene';
import { createRandom } from './strand-scene';
import { createSurfaceScene, placeMesh, randomFrame } from './surface-scene';

const STEP = 1 / 60;
const CELLS = 12;
const CELL = 0.02;
const HALF = 0.0045;

interface Shape {
  /** Turn from one end to the other [rad], stretch along and across it, size of bumps [m]. */
  bend: number;
  along: number;
  across: number;
  bumps: number;
}

/** A sheet bent about an axis in its plane, stretched, bumpy; its shape at rest is flat. */
function bent(seed: number, { bend, along, across, bumps }: Shape, hasPlaces: boolean) {
  const random = createRandom(seed);
  const scene = createSurfaceScene();
  const side = CELLS * CELL;
  const grid = gridMesh(CELLS, CELLS, side, side, 'crossed');
  const yaw = 6 * random();
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  const points: number[] = [];
  for (let i = 0; i < grid.points.length; i += 3) {
    const [x, z] = [grid.points[i] - side / 2, grid.points[i + 2] - side / 2];
    const [u, v] = [along * (c * x + s * z), across * (c * z - s * x)];
    const curvature = bend / side || 1e-9;
    const up = (1 - Math.cos(curvature * u)) / curvature;
    points.push(Math.sin(curvature * u) / curvature, up + bumps * (random() - 0.5), v + bumps * (random() - 0.5));
  }
  const mesh = placeMesh({ points, triangles: grid.triangles }, randomFrame(random), [3, 1, -2]);
  const rest = { points: grid.points, triangles: grid.triangles };
  scene.addSurface(mesh, HALF, { selfContact: true, rest: rest.points });
  const { tables } = scene;
  expect(tables.nodes.rest[REST_HEIGHT]).toBeCloseTo(CELL * Math.SQRT1_2, 12);
  if (!hasPlaces) tables.nodes.rest[REST_HEIGHT] = 0;
  return { scene, count: scene.arena.i32[L.NODE_COUNT >> 2] };
}

type Bent = ReturnType<typeof bent>;

/** All shrink towards a point, turn, and move by themselves a little. */
function setMotion({ scene, count }: Bent, random: () => number, shrink: number, own: number): void {
  const [vx, vy, vz, wx, wy, wz] = Array.from({ length: 6 }, () => 6 * random() - 3);
  const velocities: Vector[] = [];
  for (let node = 0; node < count; node++) {
    const [x, y, z] = scene.place(node).map((p, k) => p - [3, 1, -2][k]);
    const noise = [0, 1, 2].map(() => own * (random() - 0.5));
    velocities.push([
      vx + wy * z - wz * y - shrink * x + noise[0],
      vy + wz * x - wx * z - shrink * y + noise[1],
      vz + wx * y - wy * x - shrink * z + noise[2],
    ]);
  }
  scene.setVelocities(0, velocities);
}

/** Contacts of a first look and of a further one, crossings, and how many pairs each looked at. */
function findAll(world: Bent, seed: number, shrink: number, own: number) {
  const { arena, tables, detectSurface, surfaceKernels } = world.scene;
  const random = createRandom(seed + 99);
  const velocities = arena.i32[L.NODE_VELOCITY >> 2];
  const found: unknown[] = [];
  const looked: number[] = [];
  for (let look = 0; look < 2; look++) {
    setMotion(world, random, shrink, own);
    const contacts = detectSurface({ timeStep: STEP, velocities, append: look > 0 });
    looked.push(surfaceKernels()?.surfacePairsLooked() ?? -1);
    found.push(contacts.map(({ key, gap, normal, weights, time }) => ({ key, gap, normal, weights, time })));
  }
  setMotion(world, random, 2 * shrink, own);
  const kernels = surfaceKernels();
  if (!kernels) throw new Error('nothing was looked for yet');
  const rows = findSurfaceCrossings({ arena, tables, kernels }, { timeStep: STEP, velocities }, false);
  const crossings = Array.from({ length: rows.length / SURFACE_ROW_NUMBERS }, (_, i) =>
    rows.subarray(SURFACE_ROW_NUMBERS * i, SURFACE_ROW_NUMBERS * i + SURFACE_ROW_COLLIDER + 1).join(),
  );
  return { found, looked, crossings: crossings.sort() };
}

test('a sheet that is bent by little is not looked through', () => {
  for (const bend of [0, 0.5, 1]) {
    const world = bent(3, { bend, along: 1, across: 1, bumps: 0 }, true);
    expect(findAll(world, 3, 0, 0).looked).toEqual([0, 0]);
  }
});

test('one that is rolled up, or shrinks within the step, is', () => {
  expect(findAll(bent(3, { bend: 4, along: 1, across: 1, bumps: 0 }, true), 3, 0, 0).looked[0]).toBeGreaterThan(0);
  const flat = bent(3, { bend: 0, along: 1, across: 1, bumps: 0 }, true);
  const { looked, found } = findAll(flat, 3, 30, 0);
  expect(looked[0]).toBeGreaterThan(0);
  expect(found[0]).not.toEqual([]);
});

test('what is not looked through has no contacts', () => {
  let [spread, touching, narrow] = [0, 0, 0];
  for (let seed = 1; seed <= bySuite(120, 1000); seed++) {
    const random = createRandom(7 * seed);
    const shape: Shape = {
      bend: 3 * random() ** 2,
      along: 0.7 + 0.45 * random(),
      across: 0.7 + 0.45 * random(),
      bumps: 0.006 * random() ** 2,
    };
    const shrink = 8 * random() ** 2;
    const own = 0.3 * random() ** 2;
    const some = findAll(bent(seed, shape, true), seed, shrink, own);
    const every = findAll(bent(seed, shape, false), seed, shrink, own);
    expect(some.found, `seed ${seed}`).toEqual(every.found);
    expect(some.crossings, `seed ${seed}`).toEqual(every.crossings);
    if (some.looked[0] === 0) spread++;
    if (some.looked[0] === 0 && Math.min(shape.along, shape.across) < 0.9) narrow++;
    if ((every.found[0] as unknown[]).length > 0) touching++;
  }
  expect(spread).toBeGreaterThan(bySuite(15, 100));
  expect(narrow).toBeGreaterThan(bySuite(3, 20));
  expect(touching).toBeGreaterThan(bySuite(15, 120));
});
