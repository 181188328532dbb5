// Free fall of clamped hair: one linearisation a step must fall like the converged equations of the same step do.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addRod, createPhysics, rodPositions } from '../../../src/index';

type Shape = 'straight' | 'bent' | 'curly';
const NODES = 21;
const LENGTH = 0.1;

function points(shape: Shape): number[][] {
  return Array.from({ length: NODES }, (_, i) => {
    const s = (LENGTH * i) / (NODES - 1);
    if (shape === 'straight') return [s, 0, 0];
    const angle = 15 * s;
    if (shape === 'bent') return [Math.sin(angle) / 15, (1 - Math.cos(angle)) / 15, 0];
    return [0.8 * s, 0.006 * Math.sin(300 * s), 0.006 * Math.cos(300 * s)];
  });
}

/** Mean height lost by hair after `time` [s]. */
function fall(shape: Shape, backend: 'reference' | 'wasm', newtonIterations: number, timeStep: number, time: number) {
  const physics = createPhysics(createWorld(), { timeStep, elastic: { backend, newtonIterations } });
  const start = points(shape);
  const hair = addRod(physics, { points: start, clampStart: true, selfContact: false });
  for (let i = 0; i < Math.round(time / timeStep); i++) physics.step();
  const end = rodPositions(physics, hair);
  physics.dispose();
  return start.reduce((sum, [, y], i) => sum + (y - end[3 * i + 1]) / NODES, 0);
}

for (const shape of ['straight', 'bent', 'curly'] as const) {
  // The exact stiffness across an edge that was stretched by its own turn held hair back to an eighth of its fall.
  test(`${shape} hair falls with one linearisation as it does with eight`, () => {
    for (const time of [0.1, 0.2]) {
      const converged = fall(shape, 'reference', 8, 1 / 60, time);
      for (const backend of ['reference', 'wasm'] as const) {
        expect(fall(shape, backend, 1, 1 / 60, time) / converged).toBeCloseTo(1, 1);
        expect(Math.abs(fall(shape, backend, 2, 1 / 60, time) / converged - 1)).toBeLessThan(0.01);
      }
    }
  });
}

test('at 60 steps a second the first tenth of a second is that of 960 steps a second', () => {
  const fine = fall('straight', 'wasm', 4, 1 / 960, 0.1);
  expect(Math.abs(fall('straight', 'wasm', 1, 1 / 60, 0.1) / fine - 1)).toBeLessThan(0.03);
});
