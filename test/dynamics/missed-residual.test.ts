// Islands that keep missing their residual are told of, with the setting that helps; standing worlds of every size and
// time step have nothing to tell.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { addRigidBody, createPhysics, type Physics, type PhysicsSettings } from '../../src/index';
import { bySuite, longTest } from '../setup/suite';

/** A pyramid of cubes with edges of `size` [m], `base` wide; the top one has `load` times the mass of the others. */
function addPyramid(physics: Physics, size: number, base: number, load = 1): number[] {
  const half = size / 2;
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const added: number[] = [];
  for (let row = 0; row < base; row++) {
    for (let i = 0; i < base - row; i++) {
      const position = [size * (1.02 * i + 0.51 * row), half + size * row, 0];
      const mass = size ** 3 * (row === base - 1 ? load : 1);
      added.push(addRigidBody(physics, { shape: { box: [half, half, half] }, position, mass }));
    }
  }
  return added;
}

const make = (settings: PhysicsSettings) =>
  createPhysics(createWorld(), { sleeping: false, userTiming: false, warn: null, ...settings });

/** Steps with a limit told, and the last one that was. */
function countTold(physics: Physics, steps: number): { told: number; last: string } {
  let told = 0;
  let last = '';
  for (let k = 0; k < steps; k++) {
    physics.step();
    told += physics.report.limits.length;
    last = physics.report.limits[0] ?? last;
  }
  return { told, last };
}

longTest.each([
  [
    'few sweeps',
    { solver: 'gauss-seidel' },
    /^sweeps \(1\): the island of entity \d+, 120 bodies, .* or solver 'auto'/,
  ],
  ...bySuite([], [['many sweeps', { solver: 'gauss-seidel', sweeps: 16, substeps: 8 }, null] as const]),
  ['the default solver', {}, null],
] as const)('a thousandfold load on a pyramid: %s leave as much as is told', (_, settings, expected) => {
  const physics = make(settings);
  addPyramid(physics, 1, 15, 1000);
  const { told, last } = countTold(physics, 180);
  if (expected === null) expect(told).toBe(0);
  else expect(last).toMatch(expected);
});

describe.each([0.01, 1, 50, 100])('a pyramid of cubes of %s m', (size) => {
  test.each([1 / 30, 1 / 240])('stands as well as any at steps of %s s, and nothing is told', (timeStep) => {
    const physics = make({ timeStep });
    const added = addPyramid(physics, size, 8);
    expect(countTold(physics, 60).told).toBe(0);
    const { x, y, z } = physics.components.Transform.position;
    const before = added.map((eid) => [x[eid], y[eid], z[eid]]);
    expect(countTold(physics, 180).told).toBe(0);
    const moved = added.map((eid, i) =>
      Math.hypot(x[eid] - before[i][0], y[eid] - before[i][1], z[eid] - before[i][2]),
    );
    expect(Math.max(...moved)).toBeLessThan(1e-7 * size + 3e-8);
    expect(physics.report.penetration).toBeLessThan(1e-6 * size + 3e-8);
  });
});
