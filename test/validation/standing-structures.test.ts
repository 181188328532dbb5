// Structures that statics says can stand do so from their first step, whatever their size, scale and the step's length:
// arches of many stones, pyramids, houses of cards; and what is dropped by its joints comes to rest.

import { describe, expect, it } from 'vitest';
import { bySuite } from '../setup/suite';
import { createArch, createCardHouse, createPyramid, drift, run, type TestWorld } from './worlds';

/** Most that anything may move [m], relative to a scene of metres. */
const LIMIT = 1e-4;

function driftOf(world: TestWorld, seconds: number): number {
  return drift(world, () => run(world, seconds));
}

describe('arches stand', () => {
  it.each(bySuite([16, 25, 101], [16, 24, 25, 33, 51, 101]))('of %i stones', (count) => {
    expect(driftOf(createArch(0.15, {}, { count }), 1)).toBeLessThan(LIMIT);
  });

  it.each([1 / 50, 50])('of 101 stones, at a scale of %f', (scale) => {
    const world = createArch(0.15, {}, { count: 101, scale });
    expect(driftOf(world, 1)).toBeLessThan(LIMIT * Math.min(1, scale));
  });

  it.each([1 / 30, 1 / 240])('of 51 stones, in steps of %f s', (timeStep) => {
    expect(driftOf(createArch(0.15, { timeStep }, { count: 51 }), 1)).toBeLessThan(LIMIT);
  });

  const most = bySuite(201, 501);
  it(`of ${most} stones, solved in every step`, () => {
    const world = createArch(0.15, {}, { count: most });
    expect(driftOf(world, 0.5)).toBeLessThan(LIMIT);
    expect(world.physics.report.residual).toBeLessThan(1e-6);
  });
});

describe('an arch of 25 stones dropped by its joints', () => {
  it.each([5e-4, 2e-3])('that are open by %f of the radius comes to rest', (opening) => {
    const world = createArch(0.15, {}, { count: 25, opening });
    run(world, 3);
    expect(driftOf(world, 1)).toBeLessThan(LIMIT);
    expect(world.physics.report.residual).toBeLessThan(1e-6);
  });
});

describe('pyramids stand', () => {
  it.each([[12, 1, 1], [12, 1 / 50, 1], [12, 50, 1], [30, 1, 0.5], ...bySuite([], [[50, 1, 0.2]])])(
    'of base %i at a scale of %f',
    (base, scale, seconds) => {
      const world = createPyramid(base, {}, scale);
      expect(driftOf(world, seconds)).toBeLessThan(LIMIT * Math.max(1, scale));
    },
  );
});

describe('large pyramids stand from their first step', () => {
  it.each(bySuite([70], [70, 100]))('of base %i', (base) => {
    const world = createPyramid(base, {}, 1);
    expect(driftOf(world, 0.1)).toBeLessThan(1e-8);
    expect(world.physics.report.solvers.contactAdmm.islands).toBe(1);
    expect(world.physics.report.solvers.approximate).toBe(0);
  });
});

describe('houses of cards stand', () => {
  it.each([
    [2, 0.05, 1 / 100],
    [3, 0.01, 1 / 60],
    [4, 0.01, 1 / 60],
    [4, 0.05, 1 / 60],
    [4, 0.01, 1 / 120],
  ])('of %i levels, cards of half %f m, in steps of %f s', (levels, thin, timeStep) => {
    expect(driftOf(createCardHouse({ levels, thin, settings: { timeStep } }), 1)).toBeLessThan(LIMIT);
  });
});
