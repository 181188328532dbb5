import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../src/core/random';
import { buildHull, type Hull } from '../../src/geometry/hull-build';
import { measureHull } from '../../src/geometry/mass-properties';
import { bySuite, longTest } from '../setup/suite';
import {
  boxCorners,
  collideBoxes,
  collideHulls,
  createScene,
  IDENTITY,
  type Manifold,
  multiply,
  type Quaternion,
  rotate,
  segmentDistance,
  turn,
  type Vector,
} from './manifold-scene';

const CUBE: Vector = [0.5, 0.5, 0.5];

function randomRotation(random: Random): Quaternion {
  const v = [0, 0, 0, 0].map(() => random() + random() + random() - 1.5);
  const length = Math.hypot(...v);
  return v.map((x) => x / length) as Quaternion;
}

/** Points moved so that the centre of mass of their hull is the origin. */
function centered(points: number[][]): Vector[] {
  const { center } = measureHull(buildHull(points));
  return points.map((p) => p.map((x, k) => x - center[k]) as Vector);
}

/** A random polyhedron with about `count` corners on a stretched sphere. */
function randomPoints(random: Random, count: number): Vector[] {
  const stretch = [0, 0, 0].map(() => 0.3 + 0.7 * random());
  return centered(
    Array.from({ length: count }, () => rotate(randomRotation(random), [1, 0, 0]).map((x, k) => x * stretch[k])),
  );
}

interface Placed {
  hull: Hull;
  vertices: Vector[];
  /** World planes: normal and offset. */
  planes: number[][];
}

function placeHull(points: Vector[], position: Vector, rotation: Quaternion): Placed {
  const hull = buildHull(points);
  const vertices = hull.vertices.map((v) => rotate(rotation, v).map((x, k) => x + position[k]) as Vector);
  const planes = hull.planes.map((p) => {
    const n = rotate(rotation, p.slice(0, 3));
    return [...n, p[3] + n[0] * position[0] + n[1] * position[1] + n[2] * position[2]];
  });
  return { hull, vertices, planes };
}

const dot = (u: ArrayLike<number>, v: ArrayLike<number>) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];

/** How far a point lies outside a hull, by its planes (a lower bound that is exact near faces). */
function outside(p: ArrayLike<number>, placed: Placed): number {
  return Math.max(...placed.planes.map((plane) => dot(plane, p) - plane[3]));
}

/** Largest separation over all face normals and edge pairs, without any pruning. */
function bestSeparation(a: Placed, b: Placed): number {
  const along = (n: ArrayLike<number>) =>
    Math.min(...b.vertices.map((v) => dot(n, v))) - Math.max(...a.vertices.map((v) => dot(n, v)));
  let best = Math.max(...a.planes.map(along), ...b.planes.map((p) => along([-p[0], -p[1], -p[2]])));
  const directions = (x: Placed) => x.hull.edges.map(([i, j]) => x.vertices[j].map((c, k) => c - x.vertices[i][k]));
  for (const u of directions(a)) {
    for (const v of directions(b)) {
      const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      const length = Math.hypot(...n);
      if (length < 1e-3 * Math.hypot(...u) * Math.hypot(...v)) continue;
      for (const sign of [1, -1]) best = Math.max(best, along(n.map((x) => (sign * x) / length)));
    }
  }
  return best;
}

/** Distance of two separated hulls: edges against edges, corners against faces. */
function distanceOf(a: Placed, b: Placed): number {
  let best = Number.POSITIVE_INFINITY;
  for (const [i, j] of a.hull.edges) {
    for (const [k, l] of b.hull.edges) {
      best = Math.min(best, segmentDistance(a.vertices[i], a.vertices[j], b.vertices[k], b.vertices[l]));
    }
  }
  const cornersOver = (corners: Vector[], other: Placed) => {
    for (const p of corners) {
      other.hull.faces.forEach((face, f) => {
        const n = other.planes[f];
        const height = dot(n, p) - n[3];
        if (height < 0 || height > best) return;
        const over = face.every((v, k) => {
          const from = other.vertices[v];
          const to = other.vertices[face[(k + 1) % face.length]];
          const e = to.map((x, c) => x - from[c]);
          const side = [e[1] * n[2] - e[2] * n[1], e[2] * n[0] - e[0] * n[2], e[0] * n[1] - e[1] * n[0]];
          return side.reduce((sum, x, c) => sum + x * (p[c] - from[c]), 0) <= 0;
        });
        if (over) best = height;
      });
    }
  };
  cornersOver(a.vertices, b);
  cornersOver(b.vertices, a);
  return best;
}

