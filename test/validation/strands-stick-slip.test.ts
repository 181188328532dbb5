// A clamped vertical rod is pushed against a plane: its tip sticks while T/N stays below mu, or slips (Romero et al. 2021).
//
// Expected: clamped–pinned elastica without gravity, N L²/(E I) and T/N against the push over the length; solved as a
// boundary-value problem in double precision. The clamp holds the first edge, its middle is where the rod begins.
import { describe, expect, test } from 'vitest';
import { placeClamp } from '../../src/dynamics/rods/clamp-rows';
import { addBody, addStrands, createRodWorld, line, nodeAt } from './strand-worlds';

const EXPECTED: Record<number, { N: number; ratio: number }> = {
  0.05: { N: 20.573092701271587, ratio: 0.10354477579267997 },
  0.15: { N: 21.343322114786268, ratio: 0.19591591532767824 },
};
const LENGTH = 0.6; // [m]
const RADIUS = 0.0005; // [m]
const YOUNG = 1e9; // [Pa]
const STIFFNESS = (YOUNG * Math.PI * RADIUS ** 4) / 4; // E I [N m²]

/** Steps per unit of push over length: slow beside the rod's own third of a second. */
const PUSH_STEPS = 1600;

/**
 * Pushes by `push` of the length on a rough plane and waits; then friction becomes `mu`, for one second more.
 * Returns N L²/(E I), T/N and how far the tip went [m].
 */
function pushDown(backend: 'reference' | 'wasm', nodes: number, push: number, mu: number) {
  const edge = LENGTH / (nodes - 1.5);
  const top = LENGTH + 0.5 * edge + RADIUS;
  const world = createRodWorld({
    gravity: [0, 0, 0],
    elastic: { backend, iterations: 100, tolerance: 1e-8, newtonIterations: 2 },
  });
  addBody(world, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, 0, 0], friction: 1 });
  addStrands(world, {
    points: line([0, top, 0], [0, RADIUS, 0], nodes),
    radius: RADIUS,
    young: YOUNG,
    stretch: 1e9,
    friction: 1,
    damping: 0.02,
    clampStart: true,
    selfContact: false,
  });
  let before = 0;
  const pushSteps = PUSH_STEPS * push;
  for (let i = 0; i < pushSteps + 120; i++) {
    if (i === Math.round(pushSteps) + 60) {
      // The geometric mean with the plane's 1.
      world.tables.rods.parameter[6] = mu * mu;
      before = nodeAt(world, nodes - 1)[0];
    }
    placeClamp(world.tables, 0, 0, [0, top - push * LENGTH * Math.min(1, (i + 1) / pushSteps), 0], [0, 0, 0, 1]);
    // A breath from the side says where it buckles to.
    const { force } = world.tables.nodes;
    if (i < 40) for (let k = 2; k < nodes - 1; k++) force[4 * k] = (0.1 * STIFFNESS) / (LENGTH * LENGTH * nodes);
    world.physics.step();
  }
  const { force } = world.tables.strandContacts;
  let [N, T] = [0, 0];
  for (let c = 0; c < 4 * world.physics.report.strands.contacts; c += 4) {
    if (!(force[c + 3] > 0)) continue;
    N += (60 * force[c + 1]) / force[c + 3];
    T += (60 * force[c]) / force[c + 3];
  }
  return { N: (N * LENGTH * LENGTH) / STIFFNESS, ratio: T / N, slip: Math.abs(nodeAt(world, nodes - 1)[0] - before) };
}

describe.each([
  ['reference', 64, 0.002],
  ['wasm', 24, 0.005],
  ['wasm', 64, 0.002],
] as const)('stick–slip, %s, %i nodes', (backend, nodes, off) => {
  test.each([0.05, 0.15])('push %f: normal and tangential force of the elastica, the tip sticks', (push) => {
    const { N, ratio, slip } = pushDown(backend, nodes, push, 0.8);
    expect(Math.abs(N / EXPECTED[push].N - 1)).toBeLessThan(off);
    expect(Math.abs(ratio / EXPECTED[push].ratio - 1)).toBeLessThan(off);
    expect(slip).toBeLessThan(1e-4);
  });

  test('at push 0.15 the tip needs mu = 0.196: it sticks at 0.202 and slips at 0.19', () => {
    expect(pushDown(backend, nodes, 0.15, 0.202).slip).toBeLessThan(1e-4);
    expect(pushDown(backend, nodes, 0.15, 0.19).slip).toBeGreaterThan(0.01);
  });
});
