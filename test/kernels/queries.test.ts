import { describe, expect, test } from 'vitest';
import {
  castRay,
  castRayAll,
  createQueryContext,
  createRayHit,
  overlapBox,
  overlapPoint,
  overlapSphere,
  type QueryContext,
} from '../../src/collision/queries';
import { copyArena } from '../../src/core/arena';
import { writeMesh } from '../../src/geometry/mesh-data';
import * as L from '../../src/state/layout';
import { bySuite } from '../setup/suite';
import {
  addObject,
  addShape,
  count,
  makeRandom,
  makeWorld,
  randomRotation,
  removeObject,
  step,
  type Vector,
  type World,
} from './broadphase-world';
import { CONVEX, makeTerrain, turn } from './query-shapes';

const hit = createRayHit();

function unit(random: () => number): Vector {
  const q = randomRotation(random);
  return turn(q, [0, 0, 1]);
}

function at(origin: readonly number[], direction: readonly number[], t: number): Vector {
  return [origin[0] + t * direction[0], origin[1] + t * direction[1], origin[2] + t * direction[2]];
}

function contextOf(world: World): QueryContext {
  return createQueryContext(world.arena, world.kernels);
}

/** A world with one shape at the origin, unturned. */
function single(kind: number, parameter: number[]): QueryContext {
  const world = makeWorld();
  addObject(world, addShape(world, kind, parameter), { kind: 'static' });
  step(world);
  return contextOf(world);
}

function expectHit(context: QueryContext, origin: Vector, direction: Vector, distance: number, normal?: Vector): void {
  expect(castRay(context, origin, direction, 1e9, hit)).toBe(true);
  expect(hit.distance).toBeCloseTo(distance, 9);
  if (normal) for (let k = 0; k < 3; k++) expect(hit.normal[k]).toBeCloseTo(normal[k], 9);
}

