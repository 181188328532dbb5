// Further looks within a step find by what the first detection kept what a whole detection would find.

import { expect, test } from 'vitest';
import { createStrandCrossings, findStrandCrossings } from '../../src/collision/strands';
import * as L from '../../src/state/layout';
import { bySuite } from '../setup/suite';
import { scale, type Vector } from './generic-scene';
import { createRandom, createStrandScene, randomDirection, type StrandScene, tangledStrands } from './strand-scene';

const DT = 1 / 60;
const RADIUS = 6e-4;

/** A tangle of short strands round a ball. */
function createTangle(seed: number): StrandScene {
  const scene = createStrandScene();
  const ball = scene.put({ kind: 'sphere', size: [0.006] }, [0, 0, 0]);
  const { bodies, colliders } = scene.tables;
  colliders.layers[ball] = 0xffff0001 | 0;
  colliders.flags[ball] |= L.COLLIDER_MOVED;
  colliders.localRotation.set([0, 0, 0, 1], 4 * ball);
  bodies.flags[ball] = L.BODY_ALIVE | L.BODY_STATIC;
  bodies.collider[ball] = ball;
  scene.arena.i32[L.BODY_COUNT >> 2] = scene.arena.i32[L.COLLIDER_COUNT >> 2] = 1;
  scene.tables.control.tree.ensure(4);
  scene.kernels.findPairs();
  // Two rods that differ in thickness and size of edges; more strands than a step may have strays.
  scene.addRod(tangledStrands(60, 17, 0.004, 0.03, seed), { radius: RADIUS });
  scene.addRod(tangledStrands(12, 9, 0.011, 0.03, seed + 100), { radius: 2 * RADIUS });
  return scene;
}

/** Velocities of one look after the other: all drift and ruffle, some strands change by much more than the rest. */
function velocitiesOf(scene: StrandScene, seed: number, look: number, few: number, much: number): Vector[] {
  const random = createRandom(1000 * seed + 1);
  const count = scene.arena.i32[L.NODE_COUNT >> 2];
  const base = Array.from({ length: count }, () => scale(randomDirection(random), 0.3 * random()));
  const change = createRandom(77 * seed + look);
  const strands = scene.arena.i32[L.STRAND_COUNT >> 2];
  const speeds = Array.from({ length: strands }, () => (change() < few ? much : 0.02) * (look > 0 ? change() : 0));
  const ways = Array.from({ length: strands }, () => randomDirection(change));
  return base.map((v, i) => {
    const strand = scene.tables.nodes.strand[i];
    const ruffle = scale(randomDirection(change), 0.3 * speeds[strand]);
    return v.map((x, k) => x + 1.5 + speeds[strand] * ways[strand][k] + ruffle[k]) as Vector;
  });
}

test.each([
  ['little changes', 0.1, 0.1],
  ['some strands leave their boxes', 0.1, 1.5],
  ['so many leave their boxes that all are made anew', 0.7, 1.5],
  ['a few strands go wild', 0.05, 12],
])('%s: further looks find what whole detections find', (_name, few, much) => {
  let appended = 0;
  for (let seed = 1; seed <= bySuite(1, 4); seed++) {
    const kept = createTangle(seed);
    const fresh = createTangle(seed);
    for (let look = 0; look < 5; look++) {
      for (const scene of [kept, fresh]) scene.setVelocities(0, velocitiesOf(scene, seed, look, few, much));
      fresh.arena.i32[L.STRAND_DETECTION_KEPT >> 2] = 0;
      const options = { timeStep: DT, append: look > 0 };
      const before = kept.readContacts().length;
      const found = kept.detect(options);
      expect(found).toEqual(fresh.detect(options));
      if (look > 0) appended += found.length - before;
    }
  }
  expect(appended).toBeGreaterThan(few * much > 0.05 ? bySuite(25, 100) : bySuite(1, 4));
});

