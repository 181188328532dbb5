import { describe, expect, it } from 'vitest';
import { MISSED, NO_SOLUTION, OPEN, SLIDE, STICK } from '../../src/core/contact-law-constants';
import { realRoots } from '../../src/math/quartic';
import { solveEnumerative } from '../../src/solvers/local/enumerative';
import { localError } from '../../src/solvers/local/local-solver';
import { createRandom } from './assemble-scenes';
import { randomContacts, scaleFreeNaturalMap } from './random-contacts';

/** Coefficients, lowest power first, of the product of (x − root). */
function expand(roots: number[]): number[] {
  let c = [1];
  for (const root of roots) {
    const next = new Array(c.length + 1).fill(0);
    c.forEach((value, i) => {
      next[i] -= root * value;
      next[i + 1] += value;
    });
    c = next;
  }
  return c;
}

function rootsOf(coefficients: number[]): number[] {
  const out = new Float64Array(4);
  const count = realRoots(out, coefficients, coefficients.length - 1);
  return Array.from(out.subarray(0, count));
}

describe('real roots', () => {
  it('finds four simple ones, spread over twelve decades', () => {
    const random = createRandom(2);
    for (let k = 0; k < 500; k++) {
      const expected = [0, 1, 2, 3].map(
        (i) => (random() < 0.5 ? -1 : 1) * (1 + i + 0.5 * random()) * 10 ** (3 * i - 6),
      );
      expected.sort((a, b) => a - b);
      const found = rootsOf(expand(expected));
      expect(found.length).toBe(4);
      found.forEach((x, i) => {
        expect(Math.abs(x / expected[i] - 1)).toBeLessThan(1e-9);
      });
    }
  });

  it('finds double, triple and fourfold ones once, to what their multiplicity leaves', () => {
    expect(rootsOf(expand([1, 1, -2, 3])).map((x) => Number(x.toFixed(6)))).toEqual([-2, 1, 3]);
    const triple = rootsOf(expand([2, 2, 2, -1]));
    expect(triple[0]).toBeCloseTo(-1, 10);
    expect(triple.at(-1)).toBeCloseTo(2, 4);
    expect(rootsOf([0, 0, 0, 0, 1])).toEqual([0]);
  });

  it('finds none where there are none, and takes lower degrees', () => {
    expect(rootsOf([1, 0, 2, 0, 1])).toEqual([]);
    expect(rootsOf([-4, 0, 1, 0, 0])).toEqual([-2, 2]);
    expect(rootsOf([-8, 0, 0, 1])).toEqual([2]);
    expect(rootsOf([3, -2])).toEqual([1.5]);
    expect(rootsOf([5])).toEqual([]);
    expect(rootsOf([0, 0, 0, 0, 0])).toEqual([]);
    expect(rootsOf([1, Number.NaN, 1, 1, 1])).toEqual([]);
  });
});

describe('enumerative local solver', () => {
  const solve = (W: number[], b: number[], mu: number) => {
    const r = Float64Array.of(7, 7, 7);
    const state = solveEnumerative(r, 0, Float64Array.from(W), 0, Float64Array.from(b), 0, mu);
    return { state, r: Array.from(r), error: localError(r, 0, Float64Array.from(W), 0, Float64Array.from(b), 0, mu) };
  };

  it('handles W = identity, where the quartic degenerates', () => {
    const eye = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    const { state, r } = solve(eye, [-1, 1, 3], 0.1);
    expect(state).toBe(SLIDE);
    expect(r[0]).toBeCloseTo(1, 13);
    expect(r[1]).toBeCloseTo(-0.1 / Math.sqrt(10), 13);
    expect(r[2]).toBeCloseTo(-0.3 / Math.sqrt(10), 13);
    expect(solve(eye, [-1, 0.03, 0.04], 0.1).state).toBe(STICK);
    expect(solve(eye, [1, 0.03, 0.04], 0.1)).toMatchObject({ state: OPEN, r: [0, 0, 0] });
    expect(solve(eye, [-1, 5, 0], 0)).toMatchObject({ state: SLIDE, r: [1, 0, 0] });
  });

  it('solves nearly all random contacts to 1e-3 at condition 1e8, and calls none of them unsolvable', () => {
    const contacts = randomContacts(5000, 1e8, 21);
    let failures = 0;
    for (const contact of contacts) {
      const r = new Float64Array(3);
      const state = solveEnumerative(r, 0, contact.W, 0, contact.b, 0, contact.mu);
      expect(state).not.toBe(NO_SOLUTION);
      if (state === MISSED || scaleFreeNaturalMap(contact, r) > 1e-3) failures++;
    }
    expect(failures).toBeLessThan(0.05 * contacts.length);
  });

  it('says that there is no solution where W is singular and b asks for the impossible', () => {
    // Nothing moves the normal.
    expect(solve([0, 0, 0, 0, 1, 0, 0, 0, 1], [-1, 0, 0], 0.5)).toMatchObject({ state: NO_SOLUTION, r: [0, 0, 0] });
    // Pushing and sliding move the contact only along v = (1, −2, 0); friction against the slide jams it.
    const v = [1, -2, 0];
    const W = v.flatMap((x) => v.map((y) => x * y));
    expect(solve(W, [-1, -1, 0], 1).state).toBe(NO_SOLUTION);
  });

  it('finds stick where W is singular and the wanted velocity is within reach', () => {
    // Rank 2: r_N and r_T1 only appear in one sum.
    const two = [1, 1, 0, 1, 1, 0, 0, 0, 1];
    const a = solve(two, [-1, -1, 0.1], 0.5);
    expect(a.state).toBe(STICK);
    expect(a.error).toBeLessThan(1e-9);
    // Rank 1 with b in its range.
    const one = [1, 0.5, 0, 0.5, 0.25, 0, 0, 0, 0];
    const c = solve(one, [-2, -1, 0], 0.3);
    expect(c.state).toBe(STICK);
    expect(c.error).toBeLessThan(1e-9);
  });

  it('agrees with Painlevé’s rod: of its answers the impact that stops the foot', () => {
    const { state, r } = solve([1.6, 1.2, 0, 1.2, 3.4, 0, 0, 0, 1], [-0.1, 1, 0], 1.5);
    expect(state).toBe(STICK);
    expect(r[0]).toBeCloseTo((3.4 * 0.1 + 1.2) / 4, 12);
    expect(r[1]).toBeCloseTo((-1.2 * 0.1 - 1.6) / 4, 12);
  });
});
