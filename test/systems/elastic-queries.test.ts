// Queries that see strands, sheets and solids: against closed forms, and against rigid twins of the same shape.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import {
  addGroom,
  addRigidBody,
  addRod,
  addShell,
  addSolid,
  castRay,
  castRayAll,
  castRays,
  castShape,
  castShapeAll,
  castShapes,
  closestPoint,
  createOverlapBatch,
  createPhysics,
  createRayBatch,
  overlapBox,
  overlapPoint,
  overlapShape,
  overlapShapes,
  overlapSphere,
  type Physics,
  penetration,
  placeShell,
  removeRod,
  type ShapeSpec,
} from '../../src/index';
import { makeRandom } from '../kernels/broadphase-world';

type Vector = [number, number, number];
const elastic = true;
const world = (): Physics => createPhysics(createWorld(), { userTiming: false, gravity: [0, 0, 0] });

function expectVector(got: ArrayLike<number>, wanted: number[], digits = 9): void {
  wanted.forEach((x, k) => {
    expect(got[k]).toBeCloseTo(x, digits);
  });
}

/** A cube of side 2 about the origin, five tetrahedra, surface 0.1 beyond them. */
function addCube(physics: Physics, options: { elements?: 'linear' | 'quadratic' } = {}): number {
  const vertices = Array.from({ length: 8 }, (_, k) => [k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1]);
  const tetrahedra = [
    [0, 1, 2, 4],
    [3, 2, 1, 7],
    [5, 4, 7, 1],
    [6, 7, 4, 2],
    [1, 2, 4, 7],
  ];
  return addSolid(physics, { vertices, tetrahedra, radius: 0.1, ...options });
}

/** A square of side 2 in the plane y = 0, 0.1 thick. */
function addSheet(physics: Physics, y = 0): number {
  const vertices = [
    [-1, y, -1],
    [1, y, -1],
    [1, y, 1],
    [-1, y, 1],
  ];
  const triangles = [
    [0, 2, 1],
    [0, 3, 2],
  ];
  return addShell(physics, { vertices, triangles, thickness: 0.1, density: 10 });
}

