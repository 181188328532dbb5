// What one step reports: counts, who solved what and how well, limits reached. One object a world, rewritten
// in place every step, so that reporting allocates nothing.

/** What the elastic solve of a step was like; zeros in a world without strands. */
export interface StrandReport {
  strands: number;
  /** Of these, strands that sleep. */
  asleep: number;
  nodes: number;
  /** Contacts of strands with strands and bodies. */
  contacts: number;
  /** Bodies solved together with strands. */
  bodies: number;
  /** ADMM iterations. */
  iterations: number;
  /** Gauss–Seidel sweeps of all iterations. */
  sweeps: number;
  /** δ∞ reached (Daviet 2020, Algorithm 2) [m]. */
  delta: number;
  /** Common residual of the forces found, with the scales of the ADMM's weights [m/s]. */
  residual: number;
  /**
   * Strands that were pushed at the end of the step, for they would have gone through each other (elastic.keepApart).
   */
  keptApart: number;
  /** Edges of shells that went through shells when the step began; they are drawn apart. */
  tangled: number;
  /** Strands that went from the CPU to a device, or back, as the step began. */
  moved: number;
  /** Strands quarantined so far. */
  quarantined: number;
}

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
  /**
   * Pairs whose contacts stayed those of the step's start, for their heap had too many that were about to touch: what
   * passes in there may be pushed by what it does not touch. 0 unless a large heap is on the move.
   */
  unforeseen: number;
  /**
   * Bodies whose way ended where they touched what they would have gone through, or deep into, and what joints hold to
   * them; see `continuous`.
   */
  stopped: number;
  /** Islands with contacts. */
  islands: number;
  solvers: {
    dantzig: {
      islands: number;
      /**
       * Passes over the sets: each a Newton step on all contacts of an island at once.
       * They are all that most islands need.
       */
      passes: number;
      /** Pivots (Baraff 1994): contacts changing sets one at a time, where the passes did not settle. */
      pivots: number;
      /** Of the islands, those solved with the kept factor alone, or still by the impulses of the step before. */
      warm: number;
      /** Islands handed to Gauss–Seidel because pivoting cycled, met an unbounded ray or its limit. */
      fallbacks: number;
    };
    contactAdmm: {
      /** Settled islands solved on a kept factor, and islands of many joints on one of each step. */
      islands: number;
      /** Splitting iterations, and sweeps of the jointed, of all of them; 0 when every warm start was good enough. */
      iterations: number;
      /** Factorisations completed in this step. */
      factorisations: number;
      /** Islands handed to the sweeps because the residual did not fall. */
      fallbacks: number;
    };
    sweeps: {
      islands: number;
      /** Sweeps of the step over contacts that still changed something, in numbers of sweeps over all of them. */
      further: number;
    };
    /**
     * Islands whose residual stayed above what their solver aims at: ten times `tolerance` by the exact solvers, 0.02
     * by the sweeps, relative to the largest free velocity.
     */
    approximate: number;
  };
  /** Joints that held in this step, those broken in it, and by how much they are off at its end [m], [rad]. */
  joints: { active: number; broken: number; error: number };
  /** Rods and grooms with the bodies they touch. */
  strands: StrandReport;
  /**
   * Worst residual of all islands (numerics: Fischer–Burmeister on the cone) [m/s]: of the velocities that move the
   * bodies and of those that they keep, after bounces and the correction of their energy.
   */
  residual: number;
  /** Deepest penetration of an awake contact [m]. */
  penetration: number;
  /** Limits reached this step: each names the setting to raise. Empty if none. */
  limits: string[];
  /** Entities whose numbers went bad and that take no part any more. */
  quarantined: number[];
  /**
   * Threads that work on a step, the caller's included; why they are fewer than asked for, '' if they are not; how long
   * each worked in this step on what they share, the caller's thread first [ms]. Empty on one thread, and without
   * `stageTimes`.
   */
  threads: { count: number; reason: string; busy: number[] };
  /** Most step scratch ever used [B]. */
  scratchBytes: number;
  /** Memory in use [B]. */
  memoryBytes: number;
}

/** Where the report's real numbers are among its reals. */
export const REAL = {
  RESIDUAL: 0,
  PENETRATION: 1,
  FURTHER: 2,
  JOINT_ERROR: 3,
  STRAND_DELTA: 4,
  STRAND_RESIDUAL: 5,
  COUNT: 6,
} as const;

/**
 * An empty report. Its real numbers live in `reals`, REAL.COUNT of them, where a step writes them: an object's field,
 * and a setter that is not inlined, would box each new value.
 */
export function createStepReport(reals = new Float64Array(REAL.COUNT)): StepReport {
  return {
    bodies: 0,
    awake: 0,
    pairs: 0,
    contacts: 0,
    points: 0,
    unforeseen: 0,
    stopped: 0,
    islands: 0,

    solvers: {
      dantzig: { islands: 0, passes: 0, pivots: 0, warm: 0, fallbacks: 0 },
      contactAdmm: { islands: 0, iterations: 0, factorisations: 0, fallbacks: 0 },
      sweeps: {
        islands: 0,
        get further() {
          return reals[REAL.FURTHER];
        },
        set further(value) {
          reals[REAL.FURTHER] = value;
        },
      },
      approximate: 0,
    },

    joints: {
      active: 0,
      broken: 0,
      get error() {
        return reals[REAL.JOINT_ERROR];
      },
      set error(value) {
        reals[REAL.JOINT_ERROR] = value;
      },
    },

    get residual() {
      return reals[REAL.RESIDUAL];
    },
    set residual(value) {
      reals[REAL.RESIDUAL] = value;
    },
    get penetration() {
      return reals[REAL.PENETRATION];
    },
    set penetration(value) {
      reals[REAL.PENETRATION] = value;
    },

    strands: {
      strands: 0,
      asleep: 0,
      nodes: 0,
      contacts: 0,
      bodies: 0,
      iterations: 0,
      sweeps: 0,
      get delta() {
        return reals[REAL.STRAND_DELTA];
      },
      set delta(value) {
        reals[REAL.STRAND_DELTA] = value;
      },
      get residual() {
        return reals[REAL.STRAND_RESIDUAL];
      },
      set residual(value) {
        reals[REAL.STRAND_RESIDUAL] = value;
      },
      keptApart: 0,
      tangled: 0,
      moved: 0,
      quarantined: 0,
    },

    limits: [],
    quarantined: [],
    threads: { count: 1, reason: '', busy: [] },
    scratchBytes: 0,
    memoryBytes: 0,
  };
}
