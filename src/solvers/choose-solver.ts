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
