// Edges that a step would bring through each other, kept apart on the device (twin: dynamics/elastic/keep-apart.ts).

import { expect } from 'vitest';
import { createBall } from '../../src/bench/gpu-worlds';
import { countCrossings, createCrossingDetection } from '../../src/bench/rods-crossings';
import { createGpuContacts } from '../../src/gpu/find/contacts';
import { createGpuStrands } from '../../src/gpu/rod/strands';
import { createGpuApart } from '../../src/gpu/solve/apart';
import { COUNTER_BYTES, COUNTERS } from '../../src/gpu/tables/contact-buffers';
import { enableGpuStrands } from '../../src/index';
import { createStrandScene } from '../kernels/strand-scene';
import { createTurningPair, RADIUS } from '../kernels/turning-pairs';
import { download, gpuTest, longGpuTest, withDevice } from './test-device';

const DT = 1 / 60;
const PAIRS = 200;
/** Of a node of a hair [kg]. */
const MASS = 7e-8;

gpuTest('pairs of hairs that would cross do not, keep their momentum, and are treated alike in every run', async () => {
  const scene = createStrandScene();
  const { arena, tables } = scene;
  const pairs = Array.from({ length: PAIRS }, (_, k) =>
    createTurningPair(k + 1, 2e-3, [0.1 * (k % 20), 0, 0.1 * Math.floor(k / 20)]),
  );
  scene.addRod(
    pairs.flatMap(({ hairs }) => hairs),
    { radius: RADIUS },
  );
  const nodes = 4 * PAIRS;
  for (let node = 0; node < nodes; node++) tables.nodes.mass.set([MASS, 0], 2 * node);
  const wish = new Float32Array(4 * nodes);
  for (const [i, way] of pairs.flatMap((pair) => pair.wish).entries()) {
    wish.set(
      way.map((x) => x / DT),
      4 * i,
    );
  }
  const from = tables.nodes.position.slice(0, 4 * nodes);
  const crossing = (velocity: Float32Array) => {
    const to = from.map((x, i) => x + ((i & 3) < 3 ? DT * velocity[i] : 0));
    return pairs.filter((_, k) => countCrossings(from, to, 4 * k, 4 * k + 2) > 0).length;
  };
  await withDevice(async (context) => {
    const strands = await createGpuStrands(context);
    const contacts = await createGpuContacts(context, strands);
    const apart = await createGpuApart(context, strands, contacts);
    const run = async (): Promise<Float32Array> => {
      strands.upload(arena, tables);
      contacts.upload(arena, tables);
      contacts.begin(arena, tables, { timeStep: DT });
      const { predicted } = strands.buffers.columns;
      context.device.queue.writeBuffer(predicted.buffer, 0, wish);
      const encoder = context.device.createCommandEncoder();
      encoder.clearBuffer(contacts.buffers.counters.buffer);
      apart.encodeOpen(encoder);
      const pass = encoder.beginComputePass();
      apart.encode(pass);
      pass.end();
      context.device.queue.submit([encoder.finish()]);
      return new Float32Array(await download(context, predicted.buffer, 16 * nodes));
    };
    const found = await run();
    const counters = new Uint32Array(await download(context, contacts.buffers.counters.buffer, COUNTER_BYTES));
    expect(crossing(wish)).toBeGreaterThan(PAIRS / 10);
    expect(counters[COUNTERS.pushes]).toBeGreaterThanOrEqual(crossing(wish));
    if (process.env.SHOW_ERRORS) console.log(crossing(wish), counters[COUNTERS.pushes], crossing(found));
    expect(crossing(found)).toBe(0);
    let untouched = 0;
    for (let k = 0; k < PAIRS; k++) {
      let change = 0;
      for (let axis = 0; axis < 3; axis++) {
        let sum = 0;
        for (let i = 16 * k + axis; i < 16 * k + 16; i += 4) {
          sum += found[i] - wish[i];
          change += Math.abs(found[i] - wish[i]);
        }
        // Whole grains of 1e-6 m/s, and f32.
        expect(Math.abs(sum)).toBeLessThan(1e-4);
      }
      if (change === 0) untouched++;
    }
    expect(untouched).toBeGreaterThan(PAIRS / 4);
    expect(await run()).toEqual(found);
    strands.dispose();
  });
});

longGpuTest('a shaken ball of real hair, few iterations a step', async () => {
  const shake = (keepApart: boolean) =>
    withDevice(async ({ device }) => {
      const { physics, advance } = createBall({ strands: 48, vertices: 12, contact: true }, { keepApart });
      const handle = await enableGpuStrands(physics, {
        device,
        readBack: 0,
        auto: 'all',
        iterations: 3,
        sweeps: 3,
        looks: 1,
      });
      physics.hash(); // makes the rows
      const find = createCrossingDetection();
      const { nodes } = physics.internal.engine.tables;
      const count = physics.strands.nodeCount;
      let crossings = 0;
      let apart = 0;
      for (let k = 0; k < 16; k++) {
        const from = nodes.position.slice(0, 4 * count);
        advance();
        await handle.settle();
        crossings += find(from, nodes.position.slice(0, 4 * count), nodes.strand, count).count;
        apart += handle.report.apart;
      }
      expect(handle.state).toBe('webgpu');
      expect(handle.report.quarantined).toBe(0);
      physics.dispose();
      return { crossings, apart };
    });
  const loose = await shake(false);
  expect(loose.crossings).toBeGreaterThan(10);
  expect(loose.apart).toBe(0);
  const kept = await shake(true);
  if (process.env.SHOW_ERRORS) console.log(loose, kept);
  expect(kept.crossings).toBeLessThanOrEqual(loose.crossings / 5);
  expect(kept.apart).toBeGreaterThan(0);
});
