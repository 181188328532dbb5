import { expect, test } from 'vitest';
import * as L from '../../src/state/layout';
import {
  addBox,
  addColumn,
  addGround,
  type BoxWorld,
  createBoxWorld,
  link,
  makeManifolds,
  stepBoxes,
} from './helpers/box-world';

const cell = (world: BoxWorld, at: number) => world.arena.i32[at >> 2];
const isAsleep = (world: BoxWorld, body: number) => (world.tables.bodies.flags[body] & L.BODY_ASLEEP) !== 0;

function clearLists(world: BoxWorld): void {
  for (const at of [L.WAKE_COUNT, L.SLEEP_COUNT]) world.arena.i32[at >> 2] = 0;
}

/** A world that sleeps; every box has a collider that knows its pairs, as the broadphase would have made it. */
function sleepyWorld(): BoxWorld {
  const world = createBoxWorld(64);
  world.arena.i32[L.SLEEP_ENABLED >> 2] = 1;
  return world;
}

/** Gives every body a collider and chains the pairs to it, so that they leave and enter the active list with it. */
function chainPairs(world: BoxWorld): void {
  const { bodies, colliders, pairs, control } = world.tables;
  const count = cell(world, L.BODY_COUNT);
  control.colliders.ensure(count);
  world.arena.i32[L.COLLIDER_COUNT >> 2] = count;
  for (let b = 0; b < count; b++) {
    bodies.collider[b] = b;
    colliders.body[b] = b;
    colliders.next[b] = -1;
    colliders.pair[b] = -1;
    colliders.flags[b] = L.COLLIDER_ALIVE;
  }
  for (const { pair, lower, upper } of world.links) {
    [lower, upper].forEach((collider, side) => {
      const key = pair * 2 + side;
      const head = colliders.pair[collider];
      pairs.link[pair * 4 + side * 2] = head;
      pairs.link[pair * 4 + side * 2 + 1] = -1;
      if (head >= 0) pairs.link[(head >> 1) * 4 + (head & 1) * 2 + 1] = key;
      colliders.pair[collider] = key;
    });
  }
}

function step(world: BoxWorld, count = 1): void {
  for (let k = 0; k < count; k++) stepBoxes(world);
}

test('an island at rest sleeps as a whole after the delay, in a ring, and costs nothing afterwards', () => {
  const world = sleepyWorld();
  const boxes = addColumn(world, 4);
  chainPairs(world);
  step(world, 29);
  expect(boxes.some((b) => isAsleep(world, b))).toBe(false);
  step(world, 3);
  expect(boxes.every((b) => isAsleep(world, b))).toBe(true);
  const t = world.tables.bodies;
  expect(cell(world, L.AWAKE_COUNT)).toBe(0);
  expect(cell(world, L.ACTIVE_COUNT)).toBe(0);
  expect([...t.sleepList.subarray(0, cell(world, L.SLEEP_COUNT))]).toEqual(boxes);
  const ring = [boxes[0]];
  for (let b = t.next[boxes[0]]; b !== boxes[0]; b = t.next[b]) ring.push(b);
  expect(ring.sort((a, b) => a - b)).toEqual(boxes);
  for (const b of boxes) {
    expect(t.awakeIndex[b]).toBe(-1);
    expect(t.island[b]).toBe(boxes[0]);
    expect([...t.linearVelocity.subarray(b * 4, b * 4 + 3)]).toEqual([0, 0, 0]);
  }
  const pose = [...t.position];
  step(world, 5);
  expect([...world.tables.bodies.position]).toEqual(pose);
  expect(cell(world, L.ISLAND_COUNT)).toBe(0);
});

test('waking one body wakes its ring, with pairs and impulses, and the stack stays where it is', () => {
  const world = sleepyWorld();
  const boxes = addColumn(world, 4);
  chainPairs(world);
  step(world, 40);
  clearLists(world);
  const pose = [...world.tables.bodies.position];
  const impulses = [...world.tables.pairs.impulse];
  world.kernels.wakeBody(boxes[2]);
  const t = world.tables.bodies;
  expect([...t.wakeList.subarray(0, cell(world, L.WAKE_COUNT))].sort((a, b) => a - b)).toEqual(boxes);
  expect(cell(world, L.AWAKE_COUNT)).toBe(4);
  expect(cell(world, L.ACTIVE_COUNT)).toBe(4);
  expect(impulses[world.links[0].pair * 16]).toBeGreaterThan(0);
  world.kernels.wakeBody(boxes[2]);
  expect(cell(world, L.WAKE_COUNT)).toBe(4);
  step(world, 3);
  world.tables.bodies.position.forEach((p, k) => {
    expect(p).toBeCloseTo(pose[k], 6);
  });
});

