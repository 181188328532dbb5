import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../src/core/random';
import { bySuite } from '../setup/suite';
import {
  bestSeparation,
  boxBoxDistance,
  boxCorners,
  collideBoxes,
  createScene,
  expectConsistent,
  IDENTITY,
  multiply,
  type Quaternion,
  rotate,
  turn,
  type Vector,
} from './manifold-scene';

const CUBE: Vector = [0.5, 0.5, 0.5];
const DEGREE = Math.PI / 180;

/** Contact positions in a fixed order, rounded to `digits`. */
function sorted(points: { position: Vector }[], digits = 12): string[] {
  return points
    .map((p) => p.position.map((x) => (x + 0).toFixed(digits).replace(/^-(0\.?0*)$/, '$1')).join(' '))
    .sort();
}

/** The same list for expected positions. */
function places(...positions: Vector[]): string[] {
  return sorted(positions.map((position) => ({ position })));
}

test('a cube resting exactly on a cube touches at its four corners with no gap', () => {
  const m = collideBoxes(CUBE, [0, 0, 0], IDENTITY, CUBE, [0, 1, 0], IDENTITY);
  expect(m.normal).toEqual([0, 1, 0]);
  expect(sorted(m.points)).toEqual(places([-0.5, 0.5, -0.5], [0.5, 0.5, -0.5], [0.5, 0.5, 0.5], [-0.5, 0.5, 0.5]));
  for (const p of m.points) expect(p.gap).toBe(0);
});

test('the common part of two shifted faces is found, corners half way between the surfaces', () => {
  const m = collideBoxes(CUBE, [0, 0, 0], IDENTITY, CUBE, [0.3, 0.999, 0.2], IDENTITY);
  expect(sorted(m.points)).toEqual(
    places([-0.2, 0.4995, -0.3], [0.5, 0.4995, -0.3], [0.5, 0.4995, 0.5], [-0.2, 0.4995, 0.5]),
  );
  for (const p of m.points) expect(p.gap).toBeCloseTo(-0.001, 14);
});

test('a face turned by 45° leaves four corners of the octagon, a quarter turn apart, of full area', () => {
  const m = collideBoxes(CUBE, [0, 0, 0], IDENTITY, CUBE, [0, 1, 0], turn([0, 1, 0], 45 * DEGREE));
  expect(m.points).toHaveLength(4);
  const radius = Math.sqrt(0.25 + (Math.SQRT1_2 - 0.5) ** 2);
  const sum = [0, 0];
  for (const { position } of m.points) {
    expect(Math.hypot(position[0], position[2])).toBeCloseTo(radius, 12);
    sum[0] += position[0];
    sum[1] += position[2];
  }
  expect(Math.hypot(sum[0], sum[1])).toBeLessThan(1e-12);
});

test('a corner over a face gives one point at the corner', () => {
  // The diagonal of the cube stands upright.
  const upright = multiply(turn([1, 0, 0], -Math.atan(Math.SQRT1_2)), turn([0, 0, 1], 45 * DEGREE));
  const reach = Math.sqrt(0.75);
  const lowest = boxCorners(CUBE)
    .map((v) => rotate(upright, v))
    .sort((a, b) => a[1] - b[1])[0];
  expect(lowest[1]).toBeCloseTo(-reach, 12);
  const m = collideBoxes([5, 0.5, 5], [0, -0.5, 0], IDENTITY, CUBE, [0.3, reach + 0.01, 0.2], upright);
  expect(m.normal).toEqual([0, 1, 0]);
  expect(m.points).toHaveLength(1);
  expect(m.points[0].gap).toBeCloseTo(0.01, 13);
  expect(sorted(m.points)).toEqual(places([0.3 + lowest[0], 0.005, 0.2 + lowest[2]]));
});

