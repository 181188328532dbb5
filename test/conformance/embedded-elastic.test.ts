// A fine surface that a coarse cage carries lies on cloth and on ropes: the load, the gap, and that it is the surface
// that lies there, not the cage. On both backends.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { boundaryTriangles } from '../../src/geometry/tetrahedra';
import { addRod, addShell, addSolid, createPhysics, type Physics, removeShell } from '../../src/index';
import * as L from '../../src/state/layout';
import { box } from '../mechanics/solid/solid-world';
import { bySuite } from '../setup/suite';

const G = 9.81;
const REACH = 0.002;
/** Half widths of the block that is seen, and of the cage around it [m]. */
const HALF = 0.1;
const WIDE = 0.12;
const DENSITY = 100;
const WEIGHT = DENSITY * (2 * WIDE) ** 3 * G;
const BEARER = { density: 100, damping: 0.01, friction: 0.5 };
/** Half thickness of the sheet, radius of the ropes [m]. */
const THIN = 0.002;
const ROPE = 0.005;

const world = (backend: 'wasm' | 'reference') =>
  createPhysics(createWorld(), { userTiming: false, sleeping: false, elastic: { backend } });

const cube = (cells: number, height: number, half: number) =>
  box([cells, cells, cells], [-half, height - half, -half], [half, height + half, half]);

/** A fine block over y = `low`, in a cage that is 2 cm wider. */
function addBlock(physics: Physics, low: number) {
  const cage = cube(3, low + HALF, WIDE);
  const fine = cube(4, low + HALF, HALF);
  const triangles = boundaryTriangles(Int32Array.from(fine.tetrahedra), 'test');
  addSolid(physics, {
    ...{ vertices: cage.vertices, tetrahedra: cage.tetrahedra, youngModulus: 2e6, density: DENSITY, radius: REACH },
    ...{ surface: { vertices: fine.vertices, triangles }, collision: 'surface', friction: 0.5, damping: 0.01 },
  });
}

/** A sheet of 60 cm in y = 0, held by its corners. */
function addSheet(physics: Physics) {
  const n = 13;
  const vertices = Array.from({ length: n * n }, (_, k) => [0.05 * (k % n) - 0.3, 0, 0.05 * Math.floor(k / n) - 0.3]);
  const cells = vertices.map((_, k) => k).filter((k) => k % n < n - 1 && k < n * (n - 1));
  return addShell(physics, {
    ...{ vertices, triangles: cells.flatMap((a) => [[a, a + n, a + n + 1] as const, [a, a + n + 1, a + 1] as const]) },
    ...{ thickness: 2 * THIN, stretchModulus: 2e6, bendingModulus: 5e4, pins: [0, n - 1, n * (n - 1), n * n - 1] },
    ...BEARER,
  });
}

/** Three ropes of 60 cm along x in y = 0, held by their ends. */
function addRopes(physics: Physics) {
  for (const z of [-0.06, 0, 0.06]) {
    const points = Array.from({ length: 13 }, (_, i) => [0.05 * i - 0.3, 0, z] as const);
    addRod(physics, { points, radius: ROPE, youngModulus: 2e7, clampStart: true, clampEnd: true, ...BEARER });
  }
}

/** Heights of nodes of an object: of its surface's, where it has one that touches. */
function heights(physics: Physics, object: number): number[] {
  const { strands, nodes } = physics.internal.engine.tables;
  const end = strands.first[object] + strands.nodes[object];
  const count = strands.riders[object] || strands.nodes[object];
  return Array.from({ length: count }, (_, k) => nodes.position[4 * (end - count + k) + 1]);
}

/** Vertical forces of all contacts of elastic objects, whichever of the two is side A [N]. */
function contactForce(physics: Physics): number {
  const { arena, tables, settings } = physics.internal.engine;
  const { force } = tables.nodeContacts;
  let sum = 0;
  for (let c = 0; c < arena.i32[L.NODE_CONTACT_COUNT >> 2]; c++) {
    if (force[4 * c + 3] > 0) sum += Math.abs(force[4 * c + 1]) / force[4 * c + 3] / settings.timeStep;
  }
  return sum;
}

const run = (physics: Physics, steps: number) => {
  for (let k = 0; k < steps; k++) physics.step();
};

describe.each(bySuite<('wasm' | 'reference')[]>(['wasm'], ['wasm', 'reference']))('%s', (backend) => {
  test.each([
    ['cloth', addSheet, THIN, 1],
    ['ropes', addRopes, ROPE, 3],
  ] as const)('on %s', (_what, addBearer, half, bearers) => {
    const physics = world(backend);
    addBearer(physics);
    addBlock(physics, REACH + half);
    run(physics, 120);
    expect(Math.abs(contactForce(physics) / WEIGHT - 1)).toBeLessThan(0.01);
    const lowest = Math.min(...Array.from({ length: bearers }, (_, k) => Math.min(...heights(physics, k))));
    const surface = Math.min(...heights(physics, bearers));
    // What bears sags between the block's edges, by millimetres at most; a cage that touched would hold it 2 cm up.
    expect(surface - lowest).toBeGreaterThan(REACH + half - 2e-4);
    expect(surface - lowest).toBeLessThan(REACH + half + 4e-3);
    expect(physics.report.strands).toMatchObject({ quarantined: 0, tangled: 0 });
  });
});

test('falls when the cloth is taken away, and repeats from a snapshot', () => {
  const physics = createPhysics(createWorld(), { userTiming: false });
  const sheet = addSheet(physics);
  addBlock(physics, REACH + THIN);
  run(physics, 30);
  const snapshot = physics.snapshot();
  const play = () => {
    run(physics, 30);
    return physics.hash();
  };
  const hash = play();
  physics.restore(snapshot);
  expect(play()).toBe(hash);
  const before = Math.min(...heights(physics, 1));
  removeShell(physics, sheet);
  run(physics, 30);
  expect((before - Math.min(...heights(physics, 0))) / ((G * 0.5 ** 2) / 2)).toBeCloseTo(1, 1);
});
