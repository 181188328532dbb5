import { describe, expect, it } from 'vitest';
import { OPEN, SLIDE, STICK } from '../../src/core/contact-law-constants';
import { fischerBurmeister } from '../../src/math/second-order-cone';
import { localError } from '../../src/solvers/local/local-solver';
import { frictionFunction, solveNewton } from '../../src/solvers/local/newton';
import { frictionalError } from '../../src/solvers/residual';
import { createRandom } from './assemble-scenes';

describe('Fischer–Burmeister function of the cone', () => {
  const value = (x: number[], y: number[]): number[] => {
    const f = new Float64Array(3);
    fischerBurmeister(f, null, null, Float64Array.from(x), Float64Array.from(y));
    return Array.from(f);
  };

  it('vanishes for complementary pairs: either is zero, or both lie on opposite edges', () => {
    for (const [x, y] of [
      [
        [2, 1, 0.5],
        [0, 0, 0],
      ],
      [
        [0, 0, 0],
        [1, 0.2, -0.3],
      ],
      [
        [5, 3, 4],
        [10, -6, -8],
      ],
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
    ]) {
      for (const f of value(x, y)) expect(Math.abs(f)).toBeLessThan(1e-14);
    }
  });

  it('is (2 − √2)(1, 0, 0) at x = y = (1, 0, 0), and at −(1, 0, 0) as far the other way', () => {
    expect(value([1, 0, 0], [1, 0, 0])[0]).toBeCloseTo(2 - Math.SQRT2, 14);
    expect(value([-1, 0, 0], [-1, 0, 0])[0]).toBeCloseTo(-2 - Math.SQRT2, 14);
  });

  it('has the Jacobian of its finite differences', () => {
    const random = createRandom(11);
    const f = new Float64Array(3);
    const Jx = new Float64Array(9);
    const Jy = new Float64Array(9);
    for (let k = 0; k < 300; k++) {
      const x = Float64Array.from({ length: 3 }, () => 2 * random() - 1);
      const y = Float64Array.from({ length: 3 }, () => 2 * random() - 1);
      fischerBurmeister(f, Jx, Jy, x, y);
      for (const [at, J] of [
        [x, Jx],
        [y, Jy],
      ]) {
        for (let j = 0; j < 3; j++) {
          const h = 1e-6;
          const keep = at[j];
          at[j] = keep + h;
          const above = value(Array.from(x), Array.from(y));
          at[j] = keep - h;
          const below = value(Array.from(x), Array.from(y));
          at[j] = keep;
          for (let i = 0; i < 3; i++) expect(J[3 * i + j]).toBeCloseTo((above[i] - below[i]) / (2 * h), 5);
        }
      }
    }
  });

  it('has bounded derivatives on the edge of the cone and at the tip', () => {
    const f = new Float64Array(3);
    const Jx = new Float64Array(9);
    const Jy = new Float64Array(9);
    for (const [x, y] of [
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
      [
        [1, 1, 0],
        [2, 2, 0],
      ],
      [
        [1, 1, 0],
        [0, 0, 0],
      ],
    ]) {
      fischerBurmeister(f, Jx, Jy, Float64Array.from(x), Float64Array.from(y));
      for (const entry of [...Jx, ...Jy]) expect(Math.abs(entry)).toBeLessThanOrEqual(2);
    }
  });
});

describe('newton local solver', () => {
  it('measures the same error as the residual of all solvers, and its Jacobian is that of finite differences', () => {
    const random = createRandom(5);
    const f = new Float64Array(3);
    const J = new Float64Array(9);
    const u = new Float64Array(3);
    const W = Float64Array.of(1.2, 0.1, -0.2, 0.1, 0.9, 0.3, -0.2, 0.3, 0.9);
    for (let k = 0; k < 200; k++) {
      const mu = 0.1 + 1.5 * random();
      const b = Float64Array.from({ length: 3 }, () => 2 * random() - 1);
      const r = Float64Array.from({ length: 3 }, () => 2 * random() - 1);
      frictionFunction(f, J, u, W, b, mu, r);
      expect(Math.hypot(...f)).toBeCloseTo(frictionalError(1, mu, r, 0, u, 0), 13);
      const h = 1e-6;
      for (let j = 0; j < 3; j++) {
        const above = new Float64Array(3);
        const below = new Float64Array(3);
        const keep = r[j];
        r[j] = keep + h;
        frictionFunction(above, null, u, W, b, mu, r);
        r[j] = keep - h;
        frictionFunction(below, null, u, W, b, mu, r);
        r[j] = keep;
        for (let i = 0; i < 3; i++) expect(J[3 * i + j]).toBeCloseTo((above[i] - below[i]) / (2 * h), 4);
      }
    }
  });

  it('finds the one-contact answer of the published collection', () => {
    const W = Float64Array.of(15, -1, -2, -1, 14, 1, -2, 1, 16);
    const b = Float64Array.of(-1, 2, 3);
    const r = new Float64Array(3);
    expect(solveNewton(r, 0, W, 0, b, 0, 0.1)).toBe(SLIDE);
    expect(localError(r, 0, W, 0, b, 0, 0.1)).toBeLessThan(1e-12);
    expect(Math.hypot(r[1], r[2])).toBeCloseTo(0.1 * r[0], 14);
  });

  it('names the three cases, whatever the units', () => {
    const W = Float64Array.of(1, 0.1, 0, 0.1, 1, 0, 0, 0, 1);
    for (const size of [1e-8, 1, 1e8]) {
      const of = (b: number[], mu: number) => {
        const r = new Float64Array(3);
        return solveNewton(
          r,
          0,
          W,
          0,
          Float64Array.from(b, (x) => x * size),
          0,
          mu,
        );
      };
      expect(of([1, 3, 0], 0.5)).toBe(OPEN);
      expect(of([-1, 0.1, 0.1], 0.5)).toBe(STICK);
      expect(of([-1, 2, 1], 0.5)).toBe(SLIDE);
      expect(of([-1, 2, 1], 0)).toBe(SLIDE);
    }
  });
});
