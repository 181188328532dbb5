// Narrowphase scenes with every kind of shape; hull records written face by face, without the hull builder.

import { allocate } from '../../src/core/arena';
import { writeMesh } from '../../src/geometry/mesh-data';
import * as L from '../../src/state/layout';
import { createScene, type Manifold, multiply, type Quaternion, rotate, type Vector } from './manifold-scene';

export { multiply, type Quaternion, rotate, turn, type Vector } from './manifold-scene';

export type Shape =
  | { kind: 'sphere'; size: [number] }
  | { kind: 'capsule' | 'cylinder' | 'cone'; size: [radius: number, half: number] }
  | { kind: 'box'; size: Vector }
  | { kind: 'plane'; size: Vector }
  | { kind: 'hull'; vertices: Vector[]; faces: number[][] }
  | { kind: 'mesh'; vertices: number[]; triangles: number[] };

const KIND = {
  sphere: L.SHAPE_SPHERE,
  capsule: L.SHAPE_CAPSULE,
  box: L.SHAPE_BOX_KIND,
  hull: L.SHAPE_HULL,
  cylinder: L.SHAPE_CYLINDER,
  cone: L.SHAPE_CONE,
  plane: L.SHAPE_PLANE,
} as const;

export const sub = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const scale = (a: Vector, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const unit = (a: Vector): Vector => scale(a, 1 / Math.sqrt(dot(a, a)));

/** The hull with the vertices and faces of a box. */
export function boxHull(hx: number, hy: number, hz: number): Shape {
  const vertices = Array.from({ length: 8 }, (_, v): Vector => [v & 1 ? hx : -hx, v & 2 ? hy : -hy, v & 4 ? hz : -hz]);
  const faces = [
    [1, 3, 7, 5],
    [0, 4, 6, 2],
    [2, 6, 7, 3],
    [0, 1, 5, 4],
    [4, 5, 7, 6],
    [0, 2, 3, 1],
  ];
  return { kind: 'hull', vertices, faces };
}

export function createShapeScene() {
  const scene = createScene();
  const { arena, tables } = scene;

  const writeHull = (vertices: Vector[], faces: number[][]): number => {
    const edges: number[][] = [];
    faces.forEach((face, f) => {
      face.forEach((a, k) => {
        const b = face[(k + 1) % face.length];
        if (a < b)
          edges.push([a, b, f, faces.findIndex((g) => g.some((v, m) => v === b && g[(m + 1) % g.length] === a))]);
      });
    });
    const indexCount = faces.reduce((n, f) => n + f.length, 0);
    const offsets = [64, 64 + 24 * vertices.length];
    offsets.push(offsets[1] + 32 * faces.length);
    offsets.push(offsets[2] + 4 * (faces.length + 1));
    offsets.push(offsets[3] + 4 * indexCount);
    const address = allocate(arena, offsets[4] + 16 * edges.length);
    const ints = new Int32Array(arena.memory.buffer, address);
    const reals = new Float64Array(arena.memory.buffer, address);
    ints.set([vertices.length, faces.length, edges.length, indexCount, ...offsets]);
    reals.set(vertices.flat(), offsets[0] / 8);
    let start = 0;
    faces.forEach((face, f) => {
      const [a, b, c] = face.map((v) => vertices[v]);
      const n = unit(cross(sub(b, a), sub(c, a)));
      reals.set([...n, dot(n, a)], offsets[1] / 8 + 4 * f);
      ints[offsets[2] / 4 + f] = start;
      ints.set(face, offsets[3] / 4 + start);
      start += face.length;
    });
    ints[offsets[2] / 4 + faces.length] = start;
    ints.set(edges.flat(), offsets[4] / 4);
    return address;
  };

  const addShape = (kind: number, parameter: number[], data: number, half: Vector): number => {
    const row = arena.i32[L.SHAPE_COUNT >> 2]++;
    tables.control.shapes.ensure(row + 1);
    tables.shapes.kind[row] = kind;
    tables.shapes.data[row] = data;
    tables.shapes.parameter.set(parameter, row * 4);
    tables.shapes.box.set([-half[0], -half[1], -half[2], ...half], row * 6);
    return row;
  };

  /** Adds a collider of the shape. */
  const put = (shape: Shape, position: Vector = [0, 0, 0], rotation?: Quaternion): number => {
    if (shape.kind === 'hull') {
      const reach = (k: number) => Math.max(...shape.vertices.map((v) => Math.abs(v[k])));
      const data = writeHull(shape.vertices, shape.faces);
      return scene.addCollider(addShape(L.SHAPE_HULL, [], data, [reach(0), reach(1), reach(2)]), position, rotation);
    }
    if (shape.kind === 'mesh') {
      const data = writeMesh(arena, shape.vertices, shape.triangles);
      const reach = Math.max(...shape.vertices.map(Math.abs));
      return scene.addCollider(addShape(L.SHAPE_MESH, [], data, [reach, reach, reach]), position, rotation);
    }
    const [p0, p1 = p0, p2 = p0] = shape.size;
    let half: Vector = [p0, p1, p2];
    if (shape.kind === 'capsule') half = [p0, p0 + p1, p0];
    if (shape.kind === 'plane') half = [1e4, 1e4, 1e4];
    return scene.addCollider(addShape(KIND[shape.kind], [...shape.size], 0, half), position, rotation);
  };
  /** Makes the pair a mesh pair: three further slots, 1 to 3, as find-pairs makes them. */
  const chain = (a: number, b: number) => {
    scene.pairUp(a, b);
    for (let k = 0; k < 4; k++) {
      if (k > 0) {
        tables.pairs.colliderA[k] = a;
        tables.pairs.colliderB[k] = b;
        tables.pairs.flags[k] = L.PAIR_ALIVE | L.PAIR_EXTRA;
        tables.pairs.activeList[k] = k;
      }
      tables.pairs.next[k] = k < 3 ? k + 1 : -1;
    }
    arena.i32[L.ACTIVE_COUNT >> 2] = 4;
    arena.i32[L.PAIR_COUNT >> 2] = 4;
  };
  /** Runs the narrowphase and reads every manifold of a mesh pair that has points. */
  const collideMesh = (): Manifold[] => {
    scene.kernels.findContacts();
    return [0, 1, 2, 3].map((k) => scene.read(k)).filter((m) => m.points.length > 0);
  };
  return { ...scene, put, addShape, chain, collideMesh };
}

/** Manifold of two shapes (kind of A not above that of B) without history. */
export function meet(
  a: Shape,
  positionA: Vector,
  rotationA: Quaternion | undefined,
  b: Shape,
  positionB: Vector = [0, 0, 0],
  rotationB?: Quaternion,
): Manifold {
  const scene = createShapeScene();
  scene.pairUp(scene.put(a, positionA, rotationA), scene.put(b, positionB, rotationB));
  return scene.collide();
}

/** Gaps of a manifold, least first. */
export function gaps(manifold: Manifold): number[] {
  return manifold.points.map((p) => p.gap).sort((p, q) => p - q);
}

/**
 * Both poses moved by one rigid motion give the same manifold moved by it: largest difference in points, normal, gaps.
 */
export function moveError(
  a: Shape,
  positionA: Vector,
  rotationA: Quaternion,
  b: Shape,
  positionB: Vector,
  rotationB: Quaternion,
  shift: Vector,
  spin: Quaternion,
): number {
  const plain = meet(a, positionA, rotationA, b, positionB, rotationB);
  const moved = meet(
    a,
    add(rotate(spin, positionA), shift),
    multiply(spin, rotationA),
    b,
    add(rotate(spin, positionB), shift),
    multiply(spin, rotationB),
  );
  if (plain.points.length !== moved.points.length) return Infinity;
  let error = Math.max(...sub(rotate(spin, plain.normal), moved.normal).map(Math.abs));
  for (const point of plain.points) {
    const at = add(rotate(spin, point.position), shift);
    const nearest = Math.min(
      ...moved.points.map((q) => Math.max(Math.abs(q.gap - point.gap), ...sub(q.position, at).map(Math.abs))),
    );
    error = Math.max(error, nearest);
  }
  return error;
}
