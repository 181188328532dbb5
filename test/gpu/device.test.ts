// The foundation on the device: contexts, loss, buffers that grow, read-back that never waits, timestamps.

import { expect, test } from 'vitest';
import { createBufferPool, createBufferWriter, STATE_USAGE } from '../../src/gpu/device/buffers';
import { clampLimits, createGpuContext, GpuUnavailable } from '../../src/gpu/device/device';
import { createReadBack } from '../../src/gpu/device/read-back';
import { createTimestamps } from '../../src/gpu/device/timestamps';
import { closeContext, download, gpuTest, isHardware, openTestContext, withDevice } from './test-device';

test('without WebGPU the reason is one line', async () => {
  await expect(createGpuContext()).rejects.toThrow(GpuUnavailable);
  await expect(createGpuContext()).rejects.toThrow(/^WebGPU: not offered here[^\n]*$/);
  const gpu = { requestAdapter: async () => null } as unknown as GPU;
  await expect(createGpuContext({ gpu })).rejects.toThrow(/^WebGPU: no adapter[^\n]*$/);
  const refuses = {
    requestAdapter: async () => ({
      features: new Set(),
      limits: {},
      requestDevice: async () => {
        throw new Error('no');
      },
    }),
  };
  await expect(createGpuContext({ gpu: refuses as unknown as GPU })).rejects.toThrow('the adapter gives no device: no');
});

test('wishes are cut down to what the adapter has', () => {
  expect(clampLimits({ a: 10, b: 5 }, { a: 3, b: 50 })).toEqual({ a: 3, b: 5 });
});

gpuTest("a host's device is used and left alone, its loss told once to all who asked", async () => {
  const own = await openTestContext();
  expect(own.isOwn).toBe(true);
  expect(own.isSoftware).toBe(!isHardware);
  if (!isHardware) expect(own.adapterName).toContain('swiftshader');
  const guest = await createGpuContext({ device: own.device });
  const second = await createGpuContext({ device: own.device });
  expect([guest.isOwn, guest.device, guest.hasTimestamps]).toEqual([false, own.device, true]);
  second.dispose();
  const told: string[] = [];
  guest.onLost(({ reason }) => told.push(reason));
  second.onLost(() => told.push('disposed'));
  guest.onLost(() => told.push('taken away'))();
  expect(guest.isLost).toBe(false);
  await closeContext(own);
  expect((await guest.lost).reason).toBe('destroyed');
  expect(guest.isLost).toBe(true);
  expect(told).toEqual(['destroyed']);
});

gpuTest('uncaptured errors are kept', async () => {
  const context = await openTestContext();
  context.device.createBuffer({ size: 4, usage: 0x3 });
  await context.device.queue.onSubmittedWorkDone();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(context.errors.length).toBe(1);
  await closeContext(context);
});

gpuTest('buffers grow with their content, are counted, and refuse what the device has no room for', async () => {
  await withDevice(async (context) => {
    const pool = createBufferPool(context);
    const buffer = pool.create('things', 20, STATE_USAGE);
    expect([buffer.bytes, pool.bytes, pool.generation]).toEqual([256, 256, 0]);
    context.device.queue.writeBuffer(buffer.buffer, 0, new Uint32Array([7, 8, 9]));
    expect(pool.ensure(buffer, 256, true)).toBe(false);
    expect(pool.ensure(buffer, 5000, true)).toBe(true);
    expect(pool.generation).toBe(1);
    expect(buffer.bytes).toBeGreaterThanOrEqual(5000);
    expect([...new Uint32Array(await download(context, buffer.buffer, 16))]).toEqual([7, 8, 9, 0]);
    expect(() => pool.ensure(buffer, 2 ** 40)).toThrow(/^buffer "things": \d+ bytes .* maxBufferSize/);
    pool.ensure(buffer, 100_000);
    expect([...new Uint32Array(await download(context, buffer.buffer, 16))]).toEqual([0, 0, 0, 0]);
    pool.release(buffer);
    expect(pool.bytes).toBe(0);
    pool.dispose();
  });
});

