import { describe, expect, test } from 'vitest';
import { boxHull, createShapeScene, dot, type Quaternion, type Shape, turn, type Vector } from './generic-scene';

/** Grid of n × n squares of side 1 in the plane y = height(x), centred at the origin, normals up. */
function grid(n: number, height: (x: number, z: number) => number = () => 0, side = 1): Shape {
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= n; j++) {
      const x = (i - n / 2) * side;
      const z = (j - n / 2) * side;
      vertices.push(x, height(x, z), z);
    }
  }
  const at = (i: number, j: number) => i * (n + 1) + j;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      triangles.push(at(i, j), at(i, j + 1), at(i + 1, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1));
    }
  }
  return { kind: 'mesh', vertices, triangles };
}

/** Height of the body's centre at which it touches the plane y = 0, in its present rotation. */
function reachBelow(scene: ReturnType<typeof createShapeScene>, body: number, plane: number): number {
  scene.pairUp(body, plane);
  scene.forget();
  const y = scene.tables.colliders.position;
  y[4 * body + 1] = 0;
  return -Math.min(...scene.collide().points.map((p) => p.gap));
}

const LYING: Quaternion = turn([0, 0, 1], Math.PI / 2);
const BODIES: [name: string, shape: Shape, height: number, rotation: Quaternion, points: number][] = [
  ['sphere', { kind: 'sphere', size: [0.4] }, 0.4, [0, 0, 0, 1], 1],
  ['standing capsule', { kind: 'capsule', size: [0.3, 0.6] }, 0.9, [0, 0, 0, 1], 1],
  ['lying capsule', { kind: 'capsule', size: [0.3, 0.6] }, 0.3, LYING, 2],
  ['box', { kind: 'box', size: [0.6, 0.3, 0.8] }, 0.3, [0, 0, 0, 1], 4],
  ['long box', { kind: 'box', size: [2.2, 0.3, 0.1] }, 0.3, [0, 0, 0, 1], 4],
  ['hull', boxHull(0.6, 0.3, 0.8), 0.3, [0, 0, 0, 1], 4],
  ['standing cylinder', { kind: 'cylinder', size: [0.7, 0.3] }, 0.3, [0, 0, 0, 1], 4],
  ['lying cylinder', { kind: 'cylinder', size: [0.3, 0.8] }, 0.3, LYING, 2],
  ['standing cone', { kind: 'cone', size: [0.7, 0.3] }, 0.3, [0, 0, 0, 1], 4],
];

