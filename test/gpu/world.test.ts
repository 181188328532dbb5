// enableGpuStrands: the strands of a world on the device, as a game sees them; bodies and strands push each other.

import { createWorld } from 'bitecs';
import { expect, vi } from 'vitest';
import {
  addGroom,
  addRigidBody,
  addRod,
  addRodForce,
  attach,
  createPhysics,
  detach,
  enableGpuStrands,
  type Physics,
  removeRod,
  rodPositions,
  rodVelocities,
  setClamp,
  setKinematicTarget,
  setWind,
  UsageError,
} from '../../src/index';
import { type GpuRodWorld, openGpu, stepGpu, withGpuWorld } from './gpu-rods';
import { isLong } from './suite';
import { closeContext, gpuTest, isHardware, longGpuTest, openNullContext, withDevice } from './test-device';

const HAIR = { radius: 35e-6, youngModulus: 4e9, density: 1300, airDrag: 0.5 };
const ROPE = { radius: 0.01, youngModulus: 1e7, density: 1000, damping: 1e-3 };

/** A straight strand of `count` nodes from `from`, along `along` [m]. */
function line(from: number[], along: number[], count: number): number[][] {
  return Array.from({ length: count }, (_, i) => from.map((x, k) => x + (along[k] * i) / (count - 1)));
}

/** Three strands that hang from one end, apart from each other. */
function addHanging(physics: Physics): number[] {
  return [0, 1, 2].map((s) =>
    addRod(physics, {
      ...(s === 2 ? ROPE : HAIR),
      points: line([s, 1, 0], s === 2 ? [1, 0, 0] : [0.1, 0, 0.02], 8 + 4 * s),
      clampStart: true,
    }),
  );
}

/** Largest distance of two lists of numbers. */
function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let k = 0; k < a.length; k++) most = Math.max(most, Math.abs(a[k] - b[k]));
  return most;
}

longGpuTest('a quarter of a second of hanging strands, or half of one, is that of wasm', async () => {
  const steps = isLong ? 30 : 15;
  const known = createPhysics(createWorld());
  const rods = addHanging(known);
  setWind(known, [0.5, 0, -1]);
  for (let k = 0; k < steps; k++) known.step();
  await withGpuWorld(async (world) => {
    const { physics, handle } = world;
    const found = addHanging(physics);
    setWind(physics, [0.5, 0, -1]);
    await stepGpu(world, steps);
    expect(handle.state).toBe('webgpu');
    expect(handle.isSoftware).toBe(!isHardware);
    expect(handle.report).toMatchObject({ sent: steps, strands: 3, nodes: 36 });
    expect(physics.report.strands).toMatchObject({ strands: 3, nodes: 36 });
    rods.forEach((rod, k) => {
      const still = line([k, 1, 0], k === 2 ? [1, 0, 0] : [0.1, 0, 0.02], 8 + 4 * k).flat();
      const moved = distance(rodPositions(known, rod), still);
      expect(moved).toBeGreaterThan(0.05);
      expect(distance(rodPositions(physics, found[k]), rodPositions(known, rod))).toBeLessThan(5e-3 * moved);
    });
  });
});

longGpuTest('a run repeats bit for bit without a budget', async () => {
  const run = () =>
    withGpuWorld(async (world) => {
      addHanging(world.physics);
      await stepGpu(world, 12);
      return world.physics.hash();
    });
  expect(await run()).toBe(await run());
});

longGpuTest('rods come and go while the others keep moving as if nothing had happened', async () => {
  const run = (isDisturbed: boolean) =>
    withGpuWorld(
      async (world) => {
        const { physics } = world;
        const first = addRod(physics, { ...HAIR, points: line([5, 1, 0], [0.1, 0, 0], 6), clampStart: true });
        const rods = addHanging(physics);
        for (let k = 0; k < 8; k++) physics.step();
        if (isDisturbed) {
          // Nothing was read back: the tables know the others as they were at the start.
          const late = addRod(physics, { ...ROPE, points: line([8, 1, 0], [0, 0, 1], 12) });
          physics.step();
          removeRod(physics, first);
          physics.step();
          removeRod(physics, late);
        } else for (let k = 0; k < 2; k++) physics.step();
        await stepGpu(world, 10);
        return rods.map((rod) => Array.from(rodPositions(physics, rod)));
      },
      { readBack: 0, auto: 'all' },
    );
  const still = await run(false);
  (await run(true)).forEach((positions, k) => {
    expect(positions).toEqual(still[k]);
  });
});

