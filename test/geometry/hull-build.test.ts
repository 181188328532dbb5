import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../src/core/random';
import { buildHull, type Hull } from '../../src/geometry/hull-build';

const cube = Array.from({ length: 8 }, (_, v) => [v & 1 ? 1 : -1, v & 2 ? 1 : -1, v & 4 ? 1 : -1]);

function onSphere(random: Random): number[] {
  const z = 2 * random() - 1;
  const angle = 2 * Math.PI * random();
  const r = Math.sqrt(1 - z * z);
  return [r * Math.cos(angle), r * Math.sin(angle), z];
}

/** Closed, convex, every input point inside, outward planes, edges with both faces. `tolerance` [m]. */
function expectSound(hull: Hull, points: number[][], tolerance: number): void {
  const { vertices, faces, planes, edges } = hull;
  // Euler's formula.
  expect(vertices.length - edges.length + faces.length).toBe(2);
  faces.forEach((face, f) => {
    const [x, y, z, d] = planes[f];
    expect(Math.hypot(x, y, z)).toBeCloseTo(1, 12);
    const off = face.map((v) => Math.abs(vertices[v][0] * x + vertices[v][1] * y + vertices[v][2] * z - d));
    expect(Math.max(...off)).toBeLessThanOrEqual(tolerance);
    // Turns left at every corner: convex, counter-clockwise about the outward normal.
    face.forEach((v, k) => {
      const p = vertices[v];
      const q = vertices[face[(k + 1) % face.length]];
      const r = vertices[face[(k + 2) % face.length]];
      const u = q.map((s, i) => s - p[i]);
      const w = r.map((s, i) => s - q[i]);
      const turn = x * (u[1] * w[2] - u[2] * w[1]) + y * (u[2] * w[0] - u[0] * w[2]) + z * (u[0] * w[1] - u[1] * w[0]);
      expect(turn).toBeGreaterThan(0);
    });
  });
  let highest = Number.NEGATIVE_INFINITY;
  for (const [px, py, pz] of points) {
    for (const [x, y, z, d] of planes) highest = Math.max(highest, x * px + y * py + z * pz - d);
  }
  expect(highest).toBeLessThanOrEqual(tolerance);
  for (const [a, b, left, right] of edges) {
    const has = (face: readonly number[], i: number, j: number) => face[(face.indexOf(i) + 1) % face.length] === j;
    expect(has(faces[left], a, b)).toBe(true);
    expect(has(faces[right], b, a)).toBe(true);
  }
}

test('the hull of a cube has 8 corners, 6 square faces, 12 edges and exact planes', () => {
  const hull = buildHull(cube);
  expect([hull.vertices.length, hull.faces.length, hull.edges.length]).toEqual([8, 6, 12]);
  expect(hull.faces.every((face) => face.length === 4)).toBe(true);
  const planes = hull.planes.map((p) => p.map((x) => x + 0).join(' ')).sort();
  expect(planes).toEqual(['-1 0 0 1', '0 -1 0 1', '0 0 -1 1', '0 0 1 1', '0 1 0 1', '1 0 0 1'].sort());
  expectSound(hull, cube, 0);
});

test('inner points, points on faces and edges, and duplicates are dropped', () => {
  const grid: number[][] = [];
  for (let x = -2; x <= 2; x++) {
    for (let y = -2; y <= 2; y++) for (let z = -2; z <= 2; z++) grid.push([x / 2, y / 2, z / 2]);
  }
  const hull = buildHull([...grid, ...cube, ...grid]);
  expect([hull.vertices.length, hull.faces.length, hull.edges.length]).toEqual([8, 6, 12]);
  expect(hull.vertices.map((v) => v.join()).sort()).toEqual(cube.map((v) => v.join()).sort());
});

test('jitter in the last bits, or of single precision, still gives six faces', () => {
  const random = createRandom(1);
  for (const jitter of [1e-16, 1e-15, 1e-12, 1e-9, 5e-8]) {
    for (const size of [1e-2, 1, 1e2]) {
      for (let trial = 0; trial < 5; trial++) {
        const points: number[][] = [];
        for (let x = -1; x <= 1; x++) {
          for (let y = -1; y <= 1; y++) {
            for (let z = -1; z <= 1; z++) points.push([x, y, z].map((c) => size * (c + jitter * (2 * random() - 1))));
          }
        }
        const hull = buildHull(points);
        expect([hull.vertices.length, hull.faces.length, hull.edges.length]).toEqual([8, 6, 12]);
        expectSound(hull, points, 1e-6 * 2 * Math.sqrt(3) * size);
      }
    }
  }
});