describe.each(CONVEX)('$name', (shape) => {
  test('random rays meet it where marching along them does, with a normal of the surface', () => {
    const random = makeRandom(11);
    const world = makeWorld();
    const rotation = randomRotation(random);
    const position: Vector = [3, -2, 5];
    const collider = addObject(world, shape.add(world), { position, rotation });
    step(world);
    const context = contextOf(world);
    const holds = (p: Vector, slack: number): boolean => {
      const local = turn(rotation, [p[0] - position[0], p[1] - position[1], p[2] - position[2]], true);
      return shape.holds(local[0], local[1], local[2], slack);
    };
    let hits = 0;
    for (let ray = 0; ray < bySuite(80, 250); ray++) {
      const origin = at(position, unit(random), shape.reach * (1.1 + 2 * random()));
      const target = at(position, unit(random), shape.reach * random());
      const length = Math.sqrt(origin.reduce((sum, c, k) => sum + (target[k] - c) ** 2, 0));
      const direction = origin.map((c, k) => (target[k] - c) / length) as unknown as Vector;
      const span = length + 2 * shape.reach;
      // March, then bisect the step that enters.
      let low = 0;
      let high = -1;
      for (let i = 1; i <= 600 && high < 0; i++) {
        if (holds(at(origin, direction, (span * i) / 600), 0)) high = (span * i) / 600;
        else low = (span * i) / 600;
      }
      const found = castRay(context, origin, direction, 100, hit);
      if (high >= 0) {
        for (let i = 0; i < 60; i++) {
          const middle = 0.5 * (low + high);
          if (holds(at(origin, direction, middle), 0)) high = middle;
          else low = middle;
        }
        expect(found).toBe(true);
        expect(Math.abs(hit.distance - high)).toBeLessThan(1e-9);
      }
      if (!found) continue;
      hits++;
      // Also where marching stepped over a short chord: the point lies on the surface, the normal leads out of it.
      const point = hit.point as unknown as Vector;
      const normal = hit.normal as unknown as Vector;
      expect(hit.collider).toBe(collider);
      expect(holds(point, 1e-9)).toBe(true);
      expect(holds(at(point, normal, 1e-6), 0)).toBe(false);
      expect(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2).toBeCloseTo(1, 12);
      expect(normal[0] * direction[0] + normal[1] * direction[1] + normal[2] * direction[2]).toBeLessThanOrEqual(1e-9);
      // A ray that ends before the hit, or starts behind the shape, finds nothing.
      expect(castRay(context, origin, direction, hit.distance - 1e-6, createRayHit())).toBe(false);
      expect(castRay(context, at(origin, direction, span), direction, 100, createRayHit())).toBe(false);
    }
    expect(hits).toBeGreaterThan(bySuite(15, 60));
  });

  test('a ray from inside hits at distance 0 with the normal against it', () => {
    const world = makeWorld();
    addObject(world, shape.add(world));
    step(world);
    expect(castRay(contextOf(world), [0.01, 0.02, 0.03], [0, 3, 4], 10, hit)).toBe(true);
    expect(hit.distance).toBe(0);
    expect([...hit.normal]).toEqual([-0, -0.6, -0.8]);
  });

  test('points, balls and boxes overlap it exactly up to its surface', () => {
    const random = makeRandom(5);
    const world = makeWorld();
    const rotation = randomRotation(random);
    const position: Vector = [-4, 1, 2];
    addObject(world, shape.add(world), { position, rotation });
    step(world);
    const context = contextOf(world);
    const out: number[] = [];
    for (let i = 0; i < 300; i++) {
      const local = unit(random).map((c) => c * shape.reach * random()) as unknown as Vector;
      const world = at(turn(rotation, local), position, 1);
      expect(overlapPoint(context, world, out)).toBe(shape.holds(local[0], local[1], local[2], 0) ? 1 : 0);
    }
    for (let i = 0; i < 200; i++) {
      const origin = at(position, unit(random), 3);
      const towards = at(position, unit(random), 0.4 * shape.reach);
      const direction = origin.map((c, k) => towards[k] - c) as unknown as Vector;
      if (!castRay(context, origin, direction, 10, hit)) continue;
      const point = Array.from(hit.point) as unknown as Vector;
      const normal = Array.from(hit.normal) as unknown as Vector;
      // From a point of a convex surface, straight out, the distance is the way gone.
      const d = 2 * random();
      expect(overlapSphere(context, at(point, normal, d), d + 1e-7, out)).toBe(1);
      expect(overlapSphere(context, at(point, normal, d), Math.max(0, d - 1e-7) * (d > 1e-6 ? 1 : 0), out)).toBe(0);
      // A box whose farthest corner against the normal is just outside, or just inside, that point.
      const half = [random(), random(), random()];
      const box = (gap: number): number => {
        const corner = at(point, normal, gap);
        const center = corner.map((c, k) => c + (normal[k] >= 0 ? half[k] : -half[k]));
        return overlapBox(
          context,
          center.map((c, k) => c - half[k]),
          center.map((c, k) => c + half[k]),
          out,
        );
      };
      expect(box(1e-6)).toBe(0);
      expect(box(-1e-6)).toBe(1);
    }
    expect(overlapBox(context, [-9, -9, -9], [9, 9, 9], out)).toBe(1);
    const small = turn(rotation, [0.01, 0.02, 0.03]).map((c, k) => c + position[k]);
    expect(overlapBox(context, small, small, out)).toBe(1);
  });
});

test('tangent rays touch a sphere, a capsule and a cylinder; a hair farther they miss', () => {
  const sphere = single(L.SHAPE_SPHERE, [1]);
  expectHit(sphere, [-5, 1, 0], [1, 0, 0], 5, [0, 1, 0]);
  expect(castRay(sphere, [-5, 1 + 1e-12, 0], [1, 0, 0], 100, hit)).toBe(false);
  const capsule = single(L.SHAPE_CAPSULE, [0.5, 2]);
  expectHit(capsule, [-5, 1, 0.5], [1, 0, 0], 5, [0, 0, 1]);
  expectHit(capsule, [-5, 2.5, 0], [1, 0, 0], 5, [0, 1, 0]);
  expect(castRay(capsule, [-5, 2.5 + 1e-12, 0], [1, 0, 0], 100, hit)).toBe(false);
  const cylinder = single(L.SHAPE_CYLINDER, [0.5, 2]);
  expectHit(cylinder, [-5, 1, 0.5], [1, 0, 0], 5, [0, 0, 1]);
  expect(castRay(cylinder, [-5, 1, 0.5 + 1e-12], [1, 0, 0], 100, hit)).toBe(false);
});

test('rays along a face or an edge touch, parallel ones beside it miss', () => {
  const box = single(L.SHAPE_BOX_KIND, [1, 2, 3]);
  expectHit(box, [-5, 2, 0], [1, 0, 0], 4, [-1, 0, 0]);
  expectHit(box, [-5, 2, 3], [1, 0, 0], 4, [-1, 0, 0]);
  expect(castRay(box, [-5, 2 + 1e-12, 0], [1, 0, 0], 100, hit)).toBe(false);
  const cylinder = single(L.SHAPE_CYLINDER, [1, 2]);
  expectHit(cylinder, [0.5, 9, 0.5], [0, -1, 0], 7, [0, 1, 0]);
  expectHit(cylinder, [1, 9, 0], [0, -1, 0], 7, [0, 1, 0]);
  expectHit(cylinder, [-5, 2, 0], [1, 0, 0], 4, [-1, 0, 0]);
});

