// Strands on the device over many steps: as the WebAssembly backend has them, wherever in the world they are.

import { expect } from 'vitest';
import { allocate } from '../../src/core/arena';
import { createGpuContext } from '../../src/gpu/device/device';
import { createGpuStrands } from '../../src/gpu/rod/strands';
import { instantiateStrandKernels } from '../../src/kernels/strand-kernels';
import * as L from '../../src/state/layout';
import * as S from '../mechanics/rod/strand-world';
import {
  createWorld,
  HAIR,
  nodeCount,
  ROPE,
  range,
  stepOnDevice,
  stepStrands,
  strandCount,
  withStrands,
} from './strand-worlds';
import { closeContext, gpuTest, openNullContext, withDevice } from './test-device';

/** Steps a world by the WebAssembly kernels; clamps hold their ends still. */
function stepsOnWasm(world: S.StrandWorld, steps: number): void {
  const { arena, tables } = world;
  for (let k = 0; k < 3; k++) {
    arena.f64[(L.GRAVITY >> 3) + k] = world.gravity[k];
    arena.f64[(L.WIND >> 3) + k] = world.wind?.[k] ?? 0;
  }
  const kernels = instantiateStrandKernels(arena.memory);
  const work = allocate(arena, kernels.rodWorkSize());
  const holds = allocate(arena, 128 * strandCount(world));
  const size = 4 * nodeCount(world);
  const out = allocate(arena, 8 * size);
  for (let s = 0; s < strandCount(world); s++) {
    // Bits of held ends; targets are where the ends are, so the prescribed velocities are zero.
    const flags = tables.strands.flags[s];
    arena.f64[holds / 8 + 16 * s] = (flags & L.STRAND_CLAMP_START ? 3 : 0) | (flags & L.STRAND_CLAMP_END ? 12 : 0);
  }
  for (let step = 0; step < steps; step++) {
    expect(kernels.rodPredict(work, 0, out, holds, 0, 0)).toBe(0);
    tables.nodes.velocity.set(arena.f64.subarray(out / 8, out / 8 + size));
    tables.nodes.force.fill(0, 0, size);
    expect(kernels.rodIntegrate()).toBe(0);
  }
}

/** Strands that hang from their starts, straight, curled, bent out of their rest shape. */
function addClamped(world: S.StrandWorld): number[] {
  const curls = [1, 3].map((turns) => S.helix(32, 0.01, 0.02, turns));
  const strands = [
    S.addStrand(world, { ...HAIR, points: S.straight(32, 0.155), clampStart: true }),
    ...curls.map((points) => S.addStrand(world, { ...HAIR, points, clampStart: true })),
    S.addStrand(world, {
      ...HAIR,
      points: S.straight(16, 0.1),
      restPoints: S.helix(16, 0.01, 0.02, 2),
      clampStart: true,
    }),
    S.addStrand(world, { ...ROPE, points: S.straight(32, 2), clampStart: true }),
    S.addStrand(world, { ...ROPE, points: S.straight(20, 2), clampStart: true, clampEnd: true }),
    S.addStrand(world, { ...ROPE, points: S.helix(24, 0.2, 0.2, 2) }),
  ];
  return strands;
}

/** Largest distance of a strand's nodes in two worlds [m]. */
function distance(a: S.StrandWorld, b: S.StrandWorld, strand: number): number {
  let most = 0;
  for (let i = range(a, strand)[0]; i < range(a, strand)[1]; i++) {
    if (i % 4 !== 3) most = Math.max(most, Math.abs(a.tables.nodes.position[i] - b.tables.nodes.position[i]));
  }
  return most;
}

gpuTest('a second of strands without contacts is that of the WebAssembly backend', async () => {
  const known = createWorld();
  const found = createWorld();
  const strands = addClamped(known);
  addClamped(found);
  const start = createWorld();
  addClamped(start);
  stepsOnWasm(known, 60);
  await withDevice((context) =>
    withStrands(context, found, async (gpu) => {
      for (let step = 0; step < 60; step++) stepStrands(gpu, found);
      expect(gpu.readBack(found.tables)).toBe(true);
      await gpu.settle();
      expect(gpu.steps).toBe(60);
    }),
  );
  for (const s of strands) {
    const moved = distance(known, start, s);
    if (process.env.SHOW_ERRORS) console.log('second', s, distance(known, found, s), moved);
    expect(moved).toBeGreaterThan(1e-3);
    expect(distance(known, found, s)).toBeLessThan(5e-3 * moved);
  }
});

