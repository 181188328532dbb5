// Contact.normalImpulse is the whole of a touch in the step, restitution included, and onAdd(Contact) sees it.

import { createWorld, observe, onAdd } from 'bitecs';
import { describe, expect, test } from 'vitest';
import {
  addRigidBody,
  addRod,
  attach,
  createPhysics,
  type Physics,
  type PhysicsSettings,
  type RigidBodySpec,
  readContactPoint,
} from '../../src/index';

describe.each<[string, PhysicsSettings, number]>([
  ['auto', {}, 1e-3],
  ['dantzig', { solver: 'dantzig' }, 1e-3],
  ['sweeps', { solver: 'gauss-seidel' }, 0.03],
  ['splitting', { solver: 'contact-admm' }, 1e-3],
])('%s', (_name, settings, tolerance) => {
  test.each<[string, RigidBodySpec]>([
    ['a ball that bounces', { shape: { sphere: 0.25 }, restitution: 0.8 }],
    ['a ball that does not', { shape: { sphere: 0.25 } }],
    ['a box that bounces', { shape: { box: [0.3, 0.2, 0.3] }, restitution: 0.5 }],
    ['a box that does not', { shape: { box: [0.3, 0.2, 0.3] } }],
  ])('%s', (_what, spec) => {
    for (const height of [1.003, 1.2, 1.51, 2.04]) {
      const physics = createPhysics(createWorld(), settings);
      const { Contact, Velocity } = physics.components;
      addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
      const eid = addRigidBody(physics, { ...spec, mass: 10, position: [0, height, 0] });
      const seen: number[][] = [];
      observe(physics.world, onAdd(Contact), (contact: number) => {
        seen.push([Contact.normalImpulse[contact], Contact.approachSpeed[contact], Velocity.linear.y[eid]]);
      });
      let before = 0;
      while (seen.length === 0) {
        before = Velocity.linear.y[eid];
        physics.step();
      }
      const [impulse, approach] = seen[0];
      const after = Velocity.linear.y[eid];
      const expected = 10 * (after - before) + (10 * 9.81) / 60;
      expect(approach).toBeCloseTo(-before, 3);
      expect(Math.abs(impulse / expected - 1)).toBeLessThan(tolerance);
    }
  });
});

// Without gravity nothing but the touch changes the velocity: what was left for the next step is seen.
test.each<PhysicsSettings['solver']>(['auto', 'dantzig', 'contact-admm'])('%s: a hit is over in one step', (solver) => {
  for (const shape of [{ sphere: 0.5 }, { box: [0.5, 0.5, 0.5] }, { capsule: [0.3, 0.4] }] as const) {
    for (const speed of [3, 10]) {
      const physics = createPhysics(createWorld(), { solver, gravity: [0, 0, 0] });
      const { Contact } = physics.components;
      addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
      addRigidBody(physics, { shape, mass: 10, position: [0, 1.53, 0], velocity: [0, -speed, 0] });
      let impulse = 0;
      observe(physics.world, onAdd(Contact), (contact: number) => {
        impulse = Contact.normalImpulse[contact];
      });
      for (let i = 0; i < 60; i++) physics.step();
      expect(Math.abs(impulse / (10 * speed) - 1)).toBeLessThan(0.005);
    }
  }
});

test('what rests carries its weight, and approaches nothing', () => {
  const physics = createPhysics(createWorld(), { sleeping: false });
  const { Contact } = physics.components;
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, mass: 6, position: [0, 0.5, 0] });
  let contact = 0;
  observe(physics.world, onAdd(Contact), (eid: number) => {
    contact = eid;
  });
  for (let i = 0; i < 60; i++) physics.step();
  expect(Contact.normalImpulse[contact]).toBeCloseTo((6 * 9.81) / 60, 6);
  expect(Contact.approachSpeed[contact]).toBeLessThan(0.2);
});

/** Runs until a contact of `eid` begins; its columns, its first point, and how the velocity changed in that step. */
function firstTouch(physics: Physics, eid: number, steps = 120) {
  const { Contact, Velocity } = physics.components;
  const seen: {
    normal: number;
    friction: number;
    sliding: number;
    approach: number;
    point: [number, number, number];
  }[] = [];
  let before = [0, 0];
  observe(physics.world, onAdd(Contact), (contact: number) => {
    if (Contact.entityA[contact] !== eid && Contact.entityB[contact] !== eid) return;
    const point: [number, number, number] = [0, 0, 0];
    readContactPoint(physics, contact, 0, point);
    seen.push({
      normal: Contact.normalImpulse[contact],
      friction: Contact.frictionImpulse[contact],
      sliding: Contact.sliding[contact],
      approach: Contact.approachSpeed[contact],
      point,
    });
  });
  for (let i = 0; i < steps && seen.length === 0; i++) {
    before = [Velocity.linear.x[eid], Velocity.linear.y[eid]];
    physics.step();
  }
  expect(seen.length).toBe(1);
  return { ...seen[0], change: [Velocity.linear.x[eid] - before[0], Velocity.linear.y[eid] - before[1]] };
}

const WEIGHTLESS = { gravity: [0, 0, 0] } as const;

