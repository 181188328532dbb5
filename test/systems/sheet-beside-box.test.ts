// Corners of a shape push a triangle of cloth that they are behind, and none that only its plane has them behind.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addRigidBody, addShell, createPhysics, shellPositions } from '../../src/index';

const RADIUS = 1e-3;

/** One triangle over a box of half extents 0.2, 0.5, 0.2 m, without weight; how far its vertices go in 30 steps [m]. */
function drift(vertices: number[][]): number {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  addRigidBody(physics, { type: 'static', shape: { box: [0.2, 0.5, 0.2] } });
  const sheet = addShell(physics, { vertices, triangles: [[0, 1, 2]], thickness: 2 * RADIUS });
  for (let k = 0; k < 30; k++) physics.step();
  const positions = shellPositions(physics, sheet);
  return Math.max(...vertices.flat().map((x, i) => Math.abs(positions[i] - x)));
}

/** Touches the side x = 0.2 with one edge and rises from it: its plane has the top's corners 0.15 m behind it. */
const steep = (gap: number) => [
  [0.2 + gap, 0.246, 0.1],
  [0.2 + gap, 0.246, 0.3],
  [0.2 + gap + 0.173, 0.346, 0.2],
];

test('a triangle that touches the side of a box with an edge is not pushed by the corners of its top', () => {
  expect(drift(steep(1.05 * RADIUS))).toBeLessThan(1e-6);
});
