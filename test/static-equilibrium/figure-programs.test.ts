// The programs of the paper's figures: every solver but Gauss–Seidel ends, and the complete
// factor needs by far the fewest steps.

import { describe, expect, it } from 'vitest';
import {
  createFigureSolvers,
  FIGURE_STRANDS,
  type FigureStrand,
  makeFigureProgram,
  traceSolver,
} from '../../src/static-equilibrium/figure-programs';
import { bySuite, longTest } from '../setup/suite';

/** Iterations of a solver; NaN where it does not converge. */
function iterationsOf(strand: FigureStrand, change: number, name: string, most = 10_000): number {
  const solver = createFigureSolvers().find((one) => one.name === name)!;
  const { converged, iterations, times, residuals } = traceSolver(
    makeFigureProgram(strand, change),
    solver,
    most,
    () => 0,
  );
  expect(times.length).toBe(iterations);
  expect(residuals.length).toBe(iterations);
  return converged ? iterations : Number.NaN;
}

const PRECONDITIONED = createFigureSolvers().filter(({ isPreconditioned }) => isPreconditioned);

describe('solvers on the programs of figures 8 and 9', () => {
  // With one fixed step for all unknowns incomplete factors and SSOR stood still after the first walls.
  longTest('MPRGP ends with every preconditioner on short strands, the complete factor first', () => {
    for (const strand of ['level', 'curl'] as const) {
      const counts = PRECONDITIONED.map(({ name }) => iterationsOf(strand, 0.4, name));
      for (const count of counts) expect(count).toBeGreaterThan(0);
      expect(counts[counts.length - 1]).toBe(Math.min(...counts));
    }
  });

  it('on the level strand the complete factor needs about as many as in table I', () => {
    // The paper: 122, 47, 19, 11, 2.
    const ours = [0.2, 0.3, 0.4, 0.5, 0.6].map((mu) => iterationsOf('level', mu, 'MPRGP, active-set-cholesky'));
    expect(ours[0]).toBeLessThan(122);
    expect(ours[1]).toBeLessThan(47);
    expect(Math.abs(ours[2] - 19)).toBeLessThan(6);
    expect(Math.abs(ours[3] - 11)).toBeLessThan(4);
    expect(ours[4]).toBeLessThan(8);
  });

  longTest('on a strand of 200 points it needs less than a tenth of what incomplete Cholesky does', () => {
    const complete = iterationsOf('long-level', 0.4, 'MPRGP, active-set-cholesky');
    const incomplete = iterationsOf('long-level', 0.4, 'MPRGP, incomplete-cholesky');
    expect(complete).toBeLessThan(incomplete / 10);
    expect(iterationsOf('long-level', 0.4, 'MPRGP, none', bySuite(200, 2000))).toBeNaN();
  });

  it('MPRGP with the complete factor does not crawl where many bounds are active', () => {
    for (const strand of FIGURE_STRANDS) {
      for (const change of bySuite([0.2, 0.6], [0.2, 0.3, 0.4, 0.5, 0.6])) {
        expect(iterationsOf(strand, change, 'MPRGP, active-set-cholesky', 500)).toBeGreaterThan(0);
      }
    }
  });

  it('the interior point method takes few iterations, projected Gauss–Seidel does not end', () => {
    expect(iterationsOf('level', 0.4, 'interior point')).toBeLessThan(15);
    expect(iterationsOf('level', 0.4, 'projected Gauss–Seidel', 2000)).toBeNaN();
  });
});
