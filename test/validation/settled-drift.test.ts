// Settled stacks stay where they are, sleeping off: at most 0.05 mm in 10 s, here over 2 s of it.

import { describe, expect, it } from 'vitest';
import { addColumn, addPyramid, addSquarePyramid, addWall } from '../systems/settled-scenes';
import { createGround, drift, run, type TestWorld } from './worlds';

const SECONDS = 2;
const LIMIT = (0.05e-3 * SECONDS) / 10;

const SCENES: [string, (world: TestWorld) => void][] = [
  ['pyramid of base 20', (world) => addPyramid(world, 20)],
  ['square pyramid of base 7', (world) => addSquarePyramid(world, 7)],
  ['column of 100', (world) => addColumn(world, 100)],
  ['wall of 12 courses', (world) => addWall(world, 12, 10)],
];

describe('settled islands', () => {
  it.each(SCENES)('%s does not drift', (_, build) => {
    const world = createGround(0.6);
    build(world);
    run(world, 0.5);
    expect(drift(world, () => run(world, SECONDS))).toBeLessThan(LIMIT);
    expect(world.physics.report.solvers.contactAdmm.islands).toBe(1);
    expect(world.physics.report.residual).toBeLessThan(1e-6);
  });
});
