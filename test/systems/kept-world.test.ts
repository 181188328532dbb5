// A world that outlives its physics keeps little of it.

import { $internal, createWorld, type World } from 'bitecs';
import { expect, test } from 'vitest';
import { createPhysics } from '../../systems/create-physics';
import { addRigidBody } from '../../systems/rigid-body';

function queriesOf(world: World): number {
  return (world as unknown as { [$internal]: { queries: Set<unknown> } })[$internal].queries.size;
}

test('a physics that leaves its world registers no query with it, and empties columns that nobody has', () => {
  const world = createWorld();
  const physics = createPhysics(world);
  const { RigidBody, Attachment } = physics.components;
  const body = addRigidBody(physics, { shape: { sphere: 0.5 }, mass: 3 });
  physics.step();
  const before = queriesOf(world);
  physics.dispose();
  expect(queriesOf(world)).toBe(before);
  expect(RigidBody.mass[body]).toBe(3);
  expect(Attachment.rod).toHaveLength(0);
});