test('a cone is met at its base, its side, its apex and along its own slope', () => {
  // Radius 1, height 2: the side's outward normal is (2, 1) / √5 in (ρ, y).
  const cone = single(L.SHAPE_CONE, [1, 1]);
  const s = Math.sqrt(5);
  expectHit(cone, [0.5, -4, 0], [0, 1, 0], 3, [0, -1, 0]);
  expectHit(cone, [5, 0, 0], [-1, 0, 0], 4.5, [2 / s, 1 / s, 0]);
  expectHit(cone, [0, 4, 0], [0, -1, 0], 3, [0, 1, 0]);
  expectHit(cone, [0.5, 4, 0], [0, -1, 0], 4, [2 / s, 1 / s, 0]);
  // Parallel to the side: entering through it from above, and running past above the apex.
  expectHit(cone, [-1, 2.5, 0], [1, -2, 0], 0.875 * s, [-2 / s, 1 / s, 0]);
  expect(castRay(cone, [0.1, 1, 0], [1, -2, 0], 100, hit)).toBe(false);
  // Through the mirrored cone above the apex only.
  expect(castRay(cone, [-5, 2, 0], [1, 0, 0], 100, hit)).toBe(false);
  expect(castRay(cone, [-5, 1.5, 0], [1, 0.2, 0], 100, hit)).toBe(false);
});

test('a plane is a half-space at any tilt', () => {
  const world = makeWorld();
  const n: Vector = [0.36, 0.8, 0.48];
  addObject(world, addShape(world, L.SHAPE_PLANE, [...n]), { kind: 'static', position: [0, 2, 0] });
  step(world);
  const context = contextOf(world);
  expectHit(context, [10, 50, -7], [0, -1, 0], 48 + (10 * 0.36 - 7 * 0.48) / 0.8, n);
  expect(castRay(context, [0, 50, 0], [0, 1, 0], 1e6, hit)).toBe(false);
  expect(castRay(context, [0, -50, 0], [0, 1, 0], 1e6, hit)).toBe(true);
  expect(hit.distance).toBe(0);
  const out: number[] = [];
  expect(overlapPoint(context, [0, 1.99, 0], out)).toBe(1);
  expect(overlapPoint(context, [0, 2.01, 0], out)).toBe(0);
  expect(overlapSphere(context, [0, 3, 0], 0.81, out)).toBe(1);
  expect(overlapSphere(context, [0, 3, 0], 0.79, out)).toBe(0);
  expect(overlapBox(context, [-1, 2.9, -1], [1, 3, 1], out)).toBe(1);
  expect(overlapBox(context, [1, 2.1, 1], [2, 3, 2], out)).toBe(0);
});

test('balls beyond edges and corners are measured from there', () => {
  const out: number[] = [];
  /** The distance of a point is d: balls a hair larger and smaller must disagree. */
  const expectDistance = (context: QueryContext, point: Vector, d: number): void => {
    expect(overlapSphere(context, point, d + 1e-9, out)).toBe(1);
    expect(overlapSphere(context, point, d - 1e-9, out)).toBe(0);
  };
  const box = single(L.SHAPE_BOX_KIND, [1, 2, 3]);
  expectDistance(box, [2, 4, -5], 3);
  expectDistance(box, [4, 6, 0], 5);
  const cylinder = single(L.SHAPE_CYLINDER, [1, 2]);
  expectDistance(cylinder, [0, 6, -4], 5);
  const cone = single(L.SHAPE_CONE, [1, 1]);
  expectDistance(cone, [0, 4, 0], 3);
  expectDistance(cone, [0, 3, 0.5], Math.sqrt(4.25));
  expectDistance(cone, [4, -5, 0], 5);
  expectDistance(cone, [0.5, -5, 0], 4);
  expectDistance(cone, [2, 1, 0], distanceToSide(2, 1));
  expectDistance(cone, [3, -0.5, 0], distanceToSide(3, -0.5));
  const capsule = single(L.SHAPE_CAPSULE, [0.5, 1]);
  expectDistance(capsule, [3, 5, 0], 4.5);
});