test('crossed edges give one point at the crossing, near or overlapping', () => {
  for (const gap of [0.01, 1e-9, 0, -0.004]) {
    const height = 2 * Math.SQRT1_2 + gap;
    const m = collideBoxes(
      CUBE,
      [0, 0, 0],
      turn([0, 0, 1], 45 * DEGREE),
      CUBE,
      [0.1, height, 0.2],
      turn([1, 0, 0], 45 * DEGREE),
    );
    expect(m.points).toHaveLength(1);
    expect(m.points[0].gap).toBeCloseTo(gap, 13);
    expect(m.normal[1]).toBeCloseTo(1, 14);
    expect(sorted(m.points)).toEqual(places([0, Math.SQRT1_2 + gap / 2, 0.2]));
  }
});

test('a leaning card touches the floor with both ends of its edge', () => {
  const half: Vector = [0.05, 1, 0.6];
  for (const angle of [20, 45, 70]) {
    const c = Math.cos(angle * DEGREE);
    const s = Math.sin(angle * DEGREE);
    const m = collideBoxes(
      [100, 1, 100],
      [0, -1, 0],
      IDENTITY,
      half,
      [0, c + 0.05 * s, 0],
      turn([0, 0, 1], angle * DEGREE),
    );
    const touching = m.points.filter((p) => p.gap < 1e-12);
    const x = s - 0.05 * c;
    expect(m.normal).toEqual([0, 1, 0]);
    expect(sorted(touching)).toEqual(places([x, 0, -0.6], [x, 0, 0.6]));
  }
});

test('two cards that lean on each other meet along their edges with the middle normal, however they wobble', () => {
  const half: Vector = [0.05, 1, 0.6];
  const reach = Math.sin(20 * DEGREE) + 0.05 * Math.cos(20 * DEGREE);
  for (const gap of [-1e-6, -1e-16, 0, 1e-16, 1e-9, 1e-4]) {
    for (const up of [-1e-5, -1e-16, 0, 1e-5]) {
      const m = collideBoxes(
        half,
        [-reach - gap, 0, 0],
        turn([0, 0, 1], -20 * DEGREE),
        half,
        [reach, up, 0.1],
        turn([0, 0, 1], 20 * DEGREE),
      );
      expect(m.points).toHaveLength(2);
      expect(m.normal[0]).toBeCloseTo(1, 12);
      const ends = m.points.map((p) => p.position[2]).sort((a, b) => a - b);
      expect(ends[0]).toBeCloseTo(-0.5, 12);
      expect(ends[1]).toBeCloseTo(0.6, 12);
      for (const p of m.points) expect(p.gap).toBeCloseTo(gap, 13);
    }
  }
});

test('separated boxes get the true separating direction: edges that pass, and corners', () => {
  const edges = collideBoxes(CUBE, [0, 0, 0], IDENTITY, CUBE, [1.004, 1.003, 0.2], IDENTITY);
  expect(edges.normal.map((x) => x.toFixed(10))).toEqual(['0.8000000000', '0.6000000000', '0.0000000000']);
  expect(edges.points).toHaveLength(2);
  for (const p of edges.points) expect(p.gap).toBeCloseTo(0.005, 12);
  const corner = collideBoxes(CUBE, [0, 0, 0], IDENTITY, CUBE, [1.003, 1.004, 1.012], IDENTITY);
  expect(corner.points).toHaveLength(1);
  expect(corner.points[0].gap).toBeCloseTo(0.013, 12);
  expect(corner.normal[2]).toBeCloseTo(12 / 13, 12);
});

test('edges of the same length side by side have two points, whichever axis they lie along', () => {
  for (let axis = 0; axis < 3; axis++) {
    const gap: Vector = [1.004, 1.004, 1.004];
    gap[axis] = 0;
    for (const tilt of [0, 45 * DEGREE]) {
      const rotation = turn([0, 0, 1], tilt);
      const m = collideBoxes(CUBE, [0, 0, 0], rotation, CUBE, rotate(rotation, gap), rotation);
      expect(m.points).toHaveLength(2);
      for (const p of m.points) expect(p.gap).toBeCloseTo(0.004 * Math.SQRT2, 12);
    }
  }
});

test('boxes beyond the contact distance have no points', () => {
  expect(collideBoxes(CUBE, [0, 0, 0], IDENTITY, CUBE, [0, 1.021, 0], IDENTITY).points).toHaveLength(0);
  // Each axis shows less than 2 cm, the corners are 2.6 cm apart.
  expect(collideBoxes(CUBE, [0, 0, 0], IDENTITY, CUBE, [1.015, 1.015, 1.015], IDENTITY).points).toHaveLength(0);
});

