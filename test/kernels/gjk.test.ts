import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  add,
  boxHull,
  createShapeScene,
  cross,
  dot,
  type Quaternion,
  rotate,
  type Shape,
  scale,
  sub,
  turn,
  unit,
  type Vector,
} from './generic-scene';

const number = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true, noDefaultInfinity: true });
const rotation = fc
  .tuple(number(-1, 1), number(-1, 1), number(-1, 1), number(0, 3))
  .map(([x, y, z, angle]): Quaternion => {
    const length = Math.sqrt(x * x + y * y + z * z);
    return length < 1e-3 ? [0, 0, 0, 1] : turn([x / length, y / length, z / length], angle);
  });

interface Polytope {
  vertices: Vector[];
  faces: number[][];
}

/** Polytope of a box with half sizes h, placed in the world. */
function place(shape: Shape, at: Vector, q: Quaternion): Polytope {
  if (shape.kind !== 'hull') throw new Error('a hull was expected');
  return { vertices: shape.vertices.map((v) => add(rotate(q, v), at)), faces: shape.faces };
}

function edges(p: Polytope): [Vector, Vector][] {
  return p.faces.flatMap((f) => f.map((v, k): [Vector, Vector] => [p.vertices[v], p.vertices[f[(k + 1) % f.length]]]));
}

function normals(p: Polytope): Vector[] {
  return p.faces.map(([a, b, c]) => unit(cross(sub(p.vertices[b], p.vertices[a]), sub(p.vertices[c], p.vertices[a]))));
}

const reach = (p: Polytope, d: Vector) => Math.max(...p.vertices.map((v) => dot(v, d)));

/** Greatest separation over all face normals and edge pairs (the depth when negative). */
function separation(p: Polytope, q: Polytope): number {
  const axes = [...normals(p), ...normals(q).map((n) => scale(n, -1))];
  for (const [a, b] of edges(p)) {
    for (const [c, d] of edges(q)) {
      const n = cross(sub(b, a), sub(d, c));
      const length = Math.sqrt(dot(n, n));
      if (length > 1e-6) axes.push(scale(n, 1 / length));
    }
  }
  return Math.max(...axes.map((n) => -reach(p, n) - reach(q, scale(n, -1))));
}

const clamp = (x: number) => Math.min(1, Math.max(0, x));

function segmentDistance([a, b]: [Vector, Vector], [c, d]: [Vector, Vector]): number {
  const u = sub(b, a);
  const v = sub(d, c);
  let best = Infinity;
  const tryAt = (s: number, t: number) => {
    const w = sub(add(a, scale(u, s)), add(c, scale(v, t)));
    best = Math.min(best, dot(w, w));
  };
  const w = sub(c, a);
  const [uu, vv, uv] = [dot(u, u), dot(v, v), dot(u, v)];
  const determinant = uu * vv - uv * uv;
  if (determinant > 1e-12 * uu * vv) {
    const s = clamp((dot(u, w) * vv - dot(v, w) * uv) / determinant);
    const t = clamp((s * uv - dot(v, w)) / vv);
    tryAt(clamp((dot(u, w) + t * uv) / uu), t);
  }
  for (const s of [0, 1]) tryAt(s, clamp((s * uv - dot(v, w)) / vv));
  for (const t of [0, 1]) tryAt(clamp((dot(u, w) + t * uv) / uu), t);
  return Math.sqrt(best);
}

/** Distance of disjoint polytopes: least of vertex–face and edge–edge distances. */
function bruteDistance(p: Polytope, q: Polytope): number {
  let best = Infinity;
  for (const e of edges(p)) for (const f of edges(q)) best = Math.min(best, segmentDistance(e, f));
  for (const [one, other] of [
    [p, q],
    [q, p],
  ]) {
    other.faces.forEach((face, k) => {
      const n = normals(other)[k];
      for (const v of one.vertices) {
        const height = dot(n, sub(v, other.vertices[face[0]]));
        const inside = face.every((a, i) => {
          const b = other.vertices[face[(i + 1) % face.length]];
          return dot(cross(n, sub(b, other.vertices[a])), sub(v, other.vertices[a])) >= 0;
        });
        if (inside && height >= 0) best = Math.min(best, height);
      }
    });
  }
  return best;
}