longGpuTest('clamps are placed, released and made, and bodies carry them', async () => {
  await withGpuWorld(async (world) => {
    const { physics } = world;
    const head = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.1 }, position: [0, 0, 3] });
    const rod = addRod(physics, { ...HAIR, points: line([0, 1, 0], [0.1, 0, 0], 8), clampStart: true });
    const hair = addRod(physics, {
      ...HAIR,
      points: line([0, 0.1, 3], [0, 0.1, 0], 8),
      clampStart: true,
      attachStart: head,
    });
    for (let k = 1; k <= 10; k++) {
      setClamp(physics, rod, 'start', { position: [0, 1 + 0.002 * k, 0] });
      setKinematicTarget(physics, head, [0.004 * k, 0, 3]);
      physics.step();
    }
    await world.handle.settle();
    expect(rodPositions(physics, rod)[1]).toBeCloseTo(1.02, 6);
    expect(rodPositions(physics, hair)[0]).toBeCloseTo(0.04, 6);
    expect(rodVelocities(physics, hair)[0]).toBeCloseTo(0.24, 4);
    // Free at both ends it falls with what it has; clamped at the end it hangs from there.
    setClamp(physics, rod, 'start', null);
    await stepGpu(world, 5);
    expect(rodPositions(physics, rod)[1]).toBeLessThan(1.02);
    setClamp(physics, rod, 'end', {});
    await world.handle.settle();
    const held = Array.from(rodPositions(physics, rod).subarray(21, 24));
    await stepGpu(world, 20);
    expect(distance(rodPositions(physics, rod).subarray(21, 24), held)).toBeLessThan(1e-6);
  });
});

gpuTest('user forces act for one step, materials from the next on', async () => {
  await withGpuWorld(
    async (world) => {
      const { physics } = world;
      const rod = addRod(physics, { ...ROPE, points: line([0, 0, 0], [1, 0, 0], 6) });
      physics.step();
      for (let node = 0; node < 6; node++) addRodForce(physics, rod, node, [0, 1, 0]);
      await stepGpu(world, 1);
      const speed = rodVelocities(physics, rod)[1];
      expect(speed).toBeGreaterThan(0.01);
      await stepGpu(world, 3);
      expect(rodVelocities(physics, rod)[1]).toBeLessThan(1.5 * speed);
      physics.components.Rod.airDrag[rod] = 1000;
      await stepGpu(world, 3);
      expect(rodVelocities(physics, rod)[1]).toBeLessThan(1e-3 * speed);
    },
    {},
    { gravity: [0, 0, 0] },
  );
});

longGpuTest('a snapshot holds the last state that arrived, and restoring it goes on from there', async () => {
  await withGpuWorld(async (world) => {
    const { physics, handle } = world;
    const rods = addHanging(physics);
    await stepGpu(world, 5);
    const snapshot = physics.snapshot();
    const then = Array.from(rodPositions(physics, rods[0]));
    const run = async () => {
      await stepGpu(world, 10);
      return Array.from(rodPositions(physics, rods[0]));
    };
    const once = await run();
    physics.restore(snapshot);
    expect(Array.from(rodPositions(physics, rods[0]))).toEqual(then);
    const again = await run();
    expect(distance(again, once)).toBeLessThan(0.01 * distance(once, then));
    expect(handle.state).toBe('webgpu');
  });
});

