// Shells' energies, gradients and Hessians against each other by differences, and what they keep.

import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random';
import { differentiateHinge, hingeAngle } from '../../../src/mechanics/shell/hinge';
import { createTriangleDerivatives, differentiateTriangle, readPlane } from '../../../src/mechanics/shell/membrane';

const plane = { along: 0, weft: 0, across: 0, shear: 0, viscous: 0 };
const COTTON = { half: 0.5e-3, modulus: 2e6, weft: 0, shear: 0, poisson: 0.3 };
readPlane(plane, COTTON);
// Dm⁻¹ of a triangle (0 0), (0.1 0), (0.03 0.08), its area.
const rest = new Float64Array([10, -3.75, 0, 12.5, 0.004, 0, 0, 0]);
const CORNERS = [0, 3, 6];
const random = createRandom(5);
const near = (amount: number) =>
  new Float64Array([0, 0, 0, 0.1, 0, 0, 0.03, 0.08, 0]).map((x) => x + amount * (2 * random() - 1));
const energyOf = (x: Float64Array) => {
  const out = createTriangleDerivatives();
  differentiateTriangle(out, plane, x, null, CORNERS, rest, 0);
  return out.energy;
};

describe('a triangle', () => {
  test('has no force without strain, moved and turned as it likes', () => {
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
    const x = [0, 0, 0, 0.1, 0, 0, 0.03, 0.08, 0];
    const turned = x.map((_, k) => {
      const [a, b, z] = x.slice(k - (k % 3), k - (k % 3) + 3);
      return 0.2 + [c * a, s * a + 0.8 * b - 0.6 * z, 0][k % 3] * 0 + [c * a - s * b, s * a + c * b, z][k % 3];
    });
    const out = createTriangleDerivatives();
    differentiateTriangle(out, plane, turned, turned, CORNERS, rest, 0);
    expect(out.energy).toBeLessThan(1e-25);
    expect(Math.max(...out.gradient.map(Math.abs))).toBeLessThan(1e-11);
  });

  test('uniaxial stress is E times strain, and it narrows by Poisson', () => {
    // Lateral strain that leaves no lateral stress.
    const stretch = 1e-4;
    const e = stretch + 0.5 * stretch * stretch;
    const lateral = Math.sqrt(1 - 2 * 0.3 * e) - 1;
    const x = new Float64Array([0, 0, 0, 0.1 * (1 + stretch), 0, 0, 0.03 * (1 + stretch), 0.08 * (1 + lateral), 0]);
    const out = createTriangleDerivatives();
    differentiateTriangle(out, plane, x, null, CORNERS, rest, 0);
    expect(out.energy / (0.004 * 0.5 * 2e6 * 1e-3 * e * e)).toBeCloseTo(1, 10);
  });

  test('woven, its Hessian is that of its energy, and definite; its axes are those of the rest shape', () => {
    const woven = { ...plane };
    readPlane(woven, { ...COTTON, weft: 1e5 });
    const at = (d: ArrayLike<number>) => {
      const out = createTriangleDerivatives();
      const x = new Float64Array([0, 0, 0, 0.1, 0, 0, 0.03, 0.08, 0]).map((v, k) => v + d[k]);
      differentiateTriangle(out, woven, x, x, CORNERS, rest, 0);
      return out;
    };
    // A hundredth along the second axis: E₂₂ = 0.01005 alone.
    const { energy } = at([0, 0, 0, 0, 0, 0, 0, 8e-4, 0]);
    expect(energy / (0.5 * 0.004 * ((1e-3 * 1e5) / 0.91) * 0.01005 ** 2)).toBeCloseTo(1, 9);
    const { hessian } = at(new Float64Array(9));
    for (let round = 0; round < 20; round++) {
      const d = Float64Array.from({ length: 9 }, () => 1e-7 * (random() - 0.5));
      let form = 0;
      for (let i = 0; i < 9; i++) for (let k = 0; k < 9; k++) form += 0.5 * d[i] * hessian[9 * i + k] * d[k];
      expect(form).toBeGreaterThan(0);
      expect(at(d).energy / form).toBeCloseTo(1, 4);
    }
  });

  test.each([0.01, 0.03])('gradient and Hessian follow from the energy, shaken by %f m', (amount) => {
    const x = near(amount);
    const out = createTriangleDerivatives();
    differentiateTriangle(out, plane, x, x, CORNERS, rest, 0);
    const h = 1e-6;
    const largest = Math.max(...out.gradient.map(Math.abs));
    for (let i = 0; i < 9; i++) {
      const moved = (by: number) => x.map((v, k) => (k === i ? v + by : v));
      expect(Math.abs((energyOf(moved(h)) - energyOf(moved(-h))) / (2 * h) - out.gradient[i])).toBeLessThan(
        1e-6 * largest,
      );
    }
  });

  test('a stretched one has the exact Hessian, any one a positive semi-definite one', () => {
    const x = near(0.004).map((v) => 1.15 * v);
    const out = createTriangleDerivatives();
    differentiateTriangle(out, plane, x, x, CORNERS, rest, 0);
    const largest = Math.max(...out.hessian.map(Math.abs));
    const h = 1e-6;
    const force = (y: Float64Array) => {
      const there = createTriangleDerivatives();
      differentiateTriangle(there, plane, y, null, CORNERS, rest, 0);
      return there.gradient;
    };
    for (let i = 0; i < 9; i++) {
      const [a, b] = [h, -h].map((by) => force(x.map((v, k) => (k === i ? v + by : v))));
      for (let k = 0; k < 9; k++)
        expect(Math.abs((a[k] - b[k]) / (2 * h) - out.hessian[9 * k + i])).toBeLessThan(1e-6 * largest);
    }
    for (let round = 0; round < 40; round++) {
      const y = near(0.05);
      differentiateTriangle(out, plane, y, near(0.05), CORNERS, rest, 0);
      const d = Float64Array.from({ length: 9 }, () => random() - 0.5);
      let form = 0;
      for (let i = 0; i < 9; i++) for (let k = 0; k < 9; k++) form += d[i] * out.hessian[9 * i + k] * d[k];
      expect(form).toBeGreaterThan(-1e-6 * largest);
      for (let i = 0; i < 9; i++) expect(out.hessian[9 * i + 8]).toBeCloseTo(out.hessian[72 + i], 6);
    }
  });
});

