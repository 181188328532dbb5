// Columns of components: arrays that are replaced as they grow, and what is written to one that has been.

import { expect, test } from 'vitest';
import { createColumnSet, emptyColumns, real, vector, whole, written } from '../../components/columns';

const make = () => ({ Body: { mass: real(), place: vector() }, Touch: { entity: whole() }, Tag: {} });

test('all columns grow together, with what they hold', () => {
  const components = make();
  const set = createColumnSet(components, 4);
  expect(set.capacity).toBe(4);
  components.Body.mass[3] = 7;
  components.Body.place.z[2] = -1;
  components.Touch.entity[1] = 42;
  set.ensure(3);
  expect(set.capacity).toBe(4);
  set.ensure(9);
  expect(set.capacity).toBe(16);
  const { Body, Touch } = components;
  expect([Body.mass[3], Body.place.z[2], Touch.entity[1]]).toEqual([7, -1, 42]);
  expect([Body.mass, Body.place.x, Touch.entity].map(({ length }) => length)).toEqual([16, 16, 16]);
});

test('a write to an array from before the last growth is found and named', () => {
  const components = make();
  const set = createColumnSet(components, 2);
  const old = components.Body.place.y;
  set.ensure(5);
  const rounds = () => Array.from({ length: 12 }, () => set.findStaleWrite()).filter((name) => name !== null);
  old[1] = 3;
  expect(rounds()).toEqual(['Body.place.y']);
  // Each is looked at a few times, then let go of.
  old[0] = 4;
  expect(rounds()).toEqual([]);
});

test('large arrays that were replaced are let go at once', () => {
  const components = make();
  const set = createColumnSet(components, 8192);
  const old = components.Body.mass;
  set.ensure(8192);
  old[1] = 3;
  expect(Array.from({ length: 12 }, () => set.findStaleWrite()).filter((name) => name !== null)).toEqual([]);
});

test('a component that no entity has any more gives up its arrays', () => {
  const components = make();
  createColumnSet(components, 8);
  emptyColumns(components.Body);
  const { Body, Touch } = components;
  expect([Body.mass, Body.place.x, Body.place.y, Touch.entity].map(({ length }) => length)).toEqual([0, 0, 0, 8]);
  expect(written(Body)).toBe(Body);
});
