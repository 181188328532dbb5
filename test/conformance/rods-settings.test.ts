// The elastic settings as every backend understands them.
import { describe, expect, test, vi } from 'vitest';
import { STRAND_RELAXATION } from '../../src/core/elastic-constants';
import { readOptions } from '../../src/dynamics/elastic/backends/read-options';
import { strandKernelsOf } from '../../src/dynamics/elastic/strand-kernels';
import { enableGpuStrands } from '../../src/index';
import { defaultAdmmOptions } from '../../src/solvers/admm/options';
import { ELASTIC_DEFAULTS, type ElasticSettings, resolveElasticSettings } from '../../src/state/elastic-settings';
import { addBody, addStrands, createRodWorld, line, steps } from '../validation/strand-worlds';

describe.each(['reference', 'wasm'] as const)('%s', (backend) => {
  /** Six rods fall crosswise on each other and on the ground; returns the world after `count` steps. */
  const pile = (elastic: object, count: number) => {
    const world = createRodWorld({ elastic: { backend, ...elastic } });
    addBody(world, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, 0, 0], friction: 0.5 });
    for (let i = 0; i < 6; i++) {
      const y = 0.03 + 0.025 * i;
      const turned = i % 2 === 0;
      const points = turned ? line([-0.3, y, 0], [0.3, y, 0.02], 13) : line([0.01, y, -0.3], [0, y, 0.3], 13);
      addStrands(world, { points, young: 1e7, damping: 0.005 });
    }
    steps(world, count);
    return world;
  };

  test('a pile of rods comes to rest at δ∞ within the tolerance, nothing below the ground', () => {
    const world = pile({}, 120);
    const { strands } = world.physics.report;
    expect(strands).toMatchObject({ strands: 6, nodes: 78, quarantined: 0 });
    expect(strands.delta).toBeLessThan(1e-5);
    expect(strands.contacts).toBeGreaterThan(10);
    for (let node = 0; node < 78; node++) {
      expect(world.tables.nodes.position[4 * node + 1]).toBeGreaterThan(0.0095);
      expect(Math.abs(world.tables.nodes.velocity[4 * node + 1])).toBeLessThan(0.02);
    }
  });

  test('fewer iterations leave a larger δ∞', () => {
    const few = pile({ iterations: 4 }, 6).physics.report.strands;
    const many = pile({ iterations: 300, tolerance: 1e-7 }, 6).physics.report.strands;
    expect(few.iterations).toBe(4);
    expect(many.delta).toBeLessThan(0.2 * few.delta);
  });

  test('every newton iteration solves anew', () => {
    const world = pile({ newtonIterations: 3, iterations: 1 }, 10);
    expect(world.physics.report.strands.iterations).toBe(3);
  });

  test('momentum works, and ends at the same answer', () => {
    const settings = { tolerance: 1e-8, iterations: 2000, sweeps: 20, sleeping: false, resting: false };
    const [plain, ahead] = [false, true].map((acceleration) => pile({ ...settings, acceleration }, 4));
    const iterations = [plain, ahead].map(({ physics }) => physics.report.strands.iterations);
    expect(iterations[1]).not.toBe(iterations[0]);
    for (let i = 0; i < 4 * 78; i++) {
      if (i % 4 === 3) continue;
      const [a, b] = [plain, ahead].map(({ tables }) => tables.nodes.velocity[i]);
      expect(Math.abs(a - b)).toBeLessThan(2e-3);
    }
  });

  test('a budget too small for anything still takes one iteration', () => {
    const world = pile({ budget: 1e-6, tolerance: 1e-12 }, 12);
    expect(world.physics.report.strands.iterations).toBe(1);
  });
});

test('one step of a pile in contact: wasm agrees with reference', () => {
  const nodes = (['reference', 'wasm'] as const).map((backend) => {
    const world = createRodWorld({
      elastic: { backend, tolerance: 1e-9, iterations: 2000, sweeps: 20, sleeping: false },
    });
    addBody(world, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, 0, 0], friction: 0.5 });
    addStrands(world, { points: line([-0.3, 0.0105, 0], [0.3, 0.0105, 0.02], 13), young: 1e7, velocity: [0.4, -1, 0] });
    addStrands(world, { points: line([0.01, 0.031, -0.3], [0, 0.031, 0.3], 13), young: 1e7, velocity: [0, -1, 0.3] });
    steps(world, 1);
    return Array.from(world.tables.nodes.velocity.subarray(0, 4 * 26));
  });
  for (let i = 0; i < nodes[0].length; i++) {
    if (i % 4 < 3) expect(Math.abs(nodes[1][i] - nodes[0][i])).toBeLessThan(2e-3);
  }
});

