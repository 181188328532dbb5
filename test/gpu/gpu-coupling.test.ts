// Two-way coupling against its twin: a body that feels every impulse at once. Whatever is late, the device must see
// that body, and in the end the CPU must have it.

import { createWorld } from 'bitecs';
import { expect } from 'vitest';
import { createRandom } from '../../src/core/random';
import { createBufferPool } from '../../src/gpu/device/buffers';
import { createGpuCoupling } from '../../src/gpu/solve/coupling';
import { createContactBuffers, writeMovers } from '../../src/gpu/tables/contact-buffers';
import { addRigidBody, createPhysics } from '../../src/index';
import * as L from '../../src/state/layout';
import { download, gpuTest, withDevice } from './test-device';

const DT = 1 / 60;
const RING = 16;
const MASS = 0.5;
const RADIUS = 0.1;
/** Of a solid ball [kg·m²]. */
const INERTIA = 0.4 * MASS * RADIUS * RADIUS;

/** Impulse and moment of each step: none, a blow, a load that lasts, noise, none. */
function impulses(seed: number): number[][] {
  const random = createRandom(seed);
  return Array.from({ length: 40 }, (_, k) =>
    Array.from({ length: 6 }, (_, i) => {
      const scale = i < 3 ? 1 : 0.01;
      if (k === 4) return scale * (random() - 0.5);
      if (k > 8 && k < 20) return scale * (i === 1 ? 0.08 : 0.01) * (1 + 0.1 * random());
      return k >= 20 && k < 28 ? 0.05 * scale * (random() - 0.5) : 0;
    }),
  );
}

