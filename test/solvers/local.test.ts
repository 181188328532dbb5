import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPEN, SLIDE, STICK } from '../../src/core/contact-law-constants';
import { solveBracketed } from '../../src/solvers/local/bracketed';
import { solveIsotropic } from '../../src/solvers/local/isotropic';
import { frictionalError } from '../../src/solvers/residual';

/** W = Lᵀ L + floor·I from nine numbers: symmetric positive definite, condition up to about 1e8. */
function spd(l: number[], floor: number): Float64Array {
  const W = new Float64Array(9);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      for (let k = 0; k < 3; k++) W[3 * i + j] += l[3 * k + i] * l[3 * k + j];
    }
    W[4 * i] += floor;
  }
  return W;
}

function relativeError(W: Float64Array, b: Float64Array, r: Float64Array, mu: number): number {
  const u = [0, 1, 2].map((i) => b[i] + W[3 * i] * r[0] + W[3 * i + 1] * r[1] + W[3 * i + 2] * r[2]);
  const scale = (W[0] + W[4] + W[8]) / 3;
  const size = Math.sqrt(b[0] ** 2 + b[1] ** 2 + b[2] ** 2);
  return frictionalError(scale, mu, r, 0, u, 0) / ((1 + mu) * size);
}

describe('bracketed local solver', () => {
  it('obeys the law on random contacts of any scale and conditioning', () => {
    const number = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 9, maxLength: 9 }),
        fc.array(number, { minLength: 3, maxLength: 3 }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        fc.integer({ min: -6, max: 6 }),
        fc.integer({ min: -8, max: 0 }),
        (l, b3, mu, decade, floor) => {
          const b = Float64Array.from(b3);
          if (Math.abs(b[0]) + Math.abs(b[1]) + Math.abs(b[2]) < 1e-6) return;
          const W = spd(l, 10 ** floor).map((w) => w * 10 ** decade);
          const r = new Float64Array(3);
          solveBracketed(r, 0, W, 0, b, 0, mu);
          // At condition 1e8 the scale-free error of an f64 answer is 1e-8 at worst.
          expect(relativeError(W, b, r, mu)).toBeLessThan(1e-7);
        },
      ),
      { numRuns: 3000, seed: 7 },
    );
  });

  it('agrees with the exact isotropic solver in all three cases', () => {
    const W = Float64Array.of(2, 0, 0, 0, 2, 0, 0, 0, 2);
    for (const [b, state] of [
      [[0.1, 5, 5], OPEN],
      [[-4, 1, -1], STICK],
      [[-4, 3, 4], SLIDE],
      [[-4, 1.2, 1.6], STICK],
    ] as [number[], number][]) {
      const r = new Float64Array(3);
      const exact = new Float64Array(3);
      expect(solveBracketed(r, 0, W, 0, Float64Array.from(b), 0, 0.5)).toBe(state);
      expect(solveIsotropic(exact, 0, 2, Float64Array.from(b), 0, 0.5)).toBe(state);
      for (let i = 0; i < 3; i++) expect(r[i]).toBeCloseTo(exact[i], 12);
    }
  });

  it('slides without friction, and sticks with very much', () => {
    const W = spd([1, 0.3, 0, 0.2, 1, 0.1, 0, 0, 1], 0.1);
    const r = new Float64Array(3);
    const b = Float64Array.of(-1, 2, 3);
    expect(solveBracketed(r, 0, W, 0, b, 0, 0)).toBe(SLIDE);
    expect([r[1], r[2]]).toEqual([0, 0]);
    expect(r[0]).toBeCloseTo(1 / W[0], 12);
    expect(solveBracketed(r, 0, W, 0, b, 0, 1e6)).toBe(STICK);
    expect(relativeError(W, b, r, 1e6)).toBeLessThan(1e-12);
  });

  it('puts no impulse on a contact that nothing can move', () => {
    const r = Float64Array.of(1, 1, 1);
    expect(solveBracketed(r, 0, new Float64Array(9), 0, Float64Array.of(-1, 0, 0), 0, 0.5)).toBe(OPEN);
    expect(Array.from(r)).toEqual([0, 0, 0]);
  });

  it("answers Painlevé's rod with the impact that stops its foot", () => {
    // W of the validation table's sample (mu = 1.5 at 63.4 degrees), third axis independent.
    const W = Float64Array.of(1.6, 1.2, 0, 1.2, 3.4, 0, 0, 0, 1);
    const r = new Float64Array(3);
    expect(solveBracketed(r, 0, W, 0, Float64Array.of(-0.1, 1, 0), 0, 1.5)).toBe(STICK);
    expect(r[0]).toBeCloseTo((3.4 * 0.1 + 1.2) / 4, 12);
    expect(r[1]).toBeCloseTo((-1.2 * 0.1 - 1.6) / 4, 12);
  });
});
