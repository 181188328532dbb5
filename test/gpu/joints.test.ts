// Joints of strands with bodies and the world on the device, beside wasm: crates on ropes, bridges, clamps on light bodies.

import { expect, vi } from 'vitest';
import { addBody, addStrands, line, nodeAt, type RodWorld, tie } from '../validation/strand-worlds';
import { addBridge, addHangingCrate, forceOf, nodesApart, reasonOf, withTwins } from './joint-worlds';
import { gpuTest, longGpuTest } from './test-device';

const BAR = { young: 1e8, damping: 0.01 };

/** Momentum of all nodes and of a body [N·s]. */
function momentum({ tables }: RodWorld, nodes: number, body: number, mass: number): number[] {
  return [0, 1, 2].map((k) => {
    let p = mass * tables.bodies.linearVelocity[4 * body + k];
    for (let i = 0; i < nodes; i++) p += tables.nodes.mass[2 * i] * tables.nodes.velocity[4 * i + k];
    return p;
  });
}

longGpuTest('a crate hangs still on its rope, whose tension is its weight', async () => {
  await withTwins(
    (world) => addHangingCrate(world, 5),
    async ({ gpu, step }) => {
      await step(30);
      expect(Math.abs(forceOf(gpu, 1)[1] + 5 * 9.81)).toBeLessThan(0.001 * 5 * 9.81);
      // The other knot bears the rope, too.
      expect(forceOf(gpu, 0)[1] / (9.81 * (5 + 0.1 * Math.PI))).toBeCloseTo(1, 3);
      expect(Math.abs(gpu.tables.bodies.linearVelocity[1])).toBeLessThan(1e-4);
      expect(nodeAt(gpu, 10)[1] - gpu.tables.bodies.position[1]).toBeCloseTo(0.2, 5);
    },
  );
});

longGpuTest.each([30, 0.3, 0.003])('a crate of %d kg swings on its rope as on wasm', async (mass) => {
  await withTwins(
    (world) => addHangingCrate(world, mass, true),
    async (twins) => {
      await twins.step(35);
      expect(nodeAt(twins.wasm, 10)[1]).toBeLessThan(-0.8);
      expect(nodesApart(twins, 11)).toBeLessThan(2e-3);
    },
  );
});

longGpuTest('a rope and a body that it is tied to keep their momentum over a second', async () => {
  const mass = 0.4;
  await withTwins(
    (world) => {
      const body = addBody(world, { type: 'dynamic', shape: { box: [0.1, 0.1, 0.1] }, mass, position: [0, 0, 0] });
      addStrands(world, { ...BAR, points: line([0.1, 0, 0], [0.6, 0, 0], 11), velocity: [0, 2, 0.5] });
      tie(world, 0, 0, body.slot, [0.1, 0, 0]);
    },
    async ({ gpu, step }) => {
      const ropeMass = 0.05 * Math.PI;
      await step(60);
      const now = momentum(gpu, 11, 0, mass);
      // What the body has not heard of yet is at most what it felt in two steps.
      const late = (2 / 60) * Math.max(...forceOf(gpu, 0).map(Math.abs));
      for (const [k, speed] of [0, 2, 0.5].entries()) {
        expect(Math.abs(now[k] - speed * ropeMass)).toBeLessThan(1e-3 + late);
      }
      expect(late).toBeLessThan(0.05);
    },
    { gravity: [0, 0, 0] },
  );
});

longGpuTest('a bridge with three crates comes to rest as on wasm, and bears their weight', async () => {
  await withTwins(addBridge, async (twins) => {
    await twins.step(70);
    const { gpu } = twins;
    for (const body of [0, 1, 2]) {
      const weight = forceOf(gpu, 2 * body)[1] + forceOf(gpu, 2 * body + 1)[1];
      expect(Math.abs(weight + 9.81)).toBeLessThan(0.01 * 9.81);
      expect(Math.abs(gpu.tables.bodies.linearVelocity[4 * body + 1])).toBeLessThan(2e-3);
    }
    expect(nodesApart(twins, 42)).toBeLessThan(1e-5);
  });
});

