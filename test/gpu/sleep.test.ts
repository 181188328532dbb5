// A world whose strands have come to rest sends nothing to the device, and wakes as on the CPU.

import { hasComponent, removeEntity } from 'bitecs';
import { expect } from 'vitest';
import {
  addRigidBody,
  addRod,
  type Physics,
  rodPositions,
  setKinematicTarget,
  setVelocity,
  teleport,
  wakeRod,
} from '../../src/index';
import { type GpuRodWorld, stepGpu, withGpuWorld } from './gpu-rods';
import { isLong } from './suite';
import { longGpuTest } from './test-device';

const ROPE = { radius: 0.01, youngModulus: 1e6, density: 1000, damping: 0.02, friction: 0.6 } as const;
/** A software device takes a quarter of a second a step. */
const SETTINGS = { sleeping: true, sleepDelay: 0.15 } as const;
const PLAN = { iterations: 4 } as const;

interface Scene {
  rope: number;
  floor: number;
  pusher: number;
}

/** A rope that lies on the floor, nearly at rest; a body that can be driven is far away. */
function addScene(physics: Physics, canSleep = true): Scene {
  const floor = addRigidBody(physics, { type: 'static', shape: { box: [2, 0.1, 2] }, position: [0, -0.1, 0] });
  const pusher = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.05 }, position: [0, 1, 0] });
  const points = Array.from({ length: 6 }, (_, i) => [0.06 * i, 0.0102, 0]);
  return { rope: addRod(physics, { ...ROPE, points, canSleep }), floor, pusher };
}

/** Steps until the strands sleep; returns how many. */
async function untilAsleep(world: GpuRodWorld, most = 60): Promise<number> {
  for (let k = 1; k <= most; k++) {
    await stepGpu(world, 1);
    if (world.physics.report.strands.asleep > 0) return k;
  }
  return most;
}

/** Whether a rod has the tag. */
function sleeps({ physics }: GpuRodWorld, rod: number): boolean {
  return hasComponent(physics.world, rod, physics.components.Sleeping);
}

/** Whether a step sends anything to the device. */
async function sends(world: GpuRodWorld): Promise<boolean> {
  const { sent } = world.handle.report;
  await stepGpu(world, 1);
  return world.handle.report.sent > sent;
}

longGpuTest('a rope at rest sleeps, stays where it is, and its state can still be read', async () => {
  const run = () =>
    withGpuWorld(
      async (world) => {
        const { physics, handle } = world;
        const { rope } = addScene(physics);
        const steps = await untilAsleep(world);
        expect(steps).toBeGreaterThan(9);
        expect(steps).toBeLessThan(60);
        expect(sleeps(world, rope)).toBe(true);
        await handle.settle();
        const before = rodPositions(physics, rope);
        for (let k = 0; k < 10; k++) expect(await sends(world)).toBe(false);
        await handle.settle();
        expect(rodPositions(physics, rope)).toEqual(before);
        expect(physics.report.strands.asleep).toBe(1);
        return { steps, before };
      },
      PLAN,
      SETTINGS,
    );
  const once = await run();
  if (isLong) expect(await run()).toEqual(once);
});

longGpuTest('it wakes for bodies that move, rods that come, a hand, and sleeps again', async () => {
  await withGpuWorld(
    async (world) => {
      const { physics, handle } = world;
      const { rope, pusher, floor } = addScene(physics);
      const stone = addRigidBody(physics, { type: 'static', shape: { sphere: 0.1 }, position: [3, 0, 0] });
      const wakes: [string, () => void][] = [
        ['a driven body', () => setKinematicTarget(physics, pusher, [0, 0.9, 0])],
        ['a teleported body', () => teleport(physics, pusher, [0, 2, 0])],
        ['a rod that comes', () => addRod(physics, { ...ROPE, points: [0, 1, 2].map((x) => [0.1 * x, 0.0102, 1]) })],
        ['a body that goes', () => removeEntity(physics.world, stone)],
        ['wakeRod', () => wakeRod(physics, rope)],
        ['a hand', () => Object.assign(handle, { grip: { center: [5, 5, 5], radius: 0.1 } })],
      ];
      for (const [name, wake] of wakes) {
        expect(await untilAsleep(world), name).toBeLessThan(60);
        expect(sleeps(world, rope), name).toBe(true);
        wake();
        expect(await sends(world), name).toBe(true);
        expect(sleeps(world, rope), name).toBe(false);
        handle.grip = null;
      }
      expect(await untilAsleep(world)).toBeLessThan(60);
      // The floor is gone: it falls.
      teleport(physics, floor, [0, -5, 0]);
      await stepGpu(world, 10);
      await handle.settle();
      expect(rodPositions(physics, rope)[1]).toBeLessThan(-0.05);
    },
    PLAN,
    SETTINGS,
  );
});

longGpuTest('beside a body that moves freely, or with sleeping forbidden, it stays awake', async () => {
  for (const kind of ['body', 'rod', 'world'] as const) {
    await withGpuWorld(
      async (world) => {
        addScene(world.physics, kind !== 'rod');
        if (kind === 'body') {
          const ball = addRigidBody(world.physics, { shape: { sphere: 0.1 }, position: [0, 9, 0], gravityScale: 0 });
          setVelocity(world.physics, ball, [0.5, 0, 0]);
        }
        expect(await untilAsleep(world, 25)).toBe(25);
      },
      PLAN,
      { ...SETTINGS, sleeping: kind !== 'world' },
    );
  }
});
