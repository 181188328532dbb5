// What a step costs the CPU: calls into WebGPU, counted on a device that computes nothing.
// They do not depend on the strands.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { createBall } from '../../src/bench/gpu-worlds';
import { addRod, createPhysics, enableGpuStrands, type Physics } from '../../src/index';
import { closeContext, openNullContext } from './test-device';

type Counts = Record<string, number>;

const MAP_READ = 1; // GPUBufferUsage.MAP_READ

/** Counts the calls of these names on `object`, and what `repeats` of them change nothing. */
function count(object: object, names: readonly string[], counts: Counts): void {
  const methods = object as Record<string, (...args: unknown[]) => unknown>;
  for (const name of names) {
    const call = methods[name].bind(object);
    let last: unknown;
    methods[name] = (...args) => {
      counts[name] = (counts[name] ?? 0) + 1;
      const subject = args.at(-1);
      if (name.startsWith('set') && subject === last) counts.repeats = (counts.repeats ?? 0) + 1;
      last = subject;
      return call(...args);
    };
  }
}

/**
 * Notes the calls of a device. Nothing is let back from it, so the solver goes on as it begins:
 * every turn of a walk is a dispatch.
 */
function watch(device: GPUDevice, counts: Counts): void {
  const createBuffer = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = createBuffer(descriptor);
    if (descriptor.usage & MAP_READ) buffer.mapAsync = () => new Promise(() => {});
    return buffer;
  };
  const createEncoder = device.createCommandEncoder.bind(device);
  device.createCommandEncoder = (descriptor) => {
    const encoder = createEncoder(descriptor);
    const beginPass = encoder.beginComputePass.bind(encoder);
    encoder.beginComputePass = (given) => {
      counts.beginComputePass = (counts.beginComputePass ?? 0) + 1;
      const pass = beginPass(given);
      count(pass, ['setPipeline', 'setBindGroup', 'dispatchWorkgroups'], counts);
      return pass;
    };
    return encoder;
  };
  count(device.queue, ['writeBuffer', 'submit'], counts);
  count(device, ['createBindGroup', 'createCommandEncoder'], counts);
}

/** Makes a device one of those that want a bind group at every number below the last. */
function wantAllGroups(device: GPUDevice): void {
  const create = device.createPipelineLayout.bind(device);
  device.createPipelineLayout = (descriptor) => {
    if ([...descriptor.bindGroupLayouts].some((layout) => layout === null))
      throw new TypeError('not a GPUBindGroupLayout');
    return create(descriptor);
  };
}

/** Calls of the last of some steps. */
async function callsOf(
  make: () => { physics: Physics; advance(): void },
  change: (device: GPUDevice) => void = () => {},
  budget: number | null = null,
): Promise<Counts> {
  const context = await openNullContext();
  const counts: Counts = {};
  change(context.device);
  watch(context.device, counts);
  const { physics, advance } = make();
  await enableGpuStrands(physics, { device: context.device, readBack: 0, auto: 'all', budget });
  for (let step = 0; step < 5; step++) advance();
  const before = { ...counts };
  advance();
  physics.dispose();
  expect(context.errors).toEqual([]);
  await closeContext(context);
  return Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, n - (before[name] ?? 0)]));
}

test('a step of a dense groom is one submission of at most 346 dispatches, however many strands', async () => {
  const [some, more] = await Promise.all(
    [1100, 2200].map((strands) => callsOf(() => createBall({ strands, vertices: 16, contact: true }))),
  );
  expect(more).toEqual(some);
  expect(some).toMatchObject({ submit: 1, createCommandEncoder: 1, createBindGroup: 0 });
  // Two looks of 12 iterations over six colours, the crowd, and the elastic half; twelve rounds that keep edges apart.
  // A walk is one pipeline, as are these rounds, their bind groups stay; nothing that is there already is written.
  expect(some.dispatchWorkgroups).toBeGreaterThan(2 * 12 * 8 + 2 * 12);
  expect(some.dispatchWorkgroups).toBeLessThanOrEqual(346);
  expect(some.setBindGroup).toBeLessThanOrEqual(74);
  expect(some.setPipeline).toBeLessThanOrEqual(136);
  expect(some.writeBuffer).toBeLessThanOrEqual(3);
  expect(some.beginComputePass).toBe(1);
  expect(some.repeats ?? 0).toBe(0);
});

test('where every step is timed each stage is a pass', async () => {
  const ball = () => createBall({ strands: 1100, vertices: 16, contact: true });
  const { beginComputePass, dispatchWorkgroups } = await callsOf(ball, undefined, 100);
  expect(beginComputePass).toBe(7);
  expect(dispatchWorkgroups).toBeLessThanOrEqual(346);
});

test('a device that wants all bind groups gets them, at the cost of more calls', async () => {
  const ball = () => createBall({ strands: 1100, vertices: 16, contact: true });
  const [some, all] = await Promise.all([callsOf(ball), callsOf(ball, wantAllGroups)]);
  expect(all.dispatchWorkgroups).toBe(some.dispatchWorkgroups);
  expect(all.setBindGroup).toBeGreaterThan(some.setBindGroup + 2 * 12);
});

test('where nothing can touch there are no detections and no solves', async () => {
  const calls = await callsOf(() => {
    const physics = createPhysics(createWorld());
    addRod(physics, { points: [0, 1, 2, 3].map((x) => [0.1 * x, 0, 0]), radius: 0.01, selfContact: false });
    return { physics, advance: () => physics.step() };
  });
  expect(calls.dispatchWorkgroups).toBeLessThanOrEqual(12);
});