gpuTest.each([
  ['comes down in time', () => 1, 0],
  ['is late now and then', (step: number) => (step % 5 === 0 ? 4 : 2), 2],
  ['is left out for ten steps', (step: number) => (step > 10 && step < 20 ? 0 : 1), 1],
])('the device sees bodies as if they felt strands at once, when what they felt %s', async (_name, delay, least) => {
  await withDevice(async (context) => {
    const physics = createPhysics(createWorld(), { gravity: [0, 0, 0], sleeping: false });
    addRigidBody(physics, { type: 'static', shape: { box: [1, 1, 1] }, position: [0, -9, 0] });
    const ball = addRigidBody(physics, { shape: { sphere: RADIUS }, mass: MASS, position: [0.3, 0.2, -0.1] });
    physics.hash();
    const { arena, tables } = physics.internal.engine;
    const { bodies } = tables;
    const slot = physics.internal.slotOf[ball];
    const four = 4 * slot;
    arena.f64[L.TIME_STEP >> 3] = DT;
    const pool = createBufferPool(context);
    const contacts = createContactBuffers(context.device, pool);
    const coupling = await createGpuCoupling(context, contacts);
    const felt = pool.create('impulses', 64, 0x8c);
    const poses = pool.create('poses', 32 * bodies.capacity, 0x8c);
    // A clamp whose held nodes are in the centre of mass, where they turn nothing.
    const [starts, reactions, points] = ['starts', 'reactions', 'points'].map((name) => pool.create(name, 256, 0x8c));
    const carried = pool.create('carried', 32 * bodies.capacity, 0x8c);
    context.device.queue.writeBuffer(starts.buffer, 8 * slot, Uint32Array.of(0, 1));
    const clamp = { starts, reactions, points, carried };
    const colliders = pool.create('colliders', 256, 0x8c);
    const known = impulses(3);
    // The twin: position, velocity, spin of the body that feels all at once.
    const twin = { x: Array.from(bodies.position.subarray(four, four + 3)), v: [0, 0, 0], w: [0, 0, 0] };
    bodies.linearVelocity.set([0.1, 0, 0.2], four);
    twin.v = [0.1, 0, 0.2];
    const arrivals = new Map<number, { words: Float32Array; step: number }[]>();

    for (let step = 1; step <= known.length; step++) {
      for (const { words, step: of } of arrivals.get(step) ?? []) coupling.receive(words, of);
      // Free motion, as predict-motion leaves it.
      for (let k = 0; k < 3; k++) {
        bodies.previousPosition[four + k] = bodies.position[four + k];
        bodies.motion[2 * four + k] = bodies.linearVelocity[four + k];
        bodies.motion[2 * four + 4 + k] = bodies.angularVelocity[four + k];
      }
      for (let k = 0; k < 3; k++) bodies.inverseInertia[8 * slot + k] = 1 / INERTIA;
      coupling.apply(arena, tables, step, () => {});
      writeMovers(contacts, arena, tables, new Float64Array(3));
      for (let k = 0; k < 3; k++) bodies.position[four + k] += DT * bodies.motion[2 * four + k];
      coupling.begin(arena, tables, contacts, 0, step);
      const pose = Float32Array.of(...bodies.position.subarray(four, four + 4), 0, 0, 0, 1);
      context.device.queue.writeBuffer(poses.buffer, 32 * slot, pose);
      const encoder = context.device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      coupling.encodeLate(pass, contacts, colliders, poses);
      pass.end();
      context.device.queue.submit([encoder.finish()]);

      const row = contacts.moverOf[slot];
      const mover = new Float32Array(
        await download(context, contacts.movers.buffer, 96 * contacts.moverCount),
        96 * row,
        24,
      );
      const end = new Float32Array(await download(context, poses.buffer, 32 * (slot + 1)), 32 * slot, 3);
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(end[k] - twin.x[k] - DT * twin.v[k])).toBeLessThan(2e-6);
        expect(Math.abs(mover[k] - twin.x[k])).toBeLessThan(2e-6);
        expect(Math.abs(mover[8 + k] - twin.v[k])).toBeLessThan(2e-5);
        expect(Math.abs(mover[12 + k] - twin.w[k])).toBeLessThan(2e-4);
      }

      const J = known[step - 1];
      const all = new Float32Array(8 * contacts.moverCount);
      // A quarter through contacts, an eighth through a groom, the rest through the two nodes of the clamp.
      const part = (share: number) => [...J.slice(0, 3).map((x) => share * x), 0];
      all.set([...part(0.25), ...J.slice(3), 0], 8 * row);
      context.device.queue.writeBuffer(felt.buffer, 0, all);
      context.device.queue.writeBuffer(reactions.buffer, 0, Float32Array.of(...part(0.5), ...part(0.125)));
      context.device.queue.writeBuffer(carried.buffer, 32 * slot, Float32Array.from(part(0.125)));
      const note = context.device.createCommandEncoder();
      coupling.encodeNote(note, contacts, { impulses: felt, ...clamp });
      context.device.queue.submit([note.finish()]);
      for (let k = 0; k < 3; k++) {
        twin.v[k] += J[k] / MASS;
        twin.w[k] += J[3 + k] / INERTIA;
        twin.x[k] += DT * twin.v[k];
      }
      const [{ buffer, size }] = coupling.parts;
      expect(size).toBe(RING * 32 * bodies.capacity);
      const wait = delay(step);
      const when = step + wait;
      if (wait > 0) {
        const words = new Float32Array(await download(context, buffer, size));
        arrivals.set(when, [...(arrivals.get(when) ?? []), { words, step }]);
      }
    }
    for (let k = 0; k < 3; k++) {
      expect(bodies.linearVelocity[four + k]).toBeCloseTo(twin.v[k], 5);
      expect(bodies.angularVelocity[four + k]).toBeCloseTo(twin.w[k], 4);
      expect(bodies.position[four + k]).toBeCloseTo(twin.x[k], 5);
    }
    expect(coupling.late).toBeGreaterThanOrEqual(least);
    if (least === 0) expect(coupling.late).toBe(0);
    pool.dispose();
    physics.dispose();
  });
});
