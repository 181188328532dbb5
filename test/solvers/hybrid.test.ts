import { describe, expect, it } from 'vitest';
import { NO_SOLUTION } from '../../src/core/contact-law-constants';
import { createGaussSeidelReport, defaultGaussSeidelOptions, solveGaussSeidel } from '../../src/solvers/gauss-seidel';
import { solveBracketed } from '../../src/solvers/local/bracketed';
import { chooseLocal, LOCAL_SOLVERS, stepIsotropic } from '../../src/solvers/local/choose-local';
import { createHybrid, createLocalCounts } from '../../src/solvers/local/hybrid';
import { solveNewton } from '../../src/solvers/local/newton';
import { residualOf } from '../../src/solvers/residual';
import { createScratch } from '../../src/solvers/scratch';
import { loadProblem } from '../validation/friction-problems';
import { assembleScene, stackOfBoxes } from './assemble-scenes';
import { randomContacts, scaleFreeNaturalMap } from './random-contacts';

describe('local solvers on random contacts up to condition 1e8, mu up to 2', () => {
  const contacts = randomContacts(20_000, 1e8, 4);

  it('bracketed and hybrid leave none above 1e-3', () => {
    const counts = createLocalCounts();
    let worstBracketed = 0;
    let worstHybrid = 0;
    const r = new Float64Array(3);
    for (const contact of contacts) {
      solveBracketed(r, 0, contact.W, 0, contact.b, 0, contact.mu);
      worstBracketed = Math.max(worstBracketed, scaleFreeNaturalMap(contact, r));
      r.fill(0);
      createHybrid(counts)(r, 0, contact.W, 0, contact.b, 0, contact.mu);
      worstHybrid = Math.max(worstHybrid, scaleFreeNaturalMap(contact, r));
    }
    expect(worstBracketed).toBeLessThan(1e-3);
    expect(worstHybrid).toBeLessThan(1e-3);
    expect(counts.calls).toBe(contacts.length);
    expect(counts.failures).toBe(0);
    // The fail-safes are needed: Newton from zero misses some of these.
    expect(counts.enumerative).toBeGreaterThan(0);
    expect(counts.enumerative).toBeLessThan(0.5 * contacts.length);
    expect(counts.bracketed).toBeLessThan(0.05 * contacts.length);
  });

  it('newton alone solves most, but not all', () => {
    const r = new Float64Array(3);
    let failures = 0;
    for (const contact of contacts) {
      r.fill(0);
      solveNewton(r, 0, contact.W, 0, contact.b, 0, contact.mu);
      if (scaleFreeNaturalMap(contact, r) > 1e-3) failures++;
    }
    expect(failures).toBeGreaterThan(0);
    expect(failures).toBeLessThan(0.3 * contacts.length);
  });

  it('the isotropic step repeated ends at the exact law where W is well conditioned', () => {
    const r = new Float64Array(3);
    for (const contact of randomContacts(500, 10, 9)) {
      r.fill(0);
      for (let k = 0; k < 2000; k++) stepIsotropic(r, 0, contact.W, 0, contact.b, 0, contact.mu);
      expect(scaleFreeNaturalMap(contact, r)).toBeLessThan(1e-6);
    }
  });
});

describe('hybrid local solver', () => {
  it('counts what it needed, and says when there is nothing to find', () => {
    const counts = createLocalCounts();
    const r = new Float64Array(3);
    const W = Float64Array.of(0, 0, 0, 0, 1, 0, 0, 0, 1);
    expect(createHybrid(counts)(r, 0, W, 0, Float64Array.of(-1, 0, 0), 0, 0.5)).toBe(NO_SOLUTION);
    expect(counts).toMatchObject({ calls: 1, enumerative: 1, bracketed: 1, noSolution: 1, failures: 1 });
    expect(r.every(Number.isFinite)).toBe(true);
  });

  it('keeps to its own three numbers of a longer array', () => {
    const r = Float64Array.of(9, 0, 0, 0, 9);
    const W = new Float64Array(11);
    W.set([15, -1, -2, -1, 14, 1, -2, 1, 16], 2);
    createHybrid()(r, 1, W, 2, Float64Array.of(5, -1, 2, 3), 1, 0.1);
    expect([r[0], r[4]]).toEqual([9, 9]);
    expect(Math.hypot(r[2], r[3])).toBeCloseTo(0.1 * r[1], 13);
  });
});

describe('sweeps', () => {
  const solve = (problem: ReturnType<typeof assembleScene>, options: Partial<typeof defaultGaussSeidelOptions>) => {
    const report = createGaussSeidelReport();
    const r = new Float64Array(3 * problem.contactCount);
    solveGaussSeidel(problem, r, createScratch(), { ...defaultGaussSeidelOptions, ...options }, report);
    return { report, r, residual: residualOf(new Float64Array(r.length), problem, r) };
  };

  it.each(LOCAL_SOLVERS)('end at the law with the %s local solver', (local) => {
    for (const name of ['Rover1039', 'NESpheres_10_1', 'FC3D_Example1']) {
      const { problem } = loadProblem(name);
      const { report, residual } = solve(problem, { local, sweepLimit: 3000 });
      expect([name, report.status]).toEqual([name, 'solved']);
      expect(residual).toBe(report.residual);
    }
    expect(typeof chooseLocal(local, null)).toBe('function');
  });

  it('with freezing reach the same residual with fewer local solves', () => {
    const problem = assembleScene(stackOfBoxes(4, 1));
    const plain = solve(problem, { local: 'hybrid', sweepLimit: 3000 });
    const frozen = solve(problem, { local: 'hybrid', sweepLimit: 3000, freezeSweeps: 10 });
    expect(plain.report.status).toBe('solved');
    expect(frozen.report.status).toBe('solved');
    expect(plain.report.frozenContacts).toBe(0);
    expect(frozen.report.frozenContacts).toBeGreaterThan(0);
    expect(frozen.report.solvedContacts).toBeLessThan(plain.report.solvedContacts);
    expect(frozen.report.solvedContacts + frozen.report.frozenContacts).toBe(
      frozen.report.sweeps * problem.contactCount,
    );
  });

  it('by default do not count, and keep their results of before: bracketed without freezing', () => {
    const problem = assembleScene(stackOfBoxes(3, 1));
    const { report } = solve(problem, {});
    expect(report).toMatchObject({ solvedContacts: 0, frozenContacts: 0, local: { calls: 0 } });
  });
});
