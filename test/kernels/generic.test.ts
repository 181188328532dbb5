import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random';
import { bySuite } from '../setup/suite';
import {
  boxHull,
  createShapeScene,
  dot,
  gaps,
  meet,
  moveError,
  type Quaternion,
  rotate,
  type Shape,
  turn,
  unit,
  type Vector,
} from './generic-scene';

const box: Shape = { kind: 'box', size: [1, 0.5, 1] };
const hull = boxHull(1, 0.5, 1);
const cylinder: Shape = { kind: 'cylinder', size: [0.5, 0.5] };
const cone: Shape = { kind: 'cone', size: [0.5, 0.5] };
const capsule: Shape = { kind: 'capsule', size: [0.25, 0.5] };
const sphere: Shape = { kind: 'sphere', size: [0.3] };
const UP: Quaternion = [0, 0, 0, 1];
const LYING = turn([0, 0, 1], Math.PI / 2);
const ACROSS = turn([1, 0, 0], Math.PI / 2);
const DOWN = turn([1, 0, 0], Math.PI);
/** A cone lying on its side: its side line level. */
const CONE_LYING = turn([0, 0, 1], Math.PI / 2 + Math.atan(0.5));
const CONE_HEIGHT = 0.25 / Math.sqrt(1.25);

const RESTING: [name: string, a: Shape, qa: Quaternion, b: Shape, qb: Quaternion, height: number, points: number][] = [
  ['a cylinder stands on a box', box, UP, cylinder, UP, 1, 4],
  ['a cylinder lies on a box', box, UP, cylinder, LYING, 1, 2],
  ['a cylinder stands on a hull', hull, UP, cylinder, UP, 1, 4],
  ['a cylinder lies on a hull', hull, UP, cylinder, ACROSS, 1, 2],
  ['a cylinder stands on a cylinder', cylinder, UP, cylinder, UP, 1, 4],
  ['a cylinder turned by 30° stands on a cylinder', cylinder, turn([0, 1, 0], Math.PI / 6), cylinder, UP, 1, 4],
  ['a cylinder lies along a cylinder', cylinder, LYING, cylinder, LYING, 1, 2],
  ['a cylinder lies across a cylinder', cylinder, LYING, cylinder, ACROSS, 1, 1],
  ['a lying cylinder rests on a cap', cylinder, UP, cylinder, LYING, 1, 2],
  ['a cone stands on a box', box, UP, cone, UP, 1, 4],
  ['a cone stands on its apex on a box', box, UP, cone, DOWN, 1, 1],
  ['a cone lies on a box', box, UP, cone, CONE_LYING, 0.5 + CONE_HEIGHT, 2],
  ['a cone stands on a cylinder', cylinder, UP, cone, UP, 1, 4],
  ['two cones base to base', cone, DOWN, cone, UP, 1, 4],
  ['a cylinder stands on a lying capsule', capsule, LYING, cylinder, UP, 0.75, 2],
  ['a cylinder lies along a capsule', capsule, LYING, cylinder, LYING, 0.75, 2],
  ['a cylinder stands on a sphere', sphere, UP, cylinder, UP, 0.8, 1],
  ['a cylinder lies on a sphere', sphere, UP, cylinder, LYING, 0.8, 1],
  ['a cone stands on a sphere', sphere, UP, cone, UP, 0.8, 1],
  ['a cone stands with its apex on a sphere', sphere, UP, cone, DOWN, 0.8, 1],
];

const inverse = ([x, y, z, w]: Quaternion): Quaternion => [-x, -y, -z, w];

/** How far a box, the hull of one, a cylinder or a cone reaches along a direction of its own axes [m]. */
function reach(shape: Shape, [x, y, z]: Vector): number {
  if (shape === box || shape === hull) return Math.abs(x) + 0.5 * Math.abs(y) + Math.abs(z);
  const [radius, half] = (shape as { size: number[] }).size;
  const rim = radius * Math.hypot(x, z);
  return shape.kind === 'cone' ? Math.max(half * y, rim - half * y) : rim + half * Math.abs(y);
}