describe('rays', () => {
  test('a strand is met at its radius, where asked for, with the edge and the place on it', () => {
    const physics = world();
    const points = [0, 1, 2, 3].map((x) => [x, 1, 0]);
    const rod = addRod(physics, { points, radius: 0.1 });
    expect(castRay(physics, [1.25, 5, 0.06], [0, -2, 0])).toBe(null);
    const hit = castRay(physics, [1.25, 5, 0.06], [0, -2, 0], 9, { elastic })!;
    expect(hit.entity).toBe(rod);
    expect(hit.distance).toBeCloseTo(4 - 0.08, 12);
    expectVector(hit.point, [1.25, 1.08, 0.06], 12);
    expectVector(hit.normal, [0, 0.8, 0.6], 12);
    expect(hit.feature?.nodes).toEqual([1, 2]);
    expectVector(hit.feature!.weights, [0.75, 0.25], 12);
    // Past its side, up to just before it, past its round end.
    expect(castRay(physics, [1.25, 5, 0.11], [0, -1, 0], 9, { elastic })).toBe(null);
    expect(castRay(physics, [1.25, 5, 0.06], [0, -1, 0], 3.91, { elastic })).toBe(null);
    expect(castRay(physics, [3.09, 5, 0.06], [0, -1, 0], 9, { elastic })).toBe(null);
    expect(castRay(physics, [9, 1, 0], [-1, 0, 0], 9, { elastic })?.distance).toBeCloseTo(5.9, 12);
    // From within.
    expect(castRay(physics, [1, 1.05, 0], [0, 1, 0], 9, { elastic })).toMatchObject({
      distance: 0,
      normal: [-0, -1, -0],
    });
  });

  test('a sheet is met at half its thickness from both sides, and about its rim', () => {
    const physics = world();
    const sheet = addSheet(physics);
    for (const side of [1, -1]) {
      const hit = castRay(physics, [0.5, 3 * side, 0.2], [0, -side, 0], 9, { elastic })!;
      expect(hit.entity).toBe(sheet);
      expect(hit.distance).toBeCloseTo(2.95, 12);
      expectVector(hit.normal, [0, side, 0], 12);
      expect(hit.feature?.nodes.length).toBe(3);
      const x = hit.feature!.nodes.reduce((sum, v, k) => sum + hit.feature!.weights[k] * [-1, 1, 1, -1][v], 0);
      expect(x).toBeCloseTo(0.5, 12);
    }
    const rim = castRay(physics, [1.03, 3, 0.2], [0, -1, 0], 9, { elastic })!;
    expect(rim.distance).toBeCloseTo(3 - 0.04, 12);
    expectVector(rim.normal, [0.6, 0.8, 0], 10);
    expect(castRay(physics, [1.051, 3, 0.2], [0, -1, 0], 9, { elastic })).toBe(null);
  });

  test.each(['linear', 'quadratic'] as const)(
    'a solid of %s elements is met at its radius, and at 0 from inside',
    (elements) => {
      const physics = world();
      const cube = addCube(physics, { elements });
      const hit = castRay(physics, [0.3, 0.2, 5], [0, 0, -1], 9, { elastic })!;
      expect(hit.entity).toBe(cube);
      expect(hit.distance).toBeCloseTo(3.9, 12);
      expectVector(hit.normal, [0, 0, 1], 10);
      for (const from of [
        [0, 0, 0],
        [0.9, 0.9, -0.9],
        [1.05, 0, 0],
        [-0.3, 0.2, 0.1],
      ] as Vector[]) {
        expect(castRay(physics, from, [0, 0, 1], 9, { elastic })).toMatchObject({ distance: 0, normal: [-0, -0, -1] });
        expect(overlapPoint(physics, from, { elastic })).toEqual([cube]);
      }
      expect(overlapPoint(physics, [1.11, 0, 0], { elastic })).toEqual([]);
      expect(overlapPoint(physics, [0, 0, 0])).toEqual([]);
    },
  );

  test('random rays at a tangle of strands: as at capsules in their places', () => {
    const [soft, hard] = [world(), world()];
    const random = makeRandom(5);
    const place = (): Vector => [random() * 4 - 2, random() * 4 - 2, random() * 4 - 2];
    const strands: Vector[][] = [];
    for (let s = 0; s < 12; s++) strands.push(Array.from({ length: 2 + (s % 5) }, place));
    const groom = addGroom(soft, {
      strands: { counts: strands.map((p) => p.length), positions: strands.flat(2) },
      radius: 0.2,
    });
    for (const points of strands) {
      for (let i = 0; i + 1 < points.length; i++) {
        const d = [0, 1, 2].map((k) => points[i + 1][k] - points[i][k]);
        const half = 0.5 * Math.hypot(...d);
        const y = d.map((x) => x / (2 * half));
        const rotation = [y[2], 0, -y[0], 1 + y[1]];
        const position = [0, 1, 2].map((k) => 0.5 * (points[i + 1][k] + points[i][k]));
        addRigidBody(hard, { type: 'static', shape: { capsule: [0.2, half] }, position, rotation });
      }
    }
    let hits = 0;
    for (let i = 0; i < 400; i++) {
      const [from, to] = [place(), place()];
      const far = i % 2 === 0 ? 30 : 1;
      const origin = from.map((x) => far * x);
      const way = to.map((x, k) => x - origin[k]);
      const wanted = castRay(hard, origin, way);
      const got = castRay(soft, origin, way, Infinity, { elastic });
      expect(got === null).toBe(wanted === null);
      if (!got || !wanted) continue;
      hits++;
      expect(got.entity).toBe(groom);
      expect(got.distance).toBeCloseTo(wanted.distance, 8);
      expectVector(got.normal, wanted.normal, 5);
    }
    expect(hits).toBeGreaterThan(100);
  });

  test('of all: bodies and each object once, nearest first; masks, ignored entities, removed ones', () => {
    const physics = world();
    const sheet = addSheet(physics, 2);
    const ball = addRigidBody(physics, { type: 'static', shape: { sphere: 0.5 } });
    const rod = addRod(physics, {
      points: [
        [0, 1, -1],
        [0, 1, 0],
        [0, 1, 1],
      ],
      radius: 0.1,
      layers: 4,
    });
    const cast = (options: object): number[] =>
      castRayAll(physics, [0, 9, 0.001], [0, -1, 0], 20, options).map(({ entity }) => entity);
    expect(cast({ elastic })).toEqual([sheet, rod, ball]);
    expect(cast({})).toEqual([ball]);
    expect(cast({ elastic, mask: 4 })).toEqual([rod]);
    expect(cast({ elastic, ignore: sheet })).toEqual([rod, ball]);
    expect(castRay(physics, [0, 9, 0.001], [0, -1, 0], 20, { elastic, ignore: sheet })?.entity).toBe(rod);
    removeRod(physics, rod);
    expect(cast({ elastic })).toEqual([sheet, ball]);
    const out = createRayBatch(2);
    const rays = Float64Array.of(0, 9, 0.001, 0, -1, 0, 20, 5, 9, 0, 0, -1, 0, 20);
    expect(castRays(physics, rays, out, { elastic })).toBe(1);
    expect([...out.entity]).toEqual([sheet, 0]);
    expect(out.distance[0]).toBeCloseTo(6.95, 12);
  });
});

