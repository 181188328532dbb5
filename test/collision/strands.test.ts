import { expect, test } from 'vitest';
import { copyArena, restoreArena } from '../../src/core/arena';
import { createKernelScratch } from '../../src/core/scratch';
import * as L from '../../src/state/layout';
import { add, scale, type Vector } from '../kernels/generic-scene';
import {
  createRandom,
  createStrandScene,
  randomDirection,
  type StrandScene,
  tangledStrands,
} from '../kernels/strand-scene';

const radius = 0.0008;

function tangle(seed = 4, strands = 40): StrandScene {
  const scene = createStrandScene();
  scene.addRod(tangledStrands(strands, 16, 0.004, 0.02, seed), { radius });
  return scene;
}

/** Gives every contact a force that tells it apart. */
function mark(scene: StrandScene): void {
  const count = scene.arena.i32[L.NODE_CONTACT_COUNT >> 2];
  for (let i = 0; i < count; i++) scene.tables.nodeContacts.force.set([i + 1, 2 * i, -i, 0.5], 4 * i);
}

const features = (scene: StrandScene) => scene.readContacts().map((c) => c.key);

test('the table grows until every contact has room, and they come ordered by feature', () => {
  const scene = tangle(4, 120);
  expect(scene.tables.nodeContacts.capacity).toBe(16);
  const count = scene.find();
  expect(count).toBeGreaterThan(100);
  expect(scene.arena.i32[L.MISSING_NODE_CONTACTS >> 2]).toBe(0);
  expect(scene.arena.i32[L.NODE_CONTACT_COUNT >> 2]).toBe(count);
  const keys = features(scene);
  for (let i = 1; i < keys.length; i++) {
    expect(keys[i][0] > keys[i - 1][0] || (keys[i][0] === keys[i - 1][0] && keys[i][1] > keys[i - 1][1])).toBe(true);
  }
});

test('contacts do not depend on where the memory lies or how often it grew', () => {
  const plain = tangle(9);
  plain.find();
  const moved = tangle(9);
  moved.tables.control.nodeContacts.ensure(3000);
  moved.tables.control.nodes.ensure(20000);
  moved.tables.control.strands.ensure(900);
  const memory = createKernelScratch(moved.arena, {
    address: L.STRAND_DETECTION_ADDRESS,
    size: L.STRAND_DETECTION_SIZE,
  });
  const address = memory.address(9_000_000);
  moved.arena.u8.fill(0xa5, address, address + 9_000_000);
  moved.find();
  expect(moved.readContacts()).toEqual(plain.readContacts());
  // Again over its own contacts: the same.
  moved.find();
  expect(moved.readContacts()).toEqual(plain.readContacts());
});

test('a restored snapshot finds the same contacts with the same forces', () => {
  const scene = tangle();
  scene.find();
  mark(scene);
  const bytes = copyArena(scene.arena);
  scene.find();
  const first = scene.readContacts();
  scene.setPositions(0, [[1, 1, 1]]);
  scene.find();
  restoreArena(scene.arena, bytes);
  scene.find();
  expect(scene.readContacts()).toEqual(first);
});

