// Rows of the joints of nodes: what a solve leaves goes to the joint that a row is of, whichever end it was seen from.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import {
  breakAttachment,
  freeAttachment,
  isAttachment,
  NO_SOURCE,
  reversedSource,
  storeImpulses,
} from '../../../src/dynamics/elastic/attachment-rows';
import { addRod, attach, createPhysics } from '../../../src/index';
import { addJointRow, createJointRows } from '../../../src/solvers/admm/joint-rows';

function twoJoints() {
  const physics = createPhysics(createWorld(), { userTiming: false });
  const points = [0, 1, 2].map((k) => [0.1 * k, 0, 0] as const);
  const rod = addRod(physics, { points, radius: 0.01, density: 1000, youngModulus: 1e6 });
  for (const node of [0, 2]) attach(physics, { rod, node });
  return physics.internal.engine;
}

test("impulses are those on the joint's own node, also of rows seen from the other one", () => {
  const { tables } = twoJoints();
  const rows = createJointRows();
  const sources = [0, reversedSource(1), NO_SOURCE, reversedSource(0)];
  for (const k of sources.keys()) {
    const row = addJointRow(rows, 0, 0, 1, 0, false);
    rows.impulse[row] = k + 1;
  }
  storeImpulses(tables, rows, Int32Array.from(sources));
  expect(Array.from(tables.attachments.impulse.subarray(0, 8))).toEqual([0, 1 - 4, 0, 0, 0, -2, 0, 0]);
});

test('a broken row holds nothing and stays until it is given back', () => {
  const engine = twoJoints();
  const { attachments } = engine.tables;
  breakAttachment(engine, 1);
  expect([isAttachment(engine.tables, 1), attachments.entity[1] !== 0]).toEqual([true, true]);
  freeAttachment(engine, 1);
  expect([isAttachment(engine.tables, 1), attachments.entity[1]]).toEqual([false, 0]);
});