test('random and cospherical points give sound hulls at every scale', () => {
  const random = createRandom(2);
  for (const size of [1e-2, 1, 1e2]) {
    for (const count of [4, 5, 8, 20, 100, 256]) {
      const sphere = Array.from({ length: count }, () => onSphere(random).map((x) => size * x));
      const hull = buildHull(sphere);
      expect(hull.vertices).toHaveLength(count);
      expectSound(hull, sphere, 4e-6 * size);
    }
    const ball = Array.from({ length: 400 }, () => {
      const r = size * Math.cbrt(random());
      return onSphere(random).map((x) => r * x + 3 * size);
    });
    expectSound(buildHull(ball), ball, 4e-6 * size);
  }
});

test('prisms, pyramids and a dodecahedron keep their polygon faces', () => {
  const ring = (n: number, r: number, y: number) =>
    Array.from({ length: n }, (_, k) => [r * Math.cos((2 * Math.PI * k) / n), y, r * Math.sin((2 * Math.PI * k) / n)]);
  for (const n of [3, 5, 17, 128]) {
    const prism = buildHull([...ring(n, 1, -1), ...ring(n, 1, 1)]);
    expect(prism.faces.map((face) => face.length).sort((a, b) => b - a)).toEqual(
      [n, n, ...Array(n).fill(4)].sort((a, b) => b - a),
    );
    const pyramid = buildHull([...ring(n, 1, 0), [0, 2, 0]]);
    expect([pyramid.vertices.length, pyramid.faces.length]).toEqual([n + 1, n + 1]);
  }
  const g = (1 + Math.sqrt(5)) / 2;
  const signs = [-1, 1];
  const dodecahedron = [
    ...cube,
    ...signs.flatMap((a) =>
      signs.flatMap((b) => [
        [0, a / g, b * g],
        [a / g, b * g, 0],
        [a * g, 0, b / g],
      ]),
    ),
  ];
  const hull = buildHull(dodecahedron);
  expect([hull.vertices.length, hull.faces.length, hull.edges.length]).toEqual([20, 12, 30]);
  expect(hull.faces.every((face) => face.length === 5)).toBe(true);
});

test('thin cards and long needles are bodies, flatter ones are refused', () => {
  const box = (x: number, y: number, z: number) => cube.map((v) => [x * v[0], y * v[1], z * v[2]]);
  expect(buildHull(box(1, 1e-4, 1)).faces).toHaveLength(6);
  expect(buildHull(box(1e-3, 50, 1e-3)).faces).toHaveLength(6);
  expect(() => buildHull(box(1, 1e-7, 1))).toThrow(/must enclose volume/);
});

test('degenerate input is refused with the reason', () => {
  const flat = cube.map(([x, y]) => [x, y, 0]);
  const line = cube.map(([x]) => [x, 2 * x, 3 * x]);
  for (const points of [flat, line, [], [[0, 0, 0]], cube.slice(0, 3), Array(10).fill([1, 2, 3])]) {
    expect(() => buildHull(points, 'createShape', 'shape.hull')).toThrow(
      /^createShape: shape\.hull must enclose volume \(.*\), got/,
    );
  }
  expect(() => buildHull([...cube, [0, Number.NaN, 0]])).toThrow(
    /hull\[8\]\[1\] must be a finite number \[m\], got NaN/,
  );
  expect(() => buildHull([...cube, [0, 0]])).toThrow(/hull\[8\] must be 3 numbers \[m\], got \[0, 0\]/);
  const random = createRandom(9);
  const many = Array.from({ length: 300 }, () => onSphere(random));
  expect(() => buildHull(many)).toThrow(/at most 256 corners, got 300/);
});

test('a flat model turned in space, whose corners are not exactly in planes, keeps its faces', () => {
  const random = createRandom(4);
  for (let trial = 0; trial < 20; trial++) {
    const [a, b] = [onSphere(random), onSphere(random)];
    // Two mirror images one after the other are a rotation.
    const mirror = (v: number[], n: number[]) =>
      v.map((x, k) => x - 2 * n[k] * (v[0] * n[0] + v[1] * n[1] + v[2] * n[2]));
    const points = cube.map((v) => mirror(mirror([v[0], 2 * v[1], 3 * v[2]], a), b).map((x) => Math.fround(x + 10)));
    const hull = buildHull(points);
    expect([hull.vertices.length, hull.faces.length]).toEqual([8, 6]);
    expectSound(hull, points, 1e-5);
  }
});
