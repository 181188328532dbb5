import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import {
  addRigidBody,
  castRay,
  castRays,
  castShape,
  castShapes,
  createOverlapBatch,
  createPhysics,
  createRayBatch,
  overlapShape,
  overlapShapes,
} from '../../src/index';

test('a batch of rays answers as one ray after the other, and refuses a wrong one by its number', () => {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  for (let i = 0; i < 20; i++) {
    addRigidBody(physics, { shape: { sphere: 0.3 }, position: [(i % 5) - 2, 0.5 + 0.4 * i, Math.floor(i / 5) - 2] });
  }
  const count = 60;
  const rays = new Float64Array(7 * count);
  for (let i = 0; i < count; i++) {
    rays.set([(i % 8) - 4, 9, (i % 7) - 3, 0.1 * (i % 5) - 0.2, i % 11 === 0 ? 1 : -1, 0.05 * (i % 3), 20], 7 * i);
  }
  const out = createRayBatch(count);
  const found = castRays(physics, rays, out);
  let hits = 0;
  for (let i = 0; i < count; i++) {
    const [x, y, z, dx, dy, dz, most] = rays.subarray(7 * i, 7 * i + 7);
    const one = castRay(physics, [x, y, z], [dx, dy, dz], most);
    expect(out.entity[i]).toBe(one?.entity ?? 0);
    expect(out.distance[i]).toBe(one?.distance ?? Number.POSITIVE_INFINITY);
    if (!one) continue;
    hits++;
    expect([...out.point.subarray(3 * i, 3 * i + 3)]).toEqual(one.point);
    expect([...out.normal.subarray(3 * i, 3 * i + 3)]).toEqual(one.normal);
  }
  expect(found).toBe(hits);
  expect(hits).toBeGreaterThan(40);
  expect(hits).toBeLessThan(count);
  rays[7 * 3 + 4] = Number.NaN;
  expect(() => castRays(physics, rays, out)).toThrow(/^castRays: rays\[3\] must be finite/);
});

test('batches of shapes answer as one after the other, leave out what they should, and grow', () => {
  const physics = createPhysics(createWorld());
  const ground = addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  for (let i = 0; i < 20; i++) {
    const layers = i % 3 === 0 ? 2 : 1;
    addRigidBody(physics, { shape: { sphere: 0.3 }, position: [(i % 5) - 2, 0.5 + 0.4 * i, (i >> 2) - 2], layers });
  }
  const shape = { box: [0.3, 0.2, 0.4] as const };
  const options = { mask: 1, ignore: ground };
  const count = 40;
  const casts = new Float64Array(7 * count);
  const poses = new Float64Array(7 * count);
  for (let i = 0; i < count; i++) {
    casts.set([(i % 8) - 4, 9, (i % 7) - 3, 0.1 * (i % 5) - 0.2, i % 11 === 0 ? 1 : -1, 0.05 * (i % 3), 20], 7 * i);
    poses.set([(i % 5) - 2, 0.5 + 0.2 * i, (i >> 3) - 2, 0, Math.sin(i), 0, Math.cos(i)], 7 * i);
  }
  const hits = createRayBatch(count);
  const found = castShapes(physics, shape, casts, hits, options);
  let expected = 0;
  for (let i = 0; i < count; i++) {
    const [x, y, z, dx, dy, dz, most] = casts.subarray(7 * i, 7 * i + 7);
    const one = castShape(physics, shape, [x, y, z], [dx, dy, dz], most, options);
    expect([hits.entity[i], hits.distance[i]]).toEqual([one?.entity ?? 0, one?.distance ?? Number.POSITIVE_INFINITY]);
    if (!one) continue;
    expected++;
    expect([...hits.point.subarray(3 * i, 3 * i + 3)]).toEqual(one.point);
    expect([...hits.normal.subarray(3 * i, 3 * i + 3)]).toEqual(one.normal);
  }
  expect(found).toBe(expected);
  expect(expected).toBeGreaterThan(5);

  const over = createOverlapBatch(0);
  const total = overlapShapes(physics, shape, poses, over, options);
  for (let i = 0; i < count; i++) {
    const [x, y, z, ...rotation] = poses.subarray(7 * i, 7 * i + 7);
    const one = overlapShape(physics, shape, { position: [x, y, z], rotation }, options);
    expect([...over.entity.subarray(over.start[i], over.start[i + 1])]).toEqual(one);
  }
  expect(total).toBe(over.start[count]);
  expect(total).toBeGreaterThan(5);

  casts[7 * 3 + 4] = casts[7 * 3 + 3] = casts[7 * 3 + 5] = 0;
  expect(() => castShapes(physics, shape, casts, hits)).toThrow(/^castShapes: casts\[3\] must have a direction/);
  poses[7 * 2] = Number.NaN;
  expect(() => overlapShapes(physics, shape, poses, over)).toThrow(/^overlapShapes: poses\[2\] must be finite/);
});
