// Worlds solved by conjugate residuals: the same answers as ADMM, friction to its limit, joints, and an end of step
// that is free of collisions.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import {
  addRigidBody,
  addRod,
  addShell,
  addSolid,
  attach,
  createPhysics,
  type Physics,
  readScene,
  sceneSettings,
  solidPositions,
} from '../../src/index';
import type { ElasticSettings } from '../../src/state/elastic-settings';
import { box } from '../mechanics/solid/solid-world';
import { longTest } from '../setup/suite';

const RESIDUALS: ElasticSettings = { solver: 'conjugate-residual' };

function worldOf(elastic: ElasticSettings, gravity = [0, -9.81, 0]): Physics {
  return createPhysics(createWorld(), { userTiming: false, sleeping: false, elastic, gravity });
}

function cube(cells: number, low: readonly number[], size: number, over: object = {}) {
  const mesh = box(
    [cells, cells, cells],
    low,
    low.map((x) => x + size),
  );
  return { vertices: mesh.vertices, tetrahedra: mesh.tetrahedra, youngModulus: 1e5, radius: 0.005, ...over };
}

function steps(physics: Physics, count: number): void {
  for (let k = 0; k < count; k++) physics.step();
}

/** Heights of a pile of two cubes and a crate after some steps. */
function pile(elastic: ElasticSettings): number[] {
  const physics = worldOf(elastic);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const solids = [0.006, 0.42].map((height) => addSolid(physics, cube(2, [-0.2, height, -0.2], 0.4)));
  const crate = addRigidBody(physics, { shape: { box: [0.1, 0.1, 0.1] }, mass: 20, position: [0.05, 0.94, 0] });
  steps(physics, 24);
  expect(physics.report.quarantined).toEqual([]);
  const heights = solids.map((eid) => solidPositions(physics, eid)[1]);
  return [...heights, physics.components.Transform.position.y[crate]];
}

// Piles of solids under ADMM are in solids-in-contact; here the slope below has its exact answer.
longTest('a pile of solids and a crate comes down as ADMM lets it', () => {
  const fine = pile({ backend: 'reference', tolerance: 1e-6, iterations: 300 });
  const answer = pile(RESIDUALS);
  for (let k = 0; k < 3; k++) expect(Math.abs(answer[k] - fine[k])).toBeLessThan(1e-3);
});

test.each([
  [0.99, true],
  [1.01, false],
])('a block of elastic on a slope of %f times its friction holds, or slides', (share, holds) => {
  const slope = share * 0.5;
  const normal = [-slope, 1, 0].map((x) => x / Math.hypot(slope, 1));
  // Gravity is turned, not the plane.
  const physics = worldOf(RESIDUALS, [-9.81 * -normal[0], -9.81 * normal[1], 0]);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.5 });
  const solid = addSolid(physics, cube(1, [0, 0.005, 0], 0.2, { friction: 0.5, youngModulus: 1e6, damping: 0.02 }));
  steps(physics, 30);
  const before = solidPositions(physics, solid)[0];
  steps(physics, 30);
  const way = Math.abs(solidPositions(physics, solid)[0] - before);
  if (holds) expect(way).toBeLessThan(1e-4);
  // a = g (sin θ − μ cos θ), from rest 0.5 s before: what it goes in the second half.
  else expect(way).toBeGreaterThan(0.5 * 0.375 * 9.81 * normal[1] * (slope - 0.5));
});

test('a block that slides round a ball ends each step without overlap', () => {
  const depth = (elastic: ElasticSettings): number => {
    const physics = worldOf(elastic);
    addRigidBody(physics, { type: 'static', shape: { sphere: 0.3 }, friction: 0 });
    addSolid(physics, cube(1, [-0.1, 0.31, -0.1], 0.2, { friction: 0, velocity: [3, 0, 0] }));
    let worst = 0;
    for (let k = 0; k < 6; k++) {
      physics.step();
      const { nodes, strands } = physics.internal.engine.tables;
      for (let node = 0; node < strands.nodes[0]; node++) {
        const [x, y, z] = nodes.position.subarray(4 * node, 4 * node + 3);
        worst = Math.max(worst, 0.305 - Math.hypot(x, y, z));
      }
    }
    return worst;
  };
  expect(depth(RESIDUALS)).toBeLessThan(2e-5);
});

test('joints and pins hold: a crate on a rope, a sheet between two pins', () => {
  const physics = worldOf(RESIDUALS);
  const crate = addRigidBody(physics, { shape: { box: [0.1, 0.1, 0.1] }, mass: 5, position: [0, 1, 0] });
  const points = Array.from({ length: 6 }, (_, i) => [0, 2 - 0.18 * i, 0]);
  const rod = addRod(physics, { points, radius: 0.01, youngModulus: 1e8, clampStart: true });
  attach(physics, { rod, node: 5, body: crate, point: [0, 0.1, 0] });
  const vertices = [0, 1, 2, 3].flatMap((i) => [3 + 0.5 * (i % 2), 2, 0.5 * (i >> 1)]);
  const sheet = addShell(physics, {
    vertices,
    triangles: [0, 2, 1, 1, 2, 3],
    pins: [{ vertex: 0 }, { vertex: 1 }],
  });
  steps(physics, 60);
  expect(physics.components.Transform.position.y[crate]).toBeCloseTo(1, 2);
  expect(physics.report.strands.residual).toBeLessThan(1e-3);
  expect(physics.report.quarantined).toEqual([]);
  expect(sheet).toBeGreaterThan(0);
});

test('scenes ask for it; wasm, acceleration and a pyramid are refused', () => {
  const text = JSON.stringify({ version: 1, solver: { elastic: 'conjugate-residual' }, bodies: [] });
  expect(sceneSettings(readScene(text)).elastic).toEqual(RESIDUALS);
  expect(() => worldOf({ ...RESIDUALS, backend: 'wasm' })).toThrow(
    /elastic\.solver 'conjugate-residual' needs elastic\.backend to be 'reference' or 'auto', got .*wasm/,
  );
  expect(() => worldOf({ ...RESIDUALS, acceleration: true })).toThrow(
    /elastic\.acceleration needs elastic\.solver to be 'admm' or 'auto', got .*conjugate-residual/,
  );
  expect(() => worldOf({ ...RESIDUALS, frictionCone: 'pyramid' })).toThrow(
    /elastic\.frictionCone 'pyramid' needs elastic\.solver to be 'admm' or 'auto', got .*conjugate-residual/,
  );
  expect(() => worldOf({ solver: 'newton' as 'admm' })).toThrow(
    /elastic\.solver must be auto, admm or conjugate-residual, got .*newton/,
  );
});