function expectConsistent(m: Manifold, a: Placed, b: Placed): void {
  expect(Math.hypot(...m.normal)).toBeCloseTo(1, 12);
  for (const { position, gap } of m.points) {
    const end = (side: number) => position.map((x, k) => x + side * 0.5 * gap * m.normal[k]);
    expect(outside(end(-1), a)).toBeLessThan(1e-9);
    expect(outside(end(1), b)).toBeLessThan(1e-9);
  }
}

const leastGap = (m: Manifold) => Math.min(...m.points.map((p) => p.gap));

function sorted(m: Manifold): string[] {
  return m.points.map((p) => p.position.map((x) => (Math.round(x * 1e10) / 1e10 + 0).toFixed(9)).join(' ')).sort();
}

test('a box built as a hull has the contacts of the box', () => {
  const cases: [Vector, Quaternion][] = [
    [[0, 1, 0], IDENTITY],
    [[0.3, 1.001, 0.2], turn([0, 1, 0], 0.4)],
    [[0.2, 1.14, 0.1], turn([0, 0, 1], 0.3)],
    [[1.004, 1.003, 0.2], IDENTITY],
    [[1.003, 1.004, 1.012], IDENTITY],
    [[0.9, 0.9, 0.3], turn([0.6, 0, 0.8], 0.5)],
    [[0.1, 0.6, -0.2], IDENTITY],
  ];
  for (const [position, rotation] of cases) {
    const box = collideBoxes(CUBE, [0, 0, 0], IDENTITY, CUBE, position, rotation);
    const hull = collideHulls(boxCorners(CUBE), [0, 0, 0], IDENTITY, boxCorners(CUBE), position, rotation);
    expect(hull.points.length).toBe(box.points.length);
    expect(sorted(hull)).toEqual(sorted(box));
    for (let k = 0; k < 3; k++) expect(hull.normal[k]).toBeCloseTo(box.normal[k], 12);
    expect(leastGap(hull)).toBeCloseTo(leastGap(box), 13);
  }
});

test('a box against a hull of the same box has the contacts of two boxes', () => {
  const scene = createScene();
  const rotation = turn([0, 1, 0], 0.4);
  scene.pairUp(scene.addBox(CUBE, [0, 0, 0]), scene.addHull(boxCorners(CUBE), [0.3, 1.001, 0.2], rotation));
  const mixed = scene.collide();
  const boxes = collideBoxes(CUBE, [0, 0, 0], IDENTITY, CUBE, [0.3, 1.001, 0.2], rotation);
  expect(sorted(mixed)).toEqual(sorted(boxes));
});

test('neighbouring blocks of an arch touch at the four corners of their common face', () => {
  // Wedges between the radii 0.95 and 1.05, each a fifteenth of a half turn, 0.5 deep.
  const step = Math.PI / 15;
  const corner = (radius: number, angle: number, z: number): Vector => [
    radius * Math.cos(angle),
    radius * Math.sin(angle),
    z,
  ];
  for (let i = 0; i + 1 < 15; i++) {
    const blocks = [i, i + 1].map((k) => {
      const points = [k, k + 1].flatMap((s) =>
        [0.95, 1.05].flatMap((r) => [-0.25, 0.25].map((z) => corner(r, s * step, z))),
      );
      const center = measureHull(buildHull(points)).center as Vector;
      return { center, points: points.map((p) => p.map((x, c) => x - center[c]) as Vector) };
    });
    const m = collideHulls(blocks[0].points, blocks[0].center, IDENTITY, blocks[1].points, blocks[1].center, IDENTITY);
    expect(m.points).toHaveLength(4);
    const angle = (i + 1) * step;
    const expected = [0.95, 1.05].flatMap((r) => [-0.25, 0.25].map((z) => corner(r, angle, z)));
    for (const place of expected) {
      const off = Math.min(...m.points.map((p) => Math.hypot(...p.position.map((x, k) => x - place[k]))));
      expect(off).toBeLessThan(1e-13);
    }
    for (const p of m.points) expect(Math.abs(p.gap)).toBeLessThan(1e-15);
    expect(m.normal[0]).toBeCloseTo(-Math.sin(angle), 13);
    expect(m.normal[1]).toBeCloseTo(Math.cos(angle), 13);
  }
});

