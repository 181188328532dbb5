// Strands do not go through each other however few iterations a step has (elastic.keepApart).

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { createBall } from '../../../src/bench/gpu-worlds';
import { createCrossingDetection } from '../../../src/bench/rods-crossings';
import { createApart, keepApart } from '../../../src/dynamics/elastic/keep-apart';
import { strandKernelsOf } from '../../../src/dynamics/elastic/strand-kernels';
import type { ElasticSettings } from '../../../src/state/elastic-settings';
import { createPhysics } from '../../../systems/create-physics';
import { addRod } from '../../../systems/rods';
import { bySuite, longTest } from '../../setup/suite';

/** Crossings in a shaken ball of real hair, and strands that were held back. */
function shake(strands: number, steps: number, elastic: ElasticSettings) {
  const { physics, advance } = createBall({ strands, vertices: 16, contact: true }, elastic);
  physics.hash(); // makes the rows
  const find = createCrossingDetection();
  const { nodes } = physics.internal.engine.tables;
  const count = physics.strands.nodeCount;
  let crossings = 0;
  let held = 0;
  for (let k = 0; k < steps; k++) {
    const from = nodes.position.slice(0, 4 * count);
    advance();
    crossings += find(from, nodes.position.slice(0, 4 * count), nodes.strand, count).count;
    held += physics.report.strands.keptApart;
  }
  const { quarantined } = physics.report.strands;
  physics.dispose();
  return { crossings, held, quarantined };
}

for (const [backend, balls, iterations] of [
  ['wasm', [60], 2],
  ...bySuite([], [['wasm', [120], 8] as const]),
  ['reference', [36, 38, 40, 42, 44], 4],
] as const) {
  (backend === 'wasm' ? test : longTest)(`${backend}: hair of 0.037 mm, ${iterations} iterations a step`, () => {
    let [loose, kept] = [0, 0];
    for (const strands of balls) {
      const free = shake(strands, 40, { backend, iterations, keepApart: false });
      expect(free.held).toBe(0);
      loose += free.crossings;
      const held = shake(strands, 40, { backend, iterations });
      expect(held.held).toBeGreaterThan(0);
      expect(held.quarantined).toBe(0);
      kept += held.crossings;
    }
    expect(loose).toBeGreaterThan(10);
    // Of 61, 38 and 94 loose ones: none, none, four (three of them in one ball).
    expect(kept).toBeLessThanOrEqual(Math.floor(loose / 20));
  });
}

test('what holds loose strands back leaves their momentum as it is; held nodes go where they are held', () => {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  const NODES = 20;
  for (let k = 0; k < 4; k++) {
    const points = Array.from({ length: NODES }, (_, i) => {
      const x = 0.01 * (i - 9.5);
      return k % 2 === 0 ? [x, 0.0006 * k, 0.003 * k] : [0.003 * k, 0.0006 * k, x];
    });
    addRod(physics, { points, radius: 4e-5, youngModulus: 1e9, density: 1300, clampStart: k === 3 });
  }
  physics.hash(); // makes the rows
  const { engine } = physics.internal;
  const { position, predicted, mass, strand } = engine.tables.nodes;
  const count = 4 * NODES;
  for (let i = 0; i < count; i++) predicted.set([0.3, strand[i] < 2 ? 1 : -1, (i % NODES) / NODES, 0], 4 * i);
  const momentum = (k: number) => {
    let sum = 0;
    for (let i = 0; i < 3 * NODES; i++) sum += mass[2 * i] * predicted[4 * i + k];
    return sum;
  };
  const crossings = () => {
    const after = position
      .slice(0, 4 * count)
      .map((x, i) => ((i & 3) < 3 ? x + physics.settings.timeStep * predicted[i] : x));
    return createCrossingDetection()(position.slice(0, 4 * count), after, strand, count).count;
  };
  const hold = () => {
    const detection = { arena: engine.arena, tables: engine.tables, kernels: strandKernelsOf(engine) };
    return keepApart(engine, createApart(), new Int32Array(count).fill(-1), detection);
  };
  expect(crossings()).toBe(2);
  // At first the clamped one is out of the way.
  const clamped = predicted.slice(12 * NODES, 16 * NODES);
  for (let i = 12 * NODES; i < 16 * NODES; i += 4) predicted[i + 1] = 1;
  const before = [0, 1, 2].map(momentum);
  expect(crossings()).toBe(1);
  expect(hold()).toBeGreaterThan(1);
  expect(crossings()).toBe(0);
  [0, 1, 2].forEach((k) => {
    expect(Math.abs(momentum(k) - before[k])).toBeLessThan(1e-12 * mass[0] * count);
  });
  predicted.set(clamped, 12 * NODES);
  expect(hold()).toBeGreaterThan(1);
  expect(crossings()).toBe(0);
  expect([...predicted.subarray(12 * NODES, 12 * NODES + 8)]).toEqual([...clamped.subarray(0, 8)]);
  physics.dispose();
});

test.each([0, 0.3, 10])('what holds two strands apart brakes their slip by their friction, %f', (friction) => {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  const NODES = 20;
  for (let k = 0; k < 2; k++) {
    const points = Array.from({ length: NODES }, (_, i) => {
      const x = 0.01 * (i - 9.5);
      return k === 0 ? [x, 0, 0] : [0, 0.0006, x];
    });
    addRod(physics, { points, radius: 4e-5, youngModulus: 1e9, density: 1300, friction });
  }
  physics.hash(); // makes the rows
  const { engine } = physics.internal;
  const { predicted, mass } = engine.tables.nodes;
  // The upper one falls through the lower one and slips along it.
  for (let i = 0; i < 2 * NODES; i++) predicted.set([i < NODES ? 0 : 0.5, i < NODES ? 0 : -1, 0, 0], 4 * i);
  const momentum = (first: number, k: number) => {
    let sum = 0;
    for (let i = first; i < first + NODES; i++) sum += mass[2 * i] * predicted[4 * i + k];
    return sum;
  };
  const before = [momentum(NODES, 0), momentum(NODES, 1)];
  const detection = { arena: engine.arena, tables: engine.tables, kernels: strandKernelsOf(engine) };
  expect(keepApart(engine, createApart(), new Int32Array(2 * NODES).fill(-1), detection)).toBe(2);
  const push = momentum(NODES, 1) - before[1];
  const brake = before[0] - momentum(NODES, 0);
  expect(push).toBeGreaterThan(0);
  expect(momentum(0, 0)).toBeCloseTo(brake, 12);
  if (friction < 1) expect(Math.abs(brake / push - friction)).toBeLessThan(0.01);
  // The slip ends where they touch, and nothing turns it round.
  else expect(brake / push).toBeGreaterThan(0.05);
  physics.dispose();
});