test('a falling body wakes the stack that it reaches, in that very step, and not before', () => {
  const world = sleepyWorld();
  const boxes = addColumn(world, 3);
  const falling = addBox(world, { position: [0, 4.5, 0] });
  link(world, boxes[2], falling);
  chainPairs(world);
  step(world, 25);
  // Held up until the stack sleeps.
  const t = world.tables.bodies;
  for (let k = 0; k < 12; k++) {
    t.position.set([0, 4.2, 0], falling * 4);
    t.linearVelocity.set([0, 0, 0], falling * 4);
    step(world);
  }
  expect(boxes.every((b) => isAsleep(world, b))).toBe(true);
  clearLists(world);
  let before = 0;
  for (let k = 0; k < 60 && isAsleep(world, boxes[0]); k++) {
    before = t.position[falling * 4 + 1] - 3.5;
    step(world);
  }
  expect(boxes.some((b) => isAsleep(world, b))).toBe(false);
  expect(before).toBeLessThan(0.06);
  expect(before).toBeGreaterThan(0);
  expect(cell(world, L.WAKE_COUNT)).toBe(3);
  step(world, 60);
  expect(t.position[falling * 4 + 1]).toBeCloseTo(3.5, 2);
});

test('a body that never sleeps keeps its island awake; a lone body sleeps only where nothing pulls at it', () => {
  const world = sleepyWorld();
  const boxes = addColumn(world, 2);
  const still = addBox(world, { position: [10, 5, 0] });
  const slow = addBox(world, { position: [20, 5, 0] });
  chainPairs(world);
  const t = world.tables.bodies;
  t.flags[boxes[1]] |= L.BODY_NEVER_SLEEPS;
  t.damping[still * 4 + 2] = 0;
  // At rest for the moment, again and again: it falls.
  for (let k = 0; k < 60; k++) {
    t.linearVelocity.set([0, 0, 0], slow * 4);
    step(world);
  }
  expect(boxes.some((b) => isAsleep(world, b))).toBe(false);
  expect(isAsleep(world, still)).toBe(true);
  expect(t.next[still]).toBe(still);
  expect(isAsleep(world, slow)).toBe(false);
});

test('nothing sleeps when sleeping is off, nor on a lift that moves; a lift that stops leaves the awake list', () => {
  for (const enabled of [0, 1]) {
    const world = sleepyWorld();
    world.arena.i32[L.SLEEP_ENABLED >> 2] = enabled;
    const lift = addBox(world, { kinematic: true, half: [2, 0.5, 2], position: [0, -0.5, 0], velocity: [0.01, 0, 0] });
    const box = addBox(world, { position: [0, 0.5, 0] });
    link(world, lift, box);
    chainPairs(world);
    step(world, 60);
    expect(isAsleep(world, box)).toBe(false);
    const t = world.tables.bodies;
    t.linearVelocity[lift * 4] = 0;
    step(world, 60);
    expect(t.awakeIndex[lift]).toBe(-1);
    expect(isAsleep(world, box)).toBe(enabled === 1);
  }
});

test('a kinematic body that starts to move wakes what sleeps on it; static ground does not', () => {
  const world = sleepyWorld();
  const lift = addBox(world, { kinematic: true, half: [2, 0.5, 2], position: [0, -0.5, 0] });
  const onLift = addBox(world, { position: [0, 0.5, 0] });
  const ground = addGround(world, [0, 0, 0, 1], [50, 0, 0]);
  const onGround = addBox(world, { position: [50, 0.5, 0] });
  link(world, lift, onLift);
  link(world, ground, onGround);
  chainPairs(world);
  step(world, 60);
  expect(isAsleep(world, onLift) && isAsleep(world, onGround)).toBe(true);
  const t = world.tables.bodies;
  t.linearVelocity[lift * 4 + 1] = 0.5;
  const at = world.arena.i32[L.AWAKE_COUNT >> 2]++;
  t.awakeList[at] = lift;
  t.awakeIndex[lift] = at;
  world.kernels.activateBody(lift);
  step(world);
  expect(isAsleep(world, onLift)).toBe(false);
  expect(isAsleep(world, onGround)).toBe(true);
  step(world, 30);
  expect(t.position[onLift * 4 + 1] - t.position[lift * 4 + 1]).toBeCloseTo(1, 3);
});

test('a quarantined body wakes nothing', () => {
  const world = sleepyWorld();
  const boxes = addColumn(world, 1);
  const other = addBox(world, { position: [0, 1.5, 0] });
  chainPairs(world);
  step(world, 40);
  link(world, boxes[0], other);
  expect(isAsleep(world, boxes[0])).toBe(true);
  world.tables.bodies.position.set([0, 1.5, 0], other * 4);
  world.tables.bodies.flags[other] |= L.BODY_QUARANTINED;
  makeManifolds(world, 0.02);
  world.kernels.wakeTouched();
  expect(isAsleep(world, boxes[0])).toBe(true);
});