/** Rows of all that would go through each other, in the order of their edges. */
function crossingsOf(scene: StrandScene): number[][] {
  const out = createStrandCrossings();
  findStrandCrossings(out, { ...scene, kernels: scene.strandKernels }, { timeStep: DT });
  const rows = Array.from({ length: out.count }, (_, i) => [
    ...out.edges.subarray(2 * i, 2 * i + 2),
    ...out.meeting.subarray(8 * i, 8 * i + 6),
  ]);
  return rows.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

test.each([0, 1e4])('crossings passed over by what edges are apart are none, %s m from the origin', (far) => {
  let found = 0;
  for (let seed = 1; seed <= bySuite(1, 6); seed++) {
    const kept = createTangle(seed);
    const fresh = createTangle(seed);
    for (const scene of [kept, fresh]) {
      const { position } = scene.tables.nodes;
      for (let i = 0; i < 4 * scene.arena.i32[L.NODE_COUNT >> 2]; i += 4) position[i] += far;
    }

    // The first detection keeps how far edges are apart; the others go by that, or are made anew.
    for (let look = 0; look < 4; look++) {
      for (const scene of [kept, fresh]) scene.setVelocities(0, velocitiesOf(scene, seed, look, 0.1, 0.6));
      if (look === 0) kept.find({ timeStep: DT });
      fresh.arena.i32[L.STRAND_DETECTION_KEPT >> 2] = 0;
      const rows = crossingsOf(kept);
      expect(rows).toEqual(crossingsOf(fresh));
      found += rows.length;
    }
  }
  expect(found).toBeGreaterThan(bySuite(40, 300));
});

/** Two crossing strands, the upper one `height` above the lower. */
function createCrossing(height: number): { scene: StrandScene; upper: number } {
  const scene = createStrandScene();
  const line = (y: number, axis: 0 | 2): Vector[] =>
    [-1, 0, 1].map((i) => (axis === 0 ? [0.02 * i + 0.007, y, 0.004] : [0.003, y, 0.02 * i + 0.009]));
  scene.addRod([line(0, 0)], { radius: RADIUS });
  return { scene, upper: scene.addRod([line(height, 2)], { radius: RADIUS }) };
}

test('small changes that add up over several looks are seen before strands can pass through each other', () => {
  const height = 6 * RADIUS;
  const { scene, upper } = createCrossing(height);
  expect(scene.detect({ timeStep: DT, harmless: 0.2 })).toHaveLength(0);
  for (let look = 1; look <= 100; look++) {
    const way = 0.07 * RADIUS * look;
    scene.setVelocities(
      upper,
      [0, 1, 2].map(() => [0, -way / DT, 0]),
    );
    if (scene.find({ timeStep: DT, append: true, harmless: 0.2 }) === 0) continue;
    // They meet after 4 radii; each may be 0.2 radii further.
    expect(way).toBeGreaterThan(3.9 * RADIUS);
    expect(way).toBeLessThan(4.3 * RADIUS);
    return;
  }
  expect.unreachable('they passed through each other');
});

test('a change within what does no harm brings nothing, a larger one does', () => {
  const { scene, upper } = createCrossing(3 * RADIUS);
  const fall = (way: number): number => {
    scene.setVelocities(
      upper,
      [0, 1, 2].map(() => [0, (-way * RADIUS) / DT, 0]),
    );
    return scene.find({ timeStep: DT, append: true, harmless: 0.2 });
  };
  scene.setVelocities(
    upper,
    [0, 1, 2].map(() => [0, (-0.9 * RADIUS) / DT, 0]),
  );
  expect(scene.find({ timeStep: DT, harmless: 0.2 })).toBe(0);
  expect(fall(1.05)).toBe(0);
  expect(fall(1.15)).toBe(1);
});

test('velocities that sweep all through all are not looked along; what is near is found all the same', () => {
  const scene = createStrandScene();
  const random = createRandom(5);
  scene.addRod(tangledStrands(800, 2, 0.01, 0.2, 3), { radius: 1e-3 });
  const nodes = scene.arena.i32[L.NODE_COUNT >> 2];
  const setSpeeds = (speed: number) =>
    scene.setVelocities(
      0,
      Array.from({ length: nodes }, () => scale(randomDirection(random), speed)),
    );
  setSpeeds(1000);
  const near = scene.find({ timeStep: DT, continuous: false });
  expect(near).toBeGreaterThan(10);
  expect(scene.find({ timeStep: DT })).toBe(near);
  // Nobody asked for room for all of them.
  expect(scene.arena.i32[L.STRAND_CANDIDATE_ROOM >> 2]).toBeLessThan((nodes * nodes) / 16);
  setSpeeds(0);
  const before = scene.find({ timeStep: DT });
  setSpeeds(1000);
  expect(scene.find({ timeStep: DT, append: true })).toBe(before);
});

test('what a detection needs for one call lies where the solve works later; a further look leaves that alone', () => {
  const scene = createStrandScene();
  const line = (y: number, z: number) => Array.from({ length: 12 }, (_, i): Vector => [0.01 * i, y, z]);
  scene.addRod(
    Array.from({ length: 40 }, (_, i) => line(0.002 * (i % 8), 0.002 * Math.floor(i / 8))),
    { radius: 1e-3 },
  );
  expect(scene.detect({ timeStep: DT }).length).toBeGreaterThan(100);
  const { arena } = scene;
  const [address, size, detection] = [L.ADMM_WORK_ADDRESS, L.ADMM_WORK_SIZE, L.STRAND_DETECTION_SIZE].map(
    (c) => c >> 2,
  );
  const kept = scene.strandKernels.strandKeptSize();
  expect(arena.i32[detection]).toBeLessThanOrEqual(Math.max(65536, 1.125 * kept + 1));
  expect(arena.i32[L.STRAND_PASSING_ADDRESS >> 2]).toBe(arena.i32[address]);

  // A solve that works in all but the end of its memory: the look goes elsewhere.
  for (const used of [arena.i32[size], 0]) {
    arena.i32[L.ADMM_WORK_USED >> 2] = used;
    arena.u8.fill(0xa5, arena.i32[address], arena.i32[address] + used);
    scene.detect({ timeStep: DT, append: true });
    const passing = arena.i32[L.STRAND_PASSING_ADDRESS >> 2];
    expect(passing === arena.i32[address]).toBe(used === 0);
    const solve = arena.u8.subarray(arena.i32[address], arena.i32[address] + used);
    expect(solve.every((byte) => byte === 0xa5)).toBe(true);
  }
});
