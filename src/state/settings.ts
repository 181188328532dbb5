// Settings of a world: unit, default, and what goes wrong when a value is too small or too large.

import {
  refuse,
  refuseKey,
  requireFinite,
  requireFlag,
  requireNonNegative,
  requirePositive,
  requireVector,
} from '../core/errors';
import {
  ELASTIC_DEFAULTS,
  type ElasticSettings,
  type ResolvedElasticSettings,
  resolveElasticSettings,
} from './elastic-settings';
import { MOST_THREADS } from './limits';

export interface PhysicsSettings {
  /** Gravity [m/s²]. Default (0, −9.81, 0). */
  gravity?: ArrayLike<number>;
  /**
   * Fixed time step [s], 1e-6..1. Default 1/60. Larger: faster, less accurate; stacks
   * stay exact, fast bodies turn coarse.
   */
  timeStep?: number;
  /**
   * Most steps `advance` takes in one frame. Default 4. Larger: a slow tab may spiral; smaller: it slows down sooner.
   */
  maxStepsPerFrame?: number;
  /** Whether bodies at rest fall asleep. Default true. */
  sleeping?: boolean;
  /**
   * Which solver rigid islands get. Default 'auto': Dantzig pivoting up to `dantzigContacts`; above, contact-space
   * ADMM where its factor is not too dear, and sweeps where that does not converge. 'contact-admm' forces that one
   * wherever its factor is not too dear. 'gauss-seidel' sweeps all; it, too, leaves islands of up to `dantzigContacts`
   * whose masses are more than 1000 times apart to pivoting, as 'contact-admm' does with those it does not settle.
   */
  solver?: 'auto' | 'dantzig' | 'gauss-seidel' | 'contact-admm';
  /**
   * Most contact points of an island solved exactly under 'auto'. Default 100. Larger: exact for more, but a new
   * large contact set costs milliseconds.
   */
  dantzigContacts?: number;
  /** Substeps of the sweeps per step. Default 4. Fewer: softer stacks; more: stiffer, dearer. */
  substeps?: number;
  /**
   * Double sweeps (up and back) over all contacts per substep, before further ones over those that still change.
   * Default 1. More: stiffer, dearer.
   */
  sweeps?: number;
  /** Residual at which an exact solve is done, relative to the island's largest free velocity [1]. Default 1e-7. */
  tolerance?: number;
  /** Contacts are made up to this gap [m]. Default 0.02, limited to a fraction of small shapes' size. */
  speculativeDistance?: number;
  /**
   * Share of a penetration recovered per step (0..1). Default 0.5. Smaller: overlaps of a fresh pile stay for long;
   * larger: thrown piles get livelier.
   */
  recoveryRate?: number;
  /** Most that recovery may part two bodies [m/s]. Default 3. */
  recoverySpeed?: number;
  /** Slower approaches do not bounce [m/s]. Default 0.5. Too small: stacks of bouncy bodies jitter. */
  restitutionThreshold?: number;
  /**
   * A body slower than this may sleep [m/s]. Default 0.02. Larger: a box that begins to slide falls
   * asleep; smaller: piles stay awake.
   */
  sleepLinearSpeed?: number;
  /** A body spinning slower than this may sleep [rad/s]. Default 0.05. */
  sleepAngularSpeed?: number;
  /** An island must be slow this long before it sleeps [s]. Default 0.5. */
  sleepDelay?: number;
  /** Bodies for which there is room at first; tables grow by doubling. Default 64. */
  initialBodies?: number;
  /**
   * Threads that work on a step, the caller's included, 0..64; 'auto': as many as there are cores, at most four.
   * Default 0: as 1, the caller alone. Results are the same bits for any number. More than one needs a page that is
   * cross-origin isolated, or Node; they are fetched and started beside the first steps (physics.threadsReady), and
   * worlds too small to gain do not use them. Where they cannot be, report.threads says why.
   */
  threads?: number | 'auto';
  /**
   * Emit performance.measure entries for the browser's profiler. Default: where there is a window or a worker scope.
   */
  userTiming?: boolean;
  /**
   * Time every stage (`physics.profile`). Default true. False: all times there stay 0, and a step of bodies that rest,
   * slide or are swept leaves no garbage: JavaScript engines box each reading of the clock, 16 B twelve times a step.
   */
  stageTimes?: boolean;
  /** Told, once a world and kind, what the game most likely did not mean. Default console.warn; null for silence. */
  warn?: ((message: string) => void) | null;
  /** Rods, grooms, shells and solids, and the bodies they touch. */
  elastic?: ElasticSettings;
}

