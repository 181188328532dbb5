// `stiction bench solids`: what it measures with is right, its tables on small worlds, the calls it refuses.

import { expect, test } from 'vitest';
import { benchSolids, QUICK_SOLIDS } from '../../src/bench/solids';
import { deepestInside, volumeOf, watchOverlap } from '../../src/bench/solids-measure';
import { showSolidBench } from '../../src/bench/solids-tables';
import { type BenchSolid, boxMesh } from '../../src/bench/solids-worlds';
import { dispatch } from '../../src/cli/dispatch';
import { boundaryTriangles } from '../../src/geometry/tetrahedra';
import { longTest } from '../setup/suite';

function solidOf(middle: [number, number, number], turn: number): BenchSolid {
  const { vertices, tetrahedra } = boxMesh([0.2, 0.2, 0.2], [4, 4, 4], middle, turn);
  return { entity: 0, tetrahedra, triangles: boundaryTriangles(tetrahedra, 'test'), positions: () => vertices };
}

test('volumes and depths are those of boxes', () => {
  const a = solidOf([0, 0, 0], 0);
  expect(volumeOf(a.tetrahedra, a.positions())).toBeCloseTo(0.008, 12);
  const turned = solidOf([0.1, 0.3, 0], 0.4);
  expect(volumeOf(turned.tetrahedra, turned.positions())).toBeCloseTo(0.008, 12);
  expect(deepestInside([a, turned])).toBe(0);
  // 7 mm into each other.
  expect(deepestInside([a, solidOf([0.013, 0.193, 0.021], 0)])).toBeCloseTo(0.007, 9);
});

test('overlaps of the start are told apart from those of a heap that has come apart', () => {
  const watch = watchOverlap(0.012);
  for (const depth of [0.015, 0.003, 0, 0.001, 0.002, 0]) watch.note(depth);
  expect(watch).toMatchObject({ start: 0.012, peak: 0.015, apartAfter: 3, onceApart: 0.002 });
  const free = watchOverlap(0);
  free.note(0.004);
  expect(free).toMatchObject({ start: 0, peak: 0.004, apartAfter: 0, onceApart: 0.004 });
  const stuck = watchOverlap(0.01);
  stuck.note(0.008);
  expect(stuck).toMatchObject({ start: 0.01, peak: 0.01, apartAfter: Number.NaN, onceApart: 0 });
});

longTest('the tables of small worlds have what the scenes promise', () => {
  const size = { ...QUICK_SOLIDS, layers: 1, jellySteps: 40, beamSteps: 40, blocks: 2, stackSeconds: 3, headings: 2 };
  const result = benchSolids(size, () => {});
  expect(result.rows.map(({ scene }) => scene)).toEqual([
    'jelly',
    'bar, linear, 2 across',
    'bar, quadratic, 1 across',
    'stack of 2',
    'slope, 2 headings',
    'a block under 2000 times its mass, 2.5 s',
    'ball, corotated, nu 0.3, begun flat',
  ]);
  const [jelly, , , stack, slope, load, ball] = result.rows;
  expect([jelly.vertices, jelly.tetrahedra]).toEqual([500, 1536]);
  // The heap starts with cubes inside each other: they come apart at once, and stay so.
  expect(jelly.quality.overlapStart).toBeCloseTo(4.803, 2);
  expect(jelly.quality.apartAfter).toBeLessThanOrEqual(5);
  expect(jelly.quality).toMatchObject({ overlapOnceApart: 0, overlapEnd: 0 });
  expect(stack.quality.asleepAfter).toBeLessThan(3);
  expect(slope.quality.frictionOff).toBeLessThan(0.1);
  expect(slope.quality.speedAt99).toBeLessThan(0.1);
  expect(slope.quality.speedAt101).toBeGreaterThan(10);
  expect(load.quality.sagLeast).toBeGreaterThan(0.98);
  expect(load.quality.sagMost).toBeLessThan(1.02);
  expect(ball.quality.distortion).toBeLessThan(1);
  expect(ball.quality.inverted).toBe(0);
  const page = showSolidBench(result);
  expect(page).toMatch(/\| slope, 2 headings +\|/);
  expect(page).toMatch(/\| jelly +\| Rapier 0\.21\.0 +\| +28 +\| +68 +\|/);
});

test('it refuses flags that mean nothing to it', async () => {
  let err = '';
  const streams = { out: () => {}, err: (text: string) => (err += text), terminal: false };
  expect(await dispatch(['bench', 'solids', '--scans'], streams as Parameters<typeof dispatch>[1])).toBe(2);
  expect(err).toBe('stiction bench: --scans: not for solids\n');
});
