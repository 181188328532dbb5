// Settings of elastic objects (rods): unit, default, and what goes wrong when a value is too small or too large.

import { refuse, refuseKey, requireFlag, requireNonNegative, requirePositive } from '../core/errors';

/**
 * How elastic objects, and the bodies they touch, are advanced. On WebGPU (enableGpuStrands) `acceleration`, `profile`
 * 'paper', `solver` 'conjugate-residual', a pyramid and a `backend` other than 'auto' are refused: the handle says
 * which, and strands stay on wasm. `iterations`, `sweeps`, `newContactsEvery`, `resting` and `budget` are of the CPU:
 * that call has `iterations`, `sweeps`, `looks` and `budget` of its own. All others hold there, too.
 */
export interface ElasticSettings {
  /**
   * 'paper': Daviet 2020 to the letter, to compare with. Weights by 6.2.6, forces kept on the nodes, Algorithm 4,
   * velocities that obey the contacts, cohesion that falls off linearly with the gap, and nothing that the engine adds;
   * with its numbers (Table 5) where none are given: 25 iterations, 5 sweeps, 1e-5 m, two linearisations. Cloth and
   * solids on 'wasm' keep the engine's weights. Default 'engine': less is left over, in less time.
   */
  profile?: 'engine' | 'paper';
  /**
   * What solves them. Default 'auto': ADMM with matrix-free Gauss–Seidel (Daviet 2020). 'conjugate-residual': the
   * mixed system with a changing active set (Verschoor and Jalba 2019), contacts linearised anew until the end of the
   * step is free of collisions, up to 20 × `iterations`; in worlds with cloth or solids (others take ADMM), on the
   * reference backend ('auto' chooses it; 'wasm' is refused), without `acceleration` and with the exact cone.
   */
  solver?: 'auto' | 'admm' | 'conjugate-residual';
  /**
   * ADMM iterations a step at most, of a strand on average, for each island of things that touch or are joined.
   * Default 'auto': 25, with cloth or strands of less than ten times `tolerance` in radius (hair) 50, with solids in
   * the island or bodies on sheets 100 (a stack of ten blocks is not solved with 25: it sways and does not fall
   * asleep), and then `sweeps` is at least 40 where bodies lie on sheets or solids, 10 where solids touch. Fewer:
   * contacts give and friction creeps.
   */
  iterations?: number | 'auto';
  /** Gauss–Seidel sweeps an iteration. Default 5. */
  sweeps?: number;
  /**
   * δ∞ at which an island is done [m]. Default 1e-5. While a solid, or what bears bodies, has been calm for
   * `sleepDelay` and is awake all the same, a twentieth of it for its island, in 100 `iterations` where they are
   * 'auto': what is left would keep stacks awake, and boxes on ropes rocking.
   */
  tolerance?: number;
  /** Linearisations a step. Default 1; the paper takes 2. More: truer bending in large motions, each costs a solve. */
  newtonIterations?: number;
  /**
   * Momentum in the iterations (Daviet 2020, Algorithm 4), in place of over-relaxation and resting. Default false:
   * gains little. Not on WebGPU: strands then stay on wasm.
   */
  acceleration?: boolean;
  /** Lets contacts sleep that have converged (6.3.3). Default true. */
  sleeping?: boolean;
  /** Lets strands rest that have converged in the first half of the iterations: the others get theirs. Default true. */
  resting?: boolean;
  /**
   * Ends a step with velocities that obey the contacts (6.2.7) where those that also know the strand's elasticity would
   * leave a penetration of more than half a radius: nothing slips through when a solve is cut short. Default true.
   */
  geometricCorrection?: boolean;
  /**
   * Ends a step whose solve was cut short with a detection of strands that would go through each other all the same,
   * and pushes them apart. Default true. Costs a fiftieth of a step with 25 iterations, a sixth where 4 leave much to
   * do.
   */
  keepApart?: boolean;
  /** Looks for contacts along the whole step, so that nothing fast passes through. Default true. */
  continuous?: boolean;
  /** Iterations between looks for new contacts; 0: never within a step. Default 5. */
  newContactsEvery?: number;
  /** Where strands are advanced. Default 'auto': the fastest there is. 'reference': double precision, slow. */
  backend?: 'auto' | 'reference' | 'wasm';
  /**
   * Friction cone of contacts between strands and with what is fixed or driven. Default 'exact'. 'pyramid': four sides,
   * each axis of the tangent plane on its own, as in engines that linearise Coulomb's law: for comparison only, and
   * on the reference backend ('auto' chooses it; 'wasm' is refused).
   */
  frictionCone?: 'exact' | 'pyramid';
  /** Time a step's elastic solve may take [ms]; null: none, then steps repeat bit for bit. Default null. */
  budget?: number | null;
}

