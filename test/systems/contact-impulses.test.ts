// Contact.normalImpulse is the whole of a touch in the step, restitution included, and onAdd(Contact) sees it.

import { createWorld, observe, onAdd } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { addRigidBody, createPhysics, type PhysicsSettings, type RigidBodySpec } from '../../src/index';

describe.each<[string, PhysicsSettings, number]>([
  ['auto', {}, 1e-3],
  ['dantzig', { solver: 'dantzig' }, 1e-3],
  ['sweeps', { solver: 'gauss-seidel' }, 0.03],
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
