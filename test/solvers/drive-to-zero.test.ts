/** The pivoting stage by itself, from empty sets. */
import { describe, expect, it } from 'vitest';
import type { ContactProblem } from '../../src/solvers/contact-problem';
import { contactProblemFromDense, velocityScale } from '../../src/solvers/contact-problem';
import { createDantzigReport, type DantzigReport } from '../../src/solvers/dantzig';
import { coneCrossing, driveToZero } from '../../src/solvers/dantzig/drive-to-zero';
import { type DantzigWork, openWork } from '../../src/solvers/dantzig/work';
import { residualOf } from '../../src/solvers/residual';
import { createScratch } from '../../src/solvers/scratch';
import { archOfBlocks, assembleScene, createRandom, stackOfBoxes } from './assemble-scenes';

interface Drive {
  ending: string;
  r: Float64Array;
  u: Float64Array;
  work: DantzigWork;
  report: DantzigReport;
}

function driveFromNothing(problem: ContactProblem, pivotLimit = 1000): Drive {
  const n = problem.contactCount;
  const work = openWork(problem, null, createScratch(), 1e-9);
  work.sets.fill(0);
  work.direction.fill(0);
  const r = new Float64Array(3 * n);
  const report = createDantzigReport();
  const ending = driveToZero(problem, work, r, 1e-9 * velocityScale(problem), pivotLimit, report);
  return { ending, r, u: new Float64Array(3 * n), work, report };
}

describe('the crossing of the cone', () => {
  it('is the smaller root of the quadratic, from inside', () => {
    // r = (1, 0, 0), growing along T1 by 2: meets mu = 0.5 at a quarter.
    expect(coneCrossing(1, 0, 0, 0, 2, 0, 0.5)).toBeCloseTo(0.25, 14);
    // The normal grows with it: 2t = 0.5(1 + t).
    expect(coneCrossing(1, 0, 0, 1, 2, 0, 0.5)).toBeCloseTo(1 / 3, 14);
    // Only the normal shrinks: 0.3 = 0.5(1 − t).
    expect(coneCrossing(1, 0.3, 0, -1, 0, 0, 0.5)).toBeCloseTo(0.4, 14);
  });

  it('at the border leaves at once, or at the far side', () => {
    expect(coneCrossing(1, 0.5, 0, 0, 1, 0, 0.5)).toBe(0);
    expect(coneCrossing(1, 0.5, 0, 0, -2, 0, 0.5)).toBeCloseTo(0.5, 14);
    expect(coneCrossing(0, 0, 0, 1, 2, 0, 0.5)).toBe(0);
  });

  it('satisfies the equation on random data', () => {
    const random = createRandom(5);
    for (let k = 0; k < 500; k++) {
      const mu = 0.2 + random();
      const n = 1 + random();
      const [a, b] = [mu * n * (random() - 0.5), mu * n * (random() - 0.5)];
      const d = [random() - 0.5, 4 * random() + 3, 4 * random() - 2];
      const t = coneCrossing(n, a, b, d[0], d[1], d[2], mu);
      if (t === 1) continue;
      const length = Math.sqrt((a + t * d[1]) ** 2 + (b + t * d[2]) ** 2);
      expect(length).toBeCloseTo(mu * (n + t * d[0]), 10);
    }
  });
});

describe('driving to zero', () => {
  it('brings a stack from empty sets to rest', () => {
    for (const count of [1, 2, 4, 8]) {
      const problem = assembleScene(stackOfBoxes(count, 10));
      const { ending, r, u, report } = driveFromNothing(problem);
      expect(ending).toBe('solved');
      expect(report.pivots).toBeGreaterThan(count);
      expect(report.pivots).toBeLessThan(30 * count);
      expect(residualOf(u, problem, r)).toBeLessThan(1e-8);
    }
  });

  it('is exact without friction, where directions play no part', () => {
    for (let count = 2; count < 8; count++) {
      const scene = stackOfBoxes(count, 1, 0);
      scene.bodies.forEach((body, k) => {
        body.velocity = [0, 0, k % 2 ? 0.3 : -0.2];
      });
      const problem = assembleScene(scene);
      const { ending, r, u, report } = driveFromNothing(problem);
      expect(ending).toBe('solved');
      expect(report.cycles).toBe(0);
      expect(residualOf(u, problem, r)).toBeLessThan(1e-8);
    }
  });

  it('stands an arch', () => {
    const problem = assembleScene(archOfBlocks(3, 0.4));
    const { ending, r, u } = driveFromNothing(problem);
    expect(ending).toBe('solved');
    expect(residualOf(u, problem, r)).toBeLessThan(1e-6);
  });

  it('keeps to its pivot limit', () => {
    const { ending, report } = driveFromNothing(assembleScene(stackOfBoxes(8)), 5);
    expect(ending).toBe('iteration-limit');
    expect(report.pivots).toBe(5);
  });

  it('sees the unbounded ray of the digging rod, and stops its foot', () => {
    const problem = contactProblemFromDense([1.6, 1.2, 0, 1.2, 3.4, 0, 0, 0, 1], [-0.1, 1, 0], [1.5]);
    const work = openWork(problem, null, createScratch(), 1e-9);
    work.direction.set([-1, 0]);
    work.sets[0] = 2;
    const r = Float64Array.of(0.01, -0.015, 0);
    const report = createDantzigReport();
    expect(driveToZero(problem, work, r, 1e-10, 50, report)).toBe('solved');
    expect(work.sets[0]).toBe(1);
    expect(r[0]).toBeCloseTo(0.385, 9);
  });
});
