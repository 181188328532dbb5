// Height fields: their triangles, wrong ones, and what stands, rolls, falls and is asked on them.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { meshOfHeights } from '../../src/geometry/height-field';
import {
  addRigidBody,
  addRod,
  addScene,
  castRay,
  createPhysics,
  type Physics,
  readScene,
  rodPositions,
  writeScene,
} from '../../src/index';

/** A slope that rises by `rise` for each metre along x, 20 m wide, in cells of half a metre. */
function slope(rise: number) {
  const [rows, columns] = [41, 41];
  const heights = Array.from({ length: rows * columns }, (_, k) => rise * (((k % columns) / (columns - 1)) * 20 - 10));
  return { size: [20, 20] as const, rows, columns, heights };
}

const world = (): Physics => createPhysics(createWorld(), { userTiming: false });

test('triangles look up and cover the size, the middle at the origin', () => {
  const { vertices, triangles } = meshOfHeights({ size: [6, 4], rows: 3, columns: 4, heights: new Float32Array(12) });
  expect([...vertices.subarray(0, 3)]).toEqual([-3, 0, -2]);
  expect([...vertices.subarray(33)]).toEqual([3, 0, 2]);
  let area = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => vertices.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3));
    // Component of the normal along y.
    const up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
    expect(up).toBeGreaterThan(0);
    area += up / 2;
  }
  expect(area).toBeCloseTo(24, 12);
});

test('a box holds on a slope just below its friction angle, and slides down one just above it', () => {
  for (const [rise, holds] of [
    [0.5 * 0.998, true],
    [0.5 * 1.002, false],
  ] as const) {
    const physics = world();
    const rotation = [0, 0, Math.sin(Math.atan(rise) / 2), Math.cos(Math.atan(rise) / 2)];
    const out = [-Math.sin(Math.atan(rise)), Math.cos(Math.atan(rise))];
    const material = { friction: 0.5 };
    addRigidBody(physics, { type: 'static', shape: { heightField: slope(rise) }, ...material });
    const position = [0.2 * out[0], 0.2 * out[1], 0.13];
    const box = addRigidBody(physics, { shape: { box: [0.3, 0.2, 0.3] }, position, rotation, ...material });
    for (let k = 0; k < 240; k++) physics.step();
    const { x, y } = physics.components.Transform.position;
    const way = Math.hypot(x[box] - position[0], y[box] - position[1]);
    if (holds) expect(way).toBeLessThan(1e-4);
    else expect(way).toBeGreaterThan(0.5 * (9.81 * 0.5 * 0.002 * Math.cos(Math.atan(rise))) * 16 * 0.8);
    physics.dispose();
  }
});

test('a frictionless box loses no speed on the edges of the cells', () => {
  const physics = world();
  addRigidBody(physics, { type: 'static', shape: { heightField: slope(0) }, friction: 0 });
  const shape = { box: [0.3, 0.2, 0.3] } as const;
  const box = addRigidBody(physics, { shape, position: [-6, 0.2, 0.1], velocity: [3, 0, 0.7], friction: 0 });
  for (let k = 0; k < 180; k++) physics.step();
  expect(physics.components.Velocity.linear.x[box]).toBeCloseTo(3, 6);
  expect(physics.components.Velocity.linear.z[box]).toBeCloseTo(0.7, 6);
});

test('a rope lies on it, and a ray hits it', () => {
  const physics = world();
  const ground = addRigidBody(physics, { type: 'static', shape: { heightField: slope(0.2) }, friction: 0.8 });
  const points = Array.from({ length: 20 }, (_, i) => [-1 + 0.1 * i, 0.35, 0.03 * i]);
  const rope = addRod(physics, { points, radius: 0.02, density: 800, youngModulus: 1e6, damping: 0.05, friction: 0.8 });
  for (let k = 0; k < 120; k++) physics.step();
  const found = rodPositions(physics, rope);
  for (let i = 0; i < found.length; i += 3) {
    const above = found[i + 1] - 0.2 * found[i];
    expect(above).toBeGreaterThan(0.015);
    expect(above).toBeLessThan(0.05);
  }
  const hit = castRay(physics, [2.1, 5, 0.3], [0, -1, 0], 20);
  expect(hit?.entity).toBe(ground);
  expect(hit?.point[1]).toBeCloseTo(0.42, 9);
});

test('what is no height field is refused, and moving ones are', () => {
  const physics = world();
  const add = (field: object, type: 'static' | 'dynamic' = 'static') =>
    addRigidBody(physics, { type, shape: { heightField: { ...slope(0), ...field } } });
  expect(() => add({ rows: 1 })).toThrow(/heightField\.rows must be a whole number >= 2, got 1/);
  expect(() => add({ heights: [1, 2] })).toThrow(
    /heightField\.heights must be 1681 numbers \[m\], rows × columns, got 2/,
  );
  expect(() => add({ size: [1, 0] })).toThrow(/heightField\.size\[1\] must be > 0 \[m\], got 0/);
  expect(() => add({ heights: new Float32Array(1681).fill(Number.NaN) })).toThrow(
    /heights\[0\] must be a finite number \[m\], got NaN/,
  );
  expect(() => add({ scale: 2 })).toThrow(/must have size, rows, columns, heights only, got "scale"/);
  expect(() => add({}, 'dynamic')).toThrow(/must be on bodies of type static, got dynamic/);
});

test('scene files have it', () => {
  const field = { size: [4, 4], rows: 2, columns: 2, heights: [0, 0, 1, 1] };
  const scene = readScene({ version: 1, bodies: [{ type: 'static', shape: { heightField: field } }] });
  expect(readScene(writeScene(scene))).toEqual(scene);
  expect(addScene(world(), scene).entities.size).toBe(1);
  expect(() =>
    readScene({ version: 1, bodies: [{ type: 'static', shape: { heightField: { ...field, rows: 3 } } }] }),
  ).toThrow(/bodies\[0\]\.shape\.heightField\.heights: must be 6 numbers \[m\], rows × columns, got 4/);
  expect(() => readScene({ version: 1, bodies: [{ shape: { heightField: field } }] })).toThrow(
    /only on bodies of type "static"/,
  );
});
