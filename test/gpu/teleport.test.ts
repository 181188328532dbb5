// A body that is put somewhere else takes its hair along on the device, too.

import { expect } from 'vitest';
import {
  addGroom,
  addRigidBody,
  addRod,
  type Physics,
  removeRod,
  rodPositions,
  rodVelocities,
  setVelocity,
  teleport,
} from '../../src/index';
import { type GpuRodWorld, stepGpu, withGpuWorld } from './gpu-rods';
import { gpuTest, longGpuTest } from './test-device';

const HAIR = { radius: 1e-3, density: 1300, youngModulus: 1e8, damping: 0.01, friction: 0.3 } as const;
const START = [0, 1, 0];
const THERE = [40, 3, -7];
/** A quarter turn about z. */
const QUARTER = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
const SETTINGS = { gravity: [0, 0, 0] } as const;

interface Head {
  head: number;
  hair: number[];
  /** Clamped to the world. */
  rope: number;
}

/** Three hairs, so near that they touch, out of a head along x; a rope beside it. */
function addHead(physics: Physics, type: 'dynamic' | 'kinematic'): Head {
  const mass = type === 'dynamic' ? { mass: 4 } : {};
  const head = addRigidBody(physics, { type, shape: { sphere: 0.1 }, position: START, ...mass });
  const line = (x: number, y: number) => Array.from({ length: 10 }, (_, i) => [x + 0.01 * i, y, START[2]]);
  const hair = [0, 1, 2].map((k) =>
    addRod(physics, { ...HAIR, points: line(0.1, START[1] + 0.002 * k), attachStart: head }),
  );
  const rope = addRod(physics, { ...HAIR, points: line(0.1, 2), clampStart: true });
  return { head, hair, rope };
}

const difference = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.max(...Array.from(a, (x, k) => Math.abs(x - b[k])));

/** Vectors turned about z by `angle` [rad], and by a way. */
const turned = (x: ArrayLike<number>, from: number[], to: number[], angle = Math.PI / 2) => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return Array.from({ length: x.length / 3 }, (_, i) => {
    const [a, b, d] = [0, 1, 2].map((k) => x[3 * i + k] - from[k]);
    return [to[0] + c * a - s * b, to[1] + s * a + c * b, to[2] + d];
  }).flat();
};

/** Place of a body, and how far it is turned about z. */
const poseOf = ({ components }: Physics, body: number) => {
  const { position, rotation } = components.Transform;
  return {
    at: [position.x[body], position.y[body], position.z[body]],
    angle: 2 * Math.atan2(rotation.z[body], rotation.w[body]),
  };
};

/** A head that has swung, then stands; moved by `move`, or not; so many steps later. */
async function swing(
  world: GpuRodWorld,
  type: 'dynamic' | 'kinematic',
  move: (physics: Physics, head: number) => void,
  later: number,
) {
  const { physics } = world;
  const { head, hair, rope } = addHead(physics, type);
  setVelocity(physics, head, [0, 0.2, 0]);
  await stepGpu(world, 12);
  setVelocity(physics, head, [0, 0, 0]);
  move(physics, head);
  if (later > 0) await stepGpu(world, later);
  await world.handle.settle();
  const places = hair.map((rod) => rodPositions(physics, rod));
  const velocities = hair.map((rod) => rodVelocities(physics, rod));
  return { ...poseOf(physics, head), places, velocities, rope: rodPositions(physics, rope) };
}

longGpuTest.each(['dynamic', 'kinematic'] as const)(
  'hair of a %s body goes on there as it would have here',
  async (type) => {
    for (const later of [0, 6]) {
      const run = (move: (physics: Physics, head: number) => void) =>
        withGpuWorld((world) => swing(world, type, move, later), { iterations: 6, looks: 1 }, SETTINGS);
      const here = await run(() => {});
      const there = await run((physics, head) => teleport(physics, head, THERE, QUARTER));
      here.places.forEach((x, k) => {
        // Here the body drifts on by itself, there it does the same.
        const angle = there.angle - here.angle;
        expect(difference(there.places[k], turned(x, here.at, there.at, angle))).toBeLessThan(2e-5);
        const none = [0, 0, 0];
        expect(difference(there.velocities[k], turned(here.velocities[k], none, none, angle))).toBeLessThan(2e-3);
      });
      expect(difference(there.rope, here.rope)).toBe(0);
      expect(difference(there.at, THERE)).toBeLessThan(0.02);
    }
  },
);

gpuTest(
  'what is on its way back when a body is moved does not come over it; strands may come and go before',
  async () => {
    await withGpuWorld(
      async (world) => {
        const { physics, handle } = world;
        const extra = addRod(physics, { ...HAIR, points: [0, 1, 2].map((x) => [0.1 * x, 5, 0]) });
        const { head, hair } = addHead(physics, 'kinematic');
        await stepGpu(world, 3);
        rodPositions(physics, hair[0]);
        physics.step();
        physics.step();
        // Rows change places with the next step.
        removeRod(physics, extra);
        const before = hair.map((rod) => rodPositions(physics, rod));
        teleport(physics, head, THERE, QUARTER);
        for (const _ of [0, 1]) {
          hair.forEach((rod, k) => {
            expect(difference(rodPositions(physics, rod), turned(before[k], START, THERE))).toBeLessThan(1e-4);
          });
          await handle.settle();
        }
        physics.step();
        await handle.settle();
        hair.forEach((rod, k) => {
          expect(difference(rodPositions(physics, rod), turned(before[k], START, THERE))).toBeLessThan(1e-4);
        });
      },
      { readBack: 1 },
      SETTINGS,
    );
  },
);

longGpuTest('a groom goes along with its contacts: what rests on the head does not jump', async () => {
  await withGpuWorld(
    async (world) => {
      const { physics, handle } = world;
      const head = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.1 }, position: [0, 0, 0] });
      // A fringe over the head, pressed on it by its weight.
      const points = Array.from({ length: 30 }, (_, s) =>
        Array.from({ length: 10 }, (_, i) => {
          const angle = 1.5 - 0.12 * i;
          return [0.101 * Math.cos(angle), 0.101 * Math.sin(angle), 0.003 * (s - 15)];
        }),
      );
      const positions = Float64Array.from(points.flat(2));
      addGroom(physics, {
        strands: { counts: new Int32Array(30).fill(10), positions },
        ...{ radius: 5e-4, friction: 0.5, attachStart: head },
      });
      await stepGpu(world, 40, true);
      const before = Float64Array.from(physics.internal.engine.tables.nodes.position.subarray(0, 1200));
      const forces = handle.report.contacts;
      expect(forces).toBeGreaterThan(30);
      teleport(physics, head, [3, 0.5, 1]);
      await stepGpu(world, 3, true);
      const after = physics.internal.engine.tables.nodes.position;
      let most = 0;
      for (let n = 0; n < 300; n++) {
        for (const [k, way] of [3, 0.5, 1].entries())
          most = Math.max(most, Math.abs(after[4 * n + k] - before[4 * n + k] - way));
      }
      expect(most).toBeLessThan(5e-4);
    },
    { iterations: 8, looks: 1, readBack: 1 },
  );
});
