// The weights that a solve leaves for the next step are the same on both backends: the reference starts from them too.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addRod, createPhysics } from '../../src/index';

const ROPE = { radius: 0.01, youngModulus: 1e7, density: 1000, damping: 0.01, friction: 0.5 };

/** The weights of all nodes of two ropes that lie across each other, after a step in which they touch [kg]. */
function weightsOf(backend: 'wasm' | 'reference'): number[] {
  const physics = createPhysics(createWorld(), { sleeping: false, elastic: { backend } });
  const line = (from: number[], along: number[]) =>
    Array.from({ length: 9 }, (_, i) => from.map((x, k) => x + (along[k] * i) / 8));
  addRod(physics, { ...ROPE, points: line([0, 0, -0.2], [0, 0, 0.4]), clampStart: true, clampEnd: true });
  addRod(physics, { ...ROPE, points: line([-0.2, 0.0205, 0.01], [0.4, 0, 0.02]), velocity: [0, -0.3, 0] });
  for (let k = 0; k < 3; k++) physics.step();
  expect(physics.report.strands.contacts).toBeGreaterThan(0);
  const { dual } = physics.internal.engine.tables.nodes;
  const weights = Array.from({ length: 18 }, (_, node) => dual[4 * node + 3]);
  physics.dispose();
  return weights;
}

test('the reference keeps the weights for the next step as wasm does', () => {
  const wanted = weightsOf('wasm');
  const found = weightsOf('reference');
  expect(Math.max(...wanted)).toBeGreaterThan(0);
  for (let node = 0; node < 18; node++)
    expect(Math.abs(found[node] - wanted[node]), `node ${node}`).toBeLessThanOrEqual(1e-4 * Math.abs(wanted[node]));
});
