// Further linearisations of a step on the device, beside wasm: single steps of shaken rods,
// of contacts, of clamps on bodies.

import { expect } from 'vitest';
import { createRandom } from '../../src/core/random';
import type { PhysicsSettings } from '../../src/index';
import { addBody, addStrands, createRodWorld, line, type RodWorld } from '../validation/strand-worlds';
import { gpuTest, longGpuTest } from './test-device';
import { velocityError, withTwins } from './twins';

const NODES = 12;

function withNewton(newtonIterations: number, elastic: PhysicsSettings['elastic'] = {}): PhysicsSettings {
  return { elastic: { newtonIterations, ...elastic } };
}

/** A curl, a damped rope in the wind and a hair, all in fast motion. */
function addShaken(world: RodWorld, seed: number): void {
  const random = createRandom(seed);
  const shake = (scale: number) => scale * (random() - 0.5);
  const curl = Array.from({ length: NODES }, (_, i) => [0.1 * Math.cos(i), 0.1 * Math.sin(i), 0.03 * i]);
  const rods = [
    { points: curl, young: 1e7, radius: 0.004, damping: 0, clampStart: true },
    { points: line([1, 0, 0], [2, 0, 0], NODES), young: 1e6, damping: 0.05, airDrag: 3 },
    { points: line([3, 0, 0], [3.06, 0, 0], NODES), young: 4e9, radius: 5e-5, density: 1300, clampEnd: true },
  ];
  for (const rod of rods) addStrands(world, { selfContact: false, ...rod });
  const { velocity } = world.tables.nodes;
  rods.forEach((_, k) => {
    const speed = [3, 6, 0.4][k];
    for (let i = NODES * k; i < NODES * (k + 1); i++) {
      for (let c = 0; c < 3; c++) velocity[4 * i + c] = shake(speed);
      velocity[4 * i + 3] = i % NODES === NODES - 1 ? 0 : shake(10);
    }
  });
}

gpuTest.each([2, 3])('%d linearisations of shaken rods give what they give on wasm', async (count) => {
  const once = createRodWorld(withNewton(1));
  addShaken(once, count);
  await withTwins(
    (world) => addShaken(world, count),
    async ({ wasm, gpu, step }) => {
      const before = wasm.tables.nodes.velocity.slice();
      await step(1);
      once.physics.step();
      expect(velocityError(wasm, gpu, before, 3 * NODES)).toBeLessThan(5e-4);
      expect(velocityError(wasm, once, before, 3 * NODES)).toBeGreaterThan(0.02);
    },
    withNewton(count),
  );
});

gpuTest('contacts are solved anew with each linearisation, as on wasm', async () => {
  await withTwins(
    (world) => {
      addBody(world, { type: 'static', shape: { box: [0.05, 0.05, 0.3] }, position: [0, -0.061, 0], friction: 0.3 });
      addStrands(world, { points: line([-0.5, 0, 0], [0.5, 0, 0], 21), young: 1e7, damping: 0.01, friction: 0.3 });
      const points = line([0.05, 0.021, -0.2], [0.05, 0.021, 0.2], 9);
      addStrands(world, { points, velocity: [0, -2, 0], young: 1e7, damping: 0.01 });
    },
    async ({ wasm, gpu, handle, step }) => {
      const before = wasm.tables.nodes.velocity.slice();
      await step(1);
      expect(handle.report.contacts).toBeGreaterThan(0);
      expect(velocityError(wasm, gpu, before, 30)).toBeLessThan(1e-3);
    },
    withNewton(2, { iterations: 400, tolerance: 1e-9, newContactsEvery: 0 }),
    { iterations: 40, sweeps: 3 },
  );
});

longGpuTest('a clamped rod and its body keep their momentum, and the run repeats bit for bit', async () => {
  const mass = 20;
  const run = async () => {
    let hash = '';
    await withTwins(
      (world) => {
        const body = addBody(world, { type: 'dynamic', shape: { sphere: 0.1 }, mass, position: [0, 0, 0] });
        const ends = { clampStart: true, attachStart: body.slot };
        addStrands(world, { ...ends, points: line([0.1, 0, 0], [0.6, 0, 0], 11), young: 1e7, velocity: [0, 3, 0] });
      },
      async ({ gpu, step }) => {
        await step(15);
        const { nodes, bodies } = gpu.tables;
        let momentum = mass * bodies.linearVelocity[1];
        for (let i = 0; i < 11; i++) momentum += nodes.mass[2 * i] * nodes.velocity[4 * i + 1];
        // 0.05 π kg at 3 m/s, but for what is on its way.
        expect(momentum / (3 * 0.05 * Math.PI)).toBeCloseTo(1, 1);
        expect(bodies.linearVelocity[1]).toBeGreaterThan(0.01);
        hash = gpu.physics.hash();
      },
      { ...withNewton(2), gravity: [0, 0, 0] },
    );
    return hash;
  };
  expect(await run()).toBe(await run());
});
