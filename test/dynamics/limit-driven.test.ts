// What a driven wall presses against a static one stays in front of the static one.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addRigidBody, createPhysics } from '../../src/index';
import { longTest } from '../setup/suite';

test.each([5, 20, 60])('a piston at %d m/s presses no ball through a wall of 4 cm', (speed) => {
  for (let k = 0; k < 12; k++) {
    const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
    const wall = { type: 'static', shape: { box: [0.02, 2, 2] }, position: [1, 0, 0] } as const;
    const piston = { type: 'kinematic', shape: { box: [0.5, 2, 2] }, velocity: [speed, 0, 0] } as const;
    const position = [-1 - 0.07 * k, 0, 0] as const;
    // The order in which they are made is that in which pairs are looked at.
    if (k % 2 === 0) addRigidBody(physics, wall);
    addRigidBody(physics, { ...piston, position });
    if (k % 2 === 1) addRigidBody(physics, wall);
    const ball = addRigidBody(physics, { shape: { sphere: 0.2 }, position: [0.75, 0.05 * k, 0] });
    for (let i = 0; i < 40; i++) {
      physics.step();
      const { x, y, z } = physics.components.Transform.position;
      // Or it has left past the edge of the wall.
      if (Math.abs(y[ball]) < 2 && Math.abs(z[ball]) < 2) expect(x[ball], `piston ${k}, step ${i}`).toBeLessThan(1);
    }
    physics.dispose();
  }
});

longTest.each(['auto', 'gauss-seidel'] as const)(
  'what a box of a kilometre does to boxes of a metre is told, by %s',
  (solver) => {
    const told: string[] = [];
    for (const extent of [50, 500]) {
      const physics = createPhysics(createWorld(), { solver });
      addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
      const small = [-2, -1, 0, 1, 2].map((x) =>
        addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [x, 0.5, 0.2] }),
      );
      const big = addRigidBody(physics, { shape: { box: [extent, extent, extent] }, position: [0, 1.1 + extent, 0.2] });
      for (let i = 0; i < 90; i++) {
        physics.step();
        for (const limit of physics.report.limits) told.push(`${extent}: ${limit}`);
      }
      expect(physics.report.quarantined).toEqual([]);
      const { y } = physics.components.Transform.position;
      for (const eid of small) expect(Math.abs(y[eid] - 0.5)).toBeLessThan(0.01);
      expect(y[big]).toBeGreaterThan(extent - 0.1);
      // At a million times their mass they bear it.
      if (solver === 'auto' && extent === 50) expect(Math.abs(y[big] - extent - 1)).toBeLessThan(0.001);
    }
    // Sweeps leave what lies below the heavy box unsolved, and say so; more than that is not told.
    const isMissed = (text: string) => text.includes('was left with a residual');
    expect(told.filter((text) => text.startsWith('50:') && !isMissed(text))).toEqual([]);
    expect(told.some((text) => text.startsWith('50:') && isMissed(text))).toBe(solver === 'gauss-seidel');
    const last = told.filter((text) => !isMissed(text)).at(-1);
    expect(last).toContain('entity 7: what touches must be at most 10000000 times as heavy as each other');
    expect(last).toContain('got 1000000000000 kg on 1000 kg');
  },
);

test.each(['auto', 'dantzig', 'contact-admm'] as const)('an island that %s leaves to the sweeps is told', (solver) => {
  const physics = createPhysics(createWorld(), { solver });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  addRigidBody(physics, { type: 'static', shape: { box: [0.5, 2, 2] }, position: [2, 2, 0] });
  addRigidBody(physics, {
    type: 'kinematic',
    shape: { box: [0.5, 2, 2] },
    position: [-1, 2, 0],
    velocity: [8, 0, 0],
  });
  for (let k = 0; k < 5; k++) {
    const position = [0.2 + 0.1 * k, 0.3 + 0.5 * k, 0.1 * k] as const;
    addRigidBody(physics, { shape: { capsule: [0.2, 0.3] }, position });
  }
  const told = new Set<string>();
  let swept = 0;
  for (let i = 0; i < 60; i++) {
    physics.step();
    if (physics.report.solvers.sweeps.islands > 0) swept++;
    for (const limit of physics.report.limits) told.add(limit);
  }
  // Squeezed, they have no answer that is worth having.
  expect(swept).toBeGreaterThan(0);
  const own = [...told].filter((text) => text.startsWith(`solver '${solver}' found no answer`));
  expect(own).toHaveLength(solver === 'auto' ? 0 : 1);
});