/** Distance of (ρ, y) from the segment (0, 1) – (1, −1): the side of a cone of radius 1 and height 2. */
function distanceToSide(rho: number, y: number): number {
  const t = Math.min(1, Math.max(0, (rho - 2 * (y - 1)) / 5));
  return Math.sqrt((rho - t) ** 2 + (y - 1 + 2 * t) ** 2);
}

test('a ray from a thousand kilometres away keeps its digits', () => {
  const context = single(L.SHAPE_SPHERE, [0.01]);
  expect(castRay(context, [-1e6, 0.006, 0], [1, 0, 0], 2e6, hit)).toBe(true);
  expect(hit.distance).toBeCloseTo(1e6 - 0.008, 9);
  expect(hit.normal[1]).toBeCloseTo(0.6, 9);
});

describe('mesh', () => {
  const random = makeRandom(3);
  const N = 21;
  const { vertices, triangles } = makeTerrain(N, 10, random);
  const world = makeWorld();
  const record = writeMesh(world.arena, vertices, triangles);
  const rotation = randomRotation(random);
  const position: Vector = [5, 6, 7];
  const box = [-10, 0, -10, 10, 1, 10];
  addObject(world, addShape(world, L.SHAPE_MESH, [0, 0, 0], record, box), { kind: 'static', position, rotation });
  step(world);
  const context = contextOf(world);
  const toWorld = (p: readonly number[]): Vector => at(turn(rotation, p), position, 1);
  const corner = (t: number, k: number): number[] =>
    vertices.slice(3 * triangles[3 * t + k], 3 * triangles[3 * t + k] + 3);

  /** Distance along a local ray by Cramer's rule on o + t d = a + u (b − a) + v (c − a), over all triangles. */
  function brute(o: readonly number[], d: readonly number[]): number {
    let best = Number.POSITIVE_INFINITY;
    for (let t = 0; t < triangles.length / 3; t++) {
      const [a, b, c] = [corner(t, 0), corner(t, 1), corner(t, 2)];
      const e = b.map((x, k) => x - a[k]);
      const f = c.map((x, k) => x - a[k]);
      const g = o.map((x, k) => x - a[k]);
      const det = (p: readonly number[], q: readonly number[], r: readonly number[]): number =>
        p[0] * (q[1] * r[2] - q[2] * r[1]) - p[1] * (q[0] * r[2] - q[2] * r[0]) + p[2] * (q[0] * r[1] - q[1] * r[0]);
      const m = d.map((x) => -x);
      const whole = det(m, e, f);
      const distance = det(g, e, f) / whole;
      const u = det(m, g, f) / whole;
      const v = det(m, e, g) / whole;
      if (u >= 0 && v >= 0 && u + v <= 1 && distance >= 0) best = Math.min(best, distance);
    }
    return best;
  }

  test('random rays from both sides meet the nearest triangle, with its normal against them', () => {
    let hits = 0;
    for (let i = 0; i < 150; i++) {
      const o: Vector = [20 * (random() - 0.5), random() < 0.5 ? 4 : -4, 20 * (random() - 0.5)];
      const d = unit(random);
      const expected = brute(o, d);
      const found = castRay(context, toWorld(o), turn(rotation, d), 1000, hit);
      expect(found).toBe(expected < 1000);
      if (!found) continue;
      hits++;
      expect(hit.distance).toBeCloseTo(expected, 9);
      const n = turn(rotation, [...hit.normal], true);
      expect(n[0] * d[0] + n[1] * d[1] + n[2] * d[2]).toBeLessThan(0);
    }
    expect(hits).toBeGreaterThan(40);
  });

  test('no ray slips through a seam or a corner', () => {
    for (let i = 1; i < N - 1; i++) {
      for (let j = 1; j < N - 1; j++) {
        const p = vertices.slice(3 * (i * N + j), 3 * (i * N + j) + 3);
        const q = vertices.slice(3 * (i * N + j + 1), 3 * (i * N + j + 1) + 3);
        for (const [x, z] of [
          [p[0], p[2]],
          [p[0], 0.3 * p[2] + 0.7 * q[2]],
        ]) {
          expect(castRay(context, toWorld([x, 5, z]), turn(rotation, [0, -1, 0]), 10, hit)).toBe(true);
        }
      }
    }
  });

  test('balls and boxes overlap the surface, not the space beside it', () => {
    const out: number[] = [];
    for (let i = 0; i < 100; i++) {
      const t = Math.floor(random() * (triangles.length / 3));
      const weights = [random(), random(), random()];
      const sum = weights[0] + weights[1] + weights[2];
      const p = [0, 1, 2].map(
        (k) =>
          corner(t, 0)[k] * (weights[0] / sum) +
          corner(t, 1)[k] * (weights[1] / sum) +
          corner(t, 2)[k] * (weights[2] / sum),
      );
      const on = toWorld(p);
      expect(overlapSphere(context, on, 1e-9, out)).toBe(1);
      const half = 0.2 * random();
      expect(
        overlapBox(
          context,
          on.map((c) => c - half),
          on.map((c) => c + half),
          out,
        ),
      ).toBe(1);
      // Straight up in the mesh's frame, the distance is between the way gone over the steepest slope and the way.
      const up = toWorld([p[0], p[1] + 3, p[2]]);
      expect(overlapSphere(context, up, 3, out)).toBe(1);
      expect(overlapSphere(context, toWorld([p[0], 1 + half + 1e-6, p[2]]), half, out)).toBe(0);
      expect(overlapPoint(context, up, out)).toBe(0);
      const above = toWorld([p[0], 3, p[2]]);
      expect(
        overlapBox(
          context,
          above.map((c) => c - 1),
          above.map((c) => c + 1),
          out,
        ),
      ).toBe(0);
    }
  });
});

