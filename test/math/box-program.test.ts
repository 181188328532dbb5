// Quadratic programs with bounds: every solver and every preconditioner against the conditions of a minimum.

import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random';
import { solveFiltered } from '../../src/math/active-set-cholesky';
import { BAND_PRECONDITIONERS } from '../../src/math/band-preconditioners';
import { factorBanded, multiplyBanded } from '../../src/math/banded-ldl';
import { type BoxProgram, projectedGradient } from '../../src/math/box-program';
import { solveInteriorPoint } from '../../src/math/interior-point';
import { createMprgpWork, solveMprgp } from '../../src/math/mprgp';
import { solveProjectedGaussSeidel } from '../../src/math/projected-gauss-seidel';

const SIZE = 40;
const HALF = 5;

/** A random program: A = Bᵀ B + I of a banded B, bounds around 0, one in ten open. */
function randomProgram(seed: number): BoxProgram {
  const random = createRandom(seed);
  const width = HALF + 1;
  const A = new Float64Array(SIZE * width);
  const rows = Array.from({ length: SIZE }, () => Float64Array.from({ length: width }, () => 2 * random() - 1));
  for (let row = 0; row < SIZE; row++) {
    for (let a = 0; a < width; a++) {
      for (let b = 0; b <= a; b++) if (row + a < SIZE) A[width * (row + a) + a - b] += rows[row][a] * rows[row][b];
    }
    A[width * row] += 0.1;
  }
  const open = (value: number) => (random() < 0.1 ? value * Number.POSITIVE_INFINITY : value * random());
  return {
    ...{ size: SIZE, halfBandwidth: HALF, A, x: new Float64Array(SIZE) },
    b: Float64Array.from({ length: SIZE }, () => 4 * random() - 2),
    lower: Float64Array.from({ length: SIZE }, () => open(-1)),
    upper: Float64Array.from({ length: SIZE }, () => open(1)),
  };
}

/** Largest violation of the conditions of a minimum. */
function faultOf(program: BoxProgram): number {
  const { A, b, lower, upper, x } = program;
  const g = new Float64Array(SIZE);
  multiplyBanded(g, A, SIZE, HALF, x);
  let worst = 0;
  for (let i = 0; i < SIZE; i++) {
    g[i] -= b[i];
    worst = Math.max(worst, lower[i] - x[i], x[i] - upper[i]);
  }
  return Math.max(worst, projectedGradient(g, x, lower, upper, SIZE));
}

const STOPS = { absolute: 1e-10, relative: 0, mostIterations: 20_000 };

describe('programs with bounds', () => {
  for (const [name, create] of Object.entries(BAND_PRECONDITIONERS)) {
    it(`MPRGP with ${name} finds the minimum`, () => {
      for (let seed = 1; seed <= 20; seed++) {
        const program = randomProgram(seed);
        const result = solveMprgp(program, create(), STOPS, createMprgpWork(SIZE));
        expect(result.converged).toBe(true);
        expect(faultOf(program)).toBeLessThan(1e-9);
      }
    });
  }

  it('projected Gauss–Seidel and the interior point method find the same minimum', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const swept = randomProgram(seed);
      expect(solveProjectedGaussSeidel(swept, STOPS).converged).toBe(true);
      expect(faultOf(swept)).toBeLessThan(1e-9);
      const inner = randomProgram(seed);
      expect(solveInteriorPoint(inner, { ...STOPS, absolute: 1e-8, mostIterations: 60 }).converged).toBe(true);
      for (let i = 0; i < SIZE; i++) expect(inner.x[i]).toBeCloseTo(swept.x[i], 6);
    }
  });

  it('without active bounds MPRGP with the complete factor takes one iteration', () => {
    const program = randomProgram(3);
    program.lower.fill(Number.NEGATIVE_INFINITY);
    program.upper.fill(Number.POSITIVE_INFINITY);
    const factor = BAND_PRECONDITIONERS['active-set-cholesky']();
    expect(solveMprgp(program, factor, STOPS, createMprgpWork(SIZE)).iterations).toBe(1);
  });
});

describe('filtered substitution', () => {
  it('is the inverse without active bounds, and with them symmetric, positive and 0 on active unknowns', () => {
    const { A } = randomProgram(7);
    const factor = A.slice();
    expect(factorBanded(factor, 0, SIZE, HALF)).toBe(-1);
    const free = new Int8Array(SIZE);
    const r = Float64Array.from({ length: SIZE }, (_, i) => ((7 * i) % 11) - 5);
    const z = new Float64Array(SIZE);
    solveFiltered(z, factor, SIZE, HALF, r, free);
    const back = new Float64Array(SIZE);
    multiplyBanded(back, A, SIZE, HALF, z);
    for (let i = 0; i < SIZE; i++) expect(back[i]).toBeCloseTo(r[i], 10);

    const active = Int8Array.from({ length: SIZE }, (_, i) => [0, 0, -1, 0, 1][i % 5]);
    const column = (j: number): Float64Array => {
      const out = new Float64Array(SIZE);
      const unit = new Float64Array(SIZE);
      unit[j] = 1;
      solveFiltered(out, factor, SIZE, HALF, unit, active);
      return out;
    };
    const columns = Array.from({ length: SIZE }, (_, j) => column(j));
    for (let i = 0; i < SIZE; i++) {
      for (let j = 0; j < i; j++) expect(columns[i][j]).toBeCloseTo(columns[j][i], 10);
      if (active[i] !== 0) expect(columns[i].every((value) => value === 0)).toBe(true);
      else expect(columns[i][i]).toBeGreaterThan(0);
    }
  });
});