describe('resting', () => {
  for (const [name, a, qa, b, qb, height, count] of RESTING) {
    test(`${name}: ${count} contacts, vertical normal, exact gaps`, () => {
      for (const gap of [0.003, 1e-7, 0, -1e-9, -1e-4, -0.01, -0.1]) {
        const m = meet(a, [0, 0, 0], qa, b, [0, height + gap, 0], qb);
        expect(m.points.length).toBe(count);
        // Only deep overlap of two round sides leaves the closed form: there the direction is searched.
        expect(m.normal[1]).toBeGreaterThan(1 - 1e-9);
        for (const g of gaps(m)) expect(g).toBeCloseTo(gap, 9);
      }
    });

    test(`${name}: the contacts follow a rigid motion`, () => {
      const spin = turn(unit([1, -2, 2]), 1.3);
      const error = moveError(a, [0, 0, 0], qa, b, [0, height - 0.002, 0], qb, [20, -10, 5], spin);
      expect(error).toBeLessThan(2e-6);
    });
  }

  test('stacked faces are exact to 1e-15: normal and gaps carry no rounding of the search', () => {
    for (const [a, b] of [
      [box, cylinder],
      [cylinder, cylinder],
      [box, cone],
    ]) {
      const m = meet(a, [0, 0, 0], UP, b, [0, 1, 0], UP);
      expect(m.normal.map(Math.abs)).toEqual([0, 1, 0]);
      for (const g of gaps(m)) expect(Math.abs(g)).toBeLessThan(1e-15);
    }
  });

  test('scaled shapes have scaled contacts, from 1 cm to 100 m', () => {
    const scaled = (shape: Shape, s: number): Shape =>
      shape.kind === 'hull'
        ? { ...shape, vertices: shape.vertices.map((v): Vector => [v[0] * s, v[1] * s, v[2] * s]) }
        : ({ ...shape, size: (shape as { size: number[] }).size.map((x) => x * s) } as Shape);
    for (const [, a, qa, b, qb, height, count] of RESTING) {
      for (const s of [0.01, 100]) {
        const m = meet(scaled(a, s), [0, 0, 0], qa, scaled(b, s), [0, (height - 0.001) * s, 0], qb);
        expect(m.points.length).toBe(count);
        for (const g of gaps(m)) expect(g / s).toBeCloseTo(-0.001, 9);
      }
    }
  });
});