test('sizes from 1 cm to 100 m, far from the origin, keep all corners', () => {
  for (const size of [0.01, 1, 100]) {
    const half: Vector = [size / 2, size / 2, size / 2];
    for (const gap of [-1e-16, 0, 1e-16]) {
      const m = collideBoxes(half, [0, 0, 0], IDENTITY, half, [0, size * (1 + gap), 0], IDENTITY);
      expect(m.points).toHaveLength(4);
      for (const p of m.points) {
        expect(Math.abs(p.gap)).toBeLessThan(1e-12 * size);
        expect(Math.abs(Math.abs(p.position[0]) - size / 2)).toBeLessThan(1e-12 * size);
      }
    }
  }
  const floor: Vector = [100, 1, 100];
  const m = collideBoxes(
    floor,
    [500, -1, -300],
    IDENTITY,
    [0.005, 0.005, 0.005],
    [530, 0.005, -290],
    turn([0, 1, 0], 0.3),
  );
  expect(m.points).toHaveLength(4);
  for (const p of m.points) expect(Math.abs(p.gap)).toBeLessThan(1e-15);
});

test('deep overlap separates along the shallowest face', () => {
  const m = collideBoxes(CUBE, [0, 0, 0], IDENTITY, CUBE, [0.1, 0.6, -0.2], IDENTITY);
  expect(m.normal).toEqual([0, 1, 0]);
  expect(m.points).toHaveLength(4);
  for (const p of m.points) expect(p.gap).toBeCloseTo(-0.4, 13);
  const inside = collideBoxes([2, 2, 2], [0, 0, 0], IDENTITY, [0.1, 0.1, 0.1], [0.5, 0.2, 1.7], IDENTITY);
  expect(inside.normal[2]).toBeCloseTo(1, 14);
  expect(Math.min(...inside.points.map((p) => p.gap))).toBeCloseTo(-0.4, 13);
  const same = collideBoxes(CUBE, [0, 0, 0], IDENTITY, CUBE, [0, 0, 0], IDENTITY);
  expect(same.points.length).toBeGreaterThan(0);
  for (const p of same.points) expect(p.gap).toBeCloseTo(-1, 13);
});

test('swapping the boxes negates the normal and keeps points and gaps', () => {
  const random = createRandom(5);
  const cases: [Vector, Quaternion][] = [
    [[0.3, 1.001, 0.2], turn([0, 1, 0], 0.4)],
    [[0.2, 1.14, 0.1], turn([0, 0, 1], 0.3)],
    [[0.9, 0.9, 0.3], turn([0.6, 0, 0.8], 0.5)],
  ];
  for (const [position, rotation] of cases) {
    const ab = collideBoxes(CUBE, [0, 0, 0], IDENTITY, CUBE, position, rotation);
    const ba = collideBoxes(CUBE, position, rotation, CUBE, [0, 0, 0], IDENTITY);
    expect(ab.points.length).toBe(ba.points.length);
    for (let k = 0; k < 3; k++) expect(ab.normal[k]).toBeCloseTo(-ba.normal[k], 12);
    expect(sorted(ab.points, 9)).toEqual(sorted(ba.points, 9));
    // Moving both bodies rigidly moves the contacts with them.
    const q = randomRotation(random);
    const shift: Vector = [3, -7, 11];
    const move = (v: Vector) => rotate(q, v).map((x, k) => x + shift[k]) as Vector;
    const moved = collideBoxes(CUBE, move([0, 0, 0]), q, CUBE, move(position), multiply(q, rotation));
    expect(sorted(moved.points, 9)).toEqual(
      sorted(
        ab.points.map((p) => ({ position: move(p.position) })),
        9,
      ),
    );
    for (let k = 0; k < 3; k++) expect(moved.normal[k]).toBeCloseTo(rotate(q, ab.normal)[k], 12);
  }
});