gpuTest('what is read comes back every step, what is not only now and then', async () => {
  await withGpuWorld(async (world) => {
    const { physics, handle } = world;
    const rods = addHanging(physics);
    await stepGpu(world, 1);
    const seen = physics.internal.engine.tables.nodes.position.slice(0, 32);
    for (let k = 0; k < 3; k++) {
      physics.step();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    physics.interpolate(1);
    expect(physics.internal.engine.tables.nodes.position.subarray(0, 32)).toEqual(seen);
    expect(physics.strands.positions.length).toBeGreaterThan(0);
    physics.step();
    const { position } = physics.internal.engine.tables.nodes;
    for (let k = 0; k < 1000 && position[29] === seen[29]; k++) await new Promise((resolve) => setTimeout(resolve, 20));
    physics.interpolate(1);
    expect(physics.strands.positions[29]).toBeLessThan(seen[29]);
    await handle.settle();
    physics.interpolate(1);
    expect(rodPositions(physics, rods[0])[22]).toBeCloseTo(physics.strands.positions[29], 6);
  });
});

gpuTest('two worlds share the host’s device, which stays theirs', async () => {
  await withDevice(async (context) => {
    const heights = await withGpuWorld((a) =>
      withGpuWorld(async (b) => {
        const rods = [a, b].map(({ physics }, k) =>
          addRod(physics, { ...ROPE, points: line([0, k, 0], [1, 0, 0], 5 + k) }),
        );
        await stepGpu(a, 4);
        await stepGpu(b, 4);
        for (const { handle } of [a, b]) expect(handle.buffers?.device).toBe(context.device);
        return [a, b].map(({ physics }, k) => rodPositions(physics, rods[k])[1] - k);
      }),
    );
    expect(heights[0]).toBeLessThan(-0.01);
    expect(heights[0]).toBeCloseTo(heights[1], 6);
    await context.device.queue.onSubmittedWorkDone();
    expect(context.isLost).toBe(false);
  });
});

longGpuTest('a joint made and taken away in the middle of a run leaves the strands on the device', async () => {
  await withGpuWorld(async (world) => {
    const { physics, handle } = world;
    const states: string[] = [];
    handle.onChange(({ state }) => states.push(state));
    const rod = addRod(physics, { ...ROPE, points: line([0, 1, 0], [1, 0, 0], 10), clampStart: true });
    const ball = addRigidBody(physics, { shape: { sphere: 0.05 }, mass: 0.5, position: [1, 0.9, 0] });
    await stepGpu(world, 5);
    const before = Array.from(rodPositions(physics, rod));
    const knot = attach(physics, { rod, node: 'end', body: ball, length: 0.3 });
    await stepGpu(world, 30, true);
    // The ball falls, and then swings on the rope, at some metres a second and two steps behind.
    const { impulse } = physics.components.Attachment;
    expect(impulse.y[knot]).toBeLessThan(0);
    const end = Array.from(rodPositions(physics, rod).subarray(27, 30));
    const { x, y, z } = physics.components.Transform.position;
    expect(Math.hypot(end[0] - x[ball], end[1] - y[ball], end[2] - z[ball])).toBeLessThan(0.5);
    detach(physics, knot);
    await stepGpu(world, 10);
    expect(distance(rodPositions(physics, rod), before)).toBeLessThan(1.5);
    expect(y[ball]).toBeLessThan(end[1] - 0.2);
    expect(handle.state).toBe('webgpu');
    expect(states).toEqual([]);
  });
});

gpuTest('wrong options and other solvers are told, not run', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const physics = createPhysics(createWorld());
  await expect(enableGpuStrands(physics, { budget: 0 })).rejects.toThrow(
    /^enableGpuStrands: budget must be > 0 \[ms\], got 0/,
  );
  await expect(enableGpuStrands(physics, { iteration: 3 } as never)).rejects.toThrow(UsageError);
  await expect(enableGpuStrands(physics, { looks: 9 })).rejects.toThrow(/looks must be at most 8, got 9/);
  await expect(enableGpuStrands(physics, { readBack: -1 })).rejects.toThrow(/readBack must be a whole number/);
  const slow = createPhysics(createWorld(), { elastic: { backend: 'reference' } });
  const handle = await enableGpuStrands(slow, { gpu: await openGpu() });
  expect(handle).toMatchObject({ state: 'wasm', reason: "elastic.backend is 'reference'" });
  expect(() => {
    handle.budget = -1;
  }).toThrow(/budget must be > 0 \[ms\], got -1/);
  handle.dispose();
  const coarse = createPhysics(createWorld(), { elastic: { frictionCone: 'pyramid' } });
  expect((await enableGpuStrands(coarse, { gpu: await openGpu() })).reason).toBe("elastic.frictionCone is 'pyramid'");
  physics.dispose();
  await expect(enableGpuStrands(physics)).rejects.toThrow(UsageError);
  warn.mockRestore();
});

