// Threads: the same bits for every number of them, and a world that runs on one thread where they cannot be.

import { createRequire } from 'node:module';
import { createWorld } from 'bitecs';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  addGroom,
  addRigidBody,
  createPhysics,
  loadGame,
  type Physics,
  type PhysicsSettings,
  saveGame,
} from '../../src/index';
import { longTest } from '../setup/suite';

const STRANDS = 260;
const VERTICES = 16;
const LENGTH = 0.15;
const RADIUS = 5e-4;

/** A tuft that swings under a slanting gravity, its strands in contact with each other and with a ball. */
function createTuft(settings: PhysicsSettings): Physics {
  const physics = createPhysics(createWorld(), {
    gravity: [6, -8, 0],
    sleeping: false,
    userTiming: false,
    ...settings,
  });
  addRigidBody(physics, { shape: { sphere: 0.02 }, position: [0.045, -0.05, 0.005], type: 'static' });
  const positions: number[] = [];
  for (let s = 0; s < STRANDS; s++)
    for (let i = 0; i < VERTICES; i++)
      positions.push(2.1 * RADIUS * (s % 20), (-LENGTH * i) / (VERTICES - 1), 2.1 * RADIUS * Math.floor(s / 20));
  addGroom(physics, {
    strands: { counts: new Int32Array(STRANDS).fill(VERTICES), positions },
    radius: RADIUS,
    density: 1300,
    youngModulus: 4e7,
    stretchModulus: 1e8,
    friction: 0.3,
    clampStart: true,
  });
  return physics;
}

function step(physics: Physics, count: number): string {
  for (let i = 0; i < count; i++) physics.step();
  return physics.hash();
}

const STEPS = 6;
const worlds: Physics[] = [];
/** Hashes after each step of a world that asks for nothing. */
const hashes: string[] = [];

beforeAll(() => {
  const physics = createTuft({});
  for (let i = 0; i < STEPS; i++) {
    hashes.push(physics.hash());
    physics.step();
  }
  hashes.push(physics.hash());
  physics.dispose();
});

async function run(settings: PhysicsSettings, count = STEPS): Promise<{ hash: string; physics: Physics }> {
  const physics = createTuft(settings);
  worlds.push(physics);
  await physics.threadsReady;
  return { hash: step(physics, count), physics };
}

afterEach(() => {
  for (const physics of worlds.splice(0)) physics.dispose();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

longTest('the same bits for 0, 1, 2, 3 and 8 threads, and for a world that gets them in the middle', async () => {
  const hash = hashes[STEPS];
  const { hash: first, physics: alone } = await run({ threads: 0 }, 1);
  expect(first).toBe(hashes[1]);
  expect(alone.report.threads).toMatchObject({ count: 1, reason: '' });
  expect(alone.report.threads.busy).toEqual([]);
  expect(alone.internal.threads.pool).toBe(null);
  expect((await run({ threads: 1 }, 1)).hash).toBe(hashes[1]);
  for (const [threads, steps] of [
    [2, STEPS],
    [3, 3],
    [8, 2],
  ]) {
    const { hash: same, physics } = await run({ threads }, steps);
    expect(physics.report.threads).toMatchObject({ count: threads, reason: '' });
    expect(physics.internal.threads.pool?.jobs).toBeGreaterThan(5 * steps);
    expect(same).toBe(hashes[steps]);
  }
  const moved = createTuft({ threads: 2 });
  worlds.push(moved);
  step(moved, 3);
  expect(moved.report.threads.count).toBe(1);
  await moved.threadsReady;
  expect(moved.report.threads.count).toBe(2);
  expect(step(moved, STEPS - 3)).toBe(hash);
});

/** RANGE_* numbers of the jobs that were handed out as more than one ticket, by module. */
function watchJobs(physics: Physics): Set<string> {
  const { pool } = physics.internal.threads;
  if (!pool) throw new Error('no threads');
  const seen = new Set<string>();
  const { fork } = pool;
  vi.spyOn(pool, 'fork').mockImplementation((module, kind, count, grain, scratch) => {
    if (count > grain) seen.add(`${module}.${kind}`);
    fork(module, kind, count, grain, scratch);
  });
  return seen;
}

longTest('the report tells how long each thread worked in the step, unless no clock is to be read', async () => {
  const { physics } = await run({ threads: 2 }, 2);
  const { busy } = physics.report.threads;
  expect(busy).toHaveLength(2);
  expect(busy[0]).toBeGreaterThan(0);
  // Of one step, not of all so far.
  expect(busy[0]).toBeLessThan(physics.profile.stepMilliseconds());
  let worked = 0;
  for (let i = 0; i < 20 && worked === 0; i++) {
    physics.step();
    worked = busy[1];
  }
  expect(worked).toBeGreaterThan(0);
  const { physics: untimed } = await run({ threads: 2, stageTimes: false }, 1);
  expect(untimed.internal.threads.pool?.jobs).toBeGreaterThan(0);
  expect(untimed.report.threads.busy).toEqual([]);
});

longTest('every range of strands is worked on by threads', async () => {
  const { physics } = await run({ threads: 2 }, 1);
  const seen = watchJobs(physics);
  step(physics, STEPS - 1);
  expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6].map((kind) => `1.${kind}`));
});

