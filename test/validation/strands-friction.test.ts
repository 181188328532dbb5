// Friction laws of rods against their closed forms.
import { describe, expect, test } from 'vitest';
import { addBody, addStrands, createRodWorld, nodeAt, type RodWorld } from './strand-worlds';

/** Turning angle per corner and T2/T1 of a polygon with Coulomb's law at its corners (discrete capstan). */
function capstanRatio(mu: number, wrap: number, corners: number): number {
  const d = wrap / corners;
  const c = Math.cos(d / 2);
  const s = Math.sin(d / 2);
  return ((c + mu * s) / (c - mu * s)) ** corners;
}

/**
 * A rope around a fixed drum, pulled at one end by T1 and at the other by `ratio` T1; loads rise for 50 steps. Returns how
 * far the far end moves in the last 20 of 90 steps [m].
 */
function pullCapstan(
  backend: 'reference' | 'wasm',
  mu: number,
  wrap: number,
  corners: number,
  ratio: number,
  load: number,
): number {
  const world: RodWorld = createRodWorld({
    gravity: [0, 0, 0],
    elastic: { backend, tolerance: 1e-7, iterations: 60, sweeps: 10 },
  });
  const drum = 0.1;
  const radius = 0.002;
  addBody(world, {
    type: 'static',
    shape: { cylinder: [drum, 1] },
    position: [0, 0, 0],
    rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
    friction: mu,
  });
  // A polygon around the drum whose edges touch it in their middles, with straight tails.
  const d = wrap / corners;
  const corner = (drum + radius) / Math.cos(d / 2);
  const edge = 2 * corner * Math.sin(d / 2);
  const at = (k: number) => [corner * Math.cos((k + 0.5) * d), corner * Math.sin((k + 0.5) * d), 0];
  const last = at(corners - 1);
  const away = [-Math.sin(wrap), Math.cos(wrap)];
  const points: number[][] = [];
  for (let i = 3; i > 0; i--) points.push([at(0)[0], at(0)[1] - edge * i, 0]);
  for (let k = 0; k < corners; k++) points.push(at(k));
  for (let i = 1; i <= 3; i++) points.push([last[0] + away[0] * edge * i, last[1] + away[1] * edge * i, 0]);
  addStrands(world, {
    points,
    radius,
    young: 1e3,
    stretch: 1e9,
    friction: mu,
    selfContact: false,
    density: 2000,
    damping: 0.01,
  });
  const end = points.length - 1;
  let before: number[] = [];
  for (let i = 0; i < 90; i++) {
    const T1 = load * Math.min(1, (i + 1) / 50);
    const { force } = world.tables.nodes;
    force[1] = -T1;
    for (let k = 0; k < 2; k++) force[4 * end + k] = away[k] * T1 * ratio;
    world.physics.step();
    if (i === 69) before = nodeAt(world, end);
  }
  const after = nodeAt(world, end);
  return (after[0] - before[0]) * away[0] + (after[1] - before[1]) * away[1];
}

describe.each(['reference', 'wasm'] as const)('capstan, %s', (backend) => {
  test.each([
    [0.1, Math.PI / 2, 16, 0.2],
    [0.3, Math.PI, 32, 0.2],
    [0.3, 2 * Math.PI, 48, 0.1],
    [0.3, 4 * Math.PI, 96, 0.05],
  ])('mu %f, wrap %f rad: holds at 0.98, slips at 1.02 of the discrete formula', (mu, wrap, corners, load) => {
    const ratio = capstanRatio(mu, wrap, corners);
    expect(Math.abs(pullCapstan(backend, mu, wrap, corners, 0.98 * ratio, load))).toBeLessThan(1e-4);
    expect(pullCapstan(backend, mu, wrap, corners, 1.02 * ratio, load)).toBeGreaterThan(2e-3);
  });
});

test.each(['reference', 'wasm'] as const)('%s: a rope pulled taut stays on the drum and holds', (backend) => {
  // 100 N on a rope of 2 mm: its edges' tension is 10⁴ times their inertia over a step.
  const ratio = capstanRatio(0.3, 2 * Math.PI, 48);
  expect(Math.abs(pullCapstan(backend, 0.3, 2 * Math.PI, 48, 0.9 * ratio, 100))).toBeLessThan(2e-4);
});