gpuTest('a grown groom leaves room behind, an empty world steps on', async () => {
  await withGpuWorld(async (world) => {
    const { physics, handle } = world;
    physics.step();
    expect(handle.report.strands).toBe(0);
    const positions = Array.from({ length: 30 }, (_, k) => line([0.01 * k, 0, 0], [0, 0.1, 0], 4).flat()).flat();
    const groom = addGroom(physics, { ...HAIR, strands: { counts: new Int32Array(30).fill(4), positions } });
    await stepGpu(world, 2);
    expect(handle.buffers).toMatchObject({ strandCount: 30, nodeCount: 120 });
    removeRod(physics, groom);
    await stepGpu(world, 2);
    expect(handle.report.strands).toBe(0);
  });
});

gpuTest('on a device that computes nothing the steps go on', async () => {
  const context = await openNullContext();
  await withGpuWorld(
    async (world) => {
      addHanging(world.physics);
      await stepGpu(world, 12);
      expect(world.handle.report.sent).toBe(12);
    },
    { device: context.device },
  );
  await closeContext(context);
});

longGpuTest('frames that nobody sees do not hold steps up: read-backs are left out and counted', async () => {
  await withGpuWorld(
    async (world) => {
      const { physics, handle } = world;
      const rods = addHanging(physics);
      // A hidden tab, or a page that never yields: nothing comes back.
      for (let k = 0; k < 12; k++) physics.step();
      expect(handle.report).toMatchObject({ sent: 12, skippedReadBacks: 8 });
      await handle.settle();
      await stepGpu(world, 1);
      // One more: settle asked before there was room.
      expect(handle.report).toMatchObject({ sent: 13, step: 13, skippedReadBacks: 9 });
      expect(rodPositions(physics, rods[0])[22]).toBeLessThan(1);
    },
    { readBack: 1 },
  );
});

/** Momentum of all strands and of bodies of known mass [N·s]. */
function momentum({ physics }: GpuRodWorld, rods: number[], bodies: [number, number][]): number[] {
  const { nodes, rods: table } = physics.internal.engine.tables;
  const p = [0, 0, 0];
  for (const rod of rods) {
    const velocity = rodVelocities(physics, rod);
    const first = table.nodeStart[physics.internal.rods.slotOf[rod]];
    velocity.forEach((v, i) => {
      p[i % 3] += nodes.mass[2 * (first + Math.floor(i / 3))] * v;
    });
  }
  const { linear } = physics.components.Velocity;
  for (const [body, mass] of bodies) {
    p[0] += mass * linear.x[body];
    p[1] += mass * linear.y[body];
    p[2] += mass * linear.z[body];
  }
  return p;
}

/** A rope across that a ball of `mass` falls on; returns rod and ball. */
function addRopeAndBall(physics: Physics, mass: number, height: number): [number, number] {
  const rod = addRod(physics, {
    points: line([-0.5, 0, 0], [1, 0, 0], 21),
    ...{ radius: 0.01, density: 1000, youngModulus: 1e7, damping: 0.01, friction: 0.5 },
    ...{ clampStart: true, clampEnd: true },
  });
  const ball = addRigidBody(physics, { shape: { sphere: 0.08 }, mass, position: [0, 0.09 + height, 0], friction: 0.5 });
  return [rod, ball];
}

/** What contacts need to be solved well enough. */
const TOUCHING = { iterations: 6, looks: 1 };

