import { expect, test } from 'vitest';
import { addColliderProxy, findPairs, forEachPair } from '../../src/collision/broadphase';
import * as L from '../../src/state/layout';
import {
  addObject,
  addShape,
  checkPairs,
  checkTree,
  count,
  makeWorld,
  removeObject,
} from '../kernels/broadphase-world';

test('tables of one body grow until every pair of a dense crowd is there', () => {
  const world = makeWorld(1);
  const shape = addShape(world, L.SHAPE_SPHERE, [1]);
  for (let i = 0; i < 40; i++) addObject(world, shape);
  expect(world.tables.tree.capacity).toBeLessThan(40);
  findPairs(world.tables, world.kernels, world.arena);
  expect(count(world, L.HASH_USED)).toBe((40 * 39) / 2);
  expect(count(world, L.MISSING_PAIRS)).toBe(0);
  expect(checkTree(world)).toBe(40);
  checkPairs(world);
});

test('a proxy can be made one by one, and pairs follow with the next search', () => {
  const world = makeWorld(1);
  const shape = addShape(world, L.SHAPE_SPHERE, [1]);
  for (let i = 0; i < 10; i++) {
    const collider = addObject(world, shape, { position: [i * 1.5, 0, 0] });
    addColliderProxy(world.tables, world.kernels, world.arena, collider);
    expect(checkTree(world)).toBe(i + 1);
  }
  expect(count(world, L.HASH_USED)).toBe(0);
  findPairs(world.tables, world.kernels, world.arena);
  expect(count(world, L.HASH_USED)).toBe(9);
});

test('forEachPair visits the partners of a collider, whichever side it is on', () => {
  const world = makeWorld();
  const ball = addShape(world, L.SHAPE_SPHERE, [1]);
  const box = addShape(world, L.SHAPE_BOX_KIND, [1, 1, 1]);
  const a = addObject(world, box);
  const b = addObject(world, ball, { position: [1.5, 0, 0] });
  const c = addObject(world, box, { position: [-1.5, 0, 0] });
  addObject(world, ball, { position: [9, 0, 0] });
  findPairs(world.tables, world.kernels, world.arena);
  const partners = (collider: number): number[] => {
    const out: number[] = [];
    forEachPair(world.tables, collider, (pair, other) => {
      expect([world.tables.pairs.colliderA[pair], world.tables.pairs.colliderB[pair]]).toContain(collider);
      out.push(other);
    });
    return out.sort((x, y) => x - y);
  };
  expect(partners(a)).toEqual([b, c]);
  expect(partners(b)).toEqual([a]);
  removeObject(world, b);
  expect(partners(a)).toEqual([c]);
});