/** ADMM iterations that 'auto' means where there are no solids. */
export const USUAL_ITERATIONS = 25;

/** The same with cloth, and with strands so thin that what 25 leave is a good part of their radius. */
export const FINE_ITERATIONS = 50;

export type ResolvedElasticSettings = Readonly<Required<ElasticSettings>>;

export const ELASTIC_DEFAULTS: ResolvedElasticSettings = Object.freeze({
  profile: 'engine',
  solver: 'auto',
  iterations: 'auto',
  sweeps: 5,
  tolerance: 1e-5,
  newtonIterations: 1,
  acceleration: false,
  sleeping: true,
  resting: true,
  geometricCorrection: true,
  keepApart: true,
  continuous: true,
  newContactsEvery: 5,
  backend: 'auto',
  frictionCone: 'exact',
  budget: null,
});

/** What the paper's profile has in place of these. */
const PAPER_DEFAULTS: ResolvedElasticSettings = Object.freeze({
  ...ELASTIC_DEFAULTS,
  profile: 'paper',
  iterations: USUAL_ITERATIONS,
  newtonIterations: 2,
  acceleration: true,
  resting: false,
  keepApart: false,
});

/** Checks and completes them. Throws UsageError: `createPhysics: elastic.sweeps must be > 0, got 0`. */
export function resolveElasticSettings(where: string, given: ElasticSettings = {}): ResolvedElasticSettings {
  if (typeof given !== 'object' || given === null) refuse(where, 'elastic must be an object', given);

  for (const key of Object.keys(given)) {
    if (!(key in ELASTIC_DEFAULTS)) {
      refuseKey(where, key, Object.keys(ELASTIC_DEFAULTS), 'setting of elastic');
    }
  }
  if (given.profile !== undefined && !['engine', 'paper'].includes(given.profile)) {
    refuse(where, 'elastic.profile must be engine or paper', given.profile);
  }
  const s = { ...(given.profile === 'paper' ? PAPER_DEFAULTS : ELASTIC_DEFAULTS), ...given };

  for (const key of ['iterations', 'sweeps', 'newtonIterations'] as const) {
    if (key === 'iterations' && s.iterations === 'auto') continue;
    requirePositive(where, `elastic.${key}`, s[key]);
    if (!Number.isInteger(s[key])) refuse(where, `elastic.${key} must be a whole number`, s[key]);
    if (Number(s[key]) > 10_000) refuse(where, `elastic.${key} must be <= 10000`, s[key]);
  }
  requireNonNegative(where, 'elastic.newContactsEvery', s.newContactsEvery);
  if (!Number.isInteger(s.newContactsEvery)) {
    refuse(where, 'elastic.newContactsEvery must be a whole number', s.newContactsEvery);
  }
  requirePositive(where, 'elastic.tolerance', s.tolerance, 'm');

  for (const key of [
    'acceleration',
    'sleeping',
    'resting',
    'geometricCorrection',
    'keepApart',
    'continuous',
  ] as const) {
    requireFlag(where, `elastic.${key}`, s[key]);
  }

  if (!['auto', 'reference', 'wasm'].includes(s.backend)) {
    refuse(where, 'elastic.backend must be auto, reference or wasm', s.backend);
  }
  if (!['auto', 'admm', 'conjugate-residual'].includes(s.solver)) {
    refuse(where, 'elastic.solver must be auto, admm or conjugate-residual', s.solver);
  }
  if (s.solver === 'conjugate-residual' && s.profile === 'paper') {
    refuse(where, "elastic.profile 'paper' needs elastic.solver to be 'admm' or 'auto'", s.solver);
  }
  if (s.solver === 'conjugate-residual' && s.backend === 'wasm') {
    refuse(where, "elastic.solver 'conjugate-residual' needs elastic.backend to be 'reference' or 'auto'", s.backend);
  }
  if (s.solver === 'conjugate-residual' && s.acceleration) {
    refuse(where, "elastic.acceleration needs elastic.solver to be 'admm' or 'auto'", s.solver);
  }
  if (s.solver === 'conjugate-residual' && s.frictionCone === 'pyramid') {
    refuse(where, "elastic.frictionCone 'pyramid' needs elastic.solver to be 'admm' or 'auto'", s.solver);
  }
  if (!['exact', 'pyramid'].includes(s.frictionCone)) {
    refuse(where, 'elastic.frictionCone must be exact or pyramid', s.frictionCone);
  }
  if (s.frictionCone === 'pyramid' && s.backend === 'wasm') {
    refuse(where, "elastic.frictionCone 'pyramid' needs elastic.backend to be 'reference' or 'auto'", s.backend);
  }
  if (s.budget !== null) requirePositive(where, 'elastic.budget', s.budget, 'ms');
  return Object.freeze(s);
}
