import { expect, test } from 'vitest';
import { strandEnergy } from '../../../src/mechanics/rod/strand-energy';
import { updateFrames } from '../../../src/mechanics/rod/update-frames';
import * as S from './strand-world';

const SOFT = { radius: 0.02, young: 1e6, shear: 4e5, stretch: 1e6, density: 1000 };
const elastic = (world: S.StrandWorld, strand: number) => {
  const e = strandEnergy(world.tables, strand);
  return e.stretch + e.bend + e.twist;
};

test('masses and inertias add up to those of a solid cylinder', () => {
  const world = S.createStrandWorld();
  S.addStrand(world, { ...SOFT, points: S.straight(9, 2) });
  const { mass, rest } = world.tables.nodes;
  const sum = (at: number) => Array.from({ length: 9 }, (_, i) => mass[2 * i + at]).reduce((a, b) => a + b);
  const total = 1000 * Math.PI * 0.02 ** 2 * 2;
  expect(sum(0)).toBeCloseTo(total, 12);
  expect(sum(1)).toBeCloseTo(0.5 * total * 0.02 ** 2, 14);
  expect([rest[0], rest[1], rest[9], rest[8 * 8 + 1]].map((x) => Math.round(x * 1e9) / 1e9)).toEqual([
    0.25, 0.125, 0.25, 0.125,
  ]);
});

test('every polyline is at rest in its own shape', () => {
  for (const points of [
    S.straight(8, 1),
    S.helix(30, 0.2, 0.1, 3),
    [0, 0, 0, 1, 0, 0, 1, 0.2, 0, 1, 0.2, 0.7, 0.5, 0, 1],
  ]) {
    const world = S.createStrandWorld();
    const strand = S.addStrand(world, { ...SOFT, points });
    expect(elastic(world, strand)).toBeLessThan(1e-20);
    expect(Math.max(...S.elasticForces(world, strand).map(Math.abs))).toBeLessThan(1e-9);
  }
});

test('a straight rod with a curly rest shape curls up, and ends in the rest shape', () => {
  const world = S.createStrandWorld(1 / 60, [0, 0, 0]);
  const rest = S.helix(25, 0.1, 0.05, 2);
  const length = Math.hypot(rest[3] - rest[0], rest[4] - rest[1], rest[5] - rest[2]) * 24;
  const strand = S.addStrand(world, { ...SOFT, damping: 0.02, points: S.straight(25, length), restPoints: rest });
  const start = elastic(world, strand);
  // Bending energy of a straight rod: EI/2 times the sum of curvature squared over length.
  expect(start).toBeGreaterThan(0);
  for (let k = 0; k < 900; k++) S.stepStrand(world, strand);
  expect(elastic(world, strand)).toBeLessThan(1e-6 * start);
  const { position } = world.tables.nodes;
  const span = (p: ArrayLike<number>, s: number) =>
    Math.hypot(p[24 * s] - p[0], p[24 * s + 1] - p[1], p[24 * s + 2] - p[2]);
  expect(span(position, 4) / span(rest, 3)).toBeCloseTo(1, 2);
});

test('winding an end up stores twist energy GJ φ²/2L, whole turns included', () => {
  const world = S.createStrandWorld(1 / 60, [0, 0, 0]);
  const strand = S.addStrand(world, { ...SOFT, points: S.straight(21, 1), clampStart: true, clampEnd: true });
  const { strands } = world.tables;
  const turns = 3;
  for (let k = 1; k <= 60 * turns; k++) {
    const angle = (2 * Math.PI * k) / 60;
    // The end's director in the plane normal to x.
    const d = S.materialDirector(world, 0);
    const e = [0, -d[2], d[1]];
    strands.clamp.set(
      [0, 1, 2].map((c) => Math.cos(angle) * d[c] + Math.sin(angle) * e[c]),
      24 * strand + 18,
    );
    S.stepStrand(world, strand);
  }
  world.tables.rods.parameter[5] = 0.05;
  for (let k = 0; k < 100; k++) S.stepStrand(world, strand);
  const { twist } = strandEnergy(world.tables, strand);
  const stiffness = 4e5 * 0.5 * Math.PI * 0.02 ** 4;
  // From the middle of the first edge to the middle of the last: 19/20 of the length.
  expect(twist / ((0.5 * stiffness * (2 * Math.PI * turns) ** 2) / 0.95)).toBeCloseTo(1, 6);
});

test('a rod carried around a loop of positions comes back with its writhe as twist', () => {
  // The last edge's tangent goes round a spherical triangle of area π/2: its director has turned by π/2 about it.
  const world = S.createStrandWorld(1 / 60, [0, 0, 0]);
  const strand = S.addStrand(world, { ...SOFT, points: S.straight(3, 2) });
  const { position, previous, frame } = world.tables.nodes;
  const path = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 0],
  ];
  const parts = 40;
  for (let leg = 0; leg < 3; leg++) {
    for (let k = 1; k <= parts; k++) {
      const a = (0.5 * Math.PI * k) / parts;
      previous.set(position);
      for (let c = 0; c < 3; c++) {
        position[8 + c] = position[4 + c] + Math.cos(a) * path[leg][c] + Math.sin(a) * path[leg + 1][c];
      }
      updateFrames(world.tables, strand);
    }
  }
  expect(frame[4 + 3]).toBeCloseTo(Math.PI / 2, 10);
});