longTest('blocks that are off by rounding, or by a creep of nanometres, lose none of their four corners', () => {
  const random = createRandom(7);
  const spread = () => 2 * random() - 1;
  for (let round = 0; round < 150; round++) {
    const angle = Math.PI * random();
    const along = turn([0, 0, 1], angle);
    // The common face lies 5 m from the origin, where coordinates are rounded by 1e-15.
    const block = centered([-0.5, 0.5].flatMap((z) => [-0.375, 0.375].flatMap((x) => [0, 0.03].map((y) => [x, y, z]))));
    const size = 10 ** (-16 + (round < 80 ? 3 : 9) * random());
    const place = rotate(along, [5, 0, 0]);
    const next = rotate(along, [5, 0.03, 0]).map((x) => x + size * spread()) as Vector;
    const bent = multiply(turn([0, 0, 1], size * spread()), multiply(turn([0, 1, 0], size * spread()), along));
    const m = collideHulls(block, place, along, block, next, bent);
    expect(m.points, `off by ${size}`).toHaveLength(4);
    const corners = [-0.5, 0.5].flatMap((z) => [-0.375, 0.375].map((x) => rotate(along, [5 + x, 0.015, z])));
    for (const corner of corners) {
      const off = Math.min(...m.points.map((p) => Math.hypot(...p.position.map((x, k) => x - corner[k]))));
      expect(off, `off by ${size}`).toBeLessThan(1e-6);
    }
  }
});

test('the edge of a wedge on a face touches with both ends', () => {
  const wedge = centered([
    [0, 0, -0.5],
    [0, 0, 0.5],
    [-0.4, 1, -0.5],
    [-0.4, 1, 0.5],
    [0.4, 1, -0.5],
    [0.4, 1, 0.5],
  ]);
  const lowest = Math.min(...wedge.map((p) => p[1]));
  const scene = createScene();
  scene.pairUp(scene.addBox([5, 0.5, 5], [0, -0.5, 0]), scene.addHull(wedge, [0.2, -lowest + 0.003, 0.1]));
  const m = scene.collide();
  expect(m.normal).toEqual([0, 1, 0]);
  expect(
    m.points
      .map((p) => p.position[2])
      .sort((a, b) => a - b)
      .map((z) => z.toFixed(12)),
  ).toEqual(['-0.400000000000', '0.600000000000']);
  for (const p of m.points) expect(p.gap).toBeCloseTo(0.003, 13);
});

test('random near hulls: points lie on both surfaces and the nearest gap is the true distance', () => {
  const random = createRandom(3);
  let near = 0;
  for (let trial = 0; trial < bySuite(5, 30); trial++) {
    const pa = randomPoints(random, 6 + Math.floor(9 * random()));
    const pb = randomPoints(random, 6 + Math.floor(9 * random()));
    const [qa, qb] = [randomRotation(random), randomRotation(random)];
    const direction = rotate(randomRotation(random), [1, 0, 0]);
    const at = (t: number) => direction.map((x) => x * t) as Vector;
    const a = placeHull(pa, [0, 0, 0], qa);
    const wanted = 0.02 * random();
    let [low, high] = [0, 5];
    for (let i = 0; i < 22; i++) {
      const middle = (low + high) / 2;
      if (bestSeparation(a, placeHull(pb, at(middle), qb)) < wanted) low = middle;
      else high = middle;
    }
    const b = placeHull(pb, at(high), qb);
    const distance = distanceOf(a, b);
    const m = collideHulls(pa, [0, 0, 0], qa, pb, at(high), qb);
    if (m.points.length === 0) {
      // Beyond the contact distance of the smaller hull (a tenth of its radius).
      expect(distance).toBeGreaterThan(0.1 * 0.3);
      continue;
    }
    near++;
    const slack = 0.02;
    expect(leastGap(m)).toBeGreaterThan(distance - 1e-9);
    expect(leastGap(m)).toBeLessThan(distance + slack);
    expectConsistent(m, a, b);
  }
  expect(near).toBeGreaterThan(bySuite(3, 15));
});

