// No garbage in a step after warm-up: the heap is watched over some thousand steps of worlds that keep moving; and the
// memory of worlds of strands.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { TUFT } from '../src/bench/rods-speed';
import { createTufts } from '../src/bench/rods-worlds';
import { addRigidBody, createPhysics, type Physics, removeRigidBody } from '../src/index';
import { bySuite, longTest } from './setup/suite';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Bytes of garbage a step, over 2000 steps after 1000 of warm-up: until then the engine's compiler is at work. The
 * smallest of up to eight counts, until one is below `most`: runner and compiler allocate now and then, too.
 */
function garbagePerStep(physics: Physics, most: number): number {
  for (let i = 0; i < 1000; i++) physics.step();
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 8 && least >= 2000 * most; round++) {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 2000; i++) physics.step();
    least = Math.min(least, process.memoryUsage().heapUsed - before);
  }
  return least / 2000;
}

function addStack(physics: Physics): void {
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  for (let i = 0; i < 10; i++) addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5 + i, 0] });
}

function addPucks(physics: Physics): void {
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0 });
  for (let i = 0; i < 20; i++) {
    const velocity = [0.3, 0, 0] as const;
    addRigidBody(physics, { shape: { box: [0.5, 0.2, 0.4] }, position: [0, 0.2, 3 * i], velocity, friction: 0 });
  }
}

// What is left is not ours to avoid: the engine boxes each of the stages' twelve clock readings (192 B), and a pivoted
// solve leaves its closures and a few boxed numbers (400 B). One object or view a contact would already be ten times
// as much.
test.each([
  ...bySuite(
    [],
    [
      ['a stack solved by dantzig, kept awake', 'dantzig', addStack, 900] as const,
      ['a stack solved by gauss-seidel, kept awake', 'gauss-seidel', addStack, 350] as const,
      ['a stack at rest, kept awake', 'auto', addStack, 600] as const,
    ],
  ),
  // Pivoted in TypeScript they left 8 kB; with a boxed number an island, 0.7 kB.
  ['twenty sliding boxes', 'auto', addPucks, 350],
] as const)('%s leave no garbage', (_, solver, add, most) => {
  const physics = createPhysics(createWorld(), { sleeping: false, solver, userTiming: false });
  add(physics);
  expect(garbagePerStep(physics, most)).toBeLessThan(most);
});

longTest.each([
  ['swept', 'gauss-seidel', addStack],
  ['slid', 'auto', addPucks],
] as const)('without the clock of the stages a step leaves nothing where bodies are %s', (_, solver, add) => {
  const physics = createPhysics(createWorld(), { sleeping: false, solver, userTiming: false, stageTimes: false });
  add(physics);
  const boxed = 16; // one number boxed in each step
  expect(garbagePerStep(physics, boxed)).toBeLessThan(boxed);
  expect(physics.profile.stepMilliseconds()).toBe(0);
});

test('memory does not grow while bodies come and go', () => {
  const physics = createPhysics(createWorld(), { userTiming: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const used: number[] = [];
  for (let round = 0; round < 24; round++) {
    const bodies = Array.from({ length: 40 }, (_, i) =>
      addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [(i % 7) * 1.2, 1 + i * 0.3, 0] }),
    );
    for (let i = 0; i < 40; i++) physics.step();
    for (const eid of bodies) removeRigidBody(physics, eid);
    physics.step();
    used.push(physics.report.memoryBytes);
  }
  expect(physics.report.bodies).toBe(1);
  // Kept factors come and go with the contact sets: a block more or less, but no growth.
  expect(used[23]).toBeLessThan(used[13] * 1.05);
});

// With memory of its own for each detection of contacts they took 3250 B.
longTest('strands that touch take less than 2700 B of memory a vertex', () => {
  const { physics, advance } = createTufts(500, { ...TUFT, vertices: 32 }, true, 'wasm');
  for (let i = 0; i < 24; i++) advance();
  const { contacts, nodes } = physics.report.strands;
  expect(contacts / nodes).toBeGreaterThan(2.4);
  expect(physics.report.memoryBytes / nodes).toBeLessThan(2700);
});
