// Piles of 35 rocks (hulls of 8 to 13 points, mu = 1) as `run --dump-problem` gave them: 84 contacts of low rank.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readProblem } from '../../src/scene/problem';
import { type ContactProblem, contactProblemFromDense, velocityScale } from '../../src/solvers/contact-problem';
import { solveProximal } from '../../src/solvers/proximal-pivots';
import { residualOf } from '../../src/solvers/residual';
import { solveProblem } from '../../src/solvers/solve-problem';
import { contactProblemFromSparse } from '../../src/solvers/sparse-form';
import { bySuite, longTest } from '../setup/suite';
import { naturalMapOf } from '../validation/friction-problems';
import { assembleScene, stackOfBoxes } from './assemble-scenes';

function rocks(step: number): ContactProblem {
  const path = new URL(`../validation/rocks-35-${step}.problem.json.gz`, import.meta.url);
  const raw = JSON.parse(gunzipSync(readFileSync(path)).toString('utf8'));
  // The upper triangle is stored.
  const { entries } = raw.W as { entries: [number, number, number][] };
  for (const [i, j, x] of entries.slice()) if (i !== j) entries.push([j, i, x]);
  const file = readProblem(raw);
  if (file.form !== 'reduced') throw new Error('rocks: expected the reduced form');
  return contactProblemFromSparse(file.W, file.b, file.mu, file.bilateral);
}

describe('rock piles of low rank at mu = 1', () => {
  it.each(bySuite([220], [150, 220]))('step %i is solved to better than 1e-6, whatever is asked for', (step) => {
    // 1.6e-5 and 1.2e-5 were left by sets, sweeps, splitting and Newton steps.
    const problem = rocks(step);
    const r = new Float64Array(3 * problem.contactCount);
    const report = solveProblem(problem, r, r.slice(), { iterationLimit: 2500 });
    expect(report.residual).toBeLessThan(1e-6 * Math.min(1, velocityScale(problem)));
    expect(naturalMapOf(problem, r)).toBeLessThan(1e-5);
    expect(report.stages.map(({ solver }) => solver)).toContain('proximal');
  });

  longTest('more iterations never give a worse answer', () => {
    const problem = rocks(220);
    let last = Number.POSITIVE_INFINITY;
    for (const iterationLimit of [50, 200, 500, 900, 1100, 1200, 1300, 1400, 1700, 2000, 2500]) {
      const r = new Float64Array(3 * problem.contactCount);
      const { residual, iterations } = solveProblem(problem, r, r.slice(), { iterationLimit });
      expect(iterations).toBeLessThanOrEqual(iterationLimit);
      expect([iterationLimit, residual <= last]).toEqual([iterationLimit, true]);
      last = residual;
    }
  });
});

describe('proximal steps', () => {
  it('hold a stack under a thousandfold weight, return the best iterate and keep to their limit', () => {
    const problem = assembleScene(stackOfBoxes(8, 1000));
    const limits = { pivots: 200, proximalSteps: 40 };
    const target = 1e-9 * velocityScale(problem);
    let last = Number.POSITIVE_INFINITY;
    for (const stepLimit of [1, 10, 30, 60, 400]) {
      const r = new Float64Array(3 * problem.contactCount);
      const report = solveProximal(problem, r, { target, stepLimit, ...limits });
      expect(report.steps).toBeLessThanOrEqual(stepLimit);
      expect(report.residual).toBe(residualOf(r.slice(), problem, r));
      expect(report.residual).toBeLessThanOrEqual(last);
      last = report.residual;
    }
    expect(last).toBeLessThanOrEqual(target);
  });
});

describe('problems without solution', () => {
  it('name a contact that shows it: the one that the closing walls press hardest', () => {
    // A body free between two walls (contacts 1 and 2, the second comes faster), beside one that rests (contact 0).
    const W: number[] = [];
    const row = [1, 0, 0, -1, 0, 0];
    for (let i = 0; i < 9; i++) {
      for (let j = 0; j < 9; j++) {
        if (i < 3 || j < 3) W.push(i === j ? 1 : 0);
        else if (i % 3 === 0) W.push(row[i - 3] * row[j - 3]);
        else W.push(i === j ? 1 : 0);
      }
    }
    const problem = contactProblemFromDense(W, [-1, 0, 0, -0.5, 0, 0, -2, 0, 0], [0.3, 0.3, 0.3]);
    const r = new Float64Array(9);
    const report = solveProblem(problem, r, r.slice(), { iterationLimit: 400 });
    expect([report.status, report.impossibleContact]).toEqual(['no-solution', 2]);
    const solvable = contactProblemFromDense(W, [-1, 0, 0, -0.5, 0, 0, 2, 0, 0], [0.3, 0.3, 0.3]);
    expect(solveProblem(solvable, r, r.slice()).impossibleContact).toBeNull();
  });

  it('name the contact that is jammed on its own', () => {
    const v = [1, -2, 0];
    const W = v.flatMap((x) => v.map((y) => x * y));
    const r = new Float64Array(3);
    const report = solveProblem(contactProblemFromDense(W, [-1, -1, 0], [1]), r, r.slice(), { iterationLimit: 50 });
    expect([report.status, report.impossibleContact]).toEqual(['no-solution', 0]);
  });
});
