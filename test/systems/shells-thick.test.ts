// Cloth that is thicker than its mesh is fine: what is near in the shape at rest is found without trying all ways.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addShell, createPhysics } from '../../src/index';
import { gridMesh } from '../mechanics/shell/shell-world';

/** Processor time of a step of a sheet with edges of 5 mm [ms]. */
function timeOf(thickness: number): number {
  const physics = createPhysics(createWorld(), { userTiming: false });
  const { points, triangles } = gridMesh(10, 10, 0.05, 0.05);
  addShell(physics, { vertices: points, triangles, thickness, stretchModulus: 1e5, selfContact: true });
  physics.step();
  let least = Infinity;
  for (let k = 0; k < 4; k++) {
    const start = process.cpuUsage().user;
    physics.step();
    least = Math.min(least, (process.cpuUsage().user - start) / 1000);
  }
  expect(physics.report.strands.contacts).toBe(0);
  return least;
}

test('a sheet nine times as thick as its edges are long costs a few times one as thick as they are', () => {
  timeOf(0.005);
  // 350 times when every way through the mesh was walked; now 6.
  expect(timeOf(0.045)).toBeLessThan(40 * Math.max(timeOf(0.005), 1));
});
