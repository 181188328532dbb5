/**
 * Which solver an island gets: a pure function of counts, so that runs repeat bit for bit.
 *
 * Dantzig pivoting is exact, and cheap while sets change little; its cost grows with the square to
 * the cube of the clamped rows. Above the threshold sweeps take over.
 */

export type SolverName = 'dantzig' | 'gauss-seidel';

/** The solver for an island of so many contacts, pivoted up to `limit` of them (settings.dantzigContacts) [-]. */
export function chooseSolver(contactCount: number, limit: number): SolverName {
  return contactCount <= limit ? 'dantzig' : 'gauss-seidel';
}

/** Solvers of elastic objects and of the bodies they touch. */
export type ElasticSolverName = 'admm' | 'conjugate-residual';

/**
 * The solver of a world's elastic objects. Where `auto` could choose, ADMM is never slower by more than what one run
 * differs from the next, so it takes ADMM: a pure function of nothing. Steps of cubes of 0.4 m in double precision, a
 * third of the run left out [ms a step, median residual in m/s]; conjugate residuals with A factored, to an error of
 * tolerance/dt = 6e-4 m/s (since then they go on to a tenth of it, and take longer):
 *
 *   scene                        E [Pa]  contacts/unknown  ADMM 1e-5    ADMM 1e-6    conjugate residuals
 *   one of 27 vertices           1e4     0.11              4.1  1e-5    4.6  9e-7    4.3  7e-8
 *                                1e6     0.11              2.8  8e-4    2.3  1e-4    3.3  1e-4
 *                                1e8     0.11              2.2  2e-3    1.5  1e-4    2.6  2e-5
 *   one of 216                   1e4     0.06              61   5e-5    64   5e-6    66   4e-5
 *                                1e6     0.06              65   3e-3    58   3e-4    50   1e-4
 *                                1e8     0.06              52   3e-3    62   6e-4    57   6e-5
 *   two of 27 and a crate        1e4     0.45              11   4e-3    11   2e-3    61   9e-3
 *                                1e6     0.23              3.5  9e-4    4.0  1e-4    5.7  4e-4
 *                                1e8     0.20              3.0  3e-3    2.9  3e-4    3.9  4e-4
 *   two of 216 and a crate       1e4     0.08              113  9e-4    100  5e-4    299  5e-4
 *                                1e6     0.10              147  7e-3    155  1e-3    935  2e-3
 *                                1e8     0.09              125  1e-2    146  8e-4    141  3e-4
 *   four of 27                   1e4     0.97              14   9e-3    30   2e-3    156  1e-1
 *                                1e6     0.20              6.3  2e-3    6.6  2e-4    6.5  2e-4
 *                                1e8     0.19              5.5  7e-3    6.0  5e-4    6.5  5e-4
 *
 * Stiff solids with few contacts are a draw, at a smaller residual; soft ones with many contacts, rows that contradict
 * each other above all, take hundreds of iterations. The kernels, which only ADMM has, are faster than both.
 */
export function chooseElasticSolver(asked: 'auto' | ElasticSolverName): ElasticSolverName {
  return asked === 'auto' ? 'admm' : asked;
}