describe('many colliders', () => {
  const RADIUS = 0.4;
  /** Spheres at random places; returns their centres by collider. */
  function makeSpheres(world: World, n: number, random: () => number): Vector[] {
    const shape = addShape(world, L.SHAPE_SPHERE, [RADIUS]);
    return Array.from({ length: n }, () => {
      const position: Vector = [20 * random(), 20 * random(), 20 * random()];
      addObject(world, shape, { position });
      return position;
    });
  }
  /** Distance at which a ray (unit direction) meets a sphere, infinite for none. */
  function meet(o: Vector, d: Vector, c: Vector): number {
    const m = [c[0] - o[0], c[1] - o[1], c[2] - o[2]];
    const along = m[0] * d[0] + m[1] * d[1] + m[2] * d[2];
    const rest = RADIUS ** 2 - (m[0] ** 2 + m[1] ** 2 + m[2] ** 2 - along ** 2);
    if (rest < 0 || along + Math.sqrt(rest) < 0) return Number.POSITIVE_INFINITY;
    return Math.max(0, along - Math.sqrt(rest));
  }

  test.each([
    ['where the last step left them', 0],
    ['after a few were teleported', 20],
    ['after nearly all were teleported', 390],
  ])('rays and overlaps equal brute force %s', (_, moved) => {
    const random = makeRandom(8);
    const world = makeWorld();
    const centers = makeSpheres(world, 400, random);
    step(world);
    for (let i = 0; i < moved; i++) {
      centers[i] = [20 * random(), 20 * random(), 20 * random()];
      world.tables.bodies.position.set(centers[i], i * 4);
    }
    const context = contextOf(world);
    const hits = [createRayHit()];
    for (let ray = 0; ray < 60; ray++) {
      const o: Vector = [20 * random(), 20 * random(), 20 * random()];
      const d = unit(random);
      const all = centers.map((c, i) => ({ i, t: meet(o, d, c) })).filter((x) => x.t <= 15);
      all.sort((x, y) => x.t - y.t || x.i - y.i);
      expect(castRay(context, o, d, 15, hit)).toBe(all.length > 0);
      if (all.length > 0) expect(hit.distance).toBeCloseTo(all[0].t, 9);
      if (all.length > 0) expect(hit.collider).toBe(all[0].i);
      const n = castRayAll(context, o, d, 15, hits);
      expect(hits.slice(0, n).map((h) => h.collider)).toEqual(all.map((x) => x.i));
      const out: number[] = [];
      const near = centers.flatMap((c, i) =>
        (c[0] - o[0]) ** 2 + (c[1] - o[1]) ** 2 + (c[2] - o[2]) ** 2 <= (3 + RADIUS) ** 2 ? [i] : [],
      );
      expect(overlapSphere(context, o, 3, out)).toBe(near.length);
      expect(out.slice(0, near.length).sort((x, y) => x - y)).toEqual(near);
    }
  });

  test('a long row is reported whole, sorted, over several pages, and reuses the hits', () => {
    const world = makeWorld();
    const shape = addShape(world, L.SHAPE_SPHERE, [RADIUS]);
    for (let i = 0; i < 700; i++) addObject(world, shape, { position: [700 - i, 0, 0] });
    step(world);
    const context = contextOf(world);
    const hits = [createRayHit()];
    const kept = hits[0];
    expect(castRayAll(context, [-1, 0, 0], [1, 0, 0], 1e6, hits)).toBe(700);
    expect(hits.map((h) => h.collider)).toEqual(Array.from({ length: 700 }, (_, i) => 699 - i));
    expect(hits).toContain(kept);
    const out: number[] = [];
    expect(overlapBox(context, [-1, -1, -1], [1e6, 1, 1], out)).toBe(700);
    expect(new Set(out).size).toBe(700);
  });

  test('filters: mask, sensors and the asking body', () => {
    const world = makeWorld();
    const shape = addShape(world, L.SHAPE_SPHERE, [0.5]);
    const ghost = addObject(world, shape, { position: [2, 0, 0], sensor: true });
    const near = addObject(world, shape, { position: [4, 0, 0], layers: 2 });
    const far = addObject(world, shape, { position: [6, 0, 0], layers: 0x8000 });
    step(world);
    const context = contextOf(world);
    const first = (filter?: Parameters<typeof castRay>[5]): number => {
      castRay(context, [0, 0, 0], [1, 0, 0], 100, hit, filter);
      return hit.collider;
    };
    expect(first()).toBe(near);
    expect(first({ sensors: true })).toBe(ghost);
    expect(first({ mask: 0x8000 })).toBe(far);
    expect(first({ ignoreBody: world.tables.colliders.body[near] })).toBe(far);
    expect(first({ mask: 4 })).toBe(-1);
  });

  test('a removed collider is not found, a new one is found before its first step', () => {
    const world = makeWorld();
    const shape = addShape(world, L.SHAPE_SPHERE, [0.5]);
    const old = addObject(world, shape, { position: [3, 0, 0] });
    step(world);
    const context = contextOf(world);
    expect(castRay(context, [0, 0, 0], [1, 0, 0], 100, hit)).toBe(true);
    removeObject(world, old);
    context.stale = true;
    expect(castRay(context, [0, 0, 0], [1, 0, 0], 100, hit)).toBe(false);
    const fresh = addObject(world, shape, { position: [5, 0, 0] });
    context.stale = true;
    expect(castRay(context, [0, 0, 0], [1, 0, 0], 100, hit)).toBe(true);
    expect(hit.collider).toBe(fresh);
  });

  test('asking changes nothing of the world', () => {
    const random = makeRandom(2);
    const world = makeWorld();
    makeSpheres(world, 100, random);
    step(world);
    world.tables.bodies.position[0] += 5;
    const before = copyArena(world.arena).slice(L.ARENA_BASE - L.HEADER);
    const context = contextOf(world);
    for (let i = 0; i < 20; i++) castRayAll(context, [0, i, 0], [1, 0, 1], 100, []);
    overlapBox(context, [0, 0, 0], [20, 20, 20], []);
    // As buffers: compared as a list, tens of megabytes take seconds.
    const after = copyArena(world.arena).slice(L.ARENA_BASE - L.HEADER);
    expect(Buffer.from(after).equals(Buffer.from(before))).toBe(true);
    expect(count(world, L.MOVED_COUNT)).toBe(0);
  });
});

