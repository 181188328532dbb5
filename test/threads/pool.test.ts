// The pool by itself: every ticket once, and what becomes of those that a worker took and never finished.

import { createRequire } from 'node:module';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createArena } from '../../src/core/arena';
import { ARENA_LAYOUT } from '../../src/state/tables';
import * as C from '../../src/threads/control';
import { createPool } from '../../src/threads/pool';
import { stripData } from '../../src/threads/strip-data';

const COUNT = 100;
const GRAIN = 8;
const control = new Int32Array(new SharedArrayBuffer(4 * C.WORDS));
const tell = vi.fn();
const terminate = vi.fn();
let ranges: [number, number][] = [];
/** Called before the main thread works on a range. */
let before: () => void = () => {};

function makePool(grow?: () => number) {
  const arena = createArena(ARENA_LAYOUT);
  if (grow) vi.spyOn(arena.memory, 'grow').mockImplementation(grow);
  const instance = {
    runRange(_kind: number, begin: number, end: number) {
      before();
      ranges.push([begin, end]);
    },
    stateSize: () => 64,
    keepState: () => {},
    takeState: () => {},
  };
  return createPool({
    ...{ arena, control, tell, instances: [instance] },
    threads: [{ ready: Promise.resolve(), terminate }],
    ...{ staticBytes: 64, stateBytes: () => 64, end: () => 0, isTimed: true },
  });
}

beforeEach(() => {
  control.fill(0);
  ranges = [];
  before = () => {};
  tell.mockClear();
  terminate.mockClear();
});
afterEach(() => vi.restoreAllMocks());

/** Every number from 0 to COUNT, once. */
function expectAll(): void {
  const sorted = ranges.toSorted((a, b) => a[0] - b[0]);
  expect(sorted.map(([begin]) => begin)).toEqual(Array.from({ length: Math.ceil(COUNT / GRAIN) }, (_, k) => GRAIN * k));
  expect(sorted[sorted.length - 1][1]).toBe(COUNT);
}

/** Takes a ticket as a worker would, once. */
function takeOne(): () => number {
  let taken = -1;
  before = () => {
    if (taken < 0) taken = C.claim(control, Atomics.load(control, C.EPOCH));
  };
  return () => taken;
}

test('nobody comes: the caller does all', () => {
  const pool = makePool();
  pool.fork(0, 0, COUNT, GRAIN, 0);
  expectAll();
  expect(pool.reason).toBe('');
});

test('what threads have worked is told once, for as many as there are', () => {
  const pool = makePool();
  const until = performance.now() + 2;
  before = () => {
    while (performance.now() < until);
  };
  pool.fork(0, 0, COUNT, GRAIN, 0);
  const times: number[] = [9, 9, 9];
  pool.takeTimes(times);
  expect(times).toHaveLength(2);
  expect(times[0]).toBeGreaterThan(1);
  expect(times[0]).toBeLessThan(1000);
  expect(times[1]).toBe(0);
  C.note(control, 1, 10, 10.5);
  pool.takeTimes(times);
  expect(times).toEqual([0, 0.5]);
  pool.stop('over');
  pool.takeTimes(times);
  expect(times).toEqual([]);
});

test('a ticket that a worker keeps is done by the caller, and the pool is given up', () => {
  const pool = makePool();
  const taken = takeOne();
  pool.fork(0, 0, COUNT, GRAIN, 0);
  expect(taken()).toBe(1);
  expectAll();
  expect(pool.reason).toBe('a worker did not answer');
  expect(pool.count).toBe(1);
  expect(tell).toHaveBeenCalledExactlyOnceWith('a worker did not answer');
  expect(terminate).toHaveBeenCalledOnce();
  ranges = [];
  pool.fork(0, 0, COUNT, GRAIN, 0);
  expect(ranges).toEqual([[0, COUNT]]);
});

test('a worker that throws: at once', () => {
  const pool = makePool();
  const taken = takeOne();
  const take = before;
  before = () => {
    take();
    Atomics.store(control, C.FAILED, 1);
  };
  pool.fork(0, 0, COUNT, GRAIN, 0);
  expect(taken()).toBe(1);
  expectAll();
  // Not for the time after which a worker has not answered.
  expect(pool.reason).toBe('a worker failed');
});

