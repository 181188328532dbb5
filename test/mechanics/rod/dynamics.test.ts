import { expect, test } from 'vitest';
import { strandEnergy } from '../../../src/mechanics/rod/strand-energy';
import * as S from './strand-world';

const SOFT = { radius: 0.02, young: 1e6, shear: 4e5, stretch: 1e6, density: 1000 };

/** Linear momentum, angular momentum (with the spin of the edges), of a strand. */
function momenta(world: S.StrandWorld, strand: number): number[] {
  const { position, velocity, mass } = world.tables.nodes;
  const first = world.tables.strands.first[strand];
  const n = world.tables.strands.nodes[strand];
  const sum = [0, 0, 0, 0, 0, 0];
  for (let i = first; i < first + n; i++) {
    const x = position.subarray(4 * i, 4 * i + 3);
    const v = velocity.subarray(4 * i, 4 * i + 3);
    const e = [0, 1, 2].map((k) => (i < first + n - 1 ? position[4 * i + 4 + k] - x[k] : 0));
    const length = Math.hypot(...e) || 1;
    for (let k = 0; k < 3; k++) {
      const [a, b] = [(k + 1) % 3, (k + 2) % 3];
      sum[k] += mass[2 * i] * v[k];
      sum[3 + k] += mass[2 * i] * (x[a] * v[b] - x[b] * v[a]);
      sum[3 + k] += (mass[2 * i + 1] * velocity[4 * i + 3] * e[k]) / length;
    }
  }
  return sum;
}

function throwStrand(world: S.StrandWorld, strand: number): void {
  const { position, velocity } = world.tables.nodes;
  const n = world.tables.strands.nodes[strand];
  for (let i = 0; i < n; i++) {
    const [x, y, z] = position.subarray(4 * i, 4 * i + 3);
    // A drift, a spin about (1, 2, -1) and a wave.
    velocity.set([1 + 2 * z + y, 0.5 - x - z, -2 * x + y + Math.sin(7 * i), i < n - 1 ? 3 : 0], 4 * i);
  }
}

test('elastic forces exert no net force and no net torque', () => {
  for (let seed = 1; seed <= 5; seed++) {
    const world = S.createStrandWorld();
    const strand = S.addStrand(world, { ...SOFT, points: S.helix(14, 0.4, 0.3, 1.5) });
    S.shake(world, strand, 0.03, 1, seed);
    const f = S.elasticForces(world, strand);
    const { position } = world.tables.nodes;
    const sum = [0, 0, 0, 0, 0, 0];
    let size = 0;
    for (let i = 0; i < 14; i++) {
      const x = position.subarray(4 * i, 4 * i + 3);
      const e = [0, 1, 2].map((k) => (i < 13 ? position[4 * i + 4 + k] - x[k] : 0));
      const length = Math.hypot(...e) || 1;
      for (let k = 0; k < 3; k++) {
        const [a, b] = [(k + 1) % 3, (k + 2) % 3];
        sum[k] += f[4 * i + k];
        // The twisting moment acts along the edge.
        sum[3 + k] += x[a] * f[4 * i + b] - x[b] * f[4 * i + a] + (f[4 * i + 3] * e[k]) / length;
        size = Math.max(size, Math.abs(f[4 * i + k]));
      }
    }
    expect(Math.max(...sum.map(Math.abs))).toBeLessThan(1e-11 * size);
  }
});

test('a free rod keeps its momentum to the last digits, and its angular momentum in proportion to the step', () => {
  const drift = [1 / 500, 1 / 1000, 1 / 2000].map((dt) => {
    const world = S.createStrandWorld(dt, [0, 0, 0]);
    const strand = S.addStrand(world, { ...SOFT, points: S.helix(16, 0.3, 0.2, 1.5) });
    throwStrand(world, strand);
    const before = momenta(world, strand);
    for (let k = 0; k < Math.round(0.2 / dt); k++) S.stepStrand(world, strand, 4);
    const after = momenta(world, strand);
    const size = Math.hypot(...before.slice(0, 3));
    for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-10 * size);
    return Math.hypot(...[3, 4, 5].map((k) => after[k] - before[k])) / Math.hypot(...before.slice(3));
  });
  expect(drift[0]).toBeLessThan(0.05);
  expect(drift[1] / drift[0]).toBeLessThan(0.6);
  expect(drift[2] / drift[1]).toBeLessThan(0.6);
});

test('implicit Euler never gains energy, and loses less with smaller steps', () => {
  const kept = [1 / 1000, 1 / 4000, 1 / 16000].map((dt) => {
    const world = S.createStrandWorld(dt, [0, 0, 0]);
    const strand = S.addStrand(world, { ...SOFT, points: S.straight(12, 1) });
    S.shake(world, strand, 0.01, 0.1, 3);
    const total = () => {
      const e = strandEnergy(world.tables, strand);
      return e.stretch + e.bend + e.twist + e.kinetic;
    };
    const start = total();
    let last = start;
    for (let k = 0; k < Math.round(0.04 / dt); k++) {
      S.stepStrand(world, strand, 5);
      const now = total();
      expect(now).toBeLessThan(last * (1 + 1e-6));
      last = now;
    }
    return last / start;
  });
  expect(kept[0]).toBeLessThan(kept[1]);
  expect(kept[1]).toBeLessThan(kept[2]);
  expect(kept[2]).toBeGreaterThan(0.4);
});

