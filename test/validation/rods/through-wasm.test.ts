// Statics of the other files of this folder again, as a game sees them: whole steps on the wasm backend until all is still.
//
// Asked: within 2 % at 64 nodes.

import { describe, expect, test } from 'vitest';
import { createRodWorld, fastest, loadNode, nodeAt, type RodWorld } from '../strand-worlds';
import catenary from './catenary.json';
import elastica from './elastica.json';
import heavy from './heavy-elastica.json';
import { addCantilever, addChain, BEND, type CantileverOptions, LENGTH, NODES, SIZES } from './statics-scenes';

function cantilever(nodes: number, options: CantileverOptions = {}): RodWorld {
  const world = createRodWorld({ elastic: { backend: 'wasm' } });
  addCantilever(world, nodes, options);
  return world;
}

/** Steps until nothing moves; `load` comes before each. */
function settle(world: RodWorld, load: () => void = () => {}, steps = 900): void {
  for (let i = 0; i < steps; i++) {
    load();
    world.physics.step();
  }
  expect(fastest(world)).toBeLessThan(1e-3);
}

function expectWithin(errors: number[]): void {
  if (process.env.SHOW_ERRORS) console.log(errors.map((e) => e.toExponential(2)).join(' '));
  expect(errors[errors.length - 1]).toBeLessThan(0.02);
  expect(errors[errors.length - 1]).toBeLessThan(errors[0]);
}

describe('wasm', () => {
  test.each(heavy.rows.filter((row) => [1, 10, 100].includes(row.Gamma)))('heavy elastica, Γ = $Gamma', (row) => {
    const errors = SIZES.map((n) => {
      const world = cantilever(n, { weight: row.Gamma });
      settle(world);
      const [x, y] = nodeAt(world, n - 1);
      return Math.hypot(x / LENGTH - row.W_over_L, y / LENGTH + row.H_over_L);
    });
    expectWithin(errors);
  });

  test.each(elastica.tipLoad.rows.filter((_, k) => k % 3 === 0))('tip load, α = $alpha', (row) => {
    const errors = SIZES.map((n) => {
      const world = cantilever(n);
      settle(world, () => loadNode(world, n - 1, [0, (-row.alpha * BEND) / LENGTH ** 2, 0]));
      const [x, y] = nodeAt(world, n - 1);
      return Math.hypot(x / LENGTH - row.reach_over_L, y / LENGTH + row.drop_over_L);
    });
    expectWithin(errors);
  });

  test('a clamped column stands at 0.98 of its Euler load and gives way at 1.02', () => {
    const known = (elastica.eulerLoads.clamped_free * BEND) / LENGTH ** 2;
    const [stays, goes] = [0.98, 1.02].map((share) => {
      const world = cantilever(NODES, { direction: [0, 1, 0] });
      const way: number[] = [];
      for (let i = 0; i < 2400; i++) {
        const breath = i < 60 ? 1e-3 * known : 0;
        loadNode(world, NODES - 1, [breath, -share * known, 0]);
        world.physics.step();
        if (i % 600 === 599) way.push(Math.abs(nodeAt(world, NODES - 1)[0]));
      }
      return way[3] / way[1];
    });
    expect(stays).toBeLessThan(1);
    expect(goes).toBeGreaterThan(1);
  });

  test.each(catenary.inextensible)('a chain over a span of $span_over_L hangs as the catenary', (row) => {
    const world = createRodWorld({ elastic: { backend: 'wasm' } });
    const chain = addChain(world, row.span_over_L);
    settle(world, chain.hold);
    expect(Math.abs(-nodeAt(world, chain.middle)[1] / LENGTH / row.sag_over_L - 1)).toBeLessThan(0.02);
  });
});
