// A device that does not get done: the world runs slow, what is shown does not come ever later.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import {
  addRod,
  createPhysics,
  enableGpuStrands,
  type GpuStrandsOptions,
  type Physics,
  UsageError,
} from '../../src/index';
import { closeContext, openNullContext } from './test-device';

const FRAME = 1 / 60;

function addRope(physics: Physics): void {
  addRod(physics, { points: [0, 1, 2, 3].map((x) => [0.1 * x, 0, 0]), radius: 0.01, clampStart: true });
}

/** Runs `work` on a device whose work is done only when `finish` says so: the oldest frame's first. */
async function withSlowDevice(
  options: GpuStrandsOptions,
  work: (
    physics: Physics,
    handle: Awaited<ReturnType<typeof enableGpuStrands>>,
    finish: (frames: number) => Promise<void>,
  ) => Promise<void>,
): Promise<void> {
  const context = await openNullContext();
  const { queue } = context.device;
  const onDone = queue.onSubmittedWorkDone.bind(queue);
  const waiting: (() => void)[] = [];
  queue.onSubmittedWorkDone = () =>
    new Promise((resolve) => {
      waiting.push(() => resolve(undefined));
    });
  const physics = createPhysics(createWorld());
  addRope(physics);
  const handle = await enableGpuStrands(physics, { device: context.device, readBack: 0, auto: 'all', ...options });
  await work(physics, handle, async (frames) => {
    for (const done of waiting.splice(0, frames)) done();
    await new Promise((resolve) => setTimeout(resolve));
  });
  physics.dispose();
  queue.onSubmittedWorkDone = onDone;
  await closeContext(context);
}

test('at most three frames are on their way; then none is begun until one is done', async () => {
  await withSlowDevice({}, async (physics, handle, finish) => {
    for (let frame = 0; frame < 10; frame++) physics.advance(FRAME);
    expect(physics.stepCount).toBe(3);
    expect(handle.report).toMatchObject({ sent: 3, inFlight: 3, held: 7 });
    // What is shown is the last pose, not one before it, and time is not made up for.
    expect(physics.alpha).toBe(1);
    await finish(1);
    expect(physics.advance(0)).toBe(1);
    for (let frame = 0; frame < 4; frame++) expect(physics.advance(FRAME)).toBe(0);
    expect(physics.stepCount).toBe(4);
    await finish(3);
    expect(physics.advance(FRAME)).toBe(2);
    expect(handle.report).toMatchObject({ inFlight: 0, held: 11 });
  });
});

test('a frame may have several steps, and a step that is asked for is taken', async () => {
  await withSlowDevice({ framesInFlight: 1 }, async (physics, handle, finish) => {
    expect(physics.advance(4 * FRAME)).toBe(4);
    expect(physics.advance(FRAME)).toBe(0);
    physics.step();
    expect(handle.report).toMatchObject({ sent: 5, inFlight: 1, held: 1 });
    expect(physics.advance(FRAME)).toBe(0);
    await finish(2);
    expect(physics.advance(FRAME)).toBeGreaterThan(0);
  });
});

test('a device that is done in time holds nothing up, nor does one that is lost', async () => {
  await withSlowDevice({ framesInFlight: 2 }, async (physics, handle, finish) => {
    for (let frame = 0; frame < 20; frame++) {
      expect(physics.advance(FRAME)).toBe(1);
      await finish(1);
    }
    expect(handle.report.held).toBe(0);
    for (let frame = 0; frame < 4; frame++) physics.advance(FRAME);
    expect(handle.report.held).toBeGreaterThan(0);
    handle.dispose();
    expect(physics.advance(FRAME)).toBeGreaterThan(0);
  });
});

test('a number of frames that makes no sense is refused', async () => {
  const physics = createPhysics(createWorld());
  for (const framesInFlight of [0, 1.5, Number.NaN])
    await expect(enableGpuStrands(physics, { framesInFlight })).rejects.toThrow(UsageError);
  await expect(enableGpuStrands(physics, { framesInFlight: 0 })).rejects.toThrow(
    /^enableGpuStrands: framesInFlight must be a whole number 1..10000, got 0/,
  );
  physics.dispose();
});
