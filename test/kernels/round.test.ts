import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random';
import { boxHull, createShapeScene, gaps, meet, moveError, type Shape, turn, unit, type Vector } from './generic-scene';

const sphere = (r: number): Shape => ({ kind: 'sphere', size: [r] });
const capsule = (r: number, half: number): Shape => ({ kind: 'capsule', size: [r, half] });
const LYING = turn([0, 0, 1], Math.PI / 2);
const ACROSS = turn([1, 0, 0], Math.PI / 2);

function expectVector(got: ArrayLike<number>, wanted: Vector, digits = 12): void {
  for (let k = 0; k < 3; k++) expect(got[k]).toBeCloseTo(wanted[k], digits);
}

describe('sphere and sphere', () => {
  test('apart, touching and overlapping: gap, middle, normal', () => {
    const d = unit([1, 2, -2]);
    for (const gap of [0.01, 0, -1e-9, -0.3]) {
      const at = d.map((x) => x * (0.7 + gap)) as Vector;
      const m = meet(sphere(0.5), [0, 0, 0], undefined, sphere(0.2), at);
      expectVector(m.normal, d);
      expect(m.points.length).toBe(1);
      expect(m.points[0].gap).toBeCloseTo(gap, 14);
      expectVector(m.points[0].position, d.map((x) => x * (0.5 + gap / 2)) as Vector);
    }
  });

  test('too far apart there is no contact; with one centre there is a unit normal', () => {
    expect(meet(sphere(0.5), [0, 0, 0], undefined, sphere(0.2), [0.73, 0, 0]).points).toEqual([]);
    const m = meet(sphere(0.5), [1, 1, 1], undefined, sphere(0.2), [1, 1, 1]);
    expect(m.points[0].gap).toBeCloseTo(-0.7, 12);
    expect(Math.sqrt(m.normal[0] ** 2 + m.normal[1] ** 2 + m.normal[2] ** 2)).toBeCloseTo(1, 12);
  });
});

describe('capsules', () => {
  test('a sphere at the side and at the end of a capsule', () => {
    const side = meet(sphere(0.2), [0.49, 0.3, 0], undefined, capsule(0.3, 0.5));
    expect(side.points[0].gap).toBeCloseTo(-0.01, 12);
    expectVector(side.normal, [-1, 0, 0]);
    const end = meet(sphere(0.2), [0, 1, 0], undefined, capsule(0.3, 0.5));
    expect(end.points[0].gap).toBeCloseTo(0, 12);
    expectVector(end.normal, [0, -1, 0]);
  });

  test('parallel ones touch at both ends of the common part, crossed ones at one point', () => {
    const a = capsule(0.25, 1);
    const lying = meet(a, [0.5, 0.5, 0], LYING, a, [0, 0, 0], LYING);
    expect(gaps(lying).every((g) => Math.abs(g) < 1e-12)).toBe(true);
    const x = lying.points.map((p) => p.position[0]).sort((p, q) => p - q);
    expect(x[0]).toBeCloseTo(-0.5, 12);
    expect(x[1]).toBeCloseTo(1, 12);
    const crossed = meet(a, [0.3, 0.499, 0.1], LYING, a, [0, 0, 0], ACROSS);
    expect(crossed.points.length).toBe(1);
    expect(crossed.points[0].gap).toBeCloseTo(-0.001, 12);
    expectVector(crossed.normal, [0, -1, 0]);
    expectVector(crossed.points[0].position, [0, 0.2495, 0.1]);
    const inLine = meet(a, [0, 2.51, 0], undefined, a);
    expect(gaps(inLine)).toHaveLength(1);
    expect(gaps(inLine)[0]).toBeCloseTo(0.01, 12);
  });

  test('axes that cut each other are parted across both', () => {
    const a = capsule(0.25, 1);
    const m = meet(a, [0, 0, 0], LYING, a, [0, 0, 0], ACROSS);
    expect(Math.abs(m.normal[1])).toBeCloseTo(1, 12);
    expect(m.points[0].gap).toBeCloseTo(-0.5, 12);
    for (const q of [undefined, LYING]) {
      const same = meet(a, [0, 0, 0], q, a, [0, 0, 0], q);
      expect(gaps(same)[0]).toBeCloseTo(-0.5, 12);
      expect(Math.abs(same.normal[q ? 0 : 1])).toBeLessThan(1e-12);
    }
  });

  test('swapped roles mirror the normal', () => {
    const a = capsule(0.25, 1);
    const b = capsule(0.3, 0.4);
    const q = turn(unit([1, 1, 0]), 0.4);
    const one = meet(a, [0, 0.5, 0], q, b, [0.1, 0, 0.1]);
    const two = meet(b, [0.1, 0, 0.1], undefined, a, [0, 0.5, 0], q);
    expectVector(one.normal, two.normal.map((x) => -x) as Vector);
    expect(gaps(one)[0]).toBeCloseTo(gaps(two)[0], 12);
  });
});

