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

/** Bytes of the arrays of some components, each once. */
function bytesOf(all: readonly object[]): number {
  const buffers = new Set<ArrayBufferLike>();
  const look = (value: unknown) => {
    if (ArrayBuffer.isView(value)) buffers.add(value.buffer);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look);
  };
  all.forEach(look);
  return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

test('what bodies that are left keep grows with their number, not with those of all entities', () => {
  const world = createWorld();
  const left: { components: object; bodies: number[]; places: number[][] }[] = [];
  for (let k = 0; k < 25; k++) {
    const physics = createPhysics(world);
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    const bodies = Array.from({ length: 20 }, (_, i) =>
      addRigidBody(physics, { shape: { sphere: 0.5 }, position: [2 * i, 0.5 + k, 0], mass: 1 + i }),
    );
    for (let n = 0; n < 3; n++) physics.step();
    physics.dispose();
    const { Transform, RigidBody } = physics.components;
    left.push({
      components: physics.components,
      bodies,
      places: bodies.map((eid) => [Transform.position.x[eid], Transform.position.y[eid], RigidBody.mass[eid]]),
    });
  }
  for (const { components, bodies, places } of left) {
    const { Transform, RigidBody } = components as ReturnType<typeof createPhysics>['components'];
    bodies.forEach((eid, i) => {
      expect([Transform.position.x[eid], Transform.position.y[eid], RigidBody.mass[eid]]).toEqual(places[i]);
    });
  }
  // 0.4 MB; as whole columns 3.7.
  expect(bytesOf(left.map(({ components }) => components))).toBeLessThan(6e5);
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
