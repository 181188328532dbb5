// What touches what it is joined to: on a rope it does, held in one place it does not, and what is farther on along a
// strand does. What the world holds stays there, whatever flies at it.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import {
  addRigidBody,
  addRod,
  addShell,
  addSolid,
  attach,
  createPhysics,
  detach,
  pinVertex,
  shellPositions,
} from '../../src/index';
import { NODE_CONTACT_COUNT } from '../../src/state/layout';
import { gridMesh } from '../mechanics/shell/shell-world';
import { box } from '../mechanics/solid/solid-world';
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

/** A rope of 2 cm radius whose first node is tied at (0.1, 1, 0), in the face of a post of that body type. */
function tiedRope(backend: (typeof BACKENDS)[number], type: 'static' | 'kinematic' | 'dynamic', along: number[]) {
  const physics = createPhysics(createWorld(), { userTiming: false, sleeping: false, elastic: { backend } });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const body = addRigidBody(physics, { type, shape: { box: [0.1, 0.5, 0.1] }, position: [0, 0.5, 0] });
  const points = Array.from({ length: 8 }, (_, i) => along.map((x, k) => [0.1, 1, 0][k] + 0.1 * i * x));
  const radius = 0.02;
  const moduli = { youngModulus: 2e6, shearModulus: 7e5, stretchModulus: 4e7 };
  const rod = addRod(physics, { points: points as [number, number, number][], radius, density: 900, ...moduli });
  return { physics, tie: attach(physics, { rod, node: 0, body }) };
}

/** Largest residual and iterations of some steps. */
function worstOf({ step, report }: ReturnType<typeof createPhysics>, steps: number) {
  let [residual, iterations] = [0, 0];
  for (let k = 0; k < steps; k++) {
    step();
    residual = Math.max(residual, report.strands.residual);
    iterations = Math.max(iterations, report.strands.iterations);
  }
  return { residual, iterations };
}

describe.each(BACKENDS)('on backend %s', (backend) => {
  test.each(['static', 'kinematic', 'dynamic'] as const)('a rope tied in the face of a %s body is at rest', (type) => {
    const { physics, tie } = tiedRope(backend, type, [0, -1, 0]);
    worstOf(physics, 120);
    const { residual, iterations } = worstOf(physics, 20);
    expect(residual).toBeLessThan(1e-3);
    expect(iterations).toBeLessThan(25);
    const { position } = physics.internal.engine.tables.nodes;
    expect(position[0]).toBeCloseTo(0.1, 6);
    // The rope farther on touches: it hangs beside the post.
    for (let node = 1; node < 8; node++) expect(position[4 * node]).toBeGreaterThan(0.1195);
    // Untied it touches with its first node, too.
    detach(physics, tie);
    worstOf(physics, 30);
    expect(position[0]).toBeGreaterThan(0.1195);
  });

  test('a rope tied to level geometry lies on what its first edge meets of that', () => {
    const physics = createPhysics(createWorld(), { userTiming: false, elastic: { backend } });
    // A wall, and a ridge beside it, its top at 1.3 m: one body.
    const body = addRigidBody(physics, {
      type: 'static',
      shape: {
        compound: [
          { shape: { box: [0.1, 1, 0.5] }, position: [-0.1, 1, 0] },
          { shape: { box: [0.05, 0.65, 0.5] }, position: [0.4, 0.65, 0] },
        ],
      },
    });
    const points = [0, 1, 2, 3].map((k) => [0.7 * k, 1.5, 0]);
    const rod = addRod(physics, { points, radius: 0.02, density: 1000, youngModulus: 1e6 });
    attach(physics, { rod, node: 0, body });
    worstOf(physics, 300);
    const { position } = physics.internal.engine.tables.nodes;
    // The first edge passes over the ridge, a radius clear of it.
    const share = (0.45 - position[0]) / (position[4] - position[0]);
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(1);
    expect(position[1] + share * (position[5] - position[1])).toBeGreaterThan(1.3);
  });

  test('a sheet and a solid tied in the face of a wall are at rest, and go on alike from a snapshot', () => {
    const physics = createPhysics(createWorld(), { userTiming: false, sleeping: false, elastic: { backend } });
    const body = addRigidBody(physics, { type: 'static', shape: { box: [0.5, 0.5, 0.1] }, position: [0, 0.5, -0.1] });
    const { points, triangles } = gridMesh(4, 4, 0.2, 0.2);
    const vertices = points.map((_, k) => (k % 3 === 0 ? points[k] - 0.3 : k % 3 === 1 ? 0.8 - points[k + 1] : 0.0002));
    const shell = addShell(physics, { vertices, triangles, thickness: 0.002, stretchModulus: 1e5 });
    for (const vertex of [0, 20]) attach(physics, { shell, vertex, body });
    const block = box([2, 2, 2], [0.1, 0.5, 0.0001], [0.2, 0.6, 0.1001]);
    const solid = addSolid(physics, { ...block, youngModulus: 1e5, density: 300 });
    for (let vertex = 0; vertex < 27; vertex++) {
      if (block.vertices[3 * vertex + 1] > 0.59 && block.vertices[3 * vertex + 2] < 0.01)
        attach(physics, { solid, vertex, body });
    }
    worstOf(physics, bySuite(60, 240));
    const { residual, iterations } = worstOf(physics, 20);
    expect(residual).toBeLessThan(5e-3);
    expect(iterations).toBeLessThan(25);
    const snapshot = physics.snapshot();
    worstOf(physics, 5);
    const once = physics.hash();
    physics.restore(snapshot);
    worstOf(physics, 5);
    expect(physics.hash()).toBe(once);
  });

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
