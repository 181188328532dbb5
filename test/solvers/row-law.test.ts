// Blocks of rows with laws of their own, beside contacts: every solver against enumeration of all states.

import { describe, expect, it } from 'vitest';
import { OPEN, STICK } from '../../src/core/contact-law-constants';
import { createRandom } from '../../src/core/random';
import { createContactAdmmReport, defaultContactAdmmOptions, solveContactAdmm } from '../../src/solvers/contact-admm';
import { solveContactNewton } from '../../src/solvers/contact-newton';
import { type ContactProblem, contactProblemFromDense } from '../../src/solvers/contact-problem';
import { createDantzigReport, defaultDantzigOptions, solveDantzig } from '../../src/solvers/dantzig';
import { driveToZero } from '../../src/solvers/dantzig/drive-to-zero';
import { openWork } from '../../src/solvers/dantzig/work';
import { createGaussSeidelReport, defaultGaussSeidelOptions, solveGaussSeidel } from '../../src/solvers/gauss-seidel';
import { residualOf } from '../../src/solvers/residual';
import { LAW_BILATERAL, LAW_BOUNDED, LAW_COULOMB, setOfRows } from '../../src/solvers/row-law';
import { createScratch } from '../../src/solvers/scratch';

const LAWS = [LAW_COULOMB, LAW_BOUNDED, LAW_BILATERAL, LAW_BOUNDED];

/** W of full rank and bounds of every kind; contacts without friction, so that states can be enumerated. */
function mixedProblem(seed: number, blocks: number, mu: number): ContactProblem {
  const random = createRandom(seed);
  const side = 3 * blocks;
  const H = Array.from({ length: side * (side + 2) }, () => random() - 0.5);
  const W = new Float64Array(side * side);
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      for (let k = 0; k < side + 2; k++) W[i * side + j] += H[i * (side + 2) + k] * H[j * (side + 2) + k];
    }
  }
  const b = Array.from({ length: side }, () => 4 * random() - 2);
  const problem = contactProblemFromDense(W, b, new Array(blocks).fill(mu));
  problem.law = Uint8Array.from({ length: blocks }, (_, c) => LAWS[(c + seed) % LAWS.length]);
  problem.low = new Float64Array(side);
  problem.high = new Float64Array(side);
  for (let row = 0; row < side; row++) {
    const kind = Math.floor(4 * random());
    const bound = 2 * random();
    problem.low[row] = [Number.NEGATIVE_INFINITY, 0, -bound, 0][kind];
    problem.high[row] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, bound, 0][kind];
  }
  return problem;
}

/** The one answer, by trying every combination of rows at their bounds and free. */
function enumerate(problem: ContactProblem, W: (i: number, j: number) => number): Float64Array {
  const side = 3 * problem.contactCount;
  const low = new Float64Array(side);
  const high = new Float64Array(side);
  for (let row = 0; row < side; row++) {
    const law = (problem.law as Uint8Array)[(row / 3) | 0];
    const isNormal = row % 3 === 0;
    low[row] = law === LAW_BOUNDED ? problem.low[row] : law === LAW_BILATERAL ? Number.NEGATIVE_INFINITY : 0;
    high[row] =
      law === LAW_BOUNDED ? problem.high[row] : law === LAW_COULOMB && !isNormal ? 0 : Number.POSITIVE_INFINITY;
  }
  const states = new Array(side).fill(1);
  const choices = states.map((_, row) =>
    [0, 1, 2].filter((s) =>
      s === 0
        ? Number.isFinite(low[row])
        : s === 1
          ? low[row] < high[row]
          : Number.isFinite(high[row]) && high[row] > low[row],
    ),
  );
  const r = new Float64Array(side);
  const isSolved = (): boolean => {
    const free = [...Array(side).keys()].filter((row) => states[row] === 1);
    for (let row = 0; row < side; row++) r[row] = states[row] === 0 ? low[row] : states[row] === 2 ? high[row] : 0;
    const m = free.map((i) => {
      let right = -problem.b[i];
      for (let j = 0; j < side; j++) right -= W(i, j) * r[j];
      return [...free.map((j) => W(i, j)), right];
    });
    for (let k = 0; k < free.length; k++) {
      for (let i = 0; i < free.length; i++) {
        if (i === k) continue;
        const f = m[i][k] / m[k][k];
        for (let j = k; j <= free.length; j++) m[i][j] -= f * m[k][j];
      }
    }
    free.forEach((row, k) => {
      r[row] = m[k][free.length] / m[k][k];
    });
    for (let i = 0; i < side; i++) {
      let u = problem.b[i];
      for (let j = 0; j < side; j++) u += W(i, j) * r[j];
      if (states[i] === 1 && (r[i] < low[i] || r[i] > high[i])) return false;
      if (low[i] === high[i]) continue;
      if ((states[i] === 0 && u < 0) || (states[i] === 2 && u > 0)) return false;
    }
    return true;
  };
  const search = (row: number): boolean => {
    if (row === side) return isSolved();
    for (const state of choices[row]) {
      states[row] = state;
      if (search(row + 1)) return true;
    }
    return false;
  };
  if (!search(0)) throw new Error('no answer');
  return r;
}

