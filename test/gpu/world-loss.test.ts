// What becomes of the strands of a world where there is no device, where it is lost, or too small.
//
// On Dawn's null backend, which computes and copies nothing: nothing is read back from it, so strands on
// it stand still. On wasm they fall.

import { createWorld } from 'bitecs';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  addGroom,
  addRod,
  createPhysics,
  enableGpuStrands,
  type GpuStrandsHandle,
  type GpuStrandsOptions,
  type Physics,
  removeRod,
  rodPositions,
} from '../../src/index';
import { openInstance } from './test-device';

const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  vi.spyOn(console, 'warn').mockImplementation((line) => lines.push(line));
});

const openNull = () => openInstance(['backend=null']);

/** An adapter's device, and a way to have another. */
async function requestDevice(gpu: GPU): Promise<GPUDevice> {
  return (await gpu.requestAdapter())!.requestDevice();
}

interface World {
  physics: Physics;
  rod: number;
  handle: GpuStrandsHandle;
}

/** A falling rod on what the options give. */
async function open(options: GpuStrandsOptions): Promise<World> {
  const physics = createPhysics(createWorld());
  const points = Array.from({ length: 6 }, (_, i) => [0.1 * i, 0, 0]);
  const rod = addRod(physics, { points, radius: 0.01, density: 1000, youngModulus: 1e7 });
  return { physics, rod, handle: await enableGpuStrands(physics, { readBack: 0, auto: 'all', ...options }) };
}

/** Height of the rod's first node after so many more steps [m]. */
function heightAfter({ physics, rod }: World, steps: number): number {
  for (let k = 0; k < steps; k++) physics.step();
  return rodPositions(physics, rod)[1];
}

/** Time for a loss to be told. */
async function lose({ handle }: World): Promise<void> {
  const { device } = handle.buffers!;
  device.destroy();
  await device.lost;
  await new Promise((resolve) => setTimeout(resolve));
}

test.each<[string, unknown, string]>([
  ['none', { requestAdapter: async () => null }, 'WebGPU: no adapter (graphics driver blocked or missing)'],
  ['one that fails', { requestAdapter: () => Promise.reject(new Error('blocked')) }, 'WebGPU: no adapter: blocked'],
  [
    'one that refuses',
    {
      requestAdapter: async () => ({
        features: new Set(),
        limits: {},
        requestDevice: () => Promise.reject(new Error('busy')),
      }),
    },
    'WebGPU: the adapter gives no device: busy',
  ],
])('without an adapter strands go on on wasm, with one line on the console: %s', async (_name, gpu, reason) => {
  const world = await open({ gpu: gpu as GPU });
  expect(world.handle).toMatchObject({ state: 'wasm', reason, buffers: null, adapterName: '' });
  expect(heightAfter(world, 10)).toBeLessThan(-0.05);
  expect(lines).toEqual([`stiction: strands go on on wasm: ${reason}`]);
  await world.handle.settle();
  world.physics.dispose();
});

test('without WebGPU here at all, too', async () => {
  const world = await open({});
  expect(world.handle.state).toBe('wasm');
  expect(world.handle.reason).toMatch(/^WebGPU: not offered here/);
  expect(heightAfter(world, 10)).toBeLessThan(-0.05);
  world.physics.dispose();
});

test('a lost device is asked for once more, strands stand still meanwhile; lost again they are wasm’s', async () => {
  const world = await open({ gpu: openNull() });
  const { handle, physics } = world;
  const states: string[] = [];
  handle.onChange(({ state }) => states.push(state));
  expect(handle.state).toBe('webgpu');
  expect(heightAfter(world, 5)).toBe(0);
  const first = handle.buffers!.device;
  await lose(world);
  expect(handle).toMatchObject({ state: 'webgpu', buffers: null });
  expect(heightAfter(world, 1)).toBe(0);
  await handle.settle();
  physics.step();
  expect(handle.state).toBe('webgpu');
  expect(handle.buffers!.device).not.toBe(first);
  expect(heightAfter(world, 3)).toBe(0);
  await lose(world);
  expect(handle.state).toBe('wasm');
  expect(handle.reason).toMatch(/^WebGPU: the device was lost.*, for the second time$/);
  expect(heightAfter(world, 10)).toBeLessThan(-0.05);
  expect(states.at(-1)).toBe('wasm');
  expect(lines.length).toBe(2);
  physics.dispose();
});

