// Sheets that start through each other come apart, calmly, and go through nothing after.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { fabric, sheet } from '../../../demos/scenes/sheets';
import { findSurfaceCrossings } from '../../../src/debug/surface-crossings';
import { addRigidBody, addShell, createPhysics, type Physics, placeShell, shellPositions } from '../../../src/index';

type Place = (u: number, v: number) => [number, number, number];
const COLUMNS = 9;
const SIDE = 0.4; // [m]

const lying: Place = (u, v) => [SIDE * (u - 0.5), 0, SIDE * (0.5 - v)];
const upright =
  (x: number, y: number, z: number, turn = 0.2): Place =>
  (u, v) => {
    const along = SIDE * (u - 0.5);
    return [x + along * Math.cos(turn), y + SIDE * (v - 0.5), z + along * Math.sin(turn)];
  };
/** Dips through the sheet below, on a mesh that lies as that one's does. */
const bulge: Place = (u, v) => [
  SIDE * (u - 0.5),
  0.02 - 0.05 * Math.sin(Math.PI * u) * Math.sin(Math.PI * v),
  SIDE * (0.5 - v),
];
/** Folded over, and one half dips through the other. */
const folded: Place = (u, v) => {
  const [s, z] = [SIDE * (u - 0.5), SIDE * (0.5 - v)];
  return s < 0 ? [s, 0, z] : [0.003 - s, 0.03 - 0.05 * Math.exp(-80 * ((s - 0.1) ** 2 + z * z)), z];
};

function world(gravity: [number, number, number] = [0, 0, 0], backend: 'wasm' | 'reference' = 'wasm'): Physics {
  return createPhysics(createWorld(), { userTiming: false, gravity, elastic: { backend } });
}

function addSheet(physics: Physics, place: Place, columns = COLUMNS): number {
  const { vertices, triangles } = sheet(columns, columns, place);
  const restVertices = sheet(columns, columns, lying).vertices;
  return addShell(physics, { vertices, triangles, restVertices, ...fabric(0.2, 5000, 3e-5, 0.006, { friction: 0.3 }) });
}

const crossingsIn = ({ internal: { engine } }: Physics) => findSurfaceCrossings(engine.arena, engine.tables).length;

/** Steps until nothing is tangled, and ten more; returns the fastest that anything was [m/s]. */
function untangle(physics: Physics, most: number): number {
  let fastest = 0;
  const step = () => {
    physics.step();
    const { velocity } = physics.internal.engine.tables.nodes;
    for (let k = 0; k < 4 * physics.report.strands.nodes; k += 4) {
      fastest = Math.max(fastest, Math.hypot(velocity[k], velocity[k + 1], velocity[k + 2]));
    }
  };
  step();
  expect(physics.report.strands.tangled).toBeGreaterThan(0);
  let steps = 1;
  while (physics.report.strands.tangled > 0 && steps++ < most) step();
  if (process.env.SHOW_ERRORS) console.log(steps, fastest, physics.report.strands.tangled);
  expect(physics.report.strands.tangled).toBe(0);
  for (let k = 0; k < 10; k++) {
    expect(crossingsIn(physics)).toBe(0);
    step();
  }
  expect(physics.report.strands.quarantined).toBe(0);
  return fastest;
}

describe('comes out', () => {
  test.each<[string, Place]>([
    ['a corner poked through', upright(0.02, 0.17, 0.01, 0.3)],
    ['a sheet halfway through', upright(0, 0.02, 0.01)],
    ['a sheet slotted into another', upright(0.2, 0.06, 0.01)],
    ['a bulge through a sheet', bulge],
  ])('%s', (_name, place) => {
    const physics = world();
    addSheet(physics, lying);
    addSheet(physics, place);
    expect(untangle(physics, 60)).toBeLessThan(3);
  });

  test('a corner, on the reference backend', () => {
    const physics = world([0, 0, 0], 'reference');
    addSheet(physics, lying);
    addSheet(physics, upright(0.02, 0.17, 0.01, 0.3));
    expect(untangle(physics, 60)).toBeLessThan(3);
  });

  test('a fold that goes through its own other half', () => {
    const physics = world();
    addSheet(physics, folded, 16);
    expect(untangle(physics, 60)).toBeLessThan(4);
  });

  test('a sheet that is put through another, which lies on the ground', () => {
    const physics = world([0, -9.81, 0]);
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, -0.003, 0] });
    addSheet(physics, lying);
    const other = addSheet(physics, (u, v) => [SIDE * (u - 0.5), 0.1, SIDE * (0.5 - v)]);
    for (let k = 0; k < 20; k++) physics.step();
    expect(physics.report.strands.tangled).toBe(0);
    const tilted: Place = (u, v) => [SIDE * (u - 0.45), 0.004 + 0.06 * (u - 0.3), SIDE * (0.47 - v)];
    placeShell(physics, other, sheet(COLUMNS, COLUMNS, tilted).vertices);
    expect(untangle(physics, 60)).toBeLessThan(4);
  });
});

test('a run that is restored while sheets come apart repeats', () => {
  const physics = world();
  addSheet(physics, lying);
  const other = addSheet(physics, upright(0, 0.02, 0.01));
  for (let k = 0; k < 3; k++) physics.step();
  const snapshot = physics.snapshot();
  const play = () => {
    for (let k = 0; k < 4; k++) physics.step();
    expect(physics.report.strands.tangled).toBeGreaterThan(0);
    return shellPositions(physics, other).slice();
  };
  const first = play();
  physics.restore(snapshot);
  expect(play()).toEqual(first);
});