describe('beside, over rims and edges', () => {
  test('a cylinder half over the edge of a box keeps the chord and the rim inside', () => {
    for (const body of [box, hull]) {
      const m = meet(body, [0, 0, 0], UP, cylinder, [1, 1, 0], UP);
      expect(m.points.length).toBe(4);
      const x = m.points.map((p) => p.position[0]);
      expect(Math.max(...x)).toBeCloseTo(1, 12);
      expect(Math.min(...x)).toBeCloseTo(0.5, 12);
      const chord = m.points.filter((p) => Math.abs(p.position[0] - 1) < 1e-9).map((p) => Math.abs(p.position[2]));
      expect(chord.length).toBe(2);
      for (const z of chord) expect(z).toBeCloseTo(0.5, 12);
    }
  });

  test('two cylinders standing askew meet in the lens of their caps', () => {
    const m = meet(cylinder, [0, 0, 0], UP, cylinder, [0.6, 1, 0], UP);
    expect(m.points.length).toBe(4);
    const corner = m.points.filter((p) => Math.abs(p.position[0] - 0.3) < 1e-9);
    expect(corner.map((p) => Math.abs(p.position[2]))).toHaveLength(2);
    for (const p of corner) expect(Math.abs(p.position[2])).toBeCloseTo(0.4, 12);
  });

  test('a cylinder larger than the box below it holds the box corners', () => {
    const m = meet({ kind: 'box', size: [0.2, 0.5, 0.3] }, [0, 0, 0], UP, cylinder, [0.02, 1, 0.01], UP);
    const corners = m.points.map((p) => p.position.map((x) => Math.round(Math.abs(x) * 1e9) / 1e9).join());
    expect(corners).toEqual(['0.2,0.5,0.3', '0.2,0.5,0.3', '0.2,0.5,0.3', '0.2,0.5,0.3']);
  });

  test('a tilted cylinder stands on its deepest rim point', () => {
    for (const tilt of [0.01, 0.2, 0.7, 1.2]) {
      const depth = 0.5 * Math.sin(tilt) + 0.5 * Math.cos(tilt);
      for (const body of [box, hull]) {
        const m = meet(body, [0, 0, 0], UP, cylinder, [0.1, 0.5 + depth - 0.001, 0.05], turn([0.6, 0, 0.8], tilt));
        expect(gaps(m)[0]).toBeCloseTo(-0.001, 12);
        expect(m.normal[1]).toBeCloseTo(1, 12);
      }
    }
  });

  test('a cylinder leaning on the edge of a box touches it square to both', () => {
    // Axis in the x-y plane at 45°, side on the edge x = 1, y = 0.5 (which runs along z).
    const s = Math.SQRT1_2;
    const m = meet(box, [0, 0, 0], UP, cylinder, [1 + 0.499 * s, 0.5 + 0.499 * s, 0], turn([0, 0, 1], Math.PI / 4));
    expect(m.points.length).toBe(1);
    expect(dot(m.normal, [s, s, 0])).toBeCloseTo(1, 9);
    expect(gaps(m)[0]).toBeCloseTo(-0.001, 9);
    const along = meet(box, [0, 0, 0], UP, cylinder, [1 + 0.499 * s, 0.5 + 0.499 * s, 0.2], ACROSS);
    expect(along.points.length).toBe(2);
    for (const g of gaps(along)) expect(g).toBeCloseTo(-0.001, 7);
  });

  test('a sphere finds side, cap, rim and apex', () => {
    const CASES: [b: Shape, at: Vector, normal: Vector, gap: number][] = [
      [cylinder, [0.8, 0.1, 0], [-1, 0, 0], 0],
      [cylinder, [0.1, 0.79, 0.2], [0, -1, 0], -0.01],
      [cylinder, [0.5 + 0.18, 0.5 + 0.24, 0], [-0.6, -0.8, 0], 0],
      [cylinder, [0, 0.1, 0.4], [0, 0, -1], -0.4],
      [cone, [0, 0.8, 0], [0, -1, 0], 0],
      [cone, [0.2, -0.79, 0], [0, 1, 0], -0.01],
      [cone, [0.25 + 0.6 / Math.sqrt(5), 0.3 / Math.sqrt(5), 0], unit([-2, -1, 0]), 0],
      [cone, [0.5 + 0.3 * 0.6, -0.5 - 0.3 * 0.8, 0], [-0.6, 0.8, 0], 0],
    ];
    for (const [b, at, normal, gap] of CASES) {
      const m = meet(sphere, at, UP, b);
      expect(m.points.length).toBe(1);
      expect(m.points[0].gap).toBeCloseTo(gap, 12);
      for (let k = 0; k < 3; k++) expect(m.normal[k]).toBeCloseTo(normal[k], 12);
    }
  });
});