function randomRotation(random: Random): Quaternion {
  const v = [0, 0, 0, 0].map(() => random() + random() + random() - 1.5);
  const length = Math.hypot(...v);
  return v.map((x) => x / length) as Quaternion;
}

test('random near boxes: points lie on both surfaces and the nearest gap is the true distance', () => {
  const random = createRandom(1);
  let near = 0;
  for (let trial = 0; trial < bySuite(80, 700); trial++) {
    const halfA = [0, 0, 0].map(() => 0.1 + random()) as Vector;
    const halfB = [0, 0, 0].map(() => 0.1 + random()) as Vector;
    const [qa, qb] = [randomRotation(random), randomRotation(random)];
    const direction = rotate(randomRotation(random), [1, 0, 0]);
    // Moved along a random direction to a gap of up to 3 cm, found by bisection.
    const at = (t: number) => direction.map((x) => x * t) as Vector;
    const wanted = 0.03 * random();
    let [low, high] = [0, 5];
    for (let i = 0; i < 30; i++) {
      const middle = (low + high) / 2;
      if (boxBoxDistance(halfA, [0, 0, 0], qa, halfB, at(middle), qb) < wanted) low = middle;
      else high = middle;
    }
    const position = at(high);
    const distance = boxBoxDistance(halfA, [0, 0, 0], qa, halfB, position, qb);
    const m = collideBoxes(halfA, [0, 0, 0], qa, halfB, position, qb);
    const limit = Math.min(0.02, 0.1 * Math.min(Math.hypot(...halfA), Math.hypot(...halfB)));
    if (distance > limit * (1 + 1e-9)) {
      expect(m.points).toHaveLength(0);
      continue;
    }
    near++;
    const least = Math.min(...m.points.map((p) => p.gap));
    // An axis that is better by less than a thousandth of the size does not win: the normal is that much off.
    const slack = 0.04 * Math.min(...halfA, ...halfB);
    expect(m.points.length).toBeGreaterThan(0);
    expect(least).toBeGreaterThan(distance - 1e-9);
    expect(least).toBeLessThan(distance + slack);
    expectConsistent(m, halfA, [0, 0, 0], qa, halfB, position, qb);
  }
  expect(near).toBeGreaterThan(bySuite(30, 300));
});

test('random overlapping boxes: the depth is that of the best of the fifteen axes', () => {
  const random = createRandom(2);
  for (let trial = 0; trial < bySuite(200, 1000); trial++) {
    const halfA = [0, 0, 0].map(() => 0.1 + random()) as Vector;
    const halfB = [0, 0, 0].map(() => 0.1 + random()) as Vector;
    const [qa, qb] = [randomRotation(random), randomRotation(random)];
    const position = [0, 0, 0].map(() => 1.5 * random() - 0.75) as Vector;
    const best = bestSeparation(halfA, [0, 0, 0], qa, halfB, position, qb);
    if (best > -1e-6) continue;
    const m = collideBoxes(halfA, [0, 0, 0], qa, halfB, position, qb);
    const least = Math.min(...m.points.map((p) => p.gap));
    expect(m.points.length).toBeGreaterThan(0);
    expect(least).toBeLessThan(best + 0.021 * Math.min(...halfA, ...halfB));
    expect(least).toBeGreaterThan(best * 1.06 - 0.003 * Math.min(...halfA, ...halfB));
    expectConsistent(m, halfA, [0, 0, 0], qa, halfB, position, qb);
  }
});

test('the contact axis of two boxes at equal depth along two axes does not change from step to step', () => {
  const scene = createScene();
  const a = scene.addBox(CUBE, [0, 0, 0]);
  const b = scene.addBox(CUBE, [0.9, 0.9, 0]);
  scene.pairUp(a, b);
  const first = scene.collide().normal;
  for (const wobble of [1e-5, -1e-5, 2e-5, -2e-5]) {
    scene.place(b, [0.9 + wobble, 0.9 - wobble, 0]);
    expect(scene.collide().normal).toEqual(first);
  }
  scene.place(b, [0.85, 0.95, 0]);
  expect(scene.collide().normal).toEqual([0, 1, 0]);
});