test('an empty world answers nothing, and bad questions are refused with what was wrong', () => {
  const context = contextOf(makeWorld());
  expect(castRay(context, [0, 0, 0], [0, -1, 0], 10, hit)).toBe(false);
  expect(castRayAll(context, [0, 0, 0], [0, -1, 0], Number.POSITIVE_INFINITY, [])).toBe(0);
  expect(overlapPoint(context, [0, 0, 0], [])).toBe(0);
  expect(() => castRay(context, [0, 0, 0], [0, 0, 0], 10, hit)).toThrow(
    'castRay: direction must have a length of 1e-150..1e150, got [0, 0, 0]',
  );
  expect(() => castRay(context, [0, Number.NaN, 0], [0, 0, 1], 10, hit)).toThrow(
    'castRay: origin[1] must be a finite number [m], got NaN',
  );
  expect(() => castRay(context, [0, 0, 0], [0, 0, 1], -1, hit)).toThrow(
    'castRay: maxDistance must be >= 0 [m], got -1',
  );
  expect(() => overlapSphere(context, [0, 0, 0], -2, [])).toThrow('overlapSphere: radius must be >= 0 [m], got -2');
  expect(() => overlapBox(context, [0, 3, 0], [1, 2, 1], [])).toThrow('overlapBox: max[1] must be >= 3 [m], got 2');
});