describe('in time', () => {
  test('a rolling cylinder keeps its two contacts and features', () => {
    const scene = createShapeScene();
    const body = scene.put(cylinder);
    scene.pairUp(scene.put(box), body);
    for (let k = 0; k < 60; k++) {
      const a = turn([0, 0, 1], Math.PI / 2);
      const roll = turn([1, 0, 0], 0.11 * k);
      const q: Quaternion = [roll[0] * a[3], -roll[0] * a[2], roll[3] * a[2], roll[3] * a[3]];
      scene.place(body, [0, 0.9999, 0.01 * k - 0.3], q);
      const m = scene.collide();
      expect(m.points.map((p) => p.feature).sort()).toEqual([0x8000, 0x8001]);
      expect(m.normal[1]).toBeCloseTo(1, 12);
      for (const g of gaps(m)) expect(g).toBeCloseTo(-0.0001, 12);
    }
  });

  test('the normal of crossed cylinders turns smoothly while they pass from apart to overlapping', () => {
    const scene = createShapeScene();
    const a = scene.put(cylinder);
    const b = scene.put(cylinder);
    scene.pairUp(a, b);
    let last: Vector | null = null;
    for (let k = 0; k <= 400; k++) {
      scene.place(a, [0, 0, 0], LYING);
      scene.place(b, [0.05 + 0.0001 * k, 1.01 - 0.0001 * k, 0.02], turn([1, 0, 0], Math.PI / 2 + 0.001 * k));
      const m = scene.collide();
      expect(m.points.length).toBe(1);
      if (last) expect(Math.hypot(...m.normal.map((x, i) => x - (last as Vector)[i]))).toBeLessThan(0.003);
      last = m.normal;
    }
  });
});

/** Directions spread evenly over the sphere (golden spiral). */
const DIRECTIONS = Array.from({ length: 1500 }, (_, k): Vector => {
  const y = 1 - (2 * k + 1) / 1500;
  const r = Math.sqrt(1 - y * y);
  return [r * Math.cos(2.399963229728653 * k), y, r * Math.sin(2.399963229728653 * k)];
});

/** Greatest n·x over a shape placed as the collider, from the shape's definition. */
function extent(shape: Shape, colliders: { position: Float64Array; rotation: Float64Array }, slot: number, n: Vector) {
  const at = colliders.position.subarray(4 * slot, 4 * slot + 3);
  const [x, y, z, w] = colliders.rotation.subarray(4 * slot, 4 * slot + 4);
  const [u, v, t] = rotate([-x, -y, -z, w], n);
  const center = n[0] * at[0] + n[1] * at[1] + n[2] * at[2];
  if (shape.kind === 'hull') return center + Math.max(...shape.vertices.map((p) => dot(p, [u, v, t])));
  if (shape.kind === 'mesh') return Number.NaN;
  const [r, half = 0, third = 0] = shape.size;
  const radial = Math.sqrt(u * u + t * t);
  if (shape.kind === 'box') return center + Math.abs(u) * r + Math.abs(v) * half + Math.abs(t) * third;
  if (shape.kind === 'capsule') return center + r + half * Math.abs(v);
  if (shape.kind === 'cone') return center + Math.max(half * v, r * radial - half * v);
  return center + r * radial + half * Math.abs(v);
}