describe('sphere against box and hull', () => {
  const CASES: [name: string, center: Vector, gap: number, out: Vector][] = [
    ['over a face', [0.3, 1.005, -0.2], 0.005, [0, 1, 0]],
    ['touching a face', [0.3, 1, -0.2], 0, [0, 1, 0]],
    ['over an edge', [1 + 0.3, 0.5 + 0.4, 0.2], 0, [0.6, 0.8, 0]],
    ['over a corner', [1 + 0.5 / 3, 0.5 + 1 / 3, 0.7 + 1 / 3], 0, [1 / 3, 2 / 3, 2 / 3]],
    ['centre inside, near a side', [0.9, 0.1, 0], -0.6, [1, 0, 0]],
    ['centre on the face', [0, 0.5, 0], -0.5, [0, 1, 0]],
  ];
  for (const [name, center, gap, out] of CASES) {
    test(name, () => {
      for (const body of [{ kind: 'box', size: [1, 0.5, 0.7] } as Shape, boxHull(1, 0.5, 0.7)]) {
        const m = meet(sphere(0.5), center, undefined, body);
        expect(m.points.length).toBe(1);
        expect(m.points[0].gap).toBeCloseTo(gap, 12);
        expectVector(m.normal, out.map((x) => -x) as Vector);
        expectVector(m.points[0].position, center.map((c, k) => c - (0.5 + gap / 2) * out[k]) as Vector);
      }
    });
  }

  test('follows rigid motions of both', () => {
    const q = turn(unit([1, 2, 3]), 0.8);
    const spin = turn(unit([3, -1, 2]), 2.1);
    for (const body of [{ kind: 'box', size: [1, 0.5, 0.7] } as Shape, boxHull(1, 0.5, 0.7)]) {
      for (const round of [sphere(0.5), capsule(0.4, 0.3)]) {
        expect(moveError(round, [0.3, 0.95, 0.1], q, body, [0, 0, 0], [0, 0, 0, 1], [5, -7, 3], spin)).toBeLessThan(
          1e-11,
        );
      }
    }
  });
});

