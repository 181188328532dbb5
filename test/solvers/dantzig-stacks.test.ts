/** Rank-deficient islands: stacks, arches, cards; kept factors, limits, repeatability. */
import { describe, expect, it } from 'vitest';
import { OPEN } from '../../src/core/contact-law-constants';
import { velocityScale } from '../../src/solvers/contact-problem';
import { createDantzigReport, defaultDantzigOptions, solveDantzig } from '../../src/solvers/dantzig';
import { residualOf } from '../../src/solvers/residual';
import { createScratch } from '../../src/solvers/scratch';
import { archOfBlocks, assembleScene, cardPair, GRAVITY, STEP, stackOfBoxes } from './assemble-scenes';
import { createCache, solveAgain, solveCold } from './solve-cold';

describe('stacks of boxes at rest', () => {
  it.each([2, 3, 5, 10, 20, 30])('%i boxes stand, top 1 to 10 000 times as heavy', (count) => {
    for (const ratio of [1, 10, 100, 1e3, 1e4]) {
      const problem = assembleScene(stackOfBoxes(count, ratio));
      const { r, u, report } = solveCold(problem);
      expect(report.status).toBe('solved');
      expect(report.fallback).toBe(false);
      for (const v of u) expect(Math.abs(v)).toBeLessThan(2e-8 * GRAVITY * STEP);
      // Each interface carries the weight above it.
      for (let k = 0; k < count; k++) {
        let carried = 0;
        for (let i = 0; i < 4; i++) carried += r[3 * (4 * k + i)];
        const weight = (count - 1 - k + ratio) * GRAVITY * STEP;
        expect(Math.abs(carried / weight - 1)).toBeLessThan(1e-6);
      }
    }
  });

  it('load the four corners of a face alike', () => {
    const { r } = solveCold(assembleScene(stackOfBoxes(4, 50)));
    for (let k = 0; k < 4; k++) {
      const loads = [0, 1, 2, 3].map((i) => r[3 * (4 * k + i)]);
      expect(Math.max(...loads) / Math.min(...loads)).toBeLessThan(1.5);
    }
  });

  it('stand with every contact doubled', () => {
    const scene = stackOfBoxes(5, 20);
    scene.points.push(...scene.points.map((p) => ({ ...p })));
    const { u, report } = solveCold(assembleScene(scene));
    expect(report.status).toBe('solved');
    for (const v of u) expect(Math.abs(v)).toBeLessThan(1e-8);
  });

  it('are not pivoted for what rounding leaves of them, where that is good enough', () => {
    const problem = assembleScene(stackOfBoxes(6, 50));
    // No pass gets there.
    const { report: pivoted } = solveCold(problem, { tolerance: 1e-30 });
    const { report } = solveCold(problem, { tolerance: 1e-30, enough: 1e-6 });
    expect(pivoted.pivots).toBeGreaterThan(0);
    expect(report.pivots).toBe(0);
    expect(report.status).not.toBe('solved');
    expect(report.residual).toBeLessThan(1e-6 * velocityScale(problem));
  });

  it('stand when the four gaps of a face differ in the last digits', () => {
    const scene = stackOfBoxes(8, 30);
    scene.points.forEach((p, i) => {
      p.gapRate = 1e-11 * ((i * 7) % 5);
    });
    const { report, u } = solveCold(assembleScene(scene));
    expect(report.status).toBe('solved');
    for (const v of u) expect(Math.abs(v)).toBeLessThan(1e-8);
  });

  it('open the gaps that are wide, and close no further than they are', () => {
    const scene = stackOfBoxes(3);
    scene.points.forEach((p, i) => {
      p.gapRate = i >= 4 && i < 8 ? 0.5 : 0;
    });
    const { sets, u, report } = solveCold(assembleScene(scene));
    expect(report.status).toBe('solved');
    for (let i = 4; i < 8; i++) {
      expect(sets[i]).toBe(OPEN);
      expect(u[3 * i]).toBeCloseTo(0.5 - GRAVITY * STEP, 8);
    }
  });
});

