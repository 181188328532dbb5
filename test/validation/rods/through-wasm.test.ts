// Statics of the other files of this folder again, as a game sees them: whole steps on the wasm backend until all is
// still, or until it is seen whether a twisted rod leaves its shape.
//
// Asked: within 2 % at 64 nodes.

import { describe, expect, test } from 'vitest';
import { strandForces } from '../../../src/mechanics/rod/strand-energy';
import { bySuite, longTest } from '../../setup/suite';
import { createRodWorld, fastest, loadNode, nodeAt, type RodWorld } from '../strand-worlds';
import catenary from './catenary.json';
import elastica from './elastica.json';
import heavy from './heavy-elastica.json';
import helix from './helix.json';
import { helixPoints, ringShape, straight } from './shapes';
import {
  addCantilever,
  addChain,
  addHeldRod,
  BEND,
  type CantileverOptions,
  type HeldRod,
  LENGTH,
  NODES,
  SIZES,
  STRETCH,
} from './statics-scenes';
import twist from './twist.json';

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
    // What is that slow is where it ends, to less than the finer rod's error.
    if (i > 120 && fastest(world) < 1e-6) break;
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

  // Its load by the matrix of the same backend: rods/bending.test.ts.
  longTest('a clamped column stands at 0.98 of its Euler load and gives way at 1.02', () => {
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

  // Thresholds: at rest the rod is in equilibrium whatever its twist; pushed, it comes back or goes on.
  // Twists between these two, and tensions: rods/twist.test.ts and the long suite.
  const rings = twist.michellRing.rows;
  longTest.each(rings)('Michell: a ring with C/B = $C stays flat up to its critical twist', (row) => {
    const known = row.michell_2pi_sqrt3_B_over_C;
    const [stays, goes] = [0.98, 1.02].map((share) => {
      const rod = ringShape(NODES);
      return growth({
        ...rod,
        scale: LENGTH / (2 * Math.PI),
        torsion: row.C,
        twist: (edge) => (share * known * edge) / (NODES - 2),
      });
    });
    expect(stays).toBeLessThan(1);
    expect(goes).toBeGreaterThan(1);
  });

  longTest.each(twist.twistedRod.rows)(
    'a twisted rod under tension $tension_TL2_over_B stays straight up to its critical moment',
    (row) => {
      const torsion = 0.75;
      const edge = 1 / (NODES - 2);
      // Held ends keep the tension: what buckling shortens is of second order.
      const strain = (row.tension_TL2_over_B * BEND) / LENGTH ** 2 / STRETCH;
      const [stays, goes] = [0.98, 1.02].map((share) => {
        return growth({
          points: straight(NODES, edge),
          rest: straight(NODES, edge / (1 + strain)),
          scale: LENGTH,
          torsion,
          twist: (k) => ((share * row.critical_ML_over_B) / torsion) * edge * k,
        });
      });
      expect(stays).toBeLessThan(1);
      expect(goes).toBeGreaterThan(1);
    },
  );

  const springs = helix.loadedHelix.examples.filter((e) => e.pitch_angle_deg >= 20);
  test.each(
    bySuite(
      springs.filter((_, k) => k % 3 === 0),
      springs,
    ),
  )('a helix drawn out to $pitch_angle_deg° of pitch pulls with the known force', (e) => {
    const errors = SIZES.map((n) => {
      const world = createRodWorld({ elastic: { backend: 'wasm' } });
      const arc = (2 * Math.PI) / (n - 1);
      const scale = LENGTH / (2 * Math.PI);
      const first = addHeldRod(world, {
        points: helixPoints(n, arc, e.kappa, e.tau),
        rest: helixPoints(n, arc, e.k0, e.tau0),
        scale,
        torsion: e.C / e.B,
        twist: (edge) => (e.tau - e.tau0) * arc * edge,
        turned: true,
      });
      settle(world);
      const f = new Float64Array(4 * n);
      strandForces(f, 0, world.tables, world.tables.nodes.strand[first]);
      return Math.abs(((f[1] + f[5]) * scale ** 2) / BEND / e.axial_force - 1);
    });
    expectWithin(errors);
  });
});

/** Pushes a held rod for a second and lets go: how far it goes in ten seconds, later to at first. */
function growth(rod: HeldRod): number {
  const world = createRodWorld({ elastic: { backend: 'wasm' } });
  const middle = addHeldRod(world, rod) + NODES / 4;
  const rest = nodeAt(world, middle);
  const way: number[] = [];
  for (let i = 0; i < 2400; i++) {
    if (i < 60) loadNode(world, middle, [0, 0, (1e-3 * BEND) / LENGTH ** 2]);
    world.physics.step();
    if (i % 600 === 599) way.push(Math.hypot(...nodeAt(world, middle).map((x, k) => x - rest[k])));
  }
  if (process.env.SHOW_ERRORS) console.log(...way.map((w) => w.toExponential(3)));
  return Math.abs((way[3] - way[2]) / (way[1] - way[0]));
}
