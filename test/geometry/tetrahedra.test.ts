import { expect, test } from 'vitest';
import { boundaryTriangles, checkTetrahedra, measureTetrahedra } from '../../src/geometry/tetrahedra';
import { boxOfTetrahedra } from '../mechanics/solid/meshes';

const REGULAR = [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1];
const UNIT = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];

test('the mean ratio is 1 of a regular tetrahedron, 0.84 of a cube’s corner, and less the flatter one is', () => {
  const least = (vertices: number[]) => measureTetrahedra(vertices, [0, 1, 2, 3]).leastRatio;
  expect(measureTetrahedra(REGULAR, [0, 2, 1, 3]).leastRatio).toBeCloseTo(1, 12);
  expect(least(UNIT)).toBeCloseTo((12 * 0.25 ** (1 / 3)) / 9, 12);
  expect(least([...UNIT.slice(0, 11), 1e-3])).toBeLessThan(0.03);
});

test('volumes, inverted ones and the boundary of a box are found', () => {
  const { vertices, tetrahedra } = boxOfTetrahedra([3, 2, 2], (u, v, w) => [3 * u, 2 * v, 2 * w]);
  const whole = measureTetrahedra(vertices, tetrahedra);
  expect(whole.volume).toBeCloseTo(12, 12);
  expect(whole.inverted).toEqual([]);
  expect(boundaryTriangles(tetrahedra).length / 3).toBe(2 * 2 * (3 * 2 + 3 * 2 + 2 * 2));
  checkTetrahedra(vertices, tetrahedra, 'box');
  // Outward: the flux of x through the boundary is three volumes.
  let flux = 0;
  const faces = boundaryTriangles(tetrahedra);
  for (let t = 0; t < faces.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [...vertices.subarray(3 * faces[t + k], 3 * faces[t + k] + 3)]);
    flux +=
      a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  expect(flux / 6).toBeCloseTo(12, 12);
  [tetrahedra[40], tetrahedra[41]] = [tetrahedra[41], tetrahedra[40]];
  expect(measureTetrahedra(vertices, tetrahedra).inverted).toEqual([10]);
});

test('a mesh that cannot be simulated is refused with the tetrahedron or the vertex', () => {
  const check = (vertices: number[], tetrahedra: number[]) => () => checkTetrahedra(vertices, tetrahedra, 'solids[0]');
  expect(check(UNIT, [0, 1, 2, 4])).toThrow('solids[0]: tetrahedra[0]: vertices must be 0..3, got 4');
  expect(check(UNIT, [0, 1, 2, 2])).toThrow(
    'solids[0]: tetrahedra[0]: must have four different vertices, got 0, 1, 2, 2',
  );
  expect(check(UNIT, [0, 2, 1, 3])).toThrow(/tetrahedra\[0\]: volume must be > 0 \[m³\], got -0.16\d+ \(inverted/);
  expect(check([...UNIT.slice(0, 11), 0], [0, 1, 2, 3])).toThrow('volume must be > 0 [m³], got 0 (flat)');
  expect(check([...UNIT, 5, 5, 5], [0, 1, 2, 3])).toThrow('vertices[4]: must belong to a tetrahedron, got none');
  expect(check([...UNIT, -1, 0, 0, 0, -1, 0, 0, 0, -1], [0, 1, 2, 3, 0, 5, 4, 6])).toThrow(
    'tetrahedra[1]: must be connected with tetrahedra[0] by faces, got a part of its own',
  );
  expect(check([...UNIT, 2, 2, 2, 3, 3, 4], [0, 1, 2, 3, 1, 2, 3, 4, 1, 2, 3, 5])).toThrow(
    'tetrahedra[2]: a third one at face',
  );
});
