/**
 * Which solver an island gets: a pure function of counts, so that runs repeat bit for bit.
 *
 * Dantzig pivoting is exact, and cheap while sets change little; its cost grows with the square to
 * the cube of the clamped rows. Above the threshold sweeps take over.
 */

export type SolverName = 'dantzig' | 'gauss-seidel';

/** Contacts up to which an island is pivoted. Larger: exact but slow steps; smaller: sagging stacks. */
export const DANTZIG_CONTACT_LIMIT = 128;

/** The solver for an island of so many contacts (a joint row triple counts as one) [-]. */
export function chooseSolver(contactCount: number, limit: number = DANTZIG_CONTACT_LIMIT): SolverName {
  return contactCount <= limit ? 'dantzig' : 'gauss-seidel';
}
