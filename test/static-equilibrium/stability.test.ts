// The least eigenvalue of a strand's stiffness against buckling and vibration in closed form.

import { expect, it } from 'vitest';
import { DEFAULT_BOUNDS } from '../../src/static-equilibrium/bounds';
import { createInternalForces, findInternalForces } from '../../src/static-equilibrium/internal-forces';
import { fitParameters } from '../../src/static-equilibrium/nearest-parameters';
import { createParameters } from '../../src/static-equilibrium/parameters';
import {
  countBelow,
  createStabilityWork,
  leastEigenvalue,
  writeGeometricStiffness,
  writeStiffness,
} from '../../src/static-equilibrium/stability';
import { draw, HAIR, straight } from './strands';

function eigenvalue(points: Float64Array, material = HAIR, gravity = [0, -9.81, 0]) {
  const drawn = draw(points, material, gravity);
  const n = drawn.nodes;
  const forces = createInternalForces(n);
  findInternalForces(forces, drawn);
  const p = createParameters(n);
  fitParameters(p, drawn, forces, DEFAULT_BOUNDS, new Float64Array(n));
  const work = createStabilityWork(n);
  writeGeometricStiffness(work, drawn, p);
  writeStiffness(work, drawn, p);
  return { value: leastEigenvalue(work, drawn), drawn, work };
}

it('an upright strand buckles under its own weight at the length of Greenhill, (7.837 EI/q)^⅓', () => {
  const area = Math.PI * HAIR.radius ** 2;
  const stiffness = (HAIR.youngModulus * area * HAIR.radius ** 2) / 4;
  const critical = ((7.837 * stiffness) / (HAIR.density * area * 9.81)) ** (1 / 3);
  // The clamp holds the first edge too: the free length is one edge less.
  const n = 80;
  const length = (share: number) => (share * critical * (n - 1)) / (n - 1.5);
  expect(eigenvalue(straight(n, length(0.98), 0, 1)).value).toBeGreaterThan(0);
  expect(eigenvalue(straight(n, length(1.02), 0, 1)).value).toBeLessThan(0);
});

it('a cantilever without load vibrates at 1.8751² √(EI/ρA L⁴)', () => {
  const n = 80;
  const length = 0.1;
  const { value } = eigenvalue(straight(n, length, 1, 0), HAIR, [0, 0, 0]);
  const free = (length * (n - 1.5)) / (n - 1);
  const stiffness = (HAIR.youngModulus * HAIR.radius ** 2) / 4 / HAIR.density;
  expect(value / ((1.8751 ** 4 * stiffness) / free ** 4)).toBeCloseTo(1, 1);
});

it('a limp hanging strand swings as a chain does, ω² = 1.4458 g/L', () => {
  const n = 80;
  const length = 2;
  const { value } = eigenvalue(straight(n, length, 0, -1), { ...HAIR, radius: 2e-6 });
  const free = (length * (n - 2)) / (n - 1);
  expect((value * free) / 9.81 / 1.4458).toBeCloseTo(1, 1);
});

it('counts of pivots bracket the eigenvalue that iteration finds', () => {
  const { value, work, drawn } = eigenvalue(straight(40, 0.05, 1, 0));
  expect(countBelow(work, drawn, 0.99 * value)).toBe(0);
  expect(countBelow(work, drawn, 1.01 * value)).toBeGreaterThan(0);
});
