// What bends of a joint is forgotten with its own island only: rows of contacts, in front of those of the joints, hold
// the joint numbers that an earlier island left there.

import { createWorld } from 'bitecs';
import { expect, it } from 'vitest';
import { createJointRows } from '../../../src/dynamics/joints/joint-rows';
import { clearBends } from '../../../src/dynamics/joints/refine-joints';
import { addJoint, addRigidBody, createPhysics } from '../../../src/index';

it('does not forget what joints of other islands bend', () => {
  const physics = createPhysics(createWorld());
  for (let k = 0; k < 2; k++) {
    const a = addRigidBody(physics, { shape: { sphere: 0.1 }, position: [3 * k, 5, 0] });
    addJoint(physics, { type: 'ball', a });
  }
  physics.step();
  const { engine } = physics.internal;
  const { bend } = engine.tables.joints;
  bend.fill(0.25, 0, 12);

  // One contact, whose place an island with joint 1 had before, then one block of joint 0.
  const rows = createJointRows();
  rows.joint = new Int32Array([1, 0]);
  rows.contacts.touchCount = 1;
  rows.contacts.problem.contactCount = 2;
  clearBends(engine, rows);
  expect([...bend.subarray(0, 12)]).toEqual([...Array(6).fill(0), ...Array(6).fill(0.25)]);
});