longGpuTest('strands fall on the ground and on each other, and stay there', async () => {
  await withGpuWorld(async (world) => {
    const { physics, handle } = world;
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.5 });
    const material = { radius: 0.01, density: 1000, youngModulus: 1e7, damping: 0.005, friction: 0.5 };
    const rods = [0, 1, 2].map((i) => {
      // Little to fall where the suite is short.
      const y = isLong ? 0.03 + 0.025 * i : 0.012 + 0.0205 * i;
      const points = i % 2 ? line([0.01, y, -0.3], [-0.01, 0, 0.6], 13) : line([-0.3, y, 0], [0.6, 0, 0.02], 13);
      return addRod(physics, { points, ...material });
    });
    const steps = isLong ? 45 : 20;
    await stepGpu(world, steps, true);
    expect(handle.report.contacts).toBeGreaterThan(10);
    expect(handle.report).toMatchObject({ step: steps, looks: 1, iterations: 6, sweeps: 6, overflow: [] });
    expect(physics.report.strands.contacts).toBe(handle.report.contacts);
    for (const rod of rods) {
      for (let i = 1; i < 39; i += 3) expect(rodPositions(physics, rod)[i]).toBeGreaterThan(0.0095);
      for (let i = 1; i < 39; i += 3) expect(Math.abs(rodVelocities(physics, rod)[i])).toBeLessThan(0.05);
    }
  }, TOUCHING);
});

longGpuTest('a strand that hits a free ball hands over momentum and keeps the sum', async () => {
  await withGpuWorld(
    async (world) => {
      const { physics, handle } = world;
      const mass = 0.2;
      const ball = addRigidBody(physics, { shape: { sphere: 0.05 }, mass, position: [0, 0, 0], friction: 0.3 });
      const rod = addRod(physics, {
        points: line([-0.2, 0.08, 0.01], [0.4, 0, 0], 9),
        ...{ radius: 0.01, density: 1000, youngModulus: 1e7, damping: 0.01, friction: 0.5, velocity: [0.3, -2, 0] },
      });
      await stepGpu(world, 11, true);
      const after = momentum(world, [rod], [[ball, mass]]);
      const own = Math.PI * 1e-4 * 0.4 * 1000;
      const before = [0.3 * own, -2 * own, 0];
      expect(physics.components.Velocity.linear.y[ball]).toBeLessThan(-0.1);
      for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-4 * Math.abs(before[1]));
      expect(handle.report.lateImpulses).toBe(0);
    },
    // Momentum is what the solver leaves of it: solved well.
    { iterations: 150, looks: 1 },
    { gravity: [0, 0, 0] },
  );
});

longGpuTest('a ball rests on a rope: it does not sink, creep or shake for hearing of the rope late', async () => {
  await withGpuWorld(async (world) => {
    const { physics } = world;
    const [rod, ball] = addRopeAndBall(physics, 0.2, 0.005);
    const { Transform, Velocity } = physics.components;
    await stepGpu(world, 45, true);
    const heights: number[] = [];
    for (let k = 0; k < 8; k++) {
      await stepGpu(world, 1, true);
      heights.push(Transform.position.y[ball]);
      expect(Math.abs(Velocity.linear.y[ball])).toBeLessThan(0.03);
    }
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(0.003);
    const lowest = Math.min(...Array.from({ length: 21 }, (_, i) => rodPositions(physics, rod)[3 * i + 1]));
    expect(lowest).toBeLessThan(-0.002);
    expect(heights[7] - lowest).toBeGreaterThan(0.08);
    expect(heights[7] - lowest).toBeLessThan(0.1);
  }, TOUCHING);
});

longGpuTest('two-way coupling repeats bit for bit when results come down in time', async () => {
  const run = () =>
    withGpuWorld(async (world) => {
      addRopeAndBall(world.physics, 0.3, 0.02);
      await stepGpu(world, 14, true);
      return world.physics.hash();
    }, TOUCHING);
  expect(await run()).toBe(await run());
});

longGpuTest('a budget that is too small leaves work undone and says so', async () => {
  await withGpuWorld(
    async (world) => {
      const { physics, handle } = world;
      addRopeAndBall(physics, 0.3, 0.0);
      await stepGpu(world, 12, true);
      expect(handle.report.gpuMs).toBeGreaterThan(0);
      expect(handle.report.stages.solve).toBeGreaterThan(0);
      expect(handle.report).toMatchObject({ iterations: 1, looks: 1, sweeps: 1 });
      expect(handle.report.undone).toMatchObject({ iterations: 7, looks: 1 });
      handle.budget = null;
      await stepGpu(world, 2, true);
      expect(handle.report.iterations).toBe(8);
    },
    { budget: 1e-3, iterations: 4, looks: 2 },
  );
});
