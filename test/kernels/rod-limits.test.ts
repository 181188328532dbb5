// The loops over all nodes behind limit-speeds: largest speeds, what is kept of them, who touches, who is suspect.

import { beforeEach, expect, test } from 'vitest';
import { allocate } from '../../src/core/arena';
import type { StrandKernelExports } from '../../src/kernels/exports';
import { instantiateStrandKernels } from '../../src/kernels/strand-kernels';
import * as L from '../../src/state/layout';
import * as S from '../mechanics/rod/strand-world';

const DT = 0.01;
let world: S.StrandWorld;
let kernels: StrandKernelExports;
let free: number;

/** Two strands of four nodes, edges of 0.1 m, all with contacts (a weight). */
beforeEach(() => {
  world = S.createStrandWorld(DT);
  const { arena, tables } = world;
  for (let s = 0; s < 2; s++) S.addStrand(world, { points: S.straight(4, 0.3) });
  tables.control.nodeContacts.ensure(4);
  arena.f64[L.TIME_STEP >> 3] = DT;
  for (let i = 0; i < 8; i++) tables.nodes.dual[4 * i + 3] = 1;
  kernels = instantiateStrandKernels(arena.memory);
  free = allocate(arena, 32 * 8);
});

/** A contact between nodes a and b, or of a with a body. */
function addContact(a: number, b: number, body = -1, drift = [0, 0, 0]): void {
  const { arena, tables } = world;
  const c = arena.i32[L.NODE_CONTACT_COUNT >> 2]++;
  tables.nodeContacts.node.set([a, a + 1, b, b < 0 ? -1 : b + 1], 4 * c);
  const { strand } = tables.nodes;
  tables.nodeContacts.side.set([strand[a], b < 0 ? -1 : strand[b], -1, body], 4 * c);
  tables.nodeContacts.drift.set([...drift, 0], 4 * c);
}

test('the fastest node counts, spins do not, and a NaN shows', () => {
  const { predicted } = world.tables.nodes;
  predicted.set([3, 0, 4, 1000], 4 * 5);
  predicted.set([0, -2, 0, 0], 4);
  expect(kernels.rodFastest()).toBe(25);
  predicted[2] = Number.NaN;
  expect(kernels.rodFastest()).toBeNaN();
});

test('free velocities are kept as they are; moving surfaces count as well', () => {
  const { predicted } = world.tables.nodes;
  for (let k = 0; k < 32; k++) predicted[k] = k / 32;
  addContact(0, 4, -1, [9, 9, 9]);
  expect(kernels.rodKeepFree(free)).toBeLessThan(3);
  expect([...world.arena.f64.subarray(free / 8, free / 8 + 32)]).toEqual([...predicted.subarray(0, 32)]);
  addContact(1, -1, 2, [0, 6, 8]);
  expect(kernels.rodKeepFree(free)).toBe(100);
});

test('strands and bodies that touch are marked, the world is no body', () => {
  const { arena } = world;
  const marks = allocate(arena, 64);
  addContact(5, -1, 3);
  addContact(6, -1, -1);
  kernels.rodTouched(marks, marks + 16);
  expect([...arena.u8.subarray(marks, marks + 2)]).toEqual([0, 1]);
  expect([...arena.u8.subarray(marks + 16, marks + 21)]).toEqual([0, 0, 0, 1, 0]);
  addContact(4, 1);
  kernels.rodTouched(marks, marks + 16);
  expect([...arena.u8.subarray(marks, marks + 2)]).toEqual([1, 1]);
});

test('velocities to look along are shortened, not turned', () => {
  const at = world.tables.nodes.predicted;
  at.set([3, 4, 0, 7], 0);
  at.set([0.3, 0.4, 0, 7], 4);
  at.set([Infinity, 0, 0, 7], 8);
  kernels.rodLimitLook(world.arena.i32[L.NODE_PREDICTED >> 2], 2.5);
  expect([...at.subarray(0, 12)]).toEqual([1.5, 2, 0, 7, 0.3, 0.4, 0, 7, 0, 0, 0, 7]);
});

test('suspect is what is too fast or longer than it would be without contacts', () => {
  const { arena, tables } = world;
  const { predicted, dual } = tables.nodes;
  const marks = allocate(arena, 16);
  const suspects = () => {
    kernels.rodSuspects(free, marks, 50, 0.2);
    return [...arena.u8.subarray(marks, marks + 2)];
  };
  const [x, y, z] = [0, 1, 2].map((k) => tables.nodes.position[12 + k] - tables.nodes.position[8 + k]);
  const edge = Math.hypot(x, y, z);
  /** The last node of the first strand moves on along its edge. */
  const stretch = (v: number) => predicted.set([(v * x) / edge, (v * y) / edge, (v * z) / edge, 0], 12);
  expect(suspects()).toEqual([0, 0]);
  stretch((0.19 * edge) / DT);
  expect(suspects()).toEqual([0, 0]);
  stretch((0.21 * edge) / DT);
  expect(suspects()).toEqual([1, 0]);
  // As long without contacts, or nothing met.
  arena.f64.set(predicted.subarray(0, 32), free / 8);
  expect(suspects()).toEqual([0, 0]);
  arena.f64.fill(0, free / 8, free / 8 + 32);
  dual.fill(0);
  expect(suspects()).toEqual([0, 0]);
  for (let i = 4; i < 8; i++) predicted.set([0, 51, 0, 0], 4 * i);
  expect(suspects()).toEqual([0, 1]);
  predicted[17] = Number.NaN;
  expect(kernels.rodSuspects(free, marks, 50, 0.2)).toBe(1);
});
