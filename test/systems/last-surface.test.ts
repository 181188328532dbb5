// A world whose last sheet or solid goes is one without any, on the kernels too.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { surfaceKernelsOf } from '../../src/dynamics/elastic/surface-parts';
import * as S from '../../src/index';

/** A sheet of 3 × 3 vertices, 0.2 m between them. */
const SHEET = {
  vertices: Array.from({ length: 9 }, (_, k) => [0.2 * (k % 3), 0, 5 + 0.2 * Math.floor(k / 3)]),
  triangles: [0, 1, 3, 4].flatMap((k) => [
    [k, k + 3, k + 1],
    [k + 1, k + 3, k + 4],
  ]),
};

test.each(['wasm', 'reference'] as const)('a rope stays tied when the only sheet is removed: %s', (backend) => {
  const physics = S.createPhysics(createWorld(), { elastic: { backend } });
  const points = Array.from({ length: 9 }, (_, k) => [0.1 * k, 2, 0]);
  const rod = S.addRod(physics, { points, radius: 0.01, density: 1000, youngModulus: 1e7 });
  for (const node of [0, 4, 8]) S.attach(physics, { rod, node });
  const shell = S.addShell(physics, SHEET);
  for (let k = 0; k < 5; k++) physics.step();
  S.removeShell(physics, shell);
  for (let k = 0; k < 60; k++) physics.step();
  const positions = S.rodPositions(physics, rod);
  for (const node of [0, 4, 8]) {
    expect(Math.hypot(positions[3 * node] - 0.1 * node, positions[3 * node + 1] - 2)).toBeLessThan(1e-4);
  }
});

test('a sheet that was only guessed changes no bit of what comes after', () => {
  const hashes = [false, true].map((isGuessed) => {
    const physics = S.createPhysics(createWorld());
    S.addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    const box = S.addRigidBody(physics, { shape: { box: [0.1, 0.1, 0.1] }, position: [0.4, 1.2, 0], mass: 0.5 });
    for (let rope = 0; rope < 4; rope++) {
      const points = Array.from({ length: 12 }, (_, k) => [0.08 * k, 0.5 + 0.1 * rope, 0.005 * ((k + rope) % 3)]);
      S.addRod(physics, { points, radius: 0.01, density: 1000, youngModulus: 1e6, clampStart: rope === 2 });
    }
    const before = physics.snapshot();
    if (isGuessed) {
      S.addShell(physics, SHEET);
      S.addSolid(physics, {
        vertices: [0, 1, 2, 4].map((k) => [k & 1, 3 + ((k >> 1) & 1), k >> 2]),
        tetrahedra: [[0, 1, 2, 3]],
        youngModulus: 1e5,
      });
      physics.step();
      physics.restore(before);
    }
    const told: (string | boolean)[] = [];
    for (let k = 0; k < 90; k++) {
      physics.step();
      S.applyImpulse(physics, box, [0.01, 0, 0]);
      told.push(physics.hash(), surfaceKernelsOf(physics.internal.engine) === null);
    }
    return told;
  });
  expect(hashes[1]).toEqual(hashes[0]);
});
