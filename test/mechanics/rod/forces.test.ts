import { expect, test } from 'vitest';
import { factorBanded } from '../../../src/math/banded-ldl';
import { strandEnergy, strandForces } from '../../../src/mechanics/rod/strand-energy';
import { updateFrames } from '../../../src/mechanics/rod/update-frames';
import * as S from './strand-world';

const UNIT = { radius: 0.1, young: 3e4, shear: 1.2e4, stretch: 5e3, density: 1000 };

/** Elastic energy at the strand's position + change of unknown k, frames carried there. */
function energyAt(world: S.StrandWorld, strand: number, k: number, change: number): number {
  const { nodes, strands } = world.tables;
  const at = 4 * strands.first[strand];
  const end = at + 4 * strands.nodes[strand];
  const [position, previous, frame] = [nodes.position, nodes.previous, nodes.frame].map((c) => c.slice(at, end));
  nodes.previous.set(position, at);
  nodes.position[at + k] += change;
  updateFrames(world.tables, strand);
  const e = strandEnergy(world.tables, strand);
  nodes.position.set(position, at);
  nodes.previous.set(previous, at);
  nodes.frame.set(frame, at);
  return e.stretch + e.bend + e.twist;
}

function forcesAt(world: S.StrandWorld, strand: number, k: number, change: number): Float64Array {
  const { nodes, strands } = world.tables;
  const at = 4 * strands.first[strand];
  const end = at + 4 * strands.nodes[strand];
  const [position, previous, frame] = [nodes.position, nodes.previous, nodes.frame].map((c) => c.slice(at, end));
  nodes.previous.set(position, at);
  nodes.position[at + k] += change;
  updateFrames(world.tables, strand);
  const f = S.elasticForces(world, strand);
  nodes.position.set(position, at);
  nodes.previous.set(previous, at);
  nodes.frame.set(frame, at);
  return f;
}

test.each([
  ['straight rest', S.straight(9, 2), 0.06, 0.4],
  ['helix rest', S.helix(9, 0.4, 0.3, 1.5), 0.05, 0.8],
  ['strongly bent and twisted', S.straight(9, 2), 0.12, 2.5],
  ['three nodes', S.straight(3, 1), 0.15, 1],
])('forces are minus the energy gradient: %s', (_, points, amount, turn) => {
  for (let seed = 1; seed <= 4; seed++) {
    const world = S.createStrandWorld();
    const strand = S.addStrand(world, { ...UNIT, points });
    S.shake(world, strand, amount, turn, seed);
    const forces = S.elasticForces(world, strand);
    const largest = Math.max(...forces.map(Math.abs));
    expect(largest).toBeGreaterThan(1);
    const h = 1e-5;
    // Fourth-order central differences: truncation far below 1e-6.
    for (let k = 0; k < forces.length; k++) {
      const near = energyAt(world, strand, k, h) - energyAt(world, strand, k, -h);
      const far = energyAt(world, strand, k, 2 * h) - energyAt(world, strand, k, -2 * h);
      const slope = (8 * near - far) / (12 * h);
      expect(Math.abs(forces[k] + slope)).toBeLessThan(1e-6 * largest);
    }
  }
});

test('forces are minus the energy gradient where rest shape and stiffness differ along the strand', () => {
  for (let seed = 1; seed <= 4; seed++) {
    const world = S.createStrandWorld();
    const points = S.straight(9, 2);
    const strand = S.addStrand(world, { ...UNIT, points, along: S.uneven(points, seed) });
    S.shake(world, strand, 0.06, 0.4, seed);
    const forces = new Float64Array(36);
    strandForces(forces, 0, world.tables, strand);
    const assembled = S.elasticForces(world, strand);
    const largest = Math.max(...forces.map(Math.abs));
    for (let k = 0; k < forces.length; k++) {
      const near = energyAt(world, strand, k, 1e-5) - energyAt(world, strand, k, -1e-5);
      const far = energyAt(world, strand, k, 2e-5) - energyAt(world, strand, k, -2e-5);
      expect(Math.abs(forces[k] + (8 * near - far) / 12e-5)).toBeLessThan(1e-6 * largest);
      expect(Math.abs(forces[k] - assembled[k])).toBeLessThan(1e-9 * largest);
    }
  }
});