describe('stacks that move', () => {
  it('meet the tolerance when shoved, whole or one box of them', () => {
    for (let k = 0; k < 12; k++) {
      const count = 2 + (k % 6);
      const scene = stackOfBoxes(count, 1, 0.3 + 0.05 * (k % 5), k < 6 ? [0.7 - 0.1 * k, 0.2, 0] : [0, 0, 0]);
      if (k >= 6) scene.bodies[k % count].velocity = [0.5 + 0.2 * k, 0.3, 0];
      const problem = assembleScene(scene);
      const { r, u, report } = solveCold(problem);
      expect(report.status).toBe('solved');
      expect(residualOf(u, problem, r)).toBeLessThanOrEqual(1e-8 * velocityScale(problem));
    }
  });

  it('shoved below the limit of friction stop as one', () => {
    const { u } = solveCold(assembleScene(stackOfBoxes(3, 1, 0.5, [0.02, 0.01, 0])));
    for (const v of u) expect(Math.abs(v)).toBeLessThan(1e-8);
  });
});

describe('arches and cards', () => {
  it('an arch thicker than statics asks for stands', () => {
    for (const thickness of [0.12, 0.15, 0.2]) {
      const { u, report } = solveCold(assembleScene(archOfBlocks(15, thickness)));
      expect(report.status).toBe('solved');
      for (const v of u) expect(Math.abs(v)).toBeLessThan(1e-7);
    }
  });

  it('a thinner one begins to fall, hinges opening', () => {
    const { u, report } = solveCold(assembleScene(archOfBlocks(15, 0.095)));
    expect(report.status).toBe('solved');
    expect(Math.max(...u)).toBeGreaterThan(1e-4);
  });

  it('cards lean on each other with enough friction, and slip without', () => {
    const held = solveCold(assembleScene(cardPair(0.3, 0.7)));
    expect(held.report.status).toBe('solved');
    for (const v of held.u) expect(Math.abs(v)).toBeLessThan(1e-8);
    const slipping = solveCold(assembleScene(cardPair(0.5, 0.1)));
    expect(slipping.report.status).toBe('solved');
    expect(Math.max(...slipping.u.map(Math.abs))).toBeGreaterThan(1e-3);
  });
});

describe('kept factor and warm start', () => {
  const grown = (scene = stackOfBoxes(10, 20)) => assembleScene(scene);

  it('an unchanged problem needs no pass at all', () => {
    const problem = grown();
    const cache = createCache(problem.contactCount);
    const answer = solveCold(problem, {}, cache);
    solveAgain(problem, answer, {}, cache);
    expect(answer.report.outerPasses).toBe(0);
    expect(answer.report.factorRebuilds).toBe(0);
    expect(answer.report.status).toBe('solved');
  });

  it('serves another right-hand side and a W changed in its last digits', () => {
    const problem = grown();
    const cache = createCache(problem.contactCount);
    const answer = solveCold(problem, {}, cache);
    for (let k = 1; k <= 5; k++) {
      for (let i = 0; i < 3 * problem.contactCount; i++) problem.b[i] *= 1.01;
      for (let i = 0; i < 9 * problem.rowStart[problem.contactCount]; i++) problem.values[i] *= 1 + 1e-12 * k;
      solveAgain(problem, answer, {}, cache);
      expect(answer.report.status).toBe('solved');
      expect(answer.report.outerPasses).toBeGreaterThan(0);
      expect(answer.report.factorRebuilds).toBe(0);
      for (const v of answer.u) expect(Math.abs(v)).toBeLessThan(1e-8);
    }
  });

  it('is formed anew, once, when W has become another one', () => {
    const cache = createCache(40);
    const answer = solveCold(grown(stackOfBoxes(10, 1)), {}, cache);
    solveAgain(grown(stackOfBoxes(10, 300)), answer, {}, cache);
    expect(answer.report.status).toBe('solved');
    expect(answer.report.factorRebuilds).toBe(1);
  });

  it('is changed by rows when one contact leaves', () => {
    const scene = stackOfBoxes(6, 1, 0);
    const cache = createCache(scene.points.length);
    const answer = solveCold(assembleScene(scene), {}, cache);
    scene.points[21].gapRate = 1;
    solveAgain(assembleScene(scene), answer, {}, cache);
    expect(answer.report.status).toBe('solved');
    expect(answer.sets[21]).toBe(OPEN);
    expect(answer.report.factorUpdates).toBeGreaterThan(0);
    expect(answer.report.factorRebuilds).toBe(0);
  });

  it('is ignored once the caller has cleared it, or it is too small', () => {
    const problem = grown();
    const cache = createCache(problem.contactCount);
    const answer = solveCold(problem, {}, cache);
    expect(cache.i32[0]).toBe(40);
    cache.i32[0] = 0;
    for (let i = 0; i < 120; i++) problem.b[i] *= 1.01;
    solveAgain(problem, answer, {}, cache);
    expect(answer.report.factorRebuilds).toBe(1);
    const small = createCache(problem.contactCount);
    small.f64Length = 10;
    const other = solveCold(problem, {}, small);
    expect(other.report.status).toBe('solved');
    expect(small.i32[0]).toBe(0);
  });

  it('repeats bit for bit from a copy of its memory', () => {
    const problem = grown();
    const cache = createCache(problem.contactCount);
    const answer = solveCold(problem, {}, cache);
    const copy = { ...cache, f64: cache.f64.slice(), i32: cache.i32.slice() };
    const again = { ...answer, r: answer.r.slice(), u: answer.u.slice(), sets: answer.sets.slice() };
    for (let i = 0; i < 120; i++) problem.b[i] *= 1.02;
    solveAgain(problem, answer, {}, cache);
    solveAgain(problem, again, {}, copy);
    expect(Array.from(again.r)).toEqual(Array.from(answer.r));
    expect(Array.from(copy.f64)).toEqual(Array.from(cache.f64));
  });

  it('borrows the same scratch arrays again and again', () => {
    const problem = grown();
    const answer = solveCold(problem);
    let made = 0;
    const scratch = createScratch((n) => {
      made++;
      return new Float64Array(n);
    });
    const report = createDantzigReport();
    solveDantzig(problem, answer.r, answer.sets, null, scratch, defaultDantzigOptions, report);
    const first = made;
    for (let k = 0; k < 5; k++) {
      scratch.reset();
      solveDantzig(problem, answer.r, answer.sets, null, scratch, defaultDantzigOptions, report);
    }
    expect(made).toBe(first);
  });
});

