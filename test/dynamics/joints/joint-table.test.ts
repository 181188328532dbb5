// Chains of the joints of each body, as joints come and go.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random';
import { jointsOfBody } from '../../../src/dynamics/joints/joint-table';
import { addJoint, addRigidBody, createPhysics, removeJoint } from '../../../src/index';
import * as L from '../../../src/state/layout';

test('a body names its joints and no others, in any order of coming and going', () => {
  const physics = createPhysics(createWorld(), { userTiming: false, gravity: [0, 0, 0] });
  const { engine, slotOf, joints: state } = physics.internal;
  const bodies = Array.from({ length: 6 }, (_, k) =>
    addRigidBody(physics, { shape: { sphere: 0.1 }, position: [k, 0, 0] }),
  );
  physics.step();
  const random = createRandom(7);
  const pick = (count: number) => Math.floor(count * random());
  /** Entities of joints, and the bodies at their ends. */
  const alive = new Map<number, number[]>();
  for (let round = 0; round < 60; round++) {
    if (alive.size > 0 && random() < 0.45) {
      const eid = [...alive.keys()][pick(alive.size)];
      removeJoint(physics, eid);
      alive.delete(eid);
    } else {
      const a = pick(6);
      const ends = random() < 0.3 ? [bodies[a]] : [bodies[a], bodies[(a + 1 + pick(5)) % 6]];
      alive.set(addJoint(physics, { type: 'rope', length: 9, a: ends[0], ...(ends[1] && { b: ends[1] }) }), ends);
    }
    physics.step();
    for (const body of bodies) {
      const expected = [...alive].filter(([, ends]) => ends.includes(body)).map(([eid]) => state.slotOf[eid]);
      const found = [...jointsOfBody(engine, slotOf[body])];
      expect(found.sort()).toEqual(expected.sort());
      expect((engine.tables.bodies.flags[slotOf[body]] & L.BODY_JOINED) !== 0).toBe(expected.length > 0);
    }
  }
  // Rows of those that went are used again.
  expect(engine.arena.i32[L.JOINT_COUNT >> 2]).toBeLessThan(30);
});
