// Nodes and vertices joined to each other: sheets sewn together, a weight that hangs on a cloth by a rope of rod, a
// leaf on a branch. On both backends.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import {
  addRod,
  addShell,
  attach,
  attachmentDistance,
  createPhysics,
  detach,
  loadGame,
  type Physics,
  removeShell,
  rodPositions,
  saveGame,
  shellPositions,
  shellVelocities,
} from '../../src/index';
import { bySuite } from '../setup/suite';
import { createGrid, place } from '../validation/sheets';

const SIDE = 0.2;
const CELLS = 4;
const THICKNESS = 0.004;

const world = (backend: 'wasm' | 'reference') =>
  createPhysics(createWorld(), { userTiming: false, gravity: [0, -9.81, 0], elastic: { backend } });

/** A napkin in the plane y = height, from x = `from` on, with its vertices column by column as the grid has them. */
function addNapkin(physics: Physics, from: number, pins: number[] = []) {
  const grid = createGrid(CELLS + 1, CELLS + 1, SIDE, SIDE, 'turns');
  return addShell(physics, {
    vertices: place(grid, (s, t) => [from + s, 0, -t]),
    triangles: grid.triangles,
    thickness: THICKNESS,
    density: 250,
    stretchModulus: 1e6,
    bendingModulus: 1e4,
    damping: 0.01,
    airDrag: 1,
    pins,
  });
}

const run = (physics: Physics, steps: number) => {
  for (let k = 0; k < steps; k++) physics.step();
};

describe.each(bySuite<('wasm' | 'reference')[]>(['wasm'], ['wasm', 'reference']))('%s', (backend) => {
  test('two sheets sewn along an edge hang on each other, and each force has its like', () => {
    const physics = world(backend);
    const column = (i: number) => Array.from({ length: CELLS + 1 }, (_, j) => j * (CELLS + 1) + i);
    const upper = addNapkin(physics, 0, column(0));
    const lower = addNapkin(physics, SIDE);
    const joints = column(CELLS).map((vertex, k) =>
      attach(physics, { shell: upper, vertex, to: { shell: lower, vertex: column(0)[k] } }),
    );
    run(physics, 150);
    for (const joint of joints) expect(attachmentDistance(physics, joint)).toBeLessThan(1e-5);
    // Both hang straight down, the lower by the upper.
    const low = Math.min(...shellPositions(physics, lower).filter((_, k) => k % 3 === 1));
    expect(low).toBeLessThan(-1.9 * SIDE);
    const { impulse, rod, other, otherNode } = physics.components.Attachment;
    const lift = joints.reduce((sum, joint) => sum + impulse.y[joint], 0) * 60;
    const weight = 250 * THICKNESS * SIDE * SIDE * 9.81;
    // On the upper's vertices: the lower pulls them down by its weight, but for how it still swings.
    expect(lift / -weight).toBeGreaterThan(0.9);
    expect(lift / -weight).toBeLessThan(1.1);
    expect([rod[joints[1]], other[joints[1]], otherNode[joints[1]]]).toEqual([upper, lower, CELLS + 1]);
    expect(physics.report.strands.quarantined).toBe(0);
  });

  test('a leaf on a branch, ball joint: nothing pushes at the stem, momentum is kept', () => {
    const physics = createPhysics(createWorld(), { userTiming: false, gravity: [0, 0, 0], elastic: { backend } });
    const branch = addRod(physics, {
      points: [-0.2, -0.1, 0, 0.1, 0.2].map((x) => [x, 0, 0] as [number, number, number]),
      radius: 0.004,
      density: 600,
      youngModulus: 1e7,
    });
    const leaf = addNapkin(physics, 0.2);
    const joint = attach(physics, { shell: leaf, vertex: 0, to: { rod: branch, node: 'end' } });
    physics.step();
    const v = shellVelocities(physics, leaf);
    expect(Math.max(...v.map(Math.abs))).toBeLessThan(1e-3);
    run(physics, 20);
    expect(attachmentDistance(physics, joint)).toBeLessThan(1e-5);
    const end = rodPositions(physics, branch).slice(-3);
    const stem = shellPositions(physics, leaf).slice(0, 3);
    for (let k = 0; k < 3; k++) expect(stem[k]).toBeCloseTo(end[k], 5);
  });
});

test('it saves, ends with what it joins, and refuses what cannot be', () => {
  const physics = world('wasm');
  const a = addNapkin(physics, 0, [0]);
  const b = addNapkin(physics, 0.3);
  const joint = attach(physics, { shell: a, vertex: 24, to: { shell: b, vertex: 0 }, length: 0.2 });
  run(physics, 5);
  const copy = world('wasm');
  loadGame(copy, saveGame(physics));
  run(copy, 5);
  run(physics, 5);
  expect(shellPositions(copy, [...copy.components.Attachment.other].find((e) => e > 0)!)).toEqual(
    shellPositions(physics, b),
  );
  expect(() => attach(physics, { shell: a, vertex: 3, to: { shell: b, vertex: 99 } })).toThrow(
    /^attach: to: vertex must be/,
  );
  expect(() => attach(physics, { shell: a, vertex: 3, to: { shell: a, vertex: 3 } })).toThrow(
    /^attach: to must be another node/,
  );
  expect(() => attach(physics, { shell: a, vertex: 3, point: [0, 0, 0], to: { shell: b, vertex: 3 } })).toThrow(
    /^attach: point must not be given with to/,
  );
  removeShell(physics, b);
  run(physics, 2);
  expect(() => attachmentDistance(physics, joint)).toThrow(/joint made by attach/);
  detach(physics, joint);
});