describe('limits and bad input', () => {
  it('all iteration limits hold, and the best iterate comes back with its residual', () => {
    const problem = assembleScene(stackOfBoxes(8, 1, 0.5, [1, 0.3, 0]));
    const options = { passLimit: 2, guessRounds: 1, pivotLimit: 0, fallbackSweeps: 7 };
    const { r, u, report } = solveCold(problem, options);
    expect(report.status).not.toBe('solved');
    expect(report.fallback).toBe(true);
    expect(report.fallbackSweeps).toBeLessThanOrEqual(7);
    expect(report.pivots).toBeLessThanOrEqual(2 * 20);
    expect(report.outerPasses).toBeLessThanOrEqual(2 * 5);
    expect(report.residual).toBe(residualOf(u, problem, r));
    const start = residualOf(new Float64Array(u.length), problem, new Float64Array(u.length));
    expect(report.residual).toBeLessThan(start);
  });

  it('a NaN start is replaced, a NaN problem returned as not finite', () => {
    const problem = assembleScene(stackOfBoxes(2));
    const answer = solveCold(problem);
    answer.r[4] = Number.NaN;
    solveAgain(problem, answer);
    expect(answer.report.status).toBe('solved');
    problem.b[7] = Number.NaN;
    solveAgain(problem, answer);
    expect(answer.report.status).toBe('not-finite');
    expect(answer.r.every((v) => v === 0)).toBe(true);
  });

  it('a contact between immovable bodies is left open and reported', () => {
    const scene = stackOfBoxes(1);
    scene.points.push({ a: -1, b: -1, at: [3, 0, 0], normal: [0, 0, 1], mu: 0.5, gapRate: -0.1 });
    const { r, report } = solveCold(assembleScene(scene));
    expect(report.status).not.toBe('solved');
    expect(report.residual).toBeCloseTo(0.2, 6);
    expect(Array.from(r.slice(12))).toEqual([0, 0, 0]);
  });

  it('no contacts are no problem', () => {
    const scene = stackOfBoxes(1);
    scene.points.length = 0;
    expect(solveCold(assembleScene(scene)).report.status).toBe('solved');
  });
});
