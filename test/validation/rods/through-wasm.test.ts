// Statics of the other files of this folder again, as a game sees them: whole steps on the wasm backend until all is still.
//
// Same clamps as in statics.ts. Damping is strong, the time step the usual one; asked: within 2 % at 64 nodes.

import { describe, expect, test } from 'vitest';
import { addStrands, createRodWorld, nodeAt, type RodWorld } from '../strand-worlds';
import catenary from './catenary.json';
import elastica from './elastica.json';
import heavy from './heavy-elastica.json';

const NODES = 64;
const RADIUS = 0.005; // [m]
const YOUNG = 5e6; // [Pa]
const DENSITY = 1000; // [kg/m³]
const AREA = Math.PI * RADIUS ** 2;
const BEND = (YOUNG * AREA * RADIUS ** 2) / 4; // E I [N·m²]
const LENGTH = 0.5; // [m]
/** Half-space of the slowest mode of all of these, some 5 rad/s, in a fifth of a second. */
const DAMPING = 0.2; // [s]

interface Options {
  direction?: number[];
  weight?: number;
  young?: number;
  clampStart?: boolean;
}

/** A straight rod of free length LENGTH along `direction`, clamped before the origin. `weight`: w L³/(E I) along −y. */
function cantilever(nodes: number, { direction = [1, 0, 0], weight = 0 }: Options = {}): RodWorld {
  const world = createRodWorld({ elastic: { backend: 'wasm' } });
  const edge = LENGTH / (nodes - 1.5);
  addStrands(world, {
    points: Array.from({ length: nodes }, (_, i) => direction.map((d) => d * edge * (i - 0.5))),
    radius: RADIUS,
    density: DENSITY,
    young: YOUNG,
    stretch: 1e9,
    damping: DAMPING,
    clampStart: true,
    selfContact: false,
    gravityScale: (weight * BEND) / (LENGTH ** 3 * DENSITY * AREA * 9.81),
  });
  return world;
}

/** Steps with dead loads at nodes (x y z [N]) until nothing moves. */
function settle({ physics, tables }: RodWorld, loads: [number, number[]][] = [], steps = 900): void {
  for (let i = 0; i < steps; i++) {
    for (const [node, load] of loads) tables.nodes.force.set(load, 4 * node);
    physics.step();
  }
  expect(Math.max(...tables.nodes.velocity.map(Math.abs))).toBeLessThan(1e-3);
}

const SIZES = [16, 32, NODES];

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
      settle(world, [[n - 1, [0, (-row.alpha * BEND) / LENGTH ** 2, 0]]]);
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
        world.tables.nodes.force.set([breath, -share * known, 0], 4 * (NODES - 1));
        world.physics.step();
        if (i % 600 === 599) way.push(Math.abs(nodeAt(world, NODES - 1)[0]));
      }
      return way[3] / way[1];
    });
    expect(stays).toBeLessThan(1);
    expect(goes).toBeGreaterThan(1);
  });

  test.each(catenary.inextensible)('a chain over a span of $span_over_L hangs as the catenary', (row) => {
    const links = NODES;
    const world = createRodWorld({ elastic: { backend: 'wasm' } });
    // Half angle β of the arc it starts as: sin β/β = span.
    let [low, high] = [0.01, Math.PI];
    for (let k = 0; k < 60; k++) {
      const b = 0.5 * (low + high);
      if (Math.sin(b) / (links * Math.sin(b / links)) > row.span_over_L) low = b;
      else high = b;
    }
    const radius = LENGTH / (links * 2 * Math.sin(low / links));
    const points = Array.from({ length: links + 1 }, (_, i) => {
      const a = low * ((2 * i) / links - 1);
      return [radius * Math.sin(a), radius * (Math.cos(low) - Math.cos(a)), 0];
    });
    addStrands(world, { points, radius: 1e-3, young: 1e3, stretch: 1e8, damping: 0.05, selfContact: false });
    const { mass } = world.tables.nodes;
    // Pinned: ends too heavy to move, held against their weight.
    for (const node of [0, links]) mass[2 * node] = 1e6;
    settle(world, [
      [0, [0, 1e6 * 9.81, 0]],
      [links, [0, 1e6 * 9.81, 0]],
    ]);
    expect(Math.abs(-nodeAt(world, links / 2)[1] / LENGTH / row.sag_over_L - 1)).toBeLessThan(0.02);
  });
});
