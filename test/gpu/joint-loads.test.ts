// Bodies on joints that bear or push others which move freely, on the device beside wasm; how a body with a load answers to an impulse.

import { createWorld } from 'bitecs';
import { expect, test, vi } from 'vitest';
import { createBodyResponses } from '../../src/gpu/solve/body-responses';
import { addRigidBody, createPhysics } from '../../src/index';
import { addBody, addStrands, line, type RodWorld, tie } from '../validation/strand-worlds';
import { addHangingCrate, forceOf, reasonOf, withTwins } from './joint-worlds';
import { longGpuTest } from './test-device';

const BAR = { young: 1e8, damping: 0.01, selfContact: false };
const SLACK = { young: 1e6, damping: 0.1 };
const CORNERS = [
  [-1, -1],
  [-1, 1],
  [1, -1],
  [1, 1],
];

/** A plank of 1 kg (body 0) on four ropes of 1 m, tied to the world by knots 0, 2, …; a crate of `load` kg falls on it, or slides on it. */
function addLadenPlank(world: RodWorld, load: number, height: number, velocity = [0, 0, 0]): void {
  const shape = { box: [0.2, 0.02, 0.2] as [number, number, number] };
  const plank = addBody(world, { type: 'dynamic', shape, mass: 1, position: [0, -1.02, 0], friction: 0.6 });
  CORNERS.forEach(([x, z], k) => {
    addStrands(world, { ...BAR, points: line([0.19 * x, 0, 0.19 * z], [0.19 * x, -1, 0.19 * z], 6) });
    tie(world, k, 0, -1, [0.19 * x, 0, 0.19 * z]);
    tie(world, k, 5, plank.slot, [0.19 * x, 0.02, 0.19 * z]);
  });
  const crate = { box: [0.08, 0.08, 0.08] as [number, number, number] };
  const position = [0.03, -0.92 + height, 0];
  addBody(world, { type: 'dynamic', shape: crate, mass: load, position, velocity, friction: 0.6 } as never);
}

/** Largest distance between bodies of two worlds [m]. */
function bodiesApart(a: RodWorld, b: RodWorld, count: number): number {
  let most = 0;
  for (let k = 0; k < 4 * count; k++) {
    most = Math.max(most, Math.abs(a.tables.bodies.position[k] - b.tables.bodies.position[k]));
  }
  return most;
}

test('a plank with a crate on it answers to an impulse as the solver makes it', () => {
  const run = (impulse: number[], moment: number[]) => {
    const physics = createPhysics(createWorld(), { gravity: [0, 0, 0], sleeping: false, timeStep: 1e-3 });
    const { Velocity, RigidBody } = physics.components;
    const plank = addRigidBody(physics, { shape: { box: [0.4, 0.05, 0.2] }, mass: 2, position: [0, -0.05, 0] });
    const crate = addRigidBody(physics, { shape: { box: [0.1, 0.1, 0.1] }, mass: 6, position: [0.15, 0.1, 0.03] });
    physics.step();
    // Pressed together, so that what is added opens no contact and lets none slide.
    RigidBody.force.y[plank] = 400;
    RigidBody.force.y[crate] = -400;
    const { tables } = physics.internal.engine;
    const slot = physics.internal.slotOf[plank];
    const balance = [-12, 0, 60];
    for (const [k, axis] of (['x', 'y', 'z'] as const).entries()) {
      RigidBody.force[axis][plank] += 1000 * impulse[k];
      RigidBody.torque[axis][plank] += 1000 * moment[k] + balance[k];
    }
    physics.step();
    const responses = createBodyResponses();
    responses.find(tables, new Set([slot]));
    const motion = (['x', 'y', 'z'] as const).flatMap((axis) => Velocity.linear[axis][plank]);
    motion.push(...(['x', 'y', 'z'] as const).map((axis) => Velocity.angular[axis][plank]));
    const packed = new Float32Array(36);
    if (responses.bodies.length > 0) responses.pack(packed, 0, 0);
    const count = responses.bodies.length;
    physics.dispose();
    return { motion, packed, count };
  };
  const still = run([0, 0, 0], [0, 0, 0]);
  expect(still.count).toBe(1);
  for (const [impulse, moment] of [
    [
      [0.01, 0.02, -0.01],
      [0, 0, 0],
    ],
    [
      [0, 0, 0],
      [0.001, -0.002, 0.003],
    ],
  ]) {
    const { motion } = run(impulse, moment);
    const fastest = Math.max(...motion.map((x, k) => Math.abs(x - still.motion[k])));
    for (let k = 0; k < 3; k++) {
      let [v, w] = [0, 0];
      for (let c = 0; c < 3; c++) {
        v += still.packed[4 * c + k] * impulse[c] + still.packed[12 + 4 * c + k] * moment[c];
        w += still.packed[12 + 4 * k + c] * impulse[c] + still.packed[24 + 4 * c + k] * moment[c];
      }
      expect(Math.abs(motion[k] - still.motion[k] - v)).toBeLessThan(0.02 * fastest);
      expect(Math.abs(motion[3 + k] - still.motion[3 + k] - w)).toBeLessThan(0.02 * fastest);
    }
  }
});

