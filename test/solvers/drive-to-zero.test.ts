/** The pivoting stage by itself, from empty sets. */
import { describe, expect, it } from 'vitest';
import { SLIDE } from '../../src/core/contact-law-constants';
import type { ContactProblem } from '../../src/solvers/contact-problem';
import { contactProblemFromDense, velocityScale } from '../../src/solvers/contact-problem';
import { createDantzigReport, type DantzigReport, defaultDantzigOptions } from '../../src/solvers/dantzig';
import { coneCrossing, driveToZero } from '../../src/solvers/dantzig/drive-to-zero';
import { type DantzigWork, openWork } from '../../src/solvers/dantzig/work';
import { residualOf } from '../../src/solvers/residual';
import { createScratch } from '../../src/solvers/scratch';
import { bySuite, longTest } from '../setup/suite';
import { loadProblem, problemNames } from '../validation/friction-problems';
import { archOfBlocks, assembleScene, createRandom, stackOfBoxes } from './assemble-scenes';
import { enumeratePlanar } from './enumerate-planar';
import { solveCold } from './solve-cold';

interface Drive {
  ending: string;
  r: Float64Array;
  u: Float64Array;
  work: DantzigWork;
  report: DantzigReport;
}

function driveFromNothing(problem: ContactProblem, pivotLimit = 1000): Drive {
  const n = problem.contactCount;
  const work = openWork(problem, null, createScratch(), defaultDantzigOptions.epsilon);
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

/** Residual of an answer relative to the largest |b| [-]. */
function errorOf(problem: ContactProblem, { r, u }: Drive): number {
  return residualOf(u, problem, r) / velocityScale(problem);
}

/** One planar body on n points that lean, thrown: rank 3 of 2n rows, T2 of each contact by itself. */
function planarBody(n: number, mu: number, seed: number): ContactProblem {
  const random = createRandom(7919 * seed);
  const rows: number[][] = [];
  for (let c = 0; c < n; c++) {
    const lean = 0.8 * (random() - 0.5);
    const [nx, ny] = [Math.sin(lean), Math.cos(lean)];
    const [x, y] = [2 * random() - 1, -0.3 - 0.5 * random()];
    const turn = Math.sqrt(1.5);
    rows.push([nx, ny, (x * ny - y * nx) * turn], [ny, -nx, (-x * nx - y * ny) * turn], []);
  }
  const dot = (a: number[], b: number[]) => a.reduce((sum, v, i) => sum + v * b[i], 0);
  const W = rows.flatMap((a, i) => rows.map((b, j) => (i === j && a.length === 0 ? 1 : b.length ? dot(a, b) : 0)));
  const v = [2 * random() - 1, -random(), random() - 0.5];
  return contactProblemFromDense(
    W,
    rows.map((row) => dot(row, v)),
    new Array(n).fill(mu),
  );
}

describe('driving to zero', () => {
  it('solves every stack shoved as one, and every one whose boxes are thrown apart', () => {
    let most = 0;
    for (let k = 0; k < 48; k++) {
      const count = 1 + (k % 6);
      const random = createRandom(k + 1);
      const scene = stackOfBoxes(count, 1, 0.3 + 0.05 * (k % 4), [0.7 - 0.1 * (k % 4), 0.2, 0]);
      if (k >= 24)
        for (const body of scene.bodies) body.velocity = [3 * random() - 1.5, 2 * random() - 1, random() - 0.5];
      const problem = assembleScene(scene);
      const drive = driveFromNothing(problem, 2000);
      expect([k, drive.ending, errorOf(problem, drive) < 1e-8]).toEqual([k, 'solved', true]);
      most = Math.max(most, drive.report.pivots / problem.contactCount);
    }
    expect(most).toBeLessThan(0.5 * defaultDantzigOptions.pivotLimit);
  });

  longTest('solves arches of 15 stones, standing and falling', () => {
    for (const thickness of bySuite([0.09, 0.12, 0.2], [0.09, 0.11, 0.12, 0.15, 0.2])) {
      const problem = assembleScene(archOfBlocks(15, thickness));
      const drive = driveFromNothing(problem, defaultDantzigOptions.pivotLimit * problem.contactCount);
      expect([thickness, drive.ending, errorOf(problem, drive) < 1e-8]).toEqual([thickness, 'solved', true]);
    }
  });

  longTest('solves the fourteen published problems of up to 110 contacts', () => {
    let solved = 0;
    for (const name of problemNames) {
      const { problem } = loadProblem(name);
      if (problem.contactCount > 110) continue;
      const drive = driveFromNothing(problem, defaultDantzigOptions.pivotLimit * problem.contactCount);
      expect([name, drive.ending, errorOf(problem, drive) < 1e-8]).toEqual([name, 'solved', true]);
      solved++;
    }
    expect(solved).toBe(14);
  });

  it('finds what enumeration finds where W is singular, and never says solved of anything else', () => {
    const missed: string[] = [];
    for (const mu of [0, 0.2, 0.5, 1]) {
      for (let seed = 1; seed <= 50; seed++) {
        const problem = planarBody(2 + (seed % 3), mu, seed);
        expect(enumeratePlanar(problem, 1e-8)).not.toBeNull();
        const drive = driveFromNothing(problem);
        expect([seed, drive.ending === 'solved']).toEqual([seed, errorOf(problem, drive) < 1e-8]);
        if (drive.ending !== 'solved') missed.push(`mu ${mu} seed ${seed}`);
        // All stages together miss none of them.
        expect([seed, solveCold(problem).report.status]).toEqual([seed, 'solved']);
      }
    }
    // With friction pivoting may cycle (Baraff 1994, §5.6), here on three; without, it must not.
    expect(missed.length).toBeLessThanOrEqual(3);
    expect(missed.filter((name) => name.startsWith('mu 0 '))).toEqual([]);
  });

  it('does not let a contact slide without a direction', () => {
    for (let count = 2; count <= 6; count++) {
      const problem = assembleScene(stackOfBoxes(count, 1, 0.4, [0.5, 0.2, 0]));
      const { work } = driveFromNothing(problem, 2000);
      for (let c = 0; c < problem.contactCount; c++) {
        if (work.sets[c] !== SLIDE) continue;
        expect(Math.hypot(work.direction[2 * c], work.direction[2 * c + 1])).toBeCloseTo(1, 12);
      }
    }
  });

  it('brings a stack from empty sets to rest', () => {
    for (const count of [1, 2, 4, 8]) {
      const problem = assembleScene(stackOfBoxes(count, 10));
      const { ending, r, u, report } = driveFromNothing(problem);
      expect(ending).toBe('solved');
      expect(report.pivots).toBeGreaterThan(count);
      expect(report.pivots).toBeLessThan(40 * count);
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
