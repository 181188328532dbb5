// A hand in the hair on the device: the kernel against its twin on one seeded step, and what a game sees of it.

import { expect, test } from 'vitest';
import { createGripState } from '../../src/gpu/rod/grip';
import { addRod, rodPositions, UsageError } from '../../src/index';
import { stepGpu, withGpuWorld } from './gpu-rods';
import { addStrands, createWorld, HAIR, readColumn, stepStrands, withStrands } from './strand-worlds';
import { download, gpuTest, longGpuTest, withDevice } from './test-device';

/** Rows of the inertia after a step, two vectors of four a node, by node of the tables. */
type Rows = Map<number, { d: number[]; y: number[] }>;

gpuTest('nodes in the hand get the heavier rows of the twin, all others stay as they are', async () => {
  await withDevice(async (context) => {
    const world = createWorld();
    addStrands(world, HAIR, 5e-3, 1e-3);
    const { timeStep, gravity, wind } = world;
    const at = Array.from(world.tables.nodes.position.subarray(4 * 60, 4 * 60 + 3));
    const radius = 0.02;
    const rows = async (isHeld: boolean): Promise<{ found: Rows; places: number[][]; before: Float32Array }> =>
      withStrands(context, world, async (gpu) => {
        const { blocks, columns, strandCount, nodeCount } = gpu.buffers;
        const before = await readColumn(gpu, 'velocities');
        const local = await readColumn(gpu, 'positions');
        const origins = new Float32Array(await download(context, columns.origins.buffer, 16 * strandCount));
        const headers = new Uint32Array(await download(context, columns.strands.buffer, 16 * strandCount));
        stepStrands(gpu, { timeStep, gravity, wind, grip: isHeld ? { center: at, radius, rate: 300 } : null });
        const found: Rows = new Map();
        const places: number[][] = new Array(nodeCount);
        for (const { firstStrand, strands, nodes, inertias } of blocks) {
          const data = new Float32Array(await download(context, inertias.buffer, 32 * strands * nodes));
          const vector = (s: number, i: number, q: number) =>
            Array.from(data.subarray(4 * ((2 * i + q) * strands + s), 4 * ((2 * i + q) * strands + s) + 4));
          for (let s = 0; s < strands; s++)
            for (let i = 0; i < nodes; i++) {
              const slot = firstStrand + s;
              const node = headers[4 * slot] + i;
              found.set(node, { d: vector(s, i, 0), y: vector(s, i, 1) });
              places[node] = [0, 1, 2].map((k) => gpu.buffers.cell[k] + origins[4 * slot + k] + local[4 * node + k]);
            }
        }
        return { found, places, before };
      });
    const { found: free, places, before } = await rows(false);
    const { found: held } = await rows(true);
    let inHand = 0;
    for (const [node, { d, y }] of free) {
      const way = at.map((x, k) => x - places[node][k]);
      const share = 1 - (way[0] ** 2 + way[1] ** 2 + way[2] ** 2) / radius ** 2;
      const row = held.get(node) as { d: number[]; y: number[] };
      if (share <= 0) {
        expect(row).toEqual({ d, y });
        continue;
      }
      inHand++;
      const more = timeStep * 300 * share;
      for (let k = 0; k < 3; k++) {
        const wanted = 20 * way[k] - before[4 * node + k];
        expect(row.d[k] / (d[k] * (1 + more))).toBeCloseTo(1, 4);
        expect(Math.abs(row.y[k] - (y[k] + more * wanted) / (1 + more))).toBeLessThan(1e-4 * (1 + Math.abs(y[k])));
      }
      expect([row.d[3], row.y[3]]).toEqual([d[3], y[3]]);
    }
    expect(inHand).toBeGreaterThan(3);
    expect(inHand).toBeLessThan(free.size / 2);
  });
});

longGpuTest('a lock follows the hand, another does not feel it, and both hang as before when it lets go', async () => {
  await withGpuWorld(async (world) => {
    const { physics, handle } = world;
    const hair = { radius: 35e-6, youngModulus: 4e9, stretchModulus: 1e6, density: 1300, airDrag: 1, clampStart: true };
    const points = (x: number) => Array.from({ length: 12 }, (_, i) => [x, 1 - 0.01 * i, 0]);
    const [near, far] = [0, 0.3].map((x) => addRod(physics, { ...hair, points: points(x) }));
    const tip = (rod: number) => Array.from(rodPositions(physics, rod).slice(-3));
    await stepGpu(world, 2);
    const still = tip(far);
    const from = tip(near);
    for (let k = 0; k <= 15; k++) {
      handle.grip = { center: [from[0] + 0.004 * k, from[1] + 0.002 * k, 0], radius: 0.015 };
      physics.step();
    }
    await handle.settle();
    expect(tip(near)[0]).toBeGreaterThan(from[0] + 0.045);
    expect(tip(far).every((x, k) => Math.abs(x - still[k]) < 2e-3)).toBe(true);
    // It stays where the hand stays, against its weight.
    const held = tip(near);
    await stepGpu(world, 10);
    expect(Math.hypot(...tip(near).map((x, k) => x - held[k]))).toBeLessThan(0.01);
    handle.grip = null;
    await stepGpu(world, 30);
    expect(Math.abs(tip(near)[0] - from[0])).toBeLessThan(0.04);
    expect(physics.report.strands.quarantined).toBe(0);
    expect(() => {
      handle.grip = { center: [0, 0, Number.NaN], radius: 1 };
    }).toThrow(UsageError);
    expect(() => {
      handle.grip = { center: [0, 0, 0], radius: 0 };
    }).toThrow('GpuStrandsHandle.grip: radius must be > 0 [m], got 0');
  });
});

test('a hand that is set down elsewhere draws nothing along on the way', () => {
  const state = createGripState();
  const cell = [1, 0, 0];
  const velocity = (center: number[]) =>
    Array.from(state.next({ center, radius: 0.1 }, 0.1, cell)?.subarray(4, 7) ?? []).map(
      (v) => Math.round(100 * v) / 100,
    );
  expect(velocity([0, 0, 0])).toEqual([0, 0, 0]);
  expect(velocity([0.1, 0, 0])).toEqual([1, 0, 0]);
  expect(velocity([5, 0, 0])).toEqual([0, 0, 0]);
  expect(state.next(null, 0.1, cell)).toBeNull();
  expect(velocity([5.1, 0, 0])).toEqual([0, 0, 0]);
});