gpuTest('numbers that are on the device already are not written again', async () => {
  await withDevice(async (context) => {
    const { queue } = context.device;
    const pool = createBufferPool(context);
    const buffer = pool.create('settings', 16, STATE_USAGE);
    const write = createBufferWriter(context);
    const read = async () => [...new Float32Array(await download(context, buffer.buffer, 8))];
    write(buffer, new Float32Array([1, Number.NaN]), 2);
    expect(await read()).toEqual([1, Number.NaN]);
    queue.writeBuffer(buffer.buffer, 0, new Float32Array([7]));
    write(buffer, new Float32Array([1, Number.NaN]), 2);
    expect(await read()).toEqual([7, Number.NaN]);
    write(buffer, new Float32Array([1, 2]), 2);
    expect(await read()).toEqual([1, 2]);
    pool.ensure(buffer, 5000);
    write(buffer, new Float32Array([1, 2]), 2);
    expect(await read()).toEqual([1, 2]);
    pool.dispose();
  });
});

gpuTest('read-back never waits: four on their way, a fifth is left out, all arrive in order', async () => {
  await withDevice(async (context) => {
    const { device } = context;
    const pool = createBufferPool(context);
    const source = pool.create('source', 512, STATE_USAGE);
    const seen: number[][] = [];
    const ring = createReadBack(context, 'test', (bytes, tag) => {
      seen.push([tag, new Uint32Array(bytes)[0], new Uint32Array(bytes)[64], bytes.byteLength]);
    });
    for (let frame = 0; frame < 6; frame++) {
      device.queue.writeBuffer(source.buffer, 0, new Uint32Array([10 * frame, frame]));
      const encoder = device.createCommandEncoder();
      const parts = [0, 4].map((offset) => ({ buffer: source.buffer, offset, size: 4 }));
      expect(ring.copy(encoder, parts, frame)).toBe(frame < 4);
      device.queue.submit([encoder.finish()]);
      ring.flush();
    }
    expect([ring.skipped, ring.pending]).toEqual([2, 4]);
    await ring.settle();
    expect(seen).toEqual([0, 1, 2, 3].map((frame) => [frame, 10 * frame, frame, 260]));
    // Free again.
    const encoder = device.createCommandEncoder();
    expect(ring.copy(encoder, [{ buffer: source.buffer, offset: 0, size: 4 }], 9)).toBe(true);
    device.queue.submit([encoder.finish()]);
    ring.flush();
    await ring.settle();
    expect(seen[4].slice(0, 2)).toEqual([9, 50]);
    ring.dispose();
    pool.dispose();
  });
});

gpuTest('a read-back that the loss of the device overtakes is dropped quietly', async () => {
  const context = await openTestContext();
  const pool = createBufferPool(context);
  const source = pool.create('source', 256, STATE_USAGE);
  let calls = 0;
  const ring = createReadBack(context, 'test', () => calls++);
  const encoder = context.device.createCommandEncoder();
  ring.copy(encoder, [{ buffer: source.buffer, offset: 0, size: 4 }], 0);
  context.device.queue.submit([encoder.finish()]);
  ring.flush();
  ring.dispose();
  await closeContext(context);
  await ring.settle();
  expect([calls, ring.pending]).toEqual([0, 0]);
});

gpuTest('times of groups are medians, never negative, and 0 for groups that did not run', async () => {
  await withDevice(async (context) => {
    const { device } = context;
    const times = createTimestamps(context, ['first', 'second', 'third']);
    expect(times.isAvailable).toBe(true);
    expect(times.writesOf('nothing')).toBeUndefined();
    for (let frame = 0; frame < 20; frame++) {
      const encoder = device.createCommandEncoder();
      for (const group of ['first', 'second']) {
        encoder.beginComputePass({ timestampWrites: times.writesOf(group) }).end();
      }
      times.resolve(encoder, 100 + frame);
      device.queue.submit([encoder.finish()]);
      times.flush();
      await times.settle();
    }
    expect(times.count).toBe(20);
    expect(times.latest?.work).toBe(119);
    expect(times.milliseconds('third')).toBe(0);
    for (const group of ['first', 'second', undefined]) {
      expect(times.milliseconds(group)).toBeGreaterThanOrEqual(0);
      expect(times.milliseconds(group)).toBeLessThan(1000);
    }
    times.dispose();
  });
});

gpuTest('without the feature times are 0 and nothing fails', async () => {
  await withDevice(async (context) => {
    const times = createTimestamps({ ...context, hasTimestamps: false }, ['first']);
    expect([times.isAvailable, times.writesOf('first'), times.milliseconds()]).toEqual([false, undefined, 0]);
    times.resolve(context.device.createCommandEncoder());
    times.flush();
    await times.settle();
    times.dispose();
  });
});
