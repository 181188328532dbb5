// What the conjugate-residual solver is told. Defaults are those of the paper unless it says otherwise.

/** See preconditioner.ts. */
export type Preconditioner = 'full' | 'diagonal';

/** All names, the default first. */
export const PRECONDITIONERS: readonly Preconditioner[] = ['full', 'diagonal'];

export interface ConjugateResidualOptions {
  /** 'factored': needs an operator that solves. */
  preconditioner: Preconditioner | 'factored';
  /** ε₁: norm of the residual to reach, relative to that of the right-hand side [-]. Larger: friction creeps. */
  tolerance: number;
  /**
   * ε₂: how far active rows may be from u = 0, and the change of a contact, as a velocity, that is let go [m/s].
   * Larger: contacts sink in; smaller than rounding: contacts never settle.
   */
  constraintTolerance: number;
  /**
   * Error of an iterate that ends the solve whatever its residual says: of Coulomb's law at every contact, of
   * f + Hᵀ r − A v times what each unknown gives way [m/s]. Rows that contradict each other (more than the unknowns
   * can obey) leave a residual for ever, and an iterate good enough for a game long before. 0: never.
   */
  errorTolerance: number;
  /** Iterations at most, each one product with A [-]. */
  iterationLimit: number;
  /**
   * Contacts are evaluated every log₂(‖r‖/ε₁)/`intervalDivisor` iterations [-]. The paper's is 3, with
   * which twelve steps of elastic blocks take 1578 instead of 1526 iterations to 1e-6, and three steps of 120
   * rings 1653 instead of 1495. Smaller: states go stale; larger: more evaluations.
   */
  intervalDivisor: number;
  /**
   * What a change of friction must do to the residual, as a share of what is left of it, to be worth a restart [-];
   * smaller ones wait, and ever larger ones the more restarts there were (solve.ts). 0: as the paper, every change
   * counts at once. The blocks take 1401 iterations with 1 and 1622 with 5, the rings 1958 with 5. Far above 1:
   * frictions go stale.
   */
  frictionShare: number;
}

export const defaultConjugateResidualOptions: ConjugateResidualOptions = {
  preconditioner: 'full',
  tolerance: 1e-8,
  constraintTolerance: 1e-6,
  errorTolerance: 0,
  iterationLimit: 2000,
  intervalDivisor: 5,
  frictionShare: 3,
};
