// Worlds of which some rods are on the device and some on wasm: who is where and why, what they see
// of each other, moves between them.

import { createWorld } from 'bitecs';
import { expect } from 'vitest';
import { findBrokenInvariants } from '../../src/debug/validate';
import {
  addGroom,
  addRigidBody,
  addRod,
  attach,
  createPhysics,
  detach,
  type Physics,
  rodPositions,
  rodTwists,
  rodVelocities,
  setClamp,
  setKinematicTarget,
  UsageError,
} from '../../src/index';
import * as L from '../../src/state/layout';
import { stepGpu, withGpuWorld } from './gpu-rods';
import { isLong } from './suite';
import { gpuTest, longGpuTest } from './test-device';

const ROPE = { radius: 0.01, youngModulus: 1e7, density: 1000, damping: 1e-3 };
const GROOMS = { auto: 'grooms', iterations: 12, sweeps: 2, looks: 2 } as const;

/** A straight strand of `count` points from `from`, along `along` [m]. */
function line(from: number[], along: number[], count: number): number[][] {
  return Array.from({ length: count }, (_, i) => from.map((x, k) => x + (along[k] * i) / (count - 1)));
}

/** Strands 40 cm long and 6 mm thick that lie free, side by side across z, at height y. */
function addLoose(physics: Physics, y: number): number {
  const strands = Array.from({ length: 4 }, (_, k) => line([-0.2, y, 0.05 * k - 0.075], [0.4, 0, 0], 9));
  return addGroom(physics, {
    strands: { counts: strands.map(() => 9), positions: strands.flat(2) },
    ...{ radius: 0.003, youngModulus: 1e7, density: 1000, damping: 0.01, clampStart: false, friction: 0.5 },
  });
}

/** A taut rope along z through the origin, held at both ends. */
function addTautRope(physics: Physics): number {
  return addRod(physics, { ...ROPE, points: line([0, 0, -0.4], [0, 0, 0.8], 17), clampStart: true, clampEnd: true });
}

const heights = (physics: Physics, eid: number): number[] =>
  Array.from(rodPositions(physics, eid)).filter((_, k) => k % 3 === 1);

longGpuTest(
  'of backend auto grooms go to the device and single rods stay, which the groom meets as obstacles',
  async () => {
    await withGpuWorld(async (world) => {
      const { physics, handle } = world;
      const rope = addTautRope(physics);
      const groom = addLoose(physics, 0.02);
      const steps = isLong ? 24 : 12;
      await stepGpu(world, steps, true);
      expect(handle.where(groom)).toEqual({ backend: 'webgpu', reason: null });
      expect(handle.where(rope)).toEqual({ backend: 'wasm', reason: "single rods of backend 'auto' stay there" });
      // What nothing holds falls 0.2 m in 12 steps, 0.8 m in 24; the middles lie on the rope.
      const found = heights(physics, groom);
      const middle = [4, 13, 22, 31].map((node) => found[node]);
      for (const y of middle) expect(y).toBeGreaterThan(-0.02);
      for (const y of middle) expect(y).toBeLessThan(0.03);
      expect(handle.report.contacts).toBeGreaterThan(0);
      expect(physics.report.strands.strands).toBe(5);
      // It lifts what lies on it: the device sees where it is and how it moves.
      const lift = (to: Physics, rod: number, k: number): void => {
        for (const [end, z] of [
          ['start', -0.4],
          ['end', 0.4],
        ] as const) {
          setClamp(to, rod, end, { position: [0, 0.02 * k, z] });
        }
      };
      for (let k = 1; k <= 6; k++) {
        lift(physics, rope, k);
        await stepGpu(world, 1, true);
      }
      const [height] = heights(physics, rope);
      expect(height).toBeCloseTo(0.12, 6);
      const lifted = heights(physics, groom);
      for (const node of [4, 13, 22, 31]) expect(lifted[node]).toBeGreaterThan(0.06);
      // The rope feels nothing of it.
      const alone = createPhysics(createWorld(), { sleeping: false, userTiming: false });
      const same = addTautRope(alone);
      for (let k = 0; k < steps; k++) alone.step();
      for (let k = 1; k <= 6; k++) {
        lift(alone, same, k);
        alone.step();
      }
      expect(heights(physics, rope)).toEqual(heights(alone, same));
      alone.dispose();
    }, GROOMS);
  },
);

