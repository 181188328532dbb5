// What stands on edges of cloth that it covers in part keeps the places where they come out from under it.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addRigidBody, addShell, createPhysics, wakeBody } from '../../../src/index';

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
