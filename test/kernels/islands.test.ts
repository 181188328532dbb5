import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as L from '../../src/state/layout';
import { bySuite } from '../setup/suite';
import { addBox, addGround, createBoxWorld, link } from './helpers/box-world';

/** Gives every linked pair a point, so that it counts as touching. */
function touchAll(world: ReturnType<typeof createBoxWorld>): void {
  for (const { pair } of world.links) world.tables.pairs.points[pair] = 2;
}

const cell = (world: ReturnType<typeof createBoxWorld>, at: number) => world.arena.i32[at >> 2];

test('static and kinematic bodies join nothing, and a body without contact is in no island', () => {
  const world = createBoxWorld();
  const ground = addGround(world);
  const platform = addBox(world, { kinematic: true });
  const bodies = [0, 1, 2, 3].map(() => addBox(world));
  for (const b of bodies.slice(0, 2)) link(world, ground, b);
  link(world, platform, bodies[1]);
  link(world, platform, bodies[2]);
  touchAll(world);
  world.kernels.buildIslands();
  const t = world.tables.bodies;
  expect(cell(world, L.ISLAND_COUNT)).toBe(3);
  expect(bodies.map((b) => t.island[b])).toEqual([0, 1, 2, -1]);
  expect(t.island[platform]).toBe(-1);
  expect([...t.islandPairCount.subarray(0, 3)]).toEqual([1, 2, 1]);
  expect([...t.islandPointCount.subarray(0, 3)]).toEqual([2, 4, 2]);
});

test('sensors, disabled pairs, pairs without points, quarantined and sleeping bodies do not join', () => {
  const world = createBoxWorld();
  const b = Array.from({ length: 10 }, () => addBox(world));
  const pairs = [0, 2, 4, 6, 8].map((k) => link(world, b[k], b[k + 1]));
  touchAll(world);
  const t = world.tables;
  t.pairs.flags[pairs[0]] |= L.PAIR_SENSOR;
  t.pairs.flags[pairs[1]] |= L.PAIR_DISABLED;
  t.pairs.points[pairs[2]] = 0;
  t.bodies.flags[b[6]] |= L.BODY_QUARANTINED;
  t.bodies.flags[b[8]] |= L.BODY_ASLEEP;
  const last = --world.arena.i32[L.AWAKE_COUNT >> 2];
  const moved = t.bodies.awakeList[last];
  t.bodies.awakeList[t.bodies.awakeIndex[b[8]]] = moved;
  t.bodies.awakeIndex[moved] = t.bodies.awakeIndex[b[8]];
  t.bodies.awakeIndex[b[8]] = -1;
  world.kernels.buildIslands();
  expect(cell(world, L.ISLAND_COUNT)).toBe(0);
  for (const pair of pairs) expect(t.pairs.island[pair] === -1 || t.pairs.points[pair] === 0).toBe(true);
});

test('islands are the connected components of random contacts, sorted by first body, each body and pair once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(29), fc.nat(29)), { maxLength: 40 }),
      fc.infiniteStream(fc.nat(29)),
      (edges, shuffle) => {
        const world = createBoxWorld();
        for (let k = 0; k < 30; k++) addBox(world);
        for (const [a, b] of edges) if (a !== b) link(world, a, b);
        touchAll(world);
        const t = world.tables.bodies;
        // The order of the awake list must not matter.
        for (let k = 0; k < 30; k++) {
          const j = shuffle.next().value;
          [t.awakeList[k], t.awakeList[j]] = [t.awakeList[j], t.awakeList[k]];
        }
        for (let k = 0; k < 30; k++) t.awakeIndex[t.awakeList[k]] = k;
        world.kernels.buildIslands();

        // Components by repeated spreading of the smallest slot.
        const label = Array.from({ length: 30 }, (_, k) => k);
        const isTouched = new Set(world.links.flatMap(({ lower, upper }) => [lower, upper]));
        for (let round = 0; round < 30; round++) {
          for (const { lower, upper } of world.links) {
            label[lower] = label[upper] = Math.min(label[lower], label[upper]);
          }
        }
        const roots = [...new Set([...isTouched].map((b) => label[b]))].sort((a, b) => a - b);
        expect(cell(world, L.ISLAND_COUNT)).toBe(roots.length);
        for (let b = 0; b < 30; b++) expect(t.island[b]).toBe(isTouched.has(b) ? roots.indexOf(label[b]) : -1);
        roots.forEach((root, k) => {
          const start = t.islandBodyStart[k];
          const bodies = [...t.islandBodies.subarray(start, start + t.islandBodyCount[k])];
          expect(bodies).toEqual([...isTouched].filter((b) => label[b] === root).sort((a, b) => a - b));
          const first = t.islandPairStart[k];
          const pairs = [...world.tables.pairs.islandPairs.subarray(first, first + t.islandPairCount[k])];
          expect(pairs).toEqual(world.links.filter(({ lower }) => label[lower] === root).map(({ pair }) => pair));
        });
      },
    ),
    { numRuns: bySuite(30, 60) },
  );
});
