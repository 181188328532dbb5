// What touches what it is joined to: on a rope it does, held in one place it does not. What the world holds stays
// there, whatever flies at it.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { addRigidBody, addRod, addShell, attach, createPhysics, pinVertex, shellPositions } from '../../src/index';
import { NODE_CONTACT_COUNT } from '../../src/state/layout';
import { gridMesh } from '../mechanics/shell/shell-world';
import { bySuite } from '../setup/suite';

const BACKENDS = bySuite<('reference' | 'wasm')[]>(['wasm'], ['reference', 'wasm']);
const SIZE = 6;
const VERTICES = (SIZE + 1) ** 2;

/** A square of 30 cm whose first vertex is at `at`, its sides along ± x and ± z. */
function square(at: number[], [sx, sz]: number[]) {
  const { points, triangles } = gridMesh(SIZE, SIZE, 0.3, 0.3);
  const sides = [sx, 1, sz];
  const vertices = points.map((x, k) => at[k % 3] + sides[k % 3] * (x - points[k % 3]));
  return { vertices, triangles, thickness: 0.002, stretchModulus: 1e5 };
}

describe.each(BACKENDS)('on backend %s', (backend) => {
  test('a napkin, and a string, that hang on ropes from a table lie on it', () => {
    const physics = createPhysics(createWorld(), { userTiming: false, elastic: { backend } });
    const body = addRigidBody(physics, { type: 'static', shape: { box: [0.5, 0.1, 0.5] } });
    const shell = addShell(physics, square([-0.15, 0.11, -0.15], [1, 1]));
    for (let vertex = 0; vertex < VERTICES; vertex++) attach(physics, { shell, vertex, body, length: 1 });
    const points = [0, 1, 2, 3, 4].map((k): [number, number, number] => [0.05 * k - 0.1, 0.11, 0.3]);
    const rod = addRod(physics, { points, radius: 0.003, density: 1000, youngModulus: 1e7, shearModulus: 3e6 });
    for (let node = 0; node < 5; node++) attach(physics, { rod, node, body, length: 1 });
    for (let k = 0; k < 30; k++) physics.step();
    const { position } = physics.internal.engine.tables.nodes;
    for (let node = 0; node < VERTICES + 5; node++) expect(position[4 * node + 1]).toBeGreaterThan(0.1);
  });

  test.each([
    [
      'the first to the others',
      [
        [0, 1],
        [0, 2],
      ],
    ],
    [
      'one after the other',
      [
        [2, 1],
        [1, 0],
      ],
    ],
  ])('three corners sewn together do not touch: %s', (_, seams) => {
    const physics = createPhysics(createWorld(), { userTiming: false, gravity: [0, 0, 0], elastic: { backend } });
    const sheets = [
      [1, 1],
      [-1, -1],
      [1, -1],
    ].map((sides) => addShell(physics, square([0, 1, 0], sides)));
    for (const [a, b] of seams) attach(physics, { shell: sheets[a], vertex: 0, to: { shell: sheets[b], vertex: 0 } });
    for (let k = 0; k < 10; k++) physics.step();
    const { arena, tables } = physics.internal.engine;
    for (let c = 0; c < arena.i32[NODE_CONTACT_COUNT >> 2]; c++) {
      const corners = [...tables.nodeContacts.node.subarray(4 * c, 4 * c + 4)].filter((n) => n % VERTICES === 0);
      expect(corners.length).toBeLessThan(2);
    }
  });

  test('a napkin pinned to the world stays, however fast another one comes', () => {
    for (const speed of bySuite([40], [10, 40])) {
      const physics = createPhysics(createWorld(), { userTiming: false, elastic: { backend, iterations: 2 } });
      const shell = addShell(physics, square([0, 0, 0], [1, 1]));
      for (let vertex = 0; vertex < VERTICES; vertex++) pinVertex(physics, shell, vertex);
      addShell(physics, { ...square([0.013, 0.05, 0.017], [1, 1]), velocity: [0, -speed, 0] });
      const start = Array.from(shellPositions(physics, shell));
      let slowed = 0;
      for (let k = 0; k < 10; k++) {
        physics.step();
        slowed += physics.report.strands.keptApart;
        expect(Array.from(shellPositions(physics, shell))).toEqual(start);
      }
      expect(slowed).toBeGreaterThan(0);
    }
  });
});
