import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arctangent, cosine, sine } from '../../src/math/trigonometry';

const angle = fc.double({ min: -1000, max: 1000, noNaN: true });

describe('trigonometry', () => {
  it('agrees with the engine to the last digits over many turns', () => {
    fc.assert(
      fc.property(angle, (a) => {
        expect(Math.abs(sine(a) - Math.sin(a))).toBeLessThan(4e-16);
        expect(Math.abs(cosine(a) - Math.cos(a))).toBeLessThan(4e-16);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the relative accuracy of small sines', () => {
    for (let a = 1; a > 1e-300; a /= 7) expect(Math.abs(sine(a) / Math.sin(a) - 1)).toBeLessThan(4e-16);
  });

  it('has the exact values where they are exact', () => {
    expect([sine(0), cosine(0)]).toEqual([0, 1]);
    expect(sine(Math.PI / 2)).toBe(1);
    expect(cosine(Math.PI)).toBe(-1);
    expect(arctangent(0, 0)).toBe(0);
    expect(arctangent(1, 0)).toBe(Math.PI / 2);
    expect(arctangent(0, -1)).toBe(Math.PI);
  });

  it('finds the angle of every point, in all four quadrants and at all scales', () => {
    const number = fc.double({ min: -1e3, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(number, number, (y, x) => {
        fc.pre(x !== 0 || y !== 0);
        const expected = Math.atan2(y, x);
        // The sign of zero is not kept: -0 counts as 0. Subnormal numbers have fewer digits.
        const got = arctangent(y, x);
        if (y === 0) expect(Math.abs(got)).toBe(x < 0 ? Math.PI : 0);
        else expect(Math.abs(got - expected)).toBeLessThanOrEqual(1e-15 * Math.abs(expected) + 1e-320);
      }),
      { numRuns: 2000 },
    );
  });
});
