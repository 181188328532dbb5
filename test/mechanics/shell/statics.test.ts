// A strip that bends under its own weight, against the plate column of heavy-elastica.json, on unlike meshes.

import { expect, test } from 'vitest';
import * as L from '../../../src/state/layout';
import heavy from '../../validation/rods/heavy-elastica.json';
import { createRodWorld } from '../../validation/strand-worlds';
import { addShellRows, type Diagonals, gridMesh, jittered, type Mesh, pin, shellDefinition } from './shell-world';

const HALF = 0.5e-3;

/** A strip 1 m long that sags by its own weight; where the middle of its tip is. */
function sag(
  mesh: Mesh,
  gamma: number,
  backend: 'reference' | 'wasm',
  isHeld: (x: number) => boolean,
  free: number,
): number[] {
  const world = createRodWorld({ gravity: [0, -10, 0], timeStep: 1, elastic: { backend, newtonIterations: 1 } });
  const { engine } = world.physics.internal;
  // ν = 0, so that D = E h³/12 whatever happens across the strip.
  const density = 400;
  const D = (density * 2 * HALF * 10 * free ** 3) / gamma;
  const bending = (12 * D) / (8 * HALF ** 3);
  const slot = addShellRows(
    world,
    shellDefinition(mesh, { parameter: [HALF, density, bending, 0, 1e3 * bending, 0, 0.3, 0], extra: [1, 0, 0, 0] }),
  );
  const { nodes, rods } = world.tables;
  const count = rods.nodeCount[slot];
  for (let v = 0; v < count; v++) if (isHeld(mesh.points[3 * v])) pin(engine, slot, v);
  // Long steps of implicit Euler lose all motion: what is left is the equilibrium.
  for (let k = 0; k < 45; k++) world.physics.step();
  const end = Math.max(...mesh.points.filter((_, k) => k % 3 === 0));
  const tip = [0, 0, 0];
  let found = 0;
  for (let v = 0; v < count; v++) {
    if (mesh.points[3 * v] < end - 1e-9) continue;
    found++;
    for (let k = 0; k < 3; k++) tip[k] += nodes.position[4 * (rods.nodeStart[slot] + v) + k];
  }
  expect(world.tables.strands.flags[0] & L.STRAND_QUARANTINED).toBe(0);
  return tip.map((x) => x / found);
}

const cell = 1 / 39.5;
const strip = (cut: Diagonals) => gridMesh(40, 4, 40 * cell, 0.1, cut);
const MESHES: [string, Mesh][] = [
  ['all squares cut the same way', strip('even')],
  ['squares cut in turns', strip('crossed')],
  ['an uneven mesh', jittered(strip('crossed'), 40, 4, 0.2)],
];

test.each(MESHES)('a strip of 4 × 40 cells sags as a plate does: %s', (_name, mesh) => {
  const row = heavy.rows.find((r) => r.Gamma === 10)!;
  // The clamp: the first column of vertices and the second; the hinge between counts half a cell.
  const [x, y] = sag(mesh, 10, 'wasm', (at) => at < 1.01 * cell, 1);
  const error = Math.hypot(x - 0.5 * cell - row.W_over_L, y + row.H_over_L);
  expect(error / Math.hypot(row.W_over_L, row.H_over_L)).toBeLessThan(0.02);
});