/** Boxes, balls and capsules that fall into each other over a mesh. */
function createHeap(threads: number): Physics {
  const physics = createPhysics(createWorld(), { threads });
  worlds.push(physics);
  const vertices = [-9, 0, -9, 9, 0, -9, 9, 0, 9, -9, 0, 9];
  addRigidBody(physics, { type: 'static', shape: { mesh: { vertices, triangles: [0, 2, 1, 0, 3, 2] } } });
  for (let i = 0; i < 250; i++) {
    const shape =
      i % 3 === 0
        ? { sphere: 0.3 }
        : i % 3 === 1
          ? { box: [0.3, 0.3, 0.3] as const }
          : { capsule: [0.2, 0.2] as const };
    const position = [0.55 * (i % 6), 0.28 + 0.55 * Math.floor(i / 36), 0.55 * (Math.floor(i / 6) % 6)];
    addRigidBody(physics, { shape, position });
  }
  return physics;
}

longTest('a heap: the same bits, manifolds by threads', async () => {
  const hash = step(createHeap(0), 10);
  for (const threads of [2, 3]) {
    const physics = createHeap(threads);
    await physics.threadsReady;
    const seen = watchJobs(physics);
    expect(step(physics, 10)).toBe(hash);
    expect(seen.has('0.0')).toBe(true);
  }
});

longTest('a world too small to gain hands out nothing', async () => {
  const physics = createPhysics(createWorld(), { threads: 2 });
  worlds.push(physics);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  for (let i = 0; i < 10; i++) addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5 + i, 0] });
  await physics.threadsReady;
  step(physics, 20);
  expect(physics.report.threads.count).toBe(2);
  expect(physics.internal.threads.pool?.jobs).toBe(0);
});

longTest('snapshots go from a world with threads to one without, and back', async () => {
  const hash = hashes[STEPS];
  const { physics: threaded } = await run({ threads: 2 }, 4);
  const { physics: alone } = await run({ threads: 0 }, 2);
  const early = alone.snapshot();
  alone.restore(threaded.snapshot());
  expect(step(alone, STEPS - 4)).toBe(hash);
  threaded.restore(early);
  expect(step(threaded, STEPS - 2)).toBe(hash);
  const fresh = createPhysics(createWorld(), { gravity: [6, -8, 0], sleeping: false, userTiming: false });
  worlds.push(fresh);
  loadGame(fresh, saveGame(threaded));
  expect(fresh.hash()).toBe(hash);
});

