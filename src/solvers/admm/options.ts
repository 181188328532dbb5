// What ADMM is told.

import type { LocalSolverName } from '../local/choose-local';

export interface AdmmOptions {
  /**
   * ADMM iterations at most, of an object on average [-]. Default 25, as in the paper.
   * Fewer: contacts give, friction creeps.
   */
  iterations: number;
  /** Gauss–Seidel sweeps per iteration [-]. Default 5. */
  sweeps: number;
  /** δ∞ to reach [m]. Default 1e-5, the paper's. */
  tolerance: number;
  /** Momentum of Algorithm 4. Default false. */
  acceleration: boolean;
  /**
   * Over-relaxation: the projection starts from p + relaxation (v − p), 1 … below 2 [-]. Default 1: the paper's.
   */
  relaxation: number;
  /** Sleeping contacts of §6.3.3. Default true. */
  sleeping: boolean;
  /** Change of a contact's velocity below which it sleeps, as a share of δ∞ [-]. Default 0.01. */
  sleepShare: number;
  /** Sweeps that it sleeps [-]. Default 10: to the end of the projection. */
  sleepSweeps: number;
  /** Objects that have converged rest (resting.ts); not with momentum. Default true. */
  resting: boolean;
  /** Cohesion of §6.3.1. Default true. */
  cohesion: boolean;
  /**
   * The answer is p, which obeys the contacts, instead of v, which has the lower
   * elastic energy (§6.2.7). Default true.
   */
  geometricCorrection: boolean;
  /** Nothing but the paper's algorithms: no further looks where a solve is cut short. Default false. */
  isPaper: boolean;
  /** Iterations between looks for new collisions [-]. Default 5. */
  newCollisionsEvery: number;
  /** Four-sided pyramid for comparison, where a contact is isotropic. Default exact. */
  frictionCone: 'exact' | 'pyramid';
  /** Local solver of contacts with rigid bodies. Default hybrid. */
  local: LocalSolverName;
}

export const defaultAdmmOptions: AdmmOptions = {
  iterations: 25,
  sweeps: 5,
  tolerance: 1e-5,
  acceleration: false,
  relaxation: 1,
  sleeping: true,
  sleepShare: 0.01,
  sleepSweeps: 10,
  resting: true,
  cohesion: true,
  geometricCorrection: true,
  isPaper: false,
  newCollisionsEvery: 5,
  frictionCone: 'exact',
  local: 'hybrid',
};