test('forces stay with their features under small motion, appear nowhere twice, and slide to the next edge', () => {
  const scene = tangle(4, 60);
  scene.find();
  mark(scene);
  const before = new Map(scene.readContacts().map((c) => [c.key.join(), c]));
  const random = createRandom(8);
  const position = scene.tables.nodes.position;
  const nodes = scene.arena.i32[L.NODE_COUNT >> 2];
  for (let i = 0; i < nodes; i++) {
    const d = scale(randomDirection(random), 1e-6);
    for (let k = 0; k < 3; k++) position[4 * i + k] += d[k];
  }
  const after = scene.detect();
  let kept = 0;
  const given = new Set<number>();
  for (const c of after) {
    const old = before.get(c.key.join());
    if (c.force[3] !== 0) {
      expect(given.has(c.force[0])).toBe(false);
      given.add(c.force[0]);
    }
    if (!old) continue;
    kept++;
    expect(c.force).toEqual(old.force);
    expect(Math.abs(c.gap - old.gap)).toBeLessThan(4e-6);
  }
  expect(kept).toBeGreaterThan(0.97 * before.size);

  // A strand drawn along another: the contact wanders from edge to edge with its force.
  const slide = createStrandScene();
  slide.addRod([Array.from({ length: 12 }, (_, i): Vector => [0.01 * i, 0, 0])], { radius: 0.001 });
  const second = slide.addRod(
    [
      [
        [0.0149, 0.002, -0.01],
        [0.0149, 0.002, 0.01],
      ],
    ],
    { radius: 0.001 },
  );
  slide.find();
  slide.tables.nodeContacts.force.set([1, 2, 3, 4], 0);
  for (let x = 0.0149; x < 0.09; x += 0.0031) {
    slide.setPositions(second, [
      [x, 0.002, -0.01],
      [x, 0.002, 0.01],
    ]);
    const found = slide.detect();
    expect(found.length).toBe(1);
    expect(found[0].force).toEqual([1, 2, 3, 4]);
    expect(Math.abs(0.01 * (found[0].nodes[0] + found[0].weights[1]) - x)).toBeLessThan(2.1e-4);
  }
});

test('appending keeps the rows that are there and adds what the new velocities bring', () => {
  const scene = tangle(6, 60);
  const count = scene.find();
  mark(scene);
  const before = scene.readContacts();
  expect(scene.find({ append: true })).toBe(count);
  expect(scene.readContacts()).toEqual(before);
  const random = createRandom(2);
  const nodes = scene.arena.i32[L.NODE_COUNT >> 2];
  const strand = scene.tables.nodes.strand;
  const speeds = Array.from({ length: 60 }, () => scale(randomDirection(random), 0.3));
  scene.setVelocities(
    0,
    Array.from({ length: nodes }, (_, i) => add(speeds[strand[i]], [0, 0, 0])),
  );
  const more = scene.find({ append: true });
  expect(more).toBeGreaterThan(count);
  const all = scene.readContacts();
  expect(all.slice(0, count)).toEqual(before);
  expect(all.slice(count).every((c) => c.force.every((f) => f === 0))).toBe(true);
  expect(new Set(all.map((c) => c.key.join())).size).toBe(more);
  // A fresh detection with these velocities has no pair that appending missed.
  const pairs = new Set(all.map((c) => `${c.nodes[0]} ${c.nodes[2]}`));
  for (const c of scene.detect()) expect(pairs.has(`${c.nodes[0]} ${c.nodes[2]}`)).toBe(true);
});

test('given velocities count instead of the table, and without continuous detection only what is near', () => {
  const scene = createStrandScene();
  scene.addRod(
    [
      [
        [-1, 0, 0],
        [1, 0, 0],
      ],
    ],
    { radius: 0.01 },
  );
  const second = scene.addRod(
    [
      [
        [0, 0.2, -1],
        [0, 0.2, 1],
      ],
    ],
    { radius: 0.01 },
  );
  expect(scene.find()).toBe(0);
  scene.setVelocities(second, [
    [0, -20, 0],
    [0, -20, 0],
  ]);
  const [c] = scene.detect();
  expect(c.time).toBeCloseTo(0.18 / (20 / 60), 2);
  expect(c.gap).toBeCloseTo(0.18, 12);
  expect(scene.find({ continuous: false })).toBe(0);
  expect(scene.find({ timeStep: 1e-3 })).toBe(0);
  // Zeros at the place of the previous positions' velocities: the force column of the nodes.
  expect(scene.find({ velocities: scene.arena.i32[L.NODE_FORCE >> 2] })).toBe(0);
});

test('a world without strands has no contacts and asks for no scratch', () => {
  const scene = createStrandScene();
  expect(scene.find()).toBe(0);
  expect(scene.arena.i32[L.STRAND_DETECTION_SIZE >> 2]).toBe(0);
});