gpuTest('a clamp on the world is moved by hand, and the strand follows', async () => {
  const world = createWorld();
  const s = S.addStrand(world, { ...HAIR, points: S.straight(16, 0.1, [1, 0, 0], [3, 1, -2]), clampStart: true });
  await withDevice((context) =>
    withStrands(context, world, async (gpu) => {
      for (let step = 0; step < 20; step++) {
        for (const k of [1, 4]) world.tables.strands.clamp[24 * s + k] += 0.002;
        gpu.uploadClamps(world.tables);
        stepStrands(gpu, world);
      }
      gpu.readBack(world.tables);
      await gpu.settle();
      const { position, velocity } = world.tables.nodes;
      for (const i of [1, 5]) {
        expect(position[i]).toBeCloseTo(1.04, 6);
        expect(velocity[i]).toBeCloseTo(0.12, 4);
      }
      for (let i = 4; i < 64; i += 4) {
        const edge = Math.hypot(...[0, 1, 2].map((k) => position[i + k] - position[i - 4 + k]));
        expect(edge).toBeCloseTo(0.1 / 15, 4);
      }
    }),
  );
});

gpuTest('far from the origin of the world strands move as they do near it', async () => {
  const away = [40_000, -300, 7_000];
  await withDevice(async (context) => {
    const ends = [];
    for (const zero of [[0, 0, 0], away]) {
      const world = createWorld();
      const points = S.helix(32, 0.01, 0.02, 2).map((x, i) => x + zero[i % 3]);
      S.addStrand(world, { ...HAIR, points, clampStart: true });
      ends.push(
        await withStrands(context, world, async (gpu) => {
          for (let step = 0; step < 20; step++) stepStrands(gpu, world);
          gpu.readBack(world.tables);
          await gpu.settle();
          return Array.from(world.tables.nodes.position.subarray(4 * 31, 4 * 31 + 3), (x, k) => x - zero[k]);
        }),
      );
    }
    for (let k = 0; k < 3; k++) expect(Math.abs(ends[0][k] - ends[1][k])).toBeLessThan(5e-5);
  });
});

gpuTest('a strand that flies far takes its origin along', async () => {
  const world = createWorld();
  world.gravity = [0, 0, 0];
  world.wind = null;
  const s = S.addStrand(world, { ...HAIR, airDrag: 0, points: S.helix(12, 0.01, 0.02, 1) });
  const before = world.tables.nodes.position.slice(0, 48);
  for (let i = 0; i < 12; i++) world.tables.nodes.velocity.set([3, 0, -6, 0], 4 * i);
  await withDevice((context) =>
    withStrands(context, world, async (gpu) => {
      for (let step = 0; step < 120; step++) stepStrands(gpu, world);
      gpu.readBack(world.tables);
      await gpu.settle();
    }),
  );
  expect(world.tables.strands.flags[s]).toBe(0);
  for (let i = 0; i < 48; i++) {
    if (i % 4 === 3) continue;
    expect(world.tables.nodes.position[i] - before[i]).toBeCloseTo([6, 0, -12][i % 4], 4);
  }
});

gpuTest('forces act for one step; what was read back before strands were uploaded again is dropped', async () => {
  const world = createWorld();
  world.gravity = [0, 0, 0];
  world.wind = null;
  S.addStrand(world, { ...ROPE, points: S.straight(8, 1) });
  const { mass, force, position } = world.tables.nodes;
  await withDevice((context) =>
    withStrands(context, world, async (gpu) => {
      for (let i = 0; i < 8; i++) force[4 * i + 1] = 6 * mass[2 * i];
      gpu.uploadForces(world.tables);
      for (let step = 0; step < 3; step++) {
        const velocity = await stepOnDevice(gpu, world);
        for (let i = 0; i < 8; i++) expect(velocity[4 * i + 1]).toBeCloseTo(0.1, 5);
      }
      let arrivals = 0;
      expect(gpu.readBack(world.tables, () => arrivals++)).toBe(true);
      position[1] = 9;
      gpu.upload(world.arena, world.tables);
      await gpu.settle();
      expect([arrivals, position[1]]).toEqual([0, 9]);
    }),
  );
});

