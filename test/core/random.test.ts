import { describe, expect, it } from 'vitest';
import { createRandom, nextWord } from '../../src/core/random';

describe('random', () => {
  it('repeats the published first words of xoshiro128** from state 1, 2, 3, 4', () => {
    const state = Uint32Array.of(1, 2, 3, 4);
    expect([nextWord(state), nextWord(state), nextWord(state), nextWord(state)]).toEqual([11520, 0, 5927040, 70819200]);
  });

  it('gives the same sequence for the same seed, unrelated ones for neighbours', () => {
    const take = (seed: number) => Array.from({ length: 8 }, createRandom(seed));
    expect(take(7)).toEqual(take(7));
    const seeds = [0, 1, 2, -1, 7, 7 + 2 ** 32, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    expect(new Set(seeds.map((seed) => take(seed)[0])).size).toBe(seeds.length);
  });

  it('is uniform in [0, 1): mean, variance and tenths of 100 000 numbers', () => {
    const next = createRandom(42);
    const bins = new Array<number>(10).fill(0);
    const n = 100_000;
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < n; i++) {
      const x = next();
      if (!(x >= 0 && x < 1)) throw new Error(`out of range: ${x}`);
      bins[Math.floor(x * 10)]++;
      sum += x;
      squares += x * x;
    }
    // Five standard deviations of each estimate.
    expect(Math.abs(sum / n - 0.5)).toBeLessThan((5 * Math.sqrt(1 / 12)) / Math.sqrt(n));
    expect(Math.abs(squares / n - 1 / 3)).toBeLessThan((5 * Math.sqrt(4 / 45)) / Math.sqrt(n));
    for (const bin of bins) expect(Math.abs(bin - n / 10)).toBeLessThan(5 * Math.sqrt(n * 0.09));
  });
});
