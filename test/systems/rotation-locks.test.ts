// Rotation locks, inertia and centre of mass: a locked axis has spin 0 to the last bit, whatever solves the contacts.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import {
  addRigidBody,
  addRod,
  applyAngularImpulse,
  applyImpulse,
  attach,
  createPhysics,
  type Physics,
  type PhysicsSettings,
  type RigidBodySpec,
} from '../../src/index';
import { bySuite } from '../setup/suite';

const ALL = [true, true, true] as const;
const UPRIGHT = [true, false, true] as const;

function world(settings: PhysicsSettings = {}): Physics {
  const physics = createPhysics(createWorld(), settings);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.8 });
  return physics;
}

const spinOf = ({ components }: Physics, eid: number) =>
  (['x', 'y', 'z'] as const).map((k) => components.Velocity.angular[k][eid]);
const turnOf = ({ components }: Physics, eid: number) =>
  (['x', 'y', 'z', 'w'] as const).map((k) => components.Transform.rotation[k][eid]);

/** Twelve bodies fall on each other; those of the list are upright for ever. */
function heap(physics: Physics, count: number, spec: Partial<RigidBodySpec> = {}): number[] {
  const locked: number[] = [];
  for (let i = 0; i < count; i++) {
    const isLocked = i % 2 === 0;
    const eid = addRigidBody(physics, {
      shape: [{ capsule: [0.3, 0.4] } as const, { box: [0.4, 0.3, 0.2] } as const, { sphere: 0.35 } as const][i % 3],
      position: [0.35 * (i % 3), 0.8 + 0.7 * i, 0.25 * (i % 2)],
      angularVelocity: [3, -2, 5],
      friction: 0.7,
      lockRotation: isLocked ? UPRIGHT : [false, false, false],
      ...spec,
    });
    if (isLocked) locked.push(eid);
  }
  return locked;
}

describe.each<[string, PhysicsSettings, number]>([
  ['auto, few', {}, 6],
  ['auto, many', {}, bySuite(26, 40)],
  ['dantzig', { solver: 'dantzig' }, 8],
  ['sweeps', { solver: 'gauss-seidel' }, 24],
  ['contact-admm', { solver: 'contact-admm' }, 24],
])('%s', (_name, settings, count) => {
  test('bodies of a heap stay upright to the last bit and turn about the free axis', () => {
    const physics = world(settings);
    const locked = heap(physics, count);
    let turned = 0;
    for (let step = 0; step < bySuite(120, 200); step++) {
      physics.step();
      for (const eid of locked) {
        const [x, y, z] = spinOf(physics, eid);
        const [qx, , qz] = turnOf(physics, eid);
        expect([x, z, qx, qz].every((n) => n === 0)).toBe(true);
        turned = Math.max(turned, Math.abs(y));
      }
    }
    expect(turned).toBeGreaterThan(0.5);
    expect(physics.report.quarantined).toEqual([]);
  });
});

test('a settled wall with locked bricks is solved by contact-space ADMM and stands still', () => {
  const physics = world({ sleeping: false });
  const bricks: number[] = [];
  for (let row = 0; row < 8; row++) {
    for (let i = 0; i < 6; i++) {
      const lockRotation = (i + row) % 3 === 0 ? ALL : ([false, false, false] as const);
      const position = [0.62 * i + 0.31 * (row % 2), 0.15 + 0.3 * row, 0];
      bricks.push(addRigidBody(physics, { shape: { box: [0.3, 0.15, 0.2] }, position, friction: 0.6, lockRotation }));
    }
  }
  let settled = 0;
  for (let step = 0; step < 300; step++) {
    physics.step();
    settled += physics.report.solvers.contactAdmm.islands;
  }
  expect(settled).toBeGreaterThan(100);
  const before = bricks.map((eid) => physics.components.Transform.position.y[eid]);
  for (let step = 0; step < 60; step++) physics.step();
  bricks.forEach((eid, i) => {
    expect(Math.abs(physics.components.Transform.position.y[eid] - before[i])).toBeLessThan(1e-5);
    if ((i % 6) + Math.floor(i / 6) === 0) expect(turnOf(physics, eid)).toEqual([0, 0, 0, 1]);
  });
});

test.each(['wasm', 'reference'] as const)('a locked crate on a rope does not turn: elastic ADMM on %s', (backend) => {
  const physics = world({ elastic: { backend } });
  const crate = addRigidBody(physics, {
    shape: { box: [0.3, 0.2, 0.25] },
    position: [0, 1, 0],
    mass: 5,
    lockRotation: ALL,
  });
  const points = Array.from({ length: 8 }, (_, i) => [0.3 + 0.1 * i, 1.2, 0.25]);
  const rod = addRod(physics, { points, radius: 0.01, youngModulus: 1e7, clampEnd: true });
  attach(physics, { rod, node: 0, body: crate, point: [0.3, 0.2, 0.25] });
  for (let step = 0; step < 60; step++) {
    physics.step();
    expect(spinOf(physics, crate).every((n) => n === 0)).toBe(true);
  }
  expect(turnOf(physics, crate)).toEqual([0, 0, 0, 1]);
  // It swung.
  expect(physics.components.Transform.position.x[crate]).toBeGreaterThan(0.05);
});

