// The last detection of a step: pairs of edges that its velocities would bring through each other.

import { expect, test } from 'vitest';
import { countCrossings } from '../../src/bench/rods-crossings';
import {
  createStrandCrossings,
  findStrandContacts,
  findStrandCrossings,
  type StrandCrossings,
} from '../../src/collision/strands';
import { instantiateStrandKernels } from '../../src/kernels/strand-kernels';
import type { Vector } from './generic-scene';
import { createStrandScene, type StrandScene } from './strand-scene';
import { createTurningPair, RADIUS } from './turning-pairs';

const DT = 1 / 60;
/** Pairs of one scene lie so far apart. */
const APART = 0.1;

/** Pairs of hairs with the displacements that they wish for; of pair i the nodes from 4 i on. */
function createPairs(count: number, way: number, seed: number): StrandScene {
  const scene = createStrandScene();
  for (let i = 0; i < count; i++) {
    const { hairs, wish } = createTurningPair(seed + i, way, [APART * i, 0, 0]);
    for (const hair of hairs) scene.addRod([hair], { radius: RADIUS });
    scene.setVelocities(
      4 * i,
      wish.map((w) => w.map((x) => x / DT) as Vector),
    );
  }
  return scene;
}

function detect(scene: StrandScene, kernels = instantiateStrandKernels(scene.arena.memory)) {
  const crossings = createStrandCrossings();
  findStrandCrossings(crossings, { ...scene, kernels }, { timeStep: DT });
  return crossings;
}

for (const way of [3e-4, 3e-3]) {
  test(`finds every pair of edges that would cross, ends moving ${way} m`, () => {
    const PAIRS = 400;
    const scene = createPairs(PAIRS, way, 17);
    const { count, edges, meeting } = detect(scene);
    const { position, velocity } = scene.tables.nodes;
    const found = new Map(Array.from({ length: count }, (_, i) => [edges[2 * i] >> 2, i]));
    expect(found.size).toBe(count); // each once
    const after = position.map((x, i) => ((i & 3) < 3 ? x + DT * velocity[i] : x));
    let crossing = 0;
    for (let i = 0; i < PAIRS; i++) {
      if (countCrossings(position, after, 4 * i, 4 * i + 2) === 0) continue;
      crossing++;
      expect(found.has(i)).toBe(true);
      const row = meeting.subarray(8 * found.get(i)!, 8 * found.get(i)! + 6);
      expect([...edges.subarray(2 * found.get(i)!, 2 * found.get(i)! + 2)]).toEqual([4 * i, 4 * i + 2]);
      expect(Math.hypot(row[0], row[1], row[2])).toBeCloseTo(1, 12);
      expect(row[3]).toBeGreaterThan(0);
      expect(Math.max(row[4], row[5])).toBeLessThanOrEqual(1);
      expect(Math.min(row[4], row[5])).toBeGreaterThanOrEqual(0);
    }
    // What is found beside them comes near; most pairs do neither.
    expect(crossing).toBeGreaterThan(PAIRS / 10);
    expect(count).toBeLessThan(crossing + PAIRS / 5);
  });
}

test('finds the same with the boxes that a detection along other velocities has left', () => {
  const scene = createPairs(50, 3e-3, 5);
  const kernels = instantiateStrandKernels(scene.arena.memory);
  const { velocity } = scene.tables.nodes;
  const wish = velocity.slice();
  velocity.fill(0);
  findStrandContacts({ ...scene, kernels }, { timeStep: DT });
  velocity.set(wish);
  const edgesOf = ({ count, edges }: StrandCrossings) =>
    Array.from({ length: count }, (_, i) => edges[2 * i]).sort((a, b) => a - b);
  const found = edgesOf(detect(scene, kernels));
  expect(found.length).toBeGreaterThan(10);
  expect(found).toEqual(edgesOf(detect(createPairs(50, 3e-3, 5))));
});

test('edges that part, or rest on each other, are not found', () => {
  const scene = createPairs(100, 3e-3, 9);
  const { velocity, position } = scene.tables.nodes;
  // Of each pair the second lies above the first.
  for (let node = 0; node < 400; node++) velocity.set([0.2, 0, node % 4 < 2 ? -0.01 : 0.01], 4 * node);
  expect(detect(scene).count).toBe(0);
  for (let node = 0; node < 400; node++) velocity.set([0.2, 0.1, -3], 4 * node);
  expect(detect(scene).count).toBe(0);
  for (let node = 0; node < 400; node++) {
    const down = (position[4 * (node & ~3) + 10] - position[4 * (node & ~3) + 2]) / DT;
    velocity.set([0, 0, node % 4 < 2 ? 0 : -1.1 * down], 4 * node);
  }
  expect(detect(scene).count).toBe(100);
});
