// Rows of the joints of nodes in the elastic solve: how many, how soft, and by which mass.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { createSprings } from '../../../src/dynamics/elastic/attachment-springs';
import { addRigidBody, addRod, addSolid, attach, createPhysics } from '../../../src/index';
import { box } from '../../mechanics/solid/solid-world';

const H = 1 / 60;
const ROPE = { radius: 0.01, density: 1000, youngModulus: 1e6 };
const ROPE_MASS = Math.PI * ROPE.radius ** 2 * ROPE.density * 0.4;

test('the mass on a spring is that of both ends, without those that something holds', () => {
  const physics = createPhysics(createWorld(), { userTiming: false });
  const rope = (x: number, clampStart = false) =>
    addRod(physics, { points: [0, 1, 2, 3, 4].map((k) => [x, 1 - 0.1 * k, 0] as const), clampStart, ...ROPE });
  const [free, other, held] = [rope(0), rope(1), rope(2, true)];
  const crate = addRigidBody(physics, { shape: { sphere: 0.1 }, mass: 3, position: [5, 0, 0] });
  const wall = addRigidBody(physics, { type: 'static', shape: { sphere: 0.1 }, position: [7, 0, 0] });
  const mesh = box([1, 1, 1], [9, 0, 0], [9.1, 0.1, 0.1]);
  const [jelly, pinned] = [[], [0]].map((pins) => addSolid(physics, { ...mesh, density: 500, pins }));
  const spring = { frequency: 2, dampingRatio: 0.3 };
  const both = (a: number, b: number) => (a * b) / (a + b);
  const cases: [object, number][] = [
    [{ rod: free }, ROPE_MASS],
    [{ rod: free, body: wall }, ROPE_MASS],
    [{ rod: free, body: crate }, both(ROPE_MASS, 3)],
    [{ rod: held, body: crate }, 3],
    [{ rod: held }, ROPE_MASS],
    [{ rod: held, body: wall }, ROPE_MASS],
    [{ rod: free, to: { rod: other, node: 1 } }, both(ROPE_MASS, ROPE_MASS)],
    [{ rod: free, to: { solid: jelly, vertex: 1 } }, both(ROPE_MASS, 0.5)],
    [{ rod: free, to: { solid: pinned, vertex: 1 } }, ROPE_MASS],
  ];
  for (const [spec] of cases) attach(physics, { node: 2, spring, ...spec });
  attach(physics, { rod: free, node: 0 });
  const { engine } = physics.internal;
  const springOf = createSprings(engine);
  // The pin of the solid has the first row.
  cases.forEach(([spec, mass], k) => {
    const { bias, soft } = springOf(k + 1) ?? { bias: 0, soft: 0 };
    // bias = k/(d + h k), soft = 1/(h (d + h k)): of the two k and d follow.
    const stiffness = bias / (H * soft);
    const damping = 1 / (H * soft) - H * stiffness;
    const omega = 4 * Math.PI;
    expect(stiffness / (mass * omega ** 2), JSON.stringify(spec)).toBeCloseTo(1, 8);
    expect(damping / (0.6 * mass * omega), JSON.stringify(spec)).toBeCloseTo(1, 8);
  });
  expect(springOf(cases.length + 1)).toBeNull();
});
