// What stands on edges of cloth that it covers in part keeps the places where they come out from under it.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addRigidBody, addRod, addShell, createPhysics, type Physics, wakeBody } from '../../src/index';

// The edges' contacts were dropped when their places were no lower than their ends: the box tipped, was lifted again.
test('a box that is woken on cloth that it covers in part stays where it lies', () => {
  const physics = createPhysics(createWorld(), { userTiming: false, sleepDelay: 0.05 });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.41621811352670196 });
  const [west, east, north, south] = [-0.19937356808222828, 0.3746890413109213, -0.3324837252032, 0.2415788841899484];
  const [high, low] = [0.06983459359500557, -0.029834593595005576];
  addShell(physics, {
    vertices: [
      [west, high, north],
      [east, low, north],
      [west, high, south],
      [east, low, south],
    ],
    triangles: [
      [0, 2, 1],
      [1, 2, 3],
    ],
    thickness: 0.009782215385697783,
    density: 138.35757782217115,
    friction: 0.6384896980598569,
    stretchModulus: 168163.27249992892,
  });
  const box = addRigidBody(physics, {
    shape: { box: [0.2685452728997916, 0.19689593599177896, 0.490084350365214] },
    position: [-0.005603408720344316, 0.1354069316615823, -0.0027157270349562057],
    mass: 0.8656998519607857,
    friction: 0.8805847018957138,
  });
  const { report, components } = physics;
  let steps = 0;
  do physics.step();
  while (report.awake + report.strands.strands - report.strands.asleep > 0 && ++steps < 200);
  expect(steps).toBeLessThan(200);

  wakeBody(physics, box);
  const { position } = components.Transform;
  for (let i = 0; i < 10; i++) {
    const before = position.y[box];
    physics.step();
    expect(Math.abs(position.y[box] - before)).toBeLessThan(1e-5);
  }
});

type Place = [number, number, number];

/** Fastest that a box on what `lay` puts under it moves after it fell asleep and was woken [m/s]. */
function speedOnceWoken(lay: (physics: Physics, friction: number) => void): number {
  const physics = createPhysics(createWorld(), { userTiming: false, sleepDelay: 0.05 });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.5 });
  lay(physics, 0.6);
  const box = addRigidBody(physics, { shape: { box: [0.2, 0.1, 0.15] }, position: [0.03, 0.13, 0.01], mass: 1 });
  const { report, components } = physics;
  let steps = 0;
  do physics.step();
  while (report.awake + report.strands.strands - report.strands.asleep > 0 && ++steps < 300);
  expect(steps).toBeLessThan(300);

  wakeBody(physics, box);
  const { x, y, z } = components.Transform.position;
  let fastest = 0;
  for (let i = 0; i < 20; i++) {
    const before = [x[box], y[box], z[box]];
    physics.step();
    fastest = Math.max(fastest, 60 * Math.hypot(x[box] - before[0], y[box] - before[1], z[box] - before[2]));
  }
  physics.dispose();
  return fastest;
}

// It had one contact on each edge, at either end of its face in turn, and rocked for ever.
test('a box stands on the middle of a strip of cloth whose edges pass under it', () => {
  const speed = speedOnceWoken((physics, friction) => {
    const strip: Place[] = [];
    for (const x of [-0.5, 0.5]) for (const z of [-0.06, 0.07]) strip.push([x, 0.016 + 0.02 * x * z, z]);
    const triangles = [
      [0, 1, 2],
      [2, 1, 3],
    ];
    addShell(physics, { vertices: strip, triangles, thickness: 0.012, density: 200, friction, stretchModulus: 2e5 });
  });
  expect(speed).toBeLessThan(2e-3);
});

test('a box stands on the middle of two ropes of few points', () => {
  const speed = speedOnceWoken((physics, friction) => {
    for (const z of [-0.05, 0.06]) {
      const points: Place[] = [-0.6, 0.6].map((x) => [x, 0.015, z + 0.04 * x]);
      addRod(physics, { points, radius: 0.01, density: 500, youngModulus: 1e7, friction });
    }
  });
  expect(speed).toBeLessThan(2e-3);
});

// What the solver left at its usual tolerance kept it rocking at 0.04 m/s for ever.
test('a tall box on two ropes falls asleep', () => {
  const physics = createPhysics(createWorld(), { userTiming: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.41 });
  const rope = { radius: 0.008, friction: 0.4 };
  const left: Place[] = [-0.6, 0, 0.6].map((x) => [x, 0.013, -0.041 - 0.028 * x]);
  const right: Place[] = [-0.59, 0, 0.59].map((x) => [x, 0.013, 0.07 + 0.022 * x]);
  addRod(physics, { ...rope, points: left, density: 220, youngModulus: 1.8e7 });
  addRod(physics, { ...rope, points: right, density: 450, youngModulus: 9.5e7 });
  const box = { box: [0.6, 0.3, 0.3] as Place };
  addRigidBody(physics, { shape: box, position: [-0.04, 0.326, 0.0047], mass: 2.8, friction: 0.89 });
  const { report } = physics;
  let steps = 0;
  do physics.step();
  while (report.awake + report.strands.strands - report.strands.asleep > 0 && ++steps < 200);
  expect(steps).toBeLessThan(200);
  physics.dispose();
});
