// Woven cloth: stiffer along the warp than along the weft, and no edge longer than its limit.

import { createWorld, query } from 'bitecs';
import { expect, test } from 'vitest';
import { addShell, addShellForce, createPhysics, type Physics, type ShellSpec, shellPositions } from '../../src/index';
import { gridMesh } from '../mechanics/shell/shell-world';
import { bySuite } from '../setup/suite';

const BACKENDS = bySuite<('reference' | 'wasm')[]>(['wasm'], ['reference', 'wasm']);
const [CELLS, SIDE, THICKNESS] = [4, 0.3, 0.002];

function world(backend: 'reference' | 'wasm', gravity = 0): Physics {
  return createPhysics(createWorld(), { userTiming: false, gravity: [0, -gravity, 0], elastic: { backend } });
}

/** Stretch of a square held by one side and pulled by the other with a force [N], along x (0) or z (2). */
function pulled(physics: Physics, axis: 0 | 2, newtons: number, over: Partial<ShellSpec>, weft?: number): number {
  const { points, triangles } = gridMesh(CELLS, CELLS, SIDE, SIDE);
  const row = (at: number) => {
    const vertices = Array.from({ length: points.length / 3 }, (_, v) => v);
    return vertices.filter((v) => Math.abs(points[3 * v + axis] - at) < 1e-9);
  };
  const shell = addShell(physics, {
    ...{ vertices: points, triangles, thickness: THICKNESS, stretchModulus: 1e5, poissonRatio: 0, damping: 0.05 },
    ...{ pins: row(0), ...over },
  });
  if (weft !== undefined) {
    physics.step();
    physics.components.Shell.weftModulus[shell] = weft;
  }
  const side = 2 - axis;
  for (let step = 0; step < 100; step++) {
    for (const v of row(SIDE)) {
      const isCorner = Math.abs(Math.abs(points[3 * v + side] - SIDE / 2) - SIDE / 2) < 1e-9;
      const force = [0, 0, 0];
      force[axis] = (isCorner ? 0.5 : 1) * (newtons / CELLS);
      addShellForce(physics, shell, v, force);
    }
    physics.step();
  }
  const now = shellPositions(physics, shell);
  return row(SIDE).reduce((sum, v) => sum + now[3 * v + axis], 0) / ((CELLS + 1) * SIDE);
}

/** λ(λ² − 1)/2 = F/(E h w): St. Venant–Kirchhoff, pulled along one axis. */
function stretchBy(newtons: number, modulus: number): number {
  let stretch = 1;
  for (let i = 0; i < 50; i++) {
    const excess = (stretch * (stretch * stretch - 1)) / 2 - newtons / (modulus * THICKNESS * SIDE);
    stretch -= excess / ((3 * stretch * stretch - 1) / 2);
  }
  return stretch;
}

test.each(BACKENDS)('warp and weft have their own moduli, whichever way the warp runs: %s', (backend) => {
  const cases = [
    { axis: 0, over: { weftModulus: 2e4 }, modulus: 1e5 },
    { axis: 2, over: { weftModulus: 2e4 }, modulus: 2e4 },
    { axis: 0, over: { weftModulus: 2e4, warp: [0, 0, 3] }, modulus: 2e4 },
    { axis: 2, over: { weftModulus: 2e4, warp: [0, 1, -1] }, modulus: 1e5 },
    { axis: 0, over: { warp: [1, 0, 1] }, modulus: 1e5 },
  ] as const;
  for (const { axis, over, modulus } of cases) {
    expect(pulled(world(backend), axis, 0.6, over) / stretchBy(0.6, modulus)).toBeCloseTo(1, 3);
  }
});

test.each(BACKENDS)('no edge comes out longer than its limit, whatever pulls: %s', (backend) => {
  const load = { stretchModulus: 2e3, density: 100 };
  expect(pulled(world(backend), 0, 0.6, load)).toBeGreaterThan(1.3);
  expect(pulled(world(backend), 0, 0.6, { ...load, strainLimit: 0.1 })).toBeLessThan(1.11);
  expect(pulled(world(backend), 0, 0.6, { ...load, strainLimit: 0.1 })).toBeGreaterThan(1.09);
});

test('a weft that comes later runs along the warp that the shell was made with; without one it is refused', () => {
  const woven = world('wasm');
  expect(pulled(woven, 2, 0.6, { warp: [1, 0, 0] }, 2e4) / stretchBy(0.6, 2e4)).toBeCloseTo(1, 3);
  const plain = world('wasm');
  expect(pulled(plain, 2, 0.6, {}, 2e4) / stretchBy(0.6, 1e5)).toBeCloseTo(1, 3);
  const [shell] = query(plain.world, [plain.components.Shell]);
  plain.components.Shell.weftModulus[shell] = 2e4;
  plain.step();
  expect(plain.report.limits.join()).toContain('Shell.weftModulus of entity');
  expect(plain.components.Shell.weftModulus[shell]).toBe(0);
});

test('columns change them; a warp without length is refused', () => {
  const physics = world('wasm');
  const { points, triangles } = gridMesh(1, 1, 1, 1);
  const shell = addShell(physics, { vertices: points, triangles, weftModulus: 3e5 });
  physics.step();
  const { Shell } = physics.components;
  expect(Shell.weftModulus[shell]).toBe(3e5);
  Shell.strainLimit[shell] = 0.2;
  physics.step();
  expect([...physics.internal.engine.tables.rods.weave.subarray(0, 2)]).toEqual([3e5, 0.2]);
  const spec = { vertices: points, triangles };
  expect(() => addShell(physics, { ...spec, warp: [0, 0, 0] })).toThrow('addShell: warp must be a direction');
  expect(() => addShell(physics, { ...spec, weftModulus: -1 })).toThrow('addShell: weftModulus must be');
});
