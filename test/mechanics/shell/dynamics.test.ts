// Shells in motion: what turns freely keeps turning.

import { expect, test } from 'vitest';
import { createRodWorld } from '../../validation/strand-worlds';
import { addShellRows, gridMesh, shellDefinition } from './shell-world';

/** Share of its spin about y that a free napkin has after two seconds at 2 rad/s. */
function spinLeft(damping: number): number {
  const world = createRodWorld({ gravity: [0, 0, 0], elastic: { backend: 'wasm' } });
  const mesh = gridMesh(5, 5, 0.3, 0.3);
  const slot = addShellRows(world, shellDefinition(mesh, { parameter: [0.5e-3, 400, 1e6, 0, 1e6, damping, 0.3, 0] }));
  const { nodes, rods } = world.tables;
  const count = rods.nodeCount[slot];
  const moment = () => {
    let sum = 0;
    for (let v = 0; v < count; v++) {
      const [x, z] = [nodes.position[4 * v] - 0.15, nodes.position[4 * v + 2] - 0.15];
      sum += nodes.mass[2 * v] * (z * nodes.velocity[4 * v] - x * nodes.velocity[4 * v + 2]);
    }
    return sum;
  };
  for (let v = 0; v < count; v++) {
    nodes.velocity[4 * v] = 2 * (nodes.position[4 * v + 2] - 0.15);
    nodes.velocity[4 * v + 2] = -2 * (nodes.position[4 * v] - 0.15);
    for (let k = 0; k < 3; k++) nodes.previous[4 * v + k] = nodes.position[4 * v + k] - nodes.velocity[4 * v + k] / 60;
  }
  const before = moment();
  for (let k = 0; k < 120; k++) world.physics.step();
  return moment() / before;
}

test('a napkin that turns freely keeps turning, damped or not', () => {
  expect(spinLeft(0)).toBeGreaterThan(0.8);
  expect(spinLeft(0.01)).toBeGreaterThan(0.8);
});