gpuTest('a joint with a body that moves takes a groom to wasm, and it comes back with its state', async () => {
  await withGpuWorld(async (world) => {
    const { physics, handle } = world;
    const groom = addLoose(physics, 0);
    const ball = addRigidBody(physics, { shape: { sphere: 0.05 }, mass: 0.1, position: [-0.2, 0.06, -0.075] });
    const first = isLong ? 3 : 1;
    await stepGpu(world, first, true);
    const before = rodPositions(physics, groom);
    const joint = attach(physics, { rod: groom, node: 0, body: ball });
    const { strands } = physics.report;
    let moved = 0;
    for (let step = 0; step < 3; step++) {
      await stepGpu(world, 1, true);
      moved += strands.moved;
    }
    expect(moved).toBe(strands.strands);
    expect(handle.where(groom)).toEqual({
      backend: 'wasm',
      reason: `its joint (entity ${joint}) holds a body that moves freely`,
    });
    // The strand in the middle, on which nothing pulls, has fallen on as if nothing had happened, in three steps.
    const fallen = heights(physics, groom)[22] - before[3 * 22 + 1];
    expect(Math.abs(fallen + ((3 * first + 6) * 9.81) / 3600)).toBeLessThan(0.001);
    const there = rodPositions(physics, groom);
    detach(physics, joint);
    await stepGpu(world, 1, true);
    expect(handle.where(groom).backend).toBe('webgpu');
    expect(strands.moved).toBe(strands.strands);
    const here = rodPositions(physics, groom);
    const speed = (here[3 * 22 + 1] - there[3 * 22 + 1]) * 60;
    expect(speed).toBeLessThan(-0.5);
    expect(speed).toBeGreaterThan(-2);
  }, GROOMS);
});

gpuTest('a move between backends keeps positions, velocities and twists to the rounding of f32', async () => {
  await withGpuWorld(async (world) => {
    const { physics, handle } = world;
    const groom = addLoose(physics, 0.1);
    rodPositions(physics, groom);
    // In ten femtoseconds nothing else happens: a step is the move alone.
    const { engine } = physics.internal;
    const timeStep = 1e-14;
    Object.assign(engine, { settings: { ...engine.settings, timeStep } });
    engine.arena.f64[L.TIME_STEP >> 3] = timeStep;

    // Every node has a place, a speed, a twist and a turn of its own. The first step, on wasm, makes the frames.
    const { nodes } = engine.tables;
    const count = 4 * 9;
    for (let i = 0; i < 4 * count; i++) {
      nodes.position[i] += 0.01 * Math.sin(1.3 * i);
      nodes.velocity[i] = 2 * Math.sin(0.7 * i + 1);
    }
    const spring = { frequency: 1 };
    let joint = attach(physics, { rod: groom, node: 0, spring });
    await stepGpu(world, 1, true);
    expect(handle.where(groom).backend).toBe('wasm');

    const read = () => ({
      positions: rodPositions(physics, groom),
      velocities: rodVelocities(physics, groom),
      twists: rodTwists(physics, groom),
      // Speeds of the twist, of every edge: the last node of a strand has none.
      turns: nodes.velocity.slice(0, 4 * count).filter((_, i) => i % 4 === 3 && i % 36 !== 35),
    });
    const before = read();
    for (const values of Object.values(before)) expect(new Set(values).size).toBeGreaterThan(20);
    // Half a unit in the last place of the largest; a twist is made of two angles and the frame's, turned anew in f32.
    const roundings = { positions: 1, velocities: 1, turns: 1, twists: 4 };
    const compare = () => {
      const after = read();
      for (const name of ['positions', 'velocities', 'turns', 'twists'] as const) {
        const largest = before[name].reduce((most, x) => Math.max(most, Math.abs(x)), 0);
        const off = before[name].reduce((most, x, k) => Math.max(most, Math.abs(x - after[name][k])), 0);
        expect(after[name]).toHaveLength(before[name].length);
        expect(off, name).toBeLessThanOrEqual(roundings[name] * largest * 2 ** -24);
      }
    };

    detach(physics, joint);
    await stepGpu(world, 1, true);
    expect(handle.where(groom).backend).toBe('webgpu');
    compare();
    joint = attach(physics, { rod: groom, node: 0, spring });
    for (let k = 0; k < 3; k++) await stepGpu(world, 1, true);
    expect(handle.where(groom)).toEqual({ backend: 'wasm', reason: `its joint (entity ${joint}) is a spring` });
    compare();
  }, GROOMS);
});

