// `stiction bench sag-free`: its tables in a small size. No time is asserted.

import { expect } from 'vitest';
import { benchSagFree } from '../../src/bench/sag-free';
import { showSagFreeBench } from '../../src/bench/sag-free-tables';
import { longTest } from '../setup/suite';

longTest('fills the tables of the paper: who reaches equilibrium, who converges, grooms without force', () => {
  const size = { rounds: 1, coil: 60, grooms: [3, 5], mostIterations: 300 };
  const result = benchSagFree(size, () => {});
  for (const strand of ['vertical', 'horizontal, μ = 0.2']) {
    const forces = result.methods.filter((row) => row.strand === strand).map(({ force }) => force);
    expect(forces.length).toBe(4);
    expect(Math.min(forces[0], forces[1])).toBeGreaterThan(0.1);
    expect(Math.max(forces[2], forces[3])).toBeLessThan(1e-6);
  }
  const level = result.preconditioners.filter(({ strand }) => strand === 'level');
  expect(level.map(({ solver }) => solver).slice(-1)).toEqual(['MPRGP, active-set-cholesky']);
  expect(level[level.length - 1].iterations).toBeLessThan(level[0].iterations / 10);
  for (const row of result.solvers) if (row.solver === 'interior point') expect(row.converged).toBe(true);
  expect(result.grooms.map(({ forceLeft, unstable }) => [forceLeft, unstable])).toEqual([
    [0, 0],
    [0, 0],
  ]);
  const page = showSagFreeBench(result);
  expect(page).toContain('| vertical | with stiffness, constraint |');
  expect(page.match(/NaN|undefined/)).toBe(null);
});
