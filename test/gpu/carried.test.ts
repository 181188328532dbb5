// Grooms on dynamic bodies: the body feels what it carries, a step late, down to its own mass.

import { createWorld } from 'bitecs';
import { describe, expect } from 'vitest';
import { addGroom, addRigidBody, addRod, createPhysics, type Physics } from '../../src/index';
import * as L from '../../src/state/layout';
import { type GpuRodWorld, stepGpu, withGpuWorld } from './gpu-rods';
import { isLong } from './suite';
import { gpuTest, longGpuTest } from './test-device';

const [STRANDS, NODES] = [30, 6];
const LENGTH = 0.2;
const AWAY = { layers: 0, mask: 0 } as const;

/** A ball with hair on its upper half, of so many times the hair's mass; returns its entity. */
function addHead(physics: Physics, ratio: number, velocity: number[], angularVelocity: number[]): number {
  const radius = 0.002;
  const hair = STRANDS * Math.PI * radius * radius * LENGTH * 1000;
  const head = addRigidBody(physics, {
    ...{ shape: { sphere: 0.08 }, mass: ratio * hair, position: [0, 1, 0], velocity, angularVelocity },
    ...AWAY,
  });
  const positions: number[] = [];
  for (let s = 0; s < STRANDS; s++) {
    const y = (s + 0.5) / STRANDS;
    const [c, d] = [Math.cos(2.4 * s), Math.sin(2.4 * s)].map((x) => x * Math.sqrt(1 - y * y));
    for (let i = 0; i < NODES; i++) {
      const r = 0.08 + (LENGTH * i) / (NODES - 1);
      positions.push(c * r, 1 + y * r, d * r);
    }
  }
  addGroom(physics, {
    strands: { counts: new Int32Array(STRANDS).fill(NODES), positions: Float64Array.from(positions) },
    ...{ radius, density: 1000, youngModulus: 1e7, damping: 0.02, attachStart: head, selfContact: false },
    ...AWAY,
  });
  return head;
}

/** Momentum and velocity of the head, momentum of its hair. */
function momentum(physics: Physics, head: number): { all: number[]; velocity: number[]; hair: number } {
  const { tables, arena } = physics.internal.engine;
  const slot = physics.internal.slotOf[head];
  const velocity = Array.from(tables.bodies.linearVelocity.subarray(4 * slot, 4 * slot + 3));
  const count = arena.i32[L.NODE_COUNT >> 2];
  let hair = 0;
  const all = velocity.map((v) => v / tables.bodies.inverseMass[slot]);
  for (let i = 0; i < count; i++) {
    hair += tables.nodes.mass[2 * i];
    for (let k = 0; k < 3; k++) all[k] += tables.nodes.mass[2 * i] * tables.nodes.velocity[4 * i + k];
  }
  return { all, velocity, hair };
}

const distance = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, k) => x - b[k]));

describe.each([20, 1])('a body of %d times the mass of its groom', (ratio) => {
  longGpuTest('shares its momentum with it, as on wasm', async () => {
    const settings = { gravity: [0, 0, 0], sleeping: false, userTiming: false } as const;
    const velocity = [1, 0.4, 0];
    const spin = [0, 0, 2];
    const wasm = createPhysics(createWorld(), settings);
    const twin = addHead(wasm, ratio, velocity, spin);
    for (let k = 0; k < 60; k++) wasm.step();
    const known = momentum(wasm, twin);
    await withGpuWorld(
      async (world) => {
        const head = addHead(world.physics, ratio, velocity, spin);
        await stepGpu(world, 60, true);
        expect(world.handle.state).toBe('webgpu');
        const found = momentum(world.physics, head);
        // The strands begin at rest.
        const whole = velocity.map((v) => v * ratio * found.hair);
        expect(distance(found.all, whole)).toBeLessThan(0.02 * found.hair * Math.hypot(...velocity));
        expect(distance(found.velocity, known.velocity)).toBeLessThan(0.05 * Math.hypot(...known.velocity));
      },
      {},
      settings,
    );
    wasm.dispose();
  });

  longGpuTest('hangs from what holds both, as on wasm', async () => {
    /** Velocity gained while a force holds the weight of both, as the hair comes to rest. */
    const fall = async (physics: Physics, step: (count: number) => Promise<void>): Promise<number> => {
      const head = addHead(physics, ratio, [0, 0, 0], [0, 0, 0]);
      await step(1);
      const { hair } = momentum(physics, head);
      for (let k = 0; k < 40; k++) {
        physics.components.RigidBody.force.y[head] = 9.81 * hair * (1 + ratio);
        await step(1);
      }
      return momentum(physics, head).velocity[1];
    };
    const wasm = createPhysics(createWorld(), { sleeping: false, userTiming: false });
    const known = await fall(wasm, async (count) => {
      for (let k = 0; k < count; k++) wasm.step();
    });
    await withGpuWorld(async (world) => {
      const found = await fall(world.physics, (count) => stepGpu(world, count));
      // Without its hair it would gain that much.
      expect(Math.abs(found - known)).toBeLessThan((0.01 * 9.81) / ratio);
    });
    wasm.dispose();
  });
});

longGpuTest(
  'what is pending for a body goes on while other rods come and go, and ends with its groom; runs repeat',
  async () => {
    const run = (isOther: boolean): Promise<number[]> =>
      withGpuWorld(async (world: GpuRodWorld) => {
        const { physics } = world;
        const head = addHead(physics, 2, [0, 0, 0], [0, 0, 3]);
        await stepGpu(world, 10);
        if (isOther) addRod(physics, { points: [0, 1, 2].map((x) => [x, 9, 0]), radius: 0.01, ...AWAY });
        await stepGpu(world, 10);
        return momentum(physics, head).velocity;
      });
    const [alone, again, beside] = [await run(false), await run(false), await run(true)];
    expect(again).toEqual(alone);
    expect(distance(beside, alone)).toBeLessThan(1e-5);
  },
);

gpuTest('a body lighter than its groom does not feel it', async () => {
  await withGpuWorld(
    async (world) => {
      const head = addHead(world.physics, 0.9, [1, 0, 0], [0, 0, 0]);
      await stepGpu(world, isLong ? 10 : 4);
      expect(momentum(world.physics, head).velocity[0]).toBeCloseTo(1, 6);
    },
    {},
    { gravity: [0, 0, 0] },
  );
});