gpuTest('two worlds share a device, and strands come, go and grow', async () => {
  await withDevice(async (context) => {
    const [a, b] = [createWorld(), createWorld()];
    S.addStrand(a, { ...HAIR, points: S.straight(8, 0.05) });
    await withStrands(context, a, async (first) => {
      await withStrands(context, b, async (second) => {
        stepStrands(second, b);
        stepStrands(first, a);
        for (let s = 0; s < 200; s++) S.addStrand(b, { ...HAIR, points: S.straight(4 + (s % 3), 0.05) });
        second.upload(b.arena, b.tables);
        expect(second.buffers.blocks.map(({ strands, nodes }) => [strands, nodes])).toEqual([
          [67, 4],
          [67, 5],
          [66, 6],
        ]);
        const bytes = second.buffers.pool.bytes;
        for (let k = 0; k < 5; k++) second.upload(b.arena, b.tables);
        expect(second.buffers.pool.bytes).toBe(bytes);
        stepStrands(second, b);
        stepStrands(first, a);
        second.readBack(b.tables);
        first.readBack(a.tables);
        await second.settle();
        await first.settle();
        expect(b.tables.nodes.velocity[1]).toBeCloseTo(-9.81 / 60, 2);
        expect(a.tables.nodes.velocity[1]).toBeCloseTo(-9.81 / 30, 2);
      });
    });
  });
});

gpuTest(
  'too many strands for the device are refused with the limit that stops them; fewer are cut into blocks',
  async () => {
    await withDevice(async (context) => {
      const world = createWorld();
      for (let s = 0; s < 100; s++) S.addStrand(world, { ...HAIR, points: S.straight(8, 0.05) });
      const limits = { ...context.limits, maxBufferSize: 2 ** 28, maxStorageBufferBindingSize: 20_000 };
      const gpu = await createGpuStrands({ ...context, limits: limits as unknown as GPUSupportedLimits });
      expect(() => gpu.upload(world.arena, world.tables)).toThrow(
        /^strands on WebGPU: 100 strands of 800 nodes .* 20000 \(maxStorageBufferBindingSize, maxBufferSize\)/,
      );
      limits.maxStorageBufferBindingSize = 50_000;
      gpu.upload(world.arena, world.tables);
      expect(gpu.buffers.blocks.map(({ strands }) => strands)).toEqual([30, 30, 30, 10]);
      stepStrands(gpu, world);
      gpu.readBack(world.tables);
      await gpu.settle();
      const { velocity } = world.tables.nodes;
      for (let s = 1; s < 100; s++) expect(velocity.slice(32 * s, 32 * s + 32)).toEqual(velocity.slice(0, 32));
      gpu.dispose();
    });
  },
);

gpuTest('a lost device ends in a told loss, not in an exception inside a frame', async () => {
  const own = await openNullContext();
  const context = await createGpuContext({ device: own.device });
  const world = createWorld();
  S.addStrand(world, { ...HAIR, points: S.straight(8, 0.05) });
  const gpu = await createGpuStrands(context);
  gpu.upload(world.arena, world.tables);
  stepStrands(gpu, world);
  gpu.readBack(world.tables);
  own.device.destroy();
  expect((await context.lost).reason).toBe('destroyed');
  for (let step = 0; step < 6; step++) {
    stepStrands(gpu, world);
    gpu.readBack(world.tables);
  }
  await gpu.settle();
  expect(world.tables.nodes.position.subarray(0, 32).every(Number.isFinite)).toBe(true);
  gpu.dispose();
  await closeContext(own);
});