function blockReader(problem: ContactProblem): (i: number, j: number) => number {
  return (i, j) => {
    const c = (i / 3) | 0;
    for (let k = problem.rowStart[c]; k < problem.rowStart[c + 1]; k++) {
      if (problem.column[k] === ((j / 3) | 0)) return problem.values[9 * k + 3 * (i % 3) + (j % 3)];
    }
    return 0;
  };
}

describe('rows with laws of their own', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])('are solved as enumeration does, by every solver (%i)', (seed) => {
    const problem = mixedProblem(seed, 3, 0);
    const right = enumerate(problem, blockReader(problem));
    const near = (r: Float64Array): void => {
      for (let i = 0; i < r.length; i++) expect(r[i]).toBeCloseTo(right[i], 6);
    };
    const u = new Float64Array(right.length);
    expect(residualOf(u, problem, right)).toBeLessThan(1e-9);

    const dantzig = new Float64Array(right.length);
    const report = createDantzigReport();
    solveDantzig(problem, dantzig, new Int32Array(3), null, createScratch(), defaultDantzigOptions, report);
    expect(report.status).toBe('solved');
    near(dantzig);

    const swept = new Float64Array(right.length);
    const options = { ...defaultGaussSeidelOptions, tolerance: 1e-11, sweepLimit: 20_000 };
    solveGaussSeidel(problem, swept, createScratch(), options, createGaussSeidelReport());
    near(swept);

    const split = new Float64Array(right.length);
    const admm = { ...defaultContactAdmmOptions, tolerance: 1e-11, iterationLimit: 20_000 };
    solveContactAdmm(problem, split, admm, createContactAdmmReport());
    near(split);

    const stepped = swept.map((x) => 0.9 * x);
    solveContactNewton(problem, stepped, 1e-11, 200);
    near(stepped);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('are driven to zero by pivoting alone (%i)', (seed) => {
    const problem = mixedProblem(seed, 3, 0);
    const right = enumerate(problem, blockReader(problem));
    const r = new Float64Array(9);
    const work = openWork(problem, null, createScratch(), 1e-9);
    for (let c = 0; c < 3; c++) {
      const law = (problem.law as Uint8Array)[c];
      work.sets[c] = law === LAW_BOUNDED ? setOfRows(problem, r, c) : law === LAW_BILATERAL ? STICK : OPEN;
    }
    const counts = { outerPasses: 0, factorRebuilds: 0, factorUpdates: 0, pivots: 0, cycles: 0, rays: 0 };
    expect(driveToZero(problem, work, r, 1e-9, 400, counts)).toBe('solved');
    for (let i = 0; i < 9; i++) expect(r[i]).toBeCloseTo(right[i], 6);
  });

  it('meet contacts with friction: the residual of pivoting is that of an answer', () => {
    let unsolved = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const problem = mixedProblem(seed, 6, 0.4);
      const r = new Float64Array(18);
      const report = createDantzigReport();
      solveDantzig(problem, r, new Int32Array(6), null, createScratch(), defaultDantzigOptions, report);
      if (report.status !== 'solved') unsolved++;
    }
    expect(unsolved).toBe(0);
  });

  it('are read as an error where a motor is beyond its force or a limit pulls', () => {
    const problem = contactProblemFromDense([1, 0, 0, 0, 1, 0, 0, 0, 1], [-2, -2, 3], [0]);
    problem.law = Uint8Array.of(LAW_BOUNDED);
    problem.low = Float64Array.of(0, -1, 0);
    problem.high = Float64Array.of(Number.POSITIVE_INFINITY, 1, Number.POSITIVE_INFINITY);
    const u = new Float64Array(3);
    expect(residualOf(u, problem, Float64Array.of(2, 1, 0))).toBe(0);
    expect(residualOf(u, problem, Float64Array.of(2, 2, 0))).toBeCloseTo(1, 12);
    expect(residualOf(u, problem, Float64Array.of(2, 1, -1))).toBeCloseTo(1, 12);
    expect(residualOf(u, problem, Float64Array.of(1, 1, 0))).toBeCloseTo(1, 12);
  });
});
