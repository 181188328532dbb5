// What the profiler records of a world, without a page: its clock is the machine's, its frames are told by hand.

import { createWorld } from 'bitecs';
import { expect, test, vi } from 'vitest';
import { addRigidBody, createPhysics, type Physics, UsageError } from '../../src/index';
import { createFrameLog } from '../../src/panel/frame-log';
import { openPanel } from '../../src/panel/index';
import { slowestStep } from '../../src/panel/recording';
import { createReplayer } from '../../src/panel/replay';
import { tableOf, traceOf } from '../../src/panel/save';
import { openStepLog } from '../../src/panel/step-log';
import { longTest } from '../setup/suite';

const ENGINE = new Set(['find-contacts', 'solve-contacts']);

function pile(): Physics {
  const physics = createPhysics(createWorld(), { userTiming: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  for (let i = 0; i < 12; i++)
    addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [i % 3, 0.6 + 1.1 * Math.floor(i / 3), 0] });
  return physics;
}

/** Has the step of a number last longer [ms]. */
function slowDown(physics: Physics, at: number, by: number): void {
  physics.schedule.after('copy-out', () => {
    const end = performance.now() + by;
    while (physics.stepCount === at && performance.now() < end);
  });
}

longTest('each step is kept with its stages and counts, and the slowest is found in its frame', () => {
  const physics = pile();
  physics.warmUp();
  slowDown(physics, 33, 600);
  const steps = openStepLog(physics);
  const frames = createFrameLog();
  frames.begin(performance.now(), steps, ENGINE);
  for (let frame = 0; frame < 30; frame++) {
    physics.step();
    physics.step();
    steps.read();
    frames.settle(performance.now());
    frames.begin(performance.now(), steps, ENGINE);
  }
  const { step, frame } = slowestStep(steps, frames);
  expect(steps.numberOf(step)).toBe(33);
  expect(frames.firstStep(frame)).toBe(32);
  expect(frames.stepCount(frame)).toBe(2);
  expect(steps.stage(step, 'system')).toBeGreaterThan(599);
  const sum = steps.stages.reduce((total, name) => total + steps.stage(step, name), 0);
  expect(sum).toBeCloseTo(steps.total(step), 6);
  expect(steps.count(step, 'bodies')).toBe(13);
  expect(steps.count(steps.last, 'contacts')).toBe(physics.report.contacts);
  expect(frames.part(frame, 'systems')).toBeGreaterThan(599);
  // All of the time that the page was busy is billed to something.
  const lanes = ['physics', 'ecs', 'systems', 'panel', 'page'];
  const billed = lanes.reduce((total, lane) => total + frames.part(frame, lane), 0);
  expect(billed).toBeCloseTo(frames.busy(frame), 6);

  const { traceEvents } = traceOf({ steps, frames });
  expect(traceEvents.filter(({ name, ph }) => name === 'step' && ph === 'X')).toHaveLength(60);
  expect(traceEvents.filter(({ name }) => name === 'frame')).toHaveLength(30);
  const rows = tableOf({ steps, frames }).trim().split('\n');
  expect(rows).toHaveLength(61);
  expect(new Set(rows.map((row) => row.replace(/"[^"]*"/g, '').split(',').length)).size).toBe(1);
  steps.close();
  expect(physics.schedule.names).not.toContain('panel');
});

test('threads have tracks of their own: how long each worked in a step', () => {
  const physics = pile();
  physics.step();
  const steps = openStepLog(physics);
  const frames = createFrameLog();
  expect(steps.threads).toBe(0);
  // As the report has it where threads work.
  let now: number[] = [];
  physics.schedule.before('copy-out', () => void physics.report.threads.busy.splice(0, 64, ...now));
  const worked = [[], [1.5, 0.25], [2, 0.5, 0.125], []];
  for (now of worked) physics.step();
  steps.read();
  expect(steps.threads).toBe(3);
  const last = steps.last;
  const told = worked.map((_, i) => [0, 1, 2].map((thread) => steps.busy(last - 3 + i, thread)));
  expect(told).toEqual([
    [0, 0, 0],
    [1.5, 0.25, 0],
    [2, 0.5, 0.125],
    [0, 0, 0],
  ]);
  const { traceEvents } = traceOf({ steps, frames });
  const rows = traceEvents.filter(({ ph, tid }) => ph === 'M' && tid > 3).map(({ tid, args }) => [tid, args?.name]);
  expect(rows).toEqual([
    [4, 'thread 1 (page)'],
    [5, 'thread 2'],
    [6, 'thread 3'],
  ]);
  const ranges = traceEvents.filter(({ name }) => name === 'ranges').map(({ tid, dur }) => [tid, dur]);
  expect(ranges).toEqual([
    [4, 1500],
    [5, 250],
    [4, 2000],
    [5, 500],
    [6, 125],
  ]);
  const [head, , second] = tableOf({ steps, frames }).split('\n');
  expect(head).toMatch(/,thread 1 \(page\) \[ms\],thread 2 \[ms\],thread 3 \[ms\]$/);
  expect(second).toMatch(/,1\.5000,0\.2500,0\.0000$/);
  steps.close();
});

test('a step is taken again from a snapshot, and the world is as it was', () => {
  const physics = pile();
  const replayer = createReplayer(physics);
  expect(replayer.obstacle(0)).toMatch(/no snapshot/);
  for (let i = 0; i < 50; i++) {
    replayer.keep();
    physics.step();
  }
  const hashes: string[] = [];
  physics.schedule.before('copy-in', () => void (physics.stepCount === 41 && hashes.push(physics.hash())));
  const before = physics.hash();
  const replay = replayer.repeat(41);
  expect(replay).toMatchObject({ number: 41, isSame: true });
  expect(replay.total).toBeGreaterThan(0);
  expect(replay.stages.get('solve-contacts')).toBeGreaterThan(0);
  expect(hashes).toHaveLength(5);
  expect(physics.hash()).toBe(before);
  expect(physics.stepCount).toBe(50);
});

test('what is skipped is no part of what is recorded', () => {
  const physics = pile();
  const steps = openStepLog(physics);
  for (let i = 0; i < 5; i++) physics.step();
  steps.read();
  const { last } = steps;
  steps.skip();
  for (let i = 0; i < 700; i++) physics.step();
  expect(steps.has(last)).toBe(true);
  steps.read();
  physics.step();
  steps.read();
  expect(steps.times(new Float64Array(600))).toBe(1);
});

test('openPanel refuses what it does not know, before it touches the page', () => {
  vi.stubGlobal('document', {});
  const open = (options: unknown) => () => openPanel(pile(), options as Parameters<typeof openPanel>[1]);
  expect(open({ budgt: 8 })).toThrow('openPanel: unknown key; known are parent, budget, gpu, onFreeze, got "budgt"');
  expect(open({ gpu: [] })).toThrow('openPanel: gpu must be a function');
  expect(open(null)).toThrow('openPanel: options must be an object');
  expect(open({ budget: 0 })).toThrow('openPanel: budget must be');
  vi.unstubAllGlobals();
});

test('the GPU of a frame is called so in the trace, whatever ran on it', () => {
  const physics = pile();
  const steps = openStepLog(physics);
  const frames = createFrameLog();
  for (let i = 1; i <= 3; i++) {
    frames.begin(100 * i, steps, ENGINE);
    frames.add('gpu', 2);
  }
  const { traceEvents } = traceOf({ steps, frames });
  expect(traceEvents.filter(({ ph, tid }) => ph === 'X' && tid === 3).map(({ name }) => name)).toEqual(['gpu', 'gpu']);
});

test('openPanel needs a page', () => {
  expect(() => openPanel(pile())).toThrow(UsageError);
  expect(() => openPanel(pile())).toThrow(/openPanel: needs a page/);
});