test('random overlapping hulls: the depth is that of the best axis, found without pruning', () => {
  const random = createRandom(4);
  for (let trial = 0; trial < bySuite(20, 80); trial++) {
    const pa = randomPoints(random, 6 + Math.floor(9 * random()));
    const pb = randomPoints(random, 6 + Math.floor(9 * random()));
    const [qa, qb] = [randomRotation(random), randomRotation(random)];
    const position = [0, 0, 0].map(() => 1.2 * random() - 0.6) as Vector;
    const a = placeHull(pa, [0, 0, 0], qa);
    const b = placeHull(pb, position, qb);
    const best = bestSeparation(a, b);
    if (best > -1e-4) continue;
    const m = collideHulls(pa, [0, 0, 0], qa, pb, position, qb);
    expect(m.points.length).toBeGreaterThan(0);
    expect(leastGap(m)).toBeLessThan(best + 0.02);
    expect(leastGap(m)).toBeGreaterThan(best * 1.06 - 0.003);
    expectConsistent(m, a, b);
  }
});

test('swapping two hulls or moving both keeps the contact', () => {
  const random = createRandom(6);
  for (let trial = 0; trial < bySuite(8, 20); trial++) {
    const [pa, pb] = [randomPoints(random, 12), randomPoints(random, 10)];
    const [qa, qb] = [randomRotation(random), randomRotation(random)];
    const position = rotate(randomRotation(random), [0.7, 0, 0]);
    const ab = collideHulls(pa, [0, 0, 0], qa, pb, position, qb);
    const ba = collideHulls(pb, position, qb, pa, [0, 0, 0], qa);
    expect(ba.points.length).toBe(ab.points.length);
    if (ab.points.length === 0) continue;
    expect(leastGap(ba)).toBeCloseTo(leastGap(ab), 12);
    for (let k = 0; k < 3; k++) expect(ba.normal[k]).toBeCloseTo(-ab.normal[k], 12);
    const q = randomRotation(random);
    const moved = collideHulls(pa, [0, 0, 0], multiply(q, qa), pb, rotate(q, position), multiply(q, qb));
    expect(leastGap(moved)).toBeCloseTo(leastGap(ab), 12);
    for (let k = 0; k < 3; k++) expect(moved.normal[k]).toBeCloseTo(rotate(q, ab.normal)[k], 11);
  }
});

test('a prism of 128 corners a side rests on a box with four points on its rim', () => {
  const rim = Array.from({ length: 128 }, (_, k) => (k / 128) * 2 * Math.PI);
  const prism = [-0.5, 0.5].flatMap((y) => rim.map((t): Vector => [Math.cos(t), y, Math.sin(t)]));
  const scene = createScene();
  scene.pairUp(scene.addBox([5, 0.5, 5], [0, -0.5, 0]), scene.addHull(prism, [0, 0.5, 0]));
  const m = scene.collide();
  expect(m.points).toHaveLength(4);
  for (const p of m.points) {
    expect(Math.hypot(p.position[0], p.position[2])).toBeCloseTo(1, 9);
    expect(Math.abs(p.gap)).toBeLessThan(1e-14);
  }
});

test('a pyramid over 200 corners rests on a box with four points near its rim', () => {
  const rim = Array.from({ length: 200 }, (_, k) => (k / 200) * 2 * Math.PI);
  const points = centered([...rim.map((t) => [Math.cos(t), 0, Math.sin(t)]), [0, 1, 0]]);
  const scene = createScene();
  scene.pairUp(scene.addBox([5, 0.5, 5], [0, -0.5, 0]), scene.addHull(points, [0, 0.25, 0]));
  const m = scene.collide();
  expect(m.points).toHaveLength(4);
  for (const p of m.points) {
    expect(Math.hypot(p.position[0], p.position[2])).toBeCloseTo(1, 9);
    expect(Math.abs(p.gap)).toBeLessThan(1e-12);
  }
});
