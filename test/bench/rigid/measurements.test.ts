// The benchmark's yardsticks against answers known by hand: what measures all engines must itself be right.

import { describe, expect, it } from 'vitest';
import { readScene } from '../../../src/scene/read';
import { bySuite } from '../../setup/suite';

type Shape = { box?: number[]; sphere?: number; capsule?: number[]; hull?: number[][] };
interface Body {
  type?: string;
  position: number[];
  rotation: number[];
  mass: number;
  shape: Shape;
}
interface Modules {
  depthBetween(a: Shape, pa: number[], qa: number[], b: Shape, pb: number[], qb: number[]): number;
  measurePenetration(shapes: Shape[], poses: Float64Array, statics: Body[]): { max: number; contacts: number };
  hullFaces(points: number[][]): { faces: number[][]; normals: number[][]; edges: number[][] };
  SCENES: Record<string, unknown>;
  buildScene(name: string): { scene: { bodies: Body[] }; measure: { steps: number } };
  median(values: number[]): number;
  longestStep(rounds: number[][]): number;
  percentile(values: number[], share: number): number;
  measureSlide(slide: { headings: number[][]; distance: number }, from: Float64Array, to: Float64Array): object;
  measureEnergy(bodies: Body[], before: Float64Array, after: Float64Array, timeStep: number): number;
  measureGap(joints: { index: number; anchor: number[] }[][], poses: Float64Array): number;
  millimetres(metres: number): string;
}

// Plain scripts without types: read by address, so that the compiler does not look for them.
async function load(...names: string[]): Promise<Modules> {
  const modules = await Promise.all(names.map((name) => import(new URL(name, import.meta.url).href)));
  return Object.assign({}, ...modules);
}

const { depthBetween, measurePenetration, hullFaces, SCENES, buildScene, ...rest } = await load(
  ...['penetration.mjs', 'hull-faces.mjs', 'scenes.mjs', 'runs.mjs', 'measure.mjs', 'tables.mjs'],
);
const { median, longestStep, percentile, measureGap, measureSlide, measureEnergy, millimetres } = rest;

const NO_TURN = [0, 0, 0, 1];
const EIGHTH = [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)]; // 45 degrees about z
const cube: Shape = { box: [0.5, 0.5, 0.5] };
const corners = [-0.5, 0.5].flatMap((x) => [-0.5, 0.5].flatMap((y) => [-0.5, 0.5].map((z) => [x, y, z])));

/** Poses as the engines give them. */
const posesOf = (bodies: Body[]) => Float64Array.from(bodies.flatMap((body) => [...body.position, ...body.rotation]));

describe('measureGap', () => {
  it('tells how far the ends of the widest joint are apart, on bodies that turn and in the world', () => {
    const poses = Float64Array.from([0, 0, 0, ...NO_TURN, 2, 0, 0, ...EIGHTH]);
    const world = { index: -1, anchor: [0.5, 0, 0.03] };
    const right = { index: 0, anchor: [0.5, 0, 0] };
    const turned = { index: 1, anchor: [-1, -1, 0] };
    expect(measureGap([[right, world]], poses)).toBeCloseTo(0.03, 12);
    // (-1, -1) turned by 45 degrees is (0, -sqrt 2).
    expect(
      measureGap(
        [
          [right, world],
          [right, turned],
        ],
        poses,
      ),
    ).toBeCloseTo(Math.hypot(1.5, Math.SQRT2), 12);
  });
});

describe('depthBetween', () => {
  const depth = (a: Shape, b: Shape, pb: number[], qb = NO_TURN) => depthBetween(a, [0, 0, 0], NO_TURN, b, pb, qb);

  it('measures faces, edges and hulls', () => {
    expect(depth(cube, cube, [0.2, 0.9, 0])).toBeCloseTo(0.1, 12);
    expect(depth(cube, cube, [0, 1.1, 0])).toBe(0);
    expect(depth(cube, cube, [0, 1.2, 0], EIGHTH)).toBeCloseTo(0.5 + Math.SQRT1_2 - 1.2, 12);
    expect(depth({ hull: corners }, cube, [0, 1.2, 0], EIGHTH)).toBeCloseTo(0.5 + Math.SQRT1_2 - 1.2, 12);
    expect(depth({ hull: corners }, { hull: corners }, [0.2, 0.9, 0])).toBeCloseTo(0.1, 12);
  });

  it('measures round shapes', () => {
    expect(depth({ sphere: 0.5 }, { sphere: 0.5 }, [0.9, 0, 0])).toBeCloseTo(0.1, 12);
    expect(depth(cube, { sphere: 0.3 }, [0, 0.7, 0])).toBeCloseTo(0.1, 12);
    expect(depth({ capsule: [0.2, 0.5] }, { sphere: 0.3 }, [0, 0.9, 0])).toBeCloseTo(0.1, 12);
    // Crossed capsules touch where their axes come closest.
    const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    expect(depth({ capsule: [0.2, 0.5] }, { capsule: [0.2, 0.5] }, [0.1, 0.1, 0.3], quarter)).toBeCloseTo(0.1, 12);
    // A lying capsule sinks its side into a box.
    expect(depth(cube, { capsule: [0.2, 1] }, [0, 0.6, 0], quarter)).toBeCloseTo(0.1, 6);
  });
});

