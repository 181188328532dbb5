// Readers fill vectors and quaternions of the caller's, and functions take them.

import { createWorld, query } from 'bitecs';
import { quat, vec3 } from 'gl-matrix';
import { expect, test } from 'vitest';
import {
  addRigidBody,
  castRay,
  createPhysics,
  readAngularVelocity,
  readContactNormal,
  readContactPoint,
  readInterpolatedPosition,
  readInterpolatedRotation,
  readPosition,
  readRotation,
  readVelocity,
  removeRigidBody,
  setVelocity,
  teleport,
} from '../../src/index';

function makeWorld() {
  const physics = createPhysics(createWorld(), { userTiming: false });
  const ground = addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  return { physics, ground };
}

test('a body is made from, moved by and read into what gl-matrix makes', () => {
  const { physics } = makeWorld();
  const position = vec3.fromValues(1, 5, -2);
  const rotation = quat.setAxisAngle(quat.create(), [0, 0, 1], 0.5);
  const body = addRigidBody(physics, { shape: { box: vec3.fromValues(0.5, 0.5, 0.5) }, position, rotation });
  expect(vec3.distance(readPosition(physics, body, vec3.create()), position)).toBe(0);
  expect(quat.dot(readRotation(physics, body, quat.create()), rotation)).toBeCloseTo(1, 6);
  setVelocity(physics, body, vec3.fromValues(2, 0, 0), vec3.fromValues(0, 3, 0));
  physics.step();
  const speed = readVelocity(physics, body, vec3.create());
  expect(speed[0]).toBeCloseTo(2, 6);
  expect(speed[1]).toBeCloseTo(-9.81 / 60, 6);
  expect(readAngularVelocity(physics, body, vec3.create())[1]).toBeCloseTo(3, 2);
  physics.interpolate();
  const drawn = readInterpolatedPosition(physics, body, vec3.create());
  expect(drawn[0]).toBeGreaterThanOrEqual(1);
  expect(drawn[0]).toBeLessThan(1 + 2 / 60 + 1e-6);
  expect(quat.length(readInterpolatedRotation(physics, body, quat.create()))).toBeCloseTo(1, 6);
  teleport(physics, body, vec3.fromValues(0, 9, 0));
  expect([...readPosition(physics, body, [0, 0, 0])]).toEqual([0, 9, 0]);
  expect(castRay(physics, vec3.fromValues(0, 20, 0), vec3.fromValues(0, -1, 0))?.entity).toBe(body);
});

test('out comes back, whatever it is made of, with every digit that it has room for', () => {
  const { physics } = makeWorld();
  const body = addRigidBody(physics, { shape: { sphere: 1 }, position: [0.1, 5, 0] });
  const out: [number, number, number] = [0, 0, 0];
  expect(readPosition(physics, body, out)).toBe(out);
  expect(out[0]).toBe(0.1);
  expect(readPosition(physics, body, new Float64Array(3))[0]).toBe(0.1);
  expect(readPosition(physics, body, vec3.create())[0]).toBe(Math.fround(0.1));
});

test('points and normal of a contact', () => {
  const { physics, ground } = makeWorld();
  const body = addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [3, 0.5, 0] });
  for (let i = 0; i < 5; i++) physics.step();
  const { Contact } = physics.components;
  const [contact] = query(physics.world, [Contact]);
  const up = readContactNormal(physics, contact, vec3.create());
  expect(Math.abs(up[1])).toBeCloseTo(1, 6);
  expect([Contact.entityA[contact], Contact.entityB[contact]].sort((a, b) => a - b)).toEqual([ground, body]);
  expect(Contact.pointCount[contact]).toBe(4);
  const corners = new Set<string>();
  for (let k = 0; k < 4; k++) {
    const [x, y, z] = readContactPoint(physics, contact, k, [0, 0, 0]);
    expect(Math.abs(y)).toBeLessThan(0.01);
    corners.add(`${x.toFixed(2)} ${z.toFixed(2)}`);
  }
  expect([...corners].sort((a, b) => (a < b ? -1 : 1))).toEqual(['2.50 -0.50', '2.50 0.50', '3.50 -0.50', '3.50 0.50']);
  expect(() => readContactPoint(physics, contact, 4, [0, 0, 0])).toThrow(
    'readContactPoint: index must be a whole number 0..3, got 4',
  );
});

test('refuses what is no such entity, and no array', () => {
  const { physics, ground } = makeWorld();
  const body = addRigidBody(physics, { shape: { sphere: 1 } });
  removeRigidBody(physics, body);
  const out: vec3 = [0, 0, 0];
  for (const eid of [body, 999, -1, 'one' as never])
    expect(() => readPosition(physics, eid, out)).toThrow(
      /^readPosition: entity must be a rigid body of this world, got/,
    );
  expect(() => readContactNormal(physics, ground, out)).toThrow(/^readContactNormal: entity must be a contact/);
  expect(() => readVelocity(physics, ground, undefined as never)).toThrow('readVelocity: out must be an array');
});
