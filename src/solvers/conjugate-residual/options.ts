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
   * Contacts are evaluated every log₂(‖r‖/ε₁)/`intervalDivisor` iterations [-]. The paper's is 3;
   * with 5 twelve steps of elastic blocks take 1160 instead of 1388 iterations to 1e-6. Smaller: states go
   * stale; larger: more evaluations.
   */
  intervalDivisor: number;
  /**
   * What a change of friction must do to the residual, as a share of what is left of it, to be worth a restart [-];
   * smaller ones wait. 0: as the paper, every change counts at once (2278 instead of 2089 of the same iterations, with
   * the paper's ε_θ). Far above 1: frictions go stale.
   */
  frictionShare: number;
  /**
   * Cosine of ε_θ: directions of sliding friction less wrong than this wait until all else has converged [-]. The
   * paper's is cos 1.2° = 0.99978, with which the same steps take 2089 instead of 1388 iterations to 1e-6 and 7829
   * instead of 2689 to 1e-9, now that `frictionShare` says what waits. 1: none waits.
   */
  directionCosine: number;
}

export const defaultConjugateResidualOptions: ConjugateResidualOptions = {
  preconditioner: 'full',
  tolerance: 1e-8,
  constraintTolerance: 1e-6,
  errorTolerance: 0,
  iterationLimit: 2000,
  intervalDivisor: 5,
  frictionShare: 0.3,
  directionCosine: 1,
};