describe('on a flat grid', () => {
  for (const [name, shape, rest, rotation, points] of BODIES) {
    test(`a sliding ${name} meets no bump`, () => {
      const scene = createShapeScene();
      const body = scene.put(shape);
      scene.chain(body, scene.put(grid(8)));
      for (let k = 0; k < 200; k++) {
        const x = -1.3 + k * 0.0137;
        const gap = [0.001, 0, -0.001, -0.02][k % 4];
        scene.place(body, [x, rest + gap, 0.3 * Math.sin(k) + 0.1], rotation);
        const found = scene.collideMesh();
        expect(found.length).toBe(1);
        expect(found[0].normal[1]).toBeLessThan(-1 + 1e-14);
        expect(found[0].points.length).toBe(points);
        for (const p of found[0].points) {
          expect(p.gap).toBeCloseTo(gap, 12);
          expect(p.position[1]).toBeCloseTo(gap / 2, 12);
        }
        // The patch has the size of the body: no corner is lost between triangles.
        const reach = Math.max(...found[0].points.map((p) => Math.abs(p.position[0] - x)));
        if (points === 4 && shape.kind !== 'cylinder' && shape.kind !== 'cone') {
          const half = shape.kind === 'box' ? shape.size[0] : 0.6;
          expect(reach).toBeCloseTo(half, 9);
        }
      }
    });

    test(`a turned ${name} meets no bump either`, () => {
      const scene = createShapeScene();
      const body = scene.put(shape);
      scene.chain(body, scene.put(grid(8)));
      for (let k = 0; k < 60; k++) {
        const spin = turn([0, 1, 0], 0.1 + k * 0.037);
        const [a, b] = [spin, rotation];
        const both: Quaternion = [
          a[3] * b[0] + a[1] * b[2],
          a[3] * b[1] + a[1] * b[3],
          a[3] * b[2] - a[1] * b[0],
          a[3] * b[3] - a[1] * b[1],
        ];
        scene.place(body, [0.013 * k, rest - 1e-4, 0.02 * k], both);
        const found = scene.collideMesh();
        expect(found.length).toBe(1);
        expect(found[0].normal[1]).toBeLessThan(-1 + 1e-12);
        expect(found[0].points.length).toBe(points);
        for (const p of found[0].points) expect(p.gap).toBeCloseTo(-1e-4, 11);
      }
    });
  }

  test('features stay while a body slides, also from triangle to triangle', () => {
    for (const [, shape, rest, rotation] of BODIES) {
      const scene = createShapeScene();
      const body = scene.put(shape);
      scene.chain(body, scene.put(grid(8)));
      let last = '';
      for (let k = 0; k < 20; k++) {
        scene.place(body, [-0.2 + 0.01 * k, rest - 1e-4, 0.03], rotation);
        const features = scene
          .collideMesh()[0]
          .points.map((p) => p.feature)
          .sort((a, b) => a - b);
        if (k > 0) expect(features.join()).toBe(last);
        last = features.join();
      }
    }
  });

  test('a mesh moved and turned gives the same contacts', () => {
    const scene = createShapeScene();
    const q = turn([0.6, 0, 0.8], 0.7);
    const up: Vector = [0.6 * 0 + 0, 0, 0];
    const [x, y, z, w] = q;
    up[0] = 2 * (x * y - w * z);
    up[1] = 1 - 2 * (x * x + z * z);
    up[2] = 2 * (y * z + w * x);
    const body = scene.put({ kind: 'box', size: [0.5, 0.25, 0.5] });
    const mesh = scene.put(grid(6));
    scene.chain(body, mesh);
    scene.place(mesh, [10, -20, 30], q);
    scene.place(body, [10 + 0.249 * up[0], -20 + 0.249 * up[1], 30 + 0.249 * up[2]], q);
    const found = scene.collideMesh();
    expect(found.length).toBe(1);
    expect(dot(found[0].normal, up)).toBeCloseTo(-1, 12);
    expect(found[0].points.map((p) => Math.round(p.gap * 1e9) / 1e9)).toEqual([-0.001, -0.001, -0.001, -0.001]);
  });
});

describe('in any pose on a flat grid', () => {
  test('depth, normal and least contacts are those of a plane', () => {
    const ruled: Shape[] = [...BODIES.map(([, shape]) => shape), { kind: 'cone', size: [0.2, 0.9] }];
    for (const shape of ruled) {
      const scene = createShapeScene();
      const body = scene.put(shape);
      const mesh = scene.put(grid(10));
      const plane = scene.put({ kind: 'plane', size: [0, 1, 0] });
      for (let k = 1; k <= 60; k++) {
        const raw = [Math.sin(3 * k), Math.sin(5 * k + 1), Math.sin(7 * k + 2), Math.sin(11 * k)];
        const length = Math.hypot(...raw);
        const rotation = raw.map((x) => x / length) as Quaternion;
        // Down until the plane is just reached, then a little deeper.
        scene.place(body, [0.3 * Math.sin(k), 0, 0.3 * Math.cos(2 * k)], rotation);
        const height = reachBelow(scene, body, plane);
        const depth = [0.003, 0.0001, -0.003][k % 3];
        scene.place(body, [0.3 * Math.sin(k), height - depth, 0.3 * Math.cos(2 * k)], rotation);
        scene.chain(body, mesh);
        for (let slot = 0; slot < 4; slot++) scene.forget(slot);
        const found = scene.collideMesh();
        expect(found.length).toBe(1);
        expect(found[0].normal[1]).toBeCloseTo(-1, 12);
        expect(Math.min(...found[0].points.map((p) => p.gap))).toBeCloseTo(-depth, 10);
      }
    }
  });
});

