import { describe, expect, test } from 'vitest';
import {
  boxHull,
  createShapeScene,
  gaps,
  meet,
  moveError,
  type Quaternion,
  type Shape,
  turn,
  unit,
} from './generic-scene';

const plane: Shape = { kind: 'plane', size: [0, 1, 0] };
const LYING = turn([0, 0, 1], Math.PI / 2);
const UP: Quaternion = [0, 0, 0, 1];

const RESTING: [name: string, shape: Shape, height: number, rotation: Quaternion, points: number][] = [
  ['sphere', { kind: 'sphere', size: [0.4] }, 0.4, UP, 1],
  ['standing capsule', { kind: 'capsule', size: [0.2, 0.3] }, 0.5, UP, 1],
  ['lying capsule', { kind: 'capsule', size: [0.2, 0.3] }, 0.2, LYING, 2],
  ['box on its face', { kind: 'box', size: [0.5, 0.2, 0.3] }, 0.2, UP, 4],
  ['thin box', { kind: 'box', size: [0.5, 0.001, 0.3] }, 0.001, UP, 4],
  ['box on its edge', { kind: 'box', size: [0.3, 0.3, 0.3] }, 0.3 * Math.SQRT2, turn([1, 0, 0], Math.PI / 4), 2],
  ['hull', boxHull(0.5, 0.2, 0.3), 0.2, UP, 4],
  ['standing cylinder', { kind: 'cylinder', size: [0.4, 0.3] }, 0.3, UP, 4],
  ['cylinder on its head', { kind: 'cylinder', size: [0.4, 0.3] }, 0.3, turn([1, 0, 0], Math.PI), 4],
  ['coin', { kind: 'cylinder', size: [0.4, 0.002] }, 0.002, UP, 4],
  ['lying cylinder', { kind: 'cylinder', size: [0.4, 0.3] }, 0.4, LYING, 2],
  ['standing cone', { kind: 'cone', size: [0.4, 0.3] }, 0.3, UP, 4],
  ['cone on its apex', { kind: 'cone', size: [0.4, 0.3] }, 0.3, turn([1, 0, 0], Math.PI), 1],
];

describe('on a plane', () => {
  for (const [name, shape, height, rotation, count] of RESTING) {
    test(`a ${name} has ${count} contacts with the exact gap`, () => {
      for (const gap of [1e-4, 0, -1e-12, -height / 3]) {
        const m = meet(shape, [0.3, height + gap, -0.2], rotation, plane);
        expect(m.normal).toEqual([-0, -1, -0]);
        expect(m.points.length).toBe(count);
        for (const p of m.points) {
          expect(p.gap).toBeCloseTo(gap, 13);
          expect(p.position[1]).toBeCloseTo(gap / 2, 13);
        }
      }
    });
  }

  test('a cone lies on apex and rim', () => {
    const half = 0.3;
    const r = 0.4;
    const slant = Math.sqrt(r * r + 4 * half * half);
    // The side makes the angle atan(r / height) with the axis: turn until it is level.
    const q = turn([0, 0, 1], Math.PI / 2 + Math.atan(r / (2 * half)));
    const m = meet({ kind: 'cone', size: [r, half] }, [0, (half * r) / slant, 0], q, plane);
    expect(m.points.length).toBe(2);
    for (const g of gaps(m)) expect(g).toBeCloseTo(0, 12);
    const d = m.points[0].position.map((x, k) => x - m.points[1].position[k]);
    expect(Math.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2)).toBeCloseTo(slant, 12);
  });

  test('a tilted cylinder touches at its deepest rim point', () => {
    const tilt = 0.5;
    const depth = 0.4 * Math.sin(tilt) + 0.3 * Math.cos(tilt);
    for (const spin of [0, 1, 2, 3]) {
      const [x, z] = [Math.cos(spin), Math.sin(spin)];
      const m = meet({ kind: 'cylinder', size: [0.4, 0.3] }, [0, depth, 0], turn([x, 0, z], tilt), plane);
      expect(m.points.length).toBe(1);
      expect(m.points[0].gap).toBeCloseTo(0, 13);
    }
  });

  test('standing contacts keep features and places while the shape wobbles within rounding', () => {
    const scene = createShapeScene();
    const body = scene.put({ kind: 'cylinder', size: [0.4, 0.3] });
    scene.pairUp(body, scene.put(plane));
    for (let k = 0; k < 20; k++) {
      scene.place(body, [0, 0.3, 0], turn([Math.cos(k), 0, Math.sin(k)], 1e-9 * (k % 3)));
      const m = scene.collide();
      expect(m.points.map((p) => p.feature).sort()).toEqual([0, 1, 2, 3]);
      expect(Math.max(...m.points.map((p) => p.position[0]))).toBeCloseTo(0.4, 8);
    }
  });

  test('too high there is no contact', () => {
    for (const [, shape, height, rotation] of RESTING) {
      expect(meet(shape, [0, height + 0.03, 0], rotation, plane).points).toEqual([]);
    }
  });

  test('a turned and moved plane gives the same contacts', () => {
    for (const [, shape, height, rotation] of RESTING) {
      const error = moveError(
        shape,
        [0.3, height, 0.1],
        rotation,
        plane,
        [0, 0, 0],
        UP,
        [4, 5, 6],
        turn(unit([1, 2, 2]), 1),
      );
      expect(error).toBeLessThan(1e-11);
    }
    const slanted: Shape = { kind: 'plane', size: [0.6, 0.8, 0] };
    const m = meet({ kind: 'sphere', size: [0.5] }, [0.3 + 8, 0.4 - 6, 2], undefined, slanted);
    expect(m.points[0].gap).toBeCloseTo(0, 12);
    expect(m.normal[0]).toBeCloseTo(-0.6, 12);
  });

  test('1 cm and 100 m shapes have gaps of their own scale', () => {
    for (const s of [0.01, 100]) {
      for (const kind of ['cylinder', 'cone'] as const) {
        const m = meet({ kind, size: [s, s] }, [0, 0.999 * s, 0], undefined, plane);
        expect(m.points.length).toBe(4);
        for (const g of gaps(m)) expect(g / s).toBeCloseTo(-0.001, 12);
      }
    }
  });
});
