// What contacts miss: a centre that would be inside something static or driven after the step.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { addRigidBody, createPhysics, type RigidBodySpec, type ShapeSpec } from '../../src/index';

const SIZE = 0.1;
const SHEET: ShapeSpec = {
  mesh: {
    vertices: [
      [-9, 0, -9],
      [-9, 0, 9],
      [9, 0, -9],
      [9, 0, 9],
    ],
    triangles: [
      [0, 1, 2],
      [2, 1, 3],
    ],
  },
};
// All have their upper surface at y = 0.
const GROUNDS: [name: string, spec: RigidBodySpec][] = [
  ['plane', { shape: { plane: [0, 1, 0] } }],
  ['thin box', { shape: { box: [9, 0.01, 9] }, position: [0, -0.01, 0] }],
  ['mesh', { shape: SHEET }],
  ['cylinder', { shape: { cylinder: [9, 0.01] }, position: [0, -0.01, 0] }],
];

/** A cube at `from` beside the ground; then, as if contacts had missed it, moved to `to` within the step. */
function slip(ground: RigidBodySpec, from: number[], to: number[], cube: Partial<RigidBodySpec> = {}): number[] {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  addRigidBody(physics, { type: 'static', ...ground });
  const entity = addRigidBody(physics, {
    shape: { box: [SIZE, SIZE, SIZE] },
    position: from as [number, number, number],
    ...cube,
  });
  physics.step();
  const { kernels, tables } = physics.internal.engine;
  const slot = physics.internal.slotOf[entity] as number;
  // The step may have parted what overlapped: the way begins where the step began.
  tables.bodies.position.set(to, 4 * slot);
  const velocity = [...tables.bodies.linearVelocity.subarray(4 * slot, 4 * slot + 3)];
  kernels.keepOutside();
  expect([...tables.bodies.linearVelocity.subarray(4 * slot, 4 * slot + 3)]).toEqual(velocity);
  return [...tables.bodies.position.subarray(4 * slot, 4 * slot + 3)];
}

describe.each(GROUNDS)('a %s', (name, ground) => {
  test('is not entered: the centre goes on along the surface, just above it', () => {
    const [x, y, z] = slip(ground, [0, 0.12, 0], [0.3, -0.5, -0.2]);
    expect(x).toBeCloseTo(0.3, 12);
    expect(z).toBeCloseTo(-0.2, 12);
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(0.02 * SIZE);
  });

  test('leaves ways alone that stay outside, or begin inside', () => {
    expect(slip(ground, [0, 0.12, 0], [0.3, 0.01, -0.2])).toEqual([0.3, 0.01, -0.2]);
    if (name !== 'mesh') expect(slip(ground, [0, -0.005, 0], [0.3, -0.5, 0])).toEqual([0.3, -0.5, 0]);
  });

  test('lets through what the game decides about, and what only senses', () => {
    const to = [0.3, -0.5, -0.2];
    expect(slip(ground, [0, 0.12, 0], to, { modifyContacts: true })).toEqual(to);
    expect(slip({ ...ground, sensor: true }, [0, 0.12, 0], to)).toEqual(to);
  });
});

test('a mesh is passed from behind', () => {
  expect(slip({ shape: SHEET }, [0, -0.12, 0], [0.1, 0.5, 0])).toEqual([0.1, 0.5, 0]);
});

test('in a groove the centre stays in front of both sides', () => {
  const groove: ShapeSpec = {
    mesh: {
      vertices: [
        [-9, 9, -9],
        [-9, 9, 9],
        [0, 0, -9],
        [0, 0, 9],
        [9, 9, -9],
        [9, 9, 9],
      ],
      triangles: [
        [0, 1, 2],
        [2, 1, 3],
        [2, 3, 4],
        [4, 3, 5],
      ],
    },
  };
  const [x, y, z] = slip({ shape: groove }, [0.02, 0.2, 0], [0.1, -0.7, 0.4]);
  expect(y).toBeGreaterThan(Math.abs(x));
  expect(y).toBeLessThan(Math.abs(x) + 0.05 * SIZE);
  expect(z).toBeCloseTo(0.4, 12);
});

test('what a driven wall sweeps over is taken along', () => {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  const wall = addRigidBody(physics, { type: 'kinematic', shape: { box: [0.02, 2, 2] }, position: [-0.15, 0, 0] });
  const cube = addRigidBody(physics, { shape: { box: [SIZE, SIZE, SIZE] } });
  physics.step();
  const { kernels, tables } = physics.internal.engine;
  const slots = [wall, cube].map((e) => physics.internal.slotOf[e] as number);
  tables.bodies.position.set([0.5, 0, 0], 4 * slots[0]);
  kernels.keepOutside();
  expect(tables.bodies.position[4 * slots[1]]).toBeGreaterThan(0.52);
  expect(tables.bodies.position[4 * slots[1]]).toBeLessThan(0.52 + 0.02 * SIZE);
});
