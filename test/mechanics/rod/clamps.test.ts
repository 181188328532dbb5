import { expect, test } from 'vitest';
import { multiplyQuaternion } from '../../../src/math/quaternion';
import * as L from '../../../src/state/layout';
import * as S from './strand-world';

const SOFT = { radius: 0.02, young: 1e6, shear: 4e5, stretch: 1e6, density: 1000, damping: 1e-3 };

test('clamped nodes, tangent and twist are held to the last digits under gravity', () => {
  const world = S.createStrandWorld();
  const strand = S.addStrand(world, { ...SOFT, points: S.straight(12, 1), clampStart: true, clampEnd: true });
  const { position } = world.tables.nodes;
  const before = position.slice();
  for (let k = 0; k < 30; k++) S.stepStrand(world, strand);
  for (const i of [0, 1, 10, 11])
    for (let k = 0; k < 3; k++) expect(position[4 * i + k]).toBeCloseTo(before[4 * i + k], 14);
  expect(position[3]).toBe(0);
  expect(position[4 * 10 + 3]).toBeCloseTo(0, 14);
  expect(position[4 * 5 + 1]).toBeLessThan(-1e-3);
});

test('a clamp follows a kinematic body to its target exactly, turning the rod with it', () => {
  const world = S.createStrandWorld(1 / 60, [0, 0, 0]);
  const { bodies } = world.tables;
  bodies.flags[0] = L.BODY_ALIVE | L.BODY_KINEMATIC | L.BODY_HAS_TARGET;
  bodies.position.set([0, 1, 0, 0], 0);
  bodies.rotation.set([0, 0, 0, 1], 0);
  bodies.targetPosition.set([0, 1, 0, 0], 0);
  const strand = S.addStrand(world, { ...SOFT, points: S.straight(8, 1), clampStart: true, attachStart: 0 });
  const clamp = world.tables.strands.clamp;
  // The pose in the body's frame: the body stands one metre above the rod's start.
  clamp[1] -= 1;
  clamp[4] -= 1;
  const local = clamp.slice(6, 9);
  const q = bodies.targetRotation;
  q.set([0, 0, 0, 1], 0);
  // A turn about x (twist) and about y (direction), 40 steps each way of the step.
  const half = Math.PI / 80;
  for (let k = 0; k < 40; k++) {
    multiplyQuaternion(q, 0, Float64Array.of(Math.sin(half), 0, 0, Math.cos(half)), 0, q, 0);
    multiplyQuaternion(q, 0, Float64Array.of(0, Math.sin(half), 0, Math.cos(half)), 0, q, 0);
    bodies.targetPosition[0] += 0.01;
    S.stepStrand(world, strand);
    bodies.position.set(bodies.targetPosition.subarray(0, 4), 0);
    bodies.rotation.set(q.subarray(0, 4), 0);
    const matrix = rotate(q, [...local]);
    const director = S.materialDirector(world, 0);
    for (let c = 0; c < 3; c++) expect(director[c]).toBeCloseTo(matrix[c], 10);
    const foot = rotate(q, [0, -1, 0]);
    for (let c = 0; c < 3; c++) {
      expect(world.tables.nodes.position[c]).toBeCloseTo(bodies.targetPosition[c] + foot[c], 12);
    }
  }
});

test('a clamp on a dynamic body is where the body will be at the end of the step', () => {
  const world = S.createStrandWorld(0.1, [0, 0, 0]);
  const { bodies, nodes, strands } = world.tables;
  bodies.flags[0] = L.BODY_ALIVE | L.BODY_DYNAMIC;
  bodies.rotation.set([0, 0, 0, 1], 0);
  bodies.linearVelocity.set([0, 2, 0], 0);
  bodies.angularVelocity.set([0, 0, Math.PI], 0);
  const strand = S.addStrand(world, { ...SOFT, points: S.straight(6, 1), clampEnd: true, attachEnd: 0 });
  S.stepStrand(world, strand);
  const a = 0.1 * Math.PI;
  const at = 4 * (strands.first[strand] + 5);
  expect(nodes.position[at]).toBeCloseTo(Math.cos(a), 12);
  expect(nodes.position[at + 1]).toBeCloseTo(Math.sin(a) + 0.2, 12);
});

test('collapsed edges, folded corners and whole strands in one point stay finite', () => {
  const spoil: ((p: Float64Array) => void)[] = [
    (p) => p.set(p.slice(8, 11), 12),
    (p) => p.set(p.slice(4, 7), 12),
    (p) => p.fill(0),
    (p) => p.set([...p.slice(8, 11).map((x) => x + 1e-30)], 12),
  ];
  for (const change of spoil) {
    const world = S.createStrandWorld();
    const strand = S.addStrand(world, { ...SOFT, points: S.straight(8, 1), clampStart: true });
    const { nodes } = world.tables;
    change(nodes.position.subarray(0, 32));
    for (let k = 0; k < 100; k++) S.stepStrand(world, strand);
    expect(nodes.position.every(Number.isFinite)).toBe(true);
    expect(nodes.frame.every(Number.isFinite)).toBe(true);
  }
  // Repeated points in the rest shape itself.
  const world = S.createStrandWorld();
  const strand = S.addStrand(world, { ...SOFT, points: [0, 0, 0, 0, 0, 0, 0.1, 0, 0, 0.1, 0, 0, 0.2, 0, 0.1] });
  for (let k = 0; k < 20; k++) S.stepStrand(world, strand);
  expect(world.tables.nodes.position.every(Number.isFinite)).toBe(true);
});

test('a quarantined strand gets the identity and no velocity', () => {
  const world = S.createStrandWorld();
  const strand = S.addStrand(world, { ...SOFT, points: S.straight(5, 1) });
  world.tables.strands.flags[strand] |= L.STRAND_QUARANTINED;
  world.tables.nodes.position.fill(Number.NaN);
  expect([...S.solveStep(world, strand)]).toEqual(new Array(20).fill(0));
});

function rotate(q: ArrayLike<number>, v: number[]): number[] {
  const [x, y, z, w] = [q[0], q[1], q[2], q[3]];
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1],
    v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}
