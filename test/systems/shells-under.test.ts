// What slides over a sheet that lies flat: nothing of the sheet that comes under it is met beside its rim.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addRigidBody, addShell, createPhysics, type ShapeSpec } from '../../src/index';
import { gridMesh } from '../mechanics/shell/shell-world';

const THICKNESS = 0.004;
const [LONG, WIDE] = [2.4, 0.6]; // of the sheet [m]
const SPEED = 3; // [m/s]

/** A flat body of 1 kg on a sheet on the ground, pinned at its corners; the body slides along the sheet. */
function slide(shape: ShapeSpec, half: number, friction: number, timeStep: number) {
  const physics = createPhysics(createWorld(), { timeStep });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction });
  const { points, triangles } = gridMesh(32, 8, LONG, WIDE);
  addShell(physics, {
    vertices: Array.from({ length: points.length / 3 }, (_, i) => [points[3 * i], THICKNESS / 2, points[3 * i + 2]]),
    triangles: Array.from({ length: triangles.length / 3 }, (_, t) => triangles.slice(3 * t, 3 * t + 3)),
    thickness: THICKNESS,
    density: 80,
    stretchModulus: 2e6,
    bendingModulus: 5e4,
    damping: 0.003,
    friction,
    pins: [0, 8, 32 * 9, 33 * 9 - 1],
  });
  const y = THICKNESS + half;
  const spec = { shape, mass: 1, position: [0.3, y, WIDE / 2], velocity: [SPEED, 0, 0], friction } as const;
  const body = addRigidBody(physics, { ...spec, rotation: [0, Math.sin(0.15), 0, Math.cos(0.15)] });
  const { Transform, Velocity } = physics.components;
  let highest = 0;
  const run = (seconds: number) => {
    while (physics.time < seconds - 1e-6) {
      physics.step();
      highest = Math.max(highest, Math.abs(Transform.position.y[body] - y));
    }
    return { speed: Velocity.linear.x[body], aside: Math.abs(Velocity.linear.z[body]), highest };
  };
  return run;
}

const SHAPES: [string, ShapeSpec, number][] = [
  ['plate', { cylinder: [0.13, 0.009] }, 0.009],
  ['box', { box: [0.12, 0.02, 0.1] }, 0.02],
];
const CASES = SHAPES.flatMap(([name, shape, half]) => [60, 240].map((rate) => [name, rate, shape, half] as const));

test.each(CASES)(
  'a %s without friction keeps its speed and its height, at %d steps a second',
  (_, rate, shape, half) => {
    const { speed, aside, highest } = slide(shape, half, 0, 1 / rate)(0.5);
    expect(Math.abs(speed - SPEED)).toBeLessThan(1e-3 * SPEED);
    expect(aside).toBeLessThan(1e-3 * SPEED);
    expect(highest).toBeLessThan(1e-4);
  },
);

test.each(CASES)('a %s with friction loses what friction takes, at %d steps a second', (_, rate, shape, half) => {
  const { speed, highest } = slide(shape, half, 0.3, 1 / rate)(0.5);
  // The sheet, pinned at its corners only, is drawn along by millimetres and ruffled.
  expect(Math.abs(speed - (SPEED - 0.3 * 9.81 * 0.5))).toBeLessThan(0.03 * SPEED);
  expect(highest).toBeLessThan(2e-3);
});