test('calls, columns and torques do not turn a locked axis; the free one turns by its own inertia', () => {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  // Turned about z by 30°, so that the axes of the body are not the world's.
  const rotation = [0, 0, Math.sin(Math.PI / 12), Math.cos(Math.PI / 12)];
  const spec = { shape: { box: [0.5, 0.1, 0.2] }, rotation, mass: 12 } as const;
  const eid = addRigidBody(physics, { ...spec, lockRotation: [true, false, true] });
  applyAngularImpulse(physics, eid, [5, 2, 7]);
  applyImpulse(physics, eid, [0, 0, 3], [1, 0, 0]);
  // I about world y of a box turned about z: m/3 (a² cos² + b² sin²)… seen from y: x-extent and z-extent.
  const [ixx, iyy] = [(12 / 3) * (0.1 ** 2 + 0.2 ** 2), (12 / 3) * (0.5 ** 2 + 0.2 ** 2)];
  const about = ixx * Math.sin(Math.PI / 6) ** 2 + iyy * Math.cos(Math.PI / 6) ** 2;
  const spin = spinOf(physics, eid);
  expect([spin[0], spin[2]]).toEqual([0, 0]);
  expect(spin[1]).toBeCloseTo((2 - 3) / about, 12);
  const { RigidBody, Velocity } = physics.components;
  RigidBody.torque.x[eid] = 100;
  RigidBody.torque.y[eid] = 60;
  Velocity.angular.z[eid] = 4;
  physics.step();
  const after = spinOf(physics, eid);
  expect([after[0], after[2]]).toEqual([0, 0]);
  expect(after[1]).toBeCloseTo(spin[1] + 60 / 60 / about, 9);
});

test('with one axis locked, energy and the momentum about the others are kept', () => {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  const spec = {
    shape: { box: [0.5, 0.1, 0.2] },
    angularVelocity: [4, 9, 1],
    lockRotation: [false, true, false],
  } as const;
  const eid = addRigidBody(physics, { ...spec, mass: 12 });
  const I = [0.2, 1.16, 1.04];
  const energy = (w: number[], q: number[]) => {
    const conjugate = [-q[0], -q[1], -q[2], q[3]];
    const t = [0, 1, 2].map(
      (k) => 2 * (conjugate[(k + 1) % 3] * w[(k + 2) % 3] - conjugate[(k + 2) % 3] * w[(k + 1) % 3]),
    );
    const body = [0, 1, 2].map(
      (k) =>
        w[k] + conjugate[3] * t[k] + conjugate[(k + 1) % 3] * t[(k + 2) % 3] - conjugate[(k + 2) % 3] * t[(k + 1) % 3],
    );
    return 0.5 * body.reduce((sum, x, k) => sum + I[k] * x * x, 0);
  };
  const first = energy([4, 0, 1], [0, 0, 0, 1]);
  let [least, most] = [first, first];
  for (let step = 0; step < 2000; step++) {
    physics.step();
    expect(spinOf(physics, eid)[1]).toBe(0);
    const e = energy(spinOf(physics, eid), turnOf(physics, eid));
    [least, most] = [Math.min(least, e), Math.max(most, e)];
  }
  expect(least / first).toBeGreaterThan(0.98);
  expect(most / first).toBeLessThan(1.02);
});

test('a given inertia and centre of mass act as physics says', () => {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  const spec = { shape: { sphere: 0.5 }, mass: 2, inertia: [4, 5, 6], centerOfMass: [0, -0.2, 0] } as const;
  const eid = addRigidBody(physics, spec);
  applyAngularImpulse(physics, eid, [4, 10, 18]);
  expect(spinOf(physics, eid).map((x) => Math.round(1e12 * x) / 1e12)).toEqual([1, 2, 3]);
  // An impulse through the centre of mass does not turn.
  const other = addRigidBody(physics, { ...spec, position: [5, 0, 0] });
  applyImpulse(physics, other, [3, 0, 0], [5, -0.2, 0]);
  expect(spinOf(physics, other)).toEqual([0, 0, 0]);
  expect(physics.components.Transform.position.y[other]).toBeCloseTo(0, 15);
});

test('a roly-poly with a low centre of mass rights itself, a ball with a high one turns over', () => {
  const up = (center: number) => {
    const physics = world({ sleeping: false });
    const rotation = [Math.sin(0.5), 0, 0, Math.cos(0.5)];
    const spec = { shape: { sphere: 0.5 }, position: [0, 0.5, 0], rotation, angularDamping: 1, friction: 1 } as const;
    const eid = addRigidBody(physics, { ...spec, centerOfMass: [0, center, 0] });
    for (let step = 0; step < 900; step++) physics.step();
    const [x, , z] = turnOf(physics, eid);
    return 1 - 2 * (x * x + z * z);
  };
  expect(up(-0.25)).toBeGreaterThan(0.999);
  expect(up(0.25)).toBeLessThan(-0.999);
});

test('wrong values are refused at the door', () => {
  const physics = world();
  const add = (spec: object) => () => addRigidBody(physics, { shape: { sphere: 1 }, ...spec });
  expect(add({ lockRotation: [true, false] })).toThrow('lockRotation must be three of true or false');
  expect(add({ lockRotation: [true, 1, false] })).toThrow('lockRotation[1] must be true or false, got 1');
  expect(add({ inertia: [1, 0, 1] })).toThrow('inertia[1] must be > 0 [kg·m²], got 0');
  expect(add({ centerOfMass: [0, Number.NaN, 1] })).toThrow('centerOfMass[1] must be a finite number [m]');
  expect(add({ mass: 1e15 })).toThrow('mass must be at most 1000000000000 [kg] (or type static)');
});