test.each([
  ['over-relaxation', {}, STRAND_RELAXATION],
  ['momentum, which takes its place', { acceleration: true }, 1],
  ["the paper's profile, which has momentum", { profile: 'paper' as const }, 1],
  ["the paper's profile without it", { profile: 'paper' as const, acceleration: false }, 1],
])('every projection is relaxed by the same number on both backends: %s', (_name, elastic, relaxation) => {
  const options = { ...defaultAdmmOptions, relaxation: 0 };
  readOptions(options, resolveElasticSettings('createPhysics', elastic));
  expect(options.relaxation).toBe(relaxation);

  // Crossing rods that a solve is cut short for: they are looked at again after the last round.
  const world = createRodWorld({ elastic: { backend: 'wasm', iterations: 2, newContactsEvery: 1, ...elastic } });
  for (const y of [0, 0.03]) {
    const points = y === 0 ? line([-0.3, y, 0], [0.3, y, 0.02], 13) : line([0.01, y, -0.3], [0, y, 0.3], 13);
    addStrands(world, { points, young: 1e7, damping: 0.005, velocity: [0, -y * 100, 0] });
  }
  const { engine } = world.physics.internal;
  const kernels = strandKernelsOf(engine);
  const project = vi.fn(kernels.admmProject);
  engine.strandKernels = { ...kernels, admmProject: project };
  steps(world, 8);
  expect(project.mock.calls.length).toBeGreaterThan(0);
  expect([...new Set(project.mock.calls.map((call) => call[4]))]).toEqual([relaxation]);
});

test('a pyramid is refused where it would be a cone', () => {
  expect(() => createRodWorld({ elastic: { backend: 'wasm', frictionCone: 'pyramid' } })).toThrow(
    /elastic\.frictionCone 'pyramid' needs elastic\.backend to be 'reference' or 'auto', got .*wasm/,
  );
});

/** Of every setting another value than its default; where it is refused, by what and why. */
const OTHERS: { [K in keyof Required<ElasticSettings>]: ElasticSettings[K] } = {
  profile: 'paper',
  solver: 'conjugate-residual',
  iterations: 3,
  sweeps: 2,
  tolerance: 1e-3,
  newtonIterations: 2,
  acceleration: true,
  sleeping: false,
  resting: false,
  geometricCorrection: false,
  keepApart: false,
  continuous: false,
  newContactsEvery: 1,
  backend: 'reference',
  frictionCone: 'pyramid',
  budget: 1e-6,
};
const REFUSED_ON_WASM = ['solver', 'backend', 'frictionCone'];
const REFUSED_ON_WEBGPU = ['profile', 'solver', 'backend', 'frictionCone', 'acceleration'];

/** Thin rods at 30 m/s through a row of others, few iterations; velocities and positions after some steps. */
function whip(elastic: ElasticSettings): number[] {
  const world = createRodWorld({ elastic: { iterations: 12, ...elastic } });
  addBody(world, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, 0, 0], friction: 0.5 });
  for (let i = 0; i < 6; i++) {
    const z = 0.004 * i;
    const common = { young: 1e7, damping: 0.005, radius: 0.001 };
    addStrands(world, { points: line([-0.1, 0.004 + z, z], [0.1, 0.004, z], 13), ...common });
    const velocity = [i % 2 === 0 ? 4 : 0, -30, 3];
    addStrands(world, {
      points: line([0.02 * i - 0.05, 0.06, -0.1], [0.02 * i - 0.04, 0.06, 0.1], 13),
      ...common,
      velocity,
    });
  }
  steps(world, 8);
  const { position, velocity } = world.tables.nodes;
  return [...position.subarray(0, 4 * 156), ...velocity.subarray(0, 4 * 156)];
}

describe.each(['reference', 'wasm'] as const)('no setting is without effect on %s', (backend) => {
  const usual = whip({ backend });
  for (const key of Object.keys(ELASTIC_DEFAULTS) as (keyof ElasticSettings)[]) {
    // Worlds of strands alone take ADMM whatever `solver` says, as documented.
    if (key === 'backend' || (backend === 'reference' && key === 'solver')) continue;
    test(key, () => {
      // What it mends must be left to it.
      const few = key === 'keepApart' ? { iterations: 1, sweeps: 1, continuous: false } : {};
      const settings = { backend, ...few, [key]: OTHERS[key] };
      if (backend === 'wasm' && REFUSED_ON_WASM.includes(key)) expect(() => whip(settings)).toThrow(`elastic.${key} '`);
      else expect(whip(settings)).not.toEqual(key === 'keepApart' ? whip({ backend, ...few }) : usual);
    });
  }
});

test.each(REFUSED_ON_WEBGPU)(
  'elastic.%s is refused on WebGPU with the reason, and the strands stay on wasm',
  async (key) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const value = OTHERS[key as keyof ElasticSettings];
    const { physics } = createRodWorld({ elastic: { [key]: value } });
    const handle = await enableGpuStrands(physics);
    const shown = typeof value === 'string' ? `'${value}'` : value;
    expect(handle).toMatchObject({ state: 'wasm', reason: `elastic.${key} is ${shown}` });
    physics.dispose();
    warn.mockRestore();
  },
);
