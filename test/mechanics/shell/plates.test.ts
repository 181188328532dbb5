// The bending of a shell as a plate's: what shapes cost on unlike meshes; moments against the energy by differences.

import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random';
import { differentiateHinge } from '../../../src/mechanics/shell/hinge';
import { bendHinges, bentEnergy } from '../../../src/mechanics/shell/shell-system';
import { createRodWorld } from '../../validation/strand-worlds';
import { addShellRows, gridMesh, jittered, type Mesh, shellDefinition } from './shell-world';

const [COLUMNS, ROWS, WIDTH, DEPTH] = [24, 12, 0.6, 0.3];
const grid = (cut: 'even' | 'crossed' | 'cross') => gridMesh(COLUMNS, ROWS, WIDTH, DEPTH, cut);
const MESHES: [string, Mesh][] = [
  ['all squares cut the same way', grid('even')],
  ['squares cut in turns', grid('crossed')],
  ['squares cut in four', grid('cross')],
  ['an uneven mesh', jittered(grid('crossed'), COLUMNS, ROWS, 0.3)],
];

function makePlate(mesh: Mesh, poisson: number, restAngles: 'flat' | 'drawn' = 'flat') {
  const world = createRodWorld({});
  addShellRows(world, shellDefinition(mesh, { extra: [1, 0, 0, poisson], restAngles }));
  const { tables } = world;
  const count = mesh.points.length / 3;
  const x = new Float64Array(4 * count);
  for (let v = 0; v < count; v++) for (let k = 0; k < 3; k++) x[4 * v + k] = mesh.points[3 * v + k];
  const energy = () => {
    bendHinges(tables, 0, x, 0);
    return bentEnergy(tables, 0);
  };
  return { tables, x, count, energy };
}

describe.each(MESHES)('a plate, %s', (_name, mesh) => {
  /** Energy of a small deflection over that of a plate without its edges' moments. */
  const cost = (poisson: number, deflect: (x: number, z: number) => number, exact: number) => {
    const { x, count, energy } = makePlate(mesh, poisson);
    const small = 1e-4;
    for (let v = 0; v < count; v++) x[4 * v + 1] = small * deflect(x[4 * v], x[4 * v + 2]);
    // Over D/3, so three times.
    return energy() / (3 * small * small * exact * WIDTH * DEPTH);
  };

  test.each([0, 0.3])('twist costs what it does in a plate, ν = %f', (poisson) => {
    expect(cost(poisson, (x, z) => x * z, 1 - poisson)).toBeCloseTo(1, 3);
  });

  test('rolled up, it costs what a plate does, but at its free edges', () => {
    // Across the edges x = 0 and x = WIDTH nothing holds the moment: there it flattens, over less than a cell.
    const found = cost(0, (x) => x * x, 2);
    expect(found).toBeLessThan(1.0001);
    expect(found).toBeGreaterThan(1 - 1.5 / COLUMNS);
  });
});

test.each(MESHES)('forces are the derivatives of the energy, folded and shaken: %s', (_name, mesh) => {
  const { tables, x, count, energy } = makePlate(mesh, 0.3, 'drawn');
  const random = createRandom(7);
  for (let v = 0; v < count; v++) {
    x[4 * v + 1] += 0.05 * Math.sin(20 * x[4 * v]) + 0.004 * random();
    x[4 * v] *= 0.9;
  }
  energy();
  const { meshEdges } = tables;
  const moments = bendHinges(tables, 0, x, 0).slice();
  const force = new Float64Array(4 * count);
  const gradient = new Float64Array(12);
  for (let e = 0; e < tables.strands.meshEdges[1]; e++) {
    const [p, q, r, s] = meshEdges.node.subarray(4 * e, 4 * e + 4);
    if (s < 0) {
      expect(moments[e]).toBe(0);
      continue;
    }
    differentiateHinge(gradient, x, 4 * p, 4 * q, 4 * r, 4 * s);
    [p, q, r, s].forEach((node, n) => {
      for (let k = 0; k < 3; k++) force[4 * node + k] += moments[e] * gradient[3 * n + k];
    });
  }
  const largest = Math.max(...force.map(Math.abs));
  const h = 1e-7;
  for (let v = 0; v < count; v += 29) {
    for (let k = 0; k < 3; k++) {
      const here = x[4 * v + k];
      x[4 * v + k] = here + h;
      const up = energy();
      x[4 * v + k] = here - h;
      const down = energy();
      x[4 * v + k] = here;
      expect(Math.abs((up - down) / (2 * h) - force[4 * v + k])).toBeLessThan(2e-5 * largest);
    }
  }
});

test('a folded sheet keeps its folds, and costs nothing so', () => {
  const mesh = grid('crossed');
  const folded = mesh.points.map((at, k) => (k % 3 === 1 ? 0.1 * Math.abs(((mesh.points[k - 1] * 5) % 1) - 0.5) : at));
  const { energy } = makePlate({ points: folded, triangles: mesh.triangles }, 0.3, 'drawn');
  expect(energy()).toBeLessThan(1e-20);
});