describe('any pose', () => {
  const number = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true });
  const shapes: Shape[] = [
    capsule,
    box,
    hull,
    cylinder,
    cone,
    { kind: 'cylinder', size: [0.01, 2] },
    { kind: 'cone', size: [2, 0.02] },
  ];

  test('gives unit normals, finite points and a depth that parts the shapes and is nearly the least', () => {
    const scene = createShapeScene();
    const slots = shapes.map((s) => scene.put(s));
    const partners: Shape[] = [cylinder, cone, { kind: 'cylinder', size: [1, 0.01] }];
    const others = partners.map((s) => scene.put(s));
    fc.assert(
      fc.property(
        fc.nat(shapes.length - 1),
        fc.nat(2),
        fc.tuple(number(-1, 1), number(-1, 1), number(-1, 1)),
        fc.tuple(number(-1, 1), number(-1, 1), number(-1, 1), number(0.05, 1)),
        fc.tuple(number(-1, 1), number(-1, 1), number(-1, 1), number(0.05, 1)),
        (i, j, at, qa, qb) => {
          const normalise = (q: number[]) => q.map((x) => x / Math.hypot(...q)) as Quaternion;
          const kinds = scene.tables.shapes.kind;
          let [a, b] = [slots[i], others[j]];
          scene.place(a, [0, 0, 0], normalise(qa));
          scene.place(b, at, normalise(qb));
          if (kinds[scene.tables.colliders.shape[a]] > kinds[scene.tables.colliders.shape[b]]) [a, b] = [b, a];
          scene.pairUp(a, b);
          scene.forget();
          const m = scene.collide();
          if (m.points.length === 0) {
            expect(scene.kernels.measureDistance(a, b)).toBeGreaterThan(0);
            return;
          }
          expect(dot(m.normal, m.normal)).toBeCloseTo(1, 12);
          for (const p of m.points) expect(p.position.every(Number.isFinite) && Number.isFinite(p.gap)).toBe(true);
          // Contacts never claim more depth than there is along the normal, and that is nearly the least of all.
          const [one, two] = a === slots[i] ? [shapes[i], partners[j]] : [partners[j], shapes[i]];
          const overlap = (n: Vector) =>
            extent(one, scene.tables.colliders, a, n) + extent(two, scene.tables.colliders, b, [-n[0], -n[1], -n[2]]);
          const along = overlap(m.normal);
          expect(gaps(m)[0]).toBeGreaterThan(-along - 1e-9);
          const least = Math.min(...DIRECTIONS.map(overlap));
          expect(along).toBeLessThan(least + 0.01);
        },
      ),
      { numRuns: bySuite(100, 300), seed: 11 },
    );
  });

  test('a shallow touch has a contact as deep as the shapes overlap, beside a face, too', () => {
    const random = createRandom(21);
    const draw = () => 2 * random() - 1;
    const coin: Shape = { kind: 'cylinder', size: [0.6, 0.08] };
    const partners: Shape[] = [cylinder, cone, coin];
    const ours: Shape[] = [box, hull, cylinder];
    const scene = createShapeScene();
    const slots = ours.map((shape) => scene.put(shape));
    const others = partners.map((shape) => scene.put(shape));
    for (let k = 0; k < bySuite(300, 1200); k++) {
      const [a, b] = [slots[Math.floor(k / 3) % 3], others[k % 3]];
      const normalise = (q: number[]) => q.map((x) => x / Math.hypot(...q)) as Quaternion;
      const lying = normalise([draw(), draw(), draw(), draw()]);
      scene.place(a, [0, 0, 0], lying);
      const turned = normalise([draw(), draw(), draw(), draw()]);
      const way = unit([draw(), draw(), draw()]);
      // Along a random way, until they overlap by up to a twentieth of half a metre.
      const depth = 0.025 * random();
      let [near, far] = [0, 4];
      for (let i = 0; i < 40; i++) {
        const at = (near + far) / 2;
        scene.place(b, way.map((x) => at * x) as Vector, turned);
        if (scene.kernels.measureDistance(a, b) > -depth) far = at;
        else near = at;
      }
      scene.place(b, way.map((x) => near * x) as Vector, turned);
      scene.pairUp(a, b);
      scene.forget();
      const contacts = scene.collide();
      const least = gaps(contacts)[0];
      // What is measured between cores may be more than the least overlap; along any way there is at least that.
      const [n, back] = [contacts.normal, contacts.normal.map((x) => -x) as Vector];
      const [kindA, kindB] = [ours[Math.floor(k / 3) % 3], partners[k % 3]];
      const along =
        near * dot(way, n) - reach(kindA, rotate(inverse(lying), n)) - reach(kindB, rotate(inverse(turned), back));
      // The rim that a tilted cap shows to another is a polygon of sixteen corners.
      if (!(least < Math.max(-depth, along) + 2.5e-3 * 0.6))
        throw new Error(`overlap ${depth}, told ${-least}, pose ${k}`);
    }
  });
});
