import { expect, test } from 'vitest';
import { angularMomentum, rotationalEnergy, turnFreely } from '../../src/mechanics/rigid';

const length = (v: ArrayLike<number>) => Math.hypot(v[0], v[1], v[2]);

test('a symmetric top precesses about its angular momentum at |L|/I1', () => {
  const [i1, i3] = [2, 3];
  const inertia = [i1, i1, i3, 0, 0, 0];
  const inverse = inertia.map((i) => (i ? 1 / i : 0));
  const rotation = Float64Array.from([0, 0, 0, 1]);
  const spin = Float64Array.from([0.5, 0, 4]);
  const L = new Float64Array(3);
  angularMomentum(L, rotation, spin, inertia);
  const rate = length(L) / i1;
  const dt = 1 / 600;
  const steps = Math.round((2 * Math.PI) / rate / dt);
  // After one turn of the precession the symmetry axis is back where it was.
  const axis = () => {
    const [x, y, z, w] = rotation;
    return [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
  };
  let farthest = 0;
  for (let k = 0; k < steps; k++) {
    turnFreely(rotation, spin, inertia, inverse, dt);
    farthest = Math.max(farthest, Math.hypot(axis()[0], axis()[1]));
  }
  const cone = Math.acos(L[2] / length(L));
  expect(farthest).toBeCloseTo(Math.sin(2 * cone), 4);
  const error = Math.hypot(axis()[0], axis()[1]);
  expect(error).toBeLessThan(Math.sin(cone) * rate * dt);
});

test('an asymmetric body keeps its angular momentum to rounding and its energy', () => {
  const inertia = [1, 2, 3, 0.1, -0.2, 0.05];
  const [a, b, c, d, e, f] = inertia;
  const det = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e);
  const inverse = [b * c - f * f, a * c - e * e, a * b - d * d, e * f - d * c, d * f - b * e, d * e - a * f].map(
    (m) => m / det,
  );
  const rotation = Float64Array.from([0, 0, 0, 1]);
  const spin = Float64Array.from([0.02, 6, 0.01]);
  const before = new Float64Array(3);
  const after = new Float64Array(3);
  angularMomentum(before, rotation, spin, inertia);
  const energy = rotationalEnergy(rotation, spin, inertia);
  let worst = 0;
  for (let k = 0; k < 3600; k++) {
    turnFreely(rotation, spin, inertia, inverse, 1 / 60);
    worst = Math.max(worst, Math.abs(rotationalEnergy(rotation, spin, inertia) / energy - 1));
  }
  angularMomentum(after, rotation, spin, inertia);
  for (let k = 0; k < 3; k++) expect(after[k]).toBeCloseTo(before[k], 10);
  expect(worst).toBeLessThan(1e-10);
});