describe('across edges', () => {
  const slope = 0.5;
  const ridge = grid(4, (x) => -slope * Math.abs(x));
  const valley = grid(4, (x) => slope * Math.abs(x));
  const length = Math.sqrt(1 + slope * slope);

  test('in a concave V both faces hold a sphere, a box, a capsule and a cylinder', () => {
    for (const shape of [
      { kind: 'sphere', size: [0.4] },
      { kind: 'capsule', size: [0.4, 0.5] },
      { kind: 'cylinder', size: [0.4, 0.5] },
    ] as Shape[]) {
      const scene = createShapeScene();
      const body = scene.put(shape);
      scene.chain(body, scene.put(valley));
      scene.place(body, [0, 0.4 * length, 0.1], turn([1, 0, 0], Math.PI / 2));
      const found = scene.collideMesh().sort((a, b) => a.normal[0] - b.normal[0]);
      expect(found.length).toBe(2);
      expect(found[0].normal[0]).toBeCloseTo(-slope / length, 9);
      expect(found[1].normal[0]).toBeCloseTo(slope / length, 9);
      for (const m of found) {
        expect(m.points.length).toBe(shape.kind === 'sphere' ? 1 : 2);
        for (const p of m.points) expect(p.gap).toBeCloseTo(0, 12);
      }
    }
    const scene = createShapeScene();
    const body = scene.put({ kind: 'box', size: [0.3, 0.3, 0.3] });
    scene.chain(body, scene.put(valley));
    scene.place(body, [0, 0.3 * slope + 0.3, 0.1]);
    const found = scene.collideMesh().sort((a, b) => a.normal[0] - b.normal[0]);
    expect(found.map((m) => m.points.length)).toEqual([2, 2]);
    expect(found[0].normal[0]).toBeCloseTo(-slope / length, 9);
    expect(found[1].normal[0]).toBeCloseTo(slope / length, 9);
  });

  test('on a convex ridge the normal turns from one face to the other', () => {
    const scene = createShapeScene();
    const body = scene.put({ kind: 'sphere', size: [0.4] });
    scene.chain(body, scene.put(ridge));
    for (let k = -20; k <= 20; k++) {
      const x = k * 0.02;
      // Centre at distance 0.4 over the ridge's middle part, over a face beyond it.
      const flat = Math.abs(x) > (0.4 * slope) / length;
      const y = flat ? 0.4 * length - slope * Math.abs(x) : Math.sqrt(0.16 - x * x);
      scene.place(body, [x, y, 0.13]);
      const found = scene.collideMesh();
      expect(found.length).toBe(1);
      expect(found[0].normal[0]).toBeCloseTo(flat ? (-Math.sign(x) * slope) / length : -x / 0.4, 9);
      expect(found[0].points[0].gap).toBeCloseTo(0, 12);
    }
  });

  test('a box lying across the ridge touches it with its own face', () => {
    const scene = createShapeScene();
    for (const shape of [{ kind: 'box', size: [0.5, 0.2, 0.3] }, boxHull(0.5, 0.2, 0.3)] as Shape[]) {
      const body = scene.put(shape);
      scene.chain(body, scene.put(ridge));
      scene.place(body, [0.05, 0.199, 0.1]);
      const found = scene.collideMesh();
      const touching = found.filter((m) => m.points.some((p) => p.gap < 0));
      expect(touching.length).toBe(1);
      expect(touching[0].normal[1]).toBeCloseTo(-1, 12);
      const z = touching[0].points.map((p) => p.position[2]);
      expect(Math.max(...z) - Math.min(...z)).toBeCloseTo(0.6, 9);
      for (const p of touching[0].points) {
        expect(p.gap).toBeCloseTo(-0.001, 12);
        expect(p.position[0]).toBeCloseTo(0, 9);
      }
    }
  });

  test('a lying capsule and a lying cylinder balance on the ridge at two points', () => {
    for (const kind of ['capsule', 'cylinder'] as const) {
      const scene = createShapeScene();
      const body = scene.put({ kind, size: [0.2, 0.4] });
      scene.chain(body, scene.put(ridge));
      scene.place(body, [0, 0.2, 0], turn([1, 0, 0], Math.PI / 2));
      const found = scene.collideMesh();
      expect(found.length).toBe(1);
      expect(found[0].normal[1]).toBeCloseTo(-1, 9);
      const z = found[0].points.map((p) => p.position[2]);
      expect(Math.max(...z) - Math.min(...z)).toBeCloseTo(0.8, 6);
      for (const p of found[0].points) expect(p.gap).toBeCloseTo(0, 9);
    }
  });

  test('a capsule across the ridge touches at one point', () => {
    const scene = createShapeScene();
    const body = scene.put({ kind: 'capsule', size: [0.2, 0.6] });
    scene.chain(body, scene.put(ridge));
    scene.place(body, [0.1, 0.199, 0.3], LYING);
    const found = scene.collideMesh();
    expect(found.length).toBe(1);
    expect(found[0].normal[1]).toBeCloseTo(-1, 9);
    expect(found[0].points.length).toBe(1);
    expect(found[0].points[0].position[0]).toBeCloseTo(0, 9);
    expect(found[0].points[0].gap).toBeCloseTo(-0.001, 9);
  });

  test('a box beside a block of triangles is pushed sideways, not up', () => {
    const block: Shape = { kind: 'mesh', vertices: [], triangles: [] };
    for (let v = 0; v < 8; v++) block.vertices.push(v & 1 ? 1 : -1, v & 2 ? 1 : -1, v & 4 ? 1 : -1);
    for (const [a, b, c, d] of [
      [1, 3, 7, 5],
      [0, 4, 6, 2],
      [2, 6, 7, 3],
      [0, 1, 5, 4],
      [4, 5, 7, 6],
      [0, 2, 3, 1],
    ]) {
      block.triangles.push(a, b, c, a, c, d);
    }
    const scene = createShapeScene();
    for (const shape of [
      { kind: 'box', size: [0.5, 0.5, 0.5] },
      boxHull(0.5, 0.5, 0.5),
      { kind: 'cylinder', size: [0.5, 0.5] },
      { kind: 'capsule', size: [0.5, 0.25] },
      { kind: 'sphere', size: [0.5] },
    ] as Shape[]) {
      const body = scene.put(shape);
      scene.chain(body, scene.put(block));
      for (const y of [0, 0.4, 0.9, 1.1]) {
        // Above 1 the sphere's widest part has passed the edge.
        if (y > 1 && shape.kind === 'sphere') continue;
        scene.place(body, [1.499, y, 0.1]);
        const found = scene.collideMesh();
        const touching = found.filter((m) => m.points.some((p) => p.gap < -1e-6));
        expect(touching.length).toBe(1);
        expect(touching[0].normal[0]).toBeCloseTo(-1, 6);
        expect(Math.min(...touching[0].points.map((p) => p.gap))).toBeCloseTo(-0.001, 6);
        for (const m of found) expect(Math.abs(m.normal[1])).toBeLessThan(1e-6);
      }
    }
  });
});