test('damping takes energy out faster than the step alone, and leaves a rigid motion alone', () => {
  const left = [0, 2e-3].map((damping) => {
    const world = S.createStrandWorld(1 / 4000, [0, 0, 0]);
    const strand = S.addStrand(world, { ...SOFT, damping, points: S.straight(12, 1) });
    S.shake(world, strand, 0.005, 0.1, 3);
    for (let k = 0; k < 100; k++) S.stepStrand(world, strand, 2);
    const e = strandEnergy(world.tables, strand);
    return e.stretch + e.bend + e.twist + e.kinetic;
  });
  expect(left[1]).toBeLessThan(0.2 * left[0]);

  const world = S.createStrandWorld(1 / 60, [0, 0, 0]);
  const strand = S.addStrand(world, { ...SOFT, damping: 0.1, points: S.helix(10, 0.3, 0.2, 1) });
  for (let i = 0; i < 10; i++) world.tables.nodes.velocity.set([1, 2, 3, 0], 4 * i);
  for (let k = 0; k < 10; k++) S.stepStrand(world, strand);
  for (let i = 0; i < 10; i++) expect(world.tables.nodes.velocity[4 * i + 1]).toBeCloseTo(2, 9);
});

test('a falling rod falls freely, with drag towards the wind at the rate given', () => {
  const world = S.createStrandWorld(1 / 60);
  const strand = S.addStrand(world, { ...SOFT, points: S.straight(5, 1), gravityScale: 2 });
  for (let k = 0; k < 30; k++) S.stepStrand(world, strand);
  expect(world.tables.nodes.velocity[1]).toBeCloseTo(-2 * 9.81 * 0.5, 9);

  const windy = S.createStrandWorld(1 / 60, [0, 0, 0]);
  windy.wind = [3, 0, 0];
  const blown = S.addStrand(windy, { ...SOFT, points: S.straight(5, 1), airDrag: 2 });
  for (let k = 0; k < 30; k++) S.stepStrand(windy, blown);
  expect(windy.tables.nodes.velocity[0]).toBeCloseTo(3 * (1 - (1 + 2 / 60) ** -30), 9);
});

test('user forces and moments act on their node and edge for one assembly', () => {
  const world = S.createStrandWorld(1 / 60, [0, 0, 0]);
  const strand = S.addStrand(world, { ...SOFT, points: S.straight(2, 1) });
  const { force, mass, velocity } = world.tables.nodes;
  force.set([0, 1, 0, 0.01], 0);
  force.set([0, 1, 0, 0], 4);
  S.stepStrand(world, strand);
  expect(velocity[1]).toBeCloseTo(1 / 60 / mass[0], 8);
  expect(velocity[3]).toBeCloseTo(0.01 / 60 / mass[1], 6);
});

test('the first twist mode of a straight rod has the frequency of a torsion bar', () => {
  // Free ends: omega = pi/L sqrt(G/rho); start in the mode's shape, count the quarter period.
  const n = 65;
  const world = S.createStrandWorld(2e-5, [0, 0, 0]);
  const strand = S.addStrand(world, { ...SOFT, points: S.straight(n, 1) });
  const { position } = world.tables.nodes;
  for (let i = 0; i < n - 1; i++) position[4 * i + 3] = 0.1 * Math.cos((Math.PI * (i + 0.5)) / (n - 1));
  let steps = 0;
  while (position[3] > 0 && steps < 5000) {
    S.stepStrand(world, strand);
    steps++;
  }
  const omega = Math.PI * Math.sqrt(SOFT.shear / SOFT.density);
  expect((steps * 2e-5 * omega) / (Math.PI / 2)).toBeCloseTo(1, 2);
});

test.each([
  ['hair, 1 cm', 20e-6, 0.01],
  ['hair, 30 cm', 35e-6, 0.3],
  ['rope, 100 m', 0.05, 100],
  ['rope far thicker than its edges', 0.05, 0.01],
])('a clamped %s swings for a second and stays whole', (_, radius, length) => {
  for (const n of [2, 3, 30]) {
    const world = S.createStrandWorld();
    const o = { radius, young: 4e9, damping: 1e-4, points: S.straight(n, length), clampStart: n > 2 };
    const strand = S.addStrand(world, o);
    for (let k = 0; k < 60; k++) S.stepStrand(world, strand);
    const { position } = world.tables.nodes;
    expect(position.every(Number.isFinite)).toBe(true);
    for (let i = 0; i < n - 1; i++) {
      const e = Math.hypot(...[0, 1, 2].map((k) => position[4 * i + 4 + k] - position[4 * i + k]));
      expect(Math.abs(e / (length / (n - 1)) - 1)).toBeLessThan(0.02);
    }
  }
});

test('a thousand nodes step', () => {
  const world = S.createStrandWorld();
  const strand = S.addStrand(world, { points: S.helix(1000, 0.01, 0.005, 40), clampStart: true });
  for (let k = 0; k < 3; k++) S.stepStrand(world, strand);
  expect(world.tables.nodes.position.every(Number.isFinite)).toBe(true);
});
