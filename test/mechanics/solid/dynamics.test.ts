// Solids in the implicit step, without contacts, on both backends.

import { expect, test } from 'vitest';
import { solidEnergy } from '../../../src/mechanics/solid/solid-energy';
import { SOLID_MODELS } from '../../../src/mechanics/solid/stretch-energy';
import { bySuite, longTest } from '../../setup/suite';
import { createRodWorld, type RodWorld } from '../../validation/strand-worlds';
import { pin } from '../shell/shell-world';
import { addSolidRows, box, solidDefinition } from './solid-world';

const BACKENDS = ['reference', 'wasm'] as const;

/** Linear momentum, angular momentum about the centre of mass, and the centre of mass of a solid. */
function momenta({ tables }: RodWorld, slot: number): { p: number[]; l: number[]; centre: number[] } {
  const { nodes, rods } = tables;
  const first = rods.nodeStart[slot];
  const range = Array.from({ length: rods.nodeCount[slot] }, (_, i) => first + i);
  const mass = range.reduce((sum, n) => sum + nodes.mass[2 * n], 0);
  const sum = (of: (n: number, k: number) => number) =>
    [0, 1, 2].map((k) => range.reduce((total, n) => total + nodes.mass[2 * n] * of(n, k), 0));
  const centre = sum((n, k) => nodes.position[4 * n + k]).map((x) => x / mass);
  const p = sum((n, k) => nodes.velocity[4 * n + k]);
  const l = [0, 1, 2].map((k) => {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    return range.reduce((total, n) => {
      const arm = (c: number) => nodes.position[4 * n + c] - centre[c];
      const v = (c: number) => nodes.velocity[4 * n + c] - p[c] / mass;
      return total + nodes.mass[2 * n] * (arm(i) * v(j) - arm(j) * v(i));
    }, 0);
  });
  return { p, l, centre };
}

test.each(BACKENDS)('a solid falls freely as a body does, without strain (%s)', (backend) => {
  const world = createRodWorld({ gravity: [0, -10, 0], elastic: { backend } });
  const slot = addSolidRows(world, solidDefinition(box([2, 2, 2], [0, 0, 0], [1, 1, 1]), { young: 1e5 }));
  for (let k = 0; k < 60; k++) world.physics.step();
  // Σ h·v of implicit Euler: g t²/2 (1 + 1/60).
  expect(momenta(world, slot).centre[1]).toBeCloseTo(0.5 - 5 * (61 / 60), 5);
  expect(solidEnergy(world.tables, 0).strain).toBeLessThan(1e-6);
});

test.each(Object.entries(SOLID_MODELS))('a stiff, damped solid goes on turning: %s', (_name, model) => {
  const dt = 1 / 240;
  const world = createRodWorld({ gravity: [0, 0, 0], timeStep: dt, elastic: { backend: 'reference' } });
  const mesh = box([4, 1, 1], [-0.5, -0.1, -0.1], [0.5, 0.1, 0.1]);
  const slot = addSolidRows(world, solidDefinition(mesh, { young: 1e8, damping: 0.01, model }));
  const { nodes } = world.tables;
  const omega = 3;
  for (let n = 0; n < world.tables.rods.nodeCount[slot]; n++) {
    nodes.velocity[4 * n] = -omega * nodes.position[4 * n + 1];
    nodes.velocity[4 * n + 1] = omega * nodes.position[4 * n];
  }
  const before = momenta(world, slot);
  const count = 120;
  for (let k = 0; k < count; k++) world.physics.step();
  const after = momenta(world, slot);
  for (let k = 0; k < 3; k++) expect(Math.abs(after.p[k])).toBeLessThan(1e-9);
  // Implicit Euler itself loses (ω dt)² a step: 1/ω² = 1/ω₀² + 2 n dt².
  const ideal = 1 / Math.sqrt(1 + 2 * count * (omega * dt) ** 2);
  expect(Math.abs(after.l[2] / before.l[2] / ideal - 1)).toBeLessThan(2e-3);
});

test.each(BACKENDS)('a cantilever of linear tetrahedra comes to rest where statics has it (%s)', (backend) => {
  const world = createRodWorld({ gravity: [0, 0, 0], timeStep: 1, elastic: { backend } });
  const mesh = box([10, 1, 1], [0, 0, 0], [10, 1, 1]);
  const slot = addSolidRows(world, solidDefinition(mesh, { young: 1e5, density: 1 }));
  const { nodes, rods } = world.tables;
  const tip: number[] = [];
  for (let v = 0; v < rods.nodeCount[slot]; v++) {
    if (mesh.vertices[3 * v] === 0) pin(world.physics.internal.engine, slot, v);
    if (mesh.vertices[3 * v] === 10) tip.push(v);
  }
  for (let k = 0; k < 60; k++) {
    for (const v of tip) nodes.force[4 * v + 1] = -1 / tip.length;
    world.physics.step();
  }
  const drop = tip.reduce((sum, v) => sum + mesh.vertices[3 * v + 1] - nodes.position[4 * v + 1], 0) / tip.length;
  // fem-beam.json, linear_tets_kuhn of 10 × 1 × 1 cells.
  expect(Math.abs(drop / 0.008843414682992809 - 1)).toBeLessThan(1e-3);
});

const models = Object.entries(SOLID_MODELS);

// The hardest of the laws here: its energy grows beyond all bounds.
longTest.each(
  bySuite(
    models.filter(([name]) => name === 'neo-hookean'),
    models,
  ),
)('a block crushed to no thickness, or turned inside out, recovers: %s', (_name, model) => {
  for (const [height, turn] of [
    [0, 1],
    [-0.6, 1],
    [0, 0],
  ]) {
    const world = createRodWorld({ gravity: [0, 0, 0], elastic: { backend: 'reference' } });
    const mesh = box([3, 3, 3], [0, 0, 0], [1, 1, 1]);
    const points = Array.from(mesh.vertices, (x, k) => (k % 3 === 1 ? height * x : turn === 0 ? 0 : x));
    const slot = addSolidRows(world, solidDefinition(mesh, { young: 1e5, damping: 0.01, model }, { points }));
    for (let k = 0; k < 120; k++) world.physics.step();
    // The original shape, up to where it is and how it is turned: all distances.
    const x = world.tables.nodes.position;
    let worst = 0;
    for (let i = 0; i < world.tables.rods.nodeCount[slot]; i++)
      for (let j = 0; j < i; j++) {
        const far = (p: ArrayLike<number>, s: number) =>
          Math.hypot(...[0, 1, 2].map((k) => p[s * i + k] - p[s * j + k]));
        worst = Math.max(worst, Math.abs(far(x, 4) - far(mesh.vertices, 3)));
      }
    expect(worst).toBeLessThan(0.01);
  }
});