gpuTest('a node joined to a driven body follows it on the device as on wasm', async () => {
  const build = (physics: Physics) => {
    const hand = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.02 }, position: [0, 0, 0] });
    const rod = addRod(physics, { ...ROPE, points: line([0, -0.05, 0], [0, -0.6, 0], 13), backend: 'webgpu' });
    attach(physics, { rod, node: 'start', body: hand });
    attach(physics, { rod, node: 'end', point: [0, -0.65, 0] });
    return { hand, rod };
  };
  const drive = (physics: Physics, hand: number, k: number) =>
    setKinematicTarget(physics, hand, [0.05 * Math.sin(0.2 * k), 0, 0.02 * Math.sin(0.1 * k)]);
  const known = createPhysics(createWorld(), { sleeping: false, userTiming: false });
  const there = build(known);
  await withGpuWorld(async (world) => {
    const { physics, handle } = world;
    const here = build(physics);
    for (let k = 0; k < (isLong ? 12 : 3); k++) {
      drive(known, there.hand, k);
      drive(physics, here.hand, k);
      known.step();
      await stepGpu(world, 1, true);
    }
    expect(handle.where(here.rod).backend).toBe('webgpu');
    const found = rodPositions(physics, here.rod);
    const wanted = rodPositions(known, there.rod);
    for (let k = 0; k < found.length; k++) expect(Math.abs(found[k] - wanted[k])).toBeLessThan(5e-4);
  }, GROOMS);
  known.dispose();
});

longGpuTest('a snapshot of a shared world goes on without a device', async () => {
  await withGpuWorld(async (world) => {
    const { physics } = world;
    const groom = addLoose(physics, 0);
    await stepGpu(world, 5, true);
    const snapshot = physics.snapshot();
    const at = rodPositions(physics, groom);
    world.handle.dispose();
    physics.restore(snapshot);
    expect(Array.from(rodPositions(physics, groom))).toEqual(Array.from(at));
    physics.step();
    expect(heights(physics, groom)[0]).toBeLessThan(at[1]);
    const { arena, tables } = physics.internal.engine;
    expect(findBrokenInvariants(arena, tables)).toEqual([]);
  }, GROOMS);
});

gpuTest('settings of strands on wasm that the device does not follow are told', async () => {
  const told: string[] = [];
  const elastic = { newContactsEvery: 3, resting: false };
  await withGpuWorld(
    () =>
      expect(told).toEqual([
        'stiction: without effect on the device: elastic.newContactsEvery, elastic.resting; enableGpuStrands has ' +
          'iterations, sweeps, looks and budget of its own',
      ]),
    {},
    { elastic, warn: (line) => told.push(line) },
  );
});

gpuTest('what the device cannot do is refused with the reason', async () => {
  await withGpuWorld(async ({ physics }) => {
    const points = line([0, 0, 0], [1, 0, 0], 8);
    const ball = addRigidBody(physics, { shape: { sphere: 0.1 }, mass: 1, position: [2, 0, 0] });
    expect(() => addRod(physics, { ...ROPE, points, backend: 'gpu' as never })).toThrow(
      /^addRod: backend must be 'auto', 'wasm' or 'webgpu', got "gpu"/,
    );
    expect(() => addRod(physics, { ...ROPE, points, clampStart: true, attachEnd: ball, backend: 'webgpu' })).toThrow(
      /^addRod: backend must be 'auto' or 'wasm' for a rod that holds entity \d+, which moves freely/,
    );
    const rod = addRod(physics, { ...ROPE, points, backend: 'webgpu' });
    expect(() => attach(physics, { rod, node: 0, body: ball })).toThrow(/^attach: body must be static or kinematic/);
    expect(() => attach(physics, { rod, node: 0, length: 0.5 })).toThrow(/^attach: length must be 0/);
    expect(() => attach(physics, { rod, node: 0 })).not.toThrow(UsageError);
  }, GROOMS);
});