describe('one-sided', () => {
  test('a body behind the mesh is not touched, one that sank in a little is pushed out', () => {
    for (const [, shape, rest, rotation] of BODIES) {
      const scene = createShapeScene();
      const body = scene.put(shape);
      scene.chain(body, scene.put(grid(4)));
      scene.place(body, [0.1, -0.5 * rest, 0.1], rotation);
      expect(scene.collideMesh()).toEqual([]);
      scene.place(body, [0.1, 0.6 * rest, 0.1], rotation);
      const found = scene.collideMesh();
      expect(found.length).toBe(1);
      expect(found[0].normal[1]).toBeCloseTo(-1, 9);
      expect(Math.min(...found[0].points.map((p) => p.gap))).toBeCloseTo(-0.4 * rest, 9);
    }
  });

  test('away from the mesh there is no contact, and the slots of old contacts are emptied', () => {
    const scene = createShapeScene();
    const body = scene.put({ kind: 'sphere', size: [0.4] });
    scene.chain(body, scene.put(grid(4, (x) => 0.5 * Math.abs(x))));
    scene.place(body, [0, 0.4 * Math.sqrt(1.25), 0.1]);
    expect(scene.collideMesh().length).toBe(2);
    scene.place(body, [0, 3, 0.1]);
    expect(scene.collideMesh()).toEqual([]);
    scene.place(body, [50, 0, 0.1]);
    expect(scene.collideMesh()).toEqual([]);
  });

  test('a manifold keeps its slot while another normal comes and goes', () => {
    const scene = createShapeScene();
    const body = scene.put({ kind: 'sphere', size: [0.4] });
    scene.chain(body, scene.put(grid(4, (x) => 0.5 * Math.abs(x))));
    const length = Math.sqrt(1.25);
    // Resting on the right face first: it takes slot 0.
    scene.place(body, [0.5, 0.25 + 0.4 * length, 0.1]);
    scene.collideMesh();
    const first = scene.read(0).normal[0];
    scene.place(body, [0, 0.4 * length, 0.1]);
    expect(scene.collideMesh().length).toBe(2);
    expect(scene.read(0).normal[0]).toBeCloseTo(first, 9);
  });
});
