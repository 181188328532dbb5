import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addRigidBody, castRay, castRays, createPhysics, createRayBatch } from '../../src/index';

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