test.each([
  ['crossOriginIsolated', false, /not cross-origin isolated.*Cross-Origin-Opener-Policy/],
  ['SharedArrayBuffer', undefined, /no SharedArrayBuffer/],
])('without %s: one thread, the reason, one line', async (name, value, reason) => {
  vi.stubGlobal(name, value);
  const warn = vi.fn();
  const { hash, physics } = await run({ threads: 2, warn }, 1);
  expect(hash).toBe(hashes[1]);
  expect(physics.report.threads.count).toBe(1);
  expect(physics.report.threads.reason).toMatch(reason);
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/^stiction: threads: .*runs on one thread$/)]]);
});

longTest('a page in the background works on one thread until it is seen again', async () => {
  const { physics } = await run({ threads: 2 }, 1);
  vi.stubGlobal('document', { hidden: true });
  const jobs = physics.internal.threads.pool?.jobs;
  step(physics, 1);
  expect(physics.report.threads).toMatchObject({ count: 1, reason: 'the page is in the background' });
  expect(physics.internal.threads.pool?.jobs).toBe(jobs);
  vi.unstubAllGlobals();
  expect(step(physics, 1)).toBe(hashes[3]);
  expect(physics.report.threads).toMatchObject({ count: 2, reason: '' });
});

longTest('a memory that cannot grow for jobs: one thread, the same bits, the reason', async () => {
  const warn = vi.fn();
  const physics = createTuft({ threads: 2, warn });
  worlds.push(physics);
  step(physics, 3);
  await physics.threadsReady;
  const { memory } = physics.internal.engine.arena;
  const { grow } = WebAssembly.Memory.prototype;
  // The world has just as much as it needs, and `reach` of threads/pool.ts, named as on the built engine, no more.
  vi.spyOn(memory, 'grow').mockImplementation((pages) => {
    if (/at reach \(/.test(new Error().stack ?? '')) throw new RangeError('Unable to grow instance memory');
    return grow.call(memory, pages);
  });
  expect(step(physics, 1)).toBe(hashes[4]);
  expect(physics.report.threads.count).toBe(1);
  expect(physics.report.threads.reason).toMatch(/memory has no room/);
  expect(warn).toHaveBeenCalledTimes(1);
  expect(step(physics, 2)).toBe(hashes[STEPS]);
});

/** The workers that Node starts from now on, with a promise of their end. */
function watchWorkers(): { worker: { terminate(): void }; ended: Promise<void> }[] {
  const threads = createRequire(import.meta.url)('node:worker_threads');
  const started: { worker: { terminate(): void }; ended: Promise<void> }[] = [];
  const { Worker } = threads;
  vi.spyOn(threads, 'Worker').mockImplementation(function create(...args: unknown[]) {
    const worker = new Worker(...args);
    started.push({ worker, ended: new Promise((resolve) => worker.on('exit', () => resolve())) });
    return worker;
  });
  return started;
}

longTest('a worker that dies between steps: the others end, the world goes on', async () => {
  const started = watchWorkers();
  const warn = vi.fn();
  const { physics } = await run({ threads: 3, warn }, 2);
  expect(started.length).toBe(2);
  started[0].worker.terminate();
  await Promise.all(started.map(({ ended }) => ended));
  expect(step(physics, 2)).toBe(hashes[4]);
  expect(physics.report.threads).toMatchObject({ count: 1, reason: 'a worker ended' });
  expect(warn).toHaveBeenCalledTimes(1);
});

longTest('dispose ends the workers, in the middle of starting them, too', async () => {
  const started = watchWorkers();
  const { physics } = await run({ threads: 3 }, 1);
  physics.dispose();
  const early = createTuft({ threads: 2 });
  early.dispose();
  await early.threadsReady;
  await Promise.all(started.map(({ ended }) => ended));
  expect(started.length).toBe(3);
});

test('wrong numbers are refused', () => {
  for (const threads of [-1, 1.5, 65, 'many', Number.NaN])
    expect(() => createPhysics(createWorld(), { threads: threads as number })).toThrow(
      /^createPhysics: threads must be 'auto' or a whole number 0\.\.64, got/,
    );
});
