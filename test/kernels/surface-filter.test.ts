// What the f32 filter of surfaces drops is nothing: a world that reaches a thousand kilometres has roundings of a
// metre, so that its filter keeps every pair, and finds the same contacts, to the bit.

import { expect, test } from 'vitest';
import { findSurfaceCrossings } from '../../src/collision/surfaces';
import { instantiateSurfaceKernels } from '../../src/kernels/surface-kernels';
import * as L from '../../src/state/layout';
import { SURFACE_ROW_COLLIDER, SURFACE_ROW_NUMBERS } from '../../src/state/rod-layout';
import { gridMesh } from '../mechanics/shell/shell-world';
import { bySuite } from '../setup/suite';
import type { Vector } from './generic-scene';
import { createRandom } from './strand-scene';
import { createSurfaceScene, placeMesh, randomFrame, type SurfaceContact, type SurfaceScene } from './surface-scene';

const HALF = 0.004;
const STEP = 1 / 60;

/** Crumpled sheets a little above each other, and a rod between; with `far`, another sheet far away. */
function stack(seed: number, speed: number, far: boolean) {
  const random = createRandom(seed);
  const scene = createSurfaceScene();
  const frame = randomFrame(random);
  const cells = 5;
  const side = 0.2;
  for (let s = 0; s < 3; s++) {
    const grid = gridMesh(cells, cells, side, side, seed % 2 === 0 ? 'crossed' : 'even');
    // Some lie flat and straight on each other, as layers do; others are bumpy and turned.
    const [bump, turn] = seed % 3 === 0 ? [1e-5, 0] : [0.01, 0.7 * s];
    const own: [Vector, Vector, Vector] = [
      [Math.cos(turn), 0, Math.sin(turn)],
      [0, 1, 0],
      [-Math.sin(turn), 0, Math.cos(turn)],
    ];
    const points = grid.points.map((x, i) => (i % 3 === 1 ? bump * random() + 0.011 * s : x - side / 2));
    const sheet = placeMesh({ points, triangles: grid.triangles }, own, [0.004 * s, 0, 0.003 * s]);
    scene.addSurface(placeMesh(sheet, frame, [0, 0, 0]), HALF);
  }
  scene.addRod([Array.from({ length: 8 }, (_, i) => [0.03 * i - 0.1, 0.006, 0.002 * i] as Vector)], { radius: 0.003 });
  const count = scene.arena.i32[L.NODE_COUNT >> 2];
  const move = () => {
    const [common, ...velocities] = Array.from(
      { length: count + 1 },
      () => [0, 1, 2].map(() => speed * (2 * random() - 1)) as Vector,
    );
    scene.setVelocities(
      0,
      velocities.map((v) => v.map((x, k) => x + 5 * common[k]) as Vector),
    );
  };
  if (far) {
    const grid = gridMesh(1, 1, side, side, 'even');
    scene.addSurface({ points: grid.points.map((x) => x + 1e6), triangles: grid.triangles }, HALF);
  }
  return { scene, move };
}

type Row = Pick<SurfaceContact, 'key' | 'gap' | 'normal' | 'weights' | 'time'>;

const rowsOf = (contacts: readonly SurfaceContact[]): Row[] =>
  contacts.map(({ key, gap, normal, weights, time }) => ({ key, gap, normal, weights, time }));

/** Contacts of a first look and of two further ones along other velocities, and the crossings. */
function findAll({ scene, move }: { scene: SurfaceScene; move: () => void }) {
  const { arena, tables } = scene;
  const velocities = () => arena.i32[L.NODE_VELOCITY >> 2];
  const found: Row[][] = [];
  for (let look = 0; look < 3; look++) {
    move();
    const options = { timeStep: STEP, velocities: velocities(), append: look > 0 };
    found.push(rowsOf(scene.detectSurface(options)));
  }
  const kernels = instantiateSurfaceKernels(arena.memory);
  const rows = findSurfaceCrossings({ arena, tables, kernels }, { timeStep: STEP, velocities: velocities() }, false);
  const crossings = Array.from({ length: rows.length / SURFACE_ROW_NUMBERS }, (_, i) =>
    rows.subarray(SURFACE_ROW_NUMBERS * i, SURFACE_ROW_NUMBERS * i + SURFACE_ROW_COLLIDER + 1).join(),
  );
  return { found, crossings: crossings.sort() };
}

test.each([0.01, 0.15, 0.6, 3])('what the filter drops makes no contact and no crossing, at %f m/s', (speed) => {
  let contacts = 0;
  let edges = 0;
  let later = 0;
  let crossed = 0;
  for (let seed = 1; seed <= bySuite(2, 6); seed++) {
    const near = findAll(stack(seed, speed, false));
    const far = findAll(stack(seed, speed, true));
    expect(near).toEqual(far);
    contacts += near.found[0].length;
    edges += near.found[0].filter(({ weights }) => weights[1] > 0).length;
    later += near.found[2].length - near.found[0].length;
    crossed += near.crossings.length;
  }
  expect(contacts).toBeGreaterThan(bySuite(67, 200));
  expect(edges).toBeGreaterThan(bySuite(10, 30));
  if (speed > 0.5) expect(later).toBeGreaterThan(bySuite(33, 100));
  if (speed > 0.5) expect(crossed).toBeGreaterThan(bySuite(33, 100));
});
