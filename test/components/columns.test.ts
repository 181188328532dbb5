// Columns of components: arrays that are replaced as they grow, and what is written to one that has been.

import { expect, test } from 'vitest';
import { createColumnSet, emptyColumns, foldColumns, real, vector, whole, written } from '../../components/columns';

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

test('folded columns keep the rows of their entities, apart from each other, in little memory', () => {
  const components = make();
  const set = createColumnSet(components, 8);
  set.ensure(5000);
  const { Body, Touch } = components;
  for (let eid = 4990; eid < 4996; eid++) {
    Body.mass[eid] = eid;
    Body.place.x[eid] = 2 * eid;
    Body.place.y[eid] = 3 * eid;
    Touch.entity[eid] = 4 * eid;
  }
  foldColumns([Body, Touch], 4990, 4995);
  Body.mass[4993] = -1;
  for (let eid = 4990; eid < 4996; eid++) {
    const mass = eid === 4993 ? -1 : eid;
    expect([Body.mass[eid], Body.place.x[eid], Body.place.y[eid]]).toEqual([mass, 2 * eid, 3 * eid]);
    expect(Touch.entity[eid]).toBe(4 * eid);
  }
  expect(Body.place.y).toHaveLength(4996);
  expect(Body.mass.buffer).toBe(Body.place.y.buffer);
  expect(Body.mass.buffer.byteLength).toBe(8 * (4990 + 4 * 6));
});

test('a component that no entity has any more gives up its arrays', () => {
  const components = make();
  createColumnSet(components, 8);
  emptyColumns(components.Body);
  const { Body, Touch } = components;
  expect([Body.mass, Body.place.x, Body.place.y, Touch.entity].map(({ length }) => length)).toEqual([0, 0, 0, 8]);
  expect(written(Body)).toBe(Body);
});
