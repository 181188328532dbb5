// Single steps with joints against wasm, from shaken states: joints alone, then joints and contacts of the same strands and bodies.

import { expect } from 'vitest';
import { createRandom } from '../../src/core/random';
import { addBody, addStrands, line, type RodWorld, tie } from '../validation/strand-worlds';
import { addLoadedBar, forceError, forceOf, velocityError, withTwins } from './joint-worlds';
import { gpuTest } from './test-device';

const NODES = 11;

/**
 * Two ropes and a hair, joined by two bodies, to the world, to themselves by tethers taut and slack; every node, body and joint is out
 * of place and moving.
 */
function addTangle(world: RodWorld, seed: number): number[] {
  const random = createRandom(seed);
  const shake = (scale: number) => scale * (random() - 0.5);
  const bodies = [0.5, 0.02].map((mass, k) => {
    const position = [0.3 + k, -1.15, 0.1 * k];
    return addBody(world, { type: 'dynamic', shape: { box: [0.03, 0.05, 0.02] }, mass, position }).slot;
  });
  const ropes = [
    { points: line([0, 0, 0], [0.3, -1, 0], NODES), young: 1e8 },
    { points: line([1.3, -1, 0.1], [0.4, -1.1, 0.1], NODES), young: 1e7, radius: 0.005 },
    { points: line([2, 0, 0], [2, 0.3, 0], NODES), young: 4e9, radius: 1e-4, density: 1300 },
  ];
  for (const rope of ropes) addStrands(world, { selfContact: false, damping: 0.01, ...rope });
  const knots = [
    tie(world, 0, 0, -1, [0.002, 0.001, 0]),
    tie(world, 0, 10, bodies[0], [0, 0.15, 0.001]),
    tie(world, 0, 4, bodies[0], [0.1, 0, 0], 2),
    tie(world, 1, 10, bodies[0], [0.1, 0.05, 0.1]),
    tie(world, 1, 0, bodies[1], [0, 0.15, 0]),
    tie(world, 1, 5, -1, [0.8, -0.9, 0], 0.186),
    tie(world, 2, 5, -1, [2, 0.15, 0]),
  ];
  const { nodes, bodies: table } = world.tables;
  for (let i = 0; i < 3 * NODES; i++) {
    for (let k = 0; k < 3; k++) nodes.velocity[4 * i + k] = shake(0.4);
  }
  for (const body of bodies) {
    for (let k = 0; k < 3; k++) {
      table.linearVelocity[4 * body + k] = shake(0.4);
      table.angularVelocity[4 * body + k] = shake(1);
    }
  }
  return knots;
}

gpuTest.each([1, 2, 3])('joints of a tangle give what they give on wasm, seed %d', async (seed) => {
  let knots: number[] = [];
  await withTwins(
    (world) => {
      knots = addTangle(world, seed);
    },
    async (twins) => {
      const { wasm, gpu, step } = twins;
      const before = wasm.tables.nodes.velocity.slice();
      await step(1);
      expect(velocityError(wasm, gpu, before, 3 * NODES)).toBeLessThan(2e-4);
      expect(forceError(twins, knots)).toBeLessThan(5e-4);
      expect(forceOf(gpu, knots[2]).map(Math.abs)).toEqual([0, 0, 0]);
    },
  );
});

gpuTest('joints and contacts of a strand and a body give what they give on wasm', async () => {
  let knots: number[] = [];
  await withTwins(
    (world) => {
      knots = addLoadedBar(world);
    },
    async (twins) => {
      const { wasm, gpu, handle, step } = twins;
      const before = wasm.tables.nodes.velocity.slice();
      await step(1);
      expect(handle.report.contacts).toBe(wasm.physics.report.strands.contacts);
      expect(velocityError(wasm, gpu, before, 30)).toBeLessThan(1e-3);
      for (const knot of knots) expect(forceError(twins, [knot])).toBeLessThan(1e-3);
    },
    { elastic: { iterations: 400, tolerance: 1e-9, newContactsEvery: 0 } },
    { iterations: 40, sweeps: 3 },
  );
});

gpuTest('a bridge of 60 planks, 120 joints that hang together, steps as on wasm', async () => {
  const planks = 60;
  await withTwins(
    (world) => {
      const points = line([0, 0, 0], [6.2, 0, 0], 2 * planks + 5);
      for (const z of [-0.2, 0.2]) {
        const ends = { clampStart: true, clampEnd: true };
        addStrands(world, { ...ends, points: points.map(([x, y]) => [x, y, z]), young: 1e8, selfContact: false });
      }
      for (let k = 0; k < planks; k++) {
        const position = [points[2 * k + 3][0], 0.001 * (k % 3), 0];
        const shape = { box: [0.03, 0.01, 0.2] as [number, number, number] };
        const plank = addBody(world, { type: 'dynamic', shape, mass: 1 + (k % 4), position }).slot;
        for (const rope of [0, 1]) tie(world, rope, 2 * k + 3, plank, [0, 0, 0.4 * rope - 0.2]);
      }
    },
    async (twins) => {
      const { wasm, gpu, step } = twins;
      const before = wasm.tables.nodes.velocity.slice();
      await step(1);
      expect(velocityError(wasm, gpu, before, 2 * (2 * planks + 5))).toBeLessThan(1e-3);
      for (const knot of [0, 1, planks, 2 * planks - 1]) expect(forceError(twins, [knot])).toBeLessThan(2e-3);
    },
  );
});
