// A world that outlives its physics keeps little of it.

import {
  $internal,
  addComponent,
  addEntity,
  createWorld,
  Not,
  observe,
  onAdd,
  query,
  removeEntity,
  type World,
} from 'bitecs';
import { expect, test } from 'vitest';
import { createPhysics } from '../../systems/create-physics';
import { addRigidBody } from '../../systems/rigid-body';

interface Books {
  queries: Set<unknown>;
  queriesHashMap: Map<string, unknown>;
  notQueries: Set<unknown>;
  dirtyQueries: Set<unknown>;
  componentMap: Map<unknown, unknown>;
}

/** What bitECS keeps: numbers of queries in each of its lists, and of components. */
function sizesOf(world: World): number[] {
  const books = (world as unknown as { [$internal]: Books })[$internal];
  const { queries, queriesHashMap, notQueries, dirtyQueries, componentMap } = books;
  return [queries, queriesHashMap, notQueries, dirtyQueries, componentMap].map(({ size }) => size);
}

/** A world in which a body has lain on the ground and gone again, and its physics too. */
function play(world: World): void {
  const physics = createPhysics(world);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  addRigidBody(physics, { shape: { sphere: 0.5 }, position: [0, 0.5, 0] });
  const { RigidBody, Sleeping } = physics.components;
  for (let k = 0; k < 10; k++) physics.step();
  for (const eid of [...query(world, [RigidBody, Not(Sleeping)])]) removeEntity(world, eid);
  physics.dispose();
}

test('a physics that leaves its world leaves no query and no component that nobody has', () => {
  const world = createWorld();
  const before = sizesOf(world);
  play(world);
  expect(sizesOf(world)).toEqual(before);
});

test('what entities have stays with them, and queries of the game go on', () => {
  const world = createWorld();
  const Enemy = {};
  const enemy = addEntity(world);
  addComponent(world, enemy, Enemy);
  const physics = createPhysics(world);
  const { RigidBody, Attachment, Sleeping } = physics.components;
  const body = addRigidBody(physics, { shape: { sphere: 0.5 }, mass: 3 });
  addComponent(world, enemy, Sleeping);
  const seen: number[] = [];
  observe(world, onAdd(Enemy, Not(Attachment)), (eid) => seen.push(eid));
  physics.step();
  physics.dispose();
  expect([...query(world, [RigidBody])]).toEqual([body]);
  expect(RigidBody.mass[body]).toBe(3);
  expect(Attachment.rod).toHaveLength(0);
  expect([...query(world, [Enemy, Not(RigidBody)])]).toEqual([enemy]);
  const other = addEntity(world);
  addComponent(world, other, Enemy);
  expect(seen).toEqual([other]);
  addComponent(world, other, Attachment);
  expect([...query(world, [Enemy, Attachment])]).toEqual([other]);
});