describe('a hinge', () => {
  const shaken = () =>
    new Float64Array([0, 0, 0, 0.02, 0.1, 0, -0.08, 0.03, 0, 0.09, 0.06, 0]).map((v) => v + 0.02 * (random() - 0.5));

  test('its angle is that between the faces, positive where the fold opens towards the normals', () => {
    for (const angle of [-3, -1.2, 0, 0.4, 2, 3.1]) {
      const x = [0, 0, 0, 0, 1, 0, -1, 0.3, 0, Math.cos(angle), 0.6, Math.sin(angle)];
      expect(hingeAngle(x, 3, [0, 1, 2, 3])).toBeCloseTo(angle, 12);
    }
  });

  test('its gradient is the derivative, without force or moment', () => {
    for (let round = 0; round < 10; round++) {
      const x = shaken();
      const g = new Float64Array(12);
      expect(differentiateHinge(g, x, 0, 3, 6, 9)).toBe(hingeAngle(x, 3, [0, 1, 2, 3]));
      const h = 1e-6;
      for (let i = 0; i < 12; i++) {
        const [a, b] = [h, -h].map((by) =>
          hingeAngle(
            x.map((v, k) => (k === i ? v + by : v)),
            3,
            [0, 1, 2, 3],
          ),
        );
        expect((a - b) / (2 * h) - g[i]).toBeCloseTo(0, 5);
      }
      for (let k = 0; k < 3; k++) {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        let sum = 0;
        let moment = 0;
        for (let n = 0; n < 12; n += 3) {
          sum += g[n + k];
          moment += x[n + i] * g[n + j] - x[n + j] * g[n + i];
        }
        expect(sum).toBeCloseTo(0, 10);
        expect(moment).toBeCloseTo(0, 10);
      }
    }
  });
});
