// What is passed over in blocks (surface/gates) makes no contact: where something moves by kilometres roundings are as
// large as contacts, so that nothing passes for moving alike, and the same contacts are found, to the bit.

import { expect, test } from 'vitest';
import { findSurfaceCrossings } from '../../src/collision/surfaces';
import * as L from '../../src/state/layout';
import { SURFACE_ROW_COLLIDER, SURFACE_ROW_NUMBERS } from '../../src/state/rod-layout';
import { gridMesh } from '../mechanics/shell/shell-world';
import { bySuite } from '../setup/suite';
import type { Vector } from './generic-scene';
import { createRandom } from './strand-scene';
import { createSurfaceScene, placeMesh, randomFrame } from './surface-scene';

const HALF = 0.004;
const STEP = 1 / 60;

/** A bumpy sheet, folded over so that its layers nearly touch; pairs looked at can be counted. */
function folded(seed: number, cells: number, selfContact: boolean, layers = 1) {
  const random = createRandom(seed);
  const scene = createSurfaceScene();
  const frame = randomFrame(random);
  const side = 0.016 * cells;
  for (let layer = 0; layer < layers; layer++) {
    const grid = gridMesh(cells, cells, side, side, 'crossed');
    // A bend of 1 cm about z: x is along the sheet.
    const points = grid.points.map((_, i) => {
      const x = grid.points[i - (i % 3)] - side / 2;
      const turn = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, x / 0.006));
      const beyond = Math.abs(x) - Math.abs(turn) * 0.006;
      const bump = 0.002 * (random() - 0.5) + 0.011 * layer;
      if (i % 3 === 0) return 0.006 * Math.cos(turn) - beyond;
      return i % 3 === 1 ? 0.006 * Math.sin(turn) + bump : grid.points[i] - side / 2;
    });
    scene.addSurface(placeMesh({ points, triangles: grid.triangles }, frame, [0, 0, 0]), HALF, { selfContact });
  }
  return { scene, count: scene.arena.i32[L.NODE_COUNT >> 2] };
}

type Folded = ReturnType<typeof folded>;

function kernelsOf({ scene }: Folded) {
  const kernels = scene.surfaceKernels();
  if (!kernels) throw new Error('nothing was looked for yet');
  return kernels;
}

/** All move together and turn; a corner of the sheet moves by itself at up to `speed`. */
function moved({ scene, count }: Folded, random: () => number, speed: number): Vector[] {
  const [spin, ...own] = Array.from({ length: count + 1 }, () => [0, 1, 2].map(() => 2 * random() - 1) as Vector);
  return own.map((v, node) => {
    const [x, y, z] = scene.place(node);
    const share = node < count / 8 ? speed : 0;
    const along: Vector = [4 + spin[1] * z - spin[2] * y, spin[2] * x - spin[0] * z, 1 + spin[0] * y - spin[1] * x];
    return along.map((c, k) => c + share * v[k]) as Vector;
  });
}

/** Contacts of a first look and of two further ones along other velocities, and the crossings. */
function findAll(world: Folded, seed: number, speed: number, far: boolean) {
  const { scene } = world;
  const { arena, tables } = scene;
  const random = createRandom(seed + 77);
  if (far) {
    const { points, triangles } = gridMesh(1, 1, 0.1, 0.1, 'even');
    scene.addSurface({ points: points.map((x) => x + 100), triangles }, HALF);
  }
  const fast = Array.from({ length: far ? 4 : 0 }, () => [1e6, 0, 0] as Vector);
  const velocities = () => arena.i32[L.NODE_VELOCITY >> 2];
  const found: unknown[] = [];
  const looked: number[] = [];
  for (let look = 0; look < 3; look++) {
    scene.setVelocities(0, [...moved(world, random, look === 1 ? speed : 0.2 * speed), ...fast]);
    const contacts = scene.detectSurface({ timeStep: STEP, velocities: velocities(), append: look > 0 });
    looked.push(kernelsOf(world).surfacePairsLooked());
    found.push(contacts.map(({ key, gap, normal, weights, time }) => ({ key, gap, normal, weights, time })));
  }
  const kernels = kernelsOf(world);
  const rows = findSurfaceCrossings({ arena, tables, kernels }, { timeStep: STEP, velocities: velocities() }, false);
  const crossings = Array.from({ length: rows.length / SURFACE_ROW_NUMBERS }, (_, i) =>
    rows.subarray(SURFACE_ROW_NUMBERS * i, SURFACE_ROW_NUMBERS * i + SURFACE_ROW_COLLIDER + 1).join(),
  );
  return { found, looked, crossings: crossings.sort() };
}

test.each([0.2, 1, 4])('what moves alike is passed over and makes no contact, at %f m/s', (speed) => {
  let [first, later, before, after] = [0, 0, 0, 0];
  for (let seed = 1; seed <= bySuite(2, 6); seed++) {
    const some = findAll(folded(seed, 14, true), seed, speed, false);
    const every = findAll(folded(seed, 14, true), seed, speed, true);
    expect(some.found).toEqual(every.found);
    expect(some.crossings).toEqual(every.crossings);
    const counts = some.found.map((rows) => (rows as unknown[]).length);
    first += counts[0];
    later += counts[2] - counts[0];
    before += some.looked[0];
    after += some.looked[1];
  }
  expect(first).toBeGreaterThan(bySuite(60, 180));
  if (speed > 0.5) expect(later).toBeGreaterThan(bySuite(150, 450));
  // What moves by itself does so slowly here, and all else alike.
  if (speed < 0.5) expect(after).toBeLessThan(0.7 * before);
});

test('parts of an object that may not touch itself are passed over together', () => {
  const own = findAll(folded(3, 20, true, 2), 3, 0.2, false);
  const others = findAll(folded(3, 20, false, 2), 3, 0.2, false);
  expect(others.found[0]).not.toEqual([]);
  expect(others.looked[0]).toBeLessThan(0.6 * own.looked[0]);
});

test('where few nodes move otherwise only what is near them is looked at, and the same is found', () => {
  let later = 0;
  for (let seed = 1; seed <= bySuite(3, 8); seed++) {
    // Not a number: every node moves otherwise.
    const [some, every] = [0, Number.NaN].map((harmless) => {
      const world = folded(seed, 14, seed % 2 === 0, 2);
      const { scene } = world;
      scene.addRod([Array.from({ length: 6 }, (_, i) => [0.03 * i - 0.08, 0.02, 0.01 * i] as Vector)], {
        radius: 0.003,
      });
      const random = createRandom(seed);
      const velocities = moved(world, random, 0);
      const options = { timeStep: STEP, velocities: scene.arena.i32[L.NODE_VELOCITY >> 2], harmless };
      scene.setVelocities(0, velocities);
      const first = scene.detectSurface(options).length;
      const from = Math.floor(random() * (world.count - 12));
      for (const v of velocities.slice(from, from + 12)) for (let k = 0; k < 3; k++) v[k] += 6 * random() - 3;
      scene.setVelocities(0, velocities);
      const contacts = scene.detectSurface({ ...options, append: true });
      const found = contacts.map(({ key, gap, normal, weights, time }) => ({ key, gap, normal, weights, time }));
      return { first, found, looked: kernelsOf(world).surfacePairsLooked() };
    });
    expect(some.found).toEqual(every.found);
    expect(some.looked).toBeLessThan(0.7 * every.looked);
    later += some.found.length - some.first;
  }
  expect(later).toBeGreaterThan(20);
});