longGpuTest('a crate of five times its mass falls onto a plank on ropes, and lies there as on wasm', async () => {
  await withTwins(
    (world) => addLadenPlank(world, 5, 0.02),
    async ({ gpu, wasm, step }) => {
      await step(30);
      expect(bodiesApart(gpu, wasm, 2)).toBeLessThan(1e-3);
      const weight = [1, 3, 5, 7].reduce((sum, knot) => sum + forceOf(gpu, knot)[1], 0);
      expect(weight / (-9.81 * 6)).toBeCloseTo(1, 2);
    },
  );
});

longGpuTest('a crate that slides on a plank on ropes takes it along, and the run repeats bit for bit', async () => {
  const run = async () => {
    let hash = '';
    await withTwins(
      (world) => addLadenPlank(world, 3, 0, [0.7, 0, 0.3]),
      async ({ gpu, wasm, step }) => {
        await step(20);
        const apart = bodiesApart(gpu, wasm, 2);
        expect(wasm.tables.bodies.position[0]).toBeGreaterThan(0.05);
        expect(apart).toBeLessThan(0.05);
        hash = gpu.physics.hash();
      },
    );
    return hash;
  };
  expect(await run()).toBe(await run());
});

longGpuTest('a rope that draws a body against another keeps their momentum', async () => {
  const masses = [1, 4];
  await withTwins(
    (world) => {
      masses.forEach((mass, k) => {
        addBody(world, { type: 'dynamic', shape: { box: [0.1, 0.1, 0.1] }, mass, position: [0.2 * k, 0, 0] });
      });
      addStrands(world, {
        ...BAR,
        ...SLACK,
        radius: 0.03,
        points: line([0, 0.3, 0], [0.6, 0.3, 0], 7),
        velocity: [1, 0.2, 0],
      });
      tie(world, 0, 0, 0, [0, 0.3, 0]);
    },
    async ({ gpu, step }) => {
      await step(27);
      const late = [0, 0, 0];
      for (let k = 0; k < 3; k++) {
        await step(1);
        // What is on its way, and what is foreseen of it.
        forceOf(gpu, 0).forEach((force, axis) => {
          late[axis] += Math.abs(force) / 60;
        });
      }
      const { bodies, nodes } = gpu.tables;
      const ropeMass = 0.6 * Math.PI * 0.9;
      for (const [k, speed] of [1, 0.2, 0].entries()) {
        let now = 0;
        masses.forEach((mass, b) => {
          now += mass * bodies.linearVelocity[4 * b + k];
        });
        for (let i = 0; i < 7; i++) now += nodes.mass[2 * i] * nodes.velocity[4 * i + k];
        expect(Math.abs(now - speed * ropeMass)).toBeLessThan(2e-3 + late[k]);
        expect(late[k]).toBeLessThan(0.15);
      }
      expect(bodies.linearVelocity[4]).toBeGreaterThan(0.1);
    },
    { gravity: [0, 0, 0] },
  );
});

longGpuTest('two crates on ropes, one ten times the other’s mass, knock against each other as on wasm', async () => {
  await withTwins(
    (world) => {
      [1, 10].forEach((mass, k) => {
        const x = k === 0 ? -0.101 : 0.101;
        const shape = { box: [0.1, 0.1, 0.1] as [number, number, number] };
        addBody(world, { type: 'dynamic', shape, mass, position: [x, -1.1, 0] });
        addStrands(world, { ...BAR, points: line([x, 0, 0], [x, -1, 0], 6) });
        tie(world, k, 0, -1, [x, 0, 0]);
        tie(world, k, 5, k, [0, 0.1, 0]);
      });
      world.tables.bodies.linearVelocity[0] = 0.5;
    },
    async ({ gpu, wasm, step }) => {
      await step(25);
      expect(wasm.tables.bodies.linearVelocity[4]).toBeGreaterThan(0.01);
      expect(bodiesApart(gpu, wasm, 2)).toBeLessThan(0.02);
    },
  );
});

longGpuTest('loads too heavy for a body on joints are wasm’s', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const crateOn = (mass: number, isGrounded: boolean) =>
    reasonOf((world) => {
      addHangingCrate(world, 1);
      addBody(world, { type: 'dynamic', shape: { box: [0.05, 0.05, 0.05] }, mass, position: [0.08, -0.951, 0] });
      if (isGrounded) addBody(world, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, -1.4, 0] });
    });
  expect(await crateOn(4.9, false)).toBe(null);
  const reason = /^a body on joints \(entity \d+\) that touches others that move freely and are heavy is solved there$/;
  expect(await crateOn(5.1, false)).toMatch(reason);
  expect(await crateOn(0.4, true)).toBe(null);
  expect(await crateOn(0.6, true)).toMatch(reason);
  warn.mockRestore();
});
