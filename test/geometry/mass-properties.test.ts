import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildHull } from '../../src/geometry/hull-build';
import {
  composeMass,
  type MassProperties,
  measureBox,
  measureCapsule,
  measureCone,
  measureCylinder,
  measureHull,
  measureSphere,
} from '../../src/geometry/mass-properties';

const NONE = [0, 0, 0, 1];
const boxPoints = (x: number, y: number, z: number) =>
  Array.from({ length: 8 }, (_, v) => [v & 1 ? x : -x, v & 2 ? y : -y, v & 4 ? z : -z]);

function expectClose(a: MassProperties, b: MassProperties, relative: number): void {
  const size = Math.cbrt(b.volume);
  expect(Math.abs(a.volume - b.volume)).toBeLessThan(relative * b.volume);
  for (let k = 0; k < 3; k++) expect(Math.abs(a.center[k] - b.center[k])).toBeLessThan(relative * size);
  const scale = Math.max(...b.inertia);
  for (let k = 0; k < 6; k++) expect(Math.abs(a.inertia[k] - b.inertia[k])).toBeLessThan(relative * scale);
}

/** Volume, centre and inertia of a body of revolution about y by integrating discs of radius r(y) (midpoint rule). */
function integrateDiscs(low: number, high: number, radius: (y: number) => number): MassProperties {
  const n = 200_000;
  const h = (high - low) / n;
  const sums = [0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const y = low + (i + 0.5) * h;
    const r2 = radius(y) ** 2;
    const area = Math.PI * r2 * h;
    sums[0] += area;
    sums[1] += area * y;
    sums[2] += area * y * y;
    sums[3] += (area * r2) / 4;
  }
  const [volume, first, second, disc] = sums;
  const middle = first / volume;
  const across = disc + second - volume * middle * middle;
  return { volume, center: [0, middle, 0], inertia: [across, 2 * disc, across, 0, 0, 0] };
}

test('round shapes agree with the integral over their discs', () => {
  const [r, h] = [0.7, 1.3];
  expectClose(
    measureSphere(r),
    integrateDiscs(-r, r, (y) => Math.sqrt(r * r - y * y)),
    1e-8,
  );
  expectClose(
    measureCylinder(r, h),
    integrateDiscs(-h, h, () => r),
    1e-8,
  );
  expectClose(
    measureCone(r, h),
    integrateDiscs(-h, h, (y) => (r * (h - y)) / (2 * h)),
    1e-8,
  );
  const cap = (y: number) => Math.sqrt(r * r - Math.max(0, Math.abs(y) - h) ** 2);
  expectClose(measureCapsule(r, h), integrateDiscs(-h - r, h + r, cap), 1e-8);
});

test('a box has its textbook inertia, and so has its hull anywhere', () => {
  expect(measureBox(1, 2, 3)).toEqual({ volume: 48, center: [0, 0, 0], inertia: [208, 160, 80, 0, 0, 0] });
  expectClose(measureHull(buildHull(boxPoints(1, 2, 3))), measureBox(1, 2, 3), 1e-13);
  const far = measureHull(buildHull(boxPoints(1, 2, 3).map(([x, y, z]) => [x + 100, y - 50, z + 20])));
  expectClose(far, { ...measureBox(1, 2, 3), center: [100, -50, 20] }, 1e-12);
});

test('the corner tetrahedron has the known volume, centre and products', () => {
  const m = measureHull(
    buildHull([
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]),
  );
  expect(m.volume).toBeCloseTo(1 / 6, 15);
  for (const c of m.center) expect(c).toBeCloseTo(0.25, 15);
  // About the origin ∫ x² = 1/60, ∫ x y = 1/120; moved to the centre by V/16 = 1/96.
  for (let k = 0; k < 3; k++) expect(m.inertia[k]).toBeCloseTo(2 * (1 / 60 - 1 / 96), 15);
  for (let k = 3; k < 6; k++) expect(m.inertia[k]).toBeCloseTo(-(1 / 120 - 1 / 96), 15);
});

test('a hull of a fine prism comes near its cylinder', () => {
  const rim = Array.from({ length: 120 }, (_, k) => (k * Math.PI) / 60);
  const points = [-1, 1].flatMap((y) => rim.map((t) => [0.5 * Math.cos(t), y, 0.5 * Math.sin(t)]));
  expectClose(measureHull(buildHull(points)), measureCylinder(0.5, 1), 2e-3);
});

test('cutting a box in two and putting it together again changes nothing', () => {
  const half = measureBox(0.5, 2, 3);
  const whole = composeMass([
    { mass: half, position: [-0.5, 0, 0], rotation: NONE },
    { mass: half, position: [0.5, 0, 0], rotation: NONE },
  ]);
  expectClose(whole, measureBox(1, 2, 3), 1e-14);
});

test('turning a part turns its inertia: the hull of the turned points says the same', () => {
  fc.assert(
    fc.property(
      fc.tuple(...Array.from({ length: 4 }, () => fc.double({ min: -1, max: 1, noNaN: true }))),
      fc.tuple(...Array.from({ length: 3 }, () => fc.double({ min: -2, max: 2, noNaN: true }))),
      (raw, position) => {
        const length = Math.hypot(...raw);
        fc.pre(length > 0.1);
        const q = raw.map((x) => x / length);
        const rotate = (v: number[]) => {
          const t = [2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]), 2 * (q[0] * v[1] - q[1] * v[0])];
          return [
            v[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1],
            v[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2],
            v[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0],
          ];
        };
        const composed = composeMass([{ mass: measureBox(0.3, 0.5, 1), position, rotation: q }]);
        const points = boxPoints(0.3, 0.5, 1).map((p) => rotate(p).map((x, k) => x + position[k]));
        expectClose(composed, measureHull(buildHull(points)), 1e-11);
      },
    ),
    { numRuns: 60 },
  );
});

test('the inertia tensor is positive definite and obeys the triangle inequality', () => {
  for (const m of [measureSphere(0.1), measureCapsule(0.2, 1), measureCylinder(1, 0.01), measureCone(2, 0.3)]) {
    const [x, y, z] = m.inertia;
    expect(Math.min(x, y, z)).toBeGreaterThan(0);
    expect(Math.max(x, y, z)).toBeLessThanOrEqual(x + y + z - Math.max(x, y, z));
  }
});