describe('distance of two polytopes', () => {
  test('equals brute force over all features, and the least overlap when they overlap', () => {
    const scene = createShapeScene();
    fc.assert(
      fc.property(
        fc.tuple(number(0.05, 2), number(0.05, 2), number(0.05, 2)),
        fc.tuple(number(0.05, 2), number(0.05, 2), number(0.05, 2)),
        fc.tuple(number(-3, 3), number(-3, 3), number(-3, 3)),
        rotation,
        rotation,
        (halfA, halfB, at, qa, qb) => {
          const a = boxHull(...halfA);
          const b = boxHull(...halfB);
          const slotA = scene.put(a, [0.3, 0.2, -0.1], qa);
          const slotB = scene.put(b, at, qb);
          const p = place(a, [0.3, 0.2, -0.1], qa);
          const q = place(b, at, qb);
          const apart = separation(p, q);
          const expected = apart > 0 ? bruteDistance(p, q) : apart;
          expect(scene.kernels.measureDistance(slotA, slotB)).toBeCloseTo(expected, 8);
        },
      ),
      { numRuns: 28, seed: 5 },
    );
  });

  test('does not change when the roles are swapped', () => {
    const scene = createShapeScene();
    const shapes: Shape[] = [
      { kind: 'sphere', size: [0.3] },
      { kind: 'capsule', size: [0.3, 0.4] },
      { kind: 'box', size: [0.3, 0.5, 0.7] },
      { kind: 'cylinder', size: [0.4, 0.6] },
      { kind: 'cone', size: [0.5, 0.4] },
    ];
    const slots = shapes.map((s, k) => scene.put(s, [0.6 * k, 0.1 * k * k, 0.2], turn([0.6, 0, 0.8], k)));
    for (const a of slots) {
      for (const b of slots) {
        if (a === b) continue;
        const one = scene.kernels.measureDistance(a, b);
        expect(scene.kernels.measureDistance(b, a)).toBeCloseTo(one, 6);
        expect(Number.isFinite(one)).toBe(true);
      }
    }
  });
});

describe('least overlap', () => {
  const measure = (a: Shape, b: Shape, at: Vector, q: Quaternion = [0, 0, 0, 1]) => {
    const scene = createShapeScene();
    return scene.kernels.measureDistance(scene.put(a), scene.put(b, at, q));
  };

  test('of shapes with the same centre is the way out along the shortest axis', () => {
    const cylinder: Shape = { kind: 'cylinder', size: [0.5, 0.8] };
    expect(measure(cylinder, cylinder, [0, 0, 0])).toBeCloseTo(-1, 6);
    expect(
      measure({ kind: 'cylinder', size: [0.5, 0.2] }, { kind: 'cylinder', size: [0.5, 0.2] }, [0, 0, 0]),
    ).toBeCloseTo(-0.4, 9);
    expect(measure({ kind: 'box', size: [1, 2, 3] }, { kind: 'box', size: [1, 2, 3] }, [0, 0, 0])).toBeCloseTo(-2, 9);
    expect(measure({ kind: 'sphere', size: [0.5] }, cylinder, [0, 0, 0])).toBeCloseTo(-1, 6);
  });

  test('of deeply overlapping round shapes is the analytic one', () => {
    const cylinder: Shape = { kind: 'cylinder', size: [0.5, 2] };
    // Parallel side by side: 1 − distance of the axes.
    for (const d of [0.2, 0.5, 0.9]) expect(measure(cylinder, cylinder, [0.6 * d, 0, 0.8 * d])).toBeCloseTo(d - 1, 6);
    // Crossed at right angles.
    for (const d of [0.2, 0.5, 0.9]) {
      expect(measure(cylinder, cylinder, [0, 0, d], turn([0, 0, 1], Math.PI / 2))).toBeCloseTo(d - 1, 6);
    }
    // Capsule through a box.
    expect(measure({ kind: 'capsule', size: [0.1, 3] }, { kind: 'box', size: [1, 1, 0.5] }, [0, 0, 0.2])).toBeCloseTo(
      -0.4,
      9,
    );
  });

  test('of touching and needle-like shapes is finite and near zero', () => {
    for (const size of [0.01, 1, 100]) {
      for (const length of [0.01, 1, 100]) {
        const shape: Shape = { kind: 'cylinder', size: [size, length] };
        expect(Math.abs(measure(shape, shape, [0, 2 * length, 0]))).toBeLessThan(1e-9 * (size + length));
        expect(Math.abs(measure(shape, shape, [2 * size, 0, 0]))).toBeLessThan(1e-6 * size + 1e-12 * length);
        expect(Math.abs(measure({ kind: 'box', size: [size, length, size] }, shape, [0, 2 * length, 0]))).toBeLessThan(
          1e-9 * (size + length),
        );
      }
    }
  });
});