longGpuTest('a run with joints repeats bit for bit', async () => {
  const run = async () => {
    let bits = '';
    await withTwins(addBridge, async ({ gpu, step }) => {
      await step(8);
      bits = gpu.physics.hash();
    });
    return bits;
  };
  expect(await run()).toBe(await run());
});

longGpuTest('a rope between two points of the world hangs as on wasm, where there is nothing to touch', async () => {
  await withTwins(
    (world) => {
      addStrands(world, { ...BAR, selfContact: false, points: line([0, 0, 0], [1, 0, 0], 11) });
      tie(world, 0, 0, -1, [0, 0, 0]);
      tie(world, 0, 7, -1, [0.7, 0, 0]);
    },
    async (twins) => {
      await twins.step(12);
      expect(twins.handle.report.contacts).toBe(0);
      expect(nodeAt(twins.wasm, 10)[1]).toBeLessThan(-1e-3);
      expect(nodesApart(twins, 11)).toBeLessThan(1e-5);
      expect(forceOf(twins.gpu, 1)[1]).toBeCloseTo(forceOf(twins.wasm, 1)[1], 2);
    },
  );
});

longGpuTest('a tether is slack within its length and holds at it', async () => {
  await withTwins(
    (world) => {
      const ball = addBody(world, { type: 'dynamic', shape: { sphere: 0.05 }, mass: 2, position: [0, -0.4, 0] });
      const points = line([-0.5, 0, 0], [0.5, 0, 0], 11);
      addStrands(world, { ...BAR, young: 1e9, radius: 0.02, points, clampStart: true, clampEnd: true });
      tie(world, 0, 5, ball.slot, [0, 0, 0], 0.5);
    },
    async ({ gpu, step }) => {
      await step(3);
      expect(forceOf(gpu, 0).map(Math.abs)).toEqual([0, 0, 0]);
      await step(27);
      expect(forceOf(gpu, 0)[1]).toBeCloseTo(-2 * 9.81, 2);
      expect(nodeAt(gpu, 5)[1] - gpu.tables.bodies.position[1]).toBeCloseTo(0.5, 4);
    },
  );
});

longGpuTest('a rod clamped between two light bodies bends and turns as on wasm', async () => {
  await withTwins(
    (world) => {
      const [a, b] = [0, 0.7].map((x, k) => {
        const mass = [0.3, 0.05][k];
        return addBody(world, { type: 'dynamic', shape: { box: [0.1, 0.1, 0.1] }, mass, position: [x, 0, 0] });
      });
      const points = line([0.1, 0, 0], [0.6, 0, 0], 11);
      addStrands(world, {
        ...{ ...BAR, points, young: 1e7, clampStart: true, clampEnd: true },
        ...{ attachStart: a.slot, attachEnd: b.slot },
      });
      addStrands(world, { ...BAR, points: line([0, 0.1, 0], [0, 1.1, 0.2], 11), clampEnd: true });
      tie(world, 1, 0, a.slot, [0, 0.1, 0]);
      world.tables.bodies.angularVelocity[4 * b.slot] = 3;
    },
    async (twins) => {
      await twins.step(15);
      expect(nodeAt(twins.wasm, 10)[1]).toBeLessThan(-0.1);
      expect(nodesApart(twins, 22)).toBeLessThan(1e-4);
      // The twist follows the spin of the bodies.
      const angles = [0, 9].map((edge) => twins.gpu.tables.nodes.position[4 * edge + 3]);
      expect(Math.abs(angles[1] - angles[0])).toBeGreaterThan(0.05);
      for (const [k, edge] of [0, 9].entries()) {
        expect(angles[k]).toBeCloseTo(twins.wasm.tables.nodes.position[4 * edge + 3], 2);
      }
    },
  );
});

