// Where the vertices of a fine surface are in a mesh of tetrahedra.

import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random';
import { embedInTetrahedra } from '../../src/geometry/embed-in-tetrahedra';
import { box } from '../mechanics/solid/solid-world';

const mesh = box([6, 3, 4], [-1, 0, 2], [2, 0.5, 3]);

test('every point within is in the tetrahedron that it is given to', () => {
  const random = createRandom(7);
  const fine = Float64Array.from({ length: 3000 }, (_, k) => [-1, 0, 2][k % 3] + [3, 0.5, 1][k % 3] * random());
  const { corner, weight, outermost } = embedInTetrahedra(fine, mesh.vertices, mesh.tetrahedra);
  expect(outermost).toBe(-1);
  for (let v = 0; v < 1000; v++) {
    const w = weight.subarray(4 * v, 4 * v + 4);
    expect(Math.min(...w)).toBeGreaterThanOrEqual(0);
    for (let c = 0; c < 3; c++) {
      const place = w.reduce((sum, share, k) => sum + share * mesh.vertices[3 * corner[4 * v + k] + c], 0);
      expect(place).toBeCloseTo(fine[3 * v + c], 12);
    }
  }
});

test('a point outside goes with the tetrahedron it is least outside of, in its heights', () => {
  // Over a face of the box of cells 1/6 high.
  const fine = [0.3, 0.55, 2.4, 0, 0.25, 2.5];
  const { weight, outermost, outside } = embedInTetrahedra(fine, mesh.vertices, mesh.tetrahedra);
  expect(outermost).toBe(0);
  expect(outside).toBeCloseTo(0.05 / (0.5 / 3), 12);
  expect(weight.subarray(0, 4).reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 12);
});
