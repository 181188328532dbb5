// Bodies on long arms that spin far too fast for the step, with a rope or a sheet on the last of them, so that they are
// solved with what is elastic: what joints cannot follow they let go, and win no energy by it.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import {
  addJoint,
  addRigidBody,
  addRod,
  addShell,
  attach,
  createPhysics,
  type Physics,
  pinVertex,
} from '../../../src/index';
import { bodyEnergy } from '../../fuzz/energy';

/** Three bodies on two joints, each so many metres from either of its bodies. */
function addLevers(physics: Physics, type: 'ball' | 'hinge', lever: number, spin: number): number[] {
  const levers = [0, 1, 2].map((i) =>
    addRigidBody(physics, {
      shape: i === 1 ? { box: [0.2, 0.1, 0.1] } : { capsule: [0.1, 0.2] },
      mass: 2 + 3 * i,
      position: [2 * lever * i, 0, 0],
      angularVelocity: [0.3 * spin, 0.2 * spin, (i - 0.7) * spin],
    }),
  );
  for (let i = 0; i < 2; i++) {
    const place = { a: levers[i], b: levers[i + 1], anchor: [2 * lever * i + lever, 0.5 * lever, 0] };
    if (type === 'ball') addJoint(physics, { type, ...place, cone: 0.5 });
    else addJoint(physics, { type, ...place, axis: [0, 0, 1], limits: [-0.5, 0.5] });
  }
  return levers;
}

test.each([
  ['hinge', 3, 300, 'rope'],
  ['ball', 0.3, 300, 'sheet'],
  ['hinge', 0.3, 1000, 'rope'],
  ['ball', 3, 100, 'rope'],
] as const)('%ss on arms of %f m at %d rad/s, on a %s', (type, lever, spin, kind) => {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  const levers = addLevers(physics, type, lever, spin);
  const end = 4 * lever;
  if (kind === 'rope') {
    const points = [0, 1, 2, 3].map((k) => [end, -0.1 - 0.2 * k, 0]);
    const rod = addRod(physics, { points, radius: 0.01, density: 500, youngModulus: 1e6 });
    attach(physics, { rod, node: 0, body: levers[2] });
  } else {
    const vertices = Array.from({ length: 9 }, (_, k) => [end + 0.2 * (k % 3), 0.3, 0.2 * Math.floor(k / 3)]);
    const triangles = [0, 1, 3, 4].flatMap((k) => [
      [k, k + 3, k + 1],
      [k + 1, k + 3, k + 4],
    ]);
    const shell = addShell(physics, { vertices, triangles, thickness: 0.02, density: 50 });
    attach(physics, { shell, vertex: 0, body: levers[2] });
  }
  const energy = () => levers.reduce((sum, eid) => sum + bodyEnergy(physics, eid, 0), 0);
  const first = energy();
  for (let k = 0; k < 120; k++) {
    physics.step();
    expect(energy(), `step ${k}`).toBeLessThan(first);
  }
  expect(physics.report.quarantined).toEqual([]);
});

// A solve that gives an island of joints more energy than there was is taken back. What springs of joints of nodes hold
// is there, too, as is what moves a pinned vertex: before, such a pull got an eighth of its speed.
test.each([2, 5, 10])('a spring of %d Hz between a rope and two joined bodies pulls as hard as on one', (frequency) => {
  const speedOf = (isJoined: boolean): number => {
    const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
    const cube = { shape: { box: [0.2, 0.2, 0.2] }, mass: isJoined ? 2 : 4 } as const;
    const a = addRigidBody(physics, cube);
    if (isJoined)
      addJoint(physics, { type: 'fixed', a, b: addRigidBody(physics, { ...cube, position: [-0.5, 0, 0] }) });
    const points = [0, 1, 2, 3].map((k) => [1 + 0.2 * k, 0, 0]);
    const rod = addRod(physics, {
      ...{ points, radius: 0.02, density: 500, youngModulus: 1e8 },
      ...{ clampStart: true, clampEnd: true },
    });
    attach(physics, {
      rod,
      node: 1,
      body: a,
      point: [0, 0, 0],
      spring: { frequency: frequency * (isJoined ? Math.SQRT2 : 1), dampingRatio: 0 },
    });
    physics.step();
    expect(physics.report.limits).toEqual([]);
    return physics.components.Velocity.linear.x[a];
  };
  expect(speedOf(true) / speedOf(false)).toBeCloseTo(1, 2);
});

test('joined bodies follow a pinned vertex that a game moves at 20 m/s', () => {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  const cube = { shape: { box: [0.1, 0.1, 0.1] }, mass: 5 } as const;
  const a = addRigidBody(physics, { ...cube, position: [0.2, 0, 0] });
  const b = addRigidBody(physics, { ...cube, position: [0.5, 0, 0] });
  addJoint(physics, { type: 'fixed', a, b });
  const vertices = [0, 1, 2, 3].map((k) => [-0.2 + 0.2 * (k & 1), 0, 0.2 * (k >> 1)]);
  const shell = addShell(physics, {
    ...{ vertices, thickness: 0.01, density: 200, stretchModulus: 1e7 },
    triangles: [
      [0, 2, 1],
      [1, 2, 3],
    ],
    pins: [0, 2],
  });
  attach(physics, { shell, vertex: 1, body: a, point: [-0.2, 0, 0] });
  for (let k = 1; k <= 12; k++) {
    for (const vertex of [0, 2]) pinVertex(physics, shell, vertex, { point: [-0.2 - k / 3, 0, 0.1 * vertex] });
    physics.step();
    expect(physics.report.limits, `step ${k}`).toEqual([]);
  }
  expect(physics.components.Velocity.linear.x[a]).toBeLessThan(-15);
});
