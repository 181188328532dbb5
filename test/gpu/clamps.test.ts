// Rods clamped to bodies that move freely: what the bodies feel, and which rods must be on wasm for it.

import { expect } from 'vitest';
import { addRigidBody, addRod, removeRod, setClamp } from '../../src/index';
import * as L from '../../src/state/layout';
import { stepGpu, withGpuWorld } from './gpu-rods';
import { gpuTest, longGpuTest } from './test-device';

const HAIR = { radius: 35e-6, youngModulus: 4e9, density: 1300, airDrag: 0.5 };
const ROPE = { radius: 0.01, youngModulus: 1e7, density: 1000, damping: 1e-3 };

/** A straight strand of `count` nodes from `from`, along `along` [m]. */
function line(from: number[], along: number[], count: number): number[][] {
  return Array.from({ length: count }, (_, i) => from.map((x, k) => x + (along[k] * i) / (count - 1)));
}

longGpuTest('a rope clamped to a heavy body gives it its weight and its momentum', async () => {
  // Nothing else acts: what the rope gains the body loses.
  await withGpuWorld(
    async (world) => {
      const { physics } = world;
      const mass = 30;
      const body = addRigidBody(physics, {
        shape: { box: [0.1, 0.1, 0.1] },
        mass,
        position: [0, 0, 0],
        velocity: [1, 0.5, 0],
      });
      for (const side of [1, -1]) {
        addRod(physics, {
          ...ROPE,
          points: line([0.1 * side, 0, 0], [side, 0, 0], 11),
          clampStart: true,
          attachStart: body,
          selfContact: false,
          damping: 0.02,
        });
      }
      physics.step();
      const { tables, arena } = physics.internal.engine;
      const slot = physics.internal.slotOf[body];
      const count = arena.i32[L.NODE_COUNT >> 2];
      const ropeMass = tables.nodes.mass.filter((_, i) => i % 2 === 0 && i < 2 * count).reduce((a, b) => a + b, 0);
      await stepGpu(world, 60, true);
      expect(world.handle.state).toBe('webgpu');
      const { velocity } = tables.nodes;
      for (let k = 0; k < 3; k++) {
        let p = mass * tables.bodies.linearVelocity[4 * slot + k];
        for (let i = 0; i < count; i++) p += tables.nodes.mass[2 * i] * velocity[4 * i + k];
        // The ropes begin at rest: their share of the speed is what the body must have lost.
        const whole = [mass, 0.5 * mass, 0][k];
        expect(Math.abs(p - whole)).toBeLessThan(2e-3 * ropeMass);
      }
      expect(tables.bodies.linearVelocity[4 * slot]).toBeCloseTo(mass / (mass + ropeMass), 3);
    },
    {},
    { gravity: [0, 0, 0] },
  );
});

longGpuTest('a rope that hangs from a heavy body on a scale weighs what it weighs', async () => {
  await withGpuWorld(async (world) => {
    const { physics } = world;
    // No contact with the ground: the force that holds the body is known, and the rope's weight is what is missing.
    const mass = 20;
    const body = addRigidBody(physics, { shape: { box: [0.1, 0.1, 0.1] }, mass, position: [0, 3, 0] });
    addRod(physics, {
      ...ROPE,
      points: line([0, 2.9, 0], [0, -1, 0], 11),
      clampStart: true,
      attachStart: body,
      damping: 0.05,
    });
    physics.step();
    const { tables, arena } = physics.internal.engine;
    const slot = physics.internal.slotOf[body];
    let ropeMass = 0;
    for (let i = 0; i < arena.i32[L.NODE_COUNT >> 2]; i++) ropeMass += tables.nodes.mass[2 * i];
    const lift = 9.81 * (mass + ropeMass);
    const { force } = physics.components.RigidBody;
    for (let k = 0; k < 40; k++) {
      force.y[body] = lift;
      await stepGpu(world, 1);
    }
    const early = tables.bodies.linearVelocity[4 * slot + 1];
    for (let k = 0; k < 20; k++) {
      force.y[body] = lift;
      await stepGpu(world, 1);
    }
    // Without the rope's weight it would have gained 0.05 m/s in the last third of a second.
    const gained = tables.bodies.linearVelocity[4 * slot + 1] - early;
    expect(Math.abs(gained)).toBeLessThan(0.005 * (lift / mass - 9.81) * (20 / 60));
    expect(world.handle.state).toBe('webgpu');
  });
});

gpuTest("a rod of backend 'webgpu' that cannot go there says so once, with the reason", async () => {
  await withGpuWorld(
    async ({ physics, handle }) => {
      const body = addRigidBody(physics, { shape: { sphere: 0.05 }, mass: 0.01, position: [0, 0, 0] });
      const hang = (x: number) => ({ ...ROPE, points: line([x, 0.05, 0], [0, 1, 0], 8), clampStart: true });
      // Nobody has asked for the device for these: nothing to tell.
      addRod(physics, { ...hang(1), attachStart: body });
      addRod(physics, { ...hang(2), attachStart: body, backend: 'wasm' });
      const rod = addRod(physics, { ...hang(0), attachStart: body, backend: 'webgpu' });
      const told: string[] = [];
      const step = () => {
        physics.step();
        told.push(...physics.report.limits.filter((line) => line.includes(' is on wasm: ')));
      };
      for (let k = 0; k < 4; k++) step();
      await handle.settle();
      const { backend, reason } = handle.where(rod);
      expect(backend).toBe('wasm');
      expect(reason).toMatch(/is not 20 times as heavy$/);
      expect(told).toEqual([`rod (entity ${rod}) of backend 'webgpu' is on wasm: ${reason}`]);
      // Another reason is told, too.
      setClamp(physics, rod, 'end', {});
      for (let k = 0; k < 4; k++) step();
      expect(told).toHaveLength(2);
      expect(told[1]).toMatch(/is on wasm: .* to something else$/);
    },
    { auto: 'grooms' },
  );
});

gpuTest('a rod whose clamp a body must feel at once is on wasm', async () => {
  await withGpuWorld(async ({ physics, handle }) => {
    const body = addRigidBody(physics, { shape: { sphere: 0.1 }, mass: 10, position: [0, 0, 0] });
    const points = line([0, 0.1, 0], [0, 1, 0], 8);
    const hair = addRod(physics, { ...HAIR, points, clampStart: true, attachStart: body });
    physics.step();
    expect(handle.where(hair)).toEqual({ backend: 'webgpu', reason: null });
    // Held by the world, too: it leaves as soon as its state has come back.
    setClamp(physics, hair, 'end', {});
    for (let k = 0; k < 3; k++) {
      physics.step();
      await handle.settle();
    }
    expect(handle.where(hair).backend).toBe('wasm');
    expect(handle.where(hair).reason).toMatch(/^its clamp holds a body that moves freely .* to something else$/);
    removeRod(physics, hair);
    // Each is light enough, both together are not.
    const ropes = [1, -1].map((x) => {
      const along = line([0.1 * x, 0, 0], [x, 0, 0], 8);
      const rope = addRod(physics, { ...ROPE, points: along, clampStart: true, attachStart: body });
      physics.step();
      return rope;
    });
    for (let k = 0; k < 3; k++) {
      physics.step();
      await handle.settle();
    }
    for (const rope of ropes) expect(handle.where(rope).reason).toMatch(/is not 20 times as heavy$/);
    expect(handle.state).toBe('webgpu');
  });
});