describe('capsule against box and hull', () => {
  const bodies: Shape[] = [{ kind: 'box', size: [1, 0.5, 0.7] }, boxHull(1, 0.5, 0.7)];

  test('lying on a face it touches at two points, cut off at the rim of the face', () => {
    for (const body of bodies) {
      for (const gap of [0.004, 0, -1e-6, -0.1]) {
        const m = meet(capsule(0.25, 0.6), [0.7, 0.75 + gap, 0.1], LYING, body);
        expectVector(m.normal, [0, -1, 0]);
        const x = m.points.map((p) => p.position[0]).sort((p, q) => p - q);
        expect(x.length).toBe(2);
        expect(x[0]).toBeCloseTo(0.1, 12);
        expect(x[1]).toBeCloseTo(1, 12);
        for (const g of gaps(m)) expect(g).toBeCloseTo(gap, 12);
      }
    }
  });

  test('longer than the face it touches at both rims', () => {
    for (const body of bodies) {
      const m = meet(capsule(0.25, 3), [0.2, 0.75, 0.1], LYING, body);
      const x = m.points.map((p) => p.position[0]).sort((p, q) => p - q);
      expect(x[0]).toBeCloseTo(-1, 9);
      expect(x[1]).toBeCloseTo(1, 9);
      for (const g of gaps(m)) expect(g).toBeCloseTo(0, 12);
    }
  });

  test('standing, leaning on an edge, and parallel to an edge', () => {
    for (const body of bodies) {
      const standing = meet(capsule(0.25, 0.6), [0.2, 1.349, 0.1], undefined, body);
      expect(standing.points.length).toBe(1);
      expect(standing.points[0].gap).toBeCloseTo(-0.001, 12);
      // Axis at 45° beside the edge x = 1, y = 0.5, its nearest point straight out from the edge.
      const s = Math.SQRT1_2;
      const leaning = meet(capsule(0.25, 0.6), [1 + 0.26 * s, 0.5 + 0.26 * s, 0], turn([0, 0, 1], Math.PI / 4), body);
      expect(leaning.points.length).toBe(1);
      expectVector(leaning.normal, [-s, -s, 0], 9);
      expect(leaning.points[0].gap).toBeCloseTo(0.01, 9);
      const along = meet(capsule(0.25, 0.6), [1 + 0.25 * s, 0.5 + 0.25 * s, 0.3], ACROSS, body);
      expectVector(along.normal, [-s, -s, 0], 9);
      const z = along.points.map((p) => p.position[2]).sort((p, q) => p - q);
      expect(z.length).toBe(2);
      expect(z[0]).toBeCloseTo(-0.3, 9);
      expect(z[1]).toBeCloseTo(0.7, 9);
      for (const g of gaps(along)) expect(g).toBeCloseTo(0, 9);
    }
  });

  test('a steep one whose lowest end lies just beside a face touches at the edge there', () => {
    const random = createRandom(21);
    const [hx, hy, hz] = [1, 0.5, 0.7];
    const [r, half] = [0.25, 0.6];
    let beside = 0;
    for (let k = 0; k < 50; k++) {
      // The lowest end is out of the face by up to a fortieth of the radius, or in it by as much; the axis rises.
      const out = (0.05 * random() - 0.025) * r;
      const gap = -0.05 * random() * r;
      const tilt = 0.2 + 1.2 * random();
      const end = [hx + out, hy + Math.sqrt((r + gap) ** 2 - Math.max(out, 0) ** 2), 0.2 * random()];
      const middle = [end[0] - half * Math.cos(tilt), end[1] + half * Math.sin(tilt), end[2]] as Vector;
      // The axis from (0, 1, 0) to (−cos, sin, 0).
      const lying = turn([0, 0, 1], Math.PI / 2 - tilt);
      for (const body of [{ kind: 'box', size: [hx, hy, hz] } as Shape, boxHull(hx, hy, hz)]) {
        const m = meet(capsule(r, half), middle, lying, body);
        expect(Math.abs(Math.min(...gaps(m)) - gap)).toBeLessThan(2e-3 * r);
      }
      if (out > 0) beside++;
    }
    expect(beside).toBeGreaterThan(15);
  });

  test('with its axis inside it is pushed out the shortest way', () => {
    for (const body of bodies) {
      const m = meet(capsule(0.25, 0.6), [0.1, 0.3, 0.05], LYING, body);
      expectVector(m.normal, [0, -1, 0], 9);
      for (const g of gaps(m)) expect(g).toBeCloseTo(-0.45, 9);
    }
  });

  test('a needle and a boulder give finite, exact contacts', () => {
    const needle = meet(capsule(0.01, 50), [0, 0.51, 0], LYING, { kind: 'box', size: [0.01, 0.5, 0.01] });
    expect(gaps(needle)[0]).toBeCloseTo(0, 12);
    const boulder = meet(sphere(0.01), [30, 100.01, 20], undefined, { kind: 'box', size: [100, 100, 100] });
    expect(gaps(boulder)[0]).toBeCloseTo(0, 12);
  });
});

test('features stay while a capsule slides on a box', () => {
  const scene = createShapeScene();
  const a = scene.put(capsule(0.25, 0.5));
  scene.pairUp(a, scene.put({ kind: 'box', size: [2, 0.5, 2] }));
  for (let k = 0; k < 20; k++) {
    scene.place(a, [-0.5 + 0.05 * k, 0.7499, 0.1 * Math.sin(k)], LYING);
    expect(
      scene
        .collide()
        .points.map((p) => p.feature)
        .sort(),
    ).toEqual([0, 1]);
  }
});