test('the host’s lost device leaves strands to wasm; a function of the host is asked for the next', async () => {
  const gpu = openNull();
  const world = await open({ device: await requestDevice(gpu) });
  world.physics.step();
  await lose(world);
  expect(world.handle.reason).toMatch(/^WebGPU: the device was lost.*; it was the host's$/);
  expect(heightAfter(world, 10)).toBeLessThan(-0.05);
  // A call with the new device takes the place of the first.
  const again = await enableGpuStrands(world.physics, { device: await requestDevice(gpu), readBack: 0, auto: 'all' });
  const height = heightAfter(world, 3);
  expect(heightAfter(world, 3)).toBe(height);
  expect(again.state).toBe('webgpu');
  expect(world.handle.reason).toBe('it was disposed');
  world.physics.dispose();

  let asked = 0;
  const other = await open({
    device: () => {
      asked++;
      return requestDevice(gpu);
    },
  });
  other.physics.step();
  await lose(other);
  await other.handle.settle();
  other.physics.step();
  expect(other.handle.state).toBe('webgpu');
  expect(asked).toBe(2);
  other.physics.dispose();
});

test('strands that the adapter has no room for are wasm’s until they are fewer', async () => {
  const device = await requestDevice(openNull());
  const limits: Record<string, number> = {};
  for (const name in device.limits) limits[name] = (device.limits as unknown as Record<string, number>)[name];
  Object.defineProperty(device, 'limits', { value: { ...limits, maxStorageBufferBindingSize: 40_000 } });
  const world = await open({ device });
  const { physics, handle } = world;
  physics.step();
  expect(handle.state).toBe('webgpu');
  const positions = Array.from({ length: 2000 }, (_, i) => [0.01 * Math.floor(i / 4), 0.01 * (i % 4), 2]).flat();
  const groom = addGroom(physics, {
    strands: { counts: new Int32Array(500).fill(4), positions },
    ...{ radius: 1e-4, density: 1300, youngModulus: 1e9 },
  });
  expect(heightAfter(world, 10)).toBeLessThan(-0.05);
  expect(handle).toMatchObject({ state: 'wasm', buffers: null });
  expect(handle.reason).toMatch(
    /^strands on WebGPU: 501 strands of 2006 nodes need .* 40000 \(maxStorageBufferBindingSize/,
  );
  removeRod(physics, groom);
  const height = heightAfter(world, 1);
  expect(heightAfter(world, 5)).toBe(height);
  expect(handle).toMatchObject({ state: 'webgpu', reason: null });
  expect(lines.length).toBe(1);
  physics.dispose();
});

test('a budget on a device without timestamps is told to be without effect', async () => {
  const world = await open({ device: await requestDevice(openNull()), budget: 4 });
  expect(heightAfter(world, 3)).toBe(0);
  expect(lines.length).toBe(1);
  expect(lines[0]).toMatch(/budget is without effect: the device was made without 'timestamp-query'$/);
  world.handle.budget = 5;
  expect(lines.length).toBe(1);
  world.physics.dispose();
});

test('disposed strands are wasm’s from where they were last read; a disposed world frees its device', async () => {
  const world = await open({ gpu: openNull() });
  const { physics, handle } = world;
  physics.step();
  const { device } = handle.buffers!;
  handle.dispose();
  await device.lost;
  expect(heightAfter(world, 10)).toBeLessThan(-0.05);
  const second = await enableGpuStrands(physics, { gpu: openNull(), readBack: 0, auto: 'all' });
  physics.step();
  const own = second.buffers!.device;
  physics.dispose();
  expect((await own.lost).reason).toBe('destroyed');
  expect(second.state).toBe('wasm');
});

test('the device arrives after the world is gone', async () => {
  const physics = createPhysics(createWorld());
  const promise = enableGpuStrands(physics, { gpu: openNull() });
  physics.dispose();
  expect((await promise).state).toBe('wasm');
});
