// Which sheets can be laid out flat with a convex outline (mechanics/shell/lay-flat).

import { expect, test } from 'vitest';
import { findMeshEdges } from '../../../src/geometry/mesh-edges';
import { layFlat } from '../../../src/mechanics/shell/lay-flat';
import { gridMesh, type Mesh } from './shell-world';

const lay = ({ points, triangles }: Mesh) => layFlat(points, triangles, findMeshEdges(triangles));

/** A mesh without the triangles whose middle is where `isOut` says (x, z), and without the vertices of those alone. */
function without({ points, triangles }: Mesh, isOut: (x: number, z: number) => boolean): Mesh {
  const kept: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const mean = (k: number) => [0, 1, 2].reduce((s, i) => s + points[3 * triangles[t + i] + k] / 3, 0);
    if (!isOut(mean(0), mean(2))) kept.push(triangles[t], triangles[t + 1], triangles[t + 2]);
  }
  const used = [...new Set(kept)].sort((a, b) => a - b);
  return {
    points: used.flatMap((v) => [points[3 * v], points[3 * v + 1], points[3 * v + 2]]),
    triangles: kept.map((v) => used.indexOf(v)),
  };
}

/** The vertices of a mesh moved. */
function moved(mesh: Mesh, move: (x: number, z: number) => number[]): Mesh {
  const points: number[] = [];
  for (let i = 0; i < mesh.points.length; i += 3) points.push(...move(mesh.points[i], mesh.points[i + 2]));
  return { points, triangles: mesh.triangles };
}

/** Distances along the edges, of places in the plane and of the shape. */
function worstLength(mesh: Mesh, places: Float64Array): number {
  const { vertices, count } = findMeshEdges(mesh.triangles);
  let worst = 0;
  for (let e = 0; e < count; e++) {
    const [p, q] = [vertices[4 * e], vertices[4 * e + 1]];
    const at = (k: number) => mesh.points[3 * p + k] - mesh.points[3 * q + k];
    const flat = Math.hypot(places[2 * p] - places[2 * q], places[2 * p + 1] - places[2 * q + 1]);
    worst = Math.max(worst, Math.abs(flat / Math.hypot(at(0), at(1), at(2)) - 1));
  }
  return worst;
}

const square = gridMesh(12, 9, 0.6, 0.45, 'crossed');

test('a flat sheet is laid out as it is, however it is turned', () => {
  const flat = lay(square);
  expect(flat?.height).toBeCloseTo(0.05 * Math.SQRT1_2, 12);
  expect(worstLength(square, flat?.places ?? new Float64Array())).toBeLessThan(1e-12);
  const turned = moved(square, (x, z) => [0.6 * x - 0.64 * z, 0.8 * x + 0.48 * z, 0.6 * z + 7]);
  expect(lay(turned)?.height).toBeCloseTo(0.05 * Math.SQRT1_2, 12);
});

test('so is one whose vertices are numbers in f32', () => {
  const turned = moved(square, (x, z) => [0.6 * x - 0.64 * z, 0.8 * x + 0.48 * z, 0.6 * z + 7]);
  expect(lay({ points: Array.from(Float32Array.from(turned.points)), triangles: turned.triangles })).not.toBeNull();
});

test('one that is rolled is unrolled', () => {
  const rolled = moved(square, (x, z) => [0.07 * Math.sin(x / 0.07), 0.07 * Math.cos(x / 0.07), z]);
  const flat = lay(rolled);
  expect(worstLength(rolled, flat?.places ?? new Float64Array())).toBeLessThan(1e-9);
});

test('sheets with corners turned inwards, holes or a waist are not', () => {
  expect(lay(without(square, (x, z) => x < 0.2 && z < 0.2))).toBeNull();
  expect(lay(without(square, (x, z) => Math.abs(x - 0.3) < 0.1 && Math.abs(z - 0.2) < 0.1))).toBeNull();
  expect(lay(moved(square, (x, z) => [x, 0, (z - 0.225) * (1 + Math.abs(x - 0.3))]))).toBeNull();
});

test('nor are a cup, a closed box or two sheets in one', () => {
  expect(lay(moved(square, (x, z) => [x, 2 * ((x - 0.3) ** 2 + (z - 0.225) ** 2), z]))).toBeNull();
  const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
  expect(lay({ points: corners, triangles: [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2] })).toBeNull();
  const two = [...square.points, ...square.points.map((x) => x + 2)];
  const count = square.points.length / 3;
  expect(
    lay({ points: two, triangles: [...square.triangles, ...Array.from(square.triangles, (v) => v + count)] }),
  ).toBeNull();
});

test('nor is one that goes round twice', () => {
  // A fan of 16 triangles of an eighth of a turn: twice around its middle, closed.
  const points = [0, 0, 0];
  const triangles: number[] = [];
  for (let k = 0; k < 16; k++) {
    const lift = 0.2 * Math.sin((Math.PI * k) / 4);
    points.push(Math.cos((Math.PI * k) / 8), lift, Math.sin((Math.PI * k) / 8));
    triangles.push(0, 1 + ((k + 1) % 16), 1 + k);
  }
  const stretched = points.map((x, i) => (i % 3 === 1 ? x * 8 : x));
  expect(lay({ points: stretched, triangles })).toBeNull();
});

test('a fine square is, of numbers in f32, turned and far from the origin, too', () => {
  const [c, s] = [Math.cos(0.3), Math.sin(0.3)];
  const square = gridMesh(60, 60, 1, 1);
  expect(lay(square)).not.toBe(null);
  const placed = moved(square, (x, z) => [1.2 + c * x - s * z, 1.2, c * z + s * x].map(Math.fround));
  expect(lay(placed)).not.toBe(null);
});
