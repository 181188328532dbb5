// What a sheet is drawn from: a closed surface about its middle, and middles of edges that lie on round cloth.

import { expect, test } from 'vitest';
import { disc, sheet } from '../../demos/scenes/sheets';
import { createClothMesh } from '../../demos/view/cloth-mesh';

const HALF = 0.01;

/** A sheet on a cylinder of radius 1 about the y axis, with its normals. */
function bent(columns: number, rows: number) {
  const grid = sheet(columns, rows, (u, v) => [Math.sin(u), v, Math.cos(u)]);
  const normals = grid.vertices.flatMap(([x, , z]) => [x, 0, z]);
  return { triangles: grid.triangles.flat(), positions: grid.vertices.flat(), normals, count: columns * rows };
}

function drawn(isFine: boolean) {
  const { triangles, positions, normals, count } = bent(5, 4);
  const mesh = createClothMesh({ vertexCount: count, triangles, halfThickness: HALF, isFine });
  mesh.update(positions, normals, 0);
  return mesh;
}

test('is closed, and turned outwards everywhere: it encloses its own volume', () => {
  for (const isFine of [false, true]) {
    const { positions, indices } = drawn(isFine);
    // Each edge is met once from either side, where vertices at the same place are one.
    const key = (v: number) => [0, 1, 2].map((k) => positions[3 * v + k].toFixed(6)).join();
    const open = new Map<string, number>();
    let volume = 0;
    for (let t = 0; t < indices.length; t += 3) {
      const [a, b, c] = indices.subarray(t, t + 3);
      for (const [p, q] of [
        [a, b],
        [b, c],
        [c, a],
      ]) {
        const back = `${key(q)} ${key(p)}`;
        const left = (open.get(back) ?? 0) - 1;
        if (left >= 0) open.set(back, left);
        else open.set(`${key(p)} ${key(q)}`, (open.get(`${key(p)} ${key(q)}`) ?? 0) + 1);
      }
      const [x, y, z] = [a, b, c].map((v) => positions.subarray(3 * v, 3 * v + 3));
      volume +=
        (x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2]) + x[2] * (y[0] * z[1] - y[1] * z[0])) /
        6;
    }
    expect([...open.values()].every((count) => count === 0)).toBe(true);
    // One radian of a cylinder of radius 1 and height 1, less what chords cut off.
    expect(volume).toBeGreaterThan(0.98 * 2 * HALF);
    expect(volume).toBeLessThan(1.001 * 2 * HALF);
  }
});

test('middles of edges lie on the cylinder, with its normals', () => {
  const { positions, normals, pointCount } = drawn(true);
  expect(pointCount).toBeGreaterThan(20);
  for (let v = 0; v < pointCount; v++) {
    const [x, z] = [positions[3 * v], positions[3 * v + 2]];
    // Flat triangles would be 8e-3 inside.
    expect(Math.hypot(x, z)).toBeCloseTo(1 + HALF, 3);
    expect(normals[3 * v] * x + normals[3 * v + 2] * z).toBeCloseTo(1 + HALF, 3);
  }
});

test('a disc has a rim of six vertices a ring and no holes', () => {
  const { vertices, triangles, rim } = disc(1, 4);
  expect(vertices.length).toBe(1 + 6 * (1 + 2 + 3 + 4));
  expect(triangles.length).toBe(6 * 16);
  expect(rim.length).toBe(24);
  const area = triangles.reduce((sum, [a, b, c]) => {
    const [p, q, r] = [vertices[a], vertices[b], vertices[c]];
    // Seen from above: z points down the page.
    return sum + ((q[0] - p[0]) * (p[2] - r[2]) - (r[0] - p[0]) * (p[2] - q[2])) / 2;
  }, 0);
  expect(area).toBeCloseTo((24 / 2) * Math.sin((2 * Math.PI) / 24), 6);
});