longGpuTest('a crate on the ground is dragged by its rope against friction', async () => {
  await withTwins(
    (world) => {
      addBody(world, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, -0.2, 0], friction: 0.5 });
      const position = [1.2, 0, 0];
      const shape = { box: [0.2, 0.2, 0.2] as [number, number, number] };
      const crate = addBody(world, { type: 'dynamic', shape, mass: 10, position, friction: 0.5 });
      const winch = addBody(world, {
        ...{ type: 'kinematic', shape: { sphere: 0.05 }, position: [-0.1, 0.05, 0], velocity: [-0.5, 0, 0] },
      } as never);
      const points = line([0, 0.05, 0], [1, 0.05, 0], 11);
      addStrands(world, { ...BAR, young: 1e9, points, clampStart: true, attachStart: winch.slot });
      tie(world, 0, 10, crate.slot, [-0.2, 0.05, 0]);
    },
    async ({ gpu, wasm, step }) => {
      await step(50);
      expect(forceOf(gpu, 0)[0]).toBeCloseTo(forceOf(wasm, 0)[0], 0);
      expect(gpu.tables.bodies.position[4]).toBeCloseTo(wasm.tables.bodies.position[4], 2);
      expect(gpu.tables.bodies.linearVelocity[4]).toBeCloseTo(-0.5, 1);
    },
  );
});

longGpuTest('a crate on the ground stays where it is on a taut rope', async () => {
  await withTwins(
    (world) => {
      addBody(world, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, -1, 0] });
      const crate = addBody(world, {
        type: 'dynamic',
        shape: { box: [0.2, 0.2, 0.2] },
        mass: 10,
        position: [0.3, -0.8, 0],
      });
      addStrands(world, { ...BAR, damping: 0.001, points: line([0, 0, 0], [0.3, -0.6, 0], 11), clampStart: true });
      tie(world, 0, 10, crate.slot, [0, 0.2, 0]);
    },
    async ({ gpu, wasm, step }) => {
      await step(35);
      const known = forceOf(wasm, 0);
      // Taken for free, the crate would be pulled and pushed with 20 N in turn.
      forceOf(gpu, 0).forEach((force, k) => {
        expect(Math.abs(force - known[k])).toBeLessThan(0.3);
      });
      expect(Math.abs(gpu.tables.bodies.position[4] - 0.3)).toBeLessThan(1e-5);
    },
  );
});

gpuTest('an end does not touch the body that it is tied to', async () => {
  const ropeMass = 0.05 * Math.PI;
  const run = async (isTied: boolean) => {
    let force = 0;
    await withTwins(
      (world) => {
        const block = addBody(world, { type: 'static', shape: { box: [0.2, 0.1, 0.2] }, position: [0, 0, 0] });
        // Its first node is inside of the block, where the world or the block holds it.
        addStrands(world, { ...BAR, points: line([0, 0.095, 0], [0, 0.595, 0], 6) });
        tie(world, 0, 0, isTied ? block.slot : -1, [0, 0.095, 0]);
      },
      async ({ gpu, step }) => {
        await step(3);
        [, force] = forceOf(gpu, 0);
      },
      {},
      { iterations: 6 },
    );
    return force;
  };
  expect(await run(true)).toBeCloseTo(9.81 * ropeMass, 2);
  expect(Math.abs((await run(false)) - 9.81 * ropeMass)).toBeGreaterThan(0.2);
});

gpuTest('too many joints that hang together are wasm’s', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const crowded = await reasonOf((world) => {
    const body = addBody(world, { type: 'dynamic', shape: { sphere: 1 }, mass: 1, position: [0, 0, 0] });
    for (let k = 0; k < 301; k++) {
      addStrands(world, { ...BAR, radius: 1e-3, points: line([0.1 * k, 0, 0], [0.1 * k, 0.1, 0], 3) });
      tie(world, k, 0, body.slot, [0, 0, 0]);
    }
  });
  expect(crowded).toBe('301 joints that hang together (rod 0; a device takes 300) are solved there');
  warn.mockRestore();
});