test('energies are those of the formulas, each edge and node with its own numbers', () => {
  const world = S.createStrandWorld();
  const n = 4;
  const lengths = [0.5, 0.8, 1.1, 9];
  const stretchFactors = [2, 3, 0.5, 9];
  const curvatures = [9, 9, 9, 9, 0.1, 0.2, 0.3, 0.4, -0.1, 0, 0.2, 0, 9, 9, 9, 9];
  const along = { lengths, stretchFactors, curvatures, twists: [9, 0.3, -0.2, 9], bendFactors: [9, 2, 0.25, 9] };
  const strand = S.addStrand(world, {
    ...UNIT,
    points: S.straight(n, 3),
    along: { ...along, twistFactors: [9, 4, 0.5, 9] },
  });
  const area = Math.PI * 0.01;
  const bend = 3e4 * area * 0.0025;
  const twist = 1.2e4 * area * 0.005;
  const square = (list: number[]) => list.reduce((sum, x) => sum + x * x, 0);
  const energy = strandEnergy(world.tables, strand);
  const strained = [0, 1, 2].map((i) => 0.5 * stretchFactors[i] * 5e3 * area * (1 / lengths[i] - 1) ** 2 * lengths[i]);
  expect(energy.stretch).toBeCloseTo(strained[0] + strained[1] + strained[2], 9);
  // Voronoi lengths stay 1, as drawn.
  expect(energy.bend).toBeCloseTo((bend / 4) * (2 * square([0.1, 0.2, 0.3, 0.4]) + 0.25 * square([0.1, 0.2])), 9);
  expect(energy.twist).toBeCloseTo((twist / 2) * (4 * 0.09 + 0.5 * 0.04), 9);
  // So do masses.
  expect(world.tables.nodes.mass[2]).toBeCloseTo(1000 * area, 9);
});

test('the forces alone are those of the assembled step', () => {
  const world = S.createStrandWorld();
  const strand = S.addStrand(world, { ...UNIT, points: S.helix(9, 0.4, 0.3, 1.5) });
  S.shake(world, strand, 0.05, 0.8, 5);
  const forces = new Float64Array(36);
  strandForces(forces, 0, world.tables, strand);
  const assembled = S.elasticForces(world, strand);
  for (let k = 0; k < 36; k++) expect(forces[k]).toBeCloseTo(assembled[k], 9);
});

test('each energy alone has the right gradient', () => {
  for (const [young, shear, stretch] of [
    [3e4, 0, 0],
    [0, 3e4, 0],
    [0, 0, 3e4],
  ]) {
    const world = S.createStrandWorld();
    const strand = S.addStrand(world, { ...UNIT, young, shear, stretch, points: S.helix(7, 0.4, 0.3, 1) });
    S.shake(world, strand, 0.05, 1, 7);
    const forces = S.elasticForces(world, strand);
    const largest = Math.max(...forces.map(Math.abs));
    for (let k = 0; k < forces.length; k++) {
      const slope = (energyAt(world, strand, k, 1e-5) - energyAt(world, strand, k, -1e-5)) / 2e-5;
      expect(Math.abs(forces[k] + slope)).toBeLessThan(1e-6 * largest);
    }
  }
});

test('the stiffness matrix is the derivative of the forces where the rod is unstressed', () => {
  const world = S.createStrandWorld();
  const strand = S.addStrand(world, { ...UNIT, points: S.helix(6, 0.4, 0.3, 1) });
  const size = 24;
  const { A } = S.assemble(world, strand);
  const { mass } = world.tables.nodes;
  const full = S.fullMatrix(A, size);
  const h = 1e-6;
  let largest = 0;
  let error = 0;
  for (let k = 0; k < size - 1; k++) {
    const plus = forcesAt(world, strand, k, h);
    const minus = forcesAt(world, strand, k, -h);
    for (let i = 0; i < size - 1; i++) {
      const inertia = i === k ? mass[2 * (i >> 2) + (i % 4 === 3 ? 1 : 0)] : 0;
      const stiffness = (full[i][k] - inertia) / world.timeStep ** 2;
      largest = Math.max(largest, Math.abs(stiffness));
      error = Math.max(error, Math.abs(stiffness + (plus[i] - minus[i]) / (2 * h)));
    }
  }
  expect(error).toBeLessThan(1e-6 * largest);
});

test('the matrix is positive definite for random bent, twisted, crushed and stretched states', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const world = S.createStrandWorld(1 / 60);
    const strand = S.addStrand(world, { ...UNIT, points: S.straight(12, 2) });
    S.shake(world, strand, 0.02 * seed, 0.2 * seed, seed);
    const { A, f } = S.assemble(world, strand);
    expect(A.every(Number.isFinite)).toBe(true);
    expect(factorBanded(A, 0, f.length, 10)).toBe(-1);
  }
});

test('a rod moved as a rigid body has no elastic force', () => {
  const world = S.createStrandWorld();
  const points = S.helix(10, 0.4, 0.3, 1.5);
  const moved = [];
  for (let i = 0; i < 10; i++) {
    // A turn of 90 degrees about z, of 180 about the new x, and a shift.
    const [x, y, z] = points.slice(3 * i, 3 * i + 3);
    moved.push(3 - y, -x, 2 - z);
  }
  const strand = S.addStrand(world, { ...UNIT, points: moved, restPoints: points });
  expect(Math.max(...S.elasticForces(world, strand).map(Math.abs))).toBeLessThan(1e-9);
});