export type ResolvedSettings = Readonly<
  Required<Omit<PhysicsSettings, 'elastic'>> & { elastic: ResolvedElasticSettings }
>;

/** Most substeps, sweeps and steps a frame: more would hang the page, and a count must fit 32 bits. */
const MOST_REPEATS = 10_000;

/** Checks and completes settings. Throws UsageError: `createPhysics: timeStep must be > 0 [s], got 0`. */
export function resolveSettings(given: PhysicsSettings = {}): ResolvedSettings {
  const where = 'createPhysics';
  if (typeof given !== 'object' || given === null) refuse(where, 'settings must be an object', given);
  const known = new Set(Object.keys(DEFAULTS));
  for (const key of Object.keys(given)) if (!known.has(key)) refuseKey(where, key, known, 'setting');
  const s = { ...DEFAULTS, userTiming: 'document' in globalThis || 'importScripts' in globalThis, ...given };
  requireVector(where, 'gravity', s.gravity, 3, 'm/s²');
  requirePositive(where, 'timeStep', s.timeStep, 's');
  if (s.timeStep < 1e-6 || s.timeStep > 1) refuse(where, 'timeStep must be 1e-6..1 [s]', s.timeStep);
  for (const key of ['maxStepsPerFrame', 'substeps', 'sweeps', 'initialBodies'] as const) {
    requirePositive(where, key, s[key]);
    if (!Number.isInteger(s[key])) refuse(where, `${key} must be a whole number`, s[key]);
  }
  for (const key of ['substeps', 'sweeps', 'maxStepsPerFrame'] as const) {
    if (s[key] > MOST_REPEATS) refuse(where, `${key} must be <= ${MOST_REPEATS}`, s[key]);
  }
  const { threads } = s;
  if (threads !== 'auto' && !(Number.isInteger(threads) && threads >= 0 && threads <= MOST_THREADS))
    refuse(where, `threads must be 'auto' or a whole number 0..${MOST_THREADS}`, threads);
  if (s.initialBodies > 1_000_000) refuse(where, 'initialBodies must be <= 1000000', s.initialBodies);
  requireNonNegative(where, 'dantzigContacts', s.dantzigContacts);
  if (!['auto', 'dantzig', 'gauss-seidel', 'contact-admm'].includes(s.solver))
    refuse(where, 'solver must be auto, dantzig, gauss-seidel or contact-admm', s.solver);
  requirePositive(where, 'tolerance', s.tolerance);
  requirePositive(where, 'speculativeDistance', s.speculativeDistance, 'm');
  requireFinite(where, 'recoveryRate', s.recoveryRate);
  if (s.recoveryRate < 0 || s.recoveryRate > 1) refuse(where, 'recoveryRate must be 0..1', s.recoveryRate);
  requireNonNegative(where, 'recoverySpeed', s.recoverySpeed, 'm/s');
  requireNonNegative(where, 'restitutionThreshold', s.restitutionThreshold, 'm/s');
  requireNonNegative(where, 'sleepLinearSpeed', s.sleepLinearSpeed, 'm/s');
  requireNonNegative(where, 'sleepAngularSpeed', s.sleepAngularSpeed, 'rad/s');
  requireNonNegative(where, 'sleepDelay', s.sleepDelay, 's');
  for (const key of ['sleeping', 'userTiming', 'stageTimes'] as const) requireFlag(where, key, s[key]);
  if (s.warn !== null && typeof s.warn !== 'function') refuse(where, 'warn must be a function or null', s.warn);
  const elastic = resolveElasticSettings(where, s.elastic);
  return Object.freeze({ ...s, gravity: Float64Array.from(s.gravity), elastic });
}

const DEFAULTS = {
  gravity: [0, -9.81, 0] as ArrayLike<number>,
  timeStep: 1 / 60,
  maxStepsPerFrame: 4,
  sleeping: true,
  solver: 'auto' as 'auto' | 'dantzig' | 'gauss-seidel' | 'contact-admm',
  dantzigContacts: 100,
  substeps: 4,
  sweeps: 1,
  tolerance: 1e-7,
  speculativeDistance: 0.02,
  recoveryRate: 0.5,
  recoverySpeed: 3,
  restitutionThreshold: 0.5,
  sleepLinearSpeed: 0.02,
  sleepAngularSpeed: 0.05,
  sleepDelay: 0.5,
  initialBodies: 64,
  threads: 0 as number | 'auto',
  userTiming: false,
  stageTimes: true,
  warn: ((message: string) => console.warn(message)) as ((message: string) => void) | null,
  elastic: ELASTIC_DEFAULTS as ElasticSettings,
};