describe('hullFaces', () => {
  it('finds faces, outward normals and edge directions of a wedge', () => {
    const stone = buildScene('arch15').scene.bodies[4].shape.hull!;
    const { faces, normals, edges } = hullFaces(stone);
    expect(faces).toHaveLength(6);
    expect(edges).toHaveLength(4); // two sides, one parallel pair, one depth
    faces.forEach((face, k) => {
      const [n, p] = [normals[k], stone[face[0]]];
      expect(n[0] * p[0] + n[1] * p[1] + n[2] * p[2]).toBeGreaterThan(0);
      // Counter-clockwise from outside: the turn at each corner points along the normal.
      const [a, b, c] = [0, 1, 2].map((i) => stone[face[i]]);
      const turn = [0, 1, 2].map((i) => {
        const [u, v] = [(i + 1) % 3, (i + 2) % 3];
        return (b[u] - a[u]) * (c[v] - b[v]) - (b[v] - a[v]) * (c[u] - b[u]);
      });
      expect(n[0] * turn[0] + n[1] * turn[1] + n[2] * turn[2]).toBeGreaterThan(0);
    });
  });
});

describe('scenes', () => {
  it('are all accepted by our reader', () => {
    // Others differ from these in size and settings, mostly.
    const names = Object.keys(SCENES).filter((_, k) => k % bySuite(3, 1) === 0);
    for (const name of names) expect(() => readScene(buildScene(name).scene), name).not.toThrow();
  });

  it('start without overlap', () => {
    for (const name of ['pyramid10', 'stack1000', 'cardhouse3', 'arch15', 'arch-0.11', 'arch-0.095', 'slide']) {
      const { bodies } = buildScene(name).scene;
      const moving = bodies.filter((body) => body.type !== 'static');
      const statics = bodies.filter((body) => body.type === 'static');
      const shapes = moving.map((body) => body.shape);
      expect(measurePenetration(shapes, posesOf(moving), statics).max, name).toBeLessThan(1e-12);
    }
  });

  it('overlap with balls that stand still, too', () => {
    const ball: Shape = { sphere: 0.5 };
    const still = { type: 'static', position: [0, 0, 0], rotation: NO_TURN, mass: 0, shape: ball };
    const poses = posesOf([{ ...still, position: [0.6, 0.6, 0] }]);
    expect(measurePenetration([ball], poses, [still]).max).toBeCloseTo(1 - 0.6 * Math.SQRT2, 12);
  });

  it('give an arch the mass of its ring of quadrangles', () => {
    const mass = buildScene('arch15')
      .scene.bodies.slice(1)
      .reduce((sum, body) => sum + body.mass, 0);
    expect(mass).toBeCloseTo(1000 * 15 * 0.5 * Math.sin(Math.PI / 15) * (5.5 ** 2 - 4.5 ** 2), 6);
  });
});

describe('figures', () => {
  it('take medians and percentiles', () => {
    expect(median([3, Number.NaN, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(percentile([5, 1, 4, 2, 3], 1)).toBe(5);
    expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3);
  });

  it('find the longest step in spite of pauses', () => {
    const rounds = [
      [1, 9, 2],
      [8, 1, 3],
    ];
    expect(longestStep(rounds)).toBe(2);
  });

  it('compare stopping distances and headings', () => {
    const start = new Float64Array(14);
    const end = new Float64Array(14);
    end.set([0.98, 0, 0], 0);
    end.set([Math.sin(0.001), 0, Math.cos(0.001)], 7);
    const headings = [
      [1, 0, 0],
      [0, 0, 1],
    ];
    const slide = measureSlide({ headings, distance: 1 }, start, end) as Record<string, number>;
    expect(slide.slideMin).toBeCloseTo(0.98, 12);
    expect(slide.slideMax).toBeCloseTo(1, 12);
    expect(slide.slideDeviation).toBeCloseTo(0.18 / Math.PI, 9);
  });

  it('take kinetic energy from two poses', () => {
    const body: Body = { position: [0, 0, 0], rotation: NO_TURN, mass: 2, shape: cube };
    const spin = 0.001;
    const after = { ...body, position: [0.02, 0, 0], rotation: [0, Math.sin(spin / 2), 0, Math.cos(spin / 2)] };
    const expected = 0.5 * 2 ** 2 + (0.5 * (spin / 0.01) ** 2) / 6; // v²/2 + ω²/12 per kg for a unit cube
    expect(measureEnergy([body], posesOf([body]), posesOf([after]), 0.01)).toBeCloseTo(expected, 6);
  });

  it('show metres as millimetres with three figures', () => {
    expect(['0.496', '0.0123', '0.000003', '0'].map((x) => millimetres(Number(x)))).toEqual([
      '496',
      '12.3',
      '0.00300',
      '0',
    ]);
    expect(millimetres(Number.NaN)).toBe('-');
  });
});
