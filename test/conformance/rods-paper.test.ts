// elastic.profile 'paper': Daviet 2020 to the letter, on both backends.

import { describe, expect, test } from 'vitest';
import { resolveElasticSettings } from '../../src/state/elastic-settings';
import { addBody, addStrands, createRodWorld, fastest, line, steps } from '../validation/strand-worlds';

/** Two rods crosswise on each other and on the ground, after one step. */
function crossed(elastic: object) {
  const world = createRodWorld({ elastic });
  addBody(world, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, 0, 0], friction: 0.5 });
  addStrands(world, { points: line([-0.3, 0.0105, 0], [0.3, 0.0105, 0.02], 13), young: 1e7, velocity: [0.4, -1, 0] });
  addStrands(world, { points: line([0.01, 0.031, -0.3], [0, 0.031, 0.3], 13), young: 1e7, velocity: [0, -1, 0.3] });
  steps(world, 1);
  return world;
}

describe.each(['reference', 'wasm'] as const)('%s', (backend) => {
  test('comes to the same velocities as the engine does where both are solved', () => {
    const settings = { backend, tolerance: 1e-7, iterations: 3000, sweeps: 20, newtonIterations: 1, sleeping: false };
    const [paper, engine] = (['paper', 'engine'] as const).map((profile) => crossed({ ...settings, profile }));
    expect(paper.physics.report.strands.iterations).not.toBe(engine.physics.report.strands.iterations);
    for (let i = 0; i < 4 * 26; i++) {
      if (i % 4 === 3) continue;
      const [a, b] = [paper, engine].map(({ tables }) => tables.nodes.velocity[i]);
      expect(Math.abs(a - b)).toBeLessThan(3e-3);
    }
  });

  test('ends a step with velocities that obey the contacts, however little was iterated', () => {
    const least = (profile: 'paper' | 'engine') => {
      const world = createRodWorld({ elastic: { backend, profile, iterations: 1, sweeps: 60, newtonIterations: 1 } });
      addBody(world, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, 0, 0], friction: 0.5 });
      addStrands(world, { points: line([-0.3, 0.05, 0], [0.3, 0.08, 0.02], 13), young: 1e7, velocity: [0, -6, 0] });
      steps(world, 1);
      const { position } = world.tables.nodes;
      return Math.min(...Array.from({ length: 13 }, (_, node) => position[4 * node + 1]));
    };
    // It touches.
    expect(least('paper')).toBeCloseTo(0.01, 6);
    // The engine's velocities know the elasticity, and are moved to those only where a penetration does harm.
    expect(Math.abs(least('engine') - 0.01)).toBeGreaterThan(1e-3);
  });

  test('lets cohesion fall off to nothing at its reach', () => {
    // Half a radius is the reach; compliance has no part in a pull.
    const pull = (share: number, profile: 'paper' | 'engine') => {
      const world = createRodWorld({ gravity: [0, 0, 0], elastic: { backend, profile, iterations: 200 } });
      const gap = 0.005 * share;
      const common = { young: 1e7, cohesion: 1e-4 };
      addStrands(world, { points: line([-0.1, 0, 0], [0.1, 0, 0], 5), ...common });
      addStrands(world, { points: line([-0.1, 0.02 + gap, 0], [0.1, 0.02 + gap, 0], 5), ...common });
      steps(world, 1);
      return fastest(world);
    };
    expect(pull(0.25, 'paper') / pull(0.75, 'paper')).toBeCloseTo(3, 1);
    expect(pull(0.25, 'engine') / pull(0.75, 'engine')).toBeCloseTo(1, 1);
  });
});

test('both backends keep the same forces on the nodes', () => {
  const settings = { profile: 'paper', tolerance: 1e-9, iterations: 3000, sweeps: 20, sleeping: false } as const;
  const [reference, wasm] = (['reference', 'wasm'] as const).map((backend) => crossed({ ...settings, backend }));
  const largest = Math.max(...reference.tables.nodes.dual.subarray(0, 4 * 26).filter((_, i) => i % 4 < 3));
  expect(largest).toBeGreaterThan(0.01);
  for (let i = 0; i < 4 * 26; i++) {
    if (i % 4 === 3) continue;
    expect(Math.abs(reference.tables.nodes.dual[i] - wasm.tables.nodes.dual[i])).toBeLessThan(0.02 * largest);
  }
});

test("has the paper's numbers where none are given", () => {
  const paper = resolveElasticSettings('createPhysics', { profile: 'paper', sweeps: 10 });
  expect(paper).toMatchObject({ iterations: 25, sweeps: 10, newtonIterations: 2, acceleration: true, resting: false });
  expect(() => resolveElasticSettings('createPhysics', { profile: 'other' as 'paper' })).toThrow(
    'elastic.profile must be engine or paper',
  );
  const solver = 'conjugate-residual';
  expect(() => resolveElasticSettings('createPhysics', { profile: 'paper', solver })).toThrow("'admm' or 'auto'");
});
