// Nodes that come out of a solve too fast: slowed each for itself on sheets and solids, and without forces after it.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { LIMIT_BESIDE, LIMIT_TIMES } from '../../../src/core/elastic-constants';
import { limitSpeeds } from '../../../src/dynamics/elastic/limit-speeds';
import { createStepNotes } from '../../../src/dynamics/elastic/step-notes';
import { addRigidBody, addShell, addSolid, createPhysics, type Physics } from '../../../src/index';
import * as L from '../../../src/state/layout';
import { gridMesh } from '../../mechanics/shell/shell-world';
import { box } from '../../mechanics/solid/solid-world';

const FASTEST = 2; // of all without contacts [m/s]
const MOST = LIMIT_TIMES * FASTEST + LIMIT_BESIDE;

function addSheet(physics: Physics): void {
  const { points, triangles } = gridMesh(3, 3, 0.6, 0.6);
  addShell(physics, {
    vertices: Array.from({ length: points.length / 3 }, (_, i) => [points[3 * i], 0.005, points[3 * i + 2]]),
    triangles: Array.from({ length: triangles.length / 3 }, (_, t) => triangles.slice(3 * t, 3 * t + 3)),
    thickness: 0.01,
    density: 100,
  });
}

function addBlock(physics: Physics): void {
  const { vertices, tetrahedra } = box([2, 2, 2], [-0.2, 0.005, -0.2], [0.2, 0.405, 0.2]);
  addSolid(physics, { vertices, tetrahedra, youngModulus: 5e4, radius: 0.005 });
}

test.each([
  ['sheet', addSheet],
  ['solid', addBlock],
])('a node of a %s that comes out too fast is slowed alone, and its contacts lose their forces', (_, add) => {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  add(physics);
  for (let k = 0; k < 30; k++) physics.step();
  const { engine } = physics.internal;
  const { arena, tables } = engine;
  const { predicted, dual } = tables.nodes;
  const { node, weight, force } = tables.nodeContacts;
  const count = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  const loaded = Array.from({ length: count }, (_, c) => c).filter((c) => force[4 * c + 1] > 0);
  expect(loaded.length).toBeGreaterThan(3);

  // What the solve made of one node that bears: nothing that lasts but too much speed.
  const fast = node[4 * loaded[0]];
  const isOfFast = (c: number) => [0, 1, 2, 3].some((k) => node[4 * c + k] === fast && weight[4 * c + k] !== 0);
  const nodes = 4 * arena.i32[L.NODE_COUNT >> 2];
  for (let i = 3; i < nodes; i += 4) dual[i] = i === 4 * fast + 3 ? 1 : 0;
  predicted.fill(0, 0, nodes);
  const notes = createStepNotes(engine);
  notes.open();
  arena.f64.fill(0, notes.free >> 3, (notes.free >> 3) + nodes);
  predicted.set([0, 0, 4 * MOST], 4 * fast);
  predicted.set([0, 0, 0.9 * MOST], 4 * fast + 4);
  const before = force.slice(0, 4 * count);

  expect(limitSpeeds(engine, notes, { fastest: FASTEST, meeting: new Float64Array(1) })).toBe(1);
  expect(predicted[4 * fast + 2]).toBeLessThan(MOST);
  expect(predicted[4 * fast + 2]).toBeGreaterThan(0);
  expect(predicted[4 * fast + 6]).toBe(0.9 * MOST);
  for (const c of loaded) {
    const expected = isOfFast(c) ? [0, 0, 0, 0] : [...before.subarray(4 * c, 4 * c + 4)];
    expect([...force.subarray(4 * c, 4 * c + 4)]).toEqual(expected);
  }
  expect(loaded.some((c) => !isOfFast(c))).toBe(true);
});
