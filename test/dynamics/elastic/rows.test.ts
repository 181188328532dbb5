// Rods, sheets and solids that go: the rows of the others move down, and all that names them moves with them.

import { createWorld, removeEntity } from 'bitecs';
import { expect, test } from 'vitest';
import { findBrokenInvariants } from '../../../src/debug/validate';
import {
  addRigidBody,
  addRod,
  addShell,
  addSolid,
  attach,
  attachmentDistance,
  createPhysics,
  rodPositions,
  shellPositions,
  solidPositions,
} from '../../../src/index';
import * as L from '../../../src/state/layout';
import { box } from '../../mechanics/solid/solid-world';
import { createGrid, place } from '../../validation/sheets';

test('what is left keeps its place, contacts and joints to the bit, whichever goes', () => {
  const physics = createPhysics(createWorld(), { userTiming: false, sleeping: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const rods = [0, 0.02, 0.04].map((y) =>
    addRod(physics, {
      points: [0, 1, 2, 3].map((k) => [0.05 * k, 0.012 + y, y] as const),
      ...{ radius: 0.01, density: 1000, youngModulus: 1e6 },
    }),
  );
  const grid = createGrid(3, 3, 0.2, 0.2, 'turns');
  const shells = [0.5, 0.9].map((x) =>
    addShell(physics, {
      ...{ vertices: place(grid, (s, t) => [x + s, 0.006, -t]), triangles: grid.triangles },
      ...{ thickness: 0.01, density: 200, stretchModulus: 1e4 },
    }),
  );
  const solids = [-0.5, -0.9].map((x) => {
    const { vertices, tetrahedra } = box([1, 1, 1], [x, 0.006, 0], [x + 0.1, 0.106, 0.1]);
    return addSolid(physics, { vertices, tetrahedra, youngModulus: 1e5, radius: 0.005 });
  });
  const joint = attach(physics, { rod: rods[2], node: 3, to: { shell: shells[1], vertex: 0 }, length: 2 });
  for (let k = 0; k < 8; k++) physics.step();
  const { arena, tables } = physics.internal.engine;

  /** Of each contact: the places of its nodes, its force and its body. */
  const contacts = () => {
    const { node, force, side } = tables.nodeContacts;
    const rows: string[] = [];
    for (let c = 0; c < arena.i32[L.NODE_CONTACT_COUNT >> 2]; c++) {
      const four = [0, 1, 2, 3].map((k) => node[4 * c + k]);
      const objects = four.filter((i) => i >= 0).map((i) => tables.nodes.strand[i]);
      expect(objects.every((object) => object === side[4 * c] || object === side[4 * c + 1])).toBe(true);
      const places = four.map((i) => (i < 0 ? [] : [...tables.nodes.position.subarray(4 * i, 4 * i + 4)]));
      rows.push(JSON.stringify([places, [...force.subarray(4 * c, 4 * c + 4)], side[4 * c + 2], side[4 * c + 3]]));
    }
    return rows;
  };
  const kept = () => [
    rodPositions(physics, rods[2]),
    shellPositions(physics, shells[1]),
    solidPositions(physics, solids[1]),
  ];
  const [before, places] = [contacts(), kept().map((p) => [...p])];
  expect(before.length).toBeGreaterThan(20);
  let count = before.length;
  for (const eid of [shells[0], rods[1], solids[0], rods[0]]) {
    removeEntity(physics.world, eid);
    expect(kept().map((p) => [...p])).toEqual(places);
    const now = contacts();
    // Some go with what they touch, none changes.
    expect(now.length).toBeLessThan(count);
    expect(before).toEqual(expect.arrayContaining(now));
    expect(findBrokenInvariants(arena, tables)).toEqual([]);
    count = now.length;
  }
  expect(attachmentDistance(physics, joint)).toBeLessThan(2);
  for (let k = 0; k < 8; k++) physics.step();
  expect(findBrokenInvariants(arena, tables)).toEqual([]);
  expect(physics.report.strands.quarantined).toBe(0);
});
