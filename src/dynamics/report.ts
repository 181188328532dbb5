// What one step reports: counts, who solved what and how well, limits reached. One object a world, rewritten
// in place every step, so that reporting allocates nothing.

export interface StepReport {
  /** Bodies in the world, static ones included. */
  bodies: number;
  /** Bodies that move this step. */
  awake: number;
  /** Pairs of colliders with overlapping fat boxes. */
  pairs: number;
  /** Manifolds with at least one point among awake pairs. */
  contacts: number;
  /** Contact points of those. */
  points: number;
  /** Islands with contacts. */
  islands: number;
  solvers: {
    dantzig: {
      islands: number;
      /** Index-set changes. */
      pivots: number;
      /** Islands solved with the kept factor alone. */
      warm: number;
      /** Islands handed to Gauss–Seidel because pivoting cycled, met an unbounded ray or its limit. */
      fallbacks: number;
    };
    sweeps: { islands: number };
  };
  /** Worst residual of all islands (numerics: Fischer–Burmeister on the cone) [m/s]. */
  residual: number;
  /** Deepest penetration of an awake contact [m]. */
  penetration: number;
  /** Limits reached this step: each names the setting to raise. Empty if none. */
  limits: string[];
  /** Entities whose numbers went bad and that take no part any more. */
  quarantined: number[];
  /** Most step scratch ever used [B]. */
  scratchBytes: number;
  /** Memory in use [B]. */
  memoryBytes: number;
}

/** An empty report. Its real numbers live in an array: an object's field would box each new value. */
export function createStepReport(): StepReport {
  const reals = new Float64Array(2);
  return {
    bodies: 0,
    awake: 0,
    pairs: 0,
    contacts: 0,
    points: 0,
    islands: 0,
    solvers: { dantzig: { islands: 0, pivots: 0, warm: 0, fallbacks: 0 }, sweeps: { islands: 0 } },
    get residual() {
      return reals[0];
    },
    set residual(value) {
      reals[0] = value;
    },
    get penetration() {
      return reals[1];
    },
    set penetration(value) {
      reals[1] = value;
    },
    limits: [],
    quarantined: [],
    scratchBytes: 0,
    memoryBytes: 0,
  };
}