describe('what moves', () => {
  test('is met where it is now: after a step, when placed, within a step', () => {
    const physics = createPhysics(createWorld(), { userTiming: false, gravity: [0, -9.8, 0] });
    const sheet = addSheet(physics);
    const height = (): number => 9 - castRay(physics, [0.2, 9, 0.1], [0, -1, 0], 99, { elastic })!.distance - 0.05;
    expect(height()).toBeCloseTo(0, 12);
    for (let i = 0; i < 10; i++) physics.step();
    expect(height()).toBeCloseTo((-9.8 * 55) / 3600, 4);
    let seen = 0;
    physics.schedule.after('integrate-motion', () => {
      seen = height();
    });
    height();
    physics.step();
    expect(seen).toBeCloseTo((-9.8 * 66) / 3600, 4);
    placeShell(physics, sheet, [
      [-1, 3, -1],
      [1, 3, -1],
      [1, 3, 1],
      [-1, 3, 1],
    ]);
    expect(height()).toBeCloseTo(3, 12);
    expect(closestPoint(physics, [0, 4, 0], { elastic })?.distance).toBeCloseTo(0.95, 12);
  });
});

describe('shapes', () => {
  test('a ball and a box fall on a sheet, a strand, a solid', () => {
    const physics = world();
    const cube = addCube(physics);
    const ball = castShape(physics, { sphere: 0.5 }, [0.2, 6, 0.3], [0, -1, 0], 9, { elastic })!;
    expect(ball.entity).toBe(cube);
    expect(ball.distance).toBeCloseTo(4.4, 9);
    expectVector(ball.normal, [0, 1, 0], 7);
    expectVector(ball.point, [0.2, 1.1, 0.3], 7);
    const box = castShape(physics, { box: [0.5, 0.25, 0.5] }, [0.2, 6, 0.3], [0, -1, 0], 9, { elastic })!;
    expect(box.distance).toBeCloseTo(4.65, 9);
    expect(castShape(physics, { sphere: 0.5 }, [0.2, 6, 0.3], [0, -1, 0], 9)).toBe(null);
    expect(castShape(physics, { sphere: 0.5 }, [1.7, 6, 0.3], [0, -1, 0], 9, { elastic })).toBe(null);
    // What begins deep inside leaves by the nearest face.
    const inside = castShape(physics, { sphere: 0.2 }, [0, 0.5, 0], [0, -1, 0], 9, { elastic })!;
    expect(inside.distance).toBe(0);
    expect(inside.depth).toBeCloseTo(0.5 + 0.1 + 0.2, 9);
    expectVector(inside.normal, [0, 1, 0], 9);
  });

  test('random balls at a crumpled sheet: as larger balls at its mesh', () => {
    const [soft, hard] = [world(), world()];
    const random = makeRandom(11);
    const vertices: Vector[] = [];
    const triangles: number[][] = [];
    for (let i = 0; i < 6; i++) {
      for (let k = 0; k < 6; k++) vertices.push([i - 2.5 + 0.5 * random(), 1.5 * random(), k - 2.5 + 0.5 * random()]);
    }
    for (let i = 0; i < 5; i++) {
      for (let k = 0; k < 5; k++) {
        const a = 6 * i + k;
        triangles.push([a, a + 1, a + 6], [a + 1, a + 7, a + 6]);
      }
    }
    addShell(soft, { vertices, triangles, thickness: 0.04, density: 10 });
    const mesh = { vertices: vertices.flat(), triangles: triangles.flat() };
    addRigidBody(hard, { type: 'static', shape: { mesh } });
    let hits = 0;
    for (let i = 0; i < 200; i++) {
      const from: Vector = [random() * 6 - 3, 3 + random(), random() * 6 - 3];
      const way: Vector = [random() - 0.5, -1, random() - 0.5];
      const wanted = castShape(hard, { sphere: 0.32 }, from, way, 9);
      const got = castShape(soft, { sphere: 0.3 }, from, way, 9, { elastic });
      const ray = castRay(soft, from, way, 9, { elastic });
      const thin = castShape(hard, { sphere: 0.02 }, from, way, 9);
      expect([got === null, ray === null]).toEqual([wanted === null, thin === null]);
      if (ray && thin) expect(ray.distance).toBeCloseTo(thin.distance, 7);
      if (!got || !wanted) continue;
      hits++;
      expect(got.distance).toBeCloseTo(wanted.distance, 7);
      expectVector(got.normal, wanted.normal, 4);
    }
    expect(hits).toBeGreaterThan(100);
    for (let i = 0; i < 100; i++) {
      const point: Vector = [random() * 6 - 3, random() * 3 - 1, random() * 6 - 3];
      const wanted = closestPoint(hard, point)!;
      const got = closestPoint(soft, point, { elastic })!;
      expect(got.distance).toBeCloseTo(wanted.distance - 0.02, 9);
      expect(overlapSphere(soft, point, 0.3, { elastic }).length).toBe(wanted.distance <= 0.32 ? 1 : 0);
      expect(overlapShape(soft, { sphere: 0.3 }, { position: point }, { elastic }).length).toBe(
        wanted.distance <= 0.32 ? 1 : 0,
      );
    }
  });

  test('how deep, and which way out: of a strand, of a sheet, of a solid', () => {
    const physics = world();
    const rod = addRod(physics, {
      points: [
        [-1, 0, 5],
        [0, 0, 5],
        [1, 0, 5],
      ],
      radius: 0.1,
    });
    const sheet = addSheet(physics, 3);
    const cube = addCube(physics);
    const at = (shape: ShapeSpec, position: Vector) => penetration(physics, shape, { position }, { elastic });
    const [a] = at({ sphere: 0.5 }, [0.3, 0.4, 5]);
    expect(a.entity).toBe(rod);
    expect(a.depth).toBeCloseTo(0.2, 9);
    expectVector(a.normal, [0, 1, 0], 9);
    expectVector(a.point, [0.3, 0.1, 5], 9);
    expect(a.feature?.nodes).toEqual([1, 2]);
    const [b] = at({ sphere: 0.5 }, [0.3, 2.6, 0]);
    expect(b.entity).toBe(sheet);
    expect(b.depth).toBeCloseTo(0.15, 9);
    expectVector(b.normal, [0, -1, 0], 9);
    // On the mesh's inner side: through the front of the nearest face all the same.
    const [c] = at({ box: [0.2, 0.2, 0.2] }, [0.7, 0.1, 0]);
    expect(c.entity).toBe(cube);
    expect(c.depth).toBeCloseTo(0.6, 6);
    expectVector(c.normal, [1, 0, 0], 6);
    expect(overlapShape(physics, { box: [0.1, 0.1, 0.1] }, { position: [0.1, 0, 0.2] }, { elastic })).toEqual([cube]);
    expect(at({ sphere: 0.5 }, [0, 7, 0])).toEqual([]);
    // Nearest points: outside, within the reach of the surface, within the mesh.
    expect(closestPoint(physics, [0, 0, 1.5], { elastic })).toMatchObject({ entity: cube });
    expect(closestPoint(physics, [0, 0, 1.5], { elastic })?.distance).toBeCloseTo(0.4, 12);
    expect(closestPoint(physics, [0, 0, 1.05], { elastic })?.distance).toBeCloseTo(-0.05, 12);
    const inside = closestPoint(physics, [0, 0.1, 0.7], { elastic })!;
    expect(inside.distance).toBeCloseTo(-0.4, 12);
    expectVector(inside.point, [0, 0.1, 1.1], 12);
    expectVector(inside.normal, [0, 0, 1], 12);
    expect(closestPoint(physics, [0, 0, 1.5], { elastic, maxDistance: 0.39 })).toBe(null);
  });

  test('batches answer as single questions do, bodies among them', () => {
    const physics = world();
    const sheet = addSheet(physics, 2);
    const ball = addRigidBody(physics, { type: 'static', shape: { sphere: 0.5 } });
    const out = createRayBatch(2);
    const casts = Float64Array.of(0, 5, 0.2, 0, -1, 0, 20, 0, -5, 0.2, 0, 1, 0, 20);
    expect(castShapes(physics, { box: [0.1, 0.1, 0.1] }, casts, out, { elastic })).toBe(2);
    expect([...out.entity]).toEqual([sheet, ball]);
    const all = castShapeAll(physics, { sphere: 0.1 }, [0, 5, 0.2], [0, -1, 0], 20, { elastic });
    expect(all.map(({ entity }) => entity)).toEqual([sheet, ball]);
    const overlaps = createOverlapBatch(1);
    const poses = Float64Array.of(0, 1, 0, 0, 0, 0, 1);
    expect(overlapShapes(physics, { box: [1, 1, 1] }, poses, overlaps, { elastic })).toBe(2);
    expect(() => overlapBox(physics, [0, 0, 0], [1, 1, 1], { elastic })).toThrow('overlapBox: options.elastic must');
    expect(() => castRay(physics, [0, 0, 0], [1, 1, 1], 1, { elastic: 1 as never })).toThrow(
      'castRay: options.elastic',
    );
  });
});
