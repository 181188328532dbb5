// What bodies are made of: hulls that show their joints, and where grains lie on them.

import { vec3 } from 'gl-matrix';
import { expect, test } from 'vitest';
import { geometryOf } from '../../demos/view/geometry';
import { unwrap } from '../../demos/view/unwrap';

/** Half of a house: five faces of four corners and three. */
const PRISM: [number, number, number][] = [-0.5, 0.5].flatMap((z): [number, number, number][] => [
  [-0.4, 0, z],
  [0.4, 0, z],
  [0, 0.6, z],
]);

const cornerOf = (of: Float32Array, vertex: number): vec3 => [of[3 * vertex], of[3 * vertex + 1], of[3 * vertex + 2]];

/** Sum of the areas of the triangles, and of their signed volumes seen from the origin. */
function sizeOf({ positions, indices }: { positions: Float32Array; indices: Uint32Array }): [number, number] {
  let [area, volume] = [0, 0];
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => cornerOf(positions, indices[t + k]));
    const normal = vec3.cross([0, 0, 0], vec3.subtract([0, 0, 0], b, a), vec3.subtract([0, 0, 0], c, a));
    area += vec3.length(normal) / 2;
    volume += vec3.dot(a, normal) / 6;
  }
  return [area, volume];
}

test('a hull is drawn whole and no larger than it is, darkest along its edges', () => {
  const { positions, normals, shades = new Float32Array(0), indices } = geometryOf({ hull: PRISM }, 1);
  expect(shades).toHaveLength(positions.length / 3);
  const [area, volume] = sizeOf({ positions, indices });
  const side = Math.hypot(0.4, 0.6);
  expect(area).toBeCloseTo(2 * 0.24 + 0.8 + 2 * side, 5);
  expect(volume).toBeCloseTo(0.24, 5);
  for (const [vertex, shade] of shades.entries()) {
    const at = cornerOf(positions, vertex);
    const isCorner = PRISM.some((corner) => vec3.distance(corner, at) < 1e-6);
    expect(shade).toBe(isCorner ? 0.5 : 1);
    expect(vec3.length(cornerOf(normals, vertex))).toBeCloseTo(1, 5);
  }
});

test('a hull that is round, as a bust is, shows none of its edges', () => {
  const around = Array.from({ length: 24 }, (_, i): [number, number] => {
    const angle = (i * Math.PI) / 12;
    return [0.2 * Math.cos(angle), 0.2 * Math.sin(angle)];
  });
  const hull = [-0.3, 0.3].flatMap((y) => around.map(([x, z]): [number, number, number] => [x, y, z]));
  expect(geometryOf({ hull }, 1).shades).toBeUndefined();
});

test('a grain lies on each face without stretch, and along the longest side', () => {
  const box = geometryOf({ box: [0.1, 1, 0.2] }, 1);
  const { positions, uvs = new Float32Array(0), shades, indices } = unwrap(box, 0.5);
  expect(uvs).toHaveLength((2 * positions.length) / 3);
  expect(shades).toHaveLength(positions.length / 3);
  expect(sizeOf({ positions, indices })).toEqual(sizeOf(box));
  for (let t = 0; t < indices.length; t += 3)
    for (let k = 0; k < 3; k++) {
      const [a, b] = [indices[t + k], indices[t + ((k + 1) % 3)]];
      const way = vec3.subtract([0, 0, 0], cornerOf(positions, b), cornerOf(positions, a));
      const [du, dv] = [0, 1].map((i) => uvs[2 * b + i] - uvs[2 * a + i]);
      // A face sees two of the axes; of a bevel as much as its face does.
      expect(Math.hypot(du, dv)).toBeLessThan(vec3.length(way) / 0.5 + 1e-5);
      if (Math.abs(way[1]) > 0.5) expect(Math.abs(du)).toBeCloseTo(Math.abs(way[1]) / 0.5, 5);
    }
});

test('what is round has no triangle across the seam between two ways of looking', () => {
  const ball = geometryOf({ sphere: 1 }, 1);
  const { positions, uvs = new Float32Array(0), indices } = unwrap(ball, 1);
  for (let t = 0; t < indices.length; t += 3) {
    const span = [0, 1].map((i) => {
      const values = [0, 1, 2].map((k) => uvs[2 * indices[t + k] + i]);
      return Math.max(...values) - Math.min(...values);
    });
    expect(Math.max(...span)).toBeLessThan(0.2);
  }
  expect(positions.length).toBeLessThan(2 * ball.positions.length);
});