test.each<[number, PhysicsSettings, number]>([
  [1, {}, 0],
  [1, { solver: 'gauss-seidel' }, 0],
  [1, { solver: 'gauss-seidel' }, 0.5],
  [100, {}, 0.5],
  [200, {}, 0],
  [200, {}, 0.5],
])('%d balls that hit walls, %j, e = %f: every hit is told', (count, settings, restitution) => {
  const physics = createPhysics(createWorld(), { ...WEIGHTLESS, ...settings });
  const { Contact } = physics.components;
  const impulses: number[] = [];
  observe(physics.world, onAdd(Contact), (contact: number) => impulses.push(Contact.normalImpulse[contact]));
  for (let i = 0; i < count; i++) {
    const z = 5 * i;
    addRigidBody(physics, { type: 'static', shape: { box: [0.5, 1, 1] }, position: [2, 0, z] });
    addRigidBody(physics, { shape: { sphere: 0.1 }, mass: 2, position: [0, 0, z], velocity: [10, 0, 0], restitution });
  }
  for (let i = 0; i < 30; i++) physics.step();
  expect(impulses.length).toBe(count);
  for (const impulse of impulses) expect(Math.abs(impulse / (20 * (1 + restitution)) - 1)).toBeLessThan(0.01);
});

describe.each<[string, PhysicsSettings]>([
  ['auto', {}],
  ['sweeps', { solver: 'gauss-seidel' }],
])('%s', (_name, settings) => {
  test.each([0, 3, 10, 30])('a hit has its impulse however fast the ball goes along the floor: %f m/s', (along) => {
    for (const restitution of [0, 0.5]) {
      const physics = createPhysics(createWorld(), { ...WEIGHTLESS, ...settings });
      addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0 });
      const spec = { shape: { sphere: 0.1 }, mass: 1, friction: 0, restitution };
      const ball = addRigidBody(physics, { ...spec, position: [0, 1, 0], velocity: [along, -10, 0] });
      const { normal } = firstTouch(physics, ball);
      expect(Math.abs(normal / (10 * (1 + restitution)) - 1), `e ${restitution}`).toBeLessThan(0.02);
    }
  });

  // Sweeps share what lands in the last of their substeps with the next step.
  const gaps = settings.solver ? [0.02, 0.08, 0.12] : [0.02, 0.08, 0.12, 0.16, 0.166];
  test.each(gaps)('and however far it was away in the step before: %f m', (gap) => {
    const physics = createPhysics(createWorld(), { ...WEIGHTLESS, ...settings });
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    const spec = { shape: { sphere: 0.1 }, mass: 1, velocity: [0, -10, 0] as const };
    const ball = addRigidBody(physics, { ...spec, position: [0, 0.1 + gap, 0] });
    const { normal, approach } = firstTouch(physics, ball);
    expect(Math.abs(normal / 10 - 1)).toBeLessThan(1e-3);
    expect(approach).toBeCloseTo(10, 4);
    expect(Math.abs(physics.components.Velocity.linear.y[ball])).toBeLessThan(0.01);
  });

  test('the friction impulse is that of the bounce, too', () => {
    const physics = createPhysics(createWorld(), { ...WEIGHTLESS, ...settings });
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.3 });
    const spec = { shape: { sphere: 0.1 }, mass: 1, friction: 0.3, restitution: 0.8 };
    const ball = addRigidBody(physics, { ...spec, position: [0, 0.5, 0], velocity: [20, -5, 0] });
    const { normal, friction, sliding, change } = firstTouch(physics, ball);
    expect(Math.abs(normal / change[1] - 1)).toBeLessThan(1e-4);
    expect(Math.abs(friction / -change[0] - 1)).toBeLessThan(1e-4);
    expect(sliding).toBe(1);
  });

  test.each([5, 20, 60])('the point of a hit lies on the wall: %d m/s', (speed) => {
    const physics = createPhysics(createWorld(), { ...WEIGHTLESS, ...settings });
    addRigidBody(physics, { type: 'static', shape: { box: [0.5, 5, 5] }, position: [0.5, 0, 0] });
    const spec = { shape: { sphere: 0.1 }, mass: 1, velocity: [speed, 0.2 * speed, 0] as const };
    const ball = addRigidBody(physics, { ...spec, position: [-1.03, 0, 0] });
    const { point } = firstTouch(physics, ball);
    expect(Math.abs(point[0])).toBeLessThan(2e-4);
    expect(Math.abs(point[1] - physics.components.Transform.position.y[ball])).toBeLessThan(1e-3);
  });
});

describe('the speed of approach is known whoever solves the touch', () => {
  test.each<[string, PhysicsSettings]>([
    ['auto', {}],
    ['sweeps', { solver: 'gauss-seidel' }],
    ['contact-admm', { solver: 'contact-admm' }],
  ])('%s', (_name, settings) => {
    const physics = createPhysics(createWorld(), { ...WEIGHTLESS, ...settings });
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    const spec = { shape: { sphere: 0.1 }, mass: 2, restitution: 0.5, velocity: [1, -7.6, 0] as const };
    const ball = addRigidBody(physics, { ...spec, position: [0, 1, 0] });
    expect(firstTouch(physics, ball).approach).toBeCloseTo(7.6, 6);
  });

  test('a ball with a rope tied to it', () => {
    const physics = createPhysics(createWorld(), WEIGHTLESS);
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    const spec = { shape: { sphere: 0.1 }, mass: 2, velocity: [0, -7.6, 0] as const };
    const ball = addRigidBody(physics, { ...spec, position: [0, 1, 0] });
    const points = Array.from({ length: 6 }, (_, i) => [0, 1.1 + 0.1 * i, 0]);
    const rod = addRod(physics, { points, radius: 0.005 });
    attach(physics, { rod, node: 0, body: ball, length: 1 });
    const { approach } = firstTouch(physics, ball);
    expect(approach).toBeGreaterThan(5);
    expect(approach).toBeLessThan(7.7);
  });
});
