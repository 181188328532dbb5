// Settled islands in the step: who solves when, what is kept, and what a snapshot holds.

import { describe, expect, it } from 'vitest';
import { addRigidBody, createPhysics } from '../../src/index';
import { longTest } from '../setup/suite';
import { addColumn, addPyramid, addSquarePyramid } from '../systems/settled-scenes';
import { createGround, run, type TestWorld } from '../validation/worlds';

const admm = ({ physics }: TestWorld) => physics.report.solvers.contactAdmm;

/** Steps until `reached` is true; how many, or −1 when it takes more than `limit`. */
function stepsUntil(world: TestWorld, limit: number, reached: () => boolean): number {
  for (let k = 1; k <= limit; k++) {
    world.physics.step();
    if (reached()) return k;
  }
  return -1;
}

describe('settled islands', () => {
  it('are solved by the splitting from their first step, and mostly need no iteration then', () => {
    const world = createGround(0.6);
    addPyramid(world, 10);
    world.physics.step();
    expect(admm(world)).toMatchObject({ islands: 1, factorisations: 1 });
    run(world, 1);
    let iterations = 0;
    for (let k = 0; k < 60; k++) {
      world.physics.step();
      expect(admm(world)).toMatchObject({ islands: 1, factorisations: 0, fallbacks: 0 });
      iterations += admm(world).iterations;
    }
    expect(iterations).toBeLessThan(120);
  });

  it('hand over to the sweeps in the step in which something hits them, and take over again', () => {
    const world = createGround(0.6);
    addPyramid(world, 10);
    run(world, 1);
    expect(admm(world).islands).toBe(1);
    addRigidBody(world.physics, {
      shape: { sphere: 0.3 },
      position: [-3, 12, 0],
      velocity: [0, -5, 0],
      density: 1000,
      friction: 0.6,
    });
    expect(stepsUntil(world, 120, () => admm(world).islands === 0)).toBeGreaterThan(0);
    expect(world.physics.report.solvers.sweeps.islands).toBe(1);
    expect(stepsUntil(world, 60, () => admm(world).islands === 1)).toBeGreaterThan(0);
  });

  it('are left to the sweeps when the residual does not fall, for more and more steps', () => {
    // A hundred balls poured onto each other: in motion all contacts change all the time.
    const world = createGround(0.5, { dantzigContacts: 10 });
    for (let i = 0; i < 100; i++) {
      const position = [0.3 * (i % 4) + 0.01 * (i % 7), 0.3 + 0.25 * Math.floor(i / 4), 0.3 * ((i >> 1) % 3)];
      addRigidBody(world.physics, { shape: { sphere: 0.2 }, position, velocity: [0, -5, 0], friction: 0.5 });
    }
    let swept = 0;
    for (let k = 0; k < 60; k++) {
      world.physics.step();
      swept += world.physics.report.solvers.sweeps.islands;
    }
    expect(swept).toBeGreaterThan(10);
  });

  longTest('refuse an island whose factor would be too dear', () => {
    const world = createGround(0.6, { initialBodies: 4096 });
    addSquarePyramid(world, 20);
    run(world, 0.2);
    expect(world.physics.report.islands).toBe(1);
    expect(world.physics.report.solvers.sweeps.islands).toBe(1);
    const { settled } = world.physics.internal.engine.tables;
    expect(Array.from(settled.address).filter((address) => address !== 0)).toEqual([-1]);
    expect(Array.from(settled.bytes).every((bytes) => bytes === 0)).toBe(true);
  });

  it('go on bit for bit from a snapshot taken while they rest or while their factor is being made', () => {
    for (const steps of [2, 5, 40]) {
      const world = createGround(0.6);
      addPyramid(world, 12);
      for (let k = 0; k < steps; k++) world.physics.step();
      const snapshot = world.physics.snapshot();
      for (let k = 0; k < 60; k++) world.physics.step();
      const hash = world.physics.hash();
      world.physics.restore(snapshot);
      for (let k = 0; k < 60; k++) world.physics.step();
      expect(world.physics.hash()).toBe(hash);
    }
  });

  it('can be asked for whatever an island does', () => {
    const world = createGround(0.6, { solver: 'contact-admm' });
    addColumn(world, 3);
    world.physics.step();
    expect(admm(world)).toMatchObject({ islands: 1, factorisations: 1 });
    expect(world.physics.report.solvers.dantzig.islands).toBe(0);
    expect(() => createPhysics(world.physics.world, { solver: 'newton' as 'auto' })).toThrow(
      'createPhysics: solver must be auto, dantzig, gauss-seidel or contact-admm',
    );
  });
});