test('where a worker throws, the others end what they have before the caller goes on', async () => {
  const pool = makePool();
  const { Worker } = createRequire(import.meta.url)('node:worker_threads');
  // It stands for two: one that has failed, and one that is a while in its range.
  const program = `
    const { workerData: { control, C }, parentPort } = require('node:worker_threads');
    parentPort.postMessage('ready');
    while (Atomics.load(control, C.EPOCH) === 0);
    Atomics.add(control, C.BUSY, 1);
    const ticket = Atomics.add(control, C.NEXT, 1) & 1023;
    Atomics.store(control, C.FAILED, 1);
    Atomics.wait(control, C.WORDS - 1, 0, 200);
    control[C.MARKS + ticket] = 1;
    Atomics.add(control, C.DONE, 1);
    Atomics.sub(control, C.BUSY, 1);`;
  const worker = new Worker(program, {
    eval: true,
    workerData: { control, C: { ...C, claim: 0, finish: 0, closed: 0, note: 0, takeTimes: 0 } },
  });
  await new Promise((resolve) => worker.once('message', resolve));
  before = () => {
    while (Atomics.load(control, C.FAILED) === 0);
  };
  pool.fork(0, 0, COUNT, GRAIN, 0);
  expect(pool.reason).toBe('a worker failed');
  expect(control[C.BUSY]).toBe(0);
  expect(ranges.length).toBe(Math.ceil(COUNT / GRAIN) - 1);
  await worker.terminate();
});

test('no memory for a job: the caller does it, and lends nothing any more', () => {
  const pool = makePool(() => {
    throw new RangeError('WebAssembly.Memory.grow(): Unable to grow');
  });
  expect(pool.lend(1e8)).toBe(0);
  expect(pool.reason).toMatch(/no room/);
  expect(tell).toHaveBeenCalledOnce();
  pool.fork(0, 0, COUNT, GRAIN, 0);
  expect(ranges).toEqual([[0, COUNT]]);
  ranges = [];
  const other = makePool(() => {
    throw new RangeError('WebAssembly.Memory.grow(): Unable to grow');
  });
  other.fork(0, 0, COUNT, GRAIN, 1e8);
  expect(ranges).toEqual([[0, COUNT]]);
  expect(other.count).toBe(1);
  expect(other.lend(8)).toBe(0);
});

test('a ticket of a job that is over is not given', () => {
  const pool = makePool();
  pool.fork(0, 0, COUNT, GRAIN, 0);
  const epoch = Atomics.load(control, C.EPOCH);
  pool.fork(0, 0, COUNT, GRAIN, 0);
  expect(C.claim(control, epoch)).toBe(-1);
  Atomics.store(control, C.NEXT, C.closed(epoch + 2));
  expect(C.claim(control, epoch + 2)).toBe(-1);
});

test('more things than tickets: larger ranges, the same things', () => {
  const pool = makePool();
  const many = 5 * C.TICKET_LIMIT + 3;
  pool.fork(0, 0, many, 1, 0);
  expect(ranges.length).toBeLessThanOrEqual(C.TICKET_LIMIT);
  expect(ranges.reduce((sum, [begin, end]) => sum + end - begin, 0)).toBe(many);
});

test('what is lent lies above the arena, and above a job', () => {
  const pool = makePool();
  const address = pool.lend(1000);
  expect(address).toBeGreaterThan(ARENA_LAYOUT.base);
  pool.fork(0, 0, COUNT, GRAIN, 128);
  expect(control[C.STATE]).toBeGreaterThanOrEqual(address + 1000);
  expect(control[C.SCRATCH]).toBeGreaterThan(control[C.STATICS]);
});

test('stripData leaves the data sections out', () => {
  const section = (id: number, ...body: number[]) => [id, body.length, ...body];
  const head = [0, 97, 115, 109, 1, 0, 0, 0];
  const types = section(1, 0);
  const custom = section(0, 1, 65, ...Array.from({ length: 40 }, () => 7));
  const binary = Uint8Array.from([...head, ...types, ...section(12, 1), ...section(11, 1, 1, 0), ...custom]);
  expect([...stripData(binary)]).toEqual([...head, ...types, ...custom]);
});
