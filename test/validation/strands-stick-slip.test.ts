// A clamped vertical rod is pushed against a plane: its tip sticks while T/N stays below mu, or slips (pushed-rod.ts).
import { describe, expect, test } from 'vitest';
import { bySuite, isLongSuite, longTest } from '../setup/suite';
import { addPushedRod, EXPECTED, LENGTH, STIFFNESS } from './pushed-rod';
import { addBody, createRodWorld } from './strand-worlds';

/** Pushes by `push` of the length; returns N L²/(E I), T/N and how far the tip went [m]. */
function pushDown(backend: 'reference' | 'wasm', nodes: number, push: number, mu: number) {
  const world = createRodWorld({
    gravity: [0, 0, 0],
    elastic: { backend, iterations: 100, tolerance: 1e-8, newtonIterations: 2 },
  });
  addBody(world, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, 0, 0], friction: 1 });
  const rod = addPushedRod(world, nodes, push, mu);
  for (let i = 0; i < rod.steps; i++) {
    rod.push(i);
    world.physics.step();
  }
  const { force } = world.tables.nodeContacts;
  let [N, T] = [0, 0];
  for (let c = 0; c < 4 * world.physics.report.strands.contacts; c += 4) {
    if (!(force[c + 3] > 0)) continue;
    N += (60 * force[c + 1]) / force[c + 3];
    T += (60 * force[c]) / force[c + 3];
  }
  return { N: (N * LENGTH * LENGTH) / STIFFNESS, ratio: T / N, slip: rod.slip() };
}

const SCENES = [
  ['reference', bySuite(24, 64)],
  ['wasm', 24],
  ['wasm', 64],
] as const;

// The same rod on both backends in `npm test`; the reference at its full length in the long suite.
describe.each(SCENES.filter(([backend, nodes]) => isLongSuite || nodes === 64 || backend === 'reference'))(
  'stick–slip, %s, %i nodes',
  (backend, nodes) => {
    const off = nodes === 64 ? 0.002 : 0.005;

    test.each([0.05, 0.15])('push %f: normal and tangential force of the elastica, the tip sticks', (push) => {
      const { N, ratio, slip } = pushDown(backend, nodes, push, 0.8);
      expect(Math.abs(N / EXPECTED[push].N - 1)).toBeLessThan(off);
      expect(Math.abs(ratio / EXPECTED[push].ratio - 1)).toBeLessThan(off);
      expect(slip).toBeLessThan(1e-4);
    });

    // The reference's threshold in the long suite.
    (backend === 'wasm' ? test : longTest)(
      'at push 0.15 the tip needs mu = 0.196: it sticks at 0.202 and slips at 0.19',
      () => {
        expect(pushDown(backend, nodes, 0.15, 0.202).slip).toBeLessThan(1e-4);
        expect(pushDown(backend, nodes, 0.15, 0.19).slip).toBeGreaterThan(0.01);
      },
    );
  },
);
